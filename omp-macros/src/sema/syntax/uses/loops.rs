//! Uses of variables in the loops of a body.
use super::walk::Walk;
use syn::visit::Visit;
use syn::{Expr, ExprForLoop, ExprWhile};

impl Walk {
    /// A loop of any kind.
    pub(super) fn any_loop(&mut self, e: &Expr) {
        match e {
            Expr::While(l) => self.while_loop(l),
            Expr::ForLoop(l) => self.for_loop(l),
            Expr::Loop(l) => self.visit_block(&l.body),
            _ => unreachable!("called with a loop"),
        }
    }

    fn while_loop(&mut self, l: &ExprWhile) {
        self.scoped(|w| {
            w.visit_expr(&l.cond);
            w.visit_block(&l.body);
        });
    }

    fn for_loop(&mut self, l: &ExprForLoop) {
        self.visit_expr(&l.expr);
        let nest = self.nest(&l.attrs);
        nest.into_iter().for_each(|n| self.start_nest(n));
        self.scoped(|w| {
            w.bind(&l.pat);
            let copies = nest.map(|n| w.nests[n].copies.clone()).unwrap_or_default();
            copies.into_iter().for_each(|name| w.bind_name(name));
            w.visit_block(&l.body);
        });
        nest.into_iter().for_each(|n| self.end_nest(n));
    }
}
