//! The library by itself: its shape, and properties of its pure stages. Tests that need the program as well are left out
//! without the feature `cli`.

#[path = "../common/edits.rs"]
mod edits;
#[cfg(feature = "cli")]
#[path = "../common/hints.rs"]
mod hints;
#[cfg(feature = "cli")]
#[path = "../common/repo.rs"]
mod repo;
#[path = "../common/worst.rs"]
mod worst;

mod architecture;
mod design_properties;
mod edit_properties;
mod task_properties;
#[cfg(target_os = "linux")]
mod worst_texts;
