//! The built-in methods: those of the primitives, of `Option` and of slices, and the library functions that are
//! equivalent to one (`std::cmp::max`, `u32::from`, `f32::from_bits`).
//!
//! This (with `tables`) is the one table that finalisation, the interpreter and the emitters share. [`Method::parse`] finds a
//! method by name, type of the first argument and number of arguments; [`Method::result`] and [`Method::params`]
//! give its types.
//!
//! **Methods are total here.** Where Rust would panic (`pow` and `abs` that overflow in a debug build, `rem_euclid(0)`,
//! `clamp(5, 3)`, `unwrap` of `None`), finalisation puts a [`Check::Panic`] under an `If` before the statement that
//! contains the call. After that check an emitter may give any value, but must not have undefined behaviour.
//!
//! [`Check::Panic`]: super::template::Check::Panic
mod tables;

use super::desc::Prim;
use super::ids::TyId;
use super::kernel::Ty;
use MethodTy::{OptionRecv, OptionSigned, Prim as Is, Recv, Signed, Slot, Unsigned};
pub use tables::Row;

const U32: MethodTy = Is(Prim::U32);
const BOOL: MethodTy = Is(Prim::Bool);

/// A built-in method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// `wrapping_add`, `checked_pow`, …: integer arithmetic with a say in what overflow does.
    Arith(Overflow, IntOp),
    /// Other methods of integers.
    Int(IntMethod),
    /// Methods of `u8` and `char` as a character of ASCII.
    Byte(ByteMethod),
    /// Other methods of `char`, and what makes one.
    Char(CharMethod),
    /// Methods of floats.
    Float(FloatMethod),
    /// Methods of `Option` and `Result`.
    Option(OptionMethod),
    /// Methods of slices and arrays.
    Slice(SliceMethod),
    /// `u32::from(x)`, `x.into()`: a conversion of primitives (or to the type itself) that loses nothing. The type
    /// of the call is that of its slot. Means the same as `as`.
    Convert,
    /// `x.clone()`: the value itself.
    Clone,
    /// `==`, `<` or `<=` of tuples, arrays and `Option`s, part by part as std has it. Finalisation puts it.
    Parts(PartsOp),
    /// All of a mapped `[T; N]`, as the value that a parameter of this type takes. Finalisation puts it; it has no name.
    ToArray,
    /// Part `k` of a tuple, struct or array. Finalisation puts it; it has no name.
    Part(usize),
    /// The struct of one field whose field this is. Finalisation puts it; it has no name.
    OfPart,
    /// `max` and `min` of what has no arithmetic: `bool`, `char`, enums, and what is compared part by part.
    Extreme(ExtremeOp),
    /// `clamp` of the same.
    Clamp,
    /// `x.cmp(&y)`: a [`std::cmp::Ordering`], of the type in the slot of the call; `partial_cmp`: an `Option` of one. Also of enums,
    /// and part by part.
    Compare {
        /// `partial_cmp`
        partial: bool,
    },
    /// `x.total_cmp(&y)` of floats: as [`Method::Compare`], by the order of their bits.
    TotalCompare,
    /// Methods of a [`std::cmp::Ordering`].
    Order(OrderMethod),
    /// `x.to_le_bytes()` (and `ne`: all devices are little-endian), `x.to_be_bytes()`: an array of the type in the slot of the call.
    ToBytes {
        /// The highest byte first.
        big: bool,
    },
    /// `T::from_le_bytes(b)` and its kin: a number of the type in the slot of the call.
    FromBytes {
        /// The highest byte first.
        big: bool,
    },
}

/// How values of several parts are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum PartsOp {
    Eq,
    Lt,
    Le,
}

/// Which of two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum ExtremeOp {
    Max,
    Min,
}

/// What an integer operation does with a result that does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Overflow {
    /// `wrapping_*`: the low bits.
    Wrapping,
    /// `saturating_*`: the nearest bound.
    Saturating,
    /// `checked_*`: `None`; also for a division by zero.
    Checked,
    /// `overflowing_*`: the low bits and whether it overflowed, `(T, bool)`, of the type in the call's slot.
    Overflowing,
    /// `strict_*`: checked in every build. After the check, the low bits.
    Strict,
}

/// What `wrapping_*` and its kin compute. Shifts take the low bits of the `u32` count (modulo the width) and
/// overflow when the count is not below the width. `MIN / -1` and `MIN.abs()` overflow to `MIN`, `MIN % -1` to `0`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum IntOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    DivEuclid,
    RemEuclid,
    Neg,
    Shl,
    Shr,
    Abs,
    Pow,
    /// `unsigned + signed of the same width`
    AddSigned,
    /// `signed + unsigned of the same width`
    AddUnsigned,
    /// `signed - unsigned of the same width`
    SubUnsigned,
    /// `unsigned - signed of the same width`
    SubSigned,
    /// `unsigned - unsigned`, as a signed number of the same width
    SignedDiff,
}

/// Methods of integers without an overflow mode of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum IntMethod {
    /// Checked against overflow in debug builds; wraps otherwise.
    Pow,
    /// As [`IntMethod::Pow`].
    Abs,
    UnsignedAbs,
    AbsDiff,
    Signum,
    IsPositive,
    IsNegative,
    Min,
    Max,
    /// Checked: `min <= max`.
    Clamp,
    CountOnes,
    CountZeros,
    LeadingZeros,
    LeadingOnes,
    TrailingZeros,
    TrailingOnes,
    RotateLeft,
    RotateRight,
    /// A count of at least the width gives zero.
    UnboundedShl,
    /// A count of at least the width gives the sign in all bits.
    UnboundedShr,
    SwapBytes,
    ReverseBits,
    /// Big-endian bytes read as the machine's: a swap, as all devices are little-endian. Also `from_be`.
    ToBe,
    /// The value itself. Also `from_le`.
    ToLe,
    /// Checked: not zero, no `MIN / -1`.
    DivEuclid,
    /// Checked: not zero, no `MIN % -1`.
    RemEuclid,
    /// Checked: not negative.
    Isqrt,
    /// Checked: positive.
    Ilog2,
    /// Checked: positive.
    Ilog10,
    /// Checked: positive, base at least 2.
    Ilog,
    /// Unsigned; checked: not zero.
    DivCeil,
    /// Unsigned; checked: not zero, and in debug builds against overflow.
    NextMultipleOf,
    /// Unsigned.
    IsPowerOfTwo,
    /// Unsigned; checked against overflow in debug builds, 0 otherwise.
    NextPowerOfTwo,
    /// Unsigned; a multiple of zero is zero alone.
    IsMultipleOf,
    /// Half the sum, rounded towards zero, without overflow.
    Midpoint,
    /// The same bits as a signed type.
    CastSigned,
    /// The same bits as an unsigned type.
    CastUnsigned,
    CheckedIsqrt,
    CheckedIlog2,
    CheckedIlog10,
    CheckedIlog,
    CheckedNextMultipleOf,
    CheckedNextPowerOfTwo,
}

/// Methods of `u8` and `char` as a character of ASCII.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum ByteMethod {
    IsAscii,
    IsAlphabetic,
    IsAlphanumeric,
    IsControl,
    IsDigit,
    IsGraphic,
    IsHexdigit,
    IsLowercase,
    IsPunctuation,
    IsUppercase,
    IsWhitespace,
    ToLowercase,
    ToUppercase,
    EqIgnoreCase,
}

/// Methods of `char`, and functions that make one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum CharMethod {
    /// Checked: a radix of 2 to 36.
    ToDigit,
    /// As [`CharMethod::ToDigit`].
    IsDigit,
    /// Of a `u32`.
    FromU32,
    /// Of a `u32`; checked: a radix of at most 36.
    FromDigit,
}

/// Methods of floats. `min` and `max` ignore one NaN; `round` is away from zero at halves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum FloatMethod {
    Abs,
    /// `1` or `-1` by the sign bit, NaN for NaN.
    Signum,
    Copysign,
    /// One NaN is ignored.
    Min,
    /// One NaN is ignored.
    Max,
    /// Checked: `min <= max`, neither NaN. NaN stays NaN.
    Clamp,
    /// Fused.
    MulAdd,
    /// By repeated multiplication; within the bound of functions.
    Powi,
    Powf,
    Sqrt,
    Cbrt,
    Hypot,
    Exp,
    Exp2,
    ExpM1,
    Ln,
    Ln1p,
    /// `ln(x) / ln(base)`
    Log,
    Log2,
    Log10,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Atan2,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    /// `(sin, cos)`, of the type in the call's slot.
    SinCos,
    Floor,
    Ceil,
    Round,
    RoundTiesEven,
    Trunc,
    Fract,
    /// `let q = (x / y).trunc(); if x % y < 0 { if y > 0 { q - 1 } else { q + 1 } } else { q }`
    DivEuclid,
    /// `let r = x % y; if r < 0 { r + y.abs() } else { r }`
    RemEuclid,
    Recip,
    /// The least float above.
    NextUp,
    /// The greatest float below.
    NextDown,
    /// Half the sum, rounded once, without overflow.
    Midpoint,
    ToDegrees,
    ToRadians,
    ToBits,
    /// The argument is the unsigned integer; `f32::from_bits(u)`.
    FromBits,
    IsNan,
    IsFinite,
    IsInfinite,
    IsNormal,
    IsSubnormal,
    IsSignPositive,
    IsSignNegative,
}

/// Methods of `Option` and, where they use only the value, of `Result`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum OptionMethod {
    IsSome,
    Ok,
    IsNone,
    /// Checked. `expect` is the same (the macros write its message into a check of their own).
    Unwrap,
    UnwrapOr,
    /// The default of a primitive: zero or `false`.
    UnwrapOrDefault,
    /// `a.or(b)`
    Or,
}

/// Methods of a [`std::cmp::Ordering`], which is its discriminant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum OrderMethod {
    IsEq,
    IsNe,
    IsLt,
    IsLe,
    IsGt,
    IsGe,
    Reverse,
    /// The other one where this is `Equal`.
    Then,
}

/// Methods of slices and arrays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum SliceMethod {
    Len,
    IsEmpty,
}

/// A type relative to the receiver's primitive type (for `Option` methods: relative to the payload).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MethodTy {
    /// The receiver's own type.
    Recv,
    /// The payload of the receiver, an `Option` or `Result`.
    Payload,
    /// `Option` of that.
    OptionPayload,
    /// This primitive.
    Prim(Prim),
    /// The signed or unsigned integer of the receiver's width.
    Signed,
    /// As [`MethodTy::Signed`].
    Unsigned,
    /// The float of the receiver's width (receiver: u32 or u64).
    FloatOfBits,
    /// The unsigned integer of the float's width.
    BitsOfFloat,
    /// `Option` of the receiver's type.
    OptionRecv,
    /// `Option<u32>`
    OptionU32,
    /// `Option<char>`
    OptionChar,
    /// `Option` of the signed integer of the receiver's width.
    OptionSigned,
    /// A tuple or a converted value: what the call's slot says.
    Slot,
}

impl IntOp {
    /// The types of the arguments after the receiver.
    #[must_use]
    pub const fn params(self) -> &'static [MethodTy] {
        match self {
            Self::Neg | Self::Abs => &[],
            Self::Add
            | Self::Sub
            | Self::Mul
            | Self::Div
            | Self::Rem
            | Self::DivEuclid
            | Self::RemEuclid
            | Self::SignedDiff => &[Recv],
            Self::Shl | Self::Shr | Self::Pow => &[U32],
            Self::AddSigned | Self::SubSigned => &[Signed],
            Self::AddUnsigned | Self::SubUnsigned => &[Unsigned],
        }
    }

    /// Divides (or takes a remainder), so that a zero divisor must be excluded.
    #[must_use]
    pub const fn divides(self) -> bool {
        matches!(self, Self::Div | Self::Rem | Self::DivEuclid | Self::RemEuclid)
    }

    fn parse(name: &str, signed: bool) -> Option<Self> {
        Some(match name {
            "add" => Self::Add,
            "sub" => Self::Sub,
            "mul" => Self::Mul,
            "div" => Self::Div,
            "rem" => Self::Rem,
            "div_euclid" => Self::DivEuclid,
            "rem_euclid" => Self::RemEuclid,
            "neg" => Self::Neg,
            "shl" => Self::Shl,
            "shr" => Self::Shr,
            "pow" => Self::Pow,
            "abs" if signed => Self::Abs,
            "add_unsigned" if signed => Self::AddUnsigned,
            "sub_unsigned" if signed => Self::SubUnsigned,
            "add_signed" if !signed => Self::AddSigned,
            "sub_signed" if !signed => Self::SubSigned,
            "signed_diff" if !signed => Self::SignedDiff,
            _ => return None,
        })
    }
}

impl Overflow {
    /// Whether Rust has the operation in this mode for integers of this signedness.
    const fn has(self, op: IntOp, signed: bool) -> bool {
        match (self, op) {
            (Self::Saturating, IntOp::Neg | IntOp::Abs) => signed,
            (
                Self::Saturating,
                IntOp::Rem | IntOp::DivEuclid | IntOp::RemEuclid | IntOp::Shl | IntOp::Shr,
            ) => false,
            (Self::Wrapping | Self::Saturating | Self::Overflowing | Self::Strict, IntOp::SignedDiff) => {
                false
            }
            _ => true,
        }
    }
}

/// Splits `wrapping_add` into its mode and operation.
fn parse_arith(name: &str, signed: bool, args: usize) -> Option<Method> {
    let (mode, rest) = name.split_once('_')?;
    let mode = match mode {
        "wrapping" => Overflow::Wrapping,
        "saturating" => Overflow::Saturating,
        "checked" => Overflow::Checked,
        "overflowing" => Overflow::Overflowing,
        "strict" => Overflow::Strict,
        _ => return None,
    };
    let op = IntOp::parse(rest, signed)?;
    (mode.has(op, signed) && op.params().len() + 1 == args).then_some(Method::Arith(mode, op))
}

/// Whether a method of this name takes an instruction or a few, by guess.
#[must_use]
pub fn is_short(name: &str) -> bool {
    const SHORT: [&str; 17] = [
        "abs",
        "abs_diff",
        "clone",
        "count_ones",
        "leading_zeros",
        "len",
        "max",
        "min",
        "mul_add",
        "rotate_left",
        "rotate_right",
        "trailing_zeros",
        "wrapping_add",
        "wrapping_mul",
        "wrapping_neg",
        "wrapping_sub",
        "unsigned_abs",
    ];
    SHORT.contains(&name)
}

/// What has an order and no arithmetic.
fn has_order_only(ty: &Ty) -> bool {
    match ty {
        Ty::Prim(p) => matches!(p, Prim::Bool | Prim::Char),
        Ty::Struct(..) | Ty::Array(..) | Ty::Option(_) | Ty::Enum(_) => true,
        Ty::Unit | Ty::Never | Ty::Slice(_) | Ty::Data(..) => false,
    }
}

impl Method {
    /// Finds a method by its name, the type of its first argument (the receiver) and the number of arguments, the
    /// receiver among them.
    #[must_use]
    pub fn parse(name: &str, first: &Ty, args: usize) -> Option<Self> {
        match (name, args) {
            ("from" | "into", 1) => return Some(Self::Convert),
            ("clone", 1) => return Some(Self::Clone),
            ("cmp" | "partial_cmp", 2) => {
                let fits = match first {
                    Ty::Prim(p) => name == "partial_cmp" || !p.is_float(),
                    Ty::Struct(..) | Ty::Array(..) | Ty::Option(_) | Ty::Enum(_) => true,
                    Ty::Unit | Ty::Never | Ty::Slice(_) | Ty::Data(..) => false,
                };
                return fits.then_some(Self::Compare { partial: name == "partial_cmp" });
            }
            ("max" | "min", 2) if has_order_only(first) => {
                let op = if name == "max" { ExtremeOp::Max } else { ExtremeOp::Min };
                return Some(Self::Extreme(op));
            }
            ("clamp", 3) if has_order_only(first) => return Some(Self::Clamp),
            ("total_cmp", 2) => {
                return matches!(first, Ty::Prim(p) if p.is_float()).then_some(Self::TotalCompare);
            }
            ("to_le_bytes" | "to_ne_bytes" | "to_be_bytes", 1) => {
                let fits = matches!(first, Ty::Prim(p) if p.is_float() || p.is_int());
                return fits.then_some(Self::ToBytes { big: name == "to_be_bytes" });
            }
            ("from_le_bytes" | "from_ne_bytes" | "from_be_bytes", 1) => {
                return matches!(first, Ty::Array(..))
                    .then_some(Self::FromBytes { big: name == "from_be_bytes" });
            }
            ("from_bits", 1) => {
                return matches!(first, Ty::Prim(Prim::U32 | Prim::U64))
                    .then_some(Self::Float(FloatMethod::FromBits));
            }
            ("from_u32", 1) | ("from_digit", 2) => {
                let fits = matches!(first, Ty::Prim(Prim::U32));
                return CharMethod::parse(name, None, args).filter(|_| fits).map(Self::Char);
            }
            _ => {}
        }
        match first {
            Ty::Prim(Prim::U8 | Prim::Char) if name.contains("ascii") => {
                ByteMethod::parse(name, None, args).map(Self::Byte)
            }
            Ty::Prim(Prim::Char) => match name {
                "to_digit" | "is_digit" => CharMethod::parse(name, None, args).map(Self::Char),
                _ => None,
            },
            Ty::Prim(p) if p.is_float() => FloatMethod::parse(name, None, args).map(Self::Float),
            Ty::Prim(Prim::U128) if !WIDE.contains(&name) => None,
            Ty::Prim(p) if p.is_int() => parse_arith(name, p.is_signed(), args)
                .or_else(|| IntMethod::parse(name, Some(p.is_signed()), args).map(Self::Int)),
            Ty::Option(_) => OptionMethod::parse(name, None, args).map(Self::Option),
            Ty::Data(desc, _) if desc.is_result() => OptionMethod::parse(name, None, args).map(Self::Option),
            Ty::Slice(_) | Ty::Array(..) => SliceMethod::parse(name, None, args).map(Self::Slice),
            Ty::Enum(e) if e.is_ordering() => OrderMethod::parse(name, None, args).map(Self::Order),
            Ty::Prim(_) | Ty::Unit | Ty::Never | Ty::Struct(..) | Ty::Enum(_) | Ty::Data(..) => None,
        }
    }

    /// Whether a built-in type has a method of this name, with that many arguments (the receiver among them).
    #[must_use]
    pub fn is_name(name: &str, args: usize) -> bool {
        let prims = [Prim::I32, Prim::U32, Prim::F32, Prim::U8, Prim::Char].map(Ty::Prim);
        let others = [Ty::Option(TyId(0)), Ty::Slice(TyId(0))];
        prims.iter().chain(&others).any(|ty| Self::parse(name, ty, args).is_some())
    }

    /// The type of the call.
    #[must_use]
    pub fn result(self) -> MethodTy {
        match self {
            Self::Arith(Overflow::Checked, IntOp::SignedDiff) => OptionSigned,
            Self::Arith(Overflow::Checked, _) => OptionRecv,
            Self::Arith(Overflow::Overflowing, _)
            | Self::Convert
            | Self::Compare { .. }
            | Self::TotalCompare
            | Self::ToBytes { .. }
            | Self::FromBytes { .. }
            | Self::Part(_)
            | Self::OfPart => Slot,
            Self::Arith(Overflow::Wrapping | Overflow::Saturating | Overflow::Strict, _)
            | Self::Clone
            | Self::Extreme(_)
            | Self::Clamp
            | Self::ToArray => Recv,
            Self::Parts(_) => BOOL,
            Self::Int(m) => m.row().result,
            Self::Byte(m) => m.row().result,
            Self::Char(m) => m.row().result,
            Self::Float(m) => m.row().result,
            Self::Option(m) => m.row().result,
            Self::Slice(m) => m.row().result,
            Self::Order(m) => m.row().result,
        }
    }

    /// The types of the arguments after the receiver.
    #[must_use]
    pub fn params(self) -> &'static [MethodTy] {
        match self {
            Self::Arith(_, op) => op.params(),
            Self::Int(m) => m.row().params,
            Self::Byte(m) => m.row().params,
            Self::Char(m) => m.row().params,
            Self::Float(m) => m.row().params,
            Self::Option(m) => m.row().params,
            Self::Slice(m) => m.row().params,
            Self::Order(m) => m.row().params,
            Self::Convert
            | Self::Clone
            | Self::ToArray
            | Self::Part(_)
            | Self::OfPart
            | Self::ToBytes { .. }
            | Self::FromBytes { .. } => &[],
            Self::Clamp => &[Recv, Recv],
            Self::Parts(_) | Self::Extreme(_) | Self::Compare { .. } | Self::TotalCompare => &[Recv],
        }
    }
}

/// Methods of `u128` that devices have.
const WIDE: [&str; 27] = [
    "abs_diff",
    "checked_add",
    "checked_mul",
    "checked_sub",
    "clamp",
    "count_ones",
    "count_zeros",
    "leading_zeros",
    "max",
    "min",
    "overflowing_add",
    "overflowing_mul",
    "overflowing_sub",
    "pow",
    "rotate_left",
    "rotate_right",
    "saturating_add",
    "saturating_mul",
    "saturating_sub",
    "trailing_zeros",
    "checked_pow",
    "wrapping_add",
    "wrapping_mul",
    "wrapping_pow",
    "wrapping_shl",
    "wrapping_shr",
    "wrapping_sub",
];
