//! Loop distribution: a sequential loop is split into a part whose iterations are independent, and a part that keeps its order because
//! iterations need values of earlier ones, such as a running sum. If the ordered part needs a value of the other part, it recomputes
//! it, if that is cheap, or it gets the value of each iteration through memory.
use super::Refused;
use crate::program::{AllocId, Bound, Cell, Index, Place, Program, Space, Stmt, leaf};
use omp_ir::desc::Prim;
use omp_ir::kernel::{Callee, Kernel};
use omp_ir::template::{self, BinOp, Expr};
use omp_ir::visit;
use std::collections::{BTreeMap, BTreeSet};

/// Calls that take an instruction or two.
pub(crate) const CHEAP: [&str; 7] = ["abs", "clone", "max", "min", "mul_add", "wrapping_add", "wrapping_mul"];

/// A part of a loop's body.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Piece {
    /// A statement without others in it.
    Stmt(Stmt),
    /// The value of a register that the independent part passes to the ordered part, through memory.
    Pass(AllocId),
}

/// The parts of a loop.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub(super) independent: Vec<Piece>,
    pub(super) ordered: Vec<Piece>,
    /// The ordered part comes first: it reads elements that the other overwrites.
    pub(super) ordered_first: bool,
}

/// A statement, with the registers that it needs and those that it writes.
struct Op<'s> {
    stmt: &'s Stmt,
    reads: BTreeSet<AllocId>,
    writes: BTreeSet<AllocId>,
    /// It may fail.
    fails: bool,
}

impl Op<'_> {
    fn load(&self) -> Option<u32> {
        match self.stmt {
            Stmt::Move { from: Place::Array(access, _), .. } => Some(*access),
            _ => None,
        }
    }

    fn store(&self) -> Option<u32> {
        match self.stmt {
            Stmt::Move { to: Place::Array(access, _), .. } => Some(*access),
            _ => None,
        }
    }
}

/// The registers that a statement without others in it needs and writes.
pub(super) fn registers(
    program: &Program,
    stmt: &Stmt,
) -> Result<(BTreeSet<AllocId>, BTreeSet<AllocId>), Refused> {
    let (mut reads, mut writes) = (BTreeSet::new(), BTreeSet::new());
    let single = |cell: &Cell| {
        let of = &program.allocs[cell.alloc.0 as usize];
        let single = of.space == Space::Register && cell.index == Index::Const(0);
        if single { Ok(cell.alloc) } else { Err(Refused::from("registers with several places")) }
    };
    match stmt {
        Stmt::Move { to, from, width: 1, asynchronous: false } => {
            if let Place::Cell(cell) = from {
                reads.insert(single(cell)?);
            }
            if let Place::Cell(cell) = to {
                writes.insert(single(cell)?);
            }
        }
        Stmt::Leaf { stmts, bound } => {
            let (needed, written) = (leaf::needed(&program.code, stmts), leaf::written(stmts));
            for (local, to) in bound {
                let Bound::Cell(cell) = to else { continue };
                if needed.contains(local) {
                    reads.insert(single(cell)?);
                }
                if written.contains(local) {
                    writes.insert(single(cell)?);
                }
            }
        }
        Stmt::Let(..) => {}
        _ => return Err("there are loops in loops, or stores under conditions".into()),
    }
    Ok((reads, writes))
}

/// Lets each leaf have one statement: variables of a leaf's own become registers.
pub(super) fn single_statements(
    program: &mut Program,
    kernel: &Kernel,
    stmts: Vec<Stmt>,
) -> Result<Vec<Stmt>, Refused> {
    let mut out = Vec::new();
    for stmt in stmts {
        match stmt {
            Stmt::Leaf { stmts, mut bound } => {
                for stmt in stmts {
                    let stmt = match stmt {
                        template::Stmt::Let { local, init } if !bound.iter().any(|(l, _)| *l == local) => {
                            let ty = program.code.local_ty[local.index()];
                            let prim = kernel.types.prim(ty).ok_or("a variable is no number")?;
                            let name = program.code.code.locals[local.index()].name.clone();
                            let alloc = program.alloc(name, Space::Register, prim, 1);
                            bound.push((local, Bound::Cell(Cell { alloc, index: Index::Const(0) })));
                            let Some(value) = init else { continue };
                            let place = template::Place::from(template::Base::Local(local));
                            let src = program.code.code.exprs[value.index()].src;
                            template::Stmt::Assign { place, value, src }
                        }
                        other => other,
                    };
                    let one = vec![stmt];
                    let mut named = leaf::reads(&program.code, &one);
                    named.extend(leaf::written(&one));
                    let fails = program.can_fail(&one);
                    let is_named =
                        |(local, to): &&_| named.contains(local) || (fails && matches!(to, Bound::Value(_)));
                    let bound = bound.iter().filter(is_named).cloned().collect();
                    out.push(Stmt::Leaf { stmts: one, bound });
                }
            }
            Stmt::Loop { var, trips, axis, body } => {
                let body = single_statements(program, kernel, body)?;
                out.push(Stmt::Loop { var, trips, axis, body });
            }
            other => out.push(other),
        }
    }
    Ok(out)
}

/// The registers that statements may read before they write them.
pub(super) fn exposed(program: &Program, stmts: &[Stmt]) -> Result<BTreeSet<AllocId>, Refused> {
    let (mut found, mut set) = (BTreeSet::new(), BTreeSet::new());
    for stmt in stmts {
        if let Stmt::Loop { body, .. } = stmt {
            found.extend(exposed(program, body)?.difference(&set));
            continue;
        }
        let (reads, writes) = registers(program, stmt)?;
        found.extend(reads.difference(&set));
        set.extend(writes);
    }
    Ok(found)
}

/// Distributes the body of a loop. `live`: registers that statements outside of the loop may read; `dependences`: accesses
/// by which iterations may load or store elements that others store; `reloads`: the ordered part may load an element that the other part has stored.
///
/// # Errors
/// The body has another form, or each part would have to be the first.
pub(super) fn distribute(
    program: &Program,
    body: &[Stmt],
    live: &BTreeSet<AllocId>,
    dependences: &BTreeSet<u32>,
    reloads: bool,
) -> Result<Parts, Refused> {
    let op = |stmt| {
        let (reads, writes) = registers(program, stmt)?;
        let fails = matches!(stmt, Stmt::Leaf { stmts, .. } if program.can_fail(stmts));
        Ok(Op { stmt, reads, writes, fails })
    };
    let ops = body.iter().map(op).collect::<Result<Vec<Op<'_>>, Refused>>()?;
    let written: BTreeSet<AllocId> = ops.iter().flat_map(|op| op.writes.iter().copied()).collect();
    let carried: BTreeSet<AllocId> = exposed(program, body)?.intersection(&written).copied().collect();
    let kept: BTreeSet<AllocId> = carried.iter().chain(live.intersection(&written)).copied().collect();
    let depends = dependent(&ops, &carried, dependences);
    let is_kept = |op: &Op<'_>| !op.writes.is_disjoint(&kept);
    // The only store of what a statement computes.
    let stored = |at: usize| {
        let [cell] = ops[at].writes.iter().copied().collect::<Vec<_>>()[..] else { return None };
        let store =
            (at + 1..ops.len()).find(|n| ops[*n].store().is_some() && ops[*n].reads.contains(&cell))?;
        let same = !ops[at + 1..store].iter().any(|op| op.writes.contains(&cell));
        let single = ops.iter().filter(|op| op.store() == ops[store].store()).count() == 1;
        let Stmt::Move { to, .. } = ops[store].stmt else { return None };
        let load = Stmt::copy(Place::Cell(Cell { alloc: cell, index: Index::Const(0) }), to.clone());
        (same && single && !depends[store]).then_some(load)
    };
    let mut passed = BTreeSet::new();
    let mut ordered = BTreeMap::new();
    let instead = |at: usize| {
        let op = &ops[at];
        if depends[at] || is_kept(op) || op.load().is_some() {
            return None;
        }
        stored(at).filter(|_| reloads).map(Piece::Stmt).or_else(|| {
            let [cell] = op.writes.iter().copied().collect::<Vec<_>>()[..] else { return None };
            // Each register has a place for one value of an iteration.
            let free = !passed.iter().any(|n: &usize| ops[*n].writes.contains(&cell));
            let passes =
                free && is_costly(program, op.stmt) && program.allocs[cell.0 as usize].prim != Prim::Bool;
            passes.then(|| {
                passed.insert(at);
                Piece::Pass(cell)
            })
        })
    };
    let is_root =
        |at: usize| is_kept(&ops[at]) || (depends[at] && (ops[at].store().is_some() || ops[at].fails));
    slice(&ops, is_root, instead, &mut ordered);
    let mut independent_first = ordered.iter().any(|(at, piece)| match piece {
        Piece::Pass(_) => true,
        Piece::Stmt(stmt) => stmt != ops[*at].stmt,
    });
    let mut independent = BTreeMap::new();
    let is_own = |at: usize| !depends[at] && (ops[at].store().is_some() || passed.contains(&at));
    slice(&ops, is_own, |_| None, &mut independent);
    // An element that one part stores and the other loads: the load or the store is first, as in the loop.
    let mut ordered_first = false;
    for store in independent.keys().filter(|at| ops[**at].store().is_some()) {
        for (at, piece) in &ordered {
            let (Piece::Stmt(stmt), access) = (piece, ops[*store].store()) else { continue };
            if stmt != ops[*at].stmt {
                continue;
            }
            if ops[*at].store() == access {
                return Err("both parts of a loop store an element".into());
            }
            if ops[*at].load() == access {
                ordered_first |= at < store;
                independent_first |= store < at;
            }
        }
    }
    for (at, _) in ordered.iter().filter(|(at, _)| ops[**at].store().is_some()) {
        independent_first |= independent.keys().any(|n| ops[*n].load() == ops[*at].store());
    }
    if ordered_first && independent_first {
        return Err("each part of a loop would have to be the first".into());
    }
    let mut parts = Parts { ordered_first, ..Parts::default() };
    for (at, piece) in independent {
        parts.independent.push(piece);
        if passed.contains(&at) {
            parts.independent.extend(ops[at].writes.first().map(|cell| Piece::Pass(*cell)));
        }
    }
    parts.ordered = ordered.into_values().collect();
    Ok(parts)
}

/// By statement, whether it needs what earlier iterations have left in these registers, or in elements that these accesses lead to, or may
/// fail: the first failure of an iteration is the one that counts.
fn dependent(ops: &[Op<'_>], carried: &BTreeSet<AllocId>, dependences: &BTreeSet<u32>) -> Vec<bool> {
    let (mut cells, mut elements) = (carried.clone(), dependences.clone());
    let each = ops.iter().map(|op| {
        let depends = op.fails
            || !op.reads.is_disjoint(&cells)
            || op.store().is_some_and(|access| dependences.contains(&access))
            || op.load().is_some_and(|access| elements.contains(&access));
        if depends {
            cells.extend(&op.writes);
            elements.extend(op.store());
        } else {
            cells.retain(|cell| !op.writes.contains(cell));
        }
        depends
    });
    each.collect()
}

/// Adds the statements that have an effect (`is_root`), and those that compute what they need; another piece may take the place of one.
fn slice(
    ops: &[Op<'_>],
    is_root: impl Fn(usize) -> bool,
    mut instead: impl FnMut(usize) -> Option<Piece>,
    chosen: &mut BTreeMap<usize, Piece>,
) {
    let mut needed: BTreeSet<AllocId> = BTreeSet::new();
    for (at, op) in ops.iter().enumerate().rev() {
        let root = is_root(at);
        if !root && op.writes.is_disjoint(&needed) {
            continue;
        }
        needed.retain(|cell| !op.writes.contains(cell));
        let piece = if root { None } else { instead(at) };
        chosen.insert(
            at,
            piece.unwrap_or_else(|| {
                needed.extend(&op.reads);
                Piece::Stmt(op.stmt.clone())
            }),
        );
    }
}

/// Whether a statement takes many instructions.
fn is_costly(program: &Program, stmt: &Stmt) -> bool {
    let Stmt::Leaf { stmts, .. } = stmt else { return false };
    let (typed, mut found) = (&program.code, false);
    leaf::each(stmts, &mut |stmt| {
        visit::of_stmt(stmt, &mut |root| {
            visit::each_expr(&typed.code, root, &mut |e| {
                found |= match &typed.code.exprs[e.index()].expr {
                    Expr::Binary(BinOp::Div | BinOp::Rem, ..) => true,
                    Expr::Call { call, .. } => {
                        let name = typed.code.calls[call.index()].name.as_str();
                        typed.calls[call.index()] != Callee::Builtin || !CHEAP.contains(&name)
                    }
                    _ => false,
                };
            });
        });
    });
    found
}
