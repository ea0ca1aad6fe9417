use super::*;
use secrecy::ExposeSecret;

/// What was said, layer by layer, in the order in which a test wants to read it.
#[derive(Default)]
struct Said(Sources, Vec<(&'static str, &'static str)>);

impl Said {
    fn option(mut self, key: &str, value: &str) -> Self {
        self.0.options.push((key.into(), value.into()));
        self
    }
    fn env(mut self, name: &'static str, value: &'static str) -> Self {
        self.1.push((name, value));
        self
    }
    fn file(mut self, text: &str) -> Self {
        self.0.repo_file = Some(text.into());
        self
    }
    fn git(mut self, scope: Scope, key: &str, value: &str) -> Self {
        self.0.git.push(GitEntry { scope, key: key.to_ascii_lowercase(), value: Some(value.into()) });
        self
    }
    fn approved(mut self) -> Self {
        self.0.approved = true;
        self
    }
    fn sources(mut self) -> Sources {
        self.0.environment = self.1.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        self.0
    }
    #[track_caller]
    fn counts(self) -> Config {
        self.sources().resolve().unwrap_or_else(|findings| panic!("{findings:#?}"))
    }
    #[track_caller]
    fn refused(self) -> Finding {
        let mut findings = self.sources().resolve().expect_err("nothing was refused");
        assert_eq!(findings.len(), 1, "{findings:#?}");
        findings.remove(0)
    }
}

fn said() -> Said {
    Said::default()
}

fn ids(config: &Config) -> Vec<&str> {
    config.findings.iter().map(|finding| finding.id.as_ref()).collect()
}

#[test]
fn without_a_word_from_anybody_the_defaults_count() {
    let config = said().counts();
    assert_eq!(config.max_files, Setting::new(50, Origin::Default));
    assert_eq!((config.edit_lines.value, config.edit_bytes.value), (500, 15_000));
    assert_eq!(config.idle_timeout.value, Duration::from_secs(120));
    assert_eq!(config.first_byte_timeout.value, Duration::from_secs(600));
    assert_eq!(config.command_idle_timeout.value, Duration::from_secs(30 * 60));
    assert_eq!((config.truncation_retries.value, config.max_tries.value), (3, 5));
    assert_eq!(config.format.value.format(), None);
    assert_eq!((config.commit.value, config.trailer.value), (CommitStyle::PerFile, Trailer::AssistedBy));
    assert!(config.provider.is_none() && config.gpg_sign.is_none() && config.findings.is_empty());
}

#[test]
fn each_layer_beats_the_ones_below_it_and_the_origin_says_which_it_was() {
    let git = || said().git(Scope::Global, "implement.maxFiles", "1");
    let file = || git().file("# ours\nmax-files = 2\n");
    let env = || file().env("GIT_IMPLEMENT_MAX_FILES", "3");
    let option = || env().option("max-files", "4");
    let seen = [git(), file(), env(), option()].map(|said| {
        let setting = said.counts().max_files;
        (setting.value, setting.origin.to_string())
    });
    let expected = [
        (1, "git config (global)".to_owned()),
        (2, ".git-implement.toml line 2".to_owned()),
        (3, "GIT_IMPLEMENT_MAX_FILES".to_owned()),
        (4, "--max-files".to_owned()),
    ];
    assert_eq!(seen, expected);
}

#[test]
fn within_git_the_last_scope_counts_and_within_the_options_the_last_one() {
    let said = said().git(Scope::System, "implement.model", "a").git(Scope::Local, "implement.model", "b").git(
        Scope::Command,
        "implement.model",
        "c",
    );
    assert_eq!(said.counts().model, Some(Setting::new("c".into(), Origin::Git(Scope::Command))));
    let config = self::said().option("commit", "single").option("commit", "per-file").counts();
    assert_eq!(config.commit.value, CommitStyle::PerFile);
}

#[test]
fn lists_add_up_over_the_layers_and_an_empty_item_clears_what_came_before() {
    let layers = || {
        said()
            .git(Scope::Global, "implement.allow", "one")
            .git(Scope::Local, "implement.allow", "two")
            .file("allow = [\"three\", \"four:src/a.py\"]")
            .env("GIT_IMPLEMENT_ALLOW", "five, six")
    };
    let all = layers().option("allow", "seven").counts().allow;
    assert_eq!(all.values(), ["one", "two", "three", "four:src/a.py", "five", "six", "seven"]);
    assert_eq!(all.0[2].origin, Origin::File { line: 1 });
    assert_eq!(layers().option("allow", "").option("allow", "seven").counts().allow.values(), ["seven"]);
    let phrases = said().env("GIT_IMPLEMENT_SUMMARY_PHRASES", "done, and tested\nall green\n").counts();
    assert_eq!(phrases.summary_phrases.values(), ["done, and tested", "all green"]);
}

#[test]
fn gits_own_output_is_read_as_git_prints_it() {
    let output = b"global\0implement.allow\na=b\0local\0implement.gpgsign\0newer\0implement.model\nx=y z\0";
    let entries = parse_git_config(output).unwrap();
    let entry =
        |scope, key: &str, value: Option<&str>| GitEntry { scope, key: key.into(), value: value.map(str::to_owned) };
    assert_eq!(
        entries,
        [
            entry(Scope::Global, "implement.allow", Some("a=b")),
            entry(Scope::Local, "implement.gpgsign", None),
            entry(Scope::Other, "implement.model", Some("x=y z")),
        ]
    );
    let config = Sources { git: entries, ..Sources::default() }.resolve().unwrap();
    assert_eq!(config.gpg_sign, Some(Setting::new(true, Origin::Git(Scope::Local))));
    assert_eq!(parse_git_config(b"").unwrap(), []);
}

#[test]
fn an_unknown_key_is_an_error_with_its_place_and_a_suggestion() {
    let file = said().file("model = \"x\"\n\nmax-file = 3\n").refused();
    assert_eq!((file.path.as_deref(), file.line), (Some(FILE_NAME), Some(3)));
    assert_eq!(file.message, "unknown key 'max-file'");
    assert_eq!(file.hint.as_deref(), Some("did you mean 'max-files'?"));

    let git = said().git(Scope::Local, "implement.idleTimout", "1s").refused();
    assert_eq!(git.message, "unknown key 'implement.idletimout' in git config (local)");
    assert_eq!(git.hint.as_deref(), Some("did you mean 'implement.idleTimeout'?"));

    let env = said().env("GIT_IMPLEMENT_MODLE", "x").refused();
    assert_eq!(env.message, "unknown environment variable 'GIT_IMPLEMENT_MODLE'");
    assert_eq!(env.hint.as_deref(), Some("did you mean 'GIT_IMPLEMENT_MODEL'?"));

    let option = said().option("max_files", "3").refused();
    assert_eq!(
        (option.id.as_ref(), option.hint.as_deref()),
        ("usage-unknown-option", Some("did you mean '--max-files'?"))
    );

    let table = said().file("[validators.ruff]\nrun = \"ruff\"\n").refused();
    assert_eq!((table.message.as_str(), table.line), ("unknown key 'validators'", Some(1)));
    assert!(!table.hint.unwrap().contains("did you mean"));
}

#[test]
fn what_a_providers_command_is_told_is_never_configuration() {
    let config = said()
        .env("GIT_IMPLEMENT_FORMAT", "v4a")
        .env("GIT_IMPLEMENT_PATH", "src/a.py")
        .env("GIT_IMPLEMENT_ATTEMPT", "2")
        .env("GIT_IMPLEMENT_TEST_ANYTHING", "1")
        .env("GIT_IMPLEMENT_MODEL", "")
        .counts();
    assert_eq!(config.format.value, FormatChoice::Auto);
    assert_eq!(config.model, None, "an empty variable counts as not set");
}

#[test]
fn a_wrong_value_is_an_error_that_names_its_place() {
    let wrong = |text: &str| {
        let finding = said().file(text).refused();
        assert_eq!((finding.id.as_ref(), finding.line), ("config-value", Some(1)), "{text}");
        finding.message
    };
    assert_eq!(wrong("max-files = 0"), "bad value for 'max-files': '0' is not a whole number from 1 to 4294967295");
    assert_eq!(wrong("max-files = \"9\""), "bad value for 'max-files': it must be a whole number, not a string");
    assert_eq!(wrong("max-files = -1"), "bad value for 'max-files': '-1' is not a whole number from 1 to 4294967295");
    assert_eq!(
        wrong("commit = \"per-fil\""),
        "bad value for 'commit': 'per-fil' is none of 'per-file', 'per-task', 'single'"
    );
    assert_eq!(
        wrong("idle-timeout = \"2 weeks\""),
        "bad value for 'idle-timeout': '2 weeks' is not a duration such as '120s', '30m' or '1h'"
    );
    assert_eq!(
        wrong("max-cost = \"-1\""),
        "bad value for 'max-cost': '-1' is not an amount of US dollars such as '2' or '0.50'"
    );
    assert_eq!(wrong("gpg-sign = \"yes\""), "bad value for 'gpg-sign': it must be true or false, not a string");
    assert_eq!(wrong("allow = [1]"), "bad value for 'allow': it must be a list of strings, not a list");
    assert_eq!(wrong("[model]"), "bad value for 'model': it must be a string, not a table");
    assert_eq!(wrong("model = \" \""), "bad value for 'model': it is empty");
    assert_eq!(wrong("model = \"a\\u001b[2J\""), "bad value for 'model': it holds a control character");

    let env = said().env("GIT_IMPLEMENT_COLOR", "blue").refused().message;
    assert_eq!(
        env,
        "bad value for environment variable 'GIT_IMPLEMENT_COLOR': 'blue' is none of 'auto', 'always', 'never'"
    );
    let option = said().option("max-cost", "nan").refused();
    assert_eq!(option.id, "usage-value");
    assert_eq!(
        option.message,
        "bad value for option '--max-cost': 'nan' is not an amount of US dollars such as '2' or '0.50'"
    );
    let git = said().git(Scope::Global, "implement.command", "x 'y").refused().message;
    assert_eq!(git, "bad value for 'implement.command' in git config (global): it has a quote that is never closed");
}

#[test]
fn every_wrong_thing_is_told_at_once() {
    let said = said().file("max-files = 0\nmodle = 1\n").env("GIT_IMPLEMENT_COLOR", "blue").option("commit", "x");
    assert_eq!(said.sources().resolve().unwrap_err().len(), 4);
}

#[test]
fn values_are_read_by_their_kind() {
    let config = said()
        .file("idle-timeout = 90\ncommand-idle-timeout = \"2h\"\nmax-cost = 0.5\nmax-tokens = 1_000_000\ncontext = \"a.md\"")
        .env("HOME", "/home/me")
        .option("recordings", "~/replies")
        .option("command", "claude -p 'two words'")
        .option("gpg-sign", "no")
        .counts();
    assert_eq!(config.idle_timeout.value, Duration::from_secs(90));
    assert_eq!(config.command_idle_timeout.value, Duration::from_secs(7200));
    assert_eq!(config.max_cost.unwrap().value, 0.5);
    assert_eq!(config.max_tokens.unwrap().value, 1_000_000);
    assert_eq!(config.context.values(), ["a.md"]);
    assert_eq!(config.recordings.unwrap().value, Path::new("/home/me/replies"));
    assert_eq!(config.command.unwrap().value, "claude -p 'two words'");
    assert!(!config.gpg_sign.unwrap().value);
}

#[test]
fn broken_toml_is_an_error_at_its_line() {
    let finding = said().file("model = \"a\"\nmax-files = = 3\n").refused();
    assert_eq!((finding.id.as_ref(), finding.line), ("config-syntax", Some(2)));
    let twice = said().file("model = \"a\"\nmodel = \"b\"\n").refused();
    assert_eq!((twice.id.as_ref(), twice.line), ("config-syntax", Some(2)));
}

#[test]
fn the_repository_may_not_say_what_runs_or_where_source_and_keys_go() {
    let file = "provider = \"openai\"\nbase-url = \"https://evil.example\"\ncommand = \"rm -rf ~\"\nkey-command = \"id\"\n\
                recordings = \"/tmp/x\"\nreplay = \"x\"\notlp-endpoint = \"https://evil.example\"\nmodel = \"m\"\n";
    let config = said().file(file).counts();
    assert_eq!(ids(&config), ["config-restricted"; 7]);
    assert_eq!(config.findings[1].line, Some(2));
    assert!(config.findings[1].hint.as_deref().unwrap().contains("git config --global implement.baseUrl"));
    assert!(config.provider.is_none() && config.base_url.is_none() && config.command.is_none());
    assert!(config.key_command.is_none() && config.recordings.is_none() && config.replay.is_none());
    assert!(config.otlp_traces_url.is_none());
    assert_eq!(config.model.unwrap().value, "m", "what is harmless still counts");

    for scope in [Scope::Local, Scope::Worktree, Scope::Other] {
        let config = said().git(scope, "implement.command", "x").counts();
        assert!(config.command.is_none() && config.provider.is_none(), "{scope:?}");
        assert_eq!(ids(&config), ["config-restricted"], "{scope:?}");
    }
    for scope in [Scope::System, Scope::Global, Scope::Command] {
        let config = said().git(scope, "implement.command", "x").file("command = \"y\"").counts();
        assert_eq!(config.command.unwrap().value, "x", "{scope:?}");
    }
}

#[test]
fn the_repository_may_lower_a_budget_and_not_raise_it() {
    let mine = || said().git(Scope::Global, "implement.maxCost", "2").git(Scope::Global, "implement.maxTokens", "1000");
    let config = mine().file("max-cost = 50\nmax-tokens = 10\n").counts();
    assert_eq!(config.max_cost, Some(Setting::new(2.0, Origin::Git(Scope::Global))));
    assert_eq!(config.max_tokens, Some(Setting::new(10, Origin::File { line: 2 })));
    assert_eq!(ids(&config), ["config-restricted"]);
    let config = mine().file("max-cost = 50").option("max-cost", "70").counts();
    assert_eq!(config.max_cost.unwrap().value, 70.0, "the person may");
    assert!(config.findings.is_empty(), "and nobody needs to hear of what would have been ignored");
}

#[test]
fn the_repository_may_ask_for_signatures_and_not_turn_them_off() {
    let config = said().git(Scope::Global, "implement.gpgSign", "true").file("gpg-sign = false").counts();
    assert_eq!(config.gpg_sign, Some(Setting::new(true, Origin::Git(Scope::Global))));
    assert_eq!(ids(&config), ["config-restricted"]);
    assert!(said().file("gpg-sign = true").counts().gpg_sign.unwrap().value);
}

#[test]
fn commands_that_verify_add_up_over_the_layers_each_split_and_with_its_origin() {
    let layers = || {
        said()
            .git(Scope::Global, "implement.verify", "ruff check 'my dir'")
            .env("GIT_IMPLEMENT_VERIFY", "a, b\ntrue\n")
            .option("verify", "pytest -q")
    };
    let all = layers().counts().verify;
    let texts: Vec<&str> = all.iter().map(|verify| verify.text.as_str()).collect();
    assert_eq!(texts, ["ruff check 'my dir'", "a, b", "true", "pytest -q"]);
    assert_eq!(all[0].command, ["ruff", "check", "my dir"]);
    assert_eq!(all[3].by, Origin::Option("--verify".into()));
    assert_eq!((all[0].when, all[0].fixes, all[0].network), (VerifyWhen::End, false, false));
    let last = layers().option("verify", "").option("verify", "make").counts().verify;
    assert_eq!(last.len(), 1, "{last:?}");
    assert_eq!(said().option("verify", "a 'b").refused().id, "usage-value");
}

const TABLE: &str = "[[verify]]\ncommand = \"cargo fmt\"\nwhen = \"file\"\nsilence = 5\ntotal = \"2m\"\n\
                     paths = [\"src/*.rs\"]\nfixes = true\nnetwork = true\n\n[[verify]]\ncommand = \"make test\"\n";

#[test]
fn a_table_says_when_how_long_and_about_which_files_a_command_is_run() {
    let config = said().file(TABLE).approved().counts();
    let [format, test] = &config.verify[..] else { panic!("{:?}", config.verify) };
    assert_eq!(format.command, ["cargo", "fmt"]);
    assert_eq!(
        (format.when, format.silence, format.total),
        (VerifyWhen::File, Duration::from_secs(5), Duration::from_secs(120))
    );
    assert!(format.fixes && format.network && !test.fixes && !test.network);
    assert!(format.concerns(["README.md", "src/a.rs"].into_iter()) && !format.concerns(["src/x/a.py"].into_iter()));
    assert!(test.concerns(["anything"].into_iter()));
    assert_eq!(test.by, Origin::File { line: 10 });

    let personal = said()
        .git(Scope::Global, "implement.verify.fmt.command", "cargo fmt")
        .git(Scope::Global, "implement.verify.fmt.when", "commit")
        .git(Scope::Command, "implement.verify.fmt.fixes", "yes")
        .git(Scope::Local, "implement.verify.fmt.command", "evil")
        .counts();
    let [own] = &personal.verify[..] else { panic!("{:?}", personal.verify) };
    assert_eq!((own.text.as_str(), own.when, own.fixes), ("cargo fmt", VerifyWhen::Commit, true));
    assert_eq!(ids(&personal), ["config-restricted"]);
}

#[test]
fn a_table_that_makes_no_sense_is_an_error_at_its_line() {
    let wrong = |text: &str| {
        let finding = said().file(&format!("\n[[verify]]\n{text}")).refused();
        assert_eq!(finding.line, Some(2), "{text}");
        (finding.message, finding.hint.unwrap_or_default())
    };
    assert_eq!(wrong("when = \"end\"").0, "there is no command in '[[verify]]'");
    let (message, hint) = wrong("command = \"x\"\nwhn = \"end\"");
    assert_eq!((message.as_str(), hint.as_str()), ("unknown key 'whn' in '[[verify]]'", "did you mean 'when'?"));
    assert_eq!(
        wrong("command = [\"x\"]").0,
        "bad value for 'command' in '[[verify]]': it must be a string, not a list"
    );
    assert_eq!(
        wrong("command = \"x\"\npaths = [\"a[\"]").0,
        "bad value for 'paths' in '[[verify]]': 'a[' is no glob: unclosed character class; missing ']'"
    );
    let git = said().git(Scope::Global, "implement.verify.a.when", "never").refused().message;
    assert_eq!(
        git,
        "bad value for 'when' in 'implement.verify.a' of git config (global): 'never' is none of 'file', 'commit', 'end'"
    );
}

#[test]
fn what_a_file_would_run_counts_only_when_that_file_is_approved() {
    let file = format!("lsp-server = [\"rust-analyzer\"]\ncommand = \"llm\"\n{TABLE}");
    let config = said().file(&file).option("verify", "mine").counts();
    assert_eq!(config.verify.len(), 1);
    assert!(config.lsp_server.0.is_empty() && config.command.is_none());
    assert_eq!(ids(&config), ["config-restricted", "config-not-approved"], "one warning for all of them");
    let finding = &config.findings[1];
    assert_eq!(
        finding.message,
        "ignoring what '.git-implement.toml' would run: 'rust-analyzer', 'cargo fmt', 'make test'"
    );
    assert!(finding.hint.as_deref().unwrap().starts_with("git implement trust"), "{finding:?}");

    let config = said().file(&file).approved().option("verify", "mine").counts();
    assert_eq!(config.verify.len(), 3);
    assert_eq!(
        (config.lsp_server.values(), config.command.unwrap().value),
        (vec!["rust-analyzer".to_owned()], "llm".into())
    );
    assert!(config.findings.is_empty());
    let local = said().git(Scope::Local, "implement.verify", "evil").approved().counts();
    assert!(local.verify.is_empty(), "what is approved is the file");
    let guarded =
        said().file("allow = [\"secret\"]\nmax-cost = 9").git(Scope::Global, "implement.maxCost", "1").approved();
    let guarded = guarded.counts();
    assert_eq!((guarded.allow.0.len(), guarded.max_cost.unwrap().value), (0, 1.0), "an approval loosens no guard");
}

#[test]
fn the_repository_neither_starts_language_servers_nor_stops_them() {
    assert_eq!(said().file("lsp = \"off\"").counts().lsp.value, LspMode::Report);
    let config = said().git(Scope::Global, "implement.lsp", "off").file("lsp = \"gate\"\nno-exec = true").counts();
    assert_eq!((config.lsp.value, config.no_exec.value), (LspMode::Off, false));
    assert_eq!(ids(&config), ["config-restricted"; 2]);
    assert_eq!(said().file("lsp = \"gate\"").approved().counts().lsp.value, LspMode::Gate);
}

#[test]
fn a_command_or_recorded_replies_name_the_provider_of_their_layer() {
    let mine =
        || said().git(Scope::Global, "implement.provider", "anthropic").git(Scope::Global, "implement.command", "old");
    assert_eq!(mine().counts().provider.unwrap().value, ProviderKind::Anthropic);
    let config = mine().option("command", "llm").counts();
    assert_eq!(config.provider, Some(Setting::new(ProviderKind::Command, Origin::Option("--command".into()))));
    assert_eq!(mine().env("GIT_IMPLEMENT_REPLAY", "r").counts().provider.unwrap().value, ProviderKind::Replay);
}

#[test]
fn a_model_and_an_address_stay_with_the_provider_that_they_were_set_for() {
    let mine = || {
        said()
            .git(Scope::Global, "implement.provider", "openai")
            .git(Scope::Global, "implement.baseUrl", "https://proxy.example/v1/")
            .git(Scope::Global, "implement.model", "gpt")
            .git(Scope::Global, "implement.keyCommand", "pass openai")
            .env("ANTHROPIC_API_KEY", "k")
    };
    let config = mine().option("provider", "anthropic").option("model", "claude").counts();
    assert!(config.base_url_of(ProviderKind::Anthropic).is_none(), "one vendor's key must not go to another's proxy");
    assert!(matches!(config.key_source(ProviderKind::Anthropic, "https://a.example"), KeySource::Environment(..)));
    assert_eq!(config.model.as_ref().unwrap().value, "claude");
    assert_eq!(ids(&config), ["config-other-provider"; 3]);
    assert!(mine().option("replay", "r").counts().findings.is_empty(), "recorded replies need none of the three");

    let beside = said().option("replay", "r").option("command", "c").counts();
    assert!(beside.replay.is_some() && beside.provider.unwrap().value == ProviderKind::Command);
    let other = said().git(Scope::Global, "implement.replay", "r").option("provider", "openai").counts();
    assert!(other.replay.is_none(), "nobody said so of this provider");

    let config = mine().option("provider", "openai").counts();
    assert_eq!(config.base_url_of(ProviderKind::Openai).unwrap().value, "https://proxy.example/v1");
    assert!(config.findings.is_empty());
}

#[test]
fn an_address_without_a_provider_is_an_error_before_anybody_is_asked() {
    let config = said().option("base-url", "https://x.example").env("ANTHROPIC_API_KEY", "k").counts();
    assert!(config.provider_findings()[0].message.contains("needs a provider"));
    assert!(config.base_url_of(ProviderKind::Anthropic).is_none());
    let replies = said().option("base-url", "https://x.example").option("replay", "r").counts();
    assert!(replies.provider_findings()[0].is_error(), "nobody would be asked there");
    assert!(said().option("provider", "command").counts().provider_findings()[0].is_error());
    assert!(said().option("provider", "replay").counts().provider_findings()[0].is_error());
    assert!(said().counts().provider_findings().is_empty());
}

#[test]
fn an_address_in_the_clear_is_a_warning_unless_it_is_this_machine() {
    let at = |url: &str| said().option("provider", "openai").option("base-url", url).counts().provider_findings();
    assert_eq!(at("http://box.example:8080")[0].id, "config-insecure");
    for url in ["http://127.0.0.1:8080/v1", "http://localhost:1", "http://[::1]:1", "https://box.example"] {
        assert!(at(url).is_empty(), "{url}");
    }
    assert!(!is_loopback("http://127.0.0.1.evil.example/"));
    assert!(!is_loopback("http://localhost.evil.example/"));
}

#[test]
fn an_address_must_be_one_and_its_message_never_repeats_a_password() {
    for url in ["ftp://x.example", "x.example/v1", "https://x.example/v1?key=1", "file:///etc/passwd"] {
        assert_eq!(said().option("base-url", url).refused().id, "usage-value", "{url}");
    }
    let finding = said().env("GIT_IMPLEMENT_BASE_URL", "https://me:hunter2@x.example").refused();
    assert!(!format!("{finding:?}").contains("hunter2"));
}

#[test]
fn the_vendors_own_variables_give_key_and_address_below_our_own_settings() {
    let vendors = || {
        said()
            .env("ANTHROPIC_API_KEY", " key-1\n")
            .env("OPENAI_BASE_URL", "http://127.0.0.1:8080/v1/")
            .env("OLLAMA_HOST", "0.0.0.0")
    };
    let config = vendors().counts();
    match config.key_source(ProviderKind::Anthropic, "https://api.example") {
        KeySource::Environment(name, key) => assert_eq!((name, key.expose_secret()), ("ANTHROPIC_API_KEY", "key-1")),
        other => panic!("{other:?}"),
    }
    assert_eq!(config.base_url_of(ProviderKind::Openai).unwrap().value, "http://127.0.0.1:8080/v1");
    assert_eq!(config.base_url_of(ProviderKind::Ollama).unwrap().value, "http://127.0.0.1:11434");
    assert!(matches!(config.key_source(ProviderKind::Openai, "https://api.example"), KeySource::None));

    let config = vendors().option("provider", "openai").option("base-url", "https://mine.example:444/v1").counts();
    assert_eq!(config.base_url_of(ProviderKind::Openai).unwrap().value, "https://mine.example:444/v1");
    match config.key_source(ProviderKind::Openai, "https://api.example") {
        KeySource::Credential { input } => assert_eq!(input, "protocol=https\nhost=mine.example:444\n\n"),
        other => panic!("{other:?}"),
    }

    let config =
        vendors().option("provider", "anthropic").env("GIT_IMPLEMENT_KEY_COMMAND", "pass show 'my key'").counts();
    match config.key_source(ProviderKind::Anthropic, "https://api.example") {
        KeySource::Command(argv) => assert_eq!(argv, ["pass", "show", "my key"]),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_key_is_taken_out_of_what_a_program_prints() {
    assert_eq!(key_from_command("abc\n").unwrap().expose_secret(), "abc");
    assert!(key_from_command("two words\n").is_none() && key_from_command("\n").is_none());
    let answer = "protocol=https\nhost=h\nusername=u\npassword=abc\n";
    assert_eq!(key_from_credential(answer).unwrap().expose_secret(), "abc");
    assert!(key_from_credential("protocol=https\n").is_none());
}

// In two parts, so that no scanner takes this file for a leak.
const KEY: &str = concat!("sk-ant-", "api03-a1B2c3D4e5F6g7H8i9J0");

#[test]
fn a_repositorys_file_with_a_key_in_it_is_refused_and_the_key_is_repeated_nowhere() {
    for text in [
        format!("model = \"x\"\n# {KEY}\n"),
        format!("model = \"x\"\napi-key = \"{KEY}\"\n"),
        format!("model = \"x\"\nkey = {KEY} = broken\n"),
    ] {
        let finding = said().file(&text).refused();
        assert_eq!((finding.id.as_ref(), finding.line), ("config-secret", Some(2)));
        assert!(!format!("{finding:?}").contains("a1B2"));
    }
    let named = said().file("api-key = \"$MY_KEY\"\n").refused();
    assert!(named.hint.unwrap().contains("ANTHROPIC_API_KEY"));
    let env = said().env("GIT_IMPLEMENT_API_KEY", KEY).refused();
    assert!(env.hint.as_deref().unwrap().contains("ANTHROPIC_API_KEY") && !format!("{env:?}").contains("a1B2"));
    let slipped = said().env("GIT_IMPLEMENT_MAX_FILES", KEY).refused();
    assert!(!format!("{slipped:?}").contains("a1B2"));
}

#[test]
fn no_debug_form_shows_a_key() {
    let sources = said().env("OPENAI_API_KEY", KEY).env("OTEL_EXPORTER_OTLP_HEADERS", "x=a1B2").sources();
    let config = sources.resolve().unwrap();
    assert!(
        !format!("{sources:?}{config:?}{:?}", config.key_source(ProviderKind::Openai, "https://x")).contains("a1B2")
    );
}

#[test]
fn telemetry_goes_where_ours_says_else_where_the_standard_variables_say() {
    let url = |said: Said| said.counts().otlp_traces_url.map(|setting| setting.value);
    assert_eq!(url(said()), None);
    let standard = || said().env("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318/");
    assert_eq!(url(standard()).as_deref(), Some("http://127.0.0.1:4318/v1/traces"));
    let exact = standard().env("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://127.0.0.1:9/t");
    assert_eq!(url(exact).as_deref(), Some("http://127.0.0.1:9/t"));
    assert_eq!(url(standard().env("OTEL_SDK_DISABLED", "true")), None);
    let ours = standard().git(Scope::Global, "implement.otlpEndpoint", "https://otel.example/base");
    assert_eq!(url(ours).as_deref(), Some("https://otel.example/base/v1/traces"));
}

#[test]
fn a_trace_of_the_caller_is_taken_up_only_in_its_exact_form() {
    let good = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    assert_eq!(said().env("TRACEPARENT", good).counts().traceparent.as_deref(), Some(good));
    for bad in ["00-0-b7ad6b7169203331-01", "00-00000000000000000000000000000000-b7ad6b7169203331-01", "x\r\ny: z"] {
        assert_eq!(said().env("TRACEPARENT", bad).counts().traceparent, None);
    }
}

#[test]
fn no_color_counts_unless_we_are_told_otherwise() {
    assert_eq!(said().env("NO_COLOR", "1").counts().color.value, When::Never);
    assert_eq!(said().env("NO_COLOR", "").counts().color.value, When::Auto);
    assert_eq!(said().env("NO_COLOR", "1").option("color", "always").counts().color.value, When::Always);
}

#[test]
fn what_git_is_told_of_colour_counts_below_what_we_are_told() {
    let git = |value: &str| said().git(Scope::Global, "color.ui", value);
    for (value, when) in
        [("false", When::Never), ("never", When::Never), ("always", When::Always), ("auto", When::Auto)]
    {
        assert_eq!(git(value).counts().color.value, when, "{value}");
    }
    assert_eq!(git("never").git(Scope::Local, "color.ui", "always").counts().color.value, When::Always);
    assert_eq!(git("always").git(Scope::Global, "implement.color", "never").counts().color.value, When::Never);
    assert_eq!(git("always").env("NO_COLOR", "1").counts().color.value, When::Never);
}

#[test]
fn children_get_the_environment_that_is_theirs() {
    let environment = said()
        .env("PATH", "/bin")
        .env("GIT_DIR", "/r")
        .env("GIT_AUTHOR_NAME", "me")
        .env("GIT_CONFIG_COUNT", "1")
        .env("GIT_CONFIG_KEY_0", "a.b")
        .env("GIT_IMPLEMENT_MODEL", "m")
        .env("OPENAI_API_KEY", "k")
        .sources()
        .environment;
    let names = |environment: crate::environment::Environment| {
        environment.iter().map(|(name, _)| name.to_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(
        names(crate::process::ChildKind::Git.variables(&environment)),
        ["PATH", "GIT_DIR", "GIT_AUTHOR_NAME", "GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_0"]
    );
    assert_eq!(
        names(crate::process::ChildKind::Provider.variables(&environment)),
        ["PATH", "GIT_AUTHOR_NAME", "OPENAI_API_KEY"]
    );
    assert_eq!(names(crate::process::ChildKind::Other.variables(&environment)), ["PATH", "GIT_AUTHOR_NAME"]);
}

#[test]
fn the_file_is_read_from_the_root_and_a_link_in_its_place_is_refused() {
    let root = tempfile::tempdir().unwrap();
    let gather = || Sources::gather(Environment::default(), Some(root.path()), b"", Vec::new());
    assert_eq!(gather().unwrap().repo_file, None);
    std::fs::write(root.path().join(FILE_NAME), "model = \"m\"\n").unwrap();
    assert_eq!(gather().unwrap().resolve().unwrap().model.unwrap().value, "m");
    std::fs::rename(root.path().join(FILE_NAME), root.path().join("other")).unwrap();
    std::os::unix::fs::symlink("other", root.path().join(FILE_NAME)).unwrap();
    assert_eq!(gather().unwrap_err().message, "cannot read '.git-implement.toml': not a regular file");
}

#[test]
fn every_key_has_four_spellings_of_its_own_and_a_default_of_its_kind() {
    let mut spellings = std::collections::BTreeSet::new();
    for key in KEYS {
        assert!(spellings.insert(key.git_name().to_ascii_lowercase()), "{}", key.name);
        assert!(key.environment_name().is_some() || key.name == "format", "{}", key.name);
        if let Some(default) = key.default {
            assert!(value::parse(key.kind, default).is_ok(), "{}", key.name);
        }
        assert!(!secret::names_a_secret(key.name), "{}", key.name);
    }
    let max_files = registry::find("max-files").unwrap();
    assert_eq!(max_files.git_name(), "implement.maxFiles");
    assert_eq!(max_files.environment_name().as_deref(), Some("GIT_IMPLEMENT_MAX_FILES"));
}

#[test]
fn every_key_can_be_set_and_reaches_the_configuration() {
    for key in KEYS {
        let value = match key.kind {
            ValueKind::Word(words) => words[words.len() - 1],
            ValueKind::Count(_) | ValueKind::Money => "7",
            ValueKind::UpTo(_) => "2",
            ValueKind::Duration => "7s",
            ValueKind::Flag => "true",
            ValueKind::Url => "https://x.example",
            ValueKind::Text | ValueKind::Command | ValueKind::Commands | ValueKind::Path | ValueKind::List => "x",
        };
        let (before, after) = (said().counts(), said().option(key.name, value).counts());
        assert_ne!(format!("{before:?}"), format!("{after:?}"), "{} changes nothing", key.name);
    }
}
