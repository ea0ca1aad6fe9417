//! Hooks in git's configuration (`hook.<name>.command`, `hook.<name>.event`), which git runs from 2.54 on, before the
//! hook file of the same event, wherever `core.hooksPath` leads.

use crate::git::{GitError, Repository};

/// The name of our hook in the configuration.
pub const NAME: &str = "git-implement";

/// What the repository's own configuration says of our hook, or what is to be said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Configured {
    pub command: String,
    pub events: Vec<String>,
    /// Keys that we never write, with their values.
    pub others: Vec<(String, String)>,
}

impl Repository {
    /// Does the git that runs here run hooks from its configuration? Asked by an example.
    pub fn runs_configured_hooks(&self) -> Result<bool, GitError> {
        let git = self
            .git()
            .option("hook.git-implement-probe.command=true")
            .option("hook.git-implement-probe.event=pre-commit");
        let listed = git.args(["hook", "list", "pre-commit"]).output()?;
        Ok(listed.ok() && String::from_utf8_lossy(&listed.stdout).contains("git-implement-probe"))
    }

    /// Our hook in the repository's own configuration.
    pub fn configured_hook(&self) -> Result<Option<Configured>, GitError> {
        let pattern = format!("^hook\\.{NAME}\\.");
        let listed = self.git().args(["config", "--local", "-z", "--get-regexp", &pattern]).output()?;
        let listed = String::from_utf8_lossy(&listed.stdout);
        let mut found = Configured::default();
        for entry in listed.split('\0').filter(|entry| !entry.is_empty()) {
            let (key, value) = entry.split_once('\n').unwrap_or((entry, ""));
            match key.rsplit('.').next() {
                Some("command") => found.command = value.to_owned(),
                Some("event") => found.events.push(value.to_owned()),
                _ => found.others.push((key.to_owned(), value.to_owned())),
            }
        }
        Ok((found != Configured::default()).then_some(found))
    }

    /// Is a hook of this name, or all hooks of this event, turned off (`hook.<name>.enabled = false`)?
    pub fn hook_is_disabled(&self, name: &str) -> Result<bool, GitError> {
        Ok(self.config_bool(&format!("hook.{name}.enabled"))? == Some(false))
    }

    /// Writes our hook into the repository's own configuration, in place of what is there of it.
    pub fn configure_hook(&self, hook: &Configured) -> Result<(), GitError> {
        self.forget_configured_hook()?;
        // The command first: an event without one ends every git command that runs hooks.
        let key = format!("hook.{NAME}.command");
        self.git().args(["config", "--local", &key, &hook.command]).run()?;
        let key = format!("hook.{NAME}.event");
        for event in &hook.events {
            self.git().args(["config", "--local", "--add", &key, event]).run()?;
        }
        Ok(())
    }

    /// Takes our hook out of the repository's own configuration.
    pub fn forget_configured_hook(&self) -> Result<(), GitError> {
        if self.configured_hook()?.is_some() {
            self.git().args(["config", "--local", "--remove-section", &format!("hook.{NAME}")]).run()?;
        }
        Ok(())
    }
}
