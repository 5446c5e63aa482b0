//! Stream compaction: `if keep { y[n] = x[i]; }  n += usize::from(keep);` (or `if keep { n += 1; }`), where `n` is
//! scanned.
//!
//! An iteration that stores increments `n`, and no iteration decrements it, so two iterations that store have different
//! subscripts. (`n` can't wrap: it has 64 bits, as the number of iterations has.)
use crate::desc::Prim;
use crate::flow::value_numbering::equal;
use crate::ids::{AccessId, ArrayId, ExprId, LocalId};
use crate::kernel::{Kernel, Reducer};
use crate::method::Method;
use crate::template::{Base, BinOp, Expr, FpMode, Place, Projection, ReduceOp, ScanParts, Stmt};
use crate::visit;

/// Whether different iterations surely store to different elements of the array, and none loads any.
pub fn distinct(kernel: &Kernel, array: ArrayId) -> bool {
    stores(kernel, array).is_some()
}

/// Elements that stand side by side, in the order of the iterations that store them.
pub struct Compacted {
    /// Where the next one goes.
    pub counter: LocalId,
    /// The stores.
    pub accesses: Vec<AccessId>,
}

/// The stores to the array, if different iterations surely store to different elements, none loads any, and every iteration
/// that moves the counter on stores: then no element between the first and the last one is left out.
pub fn compacted(kernel: &Kernel, array: ArrayId) -> Option<Compacted> {
    stores(kernel, array).filter(|(_, dense)| *dense).map(|(compacted, _)| compacted)
}

/// The stores, and whether there is one wherever the counter moves on.
fn stores(kernel: &Kernel, array: ArrayId) -> Option<(Compacted, bool)> {
    let ScanParts { fold, seed, rest } = kernel.template.scan?.parts(&kernel.body.code.block)?;
    let scan = Scan { kernel, array };
    if differs(kernel) || fold.iter().chain(&seed.0).any(|s| scan.touches(s)) || leaves(rest) {
        return None;
    }
    let (before, after) = scan.update(rest)?;
    let (counter, keep) = before.1;
    let distinct = !rest[after..].iter().any(|s| scan.touches(s))
        && rest[..before.0].iter().all(|stmt| match stmt {
            Stmt::If { cond, then, els } => {
                !scan.reads(*cond)
                    && !els.0.iter().any(|s| scan.touches(s))
                    && (!then.0.iter().any(|s| scan.touches(s))
                        || (scan.same(*cond, keep) && then.0.iter().all(|s| scan.stores_at(s, counter))))
            }
            other => !scan.touches(other) && !assigns(other, counter),
        })
        && rest[before.0..after].iter().all(|s| !scan.touches(s));
    let (mut accesses, mut dense) = (Vec::new(), false);
    for stmt in &rest[..before.0] {
        let Stmt::If { cond, then, .. } = stmt else { continue };
        for stmt in &then.0 {
            if let Stmt::Assign { place, .. } = stmt
                && place.base == Base::Array(array)
                && let [Projection::Index { access, .. }] = place.projections.as_slice()
            {
                accesses.push(*access);
                dense |= scan.same(*cond, keep);
            }
        }
    }
    distinct.then_some((Compacted { counter, accesses }, dense))
}

/// Whether an iteration may compute other values in the pass for the sums than in the pass that stores: it uses the number of its
/// thread, it reads what other iterations change, or the device's compiler may round floats differently in the two copies of it.
fn differs(kernel: &Kernel) -> bool {
    let mut found = false;
    let (mut float, mut product, mut sum) = (false, false, false);
    for body in kernel.fns.iter().map(|f| &f.body).chain([&kernel.body]) {
        let is_float = |e: ExprId| kernel.types.prim(body.expr_ty[e.index()]).is_some_and(Prim::is_float);
        visit::each_stmt(&body.code.block, &mut |s| found |= matches!(s, Stmt::Atomic { .. }));
        visit::each_live_expr(&body.code, &mut |e| match &body.code.exprs[e.index()].expr {
            Expr::Thread(_) => found = true,
            Expr::Binary(op, lhs, _) if is_float(*lhs) => {
                product |= *op == BinOp::Mul;
                sum |= matches!(op, BinOp::Add | BinOp::Sub);
                float |= !op.compares();
            }
            // Compilers may combine the operations of a method with those around it. The bodies of functions are checked.
            Expr::Call { call, args: _ } if is_float(e) => {
                let made = body.methods[call.index()].is_some_and(|m| m != Method::Convert);
                product |= made;
                sum |= made;
                float = true;
            }
            _ => {}
        });
    }
    found
        || match kernel.template.fp {
            FpMode::Strict => false,
            FpMode::Contract => product && sum,
            FpMode::Fast => float,
        }
}

/// Something ends the iteration early.
fn leaves(stmts: &[Stmt]) -> bool {
    let mut found = false;
    for stmt in stmts {
        let mut of = |s: &Stmt| {
            found |= matches!(s, Stmt::Break(_) | Stmt::Continue(_) | Stmt::Return(_));
        };
        of(stmt);
        each_within(stmt, &mut of);
    }
    found
}

/// The statements inside a statement.
fn each_within(stmt: &Stmt, f: &mut impl FnMut(&Stmt)) {
    match stmt {
        Stmt::If { then, els, .. } => {
            visit::each_stmt(then, f);
            visit::each_stmt(els, f);
        }
        Stmt::For { body, .. } | Stmt::Loop { body, .. } | Stmt::Labelled { body, .. } => {
            visit::each_stmt(body, f);
        }
        _ => {}
    }
}

fn assigns(stmt: &Stmt, local: LocalId) -> bool {
    let mut found = false;
    let mut of = |s: &Stmt| {
        found |= matches!(s, Stmt::Assign { place, .. } if place.base == Base::Local(local));
        // A nest's statements are not looked into, and a reference may lead anywhere.
        found |= matches!(s, Stmt::Inner(_) | Stmt::Eval(_));
    };
    of(stmt);
    each_within(stmt, &mut of);
    found
}

/// The scan, and the array in question.
struct Scan<'k> {
    kernel: &'k Kernel,
    array: ArrayId,
}

impl Scan<'_> {
    /// The update `n += usize::from(keep)`: from where to where its statements stand, `n` and `keep`. It is the only one.
    #[allow(clippy::type_complexity, reason = "a pair of pairs, taken apart at once")]
    fn update(&self, stmts: &[Stmt]) -> Option<((usize, (LocalId, ExprId)), usize)> {
        let code = &self.kernel.body;
        for (at, stmt) in stmts.iter().enumerate() {
            let (stmt, when) = match stmt {
                Stmt::If { cond, then, els } if els.0.is_empty() => match then.0.as_slice() {
                    [only] => (only, Some(*cond)),
                    _ => continue,
                },
                other => (other, None),
            };
            let Stmt::Assign { place, value, .. } = stmt else { continue };
            let Base::Local(counter) = place.base else { continue };
            let Some(k) = self.kernel.template.reductions.iter().position(|r| r.local() == Some(counter))
            else {
                continue;
            };
            let counts =
                matches!(self.kernel.reducers[k], Reducer::Builtin(ReduceOp::Add, Prim::U64 | Prim::Usize));
            if !counts || !place.projections.is_empty() || !self.is_place(stmts, counter) {
                continue;
            }
            let Expr::Binary(BinOp::Add, a, b) = &code.code.exprs[value.index()].expr else { return None };
            let one = if self.is_local(*a, counter) { *b } else { *a };
            if !self.is_local(*a, counter) && !self.is_local(*b, counter) {
                return None;
            }
            let (from, keep) = match when {
                Some(cond) if self.is_one(one) => (at, cond),
                Some(_) => return None,
                None => self.truth(stmts, at, one)?,
            };
            let others = stmts.iter().enumerate().any(|(i, s)| i != at && assigns(s, counter));
            return (!others).then_some(((from, (counter, keep)), at + 1));
        }
        None
    }

    /// Some store to the array has this subscript.
    fn is_place(&self, stmts: &[Stmt], counter: LocalId) -> bool {
        stmts.iter().any(|s| {
            matches!(s, Stmt::If { then, .. }
                if then.0.iter().any(|s| self.touches(s) && self.stores_at(s, counter)))
        })
    }

    /// The condition of which a number is the conversion, and the position of its statement.
    fn truth(&self, stmts: &[Stmt], at: usize, number: ExprId) -> Option<(usize, ExprId)> {
        let code = &self.kernel.body;
        match &code.code.exprs[number.index()].expr {
            Expr::Cast { value, ty: _ } if self.is_bool(*value) => Some((at, *value)),
            Expr::Call { call, args } if code.methods[call.index()] == Some(Method::Convert) => {
                let [value] = args.as_slice() else { return None };
                self.is_bool(*value).then_some((at, *value))
            }
            Expr::Load(Place { base: Base::Local(name), projections }) if projections.is_empty() => {
                if code.code.locals[name.index()].mutable {
                    return None;
                }
                let named = |s: &Stmt| matches!(s, Stmt::Let { local, init: Some(_) } if local == name);
                let let_at = stmts[..at].iter().rposition(named)?;
                let Stmt::Let { init: Some(init), .. } = &stmts[let_at] else { return None };
                let init = *init;
                if matches!(&code.code.exprs[init.index()].expr, Expr::Load(_)) {
                    return None;
                }
                self.truth(stmts, let_at, init)
            }
            _ => None,
        }
    }

    fn is_one(&self, e: ExprId) -> bool {
        matches!(self.kernel.body.code.exprs[e.index()].expr, Expr::Int { value: 1, negative: false, .. })
    }

    fn is_bool(&self, e: ExprId) -> bool {
        self.kernel.types.prim(self.kernel.body.expr_ty[e.index()]) == Some(Prim::Bool)
    }

    fn is_local(&self, e: ExprId, local: LocalId) -> bool {
        matches!(&self.kernel.body.code.exprs[e.index()].expr,
            Expr::Load(p) if p.base == Base::Local(local) && p.projections.is_empty())
    }

    /// The operand of casts between types of 64 bits.
    fn as_wide(&self, e: ExprId) -> ExprId {
        let code = &self.kernel.body;
        let wide = |e: ExprId| {
            matches!(self.kernel.types.prim(code.expr_ty[e.index()]), Some(Prim::U64 | Prim::Usize))
        };
        match &code.code.exprs[e.index()].expr {
            Expr::Cast { value, ty: _ } if wide(e) && wide(*value) => self.as_wide(*value),
            _ => e,
        }
    }

    /// Two conditions have the same value wherever they stand in the iteration.
    fn same(&self, a: ExprId, b: ExprId) -> bool {
        let (code, template) = (&self.kernel.body, &self.kernel.template);
        let varies = |base: Base| match base {
            Base::Array(array) => template.arrays[array.index()].written,
            Base::Local(local) => code.code.locals[local.index()].mutable,
            Base::Scalar(_) | Base::Const(_) => false,
        };
        equal(code, &varies, a, b)
    }

    /// The statement reads the array.
    fn reads(&self, e: ExprId) -> bool {
        let code = &self.kernel.body.code;
        let mut found = false;
        visit::each_expr(code, e, &mut |e| match &code.exprs[e.index()].expr {
            Expr::Load(place) | Expr::Borrow(place) | Expr::Slice { base: place, .. } => {
                found |= place.base == Base::Array(self.array);
            }
            _ => {}
        });
        found
    }

    /// The statement, or one in it, has to do with the array's elements. (Checks read its length alone.)
    fn touches(&self, stmt: &Stmt) -> bool {
        let mut found = false;
        let mut of = |s: &Stmt| {
            found |= match s {
                Stmt::Assign { place, .. } | Stmt::Atomic { place, .. } => {
                    place.base == Base::Array(self.array)
                }
                Stmt::Inner(_) => true,
                _ => false,
            };
            visit::of_stmt(s, &mut |e| found |= self.reads(e));
        };
        of(stmt);
        each_within(stmt, &mut of);
        found
    }

    /// The statement does not access the array, or it is a store to it at `counter`.
    fn stores_at(&self, stmt: &Stmt, counter: LocalId) -> bool {
        if !self.touches(stmt) {
            return !assigns(stmt, counter);
        }
        let Stmt::Assign { place, value, .. } = stmt else { return false };
        !self.reads(*value)
            && matches!(place.projections.as_slice(),
                [Projection::Index { index, .. }] if self.is_local(self.as_wide(*index), counter))
    }
}
