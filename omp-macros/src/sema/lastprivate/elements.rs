//! The elements of a `lastprivate` array that every iteration assigns.
//!
//! The places that are assigned at the end of an iteration are known as text, and `a[k]` in two loops of different
//! lengths has the same text. So an element counts only if its text determines it: its subscripts contain only numbers,
//! values that iterations don't change, and variables of enclosing sequential loops. Such a loop has the same values in
//! every iteration, ends only at its head, and shares its variable's name with nothing else. Under a condition, no two
//! loops may have a name in common.
use super::super::updates::is_assignment;
use crate::ast::{Clauses, LoopHead};
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprForLoop, Pat};

/// Texts of places.
pub(super) struct Elements {
    /// Assigned where neither a loop nor a condition is around.
    always: HashSet<String>,
    alike: HashSet<String>,
    others: HashSet<String>,
}

impl Elements {
    /// Whether an element of this text is one that all iterations assign, if they assign any of this text.
    pub(super) fn are_alike(&self, place: &str) -> bool {
        self.always.contains(place) || self.alike.contains(place) && !self.others.contains(place)
    }
}

pub(super) fn of(clauses: &Clauses, loops: &[LoopHead], body: &Block) -> Elements {
    let own = clauses.private.iter().chain(&clauses.firstprivate).chain(&clauses.lastprivate);
    // Iterations have other values of what they carry on, too.
    let carried = clauses.reductions.iter().chain(&clauses.scans).flat_map(|r| &r.items);
    let mut names = Names(HashMap::new());
    names.visit_block(body);
    loops.iter().filter_map(|l| l.var.as_ref()).for_each(|var| names.count(&var.to_string()));
    own.chain(carried).for_each(|item| names.count(item.key.split('.').next().unwrap_or_default()));
    let found = Elements { always: HashSet::new(), alike: HashSet::new(), others: HashSet::new() };
    let mut walk = Walk { names: names.0, loops: Vec::new(), unsteady: 0, conditions: 0, found };
    walk.visit_block(body);
    walk.found
}

/// How often a name is bound.
#[derive(Clone, Copy, Default)]
struct Bound {
    /// By sequential loops.
    loops: usize,
    otherwise: usize,
}

struct Names(HashMap<String, Bound>);

impl Names {
    fn count(&mut self, name: &str) {
        self.0.entry(name.to_owned()).or_default().otherwise += 1;
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_expr_for_loop(&mut self, f: &'ast ExprForLoop) {
        if let Pat::Ident(p) = &*f.pat {
            self.0.entry(p.ident.to_string()).or_default().loops += 1;
        } else {
            self.visit_pat(&f.pat);
        }
        self.visit_expr(&f.expr);
        self.visit_block(&f.body);
    }

    fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
        self.count(&p.ident.to_string());
        visit::visit_pat_ident(self, p);
    }

    /// In another branch the name may be another's.
    fn visit_item_const(&mut self, c: &'ast syn::ItemConst) {
        self.count(&c.ident.to_string());
    }
}

struct Walk {
    names: HashMap<String, Bound>,
    /// The sequential loops around: their variables, and whether there surely are iterations.
    loops: Vec<(String, bool)>,
    /// Loops around of which nothing is known.
    unsteady: usize,
    conditions: usize,
    found: Elements,
}

impl Walk {
    /// Whether these tokens mean the same in every iteration, for given values of the loops around.
    fn is_steady(&self, tokens: TokenStream) -> bool {
        tokens.into_iter().all(|tree| match tree {
            proc_macro2::TokenTree::Ident(i) => {
                let name = i.to_string();
                let bound = self.names.get(&name).copied().unwrap_or_default();
                let here = self.loops.iter().any(|(var, _)| *var == name);
                bound.otherwise == 0
                    && (bound.loops == 0 || here && (self.conditions == 0 || bound.loops == 1))
            }
            proc_macro2::TokenTree::Group(g) => self.is_steady(g.stream()),
            proc_macro2::TokenTree::Punct(_) | proc_macro2::TokenTree::Literal(_) => true,
        })
    }

    /// The variable of a loop that has the same values in every iteration, and whether it has some.
    fn steady(&self, f: &ExprForLoop) -> Option<(String, bool)> {
        let Pat::Ident(p) = &*f.pat else { return None };
        if p.mutability.is_some() || !self.is_steady(f.expr.to_token_stream()) || leaves(&f.body) {
            return None;
        }
        let number = |e: &Option<Box<Expr>>| match e.as_deref() {
            Some(Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(n), .. })) => n.base10_parse::<u128>().ok(),
            _ => None,
        };
        let some = match &*f.expr {
            Expr::Range(r) => match (number(&r.start), number(&r.end)) {
                (Some(lo), Some(hi)) => {
                    lo < hi || lo == hi && matches!(r.limits, syn::RangeLimits::Closed(_))
                }
                _ => false,
            },
            _ => false,
        };
        Some((p.ident.to_string(), some))
    }

    fn assigned(&mut self, left: &Expr) {
        match left {
            Expr::Tuple(t) => t.elems.iter().for_each(|e| self.assigned(e)),
            Expr::Array(a) => a.elems.iter().for_each(|e| self.assigned(e)),
            Expr::Struct(s) => s.fields.iter().for_each(|f| self.assigned(&f.expr)),
            Expr::Paren(p) => self.assigned(&p.expr),
            place => {
                let text = place.to_token_stream().to_string();
                let subscripts = subscripts(place);
                let named = |var: &str| subscripts.iter().any(|tokens| names(tokens.clone(), var));
                let alike = self.unsteady == 0
                    && subscripts.iter().all(|tokens| self.is_steady(tokens.clone()))
                    && self.loops.iter().all(|(var, some)| *some || named(var));
                if !alike {
                    self.found.others.insert(text);
                    return;
                }
                if self.loops.is_empty() && self.conditions == 0 {
                    self.found.always.insert(text.clone());
                }
                self.found.alike.insert(text);
            }
        }
    }

    fn under_condition(&mut self, walk: impl FnOnce(&mut Self)) {
        self.conditions += 1;
        walk(self);
        self.conditions -= 1;
    }

    fn under_unsteady(&mut self, walk: impl FnOnce(&mut Self)) {
        self.unsteady += 1;
        walk(self);
        self.unsteady -= 1;
    }
}

impl<'ast> Visit<'ast> for Walk {
    fn visit_expr(&mut self, e: &'ast Expr) {
        match e {
            Expr::Assign(a) => self.assigned(&a.left),
            Expr::Binary(b) if is_assignment(&b.op) => self.assigned(&b.left),
            _ => {}
        }
        match e {
            Expr::ForLoop(f) => match self.steady(f) {
                Some(known) => {
                    self.loops.push(known);
                    visit::visit_expr(self, e);
                    self.loops.pop();
                }
                None => self.under_unsteady(|w| visit::visit_expr(w, e)),
            },
            Expr::While(_) | Expr::Loop(_) | Expr::Closure(_) => {
                self.under_unsteady(|w| visit::visit_expr(w, e));
            }
            // A block with a label may be left before its end.
            Expr::If(_) | Expr::Match(_) | Expr::Block(_) | Expr::Binary(_) => {
                self.under_condition(|w| visit::visit_expr(w, e));
            }
            _ => visit::visit_expr(self, e),
        }
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

/// The subscripts of a place.
fn subscripts(place: &Expr) -> Vec<TokenStream> {
    match place {
        Expr::Index(x) => {
            let mut all = subscripts(&x.expr);
            all.push(x.index.to_token_stream());
            all
        }
        Expr::Field(f) => subscripts(&f.base),
        Expr::Paren(p) => subscripts(&p.expr),
        Expr::Group(g) => subscripts(&g.expr),
        _ => Vec::new(),
    }
}

fn names(tokens: TokenStream, name: &str) -> bool {
    tokens.into_iter().any(|tree| match tree {
        proc_macro2::TokenTree::Ident(i) => i == name,
        proc_macro2::TokenTree::Group(g) => names(g.stream(), name),
        proc_macro2::TokenTree::Punct(_) | proc_macro2::TokenTree::Literal(_) => false,
    })
}

/// Whether a loop may end, or go on, before its body's end.
fn leaves(body: &Block) -> bool {
    struct Find(bool);
    impl<'ast> Visit<'ast> for Find {
        fn visit_expr(&mut self, e: &'ast Expr) {
            self.0 |= matches!(e, Expr::Break(_) | Expr::Continue(_) | Expr::Return(_) | Expr::Try(_));
            visit::visit_expr(self, e);
        }
    }
    let mut find = Find(false);
    find.visit_block(body);
    find.0
}
