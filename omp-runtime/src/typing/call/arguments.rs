//! The types of a function's parameters, for literals among its arguments: `(&&ArgumentsW(&f, (&slot, …))).omp_arguments()`. For a
//! call with too few or too many arguments, which is rustc's error, nothing is asked.
use crate::typing::slot::Slot;
use std::fmt;

/// A function and a slot for each argument.
pub struct ArgumentsW<'a, F, S>(pub &'a F, pub S);

impl<F, S> fmt::Debug for ArgumentsW<'_, F, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ArgumentsW")
    }
}

/// A function with as many parameters.
pub trait AskArguments1 {
    /// The slots have the types of the parameters.
    fn omp_arguments(&self) {}
}

/// Any other.
pub trait AskArguments0 {
    /// Asks nothing.
    fn omp_arguments(&self) {}
}

impl<F, S> AskArguments0 for ArgumentsW<'_, F, S> {}

macro_rules! arguments {
    ($($($arg:ident)+;)*) => { $(
        impl<F: Fn($($arg),+) -> R, R, $($arg),+> AskArguments1 for &ArgumentsW<'_, F, ($(&Slot<$arg>,)+)> {}
    )* };
}
arguments! {
    A;
    A B;
    A B C;
    A B C D;
    A B C D E;
    A B C D E G;
    A B C D E G H;
    A B C D E G H I;
    A B C D E G H I J;
    A B C D E G H I J K;
    A B C D E G H I J K L;
    A B C D E G H I J K L M;
}
