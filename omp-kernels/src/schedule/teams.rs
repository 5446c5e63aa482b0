//! Kernels with nests for the threads of a team: whether one can be laid out so, and what it does to its arrays.
//!
//! Around its nests all threads of a team run alike ([`crate::back`] tells how), so nothing may stand there that must
//! happen once and isn't a plain store, and nothing that tells the threads apart.
use crate::ir::ids::{AccessId, ExprId};
use crate::ir::kernel::Kernel;
use crate::ir::template::{Base, Block, Expr, Inner, Level, Place, Stmt};
use crate::ir::visit;

/// Where a kernel touches an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ArrayUse {
    /// Loaded around the nests.
    pub read_around: bool,
    /// Touched in a nest.
    pub in_nests: bool,
    /// Written in a nest by something that is no store.
    pub written_unseen: bool,
    /// The same around the nests.
    written_alike: bool,
}

/// By array: where it is touched.
pub(crate) fn array_uses(kernel: &Kernel) -> Vec<ArrayUse> {
    let mut walk = Walk { kernel, uses: vec![ArrayUse::default(); kernel.template.arrays.len()], nests: 0 };
    walk.block(&kernel.body.code.block, false);
    walk.uses
}

/// The kernel has nests for teams, and its threads can run alike around them.
pub(super) fn suits(kernel: &Kernel) -> bool {
    let mut walk = Walk { kernel, uses: vec![ArrayUse::default(); kernel.template.arrays.len()], nests: 0 };
    walk.block(&kernel.body.code.block, false);
    let tells_threads_apart = kernel.fns.iter().any(|f| super::survey::queries(&f.body));
    walk.nests > 0 && walk.uses.iter().all(|u| !u.written_alike) && !tells_threads_apart
}

struct Walk<'k> {
    kernel: &'k Kernel,
    uses: Vec<ArrayUse>,
    nests: usize,
}

impl Walk<'_> {
    fn block(&mut self, block: &Block, in_nest: bool) {
        for stmt in &block.0 {
            visit::of_stmt(stmt, &mut |e| self.expr(e, in_nest));
            let mut inside = in_nest;
            match stmt {
                Stmt::Assign { place: Place { base: Base::Array(a), .. }, .. } => {
                    self.uses[a.index()].in_nests |= in_nest;
                }
                Stmt::Inner(Inner { level: Level::Team, .. }) => {
                    self.nests += usize::from(!in_nest);
                    inside = true;
                }
                // Around the nests it would happen once for each thread, and give each another value.
                Stmt::Atomic { place, .. } => {
                    if let Base::Array(a) = place.base {
                        let of = &mut self.uses[a.index()];
                        if in_nest {
                            (of.in_nests, of.written_unseen) = (true, true);
                        } else {
                            of.written_alike = true;
                        }
                    }
                }
                Stmt::Inner(Inner { level: Level::Simd, .. })
                | Stmt::Let { .. }
                | Stmt::Assign { .. }
                | Stmt::Eval(_)
                | Stmt::If { .. }
                | Stmt::For { .. }
                | Stmt::Loop { .. }
                | Stmt::Labelled { .. }
                | Stmt::Break(_)
                | Stmt::Continue(_)
                | Stmt::Return(_)
                | Stmt::Check { .. } => {}
            }
            for inner in visit::blocks_of(stmt).into_iter().flatten() {
                self.block(inner, inside);
            }
        }
    }

    fn expr(&mut self, root: ExprId, in_nest: bool) {
        let code = &self.kernel.body;
        let mut found = Vec::new();
        visit::each_expr(&code.code, root, &mut |e| match &code.code.exprs[e.index()].expr {
            Expr::Load(place) => found.push((place.base, place.projections.is_empty(), None)),
            Expr::Slice { base, access, .. } => found.push((base.base, access.is_none(), *access)),
            _ => {}
        });
        for (base, whole, access) in found {
            if let Base::Array(a) = base {
                // No subscript tells whether a whole array is written through.
                let writes = |access: AccessId| code.code.accesses[access.index()].write;
                let written = access.map_or(whole, writes) && self.kernel.template.arrays[a.index()].written;
                let of = &mut self.uses[a.index()];
                if in_nest {
                    of.in_nests = true;
                    of.written_unseen |= written;
                } else {
                    of.read_around = true;
                    of.written_alike |= written;
                }
            }
        }
    }
}
