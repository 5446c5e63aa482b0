//! Lets rustc check that two tokens with the same text are one variable. (In items that a `macro_rules!` makes, they may
//! be two.)

/// What a variable is for the question.
#[derive(Debug, Clone, Copy)]
pub struct OneVariable;

/// Only [`OneVariable`].
///
/// # Safety
/// Only [`OneVariable`] implements it.
#[diagnostic::on_unimplemented(
    message = "two variables of one name in a region or device function [omp::E0715]",
    label = "a different variable of the same name",
    note = "a `macro_rules!` keeps the names that it makes apart from those it is given; a directive can't: rename one"
)]
pub unsafe trait IsOneVariable {}

// SAFETY: the type itself.
unsafe impl IsOneVariable for OneVariable {}

/// Compiles only where the name means the `OneVariable` of the `let` around.
#[inline(always)]
pub fn one_variable<T: IsOneVariable>(_: &T) {}

/// That a name is that of `Option::None`.
#[diagnostic::on_unimplemented(
    message = "`None` is a variant of `{Self}` here, and a region takes it for `Option::None` [omp::E0707]",
    label = "not `Option`'s",
    note = "help: write the variant with its type: `{Self}::None`"
)]
pub trait IsNone {}

// With this single `impl`, rustc infers the type parameter of a `None`.
impl IsNone for Option<()> {}

/// Requires that the argument is `Option::None`.
#[inline(always)]
pub fn none_of_option<T: IsNone>(_: T) {}

/// That a name is that of `Option::Some`.
#[diagnostic::on_unimplemented(
    message = "`Some` makes a `{Self}` here, and a region takes it for `Option::Some` [omp::E0707]",
    label = "not `Option`'s",
    note = "help: write it with what it is of, as in `Shade::Some(…)` or `colours::Some(…)`"
)]
pub trait IsSome {}

impl IsSome for Option<()> {}

/// Requires that the argument is `Option::Some`.
#[inline(always)]
pub fn some_of_option<A, R: IsSome>(_: fn(A) -> R) {}
