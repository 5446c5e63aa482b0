//! Bounds of parallel loops: the body must not change them, and under `collapse` they are affine in outer variables.
use crate::ast::{LoopHead, private_name};
use crate::diag::{Code, Sink};
use crate::sema::CheckedRegion;
use crate::sema::clauses::combine::constant;
use crate::sema::syntax::effects;
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::names::mentions_any;
use crate::sema::syntax::place;
use crate::sema::syntax::search;
use crate::sema::syntax::uses::{How, Uses, expressions};
use syn::{BinOp, Expr, UnOp};

/// Reports bounds that the body moves; returns their names.
pub fn check(region: &CheckedRegion, uses: &Uses, sink: &mut Sink) -> Vec<String> {
    let mut moved: Vec<String> = Vec::new();
    let clauses = &region.directive.clauses;
    if region.around.block.is_some() {
        let on_device = uses.bounds.iter().find_map(|b| {
            let mut held = region.around.held.iter();
            if b.element && b.how != How::Len && held.any(|held| place::covers(held, &b.key)) {
                return Some((b, String::new()));
            }
            // `for i in 0..self.rows()`, which may read an array of it.
            let mut held = region.around.held.iter();
            let part = held.find(|held| place::covers(&b.key, held) && b.key != **held)?;
            Some((b, format!("`{part}` of ")))
        });
        if let Some((bound, part)) = on_device {
            let message = match &*part {
                "" => format!("a bound of this loop reads `{}`, which is on the device", bound.key),
                part => format!("a bound of this loop reads `{}`, and {part}it is on the device", bound.key),
            };
            sink.error_at(Code::BoundChanged, &bound.tokens, message)
                .note(None, "the iterations are counted by the host, whose copy may be old")
                .help("take the bound into a `let` before the loop");
            moved.push(bound.key.clone());
        }
    }
    for write in uses.body.iter().filter(|u| u.writes()) {
        let copied = place::any_covers(&clauses.private, &write.key)
            || place::any_covers(&clauses.firstprivate, &write.key);
        let depends = |b: &crate::sema::syntax::uses::Use| {
            let same = place::covers(&b.key, &write.key) || place::covers(&write.key, &b.key);
            same && if write.element { b.element } else { true } && !(b.how == How::Len && write.element)
        };
        // Run one after the other, the iterations would change what an inner loop's bounds see, though not the outermost one's.
        let seen = if copied { &uses.bounds[uses.outermost..] } else { &uses.bounds };
        if moved.contains(&write.key) || !seen.iter().any(depends) {
            continue;
        }
        let at = write.statement.clone().unwrap_or_else(|| write.tokens.clone());
        let message = format!("`{}` is a bound of the parallel loop, and the body changes it", write.key);
        sink.error_at(Code::BoundChanged, at, message)
            .note(Some(region.loops[0].var_span), "the iterations are counted here, before the loop runs")
            .help("use another variable, or test in the body whether the iteration has something to do");
        moved.push(write.key.clone());
    }
    moved
}

/// Reports bounds of inner collapsed loops that depend on outer variables other than as `a*i + b`.
pub fn affine(loops: &[LoopHead], sink: &mut Sink) {
    for (depth, head) in loops.iter().enumerate().skip(1) {
        if let Some(bad) = expressions(head).find_map(effect) {
            sink.error_at(Code::BoundNotAffine, bad, "under `collapse`, inner bounds are evaluated once for all outer iterations, and this call may have effects")
                .help("put its value in a variable before the loops, or leave the inner loop out of the `collapse`");
            continue;
        }
        let outer: Vec<String> =
            loops[..depth].iter().filter_map(|l| l.var.as_ref().map(ToString::to_string)).collect();
        if let Some(bad) = expressions(head).find(|e| degree(e, &outer).is_none_or(|d| d > 1)) {
            if names_element(bad, &outer) {
                element(bad, depth, sink);
                continue;
            }
            sink.error_at(Code::BoundNotAffine, bad, "under `collapse`, this bound depends on an outer variable other than affinely: the iterations cannot be counted")
                .help("inner bounds may be sums of constants, invariants and multiples of outer variables; otherwise leave the inner loop out of the `collapse`");
        }
    }
}

/// Reports a bound that depends on what stands in an array, inside of `depth` loops.
pub fn element(bound: impl quote::ToTokens, depth: usize, sink: &mut Sink) {
    sink.error_at(Code::BoundNotAffine, bound, "under `collapse`, this bound depends on an element that is different in each outer iteration, so the iterations can't be counted")
        .help(format!("leave the inner loop out: write `collapse({depth})`; a bound may depend on the number of the element (`for (i, v) in x.iter().enumerate()`)"));
}

/// The first part of a bound that may have effects or be another time another value.
pub(in crate::sema) fn effect(e: &Expr) -> Option<&Expr> {
    let our_own = |call: &Expr| matches!(call, Expr::Call(c) if matches!(&*c.func, Expr::Path(p) if private_name(&p.path).is_some()));
    effects::impure(e, &|call| effects::is_of_numbers(call) || our_own(call))
}

/// Whether evaluating a bound can't fail, so that it may be evaluated where no iteration needs it.
pub(in crate::sema) fn is_total(e: &Expr) -> bool {
    match strip(e) {
        Expr::Lit(_) | Expr::Path(_) => true,
        Expr::Cast(c) => is_total(&c.expr),
        Expr::Field(f) => is_total(&f.base),
        Expr::MethodCall(m) => m.method == "len" && m.args.is_empty() && is_total(&m.receiver),
        _ => false,
    }
}

/// The parts of a loop's bounds whose types have to show that an evaluation has no effects: subscripts, operators and methods of a
/// user's type could have some.
pub fn parts(head: &LoopHead) -> Vec<&Expr> {
    let mut parts = Vec::new();
    expressions(head).for_each(|e| collect(e, &mut parts));
    parts
}

fn collect<'e>(e: &'e Expr, parts: &mut Vec<&'e Expr>) {
    let e = strip(e);
    match e {
        Expr::Unary(u) => collect(&u.expr, parts),
        Expr::Reference(r) => collect(&r.expr, parts),
        // Only numbers and enums are cast, so a cast itself has no effects.
        Expr::Cast(c) => below(&c.expr, parts),
        Expr::Path(_) => parts.push(e),
        Expr::Field(_) => {
            parts.push(e);
            below(e, parts);
        }
        Expr::Index(x) => {
            parts.push(e);
            collect(&x.expr, parts);
            collect(&x.index, parts);
        }
        Expr::Binary(b) => {
            collect(&b.left, parts);
            collect(&b.right, parts);
        }
        Expr::Range(r) => {
            [&r.start, &r.end].into_iter().flatten().for_each(|e| collect(e, parts));
        }
        Expr::Tuple(t) => t.elems.iter().for_each(|e| collect(e, parts)),
        Expr::MethodCall(m) => {
            collect(&m.receiver, parts);
            m.args.iter().for_each(|e| collect(e, parts));
        }
        Expr::Call(c) => c.args.iter().for_each(|e| collect(e, parts)),
        _ => {}
    }
}

/// The same for the base of a place, if the base's own type doesn't matter: a struct's type may be any.
fn below<'e>(e: &'e Expr, parts: &mut Vec<&'e Expr>) {
    match strip(e) {
        Expr::Path(_) => {}
        Expr::Unary(u) if matches!(u.op, UnOp::Deref(_)) => below(&u.expr, parts),
        Expr::Field(f) => below(&f.base, parts),
        Expr::Index(x) => {
            collect(&x.expr, parts);
            collect(&x.index, parts);
        }
        other => collect(other, parts),
    }
}

/// 0: independent of the variables; 1: affine; `None`: neither.
fn degree(e: &Expr, outer: &[String]) -> Option<u32> {
    let e = strip(e);
    match e {
        Expr::Cast(c) => degree(&c.expr, outer),
        Expr::Unary(u) if matches!(u.op, UnOp::Neg(_)) => degree(&u.expr, outer),
        Expr::Path(p) => Some(u32::from(p.path.get_ident().is_some_and(|i| outer.iter().any(|o| i == o)))),
        Expr::Binary(b) => {
            let (l, r) = (degree(&b.left, outer)?, degree(&b.right, outer)?);
            match b.op {
                BinOp::Add(_) | BinOp::Sub(_) => Some(l.max(r)),
                BinOp::Mul(_) => (l + r <= 1).then_some(l + r),
                _ => (l + r == 0).then_some(0),
            }
        }
        _ if constant(e).is_some() => Some(0),
        _ => (!mentions_any(e, outer)).then_some(0),
    }
}

/// Whether one of the names stands in a subscript.
fn names_element(e: &Expr, names: &[String]) -> bool {
    search::any(e, |e| matches!(e, Expr::Index(x) if mentions_any(&x.index, names)))
}
