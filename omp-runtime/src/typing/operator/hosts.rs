//! Operators that the host has. If the host lacks an operator, rustc reports that. So generated code reports only
//! operators that the host has and that are no device functions: `(&&&OpW(&slot)).omp_operator(cx)`.
use super::{HasDeviceOp, HasUnaryOp, OpSlot, OpW, ops};
use crate::host::reduction::reduce::UpdatedBy;
use crate::typing::describe::Describe;
use std::cmp::{PartialEq, PartialOrd};
use std::ops as host;

/// An operator `O` of std that the host has.
pub trait HostOp<O, B> {}

macro_rules! host_ops {
    ($($of:ident)*) => { $(
        impl<A: host::$of<B>, B> HostOp<ops::$of, B> for A {}
    )* };
}
host_ops!(Add Sub Mul Div Rem BitAnd BitOr BitXor Shl Shr);
host_ops!(AddAssign SubAssign MulAssign DivAssign RemAssign BitAndAssign BitOrAssign BitXorAssign ShlAssign ShrAssign);

impl<A: host::Neg> HostOp<ops::Neg, ()> for A {}
impl<A: host::Not> HostOp<ops::Not, ()> for A {}
impl<A: PartialEq<B>, B> HostOp<ops::Eq, B> for A {}

macro_rules! orders {
    ($($of:ident)*) => { $(
        impl<A: PartialOrd<B>, B> HostOp<ops::$of, B> for A {}
    )* };
}
orders!(Lt Le Gt Ge);

/// An operator of a device.
pub trait AskOp1 {
    /// Describes the operator.
    fn omp_operator(&self, cx: &mut Describe);
}

/// An operator of the host, which is an error.
pub trait AskOp0<O, A, B> {
    /// Describes the operator.
    fn omp_operator(&self, cx: &mut Describe)
    where
        A: HasDeviceOp<O, B>;
}

/// No operator, as rustc says.
pub trait AskOpNone {
    /// Describes nothing.
    fn omp_operator(&self, _: &mut Describe) {}
}

impl<O, A: HasDeviceOp<O, B>, B> AskOp1 for &&OpW<'_, OpSlot<O, A, B>> {
    fn omp_operator(&self, cx: &mut Describe) {
        cx.operator(self.0);
    }
}

impl<O, A: HostOp<O, B>, B> AskOp0<O, A, B> for &OpW<'_, OpSlot<O, A, B>> {
    fn omp_operator(&self, cx: &mut Describe)
    where
        A: HasDeviceOp<O, B>,
    {
        cx.operator(self.0);
    }
}

impl<S> AskOpNone for OpW<'_, S> {}

/// The same of operators with one operand.
pub trait AskUnary1 {
    /// Describes the operator.
    fn omp_unary(&self, cx: &mut Describe);
}

/// An operator of the host, which is an error.
pub trait AskUnary0<O, A> {
    /// Describes the operator.
    fn omp_unary(&self, cx: &mut Describe)
    where
        A: HasUnaryOp<O>;
}

/// No operator, as rustc says.
pub trait AskUnaryNone {
    /// Describes nothing.
    fn omp_unary(&self, _: &mut Describe) {}
}

impl<O, A: HasUnaryOp<O>> AskUnary1 for &&OpW<'_, OpSlot<O, A, ()>> {
    fn omp_unary(&self, cx: &mut Describe) {
        cx.unary_operator(self.0);
    }
}

impl<O, A: HostOp<O, ()>> AskUnary0<O, A> for &OpW<'_, OpSlot<O, A, ()>> {
    fn omp_unary(&self, cx: &mut Describe)
    where
        A: HasUnaryOp<O>,
    {
        cx.unary_operator(self.0);
    }
}

impl<S> AskUnaryNone for OpW<'_, S> {}

/// That the operands of an update are of one type.
pub trait AskSame1<A, B> {
    /// Requires that they are.
    fn omp_same(&self)
    where
        A: UpdatedBy<B>;
}

/// No operator, as rustc says.
pub trait AskSame0 {
    /// Requires nothing.
    fn omp_same(&self) {}
}

impl<O, A: HostOp<O, B>, B> AskSame1<A, B> for &OpW<'_, OpSlot<O, A, B>> {
    fn omp_same(&self)
    where
        A: UpdatedBy<B>,
    {
    }
}

impl<S> AskSame0 for OpW<'_, S> {}
