//! `lastprivate`: each iteration has a copy, and the copy of the sequentially last iteration is kept.
//!
//! A last statement is added to the body, `if i == END { kept[0] = last; }`: `END` is the loop variable's last value,
//! and `kept` is an array of one element that only this iteration writes. So devices need nothing new for it.
//!
//! The serial loop leaves the value that was assigned last. That is the copy of the last iteration if every iteration
//! assigns the same parts of the variable, which definite assignment decides where the statement reads the copy
//! (`copies.rs`). If a variable is assigned as a whole, but not in every iteration, a flag records whether the last
//! iteration assigned it; if not, that is an error at run time. All other cases are compile errors.
use crate::ast::Item;
use crate::sema::CheckedRegion;
use crate::sema::scan::Scan;
use crate::sema::syntax::jumps::{Open, visit_inside};
use proc_macro2::{Ident, Span};
use quote::{format_ident, quote, quote_spanned};
use syn::parse::Parser;
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, Lifetime, Stmt};

/// How the arrays begin that hold what the last iteration leaves.
const KEPT: &str = "__omp_last";

/// A `lastprivate` variable.
#[derive(Clone)]
pub struct Last {
    /// The variable.
    pub place: Expr,
    /// The array of one element where the last iteration leaves its copy.
    pub array: Ident,
}

/// Gives a region's body its last statement. Run when nothing was reported.
pub fn prepare(region: &mut CheckedRegion) {
    let items = region.directive.clauses.lastprivate.clone();
    if items.is_empty() {
        return;
    }
    let here = |name: String, span: Span| Ident::new(&name, Span::mixed_site().located_at(span));
    let mut kept = Vec::new();
    for (n, item) in items.iter().enumerate() {
        let (span, place) = (item.span, &item.place);
        let array = here(format!("{KEPT}{n}"), span);
        region.prelude.extend(statements(quote_spanned!(span=> let mut #array = [#place];)));
        kept.push(quote_spanned!(span=> #array[0] = #place;));
        let own: Expr = syn::parse_quote!(#array);
        let hidden = Item { place: own, key: array.to_string(), sections: vec![], span };
        region.directive.clauses.trust_disjoint.push(hidden);
        region.lasts.push(Last { place: place.clone(), array });
    }
    let mut body = region.body.clone();
    // The statements of a scan before those of the body remain in front.
    let scan: Vec<Stmt> = body.stmts.drain(..if region.scan.is_some() { Scan::PREFIX } else { 0 }).collect();
    let label = region.loops.last().and_then(|l| l.label.as_ref()).map(|l| l.name.ident.to_string());
    let iteration =
        Lifetime { apostrophe: Span::mixed_site(), ident: here("__omp_iteration".into(), Span::call_site()) };
    let mut ends = Ends { own: label, iteration: &iteration, inside: Open::default(), found: false };
    ends.visit_block_mut(&mut body);
    let body = if ends.found { quote!(#iteration: #body) } else { quote!(#body) };
    let (mut conditions, mut ends) = (Vec::new(), Vec::new());
    for (n, head) in region.loops.iter_mut().enumerate() {
        let span = head.var_span;
        let end = here(end_name(n).to_string(), span);
        ends.extend(statements(quote_spanned!(span=> let mut #end = ::omp::__private::zero();)));
        let var = head.var.get_or_insert_with(|| here(format!("__omp_at_end{n}"), span)).clone();
        conditions.push(quote_spanned!(span=> #var == #end));
    }
    region.prelude.append(&mut ends);
    region.body = syn::parse_quote!({ #(#scan)* #body if #(#conditions)&&* { #(#kept)* } });
}

fn statements(tokens: proc_macro2::TokenStream) -> Vec<Stmt> {
    Block::parse_within.parse2(tokens).expect("these tokens are statements")
}

/// `continue` of the parallel loop goes to the end of the iteration.
struct Ends<'l> {
    own: Option<String>,
    iteration: &'l Lifetime,
    /// Sequential loops and blocks around.
    inside: Open,
    found: bool,
}

impl VisitMut for Ends<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        visit_inside(self, |ends| &mut ends.inside, e);
        let Expr::Continue(c) = e else { return };
        let own = |l: &Lifetime| self.own.as_deref() == Some(&*l.ident.to_string());
        let ends = !self.inside.stays(c.label.as_ref()) && c.label.as_ref().is_none_or(own);
        if ends {
            self.found = true;
            let iteration = self.iteration;
            *e = syn::parse_quote!(break #iteration);
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// The loops' last values, by number of the loop.
pub fn end_name(n: usize) -> Ident {
    format_ident!("__omp_last_turn{n}", span = Span::mixed_site())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `continue 'a` means the innermost loop of that label.
    #[test]
    fn inner_loops_hide_the_label() {
        let mut body: Block = syn::parse_quote!({
            'a: for j in 0..3 {
                if j == 1 {
                    continue 'a;
                }
            }
            if t == 2 {
                continue 'a;
            }
        });
        let iteration: Lifetime = syn::parse_quote!('iteration);
        let own = Some("a".to_owned());
        let mut ends = Ends { own, iteration: &iteration, inside: Open::default(), found: false };
        ends.visit_block_mut(&mut body);
        assert!(ends.found);
        let expected: Block = syn::parse_quote!({
            'a: for j in 0..3 {
                if j == 1 {
                    continue 'a;
                }
            }
            if t == 2 {
                break 'iteration;
            }
        });
        assert_eq!(body, expected);
    }
}
