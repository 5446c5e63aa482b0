//! Comparisons of each of many elements with a few others: nearest centres (k-means), nearest neighbours, classes of
//! largest score. A sequential loop over the few contains the sum that compares two elements.
use super::numbers::{Made, Numbers};
use super::{Facts, LEAST_SUMS};
use crate::program::steps::Pipeline;
use crate::schedule::DeviceKind;
use omp_ir::flow::effects;
use omp_ir::ids::LocalId;
use omp_ir::template::{Base, Block, Code, Stmt};

/// Jam factors, the best first: how many iterations of the outer loop are unrolled and jammed. The trip count is a multiple of it.
const FACTORS: [u32; 11] = [16, 8, 12, 10, 14, 6, 5, 4, 7, 3, 2];

/// Threads, places of each, the depth of chunks, and stages.
const SHAPES: [(u32, u32, u32, u32); 4] = [(32, 2, 16, 2), (128, 4, 8, 2), (128, 2, 8, 2), (128, 1, 8, 2)];

impl Facts<'_> {
    /// The sequential loop around a sum that is unrolled and jammed, and the factor.
    pub(super) fn jammed(&self) -> Option<(usize, u32)> {
        let outer = self.parallel;
        if self.parallel != 1
            || self.is_of_cores()
            || self.windowed()
            || self.nest.limits.keys().any(|l| *l as usize >= outer)
            || self.nest.loops.len() != outer + 2
            || !is_around_one(&self.kernel.body.code)
        {
            return None;
        }
        let count = self.nest.loops[outer].count;
        FACTORS.into_iter().find(|by| count.is_multiple_of((*by).into())).map(|by| (outer, by))
    }

    /// Sums that compare an element of the parallel loop with one of a sequential loop around them.
    pub(super) fn comparisons(&self) -> Vec<(f64, Made)> {
        let Some((outer, by)) = self.jammed() else { return Vec::new() };
        let (sum, count) = (outer + 1, |l: usize| self.nest.loops[l].count);
        let inner: Vec<usize> = (0..self.reads.len()).filter(|n| self.moves(*n, sum)).collect();
        let single = |n: &usize| self.access(*n).axes.iter().all(|axis| axis.loops.len() == 1);
        let plain =
            |n: &usize| !self.reads[*n].3 && single(n) && self.nest.everywhere.contains(&self.reads[*n].0);
        let reused = inner.iter().any(|n| self.moves(*n, 0) && !self.moves(*n, outer));
        let apart = inner.iter().all(|n| !(self.moves(*n, 0) && self.moves(*n, outer)));
        let all = self.nest.loops.iter().fold(1u64, |all, l| all.saturating_mul(l.count));
        let cuda = self.request.device.kind == DeviceKind::Cuda;
        if !inner.iter().all(plain)
            || !reused
            || !apart
            || count(0) < 1024
            || count(sum) < 8
            || all < LEAST_SUMS
        {
            return Vec::new();
        }
        let words = inner.iter().map(|n| self.size(self.reads[*n].1)).max().unwrap_or(4).div_ceil(4) as u32;
        let recipe = |(n, (threads, places, depth, stages)): (usize, (u32, u32, u32, u32))| {
            // Sums stay in registers.
            let fits = places * by * words <= 96 && count(sum) >= depth.into();
            let numbers = Numbers {
                depth: Some(depth),
                pipeline: if cuda { Pipeline::Asynchronous(stages) } else { Pipeline::Registers },
                stage_all: true,
                ..Numbers::of(vec![[threads, places, 1]], 32)
            };
            let made = self.candidate(numbers).filter(|_| fits)?;
            Some((n as f64, made))
        };
        SHAPES.into_iter().enumerate().filter_map(recipe).collect()
    }
}

/// Whether the only loop of a body has one loop, whose sum begins anew in each iteration, and that has none.
fn is_around_one(code: &Code) -> bool {
    fn loops(block: &Block) -> Vec<&Block> {
        let loops = block.0.iter().map(|stmt| match stmt {
            Stmt::For { body, .. } => Some(body),
            _ => None,
        });
        loops.flatten().collect()
    }
    let [outer] = loops(&code.block)[..] else { return false };
    let begins = matches!(outer.0.first(), Some(Stmt::Let { .. } | Stmt::Assign { .. }));
    let set = |local: &LocalId| {
        outer.0.iter().any(|stmt| match stmt {
            Stmt::Let { local: of, .. } => of == local,
            Stmt::Assign { place, .. } => place.base == Base::Local(*local),
            _ => false,
        })
    };
    let anew = |sum: &Block| {
        let own = effects::bound_in(sum);
        effects::assigned(code, sum).iter().all(|local| own.contains(local) || set(local))
    };
    begins && matches!(loops(outer)[..], [sum] if loops(sum).is_empty() && anew(sum))
}
