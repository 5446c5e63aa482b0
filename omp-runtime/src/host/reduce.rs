//! Identities and operators of reductions on the host, and the cascade that keeps float sums accurate.
//!
//! The partial results of blocks are combined pairwise, in index order: an error of (64 + log2 n)·u·Σ|x| at most for
//! sums of n floats in blocks of 64.

/// The built-in operators, as types.
pub mod op {
    macro_rules! ops {
        ($($(#[$doc:meta])* $name:ident)*) => { $(
            $(#[$doc])*
            #[derive(Debug, Clone, Copy)]
            pub struct $name;
        )* };
    }
    ops! {
        /// `+`, and `-`.
        Add
        /// `*`
        Mul
        /// `min`
        Min
        /// `max`
        Max
        /// `&`
        BitAnd
        /// `|`
        BitOr
        /// `^`
        BitXor
        /// `&&`
        And
        /// `||`
        Or
    }
}

/// `Self` can be reduced with the operator `Op`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be reduced with the operator `{Op}`",
    label = "reduced here",
    note = "`+ *` reduce numbers, `min max` numbers, `& | ^` integers and `bool`, `&& ||` `bool`"
)]
pub trait ReduceWith<Op>: Copy + Send + 'static {
    /// What changes nothing.
    const IDENTITY: Self;
    /// The result does not depend on how operands are grouped.
    const EXACT: bool;
    /// `self ⊕ other`
    #[must_use]
    fn with(self, other: Self) -> Self;
}

macro_rules! reduces {
    ($($op:ident on $($t:ty)* { $identity:expr, $exact:expr, |$a:ident, $b:ident| $with:expr })*) => { $($(
        impl ReduceWith<op::$op> for $t {
            const IDENTITY: Self = $identity;
            const EXACT: bool = $exact;
            #[inline(always)]
            fn with(self, other: Self) -> Self {
                let ($a, $b) = (self, other);
                $with
            }
        }
    )*)* };
}

reduces! {
    Add on i8 i16 i32 i64 isize u8 u16 u32 u64 usize { 0, true, |a, b| a.wrapping_add(b) }
    Add on f32 f64 { -0.0, false, |a, b| a + b }
    Mul on i8 i16 i32 i64 isize u8 u16 u32 u64 usize { 1, true, |a, b| a.wrapping_mul(b) }
    Mul on f32 f64 { 1.0, false, |a, b| a * b }
    Min on i8 i16 i32 i64 isize u8 u16 u32 u64 usize { Self::MAX, true, |a, b| a.min(b) }
    Min on f32 f64 { Self::INFINITY, true, |a, b| a.min(b) }
    Max on i8 i16 i32 i64 isize u8 u16 u32 u64 usize { Self::MIN, true, |a, b| a.max(b) }
    Max on f32 f64 { Self::NEG_INFINITY, true, |a, b| a.max(b) }
    BitAnd on i8 i16 i32 i64 isize u8 u16 u32 u64 usize { !0, true, |a, b| a & b }
    BitOr on i8 i16 i32 i64 isize u8 u16 u32 u64 usize { 0, true, |a, b| a | b }
    BitXor on i8 i16 i32 i64 isize u8 u16 u32 u64 usize { 0, true, |a, b| a ^ b }
    BitAnd on bool { true, true, |a, b| a & b }
    BitOr on bool { false, true, |a, b| a | b }
    BitXor on bool { false, true, |a, b| a ^ b }
    And on bool { true, true, |a, b| a && b }
    Or on bool { false, true, |a, b| a || b }
}

/// The identity of an operator for an item's type.
#[inline(always)]
pub fn identity<Op, T: ReduceWith<Op>>(_: Op, _like: &T) -> T {
    T::IDENTITY
}

/// `a ⊕ b`
#[inline(always)]
pub fn combine<Op, T: ReduceWith<Op>>(_: Op, a: T, b: T) -> T {
    a.with(b)
}

/// How many iterations a block may have for this item: float sums are kept accurate by short blocks.
#[inline(always)]
pub fn block_len<Op, T: ReduceWith<Op>>(_: Op, _like: &T) -> u64 {
    if T::EXACT { u64::MAX } else { 64 }
}

/// Combines values that come one by one pairwise, in their order, in the memory of log2 n of them.
pub struct Fold<R> {
    /// `levels[k]` holds the combination of `2^k` values where bit `k` of `count` is set.
    levels: [Option<R>; 64],
    count: u64,
}

impl<R> Fold<R> {
    /// No value yet.
    #[inline]
    #[must_use]
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        Self { levels: [const { None }; 64], count: 0 }
    }

    /// The next value.
    #[inline]
    pub fn push(&mut self, mut value: R, combine: &impl Fn(R, R) -> R) {
        let mut level = 0;
        while self.count >> level & 1 == 1 {
            if let Some(earlier) = self.levels[level].take() {
                value = combine(earlier, value);
            }
            level += 1;
        }
        self.levels[level] = Some(value);
        self.count += 1;
    }

    /// The last value; all of them, combined.
    #[inline]
    pub fn last(mut self, value: R, combine: &impl Fn(R, R) -> R) -> R {
        self.push(value, combine);
        self.finish(combine).expect("a value was just pushed")
    }

    /// All values, combined; `None` if there were none.
    #[inline]
    pub fn finish(mut self, combine: &impl Fn(R, R) -> R) -> Option<R> {
        let top = 64 - self.count.leading_zeros() as usize;
        let mut sum: Option<R> = None;
        for level in &mut self.levels[..top] {
            if let Some(earlier) = level.take() {
                sum = Some(match sum {
                    Some(later) => combine(earlier, later),
                    None => earlier,
                });
            }
        }
        sum
    }
}

impl<R> std::fmt::Debug for Fold<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Fold of {}", self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identities_change_nothing() {
        macro_rules! check {
            ($($op:ident, $v:expr);*) => { $(
                let v = $v;
                assert_eq!(combine(op::$op, identity(op::$op, &v), v), v);
                assert_eq!(combine(op::$op, v, identity(op::$op, &v)), v);
            )* };
        }
        check!(Add, -7i8; Add, 1.5f32; Mul, u64::MAX; Mul, -0.5f64; Min, i64::MAX; Max, i16::MIN; Min, f32::MAX);
        check!(Max, f64::MIN; BitAnd, 0x5au8; BitOr, -1i32; BitXor, 9usize; And, false; Or, true; BitXor, true);
        assert!(combine(op::Add, identity(op::Add, &0.0f32), -0.0).is_sign_negative(), "the sum of -0.0 alone");
    }

    #[test]
    fn values_keep_their_order() {
        for n in 0..70usize {
            let mut fold = Fold::new();
            let join = |a: String, b: String| format!("{a}{b}");
            for i in 0..n {
                fold.push(format!("{i},"), &join);
            }
            let want: String = (0..n).map(|i| format!("{i},")).collect();
            assert_eq!(fold.finish(&join).unwrap_or_default(), want, "{n} values");
        }
    }
}
