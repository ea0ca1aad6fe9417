//! Ids and paths that prose mentions. What is not clearly one is none.

/// An id such as `REQ-3`, `T010`, `R1`: letters in capitals, and a number.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Id {
    /// In capitals, without hyphens; empty for a plain number.
    pub prefix: String,
    pub number: u32,
}

/// Ids from `first` to `last`, both of them included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Span {
    pub first: Id,
    pub last: u32,
    /// Written with its letters, rather than as a number after another id.
    pub explicit: bool,
}

/// An id that is the whole of `text`: `REQ-3`, `T010`, `010`, `FR-1.2` (which is read as `FR-1`).
pub(super) fn id(text: &str) -> Option<Id> {
    let (id, rest) = read(text.trim(), true)?;
    rest.trim_start_matches(['.', '-']).chars().all(|c| c.is_alphanumeric() || c == '.').then_some(id)
}

/// Letters that requirements are numbered with.
pub(super) const REQUIREMENTS: &[&str] = &["REQ", "R", "FR", "NFR", "AC"];

/// Is the whole of `text` the id of a requirement?
pub(super) fn is_requirement(text: &str) -> bool {
    id(text).is_some_and(|id| REQUIREMENTS.contains(&id.prefix.as_str()))
}

/// The id of one test, without what tables write differently: `T010`, `TS-010`, `TC010` and `010` are `10`, `M010` is
/// `M10`, `T010a` is `10A`. The number comes first, for the order.
pub(super) fn test(text: &str) -> Option<(u32, String)> {
    let upper = text.trim_matches(['*', '`', '[', ']']).to_ascii_uppercase();
    let letters = upper.bytes().take_while(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_')).count();
    let (prefix, rest) = upper.split_at_checked(letters)?;
    let prefix = match prefix.trim_end_matches(['-', '_']) {
        "T" | "TS" | "TC" | "TEST" | "S" | "SC" => "",
        prefix => prefix,
    };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (number, suffix) = rest.split_at_checked(digits)?;
    let number: u32 = number.parse().ok()?;
    suffix.chars().all(|c| c.is_ascii_alphanumeric() || c == '.').then(|| (number, format!("{prefix}{number}{suffix}")))
}

/// The ids with one of the prefixes that a text mentions; `REQ-1 to REQ-4`, `REQ-1..4`, `REQ-1, 2` are more than one.
pub(super) fn ids(text: &str, prefixes: &[&str]) -> Vec<Span> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut inside = false;
    while let Some(c) = rest.chars().next() {
        let read =
            if inside { None } else { read(rest, false).filter(|(id, _)| prefixes.contains(&id.prefix.as_str())) };
        let Some((id, after)) = read else {
            inside = c.is_alphanumeric() || c == '_';
            rest = rest.get(c.len_utf8()..).unwrap_or_default();
            continue;
        };
        rest = more(id, after, &mut found);
        inside = true;
    }
    found
}

/// Adds `id` and the ids that follow it without letters of their own, and gives back what is left.
fn more<'t>(id: Id, mut rest: &'t str, found: &mut Vec<Span>) -> &'t str {
    let mut span = Span { last: id.number, first: id, explicit: true };
    loop {
        let blank = rest.trim_start_matches([' ', '`', '*', ')']);
        let Some((is_range, after)) = joint(blank) else { break };
        let after = after.trim_start_matches([' ', '`', '*', '(']);
        let next = number(after).map(|(number, rest)| (number, rest, false)).or_else(|| {
            let (id, rest) = read(after, false)?;
            (id.prefix == span.first.prefix).then_some((id.number, rest, true))
        });
        let Some((number, after, explicit)) = next else { break };
        rest = after;
        if is_range && number >= span.last && number - span.first.number < 1000 {
            span.last = number;
        } else {
            let first = Id { number, ..span.first.clone() };
            found.push(std::mem::replace(&mut span, Span { first, last: number, explicit }));
        }
    }
    found.push(span);
    rest
}

/// What stands between two ids, and whether it means all between them.
fn joint(text: &str) -> Option<(bool, &str)> {
    for (mark, is_range) in [
        ("...", true),
        ("..", true),
        ("–", true),
        ("—", true),
        ("-", true),
        ("…", true),
        ("to ", true),
        ("through ", true),
        (", and ", false),
        (",", false),
        ("/", false),
        ("&", false),
        ("+", false),
        ("and ", false),
    ] {
        if let Some(rest) = text.strip_prefix(mark) {
            return Some((is_range, rest));
        }
    }
    None
}

/// An id at the beginning of `text`, and what follows it; a plain number only if `plain`.
fn read(text: &str, plain: bool) -> Option<(Id, &str)> {
    let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (prefix, rest) = text.split_at_checked(letters)?;
    let prefix = prefix.to_ascii_uppercase();
    if prefix.is_empty() && !plain || prefix.len() > 12 {
        return None;
    }
    let rest = rest.strip_prefix(['-', '#', '_']).unwrap_or(rest);
    let rest = match prefix.as_str() {
        // Only these are written with a blank.
        "REQ" | "REQUIREMENT" => rest.trim_start_matches([' ', '#']),
        _ => rest,
    };
    let (number, rest) = number(rest)?;
    let prefix = if prefix == "REQUIREMENT" || prefix == "REQS" { "REQ".to_owned() } else { prefix };
    Some((Id { prefix, number }, rest))
}

fn number(text: &str) -> Option<(u32, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at_checked(digits)?;
    // `REQ-1a` and `REQ-1.2` are parts of 1; `T010_x` is a name.
    if digits.len() > 6 || rest.starts_with('_') {
        return None;
    }
    let part = rest.strip_prefix('.').filter(|part| part.starts_with(|c: char| c.is_ascii_digit()));
    let rest = part.map_or(rest, |part| part.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.'));
    Some((digits.parse().ok()?, rest))
}

/// Relative paths of files that a line mentions, in code or bare: with a directory and an extension, and nothing in
/// them that wants filling in.
pub(super) fn paths(line: &str) -> Vec<&str> {
    let words = line.split(|c: char| c.is_whitespace() || "`()[]\"'|,;*→✓".contains(c));
    words.filter_map(path).collect()
}

fn path(word: &str) -> Option<&str> {
    let word = word.split("::").next()?.trim_end_matches(['.', ':', '!', '?']);
    let word = word.strip_prefix("./").unwrap_or(word);
    let word = match word.rsplit_once(':') {
        Some((path, line)) if line.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') => path,
        Some(_) => return None,
        None => word,
    };
    let (folder, name) = word.rsplit_once('/')?;
    let (stem, extension) = name.rsplit_once('.')?;
    let sane = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '+' | '@');
    let fine = !folder.is_empty()
        && !stem.is_empty()
        && (1..=8).contains(&extension.len())
        && extension.starts_with(|c: char| c.is_ascii_alphabetic())
        && word.chars().all(sane)
        && !word.starts_with(['/', '@'])
        && !word.contains("..")
        && !word.contains("//")
        // Numbers and names that stand for any: `docs/reports/XXX/a.md`.
        && !["XXX", "NNN", "YYYY"].iter().any(|any| word.contains(any));
    fine.then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(text: &str) -> Vec<(String, u32, u32)> {
        let spans = ids(text, &["REQ", "T", "R"]);
        spans.into_iter().map(|span| (span.first.prefix, span.first.number, span.last)).collect()
    }

    #[test]
    fn ids_are_read_with_their_ranges_and_lists() {
        let req = |first, last| ("REQ".to_owned(), first, last);
        assert_eq!(spans("a (REQ-1) b REQ-02"), [req(1, 1), req(2, 2)]);
        assert_eq!(spans("Req 3, requirement 4"), [req(3, 3), req(4, 4)]);
        assert_eq!(spans("REQ-1 to REQ-4; REQ-7..9"), [req(1, 4), req(7, 9)]);
        assert_eq!(spans("REQ-1, 2 and 3/REQ-5"), [req(1, 1), req(2, 2), req(3, 3), req(5, 5)]);
        assert_eq!(spans("(T010–T170)"), [("T".to_owned(), 10, 170)]);
        assert_eq!(spans("REQ-3.1"), [req(3, 3)]);
        assert_eq!(spans("`REQ-1`–`REQ-3`"), [req(1, 3)]);
    }

    #[test]
    fn words_that_hold_an_id_are_none() {
        assert!(spans("T010_name, XREQ-1, PART3, utf-8, req, R-, T9999999999").is_empty());
        assert_eq!(spans("REQ-4294967296"), []);
    }

    #[test]
    fn an_id_alone_may_be_a_plain_number() {
        let found = |text| id(text).map(|id| (id.prefix, id.number));
        assert_eq!(found("010"), Some((String::new(), 10)));
        assert_eq!(found("T010"), Some(("T".to_owned(), 10)));
        assert_eq!(found("REQ-3a"), Some(("REQ".to_owned(), 3)));
        assert_eq!(found("about 3"), None);
        assert_eq!(found(""), None);
    }

    #[test]
    fn ids_of_tests_are_compared_by_what_both_tables_write() {
        let name = |id| test(id).map(|(_, name)| name);
        for id in ["T010", "010", "TS-10", "tc010", "S10", "**T10**"] {
            assert_eq!(name(id).as_deref(), Some("10"), "{id}");
        }
        assert_eq!(name("M010").as_deref(), Some("M10"));
        assert_eq!(name("T010a").as_deref(), Some("10A"));
        assert_eq!(name("T010-T030"), None);
        assert!(is_requirement("REQ-1") && is_requirement("R1") && !is_requirement("T1") && !is_requirement("1"));
    }

    #[test]
    fn paths_have_a_directory_and_an_extension_and_nothing_to_fill_in() {
        assert_eq!(
            paths("- [ ] `src/a.py` and tests/b.rs: see (docs/c.md), ./x/y.ts:12, t/u.py::test_v"),
            ["src/a.py", "tests/b.rs", "docs/c.md", "x/y.ts", "t/u.py"]
        );
        for text in [
            "a.py",
            "and/or",
            "`docs/{id}/a.md`",
            "https://x.y/z.html",
            "~/a/b.md",
            "/etc/a.conf",
            "v1/2.0",
            "docs/XXX/a.md",
        ] {
            assert!(paths(text).is_empty(), "{text}");
        }
    }
}
