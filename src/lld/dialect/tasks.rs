//! Task lists: `- [ ] T012 [P] [US1] Create X in src/models/x.py`, as spec-kit, Kiro and OpenSpec write them.
//!
//! Reads which files each task writes, by the looks of its words. It does not know the repository: a path that exists
//! only under a longer one is the plan's to find.

use super::{Dialect, Document, Found, Row, title};
use crate::lld::inline::{Piece, bullet, pieces};
use crate::lld::lines::Kind;
use crate::lld::shape::{Shape, expand, is_known_name, shape};
use std::collections::{HashMap, HashSet};

pub(super) const DIALECT: Dialect =
    Dialect { name: "tasks", looks_for: "tasks with paths ('- [ ] T001 Create the model in src/model.py')", read };

/// A document with fewer tasks than this is a task list only if it is called so.
const ENOUGH: usize = 3;

/// How much of a task becomes the description of each of its files, in characters.
const MAX_DESCRIPTION: usize = 500;

fn read(document: &Document) -> Option<Found> {
    let tasks = tasks(document);
    let named = document.name.rsplit(['/', '\\']).next() == Some("tasks.md");
    let words: Vec<Vec<String>> = tasks.iter().map(|task| paths(&task.text)).collect();
    if tasks.is_empty() || !(named || is_task_list(document, &tasks, &words)) {
        return None;
    }
    let longer = by_base_name(&words);
    let mut found = Found { line: tasks.first().map_or(1, |task| task.line), ..Found::default() };
    for (task, paths) in tasks.iter().zip(&words) {
        let id = task.id.clone().unwrap_or_else(|| format!("L{}", task.line));
        if paths.is_empty() || only_looks(&task.text) {
            found.ignored.push((task.line, format!("task {id} names no file to write")));
            continue;
        }
        let description: String = task.text.lines().next().unwrap_or_default().chars().take(MAX_DESCRIPTION).collect();
        for path in paths {
            let path = longer.get(path.as_str()).copied().flatten().unwrap_or(path);
            found.rows.push(Row {
                line: task.line,
                cell: format!("`{path}`"),
                kind: deletes(&task.text, path).then(|| "Delete".to_owned()),
                description: description.clone(),
                implied: None,
                task: Some((id.clone(), task.done)),
            });
        }
    }
    Some(found)
}

/// Is a document of another name a task list? A design with a list of its own is none, however many boxes it has.
fn is_task_list(document: &Document, tasks: &[Task], words: &[Vec<String>]) -> bool {
    let with_id = tasks.iter().filter(|task| task.id.is_some()).count();
    let steps = tasks.iter().filter(|task| !task.criterion).count();
    let with_path = tasks.iter().zip(words).filter(|(task, paths)| !task.criterion && !paths.is_empty()).count();
    let lines = document.lines.iter().filter(|line| line.kind == Kind::Text).count();
    let numbered = with_id >= ENOUGH && with_id * 2 >= tasks.len();
    // Without ids the boxes must be what the document is made of.
    let boxed = with_path >= ENOUGH && steps * 4 >= lines;
    (numbered || boxed) && !document.headings.iter().any(|heading| title::file_list(heading.title).is_some())
}

struct Task {
    line: usize,
    id: Option<String>,
    done: bool,
    /// It stands under "Acceptance criteria" or the like: a condition, not a step.
    criterion: bool,
    /// The text less box, id and labels; then the lines under it that are no tasks.
    text: String,
}

/// Sections whose boxes say what must be true in the end.
fn is_about_criteria(title: &str) -> bool {
    let title = title::normal(title);
    ["criteria", "definition of done", "checklist", "verification", "open questions"]
        .iter()
        .any(|word| title.contains(word))
}

/// Every item with a box, at any depth.
fn tasks(document: &Document) -> Vec<Task> {
    let mut tasks: Vec<Task> = Vec::new();
    let mut depth = None;
    let mut criterion = false;
    for line in &document.lines {
        if let Kind::Heading(_, title) = line.kind {
            criterion = is_about_criteria(title);
        }
        match line.kind {
            Kind::Text => {}
            Kind::Blank | Kind::Open | Kind::Code | Kind::Close => continue,
            _ => {
                depth = None;
                continue;
            }
        }
        let found = bullet(line.text);
        match found {
            Some(bullet) if bullet.ticked.is_some() => {
                let (id, text) = identify(bullet.text);
                depth = Some(bullet.indent);
                let done = bullet.ticked == Some(true);
                tasks.push(Task { line: line.number, id, done, criterion, text: text.to_owned() });
            }
            _ => {
                let indent = line.text.len() - line.text.trim_start().len();
                match tasks.last_mut().filter(|_| depth.is_some_and(|depth| indent > depth)) {
                    Some(task) => {
                        task.text.push('\n');
                        task.text.push_str(line.text.trim());
                    }
                    None => depth = None,
                }
            }
        }
    }
    tasks
}

/// The id that a task begins with (`T012`, `1.1`, `**T001**`), and the text after it and its labels.
fn identify(text: &str) -> (Option<String>, &str) {
    let whole = text;
    let text = text.trim_start_matches(['*', '`', ' ']);
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '-'))).unwrap_or(text.len());
    let (word, rest) = text.split_at_checked(end).unwrap_or((text, ""));
    let id = word.trim_end_matches(['.', '-']);
    let digits = id.trim_start_matches(|c: char| c.is_ascii_uppercase()).trim_start_matches('-');
    let numbered = digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.chars().all(|c| c.is_ascii_digit() || c == '.' || c.is_ascii_lowercase())
        && digits.chars().filter(char::is_ascii_lowercase).count() <= 1
        && id.len() - digits.len() <= 6;
    if !numbered {
        return (None, whole);
    }
    let mut rest = rest.trim_start_matches(['*', '`', ':', '.', ' ']);
    while let Some((label, after)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        if label.len() > 12 || after.starts_with('(') {
            break;
        }
        rest = after.trim_start();
    }
    (Some(id.to_owned()), rest)
}

/// The paths among the words of a task, in order.
fn paths(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut seen: HashSet<String> = HashSet::new();
    let mut push = |word: &str| {
        if let Some(paths) = path(word) {
            for path in paths {
                if seen.insert(path.clone()) {
                    found.push(path);
                }
            }
        }
    };
    for piece in pieces(text) {
        match piece {
            Piece::Code(code) if code.contains(char::is_whitespace) => {}
            Piece::Code(code) => push(code),
            Piece::Text(text) => {
                // The commas in `{a,b}.ts` end no word.
                let words =
                    text.split(ends_word).flat_map(|word| word.split(if word.contains('{') { '\n' } else { ',' }));
                words.for_each(&mut push);
            }
        }
    }
    found
}

/// What cannot be part of a path in running text, letters of languages without blanks included.
fn ends_word(letter: char) -> bool {
    letter.is_whitespace()
        || ";()\"'<>|→、。，：（）「」*".contains(letter)
        || ('\u{3040}'..='\u{30ff}').contains(&letter)
        || ('\u{4e00}'..='\u{9fff}').contains(&letter)
        || ('\u{ac00}'..='\u{d7af}').contains(&letter)
}

/// The path that a word is: it has an extension that files have, or a name that everybody knows.
fn path(word: &str) -> Option<Vec<String>> {
    let word = word.trim_end_matches(['.', ':', '!', '?', ']', '·']).trim_start_matches(['[', '·', ':']).trim();
    let word = if word.is_empty() { return None } else { word };
    let Shape::Path { path, directory: false } = shape(word) else { return None };
    let name = path.rsplit('/').next().unwrap_or(&path);
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let file = EXTENSIONS.contains(&extension.to_ascii_lowercase().as_str()) && !stem.is_empty()
        || (is_known_name(name) && name.ends_with("file"));
    let product = [
        "Next.js",
        "Node.js",
        "Vue.js",
        "Nuxt.js",
        "Express.js",
        "D3.js",
        "Three.js",
        "React.js",
        "Alpine.js",
        "Chart.js",
    ];
    let design = [
        "spec.md",
        "plan.md",
        "research.md",
        "data-model.md",
        "quickstart.md",
        "tasks.md",
        "design.md",
        "requirements.md",
        "proposal.md",
    ];
    let papers = design.contains(&name) || path.starts_with("contracts/") || path.starts_with("checklists/");
    (file && !papers && !product.iter().any(|product| product.eq_ignore_ascii_case(&path))).then(|| expand(&path))
}

/// For every bare name that one longer path ends in: that path.
fn by_base_name(words: &[Vec<String>]) -> HashMap<&str, Option<&String>> {
    let mut longer: HashMap<&str, Option<&String>> = HashMap::new();
    for path in words.iter().flatten().filter(|path| path.contains('/')) {
        let name = path.rsplit('/').next().unwrap_or(path);
        longer.entry(name).and_modify(|one| *one = one.filter(|other| *other == path)).or_insert(Some(path));
    }
    longer
}

/// Tasks that only look at files.
fn only_looks(text: &str) -> bool {
    let first = text.split(|c: char| !c.is_alphabetic()).find(|word| !word.is_empty()).unwrap_or_default();
    matches!(first.to_lowercase().as_str(), "verify" | "run" | "confirm" | "check" | "review" | "manually" | "validate")
}

/// `Delete src/a.py`: the verb and nothing but the path after it.
fn deletes(text: &str, path: &str) -> bool {
    let mut words = text.split_whitespace();
    let verb = words.next().unwrap_or_default();
    let object = words.next().unwrap_or_default().trim_matches(['`', ',', '.', ';']);
    matches!(verb.to_lowercase().as_str(), "delete" | "remove") && object.trim_end_matches('/') == path
}

/// Extensions of files that people and models write.
const EXTENSIONS: &[&str] = &[
    "astro",
    "bash",
    "bat",
    "bats",
    "c",
    "cc",
    "cfg",
    "cjs",
    "clj",
    "cmake",
    "conf",
    "cpp",
    "cs",
    "csproj",
    "css",
    "csv",
    "cts",
    "cxx",
    "dart",
    "dockerfile",
    "ejs",
    "env",
    "erl",
    "ex",
    "example",
    "exs",
    "fs",
    "fish",
    "gd",
    "go",
    "gql",
    "gradle",
    "graphql",
    "groovy",
    "h",
    "handlebars",
    "hbs",
    "hcl",
    "hh",
    "hpp",
    "hs",
    "htm",
    "html",
    "hxx",
    "ini",
    "ipynb",
    "java",
    "jinja",
    "jinja2",
    "jl",
    "js",
    "json",
    "json5",
    "jsonc",
    "jsonl",
    "jsx",
    "kt",
    "kts",
    "less",
    "lock",
    "lua",
    "m",
    "markdown",
    "md",
    "mdx",
    "mjs",
    "mk",
    "ml",
    "mli",
    "mm",
    "mod",
    "mts",
    "nim",
    "nix",
    "php",
    "pl",
    "plist",
    "pm",
    "prisma",
    "properties",
    "proto",
    "ps1",
    "py",
    "pyi",
    "r",
    "rb",
    "rs",
    "rst",
    "s",
    "sass",
    "scala",
    "scss",
    "sh",
    "sln",
    "sol",
    "sql",
    "sum",
    "svelte",
    "svg",
    "swift",
    "tf",
    "tfvars",
    "toml",
    "tpl",
    "ts",
    "tscn",
    "tsx",
    "txt",
    "vb",
    "vim",
    "vue",
    "xaml",
    "xml",
    "yaml",
    "yml",
    "zig",
    "zsh",
    "feature",
    "gitignore",
    "dockerignore",
];
