//! Scans in one launch: decoupled look-back.
//!
//! The loop is cut into *tiles*. A block takes one tile after the other, by a ticket from an atomic counter. For each tile,
//! it runs the statements that the tile's sum depends on (the *fold*), with the carried values starting at the identity,
//! combines its threads, and publishes the tile's sum. It looks up the sums of earlier tiles one tile later, after it has
//! folded and published its next tile; then it runs the iterations of the tile from that prefix. Meanwhile the elements
//! are in shared memory ([`super::staging`]), so memory is read once and written once.
//!
//! # Why it is fast
//!
//! A tile's prefix depends on all tiles before it, so the critical time is that between a ticket and the tile's sum: all
//! later tiles wait for it. Therefore a block takes a ticket only when it issues the loads of the tile, and only these loads
//! are between ticket and sum: no block waits for others while it has a tile whose sum is not published.
//! (When blocks took tickets earlier, to prefetch their tiles, scans took five times as long.) Therefore, too, the look-back
//! comes one tile later: by then the earlier sums are usually published, and it costs one round trip to the cache.
//!
//! # Why it is correct
//!
//! *Progress.* A tile waits only for tiles of lower numbers. The atomic counter gives a number to a block that is already
//! running, so a block waits only for blocks that run, whatever the order in which the device starts blocks, how many it
//! runs at a time, and how many there are. Running threads make progress independently of each other on the devices that
//! this schedule is for. A block has up to two tiles. It takes the later one after it has published the sum of the earlier
//! one, and handles them in the order of their numbers. Consider the lowest tile with an unpublished value: its block may
//! have to wait first, but only for this tile or an earlier tile of its own, so for values of lower tiles, which are
//! published. So it publishes the value, and by induction all values are published. Between taking its number and
//! publishing its sum, a block runs the user's statements and waits for nothing. A check that fails ends its iteration, not
//! the thread ([`crate::back::c::body::Leave::Iteration`]): the thread goes on to every barrier and shuffle, and publishes a sum,
//! although a wrong one; the launch fails when it has ended.
//!
//! *No torn or early values.* A published value is cut into words of 32 bits. Each is stored with a *tag*, the number of the
//! launch, in one store of 64 bits. Such a store is seen as a whole or not at all, and a reader takes a value when all its
//! words have the tag. So no accesses need to be ordered: there is no fence between value and flag, whatever the size of the
//! value, and relaxed accesses suffice. Each word is written once in a launch.
//!
//! *No values of other launches.* Launches of a queue follow one another. Each has its own number, which is stored above
//! the tickets in one word, so a block learns the number with its ticket. Each block takes tickets until it gets a number
//! beyond the last tile (or takes one ticket, if there are as many blocks as tiles). So the last ticket of all is known, and
//! the block that takes it sets the word for the next launch. Every word of the tiles is always zero or a tagged word of an
//! earlier launch, whatever the tiles of that launch were. So nothing is cleared between launches, except once in about a
//! billion launches, when the numbers start again: then the last block to finish clears the words.
//!
//! *The same result in every run.* 32 tiles are a group, and 32 groups are a part. The last tile of a group publishes the
//! sum of the group instead of its own, and the last tile of a part the sum of everything up to its end. A tile's prefix
//! is the part before, then the groups before its own, then the tiles before it in its group, each combined as in a warp.
//! The parentheses are the same in every run: timing decides nothing.
//!
//! *Operands keep their order*: lanes, warps, tiles, groups and parts are combined from left to right in the order of the
//! loop.
//!
//! *In place is safe.* A tile's elements are stored after the block has loaded them. No iteration accesses an element that
//! another one stores (the analysis proves it for the loop without its carried values), so tiles may be loaded before
//! lower ones are stored. No iteration stores the element before the first one, from which the first tile starts.
//!
//! # In a tile
//!
//! Each thread has `chunks` rows of `run` iterations, and the rows of a warp's lanes are contiguous. Arrays whose subscripts
//! are the loop variable plus a constant go through shared memory: if all do, there is one long row. So do elements that
//! are compacted ([`super::compaction`]).
use super::compaction::{self, Compaction};
use super::staging::{self, Of, Staged};
use super::three_launches;
use crate::back::Arg;
use crate::back::c::body::Body;
use crate::back::c::helpers;
use crate::back::c::operator;
use crate::back::c::operator::{Item, Shuffle};
use crate::back::c::strategy::reduction::reduce;
use omp_ir::ids::ArrayId;
use omp_ir::template::Stmt;

/// Writes the kernel.
pub(crate) fn write(
    body: &mut Body<'_, '_>,
    (run, chunks): (u32, u32),
    arrays: &[ArrayId],
    compacted: &[ArrayId],
) {
    let mut items = operator::items(body);
    three_launches::neutral(body, &mut items);
    body.define_items(&items, &[], &[Shuffle::Up, Shuffle::From]);
    let file = include_str!("../../../../templates/scan.cuh");
    let staged = if arrays.is_empty() { None } else { Some("staged") };
    for piece in staged.into_iter().chain(["relaxed", "look_back"]) {
        body.w.late.push('\n');
        body.w.late.push_str(helpers::find(file, piece).unwrap_or_default());
        body.w.late.push('\n');
    }
    let warps = body.w.schedule.block.iter().product::<u32>() / 32;
    let mut tile = Tile::new(body, items, run, chunks, warps, arrays);
    let (fold, seed, rest) = three_launches::parts(body.w.kernel, tile.items.len());

    tile.begin(body, arrays, compacted);
    let Names { older, newer, tiles, turn, .. } = &tile.n;
    body.out.open(format!("while ({newer} < {tiles} || {older} < {tiles}) {{"));
    body.out.line(format!("const u32 {} = {turn} % 2u, {} = 1u - {};", tile.n.now, tile.n.then, tile.n.now));
    tile.fold(body, fold);
    tile.publish(body, seed);
    tile.start(body);
    tile.rest(body, rest);
    tile.draw(body);
    tile.store(body);
    tile.turn(body);
    body.out.close("}");
    body.out.line(format!(
        "if (threadIdx.x == 0) scan_end({}, {}, {});",
        tile.n.head, tile.n.words, tile.n.launch
    ));
}

/// Names in the kernel.
struct Names {
    /// In shared memory: the ticket, what each warp adds up to, then starts from, for two tiles, and what the first tile
    /// starts from.
    drawn: String,
    of_warp: String,
    first: String,
    lane: String,
    warp: String,
    /// The range of iteration numbers (or of the loop variable's values) and where tiles begin.
    lo: String,
    hi: String,
    base: String,
    tiles: String,
    head: String,
    words: String,
    slots: String,
    launch: String,
    /// Blocks have one tile each; the last ticket; groups in memory begin where 16 bytes do.
    single: String,
    last: String,
    aligned: String,
    /// The tile that waits for what it starts from, the one drawn after it, and the next.
    older: String,
    newer: String,
    ticket: String,
    turn: String,
    now: String,
    then: String,
    /// Where the warp's part begins, and whether it is in the range as a whole.
    start: String,
    whole: String,
    /// The prefix of each run in its warp: of the newer tile and of the older one.
    mine: String,
    held: String,
    c: String,
    q: String,
    w: String,
}

impl Names {
    fn new(body: &mut Body<'_, '_>) -> Self {
        let mut name = |wish: &str| body.name(wish);
        Self {
            drawn: name("drawn"),
            of_warp: name("of_warp"),
            first: name("first_start"),
            lane: name("lane"),
            warp: name("warp"),
            lo: name("lo"),
            hi: name("hi"),
            base: name("base"),
            tiles: name("tile_count"),
            head: name("head"),
            words: name("words"),
            slots: name("slots"),
            launch: name("launch"),
            single: name("single"),
            last: name("last_ticket"),
            aligned: name("aligned"),
            older: name("older"),
            newer: name("newer"),
            ticket: name("ticket"),
            turn: name("turn"),
            now: name("now"),
            then: name("then"),
            start: name("start"),
            whole: name("whole"),
            mine: name("mine"),
            held: name("held"),
            c: name("c"),
            q: name("q"),
            w: name("w"),
        }
    }
}

/// A tile, and what moves in it.
struct Tile {
    items: Vec<(usize, Item)>,
    run: u32,
    chunks: u32,
    warps: u32,
    staged: Staged,
    compacted: Vec<Compaction>,
    n: Names,
}

/// Which statements of a tile.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    Fold,
    Rest,
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
        let n = Names::new(body);
        let staged = Staged::new(body, arrays, u64::from(run), u64::from(chunks));
        Self { items, run, chunks, warps, staged, compacted: Vec::new(), n }
    }

    /// Iterations are numbered by the values of the only loop variable.
    fn by_value(&self) -> bool {
        !self.staged.is_empty()
    }

    /// Iterations of a warp, and of the tile.
    fn per_warp(&self) -> u32 {
        32 * self.run * self.chunks
    }

    fn size(&self) -> u32 {
        self.warps * self.per_warp()
    }

    /// The names under which a tile is moved.
    fn of<'n>(&'n self, set: &'n str) -> Of<'n> {
        let Names { start, whole, lo, hi, lane, c, .. } = &self.n;
        Of { start, whole, lo, hi, set, lane, row: c }
    }

    /// The statements before the loop over tiles.
    fn begin(&mut self, body: &mut Body<'_, '_>, arrays: &[ArrayId], compacted: &[ArrayId]) {
        let Names { drawn, of_warp, first, lane, warp, lo, hi, base, tiles, head, words, .. } = &self.n;
        let Names { slots, launch, single, last, older, newer, turn, mine, held, .. } = &self.n;
        let Names { start, whole, then, c, .. } = &self.n;
        body.out.line(format!("__shared__ items {of_warp}[{}], {first};", 2 * self.warps));
        body.out.line(format!("__shared__ u64 {drawn};"));
        body.begin();
        body.out.line(format!("const u32 {lane} = threadIdx.x % 32u, {warp} = threadIdx.x / 32u;"));
        if self.by_value() {
            let (from, count) = (body.arg(Arg::DimFirst(0)), body.arg(Arg::DimCount(0)));
            body.out.line(format!("const i64 {lo} = {from}, {hi} = {lo} + (i64){count};"));
            let (origin, within) = (self.staged.origin, self.staged.step - 1);
            body.out.line(format!("const i64 {base} = {lo} - (({lo} + ({origin})) & {within});"));
            self.staged.declare(body, self.warps, warp);
            let places = staging::in_place(body.w.kernel, body.w.info, arrays, compacted);
            let of = Of { start, whole, lo, hi, set: then, lane, row: c };
            let staged = &mut self.staged;
            let in_place =
                |body: &mut Body<'_, '_>, k: usize| Some(staged.reuse_place(body, places[k]?, &of));
            let per_row = 32 * self.run;
            self.compacted =
                compaction::declare(body, compacted, &self.items, (self.warps, warp), per_row, in_place);
            body.out.line(format!("const bool {} = {};", self.n.aligned, self.staged.aligned()));
        } else {
            let total = body.total();
            body.out.line(format!("const i64 {lo} = 0, {hi} = (i64){total}, {base} = 0;"));
        }
        let size = self.size();
        body.out.line(format!("const u64 {tiles} = ((u64)({hi} - {base}) + {}) / {size};", size - 1));
        let memory = body.arg(Arg::Tiles);
        body.out.line(format!("scan_head* {head} = (scan_head*){memory};"));
        body.out.line(format!("u64* {words} = (u64*)({memory} + sizeof(scan_head));"));
        body.out.line(format!("const scan_slots {slots} = slots_of({words}, {tiles});"));
        // If there are as many blocks as tiles, each draws one ticket. Otherwise each draws tickets until no tile is left.
        body.out.line(format!("const bool {single} = gridDim.x >= {tiles};"));
        body.out.line(format!("const u64 {last} = ({single} ? 0 : {tiles}) + gridDim.x - 1;"));
        body.out.line(format!("if (threadIdx.x == 0) {drawn} = atomicAdd(&{head}->next, 1ull);"));
        body.out.line("__syncthreads();");
        body.out.line(format!("const u32 {launch} = (u32)({drawn} >> TICKET_BITS) + 1u;"));
        body.out.line(format!("u64 {newer} = {drawn} & ((1ull << TICKET_BITS) - 1), {older} = {tiles};"));
        self.drawn(body, newer);
        body.out.line(format!("items {mine}[{0}], {held}[{0}];", self.chunks));
        body.out.line(format!("u32 {turn} = 0;"));
        self.load(body, "0u");
    }

    /// Sends for the newer tile.
    fn load(&self, body: &mut Body<'_, '_>, set: &str) {
        if self.staged.is_empty() {
            return;
        }
        let Names { newer, tiles, .. } = &self.n;
        body.out.open(format!("if ({newer} < {tiles}) {{"));
        self.place(body, newer);
        self.staged.load(body, &self.of(set));
        body.out.close("}");
    }

    /// Looks whether a ticket was the last one.
    fn drawn(&self, body: &mut Body<'_, '_>, ticket: &str) {
        let Names { head, words, slots, launch, last, .. } = &self.n;
        body.out.line(format!(
            "if (threadIdx.x == 0) scan_drawn({head}, {ticket}, {last}, {launch}, {slots}.end - {words});"
        ));
    }

    /// Where a tile lies.
    fn place(&self, body: &mut Body<'_, '_>, tile: &str) {
        let Names { start, whole, base, warp, lo, hi, aligned, .. } = &self.n;
        let (size, per_warp) = (self.size(), self.per_warp());
        body.out.line(format!("const i64 {start} = {base} + (i64)({tile} * {size} + {warp} * {per_warp}u);"));
        let aligned = if self.by_value() { format!("{aligned} && ") } else { String::new() };
        body.out
            .line(format!("const bool {whole} = {aligned}{start} >= {lo} && {start} + {per_warp} <= {hi};"));
    }

    /// The iterations of row `c` of the thread, with and without a look at the range.
    fn iterations(&self, body: &mut Body<'_, '_>, stmts: &[Stmt], pass: Pass) {
        let set = if pass == Pass::Fold { &self.n.now } else { &self.n.then };
        self.staged.begin(body, &self.of(set), pass == Pass::Rest);
        if self.staged.is_empty() {
            self.pieces(body, stmts, pass, true);
            return;
        }
        let mut whole = self.n.whole.clone();
        if pass == Pass::Rest {
            for fits in self.compacted.iter().filter_map(Compaction::fits) {
                whole = format!("{whole} && {fits}");
            }
        }
        body.out.open(format!("if ({whole}) {{"));
        self.pieces(body, stmts, pass, false);
        body.out.close("} else {");
        body.out.depth += 1;
        self.pieces(body, stmts, pass, true);
        body.out.close("}");
    }

    /// The loops over the thread's pieces and over the iterations of each.
    fn pieces(&self, body: &mut Body<'_, '_>, stmts: &[Stmt], pass: Pass, guarded: bool) {
        let Names { lo, hi, start, whole, lane, now, then, c, q, w, .. } = &self.n;
        let of = self.of(if pass == Pass::Fold { now } else { then });
        let piece = if self.staged.is_empty() { self.run } else { self.staged.piece as u32 };
        if !self.staged.is_empty() {
            if pass == Pass::Rest {
                self.staged.hold(body, q);
            }
            body.out.line(if guarded { "#pragma unroll 1" } else { "#pragma unroll" });
            body.out.open(format!("for (u32 {q} = 0; {q} < {}u; {q}++) {{", self.run / piece));
            self.staged.take(body, q, pass == Pass::Rest);
            self.staged.use_registers(body, w);
            if pass == Pass::Rest {
                self.compacted.iter().for_each(|p| p.use_row(body, !guarded));
            }
        }
        body.out.line("#pragma unroll");
        body.out.open(format!("for (u32 {w} = 0; {w} < {piece}u; {w}++) {{"));
        let t = body.name("t");
        let row = if self.staged.is_empty() {
            format!("{c} * {}u", 32 * self.run)
        } else {
            let before = if self.chunks > 1 { format!("{c} * {}u + ", 32 * self.run) } else { String::new() };
            format!("{before}{q} * {piece}u")
        };
        body.out.line(format!("const i64 {t} = {start} + ({lane} * {}u + {row} + {w});", self.run));
        if guarded {
            let low = if self.by_value() { format!("{t} < {lo} || ") } else { String::new() };
            body.out.line(format!("if (!{whole} && ({low}{t} >= {hi})) continue;"));
        }
        if self.by_value() {
            let dim = &body.w.kernel.template.dims[0];
            let ty = if body.narrow[dim.var.index()] { "i32" } else { helpers::c_name(body.dim_prim(dim)) };
            let name = body.locals[dim.var.index()].clone();
            body.out.line(format!("const {ty} {name} = ({ty}){t};"));
        } else {
            let counter = body.counter();
            body.declare_dims_from(&format!("({counter}){t}"));
        }
        body.iteration_of(stmts);
        body.out.close("}");
        if !self.staged.is_empty() {
            if pass == Pass::Rest {
                self.staged.store_results(body, &of, q);
            }
            body.out.close("}");
            body.registers.clear();
            body.fitting.clear();
        }
    }

    /// Opens the loop over the thread's rows.
    fn open_chunks(&self, body: &mut Body<'_, '_>) {
        let (c, chunks) = (&self.n.c, self.chunks);
        body.out.line("#pragma unroll");
        body.out.open(format!("for (u32 {c} = 0; {c} < {chunks}u; {c}++) {{"));
    }

    /// The sum of each run of the newer tile, then its prefix in the warp, and the sum of the warp.
    fn fold(&self, body: &mut Body<'_, '_>, fold: &[Stmt]) {
        let Names { newer, tiles, mine, now, c, lane, warp, of_warp, .. } = &self.n;
        body.out.open(format!("if ({newer} < {tiles}) {{"));
        self.place(body, newer);
        if !self.staged.is_empty() {
            body.out.line("copies_done();");
            body.out.line("__syncwarp();");
        }
        self.open_chunks(body);
        three_launches::declare(body, &self.items, |item| item.start.clone());
        self.iterations(body, fold, Pass::Fold);
        for (k, item) in &self.items {
            body.out.line(format!("{mine}[{c}].v{k} = {};", item.local));
        }
        if self.items.is_empty() {
            body.out.line(format!("{mine}[{c}] = identity();"));
        }
        body.out.close("}");
        let (cx, sum, upto, left, chunk) =
            (body.context_arg(), body.name("sum"), body.name("upto"), body.name("left"), body.name("chunk"));
        body.out.line(format!("items {sum} = identity();"));
        self.open_chunks(body);
        body.out.line(format!("const items {upto} = scan_warp({cx}{mine}[{c}]);"));
        body.out.line(format!("items {left} = shuffle_up({upto}, 1u);"));
        body.out.line(format!("if ({lane} == 0u) {left} = identity();"));
        body.out.line(format!("const items {chunk} = shuffle_from({upto}, 31u);"));
        body.out.line(format!("{mine}[{c}] = {c} == 0u ? {left} : combine({cx}{sum}, {left});"));
        body.out.line(format!("{sum} = {c} == 0u ? {chunk} : combine({cx}{sum}, {chunk});"));
        body.out.close("}");
        let count = self.warps;
        body.out.line(format!("if ({lane} == 0u) {of_warp}[{now} * {count}u + {warp}] = {sum};"));
        body.out.close("}");
        body.out.line("__syncthreads();");
    }

    /// The inclusive prefix sums of a tile's warps, under this name: by all lanes of a warp.
    fn warps(&self, body: &mut Body<'_, '_>, set: &str) -> String {
        let Names { lane, of_warp, .. } = &self.n;
        let (cx, upto, count) = (body.context_arg(), body.name("upto"), self.warps);
        body.out.line(format!(
            "const items {upto} = scan_warp({cx}{lane} < {count}u ? {of_warp}[{set} * {count}u + {lane}] : identity());"
        ));
        upto
    }

    /// Publishes the sum of the newer tile, and that of its group.
    fn publish(&self, body: &mut Body<'_, '_>, seed: &[Stmt]) {
        let Names { newer, tiles, now, warp, lane, slots, launch, first, .. } = &self.n;
        let (cx, all, begins) = (body.context_arg(), body.name("all"), body.name("begins"));
        let group = body.name("ends_group");
        body.out.line(format!("const bool {group} = {newer} % 32 == 31 && {newer} + 1 < {tiles};"));
        let other = 1 % self.warps;
        body.out
            .open(format!("if ({newer} < {tiles} && ({warp} == 0u || ({warp} == {other}u && {group}))) {{"));
        let upto = self.warps(body, now);
        body.out.line(format!("items {all} = shuffle_from({upto}, {}u);", self.warps - 1));
        body.out.open(format!("if ({newer} == 0) {{"));
        body.out.line(format!("items {begins} = identity();"));
        body.out.open(format!("if ({lane} == 0u) {{"));
        three_launches::first(body, &self.items, seed);
        for (k, item) in &self.items {
            body.out.line(format!("{begins}.v{k} = {};", item.local));
        }
        body.out.line(format!("{first} = {begins};"));
        body.out.close("}");
        body.out.line(format!("{all} = combine({cx}shuffle_from({begins}, 0u), {all});"));
        body.out.close("}");
        body.out.line(format!("if ({warp} == 0u) publish_tile({slots}, {newer}, {launch}, {all});"));
        body.out.line(format!(
            "if ({warp} == {other}u && {group}) publish_group({cx}{slots}, {newer}, {launch}, {all});"
        ));
        body.out.close("}");
    }

    /// The starting value of each warp of the older tile.
    fn start(&self, body: &mut Body<'_, '_>) {
        let Names { older, tiles, then, warp, lane, slots, launch, first, of_warp, .. } = &self.n;
        let (cx, left, from, count) = (body.context_arg(), body.name("left"), body.name("from"), self.warps);
        body.out.open(format!("if ({older} < {tiles} && {warp} == {}u) {{", 2 % self.warps));
        let upto = self.warps(body, then);
        body.out.line(format!("const items {left} = shuffle_up({upto}, 1u);"));
        body.out.line(format!(
            "const items {from} = {older} == 0 ? {first} : look_back({cx}{slots}, {older}, {launch});"
        ));
        body.out.line("__syncwarp();");
        body.out.line(format!(
            "if ({lane} < {count}u) \
             {of_warp}[{then} * {count}u + {lane}] = {lane} == 0u ? {from} : combine({cx}{from}, {left});"
        ));
        body.out.close("}");
        body.out.line("__syncthreads();");
    }

    /// The iterations of the older tile.
    fn rest(&self, body: &mut Body<'_, '_>, rest: &[Stmt]) {
        let Names { older, newer, tiles, then, head, single, ticket, .. } = &self.n;
        let Names { start, lo, hi, held, c, lane, warp, of_warp, .. } = &self.n;
        body.out.line(format!("u64 {ticket} = {tiles};"));
        body.out.line(format!(
            "if (!{single} && {newer} < {tiles} && threadIdx.x == {}u) \
             {ticket} = atomicAdd(&{head}->next, 1ull) & ((1ull << TICKET_BITS) - 1);",
            32 * self.warps - 1
        ));
        body.out.open(format!("if ({older} < {tiles}) {{"));
        self.place(body, older);
        let (cx, from, last) = (body.context_arg(), body.name("from"), body.name("last"));
        self.open_chunks(body);
        // The run with the first iteration of all has nothing before it: it starts from what the loop does, bit by bit.
        let mine = format!("{of_warp}[{then} * {}u + {warp}]", self.warps);
        let own = format!("{start} + {lane} * {}u + {c} * {}u", self.run, 32 * self.run);
        let mut first = format!("({c} == 0u && {lane} == 0u)");
        if self.by_value() {
            first += &format!(" || {own} <= {lo}");
        }
        body.out.line(format!("const items {from} = {first} ? {mine} : combine({cx}{mine}, {held}[{c}]);"));
        let mut ks = self.items.iter().map(|(k, _)| *k).collect::<Vec<_>>().into_iter();
        three_launches::declare(body, &self.items, |_| format!("{from}.v{}", ks.next().unwrap_or_default()));
        self.compacted.iter().for_each(|p| p.begin(body));
        self.iterations(body, rest, Pass::Rest);
        self.compacted.iter().for_each(|p| p.end(body, &from, lane));
        // The thread with the last iteration has the last values.
        body.out.open(format!("if ({own} < {hi} && {hi} - ({own}) <= {}) {{", self.run));
        three_launches::collect(body, &self.items, &last);
        reduce::store_results(body, &self.items, &last);
        body.out.close("}");
        body.out.close("}");
        body.out.close("}");
    }

    /// The block learns which tile is next.
    fn draw(&self, body: &mut Body<'_, '_>) {
        let Names { newer, tiles, single, ticket, drawn, .. } = &self.n;
        body.out.open(format!("if ({newer} < {tiles}) {{"));
        body.out.line(format!("if (threadIdx.x == {}u) {drawn} = {ticket};", 32 * self.warps - 1));
        body.out.line("__syncthreads();");
        body.out.line(format!("{ticket} = {drawn};"));
        body.out.open(format!("if (!{single}) {{"));
        self.drawn(body, ticket);
        body.out.close("}");
        body.out.close("}");
    }

    /// Stores the elements of the older tile.
    fn store(&self, body: &mut Body<'_, '_>) {
        if self.staged.is_empty() {
            return;
        }
        let Names { older, tiles, then, .. } = &self.n;
        body.out.open(format!("if ({older} < {tiles}) {{"));
        self.place(body, older);
        body.out.line("__syncwarp();");
        self.staged.store(body, &self.of(then));
        body.out.line("__syncwarp();");
        body.out.close("}");
    }

    /// The newer tile becomes the older one.
    fn turn(&self, body: &mut Body<'_, '_>) {
        let Names { older, newer, ticket, turn, mine, held, c, then, .. } = &self.n;
        body.out.line(format!("{older} = {newer};"));
        body.out.line(format!("{newer} = {ticket};"));
        body.out.line(format!("{turn}++;"));
        self.open_chunks(body);
        body.out.line(format!("{held}[{c}] = {mine}[{c}];"));
        body.out.close("}");
        self.load(body, then);
    }
}
