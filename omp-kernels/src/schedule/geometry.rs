//! Launch geometry: the grid, the block and the dynamic shared memory of a schedule.
use super::{DeviceKind, Each, Geometry, Request, Schedule, Strategy, Wide};
use omp_ir::analysis::plan::Iterations;
use omp_ir::kernel::Kernel;

/// The most blocks on the first axis, and on the others.
pub(super) const MOST: [u64; 3] = [(1 << 31) - 1, 65535, 65535];

/// Blocks of a reduction for each multiprocessor.
const REDUCE_BLOCKS: u64 = 4;
/// The same for a short loop, where the results of blocks cost more than further threads save.
const SHORT_REDUCE_BLOCKS: u64 = 2;

/// Whether a reduction has so few groups that the results of its blocks cost a good part of its time: each thread of the device
/// has a handful.
pub(super) fn is_short(request: &Request<'_>, width: u32, threads: u64) -> bool {
    let resident = u64::from(request.device.units.max(1)) * SHORT_REDUCE_BLOCKS * threads;
    width > 1 && request.facts.total.is_some_and(|n| n / u64::from(width) < resident * 8)
}

/// The grid for a schedule and its trip counts. (The block is the schedule's.)
#[must_use]
pub fn geometry(schedule: &Schedule, kernel: &Kernel, request: &Request<'_>) -> Geometry {
    let facts = request.facts;
    let block = schedule.block;
    let threads = u64::from(block[0]) * u64::from(block[1]) * u64::from(block[2]);
    let total = facts.total.unwrap_or(u64::MAX);
    let mut grid = [1u64; 3];
    match &schedule.strategy {
        Strategy::Linear => grid[0] = total.div_ceil(threads),
        Strategy::Chunked { team, each: _ } => grid[0] = total.div_ceil((*team).max(1)),
        Strategy::Vector { width, unroll, arrays: _ } => {
            grid[0] = chunks(request, total, *width, threads * u64::from(width * unroll));
        }
        Strategy::Teams => {
            let resident = u64::from(request.device.units.max(1)) * (2048 / threads.clamp(1, 2048)).max(1);
            // Results of blocks cost memory and time; blocks as such next to nothing.
            let waves = if kernel.template.reductions.is_empty() { 16 } else { 1 };
            grid[0] = total.min(resident * waves);
        }
        Strategy::Reduce { width, unroll, arrays: _, alone: _ }
        | Strategy::AtomicPrivatisation { width, unroll, arrays: _, shared: _, slots: _ }
        | Strategy::Accumulators { width, unroll, arrays: _, of: _, hot: _ } => {
            let chunks = chunks(request, total, *width, threads * u64::from(width * unroll));
            let per_unit = match request.device.kind {
                DeviceKind::OpenClCpu => 1,
                DeviceKind::Cuda | DeviceKind::OpenClGpu => {
                    let most = (2048 / threads.clamp(1, 2048)).clamp(1, REDUCE_BLOCKS);
                    // There are registers for three such blocks. A fourth would run alone, and two have enough loads in flight.
                    let narrow = matches!(&schedule.strategy, Strategy::AtomicPrivatisation { width, unroll, shared, .. }
                        if *shared > 0 && *width > 1 && *unroll >= 4);
                    let short = matches!(&schedule.strategy, Strategy::Reduce { unroll: 2, .. })
                        && is_short(request, *width, threads);
                    if narrow {
                        most.min((1024 / threads).max(1))
                    } else if short {
                        most.min(SHORT_REDUCE_BLOCKS)
                    } else {
                        most
                    }
                }
            };
            let resident = u64::from(request.device.units.max(1)) * per_unit;
            grid[0] = chunks.min(resident);
        }
        Strategy::Tiles { rows, wide } => {
            let count = |d: usize| facts.dims.get(d).map_or(1, |d| d.count);
            let (rows, wide_by, lead) = match wide {
                Some(wide) => {
                    (threads as u32 / Wide::ACROSS, u64::from(Wide::ACROSS * wide.columns), wide.lead())
                }
                None => (*rows, threads, 0),
            };
            let across = (count(1) + u64::from(lead)).div_ceil(wide_by);
            let tiles = count(0).div_ceil(u64::from(rows.max(1))).saturating_mul(across);
            // Blocks that come and go keep to neighbouring rows, those that stay drift apart; but each has results to add.
            let resident = u64::from(request.device.units.max(1)) * (2048 / threads.clamp(1, 2048)).max(1);
            grid[0] = tiles.min(if wide.is_some() { resident } else { resident * 4 });
        }
        Strategy::Ordered { run, steps: _, arrays } => {
            let per_block = threads * u64::from(*run);
            let resident = match request.device.kind {
                DeviceKind::OpenClCpu => u64::from(request.device.units.max(1)),
                DeviceKind::Cuda | DeviceKind::OpenClGpu => {
                    // If the lanes of warps read cooperatively, there are registers and shared memory for half the threads.
                    let threads_of_unit: u64 = if arrays.is_empty() { 2048 } else { 1024 };
                    u64::from(request.device.units.max(1)) * (threads_of_unit / threads.clamp(1, 1024)).max(1)
                }
            };
            grid[0] = total.div_ceil(per_block).clamp(1, resident);
        }
        Strategy::CopyPrivatisation { each, shared, .. } => {
            let extent = |(_, array): (usize, omp_ir::ids::ArrayId)| {
                request.extents.get(array.index()).copied().unwrap_or(0)
            };
            let extents = kernel.array_items().into_iter().map(extent);
            grid[0] = super::reduction::copy_privatisation::blocks(
                (*each, *shared),
                extents,
                request.device,
                (total, threads),
            );
        }
        Strategy::Scan => {
            let units = u64::from(request.device.units.max(1));
            let most = if request.device.kind == DeviceKind::OpenClCpu { units } else { units * 16 };
            grid[0] = total.div_ceil(threads * 16).clamp(1, most);
        }
        Strategy::Recipe(recipe) => {
            let nest = facts.nest_of(recipe.iterations);
            let count = |l: usize| nest.map_or(1, |nest| nest.loops[l].count);
            let tiles = recipe.tiles.tiles.iter().enumerate();
            grid[0] = match &recipe.rows {
                Some(of) => (0..facts.dims.len()).map(count).product::<u64>().div_ceil(of.rows.into()),
                None => tiles.map(|(l, tile)| count(l).div_ceil(tile.extent().into())).product(),
            };
            if recipe.iterations == Iterations::Interior {
                // The iterations outside of it: a thread for each.
                let inside: u64 = (0..facts.dims.len()).map(count).product();
                grid[0] += total.saturating_sub(inside).div_ceil(threads);
            }
        }
        Strategy::Rows { warps, .. } => {
            grid[0] = total.div_ceil((threads / 32 / u64::from((*warps).max(1))).max(1));
        }
        Strategy::LookBack { run, chunks, arrays, compacted: _ } => {
            // As many as may run at a time: each goes through tiles until there are none.
            let resident =
                u64::from(request.device.units.max(1)) * super::scan::per_unit(threads, !arrays.is_empty());
            grid[0] = super::room::tiles(total, threads, *run, *chunks).min(resident);
        }
        Strategy::Reproducible { run, warps, steps: _, arrays: _ } => {
            let reproducible_total = super::room::reproducible_total(kernel, facts);
            let most = u64::from(request.device.units.max(1)) * if *warps { 16 } else { 64 };
            let runs = if *warps { threads / 32 } else { threads };
            grid[0] = reproducible_total.div_ceil((*run).saturating_mul(runs.max(1))).clamp(1, most);
        }
        Strategy::Grid { axes, cover: _, jam, wide, resident: _ } => {
            for (axis, &dim) in axes.iter().enumerate().take(3) {
                let count = facts.dims.get(dim as usize).map_or(1, |d| d.count);
                let (before, each) = match (axis, wide) {
                    (0, Some(wide)) => (wide.lead(), wide.columns),
                    (1, _) => (0, *jam),
                    _ => (0, 1),
                };
                let count = count.saturating_add(before.into());
                grid[axis] = count.div_ceil(u64::from(block[axis]) * u64::from(each.max(1)));
            }
        }
    }
    let tiles = matches!(schedule.strategy, Strategy::Recipe(_));
    if request.device.kind == DeviceKind::OpenClCpu && kernel.template.reductions.is_empty() && !tiles {
        // A group has a cost; to go from one iteration to the next costs next to nothing.
        grid[0] = grid[0].min(u64::from(request.device.units.max(1)) * 64);
    }
    if let Some(teams) = request.num_teams {
        // More teams than iterations would only cost time.
        let most = match &schedule.strategy {
            Strategy::Chunked { .. } | Strategy::LookBack { .. } => grid[0],
            _ => total,
        };
        grid = [teams.min(most.max(1)), 1, 1];
    }
    if let Strategy::CopyPrivatisation { each, .. } = schedule.strategy {
        let copies = if each == (Each::Warp { far: true }) { threads / 32 } else { 1 };
        grid[0] = grid[0].min(super::room::copying_blocks(kernel, request.extents, total, copies));
    }
    if let Strategy::Ordered { .. } = schedule.strategy {
        grid[0] = grid[0].min(super::room::copying_blocks(kernel, request.extents, total, threads));
    }
    let mut blocks = [1; 3];
    for (axis, blocks) in blocks.iter_mut().enumerate() {
        *blocks = grid[axis].clamp(1, MOST[axis]) as u32;
    }
    let shared = match &schedule.strategy {
        Strategy::Recipe(recipe) => recipe.shared,
        Strategy::Teams => u32::try_from(schedule.interleaved.team_bytes(kernel)).unwrap_or(u32::MAX),
        _ => u32::try_from(schedule.interleaved.bytes(kernel) * threads).unwrap_or(u32::MAX),
    };
    Geometry { grid: blocks, block, shared }
}

/// The chunks that the iterations touch: those of width above one are cut in the space of the variable's values.
fn chunks(request: &Request<'_>, total: u64, width: u32, size: u64) -> u64 {
    match request.facts.dims.as_slice() {
        [dim] if width > 1 => {
            let first = dim.first as u64;
            first.saturating_add(dim.count).div_ceil(size) - first / size
        }
        _ => total.div_ceil(size),
    }
}
