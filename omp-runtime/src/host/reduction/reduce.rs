//! Identities and operators of reductions on the host, and the cascade that keeps float sums accurate.
//!
//! The partial results of blocks are combined pairwise, in index order: an error of (64 + log2 n)·u·Σ|x| at most for
//! sums of n floats in blocks of 64.
use super::items::Caught;
use crate::typing::call::made::of_two;
use crate::typing::{Describe, Device, DeviceFn, OpSlot, Value, konst_bytes};
use omp_ir::kernel::ConstValue;
use omp_ir::template::{BinOp, ReduceOp};
use std::any::TypeId;
use std::fmt;
use std::marker::PhantomData;
use std::num::{Saturating, Wrapping};

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

/// `Self` can be reduced with the operator `Op`: one of [`op`], or the companion of a function that
/// `#[omp::declare_reduction]` declares. (The declaration reports whether `Self` can be used on a device.)
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be reduced with this operator: no `#[omp::declare_reduction]` says how [omp::E0505]",
    label = "this reduction of `{Self}` has no operator",
    note = "`+ *` reduce numbers, `min max` numbers, `& | ^` integers and `bool`, `&& ||` `bool`",
    note = "help: put `#[omp::declare_reduction(name: {Self}, identity = …)]` on the function or operator `impl` that combines two values"
)]
pub trait ReduceWith<Op>: Sized {
    /// How many iterations may be combined one after the other: float sums are kept accurate by short blocks.
    const BLOCK: u64 = u64::MAX;
    /// What changes nothing.
    fn identity() -> Self;
    /// What a chunk starts from for the item `self`: the identity, or for `min` and `max` the item, any number of
    /// times. The infinity that is the identity would hide a NaN that the item has before the loop, which
    /// `s.max(e)` drops at the first number and `if e > s { s = e }` keeps for good.
    #[must_use]
    #[inline(always)]
    fn start(self) -> Self {
        Self::identity()
    }
    /// `self ⊕ other`
    #[must_use]
    fn with(self, other: Self) -> Self;
    /// Describes the operator, if it is not built in.
    fn operator(cx: &mut Describe) {
        cx.builtin_operator();
    }
}

macro_rules! reduces {
    ($($op:ident on $($t:ty)* { $identity:expr, |$a:ident, $b:ident| $with:expr, $block:expr })*) => { $($(
        #[diagnostic::do_not_recommend]
        impl ReduceWith<op::$op> for $t {
            const BLOCK: u64 = $block;
            #[inline(always)]
            fn identity() -> Self {
                $identity
            }
            #[inline(always)]
            fn start(self) -> Self {
                if starts_from_item(ReduceOp::$op) { self } else { <Self as ReduceWith<op::$op>>::identity() }
            }
            #[inline(always)]
            fn with(self, other: Self) -> Self {
                let ($a, $b) = (self, other);
                $with
            }
        }
    )*)* };
}

reduces! {
    Add on i8 i16 i32 i64 isize u8 u16 u32 u64 usize { 0, |a, b| a.wrapping_add(b), u64::MAX }
    Add on f32 f64 { -0.0, |a, b| a + b, 64 }
    Mul on i8 i16 i32 i64 isize u8 u16 u32 u64 usize { 1, |a, b| a.wrapping_mul(b), u64::MAX }
    Mul on f32 f64 { 1.0, |a, b| a * b, 64 }
    Min on i8 i16 i32 i64 isize u8 u16 u32 u64 usize { Self::MAX, |a, b| a.min(b), u64::MAX }
    Min on f32 f64 { Self::INFINITY, |a, b| a.min(b), u64::MAX }
    Max on i8 i16 i32 i64 isize u8 u16 u32 u64 usize { Self::MIN, |a, b| a.max(b), u64::MAX }
    Max on f32 f64 { Self::NEG_INFINITY, |a, b| a.max(b), u64::MAX }
    BitAnd on i8 i16 i32 i64 isize u8 u16 u32 u64 usize { !0, |a, b| a & b, u64::MAX }
    BitOr on i8 i16 i32 i64 isize u8 u16 u32 u64 usize { 0, |a, b| a | b, u64::MAX }
    BitXor on i8 i16 i32 i64 isize u8 u16 u32 u64 usize { 0, |a, b| a ^ b, u64::MAX }
    BitAnd on bool { true, |a, b| a & b, u64::MAX }
    BitOr on bool { false, |a, b| a | b, u64::MAX }
    BitXor on bool { false, |a, b| a ^ b, u64::MAX }
    And on bool { true, |a, b| a && b, u64::MAX }
    Or on bool { false, |a, b| a || b, u64::MAX }
}

/// Nested arrays, element by element.
#[diagnostic::do_not_recommend]
impl<Op, T: ReduceWith<Op> + Copy, const N: usize> ReduceWith<Op> for [T; N] {
    const BLOCK: u64 = T::BLOCK;
    #[inline(always)]
    fn identity() -> Self {
        [T::identity(); N]
    }
    #[inline(always)]
    fn start(self) -> Self {
        self.map(T::start)
    }
    #[inline(always)]
    fn with(self, other: Self) -> Self {
        std::array::from_fn(|i| self[i].with(other[i]))
    }
}

/// A built-in operator of the numbers in [`Wrapping`] and [`Saturating`].
trait OfWrapped<T: ?Sized> {
    /// Which one it is.
    const OP: BinOp;
}

macro_rules! of_wrapped {
    ($($op:ident $by:ident on $($of:ident)*;)*) => { $($(
        impl<T> OfWrapped<$of<T>> for op::$op {
            const OP: BinOp = BinOp::$by;
        }
    )*)* };
}
// (A saturating sum of numbers of both signs depends on their order, and `-=` undoes none.)
of_wrapped! {
    Add Add on Wrapping;
    Mul Mul on Wrapping;
    BitAnd BitAnd on Wrapping Saturating;
    BitOr BitOr on Wrapping Saturating;
    BitXor BitXor on Wrapping Saturating;
    Min Lt on Wrapping Saturating;
    Max Gt on Wrapping Saturating;
}

/// The companion of such an operator on the type `W`.
#[allow(clippy::type_complexity)]
struct OnWrapped<Op, W>(PhantomData<fn() -> (Op, W)>);

shows_name!([Op, W] OnWrapped<Op, W>, "OnWrapped");

// SAFETY: the template computes what `ReduceWith::with` computes; the function has no item of its own.
unsafe impl<Op: OfWrapped<W>, W: Value> DeviceFn for OnWrapped<Op, W> {
    fn genuine() -> TypeId {
        TypeId::of::<()>()
    }

    fn describe(cx: &mut Describe) {
        cx.made(of_two(Op::OP));
        cx.slot(Some(W::DESC));
    }
}

macro_rules! reduces_wrapped {
    ($($of:ident)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<Op: OfWrapped<Self>, T: ReduceWith<Op> + Device> ReduceWith<Op> for $of<T> {
            const BLOCK: u64 = T::BLOCK;
            #[inline(always)]
            fn identity() -> Self {
                Self(T::identity())
            }
            #[inline(always)]
            fn start(self) -> Self {
                Self(self.0.start())
            }
            #[inline(always)]
            fn with(self, other: Self) -> Self {
                Self(self.0.with(other.0))
            }
            fn operator(cx: &mut Describe) {
                let callee = cx.callee::<OnWrapped<Op, Self>>();
                let identity = Self(T::identity());
                cx.declared_operator(
                    Some(callee),
                    Some(ConstValue { ty: <Self as Device>::DESC, bytes: konst_bytes(&identity) }),
                );
            }
        }
    )* };
}
reduces_wrapped!(Wrapping Saturating);

/// `s = e ⊕ s` is `s = s ⊕ e`: for built-in operators on the types that have them.
#[diagnostic::on_unimplemented(
    message = "the operator of this reduction need not commute on `{Self}`: the item has to stand on the left [omp::E0502]",
    label = "the item `{Self}` is not the left operand of the operator here",
    note = "help: write `s = s ⊕ e`; only built-in operators on numbers and `bool` may have the item on the right"
)]
pub trait Commutes {}

/// `a ⊕ b` is `b ⊕ a`: the iterations may come in another order.
#[diagnostic::on_unimplemented(
    message = "scan pattern not found: the operator of this reduction need not commute on `{Self}`, but the loops of this nest run in another order [omp::E0506]",
    label = "`{Self}` is reduced in the order of the iterations",
    note = "help: reduce in a nest of its own; a `target` block around both keeps the data on the device"
)]
pub trait TakesAnyOrder {}

#[diagnostic::do_not_recommend]
impl<T: Commutes> TakesAnyOrder for T {}

macro_rules! commutes {
    ($($t:ty)*) => { $(impl Commutes for $t {})* };
}
commutes!(bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64);

impl<T: Commutes, const N: usize> Commutes for [T; N] {}
impl<T: Commutes> Commutes for Wrapping<T> {}
impl<T: Commutes> Commutes for Saturating<T> {}

/// Requires that the operator of an item commutes, if the item has the operator: `(&&Turned::<Op, _>::of(&caught)).omp_commutes()`.
/// A missing operator is reported at the item alone.
pub struct Turned<Op, T>(PhantomData<fn() -> (Op, T)>);

shows_name!([Op, T] Turned<Op, T>, "Turned");

impl<Op, T> Turned<Op, T> {
    /// For the item that was caught there.
    #[inline(always)]
    pub const fn of<C: Caught<Item = T>>(_: &C) -> Self {
        Self(PhantomData)
    }
}

/// It has the operator.
pub trait Turned1<T> {
    /// The question.
    fn omp_commutes(&self)
    where
        T: Commutes;

    /// The question where loops go in another order.
    fn omp_takes_any_order(&self)
    where
        T: TakesAnyOrder;
}

/// It has none.
pub trait Turned0<T> {
    /// Nothing is required.
    fn omp_commutes(&self);

    /// Nothing is required.
    fn omp_takes_any_order(&self);
}

impl<Op, T: ReduceWith<Op>> Turned1<T> for &Turned<Op, T> {
    #[inline(always)]
    fn omp_commutes(&self)
    where
        T: Commutes,
    {
    }

    #[inline(always)]
    fn omp_takes_any_order(&self)
    where
        T: TakesAnyOrder,
    {
    }
}

impl<Op, T> Turned0<T> for Turned<Op, T> {
    #[inline(always)]
    fn omp_commutes(&self) {}
    #[inline(always)]
    fn omp_takes_any_order(&self) {}
}

/// Operands that the built-in operators know: an update of an item by anything else (`f32 += V`) is an operator of the user's, which is not
/// the one that the values of the parts are combined by.
#[diagnostic::on_unimplemented(
    message = "this updates a `{Self}` by a `{Other}`: that is another operator than the one of `{Self}` alone [omp::E0502]",
    label = "an operator of `{Self}` and `{Other}`",
    note = "help: compute a `{Self}` from the `{Other}` first, and update with that"
)]
pub trait UpdatedBy<Other> {}

impl<T> UpdatedBy<T> for T {}

/// What nothing is updated by. It keeps rustc from taking the one type that would do for the one that stands there.
#[derive(Debug)]
pub struct NoOperand<T>(PhantomData<fn() -> T>);

#[diagnostic::do_not_recommend]
impl<T> UpdatedBy<NoOperand<T>> for T {}

macro_rules! updated_by_references {
    ($($t:ty)*) => { $(
        #[diagnostic::do_not_recommend]
        impl UpdatedBy<&$t> for $t {}
        #[diagnostic::do_not_recommend]
        impl UpdatedBy<$t> for &$t {}
    )* };
}
updated_by_references!(bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64);

/// The types of an operator's operands.
#[inline(always)]
pub fn operands_of<O, A, B>(_: &OpSlot<O, A, B>) -> PhantomData<fn() -> (A, B)> {
    PhantomData
}

/// A type whose `a op= b` evaluates `b` first: Rust does so for primitives alone, where both are values.
#[diagnostic::on_unimplemented(
    message = "one side of this update changes what the other reads, and for `{Self}` Rust evaluates the left one first [omp::E0712]",
    label = "both sides have something to do with each other",
    note = "help: compute the right side before: `let e = …;`, then `x[i] += e`, or the index"
)]
pub trait RightFirst {}

macro_rules! right_first {
    ($($t:ty)*) => { $(
        #[diagnostic::do_not_recommend]
        impl RightFirst for $t {}
    )* };
}
right_first!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64 bool);

/// Requires that the operator of two types evaluates the right operand first.
pub fn right_operand_first<A: RightFirst, B: RightFirst>(_: PhantomData<fn() -> (A, B)>) {}

/// Of two values, one is larger or they are equal: `m = if m > e { m } else { e }` is the maximum.
#[diagnostic::on_unimplemented(
    message = "this update of a `{Self}` stores a NaN if an operand is one, and then the result depends on the order of iterations [omp::E0502]",
    label = "an `e` that is NaN is stored here, and forgets what came before",
    note = "help: write `m = m.max(e)` or `if e > m {{ m = e }}`, which pass over NaN (`min` and `<` for the minimum)"
)]
pub trait Ordered {}

macro_rules! ordered {
    ($($t:ty)*) => { $(impl Ordered for $t {})* };
}
ordered!(bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

impl<T: Ordered, const N: usize> Ordered for [T; N] {}

/// The type of the item that was caught there.
#[inline(always)]
pub fn item_of<C: Caught>(_: &C) -> PhantomData<C::Item> {
    PhantomData
}

/// Requires that an item's type is ordered.
#[inline(always)]
pub fn ordered<T: Ordered>(_: PhantomData<T>) {}

/// A declared operator is named once by the clause and once by each update.
#[diagnostic::on_unimplemented(
    message = "this updates the reduction item by `{Self}`, but the clause names `{Named}` [omp::E0502]",
    label = "another operator than the clause names",
    note = "help: call the function that the clause names"
)]
pub trait SameOperator<Named> {}

impl<T> SameOperator<T> for T {}

/// Requires that two companions have one type.
#[inline(always)]
pub fn same_operator<Used: SameOperator<Named>, Named>() {}

/// The built-in operators as values.
pub trait Operator {
    /// Which.
    const OP: ReduceOp;
}

/// Primitive types, with every operator that they have.
pub(super) trait Reducible: Copy {
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
                    $(ReduceOp::$op => Some(<Self as ReduceWith<op::$op>>::identity()),)*
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

/// The operator gives back one of its operands, so what a chunk starts from may be the item itself.
pub(super) const fn starts_from_item(op: ReduceOp) -> bool {
    matches!(op, ReduceOp::Min | ReduceOp::Max)
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

impl<R> fmt::Debug for Fold<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fold of {}", self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::loops::parallel::Nature;
    use crate::host::loops::schedule::Schedule;
    use crate::host::reduction::items::{Item, Known, Open, by};

    #[test]
    fn identities_change_nothing() {
        macro_rules! check {
            ($($op:ident, $v:expr);*) => { $(
                let v = $v;
                assert_eq!(by::<op::$op, _>(&v).omp_with(by::<op::$op, _>(&v).omp_start(&v), v), v);
                assert_eq!(by::<op::$op, _>(&v).omp_with(v, by::<op::$op, _>(&v).omp_start(&v)), v);
                let open = Item::<op::$op, _>::of(&v);
                assert_eq!(Open::omp_with(&open, Open::omp_start(&open, &v), v), v);
            )* };
        }
        check!(Add, -7i8; Add, 1.5f32; Mul, u64::MAX; Mul, -0.5f64; Min, i64::MAX; Max, i16::MIN; Min, f32::MAX);
        check!(Max, f64::MIN; BitAnd, 0x5au8; BitOr, -1i32; BitXor, 9usize; And, false; Or, true; BitXor, true);
        check!(Add, 3i64; Max, -1.0f32);
        assert_eq!(Open::omp_start(&Item::<op::Mul, _>::of(&7u8), &7), 1);
        assert_eq!(Open::omp_start(&Item::<op::Min, _>::of(&7f64), &7.0), 7.0);
        assert_eq!(
            (
                by::<op::Add, _>(&0f32).omp_block(),
                by::<op::Max, _>(&0f32).omp_block(),
                by::<op::Mul, _>(&1u8).omp_block(),
                Open::omp_block(&Item::<op::Add, _>::of(&0f32)),
                by::<op::Add, _>(&[[0f64; 2]; 2]).omp_block(),
            ),
            (64, u64::MAX, u64::MAX, 64, 64)
        );
        assert!(
            ReduceWith::<op::Add>::with(<f32 as ReduceWith<op::Add>>::identity(), -0.0).is_sign_negative(),
            "the sum of -0.0 alone"
        );
        assert_eq!(ReduceWith::<op::Add>::with([[1u8, 2]; 2], [[3, 255]; 2]), [[4, 1]; 2]);
    }

    /// What generated code does for one item, in blocks.
    fn in_blocks(x: &[f64], first: f64, step: impl Fn(f64, f64) -> f64 + Sync) -> f64 {
        let body = |lo: u64, hi: u64| {
            let mut m = ReduceWith::<op::Max>::start(first);
            for &e in &x[lo as usize..hi as usize] {
                m = step(m, e);
            }
            ReduceWith::<op::Max>::start(m)
        };
        let join = |a, b| ReduceWith::<op::Max>::with(a, b);
        join(
            first,
            crate::host::loops::parallel::reduce(
                (Schedule::Auto, Nature::default()),
                x.len() as u64,
                3,
                4,
                body,
                join,
            ),
        )
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
