//! The number of host threads for a loop with atomic accesses.
//!
//! A compare-and-swap takes as long as several plain updates, and if threads share the cache lines of the elements, one
//! after the other waits for a line: a histogram of few elements is faster on one thread than on any number of them. One
//! thread runs the loop without atomic accesses. (Elements that a loop only updates, with one operator, may have copies
//! instead: `HostRun::with_updates`.) The choice depends on the launch's numbers and on the body alone. It is a guess, so
//! it is made only where the body is short: no calls, no loops, and the accesses in each iteration.
use omp_ir::ids::ArrayId;
use omp_ir::method::is_short;
use omp_ir::template::{Base, Expr, KernelTemplate, Stmt};
use omp_ir::visit;

/// Nanoseconds of a compare-and-swap, as measured on 16 threads of one socket: on one of very many lines, on a line that another thread
/// has written to, and on one that several threads want (up to 500, if it is one line).
const FREE: u64 = 16;
const APART: u64 = 32;
const WAITING: u64 = 160;

/// Bytes of a cache line.
const LINE: u64 = 64;

/// With so many cache lines for each thread, threads rarely contend.
const LINES: u64 = 16;

/// So many for each thread, and they hardly ever do.
const MANY_LINES: u64 = 1024;

/// Other threads are not used for less than that many nanoseconds.
const SHORT: u64 = 4096;

/// The atomic accesses of a short body.
#[derive(Debug)]
pub(crate) struct Contended {
    arrays: Vec<ArrayId>,
    accesses: u64,
    /// An estimate of the time of an iteration without its atomic accesses.
    nanoseconds: u64,
}

impl Contended {
    /// `None` if there are no atomic updates, or their number or cost is not known.
    pub(crate) fn of(template: &KernelTemplate) -> Option<Self> {
        let code = &template.code;
        let mut arrays = Vec::new();
        let mut accesses = 0;
        for stmt in &code.block.0 {
            if let Stmt::Atomic { place, new: Some(_), .. } = stmt {
                let Base::Array(array) = place.base else { return None };
                arrays.push(array);
                accesses += 1;
            }
        }
        let (mut all, mut known) = (0, true);
        visit::each_stmt(&code.block, &mut |stmt| match stmt {
            Stmt::Atomic { new: Some(_), .. } => all += 1,
            Stmt::For { .. } | Stmt::Loop { .. } | Stmt::Inner(_) => known = false,
            _ => {}
        });
        let mut steps = 0;
        visit::each_live_expr(code, &mut |e| match &code.exprs[e.index()].expr {
            Expr::Call { call, .. } => {
                let called = &code.calls[call.index()];
                known &= called.method && is_short(&called.name);
                steps += 2;
            }
            Expr::Binary(..) | Expr::Cast { .. } => steps += 1,
            Expr::Load(place) => steps += place.projections.len() as u64,
            Expr::Thread(_) => known = false,
            _ => {}
        });
        (known && accesses > 0 && accesses == all).then_some(Self {
            arrays,
            accesses,
            nanoseconds: steps / 2 + 1,
        })
    }

    /// The threads, of so many at most, for so many iterations if that is known: all of them or one. `bytes` are those of an array.
    pub(crate) fn threads(
        &self,
        most: usize,
        iterations: Option<u64>,
        bytes: impl Fn(ArrayId) -> u64,
    ) -> usize {
        let threads = most as u64;
        let lines = self.arrays.iter().map(|array| bytes(*array) / LINE).min().unwrap_or_default();
        let (own, accesses) = (self.nanoseconds, self.accesses);
        let is_faster = if lines < LINES * threads {
            own > WAITING * accesses
        } else {
            let each = if lines < MANY_LINES * threads { APART } else { FREE };
            own * threads.saturating_sub(1) > each * accesses
        };
        let is_short = iterations.is_some_and(|n| n.saturating_mul(own) < SHORT);
        if is_faster && !is_short { most } else { 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_that_would_contend_are_not_used() {
        let of = |accesses, nanoseconds| Contended { arrays: vec![ArrayId::new(0)], accesses, nanoseconds };
        let few = |_| 64;
        let many = |_| 4 << 20;
        let histogram = of(1, 3);
        assert_eq!(histogram.threads(8, Some(1 << 20), few), 1);
        assert_eq!(histogram.threads(2, Some(1 << 20), many), 1);
        assert_eq!(histogram.threads(8, Some(1 << 20), many), 8);
        assert_eq!(histogram.threads(8, Some(1 << 20), |_| 256 << 10), 1);
        assert_eq!(histogram.threads(16, Some(1 << 20), many), 16);
        assert_eq!(histogram.threads(16, None, many), 16);
        assert_eq!(histogram.threads(8, Some(1000), many), 1);
        assert_eq!(of(1, 170).threads(4, Some(1 << 20), few), 4);
        assert_eq!(of(2, 170).threads(4, Some(1 << 20), few), 1);
        assert_eq!(of(1, 100).threads(1, Some(1 << 20), many), 1);
    }
}
