//! Loops of a body: which variables are certainly assigned after them.
use super::forms::surely_runs;
use super::walk::Walk;
use super::{Written, join};
use crate::sema::place::Step;
use syn::visit::Visit;
use syn::{Expr, ExprForLoop, ExprWhile};

impl Walk {
    /// A loop of any kind.
    pub(super) fn any_loop(&mut self, e: &Expr) {
        match e {
            Expr::While(l) => self.loop_(e, |w| w.while_loop(l)),
            Expr::ForLoop(l) => self.for_loop(l, e),
            Expr::Loop(l) => self.loop_(e, |w| {
                w.written = w.in_loop(l.label.as_ref(), |w| w.visit_block(&l.body)).exits;
            }),
            _ => unreachable!("called with a loop"),
        }
    }

    fn while_loop(&mut self, l: &ExprWhile) {
        self.scoped(|w| {
            let (mut left, mut before) = (None, None);
            let frame = w.in_loop(l.label.as_ref(), |w| {
                w.visit_expr(&l.cond);
                // The condition may leave the loop, too: `'a: while { if c { break 'a } … } {}`.
                left = w.frames.last().and_then(|f| f.exits.clone());
                before.clone_from(&w.written);
                w.visit_block(&l.body);
            });
            let rounds = frame.ends(w.written.take());
            w.behind_loop(before, rounds, false);
            w.written = join(w.written.take(), left);
        });
    }

    fn for_loop(&mut self, l: &ExprForLoop, e: &Expr) {
        self.visit_expr(&l.expr);
        let nest = self.nest(&l.attrs);
        nest.into_iter().for_each(|n| self.start_nest(n));
        let before = self.written.clone();
        self.loop_(e, |w| {
            w.scoped(|w| {
                w.bind(&l.pat);
                let copies = w.nest(&l.attrs).map(|n| w.nests[n].copies.clone()).unwrap_or_default();
                copies.into_iter().for_each(|name| w.bind_name(name));
                let frame = w.in_loop(l.label.as_ref(), |w| w.visit_block(&l.body));
                w.written = frame.ends(w.written.take());
            });
        });
        let rounds = self.written.take();
        self.behind_loop(before, rounds, surely_runs(&l.expr));
        nest.into_iter().for_each(|n| self.end_nest(n));
    }

    /// Behind a loop: `before` it, and at the ends of its `rounds`. One that may have none is taken to write the paths
    /// that its rounds write at subscripts that are no numbers.
    fn behind_loop(&mut self, before: Written, rounds: Written, runs: bool) {
        self.written = match (before, rounds) {
            (before, Some(rounds)) if runs || before.is_some() => {
                let somewhere = |k: &[Step]| k.iter().any(|step| matches!(step, Step::Somewhere(_)));
                let mut written = before.unwrap_or_default();
                written.extend(rounds.into_iter().filter(|k| runs || somewhere(k)));
                Some(written)
            }
            (_, None) if runs => None,
            (before, _) => before,
        };
    }
}
