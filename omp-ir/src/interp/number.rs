//! Numbers: one variant for each primitive, so that every operation runs in its own type.
use crate::desc::Prim;
use crate::template::{BinOp, UnOp};

/// A value of a primitive type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Num {
    Bool(bool),
    I8(i8),
    I16(i16),
    I32(i32),
    I64(i64),
    Isize(isize),
    U8(u8),
    U16(u16),
    U32(u32),
    U64(u64),
    Usize(usize),
    F32(f32),
    F64(f64),
    U128(u128),
}

/// A primitive type of Rust.
pub(super) trait Primitive: Copy {
    /// The number, which must be of this type.
    fn of(n: Num) -> Self;
    fn num(self) -> Num;
}

macro_rules! primitives {
    ($($variant:ident $T:ident;)*) => { $(
        impl Primitive for $T {
            fn of(n: Num) -> Self {
                match n {
                    Num::$variant(v) => v,
                    other => unreachable!("{other:?} is no {}; the kernel was validated", stringify!($T)),
                }
            }

            fn num(self) -> Num {
                Num::$variant(self)
            }
        }
    )* };
}
primitives! {
    Bool bool; I8 i8; I16 i16; I32 i32; I64 i64; Isize isize; U8 u8; U16 u16; U32 u32; U64 u64; Usize usize;
    F32 f32; F64 f64; U128 u128;
}

/// Runs `$body` with `$x` of the number's own type, called `$T`; the other arm takes what is not listed.
macro_rules! dispatch {
    ([$($variant:ident $t:ident),*] $n:expr, $x:ident: $T:ident => $body:expr, else $other:expr) => {
        match $n {
            $(Num::$variant($x) => {
                #[allow(dead_code, reason = "not every body names the type")]
                type $T = $t;
                $body
            })*
            #[allow(unreachable_patterns, reason = "a list may be of all types")]
            _ => $other,
        }
    };
}
macro_rules! signed {
    ($($t:tt)*) => { dispatch!([I8 i8, I16 i16, I32 i32, I64 i64, Isize isize] $($t)*) };
}
macro_rules! unsigned {
    ($($t:tt)*) => { dispatch!([U8 u8, U16 u16, U32 u32, U64 u64, Usize usize, U128 u128] $($t)*) };
}
macro_rules! ints {
    ($($t:tt)*) => {
        dispatch!([I8 i8, I16 i16, I32 i32, I64 i64, Isize isize, U8 u8, U16 u16, U32 u32, U64 u64, Usize usize, U128 u128] $($t)*)
    };
}
macro_rules! floats {
    ($($t:tt)*) => { dispatch!([F32 f32, F64 f64] $($t)*) };
}
/// Those that have a signed integer of their width.
macro_rules! unsigned_of_two {
    ($($t:tt)*) => { dispatch!([U8 u8, U16 u16, U32 u32, U64 u64, Usize usize] $($t)*) };
}
pub(super) use {dispatch, floats, ints, signed, unsigned, unsigned_of_two};

impl Num {
    pub fn prim(self) -> Prim {
        match self {
            Self::Bool(_) => Prim::Bool,
            Self::I8(_) => Prim::I8,
            Self::I16(_) => Prim::I16,
            Self::I32(_) => Prim::I32,
            Self::I64(_) => Prim::I64,
            Self::Isize(_) => Prim::Isize,
            Self::U8(_) => Prim::U8,
            Self::U16(_) => Prim::U16,
            Self::U32(_) => Prim::U32,
            Self::U64(_) => Prim::U64,
            Self::Usize(_) => Prim::Usize,
            Self::F32(_) => Prim::F32,
            Self::F64(_) => Prim::F64,
            Self::U128(_) => Prim::U128,
        }
    }

    /// From the low bits of `bits`.
    pub fn from_bits(prim: Prim, bits: u64) -> Self {
        match prim {
            Prim::Bool => Self::Bool(bits & 1 != 0),
            Prim::F32 => Self::F32(f32::from_bits(bits as u32)),
            Prim::F64 => Self::F64(f64::from_bits(bits)),
            int => Self::from_int(int, i128::from(bits)),
        }
    }

    /// The bits as they stand in memory, zero-extended.
    pub fn to_bits(self) -> u64 {
        match self {
            Self::Bool(b) => u64::from(b),
            Self::F32(f) => u64::from(f.to_bits()),
            Self::F64(f) => f.to_bits(),
            Self::U128(v) => v as u64,
            int => (int.to_int() as u64) & (u64::MAX >> (64 - 8 * int.prim().size())),
        }
    }

    /// The value modulo the width of `prim`.
    pub fn from_int(prim: Prim, v: i128) -> Self {
        match prim {
            Prim::Bool => Self::Bool(v != 0),
            Prim::I8 => Self::I8(v as i8),
            Prim::I16 => Self::I16(v as i16),
            Prim::I32 => Self::I32(v as i32),
            Prim::I64 => Self::I64(v as i64),
            Prim::Isize => Self::Isize(v as isize),
            Prim::U8 => Self::U8(v as u8),
            Prim::U16 => Self::U16(v as u16),
            Prim::U32 | Prim::Char => Self::U32(v as u32),
            Prim::U64 => Self::U64(v as u64),
            Prim::Usize => Self::Usize(v as usize),
            Prim::F32 => Self::F32(v as f32),
            Prim::F64 => Self::F64(v as f64),
            Prim::U128 => Self::U128(v as u128),
        }
    }

    /// The value of an integer, modulo the width of `i128`.
    #[allow(clippy::cast_lossless, reason = "one text for all types")]
    pub fn to_int(self) -> i128 {
        ints!(self, v: T => v as i128, else unreachable!("{self:?} is no integer; the kernel was validated"))
    }

    /// A usize.
    pub fn index(self) -> u64 {
        usize::of(self) as u64
    }

    /// `self as to`.
    #[allow(clippy::cast_lossless, clippy::unnecessary_cast, reason = "one text for all types")]
    pub fn cast(self, to: Prim) -> Self {
        macro_rules! to {
            ($v:expr) => {
                match to {
                    Prim::Bool => self,
                    Prim::I8 => Self::I8($v as i8),
                    Prim::I16 => Self::I16($v as i16),
                    Prim::I32 => Self::I32($v as i32),
                    Prim::I64 => Self::I64($v as i64),
                    Prim::Isize => Self::Isize($v as isize),
                    Prim::U8 => Self::U8($v as u8),
                    Prim::U16 => Self::U16($v as u16),
                    Prim::U32 | Prim::Char => Self::U32($v as u32),
                    Prim::U64 => Self::U64($v as u64),
                    Prim::Usize => Self::Usize($v as usize),
                    Prim::F32 => Self::F32($v as f32),
                    Prim::F64 => Self::F64($v as f64),
                    Prim::U128 => Self::U128($v as u128),
                }
            };
        }
        match self {
            Self::Bool(v) => to!(u8::from(v)),
            Self::I8(v) => to!(v),
            Self::I16(v) => to!(v),
            Self::I32(v) => to!(v),
            Self::I64(v) => to!(v),
            Self::Isize(v) => to!(v),
            Self::U8(v) => to!(v),
            Self::U16(v) => to!(v),
            Self::U32(v) => to!(v),
            Self::U64(v) => to!(v),
            Self::Usize(v) => to!(v),
            Self::F32(v) => to!(v),
            Self::F64(v) => to!(v),
            Self::U128(v) => to!(v),
        }
    }

    /// An integer literal. (Of a float type only with a suffix: `1f32`.)
    pub fn int_literal(prim: Prim, value: u128, negative: bool) -> Self {
        match prim {
            Prim::F32 => Self::F32(if negative { -(value as f32) } else { value as f32 }),
            Prim::F64 => Self::F64(if negative { -(value as f64) } else { value as f64 }),
            int => Self::from_int(int, if negative { (value as i128).wrapping_neg() } else { value as i128 }),
        }
    }

    /// A float literal, parsed at its own precision.
    pub fn float_literal(prim: Prim, digits: &str, negative: bool) -> Self {
        match prim {
            Prim::F32 => {
                let v: f32 = digits.parse().expect("rustc accepted the literal");
                Self::F32(if negative { -v } else { v })
            }
            _ => {
                let v: f64 = digits.parse().expect("rustc accepted the literal");
                Self::F64(if negative { -v } else { v })
            }
        }
    }
}

/// The words in "attempt to … with overflow", where a debug build panics.
pub(super) type Overflowed = &'static str;

/// `op n`; `checked` as in a debug build.
pub(super) fn unary(op: UnOp, n: Num, checked: bool) -> Result<Num, Overflowed> {
    let invalid = || -> ! { unreachable!("{op:?} of {n:?}; the kernel was validated") };
    Ok(match op {
        UnOp::Neg => match n {
            Num::F32(v) => Num::F32(-v),
            Num::F64(v) => Num::F64(-v),
            _ => {
                let (v, over) =
                    signed!(n, v: T => { let (r, o) = v.overflowing_neg(); (r.num(), o) }, else invalid());
                if over && checked {
                    return Err("negate");
                }
                v
            }
        },
        UnOp::Not => match n {
            Num::Bool(v) => Num::Bool(!v),
            _ => ints!(n, v: T => (!v).num(), else invalid()),
        },
    })
}

/// `lhs op rhs` of strict operators (`&&` and `||` are not); `checked` as in a debug build. A division by zero has
/// been excluded by its check.
pub(super) fn binary(op: BinOp, lhs: Num, rhs: Num, checked: bool) -> Result<Num, Overflowed> {
    if op.compares() {
        return Ok(Num::Bool(compare(op, lhs, rhs)));
    }
    match lhs {
        Num::F32(_) | Num::F64(_) => Ok(float(op, lhs, rhs)),
        Num::Bool(l) => Ok(Num::Bool(logic(op, l, bool::of(rhs)))),
        _ => int(op, lhs, rhs, checked),
    }
}

fn compare(op: BinOp, lhs: Num, rhs: Num) -> bool {
    macro_rules! compare {
        ($l:expr, $T:ident) => {{
            let (l, r) = ($l, $T::of(rhs));
            match op {
                BinOp::Eq => l == r,
                BinOp::Ne => l != r,
                BinOp::Lt => l < r,
                BinOp::Le => l <= r,
                BinOp::Gt => l > r,
                _ => l >= r,
            }
        }};
    }
    match lhs {
        Num::Bool(l) => compare!(l, bool),
        Num::F32(l) => compare!(l, f32),
        Num::F64(l) => compare!(l, f64),
        _ => ints!(lhs, l: T => compare!(l, T), else false),
    }
}

fn logic(op: BinOp, l: bool, r: bool) -> bool {
    match op {
        BinOp::BitAnd | BinOp::And => l & r,
        BinOp::BitOr | BinOp::Or => l | r,
        BinOp::BitXor => l ^ r,
        _ => unreachable!("{op:?} of bool; the kernel was validated"),
    }
}

fn float(op: BinOp, lhs: Num, rhs: Num) -> Num {
    floats!(lhs, l: T => {
        let r = T::of(rhs);
        match op {
            BinOp::Add => l + r,
            BinOp::Sub => l - r,
            BinOp::Mul => l * r,
            BinOp::Div => l / r,
            BinOp::Rem => l % r,
            _ => unreachable!("{op:?} of floats; the kernel was validated"),
        }
        .num()
    }, else unreachable!())
}

fn int(op: BinOp, lhs: Num, rhs: Num, checked: bool) -> Result<Num, Overflowed> {
    // The count of a shift may be of another type, and negative: `as u32` keeps its low bits, which is what counts.
    let bits = 8 * lhs.prim().size() as i128;
    let shift = || (rhs.to_int() as u32, !(0..bits).contains(&rhs.to_int()));
    let invalid = || -> ! { unreachable!("{op:?} of {lhs:?} and {rhs:?}; the kernel was validated") };
    let (value, over, what) = ints!(lhs, l: T => {
        let wide = |(v, over): (T, bool), what| (v.num(), over, what);
        match op {
            BinOp::Add => wide(l.overflowing_add(T::of(rhs)), "add"),
            BinOp::Sub => wide(l.overflowing_sub(T::of(rhs)), "subtract"),
            BinOp::Mul => wide(l.overflowing_mul(T::of(rhs)), "multiply"),
            BinOp::Div if T::of(rhs) == 0 => invalid(),
            BinOp::Rem if T::of(rhs) == 0 => invalid(),
            BinOp::Div => wide((l.wrapping_div(T::of(rhs)), false), ""),
            BinOp::Rem => wide((l.wrapping_rem(T::of(rhs)), false), ""),
            BinOp::BitAnd => wide((l & T::of(rhs), false), ""),
            BinOp::BitOr => wide((l | T::of(rhs), false), ""),
            BinOp::BitXor => wide((l ^ T::of(rhs), false), ""),
            BinOp::Shl => wide((l.wrapping_shl(shift().0), shift().1), "shift left"),
            BinOp::Shr => wide((l.wrapping_shr(shift().0), shift().1), "shift right"),
            BinOp::And | BinOp::Or | BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => {
                invalid()
            }
        }
    }, else invalid());
    if over && checked { Err(what) } else { Ok(value) }
}
