//! Whole task lists, one of each tool, as other stages see them.
