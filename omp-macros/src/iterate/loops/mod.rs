//! `for` loops over iterators: the expression after `in`, the pattern, and the body become those of a counted loop.
//!
//! * [`chain`]: the expression after `in`: the number of items, and the item of number `k`.
//! * [`pattern`]: matches the loop's pattern with an item.
//! * [`walk`]: replaces the names of items, by Rust's scoping.
//! * [`code_sinking`]: where collapsed loops declare the names of their items.
//! * [`counting`]: `while` loops that count.
//! * [`numbered`]: ranges under `enumerate`.
//! * [`loop_invariant`]: the number of items of inner loops, if it is loop-invariant: it is evaluated before the region.
pub(super) mod chain;
pub mod code_sinking;
pub(super) mod counting;
pub(super) mod items;
pub(super) mod loop_invariant;
pub(super) mod numbered;
pub(super) mod pattern;
pub(super) mod walk;
