//! Reproducible reductions: one tree over all iterations, whatever the grid and the device.
//!
//! `T(n)`, the tree over `n` values in a row, is the value itself for one, and otherwise `T` of the first `p` values
//! combined with `T` of the rest, where `p` is the largest power of two below `n`. Its leaves are runs of
//! [`FIXED_LEAF`] iterations, each combined from left to right. As `p` is a multiple of every smaller power of two,
//! the tree over the trees of aligned runs of `2^k` leaves is the tree over the leaves: so threads can have aligned
//! runs, and those can be combined in further launches, with the same result. The host does the same
//! (`host::reduce_fixed`), and `fold` (in the templates) makes the tree from values that come one by one.
use super::body::Body;
use super::operator;
use super::reduce;
use crate::back::Arg;
use crate::schedule::{FIXED_LEAF, FIXED_RUN};

/// Writes the kernel: the first launch combines runs of iterations, the second runs of these, the third is one thread.
pub(crate) fn write(body: &mut Body<'_, '_>) {
    let items = operator::items(body);
    body.define_items(&items, &["fold"], &[]);
    body.begin();
    let s = body.w.syntax;
    let [x, y, z] = body.w.schedule.block;
    let (total, phase, partials) = (body.total(), body.arg(Arg::Phase), body.arg(Arg::Partials));
    let (thread, threads, runs) = (body.name("thread"), body.name("threads"), body.name("runs"));
    let (per_block, global, cx) = (x * y * z, s.global, body.context_arg());
    body.out.line(format!("const u64 {threads} = (u64){} * {per_block}u;", s.blocks(0)));
    body.out.line(format!(
        "const u64 {thread} = (u64){} * {per_block}u + {};",
        s.block_id(0),
        s.thread_id(0)
    ));
    body.out.line(format!("const u64 {runs} = ({total} + {FIXED_RUN} - 1) / {FIXED_RUN};"));
    let upper = body.name("upper");
    body.out.line(format!("{global}u8* {upper} = {partials} + {runs} * PARTIAL_BYTES;"));

    let (k, at, end, leaf, t) =
        (body.name("k"), body.name("at"), body.name("end"), body.name("leaf"), body.name("t"));
    let c = body.counter();
    body.out.open(format!("if ({phase} == 0) {{"));
    body.out.open(format!("for (u64 {k} = {thread}; {k} < {runs}; {k} += {threads}) {{"));
    body.out.line("fold levels;");
    body.out.line("fold_begin(&levels);");
    body.out.line(format!(
        "const u64 {end} = ({k} + 1) * {FIXED_RUN} < {total} ? ({k} + 1) * {FIXED_RUN} : {total};"
    ));
    body.out.open(format!("for (u64 {at} = {k} * {FIXED_RUN}; {at} < {end}; {at} += {FIXED_LEAF}) {{"));
    body.out.line(format!("const u64 {leaf} = {at} + {FIXED_LEAF} < {end} ? {at} + {FIXED_LEAF} : {end};"));
    for (_, item) in &items {
        body.out.line(format!("{} {} = {};", item.ty, item.local, item.start));
    }
    body.out.open(format!("for (u64 {t} = {at}; {t} < {leaf}; {t}++) {{"));
    body.declare_dims_from(&format!("({c}){t}"));
    body.iteration();
    body.out.close("}");
    let mine = body.name("mine");
    body.out.line(format!("items {mine};"));
    for (j, item) in &items {
        body.out.line(format!("{mine}.v{j} = {};", item.local));
    }
    body.out.line(format!("fold_push({cx}&levels, {mine});"));
    body.out.close("}");
    body.out.line(format!("*({global}items*)({partials} + {k} * PARTIAL_BYTES) = fold_total({cx}&levels);"));
    body.out.close("}");

    body.out.close(format!("}} else if ({phase} == 1) {{"));
    body.out.depth += 1;
    body.out.open(format!("for (u64 {k} = {thread}; {k} * {FIXED_RUN} < {runs}; {k} += {threads}) {{"));
    body.out.line("fold levels;");
    body.out.line("fold_begin(&levels);");
    body.out.line(format!(
        "const u64 {end} = ({k} + 1) * {FIXED_RUN} < {runs} ? ({k} + 1) * {FIXED_RUN} : {runs};"
    ));
    body.out.line(format!(
        "for (u64 {at} = {k} * {FIXED_RUN}; {at} < {end}; {at}++) \
         fold_push({cx}&levels, *(const {global}items*)({partials} + {at} * PARTIAL_BYTES));"
    ));
    body.out.line(format!("*({global}items*)({upper} + {k} * PARTIAL_BYTES) = fold_total({cx}&levels);"));
    body.out.close("}");

    body.out.close(format!("}} else if ({thread} == 0) {{"));
    body.out.depth += 1;
    body.out.line("fold levels;");
    body.out.line("fold_begin(&levels);");
    body.out.line(format!(
        "for (u64 {k} = 0; {k} * {FIXED_RUN} < {runs}; {k}++) \
         fold_push({cx}&levels, *(const {global}items*)({upper} + {k} * PARTIAL_BYTES));"
    ));
    let sum = body.name("sum");
    body.out.line(format!("const items {sum} = fold_total({cx}&levels);"));
    reduce::store_results(body, &items, &sum);
    body.out.close("}");
}
