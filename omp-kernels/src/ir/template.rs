//! The template: what the macros write down of a region or a device function.
//!
//! It is the loop body in a small structured language. Types are *slots*: numbers that the code planted beside the
//! host loop fills with [`TypeDesc`](super::desc::TypeDesc)s at the first launch. Everything that rustc must judge
//! (which function a path names, what a const is worth) is a numbered question as well.
//!
//! Rules that the macros keep and everybody relies on:
//!
//! * **Expressions have no side effects** and no control flow. `if`, `match`, `loop`, blocks and short-circuit
//!   operators whose right side needs statements are lowered to statements that set a temporary
//!   ([`LocalKind::Temp`]). Calls of device functions stand alone: as `Let`/`Assign` of a temporary whose init is
//!   [`Expr::Call`], or as [`Stmt::Eval`].
//! * **Every subscript is checked by a statement before it**: [`Stmt::Check`] with [`Check::Bounds`] of the same
//!   [`AccessId`] stands before the statement that uses the place, after the statements that computed the index.
//!   Index expressions are therefore evaluated more than once, which is fine as they have no effects; the macros
//!   put an index that is a load or call into a temporary first. Finalisation drops what is proved.
//! * Integer `/` and `%` are preceded by [`Check::Divide`], whose operands are temporaries or simple.
//! * Order of evaluation is Rust's: what stands earlier in Rust stands earlier here.
use super::desc::Prim;
use super::ids::{AccessId, ArrayId, CallId, ConstId, ExprId, LabelId, LocalId, ScalarId, SlotId, SrcId};
use serde::{Deserialize, Serialize};

/// The version of the serialised form; part of cache keys.
pub const TEMPLATE_VERSION: u32 = 10;

/// A target region: one parallel loop nest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KernelTemplate {
    /// Label for reports: the `name` clause or the function's name.
    pub name: String,
    /// Mapped arrays, by [`ArrayId`].
    pub arrays: Vec<ArrayParam>,
    /// Captured scalars, by [`ScalarId`].
    pub scalars: Vec<ScalarParam>,
    /// The parallel loops, outermost first (more than one: `collapse`).
    pub dims: Vec<Dim>,
    /// Reduction items.
    pub reductions: Vec<Reduction>,
    /// The reduction items are carried from one iteration to the next. The body is then [`Stmt::Labelled`] with what
    /// a part of the loop adds up to (between copies of the items, one for each, that keep them as they were);
    /// `Labelled` with what items that are array elements start from, in the first iteration; and the statements of an
    /// iteration. Run one after the other, iteration by iteration, that means what the loop means. Scalar items have
    /// [`Reduction::start`].
    pub scan: bool,
    /// The loop body and everything that dims name.
    pub code: Code,
    /// The `fp` clause.
    pub fp: FpMode,
    /// Arrays under `unsafe(disjoint(…))`: conflicts through them are the user's responsibility.
    pub trust_disjoint: Vec<ArrayId>,
    /// Arrays under `disjoint(…)`: checked while running.
    pub check_disjoint: Vec<ArrayId>,
    /// Arrays under `unsafe(unchecked(…))`; all accesses when [`Self::unchecked_all`].
    pub unchecked: Vec<ArrayId>,
    /// `unsafe(unchecked)`.
    pub unchecked_all: bool,
}

/// A mapped array.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ArrayParam {
    /// As the user wrote it: `x`, `self.cells`.
    pub name: String,
    /// Whether a `map` gave a section: then an access outside of it is an error and the launch passes its bounds.
    pub section: bool,
    /// The map type, `None` for an implicit map.
    pub map: Option<MapType>,
    /// The body stores through it (or hands it to something that may).
    pub written: bool,
    /// The body loads from it.
    pub read: bool,
}

/// Map types of a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum MapType {
    To,
    From,
    ToFrom,
    Alloc,
}

/// A captured scalar: a local of the host function, or a field path such as `self.gain`, passed by value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScalarParam {
    /// As the user wrote it.
    pub name: String,
    /// Its type.
    pub slot: SlotId,
}

/// One parallel loop: `for var in range`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Dim {
    /// The loop variable; its type is that of the range.
    pub var: LocalId,
    /// The range. If [`Self::host`], the launch gives first value, step and count as numbers and the expressions
    /// serve analysis only.
    pub range: Range,
    /// The bounds depend on no outer loop variable: the host evaluates them.
    pub host: bool,
    /// The place of the range.
    pub src: SrcId,
}

/// `lo..hi` or `lo..=hi` with adaptors.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Range {
    /// First bound; `None` when the expression is beyond the template (host-evaluated only).
    pub lo: Option<ExprId>,
    /// Second bound.
    pub hi: Option<ExprId>,
    /// `..=`
    pub inclusive: bool,
    /// `.rev()` and `.step_by(s)` in the order written.
    pub adaptors: Vec<Adaptor>,
}

/// An adaptor of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Adaptor {
    /// `.rev()`
    Rev,
    /// `.step_by(s)`; `s` is `None` when host-evaluated only.
    StepBy(Option<ExprId>),
}

/// A reduction item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reduction {
    /// As the user wrote it.
    pub name: String,
    /// The operator.
    pub op: Combiner,
    /// What the body updates.
    pub item: ReductionItem,
    /// The value of the item before the loop, for `min` and `max`: of floats, copies start from it, not from the
    /// infinity that is the identity and would hide a NaN.
    pub start: Option<ScalarId>,
    /// Some update has the item on the right, or subtracts from it: only an operator that commutes allows that.
    pub turned: bool,
    /// `reproducible` was given.
    pub reproducible: bool,
}

/// What a reduction's updates go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReductionItem {
    /// The private copy of a scalar, which starts at the operator's identity in each thread.
    Local(LocalId),
    /// Each element of a mapped array (of its section, if it has one) by itself. The body updates the elements as if
    /// nobody else did; the kernel gives each thread elements of its own, or makes the updates atomic.
    Array(ArrayId),
}

impl Reduction {
    /// The reduction of a scalar by a built-in operator.
    #[must_use]
    pub const fn of_local(name: String, op: ReduceOp, local: LocalId) -> Self {
        Self {
            name,
            op: Combiner::Builtin(op),
            item: ReductionItem::Local(local),
            start: None,
            turned: false,
            reproducible: false,
        }
    }

    /// The private copy, of a scalar.
    #[must_use]
    pub const fn local(&self) -> Option<LocalId> {
        match self.item {
            ReductionItem::Local(local) => Some(local),
            ReductionItem::Array(_) => None,
        }
    }

    /// The array, of array items.
    #[must_use]
    pub const fn array(&self) -> Option<ArrayId> {
        match self.item {
            ReductionItem::Local(_) => None,
            ReductionItem::Array(array) => Some(array),
        }
    }
}

/// The operator of a reduction as the clause names it. A built-in symbol may still turn out to be a declared operator
/// of the item's type: [`CodeTypes::operators`](super::kernel::CodeTypes::operators).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Combiner {
    /// `+`, `max`, …
    Builtin(ReduceOp),
    /// The name of a declared reduction.
    Declared(String),
}

impl Combiner {
    /// The built-in operator of this symbol.
    #[must_use]
    pub const fn builtin(&self) -> Option<ReduceOp> {
        match self {
            Self::Builtin(op) => Some(*op),
            Self::Declared(_) => None,
        }
    }

    /// The operator as the clause writes it.
    #[must_use]
    pub fn symbol(&self) -> &str {
        match self {
            Self::Builtin(op) => op.symbol(),
            Self::Declared(name) => name,
        }
    }
}

/// Built-in reduction operators; `-` is `Add`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum ReduceOp {
    Add,
    Mul,
    Min,
    Max,
    BitAnd,
    BitOr,
    BitXor,
    And,
    Or,
}

/// The `fp` clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum FpMode {
    /// Bit-identical with the host for + - * / sqrt and comparisons.
    Strict,
    /// `a*b+c` may fuse.
    #[default]
    Contract,
    /// Whatever the device's fast mode does.
    Fast,
}

/// A device function.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FnTemplate {
    /// Its name in Rust.
    pub name: String,
    /// The parameters: locals of `code`, in order. A slice parameter (`&[T]`) is [`LocalKind::Slice`], a
    /// `&mut` one [`LocalKind::Ref`].
    pub params: Vec<LocalId>,
    /// The return type; `None` is `()`.
    pub ret: Option<SlotId>,
    /// The body. A value is returned by [`Stmt::Return`].
    pub code: Code,
}

/// A body with its arenas.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Code {
    /// Variables, by [`LocalId`].
    pub locals: Vec<Local>,
    /// Expressions, by [`ExprId`]. An expression belongs to one place of the tree (no sharing).
    pub exprs: Vec<ExprNode>,
    /// Subscripts, by [`AccessId`].
    pub accesses: Vec<Access>,
    /// Consts and statics, by [`ConstId`].
    pub consts: Vec<ConstParam>,
    /// Calls, by [`CallId`].
    pub calls: Vec<CallParam>,
    /// Operators that may be of a user's type: an [`Expr::Unary`] or [`Expr::Binary`] (on the right of an
    /// [`Stmt::Assign`] to the left operand, where `op=` is meant), and the call that it then is.
    pub operators: Vec<Operator>,
    /// Places in the source, by [`SrcId`].
    pub srcs: Vec<Src>,
    /// How many slots there are.
    pub slots: u32,
    /// Slots that the tokens call `f32` or `f64`, for what macro time wants to know before rustc tells.
    pub floats: Vec<SlotId>,
    /// The statements.
    pub block: Block,
}

/// A place in the file of the region or function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Src {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1 (as `file!():line!():column!()` counts).
    pub column: u32,
}

/// A variable.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Local {
    /// The user's name (shadowed names stand several times), or a hint for temporaries.
    pub name: String,
    /// What it is.
    pub kind: LocalKind,
    /// Its type, if rustc was asked. A slot may still turn out empty (a reference): then it is inferred from what
    /// is first assigned, as for `None`.
    pub slot: Option<SlotId>,
    /// Assigned more than once, or declared `mut`.
    pub mutable: bool,
}

/// Kinds of variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum LocalKind {
    /// A `let` of the user, a pattern binding or a by-value parameter.
    User,
    /// A temporary of lowering. It is assigned on every path before it is read.
    Temp,
    /// The variable of a sequential `for` or of a parallel dimension.
    Loop,
    /// The private copy of a captured variable (`private`, `firstprivate` that the body assigns): declared for each
    /// iteration, with the captured value.
    Private(ScalarId),
    /// The private copy of a reduction item.
    Reduction,
    /// A slice variable: a `&[T]` parameter whose element type is the local's slot, or `let row = &a[lo..hi]`
    /// (slot `None`). If it is `mutable`, it is a `&mut [T]` parameter.
    Slice,
    /// A `&mut T` parameter: another name of a place of the caller's.
    Ref,
}

/// A subscript.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Access {
    /// What is subscripted, as the user wrote it: `x`, `w`, `y[i]`.
    pub name: String,
    /// Stands on the left of an assignment (also of `op=`).
    pub write: bool,
    /// Its value is used (also in `op=`).
    pub read: bool,
    /// Where.
    pub src: SrcId,
}

/// A const or static.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ConstParam {
    /// As the user wrote it: `BANK`, `f64::MAX`, `Self::SIDES`.
    pub name: String,
    /// Its type.
    pub slot: SlotId,
}

/// A call that rustc resolves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CallParam {
    /// The last segment of the path or the method's name.
    pub name: String,
    /// A method call: the receiver is the first argument.
    pub method: bool,
    /// The type of the result.
    pub ret: Option<SlotId>,
}

/// An operator whose meaning rustc tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operator {
    /// The operator.
    pub expr: ExprId,
    /// What it is if its operands are no primitives.
    pub call: CallId,
    /// `op=`: the function takes the left operand by `&mut`.
    pub assigns: bool,
}

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
        /// Where to.
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
    /// declares `old` and `new`, which keep their values behind it. `update` sets nothing else and leaves nothing.
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
    /// Leaves a loop or labelled block.
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
    /// Who runs the iterations.
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
    /// One [`Stmt::For`], and in it directly the next one, until there are [`Self::loops`].
    pub body: Block,
    /// Of the directive.
    pub src: SrcId,
}

/// Who runs an inner nest.
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
    /// [`CodeTypes::operators`](super::kernel::CodeTypes::operators).
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
    },
    /// The divisor is not zero, and for signed types not `MIN / -1`. Holds for floats.
    Divide {
        /// What stands for it among the subscripts of a typed body: the launch plan may prove it.
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
    /// behind the check of the bounds. Holds where the launch has proved it.
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

/// A place: a base and projections.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// Where it starts.
    pub base: Base,
    /// What follows.
    pub projections: Vec<Projection>,
}

/// The start of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Base {
    /// A variable (a slice variable is subscripted directly).
    Local(LocalId),
    /// A mapped array.
    Array(ArrayId),
    /// A captured scalar; read only.
    Scalar(ScalarId),
    /// A const or static; read only.
    Const(ConstId),
}

/// A step of a place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Projection {
    /// `[index]`
    Index {
        /// A `usize`.
        index: ExprId,
        /// Which subscript it is.
        access: AccessId,
    },
    /// `.name`, or `.0` of a tuple; `.-1` is the last field, for patterns with `..` before it.
    Field(String),
    /// The payload of an `Option` that was tested by [`Expr::IsSome`].
    Payload,
}

/// An expression and where it stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExprNode {
    /// What it is.
    pub expr: Expr,
    /// Where it stands.
    pub src: SrcId,
}

/// An expression without effects.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Expr {
    /// `()`
    Unit,
    /// An integer literal; a negative one is `Unary(Neg, Int)` or has `negative`.
    Int {
        /// Absolute value.
        value: u128,
        /// `-128`: the negation belongs to the literal.
        negative: bool,
        /// Its type. May turn out a float's only if the user wrote a float suffix.
        ty: TyRef,
    },
    /// A float literal.
    Float {
        /// The digits as written, without underscores and suffix: parsed at the type's precision.
        digits: String,
        /// As in [`Expr::Int`].
        negative: bool,
        /// Its type.
        ty: TyRef,
    },
    /// `true`, `false`
    Bool(bool),
    /// The value of a place. (A whole slice variable or array gives a slice.)
    Load(Place),
    /// `.len()` of an array, nested array or slice.
    Len(Place),
    /// `&mut place`, or a receiver that a method may take so: only as an argument of a device function. Where the
    /// parameter is no [`LocalKind::Ref`], it is the place's value.
    Borrow(Place),
    /// `&base[lo..hi]`; checked by [`Check::Slice`] before.
    Slice {
        /// What is sliced: a mapped array, a slice variable, or an element that is a fixed array.
        base: Place,
        /// Start; `None` is 0.
        lo: Option<ExprId>,
        /// End; `None` is the length.
        hi: Option<ExprId>,
        /// Which subscript it is; `None` for a whole array.
        access: Option<AccessId>,
        /// `&mut`: who gets it may store through it.
        mutable: bool,
    },
    /// An operator on one primitive.
    Unary(UnOp, ExprId),
    /// An operator on two primitives of one type (shifts: any two integers). `&&` and `||` stand here only when
    /// the right side needed no statements.
    Binary(BinOp, ExprId, ExprId),
    /// `value as ty`.
    Cast {
        /// What.
        value: ExprId,
        /// To what.
        ty: TyRef,
    },
    /// A call: of a device function (see the rules above) or a built-in method, which has no effects and may stand
    /// anywhere.
    Call {
        /// Which.
        call: CallId,
        /// Arguments, the receiver first.
        args: Vec<ExprId>,
    },
    /// A tuple or struct value, in the order written.
    Struct {
        /// The type.
        slot: SlotId,
        /// Field names and values.
        fields: Vec<(String, ExprId)>,
        /// `..base`
        rest: Option<ExprId>,
    },
    /// `[a, b, c]`
    Array {
        /// The type.
        slot: SlotId,
        /// The elements.
        elems: Vec<ExprId>,
    },
    /// `[v; N]`
    Repeat {
        /// The type.
        slot: SlotId,
        /// The element.
        value: ExprId,
    },
    /// `Some(v)`
    Some {
        /// The type of the whole.
        slot: SlotId,
        /// The payload.
        value: ExprId,
    },
    /// `None`
    None {
        /// The type.
        slot: SlotId,
    },
    /// Whether an `Option` is `Some`.
    IsSome(ExprId),
    /// What the thread knows of itself.
    Thread(ThreadQuery),
    /// `size_of::<T>()`
    SizeOf {
        /// `T`
        ty: TyRef,
    },
}

/// A type named in the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum TyRef {
    /// Ask rustc.
    Slot(SlotId),
    /// Seen in the tokens (a suffix).
    Prim(Prim),
}

/// Unary operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum UnOp {
    Neg,
    Not,
}

/// Binary operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
    And,
    Or,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// `omp::get_team_num()` and its like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum ThreadQuery {
    TeamNum,
    NumTeams,
    ThreadNum,
    NumThreads,
    IsInitialDevice,
}

impl KernelTemplate {
    /// The elements of this array are reduction items.
    #[must_use]
    pub fn reduces(&self, array: ArrayId) -> bool {
        self.reductions.iter().any(|r| r.array() == Some(array))
    }

    /// The bytes that go into the user's binary.
    ///
    /// # Panics
    /// Never: the template has no type that postcard refuses.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        postcard::to_stdvec(self).expect("templates serialise")
    }

    /// Reads [`Self::to_bytes`].
    ///
    /// # Errors
    /// When the bytes are not a template of this version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, postcard::Error> {
        postcard::from_bytes(bytes)
    }
}

impl FnTemplate {
    /// The bytes that go into the user's binary.
    ///
    /// # Panics
    /// Never: the template has no type that postcard refuses.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        postcard::to_stdvec(self).expect("templates serialise")
    }

    /// Reads [`Self::to_bytes`].
    ///
    /// # Errors
    /// When the bytes are not a template of this version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, postcard::Error> {
        postcard::from_bytes(bytes)
    }
}
