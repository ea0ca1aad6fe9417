//! What is there must be text that a model can read, and what is wanted must be text that a model can write.

use super::{about, verb};
use crate::finding::Finding;
use crate::plan::decide::{Case, Ground};
use crate::plan::{Strategy, strategy};

/// Where git looks for a NUL to call a file binary.
const LOOKED_AT: usize = 8000;

/// Extensions of files that are never text.
const BINARY: &[&str] = &[
    "7z", "a", "avi", "bmp", "bz2", "class", "dll", "docx", "dylib", "eot", "exe", "gif", "gz", "heic", "icns", "ico",
    "jar", "jpeg", "jpg", "mov", "mp3", "mp4", "npy", "npz", "o", "ogg", "otf", "parquet", "pdf", "pickle", "pkl",
    "png", "pptx", "psd", "pyc", "so", "sqlite", "sqlite3", "tar", "tgz", "tif", "tiff", "ttf", "war", "wasm", "wav",
    "webm", "webp", "whl", "woff", "woff2", "xlsx", "xz", "zip", "zst",
];

pub(super) fn judge(case: &Case, ground: &Ground, findings: &mut Vec<Finding>) {
    if strategy::strategy(case, ground.options) == Strategy::None {
        return;
    }
    let path = case.path();
    let mut refuse = |id, why: &str, hint: &str| {
        let message = format!("cannot {} '{path}': {why}", verb(case));
        findings.push(about(case, Finding::error(id, message).hint(hint)));
    };
    let Some(base) = case.base else {
        let binary = case.spec.path.extension().is_some_and(|e| BINARY.iter().any(|b| b.eq_ignore_ascii_case(e)));
        if binary && !ground.permits(case, "binary") {
            refuse(
                "binary",
                "files of this kind are binary, and a model writes text",
                "take the row out of the design",
            );
        } else if case.change != crate::lld::Change::Add {
            refuse("base", "its content in the base cannot be read", "fetch it first if the clone is partial");
        }
        return;
    };
    if base.bytes.iter().take(LOOKED_AT).any(|&byte| byte == 0) {
        refuse("binary", "it is binary in the base", "take the row out of the design");
    } else if let Err(error) = std::str::from_utf8(&base.bytes) {
        let line = 1 + base.bytes.iter().take(error.valid_up_to()).filter(|&&byte| byte == b'\n').count();
        let why = format!("it is not UTF-8 in the base (line {line})");
        refuse("encoding", &why, "convert it to UTF-8 in a commit of its own");
    }
}
