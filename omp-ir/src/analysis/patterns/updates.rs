//! Finds the statements that update an element of a reduced array. Kernels whose threads share elements make them
//! atomic.
use crate::flow::value_numbering;
use crate::ids::{AccessId, ArrayId, ExprId};
use crate::kernel::TypedCode;
use crate::template::{Base, BinOp, Block, Check, Expr, Place, Projection, Stmt};
use crate::visit;
use std::collections::BTreeSet;

/// Neighbouring statements that read and write one element of an array, and nothing else of it.
#[derive(Debug, Clone)]
pub struct Update<'c> {
    /// The array.
    pub array: ArrayId,
    /// The element.
    pub place: &'c Place,
    /// The subscripts that mean it.
    pub accesses: Vec<AccessId>,
    /// How many statements.
    pub count: usize,
}

/// The update of one of the arrays that `stmts` begins with.
pub fn update<'c>(code: &TypedCode, stmts: &'c [Stmt], arrays: &[ArrayId]) -> Option<Update<'c>> {
    let (place, count) = match stmts {
        [Stmt::Assign { place, .. }, ..] => (place, 1),
        // The condition reads the element: it is there, whatever the condition comes to.
        [Stmt::If { cond, then, els: Block(els), .. }, ..] if els.is_empty() => {
            let place = only_assignment(&then.0)?;
            if !reads_always(code, *cond, place) {
                return None;
            }
            (place, 1)
        }
        // A call has a name of its own.
        [Stmt::Let { local, init: Some(_) }, rest @ ..] => {
            let checks = rest.iter().take_while(|s| matches!(s, Stmt::Check { .. })).count();
            let Some(Stmt::Assign { place, value, .. }) = rest.get(checks) else { return None };
            let named = matches!(&code.code.exprs[value.index()].expr,
                Expr::Load(p) if p.base == Base::Local(*local) && p.projections.is_empty());
            if !named {
                return None;
            }
            (place, checks + 2)
        }
        _ => return None,
    };
    let Base::Array(array) = place.base else { return None };
    let [Projection::Index { index, access }] = place.projections.as_slice() else { return None };
    if !arrays.contains(&array) {
        return None;
    }
    let mut found = Update { array, place, accesses: vec![*access], count };
    let (mut same, mut reads) = (true, false);
    for stmt in &stmts[..count] {
        each_load(code, stmt, &mut |load| {
            if load.base != Base::Array(array) {
                return;
            }
            match load.projections.as_slice() {
                [Projection::Index { index: other, access }] if equal(code, *index, *other) => {
                    found.accesses.push(*access);
                    reads = true;
                }
                _ => same = false,
            }
        });
    }
    (same && reads).then_some(found)
}

/// Whether the body touches the array in updates only.
pub fn only_updates(code: &TypedCode, array: ArrayId) -> bool {
    let mut known = BTreeSet::new();
    collect(code, &code.code.block.0, array, &mut known);
    let mut all = true;
    let mut of = |place: &Place| {
        if place.base == Base::Array(array) {
            all &= matches!(place.projections.as_slice(),
                [Projection::Index { access, .. }] if known.contains(access));
        }
    };
    visit::each_stmt(&code.code.block, &mut |stmt| match stmt {
        Stmt::Assign { place, .. } | Stmt::Atomic { place, .. } => of(place),
        _ => {}
    });
    visit::each_live_expr(&code.code, &mut |e| match &code.code.exprs[e.index()].expr {
        Expr::Load(place) | Expr::Borrow(place) | Expr::Slice { base: place, .. } => of(place),
        _ => {}
    });
    all && !known.is_empty()
}

/// All updates of the arrays, in order, if an iteration runs each of them at most once and touches the arrays nowhere else.
pub fn sites(code: &TypedCode, arrays: &[ArrayId]) -> Option<Vec<(ArrayId, AccessId)>> {
    let mut found = Vec::new();
    let once = straight(code, &code.code.block.0, arrays, &mut found);
    (once && arrays.iter().all(|a| only_updates(code, *a))).then_some(found)
}

/// Whether each update of the arrays adds one value to the element, or takes one away: added to another start, it comes to the
/// same bits as long as the sum of both is what is stored.
pub fn single_terms(code: &TypedCode, arrays: &[ArrayId]) -> bool {
    let mut single = true;
    visit::each_stmt(&code.code.block, &mut |stmt| {
        let Stmt::Assign { place: Place { base: Base::Array(a), .. }, value, .. } = stmt else { return };
        let of = |e: ExprId| matches!(&code.code.exprs[e.index()].expr, Expr::Load(p) if p.base == Base::Array(*a));
        single &= !arrays.contains(a)
            || match code.code.exprs[value.index()].expr {
                Expr::Binary(BinOp::Add, l, r) => of(l) || of(r),
                Expr::Binary(BinOp::Sub, l, _) => of(l),
                _ => false,
            };
    });
    single
}

/// Lists updates outside of loops; there are none in loops.
fn straight(
    code: &TypedCode,
    stmts: &[Stmt],
    arrays: &[ArrayId],
    found: &mut Vec<(ArrayId, AccessId)>,
) -> bool {
    let mut at = 0;
    while at < stmts.len() {
        if let Some(update) = update(code, &stmts[at..], arrays) {
            found.extend(update.accesses.first().map(|access| (update.array, *access)));
            at += update.count;
            continue;
        }
        let once = match &stmts[at] {
            Stmt::If { then, els, .. } => {
                straight(code, &then.0, arrays, found) && straight(code, &els.0, arrays, found)
            }
            Stmt::Labelled { body, .. } => straight(code, &body.0, arrays, found),
            Stmt::For { body, .. } | Stmt::Loop { body, .. } => {
                let mut inside = Vec::new();
                straight(code, &body.0, arrays, &mut inside) && inside.is_empty()
            }
            _ => true,
        };
        if !once {
            return false;
        }
        at += 1;
    }
    true
}

fn collect(code: &TypedCode, stmts: &[Stmt], array: ArrayId, known: &mut BTreeSet<AccessId>) {
    let mut at = 0;
    while at < stmts.len() {
        if let Some(found) = update(code, &stmts[at..], &[array]) {
            known.extend(found.accesses);
            at += found.count;
            continue;
        }
        match &stmts[at] {
            Stmt::If { then, els, .. } => {
                collect(code, &then.0, array, known);
                collect(code, &els.0, array, known);
            }
            Stmt::For { body, .. } | Stmt::Loop { body, .. } | Stmt::Labelled { body, .. } => {
                collect(code, &body.0, array, known);
            }
            Stmt::Let { .. }
            | Stmt::Assign { .. }
            | Stmt::Eval(_)
            | Stmt::Atomic { .. }
            | Stmt::Inner(_)
            | Stmt::Break(_)
            | Stmt::Continue(_)
            | Stmt::Return(_)
            | Stmt::Check { .. } => {}
        }
        at += 1;
    }
}

/// Whether the evaluation of an expression reads an element in any case.
fn reads_always(code: &TypedCode, e: ExprId, element: &Place) -> bool {
    match &code.code.exprs[e.index()].expr {
        Expr::Load(place) if is_same(code, place, element) => true,
        // (The other side is evaluated under a condition.)
        Expr::Binary(BinOp::And | BinOp::Or, left, _) => reads_always(code, *left, element),
        expr => {
            let mut reads = false;
            visit::of_expr(expr, &mut |e| reads |= reads_always(code, e, element));
            reads
        }
    }
}

fn is_same(code: &TypedCode, a: &Place, b: &Place) -> bool {
    a.base == b.base
        && matches!((a.projections.as_slice(), b.projections.as_slice()),
            ([Projection::Index { index: a, .. }], [Projection::Index { index: b, .. }]) if equal(code, *a, *b))
}

fn only_assignment(stmts: &[Stmt]) -> Option<&Place> {
    let mut found = None;
    for stmt in stmts {
        match stmt {
            Stmt::Check { check: Check::Bounds { .. }, .. } => {}
            Stmt::Assign { place, .. } if found.is_none() => found = Some(place),
            _ => return None,
        }
    }
    found
}

/// The loads of a statement and of those in it.
fn each_load(code: &TypedCode, stmt: &Stmt, f: &mut impl FnMut(&Place)) {
    let mut of = |stmt: &Stmt| {
        visit::of_stmt(stmt, &mut |e| {
            visit::each_expr(&code.code, e, &mut |e| {
                if let Expr::Load(place) = &code.code.exprs[e.index()].expr {
                    f(place);
                }
            });
        });
    };
    of(stmt);
    if let Stmt::If { then, .. } = stmt {
        then.0.iter().for_each(of);
    }
}

/// Whether two expressions of one statement have the same value.
fn equal(code: &TypedCode, a: ExprId, b: ExprId) -> bool {
    value_numbering::equal(code, &|_| false, a, b)
}
