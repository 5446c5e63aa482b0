//! Arrays of the crate `ndarray`, of one to three dimensions.
//!
//! Such an array is mapped like a struct that owns an array and numbers: its elements in standard layout, and its shape as
//! [`Owner::Values`]. So `a[[i, j]]` is lowered like `m[(i, j)]` of a struct with an `Index` for devices. The device functions that
//! compute the positions are in the facade (`omp::__subscripts`).
use super::{Arrays, Elements, ElementsMut, MapField, MapItem, Mappable, Mapper, Name, Owner};
use crate::data::HostArray;
use crate::typing::Device;
use ndarray::{
    ArrayBase, CowRepr, Data, DataMut, Dimension, Ix1, Ix2, Ix3, OwnedArcRepr, OwnedRepr, RawData, ViewRepr,
};

/// A dimension whose shape a device has.
#[diagnostic::on_unimplemented(
    message = "an array of `ndarray` of `{Self}` can't be on a device [omp::E0711]",
    label = "not of one to three dimensions",
    note = "help: take its slice before the loop, `let all = a.as_slice().unwrap();`, and compute the subscripts"
)]
pub trait Shape: Dimension {
    /// One `usize` for each axis.
    type Numbers: Device;
    /// Them.
    fn numbers(&self) -> Self::Numbers;
}

macro_rules! shapes {
    ($($dim:ty: $ty:ty, $($axis:literal)+;)*) => { $(
        impl Shape for $dim {
            type Numbers = $ty;
            fn numbers(&self) -> $ty {
                ($(self[$axis],)+)
            }
        }
    )* };
}
shapes! {
    Ix1: (usize,), 0;
    Ix2: (usize, usize), 0 1;
    Ix3: (usize, usize, usize), 0 1 2;
}

/// The elements in standard layout.
///
/// # Panics
/// If they are in another one, in words for the user: the caller is the place where the array is named.
#[track_caller]
fn standard<'a, S: Data, D: Dimension>(array: &'a ArrayBase<S, D>, name: &str) -> &'a [S::Elem] {
    let Some(all) = array.as_slice() else { refuse(array, name) };
    all
}

#[track_caller]
fn refuse<S: RawData, D: Dimension>(array: &ArrayBase<S, D>, name: &str) -> ! {
    panic!(
        "`{name}` is not in standard layout (shape {:?}, strides {:?}): devices have arrays with contiguous rows; \
         make a copy that is, `let {name} = {name}.as_standard_layout().to_owned();`",
        array.shape(),
        array.strides(),
        name = name,
    );
}

impl<S: Data, D: Shape> Owner for ArrayBase<S, D> {
    type Values = D::Numbers;
    fn values(&self) -> D::Numbers {
        self.raw_dim().numbers()
    }
    #[track_caller]
    fn judge(&self, name: &str) {
        standard(self, name);
    }
}

/// Elements by whatever subscripts, where the text shows that an array is one of `ndarray`.
#[derive(Debug)]
pub struct Standard;

macro_rules! subscripts {
    ($($dim:ty: $($index:ty),+;)*) => { $($(
        // SAFETY: of an array in standard layout, `__omp_position` gives the place of the element that `ndarray` has by these subscripts.
        unsafe impl<S: Data> Elements<$index> for ArrayBase<S, $dim> {
            const ARRAY: &'static str = "";
            type Elem = S::Elem;
            fn elements(&self) -> &[S::Elem] {
                standard(self, "an array")
            }
        }
        // SAFETY: as for `Elements`.
        unsafe impl<S: DataMut> ElementsMut<$index> for ArrayBase<S, $dim> {
            const ARRAY_MUT: &'static str = "";
            fn elements_mut(&mut self) -> &mut [S::Elem] {
                self.judge("an array");
                self.as_slice_mut().expect("its layout was judged")
            }
        }
    )+)* };
}
subscripts! {
    Ix1: [usize; 1], Standard;
    Ix2: [usize; 2], (usize, usize), Standard;
    Ix3: [usize; 3], (usize, usize, usize), Standard;
}

macro_rules! maps {
    ($([$($life:lifetime)?] $repr:ty, $mutable:tt;)*) => { $(
        impl<$($life,)? T: Clone, D: Shape> MapItem for ArrayBase<$repr, D> {
            #[track_caller]
            fn __omp_arrays<'a, A: Arrays<'a>>(&'a self, name: &Name<'_>, to: &mut A) {
                let all = HostArray::read(standard(self, name.text()));
                // SAFETY: the elements are of a device type, which `Mappable` requires.
                unsafe { to.array(name, all, maps!(@shared $mutable)) };
            }
            #[track_caller]
            fn __omp_arrays_mut<'a, A: Arrays<'a>>(&'a mut self, name: &Name<'_>, to: &mut A) {
                standard(self, name.text());
                let all = maps!(@all self $mutable);
                // SAFETY: as for `__omp_arrays`.
                unsafe { to.array(name, all, maps!(@shared $mutable)) };
            }
        }
        impl<$($life,)? T: Device, D: Shape> MapField for ArrayBase<$repr, D> {
            type Value = D::Numbers;
            fn value(&self) -> D::Numbers {
                self.values()
            }
            fn arrays<'a, A: Arrays<'a>>(&'a self, name: &Name<'_>, to: &mut A) {
                self.__omp_arrays(name, to);
            }
            fn arrays_mut<'a, A: Arrays<'a>>(&'a mut self, name: &Name<'_>, to: &mut A) {
                self.__omp_arrays_mut(name, to);
            }
        }
        // SAFETY: the elements in standard layout are the one array of the type, under its own name.
        #[diagnostic::do_not_recommend]
        unsafe impl<$($life,)? T: Device, D: Shape> Mapper for ArrayBase<$repr, D> {}
        // SAFETY: as for `Mapper`; `ndarray` runs no code of the user's to give them.
        #[diagnostic::do_not_recommend]
        unsafe impl<$($life,)? T: Device, D: Shape> Mappable for ArrayBase<$repr, D> {}
    )* };
    (@shared mutable) => { false };
    (@shared shared) => { true };
    (@all $this:ident mutable) => { HostArray::write($this.as_slice_mut().expect("its layout was judged")) };
    (@all $this:ident shared) => { HostArray::read(&*standard($this, "")) };
}
maps! {
    [] OwnedRepr<T>, mutable;
    [] OwnedArcRepr<T>, mutable;
    ['r] CowRepr<'r, T>, mutable;
    ['r] ViewRepr<&'r mut T>, mutable;
    ['r] ViewRepr<&'r T>, shared;
}
