//! Bash and POSIX shell.

use crate::syntax::{Bodies, Language, Lexis};

parser!("shell", bash);

pub const LANGUAGE: Language = Language {
    name: "bash",
    extensions: &["sh", "bash"],
    file_names: &[".bashrc", ".bash_profile", ".bash_aliases", ".bash_logout", ".profile"],
    programs: &["sh", "bash", "dash", "ash"],
    parser: PARSER,
    lexis: Some(Lexis { spaced: true, long: true, heredoc: true, ..Lexis::HASH }),
    bodies: Some(Bodies::Braces { keyword: false }),
    ..Language::NONE
};
