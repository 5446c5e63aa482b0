//! Subscripts as views take them. Their types are bounded as those of slices are, so that what rustc says of `y[k]` with a
//! `k: u32` it says once, of the user's own subscript: the views in generated code have nothing to add.
use std::any::Any;

/// The number of a subscript that gives one element.
///
/// # Panics
/// Never: of the types that subscript a slice, `usize` alone gives an element.
#[inline(always)]
pub(crate) fn number<I: 'static>(i: I) -> usize {
    let i: &dyn Any = &i;
    *i.downcast_ref().expect("a subscript that gives one element is a `usize`")
}
