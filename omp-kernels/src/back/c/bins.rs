//! Reductions of arrays of integers by atomic updates, in one launch: histograms and the like.
//!
//! Integers come out the same in whatever order they are combined, so threads may share elements. Where the arrays fit
//! shared memory, a block has copies of them there, a few if they are small, so that not all of its threads meet in an
//! element; at the end their combination goes to the arrays themselves. Larger arrays are updated as they lie in memory.
use super::body::Body;
use super::vector::{Chunks, Plain};
use crate::back::Arg;
use crate::ir::desc::Prim;
use crate::ir::ids::ArrayId;
use crate::ir::kernel::Reducer;
use crate::ir::template::ReduceOp;

/// A reduced array.
struct Bins {
    array: ArrayId,
    op: ReduceOp,
    prim: Prim,
    /// Of an element.
    c: String,
    /// A pointer to the block's copies, the number of elements, and where a copy begins in bytes.
    base: String,
    len: String,
    /// How many elements lie between the array's address and its section.
    shift: String,
}

/// Writes the kernel.
pub(crate) fn write(body: &mut Body<'_, '_>, width: u32, unroll: u32, arrays: &[ArrayId], shared: u32) {
    let items = body.w.kernel.array_items();
    body.atomics = items.iter().map(|(_, array)| *array).collect();
    if shared == 0 {
        body.begin();
        Chunks::new(body, width, unroll, arrays).in_waves().write(body, &mut Plain);
        return;
    }
    let (memory, one, copies, own) =
        (body.name("shared_bins"), body.name("one"), body.name("copies_here"), body.name("own"));
    body.out.line(format!("__shared__ __align__(16) u8 {memory}[{shared}];"));
    body.begin();
    let mut bins = Vec::new();
    let mut before = "0".to_owned();
    for (k, array) in items {
        let Reducer::Builtin(op, prim) = body.w.kernel.reducers[k] else { continue };
        bins.push(place(body, (array, op, prim), &memory, &mut before));
    }
    let threads: u32 = body.w.schedule.block.iter().product();
    // Two warps to a copy, if there is room.
    let most = (threads / 64).clamp(1, 8);
    body.out.line(format!("const u32 {one} = (u32)({before});"));
    body.out.line(format!(
        "const u32 {copies} = {one} == 0u || {shared}u / {one} >= {most}u ? {most}u : {shared}u / {one};"
    ));
    let (e, c) = (body.name("e"), body.name("c"));
    for b in &bins {
        let (identity, step) = (body.reducer_identity(&Reducer::Builtin(b.op, b.prim)), threads);
        body.out.open(format!("for (u32 {c} = 0; {c} < {copies}; {c}++) {{"));
        body.out.line(format!(
            "for (u32 {e} = threadIdx.x; {e} < {}; {e} += {step}u) (({}*)({} + {c} * {one}))[{e}] = {identity};",
            b.len, b.c, b.base
        ));
        body.out.close("}");
    }
    body.out.line("__syncthreads();");
    body.out.line(format!("const u32 {own} = threadIdx.x / 64u % {copies} * {one};"));
    for b in &bins {
        let name = body.name(&format!("{}_own", body.w.kernel.template.arrays[b.array.index()].name));
        body.out.line(format!("{}* {name} = ({}*)({} + {own}) - ({});", b.c, b.c, b.base, b.shift));
        body.own.insert(b.array, name);
    }
    Chunks::new(body, width, unroll, arrays).in_waves().write(body, &mut Plain);
    body.own.clear();
    body.atomics.clear();
    body.out.line("__syncthreads();");
    for b in &bins {
        flush(body, b, &copies, &one, threads);
    }
}

/// Declares where an array's copies are.
fn place(
    body: &mut Body<'_, '_>,
    (array, op, prim): (ArrayId, ReduceOp, Prim),
    memory: &str,
    before: &mut String,
) -> Bins {
    let param = &body.w.kernel.template.arrays[array.index()];
    let (extent, lo) = if param.section {
        let (lo, hi) = (body.arg(Arg::SectionLo(array)), body.arg(Arg::SectionHi(array)));
        (format!("({hi} - {lo})"), lo)
    } else {
        (body.arg(Arg::Len(array)), "0".to_owned())
    };
    let shift = if body.is_shifted(array) {
        format!("(i64){lo} - {}", body.arg(Arg::Origin(array)))
    } else {
        "0".to_owned()
    };
    let c = body.w.memory_type(body.w.kernel.array_ty[array.index()]);
    let name = &param.name;
    let (base, len) = (body.name(&format!("{name}_bins")), body.name(&format!("{name}_n")));
    body.out.line(format!("const u32 {len} = (u32){extent};"));
    body.out.line(format!("u8* {base} = {memory} + ({before});"));
    *before = format!("{before} + ({len} * {}u + 7u) / 8u * 8u", prim.size());
    Bins { array, op, prim, c, base, len, shift }
}

/// Combines the block's copies with the array.
fn flush(body: &mut Body<'_, '_>, b: &Bins, copies: &str, one: &str, threads: u32) {
    let (e, c, r) = (body.name("e"), body.name("c"), body.name("r"));
    let Bins { array, op, prim, c: ty, base, len, shift } = b;
    let original = body.arg(Arg::Array(*array));
    body.out.open(format!("for (u32 {e} = threadIdx.x; {e} < {len}; {e} += {threads}u) {{"));
    body.out.line(format!("{ty} {r} = (({ty}*){base})[{e}];"));
    body.out.open(format!("for (u32 {c} = 1; {c} < {copies}; {c}++) {{"));
    let checked = std::mem::replace(&mut body.checked, false);
    let both = body.builtin(*op, *prim, &r, &format!("(({ty}*)({base} + {c} * {one}))[{e}]"));
    body.checked = checked;
    body.out.line(format!("{r} = {};", super::expr::bare(&both)));
    body.out.close("}");
    let identity = body.reducer_identity(&Reducer::Builtin(*op, *prim));
    body.out.open(format!("if ({r} != {identity}) {{"));
    body.combine_into(*op, *prim, &format!("{original}[({shift}) + (i64){e}]"), &r);
    body.out.close("}");
    body.out.close("}");
}
