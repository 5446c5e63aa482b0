//! Patterns that options of references are taken apart with: a name in them means a reference to what the option keeps.
use super::Shape;
use crate::iterate::loops::pattern;
use crate::iterate::loops::walk::{Meaning, Walk};
use crate::iterate::tokens::made;
use quote::ToTokens;
use std::collections::HashMap;
use syn::Pat;
use syn::spanned::Spanned;

impl Walk<'_> {
    /// The patterns of what an option of references is taken apart into.
    pub(in crate::iterate) fn through(
        &mut self,
        pat: &mut Pat,
        shape: &Shape,
        scope: &mut HashMap<String, Meaning>,
    ) {
        match pat {
            Pat::TupleStruct(t) if t.path.segments.last().is_some_and(|s| s.ident == "Some") => {
                t.elems.iter_mut().for_each(|p| self.held(p, shape, scope));
            }
            Pat::Paren(p) => self.through(&mut p.pat, shape, scope),
            Pat::Tuple(t) => {
                let Shape::Options(shapes) = shape else { return };
                for (p, shape) in t.elems.iter_mut().zip(shapes) {
                    if let Some(shape) = shape {
                        self.through(p, shape, scope);
                    }
                }
            }
            // `other`: the option under another name.
            Pat::Ident(p) if !matches!(shape, Shape::Options(_) | Shape::Element(_) | Shape::Part(_)) => {
                let name = pattern::plain_name(&Pat::Ident(p.clone())).cloned();
                if let Some(name) = name.filter(|name| !is_capital(name)) {
                    p.ident = self.fresh("option", name.span());
                    self.option_shapes.insert(p.ident.to_string(), shape.clone());
                    scope.insert(name.to_string(), Meaning::Renamed(p.ident.clone()));
                }
            }
            Pat::Guard(g) => self.through(&mut g.pat, shape, scope),
            Pat::Or(o) => o.cases.iter_mut().for_each(|p| self.through(p, shape, scope)),
            _ => {}
        }
    }

    pub(in crate::iterate) fn held(
        &mut self,
        pat: &mut Pat,
        shape: &Shape,
        scope: &mut HashMap<String, Meaning>,
    ) {
        match (&mut *pat, shape) {
            (Pat::Paren(p), _) => self.held(&mut p.pat, shape, scope),
            (Pat::Or(o), _) => o.cases.iter_mut().for_each(|p| self.held(p, shape, scope)),
            (Pat::Reference(r), Shape::Ref) => *pat = (*r.pat).clone(),
            (Pat::Reference(r), Shape::Outer(inner)) => {
                *pat = (*r.pat).clone();
                self.held(pat, inner, scope);
            }
            // Through a reference, the names of parts mean references.
            (Pat::Tuple(t), Shape::Ref) => t.elems.iter_mut().for_each(|p| self.held(p, shape, scope)),
            (Pat::TupleStruct(t), Shape::Ref) => t.elems.iter_mut().for_each(|p| self.held(p, shape, scope)),
            (Pat::Slice(t), Shape::Ref) => t.elems.iter_mut().for_each(|p| self.held(p, shape, scope)),
            (Pat::Struct(s), Shape::Ref) => {
                for field in &mut s.fields {
                    field.colon_token.get_or_insert_with(Default::default);
                    self.held(&mut field.pat, shape, scope);
                }
            }
            (Pat::Tuple(t), Shape::Tuple(parts)) if t.elems.len() == parts.len() => {
                t.elems.iter_mut().zip(parts).for_each(|(p, shape)| self.held(p, shape, scope));
            }
            (Pat::Ident(p), shape)
                if shape.refers()
                    && p.by_ref.is_none()
                    && p.mutability.is_none()
                    && !is_capital(&p.ident) =>
            {
                // `digit @ b'0'..=b'9'`: the name is a reference, and the pattern goes through it.
                if let Some((_, parts)) = &mut p.subpat {
                    self.held(parts, shape, scope);
                }
                let kept = self.fresh("held", p.ident.span());
                let item = shape.item(made(kept.to_token_stream()));
                scope.insert(p.ident.to_string(), Meaning::Item(item));
                p.ident = kept;
            }
            // `Some((v, n))`: the names mean parts of the element.
            (pat, Shape::Element(_)) if !matches!(pat, Pat::Wild(_) | Pat::Rest(_)) => {
                let kept = self.fresh("held", pat.span());
                let item = shape.item(made(kept.to_token_stream()));
                let mut bound = pattern::Bound::default();
                if !names_parts(pat) {
                    let help = "name it, and compare it in a guard: `Some(v) if *v == 2`";
                    self.sink()
                        .error_at(
                            crate::diag::Code::UnsupportedPattern,
                            &*pat,
                            "an element that may change can't be held against this",
                        )
                        .help(help);
                } else if pattern::bind(pat, item, &mut bound, self.sink()).is_some() {
                    let meanings = bound.items.into_iter();
                    scope.extend(meanings.map(|(name, item)| (name.to_string(), Meaning::Item(item))));
                }
                *pat = syn::parse_quote!(#kept);
            }
            _ => {}
        }
    }
}

/// Whether a pattern names parts of what always fits.
fn names_parts(pat: &Pat) -> bool {
    match pat {
        Pat::Wild(_) | Pat::Rest(_) => true,
        Pat::Ident(_) => pattern::plain_name(pat).is_some_and(|name| !is_capital(name)),
        Pat::Paren(p) => names_parts(&p.pat),
        Pat::Tuple(t) => t.elems.iter().all(names_parts),
        Pat::TupleStruct(t) => t.elems.iter().all(names_parts),
        Pat::Slice(s) => s.elems.iter().all(names_parts),
        Pat::Struct(s) => s.fields.iter().all(|f| names_parts(&f.pat)),
        _ => false,
    }
}

pub(super) fn is_capital(name: &proc_macro2::Ident) -> bool {
    name.to_string().starts_with(char::is_uppercase)
}
