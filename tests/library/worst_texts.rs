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
