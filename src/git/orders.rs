//! Words in a commit's message that hosts and CI obey, and how they are written so that they are words again.

/// `text`, of one line, without what keeps a CI from running, closes an issue or is a command in a CI's log.
pub(super) fn without_orders(text: &str) -> String {
    let text = without_skips(text);
    let text = without_case(&text, "***no_ci***", "NO_CI");
    let text = without_case(&text, "##vso[", "## vso[").replace("##[", "## [");
    without_closings(&text)
}

/// The most that stands in brackets, in bytes: `[skip azurepipelines]`.
const LONGEST: usize = 40;

/// `[skip ci]`, `[ci skip]`, `[no ci]`, `[skip actions]` and their like, of any service: in parentheses they say the same
/// to people, and nothing to programs.
fn without_skips(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        let (before, bracket) = rest.split_at(open);
        plain.push_str(before);
        let inside = bracket.find(']').filter(|end| *end <= LONGEST).and_then(|end| bracket.get(1..end));
        match inside.filter(|inside| is_skip(inside)) {
            Some(inside) => {
                plain.extend(["(", inside, ")"]);
                rest = &bracket[inside.len() + 2..];
            }
            None => {
                plain.push('[');
                rest = &bracket[1..];
            }
        }
    }
    plain + rest
}

fn is_skip(inside: &str) -> bool {
    let words: Vec<String> =
        inside.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    // A single word orders nothing: paths have such parts (`app/[id]`).
    words.len() > 1 && words.iter().any(|word| word == "no" || word.starts_with("skip"))
}

/// `text` with `put` for each `order`, which is in lower case, in any case.
fn without_case(text: &str, order: &str, put: &str) -> String {
    let lower = text.to_ascii_lowercase();
    let (mut plain, mut from) = (String::with_capacity(text.len()), 0);
    for (at, found) in lower.match_indices(order) {
        plain.push_str(&text[from..at]);
        plain.push_str(put);
        from = at + found.len();
    }
    plain + &text[from..]
}

/// What GitHub, GitLab, Gitea and Bitbucket take, before an issue, for a wish to close it.
const CLOSING: &[&str] = &[
    "close",
    "closed",
    "closes",
    "closing",
    "fix",
    "fixed",
    "fixes",
    "fixing",
    "implement",
    "implemented",
    "implementing",
    "implements",
    "reopen",
    "reopened",
    "reopens",
    "resolve",
    "resolved",
    "resolves",
    "resolving",
];

/// `Closes #1` as `Closes (#1)`, which mentions the issue and leaves it open.
fn without_closings(text: &str) -> String {
    let mut plain: Vec<String> = Vec::new();
    // Whether what came before asks for issues to be closed; a list of them goes on.
    let mut closing = false;
    for word in text.split(' ') {
        let letters = word.trim_end_matches(':').trim_start_matches(|c: char| !c.is_alphanumeric());
        if closing && is_issue(word) {
            let end = word.trim_end_matches([',', '.', ';', ')', '!']).len();
            plain.push(format!("({}){}", &word[..end], &word[end..]));
            continue;
        }
        closing = CLOSING.iter().any(|known| known.eq_ignore_ascii_case(letters))
            || closing && matches!(word, "and" | "," | "&" | "issue" | "issues");
        plain.push(word.to_owned());
    }
    plain.join(" ")
}

/// `#1`, `GH-1`, `owner/repo#1`, or an address that ends like an issue's.
fn is_issue(word: &str) -> bool {
    let word = word.trim_end_matches([',', '.', ';', ')', '!']);
    let number = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let has_number = number.len() < word.len();
    let is_address = || word.contains("://") && number.ends_with('/');
    has_number && (number.ends_with('#') || number.eq_ignore_ascii_case("gh-") || is_address())
}

#[cfg(test)]
mod tests {
    use super::without_orders;

    #[test]
    fn an_order_is_written_so_that_only_people_read_it() {
        for (text, plain) in [
            ("a [skip ci] b", "a (skip ci) b"),
            ("[CI Skip][no-ci]", "(CI Skip)(no-ci)"),
            ("[skip azurepipelines] [vercel skip]", "(skip azurepipelines) (vercel skip)"),
            ("***No_CI*** x", "NO_CI x"),
            ("##vso[a] ##VSO[b] ##[c]", "## vso[a] ## vso[b] ## [c]"),
            ("Closes #1", "Closes (#1)"),
            ("fixes: #1, #2 and owner/repo#3.", "fixes: (#1), (#2) and (owner/repo#3)."),
            ("Resolves GH-12; fix SHA-256", "Resolves (GH-12); fix SHA-256"),
            ("(closes https://example.com/o/r/issues/4)", "(closes (https://example.com/o/r/issues/4))"),
        ] {
            assert_eq!(without_orders(text), plain);
        }
    }

    #[test]
    fn what_is_no_order_stays_as_it_is() {
        for text in [
            "",
            "[x] a list [of 3] and a[0]",
            "Closes the file, see #1",
            "fix the parser for UTF-8",
            "implements app/[id]/[skip]/page.tsx",
            "no [brackets at all that go on for more than any order of them does, skip or not]",
        ] {
            assert_eq!(without_orders(text), text);
        }
    }
}
