//! `git implement verify`: what was generated is made again from its record and compared; what was tampered with is found,
//! whatever it is.

use crate::lists::{BRANCH, FOLDER, spec_kit};
use crate::records::{self, forge, replace, rewrite};
use crate::repo::{Ran, Repo};
use serde_json::Value;

const DESIGN: &str = "# 4 - Some files\n\n## Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
                      | `src/a.py` | Modify | Other values |\n| `src/b.py` | Add | Uses them |\n\
                      | `src/old.py` | Delete | Is not used |\n| `src/c.py` | Add | One more |\n";

const A: &str = "FIRST = 1\n\n\ndef value():\n    return FIRST\n\n\nLAST = 3\n";
const B: &str = "from a import value\n\n\ndef twice():\n    return value() * 2\n";
const C: &str = "def three():\n    return 3\n";

fn change(old: &str, new: &str) -> String {
    format!("FIND:\n```\n{old}\n```\nREPLACE WITH:\n```\n{new}\n```\n")
}

fn whole(text: &str) -> String {
    format!("```python\n{text}```\n")
}

/// A repository in which four commits were generated on the branch that is checked out; the run's id.
fn generated() -> (Repo, String) {
    let repo = Repo::of(&[("docs/4.md", DESIGN), ("src/a.py", A), ("src/old.py", "OLD = 1\n"), ("README.md", "# R\n")]);
    // The first reply has a change without a place, and is mended by the second.
    repo.answer_at("src/a.py", 1, change("FIRST = 1", "FIRST = 10") + &change("MISSING = 1", "MISSING = 2"));
    repo.answer_at("src/a.py", 2, change("LAST = 3", "LAST = 30"));
    repo.answer("src/b.py", whole(B));
    repo.answer("src/c.py", whole(C));
    let ran = repo.implement(&["docs/4.md", "--format", "find-replace"]);
    let run = ran.published("implement/4");
    repo.git(&["switch", "--quiet", "implement/4"]);
    (repo, run)
}

fn verify(repo: &Repo, arguments: &[&str]) -> Ran {
    repo.run(&[&["verify"], arguments].concat())
}

/// The commits that `verify main.. --json` tells of.
#[track_caller]
fn told(repo: &Repo) -> Vec<Value> {
    let ran = verify(repo, &["main..", "--json"]);
    let report: Value = serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}\n{ran}"));
    assert_eq!(report["schema"], 1);
    assert_eq!(ran.status, Some(if report["good"] == true { 0 } else { 1 }), "{ran}");
    report["commits"].as_array().unwrap().clone()
}

#[track_caller]
fn verdicts(repo: &Repo) -> Vec<String> {
    told(repo).iter().map(|commit| commit["verdict"].as_str().unwrap().to_owned()).collect()
}

/// All reasons and notes, a line each.
fn words(commits: &[Value]) -> String {
    let of = |commit: &Value, name: &str| -> Vec<String> {
        commit[name].as_array().unwrap().iter().map(|line| line.as_str().unwrap().to_owned()).collect()
    };
    commits
        .iter()
        .flat_map(|commit| [of(commit, "reasons"), of(commit, "notes")].concat())
        .collect::<Vec<_>>()
        .join("\n")
}

/// The record was tampered with, which is told in these words.
#[track_caller]
fn altered(repo: &Repo, why: &str) {
    let commits = told(repo);
    assert!(commits.iter().all(|commit| commit["verdict"] == "record-altered"), "{commits:#?}");
    assert!(words(&commits).contains(why), "no '{why}' in {}", words(&commits));
}

#[test]
fn every_commit_of_a_run_is_made_again_exactly() {
    let (repo, _) = generated();
    let ran = verify(&repo, &["main..implement/4"]);
    assert_eq!(ran.changed_nothing().err, "");
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines.len(), 5, "{ran}");
    assert!(lines[0].starts_with("exact          ") && lines[0].ends_with(" Modify src/a.py"), "{ran}");
    assert_eq!(lines[4], "4 exact");
    // The base was nobody's run.
    let ran = verify(&repo, &["implement/4"]);
    assert!(ran.changed_nothing().out.ends_with("4 exact, 1 not generated\n"), "{ran}");
    let ran = verify(&repo, &["main..", "--gates"]);
    assert!(ran.changed_nothing().out.ends_with("4 exact\n"), "{ran}");
    let ran = verify(&repo, &["main..", "--github"]);
    assert_eq!(ran.changed_nothing().out, "::notice title=verify::4 exact\n");
}

#[test]
fn an_unknown_range_is_fatal_and_none_is_a_usage_error() {
    let (repo, _) = generated();
    verify(&repo, &["nowhere..main"]).refused_at_once(128).says("nowhere..main");
    verify(&repo, &[]).refused_at_once(129);
}

#[test]
fn a_clone_that_got_only_the_pushed_refs_can_verify_them() {
    let (repo, run) = generated();
    let other = repo.place("other.git");
    let other = other.to_str().unwrap();
    repo.git(&["init", "--quiet", "--bare", "--initial-branch=main", other]);
    repo.git(&["push", "--quiet", other, "main", "implement/4", &records::name(&run)]);
    let place = repo.place("clone");
    repo.git(&["clone", "--quiet", "--branch", "implement/4", other, place.to_str().unwrap()]);
    repo.git(&["-C", place.to_str().unwrap(), "fetch", "--quiet", "origin", "refs/implement/*:refs/implement/*"]);
    let ran = repo.run_in(&place, &["verify", "origin/main.."]);
    assert_eq!((ran.status, ran.out.lines().last()), (Some(0), Some("4 exact")), "{ran}");
}

#[test]
fn what_a_person_changed_is_told_with_its_lines_and_as_a_patch() {
    let (repo, _) = generated();
    repo.write("src/c.py", "def three():\n    return 4\n");
    repo.git(&["commit", "--quiet", "--all", "--amend", "--no-edit"]);
    let ran = verify(&repo, &["main.."]);
    assert_eq!(ran.status, Some(1));
    assert!(ran.out.contains("    src/c.py: line 2 is not what the replies make\n"), "{ran}");
    assert!(ran.out.contains("-    return 3\n+    return 4\n"), "{ran}");
    assert!(ran.out.ends_with("3 exact, 1 edited\n"), "{ran}");
    let last = told(&repo).pop().unwrap();
    assert_eq!((&last["verdict"], &last["differences"][0]["lines"]), (&"edited".into(), &serde_json::json!([[2, 2]])));
    let ran = verify(&repo, &["main..", "--github"]);
    assert!(ran.out.starts_with("::warning title=verify-edited,file=src/c.py,line=2::"), "{ran}");
}

#[test]
fn another_mode_another_file_and_a_file_that_is_left_out_are_each_an_edit() {
    let (repo, _) = generated();
    let amend = || repo.git(&["commit", "--quiet", "--amend", "--no-edit", "--allow-empty"]);
    let differences = || {
        let last = told(&repo).pop().unwrap();
        assert_eq!(last["verdict"], "edited");
        let one = |it: &Value| (it["path"].as_str().unwrap().to_owned(), it["what"].as_str().unwrap().to_owned());
        last["differences"].as_array().unwrap().iter().map(one).collect::<Vec<_>>()
    };
    let is = |path: &str, what: &str| (path.to_owned(), what.to_owned());
    repo.git(&["update-index", "--chmod=+x", "src/c.py"]);
    amend();
    assert_eq!(differences(), [is("src/c.py", "mode")]);
    repo.git(&["update-index", "--chmod=-x", "src/c.py"]);
    repo.write("src/more.py", "MORE = 1\n");
    repo.git(&["add", "src/more.py"]);
    amend();
    assert_eq!(differences(), [is("src/more.py", "added")]);
    repo.git(&["rm", "--quiet", "--cached", "src/more.py", "src/c.py"]);
    amend();
    assert_eq!(differences(), [is("src/c.py", "gone")]);
}

#[test]
fn a_commit_of_a_person_between_them_is_not_generated() {
    let (repo, _) = generated();
    repo.write("README.md", "# Read me\n");
    repo.commit("A person's");
    assert_eq!(verdicts(&repo), ["exact", "exact", "exact", "exact", "not-generated"]);
}

#[test]
fn a_rebase_onto_other_files_and_onto_another_text_of_the_same_file_is_still_exact() {
    let (repo, _) = generated();
    repo.git(&["switch", "--quiet", "main"]);
    repo.write("README.md", "# Read me\n");
    repo.write("src/a.py", A.replace("return FIRST", "return int(FIRST)"));
    repo.commit("A person's");
    repo.git(&["rebase", "--quiet", "main", "implement/4"]);
    let commits = told(&repo);
    assert!(commits.iter().all(|commit| commit["verdict"] == "exact"), "{commits:#?}");
    assert!(words(&commits).contains("it stands on another tree than in the run"), "{}", words(&commits));
}

#[test]
fn a_squash_is_exact_and_says_how_many_commits_it_is_and_an_edit_in_it_is_found() {
    let (repo, run) = generated();
    let squash = |message: &str| {
        repo.git(&["reset", "--quiet", "--soft", "main"]);
        repo.git(&["commit", "--quiet", "--message", message]);
    };
    squash(&format!("All of it\n\nImplement-Run: {run}\n\n* and more\n"));
    let commits = told(&repo);
    assert_eq!((commits.len(), &commits[0]["verdict"]), (1, &"exact".into()), "{commits:#?}");
    assert_eq!(commits[0]["of"], serde_json::json!([1, 2, 3, 4]));
    assert!(words(&commits).contains("it is 4 commits of the run in one"));
    // Without any word of the run it is known by its trees.
    squash("All of it");
    let commits = told(&repo);
    assert_eq!(commits[0]["verdict"], "exact");
    assert!(words(&commits).contains("found by its trees"), "{}", words(&commits));
    repo.write("src/b.py", B.replace("* 2", "* 3"));
    repo.git(&["add", "--all"]);
    squash(&format!("All of it\n\nImplement-Run: {run}\n"));
    let commits = told(&repo);
    assert_eq!((&commits[0]["verdict"], &commits[0]["differences"][0]["path"]), (&"edited".into(), &"src/b.py".into()));
    assert_eq!(commits[0]["differences"].as_array().unwrap().len(), 1);
}

#[test]
fn commits_in_another_order_twice_or_with_one_left_out_are_told() {
    let (repo, _) = generated();
    let commits: Vec<String> = repo.git(&["rev-list", "--reverse", "main.."]).lines().map(str::to_owned).collect();
    let made_of = |order: &[usize]| {
        repo.git(&["reset", "--quiet", "--hard", "main"]);
        for at in order {
            repo.git(&["cherry-pick", "--allow-empty", "--keep-redundant-commits", &commits[*at]]);
        }
        words(&told(&repo))
    };
    assert!(made_of(&[1, 0, 2, 3]).contains("it stands in another order than in the run"));
    let said = made_of(&[0, 1, 3]);
    assert!(said.contains("'Delete src/old.py' of the run is not before it"), "{said}");
    repo.git(&["reset", "--quiet", "--hard", &commits[3]]);
    repo.git(&["revert", "--no-edit", &commits[3]]);
    repo.git(&["cherry-pick", &commits[3]]);
    let said = words(&told(&repo));
    assert!(said.contains("it is here a second time"), "{said}");
}

#[test]
fn a_trailer_that_is_gone_or_names_another_run_or_design_is_told() {
    let (repo, run) = generated();
    let message = repo.git(&["log", "-1", "--format=%B"]);
    let amend = |message: &str| repo.git(&["commit", "--quiet", "--amend", "--message", message]);
    let gone: Vec<&str> = message.lines().filter(|line| !line.starts_with("Implement-Run")).collect();
    amend(&gone.join("\n"));
    assert!(words(&told(&repo)).contains("its message does not name the run"));
    amend(&message.replace(&run, "20260101T000000Z-abcdef"));
    let commits = told(&repo);
    assert_eq!(commits[3]["verdict"], "record-missing");
    assert!(words(&commits).contains("no record of run '20260101T000000Z-abcdef'"));
    assert!(words(&commits).contains(&format!("its tree is one of run '{run}'")));
    let blob = repo.git(&["rev-parse", "main:docs/4.md"]);
    amend(&message.replace(&blob, &"0".repeat(40)));
    let commits = told(&repo);
    assert_eq!(commits[3]["verdict"], "record-altered");
    assert!(words(&commits).contains("its message names the design 'docs/4.md' (000000000000)"), "{}", words(&commits));
}

#[test]
fn a_trailer_that_names_a_run_which_made_something_else_is_told() {
    let (repo, run) = generated();
    repo.write("other.txt", "other\n");
    repo.git(&["add", "--all"]);
    repo.git(&["commit", "--quiet", "--message", &format!("Mine\n\nImplement-Run: {run}\n")]);
    let commits = told(&repo);
    assert_eq!(commits[4]["verdict"], "record-altered");
    assert!(words(&commits).contains("has made none of what it changes"), "{}", words(&commits));
}

#[test]
fn without_its_record_a_commit_is_not_known() {
    let (repo, run) = generated();
    repo.git(&["update-ref", "-d", &records::name(&run)]);
    let ran = verify(&repo, &["main.."]);
    assert_eq!(ran.status, Some(1));
    assert!(
        ran.out.contains(&format!("there is no record of run '{run}' here: fetch refs/implement/runs/{run}")),
        "{ran}"
    );
    assert!(ran.out.ends_with("4 record missing\n"), "{ran}");
}

#[test]
fn a_reply_that_was_changed_is_found_and_so_is_one_that_is_gone_or_stands_elsewhere() {
    let (repo, run) = generated();
    let record = repo.git(&["rev-parse", &records::name(&run)]);
    let again = || repo.git(&["update-ref", &records::name(&run), &record]);
    let change_reply = |files: &mut records::Files| {
        let reply = records::with(files, "replies/", "return 3");
        replace(files, &reply, "return 3", "return 5");
    };
    rewrite(&repo, &run, change_reply);
    altered(&repo, ".json' is not what the run wrote");
    again();
    forge(&repo, &run, change_reply);
    altered(&repo, "what is recorded for 'src/c.py' makes another text than the run made of it");
    let difference = &told(&repo)[3]["differences"][0];
    assert!(difference["patch"].as_str().unwrap().contains("-    return 5\n+    return 3\n"), "{difference}");
    again();
    forge(&repo, &run, |files| {
        let reply = records::with(files, "replies/", "return 3");
        files.remove(&reply);
    });
    altered(&repo, "'src/c.py' cannot be made again: the record has no 'replies/");
    again();
    // The replies for two files, each in the other's place.
    forge(&repo, &run, |files| {
        let (one, two) =
            (records::with(files, "replies/", "return 3"), records::with(files, "replies/", "value() * 2"));
        let (first, second) = (files[&one].clone(), files[&two].clone());
        files.insert(one, second);
        files.insert(two, first);
    });
    altered(&repo, "has replies to another request");
    again();
    // A first reply that was refused is part of what was made.
    forge(&repo, &run, |files| {
        let reply = records::with(files, "replies/", "FIRST = 10");
        replace(files, &reply, "FIRST = 10", "FIRST = 11");
    });
    altered(&repo, "what is recorded for 'src/a.py' makes another text");
    again();
    forge(&repo, &run, |files| {
        let reply = records::with(files, "replies/", "return 3");
        replace(files, &reply, "\"stop\": \"end_turn\"", "\"stop\": \"max_tokens\"");
    });
    altered(&repo, "is not whole");
}

#[test]
fn a_prompt_a_base_a_design_or_a_header_that_was_changed_is_found() {
    let (repo, run) = generated();
    let record = repo.git(&["rev-parse", &records::name(&run)]);
    let tampered = |change: &dyn Fn(&mut records::Files), why: &str| {
        repo.git(&["update-ref", &records::name(&run), &record]);
        forge(&repo, &run, change);
        altered(&repo, why);
    };
    tampered(
        &|files| {
            let block = records::with(files, "blocks/", "| `src/b.py` | Add | Uses them |");
            replace(files, &block, "Uses them", "Steals them");
        },
        "has another text than was sent",
    );
    tampered(
        &|files| {
            let request = records::with(files, "requests/", "src/c.py");
            replace(files, &request, "\"whole\"", "\"unified\"");
        },
        "the prompt for 'src/c.py' is not the one that was sent",
    );
    tampered(
        &|files| {
            let base = records::with(files, "bases/", "LAST = 3");
            replace(files, &base, "LAST = 3", "LAST = 4");
        },
        "has another text in 'bases/",
    );
    tampered(&|files| replace(files, "design.md", "Uses them", "Steals them"), "'design.md' is not the design");
    tampered(&|files| replace(files, "run.json", &run, "20260101T000000Z-abcdef"), "it is the record of another run");
    let base = repo.tip("main");
    let other = repo.tip("implement/4");
    tampered(&|files| replace(files, "run.json", &base, &other), "its first commit was not made on its base");
    tampered(&|files| _ = files.insert("run.json".into(), b"{".to_vec()), "has a damaged 'run.json'");
    tampered(&|files| _ = files.remove("recipe.json"), "the record has lost its recipe");
    repo.git(&["update-ref", &records::name(&run), &record]);
    rewrite(&repo, &run, |files| _ = files.insert("more.txt".into(), b"more".to_vec()));
    altered(&repo, "'more.txt' was not written by the run");
}

#[test]
fn events_and_a_recipe_that_were_changed_are_found() {
    let (repo, run) = generated();
    let record = repo.git(&["rev-parse", &records::name(&run)]);
    let tampered = |change: &dyn Fn(&mut records::Files), why: &str| {
        repo.git(&["update-ref", &records::name(&run), &record]);
        forge(&repo, &run, change);
        altered(&repo, why);
    };
    let lines = |files: &records::Files| -> Vec<String> {
        String::from_utf8(files["events.jsonl"].clone()).unwrap().lines().map(str::to_owned).collect()
    };
    let put = |files: &mut records::Files, lines: Vec<String>| {
        files.insert("events.jsonl".into(), (lines.join("\n") + "\n").into_bytes());
    };
    tampered(
        &|files| {
            let mut lines = lines(files);
            lines.remove(3);
            put(files, lines);
        },
        "its events are not whole",
    );
    tampered(
        &|files| {
            let mut lines = lines(files);
            lines.swap(3, 4);
            put(files, lines);
        },
        "in another order",
    );
    tampered(
        &|files| replace(files, "events.jsonl", "\"event\":\"committed\"", "\"event\":\"noticed\""),
        "other commits",
    );
    let recipe = |files: &records::Files| -> Value { serde_json::from_slice(&files["recipe.json"]).unwrap() };
    let set = |files: &mut records::Files, recipe: Value| {
        files.insert("recipe.json".into(), serde_json::to_vec(&recipe).unwrap());
    };
    tampered(
        &|files| {
            let mut recipe = recipe(files);
            recipe["commits"].as_array_mut().unwrap().swap(1, 2);
            set(files, recipe);
        },
        "does not stand on the one before it",
    );
    tampered(
        &|files| {
            let mut recipe = recipe(files);
            recipe["texts"].as_array_mut().unwrap().remove(1);
            set(files, recipe);
        },
        "nothing says how 'src/b.py' was made",
    );
    tampered(
        &|files| {
            let mut recipe = recipe(files);
            recipe["commits"][1]["files"][0]["path"] = "src/other.py".into();
            set(files, recipe);
        },
        "is not the tree that it says",
    );
    tampered(
        &|files| {
            let mut recipe = recipe(files);
            recipe["texts"][0]["asked"] = "guess".into();
            set(files, recipe);
        },
        "names a format 'guess'",
    );
}

/// Whoever knows how a record is put together writes of a file that they have changed by hand that a reply, or a formatter,
/// has made it so.
#[test]
fn a_text_of_a_person_that_the_recipe_says_a_run_has_made_is_found() {
    let by_hand = "def three():\n    return 4\n";
    for by in ["command", "design", "reply"] {
        let (repo, run) = generated();
        repo.write("src/c.py", by_hand);
        repo.git(&["commit", "--quiet", "--all", "--amend", "--no-edit"]);
        assert_eq!(verdicts(&repo).last().unwrap(), "edited");
        let (tree, blob) = (repo.git(&["rev-parse", "HEAD^{tree}"]), repo.git(&["rev-parse", "HEAD:src/c.py"]));
        forge(&repo, &run, |files| {
            let mut recipe: Value = serde_json::from_slice(&files["recipe.json"]).unwrap();
            let last = recipe["commits"].as_array().unwrap().len() - 1;
            recipe["commits"][last]["tree"] = tree.as_str().into();
            recipe["commits"][last]["files"][0]["blob"] = blob.as_str().into();
            let texts = recipe["texts"].as_array_mut().unwrap();
            let text = texts.iter_mut().find(|text| text["path"] == "src/c.py").unwrap();
            text["result"] = blob.as_str().into();
            if by == "reply" {
                let key = text["replies"][0]["key"].as_str().unwrap().to_owned();
                let name = format!("replies/{key}.json");
                let mut reply: Value = serde_json::from_slice(&files[&name]).unwrap();
                reply["replies"][0]["text"] = serde_json::json!([whole(by_hand)]);
                files.insert(name, serde_json::to_vec(&reply).unwrap());
            } else {
                *text = serde_json::json!({"path": "src/c.py", "result": blob, "by": by, "command": "fmt", "line": 1});
                files.insert(format!("texts/{blob}"), by_hand.into());
                let design = String::from_utf8(files["design.md"].clone()).unwrap();
                files.insert("design.md".into(), format!("{by_hand}{design}").into());
            }
            files.insert("recipe.json".into(), serde_json::to_vec(&recipe).unwrap());
        });
        altered(&repo, "its events do not tell of the text that its recipe has for 'src/c.py'");
    }
}

#[test]
fn a_mode_that_a_person_has_set_and_the_recipe_says_is_the_runs_is_found() {
    let (repo, run) = generated();
    repo.git(&["update-index", "--chmod=+x", "src/a.py"]);
    repo.git(&["commit", "--quiet", "--amend", "--no-edit"]);
    let (tree, blob) = (repo.git(&["rev-parse", "HEAD^{tree}"]), repo.git(&["rev-parse", "HEAD:src/a.py"]));
    forge(&repo, &run, |files| {
        let mut recipe: Value = serde_json::from_slice(&files["recipe.json"]).unwrap();
        let last = recipe["commits"].as_array_mut().unwrap().last_mut().unwrap();
        last["tree"] = tree.into();
        let file = serde_json::json!({"path": "src/a.py", "blob": blob, "executable": true});
        last["files"].as_array_mut().unwrap().push(file);
        files.insert("recipe.json".into(), serde_json::to_vec(&recipe).unwrap());
    });
    altered(&repo, "nothing says how 'src/a.py' came to another mode");
}

#[test]
fn a_squash_of_two_runs_whose_records_leave_replies_out_is_not_known() {
    let (mut repo, _) = generated();
    repo.configure("implement.record", "none");
    repo.write("docs/5.md", "# 5 - More\n\n## Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n| `src/d.py` | Add | More |\n");
    repo.answer("src/d.py", whole("def four():\n    return 4\n"));
    repo.commit("a design");
    let two = repo.implement(&["docs/5.md", "--base", "implement/4", "-b", "second"]).published("second");
    let one = repo.git(&["log", "-1", "--format=%(trailers:key=Implement-Run,valueonly)", "implement/4~1"]);
    repo.git(&["switch", "--quiet", "second"]);
    repo.git(&["reset", "--quiet", "--soft", "main"]);
    repo.git(&["rm", "--quiet", "--cached", "docs/5.md"]);
    repo.git(&[
        "commit",
        "--quiet",
        "--message",
        &format!("All\n\nImplement-Run: {}\nImplement-Run: {two}\n", one.trim()),
    ]);
    let commits = told(&repo);
    assert_eq!(commits[0]["verdict"], "record-missing", "{commits:#?}");
    assert!(words(&commits).contains("the record leaves replies out"), "{commits:#?}");
}

#[test]
fn a_formatters_text_is_part_of_the_record_and_found_if_it_was_changed() {
    let repo = Repo::of(&[("docs/4.md", DESIGN), ("src/a.py", A), ("src/old.py", "OLD = 1\n")]);
    repo.answer("src/a.py", whole(&A.replace("= 3", "= 30")));
    repo.answer("src/b.py", whole(B));
    repo.answer("src/c.py", whole(C));
    repo.hook(
        "pre-commit",
        "[ -f src/c.py ] || exit 0\ngrep -q formatted src/c.py && exit 0\necho '# formatted' >>src/c.py",
    );
    let run = repo.implement(&["docs/4.md"]).published("implement/4");
    repo.git(&["switch", "--quiet", "implement/4"]);
    assert_eq!(repo.blob("implement/4", "src/c.py"), format!("{C}# formatted\n").as_bytes());
    assert_eq!(verdicts(&repo), ["exact"; 4]);
    forge(&repo, &run, |files| {
        let text = records::with(files, "texts/", "# formatted");
        replace(files, &text, "# formatted", "# forged");
    });
    altered(&repo, "has another text in 'texts/");
}

#[test]
fn a_merge_is_nobodys_reply_and_what_a_range_of_nothing_is_like_is_said() {
    let (repo, _) = generated();
    repo.git(&["switch", "--quiet", "main"]);
    repo.git(&["merge", "--quiet", "--no-ff", "--no-edit", "implement/4"]);
    let ran = verify(&repo, &["HEAD~1.."]);
    assert!(ran.changed_nothing().out.ends_with("4 exact, 1 not generated\n"), "{ran}");
    let ran = verify(&repo, &["HEAD..HEAD"]);
    assert_eq!(ran.changed_nothing().out, "there is no commit in this range\n");
}

#[test]
fn what_a_commit_says_cannot_steer_the_terminal() {
    let (repo, run) = generated();
    let message = format!("x\u{1b}[31m\u{202e}y\n\nImplement-Run: {run}\n");
    repo.write("src/c.py", "def three():\n    return '\u{1b}]0;title'\n");
    repo.git(&["commit", "--quiet", "--all", "--amend", "--message", &message]);
    let ran = verify(&repo, &["main.."]);
    assert!(ran.out.contains("\\u{1b}[31m\\u{202e}y") && !ran.out.contains('\u{1b}'), "{ran}");
}

#[test]
fn each_part_of_a_record_that_says_something_else_than_the_others_is_found() {
    let (repo, run) = generated();
    let record = repo.git(&["rev-parse", &records::name(&run)]);
    let published = format!("\"branch\":\"implement/4\",\"commit\":\"{}\"", repo.tip("implement/4"));
    let (tree, parent) = (repo.git(&["rev-parse", "HEAD^{tree}"]), repo.git(&["rev-parse", "main^{tree}"]));
    // A file, what is replaced in it, and what is found.
    let table: &[(&str, &str, &str, &str)] = &[
        ("run.json", "\"branch\": \"implement/4\"", "\"branch\": \"implement/5\"", "do not name the same 'branch'"),
        ("run.json", "\"lld\": \"docs/4.md\"", "\"lld\": \"docs/5.md\"", "do not name the same 'lld'"),
        ("run.json", &repo.tip("main"), &"1".repeat(40), "do not name the same 'base'"),
        ("run.json", "\"no_verify\": false", "\"no_verify\": true", "in whether hooks were skipped"),
        ("events.jsonl", "\"event\":\"run-started\"", "\"event\":\"nothing\"", "do not begin with the start"),
        ("events.jsonl", "\"event\":\"run-finished\"", "\"event\":\"nothing\"", "do not end as a run does"),
        ("events.jsonl", "\"event\":\"asked\"", "\"event\":\"nothing\"", "tell of other requests than it has"),
        ("events.jsonl", "\"event\":\"replied\"", "\"event\":\"nothing\"", "tell of fewer replies"),
        ("events.jsonl", "\"event\":\"refused\"", "\"event\":\"nothing\"", "do not refuse the replies before"),
        ("events.jsonl", "\"event\":\"published\"", "\"event\":\"nothing\"", "do not publish what its recipe has made"),
        ("events.jsonl", &published, "\"branch\":\"implement/4\",\"commit\":\"1\"", "do not publish what its recipe"),
        ("events.jsonl", "\"subject\":\"Add src/b.py\"", "\"subject\":\"Add\"", "name its commits differently"),
        ("events.jsonl", "\"outcome\":\"added\"", "\"outcome\":\"deleted\"", "was deleted, and its commits do not"),
        ("events.jsonl", "\"tier\":\"exact\"", "\"tier\":\"space\"", "match elsewhere, or otherwise, than its events"),
        ("plan.json", "\"line\": 8", "\"line\": 4242", "in line 4242 of a design of"),
        ("plan.json", "Uses them", "Steals them", "something else of 'src/b.py' than the model was told"),
        ("plan.json", "src/b.py", "src/other.py", "'src/b.py' is not in the plan"),
        ("plan.json", "\"selected\": true", "\"selected\": false", "'src/old.py' is not in the plan"),
        ("summary.json", &tree, &"1".repeat(40), "'summary.json' sums up another run"),
        ("summary.json", &parent, &"1".repeat(40), "'summary.json' sums up another run"),
        ("summary.json", "docs/4.md", "docs/5.md", "'summary.json' sums up another run"),
        ("summary.json", "\"src/b.py\"", "\"src/other.py\"", "'summary.json' sums up another run"),
        ("requests/0003.json", "\"path\": \"src/b.py\"", "\"path\": \"src/c.py\"", "tell of other requests"),
        ("requests/0003.json", "\"attempt\": 1", "\"attempt\": 9", "tell of other requests"),
    ];
    for (file, old, new, why) in table {
        repo.git(&["update-ref", &records::name(&run), &record]);
        forge(&repo, &run, |files| replace(files, file, old, new));
        altered(&repo, why);
    }
    for file in ["plan.json", "summary.json"] {
        repo.git(&["update-ref", &records::name(&run), &record]);
        forge(&repo, &run, |files| _ = files.remove(file));
        altered(&repo, &format!("it has no '{file}'"));
    }
    for file in ["more.txt", "more/more.txt", "requests/more.json", "blocks/more", "bases/more", "texts/more"] {
        repo.git(&["update-ref", &records::name(&run), &record]);
        forge(&repo, &run, |files| {
            // A request must be one, or the record cannot be read at all.
            let bytes =
                if file.starts_with("requests/") { files["requests/0003.json"].clone() } else { b"more".to_vec() };
            files.insert(file.to_owned(), bytes);
        });
        altered(&repo, &format!("'{file}' is no file that a run writes"));
    }
}

#[test]
fn who_permitted_what_cannot_be_left_out_or_changed() {
    let repo = Repo::of(&[("docs/4.md", DESIGN), ("src/a.py", A), ("src/old.py", "OLD = 1\n")]);
    repo.answer("src/b.py", whole("def two():\n    # TODO: implement\n    pass\n"));
    let run = repo.implement(&["docs/4.md", "--allow", "stub:src/b.py", "--", "src/b.py"]).published("implement/4");
    repo.git(&["switch", "--quiet", "implement/4"]);
    let record = repo.git(&["rev-parse", &records::name(&run)]);
    assert_eq!(verdicts(&repo), ["exact"]);
    for (old, new, why) in [
        (
            "\"what\": \"stub:src/b.py\",\n      \"by\": \"--allow\"",
            "\"what\": \"stub:src/b.py\",\n      \"by\": \"somebody\"",
            "leaves out what was permitted",
        ),
        ("\"what\": \"stub:src/b.py\"", "\"what\": \"size\"", "a finding is allowed by '--allow stub:src/b.py'"),
    ] {
        repo.git(&["update-ref", &records::name(&run), &record]);
        forge(&repo, &run, |files| replace(files, "run.json", old, new));
        altered(&repo, why);
    }
}

#[test]
fn a_commit_whose_tree_is_not_all_here_is_missing_and_the_others_are_judged() {
    let (repo, _) = generated();
    // The tree of 'src' that the second commit alone has.
    let tree = repo.git(&["rev-parse", "main~0:src", "HEAD~2:src"]).lines().nth(1).unwrap().to_owned();
    std::fs::remove_file(repo.git_dir().join("objects").join(&tree[..2]).join(&tree[2..])).unwrap();
    let commits = told(&repo);
    let missing: Vec<&Value> = commits.iter().filter(|commit| commit["verdict"] == "record-missing").collect();
    assert!(!missing.is_empty() && missing.len() < commits.len(), "{commits:#?}");
    assert!(words(&commits).contains(&format!("object {tree} of its tree is not here")), "{}", words(&commits));
}

#[test]
fn a_persons_commit_that_quotes_a_trailer_is_theirs() {
    let (repo, run) = generated();
    repo.write("README.md", "# R\n\nMore.\n");
    repo.git(&[
        "commit",
        "--quiet",
        "-a",
        "-m",
        &format!("Say more\n\nAs of the commit with\n\n    Implement-Run: {run}\n"),
    ]);
    let commits = told(&repo);
    assert_eq!(commits.iter().filter(|commit| commit["verdict"] == "not-generated").count(), 1, "{commits:#?}");
    assert!(words(&commits).contains(&format!("its message quotes run '{run}'")), "{}", words(&commits));
    // What claims it outright is told.
    repo.git(&["commit", "--quiet", "--amend", "-m", &format!("Say more\n\nImplement-Run: {run}\n")]);
    assert!(words(&told(&repo)).contains("has made none of what it changes"));
}

#[test]
fn a_record_of_a_newer_program_is_no_altered_one() {
    let (repo, run) = generated();
    forge(&repo, &run, |files| replace(files, "run.json", "\"schema\": 3", "\"schema\": 99"));
    assert_eq!(verdicts(&repo), ["too-new"; 4]);
    assert!(words(&told(&repo)).contains("has schema 99, and this program reads those up to 3"));
}

#[test]
fn a_squash_of_two_runs_that_names_neither_is_known_by_its_trees() {
    let repo = Repo::of(&[("docs/4.md", DESIGN), ("src/a.py", A), ("src/old.py", "OLD = 1\n")]);
    repo.answer("src/b.py", whole(B));
    repo.answer("src/c.py", whole(C));
    let one = repo.implement(&["docs/4.md", "-b", "both", "--", "src/b.py"]).published("both");
    let two = repo.implement(&["docs/4.md", "-b", "both", "--base", "both", "--", "src/c.py"]).published("both");
    repo.git(&["switch", "--quiet", "both"]);
    repo.git(&["reset", "--quiet", "--soft", "main"]);
    repo.git(&["commit", "--quiet", "--message", "Both"]);
    let commits = told(&repo);
    assert_eq!((commits.len(), &commits[0]["verdict"]), (1, &"exact".into()), "{commits:#?}");
    assert!(words(&commits).contains(&format!("it is made of 2 runs: {one}, {two}")), "{}", words(&commits));
    // As git's own message has them, the newest first, of runs that change one file.
    repo.git(&["switch", "--quiet", "main"]);
    repo.git(&["branch", "--quiet", "-D", "both"]);
    let design = DESIGN.replace("`src/b.py` | Add", "`src/a.py` | Modify");
    repo.write("docs/5.md", design.replace("# 4", "# 5"));
    repo.commit("another design");
    repo.answer("src/a.py", change("FIRST = 1", "FIRST = 10"));
    repo.implement(&["docs/4.md", "-b", "both", "--format", "find-replace", "--", "src/a.py"]).published("both");
    repo.answer("src/a.py", change("FIRST = 10", "FIRST = 100"));
    let again = ["docs/5.md", "-b", "both", "--base", "both", "--format", "find-replace", "--", "src/a.py"];
    repo.implement(&again).published("both");
    repo.git(&["merge", "--quiet", "--squash", "both"]);
    repo.git(&["commit", "--quiet", "--no-edit"]);
    let ran = verify(&repo, &["HEAD~1..HEAD", "--json"]);
    assert!(ran.out.contains("\"verdict\":\"exact\"") && ran.out.contains("made of 2 runs"), "{ran}");
}

#[test]
fn a_reply_that_was_refused_and_one_that_never_came_make_nothing() {
    let (repo, run) = generated();
    let record = repo.git(&["rev-parse", &records::name(&run)]);
    let change = |what: &dyn Fn(&mut Vec<Value>)| {
        repo.git(&["update-ref", &records::name(&run), &record]);
        forge(&repo, &run, |files| {
            let name = records::with(files, "replies/", "return 3");
            let mut reply: Value = serde_json::from_slice(&files[&name]).unwrap();
            what(reply["replies"].as_array_mut().unwrap());
            files.insert(name, serde_json::to_vec(&reply).unwrap());
        });
    };
    change(&|replies| replies[0]["refused"] = true.into());
    altered(&repo, "the reply that its recipe has for 'src/c.py' was refused");
    change(&|replies| replies.push(replies[0].clone()));
    altered(&repo, "its events tell of fewer replies to request");
    change(&|replies| {
        let mut other = replies[0].clone();
        other["text"] = serde_json::json!([whole("def three():\n    return 4\n")]);
        replies.insert(0, other);
    });
    altered(&repo, "its events tell of fewer replies to request");
}

#[test]
fn more_boxes_than_the_plan_ticks_are_found() {
    let repo = spec_kit();
    let run = repo.implement(&[FOLDER]).published(BRANCH);
    repo.git(&["switch", "--quiet", BRANCH]);
    forge(&repo, &run, |files| {
        let mut recipe: Value = serde_json::from_slice(&files["recipe.json"]).unwrap();
        let texts = recipe["texts"].as_array_mut().unwrap();
        let ticks = texts.iter_mut().find(|text| text["by"] == "tick").unwrap();
        ticks["tasks"].as_array_mut().unwrap().push("T007".into());
        files.insert("recipe.json".into(), serde_json::to_vec(&recipe).unwrap());
    });
    altered(&repo, "other boxes are ticked than those of the plan");
}

#[test]
fn a_summary_that_lies_or_is_gone_hides_no_commit_of_a_run() {
    let (repo, run) = generated();
    repo.git(&["commit", "--quiet", "--amend", "--message", "Without a word of the run"]);
    let record = repo.git(&["rev-parse", &records::name(&run)]);
    let tree = repo.git(&["rev-parse", "HEAD^{tree}"]);
    forge(&repo, &run, |files| replace(files, "summary.json", &tree, &"1".repeat(40)));
    altered(&repo, "'summary.json' sums up another run");
    repo.git(&["update-ref", &records::name(&run), &record]);
    forge(&repo, &run, |files| _ = files.remove("summary.json"));
    altered(&repo, "it has no 'summary.json'");
}

#[test]
fn a_merge_that_names_a_run_hides_no_edit() {
    let (repo, run) = generated();
    let message = format!("Merge\n\nImplement-Run: {run}\n");
    repo.git(&["switch", "--quiet", "main"]);
    repo.git(&["merge", "--quiet", "--no-ff", "--message", &message, "implement/4"]);
    assert_eq!(
        verify(&repo, &["HEAD~1..HEAD", "^implement/4"]).changed_nothing().out.lines().last(),
        Some("1 not generated")
    );
    repo.write("src/c.py", "def three():\n    return 4\n");
    repo.git(&["commit", "--quiet", "--all", "--amend", "--no-edit"]);
    let ran = verify(&repo, &["HEAD~1..HEAD", "^implement/4"]);
    assert_eq!(ran.status, Some(1));
    assert!(ran.out.contains("src/c.py: line 2 is") && ran.out.contains("-    return 3\n+    return 4\n"), "{ran}");
    assert!(ran.out.ends_with("1 edited\n"), "{ran}");
    // Two parents, of which one is there for nothing but to make it look like a merge.
    repo.git(&["switch", "--quiet", "implement/4"]);
    repo.write("src/c.py", "def three():\n    return 5\n");
    repo.git(&["add", "--all"]);
    let tree = repo.git(&["write-tree"]);
    let dummy = repo.git(&["commit-tree", &tree, "-p", "HEAD", "-p", "main~1", "-m", &message]);
    let ran = verify(&repo, &[&format!("implement/4..{dummy}")]);
    assert!(ran.out.contains("src/c.py: line 2 is") && ran.out.ends_with("1 edited\n"), "{ran}");
}

#[test]
fn a_message_that_names_another_path_for_the_design_is_told() {
    let (repo, _) = generated();
    let message = repo.git(&["log", "-1", "--format=%B"]);
    repo.git(&["commit", "--quiet", "--amend", "--message", &message.replace("docs/4.md@", "docs/evil.md@")]);
    let commits = told(&repo);
    assert_eq!(commits[3]["verdict"], "record-altered");
    assert!(words(&commits).contains("its message names the design 'docs/evil.md' ("), "{}", words(&commits));
}

/// A clone of the branch, made with these options, that has got the ref of the record; its folder.
fn cloned(repo: &Repo, run: &str, options: &[&str]) -> std::path::PathBuf {
    let place = repo.place("clone");
    let (to, from) = (place.to_str().unwrap(), format!("file://{}", repo.git(&["rev-parse", "--show-toplevel"])));
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    repo.git(&[&["clone", "--quiet", "--branch", "implement/4"], options, &[from.as_str(), to]].concat());
    let name = records::name(run);
    repo.git(&["-C", to, "fetch", "--quiet", "origin", &format!("{name}:{name}")]);
    place
}

#[test]
fn the_record_that_a_partial_clone_has_left_out_is_missing_and_not_altered() {
    let (repo, run) = generated();
    let place = cloned(&repo, &run, &["--no-checkout", "--filter=blob:none"]);
    let ran = repo.run_in(&place, &["verify", "origin/main.."]);
    assert_eq!(ran.status, Some(1));
    assert!(ran.out.ends_with("4 record missing\n"), "{ran}");
    assert!(ran.out.contains(&format!("git archive refs/implement/runs/{run} >/dev/null fetches it")), "{ran}");
    repo.git(&["-C", place.to_str().unwrap(), "archive", "--output=all.tar", &records::name(&run)]);
    let ran = repo.run_in(&place, &["verify", "origin/main.."]);
    assert!(ran.status == Some(0) && ran.out.ends_with("4 exact\n"), "{ran}");
}

#[test]
fn where_a_shallow_clone_ends_nothing_is_compared_with_an_empty_tree() {
    let (repo, run) = generated();
    let place = cloned(&repo, &run, &["--depth=2"]);
    let ran = repo.run_in(&place, &["verify", "HEAD"]);
    assert_eq!(ran.status, Some(1));
    assert!(ran.out.ends_with("1 exact, 1 record missing\n"), "{ran}");
    assert!(ran.out.contains("its parent is not here, for the clone is shallow"), "{ran}");
}

#[test]
fn neither_grafts_nor_replaced_commits_hide_one() {
    let (repo, _) = generated();
    let tip = repo.tip("HEAD");
    repo.write("evil.py", "EVIL = 1\n");
    repo.commit("A person's");
    repo.git(&["commit", "--quiet", "--allow-empty", "--message", "Another"]);
    let hidden = format!("{} {tip}\n", repo.tip("HEAD"));
    std::fs::create_dir_all(repo.git_dir().join("info")).unwrap();
    std::fs::write(repo.git_dir().join("info/grafts"), hidden).unwrap();
    assert_eq!(repo.git(&["rev-list", "--count", "main.."]), "5");
    assert_eq!(verdicts(&repo).len(), 6);
    std::fs::remove_file(repo.git_dir().join("info/grafts")).unwrap();
    repo.git(&["replace", "--graft", "HEAD", &tip]);
    assert_eq!(repo.git(&["rev-list", "--count", "main.."]), "5");
    assert_eq!(verdicts(&repo).len(), 6);
}
