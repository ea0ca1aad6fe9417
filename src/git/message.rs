//! Commit messages, made of texts that come from a design: pure.
//!
//! Nothing that a design says can pose as a trailer, end the message for git's mail tools, steer a terminal, hide what
//! is read by programs alone, keep a CI from running, or close somebody's issue when the commit is pushed.

use crate::lld::Change;
use crate::path::RepoPath;
use unicode_width::UnicodeWidthStr;

/// Where subjects end and bodies wrap, in columns.
const WIDTH: usize = 72;

/// `implement.trailer`: how a commit says that a model wrote it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Provenance {
    #[default]
    AssistedBy,
    GeneratedBy,
    CoAuthoredBy,
    None,
}

/// The values of `implement.trailer`, in the order of the man page.
pub const PROVENANCES: &[(&str, Provenance)] = &[
    ("assisted-by", Provenance::AssistedBy),
    ("generated-by", Provenance::GeneratedBy),
    ("co-authored-by", Provenance::CoAuthoredBy),
    ("none", Provenance::None),
];

impl Provenance {
    pub fn parse(value: &str) -> Option<Provenance> {
        PROVENANCES.iter().find(|(name, _)| *name == value).map(|&(_, provenance)| provenance)
    }
    /// The trailer, with the model behind the program's name, as the kernel asks for it: `<agent>:<model>`.
    fn trailer(self, model: Option<&str>) -> Option<String> {
        let model = model.map(model_name).filter(|model| !model.is_empty());
        let who = model.map_or_else(|| "git-implement".to_owned(), |model| format!("git-implement:{model}"));
        match self {
            Provenance::AssistedBy => Some(format!("Assisted-by: {who}")),
            Provenance::GeneratedBy => Some(format!("Generated-by: {who}")),
            // A co-author needs an address; this domain is nobody's by definition.
            Provenance::CoAuthoredBy => Some(format!("Co-authored-by: {who} <git-implement@example.invalid>")),
            Provenance::None => None,
        }
    }
}

/// What a commit was made from.
#[derive(Debug, Clone, Copy)]
pub struct Trailers<'a> {
    pub lld: &'a str,
    /// The design's blob, in hex.
    pub blob: &'a str,
    pub run: &'a str,
    pub tasks: &'a [String],
    pub provenance: Provenance,
    /// The model's own name, where it is known.
    pub model: Option<&'a str>,
    /// `-s`: `Name <address>`.
    pub signoff: Option<&'a str>,
}

/// What of a model's name may stand in a trailer.
fn model_name(name: &str) -> String {
    const LONGEST: usize = 80;
    let may = |c: &char| c.is_ascii_alphanumeric() || "._:/@+-".contains(*c);
    name.chars().filter(may).take(LONGEST).collect()
}

/// The message of one file's commit.
pub fn for_file(
    change: Change,
    path: &RepoPath,
    from: Option<&RepoPath>,
    description: &str,
    trailers: &Trailers,
) -> String {
    let subject = summary(change, path);
    let origin = from.map(|from| format!("Renamed from {}.", one_line(from.as_str())));
    assemble(&subject, &[origin.as_deref().unwrap_or(""), description], trailers)
}

/// What is done to a file, in one line: `Add src/a.py`.
pub fn summary(change: Change, path: &RepoPath) -> String {
    let verb = match change {
        Change::Add => "Add",
        Change::Delete => "Delete",
        Change::Rename => "Rename",
        Change::Modify | Change::AddOrModify | Change::None => "Modify",
    };
    let place = prose(path.as_str());
    format!("{verb} {}", shorten_left(&place, WIDTH - verb.len() - 1))
}

/// The message of a commit of several files: the title of the design, or of the task that they are for, is the subject,
/// and where it has no room there the body begins with it.
pub fn for_all(title: &str, description: &str, trailers: &Trailers) -> String {
    let title = prose(title);
    let title = title.trim().trim_start_matches(['#', ' ']);
    let title = if title.is_empty() { prose(&format!("Implement {}", trailers.lld)) } else { title.to_owned() };
    let subject = shorten_right(&title, WIDTH);
    let rest = if subject == title { "" } else { title.as_str() };
    assemble(&subject, &[rest, description], trailers)
}

/// The message of a commit of a task that somebody has typed: below the subject stand the words, in the lines and paragraphs that
/// they were typed in.
pub fn for_task(subject: &str, from: Option<&RepoPath>, words: &str, trailers: &Trailers) -> String {
    let subject = prose(subject);
    let subject = if subject.is_empty() { prose(&format!("Implement {}", trailers.lld)) } else { subject };
    let origin = from.map(|from| format!("Renamed from {}.", one_line(from.as_str())));
    let mut paragraphs: Vec<String> = origin.iter().flat_map(|text| body(text)).collect();
    let words: Vec<String> = plain(words).lines().map(typed).collect();
    let typed = words.split(|line| line.is_empty()).map(|lines| lines.join("\n"));
    paragraphs.extend(typed.filter(|paragraph| !paragraph.is_empty()));
    finished(&shorten_right(&subject, WIDTH), &paragraphs, trailers)
}

/// `text` without terminal escapes, control characters, what turns the direction of writing round, and what is not seen;
/// newlines and tabs stay.
pub fn plain(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\u{1b}' | '\u{9b}' => skip_escape(letter, &mut letters),
            '\n' | '\t' => clean.push(letter),
            // Joiners shape letters of other scripts, and hold emoji together; beside ASCII they only hide.
            '\u{200c}' | '\u{200d}' => {
                let shapes = |c: Option<char>| c.is_some_and(|c| !c.is_ascii());
                if shapes(clean.chars().next_back()) && shapes(letters.peek().copied()) {
                    clean.push(letter);
                }
            }
            letter if letter.is_control() || is_unseen(letter) => {}
            letter => clean.push(letter),
        }
    }
    clean
}

/// Turns the direction of writing round, has no width, or is a tag or a variant of nothing that people write.
fn is_unseen(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0e}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// Skips what follows ESC: a CSI sequence up to its final letter, an OSC (or its like) up to its end, else nothing.
fn skip_escape(first: char, letters: &mut std::iter::Peekable<std::str::Chars>) {
    let csi = first == '\u{9b}' || letters.next_if_eq(&'[').is_some();
    if csi {
        while letters.next_if(|next| matches!(next, '\u{20}'..='\u{3f}')).is_some() {}
        letters.next_if(|next| matches!(next, '\u{40}'..='\u{7e}'));
    } else if letters.next_if(|next| matches!(next, ']' | 'P' | 'X' | '^' | '_')).is_some() {
        while letters.next_if(|next| !matches!(next, '\u{7}' | '\u{1b}' | '\n')).is_some() {}
    }
}

fn one_line(text: &str) -> String {
    plain(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// [`one_line`] of what is prose, in which no program finds an order.
fn prose(text: &str) -> String {
    super::orders::without_orders(&one_line(text))
}

/// `…tail` within `width` columns, cut at a `/` if there is one in sight.
fn shorten_left(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let fits = |at: usize| text.get(at..).is_some_and(|tail| tail.width() < width);
    let cut = text.char_indices().map(|(at, _)| at).find(|&at| fits(at)).unwrap_or(text.len());
    let tail = text.get(cut..).unwrap_or_default();
    let tail = tail.find('/').and_then(|at| tail.get(at..)).unwrap_or(tail);
    format!("…{tail}")
}

/// `head…` within `width` columns, cut between words if there is a space in sight.
fn shorten_right(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut head = text;
    while head.width() >= width {
        let mut letters = head.chars();
        letters.next_back();
        head = letters.as_str();
    }
    let head = match head.rfind(' ') {
        Some(at) if at > head.len() / 2 => head.get(..at).unwrap_or(head),
        _ => head,
    };
    format!("{}…", head.trim_end())
}

fn assemble(subject: &str, descriptions: &[&str], trailers: &Trailers) -> String {
    finished(subject, &descriptions.iter().flat_map(|text| body(text)).collect::<Vec<String>>(), trailers)
}

fn finished(subject: &str, paragraphs: &[String], trailers: &Trailers) -> String {
    let mut message = format!("{subject}\n");
    for paragraph in paragraphs {
        message += "\n";
        message += paragraph;
        message += "\n";
    }
    message +=
        &format!("\nImplements: {}@{}\nImplement-Run: {}\n", one_line(trailers.lld), trailers.blob, trailers.run);
    for task in trailers.tasks {
        message += &format!("Task: {}\n", prose(task));
    }
    if let Some(trailer) = trailers.provenance.trailer(trailers.model) {
        message += &format!("{trailer}\n");
    }
    if let Some(person) = trailers.signoff {
        message += &format!("Signed-off-by: {}\n", one_line(person));
    }
    message
}

/// The description's lines, each a paragraph of its own, wrapped.
fn body(description: &str) -> Vec<String> {
    let lines = plain(description);
    lines.lines().map(prose).filter(|line| !line.is_empty()).map(|line| paragraph(&line)).collect()
}

/// A line as it was typed: one that is indented stays so, any other is wrapped.
fn typed(line: &str) -> String {
    let line = line.trim_end();
    match line.trim_start() {
        "" => String::new(),
        rest if rest.len() < line.len() => {
            let (indent, rest) = (&line[..line.len() - rest.len()], prose(rest));
            format!("{indent}{}{rest}", if poses(&rest) { "- " } else { "" })
        }
        _ => paragraph(&prose(line)),
    }
}

fn paragraph(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            // A word that would look like a trailer at the head of a line stays where it is, though the line gets long.
            Some(last) if last.width() + 1 + word.width() <= WIDTH || poses(word) => {
                last.push(' ');
                last.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    for line in &mut lines {
        if poses(line) {
            // A list item is no trailer, no comment and no end of message.
            line.insert_str(0, "- ");
        }
    }
    lines.join("\n")
}

/// Would a tool read the line as something else than prose: a trailer (`Token: …`, also `Token : …`), a comment, the
/// end of a message (`---`), the head of a patch?
fn poses(line: &str) -> bool {
    let token = line.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-').unwrap_or(line.len());
    let trailer = token > 0 && line.get(token..).is_some_and(|rest| rest.trim_start().starts_with(':'));
    let lower = line.to_ascii_lowercase();
    let markers = ["#", "---", "diff -", "index:", ";", "(cherry picked from", ">8"];
    trailer || markers.iter().any(|marker| lower.starts_with(marker))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRAILERS: Trailers = Trailers {
        lld: "docs/lld/7.md",
        blob: "0123456789abcdef",
        run: "20260102-030405-abcd",
        tasks: &[],
        provenance: Provenance::AssistedBy,
        model: None,
        signoff: None,
    };

    fn path(text: &str) -> RepoPath {
        RepoPath::new(text).unwrap()
    }

    #[test]
    fn a_message_says_what_was_done_and_from_what() {
        let message = for_file(Change::Add, &path("src/a.py"), None, "A new module.", &TRAILERS);
        assert_eq!(
            message,
            "Add src/a.py\n\nA new module.\n\nImplements: docs/lld/7.md@0123456789abcdef\n\
             Implement-Run: 20260102-030405-abcd\nAssisted-by: git-implement\n"
        );
    }

    #[test]
    fn the_model_stands_behind_the_programs_name_and_nothing_else_with_it() {
        let of = |model| {
            let message = for_file(Change::Add, &path("a.py"), None, "", &Trailers { model: Some(model), ..TRAILERS });
            message.lines().last().unwrap_or_default().to_owned()
        };
        assert_eq!(of("claude-opus-4-1"), "Assisted-by: git-implement:claude-opus-4-1");
        assert_eq!(of("qwen3:30b"), "Assisted-by: git-implement:qwen3:30b");
        assert_eq!(of("x\nFixes: #1\u{1b}[31m <a>"), "Assisted-by: git-implement:xFixes:131ma");
        assert_eq!(of("\u{202e}"), "Assisted-by: git-implement");
    }

    #[test]
    fn sign_off_is_last_and_only_when_asked_for() {
        let tasks = ["T1".to_owned(), "T2".to_owned()];
        let trailers =
            Trailers { tasks: &tasks, signoff: Some("A <a@example.com>"), provenance: Provenance::None, ..TRAILERS };
        let message = for_all("# Title", "", &trailers);
        assert!(message.starts_with("Title\n\nImplements: "), "{message}");
        assert!(message.ends_with("\nTask: T1\nTask: T2\nSigned-off-by: A <a@example.com>\n"), "{message}");
    }

    #[test]
    fn a_long_path_keeps_its_end_within_72_columns() {
        let long = format!("{}deep/module.py", "directory/".repeat(12));
        let message = for_file(Change::Modify, &path(&long), None, "", &TRAILERS);
        let subject = message.lines().next().unwrap();
        assert!(subject.width() <= 72, "{subject}");
        assert!(subject.starts_with("Modify …/") && subject.ends_with("/deep/module.py"), "{subject}");
        let wide = for_file(Change::Delete, &path(&"計".repeat(50)), None, "", &TRAILERS);
        assert!(wide.lines().next().unwrap().width() <= 72, "{wide}");
    }

    #[test]
    fn a_long_title_is_cut_between_words() {
        let subject = for_all(&"word ".repeat(40), "", &TRAILERS).lines().next().unwrap().to_owned();
        assert!(subject.width() <= 72 && subject.ends_with("word…"), "{subject}");
    }

    #[test]
    fn a_description_cannot_pose_as_a_trailer_or_end_the_message() {
        let description = "Signed-off-by: Somebody <s@example.com>\nFix : it\n--- cut\n# comment\ndiff --git a b\n\
                           plain: words";
        let message = for_file(Change::Modify, &path("a"), None, description, &TRAILERS);
        let body = message.lines().skip(2).take_while(|line| !line.starts_with("Implements:"));
        for line in body {
            assert!(line.is_empty() || line.starts_with("- "), "{line:?}");
        }
    }

    #[test]
    fn wrapping_brings_no_trailer_to_the_head_of_a_line() {
        for padding in 50..90 {
            let description = format!("{} Signed-off-by: x and more words after it", "w ".repeat(padding / 2));
            let message = for_file(Change::Modify, &path("a"), None, &description, &TRAILERS);
            assert!(!message.lines().any(|line| line.starts_with("Signed-off-by")), "{message}");
        }
    }

    #[test]
    fn the_words_of_a_task_keep_their_lines_and_pose_as_nothing() {
        let words = "so that nobody\nhas to.\n\n- one\n- two\n\n    code = 1\n    Implement-Run: 1\n\n\nFixes: #3";
        let message = for_task("Add sub", None, words, &TRAILERS);
        let body =
            "Add sub\n\nso that nobody\nhas to.\n\n- one\n- two\n\n    code = 1\n    - Implement-Run: 1\n\n- Fixes:";
        assert!(message.starts_with(body), "{message}");
        assert_eq!(message.matches("\nImplement-Run: ").count(), 1, "{message}");
    }

    #[test]
    fn bodies_wrap_at_72_columns() {
        let message = for_file(Change::Add, &path("a"), None, &"lorem ipsum ".repeat(30), &TRAILERS);
        assert!(message.lines().all(|line| line.width() <= 72), "{message}");
        assert_eq!(message.matches("lorem").count(), 30);
    }

    #[test]
    fn control_characters_and_escapes_do_not_pass() {
        assert_eq!(plain("a\u{1b}[31mb\u{1b}]0;title\u{7}c\u{9b}1md\u{202e}e\r\u{0}f\ng"), "abcdef\ng");
        let message = for_file(Change::Add, &path("a"), None, "x\u{1b}[2Jy\rz", &TRAILERS);
        assert!(message.contains("\nxyz\n"), "{message:?}");
    }

    #[test]
    fn what_is_not_seen_does_not_pass_and_what_shapes_letters_does() {
        assert_eq!(plain("a\u{200b}b\u{feff}\u{ad}c\u{2060}\u{e0041}\u{e007f}\u{e0100}d\u{200d}e"), "abcde");
        assert_eq!(plain("می\u{200c}خواهم 👩\u{200d}👧 ❤\u{fe0f}"), "می\u{200c}خواهم 👩\u{200d}👧 ❤\u{fe0f}");
        // What is taken out does not leave an order behind.
        let message = for_file(Change::Add, &path("a"), None, "x [sk\u{200b}ip  ci] y", &TRAILERS);
        assert!(message.contains("\nx (skip ci) y\n"), "{message}");
    }

    #[test]
    fn no_text_of_a_design_keeps_a_ci_from_running_or_closes_an_issue() {
        let said = "Done [skip ci] ***NO_CI***\nskip-checks: true\nCloses #1, fixes owner/repo#2 and ##vso[task.x]";
        for message in [
            for_file(Change::Add, &path("a[ci skip].py"), None, said, &TRAILERS),
            for_all(&said.replace('\n', " "), said, &Trailers { tasks: &["T1 [no ci]".to_owned()], ..TRAILERS }),
        ] {
            let lower = message.to_lowercase();
            for order in
                ["[skip ci]", "[ci skip]", "[no ci]", "***no_ci***", "closes #1", "fixes owner/repo#2", "##vso["]
            {
                assert!(!lower.contains(order), "{order} in {message}");
            }
            assert!(!message.lines().any(|line| line.starts_with("skip-checks")), "{message}");
        }
    }

    #[test]
    fn every_provenance_has_a_name() {
        for (name, provenance) in PROVENANCES {
            assert_eq!(Provenance::parse(name), Some(*provenance));
        }
        assert_eq!(Provenance::parse("nobody"), None);
    }
}
