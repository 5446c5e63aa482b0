//! Private arrays of which data decides whether an iteration assigns what it reads: a flag beside each element says so while the
//! region runs. The flags are ordinary variables and the checks ordinary statements of the body, so that they mean the same on the
//! host and on devices.
use super::copies::hidden;
use super::place::{strip_parens, unmarked};
use crate::ast::{Region, Scan};
use crate::sema::copies::{Checked, mark};
use crate::sema::nesting::number;
use crate::sema::place;
use crate::sema::scope::{self, Scopes};
use proc_macro2::TokenStream;
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Stmt};

/// Gives a region's body the flags of these copies.
pub(super) fn insert(region: &mut Region, copies: &[Checked]) {
    region.checked = true;
    let mut body = region.body.clone();
    for (n, copy) in copies.iter().enumerate() {
        let mut flags = Flags { n, copy, hidden: Vec::new(), inside: copy.nest.is_none() };
        flags.visit_block_mut(&mut body);
        if copy.nest.is_none() {
            let at = if region.scan.is_some() { Scan::AHEAD } else { 0 };
            flags.declare(&mut body, at);
        }
    }
    region.body = body;
}

struct Flags<'a> {
    n: usize,
    copy: &'a Checked,
    /// Names that stand for something else.
    hidden: Vec<String>,
    /// In the loop whose iterations have the copy.
    inside: bool,
}

impl Flags<'_> {
    fn declare(&self, body: &mut Block, at: usize) {
        let (place, span) = (&self.copy.place, self.copy.place.span());
        let set = hidden("set", self.n, span);
        let set = quote_spanned!(span=> let mut #set = ::omp::__private::assigned(&#place, false););
        body.stmts.insert(at, syn::parse2(set).expect("a statement"));
    }

    /// Whether the iteration has assigned an element, or that it has.
    fn element(&self, index: &Expr, reads: bool, span: proc_macro2::Span) -> Expr {
        let (set, at) = (hidden("set", self.n, span), hidden("at", self.n, span));
        let does = if reads { self.check(&at, span) } else { quote_spanned!(span=> #set[#at] = true;) };
        let tokens = quote_spanned! {span=> {
            let #at: usize = #index;
            if #at < #set.len() {
                #does
            }
            #at
        }};
        syn::parse2(tokens).expect("an expression")
    }

    fn check(&self, at: &syn::Ident, span: proc_macro2::Span) -> TokenStream {
        let set = hidden("set", self.n, span);
        let text = format!(
            "`{0}[{{}}]` is read, but this iteration has not assigned it: `{0}` is `{1}`",
            self.copy.key, self.copy.clause
        );
        quote_spanned!(span=> if !#set[#at] { ::omp::__private::core::panic!(#text, #at); })
    }

    /// The same of all elements of a slice.
    fn elements(&self, range: &mut syn::ExprRange, span: proc_macro2::Span) {
        let (set, at) = (hidden("set", self.n, span), hidden("at", self.n, span));
        let check = self.check(&at, span);
        let (from, to) = (hidden("from", self.n, span), hidden("to", self.n, span));
        let limits = &range.limits;
        let lo = range.start.as_deref().map(|lo| quote_spanned!(span=> #lo));
        let lo = lo.unwrap_or_else(|| quote_spanned!(span=> 0usize));
        let hi = match &range.end {
            Some(hi) => quote_spanned!(span=> #hi),
            None => quote_spanned!(span=> #set.len()),
        };
        let end = quote_spanned! {span=> {
            let #from: usize = #lo;
            let #to: usize = #hi;
            for #at in #from #limits #to {
                if #at < #set.len() {
                    #check
                }
            }
            #to
        }};
        range.end = Some(Box::new(syn::parse2(end).expect("an expression")));
    }
}

/// The body of the innermost of so many loops.
fn innermost(f: &mut syn::ExprForLoop, loops: usize) -> Option<&mut Block> {
    if loops <= 1 {
        return Some(&mut f.body);
    }
    f.body.stmts.iter_mut().find_map(|s| match s {
        Stmt::Expr(Expr::ForLoop(next), _) => innermost(next, loops - 1),
        _ => None,
    })
}

impl Scopes for Flags<'_> {
    fn hidden(&mut self) -> &mut Vec<String> {
        &mut self.hidden
    }
}

impl VisitMut for Flags<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if let Expr::ForLoop(f) = e
            && let Some((nest, loops)) = self.copy.nest
            && number(&f.attrs) == Some(nest)
        {
            self.inside = true;
            visit_mut::visit_expr_mut(self, e);
            self.inside = false;
            if let Expr::ForLoop(f) = e
                && let Some(body) = innermost(f, loops)
            {
                self.declare(body, 0);
            }
            return;
        }
        visit_mut::visit_expr_mut(self, e);
        match e {
            Expr::Index(x) => {
                let span = unmarked(&x.expr).span();
                let Some(use_) =
                    x.attrs.iter().find_map(mark).and_then(|access| self.copy.subscripts.get(&access))
                else {
                    return;
                };
                if let Expr::Range(r) = strip_parens(&x.index) {
                    let mut r = r.clone();
                    self.elements(&mut r, span);
                    *x.index = Expr::Range(r);
                } else {
                    *x.index = self.element(&x.index, *use_, span);
                }
            }
            Expr::Assign(a) if self.inside => {
                let key = place::scalar_key(&a.left).filter(|key| *key == self.copy.key);
                if key.is_some_and(|key| !self.hidden.iter().any(|name| place::covers(name, &key))) {
                    let (place, span) = (&self.copy.place, a.left.span());
                    let set = hidden("set", self.n, span);
                    *e = syn::parse_quote!({ #e; #set = ::omp::__private::assigned(&#place, true); });
                }
            }
            _ => {}
        }
    }

    scope::visits!();

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
