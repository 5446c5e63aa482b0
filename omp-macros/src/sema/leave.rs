//! Nothing leaves a parallel loop but the end of an iteration: no `break`, `return`, `?`, nor a `continue` of an
//! outer loop.
use crate::ast::{InnerLoop, Region};
use crate::diag::{Code, Sink};
use proc_macro2::Span;
use syn::visit::{self, Visit};
use syn::{Expr, Label, Lifetime};

/// Checks a region.
pub fn check(region: &Region, sink: &mut Sink) {
    let labels = region.loops.iter().map(|l| l.label.as_ref().map(name)).collect();
    let mut walk = Leaves { sink, parallel: labels, inside: Open::default(), outermost: true };
    walk.visit_block(&region.body);
}

/// Checks an inner parallel loop: what leaves the outer one is reported there.
pub fn inner(inner: &InnerLoop, sink: &mut Sink) {
    let labels = inner.loops.iter().map(|l| l.label.as_ref().map(name)).collect();
    let mut walk = Leaves { sink, parallel: labels, inside: Open::default(), outermost: false };
    walk.visit_block(&inner.body);
}

/// The first `continue` that ends an iteration of the region's innermost loop.
pub fn ends_iteration(region: &Region) -> Option<Span> {
    struct Find(Open, Option<Span>);
    impl Find {
        fn within(&mut self, is_loop: bool, label: Option<&Label>, walk: impl FnOnce(&mut Self)) {
            self.0.enter(is_loop, label);
            walk(self);
            self.0.leave();
        }
    }
    impl<'ast> Visit<'ast> for Find {
        fn visit_expr(&mut self, e: &'ast Expr) {
            match e {
                Expr::ForLoop(f) => self.within(true, f.label.as_ref(), |w| w.visit_block(&f.body)),
                Expr::While(l) => self.within(true, l.label.as_ref(), |w| visit::visit_expr_while(w, l)),
                Expr::Loop(l) => self.within(true, l.label.as_ref(), |w| w.visit_block(&l.body)),
                Expr::Continue(c) if !self.0.stays(c.label.as_ref()) => {
                    self.1.get_or_insert(c.continue_token.span);
                }
                _ => visit::visit_expr(self, e),
            }
        }
        fn visit_item(&mut self, _: &'ast syn::Item) {}
    }
    let mut find = Find(Open::default(), None);
    find.visit_block(&region.body);
    find.1
}

struct Leaves<'a> {
    sink: &'a mut Sink,
    /// The loop is the region's own.
    outermost: bool,
    /// Labels of the parallel loops, outermost first.
    parallel: Vec<Option<String>>,
    /// What is open inside the body.
    inside: Open,
}

/// Loops and blocks around an expression: whether each is a loop, and its label.
#[derive(Default)]
pub struct Open(Vec<(bool, Option<String>)>);

impl Open {
    /// Enters a loop or block.
    pub fn enter(&mut self, is_loop: bool, label: Option<&Label>) {
        self.0.push((is_loop, label.map(name)));
    }

    /// Leaves what was entered last.
    pub fn leave(&mut self) {
        self.0.pop();
    }

    /// Whether a `break` or `continue` stays inside.
    pub fn stays(&self, label: Option<&Lifetime>) -> bool {
        match label {
            None => self.0.iter().any(|(is_loop, _)| *is_loop),
            Some(l) => self.0.iter().any(|(_, name)| name.as_deref() == Some(&l.ident.to_string())),
        }
    }
}

fn name(label: &Label) -> String {
    label.name.ident.to_string()
}

impl Leaves<'_> {
    fn within(&mut self, is_loop: bool, label: Option<&Label>, walk: impl FnOnce(&mut Self)) {
        self.inside.enter(is_loop, label);
        walk(self);
        self.inside.leave();
    }

    fn report(&mut self, what: &str, span: Span, help: &str) {
        let message = format!("`{what}` out of the parallel loop: other iterations are under way");
        self.sink.error(Code::LeavesLoop, span, message).help(help);
    }
}

impl<'ast> Visit<'ast> for Leaves<'_> {
    fn visit_expr(&mut self, e: &'ast Expr) {
        match e {
            Expr::ForLoop(f) => {
                self.visit_expr(&f.expr);
                self.within(true, f.label.as_ref(), |w| w.visit_block(&f.body));
            }
            Expr::While(l) => self.within(true, l.label.as_ref(), |w| visit::visit_expr_while(w, l)),
            Expr::Loop(l) => self.within(true, l.label.as_ref(), |w| visit::visit_expr_loop(w, l)),
            Expr::Block(b) => self.within(false, b.label.as_ref(), |w| visit::visit_expr_block(w, b)),
            Expr::Break(b) => {
                if !self.inside.stays(b.label.as_ref()) {
                    self.report(
                        "break",
                        b.break_token.span,
                        "let the iterations that have nothing to do `continue`",
                    );
                }
                visit::visit_expr_break(self, b);
            }
            Expr::Continue(c) => {
                let innermost = self.parallel.last().cloned().flatten();
                let own = c.label.as_ref().is_none_or(|l| innermost.as_deref() == Some(&l.ident.to_string()));
                if !own && !self.inside.stays(c.label.as_ref()) {
                    self.report(
                        "continue",
                        c.continue_token.span,
                        "only the innermost parallel loop can be continued",
                    );
                }
            }
            Expr::Return(_) | Expr::Try(_) if !self.outermost => {}
            Expr::Return(r) => {
                let help = "write the result to an array or reduce it (`reduction(min: first)`), and return after the loop";
                self.report("return", r.return_token.span, help);
                visit::visit_expr_return(self, r);
            }
            Expr::Try(t) => {
                let help = "`?` returns: handle the case in the body with `if let`, `match` or `unwrap_or`";
                self.report("?", t.question_token.spans[0], help);
                visit::visit_expr_try(self, t);
            }
            // Unsupported in a body, and what they contain leaves them, not the loop.
            Expr::Closure(_) | Expr::Async(_) => {}
            _ => visit::visit_expr(self, e),
        }
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}
