use super::*;
use git2::{IndexAddOption, Repository};
use proptest::prelude::*;

/// A repository with these files in its index, which knows all its trees.
fn repository(files: &[&str]) -> (tempfile::TempDir, Repository) {
    let folder = tempfile::tempdir().unwrap();
    let repository = Repository::init(folder.path()).unwrap();
    for file in files {
        let place = folder.path().join(file);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(place, file).unwrap();
    }
    let mut index = repository.index().unwrap();
    index.add_all(["*"], IndexAddOption::DEFAULT, None).unwrap();
    let tree = index.write_tree().unwrap();
    index.read_tree(&repository.find_tree(tree).unwrap()).unwrap();
    index.write().unwrap();
    (folder, repository)
}

fn entry(repository: &Repository, text: &str) -> Option<NewEntry> {
    Some(NewEntry { id: repository.blob(text.as_bytes()).unwrap(), executable: false, data: None })
}

/// As libgit2 reads it, which looks at the sum, and takes trees that it finds known for what they say.
fn read_by_libgit2(repository: &Repository) -> (Vec<(String, Oid)>, Oid) {
    let mut index = git2::Index::open(&repository.path().join("index")).unwrap();
    let files = index.iter().map(|entry| (String::from_utf8(entry.path).unwrap(), entry.id)).collect();
    (files, index.write_tree_to(repository).unwrap())
}

#[test]
fn files_that_come_and_go_and_become_others_are_what_libgit2_reads_then() {
    let (_folder, repository) = repository(&["a", "b/c", "b/d/e", "b/d/f", "g", "h/i"]);
    let mut index = Index::read(&repository.path().join("index")).unwrap();
    let changes = [
        ("b/d/e", entry(&repository, "another")),
        ("b/d/new", entry(&repository, "new")),
        ("new/in/it", entry(&repository, "deep")),
        ("a", None),
        ("h/i", None),
        ("nowhere", None),
    ];
    let changes: BTreeMap<String, _> = changes.into_iter().map(|(path, change)| (path.to_owned(), change)).collect();
    index.update(&changes);
    index.write().unwrap();
    let (files, tree) = read_by_libgit2(&repository);
    let names: Vec<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(names, ["b/c", "b/d/e", "b/d/f", "b/d/new", "g", "new/in/it"]);
    assert_eq!(files[1].1, repository.blob(b"another").unwrap());
    // What one without any memory of trees comes to.
    let mut fresh = git2::Index::new().unwrap();
    git2::Index::open(&repository.path().join("index")).unwrap().iter().for_each(|entry| fresh.add(&entry).unwrap());
    assert_eq!(tree, fresh.write_tree_to(&repository).unwrap());
    assert!(index.is_current());
}

#[test]
fn trees_of_untouched_folders_stay_known() {
    let (_folder, repository) = repository(&["a/b/c", "a/d", "e/f/g", "h"]);
    let mut index = Index::read(&repository.path().join("index")).unwrap();
    assert_eq!(memchr::memmem::find_iter(&index.trees, b"\0-1 ").count(), 0);
    index.update(&BTreeMap::from([("a/b/x".to_owned(), entry(&repository, "x"))]));
    let known: Vec<&[u8]> = vec![b"e\x001 1\n", b"f\x001 0\n"];
    for known in known {
        assert!(memchr::memmem::find(&index.trees, known).is_some(), "{}", index.trees.escape_ascii());
    }
    for unknown in [b"\0-1 2\n".as_slice(), b"a\0-1 1\n", b"b\0-1 0\n"] {
        assert!(memchr::memmem::find(&index.trees, unknown).is_some(), "{}", index.trees.escape_ascii());
    }
}

#[test]
fn an_index_that_somebody_else_has_written_is_not_current_and_is_read_again() {
    let (_folder, repository) = repository(&["a", "c/d"]);
    let index = Index::read(&repository.path().join("index")).unwrap();
    let mut theirs = git2::Index::open(&repository.path().join("index")).unwrap();
    let mut added = theirs.get(0).unwrap();
    added.path = b"b".to_vec();
    theirs.add(&added).unwrap();
    theirs.write().unwrap();
    assert!(!index.is_current() && !index.has("b"));
    let index = index.reread().unwrap();
    assert!(index.is_current() && index.has("b") && index.len() == 3);
    assert_eq!(index.folders(), Some(BTreeSet::from(["", "c"])));
    assert_eq!(index.bytes(), 5);
    assert_eq!(index.ids_of("d"), [repository.blob(b"c/d").unwrap()]);
}

#[test]
fn forms_that_are_for_git_are_not_read() {
    let (_folder, repository) = repository(&["a", "b"]);
    let path = repository.path().join("index");
    let whole = fs::read(&path).unwrap();
    assert!(Index::read(&path).is_some());
    let changed = |at: usize, byte: u8| {
        let mut bytes = whole.clone();
        bytes[at] = byte;
        bytes
    };
    let flags = HEADER + BEFORE_NAME - 2;
    let with = |extension: &[u8]| [&whole[..whole.len() - SUM], extension, &[0, 0, 0, 0], &[1; SUM]].concat();
    for (bytes, reads) in [
        (changed(7, 3), false),
        (changed(7, 4), false),
        (changed(flags, 0x40), false),
        (changed(flags, 0x10), false),
        (changed(11, 200), false),
        (whole[..whole.len() - 30].to_vec(), false),
        (Vec::new(), false),
        (with(b"link"), false),
        (with(b"sdir"), false),
        (with(b"FSMN"), true),
    ] {
        fs::write(&path, &bytes).unwrap();
        assert_eq!(Index::read(&path).is_some(), reads, "{}", bytes.escape_ascii());
    }
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("index");
        fs::write(&path, [b"DIRC\0\0\0\x02\0\0\0\x01".as_slice(), &bytes].concat()).unwrap();
        let _ = Index::read(&path);
        let _ = trees::without(&bytes, &BTreeSet::from([""]));
    }
}
