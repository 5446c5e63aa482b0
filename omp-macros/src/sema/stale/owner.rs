//! Whether a variable of which iterations copy a field is a reference: what it refers to has other names.
use crate::sema::scope::bound;
use syn::visit::{self, Visit};
use syn::{Block, Expr, FnArg, Local, Pat, Signature, Type};

/// As far as the tokens of the function tell: of a `let` by its type or value, of a parameter by its type. Where a parameter is a
/// reference itself, the way to the function's end is followed.
pub(super) fn may_refer(name: &str, sig: &Signature, body: &Block) -> bool {
    let mut find = Find { name, refers: false };
    for input in &sig.inputs {
        if let FnArg::Typed(arg) = input
            && !matches!(&*arg.pat, Pat::Ident(p) if p.by_ref.is_none())
            && !matches!(&*arg.ty, Type::Reference(_))
        {
            find.pattern(&arg.pat);
        }
    }
    find.visit_block(body);
    find.refers
}

struct Find<'n> {
    name: &'n str,
    refers: bool,
}

impl Find<'_> {
    /// Takes something apart, which may be behind a reference.
    fn pattern(&mut self, pat: &Pat) {
        self.refers |= bound(pat).iter().any(|name| name == self.name);
    }
}

impl<'ast> Visit<'ast> for Find<'_> {
    fn visit_local(&mut self, l: &'ast Local) {
        let (pat, ty) = match &l.pat {
            Pat::Type(t) => (&*t.pat, Some(&*t.ty)),
            pat => (pat, None),
        };
        let owned = match (ty, &l.init) {
            (Some(ty), _) => !matches!(ty, Type::Reference(_) | Type::Infer(_)),
            (None, Some(init)) => is_owned(&init.expr),
            (None, None) => false,
        };
        if !owned || !matches!(pat, Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none()) {
            self.pattern(pat);
        }
        visit::visit_local(self, l);
    }

    /// Of what stands nowhere but in a `let`.
    fn visit_pat(&mut self, _: &'ast Pat) {}

    fn visit_expr(&mut self, e: &'ast Expr) {
        match e {
            Expr::ForLoop(f) => self.pattern(&f.pat),
            Expr::Let(l) => self.pattern(&l.pat),
            Expr::Match(m) => m.arms.iter().for_each(|arm| self.pattern(&arm.pat)),
            Expr::Closure(c) => c.inputs.iter().for_each(|pat| self.pattern(pat)),
            _ => {}
        }
        visit::visit_expr(self, e);
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

/// Whether a value is no reference for certain.
fn is_owned(e: &Expr) -> bool {
    match e {
        Expr::Struct(_) | Expr::Tuple(_) | Expr::Array(_) | Expr::Repeat(_) | Expr::Lit(_) => true,
        Expr::Paren(p) => is_owned(&p.expr),
        Expr::Group(g) => is_owned(&g.expr),
        // `P(1, 2)`, `P::new(n)`, `P::default()`: of what is no place and handed no reference.
        Expr::Call(c) => {
            let variant = |p: &syn::ExprPath| {
                p.path.segments.last().is_some_and(|s| {
                    let name = s.ident.to_string();
                    name.starts_with(char::is_uppercase) || matches!(&*name, "new" | "default" | "from")
                })
            };
            matches!(&*c.func, Expr::Path(p) if variant(p)) || c.args.iter().all(is_owned)
        }
        _ => false,
    }
}
