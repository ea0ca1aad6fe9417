//! Tests of the gate for secrets. All of them are made up here, so that no scanner takes this file for one that has lost any.

use super::*;
use crate::check::{Candidate, Mask};
use proptest::strategy::{Strategy, ValueTree};
use proptest::string::string_regex;
use proptest::test_runner::TestRunner;

fn found(path: &str, base: Option<&str>, text: &str) -> Vec<Finding> {
    match run(&Change::of(&Candidate { path, base, text, ..Candidate::default() }), &Settings::default()) {
        Verdict::Fail(found) => found,
        _ => Vec::new(),
    }
}

/// Put together here, so that no scanner takes this file for one that has lost a secret.
fn token(parts: &[&str]) -> String {
    parts.concat()
}

/// Characters without a pattern, but always the same.
fn noise(alphabet: &str, length: usize) -> String {
    let mut state = 12345u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        alphabet.as_bytes()[(state >> 33) as usize % alphabet.len()]
    };
    (0..length).map(|_| char::from(next())).collect()
}

const ALL: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

#[test]
fn every_rule_finds_what_its_own_pattern_makes() {
    let mut runner = TestRunner::deterministic();
    for rule in rules::rules() {
        // Classes of these generators are those of Unicode, and each part of a class is as frequent as any other: real
        // tokens have few dots.
        let pattern = rule.pattern.replace(r"\w", "0-9A-Za-z_").replace(r"\s", " ").replace("~.", "");
        let made = string_regex(&pattern).unwrap_or_else(|error| panic!("{}: {error}", rule.name));
        // Chance makes words of examples and runs of one letter, too, and nearly never the right checksum.
        let is_found = (0..50).any(|_| {
            let token = made.new_tree(&mut runner).unwrap().current();
            let found = found_in(&format!("x = \"{token}\"\n")).found;
            rule.checksum || found.iter().any(|it| it.certainty >= rule.certainty)
        });
        assert!(is_found, "{}: {pattern}", rule.name);
    }
}

#[test]
fn what_is_looked_for_in_every_text_takes_few_passes_and_is_long_enough_to_be_rare() {
    assert_eq!(Known::get().anywhere.passes(), 3);
    let anywhere = rules::rules().filter(|rule| rule.place == Place::Anywhere).flat_map(|rule| rule.keywords);
    let words = anywhere.chain(assigned::MARKS).chain(assigned::SCHEMES);
    assert!(words.into_iter().all(|word| word.len() >= 3));
}

#[test]
fn tokens_are_found_with_their_lines_and_never_repeated() {
    let hex = noise("abcdef0123456789", 64);
    for secret in [
        token(&["AK", "IA", &noise("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16)]),
        token(&["gh", "p_", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ", "0mLq17"]),
        token(&["github", "_pat_", &noise(ALL, 22), "_", &noise(ALL, 59)]),
        token(&["glp", "at-", &noise(ALL, 20)]),
        token(&["xo", "xb-473920184756-902837465019-", &noise(ALL, 24)]),
        token(&["sk", "_live_", &noise(ALL, 24)]),
        token(&["npm", "_", &noise(ALL, 36)]),
        token(&["pypi", "-AgEIcHlwaS5vcmc", &noise(ALL, 60)]),
        token(&["sk", "-", &noise(ALL, 20), "T3Blbk", "FJ", &noise(ALL, 20)]),
        token(&["sk-", "ant-api03-", &noise(ALL, 93), "AA"]),
        token(&["dop", "_v1_", &hex]),
        token(&["SG", ".", &noise(ALL, 22), ".", &noise(ALL, 43)]),
        token(&["-----BEGIN RSA PRIV", "ATE KEY-----\n", &noise(ALL, 64), "\n-----END RSA PRIVATE KEY-----"]),
        token(&["\"-----BEGIN PRIV", "ATE KEY-----\\n", &noise(ALL, 64), "\\n-----END PRIVATE KEY-----\\n\""]),
    ] {
        let text = format!("a = 1\nkey = '{secret}'\n");
        let found = found("a.py", None, &text);
        assert_eq!(found.len(), 1, "{secret}");
        let (shown, body) = (format!("{:?}", found[0]), secret.get(secret.len() - 12..).unwrap_or_default());
        assert!(found[0].is_error() && !shown.contains(body), "{shown}");
        assert!(found[0].line.is_some_and(|line| (2..=3).contains(&line)));
        assert_eq!(secrets(&text).len(), 1);
    }
}

#[test]
fn a_key_of_openssh_is_found_though_its_first_lines_are_the_same_in_all_of_them() {
    let body = |random: &str| {
        let begin = token(&["-----BEGIN OPENSSH PRIV", "ATE KEY-----"]);
        let first = "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW";
        let public = format!("QyNTUxOQAAACA{}", "A".repeat(57));
        format!("{begin}\n{first}\n{public}\n{public}\n{random}\nAAAEAA==\n")
    };
    let text = body(&noise(ALL, 70));
    let found = found("id_ed25519", None, &text);
    assert!(matches!(&found[..], [only] if only.is_error()), "{found:?}");
    assert!(secrets(&body(&"A".repeat(70))).is_empty());
}

#[test]
fn examples_placeholders_and_what_only_looks_alike_are_left_alone() {
    for text in [
        token(&["AK", "IAIOSFODNN7EXAMPLE"]),
        token(&["gh", "p_", &noise(ALL, 36)]),
        token(&["gh", "p_", &"x".repeat(36)]),
        token(&["sk", "_live_", "abcdefghijklmnopqrstuvwx"]),
        token(&["glp", "at-", &"0".repeat(20)]),
        token(&["-----BEGIN RSA PRIV", "ATE KEY-----\n...\n-----END RSA PRIVATE KEY-----"]),
        token(&["re.match('-----BEGIN (RSA )?PRIV", "ATE KEY-----', text)"]),
        "password = 'hunter2hunter2'".to_owned(),
        format!("sha512-{}", noise(ALL, 86)),
    ] {
        assert!(found("a.py", None, &text).is_empty(), "{text}");
    }
}

#[test]
fn a_text_that_is_full_of_beginnings_could_not_be_judged_in_time() {
    let text = token(&["AK", "IA-gh", "p_-sk", "_live_-np", "m_-hf", "_-glp", "at-"]).repeat(100_000);
    let candidate = Candidate { path: "a.py", text: &text, ..Candidate::default() };
    assert!(matches!(run(&Change::of(&candidate), &Settings::default()), Verdict::CouldNotRun(_)));
}

#[test]
fn what_the_base_has_is_not_news_and_keys_of_tests_are_a_question() {
    let key = token(&["-----BEGIN PRIV", "ATE KEY-----\n", &noise(ALL, 64), "\n"]);
    assert!(found("a.pem", Some(&key), &format!("\n{key}")).is_empty());
    assert!(found("certs/a.pem", None, &key).iter().all(Finding::is_error));
    let of_test = found("tests/certs/a.pem", None, &key);
    assert!(of_test.len() == 1 && !of_test[0].is_error());
}

/// A value without a pattern.
fn value(length: usize) -> String {
    noise(ALL, length)
}

#[test]
fn random_values_under_names_of_secrets_are_a_question_in_any_syntax() {
    let value = value(32);
    for (path, text) in [
        ("a.py", format!("api_key = \"{value}\"\n")),
        ("a.py", format!("config['client_secret'] = '{value}'\n")),
        ("a.py", format!("DB_PASSWORD: str = '{value}'\n")),
        ("a.py", format!("headers = {{\"Authorization\": \"Bearer {value}\"}}\n")),
        ("a.json", format!("{{\"auth_token\": \"{value}\"}}\n")),
        ("a.ts", format!("const apiKey: string = `{value}`;\n")),
        ("a.rs", format!("const TOKEN: &'static str = \"{value}\";\n")),
        ("a.rs", format!("let secret = SecretString::from(\"{value}\");\n")),
        ("a.go", format!("accessToken := \"{value}\"\n")),
        ("a.rb", format!(":password => '{value}',\n")),
        ("a.c", format!("#define API_KEY \"{value}\"\n")),
        ("a.yaml", format!("smtp:\n  password: {value}\n")),
        (".env", format!("export STRIPE_SECRET_PROD={value}\n")),
        ("a.properties", format!("spring.datasource.password={value}\n")),
        ("a.xml", format!("<password>{value}</password>\n")),
        ("a.config", format!("<add key=\"ApiKey\" value=\"{value}\"/>\n")),
        ("a.config", format!("Server=db;Uid=sa;Pwd={value};\n")),
        (".netrc", format!("machine git.internal\nlogin me\npassword {value}\n")),
    ] {
        let found = found(path, None, &text);
        assert!(found.len() == 1 && !found[0].is_error(), "{text}: {found:?}");
        assert!(!format!("{found:?}").contains(&value[..12]), "{found:?}");
        let shown = Mask::of([text.as_str()]).apply(&text).into_owned();
        assert!(!shown.contains(&value[..12]), "{shown}");
    }
    let key = noise(&format!("{ALL}+/"), 40);
    assert!(found("a.ini", None, &format!("aws_secret_access_key = {key}\n"))[0].is_error());
}

#[test]
fn names_without_a_random_value_and_random_values_of_other_names_are_left_alone() {
    let value = value(32);
    let hex = noise("0123456789abcdef", 40);
    for text in [
        "password = os.environ['DB_PASSWORD_2']\n".to_owned(),
        "password: ${DB_PASSWORD_2}\n".to_owned(),
        "api_key = 'your-api-key-1234-goes-here'\n".to_owned(),
        "token = parse_token2(text, Kind::Word3)\n".to_owned(),
        "const TOKEN_KIND: &str = \"application/vnd.api2+json\";\n".to_owned(),
        "token: 0b8f3c1e-9d4a-4c7b-8e2f-6a5d4c3b2a19\n".to_owned(),
        format!("password_hash = \"{value}\"\n"),
        format!("publicKeyToken={value}\n"),
        format!("next_page_token = '{value}'\n"),
        format!("integrity: sha512-{value}\n"),
        format!("commit = '{hex}'\n"),
        format!("image = 'data:image/png;base64,{value}'\n"),
        format!("/etc/passwd: {hex}\n"),
    ] {
        assert!(found("a.py", None, &text).is_empty(), "{text}");
    }
    let text = format!("api_key = \"{value}\"\n");
    assert!(found("tests/a.py", None, &text).is_empty() && found("README.md", None, &text).is_empty());
    assert!(found("a.py", Some(&text), &format!("x = 1\n{text}")).is_empty());
}

#[test]
fn passwords_in_addresses_are_found_and_examples_of_addresses_are_not() {
    let value = value(16);
    for address in [
        format!("postgres://app:{value}@db.shop.internal:5432/app"),
        format!("redis://:{value}@cache:6379/0"),
        format!("https://deploy:{value}@git.shop.io/a.git"),
        "mysql://app:Tulpe74Mond@db.shop.io/app".to_owned(),
    ] {
        assert_eq!(found("a.py", None, &format!("url = '{address}'\n")).len(), 1, "{address}");
    }
    for address in [
        format!("postgres://app:{value}@localhost/app"),
        format!("https://me:{value}@example.com/"),
        "postgres://user:password@db.shop.io/app".to_owned(),
        "postgres://postgres:postgres@db:5432/app".to_owned(),
        "https://${USER}:${PASSWORD}@shop.io/".to_owned(),
        "https://<user>:<password2X>@shop.io/".to_owned(),
        "https://shop.io/a:b/@c2D4e6F8g0/x".to_owned(),
        "ftp://anonymous:guest1234X@ftp.shop.io/".to_owned(),
    ] {
        assert!(found("a.py", None, &format!("url = '{address}'\n")).is_empty(), "{address}");
    }
}

#[test]
fn what_every_token_of_a_kind_begins_with_is_no_word_of_an_example() {
    let age = token(&["AGE-SEC", "RET-KEY-1", &noise("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)]);
    assert_eq!(secrets(&age).len(), 1);
    let made_up = token(&["AGE-SEC", "RET-KEY-1", &"QPZRY9".repeat(6), "EXAMPLE", &noise("QPZRY9X8GF2TVDW0", 15)]);
    assert!(secrets(&made_up).is_empty());
}

#[test]
fn of_two_that_overlap_the_surer_one_counts() {
    let token = token(&["glp", "at-", &noise(ALL, 20)]);
    let found = found("a.py", None, &format!("api_key = '{token}'\n"));
    assert!(found.len() == 1 && found[0].is_error(), "{found:?}");
}
