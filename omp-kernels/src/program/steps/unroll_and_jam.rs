//! Unroll and jam: register loops move inward, to the statements that they run. So an iteration of a sequential loop
//! runs for all places of a thread. Iterations of parallel loops don't access each other's data, so their statements
//! may be interleaved in any way that keeps the order within each iteration.
use super::{Refused, change, linear, nest_of, nested};
use crate::program::{AllocId, Axis, Cell, Index, Place, Program, Space, Stmt, Var, touched};
use std::collections::BTreeMap;

/// Jams the register loops that the program ends with. With `apart`, each load and each store of what they run has loops of its own, so that
/// the loads of all places are under way at the same time.
///
/// # Errors
/// A sequential loop has other iterations for different places.
pub fn unroll_and_jam(program: &mut Program, apart: bool) -> Result<(), Refused> {
    change(program, |program, mut body| {
        let Some(last) = body.pop() else { return Ok(body) };
        let (loops, inside) = nest_of(&last);
        let mut jammed = list(&loops, &[], inside, apart && !loops.is_empty())?;
        let (place, all) = linear(&loops)?;
        // A register that several statements name has an element for each place.
        let mut seen: BTreeMap<AllocId, usize> = BTreeMap::new();
        units(&jammed, &mut |stmts| {
            for alloc in touched(stmts) {
                *seen.entry(alloc).or_default() += 1;
            }
        });
        for (alloc, n) in seen {
            // Each of the jammed iterations of a sequential loop has a copy of the loop's own registers.
            let (mut place, mut all) = (place.clone(), all);
            for (chunk, inner) in &program.jams {
                if let Some(by) = jam_around(&jammed, (*chunk, *inner), alloc) {
                    place = place * by + Index::from(*inner);
                    all *= by;
                }
            }
            if n > 1 && all > 1 && program.allocs[alloc.0 as usize].space == Space::Register {
                program.allocs[alloc.0 as usize].len *= all;
                let expand = &mut |cell: &mut Cell| {
                    if cell.alloc == alloc {
                        cell.index = cell.index.clone() * all + place.clone();
                    }
                };
                jammed.iter_mut().for_each(|stmt| stmt.cells_mut(expand));
            }
        }
        body.extend(jammed);
        Ok(body)
    })
}

fn list(loops: &[(Var, Index)], lets: &[Stmt], stmts: &[Stmt], apart: bool) -> Result<Vec<Stmt>, Refused> {
    let (mut out, mut lets, mut group) = (Vec::new(), lets.to_vec(), Vec::new());
    let mut varying: Vec<Var> = loops.iter().map(|(var, _)| *var).collect();
    let varies = |index: &Index, varying: &[Var]| varying.iter().any(|var| index.mentions(*var));
    for stmt in &lets {
        if let Stmt::Let(var, _) = stmt {
            varying.push(*var);
        }
    }
    for stmt in stmts {
        match stmt {
            Stmt::Let(var, value) if varies(value, &varying) => {
                varying.push(*var);
                lets.push(stmt.clone());
            }
            Stmt::Let(..) => out.push(stmt.clone()),
            Stmt::Loop { var, trips, axis: axis @ (Axis::Serial | Axis::Unrolled), body } => {
                if varies(trips, &varying) {
                    return Err("a loop has other iterations for different places".into());
                }
                close(loops, &lets, &mut group, &mut out, apart);
                let body = list(loops, &lets, body, apart)?;
                out.push(Stmt::Loop { var: *var, trips: trips.clone(), axis: *axis, body });
            }
            Stmt::Loop { var, trips, axis: Axis::Register, body } => {
                close(loops, &lets, &mut group, &mut out, apart);
                let all: Vec<_> = loops.iter().cloned().chain([(*var, trips.clone())]).collect();
                out.extend(list(&all, &lets, body, apart)?);
            }
            Stmt::Barrier | Stmt::Commit | Stmt::Wait(_) => {
                return Err("threads wait for each other already".into());
            }
            other => group.push(other.clone()),
        }
    }
    close(loops, &lets, &mut group, &mut out, apart);
    Ok(out)
}

fn close(loops: &[(Var, Index)], lets: &[Stmt], group: &mut Vec<Stmt>, out: &mut Vec<Stmt>, apart: bool) {
    if group.is_empty() {
        return;
    }
    // Statements that stand together: all of them, or each load and each store by itself.
    let mut parts: Vec<Vec<Stmt>> = Vec::new();
    let mut last_moves = false;
    for stmt in group.drain(..) {
        let moves = apart && moves(&stmt);
        match parts.last_mut() {
            Some(part) if !(moves || last_moves) => part.push(stmt),
            _ => parts.push(vec![stmt]),
        }
        last_moves = moves;
    }
    for part in parts {
        out.extend(nested(loops, lets.iter().cloned().chain(part).collect()));
    }
}

/// Whether a statement only loads from arrays or stores to them.
fn moves(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Move { from: Place::Array(..), .. } | Stmt::Move { to: Place::Array(..), .. } => true,
        Stmt::If { body, .. } | Stmt::When { body, .. } => body.iter().all(moves),
        _ => false,
    }
}

/// The jam factor of a loop, if no statement outside of it accesses the allocation.
fn jam_around(stmts: &[Stmt], (chunk, inner): (Var, Var), alloc: AllocId) -> Option<u32> {
    fn trips_of(stmts: &[Stmt], of: Var) -> Option<u32> {
        stmts.iter().find_map(|stmt| match stmt {
            Stmt::Loop { var, trips, .. } if *var == of => super::known(trips).ok(),
            other => trips_of(other.inner(), of),
        })
    }
    fn outside(stmts: &[Stmt], chunk: Var, alloc: AllocId) -> bool {
        stmts.iter().any(|stmt| match stmt {
            Stmt::Loop { var, .. } if *var == chunk => false,
            Stmt::Loop { axis: Axis::Serial | Axis::Unrolled, body, .. } => outside(body, chunk, alloc),
            other => touched(std::slice::from_ref(other)).contains(&alloc),
        })
    }
    if outside(stmts, chunk, alloc) { None } else { trips_of(stmts, inner) }
}

/// The statements that are no sequential loops.
fn units(stmts: &[Stmt], f: &mut impl FnMut(&[Stmt])) {
    for stmt in stmts {
        match stmt {
            Stmt::Loop { axis: Axis::Serial | Axis::Unrolled, body, .. } => units(body, f),
            other => f(std::slice::from_ref(other)),
        }
    }
}
