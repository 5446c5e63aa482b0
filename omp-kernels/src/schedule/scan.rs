//! Schedules of scans.
//!
//! A scan is one launch if blocks of whole warps make progress independently of each other (CUDA since Volta), and three launches
//! otherwise. If subscripts are the loop variable plus a constant, elements go through shared memory, and a thread has as many
//! contiguous iterations as fit. If other elements are accessed as well, by subscripts that data decides, neighbouring threads
//! should access them at the same time: a thread then has several short rows. If nothing goes through shared memory, a thread has single
//! iterations, or, if the operator is the user's and costs more than the memory, a few contiguous ones.
use super::access_width::strides_of;
use super::choose::flat;
use super::explain::reasons::{About, bytes, names};
use super::survey::Survey;
use super::{DeviceKind, Request, Strategy};
use crate::valid::KernelInfo;
use omp_ir::analysis::patterns::compaction;
use omp_ir::analysis::plan::AccessStride;
use omp_ir::ids::{AccessId, ArrayId};
use omp_ir::kernel::{BoundsVerdict, Kernel, Reducer};
use omp_ir::template::{Base, Place, Projection, Reduction, ScanParts, Stmt};
use omp_ir::visit;

/// The first architecture whose threads are scheduled independently.
const VOLTA: u32 = 70;
/// Threads of a block.
const BLOCK: u64 = 128;
/// Bytes of elements that a thread has in flight in registers.
const IN_FLIGHT: u64 = 64;
/// Bytes of registers that a thread's elements of all arrays may take.
const REGISTERS: u64 = 256;
/// Bytes of shared memory for elements of a block, so that several of them fit a multiprocessor, and how many do.
const STAGED: u64 = 45 << 10;
const RESIDENT: u64 = 5;
/// Pieces that a thread has at most (its loop over them is unrolled), and of a short loop, which takes more blocks with
/// smaller tiles.
const MOST: u64 = 11;
const FEW: u64 = 5;
/// Rows of a thread, if data decides which other elements are accessed: the most that fit and with which each multiprocessor has so many
/// tiles, with so many bytes of carried values.
const ROWS: [u64; 4] = [8, 4, 2, 1];
const TILES: u64 = 3;
const HELD: u64 = 128;
/// Bytes of an element that is compacted in shared memory, at most.
const COMPACTED: u64 = 16;

/// The schedule of a scan.
pub(super) fn scan(
    kernel: &Kernel,
    info: &KernelInfo,
    request: &Request<'_>,
    survey: &Survey,
) -> (Strategy, [u32; 3]) {
    let device = request.device;
    if device.kind == DeviceKind::OpenClCpu {
        request.because(
            About::Strategy,
            "OpenCL promises no block that another one makes progress, so none may wait for another",
        );
        request.because(About::Block, "a core runs one thread at a time");
        return (Strategy::Scan, [1, 1, 1]);
    }
    let declared = kernel.reducers.iter().any(Reducer::is_ordered);
    let items = kernel.result_places().1.max(4) as u64;
    let [x, ..] = flat(request, BLOCK as u32);
    // A limit is no wish: fewer threads with longer runs each are faster.
    let x = if request.pins.flat().is_some() { x } else { x.min(BLOCK as u32) };
    let block = x / 32 * 32;
    let warps = u64::from(block) / 32;
    let shared = u64::from(device.shared_bytes.min(48 << 10)).saturating_sub(1024);
    let values = (2 * warps + 1) * items;
    if device.kind != DeviceKind::Cuda || device.arch < VOLTA || block == 0 || values > shared {
        request.why(About::Strategy, || {
            if device.kind != DeviceKind::Cuda {
                "OpenCL promises no block that another one makes progress, so none may wait for another"
                    .into()
            } else if device.arch < VOLTA {
                "the threads of this GPU are not scheduled independently, so no block may wait for another"
                    .into()
            } else if block == 0 {
                "the block is smaller than a warp".into()
            } else {
                format!("the carried values of a block take {}, more than it can share", bytes(values))
            }
        });
        request.because(About::Block, "parts of the loop are many, and each has a thread");
        return (Strategy::Scan, flat(request, 64));
    }
    request.why(About::Block, || {
        format!("blocks of {block} threads: a tile waits for the one before it, so tiles should be short")
    });
    let room = (shared - values).min(STAGED);
    if let Some((run, rows, arrays)) = staged(kernel, info, request, survey, (room, warps)) {
        let compacted = compacted(kernel, &arrays);
        request.why(About::Strategy, || {
            let rows = match rows {
                1 => format!("{run} iterations in a row"),
                _ => format!("{rows} rows of {run} iterations"),
            };
            format!(
                "tiles take over what those before them add up to (decoupled look-back), so data is read and written once; {rows} \
                 of a thread fit the {} that a block may have",
                bytes(room)
            )
        });
        request.why(About::Shared, || {
            format!(
                "a thread has iterations in a row, but neighbouring threads load neighbouring elements of {} into shared memory first",
                names(kernel, &arrays)
            )
        });
        request.because(
            About::Store,
            "how many iterations keep one shows in the loop alone: neighbouring threads store neighbours",
        );
        return (
            Strategy::LookBack { run: run as u32, chunks: rows as u32, arrays, compacted },
            [block, 1, 1],
        );
    }
    let run = if declared || survey.loops { 4 } else { 1 };
    let value = items_bytes(kernel);
    let mut chunks = (IN_FLIGHT / (run * 4)).clamp(1, 8);
    while chunks > 1 && chunks * value > REGISTERS {
        chunks /= 2;
    }
    if survey.loops || value > 32 {
        chunks = 1;
    }
    request.why(About::Strategy, || {
        let why = if request.pins.width() < 2 {
            "`vector(1)` keeps arrays out of shared memory"
        } else {
            "no array has the loop variable and a constant as its only subscript, so none goes through shared memory"
        };
        format!("tiles take over what those before them add up to (decoupled look-back), so data is read and written once; {why}")
    });
    let (arrays, compacted) = (Vec::new(), Vec::new());
    (Strategy::LookBack { run: run as u32, chunks: chunks as u32, arrays, compacted }, [block, 1, 1])
}

/// The iterations of a thread in a row, its rows, and the arrays that go through shared memory. A row is an odd number of
/// pieces. There are as many as there is `room` for in a block of so many warps.
fn staged(
    kernel: &Kernel,
    info: &KernelInfo,
    request: &Request<'_>,
    survey: &Survey,
    (room, warps): (u64, u64),
) -> Option<(u64, u64, Vec<ArrayId>)> {
    if request.pins.width() < 2 {
        return None;
    }
    let size = |a: &ArrayId| kernel.types.size(kernel.array_ty[a.index()]).unwrap_or(0);
    let mut arrays = in_step(kernel, info, request, survey, &seeds(kernel));
    arrays.retain(|a| size(a).is_power_of_two() || (size(a) > 0 && size(a) % 16 == 0));
    while let Some(largest) = arrays.iter().map(size).max() {
        let found = if touches_others(kernel, info, survey, &arrays) {
            rows(kernel, info, request, &arrays, (room, warps))
        } else {
            match longest(kernel, info, request, &arrays, (room, warps)) {
                // Few tiles go through short rows sooner.
                Some((_, false)) if !compacted(kernel, &arrays).is_empty() => {
                    rows(kernel, info, request, &arrays, (room, warps))
                }
                found => found.map(|(run, _)| (run, 1)),
            }
        };
        if let Some((run, rows)) = found {
            return Some((run, rows, arrays));
        }
        arrays.retain(|a| size(a) < largest);
    }
    None
}

/// The arrays whose elements come to stand side by side, by what is carried.
fn compacted(kernel: &Kernel, arrays: &[ArrayId]) -> Vec<ArrayId> {
    let all = (0..kernel.template.arrays.len()).map(ArrayId::new).filter(|a| !arrays.contains(a));
    let small = |a: &ArrayId| {
        kernel.types.size(kernel.array_ty[a.index()]).is_some_and(|size| (1..=COMPACTED).contains(&size))
    };
    all.filter(small).filter(|a| compaction::compacted(kernel, *a).is_some()).collect()
}

/// Bytes of shared memory that a warp needs for compacted elements by iterations of a thread in a row, except those that are put in
/// the place of staged ones.
fn compacted_bytes(kernel: &Kernel, info: &KernelInfo, arrays: &[ArrayId]) -> u64 {
    let compacted = compacted(kernel, arrays);
    let in_place = crate::back::compacted_in_place(kernel, info, arrays, &compacted);
    let of =
        |a: &ArrayId| kernel.types.size(kernel.array_ty[a.index()]).unwrap_or(0).next_multiple_of(4) * 32;
    compacted.iter().zip(in_place).filter(|(_, placed)| !placed).map(|(a, _)| of(a)).sum()
}

/// Whether other elements are accessed, by subscripts that data decides.
fn touches_others(kernel: &Kernel, info: &KernelInfo, survey: &Survey, arrays: &[ArrayId]) -> bool {
    let seeds = seeds(kernel);
    let even = |array: ArrayId, access: &AccessId| {
        strides_of(info, array).any(|s| s.access == *access && s.per_dim.iter().all(Option::is_some))
    };
    let compacted = compacted(kernel, arrays);
    let others = (0..kernel.template.arrays.len()).map(ArrayId::new);
    others.filter(|a| !arrays.contains(a) && !compacted.contains(a)).any(|a| {
        let accesses = &survey.accesses[a.index()];
        survey.whole[a.index()] || accesses.iter().any(|access| !seeds.contains(access) && !even(a, access))
    })
}

/// The iterations of a thread in a short row, and its rows, if these arrays fit. Lanes that touch elements at the same time
/// are so few iterations apart; with long rows each of their stores is a transaction of its own.
fn rows(
    kernel: &Kernel,
    info: &KernelInfo,
    request: &Request<'_>,
    arrays: &[ArrayId],
    (room, warps): (u64, u64),
) -> Option<(u64, u64)> {
    let (run, bytes) = crate::back::staged(kernel, info, arrays);
    let (value, compacted) = (items_bytes(kernel), run * compacted_bytes(kernel, info, arrays));
    let fits = |rows: &u64| *rows == 1 || rows * value <= HELD;
    let fitting: Vec<u64> = ROWS
        .into_iter()
        .filter(|rows| (bytes(rows * run) + compacted) * warps <= room)
        .filter(fits)
        .collect();
    let many = |rows: &&u64| {
        let tiles = request.facts.total.unwrap_or(0) / (*rows * run * 32 * warps);
        tiles >= TILES * u64::from(request.device.units.max(1))
    };
    Some((run, *fitting.iter().find(many).or(fitting.last())?))
}

/// The iterations of a thread in one row, if these arrays fit, and whether the loop is long.
fn longest(
    kernel: &Kernel,
    info: &KernelInfo,
    request: &Request<'_>,
    arrays: &[ArrayId],
    (room, warps): (u64, u64),
) -> Option<(u64, bool)> {
    let (piece, bytes) = crate::back::staged(kernel, info, arrays);
    let compacted = compacted_bytes(kernel, info, arrays);
    let all = |run: u64| bytes(run) + run * compacted;
    let fits = |pieces: &u64| all(pieces * piece) * warps <= room;
    let most = (1..=MOST).step_by(2).take_while(fits).last()?;
    let few = FEW.min(most);
    let tiles = request.facts.total.unwrap_or(0) / (most * piece * 32 * warps);
    let long = tiles >= u64::from(request.device.units.max(1)) * RESIDENT;
    Some((piece * if long { most } else { few }, long))
}

/// Blocks that fit a multiprocessor.
pub(super) fn per_unit(threads: u64, staged: bool) -> u64 {
    let most = (2048 / threads.clamp(1, 2048)).max(1);
    if staged { most.min(RESIDENT * BLOCK / threads.clamp(1, BLOCK)) } else { most }
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
    if let Some(ScanParts { seed, .. }) = kernel.template.scan.and_then(|scan| scan.parts(&code.block)) {
        let mut of = |place: &Place| {
            if let (Base::Array(_), Some(Projection::Index { access, .. })) =
                (place.base, place.projections.first())
            {
                found.push(*access);
            }
        };
        visit::each_stmt(seed, &mut |stmt| {
            if let Stmt::Assign { place, .. } = stmt {
                of(place);
            }
            visit::of_stmt(stmt, &mut |e| {
                visit::each_expr(code, e, &mut |e| {
                    if let omp_ir::template::Expr::Load(place) = &code.exprs[e.index()].expr {
                        of(place);
                    }
                });
            });
        });
    }
    found
}

/// The arrays whose elements may be moved in groups: every subscript, except the `seeds`, is the loop variable and a
/// constant, proved, and each place is reached in every iteration by one of them. What is written is so at one place.
pub(super) fn in_step(
    kernel: &Kernel,
    info: &KernelInfo,
    request: &Request<'_>,
    survey: &Survey,
    seeds: &[AccessId],
) -> Vec<ArrayId> {
    let ([_], [dim]) = (kernel.template.dims.as_slice(), request.facts.dims.as_slice()) else {
        return Vec::new();
    };
    if dim.step != 1 || dim.first < 0 {
        return Vec::new();
    }
    let proved = |s: &AccessStride| match kernel.body.bounds[s.access.index()] {
        BoundsVerdict::Proved => true,
        BoundsVerdict::AtLaunch => !request.facts.unproved.contains(&s.access),
        BoundsVerdict::Trusted => s.unconditional,
        BoundsVerdict::Residual => false,
    };
    let moves =
        |s: &AccessStride| s.unit().is_some_and(|(d, _)| d == 0) && request.facts.in_step.contains(&s.access);
    let fits = |array: &ArrayId| {
        let accesses = &survey.accesses[array.index()];
        let used = || accesses.iter().filter(|a| !seeds.contains(a));
        if survey.whole[array.index()] || used().next().is_none() {
            return false;
        }
        let strides: Vec<_> = strides_of(info, *array).filter(|s| used().any(|a| *a == s.access)).collect();
        let reached =
            |s: &AccessStride| strides.iter().any(|other| other.unit() == s.unit() && other.unconditional);
        let written = strides.iter().any(|s| kernel.body.code.accesses[s.access.index()].write);
        let one_place = strides.windows(2).all(|pair| pair[0].unit() == pair[1].unit());
        used().all(|a| strides.iter().any(|s| s.access == *a))
            && strides.iter().all(|s| moves(s) && !s.in_loop && proved(s) && reached(s))
            && (one_place || !written)
    };
    (0..kernel.template.arrays.len()).map(ArrayId::new).filter(fits).collect()
}
