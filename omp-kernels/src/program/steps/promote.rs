//! Register promotion: an element that a loop loads and stores in each iteration, and that nothing else in the loop
//! accesses, stays in a register.
use super::{Refused, change, each_list};
use crate::program::{Axis, Place, Program, Stmt};

/// Promotes all such elements of sequential loops.
///
/// # Errors
/// Never; elements that have to stay in memory do.
pub fn promote(program: &mut Program) -> Result<(), Refused> {
    change(program, |program, mut body| {
        each_list(&mut body, &mut |stmts| {
            let mut out = Vec::with_capacity(stmts.len());
            for stmt in std::mem::take(stmts) {
                match of_loop(program, stmt) {
                    Ok([load, stmt, store]) => out.extend([load, stmt, store]),
                    Err(stmt) => out.push(*stmt),
                }
            }
            forward(&mut out);
            *stmts = out;
            Ok(())
        })?;
        Ok(body)
    })
}

/// The load before a loop, the loop, and the store after it.
fn of_loop(program: &Program, stmt: Stmt) -> Result<[Stmt; 3], Box<Stmt>> {
    let Stmt::Loop { var, trips, axis: Axis::Serial, body } = stmt else { return Err(Box::new(stmt)) };
    // Within limits, some iterations around may have none of the loop: their element has to be there, too.
    let (pre, limits, body) = match body.split_last() {
        Some((Stmt::If { less, body: inner }, pre)) if pre.iter().all(|s| matches!(s, Stmt::Move { .. })) => {
            (pre.to_vec(), Some(less.clone()), inner.clone())
        }
        _ => (Vec::new(), None, body),
    };
    let is_there = |access: u32| limits.is_none() || program.accesses[access as usize].everywhere;
    let again = |body: Vec<Stmt>| {
        let body = match limits.clone() {
            Some(less) => pre.iter().cloned().chain([Stmt::If { less, body }]).collect(),
            None => body,
        };
        Stmt::Loop { var, trips: trips.clone(), axis: Axis::Serial, body }
    };
    let array_of = |place: &Place| match place {
        Place::Array(access, coords) => {
            let of = &program.accesses[*access as usize];
            Some(((of.array, of.part), coords.clone()))
        }
        Place::Cell(_) => None,
    };
    let found = body.iter().find_map(|store| match store {
        Stmt::Move { to: to @ Place::Array(access, coords), from: cell @ Place::Cell(_), .. } => {
            let load = body
                .iter()
                .find(|s| matches!(s, Stmt::Move { to: c, from, .. } if c == cell && from == to))?;
            let (array, _) = array_of(to)?;
            let stays = is_there(*access) && !coords.iter().any(|c| c.mentions(var));
            let touches = |s: &Stmt| match s {
                Stmt::Move { to, from, .. } => {
                    [to, from].into_iter().filter_map(array_of).filter(|(a, _)| *a == array).count()
                }
                _ => 0,
            };
            let deeper = body.iter().any(|s| !s.inner().is_empty());
            let alone = body.iter().map(touches).sum::<usize>() == 2 && !deeper;
            (stays && alone).then(|| (load.clone(), store.clone()))
        }
        _ => None,
    });
    match found {
        Some((load, store)) => {
            let body = body.into_iter().filter(|s| *s != load && *s != store).collect();
            Ok([load, again(body), store])
        }
        None => Err(Box::new(again(body))),
    }
}

/// What has been stored is not loaded again, if only loads stand between.
fn forward(stmts: &mut [Stmt]) {
    for at in 1..stmts.len() {
        let (before, rest) = stmts.split_at_mut(at);
        let Stmt::Move { from: loaded @ Place::Array(..), .. } = &mut rest[0] else { continue };
        let is_load = |s: &&Stmt| matches!(s, Stmt::Move { to: Place::Cell(_), .. });
        let loads = before.iter().rev().take_while(is_load).count();
        let (before, loads) = before.split_at(before.len() - loads);
        let Some(Stmt::Move { to: stored @ Place::Array(..), from, .. }) = before.last() else { continue };
        let kept = !loads.iter().any(|s| matches!(s, Stmt::Move { to, .. } if to == from));
        if stored == loaded && kept {
            *loaded = from.clone();
        }
    }
}
