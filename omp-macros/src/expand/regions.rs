//! Finding the annotated loops of a function, and putting something in their place.
use crate::ast::{Context, Directive, DirectiveKind, Region};
use crate::diag::{Code, Sink};
use crate::iterate;
use crate::parse::{attributes, directive, standalone};
use crate::sema::{canonical_loop, nesting};
use proc_macro2::{Span, TokenStream};
use quote::format_ident;
use std::rc::Rc;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Block, Expr, ExprForLoop, Item, Stmt};

/// A directive on the function itself.
pub struct Short(pub Directive);

/// Takes all directives off a body. Where a region was, a placeholder stands until [`put_back`].
pub fn find(body: &mut Block, context: &Context, short: Option<Short>, sink: &mut Sink) -> Vec<Region> {
    let mut search = Search { context, sink, found: vec![] };
    if let Some(Short(directive)) = short {
        search.short(body, directive);
    }
    search.visit_block_mut(body);
    search.found
}

/// Replaces the placeholders.
pub fn put_back(body: &mut Block, parts: Vec<TokenStream>) {
    PutBack(parts).visit_block_mut(body);
}

fn placeholder(n: usize) -> Expr {
    let name = format_ident!("__omp_region_{n}", span = Span::mixed_site());
    syn::parse_quote!(#name)
}

struct PutBack(Vec<TokenStream>);

impl VisitMut for PutBack {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if let Expr::Path(p) = e
            && let Some(name) = p.path.get_ident()
            && let Some(n) =
                name.to_string().strip_prefix("__omp_region_").and_then(|n| n.parse::<usize>().ok())
            && let Some(part) = self.0.get(n)
        {
            *e = Expr::Verbatim(part.clone());
            return;
        }
        visit_mut::visit_expr_mut(self, e);
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

struct Search<'a> {
    context: &'a Context,
    sink: &'a mut Sink,
    found: Vec<Region>,
}

impl Search<'_> {
    /// The short form: the directive goes to the only outermost `for`.
    fn short(&mut self, body: &mut Block, directive: Directive) {
        let mut outermost = Outermost { wanted: None, count: 0 };
        outermost.visit_block_mut(body);
        if outermost.count != 1 {
            let has = match outermost.count {
                0 => "no loop".to_owned(),
                n => format!("{n} outermost loops"),
            };
            self.sink
                .error(
                    Code::ShortForm,
                    directive.span,
                    format!(
                        "`{}` on a function that has {has}: it needs exactly one outermost `for`",
                        directive.name
                    ),
                )
                .help("put `#[omp::offload]` on the function and the directive on the loop that it is for");
            return;
        }
        let mut pick = Outermost { wanted: Some((self, directive)), count: 0 };
        pick.visit_block_mut(body);
    }

    /// A directive on an expression.
    fn directed(&mut self, attrs: &[Attribute], e: &mut Expr) {
        let mut found: Vec<Directive> = attrs.iter().filter_map(|a| directive::parse(a, self.sink)).collect();
        if let [first, second, ..] = &found[..] {
            self.sink
                .error(
                    Code::Contradiction,
                    second.span,
                    format!("`{}` and `{}` on one statement", first.name, second.name),
                )
                .help("leave one directive on it");
        }
        if found.is_empty() {
            // What was wrong is reported; the loop stays serial, and what is in it is checked all the same.
            return;
        }
        self.one(found.swap_remove(0), e);
    }

    fn one(&mut self, directive: Directive, e: &mut Expr) {
        match (directive.kind, &mut *e) {
            (DirectiveKind::Target | DirectiveKind::ParallelFor | DirectiveKind::Simd, Expr::ForLoop(f)) => {
                if let Some(region) = self.region(f, directive) {
                    self.found.push(region);
                    *e = placeholder(self.found.len() - 1);
                }
            }
            (DirectiveKind::Target, Expr::Block(_)) => {
                self.sink
                    .later(Code::FormLater, directive.span, format!("`{}` on a block", directive.name))
                    .help("put it on each loop");
            }
            (
                DirectiveKind::Target
                | DirectiveKind::ParallelFor
                | DirectiveKind::Simd
                | DirectiveKind::Scan,
                other,
            ) if !matches!(other, Expr::ForLoop(_)) => {
                nesting::not_a_loop(&directive.name, directive.span, other, self.sink);
            }
            _ => directive::later(&directive, self.sink),
        }
    }

    /// The region of a directive on a `for`, which becomes the serial loop.
    fn region(&mut self, f: &mut ExprForLoop, directive: Directive) -> Option<Region> {
        let directives = nesting::inside_region(f, &directive.name, self.sink);
        let collapse = directive.clauses.collapse.as_ref().map_or(1, |c| c.value);
        let own =
            [&directive.clauses.private, &directive.clauses.firstprivate, &directive.clauses.lastprivate];
        let fixed = |name: &str| !own.iter().any(|items| items.iter().any(|i| i.key == name));
        let iterate::Nest { counted, prelude, iterated } = iterate::nest(f, collapse, &fixed, self.sink);
        nesting::unmark(f);
        let inner = Rc::new(nesting::inner_loops(&counted, directives, self.sink)?);
        let (loops, body) = canonical_loop::nest(&counted, &directive, self.sink)?;
        let context = self.context.clone();
        Some(Region {
            directive,
            context,
            loops,
            body,
            serial: f.clone(),
            prelude,
            iterated,
            inner,
            lasts: vec![],
        })
    }
}

impl VisitMut for Search<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        block.stmts.retain_mut(|stmt| match stmt {
            Stmt::Macro(m) if standalone::name_of(&m.mac).is_some() => {
                standalone::check(&m.mac, self.sink);
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
                nesting::on_let(&found.name, found.kind, found.span, self.sink);
            }
        }
        visit_mut::visit_local_mut(self, l);
    }

    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if let Expr::Macro(m) = e
            && standalone::name_of(&m.mac).is_some()
        {
            standalone::check(&m.mac, self.sink);
            *e = syn::parse_quote!(());
        }
        let attrs = attributes::take(e);
        if !attrs.is_empty() {
            self.directed(&attrs, e);
        }
        visit_mut::visit_expr_mut(self, e);
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// Counts the outermost loops, or gives the directive to the first.
struct Outermost<'s, 'a> {
    wanted: Option<(&'s mut Search<'a>, Directive)>,
    count: usize,
}

impl VisitMut for Outermost<'_, '_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if matches!(e, Expr::ForLoop(_)) {
            self.count += 1;
            if let Some((search, directive)) = self.wanted.take() {
                if let Some(second) = attributes::take_own(e).first() {
                    let message = format!("`{}` on the function and a directive on its loop", directive.name);
                    search.sink.error_at(Code::Contradiction, second, message).help("leave one of them");
                }
                search.one(directive, e);
            }
            return;
        }
        visit_mut::visit_expr_mut(self, e);
    }

    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}

    fn visit_item_mut(&mut self, _: &mut Item) {}
}
