//! Scans in one launch: decoupled look-back.
//!
//! The loop is cut into *tiles*, which blocks take one after the other by a ticket. A block runs the statements that its
//! tile's sum depends on (the *fold*), with the carried values starting at the identity, combines its threads, tells what
//! the tile adds up to, finds out what the tiles before it add up to, and runs the iterations from there. What the fold
//! loads stays in registers: memory is read once and written once.
//!
//! # Why it is right
//!
//! *No block waits in vain.* A tile waits for tiles of lower numbers only. A number is handed out by an atomic counter to a
//! block that is already running, so whoever waits, waits for blocks that run, whatever the order in which the device
//! starts blocks, how many it runs at a time, and how many there are; and running threads make progress independently of
//! each other on the devices that this schedule is for. Among the tiles that are not done, the lowest waits for nothing;
//! so it gets done, and by induction all do. Between taking its number and telling its sum, a block runs the user's
//! statements and nothing that waits. A check that fails ends its iteration, not the thread ([`Leave::Iteration`]): the
//! thread goes on to every barrier and shuffle, and tells a sum, if a wrong one; the launch fails when it has ended.
//!
//! *No value is torn or early.* What a tile tells is cut into words of 32 bits, and each travels in a store of 64 bits
//! together with a *tag*: the launch's number and the state (a sum, or a prefix: a sum of everything before as well). Such
//! a store is seen as a whole or not at all, and a value is taken when all its words bear the same tag. So nothing needs to
//! be ordered: no fence stands between value and flag, whatever the size of the value, and relaxed accesses do. Each state
//! of a slot is written by one thread, once in a launch.
//!
//! *No launch sees what another left.* Launches of a queue follow one another, and each has another number, kept beside
//! the tickets by the last block of the launch before. Every word of that memory is at all times zero or a tagged word of
//! an earlier launch, however the tiles lay then; so nothing is cleared between launches, but for one in a milliard, when
//! numbers begin again.
//!
//! *The same result in every run.* Tiles come in groups of 32. What a tile starts from is always the groups before its own,
//! from left to right, then the tiles before it in its group, combined as a warp does it. A group's last tile tells the
//! group's sum as soon as it knows its members', and the prefix as soon as it knows that. Whoever looks back begins at
//! the nearest prefix and goes on from left to right, over sums: that makes the same parentheses as the prefix of the
//! last of them, wherever it began. So timing decides how much is added up anew, not how. The nearest 32 groups are looked
//! at; one that is farther away and still lacks a prefix is waited for.
//!
//! *Operands keep their order*, everywhere: lanes, warps, tiles and groups combine as left and right stand in the loop.
//!
//! *In place is safe.* A tile's elements are stored by the thread that has loaded them, after that; an iteration touches no
//! element that another one stores (the analysis says so of the loop without its carried values). The element before the
//! first, which the first tile starts from, is stored by no iteration.
//!
//! # In a tile
//!
//! A warp has `chunks` rows of its lanes' runs, `run` iterations each. Arrays whose subscripts are the loop variable and a
//! constant are moved by accesses as wide as a run. Where such groups begin elsewhere in memory (`x[i - 1]`), a lane moves
//! the group that memory has there, and neighbours exchange the elements that are the other's; at the warp's ends single
//! elements are moved.
use super::body::Body;
use super::operator::{self, Item, Shuffle, shuffled};
use super::place::{Held, Placed};
use super::types::Space;
use super::vector::{Lane, lanes};
use super::{helpers, reduce, scan};
use crate::back::Arg;
use crate::ir::ids::ArrayId;
use crate::ir::template::Stmt;
use crate::schedule::seeds;

/// Writes the kernel.
pub(crate) fn write(body: &mut Body<'_, '_>, run: u32, chunks: u32, arrays: &[ArrayId]) {
    let mut items = operator::items(body);
    for (k, item) in &mut items {
        item.identity = body.reducer_identity(&body.w.kernel.reducers[*k].clone());
    }
    body.define_items(&items, &[], &[Shuffle::Up, Shuffle::From]);
    let file = include_str!("../../templates/scan.cuh");
    for piece in ["relaxed", "look_back"] {
        body.w.late.push('\n');
        body.w.late.push_str(helpers::find(file, piece).unwrap_or_default());
        body.w.late.push('\n');
    }
    let warps = body.w.schedule.block.iter().product::<u32>() / 32;
    let tile = Tile::new(body, items, run, chunks, warps, arrays);
    let code = body.code;
    let (fold, seed, rest) = scan::parts(&code.code.block, tile.items.len());

    tile.begin(body);
    body.out.open("for (;;) {");
    tile.take(body);
    tile.load(body);
    tile.fold(body, fold);
    tile.within_warp(body);
    tile.within_block(body, seed);
    tile.rest(body, rest);
    body.out.line(format!("if (gridDim.x >= {}) break;", tile.n.tiles));
    body.out.close("}");
    body.out.line(format!(
        "if (threadIdx.x == 0) scan_end({}, {}, ({} + 31) / 32 * GROUP_WORDS);",
        tile.n.head, tile.n.words, tile.n.tiles
    ));
}

/// Names in the kernel.
struct Names {
    /// In shared memory: the tile's number, and what each warp adds up to, then starts from.
    next: String,
    of_warp: String,
    lane: String,
    warp: String,
    /// The range of iteration numbers (or of the loop variable's values) and where tiles begin.
    lo: String,
    hi: String,
    base: String,
    tiles: String,
    head: String,
    words: String,
    launch: String,
    tile: String,
    /// Where the thread's first run begins, and whether the warp's are in the range as a whole.
    at: String,
    whole: String,
    /// What each run adds up to, then follows in its warp.
    mine: String,
    /// A warp's sum.
    sum: String,
    c: String,
    w: String,
}

/// A tile, and what moves in it.
struct Tile {
    items: Vec<(usize, Item)>,
    run: u32,
    chunks: u32,
    warps: u32,
    lanes: Vec<Lane>,
    registers: Vec<String>,
    by_value: bool,
    n: Names,
}

impl Tile {
    fn new(
        body: &mut Body<'_, '_>,
        items: Vec<(usize, Item)>,
        run: u32,
        chunks: u32,
        warps: u32,
        arrays: &[ArrayId],
    ) -> Self {
        let seeds = seeds(body.w.kernel);
        let mut lanes = lanes(body.w.kernel, body.w.info, arrays, &seeds);
        lanes.retain(|l| !l.accesses.is_empty());
        let registers = lanes
            .iter()
            .map(|lane| body.name(&format!("{}_v", body.w.kernel.template.arrays[lane.array.index()].name)))
            .collect();
        let by_value = !lanes.is_empty();
        let n = Names {
            next: body.name("next_tile"),
            of_warp: body.name("of_warp"),
            lane: body.name("lane"),
            warp: body.name("warp"),
            lo: body.name("lo"),
            hi: body.name("hi"),
            base: body.name("base"),
            tiles: body.name("tile_count"),
            head: body.name("head"),
            words: body.name("words"),
            launch: body.name("launch"),
            tile: body.name("tile"),
            at: body.name("at"),
            whole: body.name("whole"),
            mine: body.name("mine"),
            sum: body.name("sum"),
            c: body.name("c"),
            w: body.name("w"),
        };
        Self { items, run, chunks, warps, lanes, registers, by_value, n }
    }

    /// Iterations of a warp, and of the tile.
    fn per_warp(&self) -> u32 {
        32 * self.run * self.chunks
    }

    fn size(&self) -> u32 {
        self.warps * self.per_warp()
    }

    /// What stands before the loop over tiles.
    fn begin(&self, body: &mut Body<'_, '_>) {
        let Names { next, of_warp, lane, warp, lo, hi, base, tiles, head, words, launch, .. } = &self.n;
        body.out.line(format!("__shared__ items {of_warp}[{}];", self.warps));
        body.out.line(format!("__shared__ u64 {next};"));
        body.begin();
        body.out.line(format!("const u32 {lane} = threadIdx.x % 32u, {warp} = threadIdx.x / 32u;"));
        if self.by_value {
            let (first, count) = (body.arg(Arg::DimFirst(0)), body.arg(Arg::DimCount(0)));
            body.out.line(format!("const u64 {lo} = (u64){first}, {hi} = {lo} + {count};"));
            body.out.line(format!("const u64 {base} = {lo} / {0} * {0};", self.run));
        } else {
            let total = body.total();
            body.out.line(format!("const u64 {lo} = 0, {hi} = {total}, {base} = 0;"));
        }
        let size = self.size();
        body.out.line(format!("const u64 {tiles} = ({hi} - {base} + {}) / {size};", size - 1));
        let memory = body.arg(Arg::Tiles);
        body.out.line(format!("scan_head* {head} = (scan_head*){memory};"));
        body.out.line(format!("u64* {words} = (u64*)({memory} + sizeof(scan_head));"));
        body.out.line(format!("const u32 {launch} = scan_begin({head});"));
    }

    /// Takes the next tile.
    fn take(&self, body: &mut Body<'_, '_>) {
        let Names { next, lane, warp, lo, hi, base, tiles, head, tile, at, whole, .. } = &self.n;
        let start = body.name("start");
        body.out.line(format!("if (threadIdx.x == 0) {next} = atomicAdd(&{head}->next, 1ull);"));
        body.out.line("__syncthreads();");
        body.out.line(format!("const u64 {tile} = {next};"));
        body.out.line(format!("if ({tile} >= {tiles}) break;"));
        let (size, per_warp) = (self.size(), self.per_warp());
        body.out.line(format!("const u64 {start} = {base} + {tile} * {size} + {warp} * {per_warp}u;"));
        body.out.line(format!("const u64 {at} = {start} + {lane} * {}u;", self.run));
        body.out.line(format!("const bool {whole} = {start} >= {lo} && {start} + {per_warp} <= {hi};"));
    }

    /// Opens the loop over the thread's runs.
    fn open_chunks(&self, body: &mut Body<'_, '_>) {
        body.out.line("#pragma unroll");
        let (c, chunks) = (&self.n.c, self.chunks);
        body.out.open(format!("for (u32 {c} = 0; {c} < {chunks}u; {c}++) {{"));
    }

    /// Opens the loop over the iterations of a run, and declares the loop variables.
    fn open_run(&self, body: &mut Body<'_, '_>) -> String {
        let t = body.name("t");
        self.open_elements(body, &t);
        let c = body.counter();
        if self.by_value {
            let dim = &body.w.kernel.template.dims[0];
            let ty = if body.narrow[dim.var.index()] { "i32" } else { helpers::c_name(body.dim_prim(dim)) };
            let name = body.locals[dim.var.index()].clone();
            body.out.line(format!("const {ty} {name} = ({ty}){t};"));
        } else {
            body.declare_dims_from(&format!("({c}){t}"));
        }
        t
    }

    /// Opens the loop over the numbers `t` of a run that are in the range.
    fn open_elements(&self, body: &mut Body<'_, '_>, t: &str) {
        let Names { lo, hi, at, whole, c, w, .. } = &self.n;
        body.out.line("#pragma unroll");
        body.out.open(format!("for (u32 {w} = 0; {w} < {}u; {w}++) {{", self.run));
        body.out.line(format!("const u64 {t} = {at} + ({c} * {}u + {w});", 32 * self.run));
        let low = if self.by_value { format!("{t} < {lo} || ") } else { String::new() };
        body.out.line(format!("if (!{whole} && ({low}{t} >= {hi})) continue;"));
    }

    /// Loads what the thread's iterations need.
    fn load(&self, body: &mut Body<'_, '_>) {
        let moved: Vec<_> =
            self.lanes.iter().zip(&self.registers).map(|(l, r)| Moved::new(body, l, r, self.run)).collect();
        for m in &moved {
            body.out.line(format!("{} {}[{}];", m.wide, m.register, self.chunks));
        }
        if !self.lanes.iter().any(|l| l.load) {
            return;
        }
        body.out.open(format!("if ({}) {{", self.n.whole));
        self.open_chunks(body);
        for m in moved.iter().filter(|m| m.load) {
            m.load(body, self);
        }
        body.out.close("}");
        body.out.close("} else {");
        body.out.depth += 1;
        self.open_chunks(body);
        let t = body.name("t");
        self.open_elements(body, &t);
        for m in moved.iter().filter(|m| m.load) {
            body.out.line(format!("{} = {};", m.element(self), m.single(&t)));
        }
        body.out.close("}");
        body.out.close("}");
        body.out.close("}");
    }

    fn use_registers(&self, body: &mut Body<'_, '_>) {
        for (lane, register) in self.lanes.iter().zip(&self.registers) {
            for &access in &lane.accesses {
                body.registers.insert(access, format!("{register}[{}].v[{}]", self.n.c, self.n.w));
            }
        }
    }

    /// What each run adds up to.
    fn fold(&self, body: &mut Body<'_, '_>, fold: &[Stmt]) {
        let Names { mine, c, .. } = &self.n;
        body.out.line(format!("items {mine}[{}];", self.chunks));
        self.use_registers(body);
        self.open_chunks(body);
        scan::declare(body, &self.items, |item| item.identity.clone());
        self.open_run(body);
        body.iteration_of(fold);
        body.out.close("}");
        for (k, item) in &self.items {
            body.out.line(format!("{mine}[{c}].v{k} = {};", item.local));
        }
        if self.items.is_empty() {
            body.out.line(format!("{mine}[{c}] = identity();"));
        }
        body.out.close("}");
        body.registers.clear();
    }

    /// What each run follows in its warp, and what the warp adds up to.
    fn within_warp(&self, body: &mut Body<'_, '_>) {
        let Names { mine, c, lane, warp, sum, of_warp, .. } = &self.n;
        let (cx, upto, left, chunk) =
            (body.context_arg(), body.name("upto"), body.name("left"), body.name("chunk"));
        body.out.line(format!("items {sum} = identity();"));
        self.open_chunks(body);
        body.out.line(format!("const items {upto} = scan_warp({cx}{mine}[{c}]);"));
        body.out.line(format!("items {left} = shuffle_up({upto}, 1u);"));
        body.out.line(format!("if ({lane} == 0u) {left} = identity();"));
        body.out.line(format!("const items {chunk} = shuffle_from({upto}, 31u);"));
        body.out.line(format!("{mine}[{c}] = {c} == 0u ? {left} : combine({cx}{sum}, {left});"));
        body.out.line(format!("{sum} = {c} == 0u ? {chunk} : combine({cx}{sum}, {chunk});"));
        body.out.close("}");
        body.out.line(format!("if ({lane} == 0u) {of_warp}[{warp}] = {sum};"));
        body.out.line("__syncthreads();");
    }

    /// What each warp starts from.
    fn within_block(&self, body: &mut Body<'_, '_>, seed: &[Stmt]) {
        let Names { lane, warp, of_warp, words, launch, tile, tiles, .. } = &self.n;
        let cx = body.context_arg();
        let (upto, all, left, start) =
            (body.name("upto"), body.name("all"), body.name("left"), body.name("start"));
        body.out.open(format!("if ({warp} == 0u) {{"));
        let count = self.warps;
        body.out.line(format!(
            "const items {upto} = scan_warp({cx}{lane} < {count}u ? {of_warp}[{lane}] : identity());"
        ));
        body.out.line(format!("const items {all} = shuffle_from({upto}, {}u);", count - 1));
        body.out.line(format!("const items {left} = shuffle_up({upto}, 1u);"));
        body.out.line(format!("items {start} = identity();"));
        body.out.open(format!("if ({tile} == 0) {{"));
        body.out.open(format!("if ({lane} == 0u) {{"));
        scan::first(body, &self.items, seed);
        for (k, item) in &self.items {
            body.out.line(format!("{start}.v{k} = {};", item.local));
        }
        body.out.close("}");
        body.out.line(format!("{start} = shuffle_from({start}, 0u);"));
        body.out.line(format!(
            "if ({tiles} > 1) look_back({cx}{words}, 0, {tiles}, {launch}, combine({cx}{start}, {all}));"
        ));
        body.out.close("} else {");
        body.out.depth += 1;
        body.out.line(format!("{start} = look_back({cx}{words}, {tile}, {tiles}, {launch}, {all});"));
        body.out.close("}");
        body.out.line(format!(
            "if ({lane} < {count}u) {of_warp}[{lane}] = {lane} == 0u ? {start} : combine({cx}{start}, {left});"
        ));
        body.out.close("}");
        body.out.line("__syncthreads();");
    }

    /// The iterations.
    fn rest(&self, body: &mut Body<'_, '_>, rest: &[Stmt]) {
        let Names { lo: _, hi, at, whole, mine, c, warp, of_warp, .. } = &self.n;
        let moved: Vec<_> =
            self.lanes.iter().zip(&self.registers).map(|(l, r)| Moved::new(body, l, r, self.run)).collect();
        let (cx, from, last) = (body.context_arg(), body.name("from"), body.name("last"));
        self.use_registers(body);
        self.open_chunks(body);
        // The first run of all has nothing before it: it starts from what the loop does, bit by bit.
        body.out.line(format!(
            "const items {from} = {c} == 0u && threadIdx.x % 32u == 0u ? {of_warp}[{warp}] : \
             combine({cx}{of_warp}[{warp}], {mine}[{c}]);"
        ));
        let mut ks = self.items.iter().map(|(k, _)| *k).collect::<Vec<_>>().into_iter();
        scan::declare(body, &self.items, |_| format!("{from}.v{}", ks.next().unwrap_or_default()));
        let t = self.open_run(body);
        body.iteration_of(rest);
        for m in moved.iter().filter(|m| m.store) {
            body.out.line(format!("if (!{whole}) {} = {};", m.single(&t), m.element(self)));
        }
        body.out.close("}");
        // The thread with the last iteration has the last values.
        let first = format!("{at} + {c} * {}u", 32 * self.run);
        body.out.open(format!("if ({first} < {hi} && {hi} - ({first}) <= {}) {{", self.run));
        scan::collect(body, &self.items, &last);
        reduce::store_results(body, &self.items, &last);
        body.out.close("}");
        if moved.iter().any(|m| m.store) {
            body.out.open(format!("if ({whole}) {{"));
            for m in moved.iter().filter(|m| m.store) {
                m.store(body, self);
            }
            body.out.close("}");
        }
        body.out.close("}");
        body.registers.clear();
    }
}

/// An array's elements at a constant from the loop variable, on their way between memory and registers.
struct Moved<'t> {
    register: &'t str,
    load: bool,
    store: bool,
    /// The type of a group.
    wide: String,
    /// The number's type, for elements that lanes exchange.
    prim: Option<crate::ir::desc::Prim>,
    /// A pointer to element 0, and to group 0.
    start: String,
    groups: String,
    /// Groups and elements from the loop variable's group to where elements stand.
    floor: i64,
    by: u32,
    shift: i64,
}

impl<'t> Moved<'t> {
    fn new(body: &mut Body<'_, '_>, lane: &Lane, register: &'t str, run: u32) -> Self {
        let kernel = body.w.kernel;
        let ty = kernel.array_ty[lane.array.index()];
        let wide = body.w.with_types(|types, names| types.vector(ty, run, names));
        let placed = Placed {
            text: body.arg(Arg::Array(lane.array)),
            held: Held::Array(lane.array),
            space: Space::Global,
            writable: true,
        };
        let (start, _) = body.start(&placed);
        let constant = if kernel.template.arrays[lane.array.index()].written { "" } else { "const " };
        let groups = format!("(({constant}{wide}*){start})");
        let run = i64::from(run);
        Self {
            register,
            load: lane.load,
            store: lane.store,
            prim: body.w.types.prim(ty),
            wide,
            start,
            groups,
            floor: lane.shift.div_euclid(run),
            by: lane.shift.rem_euclid(run) as u32,
            shift: lane.shift,
        }
    }

    /// The register of an element.
    fn element(&self, tile: &Tile) -> String {
        format!("{}[{}].v[{}]", self.register, tile.n.c, tile.n.w)
    }

    /// The element of iteration `t` in memory.
    fn single(&self, t: &str) -> String {
        format!("{}[(i64){t}{}]", self.start, plus(self.shift))
    }

    /// The number of the group in memory where the thread's run begins.
    fn group(&self, tile: &Tile) -> String {
        let Names { at, c, .. } = &tile.n;
        format!("(i64)({at} / {} + {c} * 32u){}", tile.run, plus(self.floor))
    }

    fn load(&self, body: &mut Body<'_, '_>, tile: &Tile) {
        let (Names { c, lane, .. }, run, by) = (&tile.n, tile.run, self.by);
        let (register, start) = (self.register, &self.start);
        let group = self.group(tile);
        let Some(prim) = self.prim.filter(|_| by != 0) else {
            body.out.line(format!("{register}[{c}] = {}[{group}];", self.groups));
            return;
        };
        let (at, far) = (body.name("group"), body.name("far"));
        body.out.line(format!("const i64 {at} = {group};"));
        body.out.line(format!("const {} {far} = {}[{at}];", self.wide, self.groups));
        for e in 0..run - by {
            body.out.line(format!("{register}[{c}].v[{e}] = {far}.v[{}];", e + by));
        }
        for e in 0..by {
            let next = shuffled(prim, "__shfl_down_sync", &format!("{far}.v[{e}]"), "1");
            body.out.line(format!("{register}[{c}].v[{}] = {next};", run - by + e));
        }
        body.out.open(format!("if ({lane} == 31u) {{"));
        for e in 0..by {
            body.out
                .line(format!("{register}[{c}].v[{}] = {start}[({at} + 1) * {run} + {e}];", run - by + e));
        }
        body.out.close("}");
    }

    fn store(&self, body: &mut Body<'_, '_>, tile: &Tile) {
        let (Names { c, lane, .. }, run, by) = (&tile.n, tile.run, self.by);
        let (register, start, groups) = (self.register, &self.start, &self.groups);
        let group = self.group(tile);
        let Some(prim) = self.prim.filter(|_| by != 0) else {
            body.out.line(format!("{groups}[{group}] = {register}[{c}];"));
            return;
        };
        let (at, far) = (body.name("group"), body.name("far"));
        body.out.line(format!("const i64 {at} = {group};"));
        body.out.line(format!("{} {far};", self.wide));
        for e in 0..by {
            let before =
                shuffled(prim, "__shfl_up_sync", &format!("{register}[{c}].v[{}]", run - by + e), "1");
            body.out.line(format!("{far}.v[{e}] = {before};"));
        }
        for e in by..run {
            body.out.line(format!("{far}.v[{e}] = {register}[{c}].v[{}];", e - by));
        }
        body.out.open(format!("if ({lane} != 0u) {{"));
        body.out.line(format!("{groups}[{at}] = {far};"));
        body.out.close("} else {");
        body.out.depth += 1;
        for e in by..run {
            body.out.line(format!("{start}[{at} * {run} + {e}] = {far}.v[{e}];"));
        }
        body.out.close("}");
        body.out.open(format!("if ({lane} == 31u) {{"));
        for e in 0..by {
            let own = run - by + e;
            body.out.line(format!("{start}[({at} + 1) * {run} + {e}] = {register}[{c}].v[{own}];"));
        }
        body.out.close("}");
    }
}

fn plus(n: i64) -> String {
    match n {
        0 => String::new(),
        n if n < 0 => format!(" - {}", n.unsigned_abs()),
        n => format!(" + {n}"),
    }
}
