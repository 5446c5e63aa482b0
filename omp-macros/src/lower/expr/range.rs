//! `(a..b).contains(&x)`: two comparisons.
use crate::lower::call::mangled;
use crate::lower::cx::{Lower, Value};
use crate::sema::syntax::forms::{strip, strip_mut};
use omp_ir::ids::ExprId;
use omp_ir::template::{BinOp, Expr};
use quote::quote_spanned;
use syn::spanned::Spanned;

impl Lower {
    /// The value of `range.contains(&x)` where the range is written out; `None` of other calls.
    pub(in crate::lower) fn range_contains(&mut self, e: &mut syn::Expr) -> Option<Value> {
        let (span, src) = (e.span(), self.src(e.span()));
        let syn::Expr::MethodCall(m) = &mut *e else { return None };
        let syn::Expr::Range(range) = strip(&m.receiver) else { return None };
        if m.method != "contains" || m.args.len() != 1 || (range.start.is_none() && range.end.is_none()) {
            return None;
        }
        let most = if matches!(range.limits, syn::RangeLimits::Closed(_)) { BinOp::Le } else { BinOp::Lt };
        let (has_start, has_end) = (range.start.is_some(), range.end.is_some());
        let syn::Expr::Range(range) = strip_mut(&mut m.receiver) else { unreachable!("seen above") };
        let operands = [range.start.as_deref_mut(), range.end.as_deref_mut(), m.args.first_mut()];
        let Some(mut values) = self.values(operands.into_iter().flatten(), Self::argument) else {
            return Some(None);
        };
        // A `&mut` parameter by its name stands for the value that it refers to.
        if let Some(x) = values.last_mut()
            && let Expr::Borrow(place) = &self.code.exprs[x.index()].expr
        {
            let (place, src) = (place.clone(), self.src(span));
            *x = self.expr(Expr::Load(place), src);
        }
        // In Rust all are computed before they are compared.
        for value in &mut values {
            if !self.is_stable(*value) {
                *value = self.temp("bound", *value);
            }
        }
        let mut x = values.pop().expect("the argument is the last");
        // It is used twice: nested `contains` calls would double it at each depth.
        if has_start
            && has_end
            && !matches!(self.code.exprs[x.index()].expr, Expr::Load(_) | Expr::Int { .. })
        {
            x = self.temp("tested", x);
        }
        let mut tests: Vec<ExprId> = Vec::new();
        let mut bounds = values.into_iter();
        if has_start && let Some(start) = bounds.next() {
            let x = self.copy(x);
            tests.push(self.expr(Expr::Binary(BinOp::Le, start, x), src));
        }
        if has_end && let Some(end) = bounds.next() {
            tests.push(self.expr(Expr::Binary(most, x, end), src));
        }
        let (call, method) = (self.call("contains", m.method.span(), true, None).1, m.method.clone());
        m.method = mangled(&method);
        m.args.push(syn::Expr::Verbatim(quote_spanned!(span=> #call)));
        self.probe(e, false, &method, 1, &call);
        let all = tests.into_iter().reduce(|a, b| self.expr(Expr::Binary(BinOp::And, a, b), src));
        Some(all)
    }
}
