//! Matches a loop's pattern with the item of an iteration.
use super::chain::Item;
use crate::diag::{Code, Sink};
use crate::iterate::tokens::{made, moved_expr};
use crate::parse::primitives::is_primitive;
use crate::parse::tokens::leaves::mentions;
use crate::sema::syntax::names::Names;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Ident, Pat};

/// The bindings of a pattern.
#[derive(Default)]
pub struct Bound {
    /// Names that stand for items.
    pub items: Vec<(Ident, Item)>,
    /// Patterns and the values that they take: `let`s at the head of the body.
    pub lets: Vec<(Pat, Expr)>,
}

/// Holds a pattern against an item. Reports what a loop's pattern can't be.
pub fn bind(pat: &Pat, item: Item, out: &mut Bound, sink: &mut Sink) -> Option<()> {
    match (pat, item) {
        (Pat::Wild(_), _) => Some(()),
        (Pat::Paren(p), item) => bind(&p.pat, item, out, sink),
        (Pat::Reference(r), Item::Ref(inner)) => bind(&r.pat, *inner, out, sink),
        // What a reference's type says follows from what it refers to. (Of an array that is written out, it may say more.)
        (Pat::Type(t), Item::Element { place, mutable }) => {
            out.lets.extend(typed(&t.ty, &place));
            bind(&t.pat, Item::Element { place, mutable }, out, sink)
        }
        (Pat::Type(t), item @ (Item::Tuple(_) | Item::Ref(_))) => bind(&t.pat, item, out, sink),
        // Through a reference, a pattern binds references.
        (pat @ (Pat::Tuple(_) | Pat::TupleStruct(_) | Pat::Struct(_) | Pat::Slice(_)), Item::Ref(inner)) => {
            bind(pat, through(*inner), out, sink)
        }
        (pat, Item::Value(value)) => {
            out.lets.push((pat.clone(), moved_expr(&value, pat.span())));
            Some(())
        }
        (Pat::Ident(p), item) if p.subpat.is_none() && p.by_ref.is_none() && p.mutability.is_none() => {
            out.items.push((p.ident.clone(), item));
            Some(())
        }
        // `s @ Segment { a, b }` of a reference: a name for it, and names for its parts.
        (Pat::Ident(p), item) if p.by_ref.is_none() && p.mutability.is_none() && !item.is_exclusive() => {
            let (_, parts) = p.subpat.as_ref()?;
            out.items.push((p.ident.clone(), item.clone()));
            bind(parts, item, out, sink)
        }
        (Pat::Reference(r), Item::Element { place, mutable: _ }) => {
            out.lets.push(((*r.pat).clone(), moved_expr(&place, r.span())));
            Some(())
        }
        (Pat::Tuple(t), Item::Tuple(items)) => {
            let rest = t.elems.iter().any(is_rest);
            let named = t.elems.len() - usize::from(rest);
            if named > items.len() || (!rest && named < items.len()) {
                let message = format!("a pattern of {named} parts for an item of {}", items.len());
                sink.of_rustc(Code::UnsupportedPattern, t.span(), message)
                    .help("`zip` gives pairs: `for ((a, b), c) in x.iter().zip(y.iter()).zip(z.iter())`");
                return None;
            }
            for (pat, item) in parts(t.elems.iter(), items.len()).into_iter().zip(items) {
                if let Some(pat) = pat {
                    bind(pat, item, out, sink)?;
                }
            }
            Some(())
        }
        (Pat::Tuple(t), Item::Element { place, mutable }) => {
            fields(t.elems.iter(), &place, mutable, out, sink)
        }
        (Pat::TupleStruct(t), Item::Element { place, mutable }) => {
            fields(t.elems.iter(), &place, mutable, out, sink)
        }
        (Pat::Struct(s), Item::Element { place, mutable }) => {
            for f in &s.fields {
                let (member, span) = (&f.member, f.span());
                let place = made(quote_spanned!(span=> #place.#member));
                bind(&f.pat, Item::Element { place, mutable }, out, sink)?;
            }
            Some(())
        }
        (Pat::Slice(s), Item::Element { place, mutable }) => {
            let (len, rest) = (s.elems.len(), s.elems.iter().position(is_rest));
            for (i, pat) in s.elems.iter().enumerate().filter(|(_, p)| !is_rest(p)) {
                let index = if rest.is_some_and(|rest| i > rest) {
                    let from_end = len - i;
                    quote_spanned!(pat.span()=> #place.len() - #from_end)
                } else {
                    quote_spanned!(pat.span()=> #i)
                };
                let place = made(quote_spanned!(pat.span()=> #place[#index]));
                bind(pat, Item::Element { place, mutable }, out, sink)?;
            }
            Some(())
        }
        (pat, _) => {
            sink.error_at(Code::UnsupportedPattern, pat, "a loop's pattern can't be this")
                .help("name the parts (`for (i, v) in x.iter().enumerate()`), take values by `&v`, or take them apart in the body");
            None
        }
    }
}

/// A pattern on a reference binds references to the parts.
fn through(item: Item) -> Item {
    match item {
        Item::Ref(inner) => through(*inner),
        Item::Tuple(items) => Item::Tuple(items.into_iter().map(|i| Item::Ref(Box::new(i))).collect()),
        Item::Value(place) => Item::Element { place, mutable: false },
        item @ Item::Element { .. } => item,
    }
}

fn is_rest(p: &Pat) -> bool {
    matches!(p, Pat::Rest(_))
}

/// The pattern of each of `n` parts; `None` under `..`.
fn parts<'p>(pats: impl ExactSizeIterator<Item = &'p Pat>, n: usize) -> Vec<Option<&'p Pat>> {
    let left_out = (n + 1).saturating_sub(pats.len());
    let mut all = Vec::new();
    for p in pats {
        if is_rest(p) {
            all.extend(std::iter::repeat_n(None, left_out));
        } else {
            all.push(Some(p));
        }
    }
    all
}

/// The numbered fields of a place.
fn fields<'p>(
    pats: impl ExactSizeIterator<Item = &'p Pat> + Clone,
    place: &Expr,
    mutable: bool,
    out: &mut Bound,
    sink: &mut Sink,
) -> Option<()> {
    let last = pats.len().saturating_sub(1);
    if let Some((_, rest)) = pats.clone().enumerate().find(|(i, p)| is_rest(p) && *i != last) {
        sink.error_at(Code::UnsupportedPattern, rest, "`..` before the last place of a loop's pattern")
            .help("name the parts with `_`");
        return None;
    }
    for (i, pat) in pats.enumerate().filter(|(_, p)| !is_rest(p)) {
        let member = syn::Index { index: i as u32, span: pat.span() };
        let place = made(quote_spanned!(pat.span()=> #place.#member));
        bind(pat, Item::Element { place, mutable }, out, sink)?;
    }
    Some(())
}

/// The variables that a pattern binds; capitals are consts.
pub fn names(pat: &Pat) -> Vec<Ident> {
    Names::of_pattern(pat).bound.into_iter().map(|p| p.ident.clone()).collect()
}

/// Whether a name in a pattern is a variant's: `None`. (Variables are written in upper case, too: `N`.)
pub fn is_variant(name: &Ident) -> bool {
    let name = name.to_string();
    name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase)
}

/// The patterns of single elements.
pub fn elements(s: &syn::PatSlice) -> impl Iterator<Item = &Pat> {
    s.elems
        .iter()
        .filter(|pat| !matches!(pat, Pat::Rest(_) | Pat::Ident(syn::PatIdent { subpat: Some(_), .. })))
}

/// The names among them that may be assigned.
pub fn changing(pat: &Pat) -> Vec<String> {
    let mutable = Names::of_pattern(pat).bound.into_iter().filter(|p| p.mutability.is_some());
    mutable.map(|p| p.ident.to_string()).collect()
}

/// Whether a pattern names the parts of a value.
pub fn takes_parts(pat: &Pat) -> bool {
    matches!(pat, Pat::Slice(_) | Pat::Tuple(_) | Pat::TupleStruct(_) | Pat::Struct(_))
}

/// The name of a pattern that is one.
pub fn plain_name(pat: &Pat) -> Option<&Ident> {
    variable(pat).filter(|_| matches!(pat, Pat::Ident(p) if p.mutability.is_none()))
}

/// The name of a pattern that is one, `mut` or not.
pub fn variable(pat: &Pat) -> Option<&Ident> {
    match pat {
        Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => Some(&p.ident),
        _ => None,
    }
}

/// The names of `rest @ ..` in a pattern.
pub fn rests(pat: &Pat) -> Vec<String> {
    let is_rest =
        |p: &&&syn::PatIdent| matches!(&p.subpat, Some((_, inner)) if matches!(**inner, Pat::Rest(_)));
    Names::of_pattern(pat).bound.iter().filter(is_rest).map(|p| p.ident.to_string()).collect()
}

/// One `let` for several patterns, so that no name of one is seen by the value of another. A tuple holds no references: these have
/// one each.
pub fn declared(lets: Vec<(Pat, Expr)>) -> Vec<syn::Stmt> {
    let seen = |n: usize| {
        let value = lets[n].1.to_token_stream();
        let before = lets[..n].iter().flat_map(|(pat, _)| names(pat));
        before.into_iter().any(|name| mentions(value.clone(), &name.to_string()))
    };
    let refers = |(_, value): &(Pat, Expr)| matches!(value, Expr::Reference(_));
    if lets.len() > 1 && lets.iter().any(refers) && !(1..lets.len()).any(seen) {
        return lets.into_iter().filter_map(|one| together(vec![one])).collect();
    }
    together(lets).into_iter().collect()
}

fn together(lets: Vec<(Pat, Expr)>) -> Option<syn::Stmt> {
    let (pats, values): (Vec<Pat>, Vec<Expr>) = lets.into_iter().unzip();
    let span = pats.first()?.span();
    // In a tuple, no part bears a type of its own.
    let (types, parts): (Vec<_>, Vec<_>) = pats
        .iter()
        .map(|pat| match pat {
            Pat::Type(t) => (Some(&t.ty), &*t.pat),
            pat => (None, pat),
        })
        .unzip();
    let tokens = match (&pats[..], &values[..]) {
        ([pat], [value]) => quote_spanned!(span=> let #pat = #value;),
        _ if types.iter().all(Option::is_none) => quote_spanned!(span=> let (#(#pats),*) = (#(#values),*);),
        _ => {
            let types = types.iter().map(|ty| ty.map_or_else(|| quote!(_), ToTokens::to_token_stream));
            quote_spanned!(span=> let (#(#parts),*): (#(#types),*) = (#(#values),*);)
        }
    };
    Some(syn::parse2(tokens.to_token_stream()).expect("this is a `let`"))
}

/// The type of a number in an array that has no other name than a generated one.
fn typed(ty: &syn::Type, place: &Expr) -> Option<(Pat, Expr)> {
    let syn::Type::Reference(r) = ty else { return None };
    let (Expr::Index(at), ty @ syn::Type::Path(p)) = (place, &*r.elem) else { return None };
    let Expr::Path(base) = &*at.expr else { return None };
    let generated = base.path.get_ident()?.to_string().starts_with("__omp_bound");
    let number = p.path.get_ident().is_some_and(|name| is_primitive(&name.to_string()));
    let wild = || {
        Pat::Type(syn::PatType {
            attrs: Vec::new(),
            pat: Box::new(Pat::Wild(syn::PatWild {
                attrs: Vec::new(),
                underscore_token: Default::default(),
            })),
            colon_token: Default::default(),
            ty: Box::new(ty.clone()),
        })
    };
    (generated && number).then(|| (wild(), place.clone()))
}

/// Other names for the variables of a pattern.
pub(super) struct Rename(pub std::collections::HashMap<String, Ident>);

impl syn::visit_mut::VisitMut for Rename {
    fn visit_pat_ident_mut(&mut self, p: &mut syn::PatIdent) {
        if let Some(other) = self.0.get(&p.ident.to_string()) {
            p.ident = other.clone();
        }
        syn::visit_mut::visit_pat_ident_mut(self, p);
    }

    fn visit_field_pat_mut(&mut self, f: &mut syn::FieldPat) {
        f.colon_token.get_or_insert_with(Default::default);
        syn::visit_mut::visit_field_pat_mut(self, f);
    }

    fn visit_expr_mut(&mut self, _: &mut Expr) {}
}

/// Other names for variables, wherever they are bound and used.
#[derive(Default)]
pub struct Renamed(pub std::collections::HashMap<String, Ident>);

impl Renamed {
    fn at(&self, name: &Ident) -> Option<Ident> {
        let other = self.0.get(&name.to_string())?;
        Some(Ident::new(&other.to_string(), other.span().located_at(name.span())))
    }
}

impl syn::visit_mut::VisitMut for Renamed {
    fn visit_pat_ident_mut(&mut self, p: &mut syn::PatIdent) {
        if let Some(other) = self.at(&p.ident) {
            p.ident = other;
        }
        syn::visit_mut::visit_pat_ident_mut(self, p);
    }

    fn visit_field_pat_mut(&mut self, f: &mut syn::FieldPat) {
        f.colon_token.get_or_insert_with(Default::default);
        syn::visit_mut::visit_field_pat_mut(self, f);
    }

    fn visit_expr_path_mut(&mut self, p: &mut syn::ExprPath) {
        if let Some(other) = p.path.get_ident().filter(|_| p.qself.is_none()).and_then(|name| self.at(name)) {
            p.path = other.into();
        }
    }

    fn visit_field_value_mut(&mut self, f: &mut syn::FieldValue) {
        // `S { u }` has the name of the field, too.
        f.colon_token.get_or_insert_with(Default::default);
        self.visit_expr_mut(&mut f.expr);
    }

    fn visit_macro_mut(&mut self, m: &mut syn::Macro) {
        let names = self.0.iter().map(|(name, other)| (name.clone(), other.to_token_stream())).collect();
        m.tokens = crate::iterate::values::closure::substituted(m.tokens.clone(), &names);
    }
}
