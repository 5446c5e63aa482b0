//! Jumps in a piece of code, and which of them leave it.
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Lifetime};

/// Loops and blocks around an expression: whether each is a loop, and its label.
#[derive(Default)]
pub struct Open(Vec<(bool, Option<String>)>);

impl Open {
    /// Enters an expression, if it is a loop or block; whether it is.
    pub fn enter(&mut self, e: &Expr) -> bool {
        let (is_loop, label) = match e {
            Expr::ForLoop(l) => (true, &l.label),
            Expr::While(l) => (true, &l.label),
            Expr::Loop(l) => (true, &l.label),
            Expr::Block(b) => (false, &b.label),
            _ => return false,
        };
        self.0.push((is_loop, label.as_ref().map(|l| l.name.ident.to_string())));
        true
    }

    /// Leaves what was entered last, if something was.
    pub fn leave(&mut self, entered: bool) {
        if entered {
            self.0.pop();
        }
    }

    /// Whether a `break` or `continue` stays inside.
    pub fn stays(&self, label: Option<&Lifetime>) -> bool {
        match label {
            None => self.0.iter().any(|(is_loop, _)| *is_loop),
            Some(l) => self.0.iter().any(|(_, name)| name.as_deref() == Some(&l.ident.to_string())),
        }
    }

    /// Whether an expression is a `break` or `continue` that does not.
    pub fn is_left_by(&self, e: &Expr) -> bool {
        match e {
            Expr::Break(b) => !self.stays(b.label.as_ref()),
            Expr::Continue(c) => !self.stays(c.label.as_ref()),
            _ => false,
        }
    }
}

/// Visits the parts of an expression: inside of it, if it is a loop or block, but for the range of a `for`.
pub fn visit_inside<V: VisitMut>(visitor: &mut V, open: fn(&mut V) -> &mut Open, e: &mut Expr) {
    if let Expr::ForLoop(f) = e {
        visitor.visit_expr_mut(&mut f.expr);
    }
    let entered = open(visitor).enter(e);
    match e {
        Expr::ForLoop(f) => visitor.visit_block_mut(&mut f.body),
        e => visit_mut::visit_expr_mut(visitor, e),
    }
    open(visitor).leave(entered);
}

/// All labels of loops and blocks in a block.
pub fn labels(block: &Block) -> Vec<String> {
    struct Find(Vec<String>);
    impl<'a> Visit<'a> for Find {
        fn visit_label(&mut self, l: &'a syn::Label) {
            self.0.push(l.name.ident.to_string());
        }
    }
    let mut find = Find(Vec::new());
    find.visit_block(block);
    find.0
}

/// Each `break` and `continue` that leaves a block.
pub fn out_of(block: &Block) -> Vec<&Expr> {
    #[derive(Default)]
    struct Find<'a>(Open, Vec<&'a Expr>);
    impl<'a> Visit<'a> for Find<'a> {
        fn visit_expr(&mut self, e: &'a Expr) {
            if self.0.is_left_by(e) {
                self.1.push(e);
            }
            let entered = self.0.enter(e);
            visit::visit_expr(self, e);
            self.0.leave(entered);
        }

        fn visit_item(&mut self, _: &'a syn::Item) {}
    }
    let mut find = Find::default();
    find.visit_block(block);
    find.1
}
