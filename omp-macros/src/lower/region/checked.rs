//! Run-time checks of private copies: if data decides whether an iteration assigns the elements that it reads, each
//! element has a flag. If data decides whether the last iteration assigns the `lastprivate` value, the copy has one flag.
//! The flags are ordinary variables and the checks ordinary statements of the body, so they mean the same on the host and
//! on devices.
use super::copies::hidden;
use crate::marks::{marked, unmarked};
use crate::parse::loop_nest::innermost;
use crate::sema::CheckedRegion;
use crate::sema::accesses::copies::{Checked, Touch};
use crate::sema::clauses::lastprivate::Last;
use crate::sema::loops::nesting::number;
use crate::sema::scan::Scan;
use crate::sema::syntax::forms::{strip, strip_mut};
use crate::sema::syntax::place;
use crate::sema::syntax::scope;
use crate::sema::syntax::scope::Scopes;
use omp_ir::ids::AccessId;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::parse::Parser;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Stmt};

/// Gives a region's body the flags of these copies.
pub(in crate::lower) fn insert(region: &mut CheckedRegion, copies: &[Checked]) {
    let mut body = region.body.clone();
    // The statements of a scan before those of the body remain in front.
    let mut all: Vec<Stmt> =
        body.stmts.drain(..if region.scan.is_some() { Scan::PREFIX } else { 0 }).collect();
    for (n, copy) in copies.iter().enumerate() {
        let is_own = |last: &&Last| place::scalar_key(&last.place).as_ref() == Some(&copy.key);
        let kept = region.lasts.iter().find(is_own).filter(|_| copy.depth == 0).map(|last| &last.array);
        let inside = copy.nest.is_none();
        let mut flags = Flags { n, copy, kept, rows: Vec::new(), hidden: Vec::new(), inside };
        flags.visit_block_mut(&mut body);
        if copy.nest.is_none() {
            flags.declare(&mut body);
        }
    }
    all.append(&mut body.stmts);
    region.body.stmts = all;
}

struct Flags<'a> {
    n: usize,
    copy: &'a Checked,
    /// The array of the values that the last iteration leaves, if they depend on the flag.
    kept: Option<&'a Ident>,
    /// The variables that keep subscripts.
    rows: Vec<Ident>,
    /// Names that stand for something else.
    hidden: Vec<String>,
    /// In the loop whose iterations have the copy.
    inside: bool,
}

impl Flags<'_> {
    fn declare(&self, body: &mut Block) {
        let span = self.copy.place.span();
        let (set, flags) = (hidden("set", self.n, span), self.flags(false, span));
        let rows = self.rows.iter().map(|row| quote_spanned!(span=> let mut #row = 0usize;));
        let stmts = quote_spanned!(span=> #(#rows)* let mut #set = #flags;);
        let stmts = Block::parse_within.parse2(stmts).expect("these tokens are statements");
        body.stmts.splice(..0, stmts);
    }

    /// The flags of all elements.
    fn flags(&self, all: bool, span: Span) -> TokenStream {
        let place = &self.copy.place;
        let each = match self.copy.depth {
            0 => return quote_spanned!(span=> #all),
            1 => quote_spanned!(span=> #all),
            _ => quote_spanned!(span=> ::omp::__private::assigned(&#place[0], #all)),
        };
        quote_spanned!(span=> ::omp::__private::assigned(&#place, #each))
    }

    /// A subscript that sets the element's flag, or tests it. `row` has the subscript before.
    fn element(&self, index: &Expr, row: Option<&Ident>, touch: Touch, span: Span) -> Expr {
        let at = hidden("index", self.n, span);
        let does = self.does(&at, row, touch, span);
        let tokens = quote_spanned!(span=> { let #at: usize = #index; #does #at });
        syn::parse2(tokens).expect("an expression")
    }

    /// The update or test of an element's flag. If there is no such element, the array's own check reports that.
    fn does(&self, at: &Ident, row: Option<&Ident>, touch: Touch, span: Span) -> TokenStream {
        let set = hidden("set", self.n, span);
        let row_is = row.map(|row| quote_spanned!(span=> [#row]));
        let Checked { key, clause, .. } = self.copy;
        let text = format!(
            "`{key}{}` is read, but this iteration has not assigned it: `{key}` is `{clause}`",
            if row.is_some() { "[{}][{}]" } else { "[{}]" }
        );
        let does = match touch {
            Touch::Write => quote_spanned!(span=> #set #row_is[#at] = true;),
            Touch::Read => {
                let row = row.map(|row| quote_spanned!(span=> #row,));
                quote_spanned! {span=>
                    if !#set #row_is[#at] { ::omp::__private::core::panic!(#text, #row #at); }
                }
            }
        };
        let does = quote_spanned!(span=> if #at < #set #row_is.len() { #does });
        match row {
            Some(row) => quote_spanned!(span=> if #row < #set.len() { #does }),
            None => does,
        }
    }

    /// The same for all elements of a slice.
    fn elements(&self, range: &mut syn::ExprRange, row: Option<&Ident>, span: Span) {
        let (set, at) = (hidden("set", self.n, span), hidden("index", self.n, span));
        let row_is = row.map(|row| quote_spanned!(span=> [#row]));
        let does = self.does(&at, row, Touch::Read, span);
        let (from, to) = (hidden("from", self.n, span), hidden("to", self.n, span));
        let limits = &range.limits;
        let start = range.start.take().map_or_else(|| syn::parse_quote!(0), |lo| *lo);
        let end = match range.end.take() {
            Some(hi) => hi.to_token_stream(),
            None => quote_spanned!(span=> #set #row_is.len()),
        };
        // The start comes before the end, and may change what that is made of.
        let start = quote_spanned!(span=> { #from = #start; #from });
        let end = quote_spanned! {span=> {
            let #to: usize = #end;
            for #at in #from #limits #to { #does }
            #to
        }};
        range.start = Some(Box::new(syn::parse2(start).expect("an expression")));
        range.end = Some(Box::new(syn::parse2(end).expect("an expression")));
    }

    /// A subscript of the array, and the one before it where elements have two.
    fn subscript(&mut self, x: &mut syn::ExprIndex, access: AccessId, touch: Touch) {
        let span = unmarked(&x.expr).span();
        let mut row = None;
        if self.copy.depth == 2 {
            let Expr::Index(before) = strip_mut(&mut x.expr) else { return };
            let name = hidden("row", access.index(), span);
            let index = &before.index;
            let kept = quote_spanned!(span=> { #name = #index; #name });
            *before.index = syn::parse2(kept).expect("an expression");
            self.keep(name.clone());
            row = Some(name);
        }
        match strip(&x.index) {
            Expr::Range(r) => {
                let mut r = r.clone();
                self.elements(&mut r, row.as_ref(), span);
                self.keep(hidden("from", self.n, span));
                *x.index = Expr::Range(r);
            }
            index => *x.index = self.element(index, row.as_ref(), touch, span),
        }
    }

    fn keep(&mut self, name: Ident) {
        if !self.rows.contains(&name) {
            self.rows.push(name);
        }
    }

    /// Whether this is where the last iteration leaves the copy.
    fn keeps(&self, left: &Expr) -> bool {
        let Expr::Index(x) = left else { return false };
        self.kept.is_some_and(|kept| matches!(&*x.expr, Expr::Path(p) if p.path.is_ident(kept)))
    }

    fn is_copy(&self, e: &Expr) -> bool {
        let key = place::scalar_key(e).filter(|key| *key == self.copy.key);
        self.inside && key.is_some_and(|key| !self.hidden.iter().any(|name| place::covers(name, &key)))
    }
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
                self.declare(body);
            }
            return;
        }
        visit_mut::visit_expr_mut(self, e);
        match e {
            Expr::Index(x) => {
                let access = marked(&x.attrs);
                let known = access.and_then(|a| Some((a, *self.copy.subscripts.get(&a)?)));
                if let Some((access, touch)) = known {
                    self.subscript(x, access, touch);
                }
            }
            Expr::MethodCall(m) if m.method == "swap" && self.copy.swaps && self.is_copy(&m.receiver) => {
                let span = m.receiver.span();
                m.args.iter_mut().for_each(|index| *index = self.element(index, None, Touch::Read, span));
            }
            Expr::Assign(a) if self.is_copy(&a.left) => {
                let span = a.left.span();
                let (set, all) = (hidden("set", self.n, span), self.flags(true, span));
                *e = syn::parse_quote!({ #e; #set = #all; });
            }
            Expr::Assign(a) if self.keeps(&a.left) => {
                let (span, key) = (self.copy.place.span(), &self.copy.key);
                let set = hidden("set", self.n, span);
                let text = format!(
                    "the last iteration does not assign `{key}`, which is `lastprivate`: its value after the loop would be an earlier iteration's"
                );
                let tokens =
                    quote_spanned!(span=> { if !#set { ::omp::__private::core::panic!(#text); } #e });
                *e = syn::parse2(tokens).expect("an expression");
            }
            _ => {}
        }
    }

    scope::visits!();

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
