//! Any reply as a reply of any format.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| git_implement_fuzz::reply(None, data));
