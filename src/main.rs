use clap::Parser;

#[derive(Parser)]
enum Verb {
    Apply(git_implement::cli::apply::Args),
}

fn main() -> std::process::ExitCode {
    let verb = match Verb::try_parse() {
        Ok(verb) => verb,
        Err(error) => {
            let _ = error.print();
            return std::process::ExitCode::from(if error.use_stderr() { 129 } else { 0 });
        }
    };
    let Verb::Apply(args) = verb;
    match git_implement::cli::apply::run(&args) {
        Ok(status) => std::process::ExitCode::from(status),
        Err(error) => {
            eprintln!("fatal: {error:#}");
            std::process::ExitCode::from(128)
        }
    }
}
