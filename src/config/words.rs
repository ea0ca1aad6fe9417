//! The settings that are one of a few words. Each enum and its words stand in one place, and the registry of keys
//! takes the words from here.

use crate::edit::Format;

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name { $($(#[$variant_doc])* $variant,)+ }

        impl $name {
            pub const WORDS: &'static [&'static str] = &[$($word,)+];

            pub fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)+ _ => None }
            }

            pub fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }
        }
    };
}

words! {
    /// Who answers.
    ProviderKind {
        Anthropic = "anthropic",
        Openai = "openai",
        Ollama = "ollama",
        Command = "command",
        Replay = "replay",
    }
}

words! {
    /// How the files of a run become commits.
    CommitStyle {
        PerFile = "per-file",
        PerTask = "per-task",
        Single = "single",
    }
}

words! {
    /// What a reviewer is shown of a change.
    ReviewShows {
        /// The diff alone.
        Diff = "diff",
        /// The definitions that it changes, as they were, and who calls them, too.
        Callers = "callers",
    }
}

words! {
    /// The trailer that says where a commit's text comes from.
    Trailer {
        AssistedBy = "assisted-by",
        GeneratedBy = "generated-by",
        CoAuthoredBy = "co-authored-by",
        None = "none",
    }
}

words! {
    /// What a published record holds: the later in the list, the less.
    Recorded {
        /// All of it.
        Full = "full",
        /// Replies, and no prompts.
        Replies = "replies",
        /// Neither.
        None = "none",
    }
}

words! {
    /// What becomes of errors that a language server finds.
    LspMode {
        /// Nobody is asked.
        Off = "off",
        /// They are told to the person, and to the model where replies are repaired.
        Report = "report",
        /// They refuse the file, too.
        Gate = "gate",
    }
}

words! {
    /// When a command that verifies is run.
    VerifyWhen {
        /// After each file.
        File = "file",
        /// For each commit.
        Commit = "commit",
        /// Once, before anything is published.
        End = "end",
    }
}

words! {
    When {
        /// On a terminal.
        Auto = "auto",
        Always = "always",
        Never = "never",
    }
}

words! {
    /// [`Format`], or the choice left to the size of each file.
    FormatChoice {
        Auto = "auto",
        Whole = "whole",
        FindReplace = "find-replace",
        SearchReplace = "search-replace",
        Unified = "unified",
        V4a = "v4a",
    }
}

impl FormatChoice {
    /// `None` for `auto`.
    pub fn format(self) -> Option<Format> {
        match self {
            FormatChoice::Auto => None,
            FormatChoice::Whole => Some(Format::Whole),
            FormatChoice::FindReplace => Some(Format::FindReplace),
            FormatChoice::SearchReplace => Some(Format::SearchReplace),
            FormatChoice::Unified => Some(Format::Unified),
            FormatChoice::V4a => Some(Format::V4a),
        }
    }
}
