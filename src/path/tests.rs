use super::*;

fn refused(path: &str) -> PathError {
    match RepoPath::new(path) {
        Ok(_) => panic!("'{path}' was taken"),
        Err(error) => error,
    }
}

#[test]
fn ordinary_paths_are_taken_as_they_are() {
    for path in [
        "a",
        "src/main.rs",
        ".gitignore",
        "docs/.gitkeep",
        ".github/workflows/ci.yml",
        ".gitattributes",
        ".gitmodules",
        "app/[id]/page.tsx",
        "a b/c d.txt",
        "..a/b..c/...d",
        "über/Straße/文件.md",
        "git/git1/gitfoo~1",
        "console/aux_input/nullable/com10/lpt.txt",
        "-n",
        "a~b/x~1.txt",
        "emoji/🧪.md",
    ] {
        assert_eq!(RepoPath::new(path).map(|p| p.as_str().to_owned()), Ok(path.to_owned()), "{path}");
    }
}

#[test]
fn a_path_that_is_not_relative_to_the_root_is_refused() {
    assert_eq!(refused(""), PathError::Empty);
    assert_eq!(refused("/etc/passwd"), PathError::Absolute);
    assert_eq!(refused("//server/share"), PathError::Absolute);
    assert_eq!(refused(r"\\server\share"), PathError::Absolute);
    assert_eq!(refused("C:/Users/a"), PathError::Drive('C'));
    assert_eq!(refused("c:a"), PathError::Drive('c'));
    assert_eq!(refused("~/a"), PathError::Home);
    assert_eq!(refused("~"), PathError::Home);
}

#[test]
fn components_that_mean_another_place_are_refused() {
    assert_eq!(refused("a/../b"), PathError::DotDot);
    assert_eq!(refused(".."), PathError::DotDot);
    assert_eq!(refused("./a"), PathError::Dot);
    assert_eq!(refused("a//b"), PathError::EmptyComponent);
    assert_eq!(refused("a/"), PathError::EmptyComponent);
    assert_eq!(refused(r"a\b"), PathError::Backslash);
    assert_eq!(refused(r"..\a"), PathError::Backslash);
    assert_eq!(refused("a/..."), PathError::TrailingDotOrSpace("...".into()));
    assert_eq!(refused("a /b"), PathError::TrailingDotOrSpace("a ".into()));
    assert_eq!(refused("a.txt."), PathError::TrailingDotOrSpace("a.txt.".into()));
}

#[test]
fn every_spelling_of_the_git_directory_is_refused() {
    for name in [
        ".git",
        ".GIT",
        ".gIt",
        ".git ",
        ".git.",
        ".git. . .",
        ".git::$INDEX_ALLOCATION",
        ".git:stream",
        ".git .:x",
        "git~1",
        "GIT~1",
        "git~2",
        "git~1.",
        "git~1:x",
        ".g\u{200c}it",
        "\u{feff}.git",
        ".git\u{206f}",
        ".G\u{202e}I\u{200d}T",
        ".git\u{200c} .",
    ] {
        for path in [name.to_owned(), format!("{name}/config"), format!("a/b/{name}/hooks/x")] {
            assert_eq!(refused(&path), PathError::DotGit(name.into()), "{path:?}");
        }
    }
}

#[test]
fn short_names_of_the_files_that_git_reads_are_refused() {
    for (name, means) in [
        ("gitmod~1", ".gitmodules"),
        ("GITMOD~4", ".gitmodules"),
        ("gi7eba~1", ".gitmodules"),
        ("gi7eb~12", ".gitmodules"),
        ("gitatt~2", ".gitattributes"),
        ("gi7d29~9", ".gitattributes"),
        ("gitign~1", ".gitignore"),
        ("gi250a~1", ".gitignore"),
    ] {
        assert_eq!(refused(&format!("a/{name}")), PathError::ShortName { component: name.into(), means });
    }
    for name in ["gitmod~5", "gitmod~12", "gi7eba~0", "gi7eba~a", "gitmo~1"] {
        assert!(RepoPath::new(name).is_ok(), "{name}");
    }
}

#[test]
fn devices_of_windows_are_refused_in_every_directory_and_with_every_extension() {
    for (name, device) in [
        ("NUL", "NUL"),
        ("con.txt", "CON"),
        ("aux.c", "AUX"),
        ("Prn.tar.gz", "PRN"),
        ("com1", "COM1"),
        ("lpt0.log", "LPT0"),
        ("com¹.x", "COM¹"),
        ("nul .txt", "NUL"),
        ("CONIN$", "CONIN$"),
        ("nul:x", "NUL"),
    ] {
        let want = PathError::Device { component: name.into(), device: device.into() };
        assert_eq!(refused(name), want);
        assert_eq!(refused(&format!("a/{name}")), want);
        assert_eq!(refused(&format!("{name}/a")), want);
    }
}

#[test]
fn characters_that_do_not_show_or_that_steer_a_terminal_are_refused() {
    assert_eq!(refused("a\0b"), PathError::Control('\0'));
    assert_eq!(refused("a\nb"), PathError::Control('\n'));
    assert_eq!(refused("a\u{1b}[2Jb"), PathError::Control('\u{1b}'));
    assert_eq!(refused("a\u{7f}"), PathError::Control('\u{7f}'));
    assert_eq!(refused("a\u{9b}2J"), PathError::Control('\u{9b}'));
    assert_eq!(refused("a\u{2028}b"), PathError::Control('\u{2028}'));
    assert_eq!(refused("a\u{202e}txt.exe"), PathError::Invisible('\u{202e}'));
    assert_eq!(refused("a\u{200b}"), PathError::Invisible('\u{200b}'));
    assert_eq!(refused("a\u{2066}b"), PathError::Invisible('\u{2066}'));
}

#[test]
fn a_colon_is_refused_because_it_names_a_stream() {
    assert_eq!(refused("src/a.py:zone"), PathError::Colon("a.py:zone".into()));
    assert_eq!(refused(":(top)a"), PathError::Colon(":(top)a".into()));
}

#[test]
fn length_is_limited_by_component_and_by_path() {
    assert!(RepoPath::new(&"a".repeat(255)).is_ok());
    assert!(matches!(refused(&"a".repeat(256)), PathError::ComponentTooLong { bytes: 256, .. }));
    assert!(matches!(refused(&"ü".repeat(128)), PathError::ComponentTooLong { bytes: 256, .. }));
    let long = vec!["a".repeat(240); 17].join("/");
    assert_eq!(long.len(), 4096);
    assert!(RepoPath::new(&long).is_ok());
    assert_eq!(refused(&format!("{long}a")), PathError::TooLong { bytes: 4097 });
}

#[test]
fn a_path_comes_apart_into_names_and_directories() {
    let path = RepoPath::new("a/b.d/c.tar.gz").unwrap();
    assert_eq!(path.components().collect::<Vec<_>>(), ["a", "b.d", "c.tar.gz"]);
    assert_eq!(path.directories().collect::<Vec<_>>(), ["a", "a/b.d"]);
    assert_eq!((path.file_name(), path.file_stem(), path.extension()), ("c.tar.gz", "c.tar", Some("gz")));
    assert_eq!(path.parent(), "a/b.d");
    let hidden = RepoPath::new(".env").unwrap();
    assert_eq!((hidden.file_stem(), hidden.extension(), hidden.parent()), (".env", None, ""));
    assert_eq!(hidden.directories().count(), 0);
}

#[test]
fn a_path_lies_under_its_own_directories_only() {
    let path = RepoPath::new("src/ab/c").unwrap();
    for directory in ["", "src", "src/ab", "src/ab/c"] {
        assert!(path.starts_with(directory), "{directory}");
    }
    for directory in ["src/a", "sr", "src/ab/c/d", "ab"] {
        assert!(!path.starts_with(directory), "{directory}");
    }
}

#[test]
fn paths_that_case_or_composition_alone_tells_apart_fold_together() {
    assert_eq!(folded("SRC/Main.rs"), folded("src/main.rs"));
    assert_eq!(folded("caf\u{e9}"), folded("CAFE\u{301}"));
    assert_eq!(folded("\u{dc}ber"), folded("u\u{308}BER"));
    assert_ne!(folded("a_b"), folded("a-b"));
}

#[test]
fn letters_that_unicode_folds_to_several_or_to_another_fold_together() {
    for (one, other) in [
        ("\u{17f}rc.py", "src.py"),
        ("straße.py", "STRASSE.py"),
        ("STRA\u{1e9e}E.py", "strasse.py"),
        ("\u{212a}elvin", "kelvin"),
        ("\u{fb01}le", "FILE"),
        ("ΣΑΣ", "σας"),
        ("\u{1e9b}\u{323}", "\u{1e69}"),
        ("\u{390}", "\u{1fd3}"),
        ("Ǆ", "ǆ"),
    ] {
        assert_eq!(folded(one), folded(other), "{one} {other}");
        assert_eq!(folded(&folded(one)), folded(one), "{one}");
    }
    assert_ne!(folded("caf\u{e9}"), folded("cafe"));
}

#[test]
fn json_holds_the_path_as_text_and_is_checked_when_it_is_read() {
    let path = RepoPath::new("src/a.py").unwrap();
    assert_eq!(serde_json::to_string(&path).unwrap(), r#""src/a.py""#);
    assert_eq!(serde_json::from_str::<RepoPath>(r#""src/a.py""#).unwrap(), path);
    let error = serde_json::from_str::<RepoPath>(r#""../a.py""#).unwrap_err().to_string();
    assert!(error.contains("the component '..'"), "{error}");
}

#[test]
fn reasons_never_carry_a_terminal_escape() {
    for path in ["a\u{1b}[2J", "a:\u{1b}", ".git:\u{1b}[2J", "nul.\u{1b}[2J"] {
        let words = refused(path).to_string();
        assert!(!words.chars().any(char::is_control), "{words:?}");
    }
}

/// Sequences of awkward pieces, from a fixed seed: whatever is taken must look harmless to a judge that shares no code
/// with the rules.
#[test]
fn whatever_is_taken_is_harmless_and_whatever_is_plain_is_taken() {
    const PIECES: [&str; 30] = [
        "a", "src", ".git", "GIT", ".", "..", "/", "/", "/", "\\", " ", ":", "~", "~1", "git", "\u{200d}", "\u{202e}",
        "nul", "CON", ".txt", "\0", "\n", "é", "e\u{301}", "-", "_", "\u{85}", "modules", "1", "$",
    ];
    let mut seed: u64 = 0x2545_f491_4f6c_dd1d;
    let mut next = |n: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % n as u64) as usize
    };
    let (mut taken, mut refusals) = (0, 0);
    for _ in 0..40_000 {
        let text: String = (0..1 + next(7)).map(|_| PIECES[next(PIECES.len())]).collect();
        let harmless = |name: &str| {
            let visible: String = name.chars().filter(|c| !"\u{200d}\u{202e}".contains(*c)).collect();
            let upper = visible.to_uppercase();
            let stem = upper.split(['.', ':']).next().unwrap_or("").trim_end();
            !name.is_empty()
                && name.trim_end_matches(['.', ' ']) == name
                && !name.contains(['\\', ':', '\0', '\n', '\u{85}', '\u{200d}', '\u{202e}'])
                && !["NUL", "CON"].contains(&stem)
                && upper != ".GIT"
                && !upper.strip_prefix("GIT~").is_some_and(|n| !n.is_empty() && n.chars().all(|c| c == '1'))
        };
        match RepoPath::new(&text) {
            Ok(path) => {
                taken += 1;
                assert!(path.components().all(harmless), "{text:?} was taken");
                assert_eq!(path.components().collect::<Vec<_>>().join("/"), text);
                assert_eq!(RepoPath::new(path.as_str()), Ok(path));
            }
            Err(error) => {
                assert!(!text.split('/').all(|c| harmless(c) && c != "~"), "{text:?} was refused: {error}");
                refusals += 1;
            }
        }
    }
    assert!(taken > 2_000 && refusals > 2_000, "{taken} taken, {refusals} refused");
}
