//! The last line of a hook of ours: from it alone one can tell that the hook is ours, that nobody has edited it, and what
//! the hook was that it took the place of.

use sha2::{Digest, Sha256};
use std::fs;
use std::io;
use std::path::Path;

/// What the line begins with.
const MARK: &str = "# git-implement-hook: ";

/// What a hook's text says of itself.
#[derive(Debug, PartialEq, Eq)]
pub enum Seal {
    /// It is not ours.
    None,
    /// It was ours, and has been edited.
    Broken,
    /// It is as it was written. `keeps`: the [`fingerprint`] of the hook that was there before.
    Whole { script: String, keeps: Option<String> },
}

/// `script`, which ends in a line feed, with its seal.
pub fn seal(script: &str, keeps: Option<&str>) -> String {
    let keeps = keeps.unwrap_or("-");
    format!("{script}{MARK}{} {keeps}\n", digest(&[script.as_bytes(), keeps.as_bytes()]))
}

/// Reads what [`seal`] wrote.
pub fn read(text: &str) -> Seal {
    let Some(at) = text.find(MARK) else { return Seal::None };
    let (script, line) = text.split_at(at);
    let words = line.strip_prefix(MARK).and_then(|line| line.strip_suffix('\n')).and_then(|line| line.split_once(' '));
    match words {
        Some((sum, keeps)) if sum == digest(&[script.as_bytes(), keeps.as_bytes()]) => {
            Seal::Whole { script: script.to_owned(), keeps: (keeps != "-").then(|| keeps.to_owned()) }
        }
        _ => Seal::Broken,
    }
}

/// A hook's bytes and mode, or its target if it is a symbolic link.
pub fn fingerprint(path: &Path) -> io::Result<String> {
    let data = path.symlink_metadata()?;
    if data.is_symlink() {
        let target = fs::read_link(path)?;
        return Ok(digest(&[b"link", target.as_os_str().as_encoded_bytes()]));
    }
    Ok(digest(&[mode(&data).as_bytes(), &fs::read(path)?]))
}

fn mode(data: &fs::Metadata) -> String {
    use std::os::unix::fs::PermissionsExt;
    format!("{:o}", data.permissions().mode())
}

fn digest(parts: &[&[u8]]) -> String {
    let mut sum = Sha256::new();
    for part in parts {
        sum.update(part.len().to_le_bytes());
        sum.update(part);
    }
    sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &str = "#!/bin/sh\nexit 0\n";

    #[test]
    fn what_was_sealed_is_read_again() {
        for keeps in [None, Some("abc")] {
            let read = read(&seal(SCRIPT, keeps));
            assert_eq!(read, Seal::Whole { script: SCRIPT.into(), keeps: keeps.map(str::to_owned) });
        }
        assert_eq!(read(SCRIPT), Seal::None);
    }

    #[test]
    fn every_edit_breaks_the_seal() {
        let sealed = seal(SCRIPT, Some("abc"));
        let edits = [
            sealed.replace("exit 0", "exit 1"),
            sealed.replace("abc", "abd"),
            sealed.replace("abc", "-"),
            sealed.clone() + "echo more\n",
            sealed.trim_end().to_owned(),
            format!("echo first\n{sealed}"),
            sealed.clone() + &sealed,
            sealed.replace('\n', "\r\n"),
        ];
        for edited in edits {
            assert_eq!(read(&edited), Seal::Broken, "{edited}");
        }
    }
}
