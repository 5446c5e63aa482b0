//! What sequential loops over rows cost: which of them are recurrences, and how many instructions their expensive operations take.
use super::Facts;
use crate::program::steps::{CHEAP, Carried};
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

/// Threads of a multiprocessor, at most.
const THREADS_OF_UNIT: f64 = 2048.0;

/// Bytes of a line of its cache, of a sector of a line, which is the least that it loads, and of the part of the cache that holds lines.
const LINE: f64 = 128.0;
const SECTOR: f64 = 32.0;
const CACHE: f64 = 131_072.0;

/// Iterations from the one that stores an element to one that takes it from a register, at most.
const MOST_DISTANCE: u32 = 4;

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

    /// The cost if each loop, of so many iterations, loads and stores what it accesses of rows of so many arrays, and a thread has a row.
    pub(super) fn cost_of_lines(&self, works: &[(f64, Work)], arrays: usize) -> f64 {
        let (rows, units) = (self.all_rows() as f64, f64::from(self.request.device.units.max(1)));
        let sum = |of: &dyn Fn(&Work) -> f64| works.iter().map(|(count, work)| count * of(work)).sum::<f64>();
        // Neighbouring threads that have a row each have lines of their own, which may be too many for the cache.
        let here = (rows / units).min(THREADS_OF_UNIT);
        let spills = here * arrays as f64 * LINE > CACHE;
        // The cache gives a line in a cycle; if lines don't stay there, each access brings a sector.
        let access = if spills { SECTOR / BYTES } else { 1.0 };
        sum(&|work| work.accesses * access) * rows / units + sum(&Work::alone)
    }

    /// The elements that iterations of sequential loops, none of which is in another, take from those that a few iterations before have
    /// stored; none if there are others that several iterations access.
    pub(super) fn carried(&self) -> Vec<Carried> {
        if self.are_nested() {
            return Vec::new();
        }
        let (mut l, mut found, mut all) = (self.parallel, Vec::new(), true);
        visit::each_stmt(&self.kernel.body.code.block, &mut |stmt| {
            let Stmt::For { body, .. } = stmt else { return };
            if l < self.nest.loops.len() {
                let accessed = self.accessed(body);
                for (store, _) in accessed.iter().filter(|(_, stores)| *stores) {
                    for (load, stores) in accessed.iter().filter(|(n, _)| n != store) {
                        if self.reads[*load].1 == self.reads[*store].1 {
                            let distance = self.distance(*load, *store, l).filter(|_| !stores);
                            all &= distance.is_some();
                            found.extend(distance.map(|distance| Carried {
                                of: l as u32,
                                load: *load as u32,
                                store: *store as u32,
                                distance,
                            }));
                        }
                    }
                }
            }
            l += 1;
        });
        if all { found } else { Vec::new() }
    }

    /// How many iterations of a loop before, what one loads has been stored, if it is always the same few.
    fn distance(&self, load: usize, store: usize, l: usize) -> Option<u32> {
        let [(load, _, from, _, part), (_, _, to, _, other)] = [load, store].map(|n| &self.reads[n]);
        let there = part == other && self.nest.everywhere.contains(load);
        // Along columns, neighbouring threads access neighbours.
        if to.strides[l] != 1 || !there || (&from.strides, &from.down) != (&to.strides, &to.down) {
            return None;
        }
        let apart = if to.down.contains(&(l as u32)) { from.base - to.base } else { to.base - from.base };
        u32::try_from(apart).ok().filter(|distance| (1..=MOST_DISTANCE).contains(distance))
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
