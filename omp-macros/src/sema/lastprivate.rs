//! `lastprivate`: each iteration has a copy, and the copy of the sequentially last iteration is kept.
//!
//! A last statement is added to the body, `if i == END { kept[0] = last; }`: `END` is the loop variable's last value,
//! and `kept` is an array of one element that only this iteration writes. So devices need nothing new for it.
//!
//! The serial loop leaves the value that was assigned last. That is the copy of the last iteration if every iteration
//! assigns the same parts of the variable. If a variable is assigned as a whole, but not in every iteration, a flag
//! tells whether the last iteration assigned it; if not, that is an error at run time. All other cases are compile
//! errors.
mod elements;

use super::place::{self, covers, item_key};
use super::scope::{self, Scopes};
use super::uses::{Use, Uses};
use crate::ast::{Clauses, InnerLoop, Item, Last, LoopHead, Region, Scan};
use crate::diag::{Code, Sink};
use proc_macro2::{Ident, Span};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::parse::Parser;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Lifetime, Stmt};

/// How the arrays begin that hold what the last iteration leaves.
pub const KEPT: &str = "__omp_last";

/// How an iteration assigns a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Assigned {
    /// Every iteration assigns the same parts.
    Alike,
    /// All of it, in some iterations.
    Sometimes,
    /// Other parts in other iterations.
    Partly,
}

/// Reports variables of which no iteration's copy is what the loop leaves.
pub fn check(region: &Region, uses: &Uses, sink: &mut Sink) {
    for item in &region.directive.clauses.lastprivate {
        let key = item_key(item);
        if !uses.body.iter().any(|u| u.writes() && (covers(&key, &u.key) || covers(&u.key, &key))) {
            let message = format!("`{key}` is `lastprivate`, but no iteration assigns it");
            let note = "after the loop, the variable has the value that the last iteration assigned";
            sink.error_at(Code::LastUnassigned, &item.place, message)
                .note(None, note)
                .help(format!("assign `{key}` in the body, or take it out of the clause"));
            continue;
        }
        if assigned(Loop::of(region), item, uses) == Assigned::Partly {
            partly(item, uses, sink);
        }
    }
}

/// The same of an inner loop on several threads, behind which nobody asks whether the last iteration assigned its copy: all do.
pub fn inner(inner: &InnerLoop, uses: &Uses, sink: &mut Sink) {
    for item in &inner.directive.clauses.lastprivate {
        let of = Loop { clauses: &inner.directive.clauses, heads: &inner.loops, body: &inner.body };
        if assigned(of, item, uses) != Assigned::Alike {
            partly(item, uses, sink);
        }
    }
}

fn partly(item: &Item, uses: &Uses, sink: &mut Sink) {
    let key = item_key(item);
    let write = uses.body.iter().find(|u| u.writes() && covers(&key, &u.key));
    let at = write.map_or_else(|| item.place.to_token_stream(), |w| w.tokens.clone());
    let message = format!(
        "race: `{key}` is `lastprivate`, but not every iteration assigns the same parts of it: parts that the last iteration does not assign have values of earlier ones"
    );
    sink.error_at(Code::ScalarRace, at, message)
        .note(Some(item.span), "the clause is here")
        .help(format!("assign all of `{key}` in every iteration, or the same parts without conditions"));
}

/// The loop whose last iteration's copies are kept.
#[derive(Clone, Copy)]
struct Loop<'l> {
    clauses: &'l Clauses,
    heads: &'l [LoopHead],
    body: &'l Block,
}

impl<'l> Loop<'l> {
    fn of(region: &'l Region) -> Self {
        Self { clauses: &region.directive.clauses, heads: &region.loops, body: &region.body }
    }
}

fn assigned(of: Loop<'_>, item: &Item, uses: &Uses) -> Assigned {
    let key = item_key(item);
    let writes: Vec<&Use> = uses.body.iter().filter(|u| u.writes() && covers(&key, &u.key)).collect();
    let elements = elements::of(of.clauses, of.heads, of.body);
    let alike = |u: &&Use| {
        let surely = uses.at_end.iter().any(|k| u.path.starts_with(k));
        surely && (!u.element || u.statement.is_some() && elements.are_alike(&u.tokens.to_string()))
    };
    let whole = |u: &&Use| !u.element && u.key == key && u.statement.is_some();
    if writes.iter().all(alike) {
        Assigned::Alike
    } else if writes.iter().all(whole) {
        Assigned::Sometimes
    } else {
        Assigned::Partly
    }
}

/// Gives a region's body its last statement. Run when nothing was reported.
pub fn prepare(region: &mut Region, uses: &Uses) {
    let items = region.directive.clauses.lastprivate.clone();
    if items.is_empty() {
        return;
    }
    let here = |name: String, span: Span| Ident::new(&name, Span::mixed_site().located_at(span));
    let mut flags = Vec::new();
    let mut kept = Vec::new();
    for (n, item) in items.iter().enumerate() {
        let (span, place) = (item.span, &item.place);
        let array = here(format!("{KEPT}{n}"), span);
        region.prelude.extend(statements(quote_spanned!(span=> let mut #array = [#place];)));
        let assigned = if assigned(Loop::of(region), item, uses) == Assigned::Sometimes {
            let flag = here(format!("__omp_set{n}"), span);
            let text = format!(
                "the last iteration does not assign `{}`, which is `lastprivate`: its value after the loop would be an earlier iteration's",
                item.key
            );
            flags.push((item_key(item), flag.clone()));
            quote_spanned!(span=> if !#flag { ::omp::__private::core::panic!(#text); })
        } else {
            quote!()
        };
        kept.push(quote_spanned!(span=> #assigned #array[0] = #place;));
        let own: Expr = syn::parse_quote!(#array);
        let hidden = Item { place: own, key: array.to_string(), sections: vec![], span };
        region.directive.clauses.trust_disjoint.push(hidden);
        region.lasts.push(Last { place: place.clone(), array });
    }
    let mut body = region.body.clone();
    // What a scan does before its statements stays in front.
    let scan: Vec<Stmt> = body.stmts.drain(..if region.scan.is_some() { Scan::AHEAD } else { 0 }).collect();
    Flags { flags: &flags, hidden: Vec::new() }.visit_block_mut(&mut body);
    let label = region.loops.last().and_then(|l| l.label.as_ref()).map(|l| l.name.ident.to_string());
    let iteration =
        Lifetime { apostrophe: Span::mixed_site(), ident: here("__omp_iteration".into(), Span::call_site()) };
    let mut ends = Ends { own: label, iteration: &iteration, loops: 0, hiding: 0, found: false };
    ends.visit_block_mut(&mut body);
    let body = if ends.found { quote!(#iteration: #body) } else { quote!(#body) };
    let mut conditions = Vec::new();
    for (n, head) in region.loops.iter_mut().enumerate() {
        let span = head.var_span;
        let end = here(end_name(n).to_string(), span);
        region.prelude.extend(statements(quote_spanned!(span=> let mut #end = ::omp::__private::zero();)));
        let var = head.var.get_or_insert_with(|| here(format!("__omp_at_end{n}"), span)).clone();
        conditions.push(quote_spanned!(span=> #var == #end));
    }
    let flags = flags.iter().map(|(_, flag)| quote!(let mut #flag = false;));
    region.body = syn::parse_quote!({ #(#scan)* #(#flags)* #body if #(#conditions)&&* { #(#kept)* } });
}

fn statements(tokens: proc_macro2::TokenStream) -> Vec<Stmt> {
    Block::parse_within.parse2(tokens).expect("these tokens are statements")
}

/// Sets a flag where a variable is assigned.
struct Flags<'f> {
    flags: &'f [(String, Ident)],
    /// Names that stand for something else.
    hidden: Vec<String>,
}

impl Scopes for Flags<'_> {
    fn hidden(&mut self) -> &mut Vec<String> {
        &mut self.hidden
    }
}

impl VisitMut for Flags<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        visit_mut::visit_expr_mut(self, e);
        let left = match e {
            Expr::Assign(a) => &*a.left,
            Expr::Binary(b) if super::updates::is_assignment(&b.op) => &*b.left,
            _ => return,
        };
        let mut keys = Vec::new();
        assigned_keys(left, &mut keys);
        let hides = |key: &str| self.hidden.iter().any(|name| covers(name, key));
        let set =
            self.flags.iter().filter(|(key, _)| keys.contains(key) && !hides(key)).map(|(_, flag)| flag);
        let set: Vec<_> = set.collect();
        if !set.is_empty() {
            *e = syn::parse_quote!({ #e; #(#set = true;)* });
        }
    }

    scope::visits!();

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

fn assigned_keys(left: &Expr, out: &mut Vec<String>) {
    match left {
        Expr::Tuple(t) => t.elems.iter().for_each(|e| assigned_keys(e, out)),
        Expr::Array(a) => a.elems.iter().for_each(|e| assigned_keys(e, out)),
        Expr::Struct(s) => s.fields.iter().for_each(|f| assigned_keys(&f.expr, out)),
        Expr::Call(c) => c.args.iter().for_each(|e| assigned_keys(e, out)),
        Expr::Paren(p) => assigned_keys(&p.expr, out),
        place => out.extend(place::scalar_key(place)),
    }
}

/// `continue` of the parallel loop goes to the end of the iteration.
struct Ends<'l> {
    own: Option<String>,
    iteration: &'l Lifetime,
    /// Sequential loops around.
    loops: usize,
    /// Those of them that bear the loop's label themselves.
    hiding: usize,
    found: bool,
}

impl VisitMut for Ends<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        let (inner, label) = match e {
            Expr::ForLoop(l) => (true, l.label.as_ref()),
            Expr::While(l) => (true, l.label.as_ref()),
            Expr::Loop(l) => (true, l.label.as_ref()),
            Expr::Block(b) => (false, b.label.as_ref()),
            _ => (false, None),
        };
        let hides = label.is_some_and(|l| self.own.as_deref() == Some(&*l.name.ident.to_string()));
        (self.loops, self.hiding) = (self.loops + usize::from(inner), self.hiding + usize::from(hides));
        visit_mut::visit_expr_mut(self, e);
        (self.loops, self.hiding) = (self.loops - usize::from(inner), self.hiding - usize::from(hides));
        let Expr::Continue(c) = e else { return };
        let ends = match &c.label {
            None => self.loops == 0,
            Some(l) => self.hiding == 0 && self.own.as_deref() == Some(&*l.ident.to_string()),
        };
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
        let mut ends = Ends { own, iteration: &iteration, loops: 0, hiding: 0, found: false };
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
