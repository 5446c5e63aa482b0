//! Renames variables of a block that hide variables around it.
use super::names::bound;
use crate::iterate::substituted;
use crate::parse::tokens::source::words;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use std::collections::{HashMap, HashSet};
use syn::parse::Parser;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Arm, Block, Expr, ExprClosure, ExprForLoop, Item, Pat, Stmt};

/// Whether a block names a field of a struct, or a label, like a variable: renaming would change it.
pub fn names_members(block: &Block, name: &str) -> bool {
    struct Members<'n> {
        name: &'n str,
        found: bool,
    }
    impl<'ast> Visit<'ast> for Members<'_> {
        fn visit_field_pat(&mut self, f: &'ast syn::FieldPat) {
            self.found |= matches!(&f.member, syn::Member::Named(member) if member == self.name);
            visit::visit_field_pat(self, f);
        }
        fn visit_field_value(&mut self, f: &'ast syn::FieldValue) {
            self.found |= matches!(&f.member, syn::Member::Named(member) if member == self.name);
            visit::visit_field_value(self, f);
        }
        fn visit_lifetime(&mut self, l: &'ast syn::Lifetime) {
            self.found |= l.ident == self.name;
        }
    }
    let mut members = Members { name, found: false };
    members.visit_block(block);
    members.found
}

/// Gives every variable of the block that hides one of these names another name.
pub fn renamed(block: &mut Block, names: &HashSet<String>, taken: &[String]) {
    let other = |name: &String| {
        let plain = name.trim_start_matches("r#");
        let other = (1..).map(|n| format!("{plain}_{n}")).find(|other| !taken.contains(other));
        (name.clone(), other.expect("there is no last number"))
    };
    Renames(names.iter().map(other).collect()).visit_block_mut(block);
}

/// The same for the variables of a loop; `false` if tokens don't show all that has these names.
pub fn renamed_in_loop(f: &mut ExprForLoop, names: &HashSet<String>) -> bool {
    struct Formats<'n>(&'n HashSet<String>, bool);
    impl<'ast> Visit<'ast> for Formats<'_> {
        fn visit_macro(&mut self, m: &'ast syn::Macro) {
            let text = m.tokens.to_string();
            self.1 |= self.0.iter().any(|name| text.contains(&format!("{{{name}")));
        }
    }
    let mut block = Block { brace_token: f.body.brace_token, stmts: Vec::new() };
    block.stmts.push(Stmt::Expr(Expr::ForLoop(f.clone()), None));
    let mut formats = Formats(names, false);
    formats.visit_block(&block);
    if names.is_empty() || formats.1 || names.iter().any(|name| names_members(&block, name)) {
        return false;
    }
    let taken = words(block.to_token_stream());
    renamed(&mut block, names, &taken);
    let Some(Stmt::Expr(Expr::ForLoop(named), _)) = block.stmts.pop() else { return false };
    *f = named;
    true
}

struct Renames(HashMap<String, String>);

impl Renames {
    /// The names that a pattern binds, with their others.
    fn of(&self, pats: &[&Pat]) -> HashMap<String, TokenStream> {
        let bound: Vec<String> = pats.iter().flat_map(|pat| bound(pat)).collect();
        let span = pats.first().map_or_else(proc_macro2::Span::call_site, syn::spanned::Spanned::span);
        let other =
            |(name, other): (&String, &String)| (name.clone(), Ident::new(other, span).into_token_stream());
        self.0.iter().filter(|(name, _)| bound.contains(*name)).map(other).collect()
    }
}

impl Renames {
    /// Renames what the patterns of a condition bind: `names` has them for what comes after.
    fn condition(&self, cond: &mut Expr, names: &mut HashMap<String, TokenStream>) {
        match cond {
            Expr::Binary(b) if matches!(b.op, syn::BinOp::And(_)) => {
                self.condition(&mut b.left, names);
                self.condition(&mut b.right, names);
            }
            Expr::Paren(p) => self.condition(&mut p.expr, names),
            Expr::Let(l) => {
                self.condition(&mut l.expr, names);
                let own = self.of(&[&l.pat]);
                let pat = substituted(l.pat.to_token_stream(), &own);
                if let Ok(named) = Pat::parse_multi_with_leading_vert.parse2(pat) {
                    *l.pat = named;
                }
                names.extend(own);
            }
            other if !names.is_empty() => {
                if let Ok(named) = syn::parse2(substituted(other.to_token_stream(), names)) {
                    *other = named;
                }
            }
            _ => {}
        }
    }

    /// Renames what a condition binds, in it and in the block that it decides.
    fn under(&self, cond: &mut Expr, block: &mut Block) {
        let mut names = HashMap::new();
        self.condition(cond, &mut names);
        if let (false, Ok(named)) =
            (names.is_empty(), syn::parse2(substituted(block.to_token_stream(), &names)))
        {
            *block = named;
        }
    }
}

impl VisitMut for Renames {
    fn visit_block_mut(&mut self, b: &mut Block) {
        visit_mut::visit_block_mut(self, b);
        let mut at = 0;
        while at < b.stmts.len() {
            if let Stmt::Local(l) = &mut b.stmts[at] {
                let names = self.of(&[&l.pat]);
                if !names.is_empty() {
                    let pat = substituted(l.pat.to_token_stream(), &names);
                    // (A `Pat` of a `let` may have a type.)
                    if let Ok(Stmt::Local(named)) = syn::parse2::<Stmt>(quote!(let #pat;)) {
                        l.pat = named.pat;
                    }
                    let rest: TokenStream = b.stmts.drain(at + 1..).map(|s| s.to_token_stream()).collect();
                    let rest = substituted(rest, &names);
                    if let Ok(rest) = syn::parse2::<Block>(quote!({ #rest })) {
                        b.stmts.extend(rest.stmts);
                    }
                }
            }
            at += 1;
        }
    }

    fn visit_expr_closure_mut(&mut self, c: &mut ExprClosure) {
        visit_mut::visit_expr_closure_mut(self, c);
        let names = self.of(&c.inputs.iter().collect::<Vec<_>>());
        if let Ok(named) = syn::parse2(substituted(c.to_token_stream(), &names)) {
            *c = named;
        }
    }

    fn visit_expr_for_loop_mut(&mut self, f: &mut ExprForLoop) {
        visit_mut::visit_expr_for_loop_mut(self, f);
        let names = self.of(&[&f.pat]);
        let (label, items) = (&f.label, &f.expr);
        let (pat, body) =
            (substituted(f.pat.to_token_stream(), &names), substituted(f.body.to_token_stream(), &names));
        if let Ok(Expr::ForLoop(mut named)) = syn::parse2(quote!(#label for #pat in (#items) #body)) {
            (named.attrs, named.expr) = (f.attrs.clone(), f.expr.clone());
            *f = named;
        }
    }

    fn visit_arm_mut(&mut self, a: &mut Arm) {
        visit_mut::visit_arm_mut(self, a);
        let names = self.of(&[&a.pat]);
        if let Ok(named) = syn::parse2(substituted(a.to_token_stream(), &names)) {
            *a = named;
        }
    }

    fn visit_expr_if_mut(&mut self, i: &mut syn::ExprIf) {
        visit_mut::visit_expr_if_mut(self, i);
        self.under(&mut i.cond, &mut i.then_branch);
    }

    fn visit_expr_while_mut(&mut self, w: &mut syn::ExprWhile) {
        visit_mut::visit_expr_while_mut(self, w);
        self.under(&mut w.cond, &mut w.body);
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}
