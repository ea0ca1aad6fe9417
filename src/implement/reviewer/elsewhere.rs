//! Where the base's other files use what a change touches, or declare what it calls: found when the change is there, since
//! nobody knows before what it will be.

use super::super::ImplementError;
use super::super::excerpts::{self, OfBase};
use super::super::run::Run;
use crate::context::{self, Excerpt};
use crate::event::Event;
use crate::finding::Finding;
use crate::git::{Base, Repository};
use crate::path::Excluded;
use crate::prompt::reviewer::Ground;
use crate::reviewer::Changed;

/// As many tokens of callers are shown, and of what is called: a reviewer's prompt is to be small.
const CALLERS: u64 = 4_000;
const CALLED: u64 = 1_500;
/// Neither takes more than this part of what a prompt should have.
const PART: u64 = 8;

/// Where a reviewer's callers are looked for.
#[derive(Clone, Copy)]
pub struct Elsewhere<'a> {
    pub repository: &'a Repository,
    pub base: &'a Base,
    /// What no model is to be shown.
    pub excluded: &'a Excluded,
    /// In what the prompts show alone: the person wants no other file to be shown.
    pub shown_only: bool,
}

/// The uses of what `ground` names in files that are not `changed`, and the declarations of what it calls there, as far as
/// they may be shown to anybody.
pub(super) fn elsewhere(
    run: &mut Run,
    ground: &Ground,
    changed: &[Changed],
) -> Result<(Vec<Excerpt>, Vec<Excerpt>), ImplementError> {
    let paths: Vec<&str> = changed.iter().flat_map(|file| [Some(file.path), file.from]).flatten().collect();
    let Elsewhere { repository, base, excluded, shown_only } = run.elsewhere;
    let material = &run.material;
    let documents = material.context.iter().chain(&material.bases).map(|document| document.path.as_str());
    let shown: Vec<&str> = documents.chain(material.excerpts.iter().map(|excerpt| excerpt.path.as_str())).collect();
    let of_base = OfBase { repository, base, excluded, only: shown_only.then_some(shown.as_slice()) };
    let room = run.limits.room() / PART;
    let ((mut callers, mut called), failed) = of_base.read(run.interrupt, |tree| {
        let callers = context::callers(tree, &ground.names, &paths, CALLERS.min(room));
        // What is changed may be declared a second time, for others of its kind.
        let names: Vec<&str> = ground.calls.iter().chain(&ground.names).map(String::as_str).collect();
        (callers, context::declared(tree, &names, &paths, CALLED.min(room)))
    })?;
    excerpts::keep(repository, &mut callers)?;
    excerpts::keep(repository, &mut called)?;
    if let Some(error) = failed {
        let message = format!("cannot look at all files for what uses the change: {error}");
        run.say(Event::Finding(Finding::warning("review-callers", message)));
    }
    Ok((callers, called))
}
