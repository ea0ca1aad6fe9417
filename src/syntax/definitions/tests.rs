use super::DefinitionKind;
use crate::syntax;

/// Names with what their bodies hold, without what is white, and `#` before types.
fn found(path: &str, text: &str) -> Vec<String> {
    let language = syntax::language(path).expect("a language");
    let code = syntax::mask(path, text).expect("a mask");
    let bodies = language.bodies.expect("bodies");
    syntax::definitions(bodies, text, &code)
        .into_iter()
        .map(|it| {
            let kind = if it.kind == DefinitionKind::Type { "#" } else { "" };
            let body: String = text[it.body].chars().filter(|c| !c.is_whitespace()).collect();
            format!("{kind}{}:{body}", it.name)
        })
        .collect()
}

#[test]
fn what_has_type_parameters_is_known_by_its_own_name() {
    let rust = "fn a<P: AsRef<Path>, Q: Fn(P) -> bool>(b: P) { c }\nfn d<'a>(e: &'a str) { f }\n";
    assert_eq!(found("a.rs", rust), ["a:c", "d:f"]);
    assert_eq!(found("a.kt", "fun <T> A<T>.b(c: T) { d }\nfun <T> e(f: List<T>) { g }\n"), ["b:d", "e:g"]);
    assert_eq!(found("a.ts", "function a<T extends B<C>>(d: T) { e }\n"), ["a:e"]);
}

#[test]
fn functions_and_types_are_found_in_braces() {
    for (path, text, expected) in [
        (
            "a.rs",
            "pub fn a<T>(b: T) -> Option<T> {\n    c(|| { d })\n}\nimpl A for B {\n    fn e(&self) {}\n}\npub(crate) struct F {\n    g: u8,\n}\n",
            &["a:c(||{d})", "#A:fne(&self){}", "e:", "#F:g:u8,"][..],
        ),
        (
            "a.go",
            "var x = 1\n\nfunc (s *S) A(b int) error {\n\tif b > 1 {\n\t\treturn nil\n\t}\n}\n\nfunc B() {\n}\n",
            &["A:ifb>1{returnnil}", "B:"],
        ),
        (
            "a.java",
            "class A<T> extends B {\n    @C(d = 1)\n    public int e(int f) throws G {\n        for (;;) { h(); }\n    }\n    A() { super(); }\n}\n",
            &["#A:@C(d=1)publicinte(intf)throwsG{for(;;){h();}}A(){super();}", "e:for(;;){h();}", "A:super();"],
        ),
        (
            "a.ts",
            "export const a = async (b: C): Promise<D> => {\n  return b;\n};\nexport default class E {\n  f(g) {\n    describe('x', () => { h() })\n  }\n}\nfunction i() { }\n",
            &["a:returnb;", "#E:f(g){describe('x',()=>{h()})}", "f:describe('x',()=>{h()})", "i:"],
        ),
        (
            "a.cpp",
            "int A::b(int c) const {\n  while (c) { d(); }\n}\nA::A() : x(1), y(2) {\n  e();\n}\nstruct F { int g; };\n",
            &["b:while(c){d();}", "A:e();", "#F:intg;"],
        ),
        ("a.sh", "a() {\n  b\n}\nfunction c {\n  d\n}\nif e; then\n  f\nfi\n", &["a:b", "c:d"]),
        ("a.kt", "fun <T> A<T>.b(c: D) {\n    e { f }\n}\nobject G {\n    val h = 1\n}\n", &["b:e{f}", "#G:valh=1"]),
        (
            "a.cs",
            "public class A {\n    public int B { get; set; }\n    int C(int d) { return d; }\n}\n",
            &["#A:publicintB{get;set;}intC(intd){returnd;}", "C:returnd;"],
        ),
        (
            "a.php",
            "<?php\nclass A {\n    public function b(): int {\n        return 1;\n    }\n}\n",
            &["#A:publicfunctionb():int{return1;}", "b:return1;"],
        ),
        (
            "a.swift",
            "struct A {\n    func b(_ c: Int) -> Int {\n        return c\n    }\n}\n",
            &["#A:funcb(_c:Int)->Int{returnc}", "b:returnc"],
        ),
    ] {
        assert_eq!(found(path, text), expected, "{text}");
    }
}

#[test]
fn bodies_end_with_their_indentation_or_with_end() {
    for (path, text, expected) in [
        (
            "a.py",
            "@b\nasync def a(\n    c=1,\n):\n    \"\"\"d\ne\n    \"\"\"\n    return f\n\n\nclass G(H):\n    x: int = 1\n\n    def i(self): return 1\n# j\nk = 2\n",
            &["a:\"\"\"de\"\"\"returnf", "#G:x:int=1defi(self):return1", "i:return1"][..],
        ),
        (
            "a.rb",
            "class A\n  def b(c)\n    if c\n      d\n    end\n  end\n\n  def self.e = 1\nend\n",
            &["#A:defb(c)ifcdendenddefself.e=1", "b:ifcdend", "e:defself.e=1"],
        ),
        (
            "a.ex",
            "defmodule A do\n  def b(c) do\n    d\n  end\n\n  defp e(f), do: f\nend\n",
            &["#A:defb(c)dodenddefpe(f),do:f", "b:d", "e:defpe(f),do:f"],
        ),
        ("a.lua", "local function a(b)\n  return b\nend\nfunction M.c()\nend\n", &["a:returnb", "c:"]),
    ] {
        assert_eq!(found(path, text), expected, "{text}");
    }
}

#[test]
fn calls_values_and_statements_are_no_definitions() {
    for (path, text) in [
        ("a.js", "foo({ a: 1 }, b);\nif (c) { d() }\nconst e = { f: 1 };\nfor (const g of h) { }\nnew I({ j: 1 });\n"),
        ("a.go", "var a = []B{\n\t{1, 2},\n}\n"),
        ("a.java", "int[] a = {1, 2};\n"),
        ("a.rs", "const A: B = B { c: 1 };\n"),
        ("a.py", "x = \"\"\"\ndef a():\n    pass\n\"\"\"\n"),
        ("a.ts", "import module from 'a'\nif (b) {\n  c()\n}\n"),
    ] {
        assert_eq!(found(path, text), [""; 0], "{text}");
    }
}

#[test]
fn any_text_gets_an_answer_of_which_every_part_lies_in_the_text() {
    let parts = [
        "{", "}", "(", ")", ";", "\n", "fn a", "def b", "class C", "end", "=>", ":", "  ", "é", "\"", "'", "#", "//",
        "=",
    ];
    let mut state = 7usize;
    for path in ["a.rs", "a.py", "a.rb", "a.ts", "a.sh", "a.cpp", "a.lua"] {
        let language = syntax::language(path).expect("a language");
        for _ in 0..300 {
            let mut text = String::new();
            for _ in 0..16 {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                text.push_str(parts[(state >> 33) % parts.len()]);
            }
            let code = syntax::mask(path, &text).expect("a mask");
            for it in syntax::definitions(language.bodies.expect("bodies"), &text, &code) {
                assert!(
                    text.get(it.range.clone()).is_some() && text.get(it.body.clone()).is_some(),
                    "{text:?}: {it:?}"
                );
                assert!(it.range.start <= it.body.start && it.body.end <= it.range.end, "{text:?}: {it:?}");
            }
        }
    }
}
