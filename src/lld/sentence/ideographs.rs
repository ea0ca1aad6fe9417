//! Chinese, Japanese and Korean: what is done with a path stands after it more often than before it, and words are not
//! cut by blanks.

use super::cue::Cue;
use super::roles::{Line, REACH, Role};
use super::words::{Word, is_ideograph};
use crate::lld::vocabulary::list;

impl Line<'_> {
    /// The role by words that have no blanks between them, which stand after the path more often than before it.
    pub(super) fn ideographs(&self, at: usize, cue: &Cue, bare: bool) -> Option<Role> {
        let script = |at: usize| self.plain(at).filter(|word| word.starts_with(is_ideograph));
        let before = at.checked_sub(1).and_then(script).unwrap_or_default();
        if matches!(cue, Cue::Mention | Cue::Delete | Cue::Rename)
            || list("mention-before").iter().any(|word| before.ends_with(word))
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
                Word::Mark('.') => break,
                Word::Plain(word) if word.starts_with(is_ideograph) => after.push_str(word),
                _ => {}
            }
        }
        if after.is_empty() && before.is_empty() {
            return None;
        }
        let next = script(at + 1).unwrap_or_default();
        if next.starts_with("から呼") {
            return Some(Role::Write);
        }
        if after.starts_with("を削除")
            || after.starts_with("削除")
            || before.ends_with("删除")
            || after.starts_with("삭제")
        {
            return Some(Role::Delete);
        }
        if script(at + 1).is_some_and(|next| list("mention-after").iter().any(|word| next.starts_with(word))) {
            return Some(Role::Mention);
        }
        let writes = |text: &str| list("write-within").iter().any(|word| text.contains(word));
        if bare {
            // "index.jsonローダー実装" makes a loader; "X.mdにY.jsonの形式を記載" writes X.md.
            let compound = next.starts_with(|c: char| matches!(c, '\u{30a1}'..='\u{30f6}'));
            let aside =
                next.starts_with('の') && self.roles.iter().rev().take(REACH).any(|&(_, role)| role == Role::Write);
            if compound || aside {
                return Some(Role::Mention);
            }
            let main = self.mood.title || !next.is_empty() || writes(before);
            if !main {
                return Some(Role::Unsure);
            }
        }
        let place = before.ends_with(['於', '在', '到', '至']);
        let earlier = || (at.saturating_sub(REACH)..at).any(|at| script(at).is_some_and(writes));
        if writes(&after) || writes(before) || place && earlier() {
            return Some(Role::Write);
        }
        if ["確認", "確かめ", "検証", "验证", "检查", "运行", "実行", "확인"].iter().any(|word| after.contains(word))
        {
            return Some(Role::Mention);
        }
        (bare && script(at + 1).is_some() && !matches!(cue, Cue::Start(0))).then_some(Role::Unsure)
    }
}
