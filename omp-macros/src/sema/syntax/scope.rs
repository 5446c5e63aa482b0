//! Lexical scopes for visitors that look for a variable by its name: a visitor passes blocks, loops, conditions and arms
//! to these functions, which return the names that are shadowed.
use super::names::bound;
use syn::visit_mut::{self, VisitMut};
use syn::{Arm, Block, Expr, ExprForLoop, ExprIf, ExprWhile, Stmt};

/// A visitor that knows which names stand for something else where it is.
pub trait Scopes: VisitMut + Sized {
    /// The names, innermost last.
    fn hidden(&mut self) -> &mut Vec<String>;

    /// Leaves a scope, before which there were so many.
    fn leave(&mut self, before: usize) {
        self.hidden().truncate(before);
    }
}

/// The visits that a visitor of this kind delegates: for its `impl VisitMut`.
macro_rules! visits {
    () => {
        fn visit_block_mut(&mut self, b: &mut syn::Block) {
            $crate::sema::syntax::scope::block(self, b);
        }

        fn visit_expr_for_loop_mut(&mut self, f: &mut syn::ExprForLoop) {
            $crate::sema::syntax::scope::for_loop(self, f);
        }

        fn visit_arm_mut(&mut self, arm: &mut syn::Arm) {
            $crate::sema::syntax::scope::arm(self, arm);
        }

        fn visit_expr_if_mut(&mut self, i: &mut syn::ExprIf) {
            $crate::sema::syntax::scope::if_(self, i);
        }

        fn visit_expr_while_mut(&mut self, w: &mut syn::ExprWhile) {
            $crate::sema::syntax::scope::while_(self, w);
        }
    };
}
pub(crate) use visits;

fn scoped<V: Scopes>(v: &mut V, visit: impl FnOnce(&mut V)) {
    let before = v.hidden().len();
    visit(v);
    v.leave(before);
}

/// A block: what a `let` binds hides others in the statements after it.
pub fn block<V: Scopes>(v: &mut V, b: &mut Block) {
    scoped(v, |v| {
        for stmt in &mut b.stmts {
            v.visit_stmt_mut(stmt);
            if let Stmt::Local(local) = stmt {
                v.hidden().extend(bound(&local.pat));
            }
        }
    });
}

/// A `for`: its pattern hides names in its body.
pub fn for_loop<V: Scopes>(v: &mut V, f: &mut ExprForLoop) {
    v.visit_expr_mut(&mut f.expr);
    scoped(v, |v| {
        v.hidden().extend(bound(&f.pat));
        v.visit_block_mut(&mut f.body);
    });
}

/// An arm of a `match`, with its guard.
pub fn arm<V: Scopes>(v: &mut V, arm: &mut Arm) {
    scoped(v, |v| {
        v.hidden().extend(bound(&arm.pat));
        visit_mut::visit_arm_mut(v, arm);
    });
}

/// An `if`: what its condition binds hides names in the condition's rest and in the first branch.
pub fn if_<V: Scopes>(v: &mut V, i: &mut ExprIf) {
    scoped(v, |v| {
        condition(v, &mut i.cond);
        v.visit_block_mut(&mut i.then_branch);
    });
    if let Some((_, els)) = &mut i.else_branch {
        v.visit_expr_mut(els);
    }
}

/// A `while`: the same for its body.
pub fn while_<V: Scopes>(v: &mut V, w: &mut ExprWhile) {
    scoped(v, |v| {
        condition(v, &mut w.cond);
        v.visit_block_mut(&mut w.body);
    });
}

fn condition<V: Scopes>(v: &mut V, cond: &mut Expr) {
    match cond {
        Expr::Let(l) => {
            v.visit_expr_mut(&mut l.expr);
            v.hidden().extend(bound(&l.pat));
        }
        Expr::Binary(b) if matches!(b.op, syn::BinOp::And(_)) => {
            condition(v, &mut b.left);
            condition(v, &mut b.right);
        }
        Expr::Paren(p) => condition(v, &mut p.expr),
        Expr::Group(g) => condition(v, &mut g.expr),
        other => v.visit_expr_mut(other),
    }
}
