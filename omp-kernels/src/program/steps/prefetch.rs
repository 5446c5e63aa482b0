//! Fragment prefetch: while a thread multiplies the fragments of some terms, it loads those of the next terms from shared
//! memory into a second set of registers, also across the end of a chunk. Otherwise a warp waits for its first loads
//! after each barrier, and with so many sums in registers a multiprocessor has few other warps.
use super::{Refused, change, known, nest_of};
use crate::program::{AllocId, Axis, Index, Place, Program, Space, Stmt, Var, mention, touched, with};
use std::collections::BTreeMap;

/// Prefetches fragments, one step before their use, in a loop over chunks that asynchronous copies fill.
///
/// # Errors
/// The loop has another form; it stores in a step what another loads; or its steps are odd in number, so that a chunk
/// would begin with either set of registers.
pub fn prefetch(program: &mut Program) -> Result<(), Refused> {
    change(program, |program, body| {
        let mut out = Vec::new();
        for stmt in body {
            match stmt {
                Stmt::Loop { var, trips, axis: Axis::Serial, body } if program.chunks.contains(&var) => {
                    out.extend(chunks(program, (var, trips), &body)?);
                }
                other => out.push(other),
            }
        }
        Ok(out)
    })
}

/// The loop over chunks, after the loads that it relies on.
fn chunks(program: &mut Program, (var, trips): (Var, Index), body: &[Stmt]) -> Result<Vec<Stmt>, Refused> {
    let refused = || Refused::from("a loop that is no pipeline of asynchronous copies and unrolled steps");
    let [arrive @ Stmt::Wait(_), Stmt::Barrier, rest @ ..] = body else { return Err(refused()) };
    let at = rest.iter().position(|s| *s == Stmt::Commit).ok_or_else(refused)?;
    let (fetch, rest) = rest.split_at(at + 1);
    let [Stmt::Loop { var: step, trips: n, axis: Axis::Unrolled, body: each }, put @ ..] = rest else {
        return Err(refused());
    };
    let (n, step) = (known(n)?, *step);
    if !n.is_multiple_of(2) {
        return Err("an odd number of steps in a chunk".into());
    }
    // Names that nothing uses would stand twice.
    let is_used = |s: &&Stmt| !matches!(s, Stmt::Let(v, _) if !mention(each, *v));
    let each: Vec<Stmt> = each.iter().filter(is_used).cloned().collect();
    let at = each.iter().position(|s| !is_load(program, s)).unwrap_or(each.len());
    let (loads, compute) = each.split_at(at);
    if loads.is_empty() || compute.iter().any(|s| matches!(s, Stmt::Let(..))) {
        return Err(refused());
    }
    // The registers have a second half.
    let sets: BTreeMap<AllocId, u32> = touched(loads)
        .into_iter()
        .map(|id| (id, &program.allocs[id.0 as usize]))
        .filter(|(_, alloc)| alloc.space == Space::Register)
        .map(|(id, alloc)| (id, alloc.len))
        .collect();
    for (id, len) in &sets {
        program.allocs[id.0 as usize].len = 2 * len;
    }
    let of = |stmts: &[Stmt], at: u32| {
        let mut out = with(stmts, step, &at.into());
        for stmt in &mut out {
            stmt.cells_mut(&mut |cell| {
                if let Some(len) = sets.get(&cell.alloc) {
                    cell.index = cell.index.clone() + at % 2 * len;
                }
            });
        }
        out
    };
    let name = format!("{}_next", program.vars[var.0 as usize]);
    let next = program.var(name);
    let first = |chunk: Index| with(&of(loads, 0), var, &chunk);
    let mut all = vec![arrive.clone(), Stmt::Barrier];
    all.extend(first(0.into()));
    let mut inside = Vec::new();
    for at in 0..n {
        if at + 1 < n {
            inside.extend(of(loads, at + 1));
        } else {
            // The last chunk loads its own fragments a second time: a branch would keep the compiler from moving loads.
            let following = (Index::from(var) + 1).min(trips.clone() - 1);
            inside.extend_from_slice(put);
            inside.extend([Stmt::Let(next, following), arrive.clone(), Stmt::Barrier]);
            inside.extend(first(next.into()));
        }
        if at == 0 {
            inside.extend_from_slice(fetch);
        }
        inside.extend(of(compute, at));
    }
    all.push(Stmt::Loop { var, trips, axis: Axis::Serial, body: inside });
    Ok(all)
}

/// Whether a statement only loads registers from shared memory.
fn is_load(program: &Program, stmt: &Stmt) -> bool {
    let space = |place: &Place| match place {
        Place::Cell(cell) => Some(program.allocs[cell.alloc.0 as usize].space),
        Place::Array(..) => None,
    };
    let (_, inside) = nest_of(stmt);
    inside.iter().all(|s| match s {
        Stmt::Move { to, from, asynchronous: false, .. } => {
            space(to) == Some(Space::Register) && space(from) == Some(Space::Shared)
        }
        _ => false,
    })
}
