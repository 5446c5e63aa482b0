//! Scalar replacement of loop-carried elements: an element that an iteration loads and that one a few iterations before has stored is
//! kept in a register until then. The first iterations load what the loop does not store; afterwards, the loop accesses what it stores by
//! one subscript alone, so that it may run in chunks.
use super::{Refused, change};
use crate::program::{AllocId, Axis, Cell, Index, Place, Program, Space, Stmt, Var, with};

/// An element that a sequential loop carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Carried {
    /// The loop.
    pub of: u32,
    /// The access that loads it.
    pub load: u32,
    /// The one that has stored it.
    pub store: u32,
    /// How many iterations before.
    pub distance: u32,
}

/// Keeps elements in registers.
///
/// # Errors
/// There is no such loop, or a condition decides what it stores.
pub fn carry(program: &mut Program, carried: &Carried) -> Result<(), Refused> {
    change(program, |program, body| {
        let mut found = false;
        let body = list(program, body, carried, &mut found)?;
        if found { Ok(body) } else { Err("no loop carries the element".into()) }
    })
}

fn list(
    program: &mut Program,
    stmts: Vec<Stmt>,
    carried: &Carried,
    found: &mut bool,
) -> Result<Vec<Stmt>, Refused> {
    let mut out = Vec::with_capacity(stmts.len());
    for mut stmt in stmts {
        match stmt {
            Stmt::Loop { var, trips, axis: Axis::Serial, body } if var == Var(carried.of) => {
                *found = true;
                program.carried.insert(carried.load);
                let (first, body) = of_loop(program, (var, body), carried)?;
                out.extend(first);
                out.push(Stmt::Loop { var, trips, axis: Axis::Serial, body });
            }
            _ => {
                if let Some(inner) = stmt.inner_mut() {
                    *inner = list(program, std::mem::take(inner), carried, found)?;
                }
                out.push(stmt);
            }
        }
    }
    Ok(out)
}

/// The loads before the loop, and its body.
fn of_loop(
    program: &mut Program,
    (var, mut body): (Var, Vec<Stmt>),
    carried: &Carried,
) -> Result<(Vec<Stmt>, Vec<Stmt>), Refused> {
    let is_store = |stmt: &Stmt| matches!(stmt, Stmt::Move { to: Place::Array(access, _), .. } if *access == carried.store);
    let stores: Vec<usize> = (0..body.len()).filter(|n| is_store(&body[*n])).collect();
    let ([at], true) = (stores.as_slice(), body.iter().all(|stmt| stmt.inner().is_empty())) else {
        return Err("a condition decides which elements a loop carries".into());
    };
    let Stmt::Move { from: stored, .. } = body[*at].clone() else { return Err("no store".into()) };
    let load = |stmt: &Stmt| match stmt {
        Stmt::Move { from: from @ Place::Array(access, _), to: Place::Cell(to), .. }
            if *access == carried.load =>
        {
            Some((from.clone(), to.alloc))
        }
        _ => None,
    };
    let (from, like) = body.iter().find_map(load).ok_or("nothing loads the element")?;
    let (name, prim) = {
        let of = &program.allocs[like.0 as usize];
        (of.name.clone(), of.prim)
    };
    // The elements of the iterations before: the last one's first. That of this iteration joins them at its end.
    let mut register = |name: String| program.alloc(name, Space::Register, prim, 1);
    let new = register(format!("{name}_new"));
    let before: Vec<AllocId> = (1..=carried.distance).map(|n| register(format!("{name}_{n}"))).collect();
    let cell = |alloc: AllocId| Place::Cell(Cell { alloc, index: Index::Const(0) });
    let oldest = *before.last().ok_or("an element of the same iteration")?;
    for stmt in &mut body {
        if load(stmt).is_some()
            && let Stmt::Move { from, .. } = stmt
        {
            *from = cell(oldest);
        }
    }
    body.insert(at + 1, Stmt::copy(cell(new), stored));
    let ages: Vec<AllocId> = std::iter::once(new).chain(before.iter().copied()).collect();
    body.extend(ages.windows(2).rev().map(|pair| Stmt::copy(cell(pair[1]), cell(pair[0]))));
    // Iteration `n` takes what is `distance - n` iterations before the first one.
    let first = before.iter().rev().enumerate().flat_map(|(n, register)| {
        with(&[Stmt::copy(cell(*register), from.clone())], var, &Index::from(n as u32))
    });
    Ok((first.collect(), body))
}
