//! The outline of a text: its declarations without their bodies, for prompts that are short of room.
//!
//! By lines, words and brackets, not by parsing: it must be cheap, the same in every build, and of use for a text
//! that does not parse. What it takes too much of costs a few tokens, what it misses is missing in a prompt only.

use super::extension;

/// Lines of a text of no known kind.
const FIRST_LINES: usize = 40;
/// Lines that one declaration may take up.
const SIGNATURE_LINES: usize = 12;

/// Declarations at any depth, after modifiers.
const ANYWHERE: &[&str] = &[
    "class",
    "constructor",
    "def",
    "enum",
    "fn",
    "fun",
    "func",
    "function",
    "impl",
    "interface",
    "macro_rules!",
    "message",
    "mod",
    "module",
    "namespace",
    "object",
    "protocol",
    "record",
    "service",
    "struct",
    "sub",
    "trait",
    "union",
];
/// Declarations where nothing stands before them: in bodies the same words are statements.
const AT_TOP: &[&str] = &[
    "#define",
    "#include",
    "const",
    "extern",
    "from",
    "import",
    "let",
    "library",
    "local",
    "open",
    "package",
    "require",
    "require_relative",
    "static",
    "type",
    "typedef",
    "use",
    "using",
    "val",
    "var",
];
const MODIFIERS: &[&str] = &[
    "abstract",
    "async",
    "const",
    "data",
    "declare",
    "default",
    "export",
    "extern",
    "final",
    "inline",
    "internal",
    "open",
    "override",
    "partial",
    "private",
    "protected",
    "public",
    "readonly",
    "sealed",
    "static",
    "suspend",
    "unsafe",
    "virtual",
];
/// Words that open a block and declare nothing, so that a line with `(` and `{` is not taken for a method.
const STATEMENTS: &[&str] = &[
    "catch", "case", "do", "else", "elif", "for", "foreach", "if", "loop", "match", "return", "select", "switch",
    "try", "unless", "until", "when", "while", "with", "}",
];
const DATA: &[&str] = &[
    "cfg", "conf", "csv", "css", "html", "ini", "json", "jsonl", "lock", "log", "md", "rst", "sql", "svg", "toml",
    "tsv", "txt", "xml", "yaml", "yml",
];

/// The outline of `text`, in its own lines and order; the first lines of a text that declares nothing. Never longer
/// than the text.
pub fn outline(path: &str, text: &str) -> String {
    let kept = if DATA.contains(&extension(path).as_str()) { Vec::new() } else { declarations(text) };
    let lines = if kept.is_empty() { text.lines().take(FIRST_LINES).collect() } else { kept };
    let mut out = lines.join("\n");
    if !out.is_empty() && text.ends_with('\n') {
        out.push('\n');
    }
    out
}

fn declarations(text: &str) -> Vec<&str> {
    let mut kept = Vec::new();
    // Attributes and decorators, which belong to the declaration that follows.
    let mut before: Vec<&str> = Vec::new();
    let mut fields = Fields::default();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let start = line.trim_start();
        if is_attribute(start) {
            before.push(line);
            continue;
        }
        if is_declaration(line) {
            kept.append(&mut before);
            kept.push(line);
            fields.begin(line);
            let constant = start.len() == line.len() && is_constant(start);
            let mut open = opened(line, constant);
            for line in lines.by_ref().take(if open > 0 { SIGNATURE_LINES } else { 0 }) {
                kept.push(line);
                open += opened(line, constant);
                if open <= 0 {
                    break;
                }
            }
        } else if fields.has(line) {
            kept.push(line);
        }
        before.clear();
    }
    kept
}

/// The fields of a class or structure, which are as much of its face as its methods are: lines `name: …` and
/// `name = …` right below its head, no deeper.
#[derive(Default)]
struct Fields {
    /// The indentation of the head and, once it is known, of what stands in it.
    within: Option<(usize, Option<usize>)>,
}

impl Fields {
    fn begin(&mut self, line: &str) {
        let holds_fields =
            |word: &str| matches!(word, "class" | "struct" | "interface" | "record" | "type" | "message");
        if line.split(|c: char| !c.is_alphanumeric()).any(holds_fields) {
            self.within = Some((indentation(line), None));
        }
    }

    fn has(&mut self, line: &str) -> bool {
        let Some((head, body)) = &mut self.within else { return false };
        if line.trim().is_empty() {
            return false;
        }
        let depth = indentation(line);
        if depth <= *head {
            self.within = None;
            return false;
        }
        let start = line.trim_start();
        let name = start.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("");
        let rest = start.get(name.len()..).unwrap_or("").trim_start_matches('?').trim_start();
        *body.get_or_insert(depth) == depth
            && name.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && (rest.starts_with(':') || (rest.starts_with('=') && !rest.starts_with("==")))
    }
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn is_attribute(start: &str) -> bool {
    start.starts_with("#[") || (start.starts_with('@') && start.chars().nth(1).is_some_and(char::is_alphabetic))
}

fn is_declaration(line: &str) -> bool {
    let start = line.trim_start();
    let at_top = start.len() == line.len();
    let mut words =
        start.split(|c: char| c.is_whitespace() || c == '(' || c == '<' || c == ':').filter(|w| !w.is_empty());
    let first = words.clone().next().unwrap_or("");
    if at_top && (AT_TOP.contains(&first) || is_constant(start)) {
        return true;
    }
    let word = words.find(|word| !MODIFIERS.contains(word) && *word != "pub" && !is_restriction(word));
    if word.is_some_and(|word| ANYWHERE.contains(&word) && names_something(start, word))
        || first == "pub"
        || (at_top && first == "export")
    {
        return true;
    }
    // A method or a function of the C family: `name(…) {`.
    let end = line.trim_end();
    end.ends_with('{')
        && start.contains('(')
        && !STATEMENTS.contains(&first)
        && !start.contains("=>")
        && start.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '#' | '*' | '~'))
        && !start.contains(").")
}

/// Is `word` followed by what it declares? `record = load()` and `message: the text` only use the word.
fn names_something(start: &str, word: &str) -> bool {
    let after = start.find(word).and_then(|at| start.get(at + word.len()..)).unwrap_or("");
    let next = after.trim_start().chars().next();
    after.starts_with(['<', '('])
        || (after.starts_with(char::is_whitespace)
            && next.is_some_and(|c| c.is_alphanumeric() || "_<(\"'$*~".contains(c)))
}

/// `crate)` and the like of `pub(crate)`.
fn is_restriction(word: &str) -> bool {
    word.ends_with(')') && matches!(word, "crate)" | "super)" | "self)")
}

/// `LIMIT = 3` or `Alias: TypeAlias = …` with nothing before it.
fn is_constant(start: &str) -> bool {
    let name = start.split([' ', ':', '=']).next().unwrap_or("");
    name.starts_with(char::is_uppercase)
        && name.chars().all(|c| c.is_alphanumeric() || c == '_')
        && start.get(name.len()..).is_some_and(|rest| rest.trim_start().starts_with([':', '=']) && rest.contains('='))
}

/// Round and square brackets that a line opens and does not close; curly ones too where they hold no body.
fn opened(line: &str, curly: bool) -> isize {
    line.bytes().fold(0, |open, byte| match byte {
        b'(' | b'[' => open + 1,
        b')' | b']' => open - 1,
        b'{' if curly => open + 1,
        b'}' if curly => open - 1,
        _ => open,
    })
}

#[cfg(test)]
mod tests {
    use super::outline;

    #[test]
    fn python_keeps_imports_constants_decorators_and_signatures() {
        let text = "import os\nLIMIT = 3\n\n@cached\ndef load(\n    path: str,\n) -> dict:\n    \"\"\"Loads.\"\"\"\n    x = open(path)\n    return x\n\nclass Store:\n    def get(self, key):\n        return self.x[key]\n";
        let kept = "import os\nLIMIT = 3\n@cached\ndef load(\n    path: str,\n) -> dict:\nclass Store:\n    def get(self, key):\n";
        assert_eq!(outline("a.py", text), kept);
    }

    #[test]
    fn fields_and_tables_are_kept_and_words_in_bodies_are_not() {
        let text = "PRICES = {\n    'a': 1,\n    'b': 2,\n}\n\n@dataclass\nclass Call:\n    \"\"\"One.\"\"\"\n\n    name: str\n    cost: float = 0.0\n\n    def run(self):\n        record = load(self)\n        type = record.kind\n        message: str = 'x'\n        return record\n";
        let kept = "PRICES = {\n    'a': 1,\n    'b': 2,\n}\n@dataclass\nclass Call:\n    name: str\n    cost: float = 0.0\n    def run(self):\n";
        assert_eq!(outline("a.py", text), kept);
    }

    #[test]
    fn rust_keeps_items_and_methods_without_bodies() {
        let text = "use a::b;\n\n#[derive(Debug)]\npub(crate) struct S {\n    x: u8,\n}\n\nimpl S {\n    pub fn new() -> S {\n        let x = 1;\n        if x > (2) {\n            return S { x };\n        }\n        S { x }\n    }\n}\n";
        let kept =
            "use a::b;\n#[derive(Debug)]\npub(crate) struct S {\n    x: u8,\nimpl S {\n    pub fn new() -> S {\n";
        assert_eq!(outline("a.rs", text), kept);
    }

    #[test]
    fn typescript_keeps_exports_types_and_methods() {
        let text = "import { a } from 'a';\nexport const b = 1;\ninterface C {\n  d: string;\n}\nexport class E {\n  f(g: string): void {\n    const h = () => {\n    };\n    for (const i of g) {\n    }\n  }\n}\n";
        let kept = "import { a } from 'a';\nexport const b = 1;\ninterface C {\n  d: string;\nexport class E {\n  f(g: string): void {\n";
        assert_eq!(outline("a.ts", text), kept);
    }

    #[test]
    fn a_text_without_declarations_is_its_first_lines() {
        let text: String = (0..100).map(|n| format!("line {n}\n")).collect();
        let out = outline("notes.md", &text);
        assert!(text.starts_with(&out) && out.lines().count() == 40, "{out}");
        assert_eq!(outline("a.py", ""), "");
    }

    #[test]
    fn an_outline_is_never_longer_than_the_text() {
        for text in ["def f(\n", "(((\n(((", "import a", "pub fn x() {\r\n}\r\n"] {
            assert!(outline("a.py", text).len() <= text.len());
        }
    }
}
