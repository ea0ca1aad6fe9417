//! Each check on what it is for, and on what it must leave alone; then who may permit what.

use super::*;
use crate::finding::Severity;

fn added<'a>(path: &'a str, text: &'a str) -> Candidate<'a> {
    Candidate { path, text, whole: true, ..Candidate::default() }
}

fn modified<'a>(path: &'a str, base: &'a str, text: &'a str) -> Candidate<'a> {
    Candidate { base: Some(base), ..added(path, text) }
}

/// The ids of the errors that one check has.
fn errors(id: &str, candidate: &Candidate) -> Vec<String> {
    let check = CHECKS.iter().find(|check| check.id == id).expect("a check of that id");
    match (check.run)(&Change::of(candidate), &Settings::default()) {
        Verdict::Pass => Vec::new(),
        Verdict::CouldNotRun(reason) => panic!("could not run: {reason}"),
        Verdict::Fail(found) => {
            found.iter().filter(|found| found.is_error()).map(|found| found.id.to_string()).collect()
        }
    }
}

fn passes(id: &str, path: &str, text: &str) {
    assert_eq!(errors(id, &added(path, text)), Vec::<String>::new(), "{path}: {text}");
}

fn fails(id: &str, path: &str, text: &str) {
    let found = errors(id, &added(path, text));
    assert!(!found.is_empty(), "{path}: {text}");
    assert!(found.iter().all(|found| found == id || found.starts_with(&format!("{id}-"))), "{found:?}");
}

#[test]
fn an_empty_file_is_refused_unless_its_name_says_that_it_may_be() {
    fails("empty", "src/a.py", "");
    fails("empty", "a.md", "\u{feff} \n\n");
    for path in ["a/__init__.py", "data/.gitkeep", "src/a/py.typed", "docs/.nojekyll"] {
        passes("empty", path, "");
    }
    passes("empty", "a.py", "x");
    assert!(errors("empty", &modified("a.py", "\n", "")).is_empty());
    assert!(!errors("empty", &modified("a.py", "x = 1\n", "\n")).is_empty());
}

#[test]
fn an_added_source_file_of_a_few_lines_must_import_export_or_define() {
    for (path, text) in [
        ("a.py", "# TODO\n"),
        ("a.py", "\"\"\"The module.\"\"\"\n"),
        ("a.py", "pass\n"),
        ("a.rs", "// nothing yet\n\n\n\n\n\n"),
        ("a.ts", "// see b.ts == c.ts\n"),
        ("a.py", "print(a == b)\n"),
    ] {
        fails("too-short", path, text);
    }
    for (path, text) in [
        ("a.py", "from .b import c\n"),
        ("a.py", "__version__ = \"1.0\"\n"),
        ("a.py", "LIMIT: int = 3\n"),
        ("a.rs", "pub mod b;\n"),
        ("a.go", "// Package a does.\npackage a\n"),
        ("a.ts", "export * from './b';\n"),
        ("a.js", "module.exports = { a: 1 };\n"),
        ("a.h", "#pragma once\n"),
        ("a.php", "<?php return [];\n"),
        ("a.js", "#!/usr/bin/env node\nmain();\n"),
        ("a.py", "a()\nb()\nc()\nd()\ne()\n"),
        ("a/__init__.py", "\"\"\"A.\"\"\"\n"),
        ("a.json", "{}\n"),
        ("a.md", "# A\n"),
        ("a.sql", "DROP TABLE a;\n"),
        ("a.pyi", "version: str\n"),
        ("a.js", "\"use strict\";\nObject.defineProperty(exports, \"a\", {});\n"),
    ] {
        passes("too-short", path, text);
    }
    assert!(errors("too-short", &modified("a.py", "import b\nc()\n", "c()\n")).is_empty());
}

#[test]
fn a_summary_in_place_of_code_is_refused_and_the_same_words_in_code_are_not() {
    for (path, text) in [
        ("a.py", "Here is the updated file:\n\nimport os\n"),
        ("a.yaml", "I\u{2019}ve created the workflow with three jobs.\n"),
        ("a.py", "# Summary\n\nThe work is done now.\n\n- I've added the parser\n- All tests pass now\n"),
        ("a.sh", "**Here's the script you asked for:**\n\necho a\n"),
        ("a.json", "\u{feff}The file has been written as requested.\n"),
    ] {
        fails("summary", path, text);
    }
    for (path, text) in [
        ("a.py", "# Here is the entry point\nimport os\n"),
        ("a.py", "\"\"\"Here is the entry point.\n\nI've created it by hand.\n\"\"\"\nimport os\n"),
        ("a.py", "PROMPT = \"I've created the file\"\n"),
        ("a.md", "Here is the list of what I've added.\n"),
        ("prompts/a.txt", "Here is the code:\n"),
        ("a.yaml", "# All tests pass with this\na: 1\nb: [2]\n"),
        ("a.rs", "//! Summary of changes\nfn a() {}\n"),
    ] {
        passes("summary", path, text);
    }
    assert!(errors("summary", &modified("a.sql", "Here is the old one\n", "Here is the new one\n")).is_empty());
}

#[test]
fn the_phrases_of_a_summary_are_the_projects_to_choose() {
    let settings = Settings { summary_phrases: vec!["Voilà le fichier".into()], ..Settings::default() };
    let run = |text: &str| (summary::CHECK.run)(&Change::of(&added("a.py", text)), &settings);
    assert!(matches!(run("voilà le fichier\nimport a\n"), Verdict::Fail(_)));
    assert_eq!(run("Here is the file\nimport a\n"), Verdict::Pass);
}

#[test]
fn a_fence_at_either_end_is_refused_but_for_prose_and_what_was_there() {
    fails("fence", "a.py", "\n```python\nx = 1\n```\n");
    fails("fence", "a.py", "x = 1\n```\n\n");
    fails("fence", "a.sh", "~~~\necho\n");
    fails("fence", "a.txt", "```\nall of it\n```\n");
    passes("fence", "a.md", "```\nx\n```\n");
    passes("fence", "prompts/a.md.j2", "```\nx\n```\n");
    passes("fence", "a.txt", "An example:\n```\nx\n```\n");
    passes("fence", "a.rs", "/// ```\n/// a();\n/// ```\nfn a() {}\n");
    passes("fence", "a.yml", "a: |\n  ```toml\n  x = 1\n  ```\n");
    passes("fence", "a.py", "A = \"\"\"\n```\n\"\"\"\n");
    passes("fence", "a.js", "```a```\nb\n");
    passes("fence", "tests/a.snap", "---\na: b\n---\n```\nc\n```\n");
    assert!(errors("fence", &modified("a.py", "x\n```\n", "y\n```\n")).is_empty());
    // One fence around all is one cause.
    assert_eq!(errors("fence", &modified("a.py", "x\n", "```\ny\n```\n")).len(), 1);
}

#[test]
fn new_conflict_markers_are_refused_when_all_three_stand_in_order() {
    let conflict = "a\n<<<<<<< HEAD\nb\n||||||| base\n=======\nc\n>>>>>>> other\n";
    fails("conflict", "a.py", conflict);
    fails("conflict", "a.md", conflict);
    fails("conflict", "a.py", &conflict.replace('\n', "\r\n"));
    passes("conflict", "a.rst", "Title\n=======\n\n>>>>>>> quoted\n");
    passes("conflict", "a.py", "x = '''\n  <<<<<<< HEAD\n  =======\n  >>>>>>> other\n'''\n");
    passes("conflict", "a.md", &format!("```\n{conflict}```\n"));
    passes("conflict", "a.txt", "<<<<<<<< eight\n========\n>>>>>>>> eight\n");
    passes("conflict", "a.py", "=======\n<<<<<<< HEAD\n>>>>>>> other\n");
    assert!(errors("conflict", &modified("a.py", conflict, &format!("{conflict}x\n"))).is_empty());
    assert_eq!(errors("conflict", &modified("a.py", conflict, &format!("{conflict}{conflict}"))).len(), 1);
}

#[test]
fn a_new_placeholder_for_code_is_refused_and_words_about_code_are_not() {
    for line in [
        "# ... rest of the code unchanged ...",
        "    // ... existing code ...",
        "... rest of the code unchanged ...",
        "[UNCHANGED]",
        "# [UNCHANGED]",
        "# rest of methods",
        "/* ... other methods remain the same ... */",
        "{/* ... existing code ... */}",
        "<!-- … rest of the document … -->",
        "// … (rest of the file unchanged)",
        "// rest of the implementation remains unchanged",
        "# ... (existing imports) ...",
        "[... rest of the file ...]",
        "// ... rest of UserService methods ...",
        "-- existing code omitted for brevity",
        "... unchanged ...",
    ] {
        fails("omission", "a.py", &format!("import a\n{line}\nb()\n"));
    }
    for line in [
        "# ...",
        "    ...",
        "# rest of the arguments are positional",
        "// the existing code path is kept for old servers",
        "x = [a, ...rest]  # rest of the methods",
        "raise ValueError('... rest of the code unchanged ...')",
        "# The remaining methods are unchanged since version 2.",
        "// ...and the rest",
        "# unchanged",
        "# Other methods",
        "print(\"existing code\")",
        "# Truncated content is marked with ...",
        "// Same as before",
        "const { a, ...other } = config;",
        "[unchanged]",
        "# ---- existing functions ----",
        "# On failure this gives back the\n# original code unchanged.",
    ] {
        passes("omission", "a.py", &format!("import a\n{line}\nb()\n"));
    }
    passes("omission", "a.md", "Write `// ... existing code ...`:\n\n```\n// ... existing code ...\n```\n");
    passes("omission", "METADATA", "    # ... some other code\n");
    fails("omission", "a.md", "# A\n\n[... rest of the document unchanged ...]\n");
    let had = "# ... existing code ...\n";
    assert!(errors("omission", &modified("a.py", had, &format!("x = 1\n  {had}"))).is_empty());
    assert_eq!(errors("omission", &modified("a.py", had, &format!("{had}{had}"))).len(), 1);
}

#[test]
fn a_whole_file_under_half_of_a_long_base_is_refused() {
    let lines = |n: usize| "x\n".repeat(n);
    assert_eq!(errors("size", &modified("a.py", &lines(100), &lines(49))), ["size"]);
    assert!(errors("size", &modified("a.py", &lines(100), &lines(50))).is_empty());
    assert!(errors("size", &modified("a.py", &lines(99), &lines(1))).is_empty());
    assert!(errors("size", &Candidate { whole: false, ..modified("a.py", &lines(500), &lines(1)) }).is_empty());
}

#[test]
fn a_text_that_no_longer_parses_is_refused_with_language_line_and_message() {
    let base = "{\"a\": 1}\n";
    let findings = judge(&modified("a.json", base, "{\"a\": 1\n \"b\": 2}\n"), &Settings::default());
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!(
        (findings[0].id.as_ref(), findings[0].line, findings[0].severity),
        ("syntax-json", Some(2), Severity::Error)
    );
    assert!(findings[0].message.starts_with("'a.json' does not parse: "), "{}", findings[0].message);
    passes("syntax", "a.unknown", "{{{");
    passes("syntax", "a.json", "");
}

#[test]
fn a_base_that_did_not_parse_either_makes_it_a_warning() {
    let findings = judge(&modified("a.json", "{", "{\"a\"}"), &Settings::default());
    assert_eq!(findings.iter().map(|found| found.severity).collect::<Vec<_>>(), [Severity::Warning]);
    let path = RepoPath::new("a.json").expect("a path");
    let (accepted, notes) = accept(&path, &modified("a.json", "{", "{\"a\"}"), &Settings::default()).expect("accepted");
    assert_eq!((accepted.path(), accepted.text(), notes.len()), (&path, "{\"a\"}", 1));
}

#[test]
fn one_slip_is_one_finding_however_many_errors_it_makes() {
    assert_eq!(errors("syntax", &added("a.jsonl", "{\n{\n{\n")).len(), 1);
}

#[test]
fn comments_in_json_are_new_only_where_the_base_had_none() {
    let (plain, commented) = ("{\"a\": 1}\n", "// b\n{\"a\": 2}\n");
    assert_eq!(errors("syntax", &modified("conf.json", plain, commented)), ["syntax-json"]);
    assert!(errors("syntax", &modified("conf.json", "{ /* b */ }\n", commented)).is_empty());
    assert!(errors("syntax", &added("conf.json", commented)).is_empty());
    assert_eq!(errors("syntax", &added("package.json", commented)), ["syntax-json"]);
    // Asked again once there is a base.
    assert_eq!(errors("syntax", &Candidate { base_later: true, ..added("conf.json", commented) }), ["syntax-json"]);
    assert_eq!(said("syntax", &added("conf.json", commented), Author::Anyone), []);
    assert_eq!(said("syntax", &added("conf.json", commented), Author::Model), [Severity::Warning]);
}

#[cfg(feature = "python")]
#[test]
fn what_was_in_another_language_before_is_not_broken_by_a_change() {
    let base = "print 'a'\n";
    assert!(errors("syntax", &modified("a.py", base, "print 'a' if b else\n")).is_empty());
    assert_eq!(errors("syntax", &modified("a.py", "print('a')\n", "print 'a' if b else\n")), ["syntax-python"]);
}

#[test]
fn a_text_that_could_not_be_judged_is_refused_and_not_called_broken() {
    let deep = format!("{}1{}", "[".repeat(600), "]".repeat(600));
    let candidate = added("a.jsonc", &deep);
    let findings = judge(&candidate, &Settings::default());
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].id, "syntax-json");
    assert!(findings[0].is_error() && findings[0].message.starts_with("cannot judge 'a.jsonc': "), "{findings:?}");
    let allow = Settings { allow: vec!["syntax".into()], ..Settings::default() };
    assert_eq!(judge(&candidate, &allow)[0].severity, Severity::Note);
}

/// Severities of the findings under what the person and the row permit.
fn permitted(candidate: Candidate, allow: &str, row: &str, description: &str) -> Vec<(Severity, String)> {
    let row: Vec<String> = row.split_whitespace().map(Into::into).collect();
    let settings = Settings { allow: allow.split_whitespace().map(Into::into).collect(), ..Settings::default() };
    let candidate = Candidate { row_allow: &row, description, ..candidate };
    judge(&candidate, &settings).into_iter().map(|found| (found.severity, found.message)).collect()
}

#[test]
fn what_is_permitted_becomes_a_note_that_says_by_whom() {
    let broken = || added("tests/fixtures/a.json", "{");
    for (allow, row, description, by) in [
        ("syntax", "", "", "(allowed by '--allow syntax')"),
        ("syntax:tests/fixtures/a.json", "", "", "(allowed by '--allow syntax:tests/fixtures/a.json')"),
        ("syntax-json", "syntax", "malformed", "(allowed by '--allow syntax-json')"),
        ("", "syntax", "malformed", "(allowed by 'allow: syntax' in the design)"),
        ("", "", "Malformed input for the loader", "(allowed by the design's row, which says 'malformed')"),
    ] {
        let found = permitted(broken(), allow, row, description);
        assert!(matches!(&found[..], [(Severity::Note, message)] if message.ends_with(by)), "{found:?}");
    }
    for (allow, row, description) in
        [("", "", ""), ("size", "size", "The sample"), ("syntax:b.json", "", "not malformed")]
    {
        assert_eq!(permitted(broken(), allow, row, description)[0].0, Severity::Error);
    }
}

#[test]
fn words_permit_only_data_and_fixture_files_that_are_added() {
    let severity = |candidate| permitted(candidate, "", "", "intentionally broken, malformed and empty")[0].0;
    assert_eq!(severity(added("a.json", "{")), Severity::Note);
    assert_eq!(severity(added("tests/fixtures/none.rs", "")), Severity::Note);
    assert_eq!(severity(added("src/none.rs", "")), Severity::Error);
    assert_eq!(severity(modified("a.json", "{}", "{")), Severity::Error);
}

#[test]
fn a_design_never_permits_what_no_design_wants_and_a_person_may() {
    let text = "```\n{}\n```\n# ... rest of the code unchanged ...\n<<<<<<< a\n=======\n>>>>>>> b\n";
    let all = "fence omission conflict summary size";
    let found = permitted(added("a.conf", text), "", all, "malformed, broken");
    assert_eq!(found.iter().filter(|(severity, _)| *severity == Severity::Error).count(), 3, "{found:?}");
    let found = permitted(added("a.conf", text), all, "", "");
    assert!(found.iter().all(|(severity, _)| *severity == Severity::Note), "{found:?}");
    let base = "x\n".repeat(200);
    assert_eq!(permitted(modified("a.txt", &base, "x\n"), "", "size", "")[0].0, Severity::Note);
    assert_eq!(permitted(modified("a.txt", &base, "x\n"), "", "", "shrinks on purpose")[0].0, Severity::Error);
}

#[test]
fn a_refusal_of_the_edit_engine_is_an_error_with_its_own_id_line_and_hint() {
    let refusal = edit::Refusal {
        change: Some(2),
        id: "edit-not-found",
        line: Some(3),
        message: "cannot apply change 1".into(),
        hint: Some("look".into()),
    };
    let finding = Finding::from(refusal);
    assert!(finding.is_error());
    assert_eq!((finding.id.as_ref(), finding.line, finding.hint.as_deref()), ("edit-not-found", Some(3), Some("look")));
}

#[test]
fn every_file_of_a_check_is_in_the_registry() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/check");
    let mut files: Vec<String> = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the sources") {
        let path = entry.expect("an entry").path();
        // A check's own tables.
        if path.is_dir() {
            continue;
        }
        if std::fs::read_to_string(&path).expect("a source").contains("pub const CHECK: Check =")
            && !path.ends_with("tests.rs")
        {
            files.push(path.file_stem().and_then(|stem| stem.to_str()).expect("a name").replace('_', "-"));
        }
    }
    let mut ids: Vec<String> = CHECKS.iter().map(|check| check.id.to_owned()).collect();
    files.sort();
    ids.sort();
    assert_eq!(files, ids, "each check lies in the file of its id");
}

#[test]
fn control_characters_of_a_text_never_reach_a_finding() {
    let text = "Here is the \u{1b}[31mfile\u{1b}[0m\u{7}\n";
    for finding in judge(&added("a.yaml", text), &Settings::default()) {
        assert!(!finding.message.chars().any(char::is_control), "{:?}", finding.message);
        assert!(!finding.hint.unwrap_or_default().chars().any(char::is_control));
    }
}

/// What one check says of a candidate by this author: severities.
fn said(id: &str, candidate: &Candidate, author: Author) -> Vec<Severity> {
    let settings = Settings { author, ..Settings::default() };
    let found = judge(candidate, &settings).into_iter().filter(|finding| finding.id.starts_with(id));
    found.map(|finding| finding.severity).collect()
}

#[test]
fn a_report_behind_the_marks_of_remarks_is_no_code() {
    let told = |mark: &str| {
        format!("{mark} The parser is finished.\n{mark} - I added three functions\n{mark} - every test passes\n")
    };
    for (path, mark) in
        [("a.py", "#"), ("a.rs", "//"), ("a.sql", "--"), ("a.rb", "#"), ("a.yaml", "#"), ("a.c", "//"), ("a.lua", "--")]
    {
        let text = told(mark);
        assert_eq!(said("summary", &added(path, &text), Author::Model), [Severity::Error], "{path}");
        assert_eq!(said("summary", &added(path, &text), Author::Anyone), [Severity::Warning], "{path}");
    }
    let docstring = "\"\"\"\nThe parser is finished.\nI added three functions.\n\"\"\"\n";
    assert_eq!(said("summary", &added("a.py", docstring), Author::Model), [Severity::Error]);
    let code = "import os\n\n\ndef f():\n    return os.name\n";
    assert_eq!(said("summary", &modified("a.py", code, &told("#")), Author::Anyone), [Severity::Warning]);
    // What was so before, and what is code for all that.
    assert_eq!(said("summary", &modified("a.py", "# Nothing yet.\n", &told("#")), Author::Model), []);
    assert_eq!(said("summary", &added("a.py", &format!("{}x = 1\n", told("#"))), Author::Model), []);
}

#[test]
fn people_may_switch_a_file_off_and_leave_a_notice_of_rights() {
    for text in [
        "# def f():\n#     return g(1)\n# x = f()\n",
        "# name: build\n# on: push\n# jobs: {}\n",
        "# To be filled by the build.\n",
        "# Helpers of the tests lie in tests/helpers.\n# See there for how they are used.\n",
    ] {
        assert_eq!(said("summary", &added("a.py", text), Author::Anyone), [], "{text}");
    }
    let rights =
        "# Copyright 2024 The authors\n# You may do with it what you have added to it.\n# It was created here.\n";
    assert_eq!(said("summary", &added("a.py", rights), Author::Model), []);
}

/// Two functions of some lines.
const TWO: &str = "def area(a, b):\n    if a < 0:\n        raise ValueError(a)\n    return a * b\n\n\ndef edge(a, b):\n    if b < 0:\n        raise ValueError(b)\n    return 2 * (a + b)\n";

#[test]
fn a_remark_where_code_was_stands_for_it_whatever_the_language_that_it_is_in() {
    let with = |remark: &str| TWO.replace(TWO.split("\n\n\n").nth(1).unwrap_or_default(), &format!("{remark}\n"));
    for remark in [
        "# ...",
        "# ... other functions ...",
        "# remaining functions here",
        "# der Rest bleibt gleich",
        "# le reste est inchangé",
        "# el resto queda igual",
        "# o resto permanece igual",
        "# остальное без изменений",
        "# 其他不变",
        "# 残りは同じ",
        "# 나머지는 동일",
    ] {
        let text = with(remark);
        assert_eq!(said("omission", &modified("a.py", TWO, &text), Author::Model), [Severity::Error], "{remark}");
        assert_eq!(said("omission", &modified("a.py", TWO, &text), Author::Anyone), [Severity::Warning], "{remark}");
    }
    for remark in ["# edge() lives in shapes.py now", "# Edges are computed by the caller", "# --- shapes ---"] {
        assert_eq!(said("omission", &modified("a.py", TWO, &with(remark)), Author::Anyone), [], "{remark}");
    }
}

#[test]
fn a_remark_in_place_of_code_may_name_what_it_leaves_out() {
    let base: String = (0..40).map(|n| format!("SIZE_{n} = {n}\n")).collect();
    let said =
        |remark: &str, author| said("omission", &modified("a.py", &base, &format!("SIZE_0 = 0\n{remark}\n")), author);
    for remark in ["# size_1 to size_39 unchanged", "# SIZE_1, SIZE_2, SIZE_3 and so on: same as before"] {
        assert_eq!(said(remark, Author::Model), [Severity::Error], "{remark}");
        assert_eq!(said(remark, Author::Anyone), [], "{remark}");
    }
    for remark in ["# width_1 to width_39 unchanged", "# SIZE_1 and SIZE_2 live in sizes.py now"] {
        assert_eq!(said(remark, Author::Model), [], "{remark}");
    }
}

#[test]
fn a_remark_beside_code_that_only_moved_stands_for_nothing() {
    let (area, edge) = TWO.split_once("\n\n\n").unwrap_or_default();
    let moved = format!("# ... the edges first ...\n{edge}\n\n{area}\n");
    assert_eq!(said("omission", &modified("a.py", TWO, &moved), Author::Anyone), []);
    let more = TWO.replace("\n\n\ndef edge", "\n\n\n# the rest of the shapes\ndef edge");
    assert_eq!(said("omission", &modified("a.py", TWO, &more), Author::Model), []);
}

#[test]
fn a_body_that_was_long_and_does_nothing_now_is_asked_about_in_what_a_model_wrote() {
    let with =
        |body: &str| format!("{}\n\n\ndef edge(a, b):\n{body}\n", TWO.split("\n\n\n").next().unwrap_or_default());
    for (body, severity) in [
        ("    return None  # TODO", Severity::Error),
        ("    # placeholder until the shapes are there\n    pass", Severity::Error),
        ("    return 0", Severity::Warning),
        ("    \"\"\"The edge.\"\"\"", Severity::Warning),
        ("    raise RuntimeError('later')", Severity::Warning),
    ] {
        assert_eq!(said("stub", &modified("a.py", TWO, &with(body)), Author::Model), [severity], "{body}");
        assert_eq!(said("stub", &modified("a.py", TWO, &with(body)), Author::Anyone), [], "{body}");
    }
    for body in ["    return 2 * (a + b)", "    return shapes.edge(a, b)", "    x = a\n    return x"] {
        assert_eq!(said("stub", &modified("a.py", TWO, &with(body)), Author::Model), [], "{body}");
    }
    let short = "def limit():\n    return 10\n";
    assert_eq!(said("stub", &modified("a.py", short, "def limit():\n    return 20\n"), Author::Model), []);
    assert_eq!(
        said("stub", &added("a.py", "def on_close(self):\n    pass  # nothing is open\n"), Author::Model),
        [Severity::Warning]
    );
}
