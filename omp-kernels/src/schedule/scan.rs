//! Schedules of scans.
//!
//! In one launch where blocks of whole warps make progress independently of each other (CUDA since Volta), else in three.
//! Small elements go by accesses of 16 bytes, whose neighbours are a thread's run; large ones, and operators of the
//! user's, which cost more than the memory does, in runs of some iterations, so that most combining is a thread's own.
use super::choose::{WIDEST, flat, strides_of};
use super::survey::Survey;
use super::{DeviceKind, Request, Strategy};
use crate::analysis::plan::AccessStride;
use crate::ir::ids::{AccessId, ArrayId};
use crate::ir::kernel::{BoundsVerdict, Kernel, Reducer, Ty};
use crate::ir::template::{Base, Place, Projection, Reduction, Stmt};
use crate::ir::visit;
use crate::valid::KernelInfo;

/// The first architecture whose threads are scheduled independently.
const VOLTA: u32 = 70;
/// Bytes of elements that a thread has in flight.
const IN_FLIGHT: u64 = 64;
/// Bytes of registers that a thread's elements of all arrays may take.
const REGISTERS: u64 = 256;
/// The most neighbouring elements that a thread moves at a time.
const LONGEST_RUN: u64 = 16;

/// The schedule of a scan.
pub(super) fn scan(
    kernel: &Kernel,
    info: &KernelInfo,
    request: &Request<'_>,
    survey: &Survey,
) -> (Strategy, [u32; 3]) {
    let device = request.device;
    if device.kind == DeviceKind::OpenClCpu {
        return (Strategy::Scan, [1, 1, 1]);
    }
    let declared = kernel.reducers.iter().any(Reducer::is_ordered);
    let items = kernel.result_places().1.max(4) as u64;
    // Heavy values take registers: smaller blocks leave more of them for others to run meanwhile.
    let [x, ..] = flat(request, if items > 16 || declared { 128 } else { 256 });
    let block = x / 32 * 32;
    let shared = u64::from(device.shared_bytes.min(48 << 10)).saturating_sub(1024);
    let fits = (u64::from(block) / 32 + 1) * items <= shared;
    if device.kind != DeviceKind::Cuda || device.arch < VOLTA || block == 0 || !fits {
        return (Strategy::Scan, flat(request, 64));
    }
    let declared = kernel.reducers.iter().any(Reducer::is_ordered);
    let (width, arrays) = groups(kernel, request, &in_step(kernel, info, request, survey), declared, info);
    let run = if width > 1 {
        width
    } else if declared || survey.loops {
        4
    } else {
        1
    };
    let size = |a: &ArrayId| kernel.types.size(kernel.array_ty[a.index()]).unwrap_or(1);
    let (all, largest) = (arrays.iter().map(size).sum::<u64>(), arrays.iter().map(size).max().unwrap_or(4));
    let value = items_bytes(kernel);
    let mut chunks = (IN_FLIGHT / (run * largest)).clamp(1, 8);
    while chunks > 1 && chunks * (run * all + value) > REGISTERS {
        chunks /= 2;
    }
    if survey.loops || value > 32 {
        chunks = 1;
    }
    (Strategy::LookBack { run: run as u32, chunks: chunks as u32, arrays }, [block, 1, 1])
}

/// Bytes of the carried values.
fn items_bytes(kernel: &Kernel) -> u64 {
    let locals = kernel.template.reductions.iter().filter_map(Reduction::local);
    locals.map(|l| kernel.types.size(kernel.body.local_ty[l.index()]).unwrap_or(0)).sum()
}

/// The subscripts in what the first iteration starts from: one thread runs it, once.
pub(crate) fn seeds(kernel: &Kernel) -> Vec<AccessId> {
    let mut found = Vec::new();
    let code = &kernel.body.code;
    if let [_, Stmt::Labelled { body, .. }, ..] = code.block.0.as_slice() {
        let mut of = |place: &Place| {
            if let (Base::Array(_), Some(Projection::Index { access, .. })) =
                (place.base, place.projections.first())
            {
                found.push(*access);
            }
        };
        visit::each_stmt(body, &mut |stmt| {
            if let Stmt::Assign { place, .. } = stmt {
                of(place);
            }
            visit::of_stmt(stmt, &mut |e| {
                visit::each_expr(code, e, &mut |e| {
                    if let crate::ir::template::Expr::Load(place) = &code.exprs[e.index()].expr {
                        of(place);
                    }
                });
            });
        });
    }
    found
}

/// The arrays whose elements may be moved in groups: every subscript, but for the seeds', is the loop variable and a
/// constant, proved, and each place is reached in every iteration by one of them. What is written is so at one place.
fn in_step(kernel: &Kernel, info: &KernelInfo, request: &Request<'_>, survey: &Survey) -> Vec<ArrayId> {
    let ([_], [dim]) = (kernel.template.dims.as_slice(), request.facts.dims.as_slice()) else {
        return Vec::new();
    };
    if dim.step != 1 || dim.first < 0 {
        return Vec::new();
    }
    let seeds = seeds(kernel);
    let proved = |s: &AccessStride| match kernel.body.bounds[s.access.index()] {
        BoundsVerdict::Proved => true,
        BoundsVerdict::AtLaunch => !request.facts.unproved.contains(&s.access),
        BoundsVerdict::Trusted => s.unconditional,
        BoundsVerdict::Residual => false,
    };
    let fits = |array: &ArrayId| {
        let accesses = &survey.accesses[array.index()];
        let used = || accesses.iter().filter(|a| !seeds.contains(a));
        if survey.whole[array.index()] || used().next().is_none() {
            return false;
        }
        let strides: Vec<_> = strides_of(info, *array).filter(|s| used().any(|a| *a == s.access)).collect();
        let reached =
            |s: &AccessStride| strides.iter().any(|other| other.unit == s.unit && other.unconditional);
        let written = strides.iter().any(|s| kernel.body.code.accesses[s.access.index()].write);
        let one_place = strides.windows(2).all(|pair| pair[0].unit == pair[1].unit);
        used().all(|a| strides.iter().any(|s| s.access == *a))
            && strides
                .iter()
                .all(|s| s.unit.is_some_and(|(d, _)| d == 0) && !s.in_loop && proved(s) && reached(s))
            && (one_place || !written)
    };
    (0..kernel.template.arrays.len()).map(ArrayId::new).filter(fits).collect()
}

/// Which of the arrays are moved in groups, and how many elements at a time. An array whose elements don't stand where
/// groups begin is moved by a shift between lanes, if they are numbers.
fn groups(
    kernel: &Kernel,
    request: &Request<'_>,
    arrays: &[ArrayId],
    declared: bool,
    info: &KernelInfo,
) -> (u64, Vec<ArrayId>) {
    let size = |a: ArrayId| kernel.types.size(kernel.array_ty[a.index()]).unwrap_or(0);
    let mut arrays: Vec<ArrayId> = arrays.iter().copied().filter(|&a| size(a).is_power_of_two()).collect();
    let seeds = seeds(kernel);
    loop {
        let Some(largest) = arrays.iter().map(|&a| size(a)).max() else { return (1, Vec::new()) };
        let least = if declared { 4 } else { 1 };
        let width = (WIDEST / largest).max(least).min(LONGEST_RUN).min(request.pins.width());
        if width < 2 || width * largest > REGISTERS / 2 {
            arrays.retain(|&a| size(a) < largest);
            continue;
        }
        let before = arrays.len();
        arrays.retain(|&a| {
            let bytes = (width * size(a)).min(WIDEST);
            let number = matches!(kernel.types.get(kernel.array_ty[a.index()]), Ty::Prim(_));
            u64::from(request.alignment.get(a.index()).copied().unwrap_or(1)) >= bytes
                && strides_of(info, a)
                    .filter(|s| !seeds.contains(&s.access))
                    .all(|s| s.unit.is_some_and(|(_, c)| number || c % width as i64 == 0))
        });
        if arrays.len() == before {
            return (width, arrays);
        }
    }
}
