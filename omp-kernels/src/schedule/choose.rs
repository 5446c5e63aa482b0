//! The default schedule.
use super::access_width::{MOST_IN_FLIGHT, WIDEST, wide_arrays};
use super::explain::reasons::{About, names, subscripts, variable};
use super::grid::{axes, grid};
use super::nests::teams::teams;
use super::reduction::scalars::reduce;
use super::survey::{Survey, survey};
use super::{DeviceKind, Request, Schedule, Strategy};
use crate::program::recipe::Recipe;
use crate::valid::KernelInfo;
use omp_ir::analysis::plan::AccessStride;
use omp_ir::ids::{AccessId, ArrayId, TyId};
use omp_ir::kernel::{BoundsVerdict, Kernel, Reducer, Ty};
use omp_ir::template::{Base, Expr, Place, Projection, Stmt};
use omp_ir::visit;
use std::collections::BTreeSet;

/// Gathers that a thread has in flight, and the most statements of a loop that is unrolled for them.
const GATHERS: u32 = 8;
const MOST_STATEMENTS: usize = 12;

/// The default schedule, but for what the request pins.
#[must_use]
pub fn choose(kernel: &Kernel, info: &KernelInfo, request: &Request<'_>) -> Schedule {
    let survey = survey(kernel, info);
    match super::recipes::recipe(kernel, request, &survey) {
        Some(recipe) => tiled(recipe, request),
        None => untiled(kernel, info, request, &survey),
    }
}

/// The schedule of a device program.
pub(super) fn tiled(recipe: Recipe, request: &Request<'_>) -> Schedule {
    // Of the iterations outside of an interior.
    let checks = if recipe.interior.is_some() { request.facts.unproved.clone() } else { BTreeSet::new() };
    let tiles = &recipe.tiles.tiles;
    Schedule {
        block: [tiles.iter().map(|tile| tile.threads).product(), 1, 1],
        strategy: Strategy::Recipe(Box::new(recipe)),
        index32: true,
        checks,
        claims: BTreeSet::new(),
        shifted: BTreeSet::new(),
        aligned: BTreeSet::new(),
        unroll: None,
        parallelised: false,
    }
}

/// The schedule by the strategies other than device programs.
pub(super) fn untiled(
    kernel: &Kernel,
    info: &KernelInfo,
    request: &Request<'_>,
    survey: &Survey,
) -> Schedule {
    let facts = request.facts;
    let dims = kernel.template.dims.len();
    let limited = request.num_teams.is_some() || request.thread_limit.is_some();
    let mut parallelised = false;
    let cpu = request.device.kind == DeviceKind::OpenClCpu;
    let (strategy, block) = if kernel.template.scan.is_some() {
        super::scan::scan(kernel, info, request, survey)
    } else if kernel.template.reductions.iter().any(|r| r.reproducible) {
        super::reduction::reproducible::choose(kernel, info, request, survey)
    } else if let Some(privatised) =
        super::reduction::atomic_privatisation::choose(kernel, info, request, survey)
    {
        privatised
    } else if let Some(copied) = super::reduction::copy_privatisation::copied(kernel, info, request, survey) {
        copied
    } else if kernel.reducers.iter().any(Reducer::is_ordered) || !kernel.array_items().is_empty() {
        super::reduction::ordered::ordered(kernel, info, request, survey)
    } else if let Some(block) = teams(kernel, request, facts.inner_trips) {
        request.because(
            About::Strategy,
            "the inner loop has a directive, and its iterations are enough for a team",
        );
        (Strategy::Teams, block)
    } else if !kernel.template.reductions.is_empty() {
        reduce(kernel, info, request, survey)
    } else if let Some(rows) = super::nests::rows::row_scans(kernel, info, request) {
        rows
    } else if request.pins.chunk.is_some() || request.pins.team_chunk.is_some() {
        dealt(request)
    } else if let Some(block) = super::nests::independent::block(kernel, request, survey) {
        parallelised = true;
        request.because(
            About::Strategy,
            "neighbouring threads then walk along a row together, whose elements memory delivers together; a thread with a row of \
             its own would read other rows than its neighbours",
        );
        (Strategy::Teams, block)
    } else if cpu
        && !(limited || survey.queries || request.pins.block.is_some() || request.pins.tile.is_some())
    {
        // A core has one thread a group: groups of more would each stride through memory.
        request.because(
            About::Strategy,
            "the device is a CPU: a core runs a work-group by itself, in whatever order",
        );
        request.because(
            About::Block,
            "a core runs one thread at a time; more in a group would take turns, far apart in memory",
        );
        (Strategy::Linear, [1, 1, 1])
    } else if dims == 1 || dims > 3 || limited || survey.queries {
        row(kernel, info, request, survey)
    } else {
        grid(kernel, info, request, survey)
    };
    let total = facts.total.is_some_and(|t| t < 1 << 31);
    let gathers =
        request.device.kind == DeviceKind::Cuda && matches!(strategy, Strategy::Linear) && gathers(kernel);
    let pinned = request.pins.unroll.filter(|_| survey.loops);
    let unroll = pinned.or(gathers.then_some(GATHERS));
    request.why(About::Unroll, || match pinned {
        Some(_) => "the `unroll` clause asks for it".into(),
        None => format!(
            "the loop reads subscripts and then the elements that they name: each iteration waits for memory twice, and {GATHERS} of \
             them wait together"
        ),
    });
    tell(kernel, info, request, (&strategy, block));
    Schedule {
        strategy,
        block,
        index32: facts.index32 && total,
        checks: facts.unproved.clone(),
        claims: facts.claims.clone(),
        shifted: BTreeSet::new(),
        aligned: aligned(kernel, request),
        unroll,
        parallelised,
    }
}

/// Records why the launch needs what every strategy may have, and what its user could change.
fn tell(
    kernel: &Kernel,
    info: &KernelInfo,
    request: &Request<'_>,
    (strategy, [x, y, z]): (&Strategy, [u32; 3]),
) {
    let (facts, device) = (request.facts, request.device);
    if request.reasons.is_none() {
        return;
    }
    request.because(About::Index32, "all trip counts and proved subscripts of this launch are below 2^31");
    request.why(About::Aligned, || {
        format!(
            "their memory begins at a multiple of {WIDEST} bytes, and their size is one of those of accesses"
        )
    });
    request.why(About::Claims, || {
        format!(
            "only the data shows whether two iterations meet in an element of {}",
            names(kernel, &facts.claims)
        )
    });
    if request.pins.block.is_some() || request.pins.tile.is_some() {
        request.because(About::Block, "the `block` or `tile` clause asks for it");
    } else if request.thread_limit.is_some_and(|most| u64::from(x * y * z) >= most) {
        request.because(
            About::Block,
            "`thread_limit` allows no more, or the kernel's registers leave room for no more",
        );
    }
    let unproved = subscripts(kernel, &facts.unproved);
    request.why(About::Checks, || {
        format!("{unproved}: with the lengths and trip counts of this launch the formula doesn't hold, or there is none")
    });
    let by_data: BTreeSet<_> = residual(kernel).collect();
    if !facts.unproved.is_empty() {
        request.why(About::Faster, || {
            format!(
                "{unproved} may be out of bounds with these sizes, so the kernel checks it in each iteration: lengths that \
                 cover the loop's bounds (`let x = &x[..n];` before the loop) prove it"
            )
        });
    }
    let others = info.residual_checks.saturating_sub(by_data.len());
    if info.overflow_checks && others > 0 {
        overflow(request, others);
    }
    if !by_data.is_empty() {
        let found = subscripts(kernel, &by_data);
        request.why(About::Faster, || {
            format!(
                "the index of {found} is read from memory or can't be understood, so the kernel checks it in each \
                 iteration. A sum of loop variables and constants is proved at the launch; of others, \
                 `unsafe(unchecked)` promises the bounds"
            )
        });
    }
    if !facts.claims.is_empty() {
        request.why(About::Faster, || {
            format!(
                "iterations claim elements of {} one by one: subscripts by formulas need no claims",
                names(kernel, &facts.claims)
            )
        });
    }
    let gpu = device.kind != DeviceKind::OpenClCpu;
    let room = u64::from(device.units) * 2048;
    let own = facts.total.unwrap_or(u64::MAX);
    // A team has threads for its inner loops.
    if gpu && own < room / 4 && !matches!(strategy, Strategy::Teams | Strategy::Rows { .. }) {
        request.why(About::Faster, || {
            format!(
                "{own} iterations are few for a device that runs {room} threads at a time: larger sizes, `collapse` over an inner \
                 loop, or several such loops at a time (`nowait`)"
            )
        });
    }
    if gpu && !matches!(strategy, Strategy::Teams | Strategy::Rows { .. } | Strategy::LookBack { .. }) {
        let fast = if kernel.template.dims.len() > 1 { axes(kernel, info)[0] as usize } else { 0 };
        let across: BTreeSet<_> = info
            .plan
            .strides()
            .iter()
            .filter(|s| stride(kernel, request, s, fast).is_some_and(|by| by.unsigned_abs() > 1))
            .map(|s| s.access)
            .collect();
        if !across.is_empty() {
            let variable = variable(kernel, fast);
            request.why(About::Faster, || {
                format!(
                    "neighbouring threads have neighbouring {variable}, along which {} moves by more than one element: memory \
                     delivers 32 bytes for each of them, most for nothing. Another layout of the array (or another \
                     order of the loops) makes neighbours contiguous",
                    subscripts(kernel, &across)
                )
            });
        }
    }
}

/// Says what a build with overflow checks costs.
pub(super) fn overflow(request: &Request<'_>, checks: usize) {
    request.why(About::Faster, || {
        format!(
            "the crate is built with overflow checks, and the kernel has {checks} checks besides those of subscripts: `--release` (or \
             `overflow-checks = false` in the profile) leaves few or none"
        )
    });
}

/// Subscripts whose index no formula tells.
fn residual(kernel: &Kernel) -> impl Iterator<Item = AccessId> {
    let accesses = kernel.body.code.accesses.iter().zip(&kernel.body.bounds).enumerate();
    accesses
        .filter(|(_, (access, bounds))| !access.name.is_empty() && **bounds == BoundsVerdict::Residual)
        .map(|(i, _)| AccessId::new(i))
}

/// By how many elements a subscript moves along a parallel loop.
pub(super) fn stride(kernel: &Kernel, request: &Request<'_>, of: &AccessStride, dim: usize) -> Option<i64> {
    let by_value = of.per_dim.get(dim).copied().flatten();
    let nest = request.facts.nest.as_ref().and_then(|nest| nest.subscripts.get(&of.access));
    let ty = kernel.array_ty[of.array.index()];
    // Nests count the numbers of structs.
    let numbers = match kernel.types.get(ty) {
        Ty::Struct(..) => kernel.types.numbers(ty).map_or(1, |(_, n)| n as i64),
        _ => 1,
    };
    nest.and_then(|affine| affine.strides.get(dim).map(|by| by / numbers)).or(by_value)
}

/// Whether the one sequential loop of the body reads elements whose subscripts it has read before: each turn then waits for
/// memory twice, and only loads of other iterations can hide the latency.
fn gathers(kernel: &Kernel) -> bool {
    let code = &kernel.body.code;
    let mut loops = Vec::new();
    visit::each_stmt(&code.block, &mut |stmt| {
        if let Stmt::For { body, .. } | Stmt::Loop { body, .. } = stmt {
            loops.push((matches!(stmt, Stmt::For { .. }), body));
        }
    });
    let [(true, body)] = loops[..] else { return false };
    let (mut statements, mut found, mut plain) = (0, false, true);
    // Locals with something that was read.
    let mut read = BTreeSet::new();
    visit::each_stmt(body, &mut |stmt| {
        statements += 1;
        plain &= !matches!(stmt, Stmt::Atomic { .. } | Stmt::Inner(_));
        let loads = |root| {
            let mut loads = false;
            visit::each_expr(code, root, &mut |e| {
                if let Expr::Load(place) = &code.exprs[e.index()].expr {
                    loads |= match place.base {
                        Base::Array(_) => true,
                        Base::Local(local) => read.contains(&local),
                        _ => false,
                    };
                }
            });
            loads
        };
        visit::of_stmt(stmt, &mut |root| {
            visit::each_expr(code, root, &mut |e| {
                let Expr::Load(Place { base: Base::Array(_), projections }) = &code.exprs[e.index()].expr
                else {
                    return;
                };
                if let Some(Projection::Index { index, .. }) = projections.first() {
                    found |= loads(*index);
                }
            });
        });
        if let Stmt::Let { local, init: Some(value) } = stmt
            && loads(*value)
        {
            read.insert(*local);
        }
    });
    found && plain && statements <= MOST_STATEMENTS
}

/// Arrays of structs that begin at a multiple of what accesses of several fields need. NVIDIA's compiler merges accesses of
/// neighbouring fields if it knows that; a struct's own alignment is that of its largest field.
pub(super) fn aligned(kernel: &Kernel, request: &Request<'_>) -> BTreeSet<ArrayId> {
    let fits = |array: &ArrayId| {
        let ty = kernel.array_ty[array.index()];
        let begins = u64::from(request.alignment.get(array.index()).copied().unwrap_or(1));
        struct_alignment(kernel, ty).is_some_and(|bytes| begins >= bytes)
    };
    let cuda = request.device.kind == DeviceKind::Cuda;
    (0..kernel.array_ty.len()).map(ArrayId::new).filter(|a| cuda && fits(a)).collect()
}

/// The alignment of all structs of an array that begins at a multiple of 16, if it is more than that of numbers.
pub(crate) fn struct_alignment(kernel: &Kernel, ty: TyId) -> Option<u64> {
    let size = kernel.types.size(ty).filter(|size| *size > 0)?;
    let bytes = (1 << size.trailing_zeros()).min(WIDEST);
    (matches!(kernel.types.get(ty), Ty::Struct(..)) && bytes > 4).then_some(bytes)
}

/// Iterations in a row.
fn row(kernel: &Kernel, info: &KernelInfo, request: &Request<'_>, survey: &Survey) -> (Strategy, [u32; 3]) {
    let block = flat(request, 256);
    let in_flight = request.pins.unroll.filter(|n| *n > 0 && !survey.loops).map(|n| n.min(MOST_IN_FLIGHT));
    let (width, arrays) = if survey.loops {
        request.because(
            About::Without("wide accesses"),
            "the body has a loop: a thread is busy with one iteration",
        );
        (1, Vec::new())
    } else {
        wide_arrays(kernel, info, request, survey)
    };
    request.why(About::Strategy, || {
        let loops = kernel.template.dims.len();
        let why = if survey.queries {
            "the body asks for its team and thread"
        } else if loops > 1 && (request.num_teams.is_some() || request.thread_limit.is_some()) {
            "`num_teams` and `thread_limit` count threads in a row, so the loops are numbered as one"
        } else if loops > 3 {
            "a grid has three axes, so more loops are numbered as one"
        } else {
            "neighbouring threads have neighbouring iterations, so what they read side by side comes in one transaction"
        };
        why.to_owned()
    });
    request.why(About::Block, || {
        format!(
            "{} threads are enough to hide the latency of memory, and few enough that several blocks fit",
            block[0]
        )
    });
    request.why(About::InFlight, || match in_flight {
        Some(_) => "the `unroll` clause asks for it".into(),
        None => {
            format!("only {} is accessed in groups, so there is room for two groups", names(kernel, &arrays))
        }
    });
    let strategy = match (arrays.len(), in_flight) {
        (0, None | Some(1)) => Strategy::Linear,
        (0, Some(unroll)) => Strategy::Vector { width: 1, unroll, arrays },
        (1, unroll) => Strategy::Vector { width, unroll: unroll.unwrap_or(2), arrays },
        (_, unroll) => Strategy::Vector { width, unroll: unroll.unwrap_or(1), arrays },
    };
    (strategy, block)
}

/// Chunks as the user wants them dealt.
pub(super) fn dealt(request: &Request<'_>) -> (Strategy, [u32; 3]) {
    let (pins, block) = (&request.pins, flat(request, 256));
    let threads: u64 = block.iter().map(|b| u64::from(*b)).product();
    // Longer chunks than the loop mean nothing more, and could make sums wrap.
    let all = request.facts.total.unwrap_or(u64::MAX).clamp(1, (1 << 62) / threads.max(1));
    let each = pins.chunk.unwrap_or(1).clamp(1, all);
    let team = pins.team_chunk.map_or(each * threads, |n| n.clamp(1, all));
    request.because(About::Strategy, "the `schedule` and `dist_schedule` clauses say so");
    request.why(About::Block, || format!("{threads} threads hide the latency of memory"));
    (Strategy::Chunked { team, each }, block)
}

/// A block in a row.
pub(super) fn flat(request: &Request<'_>, usual: u32) -> [u32; 3] {
    let usual = if request.device.kind == DeviceKind::OpenClCpu { usual.min(64) } else { usual };
    let narrow = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
    let wanted = match (request.pins.flat(), request.thread_limit) {
        (Some(pinned), limit) => narrow(pinned.min(limit.unwrap_or(u64::MAX))),
        (None, limit) => limit.map_or(usual, narrow),
    };
    [wanted.clamp(1, request.device.max_block.max(1)), 1, 1]
}
<<<<<<< HEAD

/// The block of a team, where nests of so many iterations are worth one.
pub(super) fn teams(kernel: &Kernel, request: &Request<'_>, trips: Option<u64>) -> Option<[u32; 3]> {
    let (facts, device) = (request.facts, request.device);
    // Claims are of outer iterations: the inner ones of each have to follow one another.
    if device.kind == DeviceKind::OpenClCpu || !facts.claims.is_empty() || !super::nests::teams::suits(kernel)
    {
        return None;
    }
    let outer = facts.total.unwrap_or(u64::MAX);
    let limit = request.thread_limit.unwrap_or(u64::MAX).min(u64::from(device.max_block.max(1)));
    let wanted = match trips.unwrap_or(1024) {
        // A thread for each outer iteration has less to do than a team would have to wait.
        0..=8 if outer >= 32 * u64::from(device.units) => return None,
        _ if request.pins.flat().is_some() => request.pins.flat().unwrap_or(1),
        // What the threads of a team tell each other costs as much as a few iterations: each has sixteen, unless there
        // are too few teams to fill the device.
        trips @ 0..=32_768 => {
            let most = trips.clamp(1, 256).next_multiple_of(32);
            let filling = (u64::from(device.units) * 2048).div_ceil(outer.max(1)).next_power_of_two();
            (trips / 16).next_power_of_two().clamp(64, 256).max(filling).min(most)
        }
        _ if outer >= 2 * u64::from(device.units) => 512,
        _ => 1024,
    };
    let pinned = request.pins.block.map(|b| b.iter().map(|n| u64::from(*n)).product());
    let threads = pinned.unwrap_or(wanted).clamp(1, limit.max(1));
    // Whole warps where there may be one.
    let threads = if threads > 32 { threads / 32 * 32 } else { threads };
    let warp = if device.kind == DeviceKind::Cuda { 32 } else { 1 };
    let fits = super::nests::teams::shared_bytes(kernel, threads, warp) <= u64::from(device.shared_bytes);
    if fits {
        request.why(About::Block, || match trips {
            Some(trips) => format!("an inner loop of {trips} iterations keeps {threads} threads busy, and {outer} teams fill the device"),
            None => format!("how long the inner loop is shows in the kernel alone: {threads} threads suit some thousand iterations"),
        });
    }
    fits.then_some([threads as u32, 1, 1])
}

/// A block whose threads combine their items: of whole warps on CUDA, where that goes by shuffles; elsewhere their items
/// have to fit the memory that they share.
pub(super) fn combining(kernel: &Kernel, request: &Request<'_>, [block, ..]: [u32; 3]) -> [u32; 3] {
    if request.device.kind == DeviceKind::Cuda && block >= 32 {
        return [block / 32 * 32, 1, 1];
    }
    let size = kernel.result_places().1.max(16) as u32;
    let most = (request.device.shared_bytes.min(48 << 10) - 1024) / size;
    [block.min(most.max(1)), 1, 1]
}

fn reduce(
    kernel: &Kernel,
    info: &KernelInfo,
    request: &Request<'_>,
    survey: &Survey,
) -> (Strategy, [u32; 3]) {
    let cpu = request.device.kind == DeviceKind::OpenClCpu;
    let limited = request.num_teams.is_some() || request.thread_limit.is_some();
    let (width, arrays) =
        if survey.loops || cpu { (1, Vec::new()) } else { wide_arrays(kernel, info, request, survey) };
    // Where all that is read lies in one row, neighbouring rows have nothing in common.
    let in_row = width > 1 && survey.accesses.iter().filter(|of| !of.is_empty()).count() == arrays.len();
    let two = kernel.template.dims.len() == 2 && axes(kernel, info)[0] == 1;
    if two && !(cpu || limited || survey.queries || in_row) {
        let (rows, _) = super::nests::unroll_and_jam::factor(kernel, info, request, survey, 0);
        if rows > 1 {
            let wide = super::nests::wide::wide(kernel, info, request, survey);
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
    // Few threads each have more in flight, as far as a block leaves them the registers.
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
        0..=2 if threads.is_none() && super::geometry::is_short(request, width, u64::from(usual[0])) => 2,
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
            "the `unroll` clause asks for it".into()
        } else if cpu {
            "sums that don't wait for each other: a core adds several at a time".into()
        } else if few {
            format!("`num_teams` leaves few threads, each of which has registers for {unroll}")
        } else {
            format!("memory answers after hundreds of cycles: {unroll} loads that wait together wait once")
        }
    });
    request.because(About::Resident, "`num_teams` asks for no more blocks than there are multiprocessors");
    // A core runs one item a group, whatever the limit: neighbouring elements stay together, and nothing waits at
    // barriers, which cost loops over items (and whose loops PoCL 3.1 gets wrong when groups run at a time).
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

/// The registers of a thread for what it has in flight, if its block has a multiprocessor for itself.
fn registers_for(threads: u32) -> u32 {
    (REGISTERS / threads.max(256)).saturating_sub(OTHERS)
}

/// The arrays that can be accessed in groups of the width that is also given.
pub(super) fn wide_arrays(
    kernel: &Kernel,
    info: &KernelInfo,
    request: &Request<'_>,
    survey: &Survey,
) -> (u32, Vec<ArrayId>) {
    const NONE: (u32, Vec<ArrayId>) = (1, Vec::new());
    // Nests are looked at as one row of iterations: `in_row` says which accesses are contiguous along it.
    let in_steps = match request.facts.dims.as_slice() {
        [dim] => dim.step == 1 && dim.first >= 0,
        _ => !request.facts.in_row.is_empty(),
    };
    if request.device.kind == DeviceKind::OpenClCpu || !in_steps {
        let why = match request.device.kind {
            DeviceKind::OpenClCpu => "the compiler of a CPU makes vectors itself",
            _ if request.facts.dims.len() > 1 => {
                "no subscript moves by one element from each iteration of the nest to the next"
            }
            _ => "the loop goes down or by steps other than 1",
        };
        request.because(About::Without("wide accesses"), why);
        return NONE;
    }
    // What is reduced is in copies, not in the array that its subscripts name.
    let items = kernel.array_items();
    let mut arrays: Vec<ArrayId> = (0..kernel.template.arrays.len())
        .map(ArrayId::new)
        .filter(|a| items.iter().all(|(_, item)| item != a))
        .filter(|&a| in_step(kernel, info, request, survey, a))
        .collect();
    let size = |a: ArrayId| kernel.types.size(kernel.array_ty[a.index()]).unwrap_or(0);
    // The largest element gets the widest access; who can't follow at that width stays scalar, and the rest tries
    // again.
    loop {
        let Some(largest) = arrays.iter().map(|&a| size(a)).max() else {
            request.why(About::Without("wide accesses"), || narrow(kernel, info, request, survey, &[]));
            return NONE;
        };
        let width = (WIDEST / largest.max(1)).min(request.pins.width());
        if width < 2 {
            arrays.retain(|&a| size(a) < largest);
            continue;
        }
        let before = arrays.len();
        arrays.retain(|&a| {
            u64::from(request.alignment.get(a.index()).copied().unwrap_or(1)) >= width * size(a)
                && strides_of(info, a).all(|s| {
                    kernel.template.dims.len() > 1 || s.unit.is_some_and(|(_, c)| c % width as i64 == 0)
                })
        });
        if arrays.len() == before {
            request.why(About::Wide, || {
                format!(
                    "subscripts of {} are the iteration's number and a constant, in bounds, and their memory begins at a multiple of {} \
                     bytes: one instruction loads or stores {width}",
                    names(kernel, &arrays),
                    width * largest
                )
            });
            let other = |(a, of): (usize, &Vec<AccessId>)| {
                let a = ArrayId::new(a);
                !of.is_empty() && !arrays.contains(&a) && items.iter().all(|(_, item)| *item != a)
            };
            let others = survey.accesses.iter().enumerate().any(other);
            if others {
                request
                    .why(About::Without("wider accesses"), || narrow(kernel, info, request, survey, &arrays));
            }
            return (width as u32, arrays);
        }
    }
}

/// Why the other arrays are accessed element by element.
fn narrow(
    kernel: &Kernel,
    info: &KernelInfo,
    request: &Request<'_>,
    survey: &Survey,
    wide: &[ArrayId],
) -> String {
    let why = |a: ArrayId| {
        let size = kernel.types.size(kernel.array_ty[a.index()]).unwrap_or(0);
        if survey.whole[a.index()] {
            "is handed on as a whole, or updated atomically"
        } else if !size.is_power_of_two() || size > WIDEST / 2 {
            "has elements that don't fit an access of 16 bytes twice"
        } else if !in_step(kernel, info, request, survey, a) {
            "has a subscript that is not the iteration's number plus a constant, not proved, or not reached in every iteration"
        } else if request.pins.width() < 2 {
            "is under `vector(1)`"
        } else {
            "is aligned otherwise than wide accesses need"
        }
    };
    let touched =
        survey.accesses.iter().enumerate().filter(|(_, of)| !of.is_empty()).map(|(a, _)| ArrayId::new(a));
    let mut found: Vec<(&str, Vec<ArrayId>)> = Vec::new();
    // What is reduced is in copies.
    let reduced = kernel.array_items();
    let is_reduced = |a: &ArrayId| reduced.iter().any(|(_, item)| item == a);
    for array in touched.filter(|a| !wide.contains(a) && !is_reduced(a)) {
        let why = why(array);
        match found.iter_mut().find(|(other, _)| *other == why) {
            Some((_, arrays)) => arrays.push(array),
            None => found.push((why, vec![array])),
        }
    }
    if found.is_empty() {
        return "no array is read or written by a subscript".into();
    }
    let said: Vec<_> = found
        .iter()
        .map(|(why, arrays)| {
            let (each, of) = if arrays.len() > 1 {
                ("each of ", names(kernel, arrays))
            } else {
                ("", names(kernel, arrays))
            };
            format!("{each}{of} {why}")
        })
        .collect();
    said.join("; ")
}

pub(super) fn strides_of(info: &KernelInfo, array: ArrayId) -> impl Iterator<Item = &AccessStride> {
    info.plan.strides().iter().filter(move |s| s.array == array)
}

/// Every subscript of the array is the loop variable and a constant, proved, and each place is reached in every
/// iteration by one of them, so that a whole group may be loaded. What is written is written at one place only.
fn in_step(
    kernel: &Kernel,
    info: &KernelInfo,
    request: &Request<'_>,
    survey: &Survey,
    array: ArrayId,
) -> bool {
    let accesses = &survey.accesses[array.index()];
    let size = kernel.types.size(kernel.array_ty[array.index()]).unwrap_or(0);
    if survey.whole[array.index()] || accesses.is_empty() || !size.is_power_of_two() || size > WIDEST / 2 {
        return false;
    }
    let strides: Vec<_> = strides_of(info, array).filter(|s| accesses.contains(&s.access)).collect();
    let proved = |s: &AccessStride| match kernel.body.bounds[s.access.index()] {
        BoundsVerdict::Proved => true,
        BoundsVerdict::AtLaunch => !request.facts.unproved.contains(&s.access),
        BoundsVerdict::Trusted => s.unconditional,
        BoundsVerdict::Residual => false,
    };
    let reached = |s: &AccessStride| strides.iter().any(|other| other.unit == s.unit && other.unconditional);
    let all = accesses.iter().all(|a| strides.iter().any(|s| s.access == *a));
    let written = strides.iter().any(|s| kernel.body.code.accesses[s.access.index()].write);
    let one_place = strides.windows(2).all(|pair| pair[0].unit == pair[1].unit);
    let moves = |s: &AccessStride| {
        if kernel.template.dims.len() > 1 {
            return request.facts.in_row.contains(&s.access);
        }
        s.unit.is_some_and(|(d, _)| d == 0) && request.facts.in_step.contains(&s.access)
    };
    let reached = |s: &AccessStride| {
        // In nests all of them are in one place.
        reached(s) && (kernel.template.dims.len() == 1 || strides.iter().any(|other| other.unconditional))
    };
    all && strides.iter().all(|s| moves(s) && !s.in_loop && proved(s) && reached(s))
        && (one_place || !written)
}

/// Two or three dimensions on the axes of the grid.
fn grid(kernel: &Kernel, info: &KernelInfo, request: &Request<'_>, survey: &Survey) -> (Strategy, [u32; 3]) {
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
    let (threads, most) = match jam {
        _ if request.device.kind == DeviceKind::OpenClCpu => (64, 32),
        1 => (256, 32),
        // Rows of memory are long; what an inner loop loads again and again should fit a small cache.
        _ if survey.loops => (128, 32),
        _ => (256, 256),
    };
    let threads = threads.min(request.device.max_block);
    let count = request.facts.dims.get(axes[0] as usize).map_or(u64::MAX, |d| d.count);
    let across = count.clamp(1, most).next_power_of_two().min(u64::from(threads)) as u32;
    let block = [across, (threads / across).max(1), 1];
    let cover = match cover(request, &axes, block, jam) {
        // Compilers do better by a loop under a condition (CUDA 13.0: up to twice as fast).
        Cover::Exact if jam > 1 => Cover::Guarded,
        other => other,
    };
    let jam = if cover == Cover::Strided { 1 } else { jam };
    // Where the compiler would take more registers, it is for nothing.
    let resident = if jam > 1 && lean { 2048 / threads } else { 0 };
    request.why(About::Block, || {
        let many = match jam {
            1 => format!("{threads} threads hide the latency of memory"),
            _ if survey.loops => {
                format!("{threads} threads, so that what an inner loop loads again stays in a small cache")
            }
            _ => format!("{threads} threads along rows, which are long pieces of memory"),
        };
        format!(
            "{many}; {across} along {} read neighbouring elements together",
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
        "{} moves {} by one element, so neighbouring threads access neighbouring elements, which memory delivers together",
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
fn axes(kernel: &Kernel, info: &KernelInfo) -> Vec<u32> {
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
    // Of equal ones, the innermost.
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
=======
>>>>>>> 978275d5
