//! [`Language`]: what is known of a language, one file each.

use super::definitions::Bodies;
use super::imports::Imports;
use super::mask::Lexis;
use super::parse::Parser;
use super::stubs::Stubs;
use super::tested::Family;

/// `PARSER`: the parser of a family that this build may leave out.
macro_rules! parser {
    ($feature:literal, $module:ident) => {
        #[cfg(feature = $feature)]
        const PARSER: Option<crate::syntax::Parser> = Some(crate::syntax::parse::$module::PARSER);
        #[cfg(not(feature = $feature))]
        const PARSER: Option<crate::syntax::Parser> = None;
    };
}

pub(super) mod bash;
mod c;
mod cmake;
mod cpp;
mod csharp;
mod css;
mod dart;
mod elixir;
mod erlang;
mod fsharp;
mod go;
mod graphql;
mod groovy;
mod haskell;
mod hcl;
mod html;
mod java;
mod javascript;
mod json;
mod julia;
mod kotlin;
mod lua;
mod nix;
mod objective_c;
mod ocaml;
mod perl;
mod php;
mod powershell;
mod protobuf;
mod python;
mod r;
mod ruby;
mod rust;
mod scala;
mod solidity;
mod sql;
mod swift;
mod toml;
mod typescript;
mod xml;
mod yaml;
mod zig;

/// One language. What is not known of it is not asked about.
pub struct Language {
    /// `python`; findings are called `syntax-python`.
    pub name: &'static str,
    /// In lower case, without the dot.
    pub extensions: &'static [&'static str],
    /// Whole file names, which go before extensions.
    pub file_names: &'static [&'static str],
    /// Of an extension that other formats have as well: is a text of this language by what stands in it? See `Nature`.
    pub nature: Option<Nature>,
    /// Programs in whose name a file without an extension begins (`#!/usr/bin/env python3`), without version numbers.
    pub programs: &'static [&'static str],
    /// `None`: there is none, or this build leaves it out.
    pub parser: Option<Parser>,
    /// How it writes remarks and strings.
    pub lexis: Option<Lexis>,
    /// What bounds the bodies of functions and types.
    pub bodies: Option<Bodies>,
    /// The test frameworks.
    pub tests: Option<Family>,
    pub(super) imports: Option<Imports>,
    pub(super) stubs: Stubs,
}

/// What tells texts of a language from those of other formats that share one of its extensions.
#[derive(Debug, Clone, Copy)]
pub struct Nature {
    /// As they are written: `.R` is R's alone, `.r` is not.
    pub extensions: &'static [&'static str],
    /// Some line of the language's texts begins with one of these.
    pub begins: &'static [&'static str],
    /// Or holds one of these.
    pub holds: &'static [&'static str],
}

impl Nature {
    /// May `text` at `path` be of the language? Of an empty one nobody can tell.
    pub(super) fn fits(&self, path: &str, text: &str) -> bool {
        let extension = super::file_name(path).rsplit_once('.').map_or("", |(_, extension)| extension);
        !self.extensions.contains(&extension) || text.trim().is_empty() || self.knows(text)
    }

    fn knows(&self, text: &str) -> bool {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        text.lines().map(str::trim_start).any(|line| self.begins.iter().any(|start| line.starts_with(start)))
            || self.holds.iter().any(|mark| memchr::memmem::find(text.as_bytes(), mark.as_bytes()).is_some())
    }
}

impl Language {
    /// Nothing is known of it.
    const NONE: Language = Language {
        name: "",
        extensions: &[],
        file_names: &[],
        nature: None,
        programs: &[],
        parser: None,
        lexis: None,
        bodies: None,
        tests: None,
        imports: None,
        stubs: Stubs::Unknown,
    };
}

pub const LANGUAGES: &[Language] = &[
    bash::LANGUAGE,
    c::LANGUAGE,
    cmake::LANGUAGE,
    cpp::LANGUAGE,
    csharp::LANGUAGE,
    css::LANGUAGE,
    dart::LANGUAGE,
    elixir::LANGUAGE,
    erlang::LANGUAGE,
    fsharp::LANGUAGE,
    go::LANGUAGE,
    graphql::LANGUAGE,
    groovy::LANGUAGE,
    haskell::LANGUAGE,
    hcl::LANGUAGE,
    html::LANGUAGE,
    java::LANGUAGE,
    javascript::LANGUAGE,
    json::LANGUAGE,
    julia::LANGUAGE,
    kotlin::LANGUAGE,
    lua::LANGUAGE,
    nix::LANGUAGE,
    objective_c::LANGUAGE,
    ocaml::LANGUAGE,
    perl::LANGUAGE,
    php::LANGUAGE,
    powershell::LANGUAGE,
    protobuf::LANGUAGE,
    python::LANGUAGE,
    r::LANGUAGE,
    ruby::LANGUAGE,
    rust::LANGUAGE,
    scala::LANGUAGE,
    solidity::LANGUAGE,
    sql::LANGUAGE,
    swift::LANGUAGE,
    toml::LANGUAGE,
    typescript::LANGUAGE,
    xml::LANGUAGE,
    yaml::LANGUAGE,
    zig::LANGUAGE,
];
