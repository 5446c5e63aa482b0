//! Vector accesses to results: one stores several neighbouring results of a thread, or loads several that it updates. A loop that computes
//! a result and stores it is several loops afterwards: all results of the thread are there before the first is stored.
use super::{Refused, change, known};
use crate::program::{AllocId, Axis, Cell, Index, Keep, Place, Program, Space, Stmt, Var, touched};
use std::collections::{BTreeMap, BTreeSet};

/// Moves `width` neighbours at a time where the innermost register loop walks memory and registers element by element.
///
/// With `updates`, results that are loaded before they are stored are moved so, too; loops with such results are left alone otherwise. What
/// the accesses `loads` load has room for it as well.
///
/// # Errors
/// The iterations of a register loop are no number.
pub fn widen(program: &mut Program, width: u32, updates: bool, loads: &BTreeSet<u32>) -> Result<(), Refused> {
    if width <= 1 {
        return Ok(());
    }
    change(program, |program, body| {
        let mut all = BTreeMap::new();
        touches(&body, &mut all);
        let wider = Wider { width, updates, loads, updated: stored(&body), touches: all };
        let body = wider.distributed(program, body)?;
        wider.list(program, body)
    })
}

/// What is the same for all loops.
struct Wider<'a> {
    /// Elements of a move.
    width: u32,
    /// Results that are loaded before they are stored are moved as vectors, too.
    updates: bool,
    /// Accesses that only load, and have room for moves of so many elements.
    loads: &'a BTreeSet<u32>,
    /// The accesses that the program stores to: all of them have room for moves of so many elements.
    updated: BTreeSet<u32>,
    /// How many statements of the program touch an allocation.
    touches: BTreeMap<AllocId, u32>,
}

impl Wider<'_> {
    /// The statements in which loops store only what loops before them have computed, where a vector store follows from that. None of the
    /// iterations of a parallel loop accesses what another one stores; those of jammed sequential loops may.
    fn distributed(&self, program: &mut Program, stmts: Vec<Stmt>) -> Result<Vec<Stmt>, Refused> {
        let mut out = Vec::new();
        for mut stmt in stmts {
            if let Stmt::Loop { var, trips, axis: Axis::Register, body } = &stmt
                && known(trips)?.is_multiple_of(self.width)
                && !program.jams.iter().any(|(_, place)| place == var)
                && let Some((parts, expanded)) =
                    [true, false].into_iter().find_map(|loads| self.apart(program, *var, body, loads))
            {
                let n = known(trips)?;
                expanded.into_iter().for_each(|of| program.allocs[of.0 as usize].len = n);
                let (var, axis) = (*var, Axis::Register);
                let part = |body| Stmt::Loop { var, trips: trips.clone(), axis, body };
                out.extend(parts.into_iter().map(part));
                continue;
            }
            if let Some(inner) = stmt.inner_mut() {
                *inner = self.distributed(program, std::mem::take(inner))?;
            }
            out.push(stmt);
        }
        Ok(out)
    }

    /// The computation and the stores of a loop's body, which ends with them, and the registers in which one part leaves something to the
    /// next: these get an element for each iteration. Before both are the `loads` of what is stored, if they are to be widened, too.
    fn apart(
        &self,
        program: &Program,
        var: Var,
        body: &[Stmt],
        loads: bool,
    ) -> Option<(Vec<Vec<Stmt>>, Vec<AllocId>)> {
        let only = |stmt: &Stmt, of: &dyn Fn(&Stmt) -> bool| match stmt {
            Stmt::If { body, .. } => body.iter().all(of),
            other => of(other),
        };
        let is_store = |stmt: &Stmt| match stmt {
            Stmt::Move { to: Place::Cell(cell), .. } => is_shared(program, cell),
            Stmt::Move { to: Place::Array(..), .. } => true,
            _ => false,
        };
        let is_load = |stmt: &Stmt| self.is_of_result(stmt);
        let is_let = |stmt: &Stmt| matches!(stmt, Stmt::Let(..));
        let before = body.len() - body.iter().rev().take_while(|stmt| only(stmt, &is_store)).count();
        let (mut compute, store) = (body[..before].to_vec(), &body[before..]);
        let loaded = compute.iter().any(|stmt| only(stmt, &is_load));
        if store.is_empty() || compute.iter().all(is_let) || (loaded && !self.updates) {
            return None;
        }
        let lets: Vec<Stmt> = compute.iter().filter(|stmt| is_let(stmt)).cloned().collect();
        let first = compute.iter().position(|stmt| !(is_let(stmt) || loads && only(stmt, &is_load)));
        let load: Vec<Stmt> = compute.extract_if(..first.unwrap_or(before), |stmt| !is_let(stmt)).collect();
        if loads == load.is_empty() {
            return None;
        }
        let [mut used, mut here] = [BTreeMap::new(), BTreeMap::new()];
        touches(store, &mut used);
        touches(&load, &mut used);
        touches(body, &mut here);
        let single = |of: &AllocId| {
            let of = &program.allocs[of.0 as usize];
            of.space == Space::Register && of.len == 1
        };
        let expanded: Vec<AllocId> = used.into_keys().filter(single).collect();
        // A register that other statements access, too, may hold their value.
        if expanded.iter().any(|of| here.get(of) != self.touches.get(of)) {
            return None;
        }
        let with_lets = |stmts: &[Stmt]| lets.iter().chain(stmts).cloned().collect::<Vec<_>>();
        let mut parts = vec![compute, with_lets(store)];
        if loads {
            parts.insert(0, with_lets(&load));
        }
        let expand = &mut |cell: &mut Cell| {
            if expanded.contains(&cell.alloc) {
                cell.index = var.into();
            }
        };
        parts.iter_mut().flatten().for_each(|stmt| stmt.cells_mut(expand));
        let wide = |part: &Vec<Stmt>| self.widened(program, var, part).is_some();
        (parts.last().is_some_and(wide) && (!loads || wide(&parts[0]))).then_some((parts, expanded))
    }

    fn list(&self, program: &Program, stmts: Vec<Stmt>) -> Result<Vec<Stmt>, Refused> {
        let mut out = Vec::new();
        for mut stmt in stmts {
            if let Stmt::Loop { var, trips, axis: Axis::Register, body } = &stmt
                && let Some(wide) = self.widened(program, *var, body)
                && known(trips)?.is_multiple_of(self.width)
            {
                let n = known(trips)? / self.width;
                if n == 1 {
                    // Another loop may have named the same coordinates.
                    for stmt in crate::program::with(&wide, *var, &Index::Const(0)) {
                        if !matches!(stmt, Stmt::Let(..)) || !out.contains(&stmt) {
                            out.push(stmt);
                        }
                    }
                } else {
                    let body = crate::program::with(&wide, *var, &(Index::from(*var) * self.width));
                    out.push(Stmt::Loop { var: *var, trips: n.into(), axis: Axis::Register, body });
                }
                continue;
            }
            if let Some(inner) = stmt.inner_mut() {
                *inner = self.list(program, std::mem::take(inner))?;
            }
            out.push(stmt);
        }
        Ok(out)
    }

    /// The body of a loop over `var` that moves one element, with moves of several elements instead.
    fn widened(&self, program: &Program, var: Var, body: &[Stmt]) -> Option<Vec<Stmt>> {
        let mut walks: BTreeMap<Var, i64> = BTreeMap::from([(var, 1)]);
        let mut out = Vec::new();
        let by = |index: &Index, walks: &BTreeMap<Var, i64>| {
            walks.iter().map(|(v, by)| index.coefficient(*v).map(|c| c * by)).sum::<Option<i64>>()
        };
        for stmt in body {
            match stmt {
                Stmt::Let(v, value) => {
                    // A coordinate that stops at the last iteration is not widened.
                    if let Some(n) = by(value, &walks).filter(|n| *n != 0) {
                        walks.insert(*v, n);
                    }
                    out.push(stmt.clone());
                }
                Stmt::If { less, body } => {
                    let body = body.iter().map(|s| self.wide(program, s, &|i| by(i, &walks)));
                    out.push(Stmt::If { less: less.clone(), body: body.collect::<Option<Vec<_>>>()? });
                }
                Stmt::Move { .. } => out.push(self.wide(program, stmt, &|i| by(i, &walks))?),
                _ => return None,
            }
        }
        Some(out)
    }

    /// A move of one element, as one of several.
    fn wide(&self, program: &Program, stmt: &Stmt, by: &dyn Fn(&Index) -> Option<i64>) -> Option<Stmt> {
        let Stmt::Move { to, from, width: 1, .. } = stmt else { return None };
        // The width is one that all direct accesses to results have room for.
        let is_direct = |access: u32| program.accesses[access as usize].keep == Keep::Direct;
        let walks = |access: u32, coords: &[Index]| {
            let Some((last, rest)) = coords.split_last() else { return false };
            let unit = program.accesses[access as usize].axes.last().is_some_and(|axis| axis.unit);
            unit && by(last) == Some(1) && rest.iter().all(|c| by(c) == Some(0))
        };
        let (walked, register) = match (to, from) {
            (Place::Array(access, coords), Place::Cell(cell)) => {
                (is_direct(*access) && walks(*access, coords), cell)
            }
            // The rows of a box have room for whole groups of a thread's results.
            (Place::Cell(to), Place::Cell(cell)) => {
                (is_shared(program, to) && by(&to.index) == Some(1), cell)
            }
            (Place::Cell(cell), Place::Array(access, coords)) => {
                let fits = self.loads.contains(access) || self.updates && self.is_of_result(stmt);
                (is_direct(*access) && fits && walks(*access, coords), cell)
            }
            (Place::Array(..), Place::Array(..)) => return None,
        };
        let width = self.width;
        let moved = Stmt::Move { to: to.clone(), from: from.clone(), width, asynchronous: false };
        (walked && !is_shared(program, register) && by(&register.index) == Some(1)).then_some(moved)
    }

    /// Whether a statement loads what the program stores by the same subscript.
    fn is_of_result(&self, stmt: &Stmt) -> bool {
        matches!(stmt, Stmt::Move { from: Place::Array(access, _), .. } if self.updated.contains(access))
    }
}

/// The accesses that statements store to.
fn stored(stmts: &[Stmt]) -> BTreeSet<u32> {
    let of = |stmt: &Stmt| match stmt {
        Stmt::Move { to: Place::Array(access, _), .. } => BTreeSet::from([*access]),
        other => stored(other.inner()),
    };
    stmts.iter().flat_map(of).collect()
}

fn is_shared(program: &Program, cell: &Cell) -> bool {
    program.allocs[cell.alloc.0 as usize].space == Space::Shared
}

/// How many statements touch an allocation.
fn touches(stmts: &[Stmt], found: &mut BTreeMap<AllocId, u32>) {
    for stmt in stmts {
        let of = match stmt {
            Stmt::When { cond, .. } => BTreeSet::from([cond.alloc]),
            Stmt::Loop { .. } | Stmt::If { .. } => BTreeSet::new(),
            other => touched(std::slice::from_ref(other)),
        };
        of.into_iter().for_each(|of| *found.entry(of).or_default() += 1);
        touches(stmt.inner(), found);
    }
}
