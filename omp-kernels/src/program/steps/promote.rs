//! Register promotion: an element that a loop loads and stores in each iteration, and that nothing else in the loop
//! accesses, is kept in a register.
use super::{Refused, change, each_list};
use crate::program::{Axis, AxisOf, Place, Program, Stmt};

/// Promotes all such elements of sequential loops.
///
/// # Errors
/// Never; elements that have to stay in memory do.
pub fn promote(program: &mut Program) -> Result<(), Refused> {
    change(program, |program, mut body| {
        let all = body.clone();
        each_list(&mut body, &mut |stmts| {
            let mut out = Vec::with_capacity(stmts.len());
            for stmt in std::mem::take(stmts) {
                match of_loop(program, &all, stmt) {
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

/// Whether iterations that don't update an element may load and store it all the same: the element exists, and it is accessed by no
/// other thread. `all` are the program's statements.
fn is_own(program: &Program, all: &[Stmt], access: u32) -> bool {
    let (mut parallel, mut inside) = (0, all);
    while let [Stmt::Loop { axis: Axis::Parallel, body, .. }] | [Stmt::If { body, .. }] = inside {
        parallel += u32::from(matches!(inside, [Stmt::Loop { .. }]));
        inside = body;
    }
    let of = &program.accesses[access as usize];
    // Each parallel loop moves the element along an axis of its own.
    let single = |axis: &AxisOf| axis.loops.len() == 1 && axis.loops[0].0 < parallel;
    fn is_only(program: &Program, stmts: &[Stmt], access: u32) -> bool {
        let of = |access: u32| {
            let of = &program.accesses[access as usize];
            (of.array, of.part)
        };
        let same =
            |place: &Place| !matches!(place, Place::Array(a, _) if *a != access && of(*a) == of(access));
        stmts.iter().all(|stmt| match stmt {
            Stmt::Move { to, from, .. } => same(to) && same(from),
            other => is_only(program, other.inner(), access),
        })
    }
    of.everywhere
        && of.axes.len() == parallel as usize
        && of.axes.iter().all(single)
        && is_only(program, all, access)
}

/// The load before a loop, the loop, and the store after it.
fn of_loop(program: &Program, all: &[Stmt], stmt: Stmt) -> Result<[Stmt; 3], Box<Stmt>> {
    let Stmt::Loop { var, trips, axis: Axis::Serial, body } = stmt else { return Err(Box::new(stmt)) };
    // Within limits, some iterations around may have none of the loop.
    let (pre, limits, body) = match body.split_last() {
        Some((Stmt::If { less, body: inner }, pre)) if pre.iter().all(|s| matches!(s, Stmt::Move { .. })) => {
            (pre.to_vec(), Some(less.clone()), inner.clone())
        }
        _ => (Vec::new(), None, body),
    };
    let is_there = |access: u32| limits.is_none() || is_own(program, all, access);
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

/// Store-to-load forwarding: a stored value is not loaded if only loads are between.
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
