//! Heads and clauses of regions that change what tasks reduce: a region is given the value, and nobody would see the change.
use super::{Env, GuardKind};
use crate::ast::Task;
use crate::diag::{Code, Sink};
use crate::expand::regions::Found;
use crate::glue;
use crate::lower::Lowered;
use crate::sema::place::covers;
use crate::sema::uses::{self, Use, Uses};

/// Reports them.
pub(super) fn check(found: &Found, lowered: &[Lowered], env: &Env, sink: &mut Sink) {
    for (n, (region, lowered)) in found.regions.iter().zip(lowered).enumerate() {
        let own = region.around.task == Some(Task::Own);
        // What a region that is no task changes of it, it gives back.
        let given = |g: &&super::Guard| {
            g.kind == GuardKind::Scalar && (own || !glue::task::gives_back(region, lowered, g))
        };
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
