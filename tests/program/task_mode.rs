//! `git implement task`: what it asks, what it leaves, and what it refuses. The tests of the first part are the acceptance
//! criteria of the design that asked for it, one each.

use crate::records;
use crate::repo::Repo;
use crate::reviewed::*;
use std::fs;

const WHAT: &str = "Fix the mean of no values";
/// The file that it is about, as a model names it.
const NAMED: &str = "```json\n{\"design\": [{\"path\": \"src/mean.py\", \"change\": \"modify\"}]}\n```\n";

/// What all that was asked has used.
fn used(transcript: &serde_json::Value, what: &str) -> u64 {
    transcript["usage"][what].as_u64().unwrap()
}

/// A run that goes well, in two rounds.
fn talked() -> (Repo, crate::repo::Ran) {
    let repo = repo();
    answer(&repo, "implementer.1.talk", "I divide by the number of values.\n");
    answer(&repo, "reviewer.1.talk", "There may be none of them.\n");
    answer(&repo, "src/mean.py.md", &block("src/mean.py", MENDED));
    answer(&repo, "reviewer.verdict", "MARK ok\n");
    let ran = task(&repo, WHAT, &["--target", "src/mean.py", "--rounds", "2"]);
    ran.recorded_only();
    (repo, ran)
}

#[test]
fn a_task_is_taken_with_a_target() {
    let (repo, _) = talked();
    assert_eq!(
        asked(&repo),
        [
            "writer implementer 1 talk task",
            "critic reviewer 1 talk task",
            "writer implementer 2 whole src/mean.py",
            "critic reviewer 2 verdict task",
        ]
    );
    assert!(prompt(&repo, "implementer.1.talk.1").contains(WHAT));
}

#[test]
fn targets_are_told_and_stand_in_the_transcript() {
    let (repo, ran) = talked();
    assert!(ran.err.contains("sends 2 files: task, src/mean.py\n"), "{ran}");
    assert_eq!(transcript(&repo)["target_files"], serde_json::json!(["src/mean.py"]));
}

#[test]
fn the_final_round_asks_for_the_whole_file() {
    let (repo, _) = talked();
    let asked = prompt(&repo, "implementer.2.whole.1");
    assert!(
        asked.contains("this is the final round")
            && asked.ends_with("Now reply with the complete content of `src/mean.py`, and nothing else.\n"),
        "{asked}"
    );
    assert!(asked.contains("Round 1, the reviewer:\n\n```markdown\nThere may be none of them.\n```\n"), "{asked}");
}

#[test]
fn the_reviewer_sees_the_code_before_it_is_final() {
    let (repo, _) = talked();
    let asked = prompt(&repo, "reviewer.2.verdict.1");
    assert!(
        asked.contains("   1  def mean(values):\n     -    return sum(values)\n   2 +    if not values:\n"),
        "{asked}"
    );
}

#[test]
fn blocks_are_read_by_their_paths_and_blanks_round_them_are_not_the_files() {
    for tag in ["src/mean.py", "./src/mean.py", "python:src/mean.py", "python"] {
        let repo = repo();
        answer(&repo, "src/mean.py.md", &format!("Here:\n\n{}\n\n", block(tag, MENDED)));
        answer(&repo, "reviewer.verdict", "MARK ok\n");
        task(&repo, WHAT, &["--target", "src//mean.py"]).recorded_only();
        let patch = fs::read_to_string(left(&repo).join("change.patch")).unwrap();
        assert!(patch.contains("\n+    if not values:\n") && !patch.contains("\n+\n"), "{tag}: {patch}");
    }
}

#[test]
fn the_patch_is_one_that_gnu_patch_takes() {
    let (repo, _) = talked();
    let patch = left(&repo).join("change.patch");
    let output = repo.command("patch").args(["-s", "-p1", "-i"]).arg(&patch).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(fs::read_to_string(repo.dir.join("src/mean.py")).unwrap(), MENDED);
    assert_eq!(repo.git(&["status", "--porcelain"]), " M src/mean.py");
}

#[test]
fn the_patch_lies_where_it_was_asked_for_beside_transcript_and_summary() {
    let repo = repo();
    answer(&repo, "src/mean.py.md", &block("src/mean.py", MENDED));
    answer(&repo, "reviewer.verdict", "MARK ok\n");
    let folder = repo.place("sessions");
    let arguments = ["--target", "src/mean.py", "--output", folder.to_str().unwrap()];
    let ran = task(&repo, WHAT, &arguments);
    ran.recorded_only();
    let mut names: Vec<_> =
        fs::read_dir(&folder).unwrap().map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["change.patch", "summary.txt", "transcript.json"]);
    assert!(ran.out.contains(&format!("git apply '{}'", folder.join("change.patch").display())), "{ran}");
    // What lies there is nobody's to write over.
    let again = task(&repo, WHAT, &arguments);
    again.refused_at_once(129);
    assert!(again.err.contains("is there already"), "{again}");
}

#[test]
fn what_was_said_and_the_verdict_are_what_the_replies_say_or_the_record_was_altered() {
    let repo = repo();
    answer(&repo, "implementer.1.talk", "I divide by the number of values.\n");
    answer(&repo, "reviewer.1.talk", "There may be none of them.\n");
    answer(&repo, "src/mean.py.md", &block("src/mean.py", MENDED));
    answer(&repo, "reviewer.verdict", "MARK ok\n");
    let ran = task(&repo, WHAT, &["--target", "src/mean.py", "--rounds", "2", "--commit"]);
    let name = |prefix: &str| ran.refs.keys().find_map(|name| name.strip_prefix(prefix)).unwrap().to_owned();
    let (run, branch) = (name("refs/implement/runs/"), name("refs/heads/"));
    let verify = || repo.run(&["verify", &format!("main..{branch}")]);
    assert_eq!(verify().status, Some(0), "{}", verify());
    let record = repo.git(&["rev-parse", &records::name(&run)]);
    let talk = records::with(&records::files(&repo, &run), "replies/", "There may be none");
    type Change<'a> = &'a dyn Fn(&mut records::Files);
    let table: [(Change, &str); 6] = [
        (&|files| records::replace(files, "events.jsonl", "none of them", "two of them"), "a turn that is no reply"),
        (&|files| records::replace(files, &talk, "none of them", "two of them"), "a turn that is no reply"),
        (&|files| _ = files.remove(&talk), "a turn that is no reply"),
        (
            &|files| records::replace(files, "events.jsonl", "\"verdict\":\"ok\"", "\"verdict\":\"fix\""),
            "another verdict",
        ),
        (
            &|files| records::replace(files, "events.jsonl", "\"event\":\"reviewed\"", "\"event\":\"nothing\""),
            "what became of a verdict",
        ),
        (
            &|files| records::replace(files, "events.jsonl", "\"event\":\"said\"", "\"event\":\"nothing\""),
            "do not tell of a turn",
        ),
    ];
    for (change, why) in table {
        repo.git(&["update-ref", &records::name(&run), &record]);
        records::forge(&repo, &run, change);
        let ran = verify();
        assert!(ran.status == Some(1) && ran.out.contains("record-altered") && ran.out.contains(why), "{why}: {ran}");
    }
}

#[test]
fn the_transcript_names_patch_and_targets_and_has_every_turn() {
    let (repo, _) = talked();
    let (folder, transcript) = (left(&repo), transcript(&repo));
    assert_eq!(transcript["patch_path"], folder.join("change.patch").to_str().unwrap());
    assert_eq!(
        (&transcript["task"], &transcript["verdict"], &transcript["rounds"]),
        (&WHAT.into(), &"ok".into(), &2.into())
    );
    let turns: Vec<String> = transcript["turns"]
        .as_array()
        .unwrap()
        .iter()
        .map(|turn| {
            format!(
                "{} {} {} {}",
                turn["role"].as_str().unwrap(),
                turn["round"],
                turn["form"].as_str().unwrap(),
                turn["text"].as_str().unwrap().lines().next().unwrap()
            )
        })
        .collect();
    assert_eq!(
        turns[..3],
        [
            "implementer 1 talk I divide by the number of values.",
            "reviewer 1 talk There may be none of them.",
            "implementer 2 whole ```src/mean.py"
        ]
    );
    assert!(turns[3].starts_with("reviewer 2 verdict verdict-"), "{turns:?}");
    let summary = fs::read_to_string(folder.join("summary.txt")).unwrap();
    assert!(
        summary.contains("\nfiles        src/mean.py\n")
            && summary.contains("\n== Round 1, reviewer, talk\n\n    There may be none of them.\n"),
        "{summary}"
    );
}

#[test]
fn log_show_and_review_say_of_a_task_where_its_patch_is() {
    let json = |ran: &crate::repo::Ran| -> serde_json::Value { serde_json::from_str(&ran.out).unwrap() };
    for is_elsewhere in [false, true] {
        let repo = repo();
        answer(&repo, "src/mean.py.md", &block("src/mean.py", MENDED));
        answer(&repo, "reviewer.verdict", "MARK ok\n");
        let folder = repo.place("elsewhere");
        let output = ["--output", folder.to_str().unwrap()];
        let arguments = if is_elsewhere { &output[..] } else { &[] };
        let run = task(&repo, WHAT, &[&["--target", "src/mean.py"], arguments].concat()).recorded_only();
        let patch = if is_elsewhere { folder } else { left(&repo) }.join("change.patch");
        let place = patch.to_str().unwrap();
        let log = repo.run(&["log"]);
        assert!(log.out.contains(&format!("{run}  patch  ")), "{log}");
        assert!(log.out.ends_with(&format!("{run}: the patch is '{place}'\n")), "{log}");
        let told = json(&repo.run(&["log", "--json"]));
        assert_eq!((&told["runs"][0]["became"], &told["runs"][0]["patch"]), (&"patch".into(), &place.into()));
        let shown = repo.run(&["show", &run]);
        assert!(shown.out.contains(&format!("\npatch      {place}\n")), "{shown}");
        assert_eq!(json(&repo.run(&["show", "--json", &run]))["run"]["patch"], place);
        let review = repo.run(&["review"]);
        review.refused(128).says("no run has left a branch here").says(place);
        let review = repo.run(&["review", &run]);
        review.refused(128).says(&format!("run '{run}' has left a patch, and no branch to review")).says(place);
        // The record itself, which may be handed on, says nothing of this machine.
        let files = crate::records::files(&repo, &run);
        let tells =
            |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).contains(patch.parent().unwrap().to_str().unwrap());
        assert!(!files.values().any(tells));
        fs::remove_file(&patch).unwrap();
        let log = repo.run(&["log"]);
        assert!(log.out.contains(&format!("{run}  patch gone  ")) && !log.out.contains(place), "{log}");
    }
}

#[test]
fn a_last_reply_without_a_usable_block_is_a_clear_error_and_everything_is_kept() {
    let repo = repo();
    answer(&repo, "src/mean.py.md", "I have fixed the mean. All tests pass.\n");
    let ran = task(&repo, WHAT, &["--target", "src/mean.py"]);
    ran.refused(1);
    assert!(ran.err.contains("error: ") && ran.err.contains("I have fixed the mean."), "{ran}");
    assert!(ran.err.contains("git implement --continue"), "{ran}");
    assert_eq!(ran.failed.len(), 1, "{ran}");
    let transcript = transcript(&repo);
    assert_eq!((&transcript["patch_path"], &transcript["status"]), (&serde_json::Value::Null, &1.into()));
    assert!(transcript["turns"][0]["text"].as_str().unwrap().contains("I have fixed the mean."));
    assert!(!left(&repo).join("change.patch").exists());
}

// What goes beyond them.

#[test]
fn what_is_said_is_shown_as_it_is_said() {
    let (_, ran) = talked();
    let expected = "[round 1] implementer:\n  | I divide by the number of values.\n[round 1] reviewer:\n  | There may be none of them.\n";
    assert!(ran.err.contains(expected), "{ran}");
    assert!(ran.err.contains("[review] ok\n"), "{ran}");
}

#[test]
fn nothing_of_the_users_changes_and_the_patch_alone_is_the_result() {
    let (repo, ran) = talked();
    assert!(
        ran.out.starts_with("patch: 2 insertions(+), 0 deletions(-)")
            || ran.out.starts_with("patch: 3 insertions(+), 1 deletion(-)"),
        "{ran}"
    );
    assert_eq!(repo.git(&["branch", "--format=%(refname:short)"]), "main");
}

#[test]
fn commit_makes_a_branch_too() {
    let repo = repo();
    answer(&repo, "src/mean.py.md", &block("src/mean.py", MENDED));
    answer(&repo, "reviewer.verdict", "MARK ok\n");
    let ran = task(&repo, WHAT, &["--target", "src/mean.py", "--commit"]);
    ran.published("implement/Fix-the-mean-of-no-values");
    assert_eq!(repo.subjects("implement/Fix-the-mean-of-no-values"), [WHAT]);
    let patch = left(&repo).join("change.patch");
    repo.git(&["am", "-q", patch.to_str().unwrap()]);
    let tree = |name: &str| repo.git(&["rev-parse", &format!("{name}^{{tree}}")]);
    assert_eq!(tree("HEAD"), tree("implement/Fix-the-mean-of-no-values"));
    assert_eq!(repo.git(&["log", "-1", "--format=%s"]), WHAT);
}

#[test]
fn files_are_named_by_the_model_and_agreed_to_where_no_target_is() {
    let repo = repo();
    answer(&repo, "implementer.proposal", NAMED);
    answer(&repo, "src/mean.py.md", &block("src/mean.py", MENDED));
    answer(&repo, "reviewer.verdict", "MARK ok\n");
    let ran = task(&repo, WHAT, &[]);
    ran.refused(128);
    assert!(ran.err.contains("run it again with --yes"), "{ran}");
    let ran = task(&repo, WHAT, &["--yes"]);
    ran.recorded_only();
    assert_eq!(transcript(&repo)["target_files"], serde_json::json!(["src/mean.py"]));
}

#[test]
fn the_turn_in_which_files_are_named_is_told_recorded_counted_and_replayed() {
    for is_shown_first in [false, true] {
        let repo = repo();
        answer(&repo, "implementer.proposal", NAMED);
        answer(&repo, "src/mean.py.md", &block("src/mean.py", MENDED));
        answer(&repo, "reviewer.verdict", "MARK ok\n");
        if is_shown_first {
            task(&repo, WHAT, &[]).refused(128);
        }
        let recordings = repo.place("recordings");
        let to = recordings.to_str().unwrap();
        let run = task(&repo, WHAT, &["--yes", "--record", to]).recorded_only();
        let forms = ["proposal task", "whole src/mean.py", "verdict task"];
        let asked: Vec<String> =
            asked(&repo).iter().map(|line| line.split(' ').skip(3).collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(asked, forms, "nobody is asked twice");
        let transcript = transcript(&repo);
        let turns = transcript["turns"].as_array().unwrap();
        let told: Vec<String> = turns.iter().map(|turn| format!("{} {}", turn["form"], turn["path"])).collect();
        assert_eq!(told.join(", ").replace('"', ""), forms.join(", "));
        assert_eq!((&turns[0]["role"], &turns[0]["round"]), (&"implementer".into(), &1.into()));
        assert!(turns[0]["text"] == NAMED && turns[0].as_object().unwrap().contains_key("cost"), "{}", turns[0]);
        let sum = |of: &str| turns.iter().map(|turn| turn["usage"][of].as_u64().unwrap()).sum::<u64>();
        assert!(turns[0]["usage"]["input"].as_u64().unwrap() > 100);
        assert_eq!((sum("input"), sum("output")), (used(&transcript, "input"), used(&transcript, "output")));
        let summary = fs::read_to_string(left(&repo).join("summary.txt")).unwrap();
        assert!(summary.contains("== Round 1, implementer, which files\n"), "{summary}");
        // The record has it as well.
        let files = crate::records::files(&repo, &run);
        let first: serde_json::Value = serde_json::from_slice(&files["requests/0001.json"]).unwrap();
        assert_eq!((&first["path"], &first["format"]), (&"task".into(), &"proposal".into()));
        assert!(files.contains_key(&format!("replies/{}.json", first["key"].as_str().unwrap())));
        let log: serde_json::Value = serde_json::from_str(&repo.run(&["log", "--json"]).out).unwrap();
        assert_eq!(log["runs"][0]["spent"]["input"], used(&transcript, "input"));
        // What was recorded answers all of it again.
        fs::remove_dir_all(repo.git_dir().join("implement/tasks")).unwrap();
        repo.run(&["task", WHAT, "--yes", "--replay", to]).recorded_only();
    }
}

#[test]
fn a_file_that_no_plan_may_write_is_not_agreed_to_with_yes() {
    let repo = repo();
    answer(
        &repo,
        "implementer.proposal",
        "```json\n{\"design\": [{\"path\": \".github/workflows/ci.yml\", \"change\": \"add\"}]}\n```\n",
    );
    let ran = task(&repo, WHAT, &["--yes"]);
    assert_ne!(ran.status, Some(0), "{ran}");
    assert!(ran.refs.is_empty() && asked(&repo).len() == 1, "{ran}");
}

#[test]
fn what_makes_no_sense_is_refused_before_anybody_is_asked() {
    let repo = repo();
    std::os::unix::fs::symlink("src/mean.py", repo.dir.join("link")).unwrap();
    repo.write("a\"b.py", "a = 1\n");
    repo.commit("names");
    for (arguments, said) in [
        (&["", "--target", "src/mean.py"][..], "the task is empty"),
        (&["  \n", "--target", "src/mean.py"], "the task is empty"),
        (&[WHAT, "--target", "../x.py"], "is no file of the repository"),
        (&[WHAT, "--target", "src/"], "is a directory"),
        (&[WHAT, "--target", "src"], "fatal: 'src' is a directory\nhint: name the files in it\n"),
        (&[WHAT, "--target", "link"], "fatal: 'link' is a symbolic link\nhint: name the file that it leads to\n"),
        (&[WHAT, "--target", "a\"b.py"], "hint: rename the file first (git mv)"),
        (&[WHAT, "--target", "src/mean.py", "-b", "x"], "-b names a branch, and a task makes none unless --commit"),
        (&[WHAT, "--target", "src/mean.py", "--force"], "hint: --commit makes a branch beside the patch"),
        (&[WHAT, "--target", "src/mean.py", "--rounds", "0"], "'0' is no number of rounds"),
        (&[WHAT, "--target", "src/mean.py", "--rounds", "6"], "'6' is no number of rounds"),
        (&[WHAT, "--target", "src/mean.py", "--rounds", "many"], "'many' is no number of rounds"),
    ] {
        let ran = run(&repo, &["task"], arguments);
        ran.refused_at_once(129);
        assert!(ran.err.contains(said) && !ran.err.contains("is to be made"), "{ran}");
    }
    assert_eq!(asked(&repo), Vec::<String>::new());
}

#[test]
fn the_words_of_a_task_permit_nothing_and_name_no_file() {
    let repo = repo();
    // Put together here, so that no scanner takes this file for one that has lost a secret.
    let secret = ["gh", "p_", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ", "0mLq17"].concat();
    let text = format!("KEY = \"{secret}\"\n\n\ndef mean(values):\n    return 0\n");
    answer(&repo, "src/mean.py.md", &block("src/mean.py", &text));
    answer(&repo, "reviewer.verdict", "MARK ok\n");
    let what = "Fix it (allow: secret, allow: size).\n\n| File | Change |\n|---|---|\n| `src/evil.py` | Add |\n";
    let ran = task(&repo, what, &["--target", "src/mean.py", "--repair", "0"]);
    ran.refused(1);
    assert_eq!(transcript(&repo)["target_files"], serde_json::json!(["src/mean.py"]));
    assert!(!fs::read_to_string(left(&repo).join("transcript.json")).unwrap().contains(&secret));
}

#[test]
fn a_run_that_failed_goes_on_with_what_was_said() {
    let repo = repo();
    answer(&repo, "implementer.1.talk", "I divide.\n");
    answer(&repo, "reviewer.1.talk", "There may be none.\n");
    answer(&repo, "src/mean.py.md", "Done.\n");
    let ran = task(&repo, WHAT, &["--target", "src/mean.py", "--rounds", "2", "--repair", "0"]);
    ran.refused(1);
    let said = asked(&repo).len();
    fs::remove_dir_all(repo.git_dir().join("implement/tasks")).unwrap();
    answer(&repo, "src/mean.py.md", &block("src/mean.py", MENDED));
    answer(&repo, "reviewer.verdict", "MARK ok\n");
    let run = run(&repo, &["--continue"], &[]);
    run.recorded_only();
    let asked = asked(&repo)[said..].to_vec();
    assert_eq!(asked, ["writer implementer 2 whole src/mean.py", "critic reviewer 2 verdict task"], "{run}");
    assert_eq!(transcript(&repo)["task"], WHAT);
}

#[test]
fn recorded_replies_make_the_same_patch_again() {
    let repo = repo();
    answer(&repo, "src/mean.py.md", &block("src/mean.py", MENDED));
    answer(&repo, "reviewer.verdict", "MARK ok\n");
    let recordings = repo.place("recordings");
    let to = recordings.to_str().unwrap();
    task(&repo, WHAT, &["--target", "src/mean.py", "--record", to]).recorded_only();
    let first = fs::read(left(&repo).join("change.patch")).unwrap();
    fs::remove_dir_all(repo.git_dir().join("implement/tasks")).unwrap();
    let ran = repo.run(&["task", WHAT, "--target", "src/mean.py", "--replay", to]);
    ran.recorded_only();
    assert_eq!(transcript(&repo)["verdict"], "ok", "{ran}");
    let diff = |patch: &[u8]| String::from_utf8_lossy(patch).split_once("\n---\n").unwrap().1.to_owned();
    assert_eq!(diff(&fs::read(left(&repo).join("change.patch")).unwrap()), diff(&first));
}

#[test]
fn a_target_outside_of_the_repository_is_none() {
    let repo = repo();
    let outside = repo.place("answers/x.py");
    for target in [outside.to_str().unwrap(), "/etc/passwd", "../x.py"] {
        let ran = task(&repo, WHAT, &["--target", target]);
        assert_eq!(ran.status, Some(129), "{ran}");
        assert!(ran.err.contains(&format!("'{target}' is no file of the repository")), "{ran}");
    }
}

#[test]
fn of_what_was_said_nothing_is_in_a_record_that_is_to_have_none_of_it() {
    let mut repo = repo();
    answer(&repo, "implementer.1.talk", "ZORK I divide.\n");
    answer(&repo, "reviewer.1.talk", "ZORK none of them.\n");
    answer(&repo, "src/mean.py.md", &block("src/mean.py", MENDED));
    answer(&repo, "reviewer.verdict", "MARK fix\n");
    answer(&repo, "reviewer.remarks", "src/mean.py:2\n> if not values:\nZORK\n");
    repo.configure("implement.record", "none");
    let ran = task(&repo, WHAT, &["--target", "src/mean.py", "--rounds", "2"]);
    ran.recorded_only();
    let run = transcript(&repo)["run"].as_str().unwrap().to_owned();
    let files = crate::records::files(&repo, &run);
    assert!(files.contains_key("events.jsonl") && files.contains_key("plan.json"));
    for (name, bytes) in files {
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains("ZORK"), "{name}: {text}");
        assert!(name != "plan.json" || !text.contains(WHAT), "{text}");
    }
}

#[test]
fn a_secret_in_a_talk_is_kept_nowhere() {
    let repo = repo();
    let secret = concat!("ghp_", "zQ8mWv4KpX2nRt7LbYc9HsDf3JgAe6", "2DYjTQ");
    answer(&repo, "implementer.1.talk", &format!("I take {secret} for it.\n"));
    answer(&repo, "reviewer.1.talk", &format!("Not {secret}.\n"));
    answer(&repo, "src/mean.py.md", &block("src/mean.py", MENDED));
    answer(&repo, "reviewer.verdict", &format!("{secret}\nMARK ok\n"));
    let recorded = repo.place("recorded");
    let folder = recorded.to_str().unwrap();
    let ran = task(&repo, WHAT, &["--target", "src/mean.py", "--rounds", "2", "--record", folder]);
    ran.recorded_only();
    let run = transcript(&repo)["run"].as_str().unwrap().to_owned();
    let mut texts: Vec<Vec<u8>> = crate::records::files(&repo, &run).into_values().collect();
    texts.extend(fs::read_dir(&recorded).unwrap().map(|entry| fs::read(entry.unwrap().path()).unwrap()));
    texts.extend(fs::read_dir(left(&repo)).unwrap().map(|entry| fs::read(entry.unwrap().path()).unwrap()));
    assert!(texts.len() > 8);
    for text in texts {
        assert!(!String::from_utf8_lossy(&text).contains(secret), "{}", String::from_utf8_lossy(&text));
    }
}

/// The proposal of these files, as JSON.
fn proposing(files: &str) -> String {
    format!("```json\n{{\"design\": [{files}]}}\n```\n")
}

#[test]
fn a_task_that_ends_before_its_files_are_named_is_told_recorded_counted_and_replayed() {
    let gone = proposing("{\"path\": \"src/gone.py\", \"change\": \"modify\"}");
    let told = "what is proposed is refused: cannot modify 'src/gone.py': the base has no such file";
    for (said, why) in [
        ("I cannot tell.\n", "the reply has no JSON object in a fence"),
        (&*gone, told),
        (&proposing("{\"path\": \".gitattributes\", \"change\": \"add\"}"), "'.gitattributes' instructs git"),
        (&proposing(""), "the model names no file that the task would change"),
    ] {
        let repo = repo();
        answer(&repo, "implementer.proposal", said);
        let folder = repo.place("sessions");
        let ran = task(&repo, WHAT, &["--yes", "--json", "--output", folder.to_str().unwrap()]);
        ran.refused(1).says(why).says("hint: name the files yourself: --target <path>").says("for --replay in");
        assert!(!ran.err.contains("list of files") && !ran.err.contains("'-'") && !ran.err.contains("-:"), "{ran}");
        let last = ran.events().pop().unwrap();
        assert_eq!((&last["event"], &last["status"]), (&"run-finished".into(), &1.into()), "{ran}");
        let spent = last["usage"]["input"].as_u64().unwrap();
        assert!(spent > 1_000, "{last}");
        let record = std::path::PathBuf::from(last["record"].as_str().unwrap());
        let run = record.file_name().unwrap().to_str().unwrap();
        // What a task leaves however it ends.
        let transcript: serde_json::Value =
            serde_json::from_slice(&fs::read(folder.join("transcript.json")).unwrap()).unwrap();
        assert_eq!((&transcript["run"], &transcript["status"]), (&run.into(), &1.into()));
        assert_eq!((&transcript["turns"][0]["text"], used(&transcript, "input")), (&said.into(), spent));
        assert!(
            fs::read_to_string(folder.join("summary.txt")).unwrap().contains("\nfailed       the reply for 'task'")
        );
        // Every reader of records reads it.
        let status = repo.run(&["--status"]);
        assert!(status.out.starts_with(&format!("{run} task: refused, before its files were named, ")), "{status}");
        let log: serde_json::Value = serde_json::from_str(&repo.run(&["log", "--json"]).out).unwrap();
        let log = &log["runs"][0];
        assert_eq!((&log["became"], &log["status"]), (&"refused".into(), &1.into()), "{log}");
        assert_eq!(log["spent"]["input"], spent, "{log}");
        assert_eq!(repo.run(&["show", run]).status, Some(0));
        repo.run(&["--continue"]).refused(128).says("it ended before its files were named");
        // What was paid for answers again.
        let replayed = repo.run(&["task", WHAT, "--yes", "--replay", record.to_str().unwrap()]);
        replayed.refused(1).says(why);
    }
}

#[test]
fn a_task_of_which_nobody_names_the_files_leaves_what_every_failed_task_leaves() {
    let repo = repo();
    let ran = task(&repo, WHAT, &["--yes"]);
    ran.refused(2).says("nothing was answered and nothing committed");
    assert_eq!(transcript(&repo)["status"], 2);
    let status = repo.run(&["--status"]);
    assert!(status.out.contains(" task: no-answer, before its files were named"), "{status}");
    assert!(status.out.contains(", 1 request unanswered"), "{status}");
}

#[test]
fn a_folder_that_cannot_be_written_into_is_told_before_anybody_is_paid() {
    let repo = repo();
    answer(&repo, "implementer.proposal", NAMED);
    let file = repo.place("a-file");
    fs::write(&file, "").unwrap();
    for output in [file.clone(), file.join("below")] {
        let ran = task(&repo, WHAT, &["--target", "src/mean.py", "--output", output.to_str().unwrap()]);
        ran.refused_at_once(129).says(&format!("fatal: '{}' is no folder\n", file.display()));
    }
    for arguments in [&["--target", "src/mean.py"][..], &["--yes"]] {
        let ran = task(&repo, WHAT, &[arguments, &["--output", "/proc/no-such-folder"]].concat());
        ran.refused_at_once(128).says("cannot write into '/proc/no-such-folder'");
    }
    assert_eq!(asked(&repo), Vec::<String>::new());
}

#[test]
fn a_run_that_goes_on_leaves_its_files_where_it_began_to() {
    let repo = repo();
    answer(&repo, "src/mean.py.md", "Done.\n");
    let folder = repo.place("sessions");
    let arguments = ["--target", "src/mean.py", "--repair", "0", "--output", folder.to_str().unwrap()];
    task(&repo, WHAT, &arguments).refused(1);
    answer(&repo, "src/mean.py.md", &block("src/mean.py", MENDED));
    answer(&repo, "reviewer.verdict", "MARK ok\n");
    let again = task(&repo, WHAT, &arguments);
    again.refused_at_once(129).says("of the run ").says("hint: to start again, take it away, or name another folder");
    let go_on = again.err.split("hint: git implement --continue ").nth(1).unwrap().split(':').next().unwrap();
    let ran = run(&repo, &["--continue", go_on], &[]);
    ran.recorded_only();
    let transcript: serde_json::Value =
        serde_json::from_slice(&fs::read(folder.join("transcript.json")).unwrap()).unwrap();
    assert_eq!((&transcript["status"], &transcript["verdict"]), (&0.into(), &"ok".into()));
    assert_eq!(transcript["patch_path"], folder.join("change.patch").to_str().unwrap());
    assert!(folder.join("change.patch").exists() && folder.join("summary.txt").exists(), "{ran}");
    // What is there now is of a run that went well: nobody writes over it.
    let again = task(&repo, WHAT, &arguments);
    again.refused_at_once(129);
    assert!(!again.err.contains("--continue"), "{again}");
}

#[test]
fn below_the_top_the_patch_is_taken_at_the_top() {
    let repo = repo();
    answer(&repo, "src/mean.py.md", &block("src/mean.py", MENDED));
    answer(&repo, "reviewer.verdict", "MARK ok\n");
    repo.write("a b/x", "");
    repo.commit("folder");
    let here = repo.dir.join("a b");
    let (writer, reviewer) = (speaker(&repo, "writer"), format!("command:{}", speaker(&repo, "critic")));
    let arguments = ["--provider", "command", "--command", &writer, "--reviewer", &reviewer];
    let ran = repo.run_in(&here, &[&["task", WHAT, "--target", "../src/mean.py"], &arguments[..]].concat());
    let take = ran.out.lines().find(|line| line.contains(" apply ")).unwrap().trim().split("  #").next().unwrap();
    assert!(take.starts_with("git -C "), "{ran}");
    repo.run_in(&here, &["review"]).refused(128).says(take);
    let taken = std::process::Command::new("sh").args(["-c", take]).current_dir(&here).status().unwrap();
    assert!(taken.success());
    assert_eq!(fs::read_to_string(repo.dir.join("src/mean.py")).unwrap(), MENDED);
    // At the top nothing of that is said.
    repo.run(&["review"]).refused(128).says("hint: git apply ");
}

#[test]
fn a_commit_of_a_task_says_all_of_it() {
    let what = "Fix the mean of no values, which divides by nothing, and say what becomes of it\n\nIt is 0.0 then.";
    let cut = "Fix the mean of no values, which divides by nothing, and say\u{2026}";
    for (how, subject) in [("--commit", cut), ("--commit=per-file", "Modify src/mean.py")] {
        let repo = repo();
        answer(&repo, "src/mean.py.md", &block("src/mean.py", MENDED));
        answer(&repo, "reviewer.verdict", "MARK ok\n");
        task(&repo, what, &["--target", "src/mean.py", how, "-b", "mended"]).published("mended");
        let message = repo.git(&["log", "-1", "--format=%B", "mended"]);
        let words =
            message.split_once("\n\nImplements: ").unwrap().0.replace("of it\n\nIt", "of it It").replace('\n', " ");
        assert_eq!(words, format!("{subject}  {}", what.replace("\n\n", " ")), "{message}");
        let patch = fs::read_to_string(left(&repo).join("change.patch")).unwrap();
        assert!(patch.contains("\nIt is 0.0 then.\n") && !patch.contains("As the task says"), "{patch}");
        let verified = repo.run(&["verify", "main..mended"]);
        assert!(verified.status == Some(0) && verified.out.starts_with("exact "), "{verified}");
    }
}

#[test]
fn a_value_that_stands_apart_is_told_as_one_that_was_meant() {
    let ran = task(&repo(), WHAT, &["--target", "src/mean.py", "--commit", "per-file"]);
    ran.refused_at_once(129).says("hint: did you mean '--commit=per-file'?\n");
}

#[test]
fn all_that_a_run_that_goes_on_has_to_be_given_again_is_named_at_once() {
    let repo = repo();
    answer(&repo, "src/mean.py.md", "Done.\n");
    task(&repo, WHAT, &["--target", "src/mean.py", "--repair", "0"]).refused(1);
    let ran = repo.run(&["--continue"]);
    ran.refused(128).says("fatal: the run was started with --command and --reviewer, which are in no record\n");
    ran.says(" --command \u{2026} --reviewer \u{2026}\n");
    // A task has no branch to be on.
    let status = repo.run(&["--status"]);
    assert!(status.out.contains(" task: refused, 0 of 1 files accepted"), "{status}");
}
