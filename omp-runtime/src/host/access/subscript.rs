//! The types of subscripts that views accept. The bounds on their types are those of slices, so rustc reports an error
//! such as `y[k]` with a `k: u32` once, at the user's subscript, and not a second time in generated code.
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
