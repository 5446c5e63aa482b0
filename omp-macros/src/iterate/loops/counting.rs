//! `while` loops that count, as in C: `while i < n { …; i += 1; }` and `while i > 0 { i -= 1; … }`. If nothing else
//! assigns the variable or its bound, and nothing reads the variable after the loop, the loop becomes a `for` over a
//! range, whose values the analyses know.
use crate::iterate::tokens::changed;
use crate::sema::syntax::forms::{as_name, strip};
use crate::sema::syntax::jumps;
use crate::sema::syntax::names::Names;
use crate::sema::syntax::search;
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::collections::HashSet;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{BinOp, Block, Expr, ExprWhile, Ident, Pat, Stmt};

/// Rewrites the loops of a block.
pub fn counted(b: &mut Block) {
    for at in 0..b.stmts.len() {
        let Stmt::Expr(Expr::While(w), _) = &b.stmts[at] else { continue };
        let Some(found) = Counting::of(w) else { continue };
        let declared = b.stmts[..at].iter().rposition(|s| declares(s, &found.name));
        if let Some(declared) = declared
            && !mentions(&b.stmts[at + 1..], &found.name)
        {
            let loop_ = found.written(w);
            b.stmts[at] = Stmt::Expr(loop_, None);
            // Nothing may be left that changes it.
            if let Stmt::Local(local) = &mut b.stmts[declared] {
                local.attrs.push(syn::parse_quote!(#[allow(unused_mut)]));
            }
        }
    }
}

/// A loop that counts.
struct Counting<'w> {
    name: Ident,
    /// The bound to which it counts, upwards or downwards.
    end: &'w Expr,
    down: bool,
}

impl<'w> Counting<'w> {
    fn of(w: &'w ExprWhile) -> Option<Self> {
        let Expr::Binary(cond) = strip(&w.cond) else { return None };
        let (number, end, down) = match cond.op {
            BinOp::Lt(_) => match as_name(strip(&cond.left)) {
                Some(name) if !counts_down(w, name) => (name, &*cond.right, false),
                _ => (as_name(strip(&cond.right))?, &*cond.left, true),
            },
            BinOp::Gt(_) => match as_name(strip(&cond.right)) {
                Some(name) if !counts_down(w, name) => (name, &*cond.left, false),
                _ => (as_name(strip(&cond.left))?, &*cond.right, true),
            },
            _ => return None,
        };
        let rest = match &w.body.stmts[..] {
            [first, rest @ ..] if down && is_step(first, number, true) => rest,
            [rest @ .., last] if !down && is_step(last, number, false) => rest,
            _ => return None,
        };
        let body: Expr = syn::parse_quote!({ #(#rest)* });
        let changed = changed(&body);
        let mut bound = Names::default();
        rest.iter().for_each(|s| bound.visit_stmt(s));
        let own = |name: &Ident| bound.bound.iter().any(|p| p.ident == *name);
        // The step at the end would be left out.
        let goes_on = !down
            && jumps::out_of(&w.body).iter().any(|e| match e {
                Expr::Continue(c) => match (&c.label, &w.label) {
                    (Some(to), Some(own)) => *to == own.name,
                    (to, _) => to.is_none(),
                },
                _ => false,
            });
        let stays = !changed.contains(&number.to_string()) && !own(number) && !goes_on;
        (stays && is_invariant(end, &body, &changed)).then(|| Self { name: number.clone(), end, down })
    }

    fn written(&self, w: &ExprWhile) -> Expr {
        let Self { name, end, down } = self;
        let (label, stmts, span) = (&w.label, &w.body.stmts, w.cond.span());
        if *down {
            let stmts = &stmts[1..];
            syn::parse_quote_spanned!(span=> #label for #name in (#end..#name).rev() { #(#stmts)* })
        } else {
            let stmts = &stmts[..stmts.len() - 1];
            syn::parse_quote_spanned!(span=> #label for #name in #name..#end { #(#stmts)* })
        }
    }
}

fn counts_down(w: &ExprWhile, name: &Ident) -> bool {
    w.body.stmts.first().is_some_and(|s| is_step(s, name, true))
}

/// `i += 1;`, `i -= 1;`
fn is_step(s: &Stmt, name: &Ident, down: bool) -> bool {
    let Stmt::Expr(Expr::Binary(b), Some(_)) = s else { return false };
    let one = matches!(&*b.right, Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(n), .. }) if n.base10_digits() == "1");
    let op = match b.op {
        BinOp::AddAssign(_) => !down,
        BinOp::SubAssign(_) => down,
        _ => false,
    };
    one && op && as_name(strip(&b.left)) == Some(name)
}

/// Whether an expression has the same value after the loop's body: of names that it does not change, and lengths.
fn is_invariant(e: &Expr, body: &Expr, changed: &HashSet<String>) -> bool {
    match strip(e) {
        Expr::Lit(_) => true,
        Expr::Path(p) => p.path.get_ident().is_none_or(|name| !changed.contains(&name.to_string())),
        Expr::Cast(c) => is_invariant(&c.expr, body, changed),
        Expr::Binary(b) => {
            !crate::sema::reduction::updates::is_assignment(&b.op)
                && is_invariant(&b.left, body, changed)
                && is_invariant(&b.right, body, changed)
        }
        // No method of a body gives an array another length.
        Expr::MethodCall(m) if m.method == "len" && m.args.is_empty() => {
            matches!(strip(&m.receiver), Expr::Path(_)) && is_invariant(&m.receiver, body, changed)
        }
        // A method may change its receiver.
        Expr::Field(f) => {
            let Some(root) = as_name(strip(&f.base)) else { return false };
            let calls = |e: &Expr| match e {
                // `self` may be a `&mut`, which a call borrows again.
                Expr::Call(c) => c.args.iter().any(|arg| as_name(strip(arg)) == Some(root)),
                Expr::MethodCall(m) => search::any(&*m.receiver, |e| as_name(strip(e)) == Some(root)),
                _ => false,
            };
            !changed.contains(&root.to_string()) && !search::any(body, calls)
        }
        _ => false,
    }
}

/// `let mut i = …;`
fn declares(s: &Stmt, name: &Ident) -> bool {
    let Stmt::Local(l) = s else { return false };
    let pat = if let Pat::Type(t) = &l.pat { &*t.pat } else { &l.pat };
    l.init.is_some() && matches!(pat, Pat::Ident(p) if p.ident == *name && p.by_ref.is_none())
}

/// Whether the statements after the loop name its number.
fn mentions(stmts: &[Stmt], name: &Ident) -> bool {
    let named = |tokens: TokenStream| crate::parse::tokens::leaves::mentions(tokens, &name.to_string());
    for s in stmts {
        // From here on, another variable has the name.
        if declares(s, name)
            && let Stmt::Local(l) = s
        {
            return l.init.as_ref().is_some_and(|init| named(init.expr.to_token_stream()));
        }
        if named(s.to_token_stream()) {
            return true;
        }
    }
    false
}
