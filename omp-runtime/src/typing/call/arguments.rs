//! The types of parameters, for arguments: `(&&ArgumentsW(&f, (&slot, …))).omp_arguments()` of a function; [`ParameterW`]
//! and [`LinkW`] of a hidden method, whose parameters are one tuple; [`HiddenW`] of a hidden method by its path. The
//! host's own call has the user's arguments, so rustc reports arguments that are wrong in number or type there, and not
//! here.
use super::Call;
use super::probe::{Receiver, never};
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
    /// Requires nothing.
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

/// The parameter `K` of a hidden method: `(&&ParameterW::<_, K>(&parameters)).omp_parameter()`.
pub struct ParameterW<'a, P, const K: usize>(pub &'a Receiver<P>);

/// There is one.
pub trait AskParameter1 {
    /// Its type.
    type Type;
    /// Catches its type.
    fn omp_parameter(&self) -> Receiver<Self::Type> {
        Receiver::new()
    }
}

/// What a surplus argument has in the place of a parameter.
#[derive(Debug)]
pub struct NoParameter;

/// There is none.
pub trait AskParameter0 {
    /// Catches nothing.
    fn omp_parameter(&self) -> NoParameter {
        NoParameter
    }
}

impl<P, const K: usize> AskParameter0 for ParameterW<'_, P, K> {}

/// One implementation for each parameter of a tuple.
macro_rules! parameters {
    ($($k:literal $arg:ident),+) => { parameters! { @each [$($arg)+] $($k $arg),+ } };
    (@each $all:tt $($k:literal $arg:ident),+) => { $(parameters! { @one $all $k $arg })+ };
    (@one [$($all:ident)+] $k:literal $arg:ident) => {
        impl<$($all),+> AskParameter1 for &ParameterW<'_, ($($all,)+), $k> {
            type Type = $arg;
        }
    };
}
parameters!(0 A);
parameters!(0 A, 1 B);
parameters!(0 A, 1 B, 2 C);
parameters!(0 A, 1 B, 2 C, 3 D);
parameters!(0 A, 1 B, 2 C, 3 D, 4 E);
parameters!(0 A, 1 B, 2 C, 3 D, 4 E, 5 G);
parameters!(0 A, 1 B, 2 C, 3 D, 4 E, 5 G, 6 H);
parameters!(0 A, 1 B, 2 C, 3 D, 4 E, 5 G, 6 H, 7 I);
parameters!(0 A, 1 B, 2 C, 3 D, 4 E, 5 G, 6 H, 7 I, 8 J);
parameters!(0 A, 1 B, 2 C, 3 D, 4 E, 5 G, 6 H, 7 I, 8 J, 9 K);
parameters!(0 A, 1 B, 2 C, 3 D, 4 E, 5 G, 6 H, 7 I, 8 J, 9 K, 10 L);
parameters!(0 A, 1 B, 2 C, 3 D, 4 E, 5 G, 6 H, 7 I, 8 J, 9 K, 10 L, 11 M);

/// The type of a parameter and that of its argument: `(&&&LinkW(&parameter, &argument)).omp_link()`.
pub struct LinkW<'a, P, A>(pub &'a P, pub &'a A);

/// They can be one type, and are.
pub trait AskLink2 {
    /// Requires nothing.
    fn omp_link(&self) {}
}

/// The argument becomes a slice or a reference of the parameter's type.
pub trait AskLink1 {
    /// Requires nothing.
    fn omp_link(&self) {}
}

/// Other arguments: rustc reports the mistake at the host's own call.
pub trait AskLink0 {
    /// Requires nothing.
    fn omp_link(&self) {}
}

impl<T> AskLink2 for &&LinkW<'_, Receiver<T>, Receiver<T>> {}
impl<T> AskLink2 for &&LinkW<'_, Receiver<T>, Slot<T>> {}
impl<P, A> AskLink0 for LinkW<'_, P, A> {}

macro_rules! becomes {
    ($([$($g:tt)*] $argument:ty => $parameter:ty;)*) => { $(
        impl<'a, 'b, T, $($g)*> AskLink1 for &LinkW<'_, Receiver<$parameter>, Receiver<$argument>> {}
    )* };
}
becomes! {
    [] &'b mut T => &'a T;
    [] &'b mut [T] => &'a [T];
    [] &'b Vec<T> => &'a [T];
    [] &'b mut Vec<T> => &'a [T];
    [] &'b mut Vec<T> => &'a mut [T];
    [] &'b Box<[T]> => &'a [T];
    [] &'b mut Box<[T]> => &'a [T];
    [] &'b mut Box<[T]> => &'a mut [T];
    [const N: usize] &'b [T; N] => &'a [T];
    [const N: usize] &'b mut [T; N] => &'a [T];
    [const N: usize] &'b mut [T; N] => &'a mut [T];
}

/// A hidden method and the user's by their paths, and what catches the callee: `(&&&&HiddenW(&hidden, call, &item, (&Receiver::new(), …))).omp_hidden()`, with
/// a receiver for each argument. Both have the same parameters and result; a hidden method takes `&self` for `&mut self`.
pub struct HiddenW<'a, F, C, I, A>(pub &'a F, pub &'a C, pub &'a I, pub A);

/// A function without a receiver.
pub trait AskHidden3 {
    /// Requires nothing.
    fn omp_hidden(&self) {}
}

/// A method whose parameters are a tuple.
pub trait AskHidden2 {
    /// Requires nothing.
    fn omp_hidden(&self) {}
}

/// One that takes `&mut self`.
pub trait AskHidden1 {
    /// Requires nothing.
    fn omp_hidden(&self) {}
}

/// Any other.
pub trait AskHidden0 {
    /// Requires nothing.
    fn omp_hidden(&self) {}
}

impl<F, C, I, A> AskHidden0 for HiddenW<'_, F, C, I, A> {}

macro_rules! by_path {
    ($($($arg:ident)*;)*) => { $(
        impl<'c, F, I, R, M, $($arg),*> AskHidden3
            for &&&HiddenW<'c, F, Call<M>, I, ($(&Receiver<$arg>,)*)>
        where
            I: Fn($($arg),*) -> R,
            F: Fn($($arg,)* &'c Call<M>) -> R,
            M: 'c,
        {
        }

        impl<'c, F, I, R, M, P, Z, $($arg),*> AskHidden2
            for &&HiddenW<'c, F, Call<M, (), P>, I, (&Receiver<Z>, $(&Receiver<$arg>,)*)>
        where
            I: Fn(Z, $($arg),*) -> R,
            F: Fn(Z, ($($arg,)*), &'c Call<M, (), P>) -> R,
            M: 'c,
            P: 'c,
        {
        }

        impl<'c, 'z, F, I, R, M, P, Z, $($arg),*> AskHidden1
            for &HiddenW<'c, F, Call<M, (), P>, I, (&Receiver<&'z mut Z>, $(&Receiver<$arg>,)*)>
        where
            I: Fn(&'z mut Z, $($arg),*) -> R,
            F: Fn(&'z Z, ($($arg,)*), &'c Call<M, (), P>) -> R,
            M: 'c,
            P: 'c,
        {
        }
    )* };
}
by_path! {
    ;
    A;
    A B;
    A B C;
    A B C D;
    A B C D E;
    A B C D E G;
    A B C D E G H;
    A B C D E G H J;
    A B C D E G H J K;
    A B C D E G H J K L;
    A B C D E G H J K L N;
    A B C D E G H J K L N O;
}

/// A hidden method by its path whose parameters are no tuple, what catches the callee, and the arguments:
/// `(&EachW(&hidden, call, (a, b))).omp_each()` calls it, with `&a` if it takes `&self` for a `self` by value, as those of `num_traits` do.
pub struct EachW<'a, F, C, A>(pub &'a F, pub &'a C, pub A);

/// One that takes what the user's takes.
pub trait AskEach1 {
    /// What it returns.
    type Result;
    /// Has the types of the call.
    fn omp_each(&self) -> Self::Result {
        never()
    }
}

/// One that takes `&self`.
pub trait AskEach0 {
    /// What it returns.
    type Result;
    /// Has the types of the call.
    fn omp_each(&self) -> Self::Result {
        never()
    }
}

macro_rules! each {
    ($($($arg:ident)*;)*) => { $(
        impl<'c, F, R, M, P, Z, $($arg),*> AskEach1 for &EachW<'c, F, Call<M, (), P>, (Z, $($arg,)*)>
        where
            F: Fn(Z, $($arg,)* &'c Call<M, (), P>) -> R,
            M: 'c,
            P: 'c,
        {
            type Result = R;
        }

        impl<'c, F, R, M, P, Z: 'c, $($arg),*> AskEach0 for EachW<'c, F, Call<M, (), P>, (Z, $($arg,)*)>
        where
            F: Fn(&'c Z, $($arg,)* &'c Call<M, (), P>) -> R,
            M: 'c,
            P: 'c,
        {
            type Result = R;
        }
    )* };
}
each! {
    ;
    A;
    A B;
}

macro_rules! debug {
    ($([$($g:tt)*] $ty:ty, $name:literal;)*) => { $(
        impl<$($g)*> fmt::Debug for $ty {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str($name)
            }
        }
    )* };
}
debug! {
    [P, const K: usize] ParameterW<'_, P, K>, "ParameterW";
    [P, A] LinkW<'_, P, A>, "LinkW";
    [F, C, I, A] HiddenW<'_, F, C, I, A>, "HiddenW";
    [F, C, A] EachW<'_, F, C, A>, "EachW";
}
