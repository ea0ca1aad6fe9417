//! The list of tasks in a JSON text, whatever its layout, with the places of everything in it.

use jsonc_parser::ast::{Array, Object, Value};
use serde::de::IgnoredAny;

/// The tag that Taskmaster begins with.
const FIRST_TAG: &str = "master";

/// How deep parts of tasks are read.
const DEPTH: usize = 4;

/// A task as it stands in the JSON.
pub(super) struct Entry<'a> {
    /// Parts begin with the id of what they are parts of: `2.1`.
    pub id: String,
    pub depth: usize,
    /// Where it begins, in bytes.
    pub start: usize,
    pub object: &'a Object<'a>,
}

/// A list of tasks.
pub(super) struct List<'a> {
    pub tag: Option<&'a str>,
    /// Tags that are not read.
    pub others: Vec<&'a str>,
    pub entries: Vec<Entry<'a>>,
}

/// Is it JSON that is nested no deeper than anybody reads?
pub(super) fn checked(text: &str) -> Result<(), serde_json::Error> {
    serde_json::from_str::<IgnoredAny>(text.trim_start_matches('\u{feff}')).map(|_| ())
}

/// What `of` makes of the list of tasks; `None` if there is none.
pub(super) fn with_list<T>(text: &str, of: impl Fn(&List) -> T) -> Option<T> {
    checked(text).ok()?;
    let parsed = jsonc_parser::parse_to_ast(text, &Default::default(), &Default::default()).ok()?;
    let value = parsed.value?;
    let tasks =
        |value: &'_ Value| -> bool { value.as_object().is_some_and(|object| object.get_array("tasks").is_some()) };
    let (tag, others, array): (_, Vec<&str>, &Array) = match &value {
        Value::Array(array) => (None, Vec::new(), array),
        Value::Object(object) => match object.get_array("tasks") {
            Some(array) => (None, Vec::new(), array),
            None => {
                let tags = object.properties.iter().filter(|property| tasks(&property.value));
                let mut names: Vec<&str> = tags.map(|property| property.name.as_str()).collect();
                let at = names.iter().position(|name| *name == FIRST_TAG).unwrap_or(0);
                let tag = if at < names.len() { names.remove(at) } else { return None };
                (Some(tag), names, object.get_object(tag)?.get_array("tasks")?)
            }
        },
        _ => return None,
    };
    let mut entries = Vec::new();
    collect(array, None, 0, &mut entries);
    (!entries.is_empty()).then(|| of(&List { tag, others, entries }))
}

fn collect<'a>(tasks: &'a Array<'a>, parent: Option<&str>, depth: usize, entries: &mut Vec<Entry<'a>>) {
    for object in tasks.elements.iter().filter_map(Value::as_object) {
        if object.get_string("title").is_none() {
            continue;
        }
        let place = entries.len() + 1;
        let own = object.get("id").and_then(|id| scalar(&id.value)).unwrap_or_else(|| place.to_string());
        let own: String =
            own.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-')).take(24).collect();
        let id = match parent {
            Some(parent) if !own.contains('.') => format!("{parent}.{own}"),
            _ => own,
        };
        entries.push(Entry { id: id.clone(), depth, start: object.range.start, object });
        if let Some(parts) = object.get_array("subtasks").filter(|_| depth < DEPTH) {
            collect(parts, Some(&id), depth + 1, entries);
        }
    }
}

/// A string, or a number as it is written.
pub(super) fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::StringLit(text) => Some(text.value.to_string()),
        Value::NumberLit(number) => Some(number.value.to_owned()),
        _ => None,
    }
}
