//! `?` inside a data region, in two steps, so that the region can be left between them.
use std::convert::Infallible;

/// The types that `?` works on.
#[diagnostic::on_unimplemented(
    message = "`?` inside a data region works on `Result` and `Option`, not on `{Self}`",
    label = "neither a `Result` nor an `Option`"
)]
pub trait Question: Sized {
    /// The value of `e?`.
    type Output;
    /// The residual: what `?` returns to the caller.
    type Residual;

    /// Whether `?` returns.
    ///
    /// # Errors
    /// What it returns.
    fn branch(self) -> Result<Self::Output, Self::Residual>;
}

impl<T, E> Question for Result<T, E> {
    type Output = T;
    type Residual = Result<Infallible, E>;

    #[inline]
    fn branch(self) -> Result<T, Self::Residual> {
        self.map_err(Err)
    }
}

impl<T> Question for Option<T> {
    type Output = T;
    type Residual = Option<Infallible>;

    #[inline]
    fn branch(self) -> Result<T, Self::Residual> {
        self.ok_or(None)
    }
}
