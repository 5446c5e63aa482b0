//! Visitors: the expressions of a statement, the operands of an expression.
use super::ids::ExprId;
use super::template::{Adaptor, Block, Check, Code, Expr, Place, Projection, Range, Stmt};

/// Visitors of what a node consists of: to read it, and to change it.
macro_rules! visitors {
    ($indices:ident, $operands:ident, $blocks:ident $(, $mut:tt)?) => {
        /// The indices in a place.
        pub fn $indices(place: &$($mut)? Place, f: &mut impl FnMut(&$($mut)? ExprId)) {
            for step in &$($mut)? place.projections {
                match step {
                    Projection::Index { index, access: _ } => f(index),
                    Projection::Field(_) | Projection::Payload => {}
                }
            }
        }

        /// The operands of an expression, in order.
        pub fn $operands(expr: &$($mut)? Expr, f: &mut impl FnMut(&$($mut)? ExprId)) {
            match expr {
                Expr::Unit
                | Expr::Int { .. }
                | Expr::Float { .. }
                | Expr::Bool(_)
                | Expr::None { .. }
                | Expr::Thread(_)
                | Expr::SizeOf { .. } => {}
                Expr::Load(place) | Expr::Len(place) | Expr::Borrow(place) => $indices(place, f),
                Expr::Slice { base, lo, hi, access: _, mutable: _ } => {
                    $indices(base, f);
                    lo.into_iter().chain(hi).for_each(f);
                }
                Expr::Unary(_, e)
                | Expr::Cast { value: e, ty: _ }
                | Expr::Repeat { slot: _, value: e }
                | Expr::Some { slot: _, value: e }
                | Expr::IsSome(e) => f(e),
                Expr::Binary(_, lhs, rhs) => {
                    f(lhs);
                    f(rhs);
                }
                Expr::Call { call: _, args: all } | Expr::Array { slot: _, elems: all } => {
                    all.into_iter().for_each(f);
                }
                Expr::Struct { slot: _, name: _, fields, rest } => {
                    fields.into_iter().for_each(|(_, e)| f(e));
                    rest.into_iter().for_each(f);
                }
            }
        }

        /// The blocks in a statement.
        pub fn $blocks(stmt: &$($mut)? Stmt) -> [Option<&$($mut)? Block>; 2] {
            match stmt {
                Stmt::If { cond: _, then, els } => [Some(then), Some(els)],
                Stmt::For { body, .. }
                | Stmt::Loop { label: _, body }
                | Stmt::Labelled { label: _, body }
                | Stmt::Atomic { update: body, .. } => [Some(body), None],
                Stmt::Inner(inner) => [Some(&$($mut)? inner.body), None],
                Stmt::Let { .. }
                | Stmt::Assign { .. }
                | Stmt::Eval(_)
                | Stmt::Break(_)
                | Stmt::Continue(_)
                | Stmt::Return(_)
                | Stmt::Check { .. } => [None, None],
            }
        }
    };
}

visitors!(indices, operands, blocks_of);
visitors!(of_place_mut, of_expr_mut, blocks_of_mut, mut);

/// The indices in a place.
pub fn of_place(place: &Place, f: &mut impl FnMut(ExprId)) {
    indices(place, &mut |e| f(*e));
}

/// The operands of an expression, in order.
pub fn of_expr(expr: &Expr, f: &mut impl FnMut(ExprId)) {
    operands(expr, &mut |e| f(*e));
}

/// The bounds and steps of a range.
pub fn of_range(range: &Range, f: &mut impl FnMut(ExprId)) {
    range.lo.iter().chain(&range.hi).copied().for_each(&mut *f);
    for adaptor in &range.adaptors {
        match adaptor {
            Adaptor::StepBy(Some(step)) => f(*step),
            Adaptor::StepBy(None) | Adaptor::Rev => {}
        }
    }
}

/// The expressions that a statement itself evaluates, in order; not those of the statements in it.
pub fn of_stmt(stmt: &Stmt, f: &mut impl FnMut(ExprId)) {
    match stmt {
        Stmt::Let { local: _, init } => init.iter().copied().for_each(f),
        Stmt::Assign { place, value, src: _ } => {
            f(*value);
            of_place(place, f);
        }
        Stmt::Eval(e) => f(*e),
        Stmt::Atomic { place, old: _, new: _, update: _, src: _ } => of_place(place, f),
        Stmt::If { cond, then: _, els: _ } => f(*cond),
        Stmt::For { label: _, var: _, range, body: _, src: _ } => of_range(range, f),
        Stmt::Inner(inner) => inner.threads.iter().chain(&inner.when).copied().for_each(f),
        Stmt::Loop { .. } | Stmt::Labelled { .. } | Stmt::Break(_) | Stmt::Continue(_) => {}
        Stmt::Return(value) => value.iter().copied().for_each(f),
        Stmt::Check { check, src: _ } => of_check(check, f),
    }
}

/// The expressions of a check.
pub fn of_check(check: &Check, f: &mut impl FnMut(ExprId)) {
    match check {
        Check::Bounds { access: _, base, index } => {
            of_place(base, f);
            f(*index);
        }
        Check::Slice { access: _, base, lo, hi, last } => {
            of_place(base, f);
            lo.iter().chain(last).chain(hi).copied().for_each(f);
        }
        Check::Divide { access: _, rem: _, lhs, rhs } => {
            f(*lhs);
            f(*rhs);
        }
        Check::Panic { access: _, message: _, args } => args.iter().copied().for_each(f),
        Check::Claim { access: _, array: _, index, to } => {
            f(*index);
            to.iter().copied().for_each(f);
        }
        Check::Step { access: _, step } => f(*step),
    }
}

/// Every statement of a block and of the blocks in it, in program order.
pub fn each_stmt<'a>(block: &'a Block, f: &mut impl FnMut(&'a Stmt)) {
    for stmt in &block.0 {
        f(stmt);
        for inner in blocks_of(stmt).into_iter().flatten() {
            each_stmt(inner, f);
        }
    }
}

/// An expression and all its operands, operands first.
pub fn each_expr(code: &Code, root: ExprId, f: &mut impl FnMut(ExprId)) {
    let mut operands = Vec::new();
    of_expr(&code.exprs[root.index()].expr, &mut |e| operands.push(e));
    for e in operands {
        each_expr(code, e, f);
    }
    f(root);
}

/// Every expression that a statement of the code reaches.
pub fn each_live_expr(code: &Code, f: &mut impl FnMut(ExprId)) {
    let mut roots = Vec::new();
    each_stmt(&code.block, &mut |stmt| of_stmt(stmt, &mut |e| roots.push(e)));
    for root in roots {
        each_expr(code, root, f);
    }
}
