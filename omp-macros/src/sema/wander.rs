//! Reduced elements of an inner loop: whether its iterations go from one to another.
use super::place;
use super::updates;
use std::collections::HashSet;
use syn::Expr;
use syn::visit::{self, Visit};

/// The nest updates elements of the item whose subscripts are not the same in all of its iterations, as far as can be
/// seen.
pub fn wanders(nest: &syn::ExprForLoop, key: &str) -> bool {
    let mut changed = Changed(HashSet::new());
    changed.visit_expr_for_loop(nest);
    let mut find = Find { key, changed: changed.0, found: false };
    find.visit_expr_for_loop(nest);
    find.found
}

/// The names that a loop binds or changes.
struct Changed(HashSet<String>);

impl Changed {
    fn place(&mut self, e: &Expr) {
        self.0.extend(place::of(e).map(|p| p.base));
    }
}

impl<'ast> Visit<'ast> for Changed {
    fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
        self.0.insert(p.ident.to_string());
        visit::visit_pat_ident(self, p);
    }

    fn visit_expr(&mut self, e: &'ast Expr) {
        match e {
            Expr::Assign(a) => match &*a.left {
                Expr::Tuple(t) => t.elems.iter().for_each(|e| self.place(e)),
                left => self.place(left),
            },
            Expr::Binary(b) if updates::is_assignment(&b.op) => self.place(&b.left),
            Expr::Reference(r) if r.mutability.is_some() => match &*r.expr {
                Expr::Index(part) => self.place(&part.expr),
                whole => self.place(whole),
            },
            Expr::MethodCall(m) if m.method == "swap" => self.place(&m.receiver),
            _ => {}
        }
        visit::visit_expr(self, e);
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

/// Looks for such an update.
struct Find<'a> {
    key: &'a str,
    changed: HashSet<String>,
    found: bool,
}

impl Find<'_> {
    /// The expression has the same value in all iterations.
    fn stays(&self, e: &Expr) -> bool {
        match e {
            Expr::Lit(_) => true,
            Expr::Path(p) => p.path.get_ident().is_none_or(|name| !self.changed.contains(&name.to_string())),
            Expr::Paren(p) => self.stays(&p.expr),
            Expr::Group(g) => self.stays(&g.expr),
            Expr::Cast(c) => self.stays(&c.expr),
            Expr::Unary(u) => self.stays(&u.expr),
            Expr::Field(f) => self.stays(&f.base),
            Expr::Reference(r) => self.stays(&r.expr),
            Expr::Binary(b) => self.stays(&b.left) && self.stays(&b.right),
            Expr::Index(i) => self.stays(&i.expr) && self.stays(&i.index),
            Expr::MethodCall(m) => self.stays(&m.receiver) && m.args.iter().all(|e| self.stays(e)),
            _ => false,
        }
    }
}

impl<'ast> Visit<'ast> for Find<'_> {
    fn visit_expr(&mut self, e: &'ast Expr) {
        if let Some(place) = updates::target(e).and_then(place::of)
            && place.key == self.key
        {
            self.found |= !place.subscripts.iter().all(|e| self.stays(e));
        }
        visit::visit_expr(self, e);
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(nest: &str) -> bool {
        wanders(&syn::parse_str(nest).expect("a loop"), "y")
    }

    #[test]
    fn subscripts_of_the_iterations() {
        assert!(of("for j in 0..n { y[j % 3] += x[j]; }"));
        assert!(of("for j in 0..n { let k = j % 3; y[i][k] -= x[j]; }"));
        assert!(of("for j in 0..n { y[at] += x[j]; at = (at + 1) % 3; }"));
        assert!(of("for j in 0..n { y[k[j]] += x[j]; }"));
        assert!(of("for j in 0..n { y[k[0]] += x[j]; k[0] += 1; }"));
        assert!(of("for j in 0..n { next(&mut at); y[at] += x[j]; }"));
        assert!(of("for j in 0..n { if let Some(k) = of(j) { y[k] += x[j]; } }"));
    }

    #[test]
    fn subscripts_of_what_is_around() {
        assert!(!of("for j in 0..n { y[i] += x[j]; }"));
        assert!(!of("for j in 0..n { y[(i * w + 1) as usize].total += x[j]; }"));
        assert!(!of("for j in 0..n { y[rows[i]][n - 1] = y[rows[i]][n - 1] + x[j]; z[j] += 1; }"));
        assert!(!of("for j in 0..n { y += x[j]; }"));
    }
}
