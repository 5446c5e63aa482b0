//! Reproducible reductions: one tree over all iterations, whatever the grid and the device.
//!
//! `T(n)`, the tree over `n` values in a row, is the value itself for one, and otherwise `T` of the first `p` values
//! combined with `T` of the rest, where `p` is the largest power of two below `n`. Its leaves are runs of
//! [`REPRODUCIBLE_LEAF`] iterations, each combined from left to right. As `p` is a multiple of every smaller power of two,
//! the tree over the trees of aligned runs of `2^k` leaves is the tree over the leaves: so threads can have aligned
//! runs, and those can be combined in further launches, with the same result. The host does the same
//! (`host::reproducible`), and `fold` (in the templates) makes the tree from values that come one by one.
//!
//! Reduced arrays have a copy for each run, whose length depends on the sizes alone
//! ([`crate::schedule::reproducible_run`]); the copies are combined with the array's elements in their order.
//!
//! On CUDA a warp has a run, if its lanes can share it. For scalars, each lane has a leaf, the warp loads the elements of
//! all leaves contiguously (`warp_loads.rs`), and the results of the lanes are combined in the order of the tree,
//! neighbours first. For arrays, each lane has an iteration and records the operand of its update; lanes with the same
//! element add their operands in the order of the lanes, which is that of the iterations.
use super::in_flight::{InFlight, Site, sites};
use super::ordered::{self, Copies};
use super::reduce;
use super::warp_loads::WarpLoads;
use crate::back::Arg;
use crate::back::c::body::{Body, Stop};
use crate::back::c::operator;
use crate::back::c::operator::{Item, Shuffle};
use crate::back::c::strategy::shares;
use crate::back::c::strategy::vector::lanes;
use crate::schedule::{IN_FLIGHT, REPRODUCIBLE_LEAF, REPRODUCIBLE_RUN, reproducible_loops};
use omp_ir::ids::ArrayId;

/// Names of the kernel's variables.
struct Names {
    thread: String,
    threads: String,
    /// How many runs there are, of how many iterations each.
    runs: String,
    run: u64,
    partials: String,
    /// The next level: partial results of partial results.
    upper: String,
}

/// Writes the kernel: the first launch combines runs of iterations, the second runs of these, the third is one thread, or
/// one warp. `staged`: in how many steps the lanes' leaves are read, and which arrays' elements.
pub(crate) fn write(body: &mut Body<'_, '_>, run: u64, warps: bool, staged: (u32, &[ArrayId])) {
    let items = operator::items(body);
    let arrays = body.w.kernel.array_items();
    let scalars = warps && !items.is_empty();
    body.define_items(&items, &["fold"], if scalars { &[Shuffle::Down] } else { &[] });
    body.begin();
    let global = body.w.syntax.global;
    let (phase, partials) = (body.arg(Arg::Phase), body.arg(Arg::Partials));
    let total = iterations_of(body);
    let [thread, threads, runs, upper] = ["thread", "threads", "runs", "upper"].map(|name| body.name(name));
    shares::number(body, [&thread, &threads]);
    body.out.line(format!("const u64 {runs} = ({total} + {run}u - 1) / {run}u;"));
    body.out.line(format!("{global}u8* {upper} = {partials} + {runs} * PARTIAL_BYTES;"));
    let places = ordered::copies(body, &arrays, &runs);
    let names = Names { thread, threads, runs, run, partials, upper };
    body.out.open(format!("if ({phase} == 0) {{"));
    let lanes = warps.then(|| Lanes::new(body, &names));
    match &lanes {
        None => iterations(body, &items, &places, &names, &total),
        Some(lanes) if items.is_empty() => lanes.in_turn(body, &places, &total, staged.1),
        Some(lanes) => lanes.leaves(body, &items, staged),
    }
    body.own.clear();
    body.out.close(format!("}} else if ({phase} == 1) {{"));
    body.out.depth += 1;
    match &lanes {
        _ if items.is_empty() => {}
        None => combine_runs(body, &names),
        Some(lanes) => lanes.combine_runs(body),
    }
    for place in &places {
        ordered::gather_each(body, place, (&names.thread, &names.threads), &names.runs);
    }
    if !items.is_empty() {
        let all = if warps { format!("{} < 32", names.thread) } else { format!("{} == 0", names.thread) };
        body.out.close(format!("}} else if ({all}) {{"));
        body.out.depth += 1;
        match &lanes {
            None => results(body, &items, &names),
            Some(lanes) => lanes.results(body, &items),
        }
    }
    body.out.close("}");
}

/// The number of iterations that are counted.
fn iterations_of(body: &mut Body<'_, '_>) -> String {
    let loops = reproducible_loops(body.w.kernel);
    if loops == body.w.kernel.template.dims.len() {
        return body.total();
    }
    let counts: Vec<_> = (0..loops).map(|d| body.arg(Arg::DimCount(d as u32))).collect();
    let total = body.name("counted");
    body.out.line(format!("const u64 {total} = {};", counts.join(" * ")));
    total
}

/// One of them: where bounds depend on others, with all that they lead to.
fn iteration(body: &mut Body<'_, '_>, t: &str) {
    let (c, loops, dims) =
        (body.counter(), reproducible_loops(body.w.kernel), body.w.kernel.template.dims.len());
    body.declare_leading_dims(loops, &format!("({c}){t}"));
    for d in loops..dims {
        let (count, k) = (body.arg(Arg::DimCount(d as u32)), body.name("k"));
        body.out.open(format!("for (u64 {k} = 0; {k} < {count}; {k}++) {{"));
        body.declare_dim(d, &k);
    }
    body.iteration();
    for _ in loops..dims {
        body.out.close("}");
    }
}

/// Each thread has runs of iterations.
fn iterations(
    body: &mut Body<'_, '_>,
    items: &[(usize, Item)],
    places: &[Copies],
    names: &Names,
    total: &str,
) {
    let Names { thread, threads, runs, run, partials, .. } = names;
    let [k, at, end, leaf, t] = ["k", "at", "end", "leaf", "t"].map(|name| body.name(name));
    let (global, cx) = (body.w.syntax.global, body.context_arg());
    let outside = body.out.text.len();
    body.out.open(format!("for (u64 {k} = {thread}; {k} < {runs}; {k} += {threads}) {{"));
    for place in places {
        ordered::fill(body, place, &k);
    }
    body.out.line(format!("const u64 {at}_0 = {k} * {run}u;"));
    body.out.line(format!("const u64 {end} = {total} - {at}_0 > {run}u ? {at}_0 + {run}u : {total};"));
    if items.is_empty() {
        body.by_itself(|body| {
            body.out.open(format!("for (u64 {t} = {at}_0; {t} < {end}; {t}++) {{"));
            iteration(body, &t);
            body.out.close("}");
        });
        body.out.close("}");
        return;
    }
    body.out.line("fold levels;");
    body.out.line("fold_begin(&levels);");
    // A failure sets a flag, which ends the thread's leaves: jumping out of a leaf would cost more than a test before each.
    let failed = body.name("failed");
    let around = body.stop.replace(Stop::Flag(failed.clone()));
    let inside = body.out.text.len();
    body.out.depth += 1;
    body.out.line(format!(
        "const u64 {leaf} = {at} + {REPRODUCIBLE_LEAF} < {end} ? {at} + {REPRODUCIBLE_LEAF} : {end};"
    ));
    for (_, item) in items {
        body.declare_item(item);
    }
    body.out.open(format!("for (u64 {t} = {at}; {t} < {leaf}; {t}++) {{"));
    iteration(body, &t);
    body.out.close("}");
    let mine = body.name("mine");
    body.out.line(format!("items {mine};"));
    for (j, item) in items {
        body.out.line(format!("{mine}.v{j} = {};", item.local));
    }
    body.out.line(format!("fold_push({cx}&levels, {mine});"));
    body.out.depth -= 1;
    body.stop = around;
    let leaves = body.out.text.split_off(inside);
    let fails = leaves.contains(&format!("{failed} = true;"));
    let goes_on = if fails { format!(" && !{failed}") } else { String::new() };
    body.out.open(format!("for (u64 {at} = {at}_0; {at} < {end}{goes_on}; {at} += {REPRODUCIBLE_LEAF}) {{"));
    body.out.text.push_str(&leaves);
    body.out.close("}");
    body.out.line(format!("*({global}items*)({partials} + {k} * PARTIAL_BYTES) = fold_total({cx}&levels);"));
    body.out.close("}");
    if fails {
        let loops = body.out.text.split_off(outside);
        body.out.line(format!("bool {failed} = false;"));
        body.out.text.push_str(&loops);
    }
}

/// Each thread combines runs of what runs came to.
fn combine_runs(body: &mut Body<'_, '_>, names: &Names) {
    let Names { thread, threads, runs, partials, upper, .. } = names;
    let [k, at, end] = ["k", "at", "end"].map(|name| body.name(name));
    let (global, cx) = (body.w.syntax.global, body.context_arg());
    body.out
        .open(format!("for (u64 {k} = {thread}; {k} * {REPRODUCIBLE_RUN} < {runs}; {k} += {threads}) {{"));
    body.out.line("fold levels;");
    body.out.line("fold_begin(&levels);");
    body.out.line(format!(
        "const u64 {end} = ({k} + 1) * {REPRODUCIBLE_RUN} < {runs} ? ({k} + 1) * {REPRODUCIBLE_RUN} : {runs};"
    ));
    body.out.line(format!(
        "for (u64 {at} = {k} * {REPRODUCIBLE_RUN}; {at} < {end}; {at}++) \
         fold_push({cx}&levels, *(const {global}items*)({partials} + {at} * PARTIAL_BYTES));"
    ));
    body.out.line(format!("*({global}items*)({upper} + {k} * PARTIAL_BYTES) = fold_total({cx}&levels);"));
    body.out.close("}");
}

/// One thread combines what is left.
fn results(body: &mut Body<'_, '_>, items: &[(usize, Item)], names: &Names) {
    let Names { runs, upper, .. } = names;
    let (global, cx, k) = (body.w.syntax.global, body.context_arg(), body.name("k"));
    body.out.line("fold levels;");
    body.out.line("fold_begin(&levels);");
    body.out.line(format!(
        "for (u64 {k} = 0; {k} * {REPRODUCIBLE_RUN} < {runs}; {k}++) \
         fold_push({cx}&levels, *(const {global}items*)({upper} + {k} * PARTIAL_BYTES));"
    ));
    let sum = body.name("sum");
    body.out.line(format!("const items {sum} = fold_total({cx}&levels);"));
    reduce::store_results(body, items, &sum);
}

/// Names of a kernel in which a warp has a run.
struct Lanes<'a> {
    names: &'a Names,
    lane: String,
    warp: String,
    warps: String,
}

impl<'a> Lanes<'a> {
    fn new(body: &mut Body<'_, '_>, names: &'a Names) -> Self {
        let [lane, warp, warps] = ["lane", "warp", "warps"].map(|name| body.name(name));
        Self { names, lane, warp, warps }
    }

    /// Declares them; all launches do, for themselves.
    fn declare(&self, body: &mut Body<'_, '_>) {
        let Self { names: Names { thread, threads, .. }, lane, warp, warps } = self;
        body.out.line(format!("const u32 {lane} = threadIdx.x % 32u;"));
        body.out.line(format!("const u64 {warp} = {thread} / 32, {warps} = {threads} / 32;"));
    }

    /// Each lane has a leaf of the warp's run, if there are so many.
    fn leaves(&self, body: &mut Body<'_, '_>, items: &[(usize, Item)], (steps, staged): (u32, &[ArrayId])) {
        let Self { names: Names { runs, run, partials, .. }, lane, warp, warps } = self;
        self.declare(body);
        let of_block = body.w.schedule.block.iter().product::<u32>() / 32;
        let elements = WarpLoads::new(body, (REPRODUCIBLE_LEAF as u32, steps), staged, of_block);
        let [k, start, left, there, mine] =
            ["k", "start", "left", "there", "mine"].map(|name| body.name(name));
        let global = body.w.syntax.global;
        body.out.open(format!("for (u64 {k} = {warp}; {k} < {runs}; {k} += {warps}) {{"));
        body.out.line(format!("const u64 {start} = {} + {k} * {run}u;", elements.base));
        for (_, item) in items {
            body.declare_item(item);
        }
        elements.step(body, &start, lane);
        body.out.line(format!("items {mine};"));
        for (j, item) in items {
            body.out.line(format!("{mine}.v{j} = {};", item.local));
        }
        body.out.line(format!(
            "const u64 {left} = ({} - {start} + {}u) / {REPRODUCIBLE_LEAF}u;",
            elements.hi,
            REPRODUCIBLE_LEAF - 1
        ));
        body.out.line(format!("const u32 {there} = {left} < 32 ? (u32){left} : 32u;"));
        self.tree(body, &mine, &there);
        body.out
            .line(format!("if ({lane} == 0u) *({global}items*)({partials} + {k} * PARTIAL_BYTES) = {mine};"));
        body.out.close("}");
    }

    /// Combines what the first `there` lanes have, for the first.
    fn tree(&self, body: &mut Body<'_, '_>, mine: &str, there: &str) {
        let [d, other] = ["d", "other"].map(|name| body.name(name));
        let (lane, cx) = (&self.lane, body.context_arg());
        body.out.line("__syncwarp();");
        body.out.line("#pragma unroll");
        body.out.open(format!("for (u32 {d} = 1; {d} < 32; {d} <<= 1) {{"));
        body.out.line(format!("const items {other} = shuffle_down({mine}, {d});"));
        body.out.line(format!(
            "if ({lane} % (2 * {d}) == 0 && {lane} + {d} < {there}) {mine} = combine({cx}{mine}, {other});"
        ));
        body.out.close("}");
    }

    /// Combines partial results from `first` to `end`: each lane has `each` in a row, a power of two. Gives the name of
    /// what the first lane has.
    fn fold(&self, body: &mut Body<'_, '_>, from: &str, [first, end, each]: [&str; 3]) -> String {
        let [at, to, left, there, mine] = ["at", "to", "left", "there", "mine"].map(|name| body.name(name));
        let (lane, global, cx) = (&self.lane, body.w.syntax.global, body.context_arg());
        body.out.line("fold levels;");
        body.out.line("fold_begin(&levels);");
        body.out.line(format!("const u64 {to} = {first} + ({lane} + 1) * {each};"));
        body.out.line(format!(
            "for (u64 {at} = {first} + {lane} * {each}; {at} < {to} && {at} < {end}; {at}++) \
             fold_push({cx}&levels, *(const {global}items*)({from} + {at} * PARTIAL_BYTES));"
        ));
        body.out.line(format!("items {mine} = fold_total({cx}&levels);"));
        body.out.line(format!("const u64 {left} = ({end} - {first} + {each} - 1) / {each};"));
        body.out.line(format!("const u32 {there} = {left} < 32 ? (u32){left} : 32u;"));
        self.tree(body, &mine, &there);
        mine
    }

    /// Each warp combines runs of what runs came to.
    fn combine_runs(&self, body: &mut Body<'_, '_>) {
        let Self { names: Names { runs, partials, upper, .. }, lane, warp, warps } = self;
        self.declare(body);
        let [k, first, end, each] = ["k", "first", "end", "each"].map(|name| body.name(name));
        let global = body.w.syntax.global;
        body.out
            .open(format!("for (u64 {k} = {warp}; {k} * {REPRODUCIBLE_RUN} < {runs}; {k} += {warps}) {{"));
        body.out
            .line(format!("const u64 {first} = {k} * {REPRODUCIBLE_RUN}, {each} = {REPRODUCIBLE_RUN} / 32;"));
        body.out.line(format!(
            "const u64 {end} = {first} + {REPRODUCIBLE_RUN} < {runs} ? {first} + {REPRODUCIBLE_RUN} : {runs};"
        ));
        let mine = self.fold(body, partials, [&first, &end, &each]);
        body.out
            .line(format!("if ({lane} == 0u) *({global}items*)({upper} + {k} * PARTIAL_BYTES) = {mine};"));
        body.out.close("}");
    }

    /// One warp combines what is left.
    fn results(&self, body: &mut Body<'_, '_>, items: &[(usize, Item)]) {
        let Self { names: Names { runs, upper, .. }, lane, .. } = self;
        self.declare(body);
        let [end, each] = ["end", "each"].map(|name| body.name(name));
        body.out.line(format!("const u64 {end} = ({runs} + {}) / {REPRODUCIBLE_RUN};", REPRODUCIBLE_RUN - 1));
        body.out.line(format!("u64 {each} = 1;"));
        body.out.line(format!("while ({each} * 32 < {end}) {each} *= 2;"));
        let mine = self.fold(body, upper, ["0", &end, &each]);
        body.out.open(format!("if ({lane} == 0u) {{"));
        reduce::store_results(body, items, &mine);
        body.out.close("}");
    }

    /// Each lane has iterations of the warp's run. They add to elements in the order of the lanes.
    fn in_turn(&self, body: &mut Body<'_, '_>, places: &[Copies], total: &str, staged: &[ArrayId]) {
        let Self { names: Names { runs, run, .. }, lane, warp, warps } = self;
        self.declare(body);
        let [k, at, end, t, u] = ["k", "at", "end", "t", "u"].map(|name| body.name(name));
        let of_lane = lanes(body.w.kernel, body.w.info, staged, &[]);
        let span = 32 * IN_FLIGHT;
        body.out.open(format!("for (u64 {k} = {warp}; {k} < {runs}; {k} += {warps}) {{"));
        places.iter().for_each(|place| self.fill(body, place, &k));
        body.out.line("__syncwarp();");
        body.out.line(format!(
            "const u64 {end} = {total} - {k} * {run}u > {run}u ? {k} * {run}u + {run}u : {total};"
        ));
        body.out.open(format!("for (u64 {at} = {k} * {run}u; {at} < {end}; {at} += {span}) {{"));
        // The record of an update here is the value to be added, whatever it is.
        let sites = sites(body, places, (&u, IN_FLIGHT), |_| false);
        body.atomics = places.iter().map(|place| place.array).collect();
        let number = format!("const u64 {t} = {at} + {u} * 32u + {lane};");
        let whole = format!("{at} + {span} <= {end}");
        let flight = InFlight { count: IN_FLIGHT, u: &u, t: &t, number: &number, whole: &whole, end: &end };
        flight.write(body, &of_lane, &sites);
        for (place, site) in &sites {
            body.out.line("#pragma unroll");
            body.out.open(format!("for (u32 {u} = 0; {u} < {IN_FLIGHT}u; {u}++) {{"));
            self.add(body, &places[*place], site);
            body.out.close("}");
        }
        body.out.close("}");
        body.out.close("}");
    }

    /// Fills the run's copy, and lets the body know it.
    fn fill(&self, body: &mut Body<'_, '_>, place: &Copies, k: &str) {
        let lane = &self.lane;
        let Copies { array, reducer, base, len, ty, shift } = place;
        let global = body.w.syntax.global;
        let name = body.w.kernel.template.arrays[array.index()].name.clone();
        let [e, own] = ["e", &format!("{name}_own")].map(|name| body.name(name));
        let identity = body.reducer_identity(reducer);
        body.out.line(format!("{global}{ty}* {own} = {base} + {k} * {len} - ({shift});"));
        body.out.open(format!("for (u64 {e} = {lane}; {e} < {len}; {e} += 32) {{"));
        body.out.line(format!("{base}[{k} * {len} + {e}] = {identity};"));
        body.out.close("}");
        body.own.insert(*array, own);
    }

    /// Adds what the lanes have left for elements of an array: where several have the same, one after the other.
    fn add(&self, body: &mut Body<'_, '_>, place: &Copies, site: &Site) {
        let [all, before, turn] = ["all", "before", "turn"].map(|name| body.name(name));
        let (lane, Site { key, value, any, base, u, .. }) = (&self.lane, site);
        let element = format!("{base}[{key}[{u}]]");
        let sum = body.combine(&place.reducer, &element, &format!("{value}[{u}]"), "&cx");
        let add = format!("{element} = {};", crate::back::c::expr::bare(&sum));
        body.out.line(format!("const u32 {all} = __ballot_sync(0xffffffffu, {any}[{u}]);"));
        body.out.open(format!("if ({any}[{u}]) {{"));
        body.out.line(format!(
            "const u32 {before} = (u32)__popc(__match_any_sync({all}, {key}[{u}]) & ((1u << {lane}) - 1u));"
        ));
        body.out.open(format!("for (u32 {turn} = 0; __any_sync({all}, {before} >= {turn}); {turn}++) {{"));
        body.out.line(format!("if ({before} == {turn}) {add}"));
        body.out.line(format!("__syncwarp({all});"));
        body.out.close("}");
        body.out.close("}");
        body.out.line("__syncwarp();");
    }
}
