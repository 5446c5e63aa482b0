//! Tiles parallel loops: a block has a tile, its threads have neighbouring places in groups, and each thread runs its
//! places in register loops. It is legal for all parallel loops. The last tile along a loop may be cut off, or begin earlier ([`Last`]).
//!
//! Iterations outside of the loops' limits read the elements that their subscripts name, which must be on the device, and
//! store nothing. A block without iterations inside the limits runs nothing ([`super::skip`]), and one without iterations that use what
//! a loop computes runs its first chunk alone.
use super::{Refused, change, nested};
use crate::program::recipe::Limit;
use crate::program::speculate::Sum;
use crate::program::{Axis, Bound, Cut, Index, Op, Place, Program, Stmt, Term, Var, leaf};
use omp_ir::kernel::Kernel;

/// A tile of one loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tile {
    /// Threads along it.
    pub threads: u32,
    /// Places of each.
    pub registers: u32,
    /// Neighbouring places of a thread (a group). From one group of a thread to the next, there are the groups of all other threads.
    pub vector: u32,
    /// How the last tile ends.
    pub last: Last,
}

/// The end of the last tile along a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Last {
    /// Tiles divide the loop.
    Whole,
    /// It is cut off: iterations outside of the loop read the elements of the last one, and store nothing.
    Cut,
    /// It is cut off between two groups: those outside of the loop read the elements of the last one, and store nothing.
    Groups,
    /// It begins earlier, and ends with the loop. It computes some iterations that the tile before has, too, and stores its own alone. The
    /// loop has at least the iterations of a tile.
    Shifted,
}

impl Last {
    /// Some iterations of the last tile may be outside of the loop.
    #[must_use]
    pub const fn is_cut(self) -> bool {
        matches!(self, Self::Cut | Self::Groups)
    }
}

impl Tile {
    /// Places of a tile.
    #[must_use]
    pub const fn extent(&self) -> u32 {
        self.threads * self.registers
    }
}

/// Tiles of all parallel loops.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Tiles {
    /// By parallel loop, outermost first; at most two of them have threads, unless threads are numbered in order.
    pub tiles: Vec<Tile>,
    /// The loop along which neighbouring threads lie.
    pub fast: usize,
    /// Lanes of a warp along the fast loop: 32, or fewer in two dimensions. 0: threads are numbered in order, along the fast loop first.
    pub lanes: u32,
    /// Rows of tiles in a band: neighbouring blocks go through a band column by column.
    pub band: u32,
    /// Threads that have the same places of a tile: see [`super::replicate`].
    pub replicas: u32,
}

impl Tiles {
    /// Threads that have different places.
    #[must_use]
    pub fn each(&self) -> u32 {
        self.tiles.iter().map(|tile| tile.threads).product()
    }

    /// Threads of a block.
    #[must_use]
    pub fn threads(&self) -> u32 {
        self.each() * self.replicas
    }
}

/// Cuts the parallel loops into tiles, and binds them to blocks and threads.
///
/// # Errors
/// The numbers don't fit the program or each other.
pub fn tile(program: &mut Program, kernel: &Kernel, tiles: &Tiles, limits: &[Limit]) -> Result<(), Refused> {
    change(program, |program, mut body| {
        let (mut loops, mut within) = (Vec::new(), Vec::new());
        loop {
            body = match body.as_slice() {
                [Stmt::Loop { var, trips, axis: Axis::Parallel, body: inside }] => {
                    loops.push((*var, trips.clone()));
                    inside.clone()
                }
                [Stmt::If { less, body: inside }] => {
                    within.extend(less.clone());
                    inside.clone()
                }
                _ => break,
            };
        }
        if !within.is_empty() {
            runs_outside(program, kernel, &body)?;
        }
        if loops.len() != tiles.tiles.len() || tiles.tiles.iter().any(|t| t.registers % t.vector != 0) {
            return Err("tiles that don't fit the loops".into());
        }
        let mut out = Vec::new();
        let blocks = blocks(program, &loops, tiles, &mut out);
        let threads = threads(program, &loops, tiles, &mut out)?;
        let (mut slow, mut fast, mut inside, mut less) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (k, (var, trips)) in loops.iter().enumerate() {
            let tile = tiles.tiles[k];
            let name = program.vars[var.0 as usize].clone();
            let mut part = |suffix: &str, n: u32| {
                if n == 1 {
                    return Index::Const(0);
                }
                let var = program.var(format!("{name}_{suffix}"));
                if k == tiles.fast { &mut fast } else { &mut slow }.push((var, Index::from(n)));
                var.into()
            };
            let (group, place) = (part("g", tile.registers / tile.vector), part("r", tile.vector));
            let first = blocks[k].clone() * tile.extent();
            let start = match tile.last {
                Last::Shifted => {
                    let start = program.var(format!("{name}_start"));
                    out.push(Stmt::Let(start, first.clone().min(trips.clone() - tile.extent())));
                    start.into()
                }
                Last::Whole | Last::Cut | Last::Groups => first.clone(),
            };
            let group = (group * tile.threads + threads[k].clone()) * tile.vector;
            let inner = group.clone() + place.clone();
            let cut = Cut {
                start: start.clone(),
                inner: inner.clone(),
                extent: tile.extent(),
                head: 0,
                limit: trips.clone(),
                ragged: tile.last.is_cut(),
                vector: tile.vector,
                thread: if let Index::Var(thread) = threads[k] { Some(thread) } else { None },
            };
            inside.push(Stmt::Let(*var, start.clone() + inner));
            program.cuts.insert(*var, cut.clone());
            match tile.last {
                Last::Whole => {}
                Last::Shifted => less.push((first - 1, Index::from(*var))),
                Last::Cut | Last::Groups => {
                    less.push((Index::from(*var), trips.clone()));
                    let last = if tile.last == Last::Groups {
                        let in_loop = program.var(format!("{name}_group"));
                        inside.push(Stmt::Let(in_loop, (start + group).min(trips.clone() - tile.vector)));
                        Index::from(in_loop) + place
                    } else {
                        Index::from(*var).min(trips.clone() - 1)
                    };
                    let within = program.var(format!("{name}_within"));
                    inside.push(Stmt::Let(within, last));
                    program.cuts.insert(within, cut);
                    read_within(program, &mut body, *var, within);
                }
            }
        }
        let outside = !within.is_empty() || tiles.tiles.iter().any(|tile| tile.last.is_cut());
        less.extend(within);
        let first = |l: u32| blocks[l as usize].clone() * tiles.tiles[l as usize].extent();
        let last = |l: u32| first(l) + (tiles.tiles[l as usize].extent() - 1);
        let of_blocks = |limit: &&Limit| (limit.of as usize) < loops.len();
        program.nowhere = limits.iter().filter(of_blocks).map(|limit| limit.less_in(&first, &last)).collect();
        for limit in limits.iter().filter(|limit| limit.upper && !of_blocks(limit)) {
            end_chunks(program, &mut body, limit, (&first, &last), &mut out);
        }
        for (of, above) in program.only.clone() {
            one_chunk(program, &mut body, (of, &above), (&first, &last), &mut out);
        }
        if !less.is_empty() {
            guard(program, &mut body, (&less, outside))?;
        }
        inside.extend(body);
        // Results that lie side by side are the innermost.
        slow.append(&mut fast);
        out.extend(nested(&slow, inside));
        Ok(out)
    })
}

/// The numbers of the block along each loop.
fn blocks(program: &mut Program, loops: &[(Var, Index)], tiles: &Tiles, out: &mut Vec<Stmt>) -> Vec<Index> {
    let counts = loops.iter().zip(&tiles.tiles);
    let mut named = |program: &mut Program, name: String, value: Index| {
        let var = program.var(name);
        out.push(Stmt::Let(var, value));
        Index::from(var)
    };
    let counts: Vec<Index> = counts
        .map(|((var, trips), tile)| {
            let name = format!("{}_tiles", program.vars[var.0 as usize]);
            named(program, name, (trips.clone() + (tile.extent() - 1)) / tile.extent())
        })
        .collect();
    // The grid is for the host, which knows no names.
    let count =
        |((_, trips), tile): (&(Var, Index), &Tile)| (trips.clone() + (tile.extent() - 1)) / tile.extent();
    program.grid = loops.iter().zip(&tiles.tiles).map(count).fold(Index::Const(1), |all, n| all * n);
    let fast = tiles.fast;
    let slow: Vec<usize> = (0..loops.len()).filter(|k| *k != fast).collect();
    let mut at = vec![Index::Const(0); loops.len()];
    if let ([slow], true) = (slow.as_slice(), tiles.band > 1) {
        let (across, down, band) = (counts[fast].clone(), counts[*slow].clone(), tiles.band);
        let all = named(program, "band_tiles".into(), across * band);
        let first = named(program, "band".into(), Index::Block / all.clone() * band);
        let high = named(program, "band_rows".into(), (down - first.clone()).min(band));
        let inside = named(program, "in_band".into(), Index::Block % all);
        at[*slow] = first + inside.clone() % high.clone();
        at[fast] = inside / high;
    } else {
        let mut rest = Index::Block;
        for k in std::iter::once(fast).chain(slow.into_iter().rev()) {
            at[k] = rest.clone() % counts[k].clone();
            rest = rest / counts[k].clone();
        }
    }
    at.into_iter()
        .enumerate()
        .map(|(k, value)| {
            let name = format!("{}_tile", program.vars[loops[k].0.0 as usize]);
            named(program, name, value)
        })
        .collect()
}

/// The places of the thread along each loop.
fn threads(
    program: &mut Program,
    loops: &[(Var, Index)],
    tiles: &Tiles,
    out: &mut Vec<Stmt>,
) -> Result<Vec<Index>, Refused> {
    let fast = tiles.fast;
    let slow: Vec<usize> = (0..loops.len()).filter(|k| *k != fast && tiles.tiles[*k].threads > 1).collect();
    program.threads = tiles.threads();
    let mut at = vec![Index::Const(0); loops.len()];
    let mut name = |program: &mut Program, k: usize, value: Index| {
        let var = program.var(format!("{}_thread", program.vars[loops[k].0.0 as usize]));
        out.push(Stmt::Let(var, value));
        Index::from(var)
    };
    let shift =
        |x: Index, by: u32, mask: u32| Index::bin(Op::And, Index::bin(Op::Shr, x, by.into()), mask.into());
    match slow.as_slice() {
        _ if program.threads == 1 => {}
        _ if tiles.lanes == 0 => {
            let mut rest = Index::Thread;
            for k in std::iter::once(fast).chain(slow.iter().rev().copied()) {
                let along = tiles.tiles[k].threads;
                if along > 1 {
                    at[k] = name(program, k, rest.clone() % along);
                    rest = rest / along;
                }
            }
        }
        [] => {
            let place = if tiles.replicas > 1 { Index::Thread % tiles.each() } else { Index::Thread };
            at[fast] = name(program, fast, place);
        }
        [slow] => {
            let (wide, across) = (tiles.lanes, tiles.tiles[fast].threads);
            let high = 32 / wide;
            if !across.is_multiple_of(wide) || !tiles.tiles[*slow].threads.is_multiple_of(high) {
                return Err("warps don't fit the tile".into());
            }
            let (lane, warp) = (Index::bin(Op::And, Index::Thread, 31.into()), Index::Thread / 32);
            // Eight by four lanes in Z order: lanes that access shared memory in one transaction share rows and columns.
            let (x, y) = if wide == 8 {
                let or = |a, b| Index::bin(Op::Or, a, b);
                let and = |a, b: u32| Index::bin(Op::And, a, b.into());
                let x = or(and(lane.clone(), 1), shift(lane.clone(), 1, 6));
                (x, or(shift(lane.clone(), 1, 1), shift(lane, 3, 2)))
            } else {
                (lane.clone() % wide, lane / wide)
            };
            let warps = across / wide;
            at[fast] = name(program, fast, warp.clone() % warps * wide + x);
            at[*slow] = name(program, *slow, warp / warps * high + y);
        }
        _ => return Err("threads along three loops".into()),
    }
    Ok(at)
}

/// Whether the program stores into the array of an access.
fn is_written(program: &Program, stmts: &[Stmt], access: u32) -> bool {
    let array = program.accesses[access as usize].array;
    stmts.iter().any(|stmt| {
        matches!(stmt, Stmt::Move { to: Place::Array(to, _), .. } if program.accesses[*to as usize].array == array)
            || is_written(program, stmt.inner(), access)
    })
}

/// Replaces `var` by `within` in loads, in leaves, and in limits of sequential loops.
fn read_within(program: &Program, body: &mut [Stmt], var: Var, within: Var) {
    let all = body.to_vec();
    let value = Index::from(within);
    fn go(program: &Program, all: &[Stmt], stmts: &mut [Stmt], var: Var, value: &Index) {
        for stmt in stmts {
            match stmt {
                Stmt::Move { from: from @ Place::Array(..), .. } => {
                    let Place::Array(access, _) = from else { continue };
                    if !is_written(program, all, *access) {
                        from.indices_mut(&mut |index| *index = index.with(var, value));
                    }
                }
                Stmt::Leaf { bound, .. } => {
                    for (_, bound) in bound {
                        if let Bound::Value(number) = bound {
                            *number = number.with(var, value);
                        }
                    }
                }
                Stmt::If { less, .. } => {
                    for (a, b) in less {
                        *a = a.with(var, value);
                        *b = b.with(var, value);
                    }
                }
                _ => {}
            }
            if let Some(inner) = stmt.inner_mut() {
                go(program, all, inner, var, value);
            }
        }
    }
    go(program, &all, body, var, &value);
}

/// Lets stores and loads of what is stored run where the numbers are less than the others: in iterations that are the tile's. `outside`:
/// the others may lie outside of the loops, so that checks of windows are left out there, too.
fn guard(
    program: &mut Program,
    body: &mut Vec<Stmt>,
    (less, outside): (&[(Index, Index)], bool),
) -> Result<(), Refused> {
    let all = body.clone();
    let (mut zeroed, windows) =
        (false, outside && program.accesses.iter().any(|a| a.axes.iter().any(|axis| axis.loops.len() > 1)));
    fn go(
        program: &mut Program,
        all: &[Stmt],
        stmts: &mut Vec<Stmt>,
        (less, windows): (&[(Index, Index)], bool),
        zeroed: &mut bool,
    ) {
        for stmt in stmts {
            if let Some(inner) = stmt.inner_mut() {
                go(program, all, inner, (less, windows), zeroed);
                continue;
            }
            let guarded = match stmt {
                Stmt::Move { to: Place::Array(..), .. } => true,
                Stmt::Move { from: Place::Array(access, _), to, .. } if is_written(program, all, *access) => {
                    if let Place::Cell(cell) = to {
                        program.allocs[cell.alloc.0 as usize].zeroed = true;
                        *zeroed = true;
                    }
                    true
                }
                // Coordinates of several loops stop at the last one of all, so that what is read beyond the end of a loop is not
                // what its last iteration reads.
                Stmt::Leaf { stmts, .. } => windows && program.can_fail(stmts),
                _ => false,
            };
            if guarded {
                *stmt = Stmt::If { less: less.to_vec(), body: vec![stmt.clone()] };
            }
        }
    }
    go(program, &all, body, (less, windows), &mut zeroed);
    // A check on values computed from zeros in place of elements could fail where the loop does not.
    if zeroed && fails(program, &all) {
        return Err(
            "what is checked is computed with elements that the loop writes, which some iterations of the last tile don't load"
                .into(),
        );
    }
    Ok(())
}

/// Makes a block skip the chunks of a sequential loop that are after its upper limit in all iterations of the tile.
fn end_chunks(
    program: &mut Program,
    body: &mut [Stmt],
    limit: &Limit,
    (first, last): (&dyn Fn(u32) -> Index, &dyn Fn(u32) -> Index),
    out: &mut Vec<Stmt>,
) {
    let whole = program.whole.clone();
    for (chunk, _, depth) in whole.into_iter().filter(|(_, of, _)| *of == Var(limit.of)) {
        // The first iteration that none of the tile's has is its upper limit.
        let at = |l: u32| if l == limit.of { Index::Const(0) } else { first(l) };
        let (_, most) = limit.less_in(&at, last);
        let all = Index::from(Term::Trips(limit.of)) / depth;
        let end = (most.max(1) + (depth - 1)) / depth;
        let var = program.var(format!("{}_end", program.vars[chunk.0 as usize]));
        out.push(Stmt::Let(var, end.min(all)));
        set_trips(body, chunk, &|_| var.into());
    }
}

fn set_trips(stmts: &mut [Stmt], of: Var, end: &dyn Fn(Index) -> Index) {
    for stmt in stmts {
        match stmt {
            Stmt::Loop { var, trips, .. } if *var == of => *trips = end(trips.clone()),
            other => other.inner_mut().into_iter().for_each(|inner| set_trips(inner, of, end)),
        }
    }
}

/// Makes a block run the first chunk alone of a loop whose results none of the tile's iterations uses.
fn one_chunk(
    program: &mut Program,
    body: &mut [Stmt],
    (of, above): (Var, &[Sum]),
    (first, last): (&dyn Fn(u32) -> Index, &dyn Fn(u32) -> Index),
    out: &mut Vec<Stmt>,
) {
    let whole = program.whole.clone();
    for (chunk, _, depth) in whole.into_iter().filter(|(_, l, _)| *l == of) {
        // 1 where the greatest value of each sum is above zero.
        let used = above.iter().map(|sum| {
            let value = |l: u32, at: Index| Index::from(Term::First(l)) + at * Term::Step(l);
            let greatest = sum
                .of
                .iter()
                .map(|(l, by)| Index::bin(Op::Max, value(*l, first(*l)) * *by, value(*l, last(*l)) * *by));
            greatest.fold(Index::Const(sum.number), |all, one| all + one).max(0).min(1)
        });
        let used = used.fold(Index::Const(1), |all, one| all * one);
        let all = Index::from(Term::Trips(of.0)) / depth;
        let var = program.var(format!("{}_used", program.vars[chunk.0 as usize]));
        out.push(Stmt::Let(var, (used * all.clone()).max(1).min(all)));
        set_trips(body, chunk, &|trips| trips.min(var));
    }
}

/// Whether iterations outside of the loops' limits may run: what they read is there, and nothing that they compute fails.
fn runs_outside(program: &Program, kernel: &Kernel, body: &[Stmt]) -> Result<(), Refused> {
    if fails(program, body) {
        return Err("what is checked would be checked outside of the loops' limits, too".into());
    }
    fn go(program: &Program, kernel: &Kernel, all: &[Stmt], stmts: &[Stmt]) -> Result<(), Refused> {
        stmts.iter().try_for_each(|stmt| match stmt {
            Stmt::Move { from: Place::Array(access, _), .. } => {
                let there =
                    program.accesses[*access as usize].everywhere || is_written(program, all, *access);
                if there { Ok(()) } else { Err("an element is there only within the loops' limits".into()) }
            }
            Stmt::Leaf { stmts, .. } if !leaf::is_total(kernel, &program.code, stmts) => {
                Err("a divisor, a shift or the subscript of a table is known only within the loops' limits"
                    .into())
            }
            other => go(program, kernel, all, other.inner()),
        })
    }
    go(program, kernel, body, body)
}

/// Whether a check of leaves may fail.
fn fails(program: &Program, stmts: &[Stmt]) -> bool {
    stmts.iter().any(|stmt| match stmt {
        Stmt::Leaf { stmts, .. } => program.can_fail(stmts),
        other => fails(program, other.inner()),
    })
}
