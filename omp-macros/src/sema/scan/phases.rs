//! `omp::scan!(inclusive(s))` and `exclusive(s)`: the statements before and after it. Their order gives the loop its
//! meaning without the directive, so it must be the order that the directive demands.
//!
//! This file looks at syntax: `omp::scan!` is taken out of the body before there is a region that could be lowered.
use super::recurrence::{is_read, is_updated};
use crate::ast::{Item, ReductionClause};
use crate::diag::{Code, Sink};
use crate::parse::{item, standalone};
use crate::sema::reduction::updates;
use crate::sema::syntax::place;
use proc_macro2::Span;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Block, Stmt};

/// Takes `omp::scan!` out of the body of a loop with `reduction(inscan, …)`; whether it says what the statements do.
pub fn take(body: &mut Block, clauses: &[ReductionClause], sink: &mut Sink) -> bool {
    let is_scan = |stmt: &Stmt| matches!(stmt, Stmt::Macro(m) if standalone::name_of(&m.mac).is_some_and(|name| name == "scan"));
    let at: Vec<usize> = (0..body.stmts.len()).filter(|k| is_scan(&body.stmts[*k])).collect();
    let inscan: Vec<&ReductionClause> = clauses.iter().filter(|c| c.inscan).collect();
    let [at] = at[..] else {
        let (span, found) = match at.get(1) {
            Some(second) => (body.stmts[*second].span(), "a second `omp::scan!` in the body"),
            None => (inscan[0].span, "`inscan` without `omp::scan!` in the body"),
        };
        sink.error(Code::ScanPattern, span, format!("scan pattern not found: {found}"))
            .help("write one `omp::scan!(inclusive(s));` between the update of `s` and its use, or `exclusive(s)` between its use and the update");
        body.stmts.retain(|stmt| !is_scan(stmt));
        return false;
    };
    let Stmt::Macro(scan) = body.stmts.remove(at) else { unreachable!("just seen") };
    let span = scan.mac.path.segments.last().map_or_else(Span::call_site, |s| s.ident.span());
    let Some((inclusive, items)) = read(&scan.mac, span, sink) else { return false };
    let (before, after) = body.stmts.split_at(at);
    let mut fine = true;
    for clause in inscan {
        for reduced in &clause.items {
            let key = place::item_key(reduced);
            if items.iter().all(|i| place::item_key(i) != key) {
                sink.error(Code::ScanPattern, span, format!("scan pattern not found: `{key}` is `inscan`, but this `scan!` does not name it"))
                    .help("name all items of the `inscan` clauses; scans of another kind go into loops of their own");
                return false;
            }
            let (updating, using) = if inclusive { (before, after) } else { (after, before) };
            fine &= in_order(reduced, updating, using, inclusive, sink);
        }
    }
    let known = |i: &&Item| {
        clauses.iter().any(|c| c.inscan && c.items.iter().any(|r| place::item_key(r) == place::item_key(i)))
    };
    if let Some(other) = items.iter().find(|i| !known(i)) {
        let what = format!("scan pattern not found: `{}` is in no `reduction(inscan, …)`", other.key);
        sink.error(Code::ScanPattern, other.span, what).help("name the items of the `inscan` clauses");
        return false;
    }
    fine
}

/// `inclusive(s, t)` or `exclusive(s, t)`.
fn read(mac: &syn::Macro, span: Span, sink: &mut Sink) -> Option<(bool, Vec<Item>)> {
    let call = mac.parse_body::<syn::ExprCall>().ok();
    let kind = call.as_ref().and_then(|c| match &*c.func {
        syn::Expr::Path(p) => p.path.get_ident().map(ToString::to_string),
        _ => None,
    });
    let (Some(call), Some(kind @ ("inclusive" | "exclusive"))) = (call, kind.as_deref()) else {
        sink.error(Code::ScanPattern, span, "`scan!` names a kind and its items")
            .help("write `omp::scan!(inclusive(s));` or `omp::scan!(exclusive(s));`");
        return None;
    };
    Some((kind == "inclusive", item::list(kind, span, call.args.to_token_stream(), sink)))
}

/// The statements that update an item, and those that use it, are on the sides that the kind says.
fn in_order(reduced: &Item, updating: &[Stmt], using: &[Stmt], inclusive: bool, sink: &mut Sink) -> bool {
    let Some(key) = updates::text(&reduced.place) else { return true };
    let used = updating.iter().find(|stmt| is_read(stmt, &key));
    let updated = using.iter().find(|stmt| is_updated(stmt, &key));
    let Some(wrong) = used.or(updated) else { return true };
    let (kind, other) = if inclusive { ("inclusive", "exclusive") } else { ("exclusive", "inclusive") };
    let order =
        if inclusive { "updated before it and used after it" } else { "used before it and updated after it" };
    let does = if used.is_some() { "uses" } else { "updates" };
    let side = if inclusive == used.is_some() { "before" } else { "after" };
    sink.error_at(
        Code::ScanPattern,
        wrong,
        format!("scan pattern not found: this {does} `{key}` {side} `scan!({kind}({key}))`"),
    )
    .note(None, format!("in a scan that is {kind}, `{key}` is {order}"))
    .help(format!("change the order, or write `{other}({key})` if the order is what you mean"));
    false
}
