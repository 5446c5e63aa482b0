//! Operators by the names of their methods: `a.add(b)`, `a.neg()`.
//!
//! For each of std's operator traits there is a hidden trait that every type with the operator has, with the bounds and
//! the result of the real one. Its method takes `&self`, though the real one takes `self`: so it is found after a method
//! of this name that a declared trait of the user's has. The host calls the real one, which rustc may find at another
//! type of `self`, or which another method of that name hides; the typing copy checks that next to the call
//! ([`probe`](crate::typing::call::probe)):
//!
//! | what the host could call instead | found by |
//! |---|---|
//! | the operator of `&T`, found before that of `T` | [`Earlier`](crate::typing::call::probe::Earlier), unless `T` is a number, where both are one |
//! | an undeclared method of a trait in scope | a call by the name with the real trait in scope: rustc reports an ambiguity |
//! | an undeclared inherent method of the type | the declared `impl` of the operator: `DeviceOp::is_found_by_name` |
use super::{HasDeviceOp, Of, Op, ops};
use crate::typing::call::default::{NamedW, TellNamed0};
use crate::typing::call::probe::{ByOperator, Stub, never};
use crate::typing::call::{Call, DeviceFn, Reads};
use crate::typing::describe::Describe;
use crate::typing::device::Device;
use omp_ir::kernel::Callee;
use std::any::{TypeId, type_name};
use std::marker::PhantomData;

macro_rules! binary {
    ($($Hidden:ident $Op:ident $method:ident;)*) => { $(
        #[allow(non_snake_case, missing_docs)]
        pub trait $Hidden<B>: std::ops::$Op<B> + Sized {
            #[allow(clippy::type_complexity, reason = "the companion's type is only ever inferred")]
            fn $method(&self, _: B, _: &Call<NamedOperator<ops::$Op, Self, B>, (), ByOperator<Self, B>>) -> Self::Output {
                never()
            }
        }

        impl<A: std::ops::$Op<B>, B> $Hidden<B> for A {}
    )* };
}
binary! {
    AddByName Add omp_E0709_declare_target_add;
    SubByName Sub omp_E0709_declare_target_sub;
    MulByName Mul omp_E0709_declare_target_mul;
    DivByName Div omp_E0709_declare_target_div;
    RemByName Rem omp_E0709_declare_target_rem;
    BitAndByName BitAnd omp_E0709_declare_target_bitand;
    BitOrByName BitOr omp_E0709_declare_target_bitor;
    BitXorByName BitXor omp_E0709_declare_target_bitxor;
    ShlByName Shl omp_E0709_declare_target_shl;
    ShrByName Shr omp_E0709_declare_target_shr;
}

macro_rules! unary {
    ($($Hidden:ident $Op:ident $method:ident;)*) => { $(
        #[allow(non_snake_case, missing_docs)]
        pub trait $Hidden: std::ops::$Op + Sized {
            #[allow(clippy::type_complexity, reason = "the companion's type is only ever inferred")]
            fn $method(&self, _: &Call<NamedOperator<ops::$Op, Self, ()>, (), ByOperator<Self, ()>>) -> Self::Output {
                never()
            }
        }

        impl<A: std::ops::$Op> $Hidden for A {}
    )* };
}
unary! {
    NegByName Neg omp_E0709_declare_target_neg;
    NotByName Not omp_E0709_declare_target_not;
}

/// The companion of an operator by its name.
pub struct NamedOperator<O, A, B>(PhantomData<Of<O, A, B>>);

shows_name!([O, A, B] NamedOperator<O, A, B>, "NamedOperator");

// SAFETY: it takes its receiver by `&` or by value.
unsafe impl<O, A, B> Reads for NamedOperator<O, A, B> {}

// SAFETY: no template, or that of the function.
unsafe impl<O: Op, A: HasDeviceOp<O, B>, B> DeviceFn for NamedOperator<O, A, B> {
    const BUILTIN: bool = A::Callee::BUILTIN;
    const METHOD: bool = true;

    fn genuine() -> TypeId {
        A::Callee::genuine()
    }

    fn describe(cx: &mut Describe) {
        if !A::is_found_by_name() {
            cx.fault(|| {
                format!(
                    "the operator `{}` of `{}` by its name: the type is generic, or has a method of this name itself; \
                     write `{}`",
                    O::SYMBOL,
                    type_name::<A>(),
                    O::SYMBOL
                )
            });
        }
        A::Callee::describe(cx);
    }
}

/// A type parameter: the launch looks at the type itself, which may be any, so only a number's method is certainly the operator.
impl<O: Op, A: Device, B, F, K> TellNamed0 for NamedW<'_, Call<NamedOperator<O, A, B>, F, K>> {
    fn omp_told(&self, cx: &mut Describe) {
        let callee = A::operator(O::KIND, crate::typing::call::type_id::<B>(), cx).unwrap_or(Callee::Builtin);
        if let Callee::Fn(_) = callee {
            cx.fault(|| {
                format!("the operator `{}` of a type parameter by its name: write `{}`", O::SYMBOL, O::SYMBOL)
            });
        }
        cx.operator_behind(callee);
    }
}

/// What the host's method is called on, and with: see [`ByOperator`].
pub trait OnOperands {
    /// `self`.
    type Left;
    /// The argument.
    type Right;
}

impl<A, B> OnOperands for ByOperator<A, B> {
    type Left = A;
    type Right = B;
}

macro_rules! others {
    ($(for [$($g:tt)*] $ty:ty;)*) => { $(
        impl<$($g)*> OnOperands for $ty {
            type Left = Stub;
            type Right = ();
        }
    )* };
}
others! {
    for [] ();
    for [S: ?Sized] crate::typing::call::probe::ByVal<S>;
    for [S: ?Sized] crate::typing::call::probe::ByRef<S>;
    for [S: ?Sized] crate::typing::call::probe::ByMut<S>;
}

/// What the host's method is called on.
pub fn left<M, F, K: OnOperands>(_: &Call<M, F, K>) -> K::Left {
    never()
}

/// What it is called with.
pub fn right<M, F, K: OnOperands>(_: &Call<M, F, K>) -> K::Right {
    never()
}

/// Whether two function items are one: `(&SameItem(&a, &b)).omp_same()`.
pub struct SameItem<'a, A, B>(pub &'a A, pub &'a B);

shows_name!([A, B] SameItem<'_, A, B>, "SameItem");

impl<A: 'static, B: 'static> SameItem<'_, A, B> {
    /// By their types.
    #[must_use]
    pub fn omp_same(&self) -> bool {
        TypeId::of::<A>() == TypeId::of::<B>()
    }
}

/// A type under a name that a module without the user's traits can say.
pub trait TypeOf {
    /// The type.
    type Type;
}
