//! Records as older programs wrote them (`fixtures/records`): what `log`, `show`, `verify` and `--continue` say of each.

use crate::records;
use crate::repo::{Repo, fixture, tree, write};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::Stdio;

/// The folder of the fixture, its schema, and whether a reader of it goes on with it and can make it again.
const ALL: &[(&str, u32, bool, bool)] = &[
    ("schema-1", 1, false, false),
    ("schema-2", 2, false, false),
    ("schema-3-without-recipe", 3, true, false),
    ("schema-3", 3, true, true),
];

/// The repository in which the runs were made, with the record of one that was published and of one that failed.
fn repo(name: &str, schema: u32) -> (Repo, String, String) {
    let repo = Repo::unborn();
    let folder = fixture("records").join(name);
    let history = fs::File::open(folder.join("history")).unwrap();
    let import = repo.command("git").args(["fast-import", "--quiet"]).stdin(Stdio::from(history)).output().unwrap();
    assert!(import.status.success(), "{import:?}");
    repo.git(&["reset", "--quiet", "--hard", "main"]);
    let only = |kind: &str| -> (String, PathBuf) {
        let entry = fs::read_dir(folder.join(kind)).unwrap().next().unwrap().unwrap();
        (entry.file_name().into_string().unwrap(), entry.path())
    };
    let ((published, files), (failed, kept)) = (only("published"), only("failed"));
    records::write(&repo, &published, &tree(&files));
    if schema == 1 {
        // The ref named a commit of the files.
        let commit = repo.git(&["commit-tree", "-m", "record", &records::name(&published)]);
        repo.git(&["update-ref", &records::name(&published), &commit]);
    }
    for (path, bytes) in tree(&kept) {
        write(&repo.failed(&failed).join(path), bytes);
    }
    (repo, published, failed)
}

#[track_caller]
fn json(repo: &Repo, arguments: &[&str]) -> Value {
    let ran = repo.run(arguments);
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}\n{ran}"))
}

#[test]
fn log_and_show_have_what_records_of_every_schema_say() {
    for (name, schema, goes_on, _) in ALL {
        let (repo, published, failed) = repo(name, *schema);
        let runs = json(&repo, &["log", "--json"])["runs"].clone();
        let of = |run: &str| runs.as_array().unwrap().iter().find(|it| it["run"] == run).unwrap().clone();
        let ran = of(&published);
        assert_eq!((&ran["became"], &ran["branch"]), (&"published".into(), &"implement/9".into()), "{name}");
        assert_eq!(ran["files"], serde_json::json!(["src/one.py", "src/two.py"]), "{name}");
        assert!(ran["spent"]["input"].as_u64().unwrap() > 100 && ran["model"] == "p", "{name}: {ran}");
        let last = repo.tip("implement/9");
        assert_eq!(ran["commits"].as_array().unwrap().last().unwrap(), &last.as_str(), "{name}");
        let became = if *goes_on { "refused" } else { "unreadable" };
        assert_eq!(of(&failed)["became"], became, "{name}");
        let shown = json(&repo, &["show", "--json", "--full", &published]);
        assert_eq!(
            (&shown["design"]["path"], &shown["base"]),
            (&"docs/9.md".into(), &repo.tip("main").into()),
            "{name}"
        );
        let files = shown["files"].as_array().unwrap();
        assert_eq!((&files[0]["path"], &files[0]["outcome"]), (&"src/one.py".into(), &"modified".into()), "{name}");
        let request = &files[0]["requests"][0];
        assert!(request["reply"].as_str().unwrap().contains("WORD = \"first\""), "{name}: {request}");
        assert!(request["prompt"].to_string().contains("Another word"), "{name}: {request}");
        assert_eq!(files[0]["edits"][0]["line"], 1, "{name}");
    }
}

#[test]
fn verify_says_what_can_be_made_again_and_what_is_too_old_for_it() {
    for (name, schema, _, is_exact) in ALL {
        let (repo, ..) = repo(name, *schema);
        let ran = repo.run(&["verify", "--json", "main..implement/9"]);
        let told: Value = serde_json::from_str(&ran.out).unwrap();
        let word = |commit: &Value| commit["verdict"].as_str().unwrap().to_owned();
        let words: Vec<String> = told["commits"].as_array().unwrap().iter().map(word).collect();
        let expected = if *is_exact { "exact" } else { "too-old" };
        assert_eq!((words, ran.status), (vec![expected.to_owned(); 2], Some(i32::from(!is_exact))), "{name}");
        let why = format!("has schema {schema} and is too old to rebuild from");
        assert_eq!(ran.out.contains(&why), !is_exact, "{name}: {ran}");
    }
}

#[test]
fn a_failed_run_of_an_older_schema_is_not_gone_on_with_and_one_of_this_is() {
    for (name, schema, goes_on, _) in ALL {
        let (repo, _, failed) = repo(name, *schema);
        repo.answer("src/two.py", "```python\nWORD = \"second\"\n```\n");
        let provider = repo.provider();
        let ran = repo.run(&[
            "--continue",
            &failed,
            "--provider",
            "command",
            "--command",
            &provider,
            "-b",
            "again",
            "--allow",
            "size",
        ]);
        if *goes_on {
            ran.published("again");
            assert_eq!(repo.asked(), ["src/two.py whole 1"], "{name}: what was accepted is not asked for");
            assert_eq!(repo.files("again"), repo.files("implement/9"), "{name}");
        } else {
            ran.refused_at_once(128).says("cannot go on from the record").says(&format!("its schema is {schema}"));
            let status = repo.run(&["--status"]);
            assert!(status.out.contains(&format!(": unreadable (its schema is {schema}")), "{name}: {status}");
        }
    }
}
