//! Reductions: one kernel, no atomics on values, the same result in every run.
//!
//! Each thread reduces its iterations in registers. A floating-point sum of a chunk starts from zero and is added to the sum of
//! the chunks before, in groups of eight and groups of eight groups. The additions of several chunks overlap, and errors stay
//! near those of a tree. If a block is one thread, with many chunks, they are added pairwise: level `l` holds the sum of `2^l`
//! chunks if bit `l` of the number of chunks is set. Then the block combines its threads, and the last block to finish combines
//! the blocks (`templates/reduce.*`).
use super::tiles::Tiles;
use crate::back::c::body::Body;
use crate::back::c::operator;
use crate::back::c::strategy::vector::{Around, Chunks};
use crate::back::{Arg, Dialect};

/// Levels of a pairwise sum: more than chunks have bits.
const LEVELS: u32 = 56;

/// A reduction item in the kernel.
struct Item {
    /// Its position among the reductions.
    k: usize,
    of: operator::Item,
    /// Of a sum of floats: that of all chunks.
    all: Option<String>,
    /// The levels of a pairwise sum.
    levels: String,
    /// The sums since this thread last combined its parts (of a sum that several threads share).
    parts: [String; 2],
}

/// How a block's iterations are laid out.
pub(crate) enum Loop {
    Chunks(Chunks),
    Tiles(Tiles),
}

/// Writes the kernel.
pub(crate) fn write(body: &mut Body<'_, '_>, iterations: impl FnOnce(&mut Body<'_, '_>) -> Loop) {
    let (items, shared_items, flag) = begin(body);
    let mut sums = ChunkSums::declare(body, items);
    match iterations(body) {
        Loop::Chunks(chunks) => chunks.write(body, &mut sums),
        Loop::Tiles(tiles) => tiles.write(body, &mut sums),
    }
    sums.total(body);
    finish(body, &sums.items, &shared_items, &flag, false);
}

/// The items, and the names of what threads share: items and a flag.
fn begin(body: &mut Body<'_, '_>) -> (Vec<Item>, String, String) {
    let items = operator::items(body);
    let block = pieces(body);
    body.define_items(&items, &[block, "grid"], shuffles(block));
    let items: Vec<Item> = items.into_iter().map(|(k, of)| item(body, k, of)).collect();
    let [x, y, z] = body.w.schedule.block;
    let shared = body.w.syntax.shared;
    let (shared_items, flag) = (body.name("shared_items"), body.name("shared_flag"));
    let slots = if by_warps(body) { 32 } else { x * y * z };
    body.out.line(format!("{shared}items {shared_items}[{slots}];"));
    body.out.line(format!("{shared}u32 {flag};"));
    body.begin();
    (items, shared_items, flag)
}

/// Writes a kernel for teams. All threads of a team have the same values of the items; those of thread 0 count.
pub(crate) fn write_teams(body: &mut Body<'_, '_>) {
    let (items, shared_items, flag) = begin(body);
    let total = body.total();
    let mut sums = ChunkSums::declare(body, items);
    crate::back::c::kernel::teams_around(body, &total, &mut sums);
    sums.total(body);
    finish(body, &sums.items, &shared_items, &flag, true);
}

fn item(body: &mut Body<'_, '_>, k: usize, of: operator::Item) -> Item {
    let sum = of.reducer.is_float_sum();
    let all = sum.then(|| body.name(&format!("{}_all", of.local)));
    let levels = body.name(&format!("{}_levels", of.local));
    let parts = ["part", "parts"].map(|part| body.name(&format!("{}_{part}", of.local)));
    Item { k, of, all, levels, parts }
}

/// How the threads of a block combine: a piece of the templates.
pub(in crate::back::c) fn pieces(body: &Body<'_, '_>) -> &'static str {
    match body.w.syntax.dialect {
        Dialect::Cuda if by_warps(body) => "warps",
        Dialect::OpenCl if is_single(body) => "single",
        Dialect::Cuda | Dialect::OpenCl => "tree",
    }
}

/// How such threads fetch each other's items.
pub(in crate::back::c) fn shuffles(block: &str) -> &'static [operator::Shuffle] {
    if block == "warps" { &[operator::Shuffle::Down] } else { &[] }
}

/// Adds the sums of chunks up.
struct ChunkSums {
    items: Vec<Item>,
    /// The number of chunks so far.
    turn: Option<String>,
    /// They are added pairwise.
    pairwise: bool,
}

impl ChunkSums {
    /// Declares what a thread has before its first iteration.
    fn declare(body: &mut Body<'_, '_>, items: Vec<Item>) -> Self {
        let pairwise = is_single(body) && items.iter().any(|i| i.all.is_some());
        let cascade = !pairwise && items.iter().any(|i| i.all.is_some());
        for Item { of, all, levels, parts, .. } in &items {
            if cascade && all.is_some() {
                let [part, parts] = parts;
                body.out.line(format!("{} {part} = {}, {parts} = {};", of.ty, of.identity, of.identity));
            }
            match all {
                Some(_) if pairwise => body.out.line(format!("{} {levels}[{LEVELS}];", of.ty)),
                _ => {
                    let name = all.as_ref().unwrap_or(&of.local);
                    body.out.line(format!("{} {name} = {};", of.ty, of.start));
                }
            }
        }
        let turn = (pairwise || cascade).then(|| {
            let (turn, c) = (body.name("turn"), if pairwise { "u64" } else { "u32" });
            body.out.line(format!("{c} {turn} = 0;"));
            turn
        });
        Self { items, turn, pairwise }
    }

    /// `to = to + what`
    fn add(body: &mut Body<'_, '_>, of: &operator::Item, to: &str, what: &str) {
        let sum = body.combine(&of.reducer, to, what, "&cx");
        body.out.line(format!("{to} = {};", crate::back::c::expr::bare(&sum)));
    }

    /// Adds the chunk to as many levels as end with it.
    fn add_pairwise(&self, body: &mut Body<'_, '_>, turn: &str) {
        let (level, bits) = (body.name("level"), body.name("bits"));
        for Item { of, all, levels, .. } in &self.items {
            let (Some(_), local) = (all, &of.local) else { continue };
            let sum = body.combine(&of.reducer, &format!("{levels}[{level}]"), local, "&cx");
            body.out.open("{");
            body.out.line(format!("u32 {level} = 0u;"));
            body.out.open(format!("for (u64 {bits} = {turn}; {bits} & 1; {bits} >>= 1) {{"));
            body.out.line(format!("{local} = {};", crate::back::c::expr::bare(&sum)));
            body.out.line(format!("{level}++;"));
            body.out.close("}");
            body.out.line(format!("{levels}[{level}] = {local};"));
            body.out.close("}");
        }
        body.out.line(format!("{turn}++;"));
    }

    /// Declares the sums of all levels.
    fn total(&self, body: &mut Body<'_, '_>) {
        let Some(turn) = &self.turn else { return };
        if !self.pairwise {
            for Item { of, all, parts: [part, parts], .. } in &self.items {
                let Some(all) = all else { continue };
                Self::add(body, of, parts, part);
                Self::add(body, of, all, parts);
            }
            return;
        }
        let (level, bits) = (body.name("level"), body.name("bits"));
        for Item { of, all, levels, .. } in &self.items {
            let Some(all) = all else { continue };
            let sum = body.combine(&of.reducer, &format!("{levels}[{level}]"), all, "&cx");
            body.out.line(format!("{} {all} = {};", of.ty, of.identity));
            body.out.open("{");
            body.out.line(format!("u32 {level} = 0u;"));
            body.out.open(format!("for (u64 {bits} = {turn}; {bits} != 0; {bits} >>= 1) {{"));
            body.out.line(format!("if ({bits} & 1) {all} = {};", crate::back::c::expr::bare(&sum)));
            body.out.line(format!("{level}++;"));
            body.out.close("}");
            body.out.close("}");
        }
    }
}

impl Around for ChunkSums {
    fn is_needed(&self) -> bool {
        self.items.iter().any(|i| i.all.is_some())
    }

    fn before(&mut self, body: &mut Body<'_, '_>) {
        for Item { of, .. } in self.items.iter().filter(|i| i.all.is_some()) {
            body.declare_item(of);
        }
    }

    fn after(&mut self, body: &mut Body<'_, '_>) {
        let Some(turn) = &self.turn else { return };
        if self.pairwise {
            return self.add_pairwise(body, turn);
        }
        let sums = || self.items.iter().filter_map(|i| Some((&i.of, i.all.as_ref()?, &i.parts)));
        for (of, _, [part, _]) in sums() {
            Self::add(body, of, part, &of.local);
        }
        body.out.open(format!("if ((++{turn} & 7u) == 0u) {{"));
        for (of, _, [part, parts]) in sums() {
            Self::add(body, of, parts, part);
            body.out.line(format!("{part} = {};", of.identity));
        }
        body.out.open(format!("if (({turn} & 63u) == 0u) {{"));
        for (of, all, [_, parts]) in sums() {
            Self::add(body, of, all, parts);
            body.out.line(format!("{parts} = {};", of.identity));
        }
        body.out.close("}");
        body.out.close("}");
    }
}

/// A block is one thread.
pub(in crate::back::c) fn is_single(body: &Body<'_, '_>) -> bool {
    body.w.schedule.block.iter().product::<u32>() == 1
}

/// A block of whole warps, which exchange values without memory.
pub(in crate::back::c) fn by_warps(body: &Body<'_, '_>) -> bool {
    body.w.syntax.dialect == Dialect::Cuda && body.w.schedule.block.iter().product::<u32>().is_multiple_of(32)
}

/// From the threads' values to the results. `alike`: the values of all threads of a block are the same.
fn finish(body: &mut Body<'_, '_>, items: &[Item], shared_items: &str, flag: &str, alike: bool) {
    let mine = body.name("mine");
    body.out.line(format!("items {mine};"));
    for item in items {
        let value = item.all.as_ref().unwrap_or(&item.of.local);
        body.out.line(format!("{mine}.v{} = {};", item.k, crate::back::c::expr::bare(value)));
    }
    if alike {
        body.out.line(format!("if ({} != 0) {mine} = identity();", body.w.syntax.thread_id(0)));
    }
    let all: Vec<_> = items.iter().map(|i| (i.k, i.of.clone())).collect();
    finish_grid(body, &all, &mine, shared_items, flag);
}

/// From the items of all threads, in `mine`, to the results.
pub(in crate::back::c) fn finish_grid(
    body: &mut Body<'_, '_>,
    items: &[(usize, operator::Item)],
    mine: &str,
    shared_items: &str,
    flag: &str,
) {
    let (partials, ticket) = (body.arg(Arg::Partials), body.arg(Arg::Ticket));
    let cx = body.context_arg();
    body.out.open(format!("if (reduce_grid({cx}&{mine}, {partials}, {ticket}, {shared_items}, &{flag})) {{"));
    store_results(body, items, mine);
    body.out.close("}");
}

/// Stores the items in the results.
pub(in crate::back::c) fn store_results(
    body: &mut Body<'_, '_>,
    items: &[(usize, operator::Item)],
    mine: &str,
) {
    let (places, _) = body.w.kernel.result_places();
    let (result, global) = (body.arg(Arg::Result), body.w.syntax.global);
    for (k, item) in items {
        body.out.line(format!("*({global}{}*)({result} + {}) = {mine}.v{k};", item.ty, places[*k]));
    }
}
