//! No input may crash, hang or exhaust the program. Parsers here recurse (a stack overflow aborts the process, and no
//! `catch_unwind` sees it), panic, and can take for ever.
//!
//! Depth is bounded by a fact that needs no grammar and cannot be fooled by comments or strings: every level of
//! nesting, every link of a chain (`1+1+…`, `else if`, `!!!…`) costs at least one token. So a text gets a stack that
//! is large enough for all of its tokens to be nested in one another, on a thread of its own; where that stack would
//! be absurd, the text is not judged. The stack is only address space until it is used.

use super::{Parsed, Parser};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Once, mpsc};
use std::time::Duration;

/// Far above any source that people edit; parsers take up to a hundred times a text's size in memory.
const MAX_BYTES: usize = 5_000_000;
/// The largest stack that a text may ask for.
const MAX_STACK: usize = 512 << 20;
/// What a parser takes whatever the text.
const BASE_STACK: usize = if cfg!(debug_assertions) { 8 << 20 } else { 1 << 20 };
/// Code that is not optimised has frames that are this much larger, and is this much slower.
const UNOPTIMISED: usize = if cfg!(debug_assertions) { 10 } else { 1 };
/// A parser has as long as this for each megabyte that a text begins. No text takes a tenth of it, save those written to.
const TIME: Duration = Duration::from_millis(600);
/// Where so many texts of a language took longer, somebody means to hold the program up: it parses no more of them. A
/// thread cannot be ended from outside, and each text costs one.
const MAX_LATE: usize = 3;
const THREAD: &str = "syntax";

/// A text for its language's parser.
#[derive(Clone, Copy)]
pub(super) struct Text<'t> {
    /// Of the language.
    pub name: &'static str,
    pub parser: Parser,
    pub path: &'t str,
    pub text: &'t str,
}

/// Runs parsers on texts, each within the bounds. Small ones go to the other thread together: to hand them over one by
/// one takes as long as to parse them.
pub(super) fn run_all(texts: &[Text]) -> Vec<Parsed> {
    let mut parsed: Vec<Option<Parsed>> = vec![None; texts.len()];
    let mut small = VecDeque::new();
    for (at, text) in texts.iter().enumerate() {
        match text.stack() {
            Err(reason) => parsed[at] = Some(Parsed::Unknown(reason)),
            Ok(stack) if stack <= KEPT_STACK => small.push_back(at),
            Ok(stack) => parsed[at] = Some(text.alone(stack)),
        }
    }
    while !small.is_empty() {
        let given_up = small.iter().filter(|at| is_given_up(texts[**at].name)).copied().collect::<Vec<usize>>();
        for at in given_up {
            parsed[at] = Some(texts[at].given_up());
        }
        small.retain(|at| parsed[*at].is_none());
        let limit = small.iter().map(|at| texts[*at].limit()).max().unwrap_or_default();
        for answer in within(KEPT_STACK, limit, small.iter().map(|at| texts[*at].work()).collect()) {
            let Some(at) = small.pop_front() else { break };
            parsed[at] = Some(texts[at].answer(answer));
        }
    }
    parsed.into_iter().map(|parsed| parsed.unwrap_or_else(|| Parsed::Unknown("it was not parsed".to_owned()))).collect()
}

impl Text<'_> {
    /// The stack that its parser needs at worst, or why it is not to be parsed.
    fn stack(&self) -> Result<usize, String> {
        let Text { name, parser, text, .. } = *self;
        if text.len() > MAX_BYTES {
            return Err(format!("it is larger than {} MB", MAX_BYTES / 1_000_000));
        }
        let stack_for = |links: usize| links.saturating_mul(parser.stack_per_token * UNOPTIMISED);
        // A text has no more tokens than bytes: most are short enough not to be counted.
        let mut stack = stack_for(text.len());
        if stack > KEPT_STACK {
            stack = stack_for(tokens(text));
        }
        if stack > MAX_STACK
            && let Some(count) = parser.links
        {
            let text = text.to_owned();
            let count: Work<Option<usize>> = Box::new(move || count(&text));
            if let Some(Ok(Some(links))) = within(BASE_STACK, self.limit(), vec![count]).pop() {
                stack = stack_for(links);
            }
        }
        if stack > MAX_STACK {
            return Err(format!("it is too long to be parsed safely as {name}"));
        }
        Ok(BASE_STACK + stack)
    }

    /// How long its parser has.
    fn limit(&self) -> Duration {
        let megabytes = self.text.len().div_ceil(1 << 20).max(1) * UNOPTIMISED;
        TIME * u32::try_from(megabytes).unwrap_or(u32::MAX)
    }

    /// Parsed on a thread of its own.
    fn alone(&self, stack: usize) -> Parsed {
        match is_given_up(self.name) {
            true => self.given_up(),
            false => self.answer(within(stack, self.limit(), vec![self.work()]).pop().unwrap_or(Err(Failure::Panic))),
        }
    }

    /// What is given to another thread is its own.
    fn work(&self) -> Work<Parsed> {
        let (parse, path, text) = (self.parser.parse, self.path.to_owned(), self.text.to_owned());
        Box::new(move || parse(&path, &text))
    }

    fn answer(&self, answer: Result<Parsed, Failure>) -> Parsed {
        let name = self.name;
        Parsed::Unknown(match answer {
            Ok(parsed) => return parsed,
            Err(Failure::NoThread) => "there is not enough memory to parse it".to_owned(),
            Err(Failure::Panic) => format!("the parser for {name} died of it"),
            Err(Failure::Time(limit)) => {
                *lock(&LATE).entry(name).or_default() += 1;
                format!("the parser for {name} took more than {} s", limit.as_secs_f64())
            }
        })
    }

    fn given_up(&self) -> Parsed {
        Parsed::Unknown(format!("the parser for {} did not come back from {MAX_LATE} other texts", self.name))
    }
}

/// How many texts of each language took too long.
static LATE: Mutex<BTreeMap<&str, usize>> = Mutex::new(BTreeMap::new());

fn is_given_up(name: &str) -> bool {
    lock(&LATE).get(name).is_some_and(|late| *late >= MAX_LATE)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Failure {
    NoThread,
    Panic,
    /// It took more than this.
    Time(Duration),
}

thread_local! {
    /// Of a thread that parses: is its work of no use any more? Never dropped, so that an allocator may look at it.
    static LEFT: Cell<Option<&'static AtomicBool>> = const { Cell::new(None) };
    /// Where this thread has its texts parsed.
    static WORKER: RefCell<Option<Worker>> = const { RefCell::new(None) };
}

/// Has this thread, which parses, taken so long that nobody waits for it? It should stop, or go to sleep for ever: a
/// parser that is lost in a text would use a core, and more and more memory, until the program ends. Neither allocates
/// nor locks.
pub fn is_left_behind() -> bool {
    LEFT.get().is_some_and(|left| left.load(Ordering::Relaxed))
}

type Job = Box<dyn FnOnce() + Send>;

/// A thread that waits for texts to parse: to start one for each takes as long as to parse a small one. It ends when
/// this is dropped, and when it has done what it is at.
#[derive(Clone)]
struct Worker {
    jobs: mpsc::Sender<Job>,
    left: &'static AtomicBool,
}

/// The stack of such a thread. A text that needs more has a thread to itself.
const KEPT_STACK: usize = 256 << 20;

impl Worker {
    fn start(stack: usize) -> Result<Worker, Failure> {
        let (jobs, receiver) = mpsc::channel::<Job>();
        // One byte for each thread that there ever is.
        let left: &'static AtomicBool = Box::leak(Box::default());
        let work = move || {
            LEFT.set(Some(left));
            receiver.into_iter().for_each(|job| job());
        };
        let thread = std::thread::Builder::new().name(THREAD.to_owned()).stack_size(stack);
        thread.spawn(work).map(|_| Worker { jobs, left }).map_err(|_| Failure::NoThread)
    }
}

/// Has `job` done on a thread with such a stack: the kept one, if that will do. Returns the thread's mark.
fn employ(stack: usize, job: Job) -> Result<&'static AtomicBool, Failure> {
    let give = |worker: &Worker, job: Job| worker.jobs.send(job).map(|()| worker.left).map_err(|unsent| unsent.0);
    if stack > KEPT_STACK {
        return give(&Worker::start(stack)?, job).map_err(|_| Failure::NoThread);
    }
    WORKER.with_borrow_mut(|kept| {
        let unsent = match kept {
            Some(worker) => give(worker, job),
            None => Err(job),
        };
        match unsent {
            Ok(left) => Ok(left),
            Err(job) => give(kept.insert(Worker::start(KEPT_STACK)?), job).map_err(|_| Failure::NoThread),
        }
    })
}

type Work<T> = Box<dyn FnOnce() -> T + Send>;

/// Does `works` one after the other on another thread, up to the first that takes too long (`limit`, or up to twice as
/// long if others went before it): that one is left behind with its thread, since a thread cannot be ended from outside.
/// There is an answer to each of them, in order, and to at least one.
fn within<T: Send + 'static>(stack: usize, limit: Duration, works: Vec<Work<T>>) -> Vec<Result<T, Failure>> {
    hush();
    let count = works.len();
    let done = Arc::new(Mutex::new(Vec::with_capacity(count)));
    let (theirs, (end, ended)) = (Arc::clone(&done), mpsc::channel::<()>());
    let job = move || {
        for work in works {
            let answer = catch_unwind(AssertUnwindSafe(work)).map_err(|_| Failure::Panic);
            if is_left_behind() {
                return;
            }
            lock(&theirs).push(answer);
        }
        drop(end);
    };
    let left = match employ(stack, Box::new(job)) {
        Ok(left) => left,
        Err(failure) => return (0..count).map(|_| Err(failure)).collect(),
    };
    let mut seen = 0;
    while let Err(mpsc::RecvTimeoutError::Timeout) = ended.recv_timeout(limit) {
        let mut done = lock(&done);
        if done.len() == seen {
            left.store(true, Ordering::Relaxed);
            // The next text must not wait for it.
            WORKER.take();
            return std::mem::take(&mut *done).into_iter().chain([Err(Failure::Time(limit))]).collect();
        }
        seen = done.len();
    }
    let done = std::mem::take(&mut *lock(&done));
    // Whatever did not come back took its thread along.
    let lost = count - done.len();
    done.into_iter().chain((0..lost).map(|_| Err(Failure::Panic))).collect()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
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

    const fn parser(parse: fn(&str, &str) -> Parsed) -> Parser {
        Parser { trust: Trust::Error, parse, stack_per_token: 1000, links: None }
    }

    fn run(parser: Parser, text: &str) -> Parsed {
        run_all(&[Text { name: "test", parser, path: "a", text }]).remove(0)
    }

    #[test]
    fn a_parser_that_panics_is_could_not_judge() {
        static DIES: Parser = parser(|_, _| panic!("of the input"));
        assert_eq!(run(DIES, "x"), Parsed::Unknown("the parser for test died of it".into()));
    }

    #[test]
    fn a_text_that_is_too_large_or_too_long_is_could_not_judge() {
        static FINE: Parser = parser(|_, _| Parsed::Clean);
        assert_eq!(run(FINE, "x y z"), Parsed::Clean);
        assert!(matches!(run(FINE, &"x".repeat(MAX_BYTES + 1)), Parsed::Unknown(_)));
        assert!(matches!(run(FINE, &"!".repeat(600_000)), Parsed::Unknown(_)));
    }

    #[test]
    fn what_comes_before_work_that_does_not_end_is_done_and_a_panic_harms_nothing() {
        const LIMIT: Duration = Duration::from_millis(50);
        let for_ever = || loop {
            std::thread::park();
        };
        let works: Vec<Work<u8>> =
            vec![Box::new(|| 1), Box::new(|| panic!("of the input")), Box::new(for_ever), Box::new(|| 2)];
        assert_eq!(within(BASE_STACK, LIMIT, works), [Ok(1), Err(Failure::Panic), Err(Failure::Time(LIMIT))]);
        assert_eq!(within::<u8>(BASE_STACK, LIMIT, vec![Box::new(|| 3)]), [Ok(3)]);
        assert!(within::<u8>(BASE_STACK, LIMIT, vec![]).is_empty());
    }

    #[test]
    fn a_thread_that_is_left_behind_knows_it() {
        let (tell, told) = mpsc::channel();
        let until_left: Work<()> = Box::new(move || {
            while !is_left_behind() {
                std::thread::yield_now();
            }
            let _ = tell.send(());
        });
        let limit = Duration::from_millis(20);
        assert_eq!(within(BASE_STACK, limit, vec![until_left]), [Err(Failure::Time(limit))]);
        assert_eq!(told.recv(), Ok(()));
        assert!(!is_left_behind());
    }

    #[test]
    fn a_language_whose_parser_does_not_come_back_is_given_up_and_the_others_are_not() {
        let text = |name| Text { name, parser: parser(|_, _| Parsed::Clean), path: "a", text: "x" };
        for _ in 0..MAX_LATE {
            assert_eq!(run_all(&[text("lost")]), [Parsed::Clean]);
            text("lost").answer(Err(Failure::Time(TIME)));
        }
        let parsed = run_all(&[text("fine"), text("lost"), text("fine")]);
        assert_eq!(parsed, [Parsed::Clean, text("lost").given_up(), Parsed::Clean]);
    }

    #[test]
    fn works_have_the_time_limit_each_and_not_together() {
        const LIMIT: Duration = Duration::from_millis(200);
        let nap = || std::thread::sleep(LIMIT / 4);
        let works: Vec<Work<()>> = (0..8).map(|_| Box::new(nap) as Work<()>).collect();
        assert!(within(BASE_STACK, LIMIT, works).iter().all(Result::is_ok));
    }

    #[test]
    fn texts_are_answered_in_their_order_whatever_becomes_of_some() {
        static ODD: Parser = parser(|_, text| match text {
            "die" => panic!("of the input"),
            text => Parsed::NotApplicable(if text == "a" { "a" } else { "other" }),
        });
        let long = "x".repeat(MAX_BYTES + 1);
        let texts = ["a", "die", long.as_str(), "b"].map(|text| Text { name: "test", parser: ODD, path: "a", text });
        let parsed = run_all(&texts);
        assert_eq!((&parsed[0], &parsed[3]), (&Parsed::NotApplicable("a"), &Parsed::NotApplicable("other")));
        assert!(matches!((&parsed[1], &parsed[2]), (Parsed::Unknown(_), Parsed::Unknown(_))));
    }

    #[test]
    fn a_text_of_many_tokens_is_judged_where_the_language_can_tell_that_they_do_not_nest() {
        static FLAT: Parser =
            Parser { links: Some(|text| (!text.contains('(')).then_some(1)), ..parser(|_, _| Parsed::Clean) };
        assert_eq!(run(FLAT, &"!".repeat(600_000)), Parsed::Clean);
        assert!(matches!(run(FLAT, &"(".repeat(600_000)), Parsed::Unknown(_)));
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
