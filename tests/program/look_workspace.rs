//! Packages of the repository itself, which a package manager has linked: commands see what was made, not the person's tree.

use crate::repo::Repo;
use std::fs;
use std::os::unix::fs::symlink;

const DESIGN: &str = "# 5 - Two\n\n## Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n| `packages/lib/index.js` | Modify | it is 2 |\n";
const TEST: &str = "const assert = require('assert');\nassert.strictEqual(require('left'), 'installed');\nassert.strictEqual(require('@ws/lib'), require('inner'));\nif (process.argv[2] === require('@ws/lib').toString()) process.exit(1);\n";

/// A workspace as npm, pnpm and yarn make it: links to packages at the root, in a scope, and in a package.
fn workspace() -> Repo {
    let repo = Repo::of(&[
        (".gitignore", "node_modules/\n"),
        ("package.json", "{\"workspaces\": [\"packages/*\"]}\n"),
        ("packages/lib/package.json", "{\"name\": \"@ws/lib\", \"bin\": \"index.js\"}\n"),
        ("packages/lib/index.js", "module.exports = 1;\n"),
        ("packages/deep/er/app/package.json", "{\"name\": \"app\"}\n"),
        ("packages/deep/er/app/test.js", TEST),
        ("docs/5.md", DESIGN),
    ]);
    repo.write("node_modules/left/index.js", "module.exports = 'installed';\n");
    let link = |to: &str, name: &str| {
        let place = repo.dir.join(name);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        symlink(to, place).unwrap();
    };
    link("../../packages/lib", "node_modules/@ws/lib");
    link("../packages/deep/er/app", "node_modules/app");
    link("../@ws/lib/index.js", "node_modules/.bin/lib");
    link("../../../../lib", "packages/deep/er/app/node_modules/inner");
    repo.answer(
        "packages/lib/index.js",
        "FIND:\n```\nmodule.exports = 1;\n```\nREPLACE WITH:\n```\nmodule.exports = 2;\n```\n",
    );
    repo
}

#[test]
fn a_package_of_the_repository_is_the_one_that_was_made() {
    let repo = workspace();
    // It fails with the code of the base, and is excused by nothing in the end.
    let ran = repo.implement(&[
        "docs/5.md",
        "--format",
        "find-replace",
        "--repair",
        "0",
        "--verify",
        "node packages/deep/er/app/test.js 1",
    ]);
    ran.published("implement/5");
    ran.says("warning: 'node packages/deep/er/app/test.js 1' fails on the base already\n");
    let bin =
        "sh -c 'grep -q 2 node_modules/.bin/lib || test \"$(cat packages/lib/index.js)\" = \"module.exports = 1;\"'";
    repo.implement(&["docs/5.md", "--format", "find-replace", "--force", "--verify", bin]).published("implement/5");
    assert_eq!(fs::read_link(repo.dir.join("node_modules/@ws/lib")).unwrap().to_str(), Some("../../packages/lib"));
}

#[test]
fn what_a_command_does_to_the_links_is_gone_before_the_next() {
    let repo = workspace();
    let breaks = "sh -c 'rm -rf node_modules && mkdir -p node_modules/left && echo evil >node_modules/left/index.js'";
    let test = "node packages/deep/er/app/test.js 0";
    let ran = repo.implement(&["docs/5.md", "--format", "find-replace", "--verify", breaks, "--verify", test]);
    ran.published("implement/5");
    assert_eq!(repo.git(&["diff", "main", "implement/5", "--name-only"]), "packages/lib/index.js");
}
