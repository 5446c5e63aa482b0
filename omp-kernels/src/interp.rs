//! The reference interpreter, for kernels that were validated: what every emitter is compared with.
use crate::valid::KernelInfo;
use omp_ir::kernel::Kernel;

pub use omp_ir::interp::{Failure, Memory, range_values};

/// Runs all iterations in order. Gives the reduced value of each item (operator applied to identity and all
/// iterations, not to the item's initial value), as bytes.
///
/// # Errors
/// The first check that fails.
pub fn run(kernel: &Kernel, _: &KernelInfo, memory: &mut Memory) -> Result<Vec<Vec<u8>>, Failure> {
    omp_ir::interp::run(kernel, memory)
}
