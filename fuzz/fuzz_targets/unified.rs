//! Any reply as a unified diff.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| git_implement_fuzz::reply(Some(git_implement::edit::Format::Unified), data));
