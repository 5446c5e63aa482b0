//! Forms of expressions that decide how a body may replace a call: places, parts, effects, and the ends of blocks.
use crate::expand::methods::{behind_parens, name_of};
use crate::sema::reduction::updates::is_assignment;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::visit::{self, Visit};
use syn::{Block, Expr, Stmt, Type, UnOp};

/// What a block gives at its ends.
pub(super) fn at_ends(block: &mut Block, each: &mut dyn FnMut(&mut Expr)) {
    if let Some(Stmt::Expr(e, None)) = block.stmts.last_mut() {
        end(e, each);
    }
}

pub(super) fn end(e: &mut Expr, each: &mut dyn FnMut(&mut Expr)) {
    match e {
        Expr::Block(b) => at_ends(&mut b.block, each),
        Expr::Paren(p) => end(&mut p.expr, each),
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
    match e {
        Expr::Paren(p) => is_plain_place(&p.expr),
        Expr::Field(f) => is_plain_place(&f.base),
        Expr::Index(x) => is_plain_place(&x.expr) && !matches!(&*x.index, Expr::Range(_)),
        Expr::Unary(u) => matches!(u.op, UnOp::Deref(_)) && is_plain_place(&u.expr),
        Expr::Path(_) => true,
        _ => false,
    }
}

/// `x[a..b]`
pub(super) fn is_part(e: &Expr) -> bool {
    match e {
        Expr::Paren(p) => is_part(&p.expr),
        Expr::Group(g) => is_part(&g.expr),
        Expr::Index(x) => matches!(&*x.index, Expr::Range(_)),
        _ => false,
    }
}

/// `(&place).x` is `place.x`.
pub(super) fn through(e: &mut Expr) {
    if let Expr::Reference(r) = e {
        *e = (*r.expr).clone();
    }
}

/// What may change a variable, or call a closure that does.
pub(super) struct Effects(bool);

impl Effects {
    pub(super) fn has(e: &Expr) -> bool {
        let mut found = Self(false);
        found.visit_expr(e);
        found.0
    }
}

impl<'ast> Visit<'ast> for Effects {
    fn visit_expr(&mut self, e: &'ast Expr) {
        self.0 |= match e {
            Expr::Assign(_) | Expr::Call(_) | Expr::Macro(_) => true,
            Expr::Binary(b) => is_assignment(&b.op),
            Expr::Reference(r) => r.mutability.is_some(),
            Expr::MethodCall(m) => m.method == "next" || m.method == "swap",
            _ => false,
        };
        // The closure of an adapter runs once for each item.
        if !matches!(e, Expr::Closure(_)) {
            visit::visit_expr(self, e);
        }
    }
}

/// The variable that a place is a part of.
pub(super) fn root(e: &Expr) -> Option<&Ident> {
    match e {
        Expr::Path(p) => p.path.get_ident(),
        Expr::Field(f) => root(&f.base),
        Expr::Paren(p) => root(&p.expr),
        Expr::Unary(u) => root(&u.expr),
        Expr::Index(x) => root(&x.expr),
        _ => None,
    }
}

/// A place has its type whatever stands around it, and nothing in it leaves the method.
pub(super) fn is_place(e: &Expr) -> bool {
    match e {
        Expr::Path(_) => true,
        Expr::Field(f) => is_place(&f.base),
        Expr::Paren(p) => is_place(&p.expr),
        _ => false,
    }
}

pub(super) fn made(tokens: TokenStream) -> Expr {
    syn::parse2(tokens).expect("these tokens are an expression")
}

/// Without parentheses and references: fields are found through them.
pub(super) fn receiver(e: &Expr) -> TokenStream {
    match e {
        Expr::Paren(p) => receiver(&p.expr),
        Expr::Group(g) => receiver(&g.expr),
        Expr::Reference(r) => receiver(&r.expr),
        Expr::Unary(_) => quote!((#e)),
        e => e.to_token_stream(),
    }
}

/// An argument that stands for a parameter as it is: a whole array, or a struct.
pub(super) fn whole(ty: &Type, arg: &Expr) -> Option<TokenStream> {
    fn is_place(e: &Expr) -> bool {
        match e {
            Expr::Path(p) => p.path.get_ident().is_some(),
            Expr::Field(f) => is_place(&f.base),
            Expr::Paren(p) => is_place(&p.expr),
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
    match e {
        Expr::Path(_) | Expr::Lit(_) => true,
        Expr::Paren(p) => is_pure(&p.expr),
        Expr::Group(g) => is_pure(&g.expr),
        Expr::Field(f) => is_pure(&f.base),
        Expr::Tuple(t) => t.elems.iter().all(is_pure),
        // Device functions change nothing but their `&mut` arguments.
        Expr::Call(c) => matches!(&*c.func, Expr::Path(_)) && c.args.iter().all(is_pure),
        Expr::Reference(r) => r.mutability.is_none() && is_pure(&r.expr),
        Expr::MethodCall(m) => {
            const OF_NUMBERS: [&str; 5] = ["len", "min", "max", "clamp", "abs"];
            let known = OF_NUMBERS.iter().any(|name| m.method == name);
            known && is_pure(&m.receiver) && m.args.iter().all(is_pure)
        }
        Expr::Cast(c) => is_pure(&c.expr),
        Expr::Unary(u) => is_pure(&u.expr),
        Expr::Index(x) => is_pure(&x.expr) && is_pure(&x.index),
        Expr::Binary(b) => !is_assignment(&b.op) && is_pure(&b.left) && is_pure(&b.right),
        _ => false,
    }
}

/// A `let` that may be computed twice.
pub(super) fn is_pure_let(s: &Stmt) -> bool {
    matches!(s, Stmt::Local(l) if l.init.as_ref().is_some_and(|init| init.diverge.is_none() && is_pure(&init.expr)))
}
