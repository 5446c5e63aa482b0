//! Bounds of collapsed inner loops: a launch evaluates them once, whereas the serial loops would evaluate them in each
//! outer iteration.

use crate::{DeviceSlice, DeviceView, DeviceViewMut};
use std::cell::Ref;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::num::Wrapping;
use std::ops::{Range, RangeInclusive};
use std::rc::Rc;
use std::sync::{Arc, MutexGuard, RwLockReadGuard, RwLockWriteGuard};

/// Types of which reading, subscripts, operators and `len` have no effects. Those of a user's type could count their calls; so could the
/// keys that maps are subscripted with.
///
/// # Safety
/// The bounds of such a type have the same value at each evaluation.
#[diagnostic::on_unimplemented(
    message = "under `collapse`, inner bounds are evaluated once for all outer iterations, and nothing shows that those of `{Self}` have no effects [omp::E0306]",
    label = "part of a bound of an inner loop",
    note = "help: put the bound's value in a variable before the loops, or leave the inner loop out of the `collapse`"
)]
pub unsafe trait Pure {}

macro_rules! pure {
    ($([$($g:tt)*] $t:ty;)*) => { $(
        #[diagnostic::do_not_recommend]
        // SAFETY: no code of the user's runs.
        unsafe impl<$($g)*> Pure for $t {}
    )* };
}
macro_rules! numbers {
    ($($t:ty)*) => { pure! { $([] $t; [] Wrapping<$t>;)* } };
}
numbers! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 }
pure! {
    [] bool; [] char; [] str; [] String;
    [T] [T]; [T, const N: usize] [T; N]; [T] Vec<T>; [T] VecDeque<T>;
    [K: Pure, V, S] HashMap<K, V, S>; [K, S] HashSet<K, S>; [K: Pure, V] BTreeMap<K, V>; [K] BTreeSet<K>;
    [T] Range<T>; [T] RangeInclusive<T>;
    [T] DeviceSlice<T>; [T] DeviceView<'_, T>; [T] DeviceViewMut<'_, T>;
    [T: Pure + ?Sized] Box<T>; [T: Pure + ?Sized] Rc<T>; [T: Pure + ?Sized] Arc<T>;
    [T: Pure + ?Sized] Ref<'_, T>; [T: Pure + ?Sized] MutexGuard<'_, T>;
    [T: Pure + ?Sized] RwLockReadGuard<'_, T>; [T: Pure + ?Sized] RwLockWriteGuard<'_, T>;
    [T: Pure + ?Sized] &T; [T: Pure + ?Sized] &mut T;
}

/// Requires it of a part of a bound.
pub const fn pure<T: Pure + ?Sized>(_: &T) {}
