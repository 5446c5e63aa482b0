//! Scalar sums that many statements of a chunk add to one by one on the host: in loops of an iteration, or beside reduced
//! arrays, where iterations don't go in blocks. Beside such a sum stand two numbers (Kahan's sum): where a loop's body
//! begins, what was added since is taken over, and the sum starts again from what changes nothing. Of types that don't
//! round nothing is left of that.
use super::items::Items;
use super::numbered;
use crate::lower::Lowered;
use omp_kernels::ir::template::{Combiner, ReduceOp};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::HashSet;
use syn::visit_mut::{self, VisitMut};

/// The sums of a loop, by position among its items.
pub(super) struct Exact(Vec<usize>);

impl Exact {
    /// Finds them, and puts what takes over at the head of the loops in `block`. `bound`: names that the body binds.
    pub(super) fn of(
        block: &mut syn::Block,
        lowered: &Lowered,
        (vars, generic): (&[Ident], bool),
        bound: &HashSet<String>,
    ) -> Self {
        let items = &lowered.captures.reductions;
        let arrays = items.iter().any(|r| r.array.is_some());
        let mut found = Vec::new();
        for (k, (r, var)) in items.iter().zip(vars).enumerate() {
            let of = lowered.template.reductions.get(k).map(|r| &r.op);
            let sum = matches!(of, Some(Combiner::Builtin(ReduceOp::Add)));
            if !sum || r.array.is_some() || r.carried || r.reproducible || bound.contains(&var.to_string()) {
                continue;
            }
            let like = super::items::of(r, generic, &code!(&#var));
            let mut heads = Heads { var, take: take(k, var, &like), any: false };
            heads.visit_block_mut(block);
            if heads.any || arrays {
                found.push(k);
            }
        }
        Self(found)
    }

    /// Before the loops of a chunk.
    pub(super) fn begin(&self, items: &Items<'_>) -> TokenStream {
        let each = self.0.iter().map(|&k| {
            let (rest, like) = (numbered("rest", k), self.like(k, items));
            code!(let mut #rest = (#like.omp_neutral(), #like.omp_neutral()); let _ = &mut #rest;)
        });
        each.collect()
    }

    /// At the head of an iteration.
    pub(super) fn take(&self, items: &Items<'_>) -> TokenStream {
        self.0.iter().map(|&k| take(k, &items.vars[k], &self.like(k, items))).collect()
    }

    /// After the loops of a chunk: the items are the sums.
    pub(super) fn end(&self, items: &Items<'_>) -> TokenStream {
        let each = self.0.iter().map(|&k| {
            let (rest, like, var) = (numbered("rest", k), self.like(k, items), &items.vars[k]);
            let take = take(k, var, &like);
            code!(#take if #like.omp_rounds() { #var = #rest.0; })
        });
        each.collect()
    }

    fn like(&self, k: usize, items: &Items<'_>) -> TokenStream {
        let var = &items.vars[k];
        super::items::of(&items.items[k], items.generic, &code!(&#var))
    }
}

/// Takes over what was added to an item.
fn take(k: usize, var: &Ident, like: &TokenStream) -> TokenStream {
    let rest = numbered("rest", k);
    code! {
        if #like.omp_rounds() {
            let [__sum, __low, __nothing] = #like.omp_add_exactly([#rest.0, #rest.1, #var]);
            #rest = (__sum, __low);
            #var = __nothing;
        }
    }
}

/// The loops that mention a variable.
struct Heads<'a> {
    var: &'a Ident,
    take: TokenStream,
    any: bool,
}

impl Heads<'_> {
    fn body(&mut self, body: &mut syn::Block) {
        if mentions(body.to_token_stream(), self.var) {
            self.any = true;
            body.stmts.insert(0, syn::Stmt::Expr(syn::Expr::Verbatim(self.take.clone()), None));
        }
    }
}

impl VisitMut for Heads<'_> {
    fn visit_expr_for_loop_mut(&mut self, l: &mut syn::ExprForLoop) {
        visit_mut::visit_expr_for_loop_mut(self, l);
        self.body(&mut l.body);
    }

    fn visit_expr_while_mut(&mut self, l: &mut syn::ExprWhile) {
        visit_mut::visit_expr_while_mut(self, l);
        self.body(&mut l.body);
    }

    fn visit_expr_loop_mut(&mut self, l: &mut syn::ExprLoop) {
        visit_mut::visit_expr_loop_mut(self, l);
        self.body(&mut l.body);
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

fn mentions(tokens: TokenStream, name: &Ident) -> bool {
    tokens.into_iter().any(|t| match t {
        TokenTree::Ident(i) => i == *name,
        TokenTree::Group(g) => mentions(g.stream(), name),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}
