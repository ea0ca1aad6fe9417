//! How quick the edit engine is, in process: parse, match and splice.
//!
//! ```text
//! cargo bench --bench edit --no-default-features [-- <filter>]
//! ```
//! Hold the column `median` against the target that ends the name of a case, on two cores of 2023:
//!
//! | case | at most |
//! |---|---|
//! | one exact edit, 1k, 10k, 100k lines | 0.02, 0.05, 0.5 ms |
//! | a dedented block, 100k lines | 2 ms |
//! | a slip or absent text, 100k lines | 5 ms |
//! | 200 edits, 50k lines | 5 ms |
//! | every input of 1 MB (`worst`) | 100 ms |

mod source;
mod worst;

use divan::Bencher;
use git_implement::edit::{self, Format, Tier};
use source::{Function, source};
use std::fmt;

fn main() {
    divan::main();
}

/// A reply and the file that it is for.
struct Case {
    format: Option<Format>,
    base: String,
    reply: String,
}

impl Case {
    fn run(&self) -> Result<edit::Applied, edit::Refusal> {
        edit::apply(self.format, "src/a.py", Some(&self.base), &self.reply)
    }
}

/// A case by its name, made when its turn comes.
struct Make<T> {
    name: &'static str,
    make: T,
}

impl<T> fmt::Display for Make<T> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// One change in FIND/REPLACE; both sides end in a line end, or are empty.
fn change(old: &str, new: &str) -> String {
    format!("### CHANGE 1\nFIND:\n```\n{old}```\nREPLACE WITH:\n```\n{new}```\n\n")
}

fn search(old: &str, new: &str) -> String {
    format!("<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n")
}

/// Hunks as a V4A patch.
fn v4a(hunks: &str) -> String {
    format!("*** Begin Patch\n*** Update File: src/a.py\n{hunks}*** End Patch\n")
}

/// What must come of a case, so that no case measures something else than its name says.
#[derive(Clone, Copy)]
enum Comes {
    Applied(Tier, usize),
    Whole,
    Refused(&'static str),
}
use Comes::{Applied, Refused};

type Maker = fn() -> (Case, Comes);

const fn case(name: &'static str, make: Maker) -> Make<Maker> {
    Make { name, make }
}

/// A case of one edit, as FIND/REPLACE, of one function in the middle of a file of `lines` lines.
fn one(lines: usize, comes: Comes, sides: impl Fn(&Function) -> (String, String)) -> (Case, Comes) {
    let functions = source(lines);
    let (old, new) = sides(&functions[functions.len() / 2]);
    let case = Case { format: Some(Format::FindReplace), base: source::text(&functions), reply: change(&old, &new) };
    (case, comes)
}

/// A case of `count` edits spread over a file of `lines` lines.
fn many(lines: usize, count: usize, format: Format) -> (Case, Comes) {
    let functions = source(lines);
    let chosen = functions.iter().step_by(functions.len() / count).take(count);
    let sides = chosen.map(|function| (function.text(), function.changed()));
    let body: String = match format {
        Format::FindReplace => sides.map(|(old, new)| change(&old, &new)).collect(),
        Format::SearchReplace => sides.map(|(old, new)| search(&old, &new)).collect(),
        _ => sides.map(|(old, new)| format!("@@\n{}", source::diff(&old, &new))).collect(),
    };
    let reply = match format {
        Format::Unified => format!("--- a/src/a.py\n+++ b/src/a.py\n{body}"),
        Format::V4a => v4a(&body),
        _ => body,
    };
    (Case { format: Some(format), base: source::text(&functions), reply }, Applied(Tier::Exact, count))
}

fn exact(lines: usize) -> (Case, Comes) {
    one(lines, Applied(Tier::Exact, 1), |function| (function.text(), function.changed()))
}
fn trailing(lines: usize) -> (Case, Comes) {
    let spaced = |text: String| text.replace('\n', "  \n");
    one(lines, Applied(Tier::TrailingSpace, 1), |function| (spaced(function.text()), spaced(function.changed())))
}
fn dedented(lines: usize) -> (Case, Comes) {
    one(lines, Applied(Tier::Space, 1), |function| {
        (source::dedented(&function.body()), source::dedented(&function.changed_body()))
    })
}
fn elided(lines: usize) -> (Case, Comes) {
    one(lines, Applied(Tier::Elided, 1), |function| (function.elided(), function.elided_and_changed()))
}
fn slip(lines: usize) -> (Case, Comes) {
    let slip = |text: String| text.replacen("values", "valuse", 1);
    one(lines, Applied(Tier::Aligned, 1), |function| (slip(function.text()), slip(function.changed())))
}
fn absent(lines: usize) -> (Case, Comes) {
    one(lines, Refused("edit-not-found"), |function| {
        (function.text().replace("return", "yield"), function.changed().replace("return", "yield"))
    })
}
fn ambiguous(lines: usize) -> (Case, Comes) {
    one(lines, Refused("edit-ambiguous"), |_| ("    return total\n".into(), "    return total + 1\n".into()))
}
fn whole(lines: usize) -> (Case, Comes) {
    let functions = source(lines);
    let new: String = functions.iter().map(Function::changed).collect();
    let base = source::text(&functions);
    (Case { format: Some(Format::Whole), base, reply: format!("```python\n{new}```\n") }, Comes::Whole)
}
/// Each edit builds on the one before it.
fn chain(lines: usize, count: usize) -> (Case, Comes) {
    let functions = source(lines);
    let first = functions[functions.len() / 2].text();
    let state =
        |n: usize| if n == 0 { first.clone() } else { first.replacen("total = 0", &format!("total = {n}{n}"), 1) };
    let reply = (0..count).map(|n| change(&state(n), &state(n + 1))).collect();
    (Case { format: Some(Format::FindReplace), base: source::text(&functions), reply }, Applied(Tier::Exact, count))
}
fn auto(lines: usize) -> (Case, Comes) {
    let (case, comes) = exact(lines);
    (Case { format: None, ..case }, comes)
}

#[divan::bench(args = [
    case("exact, 1k lines (0.02 ms)", || exact(1_000)),
    case("exact, 10k lines (0.05 ms)", || exact(10_000)),
    case("exact, 100k lines (0.5 ms)", || exact(100_000)),
    case("exact, format not named, 10k lines", || auto(10_000)),
    case("search-replace, 10k lines (0.05 ms)", || many(10_000, 1, Format::SearchReplace)),
    case("unified, 10k lines (0.05 ms)", || many(10_000, 1, Format::Unified)),
    case("v4a, 10k lines (0.05 ms)", || many(10_000, 1, Format::V4a)),
    case("whole, 10k lines", || whole(10_000)),
    case("whole, 100k lines", || whole(100_000)),
])]
fn exact_edit(bencher: Bencher, make: &Make<Maker>) {
    measure(bencher, make);
}

#[divan::bench(args = [
    case("trailing space, 10k lines", || trailing(10_000)),
    case("trailing space, 100k lines", || trailing(100_000)),
    case("dedented, 10k lines", || dedented(10_000)),
    case("dedented, 100k lines (2 ms)", || dedented(100_000)),
    case("elided, 10k lines", || elided(10_000)),
    case("elided, 100k lines", || elided(100_000)),
    case("slip, 10k lines", || slip(10_000)),
    case("slip, 100k lines (5 ms)", || slip(100_000)),
    case("absent, 10k lines", || absent(10_000)),
    case("absent, 100k lines (5 ms)", || absent(100_000)),
    case("ambiguous, 10k lines", || ambiguous(10_000)),
    case("ambiguous, 100k lines", || ambiguous(100_000)),
])]
fn tier(bencher: Bencher, make: &Make<Maker>) {
    measure(bencher, make);
}

#[divan::bench(args = [
    case("1, 50k lines", || many(50_000, 1, Format::FindReplace)),
    case("10, 50k lines", || many(50_000, 10, Format::FindReplace)),
    case("50, 50k lines", || many(50_000, 50, Format::FindReplace)),
    case("200, 50k lines (5 ms)", || many(50_000, 200, Format::FindReplace)),
    case("200, search-replace, 50k lines (5 ms)", || many(50_000, 200, Format::SearchReplace)),
    case("200, unified, 50k lines (5 ms)", || many(50_000, 200, Format::Unified)),
    case("200, v4a, 50k lines (5 ms)", || many(50_000, 200, Format::V4a)),
    case("chain of 200, 50k lines", || chain(50_000, 200)),
])]
fn edits(bencher: Bencher, make: &Make<Maker>) {
    measure(bencher, make);
}

fn measure(bencher: Bencher, make: &Make<Maker>) {
    let (case, comes) = (make.make)();
    match (comes, case.run()) {
        (Applied(tier, edits), Ok(applied)) => {
            assert!(applied.text != case.base, "{make} changes nothing");
            assert_eq!((applied.edits[0].tier, applied.edits.len()), (tier, edits), "{make}");
        }
        (Comes::Whole, Ok(applied)) => assert!(applied.text != case.base, "{make} changes nothing"),
        (Refused(id), Err(refusal)) => assert_eq!(refusal.id, id, "{make}: {}", refusal.message),
        (_, came) => panic!("{make}: {came:?}"),
    }
    bencher.bench_local(|| case.run());
}

/// None of these may take over 100 ms.
#[divan::bench(args = worst::CASES, max_time = 1)]
fn worst(bencher: Bencher, make: &Make<fn() -> Case>) {
    let case = (make.make)();
    let bytes = case.base.len() + case.reply.len();
    assert!(bytes <= worst::MOST_BYTES, "{make} is {bytes} bytes");
    bencher.bench_local(|| case.run());
}

/// Larger than any of those.
#[divan::bench(args = worst::LARGE, max_time = 1)]
fn large(bencher: Bencher, make: &Make<fn() -> Case>) {
    let case = (make.make)();
    bencher.bench_local(|| case.run());
}
