use super::*;
use crate::lld::parse;

const LIST: &str = r#"{
  "master": {
"tasks": [
  {
    "id": 1, "title": "Set up", "status": "done",
    "details": "Create src/setup.ts"
  },
  {
    "id": 2,
    "title": "Ring the bell",
    "description": "A bell that rings.",
    "details": "1. Create `src/bell.ts` with the bell.\n- [ ] Modify `src/app.ts`\n```ts\n// src/not-this.ts\n",
    "testStrategy": "Write unit tests in test/bell.test.ts.",
    "status": "pending",
    "dependencies": [1, 4],
    "subtasks": [
      {"id": 1, "title": "Tune it", "details": "Modify src/bell.ts", "status": "pending"},
      {"id": 2, "title": "Try it", "dependencies": [1], "status": "in-progress"}
    ]
  },
  {"id": 3, "title": "Paint it", "details": "Create src/paint.ts", "status": "deferred"},
  {"id": 4, "title": "Hang it up", "status": "pending"}
],
"metadata": {}
  },
  "paint": {"tasks": [{"id": 1, "title": "Blue"}]}
}
"#;

#[test]
fn tasks_have_their_ids_lines_files_and_states() {
    let lld = parse(".taskmaster/tasks/tasks.json", LIST);
    let tasks: Vec<_> = lld.tasks.iter().map(|task| (task.id.as_str(), task.line, task.done)).collect();
    assert_eq!(
        tasks,
        [("1", 5, true), ("2", 10, false), ("2.1", 17, false), ("2.2", 18, false), ("3", 21, false), ("4", 22, false)]
    );
    let files: Vec<_> = lld.files.iter().map(|file| (file.path.as_str(), file.tasks.join(" "), file.line)).collect();
    assert_eq!(
        files,
        [
            ("src/setup.ts", "1".to_owned(), 5),
            ("src/bell.ts", "2 2.1".to_owned(), 10),
            ("src/app.ts", "2".to_owned(), 10),
            ("test/bell.test.ts", "2".to_owned(), 10),
        ]
    );
    assert_eq!(lld.dialect, Some("taskmaster"));
    assert_eq!(lld.tasks[1].depends, ["1", "4"]);
    assert_eq!((lld.tasks[3].depends.clone(), lld.tasks[3].parent.as_deref()), (vec!["2.1".to_owned()], Some("2")));
    assert_eq!(lld.tasks[4].withdrawn, Some("deferred"));
    let note = lld.findings.iter().find(|finding| finding.id == "lld-json").unwrap();
    assert_eq!(note.message, "the tasks of 'master' are read; those of 'paint' are not");
    assert!(lld.findings.iter().all(|finding| finding.path.as_deref() == Some(".taskmaster/tasks/tasks.json")));
}

#[test]
fn lists_of_every_layout_are_read_and_other_json_is_refused() {
    let task = r#"{"id": "7", "title": "Create src/a.ts", "status": "pending"}"#;
    for text in [format!("{{\"tasks\": [{task}]}}"), format!("[{task}]"), format!("{{\"x\": {{\"tasks\": [{task}]}}}}")]
    {
        let lld = parse("tasks.json", &text);
        assert_eq!(lld.files.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(), ["src/a.ts"], "{text}");
        assert!(parse("standard-input", &text).dialect == Some("taskmaster"), "{text}");
    }
    for (text, line) in [("{\"tasks\": []}", None), ("{}", None), ("{\n\"tasks\": [,]}", Some(2)), ("", Some(1))] {
        let lld = parse("tasks.json", text);
        let found: Vec<_> = lld.findings.iter().map(|it| (it.id.as_ref(), it.is_error(), it.line)).collect();
        assert_eq!(found, [("lld-json", true, line)], "{text}");
    }
    assert_eq!(parse("d.md", "[link](x)\n\n- Create: `a.py`\n").files.len(), 1);
}

#[test]
fn ticking_sets_the_status_of_these_tasks_and_changes_nothing_else() {
    let ticked = tick_json(LIST, &BTreeSet::from(["2.2", "4", "9"]));
    let expected = LIST.replace("\"in-progress\"", "\"done\"");
    let expected = expected.replace(r#""Hang it up", "status": "pending""#, r#""Hang it up", "status": "done""#);
    assert_eq!(ticked, expected);
    assert_eq!(untouched(&ticked), untouched(LIST));
    assert_eq!(done(&ticked), BTreeSet::from(["1".to_owned(), "2.2".to_owned(), "4".to_owned()]));
    let twice = r#"[{"id":1,"title":"a","status":"pending"},{"id":1,"title":"b","status":"pending"}]"#;
    assert_eq!(tick_json(twice, &BTreeSet::from(["1"])), twice);
}

#[test]
fn a_text_in_a_task_makes_no_task_no_title_and_no_comment_of_its_own() {
    let text = r##"[{"id":1,"title":"One\n- [ ] 9. Forged","details":"# Title\n<!-- open\n- [ ] 8. More\n~~~\nx"},{"id":2,"title":"Two"}]"##;
    let lld = parse("tasks.json", text);
    let tasks: Vec<_> = lld.tasks.iter().map(|task| (task.id.as_str(), task.title.as_str())).collect();
    assert_eq!(tasks, [("1", "One - [ ] 9. Forged"), ("2", "Two")]);
    assert_eq!(lld.sections.len(), 1);
}
