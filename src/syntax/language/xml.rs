//! XML and what is written in it.

use super::Nature;
use crate::syntax::{Language, Lexis};

parser!("xml", xml);

pub const LANGUAGE: Language = Language {
    name: "xml",
    extensions: &[
        "xml",
        "xsd",
        "xsl",
        "xslt",
        "svg",
        "wsdl",
        "rss",
        "atom",
        "xliff",
        "xlf",
        "plist",
        "csproj",
        "vbproj",
        "fsproj",
        "vcxproj",
        "props",
        "targets",
        "nuspec",
        "resx",
        "xaml",
        "axaml",
        "storyboard",
        "xib",
        "fxml",
        "iml",
        "pom",
    ],
    file_names: &["NuGet.Config", "packages.config", "App.config", "Web.config"],
    // Resources of Symbian, Java's properties and the property lists of NeXT are called so as well.
    nature: Some(Nature {
        extensions: &["rss", "props", "targets", "atom", "plist", "pom", "iml", "RSS"],
        begins: &["<"],
        holds: &[],
    }),
    parser: PARSER,
    lexis: Some(Lexis { blocks: &[("<!--", "-->")], double: false, ..Lexis::PLAIN }),
    ..Language::NONE
};
