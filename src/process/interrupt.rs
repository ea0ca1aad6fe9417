//! The person's wish that the run should stop, in a form that wakes whatever waits.

use rustix::event::{PollFd, PollFlags, poll};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::io::{PipeReader, PipeWriter, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// As `git implement` it hears the terminal's Ctrl-C twice: from the terminal, and from git, which passes on what it
/// heard itself. What comes so soon after the first signal is the same wish.
const SAME_WISH: Duration = Duration::from_secs(1);

/// Set when the person wants the run to stop; it stays set. All clones are one.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    set: Arc<AtomicBool>,
    /// A pipe that nobody reads: once something is in it, its reading end is ready for everybody and for ever. `None`
    /// where it cannot be made; then no descriptor is free, and no child can be started either.
    bell: Option<(PipeReader, PipeWriter)>,
}

impl Default for Inner {
    fn default() -> Self {
        Inner { set: Arc::default(), bell: std::io::pipe().ok() }
    }
}

impl Interrupt {
    /// Set by the first SIGINT, SIGTERM or SIGHUP; one that comes a second later or after that ends the program at once.
    pub fn on_signals() -> Interrupt {
        let interrupt = Interrupt::default();
        let impatient = interrupt.impatient();
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            // Failing to listen leaves the signal's default, which ends the program: no less safe, only less tidy.
            let set = || Arc::clone(&interrupt.0.set);
            let _ = signal_hook::flag::register_conditional_default(signal, Arc::clone(&impatient));
            let _ = signal_hook::flag::register(signal, set());
            // After the flag: whoever is woken finds it set.
            if let Some(bell) = interrupt.0.bell.as_ref().and_then(|(_, bell)| bell.try_clone().ok()) {
                let _ = signal_hook::low_level::pipe::register(signal, bell);
            }
        }
        interrupt
    }

    /// Set when a further signal is a wish of its own.
    fn impatient(&self) -> Arc<AtomicBool> {
        let impatient = Arc::new(AtomicBool::new(false));
        let (interrupt, later) = (self.clone(), Arc::clone(&impatient));
        let waiting = thread::Builder::new().name("interrupt".into()).stack_size(128 << 10);
        let waits = self.bell().is_some()
            && waiting
                .spawn(move || {
                    interrupt.wait();
                    thread::sleep(SAME_WISH);
                    later.store(true, Ordering::Relaxed);
                })
                .is_ok();
        // Where nobody can wait for it, stopping untidily is better than not at all.
        if waits { impatient } else { Arc::clone(&self.0.set) }
    }

    /// Waits for the interruption.
    pub fn wait(&self) {
        let mut bell: Vec<_> =
            self.bell().map(|bell| PollFd::from_borrowed_fd(bell, PollFlags::IN)).into_iter().collect();
        while !self.is_set() {
            let _ = poll(&mut bell, None);
        }
    }

    /// For what is finished once it has begun, and for what ends by itself in a moment.
    pub fn never() -> Interrupt {
        Interrupt(Arc::new(Inner { set: Arc::default(), bell: None }))
    }

    /// One for what works beside the run: it is set with this one, and can be set alone.
    pub fn beside(&self) -> Interrupt {
        let (outer, inner) = (self.clone(), Interrupt::default());
        let both = inner.clone();
        let watch = move || {
            while !outer.is_set() && !both.is_set() {
                let bells = [outer.bell(), both.bell()].into_iter().flatten();
                let mut bells: Vec<_> = bells.map(|bell| PollFd::from_borrowed_fd(bell, PollFlags::IN)).collect();
                let _ = poll(&mut bells, None);
            }
            both.set();
        };
        let _ = thread::Builder::new().name("interrupt".into()).stack_size(128 << 10).spawn(watch);
        inner
    }

    pub fn set(&self) {
        self.0.set.store(true, Ordering::Relaxed);
        if let Some((_, bell)) = &self.0.bell {
            let _ = (&*bell).write_all(b"!");
        }
    }

    pub fn is_set(&self) -> bool {
        self.0.set.load(Ordering::Relaxed)
    }

    /// Ready for reading from the interruption on. Never read from it.
    pub fn bell(&self) -> Option<BorrowedFd<'_>> {
        self.0.bell.as_ref().map(|(bell, _)| bell.as_fd())
    }

    /// Waits until there is something to read from `input`, or its end. False: the interruption came first.
    pub fn or_input(&self, input: impl AsFd) -> bool {
        while !self.is_set() {
            let mut ready = vec![PollFd::new(&input, PollFlags::IN)];
            ready.extend(self.bell().map(|bell| PollFd::from_borrowed_fd(bell, PollFlags::IN)));
            // A signal ends the wait, too, and is looked at before the next.
            let waited = poll(&mut ready, None);
            if waited.is_err_and(|error| error != rustix::io::Errno::INTR)
                || waited.is_ok() && ready.first().is_some_and(|input| !input.revents().is_empty())
            {
                return !self.is_set();
            }
        }
        false
    }
}
