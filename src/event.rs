//! Everything that a run has to say, as data. Terminal, JSON lines and run record are all consumers of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set when the person wants the run to stop. Everything that waits looks at it at least every 100 ms.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What a provider tells while it works on one request.
#[derive(Debug, Clone, PartialEq)]
pub enum Progress<'a> {
    /// The next piece of the reply.
    Text(&'a str),
    /// The try failed in passing and is made again after `seconds`.
    Retry { try_number: u32, seconds: f64, reason: &'a str },
}
