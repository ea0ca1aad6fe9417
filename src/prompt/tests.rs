use super::*;

pub(super) fn material() -> Material {
    Material {
        design: Document { path: "docs/7.md".into(), text: "# 7\n\n```\nfenced\n```\n".into() },
        beside: Vec::new(),
        context: vec![Document { path: "src/old.py".into(), text: "OLD = 1\n".into() }],
        excerpts: Vec::new(),
        bases: Vec::new(),
        directories: vec![Directory { path: "src".into(), names: vec!["old.py".into(), "lib/".into()], more: 3 }],
        passages: HashMap::new(),
        must: String::new(),
        said: Vec::new(),
    }
}

pub(super) fn task(path: &str, format: Format) -> Task<'_> {
    let description = "The thing";
    Task {
        path,
        change: Change::Add,
        from: None,
        description,
        tasks: &[],
        line: 1,
        base: None,
        format,
        cut_off: 0,
        found: None,
    }
}

fn done(path: &str, text: &str) -> Completed {
    Completed::new(path, Some(text.into()))
}

const ROOMY: Limits = Limits { certain: true, window: 200_000, max_output: 64_000, asked: None };

fn texts(prompt: &Prompt) -> Vec<&str> {
    prompt.request.messages[0].content.iter().map(|block| block.text.as_str()).collect()
}

#[test]
fn the_next_request_begins_with_all_of_this_one_up_to_its_task() {
    let first = [done("a.py", "A = 1\n")];
    let both = [done("a.py", "A = 1\n"), done("b.py", "B = 2\n")];
    let one = build(&material(), &first, &task("b.py", Format::Whole), ROOMY).unwrap();
    let two = build(&material(), &both, &task("c.py", Format::Whole), ROOMY).unwrap();
    let (one, two) = (texts(&one), texts(&two));
    assert_eq!(one[..one.len() - 1], two[..one.len() - 1]);
    assert!(one.last().unwrap().contains("`b.py` is new"), "the task stands last: {one:?}");
    assert!(two[two.len() - 2].contains("B = 2"), "the newest finished file stands just before the task");
}

#[test]
fn breakpoints_stand_at_the_end_of_design_context_and_completed_files_and_never_on_the_task() {
    let files = [done("a.py", "A = 1\n"), done("b.py", "B = 2\n")];
    let prompt = build(&material(), &files, &task("c.py", Format::Whole), ROOMY).unwrap();
    let cached: Vec<bool> = prompt.request.messages[0].content.iter().map(|block| block.cache).collect();
    assert_eq!(cached, [true, true, false, true, false]);
}

#[test]
fn the_design_is_fenced_more_tightly_than_any_fence_inside() {
    let prompt = build(&material(), &[], &task("c.py", Format::Whole), ROOMY).unwrap();
    assert!(texts(&prompt)[0].contains("<design>\n````markdown\n# 7\n\n```\nfenced\n```\n````\n</design>"));
}

#[test]
fn documents_beside_a_task_list_are_shown_by_name_before_it_as_far_as_there_is_room() {
    let document = |path: &str, text: &str| Document { path: path.into(), text: text.into() };
    let beside = vec![document("specs/1/spec.md", "Want.\n"), document("specs/1/research.md", &"Why? ".repeat(2000))];
    let material = Material { beside, ..material() };
    let prompt = build(&material, &[], &task("c.py", Format::Whole), ROOMY).unwrap();
    let text = texts(&prompt)[0];
    let places =
        ["`specs/1/spec.md`:\n\n```md\nWant.\n", "`specs/1/research.md`", "What is to be carried out, `docs/7.md`"];
    let places: Vec<Option<usize>> = places.iter().map(|part| text.find(part)).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{text}");
    assert!(prompt.left_out.is_empty());
    let small = Limits { certain: true, window: 5_000, max_output: 100, asked: None };
    let prompt = build(&material, &[], &task("c.py", Format::Whole), small).unwrap();
    assert_eq!(prompt.left_out, ["specs/1/research.md"]);
    assert!(texts(&prompt)[0].contains("Want.") && !texts(&prompt)[0].contains("Why?"));
}

#[test]
fn the_oldest_completed_files_shrink_to_outlines_when_the_window_is_short_and_the_prompt_says_so() {
    let long: String =
        (0..400).map(|n| format!("def f{n}(x):\n    value = x + {n}\n    return value * {n}\n\n")).collect();
    let files = [done("old.py", &long), done("new.py", "NEW = 1\n")];
    let roomy = build(&material(), &files, &task("c.py", Format::Whole), ROOMY).unwrap();
    assert!(roomy.outlined.is_empty());
    let tight = Limits { certain: true, window: roomy.tokens + 90, max_output: 100, asked: None };
    let prompt = build(&material(), &files, &task("c.py", Format::Whole), tight).unwrap();
    assert_eq!(prompt.outlined, ["old.py"]);
    assert!(prompt.tokens < roomy.tokens);
    let all = texts(&prompt).concat();
    assert!(all.contains("`old.py` (outline;") && all.contains("def f7(x)") && all.contains("NEW = 1"));
    assert!(!all.contains("return value * 7"));
}

#[test]
fn a_prompt_that_cannot_be_made_to_fit_is_an_error_with_both_numbers() {
    let short = Limits { certain: true, window: 300, max_output: 100, asked: None };
    let error = build(&material(), &[], &task("c.py", Format::Whole), short).unwrap_err();
    assert!(error.tokens > error.room && error.room == 263);
    let assumed = Limits { certain: false, ..short };
    assert!(build(&material(), &[], &task("c.py", Format::Whole), assumed).is_ok(), "a guess refuses nothing");
}

#[test]
fn edits_are_asked_for_with_the_example_that_the_format_keeps() {
    for spec in FORMATS.iter().filter(|spec| spec.format != Format::Whole) {
        let task = Task { change: Change::Modify, base: Some("x = 1\n"), ..task("c.py", spec.format) };
        let prompt = build(&material(), &[], &task, ROOMY).unwrap();
        let text = texts(&prompt).concat();
        assert!(text.contains(spec.example.reply.trim_end()), "{}", spec.name);
        assert!(text.contains(spec.instructions.trim()), "{}", spec.name);
        assert_eq!(prompt.request.format, spec.name);
    }
}

#[test]
fn the_prompt_names_what_is_beside_the_planned_files() {
    let prompt = build(&material(), &[], &task("src/new.py", Format::Whole), ROOMY).unwrap();
    assert!(texts(&prompt)[1].contains("- src: old.py, lib/, and 3 more\n"), "{:?}", texts(&prompt)[1]);
}

#[test]
fn a_file_that_is_new_is_not_said_to_be_one_that_may_stay_as_it_is() {
    let may_stay = "reply with the file as it is";
    let new = build(&material(), &[], &task("c.py", Format::Whole), ROOMY).unwrap();
    assert!(!texts(&new).concat().contains(may_stay));
    let task = Task { change: Change::Modify, base: Some("x = 1\n"), ..task("c.py", Format::Whole) };
    assert!(texts(&build(&material(), &[], &task, ROOMY).unwrap()).concat().contains(may_stay));
}

#[test]
fn a_prompt_that_takes_up_most_of_the_window_says_so() {
    let tokens = build(&material(), &[], &task("c.py", Format::Whole), ROOMY).unwrap().tokens;
    let near = |window| {
        let limits = Limits { certain: true, window, max_output: 100, asked: None };
        build(&material(), &[], &task("c.py", Format::Whole), limits).unwrap().near_limit
    };
    assert!(near(tokens + 150) && !near(tokens * 2));
}

#[test]
fn a_file_of_some_tasks_of_a_list_is_for_these_alone() {
    let ids = ["T004".to_owned(), "T006".to_owned()];
    let said = |tasks: &[String]| task_block(&Task { tasks, ..task("src/a.py", Format::Whole) }, false, "");
    assert!(said(&ids).contains("\nNow it is for tasks T004 and T006 of the list alone. "));
    assert!(said(&ids[..1]).contains("\nNow it is for task T004 of the list alone. "));
    assert!(!said(&[]).contains("of the list"));
}

/// The prompts of three steps of which the first two have bases that are shown, and what the first one has become.
fn with_bases(becomes: &str) -> Vec<Vec<String>> {
    let text: String = (0..40).map(|n| format!("line_{n} = {n}\n")).collect();
    let base = |path: &str, text: &str| Document { path: path.into(), text: text.into() };
    let material = Material { bases: vec![base("a.py", &text), base("b.py", "B = 1\n")], ..material() };
    let modify = |path, base| Task { change: Change::Modify, base: Some(base), ..task(path, Format::Whole) };
    let becomes = becomes.replace("<base>", &text);
    let tasks = [modify("a.py", &text), modify("b.py", "B = 1\n"), task("c.py", Format::Whole)];
    let finished = [done("a.py", &becomes), done("b.py", "B = 2\n")];
    let prompts = tasks.iter().enumerate().map(|(at, task)| build(&material, &finished[..at], task, ROOMY).unwrap());
    prompts.map(|prompt| texts(&prompt).into_iter().map(str::to_owned).collect()).collect()
}

#[test]
fn every_planned_file_is_shown_before_the_first_task_and_once() {
    let prompts = with_bases("<base>more = 1\n");
    for prompt in &prompts {
        let all = prompt.concat();
        assert_eq!((all.matches("line_7 = 7").count(), all.matches("B = 1\n").count().min(1)), (1, 1), "{all}");
    }
    assert!(prompts[0][1].contains("`b.py`:\n\n```py\nB = 1\n"), "{:?}", prompts[0]);
    assert!(prompts[1].last().unwrap().contains("is shown above, under \"Planned files\": `b.py`"));
    assert!(prompts.windows(2).all(|two| two[1].starts_with(&two[0][..two[0].len() - 1])), "the prefix stays whole");
}

#[test]
fn a_finished_file_whose_base_is_shown_is_its_change_or_itself_where_that_is_shorter() {
    let finished = |becomes: &str| with_bases(becomes)[1][2].clone();
    let change = finished("<base>more = 1\n");
    assert!(change.starts_with("\n# Finished: `a.py`, as a change of what is shown above\n\n```diff\n"), "{change}");
    assert!(change.contains("\n line_39 = 39\n+more = 1\n") && !change.contains("line_7 "), "{change}");
    assert_eq!(finished("new = 1\n"), "\n# Finished: `a.py`\n\n```py\nnew = 1\n```\n");
    assert_eq!(finished("<base>"), "\n# Finished: `a.py`, which stays as it is shown above\n");
}

#[test]
fn a_planned_file_that_is_too_long_is_shown_in_outline_and_whole_in_its_task() {
    let text = format!("def first():\n{}", "    value = 1\n".repeat(6_000));
    let bases = vec![Document { path: "a.py".into(), text: text.clone() }];
    let material = Material { bases, ..material() };
    let task = Task { change: Change::Modify, base: Some(&text), ..task("a.py", Format::FindReplace) };
    let prompt = build(&material, &[], &task, ROOMY).unwrap();
    let [_, shown, task] = texts(&prompt)[..] else { panic!() };
    assert!(shown.contains("`a.py` (outline; its task shows it whole):\n\n```py\ndef first():\n```"), "{shown}");
    assert!(task.contains("Its current content:") && task.contains("    value = 1\n"));
}

#[test]
fn planned_files_and_excerpts_are_left_out_where_the_prompt_would_be_too_long_for_them() {
    let base = "B = 1\n".repeat(300);
    let bases = vec![Document { path: "b.py".into(), text: base.clone() }];
    let bare = build(&material(), &[], &task("a.py", Format::Whole), ROOMY).unwrap();
    let room = Limits { certain: true, window: (bare.tokens + 50) * 8 / 7, max_output: 100, asked: None };
    let material = Material { bases, ..material() };
    let prompt = build(&material, &[], &task("a.py", Format::Whole), room).unwrap();
    assert_eq!(texts(&prompt), texts(&bare));
    assert!(build(&material, &[], &task("a.py", Format::Whole), ROOMY).unwrap().tokens > bare.tokens + 400);
}
