//! The program in real repositories, and its rooms with effects. Everything is made by the tests themselves.
#![cfg(all(feature = "cli", unix))]

#[path = "../common/asking.rs"]
mod asking;
#[path = "../common/commits.rs"]
mod commits;
#[path = "../common/git_world.rs"]
mod git_world;
#[path = "../common/hints.rs"]
mod hints;
#[path = "../common/hooks.rs"]
mod hooks;
#[path = "../common/kill.rs"]
mod kill;
#[path = "../common/language_servers.rs"]
mod language_servers;
#[path = "../common/lists.rs"]
mod lists;
#[path = "../common/records.rs"]
mod records;
#[path = "../common/repo.rs"]
mod repo;
#[path = "../common/reviewed.rs"]
mod reviewed;
#[path = "../common/typed.rs"]
mod typed;
#[path = "../common/wire.rs"]
mod wire;

mod apply;
mod apply_bounds;
mod apply_killed;
mod apply_tree;
mod beside;
mod check;
mod check_bytes;
mod check_quiet;
mod check_secrets;
mod configuration;
mod demo;
mod design_folder;
mod design_input;
mod design_new;
mod doctor;
mod documents;
mod gates_page;
mod git_checkout;
mod git_hooks;
mod git_refuse;
mod git_scratch;
mod git_shared;
mod git_snapshot;
mod git_spare;
mod git_states;
#[cfg(feature = "python")]
mod hook_checks;
mod hook_install;
mod hook_places;
mod implement_branch;
mod implement_commits;
mod implement_concurrent;
mod implement_continue;
mod implement_context;
mod implement_ends;
mod implement_face;
mod implement_gates;
mod implement_hooks;
mod implement_interrupt;
mod implement_money;
mod implement_plan;
mod implement_promises;
mod implement_refusals;
mod implement_repair;
mod implement_secrets;
mod implement_status;

mod implement_trace;
mod implement_trust;
mod kills;
mod live_line;
mod log_show_blame;
mod look_commands;
mod look_formatters;
mod look_servers;
mod look_workspace;
mod lsp_edit;
mod lsp_patch;
mod meant;
mod notes;
mod offline;
mod older_records;
mod plan_code;
mod plan_passages;
mod patch_shapes;
mod plan_propose;
mod process;
mod provider_anthropic;
mod provider_command;
mod provider_ollama;
mod provider_openai;
mod provider_recording;
mod reading;
mod retention;
mod review;
mod review_of;
mod sandbox;
mod security_page;
mod task_commits;
mod task_mode;
mod task_review;
mod task_lists;
mod taskmaster;
mod tool_pages;
mod trust;
mod unread_output;
mod verify;
