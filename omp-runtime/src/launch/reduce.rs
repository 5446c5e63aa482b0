//! Combines the value that a reduction item has with what the region computed: `item ⊕ result`, in Rust's meaning of
//! the operator; integers wrap.
use omp_kernels::ir::desc::Prim;
use omp_kernels::ir::template::ReduceOp;

/// `a ⊕ b` on the bits of two values of a primitive type, in the low bytes of a word; the bytes above are zero.
/// `None` where the type has no such operator.
#[must_use]
pub fn combine_bits(op: ReduceOp, prim: Prim, a: u64, b: u64) -> Option<u64> {
    match prim {
        Prim::F32 => {
            let bits = |v: u64| f32::from_bits(v as u32);
            float(op, bits(a), bits(b)).map(|v| u64::from(v.to_bits()))
        }
        Prim::F64 => float(op, f64::from_bits(a), f64::from_bits(b)).map(f64::to_bits),
        Prim::Bool => logical(op, a != 0, b != 0).map(u64::from),
        Prim::I8
        | Prim::I16
        | Prim::I32
        | Prim::I64
        | Prim::Isize
        | Prim::U8
        | Prim::U16
        | Prim::U32
        | Prim::U64
        | Prim::Usize => integer(op, prim, a, b),
    }
}

trait Float: Copy + std::ops::Add<Output = Self> + std::ops::Mul<Output = Self> {
    fn least(self, other: Self) -> Self;
    fn most(self, other: Self) -> Self;
}

impl Float for f32 {
    fn least(self, other: Self) -> Self {
        self.min(other)
    }
    fn most(self, other: Self) -> Self {
        self.max(other)
    }
}

impl Float for f64 {
    fn least(self, other: Self) -> Self {
        self.min(other)
    }
    fn most(self, other: Self) -> Self {
        self.max(other)
    }
}

fn float<F: Float>(op: ReduceOp, a: F, b: F) -> Option<F> {
    Some(match op {
        ReduceOp::Add => a + b,
        ReduceOp::Mul => a * b,
        ReduceOp::Min => a.least(b),
        ReduceOp::Max => a.most(b),
        ReduceOp::BitAnd | ReduceOp::BitOr | ReduceOp::BitXor | ReduceOp::And | ReduceOp::Or => return None,
    })
}

fn logical(op: ReduceOp, a: bool, b: bool) -> Option<bool> {
    Some(match op {
        ReduceOp::And | ReduceOp::BitAnd => a && b,
        ReduceOp::Or | ReduceOp::BitOr => a || b,
        ReduceOp::BitXor => a != b,
        ReduceOp::Add | ReduceOp::Mul | ReduceOp::Min | ReduceOp::Max => return None,
    })
}

fn integer(op: ReduceOp, prim: Prim, a: u64, b: u64) -> Option<u64> {
    // Addition, multiplication and the bit operators agree on signed and unsigned bits.
    let bits = match op {
        ReduceOp::Add => a.wrapping_add(b),
        ReduceOp::Mul => a.wrapping_mul(b),
        ReduceOp::BitAnd => a & b,
        ReduceOp::BitOr => a | b,
        ReduceOp::BitXor => a ^ b,
        ReduceOp::Min if value_of(prim, a) <= value_of(prim, b) => a,
        ReduceOp::Max if value_of(prim, a) >= value_of(prim, b) => a,
        ReduceOp::Min | ReduceOp::Max => b,
        ReduceOp::And | ReduceOp::Or => return None,
    };
    Some(bits & mask(prim))
}

fn mask(prim: Prim) -> u64 {
    u64::MAX >> (64 - 8 * prim.size())
}

/// The number that the low bytes of a word are as an integer (or `bool`) of this type.
#[must_use]
pub fn value_of(prim: Prim, bits: u64) -> i128 {
    let shift = 64 - 8 * prim.size();
    if prim.is_signed() {
        i128::from((bits << shift).cast_signed() >> shift)
    } else {
        i128::from(bits & mask(prim))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_on_every_kind_of_type() {
        use ReduceOp::{Add, And, BitAnd, BitOr, BitXor, Max, Min, Mul, Or};
        let f = |v: f32| u64::from(v.to_bits());
        let d = f64::to_bits;
        for (op, prim, a, b, expected) in [
            (Add, Prim::U8, 250, 10, Some(4)),
            (Add, Prim::I8, 0x7f, 1, Some(0x80)),
            (Mul, Prim::U64, u64::MAX, 2, Some(u64::MAX - 1)),
            (Mul, Prim::I16, 0xffff, 0xffff, Some(1)),
            (Min, Prim::I8, 0xff, 1, Some(0xff)),
            (Min, Prim::U8, 0xff, 1, Some(1)),
            (Max, Prim::I64, u64::MAX, 0, Some(0)),
            (Max, Prim::Usize, u64::MAX, 0, Some(u64::MAX)),
            (BitAnd, Prim::U32, 12, 10, Some(8)),
            (BitOr, Prim::I32, 12, 3, Some(15)),
            (BitXor, Prim::U16, 12, 10, Some(6)),
            (And, Prim::Bool, 1, 0, Some(0)),
            (Or, Prim::Bool, 1, 0, Some(1)),
            (BitXor, Prim::Bool, 1, 1, Some(0)),
            (And, Prim::U8, 1, 1, None),
            (Add, Prim::Bool, 1, 1, None),
            (Add, Prim::F32, f(1.5), f(2.25), Some(f(3.75))),
            (Mul, Prim::F64, d(1.5), d(-2.0), Some(d(-3.0))),
            (Min, Prim::F32, f(f32::NAN), f(2.0), Some(f(2.0))),
            (Max, Prim::F64, d(-1.0), d(f64::NAN), Some(d(-1.0))),
            (BitAnd, Prim::F32, 0, 0, None),
        ] {
            assert_eq!(combine_bits(op, prim, a, b), expected, "{op:?} {prim:?} {a:#x} {b:#x}");
        }
    }

    #[test]
    fn identities_change_nothing() {
        use ReduceOp::{Add, And, BitAnd, BitOr, BitXor, Max, Min, Mul, Or};
        for op in [Add, Mul, Min, Max, BitAnd, BitOr, BitXor, And, Or] {
            for prim in
                [Prim::Bool, Prim::I8, Prim::U16, Prim::I32, Prim::U64, Prim::Isize, Prim::F32, Prim::F64]
            {
                let Some(e) = op.identity(prim) else { continue };
                for bits in [0, 1] {
                    assert_eq!(combine_bits(op, prim, bits, e), Some(bits), "{op:?} {prim:?}");
                    assert_eq!(combine_bits(op, prim, e, bits), Some(bits), "{op:?} {prim:?}");
                }
            }
        }
    }
}
