//! Copy privatisation: reductions of arrays in private copies in shared memory, one for each thread or warp. The only atomic
//! operation selects the first lane of a warp for an element, which does not depend on timing, so floats are the same in every
//! run.
//!
//! The body updates a thread's copy directly. If the lanes of a warp share a copy, the body only records the operand for an
//! element. After the iteration, among the lanes with an operand for the same element, the lowest adds its own, and the others,
//! which are few unless the element is frequent, are combined by a tree in the order of lanes.
//!
//! A block combines its copies in order and stores the result in memory. A second launch combines the results of all blocks with
//! the array's own elements. (Arrays that don't fit shared memory have the copies of warps in memory, and the second launch
//! combines them all.) If operands must keep their order, threads and warps have contiguous iterations.
use super::in_flight::{InFlight, Site, sites};
use super::ordered::{Copies, copies, gather_each, starts_from_item};
use crate::back::c::body::Body;
use crate::back::c::expr::bare;
use crate::back::c::strategy::shares::{self, Share};
use crate::back::c::strategy::vector::{Chunks, Plain, lanes};
use crate::back::{Arg, Dialect};
use crate::schedule::{Each, SLOTS, copy_unit};
use omp_ir::analysis::patterns::updates::Update;
use omp_ir::ids::ArrayId;
use omp_ir::template::Stmt;

/// Writes the kernel.
pub(crate) fn write(body: &mut Body<'_, '_>, chunks: (u32, u32, &[ArrayId]), each: Each, shared: u32) {
    let s = body.w.syntax;
    let (memory, blocks) = (body.name("memory"), body.name("blocks"));
    let align = if s.dialect == Dialect::Cuda { "__align__(16) " } else { "" };
    body.out.line(format!("{}{align}u64 {memory}[{}];", s.shared, shared.div_ceil(8)));
    body.begin();
    let far = each == Each::Warp { far: true };
    let warps = body.w.schedule.block.iter().product::<u32>() / 32;
    let of_block = if far { format!(" * {warps}u") } else { String::new() };
    body.out.line(format!("const u64 {blocks} = (u64){}{of_block};", s.blocks(0)));
    let items = body.w.kernel.array_items();
    let places = copies(body, &items, &blocks);
    let space = if s.dialect == Dialect::Cuda { "" } else { s.shared };
    let mut c = Copied { places, offsets: Vec::new(), memory, blocks, step: String::new(), space, each };
    c.lay_out(body, chunks.1);
    let phase = body.arg(Arg::Phase);
    body.out.open(format!("if ({phase} == 0) {{"));
    c.fill(body);
    match each {
        Each::Thread { in_order: false } => {
            let (width, unroll, arrays) = chunks;
            Chunks::new(body, width, unroll, arrays).in_waves().write(body, &mut Plain);
        }
        Each::Thread { in_order: true } => row(body),
        Each::Warp { .. } => c.by_warps(body, chunks.1, chunks.2),
    }
    body.own.clear();
    if !far {
        c.combine_block(body);
    }
    body.out.close("} else {");
    body.out.depth += 1;
    if far {
        c.gather_far(body);
    } else {
        c.gather(body);
    }
    body.out.close("}");
}

/// A thread's iterations, in a row.
fn row(body: &mut Body<'_, '_>) {
    let Share { first, end, .. } = shares::of_thread(body);
    let t = body.name("t");
    body.out.open(format!("for (u64 {t} = {first}; {t} < {end}; {t}++) {{"));
    let c = body.counter();
    body.declare_dims_from(&format!("({c}){t}"));
    body.iteration();
    body.out.close("}");
}

/// The reduced arrays and their copies in shared memory.
struct Copied {
    places: Vec<Copies>,
    /// Where each array begins in a copy, in bytes.
    offsets: Vec<String>,
    memory: String,
    blocks: String,
    /// Bytes from copy to copy.
    step: String,
    /// The address space of pointers into shared memory.
    space: &'static str,
    each: Each,
}

impl Copied {
    fn far(&self) -> bool {
        self.each == Each::Warp { far: true }
    }

    fn copies(&self, body: &Body<'_, '_>) -> u32 {
        let threads: u32 = body.w.schedule.block.iter().product();
        match self.each {
            Each::Thread { .. } => threads,
            Each::Warp { .. } => threads / 32,
        }
    }

    /// Declares where arrays lie in a copy.
    fn lay_out(&mut self, body: &mut Body<'_, '_>, unroll: u32) {
        let unit = copy_unit(body.w.kernel);
        let mut before = "0u".to_owned();
        for place in &self.places {
            let (offset, end) = (body.name("offset"), body.name("end"));
            body.out.line(format!("const u32 {offset} = {before};"));
            body.out.line(format!(
                "const u32 {end} = {offset} + ((u32)({} * sizeof({})) + {}u) / {unit}u;",
                place.len,
                place.ty,
                unit - 1
            ));
            self.offsets.push(format!("{offset} * {unit}u"));
            before = end;
        }
        self.step = body.name("step");
        let slots = match self.each {
            Each::Warp { .. } => format!(" + {}u", SLOTS * 4 * unroll),
            Each::Thread { .. } => String::new(),
        };
        let copy = if self.far() { "0u".to_owned() } else { format!("({before} | 1u) * {unit}u") };
        body.out.line(format!("const u32 {} = {copy}{slots};", self.step));
    }

    /// A pointer to an array in the copy `c`.
    fn at(&self, place: usize, c: &str) -> String {
        let Self { space, memory, step, .. } = self;
        let (ty, offset) = (&self.places[place].ty, &self.offsets[place]);
        format!("(({space}{ty}*)(({space}u8*){memory} + ({c}) * {step} + {offset}))")
    }

    /// Fills the copies, and lets the body update them.
    fn fill(&self, body: &mut Body<'_, '_>) {
        let s = body.w.syntax;
        let copy = body.name("copy");
        let (mine, first, next) = match self.each {
            Each::Thread { .. } => (s.thread_id(0), "0u".to_owned(), 1),
            Each::Warp { .. } => {
                (format!("{} / 32u", s.thread_id(0)), format!("{} % 32u", s.thread_id(0)), 32)
            }
        };
        body.out.line(format!("const u32 {copy} = (u32)({mine});"));
        for (k, place) in self.places.iter().enumerate() {
            let Copies { array, reducer, len, ty, shift, .. } = place;
            let name = body.w.kernel.template.arrays[array.index()].name.clone();
            let [base, own, e] =
                [format!("{name}_copy"), format!("{name}_own"), "e".to_owned()].map(|name| body.name(&name));
            let elem = body.w.memory_type(body.w.kernel.array_ty[array.index()]);
            let space = self.space;
            let place_of = if self.far() {
                let warps = body.w.schedule.block.iter().product::<u32>() / 32;
                format!("{} + ((u64)blockIdx.x * {warps}u + {copy}) * {len}", place.base)
            } else {
                self.at(k, &copy)
            };
            body.out.line(format!("{space}{ty}* {base} = {place_of};"));
            let value = if starts_from_item(reducer) {
                let original = body.arg(Arg::Array(*array));
                format!("((const {}{ty}*){original} + {shift})[{e}]", s.global)
            } else {
                body.reducer_identity(reducer)
            };
            body.out.line(format!(
                "for (u32 {e} = {first}; {e} < (u32){len}; {e} += {next}u) {base}[{e}] = {value};"
            ));
            body.out.line(format!("{space}{elem}* {own} = ({space}{elem}*)({base} - ({shift}));"));
            body.own.insert(*array, own);
        }
    }

    /// Declares the warp's slots, in which no lane is first yet.
    fn take_slots(&self, body: &mut Body<'_, '_>, unroll: u32, [slots, turn, lane, u]: [&str; 4]) {
        body.out.line(format!("const u32 {lane} = threadIdx.x % 32u;"));
        body.out.line(format!(
            "u32* {slots} = (u32*)((u8*){} + (threadIdx.x / 32u + 1u) * {}) - {}u;",
            self.memory,
            self.step,
            SLOTS * unroll
        ));
        let all = SLOTS * unroll;
        body.out
            .line(format!("for (u32 {u} = {lane}; {u} < {all}u; {u} += 32u) {slots}[{u}] = 0xffffffffu;"));
        body.out.line(format!("u32 {turn} = 0xffffffe0u;"));
        body.out.line("__syncwarp();");
    }

    /// Warps have iterations in a row, `unroll` of each lane in flight.
    fn by_warps(&self, body: &mut Body<'_, '_>, unroll: u32, arrays: &[ArrayId]) {
        let total = body.total();
        let lanes = lanes(body.w.kernel, body.w.info, arrays, &[]);
        let warps = body.w.schedule.block.iter().product::<u32>() / 32;
        let [slots, turn, lane, worker, workers, groups, each, rest, first, end, at, t, u] = [
            "slots", "turn", "lane", "worker", "workers", "groups", "each", "rest", "first", "end", "at",
            "t", "u",
        ]
        .map(|name| body.name(name));
        self.take_slots(body, unroll, [&slots, &turn, &lane, &u]);
        let span = 32 * unroll;
        body.out.line(format!("const u64 {workers} = (u64)gridDim.x * {warps}u;"));
        body.out.line(format!("const u64 {worker} = (u64)blockIdx.x * {warps}u + threadIdx.x / 32u;"));
        let names = [&groups, &each, &rest, &first, &end].map(String::as_str);
        shares::balanced(body, (&total, span), [&worker, &workers], names);
        body.out.open(format!("for (u64 {at} = {first}; {at} < {end}; {at}++) {{"));
        let sites = sites(body, &self.places, (&u, unroll), starts_from_item);
        body.atomics = self.places.iter().map(|p| p.array).collect();
        let number = format!("const u64 {t} = {at} * {span} + {u} * 32u + {lane};");
        let whole = format!("{at} * {span} + {span} <= {total}");
        let flight = InFlight { count: unroll, u: &u, t: &t, number: &number, whole: &whole, end: &total };
        flight.write(body, &lanes, &sites);
        for (place, site) in &sites {
            self.apply(body, *place, site, unroll, [&slots, &turn, &lane, &u]);
        }
        body.out.close("}");
    }

    /// Adds the operands that the lanes have recorded at an update to the warp's copy.
    fn apply(
        &self,
        body: &mut Body<'_, '_>,
        place: usize,
        site: &Site,
        unroll: u32,
        [slots, turn, lane, u]: [&str; 4],
    ) {
        let Site { key, value, any, ty, base, .. } = site;
        let reducer = self.places[place].reducer.clone();
        let [first, others, peers, rest, place_of, lowest, from, t, next] =
            ["is_first", "others", "peers", "later", "place", "lowest", "from", "other", "next"]
                .map(|name| body.name(name));
        let open = |body: &mut Body<'_, '_>| {
            body.out.line("#pragma unroll");
            body.out.open(format!("for (u32 {u} = 0; {u} < {unroll}u; {u}++) {{"));
        };
        let slot = format!("{slots}[{u} * {SLOTS}u + {key}[{u}] % {SLOTS}u]");
        body.out.line(format!("{turn} -= 32u;"));
        open(body);
        // Later steps have lower iterations, and in a step lower lanes have lower iterations.
        body.out.line(format!("if ({any}[{u}]) atomicMin(&{slot}, {turn} | {lane});"));
        body.out.close("}");
        body.out.line("__syncwarp();");
        body.out.line(format!("bool {first}[{unroll}];"));
        open(body);
        body.out.line(format!("{first}[{u}] = {any}[{u}] && *(volatile u32*)&{slot} == ({turn} | {lane});"));
        body.out.close("}");
        open(body);
        let element = format!("{base}[{key}[{u}]]");
        let add = self.add(body, place, &element, &format!("{value}[{u}]"));
        body.out.line(format!("if ({first}[{u}]) {add}"));
        body.out.line("__syncwarp();");
        body.out
            .line(format!("const u32 {others} = __ballot_sync(0xffffffffu, {any}[{u}] && !{first}[{u}]);"));
        body.out.open(format!("if ({any}[{u}] && !{first}[{u}]) {{"));
        // A tree over the lanes with the same element: a lane at an even place combines with the next one.
        body.out.line(format!("const u32 {peers} = __match_any_sync({others}, {key}[{u}]);"));
        body.out.line(format!("const u32 {lowest} = (u32)__popc({peers} & ((1u << {lane}) - 1u));"));
        body.out.line(format!("u32 {place_of} = {lowest}, {rest} = {peers} & (0xfffffffeu << {lane});"));
        body.out.open(format!("while (__any_sync({others}, {rest} != 0u)) {{"));
        body.out.line(format!("const u32 {next} = (u32)__ffs((int){rest});"));
        body.out.line(format!("const u32 {from} = {next} == 0u ? {lane} : {next} - 1u;"));
        let words = format!("(sizeof({ty}) + 3) / 4");
        body.out.line(format!("union {{ {ty} all; u32 words[{words}]; }} {t};"));
        body.out.line(format!("{t}.words[{words} - 1] = 0u;"));
        body.out.line(format!("{t}.all = {value}[{u}];"));
        let k = body.name("k");
        body.out.line("#pragma unroll");
        body.out.line(format!(
            "for (u32 {k} = 0; {k} < {words}; {k}++) {t}.words[{k}] = __shfl_sync({others}, {t}.words[{k}], {from});"
        ));
        let sum = body.combine(&reducer, &format!("{value}[{u}]"), &format!("{t}.all"), "&cx");
        body.out.line(format!("if ({next} != 0u) {value}[{u}] = {};", bare(&sum)));
        body.out.line(format!("{rest} &= __ballot_sync({others}, !({place_of} & 1u));"));
        body.out.line(format!("{place_of} >>= 1;"));
        body.out.close("}");
        body.out.line(format!("if ({lowest} == 0u) {add}"));
        body.out.close("}");
        body.out.line("__syncwarp();");
        body.out.close("}");
    }

    /// The statement that combines a value with an element of the warp's copy.
    fn add(&self, body: &mut Body<'_, '_>, place: usize, element: &str, value: &str) -> String {
        let place = &self.places[place];
        let both = body.combine(&place.reducer, element, value, "&cx");
        format!("{element} = {};", bare(&both))
    }

    /// Combines the copies of the block in their order, neighbours first, and stores the result in memory.
    fn combine_block(&self, body: &mut Body<'_, '_>) {
        let s = body.w.syntax;
        let threads: u32 = body.w.schedule.block.iter().product();
        let count = self.copies(body);
        let [d, k, c, e] = ["d", "k", "c", "e"].map(|name| body.name(name));
        let thread = s.thread_id(0);
        body.barrier();
        if count > 1 {
            body.out.open(format!("for (u32 {d} = 1; {d} < {count}u; {d} *= 2) {{"));
            for (p, place) in self.places.iter().enumerate() {
                let len = format!("(u32){}", place.len);
                let pairs = format!("({count}u + {d} - 1u) / (2u * {d})");
                body.out.open(format!(
                    "for (u32 {k} = (u32){thread}; {k} < {pairs} * {len}; {k} += {threads}u) {{"
                ));
                body.out.line(format!("const u32 {c} = {k} / {len} * (2u * {d}), {e} = {k} % {len};"));
                let (left, right) = (self.at(p, &c), self.at(p, &format!("{c} + {d}")));
                let both =
                    body.combine(&place.reducer, &format!("{left}[{e}]"), &format!("{right}[{e}]"), "&cx");
                body.out.line(format!("{left}[{e}] = {};", bare(&both)));
                body.out.close("}");
            }
            body.barrier();
            body.out.close("}");
        }
        for (p, place) in self.places.iter().enumerate() {
            let Copies { base, len, .. } = place;
            let block = s.block_id(0);
            body.out.line(format!(
                "for (u32 {e} = (u32){thread}; {e} < (u32){len}; {e} += {threads}u) \
                 {base}[(u64){block} * {len} + {e}] = {}[{e}];",
                self.at(p, "0u")
            ));
        }
    }

    /// Combines the copies of all warps with the array's elements, a thread an element.
    fn gather_far(&self, body: &mut Body<'_, '_>) {
        let threads: u32 = body.w.schedule.block.iter().product();
        let worker = format!("((u64)blockIdx.x * {threads}u + threadIdx.x)");
        let all = format!("((u64)gridDim.x * {threads}u)");
        for place in &self.places {
            gather_each(body, place, (&worker, &all), &self.blocks);
        }
    }

    /// Combines what all blocks have left with the array's elements, a block an element.
    fn gather(&self, body: &mut Body<'_, '_>) {
        let s = body.w.syntax;
        let threads: u32 = body.w.schedule.block.iter().product();
        let [e, b, d, each, used, r] = ["e", "b", "d", "each", "used", "r"].map(|name| body.name(name));
        let (thread, blocks, global) = (s.thread_id(0), &self.blocks, s.global);
        body.out.line(format!("const u64 {each} = ({blocks} + {}u) / {threads}u;", threads - 1));
        body.out.line(format!("const u32 {used} = (u32)(({blocks} + {each} - 1) / {each});"));
        for place in &self.places {
            let Copies { array, reducer, base, len, ty, shift } = place;
            let original = body.arg(Arg::Array(*array));
            let slots = format!("(({}{ty}*){})", self.space, self.memory);
            body.out.open(format!("for (u64 {e} = {}; {e} < {len}; {e} += {blocks}) {{", s.block_id(0)));
            body.out.open(format!("if ((u32){thread} < {used}) {{"));
            body.out.line(format!("u64 {b} = (u64){thread} * {each};"));
            body.out.line(format!("{ty} {r} = {base}[{b} * {len} + {e}];"));
            let end = format!("(u64){thread} * {each} + {each}");
            body.out.open(format!("for ({b}++; {b} < {end} && {b} < {blocks}; {b}++) {{"));
            let both = body.combine(reducer, &r, &format!("{base}[{b} * {len} + {e}]"), "&cx");
            body.out.line(format!("{r} = {};", bare(&both)));
            body.out.close("}");
            body.out.line(format!("{slots}[{thread}] = {r};"));
            body.out.close("}");
            body.barrier();
            body.out.open(format!("for (u32 {d} = 1; {d} < {used}; {d} *= 2) {{"));
            body.out
                .open(format!("if ((u32){thread} % (2u * {d}) == 0u && (u32){thread} + {d} < {used}) {{"));
            let (left, right) = (format!("{slots}[{thread}]"), format!("{slots}[{thread} + {d}]"));
            let both = body.combine(reducer, &left, &right, "&cx");
            body.out.line(format!("{left} = {};", bare(&both)));
            body.out.close("}");
            body.barrier();
            body.out.close("}");
            let element = format!("(({global}{ty}*){original} + {shift})[{e}]");
            let both = body.combine(reducer, &element, &format!("{slots}[0]"), "&cx");
            body.out.line(format!("if ((u32){thread} == 0u) {element} = {};", bare(&both)));
            body.barrier();
            body.out.close("}");
        }
    }
}

impl Body<'_, '_> {
    /// Records the operand of an update instead of performing it. Gives how many statements it has handled.
    pub(crate) fn collected(&mut self, stmts: &[Stmt], update: &Update<'_>) -> Option<usize> {
        let site = self.sites.iter().find(|site| update.accesses.contains(&site.access))?.clone();
        let element = self.place(update.place).text;
        if std::mem::take(&mut self.fallible) {
            self.settle_subscripts(update.place);
        }
        let now = self.name("now");
        let Site { key, value, any, u, base, ty, start, .. } = site;
        self.out.open("{");
        self.out.line(format!("{ty} {now} = {};", start.as_deref().unwrap_or(&element)));
        self.run_on(&now, &stmts[..update.count], &update.accesses);
        self.out.line(format!("{key}[{u}] = (u32)(&{element} - {base});"));
        self.out.line(format!("{value}[{u}] = {now};"));
        self.out.line(format!("{any}[{u}] = true;"));
        self.out.close("}");
        Some(update.count)
    }
}
