//! The words by which designs say what shall happen to a file, one row a meaning, in the languages that people plan in.
//!
//! Words only: where they stand, and what they stand beside, is for whoever asks. A new word is one entry here.

use super::Change;

/// What a word asks for. `None`: to look at the file, or to leave it as it is.
#[rustfmt::skip]
const VERBS: &[(Change, &[&str])] = &[
    (Change::Add, &[
        "add", "adds", "added", "adding", "create", "creates", "created", "creating", "new", "generate", "generated",
        "introduce", "scaffold", "neu", "anlegen", "erstellen", "hinzufügen", "crear", "nuevo", "nueva", "añadir", "agregar",
        "créer", "nouveau", "nouvelle", "ajouter", "criar", "novo", "nova", "adicionar", "создать", "новый", "добавить",
        "新規", "新規作成", "作成", "追加", "新增", "新建", "创建", "建立", "添加", "생성", "신규", "추가", "작성",
    ]),
    (Change::Modify, &[
        "modify", "modifies", "modified", "modifying", "modification", "modifications", "update", "updates", "updated",
        "updating", "edit", "edits", "edited", "change", "changes", "changed", "extend", "extended", "refactor",
        "refactored", "rewrite", "rewritten", "patch", "patched", "fix", "fixed", "enhance", "amend", "append", "adjust",
        "alter", "overwrite", "replace", "adapt", "deprecate", "simplify", "improve", "expand", "revise", "correct",
        "integrate", "wire", "cleanup", "tweak", "touch", "touches", "ändern", "anpassen", "aktualisieren", "bearbeiten",
        "modificar", "actualizar", "editar", "cambiar", "modifier", "mettre", "éditer", "changer", "alterar", "atualizar",
        "изменить", "обновить", "修正", "変更", "更新", "修改", "改修", "编辑", "수정", "변경", "업데이트",
    ]),
    (Change::Delete, &[
        "delete", "deletes", "deleted", "deleting", "remove", "removes", "removed", "removing", "drop", "dropped", "löschen",
        "entfernen", "eliminar", "borrar", "supprimer", "excluir", "remover", "удалить", "削除", "删除", "刪除", "移除", "삭제",
    ]),
    (Change::Rename, &[
        "rename", "renames", "renamed", "move", "moves", "moved", "relocate", "umbenennen", "verschieben", "renombrar",
        "mover", "renommer", "déplacer", "renomear", "переименовать", "переместить", "移動", "改名", "重命名", "移动", "이동",
    ]),
    (Change::None, &[
        "exists", "exist", "verify", "verified", "verification", "review", "unchanged", "unmodified", "none", "no", "n",
        "reference", "references", "keep", "kept", "leave", "preserve", "read", "check", "confirm", "untouched", "unaffected",
        "investigate", "inspect", "frozen", "see", "lesen", "prüfen", "unverändert", "leer", "lire", "ler", "revisar",
        "参照", "参考", "確認", "変更なし", "只读", "阅读", "不变", "참고", "참조", "확인", "читать",
    ]),
];

/// What `word`, in lower case, asks for.
pub(super) fn asked(word: &str) -> Option<Change> {
    VERBS.iter().find(|(_, words)| words.contains(&word)).map(|(change, _)| *change)
}

/// Words that turn the verb after them round.
#[rustfmt::skip]
const NEGATIONS: &[&str] = &[
    "not", "never", "don't", "dont", "doesn't", "won't", "mustn't", "shouldn't", "cannot", "can't", "without", "avoid", "no",
    "nicht", "nie", "niemals", "kein", "keine", "nunca", "sin", "jamais", "pas", "ne", "aucune", "não", "sem", "не",
    "никогда",
];

/// The same where words have no blanks between them.
const NEGATIONS_WITHIN: &[&str] = &[
    "変更しない",
    "変更せず",
    "変更不可",
    "触らない",
    "編集しない",
    "修正しない",
    "禁止",
    "不要",
    "不得",
    "请勿",
    "請勿",
    "切勿",
    "不修改",
    "不变",
    "마세요",
    "마십시오",
    "금지",
    "변경하지",
    "수정하지",
    "건드리지",
];

/// Phrases that say of files that they stay as they are.
#[rustfmt::skip]
const LEAVING: &[&str] = &[
    "leave as", "leave it", "leave alone", "leave unchanged", "leave untouched", "as is", "as it is", "as they are", "off limits",
    "hands off", "read only", "out of bounds", "keep unchanged", "must stay", "stay unchanged", "stays unchanged",
    "remain unchanged", "remains unchanged", "do nothing",
];

/// Words after a negation that turn it round once more: "do not forget to update".
const FORGETTING: &[&str] = &["forget", "hesitate", "fail", "miss", "skip", "only", "just", "yet"];

/// Do these words, in lower case, forbid to change what they are about: "do not touch", "never change", "leave as it is"?
pub(super) fn forbid(words: &[&str]) -> bool {
    let negation =
        |word: &str| NEGATIONS.contains(&word) || NEGATIONS_WITHIN.iter().any(|within| word.contains(within));
    let mut negated = false;
    for (at, &word) in words.iter().enumerate() {
        let next = words.get(at + 1).copied().unwrap_or_default();
        if word.contains(|c: char| !c.is_ascii()) && NEGATIONS_WITHIN.iter().any(|within| word.contains(within)) {
            return true;
        }
        if negation(word) && !FORGETTING.contains(&next) {
            negated = true;
        } else if asked(word).is_some_and(|change| change != Change::None) {
            // "Modify, but do not touch the interface" asks for something first.
            return negated;
        }
    }
    leave(words)
}

fn leave(words: &[&str]) -> bool {
    let text = words.join(" ");
    LEAVING.iter().any(|phrase| has_word(&text, phrase))
}

/// Does `phrase` stand in `text` as words of their own?
pub(super) fn has_word(text: &str, phrase: &str) -> bool {
    text.match_indices(phrase).any(|(at, phrase)| {
        let edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
        let (before, after) = (text.get(..at).unwrap_or_default(), text.get(at + phrase.len()..).unwrap_or_default());
        edge(before.chars().next_back()) && edge(after.chars().next())
    })
}

/// The same of the file as a whole: not "do not change the interface".
pub(super) fn forbid_file(words: &[&str]) -> bool {
    let whole = words.last().is_some_and(|word| {
        asked(word).is_some_and(|change| change != Change::None)
            || matches!(*word, "it" | "this" | "file" | "files" | "them" | "anything")
    });
    let foreign = || words.iter().any(|word| !word.is_ascii());
    forbid(words) && (whole || foreign() || leave(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forbids(text: &str) -> bool {
        forbid(
            &text
                .to_lowercase()
                .split(|c: char| !(c.is_alphanumeric() || c == '\''))
                .filter(|w| !w.is_empty())
                .collect::<Vec<_>>(),
        )
    }

    #[test]
    fn what_must_stay_as_it_is_is_told_in_many_words() {
        for text in [
            "Do not touch",
            "DO NOT MODIFY",
            "Must not change",
            "Never change",
            "Don't edit",
            "Leave as it is",
            "Leave unchanged",
            "No changes to",
            "read-only",
            "off-limits",
            "nicht ändern",
            "ne pas modifier",
            "no modificar",
            "変更しない",
            "请勿修改",
            "수정하지",
            "не изменить",
        ] {
            assert!(forbids(text), "{text}");
        }
        for text in
            ["Modify", "Do not forget to update", "Create if it does not exist", "Not only update", "New", "変更"]
        {
            assert!(!forbids(text), "{text}");
        }
    }
}
