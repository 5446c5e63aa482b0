//! The operators of std that device types may have: their traits and methods.

/// Operators of two operands: the trait and its method.
pub(in crate::glue) const BINARY: &[(&str, &str)] = &[
    ("Add", "add"),
    ("Sub", "sub"),
    ("Mul", "mul"),
    ("Div", "div"),
    ("Rem", "rem"),
    ("BitAnd", "bitand"),
    ("BitOr", "bitor"),
    ("BitXor", "bitxor"),
    ("Shl", "shl"),
    ("Shr", "shr"),
    ("AddAssign", "add_assign"),
    ("SubAssign", "sub_assign"),
    ("MulAssign", "mul_assign"),
    ("DivAssign", "div_assign"),
    ("RemAssign", "rem_assign"),
    ("BitAndAssign", "bitand_assign"),
    ("BitOrAssign", "bitor_assign"),
    ("BitXorAssign", "bitxor_assign"),
    ("ShlAssign", "shl_assign"),
    ("ShrAssign", "shr_assign"),
];

/// Operators of one operand.
pub(in crate::glue) const UNARY: &[(&str, &str)] = &[("Neg", "neg"), ("Not", "not")];

/// No operators, but methods that a device may have.
const METHODS: &[(&str, &str)] = &[
    ("Default", "default"),
    ("From", "from"),
    ("PartialEq", "eq"),
    ("PartialOrd", "partial_cmp"),
    ("Ord", "cmp"),
];

/// Whether a trait is an operator's.
pub(super) fn is_trait(name: &str) -> bool {
    BINARY.iter().chain(UNARY).any(|(of, _)| *of == name)
}

/// A trait of std and the method that a device may have, by the trait's name.
pub(in crate::glue) fn known(of: &str) -> Option<(&'static str, &'static str)> {
    BINARY.iter().chain(UNARY).chain(METHODS).copied().find(|(name, _)| *name == of)
}
