//! Variables that an inner nest copies are not read behind it: there they have their old value, where the serial loop would
//! have left that of the last iteration.
use super::inner::Copied;
use omp_kernels::ir::ids::{LocalId, SrcId};
use omp_kernels::ir::template::{Base, Block, Code, Expr, Place, Stmt};
use omp_kernels::ir::visit;
use std::collections::BTreeSet;

/// The first read behind a nest of what it copies: which of `copied`, and where.
pub(super) fn first(code: &Code, copied: &[Copied]) -> Option<(usize, SrcId)> {
    let mut walk = Walk { code, copied, stale: BTreeSet::new(), found: None };
    walk.block(&code.block);
    walk.found
}

struct Walk<'a> {
    code: &'a Code,
    copied: &'a [Copied],
    /// Those of `copied` whose nest was passed and that have no new value yet.
    stale: BTreeSet<usize>,
    found: Option<(usize, SrcId)>,
}

impl Walk<'_> {
    fn block(&mut self, block: &Block) {
        for stmt in &block.0 {
            if let Stmt::Let { local, .. } = stmt
                && self.copied.iter().any(|c| c.copy == *local)
            {
                continue; // what a copy starts from is assigned before it is read
            }
            visit::of_stmt(stmt, &mut |root| {
                visit::each_expr(self.code, root, &mut |e| {
                    let node = &self.code.exprs[e.index()];
                    if let Expr::Load(Place { base: Base::Local(local), .. })
                    | Expr::Borrow(Place { base: Base::Local(local), .. }) = &node.expr
                    {
                        let read = self.stale.iter().copied().find(|n| self.copied[*n].of == *local);
                        self.found = self.found.or(read.map(|n| (n, node.src)));
                    }
                });
            });
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let { local, .. } => self.renew(*local),
            Stmt::Assign { place: Place { base: Base::Local(local), projections }, .. }
                if projections.is_empty() =>
            {
                self.renew(*local);
            }
            Stmt::If { then, els, .. } => {
                let before = self.stale.clone();
                self.block(then);
                let after = std::mem::replace(&mut self.stale, before);
                self.block(els);
                self.stale.extend(after);
            }
            Stmt::Inner(inner) => {
                self.block(&inner.body);
                self.stale.extend((0..self.copied.len()).filter(|n| self.copied[*n].nest == inner.src));
            }
            Stmt::For { body, .. } | Stmt::Loop { body, .. } => {
                // What one round leaves, the next one finds.
                let before = self.stale.clone();
                self.block(body);
                self.stale.extend(before);
                self.block(body);
            }
            Stmt::Labelled { .. } | Stmt::Atomic { .. } => {
                for block in visit::blocks_of(stmt).into_iter().flatten() {
                    self.block(block);
                }
            }
            Stmt::Assign { .. }
            | Stmt::Eval(_)
            | Stmt::Break(_)
            | Stmt::Continue(_)
            | Stmt::Return(_)
            | Stmt::Check { .. } => {}
        }
    }

    /// The variable has a new value.
    fn renew(&mut self, local: LocalId) {
        self.stale.retain(|n| self.copied[*n].of != local);
    }
}
