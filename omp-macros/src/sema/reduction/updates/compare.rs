//! Assignments under a comparison: `if e > s { s = e }`, the same as a `match` on the comparison, and negated,
//! `if !(e <= s) { s = e }`.
use super::{is_item, mentions, only_statement, strip, unmarked};
use syn::{BinOp, Block, Expr, ExprAssign, Lit, Pat, UnOp};

/// One of two ways: `if c { … } else { … }`, `match c { true => …, false => … }`.
struct Choice<'a> {
    condition: &'a Expr,
    then: Way<'a>,
    otherwise: Way<'a>,
}

enum Way<'a> {
    Nothing,
    Only(&'a Expr),
    More,
}

impl<'a> Way<'a> {
    fn block(block: &'a Block) -> Self {
        match only_statement(block) {
            Some(e) => Self::Only(e),
            None if block.stmts.is_empty() => Self::Nothing,
            None => Self::More,
        }
    }

    fn expr(e: &'a Expr) -> Self {
        match e {
            Expr::Block(b) if b.label.is_none() && b.attrs.is_empty() => Self::block(&b.block),
            Expr::Tuple(t) if t.elems.is_empty() => Self::Nothing,
            other => Self::Only(other),
        }
    }
}

impl<'a> Choice<'a> {
    fn of(e: &'a Expr) -> Option<Self> {
        match e {
            Expr::If(i) => Some(Self {
                condition: &i.cond,
                then: Way::block(&i.then_branch),
                otherwise: i.else_branch.as_ref().map_or(Way::Nothing, |(_, e)| Way::expr(e)),
            }),
            Expr::Match(m) => {
                let [first, second] = m.arms.as_slice() else { return None };
                let plain = |arm: &syn::Arm| arm.attrs.is_empty();
                let first_of = truth(&first.pat)?;
                let rest = matches!(second.pat, Pat::Wild(_)) || truth(&second.pat) == Some(!first_of);
                let ways = (Way::expr(&first.body), Way::expr(&second.body));
                let (then, otherwise) = if first_of { ways } else { (ways.1, ways.0) };
                (rest && plain(first) && plain(second)).then_some(Self {
                    condition: &m.expr,
                    then,
                    otherwise,
                })
            }
            _ => None,
        }
    }
}

fn truth(pat: &Pat) -> Option<bool> {
    match pat {
        Pat::Lit(l) => match &l.lit {
            Lit::Bool(b) => Some(b.value),
            _ => None,
        },
        _ => None,
    }
}

/// An assignment that stands alone under conditions.
pub struct Guarded<'a> {
    conditions: Vec<&'a Expr>,
    pub assigns: &'a ExprAssign,
    /// The same, as the statement that it is.
    pub statement: &'a Expr,
}

impl<'a> Guarded<'a> {
    pub fn of(e: &'a Expr) -> Option<Self> {
        let choice = Choice::of(e)?;
        let (statement, inverted) = match (&choice.then, &choice.otherwise) {
            (Way::Only(e), Way::Nothing) => (*e, false),
            (Way::Nothing, Way::Only(e)) => (*e, true),
            _ => return None,
        };
        let Expr::Assign(assigns) = statement else { return None };
        let mut conditions = Vec::new();
        if inverted {
            conditions.push(choice.condition);
        } else {
            conjuncts(choice.condition, &mut conditions);
        }
        Some(Self { conditions, assigns, statement })
    }

    /// Whether it is `if e > key { key = e }`, also with further conditions (`if c && e > key`).
    pub fn compares(&self, key: &str) -> bool {
        let Some((a, b)) = self.conditions.iter().find(|c| mentions(c, key)).and_then(|c| comparison(c))
        else {
            return false;
        };
        let with = match (is_item(a, key), is_item(b, key)) {
            (false, true) => a,
            (true, false) => b,
            _ => return false,
        };
        is_item(&self.assigns.left, key) && alike(&self.assigns.right, with)
    }
}

/// The conditions that `&&` joins.
fn conjuncts<'a>(e: &'a Expr, out: &mut Vec<&'a Expr>) {
    match strip(e) {
        Expr::Binary(b) if matches!(b.op, BinOp::And(_)) => {
            conjuncts(&b.left, out);
            conjuncts(&b.right, out);
        }
        other => out.push(other),
    }
}

/// Of `a > b`, `b < a`, `!(a <= b)`: `(a, b)`.
fn comparison(cond: &Expr) -> Option<(&Expr, &Expr)> {
    if let Some(denied) = denied(cond) {
        return comparison(denied).map(|(larger, smaller)| (smaller, larger));
    }
    let Expr::Binary(b) = strip(cond) else { return None };
    match b.op {
        BinOp::Gt(_) | BinOp::Ge(_) => Some((strip(&b.left), strip(&b.right))),
        BinOp::Lt(_) | BinOp::Le(_) => Some((strip(&b.right), strip(&b.left))),
        _ => None,
    }
}

/// Of `!e`: `e`.
fn denied(e: &Expr) -> Option<&Expr> {
    match strip(e) {
        Expr::Unary(u) if matches!(u.op, UnOp::Not(_)) => Some(&u.expr),
        _ => None,
    }
}

fn alike(a: &Expr, b: &Expr) -> bool {
    unmarked(a) == unmarked(b)
}
