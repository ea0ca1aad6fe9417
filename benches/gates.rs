//! How long gates and plans take at worst: for each of them the text of 1 MB that is written to be slow.
//!
//! ```text
//! cargo bench --bench gates --no-default-features [-- <filter>]
//! ```
//! None may take over a second, in the column `slowest`, on two cores of 2023. `parse` is the same for the parsers, which
//! have a limit of time for each megabyte.

#[path = "../tests/common/worst.rs"]
mod worst;

use divan::Bencher;
use git_implement::syntax;
use std::fmt;
use worst::{WORST, Worst};

fn main() {
    divan::main();
}

const MEGABYTE: usize = 1 << 20;

struct Named(&'static Worst);

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

#[divan::bench(args = WORST.iter().map(Named), sample_count = 3, sample_size = 1)]
fn worst(bencher: Bencher, worst: &Named) {
    let made = worst.0.make(MEGABYTE);
    bencher.bench(|| made.judge());
}

/// What nests, repeats or does not end, in any language.
const PIECES: &[&str] =
    &["(", "[", "{", "a=(", "a<", "\"", "'", "`${", "/*", "x = ", "- ", "a: ", "\n", "<a>", "if a { "];

const FILES: &[&str] = &[
    "a.py",
    "a.js",
    "a.ts",
    "a.tsx",
    "a.rs",
    "a.go",
    "a.java",
    "a.c",
    "a.cpp",
    "a.rb",
    "a.php",
    "a.sh",
    "a.css",
    "a.scss",
    "a.json",
    "a.yaml",
    "a.toml",
    "a.xml",
    "a.lua",
    "a.dart",
    "a.scala",
    "a.ex",
    "a.erl",
    "a.nix",
    "a.tf",
    "a.proto",
    "a.graphql",
    "a.sol",
    "a.r",
    "a.cmake",
];

#[divan::bench(args = FILES, sample_count = 1, sample_size = 1)]
fn parse(bencher: Bencher, file: &str) {
    let texts: Vec<String> = PIECES.iter().map(|piece| piece.repeat(MEGABYTE / piece.len())).collect();
    bencher.bench(|| texts.iter().for_each(|text| drop(divan::black_box(syntax::parse(file, text)))));
}
