//! Unroll and jam of a sequential loop that contains a sum, such as a loop over the centres that a point is compared
//! with. The sums of several iterations are interleaved, so that elements that all of them read are loaded once. The
//! statements after the sums run in the order of the iterations.
use super::{Refused, change};
use crate::program::{AllocId, Axis, Cut, Index, Place, Program, Stmt, Var, touched};
use omp_ir::ids::ArrayId;
use std::collections::BTreeSet;

/// Unrolls the loop over `var` by the factor `by` and jams the iterations. The trip count is a multiple of the factor.
///
/// # Errors
/// An iteration needs a value of the one before it, other than one that is used only before or only after the sum.
pub fn jam(program: &mut Program, var: Var, by: u32) -> Result<(), Refused> {
    let mut found = Err("there is no such sequential loop".to_owned());
    change(program, |program, mut body| {
        in_list(program, &mut body, (var, by), &BTreeSet::new(), &mut found);
        found.map(|()| body)
    })
}

fn in_list(
    program: &mut Program,
    stmts: &mut [Stmt],
    (var, by): (Var, u32),
    around: &BTreeSet<AllocId>,
    found: &mut Result<(), Refused>,
) {
    for at in 0..stmts.len() {
        let mut outside = around.clone();
        for (k, other) in stmts.iter().enumerate() {
            if k != at {
                outside.extend(touched(std::slice::from_ref(other)));
            }
        }
        match &mut stmts[at] {
            Stmt::Loop { var: v, trips, axis: Axis::Serial, body } if *v == var => {
                *found = may(program, body, &outside);
                let name = program.vars[var.0 as usize].clone();
                let [chunk, place] = ["jam", "j"].map(|part| program.var(format!("{name}_{part}")));
                let start = Index::from(chunk) * by;
                let cut = Cut {
                    start: start.clone(),
                    inner: place.into(),
                    extent: by,
                    head: 0,
                    limit: trips.clone(),
                    ragged: false,
                    vector: 1,
                    thread: None,
                };
                program.cuts.insert(var, cut);
                program.jams.push((chunk, place));
                let mut inside = vec![Stmt::Let(var, start + Index::from(place))];
                inside.append(body);
                let inside = Stmt::Loop { var: place, trips: by.into(), axis: Axis::Register, body: inside };
                let trips = trips.clone() / by;
                stmts[at] = Stmt::Loop { var: chunk, trips, axis: Axis::Serial, body: vec![inside] };
            }
            other => {
                if let Some(inner) = other.inner_mut() {
                    in_list(program, inner, (var, by), &outside, found);
                }
            }
        }
    }
}

/// Whether the statements between the loops of a body may run for all iterations that are jammed, before the next of them do: what is
/// `outside` of the loop, or in memory, only one group of them touches.
fn may(program: &Program, body: &[Stmt], outside: &BTreeSet<AllocId>) -> Result<(), Refused> {
    let written: BTreeSet<ArrayId> = arrays(program, body, true);
    let (mut groups, mut group) = (Vec::new(), Vec::new());
    for stmt in body {
        if matches!(stmt, Stmt::Loop { .. }) {
            groups.extend([std::mem::take(&mut group), vec![stmt.clone()]]);
        } else {
            group.push(stmt.clone());
        }
    }
    groups.push(group);
    let shared = |stmts: &[Stmt]| -> (BTreeSet<AllocId>, BTreeSet<ArrayId>) {
        let all = arrays(program, stmts, false);
        (
            touched(stmts).intersection(outside).copied().collect(),
            all.intersection(&written).copied().collect(),
        )
    };
    let of: Vec<_> =
        groups.iter().map(|stmts| shared(stmts)).filter(|of| *of != Default::default()).collect();
    let in_loops = groups.iter().filter(|g| matches!(g.as_slice(), [Stmt::Loop { .. }]));
    if of.len() > 1 || in_loops.map(|g| shared(g)).any(|of| of != Default::default()) {
        return Err("an iteration needs a value of the one before it".into());
    }
    Ok(())
}

/// The arrays that statements touch, or store to alone.
fn arrays(program: &Program, stmts: &[Stmt], stores: bool) -> BTreeSet<ArrayId> {
    let mut found = BTreeSet::new();
    for stmt in stmts {
        if let Stmt::Move { to, from, .. } = stmt {
            let places = [Some(to), (!stores).then_some(from)];
            found.extend(places.into_iter().flatten().filter_map(|place| match place {
                Place::Array(access, _) => Some(program.accesses[*access as usize].array),
                Place::Cell(_) => None,
            }));
        }
        found.extend(arrays(program, stmt.inner(), stores));
    }
    found
}
