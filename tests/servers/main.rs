//! The program with real model servers, real language servers and under real programs for hooks, which `tests/run` installs.
#![cfg(all(feature = "cli", unix))]

#[path = "../common/asking.rs"]
mod asking;
#[path = "../common/commits.rs"]
mod commits;
#[path = "../common/hints.rs"]
mod hints;
#[path = "../common/installed.rs"]
mod installed;
#[path = "../common/lists.rs"]
mod lists;
#[path = "../common/records.rs"]
mod records;
#[path = "../common/repo.rs"]
mod repo;
#[path = "../common/reviewed.rs"]
mod reviewed;
#[path = "../common/runners.rs"]
mod runners;
#[path = "../common/servers.rs"]
mod servers;

#[cfg(feature = "python")]
mod hook_runners;
mod implement_servers;
mod language_servers;
mod look_projects;
mod provider_faults;
mod provider_llama;
mod review_page;
mod two_providers;
