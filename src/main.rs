//! The program: everything is in the library, and only this file exits.

fn main() -> std::process::ExitCode {
    git_implement::cli::run(std::env::args_os()).into()
}
