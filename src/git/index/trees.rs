//! The extension `TREE` of an index: which of its folders are known to be which tree, so that git need not compare
//! what is in them.
//!
//! For each folder its name in the one above it, NUL, how many entries of the index are in it, a blank, how many folders follow
//! that are in it, LF, and the id of the tree. One that is not known has -1 entries, and no id.

use std::collections::BTreeSet;

const ID: usize = 20;

/// The same with nothing known of `folders`; the root is `""`. `None` if it is cut short, or none.
pub(super) fn without(trees: &[u8], folders: &BTreeSet<&str>) -> Option<Vec<u8>> {
    if trees.is_empty() {
        return Some(Vec::new());
    }
    let (mut rest, mut kept) = (trees, Vec::with_capacity(trees.len()));
    // The folders around the one that is read: the length of its path, and how many of those in it are still to come.
    let mut around: Vec<(usize, usize)> = Vec::new();
    let mut path = String::new();
    loop {
        let (name, after) = rest.split_at_checked(memchr::memchr(0, rest)?)?;
        let (numbers, after) = after.split_at_checked(memchr::memchr(b'\n', after)?)?;
        let (entries, inside) = std::str::from_utf8(numbers.get(1..)?).ok()?.split_once(' ')?;
        let is_known = !entries.starts_with('-');
        let (id, after) = after.get(1..)?.split_at_checked(if is_known { ID } else { 0 })?;
        rest = after;
        if !path.is_empty() {
            path.push('/');
        }
        path.push_str(&String::from_utf8_lossy(name));
        if folders.contains(path.as_str()) {
            kept.extend_from_slice(&[name, b"\0-1 ", inside.as_bytes(), b"\n"].concat());
        } else {
            kept.extend_from_slice(&[name, numbers, b"\n", id].concat());
        }
        around.push((path.len(), inside.parse().ok()?));
        // On to the next: the first that is in this one, or the one after the last that is done.
        loop {
            let Some((length, to_come)) = around.last_mut() else { return rest.is_empty().then_some(kept) };
            path.truncate(*length);
            match to_come.checked_sub(1) {
                Some(left) => {
                    *to_come = left;
                    break;
                }
                None => around.pop(),
            };
        }
    }
}
