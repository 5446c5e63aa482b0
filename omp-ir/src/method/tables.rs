//! The names of the built-in methods with their types: one row for each.
use super::MethodTy::{
    self, BitsOfFloat, FloatOfBits, OptionChar, OptionPayload, OptionRecv, OptionU32, Payload, Prim as Is,
    Recv, Signed, Slot, Unsigned,
};
use super::{ByteMethod, CharMethod, FloatMethod, IntMethod, OptionMethod, OrderMethod, SliceMethod};
use crate::desc::Prim;

const U32: MethodTy = Is(Prim::U32);
const BOOL: MethodTy = Is(Prim::Bool);

/// What the table says of a method.
#[derive(Debug, Clone, Copy)]
pub struct Row<M: 'static> {
    /// Its name in Rust.
    pub name: &'static str,
    /// Which it is.
    pub method: M,
    /// The types of the arguments after the receiver.
    pub params: &'static [MethodTy],
    /// The type of the call.
    pub result: MethodTy,
    /// Only signed (`true`) or unsigned integers have it.
    pub signed: Option<bool>,
}

/// `None` for all integers.
macro_rules! sign {
    () => {
        None
    };
    (signed) => {
        Some(true)
    };
    (unsigned) => {
        Some(false)
    };
}

/// The names of an enum's methods with their types.
macro_rules! table {
    ($Enum:ident { $($name:literal $variant:ident($($param:expr),*) -> $result:expr $(, $sign:ident)?;)* }) => {
        impl $Enum {
            /// All names, with what each means. Two names may stand for one method.
            pub const ROWS: &[Row<Self>] = &[$(Row {
                name: $name,
                method: Self::$variant,
                params: &[$($param),*],
                result: $result,
                signed: sign!($($sign)?),
            }),*];

            /// The first row of this method.
            #[must_use]
            pub fn row(self) -> &'static Row<Self> {
                Self::ROWS.iter().find(|row| row.method == self).expect("every method has a row")
            }

            pub(super) fn parse(name: &str, signed: Option<bool>, args: usize) -> Option<Self> {
                let fits = |row: &&Row<Self>| {
                    row.name == name && row.params.len() + 1 == args && (row.signed.is_none() || row.signed == signed)
                };
                Self::ROWS.iter().find(fits).map(|row| row.method)
            }
        }
    };
}

table! { IntMethod {
    "pow" Pow(U32) -> Recv;
    "abs" Abs() -> Recv, signed;
    "unsigned_abs" UnsignedAbs() -> Unsigned, signed;
    "abs_diff" AbsDiff(Recv) -> Unsigned;
    "signum" Signum() -> Recv, signed;
    "is_positive" IsPositive() -> BOOL, signed;
    "is_negative" IsNegative() -> BOOL, signed;
    "min" Min(Recv) -> Recv;
    "max" Max(Recv) -> Recv;
    "clamp" Clamp(Recv, Recv) -> Recv;
    "count_ones" CountOnes() -> U32;
    "count_zeros" CountZeros() -> U32;
    "leading_zeros" LeadingZeros() -> U32;
    "leading_ones" LeadingOnes() -> U32;
    "trailing_zeros" TrailingZeros() -> U32;
    "trailing_ones" TrailingOnes() -> U32;
    "rotate_left" RotateLeft(U32) -> Recv;
    "rotate_right" RotateRight(U32) -> Recv;
    "unbounded_shl" UnboundedShl(U32) -> Recv;
    "unbounded_shr" UnboundedShr(U32) -> Recv;
    "swap_bytes" SwapBytes() -> Recv;
    "reverse_bits" ReverseBits() -> Recv;
    "to_be" ToBe() -> Recv;
    "from_be" ToBe() -> Recv;
    "to_le" ToLe() -> Recv;
    "from_le" ToLe() -> Recv;
    "div_euclid" DivEuclid(Recv) -> Recv;
    "rem_euclid" RemEuclid(Recv) -> Recv;
    "isqrt" Isqrt() -> Recv;
    "ilog2" Ilog2() -> U32;
    "ilog10" Ilog10() -> U32;
    "ilog" Ilog(Recv) -> U32;
    "div_ceil" DivCeil(Recv) -> Recv, unsigned;
    "next_multiple_of" NextMultipleOf(Recv) -> Recv, unsigned;
    "is_power_of_two" IsPowerOfTwo() -> BOOL, unsigned;
    "next_power_of_two" NextPowerOfTwo() -> Recv, unsigned;
    "is_multiple_of" IsMultipleOf(Recv) -> BOOL, unsigned;
    "midpoint" Midpoint(Recv) -> Recv;
    "cast_signed" CastSigned() -> Signed, unsigned;
    "cast_unsigned" CastUnsigned() -> Unsigned, signed;
    "checked_isqrt" CheckedIsqrt() -> OptionRecv, signed;
    "checked_ilog2" CheckedIlog2() -> OptionU32;
    "checked_ilog10" CheckedIlog10() -> OptionU32;
    "checked_ilog" CheckedIlog(Recv) -> OptionU32;
    "checked_next_multiple_of" CheckedNextMultipleOf(Recv) -> OptionRecv, unsigned;
    "checked_next_power_of_two" CheckedNextPowerOfTwo() -> OptionRecv, unsigned;
} }

table! { ByteMethod {
    "is_ascii" IsAscii() -> BOOL;
    "is_ascii_alphabetic" IsAlphabetic() -> BOOL;
    "is_ascii_alphanumeric" IsAlphanumeric() -> BOOL;
    "is_ascii_control" IsControl() -> BOOL;
    "is_ascii_digit" IsDigit() -> BOOL;
    "is_ascii_graphic" IsGraphic() -> BOOL;
    "is_ascii_hexdigit" IsHexdigit() -> BOOL;
    "is_ascii_lowercase" IsLowercase() -> BOOL;
    "is_ascii_punctuation" IsPunctuation() -> BOOL;
    "is_ascii_uppercase" IsUppercase() -> BOOL;
    "is_ascii_whitespace" IsWhitespace() -> BOOL;
    "to_ascii_lowercase" ToLowercase() -> Recv;
    "to_ascii_uppercase" ToUppercase() -> Recv;
    "eq_ignore_ascii_case" EqIgnoreCase(Recv) -> BOOL;
} }

table! { CharMethod {
    "to_digit" ToDigit(U32) -> OptionU32;
    "is_digit" IsDigit(U32) -> BOOL;
    "from_u32" FromU32() -> OptionChar;
    "from_digit" FromDigit(U32) -> OptionChar;
} }

table! { FloatMethod {
    "abs" Abs() -> Recv;
    "signum" Signum() -> Recv;
    "sqrt" Sqrt() -> Recv;
    "cbrt" Cbrt() -> Recv;
    "exp" Exp() -> Recv;
    "exp2" Exp2() -> Recv;
    "exp_m1" ExpM1() -> Recv;
    "ln" Ln() -> Recv;
    "ln_1p" Ln1p() -> Recv;
    "log2" Log2() -> Recv;
    "log10" Log10() -> Recv;
    "sin" Sin() -> Recv;
    "cos" Cos() -> Recv;
    "tan" Tan() -> Recv;
    "asin" Asin() -> Recv;
    "acos" Acos() -> Recv;
    "atan" Atan() -> Recv;
    "sinh" Sinh() -> Recv;
    "cosh" Cosh() -> Recv;
    "tanh" Tanh() -> Recv;
    "asinh" Asinh() -> Recv;
    "acosh" Acosh() -> Recv;
    "atanh" Atanh() -> Recv;
    "floor" Floor() -> Recv;
    "ceil" Ceil() -> Recv;
    "round" Round() -> Recv;
    "round_ties_even" RoundTiesEven() -> Recv;
    "trunc" Trunc() -> Recv;
    "fract" Fract() -> Recv;
    "recip" Recip() -> Recv;
    "next_up" NextUp() -> Recv;
    "next_down" NextDown() -> Recv;
    "midpoint" Midpoint(Recv) -> Recv;
    "to_degrees" ToDegrees() -> Recv;
    "to_radians" ToRadians() -> Recv;
    "copysign" Copysign(Recv) -> Recv;
    "min" Min(Recv) -> Recv;
    "max" Max(Recv) -> Recv;
    "powf" Powf(Recv) -> Recv;
    "hypot" Hypot(Recv) -> Recv;
    "log" Log(Recv) -> Recv;
    "atan2" Atan2(Recv) -> Recv;
    "div_euclid" DivEuclid(Recv) -> Recv;
    "rem_euclid" RemEuclid(Recv) -> Recv;
    "clamp" Clamp(Recv, Recv) -> Recv;
    "mul_add" MulAdd(Recv, Recv) -> Recv;
    "powi" Powi(Is(Prim::I32)) -> Recv;
    "sin_cos" SinCos() -> Slot;
    "to_bits" ToBits() -> BitsOfFloat;
    "from_bits" FromBits() -> FloatOfBits;
    "is_nan" IsNan() -> BOOL;
    "is_finite" IsFinite() -> BOOL;
    "is_infinite" IsInfinite() -> BOOL;
    "is_normal" IsNormal() -> BOOL;
    "is_subnormal" IsSubnormal() -> BOOL;
    "is_sign_positive" IsSignPositive() -> BOOL;
    "is_sign_negative" IsSignNegative() -> BOOL;
} }

table! { OptionMethod {
    "is_some" IsSome() -> BOOL;
    "is_none" IsNone() -> BOOL;
    "is_ok" IsSome() -> BOOL;
    "is_err" IsNone() -> BOOL;
    "ok" Ok() -> OptionPayload;
    "unwrap" Unwrap() -> Payload;
    "expect" Unwrap() -> Payload;
    "unwrap_or" UnwrapOr(Payload) -> Payload;
    "unwrap_or_default" UnwrapOrDefault() -> Payload;
    "or" Or(Recv) -> Recv;
} }

table! { OrderMethod {
    "is_eq" IsEq() -> BOOL;
    "is_ne" IsNe() -> BOOL;
    "is_lt" IsLt() -> BOOL;
    "is_le" IsLe() -> BOOL;
    "is_gt" IsGt() -> BOOL;
    "is_ge" IsGe() -> BOOL;
    "reverse" Reverse() -> Recv;
    "then" Then(Recv) -> Recv;
} }

table! { SliceMethod {
    "len" Len() -> Is(Prim::Usize);
    "is_empty" IsEmpty() -> BOOL;
} }
