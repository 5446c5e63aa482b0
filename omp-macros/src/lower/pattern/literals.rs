//! The types of literals in patterns.
//!
//! A literal in a pattern can't be wrapped in a slot. If the literal is the whole pattern, the slot sees the subject.
//! For a deeper literal, a second pattern of the subject binds the value in its place, and the slot sees that value.
use crate::lower::cx::Lower;
use crate::lower::expr::place::strip_parens;
use crate::lower::expr::wrapped;
use crate::lower::generated_names::Made;
use crate::marks;
use omp_ir::ids::SlotId;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;

/// Puts a pattern for a part into one for the whole.
type Around<'a> = &'a dyn Fn(TokenStream) -> TokenStream;

impl Lower {
    /// Asks for the types of the literals in patterns that the value of `e` is held against.
    pub(super) fn ask_literals(&mut self, e: &mut syn::Expr, pats: &mut [&mut syn::Pat]) {
        let span = e.span();
        if pats.iter().any(|p| stands_for_all(p)) {
            let slot = self.ask(e, "pass", span);
            pats.iter_mut().for_each(|p| mark(p, slot));
        }
        let subject = self.fresh(Made::Subject, span);
        let mut questions = Vec::new();
        for p in pats.iter_mut() {
            self.parts_of(p, &|part| part, &mut questions);
        }
        if !questions.is_empty() {
            let questions = questions.iter().map(|(pat, see)| quote!(if let #pat = #subject { #see }));
            *e = wrapped(quote!(let #subject = #e; #(#questions)* #subject), span);
        }
    }

    /// The questions about the parts of a pattern: what binds the place of a literal, and what asks for its type.
    fn parts_of(&mut self, p: &mut syn::Pat, around: Around<'_>, out: &mut Vec<(TokenStream, TokenStream)>) {
        match p {
            syn::Pat::Paren(p) => self.parts_of(&mut p.pat, around, out),
            syn::Pat::Type(p) => self.parts_of(&mut p.pat, around, out),
            syn::Pat::Reference(r) => self.parts_of(&mut r.pat, &|part| around(quote!(&#part)), out),
            syn::Pat::Ident(i) => {
                if let Some((_, p)) = &mut i.subpat {
                    self.parts_of(p, around, out);
                }
            }
            syn::Pat::Or(o) => o.cases.iter_mut().for_each(|c| self.parts_of(c, around, out)),
            syn::Pat::Tuple(t) => self.list(&mut t.elems, &|list| around(quote!((#list))), out),
            syn::Pat::TupleStruct(t) => {
                let path = &t.path;
                self.list(&mut t.elems, &|list| around(quote!(#path(#list))), out);
            }
            syn::Pat::Slice(s) => self.list(&mut s.elems, &|list| around(quote!([#list])), out),
            syn::Pat::Struct(s) => {
                let path = &s.path;
                for f in &mut s.fields {
                    let member = &f.member;
                    self.part(&mut f.pat, &|part| around(quote!(#path { #member: #part, .. })), out);
                }
            }
            _ => {}
        }
    }

    /// The parts of a tuple, tuple struct or array pattern.
    fn list(
        &mut self,
        elems: &mut Punctuated<syn::Pat, syn::Token![,]>,
        around: Around<'_>,
        out: &mut Vec<(TokenStream, TokenStream)>,
    ) {
        let others: Vec<TokenStream> =
            elems.iter().map(|p| if is_rest(p) { quote!(..) } else { quote!(_) }).collect();
        for (i, p) in elems.iter_mut().enumerate() {
            let (before, after) = (&others[..i], &others[i + 1..]);
            self.part(p, &|part| around(quote!(#(#before,)* #part, #(#after,)*)), out);
        }
    }

    fn part(&mut self, p: &mut syn::Pat, around: Around<'_>, out: &mut Vec<(TokenStream, TokenStream)>) {
        if stands_for_all(p) {
            let span = p.span();
            let ident = self.fresh(Made::Part, span);
            let (slot, ask) = self.slot(span);
            mark(p, slot);
            out.push((around(quote!(#ident)), quote_spanned!(span=> #ask.see_any(&#ident);)));
        }
        self.parts_of(p, around, out);
    }
}

/// `..`, also under a name.
pub(super) fn is_rest(p: &syn::Pat) -> bool {
    match p {
        syn::Pat::Rest(_) => true,
        syn::Pat::Ident(i) => i.subpat.as_ref().is_some_and(|(_, p)| is_rest(p)),
        _ => false,
    }
}

/// A literal or range whose type the tokens don't show.
fn is_literal(p: &syn::Pat) -> bool {
    let open = |e: &syn::Expr| match strip_parens(e) {
        syn::Expr::Lit(l) => unsuffixed(&l.lit),
        syn::Expr::Unary(u) => matches!(&*u.expr, syn::Expr::Lit(l) if unsuffixed(&l.lit)),
        _ => false,
    };
    match p {
        syn::Pat::Lit(l) => unsuffixed(&l.lit),
        syn::Pat::Range(r) => [&r.start, &r.end].into_iter().flatten().any(|e| open(e)),
        _ => false,
    }
}

fn unsuffixed(lit: &syn::Lit) -> bool {
    match lit {
        syn::Lit::Int(i) => i.suffix().is_empty(),
        syn::Lit::Float(f) => f.suffix().is_empty(),
        _ => false,
    }
}

/// Whether such a literal stands for all of what the pattern is held against.
fn stands_for_all(p: &syn::Pat) -> bool {
    match p {
        syn::Pat::Lit(_) | syn::Pat::Range(_) => is_literal(p),
        syn::Pat::Paren(p) => stands_for_all(&p.pat),
        syn::Pat::Type(p) => stands_for_all(&p.pat),
        syn::Pat::Reference(p) => stands_for_all(&p.pat),
        syn::Pat::Ident(i) => i.subpat.as_ref().is_some_and(|(_, p)| stands_for_all(p)),
        syn::Pat::Or(o) => o.cases.iter().any(stands_for_all),
        _ => false,
    }
}

/// Marks the literals that stand for all with the slot's id.
fn mark(p: &mut syn::Pat, slot: SlotId) {
    let span = p.span();
    match p {
        syn::Pat::Lit(l) => l.attrs.push(marks::mark(&slot, span)),
        syn::Pat::Range(r) => r.attrs.push(marks::mark(&slot, span)),
        syn::Pat::Paren(p) => mark(&mut p.pat, slot),
        syn::Pat::Type(p) => mark(&mut p.pat, slot),
        syn::Pat::Reference(p) => mark(&mut p.pat, slot),
        syn::Pat::Ident(i) => {
            if let Some((_, p)) = &mut i.subpat {
                mark(p, slot);
            }
        }
        syn::Pat::Or(o) => o.cases.iter_mut().for_each(|c| mark(c, slot)),
        _ => {}
    }
}

/// Takes the slot's id off again.
pub(super) fn take_slot(p: &mut syn::Pat) -> Option<SlotId> {
    match p {
        syn::Pat::Lit(l) => marks::take(&mut l.attrs),
        syn::Pat::Range(r) => marks::take(&mut r.attrs),
        _ => None,
    }
}
