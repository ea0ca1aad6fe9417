//! What a server is answered when it asks. Most servers wait for every answer, for ever.

use super::message::Fault;
use serde_json::{Value, json};

/// `MethodNotFound`, of JSON-RPC.
const UNKNOWN_METHOD: i64 = -32601;

/// The answer to a request of a server: its configuration, its folder; to what only a person or an editor could do, that it
/// was not done.
pub(super) fn to(method: &str, params: &Value, settings: &Value, folders: &Value) -> Result<Value, Fault> {
    match method {
        "workspace/configuration" => {
            let items = params.get("items").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
            let section = |item: &Value| item.get("section").and_then(Value::as_str).unwrap_or_default().to_owned();
            Ok(items.iter().map(|item| of_section(settings, &section(item))).collect())
        }
        "workspace/workspaceFolders" => Ok(folders.clone()),
        "workspace/applyEdit" => Ok(json!({"applied": false})),
        "window/showDocument" => Ok(json!({"success": false})),
        "client/registerCapability"
        | "client/unregisterCapability"
        | "window/showMessageRequest"
        | "window/workDoneProgress/create"
        | "workspace/codeLens/refresh"
        | "workspace/diagnostic/refresh"
        | "workspace/inlayHint/refresh"
        | "workspace/inlineValue/refresh"
        | "workspace/semanticTokens/refresh" => Ok(Value::Null),
        _ => Err(Fault { code: UNKNOWN_METHOD, message: format!("'{method}' is not known here") }),
    }
}

/// `python.analysis` of the settings.
fn of_section(settings: &Value, section: &str) -> Value {
    let names = section.split('.').filter(|name| !name.is_empty());
    names.fold(settings, |settings, name| settings.get(name).unwrap_or(&Value::Null)).clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configuration_is_given_section_by_section_in_the_order_that_was_asked_for() {
        let settings = json!({"python": {"analysis": {"x": 1}}});
        let params = json!({"items": [{"section": "python.analysis"}, {"section": "other"}, {}, 7]});
        let answer = to("workspace/configuration", &params, &settings, &Value::Null).unwrap();
        assert_eq!(answer, json!([{"x": 1}, null, settings, settings]));
        assert_eq!(to("workspace/configuration", &Value::Null, &settings, &Value::Null), Ok(json!([])));
    }

    #[test]
    fn nothing_is_done_for_a_server_and_the_unknown_is_refused() {
        let ask = |method| to(method, &Value::Null, &Value::Null, &Value::Null);
        assert_eq!(ask("workspace/applyEdit"), Ok(json!({"applied": false})));
        assert_eq!(ask("client/registerCapability"), Ok(Value::Null));
        assert_eq!(ask("window/makeCoffee").unwrap_err().code, UNKNOWN_METHOD);
    }
}
