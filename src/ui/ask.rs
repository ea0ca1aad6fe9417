//! The one question that the program asks: may this be sent there?

use super::numbers::{count, dollars, plural};
use super::plain::neutralise;
use super::printer;
use crate::plan::Estimate;
use crate::process::Interrupt;
use std::io::{self, BufRead, IsTerminal, Write};

/// Says who is asked, why, what is sent, and what it may cost.
pub fn announce(place: &str, model: &str, why: &str, files: &[&str], total: &Estimate, repairs: &Estimate) {
    let mut err = printer::err();
    let model = if model.is_empty() { String::new() } else { format!(" ({})", neutralise(model)) };
    let _ = writeln!(err, "asks {}{model}, {}", neutralise(place), neutralise(why));
    let names: Vec<_> = files.iter().map(|name| neutralise(name)).collect();
    let _ = writeln!(err, "sends {}: {}", plural(files.len(), "file"), names.join(", "));
    let (prompt, reply) = (count(total.prompt), count(total.reply));
    let _ = match total.cost {
        Some(cost) => {
            let (cached, cost) = (count(total.cached), dollars(cost));
            writeln!(err, "estimated {prompt} tokens in ({cached} of them cached), {reply} out, about {cost}")
        }
        None => writeln!(err, "estimated {prompt} tokens in, {reply} out, at a price that is not known"),
    };
    if repairs.prompt > 0 {
        let cost = repairs.cost.map_or(String::new(), |cost| format!(", about {}", dollars(cost)));
        let (input, output) = (count(repairs.prompt), count(repairs.reply));
        let _ = writeln!(err, "repairs can add {input} tokens in, {output} out{cost}, if every reply is refused");
    }
}

/// Says that the reviewer will be shown more than those files: what, nobody knows before the change is there.
pub fn announce_callers() {
    printer::say("shows the reviewer where other files name what is changed");
}

/// Is there somebody to ask?
pub fn can_ask() -> bool {
    io::stdin().is_terminal() && printer::err_is_terminal()
}

/// Asks; anything but a yes is a no. `None`: the person interrupted it, which ends the waiting at once.
pub fn yes(question: &str, interrupt: &Interrupt) -> Option<bool> {
    let mut err = printer::err();
    let _ = write!(err, "{question} [y/N] ");
    let _ = err.flush();
    let mut answer = String::new();
    // A terminal has something to read when a whole line is there.
    if !interrupt.or_input(io::stdin()) {
        let _ = writeln!(err);
        return None;
    }
    let _ = io::stdin().lock().read_line(&mut answer);
    Some(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}
