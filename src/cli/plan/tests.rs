use super::*;
use crate::lld::{Change, FileSpec};
use crate::path::RepoPath;
use crate::plan::{Examined, Options, Snapshot, examine};
use clap::Parser;

#[derive(clap::Parser)]
struct Program {
    #[command(flatten)]
    args: Args,
}

fn args(words: &[&str]) -> Args {
    Program::try_parse_from([&["plan"], words].concat()).unwrap_or_else(|e| panic!("{e}")).args
}

/// Status, stdout, stderr.
fn run(args: &Args) -> (u8, String, String) {
    on_page(|page| run_no_repo(args, Vec::new(), page))
}

fn on_page(run: impl FnOnce(&mut Page) -> io::Result<ExitCode>) -> (u8, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let status = run(&mut Page { out: &mut out, err: &mut err, width: 100, colour: false }).unwrap();
    (status.number(), String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

/// The plan of a design in an empty tree.
fn examined(args: &Args, lld: &Lld, page: &mut Page) -> io::Result<ExitCode> {
    let Examined { rows, findings, .. } = examine(lld, &Snapshot::default(), &Options::default());
    write(args.json, &args.lld, lld, (&rows, &Sending::default()), &findings, page)
}

fn document(bytes: &[u8]) -> (tempfile::TempDir, String) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("design.md");
    std::fs::write(&file, bytes).unwrap();
    let name = file.to_str().unwrap().to_owned();
    (dir, name)
}

fn lld(rows: &[(Change, &str)]) -> Lld {
    let files = rows.iter().enumerate().map(|(at, (change, path))| FileSpec {
        path: RepoPath::new(path).unwrap(),
        change: *change,
        inferred: false,
        from: None,
        directory: false,
        description: "colour \u{1b}[31m".into(),
        line: 5 + at,
        allow: vec![],
        tasks: vec![],
        selected: true,
    });
    Lld { dialect: Some("lld"), title: Some("Title".into()), files: files.collect(), ..Lld::default() }
}

#[test]
fn a_design_without_a_file_list_is_json_and_status_1() {
    let (_dir, name) = document(b"# Nothing here\n\nJust words.\n");
    let (status, out, err) = run(&args(&["--no-repo", "--json", &name]));
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((status, err.as_str()), (1, ""));
    assert_eq!(json["lld"], name.as_str());
    assert_eq!(json["files"], serde_json::json!([]));
    assert_eq!(json["findings"][0]["severity"], "error");
}

#[test]
fn what_cannot_be_read_is_fatal() {
    let dir = tempfile::tempdir().unwrap();
    for name in [dir.path().to_str().unwrap(), "no/such/file.md"] {
        let (status, out, err) = run(&args(&["--no-repo", "--json", name]));
        assert_eq!((status, out.as_str()), (128, ""));
        assert!(err.starts_with(&format!("fatal: cannot read '{name}': ")), "{err}");
    }
}

#[test]
fn a_design_that_is_not_utf8_is_an_error_at_its_line() {
    let (_dir, name) = document(b"# One\n\ncaf\xe9\n");
    let (status, out, _) = run(&args(&["--no-repo", "--json", &name]));
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(status, 1);
    let found = json["findings"].as_array().unwrap().iter().any(|f| f["id"] == "encoding" && f["line"] == 3);
    assert!(found, "{json}");
}

#[test]
fn a_plan_goes_to_stdout_and_its_findings_to_stderr() {
    let args = args(&["docs/x.md"]);
    let lld = lld(&[(Change::Add, "src/new.py"), (Change::Modify, "gone.py")]);
    let (status, out, err) = on_page(|page| examined(&args, &lld, page));
    assert_eq!(status, 1);
    assert!(out.starts_with("docs/x.md: Title (read as lld)\npath "), "{out}");
    assert!(out.contains("gone.py"), "{out}");
    assert!(err.contains("warning: docs/x.md:5: 'src/new.py' begins with 'src/'"), "{err}");
    assert!(err.contains("error: docs/x.md:6: cannot modify 'gone.py': the base has no such file\nhint: "), "{err}");
}

#[test]
fn json_has_the_same_findings_and_keeps_texts_as_they_are() {
    let args = args(&["--json", "docs/x.md"]);
    let lld = lld(&[(Change::Add, "new.py")]);
    let (status, out, err) = on_page(|page| examined(&args, &lld, page));
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((status, err.as_str()), (0, ""));
    assert_eq!(json["files"][0]["description"], "colour \u{1b}[31m");
    assert_eq!(json["files"][0]["strategy"], "whole");
    assert!(!out.contains('\u{1b}'), "JSON writes controls as escapes");
}

#[test]
fn what_the_command_line_says_goes_by_the_names_of_the_settings() {
    let given = ["x.md", "--max-files", "9", "--format", "whole", "--allow", "size:a.py", "--allow", "lock"];
    let settings = args(&given).settings();
    let said: Vec<(&str, &str)> = settings.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    assert_eq!(said, [("format", "whole"), ("max-files", "9"), ("allow", "size:a.py"), ("allow", "lock")]);
}

#[test]
fn booleans_can_be_taken_back_and_what_cannot_go_together_is_refused() {
    assert!(!args(&["--json", "--no-json", "x.md"]).json);
    assert!(!args(&["--no-repo", "--repo", "x.md"]).no_repo);
    assert!(Program::try_parse_from(["plan", "--no-repo", "--base", "HEAD", "x.md"]).is_err());
    assert!(Program::try_parse_from(["plan", "--format", "wat", "x.md"]).is_err());
    assert!(Program::try_parse_from(["plan"]).is_err());
}
