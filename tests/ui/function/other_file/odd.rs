//! A trait whose method has the name of an operator, for `operators_of_other_traits.rs`, whose file must not show it.
pub trait Odd {
    fn add(self, other: Self) -> Self;
}

impl Odd for u64 {
    fn add(self, other: u64) -> u64 {
        self * 10 + other
    }
}
