//! Replication: several threads have the same iteration of the parallel loop. Each of them runs the recurrences of its sequential loops, in
//! registers of its own, so all of them have the same values, and none waits for another: a sum in order takes as long for one thread as
//! for several. Iterations of the sequential loops that are independent are shared: the replicas have equal parts of a chunk. A
//! loop with both is [distributed](super::distribute), and what its recurrence takes goes through shared memory, behind a barrier.
//!
//! The step makes no program by itself: replicas may exchange elements of arrays only through boxes, whose copies have barriers, so staging
//! follows at once.
use super::distribute::{Parts, Piece, distribute, exposed, registers, single_statements};
use super::{Refused, Tiles, change};
use crate::program::{AllocId, Axis, Cell, Cut, Index, Keep, Place, Program, Space, Stmt, Var, with};
use omp_ir::desc::Prim;
use omp_ir::ids::ArrayId;
use omp_ir::kernel::Kernel;
use std::collections::BTreeSet;

/// Lets the threads of a tile have replicas, which share the independent iterations of chunks. It runs before tiling.
///
/// # Errors
/// No iterations are independent; a recurrence stores; a condition or a limit decides what runs; or replicas would access elements of an
/// array that one of them stores, without a barrier.
pub fn replicate(program: &mut Program, kernel: &Kernel, tiles: &Tiles) -> Result<(), Refused> {
    if !program.only.is_empty() || !program.jams.is_empty() || tiles.tiles.iter().any(|t| t.registers > 1) {
        return Err("a thread has several iterations, or a loop is under a condition".into());
    }
    change(program, |program, body| {
        let [Stmt::Loop { var, trips, axis: Axis::Parallel, body: inside }] = body.as_slice() else {
            return Err("replicas of several parallel loops".into());
        };
        let inside = single_statements(program, kernel, inside.clone())?;
        let each = tiles.each();
        let (replica, replicas) = (program.var("replica"), tiles.replicas);
        let mut out = vec![Stmt::Let(replica, Index::Thread / each)];
        let mut maker = Maker { program, each, replicas, replica, shared: false, passed: Vec::new() };
        maker.ordered_by_barriers(&inside)?;
        for (at, stmt) in inside.iter().enumerate() {
            out.push(match stmt {
                Stmt::Loop { var, .. } if maker.program.chunks.contains(var) => {
                    let mut live = BTreeSet::new();
                    for (_, other) in inside.iter().enumerate().filter(|(n, _)| *n != at) {
                        live.extend(exposed(maker.program, std::slice::from_ref(other))?);
                    }
                    maker.chunk(stmt, &live)?
                }
                Stmt::Move { to: Place::Array(..), .. } => {
                    Stmt::If { less: vec![(replica.into(), 1.into())], body: vec![stmt.clone()] }
                }
                other => {
                    registers(maker.program, other)?;
                    other.clone()
                }
            });
        }
        if !maker.shared {
            return Err("no iterations of the sequential loops are independent".into());
        }
        Ok(vec![Stmt::Loop { var: *var, trips: trips.clone(), axis: Axis::Parallel, body: out }])
    })
}

struct Maker<'a> {
    program: &'a mut Program,
    /// Threads of each set of replicas, and how many sets there are.
    each: u32,
    replicas: u32,
    /// The number of the thread's set.
    replica: Var,
    /// Some loop has independent iterations.
    shared: bool,
    /// Memory for values that a recurrence takes; loops share it.
    passed: Vec<(Prim, AllocId)>,
}

/// A value that a recurrence takes.
struct Passed {
    /// The register that has it.
    register: AllocId,
    /// Where it is between.
    memory: AllocId,
    /// The register that it is loaded to: loads move before all statements of an iteration, which may use the first one before.
    taken: AllocId,
}

impl Maker<'_> {
    fn is_boxed(&self, access: u32) -> bool {
        matches!(self.program.accesses[access as usize].keep, Keep::Shared { .. })
    }

    /// Checks that a barrier is between loads of elements by all replicas and the store by one of them: what is copied to boxes has
    /// barriers before and after it.
    fn ordered_by_barriers(&self, stmts: &[Stmt]) -> Result<(), Refused> {
        let (mut loaded, mut stored): (BTreeSet<ArrayId>, BTreeSet<ArrayId>) = Default::default();
        for stmt in stmts {
            let (mut boxed, mut direct) = (false, Vec::new());
            accesses(std::slice::from_ref(stmt), &mut |access, stores| {
                if self.is_boxed(access) {
                    boxed = true;
                } else {
                    direct.push((self.program.accesses[access as usize].array, stores));
                }
            });
            if boxed {
                (loaded, stored) = Default::default();
                continue;
            }
            for (array, stores) in direct {
                if stores { &mut stored } else { &mut loaded }.insert(array);
            }
            if !loaded.is_disjoint(&stored) {
                return Err("replicas would load elements that one of them stores".into());
            }
        }
        Ok(())
    }

    /// A loop over chunks: the replicas share its independent iterations.
    fn chunk(&mut self, stmt: &Stmt, live: &BTreeSet<AllocId>) -> Result<Stmt, Refused> {
        let Stmt::Loop { var: chunk, trips: chunks, axis, body } = stmt else {
            return Err("no loop over chunks".into());
        };
        let [Stmt::Loop { var: place, trips, axis: inner, body }] = body.as_slice() else {
            return Err("a chunk is no loop".into());
        };
        let [Stmt::Let(var, value), rest @ ..] = body.as_slice() else {
            return Err("a chunk without the number of its iteration".into());
        };
        let Parts { independent, ordered, ordered_first } =
            distribute(self.program, rest, live, &BTreeSet::new(), false)?;
        let pieces = |pieces: &[Piece]| -> Vec<Stmt> {
            let of = |piece: &Piece| match piece {
                Piece::Stmt(stmt) => Some(stmt.clone()),
                Piece::Pass(_) => None,
            };
            pieces.iter().filter_map(of).collect()
        };
        let mut illegal = false;
        accesses(&pieces(&ordered), &mut |_, stores| illegal |= stores);
        let is_written = |access: u32| {
            let array = self.program.accesses[access as usize].array;
            let mut found = false;
            accesses(rest, &mut |other, stores| {
                found |= stores && self.program.accesses[other as usize].array == array;
            });
            found
        };
        accesses(&pieces(&independent), &mut |access, stores| {
            illegal |= !self.is_boxed(access) && (stores || is_written(access));
        });
        if illegal {
            return Err("a recurrence stores, or elements that a loop stores have no box".into());
        }
        // What a recurrence takes is overwritten by the next chunk; copies to and from boxes have the barrier between them.
        let mut boxed = false;
        accesses(rest, &mut |access, _| boxed |= self.is_boxed(access));
        let passes = independent.iter().any(|piece| matches!(piece, Piece::Pass(_)));
        if independent.is_empty() || (passes && !boxed) {
            return Ok(stmt.clone());
        }
        self.shared = true;
        // The part of a replica; of what is left over, some have none.
        let depth = self.program.whole.iter().map(|(_, _, depth)| *depth).max().ok_or("no chunks")?;
        if !depth.is_multiple_of(self.replicas) || matches!(trips, Index::Const(n) if *n != i64::from(depth))
        {
            return Err("replicas don't divide a chunk".into());
        }
        let each = depth / self.replicas;
        let name = self.program.vars[place.0 as usize].clone();
        let (own, first) = (self.program.var(name), Index::from(self.replica) * each);
        let part = match trips {
            Index::Const(_) => each.into(),
            left => (left.clone() - first.clone()).max(0).min(each),
        };
        let at = first + Index::from(own);
        let name = self.program.vars[var.0 as usize].clone();
        let mine = self.program.var(name);
        let cut = self.program.cuts.get(var).ok_or("a chunk that is not cut")?.clone();
        self.program.cuts.insert(mine, Cut { inner: cut.inner.with(*place, &at), ..cut });
        let passes = self.boxes(&independent, depth * self.each);
        let shared = self.statements(&independent, &passes, &at, true);
        let mut body = vec![Stmt::Let(mine, value.with(*place, &at))];
        body.extend(with(&shared, *var, &mine.into()));
        let shared = Stmt::Loop { var: own, trips: part, axis: *inner, body };
        let mut body = vec![Stmt::Let(*var, value.clone())];
        body.extend(self.statements(&ordered, &passes, &(*place).into(), false));
        let replicated = (!ordered.is_empty()).then_some(Stmt::Loop {
            var: *place,
            trips: trips.clone(),
            axis: *inner,
            body,
        });
        let barrier = (!passes.is_empty()).then_some(Stmt::Barrier);
        let mut body = Vec::from_iter(replicated);
        match ordered_first {
            true => body.push(shared),
            false => body.splice(..0, std::iter::once(shared).chain(barrier)).for_each(drop),
        }
        Ok(Stmt::Loop { var: *chunk, trips: chunks.clone(), axis: *axis, body })
    }

    /// Memory for the values that the recurrence of a chunk takes.
    fn boxes(&mut self, pieces: &[Piece], len: u32) -> Vec<Passed> {
        let mut found: Vec<Passed> = Vec::new();
        for piece in pieces {
            let Piece::Pass(cell) = piece else { continue };
            let of = &self.program.allocs[cell.0 as usize];
            let (name, prim) = (of.name.clone(), of.prim);
            let is_free = |(other, alloc): &&(Prim, AllocId)| {
                *other == prim && !found.iter().any(|of| of.memory == *alloc)
            };
            let memory = match self.passed.iter().find(is_free) {
                Some((_, alloc)) => *alloc,
                None => {
                    let name = format!("{name}_passed");
                    let alloc = self.program.alloc(name, Space::Shared, prim, len);
                    self.passed.push((prim, alloc));
                    alloc
                }
            };
            let taken = self.program.alloc(name, Space::Register, prim, 1);
            found.push(Passed { register: *cell, memory, taken });
        }
        found
    }

    /// The statements of pieces; `at`: the number of the iteration in its chunk. Lanes have neighbouring places, so that they use different
    /// banks.
    fn statements(&self, pieces: &[Piece], passes: &[Passed], at: &Index, gives: bool) -> Vec<Stmt> {
        let of = |piece: &Piece| match piece {
            Piece::Stmt(stmt) => Some(vec![stmt.clone()]),
            Piece::Pass(cell) => {
                let Passed { memory, taken, .. } = passes.iter().find(|of| of.register == *cell)?;
                let index = at.clone() * self.each + Index::Thread % self.each;
                let there = Place::Cell(Cell { alloc: *memory, index });
                let register = |alloc| Place::Cell(Cell { alloc, index: Index::Const(0) });
                Some(match gives {
                    true => vec![Stmt::copy(there, register(*cell))],
                    false => vec![
                        Stmt::copy(register(*taken), there),
                        Stmt::copy(register(*cell), register(*taken)),
                    ],
                })
            }
        };
        pieces.iter().filter_map(of).flatten().collect()
    }
}

/// Calls `f` on the accesses of statements to arrays, and says which store.
fn accesses(stmts: &[Stmt], f: &mut impl FnMut(u32, bool)) {
    for stmt in stmts {
        if let Stmt::Move { to, from, .. } = stmt {
            for (place, stores) in [(from, false), (to, true)] {
                if let Place::Array(access, _) = place {
                    f(*access, stores);
                }
            }
        }
        accesses(stmt.inner(), f);
    }
}
