//! Unrolling: which loops have a pragma.
use super::super::body::Body;
use super::super::types::Space;
use crate::back::Dialect;
use crate::valid::typer::constant::Constants;
use omp_ir::ids::{ExprId, LocalId};
use omp_ir::kernel::Ty;
use omp_ir::template::{Adaptor, Base, Block, Check, Code, Expr, Place, Projection, Range, Stmt};
use omp_ir::visit;

/// The most iterations of loops that are unrolled; for a nest, the product of its trip counts.
const MOST_ITERATIONS: u64 = 160;

/// The most iterations of all loops of a nest with bounds that depend on counters: insertion sorts of 32 elements have 527.
const MOST_OF_TRIANGLE: u64 = 600;

/// Expressions that unrolled loops come to: compilers take long over more.
const MOST_EXPRESSIONS: u64 = 8192;

impl Body<'_, '_> {
    /// The unrolling of an innermost loop, by the schedule. If a thread has neighbouring iterations, short loops are unrolled,
    /// the ones around them too: compilers then make vectors of the iterations.
    pub(super) fn unrolled(&self, range: &Range, body: &Block) -> Option<String> {
        if self.w.schedule.unroll_short && self.function.is_none() {
            let constants = Constants::of(&self.w.kernel.types, self.code);
            if let Some((trips, expressions)) = self.trips(&constants, range, body, true)
                && trips <= MOST_ITERATIONS
                && expressions <= MOST_EXPRESSIONS
            {
                return Some("#pragma unroll".to_owned());
            }
        }
        let Some(n) = self.w.schedule.unroll else {
            let alone = self.w.syntax.dialect == Dialect::OpenCl
                && super::super::strategy::reduction::reduce::is_single(self);
            let constants = alone.then(|| Constants::of(&self.w.kernel.types, self.code))?;
            let (trips, expressions) = self.trips(&constants, range, body, false)?;
            let few = trips <= MOST_ITERATIONS && expressions <= MOST_EXPRESSIONS;
            return few.then(|| "#pragma unroll".to_owned());
        };
        let mut innermost = true;
        visit::each_stmt(body, &mut |s| innermost &= !matches!(s, Stmt::For { .. } | Stmt::Loop { .. }));
        innermost.then(|| if n == 0 { "#pragma unroll".to_owned() } else { format!("#pragma unroll {n}") })
    }

    /// Whether a loop leaves the elements of an array of the thread's own in registers if it is unrolled, and compilers don't do that by
    /// themselves: an insertion, or part of a nest with bounds that depend on counters (`for j in 0..i`), all of whose iterations the text
    /// shows. (Nor if there are exits: NVRTC 13.0 leaves some unrolled loops with several exits too early.)
    pub(super) fn unrolls_whole(&mut self, var: LocalId, range: &Range, body: &Block) -> bool {
        if self.code.unrolled.contains(&var) {
            return true;
        }
        if self.unrolled.iter().any(|around| self.turns.contains(around)) {
            return true;
        }
        let mut own = false;
        let mut place = |place: &Place| own |= self.chooses_own(place);
        let mut exits = false;
        visit::each_stmt(body, &mut |stmt| match stmt {
            Stmt::Assign { place: to, .. } => place(to),
            Stmt::Check { check: Check::Bounds { access, .. }, .. } => exits |= self.is_checked(*access),
            Stmt::Check { .. } | Stmt::Break(_) | Stmt::Continue(_) | Stmt::Return(_) => exits = true,
            _ => {}
        });
        if !own || exits || !has_dependent_loop(&self.code.code, var, body) {
            return false;
        }
        let mut constants = Constants::of(&self.w.kernel.types, self.code);
        let mut left = Left { iterations: MOST_OF_TRIANGLE, expressions: 4 * MOST_EXPRESSIONS };
        let few = self.all(&mut constants, var, range, body, &mut left).is_some();
        self.unrolled.extend(few.then_some(var));
        few
    }

    /// An element of an array in registers or in the thread's own memory, at a subscript that is no number, or of a part that is in shared memory.
    fn chooses_own(&self, place: &Place) -> bool {
        let local = match place.base {
            Base::Array(array) => return self.parts.contains_key(&array),
            Base::Local(local) => local,
            _ => return false,
        };
        let own = match self.w.kernel.types.get(self.code.local_ty[local.index()]) {
            Ty::Array(..) => !self.w.schedule.interleaved.locals.contains(&local),
            Ty::Slice(_) => matches!(self.spaces[local.index()], Space::Private),
            _ => false,
        };
        let number = |index: &ExprId| matches!(self.code.code.exprs[index.index()].expr, Expr::Int { .. });
        own && place
            .projections
            .iter()
            .any(|p| matches!(p, Projection::Index { index, .. } if !number(index)))
    }

    /// Counts a nest's iterations by going through them; `None` if they are too many, or not known.
    fn all(
        &self,
        constants: &mut Constants,
        var: LocalId,
        range: &Range,
        body: &Block,
        left: &mut Left,
    ) -> Option<()> {
        let reversed_only = range.adaptors.iter().all(|a| matches!(a, Adaptor::Rev));
        let known =
            |constants: &Constants, e: Option<ExprId>| constants.int(&self.w.kernel.types, self.code, e?);
        let (lo, hi) = (known(constants, range.lo)?, known(constants, range.hi)?);
        for value in (lo..hi.checked_add(i128::from(range.inclusive))?).take_while(|_| reversed_only) {
            constants.set(var, Some(value));
            left.iterations = left.iterations.checked_sub(1)?;
            for stmt in &body.0 {
                match stmt {
                    Stmt::For { var, range, body, .. } => self.all(constants, *var, range, body, left)?,
                    stmt => {
                        let (mut loops, mut each) = (false, 0);
                        visit::each_stmt(&Block(vec![stmt.clone()]), &mut |s| {
                            loops |= matches!(s, Stmt::For { .. } | Stmt::Loop { .. } | Stmt::Inner(_));
                            visit::of_stmt(s, &mut |root| {
                                visit::each_expr(&self.code.code, root, &mut |_| each += 1);
                            });
                        });
                        left.expressions = left.expressions.checked_sub(each).filter(|_| !loops)?;
                    }
                }
            }
        }
        constants.set(var, None);
        reversed_only.then_some(())
    }

    /// The iterations of the innermost loops of a nest, and the expressions that they evaluate, if they are known. Others may count
    /// once (`lenient`).
    fn trips(&self, constants: &Constants, range: &Range, body: &Block, lenient: bool) -> Option<(u64, u64)> {
        let known =
            |e: Option<ExprId>| u64::try_from(constants.int(&self.w.kernel.types, self.code, e?)?).ok();
        let own = length(known(range.lo)?, known(range.hi)?, range.inclusive)?;
        let (mut inside, mut expressions) = (1u64, 0u64);
        for stmt in &body.0 {
            let (mut loops, mut each) = (false, 0);
            visit::each_stmt(&Block(vec![stmt.clone()]), &mut |s| {
                loops |= matches!(s, Stmt::For { .. } | Stmt::Loop { .. });
                visit::of_stmt(s, &mut |root| visit::each_expr(&self.code.code, root, &mut |_| each += 1));
            });
            match stmt {
                Stmt::For { range, body, .. } => {
                    let (trips, each) = self.trips(constants, range, body, lenient)?;
                    inside = inside.checked_add(trips)?;
                    expressions = expressions.checked_add(each)?;
                }
                _ if loops && !lenient => return None,
                _ => expressions += each,
            }
        }
        (lenient || range.adaptors.is_empty())
            .then_some((own.checked_mul(inside)?, own.checked_mul(expressions)?))
    }
}

/// What may still be unrolled.
struct Left {
    iterations: u64,
    expressions: u64,
}

/// Whether the bounds of a loop in a block depend on this counter.
fn has_dependent_loop(code: &Code, counter: LocalId, block: &Block) -> bool {
    let mut found = false;
    visit::each_stmt(block, &mut |stmt| {
        if let Stmt::For { range, .. } = stmt {
            visit::of_range(range, &mut |root| {
                visit::each_expr(code, root, &mut |e| {
                    found |= code.exprs[e.index()].expr == Expr::Load(Base::Local(counter).into());
                });
            });
        }
    });
    found
}

/// How many numbers `lo..hi` has, or `lo..=hi`, if these don't have it the other way round.
fn length(lo: u64, hi: u64, inclusive: bool) -> Option<u64> {
    hi.checked_sub(lo)?.checked_add(u64::from(inclusive))
}

#[cfg(test)]
mod tests {
    #[test]
    fn ranges_of_all_numbers_have_no_length() {
        use super::length;
        assert_eq!((length(2, 5, false), length(2, 5, true), length(5, 2, true)), (Some(3), Some(4), None));
        assert_eq!((length(0, u64::MAX, false), length(1, u64::MAX, true)), (Some(u64::MAX), Some(u64::MAX)));
        assert_eq!(length(0, u64::MAX, true), None);
    }
}
