//! Clauses that contradict each other, and constants that are out of range.
use crate::ast::{Directive, DirectiveKind, Evaluated, LoopHead, Number, RangeAdaptor};
use crate::diag::{Code, Sink};
use crate::parse::clause::shares;
use crate::sema::syntax::forms::strip;
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
    if let Some(collapse) = c.collapse.as_ref().filter(|c| c.value == 0) {
        sink.error(Code::OutOfRange, collapse.span, "`collapse(0)` leaves no loop to run in parallel")
            .help("the number of loops is at least 1");
    }
    for clause in &c.evaluated {
        let Some(least) = clause.what.least() else { continue };
        let below = clause.values.iter().filter_map(constant).filter(|value| *value < least);
        for value in below {
            let (message, help) = out_of_range(clause, value, least);
            sink.error(Code::OutOfRange, clause.span, message).help(help);
        }
    }
    if let (Some(block), Some(tile)) = (c.number(Number::Block), c.number(Number::Tile)) {
        sink.error(
            Code::Contradiction,
            tile.span,
            "`block` and `tile` both say which iterations a team takes",
        )
        .note(Some(block.span), "the `block` is here")
        .help("leave one of them");
    }
}

fn out_of_range(clause: &Evaluated, value: i128, least: i128) -> (String, String) {
    let name = clause.name;
    let message = match clause.what {
        Number::Block | Number::Tile => format!("`{name}` with a side of {value}: the least is {least}"),
        Number::Chunk | Number::TeamChunk => format!("`{name}` with chunks of {value} iterations"),
        _ => format!("`{name}({value})`: the least value is {least}"),
    };
    let help = match clause.what {
        Number::Device => "devices count from 0, as `omp::devices()` lists them; the host is `device(omp::get_initial_device())`".to_owned(),
        Number::Block | Number::Tile => {
            format!("give `{name}` integers of at least {least}, or leave the clause out")
        }
        Number::Chunk | Number::TeamChunk => "a chunk has at least 1 iteration".to_owned(),
        Number::Unroll => {
            format!("give `{name}` an integer of at least {least}, or none for as much as the compiler can")
        }
        _ => format!("give `{name}` an integer of at least {least}, or leave the clause out"),
    };
    (message, help)
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
    match strip(e) {
        Expr::Lit(l) => match &l.lit {
            Lit::Int(i) => i.base10_parse().ok(),
            _ => None,
        },
        Expr::Unary(u) if matches!(u.op, UnOp::Neg(_)) => constant(&u.expr).map(|v| -v),
        _ => None,
    }
}
