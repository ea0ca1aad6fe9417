//! Paths as the protocol names them.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// `file:///a%20b/c.py`
pub(super) fn of(path: &Path) -> String {
    let mut uri = String::from("file://");
    for &byte in path.as_os_str().as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

/// The path of a URI, whatever in it is escaped; `None` for what is no file.
pub(super) fn path(uri: &str) -> Option<PathBuf> {
    let mut rest = uri.strip_prefix("file://")?.as_bytes();
    let mut bytes = Vec::with_capacity(rest.len());
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        let escaped = after.get(..2).filter(|_| byte == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        match escaped.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(escaped) => {
                bytes.push(escaped);
                rest = after.get(2..).unwrap_or_default();
            }
            None => bytes.push(byte),
        }
    }
    Some(PathBuf::from(OsString::from_vec(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_and_its_uri_are_one_whatever_is_in_the_path() {
        for name in ["/a/b.py", "/git implement x/ä+#?%41.py", "/[id]/@x/(a)/c++.ts"] {
            assert_eq!(path(&of(Path::new(name))).as_deref(), Some(Path::new(name)));
        }
        assert_eq!(of(Path::new("/a b/ä.py")), "file:///a%20b/%C3%A4.py");
    }

    #[test]
    fn a_server_may_escape_what_it_likes() {
        assert_eq!(path("file:///a%2fb%2Bc%.p%y"), Some(PathBuf::from("/a/b+c%.p%y")));
        assert_eq!(path("untitled:x"), None);
    }
}
