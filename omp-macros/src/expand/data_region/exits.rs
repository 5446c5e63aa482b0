//! Data regions in a function: the code before and after a region, and at each exit (`return`, `?`, `break`).
//!
//! An exit evaluates its value, then leaves the regions that it crosses, innermost first, then jumps. Placeholders
//! stand for the generated code until all of it is known (see [`crate::expand::regions`]). Regions are wrapped from the inside
//! out, so that an outer region finds the exits of an inner one in their places.
use crate::parse::change_arguments;
use crate::parse::std_macros::takes_expressions;
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::jumps::{Open, visit_inside};
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::format_ident;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Block, Expr, Item, Stmt};

/// Stands for what opens data region `n`.
pub fn start(n: usize) -> Expr {
    named(&format!("__omp_data_{n}"))
}

/// Stands for what leaves it.
pub fn leave(n: usize) -> Expr {
    named(&format!("__omp_leave_{n}"))
}

/// Stands for `taskwait!` `n`.
pub fn wait(n: usize) -> Expr {
    named(&format!("__omp_wait_{n}"))
}

/// Stands for what leaves a function with tasks.
pub fn finish() -> Expr {
    named("__omp_finish_0")
}

/// Puts a statement into group `n` of tasks.
pub fn wrap_group(n: usize, e: &mut Expr) {
    wrap_in(named(&format!("__omp_group_{n}")), named(&format!("__omp_ungroup_{n}")), None, e);
}

/// Leaves the function on each way out of its body, but not at its end.
pub fn of_function(body: &mut Block) {
    let mut exits = Exits { leave: finish(), inside: Open::default(), found: false };
    exits.visit_block_mut(body);
}

fn named(name: &str) -> Expr {
    let name = format_ident!("{name}", span = Span::mixed_site());
    syn::parse_quote!(#name)
}

/// Stands for the views of `use_device_ptr` at the head of region `n`.
fn views(n: usize) -> Expr {
    named(&format!("__omp_views_{n}"))
}

/// Puts a statement into data region `n`; with `pointers`, names stand for views in it.
pub fn wrap(n: usize, pointers: bool, e: &mut Expr) {
    wrap_in(start(n), leave(n), pointers.then(|| views(n)), e);
}

/// Puts a statement between `start` and `leave`, with `views` at its head.
fn wrap_in(start: Expr, leave: Expr, views: Option<Expr>, e: &mut Expr) {
    let mut exits = Exits { leave: leave.clone(), inside: Open::default(), found: false };
    // The range of a loop is evaluated inside, as the directive stands on all of the loop.
    if exits.inside.enter(e) {
        visit_mut::visit_expr_mut(&mut exits, e);
    }
    let value = format_ident!("__value", span = Span::mixed_site());
    let inner = taken(e);
    let plain = matches!(inner, Expr::ForLoop(_) | Expr::While(_));
    let allow = left_lints(&inner);
    let inner = match views {
        Some(views) => block(vec![stmt(views), Stmt::Expr(inner, None)]),
        None => inner,
    };
    *e = if plain {
        block(vec![stmt(start), Stmt::Expr(inner, None), stmt(leave)])
    } else {
        let kept = bind(
            syn::parse_quote! {
                #allow
                let #value = ();
            },
            inner,
        );
        let end: Expr = syn::parse_quote! {
            #allow
            { #leave; #value }
        };
        block(vec![stmt(start), kept, Stmt::Expr(end, None)])
    };
}

/// Lints off for the code after a block that may never come to its end: that nothing gets there is no fault of the
/// user's. `allow` of a lint is an error where it is forbidden, so it is named only where the block ends by leaving.
pub fn left_lints(block: &Expr) -> Attribute {
    if never_ends(block) {
        syn::parse_quote!(#[allow(unreachable_code, clippy::all, clippy::pedantic)])
    } else {
        syn::parse_quote!(#[allow(clippy::all, clippy::pedantic)])
    }
}

/// Whether control may not come to the end of an expression for sure, by the form of its end.
fn never_ends(e: &Expr) -> bool {
    let block = |b: &Block| match b.stmts.last() {
        Some(Stmt::Expr(e, _)) => never_ends(e),
        Some(Stmt::Macro(m)) => panics(&m.mac.path),
        Some(Stmt::Local(_) | Stmt::Item(_)) | None => false,
    };
    match strip(e) {
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) | Expr::Loop(_) => true,
        Expr::Block(b) => block(&b.block),
        Expr::If(i) => block(&i.then_branch),
        Expr::Match(m) => m.arms.iter().any(|arm| never_ends(&arm.body)),
        Expr::Macro(m) => panics(&m.mac.path),
        // A rewritten way out, among others.
        Expr::Verbatim(tokens) => {
            let leaves =
                |tree: &TokenTree| matches!(tree.to_string().as_str(), "return" | "break" | "continue");
            tokens.clone().into_iter().any(|tree| match &tree {
                TokenTree::Group(group) => group.stream().into_iter().any(|tree| leaves(&tree)),
                tree => leaves(tree),
            })
        }
        _ => false,
    }
}

/// Whether a macro may leave the function, judged by its name.
fn panics(path: &syn::Path) -> bool {
    const STAY: [&str; 8] =
        ["assert", "assert_eq", "assert_ne", "vec", "format", "matches", "println", "eprintln"];
    !STAY.iter().any(|name| path.is_ident(name))
}

// Placeholders are no statements that could be parsed again: the nodes around them are built field by field.

fn stmt(e: Expr) -> Stmt {
    Stmt::Expr(e, Some(syn::token::Semi::default()))
}

/// A block of statements.
pub fn block(stmts: Vec<Stmt>) -> Expr {
    let block = Block { brace_token: syn::token::Brace::default(), stmts };
    Expr::Block(syn::ExprBlock { attrs: vec![], label: None, block })
}

/// Puts statements before an expression, in a block.
pub fn after(mut before: Vec<Stmt>, e: &mut Expr) {
    before.push(Stmt::Expr(taken(e), None));
    *e = block(before);
}

/// An expression that is put elsewhere.
pub fn taken(e: &mut Expr) -> Expr {
    std::mem::replace(e, Expr::Verbatim(TokenStream::new()))
}

/// `let name = value;` from `let name = ();`.
pub fn bind(mut local: Stmt, value: Expr) -> Stmt {
    if let Stmt::Local(syn::Local { init: Some(init), .. }) = &mut local {
        *init.expr = value;
    }
    local
}

/// Whether control leaves an expression: by `return`, `?`, or `break` and `continue` of a loop around it.
pub fn leaves(e: &Expr) -> bool {
    let mut copy = e.clone();
    let mut exits = Exits { leave: leave(0), inside: Open::default(), found: false };
    exits.visit_expr_mut(&mut copy);
    exits.found
}

/// Finds the ways out of a region.
struct Exits {
    leave: Expr,
    /// The constructs that are open inside.
    inside: Open,
    /// An exit was found.
    found: bool,
}

impl Exits {
    /// Leaves, then goes.
    fn before(&self, go: &Expr) -> Expr {
        block(vec![stmt(self.leave.clone()), Stmt::Expr(go.clone(), None)])
    }

    /// Evaluates a value, then leaves.
    fn after(&self, value: Expr) -> Expr {
        let name = format_ident!("__value", span = Span::mixed_site());
        let kept = bind(syn::parse_quote!(let #name = ();), value);
        block(vec![kept, stmt(self.leave.clone()), Stmt::Expr(syn::parse_quote!(#name), None)])
    }
}

impl VisitMut for Exits {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        match e {
            Expr::Return(r) => {
                if let Some(value) = &mut r.expr {
                    self.visit_expr_mut(value);
                }
                self.found = true;
                match r.expr.take() {
                    Some(value) => r.expr = Some(Box::new(self.after(*value))),
                    None => *e = self.before(e),
                }
            }
            Expr::Break(b) => {
                if let Some(value) = &mut b.expr {
                    self.visit_expr_mut(value);
                }
                if self.inside.stays(b.label.as_ref()) {
                    return;
                }
                self.found = true;
                match b.expr.take() {
                    Some(value) => b.expr = Some(Box::new(self.after(*value))),
                    None => *e = self.before(e),
                }
            }
            Expr::Continue(c) if !self.inside.stays(c.label.as_ref()) => {
                self.found = true;
                *e = self.before(e);
            }
            Expr::Try(t) => {
                self.visit_expr_mut(&mut t.expr);
                self.found = true;
                let inner = taken(&mut t.expr);
                let leave = &self.leave;
                let value = format_ident!("__value", span = Span::mixed_site());
                let rest = format_ident!("__rest", span = Span::mixed_site());
                let mut split: syn::ExprCall = syn::parse_quote!(::omp::__private::Question::branch(()));
                split.args[0] = inner;
                let mut arms: syn::ExprMatch = syn::parse_quote! {
                    match () {
                        ::omp::__private::core::result::Result::Ok(#value) => #value,
                        ::omp::__private::core::result::Result::Err(#rest) => { #leave; match #rest? {} }
                    }
                };
                *arms.expr = Expr::Call(split);
                *e = Expr::Match(arms);
            }
            Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_) | Expr::Block(_) => {
                visit_inside(self, |exits| &mut exits.inside, e);
            }
            Expr::Macro(m) => self.visit_macro_mut(&mut m.mac),
            // Jumps in these leave no region.
            Expr::Closure(_) | Expr::Async(_) | Expr::Const(_) | Expr::TryBlock(_) => {}
            _ => visit_mut::visit_expr_mut(self, e),
        }
    }

    /// Macros of the standard library take expressions; what others do is seen when it happens.
    fn visit_macro_mut(&mut self, m: &mut syn::Macro) {
        // A placeholder in a list of expressions can be parsed again.
        if takes_expressions(m) {
            change_arguments(m, |e| self.visit_expr_mut(e));
        }
    }

    fn visit_stmt_mut(&mut self, s: &mut Stmt) {
        match s {
            Stmt::Macro(m) => self.visit_macro_mut(&mut m.mac),
            _ => visit_mut::visit_stmt_mut(self, s),
        }
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}
