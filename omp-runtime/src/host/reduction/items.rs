//! How generated code finds the operator of a reduction item: by the item's type if it is known, otherwise by the result of
//! finalisation.
use super::reduce::{Operator, ReduceWith, Reducible, starts_from_item};
use crate::typing::{Arr, DeclaredReduction, Describe, Slot, Value};
use omp_ir::desc::{Prim, TypeDesc};
use omp_ir::template::ReduceOp;
use std::marker::PhantomData;

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
                // Nothing is reduced of these.
                Prim::Char | Prim::U128 => None,
            },
            TypeDesc::Unit
            | TypeDesc::Array { .. }
            | TypeDesc::Struct(_)
            | TypeDesc::Enum(_)
            | TypeDesc::Data(_)
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

/// How items like this are combined, where rustc knows that they are. (Of an opaque type, so that a type without the
/// operator is one error.)
#[inline(always)]
pub const fn by<Op, T: ReduceWith<Op> + Copy>(_like: &T) -> impl Known<T> + use<Op, T> {
    By::<Op, T>(PhantomData)
}

/// What [`by`] gives.
struct By<Op, T>(PhantomData<fn() -> (Op, T)>);

impl<Op, T: ReduceWith<Op> + Copy> Known<T> for By<Op, T> {
    #[inline(always)]
    fn omp_known(&self) -> bool {
        true
    }
    #[inline(always)]
    fn omp_neutral(&self) -> T {
        T::identity()
    }
    #[inline(always)]
    fn omp_start(&self, item: &T) -> T {
        item.start()
    }
    #[inline(always)]
    fn omp_with(&self, a: T, b: T) -> T {
        a.with(b)
    }
    #[inline(always)]
    fn omp_block(&self) -> u64 {
        T::BLOCK
    }
}

/// The same questions in a generic function, where an item's type may be open: `(&&Item::<Op, _>::of(&item)).start(…)`
/// finds [`Known`] where the type has the operator for sure, and else [`Open`], which trusts finalisation.
pub struct Item<Op, T>(PhantomData<fn() -> (Op, T)>);

impl<Op, T> Item<Op, T> {
    /// For items like this.
    #[inline(always)]
    #[must_use]
    pub const fn of(_like: &T) -> Self {
        Self(PhantomData)
    }

    /// Requires that the type has the operator.
    #[inline(always)]
    pub const fn omp_asked(&self)
    where
        T: ReduceWith<Op>,
    {
    }

    /// For items whose type was caught there.
    #[inline(always)]
    #[must_use]
    pub const fn caught<C: Caught<Item = T>>(_: &C) -> Self {
        Self(PhantomData)
    }
}

shows_name!([Op, T] Item<Op, T>, "Item");

/// For types that have the operator.
pub trait Known<T> {
    /// That there is such an operator, so that nothing else panics.
    fn omp_known(&self) -> bool;
    /// See [`ReduceWith::identity`].
    fn omp_neutral(&self) -> T;
    /// See [`ReduceWith::start`].
    fn omp_start(&self, item: &T) -> T;
    /// See [`ReduceWith::with`].
    fn omp_with(&self, a: T, b: T) -> T;
    /// See [`ReduceWith::BLOCK`].
    fn omp_block(&self) -> u64;
}

impl<Op, T: ReduceWith<Op> + Copy> Known<T> for &Item<Op, T> {
    #[inline(always)]
    fn omp_known(&self) -> bool {
        true
    }
    #[inline(always)]
    fn omp_neutral(&self) -> T {
        T::identity()
    }
    #[inline(always)]
    fn omp_start(&self, item: &T) -> T {
        By::<Op, T>(PhantomData).omp_start(item)
    }
    #[inline(always)]
    fn omp_with(&self, a: T, b: T) -> T {
        By::<Op, T>(PhantomData).omp_with(a, b)
    }
    #[inline(always)]
    fn omp_block(&self) -> u64 {
        By::<Op, T>(PhantomData).omp_block()
    }
}

/// For type parameters of generic functions, whose types are known when the function runs.
///
/// # Panics
/// When the type has no such operator, except in `omp_known`. Finalisation then refuses the region for a device.
pub trait Open<T> {
    /// Whether there is such an operator. Otherwise the loop has to run serially.
    fn omp_known(&self) -> bool;
    /// See [`ReduceWith::identity`].
    fn omp_neutral(&self) -> T;
    /// See [`ReduceWith::start`].
    fn omp_start(&self, item: &T) -> T;
    /// See [`ReduceWith::with`].
    fn omp_with(&self, a: T, b: T) -> T;
    /// See [`ReduceWith::BLOCK`].
    fn omp_block(&self) -> u64;
}

/// A parallel loop with an item whose type has no operator.
#[cold]
fn no_operator<Op: Operator, T>() -> ! {
    panic!(
        "`{}` is no type that `{}` reduces, as far as a generic function knows: numbers, and types for which \
         `declare_reduction` says how and that have no parameters of their own, or one, which is a number",
        std::any::type_name::<T>(),
        Op::OP.symbol(),
    )
}

impl<Op: Operator, T: Value> Open<T> for Item<Op, T> {
    #[inline(always)]
    fn omp_known(&self) -> bool {
        let found = as_primitive!(T, P => <P as Reducible>::identity(Op::OP).map(same::<P, T>));
        found.is_some() || T::reduction(Op::OP).is_some()
    }
    #[inline(always)]
    fn omp_start(&self, item: &T) -> T {
        if starts_from_item(Op::OP) { *item } else { self.omp_neutral() }
    }
    #[inline(always)]
    fn omp_neutral(&self) -> T {
        let found = as_primitive!(T, P => <P as Reducible>::identity(Op::OP).map(same::<P, T>));
        found
            .or_else(|| T::reduction(Op::OP).map(|r| (r.identity)()))
            .unwrap_or_else(|| no_operator::<Op, T>())
    }
    #[inline(always)]
    fn omp_with(&self, a: T, b: T) -> T {
        let sum = as_primitive!(T, P => Reducible::with(same::<T, P>(a), Op::OP, same::<T, P>(b)).map(same::<P, T>));
        sum.or_else(|| T::reduction(Op::OP).map(|r| (r.with)(a, b))).unwrap_or_else(|| no_operator::<Op, T>())
    }
    #[inline(always)]
    fn omp_block(&self) -> u64 {
        let float = matches!(T::DESC, TypeDesc::Prim(p) if p.is_float());
        if float && matches!(Op::OP, ReduceOp::Add | ReduceOp::Mul) { 64 } else { u64::MAX }
    }
}

/// Whether `T: ReduceWith<Op>`, checked where both are known: `(&ReducedW::<Op, T>::NEW).omp_reduction()`.
pub struct ReducedW<Op, T>(PhantomData<fn() -> (Op, T)>);

impl<Op, T> ReducedW<Op, T> {
    /// The question.
    pub const NEW: Self = Self(PhantomData);
}

shows_name!([Op, T] ReducedW<Op, T>, "ReducedW");

/// It is.
pub trait Reduced1<T> {
    /// How.
    fn omp_reduction(&self) -> Option<DeclaredReduction<T>>;
}

/// It is not.
pub trait Reduced0<T> {
    /// None.
    fn omp_reduction(&self) -> Option<DeclaredReduction<T>>;
}

impl<Op, T: ReduceWith<Op>> Reduced1<T> for ReducedW<Op, T> {
    fn omp_reduction(&self) -> Option<DeclaredReduction<T>> {
        Some(DeclaredReduction { identity: T::identity, with: T::with, operator: T::operator })
    }
}

impl<Op, T> Reduced0<T> for &ReducedW<Op, T> {
    fn omp_reduction(&self) -> Option<DeclaredReduction<T>> {
        None
    }
}

/// Where the type of an item is caught.
pub trait Caught {
    /// The type of the item, or of an array's elements.
    type Item;
}

impl<T> Caught for Slot<T> {
    type Item = T;
}

impl<T> Caught for Arr<T> {
    type Item = T;
}

/// Describes the operator of an item: `(&&&OperatorOf::<Op, _>::new(&slot)).omp_tell(cx)`.
pub struct OperatorOf<Op, T>(PhantomData<fn() -> (Op, T)>);

impl<Op, T> OperatorOf<Op, T> {
    /// Of the item that was caught there.
    #[inline(always)]
    pub const fn new<C: Caught<Item = T>>(_: &C) -> Self {
        Self(PhantomData)
    }
}

shows_name!([Op, T] OperatorOf<Op, T>, "OperatorOf");

/// The type has the operator.
pub trait TellOperator {
    /// Describes it.
    fn omp_tell(&self, cx: &mut Describe);
}

impl<Op, T: ReduceWith<Op>> TellOperator for &&OperatorOf<Op, T> {
    fn omp_tell(&self, cx: &mut Describe) {
        T::operator(cx);
    }
}

/// The type is a type parameter, and describes itself.
pub trait TellOpenOperator {
    /// Describes it.
    fn omp_tell(&self, cx: &mut Describe);
}

impl<Op: Operator, T: Value> TellOpenOperator for &OperatorOf<Op, T> {
    fn omp_tell(&self, cx: &mut Describe) {
        match T::reduction(Op::OP) {
            Some(declared) => (declared.operator)(cx),
            None => cx.builtin_operator(),
        }
    }
}

/// Finalisation will judge.
pub trait TellNoOperator {
    /// Describes nothing.
    fn omp_tell(&self, cx: &mut Describe);
}

impl<Op, T> TellNoOperator for OperatorOf<Op, T> {
    fn omp_tell(&self, cx: &mut Describe) {
        cx.builtin_operator();
    }
}
