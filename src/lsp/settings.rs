//! Which servers may be started, how long they are waited for, and what holds them.

use super::server::Server;
use crate::process::Sandbox;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Who may be asked, and for how long.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Exactly these may be started, those that run code of the workspace too. `None`: all that run none.
    pub names: Option<Vec<String>>,
    /// These may be started beside all that run none, though they run code of the workspace.
    pub named: Vec<String>,
    /// These may not.
    pub refused: Vec<String>,
    /// The longest wait for one file.
    pub limit: Duration,
    /// The longest wait for one file, as long as its server has not answered yet: it reads the whole project first.
    pub first_limit: Duration,
    /// Folders in which no program is looked for, beside the root: the person's own working tree.
    pub never_from: Vec<PathBuf>,
    /// What holds them; `None`: nothing does.
    pub held: Option<Held>,
}

/// What holds servers that read, and some that run, what a model wrote.
#[derive(Debug, Clone)]
pub struct Held {
    pub sandbox: Arc<Sandbox>,
    /// Places that they may read although they are hidden: what is installed in the person's tree.
    pub readable: Vec<PathBuf>,
    /// Places that they never see.
    pub hidden: Vec<PathBuf>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            names: None,
            named: Vec::new(),
            refused: Vec::new(),
            limit: Duration::from_secs(10),
            first_limit: Duration::from_secs(60),
            never_from: Vec::new(),
            held: None,
        }
    }
}

impl Settings {
    /// That these may be started, too, though they run code of the workspace.
    pub fn with(named: &[String]) -> Settings {
        Settings { named: named.to_vec(), ..Settings::default() }
    }

    pub(super) fn permit(&self, server: &Server) -> bool {
        let may = match &self.names {
            Some(names) => names.iter().any(|name| name == server.name),
            None => !server.runs_workspace || self.names_it(server),
        };
        may && !self.refused.iter().any(|name| name == server.name)
    }

    /// Has a person named it? Then it may run code of the workspace.
    pub(super) fn names_it(&self, server: &Server) -> bool {
        self.named.iter().chain(self.names.iter().flatten()).any(|name| name == server.name)
    }
}

#[cfg(test)]
mod tests {
    use crate::environment::Environment;
    use crate::lsp::{Servers, Settings};
    use crate::process::Interrupt;
    use std::ffi::OsString;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    /// What would be asked about a TypeScript file, where a server for it is installed without a TypeScript of its own.
    fn handles(settings: &Settings) -> (Option<&'static str>, Option<&'static str>) {
        let (programs, root) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let program = programs.path().join("typescript-language-server");
        fs::write(&program, "#!/bin/sh\n").unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let path = (OsString::from("PATH"), programs.path().as_os_str().to_owned());
        let environment: Environment = [path].into_iter().collect();
        let servers = Servers::new(root.path(), settings, &environment, &Interrupt::never());
        let known = servers.of_language("a.ts").into_iter().find(|known| known.is_installed).unwrap();
        (servers.handles("a.ts"), known.lacks)
    }

    #[test]
    fn to_name_one_server_lets_no_other_run_code_of_the_workspace() {
        let lacks = Some("no TypeScript is installed beside it ('npm install -g typescript')");
        assert_eq!(handles(&Settings::default()), (None, lacks));
        assert_eq!(handles(&Settings::with(&["rust-analyzer".to_owned()])), (None, lacks));
        let named = Settings::with(&["typescript-language-server".to_owned()]);
        assert_eq!(handles(&named), (Some("typescript-language-server"), None));
    }
}
