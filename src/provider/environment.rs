//! Which variables of a person's environment a provider's program is not given, and which hold secrets. Names only:
//! the environment itself comes in with the settings.

use std::ffi::OsStr;

/// Variables that are git's own for one repository (`git rev-parse --local-env-vars`), or ours.
pub(super) fn is_ours(name: &OsStr) -> bool {
    const LOCAL: &[&str] = &[
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_COMMON_DIR",
        "GIT_CONFIG",
        "GIT_CONFIG_COUNT",
        "GIT_CONFIG_PARAMETERS",
        "GIT_DIR",
        "GIT_GRAFT_FILE",
        "GIT_IMPLICIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_INTERNAL_SUPER_PREFIX",
        "GIT_NAMESPACE",
        "GIT_NO_REPLACE_OBJECTS",
        "GIT_OBJECT_DIRECTORY",
        "GIT_PREFIX",
        "GIT_QUARANTINE_PATH",
        "GIT_REFERENCE_BACKEND",
        "GIT_REPLACE_REF_BASE",
        "GIT_SHALLOW_FILE",
        "GIT_WORK_TREE",
    ];
    const BEGINNINGS: &[&str] = &["GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_", "GIT_IMPLEMENT_"];
    let name = name.to_string_lossy();
    LOCAL.contains(&&*name) || BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
}

/// Does a variable of this name hold something that no message should repeat?
pub(super) fn is_secret(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_uppercase();
    ["KEY", "TOKEN", "SECRET", "PASSWORD", "PASSPHRASE"].iter().any(|word| name.ends_with(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variable_that_git_calls_local_is_kept_from_the_program() {
        let output = std::process::Command::new("git").args(["rev-parse", "--local-env-vars"]).output().unwrap();
        let names = String::from_utf8(output.stdout).unwrap();
        assert!(names.lines().count() > 10, "{names}");
        for name in names.lines() {
            assert!(is_ours(OsStr::new(name)), "{name}");
        }
        for name in ["GIT_IMPLEMENT_MODEL", "GIT_CONFIG_KEY_0", "GIT_CONFIG_VALUE_12"] {
            assert!(is_ours(OsStr::new(name)), "{name}");
        }
        for name in ["PATH", "GIT_AUTHOR_NAME", "ANTHROPIC_API_KEY", "GITHUB_TOKEN"] {
            assert!(!is_ours(OsStr::new(name)), "{name}");
        }
    }
}
