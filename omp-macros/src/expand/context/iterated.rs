//! The variables of a function that loops iterate by their names alone: arrays and ranges, as parameters and `let`s show them.
use crate::ast::DirectiveKind;
use crate::expand::atomics::is_atomic;
use crate::iterate::{self, IteratedBy};
use crate::parse::directive;
use crate::parse::tokens::leaves::idents;
use crate::sema::syntax::forms::{as_name, strip};
use crate::sema::syntax::items::passes_on;
use crate::sema::syntax::place;
use crate::visits::{self, Node};
use proc_macro2::Ident;
use std::collections::{HashMap, HashSet};
use syn::visit::{self, Visit};
use syn::{Attribute, Block, Expr, FnArg, Local, Pat, Signature, Type};

/// Parameters that are arrays or ranges by their types, and `let`s that are by their values, whose names nothing else bears that a
/// region may see: what a loop without directives in it binds stands in its body alone.
pub(super) fn whole(sig: &Signature, body: &Block) -> Vec<(String, IteratedBy)> {
    let mut again = Binds::default();
    again.visit_block(body);
    let mut found = Vec::new();
    for input in &sig.inputs {
        if let FnArg::Typed(arg) = input {
            again.visit_pat(&arg.pat);
            if let Pat::Ident(p) = &*arg.pat
                && let Some(kind) = iterate::of_type(&arg.ty)
            {
                again.owned.extend((kind == IteratedBy::Owned).then(|| p.ident.to_string()));
                found.extend(iterate::of_binding(p, kind).map(|kind| (p.ident.to_string(), kind)));
            }
        }
    }
    found.append(&mut again.lets);
    for (p, of) in again.copies {
        // Only fixed arrays by value count: an array behind a reference may have other owners.
        if again.owned.contains(&of) && again.names.get(&of) == Some(&1) {
            again.owned.push(p.ident.to_string());
            found.extend(iterate::of_binding(&p, IteratedBy::Owned).map(|kind| (p.ident.to_string(), kind)));
        }
    }
    found.retain(|(name, _)| again.names.get(name) == Some(&1));
    found
}

/// `let w = x.windows(3);` and its like of an array, whose names and numbers are bound once in the function, and don't change while the
/// iterator is there.
pub(super) fn parts(
    body: &Block,
    bindings: &HashMap<String, usize>,
    arrays: &HashSet<String>,
    mutable: &[String],
) -> Vec<(Ident, Expr)> {
    let is_one = |name: &Ident| bindings.get(&name.to_string()) == Some(&1);
    let is_number = |e: &Expr| match e {
        Expr::Lit(_) => true,
        e => as_name(e).is_some_and(|name| is_one(name) && !mutable.contains(&name.to_string())),
    };
    let mut found = Vec::new();
    visits::walk(body, |node| {
        if let Node::Local(Local { pat: Pat::Ident(p), init: Some(init), .. }) = node
            && let Expr::MethodCall(m) = &*init.expr
            && (&p.mutability, &p.by_ref, &p.subpat) == (&None, &None, &None)
            && is_one(&p.ident)
            // (A user's type may have a method of the name.)
            && as_name(&m.receiver).is_some_and(|name| is_one(name) && arrays.contains(&name.to_string()))
            && iterate::of_items(m) == Some(IteratedBy::Shared)
            && m.args.iter().all(is_number)
        {
            found.push((p.ident.clone(), (*init.expr).clone()));
        }
        !matches!(node, Node::Item(_))
    });
    found
}

/// Methods of arrays, which keep nothing of what they are lent.
const OF_ARRAYS: [&str; 12] = [
    "iter",
    "iter_mut",
    "len",
    "is_empty",
    "fill",
    "swap",
    "sort",
    "sort_unstable",
    "reverse",
    "clone",
    "map",
    "to_vec",
];

/// The variables that a function may lend exclusively: `&mut x`, `ref mut` in patterns, methods that aren't known, macros with `mut` and
/// data directives.
pub(super) fn lent(body: &Block) -> Vec<String> {
    let mut lent = Vec::new();
    let mut of_root = |of: &Expr| lent.extend(place::root(of).map(Ident::to_string));
    visits::each(body, |node| match node {
        // `let ref mut r = x`, or a `match` of the same.
        Node::Local(Local { pat, init: Some(init), .. }) if has_ref_mut(pat) => of_root(&init.expr),
        Node::Expr(Expr::Let(l)) if has_ref_mut(&l.pat) => of_root(&l.expr),
        Node::Expr(Expr::Match(m)) if m.arms.iter().any(|arm| has_ref_mut(&arm.pat)) => of_root(&m.expr),
        Node::Expr(Expr::Reference(r)) if r.mutability.is_some() => of_root(&r.expr),
        Node::Expr(Expr::MethodCall(m)) if !OF_ARRAYS.iter().any(|method| m.method == method) => {
            of_root(&m.receiver);
        }
        _ => {}
    });
    visits::each(body, |node| {
        let Node::Macro(m) = node else { return };
        let all: Vec<Ident> = idents(m.tokens.clone()).collect();
        let enters = m.path.segments.last().is_some_and(|s| s.ident.to_string().ends_with("enter_data"));
        if enters || all.iter().any(|i| i == "mut") {
            lent.extend(all.iter().map(Ident::to_string));
        }
    });
    lent
}

/// Whether a pattern binds something by `ref mut`.
fn has_ref_mut(pat: &Pat) -> bool {
    visits::any(
        pat,
        |node| matches!(node, Node::Pat(Pat::Ident(p)) if p.by_ref.is_some() && p.mutability.is_some()),
    )
}

/// What the patterns of a function bind.
#[derive(Default)]
struct Binds {
    names: HashMap<String, usize>,
    lets: Vec<(String, IteratedBy)>,
    /// Fixed arrays, whether they change or not.
    owned: Vec<String>,
    /// `let a = b;`
    copies: Vec<(syn::PatIdent, String)>,
}

impl Binds {
    /// `let p: ty = value;`
    fn value(&mut self, p: &syn::PatIdent, ty: Option<&Type>, value: &Expr) {
        let range = matches!(value, Expr::Range(r)
            if r.start.is_some() && r.end.is_some() && matches!(r.limits, syn::RangeLimits::HalfOpen(_)));
        let kind = if range { Some(IteratedBy::Range) } else { iterate::of_value(value) };
        // By value, a field that is iterated is a fixed array.
        let field = matches!(value, Expr::Field(_)).then_some(IteratedBy::Stored);
        let kind = kind.or_else(|| ty.and_then(iterate::of_type)).or(field);
        self.owned.extend(kind.filter(|kind| *kind == IteratedBy::Owned).map(|_| p.ident.to_string()));
        let kind = kind.and_then(|kind| iterate::of_binding(p, kind));
        if let (None, Some(of)) = (kind, copied(value)) {
            self.copies.push((p.clone(), of.to_string()));
        }
        self.lets.extend(kind.map(|kind| (p.ident.to_string(), kind)));
    }

    /// The arrays among what a pattern takes from the items of an iterator.
    fn items(&mut self, pat: &Pat, of: &Expr) {
        let parts = match pat {
            Pat::Tuple(t) if t.elems.len() == 2 => Some((&t.elems[0], &t.elems[1])),
            _ => None,
        };
        match (strip(of), pat, parts) {
            (Expr::MethodCall(m), _, Some((_, item))) if m.method == "enumerate" => {
                self.items(item, &m.receiver);
            }
            (Expr::MethodCall(m), _, Some((a, b))) if m.method == "zip" && m.args.len() == 1 => {
                self.items(a, &m.receiver);
                self.items(b, &m.args[0]);
            }
            (Expr::MethodCall(m), _, _) if passes_on(m) => self.items(pat, &m.receiver),
            (Expr::MethodCall(m), Pat::Ident(p), _) => {
                let kind = iterate::of_items(m).and_then(|kind| iterate::of_binding(p, kind));
                self.lets.extend(kind.map(|kind| (p.ident.to_string(), kind)));
            }
            _ => {}
        }
    }

    /// The halves of an array: `let (a, b) = x.split_at(n);`
    fn halves(&mut self, pat: &Pat, of: &Expr) {
        let (Pat::Tuple(t), Expr::MethodCall(m)) = (pat, strip(of)) else { return };
        let kind = match m.method.to_string().as_str() {
            "split_at" | "split_at_checked" => IteratedBy::Shared,
            "split_at_mut" | "split_at_mut_checked" => IteratedBy::Exclusive,
            _ => return,
        };
        for pat in &t.elems {
            if let Pat::Ident(p) = pat {
                let kind = iterate::of_binding(p, kind);
                self.lets.extend(kind.map(|kind| (p.ident.to_string(), kind)));
            }
        }
    }
}

impl<'ast> Visit<'ast> for Binds {
    fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
        *self.names.entry(p.ident.to_string()).or_default() += 1;
        visit::visit_pat_ident(self, p);
    }
    fn visit_local(&mut self, l: &'ast Local) {
        let (pat, ty) = match &l.pat {
            Pat::Type(t) => (&*t.pat, Some(&*t.ty)),
            pat => (pat, None),
        };
        match (pat, &l.init) {
            (Pat::Ident(p), Some(init)) => self.value(p, ty, &init.expr),
            (Pat::Tuple(pats), Some(init)) => {
                self.halves(pat, &init.expr);
                if let Expr::Tuple(values) = &*init.expr
                    && values.elems.len() == pats.elems.len()
                {
                    for (pat, value) in pats.elems.iter().zip(&values.elems) {
                        if let Pat::Ident(p) = pat {
                            self.value(p, None, value);
                        }
                    }
                }
            }
            _ => {}
        }
        visit::visit_local(self, l);
    }
    fn visit_expr_for_loop(&mut self, f: &'ast syn::ExprForLoop) {
        self.visit_expr(&f.expr);
        // The bindings of a region are found by the walk over the region.
        if f.attrs.iter().any(is_region) {
            return;
        }
        let is_directive =
            |node: Node<'_>| matches!(node, Node::Attribute(a) if directive::is_ours(a) && !is_atomic(a));
        if visits::any(&f.body, is_directive) {
            self.visit_pat(&f.pat);
            self.items(&f.pat, &f.expr);
        }
        self.visit_block(&f.body);
    }
    fn visit_expr_let(&mut self, l: &'ast syn::ExprLet) {
        if let Pat::TupleStruct(some) = &*l.pat
            && some.path.is_ident("Some")
            && let Some(pat) = some.elems.first()
        {
            self.halves(pat, &l.expr);
        }
        visit::visit_expr_let(self, l);
    }
    fn visit_expr_method_call(&mut self, m: &'ast syn::ExprMethodCall) {
        if m.method == "for_each"
            && let Some(Expr::Closure(f)) = m.args.first()
            && let Some(pat) = f.inputs.first()
        {
            self.items(pat, &m.receiver);
        }
        visit::visit_expr_method_call(self, m);
    }
    /// Tables behind references: all others are iterated by value.
    fn visit_item(&mut self, item: &'ast syn::Item) {
        let (name, ty) = match item {
            syn::Item::Const(c) => (&c.ident, &c.ty),
            syn::Item::Static(s) => (&s.ident, &s.ty),
            _ => return,
        };
        *self.names.entry(name.to_string()).or_default() += 1;
        let kind = iterate::of_type(ty).filter(|kind| *kind == IteratedBy::Shared);
        self.lets.extend(kind.map(|kind| (name.to_string(), kind)));
    }
}

fn is_region(attr: &Attribute) -> bool {
    let kind = directive::family(attr.path()).and_then(|(of, name)| directive::kind_of(of, &name));
    matches!(kind, Some(DirectiveKind::Target | DirectiveKind::ParallelFor | DirectiveKind::Scan))
}

/// The variable whose value an expression is, or is made of element by element: `b`, `b.map(f)`.
pub(super) fn copied(e: &Expr) -> Option<&Ident> {
    match e {
        Expr::MethodCall(m) if m.method == "map" && m.args.len() == 1 => as_name(&m.receiver),
        e => as_name(e),
    }
}

#[cfg(test)]
mod tests {
    use super::lent;
    use syn::parse_quote;

    #[test]
    fn patterns_lend_what_they_match() {
        let lends = |body| lent(&body).contains(&"x".to_owned());
        assert!(lends(parse_quote!({
            let ref mut r = x;
        })));
        assert!(lends(parse_quote!({ if let (ref mut r, _) = x.0 {} })));
        assert!(lends(parse_quote!({
            match x {
                [ref mut r, ..] => {}
            }
        })));
        assert!(!lends(parse_quote!({
            let ref r = x;
            let ref mut s = y;
            match x {
                r => {}
            }
        })));
    }
}
