//! Loop coalescing: sequential loops that stand one in the other become one loop, as in a contraction over two indices of tensors:
//!
//! ```text
//! for k in 0..m {                                for kl in 0..m * n {
//!     for l in 0..n { s += a[k * n + l] }   =>       s += a[kl]
//! }                                              }
//! ```
//!
//! This file finds such loops by their statements. The numbers of a launch decide whether one loop moves every subscript as the two
//! loops do ([`plan`](crate::analysis::plan)), and device programs refuse loops whose variables stand outside of subscripts.
use super::effects;
use super::interchange::{is_pure, reads};
use crate::kernel::Kernel;
use crate::template::{Block, Stmt};
use crate::visit::{blocks_of, blocks_of_mut};
use std::collections::BTreeSet;

/// The sequential loops, by their numbers in the order of the code, of which an iteration is another loop and no more than numbers for
/// it. The second is the number of all sequential loops.
#[must_use]
pub fn perfect(kernel: &Kernel) -> (BTreeSet<u32>, u32) {
    let (mut found, mut next) = (BTreeSet::new(), 0);
    each_loop(&kernel.body.code.block, &mut next, &mut |l, body| {
        if split(kernel, body).is_some() {
            found.insert(l);
        }
    });
    (found, next)
}

/// The kernel in which each of these loops is one with the loop in it, whose variable counts the iterations of both. They are among those
/// that [`perfect`] gives.
#[must_use]
pub fn coalesced(kernel: &Kernel, loops: &BTreeSet<u32>) -> Option<Kernel> {
    if !loops.is_subset(&perfect(kernel).0) {
        return None;
    }
    let mut made = kernel.clone();
    made.body.code.block = of_block(kernel, &kernel.body.code.block, loops, &mut 0);
    Some(made)
}

fn of_block(kernel: &Kernel, block: &Block, loops: &BTreeSet<u32>, next: &mut u32) -> Block {
    let mut out = block.clone();
    for stmt in &mut out.0 {
        while let Stmt::For { body, .. } = stmt {
            *next += 1;
            let Some((before, inner)) = split(kernel, body).filter(|_| loops.contains(&(*next - 1))) else {
                break;
            };
            let (before, mut inner) = (before.to_vec(), inner.clone());
            if let Stmt::For { body, .. } = &mut inner {
                body.0.splice(..0, before);
            }
            *stmt = inner;
        }
        for inner in blocks_of_mut(stmt).into_iter().flatten() {
            *inner = of_block(kernel, inner, loops, next);
        }
    }
    out
}

/// What an iteration is: numbers for the inner loop, which may as well be computed in that, and the inner loop.
fn split<'b>(kernel: &Kernel, body: &'b Block) -> Option<(&'b [Stmt], &'b Stmt)> {
    let (last, before) = body.0.split_last()?;
    let Stmt::For { body: inner, range, .. } = last else { return None };
    let assigned = effects::assigned(&kernel.body.code, inner);
    let moves = |stmt: &Stmt| is_pure(kernel, stmt) && !reads(&kernel.body.code, stmt, &assigned);
    (range.adaptors.is_empty() && before.iter().all(moves)).then_some((before, last))
}

fn each_loop(block: &Block, next: &mut u32, f: &mut impl FnMut(u32, &Block)) {
    for stmt in &block.0 {
        if let Stmt::For { body, .. } = stmt {
            f(*next, body);
            *next += 1;
        }
        blocks_of(stmt).into_iter().flatten().for_each(|inner| each_loop(inner, next, f));
    }
}
