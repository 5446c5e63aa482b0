//! The reference interpreter of typed kernels: what every emitter and transformation is compared with. It is
//! written for clarity, runs one iteration after the other, and checks everything.
//!
//! Arithmetic is Rust's because it *is* Rust's: `number` and `method` call the function of the right primitive. There
//! is one team of one thread, on the host. A subscript whose check was dropped is checked all the same: memory is
//! never left.
mod exec;
pub(crate) mod method;
mod number;
mod parts;
mod place;
mod reduce;
mod value;

use crate::analysis::plan::DimValues;
use crate::ids::{FnId, SrcId};
use crate::kernel::Kernel;

pub use exec::range_values;

/// The data of a run, as bytes in rustc's layout.
#[derive(Debug, Clone, PartialEq)]
pub struct Memory {
    /// By array: all elements.
    pub arrays: Vec<Vec<u8>>,
    /// By scalar.
    pub scalars: Vec<Vec<u8>>,
    /// By dimension; `None` for dependent ones.
    pub dims: Vec<Option<DimValues>>,
}

/// A failed check.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// In the body or in this function.
    pub function: Option<FnId>,
    /// Where.
    pub src: SrcId,
    /// As Rust words it: "index out of bounds: the len is 3 but the index is 3".
    pub message: String,
}

/// Runs all iterations of a kernel that was validated in order. Gives the reduced value of each item (operator applied to identity and all
/// iterations, not to the item's initial value), as bytes.
///
/// # Errors
/// The first check that fails.
pub fn run(kernel: &Kernel, memory: &mut Memory) -> Result<Vec<Vec<u8>>, Failure> {
    exec::Machine::new(kernel, memory).run()
}
