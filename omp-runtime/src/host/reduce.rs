//! Identities and operators of reductions on the host, and the cascade that keeps float sums accurate.
//!
//! The partial results of blocks are combined pairwise, in index order: an error of (64 + log2 n)·u·Σ|x| at most for
//! sums of n floats in blocks of 64.
use crate::typing::Value;
use omp_kernels::ir::desc::{Prim, TypeDesc};
use omp_kernels::ir::template::ReduceOp;

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
    message = "`{Self}` can't be reduced with this operator [omp::E0505]",
    label = "`{Self}` has no such reduction",
    note = "`+ *` reduce numbers, `min max` numbers, `& | ^` integers and `bool`, `&& ||` `bool`"
)]
pub trait ReduceWith<Op>: Copy + Send + 'static {
    /// What changes nothing.
    const IDENTITY: Self;
    /// `self ⊕ other`
    #[must_use]
    fn with(self, other: Self) -> Self;
}

macro_rules! reduces {
    ($($op:ident on $($t:ty)* { $identity:expr, |$a:ident, $b:ident| $with:expr })*) => { $($(
        #[diagnostic::do_not_recommend]
        impl ReduceWith<op::$op> for $t {
            const IDENTITY: Self = $identity;
            #[inline(always)]
            fn with(self, other: Self) -> Self {
                let ($a, $b) = (self, other);
                $with
            }
        }
    )*)* };
}

reduces! {
    Add on i8 i16 i32 i64 isize u8 u16 u32 u64 usize { 0, |a, b| a.wrapping_add(b) }
    Add on f32 f64 { -0.0, |a, b| a + b }
    Mul on i8 i16 i32 i64 isize u8 u16 u32 u64 usize { 1, |a, b| a.wrapping_mul(b) }
    Mul on f32 f64 { 1.0, |a, b| a * b }
    Min on i8 i16 i32 i64 isize u8 u16 u32 u64 usize { Self::MAX, |a, b| a.min(b) }
    Min on f32 f64 { Self::INFINITY, |a, b| a.min(b) }
    Max on i8 i16 i32 i64 isize u8 u16 u32 u64 usize { Self::MIN, |a, b| a.max(b) }
    Max on f32 f64 { Self::NEG_INFINITY, |a, b| a.max(b) }
    BitAnd on i8 i16 i32 i64 isize u8 u16 u32 u64 usize { !0, |a, b| a & b }
    BitOr on i8 i16 i32 i64 isize u8 u16 u32 u64 usize { 0, |a, b| a | b }
    BitXor on i8 i16 i32 i64 isize u8 u16 u32 u64 usize { 0, |a, b| a ^ b }
    BitAnd on bool { true, |a, b| a & b }
    BitOr on bool { false, |a, b| a | b }
    BitXor on bool { false, |a, b| a ^ b }
    And on bool { true, |a, b| a && b }
    Or on bool { false, |a, b| a || b }
}

/// The built-in operators as values.
pub trait Operator {
    /// Which.
    const OP: ReduceOp;
}

/// Primitive types, with every operator that they have.
trait Reducible: Copy {
    fn identity(op: ReduceOp) -> Option<Self>;
    fn with(self, op: ReduceOp, other: Self) -> Option<Self>;
}

macro_rules! operators {
    ($($op:ident)*) => { $(
        impl Operator for op::$op {
            const OP: ReduceOp = ReduceOp::$op;
        }
    )* };
}
operators!(Add Mul Min Max BitAnd BitOr BitXor And Or);

macro_rules! reducible {
    ($($t:ty)*: $($op:ident)*) => { reducible!(@each [$($t)*] [$($op)*]); };
    (@each [$($t:ty)*] $ops:tt) => { $(reducible!(@one $t, $ops);)* };
    (@one $t:ty, [$($op:ident)*]) => {
        impl Reducible for $t {
            #[inline(always)]
            fn identity(op: ReduceOp) -> Option<Self> {
                match op {
                    $(ReduceOp::$op => Some(<Self as ReduceWith<op::$op>>::IDENTITY),)*
                    #[allow(unreachable_patterns)]
                    _ => None,
                }
            }
            #[inline(always)]
            fn with(self, op: ReduceOp, other: Self) -> Option<Self> {
                match op {
                    $(ReduceOp::$op => Some(ReduceWith::<op::$op>::with(self, other)),)*
                    #[allow(unreachable_patterns)]
                    _ => None,
                }
            }
        }
    };
}
reducible!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize: Add Mul Min Max BitAnd BitOr BitXor);
reducible!(f32 f64: Add Mul Min Max);
reducible!(bool: BitAnd BitOr BitXor And Or);

/// Runs `$body` with `$P` as the primitive type that `$T` is. `T::DESC` is a constant: one arm is left.
macro_rules! as_primitive {
    ($T:ty, $P:ident => $body:expr) => {
        match <$T as Value>::DESC {
            TypeDesc::Prim(prim) => match prim {
                Prim::Bool => {
                    type $P = bool;
                    $body
                }
                Prim::I8 => {
                    type $P = i8;
                    $body
                }
                Prim::I16 => {
                    type $P = i16;
                    $body
                }
                Prim::I32 => {
                    type $P = i32;
                    $body
                }
                Prim::I64 => {
                    type $P = i64;
                    $body
                }
                Prim::Isize => {
                    type $P = isize;
                    $body
                }
                Prim::U8 => {
                    type $P = u8;
                    $body
                }
                Prim::U16 => {
                    type $P = u16;
                    $body
                }
                Prim::U32 => {
                    type $P = u32;
                    $body
                }
                Prim::U64 => {
                    type $P = u64;
                    $body
                }
                Prim::Usize => {
                    type $P = usize;
                    $body
                }
                Prim::F32 => {
                    type $P = f32;
                    $body
                }
                Prim::F64 => {
                    type $P = f64;
                    $body
                }
            },
            TypeDesc::Unit
            | TypeDesc::Array { .. }
            | TypeDesc::Struct(_)
            | TypeDesc::Enum(_)
            | TypeDesc::Option(_) => None,
        }
    };
}

/// The same value under another name of its type.
#[inline(always)]
fn same<A: Copy, B: Copy>(value: A) -> B {
    assert!(size_of::<A>() == size_of::<B>());
    // SAFETY: called only where both types are described as one primitive type, so they are that type.
    unsafe { std::mem::transmute_copy(&value) }
}

/// Where the operator gives back one of its operands: what a chunk starts from may be the item itself, any number of
/// times. The infinity that is the identity would hide a NaN that the item has before the loop, which `s.max(e)`
/// drops at the first number and `if e > s { s = e }` keeps for good.
const fn starts_from_item(op: ReduceOp) -> bool {
    matches!(op, ReduceOp::Min | ReduceOp::Max)
}

/// What an item of a type that rustc knows to have the operator starts from in each chunk: the operator's identity,
/// or for `min` and `max` the item.
#[inline(always)]
pub fn identity<Op: Operator, T: ReduceWith<Op>>(_: Op, item: &T) -> T {
    if starts_from_item(Op::OP) { *item } else { T::IDENTITY }
}

/// As [`identity`], for an item whose type a generic function leaves open.
///
/// # Panics
/// When the type has no such operator. Finalisation has refused the region then, and its parallel loop does not run.
#[inline(always)]
pub fn identity_of<Op: Operator, T: Value>(_: Op, item: &T) -> T {
    if starts_from_item(Op::OP) {
        return *item;
    }
    let found = as_primitive!(T, P => <P as Reducible>::identity(Op::OP).map(same::<P, T>));
    found.expect("finalisation has accepted the operator for the type")
}

/// `a ⊕ b`
///
/// # Panics
/// As [`identity_of`].
#[inline(always)]
pub fn combine<Op: Operator, T: Value>(_: Op, a: T, b: T) -> T {
    let sum =
        as_primitive!(T, P => Reducible::with(same::<T, P>(a), Op::OP, same::<T, P>(b)).map(same::<P, T>));
    sum.expect("finalisation has accepted the operator for the type")
}

/// How many iterations a block may have for this item: float sums are kept accurate by short blocks.
#[inline(always)]
pub fn block_len<Op: Operator, T: Value>(_: Op, _like: &T) -> u64 {
    let float = matches!(T::DESC, TypeDesc::Prim(p) if p.is_float());
    if float && matches!(Op::OP, ReduceOp::Add | ReduceOp::Mul) { 64 } else { u64::MAX }
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
    use crate::host::schedule::Schedule;

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
        check!(Add, 3i64; Max, -1.0f32);
        assert_eq!(identity_of(op::Mul, &7u8), 1);
        assert_eq!(identity_of(op::Min, &7f64), 7.0);
        assert_eq!(
            (block_len(op::Add, &0f32), block_len(op::Max, &0f32), block_len(op::Mul, &1u8)),
            (64, u64::MAX, u64::MAX)
        );
        assert!(
            combine(op::Add, identity(op::Add, &0.0f32), -0.0).is_sign_negative(),
            "the sum of -0.0 alone"
        );
    }

    /// What generated code does for one item, in blocks.
    fn in_blocks(x: &[f64], first: f64, step: impl Fn(f64, f64) -> f64 + Sync) -> f64 {
        let body = |lo: u64, hi: u64| {
            let mut m = identity(op::Max, &first);
            for &e in &x[lo as usize..hi as usize] {
                m = step(m, e);
            }
            identity_of(op::Max, &m)
        };
        let join = |a, b| combine(op::Max, a, b);
        join(first, crate::host::parallel::reduce(Schedule::Auto, x.len() as u64, 3, 4, body, join))
    }

    #[test]
    fn nan_comes_out_of_max_as_of_the_serial_loop() {
        let nan = f64::NAN;
        let methods: [fn(f64, f64) -> f64; 2] = [|m, e| m.max(e), |m, e| if e > m { e } else { m }];
        for first in [nan, f64::NEG_INFINITY, -1.0, 5.0] {
            for x in
                [vec![], vec![nan; 50], vec![nan, 2.0, nan, 1.0, nan, nan, nan, -3.0], vec![1.0, 2.0, 3.0]]
            {
                for step in methods {
                    let want = x.iter().fold(first, |m, e| step(m, *e));
                    let got = in_blocks(&x, first, step);
                    assert!(got == want || got.is_nan() && want.is_nan(), "{got} for {want}: {first}, {x:?}");
                }
            }
        }
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
