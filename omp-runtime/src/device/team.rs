//! The team of a host thread while it runs a part of a region: the values of `get_thread_num` and similar functions.
use std::cell::Cell;

#[derive(Clone, Copy)]
struct Member {
    thread: usize,
    threads: usize,
    /// The others have not begun.
    first: bool,
}

thread_local! {
    static MEMBER: Cell<Member> = const { Cell::new(Member { thread: 0, threads: 1, first: false }) };
    static THREADS: Cell<Option<usize>> = const { Cell::new(None) };
    static DEFAULT_DEVICE: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Runs `f` as thread `thread` of `threads`; what was before is restored, also by a panic.
pub fn enter<R>(thread: usize, threads: usize, f: impl FnOnce() -> R) -> R {
    enter_as(Member { thread, threads, first: false }, f)
}

/// The same for the thread that starts alone: no other one of the team runs anything before `f` is over.
pub fn enter_first<R>(threads: usize, f: impl FnOnce() -> R) -> R {
    enter_as(Member { thread: 0, threads, first: true }, f)
}

/// Whether no other thread of the team has begun.
pub fn is_first() -> bool {
    MEMBER.get().first
}

fn enter_as<R>(member: Member, f: impl FnOnce() -> R) -> R {
    struct Restore(Member);
    impl Drop for Restore {
        fn drop(&mut self) {
            MEMBER.set(self.0);
        }
    }
    let _restore = Restore(MEMBER.replace(member));
    f()
}

/// The number of this thread in its team.
pub(super) fn thread() -> usize {
    MEMBER.get().thread
}

/// How many threads the team has.
pub(super) fn threads() -> usize {
    MEMBER.get().threads
}

/// The most threads of a host loop that this thread starts.
#[must_use]
#[track_caller]
pub fn max_threads() -> usize {
    THREADS.get().or(crate::env::env().num_threads).unwrap_or_else(rayon::current_num_threads).max(1)
}

/// Sets [`max_threads`] of this thread.
pub(super) fn set_max_threads(n: usize) {
    THREADS.set(Some(n.max(1)));
}

/// What this thread set as its default device.
#[must_use]
pub fn default_device() -> Option<usize> {
    DEFAULT_DEVICE.get()
}

/// Sets [`default_device`].
pub(super) fn set_default_device(n: usize) {
    DEFAULT_DEVICE.set(Some(n));
}

/// What a thread has set for itself.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settings {
    threads: Option<usize>,
    default_device: Option<usize>,
}

impl Settings {
    /// This thread's.
    pub fn get() -> Self {
        Self { threads: THREADS.get(), default_device: DEFAULT_DEVICE.get() }
    }

    fn set(self) -> Self {
        Self {
            threads: THREADS.replace(self.threads),
            default_device: DEFAULT_DEVICE.replace(self.default_device),
        }
    }

    /// Runs work on another thread with the settings of this one. The other thread's settings are restored, also after a panic.
    pub fn during<R>(self, f: impl FnOnce() -> R) -> R {
        struct Restore(Settings);
        impl Drop for Restore {
            fn drop(&mut self) {
                self.0.set();
            }
        }
        let _restore = Restore(self.set());
        f()
    }
}

/// Sets [`default_device`], or takes it back.
#[cfg(test)]
pub(crate) fn set_default_for_test(n: Option<usize>) {
    DEFAULT_DEVICE.set(n);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_those_of_another_thread_for_a_while() {
        set_default_device(3);
        let of = Settings::get();
        std::thread::spawn(move || {
            set_max_threads(5);
            let _ = std::panic::catch_unwind(|| {
                of.during(|| {
                    assert_eq!((default_device(), THREADS.get()), (Some(3), None));
                    std::panic::resume_unwind(Box::new(()))
                })
            });
            assert_eq!((default_device(), THREADS.get()), (None, Some(5)));
        })
        .join()
        .expect("it ends well");
    }

    #[test]
    fn members_are_restored() {
        assert_eq!((thread(), threads()), (0, 1));
        enter(3, 8, || {
            assert_eq!((thread(), threads()), (3, 8));
            let _ = std::panic::catch_unwind(|| enter(1, 2, || std::panic::resume_unwind(Box::new(()))));
            assert_eq!((thread(), threads()), (3, 8));
        });
        assert_eq!((thread(), threads()), (0, 1));
    }
}
