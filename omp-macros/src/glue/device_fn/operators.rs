//! The operators of std that device types may have: their traits and methods.

use crate::parse::operators::{ASSIGNING, BINARY, UNARY};
use crate::parse::primitives::is_primitive;
use crate::parse::tokens::file::SourceFile;
use crate::parse::tokens::source::first_word;
use proc_macro2::Ident;

/// Operators of two operands, and those that assign: the trait and its method.
pub(in crate::glue) fn binary() -> impl Iterator<Item = (&'static str, &'static str)> {
    BINARY.into_iter().map(|(_, of, method)| (of, method)).chain(ASSIGNING)
}

/// No operators, but methods that a device may have.
const METHODS: &[(&str, &str)] = &[
    ("Default", "default"),
    ("From", "from"),
    ("TryFrom", "try_from"),
    ("PartialEq", "eq"),
    ("PartialOrd", "partial_cmp"),
    ("Ord", "cmp"),
];

/// Whether a trait is an operator's.
pub(super) fn is_trait(name: &str) -> bool {
    binary().chain(UNARY).any(|(of, _)| of == name)
}

/// A trait of std and the method that a device may have, by the trait's name.
pub(in crate::glue) fn known(of: &str) -> Option<(&'static str, &'static str)> {
    binary().chain(UNARY).chain(METHODS.iter().copied()).find(|(name, _)| *name == of)
}

/// The operators of a type with a primitive on the right (`impl Mul<f64> for Wind`), and its conversions from primitives, that the
/// file of its name shows, for generic code.
pub(in crate::glue) fn with_numbers(name: &Ident) -> Vec<(String, String)> {
    let Some(file) = SourceFile::of(name.span()) else { return Vec::new() };
    let of = |(ty, op, rhs): &(String, String, String)| (name == ty).then(|| (op.clone(), rhs.clone()));
    let mut found: Vec<_> = file.shows(shown).iter().filter_map(of).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Type, operator and primitive of each `impl` of this form in a text.
fn shown(text: &str) -> Vec<(String, String, String)> {
    let of = |(at, _): (usize, &str)| {
        let head = text[..at].rsplit("impl").next()?.trim();
        let (op, rhs) = head.rsplit("::").next()?.split_once('<')?;
        let known = (op == "From" || binary().any(|(name, _)| name == op)) && is_primitive(rhs.trim());
        known.then(|| {
            (first_word(text[at + "> for ".len()..].trim_start()), op.to_owned(), rhs.trim().to_owned())
        })
    };
    text.match_indices("> for ").filter_map(of).collect()
}
