//! Functions whose whole body is a stub: `todo!()`, `raise NotImplementedError`, `throw new Error("not implemented")`.
//!
//! It goes from the stub outwards, in masked code: is it all of a body, and is that a function's? So a text without one
//! of the few words costs a search for them. What such a body may mean instead (an abstract method, an operation that is
//! not supported, a hook that does nothing) is left alone where anything hints at it, or is not [`Stub::sure`].

use super::language_of;

mod braces;
mod python;

/// No file that people write has more.
const MAX_STUBS: usize = 200;
/// Places that are looked at, so that no text takes for ever.
const MAX_LOOKS: usize = 20_000;

/// A function that is not written yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stub {
    pub name: String,
    /// Of the body; counted from 1.
    pub line: usize,
    /// The body as it is written there, on one line.
    pub body: String,
    /// It can mean nothing else.
    pub sure: bool,
}

/// The stubs of `text`, whose masked code is asked for only where there may be any; none for languages that are not known
/// here.
pub fn stubs<'c>(path: &str, text: &str, code: impl FnOnce() -> Option<&'c str>) -> Vec<Stub> {
    let Some(language) = language_of(path, text) else { return Vec::new() };
    let marks = match language.stubs {
        Stubs::Unknown => return Vec::new(),
        Stubs::Python => return python::stubs(text, code),
        Stubs::Marks(marks) => marks,
    };
    let mut hits: Vec<(usize, &Mark)> = Vec::new();
    for mark in marks {
        hits.extend(memchr::memmem::find_iter(text.as_bytes(), mark.word).map(|at| (at, mark)).take(MAX_LOOKS));
    }
    // Nearly all of them end here, and the text is not masked for them.
    hits.retain(|(at, mark)| {
        may_begin_a_body(text, *at) && (mark.means != Means::AsItsMessage || may_say_so(text, *at))
    });
    if hits.is_empty() {
        return Vec::new();
    }
    hits.sort_by_key(|(at, _)| *at);
    // Rust keeps tests, and the doubles that they need, at the end of what they test.
    if language.name == "rust"
        && let Some(tests) = text.find("\n#[cfg(test)]\nmod ")
    {
        hits.retain(|(at, _)| *at < tests);
    }
    let Some(code) = code() else { return Vec::new() };
    let stubs = hits.into_iter().filter_map(|(at, mark)| braces::stub(text, code, at, mark));
    let mut stubs: Vec<Stub> = stubs.take(MAX_STUBS).collect();
    stubs.dedup_by_key(|stub| stub.line);
    stubs
}

/// A statement that is a stub when it is alone.
#[derive(Debug, Clone, Copy)]
pub struct Mark {
    pub word: &'static str,
    pub means: Means,
    /// With which every function begins, if every one does.
    pub keyword: &'static str,
}

/// How the stubs of a language are told.
#[derive(Debug, Clone, Copy)]
pub enum Stubs {
    /// They are not known.
    Unknown,
    /// By what a body begins with, in braces.
    Marks(&'static [Mark]),
    /// As Python's.
    Python,
}

/// What a statement says by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Means {
    /// That it is to be written, in any place.
    Unwritten,
    /// That, or that it will never be: in a type it is also an abstract method, or an operation that is not supported.
    Missing,
    /// Nothing: the message has to.
    AsItsMessage,
}

/// Does a body or a remark end before `at`?
fn may_begin_a_body(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default().trim_end();
    let line = || before.rsplit('\n').next().unwrap_or_default();
    before.ends_with(['{', '=', '>'])
        || before.ends_with("*/")
        || line().contains("//")
        || line().trim_start().starts_with('#')
}

/// Is there any word of such a message after `at`?
fn may_say_so(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    let near = bytes.get(at..bytes.len().min(at + 300)).unwrap_or_default().to_ascii_lowercase();
    ["implement", "todo", "fixme"].iter().any(|word| memchr::memmem::find(&near, word.as_bytes()).is_some())
}

/// Does a message say that the work is still to be done?
fn is_to_do(message: &str) -> bool {
    let message = message.to_lowercase();
    let words = |word: &str| {
        message.match_indices(word).any(|(at, _)| {
            let edge = |byte: Option<u8>| byte.is_none_or(|byte| !byte.is_ascii_alphanumeric());
            edge(at.checked_sub(1).and_then(|at| message.as_bytes().get(at)).copied())
                && edge(message.as_bytes().get(at + word.len()).copied())
        })
    };
    [
        "todo",
        "fixme",
        "not yet implemented",
        "not implemented yet",
        "implement me",
        "implement this",
        "to be implemented",
    ]
    .iter()
    .any(|phrase| words(phrase))
}

/// Does it at least say that nothing is there?
fn is_missing(message: &str) -> bool {
    let message = message.to_lowercase();
    let bare = message.trim_matches(|c: char| !c.is_alphanumeric());
    is_to_do(&message)
        || matches!(bare, "not implemented" | "unimplemented" | "method not implemented" | "function not implemented")
}

fn line_of(text: &str, at: usize) -> usize {
    memchr::memchr_iter(b'\n', text.as_bytes().get(..at).unwrap_or_default()).count() + 1
}

/// On one line, and not too long.
fn shown(body: &str) -> String {
    body.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::Stub;
    use crate::syntax::mask;

    fn stubs(path: &str, text: &str) -> Vec<Stub> {
        let code = mask(path, text);
        super::stubs(path, text, || code.as_deref())
    }

    #[track_caller]
    fn sure(path: &str, text: &str, expected: &[(&str, bool)]) {
        let found = stubs(path, text);
        let found: Vec<(&str, bool)> = found.iter().map(|stub| (stub.name.as_str(), stub.sure)).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn a_function_that_is_not_written_is_found_in_each_language() {
        sure("a.rs", "pub fn a<T>(x: T) -> Option<T> {\n    todo!(\"later {x}\")\n}\n", &[("a", true)]);
        sure("a.rs", "impl A {\n    fn b(&self) { unimplemented!() }\n}\n", &[("b", true)]);
        sure("a.rs", "impl T for A {\n    fn b(&self) { unimplemented!() }\n}\n", &[("b", false)]);
        sure(
            "a.ts",
            "export async function a(b: C): Promise<D> {\n  throw new Error('Not implemented');\n}\n",
            &[("a", true)],
        );
        sure(
            "a.ts",
            "class A implements B {\n  c(): D {\n    throw new Error(\"Method not implemented.\");\n  }\n}\n",
            &[("c", false)],
        );
        sure("a.js", "export const a = (b) => {\n  throw new Error('TODO: write it');\n};\n", &[("a", true)]);
        sure("a.go", "func A(b int) error {\n\tpanic(\"not implemented\")\n}\n", &[("A", true)]);
        sure("a.go", "func (a *A) B() {\n\tpanic(\"TODO\") // later\n}\n", &[("B", true)]);
        let imported = "import (\n\t\"a\"\n)\n\n// B is c.\nfunc (a *A) B() {\n\tpanic(\"TODO\")\n}\n";
        sure("a.go", imported, &[("B", true)]);
        sure("a.kt", "fun a(b: C) = d(b)\n\ninfix fun <T : B?> C<T>.d(e: F): G<H> = TODO()\n", &[("d", true)]);
        sure(
            "a.dart",
            "class A {\n  @Deprecated('b')\n  Future<C> d<E>(E e) {\n    throw UnimplementedError();\n  }\n}\n",
            &[("d", false)],
        );
        sure("a.kt", "class A {\n    fun b(): Int = TODO()\n}\n", &[("b", true)]);
        sure("a.ts", "const a = {\n  get b() { throw new Error('not implemented') },\n};\n", &[("b", false)]);
        sure("a.py", "def a(b):\n    raise NotImplementedError('there is none')\n", &[("a", false)]);
        sure("a.cs", "class A {\n    public int B() { throw new NotImplementedException(); }\n}\n", &[("B", false)]);
        sure("a.py", "def a(b):\n    \"\"\"Does.\"\"\"\n    raise NotImplementedError\n", &[("a", true)]);
        sure(
            "a.py",
            "class A:\n    def b(\n        self,\n    ) -> int:\n        raise NotImplementedError(\n            'not yet implemented'\n        )\n",
            &[("b", true)],
        );
        sure("a.py", "class A(B):\n    def c(self):\n        # TODO: write this\n        pass\n", &[("c", true)]);
        sure(
            "a.py",
            "def test_a():\n    pass\n\nclass TestB(T):\n    def test_b(self): ...\n",
            &[("test_a", true), ("test_b", true)],
        );
        sure("a.py", "async def load(x): pass\n", &[("load", false)]);
    }

    #[test]
    fn what_has_another_meaning_or_is_not_all_of_a_body_is_left_alone() {
        for (path, text) in [
            ("a.rs", "fn a(b: B) {\n    match b {\n        B::C => { todo!() }\n        B::D => 1,\n    }\n}\n"),
            ("a.rs", "// fn a() { todo!() }\nconst A: &str = \"fn a() { todo!() }\";\n"),
            ("a.rs", "fn a() {}\n\n#[cfg(test)]\nmod tests {\n    fn b() {\n        todo!()\n    }\n}\n"),
            ("a.rs", "fn a() {\n    b();\n    todo!()\n}\n"),
            ("a.ts", "function a(b) {\n  if (b) {\n    throw new Error('Not implemented');\n  }\n}\n"),
            ("a.ts", "createContext({ a: () => { throw new Error('not implemented'); } });\n"),
            ("a.ts", "class A {\n  b() {\n    throw new Error('must be implemented by subclasses');\n  }\n}\n"),
            ("a.go", "func a() {\n\tif b := c(d); b {\n\t\tpanic(\"TODO\")\n\t}\n}\n"),
            ("a.go", "func a() {\n\tpanic(\"unreachable\")\n}\n"),
            ("a.go", "func a() {\n\tswitch b {\n\tdefault:\n\t\tpanic(\"not implemented\")\n\t}\n}\n"),
            ("a.py", "class A(Protocol):\n    def b(self) -> int: ...\n"),
            ("a.py", "class A(ABC):\n    @abstractmethod\n    def b(self):\n        pass\n"),
            ("a.py", "@overload\ndef a(b: int) -> int: ...\n"),
            ("a.py", "class AError(Exception):\n    pass\n"),
            ("a.py", "if TYPE_CHECKING:\n    def a() -> int: ...\n"),
            ("a.py", "class A:\n    def b(self):\n        raise NotImplementedError\n"),
            ("a.py", "class A(B):\n    def close(self):\n        pass\n"),
            ("a.py", "def a():\n    \"\"\"A hook; does nothing unless patched.\"\"\"\n    pass\n"),
            ("a.py", "def a():\n    try:\n        b()\n    except C:\n        pass\n"),
            ("a.py", "def a():\n    for b in c:\n        pass\n"),
            ("a.py", "\"\"\"\ndef a():\n    pass\n\"\"\"\n"),
            ("a.py", "# TODO: def a(): pass\nx = 1\n"),
            ("a.md", "def a():\n    pass\n"),
        ] {
            assert_eq!(stubs(path, text), [], "{path}: {text}");
        }
    }
}
