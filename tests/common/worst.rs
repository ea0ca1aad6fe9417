//! Texts that are written to be slow: for each gate and each reader of a design the one that would make a loop of theirs
//! quadratic. The bench measures them, a test holds their growth to be linear.
#![allow(dead_code)]

use git_implement::check::{self, Candidate, Ground, Settings};
use git_implement::context::{self, Asked, Reading, Tree};
use git_implement::passage::Passages;
use git_implement::plan::{self, Options, Snapshot};
use git_implement::{lld, syntax};
use std::collections::BTreeSet;

/// A text, and what it is the worst for.
pub struct Worst {
    pub name: &'static str,
    path: &'static str,
    /// The text of about so many bytes, and what was there before.
    make: fn(usize) -> (String, Option<String>),
    judge: fn(&Made),
}

/// A text that is ready to be judged.
pub struct Made {
    path: &'static str,
    pub text: String,
    base: Option<String>,
    judge: fn(&Made),
}

impl Worst {
    pub fn make(&self, bytes: usize) -> Made {
        let (text, base) = (self.make)(bytes);
        Made { path: self.path, text, base, judge: self.judge }
    }
}

impl Made {
    pub fn judge(&self) {
        (self.judge)(self);
    }

    /// All gates but the parsers, which have threads and a time limit of their own.
    fn gates(&self) {
        let levels = vec![check::Override::parse("syntax=off").unwrap()];
        let settings = Settings { levels, ..Settings::default() };
        let (base, text) = (self.base.as_deref(), self.text.as_str());
        let named = Some("Nothing is named here.");
        let candidate = Candidate { path: self.path, base, text, dependencies_named: named, ..Candidate::default() };
        std::hint::black_box(check::judge(&candidate, &settings));
        std::hint::black_box(check::Mask::of([text]).apply(text));
    }

    fn imports(&self) {
        let (files, read) = (BTreeSet::from([self.path.to_owned()]), |_: &str| Some(self.text.clone()));
        let texts = (self.base.as_deref(), self.text.as_str());
        std::hint::black_box(check::imported(self.path, texts, &Ground::new(&files, &read), &Settings::default()));
    }

    fn mask(&self) {
        std::hint::black_box(syntax::mask(self.path, &self.text));
        std::hint::black_box(syntax::outline(self.path, &self.text));
    }

    /// Reading a design and planning it, in a tree that has nothing.
    fn plan(&self) {
        let lld = lld::parse(self.path, &self.text);
        let passages = Passages::of(&lld, &self.text);
        let options = Options { max_files: usize::MAX, ..Options::default() };
        let (plan, _) = plan::plan(&lld, &Snapshot::default(), &options);
        if let Some(plan) = plan {
            std::hint::black_box(plan::finished(&lld, &plan));
            for step in plan.steps() {
                std::hint::black_box(passages.about(step.path.as_str(), &step.tasks));
            }
        }
        let tasks = Options { per_task: true, ..options };
        std::hint::black_box(plan::examine(&lld, &Snapshot::default(), &tasks));
    }
}

/// What a run shows of two files beside the planned one: the design is the worst, or the files are.
impl Made {
    fn context(&self) {
        let list = format!("{TABLE}| `src/new.py` | Add | x |\n\nCall `name` and change `Kind` there.\n");
        let lld = lld::parse("a.md", &list);
        let (plan, _) = plan::plan(&lld, &Snapshot::default(), &Options::default());
        let (design, source) = match self.path {
            "a.md" => (format!("{list}{}", self.text), "def name():\n    return name_1\n\n\nclass Kind:\n    pass\n"),
            _ => (list, self.text.as_str()),
        };
        let extension = if self.path == "a.md" { "py" } else { self.path.rsplit('.').next().unwrap_or_default() };
        let files = [format!("src/a.{extension}"), format!("src/b.{extension}")];
        let one = |path: &str| files.iter().any(|file| file == path).then(|| source.to_owned());
        let many = |paths: &[&str], look: &mut context::Look| {
            (0..paths.len()).all(|at| look(at, source));
        };
        let tree = Tree::new(files.iter().map(String::as_str).collect(), Reading { one: &one, many: &many });
        let asked = Asked {
            steps: plan.as_ref().expect("a plan").steps(),
            listed: &["src/new.py"],
            documents: &[&design],
            shown: &[],
            budget: 20_000,
        };
        std::hint::black_box(context::context(&asked, &tree));
    }
}

/// Numbered pieces until there are enough bytes.
fn fill(bytes: usize, piece: impl Fn(usize) -> String) -> String {
    let mut text = String::with_capacity(bytes + 100);
    for number in 0.. {
        if text.len() >= bytes {
            break;
        }
        text.push_str(&piece(number));
    }
    text
}

fn repeat(bytes: usize, piece: &str) -> String {
    piece.repeat(bytes / piece.len() + 1)
}

/// Letters and digits without a pattern, always the same of one number.
fn noise(number: usize, length: usize) -> String {
    let mut state = number as u64 + 1;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[(state >> 59) as usize]
    };
    (0..length).map(|_| char::from(next())).collect()
}

const fn gate(name: &'static str, path: &'static str, make: fn(usize) -> (String, Option<String>)) -> Worst {
    Worst { name, path, make, judge: Made::gates }
}

const fn mask(name: &'static str, path: &'static str, make: fn(usize) -> (String, Option<String>)) -> Worst {
    Worst { name, path, make, judge: Made::mask }
}

const fn import(name: &'static str, path: &'static str, make: fn(usize) -> (String, Option<String>)) -> Worst {
    Worst { name, path, make, judge: Made::imports }
}

const fn design(name: &'static str, path: &'static str, make: fn(usize) -> (String, Option<String>)) -> Worst {
    Worst { name, path, make, judge: Made::plan }
}

const fn context(name: &'static str, path: &'static str, make: fn(usize) -> (String, Option<String>)) -> Worst {
    Worst { name, path, make, judge: Made::context }
}

const TABLE: &str = "# 1 - T\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n";

pub const WORST: &[Worst] = &[
    gate("white space", "a.py", |n| (repeat(n, " \n"), None)),
    gate("a line without an end", "a.py", |n| (repeat(n, "x "), None)),
    gate("prose", "a.py", |n| (repeat(n, "this is prose that goes on\n"), None)),
    gate("placeholders", "a.py", |n| (repeat(n, "# ... existing code ...\n"), None)),
    gate("placeholders of before", "a.py", |n| {
        let text = repeat(n, "# ... existing code ...\n");
        (text.clone() + "x\n", Some(text))
    }),
    gate("placeholders that go on", "a.js", |n| (repeat(n, "// and the rest of the code unchanged\n"), None)),
    gate("conflicts", "a.txt", |n| (repeat(n, "<<<<<<< a\n=======\n>>>>>>> b\n"), None)),
    gate("opened conflicts", "a.txt", |n| (repeat(n, "<<<<<<< a\n=======\n"), None)),
    gate("fences", "a.py", |n| (repeat(n, "```\n"), None)),
    gate("marks of a fence", "a.py", |n| (repeat(n, "`"), None)),
    gate("beginnings of secrets", "a.py", |n| (repeat(n, "AKIA"), None)),
    gate("beginnings of many secrets", "a.py", |n| {
        (repeat(n, &["gh", "p_ sk", "_live_ xo", "xb- hf", "_ npm", "_ SG", ". AI", "za "].concat()), None)
    }),
    gate("secrets", "a.py", |n| (fill(n, |at| format!("k = '{}{}'\n", ["AK", "IA"].concat(), noise(at, 16))), None)),
    gate("secrets of before", "a.py", |n| {
        let text = fill(n, |at| format!("k = '{}{}'\n", ["AK", "IA"].concat(), noise(at, 16)));
        (format!("x\n{text}"), Some(text))
    }),
    gate("heads of private keys", "a.py", |n| (repeat(n, &["-----BEGIN RSA PRIV", "ATE KEY-----\n"].concat()), None)),
    gate("private keys", "a.pem", |n| {
        let head = ["-----BEGIN PRIV", "ATE KEY-----\n"].concat();
        (fill(n, |at| format!("{head}{}\n", noise(at, 64))), None)
    }),
    gate("long words", "a.py", |n| (repeat(n, "k7"), None)),
    gate("words that are nearly long", "a.py", |n| (repeat(n, "abcdefghijklmnopqrs "), None)),
    gate("beginnings of secrets in one word", "a.py", |n| {
        (repeat(n, &["AK", "IA-gh", "p_-sk", "-eyJ-SK-pat-xo", "xb-"].concat()), None)
    }),
    gate("beginnings of web tokens", "a.py", |n| (repeat(n, "eyJaaaaaaaaaaaaaaaaaaaaaaaaaaaa."), None)),
    gate("names of secrets", "a.py", |n| (repeat(n, "token"), None)),
    gate("names of secrets with a colon", "a.py", |n| (repeat(n, "secret: "), None)),
    gate("values of secrets", "a.py", |n| (fill(n, |at| format!("api_key = '{}'\n", noise(at, 32))), None)),
    gate("values of secrets on one line", "a.js", |n| (fill(n, |at| format!("token:'{}x{at}',", noise(at, 24))), None)),
    gate("addresses", "a.py", |n| (repeat(n, "x://"), None)),
    gate("addresses with passwords", "a.py", |n| (fill(n, |at| format!("x://u:{}@h.io ", noise(at, 12))), None)),
    gate("escapes on one line", "a.py", |n| (repeat(n, "\u{1b}["), None)),
    gate("escapes with numbers", "a.py", |n| (repeat(n, "\u{1b}[1;"), None)),
    gate("lines that are overwritten", "a.py", |n| (repeat(n, "x\ry\n"), None)),
    gate("carriage returns", "a.py", |n| (repeat(n, "\r") + "x\n\n", None)),
    gate("words of two alphabets", "a.py", |n| (repeat(n, "'p\u{430}th' ") + "'\u{431}'", None)),
    gate("words of two alphabets in code", "a.py", |n| (repeat(n, "p\u{430}th\n"), None)),
    gate("letters of another alphabet", "a.py", |n| (repeat(n, "\u{430}"), None)),
    gate("characters without a width", "a.md", |n| (repeat(n, "\u{200b}"), None)),
    gate("controls on every line", "a.py", |n| (repeat(n, "x = '\u{202e}'\n"), None)),
    gate("controls on one line", "a.py", |n| (repeat(n, "\u{2066}"), None)),
    gate("controls that are closed", "a.md", |n| (repeat(n / 2, "\u{2067}") + &repeat(n / 2, "\u{2069}"), None)),
    gate("invisible letters", "a.js", |n| (repeat(n, "a\u{200b}"), None)),
    gate("variation selectors", "a.md", |n| (repeat(n, "\u{fe01}"), None)),
    gate("stubs of Python", "a.py", |n| (fill(n, |at| format!("def f{at}():\n    raise NotImplementedError\n")), None)),
    gate("stubs of before", "a.py", |n| {
        let text = fill(n, |at| format!("def f{at}():\n    raise NotImplementedError\n"));
        (format!("x = 1\n{text}"), Some(text))
    }),
    gate("bodies below strings", "a.py", |n| (repeat(n, "x = \"\"\n    pass\n"), None)),
    gate("bodies below blank lines", "a.py", |n| {
        (repeat(n / 2, "def f():\n\n\n    pass\n") + &repeat(n / 2, "\n"), None)
    }),
    gate("stubs of Rust", "a.rs", |n| (fill(n, |at| format!("fn f{at}() {{\n    todo!()\n}}\n")), None)),
    gate("stubs within braces", "a.rs", |n| {
        (repeat(n / 2, "{") + &repeat(n / 2, "fn f() { unimplemented!(\"x\") }\n"), None)
    }),
    gate("stubs of TypeScript", "a.ts", |n| {
        (repeat(n, "function f() {\n  throw new Error('not implemented');\n}\n"), None)
    }),
    gate("stubs of Go that give a reason", "a.go", |n| (repeat(n, "func f() {\n\tpanic(\"todos\")\n}\n"), None)),
    gate("stubs of Java", "A.java", |n| {
        (repeat(n, "void f() { throw new RuntimeException(\"implementation\"); }\n"), None)
    }),
    gate("comments that permit nothing", "a.py", |n| (repeat(n, "x = 1  # git-implement: allow stub\n"), None)),
    gate("comments that permit", "a.py", |n| {
        let text = repeat(n, "def f():\n    raise NotImplementedError  # git-implement: allow stub\n");
        (text.clone() + "x = 1\n", Some(text))
    }),
    gate("tests of Python", "test_a.py", |n| {
        let text = fill(n, |at| format!("def test_{at}():\n    assert a\n"));
        (text.replace("assert a", "pass"), Some(text))
    }),
    gate("lost tests of Python", "test_a.py", |n| {
        (
            fill(n, |at| format!("def test_{at}():\n    pass\n")),
            Some(fill(n * 2, |at| format!("def test_x{at}():\n    pass\n"))),
        )
    }),
    gate("decorated tests of Python", "test_a.py", |n| {
        let text = repeat(n, "    @pytest.mark.x(\n");
        (text.clone() + "def test_a(): pass\n", Some(text))
    }),
    gate("tests of JavaScript", "a.test.js", |n| {
        let text = repeat(n, "describe('a', () => { it('b', () => { expect(c)\n");
        (text.clone() + "it.skip('x', () => {})", Some(text))
    }),
    gate("tests of JavaScript whose names do not end", "a.test.js", |n| {
        let text = repeat(n, "it('");
        (text.clone() + "\n", Some(text))
    }),
    gate("tests of Go", "a_test.go", |n| {
        let text = repeat(n, "func TestA(t *testing.T) {\n\tt.Run(\"b\", func(t *testing.T) {\n");
        (text.clone() + "\n", Some(text))
    }),
    gate("subtests of Go", "a_test.go", |n| {
        let made = |name: &str| {
            format!(
                "func TestA(t *testing.T) {{\n{}}}\n",
                fill(n, |at| format!("\tt.Run(\"{name}{at}\", func(t *T) {{}})\n"))
            )
        };
        (made("b"), Some(made("c")))
    }),
    gate("tests of Rust", "tests/a.rs", |n| {
        let text = fill(n, |at| format!("#[test]\nfn a{at}() {{\n"));
        (text.clone() + "\n", Some(text))
    }),
    gate("tests of Java", "ATest.java", |n| {
        let text = fill(n, |at| format!("@Test void a{at}() {{ assertTrue(b);\n"));
        (text.clone() + "\n", Some(text))
    }),
    gate("tests of Kotlin", "ATest.kt", |n| {
        let text = fill(n, |at| format!("@Test fun `a {at}`() {{\n"));
        (text.clone() + "\n", Some(text))
    }),
    gate("tests of PHP", "ATest.php", |n| {
        let text = fill(n, |at| format!("/** @test */\npublic function a{at}() {{\n"));
        (text.clone() + "\n", Some(text))
    }),
    gate("tests of Ruby", "a_spec.rb", |n| {
        let text = fill(n, |at| format!("it 'a {at}' do\n  expect(a)\n"));
        (text.clone() + "\n", Some(text))
    }),
    gate("dependencies of Python", "requirements.txt", |n| (fill(n, |at| format!("pkg-{at}\n")), Some(String::new()))),
    gate("dependencies of Rust", "Cargo.toml", |n| {
        (format!("[dependencies]\n{}", fill(n, |at| format!("pkg-{at} = \"1\"\n"))), Some(String::new()))
    }),
    import("imports of Python", "a.py", |n| (fill(n, |at| format!("import a{at}.b\n")), None)),
    import("imports of JavaScript", "a.js", |n| (fill(n, |at| format!("import x from './a{at}'\n")), None)),
    import("imports of Rust", "src/a.rs", |n| (fill(n, |at| format!("use a{at}::b;\n")), None)),
    import("imports of Go", "a.go", |n| (fill(n, |at| format!("import \"example.org/a{at}\"\n")), None)),
    import("an import that does not end", "a.py", |n| (repeat(n, "from a import (b,\n"), None)),
    import("imports of JavaScript that do not end", "a.js", |n| (repeat(n, "import {\n"), None)),
    mask("quotes", "a.ts", |n| (repeat(n, "\""), None)),
    mask("quotes on lines of their own", "a.py", |n| (repeat(n, "'''\n\"\n"), None)),
    mask("raw strings", "a.rs", |n| (repeat(n, "r#\""), None)),
    mask("raw strings with ever more marks", "a.rs", |n| {
        (fill(n, |at| format!("r{}\" ", "#".repeat(at.isqrt()))), None)
    }),
    mask("templates", "a.js", |n| (repeat(n, "`${"), None)),
    mask("slashes", "a.js", |n| (repeat(n, "/"), None)),
    mask("expressions that do not end", "a.js", |n| (repeat(n, "=/["), None)),
    mask("words before slashes", "a.js", |n| (repeat(n, "return /x"), None)),
    mask("remarks within remarks", "a.rs", |n| (repeat(n, "/*"), None)),
    mask("letters without an end", "a.rs", |n| (repeat(n, "'\\u"), None)),
    mask("brackets", "a.py", |n| (repeat(n, "([{"), None)),
    mask("definitions", "a.py", |n| (repeat(n, "def a(\n"), None)),
    design("rows", "a.md", |n| (TABLE.to_owned() + &fill(n, |at| format!("| `src/d{at}/f.py` | Add | x |\n")), None)),
    design("rows of one directory", "a.md", |n| {
        (TABLE.to_owned() + &fill(n, |at| format!("| `src/f{at}.py` | Add | x |\n")), None)
    }),
    design("rows for files that are not there", "a.md", |n| {
        (TABLE.to_owned() + &fill(n, |at| format!("| `src/f{at}.py` | Modify | x |\n")), None)
    }),
    design("rows that delete", "a.md", |n| {
        (TABLE.to_owned() + &fill(n, |at| format!("| `src/f{at}.py` | Delete | x |\n")), None)
    }),
    design("rows that rename", "a.md", |n| {
        (TABLE.to_owned() + &fill(n, |at| format!("| `a{at}.py -> b{at}.py` | Rename | x |\n")), None)
    }),
    design("rows of one path", "a.md", |n| {
        (TABLE.to_owned() + &fill(n, |at| format!("| `src/a.py` | Modify | x{at} |\n")), None)
    }),
    design("rows that differ by case", "a.md", |n| {
        let name = |at: usize| format!("{}{}", if at.is_multiple_of(2) { "a" } else { "A" }, at / 2);
        (TABLE.to_owned() + &fill(n, |at| format!("| `src/{}.py` | Add | x |\n", name(at))), None)
    }),
    design("rows of directories", "a.md", |n| {
        (TABLE.to_owned() + &fill(n, |at| format!("| `d{at}/` | Delete (Directory) | x |\n")), None)
    }),
    design("rows that are no paths", "a.md", |n| {
        (TABLE.to_owned() + &fill(n, |at| format!("| `../f{at}` | Add | x |\n")), None)
    }),
    design("bullets", "a.md", |n| {
        let head = "# 1 - T\n\n### 2.1 Files Changed\n\n".to_owned();
        (head + &fill(n, |at| format!("- `src/f{at}.py` (Add): x\n")), None)
    }),
    design("tables", "a.md", |n| (format!("# 1\n\n{}", repeat(n, "| a | b |\n|---|---|\n| x | y |\n\n")), None)),
    design("headings", "a.md", |n| (fill(n, |at| format!("## {at}. S\n\ntext\n\n")), None)),
    design("ever deeper headings", "a.md", |n| (repeat(n, "# a\n## b\n### c\n#### d\n"), None)),
    design("fences in a design", "a.md", |n| {
        (TABLE.to_owned() + "| `a.py` | Add | x |\n\n" + &repeat(n, "```\nx\n"), None)
    }),
    design("sections with code", "docs/plan.md", |n| {
        (fill(n, |at| format!("### {at}. S\n\n- Create: `s/f{at}.py`\n\n`s/f{at}.py`:\n\n```py\nx\n```\n")), None)
    }),
    design("one section of many files", "docs/plan.md", |n| {
        (format!("# P\n\n## All, with a failing test\n\n{}", fill(n, |at| format!("- Create: `s/f{at}.py`\n"))), None)
    }),
    design("a file in many sections", "docs/plan.md", |n| {
        (fill(n, |at| format!("### {at}. S\n\n- Modify: `s/a.py:{at}` `s/b{at}.py`\n\nRun: `x{at}`\n")), None)
    }),
    design("tasks of many files with much to say", "tasks.md", |n| {
        let files = fill(n / 2, |at| format!("s/f{at}.py, "));
        (format!("- [ ] T1 Create {files}\n{}", repeat(n / 2, "  - so it is\n")), None)
    }),
    design("tasks in JSON", "tasks.json", |n| {
        let tasks =
            fill(n, |at| format!("{{\"id\":{at},\"title\":\"Create s/f{at}.py\",\"dependencies\":[{}]}},", at / 2));
        (format!("[{}]", tasks.trim_end_matches(',')), None)
    }),
    design("one task in JSON", "tasks.json", |n| {
        (format!("[{{\"id\":1,\"title\":\"t\",\"details\":\"{}\"}}]", repeat(n, "- [ ] # s/a.py\\n")), None)
    }),
    design("tasks", "tasks.md", |n| (fill(n, |at| format!("- [ ] T{at} Create src/f{at}.py\n")), None)),
    design("tasks of one file", "tasks.md", |n| (fill(n, |at| format!("- [ ] T{at} Update src/a.py\n")), None)),
    design("tasks of one name", "tasks.md", |n| {
        (fill(n, |at| format!("- [ ] T001 Create src/f{at}.py (depends on T001)\n")), None)
    }),
    design("tasks in a chain", "tasks.md", |n| {
        (fill(n, |at| format!("- [ ] T{} Create f{at}.py (depends on T{at})\n", at + 1)), None)
    }),
    design("tasks in a circle", "tasks.md", |n| {
        let count = n / 50;
        (fill(n, |at| format!("- [ ] T{at:06} Create f{at:06}.py (depends on T{:06})\n", (at + 1) % count)), None)
    }),
    design("tasks that are parts", "tasks.md", |n| {
        (format!("- [ ] 1. All\n{}", fill(n, |at| format!("  - [ ] 1.{at} Create src/f{at}.py\n"))), None)
    }),
    design("tasks of many phases", "tasks.md", |n| {
        (fill(n, |at| format!("## Phase {at}: X\n\n- [ ] T{at} [US{at}] Create src/f{at}.py\n")), None)
    }),
    design("tasks of many lines", "tasks.md", |n| {
        (format!("- [ ] T1 Create src/a.py\n{}", repeat(n, "  - in src/b.py\n")), None)
    }),
    design("a task of many words", "tasks.md", |n| (format!("- [ ] T1 Create {}\n", repeat(n, "src/a.py and ")), None)),
    context("names in a design", "a.md", |n| (fill(n, |at| format!("`name_{at}` ")), None)),
    context("calls in a design", "a.md", |n| (fill(n, |at| format!("def name_{at}(x): name_{at}()\n")), None)),
    context("one name in a design", "a.md", |n| (repeat(n, "`name` "), None)),
    context("declarations of one name", "a.py", |n| (repeat(n, "def name():\n    pass\n"), None)),
    context("declarations in one another", "a.py", |n| {
        (fill(n, |at| format!("{}def name():\n", " ".repeat(at % 50))), None)
    }),
    context("callers", "a.py", |n| (fill(n, |at| format!("def f{at}():\n    name(Kind)\n")), None)),
    context("one long caller", "a.py", |n| (format!("def f():\n{}", repeat(n, "    name(Kind)\n")), None)),
    context("imports of what is named", "a.py", |n| (fill(n, |at| format!("from src.b import name as n{at}\n")), None)),
    context("members", "a.ts", |n| {
        (format!("class Kind {{\n{}}}\n", fill(n, |at| format!("  m{at}() {{ name() }}\n"))), None)
    }),
];
