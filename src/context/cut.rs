//! What of a file is shown for the sake of one declaration: all of it, or its face.

use super::declared::{Declaration, Kind};
use super::source::Source;
use crate::syntax::{self, Bodies};
use std::ops::Range;

/// A body of so many lines is short: as good as its signature, and says more.
const SHORT: usize = 25;
/// A type of so many lines is shown whole, since its fields are its face.
const SHORT_TYPE: usize = 60;
/// As many lines of remarks and of a docstring are shown with a signature.
const REMARKS: usize = 25;
/// As many lines of the members of a long type are shown.
const MEMBERS: usize = 150;
/// As many lines of a value are shown.
const VALUE: usize = 40;

/// The whole declaration, with the heads of what it stands in.
pub(super) fn whole(source: &Source, declared: &Declaration) -> Vec<Range<usize>> {
    let mut lines = heads(source, declared);
    lines.push(declared.lines.clone());
    lines
}

/// The declaration with its body where that is short, else signature, docstring and fields.
pub(super) fn interface(source: &Source, declared: &Declaration) -> Vec<Range<usize>> {
    let length = declared.lines.len();
    let most = if declared.kind == Kind::Type { SHORT_TYPE } else { SHORT };
    let mut lines = heads(source, declared);
    if declared.kind == Kind::Type {
        lines.extend(methods(source, declared));
    }
    if length <= most {
        lines.push(declared.lines.clone());
        return lines;
    }
    let above = declared.line.saturating_sub(REMARKS).max(declared.lines.start);
    match declared.kind {
        Kind::Value => lines.push(above..declared.lines.end.min(declared.line + VALUE)),
        Kind::Function => {
            lines.push(above..declared.body);
            lines.extend(docstring(source, declared));
        }
        Kind::Type => {
            lines.push(above..declared.body);
            lines.extend(docstring(source, declared));
            lines.extend(face(source, &(declared.line..declared.lines.end)));
        }
    }
    lines
}

/// The lines of a type that say what it has for others: its members without their bodies, be they of one line or of several,
/// with a body or without; not those that are private.
fn face(source: &Source, lines: &Range<usize>) -> Vec<Range<usize>> {
    let language = syntax::language_of(&source.path, &source.text);
    if !language.and_then(|language| language.bodies).is_some_and(|bodies| matches!(bodies, Bodies::Braces { .. })) {
        return outline(source, lines);
    }
    // In a section that is private, and in a member that is.
    let (mut depth, mut is_hidden, mut is_private) = (0usize, false, false);
    let mut kept = Vec::new();
    for line in lines.clone() {
        let code = source.code_line(line).trim();
        if depth == 1 {
            match code.strip_suffix(':').map(|section| section.trim_end_matches("slots").trim_end()) {
                Some("private") => is_hidden = true,
                Some("public" | "protected" | "signals" | "Q_SIGNALS") => is_hidden = false,
                _ => {}
            }
            is_private |= code.starts_with("private ");
            if !is_hidden && !is_private && code.contains(char::is_alphanumeric) {
                kept.push(line..line + 1);
            }
        }
        is_private &= !code.ends_with([';', '{', '}']);
        for byte in code.bytes() {
            match byte {
                b'{' => depth += 1,
                b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
    }
    kept.truncate(MEMBERS);
    kept
}

/// The signatures of the methods of a type that stand outside of it: in Rust's `impl`, and Go's functions with a receiver.
fn methods(source: &Source, declared: &Declaration) -> Vec<Range<usize>> {
    let name = declared.name.as_str();
    let others = source.declared().iter().filter(|other| other.line != declared.line && other.within.is_none());
    let of = |other: &Declaration| {
        let head = source.code_line(other.line);
        let is_receiver = |head: &str| {
            let receiver = head.strip_prefix("func (").and_then(|rest| rest.split_once(')'));
            receiver.is_some_and(|(receiver, _)| super::source::words(receiver).any(|(_, word)| word == name))
        };
        match other.kind {
            Kind::Type if other.name == name && head.starts_with("impl") => {
                face(source, &(other.line..other.lines.end))
            }
            Kind::Function if is_receiver(head) => std::iter::once(other.line..other.body).collect(),
            _ => Vec::new(),
        }
    };
    others.flat_map(of).collect()
}

/// The heads of the types that it stands in.
fn heads(source: &Source, declared: &Declaration) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let mut within = declared.within;
    while let Some(outer) = within.and_then(|line| source.declared().iter().find(|outer| outer.line == line)) {
        lines.push(outer.line..outer.body);
        // What stands in nothing ends it; an outer one always begins on an earlier line.
        within = outer.within.filter(|line| *line < outer.line);
    }
    lines
}

/// The string that the body begins with: Python's way to say what it is for.
fn docstring(source: &Source, declared: &Declaration) -> Option<Range<usize>> {
    let first = (declared.body..declared.lines.end).find(|line| !source.line(*line).trim().is_empty())?;
    let start = source.line(first).trim_start().trim_start_matches(['r', 'R', 'u', 'U']);
    let marks = ["\"\"\"", "'''"].into_iter().find(|marks| start.starts_with(marks))?;
    let is_closed = |text: &str| text.contains(marks);
    if is_closed(start.get(3..).unwrap_or_default()) {
        return Some(first..first + 1);
    }
    let last = (first + 1..declared.lines.end).find(|line| is_closed(source.line(*line)))?;
    Some(first..(last + 1).min(first + REMARKS))
}

/// The lines that an outline of these lines keeps.
pub(super) fn outline(source: &Source, lines: &Range<usize>) -> Vec<Range<usize>> {
    let outline = syntax::outline(&source.path, source.lines(lines));
    let mut kept = outline.lines().peekable();
    let of_outline = |line: &usize| kept.next_if_eq(&source.line(*line)).is_some();
    lines.clone().filter(of_outline).map(|line| line..line + 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, name: &str) -> String {
        let source = Source::new("a.py", text.to_owned());
        let lines = interface(&source, source.declares(name).unwrap());
        lines.iter().map(|lines| source.lines(lines)).collect()
    }

    #[test]
    fn a_long_function_is_shown_by_its_signature_and_docstring() {
        let body = "    x = 1\n".repeat(30);
        let text = format!(
            "class A:\n    b = 1\n\n    @c\n    def d(\n        self,\n    ):\n        \"\"\"Why.\n\n        More.\n        \"\"\"\n    {}\n",
            body.replace('\n', "\n    ")
        );
        let want = "class A:\n    @c\n    def d(\n        self,\n    ):\n        \"\"\"Why.\n\n        More.\n        \"\"\"\n";
        assert_eq!(shown(&text, "d"), want);
    }

    #[test]
    fn a_long_type_is_shown_by_its_fields_and_the_signatures_of_its_methods() {
        let body = "        x = 1\n".repeat(80);
        let text = format!(
            "class A(B):\n    \"\"\"Why.\"\"\"\n    c: int\n    def d(self):\n{body}    def e(self):\n        pass\n"
        );
        assert_eq!(
            shown(&text, "A"),
            "class A(B):\n    \"\"\"Why.\"\"\"\nclass A(B):\n    c: int\n    def d(self):\n    def e(self):\n"
        );
    }

    #[test]
    fn of_a_long_type_in_braces_every_member_is_shown_that_others_can_use() {
        let body = "            x = 1;\n".repeat(60);
        let text = format!(
            "public abstract class A : B\n{{\n    private int c;\n    public abstract string D(\n        int e,\n        int f);\n    \
             public int G() => 1;\n    private void H()\n    {{\n{body}    }}\n    public void I()\n    {{\n{body}    }}\n}}\n"
        );
        let source = Source::new("a.cs", text);
        let lines = face(&source, &(0..source.count()));
        let shown: String = lines.iter().map(|lines| source.lines(lines)).collect();
        let want = "    public abstract string D(\n        int e,\n        int f);\n    public int G() => 1;\n    public void I()\n";
        assert_eq!(shown, want);
        let header =
            "class A {\npublic:\n    virtual bool b() = 0;\nprivate:\n    int c;\nsignals:\n    void d();\n};\n"
                .to_owned();
        let source = Source::new("a.h", header);
        let shown: Vec<Range<usize>> = face(&source, &(0..source.count()));
        assert_eq!(shown, [1..2, 2..3, 5..6, 6..7]);
    }
}
