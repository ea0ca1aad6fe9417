//! `--use-plan-code`: a new file whose whole code stands in the plan is taken from there. It goes through every gate as a reply
//! does, costs nothing, and is recorded as such. Blocks for files that are there are material, and never an edit.

use super::Prepared;
use super::ask::{Asking, Made};
use super::judge::{Source, judge};
use super::run::Run;
use crate::event::Event;
use crate::finding::Finding;
use crate::lld::Change;
use crate::passage::Code;
use crate::plan::Step;
use crate::prompt::fenced;

/// Is the file added, by one step and for one task?
fn is_new(step: &Step) -> bool {
    step.change == Change::Add && !step.again && step.tasks.len() < 2
}

/// The code that the plan has for a file that is added.
pub(super) fn code<'r>(run: &'r Run, step: &Step, base: Option<&str>) -> Option<&'r Code> {
    run.plan_code.as_ref().filter(|_| is_new(step) && base.is_none())?.code(step.path.as_str())
}

/// A note of the new files that the plan has written out.
pub fn written_out(prepared: &Prepared) -> Option<Finding> {
    let steps = prepared.examined.steps().iter().filter(|step| is_new(step));
    let paths: Vec<&str> =
        steps.map(|step| step.path.as_str()).filter(|path| prepared.passages.code(path).is_some()).collect();
    let message = match paths.as_slice() {
        [] => return None,
        [path] => format!("the design has written '{path}' out"),
        [first, rest @ ..] => format!("the design has written '{first}' and {} more out", rest.len()),
    };
    let hint = "git implement --use-plan-code <design>: takes new files from there, if the gates let them pass";
    Some(Finding::note("plan-code", message).hint(hint))
}

/// The file as the plan has it, if it has and the gates let it pass; what there is to say of it is said.
pub(super) fn from_plan(run: &mut Run, asking: &Asking) -> Option<Made> {
    let path = asking.step.path.as_str();
    let Code { line, text } = code(run, asking.step, asking.base)?.clone();
    let said = |message: String| Event::Finding(Finding::note("plan-code", message).path(path).line(line));
    match judge(run, asking, None, (Source::Design(line), &fenced(&text, ""))) {
        Ok(made) => {
            run.say(said(format!("'{path}' is the design's own code in line {line}: nobody is asked for it")));
            Some(made)
        }
        Err(rejected) => {
            let why =
                rejected.findings.iter().find(|finding| finding.is_error()).map_or("", |finding| &finding.message);
            let message =
                format!("the design's own code for '{path}' in line {line} is not taken, and is asked for: {why}");
            run.say(said(message));
            None
        }
    }
}
