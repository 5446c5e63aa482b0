//! Schedules of reductions that keep the order of operands, and of those of arrays.
use super::scalars::combining;
use crate::schedule::access_width::strides_of;
use crate::schedule::choose::flat;
use crate::schedule::explain::reasons::{About, names};
use crate::schedule::survey::Survey;
use crate::schedule::{DeviceKind, Request, Strategy};
use crate::valid::KernelInfo;
use omp_ir::analysis::plan::AccessStride;
use omp_ir::ids::ArrayId;
use omp_ir::kernel::Kernel;

/// Bytes of a lane's elements that are in flight at a time: so many if they can be so few, and at most.
const IN_FLIGHT: u64 = 128;
const MOST_IN_FLIGHT: u64 = 256;
/// Iterations of a lane's run.
const RUNS: [u32; 6] = [32, 16, 8, 4, 2, 1];
/// The operands of items with more bytes are read in several steps, because lanes combine once a run, and large values seldom. For
/// smaller items it counts more that a warp reads contiguous memory.
const LARGE: usize = 32;
const STEPS: u32 = 8;
/// Without arrays that the lanes of a warp read cooperatively.
const RUN: u32 = 8;
/// The most shared memory of a block.
const SHARED: u64 = 47 << 10;

/// The schedule. Threads have parts in a row. Blocks of whole warps combine without memory; others need room for all
/// their items.
pub(in crate::schedule) fn ordered(
    kernel: &Kernel,
    info: &KernelInfo,
    request: &Request<'_>,
    survey: &Survey,
) -> (Strategy, [u32; 3]) {
    request.why(About::Strategy, || {
        if kernel.array_items().is_empty() {
            "the operator need not be commutative, so each thread has iterations in a row, and results are combined in their order".into()
        } else {
            format!(
                "arrays are reduced by an operator that has no atomic form, or that keeps the order of operands, and copies of {} \
                 don't fit shared memory",
                names(kernel, kernel.array_items().iter().map(|(_, array)| array))
            )
        }
    });
    request.because(About::Block, "threads combine in shared memory, which has to hold a value of each");
    let arrays = Vec::new();
    if request.device.kind == DeviceKind::OpenClCpu {
        return (Strategy::Ordered { run: 64, steps: 1, arrays }, combining(kernel, request, [1, 1, 1]));
    }
    if !kernel.array_items().is_empty() {
        return (
            Strategy::Ordered { run: RUN, steps: 1, arrays },
            combining(kernel, request, flat(request, 64)),
        );
    }
    let block = combining(kernel, request, flat(request, 256));
    // Large elements need so much shared memory that blocks have to be small.
    let fixed = request.thread_limit.is_some() || request.pins.flat().is_some();
    let blocks = [block[0], 128, 64, 32].into_iter().filter(|b| *b == block[0] || (*b < block[0] && !fixed));
    let found = blocks.filter_map(|b| Some((staged(kernel, info, request, survey, b)?, [b, 1, 1]))).next();
    let Some(((run, arrays), block)) = found else {
        return (Strategy::Ordered { run: RUN, steps: 1, arrays }, block);
    };
    let steps = if kernel.result_places().1 > LARGE { STEPS } else { 1 };
    request.why(About::Shared, || {
        format!(
            "iterations in a row of a thread are far from those of its neighbours in {}: a warp loads those of all its lanes cooperatively",
            names(kernel, &arrays)
        )
    });
    (Strategy::Ordered { run: run * steps, steps, arrays }, block)
}

/// The arrays that the lanes of a warp read cooperatively, and how much of a lane's run at a time.
pub(in crate::schedule) fn staged(
    kernel: &Kernel,
    info: &KernelInfo,
    request: &Request<'_>,
    survey: &Survey,
    block: u32,
) -> Option<(u32, Vec<ArrayId>)> {
    if request.device.kind != DeviceKind::Cuda || !block.is_multiple_of(32) || survey.body_loops {
        return None;
    }
    let size = |a: ArrayId| kernel.types.size(kernel.array_ty[a.index()]).unwrap_or(0);
    let readable = |&a: &ArrayId| {
        !kernel.template.arrays[a.index()].written
            && size(a) > 0
            && request.alignment.get(a.index()).copied().unwrap_or(1) >= 16
            && strides_of(info, a).all(|s| s.unit().is_some_and(|(_, c)| (c * size(a) as i64) % 16 == 0))
    };
    let mut arrays = crate::schedule::scan::in_step(kernel, info, request, survey, &[]);
    arrays.retain(readable);
    let items = kernel.result_places().1.max(16) as u64;
    while !arrays.is_empty() {
        let bytes =
            |run: u32| -> u64 { arrays.iter().map(|&a| u64::from(run) * moved(info, a) * size(a)).sum() };
        let whole = |run: &u32| arrays.iter().all(|&a| (u64::from(*run) * size(a)).is_multiple_of(16));
        let shared = |run: u32| {
            let lane = |&a: &ArrayId| moved(info, a) * u64::from(pitch(quads(kernel, a, run))) * 16;
            u64::from(block) * arrays.iter().map(lane).sum::<u64>() + 32 * items
        };
        let fits = |run: &u32| whole(run) && bytes(*run) <= MOST_IN_FLIGHT && shared(*run) <= SHARED;
        let fitting = || RUNS.iter().copied().filter(fits);
        if let Some(run) = fitting().find(|run| bytes(*run) <= IN_FLIGHT).or_else(|| fitting().next_back()) {
            return Some((run, arrays));
        }
        // The largest elements are read by each lane for itself.
        let largest = arrays.iter().map(|&a| size(a)).max()?;
        arrays.retain(|&a| size(a) < largest);
    }
    None
}

/// How many elements of an array an iteration reads.
fn moved(info: &KernelInfo, array: ArrayId) -> u64 {
    let mut shifts: Vec<_> = strides_of(info, array).filter_map(AccessStride::unit).collect();
    shifts.sort_unstable();
    shifts.dedup();
    shifts.len() as u64
}

/// Pieces of 16 bytes that a run of an array's elements takes.
pub(crate) fn quads(kernel: &Kernel, array: ArrayId, run: u32) -> u32 {
    let size = kernel.types.size(kernel.array_ty[array.index()]).unwrap_or(0) as u32;
    run * size / 16
}

/// Such pieces from one lane's run to the next in shared memory: an odd number, which avoids bank conflicts.
pub(crate) fn pitch(quads: u32) -> u32 {
    quads | 1
}
