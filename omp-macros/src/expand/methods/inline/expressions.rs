//! Forms of expressions that decide how a body may replace a call: places, parts, effects, and the ends of blocks.
use crate::expand::methods::{behind_parens, name_of, words};
pub(super) use crate::iterate::made;
use crate::sema::reduction::updates::is_assignment;
use crate::sema::syntax::effects;
use crate::sema::syntax::forms::{at_ends_of, strip};
use crate::sema::syntax::names::bound;
use crate::sema::syntax::search;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use std::collections::HashSet;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Pat, Stmt, Type, UnOp};

/// Visits the operands of an expression that are evaluated whenever it is; those of assignments and binary operators are left to the
/// visitor.
pub(super) fn visit_evaluated<V: VisitMut>(visitor: &mut V, e: &mut Expr) {
    match e {
        Expr::Call(_)
        | Expr::MethodCall(_)
        | Expr::Try(_)
        | Expr::Field(_)
        | Expr::Paren(_)
        | Expr::Unary(_)
        | Expr::Cast(_)
        | Expr::Reference(_)
        | Expr::Index(_)
        | Expr::Tuple(_)
        | Expr::Array(_)
        | Expr::Struct(_)
        | Expr::Return(_) => visit_mut::visit_expr_mut(visitor, e),
        Expr::Match(m) => visitor.visit_expr_mut(&mut m.expr),
        Expr::If(i) => visitor.visit_expr_mut(&mut i.cond),
        Expr::Let(l) => visitor.visit_expr_mut(&mut l.expr),
        Expr::ForLoop(f) if f.attrs.is_empty() => visitor.visit_expr_mut(&mut f.expr),
        _ => {}
    }
}

pub(super) fn assign_at_ends(block: &mut Block, op: &TokenStream, value: &TokenStream) {
    at_ends_of(block, &mut |e| *e = made(quote!({ #e #op #value; })));
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

/// Names of closures that may change something, and of `&mut`s.
pub(super) type Changing = HashSet<String>;

/// Whether an expression may be computed twice.
pub(super) fn is_pure(e: &Expr, changing: &Changing) -> bool {
    is_pure_with(e, changing, &|_| false)
}

/// The same, where methods of some names change nothing.
pub(super) fn is_pure_with(e: &Expr, changing: &Changing, reads: &dyn Fn(&str) -> bool) -> bool {
    let is_changing = |e: &Expr| matches!(strip(e), Expr::Path(p) if p.path.get_ident().is_some_and(|name| changing.contains(&name.to_string())));
    effects::is_pure(e, &|call| match call {
        // Device functions change nothing but their `&mut` arguments.
        Expr::Call(c) if c.args.iter().any(is_changing) => false,
        Expr::Call(c) => match strip(&c.func) {
            func @ Expr::Path(_) => !is_changing(func),
            // The body of another call.
            Expr::Closure(of) => gives_purely(&of.body, changing),
            _ => false,
        },
        call => {
            effects::is_of_numbers(call)
                || matches!(call, Expr::MethodCall(m) if reads(&m.method.to_string()))
        }
    })
}

/// A value, or a block that binds some before its own.
fn gives_purely(e: &Expr, changing: &Changing) -> bool {
    match strip(e) {
        Expr::Block(b) if b.label.is_none() => match &b.block.stmts[..] {
            [lets @ .., Stmt::Expr(value, None)] => {
                lets.iter().all(|s| is_pure_let(s, changing)) && gives_purely(value, changing)
            }
            _ => false,
        },
        e => is_pure(e, changing),
    }
}

/// A `let` that may be computed twice.
pub(super) fn is_pure_let(s: &Stmt, changing: &Changing) -> bool {
    matches!(s, Stmt::Local(l) if l.init.as_ref().is_some_and(|init| init.diverge.is_none() && is_pure(&init.expr, changing)))
}

/// The names in code that are [`Changing`], and perhaps some others.
pub(in crate::expand::methods) struct FindChanging(pub Changing);

impl FindChanging {
    fn bind(&mut self, pat: &Pat, value: &Expr) {
        let exclusive = words(value.to_token_stream()).iter().any(|w| w == "mut" || w.ends_with("_mut"));
        let closure = matches!(strip(value), Expr::Closure(_));
        if exclusive || closure && matches!(pat, Pat::Ident(p) if p.mutability.is_some()) {
            self.0.extend(bound(pat));
        }
    }

    fn typed(&mut self, pat: &Pat, ty: &Type) {
        if words(ty.to_token_stream()).iter().any(|w| w == "mut" || w == "FnMut") {
            self.0.extend(bound(pat));
        }
    }
}

impl<'ast> Visit<'ast> for FindChanging {
    fn visit_local(&mut self, l: &'ast syn::Local) {
        visit::visit_local(self, l);
        if let Some(init) = &l.init {
            self.bind(&l.pat, &init.expr);
        }
    }
    fn visit_expr_let(&mut self, l: &'ast syn::ExprLet) {
        visit::visit_expr_let(self, l);
        self.bind(&l.pat, &l.expr);
    }
    fn visit_expr_match(&mut self, m: &'ast syn::ExprMatch) {
        visit::visit_expr_match(self, m);
        m.arms.iter().for_each(|arm| self.bind(&arm.pat, &m.expr));
    }
    fn visit_expr_for_loop(&mut self, f: &'ast syn::ExprForLoop) {
        visit::visit_expr_for_loop(self, f);
        self.bind(&f.pat, &f.expr);
    }
    fn visit_pat_type(&mut self, t: &'ast syn::PatType) {
        visit::visit_pat_type(self, t);
        self.typed(&t.pat, &t.ty);
    }
}
