//! Parameters that a `let` hides before the first directive of a function: `let grid = &*grid;`. The analyses know variables by their names, so
//! that such a parameter has another name while they run.
use crate::iterate::substituted;
use crate::parse::directive;
use crate::parse::tokens::leaves::{idents, mentions};
use crate::sema::syntax::names::bound_in;
use crate::sema::syntax::shadowing::names_members;
use crate::visits::{self, Node};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use std::collections::HashMap;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, FnArg, Local, Pat, Signature, Stmt};

/// The parameters' own names, by the others.
pub(super) struct HiddenParameters(HashMap<String, TokenStream>);

impl HiddenParameters {
    /// Gives them other names.
    pub fn rename(sig: &mut Signature, body: &mut Block) -> Self {
        let mut found = Self(HashMap::new());
        let directives = body.stmts.iter().position(has_directive).unwrap_or(body.stmts.len());
        for at in 0..directives {
            let Stmt::Local(l) = &body.stmts[at] else { continue };
            let Some(name) = plain_name(l).filter(|name| may_be_renamed(name, at, body)) else { continue };
            let inputs = sig.inputs.to_token_stream();
            let param = sig.inputs.iter_mut().find_map(|input| match input {
                FnArg::Typed(arg) => match &mut *arg.pat {
                    Pat::Ident(p) if p.ident == name && p.subpat.is_none() => Some(&mut p.ident),
                    _ => None,
                },
                FnArg::Receiver(_) => None,
            });
            let Some(param) = param else { continue };
            // (A format names variables in its text.)
            let taken = quote!(#inputs #body).to_string();
            let other = (1..).map(|n| format!("{name}_{n}")).find(|other| !taken.contains(other));
            let other = Ident::new(&other.expect("there is no last number"), param.span());
            let names = HashMap::from([(name.to_string(), other.to_token_stream())]);
            let before = body.stmts[..at].iter().map(|s| substituted(s.to_token_stream(), &names));
            let Ok(before) = syn::parse2::<Block>(quote!({ #(#before)* })) else { continue };
            let Stmt::Local(Local { init: Some(init), .. }) = &mut body.stmts[at] else { continue };
            let Ok(value) = syn::parse2(substituted(init.expr.to_token_stream(), &names)) else { continue };
            *init.expr = value;
            body.stmts.splice(..at, before.stmts);
            found.0.insert(other.to_string(), std::mem::replace(param, other).to_token_stream());
        }
        found
    }

    /// Gives them their own names back.
    pub fn restore(self, sig: &mut Signature, body: &mut Block) {
        if !self.0.is_empty() {
            let mut restore = Restore(self.0);
            restore.visit_signature_mut(sig);
            restore.visit_block_mut(body);
        }
    }
}

/// The name that a `let` binds to a value, and nothing else.
fn plain_name(l: &Local) -> Option<Ident> {
    let pat = if let Pat::Type(t) = &l.pat { &*t.pat } else { &l.pat };
    l.init.as_ref().filter(|init| init.diverge.is_none())?;
    match pat {
        Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => Some(p.ident.clone()),
        _ => None,
    }
}

/// Whether a name means the parameter up to the statement that hides it, and tokens alone show where.
fn may_be_renamed(name: &Ident, at: usize, body: &Block) -> bool {
    let mut before = Block { brace_token: body.brace_token, stmts: body.stmts[..at].to_vec() };
    if let Stmt::Local(Local { init: Some(init), .. }) = &body.stmts[at] {
        before.stmts.push(Stmt::Expr((*init.expr).clone(), None));
    }
    let name = name.to_string();
    let unclear = visits::any(&before, |node| match node {
        // (A format names variables in its text.)
        Node::Macro(m) => m.tokens.to_string().contains(&name),
        Node::Item(i) => mentions(i.to_token_stream(), &name),
        _ => false,
    });
    !unclear && !bound_in(&before).contains(&name) && !names_members(&before, &name)
}

fn has_directive(s: &Stmt) -> bool {
    let mut found = false;
    visits::walk(s, |node| {
        found |= matches!(node, Node::Attribute(a) if directive::is_ours(a));
        !matches!(node, Node::Item(_))
    });
    found
}

struct Restore(HashMap<String, TokenStream>);

impl VisitMut for Restore {
    fn visit_ident_mut(&mut self, i: &mut Ident) {
        if let Some(own) = self.0.get(&i.to_string()).and_then(|own| idents(own.clone()).next()) {
            *i = Ident::new(&own.to_string(), i.span());
        }
    }

    fn visit_expr_mut(&mut self, e: &mut Expr) {
        match e {
            Expr::Verbatim(tokens) => *tokens = substituted(std::mem::take(tokens), &self.0),
            e => visit_mut::visit_expr_mut(self, e),
        }
    }

    fn visit_macro_mut(&mut self, m: &mut syn::Macro) {
        m.tokens = substituted(std::mem::take(&mut m.tokens), &self.0);
    }
}
