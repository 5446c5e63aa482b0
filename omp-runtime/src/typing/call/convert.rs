//! `T::from(x)` and `x.into()`: a lossless conversion of primitives, or the user's declared `impl From`. `T::try_from(x)` and `x.try_into()`:
//! the user's declared `impl TryFrom`.
//!
//! The hidden companions exist for all types that have `From`, with the bounds of std's methods, so rustc infers as for the host.
//! [`FromOf`] finds the conversion of the two types.
use super::default::{NamedW, TellNamed0};
use super::made::tried;
use super::probe::{ByVal, never};
use super::{Call, DeviceFn, Reads, id_of};
use crate::typing::describe::Describe;
use crate::typing::device::{Device, Value};
use crate::typing::operator::{DeviceOp, HasDeviceOp, OpKind, Operand, kind, ops};
use omp_ir::desc::TypeDesc;
use omp_ir::kernel::Callee;
use std::any::{TypeId, type_name};
use std::marker::PhantomData;

/// The hidden companions of `from` and `into`, `try_from` and `try_into`.
#[allow(non_snake_case, missing_docs)]
pub trait FromByName: Sized {
    fn omp_E0709_declare_target_from<S>(_: S, _: &Call<FromOf<Self, S>>) -> Self
    where
        Self: From<S>,
    {
        never()
    }

    fn omp_E0709_declare_target_into<T>(self, _: &Call<IntoOf<T, Self>, (), ByVal<Self>>) -> T
    where
        Self: Into<T>,
    {
        never()
    }

    #[allow(clippy::type_complexity, reason = "the companion's type is only ever inferred")]
    fn omp_E0709_declare_target_try_from<S>(_: S, _: &Call<TryFromOf<Self, S>>) -> Result<Self, Self::Error>
    where
        Self: TryFrom<S>,
    {
        never()
    }

    #[allow(clippy::type_complexity, reason = "the companion's type is only ever inferred")]
    fn omp_E0709_declare_target_try_into<T>(
        self,
        _: &Call<TryIntoOf<T, Self>, (), ByVal<Self>>,
    ) -> Result<T, Self::Error>
    where
        Self: TryInto<T>,
    {
        never()
    }
}

impl<T> FromByName for T {}

/// A type that a device can make of another.
///
/// # Safety
/// [`Self::Callee`] is what `T::from` calls.
#[diagnostic::on_unimplemented(
    message = "`{Self}::from` of a value of type `{S}` is no device function [omp::E0709]",
    label = "called in a device region",
    note = "help: put `#[omp::declare_target]` on the `impl From<{S}> for {Self}`"
)]
pub unsafe trait HasFrom<S> {
    /// The function's companion; `Builtin` for those of primitives.
    type Callee: DeviceFn;
}

#[diagnostic::do_not_recommend]
// SAFETY: the callee is that of the operator `From`.
unsafe impl<T: HasDeviceOp<ops::From, S>, S> HasFrom<S> for T {
    type Callee = T::Callee;
}

/// The companion of `T::from` of an `S`.
#[allow(clippy::type_complexity)]
pub struct FromOf<T, S>(PhantomData<fn() -> (T, S)>);

shows_name!([T, S] FromOf<T, S>, "FromOf");

// SAFETY: it takes its receiver by `&` or by value.
unsafe impl<T, S> Reads for FromOf<T, S> {}

/// The companion of `x.into()`, which is that of [`FromOf`] under the other trait's name.
#[allow(clippy::type_complexity)]
pub struct IntoOf<T, S>(PhantomData<fn() -> (T, S)>);

shows_name!([T, S] IntoOf<T, S>, "IntoOf");

// SAFETY: it takes its receiver by `&` or by value.
unsafe impl<T, S> Reads for IntoOf<T, S> {}

// SAFETY: no template, or that of the function.
unsafe impl<T: HasFrom<S> + From<S>, S> DeviceFn for IntoOf<T, S> {
    const METHOD: bool = true;
    const BUILTIN: bool = T::Callee::BUILTIN;

    fn genuine() -> TypeId {
        id_of(&<S as Into<T>>::into)
    }

    fn describe(cx: &mut Describe) {
        T::Callee::describe(cx);
    }
}

/// Between types that may be type parameters, of which `S: Into<T>` may be all that is known: the type itself is checked. An
/// `Into` that is not that of `From` is the user's own, which no device has.
impl<T: Device, S: Device + Into<T>, F, K> TellNamed0 for NamedW<'_, Call<IntoOf<T, S>, F, K>> {
    fn omp_told(&self, cx: &mut Describe) {
        let callee = T::operator(OpKind::From, super::type_id::<S>(), cx);
        cx.genuine::<F>(id_of(&<S as Into<T>>::into), "Into::into");
        let of_primitives = [T::DESC, S::DESC].iter().all(|desc| matches!(desc, TypeDesc::Prim(_)));
        let same = super::type_id::<S>() == super::type_id::<T>();
        if callee.is_none() && !of_primitives && !same {
            cx.fault(|| {
                let [from, to] = [type_name::<S>(), type_name::<T>()];
                format!("behind a type parameter, `into` of `{from}` to `{to}` is no device function: write the types out, with `#[omp::declare_target]` on an `impl From<{from}> for {to}`")
            });
        }
        cx.operator_behind(callee.unwrap_or(Callee::Builtin));
    }
}

// SAFETY: no template, or that of the function.
unsafe impl<T: HasFrom<S> + From<S>, S> DeviceFn for FromOf<T, S> {
    const BUILTIN: bool = T::Callee::BUILTIN;

    fn genuine() -> TypeId {
        id_of(&<T as From<S>>::from)
    }

    fn describe(cx: &mut Describe) {
        T::Callee::describe(cx);
    }
}

/// Between types that may be type parameters: the launch looks at the types themselves.
impl<T: Device + From<S>, S, F, K> TellNamed0 for NamedW<'_, Call<FromOf<T, S>, F, K>> {
    fn omp_told(&self, cx: &mut Describe) {
        let callee = T::operator(OpKind::From, super::type_id::<S>(), cx);
        cx.genuine::<F>(id_of(&<T as From<S>>::from), "From::from");
        cx.operator_behind(callee.unwrap_or(Callee::Builtin));
    }
}

/// A type that a device may make of another.
///
/// # Safety
/// [`Self::Callee`] is what `T::try_from` calls.
#[diagnostic::on_unimplemented(
    message = "`{Self}::try_from` of a value of type `{S}` is no device function [omp::E0709]",
    label = "called in a device region",
    note = "help: put `#[omp::declare_target]` on the `impl TryFrom<{S}> for {Self}`; of a number, write `u8::try_from(x)` with the type in front"
)]
pub unsafe trait HasTryFrom<S> {
    /// The function's companion.
    type Callee: DeviceFn;
}

#[diagnostic::do_not_recommend]
// SAFETY: the callee is that of the operator `TryFrom`.
unsafe impl<T: DeviceOp<ops::TryFrom, S>, S> HasTryFrom<S> for T {
    type Callee = T::Callee;
}

/// The companion of `T::try_from` of an `S`.
#[allow(clippy::type_complexity)]
pub struct TryFromOf<T, S>(PhantomData<fn() -> (T, S)>);

shows_name!([T, S] TryFromOf<T, S>, "TryFromOf");

// SAFETY: it takes its receiver by `&` or by value.
unsafe impl<T, S> Reads for TryFromOf<T, S> {}

/// The companion of `x.try_into()`, which is that of [`TryFromOf`] under the other trait's name.
#[allow(clippy::type_complexity)]
pub struct TryIntoOf<T, S>(PhantomData<fn() -> (T, S)>);

shows_name!([T, S] TryIntoOf<T, S>, "TryIntoOf");

// SAFETY: it takes its receiver by `&` or by value.
unsafe impl<T, S> Reads for TryIntoOf<T, S> {}

// SAFETY: the template of the function.
unsafe impl<T: HasTryFrom<S> + TryFrom<S>, S> DeviceFn for TryFromOf<T, S> {
    const BUILTIN: bool = T::Callee::BUILTIN;

    fn genuine() -> TypeId {
        id_of(&<T as TryFrom<S>>::try_from)
    }

    fn describe(cx: &mut Describe) {
        T::Callee::describe(cx);
    }
}

// SAFETY: the template of the function.
unsafe impl<T: HasTryFrom<S> + TryFrom<S>, S> DeviceFn for TryIntoOf<T, S> {
    const METHOD: bool = true;
    const BUILTIN: bool = T::Callee::BUILTIN;

    fn genuine() -> TypeId {
        id_of(&<S as TryInto<T>>::try_into)
    }

    fn describe(cx: &mut Describe) {
        T::Callee::describe(cx);
    }
}

/// `T::try_from(x)` of a number, or of a type of the user's: only the type of `x` tells them apart. The error of numbers is `()`.
pub trait TriedFrom<S>: Sized {
    /// The error.
    type Error;
    /// The function's companion.
    type Callee: DeviceFn;

    /// The host's conversion.
    #[allow(clippy::missing_errors_doc, reason = "those of the type")]
    fn try_from(value: S) -> Result<Self, Self::Error>;

    /// The hidden companion.
    #[allow(non_snake_case, clippy::type_complexity, reason = "the companion's type is only ever inferred")]
    fn omp_E0709_declare_target_try_from(_: S, _: &Call<TriedOf<Self, S>>) -> Result<Self, Self::Error> {
        never()
    }
}

/// The kinds of types, as what is converted to `T`.
pub trait ConvertedTo<T, S> {
    /// See [`TriedFrom::Error`].
    type Error;
    /// See [`TriedFrom::Callee`].
    type Callee: DeviceFn;
    /// See [`TriedFrom::try_from`].
    #[allow(clippy::missing_errors_doc, reason = "those of the type")]
    fn converted(value: S) -> Result<T, Self::Error>;
}

impl<T, S: Operand> TriedFrom<S> for T
where
    S::Kind: ConvertedTo<T, S>,
{
    type Error = <S::Kind as ConvertedTo<T, S>>::Error;
    type Callee = <S::Kind as ConvertedTo<T, S>>::Callee;

    #[inline(always)]
    fn try_from(value: S) -> Result<T, Self::Error> {
        S::Kind::converted(value)
    }
}

/// The companion of [`TriedFrom::try_from`].
#[allow(clippy::type_complexity)]
pub struct TriedOf<T, S>(PhantomData<fn() -> (T, S)>);

shows_name!([T, S] TriedOf<T, S>, "TriedOf");

// SAFETY: the template of the function.
unsafe impl<T: TriedFrom<S>, S> DeviceFn for TriedOf<T, S> {
    const BUILTIN: bool = T::Callee::BUILTIN;

    fn genuine() -> TypeId {
        id_of(&<T as TriedFrom<S>>::try_from)
    }

    fn describe(cx: &mut Describe) {
        T::Callee::describe(cx);
    }
}

/// The companion of `T::try_from` of another integer.
#[allow(clippy::type_complexity)]
pub struct TriedInteger<T, S>(PhantomData<fn() -> (T, S)>);

shows_name!([T, S] TriedInteger<T, S>, "TriedInteger");

// SAFETY: the template computes what std's conversion of integers computes.
unsafe impl<T: Device, S: Device> DeviceFn for TriedInteger<T, S> {
    fn genuine() -> TypeId {
        TypeId::of::<()>()
    }

    fn describe(cx: &mut Describe) {
        let (TypeDesc::Prim(from), TypeDesc::Prim(to)) = (<S as Device>::DESC, <T as Device>::DESC) else {
            unreachable!("integers are primitive");
        };
        cx.made(tried(*from, *to));
        cx.slot(Some(<S as Device>::DESC));
        cx.slot(Some(<T as Device>::DESC));
        cx.slot(Some(<Result<T, ()> as Value>::DESC));
    }
}

/// The integers.
#[diagnostic::on_unimplemented(
    message = "`try_from` of a value of type `{Self}` is no device function [omp::E0709]",
    label = "called in a device region",
    note = "help: numbers are made of integers: `u8::try_from(c as u32)`"
)]
pub trait Integer: Device {}

macro_rules! integers {
    ($($t:ty)*) => { $(impl Integer for $t {})* };
}
integers!(i8 i16 i32 i64 isize u8 u16 u32 u64 u128 usize);

impl<T: Integer + TryFrom<S>, S: Integer> ConvertedTo<T, S> for kind::Prim {
    type Error = ();
    type Callee = TriedInteger<T, S>;

    #[inline(always)]
    fn converted(value: S) -> Result<T, ()> {
        <T as TryFrom<S>>::try_from(value).map_err(drop)
    }
}

macro_rules! by_user {
    ($($kind:ident)*) => { $(
        impl<T: HasTryFrom<S> + TryFrom<S>, S> ConvertedTo<T, S> for kind::$kind {
            type Error = T::Error;
            type Callee = TryFromOf<T, S>;

            #[inline(always)]
            fn converted(value: S) -> Result<T, T::Error> {
                <T as TryFrom<S>>::try_from(value)
            }
        }
    )* };
}
by_user!(Enum Parts Wrapper User);
