//! Dependences of a task's launch on other tasks: why it waits for them (`OMP_INFO=wait`), and which ones it can't run without.
use super::{Later, Underway};
use crate::error::Place;
use crate::launch::region::Region;
use crate::observe::{self, Why};
use crate::task::Used;
use omp_kernels::back::Arg;

impl Region {
    /// The variables that it uses as a whole, whatever its place in the order: those that it reduces, and those of which a target block
    /// has memory of its own, which its end copies to the host's.
    pub(crate) fn values(&self, used: &[Used]) -> Vec<Used> {
        if self.scope.is_some() {
            return used.to_vec();
        }
        let array = |used: &Used| self.arrays.iter().any(|m| { m.array }.rooted(used.root, used.bytes));
        used.iter().filter(|used| !array(used)).copied().collect()
    }

    /// Reports what is copied to the device only because the loop may stop half-way.
    pub(super) fn report_copies(&self, later: &Later) {
        let own =
            |i: &usize| later.overwritten[*i] && later.homes.get(*i).is_some_and(|h| h.present().is_none());
        let name = |i: usize| format!("`{}`", self.site.names[i]);
        observe::launch_copies(&self.site.place, || {
            (0..later.overwritten.len()).filter(own).map(name).collect()
        });
    }

    /// Why its launch waits for tasks on the host.
    pub(crate) fn why_waits(&self, later: &Later) -> Why {
        match () {
            () if self.scope.is_some() => Why::Block,
            () if self.uses_memory() => Why::Memory,
            () if !later.sends.is_empty() => Why::Sends,
            () => Why::Reduces,
        }
    }
}

impl Underway {
    /// Whether its loop may stop half-way.
    pub fn may_stop(&self) -> bool {
        self.begun.on_device.compiled.source.args.contains(&Arg::Status)
    }

    /// Of the directive.
    pub fn place(&self) -> &'static Place {
        &self.region.site().place
    }
}
