//! Schedules of regions with an inner loop that is a scan: a warp for each iteration, on CUDA.
use crate::schedule::choose::flat;
use crate::schedule::explain::reasons::About;
use crate::schedule::{DeviceKind, Request, Strategy};
use crate::valid::KernelInfo;
use omp_ir::analysis::patterns::rows::rows;
use omp_ir::kernel::{BoundsVerdict, Kernel};
use omp_ir::template::ReduceOp;

/// Bytes of elements that a lane has in flight.
const IN_FLIGHT: u64 = 32;

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
    let block = flat(request, 256);
    let threads = block[0] / 32 * 32;
    let chunks = (IN_FLIGHT / rows.prim.size() as u64).clamp(1, 8) as u32;
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
    (threads > 0).then_some((Strategy::Rows { chunks }, [threads, 1, 1]))
}

fn access_index(access: &omp_ir::ids::AccessId) -> usize {
    access.index()
}
