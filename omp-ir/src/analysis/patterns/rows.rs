//! Inner loops that are scans: `for c in … { y[r * w + c] = y[r * w + c - 1] ⊕ e; }`. The rows run in parallel. If the
//! lanes of a warp share a row, the emitter needs the operator and the operand separately.
use crate::desc::Prim;
use crate::flow::dependence::{Question, Relation, relation, stride};
use crate::ids::{AccessId, ExprId, LabelId, LocalId};
use crate::kernel::{Kernel, TypedCode};
use crate::method::{FloatMethod, IntMethod, IntOp, Method, Overflow};
use crate::template::{Base, BinOp, Check, Expr, Place, Range, ReduceOp, Stmt};
use crate::visit;
use std::collections::{HashMap, HashSet};

/// A region whose iterations are scans along a loop, by a built-in operator.
#[derive(Debug)]
pub struct Rows<'k> {
    /// The statements before the loop.
    pub before: &'k [Stmt],
    /// The loop.
    pub label: LabelId,
    /// Its variable.
    pub var: LocalId,
    /// Its bounds.
    pub range: &'k Range,
    /// What names the parts of the element.
    pub lets: Vec<&'k Stmt>,
    /// The operator.
    pub op: ReduceOp,
    /// The type of the values.
    pub prim: Prim,
    /// `y[r * w + c]`.
    pub place: &'k Place,
    /// The one before.
    pub last: &'k Place,
    /// What is combined with it.
    pub element: ExprId,
    /// Subscripts of checks in the loop: they have to be proved.
    pub accesses: Vec<AccessId>,
    /// Elements that are read with a subscript that is the loop's variable and what the loop does not change.
    pub streams: Vec<&'k Place>,
}

/// The scan that every iteration is, if it is one.
pub fn rows(kernel: &Kernel) -> Option<Rows<'_>> {
    let code = &kernel.body;
    let [before @ .., Stmt::For { label, var, range, body, src: _ }] = code.code.block.0.as_slice() else {
        return None;
    };
    let plain = kernel.template.reductions.is_empty()
        && range.adaptors.is_empty()
        && !range.inclusive
        && !code.code.locals[var.index()].mutable
        && before.iter().all(|s| matches!(s, Stmt::Let { .. } | Stmt::Check { .. }));
    let [head @ .., Stmt::Assign { place, value, src: _ }] = body.0.as_slice() else { return None };
    let Base::Array(array) = place.base else { return None };
    let prim = kernel.types.prim(kernel.array_ty[array.index()])?;
    let (mut lets, mut accesses, mut named) = (Vec::new(), Vec::new(), HashMap::new());
    for stmt in head {
        match stmt {
            Stmt::Let { local, init: Some(init) } => {
                lets.push(stmt);
                named.insert(*local, *init);
            }
            Stmt::Check { check: Check::Bounds { access, .. }, src: _ } => accesses.push(*access),
            _ => return None,
        }
    }
    let (op, a, b) = operator(code, resolved(code, &named, *value))?;
    let question = Question {
        code: &code.code,
        block: body,
        usizes: &HashSet::new(),
        same: &|a, b| code.same_function(a, b),
        ty: &|slot| code.first_of_type(slot),
        var: *var,
        step: 1,
    };
    let is_neighbour = |place: &Place| stride(&question, place) == Some(1);
    if !plain || !is_neighbour(place) {
        return None;
    }
    let is_last = |e: ExprId| match &code.code.exprs[resolved(code, &named, e).index()].expr {
        Expr::Load(p) => (relation(&question, place, p) == Relation::Before).then_some(p),
        _ => None,
    };
    let (last, element) = match (is_last(a), is_last(b)) {
        (Some(last), None) => (last, b),
        (None, Some(last)) => (last, a),
        _ => return None,
    };
    // Rounding and overflow depend on the order of combination.
    let exact = !prim.is_float() || matches!(op, ReduceOp::Min | ReduceOp::Max);
    if !exact && !kernel.template.inner_scans {
        return None;
    }
    // What is named is not what comes before, nor the sum of both.
    let carried = |init: ExprId| {
        matches!(&code.code.exprs[init.index()].expr, Expr::Load(p) if std::ptr::eq(p, last))
            || init == resolved(code, &named, *value)
    };
    lets.retain(|s| !matches!(s, Stmt::Let { init: Some(init), .. } if carried(*init)));
    // The element reads nothing of the array but its own place.
    let (mut fits, mut streams) = (true, Vec::new());
    let mut look = |e: ExprId| {
        visit::each_expr(&code.code, e, &mut |e| match &code.code.exprs[e.index()].expr {
            Expr::Load(Place { base: Base::Local(l), .. })
                if named.get(l).is_some_and(|init| carried(*init)) =>
            {
                fits = false;
            }
            Expr::Load(p) if p.base == Base::Array(array) => {
                fits &= relation(&question, place, p) == Relation::Same;
                streams.push(p);
            }
            Expr::Load(p @ Place { base: Base::Array(other), .. }) => {
                let element = kernel.types.prim(kernel.array_ty[other.index()]);
                if element.is_some() && is_neighbour(p) {
                    streams.push(p);
                }
            }
            Expr::Load(_) | Expr::Int { .. } | Expr::Float { .. } | Expr::Bool(_) | Expr::Len(_) => {}
            Expr::Binary(..) | Expr::Unary(..) | Expr::Cast { .. } => {}
            Expr::Call { call, .. } => fits &= code.methods[call.index()].is_some(),
            _ => fits = false,
        });
    };
    look(element);
    for stmt in &lets {
        if let Stmt::Let { init: Some(init), .. } = stmt {
            look(*init);
        }
    }
    fits.then_some(Rows {
        before,
        label: *label,
        var: *var,
        range,
        lets,
        op,
        prim,
        place,
        last,
        element,
        accesses,
        streams,
    })
}

/// The meaning of a name.
fn resolved(code: &TypedCode, named: &HashMap<LocalId, ExprId>, e: ExprId) -> ExprId {
    match &code.code.exprs[e.index()].expr {
        Expr::Load(Place { base: Base::Local(l), projections }) if projections.is_empty() => {
            named.get(l).copied().unwrap_or(e)
        }
        _ => e,
    }
}

/// The operator of an update, and its operands.
fn operator(code: &TypedCode, value: ExprId) -> Option<(ReduceOp, ExprId, ExprId)> {
    match &code.code.exprs[value.index()].expr {
        Expr::Binary(op, a, b) => {
            let op = match op {
                BinOp::Add => ReduceOp::Add,
                BinOp::Mul => ReduceOp::Mul,
                BinOp::BitAnd => ReduceOp::BitAnd,
                BinOp::BitOr => ReduceOp::BitOr,
                BinOp::BitXor => ReduceOp::BitXor,
                _ => return None,
            };
            Some((op, *a, *b))
        }
        Expr::Call { call, args } => {
            let [a, b] = args.as_slice() else { return None };
            let op = match code.methods[call.index()]? {
                Method::Arith(Overflow::Wrapping, IntOp::Add) => ReduceOp::Add,
                Method::Arith(Overflow::Wrapping, IntOp::Mul) => ReduceOp::Mul,
                Method::Int(IntMethod::Min) | Method::Float(FloatMethod::Min) => ReduceOp::Min,
                Method::Int(IntMethod::Max) | Method::Float(FloatMethod::Max) => ReduceOp::Max,
                _ => return None,
            };
            Some((op, *a, *b))
        }
        _ => None,
    }
}
