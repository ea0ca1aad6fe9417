use super::*;

const LIMITS: Limits = Limits { window: 100_000, certain: true, max_output: 8_000, asked: None };

fn document(path: &str, text: &str) -> Document {
    Document { path: path.to_owned(), text: text.to_owned() }
}

fn survey() -> Survey {
    let files = ["README.md", "src/a.ts"].map(|path| Mapped { path: path.to_owned(), lines: Some(3) });
    Survey {
        files: files.into(),
        scores: vec![0, 10],
        outlines: vec![document("src/a.ts", "export function a(): void\n")],
    }
}

fn texts(prompt: &Prompt) -> Vec<&str> {
    prompt.request.messages[0].content.iter().map(|block| block.text.as_str()).collect()
}

fn asked(names: &[String]) -> Vec<Asked<'_>> {
    names.iter().enumerate().map(|(at, name)| Asked { name, line: at + 1, title: "Do\tit" }).collect()
}

#[test]
fn a_request_shows_design_map_and_outlines_and_asks_about_the_tasks_last() {
    let names = ["T001".to_owned(), "T002".to_owned()];
    let list = document("specs/x/tasks.md", "- [ ] T001 Do it\n");
    let beside = [document("specs/x/plan.md", "# The plan\n")];
    let prompts = requests(&list, &beside, &survey(), &asked(&names), LIMITS).unwrap();
    let [prompt] = prompts.as_slice() else { panic!("{prompts:?}") };
    let texts = texts(prompt);
    assert!(texts[0].contains("# The plan") && texts[0].contains("- [ ] T001 Do it"), "{}", texts[0]);
    assert!(texts[1].contains("Its 2 files") && texts[1].contains("src/: a.ts 3\n"), "{}", texts[1]);
    assert!(texts[1].contains("export function a(): void"), "{}", texts[1]);
    assert!(texts[2].contains("- `T002` (line 2 of the list): Do it\n"), "{}", texts[2]);
    assert!(texts[2].contains(propose::EXAMPLE.trim()) && texts[2].contains(propose::INSTRUCTIONS), "{}", texts[2]);
    assert_eq!((prompt.request.format.as_str(), prompt.left_out.len()), ("proposal", 0));
}

#[test]
fn many_tasks_are_asked_about_in_requests_that_begin_alike() {
    let names: Vec<String> = (0..130).map(|n| format!("T{n}")).collect();
    let prompts = requests(&document("tasks.md", "x"), &[], &survey(), &asked(&names), LIMITS).unwrap();
    assert_eq!(prompts.len(), 3);
    assert!(prompts.iter().all(|prompt| texts(prompt)[..2] == texts(&prompts[0])[..2]));
    let count = |prompt: &Prompt| texts(prompt)[2].matches(" of the list): ").count();
    assert_eq!(prompts.iter().map(count).collect::<Vec<_>>(), [60, 60, 10]);
}

#[test]
fn what_there_is_no_room_for_is_left_out_and_named() {
    let small = Limits { window: 8_000, ..LIMITS };
    let beside = [document("plan.md", &"word ".repeat(20_000)), document("spec.md", "short")];
    let mut survey = survey();
    survey.outlines = (0..200).map(|n| document(&format!("f{n}.ts"), &"fn f()\n".repeat(100))).collect();
    survey.files = (0..2000).map(|n| Mapped { path: format!("d{n}/f.ts"), lines: None }).collect();
    let names = ["T001".to_owned()];
    let prompts = requests(&document("tasks.md", "x"), &beside, &survey, &asked(&names), small).unwrap();
    assert_eq!(prompts[0].left_out, ["plan.md"]);
    let texts = texts(&prompts[0]);
    assert!(texts[0].contains("not shown: plan.md") && texts[0].contains("short"), "{}", texts[0]);
    assert!(texts[1].contains("Its 2000 files") && texts[1].contains("Not listed for want of room"), "{}", texts[1]);
    assert!(texts[1].contains("(the beginning)"), "{}", texts[1]);
    assert!(prompts[0].tokens < small.window, "{}", prompts[0].tokens);
    let huge = [document("x", "")];
    let list = document("tasks.md", &"word ".repeat(20_000));
    assert!(requests(&list, &huge, &Survey::default(), &asked(&names), small).is_err());
}
