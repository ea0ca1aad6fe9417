//! Text of strangers (servers, programs) made fit for an error message: one line, short, without control
//! characters, terminal escapes or secrets.

use secrecy::{ExposeSecret, SecretString};

/// As much of a stranger's text as a message shows, in characters.
const SHOWN: usize = 300;

/// One line of at most 300 characters. White space is folded; control and direction characters become `?`.
pub(super) fn line(text: &str) -> String {
    let folded = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut shown: String = folded.chars().take(SHOWN).map(visible).collect();
    if folded.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

fn visible(c: char) -> char {
    let turns_text =
        matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    if c.is_control() || turns_text { '?' } else { c }
}

/// What must not be repeated, wherever it turns up.
#[derive(Clone, Default)]
pub(super) struct Secrets(Vec<SecretString>);

impl Secrets {
    /// Takes note of a secret. Very short ones are no secrets, and would turn messages into stars.
    pub(super) fn add(&mut self, secret: &str) {
        if secret.len() >= 6 {
            self.0.push(secret.to_owned().into());
        }
    }

    /// The text with each secret replaced by `***`.
    pub(super) fn scrub(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, secret| text.replace(secret.expose_secret(), "***"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_escapes_and_line_breaks_do_not_survive() {
        assert_eq!(line("a\x1b[31mred\r\n\tb\u{202e}c"), "a?[31mred b?c");
    }

    #[test]
    fn long_text_is_cut_with_an_ellipsis() {
        assert_eq!(line(&"x".repeat(300)).chars().count(), 300);
        assert_eq!(line(&"x".repeat(301)).chars().count(), 301);
        assert!(line(&"x".repeat(301)).ends_with("x…"));
    }

    #[test]
    fn secrets_are_replaced_wherever_they_stand() {
        let mut secrets = Secrets::default();
        secrets.add("sk-12345678");
        secrets.add("a");
        assert_eq!(secrets.scrub("bad key sk-12345678, sk-12345678"), "bad key ***, ***");
    }
}
