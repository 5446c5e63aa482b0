//! Forms of expressions that several phases look for. Parentheses, and the invisible groups around a macro's arguments,
//! are ignored.
use syn::{Block, Expr, ExprLit, Ident, Lit, Stmt, UnOp};

/// Without parentheses.
pub fn strip(e: &Expr) -> &Expr {
    match e {
        Expr::Paren(p) => strip(&p.expr),
        Expr::Group(g) => strip(&g.expr),
        other => other,
    }
}

/// [`strip`], to change it.
pub fn strip_mut(e: &mut Expr) -> &mut Expr {
    match e {
        Expr::Paren(p) => strip_mut(&mut p.expr),
        Expr::Group(g) => strip_mut(&mut g.expr),
        other => other,
    }
}

/// Without parentheses and `&`.
pub fn behind_references(e: &Expr) -> &Expr {
    match strip(e) {
        Expr::Reference(r) => behind_references(&r.expr),
        other => other,
    }
}

/// Without parentheses and `*`.
pub fn dereferenced(e: &Expr) -> &Expr {
    match strip(e) {
        Expr::Unary(u) if matches!(u.op, UnOp::Deref(_)) => dereferenced(&u.expr),
        other => other,
    }
}

/// Visits the values that an expression may give, without those branches that leave it.
pub fn at_ends(e: &mut Expr, each: &mut dyn FnMut(&mut Expr)) {
    match strip_mut(e) {
        Expr::Block(b) if b.label.is_none() => at_ends_of(&mut b.block, each),
        Expr::If(i) => {
            at_ends_of(&mut i.then_branch, each);
            if let Some((_, other)) = &mut i.else_branch {
                at_ends(other, each);
            }
        }
        Expr::Match(m) => m.arms.iter_mut().for_each(|arm| at_ends(&mut arm.body, each)),
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) | Expr::Macro(_) => {}
        value => each(value),
    }
}

/// Visits the values that a block may give.
pub fn at_ends_of(block: &mut Block, each: &mut dyn FnMut(&mut Expr)) {
    if let Some(Stmt::Expr(value, None)) = block.stmts.last_mut() {
        at_ends(value, each);
    }
}

/// Whether it is one name.
pub fn is_name(e: &Expr) -> bool {
    as_name(e).is_some()
}

/// Whether it is this name.
pub fn is_named(e: &Expr, name: &Ident) -> bool {
    matches!(e, Expr::Path(p) if p.path.is_ident(name))
}

/// Whether a path is this variant, with type arguments or not: `Ok`, `Ok::<u32, Error>`.
pub fn is_variant(path: &syn::Path, name: &str) -> bool {
    path.leading_colon.is_none() && path.segments.len() == 1 && path.segments[0].ident == name
}

/// The name, if it is one.
pub fn as_name(e: &Expr) -> Option<&Ident> {
    match e {
        Expr::Path(p) => p.path.get_ident(),
        _ => None,
    }
}

/// Whether a function is named like a variant or tuple struct.
pub fn is_constructor(function: &Expr) -> bool {
    let Expr::Path(p) = function else { return false };
    p.path.segments.last().is_some_and(|s| s.ident.to_string().starts_with(char::is_uppercase))
}

/// `x[a..b]`
pub fn is_part(e: &Expr) -> bool {
    matches!(strip(e), Expr::Index(x) if matches!(strip(&x.index), Expr::Range(_)))
}

/// The value of an integer literal.
pub fn literal(e: &Expr) -> Option<usize> {
    match e {
        Expr::Lit(ExprLit { lit: Lit::Int(n), .. }) => n.base10_parse().ok(),
        _ => None,
    }
}

/// `==`, `<` and their like, which take two references of one kind.
pub fn is_comparison(op: &syn::BinOp) -> bool {
    use syn::BinOp::{Eq, Ge, Gt, Le, Lt, Ne};
    matches!(op, Eq(_) | Ne(_) | Lt(_) | Le(_) | Gt(_) | Ge(_))
}

/// `+`, `*=` and their like, which take numbers and references to numbers.
pub fn takes_references(op: &syn::BinOp) -> bool {
    !is_comparison(op) && !matches!(op, syn::BinOp::And(_) | syn::BinOp::Or(_))
}
