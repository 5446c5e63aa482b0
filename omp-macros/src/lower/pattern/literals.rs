//! The types of literals and of variants without data in patterns.
//!
//! A literal in a pattern can't be wrapped in a slot. If the literal is the whole pattern, the slot sees the subject. For
//! a deeper literal, a second pattern of the subject binds the value in its place, and the slot sees that value. A
//! variant without data is a const, whose value the host evaluates elsewhere. If its enum is generic, only the subject
//! determines the type parameters, so the slot of the variant sees the subject, too.
use crate::lower::call::probe::first_of;
use crate::lower::cx::Lower;
use crate::lower::expr::place::is_capital;
use crate::lower::expr::wrapped;
use crate::lower::generated_names::Made;
use crate::marks;
use crate::sema::syntax::forms::strip;
use omp_ir::ids::SlotId;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;

/// Puts a pattern for a part into one for the whole.
type Around<'a> = &'a dyn Fn(TokenStream) -> TokenStream;

impl Lower {
    /// Queries the types of the literals in patterns that the value of `e` is matched against.
    pub(super) fn query_literals(&mut self, e: &mut syn::Expr, pats: &mut [&mut syn::Pat]) {
        let span = e.span();
        if pats.iter().any(|p| stands_for_all(p)) {
            let (start, end) = crate::diag::ends(&e.to_token_stream());
            let slot = self.query(e, "pass", span);
            // (rustc's errors about the value are the same as about the host's.)
            *e = syn::Expr::Verbatim(first_of(quote!(#e,), start, end));
            pats.iter_mut().for_each(|p| mark(p, slot));
        }
        let subject = self.fresh(Made::Subject, span);
        let whole = pats.iter().any(|p| is_variant(p)).then(|| {
            let (slot, query) = self.slot(span);
            pats.iter_mut().filter(|p| is_variant(p)).for_each(|p| mark(p, slot));
            see_value(&subject, &query)
        });
        let mut questions = Vec::new();
        for p in pats.iter_mut() {
            self.parts_of(p, &|part| part, &mut questions);
        }
        if whole.is_some() || !questions.is_empty() {
            let questions = questions.iter().map(|(pat, see)| quote!(if let #pat = #subject { #see }));
            *e = wrapped(quote!(let #subject = #e; #whole #(#questions)* #subject), span);
        }
    }

    /// The type queries for the parts of a pattern: the pattern that binds the place of a literal, and the statement that queries its type.
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
            let (slot, query) = self.slot(span);
            mark(p, slot);
            out.push((around(quote!(#ident)), quote_spanned!(span=> #query.see_any(&#ident);)));
        }
        if is_variant(p) {
            let span = p.span();
            let ident = self.fresh(Made::Part, span);
            let (slot, query) = self.slot(span);
            mark(p, slot);
            out.push((around(quote!(#ident)), see_value(&ident, &query)));
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
    let open = |e: &syn::Expr| match strip(e) {
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

/// Whether the path of what may be a variant without data stands for all of it.
fn is_variant(p: &syn::Pat) -> bool {
    match p {
        syn::Pat::Path(p) => p.qself.is_none() && variant_path(&p.path),
        syn::Pat::Ident(i) if i.subpat.is_none() => variant_path(&i.ident.clone().into()),
        syn::Pat::Ident(i) => i.subpat.as_ref().is_some_and(|(_, p)| is_variant(p)),
        syn::Pat::Paren(p) => is_variant(&p.pat),
        syn::Pat::Type(p) => is_variant(&p.pat),
        syn::Pat::Reference(p) => is_variant(&p.pat),
        syn::Pat::Or(o) => o.cases.iter().any(is_variant),
        _ => false,
    }
}

/// A path that may be that of a variant, by its spelling: `Slot::Empty`, `Empty`. Consts are spelled `LIMIT`; for others, the
/// query does no harm.
pub(in crate::lower) fn variant_path(path: &syn::Path) -> bool {
    let mut segments = path.segments.iter().rev();
    let spelled = segments.next().is_some_and(|s| {
        s.ident != "None" && is_capital(&s.ident) && s.ident.to_string().contains(char::is_lowercase)
    });
    spelled && segments.next().is_none_or(|s| is_capital(&s.ident) && s.arguments.is_none())
}

/// Has a slot see the type of a value, through references.
fn see_value(value: &syn::Ident, slot: &crate::lower::Caught) -> TokenStream {
    quote_spanned!(slot.name().span()=> (&&&::omp::__private::W(&#value)).omp_see_value(#slot);)
}

/// Marks the literals and variants that stand for all with the slot's id.
fn mark(p: &mut syn::Pat, slot: SlotId) {
    let span = p.span();
    match p {
        syn::Pat::Lit(l) => l.attrs.push(marks::mark(&slot, span)),
        syn::Pat::Range(r) => r.attrs.push(marks::mark(&slot, span)),
        syn::Pat::Path(p) => p.attrs.push(marks::mark(&slot, span)),
        syn::Pat::Paren(p) => mark(&mut p.pat, slot),
        syn::Pat::Type(p) => mark(&mut p.pat, slot),
        syn::Pat::Reference(p) => mark(&mut p.pat, slot),
        syn::Pat::Ident(i) => match &mut i.subpat {
            Some((_, p)) => mark(p, slot),
            None => i.attrs.push(marks::mark(&slot, span)),
        },
        syn::Pat::Or(o) => o.cases.iter_mut().for_each(|c| mark(c, slot)),
        _ => {}
    }
}

/// Takes the slot's id off again.
pub(super) fn take_slot(p: &mut syn::Pat) -> Option<SlotId> {
    let attrs = match p {
        syn::Pat::Lit(l) => &mut l.attrs,
        syn::Pat::Range(r) => &mut r.attrs,
        syn::Pat::Path(p) => &mut p.attrs,
        syn::Pat::Ident(i) => &mut i.attrs,
        _ => return None,
    };
    marks::take(attrs)
}
