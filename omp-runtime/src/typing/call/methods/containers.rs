//! Methods of `Option`, `Result`, ranges, slices and what holds slices.
use super::{OnRef, OnVal, PrimMethods};
use crate::typing::call::probe::{OfSlices, SwapOfSlices, never};
use crate::typing::call::{Builtin, Call};

/// Methods of `Result`.
pub trait ResultMethods<T>: Sized {
    fn omp_E0709_declare_target_is_ok(&self, _: &OnRef<Self>) -> bool {
        never()
    }
    fn omp_E0709_declare_target_is_err(&self, _: &OnRef<Self>) -> bool {
        never()
    }
    fn omp_E0709_declare_target_ok(self, _: &OnVal<Self>) -> Option<T> {
        never()
    }
    fn omp_E0709_declare_target_unwrap(self, _: &OnVal<Self>) -> T {
        never()
    }
    fn omp_E0709_declare_target_expect(self, _: &str, _: &OnVal<Self>) -> T {
        never()
    }
    fn omp_E0709_declare_target_unwrap_or(self, _: T, _: &OnVal<Self>) -> T {
        never()
    }
    fn omp_E0709_declare_target_unwrap_or_default(self, _: &OnVal<Self>) -> T
    where
        T: PrimMethods + Default,
    {
        never()
    }
}

impl<T, E> ResultMethods<T> for Result<T, E> {}

/// Methods of `Option`.
pub trait OptionMethods<T>: Sized {
    fn omp_E0709_declare_target_is_some(&self, _: &OnRef<Self>) -> bool {
        never()
    }
    fn omp_E0709_declare_target_is_none(&self, _: &OnRef<Self>) -> bool {
        never()
    }
    fn omp_E0709_declare_target_unwrap(self, _: &OnVal<Self>) -> T {
        never()
    }
    fn omp_E0709_declare_target_expect(self, _: &str, _: &OnVal<Self>) -> T {
        never()
    }
    fn omp_E0709_declare_target_unwrap_or(self, _: T, _: &OnVal<Self>) -> T {
        never()
    }
    fn omp_E0709_declare_target_unwrap_or_default(self, _: &OnVal<Self>) -> T
    where
        T: PrimMethods + Default,
    {
        never()
    }
    fn omp_E0709_declare_target_or(self, _: Self, _: &OnVal<Self>) -> Self {
        never()
    }
}

impl<T> OptionMethods<T> for Option<T> {}

/// Methods of slices and arrays.
pub trait SliceMethods {
    fn omp_E0709_declare_target_len(&self, _: &Call<Builtin, (), OfSlices>) -> usize {
        never()
    }
    fn omp_E0709_declare_target_is_empty(&self, _: &Call<Builtin, (), OfSlices>) -> bool {
        never()
    }
    fn omp_E0709_declare_target_swap(&self, _: usize, _: usize, _: &Call<Builtin, (), SwapOfSlices>) {
        never::<()>();
    }
}

impl<T> SliceMethods for [T] {}
// Arrays have an `impl` of their own, so that method resolution finds it before the stand-ins of [`super::undeclared`].
impl<T, const N: usize> SliceMethods for [T; N] {}

/// `(a..b).contains(&x)` of primitives.
pub trait RangeMethods<T>: Sized {
    fn omp_E0709_declare_target_contains(&self, _: &T, _: &OnRef<Self>) -> bool {
        never()
    }
}

impl<T: PrimMethods> RangeMethods<T> for std::ops::Range<T> {}
impl<T: PrimMethods> RangeMethods<T> for std::ops::RangeInclusive<T> {}
impl<T: PrimMethods> RangeMethods<T> for std::ops::RangeFrom<T> {}
impl<T: PrimMethods> RangeMethods<T> for std::ops::RangeTo<T> {}
impl<T: PrimMethods> RangeMethods<T> for std::ops::RangeToInclusive<T> {}

/// The slice methods of bodies, on the containers that have them from slices only. A trait of the user's with such a
/// method on them would win over the slice's: where this one is in scope, it is ambiguous instead.
pub trait ContainerMethods: AsRef<[Self::Elem]> + AsMut<[Self::Elem]> {
    /// The elements' type.
    type Elem;
    /// The number of elements.
    #[inline(always)]
    fn len(&self) -> usize {
        self.as_ref().len()
    }
    /// No elements.
    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.as_ref().is_empty()
    }
    /// Two elements change places.
    #[inline(always)]
    #[track_caller]
    fn swap(&mut self, i: usize, j: usize) {
        self.as_mut().swap(i, j);
    }
    /// The elements, one after the other.
    #[inline(always)]
    fn iter(&self) -> std::slice::Iter<'_, Self::Elem> {
        self.as_ref().iter()
    }
    /// The elements, to be changed.
    #[inline(always)]
    fn iter_mut(&mut self) -> std::slice::IterMut<'_, Self::Elem> {
        self.as_mut().iter_mut()
    }
}

impl<T> ContainerMethods for Vec<T> {
    type Elem = T;
}
impl<T> ContainerMethods for Box<[T]> {
    type Elem = T;
}
impl<T, const N: usize> ContainerMethods for [T; N] {
    type Elem = T;
}
