//! An iteration a thread, in a grid-stride loop of whole warps: the large elements that iterations store (`Schedule::staged`) go through
//! shared memory, and the threads of a warp write them together, 4 bytes each of what lies together.
//!
//! A thread whose iteration fails goes on, as its warp waits for it; what it stores then is no more than an element of its own.
use super::super::body::Body;
use super::vector::{Lane, keep_values, lanes};
use crate::back::Arg;
use crate::schedule::staged_stores::staged_words;
use omp_ir::ids::ArrayId;

/// Threads of a warp.
const WARP: u32 = 32;

/// Puts the element of each thread of a warp where it belongs. An element has an odd number of words between itself and the next one,
/// so that threads access different banks.
const STORE: &str = "\
template <class T> static __device__ __forceinline__ void store_elements(T* first, const T& element, u32* box, u32 lane, u32 count) {
    const u32 words = sizeof(T) / 4u, apart = words | 1u;
    u32 own[sizeof(T) / 4];
    memcpy(own, &element, sizeof(T));
    #pragma unroll
    for (u32 w = 0; w < words; w++) box[lane * apart + w] = own[w];
    __syncwarp();
    u32* const to = (u32*)first;
    #pragma unroll
    for (u32 w = 0; w < words; w++) {
        const u32 k = w * 32u + lane;
        if (k < count * words) to[k] = box[k / words * apart + k % words];
    }
    __syncwarp();
}
";

/// Writes the loop.
pub(crate) fn write(body: &mut Body<'_, '_>) {
    let arrays: Vec<ArrayId> = body.w.schedule.staged.iter().copied().collect();
    let mut lanes = lanes(body.w.kernel, body.w.info, &arrays, &[]);
    keep_values(body.w.kernel, &mut lanes);
    let (s, total, first) = (body.w.syntax, body.total(), body.arg(Arg::DimFirst(0)));
    let [t, threads, lane, staged, left] =
        ["t", "threads", "lane", "staged", "left"].map(|name| body.name(name));
    let (block, size, thread, blocks) = (s.block_id(0), s.block_size(0), s.thread_id(0), s.blocks(0));
    body.w.helpers.add("store_elements", || STORE.to_owned());
    let words = |lane: &Lane| {
        let ty = body.w.kernel.array_ty[lane.array.index()];
        staged_words(body.w.kernel.types.size(ty).unwrap_or(0))
    };
    let most = lanes.iter().map(words).max().unwrap_or(1);
    let all = u64::from(body.w.schedule.block[0]) * most;
    body.out.line(format!("__shared__ u32 {staged}[{all}];"));
    body.out.line(format!("const u32 {lane} = {thread} % {WARP}u;"));
    body.out.line(format!("const u64 {threads} = (u64){blocks} * {size};"));
    body.out.open(format!(
        "for (u64 {t} = (u64){block} * {size} + {thread}; {t} - {lane} < {total}; {t} += {threads}) {{"
    ));
    let registers: Vec<String> = lanes
        .iter()
        .map(|lane| {
            let array = lane.array.index();
            let name = body.name(&format!("{}_v", body.w.kernel.template.arrays[array].name));
            let c = body.w.memory_type(body.w.kernel.array_ty[array]);
            body.out.line(format!("{c} {name};"));
            if lane.load {
                let (from, shift) = (body.global(lane.array), lane.shift);
                body.out.line(format!(
                    "if ({t} < {total}) {name} = {from}[(i64){first} + (i64){t} + ({shift})];"
                ));
            }
            body.registers.extend(lane.accesses.iter().map(|(access, _)| (*access, name.clone())));
            name
        })
        .collect();
    // A loop of at most one iteration, so that `continue` ends the iteration of the user's loop.
    body.out.open(format!("for (bool run = {t} < {total}; run; run = false) {{"));
    body.declare_dims_from(&format!("({}){t}", body.counter()));
    body.iteration();
    body.out.close("}");
    body.registers.clear();
    body.out.line(format!("const u64 {left} = {total} - ({t} - {lane});"));
    for (of, register) in lanes.iter().zip(&registers) {
        let array = body.global(of.array);
        let shift = of.shift;
        body.out.line(format!(
            "store_elements({array} + ((i64){first} + (i64)({t} - {lane}) + ({shift})), {register}, {staged} + {thread} / {WARP}u * {}u, \
             {lane}, {left} < {WARP} ? (u32){left} : {WARP}u);",
            u64::from(WARP) * most
        ));
    }
    body.out.close("}");
}
