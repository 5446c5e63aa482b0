//! Statements, including checks.
use super::{Combiner, Place, Range};
use crate::ids::{AccessId, ArrayId, ExprId, LabelId, LocalId, SrcId};
use serde::{Deserialize, Serialize};

/// Statements.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Block(pub Vec<Stmt>);

/// A statement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Stmt {
    /// Declares a variable. Every user's variable and temporary is declared before its use, in a block that
    /// encloses all uses.
    Let {
        /// The variable.
        local: LocalId,
        /// Its value, if it has one here.
        init: Option<ExprId>,
    },
    /// `place = value`.
    Assign {
        /// The target.
        place: Place,
        /// What.
        value: ExprId,
        /// Of the assignment.
        src: SrcId,
    },
    /// A call for its effects.
    Eval(ExprId),
    /// An atomic access of a primitive that lies in a mapped array. `old` gets its value; `update` sets `new` from
    /// `old`, and `new` is stored unless the value has changed meanwhile: then all of this starts over. The statement
    /// declares `old` and `new`, which keep their values after it. `update` sets nothing else and has no early exit.
    Atomic {
        /// What is accessed.
        place: Place,
        /// Its value before.
        old: LocalId,
        /// Its value afterwards; `None` for a read.
        new: Option<LocalId>,
        /// Sets `new`.
        update: Block,
        /// Of the access.
        src: SrcId,
    },
    /// `if cond { then } else { els }`.
    If {
        /// A `bool`.
        cond: ExprId,
        /// When true.
        then: Block,
        /// When false.
        els: Block,
    },
    /// A sequential counted loop.
    For {
        /// For `break` and `continue`.
        label: LabelId,
        /// The variable, declared by the loop.
        var: LocalId,
        /// The range; its expressions are evaluated once, before the loop.
        range: Range,
        /// The statements.
        body: Block,
        /// Of the loop.
        src: SrcId,
    },
    /// `loop { … }`; `while` begins its body with `If !cond { Break }`.
    Loop {
        /// For `break` and `continue`.
        label: LabelId,
        /// The statements.
        body: Block,
    },
    /// `'label: { … }`, left by [`Stmt::Break`].
    Labelled {
        /// The label.
        label: LabelId,
        /// The statements.
        body: Block,
    },
    /// Ends a loop or labelled block.
    Break(LabelId),
    /// Goes on with the next iteration of a loop.
    Continue(LabelId),
    /// Ends the function with a value, or the iteration of the parallel loop (`continue` of the user).
    Return(Option<ExprId>),
    /// An inner loop nest under a directive of its own.
    Inner(Inner),
    /// Fails the region unless the check holds.
    Check {
        /// What is checked.
        check: Check,
        /// Where.
        src: SrcId,
    },
}

/// A loop nest inside the parallel loops whose iterations run at the same time. Run one after the other, as the
/// interpreter and single threads do, it means the same.
///
/// Around it (outside of all such nests) the threads of a team compute the same values; everything that decides
/// whether and how often the nest is reached is therefore the same for all of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Inner {
    /// The threads that run the iterations.
    pub level: Level,
    /// How many loops are parallel.
    pub loops: u32,
    /// The most threads to use, an integer: `num_threads`.
    pub threads: Option<ExprId>,
    /// A `bool`: unless it is true, one thread has all iterations: `if`.
    pub when: Option<ExprId>,
    /// The variables that it reduces.
    pub reductions: Vec<InnerReduction>,
    /// Iterations update the same elements or fields in place, or may: one thread has them all.
    pub in_place: bool,
    /// Mapped arrays through which iterations of this nest don't conflict, or may because of that: those that it
    /// reduces, and those of which the user says so.
    pub arrays: Vec<ArrayId>,
    /// The variables that keep the value of the last iteration.
    pub lasts: Vec<InnerLast>,
    /// The searches that it makes. (Schedules make such nests, of loops without a directive.)
    pub searches: Vec<Search>,
    /// One [`Stmt::For`], and in it directly the next one, until there are [`Self::loops`].
    pub body: Block,
    /// Of the directive.
    pub src: SrcId,
}

/// The threads that run an inner nest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Level {
    /// The threads of the team.
    Team,
    /// The lanes of one thread.
    Simd,
}

/// An item of an inner reduction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InnerReduction {
    /// The operator.
    pub op: Combiner,
    /// Its position among the items of all inner nests; those of the region come before in
    /// [`CodeTypes::operators`](crate::kernel::CodeTypes::operators).
    pub number: u32,
    /// Some update has the item on the right, or subtracts from it.
    pub turned: bool,
    /// The copy that the nest updates: declared by it, in each thread it starts at the identity, or for the built-in
    /// `min` and `max` at the target's value.
    pub local: LocalId,
    /// The variable around, which is combined with the result.
    pub target: LocalId,
}

/// A variable of `lastprivate`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct InnerLast {
    /// The copy that the nest assigns: declared by it, it starts at the target's value.
    pub local: LocalId,
    /// The variable around, which gets the copy's value of the last iteration, if there is one.
    pub target: LocalId,
}

/// A search for the smallest or largest value of a loop: `if e < key { key = e; at = i; }`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Search {
    /// For the largest one.
    pub largest: bool,
    /// Of equal values that of the last iteration is found, otherwise that of the first one.
    pub last: bool,
    /// By variable: the copy that the nest assigns, which it declares and which starts at the variable's value, and the variable
    /// around. The first one is the key, the others are assigned together with it.
    pub items: Vec<(LocalId, LocalId)>,
    /// A `bool` that the nest declares: these copies were assigned.
    pub found: LocalId,
    /// The loop's variable in the iteration that assigned them, declared by the nest.
    pub at: LocalId,
}

/// What can go wrong.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Check {
    /// `index < len of base`.
    Bounds {
        /// The subscript that this allows.
        access: AccessId,
        /// The place that is subscripted (without the subscript).
        base: Place,
        /// The index, a `usize`. A separate node from the one in the subscript, of the same shape.
        index: ExprId,
    },
    /// `lo <= hi && hi <= len of base`, for a slice.
    Slice {
        /// The subscript that this allows.
        access: AccessId,
        /// The place that is sliced.
        base: Place,
        /// Start; `None` is 0.
        lo: Option<ExprId>,
        /// End (exclusive); `None` is the length.
        hi: Option<ExprId>,
        /// Of `lo..=last`, whose `hi` is one more: it is looked at first, so that `hi` does not overflow.
        last: Option<ExprId>,
    },
    /// The divisor is not zero, and for signed types not `MIN / -1`. Holds for floats.
    Divide {
        /// Its stand-in among the subscripts of a typed body: the launch plan may prove it.
        access: Option<AccessId>,
        /// `/` or `%`
        rem: bool,
        /// The dividend.
        lhs: ExprId,
        /// The divisor.
        rhs: ExprId,
    },
    /// Reached only when something is wrong: `panic!`, a failed `assert!`, `unreachable!`, `unwrap` of `None`.
    Panic {
        /// As in [`Check::Divide`]: the launch plan may prove that it is not reached.
        access: Option<AccessId>,
        /// The text, with `{}` for each of `args`.
        message: String,
        /// Primitive values to show.
        args: Vec<ExprId>,
    },
    /// No other iteration has written the element (of a slice: any of them), and none has read it if this one writes it: `disjoint(…)`. Stands
    /// after the check of the bounds. Holds where the launch has proved it.
    Claim {
        /// The subscript; whether it writes is said there.
        access: AccessId,
        /// Of this array.
        array: ArrayId,
        /// The index, a `usize`.
        index: ExprId,
        /// Of a slice: where it ends, exclusively.
        to: Option<ExprId>,
    },
    /// The step of a sequential `step_by` is not zero.
    Step {
        /// As in [`Check::Divide`].
        access: Option<AccessId>,
        /// The step, a `usize`.
        step: ExprId,
    },
}
