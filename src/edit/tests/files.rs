//! Replies that name their files: what they are taken apart into, format by format, and what is refused.

use super::*;

/// A file as `change path <- part`.
fn shown(file: &FileReply) -> String {
    let change = match &file.change {
        FileChange::Add => "add".to_owned(),
        FileChange::Modify => "modify".to_owned(),
        FileChange::Write => "write".to_owned(),
        FileChange::Delete => "delete".to_owned(),
        FileChange::Rename { from } => format!("rename {from} ->"),
    };
    let mode = match file.executable {
        None => "",
        Some(true) => " +x",
        Some(false) => " -x",
    };
    format!("{change} {}{mode}", file.path)
}

#[track_caller]
fn split(reply: &str) -> Vec<FileReply> {
    files(None, reply).unwrap_or_else(|refusal| panic!("{refusal:?}\n{reply}"))
}

#[track_caller]
fn names(reply: &str) -> Vec<String> {
    split(reply).iter().map(shown).collect()
}

#[track_caller]
fn refusal(format: Option<Format>, reply: &str) -> Refusal {
    match files(format, reply) {
        Ok(files) => panic!("{:?}\n{reply}", files.iter().map(shown).collect::<Vec<_>>()),
        Err(refusal) => refusal,
    }
}

/// The text that the only file of a reply gets.
#[track_caller]
fn text(reply: &str, base: Option<&str>) -> String {
    let files = split(reply);
    let [file] = &files[..] else { panic!("{files:?}") };
    file.apply(base).unwrap_or_else(|refusal| panic!("{refusal:?}")).text
}

const NONE: fn(&str) -> bool = |_| false;

#[test]
fn a_diff_of_git_says_what_becomes_of_each_file() {
    let diff = "diff --git a/src/a.py b/src/a.py
index 1..2 100644
--- a/src/a.py
+++ b/src/a.py
@@ -1 +1 @@
-a
+b
diff --git a/new.sh b/new.sh
new file mode 100755
index 0..2
--- /dev/null
+++ b/new.sh
@@ -0,0 +1 @@
+x
diff --git a/empty b/empty
new file mode 100644
index 0000000..e69de29
diff --git a/old.py b/old.py
deleted file mode 100644
index 2..0
--- a/old.py
+++ /dev/null
@@ -1 +0,0 @@
-gone
diff --git a/from.py b/sub dir/to.py
similarity index 100%
rename from from.py
rename to sub dir/to.py
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
";
    let expected = [
        "modify src/a.py",
        "add new.sh +x",
        "add empty -x",
        "delete old.py",
        "rename from.py -> sub dir/to.py",
        "modify run.sh +x",
    ];
    assert_eq!(names(diff), expected);
    let fenced = format!("Here it is:\n\n```diff\n{diff}```\n\nRun the tests.\n");
    assert_eq!(names(&fenced), expected);
    assert_eq!(names(&diff.replace('\n', "\r\n")), expected);
    let files = split(&fenced);
    assert_eq!(files[0].apply(Some("a\n")).unwrap().text, "b\n");
    assert_eq!(files[1].apply(None).unwrap().text, "x\n");
    assert_eq!(files[2].apply(None).unwrap().text, "");
    assert_eq!(files[3].apply(Some("gone\n")).unwrap().text, "");
    assert_eq!(files[4].apply(Some("as it was")).unwrap().text, "as it was");
    assert_eq!(files[5].apply(Some("as it was")).unwrap().text, "as it was");
}

#[test]
fn a_new_file_has_the_line_ends_of_its_diff_where_they_are_not_those_of_the_reply() {
    let diff =
        |ending: &str| format!("--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,3 @@\n+a{ending}\n+{ending}\n+b{ending}\n");
    assert_eq!(text(&diff("\r"), None), "a\r\n\r\nb\r\n");
    assert_eq!(text(&diff("\r").replace("b\r\n", "b\n\\ No newline at end of file\n"), None), "a\r\n\r\nb");
    assert_eq!(text(&diff("").replace('\n', "\r\n"), None), "a\n\nb\n");
    let change = "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n";
    assert_eq!(text(change, Some("a\r\nb\r\n")), "a\r\nc\r\n");
    assert_eq!(text(change, Some("a\nb\n")), "a\nc\n");
}

#[test]
fn gits_own_lines_count_without_the_line_that_begins_them() {
    let diff = "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-a\n+b\nnew file mode 100755\nindex 0..1\n\
                --- /dev/null\n+++ b/new.sh\n@@ -0,0 +1 @@\n+x\n";
    assert_eq!(names(diff), ["modify a.py", "add new.sh +x"]);
    assert_eq!(split(diff)[0].apply(Some("a\n")).unwrap().text, "b\n");
}

#[test]
fn a_deletion_that_does_not_remove_every_line_is_refused() {
    let diff = "--- a/x.py\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n";
    let files = split(diff);
    assert_eq!(files[0].apply(Some("a\nb\n")).unwrap().text, "");
    assert_eq!(files[0].apply(Some("a\nb\nc\n")).unwrap_err().id, "reply-delete");
    assert_eq!(files[0].apply(Some("a\nB\n")).unwrap_err().id, "edit-not-found");
}

#[test]
fn names_that_git_quoted_are_unquoted() {
    let diff = r#"diff --git "a/\303\244 \"q\"\t.py" "b/\303\244 \"q\"\t.py"
--- "a/\303\244 \"q\"\t.py"
+++ "b/\303\244 \"q\"\t.py"
@@ -1 +1 @@
-a
+b
"#;
    assert_eq!(names(diff), ["modify ä \"q\"\t.py"]);
    let every = r#""\a\b\t\n\v\f\r\"\\\101\052""#;
    let diff = format!("--- {every}\n+++ {every}\n@@ -1 +1 @@\n-a\n+b\n");
    assert_eq!(split(&diff)[0].path, "\u{7}\u{8}\t\n\u{b}\u{c}\r\"\\A*");
    for bad in [r#""a/\377.py""#, r#""a/\9.py""#, r#""a/\30""#, r#""a/x\""#] {
        let id = refusal(None, &format!("--- {bad}\n+++ {bad}\n@@ -1 +1 @@\n-a\n+b\n")).id;
        assert_eq!(id, "reply-malformed", "{bad}");
    }
}

#[test]
fn a_prefix_is_taken_off_where_the_other_names_say_that_it_is_one() {
    let hunk = "@@ -1 +1 @@\n-a\n+b\n";
    for (header, path) in [
        ("--- a/x.py\n+++ b/x.py\n", "x.py"),
        ("--- i/x.py\n+++ w/x.py\n", "x.py"),
        ("--- src/x.py\n+++ src/x.py\n", "src/x.py"),
        ("--- src/x.py\n+++ b/src/x.py\n", "src/x.py"),
        ("--- a/a/x.py\n+++ b/a/x.py\n", "a/x.py"),
        ("--- ./x.py\n+++ ./x.py\n", "x.py"),
        ("--- a/x.py\t2026-01-01 00:00:00\n+++ b/x.py\t2026-01-02 00:00:00\n", "x.py"),
        ("--- x.py.orig\n+++ x.py\n", "x.py"),
        ("--- original\n+++ src/x.py\n", "src/x.py"),
        ("--- src/x.py\n+++ modified\n", "src/x.py"),
        ("--- \"x \\303\\244.py\"\t2026-01-01 00:00:00\n+++ \"x \\303\\244.py\"\t2026-01-01 00:00:00\n", "x ä.py"),
        ("diff --git a/x y.py b/x y.py\n--- a/x y.py\t\n+++ b/x y.py\t\n", "x y.py"),
        ("diff --git x.py x.py\n--- x.py\n+++ x.py\n", "x.py"),
    ] {
        let files = split(&format!("{header}{hunk}"));
        assert_eq!((files[0].path.as_str(), &files[0].prefixed), (path, &None), "{header}");
    }
    for header in ["--- a/x.py\n+++ b/y.py\n", "--- a/\n+++ b/\n", "--- old\n+++ new\n", "--- x.py\n+++ x.py.orig\n"] {
        assert_eq!(refusal(None, &format!("{header}{hunk}")).id, "reply-malformed", "{header}");
    }
}

#[test]
fn gits_own_lines_need_no_hunks() {
    let git = |said: &str| names(&format!("diff --git a/x b/x\n{said}"));
    assert_eq!(git("old mode 100644\nnew mode 100755\n"), ["modify x +x"]);
    assert_eq!(git("deleted file mode 100644\nindex 1..0\n"), ["delete x"]);
    assert_eq!(git("new file mode 100644\n"), ["add x -x"]);
    let renamed = "similarity index 100%\nrename from x\nrename to y\n";
    assert_eq!(git(&format!("old mode 100644\nnew mode 100755\n{renamed}")), ["rename x -> y +x"]);
}

#[test]
fn the_line_that_begins_a_file_in_gits_diff_names_it_where_no_other_does() {
    let named = |names: &str| split(&format!("diff --git {names}\nnew file mode 100644\n")).remove(0).path;
    for (names, path) in [
        ("a/x b/x", "x"),
        ("a/x y b/x y", "x y"),
        ("x x", "x"),
        (r#""a/\"\303\244\" \\" "b/\"\303\244\" \\""#, "\"ä\" \\"),
        (r#"x y "b/x y""#, "x y"),
        (r#""a/x y" b/x y"#, "x y"),
    ] {
        assert_eq!(named(names), path, "{names}");
    }
    for names in ["a/x b/y", "a/x", "a b/x a b/x a b/x", r#""a/x"b/x"#, ""] {
        let id = refusal(Some(Format::Unified), &format!("diff --git {names}\nnew file mode 100644\n")).id;
        assert_eq!(id, "reply-no-file", "{names}");
    }
}

#[test]
fn what_is_there_decides_whether_a_name_has_a_prefix_and_both_is_a_refusal() {
    let diff = "--- a/x.py\n+++ a/x.py\n@@ -1 +1 @@\n-a\n+b\n";
    let path = |there: &[&str]| {
        settle(split(diff), |path| there.contains(&path), NONE).map(|files| files[0].path.clone()).map_err(|r| r.id)
    };
    assert_eq!(path(&["x.py"]).as_deref(), Ok("x.py"));
    assert_eq!(path(&["a/x.py"]).as_deref(), Ok("a/x.py"));
    assert_eq!(path(&["a/x.py", "x.py"]).as_deref(), Err(&"reply-two-paths"));
    let new = "--- /dev/null\n+++ b/x.py\n@@ -0,0 +1 @@\n+b\n";
    assert_eq!(settle(split(new), NONE, NONE).unwrap()[0].path, "x.py");
    assert_eq!(settle(split(new), NONE, |path| path == "b").unwrap_err().id, "reply-two-paths");
    let write = "--- a/x.py\n+++ a/x.py\n@@ -0,0 +1 @@\n+b\n";
    assert_eq!(settle(split(write), NONE, |path| path == "a").unwrap_err().id, "reply-two-paths");
    assert_eq!(settle(split(write), |path| path == "a/x.py", |path| path == "a").unwrap()[0].path, "a/x.py");
    // Another file of the reply says it.
    let sure = format!("{new}--- a/y.py\n+++ b/y.py\n@@ -1 +1 @@\n-a\n+b\n");
    assert_eq!(settle(split(&sure), NONE, |path| path == "b").unwrap()[0].path, "x.py");
    let plain = format!("{new}--- y.py\n+++ y.py\n@@ -1 +1 @@\n-a\n+b\n");
    assert_eq!(settle(split(&plain), NONE, NONE).unwrap()[0].path, "b/x.py");
}

#[test]
fn the_paths_that_a_file_may_have_are_told_for_what_is_there_to_decide() {
    let candidates = |reply: &str| split(reply)[0].candidates().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(candidates("--- a/x.py\n+++ a/x.py\n@@ -1 +1 @@\n-a\n+b\n"), ["x.py", "a/x.py"]);
    assert_eq!(candidates("diff --git a/x b/y\nrename from x\nrename to y\n"), ["y", "x"]);
    assert_eq!(candidates("*** Begin Patch\n*** Delete File: x.py\n*** End Patch\n"), ["x.py"]);
}

#[test]
fn a_diff_of_what_is_no_text_or_of_what_cannot_be_done_is_refused() {
    for (header, id) in [
        ("new file mode 120000\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+y\n", "reply-unsupported"),
        ("index 1..2 160000\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-y\n+z\n", "reply-unsupported"),
        ("deleted file mode 120000\n", "reply-unsupported"),
        ("copy from x\ncopy to y\n", "reply-unsupported"),
        ("index 1..2\nGIT binary patch\nliteral 3\n", "reply-unsupported"),
        ("index 1..2\nBinary files a/x and b/x differ\n", "reply-unsupported"),
        ("new file mode 644\n", "reply-malformed"),
        ("rename from x\n", "reply-malformed"),
        ("new file mode 100644\ndeleted file mode 100644\n", "reply-malformed"),
        ("rename from x\nrename to y\nnew file mode 100644\n", "reply-malformed"),
        ("rename from x\nrename to y\ndeleted file mode 100644\n", "reply-malformed"),
        ("copy to y\n", "reply-unsupported"),
        ("old mode 100644\nnew mode 120000\n", "reply-unsupported"),
        ("index 1..2 100644\n", "reply-no-edit"),
    ] {
        let diff = format!("diff --git a/x b/x\n{header}");
        assert_eq!(refusal(Some(Format::Unified), &diff).id, id, "{diff}");
    }
}

#[test]
fn lines_that_look_like_a_header_are_lines_where_the_numbers_say_so() {
    let base = "a\n-- b\nc\nd\ne\nf\ng\nh\n";
    let diff = "--- a/x.sql\n+++ b/x.sql\n@@ -1,4 +1,4 @@\n a\n--- b\n+++ B\n c\n d\n@@ -7,2 +7,2 @@\n g\n-h\n+H\n";
    assert_eq!(names(diff), ["modify x.sql"]);
    assert_eq!(text(diff, Some(base)), "a\n++ B\nc\nd\ne\nf\ng\nH\n");
    let last = "--- a/x.sql\n+++ b/x.sql\n@@ -2,1 +2,1 @@\n--- b\n+++ B\n@@ -7,2 +7,2 @@\n g\n-h\n+H\n";
    assert_eq!(text(last, Some(base)), "a\n++ B\nc\nd\ne\nf\ng\nH\n");
    let paths = last.replace("--- b\n+++ B", "--- y.sql\n+++ y.sql");
    assert_eq!(text(&paths, Some(&base.replace("-- b", "-- y.sql"))), "a\n++ y.sql\nc\nd\ne\nf\ng\nH\n");
    let unsure = last.replace("-2,1 +2,1", "-2,5 +2,5");
    assert_eq!(refusal(None, &unsure).id, "reply-malformed");
    // The names of the file itself are such lines before no other hunk.
    let own = last.replace("--- b\n+++ B", "--- a/x.sql\n+++ b/x.sql");
    assert_eq!(refusal(None, &own).id, "reply-malformed");
    let inside = "--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1,2 @@\n--- a/x.sql\n+++ b/x.sql\n c\n";
    assert_eq!(text(inside, Some("-- a/x.sql\nc\n")), "++ b/x.sql\nc\n");
}

#[test]
fn a_mailed_patch_ends_at_its_signature() {
    let mail = "From 1234 Mon Sep 17 00:00:00 2001\nSubject: [PATCH] x\n\n---\n x.md | 1 +\n\n\
                diff --git a/x.md b/x.md\n--- a/x.md\n+++ b/x.md\n@@ -1,2 +1,3 @@\n a\n+```\n b\n-- \n2.47.3\n\n";
    assert_eq!(text(mail, Some("a\nb\n")), "a\n```\nb\n");
}

#[test]
fn fences_inside_a_diff_of_markdown_are_lines_of_it() {
    let base = "# T\n\n```sh\nmake\n```\n\ntext\n\n```py\nx\n```\n";
    let diff = "diff --git a/x.md b/x.md\n--- a/x.md\n+++ b/x.md\n@@ -2,4 +2,4 @@\n \n ```sh\n-make\n+make all\n ```\n\
                @@ -9,3 +9,3 @@\n ```py\n-x\n+y\n ```\n";
    let want = base.replace("make", "make all").replace("\nx\n", "\ny\n");
    assert_eq!(text(diff, Some(base)), want);
}

#[test]
fn a_diff_without_a_header_is_for_the_file_that_is_named_before_it() {
    let hunk = "@@ ... @@\n-a\n+b\n";
    let beside = format!("```diff\n--- a/a.py\n+++ b/a.py\n{hunk}```\n\nb.py\n```python\nx\n```\n");
    assert_eq!(refusal(Some(Format::Unified), &beside).id, "reply-malformed");
    assert_eq!(names(&format!("### `src/a.py`\n\n```diff\n{hunk}```\n")), ["modify src/a.py"]);
    assert_eq!(names(&format!("```diff:src/a.py\n{hunk}```\n")), ["modify src/a.py"]);
    let headless = "-a\n+b\n";
    let reply = format!("`src/a.py`\n```diff\n{headless}```\n\n```diff\n--- a/b.py\n+++ b/b.py\n{headless}```\n");
    assert_eq!(names(&reply), ["modify src/a.py", "modify b.py"]);
    assert_eq!(split(&reply)[0].apply(Some("a\n")).unwrap().text, "b\n");
    assert_eq!(split(&reply)[1].apply(Some("a\n")).unwrap().text, "b\n");
    let lost = format!("--- a/b.py\n+++ b/b.py\n{headless}@@ -9 +9 @@\n-c\n+d\n");
    assert_eq!(refusal(None, &lost).id, "reply-malformed");
    let before = format!("```diff\n{hunk}--- a/x.py\n+++ b/x.py\n{hunk}```\n");
    assert_eq!(refusal(None, &before).id, "reply-no-file");
    assert_eq!(
        refusal(None, &format!("Well:\n\n{}", before.replace("```diff\n", "").replace("```\n", ""))).id,
        "reply-no-file"
    );
    let unnamed = refusal(None, &format!("```diff\n{hunk}```\n"));
    assert_eq!(unnamed.id, "reply-no-file");
    assert!(unnamed.hint.unwrap().contains("--target"));
}

#[test]
fn a_diff_with_nothing_on_its_old_side_may_make_the_file() {
    let diff = "--- a/x.py\n+++ b/x.py\n@@ -0,0 +1,2 @@\n+a\n+b\n";
    assert_eq!(names(diff), ["write x.py"]);
    assert_eq!(text(diff, None), "a\nb\n");
    assert_eq!(split(diff)[0].apply(Some("x\n")).unwrap_err().id, "edit-no-context");
    let gnu = "--- x.py\t1970-01-01 00:00:00.000000000 +0000\n+++ x.py\t2026-01-01 10:00:00 +0000\n@@ -0,0 +1 @@\n+a\n";
    assert_eq!(names(gnu), ["add x.py"]);
    assert_eq!(names(&gnu.replace("1970-01-01 00:00:00", "1970-01-01 00:12:34")), ["write x.py"]);
    assert_eq!(names(&gnu.replace("1970-01-01", "2026-01-01")), ["write x.py"]);
}

#[test]
fn a_patch_adds_updates_deletes_and_moves() {
    let patch = "*** Begin Patch
*** Add File: src/new.py
+a
+
*** Update File: src/a.py
@@
-a
+b
*** Update File: old.py
*** Move to: new.py
@@
-x
+y
*** Update File: here.py
*** Move to: there.py
*** Delete File: gone.py
*** Update File: src/a.py
@@ def f():
-c
+d
*** End Patch
";
    let expected = [
        "add src/new.py",
        "modify src/a.py",
        "rename old.py -> new.py",
        "rename here.py -> there.py",
        "delete gone.py",
    ];
    assert_eq!(names(patch), expected);
    assert_eq!(names(&format!("Sure.\n\n```\n{patch}```\nDone.\n")), expected);
    assert_eq!(names(&format!("Sure:\n\n- one\n\n{patch}\n+ smaller\n+ quicker\n")), expected);
    assert_eq!(names(&format!("`src/a.py`\n```\n{patch}```\n")), expected);
    let files = split(patch);
    assert_eq!(files[0].apply(None).unwrap().text, "a\n\n");
    // Its two parts are one.
    assert_eq!(files[1].apply(Some("a\nc\n")).unwrap().text, "b\nd\n");
    assert_eq!(files[2].apply(Some("x\n")).unwrap().text, "y\n");
    assert_eq!(files[3].apply(Some("x\n")).unwrap().text, "x\n");
    for (bad, id) in [
        ("*** Begin Patch\n*** Move to: x.py\n*** End Patch\n", "reply-malformed"),
        ("*** Begin Patch\n*** Update File: x.py\n*** End Patch\n", "reply-malformed"),
        ("*** Begin Patch\n\n@@\n-a\n+b\n*** End Patch\n", "reply-no-file"),
        (
            "*** Begin Patch\n*** Update File: x.py\n*** Move to: y.py\n*** Move to: z.py\n*** End Patch\n",
            "reply-malformed",
        ),
        ("*** Begin Patch\n*** Update File: x.py\n@@\n-a\n+b\n*** Move to: y.py\n*** End Patch\n", "reply-malformed"),
        ("*** Begin Patch\n*** Move File: x.py\n*** End Patch\n", "reply-malformed"),
        ("*** Begin Patch\n*** Update File: x.py\n*** End Patch\n*** Move to: y.py\n", "reply-malformed"),
        ("*** Begin Patch\n*** Delete File: x.py\n*** Move to: y.py\n*** End Patch\n", "reply-malformed"),
        ("@@\n-a\n+b\n*** Delete File: x.py\n", "reply-malformed"),
        ("*** Delete File: x.py\n*** End Patch\n+b\n", "reply-malformed"),
        ("*** Begin Patch\n*** Delete File: x.py\n*** End Patch\n\n+b\n", "reply-malformed"),
        ("*** Begin Patch\n*** Delete File: x.py\n*** End Patch\n\n@@\n-a\n+b\n", "reply-malformed"),
        ("```\n*** Update File: x.py\n@@\n-a\n+b\n", "reply-unclosed"),
        ("*** Begin Patch\n*** Delete File: x.py\n*** End Patch\n*** Frobnicate: y\n", "reply-malformed"),
        (
            "*** Begin Patch\n*** Delete File: x.py\n*** Update File: x.py\n@@\n-a\n+b\n*** End Patch\n",
            "reply-file-twice",
        ),
    ] {
        assert_eq!(refusal(None, bad).id, id, "{bad}");
    }
}

#[test]
fn two_parts_for_one_file_are_one_if_both_modify_it_in_the_same_way_and_refused_otherwise() {
    let hunk = "@@ -1 +1 @@\n-a\n+b\n";
    let part = |said: &str| format!("diff --git a/x b/x\n{said}--- a/x\n+++ b/x\n{hunk}");
    let (plain, on, off) = (part(""), part("new mode 100755\n"), part("new mode 100644\n"));
    let mode = "diff --git a/x b/x\nnew mode 100755\n".to_owned();
    let gone = "diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n".to_owned();
    let new = "diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n".to_owned();
    for (first, second) in [(&plain, &plain), (&on, &plain), (&on, &on)] {
        let files = split(&format!("{first}{}", second.replace("-a\n+b", "-c\n+d")));
        assert_eq!(files.len(), 1, "{first}{second}");
        assert_eq!(files[0].apply(Some("a\nc\n")).unwrap().text, "b\nd\n");
    }
    for (first, second) in [(&plain, &on), (&on, &off), (&mode, &plain), (&plain, &gone), (&new, &plain)] {
        assert_eq!(refusal(None, &format!("{first}{second}")).id, "reply-file-twice", "{first}{second}");
    }
    // The third may be about `a/x`: the others do not agree on whether there are prefixes.
    let unsure = format!("--- a/x\n+++ b/x\n{hunk}--- y\n+++ y\n{hunk}--- a/x\n+++ a/x\n{hunk}");
    assert_eq!(refusal(None, &unsure).id, "reply-file-twice");
    let blocks = split("x.py\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n");
    let patch = split("*** Begin Patch\n*** Update File: x.py\n@@\n-a\n+b\n*** End Patch\n");
    assert_eq!(settle([blocks, patch].concat(), NONE, NONE).unwrap_err().id, "reply-file-twice");
}

#[test]
fn blocks_are_for_the_path_before_them_or_that_of_the_block_before() {
    let block = |old: &str, new: &str| format!("<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n");
    let reply = format!(
        "First:\n\nsrc/a.py\n```python\n{}{}```\n\nand\n\n```python\n{}```\n\n**`Makefile`**\n```\n{}```\n\n1. src/new.py\n{}",
        block("a\n", "b\n"),
        block("c\n", "d\n"),
        block("e\n", "f\n"),
        block("all:\n", "every:\n"),
        block("", "text\n"),
    );
    assert_eq!(names(&reply), ["modify src/a.py", "modify Makefile", "write src/new.py"]);
    let files = split(&reply);
    assert_eq!(files[0].apply(Some("a\nc\ne\n")).unwrap().text, "b\nd\nf\n");
    assert_eq!(files[1].apply(Some("all:\n")).unwrap().text, "every:\n");
    assert_eq!(files[2].apply(None).unwrap().text, "text\n");
    assert_eq!(names(&format!("<<<<<<< SEARCH src/a.py\n{}", &block("a\n", "b\n")[15..])), ["modify src/a.py"]);
    assert_eq!(refusal(None, &block("a\n", "b\n")).id, "reply-no-file");
    let mixed = format!("src/a.py\n{}\nsrc/b.py\n```python\nx = 1\n```\n", block("a\n", "b\n"));
    assert_eq!(refusal(None, &mixed).id, "reply-malformed");
    let shown = mixed.replace("src/b.py\n", "```\nmake\n```\n\nsrc/b.py\n");
    assert_eq!(refusal(None, &shown).id, "reply-malformed");
    assert_eq!(refusal(None, &format!("src/a.py\n{}<<<<<<< SEARCH\nx\n", block("a\n", "b\n"))).id, "reply-malformed");
}

#[test]
fn a_block_may_be_named_before_a_blank_line_on_its_first_line_or_by_its_fence_and_not_for_two_files() {
    let rest = "a\n=======\nb\n>>>>>>> REPLACE\n";
    for head in ["src/a.py\n\n<<<<<<< SEARCH", "```src/a.py\n<<<<<<< SEARCH", "src/a.py\n```\n<<<<<<< SEARCH a.py"] {
        assert_eq!(names(&format!("{head}\n{rest}")), ["modify src/a.py"], "{head}");
    }
    assert_eq!(refusal(None, &format!("src/a.py\n<<<<<<< SEARCH src/b.py\n{rest}")).id, "reply-malformed");
}

#[test]
fn a_block_that_cannot_be_read_refuses_the_blocks_of_all_files() {
    let good = "src/a.py\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n";
    let bad = |lines: &str| format!("{good}\nsrc/b.py\n{lines}");
    for bad in [
        ">>>>>>> REPLACE\n",
        "c\n=======\nd\n>>>>>>> REPLACE\n",
        "  <<<<<<< SEARCH\nc\n=======\nd\n",
        "<<<<<<< SEARCH\nc\n=======\nd\n",
        "<<<<<<< SEARCH\nc\n=======\nd\n<<<<<<< SEARCH\ne\n=======\nf\n>>>>>>> REPLACE\n",
    ]
    .map(bad)
    {
        assert_eq!(refusal(None, &bad).id, "reply-malformed", "{bad}");
        assert_eq!(refusal(Some(Format::SearchReplace), &bad).id, "reply-malformed", "{bad}");
    }
    assert_eq!(refusal(Some(Format::SearchReplace), "a\n").id, "reply-no-edit");
}

#[test]
fn only_a_block_that_has_nothing_to_search_for_may_make_its_file() {
    for (searched, change) in [("", "write"), ("\n \n", "write"), ("a\n", "modify"), ("==\na\n", "modify")] {
        let reply = format!("x.py\n<<<<<<< SEARCH\n{searched}=======\nb\n>>>>>>> REPLACE\n");
        assert_eq!(names(&reply), [format!("{change} x.py")], "{searched}");
    }
}

#[test]
fn the_part_of_a_file_ends_its_last_line_though_the_reply_does_not() {
    for reply in [
        "x.py\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE",
        "*** Begin Patch\n*** Update File: x.py\n@@\n-a\n+b",
        "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b",
    ] {
        for reply in [reply.to_owned(), format!("{reply}\n")] {
            let part = split(&reply).remove(0).reply.unwrap();
            assert!(part.ends_with('\n') && !part.ends_with("\n\n"), "{part:?}");
        }
    }
}

#[test]
fn a_whole_file_is_named_by_the_tag_of_its_fence_or_the_line_before() {
    let reply = "Two files.\n\n**`src/a.py`**:\n\n```python\nx = 1\n```\n\n```js title=\"web/b.js\"\nlet b;\n```\n\n\
                 `LICENSE`\n````text\n```\nfree\n```\n````\n\nREADME.md\n```markdown\n# T\n```sh\nmake\n```\nEnd\n```\n\n\
                 Then run:\n\n```sh\nmake\n```\n";
    assert_eq!(names(reply), ["write src/a.py", "write web/b.js", "write LICENSE", "write README.md"]);
    let texts: Vec<String> = split(reply).iter().map(|file| file.apply(None).unwrap().text).collect();
    assert_eq!(texts, ["x = 1\n", "let b;\n", "```\nfree\n```\n", "# T\n```sh\nmake\n```\nEnd\n"]);
}

#[test]
fn fences_inside_a_whole_file_that_are_longer_other_or_further_in_are_its_text() {
    for inner in ["~~~\nmake\n~~~\n", "````\nmake\n````\n", "- so:\n  ```\n  make\n  ```\n", "```sh\nmake\n```\n"] {
        let reply = format!("a.md\n```\n{inner}```\n\nb.md\n```markdown\n{inner}```\n");
        let texts: Vec<_> = split(&reply).iter().map(|file| file.apply(None).unwrap().text).collect();
        assert_eq!(texts, [inner, inner]);
    }
}

#[test]
fn a_block_that_names_no_file_or_two_or_is_cut_off_refuses_the_whole_reply() {
    let good = "a.py\n```python\nx\n```\n\n";
    for (bad, id) in [
        ("```python\ny\n```\n", "reply-no-file"),
        ("Output\n```\ny\n```\n", "reply-no-file"),
        ("b.py\n```python c.py\ny\n```\n", "reply-malformed"),
        ("b.py\n```python\ny\n", "reply-unclosed"),
        ("a.py\n```python\ny\n```\n", "reply-file-twice"),
        ("b.py\n```diff\n- y\n```\n", "reply-not-whole"),
        // Bare fences inside: where the file ends is anybody's guess.
        ("b.md\n```markdown\n# T\n```\nmake\n```\nEnd\n```\n", "reply-no-file"),
    ] {
        assert_eq!(refusal(Some(Format::Whole), &format!("{good}{bad}")).id, id, "{bad}");
    }
    let unnamed = refusal(Some(Format::Whole), &format!("{good}```python\ny\n```\n"));
    assert_eq!(unnamed.message, "the code block at line 6 of the reply names no file");
    assert_eq!(refusal(Some(Format::Whole), "Well.\n").id, "reply-no-fence");
    assert_eq!(refusal(None, "All tests pass.\n").id, "reply-report");
    assert_eq!(refusal(None, " \n").id, "reply-empty");
}

#[test]
fn find_and_replace_names_no_file() {
    let reply = render(Format::FindReplace, &[("a", "b")]);
    for format in [None, Some(Format::FindReplace)] {
        let refusal = refusal(format, &reply);
        assert_eq!(refusal.id, "reply-no-file");
        assert!(refusal.hint.unwrap().contains("--target"));
    }
}

#[test]
fn a_reply_that_names_files_in_two_formats_is_refused() {
    let patch = "*** Begin Patch\n*** Update File: a.py\n@@\n-a\n+b\n*** End Patch\n";
    let blocks = "b.py\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n";
    let whole = "b.py\n```python\nx\n```\n";
    let diff = "--- a/c.py\n+++ b/c.py\n@@ -1 +1 @@\n-a\n+b\n";
    for (one, two) in [(patch, blocks), (patch, whole), (blocks, whole), (diff, blocks), (diff, whole)] {
        for reply in [format!("{one}\n{two}"), format!("{two}\n{one}")] {
            let id = refusal(None, &reply).id;
            assert!(matches!(id, "reply-two-formats" | "reply-malformed"), "{id}\n{reply}");
        }
    }
}

#[test]
fn a_diff_in_the_marks_of_a_patch_is_a_diff() {
    let diff = "--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-a\n+b\n";
    let wrapped = format!("*** Begin Patch\n*** Update File: src/a.py\n{diff}*** End Patch\n");
    for reply in [format!("```diff\n{wrapped}```\n"), wrapped] {
        assert_eq!(names(&reply), ["modify src/a.py"]);
        assert_eq!(text(&reply, Some("a\n")), "b\n");
    }
    // Lines that only look like names, or of which only one is the file's.
    for (first, base, want) in [
        ("--- a\n+++ b\n", "-- a\n", "++ b\n"),
        ("--- x.sql\n+b\n", "-- x.sql\n", "b\n"),
        ("--- x.sql\n+++ b\n", "-- x.sql\n", "++ b\n"),
        ("--- a\n+++ x.sql\n", "-- a\n", "++ x.sql\n"),
    ] {
        let patch = format!("*** Begin Patch\n*** Update File: x.sql\n{first}@@\n-c\n+d\n*** End Patch\n");
        let file = files(Some(Format::V4a), &patch).unwrap().remove(0);
        assert_eq!(file.apply(Some(&format!("{base}c\n"))).unwrap().text, format!("{want}d\n"), "{patch}");
    }
}

#[test]
fn files_that_cannot_be_beside_each_other_are_refused() {
    let adds = |paths: &[&str]| {
        let one = |path: &&str| format!("*** Add File: {path}\n+x\n");
        format!("*** Begin Patch\n{}*** End Patch\n", paths.iter().map(one).collect::<String>())
    };
    let settled = |paths: &[&str]| settle(split(&adds(paths)), NONE, NONE).map(|files| files.len()).map_err(|r| r.id);
    assert_eq!(settled(&["a", "a.py", "b/c"]), Ok(3));
    assert_eq!(settled(&["a/b", "a.py", "a"]), Err("reply-file-and-directory"));
    assert_eq!(settled(&["a", "a+b", "a/b"]), Err("reply-file-and-directory"));
    let swap = "diff --git a/x b/y\nrename from x\nrename to y\ndiff --git a/x b/x\nnew file mode 100644\n";
    assert_eq!(refusal(Some(Format::Unified), swap).id, "reply-file-twice");
}

#[test]
fn the_example_of_every_format_that_names_its_file_is_one_file() {
    for spec in FORMATS.iter().filter(|spec| !matches!(spec.format, Format::Whole | Format::FindReplace)) {
        let example = &spec.example;
        let files = split(example.reply);
        let [file] = &files[..] else { panic!("{files:?}") };
        assert_eq!((shown(file), file.format), (format!("modify {}", example.path), spec.format));
        assert_eq!(file.apply(Some(example.base)).unwrap().text, example.result);
    }
}

#[test]
fn taking_a_hostile_reply_apart_takes_linear_work() {
    let many = |piece: &str| piece.repeat(200_000 / piece.len());
    for reply in [
        many("--- a/x\n+++ b/x\n"),
        many("--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n"),
        many("```diff\n@@\n"),
        many("```diff\n@@\n```\n"),
        many("a.py\n```\n"),
        many("```\n"),
        many("*** Update File: x\n"),
        many("<<<<<<< SEARCH\n"),
        many("a.py\n<<<<<<< SEARCH\n=======\n>>>>>>> REPLACE\n"),
        many("diff --git a/x b/x\n"),
        format!("diff --git {}\n", many("a ")),
        many("@@ -1,99999999 +1,99999999 @@\n a\n"),
    ] {
        let _ = files(None, &reply);
    }
}

#[test]
fn a_search_block_with_nothing_to_look_for_writes_the_file_and_any_other_modifies_it() {
    let block = |old: &str| format!("a.py\n<<<<<<< SEARCH\n{old}=======\nb\n>>>>>>> REPLACE\n");
    assert_eq!(names(&block("")), ["write a.py"]);
    assert_eq!(names(&block("\n")), ["write a.py"]);
    assert_eq!(names(&block("x\n")), ["modify a.py"]);
}
