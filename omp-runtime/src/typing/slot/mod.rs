//! Slots, which catch inferred types: `Slot` for one expression, `Arr` for the elements of a mapped container.
//!
//! A slot is declared without a type. In the typing copy it *sees* the user's expression, which fixes the type. The bound
//! `T: Device` is on `see`, where the span is the user's. Reading a slot ([`W`]) works for every type, so that a missing
//! bound gives one error: autoref specialisation in `(&&&W(&slot)).omp_desc()` finds the most specific of [`Tell2`] (a
//! device value), [`Tell1`] (a reference to one, a slice), [`Tell0`] (anything).
pub mod either;

use super::device::{Device, Konst, Value};
use omp_ir::desc::TypeDesc;
use std::marker::PhantomData;

/// What iterations may have a copy of: [`Value`]s.
#[diagnostic::on_unimplemented(
    message = "this clause gives each iteration a copy of the variable, and a `{Self}` can't be copied to a device [omp::E0711]",
    label = "a `{Self}` is no value of a device type",
    note = "`private`, `firstprivate` and `lastprivate` take numbers, `bool`, `char`, fixed arrays and tuples of them, and structs and enums with `#[derive(Clone, Copy, omp::Device)]`",
    note = "help: take an array out of the clause if each iteration has elements of its own in it; declare a fixed array inside the loop (`let mut v = [0; 4];`) for one that iterations work with"
)]
pub trait OwnValue {}

#[diagnostic::do_not_recommend]
impl<T: Value> OwnValue for T {}

/// Slots of what iterations may have copies of fields of: a type of values that no other code reads. A reference, a guard and a box are not
/// `Copy`, and neither is what runs code of its own where it ends.
#[diagnostic::on_unimplemented(
    message = "this field is private to the iterations, but others may read it in its `{T}` (behind a reference, or where it is dropped): without the directive it would have the last iteration's value there [omp::E0406]",
    label = "a `{T}` is not `Copy`",
    note = "help: copy the field to a variable before the loop (`let mut t = p.t;`) and name that, or write `lastprivate` if the last iteration's value is meant"
)]
pub trait OwnFields<T> {}

#[diagnostic::do_not_recommend]
impl<T: Copy> OwnFields<T> for Slot<T> {}

/// Catches the type of an expression. Zero-sized; holds no value.
pub struct Slot<T>(PhantomData<fn() -> T>);

/// What a local of the typing copy catches. (It is declared as `let __s0 = &raw const *&[];`: see `lower/caught.rs` of the macros.)
#[inline(always)]
#[must_use]
pub const fn slot<'a, T>(_: *const [Slot<T>; 0]) -> &'a Slot<T> {
    &Slot(PhantomData)
}

/// The same of an array.
#[inline(always)]
#[must_use]
pub const fn array<'a, T>(_: *const [Arr<T>; 0]) -> &'a Arr<T> {
    &Arr(PhantomData)
}

/// The same local for several threads.
#[inline(always)]
#[must_use]
pub const fn shared<'a, C>(_: *const [C; 0]) -> &'a [C; 0] {
    &[]
}

/// A local's type, for a closure that owns what it uses.
#[inline(always)]
#[must_use]
pub const fn moved_in<C>(_: *const [C; 0]) -> [C; 0] {
    []
}

impl<T> Slot<T> {
    /// A slot whose type is yet to be seen.
    #[inline(always)]
    #[must_use]
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        Self(PhantomData)
    }

    /// A variable of a type that kernels know.
    #[inline(always)]
    pub fn see(&self, _: &T)
    where
        T: Value,
    {
    }

    /// A const or static.
    #[inline(always)]
    pub fn see_konst<C: Konst<Held = T>>(&self, _: &C) {}

    /// A variable that iterations have a copy of.
    #[inline(always)]
    pub fn see_own(&self, _: &T)
    where
        T: OwnValue,
    {
    }

    /// A value of its type.
    #[inline(always)]
    pub fn made(&self, value: impl FnOnce() -> T) -> T {
        value()
    }

    /// Of the type of a variable.
    #[inline(always)]
    pub fn of(_: &T) -> Self {
        Self(PhantomData)
    }

    /// Of the type of a variable of which iterations have copies of a field.
    #[inline(always)]
    pub fn owns_fields(&self)
    where
        Self: OwnFields<T>,
    {
    }

    /// A variable of any type: a reference, or one that is judged elsewhere.
    #[inline(always)]
    pub fn see_any(&self, _: &T) {}

    /// A literal.
    #[inline(always)]
    pub fn lit(&self, value: T) -> T
    where
        T: Value,
    {
        value
    }

    /// A literal whose type is inferred from its context.
    #[inline(always)]
    #[must_use]
    pub fn any(&self) -> T
    where
        T: Value,
    {
        unreachable!()
    }

    /// An expression of a type that kernels know.
    #[inline(always)]
    pub fn ty(&self, value: T) -> T
    where
        T: Value,
    {
        value
    }

    /// An expression of any type.
    #[inline(always)]
    pub fn pass(&self, value: T) -> T {
        value
    }

    /// The items that `container` holds, without looking at one.
    #[inline(always)]
    pub fn see_elem<C: ?Sized + Mapped<Elem = T>>(&self, _: &C) {}
}

shows_name!([T] Slot<T>, "Slot");

/// Reads a slot or an array: `(&&&W(&slot)).omp_desc()`.
pub struct W<'a, S>(pub &'a S);

shows_name!([S] W<'_, S>, "W");

/// The most specific answer: a device value.
pub trait Tell2 {
    /// The type's description.
    fn omp_desc(&self) -> Option<&'static TypeDesc>;
}

/// The second: a reference to a device value, or to a slice of them (its element then).
pub trait Tell1 {
    /// The description of what is referred to.
    fn omp_desc(&self) -> Option<&'static TypeDesc>;
}

/// The last: any type.
pub trait Tell0 {
    /// Nothing is known.
    fn omp_desc(&self) -> Option<&'static TypeDesc>;
}

impl<T: Value> Tell2 for &&W<'_, Slot<T>> {
    #[inline(always)]
    fn omp_desc(&self) -> Option<&'static TypeDesc> {
        Some(T::DESC)
    }
}

impl<T: Value> Tell2 for &&W<'_, Arr<T>> {
    #[inline(always)]
    fn omp_desc(&self) -> Option<&'static TypeDesc> {
        Some(T::DESC)
    }
}

macro_rules! describe_through {
    ($($caught:ty),+) => { $(
        impl<T: Value> Tell1 for &W<'_, Slot<$caught>> {
            #[inline(always)]
            fn omp_desc(&self) -> Option<&'static TypeDesc> {
                Some(T::DESC)
            }
        }
    )+ };
}
describe_through!(&T, &mut T, &[T], &mut [T]);

impl<S> Tell0 for W<'_, S> {
    #[inline(always)]
    fn omp_desc(&self) -> Option<&'static TypeDesc> {
        None
    }
}

/// Has a slot see the type of a value: of a device value.
pub trait SeeValue2<T> {
    /// Ties the types.
    fn omp_see_value(&self, slot: &Slot<T>);
}

/// Of a reference to one.
pub trait SeeValue1<T> {
    /// Ties the types.
    fn omp_see_value(&self, slot: &Slot<T>);
}

/// Of any type: its errors are reported elsewhere.
pub trait SeeValue0 {
    /// Ties nothing.
    fn omp_see_value<T>(&self, slot: &Slot<T>);
}

impl<T: Value> SeeValue2<T> for &&W<'_, T> {
    #[inline(always)]
    fn omp_see_value(&self, _: &Slot<T>) {}
}

macro_rules! see_through {
    ($($reference:ty),+) => { $(
        impl<T: Value> SeeValue1<T> for &W<'_, $reference> {
            #[inline(always)]
            fn omp_see_value(&self, _: &Slot<T>) {}
        }
    )+ };
}
see_through!(&T, &mut T, &&T);

impl<S> SeeValue0 for W<'_, S> {
    #[inline(always)]
    fn omp_see_value<T>(&self, _: &Slot<T>) {}
}

/// The containers that can be mapped, each with its element type.
///
/// # Safety
/// The type is exactly one of the standard containers below (or a reference to one): indexing it means what a
/// directive takes it to mean, and borrowing all of it as a slice runs no user code.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be mapped to a device: it is no array of `omp::Device` values [omp::E0711]",
    label = "not a mapped container",
    note = "help: copy the values to an array first; mapped containers are `&[T]`, `&mut [T]`, `Vec<T>`, `Box<[T]>` and `[T; N]` where `T: omp::Device`"
)]
pub unsafe trait Mapped {
    /// What it holds.
    type Elem: Device;
}

// SAFETY: a listed container.
unsafe impl<T: Device> Mapped for [T] {
    type Elem = T;
}

// SAFETY: a listed container.
unsafe impl<T: Device> Mapped for Vec<T> {
    type Elem = T;
}

// SAFETY: a listed container.
unsafe impl<T: Device> Mapped for Box<[T]> {
    type Elem = T;
}

// SAFETY: a listed container.
unsafe impl<T: Device, const N: usize> Mapped for [T; N] {
    type Elem = T;
}

// SAFETY: a listed container.
unsafe impl<T: Device, const N: usize> Mapped for Box<[T; N]> {
    type Elem = T;
}

// SAFETY: std's pointer to a listed container: its `deref` is the same place each time.
unsafe impl<M: Mapped + ?Sized> Mapped for std::sync::Arc<M> {
    type Elem = M::Elem;
}

// SAFETY: as for `Arc`.
unsafe impl<M: Mapped + ?Sized> Mapped for std::rc::Rc<M> {
    type Elem = M::Elem;
}

// SAFETY: as for `Arc`; what is borrowed or owned is a listed container.
unsafe impl<M: Mapped + ToOwned + ?Sized> Mapped for std::borrow::Cow<'_, M> {
    type Elem = M::Elem;
}

// SAFETY: a reference to a listed container.
unsafe impl<M: Mapped + ?Sized> Mapped for &M {
    type Elem = M::Elem;
}

// SAFETY: a reference to a listed container.
unsafe impl<M: Mapped + ?Sized> Mapped for &mut M {
    type Elem = M::Elem;
}

/// Types with a subscript: mapped containers, and numbers, whose subscripts rustc refuses with an error of its own.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be mapped to a device: it is no array of `omp::Device` values [omp::E0711]",
    label = "not a mapped container",
    note = "help: copy the values to an array first; mapped containers are `&[T]`, `&mut [T]`, `Vec<T>`, `Box<[T]>` and `[T; N]` where `T: omp::Device`"
)]
pub trait Indexed {
    /// What it holds.
    type Elem;
}

#[diagnostic::do_not_recommend]
impl<C: Mapped + ?Sized> Indexed for C {
    type Elem = C::Elem;
}

macro_rules! numbers {
    ($($number:ty)*) => { $(
        #[diagnostic::do_not_recommend]
        impl Indexed for $number {
            type Elem = Self;
        }
    )* };
}
numbers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 bool char);

/// Mapped containers, seen as slices.
pub trait Slice: Mapped {
    /// All of it.
    fn slice(&self) -> &[Self::Elem];
}

impl<T: Device> Slice for [T] {
    fn slice(&self) -> &[T] {
        self
    }
}

impl<T: Device> Slice for Vec<T> {
    fn slice(&self) -> &[T] {
        self
    }
}

impl<T: Device> Slice for Box<[T]> {
    fn slice(&self) -> &[T] {
        self
    }
}

impl<T: Device, const N: usize> Slice for [T; N] {
    fn slice(&self) -> &[T] {
        self
    }
}

impl<T: Device, const N: usize> Slice for Box<[T; N]> {
    fn slice(&self) -> &[T] {
        &self[..]
    }
}

impl<M: Slice + ?Sized> Slice for std::sync::Arc<M> {
    fn slice(&self) -> &[Self::Elem] {
        (**self).slice()
    }
}

impl<M: Slice + ?Sized> Slice for std::rc::Rc<M> {
    fn slice(&self) -> &[Self::Elem] {
        (**self).slice()
    }
}

impl<M: Slice + ToOwned + ?Sized> Slice for std::borrow::Cow<'_, M> {
    fn slice(&self) -> &[Self::Elem] {
        (**self).slice()
    }
}

impl<M: Slice + ?Sized> Slice for &M {
    fn slice(&self) -> &[Self::Elem] {
        (**self).slice()
    }
}

impl<M: Slice + ?Sized> Slice for &mut M {
    fn slice(&self) -> &[Self::Elem] {
        (**self).slice()
    }
}

/// Containers with contiguous elements, of any type.
pub trait Contiguous {
    /// Their type.
    type Item;
    /// All of them.
    fn items(&self) -> &[Self::Item];
}

macro_rules! contiguous {
    ($([$($g:tt)*] $on:ty;)*) => { $(
        impl<$($g)*> Contiguous for $on {
            type Item = T;
            #[inline(always)]
            #[track_caller]
            fn items(&self) -> &[T] {
                &self[..]
            }
        }
    )* };
}
contiguous! {
    [T] [T];
    [T] Vec<T>;
    [T] Box<[T]>;
    [T, const N: usize] [T; N];
    [T, const N: usize] Box<[T; N]>;
    [T] crate::data::device_slice::DeviceSlice<T>;
    ['v, T] crate::data::device_slice::DeviceView<'v, T>;
    ['v, T] crate::data::device_slice::DeviceViewMut<'v, T>;
}

impl<C: Contiguous + ?Sized> Contiguous for std::sync::Arc<C> {
    type Item = C::Item;
    #[inline(always)]
    #[track_caller]
    fn items(&self) -> &[C::Item] {
        (**self).items()
    }
}

impl<C: Contiguous + ?Sized> Contiguous for std::rc::Rc<C> {
    type Item = C::Item;
    #[inline(always)]
    #[track_caller]
    fn items(&self) -> &[C::Item] {
        (**self).items()
    }
}

impl<C: Contiguous + ToOwned + ?Sized> Contiguous for std::borrow::Cow<'_, C> {
    type Item = C::Item;
    #[inline(always)]
    #[track_caller]
    fn items(&self) -> &[C::Item] {
        (**self).items()
    }
}

impl<C: Contiguous + ?Sized> Contiguous for &C {
    type Item = C::Item;
    #[inline(always)]
    #[track_caller]
    fn items(&self) -> &[C::Item] {
        (**self).items()
    }
}

impl<C: Contiguous + ?Sized> Contiguous for &mut C {
    type Item = C::Item;
    #[inline(always)]
    #[track_caller]
    fn items(&self) -> &[C::Item] {
        (**self).items()
    }
}

/// All elements of an array that is read: `(&&All(&place)).omp_all()`. It is total, so that a container that can't be
/// mapped is one error: that of the typing copy.
pub struct All<'a, C: ?Sized>(pub &'a C);

shows_name!([C: ?Sized] All<'_, C>, "All");

/// Of an array.
pub trait All1<'a> {
    /// Of the elements.
    type Item: 'a;
    /// The elements.
    fn omp_all(&self) -> &'a [Self::Item];
}

/// For types that are none.
pub trait All0<'a> {
    /// Never run: the typing copy does not compile.
    fn omp_all<T>(&self) -> &'a [T];
}

impl<'a, C: Contiguous + ?Sized> All1<'a> for &All<'a, C> {
    type Item = C::Item;
    #[inline(always)]
    #[track_caller]
    fn omp_all(&self) -> &'a [C::Item] {
        self.0.items()
    }
}

impl<'a, C: ?Sized> All0<'a> for All<'a, C> {
    fn omp_all<T>(&self) -> &'a [T] {
        unreachable!("such a container is refused")
    }
}

/// Pins a place of a data directive to the containers that can be mapped.
#[inline(always)]
pub fn pin<C: ?Sized + Mapped>(_: &C) {}

/// What a parallel loop iterates by its name alone, if the tokens don't show what it is.
#[diagnostic::on_unimplemented(
    message = "a parallel loop iterates a range, or an array by `iter`, and this is a `{Self}` [omp::E0301]",
    label = "iterated by its name",
    note = "help: write `.iter()` or `.iter_mut()` after it, or loop over its subscripts"
)]
pub trait ByReference {}

impl<C: ?Sized + Mapped> ByReference for &C {}

/// Requires a shared reference.
#[inline(always)]
pub fn iterated_by_name<C: ByReference>(_: &C) {}

/// Requires a `&mut`.
#[inline(always)]
pub fn changed_by_name<C: ?Sized + Mapped>(_: &&mut C) {}

/// Catches the element type of a mapped container, and pins the container to the standard types.
pub struct Arr<T>(PhantomData<fn() -> T>);

impl<T> Arr<T> {
    /// An array whose element type is yet to be seen.
    #[inline(always)]
    #[must_use]
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        Self(PhantomData)
    }

    /// The container, as the user names it.
    #[inline(always)]
    pub fn see<C: ?Sized + Mapped<Elem = T>>(&self, _: &C) {}

    /// A container of which the user's code has elements by their subscripts.
    #[inline(always)]
    pub fn see_indexed<C: ?Sized + Indexed<Elem = T>>(&self, _: &C) {}

    /// An array that the macros made, whose type is checked elsewhere.
    #[inline(always)]
    pub fn see_kept<const N: usize>(&self, _: &[T; N]) {}

    /// The stand-in for a written container in the copy.
    ///
    /// # Panics
    /// Always: the copy is never run.
    #[inline(always)]
    #[must_use]
    pub fn shadow<'a, C: ?Sized>(&self, _: &C) -> &'a mut [T] {
        unreachable!("the typing copy is never run")
    }

    /// The stand-in for a container that is an argument by its bare name: read only, or rustc would borrow a `&mut` anew
    /// for a function that writes, which is to be spelled.
    ///
    /// # Panics
    /// Always: the copy is never run.
    #[inline(always)]
    #[must_use]
    pub fn bare<C: Bare<R>, R>(&self, _: &C) -> R {
        unreachable!("the typing copy is never run")
    }
}

/// What a container is to a function that takes it by its bare name: a `&mut` is a `&`, others are as they are.
///
/// With a single `impl`, rustc would infer `R` before it looks at the parameter, and coerce the argument. A `&mut` has several `impl`s, so
/// `R` is the parameter's type. If that is a `&mut`, the message below is the only one.
#[diagnostic::on_unimplemented(
    message = "an array is only read where it is passed by its bare name, and this parameter is a `{R}` [omp::E0708]",
    label = "passed by its bare name",
    note = "help: say that the function writes it: `&mut x[..]`, or the part that this iteration writes: `&mut x[a..b]`"
)]
pub trait Bare<R> {}

/// A second type that `&mut` containers could have.
#[derive(Debug)]
pub enum NoParameter {}

#[diagnostic::do_not_recommend]
impl<C: ?Sized> Bare<NoParameter> for &mut C {}

// A vector would be moved: the host's call has that error, once.
#[diagnostic::do_not_recommend]
impl<T, R> Bare<R> for Vec<T> {}

macro_rules! bare {
    ($([$($g:tt)*] $on:ty => $as:ty;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$($g)*> Bare<$as> for $on {}
    )* };
}
bare! {
    ['a, C: ?Sized] &C => &'a C;
    ['a, C: ?Sized] &mut C => &'a C;
    ['a, C: ?Sized] &mut &C => &'a C;
    ['a, C: ?Sized] &mut &mut C => &'a C;
    ['a, T] &mut Vec<T> => &'a [T];
    ['a, T] &mut Box<[T]> => &'a [T];
    ['a, T, const N: usize] &mut [T; N] => &'a [T];
    ['a, T, const N: usize] &mut Box<[T; N]> => &'a [T; N];
    ['a, T, const N: usize] &mut Box<[T; N]> => &'a [T];
    [T, const N: usize] [T; N] => Self;
    [T] Box<[T]> => Self;
    [T, const N: usize] Box<[T; N]> => Self;
    [T: 'static] crate::data::device_slice::DeviceSlice<T> => Self;
    ['v, T] crate::data::device_slice::DeviceView<'v, T> => Self;
    ['v, T] crate::data::device_slice::DeviceViewMut<'v, T> => Self;
}

shows_name!([T] Arr<T>, "Arr");

#[cfg(test)]
mod tests {
    use super::*;
    use omp_ir::desc::Prim;

    macro_rules! described {
        ($slot:expr) => {
            (&&&W(&$slot)).omp_desc()
        };
    }

    #[test]
    fn the_most_specific_answer_is_found() {
        let (value, reference, slice, other) = (Slot::new(), Slot::new(), Slot::new(), Slot::new());
        let x = [1u8, 2];
        value.see(&1.5f32);
        reference.see_any(&&1.5f32);
        slice.see_any(&&x[..]);
        other.see_any(&String::new());
        assert_eq!(described!(value), Some(&TypeDesc::Prim(Prim::F32)));
        assert_eq!(described!(reference), described!(value));
        assert_eq!(described!(slice), Some(&TypeDesc::Prim(Prim::U8)));
        assert_eq!(described!(other), None);
    }

    #[test]
    fn literals_take_the_type_of_their_use() {
        let (a, b) = (Slot::new(), Slot::new());
        let k = a.lit(2);
        let _ = 3u16 * k;
        let _ = b.lit(7);
        assert_eq!(described!(a), Some(&TypeDesc::Prim(Prim::U16)));
        assert_eq!(described!(b), Some(&TypeDesc::Prim(Prim::I32)));
    }

    #[test]
    fn arrays_describe_their_elements() {
        let (a, b, c) = (Arr::new(), Arr::new(), Arr::new());
        a.see(&vec![1i64]);
        b.see(&&mut [[0u8; 2]; 3]);
        c.see(&Some(1u8).map(|v| vec![v].into_boxed_slice()).unwrap());
        assert_eq!(described!(a), Some(&TypeDesc::Prim(Prim::I64)));
        assert_eq!(described!(b), Some(&TypeDesc::Array { elem: &TypeDesc::Prim(Prim::U8), len: 2 }));
        assert_eq!(described!(c), Some(&TypeDesc::Prim(Prim::U8)));
    }

    fn generic<T: Device>(v: T) -> Option<&'static TypeDesc> {
        let s = Slot::new();
        s.see(&[v; 3]);
        described!(s)
    }

    #[test]
    fn instances_have_types_of_their_own() {
        assert_eq!(generic(1u8), Some(&TypeDesc::Array { elem: &TypeDesc::Prim(Prim::U8), len: 3 }));
        assert_eq!(generic(1i8), Some(&TypeDesc::Array { elem: &TypeDesc::Prim(Prim::I8), len: 3 }));
    }
}
