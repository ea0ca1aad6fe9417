//! JSON-RPC: what comes from a server, and what is said to it.
//!
//! Ten messages of the protocol's hundreds are used, and what comes is read piece by piece: a server that gets one field
//! wrong loses that field. With the generated types of `gen-lsp-types`, 19,000 lines to build, it would lose the message.

use super::frame::framed;
use serde_json::{Value, json};

/// What a server says.
#[derive(Debug)]
pub(super) enum Message {
    /// It waits for an answer.
    Request {
        id: Value,
        method: String,
        params: Value,
    },
    Notification {
        method: String,
        params: Value,
    },
    /// The answer to our request of this number.
    Answer {
        id: u64,
        result: Result<Value, Fault>,
    },
}

/// Why a server did not do what it was asked for.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub code: i64,
    pub message: String,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "it says '{}'", self.message.chars().take(200).collect::<String>())
    }
}

impl Message {
    /// `None`: it is none.
    pub fn read(body: &[u8]) -> Option<Message> {
        let mut value: Value = serde_json::from_slice(body).ok()?;
        let mut take = |name: &str| value.get_mut(name).map(Value::take);
        let (id, method, params) = (take("id"), take("method"), take("params").unwrap_or_default());
        match (id, method) {
            (Some(id), Some(Value::String(method))) => Some(Message::Request { id, method, params }),
            (None, Some(Value::String(method))) => Some(Message::Notification { method, params }),
            (Some(id), None) => {
                let result = match take("error") {
                    None | Some(Value::Null) => Ok(take("result").unwrap_or_default()),
                    Some(error) => {
                        let code = error.get("code").and_then(Value::as_i64).unwrap_or_default();
                        let message = error.get("message").and_then(Value::as_str).unwrap_or_default();
                        Err(Fault { code, message: message.to_owned() })
                    }
                };
                Some(Message::Answer { id: id.as_u64()?, result })
            }
            _ => None,
        }
    }
}

/// The bytes of a request, which waits for an answer.
pub(super) fn request(id: u64, method: &str, params: &Value) -> Vec<u8> {
    bytes(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
}

pub(super) fn notification(method: &str, params: &Value) -> Vec<u8> {
    bytes(&json!({"jsonrpc": "2.0", "method": method, "params": params}))
}

/// The answer to a server's request.
pub(super) fn answer(id: &Value, result: Result<Value, Fault>) -> Vec<u8> {
    match result {
        Ok(result) => bytes(&json!({"jsonrpc": "2.0", "id": id, "result": result})),
        Err(Fault { code, message }) => {
            bytes(&json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}))
        }
    }
}

fn bytes(message: &Value) -> Vec<u8> {
    framed(message.to_string().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_told_apart_by_what_they_have() {
        let read = |text: &str| Message::read(text.as_bytes());
        assert!(matches!(read(r#"{"id": "a", "method": "m"}"#), Some(Message::Request { params: Value::Null, .. })));
        assert!(matches!(read(r#"{"method": "m", "params": 1}"#), Some(Message::Notification { .. })));
        let Some(Message::Answer { id: 3, result }) = read(r#"{"id": 3, "result": null, "error": null}"#) else {
            panic!()
        };
        assert_eq!(result, Ok(Value::Null));
        let Some(Message::Answer { result, .. }) = read(r#"{"id": 3, "error": {"code": -1, "message": "no"}}"#) else {
            panic!()
        };
        assert_eq!(result, Err(Fault { code: -1, message: "no".to_owned() }));
    }

    #[test]
    fn what_is_no_message_is_none() {
        let deep = "[".repeat(100_000);
        for text in
            ["", "{", "[]", "{}", "1", r#"{"id": "x", "result": 1}"#, r#"{"id": -1}"#, r#"{"method": 1}"#, &deep]
        {
            assert!(Message::read(text.as_bytes()).is_none(), "{text}");
        }
    }
}
