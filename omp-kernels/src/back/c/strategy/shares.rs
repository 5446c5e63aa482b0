//! Contiguous shares: the iterations of each thread or warp, in the order of the threads.
use crate::back::c::body::Body;

/// The names of a worker's share: its number among all workers, and the iterations or groups of iterations `first..end`.
pub(crate) struct Share {
    pub worker: String,
    pub workers: String,
    pub first: String,
    pub end: String,
}

/// Declares the number of the thread in the grid, and the number of threads.
pub(crate) fn number(body: &mut Body<'_, '_>, [worker, workers]: [&str; 2]) {
    let s = body.w.syntax;
    let threads: u32 = body.w.schedule.block.iter().product();
    body.out.line(format!("const u64 {workers} = (u64){} * {threads}u;", s.blocks(0)));
    body.out.line(format!("const u64 {worker} = (u64){} * {threads}u + {};", s.block_id(0), s.thread_id(0)));
}

/// Declares a thread's share: all have equally many iterations, but those at the end.
pub(crate) fn of_thread(body: &mut Body<'_, '_>) -> Share {
    let [worker, workers, each, first, end] =
        ["worker", "workers", "each", "from", "to"].map(|name| body.name(name));
    number(body, [&worker, &workers]);
    equal(body, [&worker, &workers, &each, &first, &end]);
    Share { worker, workers, first, end }
}

/// Declares the iterations `from..to` of a worker: all have equally many, but those at the end.
pub(crate) fn equal(body: &mut Body<'_, '_>, [worker, workers, each, from, to]: [&str; 5]) {
    let total = body.total();
    body.out.line(format!("const u64 {each} = {total} / {workers} + ({total} % {workers} != 0);"));
    body.out.line(format!("const u64 {from} = {worker} * {each};"));
    body.out.line(format!("const u64 {to} = {from} + {each} < {total} ? {from} + {each} : {total};"));
}

/// Declares the groups `first..end` of a worker, of `span` iterations each: the counts of two workers differ by at most one.
pub(crate) fn balanced(
    body: &mut Body<'_, '_>,
    (total, span): (&str, u32),
    [worker, workers]: [&str; 2],
    [groups, each, rest, first, end]: [&str; 5],
) {
    body.out.line(format!("const u64 {groups} = ({total} + {}) / {span};", span - 1));
    body.out.line(format!("const u64 {each} = {groups} / {workers}, {rest} = {groups} % {workers};"));
    body.out
        .line(format!("const u64 {first} = {worker} * {each} + ({worker} < {rest} ? {worker} : {rest});"));
    body.out.line(format!("const u64 {end} = {first} + {each} + ({worker} < {rest} ? 1 : 0);"));
}
