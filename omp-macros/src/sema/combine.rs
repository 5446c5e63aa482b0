//! Clauses against each other and against what numbers they can hold.
use crate::ast::{Directive, DirectiveKind, LoopHead, RangeAdaptor, Spanned};
use crate::diag::{Code, Sink};
use crate::parse::clause::shares;
use syn::{Expr, Lit, UnOp};

/// Checks the clauses of one directive.
pub fn check(directive: &Directive, loops: &[LoopHead], sink: &mut Sink) {
    ranges(directive, sink);
    steps(loops, sink);
    let c = &directive.clauses;
    let waits = directive.kind == DirectiveKind::Taskwait;
    if let (Some(depend), None, false) = (c.depend.first(), &c.nowait, waits) {
        sink.error(
            Code::DependWithoutNowait,
            depend.span,
            "`depend` without `nowait`: only tasks have dependences",
        )
        .help("add `nowait` to make the loop a task, or remove `depend`");
    }
    if shares(&c.disjoint, &c.trust_disjoint)
        && let Some(item) = c.trust_disjoint.first()
    {
        let message = format!("`disjoint({0})` and `unsafe(disjoint({0}))` contradict each other", item.key);
        sink.error(Code::Contradiction, item.span, message)
            .help("`disjoint` checks while running, `unsafe(disjoint)` trusts you: leave one");
    }
    if let (Some(all), Some(item)) = (&c.unchecked_all, c.unchecked.first()) {
        let message = format!("`unchecked` without names includes `unchecked({})`", item.key);
        sink.error(Code::Contradiction, all.span, message).help("leave one of them");
    }
}

/// Constants that a clause cannot mean.
fn ranges(directive: &Directive, sink: &mut Sink) {
    let c = &directive.clauses;
    let at_least = |name: &str, least: i128, clause: &Option<Spanned<Expr>>, sink: &mut Sink| {
        let Some(clause) = clause else { return };
        if let Some(value) = constant(&clause.value)
            && value < least
        {
            sink.error(
                Code::OutOfRange,
                clause.span,
                format!("`{name}({value})`: the least that it can mean is {least}"),
            )
            .help(match name {
                "device" => "devices count from 0, as `omp::devices()` lists them; the host is `device(omp::get_initial_device())`".into(),
                _ => format!("give `{name}` an integer of at least {least}, or leave the clause out"),
            });
        }
    };
    at_least("num_teams", 1, &c.num_teams, sink);
    at_least("thread_limit", 1, &c.thread_limit, sink);
    at_least("num_threads", 1, &c.num_threads, sink);
    at_least("simdlen", 1, &c.simdlen, sink);
    at_least("device", 0, &c.device, sink);
    at_least("vector", 1, &c.vector, sink);
    let lists = [("block", &c.block), ("tile", &c.tile)];
    let lists = lists.into_iter().filter_map(|(name, c)| c.as_ref().map(|c| (name, c.span, c.value.iter())));
    for (name, span, values) in lists {
        for value in values.filter_map(constant).filter(|v| *v < 1) {
            sink.error(Code::OutOfRange, span, format!("`{name}` with a side of {value}: the least is 1"))
                .help(format!("give `{name}` integers of at least 1, or leave the clause out"));
        }
    }
    if let Some(unroll) = &c.unroll
        && let Some(value) = unroll.value.as_ref().and_then(constant)
        && value < 1
    {
        sink.error(
            Code::OutOfRange,
            unroll.span,
            format!("`unroll({value})`: the least that it can mean is 1"),
        )
        .help("give `unroll` an integer of at least 1, or none for as much as the compiler can");
    }
    if let (Some(block), Some(tile)) = (&c.block, &c.tile) {
        sink.error(
            Code::Contradiction,
            tile.span,
            "`block` and `tile` both say which iterations a team takes",
        )
        .note(Some(block.span), "the `block` is here")
        .help("leave one of them");
    }
    for (name, schedule) in [("schedule", &c.schedule), ("dist_schedule", &c.dist_schedule)] {
        if let Some(s) = schedule
            && let Some(value) = s.value.1.as_ref().and_then(constant)
            && value < 1
        {
            sink.error(Code::OutOfRange, s.span, format!("`{name}` with chunks of {value} iterations"))
                .help("a chunk has at least 1 iteration");
        }
    }
}

/// `.step_by(0)` panics in Rust.
fn steps(loops: &[LoopHead], sink: &mut Sink) {
    for adaptor in loops.iter().flat_map(|l| &l.adaptors) {
        if let RangeAdaptor::StepBy(step) = adaptor
            && constant(step) == Some(0)
        {
            sink.error_at(Code::OutOfRange, step, "`.step_by(0)` never ends").help("a step is at least 1");
        }
    }
}

/// The value of an integer literal, also a negative one.
pub fn constant(e: &Expr) -> Option<i128> {
    match e {
        Expr::Lit(l) => match &l.lit {
            Lit::Int(i) => i.base10_parse().ok(),
            _ => None,
        },
        Expr::Unary(u) if matches!(u.op, UnOp::Neg(_)) => constant(&u.expr).map(|v| -v),
        Expr::Paren(p) => constant(&p.expr),
        Expr::Group(g) => constant(&g.expr),
        _ => None,
    }
}
