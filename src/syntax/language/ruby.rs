//! Ruby.

use super::Nature;
use crate::syntax::{Bodies, Language, Lexis, mask, tested};

parser!("ruby", ruby);

pub const LANGUAGE: Language = Language {
    name: "ruby",
    extensions: &["rb", "rake", "gemspec", "ru", "podspec", "rbi", "jbuilder", "thor"],
    file_names: &[
        "Rakefile",
        "Gemfile",
        "Guardfile",
        "Podfile",
        "Fastfile",
        "Appfile",
        "Vagrantfile",
        "Capfile",
        "Brewfile",
        "Dangerfile",
        "Berksfile",
        "Thorfile",
        ".irbrc",
        ".pryrc",
    ],
    // Documents in Russian are called so as well.
    nature: Some(Nature {
        extensions: &["ru"],
        begins: &["run ", "run(", "use ", "map ", "require", "#!", "#\\", "warmup"],
        holds: &[],
    }),
    programs: &["ruby", "jruby", "rake"],
    parser: PARSER,
    lexis: Some(Lexis { own: Some(mask::ruby::mask), ..Lexis::HASH }),
    bodies: Some(Bodies::End),
    tests: Some(tested::ruby::FAMILY),
    ..Language::NONE
};
