//! Bounds of subscripts, as far as macro time can tell.
use crate::ir::template::{Code, KernelTemplate};

/// What macro time knows of one subscript.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccessClass {
    /// The launch plan will have a formula for it (so the host loop may leave its check out when the plan says so).
    pub affine: bool,
    /// It is reached in every iteration of the loops around it: not under a condition, nor after something that
    /// may leave the iteration early.
    pub unconditional: bool,
}

/// By [`AccessId`](crate::ir::ids::AccessId). Only subscripts directly on mapped arrays are ever `affine` here;
/// later subscripts of nested arrays (`[k]` of `a[i][k]`) and local arrays are not.
#[must_use]
pub fn at_compile_time(template: &KernelTemplate) -> Vec<AccessClass> {
    let _ = template;
    todo!()
}

/// As [`at_compile_time`] for a device function: nothing is known of its slices, so nothing is affine.
#[must_use]
pub fn of_function(code: &Code) -> Vec<AccessClass> {
    code.accesses.iter().map(|_| AccessClass { affine: false, unconditional: false }).collect()
}
