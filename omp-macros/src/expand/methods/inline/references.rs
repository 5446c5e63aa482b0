//! `let u = &self.u;` of a struct that owns arrays, which a device does not have as a whole, and `let table = RATES;` of a const that is a
//! slice, which is no value on a device: the place stands where the name stood.
use super::Inline;
use crate::parse::tokens::source::words;
use crate::sema::syntax::forms::{is_named, strip};
use crate::sema::syntax::names::Names;
use crate::sema::syntax::search;
use proc_macro2::Ident;
use quote::ToTokens;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Pat, Stmt, UnOp};

impl Inline<'_> {
    /// Puts the place of such a `let` into the statements behind it; whether it is one. What binds the name again, or changes what the place
    /// means, leaves the statements as they are.
    pub(super) fn named_struct(&self, s: &Stmt, rest: &mut [Stmt]) -> bool {
        let Stmt::Local(l) = s else { return false };
        let (Pat::Ident(name), Some(init)) = (&l.pat, &l.init) else { return false };
        let plain = name.by_ref.is_none() && name.mutability.is_none() && name.subpat.is_none();
        let value = strip(&init.expr);
        if !plain || init.diverge.is_some() || !self.is_struct(value) && !self.methods.values.is_table(value)
        {
            return false;
        }
        let place = if let Expr::Reference(r) = value { &*r.expr } else { value };
        let root = words(place.to_token_stream()).into_iter().next().unwrap_or_default();
        let mut bound = Names::default();
        rest.iter().for_each(|s| bound.visit_stmt(s));
        // An item in what comes after may be another const of the name.
        if bound.bound.iter().any(|p| p.ident == name.ident || p.ident == root) || search::has_item(rest) {
            return false;
        }
        if rest.iter().any(|s| search::any(s, |e| changes(e, place))) {
            return false;
        }
        let mut put = Put { name: &name.ident, place, value, in_text: false };
        let mut with_place = rest.to_vec();
        with_place.iter_mut().for_each(|s| put.visit_stmt_mut(s));
        // (In attributes, and in `S { u }`.)
        let left =
            || with_place.iter().any(|s| words(s.to_token_stream()).iter().any(|word| name.ident == *word));
        if put.in_text || name.ident != root && left() {
            return false;
        }
        rest.clone_from_slice(&with_place);
        true
    }

    /// `let from = if c { &self.u } else { &self.v };` of structs that own arrays, values of structs that borrow, or tables, with what comes
    /// after it in each branch.
    pub(super) fn chosen_struct(&self, s: &Stmt, rest: &[Stmt]) -> Option<Vec<Stmt>> {
        let Stmt::Local(l) = s else { return None };
        let is_one =
            |e: &Expr| self.is_struct(e) || self.methods.values.is_table(e) || self.borrowing(e).is_some();
        crate::iterate::of_references(l, rest.iter(), &is_one)
    }

    /// `&self.u` of a struct that owns arrays.
    fn is_struct(&self, e: &Expr) -> bool {
        matches!(e, Expr::Reference(r) if r.mutability.is_none() && is_field(&r.expr)
            && self.methods.of_place(&r.expr, &self.known).is_some())
    }
}

/// Whether an expression assigns, or borrows to be changed, what a place is a part of.
fn changes(e: &Expr, place: &Expr) -> bool {
    let changed = match e {
        Expr::Assign(a) => &a.left,
        Expr::Reference(r) if r.mutability.is_some() => &r.expr,
        _ => return false,
    };
    let changed = strip(changed).to_token_stream().to_string();
    let mut of = strip(place);
    loop {
        if of.to_token_stream().to_string() == changed {
            return true;
        }
        of = match of {
            Expr::Field(f) => strip(&f.base),
            _ => return false,
        };
    }
}

/// `self.u`, `a.b.c`
fn is_field(e: &Expr) -> bool {
    match strip(e) {
        Expr::Field(f) => matches!(&*f.base, Expr::Path(_)) || is_field(&f.base),
        _ => false,
    }
}

struct Put<'e> {
    name: &'e Ident,
    place: &'e Expr,
    /// What stands for the name alone.
    value: &'e Expr,
    /// A macro names it.
    in_text: bool,
}

impl Put<'_> {
    /// What is behind the reference.
    fn behind(&mut self, e: &mut Expr) {
        if is_named(e, self.name) {
            *e = self.place.clone();
        } else {
            self.visit_expr_mut(e);
        }
    }
}

impl VisitMut for Put<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        match e {
            Expr::Index(x) => {
                self.behind(&mut x.expr);
                self.visit_expr_mut(&mut x.index);
            }
            Expr::Field(f) => self.behind(&mut f.base),
            Expr::MethodCall(m) => {
                self.behind(&mut m.receiver);
                m.args.iter_mut().for_each(|arg| self.visit_expr_mut(arg));
            }
            Expr::Unary(u)
                if matches!(u.op, UnOp::Deref(_))
                    && is_named(&u.expr, self.name)
                    && matches!(self.value, Expr::Reference(_)) =>
            {
                *e = self.place.clone();
            }
            e if is_named(e, self.name) => {
                let value = self.value;
                *e = if let Expr::Path(_) = value { value.clone() } else { syn::parse_quote!((#value)) };
            }
            e => visit_mut::visit_expr_mut(self, e),
        }
    }
    fn visit_macro_mut(&mut self, m: &mut syn::Macro) {
        self.in_text |= words(m.tokens.clone()).iter().any(|word| self.name == word);
    }
}
