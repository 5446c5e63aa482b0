//! Places and expressions.
use crate::desc::Prim;
use crate::ids::{AccessId, ArrayId, CallId, ConstId, ExprId, LocalId, ScalarId, SlotId, SrcId};
use serde::{Deserialize, Serialize};

/// A place: a base and projections.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// Where it starts.
    pub base: Base,
    /// What follows.
    pub projections: Vec<Projection>,
}

impl From<Base> for Place {
    fn from(base: Base) -> Self {
        Self { base, projections: Vec::new() }
    }
}

/// The start of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
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

impl Base {
    /// The variable, if it is one.
    #[must_use]
    pub const fn local(self) -> Option<LocalId> {
        match self {
            Self::Local(local) => Some(local),
            Self::Array(_) | Self::Scalar(_) | Self::Const(_) => None,
        }
    }
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
    /// `.name`, or `.0` of a tuple; `.-1` is the last field, for patterns with `..` before it. `.Circle!r` and `.Circle?`: see
    /// [`DataDesc`](crate::desc::DataDesc).
    Field(String),
    /// The payload of an `Option` that was tested by [`Expr::IsSome`].
    Payload,
}

/// An expression and its position in the source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExprNode {
    /// What it is.
    pub expr: Expr,
    /// Its position in the source.
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
    /// parameter is no [`LocalKind::Ref`](super::LocalKind::Ref), it is the place's value.
    Borrow(Place),
    /// `&base[lo..hi]`; checked by [`Check::Slice`](super::Check::Slice) before.
    Slice {
        /// What is sliced: a mapped array, a slice variable, or an element that is a fixed array.
        base: Place,
        /// Start; `None` is 0.
        lo: Option<ExprId>,
        /// End; `None` is the length.
        hi: Option<ExprId>,
        /// Which subscript it is; `None` for a whole array.
        access: Option<AccessId>,
        /// `&mut`: the function that gets it may store through it.
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
        /// The last segment of its path, which is a variant's name if the type is an enum; empty for a tuple.
        name: String,
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
    /// The slot has the type that rustc infers.
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

impl UnOp {
    /// The operator of this method of `std::ops`.
    #[must_use]
    pub fn by_name(method: &str) -> Option<Self> {
        Some(match method {
            "neg" => Self::Neg,
            "not" => Self::Not,
            _ => return None,
        })
    }
}

impl BinOp {
    /// The operator of this method of `std::ops`.
    #[must_use]
    pub fn by_name(method: &str) -> Option<Self> {
        Some(match method {
            "add" => Self::Add,
            "sub" => Self::Sub,
            "mul" => Self::Mul,
            "div" => Self::Div,
            "rem" => Self::Rem,
            "bitand" => Self::BitAnd,
            "bitor" => Self::BitOr,
            "bitxor" => Self::BitXor,
            "shl" => Self::Shl,
            "shr" => Self::Shr,
            _ => return None,
        })
    }

    /// As Rust writes it, and C too.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::Rem => "%",
            Self::BitAnd => "&",
            Self::BitOr => "|",
            Self::BitXor => "^",
            Self::Shl => "<<",
            Self::Shr => ">>",
            Self::And => "&&",
            Self::Or => "||",
            Self::Eq => "==",
            Self::Ne => "!=",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Gt => ">",
            Self::Ge => ">=",
        }
    }

    /// The result is a `bool` whatever the operands are.
    #[must_use]
    pub const fn compares(self) -> bool {
        matches!(self, Self::Eq | Self::Ne | Self::Lt | Self::Le | Self::Gt | Self::Ge)
    }
}

impl UnOp {
    /// As Rust writes it.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Neg => "-",
            Self::Not => "!",
        }
    }
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
