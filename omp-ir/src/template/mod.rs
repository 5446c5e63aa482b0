//! The kernel template: a region or a device function as the macros lower it, without types.
//!
//! It is the loop body in a small structured language. Types are *slots*: numbers that the code planted next to the
//! host loop fills with [`TypeDesc`](super::desc::TypeDesc)s at the first launch. Everything that rustc must resolve
//! (which function a path names, the value of a const) has a number as well.
//!
//! Invariants that the macros establish and all consumers rely on:
//!
//! * **Expressions have no side effects** and no control flow. `if`, `match`, `loop`, blocks and short-circuit
//!   operators whose right side needs statements are lowered to statements that set a temporary
//!   ([`LocalKind::Temp`]). Calls of device functions stand alone: as `Let`/`Assign` of a temporary whose init is
//!   [`Expr::Call`], or as [`Stmt::Eval`].
//! * **Every subscript is checked by a statement before it**: [`Stmt::Check`] with [`Check::Bounds`] of the same
//!   [`AccessId`](super::ids::AccessId) stands before the statement that uses the place, after the statements that computed the index.
//!   Index expressions are therefore evaluated more than once, which is fine as they have no effects; the macros
//!   put an index that is a load or call into a temporary first. Finalisation drops what is proved.
//! * Integer `/` and `%` are preceded by [`Check::Divide`], whose operands are temporaries or simple.
//! * Order of evaluation is Rust's: what comes earlier in Rust comes earlier here.
mod expr;
mod params;
mod stmt;

use super::ids::{ArrayId, CallId, ExprId, LabelId, LocalId, ScalarId, SlotId, SrcId};
use serde::{Deserialize, Serialize};

pub use expr::{Base, BinOp, Expr, ExprNode, Place, Projection, ThreadQuery, TyRef, UnOp};
pub use params::{
    Adaptor, ArrayParam, Combiner, Dim, MapType, NamedUpdate, Range, ReduceOp, Reduction, ReductionItem,
    ScalarParam,
};
pub use stmt::{Block, Check, Inner, InnerLast, InnerReduction, Level, Search, Stmt};

/// The version of the serialised form; part of cache keys.
pub const TEMPLATE_VERSION: u32 = 16;

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
    /// The reduction items are carried from one iteration to the next.
    pub scan: Option<Scan>,
    /// The directive says that loops of the body are scans: what they add up may be associated differently.
    pub inner_scans: bool,
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

/// A loop whose reduction items are carried from one iteration to the next. Its body is two labelled blocks and the statements
/// of an iteration. Run one after the other, iteration by iteration, they mean what the loop means. Scalar items have
/// [`Reduction::start`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scan {
    /// The sum of a part of the loop. The statements around it copy each item, so that the items keep their values.
    pub fold: LabelId,
    /// What items that are array elements start from: a device runs it in the first iteration alone.
    pub seed: LabelId,
}

/// The body of a scan.
#[derive(Debug, Clone, Copy)]
pub struct ScanParts<'a> {
    /// See [`Scan::fold`].
    pub fold: &'a [Stmt],
    /// See [`Scan::seed`].
    pub seed: &'a Block,
    /// An iteration.
    pub rest: &'a [Stmt],
}

impl Scan {
    /// How many blocks stand before an iteration's statements.
    pub const BLOCKS: usize = 2;

    /// The scan whose body begins with its two blocks.
    #[must_use]
    pub fn of(body: &Block) -> Option<Self> {
        match body.0.as_slice() {
            [Stmt::Labelled { label: fold, .. }, Stmt::Labelled { label: seed, .. }, ..] => {
                Some(Self { fold: *fold, seed: *seed })
            }
            _ => None,
        }
    }

    /// Its parts in the body; `None` for another's body.
    #[must_use]
    pub fn parts(self, body: &Block) -> Option<ScanParts<'_>> {
        let [Stmt::Labelled { body: fold, .. }, Stmt::Labelled { body: seed, .. }, rest @ ..] =
            body.0.as_slice()
        else {
            return None;
        };
        (Self::of(body) == Some(self)).then_some(ScanParts { fold: &fold.0, seed, rest })
    }
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
    /// Subscripts, by [`AccessId`](super::ids::AccessId).
    pub accesses: Vec<Access>,
    /// Consts and statics, by [`ConstId`](super::ids::ConstId).
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
    /// Slots that the tokens call `f32` or `f64`: for decisions at macro time, before rustc has inferred types.
    pub floats: Vec<SlotId>,
    /// The calls that updates of reduction items were recognised by: what they name is known at the launch. With the number of the
    /// item, those of inner nests after the region's.
    pub named_updates: Vec<(u32, NamedUpdate)>,
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
    /// Its type, if a slot catches it. A slot may still turn out empty (a reference): then it is inferred from what
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
    /// Its `[` (of `swap`, the method): the position that a panic of the host shows if the base is a `Vec`. Elsewhere as `src`.
    pub bracket: SrcId,
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

/// An operator whose meaning rustc resolves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operator {
    /// The operator.
    pub expr: ExprId,
    /// What it is if its operands are no primitives.
    pub call: CallId,
    /// `op=`: the function takes the left operand by `&mut`.
    pub assigns: bool,
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
