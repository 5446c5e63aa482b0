//! Register windows: the elements that neighbouring places of a thread read in the iterations of an unrolled loop are
//! loaded into the thread's registers once, straight from memory. Caches serve elements that several threads read, and no
//! thread waits for its block.
//!
//! An access of several elements begins at a multiple of its width. A row whose stride is no such multiple begins between
//! two multiples, at an offset that depends on the row alone. If tiles make the offset a constant of the text, the row is
//! loaded from the multiple before it, and its elements are shifted by the offset in the registers.
use super::fragments::slide;
use super::stage::{Along, along, find};
use super::{Refused, change, known, linear, nest_of, nested};
use crate::program::{Axis, Cell, Index, Keep, Lanes, Place, Program, Space, Stmt, Var, gcd};
use std::collections::BTreeMap;

/// Loads the windows of all accesses that are kept in registers. Accesses without a window are not changed.
///
/// # Errors
/// The iterations of a register loop are no number.
pub fn windows(program: &mut Program) -> Result<(), Refused> {
    change(program, |program, body| {
        let mut trips = BTreeMap::new();
        find(&body, false, &mut BTreeMap::new(), &mut trips);
        let name = |stmt: &Stmt| if let Stmt::Let(var, _) = stmt { Some(*var) } else { None };
        let fixed = body.iter().map_while(name).collect();
        Maker { program, trips, fixed }.list(body)
    })
}

struct Maker<'a> {
    program: &'a mut Program,
    trips: BTreeMap<Var, Index>,
    /// Statements before all loops.
    fixed: Vec<Var>,
}

/// Where a window lies.
struct Window {
    axes: Vec<Along>,
    /// The register loop that moves along it as the unrolled loop does, and how many places it has.
    along: Var,
    places: u32,
    /// The first coordinate along it.
    start: Index,
    /// How far from there an iteration of the unrolled loop is.
    at: Index,
    /// Elements of an access.
    wide: u32,
    /// How many elements after the start of an access the row begins.
    shift: Index,
    /// The most of these.
    most: u32,
    beyond: bool,
}

impl Maker<'_> {
    fn list(&mut self, stmts: Vec<Stmt>) -> Result<Vec<Stmt>, Refused> {
        let mut out = Vec::new();
        for stmt in stmts {
            match stmt {
                Stmt::Loop { var, trips, axis: Axis::Unrolled, body } => {
                    let at = body.iter().position(|s| !matches!(s, Stmt::Let(..))).unwrap_or(body.len());
                    let (lets, rest) = body.split_at(at);
                    let (loops, inside) = match rest {
                        [unit @ Stmt::Loop { axis: Axis::Register, .. }] => nest_of(unit),
                        flat if flat.iter().all(|s| s.inner().is_empty()) => (Vec::new(), flat),
                        _ => {
                            let mut body = self.list(body)?;
                            out.extend(slide(self.program, (var, &trips), &mut body)?);
                            out.push(Stmt::Loop { var, trips, axis: Axis::Unrolled, body });
                            continue;
                        }
                    };
                    let (loads, compute) = self.load(&loops, (var, known(&trips)?), inside)?;
                    out.extend(loads);
                    let body = lets.iter().cloned().chain(nested(&loops, compute)).collect();
                    out.push(Stmt::Loop { var, trips, axis: Axis::Unrolled, body });
                }
                Stmt::Loop { var, trips, axis, body } => {
                    let body = self.list(body)?;
                    out.push(Stmt::Loop { var, trips, axis, body });
                }
                other => out.push(other),
            }
        }
        Ok(out)
    }

    /// The loads of the windows that an unrolled loop reads, and what it runs, which reads registers instead.
    fn load(
        &mut self,
        loops: &[(Var, Index)],
        (var, trips): (Var, u32),
        inside: &[Stmt],
    ) -> Result<(Vec<Stmt>, Vec<Stmt>), Refused> {
        let (mut out, mut body) = (Vec::new(), inside.to_vec());
        let mut at = 0;
        while at < body.len() {
            let found = match &body[at] {
                Stmt::Move {
                    to: Place::Cell(to),
                    from: Place::Array(access, coords),
                    width: 1,
                    asynchronous: false,
                } if self.program.allocs[to.alloc.0 as usize].space == Space::Register => self
                    .window(*access, coords, loops, (var, trips))
                    .map(|window| (to.alloc, *access, window)),
                _ => None,
            };
            let Some((to, access, window)) = found else {
                at += 1;
                continue;
            };
            body.remove(at);
            let needed = window.places + trips - 1;
            let len = (needed + window.most).next_multiple_of(window.wide);
            let others: Vec<_> =
                loops.iter().filter(|(v, _)| *v != window.along && window.moves(*v)).cloned().collect();
            let (place, rows) = linear(&others)?;
            let (prim, name) = {
                let of = &self.program.allocs[to.0 as usize];
                (of.prim, format!("{}_window", of.name))
            };
            let part = self.program.alloc(name, Space::Register, prim, rows * len);
            let group = self.program.var("window");
            let first = Index::from(group) * window.wide;
            let load = Stmt::Move {
                to: Place::Cell(Cell { alloc: part, index: place.clone() * len + first.clone() }),
                from: Place::Array(access, window.coords(first.clone())),
                width: window.wide,
                asynchronous: false,
            };
            // The last access of a row that begins early has nothing that is needed.
            let load = match window.most {
                0 => load,
                _ => Stmt::If { less: vec![(first, window.shift.clone() + needed)], body: vec![load] },
            };
            let mut all = others;
            all.push((group, (len / window.wide).into()));
            out.extend(nested(&all, vec![load]));
            let index = place * len + window.at + Index::from(window.along) + window.shift;
            for stmt in &mut body {
                stmt.cells_mut(&mut |cell| {
                    if cell.alloc == to {
                        *cell = Cell { alloc: part, index: index.clone() };
                    }
                });
            }
        }
        Ok((out, body))
    }

    /// The window that a load in these loops moves along, if it is one.
    fn window(
        &self,
        access: u32,
        coords: &[Index],
        loops: &[(Var, Index)],
        (var, turns): (Var, u32),
    ) -> Option<Window> {
        let Keep::Window(lanes) = self.program.accesses[access as usize].keep else { return None };
        let axes: Vec<Along> =
            coords.iter().map(|c| along(self.program, c, &self.trips).ok()).collect::<Option<_>>()?;
        let (last, slower) = axes.split_last()?;
        let alone = |v: Var| !slower.iter().any(|a| a.inner.mentions(v));
        let one = |v: Var| last.inner.coefficient(v) == Some(1) && alone(v);
        let (along, trips) = loops.iter().find(|(v, _)| one(*v))?;
        let (along, places) = (*along, known(trips).ok()?);
        let (inner, at) = last.inner.walk(var, turns).filter(|_| alone(var))?;
        let start = last.start.clone() + inner.with(along, &0.into());
        let mut wide = lanes.width;
        let (shift, most) = loop {
            if start.is_multiple_of(wide.into())
                && let Some(found) = self.shift(&lanes, &axes, wide)
            {
                break found;
            }
            wide /= 2;
        };
        Some(Window { along, places, start, at, wide, shift, most, beyond: lanes.beyond, axes })
    }

    /// By how many elements a row begins after a multiple of `wide`, and the most that this can be.
    fn shift(&self, lanes: &Lanes, axes: &[Along], wide: u32) -> Option<(Index, u32)> {
        let slower = &axes[..axes.len() - 1];
        let first = lanes.first % wide;
        let (mut sum, mut step) = (Index::from(first), gcd(wide.into(), first.into()));
        for (a, stride) in slower.iter().zip(lanes.strides) {
            let stride = stride % wide;
            if stride == 0 {
                continue;
            }
            let row = a.start.clone() + a.inner.clone();
            // The text has the numbers of loops that are unrolled; others have to move rows by whole accesses.
            let number = self.fixed.iter().fold(row.clone(), |row, var| row.with(*var, &0.into()));
            let mut vars = Vec::new();
            row.visit(&mut |part| match part {
                Index::Var(var) if !self.fixed.contains(var) => vars.push(*var),
                _ => {}
            });
            let lowest = |row: Index, var: Var| match (row.coefficient(var), self.trips.get(&var)) {
                (Some(..0), Some(trips)) => row.with(var, &(trips.clone() - 1)),
                _ => row.with(var, &0.into()),
            };
            let others = vars.into_iter().fold(row, lowest);
            if !others.is_multiple_of(u64::from(wide) / gcd(wide.into(), stride.into())) {
                return None;
            }
            step = gcd(step, stride.into());
            sum = sum + number * stride;
        }
        if step == u64::from(wide) {
            return Some((Index::Const(0), 0));
        }
        // Where tiles are cut off along other rows, these stop at the last one, which may begin elsewhere.
        let mut apart = slower.iter().zip(lanes.strides).filter(|(_, stride)| stride % wide != 0);
        let cut = apart.any(|(a, _)| a.ragged);
        (!cut && slower.len() <= lanes.strides.len()).then(|| (sum % wide, wide - step as u32))
    }
}

impl Window {
    fn moves(&self, var: Var) -> bool {
        self.axes.iter().any(|a| a.inner.mentions(var))
    }

    /// The coordinates of the access that begins `first` elements after the row's first one. They stop where the nest's do.
    fn coords(&self, first: Index) -> Vec<Index> {
        let last = self.axes.len() - 1;
        let coord = |(k, a): (usize, &Along)| {
            if k < last {
                let whole = a.start.clone() + a.inner.clone();
                return if a.ragged { whole.min(a.limit.clone() - 1) } else { whole };
            }
            let whole = self.start.clone() + first.clone() - self.shift.clone();
            let limit = match self.beyond {
                true => (a.limit.clone() + (self.wide - 1)) / self.wide * self.wide,
                false => a.limit.clone(),
            };
            match (a.ragged, self.most) {
                (false, _) => whole,
                (true, 0) => whole.min(limit - self.wide),
                // The access that has the last element.
                (true, _) => {
                    let before = self.shift.clone();
                    let last = (limit - 1 + before.clone()) / self.wide * self.wide;
                    whole.min(last - before)
                }
            }
        };
        self.axes.iter().enumerate().map(coord).collect()
    }
}
