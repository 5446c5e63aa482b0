//! The number of operations of a launch, for the roofline of reports.
use super::plan::LaunchFacts;
use crate::ids::ExprId;
use crate::kernel::{Callee, Kernel};
use crate::method::{FloatMethod, Method};
use crate::template::{BinOp, Block, Expr, Stmt, UnOp};
use crate::visit;

/// Additions, subtractions, multiplications, divisions and methods of floats in all iterations of a launch; a `mul_add` is two. Of an
/// `if` both branches count unless sizes decide it, so the number is an upper bound. `None` where the trip counts are not known from the launch's numbers
/// (`while`, bounds that depend on data, inner nests) or a device function is called.
#[must_use]
pub fn operations(kernel: &Kernel, facts: &LaunchFacts) -> Option<u64> {
    let mut counter = Counter { kernel, facts, next_loop: kernel.template.dims.len() };
    counter.block(&kernel.body.code.block, facts.total?)
}

struct Counter<'a> {
    kernel: &'a Kernel,
    facts: &'a LaunchFacts,
    /// The position in [`Nest::loops`](super::plan::Nest::loops) of the next sequential loop.
    next_loop: usize,
}

impl Counter<'_> {
    fn block(&mut self, block: &Block, times: u64) -> Option<u64> {
        block.0.iter().try_fold(0u64, |sum, stmt| sum.checked_add(self.stmt(stmt, times)?))
    }

    /// The value of a condition that has one in all iterations.
    fn decided(&self, cond: ExprId) -> Option<bool> {
        self.facts.nest.as_ref()?.decided.get(&cond).copied()
    }

    fn stmt(&mut self, stmt: &Stmt, times: u64) -> Option<u64> {
        let inner = match stmt {
            Stmt::For { body, .. } => {
                let nest = self.facts.nest.as_ref()?;
                if nest.limits.contains_key(&u32::try_from(self.next_loop).ok()?) {
                    return None;
                }
                let trips = nest.loops.get(self.next_loop)?.count;
                self.next_loop += 1;
                self.block(body, times.checked_mul(trips)?)?
            }
            Stmt::Loop { .. } | Stmt::Inner(_) => return None,
            Stmt::If { cond, then, els } if let Some(holds) = self.decided(*cond) => {
                self.block(if holds { then } else { els }, times)?
            }
            Stmt::If { .. } | Stmt::Labelled { .. } | Stmt::Atomic { .. } => visit::blocks_of(stmt)
                .into_iter()
                .flatten()
                .try_fold(0u64, |sum, block| sum.checked_add(self.block(block, times)?))?,
            // A check's expressions are evaluated by the statement that it guards.
            Stmt::Check { .. } => return Some(0),
            Stmt::Let { .. }
            | Stmt::Assign { .. }
            | Stmt::Eval(_)
            | Stmt::Break(_)
            | Stmt::Continue(_)
            | Stmt::Return(_) => 0,
        };
        let mut own = Some(0u64);
        visit::of_stmt(stmt, &mut |root| {
            visit::each_expr(&self.kernel.body.code, root, &mut |e| {
                own = own.zip(self.expr(e)).and_then(|(sum, n)| sum.checked_add(n));
            });
        });
        inner.checked_add(own?.checked_mul(times)?)
    }

    /// Of one expression without its operands.
    fn expr(&self, e: ExprId) -> Option<u64> {
        let body = &self.kernel.body;
        let is_float = |e: &ExprId| {
            self.kernel.types.prim(body.expr_ty[e.index()]).is_some_and(crate::desc::Prim::is_float)
        };
        match &body.code.exprs[e.index()].expr {
            Expr::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Rem, a, _) => {
                Some(u64::from(is_float(a)))
            }
            Expr::Unary(UnOp::Neg, a) => Some(u64::from(is_float(a))),
            Expr::Call { call, .. } => match (&body.calls[call.index()], &body.methods[call.index()]) {
                (Callee::Fn(_), _) => None,
                (Callee::Builtin, Some(Method::Float(FloatMethod::MulAdd))) => Some(2),
                (Callee::Builtin, Some(Method::Float(_))) => Some(1),
                (Callee::Builtin, _) => Some(0),
            },
            _ => Some(0),
        }
    }
}
