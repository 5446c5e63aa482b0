//! Branches that constants decide: `if v.len() > 32 { … }` of an array with a fixed length. What is never reached has no exits and no checks.
use super::typer::constant::Constants;
use omp_ir::ids::ExprId;
use omp_ir::kernel::{Kernel, TypedCode, Types};
use omp_ir::template::{BinOp, Block, Expr, Stmt};
use omp_ir::visit;

/// Puts the branch that is taken in the place of the statement.
pub(super) fn apply(kernel: &mut Kernel) {
    let types = &kernel.types;
    for code in std::iter::once(&mut kernel.body).chain(kernel.fns.iter_mut().map(|f| &mut f.body)) {
        let constants = Constants::of(types, code);
        let mut block = std::mem::take(&mut code.code.block);
        decide(types, code, &constants, &mut block);
        code.code.block = block;
    }
}

fn decide(types: &Types, code: &TypedCode, constants: &Constants, block: &mut Block) {
    for mut stmt in std::mem::take(&mut block.0) {
        for inner in visit::blocks_of_mut(&mut stmt).into_iter().flatten() {
            decide(types, code, constants, inner);
        }
        match stmt {
            Stmt::If { cond, then, els } => match holds(types, code, constants, cond) {
                Some(true) => block.0.extend(then.0),
                Some(false) => block.0.extend(els.0),
                None => block.0.push(Stmt::If { cond, then, els }),
            },
            stmt => block.0.push(stmt),
        }
    }
}

/// A comparison of constant numbers.
fn holds(types: &Types, code: &TypedCode, constants: &Constants, cond: ExprId) -> Option<bool> {
    let Expr::Binary(op, a, b) = &code.code.exprs[cond.index()].expr else { return None };
    let (a, b) = (constants.int(types, code, *a)?, constants.int(types, code, *b)?);
    Some(match op {
        BinOp::Eq => a == b,
        BinOp::Ne => a != b,
        BinOp::Lt => a < b,
        BinOp::Le => a <= b,
        BinOp::Gt => a > b,
        BinOp::Ge => a >= b,
        _ => return None,
    })
}
