//! `git implement review`: what a reviewer is shown of a branch, as text and as a page.

use crate::repo::{Ran, Repo};

const DESIGN: &str = "# 6 - Count <b>what</b> there is\n\nAnd \u{9b}2J clear.\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
                      | `src/tally.py` | Modify | `add` takes a step & tells |\n| `src/shop.py` | Add | `Shop` |\n\
                      | `tests/test_tally.py` | Add | of `add` |\n";
const TALLY: &str = "def add(a):\n    return a + 1\n\n\ndef first(items):\n    head = items[0]\n    rest = items[1:]\n    return head, rest\n";
/// Markup, a script, and the end of an element.
const HOSTILE: &str = "# <script>alert(1)</script> </td></table><img src=x onerror=alert(2)>\n";

fn repo() -> Repo {
    let repo = Repo::of(&[("src/tally.py", TALLY), ("docs/6.md", DESIGN)]);
    repo.answer_at("src/tally.py", 1, "FIND:\n```\nnot there\n```\nREPLACE WITH:\n```\nx\n```\n");
    let edit = |old: &str, new: &str| format!("FIND:\n```\n{old}\n```\nREPLACE WITH:\n```\n{new}\n```\n");
    let gone = "def first(items):\n    head = items[0]\n    rest = items[1:]\n    return head, rest";
    repo.answer_at(
        "src/tally.py",
        2,
        edit(
            "def add(a):\n    return a + 1",
            "def add(a, by=1):\n    return a + by\n\n\ndef twice(a):\n    return add(add(a))",
        ) + &edit(gone, "last = None"),
    );
    repo.answer("src/shop.py", format!("```python\n{HOSTILE}class Shop:\n    name = 'a shop'\n```\n"));
    repo.answer(
        "tests/test_tally.py",
        "```python\nfrom tally import add\n\n\ndef test_add():\n    assert add(1) == 2\n```\n",
    );
    repo
}

fn made() -> Repo {
    let repo = repo();
    repo.implement(&["docs/6.md", "--format", "find-replace"]).published("implement/6");
    repo
}

#[track_caller]
fn reviewed(repo: &Repo, arguments: &[&str]) -> Ran {
    let ran = repo.run(&[&["review"], arguments].concat());
    ran.changed_nothing();
    assert_eq!(ran.status, Some(0), "{ran}");
    ran
}

#[test]
fn each_change_stands_below_its_row_with_what_was_found() {
    let repo = made();
    let out = reviewed(&repo, &[]).out;
    let tally = out.find("docs/6.md:9: `add` takes a step & tells\nsrc/tally.py: modified, tested by tests/test_tally.py\nlook: 1 reply refused");
    assert!(tally.is_some(), "{out}");
    assert!(out.contains("look first at src/tally.py: 1 reply refused\n"), "{out}");
    assert!(out.contains("src/shop.py: added\nlook: no test came with it\n"), "{out}");
    assert!(out.contains("+    return a + by\n") && out.contains("    exactly what its record makes\n"), "{out}");
    assert!(!out.contains('\u{9b}'), "nothing moves the terminal's cursor");
    assert_eq!(out, reviewed(&repo, &["implement/6"]).out);
}

#[test]
fn what_a_person_changed_since_is_said_at_its_place() {
    let repo = made();
    repo.git(&["switch", "-q", "implement/6"]);
    let text = std::fs::read_to_string(repo.dir.join("tests/test_tally.py")).unwrap();
    repo.write("tests/test_tally.py", text.replace("== 2", "== 3"));
    repo.git(&["commit", "-q", "-a", "--amend", "--no-edit"]);
    let out = reviewed(&repo, &[]).out;
    assert!(out.contains("    changed by a person since: tests/test_tally.py\n"), "{out}");
    assert!(out.contains("look first at tests/test_tally.py: changed by a person since\n"), "{out}");
    let page = reviewed(&repo, &["--html", "-"]).out;
    assert!(page.contains("A person has changed this since."), "{page}");
}

#[test]
fn a_change_that_no_row_accounts_for_says_so_and_so_does_code_that_was_moved() {
    let repo = made();
    repo.git(&["switch", "-q", "implement/6"]);
    let moved = "def first(items):\n    head = items[0]\n    rest = items[1:]\n    return head, rest\n";
    repo.write("src/shop.py", moved);
    repo.write("src/tally.py", "last = None\n");
    repo.git(&["commit", "-q", "-a", "-m", "by hand"]);
    let out = reviewed(&repo, &[]).out;
    assert!(out.contains("    of no run that is recorded here\n"), "{out}");
    let second = |out: &str| out.split_once("commit ").unwrap().1.to_owned();
    assert_eq!(second(&out), second(&reviewed(&repo, &["main..implement/6"]).out));
    let repo = Repo::of(&[("a.py", moved), ("b.py", "x = 1\n")]);
    repo.write("a.py", "x = 2\n");
    repo.write("b.py", format!("x = 1\n{moved}"));
    repo.git(&["commit", "-q", "-a", "-m", "move"]);
    let page = reviewed(&repo, &["HEAD~1..HEAD", "--html", "-"]).out;
    // Once a block as text, and at each of its lines for the mouse.
    assert_eq!(page.matches(">moved from a.py:1</td>").count(), 1, "{page}");
    assert_eq!(page.matches("moved from a.py:").count(), 1 + 4, "{page}");
    assert!(page.contains(">moved to b.py:2</td>") && page.contains("<p class=\"legend\">"), "{page}");
    assert!(!reviewed(&made(), &["--html", "-"]).out.contains("<p class=\"legend\">"), "nothing was moved");
}

#[test]
fn line_ends_old_encodings_and_what_kind_of_file_it_is_are_shown() {
    let repo = Repo::of(&[("crlf.py", "a = 1\r\nb = 2\r\n"), ("end.py", "a = 1\n"), ("cr.txt", "a\rb\n")]);
    repo.write("latin.txt", b"caf\xe9\n");
    repo.commit("old");
    repo.write("crlf.py", "a = 1\nb = 2\r\n");
    repo.write("end.py", "a = 1");
    repo.write("cr.txt", "a\rc\n");
    repo.write("latin.txt", b"caf\xe8\n");
    repo.write("late.bin", [&[b'x'; 8000][..], b"\n\0\n"].concat());
    repo.write("early.bin", [&[b'x'; 7999][..], b"\0\n"].concat());
    repo.write("empty.py", "");
    repo.write("old.py → new.py", "x = 1\n");
    repo.program("run.sh", "#!/bin/sh\n");
    std::os::unix::fs::symlink("run.sh", repo.dir.join("link")).unwrap();
    repo.commit("new");
    let range = "HEAD~1..HEAD";
    let out = reviewed(&repo, &[range]).out;
    for lines in [
        "@@ -1 +1 @@\n-a = 1\r\n+a = 1\n b = 2\r\n",
        "-a = 1\n+a = 1\n\\ No newline at end of file\n",
        "-a\\u{d}b\n+a\\u{d}c\n",
        "-caf\\xe9\n+caf\\xe8\n",
        "xxx\n+\\u{0}\n",
        "early.bin: added\n(binary, none → 8001 bytes)\n",
        "empty.py: added\n(empty)\n",
        "\n'old.py → new.py': added\n",
        "run.sh: added\n(executable)\n",
        "link: added\n(symbolic link)\n@@ -0 +1 @@\n+run.sh\n\\ No newline at end of file\n",
    ] {
        assert!(out.contains(lines), "{lines}: {out}");
    }
    let page = reviewed(&repo, &[range, "--html", "-"]).out;
    assert_eq!(page.matches("<span class=\"cr\" title=\"carriage return\">^M</span>").count(), 2, "{page}");
    assert_eq!(page.matches("\\ No newline at end of file</td>").count(), 2, "{page}");
    assert!(page.contains("<p class=\"beside\">executable</p>") && page.contains("<p class=\"beside\">empty</p>"));
    assert!(page.contains("<code>'old.py → new.py'</code>") && !page.contains('\r'), "{page}");
}

#[test]
fn a_page_without_a_run_says_nothing_of_one_and_each_change_has_both_its_sides() {
    let repo = Repo::of(&[("a.py", "x = 1\n"), ("b.py", "y = 1\n")]);
    repo.write("a.py", "x = 2\n");
    std::fs::remove_file(repo.dir.join("b.py")).unwrap();
    repo.commit("two\n\nBecause <b>it</b> is so.");
    let page = reviewed(&repo, &["HEAD~1..HEAD", "--html", "-"]).out;
    for never in ["tokens in", "Model: ", "class=\"columns\"", "aria-label=\"Design\"", "in all commits"] {
        assert!(!page.contains(never), "{never}: {page}");
    }
    assert!(page.contains("<p>Nothing stands out.</p>") && page.contains("1 line added, 2 removed.</p>"), "{page}");
    assert!(page.contains("Because &lt;b&gt;it&lt;/b&gt; is so.</pre>"), "{page}");
    assert!(page.contains("<p class=\"facts\">By A U Thor, 2023-11-14</p>"), "{page}");
    let out = reviewed(&repo, &["HEAD~1..HEAD"]).out;
    assert!(
        out.contains(
            "\nAuthor: A U Thor, 2023-11-14\n\n    two\n    \n    Because <b>it</b> is so.\n    \n    of no run"
        ),
        "{out}"
    );
    let id = |revision: &str| repo.git(&["rev-parse", revision]);
    let pairs = [format!("{}:{}", id("HEAD~1:a.py"), id("HEAD:a.py")), format!("{}:", id("HEAD~1:b.py"))];
    for pair in pairs {
        assert!(page.contains(&format!("data-pair=\"{pair}\"")), "{pair}: {page}");
    }
    let of_run = reviewed(&made(), &["--html", "-"]).out;
    assert_eq!(of_run.matches("Model: ").count(), 1, "{of_run}");
    assert!(of_run.contains(" removed in all commits"), "{of_run}");
    // The same branch of another repository has its own marks.
    let home = |page: &str| page.split_once("data-home=\"").unwrap().1.split_once('"').unwrap().0.to_owned();
    assert_eq!(home(&page), home(&reviewed(&repo, &["HEAD~1..HEAD", "--html", "-"]).out));
    assert_ne!(home(&page), home(&of_run));
}

#[test]
fn a_file_that_moved_is_one_change_with_its_row_and_modes_and_bytes_are_told() {
    let design = "# 7 - Move it\n\n## Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
                  | `src/tally.py` → `lib/count.py` | Rename | Move it and update `add` |\n";
    let repo = Repo::of(&[
        ("src/tally.py", TALLY),
        ("docs/7.md", design),
        ("same.txt", "the same\n"),
        ("run.sh", "#!/bin/sh\n"),
    ]);
    repo.write("logo.png", b"\x89PNG\0\xff");
    repo.commit("a logo");
    let edit = "FIND:\n```\n    return a + 1\n```\nREPLACE WITH:\n```\n    return 1 + a\n```\n";
    repo.answer("lib/count.py", edit);
    repo.implement(&["docs/7.md", "--format", "find-replace"]).published("implement/7");
    let out = reviewed(&repo, &[]).out;
    let head = "docs/7.md:7: Move it and update `add`\nsrc/tally.py → lib/count.py: renamed\n";
    assert!(out.contains(head) && !out.contains("src/tally.py: deleted"), "{out}");
    let changed: Vec<&str> = out.lines().filter(|line| line.starts_with(['+', '-'])).collect();
    assert_eq!(changed, ["-    return a + 1", "+    return 1 + a"], "only what changed");
    let page = reviewed(&repo, &["--html", "-"]).out;
    assert!(page.contains("<code>src/tally.py</code> → <code>lib/count.py</code>"), "{page}");
    assert!(page.contains(">→ count.py</a>") && page.contains("renamed, +1 -1"), "{page}");
    // A person's commit is read as git reads it.
    repo.git(&["mv", "same.txt", "moved.txt"]);
    repo.git(&["update-index", "--chmod=+x", "run.sh"]);
    repo.write("logo.png", b"\x89PNG\0\xff\xfe\xfd");
    repo.git(&["add", "logo.png"]);
    repo.git(&["commit", "-q", "-m", "by hand"]);
    let out = reviewed(&repo, &["HEAD~1..HEAD"]).out;
    assert!(out.contains("same.txt → moved.txt: renamed\n(no line differs)\n"), "{out}");
    assert!(out.contains("run.sh: another mode\n(mode 100644 → 100755)\n"), "{out}");
    assert!(out.contains("logo.png: modified\n(binary, 6 bytes → 8 bytes)\n"), "{out}");
    let page = reviewed(&repo, &["HEAD~1..HEAD", "--html", "-"]).out;
    assert!(page.contains("mode 100644 → 100755") && page.contains("binary, 6 bytes → 8 bytes"), "{page}");
}

#[test]
fn the_page_is_one_file_in_which_nothing_of_a_model_is_markup() {
    let repo = made();
    let ran = reviewed(&repo, &["--html", "../page.html"]);
    assert_eq!(ran.err, "wrote ../page.html\n");
    let page = std::fs::read_to_string(repo.place("page.html")).unwrap();
    assert_eq!(page, reviewed(&repo, &["--html", "-"]).out, "the same twice");
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && page.contains("Count &lt;b&gt;what&lt;/b&gt;"));
    for never in ["<script>alert", "<img", "</td></table><", "<b>what", "\u{9b}", "http://", "https://", "src=\""] {
        let found = page.find(never).map(|at| &page[at.saturating_sub(60)..(at + 60).min(page.len())]);
        assert_eq!(found, None, "{never}");
    }
    assert!(page.contains("Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-"));
    // The row leads to the change, and back.
    assert!(page.contains("<a class=\"to\" href=\"#f0-0\" data-row>→ tally.py</a>"), "{page}");
    assert!(page.contains("<a href=\"#d0-9\">line 9</a>: `add` takes a step &amp; tells"), "{page}");
    assert!(page.contains("<table class=\"chart\"><caption>Tokens by file</caption>"), "{page}");
}

#[test]
fn no_text_of_a_commit_steers_a_terminal_or_turns_a_line_of_the_page() {
    let repo = made();
    repo.git(&["switch", "-q", "implement/6"]);
    let message = repo.git(&["log", "-1", "--format=%B"]);
    let hostile = message.replace("Implements: docs/", "Implements: other/\u{1b}[2J\u{202e}");
    assert_ne!(message, hostile);
    repo.git(&["commit", "-q", "--amend", "-m", &hostile]);
    let steers = |text: &str| text.contains(['\u{1b}', '\u{202e}']);
    let out = reviewed(&repo, &[]).out;
    assert!(out.contains(r"names the design 'other/\u{1b}[2J\u{202e}6.md'"), "{out}");
    let page = reviewed(&repo, &["--html", "-"]).out;
    assert!(page.contains("its record was altered: ") && !steers(&out) && !steers(&page), "{page}");
}

#[test]
fn the_page_shows_code_as_it_is_and_frames_the_number_of_a_character_that_hides() {
    let repo = Repo::of(&[("a.rs", "fn a() {}\n")]);
    repo.write("a.rs", "use crate::edit;\n::std::mem::drop(1);\n// ##[x]\n// a\u{202e}b\n// \\u{202e}\n");
    repo.git(&["commit", "-q", "-a", "-m", "::add ##[group]"]);
    let range = ["HEAD~1..HEAD"];
    let page = reviewed(&repo, &[range[0], "--html", "-"]).out;
    assert!(page.contains(">crate</span>::edit;<") && page.contains(">::std::mem::drop("), "{page}");
    assert!(page.contains("// ##[x]<") && page.contains("::add ##[group]") && !page.contains(r"\u{3a}"), "{page}");
    let number = r#"// a<span class="number" title="a character, not these letters">\u{202e}</span>b<"#;
    assert!(page.contains(number) && page.contains(r"// \u{202e}<"), "{page}");
    // In a terminal it stands where a CI reads it.
    let out = reviewed(&repo, &range).out;
    assert!(out.contains(r"\u{3a}:add #\u{23}[group]") && out.contains(r"+// #\u{23}[x]"), "{out}");
}

#[test]
fn where_there_is_nothing_to_review_it_says_what_to_type() {
    let repo = repo();
    let ran = repo.run(&["review"]);
    ran.refused_at_once(128).says("fatal: no run has left a branch here\nhint: git implement review <branch>");
    repo.run(&["review", "main"])
        .refused_at_once(128)
        .says("fatal: nothing tells where 'main' began\nhint: git implement review '<commit>..main'");
    repo.run(&["review", "main..main"]).refused_at_once(128).says("fatal: 'main..main' has no commits of its own\n");
    repo.run(&["review", "nosuch"]).refused_at_once(128);
}

#[test]
fn a_page_is_written_over_no_other_file_and_no_device() {
    let repo = made();
    repo.write("../mine.txt", "precious\n");
    assert!(std::process::Command::new("mkfifo").arg(repo.place("pipe")).status().unwrap().success());
    std::os::unix::fs::symlink(repo.place("mine.txt"), repo.place("link")).unwrap();
    for (file, why) in [
        ("../mine.txt", "it is there, and no page of a review"),
        ("../link", "it is there, and no regular file"),
        ("../pipe", "it is there, and no regular file"),
        ("..", "it is a directory"),
        (".git/config", "it lies in the repository itself"),
        (".git/refs/heads/new", "it lies in the repository itself"),
    ] {
        let ran = repo.run(&["review", "--html", file]);
        assert_eq!(ran.status, Some(128), "{ran}");
        assert!(ran.err.starts_with(&format!("fatal: cannot write '{file}': {why}\nhint: ")), "{ran}");
    }
    assert_eq!(std::fs::read_to_string(repo.place("mine.txt")).unwrap(), "precious\n");
    for _ in 0..2 {
        assert_eq!(reviewed(&repo, &["--html", "../page.html"]).err, "wrote ../page.html\n", "over an earlier page");
    }
}
