//! Destructuring assignments. `(a, x[i], ..) = e` is rewritten to `{ let (l, m, ..) = e; a = l; x[i] = m; }`, as Rust
//! defines it. So only assignments to single places are lowered.
use crate::lower::generated_names::Made;
use crate::parse::tokens::leaves::idents;
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::{effects, place};
use crate::visits;
use omp_ir::method::Method;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Token};

/// Rewrites the destructuring assignments of a block.
pub(in crate::lower) fn destructure(b: &mut syn::Block) {
    let mut destructure = Destructure { fresh: 0 };
    visits::change(b, |e| {
        if let Some(apart) = destructure.apart(e) {
            *e = apart;
        }
    });
}

struct Destructure {
    fresh: usize,
}

/// `(a, b) = (x, y);` as `a = x; b = y;`, if no value and no place depends on what is assigned before it: these may be updates.
fn one_by_one(a: &syn::ExprAssign) -> Option<Expr> {
    let (Expr::Tuple(places), Expr::Tuple(values)) = (strip(&a.left), strip(&a.right)) else { return None };
    let pairs: Vec<(&Expr, &Expr)> = places.elems.iter().zip(&values.elems).collect();
    if pairs.len() != places.elems.len() || places.elems.len() != values.elems.len() {
        return None;
    }
    let mut assigned: Vec<String> = Vec::new();
    for (left, value) in &pairs {
        let free = |name: String| !assigned.contains(&name);
        let names = idents(left.to_token_stream()).chain(idents(value.to_token_stream()));
        if !is_place(left) || !names.map(|name| name.to_string()).all(free) {
            return None;
        }
        // (Another value may change what a place is made of, or leave the statement.)
        let of_numbers = |e: &Expr| matches!(e, Expr::MethodCall(m) if Method::is_name(&m.method.to_string(), m.args.len() + 1));
        if !effects::is_pure(value, &of_numbers) {
            return None;
        }
        assigned.extend(place::root(left).map(ToString::to_string));
    }
    let each = pairs.iter().map(|(left, value)| quote_spanned!(left.span()=> #left = #value;));
    Some(syn::parse_quote_spanned!(a.span()=> { #(#each)* }))
}

/// Whether the left side is one place, or `_`.
fn is_place(left: &Expr) -> bool {
    !matches!(strip(left), Expr::Tuple(_) | Expr::Array(_) | Expr::Struct(_) | Expr::Call(_))
}

impl Destructure {
    /// The assignments of the parts, if the expression is an assignment of several.
    fn apart(&mut self, e: &Expr) -> Option<Expr> {
        let Expr::Assign(a) = e else { return None };
        if is_place(&a.left) {
            return None;
        }
        one_by_one(a).or_else(|| {
            let mut stores = Vec::new();
            let pat = self.pattern(&a.left, &mut stores)?;
            let (span, value) = (a.span(), &a.right);
            Some(syn::parse_quote_spanned!(span=> { let #pat = #value; #(#stores)* }))
        })
    }

    /// The pattern that a left side stands for, and the assignments of its parts; `None` where it is none.
    fn pattern(&mut self, left: &Expr, stores: &mut Vec<syn::Stmt>) -> Option<proc_macro2::TokenStream> {
        let span = left.span();
        Some(match strip(left) {
            Expr::Infer(_) => quote!(_),
            Expr::Range(r) if r.start.is_none() && r.end.is_none() => quote!(..),
            Expr::Tuple(t) => {
                let parts = self.patterns(t.elems.iter(), stores)?;
                quote!((#(#parts,)*))
            }
            Expr::Array(a) => {
                let parts = self.patterns(a.elems.iter(), stores)?;
                quote!([#(#parts,)*])
            }
            Expr::Call(c) => {
                let (path, parts) = (&c.func, self.patterns(c.args.iter(), stores)?);
                quote!(#path(#(#parts,)*))
            }
            Expr::Struct(s) if s.rest.is_none() => {
                let path = &s.path;
                let rest = s.dot2_token.map(|_| quote!(..));
                let mut fields = Vec::new();
                for f in &s.fields {
                    let (member, part) = (&f.member, self.pattern(&f.expr, stores)?);
                    fields.push(quote!(#member: #part));
                }
                quote!(#path { #(#fields,)* #rest })
            }
            _ => {
                let semi = Token![;](span);
                self.fresh += 1;
                let name = Made::Stored.name(self.fresh, span);
                let tokens = quote_spanned!(span=> #left = #name);
                stores.push(syn::Stmt::Expr(syn::parse2(tokens).ok()?, Some(semi)));
                quote!(#name)
            }
        })
    }

    fn patterns<'e>(
        &mut self,
        list: impl Iterator<Item = &'e Expr>,
        stores: &mut Vec<syn::Stmt>,
    ) -> Option<Vec<proc_macro2::TokenStream>> {
        list.map(|e| self.pattern(e, stores)).collect()
    }
}
