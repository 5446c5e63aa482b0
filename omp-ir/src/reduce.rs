//! Identities of the built-in reduction operators: one table for host, interpreter and emitters.
use super::desc::Prim;
use super::template::ReduceOp;

impl ReduceOp {
    /// The bits of the value `e` with `e ⊕ x == x` for every `x`, zero-extended to 64; `None` where the type has no
    /// such operator.
    ///
    /// Floats: `-0.0` for `+` (`0.0 + -0.0` is `0.0`), the infinities for `min` and `max` (which ignore a NaN).
    #[must_use]
    pub fn identity(self, prim: Prim) -> Option<u64> {
        let float = |f: f64| if prim == Prim::F32 { u64::from((f as f32).to_bits()) } else { f.to_bits() };
        let mask = if prim.size() >= 8 { u64::MAX } else { (1 << (8 * prim.size())) - 1 };
        let int = |v: i128| v as u64 & mask;
        Some(match (self, prim) {
            (Self::And, Prim::Bool) | (Self::BitAnd, Prim::Bool) => 1,
            (Self::Or | Self::BitOr | Self::BitXor, Prim::Bool) => 0,
            (_, Prim::Bool | Prim::U128) | (Self::And | Self::Or, _) => return None,
            (Self::Add, p) if p.is_float() => float(-0.0),
            (Self::Mul, p) if p.is_float() => float(1.0),
            (Self::Min, p) if p.is_float() => float(f64::INFINITY),
            (Self::Max, p) if p.is_float() => float(f64::NEG_INFINITY),
            (Self::BitAnd | Self::BitOr | Self::BitXor, p) if p.is_float() => return None,
            (Self::Add | Self::BitOr | Self::BitXor, _) => 0,
            (Self::Mul, _) => 1,
            (Self::BitAnd, _) => mask,
            (Self::Min, p) => int(p.int_range()?.1),
            (Self::Max, p) => int(p.int_range()?.0),
        })
    }

    /// The result is one of the operands: what a copy starts from may be the item itself.
    #[must_use]
    pub const fn keeps_operands(self) -> bool {
        matches!(self, Self::Min | Self::Max)
    }

    /// The operator as the clause writes it.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Mul => "*",
            Self::Min => "min",
            Self::Max => "max",
            Self::BitAnd => "&",
            Self::BitOr => "|",
            Self::BitXor => "^",
            Self::And => "&&",
            Self::Or => "||",
        }
    }
}
