//! The place and the iteration of a panic in a host loop, so that its error has the same facts as a device's error.
//!
//! A panic's payload has no place. So the process's panic hook is wrapped, once. On a thread that runs a part of a
//! region, the wrapper records the place and prints nothing; the region then panics with the full message under the
//! earlier hook. (With `panic = "abort"` the hook is not wrapped, because the message would be lost. A hook that the
//! program sets later replaces the wrapper and is called once, at the place of the panic. If it calls the wrapper, it is
//! called at both places: neither panic shows the wrapper that another hook called it, and the first one has no full
//! message yet.) [`Iteration`] records the loop variables when unwinding drops it. Both records are thread-local, so they
//! are read where unwinding is caught on the same thread ([`watch`]), before a worker's panic is resumed on the thread
//! that waits for it ([`carry`]). (A thread that ends and has dropped them has none.)
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, resume_unwind};
use std::sync::Once;

/// A place in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    /// As `file!()` has it.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
}

/// A panic and what is known of it.
#[derive(Debug)]
pub struct FailureRecord {
    /// What the panic carries.
    pub payload: Box<dyn Any + Send>,
    /// Where it happened; `None` inside of Rust's own library.
    pub at: Option<Spot>,
    /// The loop variables and their values.
    pub iteration: Vec<(String, i128)>,
    /// The process has another panic hook, which has been called.
    pub reported: bool,
}

impl FailureRecord {
    /// The panic's text.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        text_of(&*self.payload)
    }
}

fn text_of(payload: &(dyn Any + Send)) -> Option<&str> {
    let owned = payload.downcast_ref::<String>().map(String::as_str);
    owned.or_else(|| payload.downcast_ref::<&'static str>().copied())
}

#[derive(Default)]
struct Partial {
    reported: bool,
    at: Option<Spot>,
    iteration: Vec<(String, i128)>,
    /// Of inner loops, innermost first.
    inner: Vec<(String, i128)>,
}

thread_local! {
    static WATCHED: Cell<bool> = const { Cell::new(false) };
    static RECORD: RefCell<Partial> = RefCell::default();
}

/// Runs a part of a region on this thread.
///
/// # Errors
/// When it panics.
pub fn watch<R>(part: impl FnOnce() -> R) -> Result<R, Box<FailureRecord>> {
    let before = WATCHED.replace(true);
    // After a panic, the region's data is unspecified but valid, as for any Rust loop.
    let result = catch_unwind(AssertUnwindSafe(part));
    WATCHED.set(before);
    result.map_err(|payload| match payload.downcast::<FailureRecord>() {
        Ok(record) => record,
        Err(payload) => {
            let Partial { reported, at, mut iteration, inner } =
                RECORD.try_with(RefCell::take).unwrap_or_default();
            iteration.extend(inner.into_iter().rev());
            Box::new(FailureRecord { payload, at, iteration, reported: !reported })
        }
    })
}

/// As [`watch`], for a thread that another one waits for: its panic goes on with a [`FailureRecord`] for payload.
pub fn carry<R>(part: impl FnOnce() -> R) -> R {
    watch(part).unwrap_or_else(|record| resume_unwind(record))
}

/// Wraps the process's panic hook, once. For the thread that begins a region: while a hook runs, others wait that change it. So no
/// thread changes it that a region in a hook waits for.
pub fn wrap_hook() {
    static ONCE: Once = Once::new();
    // The hook can't be changed by a thread that panics (a region in a destructor): then panics have no place.
    if cfg!(panic = "abort") || std::thread::panicking() {
        return;
    }
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !record_place(info) {
                before(info);
            }
        }));
    });
}

/// Records a panic's place if the region will report it: the first panic of a watched thread, with a text.
fn record_place(info: &PanicHookInfo<'_>) -> bool {
    if !WATCHED.get() || text_of(info.payload()).is_none() {
        return false;
    }
    let recorded = with_record(|record| {
        record.inner.clear();
        record.at = info.location().filter(|l| !is_library(l.file())).map(|l| Spot {
            file: l.file().to_owned(),
            line: l.line(),
            column: l.column(),
        });
        !std::mem::replace(&mut record.reported, true)
    });
    recorded == Some(true)
}

/// `None` at the end of a thread: a panic there would end the process.
fn with_record<R>(change: impl FnOnce(&mut Partial) -> R) -> Option<R> {
    RECORD.try_with(|record| change(&mut record.borrow_mut())).ok()
}

/// Whether a file is of Rust's own library.
fn is_library(file: &str) -> bool {
    file.starts_with("/rustc/") || file.replace('\\', "/").contains("/lib/rustlib/src/rust/library/")
}

/// The loop variables of a part of a loop. Dropped by unwinding it records their values; otherwise it is
/// [`done`](Self::done), so that in a body that can't panic it costs nothing.
#[derive(Debug)]
pub struct Iteration<const N: usize> {
    names: [&'static str; N],
    now: Cell<Option<[i128; N]>>,
}

impl<const N: usize> Iteration<N> {
    /// Before the first iteration.
    #[inline(always)]
    #[must_use]
    pub const fn new(names: [&'static str; N]) -> Self {
        Self { names, now: Cell::new(None) }
    }

    /// An iteration begins.
    #[inline(always)]
    pub fn at(&self, values: [i128; N]) {
        self.now.set(Some(values));
    }

    /// The part is over.
    #[inline(always)]
    pub fn done(self) {
        std::mem::forget(self);
    }
}

impl<const N: usize> Drop for Iteration<N> {
    // By value, or the address of `now` would keep the optimiser from dropping what `at` stores.
    #[inline(always)]
    fn drop(&mut self) {
        if let Some(values) = self.now.get() {
            note_iteration(self.names, values);
        }
    }
}

/// As [`Iteration`], for the variable of an inner loop. The loop has the bounds on the variable's type, so this type has none.
#[derive(Debug)]
pub struct InnerIteration<T: Copy + 'static> {
    name: &'static str,
    now: Cell<Option<T>>,
}

impl<T: Copy + 'static> InnerIteration<T> {
    /// Before the first iteration.
    #[inline(always)]
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self { name, now: Cell::new(None) }
    }

    /// An iteration begins.
    #[inline(always)]
    pub fn at(&self, value: T) {
        self.now.set(Some(value));
    }

    /// The loop is left.
    #[inline(always)]
    pub fn done(self) {
        std::mem::forget(self);
    }
}

impl<T: Copy + 'static> Drop for InnerIteration<T> {
    #[inline(always)]
    fn drop(&mut self) {
        if let Some(value) = self.now.get() {
            note_turn(self.name, value);
        }
    }
}

#[cold]
#[inline(never)]
fn note_turn<T: 'static>(name: &str, value: T) {
    if let Some(value) = wide(&value) {
        with_record(|record| record.inner.push((name.to_owned(), value)));
    }
}

/// The value of any integer.
fn wide(value: &dyn Any) -> Option<i128> {
    macro_rules! one_of {
        ($($t:ty)*) => { None$(.or_else(|| value.downcast_ref::<$t>().and_then(|v| i128::try_from(*v).ok())))* };
    }
    one_of!(usize isize u8 u16 u32 u64 u128 i8 i16 i32 i64 i128)
}

#[cold]
#[inline(never)]
fn note_iteration<const N: usize>(names: [&'static str; N], values: [i128; N]) {
    let list = names.iter().zip(values).map(|(name, value)| ((*name).to_owned(), value));
    with_record(|record| record.iteration = list.collect());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fails(at: u64) -> Box<FailureRecord> {
        wrap_hook();
        watch(|| {
            let iteration = Iteration::new(["i", "j"]);
            for i in 0..10u64 {
                iteration.at([i.into(), -1]);
                assert!(i != at, "number {i}");
            }
            iteration.done();
        })
        .unwrap_err()
    }

    #[test]
    fn place_and_iteration_are_recorded() {
        let record = fails(3);
        assert_eq!(record.text(), Some("number 3"));
        assert_eq!(record.at.as_ref().map(|s| s.file.as_str()), Some(file!()));
        assert_eq!(record.iteration, [("i".to_owned(), 3), ("j".to_owned(), -1)]);
        assert_eq!(fails(4).iteration[0].1, 4);
    }

    #[test]
    fn iterations_of_inner_loops_are_recorded_until_the_loop_ends() {
        let fails = |at: (i128, i128)| {
            watch(|| {
                let iteration = Iteration::new(["i"]);
                for i in 0..3 {
                    iteration.at([i]);
                    let turn = InnerIteration::new("j");
                    for j in 0..3 {
                        turn.at(j);
                        let inner = InnerIteration::new("k");
                        inner.at(7);
                        assert!((i, j) != at, "here");
                        inner.done();
                    }
                    turn.done();
                    assert!(i != at.0, "behind");
                }
                iteration.done();
            })
            .unwrap_err()
            .iteration
        };
        let named = |list: &[(&str, i128)]| -> Vec<_> {
            list.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect()
        };
        assert_eq!(fails((1, 2)), named(&[("i", 1), ("j", 2), ("k", 7)]));
        assert_eq!(fails((1, 9)), named(&[("i", 1)]), "of before, nothing is left");
    }

    #[test]
    fn workers_carry_their_records() {
        let record = watch(|| {
            let worker = std::thread::spawn(|| carry(|| drop(fails_inside(7))));
            resume_unwind(worker.join().unwrap_err());
        });
        let record = record.unwrap_err();
        assert_eq!((record.text(), record.iteration.len()), (Some("at 7"), 1));
    }

    fn fails_inside(i: i128) -> Vec<u8> {
        let iteration = Iteration::new(["k"]);
        iteration.at([i]);
        panic!("at {i}");
    }

    #[test]
    fn places_in_the_library_are_not_recorded() {
        assert!(is_library("/rustc/abc/library/core/src/num/mod.rs"));
        assert!(is_library("/root/.rustup/toolchains/x/lib/rustlib/src/rust/library/core/src/num/mod.rs"));
        assert!(!is_library("src/main.rs"));
        let record = watch(|| std::hint::black_box(i32::MAX).pow(2)).err();
        assert!(record.is_none_or(|w| w.at.is_none()));
    }
}
