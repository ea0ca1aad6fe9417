//! What a task does with each path of its lines: writes, deletes, renames, or only mentions it.
//!
//! A path that stands in a task is written unless a word before it says otherwise; a bare name needs a word that says
//! so. Cues only ever take away: where they disagree the path is unsure, and shown as such. Knows no document and no
//! repository.

use super::cues::{self, has};
use super::looks::Looks;
use super::words::{Word, is_ideograph};

/// What is done with a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Write,
    Delete,
    /// The old name; the new one is the next path of the line.
    RenameFrom,
    Mention,
    /// It may be written; nobody can tell from the words.
    Unsure,
}

/// What the lines before say about a line.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Mood {
    /// The step only looks ("Verify …", "Run …").
    pub looks: bool,
    /// The line is the task's title.
    pub title: bool,
    /// The task writes tests, and names the file for them.
    pub testing: bool,
}

/// How far back a cue is looked for, in words.
const REACH: usize = 12;

/// The role of each word that is a path, by its index; and whether the line ends as a step that only looks.
pub(super) fn roles(words: &[Word], mood: Mood) -> (Vec<(usize, Role)>, bool) {
    let mut line = Line { words, roles: Vec::new(), mood, looks: mood.looks };
    if label(words).is_some_and(is_reference) {
        line.looks = true;
    }
    for at in 0..words.len() {
        line.turn(at);
        if let Some(Word::Seen(_)) = words.get(at) {
            let role = line.judge(at);
            line.roles.push((at, role));
        }
    }
    line.either_or();
    (line.roles, line.looks)
}

/// The words before a colon that stands near the beginning of the line.
fn label(words: &[Word]) -> Option<&str> {
    match words {
        [Word::Plain(word), Word::Mark(':'), ..] => Some(word),
        [Word::Plain(_), Word::Plain(word), Word::Mark(':'), ..] => Some(word),
        _ => None,
    }
}

fn is_reference(label: &str) -> bool {
    let words = [
        "reference",
        "references",
        "ref",
        "refs",
        "see",
        "depends",
        "dependencies",
        "note",
        "notes",
        "reason",
        "source",
        "rationale",
        "why",
        "verify",
        "verification",
        "acceptance",
        "given",
        "expected",
        "result",
        "context",
        "pattern",
        "参考",
        "参照",
        "依存",
        "依赖",
    ];
    words.contains(&label)
}

/// The nearest word before a path that says something about it.
enum Cue {
    /// It stands in a list after the path at this index.
    Listed(usize),
    Mention,
    Place,
    From,
    Weak,
    Verb,
    Add,
    Delete,
    Rename,
    /// The line, a clause, a parenthesis begins.
    Start(usize),
    Colon,
    Parenthesis,
    Clause,
    Dot,
}

struct Line<'a> {
    words: &'a [Word],
    roles: Vec<(usize, Role)>,
    mood: Mood,
    looks: bool,
}

impl Line<'_> {
    fn plain(&self, at: usize) -> Option<&str> {
        match self.words.get(at) {
            Some(Word::Plain(word)) => Some(word),
            _ => None,
        }
    }

    fn before(&self, at: usize) -> Option<&str> {
        at.checked_sub(1).and_then(|at| self.plain(at))
    }

    fn role(&self, at: usize) -> Option<Role> {
        let found = self.roles.binary_search_by_key(&at, |&(at, _)| at).ok()?;
        self.roles.get(found).map(|&(_, role)| role)
    }

    /// A clause may turn from looking to writing: "Run the script and update X".
    fn turn(&mut self, at: usize) {
        if self.words.get(at) == Some(&Word::Mark('·')) {
            self.looks = self.mood.looks;
        }
        let begins = match at.checked_sub(1).and_then(|before| self.words.get(before)) {
            None => true,
            Some(Word::Mark(mark)) => matches!(mark, '.' | ';' | ',' | '—' | ':' | '+' | '(' | '→'),
            Some(Word::Plain(word)) => matches!(word.as_str(), "and" | "then" | "et" | "y" | "und" | "e"),
            _ => false,
        };
        let Some(word) = self.plain(at).filter(|_| begins) else { return };
        let word = word.to_owned();
        if has(cues::LOOK, &word) {
            self.looks = true;
        } else if has(cues::WRITE, &word) || has(cues::DELETE, &word) || has(cues::RENAME, &word) {
            self.looks = false;
        }
    }

    fn judge(&self, at: usize) -> Role {
        let Some(Word::Seen(seen)) = self.words.get(at) else { return Role::Mention };
        let path = match &seen.looks {
            Looks::Files(files) => files.first().map_or("", String::as_str),
            Looks::Slashed(_) | Looks::Extension(_) => return Role::Mention,
            _ => seen.written.as_str(),
        };
        let bare = !path.contains('/');
        let cue = self.cue(at);
        if self.is_new(at) {
            return Role::Write;
        }
        if let Cue::Listed(before) = cue {
            let before = self.role(before).unwrap_or(Role::Unsure);
            return if before == Role::RenameFrom { Role::Write } else { before };
        }
        if self.looks {
            // "Verify the schema in tests/schema_test.py" asks for the test, unless it must pass.
            let asserts = matches!(cue, Cue::Place) && is_test(path) && !bare && self.asserts();
            return if asserts { Role::Write } else { Role::Mention };
        }
        if is_paper(path) {
            return if self.documents(at, &cue) { Role::Write } else { Role::Mention };
        }
        if let Some(role) = self.ideographs(at, &cue, bare) {
            return role;
        }
        let beside = self.mood.testing && !is_test(path);
        match cue {
            Cue::Mention => Role::Mention,
            Cue::Place if beside && self.tests_elsewhere() => Role::Mention,
            Cue::Place | Cue::Verb => Role::Write,
            Cue::Add if bare && !self.is_whole(at) => Role::Mention,
            Cue::Add => Role::Write,
            Cue::Delete if self.is_whole(at) => Role::Delete,
            Cue::Delete => Role::Unsure,
            Cue::Rename if self.leads_on(at) => Role::RenameFrom,
            Cue::Rename => Role::Write,
            Cue::From if self.from_writes(at) => Role::Write,
            Cue::From => Role::Mention,
            Cue::Weak if beside || bare => Role::Mention,
            Cue::Weak => Role::Unsure,
            Cue::Dot => Role::Write,
            Cue::Start(_) | Cue::Colon | Cue::Parenthesis | Cue::Clause if beside => Role::Mention,
            Cue::Start(words) if bare => match words {
                0 => Role::Write,
                1..=3 if self.mood.title => Role::Write,
                _ => Role::Mention,
            },
            Cue::Colon => Role::Write,
            Cue::Parenthesis | Cue::Clause if bare => Role::Unsure,
            _ => Role::Write,
        }
    }

    /// Goes back to the nearest word that says something.
    fn cue(&self, at: usize) -> Cue {
        let mut neutral = 0;
        let mut back = at;
        let mut depth = 0usize;
        while let Some(before) = back.checked_sub(1).filter(|_| at - back < REACH + 8 && neutral <= REACH) {
            back = before;
            let word = match self.words.get(back) {
                Some(Word::Mark(')')) => {
                    depth += 1;
                    continue;
                }
                Some(Word::Mark('(')) if depth > 0 => {
                    depth -= 1;
                    continue;
                }
                _ if depth > 0 => continue,
                Some(Word::Mark('(')) => return Cue::Parenthesis,
                Some(Word::Mark(':')) => {
                    return if self.before(back).is_some_and(is_reference) { Cue::Mention } else { Cue::Colon };
                }
                Some(Word::Mark(',' | '+' | '/')) => return self.listed(back).map_or(Cue::Clause, Cue::Listed),
                Some(Word::Mark('·')) => return Cue::Dot,
                Some(Word::Mark('→')) => {
                    let from = self.listed(back).filter(|&from| self.role(from) == Some(Role::RenameFrom));
                    return if from.is_some() { Cue::Verb } else { Cue::Clause };
                }
                Some(Word::Mark(_)) => return Cue::Clause,
                Some(Word::Code) => {
                    neutral += 1;
                    continue;
                }
                // Two paths with nothing between them.
                Some(Word::Seen(_)) => return Cue::Clause,
                Some(Word::Plain(word)) => word.as_str(),
                None => break,
            };
            if matches!(word, "and" | "or" | "und" | "et" | "y" | "と" | "和" | "及" | "、" | "以及") {
                match self.listed(back) {
                    Some(before) if neutral <= 3 => return Cue::Listed(before),
                    _ => {
                        neutral += 1;
                        continue;
                    }
                }
            }
            if has(cues::PLACE, word) {
                return if self.defined(back, word) { Cue::Mention } else { Cue::Place };
            }
            if word == "from" || word == "depuis" || word == "desde" {
                return Cue::From;
            }
            let first = back == 0;
            if has(cues::MENTION, word) && !(first && has(cues::WRITE, word)) {
                return Cue::Mention;
            }
            if has(cues::WEAK, word) {
                return Cue::Weak;
            }
            if has(cues::DELETE, word) {
                let plain = (back + 1..at).all(|at| self.plain(at).is_some_and(|word| has(cues::ARTICLES, word)));
                return if plain { Cue::Delete } else { Cue::Verb };
            }
            if has(cues::RENAME, word) {
                return Cue::Rename;
            }
            if has(cues::ADD, word) {
                return Cue::Add;
            }
            if has(cues::WRITE, word) {
                return Cue::Verb;
            }
            neutral += 1;
        }
        Cue::Start(neutral)
    }

    /// The path that stands right before the mark or word at `at`, parentheses after it left out.
    fn listed(&self, at: usize) -> Option<usize> {
        let mut back = at;
        let mut depth = 0usize;
        while let Some(before) = back.checked_sub(1).filter(|_| at - back < 24) {
            back = before;
            match self.words.get(back)? {
                Word::Mark(')') => depth += 1,
                Word::Mark('(') => depth = depth.checked_sub(1)?,
                _ if depth > 0 => {}
                Word::Seen(_) => return Some(back),
                Word::Mark(',') => {}
                _ => return None,
            }
        }
        None
    }

    /// "defined in X", "link to X", "to read the list in X": a reference, not a place to write.
    fn defined(&self, at: usize, word: &str) -> bool {
        let before = self.before(at).unwrap_or_default();
        if has(cues::DEFINED, before) && word != "of" {
            return true;
        }
        // A verb that looks, in a clause that began with another verb.
        for back in (at.saturating_sub(7)..at).rev() {
            match self.words.get(back) {
                Some(Word::Plain(word)) if has(cues::WRITE, word) && !has(cues::MENTION, word) => return false,
                Some(Word::Plain(word)) if back > 0 && has(cues::MENTION, word) && word != "by" && word != "via" => {
                    let verb = self.before(back).is_some_and(|before| before == "to");
                    if verb {
                        return true;
                    }
                }
                Some(Word::Seen(_) | Word::Mark('.' | ';' | '(' | ',' | ':')) => return false,
                _ => {}
            }
        }
        false
    }

    /// Does the verb before "from" change what follows?
    fn from_writes(&self, at: usize) -> bool {
        let from = (at.saturating_sub(REACH)..at).rev().find(|&back| self.plain(back) == Some("from")).unwrap_or(at);
        let clause = (from.saturating_sub(REACH)..from)
            .rev()
            .take_while(|&back| !matches!(self.words.get(back), Some(Word::Mark('.' | ';' | '→'))));
        clause.into_iter().any(|back| self.plain(back).is_some_and(|word| has(cues::FROM_WRITES, word)))
    }

    /// Is the path all that the verb is about? Not in "create config.json parser".
    fn is_whole(&self, at: usize) -> bool {
        match self.words.get(at + 1) {
            Some(Word::Plain(word)) => has(cues::AFTER_FILE, word) || word.starts_with(is_ideograph),
            _ => true,
        }
    }

    /// Does the rename say what to?
    fn leads_on(&self, at: usize) -> bool {
        let rest = self.words.iter().skip(at + 1).take(REACH);
        let mut arrow = false;
        for word in rest {
            match word {
                Word::Plain(word) if matches!(word.as_str(), "to" | "into" | "as" | "vers" | "a") => arrow = true,
                Word::Mark('→') => arrow = true,
                Word::Mark('.' | ';') => return false,
                Word::Seen(seen) => return arrow && matches!(seen.looks, Looks::Files(_) | Looks::Directory(_)),
                _ => {}
            }
        }
        false
    }

    /// `(new)` right after the path.
    fn is_new(&self, at: usize) -> bool {
        let open = self.words.get(at + 1) == Some(&Word::Mark('('));
        open && self
            .plain(at + 2)
            .is_some_and(|word| matches!(word, "new" | "neu" | "nouveau" | "nuevo" | "新規" | "新建"))
    }

    /// "Validate … in tests/x": the test is what is to be written, unless it is to be run.
    fn asserts(&self) -> bool {
        let words = || (0..self.words.len()).filter_map(|at| self.plain(at));
        let first = words().next().unwrap_or_default();
        matches!(first, "validate" | "verify" | "confirm" | "check" | "benchmark" | "measure")
            && !words().any(|word| {
                matches!(
                    word,
                    "pass" | "passes" | "passing" | "run" | "green" | "coverage" | "existing" | "all" | "still"
                )
            })
    }

    /// Is the place in a document of the feature one that the task writes?
    fn documents(&self, at: usize, cue: &Cue) -> bool {
        let direct = matches!(cue, Cue::Verb | Cue::Add | Cue::Place | Cue::Colon | Cue::Dot | Cue::Start(0));
        if let Some(writes) = self.ideographs(at, cue, true) {
            return writes == Role::Write;
        }
        let verb = (0..=2).find(|&at| self.plain(at).is_some_and(|word| has(cues::DOCUMENTS, word)));
        let Some(verb) = verb.filter(|_| direct && self.mood.title) else { return false };
        let whole = !matches!(cue, Cue::Add) || self.is_whole(at);
        let aside = (verb + 1..at).any(|at| {
            let to = self.before(at) == Some("to") && self.plain(at).is_some_and(|word| !has(cues::ARTICLES, word));
            to && at + 1 < self.words.len() && self.plain(at).is_some()
        });
        whole && !aside && at - verb <= 9
    }

    /// A test task: is there a test file that the line is about?
    fn tests_elsewhere(&self) -> bool {
        self.words.iter().any(|word| match word {
            Word::Seen(seen) => is_test(&seen.written),
            _ => false,
        })
    }

    /// The role by words that have no blanks between them, which stand after the path more often than before it.
    fn ideographs(&self, at: usize, cue: &Cue, bare: bool) -> Option<Role> {
        let script = |at: usize| self.plain(at).filter(|word| word.starts_with(is_ideograph));
        let before = at.checked_sub(1).and_then(script).unwrap_or_default();
        if matches!(cue, Cue::Mention | Cue::Delete | Cue::Rename)
            || cues::BEFORE_MENTION.iter().any(|word| before.ends_with(word))
        {
            return script(at + 1).or(at.checked_sub(1).and_then(script)).map(|_| Role::Mention);
        }
        let mut after = String::new();
        let mut depth = 0usize;
        for word in self.words.iter().skip(at + 1).take(24) {
            match word {
                Word::Mark('(') => depth += 1,
                Word::Mark(')') => depth = depth.saturating_sub(1),
                _ if depth > 0 => {}
                Word::Seen(_) | Word::Mark('.') if !after.is_empty() => break,
                Word::Plain(word) if word.starts_with(is_ideograph) => after.push_str(word),
                _ => {}
            }
        }
        if after.is_empty() && before.is_empty() {
            return None;
        }
        if after.starts_with("を削除")
            || after.starts_with("削除")
            || before.ends_with("删除")
            || after.starts_with("삭제")
        {
            return Some(Role::Delete);
        }
        if script(at + 1).is_some_and(|next| cues::AFTER_MENTION.iter().any(|word| next.starts_with(word))) {
            return Some(Role::Mention);
        }
        let writes = |text: &str| cues::WRITE_IDEOGRAPHS.iter().any(|word| text.contains(word));
        if writes(&after) || writes(before) {
            return Some(Role::Write);
        }
        if ["確認", "確かめ", "検証", "验证", "检查", "运行", "実行", "확인"].iter().any(|word| after.contains(word))
        {
            return Some(Role::Mention);
        }
        (bare && script(at + 1).is_some() && !matches!(cue, Cue::Start(0))).then_some(Role::Unsure)
    }

    /// `a.toml` or `b.txt`: nobody can tell which.
    fn either_or(&mut self) {
        let mut torn = Vec::new();
        for pair in self.roles.windows(2) {
            let [(first, Role::Write), (second, Role::Write)] = *pair else { continue };
            let between = self.words.get(first + 1..second).unwrap_or_default();
            let words: Vec<_> = between.iter().filter(|word| !matches!(word, Word::Mark(_))).collect();
            if let [Word::Plain(word)] = words.as_slice()
                && matches!(word.as_str(), "or" | "oder" | "ou" | "o" | "または" | "或" | "或者")
            {
                torn.extend([first, second]);
            }
        }
        for (at, role) in &mut self.roles {
            if torn.contains(at) {
                *role = Role::Unsure;
            }
        }
    }
}

/// Is the path one of a test?
pub(super) fn is_test(path: &str) -> bool {
    let path = path.to_lowercase();
    path.contains("test")
        || path.contains(".spec.")
        || path.contains("_spec.")
        || path.contains("spec/")
        || path.contains("e2e")
}

/// A document of the feature itself: what tasks refer to more often than they write it.
fn is_paper(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
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
    let under = |folder: &str| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    let specs = path.starts_with("specs/") || path.starts_with(".kiro/specs/") || path.starts_with("openspec/changes/");
    (design.contains(&name) && !is_test(path))
        || under("contracts")
        || under("checklists")
        || (specs && path.contains("/contracts/"))
}

#[cfg(test)]
mod tests {
    use super::super::words::words;
    use super::*;

    fn told(line: &str) -> Vec<(String, Role)> {
        let words = words(line);
        let (roles, _) = roles(&words, Mood { title: true, ..Mood::default() });
        let name = |at: usize| match &words[at] {
            Word::Seen(seen) => seen.written.clone(),
            _ => String::new(),
        };
        roles.into_iter().map(|(at, role)| (name(at), role)).collect()
    }

    fn all(role: Role, lines: &[&str]) {
        for line in lines {
            let found = told(line);
            assert!(!found.is_empty() && found.iter().all(|(_, one)| *one == role), "{line}: {found:?}");
        }
    }

    #[test]
    fn a_path_is_written_where_the_words_put_something_into_it() {
        all(
            Role::Write,
            &[
                "Create the model in src/model.py",
                "Implement `src/model.py` + `src/view.py` to make T3 green",
                "Create README.md with instructions",
                "Add a call to cli.py",
                "Update pubspec.yaml dependencies",
                "`templates.ts`: emit keys",
                "Contract test for POST /tides in tests/contract/test_tides.py",
                "Remove the old call from src/cli.py",
                "Run the generator and update src/list.txt",
                "lib/main.dartに初期化コード追加",
                "更新 README.md 中的测试部分",
                "Update quickstart.md with the final notes",
                "Document the choice in research.md",
                "Emit the event · `src/a.ts`, `src/b.ts`",
                "Validate the schema in tests/unit/schema.spec.ts",
                "Export the type from src/index.ts",
            ],
        );
    }

    #[test]
    fn a_path_is_only_mentioned_after_words_that_read_refer_or_look() {
        all(
            Role::Mention,
            &[
                "Verify that src/a.py is unchanged",
                "Run tests in tests/test_a.py",
                "Follow the pattern per data-model.md",
                "Validate against quickstart.md",
                "Support the format defined in src/types.ts",
                "Detect .specify/memory/x.md",
                "Implement settings.json parser",
                "Exclude `design.md` from the list",
                "Review src/a.py",
                "config.tomlから読み込み",
                "运行 quickstart.md 中的步骤",
                "Reference: src/old.py",
            ],
        );
    }

    #[test]
    fn the_words_decide_for_each_path_of_a_line() {
        use Role::*;
        for (line, want) in [
            ("Call the loader from src/db.ts in src/api.ts", vec![Write, Write]),
            ("Import the loader from src/db.ts in src/api.ts", vec![Mention, Write]),
            ("Add a link to docs/a.md in README.md", vec![Mention, Write]),
            ("Implement parse() in src/parser.ts to read .x/memory/y.md", vec![Write, Mention]),
            ("Use `pyproject.toml` or `setup.cfg`", vec![Mention, Mention]),
            ("Add it to `pyproject.toml` or `setup.cfg`", vec![Unsure, Unsure]),
            ("Rename src/old.ts to src/new.ts", vec![RenameFrom, Write]),
            ("Delete src/old.ts and src/older.ts", vec![Delete, Delete]),
            ("Remove the unused file `src/old.ts`", vec![Delete]),
            ("Remove `src/old.ts` import in src/b.ts", vec![Unsure, Write]),
            ("Validate src/a.md and log gaps in docs/b.md", vec![Mention, Write]),
        ] {
            let found: Vec<_> = told(line).into_iter().map(|(_, role)| role).collect();
            assert_eq!(found, want, "{line}");
        }
    }
}
