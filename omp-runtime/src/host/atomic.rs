//! Atomic accesses of the host's parallel loop, through the addresses that views give.
//!
//! Accesses are a loop around a compare-and-swap of the value's bits; a new value with the bits of the old one is not
//! stored. The order is relaxed: an access under `#[omp::atomic]` orders nothing but itself, as in OpenMP.
use super::view::View;
use std::any::Any;
#[cfg(target_has_atomic = "64")]
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicUsize};

/// Primitives that can be accessed atomically.
///
/// # Safety
/// The three functions work on the type's own memory: its size, alignment and valid bits.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be accessed atomically [omp::E0711]",
    label = "not a number or `bool`",
    note = "help: `#[omp::atomic]` works on integers, `f32`, `f64` and `bool`: on a field, where the whole is a struct"
)]
pub unsafe trait AtomicAccess: Copy {
    /// Reads.
    ///
    /// # Safety
    /// `at` is valid and aligned for the type, and while the loop runs it is accessed atomically only.
    unsafe fn load(at: *mut Self) -> Self;

    /// Stores `new` if the bits are those of `old`; else what is there.
    ///
    /// # Safety
    /// As of [`AtomicAccess::load`].
    unsafe fn swap_if(at: *mut Self, old: Self, new: Self) -> Result<(), Self>;

    /// Whether two values have the same bits.
    fn same(self, other: Self) -> bool;
}

macro_rules! atomic {
    ($($t:ty as $atomic:ty, $to:expr, $from:expr;)*) => { $(
        // SAFETY: the atomic has the type's size and (asserted) at most its alignment; only bits of values of the
        // type are stored.
        #[diagnostic::do_not_recommend]
        unsafe impl AtomicAccess for $t {
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
    u8 as AtomicU8, |v| v, |v| v;
    i8 as AtomicU8, |v: i8| v.cast_unsigned(), |v: u8| v.cast_signed();
    bool as AtomicU8, u8::from, |v| v != 0;
    u16 as AtomicU16, |v| v, |v| v;
    i16 as AtomicU16, |v: i16| v.cast_unsigned(), |v: u16| v.cast_signed();
    u32 as AtomicU32, |v| v, |v| v;
    i32 as AtomicU32, |v: i32| v.cast_unsigned(), |v: u32| v.cast_signed();
    f32 as AtomicU32, f32::to_bits, f32::from_bits;
    usize as AtomicUsize, |v| v, |v| v;
    isize as AtomicUsize, |v: isize| v.cast_unsigned(), |v: usize| v.cast_signed();
}

#[cfg(target_has_atomic = "64")]
atomic! {
    u64 as AtomicU64, |v| v, |v| v;
    i64 as AtomicU64, |v: i64| v.cast_unsigned(), |v: u64| v.cast_signed();
    f64 as AtomicU64, f64::to_bits, f64::from_bits;
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

/// An update of what no other thread accesses.
///
/// # Safety
/// `at` is valid and aligned for the type, and while this function runs nobody else accesses it.
#[inline(always)]
pub unsafe fn update_alone<T: Copy>(at: *mut T, mut new: impl FnMut(T) -> T) {
    // SAFETY: by the caller's promise.
    unsafe { *at = new(*at) };
}

/// What a loop that adds to numbers may do with copies of them: for a type that is none, nothing. (It has no bound for such
/// types: rustc says once, of the access itself, what can't be accessed atomically.)
macro_rules! summands {
    ($($t:ty: $nothing:expr, $overflows:expr, |$a:ident, $b:ident| $plus:expr;)*) => {
        /// What changes nothing, and whether a sum of some numbers may overflow where that of all does not.
        #[inline(always)]
        fn neutral<T: Copy + 'static>() -> Option<(T, bool)> {
            $(
                let nothing: $t = $nothing;
                if let Some(nothing) = (&nothing as &dyn Any).downcast_ref::<T>() {
                    return Some((*nothing, $overflows));
                }
            )*
            None
        }

        /// The sum of two copies of a number; of integers modulo their range.
        #[inline(always)]
        #[must_use]
        pub fn sum<T: Copy + 'static>(a: T, b: T) -> T {
            let both: &dyn Any = &(a, b);
            $(
                if let Some(($a, $b)) = both.downcast_ref::<($t, $t)>() {
                    let sum: $t = $plus;
                    return *(&sum as &dyn Any).downcast_ref().expect("the same type");
                }
            )*
            unreachable!("there are copies of numbers only")
        }
    };
}
summands! {
    u8: 0, true, |a, b| a.wrapping_add(*b);
    i8: 0, true, |a, b| a.wrapping_add(*b);
    u16: 0, true, |a, b| a.wrapping_add(*b);
    i16: 0, true, |a, b| a.wrapping_add(*b);
    u32: 0, true, |a, b| a.wrapping_add(*b);
    i32: 0, true, |a, b| a.wrapping_add(*b);
    u64: 0, true, |a, b| a.wrapping_add(*b);
    i64: 0, true, |a, b| a.wrapping_add(*b);
    usize: 0, true, |a, b| a.wrapping_add(*b);
    isize: 0, true, |a, b| a.wrapping_add(*b);
    f32: -0.0, false, |a, b| a + b;
    f64: -0.0, false, |a, b| a + b;
}

/// What a copy of a number starts from.
///
/// # Panics
/// When it is no number: see [`summed`].
#[inline(always)]
#[must_use]
pub fn nothing<T: Copy + 'static>(_: &T) -> T {
    neutral().expect("there are copies of numbers only").0
}

/// The elements and bytes of an array that a loop adds to. `None` if threads can't add to copies: the elements are no
/// numbers, or `checks` asks for an overflow to be told, which a copy may have where the array has none.
#[inline]
#[must_use]
pub fn summed<T: Copy + 'static>(array: View<'_, T>, checks: bool) -> Option<(u64, u64)> {
    let (_, overflows) = neutral::<T>()?;
    let len = array.len() as u64;
    (!(overflows && checks)).then_some((len, len.saturating_mul(size_of::<T>() as u64)))
}

/// Tells an update's closure its types, so that it stands outside of `unsafe`.
pub fn updating<T, F: FnMut(T) -> T>(_: *mut T, new: F) -> F {
    new
}

/// In the typing copy: asks whether the type has atomic accesses.
pub fn accessed_atomically<T: AtomicAccess>(value: T) -> T {
    value
}

#[cfg(test)]
mod tests {
    use super::{atomic_read, atomic_update};
    use crate::data::HostArray;
    use crate::host::view;

    #[test]
    fn numbers_have_sums() {
        assert_eq!((super::sum(250u8, 10), super::sum(1.5f32, 2.0), super::sum(-1i64, 3)), (4, 3.5, 2));
        assert_eq!((super::nothing(&7usize), super::nothing(&1f64).to_bits()), (0, (-0.0f64).to_bits()));
        let (mut counts, mut sums, mut flags) = ([1u32; 3], [1f64; 2], [true; 2]);
        let (counts, sums) = (HostArray::write(&mut counts), HostArray::write(&mut sums));
        let flags = HostArray::write(&mut flags);
        // SAFETY: nothing is accessed.
        let (counts, sums, flags) = unsafe { (view(&counts), view(&sums), view(&flags)) };
        let of = |checks| (super::summed(counts, checks), super::summed(sums, checks));
        assert_eq!((of(false), of(true)), ((Some((3, 12)), Some((2, 16))), (None, Some((2, 16)))));
        assert_eq!(super::summed(flags, false), None);
    }

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
