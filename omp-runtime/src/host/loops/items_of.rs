//! Helper functions of expanded iterator chains and closure calls: starts of sums and products, and checks of types.
use crate::typing::device::Device;
use omp_ir::desc::TypeDesc;
use std::any::{Any, TypeId};
use std::iter::{Product, Sum};
use std::marker::PhantomData;
use std::num::{Saturating, Wrapping};
use std::ops::{Add, Mul};

/// A number that items are added to and multiplied by as std's `sum` and `product` do.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no number that devices sum items of `{T}` to [omp::E0704]",
    label = "the sum is a `{Self}`",
    note = "help: put `impl Sum for {Self}` into the module of the call, and write `sum::<{Self}>()`; or write `.fold(first, |sum, v| sum + v)`"
)]
pub trait Summed<T>: Sum<T> + Product<T> {
    /// `self + item`
    fn added(self, item: T) -> Self;
    /// `self * item`
    fn multiplied(self, item: T) -> Self;
}

macro_rules! summed {
    ($([$($of:ident)*] $t:ty;)*) => { $(
        // Std's operators overflow like those of the loop's crate.
        #[diagnostic::do_not_recommend]
        impl<$($of)*> Summed<$t> for $t
        where
            $t: Copy + Sum + Product + Add<Output = $t> + Mul<Output = $t>,
        {
            #[inline(always)]
            fn added(self, item: $t) -> $t {
                Add::add(self, item)
            }
            #[inline(always)]
            fn multiplied(self, item: $t) -> $t {
                Mul::mul(self, item)
            }
        }
        #[diagnostic::do_not_recommend]
        impl<$($of)*> Summed<&$t> for $t
        where
            $t: Copy + for<'a> Sum<&'a $t> + for<'a> Product<&'a $t> + Add<Output = $t> + Mul<Output = $t>,
        {
            #[inline(always)]
            fn added(self, item: &$t) -> $t {
                Add::add(self, *item)
            }
            #[inline(always)]
            fn multiplied(self, item: &$t) -> $t {
                Mul::mul(self, *item)
            }
        }
    )* };
}
summed! {
    [] i8; [] i16; [] i32; [] i64; [] isize; [] u8; [] u16; [] u32; [] u64; [] u128; [] usize; [] f32; [] f64;
    [T] Wrapping<T>; [T] Saturating<T>;
}

/// `$value` with the number that a type is in the place of `$number`.
macro_rules! numbers {
    ($of:ident, |$number:ident| $value:expr) => {{
        const {
            assert!(
                is_number::<$of>(),
                "devices sum and multiply numbers alone; write `.fold(first, |sum, v| sum + v)`"
            );
        };
        numbers!(($of, $number, $value) i8 i16 i32 i64 isize u8 u16 u32 u64 u128 usize f32 f64)
    }};
    (($of:ident, $number:ident, $value:expr) $($t:ty)*) => {
        match TypeId::of::<$of>() {
            $(of if of == TypeId::of::<$t>() => {
                type $number = $t;
                $value
            })*
            _ => unreachable!("it is one of these"),
        }
    };
}

/// The sum of no items.
#[inline(always)]
#[must_use]
pub fn sum_start<T: Sum<T>>() -> T {
    std::iter::empty().sum()
}

/// The product of no items.
#[inline(always)]
#[must_use]
pub fn product_start<T: Product<T>>() -> T {
    std::iter::empty().product()
}

/// `sum + item`
#[inline(always)]
pub fn added<S: Summed<T>, T>(sum: S, item: T) -> S {
    sum.added(item)
}

/// `product * item`
#[inline(always)]
pub fn multiplied<S: Summed<T>, T>(product: S, item: T) -> S {
    product.multiplied(item)
}

/// An item of a sum to `S`, or a reference to one.
pub trait OfItems<S> {
    /// The item.
    fn value(self) -> S;
}

impl<S> OfItems<S> for S {
    #[inline(always)]
    fn value(self) -> S {
        self
    }
}

impl<S: Copy> OfItems<S> for &S {
    #[inline(always)]
    fn value(self) -> S {
        *self
    }
}

/// [`sum_start`] in files with type parameters that have `Sum`: of another type than a number, `Sum` may be anything.
#[inline(always)]
#[must_use]
pub fn sum_start_of_any<S: Device>() -> S {
    numbers!(S, |Number| converted::<Number, S>(std::iter::empty::<Number>().sum()))
}

/// [`product_start`], the same.
#[inline(always)]
#[must_use]
pub fn product_start_of_any<S: Device>() -> S {
    numbers!(S, |Number| converted::<Number, S>(std::iter::empty::<Number>().product()))
}

/// [`added`], the same.
#[inline(always)]
pub fn added_of_any<S: Device + Sum<T>, T: OfItems<S>>(sum: S, item: T) -> S {
    numbers!(S, |Number| converted::<Number, S>(Add::add(
        converted::<S, Number>(sum),
        converted::<S, Number>(item.value())
    )))
}

/// [`multiplied`], the same.
#[inline(always)]
pub fn multiplied_of_any<S: Device + Product<T>, T: OfItems<S>>(product: S, item: T) -> S {
    numbers!(S, |Number| converted::<Number, S>(Mul::mul(
        converted::<S, Number>(product),
        converted::<S, Number>(item.value())
    )))
}

/// A value of the type that it has.
#[inline(always)]
fn converted<A: Device, B: Device>(value: A) -> B {
    *(&value as &dyn Any).downcast_ref().expect("these are one type")
}

/// Whether devices sum and multiply values of a type as std does.
const fn is_number<S: Device>() -> bool {
    matches!(S::DESC, TypeDesc::Prim(prim) if prim.is_int() || prim.is_float())
}

/// The types of a closure's parameters, which are the same at all calls. Covariant: references of calls live as long as they need.
#[derive(Debug)]
pub struct ClosureTypes<T>(PhantomData<T>);

/// For a closure that is called more than once.
#[inline(always)]
#[must_use]
pub const fn closure_types<T>() -> ClosureTypes<T> {
    ClosureTypes(PhantomData)
}

/// At each call.
#[inline(always)]
pub fn one_type<T>(_: &ClosureTypes<T>, _: T) {}

/// An `Option` or `Result`, or a reference to one.
pub trait Optional {
    /// The type without references.
    type Of;
    /// The value.
    fn by_value(&self) -> Self::Of;
}

impl<T: Copy> Optional for Option<T> {
    type Of = Self;

    #[inline(always)]
    fn by_value(&self) -> Self {
        *self
    }
}

impl<T: Copy, E: Copy> Optional for Result<T, E> {
    type Of = Self;

    #[inline(always)]
    fn by_value(&self) -> Self {
        *self
    }
}

impl<O: Optional + ?Sized> Optional for &O {
    type Of = O::Of;

    #[inline(always)]
    fn by_value(&self) -> O::Of {
        (**self).by_value()
    }
}

impl<O: Optional + ?Sized> Optional for &mut O {
    type Of = O::Of;

    #[inline(always)]
    fn by_value(&self) -> O::Of {
        (**self).by_value()
    }
}

/// An `Option` or `Result`, for what both have.
pub trait MayHave {
    /// What it may have.
    type Value;
    /// What it has.
    fn some(self) -> Option<Self::Value>;
}

impl<T> MayHave for Option<T> {
    type Value = T;

    #[inline(always)]
    fn some(self) -> Self {
        self
    }
}

impl<T, E> MayHave for Result<T, E> {
    type Value = T;

    #[inline(always)]
    fn some(self) -> Option<T> {
        self.ok()
    }
}

impl<O: MayHave + Copy> MayHave for &O {
    type Value = O::Value;

    #[inline(always)]
    fn some(self) -> Option<O::Value> {
        (*self).some()
    }
}

/// What an option or a result has: the type decides which it is.
#[inline(always)]
pub fn some_of<O: MayHave>(of: O) -> Option<O::Value> {
    of.some()
}

/// The option or result that a method takes by value, of a variable that may be a reference to one.
#[inline(always)]
pub fn option_of<O: Optional>(of: &O) -> O::Of {
    of.by_value()
}
