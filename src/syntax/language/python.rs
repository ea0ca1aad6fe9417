//! Python.

use crate::syntax::stubs::Stubs;
use crate::syntax::{Bodies, Language, Lexis, imports, tested};

parser!("python", python);

pub const LANGUAGE: Language = Language {
    name: "python",
    extensions: &["py", "pyi", "pyw"],
    file_names: &["SConstruct", "SConscript", "wscript"],
    programs: &["python", "pypy"],
    parser: PARSER,
    lexis: Some(Lexis { triple: true, ..Lexis::HASH }),
    bodies: Some(Bodies::Indentation),
    tests: Some(tested::python::FAMILY),
    imports: Some(imports::python::IMPORTS),
    stubs: Stubs::Python,
    ..Language::NONE
};
