//! Variables that an inner nest copies are not read behind it: there they have their old value, where the serial loop would
//! have left that of the last iteration.
use super::inner::Copied;
use omp_ir::ids::{ExprId, LabelId, LocalId, SrcId};
use omp_ir::template::{Base, Block, Code, Expr, Place, Range, Stmt};
use omp_ir::visit;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The first read behind a nest of each variable that it copies: which of `copied`, and where.
pub(super) fn first(code: &Code, copied: &[Copied]) -> BTreeMap<usize, SrcId> {
    let state = Some(BTreeSet::new());
    let mut walk = Walk { code, copied, state, targets: HashMap::new(), found: BTreeMap::new() };
    walk.block(&code.block);
    walk.found
}

/// Those of the copied whose nest may have been passed without a new value since; `None` where control does not come.
type State = Option<BTreeSet<usize>>;

fn join(a: &mut State, b: State) {
    match (a.as_mut(), b) {
        (Some(a), Some(b)) => a.extend(b),
        (None, b) => *a = b,
        (Some(_), None) => {}
    }
}

/// Where a label leads.
#[derive(Default)]
struct Target {
    out: State,
    next: State,
}

struct Walk<'a> {
    code: &'a Code,
    copied: &'a [Copied],
    state: State,
    targets: HashMap<LabelId, Target>,
    found: BTreeMap<usize, SrcId>,
}

impl Walk<'_> {
    fn block(&mut self, block: &Block) {
        for stmt in &block.0 {
            if let Stmt::Let { local, .. } = stmt
                && self.copied.iter().any(|c| c.copy == *local && !c.starts)
            {
                continue; // each iteration assigns all that it reads of it
            }
            visit::of_stmt(stmt, &mut |root| self.reads(root));
            self.stmt(stmt);
        }
    }

    fn reads(&mut self, root: ExprId) {
        let Some(stale) = &self.state else { return };
        visit::each_expr(self.code, root, &mut |e| {
            let node = &self.code.exprs[e.index()];
            if let Expr::Load(Place { base: Base::Local(local), .. })
            | Expr::Borrow(Place { base: Base::Local(local), .. }) = &node.expr
                && let Some(n) = stale.iter().find(|n| self.copied[**n].of == *local)
            {
                self.found.entry(*n).or_insert(node.src);
            }
        });
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let { local, .. } => self.renew(*local),
            Stmt::Assign { place: Place { base: Base::Local(local), projections }, .. }
                if projections.is_empty() =>
            {
                self.renew(*local);
            }
            Stmt::If { then, els, .. } => {
                let before = self.state.clone();
                self.block(then);
                let after = std::mem::replace(&mut self.state, before);
                self.block(els);
                join(&mut self.state, after);
            }
            Stmt::Inner(inner) => {
                let before = self.state.clone();
                self.block(&inner.body);
                join(&mut self.state, before);
                let copies = (0..self.copied.len()).filter(|n| self.copied[*n].nest == inner.src);
                self.state.iter_mut().for_each(|state| state.extend(copies.clone()));
            }
            Stmt::For { label, range, body, .. } => {
                let ends = if self.iterates(range) { Ends::Behind } else { Ends::Before };
                self.repeat(*label, body, ends);
            }
            Stmt::Loop { label, body } => self.repeat(*label, body, Ends::Never),
            Stmt::Labelled { label, body } => {
                self.targets.insert(*label, Target::default());
                self.block(body);
                let target = self.targets.remove(label).unwrap_or_default();
                join(&mut self.state, target.out);
            }
            Stmt::Atomic { update, .. } => self.block(update),
            Stmt::Break(label) => {
                let state = self.state.take();
                join(&mut self.targets.entry(*label).or_default().out, state);
            }
            Stmt::Continue(label) => {
                let state = self.state.take();
                join(&mut self.targets.entry(*label).or_default().next, state);
            }
            Stmt::Return(_) => self.state = None,
            Stmt::Assign { .. } | Stmt::Eval(_) | Stmt::Check { .. } => {}
        }
    }

    fn repeat(&mut self, label: LabelId, body: &Block, ends: Ends) {
        let mut entry = self.state.clone();
        loop {
            self.targets.insert(label, Target::default());
            self.block(body);
            let target = self.targets.remove(&label).unwrap_or_default();
            let mut back = self.state.take();
            join(&mut back, target.next);
            // What one round leaves, the next one finds.
            let before = entry.clone();
            join(&mut entry, back.clone());
            if entry == before {
                self.state = target.out;
                match ends {
                    Ends::Never => {}
                    Ends::Before => join(&mut self.state, entry),
                    Ends::Behind => join(&mut self.state, back),
                }
                return;
            }
            self.state.clone_from(&entry);
        }
    }

    /// Whether a range has an element, as its numbers tell.
    fn iterates(&self, range: &Range) -> bool {
        let number = |e: &Option<ExprId>| match self.code.exprs[e.as_ref()?.index()].expr {
            Expr::Int { value, negative: false, .. } => Some(value),
            _ => None,
        };
        let bounds = number(&range.lo).zip(number(&range.hi));
        bounds.is_some_and(|(lo, hi)| lo < hi || range.inclusive && lo == hi)
    }

    /// The variable has a new value.
    fn renew(&mut self, local: LocalId) {
        let copied = self.copied;
        self.state.iter_mut().for_each(|state| state.retain(|n| copied[*n].of != local));
    }
}

/// Where a loop ends, but for `break`.
enum Ends {
    Never,
    /// Before a round.
    Before,
    /// Before any but the first.
    Behind,
}
