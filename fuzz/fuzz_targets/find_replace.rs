//! Any reply as FIND/REPLACE.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| git_implement_fuzz::reply(
    Some(git_implement::edit::Format::FindReplace),
    data
));
