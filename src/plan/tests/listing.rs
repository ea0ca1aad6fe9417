//! Steps, rows and their JSON form.

use super::*;

#[test]
fn each_row_becomes_one_step_in_the_order_of_the_design() {
    let tree = tree(&[("a.py", "one\n"), ("b.py", "two\n"), ("c.py", "three\n")]);
    let rows = vec![add("new.py"), modify("a.py"), delete("b.py"), rename("c.py", "d.py")];
    let found = steps(rows, &tree);
    let seen: Vec<_> = found.iter().map(|s| (s.path.as_str(), s.change, s.strategy, s.line)).collect();
    assert_eq!(
        seen,
        [
            ("new.py", Change::Add, Strategy::Whole, 10),
            ("a.py", Change::Modify, Strategy::Whole, 11),
            ("b.py", Change::Delete, Strategy::None, 12),
            ("d.py", Change::Rename, Strategy::None, 13),
        ]
    );
    let bases: Vec<_> = found.iter().map(|s| s.base.as_ref().map(|b| b.bytes.as_slice())).collect();
    assert_eq!(bases, [None, Some(b"one\n".as_slice()), Some(b"two\n"), Some(b"three\n")]);
    assert_eq!(found[3].from, Some(path("c.py")));
}

#[test]
fn the_plan_covers_its_paths_and_the_sources_of_its_renames_and_nothing_else() {
    let tree = tree(&[("a.py", "one\n"), ("c.py", "three\n")]);
    let (plan, _) = judged(vec![modify("a.py"), rename("c.py", "d.py")], &tree);
    let plan = plan.unwrap();
    assert!(plan.covers("a.py") && plan.covers("c.py") && plan.covers("d.py"));
    assert!(!plan.covers("b.py") && !plan.covers("a.py/x") && !plan.covers(""));
}

#[test]
fn rows_are_listed_with_what_was_decided_even_when_the_plan_is_refused() {
    let tree = tree(&[("a.py", "one\ntwo\n")]);
    let examined =
        examine(&design(vec![row(Change::AddOrModify, "a.py"), modify("gone.py")]), &tree, &Options::default());
    assert!(examined.plan.is_none());
    assert_eq!((examined.rows[0].change, examined.rows[0].strategy), (Change::Modify, Strategy::Whole));
    assert_eq!(examined.rows[0].size.map(|s| (s.lines, s.bytes)), Some((2, 8)));
    assert_eq!((examined.rows[1].change, examined.rows[1].strategy), (Change::Modify, Strategy::Unknown));
}

#[test]
fn outside_a_repository_existence_is_not_judged_and_strategies_are_those_of_the_rows() {
    let lld = design(vec![
        add("a.py"),
        modify("b.py"),
        delete("Cargo.lock"),
        rename("x.py", "y.py"),
        row(Change::AddOrModify, ".gitattributes"),
        row(Change::None, "v.py"),
        directory(Change::Add, "pkg"),
    ]);
    let (rows, findings) = plan_no_repo(&lld, &Options::default());
    assert_eq!(findings, []);
    let seen: Vec<_> = rows.iter().map(|r| r.strategy.name()).collect();
    assert_eq!(seen, ["whole", "unknown", "none", "unknown", "unknown", "none", "none"]);
    assert_eq!(plan_no_repo(&lld, &Options { max_files: 4, ..Options::default() }).1[0].id, "too-many-files");
    assert_eq!(plan_no_repo(&Lld::default(), &Options::default()).1[0].id, "no-file-list");
}

#[test]
fn the_json_form_is_fixed() {
    let lld = Lld {
        title: Some("324 - \u{1b}[1mBold".into()),
        issue: Some("324".into()),
        ..design(vec![FileSpec { tasks: vec!["T1".into()], description: "a | b".into(), ..rename("x.py", "y.py") }])
    };
    let (rows, _) = plan_no_repo(&lld, &Options::default());
    let findings = [Finding::warning("w", "odd").line(3)];
    let json = serde_json::to_value(Listing::new("docs/324.md", &lld, &rows, &findings)).unwrap();
    assert_eq!(
        json,
        serde_json::json!({
            "lld": "docs/324.md", "issue": "324", "title": "324 - \u{1b}[1mBold", "dialect": "lld", "status": null,
            "files": [{
                "path": "y.py", "change": "rename", "from": "x.py", "directory": false, "description": "a | b",
                "line": 10, "strategy": "unknown", "allow": [], "tasks": ["T1"], "selected": true,
            }],
            "findings": [{
                "id": "w", "severity": "warning", "path": null, "line": 3, "message": "odd", "hint": null,
            }],
            "context": [],
            "estimate": null,
        })
    );
}
