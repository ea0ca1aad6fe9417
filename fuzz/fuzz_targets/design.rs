//! Any text as a design, under the name of a plan and of a task list.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| git_implement_fuzz::design(data));
