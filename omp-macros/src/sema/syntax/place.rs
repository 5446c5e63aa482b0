//! Places: the target of an assignment, or a captured variable with its fields.
use super::forms::{dereferenced, strip};
use crate::ast::Item;
use crate::sema::clauses::combine::constant;
use quote::ToTokens;
use syn::{Expr, Ident};

/// `self.v[i].x` is the place `self.v`, subscripted by `i`.
pub struct Place<'a> {
    /// The variable.
    pub base: String,
    /// The variable and the fields before the first subscript: `self.v`.
    pub key: String,
    /// The subscripts, outermost array first.
    pub subscripts: Vec<&'a Expr>,
    /// The way to it.
    pub path: Vec<Step>,
}

/// Sees through parentheses and dereferences, so that `(*s)` and `s` are one place.
pub fn of(e: &Expr) -> Option<Place<'_>> {
    match dereferenced(e) {
        Expr::Path(p) if p.qself.is_none() => {
            let name = p.path.get_ident()?.to_string();
            let path = vec![Step::Name(name.clone())];
            Some(Place { base: name.clone(), key: name, subscripts: vec![], path })
        }
        Expr::Field(f) => {
            let mut place = of(&f.base)?;
            let member = f.member.to_token_stream().to_string();
            if place.subscripts.is_empty() {
                place.key = format!("{}.{member}", place.key);
            }
            place.path.push(Step::Name(member));
            Some(place)
        }
        Expr::Index(i) => {
            let mut place = of(&i.expr)?;
            let number = constant(&i.index).and_then(|n| u128::try_from(n).ok());
            place.path.push(number.map_or(Step::Somewhere, Step::At));
            place.subscripts.push(&i.index);
            Some(place)
        }
        _ => None,
    }
}

/// The variable that a place is of, as it stands.
pub fn variable(e: &Expr) -> Option<&syn::ExprPath> {
    match dereferenced(e) {
        Expr::Field(f) => variable(&f.base),
        Expr::Index(i) => variable(&i.expr),
        Expr::Path(p) => Some(p),
        _ => None,
    }
}

/// The name of the variable that a place is of.
pub fn root(e: &Expr) -> Option<&Ident> {
    variable(e)?.path.get_ident()
}

/// The places on the left side of `=`, in order: `(a, b[i]) = …` has two.
pub fn each_target(left: &Expr, each: &mut dyn FnMut(&Expr)) {
    match strip(left) {
        Expr::Tuple(t) => t.elems.iter().for_each(|e| each_target(e, each)),
        Expr::Array(a) => a.elems.iter().for_each(|e| each_target(e, each)),
        Expr::Struct(s) => s.fields.iter().for_each(|f| each_target(&f.expr, each)),
        Expr::Call(c) => c.args.iter().for_each(|e| each_target(e, each)),
        place => each(place),
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
    of(e).map(|place| place.path)
}

/// The path of a key: `p.x`.
pub fn key_path(key: &str) -> Vec<Step> {
    key.split('.').map(|name| Step::Name(name.to_owned())).collect()
}

/// The place that two paths have in common, judged by their tokens: of `p` and `p.x` it is `p.x`, of `a[i]` and `a[3]`, `a[3]`.
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
