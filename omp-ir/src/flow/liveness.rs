//! Liveness after inner nests: reads of variables that a nest copies. After the nest the variables have their old values,
//! where the serial loop would have left those of the last iteration.
use super::{Pass, Walk, meet};
use crate::ids::{ExprId, LocalId, SrcId};
use crate::template::{Base, Code, Expr, Inner, Place, Stmt};
use crate::visit;
use std::collections::{BTreeMap, BTreeSet};

/// A copy that each iteration of a nest has of a variable.
#[derive(Clone, Copy)]
pub struct Copied {
    /// The position of the nest's directive.
    pub nest: SrcId,
    /// The variable.
    pub of: LocalId,
    /// The copy.
    pub copy: LocalId,
}

/// The first read after a nest of each variable that it copies: which of `copied`, and where. `starts` are the copies of which an
/// iteration may use what they start from.
#[must_use]
pub fn first_reads(code: &Code, copied: &[Copied], starts: &BTreeSet<LocalId>) -> BTreeMap<usize, SrcId> {
    let mut pass = LiveAfter { code, copied, starts, found: BTreeMap::new() };
    Walk::from(BTreeSet::new()).block(&mut pass, &code.block);
    pass.found
}

struct LiveAfter<'a> {
    code: &'a Code,
    copied: &'a [Copied],
    /// Copies of which an iteration may use what they start from.
    starts: &'a BTreeSet<LocalId>,
    found: BTreeMap<usize, SrcId>,
}

/// The state is those of the copied whose nest may have been passed without a new value since.
impl Pass for LiveAfter<'_> {
    type State = BTreeSet<usize>;

    fn code(&self) -> &Code {
        self.code
    }

    fn join(a: &mut Self::State, b: Self::State) {
        a.extend(b);
    }

    fn stmt(&mut self, state: &mut Self::State, stmt: &Stmt) {
        if let Stmt::Let { local, .. } = stmt
            && self.copied.iter().any(|c| c.copy == *local)
            && !self.starts.contains(local)
        {
            return; // each iteration assigns all that it reads of it
        }
        visit::of_stmt(stmt, &mut |root| self.reads(state, root));
        let renewed = match stmt {
            Stmt::Let { local, .. } => *local,
            Stmt::Assign { place: Place { base: Base::Local(local), projections }, .. }
                if projections.is_empty() =>
            {
                *local
            }
            _ => return,
        };
        self.renew(state, renewed);
    }

    fn inner(&mut self, walk: &mut Walk<Self>, inner: &Inner) {
        let before = walk.state.clone();
        walk.block(self, &inner.body);
        meet::<Self>(&mut walk.state, before);
        let copies = (0..self.copied.len()).filter(|n| self.copied[*n].nest == inner.src);
        walk.state.iter_mut().for_each(|state| state.extend(copies.clone()));
    }
}

impl LiveAfter<'_> {
    fn reads(&mut self, lost: &BTreeSet<usize>, root: ExprId) {
        visit::each_expr(self.code, root, &mut |e| {
            let node = &self.code.exprs[e.index()];
            if let Expr::Load(Place { base: Base::Local(local), .. })
            | Expr::Borrow(Place { base: Base::Local(local), .. }) = &node.expr
                && let Some(n) = lost.iter().find(|n| self.copied[**n].of == *local)
            {
                self.found.entry(*n).or_insert(node.src);
            }
        });
    }

    /// The variable has a new value.
    fn renew(&self, state: &mut BTreeSet<usize>, local: LocalId) {
        state.retain(|n| self.copied[*n].of != local);
    }
}
