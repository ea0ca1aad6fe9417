//! Files from which something takes instructions as soon as they are there: git itself, continuous integration, hooks,
//! coding agents. They run programs or steer them, so that nobody writes one without a word of the person's.

use super::RepoPath;

/// Names of files, anywhere in the tree, and of folders with all that is in them (these end with a slash).
const NAMES: &[(&str, &[&str])] = &[
    ("git", &[".gitattributes", ".gitmodules"]),
    (
        "continuous integration",
        &[
            ".appveyor.yml",
            ".buildkite/",
            ".circleci/",
            ".cirrus.yml",
            ".drone.yml",
            ".forgejo/workflows/",
            ".gitea/workflows/",
            ".github/actions/",
            ".github/workflows/",
            ".gitlab-ci.yml",
            ".gitlab/ci/",
            ".semaphore/",
            ".teamcity/",
            ".travis.yml",
            ".woodpecker.yml",
            ".woodpecker/",
            "appveyor.yml",
            "azure-pipelines.yml",
            "bitbucket-pipelines.yml",
            "Jenkinsfile",
        ],
    ),
    (
        "git's hooks",
        &[
            ".githooks/",
            ".husky/",
            ".lefthook.yml",
            ".pre-commit-config.yaml",
            "lefthook.yml",
            "lefthook-local.yml",
            "prek.toml",
        ],
    ),
    (
        "coding agents",
        &[
            ".agents/",
            ".aider.conf.yml",
            ".claude/",
            ".clinerules",
            ".codex/",
            ".cursor/",
            ".cursorrules",
            ".gemini/",
            ".github/copilot-instructions.md",
            ".github/instructions/",
            ".kiro/hooks/",
            ".kiro/steering/",
            ".mcp.json",
            ".roo/",
            ".windsurf/",
            ".windsurfrules",
            "AGENTS.md",
            "CLAUDE.local.md",
            "CLAUDE.md",
            "GEMINI.md",
        ],
    ),
    ("git implement", &[".git-implement.toml"]),
];

impl RepoPath {
    /// Who takes instructions from this file (`git`, `continuous integration`, …), if anybody does.
    pub fn instructs(&self) -> Option<&'static str> {
        let path = format!("/{}/", self.0.to_ascii_lowercase());
        let names = |names: &[&str]| {
            names.iter().any(|name| {
                let name = name.trim_end_matches('/').to_ascii_lowercase();
                path.contains(&format!("/{name}/"))
            })
        };
        NAMES.iter().find(|(_, known)| names(known)).map(|(who, _)| *who)
    }
}

#[cfg(test)]
mod tests {
    use crate::path::RepoPath;

    #[test]
    fn who_takes_instructions_from_a_file_is_known_by_its_name_or_folder() {
        for (path, who) in [
            (".gitattributes", Some("git")),
            ("sub/.GitModules", Some("git")),
            (".github/workflows/ci.yml", Some("continuous integration")),
            ("jenkinsfile", Some("continuous integration")),
            ("web/.husky/pre-commit", Some("git's hooks")),
            ("docs/CLAUDE.md", Some("coding agents")),
            (".claude/commands/x.md", Some("coding agents")),
            (".git-implement.toml", Some("git implement")),
            (".gitignore", None),
            ("gitmodules", None),
            ("a.gitattributes", None),
            (".github/ISSUE_TEMPLATE.md", None),
            ("src/CLAUDE.md.py", None),
            ("hooks/pre-commit.sh", None),
            ("docs/ci/jenkinsfile.md", None),
        ] {
            assert_eq!(RepoPath::new(path).unwrap().instructs(), who, "{path}");
        }
    }
}
