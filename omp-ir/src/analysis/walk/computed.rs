//! Integers of 64 bits that kernels may compute in 32: signed offsets, quotients and remainders, and what is compared with them. (Subscripts
//! that are sums of products stay as they are: compilers make pointers of them.)
use super::Walker;
use crate::analysis::survey::{Computed, Known, Oracle};
use crate::ids::{CallId, ExprId, LocalId};
use crate::method::{IntMethod, Method};
use crate::template::{Base, BinOp, Expr, LocalKind, Place};
use crate::visit;

impl<'a, O: Oracle<'a>> Walker<'a, O> {
    /// The value of a variable that has no other one.
    pub(super) fn computed_variable(&mut self, local: LocalId, value: ExprId) {
        let of = &self.code.locals[local.index()];
        let fixed = !of.mutable && matches!(of.kind, LocalKind::User | LocalKind::Temp);
        if fixed && self.is_wide(value) && self.is_of_interest(value) {
            self.short.insert(local);
            self.computed(value);
        }
    }

    /// The operands of a division, or of a comparison of such values.
    pub(super) fn computed_operands(&mut self, op: BinOp, operands: [ExprId; 2]) {
        match op {
            BinOp::Div | BinOp::Rem => self.computed_together(true, &operands),
            BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => {
                self.computed_together(false, &operands);
            }
            _ => {}
        }
    }

    /// The same of methods.
    pub(super) fn computed_arguments(&mut self, call: CallId, args: &[ExprId]) {
        match self.oracle.method(call, &self.code.calls[call.index()].name, args.len()) {
            Some(Method::Int(IntMethod::RemEuclid | IntMethod::DivEuclid)) => {
                self.computed_together(true, args);
            }
            Some(Method::Int(IntMethod::Min | IntMethod::Max | IntMethod::Clamp)) => {
                self.computed_together(false, args);
            }
            _ => {}
        }
    }

    fn computed_together(&mut self, divides: bool, of: &[ExprId]) {
        if of.iter().all(|e| self.is_wide(*e)) && (divides || of.iter().any(|e| self.is_of_interest(*e))) {
            of.iter().for_each(|e| self.computed(*e));
        }
    }

    fn computed(&mut self, expr: ExprId) {
        // Others have 32 bits, or none at all, by themselves.
        let by_itself = match &self.code.exprs[expr.index()].expr {
            Expr::Int { .. } => true,
            Expr::Load(Place { base: Base::Local(l), projections }) => {
                projections.is_empty()
                    && (self.short.contains(l) || self.code.locals[l.index()].kind == LocalKind::Loop)
            }
            _ => false,
        };
        // (Where overflow is checked, all arithmetic is of its own type.)
        if !by_itself && self.frame.is_none() && self.oracle.typed() && !self.oracle.checks_overflow() {
            let value = self.node(expr);
            self.out.computed.push(Computed { expr, value, ctx: self.ctx });
        }
    }

    fn is_wide(&self, e: ExprId) -> bool {
        matches!(self.oracle.expr(e), Known::Prim(p) if p.is_int() && p.size() == 8)
    }

    /// Whether it is made of signed numbers of 64 bits, of quotients, or of variables with such values.
    fn is_of_interest(&self, e: ExprId) -> bool {
        let mut found = false;
        visit::each_expr(self.code, e, &mut |e| {
            found |= match &self.code.exprs[e.index()].expr {
                Expr::Int { .. } => false,
                Expr::Binary(BinOp::Div | BinOp::Rem, ..) => self.is_wide(e),
                Expr::Load(Place { base: Base::Local(l), projections })
                    if projections.is_empty() && self.short.contains(l) =>
                {
                    true
                }
                _ => {
                    matches!(self.oracle.expr(e), Known::Prim(p) if p.is_signed() && p.is_int() && p.size() == 8)
                }
            };
        });
        found
    }
}
