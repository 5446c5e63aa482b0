//! Stores that an iteration does not count: `y[n] = x[i]; if c { n += 1; }`. The next iteration stores to the same element.
use crate::marks::unmarked;
use crate::parse::tokens::source::as_written;
use crate::sema::reduction::updates;
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::names::bound_in;
use crate::sema::syntax::place;
use quote::ToTokens;
use std::collections::HashSet;
use syn::visit::{self, Visit};
use syn::{Arm, BinOp, Block, Expr, Lit};

/// A store `y[n] = …` to the element of a counter that an iteration may not count: where it stands, the conditions around it are
/// those around the only branch that counts, but for that branch.
pub fn store<'b>(body: &'b Block, counter: &str) -> Option<&'b Expr> {
    let own = bound_in(body);
    let mut walk =
        Walk { counter, own: &own, around: Vec::new(), stores: vec![], counts: vec![], left: vec![], at: 0 };
    walk.visit_block(body);
    let Walk { stores, counts, left, .. } = walk;
    let first = counts.first()?;
    let is_left_out = |store: &Event<'b>| {
        let depth = store.around.len();
        let branch = first.around.get(depth);
        let in_branch = branch.is_some_and(|b| matches!(b, Branch::Of(..) | Branch::Truth(_)))
            && counts.iter().all(|c| c.around.starts_with(&store.around) && c.around.get(depth) == branch);
        // `y[n] = …; if c { continue; } n += 1;`
        let between = counts.iter().all(|c| {
            store.around.starts_with(&c.around)
                && left.iter().any(|l| {
                    (store.at..c.at).contains(&l.at)
                        && l.around.len() > c.around.len()
                        && l.around.starts_with(&c.around)
                })
        });
        in_branch || between
    };
    stores.into_iter().find(is_left_out).and_then(|store| store.of)
}

/// The variables from outside that a body adds to.
pub fn counters(body: &Block) -> Vec<String> {
    let (own, mut keys) = (bound_in(body), Vec::new());
    crate::sema::syntax::search::each(body, |e| {
        if let Expr::Binary(b) = e
            && matches!(b.op, BinOp::AddAssign(_))
        {
            keys.extend(place::scalar_key(&b.left).filter(|key| !own.contains(key)));
        }
    });
    keys
}

/// What to write instead of such a store.
pub fn help(store: &Expr, counter: &str) -> String {
    let place = match store {
        Expr::Assign(a) => as_written(&unmarked(&a.left)),
        _ => format!("…[{counter}]"),
    };
    format!(
        "store in the iterations that count: `if c {{ {place} = …; {counter} += 1; }}`; the elements below `{counter}` are the same then"
    )
}

/// Whether a condition of a body reads a counter: `if n < limit { … }`.
pub fn bounds(body: &Block, counter: &str) -> bool {
    struct Bounds<'a>(&'a str, bool);
    impl<'b> Visit<'b> for Bounds<'_> {
        fn visit_expr_if(&mut self, i: &'b syn::ExprIf) {
            let is_counter = |e: &Expr| place::scalar_key(e).is_some_and(|key| key == self.0);
            self.1 |= crate::sema::syntax::search::any(&*i.cond, is_counter);
            visit::visit_expr_if(self, i);
        }
    }
    let mut bounds = Bounds(counter, false);
    bounds.visit_block(body);
    bounds.1
}

/// What an expression stands in.
#[derive(Clone, PartialEq)]
enum Branch {
    /// An `if` or `match`, by its number, and which of its branches.
    Of(usize, usize),
    Loop(usize),
    /// A number that is 0 or 1: `n += usize::from(c);`
    Truth(usize),
    /// Another update.
    Unknown,
}

struct Event<'b> {
    around: Vec<Branch>,
    at: usize,
    of: Option<&'b Expr>,
}

struct Walk<'a, 'b> {
    counter: &'a str,
    /// What the body binds: an iteration has it for itself.
    own: &'a HashSet<String>,
    around: Vec<Branch>,
    stores: Vec<Event<'b>>,
    counts: Vec<Event<'b>>,
    /// Each `continue`.
    left: Vec<Event<'b>>,
    at: usize,
}

impl<'b> Walk<'_, 'b> {
    fn event(&self, of: Option<&'b Expr>) -> Event<'b> {
        Event { around: self.around.clone(), at: self.at, of }
    }

    fn within(&mut self, branch: Branch, walk: impl FnOnce(&mut Self)) {
        self.around.push(branch);
        walk(self);
        self.around.pop();
    }

    fn count(&mut self, how: Option<Branch>) {
        let mut event = self.event(None);
        event.around.extend(how);
        self.counts.push(event);
    }

    /// Whether an expression is the place `y[n]`.
    fn is_element(&self, e: &Expr) -> bool {
        let Expr::Index(x) = strip(e) else { return false };
        let index = match strip(&x.index) {
            Expr::Cast(c) => &c.expr,
            index => index,
        };
        let shared = place::root(&x.expr).is_some_and(|root| !self.own.contains(&root.to_string()));
        self.is_counter(index) && shared && matches!(strip(&x.expr), Expr::Path(_) | Expr::Field(_))
    }

    fn is_counter(&self, e: &Expr) -> bool {
        place::scalar_key(e).is_some_and(|key| key == self.counter)
    }
}

impl<'b> Visit<'b> for Walk<'_, 'b> {
    fn visit_expr(&mut self, e: &'b Expr) {
        self.at += 1;
        let at = self.at;
        match e {
            Expr::If(i) => {
                self.visit_expr(&i.cond);
                self.within(Branch::Of(at, 0), |walk| walk.visit_block(&i.then_branch));
                if let Some((_, els)) = &i.else_branch {
                    self.within(Branch::Of(at, 1), |walk| walk.visit_expr(els));
                }
                return;
            }
            Expr::Match(m) => {
                self.visit_expr(&m.expr);
                for (n, Arm { body, .. }) in m.arms.iter().enumerate() {
                    self.within(Branch::Of(at, n), |walk| walk.visit_expr(body));
                }
                return;
            }
            Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_) | Expr::Closure(_) => {
                return self.within(Branch::Loop(at), |walk| visit::visit_expr(walk, e));
            }
            Expr::Continue(_) => self.left.push(self.event(None)),
            _ => {}
        }
        visit::visit_expr(self, e);
        self.at += 1;
        match e {
            Expr::Assign(a) if self.is_element(&a.left) => self.stores.push(self.event(Some(e))),
            Expr::Binary(b) if matches!(b.op, BinOp::AddAssign(_)) && self.is_counter(&b.left) => {
                let how = match &*b.right {
                    by if is_positive(by) => None,
                    by if is_truth(by) => Some(Branch::Truth(at)),
                    _ => Some(Branch::Unknown),
                };
                self.count(how);
            }
            e if updates::target(e).is_some_and(|target| self.is_counter(target)) => {
                self.count(Some(Branch::Unknown));
            }
            _ => {}
        }
    }

    fn visit_item(&mut self, _: &'b syn::Item) {}
}

/// A literal above zero.
pub(super) fn is_positive(e: &Expr) -> bool {
    matches!(e, Expr::Lit(l) if matches!(&l.lit, Lit::Int(n) if n.base10_digits() != "0"))
}

/// `usize::from(c)` of a condition, `(a < b) as usize`.
fn is_truth(e: &Expr) -> bool {
    let is_condition = |e: &Expr| match strip(e) {
        Expr::Binary(b) => {
            crate::sema::syntax::forms::is_comparison(&b.op) || matches!(b.op, BinOp::And(_) | BinOp::Or(_))
        }
        Expr::Unary(u) => matches!(u.op, syn::UnOp::Not(_)),
        _ => false,
    };
    match strip(e) {
        Expr::Cast(c) => is_condition(&c.expr),
        Expr::Call(c) => {
            c.args.len() == 1
                && c.func.to_token_stream().to_string().ends_with(":: from")
                && is_condition(&c.args[0])
        }
        _ => false,
    }
}
