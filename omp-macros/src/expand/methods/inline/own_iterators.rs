//! Iterators of device types: a type with a declared `impl Iterator` becomes `std::iter::from_fn`, whose items are its `next`'s, where
//! a loop or a method of iterators takes it.
use super::Inline;
use super::expressions::made;
use crate::iterate::{is_adaptor, is_end};
use crate::parse::tokens::source::OF_CHAIN;
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::place;
use proc_macro2::Ident;
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::{Expr, ExprMethodCall};

/// The place that `&mut it` and `it.by_ref()` move on.
fn moved_on(e: &Expr) -> Option<&Expr> {
    match strip(e) {
        Expr::Reference(r) if r.mutability.is_some() => Some(&r.expr),
        Expr::MethodCall(m) if m.method == "by_ref" && m.args.is_empty() => Some(&m.receiver),
        _ => None,
    }
}

impl Inline<'_> {
    /// Whether a method is one of iterators, of a value whose type is one.
    pub(super) fn iterates_own(&self, m: &ExprMethodCall) -> bool {
        let of_iterators = is_adaptor(&m.method.to_string(), m.args.len())
            || is_end(m)
            || m.args.is_empty() && (m.method == "peekable" || m.method == "fuse");
        of_iterators && self.types.is_own_iterator(&m.receiver) && !self.types.is_own_method(m)
    }

    /// The items of such a value that a closure gives, which owns it.
    pub(super) fn items_of_own(&mut self, e: &mut Expr) {
        let (span, own) = (e.span(), Ident::new(&format!("{OF_CHAIN}{}_items", self.chains), e.span()));
        *e = made(
            quote_spanned!(span=> ::omp::__private::core::iter::from_fn({ let mut #own = #e; move || #own.next() })),
        );
        self.chains += 1;
        self.found = true;
    }

    /// The items of the receiver of a method: some methods move a variable on, others move it, or a copy of it.
    pub(super) fn items_of_receiver(&mut self, m: &mut ExprMethodCall) {
        const EXCLUSIVE: [&str; 8] =
            ["nth", "all", "any", "find", "find_map", "position", "try_fold", "try_for_each"];
        if EXCLUSIVE.iter().any(|name| m.method == name) && place::root(&m.receiver).is_some() {
            let place = &m.receiver;
            *m.receiver = made(quote_spanned!(m.receiver.span()=> &mut #place));
        }
        self.own_items(&mut m.receiver);
    }

    /// The items of such a value. What owns the iterator has a name in front of it ([`super::body::of_chain`]).
    pub(super) fn own_items(&mut self, e: &mut Expr) {
        let span = e.span();
        let items = |of: &dyn quote::ToTokens| quote_spanned!(span=> ::omp::__private::core::iter::from_fn(|| #of.next()));
        *e = made(if let Some(place) = moved_on(e) {
            items(place)
        } else {
            let own = Ident::new(&format!("{OF_CHAIN}{}_items", self.chains), span);
            let items = items(&own);
            quote_spanned!(span=> { let mut #own = #e; #items })
        });
        self.chains += 1;
        self.found = true;
    }
}
