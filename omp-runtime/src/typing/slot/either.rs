//! Places that are passed to functions by `&` alone. Only the type decides whether such a place is a value or an array.
//!
//! The place is captured as both. For a value, the scalar is copied and the array is empty. For an array, the array is mapped and
//! the scalar is unused. If a function takes a slice of the elements, the kernel has the array.
use super::{Arr, Slot};
use crate::typing::device::{Device, Value};

/// A value of a device type, or one of the standard containers that can be mapped.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be used on a device: it is no `omp::Device`, and no array of them [omp::E0711]",
    label = "`{Self}` is not a device type",
    note = "device types are the integers of up to 64 bits, `u128`, `f32`, `f64`, `bool`, `char`, fixed arrays and tuples of device types, and structs and enums with `#[derive(Clone, Copy, omp::Device)]`",
    note = "arrays are `&[T]`, `&mut [T]`, `Vec<T>`, `Box<[T]>` and `[T; N]` where `T: omp::Device`"
)]
pub trait Either {
    /// What the array holds.
    type Elem: Device;
    /// What goes along by copy.
    type Scalar: Value;
    /// What the host's loop has: the value as it was before the launch, or the container by reference.
    type Held<'a>: Copy
    where
        Self: 'a;

    /// The place as it is now.
    fn held(&self) -> Self::Held<'_>;
    /// The array.
    fn elems(&self) -> &[Self::Elem];
    /// The value.
    fn scalar(&self) -> Self::Scalar;
}

impl<T: Value> Either for T {
    type Elem = u8;
    type Scalar = T;
    type Held<'a> = T;

    #[inline(always)]
    fn held(&self) -> T {
        *self
    }
    #[inline(always)]
    fn elems(&self) -> &[u8] {
        &[]
    }
    #[inline(always)]
    fn scalar(&self) -> T {
        *self
    }
}

macro_rules! arrays {
    ($([$($g:tt)*] $on:ty, $held:ty;)*) => { $(
        impl<$($g)* T: Device> Either for $on {
            type Elem = T;
            type Scalar = u8;
            type Held<'a> = &'a $held where Self: 'a;

            #[inline(always)]
            fn held(&self) -> Self::Held<'_> {
                self
            }
            #[inline(always)]
            fn elems(&self) -> &[T] {
                self
            }
            #[inline(always)]
            fn scalar(&self) -> u8 {
                0
            }
        }
    )* };
}
arrays! {
    [] Vec<T>, Vec<T>;
    [] Box<[T]>, Box<[T]>;
    ['r,] &'r [T], [T];
    ['r,] &'r mut [T], [T];
    ['r,] &'r Vec<T>, Vec<T>;
    ['r,] &'r mut Vec<T>, Vec<T>;
    ['r,] &'r Box<[T]>, Box<[T]>;
    ['r,] &'r mut Box<[T]>, Box<[T]>;
}

impl<T> Arr<T> {
    /// Catches the types of both.
    #[inline(always)]
    pub fn see_either<C: Either<Elem = T>>(&self, _: &C, _: &Slot<C::Scalar>) {}
}

/// Takes the two apart for a launch: `(&&E(&place)).omp_held()`. It is total, so that a type that is neither is one error:
/// that of the typing copy.
pub struct E<'a, C: ?Sized>(pub &'a C);

shows_name!([C: ?Sized] E<'_, C>, "E");

/// For types that are one of both.
pub trait Take1<'a> {
    /// [`Either::Held`]
    type Held;
    /// [`Either::Elem`]
    type Elem: 'a;
    /// [`Either::Scalar`]
    type Scalar;
    /// [`Either::held`]
    fn omp_held(&self) -> Self::Held;
    /// [`Either::elems`]
    fn omp_elems(&self) -> &'a [Self::Elem];
    /// [`Either::scalar`]
    fn omp_scalar(&self) -> Self::Scalar;
}

/// For types that are neither.
pub trait Take0<'a> {
    /// What is there.
    type Held;
    /// The place.
    fn omp_held(&self) -> Self::Held;
    /// Nothing.
    fn omp_elems(&self) -> &'a [u8];
    /// Nothing.
    fn omp_scalar(&self) -> u8;
}

impl<'a, C: Either> Take1<'a> for &E<'a, C> {
    type Held = C::Held<'a>;
    type Elem = C::Elem;
    type Scalar = C::Scalar;

    #[inline(always)]
    fn omp_held(&self) -> C::Held<'a> {
        self.0.held()
    }
    #[inline(always)]
    fn omp_elems(&self) -> &'a [C::Elem] {
        self.0.elems()
    }
    #[inline(always)]
    fn omp_scalar(&self) -> C::Scalar {
        self.0.scalar()
    }
}

impl<'a, C: ?Sized> Take0<'a> for E<'a, C> {
    type Held = &'a C;

    #[inline(always)]
    fn omp_held(&self) -> &'a C {
        self.0
    }
    #[inline(always)]
    fn omp_elems(&self) -> &'a [u8] {
        &[]
    }
    #[inline(always)]
    fn omp_scalar(&self) -> u8 {
        0
    }
}
