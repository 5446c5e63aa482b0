//! Unrolls sequential loops of a known length. It is always legal.
use super::{Refused, change};
use crate::program::{Axis, Index, Program, Stmt};

/// Unrolls all sequential loops of a known length.
///
/// # Errors
/// Never.
pub fn unroll(program: &mut Program) -> Result<(), Refused> {
    change(program, |program, mut body| {
        list(program, &mut body);
        Ok(body)
    })
}

fn list(program: &Program, stmts: &mut [Stmt]) {
    for stmt in stmts {
        if let Stmt::Loop { var, trips: Index::Const(_), axis: axis @ Axis::Serial, .. } = stmt
            && !program.chunks.contains(var)
        {
            *axis = Axis::Unrolled;
        }
        if let Some(inner) = stmt.inner_mut() {
            list(program, inner);
        }
    }
}
