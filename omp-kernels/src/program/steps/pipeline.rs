//! Software pipelining: the next chunks are loaded while one is computed.
use super::{Refused, change};
use crate::program::{AllocId, Axis, Cell, Index, Op, Program, Space, Stmt, Var, touched, with};
use std::collections::BTreeSet;

/// How many chunks are on their way, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pipeline {
    /// None.
    None,
    /// The next one, in registers.
    Registers,
    /// All but one of so many, by asynchronous copies.
    Asynchronous(u32),
}

/// Overlaps the chunks of staged loops.
///
/// # Errors
/// A chunk is not staged.
pub fn pipeline(program: &mut Program, how: Pipeline) -> Result<(), Refused> {
    let buffers = match how {
        Pipeline::None => 1,
        Pipeline::Registers => 2,
        Pipeline::Asynchronous(n) if n >= 2 => n,
        Pipeline::Asynchronous(_) => return Err("stages that are none".into()),
    };
    change(program, |program, body| {
        let sizes: Vec<u32> = program.allocs.iter().map(|a| a.len).collect();
        let mut at = Maker { program, how, buffers, sizes, filled: BTreeSet::new() };
        at.fills(&body);
        if buffers > 1 {
            at.filled.iter().for_each(|of| at.program.allocs[of.0 as usize].len *= buffers);
        }
        at.list(body)
    })
}

struct Maker<'a> {
    program: &'a mut Program,
    how: Pipeline,
    buffers: u32,
    /// By allocation: elements of one buffer.
    sizes: Vec<u32>,
    /// The allocations that copies of chunks fill: they have a buffer for each chunk in flight.
    filled: BTreeSet<AllocId>,
}

/// A staged region: copies, what puts them into shared memory, and what is done with them.
struct Region {
    fetch: Vec<Stmt>,
    put: Vec<Stmt>,
    compute: Vec<Stmt>,
}

impl Maker<'_> {
    fn fills(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            let chunk = matches!(stmt, Stmt::Loop { var, .. } if self.program.chunks.contains(var));
            if let Some(region) = self.region(stmt.inner()).filter(|_| chunk) {
                let of = |of: &AllocId| self.program.allocs[of.0 as usize].space == Space::Shared;
                self.filled.extend(touched(&region.fetch).into_iter().chain(touched(&region.put)).filter(of));
            }
            self.fills(stmt.inner());
        }
    }

    fn list(&mut self, stmts: Vec<Stmt>) -> Result<Vec<Stmt>, Refused> {
        let mut out = Vec::new();
        for stmt in stmts {
            match stmt {
                Stmt::Loop { var, trips, axis, body } if self.program.chunks.contains(&var) => {
                    let one = trips == Index::Const(1);
                    match self.region(&body) {
                        Some(region) => out.extend(self.chunks(var, trips, region, one)),
                        None => out.push(Stmt::Loop { var, trips, axis, body }),
                    }
                }
                Stmt::Loop { var, trips, axis: axis @ (Axis::Serial | Axis::Unrolled), body } => {
                    let body = self.list(body)?;
                    out.push(Stmt::Loop { var, trips, axis, body });
                }
                other => out.push(other),
            }
        }
        // A tile that is staged as a whole.
        if let Some(region) = self.region(&out).filter(|_| self.program.chunks.is_empty()) {
            let mut all = region.fetch;
            all.extend(self.arrive(0));
            all.extend(region.put);
            all.push(Stmt::Barrier);
            all.extend(region.compute);
            return Ok(all);
        }
        Ok(out)
    }

    fn region(&self, body: &[Stmt]) -> Option<Region> {
        let first = body.iter().position(|s| *s == Stmt::Barrier)?;
        let last = body.iter().rposition(|s| *s == Stmt::Barrier).filter(|last| *last > first)?;
        let puts = |stmt: &Stmt| {
            let from_array =
                |s: &Stmt| matches!(s, Stmt::Move { from: crate::program::Place::Array(..), .. });
            !from_array(stmt) && !stmt.inner().iter().any(from_array) && !matches!(stmt, Stmt::Let(..))
        };
        let copies = body[..first].iter().filter(|s| !matches!(s, Stmt::Commit | Stmt::Wait(_)));
        let (put, fetch) = copies.cloned().partition(puts);
        let mut compute = body[first + 1..last].to_vec();
        compute.extend(body[last + 1..].iter().cloned());
        Some(Region { fetch, put, compute })
    }

    /// The statements with another buffer.
    fn buffer(&self, stmts: &[Stmt], buffer: &Index) -> Vec<Stmt> {
        let mut out = stmts.to_vec();
        for stmt in &mut out {
            stmt.cells_mut(&mut |cell: &mut Cell| {
                if self.filled.contains(&cell.alloc) {
                    let size = self.sizes[cell.alloc.0 as usize];
                    cell.index = cell.index.clone() + buffer.clone() * size;
                }
            });
        }
        out
    }

    /// Waits for all but the last groups, where copies are asynchronous.
    fn arrive(&self, last: u32) -> Vec<Stmt> {
        match self.how {
            Pipeline::Asynchronous(_) => vec![Stmt::Commit, Stmt::Wait(last)],
            Pipeline::None | Pipeline::Registers => Vec::new(),
        }
    }

    fn chunks(&mut self, var: Var, trips: Index, region: Region, one: bool) -> Vec<Stmt> {
        let Region { fetch, put, compute } = region;
        let of = |stmts: &[Stmt], chunk: &Index| with(stmts, var, chunk);
        let zero = Index::Const(0);
        let mut out = Vec::new();
        if one || self.buffers == 1 {
            let mut body = fetch;
            body.extend(self.arrive(0));
            body.extend(put);
            body.push(Stmt::Barrier);
            body.extend(compute);
            body.push(Stmt::Barrier);
            if one {
                out.extend(of(&body, &zero));
                return out;
            }
            return vec![Stmt::Loop { var, trips, axis: Axis::Serial, body }];
        }
        let next = |by: u32| Index::from(var) + by;
        let buffer = |chunk: Index, n: u32| match n.is_power_of_two() {
            true => Index::bin(Op::And, chunk, (n - 1).into()),
            false => chunk % n,
        };
        let here = buffer(var.into(), self.buffers);
        match self.how {
            Pipeline::Asynchronous(stages) => {
                for n in 0..stages - 1 {
                    let chunk = Index::from(n);
                    let fetched = self.buffer(&of(&fetch, &chunk), &chunk);
                    if !fetched.is_empty() {
                        out.push(Stmt::If { less: vec![(chunk.clone(), trips.clone())], body: fetched });
                    }
                    let stored = self.buffer(&of(&put, &chunk), &chunk);
                    if !stored.is_empty() {
                        out.push(Stmt::If { less: vec![(chunk, trips.clone())], body: stored });
                    }
                    out.push(Stmt::Commit);
                }
                let ahead = next(stages - 1);
                let there = buffer(ahead.clone(), self.buffers);
                let more = vec![(ahead.clone(), trips.clone())];
                let mut body = vec![Stmt::Wait(stages - 2), Stmt::Barrier];
                let fetched = self.buffer(&of(&fetch, &ahead), &there);
                if !fetched.is_empty() {
                    body.push(Stmt::If { less: more.clone(), body: fetched });
                }
                body.push(Stmt::Commit);
                body.extend(self.buffer(&compute, &here));
                let stored = self.buffer(&of(&put, &ahead), &there);
                if !stored.is_empty() {
                    body.push(Stmt::If { less: more, body: stored });
                }
                out.push(Stmt::Loop { var, trips, axis: Axis::Serial, body });
                // What is left over goes into the first buffer.
                out.push(Stmt::Barrier);
            }
            Pipeline::None | Pipeline::Registers => {
                out.extend(of(&fetch, &zero));
                out.extend(of(&put, &zero));
                out.push(Stmt::Barrier);
                let there = buffer(next(1), self.buffers);
                let mut body = of(&fetch, &next(1));
                body.extend(self.buffer(&compute, &here));
                body.extend(self.buffer(&of(&put, &next(1)), &there));
                body.push(Stmt::Barrier);
                let last = trips - 1;
                out.push(Stmt::Loop { var, trips: last.clone(), axis: Axis::Serial, body });
                let buffer = buffer(last.clone(), self.buffers);
                out.extend(of(&self.buffer(&compute, &buffer), &last));
                // What is left over goes into the first buffer.
                out.push(Stmt::Barrier);
            }
        }
        out
    }
}
