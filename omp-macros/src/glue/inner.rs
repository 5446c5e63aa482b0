//! Reductions of inner loops on the host: sums of floats are made in short blocks, so that their error does not grow with
//! the number of iterations. Everything else is the loop as it stands.
use super::{numbered, private};
use crate::ast::{ClauseOp, InnerLoop};
use crate::sema::reduction;
use omp_kernels::ir::template::ReduceOp;
use proc_macro2::TokenStream;
use syn::{Expr, ExprForLoop};

/// As long as a block of the region's own reductions.
const BLOCK: u64 = 64;

/// The loop with what it reduces in blocks; `None` where that changes nothing. `place` is what stands for an item.
pub(super) fn in_blocks(
    n: usize,
    inner: &InnerLoop,
    f: &mut ExprForLoop,
    mut place: impl FnMut(&Expr) -> TokenStream,
) -> Option<TokenStream> {
    let clauses = &inner.directive.clauses.reductions;
    let p = private();
    // What is `reproducible` has numbers beside it.
    let items = clauses.iter().filter(|c| !c.reproducible).filter_map(|c| match c.op {
        ClauseOp::Builtin(ReduceOp::Add) => Some((code!(#p::op::Add), c)),
        ClauseOp::Builtin(ReduceOp::Mul) => Some((code!(#p::op::Mul), c)),
        ClauseOp::Builtin(_) | ClauseOp::Declared(_) => None,
    });
    let items = items.flat_map(|(op, c)| c.items.iter().map(move |i| (op.clone(), i)));
    // What is updated element by element is no value that could be put aside.
    let arrays: Vec<_> = clauses
        .iter()
        .flat_map(|c| &c.items)
        .zip(reduction::facts_of(clauses, &inner.nest.body, &[]))
        .filter(|(_, facts)| facts.array)
        .map(|(item, _)| &item.key)
        .collect();
    let items = items.filter(|(_, i)| !arrays.contains(&&i.key));
    let items: Vec<_> = items.map(|(op, i)| (op, place(&i.place))).collect();
    if items.is_empty() {
        return None;
    }
    let count = numbered("n", n);
    let (mut before, mut flush, mut after) = (TokenStream::new(), TokenStream::new(), TokenStream::new());
    for (k, (op, item)) in items.iter().enumerate() {
        let name = |what: &str| numbered(&format!("{what}{n}_"), k);
        let (long, first, fold) = (name("long"), name("first"), name("fold"));
        // The types are known when this is compiled: of the two ways one is left.
        let join = code!(&|__a, __b| (&&#p::Item::<#op, _>::of(&__a)).omp_with(__a, __b));
        before.extend(code! {
            let #long = (&&#p::Item::<#op, _>::of(&#item)).omp_block() == u64::MAX;
            let #first = #item;
            let mut #fold = #p::Fold::new();
            if !#long {
                #item = (&&#p::Item::<#op, _>::of(&#item)).omp_start(&#item);
            }
        });
        flush.extend(code! {
            if !#long {
                (&mut #fold).push(#item, #join);
                #item = (&&#p::Item::<#op, _>::of(&#item)).omp_start(&#item);
            }
        });
        after.extend(code! {
            if !#long {
                let __sum = #fold.last(#item, #join);
                #item = (&&#p::Item::<#op, _>::of(&#item)).omp_with(#first, __sum);
            }
        });
    }
    let block = proc_macro2::Literal::u64_unsuffixed(BLOCK);
    let head = code! {
        if #count == #block {
            #flush
            #count = 0;
        }
        #count += 1;
    };
    // At the head of an iteration, which `continue` can't skip.
    at_head(f, inner.loops.len(), head);
    Some(code! {
        {
            #before
            let mut #count = 0u64;
            #f
            #after
        }
    })
}

/// Puts statements at the head of the innermost parallel loop's body.
fn at_head(f: &mut ExprForLoop, loops: usize, head: TokenStream) {
    if loops > 1
        && let Some(next) = super::noted::loop_in(&mut f.body.stmts)
    {
        return at_head(next, loops - 1, head);
    }
    f.body.stmts.insert(0, syn::Stmt::Expr(Expr::Verbatim(head), None));
}
