//! Places: the target of an assignment, or a captured variable with its fields.
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

/// The variable that a place is of, as it stands.
pub fn variable(e: &Expr) -> Option<&syn::ExprPath> {
    match e {
        Expr::Paren(p) => variable(&p.expr),
        Expr::Group(g) => variable(&g.expr),
        Expr::Unary(u) if matches!(u.op, UnOp::Deref(_)) => variable(&u.expr),
        Expr::Field(f) => variable(&f.base),
        Expr::Index(i) => variable(&i.expr),
        Expr::Path(p) => Some(p),
        _ => None,
    }
}

/// A step on the way from a variable to a part of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// The variable itself, or a field.
    Name(String),
    /// An element by a number.
    At(u128),
    /// An element by another subscript.
    Somewhere,
}

/// The way to a place: of `self.v[3].x[i]` it is `self`, `v`, `3`, `x` and somewhere.
pub fn path(e: &Expr) -> Option<Vec<Step>> {
    match e {
        Expr::Paren(p) => path(&p.expr),
        Expr::Group(g) => path(&g.expr),
        Expr::Unary(u) if matches!(u.op, UnOp::Deref(_)) => path(&u.expr),
        Expr::Path(p) if p.qself.is_none() => Some(vec![Step::Name(p.path.get_ident()?.to_string())]),
        Expr::Field(f) => {
            let mut path = path(&f.base)?;
            path.push(Step::Name(match &f.member {
                Member::Named(name) => name.to_string(),
                Member::Unnamed(index) => index.index.to_string(),
            }));
            Some(path)
        }
        Expr::Index(i) => {
            let mut path = path(&i.expr)?;
            let number =
                crate::sema::clauses::combine::constant(&i.index).and_then(|n| u128::try_from(n).ok());
            path.push(number.map_or(Step::Somewhere, Step::At));
            Some(path)
        }
        _ => None,
    }
}

/// The path of a key: `p.x`.
pub fn key_path(key: &str) -> Vec<Step> {
    key.split('.').map(|name| Step::Name(name.to_owned())).collect()
}

/// What two paths have in common, as far as they tell: of `p` and `p.x` it is `p.x`, of `a[i]` and `a[3]`, `a[3]`.
pub fn meet(a: &[Step], b: &[Step]) -> Option<Vec<Step>> {
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    let mut both = long.to_vec();
    for (step, other) in both.iter_mut().zip(short) {
        match (&*step, other) {
            (Step::Somewhere, Step::At(_)) => *step = other.clone(),
            (Step::At(_) | Step::Somewhere, Step::Somewhere) => {}
            (step, other) if step == other => {}
            _ => return None,
        }
    }
    Some(both)
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
