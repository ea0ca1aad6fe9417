//! Objects of any kind by their names: what a push brings are not commits alone.

use super::changes::Blobs;
use super::objects::Answer;
use super::{GitError, Oid, Repository};

/// An object that somebody named, as far as it is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Object {
    /// Headers and message.
    Commit(String),
    /// Headers and message, and what it is on.
    Tag {
        text: String,
        target: Oid,
    },
    Tree,
    Blob,
}

/// Longer commits and tags are cut off, since nobody writes them. Of blobs nothing is needed yet.
const MOST_BYTES: u64 = 1 << 20;

impl Repository {
    /// What these are, in their order.
    ///
    /// # Errors
    /// If one of them is missing.
    pub fn named(&self, ids: &[Oid]) -> Result<Vec<Object>, GitError> {
        let mut named = Vec::with_capacity(ids.len());
        for ids in ids.chunks(Blobs::MOST) {
            self.with_objects(|objects| {
                objects.ask(ids.iter().copied())?;
                for id in ids {
                    named.push(object(*id, objects.any(*id, "a push", MOST_BYTES)?)?);
                }
                Ok(())
            })?;
        }
        Ok(named)
    }
}

fn object(id: Oid, (kind, answer): (String, Answer)) -> Result<Object, GitError> {
    let bad = |message: &str| GitError::BadRevision { spec: id.to_string(), message: message.to_owned() };
    let text = match answer {
        Answer::Bytes(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Answer::TooLarge => String::new(),
        Answer::Missing => return Err(bad("there is no such object")),
    };
    Ok(match kind.as_str() {
        "commit" => Object::Commit(text),
        "tag" => {
            let target = text.strip_prefix("object ").and_then(|rest| Oid::from_str(rest.get(..40)?).ok());
            Object::Tag { target: target.ok_or_else(|| bad("it is a tag on nothing"))?, text }
        }
        "tree" => Object::Tree,
        _ => Object::Blob,
    })
}
