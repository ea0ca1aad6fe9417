//! (to be written)

pub mod plan;
