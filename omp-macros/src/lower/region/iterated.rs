//! Checks that `iter` and `iter_mut` of loops are the methods of slices: rustc decides.
use super::head::chain_key;
use crate::lower::cx::{Lower, Name, hidden};
use crate::parse::arguments;
use crate::sema::syntax::forms::strip;
use omp_ir::template::LocalKind;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote_spanned};
use syn::visit::Visit;

/// Calls of methods.
#[derive(Default)]
pub(in crate::lower) struct Methods(pub Vec<syn::ExprMethodCall>);

impl<'ast> Visit<'ast> for Methods {
    fn visit_expr_method_call(&mut self, m: &'ast syn::ExprMethodCall) {
        self.0.push(m.clone());
        syn::visit::visit_expr_method_call(self, m);
    }

    fn visit_macro(&mut self, m: &'ast syn::Macro) {
        for e in arguments(m).iter().flatten() {
            let mut inner = Methods::default();
            inner.visit_expr(e);
            self.0.append(&mut inner.0);
        }
    }
}

/// The first adaptor in the head of a loop.
#[derive(Default)]
pub(in crate::lower) struct Adaptors(Option<syn::Ident>);

impl Adaptors {
    const ALL: [&'static str; 6] = ["rev", "step_by", "enumerate", "zip", "copied", "cloned"];

    fn head(&mut self, e: &syn::Expr) {
        match strip(e) {
            syn::Expr::MethodCall(m) if Self::ALL.iter().any(|name| m.method == name) => {
                self.0.get_or_insert_with(|| m.method.clone());
            }
            _ => {}
        }
    }
}

impl<'ast> Visit<'ast> for Adaptors {
    fn visit_expr_for_loop(&mut self, f: &'ast syn::ExprForLoop) {
        self.head(&f.expr);
        syn::visit::visit_expr_for_loop(self, f);
    }
}

impl Lower {
    /// Checks that `.rev()` and its like in the heads of loops are those of std's `Iterator`. If that trait is in scope, they are, or
    /// rustc reports an ambiguity; if it isn't, under `no_implicit_prelude`, a trait of the user's may have all of them. The check calls
    /// a method that stands in a head, as a user's trait may have methods of these names for all iterators, and then a method that only
    /// std's trait has: the user's could return the same types.
    pub(in crate::lower) fn adaptors(&mut self, walk: impl FnOnce(&mut Adaptors)) {
        let mut found = Adaptors::default();
        walk(&mut found);
        if let Some(method) = found.0 {
            let span = hidden(method.span());
            let args = match method.to_string().as_str() {
                "zip" => quote_spanned!(span=> ::omp::__private::StdIterator),
                "step_by" => quote_spanned!(span=> 1),
                _ => TokenStream::new(),
            };
            self.checks.extend(quote_spanned!(span=>
                let _ = ::omp::__private::StdIterator.#method(#args).max_by_key(|_| 0u8);
            ));
        }
    }

    /// Records what is iterated by `iter` and `iter_mut`, as the user wrote it.
    pub(in crate::lower) fn iterates(&mut self, walk: impl FnOnce(&mut Methods)) {
        let mut methods = Methods::default();
        walk(&mut methods);
        let iterates =
            |m: &syn::ExprMethodCall| (m.method == "iter" || m.method == "iter_mut") && m.args.is_empty();
        self.iterated = methods.0.into_iter().filter(iterates).collect();
    }

    /// Checks that the `iter` of each captured array is the slice's: the host's serial loop calls it.
    pub(super) fn heads_iterate(&mut self) {
        let Some(captured) = &self.captured else { return };
        let is_captured = |m: &syn::ExprMethodCall| {
            chain_key(&m.receiver).is_some_and(|key| captured.array_id(&key).is_some())
        };
        let calls: Vec<_> = self.iterated.iter().filter(|m| is_captured(m)).cloned().collect();
        let queries = self.iter_of_slices(calls);
        self.checks.extend(queries);
    }

    /// The checks of [`Self::iter_of_slices`] for a place whose length is needed.
    pub(in crate::lower) fn iterated_too(&mut self, place: &syn::Expr) -> TokenStream {
        if self.iterated.is_empty() {
            return TokenStream::new();
        }
        let text = |e: &syn::Expr| crate::marks::unmarked(e).to_token_stream().to_string();
        let own = text(place);
        // Another variable of the name may be one that changes.
        let fixed = match self.lookup(&own) {
            Some(Name::Local(local)) => {
                let local = &self.code.locals[local.index()];
                !local.mutable && local.kind != LocalKind::Slice
            }
            _ => false,
        };
        let calls =
            self.iterated.iter().filter(|m| text(&m.receiver) == own && !(fixed && m.method == "iter_mut"));
        let calls = calls.cloned().collect();
        self.iter_of_slices(calls)
    }

    /// Statements of the typing copy that check that these `iter` and `iter_mut` are those of slices: a trait of the user's could
    /// have methods of the names, which the host's serial loop would call.
    pub(super) fn iter_of_slices(&mut self, calls: Vec<syn::ExprMethodCall>) -> TokenStream {
        let mut out = TokenStream::new();
        for call in calls {
            let (method, span) = (call.method.clone(), hidden(call.method.span()));
            let kind = if method == "iter" { "OfSlices" } else { "SwapOfSlices" };
            let mut query = syn::Expr::MethodCall(call);
            self.probe_slices(&mut query, &method, 0, kind);
            out.extend(quote_spanned!(span=> let _ = #query;));
        }
        out
    }
}
