//! The names in a piece of code: those that its patterns bind, and those that its expressions mention.
use proc_macro2::Ident;
use std::collections::{HashMap, HashSet};
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprPath, Item, Pat, PatIdent, Signature};

/// Names in the order in which they stand. Items in the code have names of their own, and macros are not looked into.
#[derive(Default)]
pub struct Names<'a> {
    /// The variables of patterns.
    pub bound: Vec<&'a PatIdent>,
    /// Variables, consts and functions.
    pub mentioned: Vec<&'a Ident>,
    /// A pattern alone: its guard binds nothing.
    is_pattern: bool,
}

impl<'a> Names<'a> {
    pub fn of_pattern(pat: &'a Pat) -> Self {
        let mut names = Self { is_pattern: true, ..Self::default() };
        names.visit_pat(pat);
        names
    }

    pub fn of_block(block: &'a Block) -> Self {
        let mut names = Self::default();
        names.visit_block(block);
        names
    }

    pub fn of_expr(e: &'a Expr) -> Self {
        let mut names = Self::default();
        names.visit_expr(e);
        names
    }
}

impl<'a> Visit<'a> for Names<'a> {
    fn visit_pat_ident(&mut self, p: &'a PatIdent) {
        self.bound.push(p);
        visit::visit_pat_ident(self, p);
    }

    fn visit_expr(&mut self, e: &'a Expr) {
        if !self.is_pattern {
            visit::visit_expr(self, e);
        }
    }

    fn visit_expr_path(&mut self, p: &'a ExprPath) {
        self.mentioned.extend(p.path.get_ident());
        visit::visit_expr_path(self, p);
    }

    fn visit_item(&mut self, _: &'a Item) {}
}

/// The names that a pattern binds.
pub fn bound(pat: &Pat) -> Vec<String> {
    Names::of_pattern(pat).bound.iter().map(|p| p.ident.to_string()).collect()
}

/// The names that a block binds anywhere.
pub fn bound_in(block: &Block) -> HashSet<String> {
    Names::of_block(block).bound.iter().map(|p| p.ident.to_string()).collect()
}

/// How often the patterns of a function bind each name. A receiver binds `self`.
pub fn times_bound(sig: &Signature, body: &Block) -> HashMap<String, usize> {
    let mut names = Names::default();
    names.visit_signature(sig);
    names.visit_block(body);
    let mut times = HashMap::new();
    names.bound.iter().for_each(|p| *times.entry(p.ident.to_string()).or_default() += 1);
    times.extend(sig.receiver().map(|_| ("self".to_owned(), 1)));
    times
}

/// Whether one of the names stands in an expression.
pub fn mentions_any(e: &Expr, names: &[String]) -> bool {
    Names::of_expr(e).mentioned.iter().any(|i| names.iter().any(|name| **i == *name))
}
