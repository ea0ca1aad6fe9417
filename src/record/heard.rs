//! What was said of the change, in talk and in review, held against the replies: each turn is one of them, and the verdict is the
//! one that its last line has.

use super::about::Event;
use super::open::{Record, Unread};
use crate::check::Mask;
use crate::model::StopReason;
use crate::prompt::{reviewer, talk};
use crate::reviewer::{Verdict, verdict};
use std::collections::HashMap;

/// Formats of requests whose whole replies are turns.
const TURNS: &[&str] = &[talk::FORMAT, reviewer::VERDICT, reviewer::REMARKS];

/// What the events say of turns and verdicts that no reply says, and what they keep to themselves.
pub(super) fn contradictions(events: &[Event], record: &Record) -> Result<Vec<String>, Unread> {
    let formats: HashMap<String, String> = record.requests()?.into_iter().map(|it| (it.key, it.format)).collect();
    let mark = if record.has("replies/mark") { record.text("replies/mark")? } else { String::new() };
    let mut wrong = Vec::new();
    let mut told: HashMap<&str, usize> = HashMap::new();
    let mut last = None;
    for event in events {
        match event.event.as_str() {
            "said" => {
                let key = event.text("key").unwrap_or_default();
                *told.entry(key).or_default() += 1;
                if !turns(record, key)?.iter().any(|reply| Some(reply.as_str()) == event.text("text")) {
                    wrong.push(format!("its events tell of a turn that is no reply to request {key:.12}"));
                }
                if formats.get(key).is_some_and(|format| format == reviewer::VERDICT) {
                    last = event.text("text").map(|text| verdict(&mark, text));
                }
            }
            // An objection without a remark that counts is none, and who was not heard has come to no conclusion.
            "reviewed" => match (last.take(), event.text("verdict")) {
                (None | Some(Verdict::Fix), Some("inconclusive")) => {}
                (Some(said), Some(told)) if said.word() == told => {}
                _ => wrong.push("its events tell of another verdict than the reviewer's".to_owned()),
            },
            _ => {}
        }
    }
    if last.is_some() {
        wrong.push("its events do not tell what became of a verdict".to_owned());
    }
    for (key, format) in formats.iter().filter(|(_, format)| TURNS.contains(&format.as_str())) {
        if whole(record, key)? > told.get(key.as_str()).copied().unwrap_or_default() {
            wrong.push(format!("its events do not tell of a turn ({format}) that it has, request {key:.12}"));
        }
    }
    Ok(wrong)
}

/// The replies to a request as they are told; half a turn of a talk is a turn, too.
fn turns(record: &Record, key: &str) -> Result<Vec<String>, Unread> {
    if !record.has(&format!("replies/{key}.json")) {
        return Ok(Vec::new());
    }
    let is_turn = |stop: &StopReason| *stop == StopReason::EndTurn || stop.is_truncation();
    let recording = record.recording(key)?;
    let replies = recording.replies.iter().filter(|reply| is_turn(&reply.stop)).map(|reply| reply.text.as_str());
    Ok(replies.map(|text| Mask::of([text]).apply(text).into_owned()).collect())
}

/// How many whole replies to the request there are.
fn whole(record: &Record, key: &str) -> Result<usize, Unread> {
    if !record.has(&format!("replies/{key}.json")) {
        return Ok(0);
    }
    Ok(record.recording(key)?.replies.iter().filter(|reply| reply.stop == StopReason::EndTurn).count())
}
