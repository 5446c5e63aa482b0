//! Places: what an expression on the left of an assignment, or a capture, comes down to.
use crate::ast::Item;
use syn::{Expr, Member, UnOp};

/// `self.v[i].x` is the place `self.v`, subscripted by `i`.
pub struct Place<'a> {
    /// The variable.
    pub base: String,
    /// The variable and the fields before the first subscript: `self.v`.
    pub key: String,
    /// The subscripts, outermost array first.
    pub subscripts: Vec<&'a Expr>,
}

/// Sees through parentheses and dereferences, so that `(*s)` and `s` are one place.
pub fn of(e: &Expr) -> Option<Place<'_>> {
    match e {
        Expr::Paren(p) => of(&p.expr),
        Expr::Group(g) => of(&g.expr),
        Expr::Unary(u) if matches!(u.op, UnOp::Deref(_)) => of(&u.expr),
        Expr::Path(p) if p.qself.is_none() => {
            let name = p.path.get_ident()?.to_string();
            Some(Place { base: name.clone(), key: name, subscripts: vec![] })
        }
        Expr::Field(f) => {
            let mut place = of(&f.base)?;
            if place.subscripts.is_empty() {
                let member = match &f.member {
                    Member::Named(name) => name.to_string(),
                    Member::Unnamed(index) => index.index.to_string(),
                };
                place.key = format!("{}.{member}", place.key);
            }
            Some(place)
        }
        Expr::Index(i) => {
            let mut place = of(&i.expr)?;
            place.subscripts.push(&i.index);
            Some(place)
        }
        _ => None,
    }
}

/// The key of a place without subscripts.
pub fn scalar_key(e: &Expr) -> Option<String> {
    of(e).filter(|p| p.subscripts.is_empty()).map(|p| p.key)
}

/// The key of a clause's item, comparable with [`Place::key`].
pub fn item_key(item: &Item) -> String {
    scalar_key(&item.place).unwrap_or_else(|| item.key.clone())
}

/// Whether a clause that names `whole` speaks of `part`: `p` of `p.x`.
pub fn covers(whole: &str, part: &str) -> bool {
    part == whole || part.strip_prefix(whole).is_some_and(|rest| rest.starts_with('.'))
}

/// Whether any of these items speaks of a place.
pub fn any_covers(items: &[Item], key: &str) -> bool {
    items.iter().any(|i| covers(&item_key(i), key))
}
