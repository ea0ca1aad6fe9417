//! The program: everything is in the library, and only this file exits.
#![deny(clippy::disallowed_macros, clippy::disallowed_methods)]

use mimalloc::MiMalloc;
use std::alloc::{GlobalAlloc, Layout};

/// Syntax trees are many small pieces: parsing takes a fifth less time than with the system's allocator.
///
/// A parser that is lost in a text can neither be asked to stop nor be ended from outside, and would take memory and a
/// core as long as the program runs. But it allocates, and so it can be put to sleep here.
struct Allocator;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

/// Never returns on a thread whose work is of no use any more.
#[inline]
fn sleep_if_left_behind() {
    while git_implement::syntax::is_left_behind() {
        std::thread::park();
    }
}

// SAFETY: all that it does beside calling mimalloc is to park a thread of the parsers, which has had its handle since it
// began: that neither allocates nor unwinds.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        sleep_if_left_behind();
        unsafe { MiMalloc.alloc(layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        sleep_if_left_behind();
        unsafe { MiMalloc.alloc_zeroed(layout) }
    }
    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        sleep_if_left_behind();
        unsafe { MiMalloc.realloc(place, layout, size) }
    }
    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        unsafe { MiMalloc.dealloc(place, layout) }
    }
}

fn main() -> std::process::ExitCode {
    let arguments: Vec<_> = std::env::args_os().collect();
    // Between us and a command that we confine there is this program, and it is to do nothing else.
    git_implement::cli::confined(&arguments).unwrap_or_else(|| git_implement::cli::run(arguments).number()).into()
}
