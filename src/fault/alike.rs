//! What stays of a program's words when all that differs from run to run is taken out.

/// `text` with every number, address, time and temporary path made the same, so that two runs that fail alike say the same.
/// Linear in the text.
pub fn alike(text: &str) -> String {
    text.lines().map(line).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

fn line(line: &str) -> String {
    let words = line.split_whitespace().map(word);
    words.collect::<Vec<_>>().join(" ")
}

fn word(word: &str) -> String {
    if let Some(at) = temporary(word) {
        let (before, path) = word.split_at(at);
        let end = path.find(['"', '\'', ')', ':', ',', ']']).unwrap_or(path.len());
        return format!("{}<path>{}", numbers(before), numbers(&path[end..]));
    }
    numbers(word)
}

/// Where the path of a temporary file begins in a word.
fn temporary(word: &str) -> Option<usize> {
    ["/tmp/", "/var/folders/", "/private/tmp/", "/var/tmp/"].iter().filter_map(|folder| word.find(folder)).min()
}

/// Numbers, in hexadecimal too, as `#`. A digit in the middle of a name belongs to the name: `utf8`, `test_2`.
fn numbers(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    let mut rest = word;
    let mut inside_name = false;
    while let Some(first) = rest.chars().next() {
        let length = if inside_name { 0 } else { number(rest) };
        if length > 0 {
            out.push('#');
            rest = &rest[length..];
            // A unit: `0.03s`, `12ms`.
            let unit = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
            if matches!(&rest[..unit], "s" | "ms" | "us" | "ns" | "sec" | "m") {
                rest = &rest[unit..];
            }
            inside_name = false;
            continue;
        }
        out.push(first);
        inside_name = first.is_alphanumeric() || first == '_';
        rest = &rest[first.len_utf8()..];
    }
    out
}

/// How long the number is that `text` begins with; 0: none.
fn number(text: &str) -> usize {
    let hexadecimal = |text: &str| text.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(text.len());
    if let Some(rest) = text.strip_prefix("0x") {
        return 2 + hexadecimal(rest);
    }
    // An id: `3f2a91bc`.
    let length = hexadecimal(text);
    let id = text.get(..length).unwrap_or_default();
    let ends = !text[length..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
    if length >= 7 && ends && id.contains(|c: char| c.is_ascii_digit()) {
        return length;
    }
    // Whoever prints a dot for each test has no number there, and would be read from every dot on.
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return 0;
    }
    let length = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    // Not the full stop of a sentence.
    text[..length].trim_end_matches('.').len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_places_and_addresses_do_not_make_two_failures_of_one() {
        let first = "=== 1 failed in 0.03s ===\n<Foo object at 0x7f3a91> /tmp/pytest-of-u/pytest-3/x.py:14: in f2\n";
        let second = "=== 1 failed in 12.5s ===\n\n<Foo object at 0x11> /tmp/pytest-of-u/pytest-19/y.py:9: in f2";
        assert_eq!(alike(first), alike(second));
        assert_eq!(alike(first), "=== # failed in # ===\n<Foo object at #> <path>:#: in f2");
    }

    #[test]
    fn other_names_and_other_values_of_words_stay_apart() {
        assert_ne!(alike("NameError: name 'a1' is not defined"), alike("NameError: name 'a2' is not defined"));
        assert_eq!(alike("commit 3f2a91bc done 7."), "commit # done #.");
        assert_eq!(alike("decade feedface utf8"), "decade feedface utf8");
    }
}
