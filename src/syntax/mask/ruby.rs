//! Ruby, line by line: its quotes and heredocs are not those of any other language.

/// `text` with remarks and what stands in quotes blanked, and without what is no code: line by line, since nearly all
/// strings end on theirs.
pub fn mask(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // The word that ends what is being passed over.
    let mut until: Option<String> = None;
    for line in text.split_inclusive('\n') {
        let content = line.trim_end_matches(['\n', '\r']);
        let blank = |out: &mut String| {
            out.extend(std::iter::repeat_n(' ', content.len()));
            out.push_str(&line[content.len()..]);
        };
        if let Some(end) = &until {
            if content.trim() == end || (end == "=end" && content.starts_with("=end")) {
                until = None;
            }
            blank(&mut out);
            continue;
        }
        if content.starts_with("=begin") || content == "__END__" {
            until = Some(if content == "__END__" { "\u{0}".to_owned() } else { "=end".to_owned() });
            blank(&mut out);
            continue;
        }
        let code = mask_line(content);
        until = heredoc(&code, content);
        out.push_str(&code);
        out.push_str(&line[content.len()..]);
    }
    out
}

/// As many bytes as there are in the line.
fn mask_line(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let (mut quote, mut escaped, mut before) = (None, false, ' ');
    for (at, c) in line.char_indices() {
        match quote {
            Some(end) => {
                let ends = c == end && !escaped;
                escaped = c == '\\' && !escaped;
                quote = quote.filter(|_| !ends);
                if ends { out.push(c) } else { out.extend(std::iter::repeat_n('_', c.len_utf8())) }
            }
            None if matches!(c, '"' | '\'' | '`') => {
                quote = Some(c);
                out.push(c);
            }
            None if c == '#' && (before == ' ' || at == 0) => {
                out.extend(std::iter::repeat_n(' ', line.len() - at));
                return out;
            }
            None => out.push(c),
        }
        before = c;
    }
    out
}

/// The word that ends the text that begins on this line: `<<~END`, `<<-"END"`.
fn heredoc(code: &str, line: &str) -> Option<String> {
    let at = code
        .find("<<~")
        .or_else(|| code.find("<<-"))
        .or_else(|| code.find("<<").filter(|at| code[at + 2..].starts_with(|c: char| c.is_ascii_uppercase())))?;
    let rest = line.get(at + 2..)?.trim_start_matches(['~', '-']).trim_start_matches(['"', '\'', '`']);
    let word: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    Some(word).filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}
