//! The rules. One small file each, and one line here.

use super::Rule;

mod coverage;
mod dependency;
mod directory;
mod done_path;
mod done_test;
mod empty;
mod human;
mod risk;
mod sections;
mod status;
mod test_id;
mod title;
mod vague;

/// In the order of the template.
pub const RULES: &[Rule] = &[
    empty::RULE,
    title::RULE,
    status::RULE,
    sections::RULE,
    directory::RULE,
    dependency::RULE,
    coverage::RULE,
    test_id::RULE,
    vague::RULE,
    human::RULE,
    risk::RULE,
    done_path::RULE,
    done_test::RULE,
];

/// The first few of a list, for a message: `'a', 'b' and 3 more`.
fn listed<T: std::fmt::Display>(items: &[T]) -> String {
    const SHOWN: usize = 5;
    let shown: Vec<String> = items.iter().take(SHOWN).map(|item| format!("'{item}'")).collect();
    match (shown.split_last(), items.len().saturating_sub(SHOWN)) {
        (None, _) => String::new(),
        (Some((only, [])), _) => only.clone(),
        (Some((last, rest)), 0) => format!("{} and {last}", rest.join(", ")),
        (Some(_), more) => format!("{} and {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_folder_is_a_rule_in_the_list_and_its_id_is_its_name() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/check/design/rules");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .expect("the folder of rules")
            .map(|entry| entry.expect("an entry").path().file_stem().expect("a name").to_string_lossy().into_owned())
            .filter(|name| name != "mod")
            .map(|name| format!("design-{}", name.replace('_', "-")))
            .collect();
        let mut ids: Vec<&str> = RULES.iter().map(|rule| rule.id).collect();
        files.sort();
        ids.sort();
        assert_eq!(files, ids);
    }

    #[test]
    fn long_lists_are_cut() {
        assert_eq!(listed(&[1]), "'1'");
        assert_eq!(listed(&[1, 2, 3]), "'1', '2' and '3'");
        assert_eq!(listed(&[1, 2, 3, 4, 5, 6, 7]), "'1', '2', '3', '4', '5' and 2 more");
    }
}
