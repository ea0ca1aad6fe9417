//! What happens to the files of a checkout while others work there: told by the system, so that nobody needs to look at
//! every file to find the few that a hook has changed. Where the system does not tell (it is not Linux, there are too many
//! folders, a folder went), all files are looked at instead.

#[cfg(target_os = "linux")]
mod inotify;
#[cfg(not(target_os = "linux"))]
mod nobody;

#[cfg(target_os = "linux")]
pub(super) use inotify::Watch;
#[cfg(not(target_os = "linux"))]
pub(super) use nobody::Watch;
