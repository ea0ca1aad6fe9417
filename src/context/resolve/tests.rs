use super::*;
use crate::context::tree::Reading;
use std::collections::BTreeMap;

/// What the last of `files` takes in, as `<line>: <file> <what>`.
fn found(files: &[(&str, &str)]) -> Vec<String> {
    let of: BTreeMap<&str, &str> = files.iter().copied().collect();
    let one = |path: &str| of.get(path).map(|text| text.to_string());
    let tree = Tree::new(of.keys().copied().collect(), Reading { one: &one, many: &|_, _| {} });
    let (path, text) = files.last().unwrap();
    let say = |taken: &Taken| {
        let what = match &taken.what {
            What::Names(names) => {
                names.iter().map(|(there, here)| format!("{there}={here}")).collect::<Vec<_>>().join(",")
            }
            What::Within(word) => format!("{word}."),
            What::All => "*".to_owned(),
        };
        format!("{}: {} {what}", taken.line + 1, taken.files.join("+"))
    };
    taken(&tree, &Source::new(path, (*text).to_owned())).iter().map(say).collect()
}

#[test]
fn python_imports_lead_to_modules_packages_and_what_lies_beside() {
    let files = [
        ("src/pkg/__init__.py", ""),
        ("src/pkg/a.py", ""),
        ("src/pkg/b/__init__.py", ""),
        ("tools/alone.py", ""),
        (
            "src/pkg/main.py",
            "import os\nimport pkg.a as aa, alone\nfrom . import a\nfrom .b import (\n    c,\n    d as e,\n)\n\ndef f():\n    from pkg.b import *\n    '''\n    from .a import no\n    '''\n",
        ),
    ];
    let want = [
        "2: src/pkg/a.py aa.",
        "2: tools/alone.py alone.",
        "3: src/pkg/a.py a.",
        "4: src/pkg/b/__init__.py c=c,d=e",
        "10: src/pkg/b/__init__.py *",
    ];
    assert_eq!(found(&files), want);
}

#[test]
fn typescript_imports_lead_through_the_names_of_tsconfig_and_the_packages_of_the_tree() {
    let files = [
        (
            "tsconfig.json",
            "{\n  // remark\n  \"compilerOptions\": { \"paths\": { \"@/*\": [\"./src/*\"], \"one\": [\"src/one\"] } },\n}\n",
        ),
        ("packages/kit/package.json", "{\"name\": \"@x/kit\"}"),
        ("packages/kit/src/index.ts", ""),
        ("src/lib/util.ts", ""),
        ("src/one.tsx", ""),
        ("src/view/index.ts", ""),
        (
            "src/main.ts",
            "import React from 'react';\nimport util, { a, type B as C } from '@/lib/util';\nimport {\n  d,\n} from './view';\nexport * from \"one\";\nimport * as kit from '@x/kit';\nconst { e, f: g } = require('./one.js');\nconst h = await import('./view/index');\n",
        ),
    ];
    let want = [
        "2: src/lib/util.ts a=a,B=C",
        "2: src/lib/util.ts default=util",
        "3: src/view/index.ts d=d",
        "6: src/one.tsx *",
        "7: packages/kit/src/index.ts kit.",
        "8: src/one.tsx e=e,f=g",
        "9: src/view/index.ts h.",
    ];
    assert_eq!(found(&files), want);
}

#[test]
fn rust_paths_lead_to_the_file_of_their_longest_module() {
    let files = [
        ("src/lib.rs", ""),
        ("src/a/mod.rs", ""),
        ("src/a/b.rs", ""),
        ("src/c.rs", ""),
        ("other-crate/src/lib.rs", ""),
        (
            "src/c/d.rs",
            "use std::fmt;\nuse crate::a::{self, b::{C, d as e}, F};\npub use super::g;\nuse other_crate::H;\nfn i() { crate::a::b::j() }\n",
        ),
    ];
    let want = [
        "2: src/a/mod.rs a.",
        "2: src/a/b.rs C=C",
        "2: src/a/b.rs d=e",
        "2: src/a/mod.rs F=F",
        "3: src/c.rs g=g",
        "4: other-crate/src/lib.rs H=H",
        "5: src/a/b.rs j=j",
    ];
    assert_eq!(found(&files), want);
}

#[test]
fn go_imports_lead_to_the_files_of_packages_of_the_module() {
    let files = [
        ("svc/go.mod", "module x.org/svc // v\n"),
        ("svc/store/a.go", ""),
        ("svc/store/a_test.go", ""),
        ("svc/store/b.go", ""),
        ("svc/helper.go", ""),
        ("svc/main.go", "package main\n\nimport (\n\t\"fmt\"\n\ts \"x.org/svc/store\"\n)\n\nfunc f() {}\n"),
    ];
    assert_eq!(found(&files), ["5: svc/store/a.go+svc/store/b.go s.", "1: svc/helper.go *"]);
}

#[test]
fn imports_of_the_other_languages_lead_to_the_files_of_their_names() {
    let java = [("app/src/org/x/Row.java", ""), ("app/src/org/x/Beside.java", ""), ("lib/org/y/Util.java", "")];
    let main = (
        "app/src/org/x/Main.java",
        "package org.x;\nimport java.util.List;\nimport static org.y.Util.load;\nclass Main { Beside b; }\n",
    );
    let want = ["3: lib/org/y/Util.java load=load", "4: app/src/org/x/Beside.java Beside=Beside"];
    assert_eq!(found(&[java[0], java[1], java[2], main]), want);
    let c =
        [("inc/x/a.h", ""), ("src/b.h", ""), ("src/m.c", "#include <stdio.h>\n#include <x/a.h>\n# include \"b.h\"\n")];
    assert_eq!(found(&c), ["2: inc/x/a.h *", "3: src/b.h *"]);
    let ruby =
        [("lib/a/b.rb", ""), ("app/c.rb", ""), ("app/m.rb", "require 'json'\nrequire 'a/b'\nrequire_relative './c'\n")];
    assert_eq!(found(&ruby), ["2: lib/a/b.rb *", "3: app/c.rb *"]);
    let php = [
        ("src/Model/Row.php", ""),
        ("src/x.php", ""),
        ("src/m.php", "<?php\nuse App\\Model\\Row as R;\nrequire_once __DIR__ . '/x.php';\n"),
    ];
    assert_eq!(found(&php), ["2: src/Model/Row.php Row=R", "3: src/x.php *"]);
    let sharp = [("a/Row.cs", ""), ("b/Main.cs", "using System;\nclass Main { Row row; }\n")];
    assert_eq!(found(&sharp), ["2: a/Row.cs Row=Row"]);
}

#[test]
fn a_name_is_followed_through_files_that_hand_it_on_and_a_circle_ends() {
    let of: BTreeMap<&str, &str> = [
        ("a/index.ts", "export * from './b';\nexport { c as d } from './c';\n"),
        ("a/b.ts", "export * from './index';\n"),
        ("a/c.ts", "export function c() {\n}\n"),
    ]
    .into();
    let one = |path: &str| of.get(path).map(|text| text.to_string());
    let tree = Tree::new(of.keys().copied().collect(), Reading { one: &one, many: &|_, _| {} });
    let face = tree.source("a/index.ts").unwrap();
    let place = |name: &str| declaring(&tree, &face, name).map(|(source, line)| (source.path.clone(), line));
    assert_eq!(place("d"), Some(("a/c.ts".to_owned(), 0)));
    assert_eq!(place("gone"), None);
}

#[test]
fn every_file_of_a_language_has_its_line_in_the_registry() {
    let room = concat!(env!("CARGO_MANIFEST_DIR"), "/src/context/resolve");
    let names = std::fs::read_dir(room).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let files = names.filter(|name| name.ends_with(".rs") && !["mod.rs", "tests.rs"].contains(&name.as_str()));
    assert_eq!(files.count(), RESOLVERS.len());
    let known = |name: &&str| syntax::LANGUAGES.iter().any(|language| language.name == *name);
    assert!(RESOLVERS.iter().flat_map(|resolver| resolver.languages).all(known));
}
