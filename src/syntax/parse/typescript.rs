//! TypeScript and TSX, by oxc, and a look at the tree for what oxc takes and the compiler does not: members of a type
//! with nothing between them (`interface A {foo bar}`), a `this` parameter without its comma.
//!
//! Tree-sitter's grammar as a second opinion would find these too, but it knows neither `import("a").B<C>` in
//! declarations nor variance (`<in out T>`), and refuses one good modern file in seven for that.

use super::{Parsed, Parser, Trust, javascript};
use oxc_ast::ast::{Program, TSSignature, TSThisParameter};
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, SourceType};

pub(in crate::syntax) const PARSER: Parser = Parser { trust: Trust::Error, parse, stack_per_token: 3000, links: None };

fn parse(path: &str, text: &str) -> Parsed {
    // Qt's translations are called `.ts` too.
    if text.trim_start().starts_with("<?xml") || text.trim_start().starts_with("<!DOCTYPE") {
        return Parsed::NotApplicable("it is XML");
    }
    let kind = SourceType::from_path(crate::syntax::file_name(path)).unwrap_or(SourceType::ts());
    javascript::any_of(&[kind, kind.with_script(true)], text, first_unparted)
}

/// Where the first two things stand next to each other that the compiler wants parted.
fn first_unparted(program: &Program, text: &str) -> Option<usize> {
    let mut look = Look { text, found: None };
    look.visit_program(program);
    look.found
}

struct Look<'t> {
    text: &'t str,
    found: Option<usize>,
}

impl Look<'_> {
    fn found(&mut self, offset: usize) {
        self.found = Some(self.found.map_or(offset, |before| before.min(offset)));
    }
}

impl<'a> Visit<'a> for Look<'_> {
    fn visit_ts_signatures(&mut self, members: &oxc_allocator::Vec<'a, TSSignature<'a>>) {
        for (one, next) in members.iter().zip(members.iter().skip(1)) {
            let (end, start) = (one.span().end as usize, next.span().start as usize);
            let ended = self.text.get(..end).is_some_and(|text| text.ends_with([';', ',']));
            let parted = self.text.get(end..start).is_none_or(|text| text.contains(['\n', '\r', ';', ',', '\u{2028}']));
            if !ended && !parted {
                self.found(start);
            }
        }
        walk::walk_ts_signatures(self, members);
    }

    fn visit_ts_this_parameter(&mut self, this: &TSThisParameter<'a>) {
        let end = this.span.end as usize;
        // A comment may stand there too: it is given the benefit of the doubt.
        let next = self.text.get(end..).and_then(|rest| rest.trim_start().chars().next());
        if next.is_some_and(|next| !matches!(next, ',' | ')' | '/')) {
            self.found(end);
        }
        walk::walk_ts_this_parameter(self, this);
    }
}
