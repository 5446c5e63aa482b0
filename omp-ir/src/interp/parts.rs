//! Comparisons part by part (tuples, arrays, `Option`s) and of enums by their discriminants.
use super::method::ordering;
use super::number::{Num, binary};
use super::value::Value;
use crate::desc::{Derived, EnumDesc};
use crate::ids::TyId;
use crate::kernel::{Ty, Types};
use crate::method::{ExtremeOp, Method, PartsOp};
use crate::template::BinOp;
use std::cmp::Ordering;

/// The value of a call on a receiver of type `ty`; `None` if the method is none of these.
pub(super) fn call(method: Method, args: &[Value], types: &Types, ty: TyId) -> Option<Option<Value>> {
    let less = |a: &Value, b: &Value| compared(types, ty, PartsOp::Lt, a, b);
    if let (Method::Clamp, [a, low, high]) = (method, args) {
        return Some(match (less(a, low), less(high, a)) {
            (Some(true), _) => Some(low.clone()),
            (_, Some(true)) => Some(high.clone()),
            _ => Some(a.clone()),
        });
    }
    let [a, b] = args else { return None };
    Some(match method {
        Method::Parts(op) => compared(types, ty, op, a, b).map(Value::bool),
        Method::Extreme(op) => less(b, a).map(|second_is_less| match (op, second_is_less) {
            (ExtremeOp::Max, true) | (ExtremeOp::Min, false) => a.clone(),
            (ExtremeOp::Max, false) | (ExtremeOp::Min, true) => b.clone(),
        }),
        Method::Compare { partial } if types.prim(ty).is_none() => {
            let order = match (less(a, b), less(b, a), compared(types, ty, PartsOp::Eq, a, b)) {
                (Some(true), _, _) => Some(Ordering::Less),
                (_, Some(true), _) => Some(Ordering::Greater),
                (_, _, Some(true)) => Some(Ordering::Equal),
                _ => None,
            };
            let order = order.map(ordering);
            if partial { Some(Value::option(order)) } else { order }
        }
        _ => return None,
    })
}

/// `a op b` part by part; the last part decides if all before it are equal.
fn compared(types: &Types, ty: TyId, op: PartsOp, a: &Value, b: &Value) -> Option<bool> {
    match (types.get(ty), a, b) {
        (Ty::Struct(desc, fields), Value::Struct(a), Value::Struct(b)) => {
            let (a, b) = if desc.derived == Derived::Reversed { (b, a) } else { (a, b) };
            in_turn(types, fields.iter().copied(), op, a, b)
        }
        (Ty::Array(elem, _), Value::Array(a), Value::Array(b)) => {
            in_turn(types, std::iter::repeat(*elem), op, a, b)
        }
        (Ty::Option(payload), Value::Option(a), Value::Option(b)) => match (a, b) {
            (Some(a), Some(b)) => compared(types, *payload, op, a, b),
            (a, b) => Some(match op {
                PartsOp::Eq => a.is_none() && b.is_none(),
                PartsOp::Lt => a.is_none() && b.is_some(),
                PartsOp::Le => a.is_none(),
            }),
        },
        (Ty::Enum(desc), Value::Enum(a), Value::Enum(b)) => {
            let (a, b) = (number(desc, *a)?, number(desc, *b)?);
            Some(match op {
                PartsOp::Eq => a == b,
                PartsOp::Lt => a < b,
                PartsOp::Le => a <= b,
            })
        }
        (_, Value::Num(a), Value::Num(b)) => {
            let op = match op {
                PartsOp::Eq => BinOp::Eq,
                PartsOp::Lt => BinOp::Lt,
                PartsOp::Le => BinOp::Le,
            };
            Some(matches!(binary(op, *a, *b, false), Ok(Num::Bool(true))))
        }
        _ => None,
    }
}

fn in_turn(
    types: &Types,
    parts: impl Iterator<Item = TyId>,
    op: PartsOp,
    a: &[Value],
    b: &[Value],
) -> Option<bool> {
    for ((a, b), part) in a.iter().zip(b).zip(parts) {
        if !compared(types, part, PartsOp::Eq, a, b)? {
            return match op {
                PartsOp::Eq => Some(false),
                PartsOp::Lt | PartsOp::Le => compared(types, part, op, a, b),
            };
        }
    }
    Some(op != PartsOp::Lt)
}

/// The number of the variant with these bits.
fn number(desc: &EnumDesc, bits: u64) -> Option<i128> {
    let mask = u64::MAX >> (64 - 8 * desc.size.min(8));
    desc.variants.iter().find(|(_, _, stands)| *stands & mask == bits & mask).map(|v| v.1)
}
