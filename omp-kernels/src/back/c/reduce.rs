//! Reductions: one kernel, no atomics on values, the same result in every run.
//!
//! Each thread reduces its iterations in registers. A floating-point sum of a chunk starts anew and is added to that of
//! the chunks before: the additions of several chunks overlap, and the error grows with the number of chunks. Then the
//! block combines its threads, and the last block to finish combines the blocks (`templates/reduce.*`).
use super::body::Body;
use super::operator;
use super::tiles::Tiles;
use super::vector::{Around, Chunks};
use crate::back::{Arg, Dialect};

/// A reduction item in the kernel.
struct Item {
    /// Its position among the reductions.
    k: usize,
    of: operator::Item,
    /// Of a sum of floats: that of all chunks.
    all: Option<String>,
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
    finish(body, &sums.0, &shared_items, &flag, false);
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
    super::kernel::teams_around(body, &total, &mut sums);
    finish(body, &sums.0, &shared_items, &flag, true);
}

fn item(body: &mut Body<'_, '_>, k: usize, of: operator::Item) -> Item {
    let sum = of.reducer.is_float_sum();
    let all = sum.then(|| body.name(&format!("{}_all", of.local)));
    Item { k, of, all }
}

/// How the threads of a block combine: a piece of the templates.
pub(super) fn pieces(body: &Body<'_, '_>) -> &'static str {
    match body.w.syntax.dialect {
        Dialect::Cuda if by_warps(body) => "warps",
        Dialect::OpenCl if is_single(body) => "single",
        Dialect::Cuda | Dialect::OpenCl => "tree",
    }
}

/// How such threads fetch each other's items.
pub(super) fn shuffles(block: &str) -> &'static [operator::Shuffle] {
    if block == "warps" { &[operator::Shuffle::Down] } else { &[] }
}

/// Adds the sums of chunks up.
struct ChunkSums(Vec<Item>);

impl ChunkSums {
    /// Declares what a thread has before its first iteration.
    fn declare(body: &mut Body<'_, '_>, items: Vec<Item>) -> Self {
        for Item { of, all, .. } in &items {
            let name = all.as_ref().unwrap_or(&of.local);
            body.out.line(format!("{} {name} = {};", of.ty, of.start));
        }
        Self(items)
    }
}

impl Around for ChunkSums {
    fn is_needed(&self) -> bool {
        self.0.iter().any(|i| i.all.is_some())
    }

    fn before(&mut self, body: &mut Body<'_, '_>) {
        for Item { of, .. } in self.0.iter().filter(|i| i.all.is_some()) {
            body.declare_item(of);
        }
    }

    fn after(&mut self, body: &mut Body<'_, '_>) {
        for Item { of, all, .. } in &self.0 {
            let Some(all) = all else { continue };
            let sum = body.combine(&of.reducer, all, &of.local, "&cx");
            body.out.line(format!("{all} = {};", super::expr::bare(&sum)));
        }
    }
}

/// A block is one thread.
pub(super) fn is_single(body: &Body<'_, '_>) -> bool {
    body.w.schedule.block.iter().product::<u32>() == 1
}

/// A block of whole warps, which exchange values without memory.
pub(super) fn by_warps(body: &Body<'_, '_>) -> bool {
    body.w.syntax.dialect == Dialect::Cuda && body.w.schedule.block.iter().product::<u32>().is_multiple_of(32)
}

/// From the threads' values to the results. `alike`: the values of all threads of a block are the same.
fn finish(body: &mut Body<'_, '_>, items: &[Item], shared_items: &str, flag: &str, alike: bool) {
    let mine = body.name("mine");
    body.out.line(format!("items {mine};"));
    for item in items {
        let value = item.all.as_ref().unwrap_or(&item.of.local);
        body.out.line(format!("{mine}.v{} = {};", item.k, super::expr::bare(value)));
    }
    if alike {
        body.out.line(format!("if ({} != 0) {mine} = identity();", body.w.syntax.thread_id(0)));
    }
    let all: Vec<_> = items.iter().map(|i| (i.k, i.of.clone())).collect();
    finish_grid(body, &all, &mine, shared_items, flag);
}

/// From the items of all threads, in `mine`, to the results.
pub(super) fn finish_grid(
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

/// Leaves the items in the results.
pub(super) fn store_results(body: &mut Body<'_, '_>, items: &[(usize, operator::Item)], mine: &str) {
    let (places, _) = body.w.kernel.result_places();
    let (result, global) = (body.arg(Arg::Result), body.w.syntax.global);
    for (k, item) in items {
        body.out.line(format!("*({global}{}*)({result} + {}) = {mine}.v{k};", item.ty, places[*k]));
    }
}
