//! Checks that the method that the host calls is the one whose template was taken.
//!
//! In the typing copy, `r.f(x)` is written `r.omp_E0709_declare_target_f(x, …)`, a hidden method next to each declared `f`.
//! The host calls `f` itself. There may be several: an undeclared trait of the user's may have a method `f`, too, and
//! rustc may find that one first. It looks at one type of `self` after the other: for a receiver of type `R` at `R`,
//! `&R`, `&mut R`, then the same for what `R` dereferences to, and at each first at the type's own methods, then at those
//! of traits. So the hidden method shows at which type of `self` it was found ([`ByVal`], [`ByRef`], [`ByMut`]), and
//! [`Earlier`] computes all types that rustc looked at before. At each of them the copy calls `f` by its own name, on a
//! value of exactly this type, where a trait that every type implements has a method of this name: if rustc finds that
//! one, there is none of the user's; if there is a trait's of the user's, rustc says that both are meant; if it finds one
//! of the type's own, its result is not [`NotHidden`] ([`Gives`]).
//!
//! At the type of `self` itself, a type's own method would win over a declared trait's: this is checked where the trait's
//! `impl` is declared ([`Methods`](super::Methods)). Two traits' are ambiguous to the host as well.
//!
//! Nothing here is ever run.
use super::methods::OrderOf;
use super::{AlsoOfNumbers, Call, DeclaredMethod, DeviceFn, HasOfOtherArguments, Undeclared};
use crate::data::device_slice::{DeviceSlice, DeviceView, DeviceViewMut};
use crate::typing::describe::Describe;
use crate::typing::device::{Device, NoDeref};
use crate::typing::operator::{Operand, kind};
use crate::typing::slot::Mapped;
use omp_ir::kernel::Callee;
use std::fmt;
use std::marker::{PhantomData, PhantomPinned};
use std::rc::Rc;
use std::sync::Arc;

// Types that catch a type are covariant in it, as `Receiver` is: the checks run after borrows in the types have ended.

/// A method that takes `self`.
pub struct ByVal<S: ?Sized>(PhantomData<fn() -> Box<S>>);
/// A method that takes `&self`.
pub struct ByRef<S: ?Sized>(PhantomData<fn() -> Box<S>>);
/// A method that takes `&mut self`.
pub struct ByMut<S: ?Sized>(PhantomData<fn() -> Box<S>>);
/// A method that does not take its receiver by value.
#[diagnostic::on_unimplemented(
    message = "the arguments of this call may change its receiver, which it takes by value [omp::E0701]",
    label = "evaluated before its arguments",
    note = "help: compute them before: `let a = …;`"
)]
pub trait BorrowsReceiver {}

impl<S: ?Sized> BorrowsReceiver for ByRef<S> {}
impl<S: ?Sized> BorrowsReceiver for ByMut<S> {}

/// Requires that a call borrows its receiver. The device code reads it after the arguments.
pub const fn borrows_receiver<M, F, K: BorrowsReceiver>(_: &Call<M, F, K>) {}

/// An operator of `A` and `B` by its name, found through `&A`.
#[allow(clippy::type_complexity)]
pub struct ByOperator<A, B>(PhantomData<fn() -> (A, B)>);
/// `len` and `is_empty` of what is indexed.
#[derive(Debug)]
pub enum OfSlices {}
/// `swap` of what is indexed.
#[derive(Debug)]
pub enum SwapOfSlices {}

/// Methods of slices that take `&self`, on what holds one.
#[derive(Debug)]
pub enum LookingAtSlices {}
/// Methods of slices that take `&mut self`, on what holds one.
#[derive(Debug)]
pub enum ChangingSlices {}

/// The methods of ranges that take none but `&self`.
#[derive(Debug)]
pub enum OfRanges {}

/// Catches the type of a receiver. It is covariant, so that the receiver's borrow may end before the check.
pub struct Receiver<R: ?Sized>(PhantomData<Box<R>>);

/// What a local of the typing copy catches.
#[inline(always)]
#[must_use]
pub const fn receiver<'a, R: ?Sized>(_: *const [Receiver<R>; 0]) -> &'a Receiver<R> {
    &Receiver(PhantomData)
}

/// What the copy calls at a type of `self` that rustc did not look at. It has as few traits as a type can: what is for all types
/// of some trait is not for it.
#[allow(missing_debug_implementations)]
pub struct NotLookedAt(PhantomData<*mut dyn FnMut()>, PhantomPinned);

/// Stands for the operands of what is no operator of std's: it has all their methods.
#[derive(Debug)]
pub enum Stub {}

macro_rules! stub {
    ($($name:ident)*) => {
        #[allow(missing_docs, clippy::should_implement_trait)]
        impl Stub {
            $(pub fn $name<T>(self, _: T) {})*
            pub fn neg(self) {}
            pub fn not(self) {}
        }
    };
}
stub!(add sub mul div rem bitand bitor bitxor shl shr);

/// The result of the method that every type has in the copy.
#[derive(Debug)]
pub enum NotHidden {}

/// Only [`NotHidden`] implements it.
///
/// # Safety
/// Only [`NotHidden`] implements it: code that requires it has found the method that every type has in the copy.
#[diagnostic::on_unimplemented(
    message = "another method of this name hides the declared one: the host would call that one [omp::E0801]",
    label = "hidden by another method of the type",
    note = "help: rename one of them, or say which is meant: `Type::method(&x)`"
)]
pub unsafe trait Found {}

// SAFETY: the type itself.
unsafe impl Found for NotHidden {}

/// The types of `self` at which rustc looks before it comes to the one where the method `K` was found.
#[diagnostic::on_unimplemented(
    message = "a device method can't be found through this receiver [omp::E0801]",
    label = "it has to be dereferenced",
    note = "help: dereference it: `(*v).method()`, or say which method is meant: `Type::method(&x)`"
)]
pub trait Earlier<K> {
    /// The first.
    type A;
    /// The second.
    type B;
    /// The third.
    type C;
    /// The fourth.
    type D;
    /// The fifth.
    type E;
}

macro_rules! earlier {
    ($([$($g:tt)*] $kind:ty, $on:ty => [$a:ty, $b:ty, $c:ty, $d:ty, $e:ty];)*) => { $(
        impl<$($g)*> Earlier<$kind> for Receiver<$on> {
            type A = $a;
            type B = $b;
            type C = $c;
            type D = $d;
            type E = $e;
        }
    )* };
}

type No = NotLookedAt;

/// The operator of `&S` comes before that of `S`; numbers' are one.
pub trait OfReference<R> {
    /// `R` if the operator is looked up on the reference, else [`NotLookedAt`].
    type At;
}

impl<R> OfReference<R> for kind::Prim {
    type At = NotLookedAt;
}

macro_rules! of_reference {
    ($($kind:ident)*) => { $(
        impl<R> OfReference<R> for kind::$kind {
            type At = R;
        }
    )* };
}
of_reference!(User Enum Parts);

impl<'a, S: Operand, B> Earlier<ByOperator<S, B>> for Receiver<&'a S>
where
    S::Kind: OfReference<&'a S>,
{
    type A = <S::Kind as OfReference<&'a S>>::At;
    type B = &'a &'a S;
    type C = &'a mut &'a S;
    type D = No;
    type E = No;
}

earlier! {
    // A function without a receiver, or an undeclared one.
    [R: ?Sized] (), R => [No, No, No, No, No];

    [S] ByVal<S>, S => [No, No, No, No, No];
    ['a, S] ByVal<S>, &'a S => [&'a S, &'a &'a S, &'a mut &'a S, No, No];
    ['a, S] ByVal<S>, &'a mut S => [&'a mut S, &'a &'a mut S, &'a mut &'a mut S, No, No];
    ['a, S] ByVal<S>, &'a &'a S => [&'a &'a S, &'a &'a &'a S, &'a mut &'a &'a S, &'a S, &'a mut &'a S];

    [S] ByRef<S>, S => [S, No, No, No, No];
    ['a, S] ByRef<S>, &'a S => [No, No, No, No, No];
    ['a, S] ByRef<S>, &'a mut S => [&'a mut S, &'a &'a mut S, &'a mut &'a mut S, S, No];
    ['a, S] ByRef<S>, &'a &'a S => [&'a &'a S, &'a &'a &'a S, &'a mut &'a &'a S, No, No];

    [S, B] ByOperator<S, B>, S => [No, No, No, No, No];
    ['a, S, B] ByOperator<S, B>, &'a mut S => [&'a mut S, &'a &'a mut S, &'a mut &'a mut S, No, No];

    [S: 'static] ByMut<S>, S => [S, &'static S, No, No, No];
    ['a, S] ByMut<S>, &'a mut S => [No, No, No, No, No];
}

earlier! {
    [T] OfRanges, std::ops::Range<T> => [std::ops::Range<T>, No, No, No, No];
    [T] OfRanges, std::ops::RangeInclusive<T> => [std::ops::RangeInclusive<T>, No, No, No, No];
}

/// The same for slices and what holds them. [`ContainerMethods`](super::methods::ContainerMethods) is in scope together with the host's
/// calls and is ambiguous with a trait's of the user's at the types of `self` that it has.
macro_rules! containers {
    ($([$($g:tt)*] $on:ty;)*) => { earlier! { $(
        [$($g)*] OfSlices, $on => [$on, No, No, No, No];
        ['a, $($g)*] OfSlices, &'a $on => [No, No, No, No, No];
        ['a, $($g)*] OfSlices, &'a mut $on => [&'a mut $on, &'a &'a mut $on, &'a mut &'a mut $on, $on, No];
        [$($g)*] SwapOfSlices, $on => [$on, &'static $on, No, No, No];
        ['a, $($g)*] SwapOfSlices, &'a mut $on => [No, No, No, No, No];
    )* } };
}

// No arrays of a device, as is said where they come from: of their methods there is nothing to add.
containers! {
    [] String;
    [T: 'static] std::collections::VecDeque<T>;
    [K: 'static, V: 'static, S: 'static] std::collections::HashMap<K, V, S>;
    [K: 'static, V: 'static] std::collections::BTreeMap<K, V>;
    [K: 'static, S: 'static] std::collections::HashSet<K, S>;
    [K: 'static] std::collections::BTreeSet<K>;
}

earlier! {
    ['a] OfSlices, &'a str => [No, No, No, No, No];
}

containers! {
    [T: 'static] Vec<T>;
    [T: 'static] DeviceSlice<T>;
}

// Its `len` is the slice's, which comes after all that is found on the box. (At `&Box<[T]>` there is that of `ContainerMethods`.)
earlier! {
    [T: 'static] OfSlices, Box<[T]> => [Box<[T]>, &'static mut Box<[T]>, No, No, No];
    ['a, T: 'static] OfSlices, &'a Box<[T]> => [
        &'a &'a Box<[T]>, &'a mut &'a Box<[T]>, Box<[T]>, &'a mut Box<[T]>, No
    ];
    ['a, T: 'static] OfSlices, &'a mut Box<[T]> => [
        &'a mut Box<[T]>, &'a &'a mut Box<[T]>, &'a mut &'a mut Box<[T]>, Box<[T]>, No
    ];
    [T: 'static] SwapOfSlices, Box<[T]> => [Box<[T]>, &'static Box<[T]>, No, No, No];
    ['a, T: 'static] SwapOfSlices, &'a mut Box<[T]> => [No, No, No, No, No];
}

// Arrays are called by value, too: method resolution tries them before slices.
earlier! {
    [T: 'static, const N: usize] OfSlices, [T; N] => [[T; N], &'static mut [T; N], No, No, No];
    ['a, T, const N: usize] OfSlices, &'a [T; N] => [&'a &'a [T; N], &'a mut &'a [T; N], [T; N], &'a mut [T; N], No];
    ['a, T, const N: usize] OfSlices, &'a mut [T; N] => [
        &'a mut [T; N], &'a &'a mut [T; N], &'a mut &'a mut [T; N], [T; N], No
    ];
    [T: 'static, const N: usize] SwapOfSlices, [T; N] => [[T; N], &'static [T; N], No, No, No];
    ['a, T, const N: usize] SwapOfSlices, &'a mut [T; N] => [
        &'a &'a mut [T; N], &'a mut &'a mut [T; N], [T; N], &'a [T; N], No
    ];
}

earlier! {
    [T] OfSlices, [T] => [No, No, No, No, No];
    ['a, T] OfSlices, &'a [T] => [No, No, No, No, No];
    ['a, T] OfSlices, &'a mut [T] => [&'a mut [T], &'a &'a mut [T], &'a mut &'a mut [T], No, No];
    ['a, R: ?Sized] OfSlices, &'a &'a R => [&'a &'a R, &'a &'a &'a R, &'a mut &'a &'a R, No, No];
    [T] SwapOfSlices, [T] => [No, No, No, No, No];
    ['a, T] SwapOfSlices, &'a mut [T] => [No, No, No, No, No];
    ['v, T] OfSlices, DeviceView<'v, T> => [DeviceView<'v, T>, No, No, No, No];
    ['a, 'v, T] OfSlices, &'a DeviceView<'v, T> => [No, No, No, No, No];
    ['v, T] OfSlices, DeviceViewMut<'v, T> => [DeviceViewMut<'v, T>, No, No, No, No];
    ['v, T] SwapOfSlices, DeviceViewMut<'v, T> => [DeviceViewMut<'v, T>, No, No, No, No];
    ['a, 'v, T] SwapOfSlices, &'a mut DeviceViewMut<'v, T> => [No, No, No, No, No];
}

macro_rules! pointers {
    ($($pointer:ident)*) => { earlier! { $(
        [T: 'static] OfSlices, $pointer<[T]> => [
            $pointer<[T]>, &'static $pointer<[T]>, &'static mut $pointer<[T]>, No, No
        ];
        ['a, T: 'static] OfSlices, &'a $pointer<[T]> => [
            &'a $pointer<[T]>, &'a &'a $pointer<[T]>, &'a mut &'a $pointer<[T]>, $pointer<[T]>, &'a mut $pointer<[T]>
        ];
        // `len` and `is_empty` are the vector's own.
        [T: 'static] OfSlices, $pointer<Vec<T>> => [
            $pointer<Vec<T>>, &'static $pointer<Vec<T>>, &'static mut $pointer<Vec<T>>, Vec<T>, No
        ];
        ['a, T: 'static] OfSlices, &'a $pointer<Vec<T>> => [
            &'a $pointer<Vec<T>>, &'a &'a $pointer<Vec<T>>, &'a mut &'a $pointer<Vec<T>>, $pointer<Vec<T>>, Vec<T>
        ];
    )* } };
}
pointers!(Arc Rc);

macro_rules! arrays_behind {
    ($($pointer:ident)*) => { earlier! { $(
        [T: 'static, const N: usize] OfSlices, $pointer<[T; N]> => [
            $pointer<[T; N]>, &'static $pointer<[T; N]>, &'static mut $pointer<[T; N]>, [T; N], No
        ];
        ['a, T: 'static, const N: usize] OfSlices, &'a $pointer<[T; N]> => [
            &'a $pointer<[T; N]>, &'a &'a $pointer<[T; N]>, &'a mut &'a $pointer<[T; N]>, $pointer<[T; N]>, [T; N]
        ];
        ['a, T: 'static, const N: usize] OfSlices, &'a mut $pointer<[T; N]> => [
            &'a mut $pointer<[T; N]>, &'a &'a mut $pointer<[T; N]>, &'a mut &'a mut $pointer<[T; N]>, $pointer<[T; N]>, [T; N]
        ];
    )* } };
}
arrays_behind!(Arc Rc Box);

/// What comes before the slice in which both kinds of methods are.
macro_rules! whole {
    ($($kind:ident)*) => { earlier! { $(
        [T: 'static] $kind, Vec<T> => [Vec<T>, &'static Vec<T>, &'static mut Vec<T>, No, No];
        ['a, T: 'static] $kind, &'a Vec<T> => [&'a Vec<T>, &'a &'a Vec<T>, &'a mut &'a Vec<T>, Vec<T>, &'a mut Vec<T>];
        ['a, T: 'static] $kind, &'a mut Vec<T> => [
            &'a mut Vec<T>, &'a &'a mut Vec<T>, &'a mut &'a mut Vec<T>, Vec<T>, &'a Vec<T>
        ];
        [T: 'static] $kind, Box<[T]> => [Box<[T]>, &'static Box<[T]>, &'static mut Box<[T]>, No, No];
        ['a, T: 'static] $kind, &'a Box<[T]> => [
            &'a Box<[T]>, &'a &'a Box<[T]>, &'a mut &'a Box<[T]>, Box<[T]>, &'a mut Box<[T]>
        ];
        ['a, T: 'static] $kind, &'a mut Box<[T]> => [
            &'a mut Box<[T]>, &'a &'a mut Box<[T]>, &'a mut &'a mut Box<[T]>, Box<[T]>, &'a Box<[T]>
        ];
        [T: 'static, const N: usize] $kind, [T; N] => [[T; N], &'static [T; N], &'static mut [T; N], No, No];
        ['a, T: 'static, const N: usize] $kind, &'a [T; N] => [
            &'a [T; N], &'a &'a [T; N], &'a mut &'a [T; N], [T; N], &'a mut [T; N]
        ];
        ['a, T: 'static, const N: usize] $kind, &'a mut [T; N] => [
            &'a mut [T; N], &'a &'a mut [T; N], &'a mut &'a mut [T; N], [T; N], &'a [T; N]
        ];
        [T] $kind, [T] => [No, No, No, No, No];
        ['a, T] $kind, &'a [T] => [No, No, No, No, No];
        ['a, R: ?Sized] $kind, &'a &'a R => [&'a &'a R, &'a &'a &'a R, &'a mut &'a &'a R, No, No];
    )* } };
}
whole!(LookingAtSlices ChangingSlices);

earlier! {
    ['a, T] LookingAtSlices, &'a mut [T] => [&'a mut [T], &'a &'a mut [T], &'a mut &'a mut [T], No, No];
    ['a, T] ChangingSlices, &'a mut [T] => [No, No, No, No, No];
}

impl<R: ?Sized> Receiver<R> {
    /// A receiver that is yet to be seen.
    #[inline(always)]
    #[must_use]
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        Self(PhantomData)
    }

    /// Describes its type.
    #[inline(always)]
    pub fn see(&self, _: &R) {}

    /// Describes the type of a value.
    #[inline(always)]
    pub fn pass(&self, value: R) -> R
    where
        R: Sized,
    {
        value
    }

    /// A value of its type.
    pub fn value(&self) -> R
    where
        R: Sized,
    {
        never()
    }

    /// The stand-in for the receiver where the copy calls the host's own method.
    pub fn place<'a>(&self) -> &'a mut R {
        never()
    }

    /// Stands for a subscript in the copy, which never runs.
    pub fn index(&self) -> usize {
        0
    }
}

/// Stands for a receiver of the host's own, of no device type, which is an error already: it has every method.
#[derive(Debug)]
pub struct OfHost(());

/// What hidden methods are looked for on.
pub trait MayHaveMethods {}

/// The same for hidden methods that have the names of built-in ones.
pub trait MayHaveNumbersMethods {}

impl<T: Device> MayHaveNumbersMethods for T {}
impl<E: Device> MayHaveNumbersMethods for Result<(), E> {}
impl<T: Device> MayHaveNumbersMethods for Result<T, ()> {}
impl MayHaveNumbersMethods for Result<(), ()> {}
impl MayHaveNumbersMethods for OfHost {}

impl<T: Device> MayHaveMethods for T {}
impl<T: Device> MayHaveMethods for [T] {}
impl MayHaveMethods for OfHost {}
impl<N> DeclaredMethod<N> for OfHost {}

/// A captured array as the receiver of a method: `(&&Contained(&place)).omp_contained()`. Its capture shows whether it is a container of std
/// ([`Arr`](crate::typing::slot::Arr)). If it is none, nothing more is said of it.
pub struct Contained<'a, C: ?Sized>(pub &'a C);

impl<C: ?Sized> fmt::Debug for Contained<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Contained")
    }
}

/// A container.
pub trait Contained1<'a> {
    /// What it is.
    type Own: ?Sized;
    /// The container.
    fn omp_contained(&self) -> &'a Self::Own;
}

/// Anything else.
pub trait Contained0 {
    /// A type of which no method is looked for.
    fn omp_contained(&self) -> &OfHost {
        never()
    }
}

impl<'a, C: ?Sized + Mapped> Contained1<'a> for &Contained<'a, C> {
    type Own = C;
    fn omp_contained(&self) -> &'a C {
        never()
    }
}

impl<C: ?Sized> Contained0 for Contained<'_, C> {}

earlier! {
    [] OfSlices, OfHost => [No, No, No, No, No];
    [] SwapOfSlices, OfHost => [No, No, No, No, No];
}

macro_rules! places {
    ($($name:ident [$($g:tt)*] $receiver:ty => $of:ty;)*) => { $(
        /// The stand-in for a captured receiver in the copy: `(*(&&&&receiver).omp_place())`.
        pub trait $name<T> {
            /// Its place.
            fn omp_place<'a>(&self) -> &'a mut T {
                never()
            }
        }

        impl<$($g)*> $name<$of> for $receiver {}
    )* };
}
places! {
    Place3 [T: Device] &&&Receiver<T> => T;
    Place2 ['r, T: Device] &&Receiver<&'r T> => &'r T;
    Place1 ['r, T: Device] &Receiver<&'r mut T> => T;
    Place0 [T] Receiver<T> => OfHost;
}

macro_rules! peels {
    ($($name:ident [$($g:tt)*] $receiver:ty => $of:ty;)*) => { $(
        /// The stand-in for the receiver where the copy calls the hidden method, which takes `&self` for `&mut self`: `(*(&receiver).omp_peel())`.
        pub trait $name<T: ?Sized> {
            /// Its place.
            fn omp_peel<'a>(&self) -> &'a mut T {
                never()
            }

            /// The same, of no type if the host finds no method, so that this is said once.
            fn omp_peel_if<'a, A>(&self, _: &Receiver<A>) -> <A as Then<&'a mut T>>::Type
            where
                T: 'a,
            {
                never()
            }
        }

        impl<$($g)*> $name<$of> for $receiver {}
    )* };
}
peels! {
    Peel1 ['r, T: ?Sized] &Receiver<&'r mut T> => T;
    Peel0 [T: ?Sized] Receiver<T> => T;
}

/// A type `T` that is none if this one is none because of an error.
pub trait Then<T: ?Sized> {
    /// `T`.
    type Type: ?Sized;
}

impl<T: ?Sized, A> Then<T> for A {
    type Type = T;
}

/// The callee of a method, and what the host's own gives: `(&&&&&&MethodW(&call, &result)).omp_method(cx)`.
pub struct MethodW<'a, C, A>(pub &'a C, pub &'a Receiver<A>);

impl<C, A> fmt::Debug for MethodW<'_, C, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MethodW")
    }
}

/// One of a number with the name of its own method, but with other arguments: these are an error already.
pub trait AskMethod5 {
    /// Describes nothing.
    fn omp_method(&self, cx: &mut Describe);
}

/// A device method.
pub trait AskMethod4 {
    /// Describes the callee.
    fn omp_method(&self, cx: &mut Describe);
}

/// One of a type that is known here. What [`AskMethod2`] accepts would be `Ord`'s only by its name.
pub trait AskMethod3<N, T, A> {
    /// Describes nothing.
    fn omp_method(&self, cx: &mut Describe)
    where
        A: Then<T, Type: DeclaredMethod<N>>;
}

/// One of `Ord` or `PartialOrd`, of a type parameter: the launch looks at the type itself.
pub trait AskMethod2<N> {
    /// Describes the comparison.
    fn omp_method(&self, cx: &mut Describe);
}

/// An undeclared one, which is an error if the host has it.
pub trait AskMethod1<N, T: ?Sized, A> {
    /// Describes nothing.
    fn omp_method(&self, cx: &mut Describe)
    where
        A: Then<T, Type: DeclaredMethod<N>>;
}

/// One of the host's own types, which are an error already.
pub trait AskMethod0 {
    /// Describes nothing.
    fn omp_method(&self, cx: &mut Describe);
}

impl<M, T, F, K, A, const FLOAT: bool, const SIGNED: bool, const UNSIGNED: bool> AskMethod5
    for &&&&&MethodW<'_, Call<Undeclared<AlsoOfNumbers<M, FLOAT, SIGNED, UNSIGNED>, T>, F, K>, A>
where
    T: HasOfOtherArguments<FLOAT, SIGNED, UNSIGNED>,
{
    fn omp_method(&self, cx: &mut Describe) {
        cx.fault(|| "a method that is not declared".to_owned());
    }
}

impl<M: DeviceFn, F, K, A> AskMethod4 for &&&&MethodW<'_, Call<M, F, K>, A> {
    fn omp_method(&self, cx: &mut Describe) {
        cx.call(self.0);
    }
}

impl<N, T: NoDeref, F, K, A> AskMethod3<N, T, A> for &&&MethodW<'_, Call<Undeclared<N, T>, F, K>, A> {
    fn omp_method(&self, cx: &mut Describe)
    where
        A: Then<T, Type: DeclaredMethod<N>>,
    {
        cx.fault(|| "a method that is not declared".to_owned());
    }
}

impl<N: OrderOf<T>, T: Device, F, K, A> AskMethod2<N> for &&MethodW<'_, Call<Undeclared<N, T>, F, K>, A> {
    fn omp_method(&self, cx: &mut Describe) {
        T::asked(N::HOW, cx);
        cx.operator_behind(Callee::Builtin);
    }
}

impl<N, T: ?Sized, F, K, A> AskMethod1<N, T, A> for &MethodW<'_, Call<Undeclared<N, T>, F, K>, A> {
    fn omp_method(&self, cx: &mut Describe)
    where
        A: Then<T, Type: DeclaredMethod<N>>,
    {
        cx.fault(|| "a method that is not declared".to_owned());
    }
}

impl<C, A> AskMethod0 for MethodW<'_, C, A> {
    fn omp_method(&self, cx: &mut Describe) {
        cx.fault(|| "a method that is not declared".to_owned());
    }
}

macro_rules! values {
    ($($name:ident $ty:ident $of:ident;)*) => {
        $(
            /// The same, for a kind of methods.
            pub fn $of<K, R: ?Sized>(_: &Receiver<R>) -> <Receiver<R> as Earlier<K>>::$ty
            where
                Receiver<R>: Earlier<K>,
            {
                never()
            }
        )*
        impl<R: ?Sized> Receiver<R> { $(
            /// A value of one of the types that rustc looked at before it came to the callee.
            pub fn $name<M, F, K>(&self, _: &Call<M, F, K>) -> <Self as Earlier<K>>::$ty
            where
                Self: Earlier<K>,
            {
                never()
            }
        )* }
    };
}
values! { a A a_of; b B b_of; c C c_of; d D d_of; e E e_of; }

/// A value of any type.
pub fn never<T>() -> T {
    unreachable!("the typing copy is not run")
}

/// What a future gives, where nothing can wait for it: a loop with `await` is refused.
pub fn awaited<F: IntoFuture>(_: F) -> F::Output {
    unreachable!("a loop that is refused is not run")
}

/// The result of the method that was found: `(&&Gives(value.method())).omp_found()` compiles only if it is the method that every
/// type has, whose result is of any type.
#[derive(Debug)]
pub struct Gives<T>(pub T);

/// The method that every type has.
pub trait Found1 {
    /// Requires nothing.
    fn omp_found(&self);
}

/// Another one.
pub trait Found0<T> {
    /// Requires a trait that no type implements.
    fn omp_found(&self)
    where
        T: Found;
}

impl Found1 for &Gives<NotHidden> {
    fn omp_found(&self) {}
}

impl<T> Found0<T> for Gives<T> {
    fn omp_found(&self)
    where
        T: Found,
    {
    }
}

macro_rules! debug {
    ($($name:ident)*) => { $(
        impl<T: ?Sized> fmt::Debug for $name<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($name))
            }
        }
    )* };
}
debug!(ByVal ByRef ByMut Receiver);

shows_name!([A, B] ByOperator<A, B>, "ByOperator");
