//! Numbers without a type from which an expression may have its type: rustc takes it from what is done with the value, and falls back to
//! `i32` or `f64`. Where an expression is copied, each copy would get a type of its own.
use super::search;
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::collections::HashSet;
use syn::{Block, Expr, ExprClosure, ExprMethodCall, Pat, Stmt, Type};

/// The free numbers of a value, or of the items of an iterator.
pub fn of(e: &mut Expr) -> Vec<&mut Expr> {
    match e {
        Expr::Lit(l) => {
            let free = match &l.lit {
                syn::Lit::Int(n) => n.suffix().is_empty(),
                syn::Lit::Float(n) => n.suffix().is_empty(),
                _ => false,
            };
            if free { vec![e] } else { vec![] }
        }
        // (The least number of a type is no negated number of it.)
        Expr::Unary(u) if matches!((&u.op, &*u.expr), (syn::UnOp::Neg(_), Expr::Lit(_))) => {
            if of(&mut u.expr.clone()).is_empty() { vec![] } else { vec![e] }
        }
        Expr::Unary(u) if !matches!(u.op, syn::UnOp::Deref(_)) => of(&mut u.expr),
        Expr::Paren(p) => of(&mut p.expr),
        Expr::Group(g) => of(&mut g.expr),
        Expr::Binary(b) => {
            use syn::BinOp::{Add, BitAnd, BitOr, BitXor, Div, Mul, Rem, Shl, Shr, Sub};
            match b.op {
                Shl(_) | Shr(_) => of(&mut b.left),
                // The other operand gives the type.
                Add(_) | Sub(_) | Mul(_) | Div(_) | Rem(_) | BitAnd(_) | BitOr(_) | BitXor(_) => {
                    either(&mut b.left, &mut b.right)
                }
                _ => vec![],
            }
        }
        Expr::Cast(c) if matches!(&*c.ty, Type::Infer(_)) => of(&mut c.expr),
        Expr::Index(x) => of(&mut x.expr),
        Expr::Field(f) => of(&mut f.base),
        Expr::Try(t) => of(&mut t.expr),
        Expr::Tuple(t) => t.elems.iter_mut().flat_map(of).collect(),
        // (All elements are of one type.)
        Expr::Array(a) => {
            let of_first = matches!(a.elems.first(), Some(Expr::Lit(_)));
            let decide = if of_first { 1 } else { a.elems.len() };
            a.elems.iter_mut().take(decide).flat_map(of).collect()
        }
        Expr::Repeat(r) => of(&mut r.expr),
        Expr::Struct(s) => s.fields.iter_mut().flat_map(|f| of(&mut f.expr)).collect(),
        Expr::Range(r) => match (&mut r.start, &mut r.end) {
            (Some(start), Some(end)) => {
                if of(start).is_empty() {
                    vec![]
                } else {
                    of(end)
                }
            }
            (start, end) => start.iter_mut().chain(end).flat_map(|end| of(end)).collect(),
        },
        Expr::If(i) => {
            let Some((_, other)) = &mut i.else_branch else { return vec![] };
            let mut found = of_block(&mut i.then_branch);
            found.extend(of(other));
            found
        }
        Expr::Match(m) => m.arms.iter_mut().flat_map(|arm| of(&mut arm.body)).collect(),
        Expr::Block(b) => of_block(&mut b.block),
        Expr::Call(c) => {
            const GIVE: [&str; 8] =
                ["max", "min", "from_fn", "once", "repeat", "repeat_n", "successors", "zip"];
            // (A constructor, or a function of std that gives what it is given.)
            let makes = matches!(&*c.func, Expr::Path(p) if p.path.segments.last().is_some_and(|s| {
                s.ident.to_string().starts_with(char::is_uppercase) || GIVE.iter().any(|name| s.ident == name)
            }));
            if makes { c.args.iter_mut().flat_map(of_argument).collect() } else { vec![] }
        }
        Expr::MethodCall(m) => of_method(m),
        Expr::Return(r) => r.expr.iter_mut().flat_map(|e| of(e)).collect(),
        Expr::Break(b) => b.expr.iter_mut().flat_map(|e| of(e)).collect(),
        _ => vec![],
    }
}

/// Those of what has a name: of a closure, or of an iterator.
pub fn of_named(e: &mut Expr) -> Vec<&mut Expr> {
    match e {
        Expr::Reference(r) => of_named(&mut r.expr),
        Expr::Paren(p) => of_named(&mut p.expr),
        e => of_argument(e),
    }
}

/// Those of two values of one type.
fn either<'e>(left: &'e mut Expr, right: &'e mut Expr) -> Vec<&'e mut Expr> {
    let (mut left, right) = (of(left), of(right));
    if left.is_empty() || right.is_empty() {
        return vec![];
    }
    left.extend(right);
    left
}

fn of_argument(arg: &mut Expr) -> Vec<&mut Expr> {
    match arg {
        Expr::Closure(c) => of_closure(c),
        arg => of(arg),
    }
}

fn of_method(m: &mut ExprMethodCall) -> Vec<&mut Expr> {
    match m.method.to_string().as_str() {
        "count" | "len" | "is_some" | "is_none" | "any" | "all" | "position" | "to_bits" => vec![],
        // What a closure gives is the item.
        "map" | "filter_map" | "flat_map" | "map_while" | "and_then" | "then" if m.args.len() == 1 => {
            let uses = match &m.args[0] {
                Expr::Closure(c) => !c.inputs.iter().all(|pat| matches!(pat, Pat::Wild(_))),
                _ => true,
            };
            let mut found = if uses { of(&mut m.receiver) } else { vec![] };
            found.extend(of_argument(&mut m.args[0]));
            found
        }
        "max" | "min" if m.args.len() == 1 => either(&mut m.receiver, &mut m.args[0]),
        "map_or" | "map_or_else" | "unwrap_or" | "unwrap_or_else" | "or_else" | "or" | "fold" | "scan"
        | "then_some" | "zip" | "chain" => {
            let mut found = of(&mut m.receiver);
            found.extend(m.args.iter_mut().flat_map(of_argument));
            found
        }
        _ => of(&mut m.receiver),
    }
}

/// The free numbers of what a closure gives.
pub fn of_closure(c: &mut ExprClosure) -> Vec<&mut Expr> {
    let typed = matches!(&c.output, syn::ReturnType::Type(_, ty) if !infers(&ty.to_token_stream()));
    if typed { vec![] } else { of_body(&mut c.body) }
}

/// Whether a type has a part that rustc infers.
fn infers(ty: &TokenStream) -> bool {
    crate::parse::tokens::leaves::idents(ty.clone()).any(|word| word == "_")
}

/// Those of a body, which may be left by `return`.
fn of_body(e: &mut Expr) -> Vec<&mut Expr> {
    if !search::any(&*e, |e| matches!(e, Expr::Return(_))) {
        return of(e);
    }
    let Expr::Block(b) = e else { return of(e) };
    let mut found = Vec::new();
    if let [stmts @ .., last] = &mut b.block.stmts[..] {
        stmts.iter_mut().for_each(|s| returned(s, &mut found));
        if let Stmt::Expr(e, _) = last {
            found.extend(of(e));
        }
    }
    found
}

/// Those that a statement returns.
fn returned<'e>(s: &'e mut Stmt, found: &mut Vec<&'e mut Expr>) {
    match s {
        Stmt::Expr(Expr::If(i), _) => {
            i.then_branch.stmts.iter_mut().for_each(|s| returned(s, found));
            if let Some((_, other)) = &mut i.else_branch
                && let Expr::Block(b) = &mut **other
            {
                b.block.stmts.iter_mut().for_each(|s| returned(s, found));
            }
        }
        Stmt::Expr(Expr::ForLoop(f), _) => f.body.stmts.iter_mut().for_each(|s| returned(s, found)),
        Stmt::Expr(Expr::While(w), _) => w.body.stmts.iter_mut().for_each(|s| returned(s, found)),
        Stmt::Expr(e @ Expr::Return(_), _) => found.extend(of(e)),
        _ => {}
    }
}

/// Those of a block's value, and of the variables in it.
fn of_block(b: &mut Block) -> Vec<&mut Expr> {
    let [stmts @ .., Stmt::Expr(value, end)] = &mut b.stmts[..] else { return vec![] };
    if end.is_some() && !matches!(value, Expr::Return(_)) {
        return vec![];
    }
    let mut names: HashSet<String> = HashSet::new();
    search::each(&*value, |e| {
        if let Expr::Path(p) = e {
            names.extend(p.path.get_ident().map(ToString::to_string));
        }
    });
    let mut found = of(value);
    for s in stmts {
        if let Stmt::Local(l) = s
            && let Pat::Ident(p) = &l.pat
            && names.contains(&p.ident.to_string())
            && let Some(init) = l.init.as_mut().filter(|init| init.diverge.is_none())
        {
            found.extend(of(&mut init.expr));
        }
    }
    found
}
