//! No input may crash, hang or exhaust the program. Parsers here recurse (a stack overflow aborts the process, and no
//! `catch_unwind` sees it), panic, and can take for ever.
//!
//! Depth is bounded by a fact that needs no grammar and cannot be fooled by comments or strings: every level of
//! nesting, every link of a chain (`1+1+…`, `else if`, `!!!…`) costs at least one token. So a text gets a stack that
//! is large enough for all of its tokens to be nested in one another, on a thread of its own; where that stack would
//! be absurd, the text is not judged. The stack is only address space until it is used.

use super::{Language, Parsed};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Once, mpsc};
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

/// A text for its language's parser.
#[derive(Clone, Copy)]
pub(super) struct Text<'t> {
    pub language: &'static Language,
    pub path: &'t str,
    pub text: &'t str,
}

/// Runs parsers on texts, each within the bounds. Small ones go to the other thread together: to hand them over one by
/// one takes as long as to parse them.
pub(super) fn run_all(texts: &[Text]) -> Vec<Parsed> {
    let stacks: Vec<Result<usize, String>> = texts.iter().map(Text::stack).collect();
    let fits = |stack: &Result<usize, String>| stack.as_ref().is_ok_and(|stack| *stack <= KEPT_STACK);
    let small = texts.iter().zip(&stacks).filter(|(_, stack)| fits(stack)).map(|(text, _)| text.work()).collect();
    let mut answers = within(KEPT_STACK, max_time, small).into_iter();
    let parsed = texts.iter().zip(stacks).map(|(text, stack)| match stack {
        Err(reason) => Parsed::Unknown(reason),
        Ok(stack) if stack <= KEPT_STACK => text.answer(answers.next()),
        Ok(stack) => text.answer(within(stack, max_time, vec![text.work()]).pop()),
    });
    parsed.collect()
}

impl Text<'_> {
    /// The stack that its parser needs at worst, or why it is not to be parsed.
    fn stack(&self) -> Result<usize, String> {
        let Text { language, text, .. } = *self;
        if text.len() > MAX_BYTES {
            return Err(format!("it is larger than {} MB", MAX_BYTES / 1_000_000));
        }
        let stack_for = |links: usize| links.saturating_mul(language.stack_per_token * UNOPTIMISED);
        // A text has no more tokens than bytes: most are short enough not to be counted.
        let mut stack = stack_for(text.len());
        if stack > KEPT_STACK {
            stack = stack_for(tokens(text));
        }
        if stack > MAX_STACK
            && let Some(count) = language.links
        {
            let text = text.to_owned();
            let count: Work<Option<usize>> = Box::new(move || count(&text));
            if let Some(Ok(Some(links))) = within(BASE_STACK, max_time, vec![count]).pop() {
                stack = stack_for(links);
            }
        }
        if stack > MAX_STACK {
            return Err(format!("it is too long to be parsed safely as {}", language.name));
        }
        Ok(BASE_STACK + stack)
    }

    /// What is given to another thread is its own.
    fn work(&self) -> Work<Parsed> {
        let (parse, path, text) = (self.language.parse, self.path.to_owned(), self.text.to_owned());
        Box::new(move || parse(&path, &text))
    }

    fn answer(&self, answer: Option<Result<Parsed, Failure>>) -> Parsed {
        let name = self.language.name;
        Parsed::Unknown(match answer.unwrap_or(Err(Failure::Panic)) {
            Ok(parsed) => return parsed,
            Err(Failure::NoThread) => "there is not enough memory to parse it".to_owned(),
            Err(Failure::Panic) => format!("the parser for {name} died of it"),
            Err(Failure::Time(limit)) => format!("the parser for {name} took more than {} s", limit.as_secs_f64()),
        })
    }
}

/// Texts that took too long.
static SLOW: AtomicUsize = AtomicUsize::new(0);

fn max_time() -> Duration {
    if SLOW.load(Ordering::Relaxed) < MAX_SLOW { MAX_TIME } else { LESS_TIME }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Failure {
    NoThread,
    Panic,
    /// It took more than this.
    Time(Duration),
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

type Work<T> = Box<dyn FnOnce() -> T + Send>;

/// Works on their way: what the thread that does them and the thread that waits for them both know.
struct Batch<T> {
    waiting: VecDeque<Work<T>>,
    done: Vec<Result<T, Failure>>,
    /// Nobody waits any more.
    up: Arc<AtomicBool>,
}

/// Does `works` one after the other on another thread. One that takes too long (`time`, or up to twice as long if
/// others went before it) is left behind with its thread, and told so: a thread cannot be killed. The others are then done
/// on a new one. There is an answer to each, in order.
fn within<T: Send + 'static>(stack: usize, time: fn() -> Duration, works: Vec<Work<T>>) -> Vec<Result<T, Failure>> {
    hush();
    let count = works.len();
    let (mut waiting, mut done) = (VecDeque::from(works), Vec::with_capacity(count));
    while !waiting.is_empty() {
        let left = waiting.len();
        let up = Arc::new(AtomicBool::new(false));
        let batch = Batch { waiting, done: Vec::with_capacity(left), up: Arc::clone(&up) };
        let batch = Arc::new(Mutex::new(batch));
        let (theirs, (end, ended)) = (Arc::clone(&batch), mpsc::channel::<()>());
        let job = move || {
            go_through(&theirs);
            drop(end);
        };
        if let Err(failure) = employ(stack, Box::new(job)) {
            done.resize_with(count, || Err(failure));
            return done;
        }
        let (limit, mut seen) = (time(), 0);
        let mut failure = Failure::Panic;
        while let Err(mpsc::RecvTimeoutError::Timeout) = ended.recv_timeout(limit) {
            let batch = lock(&batch);
            if batch.done.len() == seen {
                up.store(true, Ordering::Relaxed);
                // The next text must not wait for it.
                WORKER.take();
                SLOW.fetch_add(1, Ordering::Relaxed);
                failure = Failure::Time(limit);
                break;
            }
            seen = batch.done.len();
        }
        let mut batch = lock(&batch);
        done.append(&mut batch.done);
        waiting = std::mem::take(&mut batch.waiting);
        // Whatever is neither waiting nor done did not come back.
        done.resize_with(count - waiting.len(), || Err(failure));
    }
    done
}

fn go_through<T>(batch: &Mutex<Batch<T>>) {
    UP.set(Arc::clone(&lock(batch).up));
    loop {
        let Some(work) = lock(batch).next() else { return };
        let done = catch_unwind(AssertUnwindSafe(work)).map_err(|_| Failure::Panic);
        let mut batch = lock(batch);
        if batch.up.load(Ordering::Relaxed) {
            return;
        }
        batch.done.push(done);
    }
}

impl<T> Batch<T> {
    fn next(&mut self) -> Option<Work<T>> {
        if self.up.load(Ordering::Relaxed) { None } else { self.waiting.pop_front() }
    }
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

    fn run(language: &'static Language, text: &str) -> Parsed {
        run_all(&[Text { language, path: "a", text }]).remove(0)
    }

    #[test]
    fn a_parser_that_panics_is_could_not_judge() {
        static DIES: Language = language(|_, _| panic!("of the input"));
        assert_eq!(run(&DIES, "x"), Parsed::Unknown("the parser for test died of it".into()));
    }

    #[test]
    fn a_text_that_is_too_large_or_too_long_is_could_not_judge() {
        static FINE: Language = language(|_, _| Parsed::Clean);
        assert_eq!(run(&FINE, "x y z"), Parsed::Clean);
        assert!(matches!(run(&FINE, &"x".repeat(MAX_BYTES + 1)), Parsed::Unknown(_)));
        assert!(matches!(run(&FINE, &"!".repeat(600_000)), Parsed::Unknown(_)));
    }

    #[test]
    fn work_that_does_not_end_or_panics_is_left_behind_and_the_rest_is_done() {
        const LIMIT: Duration = Duration::from_millis(50);
        let for_ever = || loop {
            std::thread::park();
        };
        let works: Vec<Work<u8>> = vec![
            Box::new(|| 1),
            Box::new(for_ever),
            Box::new(|| panic!("of the input")),
            Box::new(|| 2),
            Box::new(for_ever),
        ];
        let late = Err(Failure::Time(LIMIT));
        assert_eq!(within(BASE_STACK, || LIMIT, works), [Ok(1), late, Err(Failure::Panic), Ok(2), late]);
        assert_eq!(within::<u8>(BASE_STACK, || LIMIT, vec![Box::new(|| 3)]), [Ok(3)]);
        assert!(within::<u8>(BASE_STACK, || LIMIT, vec![]).is_empty());
    }

    #[test]
    fn works_have_the_time_limit_each_and_not_together() {
        const LIMIT: Duration = Duration::from_millis(200);
        let nap = || std::thread::sleep(LIMIT / 4);
        let works: Vec<Work<()>> = (0..8).map(|_| Box::new(nap) as Work<()>).collect();
        assert!(within(BASE_STACK, || LIMIT, works).iter().all(Result::is_ok));
    }

    #[test]
    fn texts_are_answered_in_their_order_whatever_becomes_of_some() {
        static ODD: Language = language(|_, text| match text {
            "die" => panic!("of the input"),
            text => Parsed::NotApplicable(if text == "a" { "a" } else { "other" }),
        });
        let long = "x".repeat(MAX_BYTES + 1);
        let texts = ["a", "die", long.as_str(), "b"].map(|text| Text { language: &ODD, path: "a", text });
        let parsed = run_all(&texts);
        assert_eq!((&parsed[0], &parsed[3]), (&Parsed::NotApplicable("a"), &Parsed::NotApplicable("other")));
        assert!(matches!((&parsed[1], &parsed[2]), (Parsed::Unknown(_), Parsed::Unknown(_))));
    }

    #[test]
    fn a_text_of_many_tokens_is_judged_where_the_language_can_tell_that_they_do_not_nest() {
        static FLAT: Language =
            Language { links: Some(|text| (!text.contains('(')).then_some(1)), ..language(|_, _| Parsed::Clean) };
        assert_eq!(run(&FLAT, &"!".repeat(600_000)), Parsed::Clean);
        assert!(matches!(run(&FLAT, &"(".repeat(600_000)), Parsed::Unknown(_)));
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
