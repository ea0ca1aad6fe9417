//! Which paths of the tree may have been meant by one that is not there.

/// How many are shown.
const SHOWN: usize = 3;
/// How many are compared letter by letter.
const MEASURED: usize = 200;

/// Up to three of `names`, the likeliest first: the path under a longer one; the same file name elsewhere; the same but
/// for case, `_` and `-`; a name spelled nearly so.
pub fn suggest(path: &str, names: &[String]) -> Vec<String> {
    let wanted = Name::of(path);
    let mut found: Vec<(Class, usize, &str)> = names
        .iter()
        // No design can name such a path, and a message would show it as several lines.
        .filter(|name| !name.contains(char::is_control))
        .filter_map(|name| Some((class(&wanted, name)?, usize::MAX - shared(path, name), name.as_str())))
        .collect();
    // What is measured closely is bounded: a large tree may have thousands of files of one name.
    if found.len() > MEASURED {
        found.select_nth_unstable(MEASURED);
        found.truncate(MEASURED);
    }
    let mut measured: Vec<(Class, f64, &str)> = found
        .into_iter()
        .map(|(class, _, name)| (class, strsim::normalized_levenshtein(wanted.path, name), name))
        .collect();
    // By likeness, then by name, so that the answer does not depend on the order of the tree.
    measured.sort_by(|(a, a_like, a_name), (b, b_like, b_name)| {
        a.cmp(b).then(b_like.total_cmp(a_like)).then(a_name.cmp(b_name))
    });
    measured.into_iter().take(SHOWN).map(|(.., name)| name.to_owned()).collect()
}

/// How a path is like the one that is wanted; the likeliest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    /// The path is the end of it, or differs from it only loosely.
    Path,
    /// The file is called the same.
    Name,
    /// The file is called the same but for case, `_` and `-`.
    Loose,
    /// The file's name is spelled nearly so.
    Near,
}

/// How many bytes two paths begin and end with alike.
fn shared(a: &str, b: &str) -> usize {
    let alike = |(a, b): &(u8, u8)| a == b;
    a.bytes().zip(b.bytes()).take_while(alike).count() + a.bytes().rev().zip(b.bytes().rev()).take_while(alike).count()
}

struct Name<'a> {
    path: &'a str,
    file: &'a str,
    loose: String,
}

impl<'a> Name<'a> {
    fn of(path: &'a str) -> Self {
        let file = path.rsplit('/').next().unwrap_or(path);
        Name { path, file, loose: loose(file) }
    }
}

fn loose(name: &str) -> String {
    name.to_lowercase().replace('-', "_")
}

/// `None`: not like it at all.
fn class(wanted: &Name, name: &str) -> Option<Class> {
    let file = name.rsplit('/').next().unwrap_or(name);
    let longer = name.strip_suffix(wanted.path).is_some_and(|rest| rest.ends_with('/'));
    if longer || (name.len() == wanted.path.len() && loose(name) == loose(wanted.path)) {
        return Some(Class::Path);
    }
    if file == wanted.file {
        return Some(Class::Name);
    }
    let slips = slips_allowed(&wanted.loose);
    if wanted.loose.len().abs_diff(file.len()) > slips {
        return None;
    }
    let other = loose(file);
    if other == wanted.loose {
        return Some(Class::Loose);
    }
    // The distance is measured only where the letters allow it.
    let near = slips > 0
        && letters_apart(&wanted.loose, &other) <= 2 * slips
        && strsim::osa_distance(&wanted.loose, &other) <= slips;
    near.then_some(Class::Near)
}

/// A slip for every five bytes of a name, at most four.
fn slips_allowed(name: &str) -> usize {
    (name.len() / 5).min(4)
}

/// How many bytes one name has that the other has not. A slip changes two at most, so that most of a large tree is
/// passed over without measuring.
fn letters_apart(a: &str, b: &str) -> usize {
    let mut count = [0i32; 256];
    a.bytes().for_each(|byte| count[usize::from(byte)] += 1);
    b.bytes().for_each(|byte| count[usize::from(byte)] -= 1);
    count.iter().map(|n| n.unsigned_abs() as usize).sum()
}

#[cfg(test)]
mod tests {
    use super::suggest;

    fn names(paths: &[&str]) -> Vec<String> {
        paths.iter().map(|p| (*p).to_owned()).collect()
    }

    #[test]
    fn the_path_under_a_longer_one_comes_first_and_then_the_same_name_elsewhere() {
        let tree = names(&["zoo/util.py", "app/src/util.py", "src/utils.py", "README.md"]);
        assert_eq!(suggest("src/util.py", &tree), ["app/src/util.py", "zoo/util.py", "src/utils.py"]);
    }

    #[test]
    fn underscores_hyphens_and_case_are_taken_for_each_other() {
        let tree = names(&["src/user-service.ts", "src/other.ts"]);
        assert_eq!(suggest("src/user_service.ts", &tree), ["src/user-service.ts"]);
        assert_eq!(suggest("src/User_Service.ts", &tree), ["src/user-service.ts"]);
        assert_eq!(suggest("lib/User-Service.ts", &tree), ["src/user-service.ts"]);
    }

    #[test]
    fn a_slip_of_the_pen_is_forgiven_and_another_word_is_not() {
        let tree = names(&["src/validator.py", "src/translator.py", "src/v.py"]);
        assert_eq!(suggest("src/valdiator.py", &tree), ["src/validator.py"]);
        assert_eq!(suggest("src/a.py", &tree), Vec::<String>::new());
    }

    #[test]
    fn among_many_of_one_name_the_nearest_directories_win_and_three_are_shown() {
        let tree = names(&["a/__init__.py", "pkg/cor/__init__.py", "pkg/__init__.py", "b/c/d/e/f/__init__.py"]);
        let found = suggest("pkg/core/__init__.py", &tree);
        assert_eq!(found.len(), 3);
        assert_eq!(found[0], "pkg/cor/__init__.py");
    }

    #[test]
    fn a_tree_without_anything_like_it_has_no_suggestion() {
        assert!(suggest("src/quite_new.rs", &names(&["README.md", "src/main.rs"])).is_empty());
        assert!(suggest("a", &[]).is_empty());
    }
}
