//! Operators of user types: what stands in the template as an operator becomes a call of the device function that rustc
//! found for it.
use super::TypeError;
use super::typer::Typer;
use crate::ir::desc::Prim;
use crate::ir::ids::{CallId, ExprId, SrcId, TyId};
use crate::ir::kernel::{Callee, Ty};
use crate::ir::template::{Block, Check, Expr, ExprNode, Operator, Place, Stmt, UnOp};
use crate::ir::visit;

impl Typer<'_> {
    /// The call that operator `id` stands for, unless it is a built-in one.
    fn operator(&mut self, id: ExprId, operands: &[ExprId]) -> Result<Option<Operator>, TypeError> {
        for &e in operands {
            self.expr(e)?;
        }
        let builtin = operands.iter().all(|e| {
            let ty = self.parts.exprs[e.index()];
            ty.is_none_or(|ty| matches!(self.world.types.get(ty), Ty::Prim(_) | Ty::Never))
        });
        if builtin {
            return Ok(None);
        }
        let asked = self.code.operators.iter().find(|o| o.expr == id).copied();
        Ok(asked.filter(|o| matches!(self.callee(o.call.index()), Some(Callee::Fn(_)))))
    }

    /// The type of an operator of a user's type, which becomes a call; `None` if it is a built-in one.
    pub fn overloaded(
        &mut self,
        id: ExprId,
        operands: &[ExprId],
        negated: bool,
        src: SrcId,
    ) -> Result<Option<TyId>, TypeError> {
        let Some(operator) = self.operator(id, operands)?.filter(|o| !o.assigns) else { return Ok(None) };
        let (ret, call) = self.called(operator.call, operands.to_vec(), src)?;
        let call = if negated {
            let call = self.add(call, ret, src);
            Expr::Unary(UnOp::Not, call)
        } else {
            call
        };
        self.parts.rewrites.push((id, call));
        Ok(Some(ret))
    }

    /// `place op= value` of a user's type: the statement becomes a call.
    pub fn assigns_by_call(&mut self, place: &Place, value: ExprId, src: SrcId) -> Result<bool, TypeError> {
        let Expr::Binary(_, old, new) = self.code.exprs[value.index()].expr else { return Ok(false) };
        let Some(operator) = self.operator(value, &[old, new])?.filter(|o| o.assigns) else {
            return Ok(false);
        };
        let ty = self.expr(old)?;
        let target = self.add(Expr::Borrow(place.clone()), ty, src);
        let (ret, call) = self.called(operator.call, vec![target, new], src)?;
        self.parts.exprs[value.index()] = Some(ret);
        self.parts.rewrites.push((value, call));
        self.parts.assigned_by.push(value);
        Ok(true)
    }

    fn called(&mut self, call: CallId, args: Vec<ExprId>, src: SrcId) -> Result<(TyId, Expr), TypeError> {
        let Some(Callee::Fn(f)) = self.callee(call.index()) else { unreachable!("seen by `operator`") };
        let ret = self.call_fn(f, &args, src)?;
        Ok((ret, Expr::Call { call, args }))
    }

    /// A new expression of a known type.
    pub(super) fn add(&mut self, expr: Expr, ty: TyId, src: SrcId) -> ExprId {
        self.parts.added.push(ExprNode { expr, src });
        self.parts.exprs.push(Some(ty));
        ExprId::new(self.parts.exprs.len() - 1)
    }

    /// An expression of the template, or one that was added.
    pub fn node(&self, id: ExprId) -> &ExprNode {
        let of_template = self.code.exprs.len();
        match id.index().checked_sub(of_template) {
            Some(at) => &self.parts.added[at],
            None => &self.code.exprs[id.index()],
        }
    }

    /// Turns assignments into calls, and drops the checks of divisions that are none of numbers.
    pub fn settle_operators(&self, block: &mut Block) {
        block.0.retain_mut(|stmt| {
            match stmt {
                Stmt::Assign { value, .. } if self.parts.assigned_by.contains(value) => {
                    *stmt = Stmt::Eval(*value);
                }
                Stmt::Check { check: Check::Divide { access: _, rem: _, lhs, rhs }, src: _ } => {
                    let number = |e: ExprId| self.prim_of(e).is_some();
                    return number(*lhs) && number(*rhs);
                }
                _ => {}
            }
            for inner in visit::blocks_of_mut(stmt).into_iter().flatten() {
                self.settle_operators(inner);
            }
            true
        });
    }

    fn prim_of(&self, e: ExprId) -> Option<Prim> {
        self.parts.exprs[e.index()].and_then(|ty| self.world.types.prim(ty))
    }
}
