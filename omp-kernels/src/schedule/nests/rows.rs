//! Schedules of regions with an inner loop that is a scan, on CUDA: a warp for each iteration or, if rows are long, a
//! block.
use crate::schedule::choose::flat;
use crate::schedule::explain::reasons::About;
use crate::schedule::{DeviceKind, Request, Strategy};
use crate::valid::KernelInfo;
use omp_ir::analysis::patterns::rows::{Rows, rows};
use omp_ir::kernel::{BoundsVerdict, Kernel};
use omp_ir::template::{Base, ReduceOp};

const WARP: u32 = 32;
/// Bytes of elements that a lane has in flight, in short rows and in long ones.
const IN_FLIGHT: u64 = 32;
const IN_FLIGHT_LONG: u64 = 64;
/// Bytes of the widest access, and the most neighbouring elements of a lane.
const WIDEST: u64 = 16;
const GROUP: u64 = 4;
/// Elements of a row for each lane of a warp, at least: with fewer, lanes are idle.
const LEAST: u64 = 2;
/// Warps of a block that share a row, at least (fewer gain nothing over rows of their own) and at most.
const WARPS: [u64; 2] = [4, 16];

/// The schedule, where it suits.
pub(in crate::schedule) fn row_scans(
    kernel: &Kernel,
    info: &KernelInfo,
    request: &Request<'_>,
) -> Option<(Strategy, [u32; 3])> {
    if request.device.kind != DeviceKind::Cuda || !request.facts.claims.is_empty() {
        return None;
    }
    let rows = rows(kernel)?;
    let proved = |access: &_| match kernel.body.bounds[access_index(access)] {
        BoundsVerdict::Proved => true,
        BoundsVerdict::AtLaunch => !request.facts.unproved.contains(access),
        BoundsVerdict::Trusted | BoundsVerdict::Residual => false,
    };
    // Arithmetic that may fail has to fail where the loop does.
    let exact = !info.overflow_checks
        || rows.prim.is_float()
        || matches!(
            rows.op,
            ReduceOp::Min | ReduceOp::Max | ReduceOp::BitAnd | ReduceOp::BitOr | ReduceOp::BitXor
        );
    if !exact || !rows.accesses.iter().all(proved) {
        return None;
    }
    let size = rows.prim.size() as u64;
    let columns = columns(&rows, request);
    if let Some(found) = columns.and_then(|columns| long(columns, request, size)) {
        return Some(found);
    }
    let lanes = u64::from(request.device.units.max(1)) * u64::from(WARP);
    let enough = request.facts.total.is_none_or(|rows| rows >= lanes * u64::from(WARP));
    if enough && columns.is_some_and(|columns| columns < LEAST * u64::from(WARP)) {
        return None;
    }
    let block = flat(request, 256);
    let threads = block[0] / WARP * WARP;
    let chunks = chunks(size) as u32;
    if threads > 0 {
        request.because(
            About::Strategy,
            "the inner loop is a scan: the lanes of a warp have neighbouring elements of a row and exchange partial results in registers",
        );
        request.why(About::Block, || format!("{} rows at a time hide the latency of memory", threads / WARP));
        request.why(About::InFlight, || {
            format!("{IN_FLIGHT} bytes of a lane are loaded before the first is needed")
        });
    }
    (threads > 0).then_some((Strategy::Rows { group: 1, chunks, warps: 1 }, [threads, 1, 1]))
}

/// Whether the schedule suits and rows fill a warp's accesses, so that recurrences with a thread for each row are slower.
pub(in crate::schedule) fn are_long(kernel: &Kernel, info: &KernelInfo, request: &Request<'_>) -> bool {
    let filled = |rows: Rows<'_>| {
        let all = u64::from(WARP) * chunks(rows.prim.size() as u64);
        columns(&rows, request).is_some_and(|columns| columns >= all)
    };
    let silent = || Request { reasons: None, ..request.clone() };
    request.pins.tile.is_none()
        && rows(kernel).is_some_and(filled)
        && row_scans(kernel, info, &silent()).is_some()
}

/// Elements of a lane that are in flight.
fn chunks(size: u64) -> u64 {
    (IN_FLIGHT / size).clamp(1, 8)
}

/// How long rows are: what is mapped of the array divided by their number.
fn columns(rows: &Rows<'_>, request: &Request<'_>) -> Option<u64> {
    let Base::Array(array) = rows.place.base else { return None };
    Some(request.extents.get(array.index())? / request.facts.total?.max(1))
}

/// A block for each row, if rows give enough warps something to do.
fn long(columns: u64, request: &Request<'_>, size: u64) -> Option<(Strategy, [u32; 3])> {
    let group = (WIDEST / size).clamp(1, GROUP);
    let chunks = (IN_FLIGHT_LONG / size / group).clamp(1, 4);
    let [least, most] = WARPS;
    let limit = u64::from(flat(request, WARP * most as u32)[0] / WARP);
    let warps = (columns / (u64::from(WARP) * group * chunks)).min(most).min(limit);
    if warps < least || group == 1 || request.pins.flat().is_some() {
        return None;
    }
    let warps = 1 << warps.ilog2();
    request.because(
        About::Strategy,
        "the inner loop is a scan over long rows: the warps of a block have parts of a row and exchange partial results in shared \
         memory",
    );
    request.why(About::Block, || format!("{warps} warps have work in a row of {columns} elements"));
    request.why(About::InFlight, || {
        format!("{} bytes of a lane are loaded before the first is needed", group * chunks * size)
    });
    let [group, chunks, warps] = [group as u32, chunks as u32, warps];
    Some((Strategy::Rows { group, chunks, warps }, [WARP * warps, 1, 1]))
}

fn access_index(access: &omp_ir::ids::AccessId) -> usize {
    access.index()
}
