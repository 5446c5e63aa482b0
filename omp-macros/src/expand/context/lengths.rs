//! The lengths of fixed arrays, if the tokens of a function show them.
//!
//! A macro that receives the name of a variable may declare another variable of that name. A macro in the place of a
//! statement, a `use`, or any item except a function may change the meaning of a length's name. In these cases the
//! length is unknown.
use crate::parse::standalone::name_of;
use crate::parse::std_macros::stays;
use crate::parse::tokens::leaves::idents;
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::types::behind_references;
use proc_macro2::TokenStream;
use std::collections::{HashMap, HashSet};
use syn::visit::{self, Visit};
use syn::{Block, Expr, FnArg, Local, Macro, Pat, Signature, Type};

/// By name, where all variables of that name have the same. A const's name is no length where a
/// block may define another const of that name.
pub fn of(sig: &Signature, body: &Block) -> Vec<(String, Vec<String>)> {
    let mut find = Find::default();
    find.visit_block(body);
    let inner = std::mem::take(&mut find.inner);
    for input in &sig.inputs {
        match input {
            // The body's own names are none of the signature's.
            FnArg::Typed(arg) => {
                let known = of_type(&arg.ty).into_iter().take_while(|n| !find.outer.may_define(n)).collect();
                find.bound(&arg.pat, known);
            }
            FnArg::Receiver(_) => {}
        }
    }
    let same = |(name, all): (String, Vec<Vec<String>>)| {
        let first = all.first()?.clone();
        let tells = all.iter().all(|l| *l == first) && !first.iter().any(|n| inner.may_define(n));
        (!first.is_empty() && tells).then_some((name, first))
    };
    find.lengths.into_iter().filter_map(same).collect()
}

/// The consts that blocks define.
#[derive(Default)]
struct Defined {
    consts: HashSet<String>,
    /// Any name may be defined.
    any: bool,
}

impl Defined {
    /// Whether a length may be what they define.
    fn may_define(&self, length: &str) -> bool {
        !length.starts_with(|c: char| c.is_ascii_digit()) && (self.any || self.consts.contains(length))
    }
}

/// Lengths by name; none where a variable is no array of a known length.
#[derive(Default)]
struct Find {
    lengths: HashMap<String, Vec<Vec<String>>>,
    /// The blocks around.
    blocks: usize,
    /// The definitions of the body's own block, and of the blocks inside.
    outer: Defined,
    inner: Defined,
}

impl Find {
    fn defined(&mut self) -> &mut Defined {
        if self.blocks > 1 { &mut self.inner } else { &mut self.outer }
    }

    /// Names in a macro's tokens: the macro may bind other variables of these names.
    fn in_macro(&mut self, tokens: TokenStream) {
        for name in idents(tokens) {
            self.lengths.entry(name.to_string()).or_default().push(vec![]);
        }
    }

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
        let defined = self.defined();
        match item {
            syn::Item::Const(c) => {
                defined.consts.insert(c.ident.to_string());
            }
            syn::Item::Fn(_) | syn::Item::Struct(_) | syn::Item::Impl(_) => {}
            syn::Item::Macro(m) if m.ident.is_some() => {}
            _ => defined.any = true,
        }
    }

    fn visit_stmt_macro(&mut self, m: &'ast syn::StmtMacro) {
        if !stays(&m.mac) && name_of(&m.mac).is_none() {
            self.defined().any = true;
        }
        visit::visit_stmt_macro(self, m);
    }

    fn visit_macro(&mut self, m: &'ast Macro) {
        if !stays(m) && name_of(m).is_none() {
            self.in_macro(m.tokens.clone());
        }
    }
}

fn of_type(ty: &Type) -> Vec<String> {
    match behind_references(ty) {
        Type::Array(a) => length(&a.len).map(|n| [vec![n], of_type(&a.elem)].concat()).unwrap_or_default(),
        _ => vec![],
    }
}

fn of_value(e: &Expr) -> Vec<String> {
    match strip(e) {
        Expr::Repeat(r) => length(&r.len).map(|n| [vec![n], of_value(&r.expr)].concat()).unwrap_or_default(),
        Expr::Array(a) => {
            [vec![a.elems.len().to_string()], a.elems.first().map(of_value).unwrap_or_default()].concat()
        }
        _ => vec![],
    }
}

/// A number, or the name of one.
fn length(e: &Expr) -> Option<String> {
    match strip(e) {
        Expr::Lit(l) => match &l.lit {
            syn::Lit::Int(n) => Some(n.base10_digits().to_owned()),
            _ => None,
        },
        Expr::Path(p) => p.path.get_ident().map(ToString::to_string),
        _ => None,
    }
}
