//! Canonical loops: a `for` over a range, and as many perfectly nested loops as `collapse` says.
use crate::ast::{Directive, LoopHead};
use crate::diag::{Code, Sink};
use crate::parse::loop_nest::{self, NotCounted};
use syn::{Block, ExprForLoop};

/// The heads of the parallel loops and the body of the innermost; `None` when something was reported.
pub fn nest(outer: &ExprForLoop, directive: &Directive, sink: &mut Sink) -> Option<(Vec<LoopHead>, Block)> {
    // `collapse(0)` is reported with the other clauses ([`crate::sema::clauses::combine`]).
    let wanted = directive.clauses.collapse.as_ref().map_or(1, |c| c.value.max(1));
    let span = directive.clauses.collapse.as_ref().map_or(directive.span, |c| c.span);
    let mut heads = Vec::new();
    let mut current = outer;
    loop {
        heads.push(counted(current, sink)?);
        let have = heads.len();
        if have == wanted as usize {
            return Some((heads, current.body.clone()));
        }
        if let Some(inner) = loop_nest::only_loop(&current.body) {
            current = inner;
        } else if let Some((_, between)) = loop_nest::next_to_loop(&current.body) {
            sink.error_at(
                Code::NotPerfect,
                &between,
                format!("`collapse({wanted})` needs nested loops with nothing between them, but this is next to the inner loop"),
            )
            .help(format!("move it into the inner loop, or write `collapse({have})`"));
            return None;
        } else {
            let loops = if have == 1 { "loop" } else { "loops" };
            sink.error(
                Code::CollapseTooDeep,
                span,
                format!("`collapse({wanted})` on a nest of {have} {loops}"),
            )
            .help(format!("write `collapse({have})`, or nest {wanted} loops directly"));
            return None;
        }
    }
}

/// The head of one loop, or a report of the problem with it.
fn counted(f: &ExprForLoop, sink: &mut Sink) -> Option<LoopHead> {
    match loop_nest::head(f) {
        Ok(head) => Some(head),
        Err(NotCounted { what, at, help }) => {
            if !sink.has_error_in(&f.expr) && !sink.has_error_in(&f.pat) {
                sink.error_at(Code::NotCanonical, at, what).help(help);
            }
            None
        }
    }
}
