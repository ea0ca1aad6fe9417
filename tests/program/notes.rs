//! Notes and traces for other tools: written when asked for, and again after a rebase.

use crate::repo::Repo;
use serde_json::Value;

const DESIGN: &str = "# 4 - Some files\n\n## Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
                      | `src/a.py` | Modify | Other values |\n| `src/my b.py` | Add | Uses them |\n";
const A: &str = "FIRST = 1\n\n\ndef value():\n    return FIRST\n\n\nLAST = 3\n";
const B: &str =
    "from a import value\n\n\ndef twice_the_value():\n    doubled_value = value() * 2\n    return doubled_value\n";

fn repo() -> Repo {
    let repo = Repo::of(&[("docs/4.md", DESIGN), ("src/a.py", A), ("README.md", "# R\n")]);
    repo.answer("src/a.py", format!("```python\n{}```\n", A.replace("LAST = 3", "LAST_VALUE_OF_ALL_OF_THEM = 30")));
    repo.answer("src/my b.py", format!("```python\n{B}```\n"));
    repo
}

/// The lines of a note, and what stands below them.
#[track_caller]
fn note(repo: &Repo, commit: &str) -> (Vec<String>, Value) {
    let note = repo.git(&["notes", "--ref=ai", "show", commit]);
    let (lines, metadata) = note.split_once("---\n").unwrap();
    (lines.lines().map(str::to_owned).collect(), serde_json::from_str(metadata).unwrap())
}

#[test]
fn notes_are_written_when_they_are_asked_for_and_hold_no_prompt() {
    let repo = repo();
    repo.implement(&["docs/4.md"]).published("implement/4");
    assert!(repo.git(&["for-each-ref", "refs/notes/"]).is_empty());
    repo.git(&["config", "implement.notes", "true"]);
    let ran = repo.implement(&["docs/4.md", "-b", "noted"]);
    assert_eq!(ran.status, Some(0), "{ran}");
    assert!(ran.refs.contains_key("refs/notes/ai"), "{ran}");
    let run = ran.refs.keys().find_map(|name| name.strip_prefix("refs/implement/runs/")).unwrap();
    let (lines, metadata) = note(&repo, "noted");
    assert_eq!(lines[0], "\"src/my b.py\"");
    let (key, ranges) = lines[1].strip_prefix("  ").unwrap().rsplit_once(' ').unwrap();
    let (session, trace) = key.split_once("::").unwrap();
    assert_eq!((ranges, session.len(), trace.len()), ("1-6", 16, 16), "{lines:?}");
    assert_eq!(metadata["schema_version"], "authorship/3.0.0");
    assert_eq!(metadata["base_commit_sha"], repo.tip("noted"));
    assert_eq!(metadata["sessions"][session]["agent_id"]["id"], *run);
    let (lines, _) = note(&repo, "noted~1");
    assert!(lines.len() == 2 && lines[1].ends_with(" 8"), "{lines:?}");
    assert!(!repo.git(&["notes", "--ref=ai", "show", "noted"]).contains("Uses them"));
    repo.sound();
}

#[test]
fn rehome_writes_notes_for_the_commits_that_a_rebase_has_made() {
    let repo = repo();
    repo.git(&["config", "implement.notes", "true"]);
    repo.implement(&["docs/4.md"]);
    let before = repo.tip("implement/4");
    repo.git(&["switch", "--quiet", "main"]);
    repo.write("src/a.py", format!("'''Values.'''\n{A}"));
    repo.commit("A person's");
    repo.git(&["rebase", "--quiet", "main", "implement/4"]);
    repo.git(&["notes", "--ref=ai", "add", "--message", "another tool's", "HEAD"]);
    let ran = repo.run(&["rehome", "main.."]);
    assert_eq!(ran.status, Some(0), "{ran}");
    assert_eq!(repo.git(&["notes", "--ref=ai", "show", "HEAD"]), "another tool's");
    let (lines, metadata) = note(&repo, "HEAD~1");
    assert!(lines[1].ends_with(" 9"), "the line has moved: {lines:?}");
    assert_eq!(metadata["base_commit_sha"], repo.tip("HEAD~1"));
    assert!(ran.out.contains(&format!("{} removed: it is on no branch any more", &before[..10])), "{ran}");
    assert!(ran.out.contains("another tool's, left alone"), "{ran}");
    let ran = repo.run(&["rehome", "--json", "main.."]);
    let told: Value = serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}\n{ran}"));
    let note = |commit: &str, word: &str| serde_json::json!({"commit": repo.tip(commit), "note": word});
    let notes = [note("HEAD", "foreign"), note("HEAD~1", "same"), note("HEAD~2", "written")];
    assert_eq!(told["schema"], 1);
    let known: Vec<&Value> = told["notes"].as_array().unwrap().iter().collect();
    assert!(known.len() >= 2 && known.iter().all(|note| notes.contains(note)), "{told}");
    let ran = repo.run(&["rehome", "main.."]);
    assert!(ran.changed_nothing().out.contains("as it was"), "{ran}");
}

#[test]
fn a_commit_is_written_as_a_record_of_agent_trace() {
    let repo = repo();
    let run = repo.implement(&["docs/4.md"]).published("implement/4");
    let ran = repo.run(&["show", "--agent-trace", "implement/4"]);
    let trace: Value = serde_json::from_str(&ran.changed_nothing().out).unwrap();
    assert_eq!((&trace["version"], &trace["vcs"]["revision"]), (&"0.1.0".into(), &repo.tip("implement/4").into()));
    assert_eq!(trace["metadata"]["git-implement"]["run"], run);
    let file = &trace["files"][0];
    assert_eq!(file["path"], "src/my b.py");
    let conversation = &file["conversations"][0];
    // Which model a program asks, it does not say.
    assert_eq!(conversation["contributor"], serde_json::json!({"type": "ai"}));
    assert_eq!(
        (&conversation["ranges"][0]["start_line"], &conversation["ranges"][0]["end_line"]),
        (&1.into(), &6.into())
    );
    assert!(conversation["ranges"][0]["content_hash"].as_str().unwrap().starts_with("sha256:"));
    repo.run(&["show", "--agent-trace", "main"])
        .refused_at_once(128)
        .says("has no line of which is known that a run has made it");
}

#[test]
fn a_note_that_was_changed_is_told_by_verify() {
    let repo = repo();
    repo.git(&["config", "implement.notes", "true"]);
    repo.implement(&["docs/4.md"]);
    let verify = || repo.run(&["verify", "main..implement/4"]).out;
    assert!(!verify().contains("its note"), "{}", verify());
    let note = repo.git(&["notes", "--ref=ai", "show", "implement/4"]).replace(" 1-6", " 1-3") + "\n";
    std::fs::write(repo.place("note"), note).unwrap();
    let blob = repo.git(&["hash-object", "-w", repo.place("note").to_str().unwrap()]);
    repo.git(&["notes", "--ref=ai", "add", "-f", "-C", &blob, "implement/4"]);
    let ran = repo.run(&["verify", "main..implement/4"]);
    assert!(ran.status == Some(1) && ran.out.contains("record-altered"), "{ran}");
    assert!(ran.out.contains("    its note says something else than the record: "), "{ran}");
    repo.run(&["rehome", "main..implement/4"]);
    assert_eq!(repo.run(&["verify", "main..implement/4"]).status, Some(0));
    // One that git has carried along to a commit made anew is no lie, and is told.
    repo.git(&["switch", "--quiet", "implement/4"]);
    let former = repo.tip("implement/4");
    let message = repo.git(&["log", "-1", "--format=%B"]).replace("Add", "Put in");
    repo.git(&["commit", "--quiet", "--amend", "--message", &message]);
    repo.git(&["notes", "--ref=ai", "copy", &former, "HEAD"]);
    let ran = repo.run(&["verify", "main..implement/4"]);
    assert!(ran.status == Some(0) && ran.out.contains("    its note says something else"), "{ran}");
}
