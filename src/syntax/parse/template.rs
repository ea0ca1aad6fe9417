//! Files that a template engine turns into the language that their name says: Helm, Jinja, ERB, cookiecutter. They
//! parse nowhere, and that is nobody's fault.
//!
//! Code is full of `{{`: a text is only called a template where its parser failed, and only by marks that the language
//! itself has no use for there.

use super::SyntaxError;

const REASON: &str = "it is a template";

/// A path with a placeholder in it is a template's by its own word.
pub(super) fn by_path(path: &str) -> Option<&'static str> {
    (path.contains("{{") || path.contains("{%")).then_some(REASON)
}

/// Is a text that did not parse as `language` a template?
pub(super) fn by_text(language: &str, text: &str, errors: &[SyntaxError]) -> Option<&'static str> {
    let template = match language {
        // One control line anywhere shifts what follows, so the error may be far from it.
        "yaml" => text.lines().any(is_template_line_of_yaml),
        "json" | "toml" | "css" | "xml" => {
            is_front_matter(text) || text.lines().any(is_control_line) || at_errors(text, errors, has_expression)
        }
        "bash" | "dart" => at_errors(text, errors, has_tag_or_placeholder),
        // To Erlang what begins with `%` is a remark.
        "erlang" => at_errors(text, errors, |line| has_tag_or_placeholder(line) || pair(line, "(%%", "%%")),
        // Velocity and FreeMarker write `${name}`, which is a name of Java's to nobody.
        "java" => at_errors(text, errors, |line| has_tag_or_placeholder(line) || has_bare_dollar(line)),
        // Code quotes templates in its strings: only a tag at the error itself is one.
        _ => at_errors(text, errors, |line| is_control_line(line) || has_tag(line)),
    };
    template.then_some(REASON)
}

fn at_errors(text: &str, errors: &[SyntaxError], test: fn(&str) -> bool) -> bool {
    errors.iter().any(|error| text.lines().nth(error.line.saturating_sub(1)).is_some_and(test))
}

/// A line that is one tag and nothing else: `{% if x %}`, `{{- end }}`, `<% end %>`.
fn is_control_line(line: &str) -> bool {
    let line = line.trim();
    let tag = |open: &str, close: &str| line.len() > 4 && line.starts_with(open) && line.ends_with(close);
    tag("{%", "%}") || tag("<%", "%>") || tag("%{", "}") || tag("{#", "#}") || (tag("{{-", "}}") || tag("{{", "-}}"))
}

/// `{% … %}` or `<% … %>` somewhere in the line.
fn has_tag(line: &str) -> bool {
    pair(line, "{%", "%}") || pair(line, "<%", "%>")
}

/// [`has_tag`], or `{{ … }}`, which data has no use for.
fn has_expression(line: &str) -> bool {
    has_tag(line) || pair(line, "{{", "}}")
}

/// `{{ name }}`, of a name and nothing else: code has other uses for double braces.
fn has_placeholder(line: &str) -> bool {
    line.split("{{").skip(1).filter_map(|rest| rest.split_once("}}")).any(|(name, _)| {
        let name = name.trim().trim_start_matches(['{', '#', '/', '^', '>', '&', '.', '$']).trim();
        name.starts_with(char::is_alphabetic) && name.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c))
    })
}

fn has_tag_or_placeholder(line: &str) -> bool {
    line.trim_start().starts_with("{{!") || is_control_line(line) || has_tag(line) || has_placeholder(line)
}

/// `${…}` before any string of the line.
fn has_bare_dollar(line: &str) -> bool {
    pair(line.split('"').next().unwrap_or(""), "${", "}")
}

/// Settings for a site generator before the text, which such a generator cuts off.
fn is_front_matter(text: &str) -> bool {
    text.lines().next().is_some_and(|line| line.trim_end() == "---")
        && text.lines().skip(1).any(|line| line.trim_end() == "---")
}

fn pair(line: &str, open: &str, close: &str) -> bool {
    line.find(open).is_some_and(|at| line.get(at + open.len()..).is_some_and(|rest| rest.contains(close)))
}

/// YAML quotes the expressions of Ansible and of workflows (`"{{ x }}"`, `${{ x }}`); a bare one at the start of a
/// line or of a value is a template engine's.
fn is_template_line_of_yaml(line: &str) -> bool {
    let start = line.trim_start().trim_start_matches("- ").trim_start();
    if start.starts_with('#') {
        return false;
    }
    let value = start.split_once(": ").map_or("", |(_, value)| value.trim_start());
    let opens = |text: &str| text.starts_with("{{") || text.starts_with("{%") || text.starts_with("<%");
    is_control_line(line) || opens(start) || opens(value) || has_tag(start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{Parsed, parse};

    #[test]
    fn helm_and_jinja_are_not_judged_as_yaml() {
        for text in [
            "{{- if .Values.x }}\nkind: Service\n{{- end }}\n",
            "metadata:\n  labels:\n{{ include \"x\" . | indent 4 }}\n",
            "a: 1\n{% for x in y %}\nb: [\n{% endfor %}\n",
        ] {
            assert_eq!(parse("chart/templates/service.yaml", text), Some(Parsed::NotApplicable(REASON)), "{text}");
        }
    }

    #[test]
    fn expressions_in_quotes_and_workflows_do_not_excuse_broken_yaml() {
        for text in ["a: \"{{ x }}\"\nb: [1\nc: 2\n", "run: echo ${{ github.ref }}\nb: [1\nc: 2\n"] {
            assert!(matches!(parse("a.yml", text), Some(Parsed::Broken(_))), "{text}");
        }
    }

    #[test]
    fn a_path_with_a_placeholder_is_a_template() {
        assert_eq!(parse("{{cookiecutter.name}}/a.json", "{"), Some(Parsed::NotApplicable(REASON)));
    }

    #[test]
    fn nested_braces_of_code_are_no_template() {
        let errors = [SyntaxError { line: 1, message: String::new() }];
        assert_eq!(by_text("javascript", "<a style={{color: 1}>", &errors), None);
        assert_eq!(by_text("rust", "format!(\"{{}}\"", &errors), None);
        assert_eq!(by_text("java", "new HashMap<>() {{ put(1, 2 }};", &errors), None);
        assert_eq!(by_text("bash", "a=${{1}", &errors), None);
        assert_eq!(by_text("json", "{\"a\": {{ x }}}", &errors), Some(REASON));
        assert_eq!(by_text("java", "package {{packageName}};", &errors), Some(REASON));
        assert_eq!(by_text("css", "---\n---\na { b: {{ c }} }", &errors), Some(REASON));
    }
}
