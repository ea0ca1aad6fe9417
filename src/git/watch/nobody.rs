//! Nobody tells.

use std::collections::BTreeSet;
use std::path::Path;

pub(in crate::git) enum Watch {}

impl Watch {
    pub fn begin<'f>(_: &Path, _: impl ExactSizeIterator<Item = &'f str>) -> Option<Watch> {
        None
    }

    pub fn cover(&mut self, _: &str) -> bool {
        match *self {}
    }

    pub fn touched(&mut self) -> Option<BTreeSet<String>> {
        match *self {}
    }
}
