//! Arrays and scalars that a loop does nothing with but add to them atomically. On several threads of the host each may add to a
//! copy of its own instead, as if the directive named a reduction: an atomic addition costs several plain ones, and threads that
//! add to the same few elements wait for each other.
use super::rewrite::{key_of, mark};
use super::subscripts::subscripts;
use crate::ast::Region;
use crate::lower::Lowered;
use crate::sema::atomic::{self, Access, Change};
use crate::sema::updates::strip;
use std::collections::HashSet;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr};

/// These arrays, where the loop is one that may have copies.
pub(super) fn of(region: &Region, lowered: &Lowered) -> Vec<usize> {
    let captures = &lowered.captures;
    if region.scan.is_some() || !captures.reductions.is_empty() || !region.context.generics.is_empty() {
        return Vec::new();
    }
    let subscripts = subscripts(lowered);
    let mut find = Find { lowered, subscripts: &subscripts, added: HashSet::new(), other: HashSet::new() };
    find.visit_block(&region.body);
    let only_added = |array: &usize| {
        // A subscript that stands nowhere else.
        let all = subscripts.iter().enumerate().filter(|(_, s)| s.0 == Some(*array));
        let added = all.map(|(n, _)| n).all(|n| find.added.contains(&(*array, Some(n))));
        added && captures.arrays[*array].sections.is_empty() && !find.other.contains(array)
    };
    let arrays: HashSet<usize> = find.added.iter().map(|(array, _)| *array).collect();
    let mut arrays: Vec<usize> = arrays.into_iter().filter(only_added).collect();
    arrays.sort_unstable();
    arrays
}

/// The new value is the sum of the old one and something.
fn is_sum(new: &Expr) -> bool {
    let is_old = |e: &Expr| matches!(strip(e), Expr::Path(p) if p.path.is_ident(&atomic::old_name()));
    match strip(new) {
        Expr::Binary(b) if matches!(b.op, BinOp::Add(_)) => {
            is_old(&b.left) && !atomic::names_old(&b.right) || is_old(&b.right) && !atomic::names_old(&b.left)
        }
        _ => false,
    }
}

struct Find<'a> {
    lowered: &'a Lowered,
    subscripts: &'a [(Option<usize>, bool)],
    /// What additions change: an array and the subscript on it, or a scalar.
    added: HashSet<(usize, Option<usize>)>,
    /// What other atomic accesses touch.
    other: HashSet<usize>,
}

impl Find<'_> {
    /// The array of an access, with the subscript if the place is an element of it.
    fn array(&self, e: &Expr) -> Option<(usize, Option<usize>, bool)> {
        match strip(e) {
            Expr::Index(x) => {
                let n = x.attrs.iter().find_map(mark)?;
                match self.subscripts.get(n)?.0 {
                    Some(array) => Some((array, Some(n), true)),
                    None => self.array(&x.expr).map(|(array, n, _)| (array, n, false)),
                }
            }
            Expr::Field(f) if let Some((array, n, _)) = self.array(&f.base) => Some((array, n, false)),
            e => {
                let key = key_of(e)?;
                let array = self.lowered.captures.arrays.iter().position(|a| a.scalar && a.key == key)?;
                Some((array, None, true))
            }
        }
    }
}

impl<'ast> Visit<'ast> for Find<'_> {
    fn visit_expr(&mut self, e: &'ast Expr) {
        match atomic::of(e) {
            Some(Access::Read(place)) => self.other.extend(self.array(place).map(|(array, ..)| array)),
            Some(Access::Change(Change { captured, place, new, .. })) => {
                if let Some((array, n, whole)) = self.array(place) {
                    if whole && !captured && is_sum(new) {
                        self.added.insert((array, n));
                    } else {
                        self.other.insert(array);
                    }
                }
            }
            None => {}
        }
        visit::visit_expr(self, e);
    }
}
