//! Scans in three launches: the sum of each part of the loop, the prefix of each part, and the loop.
//!
//! A part is the contiguous iterations of one thread. The first launch runs the statements that a part's sum depends on, with the
//! carried values starting at the identity; it stores only the sums. The second launch, one block, goes through the parts in
//! order and replaces a part's sum by its prefix, beginning with the element before the first one, or the scalar's value. The
//! third launch runs the loop, each part from its prefix. So an element has the value of the serial loop, except for the
//! association of floats. Launches of a queue run one after the other, so no part waits for another while it runs, on any device.
//!
//! In place is safe: the sums are computed before anything is stored, and in the loop itself an iteration accesses no element
//! that another one stores (the analysis proves that for the loop without its carried values).
use crate::back::Arg;
use crate::back::c::body::Body;
use crate::back::c::expr::literal;
use crate::back::c::operator;
use crate::back::c::operator::Item;
use crate::back::c::strategy::reduction::reduce;
use crate::back::c::strategy::shares::{self, Share};
use omp_ir::kernel::{Kernel, Reducer};
use omp_ir::template::{ScanParts, Stmt};

/// Writes the kernel.
pub(crate) fn write(body: &mut Body<'_, '_>) {
    let mut items = operator::items(body);
    neutral(body, &mut items);
    body.define_items(&items, &[], &[]);
    body.begin();
    let global = body.w.syntax.global;
    let (phase, partials) = (body.arg(Arg::Phase), body.arg(Arg::Partials));
    let Share { worker, workers, first: from, end: to } = shares::of_thread(body);
    let part = body.name("part");
    body.out.line(format!("{global}u8* {part} = {partials} + {worker} * PARTIAL_BYTES;"));
    let (fold, seed, rest) = parts(body.w.kernel, items.len());

    body.out.open(format!("if ({phase} == 0) {{"));
    declare(body, &items, |item| item.start.clone());
    each_iteration(body, &from, &to, fold);
    let sum = body.name("sum");
    collect(body, &items, &sum);
    body.out.line(format!("*({global}items*){part} = {sum};"));

    body.out.close("} else if (".to_owned() + &phase + " == 1) {");
    body.out.depth += 1;
    starts(body, &items, seed, &workers);

    body.out.close("} else {");
    body.out.depth += 1;
    let start = body.name("start");
    body.out.line(format!("const items {start} = *(const {global}items*){part};"));
    let mut ks = items.iter().map(|(k, _)| *k).collect::<Vec<_>>().into_iter();
    declare(body, &items, |_| format!("{start}.v{}", ks.next().unwrap_or_default()));
    each_iteration(body, &from, &to, rest);
    // The thread with the last iteration has the last values.
    let total = body.total();
    body.out.open(format!("if ({from} < {to} && {to} == {total}) {{"));
    let last = body.name("last");
    collect(body, &items, &last);
    reduce::store_results(body, &items, &last);
    body.out.close("}");
    body.out.close("}");
}

/// By one block: what the parts add up to gives way to what they start from. Each thread has parts in a row; what those of
/// the threads before add up to, one of them finds out.
fn starts(body: &mut Body<'_, '_>, items: &[(usize, Item)], seed: &[Stmt], workers: &str) {
    let s = body.w.syntax;
    let (id, global, cx) = (s.thread_id(0), s.global, body.context_arg());
    let threads: u32 = body.w.schedule.block.iter().product();
    let partials = body.arg(Arg::Partials);
    let (share, from, to) = (body.name("share"), body.name("first_part"), body.name("end_part"));
    let (sum, w, running, next) = (body.name("sum"), body.name("w"), body.name("running"), body.name("next"));
    let at = format!("*({global}items*)({partials} + {w} * PARTIAL_BYTES)");
    body.out.line(format!("if ({} != 0) return;", s.block_id(0)));
    body.out.line(format!("const u64 {share} = ({workers} + {threads} - 1) / {threads};"));
    body.out.line(format!("const u64 {from} = {id} * {share};"));
    body.out.line(format!("const u64 {to} = {from} + {share} < {workers} ? {from} + {share} : {workers};"));
    let each = format!("for (u64 {w} = {from}; {w} < {to}; {w}++)");
    if threads > 1 {
        let of_thread = body.name("of_thread");
        let shared = format!("{}items {of_thread}[{threads}];\n", s.shared);
        body.out.text.insert_str(0, &format!("    {shared}"));
        body.out.line(format!("items {sum} = identity();"));
        body.out.line(format!("{each} {sum} = combine({cx}{sum}, {at});"));
        body.out.line(format!("{of_thread}[{id}] = {sum};"));
        body.barrier();
        body.out.open(format!("if ({id} == 0) {{"));
        first(body, items, seed);
        collect(body, items, &running);
        let k = body.name("k");
        body.out.open(format!("for (u32 {k} = 0; {k} < {threads}u; {k}++) {{"));
        body.out.line(format!("const items {next} = {of_thread}[{k}];"));
        body.out.line(format!("{of_thread}[{k}] = {running};"));
        body.out.line(format!("{running} = combine({cx}{running}, {next});"));
        body.out.close("}");
        body.out.close("}");
        body.barrier();
        body.out.line(format!("items {running} = {of_thread}[{id}];"));
    } else {
        first(body, items, seed);
        collect(body, items, &running);
    }
    body.out.open(format!("{each} {{"));
    body.out.line(format!("const items {next} = {at};"));
    body.out.line(format!("{at} = {running};"));
    body.out.line(format!("{running} = combine({cx}{running}, {next});"));
    body.out.close("}");
}

/// The identity of each operator, from which a part's sum starts. `fmin` and `fmax` drop a NaN, so their identity is NaN, which keeps
/// another NaN. A scalar may be compared in other ways, and its sums start from the scalar itself.
pub(in crate::back::c) fn neutral(body: &mut Body<'_, '_>, items: &mut [(usize, Item)]) {
    for (k, item) in items {
        match &item.reducer {
            Reducer::Builtin(op, prim) if op.keeps_operands() && prim.is_float() => {
                item.identity = literal::float(body.w.syntax, *prim, f64::NAN);
                let start = body.w.kernel.template.reductions[*k].start;
                item.start = start.map_or_else(|| item.identity.clone(), |s| body.arg(Arg::Scalar(s)));
            }
            reducer => {
                item.identity = body.reducer_identity(&reducer.clone());
                item.start.clone_from(&item.identity);
            }
        }
    }
}

/// Declares the carried values as the first iteration starts from them.
pub(in crate::back::c) fn first(body: &mut Body<'_, '_>, items: &[(usize, Item)], seed: &[Stmt]) {
    let starts: Vec<_> = body.w.kernel.template.reductions.iter().map(|r| r.start).collect();
    let first: Vec<String> = items
        .iter()
        .map(|(k, item)| starts[*k].map_or_else(|| item.identity.clone(), |s| body.arg(Arg::Scalar(s))))
        .collect();
    let mut first = first.into_iter();
    declare(body, items, |_| first.next().unwrap_or_default());
    each_iteration(body, "0", "1", seed);
}

/// The statements of the sum, those for the starting value, and the iteration. Each thread adds up in copies of its own, so nothing
/// has to keep the items.
pub(in crate::back::c) fn parts(kernel: &Kernel, items: usize) -> (&[Stmt], &[Stmt], &[Stmt]) {
    let block = &kernel.body.code.block;
    match kernel.template.scan.and_then(|scan| scan.parts(block)) {
        Some(ScanParts { fold, seed, rest }) if fold.len() >= 2 * items => {
            (&fold[items..fold.len() - items], &seed.0, rest)
        }
        _ => (&[], &[], &block.0),
    }
}

/// Declares the carried values.
pub(in crate::back::c) fn declare(
    body: &mut Body<'_, '_>,
    items: &[(usize, Item)],
    mut first: impl FnMut(&Item) -> String,
) {
    for (_, item) in items {
        let first = first(item);
        body.out.line(format!("{} {} = {first};", item.ty, item.local));
    }
}

/// Makes `items` of the carried values.
pub(in crate::back::c) fn collect(body: &mut Body<'_, '_>, items: &[(usize, Item)], name: &str) {
    body.out.line(format!("items {name};"));
    for (k, item) in items {
        body.out.line(format!("{name}.v{k} = {};", item.local));
    }
}

fn each_iteration(body: &mut Body<'_, '_>, from: &str, to: &str, stmts: &[Stmt]) {
    if stmts.is_empty() {
        return;
    }
    let (c, t) = (body.counter(), body.name("t"));
    body.by_itself(|body| {
        body.out.open(format!("for (u64 {t} = {from}; {t} < {to}; {t}++) {{"));
        body.declare_dims_from(&format!("({c}){t}"));
        body.iteration_of(stmts);
        body.out.close("}");
    });
}
