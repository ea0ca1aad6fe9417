//! `git implement hook` with hook files: what becomes of the hooks that were there, that uninstalling leaves no trace, and
//! that the hook finds its program. Installed hooks run a stand-in for it here; what the real one refuses is
//! `hook_checks.rs`.

use crate::hooks::*;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

#[test]
fn the_hook_is_installed_once_and_uninstalling_leaves_no_trace() {
    let repo = repo();
    let before = all(&repo.dir);
    hook(&repo, &["status"]).is(1, &["pre-commit: not installed", "hint: 'git implement hook install'"]);
    install(&repo).is(0, &["installed '", ".git/hooks/pre-commit'", ".git/hooks/pre-merge-commit'"]);
    let installed = all(&repo.dir);
    assert_eq!(installed.len(), before.len() + 2);
    install(&repo).is(0, &["already installed"]);
    assert_eq!(all(&repo.dir), installed);
    hook(&repo, &["status"]).is(0, &["pre-commit: '", "pre-merge-commit: '", "' runs\n", "program: '"]);
    hook(&repo, &["uninstall"]).is(0, &["took away"]);
    assert_eq!(all(&repo.dir), before);
    hook(&repo, &["uninstall"]).is(0, &["nothing is installed here"]);
}

#[test]
fn a_hook_that_was_there_runs_first_and_is_put_back_byte_for_byte() {
    let repo = repo();
    let log_to = repo.place("log").display().to_string();
    repo.hook("pre-commit", &format!("echo \"theirs $(basename \"$0\") $#\" >>'{log_to}'\n# \u{e9} no line end"));
    let path = repo.dir.join(".git/hooks/pre-commit");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o750)).unwrap();
    let before = all(&repo.dir);
    installed_with(&repo, &format!("echo \"ours $*\" >>'{log_to}'"));
    hook(&repo, &["status"]).is(0, &["pre-commit: before it runs '", "pre-commit.before-git-implement'"]);
    commit(&repo, &[]).is(0, &[]);
    assert_eq!(log(&repo), "theirs pre-commit.before-git-implement 0\nours check --cached\n");
    hook(&repo, &["uninstall"]).is(0, &["put back '"]);
    repo.git(&["reset", "--quiet", "--hard", "HEAD~1"]);
    let hooks = repo.dir.join(".git/hooks");
    assert_eq!(all_of(&all(&repo.dir), &hooks), all_of(&before, &hooks));
}

#[test]
fn a_hook_that_was_there_refuses_with_its_own_status_and_ours_does_not_run() {
    let repo = repo();
    repo.hook("pre-commit", "echo 'not on a Friday' >&2; exit 7");
    installed_with(&repo, &format!("echo ours >>'{}'", repo.place("log").display()));
    let said = Said::of(repo.command(".git/hooks/pre-commit").current_dir(&repo.dir));
    said.is(7, &["not on a Friday"]);
    commit(&repo, &[]).is(1, &["not on a Friday"]);
    assert_eq!(log(&repo), "");
}

#[test]
fn what_our_program_says_is_what_git_does() {
    let repo = repo();
    for (status, outcome) in [(0, 0), (1, 1), (128, 1)] {
        installed_with(&repo, &format!("echo 'says {status}' >&2; exit {status}"));
        commit(&repo, &[]).is(outcome, &[&format!("says {status}")]);
        hook(&repo, &["uninstall"]).is(0, &[]);
    }
}

#[test]
fn links_and_hooks_that_are_not_executable_are_put_back_as_they_were() {
    let repo = repo();
    let log_to = repo.place("log").display().to_string();
    repo.program(".git/hooks/multi", &format!("#!/bin/sh\necho linked >>'{log_to}'\n"));
    symlink("multi", repo.dir.join(".git/hooks/pre-commit")).unwrap();
    // git does not run this one, and neither do we.
    repo.write(".git/hooks/pre-merge-commit", "#!/bin/sh\nexit 1\n");
    let before = all(&repo.dir);
    installed_with(&repo, &format!("echo ours >>'{log_to}'"));
    commit(&repo, &[]).is(0, &[]);
    assert_eq!(log(&repo), "linked\nours\n");
    Said::of(&mut repo.command(repo.dir.join(".git/hooks/pre-merge-commit"))).is(0, &[]);
    hook(&repo, &["uninstall"]).is(0, &[]);
    let hooks = repo.dir.join(".git/hooks");
    assert_eq!(all_of(&all(&repo.dir), &hooks), all_of(&before, &hooks));
}

#[test]
fn what_was_edited_since_is_neither_overwritten_nor_taken_away() {
    let repo = repo();
    let ours = repo.dir.join(".git/hooks/pre-commit");
    let kept = repo.dir.join(".git/hooks/pre-commit.before-git-implement");
    repo.hook("pre-commit", "echo theirs");
    install(&repo).is(0, &[]);
    let installed = fs::read_to_string(&ours).unwrap();
    let original = fs::read(&kept).unwrap();

    // Ours.
    fs::write(&ours, installed.replace("exec ", "nice ")).unwrap();
    let before = all(&repo.dir);
    for verb in ["install", "uninstall"] {
        let said = hook(&repo, if verb == "install" { &["install", "--no-config"] } else { &["uninstall"] });
        said.is(1, &["pre-commit' was edited after it was installed", "hint:   mv '"]);
        assert_eq!(all(&repo.dir), before, "{verb}");
    }
    hook(&repo, &["status"]).is(0, &["was edited after it was installed; see what it does now"]);
    fs::write(&ours, &installed).unwrap();

    // The one before: its bytes, its mode, or that it is there at all.
    let edits: [&dyn Fn(); 3] = [
        &|| fs::write(&kept, "#!/bin/sh\necho better\n").unwrap(),
        &|| fs::set_permissions(&kept, fs::Permissions::from_mode(0o644)).unwrap(),
        &|| fs::remove_file(&kept).unwrap(),
    ];
    for edit in edits {
        edit();
        let before = all(&repo.dir);
        hook(&repo, &["uninstall"]).is(1, &["pre-commit.before-git-implement'", "hint: "]);
        assert_eq!(all(&repo.dir), before);
        fs::write(&kept, &original).unwrap();
        fs::set_permissions(&kept, fs::Permissions::from_mode(0o755)).unwrap();
    }
    hook(&repo, &["uninstall"]).is(0, &["put back"]);
    assert_eq!(fs::read(&ours).unwrap(), original);
}

#[test]
fn a_hook_that_is_kept_from_another_time_is_never_lost() {
    let repo = repo();
    repo.hook("pre-merge-commit.before-git-implement", "echo old");
    let before = all(&repo.dir);
    install(&repo).is(1, &["pre-merge-commit.before-git-implement' is in the way"]);
    assert_eq!(all(&repo.dir), before, "neither hook is installed");
    hook(&repo, &["uninstall"]).is(1, &["is in the way"]);
    assert_eq!(all(&repo.dir), before);
}

#[test]
fn an_installation_that_was_killed_half_way_is_finished() {
    let repo = repo();
    repo.hook("pre-commit", "echo theirs");
    let hooks = repo.dir.join(".git/hooks");
    let original = fs::read(hooks.join("pre-commit")).unwrap();
    fs::hard_link(hooks.join("pre-commit"), hooks.join("pre-commit.before-git-implement")).unwrap();
    install(&repo).is(0, &["installed"]);
    hook(&repo, &["uninstall"]).is(0, &["put back"]);
    assert_eq!(fs::read(hooks.join("pre-commit")).unwrap(), original);
    assert!(!hooks.join("pre-commit.before-git-implement").exists());
}

#[test]
fn a_newer_program_brings_its_hook_up_to_date_and_keeps_what_was_there() {
    let repo = repo();
    repo.hook("pre-commit", "echo theirs");
    let before = fs::read(repo.dir.join(".git/hooks/pre-commit")).unwrap();
    installed_with(&repo, "exit 0");
    install(&repo).is(0, &["brought up to date: '"]);
    let text = fs::read_to_string(repo.dir.join(".git/hooks/pre-commit")).unwrap();
    assert!(!text.contains("bin of mine"), "{text}");
    hook(&repo, &["uninstall"]).is(0, &["put back"]);
    assert_eq!(fs::read(repo.dir.join(".git/hooks/pre-commit")).unwrap(), before);
}

#[test]
fn a_hook_that_git_does_not_run_is_not_called_installed() {
    let repo = repo();
    install(&repo).is(0, &[]);
    let hook_file = repo.dir.join(".git/hooks/pre-commit");
    fs::set_permissions(&hook_file, fs::Permissions::from_mode(0o644)).unwrap();
    hook(&repo, &["status"]).is(1, &["it is not executable", "pre-merge-commit' runs"]);
    install(&repo).is(0, &["brought up to date: '"]);
    hook(&repo, &["status"]).is(0, &[]);
    repo.hook("pre-commit", "git implement check --cached");
    fs::set_permissions(&hook_file, fs::Permissions::from_mode(0o644)).unwrap();
    hook(&repo, &["status"]).is(1, &["it is not executable"]);
}

#[test]
fn a_hook_that_runs_us_already_is_left_alone() {
    let repo = repo();
    repo.hook("pre-commit", "git implement check --cached || exit");
    let text = fs::read(repo.dir.join(".git/hooks/pre-commit")).unwrap();
    install(&repo).is(0, &["left alone '"]);
    assert_eq!(fs::read(repo.dir.join(".git/hooks/pre-commit")).unwrap(), text);
    hook(&repo, &["status"]).is(1, &["pre-commit' runs git implement", "program: not found"]);
}

#[test]
fn without_its_program_the_hook_refuses_and_says_how_to_go_on() {
    let repo = repo();
    let program = repo.place("bin of mine/git-implement");
    installed_with(&repo, "exit 0");
    fs::remove_file(&program).unwrap();
    let said = commit(&repo, &[]);
    said.is(1, &["error: cannot find the program 'git-implement'", "(it was '", "bin of mine/git-implement')"]);
    said.is(1, &["hint: install it", "hint: or take the hook away: rm '"]);
    hook(&repo, &["status"]).is(1, &["program: not found: '", "bin of mine/git-implement' is gone"]);
    let away = said.text.lines().find_map(|line| line.strip_prefix("hint: or take the hook away: ")).unwrap();
    Said::of(repo.command("sh").args(["-c", away])).is(0, &[]);
    commit(&repo, &[]).is(0, &[]);
}

#[test]
fn a_program_that_moved_is_found_on_the_path_or_where_cargo_puts_it() {
    for folder in ["elsewhere", "home/.cargo/bin", "home/.local/bin"] {
        let mut repo = repo();
        installed_with(&repo, "exit 3");
        let moved = repo.place(folder).join("git-implement");
        fs::create_dir_all(moved.parent().unwrap()).unwrap();
        repo.program(&moved, &format!("#!/bin/sh\necho \"moved $*\" >>'{}'\n", repo.place("log").display()));
        fs::remove_file(repo.place("bin of mine/git-implement")).unwrap();
        if folder == "elsewhere" {
            let path = format!("{}:{}", repo.variables["PATH"], repo.place(folder).display());
            repo.set("PATH", path);
        }
        commit(&repo, &[]).is(0, &[]);
        assert_eq!(log(&repo), "moved check --cached\n", "{folder}");
        hook(&repo, &["status"]).is(0, &["since '", "bin of mine/git-implement' is gone"]);
    }
}

#[test]
fn with_the_short_path_of_a_program_with_windows_the_recorded_program_runs() {
    let mut repo = repo();
    installed_with(&repo, &format!("echo ran >>'{}'", repo.place("log").display()));
    let git = Said::of(repo.command("sh").args(["-c", "command -v git"])).text;
    repo.set("PATH", format!("{}:/usr/bin:/bin", Path::new(git.trim()).parent().unwrap().display()));
    commit(&repo, &[]).is(0, &[]);
    assert_eq!(log(&repo), "ran\n");
}

#[test]
fn the_name_that_is_recorded_is_the_one_that_updates_keep() {
    let mut repo = repo();
    let bin = repo.place("bin");
    fs::create_dir(&bin).unwrap();
    symlink(env!("CARGO_BIN_EXE_git-implement"), bin.join("git-implement")).unwrap();
    repo.set("PATH", format!("{}:{}", bin.display(), repo.variables["PATH"]));
    install(&repo).is(0, &[]);
    let text = fs::read_to_string(repo.dir.join(".git/hooks/pre-commit")).unwrap();
    assert!(text.contains(&format!("\nprogram='{}/git-implement'\n", bin.display())), "{text}");
}

#[test]
fn linked_worktrees_share_the_hook_of_the_common_directory() {
    let repo = repo();
    repo.git(&["worktree", "add", "--quiet", "--detach", "../linked"]);
    let linked = repo.place("linked");
    let said = Said::of(repo.process(&["hook", "install", "--no-config"]).current_dir(&linked));
    said.is(0, &[&format!("installed '{}", repo.dir.join(".git/hooks/pre-commit").display())]);
    install(&repo).is(0, &["already installed"]);
    Said::of(repo.process(&["hook", "uninstall"]).current_dir(&linked)).is(0, &["took away"]);
}

#[test]
fn a_chained_pre_receive_hook_gets_what_was_pushed_as_ours_does() {
    let repo = repo();
    let bare = repo.place("bare.git");
    repo.git(&["clone", "--quiet", "--bare", ".", bare.to_str().unwrap()]);
    let log_to = repo.place("log").display().to_string();
    repo.program(bare.join("hooks/pre-receive"), &format!("#!/bin/sh\nsed 's/^/theirs /' >>'{log_to}'\n"));
    let before = all(&bare);
    let program = repo.place("bin/git-implement");
    fs::create_dir(repo.place("bin")).unwrap();
    // By another process, for the same reason as in Repo::program.
    let copied = Command::new("cp").arg(env!("CARGO_BIN_EXE_git-implement")).arg(&program).status().unwrap();
    assert!(copied.success());
    Said::of(repo.command(&program).args(["hook", "install"]).current_dir(&bare))
        .is(0, &["installed '", "pre-receive"]);
    Said::of(repo.process(&["hook", "status"]).current_dir(&bare)).is(0, &["pre-receive: '", "before it runs"]);
    repo.program(&program, &format!("#!/bin/sh\necho \"ours $*\" >>'{log_to}'; sed 's/^/ours /' >>'{log_to}'\n"));

    let base = repo.tip("HEAD");
    repo.git(&["tag", "old"]);
    repo.write("a.py", "A = 2\n");
    let tip = repo.commit("two");
    repo.git(&["branch", "gone"]);
    repo.git(&["push", "--quiet", bare.to_str().unwrap(), "gone~1:refs/heads/gone"]);
    fs::remove_file(repo.place("log")).unwrap();
    // A branch that goes on, a new one, a tag of an old commit, one that is deleted, and a record of a run.
    let refs = ["main", "main:refs/heads/new", "old", ":gone", "main:refs/implement/runs/x"];
    repo.git(&[&["push", "--quiet", bare.to_str().unwrap()], &refs[..]].concat());
    let log = log(&repo);
    let none = "0".repeat(40);
    for line in [
        format!("theirs {base} {tip} refs/heads/main"),
        format!("theirs {none} {tip} refs/heads/new"),
        format!("theirs {none} {base} refs/tags/old"),
        format!("theirs {base} {none} refs/heads/gone"),
        format!("theirs {none} {tip} refs/implement/runs/x"),
    ] {
        assert!(log.contains(&line), "{line}\n{log}");
    }
    let ours: Vec<&str> = log.lines().filter(|line| line.starts_with("ours ")).collect();
    assert_eq!(ours, ["ours check --stdin".to_owned(), format!("ours {tip}")]);

    // Nothing new, nothing to judge.
    fs::remove_file(repo.place("log")).unwrap();
    repo.git(&["push", "--quiet", bare.to_str().unwrap(), "main:refs/heads/same"]);
    assert_eq!(self::log(&repo), format!("theirs {none} {tip} refs/heads/same\n"));

    for name in ["same", "new"] {
        repo.git(&["--git-dir", bare.to_str().unwrap(), "branch", "--quiet", "-D", name]);
    }
    Said::of(repo.process(&["hook", "uninstall"]).current_dir(&bare)).is(0, &["put back '"]);
    assert_eq!(all_of(&all(&bare), &bare.join("hooks")), all_of(&before, &bare.join("hooks")));
}

#[test]
fn what_was_a_record_becomes_a_branch_only_through_the_gates() {
    let repo = repo();
    let bare = repo.place("bare.git");
    repo.git(&["clone", "--quiet", "--bare", ".", bare.to_str().unwrap()]);
    installed_in(&repo, &bare, &format!("cat >>'{}'; exit 1", repo.place("log").display()));
    repo.write("a.py", "A = 2\n");
    let tip = repo.commit("two");
    let push = |to: &str| Said::of(repo.command("git").args(["push", bare.to_str().unwrap(), &format!("main:{to}")]));
    push("refs/implement/runs/x").is(0, &[]);
    push("refs/heads/main").is(1, &["pre-receive hook declined"]);
    assert_eq!(log(&repo), format!("{tip}\n"));
}

#[test]
fn a_hook_chained_to_one_that_calls_it_in_turn_comes_to_an_end() {
    let repo = repo();
    let log_to = repo.place("log").display().to_string();
    // As a program leaves it that moves the hook it finds and calls that: installed twice, with us in between.
    repo.hook("pre-commit", &format!("echo outer >>'{log_to}'; \"$(dirname \"$0\")/pre-commit.legacy\" || exit"));
    installed_with(&repo, &format!("echo ours >>'{log_to}'"));
    let hooks = repo.dir.join(".git/hooks");
    let outer = fs::read(hooks.join("pre-commit.before-git-implement")).unwrap();
    fs::rename(hooks.join("pre-commit"), hooks.join("pre-commit.legacy")).unwrap();
    repo.program(hooks.join("pre-commit"), std::str::from_utf8(&outer).unwrap());
    commit(&repo, &[]).is(0, &[]);
    // git called the outer one, that called ours, and ours the other one, which called ours once more.
    assert_eq!(log(&repo), "outer\nouter\nours\nours\n");
}
