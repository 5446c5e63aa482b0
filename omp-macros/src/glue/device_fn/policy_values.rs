//! Decides whether a function of a type parameter may return a value of the parameter's type. `S::unit().area()` does:
//! numbers have no method `area`. `A::f(x).max(0.0)` need not: numbers have a method `max`. Tokens decide, because the
//! bounds are written before rustc knows the types.
use crate::parse::arguments;
use crate::sema::syntax::forms::strip;
use omp_ir::method::{
    ByteMethod, CharMethod, FloatMethod, IntMethod, OptionMethod, OrderMethod, SliceMethod,
};
use proc_macro2::Ident;
use std::collections::HashSet;
use syn::visit::{self, Visit};
use syn::{Block, Expr, Local, Macro, Pat, Path, QSelf};

/// Whether the body uses a method (or, of `Self`, a field) that only a value of the type has. `others`: the functions and consts of the
/// type that are known to give values of other types.
pub(super) fn may_be_made(block: &Block, name: &Ident, others: &HashSet<String>) -> bool {
    let mut made = Made { name, others, names: HashSet::new(), found: false };
    // A name may be given its value after it is used, in a loop.
    loop {
        let before = made.names.len();
        made.visit_block(block);
        if made.found || made.names.len() == before {
            return made.found;
        }
    }
}

struct Made<'a> {
    /// The type.
    name: &'a Ident,
    others: &'a HashSet<String>,
    /// The variables that may have values of it.
    names: HashSet<String>,
    found: bool,
}

impl Made<'_> {
    /// The value of the expression is of the type, for all that is known.
    fn may_be(&self, e: &Expr) -> bool {
        let e = strip(e);
        match e {
            Expr::Path(p) => {
                self.of_type(p.qself.as_ref(), &p.path)
                    || p.path.get_ident().is_some_and(|i| self.names.contains(&i.to_string()))
            }
            Expr::Call(c) => matches!(&*c.func, Expr::Path(p) if self.of_type(p.qself.as_ref(), &p.path)),
            Expr::MethodCall(m) => self.may_be(&m.receiver) && of_numbers(&m.method),
            Expr::Reference(e) => self.may_be(&e.expr),
            Expr::Unary(e) => self.may_be(&e.expr),
            Expr::Binary(e) => self.may_be(&e.left) || self.may_be(&e.right),
            Expr::Index(e) => self.may_be(&e.expr),
            Expr::Repeat(e) => self.may_be(&e.expr),
            Expr::Array(a) => a.elems.iter().any(|e| self.may_be(e)),
            Expr::Block(b) => self.last(&b.block),
            Expr::If(i) => {
                self.last(&i.then_branch) || i.else_branch.as_ref().is_some_and(|(_, e)| self.may_be(e))
            }
            Expr::Match(m) => m.arms.iter().any(|a| self.may_be(&a.body)),
            _ => false,
        }
    }

    fn last(&self, block: &Block) -> bool {
        matches!(block.stmts.last(), Some(syn::Stmt::Expr(e, None)) if self.may_be(e))
    }

    /// `S::f`, `<S as Trait>::f`
    fn of_type(&self, qself: Option<&QSelf>, path: &Path) -> bool {
        if path.segments.last().is_some_and(|s| self.others.contains(&s.ident.to_string())) {
            return false;
        }
        match qself {
            Some(q) => {
                matches!(&*q.ty, syn::Type::Path(p) if p.qself.is_none() && p.path.is_ident(self.name))
            }
            None => path.segments.len() > 1 && path.segments[0].ident == *self.name,
        }
    }
}

impl<'ast> Visit<'ast> for Made<'_> {
    fn visit_local(&mut self, l: &'ast Local) {
        visit::visit_local(self, l);
        // A variable whose declared type names the parameter is found by that name.
        if let (Pat::Ident(p), Some(init)) = (&l.pat, &l.init)
            && self.may_be(&init.expr)
        {
            self.names.insert(p.ident.to_string());
        }
    }

    fn visit_expr_assign(&mut self, a: &'ast syn::ExprAssign) {
        visit::visit_expr_assign(self, a);
        if let Expr::Path(p) = &*a.left
            && let Some(ident) = p.path.get_ident()
            && self.may_be(&a.right)
        {
            self.names.insert(ident.to_string());
        }
    }

    fn visit_expr_method_call(&mut self, m: &'ast syn::ExprMethodCall) {
        self.found |= !of_numbers(&m.method) && self.may_be(&m.receiver);
        visit::visit_expr_method_call(self, m);
    }

    fn visit_expr_field(&mut self, f: &'ast syn::ExprField) {
        // The value of a type parameter has no fields.
        self.found |= self.name == "Self" && self.may_be(&f.base);
        visit::visit_expr_field(self, f);
    }

    fn visit_macro(&mut self, m: &'ast Macro) {
        // `assert!(S::unit().area() > 0.0)`
        for e in arguments(m).iter().flatten() {
            Made { names: self.names.clone(), found: false, ..*self }.look(e, &mut self.found);
        }
    }
}

impl Made<'_> {
    fn look(mut self, e: &Expr, found: &mut bool) {
        self.visit_expr(e);
        *found |= self.found;
    }
}

/// Numbers and what is made of them have a method of this name.
fn of_numbers(method: &Ident) -> bool {
    let name = method.to_string();
    macro_rules! in_rows {
        ($($of:ident)*) => { false $(|| $of::ROWS.iter().any(|row| row.name == name))* };
    }
    const OTHERS: &[&str] = &[
        "clone",
        "cmp",
        "eq",
        "ge",
        "gt",
        "into",
        "iter",
        "le",
        "lt",
        "max",
        "min",
        "ne",
        "partial_cmp",
        "total_cmp",
        "try_into",
        "to_be_bytes",
        "to_le_bytes",
        "to_ne_bytes",
    ];
    const OVERFLOW: &[&str] = &["wrapping_", "checked_", "saturating_", "overflowing_"];
    in_rows!(ByteMethod CharMethod FloatMethod IntMethod OptionMethod OrderMethod SliceMethod)
        || OTHERS.contains(&name.as_str())
        || crate::lower::operator_by_name(&name, 1).is_some()
        || crate::lower::operator_by_name(&name, 0).is_some()
        || OVERFLOW.iter().any(|prefix| name.starts_with(prefix))
}
