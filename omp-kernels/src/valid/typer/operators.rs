//! The operators and casts that exist, by type.
use omp_ir::desc::Prim;
use omp_ir::ids::TyId;
use omp_ir::kernel::{Ty, Types};
use omp_ir::template::{BinOp, UnOp};

/// A type as the user would write it.
#[must_use]
pub fn type_name(types: &Types, ty: TyId) -> String {
    match types.get(ty) {
        Ty::Unit => "()".into(),
        Ty::Never => "!".into(),
        Ty::Prim(p) => p.name().into(),
        Ty::Array(elem, n) => format!("[{}; {n}]", type_name(types, *elem)),
        Ty::Struct(desc, fields) if desc.name.starts_with('(') => {
            let fields: Vec<_> = fields.iter().map(|&f| type_name(types, f)).collect();
            format!("({}{})", fields.join(", "), if fields.len() == 1 { "," } else { "" })
        }
        Ty::Struct(desc, _) => desc.name.into(),
        Ty::Enum(desc) => desc.name.into(),
        Ty::Data(desc, _) => desc.name.into(),
        Ty::Option(payload) => format!("Option<{}>", type_name(types, *payload)),
        Ty::Slice(elem) => format!("&[{}]", type_name(types, *elem)),
    }
}

/// What `lhs op rhs` is: the type of the left operand, `bool`, or nothing.
pub(in crate::valid) enum Binary {
    OfLeft,
    Bool,
}

/// The rule for `lhs op rhs`; `Err` says what is allowed.
pub(super) fn binary(op: BinOp, lhs: &Ty, rhs: &Ty) -> Result<Binary, String> {
    let (Ty::Prim(l), Ty::Prim(r)) = (lhs, rhs) else {
        return match (op, lhs) {
            (BinOp::Eq | BinOp::Ne, Ty::Enum(_) | Ty::Unit) if lhs == rhs => Ok(Binary::Bool),
            _ => Err(not_primitive(lhs, rhs)),
        };
    };
    let same = l == r;
    let (fits, result, allowed) = match op {
        BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Rem => {
            (same && (l.is_int() || l.is_float()), Binary::OfLeft, "two numbers of one type")
        }
        BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor => {
            (same && (l.is_int() || *l == Prim::Bool), Binary::OfLeft, "two integers of one type or two bool")
        }
        BinOp::Shl | BinOp::Shr => (l.is_int() && r.is_int(), Binary::OfLeft, "two integers"),
        BinOp::And | BinOp::Or => (same && *l == Prim::Bool, Binary::Bool, "two bool"),
        BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => {
            (same, Binary::Bool, "two numbers of one type or two bool")
        }
    };
    if fits { Ok(result) } else { Err(format!("it takes {allowed}")) }
}

fn not_primitive(lhs: &Ty, rhs: &Ty) -> String {
    let of = |ty: &Ty| match ty {
        Ty::Struct(desc, _) if desc.name.starts_with('(') => {
            Some("tuples of numbers alone are compared on devices")
        }
        Ty::Struct(desc, _) if desc.derived.overflow().is_some() => {
            Some("of `u128` devices have no wrapping `/`, `%` and `-w`; compute with the number, `w.0`")
        }
        Ty::Struct(..) | Ty::Enum(_) | Ty::Data(..) => Some(
            "a generic function knows no device function of it; put `#[omp::declare_target]` on the `impl` of the operator, or, if its type has parameters other than one number, write the type out in place of the parameter",
        ),
        Ty::Array(..) | Ty::Slice(_) => {
            Some("on devices arrays of numbers are compared, and have no other operators")
        }
        Ty::Option(_) => Some("on devices `Option`s of numbers are compared; else `match` it"),
        Ty::Unit | Ty::Never | Ty::Prim(_) => None,
    };
    of(lhs).or_else(|| of(rhs)).unwrap_or("it takes two numbers of one type").to_owned()
}

/// The rule for a unary operator; `Err` says what is allowed.
pub(super) fn unary(op: UnOp, ty: &Ty) -> Result<(), String> {
    match (op, ty) {
        (UnOp::Neg, Ty::Prim(p)) if p.is_signed() => Ok(()),
        (UnOp::Not, Ty::Prim(p)) if p.is_int() || *p == Prim::Bool => Ok(()),
        (UnOp::Neg, Ty::Prim(_)) => Err("it takes a signed integer or a float".into()),
        (UnOp::Not, Ty::Prim(_)) => Err("it takes an integer or bool".into()),
        (_, other) => Err(not_primitive(other, other)),
    }
}

/// The rule for `value as to`; `Err` says what is allowed.
pub(super) fn cast(from: &Ty, to: &Ty) -> Result<(), &'static str> {
    match (from, to) {
        _ if from == to => Ok(()),
        (Ty::Prim(Prim::Bool | Prim::Char) | Ty::Enum(_), Ty::Prim(to)) if to.is_int() => Ok(()),
        (Ty::Prim(Prim::Bool | Prim::Char) | Ty::Enum(_), _) => Err("it casts to integers"),
        // No other number is a character for sure.
        (Ty::Prim(Prim::U8), Ty::Prim(Prim::Char)) => Ok(()),
        (_, Ty::Prim(Prim::Char)) => Err("only `u8` casts to `char`; `char::from_u32` converts others"),
        (Ty::Prim(_), Ty::Prim(Prim::Bool)) => Err("numbers don't cast to bool; compare with zero"),
        (Ty::Prim(a), Ty::Prim(b))
            if (a.is_float() && *b == Prim::U128) || (b.is_float() && *a == Prim::U128) =>
        {
            Err("a device has no casts between `u128` and floats: cast to `u64` on the way")
        }
        (Ty::Prim(_), Ty::Prim(_)) => Ok(()),
        _ => Err("casts are between numbers, and from bool, char and field-less enums to integers"),
    }
}
