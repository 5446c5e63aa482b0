//! The names of primitive types. (Tokens don't show whether a name is an alias of a user's; rustc reports those.)

/// Integers of up to 64 bits.
pub const INTEGERS: [&str; 10] = ["i8", "i16", "i32", "i64", "isize", "u8", "u16", "u32", "u64", "usize"];

/// Those of up to 64 bits.
pub const PRIMITIVES: [&str; 14] =
    ["i8", "i16", "i32", "i64", "isize", "u8", "u16", "u32", "u64", "usize", "f32", "f64", "bool", "char"];

/// Whether devices have a primitive type of this name.
pub fn is_primitive(name: &str) -> bool {
    PRIMITIVES.contains(&name) || name == "u128"
}
