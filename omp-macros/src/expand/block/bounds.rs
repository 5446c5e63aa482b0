//! Numbers that are evaluated once before a part of a target block: bounds of loops that read arrays on the device, and
//! the clauses that the block has for all of its loops.
use super::super::regions::Search;
use crate::ast::{Clauses, Number};
use crate::expand::data_region::exits;
use crate::sema::syntax::effects;
use crate::sema::syntax::forms::strip;
use proc_macro2::Span;
use quote::format_ident;
use syn::spanned::Spanned as _;
use syn::{Expr, ExprForLoop, Stmt};

impl Search<'_> {
    /// Takes the device values that a loop's bounds read out of the loop, to be evaluated before it.
    pub(super) fn bounds(&mut self, f: &mut ExprForLoop) -> Vec<Stmt> {
        struct Ranges<'e>(Vec<&'e mut Expr>);
        fn ranges<'e>(e: &'e mut Expr, out: &mut Ranges<'e>) {
            match e {
                Expr::Range(r) => out.0.extend(r.start.iter_mut().chain(&mut r.end).map(|e| &mut **e)),
                Expr::MethodCall(m) => {
                    ranges(&mut m.receiver, out);
                    // The other expressions are iterated: a range, an array or a part of one.
                    if m.method == "zip" || m.method == "chain" {
                        m.args.iter_mut().for_each(|e| ranges(e, out));
                    } else {
                        out.0.extend(m.args.iter_mut());
                    }
                }
                Expr::Reference(r) => ranges(&mut r.expr, out),
                Expr::Index(x) => ranges(&mut x.index, out),
                Expr::Paren(p) => ranges(&mut p.expr, out),
                _ => {}
            }
        }
        let mut found = Ranges(vec![]);
        ranges(&mut f.expr, &mut found);
        let reads_array =
            |bound: &Expr| !matches!(bound, Expr::Range(_) | Expr::MethodCall(_)) && self.touches(bound);
        let on_device: Vec<bool> = found.0.iter().map(|bound| reads_array(bound)).collect();
        let mut before = Vec::new();
        for (k, bound) in found.0.into_iter().enumerate() {
            // Statements before such a bound are evaluated before it: they may change what the bound reads.
            if !on_device[k] && (effects::is_pure(bound, &is_pure_call) || !on_device[k..].contains(&true)) {
                continue;
            }
            let name = self.kept(bound.span());
            if on_device[k] {
                self.value(bound);
            }
            let value = std::mem::replace(bound, syn::parse_quote!(#name));
            before.push(exits::bind(syn::parse_quote!(let #name = ();), value));
        }
        before
    }
}

/// Has the numbers of block `n` evaluated where it starts: its loops may be launched often, and where its names stand for
/// something else.
pub(super) fn of_clauses(n: usize, clauses: &mut Clauses) -> Vec<Stmt> {
    let mut before = Vec::new();
    for clause in &mut clauses.evaluated {
        let word = match clause.what {
            Number::Teams => "teams",
            Number::ThreadLimit => "threads",
            Number::Gangs => "gangs",
            Number::Workers => "workers",
            Number::VectorLength => "vector",
            _ => continue,
        };
        for value in clause.values.iter_mut().filter(|value| !is_number(value)) {
            let at = Span::mixed_site().located_at(value.span());
            let name = format_ident!("__omp_{word}{n}", span = at);
            let value = std::mem::replace(value, syn::parse_quote!(#name));
            before.push(exits::bind(syn::parse_quote!(let #name = ();), value));
        }
    }
    before
}

/// Whether an expression is a number as it stands, which may be judged.
fn is_number(e: &Expr) -> bool {
    match strip(e) {
        Expr::Lit(_) => true,
        Expr::Unary(u) => is_number(&u.expr),
        _ => false,
    }
}

/// Methods that make an iterator or give a length.
fn is_pure_call(call: &Expr) -> bool {
    const PURE: [&str; 7] = ["len", "iter", "iter_mut", "rev", "step_by", "zip", "enumerate"];
    matches!(call, Expr::MethodCall(m) if PURE.iter().any(|name| m.method == name))
}
