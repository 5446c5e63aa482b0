//! The reference interpreter of typed kernels: every emitter and transformation is compared with it. It is written for
//! clarity, runs one iteration after the other, and checks everything.
//!
//! Arithmetic is Rust's because it *is* Rust's: `number` and `method` call the function of the right primitive. There
//! is one team of one thread, on the host. The interpreter checks every subscript, also those whose check was dropped,
//! so it never accesses memory outside of an array.
mod exec;
pub(crate) mod method;
mod number;
mod parts;
mod place;
mod reduce;
mod value;

use crate::analysis::plan::DimValues;
use crate::ids::{FnId, LocalId, SrcId};
use crate::kernel::Kernel;
use crate::template::Stmt;

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

/// Runs statements of a kernel's body by themselves, with given values of its variables.
pub struct Statements<'a>(exec::Machine<'a>);

impl<'a> Statements<'a> {
    /// For statements of this kernel that use only the lengths of its arrays.
    #[must_use]
    pub fn new(kernel: &'a Kernel, memory: &'a mut Memory) -> Self {
        Self(exec::Machine::new(kernel, memory))
    }

    /// Runs statements, where variables are primitives of these bits, and gives the bits of others afterwards.
    ///
    /// # Errors
    /// The first check that fails.
    pub fn run(
        &mut self,
        stmts: &[Stmt],
        given: &[(LocalId, u64)],
        wanted: &[LocalId],
    ) -> Result<Vec<Option<u64>>, Failure> {
        self.0.statements(stmts, given, wanted).map_err(|stopped| *stopped)
    }
}
