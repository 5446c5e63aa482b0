//! The built-in methods under their mangled names.
//!
//! In the typing copy, `a.wrapping_add(b)` is written `a.omp_E0709_declare_target_wrapping_add(b, &__c3)`. For a user's type
//! `#[omp::declare_target]` makes that method; for primitives, `Option`s and slices it is defined here, with the
//! signature of the real one and [`Builtin`] as its callee. A method that is in neither place is an error whose name
//! says what to add. The names are those of [`Method`](omp_ir::method::Method); a test compares.
//!
//! Nothing here is ever run. The traits are in one file because rustc's messages name them by their module.
#![allow(missing_docs, non_snake_case, clippy::wrong_self_convention, clippy::should_implement_trait)]
use super::probe::{ByRef, ByVal, MayHaveNumbersMethods, OfSlices, SwapOfSlices, never};
use super::{Builtin, Call, Undeclared};

use crate::typing::operator::ordered::Comparison;
pub use crate::typing::operator::ordered::{
    Compares, OrdMethods, OrdReferences, Orders, PartialOrdMethods, WordMethods,
};
use std::cmp::Ordering;
use std::ops::{Deref, DerefMut};

/// The callee of a function without a receiver.
type C = Call<Builtin>;
/// The callee of a method that takes `self`.
type OnVal<S> = Call<Builtin, (), ByVal<S>>;
/// The callee of a method that takes `&self`.
type OnRef<S> = Call<Builtin, (), ByRef<S>>;

/// A trait of mangled methods, grouped by what follows `self` and by the result; and the list of their names with the
/// number of arguments, for the test. `S` is the type of the receiver, which may stand in an [`Own`].
macro_rules! methods {
    (
        $(#[$doc:meta])* $Trait:ident, $NAMES:ident, { $($assoc:ident)? }
        $($args:tt -> $ret:ty { $($name:ident)+ })*
    ) => {
        $(#[$doc])*
        pub trait $Trait<S>: Sized {
            $(type $assoc;)?
            $($(methods!(@one $name $args $ret);)+)*
        }

        #[cfg(test)]
        const $NAMES: &[(&str, usize)] = &[$($((stringify!($name), methods!(@arity $args))),+),*];
    };
    (@one $name:ident () $ret:ty) => { fn $name(self, _: &OnVal<S>) -> $ret { never() } };
    (@one $name:ident ($a:ty) $ret:ty) => { fn $name(self, _: $a, _: &OnVal<S>) -> $ret { never() } };
    (@one $name:ident ($a:ty, $b:ty) $ret:ty) => { fn $name(self, _: $a, _: $b, _: &OnVal<S>) -> $ret { never() } };
    (@arity ()) => { 1 };
    (@arity ($a:ty)) => { 2 };
    (@arity ($a:ty, $b:ty)) => { 3 };
}

/// A receiver of which a number's own method is found before one of a user's trait, as rustc finds the number's own: the number methods are
/// implemented for it, and others are those of `T`.
#[derive(Debug, Clone, Copy)]
pub struct Own<T: ?Sized>(T);

impl<T: ?Sized> Own<T> {
    /// The place of the receiver.
    #[must_use]
    pub fn of(_: &mut T) -> &mut Self {
        never()
    }
}

impl<T: ?Sized> Deref for Own<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: ?Sized> DerefMut for Own<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

methods! {
    /// Methods of all integers. A name is in one trait only: with two, rustc could not resolve it for a number whose type is not inferred.
    IntegerMethods, INTEGER, { Unsigned }
    () -> u32 {
        omp_E0709_declare_target_count_ones omp_E0709_declare_target_count_zeros
        omp_E0709_declare_target_leading_zeros omp_E0709_declare_target_trailing_zeros
    }
    (S) -> S {
        omp_E0709_declare_target_min omp_E0709_declare_target_max
        omp_E0709_declare_target_wrapping_add omp_E0709_declare_target_wrapping_sub
        omp_E0709_declare_target_wrapping_mul omp_E0709_declare_target_saturating_add
        omp_E0709_declare_target_saturating_sub omp_E0709_declare_target_saturating_mul
    }
    (S) -> Option<S> {
        omp_E0709_declare_target_checked_add omp_E0709_declare_target_checked_sub
        omp_E0709_declare_target_checked_mul
    }
    (S) -> (S, bool) {
        omp_E0709_declare_target_overflowing_add omp_E0709_declare_target_overflowing_sub
        omp_E0709_declare_target_overflowing_mul
    }
    (u32) -> S {
        omp_E0709_declare_target_pow omp_E0709_declare_target_wrapping_pow omp_E0709_declare_target_rotate_left
        omp_E0709_declare_target_rotate_right omp_E0709_declare_target_wrapping_shl omp_E0709_declare_target_wrapping_shr
    }
    (u32) -> Option<S> {
        omp_E0709_declare_target_checked_pow
    }
    (S, S) -> S {
        omp_E0709_declare_target_clamp
    }
    (S) -> Self::Unsigned {
        omp_E0709_declare_target_abs_diff
    }
}

methods! {
    /// Methods of all integers but `u128`.
    IntMethods, INT, {}
    () -> S {
        omp_E0709_declare_target_strict_neg omp_E0709_declare_target_wrapping_neg omp_E0709_declare_target_swap_bytes
        omp_E0709_declare_target_reverse_bits omp_E0709_declare_target_to_be
        omp_E0709_declare_target_to_le omp_E0709_declare_target_isqrt
    }
    () -> u32 {
        omp_E0709_declare_target_leading_ones
        omp_E0709_declare_target_trailing_ones
        omp_E0709_declare_target_ilog2 omp_E0709_declare_target_ilog10
    }
    () -> Option<S> {
        omp_E0709_declare_target_checked_neg
    }
    () -> Option<u32> {
        omp_E0709_declare_target_checked_ilog2 omp_E0709_declare_target_checked_ilog10
    }
    () -> (S, bool) {
        omp_E0709_declare_target_overflowing_neg
    }
    (S) -> S {
        omp_E0709_declare_target_strict_add omp_E0709_declare_target_strict_sub omp_E0709_declare_target_strict_mul
        omp_E0709_declare_target_strict_div omp_E0709_declare_target_strict_rem omp_E0709_declare_target_strict_div_euclid
        omp_E0709_declare_target_strict_rem_euclid
        omp_E0709_declare_target_div_euclid
        omp_E0709_declare_target_rem_euclid omp_E0709_declare_target_midpoint
        omp_E0709_declare_target_wrapping_div omp_E0709_declare_target_wrapping_rem
        omp_E0709_declare_target_wrapping_div_euclid omp_E0709_declare_target_wrapping_rem_euclid
        omp_E0709_declare_target_saturating_div
    }
    (S) -> u32 {
        omp_E0709_declare_target_ilog
    }
    (S) -> Option<S> {
        omp_E0709_declare_target_checked_div
        omp_E0709_declare_target_checked_rem omp_E0709_declare_target_checked_div_euclid
        omp_E0709_declare_target_checked_rem_euclid
    }
    (S) -> Option<u32> {
        omp_E0709_declare_target_checked_ilog
    }
    (S) -> (S, bool) {
        omp_E0709_declare_target_overflowing_div
        omp_E0709_declare_target_overflowing_rem omp_E0709_declare_target_overflowing_div_euclid
        omp_E0709_declare_target_overflowing_rem_euclid
    }
    (u32) -> S {
        omp_E0709_declare_target_unbounded_shl omp_E0709_declare_target_unbounded_shr
        omp_E0709_declare_target_strict_pow omp_E0709_declare_target_strict_shl omp_E0709_declare_target_strict_shr
        omp_E0709_declare_target_saturating_pow
    }
    (u32) -> Option<S> {
        omp_E0709_declare_target_checked_shl
        omp_E0709_declare_target_checked_shr
    }
    (u32) -> (S, bool) {
        omp_E0709_declare_target_overflowing_pow omp_E0709_declare_target_overflowing_shl
        omp_E0709_declare_target_overflowing_shr
    }
}

methods! {
    /// Methods of signed integers; `Other` is the unsigned integer of the width.
    SignedMethods, SIGNED, { Other }
    () -> S {
        omp_E0709_declare_target_abs omp_E0709_declare_target_signum omp_E0709_declare_target_wrapping_abs
        omp_E0709_declare_target_strict_abs
        omp_E0709_declare_target_saturating_neg omp_E0709_declare_target_saturating_abs
    }
    () -> bool {
        omp_E0709_declare_target_is_positive omp_E0709_declare_target_is_negative
    }
    () -> Option<S> {
        omp_E0709_declare_target_checked_abs omp_E0709_declare_target_checked_isqrt
    }
    () -> (S, bool) {
        omp_E0709_declare_target_overflowing_abs
    }
    () -> Self::Other {
        omp_E0709_declare_target_unsigned_abs omp_E0709_declare_target_cast_unsigned
    }
    (Self::Other) -> S {
        omp_E0709_declare_target_strict_add_unsigned omp_E0709_declare_target_strict_sub_unsigned
        omp_E0709_declare_target_wrapping_add_unsigned omp_E0709_declare_target_wrapping_sub_unsigned
        omp_E0709_declare_target_saturating_add_unsigned omp_E0709_declare_target_saturating_sub_unsigned
    }
    (Self::Other) -> Option<S> {
        omp_E0709_declare_target_checked_add_unsigned omp_E0709_declare_target_checked_sub_unsigned
    }
    (Self::Other) -> (S, bool) {
        omp_E0709_declare_target_overflowing_add_unsigned omp_E0709_declare_target_overflowing_sub_unsigned
    }
}

methods! {
    /// Methods of unsigned integers; `Other` is the signed integer of the width.
    UnsignedMethods, UNSIGNED, { Other }
    () -> S {
        omp_E0709_declare_target_next_power_of_two
    }
    () -> bool {
        omp_E0709_declare_target_is_power_of_two
    }
    () -> Option<S> {
        omp_E0709_declare_target_checked_next_power_of_two
    }
    () -> Self::Other {
        omp_E0709_declare_target_cast_signed
    }
    (S) -> S {
        omp_E0709_declare_target_div_ceil omp_E0709_declare_target_next_multiple_of
    }
    (S) -> bool {
        omp_E0709_declare_target_is_multiple_of
    }
    (S) -> Option<S> {
        omp_E0709_declare_target_checked_next_multiple_of
    }
    (S) -> Option<Self::Other> {
        omp_E0709_declare_target_checked_signed_diff
    }
    (Self::Other) -> S {
        omp_E0709_declare_target_strict_add_signed omp_E0709_declare_target_strict_sub_signed
        omp_E0709_declare_target_wrapping_add_signed omp_E0709_declare_target_wrapping_sub_signed
        omp_E0709_declare_target_saturating_add_signed omp_E0709_declare_target_saturating_sub_signed
    }
    (Self::Other) -> Option<S> {
        omp_E0709_declare_target_checked_add_signed omp_E0709_declare_target_checked_sub_signed
    }
    (Self::Other) -> (S, bool) {
        omp_E0709_declare_target_overflowing_add_signed omp_E0709_declare_target_overflowing_sub_signed
    }
}

methods! {
    /// Methods of floats; `Bits` is the unsigned integer of the width.
    FloatMethods, FLOAT, { Bits }
    () -> S {
        omp_E0709_declare_target_next_up omp_E0709_declare_target_next_down
        omp_E0709_declare_target_abs omp_E0709_declare_target_signum omp_E0709_declare_target_sqrt
        omp_E0709_declare_target_cbrt omp_E0709_declare_target_exp omp_E0709_declare_target_exp2
        omp_E0709_declare_target_exp_m1 omp_E0709_declare_target_ln omp_E0709_declare_target_ln_1p
        omp_E0709_declare_target_log2 omp_E0709_declare_target_log10 omp_E0709_declare_target_sin
        omp_E0709_declare_target_cos omp_E0709_declare_target_tan omp_E0709_declare_target_asin
        omp_E0709_declare_target_acos omp_E0709_declare_target_atan omp_E0709_declare_target_sinh
        omp_E0709_declare_target_cosh omp_E0709_declare_target_tanh omp_E0709_declare_target_asinh
        omp_E0709_declare_target_acosh omp_E0709_declare_target_atanh omp_E0709_declare_target_floor
        omp_E0709_declare_target_ceil omp_E0709_declare_target_round omp_E0709_declare_target_round_ties_even
        omp_E0709_declare_target_trunc omp_E0709_declare_target_fract omp_E0709_declare_target_recip
        omp_E0709_declare_target_to_degrees omp_E0709_declare_target_to_radians
    }
    () -> bool {
        omp_E0709_declare_target_is_nan omp_E0709_declare_target_is_finite omp_E0709_declare_target_is_infinite
        omp_E0709_declare_target_is_normal omp_E0709_declare_target_is_subnormal
        omp_E0709_declare_target_is_sign_positive omp_E0709_declare_target_is_sign_negative
    }
    () -> (S, S) {
        omp_E0709_declare_target_sin_cos
    }
    () -> Self::Bits {
        omp_E0709_declare_target_to_bits
    }
    (S) -> S {
        omp_E0709_declare_target_midpoint omp_E0709_declare_target_copysign omp_E0709_declare_target_min omp_E0709_declare_target_max
        omp_E0709_declare_target_powf omp_E0709_declare_target_hypot omp_E0709_declare_target_log
        omp_E0709_declare_target_atan2 omp_E0709_declare_target_div_euclid omp_E0709_declare_target_rem_euclid
    }
    (i32) -> S {
        omp_E0709_declare_target_powi
    }
    (S, S) -> S {
        omp_E0709_declare_target_clamp omp_E0709_declare_target_mul_add
    }
}

methods! {
    /// Methods of references to integers, which are those of `Ord`.
    ReferenceMethods, REFERENCES, {}
    (S) -> S {
        omp_E0709_declare_target_min omp_E0709_declare_target_max
    }
    (S, S) -> S {
        omp_E0709_declare_target_clamp
    }
}

/// An integer, or references to one.
pub trait OfInteger {}

impl<T: OfInteger> OfInteger for &T {}
impl<T: OfInteger> ReferenceMethods<Self> for &T {}

/// `f32::from_bits(u)`.
pub trait FromBits: Sized {
    type Source;
    fn omp_E0709_declare_target_from_bits(_: Self::Source, _: &C) -> Self {
        never()
    }
}

/// `u32::from_be(u)`: no methods, as these take no `self`.
pub trait FromBytes: Sized {
    fn omp_E0709_declare_target_from_be(_: Self, _: &C) -> Self {
        never()
    }
    fn omp_E0709_declare_target_from_le(_: Self, _: &C) -> Self {
        never()
    }
}

/// Numbers as bytes.
pub trait ByteArrays: Sized {
    type Bytes;
    fn omp_E0709_declare_target_to_le_bytes(self, _: &OnVal<Self>) -> Self::Bytes {
        never()
    }
    fn omp_E0709_declare_target_to_ne_bytes(self, _: &OnVal<Self>) -> Self::Bytes {
        never()
    }
    fn omp_E0709_declare_target_to_be_bytes(self, _: &OnVal<Self>) -> Self::Bytes {
        never()
    }
    fn omp_E0709_declare_target_from_le_bytes(_: Self::Bytes, _: &C) -> Self {
        never()
    }
    fn omp_E0709_declare_target_from_ne_bytes(_: Self::Bytes, _: &C) -> Self {
        never()
    }
    fn omp_E0709_declare_target_from_be_bytes(_: Self::Bytes, _: &C) -> Self {
        never()
    }
}

/// `x.total_cmp(&y)` of floats.
pub trait TotalOrder: Sized {
    fn omp_E0709_declare_target_total_cmp(&self, _: &Self, _: &OnRef<Self>) -> Ordering {
        never()
    }
}

methods! {
    /// Methods of `std::cmp::Ordering`.
    OrderMethods, ORDER, {}
    () -> bool {
        omp_E0709_declare_target_is_eq omp_E0709_declare_target_is_ne omp_E0709_declare_target_is_lt
        omp_E0709_declare_target_is_le omp_E0709_declare_target_is_gt omp_E0709_declare_target_is_ge
    }
    () -> S {
        omp_E0709_declare_target_reverse
    }
    (S) -> S {
        omp_E0709_declare_target_then
    }
}

impl OrderMethods<Self> for Ordering {}

/// What all primitives have: `clone` and comparisons.
pub trait PrimMethods: Sized {
    fn omp_E0709_declare_target_clone(&self, _: &OnRef<Self>) -> Self {
        never()
    }
    fn omp_E0709_declare_target_partial_cmp(&self, _: &Self, _: &OnRef<Self>) -> Option<Ordering> {
        never()
    }
    fn omp_E0709_declare_target_cmp(&self, _: &Self, _: &OnRef<Self>) -> Ordering
    where
        Self: Ord,
    {
        never()
    }
}

/// Methods of `u8` and `char` as a character.
macro_rules! bytes {
    ($($name:ident -> $ret:ty;)*) => {
        /// Methods of `u8` and `char` as a character of ASCII.
        pub trait ByteMethods: Sized {
            $(fn $name(&self, _: &OnRef<Self>) -> $ret { never() })*
            fn omp_E0709_declare_target_eq_ignore_ascii_case(&self, _: &Self, _: &OnRef<Self>) -> bool {
                never()
            }
        }

        #[cfg(test)]
        const BYTE: &[(&str, usize)] =
            &[("omp_E0709_declare_target_eq_ignore_ascii_case", 2), $((stringify!($name), 1)),*];
    };
}
bytes! {
    omp_E0709_declare_target_is_ascii -> bool;
    omp_E0709_declare_target_is_ascii_alphabetic -> bool;
    omp_E0709_declare_target_is_ascii_alphanumeric -> bool;
    omp_E0709_declare_target_is_ascii_control -> bool;
    omp_E0709_declare_target_is_ascii_digit -> bool;
    omp_E0709_declare_target_is_ascii_graphic -> bool;
    omp_E0709_declare_target_is_ascii_hexdigit -> bool;
    omp_E0709_declare_target_is_ascii_lowercase -> bool;
    omp_E0709_declare_target_is_ascii_punctuation -> bool;
    omp_E0709_declare_target_is_ascii_uppercase -> bool;
    omp_E0709_declare_target_is_ascii_whitespace -> bool;
    omp_E0709_declare_target_to_ascii_lowercase -> Self;
    omp_E0709_declare_target_to_ascii_uppercase -> Self;
}

impl ByteMethods for u8 {}
impl ByteMethods for char {}
impl PrimMethods for char {}

/// Other methods of `char`.
pub trait CharMethods: Sized {
    fn omp_E0709_declare_target_to_digit(self, _: u32, _: &OnVal<Self>) -> Option<u32> {
        never()
    }
    fn omp_E0709_declare_target_is_digit(self, _: u32, _: &OnVal<Self>) -> bool {
        never()
    }
    fn omp_E0709_declare_target_from_u32(_: u32, _: &C) -> Option<Self> {
        never()
    }
    fn omp_E0709_declare_target_from_digit(_: u32, _: u32, _: &C) -> Option<Self> {
        never()
    }
}

impl CharMethods for char {}

/// Numbers, of the kinds that their methods depend on.
macro_rules! kinds {
    ($($name:ident $Methods:ident { $($assoc:ident)? } $also:tt)*) => { $(
        /// Numbers of this kind.
        pub trait $name: Copy { $(type $assoc;)? }
        impl<S: $name> $Methods<S> for S { $(type $assoc = <S as $name>::$assoc;)? }
        impl<S: $name> $Methods<S> for Own<S> { $(type $assoc = <S as $name>::$assoc;)? }
        kinds!(@references $also $name $Methods { $($assoc)? });
    )* };
    (@references [] $($rest:tt)*) => {};
    (@references [&] $name:ident $Methods:ident { $($assoc:ident)? }) => {
        impl<S: $name> $Methods<S> for Own<&S> { $(type $assoc = <S as $name>::$assoc;)? }
    };
}
kinds! {
    Integers IntegerMethods { Unsigned } []
    Ints IntMethods {} [&]
    SignedInts SignedMethods { Other } [&]
    UnsignedInts UnsignedMethods { Other } [&]
    Floats FloatMethods { Bits } [&]
}

macro_rules! impls {
    ($($signed:ident $unsigned:ident),+; $($float:ident $bits:ident),+) => {
        $(
            impl Integers for $signed { type Unsigned = $unsigned; }
            impl Integers for $unsigned { type Unsigned = $unsigned; }
            impl Ints for $signed {}
            impl Ints for $unsigned {}
            impl OfInteger for $signed {}
            impl OfInteger for $unsigned {}
            impl FromBytes for $signed {}
            impl FromBytes for $unsigned {}
            impl ByteArrays for $signed { type Bytes = [u8; size_of::<$signed>()]; }
            impl ByteArrays for $unsigned { type Bytes = [u8; size_of::<$unsigned>()]; }
            impl SignedInts for $signed { type Other = $unsigned; }
            impl UnsignedInts for $unsigned { type Other = $signed; }
            impl PrimMethods for $signed {}
            impl PrimMethods for $unsigned {}
        )+
        $(
            impl Floats for $float { type Bits = $bits; }
            impl FromBits for $float { type Source = $bits; }
            impl PrimMethods for $float {}
            impl ByteArrays for $float { type Bytes = [u8; size_of::<$float>()]; }
            impl TotalOrder for $float {}
        )+
        impl PrimMethods for bool {}
        impl Integers for u128 { type Unsigned = u128; }
        impl PrimMethods for u128 {}
        impl ByteArrays for u128 { type Bytes = [u8; size_of::<u128>()]; }
    };
}
impls!(i8 u8, i16 u16, i32 u32, i64 u64, isize usize; f32 u32, f64 u64);

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
// Arrays have an `impl` of their own, so that method resolution finds it before [`UndeclaredMethods`].
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

/// Stand-ins for methods with the names of built-in ones that no `impl` declares. Method resolution finds them last, because they
/// take `&mut self`.
macro_rules! undeclared {
    ($([$($arg:ident)*] $of:ident $by:ty { $($name:ident)+ })*) => {
        /// Methods with the names of built-in ones, of types that have no such device method.
        pub trait UndeclaredMethods: Sized {
            $(undeclared!(@each [$($arg)*] $of $by, $($name)+);)*
        }

        #[cfg(test)]
        const UNDECLARED: &[(&[&str], &[&str])] =
            &[$((&[$(stringify!($name)),+], &[$(stringify!($arg)),*])),*];
    };
    (@each $args:tt $of:ident $by:ty, $($name:ident)+) => { $(undeclared!(@one $args $of $by, $name);)+ };
    (@one [$($arg:ident)*] $of:ident $by:ty, $name:ident) => {
        fn $name<$($arg,)* R>(&mut self, $(_: $arg,)* _: &Call<Undeclared<$of, Self>, (), $by>) -> R {
            never()
        }
    };
}

undeclared! {
    [] OfBuiltIn () {
        omp_E0709_declare_target_count_ones omp_E0709_declare_target_count_zeros
        omp_E0709_declare_target_leading_zeros omp_E0709_declare_target_trailing_zeros
        omp_E0709_declare_target_strict_neg omp_E0709_declare_target_wrapping_neg
        omp_E0709_declare_target_swap_bytes omp_E0709_declare_target_reverse_bits
        omp_E0709_declare_target_to_be omp_E0709_declare_target_to_le omp_E0709_declare_target_isqrt
        omp_E0709_declare_target_leading_ones omp_E0709_declare_target_trailing_ones
        omp_E0709_declare_target_ilog2 omp_E0709_declare_target_ilog10
        omp_E0709_declare_target_checked_neg omp_E0709_declare_target_checked_ilog2
        omp_E0709_declare_target_checked_ilog10 omp_E0709_declare_target_overflowing_neg
        omp_E0709_declare_target_abs omp_E0709_declare_target_signum
        omp_E0709_declare_target_wrapping_abs omp_E0709_declare_target_strict_abs
        omp_E0709_declare_target_saturating_neg omp_E0709_declare_target_saturating_abs
        omp_E0709_declare_target_is_positive omp_E0709_declare_target_is_negative
        omp_E0709_declare_target_checked_abs omp_E0709_declare_target_checked_isqrt
        omp_E0709_declare_target_overflowing_abs omp_E0709_declare_target_unsigned_abs
        omp_E0709_declare_target_cast_unsigned omp_E0709_declare_target_next_power_of_two
        omp_E0709_declare_target_is_power_of_two omp_E0709_declare_target_checked_next_power_of_two
        omp_E0709_declare_target_cast_signed omp_E0709_declare_target_next_up
        omp_E0709_declare_target_next_down omp_E0709_declare_target_sqrt
        omp_E0709_declare_target_cbrt omp_E0709_declare_target_exp omp_E0709_declare_target_exp2
        omp_E0709_declare_target_exp_m1 omp_E0709_declare_target_ln omp_E0709_declare_target_ln_1p
        omp_E0709_declare_target_log2 omp_E0709_declare_target_log10 omp_E0709_declare_target_sin
        omp_E0709_declare_target_cos omp_E0709_declare_target_tan omp_E0709_declare_target_asin
        omp_E0709_declare_target_acos omp_E0709_declare_target_atan omp_E0709_declare_target_sinh
        omp_E0709_declare_target_cosh omp_E0709_declare_target_tanh omp_E0709_declare_target_asinh
        omp_E0709_declare_target_acosh omp_E0709_declare_target_atanh omp_E0709_declare_target_floor
        omp_E0709_declare_target_ceil omp_E0709_declare_target_round
        omp_E0709_declare_target_round_ties_even omp_E0709_declare_target_trunc
        omp_E0709_declare_target_fract omp_E0709_declare_target_recip
        omp_E0709_declare_target_to_degrees omp_E0709_declare_target_to_radians
        omp_E0709_declare_target_is_nan omp_E0709_declare_target_is_finite
        omp_E0709_declare_target_is_infinite omp_E0709_declare_target_is_normal
        omp_E0709_declare_target_is_subnormal omp_E0709_declare_target_is_sign_positive
        omp_E0709_declare_target_is_sign_negative omp_E0709_declare_target_sin_cos
        omp_E0709_declare_target_to_bits omp_E0709_declare_target_is_eq
        omp_E0709_declare_target_is_ne omp_E0709_declare_target_is_lt omp_E0709_declare_target_is_le
        omp_E0709_declare_target_is_gt omp_E0709_declare_target_is_ge
        omp_E0709_declare_target_reverse omp_E0709_declare_target_to_le_bytes
        omp_E0709_declare_target_to_ne_bytes omp_E0709_declare_target_to_be_bytes
        omp_E0709_declare_target_clone omp_E0709_declare_target_is_ok
        omp_E0709_declare_target_is_err omp_E0709_declare_target_ok omp_E0709_declare_target_unwrap
        omp_E0709_declare_target_unwrap_or_default omp_E0709_declare_target_is_some
        omp_E0709_declare_target_is_none omp_E0709_declare_target_len
        omp_E0709_declare_target_is_empty omp_E0709_declare_target_is_ascii
        omp_E0709_declare_target_is_ascii_alphabetic omp_E0709_declare_target_is_ascii_alphanumeric
        omp_E0709_declare_target_is_ascii_control omp_E0709_declare_target_is_ascii_digit
        omp_E0709_declare_target_is_ascii_graphic omp_E0709_declare_target_is_ascii_hexdigit
        omp_E0709_declare_target_is_ascii_lowercase omp_E0709_declare_target_is_ascii_punctuation
        omp_E0709_declare_target_is_ascii_uppercase omp_E0709_declare_target_is_ascii_whitespace
        omp_E0709_declare_target_to_ascii_lowercase omp_E0709_declare_target_to_ascii_uppercase
    }
    [A] OfBuiltIn () {
        omp_E0709_declare_target_wrapping_add omp_E0709_declare_target_wrapping_sub
        omp_E0709_declare_target_wrapping_mul omp_E0709_declare_target_saturating_add
        omp_E0709_declare_target_saturating_sub omp_E0709_declare_target_saturating_mul
        omp_E0709_declare_target_checked_add omp_E0709_declare_target_checked_sub
        omp_E0709_declare_target_checked_mul omp_E0709_declare_target_overflowing_add
        omp_E0709_declare_target_overflowing_sub omp_E0709_declare_target_overflowing_mul
        omp_E0709_declare_target_pow omp_E0709_declare_target_wrapping_pow
        omp_E0709_declare_target_rotate_left omp_E0709_declare_target_rotate_right
        omp_E0709_declare_target_wrapping_shl omp_E0709_declare_target_wrapping_shr
        omp_E0709_declare_target_checked_pow omp_E0709_declare_target_abs_diff
        omp_E0709_declare_target_strict_add omp_E0709_declare_target_strict_sub
        omp_E0709_declare_target_strict_mul omp_E0709_declare_target_strict_div
        omp_E0709_declare_target_strict_rem omp_E0709_declare_target_strict_div_euclid
        omp_E0709_declare_target_strict_rem_euclid omp_E0709_declare_target_div_euclid
        omp_E0709_declare_target_rem_euclid omp_E0709_declare_target_midpoint
        omp_E0709_declare_target_wrapping_div omp_E0709_declare_target_wrapping_rem
        omp_E0709_declare_target_wrapping_div_euclid omp_E0709_declare_target_wrapping_rem_euclid
        omp_E0709_declare_target_saturating_div omp_E0709_declare_target_ilog
        omp_E0709_declare_target_checked_div omp_E0709_declare_target_checked_rem
        omp_E0709_declare_target_checked_div_euclid omp_E0709_declare_target_checked_rem_euclid
        omp_E0709_declare_target_checked_ilog omp_E0709_declare_target_overflowing_div
        omp_E0709_declare_target_overflowing_rem omp_E0709_declare_target_overflowing_div_euclid
        omp_E0709_declare_target_overflowing_rem_euclid omp_E0709_declare_target_unbounded_shl
        omp_E0709_declare_target_unbounded_shr omp_E0709_declare_target_strict_pow
        omp_E0709_declare_target_strict_shl omp_E0709_declare_target_strict_shr
        omp_E0709_declare_target_saturating_pow omp_E0709_declare_target_checked_shl
        omp_E0709_declare_target_checked_shr omp_E0709_declare_target_overflowing_pow
        omp_E0709_declare_target_overflowing_shl omp_E0709_declare_target_overflowing_shr
        omp_E0709_declare_target_strict_add_unsigned omp_E0709_declare_target_strict_sub_unsigned
        omp_E0709_declare_target_wrapping_add_unsigned
        omp_E0709_declare_target_wrapping_sub_unsigned
        omp_E0709_declare_target_saturating_add_unsigned
        omp_E0709_declare_target_saturating_sub_unsigned
        omp_E0709_declare_target_checked_add_unsigned omp_E0709_declare_target_checked_sub_unsigned
        omp_E0709_declare_target_overflowing_add_unsigned
        omp_E0709_declare_target_overflowing_sub_unsigned omp_E0709_declare_target_div_ceil
        omp_E0709_declare_target_next_multiple_of omp_E0709_declare_target_is_multiple_of
        omp_E0709_declare_target_checked_next_multiple_of
        omp_E0709_declare_target_checked_signed_diff omp_E0709_declare_target_strict_add_signed
        omp_E0709_declare_target_strict_sub_signed omp_E0709_declare_target_wrapping_add_signed
        omp_E0709_declare_target_wrapping_sub_signed omp_E0709_declare_target_saturating_add_signed
        omp_E0709_declare_target_saturating_sub_signed omp_E0709_declare_target_checked_add_signed
        omp_E0709_declare_target_checked_sub_signed omp_E0709_declare_target_overflowing_add_signed
        omp_E0709_declare_target_overflowing_sub_signed omp_E0709_declare_target_copysign
        omp_E0709_declare_target_powf omp_E0709_declare_target_hypot omp_E0709_declare_target_log
        omp_E0709_declare_target_atan2 omp_E0709_declare_target_powi omp_E0709_declare_target_then
        omp_E0709_declare_target_total_cmp omp_E0709_declare_target_eq_ignore_ascii_case
        omp_E0709_declare_target_to_digit omp_E0709_declare_target_is_digit
        omp_E0709_declare_target_unwrap_or omp_E0709_declare_target_or
    }
    [A B] OfBuiltIn () {
        omp_E0709_declare_target_mul_add
    }
    // At a type parameter, `max` with the bound `Ord` is that of `Ord` or ambiguous to rustc.
    [A] OfOrder () {
        omp_E0709_declare_target_min omp_E0709_declare_target_max
    }
    [A B] OfOrder () {
        omp_E0709_declare_target_clamp
    }
    // Another trait's method that takes `self` would come before that of `Ord`, which takes `&self`.
    [A] OfOrder ByRef<Self> {
        omp_E0709_declare_target_cmp
    }
    [A] OfPartialOrder ByRef<Self> {
        omp_E0709_declare_target_partial_cmp
    }
}

impl<T: MayHaveNumbersMethods> UndeclaredMethods for T {}

/// The name of a built-in method.
#[derive(Debug)]
pub enum OfBuiltIn {}

/// The name of a method of `Ord`.
#[derive(Debug)]
pub enum OfOrder {}

/// The name of a method of `PartialOrd`.
#[derive(Debug)]
pub enum OfPartialOrder {}

/// The bound that gives a type parameter the methods of this name, and what they require of the type that it is.
pub trait OrderOf<T> {
    /// What the region does with the values.
    const HOW: Comparison;
}

impl<T: Ord> OrderOf<T> for OfOrder {
    const HOW: Comparison = Comparison::Order;
}

impl<T: PartialOrd> OrderOf<T> for OfPartialOrder {
    const HOW: Comparison = Comparison::PartialOrder;
}

/// Only of a primitive type's number.
pub fn is_number<T: PrimMethods>() {}

#[cfg(test)]
mod tests;
