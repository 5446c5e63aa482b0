//! The variables of a function that are structs with methods, as far as tokens determine them.
use super::values::Ty;
use super::{Method, Methods, behind, name_of};
use crate::sema::syntax::forms::strip;
use std::collections::{HashMap, HashSet};
use syn::visit::{self, Visit};
use syn::{Expr, Item, Local, Member, Pat, ReturnType};

/// The variables of a function that are structs, with their names, and what its own items name.
#[derive(Default)]
pub struct Variables {
    pub(super) types: HashMap<String, String>,
    pub(super) items: HashSet<String>,
    /// Any name may be another item here.
    pub(super) unknown: bool,
    /// The types of those that are bound once, if tokens determine them.
    pub(super) values: HashMap<String, Ty>,
}

impl Variables {
    /// Whether no call can be one whose body takes its place.
    pub(super) fn have_no_calls(&self, methods: &Methods) -> bool {
        let none = methods.functions.is_empty()
            && methods.inlined.is_empty()
            && methods.values.is_empty()
            && methods.writers.is_empty()
            && methods.exclusive.is_empty();
        self.types.is_empty() && (self.unknown || none)
    }
}

pub(super) struct Search<'a> {
    pub(super) methods: &'a Methods,
    pub(super) types: HashMap<String, String>,
}

impl Search<'_> {
    pub(super) fn is_of(&mut self, pat: &Pat, ty: Option<String>) {
        match (pat, ty) {
            (Pat::Ident(p), Some(ty)) if p.subpat.is_none() => {
                drop(self.types.insert(p.ident.to_string(), ty));
            }
            (Pat::Type(t), ty) => {
                let ty = self.methods.named(&t.ty).or(ty);
                self.is_of(&t.pat, ty);
            }
            (Pat::Struct(s), Some(ty)) => {
                let Some(fields) = self.methods.find(&ty).and_then(|s| s.fields.as_ref()) else { return };
                let types: Vec<_> = s
                    .fields
                    .iter()
                    .map(|pat| {
                        let Member::Named(name) = &pat.member else { return None };
                        let field = fields.iter().find(|f| f.ident.as_ref() == Some(name))?;
                        self.methods.named(&field.ty)
                    })
                    .collect();
                s.fields.iter().zip(types).for_each(|(field, ty)| self.is_of(&field.pat, ty));
            }
            _ => {}
        }
    }

    /// The struct of a value.
    fn of_value(&self, e: &Expr) -> Option<String> {
        match strip(e) {
            Expr::Struct(s) => self.of_path(&s.path),
            Expr::Call(c) => {
                let Expr::Path(p) = &*c.func else { return None };
                let mut path = p.path.clone();
                let function = path.segments.pop()?.ident;
                path.segments.pop_punct();
                let of = self.of_path(&path)?;
                let is = |m: &&Method| m.function.sig.ident == function;
                let made = self.methods.find(&of)?.methods.iter().find(is)?;
                self.of_result(made, &of)
            }
            Expr::MethodCall(m) => {
                let of = self.of_value(&m.receiver)?;
                if m.method == "clone" && m.args.is_empty() {
                    return Some(of);
                }
                let is = |method: &&Method| method.function.sig.ident == m.method;
                let made = self.methods.find(&of)?.methods.iter().find(is)?;
                self.of_result(made, &of)
            }
            e => self.methods.of_place(e, &self.types),
        }
    }

    fn of_path(&self, path: &syn::Path) -> Option<String> {
        match path.segments.len() {
            1 => self.methods.named(&syn::parse_quote!(#path)),
            _ => None,
        }
    }

    fn of_result(&self, made: &Method, of: &str) -> Option<String> {
        let ReturnType::Type(_, ty) = &made.function.sig.output else { return None };
        let name = name_of(behind(ty))?;
        if name == "Self" { Some(of.to_owned()) } else { self.methods.find(&name).map(|s| s.name.clone()) }
    }
}

impl<'ast> Visit<'ast> for Search<'_> {
    fn visit_local(&mut self, l: &'ast Local) {
        visit::visit_local(self, l);
        match (&l.pat, l.init.as_ref().map(|init| &*init.expr)) {
            (Pat::Tuple(pats), Some(Expr::Tuple(values))) if pats.elems.len() == values.elems.len() => {
                for (pat, value) in pats.elems.iter().zip(&values.elems) {
                    let ty = self.of_value(value);
                    self.is_of(pat, ty);
                }
            }
            (pat, value) => {
                let ty = value.and_then(|value| self.of_value(value));
                self.is_of(pat, ty);
            }
        }
    }

    fn visit_item(&mut self, _: &'ast Item) {}
}
