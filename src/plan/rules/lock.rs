//! Lock files are the work of package managers: what a model would write there is invented.

use super::{about, verb};
use crate::finding::Finding;
use crate::lld::Change;
use crate::plan::decide::{Case, Ground};

const NAMES: &[&str] = &[
    ".terraform.lock.hcl",
    "Cargo.lock",
    "Cartfile.resolved",
    "Gemfile.lock",
    "MODULE.bazel.lock",
    "Package.resolved",
    "Pipfile.lock",
    "Podfile.lock",
    "bun.lock",
    "bun.lockb",
    "cabal.project.freeze",
    "composer.lock",
    "conda-lock.yml",
    "deno.lock",
    "flake.lock",
    "gems.locked",
    "go.sum",
    "go.work.sum",
    "gradle.lockfile",
    "mix.lock",
    "npm-shrinkwrap.json",
    "package-lock.json",
    "packages.lock.json",
    "pdm.lock",
    "pixi.lock",
    "pnpm-lock.yaml",
    "poetry.lock",
    "pubspec.lock",
    "pylock.toml",
    "rebar.lock",
    "shard.lock",
    "stack.yaml.lock",
    "uv.lock",
    "yarn.lock",
];

pub(super) fn judge(case: &Case, ground: &Ground, findings: &mut Vec<Finding>) {
    let written = matches!(case.change, Change::Add | Change::Modify);
    let name = case.spec.path.file_name();
    if !written || !NAMES.iter().any(|lock| lock.eq_ignore_ascii_case(name)) || ground.permits(case, "lock") {
        return;
    }
    let message = format!("cannot {} '{}': it is a lock file, which a package manager writes", verb(case), case.path());
    let hint = "take the row out and run the package manager afterwards, or allow it with --allow lock";
    findings.push(about(case, Finding::error("lock", message).hint(hint)));
}
