//! Literals: the target's compiler reads exactly the value that is written.
use crate::back::Dialect;
use crate::back::syntax::Syntax;
use omp_ir::desc::Prim;

/// An integer of a type.
pub(crate) fn int(syntax: &Syntax, prim: Prim, value: i128) -> String {
    let [unsigned, signed] = syntax.long_suffix;
    match prim {
        Prim::U64 | Prim::Usize => format!("{value}{unsigned}"),
        Prim::U128 => {
            let (high, low) = ((value >> 64) as u64, value as u64);
            format!("((u128){high}{unsigned} << 64 | {low}{unsigned})")
        }
        Prim::I64 | Prim::Isize if value == i128::from(i64::MIN) => format!("(-{}{signed} - 1)", i64::MAX),
        Prim::I64 | Prim::Isize if value < 0 => format!("({value}{signed})"),
        Prim::I64 | Prim::Isize => format!("{value}{signed}"),
        Prim::I32 if value == i128::from(i32::MIN) => format!("(-{} - 1)", i32::MAX),
        Prim::U32 | Prim::Char => format!("{value}u"),
        Prim::Bool => if value == 0 { "false" } else { "true" }.to_owned(),
        Prim::F32 => float(syntax, prim, value as f64),
        Prim::F64 => float(syntax, prim, value as f64),
        Prim::I8 | Prim::I16 | Prim::I32 | Prim::U8 | Prim::U16 if value < 0 => format!("({value})"),
        Prim::I8 | Prim::I16 | Prim::I32 | Prim::U8 | Prim::U16 => format!("{value}"),
    }
}

/// A finite or infinite float, or NaN, of a type (an `f32` is given as the `f64` of the same value).
pub(crate) fn float(syntax: &Syntax, prim: Prim, value: f64) -> String {
    let single = prim == Prim::F32;
    if !value.is_finite() {
        return special(syntax, single, value);
    }
    let suffix = if single { "f" } else { "" };
    let text = if value == 0.0 {
        "0.0".to_owned()
    } else if value.abs() < 1e15 && (value * 1024.0).fract() == 0.0 {
        format!("{:?}", value.abs()) // few digits, which all compilers read alike
    } else {
        hex(value.abs())
    };
    if value.is_sign_negative() { format!("(-{text}{suffix})") } else { format!("{text}{suffix}") }
}

/// Infinity and NaN, by their bits.
fn special(syntax: &Syntax, single: bool, value: f64) -> String {
    let (bits32, bits64) = ((value as f32).to_bits(), value.to_bits());
    match (syntax.dialect, single) {
        (Dialect::Cuda, true) => format!("__int_as_float((int){bits32:#x}u)"),
        (Dialect::Cuda, false) => format!("__longlong_as_double((long long){bits64:#x}ull)"),
        (Dialect::OpenCl, true) => format!("as_float({bits32:#x}u)"),
        (Dialect::OpenCl, false) => format!("as_double({bits64:#x}ul)"),
    }
}

/// A float in the initialiser of a table, which is a constant expression.
pub(crate) fn float_in_table(syntax: &Syntax, prim: Prim, value: f64) -> String {
    if value.is_finite() {
        return float(syntax, prim, value);
    }
    match (syntax.dialect, prim) {
        (Dialect::Cuda, Prim::F32) => format!("__builtin_bit_cast(float, {:#x}u)", (value as f32).to_bits()),
        (Dialect::Cuda, _) => format!("__builtin_bit_cast(double, {:#x}ull)", value.to_bits()),
        // NVIDIA's compiler takes neither `NAN` nor `INFINITY` for constant.
        (Dialect::OpenCl, prim) => {
            let f = if prim == Prim::F32 { "f" } else { "" };
            let sign = if value.is_nan() {
                "0.0"
            } else if value > 0.0 {
                "1.0"
            } else {
                "-1.0"
            };
            format!("({sign}{f} / 0.0{f})")
        }
    }
}

/// A positive finite float as `0x1.8p+1`.
fn hex(value: f64) -> String {
    let bits = value.to_bits();
    let exponent = i64::from((bits >> 52) as u32 & 0x7ff);
    let mantissa = bits & ((1 << 52) - 1);
    let (lead, exponent) = if exponent == 0 { (0, -1022) } else { (1, exponent - 1023) };
    let digits = format!("{mantissa:013x}");
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    format!("0x{lead}{point}{digits}p{exponent:+}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_exact() {
        let s = Syntax::of(Dialect::OpenCl);
        assert_eq!(float(s, Prim::F64, 2.5), "2.5");
        assert_eq!(float(s, Prim::F32, -1.0), "(-1.0f)");
        assert_eq!(float(s, Prim::F64, 0.1), "0x1.999999999999ap-4");
        assert_eq!(float(s, Prim::F32, f64::from(0.1f32)), "0x1.99999ap-4f");
        assert_eq!(float(s, Prim::F64, -0.0), "(-0.0)");
        assert_eq!(float(s, Prim::F64, f64::from_bits(1)), "0x0.0000000000001p-1022");
        assert_eq!(float(s, Prim::F64, f64::INFINITY), "as_double(0x7ff0000000000000ul)");
        assert_eq!(float(s, Prim::F64, 1e300), "0x1.7e43c8800759cp+996");
    }

    #[test]
    fn the_least_integers_are_written_as_differences() {
        let s = Syntax::of(Dialect::Cuda);
        assert_eq!(int(s, Prim::I64, i64::MIN.into()), "(-9223372036854775807ll - 1)");
        assert_eq!(int(s, Prim::I32, i32::MIN.into()), "(-2147483647 - 1)");
        assert_eq!(int(s, Prim::Usize, 5), "5ull");
        assert_eq!(int(s, Prim::I8, -128), "(-128)");
    }
}
