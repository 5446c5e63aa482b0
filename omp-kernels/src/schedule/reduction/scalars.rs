//! Schedules of reductions of scalars: the width of loads, the number of loads in flight, and the blocks that combine
//! items.
use crate::schedule::access_width::{GROUP, MOST_IN_FLIGHT, WIDEST, registers_for, wide_arrays};
use crate::schedule::choose::flat;
use crate::schedule::explain::reasons::About;
use crate::schedule::grid::axes;
use crate::schedule::survey::Survey;
use crate::schedule::{DeviceKind, Request, Strategy};
use crate::valid::KernelInfo;
use omp_ir::kernel::Kernel;

/// The most bodies that are written for a thread's groups.
const MOST_BODIES: u32 = 64;

/// A block whose threads combine their items: of whole warps on CUDA, where that goes by shuffles; elsewhere their items
/// have to fit the memory that they share.
pub(in crate::schedule) fn combining(
    kernel: &Kernel,
    request: &Request<'_>,
    [block, ..]: [u32; 3],
) -> [u32; 3] {
    if request.device.kind == DeviceKind::Cuda && block >= 32 {
        return [block / 32 * 32, 1, 1];
    }
    let size = kernel.result_places().1.max(16) as u32;
    let most = (request.device.shared_bytes.min(48 << 10) - 1024) / size;
    [block.min(most.max(1)), 1, 1]
}

pub(in crate::schedule) fn reduce(
    kernel: &Kernel,
    info: &KernelInfo,
    request: &Request<'_>,
    survey: &Survey,
) -> (Strategy, [u32; 3]) {
    let cpu = request.device.kind == DeviceKind::OpenClCpu;
    let limited = request.num_teams.is_some() || request.thread_limit.is_some();
    let (width, arrays) =
        if survey.loops || cpu { (1, Vec::new()) } else { wide_arrays(kernel, info, request, survey) };
    // If all loads of an iteration are in one row, neighbouring rows have no loads in common.
    let in_row = width > 1 && survey.accesses.iter().filter(|of| !of.is_empty()).count() == arrays.len();
    let two = kernel.template.dims.len() == 2 && axes(kernel, info)[0] == 1;
    if two && !(cpu || limited || survey.queries || in_row) {
        let (rows, _) = crate::schedule::nests::unroll_and_jam::factor(kernel, info, request, survey, 0);
        if rows > 1 {
            let wide = crate::schedule::nests::wide::wide(kernel, info, request, survey);
            request.why(About::Strategy, || match &wide {
                Some(wide) => format!(
                    "rows are multiples of {} elements and begin where accesses of {WIDEST} bytes may",
                    wide.columns
                ),
                None => "what the inner loop's subscripts read is the same for neighbouring iterations of the outer one".into(),
            });
            request.because(
                About::Block,
                "512 threads combine their sums in one block, without the device's memory",
            );
            let rows = if wide.is_some() { 1 } else { rows };
            return (Strategy::Tiles { rows, wide }, combining(kernel, request, flat(request, 512)));
        }
    }
    let usual = flat(request, if survey.loops { 256 } else { 512 });
    request.because(
        About::Strategy,
        "the operator may combine partial results in any order: registers and shared memory are faster than atomics, and the order is \
         the same in each run",
    );
    request.why(About::Block, || {
        if cpu {
            "a core runs one thread at a time, and nothing waits at barriers".into()
        } else if survey.loops {
            format!("{} threads: the body has a loop, whose variables take registers", usual[0])
        } else {
            format!(
                "{} threads combine in shared memory, so few blocks are left for the last one to combine",
                usual[0]
            )
        }
    });
    // If there are few threads, each has more loads in flight, as far as the registers of a block allow.
    let units = u64::from(request.device.units);
    let threads = request.num_teams.map(|teams| teams.saturating_mul(u64::from(usual[0])));
    let few = threads.is_some_and(|n| n <= units * 256);
    let alone = few
        && request.device.kind == DeviceKind::Cuda
        && !survey.loops
        && request.num_teams.is_some_and(|teams| teams <= units);
    let unroll = match arrays.len() {
        _ if survey.loops => 1,
        _ if cpu => 16,
        n @ 0..=2 if alone => registers_for(usual[0]) / (GROUP * n.max(1) as u32),
        0..=2 if few && usual[0] <= 512 => 8,
        0..=2
            if threads.is_none()
                && crate::schedule::geometry::is_short(request, width, u64::from(usual[0])) =>
        {
            2
        }
        0..=2 => 4,
        _ => 2,
    };
    // Bodies for narrow elements would be many.
    let unroll = if alone { unroll.clamp(4, (MOST_BODIES / width).clamp(8, MOST_IN_FLIGHT)) } else { unroll };
    // Each of many teams has something to do.
    let unroll = match request.facts.total.zip(threads) {
        Some((total, n)) if !cpu => {
            let groups = total / u64::from(width) / n.max(1);
            unroll.min((groups.clamp(1, u64::from(MOST_IN_FLIGHT)) as u32).next_power_of_two())
        }
        _ => unroll,
    };
    let pinned = request.pins.unroll.filter(|n| *n > 0 && !survey.loops);
    let unroll = pinned.map_or(unroll, |n| n.min(MOST_IN_FLIGHT));
    request.why(About::InFlight, || {
        if pinned.is_some() {
            "the `unroll` clause sets it".into()
        } else if cpu {
            "sums that don't wait for each other: a core adds several at a time".into()
        } else if few {
            format!("with `num_teams` there are few threads, each of which has registers for {unroll}")
        } else {
            format!("memory answers after hundreds of cycles: {unroll} loads in flight wait once")
        }
    });
    request.because(About::Resident, "`num_teams` allows no more blocks than there are multiprocessors");
    // A core runs one work-item for each group, whatever the limit: a thread then has contiguous elements, and there are no barriers,
    // for which PoCL makes loops over work-items (which PoCL 3.1 compiles wrongly if groups run at the same time).
    let block = if cpu {
        [1, 1, 1]
    } else {
        let whole = combining(kernel, request, usual);
        // Of a small block, the rest of a warp is worth that its threads combine in memory.
        let fits = u64::from(usual[0]) * kernel.result_places().1.max(16) as u64 <= 16 << 10;
        if usual[0] > 32 && usual[0] < 512 && fits { usual } else { whole }
    };
    (Strategy::Reduce { width, unroll, arrays, alone }, block)
}
