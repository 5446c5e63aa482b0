//! Heads and clauses of regions in functions with tasks: calls of methods of guarded arrays, and assignments to variables
//! that tasks reduce (an error: the region has a copy of the value, so the assignment would be lost).
use super::{Env, Guard, GuardKind, path, rename};
use crate::ast::Task;
use crate::diag::{Code, Sink};
use crate::expand::regions::Directives;
use crate::glue;
use crate::lower::Lowered;
use crate::sema::syntax::place::covers;
use crate::sema::syntax::uses;
use crate::sema::syntax::uses::{Use, Uses};
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens as _;

/// The methods of a guard's array that heads and clauses call of the regions and directives which know it.
pub(super) fn called(guard: &Guard, found: &Directives, lowered: &[Lowered], env: &Env) -> Vec<Ident> {
    let of = |tokens: TokenStream| rename::methods(tokens, &path(&guard.key));
    let mine = |guards: &[Guard]| guards.iter().any(|g| g.n == guard.n);
    let regions = found.regions.iter().zip(lowered).enumerate().filter(|(n, _)| mine(env.region(*n)));
    let data = found.data.iter().enumerate().filter(|(n, _)| mine(env.data(*n)));
    let regions = regions.flat_map(|(_, (region, lowered))| of(glue::task::before_launch(region, lowered)));
    let data = data.flat_map(|(_, data)| {
        let clauses = &data.directive.clauses;
        let items = clauses.maps.iter().flat_map(|m| &m.items).chain(&clauses.to).chain(&clauses.from);
        let ends = items.flat_map(|i| &i.sections).flat_map(|s| s.lo.iter().chain(&s.hi));
        let values = clauses.evaluated.iter().flat_map(|clause| &clause.values);
        ends.chain(values).flat_map(|e| of(e.to_token_stream())).collect::<Vec<_>>()
    });
    regions.chain(data).collect()
}

/// Reports methods that are none of slices: the array's owner may have one of the name.
pub(super) fn check_methods(guard: &Guard, called: &[Ident], sink: &mut Sink) {
    for method in called.iter().filter(|m| !rename::is_of_slices(m)) {
        let key = &guard.key;
        sink.error(
            Code::TaskWhole,
            method.span(),
            format!("`{method}` takes the whole of `{key}` while tasks may still use `{key}`"),
        )
        .note(Some(guard.span), "by this task")
        .help(format!("take its value before the first task: `let value = {key}.{method}(…);`"));
    }
}

/// Reports what is changed.
pub(super) fn check(found: &Directives, lowered: &[Lowered], env: &Env, sink: &mut Sink) {
    for (n, (region, lowered)) in found.regions.iter().zip(lowered).enumerate() {
        let own = region.around.task == Some(Task::Own);
        // A region that is no task gives its changes back.
        let given =
            |g: &&Guard| g.kind == GuardKind::Scalar && (own || !glue::task::gives_back(region, lowered, g));
        let guards: Vec<_> = env.region(n).iter().filter(given).collect();
        if guards.is_empty() {
            continue;
        }
        let Uses { bounds, before, .. } = uses::of_region(region);
        let all: Vec<Use> = before.into_iter().chain(bounds).chain(uses::of_clauses(region)).collect();
        for guard in guards {
            let changes = |u: &&Use| u.writes() && (covers(&guard.key, &u.key) || covers(&u.key, &guard.key));
            if let Some(u) = all.iter().find(changes) {
                let key = &guard.key;
                let message = format!("`{key}` is changed here, while tasks may still use it");
                sink.error_at(Code::TaskData, &u.tokens, message)
                    .note(Some(guard.span), "by this task")
                    .help(format!(
                        "change `{key}` in a statement of its own before the directive, which waits for them"
                    ));
            }
        }
    }
}
