//! Edit scripts with a known outcome, written as models write them, faults and all.
#![no_main]

use git_implement_fuzz::script::Script;

libfuzzer_sys::fuzz_target!(|script: Script| script.check());
