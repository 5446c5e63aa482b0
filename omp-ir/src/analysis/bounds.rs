//! Bounds of subscripts at macro time: what is decided without sizes.
use super::form::{Arith, NodeId, Op};
use super::survey::{Limit, Subscript, Survey, Untyped};
use super::walk::survey;
use crate::template::{Code, KernelTemplate};

/// What macro time knows of one subscript.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccessClass {
    /// The launch plan will have a formula for it (so the host loop may leave its check out when the plan says so).
    pub affine: bool,
    /// It is reached in every iteration of the loops around it: not under a condition, nor after something that
    /// may end the iteration early.
    pub unconditional: bool,
}

/// By [`AccessId`](crate::ids::AccessId). Only subscripts directly on mapped arrays are ever `affine` here;
/// later subscripts of nested arrays (`[k]` of `a[i][k]`) and local arrays are not.
///
/// What the host's parallel loop relies on: it leaves a check out if and only if the subscript is `affine` and
/// `unconditional`. Every such subscript is [`Proved`](crate::kernel::BoundsVerdict::Proved), trusted, or
/// [`AtLaunch`](crate::kernel::BoundsVerdict::AtLaunch) in the launch plan, never residual, and a launch that
/// can't prove it lists it in [`LaunchFacts::unproved`](super::plan::LaunchFacts::unproved): then the host must run
/// the serial loop, which checks everything. A proof holds for all values that the loop variables around the
/// subscript take, so inner loops, also those that may run zero times, need no further care.
#[must_use]
pub fn at_compile_time(template: &KernelTemplate) -> Vec<AccessClass> {
    let none = AccessClass { affine: false, unconditional: false };
    let mut classes = vec![none; template.code.accesses.len()];
    let survey = survey(template, &template.code, Untyped::default());
    for check in &survey.checks {
        let understood = match check.subscript {
            Subscript::At(n) => formula(&survey, n),
            Subscript::Range(lo, hi) => formula(&survey, lo) && formula(&survey, hi),
            Subscript::Divisor { .. } | Subscript::Nowhere => false,
        };
        classes[check.access.index()] = AccessClass {
            affine: understood && matches!(check.limit, Limit::Array(_)),
            unconditional: survey.unconditional(check.ctx),
        };
    }
    classes
}

/// Made of loop variables with understood bounds and launch constants, by arithmetic whose range we know well.
fn formula(survey: &Survey, node: NodeId) -> bool {
    let mut ok = true;
    survey.depends(node, &mut |_, n| {
        ok &= match n.op {
            Op::Const(_) | Op::Sym(_) | Op::Var(_) | Op::Neg(_) | Op::Cast(_) => true,
            Op::Opaque(_)
            | Op::Not(_)
            | Op::Rel(..)
            | Op::Select(..)
            | Op::Method(..)
            | Op::Carried(..)
            | Op::After(..) => false,
            Op::Bin(op, ..) => !matches!(op, Arith::Or | Arith::Xor | Arith::AbsDiff),
        };
    });
    ok
}

/// As [`at_compile_time`] for a device function: nothing is known of its slices, so nothing is affine.
#[must_use]
pub fn of_function(code: &Code) -> Vec<AccessClass> {
    code.accesses.iter().map(|_| AccessClass { affine: false, unconditional: false }).collect()
}
