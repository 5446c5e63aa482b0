//! The built-in methods: each calls Rust's own method on the right type.
//!
//! Finalisation has put a check before each method that may panic. If such a method is called all the same with
//! arguments that Rust refuses, [`call`] returns `None`, and the interpreter reports it.
use super::number::{Num, Primitive, dispatch, floats, ints, signed, unsigned, unsigned_of_two};
use super::value::Value;
use crate::desc::Prim;
use crate::method::{
    ByteMethod, CharMethod, FloatMethod, IntMethod, IntOp, Method, OptionMethod, OrderMethod, Overflow,
    SliceMethod,
};
use std::cmp::Ordering;

/// The value of a call; `ret` is the primitive of its type, if it is one, and `payload` that of an `Option`'s payload.
pub(super) fn call(method: Method, args: &[Value], ret: Option<Prim>) -> Option<Value> {
    match method {
        Method::Arith(mode, op) => arith(mode, op, args),
        Method::Int(m) => int(m, args),
        Method::Byte(m) => byte(m, args),
        Method::Char(m) => character(m, args),
        Method::Float(m) => float(m, args),
        Method::Option(m) => option(m, args, ret),
        Method::Slice(m) => {
            let len = match &args[0] {
                Value::Array(elems) => elems.len() as u64,
                Value::Slice(slice) => slice.len,
                _ => return None,
            };
            Some(match m {
                SliceMethod::Len => Value::usize(len),
                SliceMethod::IsEmpty => Value::bool(len == 0),
            })
        }
        Method::Convert => Some(match (&args[0], ret) {
            (Value::Num(n), Some(ret)) => Value::Num(n.cast(ret)),
            (other, _) => other.clone(),
        }),
        Method::Clone => Some(args[0].clone()),
        Method::Part(k) => match &args[0] {
            Value::Array(parts) | Value::Struct(parts) => parts.get(k).cloned(),
            _ => None,
        },
        Method::OfPart => Some(Value::Struct(vec![args[0].clone()])),
        // It reads memory, which the machine does; the others need their types.
        Method::ToArray | Method::Parts(_) | Method::Extreme(_) | Method::Clamp => None,
        Method::TotalCompare => {
            let order = match (args[0].num(), args[1].num()) {
                (Num::F32(a), Num::F32(b)) => a.total_cmp(&b),
                (Num::F64(a), Num::F64(b)) => a.total_cmp(&b),
                _ => return None,
            };
            Some(ordering(order))
        }
        Method::Order(m) => order(m, args),
        Method::ToBytes { big } => {
            let n = args[0].num();
            let bits = if let Num::U128(n) = n { n } else { u128::from(n.to_bits()) };
            let mut bytes = bits.to_le_bytes()[..n.prim().size()].to_vec();
            if big {
                bytes.reverse();
            }
            Some(Value::Array(bytes.into_iter().map(value).collect()))
        }
        Method::FromBytes { big } => {
            let (Value::Array(bytes), Some(ret)) = (&args[0], ret) else { return None };
            let put = |bits: u128, b: &Value| (bits << 8) | u128::from(u8::of(b.num()));
            let bits = if big { bytes.iter().fold(0, put) } else { bytes.iter().rev().fold(0, put) };
            Some(if ret == Prim::U128 { Value::Num(Num::U128(bits)) } else { value_of(ret, bits as u64) })
        }
        Method::Compare { partial } => {
            let order = match (args[0].num(), args[1].num()) {
                (Num::F32(a), Num::F32(b)) => a.partial_cmp(&b),
                (Num::F64(a), Num::F64(b)) => a.partial_cmp(&b),
                (Num::Bool(a), Num::Bool(b)) => Some(a.cmp(&b)),
                (Num::U128(a), Num::U128(b)) => Some(a.cmp(&b)),
                (a, b) => Some(a.to_int().cmp(&b.to_int())),
            };
            let order = order.map(ordering);
            if partial { Some(Value::option(order)) } else { order }
        }
    }
}

/// The value of a method of integers. `None`: Rust refuses the arguments, or the result depends on a type that is not known.
pub(crate) fn of_integers(
    method: Method,
    (of, ty): (i128, Option<Prim>),
    with: Option<(i128, Option<Prim>)>,
) -> Option<i128> {
    let small = |v: i128| (0..1 << 16).contains(&v);
    let untyped = match (method, with) {
        (Method::Int(IntMethod::CountOnes | IntMethod::Isqrt | IntMethod::IsPowerOfTwo), _) => small(of),
        (Method::Int(IntMethod::TrailingZeros), _) => small(of) && of != 0,
        (Method::Int(IntMethod::Pow), Some((by, _))) if ty.is_none() => {
            return of.checked_pow(by.try_into().ok()?).filter(|v| small(*v));
        }
        _ => false,
    };
    let ty = ty.or(untyped.then_some(Prim::U64))?;
    let number = |v: i128, ty: Prim| Value::Num(Num::from_int(ty, v));
    let mut args = vec![number(of, ty)];
    if let Some((v, of)) = with {
        args.push(number(v, of?));
    }
    match call(method, &args, Some(ty))? {
        Value::Num(Num::Bool(b)) => Some(b.into()),
        Value::Num(n) => Some(n.to_int()),
        _ => None,
    }
}

fn value_of(prim: Prim, bits: u64) -> Value {
    Value::Num(Num::from_bits(prim, bits))
}

pub(super) fn ordering(o: Ordering) -> Value {
    Value::Enum(u64::from((o as i8).cast_unsigned()))
}

/// Methods of an `Ordering`.
fn order(m: OrderMethod, args: &[Value]) -> Option<Value> {
    let Value::Enum(bits) = args[0] else { return None };
    let order = (bits as u8).cast_signed().cmp(&0);
    Some(match m {
        OrderMethod::IsEq => Value::bool(order.is_eq()),
        OrderMethod::IsNe => Value::bool(order.is_ne()),
        OrderMethod::IsLt => Value::bool(order.is_lt()),
        OrderMethod::IsLe => Value::bool(order.is_le()),
        OrderMethod::IsGt => Value::bool(order.is_gt()),
        OrderMethod::IsGe => Value::bool(order.is_ge()),
        OrderMethod::Reverse => ordering(order.reverse()),
        OrderMethod::Then if order.is_eq() => args[1].clone(),
        OrderMethod::Then => args[0].clone(),
    })
}

fn value(n: impl Primitive) -> Value {
    Value::Num(n.num())
}

fn maybe<T: Primitive>(n: Option<T>) -> Value {
    Value::option(n.map(value))
}

/// `$l.wrapping_add(r)` and its kin, for operations that all four modes have.
macro_rules! modes {
    ($mode:expr, $l:expr, ($($arg:expr)?), $wrapping:ident, $saturating:expr, $checked:ident, $overflowing:ident) => {
        match $mode {
            Overflow::Wrapping | Overflow::Strict => value($l.$wrapping($($arg)?)),
            Overflow::Saturating => $saturating,
            Overflow::Checked => maybe($l.$checked($($arg)?)),
            Overflow::Overflowing => {
                let (v, over) = $l.$overflowing($($arg)?);
                Value::Struct(vec![value(v), Value::bool(over)])
            }
        }
    };
}

fn arith(mode: Overflow, op: IntOp, args: &[Value]) -> Option<Value> {
    let lhs = args[0].num();
    let rhs = args.get(1).map(Value::num);
    if op.divides() && mode != Overflow::Checked && rhs.is_some_and(|r| r.to_int() == 0) {
        return None;
    }
    let count = || u32::of(rhs.unwrap_or(Num::U32(0)));
    let invalid = || -> ! { unreachable!("{mode:?} {op:?}; the kernel was validated") };
    Some(ints!(lhs, l: T => {
        let r = || T::of(rhs.unwrap_or(lhs));
        match op {
            IntOp::Add => modes!(mode, l, (r()), wrapping_add, value(l.saturating_add(r())), checked_add, overflowing_add),
            IntOp::Sub => modes!(mode, l, (r()), wrapping_sub, value(l.saturating_sub(r())), checked_sub, overflowing_sub),
            IntOp::Mul => modes!(mode, l, (r()), wrapping_mul, value(l.saturating_mul(r())), checked_mul, overflowing_mul),
            IntOp::Div => modes!(mode, l, (r()), wrapping_div, value(l.saturating_div(r())), checked_div, overflowing_div),
            IntOp::Rem => modes!(mode, l, (r()), wrapping_rem, invalid(), checked_rem, overflowing_rem),
            IntOp::DivEuclid => {
                modes!(mode, l, (r()), wrapping_div_euclid, invalid(), checked_div_euclid, overflowing_div_euclid)
            }
            IntOp::RemEuclid => {
                modes!(mode, l, (r()), wrapping_rem_euclid, invalid(), checked_rem_euclid, overflowing_rem_euclid)
            }
            IntOp::Shl => modes!(mode, l, (count()), wrapping_shl, invalid(), checked_shl, overflowing_shl),
            IntOp::Shr => modes!(mode, l, (count()), wrapping_shr, invalid(), checked_shr, overflowing_shr),
            IntOp::Pow => {
                modes!(mode, l, (count()), wrapping_pow, value(l.saturating_pow(count())), checked_pow, overflowing_pow)
            }
            IntOp::Neg => {
                let saturating = || signed!(lhs, l: S => value(l.saturating_neg()), else invalid());
                modes!(mode, l, (), wrapping_neg, saturating(), checked_neg, overflowing_neg)
            }
            IntOp::Abs | IntOp::AddSigned | IntOp::AddUnsigned | IntOp::SubUnsigned | IntOp::SubSigned
            | IntOp::SignedDiff => mixed(mode, op, lhs, rhs.unwrap_or(lhs)),
        }
    }, else invalid()))
}

/// Operations that only signed or only unsigned integers have.
fn mixed(mode: Overflow, op: IntOp, lhs: Num, rhs: Num) -> Value {
    let invalid = || -> ! { unreachable!("{op:?} of {lhs:?}; the kernel was validated") };
    // The other operand has the same bits as the receiver's type of the other signedness.
    macro_rules! unsigned_rhs {
        ($U:ident, $l:expr) => {{
            let r = $U::of(rhs);
            match op {
                IntOp::AddUnsigned => modes!(
                    mode,
                    $l,
                    (r),
                    wrapping_add_unsigned,
                    value($l.saturating_add_unsigned(r)),
                    checked_add_unsigned,
                    overflowing_add_unsigned
                ),
                _ => modes!(
                    mode,
                    $l,
                    (r),
                    wrapping_sub_unsigned,
                    value($l.saturating_sub_unsigned(r)),
                    checked_sub_unsigned,
                    overflowing_sub_unsigned
                ),
            }
        }};
    }
    macro_rules! signed_rhs {
        ($S:ident, $l:expr) => {{
            let r = $S::of(rhs);
            match op {
                IntOp::AddSigned => modes!(
                    mode,
                    $l,
                    (r),
                    wrapping_add_signed,
                    value($l.saturating_add_signed(r)),
                    checked_add_signed,
                    overflowing_add_signed
                ),
                _ => modes!(
                    mode,
                    $l,
                    (r),
                    wrapping_sub_signed,
                    value($l.saturating_sub_signed(r)),
                    checked_sub_signed,
                    overflowing_sub_signed
                ),
            }
        }};
    }
    match op {
        IntOp::Abs => signed!(lhs, l: T => {
            modes!(mode, l, (), wrapping_abs, value(l.saturating_abs()), checked_abs, overflowing_abs)
        }, else invalid()),
        IntOp::SignedDiff => {
            unsigned_of_two!(lhs, l: T => maybe(l.checked_signed_diff(T::of(rhs))), else invalid())
        }
        IntOp::AddUnsigned | IntOp::SubUnsigned => match lhs {
            Num::I8(l) => unsigned_rhs!(u8, l),
            Num::I16(l) => unsigned_rhs!(u16, l),
            Num::I32(l) => unsigned_rhs!(u32, l),
            Num::I64(l) => unsigned_rhs!(u64, l),
            Num::Isize(l) => unsigned_rhs!(usize, l),
            _ => invalid(),
        },
        IntOp::AddSigned | IntOp::SubSigned => match lhs {
            Num::U8(l) => signed_rhs!(i8, l),
            Num::U16(l) => signed_rhs!(i16, l),
            Num::U32(l) => signed_rhs!(i32, l),
            Num::U64(l) => signed_rhs!(i64, l),
            Num::Usize(l) => signed_rhs!(isize, l),
            _ => invalid(),
        },
        _ => invalid(),
    }
}

/// Of a `char`, or of a number that is to be one.
fn character(m: CharMethod, args: &[Value]) -> Option<Value> {
    let a = u32::of(args[0].num());
    let radix = || args.get(1).map(|r| u32::of(r.num())).filter(|r| *r <= 36);
    let made = |c: Option<char>| maybe(c.map(u32::from));
    Some(match m {
        CharMethod::ToDigit => maybe(char::from_u32(a)?.to_digit(radix().filter(|r| *r >= 2)?)),
        CharMethod::IsDigit => Value::bool(char::from_u32(a)?.is_digit(radix().filter(|r| *r >= 2)?)),
        CharMethod::FromU32 => made(char::from_u32(a)),
        CharMethod::FromDigit => made(char::from_digit(a, radix()?)),
    })
}

fn byte(m: ByteMethod, args: &[Value]) -> Option<Value> {
    if let Num::U32(c) = args[0].num() {
        // A `char`: what is no byte is no letter, and itself.
        let other = args.get(1).map(|b| u32::of(b.num()));
        let Ok(low) = u8::try_from(c).map(|b| Value::Num(b.num())) else {
            return Some(match m {
                ByteMethod::ToLowercase | ByteMethod::ToUppercase => Value::Num(c.num()),
                ByteMethod::EqIgnoreCase => Value::bool(other == Some(c)),
                _ => Value::bool(false),
            });
        };
        if m == ByteMethod::EqIgnoreCase {
            let Some(Ok(other)) = other.map(u8::try_from) else { return Some(Value::bool(false)) };
            return byte(m, &[low, Value::Num(other.num())]);
        }
        return Some(match byte(m, &[low])? {
            Value::Num(Num::U8(b)) => Value::Num(u32::from(b).num()),
            answer => answer,
        });
    }
    let a = u8::of(args[0].num());
    Some(match m {
        ByteMethod::IsAscii => Value::bool(a.is_ascii()),
        ByteMethod::IsAlphabetic => Value::bool(a.is_ascii_alphabetic()),
        ByteMethod::IsAlphanumeric => Value::bool(a.is_ascii_alphanumeric()),
        ByteMethod::IsControl => Value::bool(a.is_ascii_control()),
        ByteMethod::IsDigit => Value::bool(a.is_ascii_digit()),
        ByteMethod::IsGraphic => Value::bool(a.is_ascii_graphic()),
        ByteMethod::IsHexdigit => Value::bool(a.is_ascii_hexdigit()),
        ByteMethod::IsLowercase => Value::bool(a.is_ascii_lowercase()),
        ByteMethod::IsPunctuation => Value::bool(a.is_ascii_punctuation()),
        ByteMethod::IsUppercase => Value::bool(a.is_ascii_uppercase()),
        ByteMethod::IsWhitespace => Value::bool(a.is_ascii_whitespace()),
        ByteMethod::ToLowercase => value(a.to_ascii_lowercase()),
        ByteMethod::ToUppercase => value(a.to_ascii_uppercase()),
        ByteMethod::EqIgnoreCase => Value::bool(a.eq_ignore_ascii_case(&u8::of(args[1].num()))),
    })
}

fn int(m: IntMethod, args: &[Value]) -> Option<Value> {
    let n = args[0].num();
    let second = args.get(1).map(Value::num);
    ints!(n, x: T => {
        let r = || T::of(second.unwrap_or(n));
        Some(match m {
            IntMethod::Pow => value(x.wrapping_pow(u32::of(second?))),
            IntMethod::AbsDiff => value(x.abs_diff(r())),
            IntMethod::Min => value(x.min(r())),
            IntMethod::Max => value(x.max(r())),
            IntMethod::Clamp => {
                let hi = T::of(args.get(2)?.num());
                value(if r() <= hi { x.clamp(r(), hi) } else { return None })
            }
            IntMethod::CountOnes => value(x.count_ones()),
            IntMethod::CountZeros => value(x.count_zeros()),
            IntMethod::LeadingZeros => value(x.leading_zeros()),
            IntMethod::LeadingOnes => value(x.leading_ones()),
            IntMethod::TrailingZeros => value(x.trailing_zeros()),
            IntMethod::TrailingOnes => value(x.trailing_ones()),
            IntMethod::RotateLeft => value(x.rotate_left(u32::of(second?))),
            IntMethod::RotateRight => value(x.rotate_right(u32::of(second?))),
            IntMethod::UnboundedShl => value(x.unbounded_shl(u32::of(second?))),
            IntMethod::UnboundedShr => value(x.unbounded_shr(u32::of(second?))),
            IntMethod::SwapBytes | IntMethod::ToBe => value(x.swap_bytes()),
            IntMethod::ReverseBits => value(x.reverse_bits()),
            IntMethod::ToLe => value(x),
            IntMethod::DivEuclid => value(x.checked_div_euclid(r())?),
            IntMethod::RemEuclid => value(x.checked_rem_euclid(r())?),
            IntMethod::Isqrt => value(if n.to_int() < 0 { return None } else { x.isqrt() }),
            IntMethod::Ilog2 => value(x.checked_ilog2()?),
            IntMethod::Ilog10 => value(x.checked_ilog10()?),
            IntMethod::Ilog => value(x.checked_ilog(r())?),
            IntMethod::Midpoint => value(x.midpoint(r())),
            IntMethod::CheckedIlog2 => maybe(x.checked_ilog2()),
            IntMethod::CheckedIlog10 => maybe(x.checked_ilog10()),
            IntMethod::CheckedIlog => maybe(x.checked_ilog(r())),
            IntMethod::Abs
            | IntMethod::UnsignedAbs
            | IntMethod::Signum
            | IntMethod::IsPositive
            | IntMethod::IsNegative
            | IntMethod::CastUnsigned
            | IntMethod::CheckedIsqrt => return of_signed(m, n),
            IntMethod::DivCeil
            | IntMethod::NextMultipleOf
            | IntMethod::IsPowerOfTwo
            | IntMethod::NextPowerOfTwo
            | IntMethod::IsMultipleOf
            | IntMethod::CastSigned
            | IntMethod::CheckedNextMultipleOf
            | IntMethod::CheckedNextPowerOfTwo => return of_unsigned(m, n, second.unwrap_or(n)),
        })
    }, else None)
}

fn of_signed(m: IntMethod, n: Num) -> Option<Value> {
    signed!(n, x: T => Some(match m {
        IntMethod::Abs => value(x.wrapping_abs()),
        IntMethod::UnsignedAbs => value(x.unsigned_abs()),
        IntMethod::Signum => value(x.signum()),
        IntMethod::IsPositive => value(x.is_positive()),
        IntMethod::IsNegative => value(x.is_negative()),
        IntMethod::CastUnsigned => value(x.cast_unsigned()),
        IntMethod::CheckedIsqrt => maybe(x.checked_isqrt()),
        _ => return None,
    }), else None)
}

fn of_unsigned(m: IntMethod, n: Num, second: Num) -> Option<Value> {
    if m == IntMethod::CastSigned {
        return unsigned_of_two!(n, x: T => Some(value(x.cast_signed())), else None);
    }
    unsigned!(n, x: T => {
        let r = || T::of(second);
        Some(match m {
            IntMethod::DivCeil => value(if r() == 0 { return None } else { x.div_ceil(r()) }),
            // After its check, only a release build overflows, and wraps.
            IntMethod::NextMultipleOf => {
                let past = if r() == 0 { return None } else { x % r() };
                value(if past == 0 { x } else { x.wrapping_add(r() - past) })
            }
            IntMethod::IsPowerOfTwo => value(x.is_power_of_two()),
            IntMethod::NextPowerOfTwo => value(x.checked_next_power_of_two().unwrap_or(0)),
            IntMethod::IsMultipleOf => value(x.is_multiple_of(r())),
            IntMethod::CheckedNextMultipleOf => maybe(x.checked_next_multiple_of(r())),
            IntMethod::CheckedNextPowerOfTwo => maybe(x.checked_next_power_of_two()),
            _ => return None,
        })
    }, else None)
}

fn float(m: FloatMethod, args: &[Value]) -> Option<Value> {
    let n = args[0].num();
    if m == FloatMethod::FromBits {
        return match n {
            Num::U32(bits) => Some(value(f32::from_bits(bits))),
            Num::U64(bits) => Some(value(f64::from_bits(bits))),
            _ => None,
        };
    }
    let second = args.get(1).map_or(n, Value::num);
    let third = args.get(2).map_or(n, Value::num);
    floats!(n, x: T => {
        let r = || T::of(second);
        Some(match m {
            FloatMethod::Abs => value(x.abs()),
            FloatMethod::Signum => value(x.signum()),
            FloatMethod::Copysign => value(x.copysign(r())),
            FloatMethod::Min => value(x.min(r())),
            FloatMethod::Max => value(x.max(r())),
            FloatMethod::Clamp => {
                let hi = T::of(third);
                value(if r() <= hi { x.clamp(r(), hi) } else { return None })
            }
            FloatMethod::MulAdd => value(x.mul_add(r(), T::of(third))),
            FloatMethod::Powi => value(x.powi(i32::of(second))),
            FloatMethod::Powf => value(x.powf(r())),
            FloatMethod::Sqrt => value(x.sqrt()),
            FloatMethod::Cbrt => value(x.cbrt()),
            FloatMethod::Hypot => value(x.hypot(r())),
            FloatMethod::Exp => value(x.exp()),
            FloatMethod::Exp2 => value(x.exp2()),
            FloatMethod::ExpM1 => value(x.exp_m1()),
            FloatMethod::Ln => value(x.ln()),
            FloatMethod::Ln1p => value(x.ln_1p()),
            FloatMethod::Log => value(x.log(r())),
            FloatMethod::Log2 => value(x.log2()),
            FloatMethod::Log10 => value(x.log10()),
            FloatMethod::Sin => value(x.sin()),
            FloatMethod::Cos => value(x.cos()),
            FloatMethod::Tan => value(x.tan()),
            FloatMethod::Asin => value(x.asin()),
            FloatMethod::Acos => value(x.acos()),
            FloatMethod::Atan => value(x.atan()),
            FloatMethod::Atan2 => value(x.atan2(r())),
            FloatMethod::Sinh => value(x.sinh()),
            FloatMethod::Cosh => value(x.cosh()),
            FloatMethod::Tanh => value(x.tanh()),
            FloatMethod::Asinh => value(x.asinh()),
            FloatMethod::Acosh => value(x.acosh()),
            FloatMethod::Atanh => value(x.atanh()),
            FloatMethod::SinCos => {
                let (sin, cos) = x.sin_cos();
                Value::Struct(vec![value(sin), value(cos)])
            }
            FloatMethod::Floor => value(x.floor()),
            FloatMethod::Ceil => value(x.ceil()),
            FloatMethod::Round => value(x.round()),
            FloatMethod::RoundTiesEven => value(x.round_ties_even()),
            FloatMethod::Trunc => value(x.trunc()),
            FloatMethod::Fract => value(x.fract()),
            FloatMethod::DivEuclid => value(x.div_euclid(r())),
            FloatMethod::RemEuclid => value(x.rem_euclid(r())),
            FloatMethod::Recip => value(x.recip()),
            FloatMethod::NextUp => value(x.next_up()),
            FloatMethod::NextDown => value(x.next_down()),
            FloatMethod::Midpoint => value(x.midpoint(r())),
            FloatMethod::ToDegrees => value(x.to_degrees()),
            FloatMethod::ToRadians => value(x.to_radians()),
            FloatMethod::ToBits => value(x.to_bits()),
            FloatMethod::FromBits => return None,
            FloatMethod::IsNan => value(x.is_nan()),
            FloatMethod::IsFinite => value(x.is_finite()),
            FloatMethod::IsInfinite => value(x.is_infinite()),
            FloatMethod::IsNormal => value(x.is_normal()),
            FloatMethod::IsSubnormal => value(x.is_subnormal()),
            FloatMethod::IsSignPositive => value(x.is_sign_positive()),
            FloatMethod::IsSignNegative => value(x.is_sign_negative()),
        })
    }, else None)
}

fn option(m: OptionMethod, args: &[Value], ret: Option<Prim>) -> Option<Value> {
    let inner = args[0].carried()?.cloned();
    match m {
        OptionMethod::IsSome => Some(Value::bool(inner.is_some())),
        OptionMethod::IsNone => Some(Value::bool(inner.is_none())),
        OptionMethod::Ok => Some(Value::option(inner)),
        OptionMethod::Unwrap => inner,
        OptionMethod::UnwrapOr => inner.or_else(|| args.get(1).cloned()),
        OptionMethod::UnwrapOrDefault => inner.or_else(|| Some(Value::Num(Num::from_bits(ret?, 0)))),
        OptionMethod::Or => inner.map(|v| Value::option(Some(v))).or_else(|| args.get(1).cloned()),
    }
}
