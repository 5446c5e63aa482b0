//! Regions that have not been waited for. Their failures appear at the next wait, whose error lists them.
use crate::error::Place;
use crate::launch::site::lock;
use std::fmt::Write as _;
use std::sync::Mutex;

/// So many are named.
const NAMED: usize = 3;

/// Those of a device since the last wait.
#[derive(Debug, Default)]
pub(super) struct Unwaited(Mutex<Queued>);

#[derive(Debug, Default)]
struct Queued {
    /// The last ones, at the places of their numbers.
    last: [Option<&'static Place>; NAMED],
    count: usize,
}

impl Unwaited {
    /// One was queued.
    pub fn add(&self, place: &'static Place) {
        let mut queued = lock(&self.0);
        let at = queued.count % NAMED;
        queued.last[at] = Some(place);
        queued.count += 1;
    }

    /// All of them have been waited for, and nothing has failed.
    pub fn clear(&self) {
        lock(&self.0).count = 0;
    }

    /// What the device said, and whose failure it may be.
    pub fn with(&self, mut reason: String) -> String {
        let queued = lock(&self.0);
        let named = queued.count.min(NAMED);
        if named == 0 || reason.contains(MAY) {
            return reason;
        }
        reason.push_str(MAY);
        let first = queued.count - named;
        for (i, place) in (first..queued.count).filter_map(|n| queued.last[n % NAMED]).enumerate() {
            let _ = write!(reason, "{}{place}", if i == 0 { " " } else { ", " });
        }
        if first > 0 {
            let _ = write!(reason, ", and {first} before");
        }
        reason
    }
}

const MAY: &str = "\n  it may have happened in what was queued before and not waited for:";
