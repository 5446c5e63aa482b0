//! Nests of two or three loops whose threads run neighbouring iterations of the innermost loop, so that loads and stores
//! of contiguous elements become accesses of 16 bytes.
//!
//! The emitted code contains single accesses: compilers merge them if they know that addresses are aligned. The kernel
//! states that arrays are aligned, that the first value of the inner variable is, and that the lengths of rows are
//! multiples of a group. If a compiler does not merge the accesses, the kernel is correct and slower.
use super::unroll_and_jam::Jammed;
use crate::schedule::access_width::WIDEST;
use crate::schedule::explain::reasons::{About, variable};
use crate::schedule::geometry::MOST;
use crate::schedule::survey::Survey;
use crate::schedule::{DeviceKind, Request, Wide};
use crate::valid::KernelInfo;
use omp_ir::analysis::plan::{AccessStride, Lines};
use omp_ir::kernel::Kernel;
use omp_ir::template::Dim;

/// The most subscripts of a body for unroll and jam: what they access is in registers.
const MOST_ACCESSES: usize = 40;
/// The most expressions of such a body, which is written once for each iteration of a group.
const MOST_EXPRESSIONS: usize = 1000;
/// The fewest threads for each multiprocessor.
const ENOUGH: u64 = 1536;
/// Threads of a block.
const THREADS: u32 = 256;

/// What a thread has, and the block, of a nest that reduces nothing, where groups pay: there are enough threads, and what a group
/// accesses fits registers.
pub(in crate::schedule) fn grid(
    kernel: &Kernel,
    info: &KernelInfo,
    request: &Request<'_>,
    survey: &Survey,
    axes: &[u32],
) -> Option<(Wide, [u32; 3])> {
    let (facts, pins, device) = (request.facts, &request.pins, request.device);
    let last = kernel.template.dims.len() - 1;
    let pinned = pins.tile.is_some() || pins.unroll.is_some();
    let fixed = kernel.template.dims.iter().all(|d| d.host);
    if pinned || !fixed || !facts.claims.is_empty() || !kernel.fns.is_empty() || axes[0] as usize != last {
        return None;
    }
    let wide = wide(kernel, info, request, survey)?;
    // Groups are stored by iterations that all store.
    let stores = |a: &AccessStride| kernel.body.code.accesses[a.access.index()].write;
    let mut stored = info.plan.strides().iter().filter(|a| stores(a)).peekable();
    if stored.peek().is_none() || !stored.all(|a| a.reached) {
        return None;
    }
    let (code, threads) = (&kernel.body.code, facts.total.unwrap_or(0) / u64::from(wide.columns));
    if code.accesses.len() > MOST_ACCESSES
        || code.exprs.len() > MOST_EXPRESSIONS
        || threads < u64::from(device.units.max(1)) * ENOUGH
    {
        return None;
    }
    let groups = (facts.dims[last].count + u64::from(wide.lead())).div_ceil(wide.columns.into());
    let across = groups.clamp(1, Wide::ACROSS.into()).next_power_of_two() as u32;
    let down = THREADS.min(device.max_block) / across;
    // Planes share rows as rows share elements.
    let deep = if last == 2 && down > 1 { 2 } else { 1 };
    let block = [across, (down / deep).max(1), deep];
    let fits = axes
        .iter()
        .zip(block)
        .zip(MOST)
        .skip(1)
        .all(|((d, size), most)| facts.dims[*d as usize].count.div_ceil(size.into()) <= most);
    if !fits {
        return None;
    }
    request.why(About::Strategy, || {
        let variable = variable(kernel, last);
        format!("rows along {variable} begin where accesses of {WIDEST} bytes may, or a few elements away")
    });
    request.why(About::Block, || {
        format!("{across} groups along a row are a long piece of memory, and rows side by side share what they read")
    });
    request.because(About::Cover, "the first and the last group of a row may lack some iterations");
    Some((wide, block))
}

/// The iterations that a thread has, if all subscripts of a body without loops follow the inner variable or are not moved by it,
/// and those that are written begin with a group.
pub(in crate::schedule) fn wide(
    kernel: &Kernel,
    info: &KernelInfo,
    request: &Request<'_>,
    survey: &Survey,
) -> Option<Wide> {
    let (facts, lines) = (request.facts, &request.facts.lines);
    let checks = info.overflow_checks || info.residual_checks > 0 || !facts.unproved.is_empty();
    if request.device.kind != DeviceKind::Cuda || checks || survey.loops || !kernel.array_items().is_empty() {
        return None;
    }
    let (inner, last) = (facts.dims.last()?, facts.dims.len() - 1);
    // Compilers see that values of 64 bits follow one another.
    let long = |dim: &Dim| {
        let prim = kernel.types.prim(kernel.body.local_ty[dim.var.index()]);
        dim.range.adaptors.is_empty() && prim.is_some_and(|p| p.size() == 8)
    };
    if !long(&kernel.template.dims[last]) || Jammed::new(kernel, last).is_none() {
        return None;
    }
    // Alignment is stated for all arrays, also for those whose accesses are dead.
    let aligned = |a: usize| request.alignment.get(a).is_some_and(|n| u64::from(*n) >= WIDEST);
    if !kernel
        .template
        .arrays
        .iter()
        .enumerate()
        .all(|(a, array)| !(array.read || array.written) || aligned(a))
    {
        return None;
    }
    let mut places = Vec::new();
    let mut written = None;
    let mut size = 0;
    for (a, accesses) in survey.accesses.iter().enumerate().filter(|(_, list)| !list.is_empty()) {
        let bytes = kernel.types.size(kernel.array_ty[a])?;
        if survey.whole[a] || !aligned(a) {
            return None;
        }
        for access in accesses {
            let write = kernel.body.code.accesses[access.index()].write;
            if lines.same.contains(access) && !write {
                continue;
            }
            let place = *lines.places.get(access)?;
            places.push(place);
            size = bytes.max(size);
            if write && *written.get_or_insert(place) != place {
                return None;
            }
        }
    }
    if survey.whole.iter().zip(&survey.accesses).any(|(whole, list)| *whole && list.is_empty()) {
        return None;
    }
    let columns = match size {
        1..=4 => 4,
        8 => 2,
        _ => return None,
    };
    if request.pins.width() < columns.into() {
        return None;
    }
    let multiples = lines.multiples.iter().copied().collect();
    // The inner variable of the first iteration, where the most begin with a group.
    let most = |place: &u32| places.iter().filter(|p| (**p) % columns == *place).count();
    let begins = written.map_or_else(|| (0..columns).max_by_key(most).unwrap_or(0), |p| p % columns);
    let place = (columns - begins) % columns;
    debug_assert!(Lines::GROUP.is_multiple_of(columns));
    let before = (i128::from(place) - inner.first).rem_euclid(i128::from(columns)) as u32;
    Some(Wide { columns, before, place, multiples })
}
