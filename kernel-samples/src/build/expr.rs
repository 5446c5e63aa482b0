//! The expressions of the builder.
use omp_ir::desc::{Prim, TypeDesc};
use omp_ir::ids::LocalId;
use omp_ir::template::{Base, BinOp, UnOp};

macro_rules! prims {
    ($($name:ident: $prim:ident;)*) => { $(
        /// The type.
        pub static $name: TypeDesc = TypeDesc::Prim(Prim::$prim);
    )* };
}

prims! {
    BOOL: Bool; I8: I8; I16: I16; I32: I32; I64: I64; ISIZE: Isize; U8: U8; U16: U16; U32: U32; U64: U64;
    USIZE: Usize; F32: F32; F64: F64;
}

/// A type that lives as long as the program.
pub type Desc = &'static TypeDesc;

/// `[elem; len]` (leaks: for tests).
#[must_use]
pub fn array_of(elem: Desc, len: usize) -> Desc {
    Box::leak(Box::new(TypeDesc::Array { elem, len }))
}

/// An expression.
#[derive(Debug, Clone)]
pub enum X {
    /// An integer; `None` takes the type of its surroundings.
    Int(i128, Option<Prim>),
    /// A float.
    Float(f64),
    /// `true` or `false`.
    Bool(bool),
    /// A place.
    Place(Base, Vec<Part>),
    /// `.len()`
    Len(Box<X>),
    /// `&base[lo..hi]`
    Slice(Box<X>, Box<X>, Box<X>),
    /// An operator.
    Bin(BinOp, Box<X>, Box<X>),
    /// An operator.
    Un(UnOp, Box<X>),
    /// `as`
    Cast(Box<X>, Prim),
    /// A built-in method.
    Method(&'static str, Vec<X>),
    /// A call of something unknown with a result of that type: to finalisation it is a built-in of no known name.
    Call(&'static str, Vec<X>, Desc),
}

/// A step into a place.
#[derive(Debug, Clone)]
pub enum Part {
    /// `[i]`
    At(Box<X>),
    /// `.name`
    Field(&'static str),
}

/// An integer literal.
#[must_use]
pub fn int(value: i128) -> X {
    X::Int(value, None)
}

impl From<i32> for X {
    fn from(v: i32) -> Self {
        int(v.into())
    }
}

impl From<f64> for X {
    fn from(v: f64) -> Self {
        Self::Float(v)
    }
}

impl From<&X> for X {
    fn from(v: &X) -> Self {
        v.clone()
    }
}

macro_rules! operators {
    ($($name:ident $method:ident $op:ident;)*) => { $(
        impl<R: Into<X>> std::ops::$name<R> for X {
            type Output = X;
            fn $method(self, rhs: R) -> X {
                X::Bin(BinOp::$op, Box::new(self), Box::new(rhs.into()))
            }
        }
        impl<R: Into<X>> std::ops::$name<R> for &X {
            type Output = X;
            fn $method(self, rhs: R) -> X {
                self.clone().$method(rhs)
            }
        }
    )* };
}

operators! {
    Add add Add; Sub sub Sub; Mul mul Mul; Div div Div; Rem rem Rem;
    BitAnd bitand BitAnd; BitOr bitor BitOr; BitXor bitxor BitXor; Shl shl Shl; Shr shr Shr;
}

macro_rules! comparisons {
    ($($method:ident $op:ident;)*) => { impl X { $(
        /// The operator.
        #[must_use]
        pub fn $method(&self, rhs: impl Into<X>) -> X {
            X::Bin(BinOp::$op, Box::new(self.clone()), Box::new(rhs.into()))
        }
    )* } };
}

comparisons! { lt Lt; le Le; gt Gt; ge Ge; is Eq; is_not Ne; and And; or Or; }

impl X {
    /// `self[index]`
    #[must_use]
    pub fn at(&self, index: impl Into<X>) -> X {
        match self {
            Self::Place(base, parts) => {
                let mut parts = parts.clone();
                parts.push(Part::At(Box::new(index.into())));
                Self::Place(*base, parts)
            }
            _ => panic!("only a place has elements"),
        }
    }

    /// `self.name`
    #[must_use]
    pub fn field(&self, name: &'static str) -> X {
        match self {
            Self::Place(base, parts) => {
                let mut parts = parts.clone();
                parts.push(Part::Field(name));
                Self::Place(*base, parts)
            }
            _ => panic!("only a place has fields"),
        }
    }

    /// `&self[lo..hi]`
    #[must_use]
    pub fn slice(&self, lo: impl Into<X>, hi: impl Into<X>) -> X {
        Self::Slice(Box::new(self.clone()), Box::new(lo.into()), Box::new(hi.into()))
    }

    /// `self.len()`
    #[must_use]
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> X {
        Self::Len(Box::new(self.clone()))
    }

    /// `self as ty`
    #[must_use]
    pub fn cast(&self, ty: Prim) -> X {
        Self::Cast(Box::new(self.clone()), ty)
    }

    /// `self.name(args)`
    #[must_use]
    pub fn method(&self, name: &'static str, args: impl IntoIterator<Item = X>) -> X {
        Self::Method(name, std::iter::once(self.clone()).chain(args).collect())
    }

    pub(super) fn local(&self) -> LocalId {
        match self {
            Self::Place(Base::Local(l), _) => *l,
            _ => panic!("not a local"),
        }
    }
}

/// A range: `lo..hi`, with `.inclusive()`, `.rev()` and `.step_by(s)`.
#[derive(Debug, Clone)]
pub struct Counted {
    pub(super) lo: X,
    pub(super) hi: X,
    pub(super) inclusive: bool,
    pub(super) adaptors: Vec<Option<X>>,
}

impl From<std::ops::Range<X>> for Counted {
    fn from(r: std::ops::Range<X>) -> Self {
        count(r.start, r.end)
    }
}

/// `lo..hi`
#[must_use]
pub fn count(lo: impl Into<X>, hi: impl Into<X>) -> Counted {
    Counted { lo: lo.into(), hi: hi.into(), inclusive: false, adaptors: Vec::new() }
}

impl Counted {
    /// `lo..=hi`
    #[must_use]
    pub fn inclusive(mut self) -> Self {
        self.inclusive = true;
        self
    }

    /// `.rev()`
    #[must_use]
    pub fn rev(mut self) -> Self {
        self.adaptors.push(None);
        self
    }

    /// `.step_by(s)`
    #[must_use]
    pub fn step_by(mut self, s: impl Into<X>) -> Self {
        self.adaptors.push(Some(s.into()));
        self
    }
}

/// Whether a variable of the body stands in it.
pub(super) fn mentions_local(x: &X) -> bool {
    match x {
        X::Int(..) | X::Float(_) | X::Bool(_) => false,
        X::Place(base, parts) => {
            let at = |p: &Part| matches!(p, Part::At(i) if mentions_local(i));
            matches!(base, Base::Local(_)) || parts.iter().any(at)
        }
        X::Len(a) | X::Un(_, a) | X::Cast(a, _) => mentions_local(a),
        X::Bin(_, a, b) => mentions_local(a) || mentions_local(b),
        X::Slice(a, b, c) => [a, b, c].into_iter().any(|x| mentions_local(x)),
        X::Method(_, args) | X::Call(_, args, _) => args.iter().any(mentions_local),
    }
}

/// The type of a primitive.
#[must_use]
pub fn prim(p: Prim) -> Desc {
    match p {
        Prim::Bool => &BOOL,
        Prim::I8 => &I8,
        Prim::I16 => &I16,
        Prim::I32 => &I32,
        Prim::I64 => &I64,
        Prim::Isize => &ISIZE,
        Prim::U8 => &U8,
        Prim::U16 => &U16,
        Prim::U32 => &U32,
        Prim::U64 => &U64,
        Prim::Usize => &USIZE,
        Prim::F32 => &F32,
        Prim::F64 => &F64,
        Prim::Char => &TypeDesc::Prim(Prim::Char),
        Prim::U128 => &TypeDesc::Prim(Prim::U128),
    }
}

pub(super) fn prim_of(ty: Desc) -> Prim {
    match ty {
        TypeDesc::Prim(p) => *p,
        _ => panic!("a literal is a number"),
    }
}
