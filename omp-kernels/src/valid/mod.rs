//! Types and validation: from a template and rustc's answers to a [`Kernel`] and the token that emission needs.
use crate::analysis::plan::LaunchPlan;
use crate::ir::kernel::{Kernel, RegionTypes};
use crate::ir::template::KernelTemplate;

/// Proof that a kernel is well typed, with what was learnt on the way. Only [`finalise`] makes one; emission
/// demands it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct KernelInfo {
    /// Formulas for the launch.
    pub plan: LaunchPlan,
    /// A device function calls itself, directly or not (OpenCL can't).
    pub recursive: bool,
    /// f64 occurs.
    pub uses_f64: bool,
    /// 64-bit integers other than indices occur in memory.
    pub uses_i64: bool,
    /// Checks that stay in the kernel whatever the sizes: bounds, division, panic, overflow. Zero, and no subscript
    /// left unproved at launch: the kernel has no status word.
    pub residual_checks: usize,
    /// Debug build: integer arithmetic is checked for overflow.
    pub overflow_checks: bool,
}

/// Why a region can't go to a device although it compiled.
#[derive(Debug, Clone, PartialEq)]
pub struct TypeError {
    /// What was found and what is allowed.
    pub message: String,
    /// Line and column in the region's file, if it is in one.
    pub place: Option<(u32, u32)>,
}

/// Types every expression, drops what is proved, and validates.
///
/// # Errors
/// When an operator, method or cast is applied to types that no device has it for.
pub fn finalise(
    template: KernelTemplate,
    types: RegionTypes,
    overflow_checks: bool,
) -> Result<(Kernel, KernelInfo), TypeError> {
    let _ = (template, types, overflow_checks);
    todo!()
}
