//! The rules for names, one function each. They follow git's own (`verify_path`, `is_hfs_dotgit`, `is_ntfs_dotgit`,
//! `is_valid_win32_path`), all of them switched on whatever the machine: libgit2's index takes what git refuses.

use super::{MAX_COMPONENT, MAX_PATH, PathError};

pub(super) fn check(path: &str) -> Result<(), PathError> {
    let mut chars = path.chars();
    match (chars.next(), chars.next()) {
        (None, _) => return Err(PathError::Empty),
        (Some('/' | '\\'), _) => return Err(PathError::Absolute),
        (Some(letter), Some(':')) if letter.is_ascii_alphabetic() => return Err(PathError::Drive(letter)),
        _ => {}
    }
    if path.len() > MAX_PATH {
        return Err(PathError::TooLong { bytes: path.len() });
    }
    if path.contains('\\') {
        return Err(PathError::Backslash);
    }
    if path.split('/').next() == Some("~") {
        return Err(PathError::Home);
    }
    path.split('/').try_for_each(component)
}

fn component(name: &str) -> Result<(), PathError> {
    match name {
        "" => return Err(PathError::EmptyComponent),
        "." => return Err(PathError::Dot),
        ".." => return Err(PathError::DotDot),
        _ => {}
    }
    // Before the rules on single characters, because it is the graver thing to say.
    if is_dot_git(name) {
        return Err(PathError::DotGit(name.to_owned()));
    }
    if let Some(c) = name.chars().find(|c| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')) {
        return Err(PathError::Control(c));
    }
    if let Some(c) = name.chars().find(|&c| is_invisible(c)) {
        return Err(PathError::Invisible(c));
    }
    if let Some(device) = device(name) {
        return Err(PathError::Device { component: name.to_owned(), device });
    }
    if name.contains(':') {
        return Err(PathError::Colon(name.to_owned()));
    }
    if name.ends_with(['.', ' ']) {
        return Err(PathError::TrailingDotOrSpace(name.to_owned()));
    }
    if let Some(means) = short_name(name) {
        return Err(PathError::ShortName { component: name.to_owned(), means });
    }
    if name.len() > MAX_COMPONENT {
        return Err(PathError::ComponentTooLong { component: name.to_owned(), bytes: name.len() });
    }
    Ok(())
}

/// The code points that HFS+ drops from names: git's list.
fn hfs_ignores(c: char) -> bool {
    matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}

/// Beside those, what hides in a name or turns it round when it is shown.
fn is_invisible(c: char) -> bool {
    hfs_ignores(c)
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{2060}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}')
}

/// `.git` in any case, with characters that HFS+ drops, with the dots, blanks or stream that NTFS drops, or by its
/// short name `git~1`.
fn is_dot_git(name: &str) -> bool {
    let seen: String = name.chars().filter(|&c| !hfs_ignores(c)).map(|c| c.to_ascii_lowercase()).collect();
    let file = seen.split(':').next().unwrap_or_default().trim_end_matches(['.', ' ']);
    file == ".git" || file.strip_prefix("git~").is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

/// The file that NTFS may mean by a short name such as `gitmod~1` or, when those are taken, `gi7eba~1`.
fn short_name(name: &str) -> Option<&'static str> {
    // Of each: the first six letters, and what NTFS makes of the name by its checksum.
    const FILES: [(&str, &str, &str); 3] = [
        (".gitmodules", "gitmod", "gi7eba"),
        (".gitattributes", "gitatt", "gi7d29"),
        (".gitignore", "gitign", "gi250a"),
    ];
    let lower = name.to_ascii_lowercase();
    let (head, number) = lower.split_once('~')?;
    let counts = !number.is_empty() && !number.starts_with('0') && number.bytes().all(|b| b.is_ascii_digit());
    FILES.iter().find_map(|&(means, six, hashed)| {
        let first = head == six && matches!(number, "1" | "2" | "3" | "4");
        let fallback = lower.len() == 8 && counts && head.len() >= 2 && hashed.starts_with(head);
        (first || fallback).then_some(means)
    })
}

/// The device that Windows takes a name for, whatever its extension.
fn device(name: &str) -> Option<String> {
    let end = name.find(['.', ':']).unwrap_or(name.len());
    let (stem, _) = name.split_at(end);
    let stem = stem.trim_end_matches(' ').to_uppercase();
    let numbered = |kind: &str| {
        let mut digits = stem.strip_prefix(kind).into_iter().flat_map(str::chars);
        matches!((digits.next(), digits.next()), (Some('0'..='9' | '¹' | '²' | '³'), None))
    };
    let known = matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$");
    (known || numbered("COM") || numbered("LPT")).then_some(stem)
}
