use super::*;
use crate::lld::parse;
use crate::plan::{Blob, EntryKind};

const LIST: &str = "# Tasks\n\n- [ ] 1. Parse clocks\n  - [ ] 1.1 Read minutes\n  - [ ] 1.2 Read seconds\n- [x] 2. Set up\n- [ ] 3. Run it\n\
                    - [ ] 4. Update `src/listed.ts`\n- [ ] 5. Drop the old one\n";

fn list() -> Lld {
    parse("specs/clock/tasks.md", LIST)
}

/// What an answer comes to in a tree of `src/there.ts`, `src/listed.ts` and a directory `src/dir`.
fn judged(answer: &str) -> (Vec<String>, Vec<(String, Option<usize>)>) {
    let lld = list();
    let (read, mut findings) = proposals(&lld, &proposal::wanting(&lld), &[read(answer).unwrap()]);
    let mut snapshot = Snapshot::default();
    snapshot.directories.insert(
        String::new(),
        BTreeMap::from([("src".into(), EntryKind::Directory), (".github".into(), EntryKind::Directory)]),
    );
    let names = [("there.ts", EntryKind::File), ("listed.ts", EntryKind::File), ("dir", EntryKind::Directory)];
    snapshot.directories.insert("src".into(), names.map(|(name, kind)| (name.to_owned(), kind)).into());
    snapshot.directories.insert("src/dir".into(), BTreeMap::new());
    let blob = Blob { executable: false, bytes: b"a\n".to_vec() };
    for path in ["src/there.ts", "src/listed.ts"] {
        snapshot.files.insert(RepoPath::new(path).unwrap(), blob.clone());
    }
    snapshot.ignored.insert(RepoPath::new("src/out.js").unwrap());
    let (left, more) = judge(&lld, read, &snapshot, &Options::default());
    findings.extend(more);
    let files = |proposal: &Proposal| {
        let files: Vec<String> = proposal.files.iter().map(|file| format!("{:?} {}", file.change, file.path)).collect();
        format!("{}: {}", proposal.task, files.join(", "))
    };
    let findings = findings.into_iter().map(|finding| (format!("{}: {}", finding.id, finding.message), finding.line));
    (left.iter().map(files).collect(), findings.collect())
}

#[test]
fn tasks_are_asked_about_that_are_open_name_no_file_and_are_no_mere_headings() {
    let lld = list();
    let names = proposal::names(&lld);
    let asked: Vec<&str> = proposal::wanting(&lld).into_iter().map(|at| names[at].as_str()).collect();
    assert_eq!(asked, ["1.1", "1.2", "3", "5"]);
}

#[test]
fn an_answer_whose_files_may_be_planned_is_taken_as_it_is() {
    let (left, findings) = judged(
        r#"{"1.2": [{"path": "./src/new.ts", "change": "modify"}], "3": [],
            "1.1": [{"path": "src/new.ts", "change": "add"}, {"path": "src/listed.ts", "change": "modify", "why": "x"}],
            "5": [{"path": "src/there.ts", "change": "delete"}]}"#,
    );
    assert_eq!(findings, []);
    assert_eq!(
        left,
        ["1.1: Add src/new.ts, Modify src/listed.ts", "1.2: Modify src/new.ts", "3: ", "5: Delete src/there.ts"]
    );
}

#[test]
fn a_task_of_which_one_file_does_not_pass_is_left_for_a_person_with_a_finding_at_its_line() {
    for (files, says) in [
        (
            r#"[{"path": "src/there.ts", "change": "add"}]"#,
            "overwrite: what is proposed for task 3 is refused: cannot add",
        ),
        (
            r#"[{"path": "src/gone.ts", "change": "modify"}]"#,
            "missing: what is proposed for task 3 is refused: cannot modify",
        ),
        (r#"[{"path": "src/gone.ts", "change": "delete"}]"#, "missing: "),
        (r#"[{"path": ".github/workflows/x.yml", "change": "add"}]"#, "protected: "),
        (r#"[{"path": "src/out.js", "change": "add"}]"#, "ignored: "),
        (r#"[{"path": "src/dir", "change": "modify"}]"#, "directory: "),
        (r#"[{"path": "src/new/", "change": "add"}]"#, "lld-directory-row: "),
        (r#"[{"path": "src/*.ts", "change": "modify"}]"#, "lld-path-glob: "),
        (r#"[{"path": "../x.ts", "change": "add"}]"#, "lld-path-invalid: "),
        (r#"[{"path": ".git/hooks/pre-commit", "change": "add"}]"#, "lld-path-invalid: "),
        (r#"[{"path": "/etc/passwd", "change": "modify"}]"#, "lld-path-absolute: "),
        (r#"[{"path": "src/there.ts/x.ts", "change": "add"}]"#, "parent: "),
        (r#"[{"path": "src/new.ts", "change": "rename"}]"#, "proposal-form: "),
        (r#"[{"path": "src/new.ts"}]"#, "proposal-form: "),
        (r#"[{"change": "add"}]"#, "proposal-form: "),
        (r#"["src/new.ts"]"#, "proposal-form: "),
        (r#"{"path": "src/new.ts", "change": "add"}"#, "proposal-form: the answer for task 3 is no list"),
        (r#"[{"path": "a.ts", "change": "add"}, {"path": "a.ts", "change": "delete"}]"#, "proposal-form: "),
        (r#"[{"path": "a.ts", "change": "add"}, {"path": "src/there.ts", "change": "add"}]"#, "overwrite: "),
        (r#"[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]"#, "proposal-form: the answer for task 3 names 13 files"),
    ] {
        let (left, findings) = judged(&format!(r#"{{"1.1": [], "1.2": [], "5": [], "3": {files}}}"#));
        assert_eq!(left, ["1.1: ", "1.2: ", "5: "], "{files}");
        let [(finding, line)] = findings.as_slice() else { panic!("{files}: {findings:?}") };
        assert!(finding.starts_with(says), "{files}: {finding}");
        assert_eq!(*line, Some(7), "{files}");
    }
}

#[test]
fn a_file_that_only_a_refused_task_would_have_made_is_no_base_for_another() {
    let (left, findings) = judged(
        r#"{"1.1": [{"path": "src/new.ts", "change": "add"}, {"path": "src/there.ts", "change": "add"}],
            "1.2": [{"path": "src/new.ts", "change": "modify"}], "3": [{"path": "src/there.ts", "change": "modify"}], "5": []}"#,
    );
    assert_eq!(left, ["3: Modify src/there.ts", "5: "]);
    assert_eq!(findings.iter().map(|(_, line)| *line).collect::<Vec<_>>(), [Some(4), Some(5)], "{findings:?}");
}

#[test]
fn names_that_are_strange_repeated_or_missing_are_findings() {
    let (left, findings) = judged(r#"{"1.1": [], "9.9": [], "5": [], "5": [], "2": []}"#);
    assert_eq!(left, ["1.1: "]);
    let ids: Vec<(&str, Option<usize>)> =
        findings.iter().map(|(text, line)| (text.split(':').next().unwrap(), *line)).collect();
    let expected = [("proposal-unknown", None), ("proposal-repeated", Some(9)), ("proposal-missing", Some(5))];
    assert_eq!(ids, expected, "{findings:?}");
}

#[test]
fn tasks_with_one_id_are_asked_about_by_their_lines() {
    let lld = parse("tasks.md", "- [ ] T001 Do this\n- [ ] T001 Do that\n- [ ] T002 And that\n");
    assert_eq!(proposal::names(&lld), ["L1", "L2", "T002"]);
}

#[test]
fn the_instructions_say_how_many_files_a_task_may_have() {
    assert!(INSTRUCTIONS.contains(&format!("at most {MOST_FILES}.")));
}
