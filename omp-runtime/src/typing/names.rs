//! Asks rustc whether two tokens of one text are one variable (in items that a `macro_rules!` makes, they may not be).

/// What a variable is for the question.
#[derive(Debug, Clone, Copy)]
pub struct OneVariable;

/// Only [`OneVariable`].
///
/// # Safety
/// Only [`OneVariable`] implements it.
#[diagnostic::on_unimplemented(
    message = "two variables of one name in a region or device function [omp::E0715]",
    label = "another variable than the one of this name beside it",
    note = "a `macro_rules!` keeps the names that it makes apart from those it is given; a directive can't: rename one"
)]
pub unsafe trait IsOneVariable {}

// SAFETY: the type itself.
unsafe impl IsOneVariable for OneVariable {}

/// Compiles only where the name means the `OneVariable` of the `let` around.
#[inline(always)]
pub fn one_variable<T: IsOneVariable>(_: &T) {}
