//! Directives inside a region: which may stand there, and in which version.
use super::place;
use super::uses::{self, How};
use crate::ast::{Directive, DirectiveKind};
use crate::diag::{Code, Sink};
use crate::parse::source::as_written;
use crate::parse::{attributes, directive, standalone};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Block, Expr, ExprForLoop, Stmt};

/// Reports the directives inside a target region and takes them off.
pub fn inside_region(region: &mut ExprForLoop, outer: &str, sink: &mut Sink) {
    let mut inner = Inside { outer, sink };
    inner.visit_block_mut(&mut region.body);
}

struct Inside<'a> {
    outer: &'a str,
    sink: &'a mut Sink,
}

impl Inside<'_> {
    fn directive(&mut self, attr: &Attribute, on: &Expr) {
        let Some(found) = directive::parse(attr, self.sink) else { return };
        let (name, outer) = (&found.name, self.outer);
        match found.kind {
            DirectiveKind::Target | DirectiveKind::TargetData => {
                let error = self.sink.error(
                    Code::Misplaced,
                    found.span,
                    format!("`{name}` inside a `{outer}` region"),
                );
                if found.kind == DirectiveKind::Target {
                    error.help("the region is on the device already: an inner loop may be `#[omp::parallel_for]`, or have no directive");
                } else {
                    error.help("put the data region around the target region");
                }
            }
            DirectiveKind::TaskGroup => {
                self.sink
                    .error(Code::Misplaced, found.span, format!("`{name}` inside a `{outer}` region"))
                    .help("tasks are whole regions: put the group around them");
            }
            DirectiveKind::ParallelFor | DirectiveKind::Simd | DirectiveKind::Scan => {
                if let Expr::ForLoop(f) = on {
                    if found.kind == DirectiveKind::ParallelFor {
                        same_element(f, &found, self.sink);
                    }
                    directive::later(&found, self.sink);
                } else {
                    not_a_loop(&found.name, found.span, on, self.sink);
                }
            }
            DirectiveKind::Atomic => {
                if no_update(attr, on) {
                    let message = format!(
                        "`atomic` on what is no update: `{}` does not use the old value",
                        as_written(on)
                    );
                    self.sink
                        .error(Code::NotAnUpdate, found.span, message)
                        .help("a plain store is `#[omp::atomic(write)]`; updates are `x += e`, `x = x.max(e)` and their like");
                } else {
                    directive::later(&found, self.sink);
                }
            }
        }
    }
}

/// Reports what all iterations of an inner parallel loop write alike.
fn same_element(f: &ExprForLoop, directive: &Directive, sink: &mut Sink) {
    let clauses = &directive.clauses;
    let uses = uses::of_loop(f, &clauses.reductions);
    let reduced = |key: &str| clauses.reductions.iter().any(|r| place::any_covers(&r.items, key));
    let alike = uses.iter().find(|u| {
        matches!(u.how, How::Write | How::Update)
            && !u.varies
            && u.statement.is_some()
            && !bears_attribute(&u.tokens)
            && !reduced(&u.key)
            && ![&clauses.private, &clauses.firstprivate, &clauses.lastprivate]
                .iter()
                .any(|l| place::any_covers(l, &u.key))
    });
    let Some(write) = alike else { return };
    let (text, name) = (as_written(&write.tokens), &directive.name);
    let message = format!("race: all iterations of this `{name}` write the same `{text}` (write/write)");
    sink.error_at(Code::ArrayRace, &write.tokens, message)
        .help(format!("sum into a local with `#[omp::{name}(reduction(+: …))]` and store it after the inner loop, or leave the inner loop sequential"));
}

/// Whether a place bears an attribute: syn gives it that of `#[omp::atomic] x[i] += e`.
fn bears_attribute(place: &TokenStream) -> bool {
    matches!(place.clone().into_iter().next(), Some(TokenTree::Punct(p)) if p.as_char() == '#')
}

/// Reports a loop directive on something that is no `for`.
pub fn not_a_loop(name: &str, span: proc_macro2::Span, on: &Expr, sink: &mut Sink) {
    let what = match on {
        Expr::While(_) => "a `while`: its iterations cannot be counted before it runs",
        Expr::Loop(_) => "a `loop`: its iterations cannot be counted before it runs",
        Expr::Block(_) => "a block",
        Expr::If(_) => "an `if`",
        Expr::Match(_) => "a `match`",
        _ => "a statement",
    };
    sink.error(Code::NotALoop, span, format!("`{name}` on {what}"))
        .help("put it on a counted loop: `for i in a..b`");
}

/// Reports a directive on a `let`.
pub fn on_let(name: &str, kind: DirectiveKind, span: proc_macro2::Span, sink: &mut Sink) {
    let help = match kind {
        DirectiveKind::Atomic => {
            "an atomic read or capture is an assignment: `let v; #[omp::atomic(read)] { v = x[i]; }`"
        }
        DirectiveKind::TargetData | DirectiveKind::TaskGroup => "put it on a block or a loop",
        DirectiveKind::Target | DirectiveKind::ParallelFor | DirectiveKind::Simd | DirectiveKind::Scan => {
            "put it on a counted loop: `for i in a..b`"
        }
    };
    sink.error(Code::NotALoop, span, format!("`{name}` on a `let`")).help(help);
}

/// Whether `#[omp::atomic]` (or `update`) stands on a plain store.
fn no_update(attr: &Attribute, on: &Expr) -> bool {
    let update = match &attr.meta {
        syn::Meta::List(list) => list.tokens.is_empty() || list.tokens.to_string() == "update",
        _ => true,
    };
    let Expr::Assign(a) = on else { return false };
    let old = a.left.to_token_stream().to_string();
    update && !a.right.to_token_stream().to_string().contains(&old)
}

impl VisitMut for Inside<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        block.stmts.retain_mut(|stmt| match stmt {
            Stmt::Macro(m) if standalone::name_of(&m.mac).is_some() => {
                inside_macro(&m.mac, self.outer, self.sink);
                false
            }
            _ => {
                self.visit_stmt_mut(stmt);
                true
            }
        });
    }

    fn visit_local_mut(&mut self, l: &mut syn::Local) {
        for attr in attributes::take_from(&mut l.attrs) {
            if let Some(found) = directive::parse(&attr, self.sink) {
                directive::later(&found, self.sink);
            }
        }
        visit_mut::visit_local_mut(self, l);
    }

    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if let Expr::Macro(m) = e
            && standalone::name_of(&m.mac).is_some()
        {
            inside_macro(&m.mac, self.outer, self.sink);
            *e = syn::parse_quote!(());
        }
        for attr in attributes::take(e) {
            self.directive(&attr, e);
        }
        visit_mut::visit_expr_mut(self, e);
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Stand-alone directives are of the host, but for `scan!`.
fn inside_macro(mac: &syn::Macro, outer: &str, sink: &mut Sink) {
    let name = standalone::name_of(mac).unwrap_or_default();
    if directive::STANDALONE.contains(&name.as_str()) {
        let span = mac.path.segments.last().map_or_else(proc_macro2::Span::call_site, |s| s.ident.span());
        sink.error(Code::Misplaced, span, format!("`{name}!` inside a `{outer}` region"))
            .help("data moves and tasks are waited for between regions: move it before or after the loop");
    } else {
        standalone::check(mac, sink);
    }
}
