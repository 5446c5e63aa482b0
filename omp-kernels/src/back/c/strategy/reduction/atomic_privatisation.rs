//! Atomic privatisation: reductions of integer arrays by atomic updates in one launch, such as histograms.
//!
//! Integer results don't depend on the order, so threads may share elements. If the arrays fit shared memory, a block has private
//! copies there, several if they are small, which reduces contention. At the end the copies are combined with the arrays. Larger
//! arrays are updated in place, except for some elements that a block caches in shared memory: a slot belongs to the first
//! element that requests it, which is likely to be a frequent one. A thread that seldom finds its elements there stops looking.
use super::ordered::{Section, section};
use crate::back::Arg;
use crate::back::c::body::Body;
use crate::back::c::strategy::vector::{Chunks, Plain};
use omp_ir::desc::Prim;
use omp_ir::ids::ArrayId;
use omp_ir::kernel::Reducer;
use omp_ir::template::ReduceOp;

/// After `LOOKUPS` look-ups, a thread continues to look elements up only if it has found `ENOUGH` of them in the block's copies.
const LOOKUPS: u32 = 16;
const ENOUGH: u32 = 4;

/// A reduced array.
struct Privatised {
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
pub(crate) fn write(
    body: &mut Body<'_, '_>,
    (width, unroll, arrays): (u32, u32, &[ArrayId]),
    shared: u32,
    slots: u32,
) {
    let items = body.w.kernel.array_items();
    body.atomics = items.iter().map(|(_, array)| *array).collect();
    if shared == 0 {
        let hot = if slots == 0 { Vec::new() } else { keep(body, &items, slots) };
        if slots == 0 {
            body.begin();
        }
        Chunks::new(body, width, unroll, arrays).in_waves().write(body, &mut Plain);
        let_go(body, &hot, slots);
        return;
    }
    let (memory, one, copies, own) =
        (body.name("shared_bins"), body.name("one"), body.name("copies_here"), body.name("own"));
    body.out.line(format!("__shared__ __align__(16) u8 {memory}[{shared}];"));
    body.begin();
    let mut all = Vec::new();
    let mut before = "0".to_owned();
    for (k, array) in items {
        let Reducer::Builtin(op, prim) = body.w.kernel.reducers[k] else { continue };
        all.push(place(body, (array, op, prim), &memory, &mut before));
    }
    let threads: u32 = body.w.schedule.block.iter().product();
    // Two warps to a copy, if there is room.
    let most = (threads / 64).clamp(1, 8);
    body.out.line(format!("const u32 {one} = (u32)({before});"));
    body.out.line(format!(
        "const u32 {copies} = {one} == 0u || {shared}u / {one} >= {most}u ? {most}u : {shared}u / {one};"
    ));
    let (e, c) = (body.name("e"), body.name("c"));
    for b in &all {
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
    for b in &all {
        let name = body.name(&format!("{}_own", body.w.kernel.template.arrays[b.array.index()].name));
        body.out.line(format!("{}* {name} = ({}*)({} + {own}) - ({});", b.c, b.c, b.base, b.shift));
        body.own.insert(b.array, name);
    }
    Chunks::new(body, width, unroll, arrays).in_waves().write(body, &mut Plain);
    body.own.clear();
    body.atomics.clear();
    body.out.line("__syncthreads();");
    for b in &all {
        flush(body, b, &copies, &one, threads);
    }
}

/// Elements of an array that a block keeps in shared memory.
#[derive(Debug, Clone)]
pub(crate) struct Hot {
    array: ArrayId,
    op: ReduceOp,
    prim: Prim,
    /// Which element a slot has, and its value.
    keys: String,
    values: String,
    /// How often a thread has looked elements up, up to [`LOOKUPS`], and how often it has found them.
    lookups: String,
    found: String,
    /// Where elements are counted from.
    base: String,
    slots: u32,
}

/// Declares the slots of all arrays.
fn keep(body: &mut Body<'_, '_>, items: &[(usize, ArrayId)], slots: u32) -> Vec<Hot> {
    let threads: u32 = body.w.schedule.block.iter().product();
    let mut hot = Vec::new();
    for &(k, array) in items {
        let Reducer::Builtin(op, prim) = body.w.kernel.reducers[k] else { continue };
        let name = body.w.kernel.template.arrays[array.index()].name.clone();
        let (keys, values) = (body.name(&format!("{name}_keys")), body.name(&format!("{name}_values")));
        let c = body.w.memory_type(body.w.kernel.array_ty[array.index()]);
        body.out.line(format!("__shared__ u32 {keys}[{slots}];"));
        body.out.line(format!("__shared__ __align__(8) {c} {values}[{slots}];"));
        let (lookups, found) = (body.name("lookups"), body.name("found"));
        hot.push(Hot { array, op, prim, keys, values, lookups, found, base: String::new(), slots });
    }
    body.begin();
    let e = body.name("e");
    body.out.open(format!("for (u32 {e} = threadIdx.x; {e} < {slots}u; {e} += {threads}u) {{"));
    for h in &mut hot {
        let identity = body.reducer_identity(&Reducer::Builtin(h.op, h.prim));
        body.out.line(format!("{}[{e}] = 0xffffffffu;", h.keys));
        body.out.line(format!("{}[{e}] = {identity};", h.values));
    }
    body.out.close("}");
    body.out.line("__syncthreads();");
    for h in &mut hot {
        body.out.line(format!("u32 {} = 0u, {} = 0u;", h.lookups, h.found));
        let shift = section(body, h.array, 1).shift;
        h.base = format!("({} + ({shift}))", body.arg(Arg::Array(h.array)));
    }
    body.hot.clone_from(&hot);
    hot
}

/// Combines what the block has kept with the arrays.
fn let_go(body: &mut Body<'_, '_>, hot: &[Hot], slots: u32) {
    body.hot.clear();
    if hot.is_empty() {
        return;
    }
    let threads: u32 = body.w.schedule.block.iter().product();
    let e = body.name("e");
    body.out.line("__syncthreads();");
    body.out.open(format!("for (u32 {e} = threadIdx.x; {e} < {slots}u; {e} += {threads}u) {{"));
    for Hot { op, prim, keys, values, base, .. } in hot {
        body.out.open(format!("if ({keys}[{e}] != 0xffffffffu) {{"));
        body.combine_into(*op, *prim, &format!("{base}[{keys}[{e}]]"), &format!("{values}[{e}]"));
        body.out.close("}");
    }
    body.out.close("}");
}

impl Body<'_, '_> {
    /// The slot in which the block keeps an element of a reduced array, if some are kept: `name = slot`, which is `0xffffffff`
    /// where this one isn't, and its value.
    pub(crate) fn hot_place(&mut self, array: ArrayId, element: &str) -> Option<[String; 2]> {
        let Hot { keys, values, lookups, found, base, slots, .. } =
            self.hot.iter().find(|h| h.array == array)?.clone();
        self.w.helpers.add("hot_slot", || {
            format!(
                "static __device__ __forceinline__ u32 hot_slot(u32* keys, u32* lookups, u32* found, u32 slots, u32 key) {{\n    \
                 if (*lookups == {LOOKUPS}u && *found < {ENOUGH}u) return 0xffffffffu;\n    \
                 const u32 slot = (key * 2654435761u + blockIdx.x * 40503u) >> 7 & (slots - 1u);\n    \
                 u32 has = *(volatile u32*)&keys[slot];\n    \
                 if (*lookups < {LOOKUPS}u) {{\n        \
                 ++*lookups;\n        \
                 *found += has == key ? 1u : 0u;\n    \
                 }}\n    \
                 if (has == 0xffffffffu) {{\n        \
                 has = atomicCAS(&keys[slot], 0xffffffffu, key);\n        \
                 if (has == 0xffffffffu) has = key;\n    \
                 }}\n    \
                 return has == key ? slot : 0xffffffffu;\n}}\n"
            )
        });
        let name = self.name("slot");
        let key = format!("(u32)(&{element} - {base})");
        Some([
            format!("{name} = hot_slot({keys}, &{lookups}, &{found}, {slots}u, {key})"),
            format!("{values}[{name}]"),
        ])
    }
}

/// Declares where an array's copies are.
fn place(
    body: &mut Body<'_, '_>,
    (array, op, prim): (ArrayId, ReduceOp, Prim),
    memory: &str,
    before: &mut String,
) -> Privatised {
    let Section { len: extent, shift } = section(body, array, 1);
    let c = body.w.memory_type(body.w.kernel.array_ty[array.index()]);
    let name = &body.w.kernel.template.arrays[array.index()].name;
    let (base, len) = (body.name(&format!("{name}_bins")), body.name(&format!("{name}_n")));
    body.out.line(format!("const u32 {len} = (u32){extent};"));
    body.out.line(format!("u8* {base} = {memory} + ({before});"));
    *before = format!("{before} + ({len} * {}u + 7u) / 8u * 8u", prim.size());
    Privatised { array, op, prim, c, base, len, shift }
}

/// Combines the block's copies with the array.
fn flush(body: &mut Body<'_, '_>, b: &Privatised, copies: &str, one: &str, threads: u32) {
    let (e, c, r) = (body.name("e"), body.name("c"), body.name("r"));
    let Privatised { array, op, prim, c: ty, base, len, shift } = b;
    let original = body.arg(Arg::Array(*array));
    body.out.open(format!("for (u32 {e} = threadIdx.x; {e} < {len}; {e} += {threads}u) {{"));
    body.out.line(format!("{ty} {r} = (({ty}*){base})[{e}];"));
    body.out.open(format!("for (u32 {c} = 1; {c} < {copies}; {c}++) {{"));
    let checked = std::mem::replace(&mut body.checked, false);
    let both = body.builtin(*op, *prim, &r, &format!("(({ty}*)({base} + {c} * {one}))[{e}]"));
    body.checked = checked;
    body.out.line(format!("{r} = {};", crate::back::c::expr::bare(&both)));
    body.out.close("}");
    let identity = body.reducer_identity(&Reducer::Builtin(*op, *prim));
    body.out.open(format!("if ({r} != {identity}) {{"));
    body.combine_into(*op, *prim, &format!("{original}[({shift}) + (i64){e}]"), &r);
    body.out.close("}");
    body.out.close("}");
}
