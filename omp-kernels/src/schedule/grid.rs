//! Grids: blocks of two and three dimensions over the parallel loops of a nest.
use super::explain::reasons::{About, names, variable};
use super::geometry::MOST;
use super::pins;
use super::survey::Survey;
use super::{Cover, DeviceKind, Request, Strategy};
use crate::valid::KernelInfo;
use omp_ir::kernel::Kernel;
use std::collections::BTreeSet;

/// Two or three dimensions on the axes of the grid.
pub(super) fn grid(
    kernel: &Kernel,
    info: &KernelInfo,
    request: &Request<'_>,
    survey: &Survey,
) -> (Strategy, [u32; 3]) {
    let axes = axes(kernel, info);
    request.why(About::Strategy, || along(kernel, info, axes[0] as usize));
    if let Some(block) = request.pins.by_axis(&axes) {
        let block = pins::fitting(block, request.device.max_block);
        let cover = cover(request, &axes, block, 1);
        covered(request, cover, (block, 1));
        return (Strategy::Grid { axes, cover, jam: 1, wide: None, resident: 0 }, block);
    }
    if let Some((wide, block)) = super::nests::wide::grid(kernel, info, request, survey, &axes) {
        let cover = Cover::Guarded;
        return (Strategy::Grid { axes, cover, jam: 1, wide: Some(wide), resident: 0 }, block);
    }
    let (jam, lean) = super::nests::unroll_and_jam::factor(kernel, info, request, survey, axes[1] as usize);
    let spread = super::choose::spread(request, 256);
    let (threads, most) = match jam {
        _ if request.device.kind == DeviceKind::OpenClCpu => (64, 32),
        1 if survey.loops => (spread, 32),
        1 => (256, 32),
        // Rows of memory are long; what an inner loop loads repeatedly should fit a small cache.
        _ if survey.loops => (128, 32),
        _ => (256, 256),
    };
    let threads = threads.min(request.device.max_block);
    let count = request.facts.dims.get(axes[0] as usize).map_or(u64::MAX, |d| d.count);
    let across = count.clamp(1, most).next_power_of_two().min(u64::from(threads)) as u32;
    let mut block = [across, (threads / across).max(1), 1];
    // An axis has few blocks. (A loop around it costs more than a larger block.)
    let count = request.facts.dims.get(axes[1] as usize).map_or(1, |d| d.count);
    let blocks = |block: [u32; 3]| count.div_ceil(u64::from(block[1]) * u64::from(jam));
    while request.device.kind != DeviceKind::OpenClCpu
        && blocks(block) > MOST[1]
        && across * block[1] * 2 <= request.device.max_block
    {
        block[1] *= 2;
    }
    let threads = across * block[1];
    let cover = match cover(request, &axes, block, jam) {
        // Compilers do better by a loop under a condition (CUDA 13.0: up to twice as fast).
        Cover::Exact if jam > 1 => Cover::Guarded,
        other => other,
    };
    let jam = if cover == Cover::Strided { 1 } else { jam };
    // If the compiler needed more registers for it, nothing would be gained.
    let resident = if jam > 1 && lean { 2048 / threads } else { 0 };
    request.why(About::Block, || {
        let many = match jam {
            1 if survey.loops && threads == spread && spread < 256 => {
                format!("blocks of {threads} threads reach more multiprocessors, as there are few iterations")
            }
            1 => format!("{threads} threads hide the latency of memory"),
            _ if survey.loops => {
                format!("{threads} threads, so that a small cache keeps what an inner loop loads repeatedly")
            }
            _ => format!("{threads} threads along rows, which are long pieces of memory"),
        };
        format!(
            "{many}; {across} along {} read neighbouring elements in one access of a warp",
            variable(kernel, axes[0] as usize)
        )
    });
    covered(request, cover, (block, jam));
    request.because(
        About::Resident,
        "the compiler would take more registers than the variables of the body need",
    );
    (Strategy::Grid { axes, cover, jam, wide: None, resident }, block)
}

/// Why a dimension is on the axis of neighbouring threads.
fn along(kernel: &Kernel, info: &KernelInfo, dim: usize) -> String {
    let moved: BTreeSet<_> = info
        .plan
        .strides()
        .iter()
        .filter(|s| matches!(s.per_dim.get(dim), Some(Some(1 | -1))))
        .map(|s| s.array)
        .collect();
    if moved.is_empty() {
        return format!(
            "no subscript is known to move by one element along a loop, so neighbouring threads have the innermost one, {}",
            variable(kernel, dim)
        );
    }
    format!(
        "{} moves {} by one element, so neighbouring threads access neighbouring elements, which memory delivers in one transaction",
        variable(kernel, dim),
        names(kernel, &moved)
    )
}

/// Records why the grid covers the loops as it does.
fn covered(request: &Request<'_>, cover: Cover, (block, jam): ([u32; 3], u32)) {
    request.why(About::Cover, || match cover {
        Cover::Exact => "the trip counts are multiples of the block".into(),
        Cover::Guarded if jam > 1 => {
            "threads have several iterations, of which the last may be missing".into()
        }
        Cover::Guarded => {
            let counts: Vec<_> = request.facts.dims.iter().map(|dim| dim.count.to_string()).collect();
            let [x, y, z] = block;
            format!("{} iterations are no multiples of a block of {x} x {y} x {z}", counts.join(" x "))
        }
        Cover::Strided => {
            "a grid for all of them is larger than the device allows, or the device is a CPU".into()
        }
    });
}

/// Which dimensions go on x, y, z.
pub(super) fn axes(kernel: &Kernel, info: &KernelInfo) -> Vec<u32> {
    let dims = kernel.template.dims.len();
    let mut votes = vec![0i64; dims];
    for stride in info.plan.strides() {
        for (vote, step) in votes.iter_mut().zip(&stride.per_dim) {
            *vote += match step {
                Some(1 | -1) => 1 + i64::from(stride.in_loop),
                _ => 0,
            };
        }
    }
    // If there are several, the innermost one.
    let x = (0..dims).max_by_key(|&d| (votes[d], d)).unwrap_or(0);
    let mut axes = vec![x as u32];
    axes.extend((0..dims).rev().filter(|&d| d != x).map(|d| d as u32));
    axes
}

/// How the grid of [`geometry`](super::geometry) covers the trip counts: a loop around each axis costs more than it
/// looks, so it is there only where a grid has to be smaller than the counts.
fn cover(request: &Request<'_>, axes: &[u32], block: [u32; 3], jam: u32) -> Cover {
    if request.device.kind == DeviceKind::OpenClCpu {
        return Cover::Strided;
    }
    let counts = axes.iter().map(|&d| request.facts.dims.get(d as usize).map_or(1, |d| d.count));
    let [x, y, z] = block.map(u64::from);
    let axes = || counts.clone().zip([x, y * u64::from(jam), z]).zip(MOST);
    if axes().any(|((count, size), most)| count.div_ceil(size) > most) {
        Cover::Strided
    } else if axes().all(|((count, size), _)| count % size == 0) {
        Cover::Exact
    } else {
        Cover::Guarded
    }
}
