//! (to be written)

pub mod apply;
