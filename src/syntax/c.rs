//! C, and headers of any language of its family: brackets, quotes and comments.

use super::{Language, Trust, brackets};

pub const LANGUAGE: Language = Language {
    name: "c",
    extensions: &["c", "h"],
    file_names: &[],
    programs: &[],
    trust: Trust::Error,
    parse: |_path, text| brackets::judge(text),
    stack_per_token: 0,
    links: None,
};
