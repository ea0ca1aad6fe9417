//! What each language's imports may come from, on small trees of the shapes that projects have.

use super::*;
use std::collections::BTreeSet;

/// The names that the last file of the tree imports from nowhere, with their lines.
#[track_caller]
fn found(tree: &[(&str, &str)]) -> Vec<String> {
    let files: BTreeSet<String> = tree.iter().map(|(path, _)| (*path).to_owned()).collect();
    let read = |path: &str| tree.iter().find(|(name, _)| *name == path).map(|(_, text)| (*text).to_owned());
    let (path, text) = tree.last().expect("a file");
    let found = imported(path, (None, text), &Ground::new(&files, &read), &Settings::default()).findings;
    assert!(found.iter().all(|finding| !finding.is_error()));
    found
        .iter()
        .map(|it| format!("{} {}", it.line.unwrap_or(0), it.message.split('\'').nth(3).unwrap_or_default()))
        .collect()
}

const NONE: [&str; 0] = [];

#[test]
fn a_new_import_of_a_file_that_is_nowhere_is_a_warning_with_its_place() {
    let text = "import a from './a';\nimport b from './b';\nimport c from './c';\n";
    let files = BTreeSet::from(["src/a.ts".to_owned()]);
    let ground = Ground::new(&files, &|_| None);
    let base = Some("import c from './c';\n");
    let found = imported("src/x.ts", (base, text), &ground, &Settings::default()).findings;
    let [finding] = &found[..] else { panic!("{found:?}") };
    assert_eq!((finding.line, finding.is_error()), (Some(2), false));
    assert_eq!(finding.message, "'src/x.ts' imports './b', which is nowhere in the tree");
    let allowed = Settings { allow: vec!["import:src/x.ts".into()], ..Settings::default() };
    assert_eq!(imported("src/x.ts", (base, text), &ground, &allowed).findings, []);
}

#[test]
fn packages_of_python_come_from_the_language_the_tree_or_a_manifest_under_whatever_name() {
    let manifest = "[project]\nname = \"shop\"\ndependencies = [\"PyYAML>=6\", \"scikit-learn\", \"google-cloud-storage\", \"Flask\"]\n";
    let text = "import os\nimport yaml\nfrom sklearn.svm import SVC\nfrom google.cloud import storage\nimport werkzeug\n\
                from shop.cart import Cart\nimport helpers\nimport reqeusts\nfrom shop.basket import Basket\nimport shop.cart\n";
    let tree = [
        ("pyproject.toml", manifest),
        ("src/shop/__init__.py", ""),
        ("src/shop/cart.py", ""),
        ("tools/helpers.py", ""),
        ("src/shop/x.py", text),
    ];
    assert_eq!(found(&tree), ["8 reqeusts", "9 shop.basket"]);
    assert_eq!(found(&tree[1..]), NONE, "nothing says what there is");
    let stub = ("src/shop/x.pyi", "import typing\nfrom typing_extensions import Self\nimport reqeusts\n");
    assert_eq!(found(&[tree[0], stub]), ["3 reqeusts"]);
    for manifest in [
        ("requirements/dev.txt", "-r base.txt\nReqeusts==1 # x\n"),
        ("requirements/extras/http.txt", "reqeusts\n"),
        ("setup.py", "setup(install_requires=['reqeusts>=2'])\n"),
        ("Pipfile", "[packages]\nreqeusts = \"*\"\n"),
        ("a/environment.yml", "dependencies:\n  - pip:\n    - reqeusts\n"),
    ] {
        assert_eq!(found(&[manifest, ("x.py", "import reqeusts\nimport nothing\n")]), ["2 nothing"], "{manifest:?}");
    }
}

#[test]
fn packages_of_javascript_come_from_manifests_on_the_way_up_workspaces_and_aliases() {
    let tree = [
        ("package.json", "{\"name\": \"root\", \"devDependencies\": {\"vitest\": \"1\", \"@types/estree\": \"1\"}}"),
        ("tsconfig.json", "{\"compilerOptions\": {\"paths\": {\"@app/*\": [\"./src/*\"]}}}"),
        ("packages/b/package.json", "{\"name\": \"@own/b\", \"dependencies\": {\"hidden\": \"1\"}}"),
        ("packages/a/package.json", "{\"dependencies\": {\"react\": \"1\", \"@babel/core\": \"7\"}}"),
        ("packages/a/src/components/x.ts", ""),
        (
            "packages/a/src/y.ts",
            "import { x } from 'react/jsx-runtime';\nimport { b } from '@own/b/deep';\nimport { t } from '@app/z';\n\
             import fs from 'fs/promises';\nimport p from 'node:path';\nimport type { N } from 'estree';\n\
             import { u } from '@babel/types';\nimport c from 'components/x';\nimport v from '@vitest/runner';\n\
             import h from 'hidden';\nimport r from 'raect';\nimport s from '@nobody/s';\nimport '~/a';\nimport '#own';\n\
             import o from '@own/c';\n",
        ),
    ];
    assert_eq!(found(&tree), ["10 hidden", "11 raect", "12 @nobody/s", "15 @own/c"]);
    assert_eq!(found(&[("x.js", "import a from 'nothing';\n")]), NONE);
}

#[test]
fn crates_come_from_the_manifests_above_by_the_names_that_these_give_them() {
    let tree = [
        ("Cargo.toml", "[workspace]\nmembers = [\"a\"]\n[workspace.dependencies]\nserde_json = \"1\"\n"),
        (
            "a/Cargo.toml",
            "[package]\nname = \"my-own\"\n[dependencies]\ntokio-util = \"1\"\nrenamed = { package = \"original\", version = \"1\" }\n\
             [target.'cfg(unix)'.dev-dependencies]\nrustix = \"1\"\n",
        ),
        ("a/src/room.rs", ""),
        (
            "a/tests/t.rs",
            "use std::io;\nuse my_own::x;\nuse tokio_util::y;\nuse renamed::z;\nuse original::z;\nuse rustix::fs;\nuse room::w;\n\
             use serde_json::Value;\nuse serd::De;\n",
        ),
    ];
    assert_eq!(found(&tree), ["5 original", "9 serd"]);
    assert_eq!(found(&tree[2..]), NONE);
}

#[test]
fn packages_of_go_come_from_modules_that_are_required_and_from_folders_of_the_own() {
    let module = "module example.org/shop\n\ngo 1.22\n\nrequire a.org/b/v2 v2.0.0\n\nrequire (\n\tvitess.io/v v1.0.0 // indirect\n)\n\nreplace c.org/d => e.org/f v1.0.0\n";
    let text = "package x\n\nimport (\n\t\"fmt\"\n\t\"encoding/json\"\n\t\"encdoing/json\"\n\t\"a.org/b/v2/sub\"\n\t\"a.org/b\"\n\t\"vitess.io/v/go\"\n\
                \t\"c.org/d\"\n\t\"example.org/shop/cart\"\n\t\"example.org/shop/basket\"\n\t\"example.org/shopping\"\n)\n";
    let tree = [("go.mod", module), ("cart/cart.go", "package cart\n"), ("cmd/x.go", text)];
    assert_eq!(found(&tree), ["6 encdoing/json", "8 a.org/b", "12 example.org/shop/basket", "13 example.org/shopping"]);
    assert_eq!(found(&tree[1..]), NONE);
}

#[test]
fn what_a_build_makes_or_a_fixture_names_is_no_mistake() {
    let tree = [
        (".gitignore", "/src/made/\n*.log\n"),
        ("src/a.ts", ""),
        ("src/x.ts", "import './made/b';\nimport '../dist/c';\nimport './gone/d';\nimport './e';\n"),
    ];
    assert_eq!(found(&tree), ["3 ./gone/d", "4 ./e"]);
    assert_eq!(found(&[("package.json", "{}"), ("tests/fixtures/x.ts", "import './e';\nimport 'f';\n")]), NONE);
}

#[test]
fn manifests_and_sources_of_any_kind_are_survived() {
    for (manifest, path) in
        [("package.json", "a.ts"), ("Cargo.toml", "a.rs"), ("go.mod", "a.go"), ("pyproject.toml", "a.py")]
    {
        for text in ["", "{", "[[", "module", "module \"", "\u{feff}", "é"] {
            for source in
                ["import '@'", "import '@/a'", "import é", "use é::b;", "import \"é.é/\"", "from . import", "use"]
            {
                found(&[(manifest, text), (path, &format!("{source}\n"))]);
            }
        }
    }
}
