//! Lets blocks whose tile has no iteration within the limits of the loops run nothing. All threads of a block decide alike, so none is
//! missing at a barrier.
use super::{Refused, change};
use crate::program::{Program, Stmt};

/// Puts the statements of a block under the condition [`Program::nowhere`].
///
/// # Errors
/// Never.
pub fn skip(program: &mut Program) -> Result<(), Refused> {
    if program.nowhere.is_empty() {
        return Ok(());
    }
    change(program, |program, mut body| {
        let at = body.iter().position(|stmt| !matches!(stmt, Stmt::Let(..))).unwrap_or(body.len());
        let rest = body.split_off(at);
        body.push(Stmt::If { less: std::mem::take(&mut program.nowhere), body: rest });
        Ok(body)
    })
}
