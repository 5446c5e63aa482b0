//! The largest or smallest value with its index: `if x[i] > best { best = x[i]; at = i; }`. The two variables belong
//! together, and a `reduction` combines each separately. One error says so, and shows the code of an operator on both.
use super::updates::{comparison, conjuncts, strip};
use crate::diag::{Code, Sink};
use crate::parse::tokens::source::as_written;
use crate::sema::CheckedRegion;
use crate::sema::syntax::place::{any_covers, item_key, scalar_key};
use crate::sema::syntax::uses::Uses;
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprAssign, ExprIf, Stmt};

/// Such an `if`.
struct Extreme<'a> {
    /// The variable with the value.
    key: String,
    /// Larger values replace it.
    larger: bool,
    /// `best = x[i]`
    value: &'a ExprAssign,
    /// `at = i` and its like, by their variables.
    beside: Vec<(String, &'a ExprAssign)>,
}

/// Reports them. Returns the variables, of which there is no more to be said.
pub fn check(region: &CheckedRegion, uses: &Uses, sink: &mut Sink) -> Vec<String> {
    let clauses = &region.directive.clauses;
    let shared = |key: &str| {
        uses.body.iter().any(|u| u.key == key && u.writes() && !u.element && !u.is_atomic())
            && [&clauses.private, &clauses.firstprivate, &clauses.lastprivate]
                .iter()
                .all(|items| !any_covers(items, key))
    };
    let mut found = Find(Vec::new());
    found.visit_block(&region.body);
    let mut known = Vec::new();
    for mut extreme in found.0 {
        extreme.beside.retain(|(key, _)| shared(key));
        if !shared(&extreme.key) || extreme.beside.is_empty() || known.contains(&extreme.key) {
            continue;
        }
        let reduced =
            |key: &str| clauses.reductions.iter().any(|r| r.items.iter().any(|i| item_key(i) == key));
        one(&extreme, reduced(&extreme.key), sink);
        known.push(extreme.key);
        known.extend(extreme.beside.into_iter().map(|(key, _)| key));
    }
    known
}

fn one(extreme: &Extreme<'_>, reduced: bool, sink: &mut Sink) {
    let (best, (at, beside)) = (&extreme.key, &extreme.beside[0]);
    let (value, index) = (as_written(&extreme.value.right), as_written(&beside.right));
    let (sign, name, worst) = if extreme.larger { (">", "max", "MIN") } else { ("<", "min", "MAX") };
    // What is wrong is the first that can't be reduced as it stands.
    let (first, message) = if reduced {
        (
            *beside,
            format!(
                "race: `{at}` is assigned along with `{best}`, and a `reduction({name}: …)` combines each variable separately (write/write)"
            ),
        )
    } else {
        (
            extreme.value,
            format!(
                "race: every iteration assigns `{best}` and `{at}`, and there is one of each for all of them (write/write)"
            ),
        )
    };
    sink.error_at(Code::ScalarRace, first, message)
        .note(None, format!("reduced one by one, `{best}` and `{at}` could come from two iterations"))
        .help(format!(
            "reduce both as one value (with the types of yours):
        #[derive(Clone, Copy, omp::Device)]
        struct Best {{ value: f32, index: usize }}
        #[omp::declare_reduction(better: Best, identity = Best {{ value: f32::{worst}, index: usize::MAX }})]
        fn better(a: Best, b: Best) -> Best {{ if b.value {sign} a.value {{ b }} else {{ a }} }}
    and, under `reduction(better: top)`, in the loop:
        top = better(top, Best {{ value: {value}, index: {index} }});"
        ));
}

/// `max` or `min`, where that is what a variable gets: `if x[i] > m { m = x[i]; }`.
pub fn operator(body: &Block, key: &str) -> Option<&'static str> {
    let mut found = Find(Vec::new());
    found.visit_block(body);
    let extreme = found.0.iter().find(|extreme| extreme.key == key)?;
    Some(if extreme.larger { "max" } else { "min" })
}

struct Find<'a>(Vec<Extreme<'a>>);

impl<'a> Visit<'a> for Find<'a> {
    fn visit_expr_if(&mut self, i: &'a ExprIf) {
        self.0.extend(read(i));
        visit::visit_expr_if(self, i);
    }
}

fn read(i: &ExprIf) -> Option<Extreme<'_>> {
    if i.else_branch.is_some() {
        return None;
    }
    let mut conditions = Vec::new();
    conjuncts(&i.cond, &mut conditions);
    let assigned = assignments(&i.then_branch);
    let same = |a: &Expr, b: &Expr| a.to_token_stream().to_string() == b.to_token_stream().to_string();
    conditions.into_iter().find_map(|condition| {
        let (larger, smaller) = comparison(condition)?;
        [(smaller, larger, true), (larger, smaller, false)].into_iter().find_map(|(item, with, larger)| {
            let key = scalar_key(item)?;
            let of = |(k, a): &&(String, &ExprAssign)| *k == key && same(strip(&a.right), with);
            let value = assigned.iter().find(of)?.1;
            let beside = assigned.iter().filter(|(k, _)| *k != key).cloned().collect();
            Some(Extreme { key, larger, value, beside })
        })
    })
}

/// The assignments to variables among the statements of a block.
fn assignments(block: &Block) -> Vec<(String, &ExprAssign)> {
    let assigned = block.stmts.iter().filter_map(|s| match s {
        Stmt::Expr(Expr::Assign(a), _) => Some((scalar_key(&a.left)?, a)),
        _ => None,
    });
    assigned.collect()
}
