//! Launches ahead: where one launch follows another and nobody waits, a thread of the device's calls the driver.
//!
//! The driver's call takes several microseconds of the host's time, and what the runtime does before the call takes one or two. With a thread for
//! each, a program that launches many short kernels takes as long as the driver's calls.
//!
//! What is handed over is in the order of the program for each stream: whoever calls the driver for anything else sees to it that the driver
//! has what was handed over before ([`Core::enter`](super::core::Core::enter) calls [`Ahead::flush`]). So no other file
//! has to know of it, but where it counts what was queued and then calls the driver for what it has counted.
//!
//! Events behind such launches are handed over as well: to be recorded at once, they would have to wait for the launches.
//!
//! Who needs that launches are done does them instead of waiting: where other programs use all cores, the thread may not run for
//! milliseconds.
//!
//! A launch is handed over if the driver has accepted the same kernel with the same geometry before, so it is not refused. If it is
//! all the same, the device counts as lost: others may have gone on with what the kernel was to leave.
use super::core::lock;
use super::driver::{Current, Fault, check};
use cudarc::driver::sys::{self, CUcontext, CUevent, CUfunction, CUstream};
use omp_kernels::schedule::Geometry;
use std::collections::VecDeque;
use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, Weak};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// So many launches in a row are the program's own: for fewer, it does not pay to wake a thread.
const FIRST: u32 = 8;

/// So many launches wait for the thread at most.
const MOST: u64 = 256;

/// Arguments of a launch that can be handed over, each of at most eight bytes.
pub(super) const WORDS: usize = 16;

/// With fewer cores the program has a use for all of them.
const FEWEST_CORES: usize = 4;

/// The thread looks for work as long before it sleeps.
const AWAKE: Duration = Duration::from_micros(50);

/// A launch, with copies of its arguments.
#[derive(Debug)]
pub(super) struct Job {
    pub function: CUfunction,
    pub stream: CUstream,
    pub geometry: Geometry,
    pub words: [u64; WORDS],
}

/// What is handed over.
#[derive(Debug)]
enum Work {
    Launch(Job),
    Record(CUevent, CUstream),
}

// SAFETY: functions, streams and events may be used from any thread in which their context is current.
unsafe impl Send for Work {}

/// An event that was handed over, to be recorded.
#[derive(Debug)]
pub(super) struct Ticket {
    shared: Arc<Shared>,
    number: u64,
}

impl Ticket {
    /// Whether it is recorded.
    pub(super) fn is_done(&self) -> bool {
        self.shared.done.load(Ordering::Acquire) >= self.number
    }

    /// Sees to it that it is.
    pub(super) fn see_to(&self) {
        self.shared.see_to(self.number);
    }
}

/// The context of the launches.
#[derive(Debug, Clone, Copy)]
struct Context(CUcontext);

// SAFETY: a context may be made current in any thread.
unsafe impl Send for Context {}
// SAFETY: as above.
unsafe impl Sync for Context {}

/// The launches of a device that are handed over.
#[derive(Debug)]
pub(super) struct Ahead {
    shared: Arc<Shared>,
    /// Launches since somebody waited.
    row: AtomicU32,
    /// How many of them are the program's own.
    first: u32,
    thread: OnceLock<Option<JoinHandle<()>>>,
}

#[derive(Debug)]
struct Shared {
    context: Context,
    jobs: Mutex<VecDeque<Work>>,
    /// Held by who gives a job to the driver, from taking it on: they come there in order.
    turn: Mutex<()>,
    /// How many were handed over, and how many of them are done.
    given: AtomicU64,
    done: AtomicU64,
    sleeps: AtomicBool,
    closed: AtomicBool,
    refused: OnceLock<Fault>,
}

impl Ahead {
    /// `always`: on any machine, from the second launch on, for tests.
    pub(super) fn new(context: CUcontext, always: bool) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let first = match (always, cores >= FEWEST_CORES) {
            (true, _) => 1,
            (false, true) => FIRST,
            (false, false) => u32::MAX,
        };
        let shared = Arc::new(Shared {
            context: Context(context),
            jobs: Mutex::default(),
            turn: Mutex::default(),
            given: AtomicU64::new(0),
            done: AtomicU64::new(0),
            sleeps: AtomicBool::new(false),
            closed: AtomicBool::new(false),
            refused: OnceLock::new(),
        });
        Self { shared, row: AtomicU32::new(0), first, thread: OnceLock::new() }
    }

    /// Counts a launch; whether it is to be handed over if it can be.
    pub(super) fn wants(&self) -> bool {
        let before = self.row.load(Ordering::Relaxed);
        if before >= self.first {
            return true;
        }
        // Two threads may count one: it is no more than a number that has to be reached.
        self.row.store(before + 1, Ordering::Relaxed);
        false
    }

    /// Somebody waits for the device: the next launches are not in a row with those before.
    pub(super) fn waited(&self) {
        if self.row.load(Ordering::Relaxed) != 0 {
            self.row.store(0, Ordering::Relaxed);
        }
    }

    /// Hands a launch over; whether there is a thread for it.
    pub(super) fn give(&self, job: Job) -> bool {
        self.hand_over(Work::Launch(job)).is_some()
    }

    /// Hands over an event that is to be recorded behind what was handed over before, if there is something.
    pub(super) fn record(&self, event: CUevent, stream: CUstream) -> Option<Ticket> {
        if self.shared.is_idle() {
            return None;
        }
        let number = self.hand_over(Work::Record(event, stream))?;
        Some(Ticket { shared: Arc::clone(&self.shared), number })
    }

    /// The number of what is handed over; `None` without a thread.
    fn hand_over(&self, work: Work) -> Option<u64> {
        let shared = &self.shared;
        let thread = self.thread.get_or_init(|| {
            if !is_closed_at_exit(shared) {
                return None;
            }
            let shared = Arc::clone(shared);
            let work = move || shared.work();
            std::thread::Builder::new().name("omp-launches".into()).spawn(work).ok()
        });
        let thread = thread.as_ref()?;
        let given = shared.given.load(Ordering::Relaxed);
        if given.saturating_sub(shared.done.load(Ordering::Relaxed)) >= MOST {
            shared.see_to(given);
        }
        let number = {
            // Counted before the thread can have done it.
            let mut jobs = lock(&shared.jobs);
            jobs.push_back(work);
            shared.given.fetch_add(1, Ordering::SeqCst) + 1
        };
        // Either this sees that the thread sleeps, or the thread sees the job before it does.
        if shared.sleeps.load(Ordering::SeqCst) {
            thread.thread().unpark();
        }
        Some(number)
    }

    /// Sees to it that the driver has all that was handed over before.
    pub(super) fn flush(&self) {
        let given = self.shared.given.load(Ordering::Acquire);
        if self.shared.done.load(Ordering::Acquire) < given {
            self.shared.see_to(given);
        }
    }

    /// What the driver said if it has refused a launch: all that was handed over after that was dropped.
    pub(super) fn refused(&self) -> Option<Fault> {
        self.shared.refused.get().copied()
    }

    /// Ends the thread, behind all that it was handed.
    pub(super) fn close(&mut self) {
        self.shared.closed.store(true, Ordering::SeqCst);
        if let Some(Some(thread)) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}

/// The launches of all devices with a thread.
static ALL: Mutex<Vec<Weak<Shared>>> = Mutex::new(Vec::new());

/// Sees to it that no thread calls the driver while the driver ends with the process; whether that could be done.
fn is_closed_at_exit(shared: &Arc<Shared>) -> bool {
    extern "C" fn at_the_end() {
        let all: Vec<_> = lock(&ALL).iter().filter_map(Weak::upgrade).collect();
        for shared in all {
            shared.closed.store(true, Ordering::SeqCst);
            shared.see_to(shared.given.load(Ordering::Acquire));
        }
    }
    static ASKED: OnceLock<bool> = OnceLock::new();
    let mut all = lock(&ALL);
    all.retain(|shared| shared.strong_count() > 0);
    all.push(Arc::downgrade(shared));
    *ASKED.get_or_init(|| crate::observe::exit::at_exit(at_the_end))
}

impl Shared {
    /// Sees to it that so many are done.
    fn see_to(&self, count: u64) {
        let mut turns = 0u32;
        while self.done.load(Ordering::Acquire) < count {
            match self.turn.try_lock() {
                Ok(turn) => {
                    let current = Current::enter(self.context.0);
                    while self.done.load(Ordering::Acquire) < count && self.next(&turn, &current) {}
                }
                // Somebody is at it, mostly for some microseconds.
                Err(_) if turns < 1 << 10 => std::hint::spin_loop(),
                Err(_) => std::thread::yield_now(),
            }
            turns += 1;
        }
    }

    /// Does the next job; whether there was one.
    fn next(&self, _turn: &MutexGuard<'_, ()>, current: &Result<Current, Fault>) -> bool {
        let Some(work) = lock(&self.jobs).pop_front() else { return false };
        let queued = match (current, self.refused.get()) {
            // What follows a kernel that did not run is not run either.
            (_, Some(_)) => Ok(()),
            (Err(fault), _) => Err(*fault),
            (Ok(_), None) => queue(work),
        };
        if let Err(fault) = queued {
            let _ = self.refused.set(fault);
        }
        self.done.fetch_add(1, Ordering::Release);
        true
    }

    fn is_idle(&self) -> bool {
        self.given.load(Ordering::SeqCst) == self.done.load(Ordering::SeqCst)
    }

    /// What the thread does.
    fn work(&self) {
        let current = Current::enter(self.context.0);
        // Since when there is nothing to do.
        let mut idle: Option<Instant> = None;
        loop {
            if !self.is_idle() {
                // One at a time, so that others come to their turn.
                let turn = lock(&self.turn);
                self.next(&turn, &current);
                drop(turn);
                idle = None;
            } else if self.closed.load(Ordering::SeqCst) {
                return;
            } else if idle.get_or_insert_with(Instant::now).elapsed() < AWAKE {
                (0..16).for_each(|_| std::hint::spin_loop());
            } else {
                self.sleeps.store(true, Ordering::SeqCst);
                if self.is_idle() && !self.closed.load(Ordering::SeqCst) {
                    std::thread::park();
                }
                self.sleeps.store(false, Ordering::SeqCst);
                idle = None;
            }
        }
    }
}

/// Gives it to the driver; the context is current.
fn queue(work: Work) -> Result<(), Fault> {
    let mut job = match work {
        Work::Launch(job) => job,
        // SAFETY: event and stream of the current context; both live until this is done.
        Work::Record(event, stream) => return check(unsafe { sys::cuEventRecord(event, stream) }),
    };
    let mut params = [ptr::null_mut::<c_void>(); WORDS];
    params.iter_mut().zip(&mut job.words).for_each(|(to, word)| *to = ptr::from_mut(word).cast());
    let Geometry { grid, block, shared } = job.geometry;
    // SAFETY: the context is current, and function and stream are live: who gives them up waits until this is done. Each parameter
    // points to the bytes of the kernel's argument, which the driver copies before it returns.
    check(unsafe {
        sys::cuLaunchKernel(
            job.function,
            grid[0],
            grid[1],
            grid[2],
            block[0],
            block[1],
            block[2],
            shared,
            job.stream,
            params.as_mut_ptr(),
            ptr::null_mut(),
        )
    })
}
