//! The interpreter of device programs, with which tests compare all steps.
//!
//! Blocks run one after the other. The threads of a block run in lockstep, statement by statement, which is one of the orders that
//! a device may choose. The interpreter also looks for races: two threads access an element between barriers (of
//! arrays: of different blocks in the whole launch), and one of them writes. Without races, every other order gives the same result.
use super::leaf;
use super::{At, Bound, Cell, Index, Place, Program, Space, Stmt, Term};
use omp_ir::analysis::plan::Nest;
use omp_ir::ids::{ArrayId, LocalId};
use omp_ir::interp::{Memory, Statements};
use omp_ir::kernel::Kernel;
use omp_ir::template;
use std::collections::BTreeMap;

/// The launch values of a nest, of the subscripts that a program has.
#[must_use]
pub fn terms(program: &Program, nest: &Nest) -> BTreeMap<Term, i64> {
    program.terms().into_iter().filter_map(|term| Some((term, term.value(nest)?))).collect()
}

/// Runs a program on the data of a launch.
///
/// # Errors
/// What no device would forgive.
pub fn run(
    program: &Program,
    kernel: &Kernel,
    terms: &BTreeMap<Term, i64>,
    memory: &mut Memory,
) -> Result<(), String> {
    let kernel = Kernel { body: program.code.clone(), ..kernel.clone() };
    let size = |a: usize| super::element(&kernel, ArrayId::new(a)).map_or(1, omp_ir::desc::Prim::size);
    let sizes = (0..kernel.array_ty.len()).map(size).collect();
    let arrays = std::mem::take(&mut memory.arrays);
    // Leaves use the lengths of arrays, and elements of arrays that nothing writes.
    let mut lengths = Memory { arrays: arrays.clone(), ..memory.clone() };
    let statements = Statements::new(&kernel, &mut lengths);
    let owners = arrays.iter().map(|_| BTreeMap::new()).collect();
    let mut machine = Machine { program, terms, arrays, sizes, owners, statements, block: Block::default() };
    let at = At { vars: &[], terms, block: 0, thread: 0 };
    let result = program.grid.eval(&at).and_then(|blocks| (0..blocks).try_for_each(|b| machine.block(b)));
    memory.arrays = machine.arrays;
    result
}

/// The last accesses of an element: the barrier interval, and the thread; `None` for several threads.
#[derive(Debug, Clone, Copy, Default)]
struct Touched {
    wrote: Option<(u64, usize)>,
    read: Option<(u64, Option<usize>)>,
}

impl Touched {
    fn touch(&mut self, since: u64, thread: usize, writes: bool) -> bool {
        let other = |of: Option<(u64, usize)>| of.is_some_and(|(when, who)| when == since && who != thread);
        let mut fine = !other(self.wrote);
        if writes {
            fine &= self.read.is_none_or(|(when, who)| when != since || who == Some(thread));
            self.wrote = Some((since, thread));
        } else {
            let same = self.read.is_none_or(|(when, who)| when != since || who == Some(thread));
            self.read = Some((since, same.then_some(thread)));
        }
        fine
    }

    /// Also of one thread, loads of shared elements have a barrier between them and stores: the compiler orders those that
    /// are written in assembly by nothing else.
    fn ordered(&self, since: u64) -> Result<(), &'static str> {
        let both = self.wrote.is_some_and(|w| w.0 == since) && self.read.is_some_and(|r| r.0 == since);
        if both { Err("no barrier is between the load and the store of") } else { Ok(()) }
    }
}

/// The accesses of an element of an array: the blocks (`None` for several readers), and the threads of the last block.
#[derive(Debug, Clone, Copy, Default)]
struct Owned {
    wrote: Option<i64>,
    read: Option<Option<i64>>,
    last: Option<i64>,
    touched: Touched,
}

impl Owned {
    fn touch(&mut self, (block, since, thread): (i64, u64, usize), writes: bool) -> bool {
        let mut fine = self.wrote.is_none_or(|of| of == block);
        if writes {
            fine &= self.read.is_none_or(|of| of == Some(block));
            self.wrote = Some(block);
        } else {
            self.read = Some(if self.read.is_none_or(|of| of == Some(block)) { Some(block) } else { None });
        }
        if self.last != Some(block) {
            (self.last, self.touched) = (Some(block), Touched::default());
        }
        fine && self.touched.touch(since, thread, writes)
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Shared {
    bits: Option<u64>,
    touched: Touched,
    /// On its way, in this group of this thread's.
    group: Option<(usize, u64)>,
}

#[derive(Default)]
struct Block {
    number: i64,
    vars: Vec<Vec<Option<i64>>>,
    /// By thread and allocation.
    registers: Vec<Vec<Vec<Option<u64>>>>,
    /// By allocation.
    shared: Vec<Vec<Shared>>,
    /// Barriers so far.
    since: u64,
    /// By thread: groups of moves so far.
    groups: Vec<u64>,
}

struct Machine<'a> {
    program: &'a Program,
    terms: &'a BTreeMap<Term, i64>,
    arrays: Vec<Vec<u8>>,
    sizes: Vec<usize>,
    /// By array and element, in the whole launch.
    owners: Vec<BTreeMap<i64, Owned>>,
    statements: Statements<'a>,
    block: Block,
}

impl Machine<'_> {
    fn block(&mut self, number: i64) -> Result<(), String> {
        let threads = self.program.threads as usize;
        let memory = |space| {
            let of = move |a: &super::Alloc| {
                let zero = a.zeroed.then_some(0);
                if a.space == space { vec![zero; a.len as usize] } else { Vec::new() }
            };
            self.program.allocs.iter().map(of).collect::<Vec<_>>()
        };
        let shared = memory(Space::Shared);
        let shared = shared.iter().map(|all| vec![Shared::default(); all.len()]).collect();
        self.block = Block {
            number,
            vars: vec![vec![None; self.program.vars.len()]; threads],
            registers: vec![memory(Space::Register); threads],
            shared,
            since: 1,
            groups: vec![0; threads],
        };
        let all: Vec<usize> = (0..threads).collect();
        let program = self.program;
        self.stmts(&program.body, &all)
    }

    fn eval(&self, index: &Index, thread: usize) -> Result<i64, String> {
        let at = At {
            vars: &self.block.vars[thread],
            terms: self.terms,
            block: self.block.number,
            thread: thread as i64,
        };
        let value = index.eval(&at)?;
        if i32::try_from(value).is_err() {
            return Err(format!("{index} is {value}, which 32 bits don't hold"));
        }
        Ok(value)
    }

    fn stmts(&mut self, stmts: &[Stmt], active: &[usize]) -> Result<(), String> {
        stmts.iter().try_for_each(|stmt| self.stmt(stmt, active))
    }

    /// The body of a statement: at its end, names have the meaning that they had before it.
    fn block_of(&mut self, body: &[Stmt], active: &[usize]) -> Result<(), String> {
        let named = body.iter().filter_map(|stmt| match stmt {
            Stmt::Let(var, _) => Some(var.0 as usize),
            _ => None,
        });
        let outer: Vec<_> = named
            .flat_map(|v| active.iter().map(move |&t| (t, v)))
            .map(|(t, v)| (t, v, self.block.vars[t][v]))
            .collect();
        self.stmts(body, active)?;
        outer.into_iter().for_each(|(t, v, value)| self.block.vars[t][v] = value);
        Ok(())
    }

    fn stmt(&mut self, stmt: &Stmt, active: &[usize]) -> Result<(), String> {
        match stmt {
            Stmt::Let(var, value) => {
                for &t in active {
                    let value = self.eval(value, t)?;
                    self.block.vars[t][var.0 as usize] = Some(value);
                }
            }
            Stmt::Loop { var, trips, axis: _, body } => {
                let trips = active.iter().map(|&t| self.eval(trips, t)).collect::<Result<Vec<_>, _>>()?;
                let outer: Vec<_> = active.iter().map(|&t| self.block.vars[t][var.0 as usize]).collect();
                for n in 0..trips.iter().copied().max().unwrap_or(0) {
                    let still: Vec<usize> =
                        active.iter().zip(&trips).filter(|(_, trips)| n < **trips).map(|(t, _)| *t).collect();
                    for &t in &still {
                        self.block.vars[t][var.0 as usize] = Some(n);
                    }
                    self.block_of(body, &still)?;
                }
                active.iter().zip(outer).for_each(|(&t, value)| self.block.vars[t][var.0 as usize] = value);
            }
            Stmt::If { less, body } => {
                let mut still = Vec::new();
                for &t in active {
                    let mut all = true;
                    for (a, b) in less {
                        all &= self.eval(a, t)? < self.eval(b, t)?;
                    }
                    if all {
                        still.push(t);
                    }
                }
                if !still.is_empty() {
                    self.block_of(body, &still)?;
                }
            }
            Stmt::When { cond, body } => {
                let mut still = Vec::new();
                for &t in active {
                    match self.load_cell(cond, 0, 1, t)? {
                        Some(0) => {}
                        Some(_) => still.push(t),
                        None => return Err("a condition that was not written".into()),
                    }
                }
                self.block_of(body, &still)?;
            }
            Stmt::Move { to, from, width, asynchronous } => {
                for &t in active {
                    for w in 0..i64::from(*width) {
                        let bits = self.load(from, w, i64::from(*width), t)?;
                        self.store(to, w, i64::from(*width), bits, *asynchronous, t)?;
                    }
                }
            }
            Stmt::Leaf { stmts, bound } => {
                let (given, wanted) = sides(self.program, stmts, bound);
                for &t in active {
                    self.leaf(stmts, (&given, &wanted), t)?;
                }
            }
            Stmt::Multiply { into, rows, columns } => {
                for (into, rows) in into.iter().zip(rows) {
                    active.chunks(32).try_for_each(|warp| self.multiply([into, rows, columns], warp))?;
                }
            }
            Stmt::Barrier => {
                if active.len() < self.program.threads as usize {
                    return Err(format!("{} threads arrive at a barrier", active.len()));
                }
                self.block.since += 1;
            }
            Stmt::Commit => active.iter().for_each(|&t| self.block.groups[t] += 1),
            Stmt::Wait(last) => {
                for &t in active {
                    let done = self.block.groups[t].saturating_sub(u64::from(*last));
                    for cell in self.block.shared.iter_mut().flatten() {
                        if cell.group.is_some_and(|(who, group)| who == t && group < done) {
                            cell.group = None;
                            cell.touched.wrote = Some((self.block.since, t));
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// What a warp's matrix instruction does.
    fn multiply(&mut self, [into, rows, columns]: [&Cell; 3], warp: &[usize]) -> Result<(), String> {
        if warp.len() < 32 || !warp[0].is_multiple_of(32) || warp[31] != warp[0] + 31 {
            return Err("a warp multiplies matrices, of which a lane is missing".into());
        }
        let mut factors = Vec::new();
        for &t in warp {
            factors.push([self.load_cell(rows, 0, 1, t)?, self.load_cell(columns, 0, 1, t)?]);
        }
        for (lane, &t) in warp.iter().enumerate() {
            for w in 0..2 {
                let column = lane % 4 * 2 + w;
                let term = |sum: Option<u64>, k: usize| {
                    let [a, b] = [factors[lane / 4 * 4 + k][0], factors[column * 4 + k][1]]
                        .map(|x| x.map(f64::from_bits));
                    Some(a?.mul_add(b?, f64::from_bits(sum?)).to_bits())
                };
                let sum = (0..4).fold(self.load_cell(into, w as i64, 2, t)?, term);
                self.store_cell(into, w as i64, 2, sum, false, t)?;
            }
        }
        Ok(())
    }

    fn leaf(
        &mut self,
        stmts: &[template::Stmt],
        (reads, writes): Sides<'_, '_>,
        thread: usize,
    ) -> Result<(), String> {
        let (mut given, mut poison) = (Vec::with_capacity(reads.len()), false);
        for (local, to) in reads {
            match to {
                Bound::Cell(cell) => match self.load_cell(cell, 0, 1, thread)? {
                    Some(bits) => given.push((*local, bits)),
                    None => poison = true,
                },
                Bound::Value(value) => given.push((*local, self.eval(value, thread)? as u64)),
            }
        }
        let wanted: Vec<_> = writes.iter().map(|(local, _)| *local).collect();
        let results = if poison {
            vec![None; wanted.len()]
        } else {
            self.statements.run(stmts, &given, &wanted).map_err(|failure| failure.message)?
        };
        for ((_, cell), bits) in writes.iter().zip(results) {
            self.store_cell(cell, 0, 1, bits, false, thread)?;
        }
        Ok(())
    }

    fn cell(&self, cell: &Cell, w: i64, width: i64, thread: usize) -> Result<usize, String> {
        let alloc = &self.program.allocs[cell.alloc.0 as usize];
        let first = self.eval(&cell.index, thread)?;
        if alloc.space == Space::Shared && first % width != 0 {
            return Err(format!("{} {first} is not aligned to {width}", alloc.name));
        }
        if alloc.group > 0 && i64::from(alloc.group) % width != 0 {
            return Err(format!("{width} elements of {} have a gap between them", alloc.name));
        }
        usize::try_from(first + w)
            .ok()
            .filter(|at| *at < alloc.len as usize)
            .ok_or_else(|| format!("{}[{}] is outside of its {}", alloc.name, first + w, alloc.len))
    }

    fn element(
        &mut self,
        place: (u32, &[Index]),
        (w, width): (i64, i64),
        writes: bool,
        thread: usize,
    ) -> Result<(usize, usize), String> {
        let (access, coords) = place;
        let array = self.program.accesses[access as usize].array.index();
        let first = self.eval(&self.program.subscript(access, coords), thread)?;
        if first % width != 0 {
            return Err(format!("element {first} of array {array} is not aligned to {width}"));
        }
        let at = first + w;
        let size = self.sizes[array];
        let place = usize::try_from(at).ok().filter(|at| (at + 1) * size <= self.arrays[array].len());
        let place = place.ok_or_else(|| format!("element {at} is outside of array {array}"))?;
        let who = (self.block.number, self.block.since, thread);
        if !self.owners[array].entry(at).or_default().touch(who, writes) {
            return Err(format!("threads race for element {at} of array {array}"));
        }
        Ok((array, place * size))
    }

    fn load_cell(&mut self, cell: &Cell, w: i64, width: i64, thread: usize) -> Result<Option<u64>, String> {
        let at = self.cell(cell, w, width, thread)?;
        let alloc = &self.program.allocs[cell.alloc.0 as usize];
        if alloc.space == Space::Register {
            return Ok(self.block.registers[thread][cell.alloc.0 as usize][at]);
        }
        let since = self.block.since;
        let of = &mut self.block.shared[cell.alloc.0 as usize][at];
        if of.group.is_some() || !of.touched.touch(since, thread, false) {
            return Err(format!("threads race for {}[{at}]", alloc.name));
        }
        if !alloc.mixed {
            of.touched.ordered(since).map_err(|e| format!("{e} {}[{at}]", alloc.name))?;
        }
        Ok(of.bits)
    }

    fn load(&mut self, place: &Place, w: i64, width: i64, thread: usize) -> Result<Option<u64>, String> {
        match place {
            Place::Cell(cell) => self.load_cell(cell, w, width, thread),
            Place::Array(access, coords) => {
                let (array, at) = self.element((*access, coords), (w, width), false, thread)?;
                let mut bits = [0; 8];
                let size = self.sizes[array];
                bits[..size].copy_from_slice(&self.arrays[array][at..at + size]);
                Ok(Some(u64::from_le_bytes(bits)))
            }
        }
    }

    fn store_cell(
        &mut self,
        cell: &Cell,
        w: i64,
        width: i64,
        bits: Option<u64>,
        asynchronous: bool,
        thread: usize,
    ) -> Result<(), String> {
        let at = self.cell(cell, w, width, thread)?;
        let alloc = &self.program.allocs[cell.alloc.0 as usize];
        if alloc.space == Space::Register {
            self.block.registers[thread][cell.alloc.0 as usize][at] = bits;
            return Ok(());
        }
        let (since, group) = (self.block.since, self.block.groups[thread]);
        let of = &mut self.block.shared[cell.alloc.0 as usize][at];
        if of.group.is_some() || !of.touched.touch(since, thread, true) {
            return Err(format!("threads race for {}[{at}]", alloc.name));
        }
        if !alloc.mixed {
            of.touched.ordered(since).map_err(|e| format!("{e} {}[{at}]", alloc.name))?;
        }
        of.bits = bits;
        of.group = asynchronous.then_some((thread, group));
        Ok(())
    }

    fn store(
        &mut self,
        place: &Place,
        w: i64,
        width: i64,
        bits: Option<u64>,
        asynchronous: bool,
        thread: usize,
    ) -> Result<(), String> {
        match place {
            Place::Cell(cell) => self.store_cell(cell, w, width, bits, asynchronous, thread)?,
            Place::Array(access, coords) => {
                let (array, at) = self.element((*access, coords), (w, width), true, thread)?;
                let size = self.sizes[array];
                let bits = bits.ok_or_else(|| format!("array {array} gets a value that was not written"))?;
                self.arrays[array][at..at + size].copy_from_slice(&bits.to_le_bytes()[..size]);
            }
        }
        Ok(())
    }
}

/// What a leaf reads, and what it writes.
type Reads<'a> = Vec<(LocalId, &'a Bound)>;
type Writes<'a> = Vec<(LocalId, &'a Cell)>;
type Sides<'s, 'a> = (&'s Reads<'a>, &'s Writes<'a>);

/// The bound variables whose values statements need, and those that they write.
fn sides<'a>(
    program: &Program,
    stmts: &[template::Stmt],
    bound: &'a [(LocalId, Bound)],
) -> (Reads<'a>, Writes<'a>) {
    let (needed, written) = (leaf::needed(&program.code, stmts), leaf::written(stmts));
    let given = bound.iter().filter(|(local, _)| needed.contains(local)).map(|(local, to)| (*local, to));
    let cell = |(local, to): &'a (LocalId, Bound)| match to {
        Bound::Cell(cell) if written.contains(local) => Some((*local, cell)),
        _ => None,
    };
    (given.collect(), bound.iter().filter_map(cell).collect())
}
