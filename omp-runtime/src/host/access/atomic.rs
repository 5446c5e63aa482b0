//! Atomic accesses of the host's parallel loop, through the addresses that views return.
//!
//! Every access is a compare-and-swap loop on the value's bits. A new value with the same bits is not stored. The order is
//! relaxed: an access under `#[omp::atomic]` orders no other accesses, as in OpenMP.
use crate::data::HostArray;
#[cfg(target_has_atomic = "64")]
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicUsize};

/// Primitives that `#[omp::atomic]` can access: integers, `f32`, `f64` and `bool`. It is the bound of a type parameter whose
/// values are accessed atomically, `T: omp::Device + omp::AtomicAccess`, next to that of the operator: an update `x += e` needs `Add`.
///
/// # Safety
/// The three functions work on the type's own memory: its size, alignment and valid bits.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be accessed atomically [omp::E0711]",
    label = "not a number or `bool`",
    note = "help: `#[omp::atomic]` works on integers, `f32`, `f64` and `bool`: on a field, where the whole is a struct",
    note = "a type parameter needs the bound `T: omp::AtomicAccess`"
)]
pub unsafe trait AtomicAccess: Copy {
    /// Sums may be larger than the type's values.
    #[doc(hidden)]
    const OVERFLOWS: bool;

    /// Reads.
    ///
    /// # Safety
    /// `at` is valid and aligned for the type, and while the loop runs it is accessed atomically only.
    #[doc(hidden)]
    unsafe fn load(at: *mut Self) -> Self;

    /// Stores `new` if the bits are those of `old`; else what is there.
    ///
    /// # Safety
    /// As of [`AtomicAccess::load`].
    #[doc(hidden)]
    unsafe fn swap_if(at: *mut Self, old: Self, new: Self) -> Result<(), Self>;

    /// Whether two values have the same bits.
    #[doc(hidden)]
    fn same(self, other: Self) -> bool;
}

macro_rules! atomic {
    ($($t:ty as $atomic:ty, $to:expr, $from:expr, $overflows:expr;)*) => { $(
        // SAFETY: the atomic has the type's size and (asserted) at most its alignment; only bits of values of the
        // type are stored.
        #[diagnostic::do_not_recommend]
        unsafe impl AtomicAccess for $t {
            const OVERFLOWS: bool = $overflows;

            #[inline(always)]
            unsafe fn load(at: *mut Self) -> Self {
                const { assert!(align_of::<$atomic>() <= align_of::<$t>()) };
                // SAFETY: valid, aligned and accessed atomically only, by the caller's promise.
                $from(unsafe { <$atomic>::from_ptr(at.cast()) }.load(Relaxed))
            }

            #[inline(always)]
            unsafe fn swap_if(at: *mut Self, old: Self, new: Self) -> Result<(), Self> {
                // SAFETY: as in `load`.
                let there = unsafe { <$atomic>::from_ptr(at.cast()) };
                match there.compare_exchange_weak($to(old), $to(new), Relaxed, Relaxed) {
                    Ok(_) => Ok(()),
                    Err(seen) => Err($from(seen)),
                }
            }

            #[inline(always)]
            fn same(self, other: Self) -> bool {
                $to(self) == $to(other)
            }
        }
    )* };
}

atomic! {
    u8 as AtomicU8, |v| v, |v| v, true;
    i8 as AtomicU8, |v: i8| v.cast_unsigned(), |v: u8| v.cast_signed(), true;
    bool as AtomicU8, u8::from, |v| v != 0, false;
    u16 as AtomicU16, |v| v, |v| v, true;
    i16 as AtomicU16, |v: i16| v.cast_unsigned(), |v: u16| v.cast_signed(), true;
    u32 as AtomicU32, |v| v, |v| v, true;
    i32 as AtomicU32, |v: i32| v.cast_unsigned(), |v: u32| v.cast_signed(), true;
    f32 as AtomicU32, f32::to_bits, f32::from_bits, false;
    usize as AtomicUsize, |v| v, |v| v, true;
    isize as AtomicUsize, |v: isize| v.cast_unsigned(), |v: usize| v.cast_signed(), true;
}

#[cfg(target_has_atomic = "64")]
atomic! {
    u64 as AtomicU64, |v| v, |v| v, true;
    i64 as AtomicU64, |v: i64| v.cast_unsigned(), |v: u64| v.cast_signed(), true;
    f64 as AtomicU64, f64::to_bits, f64::from_bits, false;
}

/// `#[omp::atomic(read)]`.
///
/// # Safety
/// As of [`AtomicAccess::load`].
#[inline(always)]
#[must_use]
pub unsafe fn atomic_read<T: AtomicAccess>(at: *mut T) -> T {
    // SAFETY: by the caller's promise.
    unsafe { T::load(at) }
}

/// An update: the values before and after. `new` may run several times.
///
/// # Safety
/// As of [`AtomicAccess::load`].
#[inline(always)]
pub unsafe fn atomic_update<T: AtomicAccess>(at: *mut T, mut new: impl FnMut(T) -> T) -> (T, T) {
    // SAFETY: by the caller's promise.
    let mut old = unsafe { T::load(at) };
    loop {
        let next = new(old);
        if next.same(old) {
            return (old, next);
        }
        // SAFETY: by the caller's promise.
        match unsafe { T::swap_if(at, old, next) } {
            Ok(()) => return (old, next),
            Err(seen) => old = seen,
        }
    }
}

/// An update of what threads share, or of a thread's own copy.
///
/// # Safety
/// If `shared`, as of [`AtomicAccess::load`]; else this thread alone uses what is there.
#[inline(always)]
pub unsafe fn copied_update<T: AtomicAccess>(
    shared: bool,
    at: *mut T,
    mut new: impl FnMut(T) -> T,
) -> (T, T) {
    if shared {
        // SAFETY: by the caller's promise.
        return unsafe { atomic_update(at, new) };
    }
    // SAFETY: by the caller's promise.
    let old = unsafe { *at };
    let next = new(old);
    // SAFETY: by the caller's promise.
    unsafe { *at = next };
    (old, next)
}

/// Whether sums of an array's elements may overflow.
#[must_use]
pub const fn overflows<T: AtomicAccess>(_: &HostArray<'_, T>) -> bool {
    T::OVERFLOWS
}

/// Gives an update's closure its types, so that it can be outside of `unsafe`.
pub fn updating<T, F: FnMut(T) -> T>(_: *mut T, new: F) -> F {
    new
}

/// In the typing copy: requires that the type has atomic accesses.
pub fn accessed_atomically<T: AtomicAccess>(value: T) -> T {
    value
}

#[cfg(test)]
mod tests {
    use super::{atomic_read, atomic_update};

    #[test]
    fn threads_lose_no_update() {
        fn count<T: super::AtomicAccess + Send + PartialEq + std::fmt::Debug>(
            start: T,
            add: impl Fn(T) -> T + Sync,
            end: T,
        ) {
            struct Shared<T>(*mut T);
            // SAFETY: the address is accessed atomically only.
            unsafe impl<T> Sync for Shared<T> {}
            let mut cells = [start; 3];
            let at = Shared(&raw mut cells[1]);
            std::thread::scope(|s| {
                for _ in 0..3 {
                    s.spawn(|| {
                        let at = &at;
                        for _ in 0..50 {
                            // SAFETY: the middle cell lives as long as the scope.
                            unsafe { atomic_update(at.0, &add) };
                        }
                    });
                }
            });
            // SAFETY: as above; no thread is left.
            assert_eq!(unsafe { atomic_read(at.0) }, end);
            assert_eq!((cells[0], cells[2]), (start, start), "neighbours");
        }
        count(0u8, |v| v.wrapping_add(1), 150);
        count(0i16, |v| v - 1, -150);
        count(0u32, |v| v + 2, 300);
        count(0f32, |v| v + 0.5, 75.0);
        count(false, |v| !v, false);
        count(0usize, |v| v + 1, 150);
        #[cfg(target_has_atomic = "64")]
        {
            count(0u64, |v| v + (1 << 40), 150 << 40);
            count(0f64, |v| v - 0.25, -37.5);
        }
    }

    #[test]
    fn before_and_after() {
        let mut v = 3i32;
        // SAFETY: the address of a local.
        assert_eq!(unsafe { atomic_update(&raw mut v, |old| old.max(7)) }, (3, 7));
        // SAFETY: as above.
        assert_eq!(unsafe { atomic_update(&raw mut v, |old| old.max(7)) }, (7, 7));
    }
}
