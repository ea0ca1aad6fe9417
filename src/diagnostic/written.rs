//! Which operations have written something that a language server may be asked about.

/// What became of one path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operation<'a> {
    /// Where the file is now: of a rename, the new path.
    pub path: &'a str,
    /// Of a rename: where it was.
    pub from: Option<&'a str>,
    /// What was there, of a rename at the old path; `None`: no file.
    pub was: Option<&'a [u8]>,
    /// What is there now; `None`: no file any more, or the operation was refused.
    pub becomes: Option<&'a [u8]>,
}

/// A text that was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Written<'a> {
    pub path: &'a str,
    pub text: &'a str,
    /// What it was made from; `None`: it is new, or was no text.
    pub base: Option<Base<'a>>,
}

/// A text as it was, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Base<'a> {
    pub path: &'a str,
    pub text: &'a str,
}

/// The operations that wrote text, in their order: what was added or modified, and what was renamed with edits, at its new
/// path. Not what was deleted, refused or left as it is, not a rename alone, and nothing binary.
pub fn written<'a>(operations: impl IntoIterator<Item = Operation<'a>>) -> Vec<Written<'a>> {
    let changed = operations.into_iter().filter(|operation| operation.was != operation.becomes);
    let text = |bytes: &'a [u8]| std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'));
    let wrote = |operation: Operation<'a>| {
        let Operation { path, from, was, becomes } = operation;
        let base = was.and_then(text).map(|text| Base { path: from.unwrap_or(path), text });
        Some(Written { path, text: text(becomes?)?, base })
    };
    changed.filter_map(wrote).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(operations: &[Operation]) -> Vec<String> {
        written(operations.iter().copied()).into_iter().map(|written| written.path.to_owned()).collect()
    }

    const NOTHING: [&str; 0] = [];

    #[test]
    fn what_is_added_or_modified_is_written_and_what_is_deleted_or_as_it_was_is_not() {
        let add = Operation { path: "add", from: None, was: None, becomes: Some(b"a") };
        let modify = Operation { path: "modify", from: None, was: Some(b"a"), becomes: Some(b"b") };
        let delete = Operation { path: "delete", from: None, was: Some(b"a"), becomes: None };
        let same = Operation { path: "same", from: None, was: Some(b"a"), becomes: Some(b"a") };
        let refused = Operation { path: "refused", from: None, was: None, becomes: None };
        assert_eq!(paths(&[modify, delete, add, same, refused]), ["modify", "add"]);
        let both = written([modify, add]);
        assert_eq!((both[0].text, both[0].base), ("b", Some(Base { path: "modify", text: "a" })));
        assert_eq!(both[1].base, None);
    }

    #[test]
    fn a_rename_counts_at_its_new_path_and_only_with_edits() {
        let pure = Operation { path: "new", from: Some("old"), was: Some(b"a"), becomes: Some(b"a") };
        assert_eq!(paths(&[pure]), NOTHING);
        let edited = written([Operation { becomes: Some(b"b"), ..pure }]);
        assert_eq!(edited, [Written { path: "new", text: "b", base: Some(Base { path: "old", text: "a" }) }]);
    }

    #[test]
    fn binary_content_is_not_written_text() {
        let binary = Operation { path: "x.py", from: None, was: None, becomes: Some(b"\xff\xfe") };
        assert_eq!(paths(&[binary, Operation { becomes: Some(b"a\0b"), ..binary }]), NOTHING);
        let from_binary = Operation { was: Some(b"\xff"), becomes: Some(b"text"), ..binary };
        assert_eq!(written([from_binary]), [Written { path: "x.py", text: "text", base: None }]);
    }
}
