//! What to type next: `git implement` alone, a verb that there is not, a design that is not there.

use crate::repo::Repo;

fn design(number: u32) -> String {
    format!(
        "# {number} - One file\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
         | `src/a.py` | Add | A value |\n"
    )
}

fn repo() -> Repo {
    let repo = Repo::of(&[("README.md", "# Read me\n"), ("docs/lld/324.md", &design(324)), ("docs/x.md", "# X\n")]);
    repo.answer("src/a.py", "```python\nA = 2\nB = A + 1\n```\n");
    repo
}

#[test]
fn git_implement_alone_says_what_to_type_with_a_design_that_is_there() {
    let repo = repo();
    let ran = repo.run(&[]);
    ran.refused_at_once(129).says("fatal: no design is named\nhint: git implement plan docs/lld/324.md: ");
    ran.says("hint: git implement docs/lld/324.md: ").says("hint: git implement demo: ").says("git implement -h: ");
    let ran = repo.run_in(&repo.place("home"), &[]);
    ran.refused_at_once(129).says("hint: git implement plan <lld>: ");
}

#[test]
fn a_word_that_is_nearly_a_verb_is_a_usage_error_that_names_it_and_nothing_is_made() {
    let repo = repo();
    for (arguments, meant) in [
        (&["pln"][..], "plan"),
        (&["pln", "docs/lld/324.md"], "plan"),
        (&["chekc", "--cached"], "check"),
        (&["demmo"], "demo"),
    ] {
        let provider = repo.provider();
        let ran = repo.run(&[arguments, &["--provider", "command", "--command", &provider]].concat());
        ran.refused_at_once(129).says(&format!("fatal: '{}' is not a git implement command\n", arguments[0]));
        ran.says(&format!("hint: did you mean 'git implement {meant}'?\n"));
    }
    assert!(repo.asked().is_empty());
    // A design may be called anything.
    repo.write("pln", design(9));
    repo.implement(&["pln"]).published("implement/pln");
}

#[test]
fn a_word_that_asks_for_help_is_no_design() {
    let repo = repo();
    repo.run(&["help"]).refused_at_once(129).says("hint: git implement -h: ");
}

#[test]
fn a_design_that_is_not_there_is_answered_with_those_that_are_called_nearly_so() {
    let repo = repo();
    for (name, hint) in [
        ("docs/lld/234.md", "did you mean 'docs/lld/324.md'?"),
        ("324.md", "did you mean 'docs/lld/324.md'?"),
        ("324", "did you mean 'docs/lld/324.md'?"),
        ("docs/lld", "did you mean 'docs/lld/324.md'?"),
    ] {
        for verb in [&["plan"][..], &[]] {
            let ran = repo.run(&[verb, &[name]].concat());
            ran.refused_at_once(128).says(&format!("\nhint: {hint}\n"));
        }
    }
    repo.run_in(&repo.dir.join("docs"), &["324.md"]).refused_at_once(128).says("did you mean 'lld/324.md'?");
    std::fs::create_dir(repo.dir.join("src")).unwrap();
    repo.run_in(&repo.dir.join("src"), &["324.md"]).refused_at_once(128).says("did you mean '../docs/lld/324.md'?");
    let nothing = repo.run(&["nothing-like-it.md"]);
    assert_eq!(nothing.refused_at_once(128).err, "fatal: cannot find the design 'nothing-like-it.md'\n");
}
