//! A change as a patch that `git apply`, `git am` and GNU `patch -p1` take, with a head as mail has it. Before it is handed
//! out, git applies it to the base: it makes exactly the tree that it was made of.

use super::{GitError, Identity, Oid, Person, Scratch};
use crate::process::Interrupt;

/// What the ids of commits are dated with in mail boxes: no reader takes it for a date.
const EPOCH: &str = "Mon Sep 17 00:00:00 2001";

impl Scratch<'_> {
    /// The difference between two commits, as the mail of one commit with this `message`.
    ///
    /// # Errors
    /// If git fails, or if the patch does not make the tree of `tip` of that of `base`.
    pub fn patch(
        &self,
        base: Oid,
        tip: Oid,
        identity: &Identity,
        message: &str,
        interrupt: &Interrupt,
    ) -> Result<Vec<u8>, GitError> {
        let arguments = [
            "diff-tree",
            "-r",
            "-p",
            "--full-index",
            "--binary",
            "-M",
            "--src-prefix=a/",
            "--dst-prefix=b/",
            "--no-ext-diff",
            "--no-textconv",
            "--no-color",
            "--no-relative",
        ];
        let (from, to) = (base.to_string(), tip.to_string());
        let diff = self.repository.git().args(arguments).args([&from, &to]).run_until(interrupt)?;
        let made = self.applied(base, &diff, interrupt)?;
        let wanted = self.tree_of(tip)?;
        if made != wanted {
            let message = format!("it makes the tree {made} and not {wanted}");
            return Err(GitError::Git { verb: "apply".to_owned(), message });
        }
        let mut patch = head(tip, &identity.author, message).into_bytes();
        patch.extend(diff);
        Ok(patch)
    }

    /// The tree that the patch makes of that of `base`, in an index of its own.
    fn applied(&self, base: Oid, patch: &[u8], interrupt: &Interrupt) -> Result<String, GitError> {
        let index = self.directory().join("patch-index");
        let git = || self.repository.git().env("GIT_INDEX_FILE", &index);
        git().args(["read-tree", &base.to_string()]).run_until(interrupt)?;
        let apply = ["apply", "--cached", "--whitespace=nowarn", "--no-ignore-whitespace", "-"];
        git().args(apply).stdin(patch.to_vec()).run_until(interrupt)?;
        let made = git().args(["write-tree"]).run_until(interrupt);
        let _ = std::fs::remove_file(&index);
        Ok(line(&made?))
    }

    fn tree_of(&self, commit: Oid) -> Result<String, GitError> {
        let name = format!("{commit}^{{tree}}");
        Ok(line(&self.repository.git().args(["rev-parse", "--verify", &name]).run()?))
    }
}

fn line(output: &[u8]) -> String {
    String::from_utf8_lossy(output).trim().to_owned()
}

/// The head of the mail, and the message below its subject.
fn head(tip: Oid, author: &Person, message: &str) -> String {
    let (subject, body) = message.split_once('\n').unwrap_or((message, ""));
    let body: String = body.trim_matches('\n').lines().map(|line| inert(line) + "\n").collect();
    let body = if body.is_empty() { body } else { format!("{body}\n") };
    format!(
        "From {tip} {EPOCH}\nFrom: {} <{}>\nDate: {}\nSubject: [PATCH] {}\nMIME-Version: 1.0\n\
         Content-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n\n{body}---\n\n",
        name(&author.name),
        one_line(&author.email),
        date(author),
        one_line(subject),
    )
}

/// A line of the message that no program takes for the beginning of a patch.
fn inert(line: &str) -> String {
    let begins = ["diff ", "---", "+++ ", "*** ", "Index:", "@@ ", "From ", "GIT binary"];
    let one = one_line(line);
    if begins.iter().any(|begin| one.starts_with(begin)) { format!(" {one}") } else { one }
}

fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// A name as mail has it: in quotes if it holds what means something there.
fn name(name: &str) -> String {
    let name = one_line(name);
    if !name.contains(['(', ')', '<', '>', '@', ',', ';', ':', '\\', '"', '.', '[', ']']) {
        return name;
    }
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}

/// `Tue, 14 Nov 2023 23:13:20 +0100`
fn date(person: &Person) -> String {
    let offset = jiff::tz::Offset::from_seconds(person.offset * 60).unwrap_or(jiff::tz::Offset::UTC);
    let moment = jiff::Timestamp::from_second(person.seconds).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    moment.to_zoned(offset.to_time_zone()).strftime("%a, %d %b %Y %H:%M:%S %z").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_is_that_of_a_mail_whatever_the_message_is() {
        let author = Person { name: "A. \"U\" Thor".into(), email: "a@b.c".into(), seconds: 1_700_000_000, offset: 60 };
        let head = head(Oid::ZERO_SHA1, &author, "Fix\tit\n\ndiff --git a/x b/x\nFrom me\n\nImplement-Run: 1\n");
        let lines: Vec<&str> = head.lines().skip(1).collect();
        assert_eq!(
            lines,
            [
                "From: \"A. \\\"U\\\" Thor\" <a@b.c>",
                "Date: Tue, 14 Nov 2023 23:13:20 +0100",
                "Subject: [PATCH] Fix it",
                "MIME-Version: 1.0",
                "Content-Type: text/plain; charset=UTF-8",
                "Content-Transfer-Encoding: 8bit",
                "",
                " diff --git a/x b/x",
                " From me",
                "",
                "Implement-Run: 1",
                "",
                "---",
                "",
            ]
        );
    }
}
