//! Words of a text replaced by what stands around them: how parsers that do not know a word get to see another.

/// `text` with other words where `replace` gives one; it is asked about each word with what stands before and after it.
pub(super) fn replace_words(text: &str, replace: impl Fn(&str, &str, &str) -> Option<String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    while let Some(start) = text[from..].find(is_word).map(|at| from + at) {
        let end = text[start..].find(|c| !is_word(c)).map_or(text.len(), |at| start + at);
        out.push_str(&text[from..start]);
        let word = &text[start..end];
        match replace(&text[..start], word, &text[end..]) {
            Some(other) => out.push_str(&other),
            None => out.push_str(word),
        }
        from = end;
    }
    out.push_str(&text[from..]);
    out
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
