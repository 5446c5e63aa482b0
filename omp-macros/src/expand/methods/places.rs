//! The structs that variables and fields are of, judged by the function's signature, `let`s and the structs' own fields.
use super::items::Items;
use super::variables::{self, Search, Variables};
use super::{Methods, Struct, behind, name_of, values};
use crate::expand::context;
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::names::times_bound;
use crate::visits::{self, Node};
use std::collections::HashMap;
use syn::visit::Visit;
use syn::{Block, Expr, Member, Pat, Signature, Type, UnOp};

impl Methods {
    /// The structs of a function's variables, by their names.
    pub fn of_variables(&self, sig: &Signature, body: &Block) -> Variables {
        let sig = &context::parts_as_parameters(sig);
        let mut items = Items::default();
        items.visit_block(body);
        let renamed = |s: &Struct| items.words.contains(&s.name);
        if self.is_empty() || items.all || self.structs.iter().any(renamed) {
            return Variables { unknown: items.all, ..Variables::default() };
        }
        let bound = times_bound(sig, body);
        let own: Vec<String> = sig.generics.type_params().map(|t| t.ident.to_string()).collect();
        let types = Search::of_function(self, sig, body, &bound).into_iter();
        let types = types.filter(|(_, ty)| !own.contains(ty));
        let this = self.owner.as_deref().or(self.this.as_deref());
        let values = values::of_function(&self.values, this, sig, body);
        let declared = variables::declared(sig, body, &bound);
        Variables { types: types.collect(), items: items.words, unknown: false, values, declared }
    }

    /// The struct of a type, behind references and boxes.
    pub(super) fn named(&self, ty: &Type) -> Option<String> {
        let name = name_of(behind(ty))?;
        if name == "Self" {
            return self.this.clone();
        }
        self.find(&name).map(|s| s.name.clone())
    }

    /// The struct of a place.
    pub(super) fn of_place(&self, e: &Expr, types: &HashMap<String, String>) -> Option<String> {
        match strip(e) {
            Expr::Reference(r) => self.of_place(&r.expr, types),
            Expr::Unary(u) if matches!(u.op, UnOp::Deref(_)) => self.of_place(&u.expr, types),
            Expr::Path(p) => types.get(&p.path.get_ident()?.to_string()).cloned(),
            Expr::Field(f) => self.named(self.field(f, types)?),
            _ => None,
        }
    }

    /// The type of a field of such a struct.
    pub(super) fn field(&self, f: &syn::ExprField, types: &HashMap<String, String>) -> Option<&Type> {
        if let Some(of) = self.of_place(&f.base, types) {
            return self.find(&of)?.field(&f.member);
        }
        // `self.pair.0`
        let (Expr::Field(of), Member::Unnamed(n)) = (strip(&f.base), &f.member) else { return None };
        let Type::Tuple(of) = behind(self.field(of, types)?) else { return None };
        of.elems.get(n.index as usize)
    }

    /// The number of dimensions of a variable or a field that is an array of `ndarray`, judged by the `known` variables and the struct's item.
    pub fn dims_of(
        &self,
        e: &Expr,
        variables: &Variables,
        known: &dyn Fn(&str) -> Option<usize>,
    ) -> Option<usize> {
        match strip(e) {
            Expr::Unary(u) if matches!(u.op, UnOp::Deref(_)) => self.dims_of(&u.expr, variables, known),
            Expr::Path(p) => {
                let name = p.path.get_ident()?.to_string();
                // A struct of the module may have the name of one of `ndarray`'s types.
                let own = variables.types.contains_key(&name);
                known(&name).filter(|_| !own)
            }
            Expr::Field(f) if cfg!(feature = "ndarray") => {
                context::ndarrays::of_type(self.field(f, &variables.types)?)
            }
            _ => None,
        }
    }

    /// The variables that are the slices of structs: `let rows = self.rows;` of a field `rows: &'a [f32]`.
    pub fn slices_in_fields(&self, sig: &Signature, body: &Block, variables: &Variables) -> Vec<String> {
        let mut found = Vec::new();
        visits::walk(body, |node| {
            if let Node::Local(syn::Local { pat: Pat::Ident(p), init: Some(init), .. }) = node
                && (&p.mutability, &p.by_ref, &p.subpat) == (&None, &None, &None)
                && let Expr::Field(f) = &*init.expr
                && let Some(Type::Reference(r)) = self.field(f, &variables.types)
                && r.mutability.is_none()
                && context::is_array(&r.elem)
            {
                found.push(p.ident.to_string());
            }
            !matches!(node, Node::Item(_))
        });
        if !found.is_empty() {
            // A name that is bound again may be anything.
            let bound = times_bound(sig, body);
            found.retain(|name| bound.get(name) == Some(&1));
        }
        found
    }
}
