//! Side effects: whether an expression has some, and which expressions surely have none.
use super::place;
use crate::parse::tokens::source::as_written;
use crate::sema::accesses::atomic;
use crate::sema::reduction::updates::{assigned, is_assignment};
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::jumps::Open;
use crate::sema::syntax::names::Names;
use crate::sema::syntax::search;
use omp_ir::method::Method;
use proc_macro2::{Spacing, TokenStream, TokenTree};
use std::fmt;
use syn::visit::{self, Visit};
use syn::{Expr, Pat, Stmt, UnOp};

/// An effect of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It changes something, or leaves what is around it.
    Change,
    /// It calls a method that may change its receiver: whether it does isn't seen here.
    Call { call: String, receiver: String },
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Effect::Change => f.write_str("something else happens"),
            Effect::Call { call, receiver } => write!(f, "`{call}` may change `{receiver}`"),
        }
    }
}

/// The first effect of an expression, not counting one assignment in it, both of whose sides are inspected. Changes of variables that the
/// expression declares don't count, nor do jumps that stay in it.
/// `mutable` decides which variables a method that is not listed may change.
pub fn of(e: &Expr, but: Option<&Expr>, mutable: &dyn Fn(&str) -> bool) -> Option<Effect> {
    let mut find = Find { but, mutable, own: Vec::new(), loops: Open::default(), changes: false, call: None };
    find.visit_expr(e);
    if find.changes { Some(Effect::Change) } else { find.call }
}

/// Whether an expression surely changes nothing, so that it may be evaluated twice or earlier.
pub fn is_pure(e: &Expr, call: &dyn Fn(&Expr) -> bool) -> bool {
    impure(e, call).is_none()
}

/// Methods of numbers and arrays that give a value and do nothing else.
const OF_NUMBERS: [&str; 31] = [
    "abs",
    "abs_diff",
    "ceil",
    "clamp",
    "count_ones",
    "div_ceil",
    "div_euclid",
    "floor",
    "ilog2",
    "is_empty",
    "isqrt",
    "leading_zeros",
    "len",
    "max",
    "min",
    "next_multiple_of",
    "pow",
    "powi",
    "rem_euclid",
    "round",
    "saturating_add",
    "saturating_mul",
    "saturating_sub",
    "signum",
    "sqrt",
    "trailing_zeros",
    "unsigned_abs",
    "wrapping_add",
    "wrapping_mul",
    "wrapping_neg",
    "wrapping_sub",
];

/// Whether a call is of such a method.
pub fn is_of_numbers(call: &Expr) -> bool {
    matches!(call, Expr::MethodCall(m) if OF_NUMBERS.iter().any(|name| m.method == name))
}

/// The first part of an expression that may change something: names, numbers, and what operators make of them, don't. `call`
/// decides which calls don't, either; their operands are inspected here.
pub fn impure<'e>(e: &'e Expr, call: &dyn Fn(&Expr) -> bool) -> Option<&'e Expr> {
    let e = strip(e);
    let of = |e: &'e Expr| impure(e, call);
    match e {
        Expr::Path(_) | Expr::Lit(_) => None,
        Expr::Field(f) => of(&f.base),
        Expr::Cast(c) => of(&c.expr),
        Expr::Unary(u) => of(&u.expr),
        Expr::Index(x) => of(&x.expr).or_else(|| of(&x.index)),
        Expr::Range(r) => r.start.iter().chain(&r.end).find_map(|e| of(e)),
        Expr::Reference(r) if r.mutability.is_none() => of(&r.expr),
        Expr::Tuple(t) => t.elems.iter().find_map(of),
        Expr::Binary(b) if !is_assignment(&b.op) => of(&b.left).or_else(|| of(&b.right)),
        // Of values that one expression gives.
        Expr::If(i) if !matches!(&*i.cond, Expr::Let(_)) => {
            let ([Stmt::Expr(then, None)], Some((_, els))) = (&i.then_branch.stmts[..], &i.else_branch)
            else {
                return Some(e);
            };
            of(&i.cond).or_else(|| of(then)).or_else(|| of(els))
        }
        Expr::Block(b) if b.label.is_none() && b.attrs.is_empty() => {
            let [lets @ .., Stmt::Expr(value, None)] = &b.block.stmts[..] else { return Some(e) };
            let bound = lets.iter().map(|s| match s {
                Stmt::Local(l) => l.init.as_ref().filter(|init| init.diverge.is_none()),
                _ => None,
            });
            let Some(bound) = bound.collect::<Option<Vec<_>>>() else { return Some(e) };
            bound.into_iter().find_map(|init| of(&init.expr)).or_else(|| of(value))
        }
        Expr::Call(c) if call(e) => c.args.iter().find_map(of),
        Expr::MethodCall(m) if call(e) => of(&m.receiver).or_else(|| m.args.iter().find_map(of)),
        _ => Some(e),
    }
}

struct Find<'a> {
    but: Option<&'a Expr>,
    mutable: &'a dyn Fn(&str) -> bool,
    /// The variables in scope that the expression declares, and whether they hold what they are made of, and don't refer to it.
    own: Vec<(String, bool)>,
    /// The loops around that stand in the expression.
    loops: Open,
    changes: bool,
    call: Option<Effect>,
}

impl Find<'_> {
    /// Whether a place is a variable of the expression's own, or a part of the value that such a variable holds.
    fn is_own(&self, place: &Expr) -> bool {
        match strip(place) {
            Expr::Path(p) => {
                p.path.get_ident().is_some_and(|name| self.own.iter().any(|(own, _)| name == own))
            }
            place => self.is_held(place),
        }
    }

    /// Whether a place is the value that a variable of the expression's own holds, or a part of it.
    fn is_held(&self, place: &Expr) -> bool {
        let holds =
            |(own, holds): &(String, bool)| *holds && place::root(place).is_some_and(|root| root == own);
        let derefs = |e: &Expr| matches!(e, Expr::Unary(u) if matches!(u.op, UnOp::Deref(_)));
        self.own.iter().any(holds) && !search::any(place, derefs)
    }

    /// The variables that a pattern binds. Those that can't be changed may be references.
    fn declare(&mut self, pat: &Pat, value: Option<&Expr>) {
        let holds = matches!(
            value.map(strip),
            Some(Expr::Array(_) | Expr::Repeat(_) | Expr::Lit(_) | Expr::Struct(_))
        );
        for name in Names::of_pattern(pat).bound {
            self.own.retain(|(own, _)| name.ident != *own);
            if name.mutability.is_some() && name.by_ref.is_none() {
                self.own.push((name.ident.to_string(), holds));
            }
        }
    }

    fn in_scope(&mut self, pat: Option<&Pat>, inside: impl FnOnce(&mut Self)) {
        let outer = self.own.clone();
        pat.iter().for_each(|pat| self.declare(pat, None));
        inside(self);
        self.own = outer;
    }

    fn in_loop(&mut self, of: &Expr, pat: Option<&Pat>, body: &syn::Block) {
        let entered = self.loops.enter(of);
        self.in_scope(pat, |find| find.visit_block(body));
        self.loops.leave(entered);
    }
}

impl<'ast> Visit<'ast> for Find<'_> {
    fn visit_expr(&mut self, e: &'ast Expr) {
        self.changes |= match e {
            Expr::Reference(r) => r.mutability.is_some() && !self.is_held(&r.expr),
            Expr::MethodCall(m) => {
                let listed = Method::is_name(&m.method.to_string(), m.args.len() + 1);
                let receiver = place::of(&m.receiver).filter(|p| !listed && (self.mutable)(&p.base));
                if let (Some(receiver), None) = (receiver.filter(|_| !self.is_held(&m.receiver)), &self.call)
                {
                    self.call = Some(Effect::Call { call: as_written(m), receiver: receiver.base.clone() });
                }
                m.method == "swap" && !self.is_held(&m.receiver)
            }
            Expr::Break(_) | Expr::Continue(_) => self.loops.is_left_by(e),
            Expr::Return(_) => true,
            e => match assigned(e) {
                Some(place) => !self.is_own(place) && !self.but.is_some_and(|but| std::ptr::eq(but, e)),
                None => atomic::of(e).is_some(),
            },
        };
        match e {
            Expr::ForLoop(f) => {
                self.visit_expr(&f.expr);
                self.in_loop(e, Some(&f.pat), &f.body);
            }
            Expr::While(w) => self.in_scope(None, |find| {
                find.visit_expr(&w.cond);
                find.in_loop(e, None, &w.body);
            }),
            Expr::Loop(l) => self.in_loop(e, None, &l.body),
            Expr::If(i) => {
                self.in_scope(None, |find| {
                    find.visit_expr(&i.cond);
                    find.visit_block(&i.then_branch);
                });
                i.else_branch.iter().for_each(|(_, els)| self.visit_expr(els));
            }
            Expr::Let(l) => {
                self.visit_expr(&l.expr);
                self.declare(&l.pat, None);
            }
            Expr::Closure(c) => {
                // (Its jumps are its own, and it may run later.)
                let loops = std::mem::take(&mut self.loops);
                self.in_scope(None, |find| {
                    c.inputs.iter().for_each(|pat| find.declare(pat, None));
                    find.visit_expr(&c.body);
                });
                self.loops = loops;
            }
            _ => visit::visit_expr(self, e),
        }
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        self.in_scope(Some(&arm.pat), |find| visit::visit_arm(find, arm));
    }

    fn visit_block(&mut self, block: &'ast syn::Block) {
        self.in_scope(None, |find| visit::visit_block(find, block));
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        visit::visit_local(self, local);
        let init = local.init.as_ref().filter(|init| init.diverge.is_none());
        self.declare(&local.pat, init.map(|init| &*init.expr));
    }

    fn visit_stmt(&mut self, stmt: &'ast Stmt) {
        // A method that stands by itself is there for what it does to its receiver.
        self.changes |=
            matches!(stmt, Stmt::Expr(Expr::MethodCall(m), Some(_)) if !self.is_held(&m.receiver));
        visit::visit_stmt(self, stmt);
    }

    fn visit_macro(&mut self, m: &'ast syn::Macro) {
        self.changes |= assigns(m.tokens.clone());
    }
}

/// Whether an assignment, a `&mut` or a jump stands among the tokens.
fn assigns(tokens: TokenStream) -> bool {
    // The punctuation that goes before, as far as it is joined.
    let mut joined = String::new();
    for tree in tokens {
        if let TokenTree::Punct(p) = tree {
            joined.push(p.as_char());
            if p.spacing() == Spacing::Joint {
                continue;
            }
        } else if match tree {
            TokenTree::Ident(i) => {
                ["mut", "break", "continue", "return", "swap"].iter().any(|name| i == name)
            }
            TokenTree::Group(g) => assigns(g.stream()),
            _ => false,
        } {
            return true;
        }
        if holds_assignment(&std::mem::take(&mut joined)) {
            return true;
        }
    }
    holds_assignment(&joined)
}

/// Whether one of the operators in joined punctuation assigns: `=` and `-` are joined in `c=-x`.
fn holds_assignment(joined: &str) -> bool {
    // Longer ones first, as Rust reads them.
    const OTHERS: [&str; 7] = ["..=", "==", "!=", "<=", ">=", "=>", "->"];
    const ASSIGN: [&str; 11] = ["<<=", ">>=", "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", "="];
    let mut rest = joined;
    while let Some(first) = rest.chars().next() {
        let other = OTHERS.iter().find(|operator| rest.starts_with(**operator));
        if other.is_none() && ASSIGN.iter().any(|operator| rest.starts_with(operator)) {
            return true;
        }
        rest = &rest[other.map_or(first.len_utf8(), |operator| operator.len())..];
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assignments_in_tokens_of_macros() {
        let found = |text: &str| assigns(text.parse().unwrap());
        for text in [
            "c = x", "c=-x", "c=&y", "c=!b", "c=*p", "c+=-x", "c<<=1", "c>>=-1", "f({c=1})", "c='a: {}",
            "&mut c",
        ] {
            assert!(found(text), "{text}");
        }
        for text in [
            "c == -x", "c==-x", "c<=-x", "c>=!x", "c!=*p", "0..=-1", "A=>-1", "A=>&y", "a&&!b", "a<<-b",
            "f(a, &b)",
        ] {
            assert!(!found(text), "{text}");
        }
    }

    #[test]
    fn methods_of_what_may_change() {
        let effect = |text: &str| of(&syn::parse_str(text).unwrap(), None, &|name| name == "p");
        assert_eq!(effect("q.norm() > best"), None);
        assert_eq!(effect("p.x.abs() > best"), None);
        let found = effect("p.norm() > best").unwrap();
        assert_eq!(found.to_string(), "`p.norm()` may change `p`");
        assert_eq!(effect("p.norm() > { k += 1; best }"), Some(Effect::Change));
    }

    #[test]
    fn what_an_expression_does_to_its_own() {
        let effect = |text: &str| of(&syn::parse_str(text).unwrap(), None, &|_| false);
        for text in [
            "{ let mut all = true; for k in 0..n { if x[k] > c { all = false; break; } } all }",
            "{ let mut t = [0; 3]; t[1] = 4; t.sort(); sum(&mut t) }",
            "'a: loop { loop { break 'a 3; } }",
            "x.map(|mut v| { v += 1; v })",
            "match x { Some(mut v) => { v = 2; v } None => 0 }",
        ] {
            assert_eq!(effect(text), None, "{text}");
        }
        for text in [
            "{ k = 1; let mut k = 0; k }",
            "{ { let mut k = 0; k = 1; } k = 2; k }",
            "{ if c { break; } 3 }",
            "loop { break 'a; }",
            "{ let mut k = 0; return k; }",
            "for k in 0..n { s += k; }",
            "f(|| { loop { g(|| { break; }) } })",
            "{ let t = 0; x.sort(); t }",
            "{ let q = rows[i].first_mut().unwrap(); *q += 1; 3 }",
            "{ let mut it = rows[i].iter_mut(); while let Some(v) = it.next() { *v += 1; } 3 }",
            "{ let ref mut q = rows[i][0]; *q += 1; 3 }",
            "{ let q = r; q[0] += 1; q[0] }",
            "{ let mut q = r; q[0] += 1; q[0] }",
            "{ let mut q = r; q.sort(); 3 }",
            "{ let mut k = 0; { let k = r; *k = 3; } k }",
        ] {
            assert_eq!(effect(text), Some(Effect::Change), "{text}");
        }
    }
}
