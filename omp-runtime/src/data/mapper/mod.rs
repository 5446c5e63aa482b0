//! The arrays that a data directive maps for an item: the item itself, or field by field the arrays of a struct with
//! `#[derive(omp::Mapper)]`.
//!
//! Generated code calls [`MapItem`] by its method's name on the place that the directive names, so that references are
//! seen through as for any other method. [`Mappable`] excludes a user's `Deref` in between.
#[cfg(feature = "ndarray")]
pub mod ndarray;

use super::HostArray;
use crate::typing::Device;
use std::collections::BTreeSet;
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

/// A struct that owns or borrows arrays. `#[derive(omp::Mapper)]` implements the trait.
///
/// `map(tofrom: m)` of such a struct maps each of its arrays, also those of structs in it. Its numbers are passed by value.
///
/// # Safety
/// [`MapItem`] of the type gives the fields that are containers, under their names, and runs no other code.
pub unsafe trait Mapper: MapItem {}

/// A type that a `map` of a data directive may name.
///
/// # Safety
/// The type is a standard container, a [`Mapper`], or a reference to one: what [`MapItem`] gives of it is found without code of
/// the user's.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be mapped to a device: it is no array of `omp::Device` values [omp::E0711]",
    label = "not a mapped container",
    note = "help: for a struct that owns arrays, write `#[derive(omp::Mapper)]` on it; mapped containers are `&[T]`, `&mut [T]`, `Vec<T>`, `Box<[T]>` and `[T; N]` where `T: omp::Device`"
)]
pub unsafe trait Mappable {}

// SAFETY: a standard container.
unsafe impl<T: Device> Mappable for [T] {}
// SAFETY: a standard container.
unsafe impl<T: Device> Mappable for Vec<T> {}
// SAFETY: a standard container.
unsafe impl<T: Device> Mappable for Box<[T]> {}
// SAFETY: a standard container.
unsafe impl<T: Device, const N: usize> Mappable for [T; N] {}
// SAFETY: a standard container.
unsafe impl<T: Device, const N: usize> Mappable for Box<[T; N]> {}
// SAFETY: std's pointer to what can be mapped: its `deref` is the same place each time.
unsafe impl<M: Mappable + ?Sized> Mappable for Arc<M> {}
// SAFETY: as for `Arc`.
unsafe impl<M: Mappable + ?Sized> Mappable for Rc<M> {}
// SAFETY: a reference to what can be mapped.
unsafe impl<M: Mappable + ?Sized> Mappable for &M {}
// SAFETY: a reference to what can be mapped.
unsafe impl<M: Mappable + ?Sized> Mappable for &mut M {}

/// Pins an item of a data directive to what can be mapped.
#[inline(always)]
pub fn pin_item<M: ?Sized + Mappable>(_: &M) {}

/// The name of an item, or of a field of one.
#[derive(Debug, Clone, Copy)]
pub struct Name<'a> {
    owner: Option<&'a Name<'a>>,
    name: &'static str,
}

impl<'a> Name<'a> {
    /// An item, as the directive writes it.
    #[must_use]
    pub const fn of_item(name: &'static str) -> Self {
        Self { owner: None, name }
    }

    /// A field of what this names.
    #[must_use]
    pub const fn field(&'a self, name: &'static str) -> Self {
        Self { owner: Some(self), name }
    }

    /// `m.grid.cells`, of which there is one for good.
    pub(super) fn text(&self) -> &'static str {
        static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
        let Some(owner) = self.owner else { return self.name };
        let text = format!("{}.{}", owner.text(), self.name);
        let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
        match names.get(&*text) {
            Some(known) => known,
            None => {
                let text: &'static str = Box::leak(text.into_boxed_str());
                names.insert(text);
                text
            }
        }
    }
}

/// Who takes the arrays of an item.
pub trait Arrays<'a> {
    /// The next array. One that is `shared` is behind a `&`, so nothing can be copied back to it.
    ///
    /// # Safety
    /// Elements can be copied as bytes: their type is a [`Device`], or mappable, which generated code requires where it names the item.
    unsafe fn array<T>(&mut self, name: &Name<'_>, array: HostArray<'a, T>, shared: bool);
}

/// The arrays of an item, in the order of their declaration.
pub trait MapItem {
    /// To be read.
    fn __omp_arrays<'a, A: Arrays<'a>>(&'a self, name: &Name<'_>, to: &mut A);
    /// To be written.
    fn __omp_arrays_mut<'a, A: Arrays<'a>>(&'a mut self, name: &Name<'_>, to: &mut A);
}

// No bound on `T`: `Mappable` has it, and one error for a mistake is enough.
impl<T> MapItem for [T] {
    fn __omp_arrays<'a, A: Arrays<'a>>(&'a self, name: &Name<'_>, to: &mut A) {
        // SAFETY: see the trait's method.
        unsafe { to.array(name, HostArray::read(self), false) };
    }
    fn __omp_arrays_mut<'a, A: Arrays<'a>>(&'a mut self, name: &Name<'_>, to: &mut A) {
        // SAFETY: see the trait's method.
        unsafe { to.array(name, HostArray::write(self), false) };
    }
}

/// A field of a struct with `#[derive(omp::Mapper)]`.
#[diagnostic::on_unimplemented(
    message = "a struct with `#[derive(omp::Mapper)]` has a field of type `{Self}`, which is neither a device type nor a mapped container [omp::E0711]",
    label = "not a field that can be mapped",
    note = "fields are device types, `Vec<T>`, `Box<[T]>`, `&[T]`, `&mut [T]` of them, and structs with `#[derive(omp::Mapper)]`",
    note = "help: keep names, files and other things of the host in a struct around this one"
)]
pub trait MapField {
    /// What the struct's numbers have of it: the value, or the length of an array.
    type Value: Device;
    /// [`Self::Value`]
    fn value(&self) -> Self::Value;
    /// The arrays of the field, to be read.
    fn arrays<'a, A: Arrays<'a>>(&'a self, name: &Name<'_>, to: &mut A);
    /// The arrays of the field, to be written.
    fn arrays_mut<'a, A: Arrays<'a>>(&'a mut self, name: &Name<'_>, to: &mut A);
}

/// Values go along with each region.
impl<T: Device> MapField for T {
    type Value = T;
    fn value(&self) -> T {
        *self
    }
    fn arrays<'a, A: Arrays<'a>>(&'a self, _: &Name<'_>, _: &mut A) {}
    fn arrays_mut<'a, A: Arrays<'a>>(&'a mut self, _: &Name<'_>, _: &mut A) {}
}

impl<T: ?Sized> MapField for PhantomData<T> {
    type Value = u8;
    fn value(&self) -> u8 {
        0
    }
    fn arrays<'a, A: Arrays<'a>>(&'a self, _: &Name<'_>, _: &mut A) {}
    fn arrays_mut<'a, A: Arrays<'a>>(&'a mut self, _: &Name<'_>, _: &mut A) {}
}

// `$make`: how the elements are borrowed where they may come back. What is shared is read, and nothing comes back to it.
macro_rules! containers {
    ($make:ident, $shared:literal: $($container:ty),*) => { $(
        impl<T: Device> MapField for $container {
            type Value = usize;
            fn value(&self) -> usize {
                self.len()
            }
            fn arrays<'a, A: Arrays<'a>>(&'a self, name: &Name<'_>, to: &mut A) {
                // SAFETY: `T` is a device type.
                unsafe { to.array(name, HostArray::<T>::read(self), $shared) };
            }
            fn arrays_mut<'a, A: Arrays<'a>>(&'a mut self, name: &Name<'_>, to: &mut A) {
                // SAFETY: `T` is a device type.
                unsafe { to.array(name, HostArray::<T>::$make(self), $shared) };
            }
        }
    )* };
}
containers!(write, false: Vec<T>, Box<[T]>, &mut [T]);
containers!(read, true: &[T], Arc<[T]>, Arc<Vec<T>>, Rc<[T]>, Rc<Vec<T>>);

/// A struct of whose numbers there is a device type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has an `Index` for devices, but no `#[derive(omp::Mapper)]` [omp::E0711]",
    label = "no struct whose arrays can be mapped",
    note = "help: write `#[derive(omp::Mapper)]` on the struct"
)]
pub trait Owner {
    /// Its fields, with lengths in the place of arrays.
    type Values: Device;
    /// Them.
    fn values(&self) -> Self::Values;
    /// Panics if the elements don't lie as the device function takes them to lie.
    #[track_caller]
    fn judge(&self, _name: &str) {}
}

/// The type of a subscript.
#[derive(Debug, Clone, Copy)]
pub struct PhantomIndex<I>(PhantomData<fn(I)>);

impl<I> PhantomIndex<I> {
    /// The only value.
    pub const NEW: Self = Self(PhantomData);
}

/// A struct whose `Index<I>` is about one of its arrays.
///
/// # Safety
/// `index` of the type gives the element of the array whose place the corresponding device function gives.
#[diagnostic::on_unimplemented(
    message = "a device can't run an `Index<{I}>` of `{Self}` [omp::E0711]",
    label = "`{Self}` is indexed by an `Index` of its own",
    note = "help: write `#[derive(omp::Mapper)]` on the struct and `#[omp::declare_target]` on its `impl Index<(usize, usize)>`, whose result is `&self.data[…]`",
    note = "or index the array itself: `m.data[i * m.cols + j]`"
)]
pub unsafe trait Elements<I>: Owner {
    /// `self.data`, as it is written.
    const ARRAY: &'static str;
    /// `Output`
    type Elem;
    /// The array.
    fn elements(&self) -> &[Self::Elem];
}

/// The same of `IndexMut<I>`.
///
/// # Safety
/// As for [`Elements`].
#[diagnostic::on_unimplemented(
    message = "a device can't run an `IndexMut<{I}>` of `{Self}` [omp::E0711]",
    label = "`{Self}` is written by an `IndexMut` of its own",
    note = "help: write `#[derive(omp::Mapper)]` on the struct and `#[omp::declare_target]` on its `impl Index` and `impl IndexMut`, whose results are `&self.data[…]` and `&mut self.data[…]`",
    note = "or index the array itself: `m.data[i * m.cols + j]`"
)]
pub unsafe trait ElementsMut<I>: Elements<I> {
    /// [`Elements::ARRAY`], of this `impl`.
    const ARRAY_MUT: &'static str;
    /// The array.
    fn elements_mut(&mut self) -> &mut [Self::Elem];
}

macro_rules! through_references {
    ($($reference:ty),*) => { $(
        impl<M: Owner + ?Sized> Owner for $reference {
            type Values = M::Values;
            fn values(&self) -> M::Values {
                (**self).values()
            }
            #[track_caller]
            fn judge(&self, name: &str) {
                (**self).judge(name);
            }
        }
        // SAFETY: by the type that is referred to.
        unsafe impl<I, M: Elements<I> + ?Sized> Elements<I> for $reference {
            const ARRAY: &'static str = M::ARRAY;
            type Elem = M::Elem;
            fn elements(&self) -> &[M::Elem] {
                (**self).elements()
            }
        }
    )* };
}
through_references!(&M, &mut M);

const fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut k = 0;
    while k < a.len() && k < b.len() && a[k] == b[k] {
        k += 1;
    }
    k == a.len() && k == b.len()
}

/// What generated code calls on `m` for `m[(i, j)]`. Every type has it, so that only the bound reports what is missing.
pub trait Subscripted {
    /// The numbers and the array, to be read.
    #[track_caller]
    fn __omp_parts<I>(&self, _: PhantomIndex<I>, name: &str) -> (Self::Values, &[Self::Elem])
    where
        Self: Elements<I>,
    {
        self.judge(name);
        (self.values(), self.elements())
    }

    /// The same, to be written.
    #[track_caller]
    fn __omp_parts_mut<I>(&mut self, _: PhantomIndex<I>, name: &str) -> (Self::Values, &mut [Self::Elem])
    where
        Self: ElementsMut<I>,
    {
        const {
            assert!(
                is_same(Self::ARRAY, Self::ARRAY_MUT),
                "`Index` and `IndexMut` of a struct are about two arrays: write the fields themselves [omp::E0711]"
            );
        };
        self.judge(name);
        (self.values(), self.elements_mut())
    }
}

impl<T: ?Sized> Subscripted for T {}
