//! Who makes the commits, as `git var` says: configuration, `GIT_AUTHOR_*`, dates and all.

use super::{GitError, Repository};

/// A name, an address and a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    pub name: String,
    pub email: String,
    /// Seconds since 1970.
    pub seconds: i64,
    /// Minutes east of Greenwich.
    pub offset: i32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    pub author: Person,
    pub committer: Person,
}

impl Repository {
    /// Costs two children. Ask at the start, so that a missing identity is known before a token is spent, and again
    /// when the commits are made, for the time.
    pub fn identity(&self) -> Result<Identity, GitError> {
        Ok(Identity { author: self.person("GIT_AUTHOR_IDENT")?, committer: self.person("GIT_COMMITTER_IDENT")? })
    }

    fn person(&self, variable: &str) -> Result<Person, GitError> {
        let output = self.git().args(["var", variable]).output()?;
        if !output.ok() {
            // git says who you should tell it you are, at length; the last line has the reason.
            let message = output.message();
            let reason = message.lines().last().unwrap_or_default().to_owned();
            return Err(GitError::NoIdentity { message: reason });
        }
        let text = String::from_utf8_lossy(&output.stdout);
        Person::parse(text.trim_end()).ok_or_else(|| GitError::NoIdentity {
            message: format!("cannot read '{}'", text.trim_end().escape_debug()),
        })
    }
}

impl Person {
    /// `A U Thor <author@example.com> 1700000000 +0100`
    fn parse(text: &str) -> Option<Person> {
        let (name, rest) = text.split_once(" <").or_else(|| Some(("", text.strip_prefix('<')?)))?;
        let (email, moment) = rest.rsplit_once("> ")?;
        let (seconds, zone) = moment.split_once(' ')?;
        let (sign, digits) = match zone.split_at_checked(1)? {
            ("-", digits) => (-1, digits),
            ("+", digits) => (1, digits),
            _ => return None,
        };
        let number: i32 = digits.parse().ok()?;
        Some(Person {
            name: name.to_owned(),
            email: email.to_owned(),
            seconds: seconds.parse().ok()?,
            offset: sign * (number / 100 * 60 + number % 100),
        })
    }

    pub(super) fn signature(&self) -> Result<git2::Signature<'static>, GitError> {
        git2::Signature::new(&self.name, &self.email, &git2::Time::new(self.seconds, self.offset))
            .map_err(GitError::libgit2(format!("sign as '{}'", self.name)))
    }

    /// As `GIT_AUTHOR_DATE` takes it.
    pub(super) fn date(&self) -> String {
        let sign = if self.offset < 0 { '-' } else { '+' };
        let offset = self.offset.unsigned_abs();
        format!("@{} {sign}{:02}{:02}", self.seconds, offset / 60, offset % 60)
    }
}

impl std::fmt::Display for Person {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} <{}>", self.name, self.email)
    }
}

#[cfg(test)]
mod tests {
    use super::Person;

    #[test]
    fn what_git_var_prints_is_read_and_its_date_written_again() {
        let person = Person::parse("A U <Thor <a@example.com> 1700000000 -0330").unwrap();
        assert_eq!((person.name.as_str(), person.email.as_str()), ("A U", "Thor <a@example.com"));
        assert_eq!((person.seconds, person.offset), (1_700_000_000, -210));
        assert_eq!(person.date(), "@1700000000 -0330");
        assert_eq!(Person::parse("nobody"), None);
    }
}
