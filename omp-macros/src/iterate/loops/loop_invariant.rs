//! The number of items of a loop inside a region, if it is loop-invariant: it is evaluated once, before the region, and
//! passed as a number. The expression must have no effects and must not fail, because perhaps no iteration reaches the
//! loop.
use super::items::statement;
use super::walk::{Walk, known};
use crate::iterate::IteratedBy;
use crate::iterate::tokens::{changed, made};
use crate::sema::syntax::forms::{strip, strip_mut};
use quote::{ToTokens, quote_spanned};
use std::collections::HashSet;
use syn::spanned::Spanned;
use syn::{Expr, ExprForLoop, Ident, Pat, Stmt};

/// Expressions that are evaluated before the region.
#[derive(Default)]
pub(in crate::iterate) struct LoopInvariant {
    /// The names that the nest assigns; without them nothing can be evaluated before the nest.
    changed: Option<HashSet<String>>,
    /// The numbers.
    pub before: Vec<Stmt>,
    names: HashSet<String>,
    /// The references whose values are copied.
    pub copied: Vec<Ident>,
}

impl LoopInvariant {
    /// The invariants of a nest.
    pub fn of(f: &ExprForLoop) -> Self {
        Self { changed: Some(changed(&Expr::ForLoop(f.clone()))), ..Self::default() }
    }
}

impl Walk<'_> {
    /// Takes the loop-invariant expressions out of a loop's head and of the statements before it.
    pub(super) fn ask_before(&mut self, f: &mut ExprForLoop, kept: &mut Vec<Stmt>) {
        if self.invariant.changed.is_none() {
            return;
        }
        kept.retain(|stmt| {
            let Stmt::Local(syn::Local { pat: Pat::Ident(name), init: Some(init), .. }) = stmt else {
                return true;
            };
            if !name.ident.to_string().starts_with("__omp_bound") || !self.is_steady(&init.expr) {
                return true;
            }
            self.invariant.names.insert(name.ident.to_string());
            self.invariant.before.push(stmt.clone());
            false
        });
        let Some(n) = end(&mut f.expr).filter(|n| counts(n)) else { return };
        if self.is_steady(n) {
            let name = self.fresh("bound", n.span());
            self.invariant.names.insert(name.to_string());
            self.invariant.before.push(statement(quote_spanned!(n.span()=> let #name = #n;)));
            *n = made(name.into_token_stream());
        }
    }

    /// `*x` of a fixed array that a reference from outside refers to: its value before the region. (Of a slice, this is no value.)
    pub(super) fn copied_before(&mut self, e: &mut Expr) {
        let Expr::Unary(u) = &*e else { return };
        let (syn::UnOp::Deref(_), Expr::Path(p)) = (&u.op, &*u.expr) else { return };
        let Some(name) = p.path.get_ident() else { return };
        let outside = self.meaning(name).is_none() && (self.fixed)(&name.to_string());
        if self.invariant.changed.is_none()
            || !outside
            || known(&self.scopes, self.kinds, name) != Some(IteratedBy::Shared)
        {
            return;
        }
        let copy = self.fresh("copy", name.span());
        self.invariant.before.push(statement(quote_spanned!(e.span()=> let #copy = #e;)));
        self.invariant.copied.push(name.clone());
        *e = made(copy.into_token_stream());
    }

    /// Whether an expression has the same value before the nest, and its evaluation has no effects.
    fn is_steady(&self, e: &Expr) -> bool {
        let outside = |name: &Ident| {
            let text = name.to_string();
            let users = || !text.starts_with("__omp_") && self.meaning(name).is_none() && (self.fixed)(&text);
            self.invariant.names.contains(&text) || users()
        };
        let e = strip(e);
        match e {
            Expr::Lit(_) => true,
            Expr::Path(p) => p.path.get_ident().is_some_and(|name| {
                let text = name.to_string();
                outside(name) && !self.invariant.changed.iter().any(|all| all.contains(&text))
            }),
            Expr::Field(f) => match &*f.base {
                Expr::Path(p) => p.path.get_ident().is_some_and(|name| {
                    let range = known(&self.scopes, self.kinds, name) == Some(IteratedBy::Range);
                    range && self.is_steady(&f.base)
                }),
                _ => false,
            },
            Expr::MethodCall(m) => match (m.method.to_string().as_str(), m.args.first(), &*m.receiver) {
                // Nothing in a region gives an array another length.
                ("len", None, Expr::Path(p)) => p.path.get_ident().is_some_and(outside),
                ("min", Some(other), first) => self.is_steady(first) && self.is_steady(other),
                _ => false,
            },
            Expr::Call(c) => match (own(c), c.args.last()) {
                (Some(name), _) if name == "trips" || name == "fewer" || name == "count" => {
                    c.args.iter().all(|e| self.is_steady(e))
                }
                // A step of zero is a failure.
                (Some(name), Some(Expr::Lit(step))) if name == "steps" => {
                    step.lit.to_token_stream().to_string() != "0" && self.is_steady(&c.args[0])
                }
                _ => false,
            },
            _ => false,
        }
    }
}

/// The name of one of the functions that loops are counted with.
fn own(c: &syn::ExprCall) -> Option<&Ident> {
    let Expr::Path(p) = &*c.func else { return None };
    let generated = p.path.leading_colon.is_some() && p.path.segments.len() == 3;
    p.path.segments.last().filter(|_| generated).map(|s| &s.ident)
}

/// Whether a number of items is more than an array's length.
fn counts(e: &Expr) -> bool {
    match strip(e) {
        Expr::MethodCall(m) => counts(&m.receiver) || m.args.iter().any(counts),
        Expr::Call(c) => own(c).is_some(),
        _ => false,
    }
}

/// `n` of `0..n` and `(0..n).rev()`.
fn end(e: &mut Expr) -> Option<&mut Expr> {
    match strip_mut(e) {
        Expr::Range(r) => r.end.as_deref_mut(),
        Expr::MethodCall(m) => end(&mut m.receiver),
        _ => None,
    }
}
