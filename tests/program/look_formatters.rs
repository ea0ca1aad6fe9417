//! Commands that may change files: when they run, and what becomes of one that fails.

use crate::repo::Repo;
use std::fs;

const DESIGN: &str = "# 8 - Two\n\n## Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n| `one.py` | Add | a constant |\n| `two.py` | Add | another |\n";

/// A project whose only command, which may change files, is this script in Python.
fn project(script: &str, fields: &[(&str, &str)]) -> Repo {
    let mut repo = Repo::of(&[("docs/8.md", DESIGN), ("tool.py", script)]);
    repo.answer("one.py", "```python\nONE = 1\n```\n");
    repo.answer("two.py", "```python\nTWO = 2\n```\n");
    repo.configure("implement.verify.tool.command", "python3 tool.py");
    repo.configure("implement.verify.tool.fixes", "true");
    for (field, value) in fields {
        repo.configure(&format!("implement.verify.tool.{field}"), value);
    }
    repo
}

#[test]
fn one_that_fails_goes_back_and_refuses_as_every_command_does() {
    let script = "import os, sys\nif os.path.exists('two.py') and 'TWO = 2' in open('two.py').read():\n    print('two.py:1: a magic number')\n    sys.exit(3)\n";
    let repo = project(script, &[]);
    let ran = repo.implement(&["docs/8.md", "--repair", "0"]);
    ran.refused(1).says("error: 'python3 tool.py' fails\n").says("error: what was made does not pass: verify\n");
    repo.implement(&["docs/8.md", "--repair", "0", "--allow", "verify"]).published("implement/8");
    let repo = project(script, &[]);
    repo.answer_at("two.py", 2, "FIND:\n```\nTWO = 2\n```\nREPLACE WITH:\n```\nTWO = 1 + 1\n```\n");
    let ran = repo.implement(&["docs/8.md"]);
    ran.published("implement/8");
    let given = fs::read_to_string(repo.place("asked/two.py.2")).unwrap();
    assert!(given.contains("$ python3 tool.py\ntwo.py:1: a magic number"), "{given}");
}

#[test]
fn one_that_calls_it_a_failure_that_there_was_something_to_change_is_asked_again() {
    let script = "import os, sys\ntext = os.path.exists('one.py') and open('one.py').read()\nif text and 'formatted' not in text:\n    open('one.py', 'a').write('# formatted\\n')\n    sys.exit(1)\n";
    let repo = project(script, &[]);
    let ran = repo.implement(&["docs/8.md", "--repair", "0"]);
    ran.published("implement/8");
    assert_eq!(repo.git(&["show", "implement/8:one.py"]), "ONE = 1\n# formatted");
}

#[test]
fn one_that_is_for_each_file_runs_after_each_file() {
    let script = "import os\nif os.path.exists('one.py'):\n    text = open('one.py').read()\n    if not text.startswith('# '):\n        open('one.py', 'w').write('# the first\\n' + text)\n";
    let repo = project(script, &[("when", "file")]);
    let ran = repo.implement(&["docs/8.md"]);
    ran.published("implement/8");
    // The second file is asked for with what was made of the first.
    assert!(repo.prompt("two.py").contains("# the first"), "{ran}");
    let repo = project(script, &[]);
    repo.implement(&["docs/8.md"]).published("implement/8");
    assert!(!repo.prompt("two.py").contains("# the first"));
}

#[test]
fn what_it_makes_of_a_file_is_refused_in_its_own_name() {
    let script = "import os\nif os.path.exists('one.py'):\n    open('one.py', 'a').write('def (:\\n')\n";
    let ran = project(script, &[]).implement(&["docs/8.md"]);
    ran.refused(1).says("error: what 'python3 tool.py' made of 'one.py' is refused: syntax-python\n");
    ran.says("hint: mend the command, or leave all of them out: --no-exec\n");
    assert!(!ran.err.contains("--no-verify"), "{ran}");
}

#[test]
fn what_it_has_against_the_base_is_not_given_to_the_model() {
    let script = "import sys\nprint('old.py:1: an error of old')\nsys.exit(1)\n";
    let repo = project(script, &[]);
    let ran = repo.implement(&["docs/8.md"]);
    ran.refused(1).says("error: 'python3 tool.py' fails, as it did on the base\n");
    assert_eq!(repo.asked().len(), 2, "{ran}");
}
