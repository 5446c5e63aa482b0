//! What sequential loops over rows cost: which of them are recurrences, and how many instructions their expensive operations take.
use super::Facts;
use crate::program::steps::CHEAP;
use omp_ir::desc::Prim;
use omp_ir::flow::effects;
use omp_ir::ids::ExprId;
use omp_ir::kernel::Callee;
use omp_ir::template::{BinOp, Block, Expr, Place, Projection, Stmt};
use omp_ir::visit;
use std::collections::BTreeSet;

/// Bytes that memory delivers to a multiprocessor in a cycle (14 on an H100, 18 on an H200).
pub(super) const BYTES: f64 = 16.0;

/// Cycles of a term of a recurrence.
pub(super) const TERM: f64 = 6.0;

/// Instructions that a multiprocessor runs in a cycle, by thread.
pub(super) const ISSUED: f64 = 128.0;

/// Instructions of an iteration next to its expensive operations.
pub(super) const PLAIN: f64 = 19.0;

/// Cycles of an iteration that one thread runs, and of each instruction of its expensive operations: these wait for each other.
pub(super) const ALONE: f64 = 20.0;
pub(super) const DEPENDENT: f64 = 3.0;

/// An iteration of a sequential loop.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Work {
    /// It needs a value of the iteration before it, such as a running sum or maximum.
    pub(super) recurs: bool,
    /// It needs elements that iterations before it have stored: one thread has all iterations.
    pub(super) serial: bool,
    /// It stores an element of its own, or has an expensive operation: replicas or threads share it.
    pub(super) shares: bool,
    /// Instructions of its expensive operations.
    pub(super) instructions: f64,
    /// Elements that it loads and stores, of those that one row has, and their bytes.
    pub(super) accesses: f64,
    pub(super) bytes: f64,
}

impl Work {
    /// Cycles of one thread that runs an iteration, but for its recurrence.
    pub(super) fn alone(&self) -> f64 {
        ALONE + self.instructions * DEPENDENT
    }

    /// Cycles of a multiprocessor whose threads share iterations.
    pub(super) fn shared(&self) -> f64 {
        (PLAIN + self.instructions) / ISSUED
    }
}

impl Facts<'_> {
    /// Of each sequential loop, in the order of the code; none of the loops is in another.
    pub(super) fn works(&self) -> Vec<Work> {
        let (code, mut found) = (&self.kernel.body.code, Vec::new());
        visit::each_stmt(&code.block, &mut |stmt| {
            let Stmt::For { body, .. } = stmt else { return };
            let l = self.parallel + found.len();
            // After an assertion that always fails, loops are none of the nest's.
            if l >= self.nest.loops.len() {
                return found.push(Work::default());
            }
            let accessed = self.accessed(body);
            let mut instructions = 0.0;
            visit::each_stmt(body, &mut |stmt| {
                visit::of_stmt(stmt, &mut |root| {
                    visit::each_expr(code, root, &mut |e| instructions += self.instructions(e));
                });
            });
            let bound = effects::bound_in(body);
            let carried = effects::assigned(code, body).iter().any(|local| !bound.contains(local));
            let stored =
                |moved: bool| accessed.iter().any(|(n, stores)| *stores && self.moves(*n, l) == moved);
            // What all rows share, caches have.
            let own = |n: usize| (0..self.parallel).any(|l| self.moves(n, l));
            let moved = accessed.iter().filter(|(n, _)| self.moves(*n, l) && own(*n));
            // Iterations may access an element that one of them stores, by another subscript.
            let part = |n: usize| (self.reads[n].1, self.reads[n].4);
            let serial = accessed.iter().any(|(n, stores)| {
                *stores && accessed.iter().any(|(other, _)| other != n && part(*other) == part(*n))
            });
            found.push(Work {
                // A sum may also stand in memory.
                recurs: carried || stored(false) || serial,
                serial,
                shares: stored(true) || instructions > 0.0,
                instructions,
                accesses: moved.clone().count() as f64,
                bytes: moved.map(|(n, _)| self.size(self.reads[*n].1) as f64).sum(),
            });
        });
        found
    }

    /// The accesses that statements load (`false`) and store.
    pub(super) fn accessed(&self, block: &Block) -> BTreeSet<(usize, bool)> {
        let (code, mut found) = (&self.kernel.body.code, BTreeSet::new());
        let mut access = |place: &Place, stores: bool| {
            if let Some(Projection::Index { access, .. }) = place.projections.first() {
                let all = self.of.iter().filter(|(id, ..)| id == access);
                found.extend(all.map(|(_, _, n)| (*n as usize, stores)));
            }
        };
        visit::each_stmt(block, &mut |stmt| {
            if let Stmt::Assign { place, .. } = stmt {
                access(place, true);
            }
            visit::of_stmt(stmt, &mut |root| {
                visit::each_expr(code, root, &mut |e| {
                    if let Expr::Load(place) = &code.exprs[e.index()].expr {
                        access(place, false);
                    }
                });
            });
        });
        found
    }

    /// Instructions of an operation, if it is expensive.
    pub(super) fn instructions(&self, e: ExprId) -> f64 {
        let body = &self.kernel.body;
        let prim = self.kernel.types.prim(body.expr_ty[e.index()]);
        match (&body.code.exprs[e.index()].expr, prim) {
            (Expr::Binary(BinOp::Div | BinOp::Rem, _, by), Some(prim)) => {
                let literal = matches!(body.code.exprs[by.index()].expr, Expr::Int { .. });
                match prim {
                    Prim::F32 => 12.0,
                    Prim::F64 => 30.0,
                    _ if literal => 0.0,
                    _ => 25.0,
                }
            }
            (Expr::Call { call, .. }, prim) => {
                let name = body.code.calls[call.index()].name.as_str();
                let cheap = body.calls[call.index()] == Callee::Builtin && CHEAP.contains(&name);
                match (name, prim) {
                    _ if cheap => 0.0,
                    ("sqrt", Some(Prim::F64)) => 30.0,
                    ("sqrt", _) => 12.0,
                    (_, Some(Prim::F64)) => 60.0,
                    _ => 15.0,
                }
            }
            _ => 0.0,
        }
    }
}
