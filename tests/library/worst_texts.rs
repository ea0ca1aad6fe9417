//! The work of gates and plans grows with a text no faster than the text, whatever the text is.
//!
//! Counted is the time that this thread had a processor, so that a busy machine changes little; eight times the text may
//! take three times as much as that makes. Quadratic work would take sixty-four times.

use crate::worst::WORST;
use nix::time::{ClockId, clock_gettime};

const SMALL: usize = 8 << 10;
const TIMES: usize = 8;
const SLACK: f64 = 3.0;
/// Seconds below which the clock and the caches decide.
const LEAST: f64 = 0.001;

fn processor_time() -> f64 {
    let time = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).unwrap();
    time.tv_sec() as f64 + time.tv_nsec() as f64 / 1e9
}

fn took(work: impl Fn()) -> f64 {
    let before = processor_time();
    work();
    processor_time() - before
}

/// What commands print, in one word or one line: dots, digits, hexadecimal, addresses, folders, colours.
#[test]
fn what_a_command_prints_is_read_in_linear_time() {
    use git_implement::fault::of_output;
    let mut slow = Vec::new();
    for piece in [".", "1", "1.", "a1", "0x", "./", "/tmp/", "src/a.py", "\u{1b}[", "\r", "abcdef", "x\n"] {
        let read = |length: usize| {
            let text = piece.repeat(length / piece.len());
            took(|| drop(of_output("t", &text, "/w", &["src/a.py"], Some(&text))))
        };
        let (mut less, mut more) = (f64::MAX, f64::MAX);
        let is_slow = (0..4).all(|_| {
            less = less.min(read(SMALL * 4)).max(LEAST);
            more = more.min(read(SMALL * 4 * TIMES));
            more > less * TIMES as f64 * SLACK
        });
        slow.extend(is_slow.then(|| format!("{piece:?}: {less:.4} s, and {more:.4} s for {TIMES} times as much")));
    }
    assert!(slow.is_empty(), "{}", slow.join("\n"));
}

#[test]
fn the_worst_texts_for_each_gate_and_each_design_take_linear_time() {
    let mut slow = Vec::new();
    for worst in WORST {
        let (small, large) = (worst.make(SMALL), worst.make(SMALL * TIMES));
        let (mut less, mut more) = (f64::MAX, f64::MAX);
        // Only what is slow every time is.
        let is_slow = (0..4).all(|_| {
            less = less.min(took(|| small.judge())).max(LEAST);
            more = more.min(took(|| large.judge()));
            more > less * TIMES as f64 * SLACK
        });
        if is_slow {
            slow.push(format!(
                "{}: {:.0} ms, and {:.0} ms for {TIMES} times as much",
                worst.name,
                less * 1e3,
                more * 1e3
            ));
        }
    }
    assert!(slow.is_empty(), "{}", slow.join("\n"));
}
