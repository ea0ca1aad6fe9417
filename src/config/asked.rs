//! What a text of the repository's file asks a person to approve: every key of it that the repository may not set by itself.

use super::file;
use super::registry::{self, Trust};
use super::setting::Origin;
use super::value::Value;
use super::verify::Verify;
use crate::finding::Finding;

/// One thing that the file would have run, started or set.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    pub key: &'static str,
    /// Of the file, counted from 1.
    pub line: usize,
    pub value: String,
    /// The command, if it is one that verifies.
    pub verify: Option<Verify>,
}

/// All of them, in the order of the file.
///
/// # Errors
/// What is wrong with the file, if it cannot be read.
pub fn asked_by(text: &str) -> Result<Vec<Asked>, Vec<Finding>> {
    let (mut given, mut findings) = (Vec::new(), Vec::new());
    file::layer(text, &mut given, &mut findings);
    if findings.iter().any(Finding::is_error) {
        return Err(findings);
    }
    let is_asked = |key: &str| registry::find(key).is_some_and(|key| key.trust == Trust::Protected);
    let mut asked: Vec<Asked> = Vec::new();
    for entry in given.into_iter().filter(|entry| is_asked(entry.key)) {
        let Origin::File { line } = entry.origin else { continue };
        let (value, verify) = match entry.value {
            Value::Verify(verify) => (verify.text.clone(), Some(*verify)),
            Value::Text(text) if entry.key == "verify" => (text.clone(), Verify::of_line(&text, entry.origin)),
            Value::Text(text) => (text, None),
            Value::Flag(flag) => (flag.to_string(), None),
            Value::Count(count) => (count.to_string(), None),
            Value::Money(amount) => (amount.to_string(), None),
            Value::Duration(time) => (format!("{}s", time.as_secs()), None),
        };
        asked.push(Asked { key: entry.key, line, value, verify });
    }
    asked.sort_by_key(|asked| asked.line);
    Ok(asked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runs_or_says_where_things_go_is_asked_for_and_nothing_else() {
        let text = "max-files = 3\nprovider = \"openai\"\nlsp-server = [\"gopls\"]\nno-exec = true\n\n[[verify]]\n\
                    command = \"make test\"\nnetwork = true\n";
        let asked = asked_by(text).unwrap();
        let seen: Vec<_> = asked.iter().map(|asked| (asked.line, asked.key, asked.value.as_str())).collect();
        let expected =
            [(2, "provider", "openai"), (3, "lsp-server", "gopls"), (4, "no-exec", "true"), (6, "verify", "make test")];
        assert_eq!(seen, expected);
        assert!(asked[3].verify.as_ref().unwrap().network);
        assert_eq!(asked_by("max-files = 3\n").unwrap(), []);
        assert_eq!(asked_by("[[verify]]\n").unwrap_err()[0].line, Some(1));
    }
}
