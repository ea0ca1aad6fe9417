//! The demo's files are part of the program; without this, cargo would not see that one of them has changed.

fn main() {
    println!("cargo::rerun-if-changed=fixtures/demo");
}
