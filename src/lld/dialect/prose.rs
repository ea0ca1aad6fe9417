//! Plans without a list of files: lists of paths that nobody calls one, and sentences. Read loosely, and said to be so.

use super::plan::{Tier, list};
use super::{Dialect, spec};

pub(super) const DIALECT: Dialect = Dialect {
    name: "prose",
    looks_for: "a sentence that says what is done with a path ('Create `src/a.py` with the parser')",
    read: |document| if spec::is_called_so(document) { None } else { list(document, Tier::Loose, Tier::Loose) },
};
