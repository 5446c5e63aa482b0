//! The largest or smallest value with its index: `if x[i] > best { best = x[i]; at = i; }`. A `reduction` would combine
//! the two variables separately. One error explains that, and shows the code of an operator on both.
use crate::diag::{Code, Sink, begin};
use crate::lower::region::draft::LazyDraft;
use crate::parse::tokens::source::as_written;
use crate::sema::CheckedRegion;
use crate::sema::syntax::place::{any_covers, item_key, scalar_key};
use crate::sema::syntax::uses::Uses;
use omp_ir::flow::update_form::{Form, Operator, Update};
use omp_ir::template::ReduceOp;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprAssign, ExprIf, Stmt};

/// An `if` that updates an extreme value and other variables with it.
struct Extreme<'a> {
    /// The variable with the value.
    key: String,
    /// Larger values replace it.
    larger: bool,
    /// `best = x[i]`
    value: &'a ExprAssign,
    /// `at = i` and its like, by their variables.
    others: Vec<(String, &'a ExprAssign)>,
}

/// Reports them. Returns the variables, of which there is no more to be said.
pub fn check(region: &CheckedRegion, draft: &LazyDraft<'_>, uses: &Uses, sink: &mut Sink) -> Vec<String> {
    let clauses = &region.directive.clauses;
    let shared = |key: &str| {
        uses.body.iter().any(|u| u.key == key && u.writes() && !u.element && !u.is_atomic())
            && [&clauses.private, &clauses.firstprivate, &clauses.lastprivate]
                .iter()
                .all(|items| !any_covers(items, key))
    };
    let mut find = Find { draft, found: Vec::new() };
    find.visit_block(&region.body);
    let mut known = Vec::new();
    for mut extreme in find.found {
        extreme.others.retain(|(key, _)| shared(key));
        if !shared(&extreme.key) || extreme.others.is_empty() || known.contains(&extreme.key) {
            continue;
        }
        let reduced =
            |key: &str| clauses.reductions.iter().any(|r| r.items.iter().any(|i| item_key(i) == key));
        one(&extreme, reduced(&extreme.key), sink);
        known.push(extreme.key);
        known.extend(extreme.others.into_iter().map(|(key, _)| key));
    }
    known
}

fn one(extreme: &Extreme<'_>, reduced: bool, sink: &mut Sink) {
    let (best, (at, place)) = (&extreme.key, &extreme.others[0]);
    let (value, index) = (as_written(&extreme.value.right), as_written(&place.right));
    let (sign, name, worst) = if extreme.larger { (">", "max", "MIN") } else { ("<", "min", "MAX") };
    // The error is at the first assignment that can't be reduced as it stands.
    let (first, message) = if reduced {
        (
            *place,
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

struct Find<'a> {
    draft: &'a LazyDraft<'a>,
    found: Vec<Extreme<'a>>,
}

impl<'a> Visit<'a> for Find<'a> {
    fn visit_expr_if(&mut self, i: &'a ExprIf) {
        self.found.extend(read(i, self.draft));
        visit::visit_expr_if(self, i);
    }
}

fn read<'a>(i: &'a ExprIf, draft: &LazyDraft<'_>) -> Option<Extreme<'a>> {
    let mut others = assignments(&i.then_branch);
    if i.else_branch.is_some() || others.len() < 2 {
        return None;
    }
    let (at, larger) =
        others.iter().enumerate().find_map(|(n, (_, a))| match draft.form_at(begin(&a.left))? {
            Form::Update(Update { by: Operator::Builtin(ReduceOp::Max), effects: true, .. }) => {
                Some((n, true))
            }
            Form::Update(Update { by: Operator::Builtin(ReduceOp::Min), effects: true, .. }) => {
                Some((n, false))
            }
            _ => None,
        })?;
    let (key, value) = others.remove(at);
    others.retain(|(other, _)| *other != key);
    Some(Extreme { key, larger, value, others })
}

/// The assignments to variables among the statements of a block.
fn assignments(block: &Block) -> Vec<(String, &ExprAssign)> {
    let assigned = block.stmts.iter().filter_map(|s| match s {
        Stmt::Expr(Expr::Assign(a), _) => Some((scalar_key(&a.left)?, a)),
        _ => None,
    });
    assigned.collect()
}
