//! The validator's report, in the forms that people and programs read: one file and one line each.

pub mod github;
mod json;
mod sarif;
mod text;

use super::plain::neutralise_patch_line;
use super::printer;
use crate::check::Mask;
use crate::validate::Report;
use std::io::{self, Write};

/// A form of the report.
pub struct Form {
    /// Its option, less the dashes.
    pub name: &'static str,
    pub write: fn(&mut dyn Write, &Report, colour: bool) -> io::Result<()>,
}

/// What people read.
pub const TEXT: Form = text::FORM;

/// What programs read.
pub const FORMS: &[Form] = &[json::FORM, sarif::FORM, github::FORM];

/// What is about to be written, on stderr, so that the report stays what programs read.
pub fn patch(text: &str) {
    let shown = Mask::of([text]).apply(text).into_owned();
    shown.split_terminator('\n').for_each(|line| printer::say(neutralise_patch_line(line)));
}

/// How much was found, on stderr; nothing if nothing was.
pub fn summary(report: &Report) {
    if let Some(summary) = text::summary(report) {
        printer::say(summary);
    }
}
