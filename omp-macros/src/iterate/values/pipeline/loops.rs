//! `for` loops over pipelines.
use super::tree::{Pipeline, Source, Step};
use crate::diag::Code;
use crate::iterate::loops::chain::{is_chain, is_place};
use crate::iterate::loops::walk::Walk;
use crate::iterate::tokens::made;
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::search;
use quote::{ToTokens, quote, quote_spanned};
use std::collections::HashSet;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprForLoop, Lifetime};

/// Gives the jumps of a loop's body labels: of what the loop becomes, and of the block for one item.
struct Jumps<'l> {
    /// The loop's label.
    own: Option<&'l Lifetime>,
    end: &'l Lifetime,
    next: &'l Lifetime,
    /// How many loops of the body are around.
    inner: usize,
    continues: bool,
}

impl Jumps<'_> {
    /// Whether a jump without a label, or with this one, is one of the loop's own.
    fn is_own(&self, label: Option<&Lifetime>) -> bool {
        if label.is_some() { label == self.own } else { self.inner == 0 }
    }

    fn inside(&mut self, visit: impl FnOnce(&mut Self)) {
        self.inner += 1;
        visit(self);
        self.inner -= 1;
    }
}

impl VisitMut for Jumps<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        match e {
            Expr::Break(b) if b.expr.is_none() && self.is_own(b.label.as_ref()) => {
                b.label = Some(self.end.clone());
            }
            Expr::Continue(c) if self.is_own(c.label.as_ref()) => {
                let next = self.next;
                self.continues = true;
                *e = made(quote_spanned!(c.span()=> break #next));
            }
            Expr::ForLoop(f) => {
                self.visit_expr_mut(&mut f.expr);
                self.inside(|jumps| jumps.visit_block_mut(&mut f.body));
            }
            Expr::While(w) => self.inside(|jumps| visit_mut::visit_expr_while_mut(jumps, w)),
            Expr::Loop(l) => self.inside(|jumps| visit_mut::visit_expr_loop_mut(jumps, l)),
            Expr::Closure(_) => {}
            e => visit_mut::visit_expr_mut(self, e),
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Whether an expression of adaptors, names and numbers has no call that could do anything else.
pub(super) fn gives_a_value(e: &Expr) -> bool {
    !search::any(e, |e| match e {
        Expr::Path(_)
        | Expr::Lit(_)
        | Expr::Paren(_)
        | Expr::Group(_)
        | Expr::Field(_)
        | Expr::Index(_)
        | Expr::Range(_)
        | Expr::Reference(_)
        | Expr::Unary(_)
        | Expr::Cast(_) => false,
        Expr::Binary(b) => crate::sema::reduction::updates::is_assignment(&b.op),
        // (How a name is iterated is not looked at.)
        Expr::MethodCall(m) if m.method == "into_iter" && m.args.is_empty() => !is_place(&m.receiver),
        Expr::MethodCall(m) => !is_chain(e, &|_| None) && m.method != "len" && m.method != "min",
        _ => true,
    })
}

impl Walk<'_> {
    /// A `for` over a chain with adaptors that have closures.
    pub(in crate::iterate) fn adapted_loop(&mut self, f: &ExprForLoop) -> Option<Expr> {
        if self.is_native(&f.expr) || !self.is_pipeline(&f.expr) {
            return None;
        }
        // `r.clone()` is a range as it stands.
        if matches!(strip(&f.expr), Expr::MethodCall(m) if m.method == "clone" && matches!(&*m.receiver, Expr::Path(_)))
        {
            return None;
        }
        self.pulls = true;
        let mut pipeline = self.pipeline(&f.expr)?;
        // A range under a name, say: nothing is written out.
        let text = |e: &Expr| e.to_token_stream().to_string();
        if let (Source::Counted { base, .. }, true) = (&pipeline.source, pipeline.steps.is_empty())
            && text(base) == text(&f.expr)
        {
            return None;
        }
        let mut stmts = f.body.stmts.clone();
        let changed = self.changed(&syn::parse_quote!({ #(#stmts)* }));
        self.keep_late(&mut pipeline, &changed);
        let (pat, span) = (&f.pat, f.expr.span());
        let mut body = if pipeline.is_several() {
            let (next, own) = (self.label(span), f.label.as_ref().map(|label| &label.name));
            let mut jumps = Jumps { own, end: &pipeline.label, next: &next, inner: 0, continues: false };
            stmts.iter_mut().for_each(|s| jumps.visit_stmt_mut(s));
            if jumps.continues { quote_spanned!(span=> #next: { #(#stmts)* }) } else { quote!(#(#stmts)*) }
        } else {
            quote!(#(#stmts)*)
        };
        let item = &pipeline.item;
        body = quote_spanned!(span=> let #pat = #item; #body);
        let (before, whole) = (&pipeline.before, pipeline.around(&body, f.label.as_ref(), span));
        Some(made(if before.is_empty() { whole } else { quote_spanned!(span=> { #(#before)* #whole }) }))
    }

    /// Later parts of a chain get their ranges and arguments before the items of the first part, if what is done with these changes them.
    pub(super) fn keep_late(&mut self, pipeline: &mut Pipeline, changed: &HashSet<String>) {
        let mut kept = Vec::new();
        for base in pipeline.read_late(changed) {
            if !self.keep_base(base, &mut kept) {
                let message = "a later part of the chain uses what changes in the loop";
                self.sink().error_at(Code::NotCanonical, &*base, message).help("write two loops");
            }
        }
        pipeline.before.extend(kept.into_iter().map(ToTokens::into_token_stream));
    }

    /// The head of a parallel loop with adaptors that have closures, or over options: what they do stands in its body. Whether it was one. What it
    /// goes through is evaluated twice, by the serial copy too, so nothing in it may do more than give a value.
    pub(in crate::iterate) fn adapted_head(&mut self, f: &mut ExprForLoop) -> bool {
        if self.is_native(&f.expr) || !self.is_pipeline(&f.expr) || matches!(&*f.expr, Expr::Path(_)) {
            return false;
        }
        let closures_alone = |e: &Expr| match e {
            Expr::MethodCall(m) => matches!(
                m.method.to_string().as_str(),
                "map" | "filter" | "filter_map" | "flatten" | "inspect" | "copied" | "cloned" | "enumerate"
            ),
            _ => true,
        };
        let mut head = &*f.expr;
        while let Expr::MethodCall(m) = head
            && !self.is_native(head)
        {
            if !closures_alone(head) {
                return false;
            }
            head = &m.receiver;
        }
        if !gives_a_value(head) {
            return false;
        }
        let Some(pipeline) = self.pipeline(&f.expr) else { return false };
        let each = |s: &Step| matches!(s, Step::Do(_) | Step::If(_));
        if !matches!(pipeline.source, Source::Counted { .. })
            || !pipeline.before.is_empty()
            || !pipeline.steps.iter().all(each)
        {
            return false;
        }
        let (pat, item, inner, span) = (&f.pat, &pipeline.item, &f.body.stmts, f.expr.span());
        let body = quote_spanned!(span=> let #pat = #item; #(#inner)*);
        let whole = pipeline.around(&body, f.label.as_ref(), span);
        let Ok(Expr::ForLoop(whole)) = syn::parse2(whole) else { return false };
        (f.pat, f.expr) = (whole.pat, whole.expr);
        f.body.stmts = whole.body.stmts;
        true
    }
}
