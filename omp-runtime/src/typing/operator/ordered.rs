//! Comparisons of types other than numbers: tuples, fixed arrays and `Option`s part by part, field-less enums by their
//! discriminants.
//!
//! A device compares as std or a derive does. An enum may have another comparison, also as a part of a tuple; so each region
//! compares all values of an enum once on the host ([`Compared`]).
use super::{Compared, Op, OpKind};
use crate::typing::call::default::{NamedW, TellNamed0};
use crate::typing::call::probe::{ByRef, ByVal, never};
use crate::typing::call::{Call, DeviceFn};
use crate::typing::describe::Describe;
use crate::typing::device::Device;
use omp_ir::kernel::Callee;
use std::any::{TypeId, type_name};
use std::cmp::{Ordering, Reverse};
use std::fmt;
use std::marker::PhantomData;
use std::num::{Saturating, Wrapping};

/// What a region does with values that are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// `==`
    Equality,
    /// `<` and the like, `partial_cmp`
    PartialOrder,
    /// `cmp`, `max`, `min`
    Order,
}

impl Comparison {
    /// What an operator requires, if it compares.
    #[must_use]
    pub const fn of(op: OpKind) -> Option<Self> {
        match op {
            OpKind::Eq => Some(Self::Equality),
            OpKind::Lt | OpKind::Le | OpKind::Gt | OpKind::Ge => Some(Self::PartialOrder),
            _ => None,
        }
    }
}

/// What std compares part by part, down to numbers and field-less enums.
///
/// # Safety
/// If `ask` refuses nothing, a device compares values as the host does.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be compared on a device: a part of it is no number, and its own comparison is no device function [omp::E0709]",
    label = "compared here",
    note = "help: tuples, arrays and `Option`s of numbers and field-less enums can be; compare the parts of others, `a.0 == b.0`"
)]
pub unsafe trait Comparable {
    /// Refuses the region where a device would not compare the values as the host does.
    fn ask(_: Comparison, _: &mut Describe) {}
}

macro_rules! comparable {
    ($($t:ty)*) => { $(
        // SAFETY: compared as a number, as on the host.
        unsafe impl Comparable for $t {}
    )* };
}
comparable!(bool char i8 i16 i32 i64 isize u8 u16 u32 u64 u128 usize f32 f64 Ordering);

// SAFETY: compared by its parts or as a number, as std's own impl does.
unsafe impl<T: Comparable + ?Sized> Comparable for &T {
    fn ask(how: Comparison, cx: &mut Describe) {
        T::ask(how, cx);
    }
}

// SAFETY: compared by its parts or as a number, as std's own impl does.
unsafe impl<T: Comparable, const N: usize> Comparable for [T; N] {
    fn ask(how: Comparison, cx: &mut Describe) {
        T::ask(how, cx);
    }
}

// SAFETY: compared by its parts or as a number, as std's own impl does.
unsafe impl<T: Comparable> Comparable for Option<T> {
    fn ask(how: Comparison, cx: &mut Describe) {
        T::ask(how, cx);
    }
}

/// [`Comparable::ask`] of a field-less enum.
pub fn ask_enum<E: Compared>(how: Comparison, cx: &mut Describe) {
    let (right, what, of) = match how {
        Comparison::Equality => (E::by_bits(), "==", "PartialEq"),
        Comparison::PartialOrder => (E::by_bits() && E::by_order(), "<", "PartialOrd"),
        Comparison::Order => (E::by_bits() && E::by_cmp(), "cmp", "Ord"),
    };
    if !right {
        cx.fault(|| {
            format!(
                "`{what}` on `{}` is not that of `#[derive({of})]`, by which a device compares enums in tuples, arrays and \
                 `Option`s, and their `cmp`, `max` and `min`: `match` the values, or compare their parts",
                type_name::<E>(),
            )
        });
    }
}

/// The callee of a comparison part by part.
#[allow(clippy::type_complexity, reason = "it is a marker of two types")]
#[derive(Debug)]
pub struct ByParts<A: ?Sized, O>(PhantomData<(fn() -> O, fn(&A))>);

// SAFETY: no template, or that of the function.
unsafe impl<A: Comparable + ?Sized, O: Op> DeviceFn for ByParts<A, O> {
    const BUILTIN: bool = true;

    fn genuine() -> TypeId {
        TypeId::of::<()>()
    }

    fn describe(cx: &mut Describe) {
        if let Some(how) = Comparison::of(O::KIND) {
            A::ask(how, cx);
        }
    }
}

/// What has the hidden methods of `Ord` below: tuples, fixed arrays, `Option`s and enums.
///
/// # Safety
/// Where [`Comparable::ask`] refuses nothing, a device orders values as the host does.
pub unsafe trait HasOrder: Comparable {
    /// Whether the type has no methods of its own with the names of those of `Ord`.
    fn is_of_ord() -> bool {
        true
    }

    /// The same of `clamp`.
    fn clamps_by_ord() -> bool {
        true
    }
}

/// What has that of `PartialOrd`: not enums, whose declared `impl PartialOrd` has one.
///
/// # Safety
/// Where [`Comparable::ask`] refuses nothing, a device orders values as the host does.
pub unsafe trait HasParts: HasOrder {}

// SAFETY: ordered by its parts or as a number, as std's own impl does.
unsafe impl HasOrder for Ordering {}
// SAFETY: ordered by its parts or as a number, as std's own impl does.
unsafe impl HasParts for Ordering {}

// SAFETY: ordered by its parts or as a number, as std's own impl does.
unsafe impl<T: Comparable, const N: usize> HasOrder for [T; N] {}
// SAFETY: ordered by its parts or as a number, as std's own impl does.
unsafe impl<T: Comparable, const N: usize> HasParts for [T; N] {}

// SAFETY: ordered by its parts or as a number, as std's own impl does.
unsafe impl<T: Comparable> HasOrder for Option<T> {}
// SAFETY: ordered by its parts or as a number, as std's own impl does.
unsafe impl<T: Comparable> HasParts for Option<T> {}

macro_rules! of_one_part {
    ($($of:ident)*) => { $(
        // SAFETY: compared by its part (of `Reverse`, the other way round), as std's own impl does.
        unsafe impl<T: Comparable> Comparable for $of<T> {
            fn ask(how: Comparison, cx: &mut Describe) {
                T::ask(how, cx);
            }
        }

        // SAFETY: ordered by its part, as std's own impl does.
        unsafe impl<T: Comparable> HasOrder for $of<T> {}
        // SAFETY: ordered by its part, as std's own impl does.
        unsafe impl<T: Comparable> HasParts for $of<T> {}
    )* };
}
of_one_part!(Reverse Wrapping Saturating);

macro_rules! tuples {
    ($(($($T:ident)+))*) => { $(
        // SAFETY: compared by its parts or as a number, as std's own impl does.
        unsafe impl<$($T: Comparable),+> Comparable for ($($T,)+) {
            fn ask(how: Comparison, cx: &mut Describe) {
                $($T::ask(how, cx);)+
            }
        }

        // SAFETY: ordered by its parts or as a number, as std's own impl does.
        unsafe impl<$($T: Comparable),+> HasOrder for ($($T,)+) {}
        // SAFETY: ordered by its parts or as a number, as std's own impl does.
        unsafe impl<$($T: Comparable),+> HasParts for ($($T,)+) {}
    )* };
}
tuples! {
    (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H) (A B C D E F G H I)
    (A B C D E F G H I J) (A B C D E F G H I J K) (A B C D E F G H I J K L)
}

/// The callee of `cmp`, `max` and `min`.
pub struct InFull<S>(PhantomData<fn() -> S>);

/// The callee of `clamp`.
pub struct InRange<S>(PhantomData<fn() -> S>);

/// The callee of `partial_cmp`.
pub struct InPart<S>(PhantomData<fn() -> S>);

macro_rules! callees {
    ($($name:ident $how:ident $own:ident $names:literal)*) => { $(
        impl<S> fmt::Debug for $name<S> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($name))
            }
        }

        #[diagnostic::do_not_recommend]
        // SAFETY: it takes its receiver by `&` or by value.
        unsafe impl<S> crate::typing::call::Reads for $name<S> {}

        // SAFETY: no template, or that of the function.
        unsafe impl<S: HasOrder> DeviceFn for $name<S> {
            const METHOD: bool = true;
            const BUILTIN: bool = true;

            fn genuine() -> TypeId {
                TypeId::of::<()>()
            }

            fn describe(cx: &mut Describe) {
                S::ask(Comparison::$how, cx);
                if !S::$own() {
                    cx.fault(|| {
                        let ty = type_name::<S>();
                        format!(
                            "`{ty}` has a method of its own named {}, which the host may call in the place of that of `Ord`: put \
                             `#[omp::declare_target]` on its `impl`, or rename it",
                            $names
                        )
                    });
                }
            }
        }
    )* };
}
callees! {
    InFull Order is_of_ord "`cmp`, `max` or `min`"
    InRange Order clamps_by_ord "`clamp`"
    InPart PartialOrder is_of_ord "`cmp`, `max` or `min`"
}

/// The callee of `std::cmp::max(a, b)` and its kin, whose path names no type.
pub struct Furthest<T>(PhantomData<fn() -> T>);

shows_name!([T] Furthest<T>, "Furthest");

/// Catches the type that a function of `Ord` is called at.
#[inline(always)]
pub fn furthest<T, F: Fn(T, T) -> T>(_: &Call<Furthest<T>>, _: F) {}

// SAFETY: no template, or that of the function.
unsafe impl<T: Comparable> DeviceFn for Furthest<T> {
    const BUILTIN: bool = true;

    fn genuine() -> TypeId {
        TypeId::of::<()>()
    }

    fn describe(cx: &mut Describe) {
        T::ask(Comparison::Order, cx);
    }
}

/// A type parameter: the launch looks at the type itself.
impl<T: Device, F, K> TellNamed0 for NamedW<'_, Call<Furthest<T>, F, K>> {
    fn omp_told(&self, cx: &mut Describe) {
        T::asked(Comparison::Order, cx);
        cx.operator_behind(Callee::Builtin);
    }
}

/// The methods of `Ord`.
#[allow(non_snake_case, missing_docs, clippy::type_complexity)]
pub trait OrdMethods: Ord + HasOrder + Sized {
    fn omp_E0709_declare_target_cmp(&self, _: &Self, _: &Call<InFull<Self>, (), ByRef<Self>>) -> Ordering {
        never()
    }
    fn omp_E0709_declare_target_max(self, _: Self, _: &Call<InFull<Self>, (), ByVal<Self>>) -> Self {
        never()
    }
    fn omp_E0709_declare_target_min(self, _: Self, _: &Call<InFull<Self>, (), ByVal<Self>>) -> Self {
        never()
    }
    fn omp_E0709_declare_target_clamp(
        self,
        _: Self,
        _: Self,
        _: &Call<InRange<Self>, (), ByVal<Self>>,
    ) -> Self {
        never()
    }
}

impl<T: Ord + HasOrder> OrdMethods for T {}

/// The method of `PartialOrd`.
#[allow(non_snake_case, missing_docs, clippy::type_complexity)]
pub trait PartialOrdMethods: PartialOrd + HasParts + Sized {
    fn omp_E0709_declare_target_partial_cmp(
        &self,
        _: &Self,
        _: &Call<InPart<Self>, (), ByRef<Self>>,
    ) -> Option<Ordering> {
        never()
    }
}

impl<T: PartialOrd + HasParts> PartialOrdMethods for T {}

/// The method of a declared `PartialOrd<R>`; `M` is its marker.
#[allow(non_snake_case, missing_docs, clippy::type_complexity)]
pub trait Compares<R: ?Sized, M> {
    fn omp_E0709_declare_target_partial_cmp(&self, _: &R, _: &Call<M, (), ByRef<Self>>) -> Option<Ordering> {
        never()
    }
}

/// The methods of a declared `Ord`; the parameters are their markers.
#[allow(non_snake_case, missing_docs, clippy::type_complexity)]
pub trait Orders<C, X, N, L>: Sized {
    fn omp_E0709_declare_target_cmp(&self, _: &Self, _: &Call<C, (), ByRef<Self>>) -> Ordering {
        never()
    }
    fn omp_E0709_declare_target_max(self, _: Self, _: &Call<X, (), ByVal<Self>>) -> Self {
        never()
    }
    fn omp_E0709_declare_target_min(self, _: Self, _: &Call<N, (), ByVal<Self>>) -> Self {
        never()
    }
    fn omp_E0709_declare_target_clamp(self, _: Self, _: Self, _: &Call<L, (), ByVal<Self>>) -> Self {
        never()
    }
}

/// The same of references, which are `Ord` themselves: `a.max(b)` of two is one of them.
#[allow(non_snake_case, missing_docs, clippy::type_complexity)]
pub trait OrdReferences: Ord + Sized {
    /// What it refers to.
    type To;
    fn omp_E0709_declare_target_max(self, _: Self, _: &Call<InFull<Self::To>, (), ByVal<Self>>) -> Self {
        never()
    }
    fn omp_E0709_declare_target_min(self, _: Self, _: &Call<InFull<Self::To>, (), ByVal<Self>>) -> Self {
        never()
    }
    fn omp_E0709_declare_target_clamp(
        self,
        _: Self,
        _: Self,
        _: &Call<InRange<Self::To>, (), ByVal<Self>>,
    ) -> Self {
        never()
    }
}

impl<T: Ord + HasOrder> OrdReferences for &T {
    type To = T;
}

/// `max`, `min` and `clamp` of `bool` and `char`, which have no arithmetic.
#[allow(non_snake_case, missing_docs, clippy::type_complexity)]
pub trait WordMethods: Sized {
    fn omp_E0709_declare_target_max(
        self,
        _: Self,
        _: &Call<crate::typing::call::Builtin, (), ByVal<Self>>,
    ) -> Self {
        never()
    }
    fn omp_E0709_declare_target_min(
        self,
        _: Self,
        _: &Call<crate::typing::call::Builtin, (), ByVal<Self>>,
    ) -> Self {
        never()
    }
    fn omp_E0709_declare_target_clamp(
        self,
        _: Self,
        _: Self,
        _: &Call<crate::typing::call::Builtin, (), ByVal<Self>>,
    ) -> Self {
        never()
    }
}

impl WordMethods for bool {}
impl WordMethods for char {}

/// All values of an enum with their numbers, to compare each with each by `Ord`: `(&CmpW(&values)).omp_by_cmp()`.
pub struct CmpW<'a, E>(pub &'a [(E, i128)]);

shows_name!([E] CmpW<'_, E>, "CmpW");

/// It has `cmp`.
pub trait Cmp1 {
    /// [`Compared::by_cmp`].
    fn omp_by_cmp(&self) -> bool;
}

/// It has none, so this is not used.
pub trait Cmp0 {
    /// [`Compared::by_cmp`].
    fn omp_by_cmp(&self) -> bool;
}

impl<E: Ord + Copy> Cmp1 for CmpW<'_, E> {
    fn omp_by_cmp(&self) -> bool {
        let same = |a: E, b: E| std::mem::discriminant(&a) == std::mem::discriminant(&b);
        let by_number = |&&(_, i): &&(E, i128)| i;
        let ends = (self.0.iter().min_by_key(by_number), self.0.iter().max_by_key(by_number));
        let (Some(&(least, _)), Some(&(most, _))) = ends else { return true };
        let all = |holds: &dyn Fn((E, i128), (E, i128)) -> bool| {
            self.0.iter().all(|&a| self.0.iter().all(|&b| holds(a, b)))
        };
        // (Of another order, `clamp` panics.)
        all(&|(a, i), (b, j)| a.cmp(&b) == i.cmp(&j))
            && all(&|(a, i), (b, j)| {
                same(a.max(b), if i > j { a } else { b })
                    && same(a.min(b), if i < j { a } else { b })
                    && same(a.clamp(b, most), if i > j { a } else { b })
                    && same(a.clamp(least, b), if i < j { a } else { b })
            })
    }
}

impl<E> Cmp0 for &CmpW<'_, E> {
    fn omp_by_cmp(&self) -> bool {
        true
    }
}
