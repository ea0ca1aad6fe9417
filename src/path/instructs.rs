//! Files from which something takes instructions as soon as they are there: git itself, continuous integration, hooks,
//! coding agents, editors, shells, package managers, debuggers. They run programs or steer them, so that nobody writes
//! one without a word of the person's.
//!
//! What a project's own commands read (a `Makefile`, the scripts of `package.json`, a test's configuration) is not among
//! them: somebody runs that, and designs are about little else.

use super::{RepoPath, folded};

/// Where one of the names counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    Anywhere,
    /// Anywhere but below folders of fixtures, which nobody works in.
    Outside,
    /// At the root of the repository: elsewhere nothing reads it.
    Root,
}

struct Readers {
    who: &'static str,
    place: Reach,
    /// Names of files, and of folders with all that is in them (these end with a slash).
    names: &'static [&'static str],
}

/// Folders whose files are what tests read.
const FIXTURES: [&str; 2] = ["fixtures", "testdata"];

const READERS: &[Readers] = &[
    // Filters and drivers of the first are programs; the second says what is fetched from where.
    Readers { who: "git", place: Reach::Anywhere, names: &[".gitattributes", ".gitmodules"] },
    Readers {
        who: "continuous integration",
        place: Reach::Root,
        names: &[
            ".appveyor.yml",
            ".azure-pipelines/",
            ".buildkite/",
            ".circleci/",
            ".cirrus.star",
            ".cirrus.yml",
            ".drone.yml",
            ".forgejo/actions/",
            ".forgejo/workflows/",
            ".gitea/actions/",
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
            "buildspec.yml",
            "cloudbuild.yaml",
        ],
    },
    // A job says where its own file is.
    Readers { who: "continuous integration", place: Reach::Outside, names: &["Jenkinsfile"] },
    Readers {
        who: "git's hooks",
        place: Reach::Root,
        names: &[
            ".githooks/",
            ".lefthook-local.yml",
            ".lefthook.json",
            ".lefthook.toml",
            ".lefthook.yaml",
            ".lefthook.yml",
            ".lefthook/",
            ".overcommit.yml",
            // A repository of hooks: what it says is run in others.
            ".pre-commit-config.yaml",
            ".pre-commit-hooks.yaml",
            "lefthook-local.yml",
            "lefthook.json",
            "lefthook.toml",
            "lefthook.yaml",
            "lefthook.yml",
            "prek.toml",
        ],
    },
    // These may be the hooks of a part of the repository, and the commands that such hooks run.
    Readers {
        who: "git's hooks",
        place: Reach::Outside,
        names: &[
            ".husky/",
            ".lintstagedrc",
            ".lintstagedrc.cjs",
            ".lintstagedrc.js",
            ".lintstagedrc.json",
            ".lintstagedrc.mjs",
            ".lintstagedrc.yaml",
            ".lintstagedrc.yml",
            "lint-staged.config.cjs",
            "lint-staged.config.js",
            "lint-staged.config.mjs",
        ],
    },
    // Agents read them in whatever folder they work, and take them for the person's word; several name servers to start.
    Readers {
        who: "coding agents",
        place: Reach::Outside,
        names: &[
            ".agent/",
            ".agents/",
            ".aiassistant/",
            ".aider.conf.yml",
            ".amazonq/",
            ".augment-guidelines",
            ".augment/",
            ".claude/",
            ".clinerules",
            ".clinerules/",
            ".codex/",
            ".continue/",
            ".continuerules",
            ".crush.json",
            ".cursor/",
            ".cursorrules",
            ".factory/",
            ".gemini/",
            ".github/agents/",
            ".github/chatmodes/",
            ".github/copilot-instructions.md",
            ".github/hooks/",
            ".github/instructions/",
            ".github/prompts/",
            ".github/skills/",
            ".goose/",
            ".goosehints",
            ".junie/",
            ".kilocode/",
            ".kilocodemodes",
            ".kiro/agents/",
            ".kiro/hooks/",
            ".kiro/settings/",
            ".kiro/steering/",
            ".mcp.json",
            ".opencode/",
            ".qwen/",
            ".roo/",
            ".roomodes",
            ".rules",
            ".trae/",
            ".vscode/mcp.json",
            ".windsurf/",
            ".windsurfrules",
            "AGENT.md",
            "AGENTS.md",
            "AGENTS.override.md",
            "CLAUDE.local.md",
            "CLAUDE.md",
            "CRUSH.md",
            "GEMINI.md",
            "QWEN.md",
            "WARP.md",
            "crush.json",
            "opencode.json",
            "opencode.jsonc",
        ],
    },
    // Tasks that run when a folder is opened, programs that are started in place of the person's, scripts that are read.
    Readers {
        who: "editors",
        place: Reach::Anywhere,
        names: &[
            ".dir-locals-2.el",
            ".dir-locals.el",
            ".exrc",
            ".fleet/",
            ".idea/externalDependencies.xml",
            ".idea/runConfigurations/",
            ".idea/watcherTasks.xml",
            ".idea/workspace.xml",
            ".lvimrc",
            ".nvim.lua",
            ".nvimrc",
            ".run/",
            ".vscode/launch.json",
            ".vscode/settings.json",
            ".vscode/tasks.json",
            ".zed/",
        ],
    },
    // Run on the way into the folder, or when its container is made.
    Readers {
        who: "shells and development environments",
        place: Reach::Anywhere,
        names: &[
            ".devcontainer.json",
            ".devcontainer/",
            ".envrc",
            ".gitpod.Dockerfile",
            ".gitpod.yml",
            ".mise.local.toml",
            ".mise.toml",
            ".mise/",
            ".replit",
            "devbox.json",
            "mise.local.toml",
            "mise.toml",
        ],
    },
    // Where packages come from, with whose key, and programs that take the place of compilers and of the manager itself.
    Readers {
        who: "package managers and build tools",
        place: Reach::Anywhere,
        names: &[
            ".bazelrc",
            ".bundle/config",
            ".cargo/config",
            ".cargo/config.toml",
            ".condarc",
            ".gemrc",
            ".mvn/",
            ".npmrc",
            ".pip/pip.conf",
            ".pnpmfile.cjs",
            ".pnpmfile.mjs",
            ".pypirc",
            ".yarn/",
            ".yarnrc",
            ".yarnrc.yml",
            "bunfig.toml",
            "gradle/wrapper/gradle-wrapper.properties",
            "nuget.config",
            "pip.conf",
            "pip.ini",
            "uv.toml",
        ],
    },
    // Python runs these two whenever it starts beside them; debuggers do what the others say.
    Readers {
        who: "interpreters and debuggers",
        place: Reach::Anywhere,
        names: &[".gdbinit", ".lldbinit", ".pdbrc", "sitecustomize.py", "usercustomize.py"],
    },
    Readers { who: "git implement", place: Reach::Anywhere, names: &[".git-implement.toml"] },
];

/// Suffixes of files that any editor opens as a workspace, tasks and settings among it.
const WORKSPACES: &[&str] = &[".code-workspace", ".run.xml"];

impl RepoPath {
    /// Who takes instructions from this file (`git`, `continuous integration`, …), if anybody does. What a file system
    /// takes for one of the names is that name.
    pub fn instructs(&self) -> Option<&'static str> {
        let path = folded(&self.0);
        let is_fixture = path.split('/').rev().skip(1).any(|folder| FIXTURES.contains(&folder));
        let reads = |readers: &&Readers| {
            let counts = readers.place == Reach::Anywhere || !is_fixture;
            counts && readers.names.iter().any(|name| is_at(&path, &folded(name), readers.place))
        };
        let by_name = READERS.iter().find(reads).map(|readers| readers.who);
        by_name.or_else(|| WORKSPACES.iter().any(|suffix| path.ends_with(suffix)).then_some("editors"))
    }
}

/// Is the folded path that of a file of this name, or of one in a folder of this name?
fn is_at(path: &str, name: &str, place: Reach) -> bool {
    let begins = |rest: &str| match name.ends_with('/') {
        true => rest.starts_with(name),
        false => rest == name,
    };
    let below = || path.match_indices('/').filter_map(|(at, _)| path.get(at + 1..));
    begins(path) || (place != Reach::Root && below().any(begins))
}

#[cfg(test)]
mod tests {
    use crate::path::RepoPath;

    #[test]
    fn who_takes_instructions_from_a_file_is_known_by_its_name_or_folder() {
        const AGENTS: Option<&str> = Some("coding agents");
        const CI: Option<&str> = Some("continuous integration");
        const EDITORS: Option<&str> = Some("editors");
        const PACKAGES: Option<&str> = Some("package managers and build tools");
        const SHELLS: Option<&str> = Some("shells and development environments");
        for (path, who) in [
            (".gitattributes", Some("git")),
            ("sub/.GitModules", Some("git")),
            (".github/workflows/ci.yml", CI),
            ("jenkinsfile", CI),
            ("deploy/Jenkinsfile", CI),
            ("web/.husky/pre-commit", Some("git's hooks")),
            (".pre-commit-config.yaml", Some("git's hooks")),
            ("docs/CLAUDE.md", AGENTS),
            (".claude/commands/x.md", AGENTS),
            (".github/prompts/x.prompt.md", AGENTS),
            (".opencode/command/x.md", AGENTS),
            (".vscode/mcp.json", AGENTS),
            (".vscode/tasks.json", EDITORS),
            ("web/.vscode/settings.json", EDITORS),
            ("a.code-workspace", EDITORS),
            (".idea/runConfigurations/all.xml", EDITORS),
            (".envrc", SHELLS),
            (".devcontainer/devcontainer.json", SHELLS),
            ("web/.npmrc", PACKAGES),
            (".cargo/config.toml", PACKAGES),
            ("gradle/wrapper/gradle-wrapper.properties", PACKAGES),
            ("src/sitecustomize.py", Some("interpreters and debuggers")),
            (".git-implement.toml", Some("git implement")),
            (".gitignore", None),
            ("gitmodules", None),
            ("a.gitattributes", None),
            (".github/ISSUE_TEMPLATE.md", None),
            ("src/CLAUDE.md.py", None),
            ("hooks/pre-commit.sh", None),
            ("docs/ci/jenkinsfile.md", None),
            (".vscode/extensions.json", None),
            ("src/config.toml", None),
            ("package.json", None),
        ] {
            assert_eq!(RepoPath::new(path).unwrap().instructs(), who, "{path}");
        }
    }

    #[test]
    fn a_name_counts_where_somebody_reads_it() {
        for path in [
            "sub/.github/workflows/ci.yml",
            "tests/fixtures/.github/workflows/ci.yml",
            "fixtures/CLAUDE.md",
            "pkg/testdata/.claude/settings.json",
            "testdata/Jenkinsfile",
            "vendor/x/.travis.yml",
        ] {
            assert_eq!(RepoPath::new(path).unwrap().instructs(), None, "{path}");
        }
        // git reads its own anywhere, and a file of that name is no folder of fixtures.
        assert_eq!(RepoPath::new("fixtures/.gitattributes").unwrap().instructs(), Some("git"));
        assert_eq!(RepoPath::new("docs/fixtures").unwrap().instructs(), None);
    }

    #[test]
    fn a_spelling_that_some_file_system_takes_for_the_name_is_the_name() {
        for path in [".v\u{17f}code/tasks.json", ".CLAUDE/x.md", ".gitmodule\u{17f}", ".\u{212a}iro/hooks/x"] {
            assert!(RepoPath::new(path).unwrap().instructs().is_some(), "{path}");
        }
    }
}
