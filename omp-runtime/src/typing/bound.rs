//! What bounds of collapsed inner loops are made of: a launch evaluates them once, where the loops would do so again and again.

/// Types of which reading, subscripts, operators and `len` have no effects. A user's could count how often they are asked.
#[diagnostic::on_unimplemented(
    message = "under `collapse`, inner bounds are evaluated once for all outer iterations, and nothing tells that those of `{Self}` have no effects [omp::E0306]",
    label = "part of a bound of an inner loop",
    note = "help: put the bound's value in a variable before the loops, or leave the inner loop out of the `collapse`"
)]
pub trait Steady {}

macro_rules! steady {
    ($($t:ty)*) => { $(impl Steady for $t {})* };
}
steady! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 bool char str String }

impl<T> Steady for [T] {}
impl<T, const N: usize> Steady for [T; N] {}
impl<T> Steady for Vec<T> {}
impl<T> Steady for crate::DeviceSlice<T> {}
impl<T> Steady for crate::DeviceView<'_, T> {}
impl<T> Steady for crate::DeviceViewMut<'_, T> {}
impl<T> Steady for std::ops::Range<T> {}
impl<T> Steady for std::ops::RangeInclusive<T> {}
impl<T: Steady + ?Sized> Steady for Box<T> {}
impl<T: Steady + ?Sized> Steady for std::sync::Arc<T> {}
impl<T: Steady + ?Sized> Steady for &T {}
impl<T: Steady + ?Sized> Steady for &mut T {}

/// Asks it of a part of a bound.
pub const fn steady<T: Steady + ?Sized>(_: &T) {}
