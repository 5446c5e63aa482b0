//! `num_traits` on devices, for generic code.
//!
//! Each trait here is implemented for all types that have the trait of `num_traits` with this name, and describes its functions on
//! primitives. The launch refuses a user's type. Methods take `&self`, so that a number's own methods are found before them.
use super::made::{Made, cast};
use super::probe::{ByRef, ByVal, never};
use super::{Builtin, Call, DeviceFn, Reads, id_of};
use crate::typing::describe::Describe;
use crate::typing::device::{Device, Value};
use num_traits as num;
pub use num_traits::NumCast;

/// The traits whose methods are called by their paths.
pub mod of_num_traits {
    pub use num_traits::{Float, PrimInt};
}
use omp_ir::desc::{Prim, TypeDesc};
use omp_ir::ids::{ConstId, SlotId};
use omp_ir::template::{Base, ConstParam, Stmt};
use std::any::{TypeId, type_name};
use std::marker::PhantomData;

type OnVal<S> = Call<Builtin, (), ByVal<S>>;

macro_rules! methods {
    ($($Trait:ident of $Num:path { $($args:tt -> $ret:ty { $($name:ident)+ })* })*) => { $(
        #[allow(non_snake_case, missing_docs)]
        pub trait $Trait: $Num + Sized {
            $($(methods!(@one $name $args $ret);)+)*
        }
        impl<T: $Num> $Trait for T {}
    )* };
    (@one $name:ident () $ret:ty) => { fn $name(&self, _: &OnVal<Self>) -> $ret { never() } };
    (@one $name:ident ($a:ty) $ret:ty) => { fn $name(&self, _: $a, _: &OnVal<Self>) -> $ret { never() } };
    (@one $name:ident ($a:ty, $b:ty) $ret:ty) => { fn $name(&self, _: $a, _: $b, _: &OnVal<Self>) -> $ret { never() } };
}

methods! {
    NumFloat of num::Float {
        () -> Self {
            omp_E0709_declare_target_abs omp_E0709_declare_target_signum omp_E0709_declare_target_sqrt
            omp_E0709_declare_target_cbrt omp_E0709_declare_target_exp omp_E0709_declare_target_exp2
            omp_E0709_declare_target_exp_m1 omp_E0709_declare_target_ln omp_E0709_declare_target_ln_1p
            omp_E0709_declare_target_log2 omp_E0709_declare_target_log10 omp_E0709_declare_target_sin
            omp_E0709_declare_target_cos omp_E0709_declare_target_tan omp_E0709_declare_target_asin
            omp_E0709_declare_target_acos omp_E0709_declare_target_atan omp_E0709_declare_target_sinh
            omp_E0709_declare_target_cosh omp_E0709_declare_target_tanh omp_E0709_declare_target_asinh
            omp_E0709_declare_target_acosh omp_E0709_declare_target_atanh omp_E0709_declare_target_floor
            omp_E0709_declare_target_ceil omp_E0709_declare_target_round omp_E0709_declare_target_trunc
            omp_E0709_declare_target_fract omp_E0709_declare_target_recip
            omp_E0709_declare_target_to_degrees omp_E0709_declare_target_to_radians
        }
        () -> bool {
            omp_E0709_declare_target_is_nan omp_E0709_declare_target_is_finite omp_E0709_declare_target_is_infinite
            omp_E0709_declare_target_is_normal omp_E0709_declare_target_is_subnormal
            omp_E0709_declare_target_is_sign_positive omp_E0709_declare_target_is_sign_negative
        }
        () -> (Self, Self) { omp_E0709_declare_target_sin_cos }
        (Self) -> Self {
            omp_E0709_declare_target_copysign omp_E0709_declare_target_min omp_E0709_declare_target_max
            omp_E0709_declare_target_powf omp_E0709_declare_target_hypot omp_E0709_declare_target_log
            omp_E0709_declare_target_atan2
        }
        (i32) -> Self { omp_E0709_declare_target_powi }
        (Self, Self) -> Self { omp_E0709_declare_target_mul_add }
    }
    NumInt of num::PrimInt {
        () -> u32 {
            omp_E0709_declare_target_count_ones omp_E0709_declare_target_count_zeros
            omp_E0709_declare_target_leading_zeros omp_E0709_declare_target_leading_ones
            omp_E0709_declare_target_trailing_zeros omp_E0709_declare_target_trailing_ones
        }
        () -> Self { omp_E0709_declare_target_swap_bytes }
        (u32) -> Self {
            omp_E0709_declare_target_rotate_left omp_E0709_declare_target_rotate_right omp_E0709_declare_target_pow
        }
    }
}

// ---------------------------------------------------------------------------------------------- values

/// A value that a type has one of: `T::zero()`.
pub trait NumConst<T> {
    /// The function that gives it.
    fn item() -> TypeId;
    /// What it gives.
    fn value() -> T;
}

/// The companion of the function that gives a [`NumConst`].
#[allow(clippy::type_complexity)]
pub struct ConstOf<T, K>(PhantomData<fn() -> (T, K)>);

shows_name!([T, K] ConstOf<T, K>, "ConstOf");

// SAFETY: the template gives the value that the function of this name gives, which is one for each primitive.
unsafe impl<T: Device, K: NumConst<T>> DeviceFn for ConstOf<T, K> {
    fn genuine() -> TypeId {
        K::item()
    }

    fn describe(cx: &mut Describe) {
        if prim_of(T::DESC, cx).is_none() {
            return;
        }
        let mut made = Made::default();
        made.code.consts.push(ConstParam { name: type_name::<K>().into(), slot: SlotId::new(0) });
        let value = made.load(Base::Const(ConstId::new(0)));
        let body = vec![Stmt::Return(Some(value))];
        cx.made(made.function(type_name::<K>(), &[], SlotId::new(0), body));
        cx.slot(Some(T::DESC));
        cx.konst(&K::value());
    }
}

macro_rules! values {
    ($($Trait:ident of $num:ident { $($Kind:ident $hidden:ident $name:ident)+ })*) => {
        /// Which value of a type.
        #[allow(missing_docs, non_camel_case_types)]
        pub mod values {
            $($(#[derive(Debug)] pub enum $Kind {})+)*
        }
        $(
            #[allow(non_snake_case, missing_docs)]
            pub trait $Trait: num::$num + Sized {
                $(fn $hidden(_: &Call<ConstOf<Self, values::$Kind>>) -> Self { never() })+
            }
            impl<T: num::$num> $Trait for T {}
            $(
                impl<T: num::$num> NumConst<T> for values::$Kind {
                    fn item() -> TypeId {
                        id_of(&<T as num::$num>::$name)
                    }
                    fn value() -> T {
                        <T as num::$num>::$name()
                    }
                }
            )+
        )*
    };
}
values! {
    NumZero of Zero { zero omp_E0709_declare_target_zero zero }
    NumOne of One { one omp_E0709_declare_target_one one }
    NumBounded of Bounded {
        min_value omp_E0709_declare_target_min_value min_value
        max_value omp_E0709_declare_target_max_value max_value
    }
    NumFloatValues of Float {
        nan omp_E0709_declare_target_nan nan
        infinity omp_E0709_declare_target_infinity infinity
        neg_infinity omp_E0709_declare_target_neg_infinity neg_infinity
        neg_zero omp_E0709_declare_target_neg_zero neg_zero
        lowest omp_E0709_declare_target_min_value min_value
        highest omp_E0709_declare_target_max_value max_value
        min_positive_value omp_E0709_declare_target_min_positive_value min_positive_value
        epsilon omp_E0709_declare_target_epsilon epsilon
    }
    NumFloatConst of FloatConst {
        E omp_E0709_declare_target_E E
        PI omp_E0709_declare_target_PI PI
        FRAC_1_PI omp_E0709_declare_target_FRAC_1_PI FRAC_1_PI
        FRAC_2_PI omp_E0709_declare_target_FRAC_2_PI FRAC_2_PI
        FRAC_2_SQRT_PI omp_E0709_declare_target_FRAC_2_SQRT_PI FRAC_2_SQRT_PI
        FRAC_1_SQRT_2 omp_E0709_declare_target_FRAC_1_SQRT_2 FRAC_1_SQRT_2
        FRAC_PI_2 omp_E0709_declare_target_FRAC_PI_2 FRAC_PI_2
        FRAC_PI_3 omp_E0709_declare_target_FRAC_PI_3 FRAC_PI_3
        FRAC_PI_4 omp_E0709_declare_target_FRAC_PI_4 FRAC_PI_4
        FRAC_PI_6 omp_E0709_declare_target_FRAC_PI_6 FRAC_PI_6
        FRAC_PI_8 omp_E0709_declare_target_FRAC_PI_8 FRAC_PI_8
        LN_2 omp_E0709_declare_target_LN_2 LN_2
        LN_10 omp_E0709_declare_target_LN_10 LN_10
        LOG2_E omp_E0709_declare_target_LOG2_E LOG2_E
        LOG10_E omp_E0709_declare_target_LOG10_E LOG10_E
        SQRT_2 omp_E0709_declare_target_SQRT_2 SQRT_2
    }
}

// ---------------------------------------------------------------------------------------------- conversions

/// The companion of a conversion of an `S` that may fail: `M` says which.
#[allow(clippy::type_complexity)]
pub struct CastOf<T, S, M>(PhantomData<fn() -> (T, S, M)>);

/// The companion of `x.as_()`.
#[allow(clippy::type_complexity)]
pub struct AsOf<T, S>(PhantomData<fn() -> (T, S)>);

shows_name!([T, S, M] CastOf<T, S, M>, "CastOf");
shows_name!([T, S] AsOf<T, S>, "AsOf");

#[diagnostic::do_not_recommend]
// SAFETY: they take their receiver by `&` or by value.
unsafe impl<T, S, M> Reads for CastOf<T, S, M> {}
#[diagnostic::do_not_recommend]
// SAFETY: it takes its receiver by value.
unsafe impl<T, S> Reads for AsOf<T, S> {}

/// `NumCast::from`
#[derive(Debug)]
pub enum ByNumCast {}
/// A method or function with the type in its name, which no other has.
#[derive(Debug)]
pub enum ByNameOfType {}

/// Which function is meant.
pub trait NumConversion<T, S> {
    /// It is a method.
    const METHOD: bool;
    /// The function that is called by a path.
    fn item() -> TypeId;
}

impl<T: NumCast, S: num::ToPrimitive> NumConversion<T, S> for ByNumCast {
    const METHOD: bool = false;
    fn item() -> TypeId {
        id_of(&<T as NumCast>::from::<S>)
    }
}

/// `x.to_f64()`
#[derive(Debug)]
pub enum ToNamed {}

impl<T, S> NumConversion<T, S> for ToNamed {
    const METHOD: bool = true;
    fn item() -> TypeId {
        TypeId::of::<()>()
    }
}

// SAFETY: the template gives what `num_traits` gives for these primitives.
unsafe impl<T: Device, S: Device, M: NumConversion<T, S>> DeviceFn for CastOf<T, S, M> {
    const METHOD: bool = M::METHOD;

    fn genuine() -> TypeId {
        M::item()
    }

    fn describe(cx: &mut Describe) {
        let (Some(from), Some(to)) = (prim_of(S::DESC, cx), prim_of(T::DESC, cx)) else { return };
        cx.made(cast(from, to));
        cx.slot(Some(S::DESC));
        cx.slot(Some(T::DESC));
        cx.slot(Some(<Option<T> as Value>::DESC));
    }
}

// SAFETY: `as_` is `as` between primitives.
unsafe impl<T: Device, S: Device> DeviceFn for AsOf<T, S> {
    const METHOD: bool = true;

    fn genuine() -> TypeId {
        TypeId::of::<()>()
    }

    fn describe(cx: &mut Describe) {
        if prim_of(S::DESC, cx).is_none() || prim_of(T::DESC, cx).is_none() {
            return;
        }
        let mut made = Made::default();
        let value = made.cast(1);
        let body = vec![Stmt::Return(Some(value))];
        cx.made(made.function("as_", &[SlotId::new(0)], SlotId::new(1), body));
        cx.slot(Some(S::DESC));
        cx.slot(Some(T::DESC));
    }
}

/// Conversions by `NumCast::from`.
#[allow(non_snake_case, missing_docs)]
pub trait NumCastByName: NumCast {
    fn omp_E0709_declare_target_from<S: num::ToPrimitive>(
        _: S,
        _: &Call<CastOf<Self, S, ByNumCast>>,
    ) -> Option<Self> {
        never()
    }
}

impl<T: NumCast> NumCastByName for T {}

/// Conversions by `x.as_()`.
#[allow(non_snake_case, missing_docs)]
pub trait NumAs<T: Copy + 'static>: num::AsPrimitive<T> {
    fn omp_E0709_declare_target_as_(&self, _: &Call<AsOf<T, Self>, (), ByVal<Self>>) -> T {
        never()
    }
}

impl<T: Copy + 'static, S: num::AsPrimitive<T>> NumAs<T> for S {}

macro_rules! conversions {
    ($($t:ident $hidden_to:ident $from:ident $hidden_from:ident;)*) => {
        /// Conversions to a primitive.
        #[allow(non_snake_case, missing_docs)]
        pub trait NumTo: num::ToPrimitive + Sized {
            $(fn $hidden_to(&self, _: &Call<CastOf<$t, Self, ToNamed>, (), ByRef<Self>>) -> Option<$t> { never() })*
        }
        impl<T: num::ToPrimitive> NumTo for T {}
        /// Conversions from a primitive.
        #[allow(non_snake_case, missing_docs)]
        pub trait NumFrom: num::FromPrimitive {
            $(fn $hidden_from(_: $t, _: &Call<CastOf<Self, $t, ByNameOfType>>) -> Option<Self> { never() })*
        }
        impl<T: num::FromPrimitive> NumFrom for T {}
        $(
            impl<T: num::FromPrimitive> NumConversion<T, $t> for ByNameOfType {
                const METHOD: bool = false;
                fn item() -> TypeId {
                    id_of(&<T as num::FromPrimitive>::$from)
                }
            }
        )*
    };
}
conversions! {
    i8 omp_E0709_declare_target_to_i8 from_i8 omp_E0709_declare_target_from_i8;
    i16 omp_E0709_declare_target_to_i16 from_i16 omp_E0709_declare_target_from_i16;
    i32 omp_E0709_declare_target_to_i32 from_i32 omp_E0709_declare_target_from_i32;
    i64 omp_E0709_declare_target_to_i64 from_i64 omp_E0709_declare_target_from_i64;
    isize omp_E0709_declare_target_to_isize from_isize omp_E0709_declare_target_from_isize;
    u8 omp_E0709_declare_target_to_u8 from_u8 omp_E0709_declare_target_from_u8;
    u16 omp_E0709_declare_target_to_u16 from_u16 omp_E0709_declare_target_from_u16;
    u32 omp_E0709_declare_target_to_u32 from_u32 omp_E0709_declare_target_from_u32;
    u64 omp_E0709_declare_target_to_u64 from_u64 omp_E0709_declare_target_from_u64;
    usize omp_E0709_declare_target_to_usize from_usize omp_E0709_declare_target_from_usize;
    f32 omp_E0709_declare_target_to_f32 from_f32 omp_E0709_declare_target_from_f32;
    f64 omp_E0709_declare_target_to_f64 from_f64 omp_E0709_declare_target_from_f64;
}

// ---------------------------------------------------------------------------------------------- templates

/// The primitive; another type is a fault.
fn prim_of(desc: &TypeDesc, cx: &mut Describe) -> Option<Prim> {
    match desc {
        TypeDesc::Prim(p) if p.is_int() || p.is_float() => Some(*p),
        other => {
            let text = format!("{other:?}");
            cx.fault(|| {
                format!("`num_traits` of a type that is no primitive number ({text}) is not on devices: declare a trait of your own with `#[omp::declare_target]`")
            });
            None
        }
    }
}
