//! Induction variables: what every iteration of a loop changes by the same amount is a formula of the loop's variable, also where its
//! start comes from data. In a nest, an inner loop changes it by its trip count times the amount of its own iterations.
use super::Walker;
use crate::analysis::form::{Arith, NodeId, Op, Rel, VarId};
use crate::analysis::survey::{Adapt, LoopVar, Oracle};
use crate::analysis::value::Value;
use crate::desc::Prim;
use crate::flow::early_exit::{breaks, continues};
use crate::flow::{effects, slices};
use crate::ids::{ExprId, LabelId, LocalId};
use crate::template::{Adaptor, Base, BinOp, Block, Expr, Range, Stmt};
use crate::visit;
use std::collections::HashSet;

/// By how much an iteration changes a variable.
#[derive(Debug, Clone, Copy, Default)]
struct Step {
    up: Option<NodeId>,
    down: Option<NodeId>,
}

/// A variable that each iteration of a loop changes by the same amount.
#[derive(Debug)]
pub(super) struct Induction {
    pub(super) local: LocalId,
    start: NodeId,
    step: Step,
}

/// What a loop's body changes and binds: an expression without them has the same value in all of the loop.
struct Changes {
    changed: HashSet<Base>,
    bound: HashSet<LocalId>,
}

impl<'a, O: Oracle<'a>> Walker<'a, O> {
    /// The induction variables of a loop that is about to start.
    pub(super) fn inductions(
        &mut self,
        var: VarId,
        counter: LocalId,
        (body, label): (&Block, LabelId),
    ) -> Vec<Induction> {
        let LoopVar { lo, ref adaptors, ty, .. } = self.out.vars[var.index()];
        // The iterations of an inner nest have no order. (With a sign, the distance from the start might not be in the type.)
        let ordered = self.opening.is_empty() && matches!(adaptors[..], [] | [Adapt::Rev]);
        let fits =
            ty.is_none_or(|ty| !ty.is_signed() || self.out.forms.as_constant(lo).is_some_and(|lo| lo >= 0));
        if !ordered || !fits || continues(body, label) {
            return Vec::new();
        }
        let mut bound = effects::bound_in(body);
        bound.insert(counter);
        let changes = Changes { changed: effects::changed(self.code, body), bound };
        let mut found = Vec::new();
        for local in effects::assigned(self.code, body) {
            let Some(Value::Node(start)) = self.env.get(&local) else { continue };
            let (start, mut step) = (*start, Step::default());
            if !changes.bound.contains(&local) && self.steps(local, body, &changes, &mut step).is_some() {
                found.push(Induction { local, start, step });
            }
        }
        found
    }

    /// Adds what a block changes a variable by. `None`: it does not change it by the same amount each time.
    fn steps(&mut self, local: LocalId, block: &Block, within: &Changes, step: &mut Step) -> Option<()> {
        let code = self.code;
        let ty = self.local_ty(local);
        for stmt in &block.0 {
            match stmt {
                Stmt::Assign { place, value, src: _ } if slices::whole(place) == Some(local) => {
                    let Expr::Binary(op, a, b) = code.exprs[value.index()].expr else { return None };
                    let of = |e: ExprId| code.exprs[e.index()].expr == Expr::Load(Base::Local(local).into());
                    let (by, total) = match op {
                        BinOp::Add if of(a) => (b, &mut step.up),
                        BinOp::Add if of(b) => (a, &mut step.up),
                        BinOp::Sub if of(a) => (b, &mut step.down),
                        _ => return None,
                    };
                    let by = self.fixed(by, within)?;
                    *total = Some(self.plus(*total, by, ty));
                }
                Stmt::For { var, range: Range { lo, hi, inclusive, adaptors }, body, label, src: _ }
                    if self.assigns(body, local) =>
                {
                    let plain = adaptors.iter().all(|a| *a == Adaptor::Rev);
                    if !plain || breaks(body, *label) || continues(body, *label) {
                        return None;
                    }
                    let (lo, hi) = (self.fixed((*lo)?, within)?, self.fixed((*hi)?, within)?);
                    let (name, adaptors) = (String::new(), Vec::new());
                    let of = LoopVar {
                        name,
                        ty: self.local_ty(*var),
                        lo,
                        hi,
                        inclusive: *inclusive,
                        adaptors,
                        local: None,
                    };
                    let mut inner = Step::default();
                    self.steps(local, body, within, &mut inner)?;
                    let trips = self.trips(of, ty)?;
                    for (total, by) in [(&mut step.up, inner.up), (&mut step.down, inner.down)] {
                        if let Some(by) = by {
                            let by = self.times(trips, by, ty);
                            *total = Some(self.plus(*total, by, ty));
                        }
                    }
                }
                other => {
                    if self.assigns(&Block(vec![other.clone()]), local) {
                        return None;
                    }
                }
            }
        }
        Some(())
    }

    fn assigns(&self, block: &Block, local: LocalId) -> bool {
        effects::assigned(self.code, block).contains(&local)
    }

    /// The number that an expression is in all of a loop: a sum, difference or product of what the loop does not change.
    fn fixed(&mut self, root: ExprId, within: &Changes) -> Option<NodeId> {
        let code = self.code;
        let mut fixed = true;
        visit::each_expr(code, root, &mut |e| {
            fixed &= match &code.exprs[e.index()].expr {
                Expr::Int { .. } | Expr::Cast { .. } | Expr::Binary(..) => true,
                Expr::Load(place) | Expr::Len(place) => {
                    !within.changed.contains(&place.base)
                        && place.base.local().is_none_or(|l| !within.bound.contains(&l))
                }
                _ => false,
            };
        });
        fixed.then(|| self.node(root))
    }

    /// How many iterations a loop has, in the type of a variable. `None`: it might not be the distance of the ends.
    fn trips(&mut self, of: LoopVar, ty: Option<Prim>) -> Option<NodeId> {
        let LoopVar { lo, hi, inclusive, ty: counted, .. } = of;
        let forms = &mut self.out.forms;
        let (first, last) = (forms.as_constant(lo), forms.as_constant(hi));
        if let (Some(lo), Some(hi)) = (first, last) {
            let trips = (hi + i128::from(inclusive) - lo).max(0);
            // A variable of a narrow type starts again at its least value.
            let fits =
                ty.and_then(Prim::int_range).is_none_or(|(least, most)| (least..=most).contains(&trips));
            return fits.then(|| forms.constant(trips, ty));
        }
        let signed = counted.is_none_or(Prim::is_signed);
        if signed && counted.is_some() && first.is_none_or(|lo| lo < 0) {
            return None;
        }
        let mut trips = self.distance(lo, hi, counted, ty);
        if inclusive {
            let one = self.out.forms.constant(1, ty);
            trips = self.bin(Arith::Add, trips, one, ty);
        }
        if first == Some(0) && !signed {
            return Some(trips);
        }
        let rel = if inclusive { Rel::Le } else { Rel::Lt };
        let runs = self.out.forms.add(Op::Rel(rel, lo, hi), counted.map(|_| Prim::Bool));
        let none = self.out.forms.constant(0, ty);
        Some(self.out.forms.select(runs, trips, none))
    }

    /// `to - from`, of numbers of a loop, in the type of a variable.
    fn distance(&mut self, from: NodeId, to: NodeId, counted: Option<Prim>, ty: Option<Prim>) -> NodeId {
        let zero = self.out.forms.as_constant(from) == Some(0);
        let distance = if zero { to } else { self.bin(Arith::Sub, to, from, counted) };
        if counted == ty { distance } else { self.out.forms.add(Op::Cast(distance), ty) }
    }

    fn times(&mut self, count: NodeId, by: NodeId, ty: Option<Prim>) -> NodeId {
        match self.out.forms.as_constant(by) {
            Some(1) => count,
            _ => self.bin(Arith::Mul, count, by, ty),
        }
    }

    fn plus(&mut self, sum: Option<NodeId>, n: NodeId, ty: Option<Prim>) -> NodeId {
        match sum {
            Some(sum) if self.out.forms.as_constant(sum) != Some(0) => self.bin(Arith::Add, sum, n, ty),
            _ => n,
        }
    }

    /// The values of induction variables in an iteration.
    pub(super) fn in_iteration(&mut self, var: VarId, found: &[Induction]) {
        let LoopVar { lo, hi, inclusive, ref adaptors, ty: counted, .. } = self.out.vars[var.index()];
        let reversed = adaptors.len() == 1;
        for of in found {
            let ty = self.out.forms.get(of.start).ty;
            let this = self.var_node(var, counted);
            let mut count = if reversed {
                self.distance(this, hi, counted, ty)
            } else {
                self.distance(lo, this, counted, ty)
            };
            if reversed && !inclusive {
                let one = self.out.forms.constant(1, ty);
                count = self.bin(Arith::Sub, count, one, ty);
            }
            self.set(of, count, ty);
        }
    }

    /// The values after the loop, if all of its iterations ran.
    pub(super) fn after_iterations(&mut self, var: VarId, found: &[Induction]) {
        for of in found {
            let ty = self.out.forms.get(of.start).ty;
            if let Some(trips) = self.trips(self.out.vars[var.index()].clone(), ty) {
                self.set(of, trips, ty);
            }
        }
    }

    fn set(&mut self, of: &Induction, count: NodeId, ty: Option<Prim>) {
        let mut value = of.start;
        if let Some(up) = of.step.up {
            let up = self.times(count, up, ty);
            value = self.plus(Some(value), up, ty);
        }
        if let Some(down) = of.step.down {
            let down = self.times(count, down, ty);
            value = self.bin(Arith::Sub, value, down, ty);
        }
        self.env.insert(of.local, Value::Node(value));
    }
}
