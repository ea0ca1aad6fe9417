//! What a heading, a label or a tag says about the paths that stand under it: that they are to be written, that they are
//! there to be read, that they must stay as they are, or nothing.
//!
//! By its words, in the languages that people plan in; never by its number. Does not read what stands under it.

use super::Change;
use super::title::{self, normal};
use super::verbs::{asked, forbid, has_word};
use super::wording;

/// What holds for the paths under a title.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// They are files to write, and this happens to all of them, if it says so.
    Files(Option<Change>),
    /// Steps: what they say of a path counts, a path alone does not.
    Steps,
    /// They are there to be read; only a verb beside a path counts.
    Reference,
    /// They belong to another change: what was decided against, comes later, was there before.
    Aside,
    /// They must stay as they are.
    Forbidden,
}

/// Titles under which nothing is asked of this change.
#[rustfmt::skip]
const ASIDE: &[&str] = &[
    "out of scope", "not in scope", "non goals", "non-goals", "nongoals", "not doing", "what we're not doing", "won't do",
    "alternatives", "alternative", "rejected", "future", "deferred", "follow up", "follow-up", "follow ups", "follow-ups",
    "later", "not included", "does not include", "explicitly out", "rollback", "roll back", "idempotence", "surprises",
    "retrospective", "outcomes", "current", "before", "existing", "today", "as is", "legacy", "what exists", "previous story",
    "スコープ外", "対象外", "範囲外", "现状", "現状", "不在范围", "范围外", "범위 외", "제외", "nicht enthalten", "fuera de alcance",
    "hors périmètre", "fora do escopo", "вне рамок",
];

/// Titles of what is to be known, looked up, or tried in the end.
#[rustfmt::skip]
const REFERENCE: &[&str] = &[
    "reference", "references", "context", "background", "related", "sources", "source documents", "further reading", "research",
    "prior art", "verification", "validation", "verify", "acceptance", "success criteria", "success metrics", "risks", "risk",
    "problem", "motivation", "overview", "dependencies", "dependency", "documentation & references", "needed context",
    "see also", "links", "read first", "key discoveries", "similar", "open questions", "troubleshooting", "test plan", "testing",
    "manual", "commands", "gotchas", "patterns", "example", "examples", "why", "requirements", "constraints", "decision log",
    "decisions", "investigation", "analysis", "inputs", "prerequisites", "assumptions", "checklist", "self-review", "architecture", "key files", "key source files", "key components", "data flow", "tech stack", "technical context",
    "project context", "resources", "notes", "diagram",
    "sources & references", "execution context", "read first", "progress", "completed", "interfaces", "operator notes", "building blocks", "to read",
    "参考", "参照", "背景", "検証", "验证", "상세 참고", "검증", "참조", "참고", "verifikation", "referenzen", "hintergrund", "referencias",
    "contexto", "verificación", "références", "contexte", "vérification", "referências", "verificação", "ссылки", "контекст",
    "проверка",
];

/// Titles that announce a list of files, whatever else they say.
#[rustfmt::skip]
const FILES: &[&str] = &[
    "files", "file", "file structure", "file map", "file list", "file plan", "file locations", "relevant files", "file layout",
    "affected files", "impacted files", "files involved", "target files", "touched files", "critical files", "file operations",
    "file breakdown", "file tree", "deliverables", "new components", "components", "new modules", "modules",
    "ファイル", "対象ファイル", "変更ファイル", "関連ファイル", "ファイル構成", "ファイル一覧", "変更対象", "文件", "相关文件", "文件清单", "文件列表", "涉及文件",
    "文件结构", "修改文件", "新增文件", "关键文件", "檔案", "相關檔案", "파일", "관련 파일", "수정 파일", "파일 목록", "파일 구조", "변경 파일", "대상 파일",
    "dateien", "betroffene dateien", "archivos", "archivos afectados", "ficheros", "fichiers", "fichiers concernés", "arquivos",
    "arquivos afetados", "файлы", "затронутые файлы",
];

/// Verbs that begin a step.
const IMPERATIVES: &[&str] = &[
    "add", "create", "update", "modify", "delete", "remove", "edit", "change", "fix", "verify", "review", "check",
    "extend", "move",
];

/// Pictures of what is there in the end.
const BUILT: &[&str] = &["desired", "new", "proposed", "planned", "target", "final", "resulting"];
const PICTURE: &[&str] =
    &["tree", "structure", "layout", "modules", "module", "files", "package", "packages", "codebase"];

/// What `title` says; `None`: nothing, and what stands above it holds.
pub(super) fn scope(title: &str) -> Option<Scope> {
    let text = normal(title);
    if text.is_empty() || text.len() > 80 {
        return None;
    }
    let words: Vec<&str> =
        text.split(|c: char| !(c.is_alphanumeric() || c == '\'')).filter(|word| !word.is_empty()).collect();
    let writes = words.iter().any(|word| asked(word).is_some_and(|change| change != Change::None));
    let files = || words.iter().any(|word| matches!(*word, "file" | "files" | "code" | "modules"));
    let has = |list: &[&str]| has_phrase(&text, &words, list);
    // "Do NOT modify", "Files that must not change", and with "What not to do" nothing of files.
    if forbid(&words) || title::implied(title) == Some(Change::None) && files() {
        return Some(match has(REFERENCE) && !forbid(&words) {
            true => Scope::Reference,
            false => Scope::Forbidden,
        });
    }
    if has(ASIDE) && !writes {
        return Some(Scope::Aside);
    }
    if let Some(list) = title::file_list(title) {
        return Some(Scope::Files(list.change));
    }
    let built = words.iter().any(|word| BUILT.contains(word)) && words.iter().any(|word| PICTURE.contains(word));
    if FILES.contains(&text.as_str())
        || built
        || has(&["critical files", "relevant files", "file structure", "file map"])
    {
        return Some(Scope::Files(title::implied(title).filter(|change| *change != Change::None)));
    }
    let wording = wording::read(&text);
    // "Update existing tests" is a step; "New tests" and "Modified" are lists.
    let step = words.len() > 1 && !files() && words.first().is_some_and(|word| IMPERATIVES.contains(word));
    if wording.exact && !words.is_empty() && !step {
        return wording.change.map(|change| match change {
            Change::None => Scope::Reference,
            Change::AddOrModify => Scope::Files(None),
            change => Scope::Files(Some(change)),
        });
    }
    if words.iter().any(|word| matches!(*word, "changes" | "modifications" | "updates" | "edits")) && words.len() <= 4 {
        return Some(Scope::Files(None));
    }
    if has(REFERENCE) && !writes {
        return Some(Scope::Reference);
    }
    let steps = ["phase", "step", "steps", "task", "tasks", "implementation", "chunk", "milestone", "todo"];
    words.iter().any(|word| steps.contains(word)).then_some(Scope::Steps)
}

/// Titles of what is there already: a path that is named under one of them can only be modified.
#[rustfmt::skip]
const THERE: &[&str] = &[
    "reference", "references", "context", "current", "existing", "discoveries", "sources", "building", "read", "today", "background",
    "state", "patterns", "similar",
];

/// Is the title one of what is there already?
pub(super) fn is_there(title: &str) -> bool {
    normal(title).split(|c: char| !c.is_alphanumeric()).any(|word| THERE.contains(&word))
}

/// Is `text`, of these words, about one of the phrases: does it begin or end with it, or has little else? Scripts without
/// blanks have it anywhere.
fn has_phrase(text: &str, words: &[&str], phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| {
        let begins = text.strip_prefix(phrase).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
        let ends = || text.strip_suffix(phrase).is_some_and(|rest| !rest.ends_with(char::is_alphanumeric));
        let within = || words.len() <= 3 && has_word(text, phrase) || !phrase.is_ascii() && text.contains(phrase);
        begins || ends() || within()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_say_what_holds_for_the_paths_under_them() {
        use Scope::*;
        for (title, want) in [
            ("Files to Create", Some(Files(Some(Change::Add)))),
            ("Files", Some(Files(None))),
            ("5. Files", Some(Files(None))),
            ("Proposed file map", Some(Files(None))),
            ("Relevant Files", Some(Files(None))),
            ("Proposed Changes", Some(Files(None))),
            ("Changes Required:", Some(Files(None))),
            ("Desired Codebase tree", Some(Files(None))),
            ("Critical Files for Implementation", Some(Files(None))),
            ("対象ファイル", Some(Files(None))),
            ("Modify:", Some(Files(Some(Change::Modify)))),
            ("Do not touch", Some(Forbidden)),
            ("Files NOT to change", Some(Forbidden)),
            ("What NOT to Change", Some(Forbidden)),
            ("Current Codebase tree", Some(Aside)),
            ("What We're NOT Doing", Some(Aside)),
            ("Out of Scope", Some(Aside)),
            ("Verification Plan", Some(Reference)),
            ("References", Some(Reference)),
            ("Phase 1: Setup", Some(Steps)),
            ("The parser", None),
            ("Backend", None),
        ] {
            assert_eq!(scope(title), want, "{title}");
        }
    }
}
