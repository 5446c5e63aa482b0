//! The statements of a block: loads of rows, the independent and ordered parts of the loops with barriers between them, stores of rows.
use super::{Item, Maker, Rows, Segment};
use crate::program::steps::Refused;
use crate::program::steps::distribute::{Piece, exposed, registers};
use crate::program::{AllocId, Axis, AxisOf, Cell, Index, Place, Program, Space, Stmt, Var, with};
use std::collections::{BTreeMap, BTreeSet};

/// Unroll factor of the ordered part of a loop, such as a recurrence; smaller where its iterations would need more registers than so many for
/// what they load.
const ORDERED_UNROLLED: u32 = 16;
const MOST_REGISTERS: u32 = 32;

/// Unroll factor of the independent iterations of a thread.
const INDEPENDENT_UNROLLED: u32 = 8;

impl<'a> Maker<'a> {
    /// The segments as statements.
    pub(super) fn all(mut self, segments: Vec<Segment>) -> Result<Vec<Stmt>, Refused> {
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
        let (many, few) = if full > INDEPENDENT_UNROLLED {
            (full / INDEPENDENT_UNROLLED, full % INDEPENDENT_UNROLLED)
        } else {
            (0, full)
        };
        if many > 0 {
            let [group, part] = ["group", "part"].map(|name| self.program.var(name));
            let place =
                (Index::from(group) * INDEPENDENT_UNROLLED + Index::from(part)) * across + self.along.clone();
            let unrolled = Stmt::Loop {
                var: part,
                trips: INDEPENDENT_UNROLLED.into(),
                axis: Axis::Unrolled,
                body: at(place),
            };
            inside.push(Stmt::Loop {
                var: group,
                trips: many.into(),
                axis: Axis::Serial,
                body: vec![unrolled],
            });
        }
        if few > 0 {
            let part = self.program.var("part");
            let place = (Index::from(part) + many * INDEPENDENT_UNROLLED) * across + self.along.clone();
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

    /// Where an access leads to, in a segment: to its box, if that is in shared memory.
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
        let mut out = Vec::new();
        let single = |maker: &mut Self, first: u32, count: u32| {
            let part = maker.program.var("part");
            let body = with(&body, var, &(Index::from(part) + first));
            Stmt::Loop { var: part, trips: count.into(), axis: Axis::Unrolled, body }
        };
        let [group, part] = ["group", "part"].map(|name| self.program.var(name));
        let groups = self.groups(&body, Groups { var, trips, group, part, size: ORDERED_UNROLLED, lead: 0 });
        let Groups { size, lead, .. } = groups;
        let (many, rest) = ((trips - lead) / size, (trips - lead) % size);
        if lead > 0 {
            out.push(single(self, 0, lead));
        }
        if many > 0 {
            let (mut inside, one) = self.ahead(&body, groups);
            let one = with(&one, var, &(Index::from(group) * size + lead + Index::from(part)));
            inside.push(Stmt::Loop { var: part, trips: size.into(), axis: Axis::Unrolled, body: one });
            out.push(Stmt::Loop { var: group, trips: many.into(), axis: Axis::Serial, body: inside });
        }
        if rest > 0 {
            out.push(single(self, trips - rest, rest));
        }
        Ok(out)
    }

    /// The box that a statement loads an element of in each iteration, if the iterations store none of it; and where to.
    fn moves_ahead<'s>(
        &self,
        body: &[Stmt],
        stmt: &'s Stmt,
        groups: Groups,
    ) -> Option<(&'s Place, &'s Cell)> {
        let Stmt::Move { to, from: Place::Cell(from), .. } = stmt else { return None };
        let stored = |s: &Stmt| matches!(s, Stmt::Move { to: Place::Cell(to), .. } if to.alloc == from.alloc);
        let shared = self.program.allocs[from.alloc.0 as usize].space == Space::Shared;
        (shared && groups.place(&from.index).is_some() && !body.iter().any(stored)).then_some((to, from))
    }

    /// Elements of one access to a box, at most.
    fn widest(&self, alloc: AllocId) -> u32 {
        let size = self.program.allocs[alloc.0 as usize].prim.size() as u32;
        (crate::program::WIDEST / size).max(1)
    }

    /// Decides how many iterations a group has, and how many there are before the first group, so that most accesses of several elements
    /// begin where the groups do.
    fn groups(&self, body: &[Stmt], mut groups: Groups) -> Groups {
        let all: Vec<(&Place, &Cell)> =
            body.iter().filter_map(|stmt| self.moves_ahead(body, stmt, groups)).collect();
        let words = |(_, from): &(&Place, &Cell)| {
            let size = self.program.allocs[from.alloc.0 as usize].prim.size() as u32;
            (size.div_ceil(4), from.index.to_string(), from.alloc)
        };
        let each: u32 =
            all.iter().map(words).collect::<BTreeSet<_>>().into_iter().map(|(words, ..)| words).sum();
        while groups.size > 4 && each * groups.size > MOST_REGISTERS {
            groups.size /= 2;
        }
        let aligned = |lead: u32| {
            let groups = Groups { lead, ..groups };
            let wide = |(_, from): &&(&Place, &Cell)| {
                let low = groups.place(&from.index).map(|(low, _)| low);
                low.is_some_and(|low| low.is_multiple_of(self.widest(from.alloc).into()))
            };
            all.iter().filter(wide).count()
        };
        let most = groups.trips.saturating_sub(groups.size).min(groups.size - 1);
        groups.lead = (0..=most).max_by_key(|lead| (aligned(*lead), u32::MAX - lead)).unwrap_or(0);
        groups
    }

    /// Loads what the iterations of a group take from boxes by accesses of several elements, before them. Gives the loads, and the
    /// iterations' statements.
    fn ahead(&mut self, body: &[Stmt], groups: Groups) -> (Vec<Stmt>, Vec<Stmt>) {
        let (mut loads, mut out) = (Vec::new(), Vec::new());
        let mut ahead: Vec<(Cell, AllocId)> = Vec::new();
        for stmt in body {
            let found = self.moves_ahead(body, stmt, groups);
            let Some(((to, from), (low, at))) =
                found.and_then(|found| Some((found, groups.place(&found.1.index)?)))
            else {
                out.push(stmt.clone());
                continue;
            };
            let next = |alloc| Place::Cell(Cell { alloc, index: at.clone() });
            if let Some((_, alloc)) = ahead.iter().find(|(cell, _)| cell == from) {
                out.push(Stmt::copy(to.clone(), next(*alloc)));
                continue;
            }
            let most = self.widest(from.alloc).min(groups.size);
            let fits = |w: &u32| *w > 0 && low.is_multiple_of((*w).into());
            let width = [most, most / 2].into_iter().find(fits).unwrap_or(1);
            let of = &self.program.allocs[from.alloc.0 as usize];
            let (name, prim) = (format!("{}_next", of.name), of.prim);
            let alloc = self.program.alloc(name, Space::Register, prim, groups.size);
            for k in (0..groups.size).step_by(width as usize) {
                let to = Place::Cell(Cell { alloc, index: k.into() });
                let from = Place::Cell(Cell { alloc: from.alloc, index: low.clone() + k });
                loads.push(Stmt::Move { to, from, width, asynchronous: false });
            }
            out.push(Stmt::copy(to.clone(), next(alloc)));
            ahead.push((from.clone(), alloc));
        }
        (loads, out)
    }
}

/// The iterations of a loop that one thread runs: `lead` ones, and groups of `size` after them.
#[derive(Clone, Copy)]
struct Groups {
    var: Var,
    trips: u32,
    group: Var,
    /// The number of an iteration in its group.
    part: Var,
    size: u32,
    lead: u32,
}

impl Groups {
    /// The lowest place of a group that an index leads to, and how far from it an iteration's is. The loop moves the index by one.
    fn place(&self, index: &Index) -> Option<(Index, Index)> {
        let done = Index::from(self.group) * self.size;
        let last = self.size - 1;
        match index.coefficient(self.var)? {
            1 => Some((index.with(self.var, &(done + self.lead)), self.part.into())),
            -1 => {
                let left = Index::from(self.trips) - i64::from(self.size + self.lead) - done;
                let lowest = index.with(self.var, &(Index::from(self.trips) - 1));
                Some((lowest + left, Index::from(last) - Index::from(self.part)))
            }
            _ => None,
        }
    }
}

/// Makes statements of a row, by its number in the block.
type OfRow<'f, 'a> = dyn Fn(&Maker<'a>, &Index) -> Result<Vec<Stmt>, Refused> + 'f;

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
