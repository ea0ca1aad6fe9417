//! The run that made the branch which is checked out, if one did.

use super::{GitError, Repository};

/// Two files of the record of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generated {
    pub run: String,
    /// The branch that is checked out (`implement/3`).
    pub branch: String,
    pub header: Vec<u8>,
    pub plan: Vec<u8>,
}

/// How far back a run's commits are looked for.
const MOST_COMMITS: &str = "-n100";

impl Repository {
    /// The newest run among the latest commits of the branch that is checked out. Whether it made this branch, or another
    /// one that was merged, its header says.
    pub fn generated(&self) -> Result<Option<Generated>, GitError> {
        let Some(branch) = self.branch_checked_out().filter(|_| self.has_runs()) else { return Ok(None) };
        let format = "--format=%(trailers:key=Implement-Run,valueonly)";
        let log = self.git().args(["log", "--first-parent", MOST_COMMITS, format, "HEAD", "--"]).run()?;
        let log = String::from_utf8_lossy(&log);
        let Some(run) = log.lines().map(str::trim).find(|line| !line.is_empty()) else { return Ok(None) };
        // It becomes part of a name.
        if !run.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
            return Ok(None);
        }
        let file = |name: &str| {
            let output =
                self.git().args(["cat-file", "blob", &format!("refs/implement/runs/{run}:{name}")]).output()?;
            Ok::<_, GitError>(output.ok().then_some(output.stdout))
        };
        let (Some(header), Some(plan)) = (file("run.json")?, file("plan.json")?) else { return Ok(None) };
        Ok(Some(Generated { run: run.to_owned(), branch, header, plan }))
    }

    fn branch_checked_out(&self) -> Option<String> {
        let head = std::fs::read_to_string(self.git_dir().join("HEAD")).ok()?;
        Some(head.trim().strip_prefix("ref: refs/heads/")?.to_owned())
    }

    /// Is there a record of any run? Nearly every repository has none, and is spared the questions.
    fn has_runs(&self) -> bool {
        let packed = || std::fs::read(self.common_dir().join("packed-refs")).unwrap_or_default();
        self.common_dir().join("refs/implement/runs").is_dir()
            || memchr::memmem::find(&packed(), b" refs/implement/runs/").is_some()
    }
}
