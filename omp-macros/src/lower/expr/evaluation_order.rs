//! Rust's order of evaluation: a value stays an expression until a later statement would change it, or would change
//! whether it is evaluated.
use crate::lower::cx::Lower;
use omp_ir::flow::early_exit::may_leave;
use omp_ir::flow::effects;
use omp_ir::ids::{ExprId, LocalId};
use omp_ir::template::{Base, BinOp, Block, Expr, LocalKind, Place, Projection, Stmt, UnOp};
use omp_ir::visit;
use std::collections::HashSet;

impl Lower {
    /// Keeps Rust's order: what was computed before `mark` is saved there if a statement after it could change it, or leave
    /// before it is known that it fails.
    pub fn settle(&mut self, values: &mut [ExprId], mark: usize) {
        let block = self.blocks.last().expect("a block is open");
        let after = &block[mark..];
        let changes = self.have_effects(after);
        let leaves = may_leave(after, &mut Vec::new());
        if !changes && !leaves {
            return;
        }
        let mut at = mark;
        for v in values {
            if let Expr::Borrow(place) = self.code.exprs[v.index()].expr.clone() {
                if changes {
                    // The place stays, but not its subscripts.
                    let place = self.keep_indices(place, &mut at);
                    self.code.exprs[v.index()].expr = Expr::Borrow(place);
                }
            } else if (changes && !self.is_stable(*v)) || (leaves && self.may_fail(*v)) {
                *v = self.temp_at("kept", *v, at);
                at += 1;
            }
        }
    }

    /// Evaluates those of the values before `mark` that may fail, for an expression that is never reached.
    pub fn unused_before(&mut self, values: &[ExprId], mark: usize) {
        let mut at = mark;
        for v in values {
            if self.may_fail(*v) {
                self.temp_at("unused", *v, at);
                at += 1;
            }
        }
    }

    /// A value whose operators may overflow.
    fn may_fail(&self, value: ExprId) -> bool {
        let mut found = false;
        visit::each_expr(&self.code, value, &mut |e| {
            found |= match &self.code.exprs[e.index()].expr {
                Expr::Unary(op, _) => *op == UnOp::Neg,
                Expr::Binary(op, ..) => {
                    matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl | BinOp::Shr)
                }
                _ => false,
            };
        });
        found
    }

    /// Whether statements from `mark` on may change what stands at a place that the user's code names. (What else has a name for it is
    /// borrowed from it, and rustc refuses such a borrow after the place was read.)
    pub fn changed_since(&self, mark: usize, at: &Place) -> bool {
        let block = self.blocks.last().expect("a block is open");
        let mut found = false;
        let mut record = |place: &Place| {
            let apart = place.base != at.base || are_apart(&place.projections, &at.projections);
            // A reference may refer to any variable of the user's.
            let kind = |base: Base| match base {
                Base::Local(local) => Some(self.code.locals[local.index()].kind),
                _ => None,
            };
            let refers = kind(at.base) == Some(LocalKind::Ref) && kind(place.base) == Some(LocalKind::User);
            found |= !apart || refers;
        };
        let mut visit = |s: &Stmt| {
            visit::of_stmt(s, &mut |root| {
                visit::each_expr(&self.code, root, &mut |e| match &self.code.exprs[e.index()].expr {
                    Expr::Borrow(place) | Expr::Slice { base: place, mutable: true, .. } => record(place),
                    Expr::Load(place) if self.is_mutable_slice(e) => record(place),
                    _ => {}
                });
            });
            match s {
                Stmt::Assign { place, .. } | Stmt::Atomic { place, .. } => record(place),
                Stmt::Inner(inner) => {
                    effects::copies(inner).for_each(|local| record(&Place::from(Base::Local(local))));
                }
                _ => {}
            }
        };
        for s in &block[mark..] {
            visit(s);
            visit::blocks_of(s).into_iter().flatten().for_each(|b| visit::each_stmt(b, &mut visit));
        }
        found
    }

    /// Whether statements may change what a value before them is. What they declare themselves is no part of it.
    fn have_effects(&self, stmts: &[Stmt]) -> bool {
        let mut own = HashSet::new();
        let mut declare = |s: &Stmt| {
            if let Stmt::Let { local, .. } = s {
                own.insert(*local);
            }
        };
        for s in stmts {
            declare(s);
            visit::blocks_of(s).into_iter().flatten().for_each(|b| visit::each_stmt(b, &mut declare));
        }
        stmts.iter().any(|s| self.has_effect(s, &own))
    }

    pub fn keep_indices(&mut self, mut place: Place, at: &mut usize) -> Place {
        for step in &mut place.projections {
            if let Projection::Index { index, access: _ } = step
                && !self.is_stable(*index)
            {
                *index = self.temp_at("kept", *index, *at);
                *at += 1;
            }
        }
        place
    }

    /// A statement that may change what a value is, other than that of `own` variables.
    fn has_effect(&self, stmt: &Stmt, own: &HashSet<LocalId>) -> bool {
        let any = |b: &Block| b.0.iter().any(|s| self.has_effect(s, own));
        let kind = |l: LocalId| self.code.locals[l.index()].kind;
        // (A reference is another name of what stands elsewhere.)
        let is_own = |l: LocalId| own.contains(&l) && !matches!(kind(l), LocalKind::Ref | LocalKind::Slice);
        let mut hands_on = false;
        visit::of_stmt(stmt, &mut |e| {
            visit::each_expr(&self.code, e, &mut |e| {
                // A named `&mut` slice is passed on by its name.
                let of_own = matches!(&self.code.exprs[e.index()].expr,
                    Expr::Borrow(Place { base: Base::Local(l), .. }) if is_own(*l));
                hands_on |= (self.is_named_borrow(e) && !of_own) || self.is_mutable_slice(e);
            });
        });
        if hands_on {
            return true;
        }
        match stmt {
            Stmt::Assign { place, .. } => match place.base {
                Base::Local(l) => kind(l) != LocalKind::Temp && !is_own(l),
                Base::Array(_) | Base::Scalar(_) | Base::Const(_) => true,
            },
            Stmt::Atomic { .. } => true,
            Stmt::If { then, els, .. } => any(then) || any(els),
            Stmt::For { body, .. } | Stmt::Loop { body, .. } | Stmt::Labelled { body, .. } => any(body),
            Stmt::Inner(inner) => !inner.reductions.is_empty() || !inner.lasts.is_empty() || any(&inner.body),
            Stmt::Let { .. }
            | Stmt::Eval(_)
            | Stmt::Break(_)
            | Stmt::Continue(_)
            | Stmt::Return(_)
            | Stmt::Check { .. } => false,
        }
    }
}

/// Whether two places of one variable have different fields where they part.
fn are_apart(a: &[Projection], b: &[Projection]) -> bool {
    // (The last field has a second name, and parts of an enum share their bytes.)
    let is_plain = |name: &str| name.chars().all(|c| c == '_' || c.is_alphanumeric());
    for (a, b) in a.iter().zip(b) {
        match (a, b) {
            (Projection::Field(a), Projection::Field(b)) if a == b => {}
            (Projection::Field(a), Projection::Field(b)) => return is_plain(a) && is_plain(b),
            // Two elements may be one; what follows them may still part.
            (Projection::Index { .. }, Projection::Index { .. })
            | (Projection::Payload, Projection::Payload) => {}
            _ => return false,
        }
    }
    false
}
