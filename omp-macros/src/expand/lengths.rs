//! The lengths of fixed arrays, where the tokens of a function tell them.
use std::collections::{HashMap, HashSet};
use syn::visit::{self, Visit};
use syn::{Block, Expr, FnArg, Local, Pat, Signature, Type};

/// By name, where all variables of that name have the same. A length that is the name of a const tells nothing where a
/// block defines another of that name.
pub fn of(sig: &Signature, body: &Block) -> Vec<(String, Vec<String>)> {
    let mut find = Find::default();
    for input in &sig.inputs {
        match input {
            FnArg::Typed(arg) => find.bound(&arg.pat, of_type(&arg.ty)),
            FnArg::Receiver(_) => {}
        }
    }
    find.visit_block(body);
    let hidden = std::mem::take(&mut find.consts);
    let same = |(name, all): (String, Vec<Vec<String>>)| {
        let first = all.first()?.clone();
        let tells = all.iter().all(|l| *l == first) && !first.iter().any(|n| hidden.contains(n));
        (!first.is_empty() && tells).then_some((name, first))
    };
    find.lengths.into_iter().filter_map(same).collect()
}

/// Lengths by name; none where a variable is no array of a known length.
#[derive(Default)]
struct Find {
    lengths: HashMap<String, Vec<Vec<String>>>,
    /// The blocks around.
    blocks: usize,
    /// The consts that blocks inside of the body define.
    consts: HashSet<String>,
}

impl Find {
    fn bound(&mut self, pat: &Pat, lengths: Vec<String>) {
        match pat {
            Pat::Ident(p) if p.subpat.is_none() => {
                self.lengths.entry(p.ident.to_string()).or_default().push(lengths);
            }
            Pat::Type(t) => self.bound(&t.pat, of_type(&t.ty)),
            pat => self.visit_pat(pat),
        }
    }
}

impl<'ast> Visit<'ast> for Find {
    fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
        self.lengths.entry(p.ident.to_string()).or_default().push(vec![]);
        visit::visit_pat_ident(self, p);
    }

    fn visit_local(&mut self, l: &'ast Local) {
        if let Some(init) = &l.init {
            self.visit_expr(&init.expr);
            if let Some((_, diverge)) = &init.diverge {
                self.visit_expr(diverge);
            }
        }
        match &l.pat {
            Pat::Type(_) => self.bound(&l.pat, vec![]),
            pat => self.bound(pat, l.init.as_ref().map(|init| of_value(&init.expr)).unwrap_or_default()),
        }
    }

    fn visit_block(&mut self, b: &'ast Block) {
        self.blocks += 1;
        visit::visit_block(self, b);
        self.blocks -= 1;
    }

    fn visit_item(&mut self, item: &'ast syn::Item) {
        if let (syn::Item::Const(c), 2..) = (item, self.blocks) {
            self.consts.insert(c.ident.to_string());
        }
    }
}

fn of_type(ty: &Type) -> Vec<String> {
    match ty {
        Type::Array(a) => length(&a.len).map(|n| [vec![n], of_type(&a.elem)].concat()).unwrap_or_default(),
        Type::Reference(r) => of_type(&r.elem),
        Type::Paren(p) => of_type(&p.elem),
        Type::Group(g) => of_type(&g.elem),
        _ => vec![],
    }
}

fn of_value(e: &Expr) -> Vec<String> {
    match e {
        Expr::Repeat(r) => length(&r.len).map(|n| [vec![n], of_value(&r.expr)].concat()).unwrap_or_default(),
        Expr::Array(a) => {
            [vec![a.elems.len().to_string()], a.elems.first().map(of_value).unwrap_or_default()].concat()
        }
        Expr::Paren(p) => of_value(&p.expr),
        Expr::Group(g) => of_value(&g.expr),
        _ => vec![],
    }
}

/// A number, or the name of one.
fn length(e: &Expr) -> Option<String> {
    match e {
        Expr::Lit(l) => match &l.lit {
            syn::Lit::Int(n) => Some(n.base10_digits().to_owned()),
            _ => None,
        },
        Expr::Path(p) => p.path.get_ident().map(ToString::to_string),
        Expr::Paren(p) => length(&p.expr),
        Expr::Group(g) => length(&g.expr),
        _ => None,
    }
}
