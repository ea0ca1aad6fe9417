//! [`Repository`]: discovery and refusal of what would come out wrong, before anything is asked or written.
//!
//! git alone judges where the repository is and whether it may be opened (`GIT_DIR`, ceilings, `safe.directory`,
//! `safe.bareRepository`, extensions, formats); libgit2 then opens exactly that directory, and only where it is needed.

use super::child::Git;
use super::config::GitConfig;
use super::listing::Ahead;
use super::objects::{Entry, Objects};
use super::{GitError, Oid};
use crate::environment::Environment;
use crate::process::{ChildKind, Interrupt};
use std::cell::{OnceCell, RefCell};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// A repository that can be served. Everything else in [`crate::git`] starts here.
pub struct Repository {
    /// libgit2's, once it was needed.
    libgit2: OnceCell<git2::Repository>,
    git_dir: PathBuf,
    common_dir: PathBuf,
    /// Canonical; `None` when bare.
    workdir: Option<PathBuf>,
    /// The user's index; may not exist.
    index: PathBuf,
    /// Where new objects go: the quarantine's in a hook that has one.
    store: PathBuf,
    environment: Environment,
    config: OnceCell<GitConfig>,
    /// Made at the first read.
    objects: RefCell<Option<Objects>>,
    /// The tree that was listed last.
    pub(super) listed: RefCell<Option<(Oid, Ahead)>>,
    /// May git get what a partial clone lacks?
    fetches: bool,
    /// Ends what takes long.
    pub(super) interrupt: Interrupt,
}

impl Repository {
    /// The repository that git would use in `cwd` under `environment`, if libgit2 can write to it as well.
    pub fn discover(cwd: &Path, environment: &Environment) -> Result<Repository, GitError> {
        let repository = Repository::find(cwd, environment)?;
        repository.libgit2()?;
        Ok(repository)
    }

    /// The same for whoever only reads.
    pub fn find(cwd: &Path, environment: &Environment) -> Result<Repository, GitError> {
        let asked = Git::new(environment, cwd)
            .args(["rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir", "--git-path", "index"])
            .args([
                "--git-path",
                "objects",
                "--is-bare-repository",
                "--show-object-format",
                "--show-ref-format",
                "--show-toplevel",
            ])
            .output()?;
        let text = String::from_utf8_lossy(&asked.stdout).into_owned();
        let mut lines = text.lines();
        let (Some(git_dir), Some(common_dir), Some(index), Some(store), Some(bare), Some(objects), Some(refs)) =
            (lines.next(), lines.next(), lines.next(), lines.next(), lines.next(), lines.next(), lines.next())
        else {
            return Err(GitError::CannotOpen { message: asked.message() });
        };
        // The last question has no answer in a bare repository, nor inside `.git`.
        let top = lines.next();
        if objects != "sha1" {
            return Err(unsupported("unsupported-sha256", format!("the repository's object format is '{objects}'")));
        }
        // A git older than reftable echoes the question.
        if refs != "files" && refs != "--show-ref-format" {
            return Err(unsupported("unsupported-reftable", format!("the repository's ref format is '{refs}'")));
        }
        let mut repository = Repository {
            libgit2: OnceCell::new(),
            git_dir: git_dir.into(),
            common_dir: common_dir.into(),
            workdir: None,
            index: index.into(),
            store: store.into(),
            environment: ChildKind::Git.variables(environment),
            config: OnceCell::new(),
            objects: RefCell::new(None),
            listed: RefCell::new(None),
            fetches: false,
            interrupt: Interrupt::never(),
        };
        if bare != "true" {
            let root = match top {
                Some(top) => Some(PathBuf::from(top)),
                None => repository.worktree_of_git_dir()?,
            };
            repository.workdir = root.map(|path| path.canonicalize().unwrap_or(path));
        }
        Ok(repository)
    }

    /// Where the working tree is, for whoever stands in the git directory and not in it.
    fn worktree_of_git_dir(&self) -> Result<Option<PathBuf>, GitError> {
        if let Some(configured) = self.config_str("core.worktree")? {
            return Ok(Some(self.git_dir.join(configured)));
        }
        let link = std::fs::read_to_string(self.git_dir.join("gitdir")).unwrap_or_default();
        let dot_git = match link.trim_end() {
            "" => self.git_dir.clone(),
            place => self.git_dir.join(place),
        };
        Ok(dot_git.parent().filter(|_| dot_git.ends_with(".git")).map(Path::to_owned))
    }

    /// Lets git fetch what a partial clone lacks, which runs what the repository's configuration says of its remotes. Only
    /// for whoever was asked to make commits: reading never fetches.
    pub fn may_fetch(&mut self) {
        self.fetches = true;
    }

    /// Lets the person's interruption end what takes long.
    pub fn heed(&mut self, interrupt: &Interrupt) {
        self.interrupt = interrupt.clone();
    }

    /// The repository as libgit2 sees it.
    pub(super) fn libgit2(&self) -> Result<&git2::Repository, GitError> {
        if let Some(opened) = self.libgit2.get() {
            return Ok(opened);
        }
        let opened = open(&self.environment, &self.git_dir)?;
        Ok(self.libgit2.get_or_init(|| opened))
    }

    /// The worktree's own directory: `.git`, or `.git/worktrees/<name>` in a linked worktree.
    pub fn git_dir(&self) -> &Path {
        &self.git_dir
    }
    /// What all worktrees share.
    pub fn common_dir(&self) -> &Path {
        &self.common_dir
    }
    /// The root of the working tree, canonical; `None` when bare.
    pub fn workdir(&self) -> Option<&Path> {
        self.workdir.as_deref()
    }
    /// Can something be staged here? In a bare repository nothing is, unless it was given an index all the same.
    pub fn has_index(&self) -> bool {
        self.workdir().is_some() || self.index.exists()
    }
    /// The user's index; may not exist.
    pub(super) fn index(&self) -> &Path {
        &self.index
    }
    /// Where loose objects are.
    pub(super) fn store(&self) -> &Path {
        &self.store
    }
    pub fn is_bare(&self) -> bool {
        self.workdir.is_none()
    }
    /// Is there no working tree round `directory`, be it that there is none at all or that this is in the git directory?
    pub fn is_bare_at(&self, directory: &Path) -> bool {
        self.is_bare() || directory.canonicalize().is_ok_and(|directory| directory.starts_with(&self.common_dir))
    }
    /// What git children start from.
    pub fn environment(&self) -> &Environment {
        &self.environment
    }

    /// git's configuration as git itself reads it here, `-c` and `GIT_CONFIG_*` included.
    pub(super) fn config(&self) -> Result<&GitConfig, GitError> {
        if let Some(config) = self.config.get() {
            return Ok(config);
        }
        let config = GitConfig::parse(&self.git().args(["config", "--list", "-z"]).run()?);
        Ok(self.config.get_or_init(|| config))
    }
    /// `git config --get <key>`: the last value, `None` when it is not set.
    pub fn config_str(&self, key: &str) -> Result<Option<&str>, GitError> {
        Ok(self.config()?.get(key))
    }
    /// `git config --type=bool --get <key>`.
    pub fn config_bool(&self, key: &str) -> Result<Option<bool>, GitError> {
        self.config()?.get_bool(key)
    }

    /// What git prints for these arguments of a query of its configuration, which may have no answer.
    pub fn config_output(&self, arguments: &[&str]) -> Result<Vec<u8>, GitError> {
        Ok(self.git().args(arguments).output()?.stdout)
    }

    /// A git child for this repository, in its root.
    pub(super) fn git(&self) -> Git {
        let mut variables: Vec<(&str, &OsStr)> =
            vec![("GIT_DIR", self.git_dir.as_os_str()), ("GIT_INDEX_FILE", self.index.as_os_str())];
        if self.common_dir != self.git_dir && self.environment.get("GIT_COMMON_DIR").is_some() {
            variables.push(("GIT_COMMON_DIR", self.common_dir.as_os_str()));
        }
        let directory = match &self.workdir {
            Some(workdir) => {
                variables.push(("GIT_WORK_TREE", workdir.as_os_str()));
                workdir
            }
            None => &self.git_dir,
        };
        let git = Git::at(&self.environment, directory, &variables);
        if self.fetches { git } else { git.without_network() }
    }

    /// An object's bytes; it must be there and be of `kind` (`blob`, `commit`). `path` is for the error.
    pub(super) fn read(&self, id: Oid, kind: &str, path: &str) -> Result<Vec<u8>, GitError> {
        self.with_objects(|objects| objects.read(id, kind, path))
    }
    /// A blob's bytes; `None` if it has more than `most` of them.
    pub(super) fn read_within(&self, id: Oid, path: &str, most: u64) -> Result<Option<Vec<u8>>, GitError> {
        self.with_objects(|objects| objects.read_within(id, "blob", path, most))
    }
    /// The entries of a tree, in its order.
    pub(super) fn read_tree(&self, id: Oid, path: &str) -> Result<Vec<(String, Entry)>, GitError> {
        self.with_objects(|objects| objects.tree(id, path))
    }
    pub(super) fn with_objects<T>(&self, ask: impl FnOnce(&mut Objects) -> Result<T, GitError>) -> Result<T, GitError> {
        ask(self.objects.borrow_mut().get_or_insert_with(|| Objects::new(self.git())))
    }

    /// Where a ref points, peeled to a commit if it is a branch; `None` when it does not exist.
    pub(super) fn ref_target(&self, name: &str) -> Result<Option<Oid>, GitError> {
        match self.libgit2()?.find_reference(name) {
            Ok(reference) => Ok(reference.resolve().ok().and_then(|direct| direct.target())),
            Err(error) if error.code() == git2::ErrorCode::NotFound => Ok(None),
            Err(error) => Err(GitError::libgit2(format!("read the ref '{name}'"))(error)),
        }
    }
}

/// With libgit2, as if it were bare: git has said already whether it may be opened and where its working tree is, and
/// libgit2 asks only of others whose they are. Where objects are elsewhere (a quarantine, a borrowed store), it takes that
/// from the process's environment, which then is what `environment` was made from.
fn open(environment: &Environment, git_dir: &Path) -> Result<git2::Repository, GitError> {
    let elsewhere =
        ["GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES"].iter().any(|name| environment.get(name).is_some());
    let opened = if elsewhere {
        git2::Repository::open_ext(git_dir, git2::RepositoryOpenFlags::FROM_ENV, &[] as &[&OsStr])
    } else {
        git2::Repository::open_bare(git_dir)
    };
    opened.map_err(|error| {
        let message = error.message();
        if message.to_lowercase().contains("partialclone") {
            let what = "'extensions.partialClone' is set, which git implement does not support".to_owned();
            let hint = "newer gits do without it: git config --unset extensions.partialClone, if a \
                        'remote.<name>.promisor' is set";
            GitError::Unsupported { id: "unsupported-partial-clone", what, hint: hint.to_owned() }
        } else if error.code() == git2::ErrorCode::Owner {
            let message = format!("detected dubious ownership in repository at '{}'", git_dir.display());
            GitError::CannotOpen { message }
        } else {
            unsupported("unsupported-repository", format!("cannot open '{}': {message}", git_dir.display()))
        }
    })
}

fn unsupported(id: &'static str, what: String) -> GitError {
    let hint = "such repositories are not served yet: work in a clone of the usual format ('git init' with \
                --object-format=sha1 --ref-format=files, then 'git pull')";
    GitError::Unsupported { id, what: format!("{what}, which git implement does not support"), hint: hint.to_owned() }
}
