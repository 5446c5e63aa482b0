//! Schedules of reproducible reductions. On CUDA a warp has a run if its lanes can share it. The lanes have neighbouring leaves
//! of the tree, or, if sums of arrays are reduced, neighbouring iterations, whose updates of an element they make in order. The
//! order in which operands are combined is that of a single thread.
use crate::schedule::choose::flat;
use crate::schedule::explain::reasons::About;
use crate::schedule::room::{REPRODUCIBLE_LEAF, reproducible_loops, reproducible_run, reproducible_total};
use crate::schedule::survey::Survey;
use crate::schedule::{DeviceKind, Request, Strategy};
use crate::valid::KernelInfo;
use omp_ir::analysis::patterns::updates;
use omp_ir::ids::ArrayId;
use omp_ir::kernel::{Kernel, Reducer};

/// Iterations of a lane in flight, of which each updates elements of arrays.
pub(crate) const IN_FLIGHT: u32 = 4;

/// The most elements of an array whose places lanes count.
const MOST_ELEMENTS: u64 = 1 << 31;

/// The schedule.
pub(in crate::schedule) fn choose(
    kernel: &Kernel,
    info: &KernelInfo,
    request: &Request<'_>,
    survey: &Survey,
) -> (Strategy, [u32; 3]) {
    let (mut elements, mut bytes) = (0u64, 0u64);
    for (_, array) in kernel.array_items() {
        let len = request.extents.get(array.index()).copied().unwrap_or(0);
        let size = kernel.types.size(kernel.array_ty[array.index()]).unwrap_or(0);
        (elements, bytes) = (elements.saturating_add(len), bytes.saturating_add(len.saturating_mul(size)));
    }
    let run = reproducible_run(reproducible_total(kernel, request.facts), elements, bytes);
    request.because(
        About::Strategy,
        "`reproducible` requires the same result on every device: one tree over all iterations decides the order, not the grid",
    );
    request.because(About::Block, "runs are many, and each has a thread or a warp");
    request.because(
        About::Shared,
        "lanes of a warp have neighbouring parts of a run, and read them cooperatively",
    );
    let alone = Strategy::Reproducible { run, warps: false, steps: 1, arrays: Vec::new() };
    let whole = flat(request, 128)[0] / 32 * 32;
    if request.device.kind != DeviceKind::Cuda
        || whole == 0
        || reproducible_loops(kernel) != kernel.template.dims.len()
    {
        return (alone, flat(request, 64));
    }
    let block = [whole, 1, 1];
    if kernel.array_items().is_empty() {
        let (steps, arrays) = leaves(kernel, info, request, survey, whole).unwrap_or((1, Vec::new()));
        return (Strategy::Reproducible { run: 32 * REPRODUCIBLE_LEAF, warps: true, steps, arrays }, block);
    }
    if !add_in_lane_order(kernel, request, survey) {
        return (alone, flat(request, 64));
    }
    let mut arrays = crate::schedule::scan::in_step(kernel, info, request, survey, &[]);
    arrays.retain(|&a| {
        !kernel.template.arrays[a.index()].written
            && kernel.types.size(kernel.array_ty[a.index()]).is_some_and(|size| size <= 16)
    });
    (Strategy::Reproducible { run, warps: true, steps: 1, arrays }, block)
}

/// What the lanes of a warp read cooperatively of their leaves, and in how many steps: if the alignment of leaves allows it.
fn leaves(
    kernel: &Kernel,
    info: &KernelInfo,
    request: &Request<'_>,
    survey: &Survey,
    block: u32,
) -> Option<(u32, Vec<ArrayId>)> {
    let [dim] = request.facts.dims.as_slice() else { return None };
    if dim.first.rem_euclid(i128::from(REPRODUCIBLE_LEAF)) != 0 {
        return None;
    }
    let (run, arrays) = super::ordered::staged(kernel, info, request, survey, block)?;
    Some((REPRODUCIBLE_LEAF as u32 / run, arrays))
}

/// Whether lanes can keep what they would add to elements, one sum for each array, and add it in the order of the lanes.
fn add_in_lane_order(kernel: &Kernel, request: &Request<'_>, survey: &Survey) -> bool {
    let items = kernel.array_items();
    let all = items.len() == kernel.template.reductions.len();
    let sums = |&(k, a): &(usize, ArrayId)| {
        let reducer = &kernel.reducers[k];
        let whole = match reducer {
            Reducer::Builtin(_, prim) => kernel.types.prim(kernel.array_ty[a.index()]) == Some(*prim),
            Reducer::Declared { .. } => false,
        };
        let few = request.extents.get(a.index()).is_some_and(|n| *n < MOST_ELEMENTS);
        whole && few && reducer.is_float_sum() && !survey.whole[a.index()]
    };
    let arrays: Vec<ArrayId> = items.iter().map(|item| item.1).collect();
    let once = |sites: Vec<_>| arrays.iter().all(|a| sites.iter().filter(|(of, _)| of == a).count() <= 1);
    let single = updates::single_terms(&kernel.body, &arrays);
    all && single && items.iter().all(sums) && updates::sites(&kernel.body, &arrays).is_some_and(once)
}
