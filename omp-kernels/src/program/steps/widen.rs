//! Vector stores: one access stores several neighbouring results of a thread.
use super::{Refused, change, known};
use crate::program::{Axis, Index, Place, Program, Stmt, Var};
use std::collections::BTreeMap;

/// Stores `width` neighbours at a time where the innermost register loop walks memory and registers element by element.
///
/// # Errors
/// The iterations of a register loop are no number.
pub fn widen(program: &mut Program, width: u32) -> Result<(), Refused> {
    if width <= 1 {
        return Ok(());
    }
    change(program, |program, body| list(program, body, width))
}

fn list(program: &mut Program, stmts: Vec<Stmt>, width: u32) -> Result<Vec<Stmt>, Refused> {
    let mut out = Vec::new();
    for mut stmt in stmts {
        if let Stmt::Loop { var, trips, axis: Axis::Register, body } = &stmt
            && let Some(wide) = widened(program, *var, body, width)
            && known(trips)?.is_multiple_of(width)
        {
            let n = known(trips)? / width;
            if n == 1 {
                out.extend(crate::program::with(&wide, *var, &Index::Const(0)));
            } else {
                let body = crate::program::with(&wide, *var, &(Index::from(*var) * width));
                out.push(Stmt::Loop { var: *var, trips: n.into(), axis: Axis::Register, body });
            }
            continue;
        }
        if let Some(inner) = stmt.inner_mut() {
            let body = std::mem::take(inner);
            let body = list(program, body, width)?;
            if let Some(inner) = stmt.inner_mut() {
                *inner = body;
            }
        }
        out.push(stmt);
    }
    Ok(out)
}

/// The body of a loop over `var` that stores one element, with a store of `width` elements instead.
fn widened(program: &Program, var: Var, body: &[Stmt], width: u32) -> Option<Vec<Stmt>> {
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
                let body = body.iter().map(|s| store(program, s, width, &|i| by(i, &walks)));
                out.push(Stmt::If { less: less.clone(), body: body.collect::<Option<Vec<_>>>()? });
            }
            Stmt::Move { .. } => out.push(store(program, stmt, width, &|i| by(i, &walks))?),
            _ => return None,
        }
    }
    Some(out)
}

fn store(program: &Program, stmt: &Stmt, width: u32, by: &dyn Fn(&Index) -> Option<i64>) -> Option<Stmt> {
    let Stmt::Move {
        to: to @ Place::Array(access, coords), from: from @ Place::Cell(cell), width: 1, ..
    } = stmt
    else {
        return None;
    };
    let (last, rest) = coords.split_last()?;
    let unit = program.accesses[*access as usize].axes.last()?.unit;
    let walks =
        unit && by(last) == Some(1) && by(&cell.index) == Some(1) && rest.iter().all(|c| by(c) == Some(0));
    walks.then(|| Stmt::Move { to: to.clone(), from: from.clone(), width, asynchronous: false })
}
