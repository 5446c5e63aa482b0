//! Which values are options or results for sure: by their tokens, their `let` or the declaration of their name.
use super::super::declared;
use super::super::pipeline::{self, Tried};
use crate::iterate::loops::chain::Item;
use crate::iterate::loops::walk::{Meaning, Walk};
use crate::sema::syntax::forms::{at_ends, behind_references, is_variant, strip};
use crate::sema::syntax::place;
use std::collections::HashMap;
use syn::{Expr, ExprMethodCall, Pat, Stmt, Type};

/// What a variable holds, as its `let` shows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::iterate) enum Holds {
    Option,
    Result,
    /// Arrays of options, so many around each.
    Options(usize),
}

impl Holds {
    fn key(self, name: &str) -> String {
        // (No name of a variable has a space.)
        match self {
            Self::Option => format!("option {name}"),
            Self::Result => format!("result {name}"),
            Self::Options(depth) => format!("options {depth} {name}"),
        }
    }

    fn of_type(ty: &Type) -> Option<Self> {
        let Type::Path(p) = ty else { return None };
        match p.path.segments.last()?.ident.to_string().as_str() {
            "Option" => Some(Self::Option),
            "Result" => Some(Self::Result),
            _ => None,
        }
    }
}

/// A variable of this name is declared in a scope: what another one held there is over.
pub(in crate::iterate) fn forget(scope: &mut HashMap<String, Meaning>, name: &str) {
    scope.remove(&Holds::Option.key(name));
    scope.remove(&Holds::Result.key(name));
    (1..=MOST).for_each(|depth| drop(scope.remove(&Holds::Options(depth).key(name))));
}

/// The most arrays around options that are counted.
const MOST: usize = 3;

/// Methods that give an option of an option.
const OF_OPTION: [&str; 17] = [
    "map", "and_then", "filter", "or", "or_else", "xor", "zip", "and", "take", "take_if", "replace",
    "inspect", "copied", "cloned", "clone", "as_ref", "as_mut",
];

impl Walk<'_> {
    /// What the variable of a `let` holds, before the walk is through it.
    pub(in crate::iterate) fn let_holds(&self, s: &Stmt) -> Option<(String, Holds)> {
        let Stmt::Local(l) = s else { return None };
        let (pat, ty) = match &l.pat {
            Pat::Type(t) => (&*t.pat, Some(&*t.ty)),
            pat => (pat, None),
        };
        let init = l.init.as_ref().filter(|init| init.diverge.is_none());
        let of_value = || {
            let e = &init?.expr;
            match () {
                () if self.is_an_option(e) => Some(Holds::Option),
                () if self.is_a_result(e) => Some(Holds::Result),
                () if is_part(e) => {
                    self.arrays_of_options(e).filter(|depth| (1..=MOST).contains(depth)).map(Holds::Options)
                }
                () => None,
            }
        };
        let holds = ty.map_or_else(of_value, Holds::of_type)?;
        let Pat::Ident(p) = pat else { return None };
        (p.by_ref.is_none() && p.subpat.is_none()).then(|| (p.ident.to_string(), holds))
    }

    /// Records what a variable holds, after the walk is through its `let`.
    pub(in crate::iterate) fn holds(&mut self, (name, holds): (String, Holds)) {
        let scope = self.scopes.last_mut().expect("never empty");
        if matches!(scope.get(&name), Some(Meaning::Itself(..) | Meaning::Renamed(_))) {
            scope.insert(holds.key(&name), Meaning::Itself(true, None));
        }
    }

    /// Whether a name is that of such a variable; `None` if it is none of the body's.
    fn name_holds(&self, e: &Expr, holds: Holds) -> Option<bool> {
        let Expr::Path(p) = e else { return None };
        let name = p.path.get_ident()?.to_string();
        let scope = self.scopes.iter().rev().find(|scope| scope.contains_key(&name))?;
        Some(scope.contains_key(&holds.key(&name)))
    }

    /// How many arrays are around the options of a place, or of what an iterator of them gives, if that is certain.
    pub(in crate::iterate::values) fn arrays_of_options(&self, e: &Expr) -> Option<usize> {
        let depths = self.depths_of_options(e)?;
        (depths.count_ones() == 1).then(|| depths.trailing_zeros() as usize)
    }

    /// The same as the bits of a number: declarations of one name may differ. (An element has one array less around it than the whole.)
    fn depths_of_options(&self, e: &Expr) -> Option<u32> {
        const SAME: [(&str, usize); 13] = [
            ("iter", 0),
            ("into_iter", 0),
            ("copied", 0),
            ("cloned", 0),
            ("rev", 0),
            ("as_slice", 0),
            ("filter", 1),
            ("take", 1),
            ("skip", 1),
            ("step_by", 1),
            ("take_while", 1),
            ("skip_while", 1),
            ("inspect", 1),
        ];
        match strip(e) {
            Expr::Reference(r) => self.depths_of_options(&r.expr),
            Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => self.depths_of_options(&u.expr),
            // (What has a part is no option.)
            Expr::Index(x) if matches!(&*x.index, Expr::Range(_)) => {
                Some(self.depths_of_options(&x.expr)? & !1)
            }
            Expr::Index(x) => Some(self.depths_of_options(&x.expr)? >> 1),
            Expr::MethodCall(m) if SAME.contains(&(m.method.to_string().as_str(), m.args.len())) => {
                self.depths_of_options(&m.receiver)
            }
            Expr::MethodCall(m) if m.method == "flatten" && m.args.is_empty() => {
                Some(self.depths_of_options(&m.receiver)? >> 1)
            }
            Expr::Field(f) => match &f.member {
                syn::Member::Named(name) => declared::arrays_of_options(name),
                syn::Member::Unnamed(_) => None,
            },
            e @ Expr::Path(p) => {
                if let Some(Item::Element { place, .. }) = self.item(e).map(Item::stripped) {
                    // `for x in x`: the array has the name of its element.
                    let hidden = place::root(&place).is_some_and(|root| p.path.is_ident(root));
                    return if hidden { declared_depths(&place) } else { self.depths_of_options(&place) };
                }
                let held = (1..=MOST).find(|depth| self.name_holds(e, Holds::Options(*depth)) == Some(true));
                held.map(|depth| 1 << depth).or_else(|| declared::arrays_of_options(p.path.get_ident()?))
            }
            _ => None,
        }
    }

    /// Whether a name is that of a variable of the body that holds an option.
    pub(in crate::iterate::values) fn holds_option(&self, name: &Expr) -> bool {
        self.name_holds(name, Holds::Option) == Some(true)
    }

    /// Whether a name is that of a variable of the body.
    pub(in crate::iterate::values) fn is_bound_in_body(&self, name: &Expr) -> bool {
        self.name_holds(name, Holds::Option).is_some()
    }

    /// Whether a value is an `Option` for sure.
    pub(in crate::iterate) fn is_an_option(&self, e: &Expr) -> bool {
        match strip(e) {
            Expr::MethodCall(m) if takes_tried(m) => self.folds_to(m, Tried::Option),
            Expr::MethodCall(m) => {
                let name = m.method.to_string();
                match (name.as_str(), m.args.len()) {
                    (name, _) if OF_OPTION.contains(&name) => {
                        !self.is_pipeline(&m.receiver) && self.is_an_option(&m.receiver)
                    }
                    ("ok" | "err", 0) => self.is_a_result(&m.receiver),
                    ("get", 1) | ("first" | "last", 0) => self.is_array(&m.receiver),
                    ("position" | "rposition" | "find_map", 1) => self.is_pipeline(&m.receiver),
                    ("to_digit", 1) => true,
                    _ => {
                        declared::gives_option(strip(e))
                            || pipeline::may_find(m) && self.is_pipeline(&m.receiver)
                    }
                }
            }
            e @ Expr::Path(_) if self.element(e).is_some() => self.arrays_of_options(e) == Some(0),
            e @ Expr::Path(_) => self
                .name_holds(e, Holds::Option)
                .unwrap_or_else(|| declared::gives_option(e) || declared::is_option(e)),
            Expr::Index(x) if matches!(&*x.index, Expr::Range(_)) => false,
            e @ Expr::Index(_) if self.arrays_of_options(e).is_some_and(|depth| depth > 0) => false,
            Expr::Index(x) if self.gives_options(&x.expr) => true,
            e @ (Expr::Field(_) | Expr::Index(_)) => declared::is_option(e) || declared::is_option_field(e),
            Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => self.is_an_option(&u.expr),
            e @ (Expr::Block(_) | Expr::If(_) | Expr::Match(_)) => {
                let mut any = false;
                at_ends(&mut e.clone(), &mut |e| any |= !matches!(e, Expr::Block(_)) && self.is_an_option(e));
                any
            }
            e => declared::gives_option(e),
        }
    }

    /// Whether `try_fold` or `try_for_each` gives this.
    fn folds_to(&self, m: &ExprMethodCall, what: Tried) -> bool {
        self.is_pipeline(&m.receiver) && m.args.last().and_then(|f| self.kind_of_tried(f)) == Some(what)
    }

    /// Whether a value is a `Result` for sure.
    pub(in crate::iterate::values) fn is_a_result(&self, e: &Expr) -> bool {
        match strip(e) {
            Expr::MethodCall(m) if takes_tried(m) => self.folds_to(m, Tried::Result),
            e @ Expr::Path(_) => {
                self.name_holds(e, Holds::Result).unwrap_or_else(|| declared::is_result(e)) || is_result(e)
            }
            e @ (Expr::Field(_) | Expr::Index(_)) => declared::is_result(e),
            Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => self.is_a_result(&u.expr),
            e => is_result(e),
        }
    }
}

/// [`Walk::depths_of_options`] of an element, by the declaration of its array.
fn declared_depths(e: &Expr) -> Option<u32> {
    match strip(e) {
        Expr::Index(x) if matches!(&*x.index, Expr::Range(_)) => Some(declared_depths(&x.expr)? & !1),
        Expr::Index(x) => Some(declared_depths(&x.expr)? >> 1),
        Expr::Path(p) => declared::arrays_of_options(p.path.get_ident()?),
        _ => None,
    }
}

/// Whether a value is a copy of an element, or a reference to one or to a part of an array.
fn is_part(e: &Expr) -> bool {
    matches!(behind_references(e), Expr::Index(_) | Expr::Field(_))
}

/// `try_fold(init, f)`, `try_for_each(f)`
fn takes_tried(m: &ExprMethodCall) -> bool {
    matches!((m.method.to_string().as_str(), m.args.len()), ("try_fold", 2) | ("try_for_each", 1))
}

/// Whether an expression is a `Result`, judged by its methods.
fn is_result(e: &Expr) -> bool {
    match strip(e) {
        Expr::MethodCall(m) => match m.method.to_string().as_str() {
            "ok_or" | "ok_or_else" | "map_err" => true,
            // (A method of the user's may give an option.)
            "try_into" => !declared::returns_option(&m.method),
            "map" | "and_then" | "or_else" => is_result(&m.receiver),
            name => name.starts_with("binary_search") || declared::returns_result(&m.method),
        },
        Expr::Call(c) => match strip(&c.func) {
            Expr::Path(p) => {
                is_variant(&p.path, "Ok")
                    || is_variant(&p.path, "Err")
                    || p.path.segments.last().is_some_and(|s| {
                        s.ident == "try_from" && !declared::returns_option(&s.ident)
                            || declared::returns_result(&s.ident) && declared::is_of_file(&p.path)
                    })
            }
            // A body in the place of a call.
            Expr::Closure(of) => match &of.output {
                syn::ReturnType::Type(_, ty) => {
                    matches!(&**ty, Type::Path(p) if p.path.segments.last().is_some_and(|s| s.ident == "Result"))
                }
                syn::ReturnType::Default => false,
            },
            _ => false,
        },
        Expr::Block(b) => {
            matches!(b.block.stmts.last(), Some(Stmt::Expr(e @ Expr::Call(_), None)) if is_result(e))
        }
        _ => false,
    }
}
