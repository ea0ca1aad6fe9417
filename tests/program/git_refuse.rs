//! What is refused before a token is spent, by name, with git's words and a hint; and designs, found and refused.

use crate::git_world::*;
use git_implement::exit::ExitCode;
use git_implement::git::{Base, GitError, branch::Existing};
use std::fs;

fn refused(world: &World, directory: &str) -> GitError {
    match world.discover(directory).and_then(|repository| repository.base(None).map(drop)) {
        Ok(()) => panic!("it was opened"),
        Err(error) => error,
    }
}

fn unsupported(error: &GitError) -> &str {
    match error {
        GitError::Unsupported { id, hint, .. } => {
            assert!(!hint.is_empty());
            assert_eq!(error.exit_code(), ExitCode::Fatal);
            id
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn kinds_of_repository_that_would_come_out_wrong_are_refused_by_name() {
    let world = World::empty();
    world.init("sha256", &["--object-format=sha256"]);
    assert_eq!(unsupported(&refused(&world, "sha256")), "unsupported-sha256");
    world.init("reftable", &["--ref-format=reftable"]);
    assert_eq!(unsupported(&refused(&world, "reftable")), "unsupported-reftable");
    world.init("promised", &[]);
    world.git("promised", &["config", "core.repositoryFormatVersion", "1"]);
    world.git("promised", &["config", "extensions.partialClone", "origin"]);
    assert_eq!(unsupported(&refused(&world, "promised")), "unsupported-partial-clone");
}

#[test]
fn what_git_does_not_open_is_refused_in_gits_words() {
    let world = World::empty();
    assert!(refused(&world, "").to_string().starts_with("not a git repository"));
    assert!(!refused(&world, "").hints().is_empty());
    world.init("extension", &[]);
    world.git("extension", &["config", "core.repositoryFormatVersion", "1"]);
    world.git("extension", &["config", "extensions.frotz", "true"]);
    assert!(refused(&world, "extension").to_string().contains("frotz"));
    world.init("config", &[]);
    world.write("config/.git/config", "[core\n");
    assert!(refused(&world, "config").to_string().contains("config"));
    let mut world = world;
    world.init("foreign", &[]);
    world.set("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1");
    let error = refused(&world, "foreign");
    assert!(error.to_string().contains("dubious ownership") && !error.hints().is_empty(), "{error}");
}

#[test]
fn an_unborn_branch_has_no_base_and_the_hint_makes_a_commit() {
    let world = World::empty();
    fs::create_dir(world.path("repo")).unwrap();
    world.git("repo", &["init", "--quiet", "--initial-branch=trunk"]);
    let error = refused(&world, "repo");
    assert_eq!(error, GitError::UnbornHead { branch: "trunk".into() });
    assert_eq!(error.exit_code(), ExitCode::Fatal);
    assert!(error.hints().concat().contains("git commit"));
}

#[test]
fn a_missing_identity_is_known_at_the_start() {
    let mut world = World::new();
    for name in ["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"] {
        world.unset(name);
    }
    world.git("repo", &["config", "user.useConfigOnly", "true"]);
    let error = refuses(&world, "repo", &How::default());
    assert!(matches!(error, GitError::NoIdentity { .. }), "{error:?}");
    assert!(error.hints().concat().contains("user.email"));
}

#[test]
fn a_base_is_what_git_says_it_is() {
    let world = World::new();
    world.git("repo", &["tag", "main"]);
    world.write("repo/HEAD", "a file\n");
    let repository = world.discover("repo").unwrap();
    let head = world.git("repo", &["rev-parse", "HEAD"]);
    for spec in [None, Some("HEAD"), Some("heads/main"), Some("main"), Some(":/base"), Some(head.as_str())] {
        let Base { commit, tree, label } = repository.base(spec).unwrap();
        assert_eq!(commit.to_string(), head);
        assert_eq!(tree.to_string(), world.git("repo", &["rev-parse", "HEAD^{tree}"]));
        assert_eq!(label, spec.unwrap_or("HEAD"));
    }
    for spec in ["nothing", "--all", "HEAD:README.md", ""] {
        assert!(matches!(repository.base(Some(spec)), Err(GitError::BadRevision { .. })), "{spec}");
    }
}

#[test]
fn files_that_go_through_a_filter_or_an_encoding_are_refused_if_they_are_planned() {
    let world = World::new();
    world.write(
        "repo/.gitattributes",
        "*.bin filter=lfs\n*.txt working-tree-encoding=UTF-16\n*.py eol=crlf ident\n*.u working-tree-encoding=UTF-8\n",
    );
    world.git("repo", &["add", ".gitattributes"]);
    world.git("repo", &["commit", "--quiet", "--message=attributes"]);
    // What the working tree says is not what will be committed on.
    world.write("repo/.gitattributes", "*.py filter=x\n");
    let repository = world.discover("repo").unwrap();
    let base = base(&repository);
    let judge = |name: &str| repository.unsupported(&base, &[path("README.md"), path(name)]);
    assert_eq!(judge("src/a.py"), Ok(()));
    assert_eq!(judge("a.u"), Ok(()));
    assert_eq!(unsupported(&judge("deep/m.bin").unwrap_err()), "filter-driver");
    assert_eq!(unsupported(&judge("t.txt").unwrap_err()), "working-tree-encoding");
}

#[test]
fn a_missing_or_broken_object_is_named_if_it_is_needed() {
    let world = World::new();
    let object = |spec: &str| {
        let id = world.git("repo", &["rev-parse", spec]);
        (world.path("repo/.git/objects").join(&id[..2]).join(&id[2..]), id)
    };
    let (other, _) = object("HEAD:README.md");
    fs::remove_file(other).unwrap();
    publishes(&world, "repo");
    world.git("repo", &["branch", "--delete", "--force", "implement/7"]);
    world.git("repo", &["update-ref", "-d", &format!("refs/implement/runs/{RUN}")]);
    let (place, id) = object("HEAD:src/a.py");
    let bytes = fs::read(&place).unwrap();
    fs::remove_file(&place).unwrap();
    fs::write(&place, &bytes[..12]).unwrap();
    assert!(matches!(refuses(&world, "repo", &How::default()), GitError::BadObject { .. }));
    fs::remove_file(&place).unwrap();
    let error = refuses(&world, "repo", &How::default());
    assert!(
        matches!(&error, GitError::BadObject { id: named, path, .. } if *named == id && path == "src/a.py"),
        "{error}"
    );
}

#[test]
fn a_branch_that_exists_is_refused_appended_to_or_replaced() {
    let world = World::new();
    world.git("repo", &["branch", "implement/7"]);
    for packed in [false, true] {
        if packed {
            world.git("repo", &["pack-refs", "--all"]);
        }
        let error = refuses(&world, "repo", &How::default());
        assert!(matches!(&error, GitError::BranchExists { name, .. } if name == "implement/7"), "{error:?}");
        assert!(error.hints().concat().contains("--force"));
    }
    let old = git_implement::git::Oid::from_str(&world.git("repo", &["rev-parse", "implement/7"])).unwrap();
    let append = How { base: Some("implement/7"), existing: Some(Existing::Append(old)), ..How::default() };
    publishes_with(&world, "repo", &[Do::Write("src/one.py", TEXT)], &append);
    assert_eq!(world.git("repo", &["rev-list", "--count", "main..implement/7"]), "1");
    world.git("repo", &["update-ref", "-d", &format!("refs/implement/runs/{RUN}")]);
    let replace = How { existing: Some(Existing::Replace), ..How::default() };
    publishes_with(&world, "repo", &[Do::Write("src/two.py", TEXT)], &replace);
    assert_eq!(world.git("repo", &["diff", "--name-only", "main", "implement/7"]), "src/two.py");
}

#[test]
fn a_branch_that_a_worktree_holds_is_refused_even_with_force() {
    let world = World::new();
    let force = || How { existing: Some(Existing::Replace), ..How::default() };
    let doing = |error: GitError| match error {
        GitError::BranchCheckedOut { worktree, doing, .. } => (worktree, doing),
        other => panic!("{other:?}"),
    };
    world.git("repo", &["worktree", "add", "--quiet", "-b", "implement/7", "../linked"]);
    assert_eq!(doing(refuses(&world, "repo", &force())), (world.path("linked"), "checked out"));
    world.git("linked", &["bisect", "start"]);
    world.git("linked", &["checkout", "--quiet", "--detach"]);
    assert_eq!(doing(refuses(&world, "repo", &force())).1, "being bisected");
    world.git("linked", &["bisect", "reset"]);
    world.write("linked/src/a.py", "1\n");
    world.git("linked", &["commit", "--quiet", "--all", "--message=1"]);
    world.write("repo/src/a.py", "2\n");
    world.git("repo", &["commit", "--quiet", "--all", "--message=2"]);
    world.fails("linked", &["rebase", "main"]);
    assert_eq!(doing(refuses(&world, "repo", &force())).1, "being rebased");
    world.git("linked", &["rebase", "--abort"]);
    world.git("repo", &["worktree", "remove", "--force", "../linked"]);
    world.git("repo", &["checkout", "--quiet", "implement/7"]);
    assert_eq!(doing(refuses(&world, "repo", &force())), (world.path("repo"), "checked out"));
}

#[test]
fn a_branch_that_cannot_stand_beside_the_new_one_is_named() {
    for (other, branch) in [
        ("implement", "implement/7"),
        ("implement/7/x", "implement/7"),
        ("Implement/X", "implement/x"),
        ("implement/X", "implement/x"),
    ] {
        for packed in [false, true] {
            let world = World::new();
            world.git("repo", &["branch", other]);
            world.git("repo", &["branch", "implementation"]);
            if packed {
                world.git("repo", &["pack-refs", "--all"]);
            }
            let error = refuses(&world, "repo", &How { branch, ..How::default() });
            assert_eq!(
                error,
                GitError::BranchConflict { name: branch.into(), other: other.into() },
                "packed: {packed}"
            );
        }
    }
    let world = World::new();
    world.git("repo", &["branch", "implement/8"]);
    world.git("repo", &["branch", "other/7"]);
    publishes(&world, "repo");
}

#[test]
fn a_name_that_is_no_branch_name_is_refused() {
    let world = World::new();
    for branch in ["HEAD", "-x", "a..b", "a.lock", "", "a b"] {
        assert!(matches!(refuses(&world, "repo", &How { branch, ..How::default() }), GitError::BranchName { .. }));
    }
}

#[test]
fn a_branch_that_moves_or_appears_during_the_run_is_left_where_it_is() {
    let world = World::new();
    let appear = || drop(world.git("repo", &["branch", "implement/7"]));
    let error = run(&world, "repo", CHANGES, &How { before_publish: &appear, ..How::default() }).unwrap_err();
    let head = world.git("repo", &["rev-parse", "HEAD"]);
    let GitError::RefMoved { expected: None, found: Some(found), .. } = &error else { panic!("{error:?}") };
    assert_eq!((found.to_string(), error.exit_code()), (head.clone(), ExitCode::Moved));
    assert_eq!(world.git("repo", &["rev-parse", "implement/7"]), head);
    assert_eq!(world.git("repo", &["for-each-ref", "refs/implement"]), "");
    // Deleted while it was to be replaced.
    let vanish = || drop(world.git("repo", &["branch", "--delete", "--force", "implement/7"]));
    let how = How { before_publish: &vanish, existing: Some(Existing::Replace), ..How::default() };
    let error = run(&world, "repo", CHANGES, &how).unwrap_err();
    assert!(matches!(error, GitError::RefMoved { found: None, .. }), "{error:?}");
    // Checked out while the run made it.
    let checkout = || drop(world.git("repo", &["worktree", "add", "--quiet", "-b", "implement/7", "../linked"]));
    let error = run(&world, "repo", CHANGES, &How { before_publish: &checkout, ..How::default() }).unwrap_err();
    assert!(matches!(error, GitError::BranchCheckedOut { .. }), "{error:?}");
}

#[test]
fn a_locked_ref_is_refused_in_gits_words_and_nobody_is_said_to_have_moved_it() {
    let world = World::new();
    world.write("repo/.git/refs/heads/implement/7.lock", "");
    let error = refuses(&world, "repo", &How::default());
    assert!(matches!(&error, GitError::RefRefused { message } if message.contains("7.lock")), "{error:?}");
    assert_eq!(error.exit_code(), ExitCode::Fatal);
}

#[test]
fn locks_and_broken_refs_of_others_are_not_in_the_way() {
    let world = World::new();
    world.git("repo", &["pack-refs", "--all"]);
    world.write("repo/.git/packed-refs.lock", "");
    world.write("repo/.git/HEAD.lock", "");
    run(&world, "repo", CHANGES, &How::default()).unwrap();
    let world = World::new();
    world.write("repo/.git/refs/heads/broken", "");
    run(&world, "repo", CHANGES, &How::default()).unwrap();
}

#[test]
fn designs_are_read_from_the_working_tree_relative_to_the_current_directory() {
    let world = World::new();
    let repository = world.discover("repo").unwrap();
    let base = base(&repository);
    let design = repository.design("../docs/lld.md", &world.path("repo/src"), &base).unwrap();
    assert_eq!((design.path.as_str(), design.text.as_str()), ("docs/lld.md", "# 7 - A design\n"));
    assert_eq!(design.blob.to_string(), world.git("repo", &["rev-parse", "HEAD:docs/lld.md"]));
    assert!(design.committed && !design.differs_from_base);
    // A checkout with other line ends is the same design.
    world.write("repo/docs/lld.md", "# 7 - A design\r\n");
    assert_eq!(repository.design("docs/lld.md", &world.path("repo"), &base).unwrap(), design);
    world.write("repo/docs/lld.md", "# 8\n");
    let changed = repository.design("docs/lld.md", &world.path("repo"), &base).unwrap();
    assert!(changed.committed && changed.differs_from_base && changed.text == "# 8\n");
    assert_eq!(changed.blob.to_string(), world.git("repo", &["hash-object", "docs/lld.md"]));
    let absolute = world.path("repo/docs/new.md");
    fs::write(&absolute, "new").unwrap();
    let new = repository.design(absolute.to_str().unwrap(), &world.path(""), &base).unwrap();
    assert!(!new.committed && new.differs_from_base);
    assert_eq!(new.path.as_str(), "docs/new.md");
}

#[test]
fn designs_are_read_from_a_revision_or_a_bare_repository() {
    let world = World::new();
    world.git("repo", &["tag", "v1"]);
    world.write("repo/docs/lld.md", "# 8\n");
    world.git("repo", &["commit", "--quiet", "--all", "--message=8"]);
    let repository = world.discover("repo").unwrap();
    let base = base(&repository);
    for (argument, cwd) in [("v1:docs/lld.md", "repo"), ("v1:./lld.md", "repo/docs"), ("v1:../docs/lld.md", "repo/src")]
    {
        let design = repository.design(argument, &world.path(cwd), &base).unwrap();
        assert_eq!((design.path.as_str(), design.text.as_str()), ("docs/lld.md", "# 7 - A design\n"), "{argument}");
        assert!(design.committed && design.differs_from_base);
    }
    world.git("", &["clone", "--quiet", "--bare", "repo", "bare.git"]);
    let repository = world.discover("bare.git").unwrap();
    let base = crate::git_world::base(&repository);
    assert_eq!(repository.design("docs/lld.md", &world.path("bare.git"), &base).unwrap().text, "# 8\n");
    assert_eq!(repository.design("v1:docs/lld.md", &world.path("bare.git"), &base).unwrap().text, "# 7 - A design\n");
}

#[test]
fn a_design_that_cannot_be_one_is_refused_by_name() {
    use std::os::unix::fs::symlink;
    let world = World::new();
    world.write("outside.md", "x");
    world.write("repo/latin.md", b"caf\xe9");
    symlink("/etc/passwd", world.path("repo/link.md")).unwrap();
    symlink(world.path(""), world.path("repo/way")).unwrap();
    world.git("repo", &["add", "link.md"]);
    world.git("repo", &["commit", "--quiet", "--message=link"]);
    let repository = world.discover("repo").unwrap();
    let base = base(&repository);
    let of = |argument: &str| repository.design(argument, &world.path("repo"), &base).unwrap_err();
    assert!(matches!(of("nothing.md"), GitError::DesignMissing { .. }));
    assert!(matches!(of("../outside.md"), GitError::DesignOutside { .. }));
    assert!(matches!(of("way/outside.md"), GitError::DesignOutside { .. }));
    assert!(matches!(of(".."), GitError::DesignOutside { .. }));
    assert!(matches!(of("docs"), GitError::DesignDirectory { .. }));
    assert!(matches!(of("."), GitError::DesignDirectory { .. }));
    assert!(matches!(of("HEAD:docs"), GitError::DesignDirectory { .. }));
    assert!(matches!(of("link.md"), GitError::DesignSymlink { .. }));
    assert!(matches!(of("HEAD:link.md"), GitError::DesignSymlink { .. }));
    assert!(matches!(of("latin.md"), GitError::DesignNotUtf8 { .. }));
    assert!(matches!(of("nowhere:docs/lld.md"), GitError::BadRevision { .. }));
    assert!(matches!(of("HEAD:nothing"), GitError::DesignMissing { .. }));
}
