//! Reductions that keep the order of operands, and reductions of arrays.
//!
//! The iterations are distributed in contiguous parts, by block and then by thread, so combining threads and blocks in
//! the order of their numbers combines operands in the order of iterations. On CUDA, if a block consists of whole warps,
//! a *warp* has a part: its lanes take short neighbouring runs of iterations, whose elements the warp loads contiguously
//! (`warp_loads.rs`), and combine them by shuffles after each run.
//!
//! Reduced arrays have a private copy for each thread, initialised with identities, which the body updates. A second launch
//! combines, for each element, the array's own value with the copies in the order of threads. So floats are the same in every
//! run, and nothing is atomic.
use super::reduce;
use super::warp_loads::WarpLoads;
use crate::back::c::body::Body;
use crate::back::c::operator;
use crate::back::c::operator::Item;
use crate::back::c::strategy::shares;
use crate::back::{Arg, Dialect};
use omp_ir::ids::ArrayId;
use omp_ir::kernel::Reducer;
use omp_ir::template::ReduceOp;

/// Writes the kernel.
pub(crate) fn write(body: &mut Body<'_, '_>, (run, steps): (u32, u32), staged: &[ArrayId]) {
    let items = operator::items(body);
    let arrays = body.w.kernel.array_items();
    let warps = reduce::by_warps(body) && arrays.is_empty();
    let block = reduce::pieces(body);
    body.define_items(&items, &[block, "grid"], reduce::shuffles(block));
    let (shared, flag, shared_items) = (body.w.syntax.shared, body.name("flag"), body.name("shared_items"));
    let [x, y, z] = body.w.schedule.block;
    if !items.is_empty() {
        let slots = if block == "warps" { 32 } else { x * y * z };
        body.out.line(format!("{shared}items {shared_items}[{slots}];"));
        body.out.line(format!("{shared}u32 {flag};"));
    }
    body.begin();
    let s = body.w.syntax;
    let (worker, workers) = (body.name("worker"), body.name("workers"));
    let per_block = if warps { x * y * z / 32 } else { x * y * z };
    let thread = if warps { format!("{} / 32", s.thread_id(0)) } else { s.thread_id(0) };
    body.out.line(format!("const u64 {workers} = (u64){} * {per_block}u;", s.blocks(0)));
    body.out.line(format!("const u64 {worker} = (u64){} * {per_block}u + {thread};", s.block_id(0)));
    let places = copies(body, &arrays, &workers);
    if !arrays.is_empty() {
        let phase = body.arg(Arg::Phase);
        body.out.open(format!("if ({phase} == 0) {{"));
        for place in &places {
            fill(body, place, &worker);
        }
    }
    let mine = body.name("mine");
    let parts = Parts { items: &items, mine: &mine, worker: &worker, workers: &workers, run, steps, staged };
    if warps {
        parts.by_warps(body);
    } else {
        parts.by_threads(body);
    }
    if !items.is_empty() {
        reduce::finish_grid(body, &items, &mine, &shared_items, &flag);
    }
    if !arrays.is_empty() {
        body.own.clear();
        body.out.close("} else {");
        body.out.depth += 1;
        for place in &places {
            gather_each(body, place, (&worker, &workers), &workers);
        }
        body.out.close("}");
    }
}

/// The iterations of one thread or warp.
struct Parts<'a> {
    items: &'a [(usize, Item)],
    /// The `items` that a thread comes to.
    mine: &'a str,
    worker: &'a str,
    workers: &'a str,
    run: u32,
    /// In how many steps a run's elements are read.
    steps: u32,
    /// The arrays that the lanes of a warp read cooperatively.
    staged: &'a [ArrayId],
}

impl Parts<'_> {
    /// Each thread has a row.
    fn by_threads(&self, body: &mut Body<'_, '_>) {
        let (each, from, to) = (body.name("each"), body.name("from"), body.name("to"));
        shares::equal(body, [self.worker, self.workers, &each, &from, &to]);
        self.start(body);
        let (at, end, t) = (body.name("at"), body.name("end"), body.name("t"));
        let run = self.run;
        body.by_itself(|body| {
            body.out.open(format!("for (u64 {at} = {from}; {at} < {to}; {at} += {run}) {{"));
            body.out.line(format!("const u64 {end} = {at} + {run} < {to} ? {at} + {run} : {to};"));
            self.iterations(body, &at, &end, &t);
            self.add(body);
            body.out.close("}");
        });
    }

    /// Each warp has a sequence of groups of iterations, in which each lane has a run.
    fn by_warps(&self, body: &mut Body<'_, '_>) {
        let (worker, workers, mine, run) = (self.worker, self.workers, self.mine, self.run);
        let warps = body.w.schedule.block.iter().product::<u32>() / 32;
        let runs = WarpLoads::new(body, (run, self.steps), self.staged, warps);
        let (span, cx) = (32 * run, body.context_arg());
        let [groups, each, rest, first, end, at, start, lane, d] =
            ["groups", "each", "rest", "first", "end", "at", "start", "lane", "d"]
                .map(|name| body.name(name));
        body.out.line(format!("const u32 {lane} = threadIdx.x % 32u;"));
        let (hi, base) = (&runs.hi, &runs.base);
        let total = format!("{hi} - {base}");
        shares::balanced(body, (&total, span), [worker, workers], [&groups, &each, &rest, &first, &end]);
        self.start(body);
        // The bounds are the same for all lanes of a warp, so the lanes end the loop in the same iteration.
        body.out.open(format!("for (u64 {at} = {first}; {at} < {end}; {at}++) {{"));
        body.out.line(format!("const u64 {start} = {base} + {at} * {span};"));
        self.declare(body);
        runs.step(body, &start, &lane);
        let combined = body.name("combined");
        self.collect(body, &combined);
        body.out.line("__syncwarp();");
        body.out.line("#pragma unroll");
        body.out.open(format!("for (u32 {d} = 1; {d} < 32; {d} <<= 1) {{"));
        let other = body.name("other");
        body.out.line(format!("const items {other} = shuffle_down({combined}, {d});"));
        body.out.line(format!("if ({lane} % (2 * {d}) == 0) {combined} = combine({cx}{combined}, {other});"));
        body.out.close("}");
        body.out.line(format!("if ({lane} == 0u) {mine} = combine({cx}{mine}, {combined});"));
        body.out.close("}");
    }

    /// What a thread has before its first run.
    fn start(&self, body: &mut Body<'_, '_>) {
        if !self.items.is_empty() {
            body.out.line(format!("items {} = identity();", self.mine));
        }
    }

    /// The iterations from `at` to `end`, with the items' locals declared before.
    fn iterations(&self, body: &mut Body<'_, '_>, at: &str, end: &str, t: &str) {
        self.declare(body);
        let c = body.counter();
        body.out.open(format!("for (u64 {t} = {at}; {t} < {end}; {t}++) {{"));
        body.declare_dims_from(&format!("({c}){t}"));
        body.iteration();
        body.out.close("}");
    }

    /// Declares the items' locals.
    fn declare(&self, body: &mut Body<'_, '_>) {
        for (_, item) in self.items {
            body.declare_item(item);
        }
    }

    /// Makes `items` of the locals.
    fn collect(&self, body: &mut Body<'_, '_>, name: &str) {
        body.out.line(format!("items {name};"));
        for (k, item) in self.items {
            body.out.line(format!("{name}.v{k} = {};", item.local));
        }
    }

    /// Adds the locals to what the thread has.
    fn add(&self, body: &mut Body<'_, '_>) {
        if self.items.is_empty() {
            return;
        }
        let combined = body.name("combined");
        self.collect(body, &combined);
        let (cx, mine) = (body.context_arg(), self.mine);
        body.out.line(format!("{mine} = combine({cx}{mine}, {combined});"));
    }
}

/// A reduced array and its copies.
pub(in crate::back::c) struct Copies {
    pub array: ArrayId,
    pub reducer: Reducer,
    /// Of the copies.
    pub base: String,
    /// Elements of a copy.
    pub len: String,
    /// The type of the values that are combined.
    pub ty: String,
    /// How many of them lie between the array's address and its section.
    pub shift: String,
}

/// The section of an array that is reduced.
#[derive(Debug, Clone)]
pub(in crate::back::c) struct Section {
    /// Its elements.
    pub len: String,
    /// How many values, of `per_element` each, lie between the array's address and it.
    pub shift: String,
}

/// The section of a reduced array.
pub(in crate::back::c) fn section(body: &mut Body<'_, '_>, array: ArrayId, per_element: u64) -> Section {
    let (len, lo) = if body.w.kernel.template.arrays[array.index()].section {
        let (lo, hi) = (body.arg(Arg::SectionLo(array)), body.arg(Arg::SectionHi(array)));
        (format!("({hi} - {lo})"), lo)
    } else {
        (body.arg(Arg::Len(array)), "0".to_owned())
    };
    let shift = match (body.is_shifted(array), per_element) {
        (false, _) => "0".to_owned(),
        (true, 1) => format!("(i64){lo} - {}", body.arg(Arg::Origin(array))),
        (true, _) => format!("((i64){lo} - {}) * {per_element}", body.arg(Arg::Origin(array))),
    };
    Section { len, shift }
}

/// Declares where the copies are. Inside nested arrays, the innermost values are combined.
pub(in crate::back::c) fn copies(
    body: &mut Body<'_, '_>,
    arrays: &[(usize, ArrayId)],
    workers: &str,
) -> Vec<Copies> {
    let mut places = Vec::new();
    let global = body.w.syntax.global;
    let mut before = "0".to_owned();
    for &(k, array) in arrays {
        let kernel = body.w.kernel;
        let param = &kernel.template.arrays[array.index()];
        let elem = kernel.array_ty[array.index()];
        let size = kernel.types.size(elem).unwrap_or(1);
        let reducer = kernel.reducers[k].clone();
        let (ty, per_element) = match &reducer {
            Reducer::Builtin(_, prim) => (memory_name(*prim), size / prim.size() as u64),
            Reducer::Declared { ty, .. } => (body.w.memory_type(*ty), 1),
        };
        let Section { len: extent, shift } = section(body, array, per_element);
        let (base, len) =
            (body.name(&format!("{}_copies", param.name)), body.name(&format!("{}_n", param.name)));
        let buffer = body.arg(Arg::Copies);
        body.out.line(format!("const u64 {len} = {extent} * {per_element};"));
        body.out.line(format!("{global}{ty}* {base} = ({global}{ty}*)({buffer} + {before});"));
        let bytes = format!("{workers} * {extent} * {size}");
        before = format!("{before} + ({bytes} + 255) / 256 * 256");
        places.push(Copies { array, reducer, base, len, ty, shift });
    }
    places
}

fn memory_name(prim: omp_ir::desc::Prim) -> String {
    if prim == omp_ir::desc::Prim::Bool {
        "u8".to_owned()
    } else {
        crate::back::c::helpers::c_name(prim).to_owned()
    }
}

/// What a copy starts from may be the item itself, any number of times; so a NaN before the loop is not hidden by the
/// infinity that is the identity.
pub(in crate::back::c) fn starts_from_item(reducer: &Reducer) -> bool {
    matches!(reducer, Reducer::Builtin(ReduceOp::Min | ReduceOp::Max, _))
}

/// Fills the thread's copy, and lets the body update it.
pub(in crate::back::c) fn fill(body: &mut Body<'_, '_>, place: &Copies, worker: &str) {
    let Copies { array, reducer, base, len, ty, shift } = place;
    let global = body.w.syntax.global;
    let name = body.w.kernel.template.arrays[array.index()].name.clone();
    let (e, own) = (body.name("e"), body.name(&format!("{name}_own")));
    let elem = body.w.memory_type(body.w.kernel.array_ty[array.index()]);
    let first = if starts_from_item(reducer) {
        let original = body.arg(Arg::Array(*array));
        format!("((const {global}{ty}*){original} + {shift})[{e}]")
    } else {
        body.reducer_identity(reducer)
    };
    body.out.line(format!("for (u64 {e} = 0; {e} < {len}; {e}++) {base}[{worker} * {len} + {e}] = {first};"));
    body.out
        .line(format!("{global}{elem}* {own} = ({global}{elem}*)({base} + {worker} * {len} - ({shift}));"));
    body.own.insert(*array, own);
}

/// Combines all copies with what the array holds; each of `workers` has some of the elements.
pub(in crate::back::c) fn gather_each(
    body: &mut Body<'_, '_>,
    place: &Copies,
    (worker, workers): (&str, &str),
    count: &str,
) {
    let Copies { array, reducer, base, len, ty, shift } = place;
    let (global, original) = (body.w.syntax.global, body.arg(Arg::Array(*array)));
    let (e, w, r) = (body.name("e"), body.name("w"), body.name("r"));
    body.out.open(format!("for (u64 {e} = {worker}; {e} < {len}; {e} += {workers}) {{"));
    body.out.line(format!("{ty} {r} = (({global}{ty}*){original} + {shift})[{e}];"));
    // Combined one after the other, but loaded at the same time.
    if body.w.syntax.dialect == Dialect::Cuda {
        body.out.line("#pragma unroll 16");
    }
    body.out.open(format!("for (u64 {w} = 0; {w} < {count}; {w}++) {{"));
    let both = body.combine(reducer, &r, &format!("{base}[{w} * {len} + {e}]"), "&cx");
    body.out.line(format!("{r} = {};", crate::back::c::expr::bare(&both)));
    body.out.close("}");
    body.out.line(format!("(({global}{ty}*){original} + {shift})[{e}] = {r};"));
    body.out.close("}");
}
