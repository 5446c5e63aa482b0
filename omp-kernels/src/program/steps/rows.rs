//! Rows on the chip: a block has some rows of arrays in shared memory while it runs all sequential loops over them, so that memory
//! delivers each element once, and takes it once. Loops are [distributed](super::distribute): all threads of the block share the
//! independent iterations of a row, and one thread for each row runs what keeps its order.
use super::distribute::{Parts, Piece, distribute, exposed, registers, single_statements};
use super::{Refused, change, known};
use crate::program::{AllocId, Axis, AxisOf, Cell, Index, Place, Program, Space, Stmt, Var, mention, with};
use omp_ir::desc::Prim;
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
    /// What may be on the chip.
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

/// Iterations of a recurrence that are written one after the other.
const UNROLLED: u32 = 16;

/// The same of independent iterations of a thread.
const TOGETHER: u32 = 8;

/// Keeps rows on the chip.
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
        are_apart(program, numbers, inside, *var)?;
        let Parts { independent, ordered, ordered_first } = distribute(program, inside, &live)?;
        // Barriers order what threads leave for each other in shared memory.
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

/// Whether iterations of a loop meet in none of the arrays that it stores to: each is accessed by one subscript, which the loop moves.
fn are_apart(program: &Program, numbers: &Rows, body: &[Stmt], var: Var) -> Result<(), Refused> {
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
    let all: Vec<(u32, bool)> = body.iter().flat_map(moves).flatten().collect();
    for (store, moved) in stores {
        let alone = all.iter().all(|(other, _)| *other == store || of(*other) != of(store));
        if !moved || !alone || numbers.held[store as usize].is_none() {
            return Err("iterations of a loop may access elements that others store to".into());
        }
    }
    Ok(())
}

/// An access to a box.
#[derive(Debug, Clone, Copy)]
struct Event {
    segment: usize,
    /// The number of its statement.
    position: usize,
    stores: bool,
    /// The elements of a row: from which one on, and how many.
    at: u32,
    len: u32,
}

/// A box that is on the chip.
#[derive(Debug, Clone)]
struct Kept {
    alloc: AllocId,
    /// From one row to the next.
    pitch: u32,
    /// It begins with the elements of memory.
    loads: bool,
    /// In this segment its elements go to memory.
    direct: Option<usize>,
    /// The elements of a row that are stored at the end: the first one, and how many.
    back: Option<(u32, u32)>,
    events: Vec<Event>,
}

impl Kept {
    /// When the box is in use, in numbers of segments.
    fn life(&self) -> (usize, usize) {
        let all = self.events.iter().map(|e| e.segment + 1);
        let first = if self.loads { 0 } else { all.clone().min().unwrap_or(0) };
        let last = if self.back.is_some() { usize::MAX } else { all.max().unwrap_or(0) };
        (first, last)
    }
}

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

    /// Decides which boxes are on the chip, and where.
    fn lay_out(&mut self, segments: &[Segment]) -> Result<(), Refused> {
        let (arrays, passed) = self.events(segments);
        let mut all: Vec<(Key, Kept, Prim, u32)> = Vec::new();
        for (of, events) in arrays {
            let made = self.kept(of, events, segments)?;
            let row = self.numbers.boxes[of as usize];
            let prim = self.prim(row.access)?;
            all.extend(made.map(|kept| (Key::Array(of), kept, prim, row.width)));
        }
        for (cell, events) in passed {
            let prim = self.program.allocs[cell.0 as usize].prim;
            let width = events.iter().map(|e| e.len).max().unwrap_or(1);
            let kept = Kept { alloc: AllocId(0), pitch: 0, loads: false, direct: None, back: None, events };
            all.push((Key::Passed(cell), kept, prim, width));
        }
        all.sort_by_key(|(_, kept, ..)| kept.life().0);
        self.boxes = vec![None; self.numbers.boxes.len()];
        // The box that last had each allocation.
        let mut taken: Vec<(Kept, Prim)> = Vec::new();
        for (key, mut kept, prim, width) in all {
            let vector = match key {
                Key::Array(of) => self.numbers.boxes[of as usize].vector,
                Key::Passed(_) => (crate::program::WIDEST / prim.size() as u32).max(1),
            };
            // Rows that begin in different banks: an odd number of accesses apart.
            let accesses = width.div_ceil(vector);
            kept.pitch = (accesses + 1 - accesses % 2) * vector;
            let fits = |(other, of): &&mut (Kept, Prim)| {
                *of == prim && other.pitch == kept.pitch && follows(other, &kept, segments)
            };
            match taken.iter_mut().find(fits) {
                Some((other, _)) => {
                    kept.alloc = other.alloc;
                    *other = kept.clone();
                }
                None => {
                    let name = match key {
                        Key::Array(of) => self.name_of(of),
                        Key::Passed(cell) => self.program.allocs[cell.0 as usize].name.clone(),
                    };
                    let len = kept.pitch * self.numbers.rows;
                    kept.alloc = self.program.alloc(format!("{name}_rows"), Space::Shared, prim, len);
                    taken.push((kept.clone(), prim));
                }
            }
            match key {
                Key::Array(of) => self.boxes[of as usize] = Some(kept),
                Key::Passed(cell) => drop(self.passed.insert(cell, kept)),
            }
        }
        self.order_loads(segments.len());
        Ok(())
    }

    /// Where a segment loads and stores elements of an allocation, both are accesses of C, which compilers keep in order.
    fn order_loads(&mut self, segments: usize) {
        let all: Vec<Kept> = self.boxes.iter().flatten().chain(self.passed.values()).cloned().collect();
        for segment in 0..segments {
            let mut touched: BTreeMap<AllocId, [bool; 2]> = BTreeMap::new();
            for kept in &all {
                for event in kept.events.iter().filter(|e| e.segment == segment) {
                    touched.entry(kept.alloc).or_default()[usize::from(event.stores)] = true;
                }
            }
            for (alloc, both) in touched {
                self.program.allocs[alloc.0 as usize].mixed |= both == [true; 2];
            }
        }
    }

    fn name_of(&self, of: u32) -> String {
        let access = self.numbers.boxes[of as usize].access;
        self.kernel.template.arrays[self.program.accesses[access as usize].array.index()].name.clone()
    }

    fn prim(&self, access: u32) -> Result<Prim, Refused> {
        let array = self.program.accesses[access as usize].array;
        crate::program::element(self.kernel, array).ok_or_else(|| "elements that are no numbers".into())
    }

    /// The accesses to boxes of arrays, and to those of values that ordered parts take.
    #[allow(clippy::type_complexity, reason = "two maps to the same")]
    fn events(&self, segments: &[Segment]) -> (BTreeMap<u32, Vec<Event>>, BTreeMap<AllocId, Vec<Event>>) {
        let (mut arrays, mut passed): (BTreeMap<u32, Vec<Event>>, BTreeMap<AllocId, Vec<Event>>) =
            Default::default();
        let mut position = 0;
        for (segment, of) in segments.iter().enumerate() {
            for (trips, piece) in
                of.items.iter().flat_map(|i| i.pieces.iter().map(|p| (i.around.map_or(1, |a| a.1), p)))
            {
                position += 1;
                match piece {
                    Piece::Pass(cell) => {
                        let stores = of.independent;
                        let event = Event { segment, position, stores, at: 0, len: trips };
                        passed.entry(*cell).or_default().push(event);
                    }
                    Piece::Stmt(Stmt::Move { to, from, .. }) => {
                        for (stores, place) in [(true, to), (false, from)] {
                            let Place::Array(access, _) = place else { continue };
                            let Some(held) = self.numbers.held[*access as usize] else { continue };
                            let len = if held.moves { trips } else { 1 };
                            let event = Event { segment, position, stores, at: held.at, len };
                            arrays.entry(held.of).or_default().push(event);
                        }
                    }
                    Piece::Stmt(_) => {}
                }
            }
        }
        (arrays, passed)
    }

    /// How a box of an array is on the chip, if it is.
    fn kept(&self, of: u32, events: Vec<Event>, segments: &[Segment]) -> Result<Option<Kept>, Refused> {
        let row = self.numbers.boxes[of as usize];
        if events.iter().any(|e| e.at + e.len > row.width) {
            return Err("an access goes past its row".into());
        }
        let last = events.iter().map(|e| e.segment).max().unwrap_or(0);
        if events.iter().all(|e| e.segment == last && segments[e.segment].independent) {
            return Ok(None);
        }
        let stores = || events.iter().filter(|e| e.stores);
        let covered = |load: &Event| {
            let same = |e: &&Event| (e.at, e.len) == (load.at, load.len) && e.position < load.position;
            let whole = |e: &&Event| {
                e.segment < load.segment && e.at <= load.at && load.at + load.len <= e.at + e.len
            };
            stores().any(|e| same(&e) || whole(&e))
        };
        let loads = events.iter().any(|e| !e.stores && !covered(e));
        // What the last segment stores need not be on the chip, if all that was stored before is overwritten.
        let finally: Vec<Event> = stores().filter(|e| e.segment == last).copied().collect();
        let is_covered = |e: &Event| finally.iter().any(|f| f.at <= e.at && e.at + e.len <= f.at + f.len);
        let after =
            |e: &Event| !e.stores && e.segment == last && finally.iter().any(|f| f.position < e.position);
        let direct = segments[last].independent
            && !finally.is_empty()
            && stores().all(is_covered)
            && !events.iter().any(after);
        let mut back = None;
        if !direct {
            let mut all: Vec<(u32, u32)> = stores().map(|e| (e.at, e.at + e.len)).collect();
            all.sort_unstable();
            for (from, to) in all {
                let (first, end) = back.unwrap_or((from, to));
                if from > end {
                    return Err("a row has gaps between the elements that are stored".into());
                }
                back = Some((first, to.max(end)));
            }
        }
        let direct = direct.then_some(last);
        Ok(Some(Kept { alloc: AllocId(0), pitch: 0, loads, direct, back, events }))
    }

    /// The segments as statements.
    fn all(mut self, segments: Vec<Segment>) -> Result<Vec<Stmt>, Refused> {
        let mut out = Vec::new();
        let loaded: Vec<u32> = (0..)
            .zip(&self.boxes)
            .filter(|(_, b)| b.as_ref().is_some_and(|b| b.loads))
            .map(|(n, _)| n)
            .collect();
        let (mut asynchronous, mut fetch) = (false, Vec::new());
        for of in loaded {
            asynchronous |= self.is_asynchronous(of);
            let width = self.numbers.boxes[of as usize].width;
            fetch.extend(self.copies(of, (0, width), true)?);
        }
        if !fetch.is_empty() {
            if asynchronous {
                fetch.extend([Stmt::Commit, Stmt::Wait(0)]);
            }
            fetch.push(Stmt::Barrier);
            out.append(&mut fetch);
        }
        let shown = self.values(&segments)?;
        let count = segments.len();
        for (n, segment) in segments.into_iter().enumerate() {
            match segment.independent {
                true => {
                    for Item { around, pieces } in segment.items {
                        let (var, trips) = around.ok_or("no loop")?;
                        out.extend(self.independent(n, (var, trips), &pieces)?);
                    }
                }
                false => {
                    let mut inside = Vec::new();
                    for item in segment.items {
                        inside.extend(self.ordered(n, item)?);
                    }
                    for cell in shown.get(&n).into_iter().flatten() {
                        let to = Cell { alloc: self.shown[cell], index: Index::Thread };
                        let from = Cell { alloc: *cell, index: Index::Const(0) };
                        inside.push(Stmt::copy(Place::Cell(to), Place::Cell(from)));
                    }
                    out.extend(self.of_row(Index::Thread, true, inside));
                }
            }
            if n + 1 < count {
                out.push(Stmt::Barrier);
            }
        }
        let back: Vec<(u32, (u32, u32))> =
            (0..).zip(&self.boxes).filter_map(|(n, b)| Some((n, b.as_ref()?.back?))).collect();
        if !back.is_empty() {
            out.push(Stmt::Barrier);
        }
        for (of, (first, end)) in back {
            out.extend(self.copies(of, (first, end), false)?);
        }
        let mut all = std::mem::take(&mut self.lets);
        all.extend(out);
        Ok(all)
    }

    /// By ordered segment, the registers whose values other threads need after it.
    fn values(&mut self, segments: &[Segment]) -> Result<BTreeMap<usize, BTreeSet<AllocId>>, Refused> {
        let mut found: BTreeMap<usize, BTreeSet<AllocId>> = BTreeMap::new();
        for (n, segment) in segments.iter().enumerate().filter(|(_, s)| s.independent) {
            for cell in self.needed(segment)? {
                let writes =
                    |s: &&usize| !segments[**s].independent && writes(self.program, &segments[**s], cell);
                let before: Vec<usize> = (0..n).collect();
                let Some(by) = before.iter().rev().find(writes) else {
                    return Err("a value that no row has computed".into());
                };
                // The last ordered segment has all of its values.
                let last = before.iter().rev().find(|s| !segments[**s].independent).unwrap_or(by);
                found.entry(*last).or_default().insert(cell);
                if !self.shown.contains_key(&cell) {
                    let (name, prim) = {
                        let of = &self.program.allocs[cell.0 as usize];
                        (format!("{}_of_rows", of.name), of.prim)
                    };
                    let alloc = self.program.alloc(name, Space::Shared, prim, self.numbers.rows);
                    self.shown.insert(cell, alloc);
                }
            }
        }
        Ok(found)
    }

    /// The registers of rows that the iterations of an independent segment need.
    fn needed(&self, segment: &Segment) -> Result<BTreeSet<AllocId>, Refused> {
        let mut found = BTreeSet::new();
        for item in &segment.items {
            found.extend(exposed(self.program, &stmts_of(&item.pieces))?);
        }
        Ok(found)
    }

    /// A row of the block, if it is there: `row` is its number in the block.
    fn of_row(&self, row: Index, is_thread: bool, inside: Vec<Stmt>) -> Vec<Stmt> {
        let at = self.start.clone() + row.clone();
        let mut less = Vec::new();
        let whole = self.numbers.threads / self.numbers.across;
        if is_thread || !self.numbers.rows.is_multiple_of(whole) {
            less.push((row, Index::from(self.numbers.rows)));
        }
        if self.numbers.ragged {
            let all = self.dims.iter().fold(Index::Const(1), |all, (_, trips)| all * trips.clone());
            less.push((at.clone(), all));
        }
        let (mut body, mut rest) = (Vec::new(), at);
        for (n, (var, trips)) in self.dims.iter().enumerate().rev() {
            let value = if n == 0 { rest.clone() } else { rest.clone() % trips.clone() };
            body.push(Stmt::Let(*var, value));
            rest = rest / trips.clone();
        }
        body.extend(inside);
        if less.is_empty() { body } else { vec![Stmt::If { less, body }] }
    }

    /// All threads go through rows, and through elements of each: `body` makes the statements of one, by the row's number.
    fn by_all(
        &mut self,
        first: &OfRow<'_, 'a>,
        (var, count): (Var, u32),
        body: &OfRow<'_, 'a>,
    ) -> Result<Stmt, Refused> {
        let Rows { rows, threads, across, .. } = *self.numbers;
        let step = self.program.var("rows");
        let row = Index::from(self.program.var("row"));
        let Index::Var(of_row) = row else { return Err("a variable".into()) };
        let one = body(self, &row)?;
        let (full, rest) = (count / across, count % across);
        let mut inside = first(self, &row)?;
        let at = |place: Index| {
            let mut stmts = vec![Stmt::Let(var, place)];
            stmts.extend(one.iter().cloned());
            stmts
        };
        let (many, few) = if full > TOGETHER { (full / TOGETHER, full % TOGETHER) } else { (0, full) };
        if many > 0 {
            let [group, part] = ["group", "part"].map(|name| self.program.var(name));
            let place = (Index::from(group) * TOGETHER + Index::from(part)) * across + self.along.clone();
            let unrolled =
                Stmt::Loop { var: part, trips: TOGETHER.into(), axis: Axis::Unrolled, body: at(place) };
            inside.push(Stmt::Loop {
                var: group,
                trips: many.into(),
                axis: Axis::Serial,
                body: vec![unrolled],
            });
        }
        if few > 0 {
            let part = self.program.var("part");
            let place = (Index::from(part) + many * TOGETHER) * across + self.along.clone();
            inside.push(Stmt::Loop { var: part, trips: few.into(), axis: Axis::Unrolled, body: at(place) });
        }
        if rest > 0 {
            let less = vec![(self.along.clone(), Index::from(rest))];
            inside.push(Stmt::If { less, body: at(self.along.clone() + full * across) });
        }
        let down = threads / across;
        let place = Index::from(step) * down + self.down.clone();
        let mut body = vec![Stmt::Let(of_row, place)];
        body.extend(self.of_row(row, false, inside));
        Ok(Stmt::Loop { var: step, trips: rows.div_ceil(down).into(), axis: Axis::Serial, body })
    }

    fn is_asynchronous(&self, of: u32) -> bool {
        let row = self.numbers.boxes[of as usize];
        let Some(kept) = &self.boxes[of as usize] else { return false };
        let size = self.program.allocs[kept.alloc.0 as usize].prim.size() as u32;
        self.numbers.asynchronous && matches!(row.vector * size, 4 | 8 | 16)
    }

    /// Copies elements of rows from memory to a box (`inward`), or back.
    fn copies(&mut self, of: u32, (first, end): (u32, u32), inward: bool) -> Result<Vec<Stmt>, Refused> {
        let row = self.numbers.boxes[of as usize];
        let kept = self.boxes[of as usize].clone().ok_or("a box that is not there")?;
        let direct = inward && self.is_asynchronous(of);
        let mut out = Vec::new();
        // Single elements up to the first whole access, whole ones, and single ones.
        let wide = (first.next_multiple_of(row.vector).min(end), end / row.vector * row.vector);
        let parts = match wide.0 < wide.1 {
            true => vec![(first, wide.0, 1), (wide.0, wide.1, row.vector), (wide.1, end, 1)],
            false => vec![(first, end, 1)],
        };
        for (from, to, width) in parts.into_iter().filter(|(from, to, _)| from < to) {
            let var = self.program.var("element");
            let size = self.program.allocs[kept.alloc.0 as usize].prim.size() as u32;
            let asynchronous = direct && matches!(width * size, 4 | 8 | 16);
            let body = |maker: &Self, number: &Index| {
                let column = Index::from(var) * width + from;
                let cell = Cell { alloc: kept.alloc, index: number.clone() * kept.pitch + column.clone() };
                let of = |(l, by): &(u32, u32)| Index::from(Var(*l)) * *by;
                let sum = |axis: &AxisOf| axis.loops.iter().map(of).fold(Index::Const(0), |sum, x| sum + x);
                let axes = maker.program.accesses[row.access as usize].axes.split_last();
                let (_, around) = axes.ok_or("an access that nothing moves")?;
                let mut coords: Vec<Index> = around.iter().map(sum).collect();
                coords.push(column - i64::from(row.before));
                let (to, from) = match inward {
                    true => (Place::Cell(cell), Place::Array(row.access, coords)),
                    false => (Place::Array(row.access, coords), Place::Cell(cell)),
                };
                Ok(vec![Stmt::Move { to, from, width, asynchronous }])
            };
            out.push(self.by_all(&|_, _| Ok(Vec::new()), (var, (to - from) / width), &body)?);
        }
        Ok(out)
    }

    /// Where an access leads to, in a segment: to its box, if that is on the chip.
    fn place(&self, segment: usize, stores: bool, place: &Place, row: &Index) -> Place {
        let Place::Array(access, coords) = place else { return place.clone() };
        let kept =
            self.numbers.held[*access as usize].and_then(|h| Some((h, self.boxes[h.of as usize].as_ref()?)));
        match kept {
            Some((held, kept)) if !(stores && kept.direct == Some(segment)) => {
                let column = coords.last().filter(|_| held.moves).cloned().unwrap_or(Index::Const(0));
                let index = row.clone() * kept.pitch + held.at + column;
                Place::Cell(Cell { alloc: kept.alloc, index })
            }
            _ => place.clone(),
        }
    }

    /// The statement that a piece is; `at`: the number of the iteration.
    fn statement(
        &self,
        segment: usize,
        piece: &Piece,
        independent: bool,
        (row, at): (&Index, &Index),
    ) -> Stmt {
        match piece {
            Piece::Stmt(Stmt::Move { to, from, width, asynchronous }) => Stmt::Move {
                to: self.place(segment, true, to, row),
                from: self.place(segment, false, from, row),
                width: *width,
                asynchronous: *asynchronous,
            },
            Piece::Stmt(other) => other.clone(),
            Piece::Pass(cell) => {
                let kept = &self.passed[cell];
                let index = row.clone() * kept.pitch + at.clone();
                let there = Place::Cell(Cell { alloc: kept.alloc, index });
                let register = Place::Cell(Cell { alloc: *cell, index: Index::Const(0) });
                if independent { Stmt::copy(there, register) } else { Stmt::copy(register, there) }
            }
        }
    }

    /// The iterations of a loop that all threads share. Their registers are others than those of the rows' threads.
    fn independent(
        &mut self,
        segment: usize,
        (var, trips): (Var, u32),
        pieces: &[Piece],
    ) -> Result<Vec<Stmt>, Refused> {
        let touched = crate::program::touched(&stmts_of(pieces));
        for cell in touched {
            let of = &self.program.allocs[cell.0 as usize];
            if of.space == Space::Register && !self.own.contains_key(&cell) {
                let (name, prim) = (of.name.clone(), of.prim);
                let own = self.program.alloc(name, Space::Register, prim, 1);
                self.own.insert(cell, own);
            }
        }
        let values = exposed(self.program, &stmts_of(pieces))?;
        let of_values = |maker: &Self, row: &Index| {
            let each = values.iter().map(|cell| {
                let from = Cell { alloc: maker.shown[cell], index: row.clone() };
                let to = Cell { alloc: maker.own[cell], index: Index::Const(0) };
                Ok(Stmt::copy(Place::Cell(to), Place::Cell(from)))
            });
            each.collect()
        };
        let body = |maker: &Self, row: &Index| {
            let each = pieces.iter().map(|p| maker.statement(segment, p, true, (row, &Index::from(var))));
            let mut all: Vec<Stmt> = each.collect();
            let own = &mut |cell: &mut Cell| {
                cell.alloc = maker.own.get(&cell.alloc).copied().unwrap_or(cell.alloc);
            };
            all.iter_mut().for_each(|stmt| stmt.cells_mut(own));
            Ok(all)
        };
        Ok(vec![self.by_all(&of_values, (var, trips), &body)?])
    }

    /// What one thread for each row runs.
    fn ordered(&mut self, segment: usize, item: Item) -> Result<Vec<Stmt>, Refused> {
        let row = Index::Thread;
        let Some((var, trips)) = item.around else {
            let zero = Index::Const(0);
            return Ok(item
                .pieces
                .iter()
                .map(|p| self.statement(segment, p, false, (&row, &zero)))
                .collect());
        };
        let at = Index::from(var);
        let body: Vec<Stmt> =
            item.pieces.iter().map(|p| self.statement(segment, p, false, (&row, &at))).collect();
        let (many, rest) = (trips / UNROLLED, trips % UNROLLED);
        let mut out = Vec::new();
        let [group, part] = ["group", "part"].map(|name| self.program.var(name));
        if many > 0 {
            let first = Index::from(group) * UNROLLED;
            let (mut inside, one) = self.ahead(&body, var, &first, part);
            let place = first + Index::from(part);
            let one = with(&one, var, &place);
            inside.push(Stmt::Loop { var: part, trips: UNROLLED.into(), axis: Axis::Unrolled, body: one });
            out.push(Stmt::Loop { var: group, trips: many.into(), axis: Axis::Serial, body: inside });
        }
        if rest > 0 {
            let place = Index::from(part) + many * UNROLLED;
            let body = with(&body, var, &place);
            out.push(Stmt::Loop { var: part, trips: rest.into(), axis: Axis::Unrolled, body });
        }
        Ok(out)
    }

    /// Loads what several iterations take from boxes by accesses of several elements, before them. Gives the loads, and the iterations'
    /// statements.
    fn ahead(&mut self, body: &[Stmt], var: Var, first: &Index, part: Var) -> (Vec<Stmt>, Vec<Stmt>) {
        let (mut loads, mut out) = (Vec::new(), Vec::new());
        for stmt in body {
            let found = match stmt {
                Stmt::Move { to, from: Place::Cell(from), .. } => {
                    let of = &self.program.allocs[from.alloc.0 as usize];
                    let stored = |s: &Stmt| matches!(s, Stmt::Move { to: Place::Cell(to), .. } if to.alloc == from.alloc);
                    let fits = of.space == Space::Shared
                        && !body.iter().any(stored)
                        && mention(std::slice::from_ref(stmt), var);
                    fits.then(|| (to.clone(), from.clone(), of.prim))
                }
                _ => None,
            };
            let Some((to, from, prim)) = found else {
                out.push(stmt.clone());
                continue;
            };
            let at = from.index.with(var, first);
            let most = (crate::program::WIDEST / prim.size() as u32).clamp(1, UNROLLED);
            let width = [most, most / 2, 1].into_iter().find(|w| *w > 0 && is_multiple(&at, *w)).unwrap_or(1);
            let name = format!("{}_next", self.program.allocs[from.alloc.0 as usize].name);
            let alloc = self.program.alloc(name, Space::Register, prim, UNROLLED);
            for k in (0..UNROLLED).step_by(width as usize) {
                let to = Place::Cell(Cell { alloc, index: k.into() });
                let from = Place::Cell(Cell { alloc: from.alloc, index: at.clone() + k });
                loads.push(Stmt::Move { to, from, width, asynchronous: false });
            }
            out.push(Stmt::copy(to, Place::Cell(Cell { alloc, index: part.into() })));
        }
        (loads, out)
    }
}

/// Makes statements of a row, by its number in the block.
type OfRow<'f, 'a> = dyn Fn(&Maker<'a>, &Index) -> Result<Vec<Stmt>, Refused> + 'f;

/// What is on the chip.
#[derive(Clone, Copy)]
enum Key {
    Array(u32),
    Passed(AllocId),
}

/// Whether a box may have the memory of one that is not needed any more: from the next segment on, or in the same one where each
/// iteration loads the other's element before it stores its own in the same place.
fn follows(other: &Kept, next: &Kept, segments: &[Segment]) -> bool {
    let ((_, last), (first, _)) = (other.life(), next.life());
    if last != first || first == 0 {
        return last < first;
    }
    let at = first - 1;
    let of = |kept: &Kept| kept.events.iter().filter(|e| e.segment == at).copied().collect::<Vec<_>>();
    let (loads, stores) = (of(other), of(next));
    let places: BTreeSet<(u32, u32)> = loads.iter().chain(&stores).map(|e| (e.at, e.len)).collect();
    let end = loads.iter().map(|e| e.position).max();
    let begin = stores.iter().map(|e| e.position).min();
    segments[at].independent
        && places.len() == 1
        && loads.iter().all(|e| !e.stores)
        && stores.iter().all(|e| e.stores)
        && end < begin
}

/// Whether an ordered segment gives a register a value.
fn writes(program: &Program, segment: &Segment, cell: AllocId) -> bool {
    segment
        .items
        .iter()
        .flat_map(|item| stmts_of(&item.pieces))
        .any(|stmt| registers(program, &stmt).is_ok_and(|(_, writes)| writes.contains(&cell)))
}

/// The statements of pieces; a value that is taken is written there.
fn stmts_of(pieces: &[Piece]) -> Vec<Stmt> {
    let of = |piece: &Piece| match piece {
        Piece::Stmt(stmt) => Some(stmt.clone()),
        Piece::Pass(_) => None,
    };
    pieces.iter().filter_map(of).collect()
}

/// Whether an index is a multiple of a number whatever its variables are.
fn is_multiple(index: &Index, of: u32) -> bool {
    match index {
        Index::Const(n) => n % i64::from(of) == 0,
        Index::Bin(crate::program::Op::Add, a, b) => is_multiple(a, of) && is_multiple(b, of),
        Index::Bin(crate::program::Op::Mul, a, b) => is_multiple(a, of) || is_multiple(b, of),
        _ => of == 1,
    }
}
