//! All languages together: the registry is complete, each judges right from wrong, and nothing kills them.

use super::*;

/// Good texts, then broken ones with the line at which they break.
struct Case {
    path: &'static str,
    good: &'static [&'static str],
    broken: &'static [(&'static str, usize)],
}

const CASES: &[Case] = &[
    #[cfg(feature = "python")]
    Case {
        path: "a.py",
        good: &[
            "",
            "def f(x: int) -> int:\n    return x\n",
            "match x:\n    case 1: pass\n",
            "\u{feff}x = 1\n",
            "type A = int\n",
        ],
        broken: &[("def f(:\n    pass\n", 1), ("if x:\ny = 1\n", 2), ("x = 1\n  y = 2\n", 2), ("x = (1,\n", 2)],
    },
    #[cfg(feature = "javascript")]
    Case {
        path: "a.js",
        good: &[
            "export const a = 1;\n",
            "with (a) { b }\n",
            "return 1;\n",
            "const a = <b>c</b>;\n",
            "#!/usr/bin/env node\nrequire('a')\n",
            "\u{feff}#!/usr/bin/env node\nrequire('a')\n",
            "const await = 1;\n",
        ],
        broken: &[("const a = ;\n", 1), ("function f() {\n  return (1;\n}\n", 2), ("a b c\n", 1)],
    },
    #[cfg(feature = "javascript")]
    Case { path: "a.jsx", good: &["const a = <b c={1}>d</b>;\n"], broken: &[("const a = <b></c>;\n", 1)] },
    #[cfg(feature = "javascript")]
    Case { path: "a.cjs", good: &["const a = require('a');\nreturn;\n"], broken: &[("const = 1\n", 1)] },
    #[cfg(feature = "javascript")]
    Case {
        path: "a.ts",
        good: &[
            "interface A { b: string }\nconst c = <T,>(x: T) => x;\n",
            "const x = <number>y;\n",
            "let a: import('b').C<D>;\ninterface E<in out F> { g(): void; h?: 1, i\n j }\nfunction k(this: L, m: N) {}\n",
            "enum E { A = 1 }\n",
        ],
        broken: &[
            ("interface A {foo bar}\n", 1),
            ("type A = { b: C d: E }\n", 1),
            ("function a(this: B c: D) {}\n", 1),
            ("const x: = 1;\n", 1),
            ("function f(a: number {\n}\n", 1),
        ],
    },
    #[cfg(feature = "javascript")]
    Case {
        path: "a.d.ts",
        good: &["export function f(): void;\ndeclare const a: number;\n"],
        broken: &[("export function f(: void;\n", 1)],
    },
    #[cfg(feature = "javascript")]
    Case { path: "a.tsx", good: &["const a = (b: string) => <p>{b}</p>;\n"], broken: &[("const a = <p>{b</p>;\n", 1)] },
    #[cfg(feature = "rust")]
    Case {
        path: "a.rs",
        good: &[
            "fn main() { println!(\"{}\", 1) }\n",
            "#!/usr/bin/env run\nfn main() {}\n",
            "async fn f() -> impl Fn() { || () }\n",
        ],
        broken: &[("fn main() {\n    let x = ;\n}\n", 2), ("fn main() {\n", 1), ("struct S { x u8 }\n", 1)],
    },
    #[cfg(feature = "go")]
    Case {
        path: "a.go",
        good: &[
            "package a\n\nfunc F[T any](x T) T { return x }\n",
            "package a\n\nvar x = new(int)\nvar y = new(f(1) + 2)\n",
        ],
        broken: &[
            ("package a\n\nfunc F( {\n}\n", 3),
            ("package a\n\nvar x = = 1\n", 3),
            ("package a\n\nfunc f() { x := []int{1 2} }\n", 3),
        ],
    },
    Case {
        path: "a.json",
        good: &["{\"a\": [1, 2.5e3, null]}\n", "1e999", "\"\\ud800\"", "{\"a\":1,\"a\":2}", "\u{feff}{}"],
        broken: &[
            ("{\"a\": 1,}\n", 1),
            ("{\n  \"a\": 1\n  \"b\": 2\n}\n", 3),
            ("// no\n{}\n", 1),
            ("{} {}\n", 1),
            ("", 1),
        ],
    },
    Case {
        path: "tsconfig.json",
        good: &["// yes\n{\"a\": [1,],}\n"],
        broken: &[
            ("{\"a\": 1 \"b\": 2}\n", 1),
            ("{a: 1}\n", 1),
            ("{'a': 1}\n", 1),
            ("{\"a\": [1\n", 1),
            ("// nothing\n", 1),
        ],
    },
    Case { path: ".vscode/settings.json", good: &["{ /* yes */ }\n"], broken: &[("{", 1)] },
    Case { path: "a.jsonl", good: &["{}\n[]\n\n1\n", ""], broken: &[("{}\n{\n", 2)] },
    Case {
        path: "a.toml",
        good: &["[a]\nb = 1\nc.d = [1, 2]\n", ""],
        broken: &[("[a]\nb = \n", 2), ("a = 1\na = 2\n", 2), ("[a\n", 1)],
    },
    Case {
        path: "a.yaml",
        good: &[
            "a: [1, 2]\nb: {c: d}\n---\ne: &f g\nh: *f\n",
            "run: echo ${{ a.b }}\n",
            "a: \"{{ b }}\"\n",
            "a: 1\na: 2\n",
        ],
        broken: &[("a: [1, 2\nb: 3\n", 2), ("a: 'b\n", 1), ("a:\n  - b\n c: d\n", 3)],
    },
];

#[test]
fn each_language_takes_good_texts_and_points_at_the_line_where_others_break() {
    for case in CASES {
        for text in case.good {
            assert_eq!(parse(case.path, text), Some(Parsed::Clean), "{}: {text:?}", case.path);
        }
        for (text, line) in case.broken {
            let Some(Parsed::Broken(errors)) = parse(case.path, text) else {
                panic!("{}: {text:?}: {:?}", case.path, parse(case.path, text));
            };
            let first = errors.first().expect("a place");
            // Parsers differ by a line on where an unclosed thing is wrong; none may point outside of the text.
            assert!(first.line.abs_diff(*line) <= 1 && first.line <= text.lines().count() + 1, "{text:?}: {errors:?}");
            assert!(!first.message.is_empty() && !first.message.ends_with('.'), "{text:?}: {errors:?}");
        }
    }
}

#[test]
fn every_language_of_the_registry_has_cases() {
    for language in LANGUAGES {
        assert!(
            CASES.iter().any(|case| super::language(case.path).is_some_and(|found| found.name == language.name)),
            "{}",
            language.name
        );
    }
}

#[test]
fn every_file_of_a_language_is_in_the_registry() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/syntax");
    for entry in std::fs::read_dir(folder).expect("the sources") {
        let path = entry.expect("an entry").path();
        // Parts of what is no language.
        if path.is_dir() {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a source");
        let Some(name) = text.split("pub const LANGUAGE: Language").nth(1).and_then(|rest| rest.split('"').nth(1))
        else {
            continue;
        };
        if name != "test" && !path.ends_with("mod.rs") && !path.ends_with("tests.rs") {
            let file = path.file_stem().and_then(|stem| stem.to_str()).expect("a name");
            assert_eq!(file, name, "a language lies in the file of its name");
            let features = [
                ("go", cfg!(feature = "go")),
                ("javascript", cfg!(feature = "javascript")),
                ("python", cfg!(feature = "python")),
                ("rust", cfg!(feature = "rust")),
                ("typescript", cfg!(feature = "javascript")),
            ];
            let built = features.iter().find(|(feature, _)| *feature == name).is_none_or(|(_, built)| *built);
            assert_eq!(LANGUAGES.iter().any(|language| language.name == name), built, "{name}");
        }
    }
}

#[test]
fn names_and_extensions_belong_to_one_language_each() {
    for (index, one) in LANGUAGES.iter().enumerate() {
        for other in &LANGUAGES[index + 1..] {
            assert!(one.extensions.iter().chain(one.file_names).all(|name| {
                !other.extensions.contains(name) && !other.file_names.contains(name) && one.name != other.name
            }));
        }
    }
    assert_eq!(language("a/Cargo.lock").map(|found| found.name), Some("toml"));
    assert_eq!(language("A.JSON").map(|found| found.name), Some("json"));
    assert!(language("README").is_none() && language("a.unknown").is_none() && language(".py").is_none());
    assert_eq!(parse("a.unknown", "("), None);
}

#[test]
fn dialects_that_only_share_the_name_are_not_judged() {
    #[cfg(feature = "python")]
    assert!(matches!(parse("a.py", "#!/usr/bin/env python2\nprint 1\n"), Some(Parsed::NotApplicable(_))));
    #[cfg(feature = "rust")]
    assert!(matches!(
        parse("a.rs", "#!/usr/bin/env cargo\n---\n[dependencies]\n---\n"),
        Some(Parsed::NotApplicable(_))
    ));
    #[cfg(feature = "javascript")]
    {
        assert!(matches!(parse("a.js", "// @flow\ntype A = {| b: ?string |};\n"), Some(Parsed::NotApplicable(_))));
        assert!(matches!(parse("a.ts", "<?xml version=\"1.0\"?>\n<TS></TS>\n"), Some(Parsed::NotApplicable(_))));
    }
}

/// Texts made to nest or to chain `n` deep.
fn hostile(path: &str, n: usize) -> Vec<String> {
    let both = |open: &str, middle: &str, close: &str| format!("{}{middle}{}", open.repeat(n), close.repeat(n));
    let mut texts: Vec<String> =
        ["(", "[", "{", "<", "\"", "'", "`", "- ", "? ", "a: ", ".", "{{", "/*", "&", "*", "!"]
            .iter()
            .map(|piece| piece.repeat(n))
            .collect();
    texts.extend([
        both("(", "1", ")"),
        both("[", "", "]"),
        both("{\"a\":", "1", "}"),
        both("{a: ", "1", "}"),
        both("[[", "", "]]"),
    ]);
    // The languages in which it comes to something, before, what is repeated, after.
    let statements: &[(&str, &str, &str, &str)] = &[
        ("js py ts", "x = ", "-", "1"),
        ("py", "x = ", "not ", "1"),
        ("js py ts", "x = ", "1+", "1"),
        ("js py ts", "x = ", "1**", "1"),
        ("js py ts", "x = a", ".b", ""),
        ("js py ts", "x = a", "()", ""),
        ("js py ts", "x = a", "[0]", ""),
        ("py", "x = ", "lambda a,b: ", "1"),
        ("py", "x = ", "1 if 1 else ", "1"),
        ("js py ts", "", "a = ", "1"),
        ("js ts tsx", "x = ", "a ? b : ", "c"),
        ("js ts tsx", "x = ", "a => ", "b"),
        ("js ts tsx", "x = ", "!/*;*/", "b"),
        ("js ts tsx", "x = ", "<a>", ""),
        ("js ts tsx", "x = ", "`${", "1"),
        ("js py ts", "x = ", "await ", "1"),
        ("js ts tsx", "x = ", "new ", "a"),
        ("js ts tsx", "", "if (a) ", "b"),
        ("js ts tsx", "if (a) {}", " else if (a) {}", ""),
        ("js ts tsx", "if (a) b;", " else if (a) b;", ""),
        ("js yaml", "", "a: ", "b"),
        ("ts", "type A = ", "keyof ", "B"),
        ("rs ts", "type A = ", "B<C,", "D"),
        ("ts tsx", "x = ", "B<", "C"),
        ("ts", "type A = ", "B | ", "C"),
        ("rs", "fn f() { ", "-", "1 }"),
        ("rs", "fn f() { ", "1 + ", "1 }"),
        ("rs", "fn f() { ", "|a, b| ", "1 }"),
        ("rs", "fn f() { a", ".b()", " }"),
        ("rs", "fn f() { a", "?", " }"),
        ("rs", "fn f() { a", " as u8", " }"),
        ("rs", "fn f() { if a {}", " else if a {}", " }"),
        ("rs", "type A = ", "&", "B;"),
        ("rs", "type A = ", "fn() -> ", "B;"),
        ("rs", "use ", "a::", "b;"),
        ("go", "package a\nvar x = ", "-", "1"),
        ("go", "package a\nvar x = ", "1 + ", "1"),
        ("go", "package a\nvar x = a", ".b", ""),
        ("go", "package a\ntype A ", "[]", "B"),
        ("go", "package a\ntype A ", "chan ", "B"),
        ("go", "package a\nfunc f() { if a := 1; b {}", " else if a := 1; b {}", " }"),
        ("toml", "a = ", "[", "]"),
        ("toml", "", "a.", "b = 1"),
        ("toml", "[", "a.", "b]"),
    ];
    let extension = extension(path);
    let chained = statements.iter().filter(|(languages, ..)| languages.split(' ').any(|one| one == extension));
    texts.extend(chained.map(|(_, before, piece, after)| format!("{before}{}{after}\n", piece.repeat(n))));
    if path.ends_with(".py") || path.ends_with(".yaml") {
        let nested =
            |head: &str| (0..n.min(2000)).map(|depth| format!("{}{head}\n", " ".repeat(depth))).collect::<String>();
        texts.extend([nested("if x:"), nested("a:"), nested("-")]);
    }
    texts
}

const PATHS: &[&str] =
    &["a.py", "a.js", "a.ts", "a.tsx", "a.rs", "a.go", "a.json", "a.jsonc", "a.toml", "a.yaml", "a.jsonl"];

fn survive(n: usize) {
    for path in PATHS.iter().filter(|path| language(path).is_some()) {
        for text in hostile(path, n) {
            let start: String = text.chars().take(60).collect();
            // Any answer will do: what matters is that there is one.
            assert!(parse(path, &text).is_some(), "{path}: {start}");
        }
    }
}

#[test]
fn hostile_depth_gets_an_answer_also_on_a_thread_with_a_small_stack() {
    let small = std::thread::Builder::new().stack_size(128 << 10).spawn(|| {
        // Deep enough to kill a parser on an ordinary stack, shallow enough to be let through to it.
        survive(1_000);
        // As deep as anybody might try.
        survive(50_000);
    });
    small.expect("a thread").join().expect("nobody died");
}
