//! The operators that `std::ops` has traits for.

/// Operators of two operands: the symbol, the trait and its method.
pub const BINARY: [(&str, &str, &str); 10] = [
    ("+", "Add", "add"),
    ("-", "Sub", "sub"),
    ("*", "Mul", "mul"),
    ("/", "Div", "div"),
    ("%", "Rem", "rem"),
    ("&", "BitAnd", "bitand"),
    ("|", "BitOr", "bitor"),
    ("^", "BitXor", "bitxor"),
    ("<<", "Shl", "shl"),
    (">>", "Shr", "shr"),
];

/// Those that assign, in the same order: the trait and its method.
pub const ASSIGNING: [(&str, &str); 10] = [
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

/// Operators of one operand: the trait and its method.
pub const UNARY: [(&str, &str); 2] = [("Neg", "neg"), ("Not", "not")];
