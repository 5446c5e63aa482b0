//! Interleaved arrays: arrays that each iteration has for itself, kept in shared memory. These are local arrays, and parts of mapped
//! arrays that an iteration has for itself. Element `k` of all threads of a block lies side by side, so threads of a warp access
//! different banks, whichever elements they access.
//!
//! A local array whose subscripts are known only when the kernel runs can't stay in registers. In the memory of a thread, the threads
//! of a warp are served together only if all of them access the same element; in shared memory they are in any case.
//! A part of a mapped array that iterations go through several times lies far from the parts of the neighbouring threads, so each
//! access of a warp would reach as many places as it has threads.
//!
//! # Why this is correct
//!
//! A thread accesses its own elements alone. So there are no barriers, and an iteration may end anywhere.
//! Of a mapped array, all accesses of an iteration are subscripts that the launch has in numbers and has proved; they lie in a box of
//! elements which the next iteration's box follows, and which the array has. The iteration loads the box before its first statement and
//! stores it after its last one. Other iterations access no element of it, so what it stores without having changed it is what is there.
//! (An iteration that fails stores nothing of it.)
//!
//! # Teams
//!
//! Where the device would have few threads with an iteration each, a team shares an inner loop over a part, which then is in shared memory
//! once ([`team`]). The launch's numbers show that iterations of the loop access different elements of each array that it writes
//! (`team::Reached::differ`): the difference of two subscripts, over all iterations of the loops in it, never becomes 0. All else is that of
//! teams ([`crate::back::c::strategy::team`]): the threads run what is around the loop alike, and there are barriers between what one
//! thread stores and another one reads; one follows the copy before the iteration, and one stands before the copy after it, where each
//! thread copies the elements that it has copied before.
mod locals;
mod parts;
mod sums;
mod team;

pub use parts::{Part, sizes_of_parts};
pub(super) use team::team;

use super::explain::reasons::{About, all};
use super::staged_stores::staged_words;
use super::survey::Survey;
use super::{Cover, DeviceKind, Request, Strategy};
use omp_ir::ids::{ArrayId, LocalId, TyId};
use omp_ir::kernel::{Kernel, Ty, Types};
use std::collections::{BTreeMap, BTreeSet};

/// The fewest threads of a block.
const WARP: u32 = 32;

/// The arrays that a schedule interleaves.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Interleaved {
    /// Local arrays of the body.
    pub locals: BTreeSet<LocalId>,
    /// Mapped arrays.
    pub parts: BTreeMap<ArrayId, Part>,
}

/// What is interleaved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    Local(LocalId),
    Part(ArrayId),
}

impl Interleaved {
    /// Nothing is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count() == 0
    }

    /// What is interleaved: the type of its numbers, and how many bytes a thread has.
    pub(crate) fn owners(&self, kernel: &Kernel) -> Vec<(Owner, TyId, u64)> {
        let local = |l: &LocalId| {
            let (ty, count) = numbers(&kernel.types, kernel.body.local_ty[l.index()])?;
            Some((Owner::Local(*l), ty, count * kernel.types.size(ty)?))
        };
        let part = |(a, part): (&ArrayId, &Part)| {
            let (ty, _) = numbers(&kernel.types, kernel.array_ty[a.index()])?;
            Some((Owner::Part(*a), ty, part.room() * kernel.types.size(ty)?))
        };
        self.locals.iter().filter_map(local).chain(self.parts.iter().filter_map(part)).collect()
    }

    /// How many arrays are.
    pub(crate) fn count(&self) -> usize {
        self.locals.len() + self.parts.len()
    }

    /// Their names.
    pub(crate) fn names(&self, kernel: &Kernel) -> String {
        let locals = self.locals.iter().map(|l| &kernel.body.code.locals[l.index()].name);
        let parts = self.parts.keys().map(|a| &kernel.template.arrays[a.index()].name);
        all(&locals.chain(parts).map(|name| format!("`{name}`")).collect::<Vec<_>>())
    }

    /// Bytes of a block whose threads share an iteration.
    pub(crate) fn team_bytes(&self, kernel: &Kernel) -> u64 {
        self.owners(kernel).iter().map(|(_, _, bytes)| bytes.next_multiple_of(16)).sum()
    }

    /// Bytes of a thread.
    pub(crate) fn bytes(&self, kernel: &Kernel) -> u64 {
        self.owners(kernel).iter().map(|(_, _, bytes)| bytes).sum()
    }
}

/// The numbers of nested fixed arrays: their type, and how many there are.
pub(crate) fn numbers(types: &Types, ty: TyId) -> Option<(TyId, u64)> {
    match types.get(ty) {
        Ty::Array(elem, len) => {
            numbers(types, *elem).and_then(|(of, count)| Some((of, count.checked_mul(*len)?)))
        }
        Ty::Prim(prim) if prim.size() <= 8 => Some((ty, 1)),
        _ => None,
    }
}

/// What a schedule interleaves. The block is made smaller where a multiprocessor would have too few.
pub(super) fn choose(
    kernel: &Kernel,
    request: &Request<'_>,
    survey: &Survey,
    (strategy, staged): (&Strategy, &BTreeSet<ArrayId>),
    block: &mut [u32; 3],
) -> Interleaved {
    let plain = match strategy {
        Strategy::Linear => true,
        Strategy::Grid { jam: 1, wide: None, cover, .. } => *cover != Cover::Strided,
        _ => false,
    };
    let threads = |block: [u32; 3]| block.iter().product::<u32>();
    if request.device.kind != DeviceKind::Cuda
        || !plain
        || kernel.template.scan.is_some()
        || !kernel.template.reductions.is_empty()
        || !threads(*block).is_multiple_of(WARP)
    {
        return Interleaved::default();
    }
    let mut found = Interleaved { locals: locals::locals(kernel), parts: BTreeMap::new() };
    if *strategy == Strategy::Linear
        && staged.is_empty()
        && request.facts.claims.is_empty()
        && let Some(reached) = parts::Reached::by(kernel, request, survey)
    {
        found.parts = reached.parts(false);
    }
    if found.is_empty() {
        return found;
    }
    // What staged stores declare, and what the device keeps of each block.
    let declared = |block: [u32; 3]| {
        let words =
            staged.iter().map(|a| staged_words(kernel.types.size(kernel.array_ty[a.index()]).unwrap_or(0)));
        1024 + u64::from(threads(block)) * 4 * words.max().unwrap_or(0)
    };
    let room = super::recipes::shared_bytes(request.device);
    let bytes = found.bytes(kernel);
    let taken = |block: [u32; 3]| u64::from(threads(block)) * bytes + declared(block);
    let mut smaller = *block;
    // Blocks of which a multiprocessor has several leave little of its memory unused.
    while taken(smaller) > room / 3 && threads(smaller) > WARP && request.pins.block.is_none() {
        let axis = (0..3).rev().find(|axis| smaller[*axis] > 1 && smaller[*axis].is_multiple_of(2));
        let Some(axis) = axis else { break };
        smaller[axis] /= 2;
    }
    let blocks = |axis: usize| match strategy {
        Strategy::Grid { axes, .. } => {
            let dim = axes.get(axis).and_then(|d| request.facts.dims.get(*d as usize));
            dim.map_or(1, |dim| dim.count).div_ceil(smaller[axis].into())
        }
        _ => 1,
    };
    let fits = (0..3).all(|axis| blocks(axis) <= super::geometry::MOST[axis]);
    if taken(smaller) > room || !fits || !threads(smaller).is_multiple_of(WARP) {
        return Interleaved::default();
    }
    *block = smaller;
    request.why(About::Interleaved, || {
        let names = found.names(kernel);
        format!(
            "each iteration has elements of {names} for itself, {bytes} bytes: in shared memory, neighbouring threads access different banks, \
             whichever elements they access"
        )
    });
    found
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::choose::choose as schedule_of;
    use super::super::{DeviceClass, Pins, Schedule};
    use super::*;
    use crate::back::{Dialect, emit};
    use crate::valid::KernelInfo;
    use kernel_samples::build::{F32, Region, USIZE, X, array_of, count};
    use omp_ir::analysis::plan::{DimValues, LaunchValues};
    use omp_ir::desc::Prim;

    /// The schedule of a loop over `i` in `0..n` with a captured `m`, of arrays with so many elements.
    pub(in crate::schedule) fn scheduled(
        sizes: (u64, i128),
        len: u64,
        checked: bool,
        body: impl FnOnce(&mut Region, X, [X; 3]),
    ) -> (Kernel, Schedule) {
        let (kernel, _, schedule) = pinned(sizes, len, checked, Pins::default(), body);
        (kernel, schedule)
    }

    fn pinned(
        (n, m): (u64, i128),
        len: u64,
        checked: bool,
        pins: Pins,
        body: impl FnOnce(&mut Region, X, [X; 3]),
    ) -> (Kernel, KernelInfo, Schedule) {
        let mut r = Region::new("own");
        let (a, c) = (r.array("a", &F32), r.array("c", &F32));
        let bound = r.scalar("m", &USIZE);
        let i = r.dim("i", count(0, n as i32));
        body(&mut r, i, [a, c, bound]);
        let (template, types) = r.finish();
        let (kernel, info) = crate::valid::finalise(template, types, checked).expect("it is well typed");
        let facts = info.plan.decide(&LaunchValues {
            dims: &[Some(DimValues { first: 0, step: 1, count: n })],
            scalars: &[Some(m)],
            lens: &[len, len],
            sections: &[(0, len), (0, len)],
        });
        let device = DeviceClass {
            kind: DeviceKind::Cuda,
            units: 132,
            max_block: 1024,
            warp: 32,
            shared_bytes: 48 << 10,
            arch: 90,
            f64: true,
            atomics64: true,
        };
        let request = Request {
            extents: &[len, len],
            facts: &facts,
            device: &device,
            num_teams: None,
            thread_limit: None,
            alignment: &[16, 16],
            pins,
            specialised: true,
            parts: true,
            reasons: None,
        };
        let schedule = schedule_of(&kernel, &info, &request);
        (kernel, info, schedule)
    }

    #[test]
    fn short_loops_next_to_arrays_in_shared_memory_are_unrolled_unless_a_clause_says_how() {
        let text = |unroll: Option<u32>| {
            let pins = Pins { unroll, ..Pins::default() };
            let (kernel, info, schedule) = pinned((1000, 8), 8000, false, pins, |r, i, [a, c, m]| {
                let own = r.uninit("own", array_of(&F32, 9));
                r.for_("z", count(0, 9), |r, z, _| r.set(own.at(z), 0.0));
                r.for_("k", count(0, &m), |r, k, _| {
                    r.set(own.at(a.at(&i * 8 + k).cast(Prim::Usize)), 1.0);
                });
                r.set(c.at(i), own.at(1));
            });
            assert_eq!(schedule.interleaved.locals.len(), 1);
            emit(&kernel, &info, &schedule, Dialect::Cuda).expect("CUDA can say it").text
        };
        let unrolled = |unroll: Option<u32>, pragma: &str| {
            text(unroll).lines().filter(|line| line.trim() == pragma).count()
        };
        assert_eq!(unrolled(None, "#pragma unroll"), 1);
        assert_eq!(
            [(Some(2), "#pragma unroll"), (Some(2), "#pragma unroll 2")].map(|(n, p)| unrolled(n, p)),
            [0, 2]
        );
        assert_eq!(unrolled(Some(0), "#pragma unroll"), 2);
    }
}
