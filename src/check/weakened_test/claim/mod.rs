//! How much one assertion claims: the very value, something about it, that there is one, or nothing at all.
//!
//! Read from its words, as the frameworks have them: `assertEqual`, `to be_truthy`, `>=`. What is not known claims
//! nothing that could be compared.

use crate::syntax::Assertion;
use tokens::{closing, comparison, flat, is_bare, is_constant, is_word, key, split, tokens};
use vocabulary::{ANY_ERROR, ERRORS, EXACT, FALSEHOODS, PART, PRESENCE, TRUTHS};

mod tokens;
mod vocabulary;

/// In order of how much it takes to fulfil.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    /// No code can fail it.
    Nothing,
    /// That there is a value, or any error, or that it is true.
    Presence,
    /// Something about the value, or what kind of error.
    Part,
    /// The very value, or the error's message, too.
    Exact,
}

/// What an assertion says.
#[derive(Debug)]
pub(super) struct Claim {
    pub strength: Option<Strength>,
    /// What it is about and what that is compared with, as written without white space.
    pub operands: Vec<String>,
    /// It expects an error.
    pub is_error: bool,
    /// Its tokens, for what else is to be compared.
    pub tokens: Vec<String>,
}

pub(super) fn read(assertion: &Assertion) -> Claim {
    let tokens = tokens(assertion);
    let empty = Claim { strength: None, operands: Vec::new(), is_error: false, tokens: Vec::new() };
    let Some(at) = tokens.iter().position(|token| token == assertion.word) else { return empty };
    let call = if assertion.is_statement { Call::statement(&tokens, at) } else { Call::of(&tokens, at) };
    let (strength, operands, is_error) = call.judge();
    Claim { strength, operands, is_error, tokens }
}

/// An assertion in parts.
struct Call<'t> {
    /// The words of its name and of what is called on it: `assert`, `equal`; `expect`, `not`, `toBe`.
    words: Vec<&'t str>,
    /// The arguments of its first call.
    first: Vec<&'t [String]>,
    /// Those of its last one, if there is more than one.
    last: Option<Vec<&'t [String]>>,
    /// What stands before the name.
    before: &'t [String],
    /// Its arguments stand in no brackets.
    is_bare: bool,
    /// A condition in front of it, of Go.
    condition: Option<&'t [String]>,
}

impl<'t> Call<'t> {
    /// `assert a == 1, "message"`
    fn statement(tokens: &'t [String], at: usize) -> Call<'t> {
        let words = tokens.get(at).map(String::as_str).into_iter().collect();
        let first = split(tokens.get(at + 1..).unwrap_or_default());
        Call { words, first, last: None, before: &[], is_bare: true, condition: None }
    }

    fn of(tokens: &'t [String], at: usize) -> Call<'t> {
        let condition = match tokens.first().map(String::as_str) {
            Some("if") => tokens.iter().position(|token| token == "{").and_then(|open| tokens.get(1..open)),
            _ => None,
        };
        let before = at.checked_sub(1).and_then(|dot| tokens.get(..dot)).unwrap_or_default();
        let mut call = Call { words: Vec::new(), first: Vec::new(), last: None, before, is_bare: false, condition };
        let mut at = at;
        let mut calls = 0;
        while let Some(token) = tokens.get(at) {
            let is_call = matches!(token.as_str(), "(" | "[" | "{");
            if is_call {
                let close = closing(tokens, at);
                let arguments = split(tokens.get(at + 1..close).unwrap_or_default());
                if calls == 0 {
                    call.first = arguments
                } else {
                    call.last = Some(arguments)
                }
                calls += 1;
                at = close + 1;
            } else if is_word(token)
                && (calls > 0 || call.words.is_empty() || tokens.get(at - 1).is_some_and(|it| it == "." || it == "::"))
            {
                call.words.push(token);
                at += 1;
                // Arguments without brackets: `assert a == 1`, `to eq 1`.
                let next = tokens.get(at).map(String::as_str);
                let is_matcher = calls > 0
                    && !matches!(
                        token.as_str(),
                        "to" | "not_to" | "to_not" | "be" | "a" | "an" | "not" | "should" | "should_not"
                    );
                let is_bare = calls == 0 && tokens.get(at - 1).is_some_and(|it| is_bare(it));
                if (is_matcher || is_bare) && next.is_some_and(|next| !matches!(next, "." | "(" | "!" | "?" | "::")) {
                    let arguments = split(tokens.get(at..).unwrap_or_default());
                    call.is_bare = calls == 0;
                    if calls == 0 {
                        call.first = arguments
                    } else {
                        call.last = Some(arguments)
                    }
                    break;
                }
            } else if matches!(token.as_str(), "." | "!" | "?" | "::") {
                at += 1;
            } else if calls == 0 && call.words.len() == 1 && is_bare(call.words[0]) {
                call.first = split(tokens.get(at..).unwrap_or_default());
                call.is_bare = true;
                break;
            } else {
                break;
            }
        }
        call
    }

    /// What it is about.
    fn judge(&self) -> (Option<Strength>, Vec<String>, bool) {
        if let Some(condition) = self.condition {
            return failing(condition);
        }
        let keys: Vec<String> = self.words.iter().map(|word| key(word)).collect();
        let has = |list: &[&str]| keys.iter().any(|key| list.contains(&key.as_str()));
        // `be a`, `be truthy`, `be nil` in two words.
        let joined: Vec<String> = keys.windows(2).map(|pair| pair.concat()).collect();
        let is_any = |list: &[&str]| has(list) || joined.iter().any(|key| list.contains(&key.as_str()));
        let is_not = has(&["not", "never", "notto", "tonot", "shouldnot"]);
        let mut first: Vec<&[String]> = self.first.clone();
        // The test of Go and of Perl's kin goes first.
        if first.len() > 1
            && first.first().is_some_and(|it| matches!(it, [name] if matches!(name.as_str(), "t" | "tb" | "T")))
        {
            first.remove(0);
        }
        let mut operands: Vec<String> = first.iter().chain(self.last.iter().flatten()).map(|it| it.concat()).collect();
        // `a.should.equal(b)`
        if self.words.first() == Some(&"should") && !self.before.is_empty() {
            operands.insert(0, self.before.concat());
        }
        if is_any(ERRORS) {
            // `expect { … }.to raise_error` has the code where others have the error.
            let is_chain = self.words.first().is_some_and(|word| word.starts_with("expect"));
            let expected = if is_chain { self.last.clone().unwrap_or_default() } else { first };
            let all: Vec<String> = expected.iter().map(|it| it.concat()).collect();
            let named = all.first().map(|it| it.trim_end_matches(".class").trim_end_matches("::class"));
            let is_any_error = named.is_none_or(|name| ANY_ERROR.contains(&name));
            let has_message = all.iter().any(|it| it.starts_with("match=")) || self.last.is_some() && all.len() > 1;
            let strength = match (is_not, is_any_error, has_message) {
                (true, ..) => Strength::Presence,
                (_, _, true) => Strength::Exact,
                (_, true, _) => Strength::Presence,
                _ => Strength::Part,
            };
            return (Some(strength), operands, true);
        }
        let name = keys.last().map_or("", String::as_str);
        // One argument that is to be true.
        if self.last.is_none()
            && matches!(name, "assert" | "asserttrue" | "true" | "istrue" | "ok" | "check" | "require" | "that")
        {
            let Some(expression) = first.first() else { return (None, operands, false) };
            // A second argument that is no message is what it is held against: `Assert.That(a, Is.EqualTo(1))`.
            let is_message =
                |it: &&[String]| it.first().is_some_and(|it| it.starts_with(['"', '\'', '`']) || it == "f");
            if !self.is_bare && first.get(1).is_some_and(|second| !is_message(second)) {
                return (None, operands, false);
            }
            // `assert (a == 1, "message")` is a pair, which is true.
            if name == "assert"
                && matches!(expression, [open, .., close] if open == "(" && close == ")")
                && self.first.len() == 1
                && split(expression.get(1..expression.len() - 1).unwrap_or_default()).len() > 1
            {
                return (Some(Strength::Nothing), operands, false);
            }
            let (strength, operands) = truth(expression);
            return (strength, operands, false);
        }
        if self.last.is_none() && matches!(name, "assertfalse" | "false" | "isfalse" | "refute" | "notok") {
            let expression = operands.first().map_or("", String::as_str);
            let strength = if FALSEHOODS.contains(&expression) { Strength::Nothing } else { Strength::Presence };
            return (Some(strength), operands, false);
        }
        let subject = operands.first().cloned().unwrap_or_default();
        let expected = operands.get(1).cloned();
        // `(true).should.equal(true)`: what it is about stands before the word, out of sight.
        if self.words.first() == Some(&"should") && operands.len() == 1 && is_constant(&subject) {
            return (Some(Strength::Nothing), operands, false);
        }
        let is_same = |a: &str, b: &str| a == b && !a.is_empty() && !a.contains(['(', '[']);
        let is_exact = has(EXACT);
        if !is_not && is_exact && expected.as_deref().is_some_and(|expected| is_same(&subject, expected)) {
            return (Some(Strength::Nothing), operands, false);
        }
        let is_true =
            is_any(&["true", "betrue", "istrue", "tobetruthy", "betruthy", "ok", "exist", "tobedefined", "present"]);
        if !is_not && is_true && TRUTHS.contains(&subject.as_str()) {
            return (Some(Strength::Nothing), operands, false);
        }
        let is_null = is_any(&[
            "tobenull",
            "tobeundefined",
            "benil",
            "benull",
            "null",
            "undefined",
            "beundefined",
            "beempty",
            "empty",
            "nil",
            "tobenil",
        ]);
        // Of a chain the strongest link counts: `isNotNull().isEqualTo(a)`.
        let strength = if is_exact && !is_not {
            match expected.as_deref() {
                // `toEqual(expect.anything())`
                Some(expected) if expected.starts_with("expect.any") || expected == "ANY" || expected == "mock.ANY" => {
                    Strength::Presence
                }
                Some(expected) if expected.starts_with("expect.") => Strength::Part,
                _ => Strength::Exact,
            }
        } else if has(PART) || is_exact && !is_null {
            Strength::Part
        } else if is_not && is_null || is_any(PRESENCE) || keys.len() > 1 && has(&["ok", "present"]) {
            if is_constant(&subject) { Strength::Nothing } else { Strength::Presence }
        } else {
            return (None, operands, false);
        };
        operands.truncate(2);
        (Some(strength), operands, false)
    }
}

/// A condition under which a test of Go fails.
fn failing(condition: &[String]) -> (Option<Strength>, Vec<String>, bool) {
    // `if got := f(); got != 1`
    let condition = condition.rsplit(|token| token == ";").next().unwrap_or_default();
    let Some((at, operator)) = comparison(condition) else { return (None, vec![condition.concat()], false) };
    let (left, right) =
        (condition.get(..at).unwrap_or_default().concat(), condition.get(at + 1..).unwrap_or_default().concat());
    let strength = match operator {
        "!=" if right == "nil" => None,
        "!=" if left == right => Some(Strength::Nothing),
        "!=" => Some(Strength::Exact),
        "==" if matches!(right.as_str(), "nil" | "\"\"" | "0") => Some(Strength::Presence),
        _ => Some(Strength::Part),
    };
    (strength, vec![left, right], false)
}

/// What an expression claims that is to be true.
fn truth(expression: &[String]) -> (Option<Strength>, Vec<String>) {
    let whole = expression.concat();
    let flat = flat(expression);
    let parts = |words: &[&str]| -> Vec<String> {
        let mut parts = vec![String::new()];
        for (place, token) in expression.iter().enumerate() {
            match words.contains(&token.as_str()) && flat.contains(&place) {
                true => parts.push(String::new()),
                false => parts.last_mut().unwrap_or(&mut String::new()).push_str(token),
            }
        }
        parts
    };
    let either = parts(&["or", "||"]);
    if either.len() > 1 && either.iter().any(|part| TRUTHS.contains(&part.as_str())) || TRUTHS.contains(&whole.as_str())
    {
        return (Some(Strength::Nothing), vec![whole]);
    }
    if either.len() > 1 || parts(&["and", "&&"]).len() > 1 {
        return (None, either);
    }
    if let Some((at, operator)) = comparison(expression) {
        let left = expression.get(..at).unwrap_or_default().concat();
        let mut rest = expression.get(at + 1..).unwrap_or_default();
        let is_not = rest.first().is_some_and(|word| word == "not");
        if is_not {
            rest = rest.get(1..).unwrap_or_default();
        }
        let right = rest.concat();
        let is_nothing = matches!(right.as_str(), "None" | "null" | "nil" | "undefined");
        let strength = match operator {
            "==" | "===" | "is" | ">=" | "<=" if left == right && !left.contains(['(', '[']) => Strength::Nothing,
            "is" if is_not => Strength::Presence,
            "!=" | "!==" if is_nothing => Strength::Presence,
            "==" | "===" | "is" => Strength::Exact,
            _ => Strength::Part,
        };
        return (Some(strength), vec![left, right]);
    }
    // `a.equals(a)` is of no use, unless to one who tests that.
    if whole.split_once(".equals(").is_some_and(|(left, right)| right.strip_suffix(')') == Some(left)) {
        return (Some(Strength::Nothing), vec![whole]);
    }
    // `a.is_ok()`, `isinstance(a, B)`, `a`.
    for end in [".is_ok()", ".is_some()", ".is_err()", ".isPresent()", ".present?", ".any?"] {
        if let Some(subject) = whole.strip_suffix(end) {
            return (Some(Strength::Presence), vec![subject.to_owned(), whole.clone()]);
        }
    }
    for begin in ["isinstance(", "callable(", "hasattr(", "bool(", "len("] {
        if let Some(rest) = whole.strip_prefix(begin) {
            let subject = rest.split(',').next().unwrap_or(rest).trim_end_matches(')');
            return (Some(Strength::Presence), vec![subject.to_owned()]);
        }
    }
    (Some(Strength::Presence), vec![whole])
}
