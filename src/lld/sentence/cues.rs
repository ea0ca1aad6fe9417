//! The words by which tasks say what they do with a path, in English and, where scripts have no blanks, in Chinese,
//! Japanese and Korean.
//!
//! Lists only: `roles` says how they are weighed.

pub(in crate::lld) type List = &'static [&'static str];

/// Verbs that begin a step that only looks.
#[rustfmt::skip]
pub(in crate::lld) const LOOK: List = &[
    "analyse", "analyze", "assess", "audit", "benchmark", "check", "compare", "confirm", "examine", "execute",
    "explore", "inspect", "investigate", "manually", "observe", "read", "research", "review", "run", "scan",
    "study", "understand", "validate", "verify", "re-run", "rerun", "vérifier", "exécuter", "verificar", "ejecutar",
    "revisar", "prüfen", "grep",
];

/// Verbs that begin a step that writes.
#[rustfmt::skip]
pub(in crate::lld) const WRITE: List = &[
    "adapt", "add", "adjust", "amend", "append", "apply", "attach", "author", "build", "bump", "capture", "change",
    "clean", "complete", "configure", "connect", "convert", "correct", "create", "customize", "declare", "define",
    "deprecate", "describe", "design", "develop", "document", "draft", "edit", "emit", "enable", "enforce",
    "enhance", "expand", "expose", "extend", "extract", "fill", "finalize", "fix", "generate", "handle", "harden",
    "hook", "implement", "improve", "initialise", "initialize", "inject", "insert", "instrument", "integrate",
    "introduce", "log", "make", "migrate", "modify", "mount", "note", "optimize", "patch", "persist", "polish",
    "port", "prepare", "provide", "publish", "record", "refactor", "refine", "refresh", "regenerate", "register",
    "render", "replace", "restructure", "revise", "rewrite", "scaffold", "script", "set", "setup", "simplify",
    "split", "store", "style", "surface", "sync", "tune", "update", "upgrade", "wire", "wrap", "write", "créer",
    "ajouter", "écrire", "étendre", "implémenter", "crear", "añadir", "agregar", "actualizar", "implementar",
    "criar", "adicionar", "atualizar", "erstellen", "hinzufügen", "aktualisieren", "export", "re-export", "save",
    "archive", "tick", "mark",
];

/// Verbs of which the object is the file even if more words follow ("update README.md section"); with others those words
/// are the object ("create config.json parser").
#[rustfmt::skip]
pub(in crate::lld) const UPDATE: List = &[
    "update", "modify", "edit", "extend", "configure", "change", "fix", "document", "revise", "bump", "amend",
    "adjust", "refactor", "rewrite", "patch", "correct", "customize", "finalize", "expand", "upgrade", "refresh",
    "polish", "setup", "set", "wire", "initialize", "initialise", "actualizar", "atualizar", "aktualisieren",
];

/// Verbs that begin a part of a sentence which only looks, even after "and".
pub(in crate::lld) const LOOK_ALSO: List =
    &["confirm", "ensure", "execute", "re-run", "rerun", "run", "validate", "verify"];

pub(in crate::lld) const DELETE: List = &["delete", "remove", "drop", "supprimer", "eliminar", "remover", "löschen"];

pub(in crate::lld) const RENAME: List = &["rename", "move", "relocate", "renommer", "déplacer", "renombrar", "mover"];

/// Verbs of which what follows "from" is changed, too: what is removed, exported or called from there.
#[rustfmt::skip]
pub(in crate::lld) const FROM_WRITES: List = &[
    "remove", "delete", "drop", "strip", "export", "re-export", "expose", "call", "invoke", "clean", "eliminate",
    "prune", "return", "cross-reference", "link", "supprimer", "eliminar",
];

/// Words before a path that is not written.
#[rustfmt::skip]
pub(in crate::lld) const MENTION: List = &[
    "against", "alongside", "based", "beside", "by", "call", "calling", "calls", "cf", "cf.", "checks", "compare",
    "consult", "consume", "consumes", "consuming", "contains", "copy", "duplicate", "e.g", "e.g.", "ensure",
    "exclude", "excludes", "excluding", "follow", "following", "follows", "given", "i.e", "ignore", "import",
    "importing", "imports", "include", "includes", "including", "invoke", "invokes", "invoking", "leave", "like",
    "load", "loading", "loads", "match", "matches", "matching", "mirror", "mirroring", "mirrors", "open", "parse",
    "parses", "parsing", "per", "read", "reading", "reads", "refer", "reference", "references", "referencing",
    "require", "requires", "reuse", "reuses", "reusing", "see", "source", "support", "than", "unlike", "use",
    "uses", "using", "versus", "via", "vs", "whose", "selon", "voir", "según", "ver", "gemäß", "siehe", "detect",
    "detects", "find", "finds", "keep", "keeps", "mention", "mentions", "preserve", "when", "whether", "respect",
    "uploads", "downloads", "malformed", "absent", "missing", "without", "serve", "serves", "lit", "lire",
];

/// Words before a place.
#[rustfmt::skip]
pub(in crate::lld) const PLACE: List = &[
    "in", "into", "to", "at", "inside", "within", "under", "on", "as", "onto", "through", "across", "throughout",
    "dans", "en", "em", "no", "na", "au", "à",
];

/// Words before "in" and "to" that make the path a reference.
#[rustfmt::skip]
pub(in crate::lld) const DEFINED: List = &[
    "access", "according", "adhere", "adhering", "adjacent", "back", "compared", "conform", "conforming",
    "conforms", "declared", "defined", "described", "documented", "due", "equivalent", "exist", "existing",
    "exists", "found", "identical", "identified", "link", "linked", "linking", "links", "listed", "mentioned",
    "next", "outlined", "pointer", "pointing", "points", "refer", "reference", "references", "referenced",
    "referring", "refers", "relative", "respect", "similar", "specified", "stated", "stored", "used", "shown",
];

/// Labels of lines that only refer.
#[rustfmt::skip]
pub(in crate::lld) const REFERENCE_LABELS: List = &[
    "reference", "references", "ref", "refs", "see", "depends", "dependencies", "note", "notes",
    "reason", "source", "rationale", "why", "verify", "verification", "acceptance", "given", "expected",
    "result", "context", "pattern", "参考", "参照", "依存", "依赖",
];

/// Words that may go either way.
pub(in crate::lld) const WEAK: List = &["with", "for", "of", "pour", "avec", "para", "con", "com"];

/// Verbs by which a task writes a document of the feature itself.
#[rustfmt::skip]
pub(in crate::lld) const DOCUMENTS: List = &[
    "add", "adjust", "amend", "append", "capture", "complete", "correct", "create", "describe", "document",
    "expand", "extend", "fill", "finalize", "fix", "log", "mark", "note", "polish", "record", "refresh", "revise",
    "sync", "tick", "update", "write", "actualizar", "atualizar", "aktualisieren",
];

/// Words that may stand between a verb and its object.
#[rustfmt::skip]
pub(in crate::lld) const ARTICLES: List = &[
    "the", "a", "an", "old", "legacy", "deprecated", "file", "files", "obsolete", "unused", "existing", "entire",
    "whole", "now-unused", "dead", "orphaned", "temporary", "duplicate", "redundant", "all", "both", "our", "this",
    "stale",
];

/// What may follow an object that is the file itself.
#[rustfmt::skip]
pub(in crate::lld) const AFTER_FILE: List = &[
    "with", "in", "for", "to", "at", "as", "from", "and", "or", "using", "containing", "file", "files", "including",
    "documenting", "via", "defining", "that", "which", "so", "by", "per", "under", "if", "when", "based", "inside",
    "into", "on", "exporting", "implementing", "describing", "following", "entirely", "completely", "after", "once",
    "since", "because", "covering", "component", "module", "script", "page", "hook", "class", "template",
];

/// Verbs that write, where words have no blanks between them.
#[rustfmt::skip]
pub(in crate::lld) const WRITE_IDEOGRAPHS: List = &[
    "作成", "追加", "更新", "実装", "設定", "配置", "修正", "変更", "定義", "記載", "反映", "整理", "編集", "拡張", "統合", "書", "確定", "移動", "適用",
    "生成", "導入", "创建", "添加", "实现", "修改", "编写", "重构", "新增", "完善", "补充", "補齊", "補充", "加入", "實作", "擴充", "實現", "修復",
    "撰寫", "编辑", "記錄", "记录", "定义", "扩展", "增加", "集成", "接入", "落实", "建立", "新建", "추가", "생성", "작성", "수정", "구현", "업데이트",
];

/// Words after a path that is only looked at.
#[rustfmt::skip]
pub(in crate::lld) const AFTER_MENTION: List = &[
    "から", "に変更", "に基づ", "に従", "に記載され", "に記載の", "を参照", "参照", "を読", "を確認", "の確認", "に準", "に沿", "と同", "を使", "を用", "を実行",
    "で定義", "読み込", "解析", "を検証", "に存在", "が存在", "が通", "中的定义", "中定义", "进行验证", "를 확인", "를 참조",
];

/// Words before a path that is only looked at.
#[rustfmt::skip]
pub(in crate::lld) const BEFORE_MENTION: List = &[
    "根据", "按照", "参考", "参照", "从", "由", "基于", "运行", "验证", "检查", "确认", "遵循", "读取", "使用", "依据",
];

pub(in crate::lld) fn has(list: List, word: &str) -> bool {
    list.contains(&word)
}
