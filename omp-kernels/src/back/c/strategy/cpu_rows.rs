//! Iterations on a CPU core, where a block is one thread. A thread has contiguous iterations. They are cut into parts of rows,
//! where a row is the innermost loop. Each part is a plain loop that compilers can vectorise, and only the start of a part is
//! computed by divisions.
use super::super::body::Body;
use super::vector::Around;
use crate::back::Arg;

/// The most iterations of a part.
const MOST: u64 = 4096;

/// Writes the loops. With `chunks`, iterations go in chunks of that many, with something around each.
pub(crate) fn write(body: &mut Body<'_, '_>, chunks: Option<(u32, &mut dyn Around)>) {
    let (block, blocks) = (body.w.syntax.block_id(0), body.w.syntax.blocks(0));
    // Signed, as nothing wraps: compilers have to know that neighbours stay neighbours.
    let c = if body.w.schedule.index32 { "i32" } else { "u64" };
    let last = body.w.kernel.template.dims.len() - 1;
    let outer: Vec<String> = (0..last).map(|d| body.arg(Arg::DimCount(d as u32))).collect();
    let (total, row_len) = (body.total(), body.arg(Arg::DimCount(last as u32)));
    let [len, parts, all, part, from, end] =
        ["len", "parts", "all", "part", "from", "end"].map(|name| body.name(name));
    // Some for each block, so that uneven ones even out; whole chunks where there are enough.
    body.out.line(format!("u64 {len} = {total} / ((u64){blocks} * 4) + 1;"));
    body.out.line(format!("{len} = {len} > {MOST} ? {MOST} : {len} > 16 ? ({len} + 15) / 16 * 16 : {len};"));
    body.out.line(format!("const u64 {parts} = {row_len} / {len} + ({row_len} % {len} != 0);"));
    let rows = outer.iter().map(|count| format!("{count} * ")).collect::<String>();
    body.out.line(format!("const u64 {all} = {rows}{parts};"));
    body.by_itself(|body| {
        body.out.open(format!("for (u64 {part} = {block}; {part} < {all}; {part} += {blocks}) {{"));
        if last > 0 {
            let row = body.name("row");
            let counter = body.counter();
            body.out.line(format!("const {counter} {row} = ({counter})({part} / {parts});"));
            body.declare_leading_dims(last, &row);
            body.out.line(format!("const {c} {from} = ({c})({part} % {parts} * {len});"));
        } else {
            body.out.line(format!("const {c} {from} = ({c})({part} * {len});"));
        }
        body.out.line(format!(
            "const {c} {end} = ({c})({row_len} - (u64){from} < {len} ? {row_len} : (u64){from} + {len});"
        ));
        match chunks {
            Some((size, around)) => in_chunks(body, last, c, size, around, (&from, &end)),
            None => plain(body, last, c, (&from, &end)),
        }
        body.out.close("}");
    });
}

/// Iterations one after the other.
fn plain(body: &mut Body<'_, '_>, last: usize, c: &str, (from, end): (&str, &str)) {
    let k = body.name("k");
    body.out.open(format!("for ({c} {k} = {from}; {k} < {end}; {k}++) {{"));
    body.declare_dim(last, &k);
    body.iteration();
    body.out.close("}");
}

/// Chunks of `size` iterations; the last one may be shorter.
fn in_chunks(
    body: &mut Body<'_, '_>,
    last: usize,
    c: &str,
    size: u32,
    around: &mut dyn Around,
    (from, end): (&str, &str),
) {
    if !around.is_needed() {
        return plain(body, last, c, (from, end));
    }
    let [at, chunk, u, k] = ["at", "chunk", "u", "k"].map(|name| body.name(name));
    // A sum beyond the end need not fit.
    body.out.open(format!("for (u64 {at} = (u64){from}; {at} < (u64){end}; {at} += {size}) {{"));
    body.out.line(format!("const {c} {chunk} = ({c}){at};"));
    around.before(body);
    body.out.open(format!("if ({end} - {chunk} >= {size}) {{"));
    body.out.line("#pragma unroll");
    body.out.open(format!("for ({c} {u} = 0; {u} < {size}; {u}++) {{"));
    body.out.line(format!("const {c} {k} = {chunk} + {u};"));
    body.declare_dim(last, &k);
    body.iteration();
    body.out.close("}");
    body.out.close("} else {");
    body.out.depth += 1;
    plain(body, last, c, (&chunk, end));
    body.out.close("}");
    around.after(body);
    body.out.close("}");
}
