//! Forms of expressions that decide how a body may replace a call: places, parts, effects, and the ends of blocks.
use crate::expand::methods::{behind_parens, name_of};
use crate::sema::reduction::updates::is_assignment;
use crate::sema::syntax::effects;
use crate::sema::syntax::forms::{strip, strip_mut};
use crate::sema::syntax::search;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Block, Expr, Stmt, Type, UnOp};

/// Visits the expressions that are a block's result.
pub(super) fn at_ends(block: &mut Block, each: &mut dyn FnMut(&mut Expr)) {
    if let Some(Stmt::Expr(e, None)) = block.stmts.last_mut() {
        end(e, each);
    }
}

pub(super) fn end(e: &mut Expr, each: &mut dyn FnMut(&mut Expr)) {
    match strip_mut(e) {
        Expr::Block(b) => at_ends(&mut b.block, each),
        Expr::If(i) => {
            at_ends(&mut i.then_branch, each);
            if let Some((_, other)) = &mut i.else_branch {
                end(other, each);
            }
        }
        Expr::Match(m) => m.arms.iter_mut().for_each(|arm| end(&mut arm.body, each)),
        e => each(e),
    }
}

pub(super) fn assign_at_ends(block: &mut Block, op: &TokenStream, value: &TokenStream) {
    at_ends(block, &mut |e| {
        if !matches!(e, Expr::Macro(_)) {
            *e = made(quote!({ #e #op #value; }));
        }
    });
}

/// `v`, `v.x`, `v[i]`, `*v`
pub(super) fn is_plain_place(e: &Expr) -> bool {
    match strip(e) {
        Expr::Field(f) => is_plain_place(&f.base),
        Expr::Index(x) => is_plain_place(&x.expr) && !matches!(&*x.index, Expr::Range(_)),
        Expr::Unary(u) => matches!(u.op, UnOp::Deref(_)) && is_plain_place(&u.expr),
        Expr::Path(_) => true,
        _ => false,
    }
}

/// `(&place).x` is `place.x`.
pub(super) fn through(e: &mut Expr) {
    if let Expr::Reference(r) = e {
        *e = (*r.expr).clone();
    }
}

/// Whether an expression may change a variable, or call a closure that does.
pub(super) fn has_effects(e: &Expr) -> bool {
    let mut found = false;
    search::walk(e, |e| {
        found |= match e {
            Expr::Assign(_) | Expr::Call(_) | Expr::Macro(_) => true,
            Expr::Binary(b) => is_assignment(&b.op),
            Expr::Reference(r) => r.mutability.is_some(),
            Expr::MethodCall(m) => m.method == "next" || m.method == "swap",
            _ => false,
        };
        // The closure of an adapter runs once for each item.
        !matches!(e, Expr::Closure(_))
    });
    found
}

/// A place has its type whatever stands around it, and nothing in it leaves the method.
pub(super) fn is_place(e: &Expr) -> bool {
    match strip(e) {
        Expr::Path(_) => true,
        Expr::Field(f) => is_place(&f.base),
        _ => false,
    }
}

pub(super) fn made(tokens: TokenStream) -> Expr {
    syn::parse2(tokens).expect("these tokens are an expression")
}

/// Without parentheses and references: fields are found through them.
pub(super) fn receiver(e: &Expr) -> TokenStream {
    let e = strip(e);
    match e {
        Expr::Reference(r) => receiver(&r.expr),
        Expr::Unary(_) => quote!((#e)),
        e => e.to_token_stream(),
    }
}

/// An argument that stands for a parameter as it is: a whole array, or a struct.
pub(super) fn whole(ty: &Type, arg: &Expr) -> Option<TokenStream> {
    fn is_place(e: &Expr) -> bool {
        match strip(e) {
            Expr::Path(p) => p.path.get_ident().is_some(),
            Expr::Field(f) => is_place(&f.base),
            Expr::Reference(r) => is_place(&r.expr),
            _ => false,
        }
    }
    let Type::Reference(r) = behind_parens(ty) else { return None };
    let of = match &*r.elem {
        Type::Slice(_) | Type::Array(_) => true,
        ty => name_of(ty).is_some_and(|name| name.starts_with(char::is_uppercase)),
    };
    (of && is_place(arg)).then(|| receiver(arg))
}

/// Whether an expression may be computed twice.
pub(super) fn is_pure(e: &Expr) -> bool {
    const OF_NUMBERS: [&str; 5] = ["len", "min", "max", "clamp", "abs"];
    effects::is_pure(e, &|call| match call {
        // Device functions change nothing but their `&mut` arguments.
        Expr::Call(c) => match strip(&c.func) {
            Expr::Path(_) => true,
            // The body of another call.
            Expr::Closure(of) => gives_purely(&of.body),
            _ => false,
        },
        call => matches!(call, Expr::MethodCall(m) if OF_NUMBERS.iter().any(|name| m.method == name)),
    })
}

/// A value, or a block that binds some before its own.
fn gives_purely(e: &Expr) -> bool {
    match strip(e) {
        Expr::Block(b) if b.label.is_none() => match &b.block.stmts[..] {
            [lets @ .., Stmt::Expr(value, None)] => lets.iter().all(is_pure_let) && gives_purely(value),
            _ => false,
        },
        e => is_pure(e),
    }
}

/// A `let` that may be computed twice.
pub(super) fn is_pure_let(s: &Stmt) -> bool {
    matches!(s, Stmt::Local(l) if l.init.as_ref().is_some_and(|init| init.diverge.is_none() && is_pure(&init.expr)))
}
