//! Schedules of regions with an inner loop that is a scan, on CUDA: a warp for each iteration or, if rows are long, a
//! block.
use crate::schedule::choose::flat;
use crate::schedule::explain::reasons::About;
use crate::schedule::{DeviceKind, Request, Strategy};
use crate::valid::KernelInfo;
use omp_ir::analysis::patterns::rows::{Rows, rows};
use omp_ir::kernel::{BoundsVerdict, Kernel};
use omp_ir::template::{Base, ReduceOp};

/// Bytes of elements that a lane has in flight, in short rows and in long ones.
const IN_FLIGHT: u64 = 32;
const IN_FLIGHT_LONG: u64 = 64;
/// Bytes of the widest access, and the most neighbouring elements of a lane.
const WIDEST: u64 = 16;
const GROUP: u64 = 4;
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
    if let Some(found) = long(&rows, request, size) {
        return Some(found);
    }
    let block = flat(request, 256);
    let threads = block[0] / 32 * 32;
    let chunks = (IN_FLIGHT / size).clamp(1, 8) as u32;
    if threads > 0 {
        request.because(
            About::Strategy,
            "the inner loop is a scan: the lanes of a warp have neighbouring elements of a row and exchange partial results in registers",
        );
        request.why(About::Block, || format!("{} rows at a time hide the latency of memory", threads / 32));
        request.why(About::InFlight, || {
            format!("{IN_FLIGHT} bytes of a lane are loaded before the first is needed")
        });
    }
    (threads > 0).then_some((Strategy::Rows { group: 1, chunks, warps: 1 }, [threads, 1, 1]))
}

/// A block for each row, if rows give enough warps something to do. How long they are is what is mapped of the array divided
/// by their number.
fn long(rows: &Rows<'_>, request: &Request<'_>, size: u64) -> Option<(Strategy, [u32; 3])> {
    let Base::Array(array) = rows.place.base else { return None };
    let group = (WIDEST / size).clamp(1, GROUP);
    let chunks = (IN_FLIGHT_LONG / size / group).clamp(1, 4);
    let columns = request.extents.get(array.index())? / request.facts.total?.max(1);
    let [least, most] = WARPS;
    let limit = u64::from(flat(request, 32 * most as u32)[0] / 32);
    let warps = (columns / (32 * group * chunks)).min(most).min(limit);
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
    Some((Strategy::Rows { group, chunks, warps }, [32 * warps, 1, 1]))
}

fn access_index(access: &omp_ir::ids::AccessId) -> usize {
    access.index()
}
