//! Which replies the events tell of, and which of them were refused, held against those that are recorded and those of which
//! texts were made: so that nobody puts another reply before the one that was accepted.

use super::about::Event;
use super::open::Unread;
use super::remake::Remake;
use crate::transcript::recipe::{Answer, By};
use std::collections::{HashMap, HashSet};

/// A file, and the try.
type Place<'e> = (&'e str, Option<u64>);
/// The key of a request, and which of the replies to it came.
type Asked<'e> = (&'e str, Option<usize>);

/// The replies that came, by the keys of their requests.
#[derive(Default)]
struct Told<'e> {
    came: HashMap<&'e str, usize>,
    /// A reply: one of those to the request with this key, counted from 0.
    refused: HashSet<(&'e str, usize)>,
}

impl<'e> Told<'e> {
    fn of(events: &'e [Event]) -> Told<'e> {
        let mut told = Told::default();
        // What was asked last for a file at a try, and which reply came to that.
        let mut asked: HashMap<Place, Asked> = HashMap::new();
        for event in events {
            let place = (event.path.as_deref().unwrap_or_default(), event.number("attempt"));
            match event.event.as_str() {
                "asked" => _ = asked.insert(place, (event.text("key").unwrap_or_default(), None)),
                "replied" => {
                    let Some((key, nth)) = asked.get_mut(&place).filter(|(_, nth)| nth.is_none()) else { continue };
                    let count = told.came.entry(*key).or_default();
                    *nth = Some(*count);
                    *count += 1;
                }
                "refused" => {
                    if let Some((key, Some(nth))) = asked.get(&place) {
                        told.refused.insert((*key, *nth));
                    }
                }
                _ => {}
            }
        }
        told
    }

    fn is_refused(&self, answer: &Answer) -> bool {
        self.refused.contains(&(answer.key.as_str(), answer.nth))
    }
}

/// What the replies of the record contradict its events in.
pub(super) fn contradictions(events: &[Event], remake: &Remake) -> Result<Vec<String>, Unread> {
    let told = Told::of(events);
    let record = remake.record;
    let mut wrong = Vec::new();
    let keys = record.files().keys().filter_map(|name| name.strip_prefix("replies/")?.strip_suffix(".json"));
    for key in keys {
        let recorded = record.recording(key)?.replies.len();
        if recorded > told.came.get(key).copied().unwrap_or_default() {
            wrong.push(format!("its events tell of fewer replies to request {key:.12} than it has"));
        }
    }
    for text in &remake.recipe.texts {
        let By::Reply { replies, .. } = &text.by else { continue };
        let Some((last, mended)) = replies.split_last() else { continue };
        let recording =
            record.has(&format!("replies/{}.json", last.key)).then(|| record.recording(&last.key)).transpose()?;
        let marked = recording.is_some_and(|it| it.replies.get(last.nth).is_some_and(|reply| reply.refused));
        if marked || told.is_refused(last) {
            wrong.push(format!("the reply that its recipe has for '{}' was refused", text.path));
        }
        if !mended.iter().all(|answer| told.is_refused(answer)) {
            wrong.push(format!(
                "its events do not refuse the replies before the one that its recipe has for '{}'",
                text.path
            ));
        }
    }
    Ok(wrong)
}
