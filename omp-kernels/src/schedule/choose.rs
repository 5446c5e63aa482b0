//! Chooses the default schedule of a launch: strategy, block, access widths, unrolling and loads in flight.
use super::access_width::{
    MOST_IN_FLIGHT, Records, WIDEST, has_records, may_be_wide, strides_of, wide_arrays,
};
use super::explain::reasons::{About, names, subscripts, variable};
use super::grid::{axes, grid};
use super::nests::teams::teams;
use super::reduction::scalars::reduce;
use super::survey::{Survey, survey};
use super::{DeviceKind, Interleaved, Request, Schedule, SharedLoops, Strategy};
use crate::back::c::stmt::inner::loops_of;
use crate::program::gcd;
use crate::program::recipe::Recipe;
use crate::valid::KernelInfo;
use omp_ir::analysis::plan::{AccessStride, Iterations};
use omp_ir::ids::{AccessId, ArrayId, TyId};
use omp_ir::kernel::{BoundsVerdict, Kernel, Reducer, Ty};
use omp_ir::template::{Base, Block, Expr, Place, Projection, Stmt};
use omp_ir::visit;
use std::collections::{BTreeMap, BTreeSet};

/// Gathers that a thread has in flight, and the most statements of a loop that is unrolled for them.
const GATHERS: u32 = 8;
const MOST_STATEMENTS: usize = 12;

/// Numbers of an iteration that count as a record: rows of matrices are longer.
const MOST_NUMBERS: i64 = 64;

/// The default schedule, except what the request pins.
#[must_use]
pub fn choose(kernel: &Kernel, info: &KernelInfo, request: &Request<'_>) -> Schedule {
    let survey = survey(kernel, info);
    if has_records(kernel, info, request, &survey) || super::nests::rows::are_long(kernel, info, request) {
        return untiled(kernel, info, request, &survey);
    }
    match super::recipes::recipe(kernel, request, &survey) {
        Some(recipe) => tiled(recipe, request),
        None => untiled(kernel, info, request, &survey),
    }
}

/// The schedule of a device program.
pub(super) fn tiled(recipe: Recipe, request: &Request<'_>) -> Schedule {
    // Of the iterations outside of an interior.
    let checks = if recipe.iterations == Iterations::Interior {
        request.facts.unproved.clone()
    } else {
        BTreeSet::new()
    };
    Schedule {
        block: [recipe.tiles.threads(), 1, 1],
        strategy: Strategy::Recipe(Box::new(recipe)),
        index32: true,
        short: BTreeSet::new(),
        checks,
        claims: BTreeSet::new(),
        shifted: BTreeSet::new(),
        aligned: BTreeMap::new(),
        staged: BTreeSet::new(),
        interleaved: Interleaved::default(),
        ahead: BTreeMap::new(),
        late: BTreeSet::new(),
        unroll: None,
        unroll_short: false,
        shared_loops: SharedLoops::None,
        apart: BTreeSet::new(),
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
    let mut shared_loops = SharedLoops::None;
    let (mut apart, mut of_team) = (BTreeSet::new(), None);
    let cpu = request.device.kind == DeviceKind::OpenClCpu;
    let (strategy, mut block) = if kernel.template.scan.is_some() {
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
    } else if let Some(team) = super::interleaved::team(kernel, request, survey) {
        request.because(
            About::Strategy,
            "few threads would have an iteration each, and the inner loop's iterations access different elements",
        );
        shared_loops = SharedLoops::Independent;
        (apart, of_team) = (team.apart, Some(team.interleaved));
        (Strategy::Teams, team.block)
    } else if let Some((which, block)) = super::nests::independent::block(kernel, request, survey) {
        shared_loops = which;
        request.because(
            About::Strategy,
            if which == SharedLoops::Folds {
                "the outer iterations are too few for a thread each, and what the inner loop folds does not depend on the order"
            } else {
                "neighbouring threads then read neighbouring elements of a row, which memory delivers in one transaction; a thread with \
                 a row of its own would read other rows than its neighbours"
            },
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
            "a core runs one thread at a time; several threads of a group would alternate, far apart in memory",
        );
        (Strategy::Linear, [1, 1, 1])
    } else if dims == 1 || dims > 3 || limited || survey.queries {
        row(kernel, info, request, survey)
    } else {
        grid(kernel, info, request, survey)
    };
    let total = facts.total.is_some_and(|t| t < 1 << 31);
    let alone = matches!(strategy, Strategy::Linear | Strategy::Grid { jam: 1, wide: None, .. });
    let shares = || super::nests::independent::parallelised(kernel, &facts.unproved, shared_loops, &apart);
    let gathers = request.device.kind == DeviceKind::Cuda
        && match shared_loops {
            SharedLoops::None => alone && gathers(kernel),
            _ => shares().is_some_and(|kernel| gathers(&kernel)),
        };
    let staged = match strategy {
        Strategy::Linear => super::staged_stores::arrays(kernel, info, request, (survey, block)),
        _ => BTreeSet::new(),
    };
    let interleaved = of_team.unwrap_or_else(|| {
        super::interleaved::choose(kernel, request, survey, (&strategy, &staged), &mut block)
    });
    let (ahead, late) = match interleaved.is_empty() && staged.is_empty() {
        true => (
            super::loads_ahead::choose((kernel, info), request, survey, &strategy),
            super::late_stores::choose(kernel, request, survey, &strategy),
        ),
        false => (BTreeMap::new(), BTreeSet::new()),
    };
    let pinned = request.pins.unroll.filter(|_| survey.loops);
    let own = !interleaved.locals.is_empty() && survey.body_loops;
    let unroll = pinned.or((gathers || own).then_some(GATHERS));
    request.why(About::Unroll, || match pinned {
        Some(_) => "the `unroll` clause sets it".into(),
        None if !gathers => format!(
            "what an iteration does with its own arrays keeps the order, but {GATHERS} iterations can wait for memory at the same time"
        ),
        None => format!(
            "the loop reads subscripts and then the elements that they name: each iteration waits for memory twice, and {GATHERS} of \
             them wait at the same time"
        ),
    });
    record_limits(kernel, info, request, (&strategy, block));
    let aligned = aligned(kernel, info, request, survey);
    let in_groups = |a: &ArrayId| kernel.types.size(kernel.array_ty[a.index()]).is_some_and(|size| size < 4);
    let records = survey.body_loops && matches!(strategy, Strategy::Vector { .. });
    let unroll_short =
        pinned.is_none() && (records || !interleaved.locals.is_empty() || aligned.keys().any(in_groups));
    Schedule {
        strategy,
        block,
        index32: facts.index32 && total,
        short: if facts.index32 && total { facts.short.clone() } else { BTreeSet::new() },
        checks: facts.unproved.clone(),
        claims: facts.claims.clone(),
        shifted: BTreeSet::new(),
        aligned,
        staged,
        interleaved,
        ahead,
        late,
        unroll,
        unroll_short,
        shared_loops,
        apart,
    }
}

/// Records why the launch needs what every strategy may have, and what its user could change.
fn record_limits(
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
            "their memory begins where accesses of up to {WIDEST} bytes may, and each iteration has whole groups of it"
        )
    });
    request.why(About::Claims, || {
        format!(
            "only the data shows whether two iterations access one element of {}",
            names(kernel, &facts.claims)
        )
    });
    if request.pins.block.is_some() || request.pins.tile.is_some() {
        request.because(About::Block, "the `block` or `tile` clause sets it");
    } else if request.thread_limit.is_some_and(|most| u64::from(x * y * z) >= most) {
        request.because(About::Block, "`thread_limit` allows no more, or there are no registers for more");
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
            "the crate is built with overflow checks, and the kernel has {checks} checks in addition to those of subscripts: `--release` (or \
             `overflow-checks = false` in the profile) leaves few or none"
        )
    });
}

/// Subscripts that no formula gives.
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

/// Whether the one sequential loop of the body gathers: it reads elements by subscripts that it has read before. Then each of its
/// iterations waits for memory twice, and only loads of other iterations can hide the latency. (The loop of a nest that threads share
/// is not sequential.)
fn gathers(kernel: &Kernel) -> bool {
    let code = &kernel.body.code;
    let (mut loops, mut shared) = (Vec::new(), BTreeSet::new());
    visit::each_stmt(&code.block, &mut |stmt| match stmt {
        Stmt::Inner(inner) => {
            shared.extend(loops_of(inner).iter().map(|nest| nest.var));
        }
        Stmt::For { var, body, .. } if !shared.contains(var) => loops.push((true, body)),
        Stmt::Loop { body, .. } => loops.push((false, body)),
        _ => {}
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

/// Arrays that begin at a multiple of what accesses of several fields, or of several neighbouring numbers, need, with these bytes. NVIDIA's
/// compiler merges these if it knows that; the alignment of a struct's type is that of its largest field, and that of a fixed array is its
/// number's.
pub(super) fn aligned(
    kernel: &Kernel,
    info: &KernelInfo,
    request: &Request<'_>,
    survey: &Survey,
) -> BTreeMap<ArrayId, u64> {
    if request.device.kind != DeviceKind::Cuda {
        return BTreeMap::new();
    }
    let bytes = |array: ArrayId| {
        let ty = kernel.array_ty[array.index()];
        let begins = u64::from(request.alignment.get(array.index()).copied().unwrap_or(1));
        let bytes = match kernel.types.prim(ty) {
            Some(_) => groups((kernel, info), request, survey, array),
            None => alignment(kernel, ty),
        };
        bytes.filter(|bytes| begins >= *bytes)
    };
    (0..kernel.array_ty.len()).map(ArrayId::new).filter_map(|a| Some((a, bytes(a)?))).collect()
}

/// The alignment of all structs or fixed arrays of an array that begins at a multiple of 16, if it is more than that of a number.
pub(super) fn alignment(kernel: &Kernel, ty: TyId) -> Option<u64> {
    let size = kernel.types.size(ty).filter(|size| *size > 0)?;
    let bytes = (1 << size.trailing_zeros()).min(WIDEST);
    match kernel.types.get(ty) {
        Ty::Struct(..) | Ty::Array(..) => (bytes > 4).then_some(bytes),
        _ => None,
    }
}

/// The bytes of whole groups of memory, if each iteration has groups of neighbouring numbers of an array: `x[4 * i + k]`. Groups of bytes
/// and of numbers of 16 bits may be of less than 16 bytes, and all iterations may have the same ones (`key[k]`): one by one, they take as
/// many instructions as there are elements.
fn groups(
    (kernel, info): (&Kernel, &KernelInfo),
    request: &Request<'_>,
    survey: &Survey,
    array: ArrayId,
) -> Option<u64> {
    let size = kernel.types.size(kernel.array_ty[array.index()]).filter(|size| (1..=8).contains(size))?;
    let (dims, small) = (kernel.template.dims.len(), size < 4);
    // What a loop reads several times stays in registers, and each use would take a byte out of a word.
    if small && is_reread(kernel, request, (&kernel.body.code.block, &mut Vec::new(), &mut 0), array) {
        return None;
    }
    // Elements by which parallel loops move the subscripts; and accesses, of which those in a loop are several.
    let (mut all, mut found) = (0, 0);
    for access in &survey.accesses[array.index()] {
        let across = match request.facts.nest.as_ref().and_then(|nest| nest.subscripts.get(access)) {
            Some(affine) => {
                let (across, along) = affine.strides.split_at(dims.min(affine.strides.len()));
                found += 1 + usize::from(along.contains(&1) || (small && along.contains(&-1)));
                across.to_vec()
            }
            // Of other kernels, the strides along the parallel loops may be known nevertheless.
            None if small => {
                let of = strides_of(info, array).find(|s| s.access == *access)?;
                found += 1 + usize::from(of.in_loop);
                of.per_dim.iter().copied().collect::<Option<Vec<_>>>()?
            }
            None => return None,
        };
        if across.last().is_none_or(|by| !small && *by == 0)
            || across.iter().any(|by| by.abs() > MOST_NUMBERS)
        {
            return None;
        }
        all = across.iter().fold(all, |all, by| gcd(all, by.unsigned_abs()));
    }
    let bytes = if all == 0 { WIDEST } else { 1 << (all * size).trailing_zeros().min(WIDEST.ilog2()) };
    match bytes {
        _ if found < 2 || bytes < 2 * size => None,
        // NVRTC would put 8 bytes into registers of 16 bits, which take more instructions than two accesses.
        8 if small => Some(4),
        _ if small || bytes == WIDEST => Some(bytes),
        _ => None,
    }
}

/// Whether a subscript of an array is in several sequential loops, one of which does not move it.
fn is_reread(
    kernel: &Kernel,
    request: &Request<'_>,
    (block, around, loops): (&Block, &mut Vec<usize>, &mut usize),
    array: ArrayId,
) -> bool {
    let (code, dims) = (&kernel.body.code, kernel.template.dims.len());
    block.0.iter().any(|stmt| {
        let mut found = false;
        let mut place = |place: &Place| {
            let (Base::Array(of), Some(Projection::Index { access, .. })) =
                (place.base, place.projections.first())
            else {
                return;
            };
            let affine = request.facts.nest.as_ref().and_then(|nest| nest.subscripts.get(access));
            let moved =
                |l: &usize| affine.is_some_and(|a| a.strides.get(dims + l).is_some_and(|by| *by != 0));
            found |= of == array && around.len() > 1 && !around.iter().all(moved);
        };
        if let Stmt::Assign { place: to, .. } = stmt {
            place(to);
        }
        visit::of_stmt(stmt, &mut |root| {
            visit::each_expr(code, root, &mut |e| {
                if let Expr::Load(from) = &code.exprs[e.index()].expr {
                    place(from);
                }
            });
        });
        let is_loop = matches!(stmt, Stmt::For { .. } | Stmt::Loop { .. });
        if is_loop {
            around.push(*loops);
            *loops += 1;
        }
        for inner in visit::blocks_of(stmt).into_iter().flatten() {
            found = found || is_reread(kernel, request, (inner, &mut *around, &mut *loops), array);
        }
        if is_loop {
            around.pop();
        }
        found
    })
}

/// Iterations in a row.
fn row(kernel: &Kernel, info: &KernelInfo, request: &Request<'_>, survey: &Survey) -> (Strategy, [u32; 3]) {
    let usual = if survey.loops { spread(request, 256) } else { 256 };
    let block = flat(request, usual);
    let in_flight = request.pins.unroll.filter(|n| *n > 0 && !survey.loops).map(|n| n.min(MOST_IN_FLIGHT));
    let staged = in_flight.is_none()
        && !super::staged_stores::arrays(kernel, info, request, (survey, block)).is_empty();
    let (width, arrays) = if staged {
        request.because(
            About::Without("wide accesses"),
            "large elements are stored: a warp has neighbouring ones, and a thread one of them",
        );
        (1, Vec::new())
    } else if may_be_wide(info, request, survey) {
        wide_arrays(kernel, info, request, survey)
    } else {
        request.because(
            About::Without("wide accesses"),
            "the body has a loop: a thread is busy with one iteration",
        );
        (1, Vec::new())
    };
    request.why(About::Strategy, || {
        let loops = kernel.template.dims.len();
        let why = if survey.queries {
            "the body uses the number of its team or thread"
        } else if loops > 1 && (request.num_teams.is_some() || request.thread_limit.is_some()) {
            "`num_teams` and `thread_limit` count threads in a row, so the loops are numbered as one"
        } else if loops > 3 {
            "a grid has three axes, so more loops are numbered as one"
        } else {
            "neighbouring threads have neighbouring iterations, so what they read side by side comes in one transaction"
        };
        why.to_owned()
    });
    request.why(About::Block, || match block[0] {
        few if few == usual && few < 256 => {
            format!("blocks of {few} threads reach more multiprocessors, as there are few iterations")
        }
        many => format!(
            "{many} threads are enough to hide the latency of memory, and few enough that several blocks fit"
        ),
    });
    request.why(About::InFlight, || match in_flight {
        Some(_) => "the `unroll` clause sets it".into(),
        None => {
            format!("only {} is accessed in groups, so there is room for two groups", names(kernel, &arrays))
        }
    });
    // Records of several accesses are in flight as they are.
    let alone = arrays.len() == 1 && Records { kernel, info }.bytes(arrays[0]) * u64::from(width) <= WIDEST;
    let strategy = match (arrays.len(), in_flight) {
        (0, None | Some(1)) => Strategy::Linear,
        (0, Some(unroll)) => Strategy::Vector { width: 1, unroll, arrays },
        (_, unroll) if alone => Strategy::Vector { width, unroll: unroll.unwrap_or(2), arrays },
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

/// Threads of a block, of which there should be one for each multiprocessor: a loop of few iterations, which take long, has smaller
/// blocks.
pub(super) fn spread(request: &Request<'_>, usual: u32) -> u32 {
    let (units, warp) = (u64::from(request.device.units.max(1)), request.device.warp.max(1));
    let total = request.facts.total.unwrap_or(u64::MAX);
    let mut threads = usual;
    while threads / 2 >= warp && total.div_ceil(threads.into()) < units {
        threads /= 2;
    }
    threads
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
