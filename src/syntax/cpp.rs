//! C++: its brackets, quotes and comments.

use super::{Language, Trust, brackets};

pub const LANGUAGE: Language = Language {
    name: "cpp",
    extensions: &["cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "ipp", "tpp", "inl", "mm", "cu", "cuh", "ino"],
    file_names: &[],
    programs: &[],
    trust: Trust::Error,
    parse: |_path, text| brackets::judge(text),
    stack_per_token: 0,
    links: None,
};
