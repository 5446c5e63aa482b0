//! Why the launch of a task waits, under `OMP_INFO=wait`: once for each region and reason.
use super::{WAIT, line, wants};
use crate::error::Place;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// The reason why a launch waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Why {
    /// What it needs is on its way to the host, from an array that may be left half-way.
    MayStop,
    /// The same, from memory that does not have it in one piece, or in another place.
    InPieces,
    /// An update brings it.
    Brings,
    /// Tasks under way bring back too much already.
    Much,
    /// A task on the host uses it, and this one puts its results into the function's variables.
    Reduces,
    /// The same; other tasks on the memory are ordered by its event.
    Memory,
    /// The same; its copies into data on the device have to be queued first.
    Sends,
    /// The same; it is the block's host code that goes on.
    Block,
}

impl Why {
    /// The reason of the wait, and what to try.
    const fn text(self) -> (&'static str, &'static str) {
        match self {
            Self::MayStop => (
                "which may stop half-way through an array that this one needs, so it takes that from the host",
                "a kernel without checks (subscripts that can be proved, a release build, as others check for overflow), or a data region around both",
            ),
            Self::InPieces => (
                "whose values this one needs are not in one piece on the device, so it takes them from the host",
                "a data region around both",
            ),
            Self::Brings => (
                "which brings to the host what this one copies from there",
                "a launch before it, or work of the host's between them",
            ),
            Self::Much => {
                ("as more than 256 MiB are on their way to the host already", "a data region around both")
            }
            Self::Reduces => (
                "it reduces variables, and those are the function's own",
                "the tasks before it on the device as well, or work of the host's before it",
            ),
            Self::Memory => (
                "it uses a `DeviceSlice` or a view, where others come after what is queued",
                "the tasks before it on the device as well, or work of the host's before it",
            ),
            Self::Sends => (
                "it puts the host's values into data that stands on the device, where others may use them at once",
                "the tasks before it on the device as well, or work of the host's before it",
            ),
            Self::Block => (
                "the statements between the loops of its target block are the function's own",
                "the tasks before it on the device as well, or work of the host's before it",
            ),
        }
    }
}

struct For<'a>(Option<&'a Place>, Why);

impl fmt::Display for For<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (why, help) = self.1.text();
        match self.0 {
            Some(place) => write!(f, "for `{}` at {}:{}, {why}", place.region, place.file, place.line)?,
            None => write!(f, "for tasks on the host that use its data: {why}")?,
        }
        write!(f, "; try: {help}")
    }
}

/// Whether it is reported.
pub(crate) fn reports_waits() -> bool {
    wants(WAIT)
}

/// Whether it is the first time.
fn is_new(place: &'static Place, why: Option<Why>) -> bool {
    static REPORTED: Mutex<BTreeSet<(usize, Option<Why>)>> = Mutex::new(BTreeSet::new());
    REPORTED.lock().unwrap_or_else(PoisonError::into_inner).insert((std::ptr::from_ref(place).addr(), why))
}

/// The launch of a task waits for another one; without a place, for some on the host.
pub(crate) fn launch_waits(place: &'static Place, other: Option<&Place>, why: Why) {
    if wants(WAIT) && is_new(place, Some(why)) {
        line("launch waits", place, &For(other, why));
    }
}

/// The launch of a task copies an array to the device whose elements its loop writes all, as it may stop half-way.
pub(crate) fn launch_copies(place: &'static Place, names: impl FnOnce() -> Vec<String>) {
    if !wants(WAIT) {
        return;
    }
    let names = names();
    if !names.is_empty() && is_new(place, None) {
        let rest = format_args!(
            "until {} is copied to the device, though the loop writes all of it: it may stop half-way; try: a kernel without checks (subscripts that can be proved, a release build, as others check for overflow)",
            names.join(", ")
        );
        line("launch waits", place, &rest);
    }
}
