//! Inner loops that are scans: `for c in … { y[r * w + c] = y[r * w + c - 1] ⊕ e; }`. The rows run in parallel. If the
//! lanes of a warp share a row, the emitter needs the operator and the operand separately.
use super::updates::equal;
use crate::desc::Prim;
use crate::ids::{AccessId, ArrayId, ExprId, LabelId, LocalId};
use crate::kernel::{Kernel, TypedCode};
use crate::method::{FloatMethod, IntMethod, IntOp, Method, Overflow};
use crate::template::{Base, BinOp, Check, Expr, Place, Projection, Range, ReduceOp, Stmt};
use crate::visit;
use std::collections::HashMap;

/// A region whose iterations are scans along a loop, by a built-in operator.
#[derive(Debug)]
pub struct Rows<'k> {
    /// What stands before the loop.
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
    let sums = Sums { code, named: &named, var: *var };
    let own = sums.of_place(place, array)?;
    if !plain || own.var != 1 {
        return None;
    }
    let is_last = |e: ExprId| match &code.code.exprs[resolved(code, &named, e).index()].expr {
        Expr::Load(p) => {
            sums.of_place(p, array).is_some_and(|s| sums.apart(&own, &s) == Some(1)).then_some(p)
        }
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
                fits &= sums.of_place(p, array).is_some_and(|s| sums.apart(&own, &s) == Some(0));
                streams.push(p);
            }
            Expr::Load(p @ Place { base: Base::Array(other), .. }) => {
                let element = kernel.types.prim(kernel.array_ty[other.index()]);
                if element.is_some() && sums.of_place(p, *other).is_some_and(|s| s.var == 1) {
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

/// What a name stands for.
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

/// A subscript as a sum: how often the loop's variable, what else, and a number.
struct Sum {
    var: i128,
    others: Vec<(ExprId, i128)>,
    number: i128,
}

struct Sums<'a> {
    code: &'a TypedCode,
    named: &'a HashMap<LocalId, ExprId>,
    var: LocalId,
}

impl Sums<'_> {
    fn of_place(&self, place: &Place, array: ArrayId) -> Option<Sum> {
        let [Projection::Index { index, access: _ }] = place.projections.as_slice() else { return None };
        if place.base != Base::Array(array) {
            return None;
        }
        let mut sum = Sum { var: 0, others: Vec::new(), number: 0 };
        self.add(&mut sum, *index, 1)?;
        Some(sum)
    }

    fn add(&self, sum: &mut Sum, e: ExprId, times: i128) -> Option<()> {
        let e = resolved(self.code, self.named, e);
        match &self.code.code.exprs[e.index()].expr {
            Expr::Int { value, negative, .. } => {
                let value = i128::try_from(*value).ok()?;
                sum.number += times * if *negative { -value } else { value };
            }
            Expr::Binary(BinOp::Add, a, b) => {
                self.add(sum, *a, times)?;
                self.add(sum, *b, times)?;
            }
            Expr::Binary(BinOp::Sub, a, b) => {
                self.add(sum, *a, times)?;
                self.add(sum, *b, -times)?;
            }
            Expr::Load(p) if p.base == Base::Local(self.var) => sum.var += times,
            _ => {
                // Anything else must be the same in all iterations of the loop.
                let mut fixed = true;
                visit::each_expr(&self.code.code, e, &mut |e| match &self.code.code.exprs[e.index()].expr {
                    Expr::Load(p) => {
                        fixed &= match p.base {
                            Base::Local(l) => l != self.var && !self.named.contains_key(&l),
                            Base::Scalar(_) | Base::Const(_) => true,
                            Base::Array(_) => false,
                        };
                    }
                    Expr::Int { .. } | Expr::Binary(..) | Expr::Cast { .. } | Expr::Len(_) => {}
                    _ => fixed = false,
                });
                if !fixed {
                    return None;
                }
                match sum.others.iter_mut().find(|(o, _)| equal(self.code, *o, e)) {
                    Some((_, n)) => *n += times,
                    None => sum.others.push((e, times)),
                }
            }
        }
        Some(())
    }

    /// By how much the first is more, if they differ by a number only.
    fn apart(&self, a: &Sum, b: &Sum) -> Option<i128> {
        let within = |a: &Sum, b: &Sum| {
            a.others.iter().all(|(e, n)| b.others.iter().any(|(o, m)| n == m && equal(self.code, *e, *o)))
        };
        (a.var == b.var && within(a, b) && within(b, a)).then(|| a.number - b.number)
    }
}
