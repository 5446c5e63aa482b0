//! Makes a sequential loop with independent iterations parallel. The launch knows that they access different elements;
//! the step checks the variables.
use super::Refused;
use crate::program::{Axis, Program, Stmt};

/// Makes the sequential loop that is all of what the parallel loops run one of them.
///
/// # Errors
/// The parallel loops run other statements, too.
pub fn parallelise(program: &mut Program) -> Result<(), Refused> {
    let mut at = &mut program.body;
    loop {
        match at.as_mut_slice() {
            [Stmt::Loop { axis: Axis::Parallel, body, .. } | Stmt::If { body, .. }] => at = body,
            [Stmt::Loop { axis, .. }] if *axis == Axis::Serial => {
                *axis = Axis::Parallel;
                return Ok(());
            }
            _ => return Err("the parallel loops run more than one loop".into()),
        }
    }
}
