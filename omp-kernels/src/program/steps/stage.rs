//! Shared-memory staging: the box of an array that a chunk of a loop (or a tile) reads is loaded once into shared memory,
//! in the order of memory. At the edges of the loops, coordinates stop at the last iteration, so the program reads only
//! elements that the nest reads. Elements that a chunk stores are put into a box of their own, which is then copied to
//! memory in the order of memory. An array that is stored to may be staged if all accesses to it are, by one subscript in
//! each chunk, without conditions.
use super::{Refused, change};
use crate::program::{
    AllocId, At, Axis, Cell, Cut, Index, Keep, Op, Place, Program, Space, Stmt, Var, WIDEST, gcd,
};
use omp_ir::desc::Prim;
use omp_ir::ids::ArrayId;
use omp_ir::kernel::Kernel;
use std::collections::{BTreeMap, BTreeSet};

/// Stages all accesses that are kept in shared memory. Copies are left in registers before they are put there, or if
/// `asynchronous`, go there directly where order and width allow.
///
/// # Errors
/// Coordinates have no tiles, or the order of an array's loads and stores would be another.
pub fn stage(program: &mut Program, kernel: &Kernel, asynchronous: bool) -> Result<(), Refused> {
    let chunks = program.chunks.clone();
    change(program, |program, mut body| {
        are_apart(program, &body)?;
        let at = body.iter().position(|s| !matches!(s, Stmt::Let(..))).unwrap_or(body.len());
        let mut rest = body.split_off(at);
        let fixed = body.clone();
        let mut stager = Stager { program, kernel, asynchronous, fixed, boxes: Vec::new(), lets: Vec::new() };
        if chunks.is_empty() {
            rest = stager.region(rest)?;
        } else {
            rest = stager.list(rest, &chunks)?;
        }
        body.append(&mut stager.lets);
        body.extend(rest);
        Ok(body)
    })
}

/// Threads of a warp.
const WARP: u32 = 32;

struct Stager<'a> {
    program: &'a mut Program,
    kernel: &'a Kernel,
    asynchronous: bool,
    /// Statements before all loops.
    fixed: Vec<Stmt>,
    boxes: Vec<(Shape, Box)>,
    /// Further statements for that place.
    lets: Vec<Stmt>,
}

/// What decides how a box is laid out. Regions run one after the other, so that accesses of several regions share a box.
#[derive(PartialEq, Eq, Clone)]
struct Shape {
    array: ArrayId,
    part: u32,
    /// Of what the region stores.
    stored: bool,
    keep: Keep,
    /// By axis: its places, neighbours and elements of a thread, whether several loops move along it, and whether one walks it.
    axes: Vec<(u32, u32, u32, bool, bool)>,
    /// Places that the lanes of a warp access at the same time.
    lanes: Vec<Vec<u32>>,
}

/// The memory of a box.
#[derive(Clone)]
struct Box {
    alloc: AllocId,
    /// Between copy and store.
    slots: AllocId,
    /// By axis.
    pitch: Vec<u32>,
    width: u32,
    /// The last coordinate may cut an access.
    beyond: bool,
    /// Vectors of a row.
    row: u32,
    /// The fast axis of shared memory is that of the array.
    same: bool,
    /// The vectors of each thread.
    vectors: Vec<Vector>,
}

/// A vector that each thread copies.
#[derive(Clone)]
struct Vector {
    /// Coordinates in the box.
    at: Vec<Index>,
    /// Its place in shared memory.
    place: Index,
    /// Threads have it if each first is less than its second.
    within: Vec<(Index, Index)>,
}

/// A vector of a thread, by numbers of rows: which, which place in it, and under which conditions the box has it.
struct Dealt {
    row: Index,
    in_row: Index,
    within: Vec<(Index, Index)>,
}

/// How the vectors of a box are dealt out.
#[derive(Clone, Copy)]
enum Deal {
    /// One after the other, to all threads of a block.
    Threads,
    /// The rows to warps, and a row's vectors to lanes, which divides no numbers.
    Warps,
}

impl Deal {
    /// Rows that are a power of two divide fast, and lanes that are idle for more than a third of a row's accesses cost more than divisions.
    fn of(row: u32, rows: u32, threads: u32) -> Self {
        let idle = row.next_multiple_of(WARP) - row;
        let divides = row.is_power_of_two() || rows == 1;
        if !divides && threads.is_multiple_of(WARP) && 2 * idle <= row { Self::Warps } else { Self::Threads }
    }

    /// The vectors of a thread.
    fn vectors(self, row: u32, rows: u32, threads: u32) -> Vec<Dealt> {
        let mut found = Vec::new();
        match self {
            Self::Threads => {
                let all = row * rows;
                for first in (0..all).step_by(threads as usize) {
                    let number = Index::Thread + first;
                    let more = (first + threads > all).then(|| (number.clone(), all.into()));
                    let within = Vec::from_iter(more);
                    found.push(Dealt { row: number.clone() / row, in_row: number % row, within });
                }
            }
            Self::Warps => {
                let warps = threads / WARP;
                for first_row in (0..rows).step_by(warps as usize) {
                    for first in (0..row).step_by(WARP as usize) {
                        let of_row = Index::Thread / WARP + first_row;
                        let in_row = Index::bin(Op::And, Index::Thread, (WARP - 1).into()) + first;
                        let mut within = Vec::new();
                        if first_row + warps > rows {
                            within.push((of_row.clone(), rows.into()));
                        }
                        if first + WARP > row {
                            within.push((in_row.clone(), row.into()));
                        }
                        found.push(Dealt { row: of_row, in_row, within });
                    }
                }
            }
        }
        found
    }
}

/// A coordinate along an axis: where the tile starts, the place in it, places, coordinates in all, whether the end may be
/// cut off, and neighbours of a thread.
pub(super) struct Along {
    pub start: Index,
    pub inner: Index,
    extent: u32,
    /// Coordinates before the first tile.
    head: u32,
    pub limit: Index,
    pub ragged: bool,
    /// Places of the tile may be before the first coordinate, as the loop counts down.
    low: bool,
    vector: u32,
    /// Several loops move along it.
    windowed: bool,
    /// A loop moves along it element by element.
    walked: bool,
    /// Elements of a thread's window, one for each step of its places and of the other loops.
    own: u32,
}

impl Stager<'_> {
    fn list(&mut self, stmts: Vec<Stmt>, chunks: &[Var]) -> Result<Vec<Stmt>, Refused> {
        let mut out = Vec::new();
        // The arrays that threads have stored to without boxes since the last barrier.
        let mut unordered: BTreeSet<ArrayId> = BTreeSet::new();
        let arrays = |program: &Program, stmt: &Stmt| {
            let mut all = Vec::new();
            stored(std::slice::from_ref(stmt), false, &mut all);
            all.into_iter().map(|(access, _)| program.accesses[access as usize].array).collect::<Vec<_>>()
        };
        for stmt in stmts {
            match stmt {
                Stmt::Loop { var, trips, axis, body } if chunks.contains(&var) => {
                    let array = |access: &u32| self.program.accesses[*access as usize].array;
                    if loads(&body).iter().any(|access| unordered.contains(&array(access))) {
                        out.push(Stmt::Barrier);
                        unordered.clear();
                    }
                    let body = self.region(body)?;
                    let ends = body.last() == Some(&Stmt::Barrier);
                    let stmt = Stmt::Loop { var, trips, axis, body };
                    if ends {
                        unordered.clear();
                    } else {
                        unordered.extend(arrays(self.program, &stmt));
                    }
                    out.push(stmt);
                }
                Stmt::Loop { var, trips, axis, body } => {
                    // A chunk in it is of one of its iterations.
                    if axis == Axis::Serial && !self.program.cuts.contains_key(&var) {
                        let (start, limit) = (var.into(), trips.clone());
                        let (inner, extent, vector) = (Index::Const(0), 1, 1);
                        let (head, ragged, thread) = (0, false, None);
                        let cut = Cut { start, inner, extent, head, limit, ragged, vector, thread };
                        self.program.cuts.insert(var, cut);
                    }
                    let body = self.list(body, chunks)?;
                    let stmt = Stmt::Loop { var, trips, axis, body };
                    unordered.extend(arrays(self.program, &stmt));
                    out.push(stmt);
                }
                other => {
                    unordered.extend(arrays(self.program, &other));
                    out.push(other);
                }
            }
        }
        Ok(out)
    }

    /// Stages what statements read and store that all threads of a block execute.
    fn region(&mut self, mut stmts: Vec<Stmt>) -> Result<Vec<Stmt>, Refused> {
        let mut trips = BTreeMap::new();
        let [mut reads, mut stores] = [false, true].map(|stored| {
            let mut found = BTreeMap::new();
            find(&stmts, stored, &mut found, &mut trips);
            found
        });
        let kept = |access: &u32| matches!(self.program.accesses[*access as usize].keep, Keep::Shared { .. });
        reads.retain(|access, _| kept(access));
        stores.retain(|access, _| kept(access));
        if reads.is_empty() && stores.is_empty() {
            return Ok(stmts);
        }
        let (mut fetch, mut put, mut leave) = (Vec::new(), Vec::new(), Vec::new());
        let mut taken = Vec::new();
        let all = reads.into_iter().map(|of| (false, of)).chain(stores.into_iter().map(|of| (true, of)));
        for (stored, (access, coords)) in all {
            let axes = coords.iter().map(|c| self.along(c, &trips)).collect::<Result<Vec<_>, _>>()?;
            let of = self.box_of((access, stored), &axes, &mut taken)?;
            match stored {
                false => copy(self.program, &of, access, &axes, self.asynchronous, (&mut fetch, &mut put)),
                true => copy_back(&of, access, &axes, &mut leave),
            }
            replace(&mut stmts, (access, stored), &mut |coords| {
                let own = coords.iter().map(|c| self.along(c, &trips)).collect::<Result<Vec<_>, _>>()?;
                if own.iter().zip(&axes).any(|(o, a)| (&o.start, o.extent) != (&a.start, a.extent)) {
                    return Err("several boxes of an access".into());
                }
                let index =
                    own.into_iter().zip(&of.pitch).fold(Index::Const(0), |sum, (a, p)| sum + a.inner * *p);
                Ok(Place::Cell(Cell { alloc: of.alloc, index }))
            })?;
        }
        self.unguard(&mut stmts);
        if self.asynchronous && !fetch.is_empty() {
            fetch.extend([Stmt::Commit, Stmt::Wait(0)]);
        }
        fetch.append(&mut put);
        fetch.push(Stmt::Barrier);
        fetch.append(&mut stmts);
        if !leave.is_empty() {
            fetch.push(Stmt::Barrier);
            fetch.append(&mut leave);
        }
        fetch.push(Stmt::Barrier);
        Ok(fetch)
    }

    /// Moves between registers and boxes run beyond the end of a tile that is cut off, too: boxes have room for it, and copies from
    /// and to memory stop at the last iteration.
    fn unguard(&self, stmts: &mut Vec<Stmt>) {
        let is_end = |(at, limit): &(Index, Index)| match at {
            Index::Var(var) => {
                let of = |cut: &Cut| cut.ragged && cut.thread.is_some() && cut.limit == *limit;
                self.program.cuts.get(var).is_some_and(of)
            }
            _ => false,
        };
        let is_own =
            |stmt: &Stmt| matches!(stmt, Stmt::Move { to: Place::Cell(_), from: Place::Cell(_), .. });
        let mut out = Vec::with_capacity(stmts.len());
        for mut stmt in std::mem::take(stmts) {
            match stmt {
                Stmt::If { less, body } if less.iter().all(is_end) && body.iter().all(is_own) => {
                    out.extend(body);
                }
                _ => {
                    stmt.inner_mut().into_iter().for_each(|inner| self.unguard(inner));
                    out.push(stmt);
                }
            }
        }
        *stmts = out;
    }

    /// The box of an access; those that are `taken` hold others of the region.
    fn box_of(
        &mut self,
        (access, stored): (u32, bool),
        axes: &[Along],
        taken: &mut Vec<AllocId>,
    ) -> Result<Box, Refused> {
        let lanes = self.lanes(axes)?;
        let of = &self.program.accesses[access as usize];
        let axis = |a: &Along| (a.extent, a.vector, a.own, a.windowed, a.walked);
        let axis = axes.iter().map(axis).collect();
        let shape = Shape { array: of.array, part: of.part, stored, keep: of.keep, axes: axis, lanes };
        let free = |(other, made): &&(Shape, Box)| *other == shape && !taken.contains(&made.alloc);
        let found = self.boxes.iter().find(free).map(|(_, made)| made.clone());
        let of = match found {
            Some(of) => of,
            None => {
                let made = self.make((access, stored), axes, &shape.lanes)?;
                self.boxes.push((shape, made.clone()));
                made
            }
        };
        taken.push(of.alloc);
        Ok(of)
    }

    /// The terms of a coordinate.
    fn along(&self, coord: &Index, trips: &BTreeMap<Var, Index>) -> Result<Along, Refused> {
        let mut all = along(self.program, coord, trips)?;
        let named = |var: &Var| self.fixed.iter().any(|s| matches!(s, Stmt::Let(v, _) if v == var));
        let mut walked = false;
        all.inner.visit(&mut |part| {
            if let Index::Var(var) = part {
                walked |= !named(var) && matches!(all.inner.coefficient(*var), Some(1 | -1));
            }
        });
        all.walked = walked;
        Ok(all)
    }

    fn prim(&self, access: u32) -> Result<Prim, Refused> {
        let array = self.program.accesses[access as usize].array;
        crate::program::element(self.kernel, array).ok_or_else(|| "elements that are no numbers".into())
    }

    /// Lays a box out: the fast axis of shared memory is one along which a thread has neighbouring elements, if there is one. Padding
    /// between rows avoids bank conflicts.
    fn make(
        &mut self,
        (access, stored): (u32, bool),
        axes: &[Along],
        lanes: &[Vec<u32>],
    ) -> Result<Box, Refused> {
        let prim = self.prim(access)?;
        let size = prim.size() as u32;
        let of = &self.program.accesses[access as usize];
        let Keep::Shared { width, beyond } = of.keep else {
            return Err("an access that is not staged".into());
        };
        let name = &self.kernel.template.arrays[of.array.index()].name;
        let name = if stored { format!("{name}_out") } else { name.clone() };
        let last = axes.len().checked_sub(1).ok_or("an access that nothing moves")?;
        let fast = (0..axes.len()).rev().find(|k| axes[*k].vector > 1).unwrap_or(last);
        let same = fast == last;
        let extents: Vec<u32> = axes.iter().map(|a| a.extent).collect();
        let across = extents[last].next_multiple_of(width);
        let vectors = extents[..last].iter().product::<u32>() * (across / width);
        let most = (WIDEST / size).max(1);
        let read = match (axes[fast].vector, axes[fast].walked) {
            // A row that an unrolled loop walks is read in vectors, also where these go beyond its end.
            (1, true) if self.program.chunks.is_empty() && extents[fast] >= most => most,
            (1, true) => gcd(extents[fast].into(), most.into()) as u32,
            (1, false) => 1,
            (vector, _) => gcd(vector.into(), most.into()) as u32,
        };
        let step = if same { width.max(read) } else { read };
        let windowed = axes.iter().any(|a| a.windowed);
        let threads = self.program.threads;
        let row = across / width;
        let rows = vectors / row;
        let deal = Deal::of(row, rows, threads);
        let dealt = deal.vectors(row, rows, threads);
        // Coordinates by the number of the row and in the row.
        let coords = |of_row: &Index, in_row: &Index| {
            let mut at = vec![Index::Const(0); axes.len()];
            at[last] = in_row.clone() * width;
            let mut rest = of_row.clone();
            for k in (0..last).rev() {
                at[k] = if k == 0 { rest.clone() } else { rest.clone() % extents[k] };
                rest = rest / extents[k];
            }
            at
        };
        // The vectors that a warp stores at the same time.
        let mut first = Vec::new();
        for thread in 0..i64::from(WARP.min(vectors)) {
            let at = At { vars: &[], terms: &BTreeMap::new(), block: 0, thread };
            let at = coords(&dealt[0].row, &dealt[0].in_row)
                .iter()
                .map(|c| c.eval(&at))
                .collect::<Result<Vec<_>, _>>()?;
            first.push(at.into_iter().map(|c| c as u32).collect::<Vec<_>>());
        }
        let words = (size / 4).max(1);
        // Threads whose windows are further apart than an access is wide.
        let apart = if same && axes[fast].windowed { axes[fast].vector } else { 0 };
        let groups: &[u32] = if apart > most && apart % most == 0 { &[0, apart] } else { &[0] };
        let layout = |group: u32, pad: u32| {
            let mut pitch = vec![1; axes.len()];
            let row = if same { across } else { extents[fast] };
            let mut all = row.next_multiple_of(step.max(group)) + pad.next_multiple_of(group.max(1));
            for k in (0..axes.len()).rev().filter(|k| *k != fast) {
                pitch[k] = all;
                all *= if k == last { across } else { extents[k] };
            }
            (pitch, all)
        };
        let cost = |group: u32, pitch: &[u32]| {
            let of = |at: &[u32]| {
                let index = at.iter().zip(pitch).map(|(a, p)| a * p).sum::<u32>();
                (index + index.checked_div(group).unwrap_or(0) * most) * words
            };
            let reads: Vec<u32> = lanes.iter().map(|at| of(at)).collect();
            let writes: Vec<u32> = first.iter().map(|at| of(at)).collect();
            let wide = if same { width } else { 1 };
            let times = if same { 1 } else { width };
            let copies = dealt.len() as u32 * times;
            // A thread reads each element of its part of the box.
            let own = |a: &Along| match (a.windowed, a.vector) {
                (true, _) => a.own,
                (false, 1) => a.extent.min(64),
                (false, _) => 8,
            };
            let each = axes.iter().map(own).product::<u32>() / read;
            wavefronts(&reads, read * words) * each.max(1) + wavefronts(&writes, wide * words) * copies
        };
        let pads = (0..=32).step_by(step as usize);
        let ways = groups.iter().flat_map(|group| pads.clone().map(move |pad| (*group, pad)));
        let best = ways.min_by_key(|(group, pad)| cost(*group, &layout(*group, *pad).0));
        let (group, pad) = best.unwrap_or((0, 0));
        let (pitch, all) = layout(group, pad);
        // The last vector of a window may end beyond its last row.
        let all =
            (all.next_multiple_of(most) + if windowed { most } else { 0 }).next_multiple_of(group.max(1));
        let alloc = self.program.alloc(format!("{name}_box"), Space::Shared, prim, all);
        self.program.allocs[alloc.0 as usize].group = group;
        let slots =
            self.program.alloc(format!("{name}_next"), Space::Register, prim, dealt.len() as u32 * width);
        let mut found = Vec::new();
        for (u, Dealt { row, in_row, within }) in dealt.into_iter().enumerate() {
            let at = coords(&row, &in_row)
                .into_iter()
                .enumerate()
                .map(|(k, x)| self.name(format!("{name}_{k}_{u}"), x))
                .collect::<Vec<_>>();
            let place = at.iter().zip(&pitch).fold(Index::Const(0), |sum, (x, p)| sum + x.clone() * *p);
            let place = self.name(format!("{name}_to_{u}"), place);
            found.push(Vector { at, place, within });
        }
        Ok(Box { alloc, slots, pitch, width, beyond, row, same, vectors: found })
    }

    fn name(&mut self, name: String, value: Index) -> Index {
        if let Index::Const(_) = value {
            return value;
        }
        let var = self.program.var(name);
        self.lets.push(Stmt::Let(var, value));
        var.into()
    }

    /// The places in the box that the lanes of the first warp read at the same time.
    fn lanes(&self, axes: &[Along]) -> Result<Vec<Vec<u32>>, Refused> {
        let terms = BTreeMap::new();
        let lane = |thread: i64| {
            let mut vars = vec![None; self.program.vars.len()];
            for stmt in &self.fixed {
                if let Stmt::Let(var, value) = stmt {
                    let at = At { vars: &vars, terms: &terms, block: 0, thread };
                    vars[var.0 as usize] = value.eval(&at).ok();
                }
            }
            // The thread's first place.
            let vars: Vec<_> = vars.into_iter().map(|value| value.or(Some(0))).collect();
            let at = At { vars: &vars, terms: &terms, block: 0, thread };
            let place = |a: &Along| a.inner.eval(&at).map(|n| u32::try_from(n).unwrap_or(0));
            axes.iter().map(place).collect::<Result<Vec<_>, _>>()
        };
        (0..i64::from(self.program.threads.min(32))).map(lane).collect()
    }
}

/// The terms of a coordinate, without the decision whether a loop moves it.
pub(super) fn along(
    program: &Program,
    coord: &Index,
    trips: &BTreeMap<Var, Index>,
) -> Result<Along, Refused> {
    let mut parts = Vec::new();
    sum(coord, 1, &mut parts)?;
    let zero = || Index::Const(0);
    let mut all = Along {
        start: zero(),
        inner: zero(),
        extent: 1,
        head: 0,
        limit: Index::Const(1),
        ragged: false,
        low: false,
        vector: 1,
        windowed: parts.len() > 1,
        walked: false,
        own: 1,
    };
    for Part { var, by, last } in parts {
        let whole = trips.get(&var).and_then(|t| match t {
            Index::Const(n) => u32::try_from(*n).ok(),
            _ => None,
        });
        let cut = match (program.cuts.get(&var), whole) {
            (Some(cut), _) => cut.clone(),
            (None, Some(n)) => Cut {
                start: zero(),
                inner: var.into(),
                extent: n,
                head: 0,
                limit: n.into(),
                ragged: false,
                vector: 1,
                thread: None,
            },
            (None, None) => return Err("a loop that is neither cut nor of a known length".into()),
        };
        all.low |= last.is_some() && cut.ragged;
        let cut = last.map_or_else(|| Ok(cut.clone()), |last| backward(&cut, last))?;
        all.start = all.start + cut.start * by;
        all.inner = all.inner + cut.inner * by;
        all.extent += (cut.extent - 1) * by;
        all.head += cut.head * by;
        all.own += (if cut.thread.is_some() { cut.vector } else { cut.extent } - 1) * by;
        all.limit = all.limit + (cut.limit - 1) * by;
        all.ragged |= cut.ragged;
        all.vector = all.vector.max(cut.vector);
    }
    Ok(all)
}

/// The places of a loop, counted from the last one.
fn backward(cut: &Cut, last: i64) -> Result<Cut, Refused> {
    if cut.limit != Index::from(last + 1) {
        return Err("a subscript goes down along a loop whose trip count the text does not have".into());
    }
    let start = cut.limit.clone() - cut.extent - cut.start.clone();
    Ok(Cut {
        start,
        inner: Index::from(cut.extent - 1) - cut.inner.clone(),
        head: 0,
        ragged: false,
        ..cut.clone()
    })
}

/// The copies of a box into registers, and from there into shared memory.
fn copy(
    program: &Program,
    of: &Box,
    access: u32,
    axes: &[Along],
    asynchronous: bool,
    (fetch, put): (&mut Vec<Stmt>, &mut Vec<Stmt>),
) {
    let last = axes.len() - 1;
    // Copies of other sizes are none that devices make by themselves.
    let bytes = of.width * program.allocs[of.alloc.0 as usize].prim.size() as u32;
    let direct = asynchronous && of.same && matches!(bytes, 4 | 8 | 16);
    for (u, Vector { at, place, within }) in of.vectors.iter().enumerate() {
        let coord = |(k, (x, a)): (usize, (&Index, &Along))| {
            let whole = a.start.clone() + x.clone();
            let whole = if a.low { whole.max(0) } else { whole };
            let beyond = k == last && of.row * of.width > a.extent;
            let (least, limit) = match (k == last, of.beyond) {
                (true, true) => {
                    let up = a.limit.clone() - i64::from(a.head) + (of.width - 1);
                    (of.width, up / of.width * of.width + a.head)
                }
                (true, false) => (of.width, a.limit.clone()),
                (false, _) => (1, a.limit.clone()),
            };
            if a.ragged || beyond { whole.min(limit - least) } else { whole }
        };
        let coords: Vec<Index> = at.iter().zip(axes).enumerate().map(coord).collect();
        let (slot, wide) = (u as u32 * of.width, of.width);
        let register = |q: u32| Place::Cell(Cell { alloc: of.slots, index: Index::from(slot + q) });
        let shared = |q: u32| {
            let index = place.clone() + q * of.pitch[last];
            Place::Cell(Cell { alloc: of.alloc, index })
        };
        let from = Place::Array(access, coords);
        let (mut fetched, mut stored) = (Vec::new(), Vec::new());
        if direct {
            fetched.push(Stmt::Move { to: shared(0), from, width: wide, asynchronous: true });
        } else {
            fetched.push(Stmt::Move { to: register(0), from, width: wide, asynchronous: false });
            if of.same {
                stored.push(Stmt::Move {
                    to: shared(0),
                    from: register(0),
                    width: wide,
                    asynchronous: false,
                });
            } else {
                stored.extend((0..wide).map(|q| Stmt::copy(shared(q), register(q))));
            }
        }
        let guard = |stmts: Vec<Stmt>| match within.is_empty() || stmts.is_empty() {
            true => stmts,
            false => vec![Stmt::If { less: within.clone(), body: stmts }],
        };
        fetch.extend(guard(fetched));
        put.extend(guard(stored));
    }
}

/// The copies of a box that threads have filled to the array. Only what the loops have is stored.
fn copy_back(of: &Box, access: u32, axes: &[Along], out: &mut Vec<Stmt>) {
    let last = axes.len() - 1;
    for (u, Vector { at, place, within }) in of.vectors.iter().enumerate() {
        let coords: Vec<Index> = at.iter().zip(axes).map(|(x, a)| a.start.clone() + x.clone()).collect();
        let mut less = within.clone();
        for (k, a) in axes.iter().enumerate() {
            if a.ragged || (k == last && of.row * of.width > a.extent) {
                less.push((coords[k].clone(), a.limit.clone()));
            }
            if a.low {
                less.push(((-1).into(), coords[k].clone()));
            }
        }
        let register =
            |q: u32| Place::Cell(Cell { alloc: of.slots, index: (u as u32 * of.width + q).into() });
        let shared =
            |q: u32| Place::Cell(Cell { alloc: of.alloc, index: place.clone() + q * of.pitch[last] });
        let wide = |to, from, width| Stmt::Move { to, from, width, asynchronous: false };
        let mut body = match of.same {
            true => vec![wide(register(0), shared(0), of.width)],
            false => (0..of.width).map(|q| Stmt::copy(register(q), shared(q))).collect(),
        };
        body.push(wide(Place::Array(access, coords), register(0), of.width));
        match less.is_empty() {
            true => out.extend(body),
            false => out.push(Stmt::If { less, body }),
        }
    }
}

/// Whether the loads and stores of arrays that are staged keep their order. In a chunk, all loads from boxes come before all stores
/// out of them, and what a thread loads another one may have stored: so a chunk has one subscript of such an array, which it loads
/// before it stores, no access goes past its boxes, and each element of a box is stored. If loops carry
/// elements, threads load these, and access what no chunk moves, without boxes: barriers are between these accesses and those of other threads.
fn are_apart(program: &Program, body: &[Stmt]) -> Result<(), Refused> {
    let of = |access: u32| &program.accesses[access as usize];
    let is_staged = |access: u32| matches!(of(access).keep, Keep::Shared { .. });
    let mut stores = Vec::new();
    stored(body, false, &mut stores);
    let loops = |access: u32| {
        let axes = of(access).axes.iter().flat_map(|axis| axis.loops.iter().map(|l| l.0));
        axes.collect::<BTreeSet<_>>()
    };
    // Threads access what they load before the first iteration of a loop, and what stands next to such loops, without boxes.
    let outside = |access: u32| {
        let mut moving = program.whole.iter().map(|(_, of, _)| of.0);
        let stays = !moving.any(|l| loops(access).contains(&l));
        program.carried.contains(&access) || (stays && !program.carried.is_empty())
    };
    for (access, conditional) in stores.iter().filter(|(access, _)| is_staged(*access)) {
        if *conditional || !program.nowhere.is_empty() {
            return Err(
                "a condition decides what is stored to an array whose boxes are written as a whole".into()
            );
        }
        if loads_after_store(program, body, *access, &mut false) {
            return Err("an element is loaded after the loop has stored it".into());
        }
        let array = of(*access).array;
        if of(*access).axes.iter().any(|axis| axis.loops.len() > 1) {
            return Err("several iterations store to an element of a box".into());
        }
        let reads = loads(body);
        let others =
            reads.iter().copied().chain(stores.iter().map(|s| s.0)).filter(|a| of(*a).array == array);
        for other in others {
            // Those of other loops have chunks of their own.
            if outside(other) {
                continue;
            }
            if !is_staged(other) || (other != *access && loops(other) == loops(*access)) {
                return Err("several subscripts of an array that a loop stores to".into());
            }
        }
    }
    Ok(())
}

/// Whether an iteration loads what it has stored through an access; each chunk begins with its box loaded.
fn loads_after_store(program: &Program, stmts: &[Stmt], access: u32, stored: &mut bool) -> bool {
    let is_it = |place: &Place| matches!(place, Place::Array(of, _) if *of == access);
    stmts.iter().any(|stmt| {
        match stmt {
            Stmt::Move { from, .. } if *stored && is_it(from) => return true,
            Stmt::Move { to, .. } => *stored |= is_it(to),
            Stmt::Loop { var, .. } if program.chunks.contains(var) => *stored = false,
            _ => {}
        }
        loads_after_store(program, stmt.inner(), access, stored)
    })
}

/// The accesses that statements store to, and whether a condition decides it.
fn stored(stmts: &[Stmt], conditional: bool, out: &mut Vec<(u32, bool)>) {
    for stmt in stmts {
        if let Stmt::Move { to: Place::Array(access, _), .. } = stmt {
            out.push((*access, conditional));
        }
        stored(stmt.inner(), conditional || matches!(stmt, Stmt::When { .. }), out);
    }
}

/// The accesses that statements read or store (`stored`), with their coordinates, and the trips of the loops among them.
pub(super) fn find(
    stmts: &[Stmt],
    stored: bool,
    found: &mut BTreeMap<u32, Vec<Index>>,
    trips: &mut BTreeMap<Var, Index>,
) {
    for stmt in stmts {
        match stmt {
            Stmt::Move { from, to, .. } => {
                if let Place::Array(access, coords) = if stored { to } else { from } {
                    found.insert(*access, coords.clone());
                }
            }
            Stmt::Loop { var, trips: n, axis, body } => {
                if *axis != Axis::Register {
                    trips.insert(*var, n.clone());
                }
                find(body, stored, found, trips);
            }
            other => find(other.inner(), stored, found, trips),
        }
    }
}

/// The accesses that statements load from.
fn loads(stmts: &[Stmt]) -> Vec<u32> {
    let mut found = BTreeMap::new();
    find(stmts, false, &mut found, &mut BTreeMap::new());
    found.into_keys().collect()
}

/// Lets loads of an access come from elsewhere, or stores (`stored`) go there.
fn replace(
    stmts: &mut [Stmt],
    (access, stored): (u32, bool),
    place: &mut impl FnMut(&[Index]) -> Result<Place, Refused>,
) -> Result<(), Refused> {
    for stmt in stmts {
        if let Stmt::Move { from, to, .. } = stmt
            && let side = if stored { to } else { from }
            && let Place::Array(a, coords) = side
            && *a == access
        {
            *side = place(coords)?;
        }
        if let Some(inner) = stmt.inner_mut() {
            replace(inner, (access, stored), place)?;
        }
    }
    Ok(())
}

/// A term of a coordinate: a multiple of the number of an iteration.
struct Part {
    var: Var,
    by: u32,
    /// The last number, if the coordinate counts from there.
    last: Option<i64>,
}

/// The variables that a coordinate is the sum of, with multiples.
fn sum(index: &Index, by: u32, out: &mut Vec<Part>) -> Result<(), Refused> {
    match index {
        Index::Const(0) => Ok(()),
        Index::Var(var) => {
            out.push(Part { var: *var, by, last: None });
            Ok(())
        }
        Index::Bin(Op::Sub, last, var) => match (&**last, &**var) {
            (Index::Const(last), Index::Var(var)) => {
                out.push(Part { var: *var, by, last: Some(*last) });
                Ok(())
            }
            _ => Err("a coordinate that is no sum".into()),
        },
        Index::Bin(Op::Add, a, b) => {
            sum(a, by, out)?;
            sum(b, by, out)
        }
        Index::Bin(Op::Mul, a, b) => match (&**a, &**b) {
            (x, Index::Const(n)) | (Index::Const(n), x) => sum(x, by * u32::try_from(*n).unwrap_or(1), out),
            _ => Err("a coordinate that is no sum".into()),
        },
        _ => Err("a coordinate that is no sum".into()),
    }
}

/// Cycles of shared memory for the accesses of a warp: words, and words of each lane. 128 bytes are accessed at a time.
fn wavefronts(words: &[u32], width: u32) -> u32 {
    let together = (32 / width.max(1)).max(1) as usize;
    let phase = |lanes: &[u32]| {
        let mut banks = [const { Vec::new() }; 32];
        for lane in lanes {
            for word in *lane..lane + width {
                let bank: &mut Vec<u32> = &mut banks[(word % 32) as usize];
                if !bank.contains(&word) {
                    bank.push(word);
                }
            }
        }
        banks.iter().map(|bank| bank.len() as u32).max().unwrap_or(0)
    };
    words.chunks(together).map(phase).sum()
}
