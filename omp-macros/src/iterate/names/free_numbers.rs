//! Named closures and iterators take the place of their names. `let f = || 200;` with several uses is `let n = 200; let f = || n;` before
//! that, so that the number has one type in all of them.
use crate::iterate::loops::items::statement;
use crate::iterate::loops::walk::Walk;
use crate::iterate::tokens::made;
use crate::parse::tokens::leaves::{idents, mentions};
use crate::sema::syntax::free_numbers;
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::{Block, Expr, ExprClosure, Pat, Stmt};

impl Walk<'_> {
    /// Gives the free numbers of a block's named closures and iterators variables.
    pub(in crate::iterate) fn keep_free_numbers(&mut self, b: &mut Block) {
        let mut at = 0;
        while at < b.stmts.len() {
            let (before, rest) = b.stmts.split_at_mut(at + 1);
            at += 1;
            let Stmt::Local(l) = &mut before[at - 1] else { continue };
            let Pat::Ident(p) = &l.pat else { continue };
            let name = p.ident.to_string();
            if l.init.as_ref().is_none_or(|init| init.diverge.is_some()) || !self.replaces_its_name(l) {
                continue;
            }
            let uses = |s: &Stmt| idents(s.to_token_stream()).filter(|word| *word == name).count();
            if rest.iter().map(uses).sum::<usize>() < 2 {
                continue;
            }
            let Some(init) = &mut l.init else { continue };
            let numbers = self.named_numbers(free_numbers::of_named(&mut init.expr));
            at += numbers.len();
            let here = at - 1 - numbers.len();
            b.stmts.splice(here..here, numbers);
        }
    }

    /// Those of a closure before the region. Their variables are declared where the region begins.
    pub(in crate::iterate) fn keep_outer_numbers(&mut self, c: &mut ExprClosure) {
        let numbers = self.named_numbers(free_numbers::of_closure(c));
        self.outer_numbers.extend(numbers);
    }

    fn named_numbers(&mut self, numbers: Vec<&mut Expr>) -> Vec<Stmt> {
        let mut named = |number: &mut Expr| {
            let name = self.fresh("number", number.span());
            let value = std::mem::replace(number, made(name.to_token_stream()));
            statement(quote_spanned!(name.span()=> let #name = #value;))
        };
        numbers.into_iter().map(&mut named).collect()
    }
}

/// Declares the variables of closures before the region that are called in it.
pub(in crate::iterate) fn declare(b: &mut Block, numbers: Vec<Stmt>) {
    let used = |s: &Stmt| match s {
        Stmt::Local(l) => mentions(b.to_token_stream(), &l.pat.to_token_stream().to_string()),
        _ => false,
    };
    let used: Vec<Stmt> = numbers.into_iter().filter(used).collect();
    b.stmts.splice(0..0, used);
}
