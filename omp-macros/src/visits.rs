//! Visits of syntax trees by closures, for searches and changes that need no more of a visitor than a look at each node.
//! (Of expressions alone: `sema/syntax/search.rs`.)
use crate::sema::syntax::search::Code;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Block, Expr, ExprForLoop, Item, ItemImpl, Local, Macro, Pat, Stmt};

/// What a visit looks at.
#[derive(Clone, Copy)]
pub enum Node<'a> {
    Expr(&'a Expr),
    Pat(&'a Pat),
    Local(&'a Local),
    Macro(&'a Macro),
    Attribute(&'a Attribute),
    Item(&'a Item),
}

impl Code for Pat {
    fn accept<'a>(&'a self, visitor: &mut impl Visit<'a>) {
        visitor.visit_pat(self);
    }
}

impl Code for Item {
    fn accept<'a>(&'a self, visitor: &mut impl Visit<'a>) {
        visitor.visit_item(self);
    }
}

impl Code for ItemImpl {
    fn accept<'a>(&'a self, visitor: &mut impl Visit<'a>) {
        visitor.visit_item_impl(self);
    }
}

/// Looks at every node in some code, from the outside to the inside, and into those for which `inside` is true.
pub fn walk<'a>(code: &'a (impl Code + ?Sized), inside: impl FnMut(Node<'a>) -> bool) {
    struct Walk<F>(F);
    impl<'a, F: FnMut(Node<'a>) -> bool> Visit<'a> for Walk<F> {
        fn visit_expr(&mut self, e: &'a Expr) {
            if self.0(Node::Expr(e)) {
                visit::visit_expr(self, e);
            }
        }

        fn visit_pat(&mut self, p: &'a Pat) {
            if self.0(Node::Pat(p)) {
                visit::visit_pat(self, p);
            }
        }

        fn visit_local(&mut self, l: &'a Local) {
            if self.0(Node::Local(l)) {
                visit::visit_local(self, l);
            }
        }

        fn visit_macro(&mut self, m: &'a Macro) {
            if self.0(Node::Macro(m)) {
                visit::visit_macro(self, m);
            }
        }

        fn visit_attribute(&mut self, a: &'a Attribute) {
            if self.0(Node::Attribute(a)) {
                visit::visit_attribute(self, a);
            }
        }

        fn visit_item(&mut self, i: &'a Item) {
            if self.0(Node::Item(i)) {
                visit::visit_item(self, i);
            }
        }
    }
    code.accept(&mut Walk(inside));
}

/// [`walk`] into everything.
pub fn each<'a>(code: &'a (impl Code + ?Sized), mut f: impl FnMut(Node<'a>)) {
    walk(code, |node| {
        f(node);
        true
    });
}

/// Whether some code has such a node, items of its own included.
pub fn any(code: &(impl Code + ?Sized), is: impl Fn(Node<'_>) -> bool) -> bool {
    let mut found = false;
    walk(code, |node| {
        found = found || is(node);
        !found
    });
    found
}

/// Code whose expressions are changed.
pub trait CodeMut {
    /// Goes through it.
    fn accept_mut(&mut self, visitor: &mut impl VisitMut);
}

impl CodeMut for Expr {
    fn accept_mut(&mut self, visitor: &mut impl VisitMut) {
        visitor.visit_expr_mut(self);
    }
}

impl CodeMut for ExprForLoop {
    fn accept_mut(&mut self, visitor: &mut impl VisitMut) {
        visitor.visit_expr_for_loop_mut(self);
    }
}

impl CodeMut for Block {
    fn accept_mut(&mut self, visitor: &mut impl VisitMut) {
        visitor.visit_block_mut(self);
    }
}

impl CodeMut for Stmt {
    fn accept_mut(&mut self, visitor: &mut impl VisitMut) {
        visitor.visit_stmt_mut(self);
    }
}

impl<T: CodeMut> CodeMut for [T] {
    fn accept_mut(&mut self, visitor: &mut impl VisitMut) {
        self.iter_mut().for_each(|part| part.accept_mut(visitor));
    }
}

/// Changes the expressions of some code from the outside to the inside, and goes into those for which `inside` is true.
/// Items in the code are code of their own.
pub fn change_into(code: &mut (impl CodeMut + ?Sized), inside: impl FnMut(&mut Expr) -> bool) {
    struct Change<F>(F);
    impl<F: FnMut(&mut Expr) -> bool> VisitMut for Change<F> {
        fn visit_expr_mut(&mut self, e: &mut Expr) {
            if self.0(e) {
                visit_mut::visit_expr_mut(self, e);
            }
        }

        fn visit_item_mut(&mut self, _: &mut Item) {}
    }
    code.accept_mut(&mut Change(inside));
}

/// The same from the inside to the outside, into everything.
pub fn change(code: &mut (impl CodeMut + ?Sized), change: impl FnMut(&mut Expr)) {
    struct Change<F>(F);
    impl<F: FnMut(&mut Expr)> VisitMut for Change<F> {
        fn visit_expr_mut(&mut self, e: &mut Expr) {
            visit_mut::visit_expr_mut(self, e);
            self.0(e);
        }

        fn visit_item_mut(&mut self, _: &mut Item) {}
    }
    code.accept_mut(&mut Change(change));
}
