//! The steps: functions on programs. Each checks that it is legal.
mod carry;
mod distribute;
mod fragments;
mod jam;
mod matrix;
mod parallelise;
mod pipeline;
mod prefetch;
mod promote;
mod replicate;
mod rows;
mod skip;
mod split;
mod stage;
mod tile;
mod unroll;
mod unroll_and_jam;
mod widen;
mod windows;

pub use carry::{Carried, carry};
pub(crate) use distribute::CHEAP;
pub use fragments::fragments;
pub use jam::jam;
pub use matrix::{TERMS, matrix};
pub use parallelise::parallelise;
pub use pipeline::{Pipeline, pipeline};
pub use prefetch::prefetch;
pub use promote::promote;
pub use replicate::replicate;
pub use rows::{Held, RowBox, Rows, rows};
pub use skip::skip;
pub use split::split;
pub use stage::stage;
pub use tile::{Last, Tile, Tiles, tile};
pub use unroll::unroll;
pub use unroll_and_jam::unroll_and_jam;
pub use widen::widen;
pub use windows::windows;

use super::{Axis, Index, Program, Stmt, Var};

/// Why a step was refused.
pub type Refused = String;

/// The register loops at the head of a statement, and what they run.
pub(super) fn nest_of(stmt: &Stmt) -> (Vec<(Var, Index)>, &[Stmt]) {
    let (mut loops, mut rest) = (Vec::new(), std::slice::from_ref(stmt));
    while let [Stmt::Loop { var, trips, axis: Axis::Register, body }] = rest {
        loops.push((*var, trips.clone()));
        rest = body;
    }
    (loops, rest)
}

/// Statements in register loops.
pub(super) fn nested(loops: &[(Var, Index)], body: Vec<Stmt>) -> Vec<Stmt> {
    loops.iter().rev().fold(body, |body, (var, trips)| {
        vec![Stmt::Loop { var: *var, trips: trips.clone(), axis: Axis::Register, body }]
    })
}

/// A loop's trips, where they are a number.
pub(super) fn known(trips: &Index) -> Result<u32, Refused> {
    match trips {
        Index::Const(n) => u32::try_from(*n).map_err(|_| "a loop of many iterations".to_owned()),
        _ => Err("a loop whose iterations are no number in the text".into()),
    }
}

/// The number of an iteration among those of loops, the last one fastest.
pub(super) fn linear(loops: &[(Var, Index)]) -> Result<(Index, u32), Refused> {
    let (mut at, mut all) = (Index::Const(0), 1);
    for (var, trips) in loops {
        let n = known(trips)?;
        at = at * n + Index::from(*var);
        all *= n;
    }
    Ok((at, all))
}

/// Calls `f` on each list of statements, the innermost first.
pub(super) fn each_list(
    stmts: &mut Vec<Stmt>,
    f: &mut impl FnMut(&mut Vec<Stmt>) -> Result<(), Refused>,
) -> Result<(), Refused> {
    for stmt in stmts.iter_mut() {
        if let Some(inner) = stmt.inner_mut() {
            each_list(inner, f)?;
        }
    }
    f(stmts)
}

/// Runs `f` on the program's statements, and puts back what it makes of them.
pub(super) fn change(
    program: &mut Program,
    f: impl FnOnce(&mut Program, Vec<Stmt>) -> Result<Vec<Stmt>, Refused>,
) -> Result<(), Refused> {
    let body = std::mem::take(&mut program.body);
    let before = body.clone();
    match f(program, body) {
        Ok(body) => {
            program.body = body;
            Ok(())
        }
        Err(refused) => {
            program.body = before;
            Err(refused)
        }
    }
}
