//! How the callee of a call is found: rustc resolves the name, a companion type describes the function.
//!
//! | call | found by |
//! |---|---|
//! | `f(x)`, `m::f(x)` | the companion struct `f`, imported with the function as `DeviceFunction0`; where there is none, a fallback of that name whose `bind` demands [`DeclaredTarget`] |
//! | methods of primitives, `Option`s, slices | the mangled traits in [`methods`] |
//!
//! | methods of user types | their hidden methods; [`probe`] checks that the host finds the user's at the same place |
//!
//! A companion could be another function's than the one that rustc calls (a local `mix` next to
//! `use geometry::*`). So `bind` catches the type of the called function item as well, and [`Describe`] compares
//! it with [`DeviceFn::genuine`].
pub mod arguments;
pub mod convert;
pub mod default;
pub(crate) mod made;
pub mod methods;
#[cfg(feature = "num-traits")]
pub mod num;
pub mod probe;

use super::describe::Describe;
use omp_ir::kernel::Callee;
use std::any::TypeId;
use std::marker::PhantomData;

/// The companion of a device function. `#[omp::declare_target]` implements it.
///
/// # Safety
/// `describe` describes the template of the very function whose item `genuine` names, with the answers of its typing copy; what `found` gives does
/// the same. Proofs about the host's loop go by the template.
pub unsafe trait DeviceFn {
    /// A built-in: known by name, without a template.
    const BUILTIN: bool = false;

    /// It may stand for a hidden method, whose function item does not show which type's method it is.
    const METHOD: bool = false;

    /// The type of the function item itself.
    fn genuine() -> TypeId;

    /// Describes the template and its answers.
    fn describe(cx: &mut Describe);

    /// The callee, where only the types' values determine which it is.
    fn found(_: &mut Describe) -> Option<Callee> {
        None
    }
}

/// Catches the callee `M` of a call, the type `F` of the function item where it has a path, and at which type of `self` a
/// method was found, `K` ([`probe`]).
#[allow(clippy::type_complexity)]
pub struct Call<M, F = (), K = ()>(PhantomData<fn() -> (M, F, K)>);

/// What a local of the typing copy catches.
#[inline(always)]
#[must_use]
pub const fn call<'a, M, F, K>(_: *const [Call<M, F, K>; 0]) -> &'a Call<M, F, K> {
    &Call(PhantomData)
}

impl<M, F, K> Call<M, F, K> {
    /// A call whose callee is yet to be seen.
    #[inline(always)]
    #[must_use]
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        Self(PhantomData)
    }

    /// The callee of the hidden method, where the user's has a path.
    #[must_use]
    pub fn by_path(&self) -> &Call<M, (), K> {
        probe::never()
    }

    /// The function item that the user's path names.
    #[inline(always)]
    pub fn item(&self, _: &F) {}
}

shows_name!([M, F, K] Call<M, F, K>, "Call");

/// A device method that does not write its receiver.
///
/// # Safety
/// The method does not write its receiver.
#[diagnostic::on_unimplemented(
    message = "this device method takes `&mut self`: it may write its receiver [omp::E0713]",
    label = "may write what it is called on",
    note = "help: say so where it is called: `(&mut x[i]).method()`, `(&mut q).method()`"
)]
pub unsafe trait Reads {}

impl<M: Reads, F, K> Call<M, F, K> {
    /// A call that does not change its receiver.
    #[inline(always)]
    #[must_use]
    pub fn reads(&self) -> &Self {
        self
    }
}

// SAFETY: it takes its receiver by `&` or by value.
unsafe impl Reads for Builtin {}

// SAFETY: it takes its receiver by `&` or by value.
unsafe impl Reads for NotDeclared {}

/// The callee of every built-in method.
#[derive(Debug)]
pub enum Builtin {}

// SAFETY: no template, or that of the function.
unsafe impl DeviceFn for Builtin {
    const BUILTIN: bool = true;
    const METHOD: bool = true;

    fn genuine() -> TypeId {
        TypeId::of::<()>()
    }

    fn describe(_: &mut Describe) {}
}

/// Implemented by nothing: the bound of the fallback that stands in for a companion which does not exist.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no device function: it lacks `#[omp::declare_target]` [omp::E0709]",
    label = "called in a device region",
    note = "help: put `#[omp::declare_target]` on the function",
    note = "on a device only device functions and the listed numeric methods can be called"
)]
pub trait DeclaredTarget<R> {}

/// The same for a function with the name of one of `std::mem`'s.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no device function: it lacks `#[omp::declare_target]` [omp::E0709]",
    label = "called in a device region",
    note = "help: put `#[omp::declare_target]` on the function; if it is that of `std::mem`, write its module: `std::mem::swap(&mut a, &mut b)`, or `mem::swap(&mut a, &mut b)` after `use std::mem;`",
    note = "by its name alone, it could be any function"
)]
pub trait DeclaredTargetOrOfMem<R> {}

#[diagnostic::do_not_recommend]
impl<F> DeclaredTargetOrOfMem<Never> for F {}

#[diagnostic::do_not_recommend]
impl<F> DeclaredTargetOrOfMem<NotDeclared> for F {}

#[diagnostic::do_not_recommend]
impl<F> DeclaredTarget<Never> for F {}

// A second `impl`: with a single one, rustc would infer the result.
#[diagnostic::do_not_recommend]
impl<F> DeclaredTarget<NotDeclared> for F {}

/// The type `!`, which stable Rust has only as what functions return: so this stands for a function that the host does not
/// have either, which is an error of its own.
type Never = <fn() -> ! as Returns>::Result;

#[doc(hidden)]
pub trait Returns {
    type Result;
}

impl<R> Returns for fn() -> R {
    type Result = R;
}

/// A method by its name, as the type that is called so: attributes with messages can't be generated where the user's
/// module has no prelude, so [`DeclaredMethod`] takes the name from here.
pub trait MethodName {
    /// The type of the method's name.
    type Name;
}

/// Implemented by nothing: the bound of the fallback that stands in for a hidden method which does not exist. `M` has the
/// method's name. (The message does not: rustc writes it with a path where two functions of a crate call the method.)
#[diagnostic::on_unimplemented(
    message = "this method of `{Self}` is no device function: it lacks `#[omp::declare_target]` [omp::E0709]",
    label = "called in a device region",
    note = "help: put `#[omp::declare_target]` on the `impl` of the method (and on the trait, if it is one of yours); of std's methods a device has the numeric ones, and those of arrays on a slice, `a[i][..].reverse()`"
)]
pub trait DeclaredMethod<M> {}

/// The name `M` of a method that these numbers have with other arguments.
#[derive(Debug)]
pub struct AlsoOfNumbers<M, const FLOAT: bool, const SIGNED: bool, const UNSIGNED: bool>(
    PhantomData<fn() -> M>,
);

/// Numbers whose own method has that name.
pub trait HasOfOtherArguments<const FLOAT: bool, const SIGNED: bool, const UNSIGNED: bool> {}

macro_rules! of_other_arguments {
    ($($ty:ident)* : [$g:ident $h:ident] $float:tt $signed:tt $unsigned:tt) => { $(
        impl<const $g: bool, const $h: bool> HasOfOtherArguments<$float, $signed, $unsigned> for $ty {}
    )* };
}
of_other_arguments!(f32 f64: [S U] true S U);
of_other_arguments!(i8 i16 i32 i64 i128 isize: [F U] F true U);
of_other_arguments!(u8 u16 u32 u64 u128 usize: [F S] F S true);

/// The stand-in for an undeclared method: `M` has its name, `T` is the type that it is called on.
#[derive(Debug)]
#[allow(clippy::type_complexity)]
pub struct Undeclared<M, T: ?Sized>(PhantomData<fn() -> (M, Box<T>)>);

// SAFETY: no template, or that of the function.
unsafe impl<M: 'static, T: DeclaredMethod<M> + ?Sized + 'static> DeviceFn for Undeclared<M, T> {
    fn genuine() -> TypeId {
        TypeId::of::<()>()
    }

    fn describe(_: &mut Describe) {}
}

// That it is not declared is enough to say.
#[diagnostic::do_not_recommend]
// SAFETY: it takes its receiver by `&` or by value.
unsafe impl<M, T: ?Sized> Reads for Undeclared<M, T> {}

/// The callee that fallbacks bind.
#[derive(Debug)]
pub enum NotDeclared {}

// SAFETY: no template, or that of the function.
unsafe impl DeviceFn for NotDeclared {
    fn genuine() -> TypeId {
        TypeId::of::<Self>()
    }

    fn describe(cx: &mut Describe) {
        cx.fault(|| "a function that is not declared".to_owned());
    }
}

/// Whether two function items are one: the method that a trait's `impl` declares, and the one that its name finds.
#[diagnostic::on_unimplemented(
    message = "a method of this name hides the trait's: a call by name runs the other one [omp::E0801]",
    label = "hidden by another method of the type",
    note = "help: rename one of them: for a device, the call would be ambiguous"
)]
pub trait SameMethod {}

impl<F> SameMethod for (F, F) {}

/// Two function items that should be one.
pub struct Methods<A, B>(PhantomData<fn() -> (A, B)>);

impl<A> Methods<A, ()> {
    /// The one that a trait's `impl` declares.
    #[inline(always)]
    #[must_use]
    pub fn of_trait(_: A) -> Self {
        Self(PhantomData)
    }

    /// The one that its name finds.
    #[inline(always)]
    #[must_use]
    pub fn by_name<B>(self, _: B) -> Methods<A, B> {
        Methods(PhantomData)
    }
}

impl<A, B> Methods<A, B> {
    /// Compiles only for a function item with itself.
    #[inline(always)]
    pub fn same(self)
    where
        (A, B): SameMethod,
    {
    }
}

shows_name!([A, B] Methods<A, B>, "Methods");

/// What an `impl` finds in the place of the macro of a trait's name, if the trait lacks the attribute: the error, and what calls of its methods
/// find then.
#[doc(hidden)]
#[macro_export]
macro_rules! undeclared_trait {
    (beside [$ty:ty] $($stubs:tt)*) => { $($stubs)* };
    (beside $number:ident [$ty:ty] $($stubs:tt)*) => { $($stubs)* };
    (beside $($stubs:tt)*) => { $($stubs)* };
    ([$($question:tt)*] [$without:ident $($undeclared:tt)*] $($described:tt)*) => { $($undeclared)* };
}
pub use undeclared_trait;

/// The same for a trait of a name that has no such macro.
#[doc(hidden)]
#[macro_export]
macro_rules! trait_without_macro {
    (beside $($stubs:tt)*) => {};
    ([$cx:ident $method:ident $($question:tt)*] [$without:ident $($undeclared:tt)*] $body:block $($generic:item)*) => {
        #[doc(hidden)]
        fn $without(
            $cx: &mut $crate::__private::Describe,
            $method: &$crate::__private::core::primitive::str,
        ) -> $crate::__private::core::option::Option<$crate::__private::core::primitive::bool>
        where
            Self: $crate::__private::core::marker::Sized,
        $body
        $($generic)*
    };
}
pub use trait_without_macro;

/// Passes the hidden members of an `impl` to the macro of the trait's name as fragments. A macro can't see into these.
#[doc(hidden)]
#[macro_export]
macro_rules! opaque {
    ($of:ident $question:tt $undeclared:tt $body:block $($generic:item)*) => {
        $of! { $question $undeclared $body $($generic)* }
    };
}
pub use opaque;

/// The type of a function item, whose lifetimes are left out of account.
#[must_use]
pub fn id_of<F>(_: &F) -> TypeId {
    type_id::<F>()
}

/// The id of a type whose lifetimes are left out of account.
pub(super) fn type_id<T>() -> TypeId {
    crate::launch::site::type_id::<T>()
}
