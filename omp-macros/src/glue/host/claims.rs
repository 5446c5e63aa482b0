//! `disjoint(…)` and sections of maps on the host, if the launch could not prove them: each subscript of such an array
//! goes through the table of claims, in the parallel loop ([`super::rewrite`]) and in the serial loop. The serial loop
//! runs if the launch could not prove other subscripts either, or if there is no parallel loop.
use super::failure_record::{FailureRecord, record_iterations};
use super::rewrite::{ends, group};
use super::subscripts::subscripts;
use crate::glue::host;
use crate::glue::{hidden, numbered, private};
use crate::lower::Lowered;
use crate::marks::{NestId, marked, take};
use crate::parse::change_arguments;
use crate::sema::CheckedRegion;
use crate::sema::accesses::atomic;
use crate::sema::accesses::atomic::AccessMut;
use crate::sema::syntax::forms::{as_name, strip};
use crate::sema::syntax::place;
use omp_ir::ids::AccessId;
use proc_macro2::{Delimiter, Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::Expr;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};

/// The loops of a region that claims elements.
pub(in crate::glue) struct Claimed {
    /// Before either.
    pub tables: TokenStream,
    /// The loop as it stands.
    pub serial_loop: TokenStream,
    /// The parallel one, if there is one.
    pub parallel: Option<TokenStream>,
}

/// `None` if the region has neither `disjoint` nor sections.
pub(in crate::glue) fn claimed(region: &CheckedRegion, lowered: &Lowered) -> Option<Claimed> {
    let template = &lowered.template;
    let watched =
        |i: &usize| template.arrays[*i].section || template.check_disjoint.iter().any(|a| a.index() == *i);
    let arrays: Vec<usize> = (0..template.arrays.len()).filter(watched).collect();
    if arrays.is_empty() {
        return None;
    }
    let tables = arrays.iter().map(|&i| {
        let name = numbered("c", i);
        code!(let #name = (&__r).claims(#i, &__h);)
    });
    let tables = code!(let __numbers = (&__r).iteration_numbers(); #(#tables)*);
    let serial_loop = serial_loop(region, lowered, &arrays);
    // Copies of reduced arrays are of their sections alone.
    let reduced = |i: &usize| lowered.captures.reductions.iter().any(|r| r.array == Some(*i));
    let others: Vec<usize> = arrays.iter().copied().filter(|i| !reduced(i)).collect();
    let parallel = host::claiming(region, lowered, &others);
    Some(Claimed { tables, serial_loop, parallel })
}

/// The loop as it stands, made of the body that was lowered: iterations claim elements of these arrays.
pub(in crate::glue) fn serial_loop(
    region: &CheckedRegion,
    lowered: &Lowered,
    arrays: &[usize],
) -> TokenStream {
    let p = private();
    let variable = |k: usize| match &region.loops[k].var {
        Some(var) => var.clone(),
        None => numbered("i", k),
    };
    let values = (0..region.loops.len()).map(variable).map(|v| code!(#p::ClauseInt::wide(#v)));
    let serial_loop = super::serial_reductions::of(region, lowered);
    let mut claim = Claim {
        subscripts: subscripts(lowered),
        claimed: (0..lowered.captures.arrays.len()).map(|i| arrays.contains(&i)).collect(),
        keys: lowered.captures.arrays.iter().map(|a| a.key.clone()).collect(),
    };
    let mut body = region.body.clone();
    if let Some(items) = &serial_loop {
        items.rewrite(&mut body);
    }
    claim.visit_block_mut(&mut body);
    let mut carried: Vec<Ident> = Vec::new();
    if region.scan.is_some() {
        // In order, an iteration of a scan starts from the element before; the sum of a part is not needed.
        body.stmts.remove(0);
        let items = lowered.captures.reductions.iter().filter(|r| r.carried);
        carried.extend(items.map(|r| Ident::new(&r.key, Span::mixed_site())));
    }
    let record = FailureRecord::counted(region);
    record_iterations(&mut body);
    let now = &record.each;
    let me = (!arrays.is_empty()).then(|| code!(let __me = (&__numbers).of(&[#(#values),*]);));
    let mut nest = code!({ #now; #me #(let mut #carried;)* #body });
    for (k, head) in region.loops.iter().enumerate().rev() {
        if let Some(items) = serial_loop.as_ref().filter(|items| items.depth == k + 1) {
            let each = &items.each;
            nest = code!({ #each #nest });
        }
        let (label, var) = (&head.label, variable(k));
        let range = if k == 0 {
            host::outer_range(head)
        } else {
            let mut whole = head.whole.clone();
            claim.visit_expr_mut(&mut whole);
            whole.into_token_stream()
        };
        nest = code!(#label for #var in #range { #nest });
    }
    let private = lowered.captures.scalars.iter().filter(|s| s.private).filter_map(|s| as_name(&s.place));
    let (before, after) = serial_loop.as_ref().map(|items| (&items.before, &items.after)).unzip();
    let FailureRecord { first, last, .. } = record;
    let nest = code!(#before #first #nest #last #after);
    code!({ #(let mut #private = #private; let _ = &mut #private;)* #nest })
}

/// Lets the iteration claim what a subscript names. `at`: the span of the subscript, which a panic of the claim reports.
pub(super) fn wrap(array: usize, (index, at): (&mut Expr, Span), writes: bool) {
    let span = index.span();
    let table = Ident::new(&format!("__c{array}"), Span::mixed_site().located_at(span));
    let me = hidden("__me");
    // A part of the array is claimed element by element.
    let claim = if is_range(index) { "claim_part" } else { "claim" };
    let claim = Ident::new(claim, at);
    let arguments = group(Delimiter::Parenthesis, code!(#index, #me, #writes), ends(index).1);
    *index = Expr::Verbatim(quote_spanned!(span=> (&#table).#claim #arguments));
}

fn is_range(e: &Expr) -> bool {
    matches!(strip(e), Expr::Range(_))
}

struct Claim {
    /// By access: the array that it is the first subscript of, and whether it writes.
    subscripts: Vec<(Option<usize>, bool)>,
    /// By array.
    claimed: Vec<bool>,
    keys: Vec<String>,
}

impl Claim {
    /// An access under `#[omp::atomic]`, one after the other.
    fn atomic(&mut self, e: &mut Expr) -> Option<TokenStream> {
        Some(match atomic::of_mut(e)? {
            AccessMut::Read(place) => {
                self.visit_expr_mut(place);
                place.to_token_stream()
            }
            AccessMut::Change(after, operands, place, new) => {
                operands.iter_mut().for_each(|s| self.visit_stmt_mut(s));
                self.visit_expr_mut(place);
                self.visit_expr_mut(new);
                let span = place.span();
                let named = |name: &str| Ident::new(name, Span::mixed_site().located_at(span));
                let (old, next) = (named(&atomic::old_name().to_string()), named("__omp_new"));
                let value = if after { &next } else { &old };
                code!({
                    #(#operands)*
                    let #old = #place;
                    let #next = #new;
                    #place = #next;
                    #value
                })
            }
        })
    }
}

impl VisitMut for Claim {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if let Some(tokens) = self.atomic(e) {
            *e = Expr::Verbatim(tokens);
            return;
        }
        visit_mut::visit_expr_mut(self, e);
        match e {
            Expr::Index(x) => {
                let access = marked::<AccessId>(&x.attrs).and_then(|id| self.subscripts.get(id.index()));
                if let Some(&(Some(array), writes)) = access
                    && self.claimed[array]
                {
                    let at = x.expr.span();
                    wrap(array, (&mut x.index, at), writes);
                }
                take::<AccessId>(&mut x.attrs);
            }
            Expr::MethodCall(m) if m.method == "swap" => {
                let place = place::of(&m.receiver).filter(|p| p.subscripts.is_empty());
                if let Some(array) =
                    place.and_then(|p| self.keys.iter().position(|k| k.trim_start_matches('*') == p.key))
                    && self.claimed[array]
                {
                    let at = m.receiver.span();
                    m.args.iter_mut().for_each(|index| wrap(array, (index, at), true));
                }
            }
            Expr::ForLoop(f) => {
                take::<NestId>(&mut f.attrs);
            }
            _ => {}
        }
    }

    /// The listed macros take expressions.
    fn visit_macro_mut(&mut self, m: &mut syn::Macro) {
        change_arguments(m, |e| self.visit_expr_mut(e));
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
    fn visit_type_mut(&mut self, _: &mut syn::Type) {}
    fn visit_pat_mut(&mut self, p: &mut syn::Pat) {
        if let syn::Pat::Guard(g) = p {
            self.visit_expr_mut(&mut g.guard);
        }
    }
}
