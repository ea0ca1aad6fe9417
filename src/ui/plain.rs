//! Makes foreign text safe to show. Paths, designs and replies may hold what moves a terminal's cursor, sets its
//! title, or turns the order of reading round, and what a CI takes for a command when it reads our output; everything
//! that is printed goes through here.

use crate::finding::is_control;
use std::borrow::Cow;
use std::fmt::Write;

/// One line: every control character, line ends and tabs too, is shown as `\u{…}`.
pub fn neutralise(text: &str) -> Cow<'_, str> {
    let shown = escape(text, is_control, code_point);
    if has_command(&shown) { Cow::Owned(without_commands(&shown, HASH)) } else { shown }
}

/// One line that begins with foreign text: [`neutralise`], and no `::` at its front, with which commands begin.
pub fn neutralise_line(text: &str) -> Cow<'_, str> {
    without_command_word(neutralise(text))
}

fn without_command_word(shown: Cow<'_, str>) -> Cow<'_, str> {
    let begins = shown.trim_start();
    if !begins.starts_with("::") {
        return shown;
    }
    let (blanks, begins) = shown.split_at(shown.len() - begins.len());
    Cow::Owned(format!("{blanks}\\u{{3a}}{}", &begins[1..]))
}

/// Several lines: line feeds and tabs stay, all other control characters are shown as `\u{…}`.
pub fn neutralise_lines(text: &str) -> String {
    let keeping_tabs = |line: &str| {
        let line = escape(line, |c| is_control(c) && c != '\t', code_point).into_owned();
        without_command_word(without_commands(&line, HASH).into()).into_owned()
    };
    text.split('\n').map(keeping_tabs).collect::<Vec<_>>().join("\n")
}

/// For a page, which no CI reads and no terminal: nothing is changed but characters that would hide or turn others, which stand
/// alone as `Err`, so that they can be told from their very letters in the text. `kept`: control characters that stay.
pub fn pieces<'t>(text: &'t str, kept: &[char]) -> impl Iterator<Item = Result<&'t str, char>> {
    let unwanted = |c: char| is_control(c) && !kept.contains(&c);
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let end = if unwanted(first) { first.len_utf8() } else { rest.find(unwanted).unwrap_or(rest.len()) };
        let (piece, after) = rest.split_at(end);
        rest = after;
        Some(if unwanted(first) { Err(first) } else { Ok(piece) })
    })
}

/// For an attribute of a page: every control character is shown as `\u{…}`, and nothing else is changed.
pub fn neutralise_attribute(text: &str) -> Cow<'_, str> {
    escape(text, is_control, code_point)
}

/// Why the system did not do it, less the number, which says nothing that the words do not.
pub fn reason(error: &std::io::Error) -> String {
    let words = error.to_string();
    words.split(" (os error").next().unwrap_or_default().to_owned()
}

/// A line of a patch: tabs stay, and the carriage return that ends the line of a file, so that the patch still applies.
pub fn neutralise_patch_line(line: &str) -> Cow<'_, str> {
    Cow::Owned(match line.strip_suffix('\r') {
        Some(bare) => format!("{}\r", neutralise_lines(bare)),
        None => neutralise_lines(line),
    })
}

/// Text that is JSON already: outside of its strings there is nothing to change, and inside of them every character may
/// be written as its number. Whoever decodes it gets the same.
pub fn neutralise_json(json: &str) -> Cow<'_, str> {
    let number = |shown: &mut String, c: char| {
        c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| _ = write!(shown, "\\u{unit:04x}"));
    };
    // Line ends stand between its strings.
    let shown = escape(json, |c| is_control(c) && c != '\n', number);
    if has_command(&shown) { Cow::Owned(without_commands(&shown, "\\u0023")) } else { shown }
}

/// What stands for a `#` in text.
const HASH: &str = r"\u{23}";

/// What GitHub and Azure read as the beginning of a command, wherever on a line it stands.
const COMMANDS: [&str; 2] = ["##[", "##vso["];

fn command_at(text: &str) -> bool {
    COMMANDS.iter().any(|command| text.get(..command.len()).is_some_and(|text| text.eq_ignore_ascii_case(command)))
}

fn has_command(text: &str) -> bool {
    text.match_indices('#').any(|(at, _)| command_at(&text[at..]))
}

/// `text` with `hash` for the second `#` of each command. One that a third `#` stands before is found as well.
fn without_commands(text: &str, hash: &str) -> String {
    let mut shown = String::with_capacity(text.len() + 16);
    let mut before = '\n';
    for (at, c) in text.char_indices() {
        if before == '#' && c == '#' && command_at(&text[at - 1..]) {
            shown.push_str(hash);
        } else {
            shown.push(c);
        }
        before = c;
    }
    shown
}

fn code_point(shown: &mut String, c: char) {
    // Writing to a string does not fail.
    let _ = write!(shown, "{}", c.escape_unicode());
}

fn escape(text: &str, unwanted: impl Fn(char) -> bool, show: impl Fn(&mut String, char)) -> Cow<'_, str> {
    let Some(first) = text.find(&unwanted) else { return Cow::Borrowed(text) };
    let (clean, rest) = text.split_at(first);
    let mut shown = String::with_capacity(text.len() + 16);
    shown.push_str(clean);
    for c in rest.chars() {
        if unwanted(c) {
            show(&mut shown, c);
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_text_is_passed_through_without_a_copy() {
        for text in ["", "plain", "über 文件 🧪 «x»", r"back\slash 'quote'"] {
            assert!(matches!(neutralise(text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }

    #[test]
    fn nothing_that_steers_a_terminal_is_left() {
        assert_eq!(neutralise("a\u{1b}[31mb\u{7}"), r"a\u{1b}[31mb\u{7}");
        assert_eq!(neutralise("\u{9b}2J\r\u{7f}\u{0}"), r"\u{9b}2J\u{d}\u{7f}\u{0}");
        assert_eq!(neutralise("a\nb\tc"), r"a\u{a}b\u{9}c");
        assert_eq!(neutralise("a\u{85}b\u{2028}c"), r"a\u{85}b\u{2028}c");
    }

    #[test]
    fn a_line_of_a_patch_keeps_what_the_file_ends_it_with() {
        assert_eq!(neutralise_patch_line("+\ta\r"), "+\ta\r");
        assert_eq!(neutralise_patch_line("+a\rb\u{1b}"), r"+a\u{d}b\u{1b}");
    }

    #[test]
    fn hidden_and_turning_characters_are_shown() {
        assert_eq!(neutralise("exe\u{202e}txt\u{2066}\u{200b}\u{feff}"), r"exe\u{202e}txt\u{2066}\u{200b}\u{feff}");
        assert_eq!(neutralise("\u{e0041}"), r"\u{e0041}");
    }

    #[test]
    fn nothing_is_left_that_a_ci_takes_for_a_command() {
        assert_eq!(neutralise("a ##[error]b ##VSO[task]"), r"a #\u{23}[error]b #\u{23}VSO[task]");
        assert_eq!(neutralise("###[x] ## [x] ##v"), r"##\u{23}[x] ## [x] ##v");
        assert_eq!(neutralise_line(" ::set-output name=a::b"), r" \u{3a}:set-output name=a::b");
        assert_eq!(neutralise_line("a::b"), "a::b");
        assert_eq!(neutralise_lines("a\n\t::b\n##[c]"), "a\n\t\\u{3a}:b\n#\\u{23}[c]");
    }

    #[test]
    fn a_page_shows_text_as_it_is_but_for_what_hides_or_turns() {
        let all = |text| pieces(text, &['\n', '\t']).collect::<Vec<_>>();
        assert_eq!(all("::a\t##[b]\n"), [Ok("::a\t##[b]\n")]);
        assert_eq!(all("\u{202e}é\r\u{0}"), [Err('\u{202e}'), Ok("é"), Err('\r'), Err('\0')]);
        assert_eq!(pieces("a\tb", &[]).collect::<Vec<_>>(), [Ok("a"), Err('\t'), Ok("b")]);
        assert_eq!(neutralise_attribute("::a ##[b]\n\u{202e}"), r"::a ##[b]\u{a}\u{202e}");
    }

    #[test]
    fn json_decodes_to_what_it_was_and_holds_nothing_that_steers() {
        let text = "##[a]\u{9b}2J\u{202e}x\u{e0041}\u{7f}\n\u{1b}é 文件 ##vso[b]";
        let json = serde_json::to_string_pretty(&[text]).unwrap();
        let shown = neutralise_json(&json);
        assert!(!shown.chars().any(|c| is_control(c) && c != '\n') && !has_command(&shown), "{shown}");
        assert!(shown.contains(r"\u009b2J\u202ex\udb40\udc41\u007f\n\u001bé 文件"), "{shown}");
        assert_eq!(serde_json::from_str::<Vec<String>>(&shown).unwrap(), [text]);
        assert!(matches!(neutralise_json("{\"a\":[1]}"), Cow::Borrowed(_)));
    }

    #[test]
    fn lines_keep_their_ends_and_tabs_only() {
        assert_eq!(neutralise_lines("a\n\tb\r\n\u{1b}c"), "a\n\tb\\u{d}\n\\u{1b}c");
    }
}
