//! Early exits from a parallel loop, which are errors: `break`, `return`, `?`, and `continue` of an outer loop.
use crate::ast::{InnerLoop, LoopHead};
use crate::diag::{Code, Sink};
use crate::parse::tokens::source::as_written;
use crate::sema::CheckedRegion;
use crate::sema::syntax::jumps::{self, Open};
use crate::sema::syntax::place;
use proc_macro2::Span;
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Expr, Label};

/// Checks a region. Returns what it assigns right before it leaves: the result of a search, of which no more is said.
pub fn check(region: &CheckedRegion, sink: &mut Sink) -> Vec<String> {
    let mut walk = Leaves { known: Some(&region.labels), outermost: true, ..Leaves::of(&region.loops, sink) };
    walk.visit_block(&region.body);
    walk.found
}

/// Checks an inner parallel loop: what leaves the outer one is reported there.
pub fn inner(inner: &InnerLoop, sink: &mut Sink) {
    Leaves::of(&inner.loops, sink).visit_block(&inner.body);
}

/// The first `continue` that ends an iteration of the region's innermost loop.
pub fn ends_iteration(region: &CheckedRegion) -> Option<Span> {
    jumps::out_of(&region.body).into_iter().find_map(|e| match e {
        Expr::Continue(c) => Some(c.continue_token.span),
        _ => None,
    })
}

struct Leaves<'a> {
    sink: &'a mut Sink,
    /// The loop is the region's own.
    outermost: bool,
    /// Labels of the parallel loops, outermost first.
    parallel: Vec<Option<String>>,
    /// The labels of the function, where they are known.
    known: Option<&'a [String]>,
    /// The constructs that are open inside the body.
    inside: Open,
    /// Places that are assigned right before the loop is left.
    found: Vec<String>,
    /// The help of the next error, where the loop searches.
    search: Option<String>,
}

fn name(label: &Label) -> String {
    label.name.ident.to_string()
}

impl<'a> Leaves<'a> {
    /// The search for what leaves an inner parallel loop.
    fn of(loops: &[LoopHead], sink: &'a mut Sink) -> Self {
        Self {
            sink,
            outermost: false,
            parallel: loops.iter().map(|l| l.label.as_ref().map(name)).collect(),
            known: None,
            inside: Open::default(),
            found: Vec::new(),
            search: None,
        }
    }

    /// A jump to a label that is declared nowhere, which rustc reports.
    fn goes_nowhere(&mut self, label: Option<&syn::Lifetime>) -> bool {
        let (Some(label), Some(known)) = (label, self.known) else { return false };
        let declared = known.iter().any(|k| label.ident == k);
        if !declared {
            let message = format!("the label `{label}` is not declared");
            self.sink.of_rustc(Code::LeavesLoop, label.apostrophe, message);
        }
        !declared
    }

    fn report(&mut self, what: &str, span: Span, help: &str) {
        let message = format!("`{what}` out of the parallel loop: other iterations are under way");
        let help = self.search.take().unwrap_or_else(|| help.to_owned());
        self.sink.error(Code::LeavesLoop, span, message).help(help);
    }

    /// Whether an expression leaves the parallel loop.
    fn is_left_by(&self, e: &Expr) -> bool {
        match e {
            Expr::Break(b) => !self.inside.stays(b.label.as_ref()),
            Expr::Return(_) => self.outermost,
            _ => false,
        }
    }

    /// `at = i; break;`: one mistake, which is reported at the exit of the loop.
    fn searches(&mut self, stmts: &[syn::Stmt]) {
        let leaves = |s: &syn::Stmt| matches!(s, syn::Stmt::Expr(e, _) if self.is_left_by(e));
        let Some(end) = stmts.iter().position(leaves) else { return };
        let assigned = stmts[..end].iter().rev().map_while(|s| match s {
            syn::Stmt::Expr(Expr::Assign(a), Some(_)) => {
                let place = place::of(&a.left).filter(|p| p.subscripts.is_empty())?;
                Some((place.key, &*a.right))
            }
            _ => None,
        });
        let assigned: Vec<_> = assigned.collect();
        self.search = assigned.last().map(|(key, value)| match value {
            Expr::Lit(syn::ExprLit { lit: syn::Lit::Bool(b), .. }) => {
                let (op, start) = if b.value { ("||", "false") } else { ("&&", "true") };
                format!(
                    "let all iterations search: start with `{key} = {start}`, add `reduction({op}: {key})` to the directive, and write `{key} = {key} {op} …;` with the condition"
                )
            }
            value => {
                let value = as_written(&value.to_token_stream());
                format!(
                    "let all iterations search, and the first find count: add `reduction(min: {key})` to the directive and write `{key} = {key}.min({value});`"
                )
            }
        });
        self.found.extend(assigned.into_iter().map(|(key, _)| key));
    }
}

impl<'ast> Visit<'ast> for Leaves<'_> {
    fn visit_block(&mut self, b: &'ast syn::Block) {
        self.searches(&b.stmts);
        visit::visit_block(self, b);
    }

    fn visit_expr(&mut self, e: &'ast Expr) {
        match e {
            Expr::ForLoop(f) => {
                self.visit_expr(&f.expr);
                let entered = self.inside.enter(e);
                self.visit_block(&f.body);
                self.inside.leave(entered);
            }
            Expr::While(_) | Expr::Loop(_) | Expr::Block(_) => {
                let entered = self.inside.enter(e);
                visit::visit_expr(self, e);
                self.inside.leave(entered);
            }
            Expr::Break(b) => {
                if !self.inside.stays(b.label.as_ref()) && !self.goes_nowhere(b.label.as_ref()) {
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
                if !own && !self.inside.stays(c.label.as_ref()) && !self.goes_nowhere(c.label.as_ref()) {
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
