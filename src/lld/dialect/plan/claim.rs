//! What one place of a plan says of one or more paths, and how sure it is that they are files to write.

use super::statement::{Form, Stance, Statement};
use crate::lld::Change;
use crate::lld::rows::Row;
use crate::lld::sentence::is_at_the_root;
use crate::lld::target::{self, Cell, Target};
use crate::lld::title::Scope;

/// How sure a claim is; the surest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tier {
    /// A list of files, or a verb that marks the path.
    Strong,
    /// A step that is about the file as a whole: "Create `src/a.py` with the parser".
    Step,
    /// A list of paths that nobody calls one.
    Weak,
    /// A sentence.
    Loose,
}

/// Is a claim part of a list of files? Steps with boxes are none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Listed {
    No,
    /// It is sure, and stands under no title that announces files.
    Alone,
    UnderTitle,
}

#[derive(Debug, Clone)]
pub(super) struct Claim {
    pub tier: Tier,
    pub stance: Stance,
    pub row: Row,
    /// What the words around suggest, where nothing is said.
    pub hint: Option<Change>,
    pub listed: Listed,
    /// The title under which it stands.
    pub title: String,
}

impl Claim {
    /// The paths that it is about.
    pub fn paths(&self) -> Vec<String> {
        match &self.row.target {
            Some(target) => vec![target.path.clone()],
            None => match target::read(&self.row.cell) {
                Cell::Paths { targets, .. } => targets.into_iter().map(|target| target.path).collect(),
                Cell::Nothing | Cell::Bad(_) => Vec::new(),
            },
        }
    }

    /// Does the row say in a column of its own what happens?
    pub fn is_typed(&self) -> bool {
        self.row.kind.as_deref().is_some_and(|kind| crate::lld::wording::read(kind).change.is_some())
    }

    /// What is to be said of a path that is not written.
    pub fn informs(&self) -> Option<String> {
        let path = self.paths().into_iter().next()?;
        match self.stance {
            Stance::Forbid => Some(format!("'{path}' must stay as it is: it is not written")),
            Stance::Look if self.tier == Tier::Strong => {
                Some(format!("'{path}' is there to be read: it is not written"))
            }
            Stance::Look | Stance::Write => None,
        }
    }
}

/// The place at which a statement stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Heading,
    Bullet,
    Line,
}

/// How sure a statement is at its place under its title, and what it asks for; `None`: nothing that anybody must know.
pub(super) fn weigh(statement: &Statement, scope: Option<Scope>, place: Place) -> Option<(Tier, Stance)> {
    let Statement { form, stance, change, .. } = statement;
    let named = matches!(form, Form::First | Form::Label | Form::Typed | Form::Other);
    match (scope, stance) {
        (_, Stance::Forbid) => return Some((Tier::Strong, Stance::Forbid)),
        (Some(Scope::Forbidden), _) => {
            let direct = named || *form == Form::Verb;
            return Some(if direct { (Tier::Strong, Stance::Forbid) } else { (Tier::Loose, Stance::Look) });
        }
        (Some(Scope::Aside), _) => return Some((Tier::Loose, Stance::Look)),
        (_, Stance::Look) => {
            return Some((if *form == Form::Typed { Tier::Strong } else { Tier::Loose }, Stance::Look));
        }
        _ => {}
    }
    let listed = matches!(scope, Some(Scope::Files(_)));
    let looked_up = scope == Some(Scope::Reference);
    let tier = match form {
        Form::Typed => Tier::Strong,
        Form::Label | Form::First | Form::Other if looked_up => return Some((Tier::Loose, Stance::Look)),
        Form::Label => Tier::Strong,
        Form::First | Form::Other if listed => Tier::Strong,
        Form::First if change.is_some() => Tier::Strong,
        Form::Verb if listed => Tier::Strong,
        // "Create `src/a.py` with the parser", as a step of its own.
        Form::Verb if place != Place::Line && statement.targets.iter().all(is_placed) => match place {
            Place::Heading => Tier::Strong,
            _ => Tier::Step,
        },
        Form::First | Form::Other => Tier::Weak,
        Form::Verb | Form::Sentence => Tier::Loose,
    };
    Some((tier, Stance::Write))
}

/// Does the path say where the file is?
fn is_placed(target: &Target) -> bool {
    target.path.contains('/') || is_at_the_root(&target.path)
}

/// A row for each path of a statement; with `write` without those of which nothing is asked.
pub(super) fn rows<'s>(
    statement: &'s Statement,
    line: usize,
    implied: Option<Change>,
    write: bool,
    said: &'s str,
) -> impl Iterator<Item = Row> + 's {
    let each = statement.targets.iter().zip(&statement.each);
    each.filter(move |(_, own)| !write || **own != Some(Change::None)).map(move |(target, own)| {
        let change = own.or(statement.change).or(implied);
        Row {
            line,
            target: Some(target.clone()),
            description: said.to_owned(),
            implied: change.filter(|change| *change != Change::Rename || target.from.is_some()),
            ..Row::default()
        }
    })
}
