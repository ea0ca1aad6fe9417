//! No input may crash, hang or exhaust the program. Parsers here recurse (a stack overflow aborts the process, and no
//! `catch_unwind` sees it), panic, and can take for ever.
//!
//! Depth is bounded by a fact that needs no grammar and cannot be fooled by comments or strings: every level of
//! nesting, every link of a chain (`1+1+…`, `else if`, `!!!…`) costs at least one token. So a text gets a stack that
//! is large enough for all of its tokens to be nested in one another, on a thread of its own; where that stack would
//! be absurd, the text is not judged. The stack is only address space until it is used.

use super::{Language, Parsed};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Once, mpsc};
use std::time::Duration;

/// Far above any source that people edit; parsers take up to a hundred times a text's size in memory.
const MAX_BYTES: usize = 5_000_000;
/// The largest stack that a text may ask for.
const MAX_STACK: usize = 512 << 20;
/// What a parser takes whatever the text.
const BASE_STACK: usize = if cfg!(debug_assertions) { 8 << 20 } else { 1 << 20 };
/// Frames of unoptimised code are that much larger.
const UNOPTIMISED: usize = if cfg!(debug_assertions) { 10 } else { 1 };
/// No text under the bounds above takes a hundredth of this, save those written to.
const MAX_TIME: Duration = Duration::from_secs(5);
/// Where so many texts have taken that long, somebody means to hold the program up: the others get less.
const MAX_SLOW: usize = 3;
const LESS_TIME: Duration = Duration::from_millis(500);
const THREAD: &str = "syntax";

/// Runs a language's parser within the bounds.
pub(super) fn run(language: &'static Language, path: &str, text: &str) -> Parsed {
    if text.len() > MAX_BYTES {
        return Parsed::Unknown(format!("it is larger than {} MB", MAX_BYTES / 1_000_000));
    }
    let stack_for = |links: usize| links.saturating_mul(language.stack_per_token * UNOPTIMISED);
    // A text has no more tokens than bytes: most are short enough not to be counted.
    let mut stack = stack_for(text.len());
    if stack > KEPT_STACK {
        stack = stack_for(tokens(text));
    }
    if stack > MAX_STACK
        && let Some(count) = language.links
        && let Ok(Some(links)) = within(BASE_STACK, max_time(), text, count)
    {
        stack = stack_for(links);
    }
    if stack > MAX_STACK {
        return Parsed::Unknown(format!("it is too long to be parsed safely as {}", language.name));
    }
    let (path, time) = (path.to_owned(), max_time());
    let parsed = within(BASE_STACK + stack, time, text, move |text| (language.parse)(&path, text));
    parsed.unwrap_or_else(|failure| {
        SLOW.fetch_add(usize::from(failure == Failure::Time), Ordering::Relaxed);
        Parsed::Unknown(match failure {
            Failure::NoThread => "there is not enough memory to parse it".to_owned(),
            Failure::Panic => format!("the parser for {} died of it", language.name),
            Failure::Time => format!("the parser for {} took more than {} s", language.name, time.as_secs_f64()),
        })
    })
}

/// Texts that took too long.
static SLOW: AtomicUsize = AtomicUsize::new(0);

fn max_time() -> Duration {
    if SLOW.load(Ordering::Relaxed) < MAX_SLOW { MAX_TIME } else { LESS_TIME }
}

#[derive(Debug, PartialEq, Eq)]
enum Failure {
    NoThread,
    Panic,
    Time,
}

thread_local! {
    static UP: RefCell<Arc<AtomicBool>> = RefCell::default();
    /// Where this thread has its texts parsed.
    static WORKER: RefCell<Option<Worker>> = const { RefCell::new(None) };
}

type Job = Box<dyn FnOnce() + Send>;

/// A thread that waits for texts to parse: to start one for each takes as long as to parse a small one. It ends when
/// this is dropped, and when it has done what it is at.
struct Worker(mpsc::Sender<Job>);

/// The stack of such a thread. A text that needs more has a thread to itself.
const KEPT_STACK: usize = 256 << 20;

impl Worker {
    fn start(stack: usize) -> Result<Worker, Failure> {
        let (sender, receiver) = mpsc::channel::<Job>();
        let work = move || receiver.into_iter().for_each(|job| job());
        let thread = std::thread::Builder::new().name(THREAD.to_owned()).stack_size(stack);
        thread.spawn(work).map(|_| Worker(sender)).map_err(|_| Failure::NoThread)
    }

    /// The job comes back if the thread is gone.
    fn give(&self, job: Job) -> Result<(), Job> {
        self.0.send(job).map_err(|unsent| unsent.0)
    }
}

/// Has `job` done on a thread with such a stack: the kept one, if that will do.
fn employ(stack: usize, job: Job) -> Result<(), Failure> {
    if stack > KEPT_STACK {
        return Worker::start(stack)?.give(job).map_err(|_| Failure::NoThread);
    }
    WORKER.with_borrow_mut(|kept| {
        let unsent = match kept {
            Some(worker) => worker.give(job),
            None => Err(job),
        };
        let Err(job) = unsent else { return Ok(()) };
        kept.insert(Worker::start(KEPT_STACK)?).give(job).map_err(|_| Failure::NoThread)
    })
}

/// Does nobody wait for this thread's answer any more? For parsers that can be asked to stop.
#[cfg(feature = "tree-sitter")]
pub(super) fn time_is_up() -> bool {
    UP.with_borrow(|up| up.load(Ordering::Relaxed))
}

/// Runs `work` on another thread. One that takes too long is left behind, and told so: a thread cannot be killed, and
/// what it is given is its own.
fn within<T, W>(stack: usize, time: Duration, text: &str, work: W) -> Result<T, Failure>
where
    T: Send + 'static,
    W: FnOnce(&str) -> T + Send + 'static,
{
    hush();
    let (sender, receiver) = mpsc::channel();
    let text = text.to_owned();
    let up = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&up);
    let job = move || {
        UP.set(told);
        let done = catch_unwind(AssertUnwindSafe(|| work(&text)));
        // Nobody listens any more when the time was up.
        let _ = sender.send(done);
    };
    employ(stack, Box::new(job))?;
    match receiver.recv_timeout(time) {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(_)) | Err(mpsc::RecvTimeoutError::Disconnected) => Err(Failure::Panic),
        Err(mpsc::RecvTimeoutError::Timeout) => {
            up.store(true, Ordering::Relaxed);
            // The next text must not wait for it.
            WORKER.take();
            Err(Failure::Time)
        }
    }
}

/// At least as many tokens as any lexer would find: words, and every other byte that is not white space.
pub(super) fn tokens(text: &str) -> usize {
    let (mut count, mut before) = (0, SPACE);
    for byte in text.bytes() {
        let class = CLASSES[usize::from(byte)];
        count += usize::from(class == MARK || class == WORD && before != WORD);
        before = class;
    }
    count
}

const SPACE: u8 = 0;
const WORD: u8 = 1;
const MARK: u8 = 2;
/// Every text is counted, so that a look at a table has to do.
const CLASSES: [u8; 256] = {
    let mut classes = [MARK; 256];
    let mut at = 0;
    while at < 256 {
        let byte = at as u8;
        if byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80 {
            classes[at] = WORD;
        } else if byte.is_ascii_whitespace() {
            classes[at] = SPACE;
        }
        at += 1;
    }
    classes
};

/// A parser's panic is an answer, not news: keeps the default hook from printing it. Other threads' panics go where
/// they went.
fn hush() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if std::thread::current().name() != Some(THREAD) {
                before(info);
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Trust;

    const fn language(parse: fn(&str, &str) -> Parsed) -> Language {
        Language {
            name: "test",
            extensions: &[],
            file_names: &[],
            programs: &[],
            trust: Trust::Error,
            parse,
            stack_per_token: 1000,
            links: None,
        }
    }

    #[test]
    fn a_parser_that_panics_is_could_not_judge() {
        static DIES: Language = language(|_, _| panic!("of the input"));
        assert_eq!(run(&DIES, "a", "x"), Parsed::Unknown("the parser for test died of it".into()));
    }

    #[test]
    fn a_text_that_is_too_large_or_too_long_is_could_not_judge() {
        static FINE: Language = language(|_, _| Parsed::Clean);
        assert_eq!(run(&FINE, "a", "x y z"), Parsed::Clean);
        assert!(matches!(run(&FINE, "a", &"x".repeat(MAX_BYTES + 1)), Parsed::Unknown(_)));
        assert!(matches!(run(&FINE, "a", &"!".repeat(600_000)), Parsed::Unknown(_)));
    }

    #[test]
    fn work_that_does_not_end_is_left_behind() {
        let for_ever = |_: &str| loop {
            std::thread::park();
        };
        assert_eq!(within::<(), _>(BASE_STACK, Duration::from_millis(1), "", for_ever), Err(Failure::Time));
    }

    #[test]
    fn a_text_of_many_tokens_is_judged_where_the_language_can_tell_that_they_do_not_nest() {
        static FLAT: Language =
            Language { links: Some(|text| (!text.contains('(')).then_some(1)), ..language(|_, _| Parsed::Clean) };
        assert_eq!(run(&FLAT, "a", &"!".repeat(600_000)), Parsed::Clean);
        assert!(matches!(run(&FLAT, "a", &"(".repeat(600_000)), Parsed::Unknown(_)));
    }

    #[test]
    fn tokens_are_never_counted_too_few() {
        assert_eq!(tokens(""), 0);
        assert_eq!(tokens("foo_1 + bar"), 3);
        assert_eq!(tokens("!!!x"), 4);
        assert_eq!(tokens("f(a,b)"), 6);
        assert_eq!(tokens("größe\n.x"), 3);
    }
}
