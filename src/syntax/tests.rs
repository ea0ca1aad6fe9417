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
        broken: &[("{\"a\": 1,}\n", 1), ("{\n  \"a\": 1\n  \"b\": 2\n}\n", 3), ("{} {}\n", 1), ("", 1)],
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
    Case { path: "package.json", good: &["{}\n"], broken: &[("// no\n{}\n", 1)] },
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
            "a:\n  b: \"c\n  d\n  e\"\n  f: {\n  }\n",
        ],
        broken: &[("a: [1, 2\nb: 3\n", 2), ("a: 'b\n", 1), ("a:\n  - b\n c: d\n", 3)],
    },
    #[cfg(feature = "shell")]
    Case {
        path: "a.sh",
        good: &[
            "#!/bin/bash\nset -euo pipefail\nf() { local a=(1 2); echo \"${a[@]@Q}\" <<< x; }\nif [[ $1 =~ ^a(b|c)$ ]]; then f; fi\n",
            "cat <<'EOF'\n(\nEOF\nfor ((i = 0; i < 3; i++)); do :; done\n",
            "case $a in b) ;; *) exit 1 ;& esac; x=$(( 1 + (2) )) && echo ${x//a/b} | tee >(cat)\n",
            "a=$(while read -r b; do\n    case $b in\n    *:c/* | *:d/*) ;;\n    *) echo \"$b\" ;;\n    esac\ndone <<EOF\n$e\nEOF\n)\n",
        ],
        broken: &[("if true; then\n  echo 1\n", 2), ("f() {{\n  :\n}\n", 1), ("case a in\nfoo bar baz\nesac\n", 2)],
    },
    Case {
        path: "a.c",
        good: &[
            "#include <a.h>\nstatic const char *a = \"(\"; // don't\nint f(void) { return a[0] == '('; }\n",
            "SOME_MACRO(b)\nconstexpr auto c = nullptr;\n",
        ],
        broken: &[
            ("int f(void) {\n  return 1;\n", 1),
            ("int f(void) {\n  return ((1);\n}\n", 3),
            ("```c\nint a;\n", 1),
        ],
    },
    Case { path: "a.h", good: &["#ifdef A\nextern \"C\" {\n#endif\n"], broken: &[("int f(int a;\nint b]\n", 2)] },
    Case {
        path: "a.cpp",
        good: &[
            "import std;\ntemplate <typename T> concept C = requires(T t) { { t.f() } -> std::same_as<int>; };\nauto a = R\"(()\";\n",
            "int b = 1'000;\n",
        ],
        broken: &[("void f() {\n", 1), ("int a[2;\nint b;\n", 1), ("auto a = \"b;\nint c;\n", 1)],
    },
    #[cfg(feature = "infrastructure")]
    Case {
        path: "CMakeLists.txt",
        good: &[
            "cmake_minimum_required(VERSION 3.31)\nproject(a)\nif(NOT A AND \"${B}\" STREQUAL [[c]])\n  set(D e)\nendif()\n",
        ],
        broken: &[("set(A b\n", 1), ("set((A)\n", 1), ("foo bar\nset(A b)\n", 1)],
    },
    #[cfg(feature = "css")]
    Case {
        path: "a.css",
        good: &[
            "@layer a, b;\n.c { color: oklch(0.7 0.1 200); &:hover > d { margin: calc(1px * (2 + 3)) } }\n",
            "@media (width >= 600px) { e:has(> f) { --g: { h }; *zoom: 1 } }\n@container i (width > 1px) { j { k: l } }\n",
        ],
        broken: &[("a { b: c;\nd { e: f\n", 2), ("a {{ b: c }\n", 1), ("foo bar\n", 1)],
    },
    #[cfg(feature = "css")]
    Case {
        path: "a.scss",
        good: &[
            "@use 'b' as c;\n$d: 1px !default;\n@mixin e($f...) { @if $f { #{$f}: c.$g; } @else { h: i } }\n.j { @include e(1); &-k { l: m } }\n",
        ],
        broken: &[("a { @if $b {\n  c: d;\n", 2), ("a { b: ((1); }\n", 1), ("@mixin {\n}\n", 1)],
    },
    #[cfg(feature = "css")]
    Case {
        path: "a.less",
        good: &["@a: 1px;\n.b(@c; @d: 2) when (iscolor(@c)) { e: ~\"f\" @c }\n.g { .b(#fff); &:extend(.h all); }\n"],
        broken: &[("a { b: c;\n", 1), ("a { b: (1px; }\n", 1), ("foo bar\n", 1)],
    },
    #[cfg(feature = "mobile")]
    Case {
        path: "a.dart",
        good: &[
            "sealed class A {}\nextension type B(int c) {}\nfinal d = switch (e) { (int f, _) when f > 0 => 1, _ => 2 };\n",
            "class G extends A { const G({required this.h, super.key}); final int h; }\n",
        ],
        broken: &[
            ("void f() {\n  g();\n", 1),
            ("void f() {\n  g((1);\n}\n", 2),
            ("class A {\n  int b = 1 foo bar;\n}\n", 2),
        ],
    },
    #[cfg(feature = "beam")]
    Case {
        path: "a.exs",
        good: &[
            "defmodule A do\n  def b(%{c: d} = e) when is_map(e), do: ~s(#{d}) |> String.trim()\n  @doc \"\"\"\n  f\n  \"\"\"\nend\n",
        ],
        broken: &[
            ("defmodule A do\n  def b do\n  end\n", 4),
            ("defmodule A do\n  def b, do: c((1)\nend\n", 2),
            ("a = [1, 2\nb = 3]]\n", 2),
        ],
    },
    #[cfg(feature = "beam")]
    Case {
        path: "a.erl",
        good: &[
            "-module(a).\n-export([b/1]).\nb(#{c := D}) when D > 0 -> maybe {ok, E} ?= f(D), E end;\nb(_) -> <<\"g\"/utf8>>.\n",
        ],
        broken: &[
            ("-module(a).\nb() -> c(.\n", 2),
            ("-module(a).\nb() -> {{1}.\n", 2),
            ("-module(a).\nb() -> foo bar.\n", 2),
        ],
    },
    #[cfg(feature = "interface")]
    Case {
        path: "a.graphql",
        good: &[
            "\"\"\"a\"\"\"\ntype B implements C & D @e(f: 1) { g(h: [Int!]! = [1]): I }\n",
            "query A($b: C = {d: E}) { f: g(h: $b) { ...i @include(if: true) } }\n",
        ],
        broken: &[("type A {\n  b: C\n", 2), ("type A {{\n  b: C\n}\n", 1), ("type A {\n  b C\n}\n", 2)],
    },
    #[cfg(feature = "infrastructure")]
    Case {
        path: "a.tf",
        good: &[
            "resource \"a\" \"b\" {\n  c = { for d in var.e : d => \"${d}-x\" if d != null }\n  f = <<-EOT\n    g\n  EOT\n}\n",
            "a = { for b in c : b.d => b... }\nd = e ? f : g[*].h\n",
        ],
        broken: &[("a \"b\" {\n  c = 1\n", 2), ("a = [[1]\nb = 2\n", 1), ("foo bar baz\nd = 1\n", 1)],
    },
    #[cfg(feature = "jvm")]
    Case {
        path: "a.java",
        good: &[
            "package a;\nsealed interface B permits C {}\nrecord C(int d) implements B { static int e(Object o) { return switch (o) { case C(var d) when d > 0 -> d; default -> 0; }; } }\n",
            "class A { String b = \"\"\"\n  c\n  \"\"\"; void d(String @E ... f) {} }\n",
        ],
        broken: &[
            ("class A {\n  void b() {\n", 2),
            ("class A {\n  int b = ((1);\n}\n", 2),
            ("class A {\n  int b = 1 foo bar;\n}\n", 2),
        ],
    },
    #[cfg(feature = "scripting")]
    Case {
        path: "a.lua",
        good: &[
            "local a <const> = [==[b]==]\nfor i, v in ipairs { 1, 2 } do goto c ::c:: end\nreturn function(...) return a // 2 ~ #... end\n",
        ],
        broken: &[("function f()\n  g()\n", 1), ("f((1)\n", 1), ("local a = 1\nfoo bar\n", 2)],
    },
    #[cfg(feature = "infrastructure")]
    Case {
        path: "a.nix",
        good: &[
            "{ pkgs ? import <nixpkgs> { }, ... }@args:\nlet a = ''b ${c} ''; inherit (d) e; in rec { f.g = a // { h = i: i or 1; }; }\n",
        ],
        broken: &[("{ a = 1;\n", 1), ("{ a = ((1); }\n", 1), ("{ a = 1; foo bar }\n", 1)],
    },
    #[cfg(feature = "php")]
    Case {
        path: "a.php",
        good: &[
            "<?php\ndeclare(strict_types=1);\nnamespace A;\nfinal readonly class B { public function __construct(private ?int $c = null) {} }\nenum D: string { case E = 'f'; }\n$g = match (true) { default => fn(int|string $h) => $h?->i(...$j) };\n",
            "<p><?= $a ?></p>\n<?php if ($b): ?>c<?php endif ?>\n",
        ],
        broken: &[
            ("<?php\nfunction f() {\n  g();\n", 2),
            ("Here it is:\n<?php\nnamespace A;\n", 1),
            ("<?php\nf((1);\n", 2),
            ("<?php\n$a = 1 foo bar;\n", 2),
        ],
    },
    #[cfg(feature = "interface")]
    Case {
        path: "a.proto",
        good: &[
            "edition = \"2023\";\npackage a.b;\nmessage C { repeated int32 d = 1 [packed = true]; oneof e { string f = 2; } map<string, C> g = 3; reserved 4 to 9; }\nservice H { rpc I(stream C) returns (C) { option (j) = { k: 1 }; } }\n",
        ],
        broken: &[
            ("syntax = \"proto3\";\nmessage A {\n  int32 b = 1;\n", 3),
            ("message A {{\n  int32 b = 1;\n}\n", 1),
            ("message A {\n  int32 b = 1 foo bar;\n}\n", 2),
        ],
    },
    #[cfg(feature = "scripting")]
    Case {
        path: "a.R",
        good: &[
            "a()\n\\donttest{\nb()\n}\n",
            "f <- \\(x, ...) x |> g(y = _)\nif (a %in% b) `c d`[[1]]$e <- r\"(()\" else NULL\nh <- ~ i + {{ j }}\n",
        ],
        broken: &[("f <- function(x) {\n  x\n", 3), ("f((1)\n", 1), ("a <- 1 foo bar\n", 1)],
    },
    #[cfg(feature = "ruby")]
    Case {
        path: "a.rb",
        good: &[
            "# frozen_string_literal: true\ndef a(b:, **) = c(b:) { it + 1 }\ncase d\nin {e: Integer => f} if f > 0 then <<~G\n  h #{f}\nG\nend\n",
            "Point = Data.define(:x) do\n  def y = %w[a b].map(&:to_sym) rescue nil\nend\n__END__\n(((\n",
        ],
        broken: &[("def a\n  if b\n    c\n  end\n", 4), ("a = ((1)\n", 2), ("class A\n  b = 1 foo bar\nend\n", 2)],
    },
    #[cfg(feature = "jvm")]
    Case {
        path: "a.scala",
        good: &[
            "package a\n\nenum B[+T]:\n  case C(d: Int) extends B[Int]\n\nextension [T](x: T) def e(using F: G[T]): H = x match\n  case i if i == 1 => ???\n",
            "object A { implicit val b: Int = 1; def c = for { d <- e; if d > 0 } yield s\"${d}\" }\n",
        ],
        broken: &[
            ("object A {\n  def b = 1\n", 3),
            ("object A {\n  def b = f((1)\n}\n", 2),
            ("object A {\n  val = 1 = 2\n}\n", 2),
        ],
    },
    #[cfg(feature = "solidity")]
    Case {
        path: "a.sol",
        good: &[
            "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.24;\ncontract A is B(1) { error C(uint256 d); mapping(address e => uint f) public g; function h() external view returns (uint) { unchecked { return g[msg.sender]; } } }\n",
        ],
        broken: &[
            ("contract A {\n  function f() public {\n", 2),
            ("contract A {\n  uint b = ((1);\n}\n", 2),
            ("contract A {\n  uint b = 1 foo bar;\n}\n", 2),
        ],
    },
    #[cfg(feature = "xml")]
    Case {
        path: "a.xml",
        good: &[
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE a [<!ENTITY b \"c\">]>\n<a xmlns:d=\"e\"><d:f g='&b;'><![CDATA[<]]></d:f><!-- h --></a>\n",
        ],
        broken: &[("<a>\n  <b>\n</a>\n", 3), ("<a>\n  <b c=d/>\n</a>\n", 2), ("<a/>\nfoo bar\n", 2)],
    },
];

#[test]
fn each_language_takes_good_texts_and_points_at_the_line_where_others_break() {
    let mut wrong = Vec::new();
    for case in CASES {
        for text in case.good {
            match parse(case.path, text) {
                Some(Parsed::Clean) => {}
                parsed => wrong.push(format!("{}: {text:?}: {parsed:?}", case.path)),
            }
        }
        for (text, line) in case.broken {
            let parsed = parse(case.path, text);
            let first = match &parsed {
                Some(Parsed::Broken(errors)) => errors.first(),
                _ => None,
            };
            // Parsers differ by a line on where an unclosed thing is wrong; none may point outside of the text.
            let right = first.is_some_and(|first| {
                first.line.abs_diff(*line) <= 1
                    && first.line <= text.lines().count() + 1
                    && !first.message.is_empty()
                    && !first.message.ends_with('.')
            });
            if !right {
                wrong.push(format!("{}: {text:?}: {parsed:?}", case.path));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_language_of_the_registry_has_cases() {
    let with_parser = LANGUAGES.iter().filter(|language| language.parser.is_some());
    for language in with_parser {
        assert!(
            CASES.iter().any(|case| super::language(case.path).is_some_and(|found| found.name == language.name)),
            "{}",
            language.name
        );
    }
}

#[test]
fn every_file_of_a_language_is_in_the_registry() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/syntax/language");
    for entry in std::fs::read_dir(folder).expect("the sources") {
        let path = entry.expect("an entry").path();
        if path.ends_with("mod.rs") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a source");
        let name = text
            .split("Language {")
            .last()
            .and_then(|value| value.split("name: \"").nth(1))
            .and_then(|rest| rest.split('"').next())
            .expect("the name of a language");
        let file = path.file_stem().and_then(|stem| stem.to_str()).expect("a name");
        assert_eq!(file, name, "a language lies in the file of its name");
        let registry = include_str!("language/mod.rs");
        assert!(registry.contains(&format!("    {name}::LANGUAGE,\n")), "'{name}' is not in the registry");
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
fn a_script_without_an_extension_is_in_the_language_that_its_first_line_names() {
    let of = |path: &str, text: &str| language_of(path, text).map(|found| found.name);
    assert_eq!(of("a.json", "#!/bin/sh\n"), Some("json"));
    for (line, name) in [
        #[cfg(feature = "python")]
        ("#!/usr/bin/python3.12", "python"),
        #[cfg(feature = "python")]
        ("\u{feff}#! /usr/bin/env -S PYTHONPATH=. python -u\r", "python"),
        #[cfg(feature = "javascript")]
        ("#!/usr/bin/env node", "javascript"),
        #[cfg(feature = "shell")]
        ("#!/bin/sh -e", "bash"),
        #[cfg(feature = "ruby")]
        ("#!/usr/bin/env ruby", "ruby"),
    ] {
        assert_eq!(of("bin/deploy", &format!("{line}\n(\n")), Some(name), "{line}");
        assert!(matches!(parse("bin/deploy", &format!("{line}\n(\n")), Some(Parsed::Broken(_))), "{line}");
        assert_eq!(of("deploy.unknown", line), None);
    }
    for line in ["", "#!", "#!/usr/bin/env", "#!/bin/zsh", "python", "#!/usr/bin/env -S", "# !/bin/sh"] {
        assert_eq!(of("bin/deploy", line), None, "{line}");
    }
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
    let own = format!("A:\n{}", "\tB: c: d\n".repeat(10));
    assert!(matches!(parse("a.yaml", &own), Some(Parsed::NotApplicable(_))));
    assert!(matches!(parse("a.yaml", "A:\n\tB: c: d\n"), Some(Parsed::Broken(_))));
    #[cfg(feature = "shell")]
    {
        assert!(matches!(parse("a.sh", "#!/bin/zsh\nfor a (b) c\n"), Some(Parsed::NotApplicable(_))));
        assert!(matches!(parse("a.sh", "#!/bin/sh\n# -*- tcl -*-\nproc a {} {\n"), Some(Parsed::NotApplicable(_))));
    }
    #[cfg(feature = "xml")]
    assert!(matches!(
        parse("a.xml", "<!DOCTYPE a PUBLIC \"b\" \"c\">\n<a>&nbsp;</a>\n"),
        Some(Parsed::NotApplicable(_))
    ));
    #[cfg(feature = "javascript")]
    {
        assert!(matches!(parse("a.js", "// @flow\ntype A = {| b: ?string |};\n"), Some(Parsed::NotApplicable(_))));
        assert!(matches!(parse("a.ts", "<?xml version=\"1.0\"?>\n<TS></TS>\n"), Some(Parsed::NotApplicable(_))));
    }
}

#[test]
fn a_name_that_several_formats_share_is_decided_by_the_text() {
    for (path, text, name) in [
        ("a.ex", "defmodule A do\n  def b, do: c((1)\nend\n", "elixir"),
        ("config.ru", "require 'a'\nrun A\n", "ruby"),
        ("build.sc", "import mill._\nobject a extends B\n", "scala"),
        ("a.rss", "<rss version=\"2.0\">\n", "xml"),
        ("a.props", "\n  <Project>\n", "xml"),
        ("a.r", "a <- function(b) b\n", "r"),
        ("a.R", "REBOL [Title: {a}]\n", "r"),
    ] {
        assert_eq!(language_of(path, text).map(|found| found.name), Some(name), "{path}");
    }
    for (path, text) in [
        ("debian/init.d.ex", "#!/bin/sh\ntest -x \"$A\" || exit 0\nfor a in b; do\n  c\ndone\n"),
        ("debian/manpage.1.EX", ".TH A SECTION\n"),
        ("link.sc", "SECTIONS\n{\n  .text : { *(.text) }\n}\n"),
        ("Button.sc", "Button : View {\n  *new { |a| ^super.new(a) }\n}\n"),
        ("NEWS.ru", "\u{41d}\u{43e}\u{432}\u{43e}\u{435} (\u{430}:\n"),
        ("app.rss", "NAME APPN\n#include <eikon.rh>\nRESOURCE A { }\n"),
        ("log4j.props", "a.b=c\n"),
        ("a.plist", "{ a = b; }\n"),
        ("a.r", "REBOL [Title: {a}]\n"),
    ] {
        assert_eq!(language_of(path, text).map(|found| found.name), None, "{path}");
        assert_eq!(parse(path, text), None, "{path}");
    }
}

#[cfg(feature = "javascript")]
#[test]
fn a_script_that_some_program_wraps_in_a_function_may_return() {
    assert_eq!(parse("a.js", "const a = await b();\nreturn a;\n"), Some(Parsed::Clean));
    assert!(matches!(parse("a.mjs", "const a = await b();\nreturn a;\n"), Some(Parsed::Broken(_))));
    assert!(matches!(parse("a.js", "const a = await b(;\nreturn a;\n"), Some(Parsed::Broken(_))));
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

/// Any answer will do: what matters is that there is one.
fn survive(path: &str, text: &str) {
    let start: String = text.chars().take(60).collect();
    assert!(parse(path, text).is_some(), "{path}: {start}");
}

fn survive_depth(n: usize, which: impl Fn(&Language) -> bool) {
    for path in CASES.iter().map(|case| case.path).filter(|path| language(path).is_some_and(&which)) {
        for text in hostile(path, n) {
            survive(path, &text);
        }
    }
}

#[test]
fn hostile_depth_gets_an_answer_also_on_a_thread_with_a_small_stack() {
    let small = std::thread::Builder::new().stack_size(128 << 10).spawn(|| {
        // Grammars are slow in a build like this, and their parser is one and the same.
        let own = |language: &Language| {
            language.parser.is_some_and(|parser| parser.stack_per_token > 0)
                || ["c", "cpp", "json", "toml", "xml", "yaml"].contains(&language.name)
        };
        survive_depth(200, move |language| !own(language));
        // Deep enough to kill a parser on an ordinary stack, shallow enough to be let through to it.
        survive_depth(1_000, own);
        // As deep as anybody might try.
        survive_depth(20_000, own);
    });
    small.expect("a thread").join().expect("nobody died");
}

#[test]
fn noise_gets_an_answer() {
    // Bytes of no meaning, the same in every run.
    let mut seed = 1_u32;
    let mut noise = |alphabet: &str, n: usize| -> String {
        let letters: Vec<char> = alphabet.chars().collect();
        let mut letter = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            letters[(seed >> 16) as usize % letters.len()]
        };
        (0..n).map(|_| letter()).collect()
    };
    let words = "abc \n\t({[<>]})\"'`#$%&|;:,.=+-*/\\@!?~^_09\0\u{e9}\u{1f600}\u{2028}\r";
    let texts = [
        "\0".repeat(1_000),
        "\"".to_owned(),
        "'".to_owned(),
        "`".to_owned(),
        "a".repeat(200_000),
        "\u{1f600}".repeat(2_000),
        "\"".to_owned() + &"a".repeat(100_000),
        "<<A ".repeat(300),
        "\"${".repeat(300),
        "$\"{".repeat(300),
        "\"#{".repeat(300),
        noise(words, 3_000),
        noise("(){}[]<>\"'", 3_000),
        noise("\n \t:-", 3_000),
    ];
    for path in CASES.iter().map(|case| case.path) {
        for text in &texts {
            survive(path, text);
        }
    }
}
