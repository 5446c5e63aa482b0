//! Names for parts of a call that its rewriting evaluates twice or in another order: the range in `x[next()..].first()`, the arguments of
//! adaptors before the initial value in `x.iter().skip(next()).fold(next(), f)`. Parts without effects need none.
use super::pipeline::is_adaptor;
use crate::iterate::loops::chain::{Item, cuts};
use crate::iterate::loops::walk::{Meaning, Walk};
use crate::iterate::tokens::{changed, made};
use crate::parse::tokens::leaves::idents;
use crate::sema::reduction::updates::is_assignment;
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::forms::strip_mut;
use crate::sema::syntax::{place, search};
use omp_ir::method::Method;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprMethodCall};

impl Walk<'_> {
    /// Whether the evaluation of an expression may change something.
    pub(in crate::iterate) fn has_effects(&self, e: &Expr) -> bool {
        search::any(e, |e| match e {
            Expr::Assign(_) | Expr::Macro(_) => true,
            Expr::Binary(b) => is_assignment(&b.op),
            Expr::Reference(r) => r.mutability.is_some(),
            Expr::Call(c) => {
                self.names_closure(&c.func) || c.args.iter().any(|arg| self.is_mutable_reference(arg))
            }
            Expr::MethodCall(m) => {
                let listed = Method::is_name(&m.method.to_string(), m.args.len() + 1);
                !listed && place::root(&m.receiver).is_some_and(|name| self.may_change(name))
            }
            _ => false,
        })
    }

    /// Whether an argument is the name of a `&mut` of a value: the function may change it.
    fn is_mutable_reference(&self, e: &Expr) -> bool {
        matches!(strip(e), Expr::Path(p) if p.path.get_ident().is_some_and(|name| self.mutable_references.contains(&name.to_string())))
    }

    /// The names that the evaluation of an expression may give other values, those behind `&mut`s among them.
    pub(in crate::iterate) fn changed(&self, e: &Expr) -> std::collections::HashSet<String> {
        let mut names = changed(e);
        search::each(e, |e| {
            let args: Vec<&Expr> = match e {
                Expr::Call(c) => c.args.iter().collect(),
                Expr::MethodCall(m) => m.args.iter().collect(),
                _ => return,
            };
            let given = args.into_iter().filter(|arg| self.is_mutable_reference(arg));
            names.extend(given.flat_map(|arg| idents(arg.to_token_stream())).map(|name| name.to_string()));
        });
        names
    }

    fn may_change(&self, name: &Ident) -> bool {
        match self.meaning(name) {
            Some(Meaning::Itself(fixed, _)) => !fixed,
            Some(Meaning::Item(Item::Element { mutable, .. })) => *mutable,
            Some(Meaning::Renamed(_)) => true,
            Some(_) => false,
            None => self.changing.iter().any(|changing| name == changing),
        }
    }

    /// Gives the subscripts of a place names, if one of them has effects, or is changed by the value that is evaluated after them.
    pub(in crate::iterate) fn subscripts_first(
        &mut self,
        place: &mut Expr,
        value: Option<&Expr>,
    ) -> TokenStream {
        let mut parts = Vec::new();
        of_place(place, &mut parts);
        let named = parts.iter().any(|(e, _)| self.has_effects(e)) || self.changes(value, &parts);
        if named { self.named_parts(parts) } else { quote!() }
    }

    /// Whether the evaluation of a value changes variables of these parts.
    fn changes(&self, value: Option<&Expr>, parts: &[(&mut Expr, bool)]) -> bool {
        let Some(value) = value.filter(|e| self.has_effects(e)) else { return false };
        let changed = self.changed(value);
        parts.iter().any(|(e, _)| idents(e.to_token_stream()).any(|name| changed.contains(&name.to_string())))
    }

    /// A call whose value, or a state of `scan` in whose chain, is evaluated before the range of its receiver or the arguments of the chain:
    /// with names for these; not yet walked through. `None` if that makes no difference.
    pub(in crate::iterate) fn receiver_first(
        &mut self,
        m: &ExprMethodCall,
        value: Option<&Expr>,
    ) -> Option<Expr> {
        let is_early = value.is_some_and(|e| self.has_effects(e));
        let state = |e: &Expr| match e {
            Expr::MethodCall(m) if m.method == "scan" => m.args.first().is_some_and(|e| self.has_effects(e)),
            _ => false,
        };
        if !is_early && !search::any(&*m.receiver, state) {
            return None;
        }
        let mut call = m.clone();
        let mut parts = Vec::new();
        of_chain(&mut call.receiver, &mut parts);
        let effects = parts.iter().filter(|(e, _)| self.has_effects(e)).count();
        if effects + usize::from(is_early) < 2 && !self.changes(value, &parts) {
            return None;
        }
        let named = self.named_parts(parts);
        Some(made(quote!({ #named #call })))
    }

    fn named_parts(&mut self, parts: Vec<(&mut Expr, bool)>) -> TokenStream {
        let named =
            parts.into_iter().filter(|(e, _)| !matches!(strip(e), Expr::Lit(_))).map(|(e, is_number)| {
                let (span, name) = (e.span(), self.fresh("first", e.span()));
                let ty = is_number.then(|| quote_spanned!(span=> : ::omp::__private::core::primitive::usize));
                let stmt = quote_spanned!(span=> let #name #ty = #e;);
                *e = made(name.into_token_stream());
                stmt
            });
        named.collect()
    }
}

/// The subscripts of a place, in their order, each with whether it is a `usize`.
fn of_place<'e>(e: &'e mut Expr, parts: &mut Vec<(&'e mut Expr, bool)>) {
    let e = strip_mut(e);
    match e {
        Expr::Reference(r) => of_place(&mut r.expr, parts),
        Expr::Unary(u) => of_place(&mut u.expr, parts),
        Expr::Field(f) => of_place(&mut f.base, parts),
        Expr::Index(x) => {
            of_place(&mut x.expr, parts);
            match &mut *x.index {
                Expr::Range(r) => {
                    parts.extend([&mut r.start, &mut r.end].into_iter().flatten().map(|e| (&mut **e, true)));
                }
                index => parts.push((index, false)),
            }
        }
        _ => {}
    }
}

/// The parts of a chain that are evaluated before it gives an item.
fn of_chain<'e>(e: &'e mut Expr, parts: &mut Vec<(&'e mut Expr, bool)>) {
    let e = strip_mut(e);
    match e {
        Expr::Range(r) => {
            parts.extend([&mut r.start, &mut r.end].into_iter().flatten().map(|e| (&mut **e, false)));
        }
        Expr::MethodCall(m) => {
            let (name, args) = (m.method.to_string(), m.args.len());
            let (cut, adapts) = (cuts(&m.method), is_adaptor(&name, args));
            of_chain(&mut m.receiver, parts);
            match (name.as_str(), m.args.first_mut()) {
                ("zip" | "chain", Some(other)) => of_chain(other, parts),
                ("skip" | "take" | "step_by", Some(n)) => parts.push((n, true)),
                ("scan", Some(state)) => parts.push((state, false)),
                (_, Some(n)) if cut && !adapts && !matches!(n, Expr::Closure(_)) => parts.push((n, true)),
                _ => {}
            }
        }
        place => of_place(place, parts),
    }
}
