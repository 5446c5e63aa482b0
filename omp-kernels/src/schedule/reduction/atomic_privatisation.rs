//! Schedules by atomic privatisation: reduced integer arrays whose elements threads may share, with updates of one element each.
use crate::schedule::access_width::{MOST_IN_FLIGHT, wide_arrays};
use crate::schedule::choose::flat;
use crate::schedule::explain::reasons::{About, bytes as in_bytes};
use crate::schedule::survey::Survey;
use crate::schedule::{DeviceKind, Request, Strategy};
use crate::valid::KernelInfo;
use omp_ir::analysis::patterns::updates;
use omp_ir::kernel::{Kernel, Reducer};

/// The most shared memory that is used, for all copies, and for more than one.
const MOST: u64 = 47 << 10;
const COPIES: u64 = 16 << 10;
/// Blocks for each multiprocessor.
const BLOCKS: u64 = 4;
/// Elements that a block keeps of each large array, at most, and iterations that are worth it.
const SLOTS: u32 = 4096;
const MANY: u64 = 1 << 16;

/// The schedule, where it suits.
pub(in crate::schedule) fn choose(
    kernel: &Kernel,
    info: &KernelInfo,
    request: &Request<'_>,
    survey: &Survey,
) -> Option<(Strategy, [u32; 3])> {
    let device = request.device;
    let items = kernel.array_items();
    let all = items.len() == kernel.template.reductions.len() && !items.is_empty();
    if device.kind != DeviceKind::Cuda || !all || kernel.template.reductions.iter().any(|r| r.reproducible) {
        return None;
    }
    let (mut bytes, mut len) = (0u64, 0u64);
    for (k, array) in items {
        let Reducer::Builtin(_, prim) = kernel.reducers[k] else { return None };
        let whole = kernel.types.prim(kernel.array_ty[array.index()]) == Some(prim);
        if prim.is_float() || !whole || !updates::only_updates(&kernel.body, array) {
            return None;
        }
        let n = request.extents.get(array.index()).copied().unwrap_or(u64::MAX / 16);
        let own = n.saturating_mul(prim.size() as u64).checked_next_multiple_of(8);
        bytes = bytes.saturating_add(own.unwrap_or(u64::MAX));
        len = len.saturating_add(n);
    }
    let (width, arrays) =
        if survey.loops { (1, Vec::new()) } else { wide_arrays(kernel, info, request, survey) };
    let pinned = request.pins.unroll.filter(|n| *n > 0 && !survey.loops);
    let unroll = pinned.map_or(if survey.loops { 1 } else { 4 }, |n| n.min(MOST_IN_FLIGHT));
    let block = flat(request, 512);
    // Copies are filled and combined by each block: that has to cost little compared with the loop.
    let blocks = request.num_teams.unwrap_or(u64::from(device.units.max(1)) * BLOCKS);
    let worth =
        request.facts.total.is_none_or(|total| total / 2 >= len.saturating_mul(blocks.min(total / 64 + 1)));
    let room = MOST.min(u64::from(device.shared_bytes));
    let shared = if !worth || bytes > room {
        0
    } else {
        // By size classes: not a kernel for each length.
        (bytes * 8).clamp(1 << 10, COPIES.max(bytes)).next_power_of_two().min(room)
    };
    let slots = if shared == 0 { slots(kernel, request, len, room) } else { 0 };
    request.because(
        About::Strategy,
        "additions of integers give the same result in any order, so threads may share the elements and update them atomically",
    );
    request.because(
        About::Block,
        "copies in shared memory are filled and combined by each block: few, large blocks do it less often",
    );
    request.why(About::Shared, || match (shared, slots) {
        (0, _) if bytes > room => format!("the arrays take {}, a block has {}: it keeps the elements that it updates most", in_bytes(bytes), in_bytes(room)),
        (0, _) => "the loop is too short to pay for copies of the arrays: blocks keep the elements that they update most".into(),
        _ => format!(
            "the arrays take {}, and atomics in shared memory are faster; a block has room for {} of them, so that fewer threads update the same copy",
            in_bytes(bytes),
            u64::from(shared as u32) / bytes.max(1)
        ),
    });
    if (shared, slots) == (0, 0) {
        request.why(About::Without("copies in shared memory"), || {
            if bytes > room {
                format!("the arrays take {}, more than the {} of a block", in_bytes(bytes), in_bytes(room))
            } else {
                format!(
                    "{} iterations don't pay for filling and combining copies of {len} elements",
                    request.facts.total.unwrap_or(0)
                )
            }
        });
    }
    in_flight(request, unroll, pinned.is_some(), survey.loops);
    Some((Strategy::AtomicPrivatisation { width, unroll, arrays, shared: shared as u32, slots }, block))
}

/// Records why a thread has so many groups in flight.
pub(in crate::schedule) fn in_flight(request: &Request<'_>, unroll: u32, pinned: bool, loops: bool) {
    request.why(About::InFlight, || match (pinned, loops) {
        (true, _) => "the `unroll` clause sets it".into(),
        (_, true) => "the body has a loop: a thread is busy with one iteration".into(),
        _ => format!("memory answers after hundreds of cycles: {unroll} loads in flight wait once"),
    });
}

/// Elements of each array that a block keeps, where arrays don't fit: the hot ones, if there are some.
fn slots(kernel: &Kernel, request: &Request<'_>, len: u64, room: u64) -> u32 {
    if request.facts.total.is_some_and(|total| total < MANY) || len >= u64::from(u32::MAX) {
        return 0;
    }
    let size =
        |(_, a): (usize, omp_ir::ids::ArrayId)| kernel.types.size(kernel.array_ty[a.index()]).unwrap_or(8);
    let each: u64 = kernel.array_items().into_iter().map(|item| 4 + size(item)).sum();
    let mut slots = SLOTS;
    while slots > 1 && u64::from(slots) * each > room {
        slots /= 2;
    }
    if slots < 256 { 0 } else { slots }
}
