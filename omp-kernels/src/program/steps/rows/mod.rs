//! Rows in shared memory: a block has some rows of arrays in shared memory while it runs all sequential loops over them, so that
//! device memory delivers each element once, and takes it once. Loops are [distributed](super::distribute): all threads of the block share the
//! independent iterations of a row, and one thread for each row runs what keeps its order, also where an iteration needs an element that
//! another one has stored (`y[i] -= k * y[i - 1]`).
mod layout;
mod statements;

use super::distribute::{Parts, Piece, distribute, exposed, registers, single_statements};
use super::{Refused, change, known};
use crate::program::{AllocId, Axis, Index, Place, Program, Stmt, Var};
use layout::Kept;
use omp_ir::kernel::Kernel;
use std::collections::{BTreeMap, BTreeSet};

/// The numbers of the step.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Rows {
    /// Rows of a block.
    pub rows: u32,
    /// Threads of a block.
    pub threads: u32,
    /// Of these, neighbours along a row.
    pub across: u32,
    /// The last block may have fewer rows.
    pub ragged: bool,
    /// What may be in shared memory.
    pub boxes: Vec<RowBox>,
    /// By access: in which box, and where in a row.
    pub held: Vec<Option<Held>>,
    /// Copies go to shared memory without registers, where their width allows.
    pub asynchronous: bool,
}

/// The part of each row that the nest accesses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RowBox {
    /// An access of it that moves along rows.
    pub access: u32,
    /// Elements of a row before the first one of that access.
    pub before: u32,
    /// Elements of a row.
    pub width: u32,
    /// Elements of one access to memory.
    pub vector: u32,
}

/// Where an access is in a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Held {
    /// Which box.
    pub of: u32,
    /// The place of its first element in a row.
    pub at: u32,
    /// A sequential loop moves it along the row.
    pub moves: bool,
}

/// Keeps rows in shared memory.
///
/// # Errors
/// The nest has another form, or a loop is not distributed.
pub fn rows(program: &mut Program, kernel: &Kernel, numbers: &Rows) -> Result<(), Refused> {
    change(program, |program, mut body| {
        let mut dims = Vec::new();
        while let [Stmt::Loop { var, trips, axis: Axis::Parallel, body: inside }] = body.as_slice() {
            dims.push((*var, trips.clone()));
            body = inside.clone();
        }
        let body = single_statements(program, kernel, body)?;
        let segments = segments(program, kernel, numbers, &body)?;
        let all = dims.iter().fold(Index::Const(1), |all, (_, trips)| all * trips.clone());
        let maker = Maker::new((program, kernel), numbers, dims, &segments)?;
        let out = maker.all(segments)?;
        program.threads = numbers.threads;
        program.grid = (all + (numbers.rows - 1)) / numbers.rows;
        Ok(out)
    })
}

/// What runs between two barriers.
struct Segment {
    items: Vec<Item>,
    /// All threads share the iterations of its loop; else one thread for each row runs it.
    independent: bool,
}

/// Statements, and the loop around them.
struct Item {
    around: Option<(Var, u32)>,
    pieces: Vec<Piece>,
}

/// The segments of a body, in order. Neighbouring ordered ones are one.
fn segments(
    program: &Program,
    kernel: &Kernel,
    numbers: &Rows,
    body: &[Stmt],
) -> Result<Vec<Segment>, Refused> {
    let mut out: Vec<Segment> = Vec::new();
    let mut add = |item: Item, independent: bool| match out.last_mut() {
        Some(last) if !independent && !last.independent => last.items.push(item),
        _ => out.push(Segment { items: vec![item], independent }),
    };
    for (at, stmt) in body.iter().enumerate() {
        let Stmt::Loop { var, trips, axis: Axis::Serial, body: inside } = stmt else {
            registers(program, stmt)?;
            add(Item { around: None, pieces: vec![Piece::Stmt(stmt.clone())] }, false);
            continue;
        };
        let around = Some((*var, known(trips)?));
        let others: Vec<Stmt> =
            body.iter().enumerate().filter(|(n, _)| *n != at).map(|(_, s)| s.clone()).collect();
        let mut live = BTreeSet::new();
        for other in others.chunks(1) {
            live.extend(exposed(program, other)?);
        }
        let dependences = loop_carried(program, numbers, inside, *var)?;
        let Parts { independent, ordered, ordered_first } =
            distribute(program, inside, &live, &dependences, true)?;
        // Barriers order accesses of different threads to shared memory, but not to device memory.
        let elsewhere = |piece: &Piece| match piece {
            Piece::Stmt(Stmt::Move { from: Place::Array(access, _), .. }) => {
                let array = program.accesses[*access as usize].array;
                numbers.held[*access as usize].is_none() && kernel.template.arrays[array.index()].written
            }
            _ => false,
        };
        if independent.iter().any(elsewhere) {
            return Err("all threads of a block would load what one of them stores to memory".into());
        }
        let mut parts = [(independent, true), (ordered, false)];
        if ordered_first {
            parts.reverse();
        }
        for (pieces, independent) in parts {
            if !pieces.is_empty() {
                add(Item { around, pieces }, independent);
            }
        }
    }
    Ok(out)
}

/// The accesses by which iterations of a loop may load or store elements that others store. An array that is accessed by one subscript, which
/// the loop moves, has none of them. All of them are to boxes, so that one thread makes them in the order of the loop.
fn loop_carried(
    program: &Program,
    numbers: &Rows,
    body: &[Stmt],
    var: Var,
) -> Result<BTreeSet<u32>, Refused> {
    let of = |access: u32| {
        let of = &program.accesses[access as usize];
        (of.array, of.part)
    };
    let places = |place: &Place| match place {
        Place::Array(access, coords) => Some((*access, coords.iter().any(|c| c.mentions(var)))),
        Place::Cell(_) => None,
    };
    let moves = |stmt: &Stmt| match stmt {
        Stmt::Move { to, from, .. } => [places(to), places(from)],
        _ => [None, None],
    };
    let stores: Vec<(u32, bool)> = body.iter().filter_map(|stmt| moves(stmt)[0]).collect();
    let all: Vec<u32> = body.iter().flat_map(moves).flatten().map(|(access, _)| access).collect();
    let mut found = BTreeSet::new();
    for (store, moved) in stores {
        let mut same = all.iter().filter(|other| of(**other) == of(store));
        if !same.clone().all(|other| numbers.held[*other as usize].is_some()) {
            return Err("iterations of a loop may access elements that others store to".into());
        }
        if !moved || !same.all(|other| *other == store) {
            found.extend(all.iter().filter(|other| of(**other) == of(store)));
        }
    }
    Ok(found)
}

/// What the step knows while it writes the program of a block.
struct Maker<'a> {
    program: &'a mut Program,
    kernel: &'a Kernel,
    numbers: &'a Rows,
    /// The parallel loops, and their iterations.
    dims: Vec<(Var, Index)>,
    /// The first row of the block; the thread's place along rows and across them.
    start: Index,
    along: Index,
    down: Index,
    lets: Vec<Stmt>,
    /// By box of an array.
    boxes: Vec<Option<Kept>>,
    /// By register whose values the ordered part of a loop takes.
    passed: BTreeMap<AllocId, Kept>,
    /// By register of a row: where other threads find its value.
    shown: BTreeMap<AllocId, AllocId>,
    /// Registers of independent parts in place of those of the rows' threads.
    own: BTreeMap<AllocId, AllocId>,
}

impl<'a> Maker<'a> {
    fn new(
        (program, kernel): (&'a mut Program, &'a Kernel),
        numbers: &'a Rows,
        dims: Vec<(Var, Index)>,
        segments: &[Segment],
    ) -> Result<Self, Refused> {
        let mut lets = Vec::new();
        let mut name = |program: &mut Program, name: &str, value: Index| {
            let var = program.var(name);
            lets.push(Stmt::Let(var, value));
            Index::from(var)
        };
        let start = name(program, "first_row", Index::Block * numbers.rows);
        let along = name(program, "along", Index::Thread % numbers.across);
        let down = name(program, "down", Index::Thread / numbers.across);
        let mut maker = Self {
            program,
            kernel,
            numbers,
            dims,
            start,
            along,
            down,
            lets,
            boxes: Vec::new(),
            passed: BTreeMap::new(),
            shown: BTreeMap::new(),
            own: BTreeMap::new(),
        };
        maker.lay_out(segments)?;
        Ok(maker)
    }
}
