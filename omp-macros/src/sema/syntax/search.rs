//! Searches for expressions in a piece of code. Items in the code are code of their own.
use syn::visit::{self, Visit};
use syn::{Block, Expr, Item, Stmt};

/// Code in which expressions are searched for.
pub trait Code {
    /// Goes through it.
    fn accept<'a>(&'a self, visitor: &mut impl Visit<'a>);
}

impl Code for Expr {
    fn accept<'a>(&'a self, visitor: &mut impl Visit<'a>) {
        visitor.visit_expr(self);
    }
}

impl Code for Block {
    fn accept<'a>(&'a self, visitor: &mut impl Visit<'a>) {
        visitor.visit_block(self);
    }
}

impl Code for Stmt {
    fn accept<'a>(&'a self, visitor: &mut impl Visit<'a>) {
        visitor.visit_stmt(self);
    }
}

impl<T: Code> Code for [T] {
    fn accept<'a>(&'a self, visitor: &mut impl Visit<'a>) {
        self.iter().for_each(|part| part.accept(visitor));
    }
}

/// Whether an item is declared in some code.
pub fn has_item(code: &(impl Code + ?Sized)) -> bool {
    struct Items(bool);
    impl<'a> Visit<'a> for Items {
        fn visit_item(&mut self, _: &'a Item) {
            self.0 = true;
        }
    }
    let mut items = Items(false);
    code.accept(&mut items);
    items.0
}

/// Looks at every expression in some code, from the outside to the inside, and into those for which `inside`
/// is true.
pub fn walk<'a>(code: &'a (impl Code + ?Sized), inside: impl FnMut(&'a Expr) -> bool) {
    struct Walk<F>(F);
    impl<'a, F: FnMut(&'a Expr) -> bool> Visit<'a> for Walk<F> {
        fn visit_expr(&mut self, e: &'a Expr) {
            if self.0(e) {
                visit::visit_expr(self, e);
            }
        }

        fn visit_item(&mut self, _: &'a Item) {}
    }
    code.accept(&mut Walk(inside));
}

/// [`walk`] into everything.
pub fn each<'a>(code: &'a (impl Code + ?Sized), mut f: impl FnMut(&'a Expr)) {
    walk(code, |e| {
        f(e);
        true
    });
}

/// Whether an expression of this kind stands in some code.
pub fn any(code: &(impl Code + ?Sized), is: impl Fn(&Expr) -> bool) -> bool {
    let mut found = false;
    walk(code, |e| {
        found = found || is(e);
        !found
    });
    found
}

/// Whether `return` or `?` leaves a function in some code. (Those of closures leave the closures.)
pub fn leaves(code: &(impl Code + ?Sized)) -> bool {
    let mut found = false;
    walk(code, |e| {
        found |= matches!(e, Expr::Return(_) | Expr::Try(_));
        !matches!(e, Expr::Closure(_))
    });
    found
}
