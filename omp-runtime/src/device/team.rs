//! Who a host thread is while it runs a part of a region: what `get_thread_num` and its like say.
use std::cell::Cell;

#[derive(Clone, Copy)]
struct Member {
    thread: usize,
    threads: usize,
}

thread_local! {
    static MEMBER: Cell<Member> = const { Cell::new(Member { thread: 0, threads: 1 }) };
    static THREADS: Cell<Option<usize>> = const { Cell::new(None) };
    static DEFAULT_DEVICE: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Runs `f` as thread `thread` of `threads`; what was before is restored, also by a panic.
pub fn enter<R>(thread: usize, threads: usize, f: impl FnOnce() -> R) -> R {
    struct Restore(Member);
    impl Drop for Restore {
        fn drop(&mut self) {
            MEMBER.set(self.0);
        }
    }
    let _restore = Restore(MEMBER.replace(Member { thread, threads }));
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

#[cfg(test)]
mod tests {
    use super::*;

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
