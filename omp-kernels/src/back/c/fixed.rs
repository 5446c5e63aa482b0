//! Reproducible reductions: one tree over all iterations, whatever the grid and the device.
//!
//! `T(n)`, the tree over `n` values in a row, is the value itself for one, and otherwise `T` of the first `p` values
//! combined with `T` of the rest, where `p` is the largest power of two below `n`. Its leaves are runs of
//! [`FIXED_LEAF`] iterations, each combined from left to right, sums of floats with the number beside them that
//! [`super::sums`] tells of. As `p` is a multiple of every smaller power of two,
//! the tree over the trees of aligned runs of `2^k` leaves is the tree over the leaves: so threads can have aligned
//! runs, and those can be combined in further launches, with the same result. The host does the same
//! (`host::fixed`), and `fold` (in the templates) makes the tree from values that come one by one.
//!
//! Reduced arrays have a copy for each run, whose length sizes alone decide ([`crate::schedule::fixed_run`]); the copies
//! are combined with the array's elements in their order.
use super::body::Body;
use super::operator::{self, Item};
use super::ordered::{self, Copies};
use super::reduce;
use super::sums::{Low, Sum, float_sum};
use crate::back::Arg;
use crate::ir::template::Base;
use crate::schedule::{FIXED_LEAF, FIXED_RUN, fixed_loops};

/// Names of the kernel's variables.
struct Names {
    thread: String,
    threads: String,
    /// How many runs there are, of how many iterations each.
    runs: String,
    run: u64,
    partials: String,
    /// What comes behind these: partial results of partial results.
    upper: String,
}

/// Writes the kernel: the first launch combines runs of iterations, the second runs of these, the third is one thread.
pub(crate) fn write(body: &mut Body<'_, '_>, run: u64) {
    let mut items = operator::items(body);
    for (k, item) in &mut items {
        let local = body.w.kernel.template.reductions[*k].local();
        if let (Some(prim), Some(local)) = (float_sum(&item.reducer), local) {
            let low = body.name(&format!("{}_low", item.local));
            let low = item.low.insert(low).clone();
            body.sums.push(Sum {
                base: Base::Local(local),
                part: None,
                prim,
                low: Low::Local(low),
                space: "",
            });
        }
    }
    let arrays = body.w.kernel.array_items();
    body.define_items(&items, &["fold"], &[]);
    body.begin();
    let s = body.w.syntax;
    let [x, y, z] = body.w.schedule.block;
    let (phase, partials) = (body.arg(Arg::Phase), body.arg(Arg::Partials));
    let total = iterations_of(body);
    let [thread, threads, runs, upper] = ["thread", "threads", "runs", "upper"].map(|name| body.name(name));
    let (per_block, global) = (x * y * z, s.global);
    body.out.line(format!("const u64 {threads} = (u64){} * {per_block}u;", s.blocks(0)));
    body.out.line(format!(
        "const u64 {thread} = (u64){} * {per_block}u + {};",
        s.block_id(0),
        s.thread_id(0)
    ));
    body.out.line(format!("const u64 {runs} = ({total} + {run}u - 1) / {run}u;"));
    body.out.line(format!("{global}u8* {upper} = {partials} + {runs} * PARTIAL_BYTES;"));
    let places = ordered::copies(body, &arrays, &runs, true);
    let names = Names { thread, threads, runs, run, partials, upper };
    body.out.open(format!("if ({phase} == 0) {{"));
    iterations(body, &items, &places, &names, &total);
    body.own.clear();
    body.sums.clear();
    body.out.close(format!("}} else if ({phase} == 1) {{"));
    body.out.depth += 1;
    if !items.is_empty() {
        combine_runs(body, &names);
    }
    for place in &places {
        ordered::gather_each(body, place, (&names.thread, &names.threads), &names.runs);
    }
    if !items.is_empty() {
        body.out.close(format!("}} else if ({} == 0) {{", names.thread));
        body.out.depth += 1;
        results(body, &items, &names);
    }
    body.out.close("}");
}

/// The number of iterations that are counted.
fn iterations_of(body: &mut Body<'_, '_>) -> String {
    let loops = fixed_loops(body.w.kernel);
    if loops == body.w.kernel.template.dims.len() {
        return body.total();
    }
    let counts: Vec<_> = (0..loops).map(|d| body.arg(Arg::DimCount(d as u32))).collect();
    let total = body.name("counted");
    body.out.line(format!("const u64 {total} = {};", counts.join(" * ")));
    total
}

/// One of them: where bounds depend on others, with all that they lead to.
fn iteration(body: &mut Body<'_, '_>, t: &str) {
    let (c, loops, dims) = (body.counter(), fixed_loops(body.w.kernel), body.w.kernel.template.dims.len());
    body.declare_leading_dims(loops, &format!("({c}){t}"));
    for d in loops..dims {
        let (count, k) = (body.arg(Arg::DimCount(d as u32)), body.name("k"));
        body.out.open(format!("for (u64 {k} = 0; {k} < {count}; {k}++) {{"));
        body.declare_dim(d, &k);
    }
    body.iteration();
    for _ in loops..dims {
        body.out.close("}");
    }
}

/// Each thread has runs of iterations.
fn iterations(
    body: &mut Body<'_, '_>,
    items: &[(usize, Item)],
    places: &[Copies],
    names: &Names,
    total: &str,
) {
    let Names { thread, threads, runs, run, partials, .. } = names;
    let [k, at, end, leaf, t] = ["k", "at", "end", "leaf", "t"].map(|name| body.name(name));
    let (global, cx) = (body.w.syntax.global, body.context_arg());
    body.out.open(format!("for (u64 {k} = {thread}; {k} < {runs}; {k} += {threads}) {{"));
    for place in places {
        ordered::fill(body, place, (&k, runs));
    }
    body.out.line(format!("const u64 {at}_0 = {k} * {run}u;"));
    body.out.line(format!("const u64 {end} = {total} - {at}_0 > {run}u ? {at}_0 + {run}u : {total};"));
    if items.is_empty() {
        body.out.open(format!("for (u64 {t} = {at}_0; {t} < {end}; {t}++) {{"));
        iteration(body, &t);
        body.out.close("}");
        body.out.close("}");
        return;
    }
    body.out.line("fold levels;");
    body.out.line("fold_begin(&levels);");
    body.out.open(format!("for (u64 {at} = {at}_0; {at} < {end}; {at} += {FIXED_LEAF}) {{"));
    body.out.line(format!("const u64 {leaf} = {at} + {FIXED_LEAF} < {end} ? {at} + {FIXED_LEAF} : {end};"));
    for (_, item) in items {
        body.declare_item(item);
    }
    body.out.open(format!("for (u64 {t} = {at}; {t} < {leaf}; {t}++) {{"));
    iteration(body, &t);
    body.out.close("}");
    let mine = body.name("mine");
    body.out.line(format!("items {mine};"));
    for (j, item) in items {
        body.out.line(format!("{mine}.v{j} = {};", item.local));
    }
    body.out.line(format!("fold_push({cx}&levels, {mine});"));
    body.out.close("}");
    body.out.line(format!("*({global}items*)({partials} + {k} * PARTIAL_BYTES) = fold_total({cx}&levels);"));
    body.out.close("}");
}

/// Each thread combines runs of what runs came to.
fn combine_runs(body: &mut Body<'_, '_>, names: &Names) {
    let Names { thread, threads, runs, partials, upper, .. } = names;
    let [k, at, end] = ["k", "at", "end"].map(|name| body.name(name));
    let (global, cx) = (body.w.syntax.global, body.context_arg());
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
}

/// One thread combines what is left.
fn results(body: &mut Body<'_, '_>, items: &[(usize, Item)], names: &Names) {
    let Names { runs, upper, .. } = names;
    let (global, cx, k) = (body.w.syntax.global, body.context_arg(), body.name("k"));
    body.out.line("fold levels;");
    body.out.line("fold_begin(&levels);");
    body.out.line(format!(
        "for (u64 {k} = 0; {k} * {FIXED_RUN} < {runs}; {k}++) \
         fold_push({cx}&levels, *(const {global}items*)({upper} + {k} * PARTIAL_BYTES));"
    ));
    let sum = body.name("sum");
    body.out.line(format!("const items {sum} = fold_total({cx}&levels);"));
    reduce::store_results(body, items, &sum);
}
