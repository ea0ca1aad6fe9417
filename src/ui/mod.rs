//! The face: the only module that prints. It knows how things look, and decides nothing.

pub mod findings;
pub mod plain;
pub mod plan;
pub mod table;
