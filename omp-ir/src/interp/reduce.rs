//! Reduction operators on two numbers, with Rust's semantics; integers wrap.
use super::number::{Num, binary};
use crate::template::{BinOp, ReduceOp};

/// `a ⊕ b`
///
/// # Panics
/// When the type has no such operator: the kernel was validated.
pub(super) fn reduced(op: ReduceOp, a: Num, b: Num) -> Num {
    let by = match op {
        ReduceOp::Add => BinOp::Add,
        ReduceOp::Mul => BinOp::Mul,
        ReduceOp::BitAnd | ReduceOp::And => BinOp::BitAnd,
        ReduceOp::BitOr | ReduceOp::Or => BinOp::BitOr,
        ReduceOp::BitXor => BinOp::BitXor,
        ReduceOp::Min | ReduceOp::Max => return extreme(op == ReduceOp::Max, a, b),
    };
    binary(by, a, b, false).expect("nothing overflows unchecked")
}

fn extreme(most: bool, a: Num, b: Num) -> Num {
    match (a, b) {
        (Num::F32(a), Num::F32(b)) => Num::F32(if most { a.max(b) } else { a.min(b) }),
        (Num::F64(a), Num::F64(b)) => Num::F64(if most { a.max(b) } else { a.min(b) }),
        _ if (b.to_int() > a.to_int()) == most => b,
        _ => a,
    }
}
