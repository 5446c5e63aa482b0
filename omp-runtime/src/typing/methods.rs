//! The built-in methods under their mangled names.
//!
//! In the typing copy `a.wrapping_add(b)` stands as `a.__omp_declare_target_wrapping_add(b, &__c3)`. For a user's type
//! `#[omp::declare_target]` makes that method; for primitives, `Option`s and slices it stands here, with the
//! signature of the real one and [`Builtin`] as its callee. A method that is in neither place is an error whose name
//! says what to add. The names are those of [`Method`](omp_kernels::ir::method::Method); a test compares.
//!
//! Nothing here is ever run.
#![allow(missing_docs, clippy::wrong_self_convention, clippy::should_implement_trait)]
use super::call::{Builtin, Call};

type C = Call<Builtin>;

fn never<T>() -> T {
    unreachable!("the typing copy is not run")
}

/// A trait of mangled methods, grouped by what follows `self` and by the result; and the list of their names with the
/// number of arguments, for the test.
macro_rules! methods {
    (
        $(#[$doc:meta])* $Trait:ident $(: $Super:ident)?, $NAMES:ident, { $($assoc:ident)? }
        $($args:tt -> $ret:ty { $($name:ident)+ })*
    ) => {
        $(#[$doc])*
        pub trait $Trait: Sized $(+ $Super)? {
            $(type $assoc;)?
            $($(methods!(@one $name $args $ret);)+)*
        }

        #[cfg(test)]
        const $NAMES: &[(&str, usize)] = &[$($((stringify!($name), methods!(@arity $args))),+),*];
    };
    (@one $name:ident () $ret:ty) => { fn $name(self, _: &C) -> $ret { never() } };
    (@one $name:ident ($a:ty) $ret:ty) => { fn $name(self, _: $a, _: &C) -> $ret { never() } };
    (@one $name:ident ($a:ty, $b:ty) $ret:ty) => { fn $name(self, _: $a, _: $b, _: &C) -> $ret { never() } };
    (@arity ()) => { 1 };
    (@arity ($a:ty)) => { 2 };
    (@arity ($a:ty, $b:ty)) => { 3 };
}

methods! {
    /// Methods of all integers.
    IntMethods, INT, { Unsigned }
    () -> Self {
        __omp_declare_target_wrapping_neg __omp_declare_target_swap_bytes
        __omp_declare_target_reverse_bits __omp_declare_target_to_be __omp_declare_target_from_be
        __omp_declare_target_to_le __omp_declare_target_from_le __omp_declare_target_isqrt
    }
    () -> u32 {
        __omp_declare_target_count_ones __omp_declare_target_count_zeros
        __omp_declare_target_leading_zeros __omp_declare_target_leading_ones
        __omp_declare_target_trailing_zeros __omp_declare_target_trailing_ones
        __omp_declare_target_ilog2 __omp_declare_target_ilog10
    }
    () -> Option<Self> {
        __omp_declare_target_checked_neg
    }
    () -> Option<u32> {
        __omp_declare_target_checked_ilog2 __omp_declare_target_checked_ilog10
    }
    () -> (Self, bool) {
        __omp_declare_target_overflowing_neg
    }
    (Self) -> Self {
        __omp_declare_target_min __omp_declare_target_max __omp_declare_target_div_euclid
        __omp_declare_target_rem_euclid __omp_declare_target_midpoint __omp_declare_target_wrapping_add
        __omp_declare_target_wrapping_sub __omp_declare_target_wrapping_mul
        __omp_declare_target_wrapping_div __omp_declare_target_wrapping_rem
        __omp_declare_target_wrapping_div_euclid __omp_declare_target_wrapping_rem_euclid
        __omp_declare_target_saturating_add __omp_declare_target_saturating_sub
        __omp_declare_target_saturating_mul __omp_declare_target_saturating_div
    }
    (Self) -> u32 {
        __omp_declare_target_ilog
    }
    (Self) -> Option<Self> {
        __omp_declare_target_checked_add __omp_declare_target_checked_sub
        __omp_declare_target_checked_mul __omp_declare_target_checked_div
        __omp_declare_target_checked_rem __omp_declare_target_checked_div_euclid
        __omp_declare_target_checked_rem_euclid
    }
    (Self) -> Option<u32> {
        __omp_declare_target_checked_ilog
    }
    (Self) -> (Self, bool) {
        __omp_declare_target_overflowing_add __omp_declare_target_overflowing_sub
        __omp_declare_target_overflowing_mul __omp_declare_target_overflowing_div
        __omp_declare_target_overflowing_rem __omp_declare_target_overflowing_div_euclid
        __omp_declare_target_overflowing_rem_euclid
    }
    (u32) -> Self {
        __omp_declare_target_pow __omp_declare_target_rotate_left __omp_declare_target_rotate_right
        __omp_declare_target_wrapping_pow __omp_declare_target_wrapping_shl
        __omp_declare_target_wrapping_shr __omp_declare_target_saturating_pow
    }
    (u32) -> Option<Self> {
        __omp_declare_target_checked_pow __omp_declare_target_checked_shl
        __omp_declare_target_checked_shr
    }
    (u32) -> (Self, bool) {
        __omp_declare_target_overflowing_pow __omp_declare_target_overflowing_shl
        __omp_declare_target_overflowing_shr
    }
    (Self, Self) -> Self {
        __omp_declare_target_clamp
    }
    (Self) -> Self::Unsigned {
        __omp_declare_target_abs_diff
    }
}

methods! {
    /// Methods of signed integers; `Other` is the unsigned integer of the width.
    SignedMethods, SIGNED, { Other }
    () -> Self {
        __omp_declare_target_abs __omp_declare_target_signum __omp_declare_target_wrapping_abs
        __omp_declare_target_saturating_neg __omp_declare_target_saturating_abs
    }
    () -> bool {
        __omp_declare_target_is_positive __omp_declare_target_is_negative
    }
    () -> Option<Self> {
        __omp_declare_target_checked_abs __omp_declare_target_checked_isqrt
    }
    () -> (Self, bool) {
        __omp_declare_target_overflowing_abs
    }
    () -> Self::Other {
        __omp_declare_target_unsigned_abs __omp_declare_target_cast_unsigned
    }
    (Self::Other) -> Self {
        __omp_declare_target_wrapping_add_unsigned __omp_declare_target_wrapping_sub_unsigned
        __omp_declare_target_saturating_add_unsigned __omp_declare_target_saturating_sub_unsigned
    }
    (Self::Other) -> Option<Self> {
        __omp_declare_target_checked_add_unsigned __omp_declare_target_checked_sub_unsigned
    }
    (Self::Other) -> (Self, bool) {
        __omp_declare_target_overflowing_add_unsigned __omp_declare_target_overflowing_sub_unsigned
    }
}

methods! {
    /// Methods of unsigned integers; `Other` is the signed integer of the width.
    UnsignedMethods, UNSIGNED, { Other }
    () -> Self {
        __omp_declare_target_next_power_of_two
    }
    () -> bool {
        __omp_declare_target_is_power_of_two
    }
    () -> Option<Self> {
        __omp_declare_target_checked_next_power_of_two
    }
    () -> Self::Other {
        __omp_declare_target_cast_signed
    }
    (Self) -> Self {
        __omp_declare_target_div_ceil __omp_declare_target_next_multiple_of
    }
    (Self) -> bool {
        __omp_declare_target_is_multiple_of
    }
    (Self) -> Option<Self> {
        __omp_declare_target_checked_next_multiple_of
    }
    (Self) -> Option<Self::Other> {
        __omp_declare_target_checked_signed_diff
    }
    (Self::Other) -> Self {
        __omp_declare_target_wrapping_add_signed __omp_declare_target_wrapping_sub_signed
        __omp_declare_target_saturating_add_signed __omp_declare_target_saturating_sub_signed
    }
    (Self::Other) -> Option<Self> {
        __omp_declare_target_checked_add_signed __omp_declare_target_checked_sub_signed
    }
    (Self::Other) -> (Self, bool) {
        __omp_declare_target_overflowing_add_signed __omp_declare_target_overflowing_sub_signed
    }
}

methods! {
    /// Methods of floats; `Bits` is the unsigned integer of the width.
    FloatMethods, FLOAT, { Bits }
    () -> Self {
        __omp_declare_target_abs __omp_declare_target_signum __omp_declare_target_sqrt
        __omp_declare_target_cbrt __omp_declare_target_exp __omp_declare_target_exp2
        __omp_declare_target_exp_m1 __omp_declare_target_ln __omp_declare_target_ln_1p
        __omp_declare_target_log2 __omp_declare_target_log10 __omp_declare_target_sin
        __omp_declare_target_cos __omp_declare_target_tan __omp_declare_target_asin
        __omp_declare_target_acos __omp_declare_target_atan __omp_declare_target_sinh
        __omp_declare_target_cosh __omp_declare_target_tanh __omp_declare_target_asinh
        __omp_declare_target_acosh __omp_declare_target_atanh __omp_declare_target_floor
        __omp_declare_target_ceil __omp_declare_target_round __omp_declare_target_round_ties_even
        __omp_declare_target_trunc __omp_declare_target_fract __omp_declare_target_recip
        __omp_declare_target_to_degrees __omp_declare_target_to_radians
    }
    () -> bool {
        __omp_declare_target_is_nan __omp_declare_target_is_finite __omp_declare_target_is_infinite
        __omp_declare_target_is_normal __omp_declare_target_is_subnormal
        __omp_declare_target_is_sign_positive __omp_declare_target_is_sign_negative
    }
    () -> (Self, Self) {
        __omp_declare_target_sin_cos
    }
    () -> Self::Bits {
        __omp_declare_target_to_bits
    }
    (Self) -> Self {
        __omp_declare_target_copysign __omp_declare_target_min __omp_declare_target_max
        __omp_declare_target_powf __omp_declare_target_hypot __omp_declare_target_log
        __omp_declare_target_atan2 __omp_declare_target_div_euclid __omp_declare_target_rem_euclid
    }
    (i32) -> Self {
        __omp_declare_target_powi
    }
    (Self, Self) -> Self {
        __omp_declare_target_clamp __omp_declare_target_mul_add
    }
}

/// `f32::from_bits(u)`.
pub trait FromBits: Sized {
    type Source;
    fn __omp_declare_target_from_bits(_: Self::Source, _: &C) -> Self {
        never()
    }
}

/// What all primitives have: lossless conversions and `clone`.
pub trait PrimMethods: Sized {
    fn __omp_declare_target_from<S: PrimMethods>(_: S, _: &C) -> Self
    where
        Self: From<S>,
    {
        never()
    }
    fn __omp_declare_target_into<T: PrimMethods + From<Self>>(self, _: &C) -> T {
        never()
    }
    fn __omp_declare_target_clone(&self, _: &C) -> Self {
        never()
    }
}

macro_rules! impls {
    ($($signed:ident $unsigned:ident),+; $($float:ident $bits:ident),+) => {
        $(
            impl IntMethods for $signed { type Unsigned = $unsigned; }
            impl IntMethods for $unsigned { type Unsigned = $unsigned; }
            impl SignedMethods for $signed { type Other = $unsigned; }
            impl UnsignedMethods for $unsigned { type Other = $signed; }
            impl PrimMethods for $signed {}
            impl PrimMethods for $unsigned {}
        )+
        $(
            impl FloatMethods for $float { type Bits = $bits; }
            impl FromBits for $float { type Source = $bits; }
            impl PrimMethods for $float {}
        )+
        impl PrimMethods for bool {}
    };
}
impls!(i8 u8, i16 u16, i32 u32, i64 u64, isize usize; f32 u32, f64 u64);

/// Methods of `Option`.
pub trait OptionMethods<T>: Sized {
    fn __omp_declare_target_is_some(&self, _: &C) -> bool {
        never()
    }
    fn __omp_declare_target_is_none(&self, _: &C) -> bool {
        never()
    }
    fn __omp_declare_target_unwrap(self, _: &C) -> T {
        never()
    }
    fn __omp_declare_target_expect(self, _: &str, _: &C) -> T {
        never()
    }
    fn __omp_declare_target_unwrap_or(self, _: T, _: &C) -> T {
        never()
    }
    fn __omp_declare_target_unwrap_or_default(self, _: &C) -> T
    where
        T: PrimMethods + Default,
    {
        never()
    }
    fn __omp_declare_target_or(self, _: Self, _: &C) -> Self {
        never()
    }
}

impl<T> OptionMethods<T> for Option<T> {}

/// Methods of slices and arrays.
pub trait SliceMethods {
    fn __omp_declare_target_len(&self, _: &C) -> usize {
        never()
    }
    fn __omp_declare_target_is_empty(&self, _: &C) -> bool {
        never()
    }
    fn __omp_declare_target_swap(&mut self, _: usize, _: usize, _: &C) {
        never::<()>();
    }
}

impl<T> SliceMethods for [T] {}

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

#[cfg(test)]
mod tests {
    use super::*;
    use omp_kernels::ir::desc::Prim;
    use omp_kernels::ir::kernel::Ty;
    use omp_kernels::ir::method::Method;
    use std::collections::BTreeSet;

    const PREFIX: &str = "__omp_declare_target_";

    fn check(names: &[(&str, usize)], on: &[Prim]) {
        for (name, arity) in names {
            let name = name.strip_prefix(PREFIX).unwrap();
            for p in on {
                assert!(Method::parse(name, &Ty::Prim(*p), *arity).is_some(), "{name} of {}", p.name());
            }
        }
    }

    #[test]
    fn every_name_here_is_a_method_of_kernels() {
        check(INT, &[Prim::I32, Prim::U64]);
        check(SIGNED, &[Prim::I8]);
        check(UNSIGNED, &[Prim::Usize]);
        check(FLOAT, &[Prim::F32, Prim::F64]);
    }

    #[test]
    fn every_arithmetic_method_of_kernels_has_a_name_here() {
        let here = |lists: &[&[(&'static str, usize)]]| -> BTreeSet<&'static str> {
            lists.iter().flat_map(|l| l.iter()).map(|(n, _)| n.strip_prefix(PREFIX).unwrap()).collect()
        };
        let ints = here(&[INT, SIGNED, UNSIGNED]);
        let ops = "add sub mul div rem div_euclid rem_euclid neg shl shr pow abs add_unsigned sub_unsigned add_signed sub_signed signed_diff";
        for op in ops.split(' ') {
            for mode in ["wrapping", "saturating", "checked", "overflowing"] {
                let name = format!("{mode}_{op}");
                for p in [Prim::I16, Prim::U16] {
                    let known = (1..=2).any(|n| Method::parse(&name, &Ty::Prim(p), n).is_some());
                    assert!(!known || ints.contains(name.as_str()), "{name} of {}", p.name());
                }
            }
        }
    }

    #[test]
    #[allow(clippy::diverging_sub_expression, clippy::unnecessary_literal_unwrap)]
    fn calls_resolve_as_the_real_ones_do() {
        if std::hint::black_box(false) {
            let (c, x) = (&C::new(), vec![1u8, 2]);
            let _: f32 = 1.5f32.__omp_declare_target_mul_add(2.0, 3.0, c);
            let _: u32 = (-3i32).__omp_declare_target_abs_diff(4, c);
            let _: Option<i8> = 3i8.__omp_declare_target_checked_pow(2, c);
            let _: usize = x.__omp_declare_target_len(c) + [1; 3].__omp_declare_target_len(c);
            let _: f64 = f64::__omp_declare_target_from(3i32, c);
            let _: u64 = x[0].__omp_declare_target_into(c);
            let _: f32 = f32::__omp_declare_target_from_bits(7, c);
            let _: u16 = Some(3).__omp_declare_target_unwrap_or(4, c);
            let _: i64 = i64::__omp_declare_target_max(3, 4, c);
            let mut k = [1, 2];
            k.__omp_declare_target_swap(0, 1, c);
            let shared = &x[0];
            let _: u8 = shared.__omp_declare_target_min(4, c);
        }
    }
}
