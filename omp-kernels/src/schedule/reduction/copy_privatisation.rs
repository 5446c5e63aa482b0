//! Schedules by copy privatisation: reduced arrays that are updated in private copies in shared memory. They are for floats, the
//! user's types, and all arrays that [`atomic_privatisation`](super::atomic_privatisation) does not suit. Small arrays are copied for each thread, larger ones
//! for each warp, if an iteration updates a known number of elements.
use super::atomic_privatisation::in_flight;
use crate::schedule::access_width::{MOST_IN_FLIGHT, wide_arrays};
use crate::schedule::choose::flat;
use crate::schedule::explain::reasons::{About, bytes as in_bytes};
use crate::schedule::survey::Survey;
use crate::schedule::{DeviceClass, DeviceKind, Each, Request, Strategy};
use crate::valid::KernelInfo;
use omp_ir::analysis::patterns::updates;
use omp_ir::kernel::{Kernel, Reducer};

/// Shared memory of a block, at most.
const SHARED: u64 = 47 << 10;
/// The shared memory that a block of few threads with a copy each should need, so that several blocks fit a multiprocessor.
const USUAL: u64 = 34 << 10;
/// Slots by which a warp finds the first lane with an element, for each update in flight.
pub(crate) const SLOTS: u32 = 256;
/// The most bytes of an element that lanes shuffle, and the most updates of an iteration.
const LARGEST: u64 = 64;
const MOST_SITES: usize = 4;
/// Shared memory of a multiprocessor that all its blocks may have in sum.
const OF_UNIT: u64 = 220 << 10;

/// An array of a copy has fewer elements: lanes count them in 32 bits, and go on by 32 beyond the last.
const MOST_ELEMENTS: u64 = 1 << 31;

/// The schedule of reduced arrays that are no [`atomic_privatisation`](super::atomic_privatisation), whatever their operators: copies, or accumulators of
/// sums that have too little room for these.
pub(in crate::schedule) fn copied(
    kernel: &Kernel,
    info: &KernelInfo,
    request: &Request<'_>,
    survey: &Survey,
) -> Option<(Strategy, [u32; 3])> {
    let copies = copies(kernel, info, request, survey);
    let accumulators = || super::accumulators::accumulators(kernel, info, request, survey);
    match copies {
        Some(Copied { schedule, roomy: true }) => Some(schedule),
        other => accumulators().or(other.map(|copied| copied.schedule)),
    }
}

/// A schedule of copies.
struct Copied {
    schedule: (Strategy, [u32; 3]),
    /// Shared memory has room for the copies of enough warps that these don't wait for memory most of the time.
    roomy: bool,
}

/// The schedule of copies, where it suits.
fn copies(kernel: &Kernel, info: &KernelInfo, request: &Request<'_>, survey: &Survey) -> Option<Copied> {
    let cuda = request.device.kind == DeviceKind::Cuda;
    let items = kernel.array_items();
    let all = items.len() == kernel.template.reductions.len() && !items.is_empty();
    if request.device.kind == DeviceKind::OpenClCpu || !all {
        return None;
    }
    if !cuda && items.iter().any(|(_, a)| survey.whole[a.index()]) {
        return None;
    }
    let bytes = copy_bytes(kernel, request.extents)?;
    let room = SHARED.min(u64::from(request.device.shared_bytes).saturating_sub(1024));
    let in_order = kernel.reducers.iter().any(Reducer::is_ordered);
    if let Some(threads) = thread_copies(request, bytes, room) {
        let (width, arrays) = if survey.loops || in_order {
            (1, Vec::new())
        } else {
            wide_arrays(kernel, info, request, survey)
        };
        let pinned = request.pins.unroll.filter(|n| *n > 0 && !survey.loops);
        let usual = if arrays.is_empty() { 1 } else { 4 };
        let unroll = pinned.map_or(usual, |n| n.min(MOST_IN_FLIGHT));
        let each = Each::Thread { in_order };
        request.why(About::Strategy, || {
            format!(
                "{}; a copy takes {}, so shared memory has room for one of each of {threads} threads",
                why_copies(in_order),
                in_bytes(bytes)
            )
        });
        request.why(About::Block, || {
            format!(
                "as many threads as have room for a copy each, {} in all",
                in_bytes(u64::from(threads) * bytes)
            )
        });
        in_flight(request, unroll, pinned.is_some(), survey.loops);
        let shared = (u64::from(threads) * bytes).next_multiple_of(1024).min(room.next_multiple_of(8)) as u32;
        let strategy = Strategy::CopyPrivatisation { width, unroll, arrays, each, shared };
        return Some(Copied { schedule: (strategy, [threads, 1, 1]), roomy: true });
    }
    let sites = updates::sites(&kernel.body, &items.iter().map(|i| i.1).collect::<Vec<_>>())?;
    let one_each = sites.len() <= if in_order { 1 } else { MOST_SITES };
    if !cuda || !one_each || !items.iter().all(|&(k, a)| whole_elements(kernel, k, a)) {
        return None;
    }
    let unroll = if sites.len() == 1 { 4 } else { 2 };
    let slots = u64::from(SLOTS * 4 * unroll);
    let most = flat(request, 128)[0] / 32;
    if most == 0 {
        return None;
    }
    let fits = |w: &u32| *w <= most && u64::from(*w) * (bytes + slots) <= room;
    let (warps, of_warp, far) = match [4, 2, 1].into_iter().find(fits) {
        Some(warps) => (warps, bytes + slots, false),
        None => (most.min(4), slots, true),
    };
    request.why(About::Strategy, || {
        let place = if far { "is in the device's memory" } else { "fits shared memory" };
        format!(
            "{}; a copy takes {}, too much for each thread: one of a warp {place}, and lanes that update one element do so one after the other",
            why_copies(in_order),
            in_bytes(bytes)
        )
    });
    request.why(About::Block, || format!("{warps} warps: as many as have room for a copy each"));
    request.because(About::Shared, "the lanes of a warp load neighbouring elements cooperatively");
    in_flight(request, unroll, false, false);
    let shared = (u64::from(warps) * of_warp).next_multiple_of(1024).min(room.next_multiple_of(8)) as u32;
    let mut arrays = crate::schedule::scan::in_step(kernel, info, request, survey, &[]);
    arrays.retain(|&a| {
        !kernel.template.arrays[a.index()].written
            && kernel.types.size(kernel.array_ty[a.index()]).is_some_and(|size| size <= 16)
    });
    let strategy = Strategy::CopyPrivatisation { width: 1, unroll, arrays, each: Each::Warp { far }, shared };
    // Accumulators of wide elements take several updates: a warp alone is no slower.
    let wide = items.iter().any(|(_, a)| kernel.types.size(kernel.array_ty[a.index()]) == Some(8));
    Some(Copied { schedule: (strategy, [32 * warps, 1, 1]), roomy: !far && (warps > 1 || wide) })
}

fn why_copies(in_order: bool) -> &'static str {
    if in_order {
        "the operator is not commutative, so operands keep their order"
    } else {
        "the result is the same in each run, which atomic updates of floats would not give"
    }
}

/// Threads of a block in which each has a copy.
fn thread_copies(request: &Request<'_>, bytes: u64, room: u64) -> Option<u32> {
    let wanted = flat(request, 256)[0];
    let fits = |n: &u32| u64::from(*n) * bytes <= if *n > 32 { USUAL.min(room) } else { room };
    if wanted <= 32 {
        return fits(&wanted).then_some(wanted);
    }
    if request.thread_limit.is_none() && request.pins.flat().is_none() {
        return [256, 128, 64, 32].into_iter().find(fits);
    }
    let most = (room / bytes.max(1)).min(u64::from(wanted)) as u32;
    (most >= 32).then_some(if most == wanted { most } else { most / 32 * 32 })
}

/// Whether the item's values are whole elements of the array, and lanes can shuffle them.
fn whole_elements(kernel: &Kernel, item: usize, array: omp_ir::ids::ArrayId) -> bool {
    let elem = kernel.array_ty[array.index()];
    let whole = match &kernel.reducers[item] {
        Reducer::Builtin(_, prim) => kernel.types.prim(elem) == Some(*prim),
        Reducer::Declared { ty, .. } => *ty == elem,
    };
    whole && kernel.types.size(elem).is_some_and(|size| size <= LARGEST)
}

/// Bytes to which the places of copied arrays are aligned.
pub(crate) fn copy_unit(kernel: &Kernel) -> u64 {
    let align =
        |(_, a): &(usize, omp_ir::ids::ArrayId)| kernel.types.align(kernel.array_ty[a.index()]) as u64;
    kernel.array_items().iter().map(align).max().unwrap_or(1).max(4)
}

/// Bytes from one copy of all reduced arrays to the next: an odd number of units, which avoids bank conflicts.
fn copy_bytes(kernel: &Kernel, extents: &[u64]) -> Option<u64> {
    let arrays = kernel.array_items().into_iter().map(|(_, array)| {
        let size = kernel.types.size(kernel.array_ty[array.index()])?;
        Some((*extents.get(array.index())?, size))
    });
    one_copy(copy_unit(kernel), arrays)
}

/// The bytes of a copy of arrays with so many elements of so many bytes each.
fn one_copy(unit: u64, mut arrays: impl Iterator<Item = Option<(u64, u64)>>) -> Option<u64> {
    let units = arrays.try_fold(0u64, |units, array| {
        let (len, size) = array?;
        if len >= MOST_ELEMENTS {
            return None;
        }
        units.checked_add(len.checked_mul(size)?.div_ceil(unit))
    })?;
    (units | 1).checked_mul(unit)
}

/// Blocks: as many as fit at the same time, if there is enough to do for each of them.
pub(in crate::schedule) fn blocks(
    (each, shared): (Each, u32),
    extents: impl Iterator<Item = u64>,
    device: &DeviceClass,
    (total, threads): (u64, u64),
) -> u64 {
    let len = extents.fold(0u64, u64::saturating_add);
    // Copies are filled and combined by each block: that has to cost little compared with the loop.
    let least = match each {
        Each::Thread { .. } => threads.saturating_mul(len.max(8)),
        Each::Warp { .. } => (threads * 16).max((threads / 32).saturating_mul(len)),
    };
    let at_a_time = (2048 / threads.clamp(1, 2048)).min(OF_UNIT / (u64::from(shared) + 1024)).clamp(1, 32);
    (total / least.max(1)).clamp(1, u64::from(device.units.max(1)) * at_a_time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_have_elements_that_lanes_can_count() {
        let one = |unit, len, size| one_copy(unit, [Some((len, size))].into_iter());
        assert_eq!(
            (one(4, 0, 4), one(4, 1, 4), one(4, 2, 4), one(8, 3, 4)),
            (Some(4), Some(4), Some(12), Some(24))
        );
        // The last step of 32 lanes ends below 2^32, however small the elements.
        let most = MOST_ELEMENTS - 1;
        assert_eq!((one(4, most, 4), one(8, most, 16)), (Some(most * 4), Some(((2 * most) | 1) * 8)));
        assert_eq!((one(4, most + 1, 1), one(4, most + 1, 4), one(4, u64::MAX, 8)), (None, None, None));
        assert_eq!((one(4, 9, u64::MAX), one(1 << 40, 1, 1 << 63)), (None, Some(((1 << 23) | 1) << 40)));
        assert!(u32::try_from(most + 2 * 32).is_ok());
        assert_eq!(one_copy(4, [Some((1, 4)), None].into_iter()), None);
    }
}
