//! A pager: a program of the person's that shows a text on the terminal, and has the terminal until it ends.

use super::ChildKind;
use crate::environment::Environment;
use std::io::{self, Write};
use std::process::{Command, Stdio};

/// Shows `text` by the command line `pager`, which a shell reads as git's shell does. `variables` count where the person has
/// not set them.
///
/// # Errors
/// If there is no shell. A pager that reads no further is no error.
pub fn page(environment: &Environment, pager: &str, variables: &[(&str, &str)], text: &[u8]) -> io::Result<()> {
    let mut command = Command::new("sh");
    command.args(["-c", pager]).env_clear().envs(ChildKind::Other.variables(environment).iter()).stdin(Stdio::piped());
    for (name, value) in variables.iter().filter(|(name, _)| environment.get(name).is_none()) {
        command.env(name, value);
    }
    // Ctrl-C is for the pager, which does with it as it likes; we wait.
    let ignored = std::sync::Arc::default();
    let hold = signal_hook::flag::register(signal_hook::consts::SIGINT, ignored);
    let mut child = command.spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        let _ = stdin.write_all(text);
    }
    let ended = child.wait();
    if let Ok(hold) = hold {
        signal_hook::low_level::unregister(hold);
    }
    ended.map(|_| ())
}
