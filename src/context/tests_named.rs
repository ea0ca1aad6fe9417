//! Which files of the repository a design asks to be shown.

use crate::path::RepoPath;

/// Paths in the text of a design that look like tests (`tests/unit/test_x.py`, `src/x.test.ts`), in order, each
/// once. Whether they exist is for the caller to find out.
pub fn tests_named(design: &str) -> Vec<RepoPath> {
    let mut found: Vec<RepoPath> = Vec::new();
    let separators = |c: char| c.is_whitespace() || "`'\"()[]{}<>|,;*".contains(c);
    for word in design.split(separators) {
        // `tests/a.py::test_b` names a test in the file.
        let word = word.split("::").next().unwrap_or(word).trim_end_matches(['.', ':']);
        if !looks_like_a_test(word) {
            continue;
        }
        if let Ok(path) = RepoPath::new(word)
            && !found.contains(&path)
        {
            found.push(path);
        }
    }
    found
}

fn looks_like_a_test(word: &str) -> bool {
    let Some((folder, name)) = word.rsplit_once('/') else { return false };
    let Some((stem, extension)) = name.rsplit_once('.') else { return false };
    let plain = !extension.is_empty() && extension.bytes().all(|b| b.is_ascii_alphanumeric());
    let marked = stem.starts_with("test_") || [".test", ".spec", "_test", "Test"].iter().any(|end| stem.ends_with(end));
    let in_folder = folder.split('/').any(|part| matches!(part, "test" | "tests" | "spec" | "__tests__"));
    plain && !stem.is_empty() && (marked || in_folder)
}

#[cfg(test)]
mod tests {
    use super::tests_named;

    #[test]
    fn test_files_are_found_in_commands_tables_and_prose_once_each() {
        let design = "Run `pytest tests/unit/test_a.py::test_x -v`.\n| `src/a.test.ts` | Add |\nSee tests/unit/test_a.py, \
                      and pkg/thing_test.go; not docs/tests.md, test_alone.py or https://x.y/tests/z.";
        let found: Vec<String> = tests_named(design).iter().map(|p| p.to_string()).collect();
        assert_eq!(found, ["tests/unit/test_a.py", "src/a.test.ts", "pkg/thing_test.go"]);
    }
}
