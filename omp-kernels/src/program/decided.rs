//! The kernel of a nest's interior: conditions that have one value there are left out, with the sides that are not taken.
use omp_ir::flow::early_exit::breaks;
use omp_ir::ids::ExprId;
use omp_ir::kernel::Kernel;
use omp_ir::template::{Block, Stmt};
use omp_ir::visit;
use std::collections::BTreeMap;

/// The kernel for iterations in which these conditions have these values.
#[must_use]
pub fn decided(kernel: &Kernel, conditions: &BTreeMap<ExprId, bool>) -> Kernel {
    let mut made = kernel.clone();
    let block = std::mem::take(&mut made.body.code.block);
    made.body.code.block = taken(block, conditions);
    made
}

fn taken(block: Block, conditions: &BTreeMap<ExprId, bool>) -> Block {
    let mut out = Vec::with_capacity(block.0.len());
    for mut stmt in block.0 {
        if let Stmt::If { cond, then, els } = &mut stmt
            && let Some(holds) = conditions.get(cond)
        {
            let side = std::mem::take(if *holds { then } else { els });
            out.extend(taken(side, conditions).0);
            continue;
        }
        for inner in visit::blocks_of_mut(&mut stmt).into_iter().flatten() {
            *inner = taken(std::mem::take(inner), conditions);
        }
        match stmt {
            // A labelled block that no `break` ends any more is a list of statements.
            Stmt::Labelled { body, label } if !breaks(&body, label) => out.extend(body.0),
            other => out.push(other),
        }
    }
    Block(out)
}
