//! Dataflow over the structured statements of a template.
//!
//! A pass follows the statements in program order, with a state that holds at the current statement. The walk joins the
//! states where control-flow paths join: after branches, at the start of a loop's next iteration, and after a loop with a
//! `break`. Loops are repeated until their state no longer changes (a fixpoint).
pub mod affine;
pub mod coalesce;
pub mod counters;
pub mod definite_assignment;
pub mod dependence;
pub mod early_exit;
pub mod effects;
pub mod forwarding;
pub mod interchange;
pub mod liveness;
pub mod recurrence;
pub mod slices;
pub mod spans;
pub mod update_form;
pub mod value_numbering;

use crate::ids::{ExprId, LabelId};
use crate::template::{Block, Code, Expr, Inner, Range, Stmt};
use std::collections::HashMap;

/// A forward pass.
pub trait Pass: Sized {
    /// The facts that hold at a point of the program.
    type State: Clone + PartialEq;

    /// The code that is walked over.
    fn code(&self) -> &Code;

    /// Joins the states of two paths: what holds after both.
    fn join(a: &mut Self::State, b: Self::State);

    /// The transfer function of a statement: what its own expressions read, and what it assigns. Blocks in it are walked afterwards.
    fn stmt(&mut self, state: &mut Self::State, stmt: &Stmt);

    /// A condition holds in what follows, or it does not.
    fn branch(&mut self, walk: &mut Walk<Self>, cond: ExprId, holds: bool, block: &Block) {
        let _ = (cond, holds);
        walk.block(self, block);
    }

    /// The two branches of a condition have joined.
    fn joined(&mut self, state: &mut Self::State, cond: ExprId) {
        let _ = (state, cond);
    }

    /// A counted loop.
    fn counted(&mut self, walk: &mut Walk<Self>, of: &Counted<'_>) {
        let ends = if iterates(self.code(), of.range) { Ends::AfterIteration } else { Ends::AnyTime };
        walk.repeat(self, of.label, of.body, ends);
    }

    /// A nest with a directive of its own, which may have no iteration.
    fn inner(&mut self, walk: &mut Walk<Self>, inner: &Inner) {
        let before = walk.state.clone();
        walk.block(self, &inner.body);
        meet::<Self>(&mut walk.state, before);
    }
}

/// A [`Stmt::For`].
pub struct Counted<'a> {
    /// For `break` and `continue`.
    pub label: LabelId,
    /// The loop variable.
    pub var: crate::ids::LocalId,
    /// The range of the loop.
    pub range: &'a Range,
    /// The statements.
    pub body: &'a Block,
}

/// How a loop ends other than by `break`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Ends {
    /// Nowhere.
    Never,
    /// Before any iteration.
    AnyTime,
    /// Before any iteration but the first.
    AfterIteration,
}

/// The states at a label's targets: after the statement, and at the start of a loop's next iteration.
pub struct Target<S> {
    /// The state at `break`.
    pub out: Option<S>,
    /// The state at `continue`.
    pub next: Option<S>,
}

impl<S> Default for Target<S> {
    fn default() -> Self {
        Self { out: None, next: None }
    }
}

/// The position of a pass. A state is `None` if control does not reach that point.
pub struct Walk<P: Pass> {
    /// The state at the current statement.
    pub state: Option<P::State>,
    /// The joined state of early exits from the body.
    pub end: Option<P::State>,
    targets: HashMap<LabelId, Target<P::State>>,
}

/// Joins the states of two paths; `None`: control does not reach the end of the path.
pub fn meet<P: Pass>(a: &mut Option<P::State>, b: Option<P::State>) {
    match (a.as_mut(), b) {
        (Some(a), Some(b)) => P::join(a, b),
        (None, b) => *a = b,
        (Some(_), None) => {}
    }
}

impl<P: Pass> Walk<P> {
    /// At the start of a body.
    pub fn from(state: P::State) -> Self {
        Self { state: Some(state), end: None, targets: HashMap::new() }
    }

    /// The statements of a block.
    pub fn block(&mut self, pass: &mut P, block: &Block) {
        self.stmts(pass, &block.0);
    }

    /// Statements one after the other.
    pub fn stmts(&mut self, pass: &mut P, stmts: &[Stmt]) {
        for stmt in stmts {
            if let Some(state) = &mut self.state {
                pass.stmt(state, stmt);
            }
            self.inside(pass, stmt);
        }
    }

    fn inside(&mut self, pass: &mut P, stmt: &Stmt) {
        match stmt {
            Stmt::If { cond, then, els } => {
                let before = self.state.clone();
                pass.branch(self, *cond, true, then);
                let after = std::mem::replace(&mut self.state, before);
                pass.branch(self, *cond, false, els);
                meet::<P>(&mut self.state, after);
                if let Some(state) = &mut self.state {
                    pass.joined(state, *cond);
                }
            }
            Stmt::Inner(inner) => pass.inner(self, inner),
            Stmt::For { label, var, range, body, src: _ } => {
                pass.counted(self, &Counted { label: *label, var: *var, range, body });
            }
            Stmt::Loop { label, body } => self.repeat(pass, *label, body, Ends::Never),
            Stmt::Labelled { label, body } => {
                let target = self.labelled(pass, *label, body);
                meet::<P>(&mut self.state, target.out);
            }
            Stmt::Atomic { update, .. } => self.block(pass, update),
            Stmt::Break(label) => {
                let state = self.state.take();
                meet::<P>(&mut self.targets.entry(*label).or_default().out, state);
            }
            Stmt::Continue(label) => {
                let state = self.state.take();
                meet::<P>(&mut self.targets.entry(*label).or_default().next, state);
            }
            Stmt::Return(_) => {
                let state = self.state.take();
                meet::<P>(&mut self.end, state);
            }
            Stmt::Let { .. } | Stmt::Assign { .. } | Stmt::Eval(_) | Stmt::Check { .. } => {}
        }
    }

    /// A block, and what `break` and `continue` bring to its label.
    pub fn labelled(&mut self, pass: &mut P, label: LabelId, body: &Block) -> Target<P::State> {
        self.targets.insert(label, Target::default());
        self.block(pass, body);
        self.targets.remove(&label).unwrap_or_default()
    }

    /// A loop: the state at the end of an iteration joins the state at the start of the next one.
    pub fn repeat(&mut self, pass: &mut P, label: LabelId, body: &Block, ends: Ends) {
        let mut entry = self.state.clone();
        loop {
            let target = self.labelled(pass, label, body);
            let mut back = self.state.take();
            meet::<P>(&mut back, target.next);
            let before = entry.clone();
            meet::<P>(&mut entry, back.clone());
            if entry == before {
                self.state = target.out;
                match ends {
                    Ends::Never => {}
                    Ends::AnyTime => meet::<P>(&mut self.state, entry),
                    Ends::AfterIteration => meet::<P>(&mut self.state, back),
                }
                return;
            }
            self.state.clone_from(&entry);
        }
    }
}

/// Whether a range certainly has an element, by its constant bounds.
#[must_use]
pub fn iterates(code: &Code, range: &Range) -> bool {
    let number = |e: &Option<ExprId>| match code.exprs[e.as_ref()?.index()].expr {
        Expr::Int { value, negative, .. } => {
            i128::try_from(value).ok().map(|v| if negative { -v } else { v })
        }
        _ => None,
    };
    let bounds = number(&range.lo).zip(number(&range.hi));
    bounds.is_some_and(|(lo, hi)| lo < hi || range.inclusive && lo == hi)
}
