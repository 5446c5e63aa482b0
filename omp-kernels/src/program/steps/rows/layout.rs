//! The layout of shared memory: which boxes of rows and values are there, their lifetimes, and which of them share an allocation.
use super::{Item, Maker, Segment};
use crate::program::steps::Refused;
use crate::program::steps::distribute::Piece;
use crate::program::{AllocId, Place, Space, Stmt};
use omp_ir::desc::Prim;
use std::collections::{BTreeMap, BTreeSet};

/// An access to a box.
#[derive(Debug, Clone, Copy)]
pub(super) struct Event {
    segment: usize,
    /// The number of its loop, or of the statement outside of loops.
    item: usize,
    /// The number of its statement.
    position: usize,
    stores: bool,
    /// The elements of a row: from which one on, and how many.
    at: u32,
    len: u32,
    /// The loop goes from the last one to the first.
    down: bool,
}

impl Event {
    fn end(&self) -> u32 {
        self.at + self.len
    }

    /// The elements of a load that this store has stored before.
    fn before(&self, load: &Self) -> Option<(u32, u32)> {
        let [stored, loaded] = [self, load].map(|e| (e.at, e.len, e.down));
        let earlier_iterations = (self.len, self.down) == (load.len, load.down)
            && if self.down { self.at < load.at } else { self.at > load.at };
        let before = match self.item == load.item {
            true => earlier_iterations || (stored == loaded && self.position < load.position),
            false => self.position < load.position,
        };
        before.then_some((self.at, self.end()))
    }
}

/// A box in shared memory.
#[derive(Debug, Clone)]
pub(super) struct Kept {
    pub(super) alloc: AllocId,
    /// From one row to the next.
    pub(super) pitch: u32,
    /// It begins with the elements of memory.
    pub(super) loads: bool,
    /// In this segment its elements go to memory.
    pub(super) direct: Option<usize>,
    /// The elements of a row that are stored at the end: the first one, and how many.
    pub(super) back: Option<(u32, u32)>,
    pub(super) events: Vec<Event>,
}

impl Kept {
    /// The lifetime of the box, in numbers of segments.
    fn life(&self) -> (usize, usize) {
        let all = self.events.iter().map(|e| e.segment + 1);
        let first = if self.loads { 0 } else { all.clone().min().unwrap_or(0) };
        let last = if self.back.is_some() { usize::MAX } else { all.max().unwrap_or(0) };
        (first, last)
    }
}

impl Maker<'_> {
    /// Decides which boxes are in shared memory, and where.
    pub(super) fn lay_out(&mut self, segments: &[Segment]) -> Result<(), Refused> {
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
        let items = segments.iter().enumerate().flat_map(|(n, of)| of.items.iter().map(move |i| (n, of, i)));
        let mut position = 0;
        for (item, (segment, of, Item { around, pieces })) in items.enumerate() {
            let trips = around.map_or(1, |(_, trips)| trips);
            for piece in pieces {
                position += 1;
                match piece {
                    Piece::Pass(cell) => {
                        let (stores, len, down) = (of.independent, trips, false);
                        let event = Event { segment, item, position, stores, at: 0, len, down };
                        passed.entry(*cell).or_default().push(event);
                    }
                    Piece::Stmt(Stmt::Move { to, from, .. }) => {
                        for (stores, place) in [(true, to), (false, from)] {
                            let Place::Array(access, coords) = place else { continue };
                            let Some(held) = self.numbers.held[*access as usize] else { continue };
                            let (at, len) = (held.at, if held.moves { trips } else { 1 });
                            let by = coords.last().zip(*around).and_then(|(c, (var, _))| c.coefficient(var));
                            let down = by.is_some_and(|by| by < 0);
                            let event = Event { segment, item, position, stores, at, len, down };
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
        if events.iter().any(|e| e.end() > row.width) {
            return Err("an access goes past its row".into());
        }
        let last = events.iter().map(|e| e.segment).max().unwrap_or(0);
        if events.iter().all(|e| e.segment == last && segments[e.segment].independent) {
            return Ok(None);
        }
        let stores = || events.iter().filter(|e| e.stores);
        let covered = |load: &Event| {
            let mut before: Vec<(u32, u32)> = stores().filter_map(|e| e.before(load)).collect();
            before.sort_unstable();
            let reach = |to: u32, (from, end): (u32, u32)| if from <= to { to.max(end) } else { to };
            before.into_iter().fold(load.at, reach) >= load.end()
        };
        let loads = events.iter().any(|e| !e.stores && !covered(e));
        // The stores of the last segment need no box, if they overwrite all earlier stores.
        let finally: Vec<Event> = stores().filter(|e| e.segment == last).copied().collect();
        let is_covered = |e: &Event| finally.iter().any(|f| f.at <= e.at && e.end() <= f.end());
        let after =
            |e: &Event| !e.stores && e.segment == last && finally.iter().any(|f| f.position < e.position);
        let direct = segments[last].independent
            && !finally.is_empty()
            && stores().all(is_covered)
            && !events.iter().any(after);
        let mut back = None;
        if !direct {
            let mut all: Vec<(u32, u32)> = stores().map(|e| (e.at, e.end())).collect();
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
}

/// What is in shared memory.
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
    let places: BTreeSet<_> = loads.iter().chain(&stores).map(|e| (e.at, e.len, e.down)).collect();
    let end = loads.iter().map(|e| e.position).max();
    let begin = stores.iter().map(|e| e.position).min();
    segments[at].independent
        && places.len() == 1
        && loads.iter().all(|e| !e.stores)
        && stores.iter().all(|e| e.stores)
        && end < begin
}
