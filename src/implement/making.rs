//! What a run notes of each text that was accepted and of each commit, so that whoever has the record can make them again.

use crate::check::Accepted;
use crate::git::{RecordFile, Unpublished, blob_id};
use crate::transcript::recipe::{Answer, BASES, By, Commit, File, RECIPE, Recipe, TEXTS, Text};
use std::collections::{BTreeMap, HashMap, HashSet};

#[derive(Default)]
pub(super) struct Making {
    recipe: Recipe,
    /// Bases, and texts that are no replies, by their names in the record.
    files: BTreeMap<String, Vec<u8>>,
    /// The blobs that were made.
    results: HashSet<String>,
    /// How many replies a request has had, by its key.
    answers: HashMap<String, usize>,
}

impl Making {
    /// A reply to the request with this key has come, and is recorded.
    pub fn answered(&mut self, key: &str) {
        *self.answers.entry(key.to_owned()).or_default() += 1;
    }

    /// The last reply to that request.
    pub fn last_answer(&self, key: &str) -> Answer {
        let count = self.answers.get(key).copied().unwrap_or_default();
        Answer { key: key.to_owned(), nth: count.saturating_sub(1) }
    }

    /// A text was accepted that was made in this way, of `base`.
    pub fn accepted(&mut self, text: &Accepted, base: Option<&str>, by: By, whole: bool) {
        let result = blob_id(text.text().as_bytes());
        let base = base.map(|base| self.keep_base(base));
        if matches!(by, By::Design { .. } | By::Command { .. }) {
            self.files.insert(format!("{TEXTS}/{result}"), text.text().as_bytes().to_vec());
        }
        self.results.insert(result.clone());
        self.recipe.texts.push(Text { path: text.path().to_string(), result, base, by, whole });
    }

    /// The blob of the base, which is kept unless the run has made it.
    fn keep_base(&mut self, base: &str) -> String {
        let id = blob_id(base.as_bytes());
        if !self.results.contains(&id) {
            self.files.entry(format!("{BASES}/{id}")).or_insert_with(|| base.as_bytes().to_vec());
        }
        id
    }

    /// A commit was made; `from` says of a path which one was moved there.
    pub fn committed(&mut self, commit: &Unpublished, from: impl Fn(&str) -> Option<String>) {
        let file = |path: &str, id: Option<(String, bool)>| File {
            path: path.to_owned(),
            executable: id.as_ref().is_some_and(|(_, executable)| *executable),
            from: id.as_ref().and_then(|_| from(path)),
            blob: id.map(|(id, _)| id),
        };
        self.recipe.commits.push(Commit {
            commit: commit.commit().to_string(),
            subject: commit.message().lines().next().unwrap_or_default().to_owned(),
            parent: commit.parent_tree().to_string(),
            tree: commit.tree().to_string(),
            files: commit.changed().map(|(path, entry)| file(path, entry)).collect(),
        });
    }

    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// The files that the record has of all this.
    ///
    /// # Errors
    /// If it cannot be written as JSON, which it always can.
    pub fn files(&self) -> serde_json::Result<Vec<RecordFile>> {
        let recipe = serde_json::to_string_pretty(&self.recipe)? + "\n";
        let mut files = vec![RecordFile { name: RECIPE.to_owned(), bytes: recipe.into_bytes() }];
        files.extend(self.files.iter().map(|(name, bytes)| RecordFile { name: name.clone(), bytes: bytes.clone() }));
        Ok(files)
    }
}
