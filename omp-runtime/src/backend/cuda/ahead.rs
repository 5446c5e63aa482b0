//! Launches ahead: where one launch follows another and nobody waits, a thread of the device's calls the driver.
//!
//! The driver's call takes several microseconds of the host's time, and what the runtime does before the call takes one or two. With a thread for
//! each, a program that launches many short kernels takes as long as the driver's calls.
//!
//! What is handed over is in the order of the program for each stream: whoever calls the driver for anything else waits until the
//! thread has done what it was handed before ([`Core::enter`](super::core::Core::enter) calls [`Ahead::flush`]). So no other file
//! has to know of it, but where it counts what was queued and then calls the driver for what it has counted.
//!
//! A launch is handed over if the driver has accepted the same kernel with the same geometry before, so it is not refused. If it is
//! all the same, the device counts as lost: others may have gone on with what the kernel was to leave.
use super::core::lock;
use super::driver::{Current, Fault, check};
use cudarc::driver::sys::{self, CUcontext, CUfunction, CUstream};
use omp_kernels::schedule::Geometry;
use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
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

// SAFETY: functions and streams may be used from any thread in which their context is current.
unsafe impl Send for Job {}

/// The context, for the thread.
#[derive(Debug, Clone, Copy)]
struct Context(CUcontext);

// SAFETY: a context may be made current in any thread.
unsafe impl Send for Context {}

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

#[derive(Debug, Default)]
struct Shared {
    jobs: Mutex<Vec<Job>>,
    /// How many were handed over, and how many of them are done.
    given: AtomicU64,
    done: AtomicU64,
    sleeps: AtomicBool,
    closed: AtomicBool,
    refused: OnceLock<Fault>,
}

impl Ahead {
    /// `always`: on any machine, from the second launch on, for tests.
    pub(super) fn new(always: bool) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let first = match (always, cores >= FEWEST_CORES) {
            (true, _) => 1,
            (false, true) => FIRST,
            (false, false) => u32::MAX,
        };
        Self { shared: Arc::default(), row: AtomicU32::new(0), first, thread: OnceLock::new() }
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
    pub(super) fn give(&self, context: CUcontext, job: Job) -> bool {
        let shared = &self.shared;
        let thread = self.thread.get_or_init(|| {
            let (shared, context) = (Arc::clone(shared), Context(context));
            let work = move || shared.work(context);
            std::thread::Builder::new().name("omp-launches".into()).spawn(work).ok()
        });
        let Some(thread) = thread else { return false };
        shared.wait_until(|done| shared.given.load(Ordering::Relaxed) - done < MOST);
        {
            // Counted before the thread can have done it.
            let mut jobs = lock(&shared.jobs);
            jobs.push(job);
            shared.given.fetch_add(1, Ordering::SeqCst);
        }
        // Either this sees that the thread sleeps, or the thread sees the job before it does.
        if shared.sleeps.load(Ordering::SeqCst) {
            thread.thread().unpark();
        }
        true
    }

    /// Waits until the driver has all that was handed over before.
    pub(super) fn flush(&self) {
        let given = self.shared.given.load(Ordering::Acquire);
        self.shared.wait_until(|done| done >= given);
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

impl Shared {
    /// Waits until as many are done as is asked for.
    fn wait_until(&self, enough: impl Fn(u64) -> bool) {
        let mut turns = 0u32;
        while !enough(self.done.load(Ordering::Acquire)) {
            turns += 1;
            if turns < 1 << 10 {
                std::hint::spin_loop();
            } else {
                std::thread::yield_now();
            }
        }
    }

    /// What the thread does.
    fn work(&self, context: Context) {
        let current = Current::enter(context.0);
        let mut jobs = Vec::new();
        let mut since = Instant::now();
        loop {
            if self.given.load(Ordering::SeqCst) == self.done.load(Ordering::Relaxed) {
                if self.closed.load(Ordering::SeqCst) {
                    return;
                }
                if since.elapsed() < AWAKE {
                    (0..16).for_each(|_| std::hint::spin_loop());
                    continue;
                }
                self.sleeps.store(true, Ordering::SeqCst);
                let idle = self.given.load(Ordering::SeqCst) == self.done.load(Ordering::Relaxed);
                if idle && !self.closed.load(Ordering::SeqCst) {
                    std::thread::park();
                }
                self.sleeps.store(false, Ordering::SeqCst);
                since = Instant::now();
                continue;
            }
            std::mem::swap(&mut jobs, &mut *lock(&self.jobs));
            for job in jobs.drain(..) {
                let queued = match (&current, self.refused.get()) {
                    (_, Some(_)) => Ok(()),
                    (Err(fault), _) => Err(*fault),
                    (Ok(_), None) => queue(job),
                };
                if let Err(fault) = queued {
                    let _ = self.refused.set(fault);
                }
                self.done.fetch_add(1, Ordering::Release);
            }
            since = Instant::now();
        }
    }
}

/// Queues a launch; the context is current.
fn queue(mut job: Job) -> Result<(), Fault> {
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
