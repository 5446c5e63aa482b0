//! Bounds of floating-point numbers that become indices: of `x.clamp(0.0, (n - 1) as f32) as usize`, say. What a number is, no form says; but
//! what it is clamped to, and what it is the least or the greatest of, are often integers.
use super::form::{Arith, NodeId, Op};
use super::survey::{Known, Oracle};
use super::value::Value;
use super::walk::Walker;
use crate::desc::Prim;
use crate::ids::ExprId;
use crate::template::Expr;

/// The type of bounds: no number of the kernel's has it, so nothing wraps in their arithmetic.
const BOUND: Option<Prim> = Some(Prim::U128);

/// Integers between which a number is, unless it is NaN.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Bounded {
    lo: Option<NodeId>,
    hi: Option<NodeId>,
    /// It is not NaN.
    number: bool,
    /// What stands for it where it is compared.
    pub node: Option<NodeId>,
}

impl Bounded {
    /// With what stands for it.
    pub fn named(self, node: NodeId) -> Self {
        Self { node: Some(node), ..self }
    }
}

impl<'a, O: Oracle<'a>> Walker<'a, O> {
    /// The bounds of a number of this type, where there are any.
    pub(super) fn float(&mut self, e: ExprId, ty: Prim) -> Option<Bounded> {
        let code = self.code;
        match &code.exprs[e.index()].expr {
            Expr::Load(place) if place.projections.is_empty() => {
                match self.load_local(place.base.local()?, &[]) {
                    Value::Float(of) => Some(of),
                    _ => None,
                }
            }
            Expr::Float { digits, negative, ty: _ } => {
                // Of this size, what the type holds in its place is between the same integers.
                let value = digits.parse::<f64>().ok().filter(|v| v.abs() < 1e6)?;
                let value = if *negative { -value } else { value };
                let mut whole = |v: f64| self.out.forms.constant(v as i128, BOUND);
                Some(Bounded {
                    lo: Some(whole(value.floor())),
                    hi: Some(whole(value.ceil())),
                    number: true,
                    node: None,
                })
            }
            Expr::Cast { value, ty: _ } => {
                let Known::Prim(from) = self.oracle.expr(*value) else { return None };
                if from.is_float() {
                    // To another precision.
                    return None;
                }
                from.int_range()?;
                let n = self.node(*value);
                Some(self.rounded(n, ty))
            }
            Expr::Call { call, args } if self.oracle.builtin(*call) && code.calls[call.index()].method => {
                let name = code.calls[call.index()].name.as_str();
                let args: Vec<_> = args.iter().map(|arg| self.float(*arg, ty).unwrap_or_default()).collect();
                match (name, &args[..]) {
                    // Bounds of which one is NaN, or which are the wrong way round, are a panic.
                    ("clamp", [x, lo, hi]) => {
                        Some(Bounded { lo: lo.lo, hi: hi.hi, number: x.number, node: None })
                    }
                    // The other one, if one is NaN.
                    ("min", [a, b]) => {
                        let hi = match (a, b) {
                            (a, b) if b.number && b.hi.is_some() => {
                                self.least(a.hi.filter(|_| a.number), b.hi)
                            }
                            (a, b) if a.number => self.least(a.hi, b.hi.filter(|_| b.number)),
                            _ => None,
                        };
                        let lo = self.both(Arith::Min, a.lo, b.lo);
                        Some(Bounded { lo, hi, number: a.number || b.number, node: None })
                    }
                    ("max", [a, b]) => {
                        let lo = match (a, b) {
                            (a, b) if b.number && b.lo.is_some() => {
                                self.greatest(a.lo.filter(|_| a.number), b.lo)
                            }
                            (a, b) if a.number => self.greatest(a.lo, b.lo.filter(|_| b.number)),
                            _ => None,
                        };
                        let hi = self.both(Arith::Max, a.hi, b.hi);
                        Some(Bounded { lo, hi, number: a.number || b.number, node: None })
                    }
                    ("floor" | "ceil" | "trunc" | "round", [x]) => Some(Bounded { node: None, ..*x }),
                    _ => None,
                }
            }
            _ => None,
        }
        .filter(|of| of.lo.is_some() || of.hi.is_some())
    }

    /// The bounds of an integer that has become a number of this type, which may be the next one that the type has.
    fn rounded(&mut self, n: NodeId, ty: Prim) -> Bounded {
        let bits = self.out.forms.constant(if ty == Prim::F32 { 23 } else { 52 }, BOUND);
        let negative = self.out.forms.add(Op::Neg(n), BOUND);
        let size = self.bin(Arith::Max, n, negative, BOUND);
        let more = self.bin(Arith::Shr, size, bits, BOUND);
        let (lo, hi) = (self.bin(Arith::Sub, n, more, BOUND), self.bin(Arith::Add, n, more, BOUND));
        Bounded { lo: Some(lo), hi: Some(hi), number: true, node: None }
    }

    fn both(&mut self, op: Arith, a: Option<NodeId>, b: Option<NodeId>) -> Option<NodeId> {
        Some(self.bin(op, a?, b?, BOUND))
    }

    /// The smaller one of the bounds that there are.
    fn least(&mut self, a: Option<NodeId>, b: Option<NodeId>) -> Option<NodeId> {
        self.both(Arith::Min, a, b).or(a).or(b)
    }

    fn greatest(&mut self, a: Option<NodeId>, b: Option<NodeId>) -> Option<NodeId> {
        self.both(Arith::Max, a, b).or(a).or(b)
    }

    /// What a number is as an integer: NaN is 0, and what the type does not have is its least or greatest value.
    pub(super) fn truncated(&mut self, of: Bounded, to: Prim) -> NodeId {
        let reason = "it is converted from something that is no integer";
        let mut n = self.out.forms.opaque(reason.into(), Some(to));
        let zero = self.out.forms.constant(0, BOUND);
        if let Some(hi) = of.hi {
            let hi = self.bin(Arith::Max, hi, zero, BOUND);
            n = self.bin(Arith::AtMost, n, hi, Some(to));
        }
        if let Some(lo) = of.lo {
            let lo = self.bin(Arith::Min, lo, zero, BOUND);
            n = self.bin(Arith::AtLeast, n, lo, Some(to));
        }
        n
    }
}
