//! The servers that are known. Each is one file and one line of [`SERVERS`]; `doc/LSP.md` says how to add one.

mod absent;
mod basedpyright;
mod clangd;
mod gopls;
mod pyright;
mod ruff;
mod rust_analyzer;
mod tsgo;
mod ty;
mod typescript;

use crate::diagnostic::Diagnostic;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Every server there is. Of several for one language the first that is installed is asked.
pub(super) const SERVERS: &[&Server] = &[
    &pyright::SERVER,
    &basedpyright::SERVER,
    &ty::SERVER,
    &ruff::SERVER,
    &tsgo::SERVER,
    &typescript::SERVER,
    &gopls::SERVER,
    &clangd::SERVER,
    &rust_analyzer::SERVER,
];

/// How a server is asked so that its answer is one on exactly the text that was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ask {
    /// `textDocument/diagnostic`; where an older version does not have it, as [`Ask::VersionedPush`].
    Pull,
    /// Waiting for the diagnostics that it publishes with the version that was sent.
    VersionedPush,
    /// tsserver's own requests, through `typescript.tsserverRequest`.
    Tsserver,
}

/// A server, as the registry knows it.
pub(super) struct Server {
    /// As people name it.
    pub name: &'static str,
    /// The program, looked for on the PATH.
    pub program: &'static str,
    pub arguments: &'static [&'static str],
    /// Extensions of files, and the protocol's name for their language.
    pub languages: &'static [(&'static str, &'static str)],
    pub ask: Ask,
    /// A line with an error, for one that publishes only what has changed, and calls clean what it has not looked at: with this
    /// line planted at the end of the text it must say so, and say when it is gone.
    pub planted: Option<&'static str>,
    /// Until it says that it is quiescent (`experimental/serverStatus`), it calls everything clean.
    pub says_when_ready: bool,
    /// It runs code that lies in the workspace, and is therefore started only when a person names it.
    pub runs_workspace: bool,
    /// Variables that it gets beside those of every program; `{private}` is a folder that is removed with it.
    pub variables: &'static [(&'static str, &'static str)],
    /// `initializationOptions`; `None`: as it is installed here it would run code of the workspace.
    pub options: fn(&Place) -> Option<Value>,
    /// What it lacks where it has no options, and where that is to be had.
    pub lacks: &'static str,
    /// Its configuration, by section.
    pub settings: fn(&Place) -> Value,
    /// What is to be thought of its words, which it says knowing less of the workspace than its people do. An error: why they
    /// are no judgement at all.
    pub weigh: fn(&Place, Vec<Diagnostic>) -> Result<Vec<Diagnostic>, &'static str>,
}

/// Where a server is and works.
pub(super) struct Place<'a> {
    /// The program, as it was found.
    pub program: &'a Path,
    pub root: &'a Path,
    /// The file that is asked about, below the root.
    pub path: &'a str,
}

/// What most servers are: pulled from, and without anything special. Name, program and languages are to be said.
const PLAIN: Server = Server {
    name: "",
    program: "",
    arguments: &[],
    languages: &[],
    ask: Ask::Pull,
    planted: None,
    says_when_ready: false,
    runs_workspace: false,
    variables: &[],
    options: |_| Some(Value::Null),
    lacks: "",
    settings: |_| Value::Null,
    weigh: |_, found| Ok(found),
};

impl Place<'_> {
    /// The folder of the file.
    fn folder(&self) -> PathBuf {
        self.root.join(self.path).parent().unwrap_or(self.root).to_owned()
    }

    /// That, and those that it is in, up to the root.
    fn folders(&self) -> impl Iterator<Item = PathBuf> {
        let folder = self.folder();
        let up: Vec<PathBuf> =
            folder.ancestors().take_while(|folder| folder.starts_with(self.root)).map(Path::to_owned).collect();
        up.into_iter()
    }
}

impl Server {
    /// The protocol's name for the language of a file; `None`: not one of this server's.
    pub fn language(&self, path: &str) -> Option<&'static str> {
        let extension = Path::new(path).extension()?.to_str()?;
        self.languages.iter().find(|(known, _)| *known == extension).map(|(_, language)| *language)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_that_defines_a_server_has_its_line_in_the_registry() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lsp/server");
        let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
        let defining = files.filter(|file| std::fs::read_to_string(file).unwrap().contains("const SERVER: Server"));
        assert_eq!(defining.count() - 1, SERVERS.len(), "mod.rs names it, too");
        let mut names: Vec<_> = SERVERS.iter().map(|server| server.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), SERVERS.len());
    }

    #[test]
    fn every_server_says_what_it_is_and_what_it_reads() {
        for server in SERVERS {
            assert!(!server.program.is_empty() && !server.languages.is_empty(), "{}", server.name);
            assert!(server.languages.iter().all(|(extension, _)| !extension.starts_with('.')), "{}", server.name);
        }
    }

    #[test]
    fn a_file_belongs_to_a_server_by_its_extension_alone() {
        assert_eq!(pyright::SERVER.language("src/a.py"), Some("python"));
        assert_eq!(tsgo::SERVER.language("a.b.tsx"), Some("typescriptreact"));
        for path in ["a", "py", "a.PNG", ".py", "a.py/b", ""] {
            assert_eq!(pyright::SERVER.language(path), None, "{path}");
        }
    }
}
