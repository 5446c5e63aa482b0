//! Values of a target block that are not numbers: whole arrays, which are assigned on the device element by element,
//! and branches that give an `Option`, which the host decides.
use super::super::regions::Search;
use crate::sema::syntax::forms::{is_constructor, strip, strip_mut};
use crate::sema::syntax::place;
use crate::sema::syntax::scope;
use crate::sema::syntax::scope::Scopes;
use proc_macro2::{Ident, Span};
use quote::{ToTokens, format_ident, quote_spanned};
use syn::spanned::Spanned as _;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Stmt};

/// Assignments of the block's arrays in statements that one thread of the device runs.
struct ArrayAssignments<'a> {
    arrays: &'a [String],
    hidden: Vec<String>,
    made: usize,
}

impl Scopes for ArrayAssignments<'_> {
    fn hidden(&mut self) -> &mut Vec<String> {
        &mut self.hidden
    }
}

impl ArrayAssignments<'_> {
    fn name(&mut self, word: &str, at: Span) -> Ident {
        self.made += 1;
        format_ident!("__omp_{word}{}", self.made, span = Span::mixed_site().located_at(at))
    }

    /// Whether a place is one of the block's arrays.
    fn is_array(&self, e: &Expr) -> bool {
        let Some(place) = place::of(e).filter(|p| p.subscripts.is_empty()) else { return false };
        self.arrays.contains(&place.key) && !self.hidden.contains(&place.base)
    }
}

impl VisitMut for ArrayAssignments<'_> {
    scope::visits!();

    fn visit_expr_mut(&mut self, e: &mut Expr) {
        visit_mut::visit_expr_mut(self, e);
        let Expr::Assign(a) = &*e else { return };
        if !self.is_array(&a.left) {
            return;
        }
        let (array, value, span) = (reached(&a.left), &*a.right, a.span());
        let (k, name) = (self.name("whole_at", span), self.name("whole_value", span));
        // An array under a name is no value on a device.
        let named = place::of(value).is_some_and(|p| p.subscripts.is_empty());
        // rustc sees no more that they are of one length.
        let length = |from: &dyn ToTokens| quote_spanned!(span=> ::omp::__private::core::assert!(#array.len() == #from.len(), "an array of another length is assigned"););
        *e = made(if named {
            let (value, length) = (reached(value), length(reached(value)));
            quote_spanned!(span=> { #length for #k in 0..#array.len() { #array[#k] = #value[#k]; } })
        } else {
            let length = length(&name);
            quote_spanned!(span=> {
                let #name = #value;
                #length
                for #k in 0..#array.len() { #array[#k] = #name[#k]; }
            })
        });
    }

    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// `x` of `*x`: a subscript sees through a reference.
fn reached(e: &Expr) -> &Expr {
    match strip(e) {
        Expr::Unary(u) => reached(&u.expr),
        other => other,
    }
}

fn made(tokens: proc_macro2::TokenStream) -> Expr {
    syn::parse2(tokens).expect("these tokens are a block")
}

impl Search<'_> {
    /// Has arrays that statements of the device assign as a whole assigned element by element.
    pub(super) fn by_elements(&mut self, block: &mut Block) {
        let (arrays, hidden) = (self.around().arrays.clone(), self.bound_inside().to_vec());
        ArrayAssignments { arrays: &arrays, hidden, made: 0 }.visit_block_mut(block);
    }

    /// A value that the host decides on, as the branches give `Option`s or their like.
    pub(super) fn branches(&mut self, e: &mut Expr) {
        match strip_mut(e) {
            Expr::Block(b) => self.with_value(&mut b.block),
            Expr::If(i) => {
                self.within(None, |search| {
                    search.condition(&mut i.cond);
                    search.with_value(&mut i.then_branch);
                });
                if let Some((_, els)) = &mut i.else_branch {
                    self.branches(els);
                }
            }
            Expr::Match(m) => self.arms(m, Self::branches),
            other => self.host(other),
        }
    }

    /// A `match` whose value the host computes, with something done to what each arm gives.
    pub(super) fn arms(&mut self, m: &mut syn::ExprMatch, each: impl Fn(&mut Self, &mut Expr)) {
        self.host(&mut m.expr);
        for syn::Arm { pat, body, .. } in &mut m.arms {
            self.within(Some(&pat.clone()), |search| {
                if let syn::Pat::Guard(g) = pat {
                    search.host(&mut g.guard);
                }
                each(search, body);
            });
        }
    }

    /// A block and its value.
    fn with_value(&mut self, b: &mut Block) {
        let value = match b.stmts.last() {
            Some(Stmt::Expr(_, None)) => b.stmts.pop(),
            _ => None,
        };
        self.within(None, |search| {
            search.in_order(b);
            if let Some(Stmt::Expr(mut e, semi)) = value {
                search.branches(&mut e);
                b.stmts.push(Stmt::Expr(e, semi));
            }
        });
    }
}

/// Whether a choice gives a variant or tuple struct somewhere: `if c { Some(y[0]) } else { None }`.
pub(super) fn gives_variant(e: &Expr) -> bool {
    fn block(b: &Block) -> bool {
        matches!(b.stmts.last(), Some(Stmt::Expr(e, None)) if variant(e))
    }
    fn variant(e: &Expr) -> bool {
        match e {
            Expr::Call(c) => is_constructor(&c.func),
            Expr::Path(p) => p.path.segments.last().is_some_and(|s| s.ident == "None"),
            other => gives_variant(other),
        }
    }
    let e = strip(e);
    match e {
        Expr::Block(b) => block(&b.block),
        Expr::If(i) => block(&i.then_branch) || i.else_branch.as_ref().is_some_and(|(_, e)| variant(e)),
        Expr::Match(m) => m.arms.iter().any(|arm| variant(&arm.body)),
        _ => false,
    }
}
