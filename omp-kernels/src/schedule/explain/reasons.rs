//! The reasons of a schedule. The functions that decide record them, with the numbers that decided, if the request has a place for
//! them.
use crate::schedule::Request;
use omp_ir::ids::{AccessId, ArrayId};
use omp_ir::kernel::Kernel;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// What a reason speaks of: a step of a schedule, one that is not taken, or what its user could do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum About {
    /// How iterations go to threads.
    Strategy,
    Block,
    Cover,
    /// Iterations of a thread in unroll and jam.
    UnrollAndJam,
    /// Accesses of several elements.
    Wide,
    InFlight,
    /// Memory that the threads of a block share.
    Shared,
    /// Windows that threads load without it.
    Direct,
    /// Memory that a device broadcasts.
    Constant,
    /// Registers are limited.
    Resident,
    Registers,
    /// Threads that have the same iterations.
    Replicas,
    Chunks,
    Band,
    Matrix,
    Pipeline,
    Store,
    Parallelised,
    /// The iterations away from the borders of a nest.
    Interior,
    Jam,
    /// Elements that loops carry in registers.
    Carried,
    Interchanged,
    Coalesced,
    /// Bounds of loops that depend on other loops.
    Limits,
    Unroll,
    Aligned,
    Staged,
    /// Arrays of iterations in shared memory.
    Interleaved,
    /// Loads of later iterations.
    Ahead,
    /// Stores after all iterations of a short loop.
    Late,
    /// Sizes that are numbers in the text.
    Sizes,
    Index32,
    Checks,
    Claims,
    Overflow,
    /// It is not the model's choice.
    Searched,
    /// A step that was thought of, by its name, and is not taken.
    Without(&'static str),
    /// What would make the region faster.
    Faster,
}

/// The reasons of a choice, in the order in which they were given.
#[derive(Debug, Default)]
pub struct Reasons(RefCell<Vec<(About, String)>>);

impl Reasons {
    /// The last reason that was given for a step.
    #[must_use]
    pub fn of(&self, about: About) -> Option<String> {
        self.0.borrow().iter().rev().find(|(of, _)| *of == about).map(|(_, why)| why.clone())
    }

    /// The steps that were not taken, and why.
    #[must_use]
    pub fn without(&self) -> Vec<(&'static str, String)> {
        let mut found: Vec<(&'static str, String)> = Vec::new();
        for (about, why) in self.0.borrow().iter() {
            if let About::Without(what) = about {
                found.retain(|(other, _)| other != what);
                found.push((what, why.clone()));
            }
        }
        found
    }

    /// What would make the region faster.
    #[must_use]
    pub fn faster(&self) -> Vec<String> {
        let all = self.0.borrow();
        all.iter().filter(|(about, _)| *about == About::Faster).map(|(_, why)| why.clone()).collect()
    }
}

impl Request<'_> {
    /// Records a reason, if the request has a place for reasons.
    pub(in crate::schedule) fn why(&self, about: About, text: impl FnOnce() -> String) {
        if let Some(reasons) = self.reasons {
            let text = text();
            reasons.0.borrow_mut().push((about, text));
        }
    }

    /// The same of a decision that wants no numbers.
    pub(in crate::schedule) fn because(&self, about: About, text: &str) {
        self.why(about, || text.to_owned());
    }
}

/// `` `a` and `b` ``
pub(in crate::schedule) fn names<'a>(
    kernel: &Kernel,
    arrays: impl IntoIterator<Item = &'a ArrayId>,
) -> String {
    let arrays: BTreeSet<_> = arrays.into_iter().collect();
    let name = |a: &&ArrayId| format!("`{}`", kernel.template.arrays[a.index()].name);
    all(&arrays.iter().map(name).collect::<Vec<_>>())
}

/// `a, b and c`
pub(in crate::schedule) fn all(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// The loop variable of a dimension.
pub(in crate::schedule) fn variable(kernel: &Kernel, dim: usize) -> String {
    let template = &kernel.template;
    template
        .dims
        .get(dim)
        .map_or_else(|| "?".into(), |d| format!("`{}`", template.code.locals[d.var.index()].name))
}

/// Subscripts with their lines: `` `x[…]` in line 7 ``.
pub(in crate::schedule) fn subscripts<'a>(
    kernel: &Kernel,
    of: impl IntoIterator<Item = &'a AccessId>,
) -> String {
    let code = &kernel.body.code;
    let mut found: Vec<String> = Vec::new();
    for access in of {
        let access = &code.accesses[access.index()];
        let line = code
            .srcs
            .get(access.src.index())
            .map_or_else(String::new, |src| format!(" in line {}", src.line));
        let text = format!("`{}[…]`{line}", access.name);
        if !found.contains(&text) {
            found.push(text);
        }
    }
    all(&found)
}

/// `12 KiB`
pub(in crate::schedule) fn bytes(n: u64) -> String {
    match n {
        0..1024 => format!("{n} bytes"),
        _ if n.is_multiple_of(1024) => format!("{} KiB", n >> 10),
        1024..1_048_576 => format!("{:.1} KiB", n as f64 / 1024.0),
        _ => format!("{:.1} MiB", n as f64 / 1_048_576.0),
    }
}
