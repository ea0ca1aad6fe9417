//! What the person has agreed to, and is not asked again: to whom the source of a repository may be sent, and which texts of
//! its configuration file may have something run.
//!
//! It is kept in the person's own configuration folder, one file for each repository. Nothing that lies in a repository
//! counts: whoever made it could have put it there.

use super::Environment;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The agreements about one repository.
#[derive(Debug)]
pub struct Agreed {
    /// `None`: there is no folder to keep anything in, so that nothing is remembered.
    file: Option<PathBuf>,
    kept: Kept,
}

/// The file's form.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Kept {
    /// The repository's common directory, canonical; for people, and against two paths with one hash.
    repository: String,
    /// Who may be sent its source.
    sent_to: Vec<String>,
    /// The SHA-256 of each text of the repository's file that was approved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    approved: Vec<String>,
}

impl Agreed {
    /// What was agreed to for the repository with this common directory. What cannot be read counts as nothing.
    pub fn read(environment: &Environment, common_dir: &Path) -> Agreed {
        let common_dir = common_dir.canonicalize().unwrap_or_else(|_| common_dir.to_owned());
        let repository = common_dir.to_string_lossy().into_owned();
        let name: String =
            Sha256::digest(repository.as_bytes()).iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        let file = environment.config_home().map(|home| home.join("git-implement/agreed").join(name + ".json"));
        let kept = file.as_ref().and_then(|file| fs::read(file).ok());
        let kept = kept.and_then(|bytes| serde_json::from_slice::<Kept>(&bytes).ok());
        let kept = kept.filter(|kept| kept.repository == repository);
        Agreed { file, kept: kept.unwrap_or(Kept { repository, ..Kept::default() }) }
    }

    /// May its source be sent to `whom`?
    pub fn holds(&self, whom: &str) -> bool {
        self.kept.sent_to.iter().any(|known| known == whom)
    }

    /// Remembers that it may.
    ///
    /// # Errors
    /// If the file cannot be written, and then it is only asked again.
    pub fn add(&mut self, whom: &str) -> io::Result<()> {
        self.kept.sent_to.push(whom.to_owned());
        self.write()
    }

    /// Has the person approved this very text of the repository's file?
    pub fn approves(&self, text: &str) -> bool {
        self.kept.approved.contains(&digest(text))
    }

    /// The texts that are approved, by their SHA-256, the last one last.
    pub fn approved(&self) -> &[String] {
        &self.kept.approved
    }

    /// Remembers that this text is approved.
    ///
    /// # Errors
    /// If the file cannot be written, or there is no place for it: then nothing is approved.
    pub fn approve(&mut self, text: &str) -> io::Result<()> {
        if self.file.is_none() {
            return Err(io::Error::new(io::ErrorKind::NotFound, "there is no HOME to keep it in"));
        }
        let digest = digest(text);
        self.kept.approved.retain(|known| *known != digest);
        self.kept.approved.push(digest);
        self.write()
    }

    /// Takes back every approval of this repository's file.
    ///
    /// # Errors
    /// If the file cannot be written: then they still count.
    pub fn revoke(&mut self) -> io::Result<()> {
        self.kept.approved.clear();
        self.write()
    }

    fn write(&self) -> io::Result<()> {
        let Some((file, folder)) = self.file.as_ref().and_then(|file| Some((file, file.parent()?))) else {
            return Ok(());
        };
        fs::create_dir_all(folder)?;
        let mut draft = tempfile::NamedTempFile::new_in(folder)?;
        serde_json::to_writer_pretty(&mut draft, &self.kept)?;
        draft.write_all(b"\n")?;
        draft.persist(file)?;
        Ok(())
    }
}

/// What a text is known by.
pub fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agreement_is_of_one_repository_and_one_place_to_send_it_to() {
        let home = tempfile::tempdir().unwrap();
        let environment: Environment = [("HOME".into(), home.path().as_os_str().to_owned())].into_iter().collect();
        let (one, other) = (home.path().join("one"), home.path().join("other"));
        let mut agreed = Agreed::read(&environment, &one);
        assert!(!agreed.holds("x at https://x.example"));
        agreed.add("x at https://x.example").unwrap();
        assert!(agreed.holds("x at https://x.example"));
        let again = Agreed::read(&environment, &one);
        assert!(again.holds("x at https://x.example") && !again.holds("y at https://x.example"));
        assert!(!Agreed::read(&environment, &other).holds("x at https://x.example"));
        assert!(home.path().join(".config/git-implement/agreed").is_dir());
    }

    #[test]
    fn an_approval_is_of_one_text_in_one_repository_until_it_is_revoked() {
        let home = tempfile::tempdir().unwrap();
        let environment: Environment = [("HOME".into(), home.path().as_os_str().to_owned())].into_iter().collect();
        let (one, other) = (home.path().join("one"), home.path().join("other"));
        let mut agreed = Agreed::read(&environment, &one);
        agreed.add("x").unwrap();
        agreed.approve("verify = \"a\"").unwrap();
        let again = Agreed::read(&environment, &one);
        assert!(again.approves("verify = \"a\"") && again.holds("x"));
        assert!(!again.approves("verify = \"a\"\n"), "any change is another text");
        assert!(!Agreed::read(&environment, &other).approves("verify = \"a\""));
        agreed.revoke().unwrap();
        let again = Agreed::read(&environment, &one);
        assert!(!again.approves("verify = \"a\"") && again.holds("x"), "what else was agreed to stays");
        assert!(Agreed::read(&Environment::default(), &one).approve("x").is_err());
    }
}
