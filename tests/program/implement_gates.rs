//! Gates in a run beyond the text of one file: what a project says of them, and what the design promises of all files.

use crate::repo::Repo;

const DESIGN: &str = "# 3 - Two\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
                      | `src/a.py` | Modify | Another value |\n\n### 2.4 Function Signatures\n\n```python\n\
                      def made():\n    ...\n\ndef there():\n    ...\n\ndef old():\n    ...\n\ndef never():\n    ...\n```\n";

fn repo() -> Repo {
    let repo = Repo::of(&[
        ("src/a.py", "def old():\n    return 1\n"),
        ("lib/b.py", "def there():\n    return 2\n"),
        ("docs/3.md", DESIGN),
        ("docs/notes.md", "never\n"),
    ]);
    repo.answer("src/a.py", "```python\ndef made():\n    return 1\n```\n");
    repo
}

#[test]
fn a_name_that_the_design_promises_and_the_tree_lacks_is_a_warning() {
    let repo = repo();
    let ran = repo.implement(&["docs/3.md"]);
    ran.published("implement/3");
    ran.says("warning: docs/3.md:21: 'never' is nowhere in the tree that the design leaves");
    ran.says("docs/3.md:18: 'old' is nowhere");
    assert!(!ran.err.contains("'made' is nowhere") && !ran.err.contains("'there' is nowhere"), "{ran}");
}

#[test]
fn what_a_project_says_of_gates_holds_in_a_run_and_is_in_its_record() {
    let repo = repo();
    repo.git(&["config", "implement.gates", "signature=error"]);
    repo.implement(&["docs/3.md"]).refused(1).says("error: docs/3.md:21: 'never' is nowhere");
    repo.git(&["config", "implement.gates", "signature=off"]);
    let ran = repo.implement(&["docs/3.md"]);
    assert!(!ran.err.contains("nowhere"), "{ran}");
    let run = ran.published("implement/3");
    let header = repo.blob(&format!("refs/implement/runs/{run}"), "run.json");
    assert!(String::from_utf8(header).unwrap().contains("\"signature=off\""));
    repo.git(&["config", "implement.gates", "signature"]);
    repo.implement(&["docs/3.md", "-b", "other"]).refused_at_once(128).says("bad gate 'signature'");
}

/// A token as GitHub makes them, with the right sum at its end; nobody's. In pieces, lest it be found here.
const TOKEN: &str = concat!("ghp_", "zQ8mWv4KpX2nRt7LbYc9HsDf3JgAe6", "2DYjTQ");

#[test]
fn no_secret_of_the_repository_is_sent_unless_the_person_allows_it() {
    let repo = repo();
    repo.write("src/a.py", format!("TOKEN = \"{TOKEN}\"\n"));
    repo.commit("a secret");
    let ran = repo.implement(&["docs/3.md"]);
    ran.refused(1).says("error: src/a.py:1: 'src/a.py' has what looks like a GitHub");
    assert!(repo.asked().is_empty() && !ran.err.contains(TOKEN), "{ran}");
    repo.implement(&["docs/3.md", "--allow", "secret:src/a.py"]).published("implement/3");
}

#[test]
fn a_new_dependency_is_a_warning_unless_the_design_names_it() {
    let rows = "| `package.json` | Modify | x |";
    let design = DESIGN.replace("| `src/a.py` | Modify | Another value |", rows);
    let named = design.replace("### 2.4", "### 2.2 Dependencies\n\n```json\n\"left-pad\": \"^1\"\n```\n\n### 2.4");
    let repo =
        Repo::of(&[("package.json", "{\n  \"name\": \"x\"\n}\n"), ("docs/3.md", &design), ("docs/4.md", &named)]);
    let made = "{\n  \"name\": \"x\",\n  \"dependencies\": {\n    \"left-pad\": \"^1.3.0\"\n  }\n}\n";
    repo.answer("package.json", format!("```json\n{made}```\n"));
    let ran = repo.implement(&["docs/3.md"]);
    ran.published("implement/3");
    assert!(ran.err.contains("warning: package.json:4:") && ran.err.contains("left-pad"), "{ran}");
    let ran = repo.implement(&["docs/4.md"]);
    ran.published("implement/4");
    assert!(!ran.err.contains("left-pad"), "{ran}");
}

#[test]
fn an_import_of_a_file_that_is_nowhere_is_a_warning_when_all_files_are_made() {
    let design = DESIGN
        .replace("| `src/a.py` | Modify | Another value |", "| `src/a.py` | Modify | x |\n| `src/b.py` | Add | y |");
    let repo = Repo::of(&[("src/a.py", "from .gone import x\n"), ("src/old.py", "x = 1\n"), ("docs/3.md", &design)]);
    let text = "from .gone import x\nfrom .b import y\nfrom .old import x\nfrom .never import z\n";
    repo.answer("src/a.py", format!("```python\n{text}```\n"));
    repo.answer("src/b.py", "```python\ny = 1\n```\n");
    let ran = repo.implement(&["docs/3.md"]);
    ran.published("implement/3");
    ran.says("warning: src/a.py:4: 'src/a.py' imports '.never', which is nowhere in the tree");
    assert_eq!(ran.err.matches("which is nowhere in the tree\n").count(), 1, "{ran}");
}

#[test]
fn an_import_of_a_package_that_no_manifest_names_is_a_warning_when_all_files_are_made() {
    let rows = "| `src/a.py` | Modify | x |\n| `pyproject.toml` | Modify | y |";
    let design = DESIGN.replace("| `src/a.py` | Modify | Another value |", rows);
    let manifest = "[project]\nname = \"a\"\ndependencies = [\"PyYAML\"]\n";
    let repo = Repo::of(&[("src/a.py", "import older\n"), ("pyproject.toml", manifest), ("docs/3.md", &design)]);
    let text = "import older\nimport json\nimport yaml\nimport httpx\nimport quickserde\n";
    repo.answer("src/a.py", format!("```python\n{text}```\n"));
    // What the same run puts into the manifest counts.
    let made = manifest.replace("\"PyYAML\"", "\"PyYAML\", \"httpx\"");
    repo.answer("pyproject.toml", format!("```toml\n{made}```\n"));
    let ran = repo.implement(&["docs/3.md"]);
    ran.published("implement/3");
    ran.says(
        "warning: src/a.py:5: 'src/a.py' imports 'quickserde', which is neither in the tree nor in a manifest of it",
    );
    assert_eq!(ran.err.matches("nor in a manifest of it\n").count(), 1, "{ran}");
}

#[test]
fn a_test_that_another_file_of_the_run_gets_is_not_lost() {
    let rows = "| `tests/test_a.py` | Modify | x |\n| `tests/test_b.py` | Add | y |";
    let design = DESIGN.replace("| `src/a.py` | Modify | Another value |", rows);
    let (a, b) = ("def test_a():\n    assert a\n", "def test_b():\n    assert b\n");
    let base = format!("{a}\n\n{b}\n\ndef test_c():\n    assert c\n");
    let repo = Repo::of(&[("tests/test_a.py", &base), ("docs/3.md", &design)]);
    repo.answer("tests/test_a.py", format!("```python\n{a}```\n"));
    repo.answer("tests/test_b.py", format!("```python\n{b}```\n"));
    let ran = repo.implement(&["docs/3.md"]);
    ran.published("implement/3");
    ran.says("warning: 'tests/test_a.py' has 1 test less: 'test_c'");
}
