//! The facts of a nest: its accesses, their strides by axis, their possible widths, and which indices fit 32 bits.
use super::{Facts, MOST_DEPTH, Read, WIDEST};
use crate::program::steps::Tile;
use crate::program::{Access, AxisOf, Keep, Lanes, SLOWER, Subscript};
use crate::schedule::Request;
use crate::valid::may_overflow;
use omp_ir::analysis::plan::{Affine, Iterations, Limits, Nest};
use omp_ir::desc::Prim;
use omp_ir::flow::effects;
use omp_ir::ids::{ArrayId, ExprId, LocalId};
use omp_ir::kernel::Kernel;
use omp_ir::template::{Block, Stmt};
use omp_ir::visit;
use std::collections::BTreeSet;

/// A tile reaches at most so many iterations beyond the last one of a loop, or, where places then need more than 32 bits, one of the
/// other numbers: see [`Beyond::of`].
const BEYOND: [Beyond; 4] = [
    Beyond { most: 4096, short: false },
    Beyond { most: 4096, short: true },
    Beyond { most: 256, short: true },
    Beyond { most: 64, short: true },
];

/// How far tiles reach beyond the last iteration of a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Beyond {
    most: i64,
    /// Those of short loops reach less far.
    short: bool,
}

/// The same of the loops around two parallel ones.
const LAYERS: i64 = 64;

impl<'a> Facts<'a> {
    pub(super) fn new(kernel: &'a Kernel, request: &'a Request<'a>, nest: &'a Nest) -> Option<Self> {
        let beyond = Beyond::of(nest, kernel.template.dims.len())?;
        let arrays = crate::schedule::survey::arrays_of(kernel);
        let parts = crate::program::parts(kernel);
        let (mut reads, mut of): (Vec<Read>, Vec<_>) = (Vec::new(), Vec::new());
        for (id, affine) in &nest.subscripts {
            let form = Subscript::of(nest, affine).filter(|form| form.base >= 0)?;
            let array = *arrays.get(id)?;
            for &part in parts.get(id).unwrap_or(&BTreeSet::from([0])) {
                let same =
                    |(_, other, of, _, number): &Read| *other == array && *of == form && *number == part;
                let at = reads.iter().position(same).unwrap_or_else(|| {
                    reads.push((
                        *id,
                        array,
                        form.clone(),
                        kernel.template.arrays[array.index()].written,
                        part,
                    ));
                    reads.len() - 1
                });
                of.push((*id, part, u32::try_from(at).ok()?));
            }
        }
        let parallel = kernel.template.dims.len();
        let mut facts = Self {
            kernel,
            request,
            nest,
            iterations: Iterations::All,
            parallel,
            fast: 0,
            beyond,
            reads,
            of,
            checked: checked(kernel, nest),
        };
        // Inner loops that are all of the outer ones', and whose iterations keep to elements of their own: as many as there are, because
        // an element that the innermost one moves is none of fewer loops.
        let (mut around, mut loops) = (&kernel.body.code.block, parallel);
        while loops < nest.loops.len().min(3)
            && let Some(body) = only_loop(kernel, around)
        {
            (loops, around) = (loops + 1, body);
            if facts.is_apart(loops) {
                facts.parallel = loops;
            }
        }
        // Tiles that are cut off would begin below 0.
        let down = |r: &Read| r.2.down.iter().any(|l| (*l as usize) < facts.parallel);
        if facts.reads.iter().any(down) {
            return None;
        }
        let outer = |l: u32, of: &Limits| {
            let all = [&of.lower, &of.upper].into_iter().flatten();
            all.flat_map(|of| of.strides.iter().skip(l as usize)).all(|by| *by == 0)
        };
        if !nest.limits.iter().all(|(l, of)| outer(*l, of)) {
            return None;
        }
        // Limits of sequential loops are those of blocks, whose windows would each have others.
        let around = |of: &Affine| of.strides.iter().skip(facts.parallel).all(|by| *by == 0);
        let mut sequential = nest.limits.iter().filter(|(l, _)| **l as usize >= facts.parallel);
        let fits = |of: &Limits| [&of.lower, &of.upper].into_iter().flatten().all(around);
        // A box that is stored is written to memory as a whole.
        let stores = |l: u32| facts.reads.iter().any(|r| r.3 && r.2.strides[l as usize] != 0);
        if sequential.clone().any(|(l, of)| !fits(of) || stores(*l))
            || (sequential.next().is_some() && facts.windowed())
        {
            return None;
        }
        let along = |l: &usize| facts.reads.iter().any(|r| r.3 && r.2.strides[*l] == 1);
        // (Loops that have become parallel may be of one iteration.)
        let long = |l: &usize| along(l) && (facts.parallel == parallel || nest.loops[*l].count > 1);
        let last = |of: &dyn Fn(&usize) -> bool| (0..facts.parallel).rev().find(of);
        facts.fast = last(&long).or_else(|| last(&along)).unwrap_or(facts.parallel - 1);
        Some(facts)
    }

    /// Iterations of the outermost loops touch different elements of what is written: each only one, by subscripts that
    /// give each of them another.
    fn is_apart(&self, loops: usize) -> bool {
        let first = |array: ArrayId, part| self.reads.iter().filter(move |r| (r.1, r.4) == (array, part));
        self.reads.iter().filter(|r| r.3).all(|(_, array, affine, _, part)| {
            let mut strides: Vec<(u64, u64)> =
                (0..loops).map(|l| (affine.strides[l].unsigned_abs(), self.nest.loops[l].count)).collect();
            strides.sort_unstable();
            let mut span = 0u64;
            let injective = strides.iter().all(|(stride, count)| {
                let apart = *stride > span;
                span = span.saturating_add(stride.saturating_mul(count - 1));
                apart
            });
            injective && affine.strides[loops..].iter().all(|s| *s == 0) && first(*array, *part).count() == 1
        })
    }

    pub(super) fn size(&self, array: ArrayId) -> u64 {
        crate::program::element(self.kernel, array).map_or(16, |prim| prim.size() as u64)
    }

    /// The numbers of an element that the nest accesses, at most: those of a struct.
    pub(super) fn numbers_of_element(&self) -> u32 {
        self.reads.iter().map(|r| r.4 + 1).max().unwrap_or(1)
    }

    /// The numbers that each iteration of the parallel loops keeps while a sequential loop runs: those of an element, which is a struct,
    /// or several sums.
    pub(super) fn parts(&self) -> u32 {
        self.numbers_of_element().max(self.sums_kept().map(|(_, n)| n).sum())
    }

    /// Registers of 32 bits for these numbers, with elements of `size` bytes.
    pub(super) fn words(&self, size: u32) -> u32 {
        let words = |(prim, n): (Prim, u32)| n * (prim.size() as u32 / 4).max(1);
        (self.numbers_of_element() * size / 4).max(self.sums_kept().map(words).sum())
    }

    /// The variables that sequential loops change, and that are declared outside of them: of which numbers, and how many.
    fn sums_kept(&self) -> impl Iterator<Item = (Prim, u32)> {
        let body = &self.kernel.body;
        let (mut declared, mut sums) = (BTreeSet::new(), BTreeSet::new());
        visit::each_stmt(&body.code.block, &mut |stmt| {
            if let Stmt::For { body, .. } = stmt {
                visit::each_stmt(body, &mut |stmt| match stmt {
                    Stmt::Let { local, .. } => drop(declared.insert(*local)),
                    Stmt::Assign { place, .. } => sums.extend(place.base.local()),
                    _ => {}
                });
            }
        });
        let sums: Vec<LocalId> = sums.difference(&declared).copied().collect();
        sums.into_iter().map(|local| {
            let numbers = self.kernel.types.numbers(body.local_ty[local.index()]);
            numbers.map_or((Prim::U32, 1), |(prim, n)| (prim, n as u32))
        })
    }

    /// The class of a subscript.
    pub(super) fn access(&self, n: usize) -> Access {
        let (id, array, ref affine, _, part) = self.reads[n];
        let axes = axes(self.nest, affine);
        let everywhere = self.nest.everywhere.contains(&id);
        let (based, down) = (affine.base != 0, affine.down.clone());
        Access { id, array, part, based, axes, down, everywhere, keep: Keep::Direct }
    }

    /// The widest vectors of elements along the fast axis of a subscript, which begin where tiles do: after `head`, at multiples of
    /// `starts`.
    ///
    /// The second says whether the last coordinate cuts a vector, the rest of which the array has, too; nothing writes it.
    pub(super) fn width(&self, n: usize, access: &Access, head: u64, starts: u64) -> (u32, bool) {
        let (_, array, ref affine, written, _) = self.reads[n];
        let size = self.size(array);
        let Some((last, others)) = access.axes.split_last() else { return (1, false) };
        if !last.unit || !size.is_power_of_two() {
            return (1, false);
        }
        let limit = self.limit(last) - head;
        let whole = self.kernel.types.prim(self.kernel.array_ty[array.index()]).is_some();
        let room = if whole && !written { self.request.extents[array.index()] } else { 0 };
        // The elements up to the last one that is read, with those of other axes.
        let reach = |axis: &AxisOf| {
            let stride = affine.strides[axis.loops[0].0 as usize].unsigned_abs();
            (self.limit(axis) - 1).saturating_mul(stride)
        };
        // Those of a loop that counts down end where it begins.
        let down = starts > 0 && matches!(&last.loops[..], [(l, _)] if access.down.contains(l));
        let (head, room) = if down { (0, 0) } else { (head, room) };
        let begin = affine.base.unsigned_abs() + head;
        let before = others.iter().map(reach).fold(begin, u64::saturating_add);
        let address = u64::from(self.request.alignment[array.index()]);
        let fits = |wide: u64| {
            let stride = |axis: &AxisOf| affine.strides[axis.loops[0].0 as usize].unsigned_abs();
            (wide * size <= address)
                && begin.is_multiple_of(wide)
                && others.iter().all(|axis| stride(axis).is_multiple_of(wide))
                && (limit.is_multiple_of(wide) || before.saturating_add(limit.next_multiple_of(wide)) <= room)
                && starts.is_multiple_of(wide)
        };
        let mut wide = (WIDEST / size).max(1).min(self.request.pins.width());
        while wide > 1 && !fits(wide) {
            wide /= 2;
        }
        (wide as u32, !limit.is_multiple_of(wide))
    }

    /// The accesses that load a window from memory: their widths may be other than the rows', unless tiles are cut off across rows
    /// that begin at different places of an access.
    pub(super) fn lanes(&self, n: usize, access: &Access, starts: u64, tiles: &[Tile]) -> Lanes {
        let (width, beyond) = self.width(n, access, 0, starts);
        let plain = Lanes { width, beyond, first: 0, strides: [0; SLOWER] };
        let (_, array, ref affine, written, _) = self.reads[n];
        let size = self.size(array);
        let whole = self.kernel.types.prim(self.kernel.array_ty[array.index()]).is_some();
        let cut = |axis: &AxisOf| {
            axis.loops.iter().any(|(l, _)| tiles.get(*l as usize).is_some_and(|tile| tile.last.is_cut()))
        };
        let Some((last, others)) = access.axes.split_last().filter(|(last, _)| last.unit) else {
            return plain;
        };
        if written || !whole || !size.is_power_of_two() || others.len() > SLOWER {
            return plain;
        }
        let stride = |axis: &AxisOf| affine.strides[axis.loops[0].0 as usize].unsigned_abs();
        let reach = |axis: &AxisOf| (self.limit(axis) - 1).saturating_mul(stride(axis));
        let first = affine.base.unsigned_abs();
        let end = others.iter().map(reach).fold(first, u64::saturating_add).saturating_add(self.limit(last));
        let address = u64::from(self.request.alignment[array.index()]);
        let fits = |wide: u64| {
            wide * size <= address
                && starts.is_multiple_of(wide)
                && end.next_multiple_of(wide) <= self.request.extents[array.index()]
        };
        let mut wide = (WIDEST / size).max(1).min(self.request.pins.width());
        while wide > 1 && !fits(wide) {
            wide /= 2;
        }
        // Rows that tiles cut off stop at the last one, which has to begin where they do.
        let apart = |axis: &&AxisOf| cut(axis) && !stride(axis).is_multiple_of(wide);
        if wide <= u64::from(width) || others.iter().any(|axis| apart(&axis)) {
            return plain;
        }
        let mut strides = [0; SLOWER];
        strides.iter_mut().zip(others).for_each(|(s, axis)| *s = (stride(axis) % wide) as u32);
        Lanes { width: wide as u32, beyond: false, first: (first % wide) as u32, strides }
    }

    /// Coordinates along an axis.
    fn limit(&self, axis: &AxisOf) -> u64 {
        let of = |(l, by): &(u32, u32)| (self.nest.loops[*l as usize].count - 1) * u64::from(*by);
        1 + axis.loops.iter().map(of).sum::<u64>()
    }

    pub(super) fn moves(&self, n: usize, l: usize) -> bool {
        self.reads[n].2.strides[l] != 0
    }
}

/// The body of a block's only loop. The other statements may only be checks and numbers for subscripts.
fn only_loop<'k>(kernel: &'k Kernel, block: &'k Block) -> Option<&'k Block> {
    let is_int = |local: LocalId| {
        let prim = kernel.types.prim(kernel.body.local_ty[local.index()]);
        prim.is_none_or(Prim::is_int)
    };
    let (mut found, mut numbers) = (None, Vec::new());
    for stmt in &block.0 {
        match stmt {
            Stmt::For { body, .. } if found.is_none() => found = Some(body),
            Stmt::Let { local, init: Some(_) } if is_int(*local) => numbers.push(*local),
            Stmt::Check { .. } => {}
            _ => return None,
        }
    }
    // (A number that the loop assigns is a running one.)
    let assigned = effects::assigned(&kernel.body.code, found?);
    found.filter(|_| !numbers.iter().any(|local| assigned.contains(local)))
}

impl Beyond {
    /// `None` if subscripts need more than 32 bits with the smallest tiles.
    pub(super) fn of(nest: &Nest, dims: usize) -> Option<Self> {
        BEYOND.into_iter().find(|beyond| fits_32_bits(nest, dims, *beyond))
    }

    /// Tiles and chunks reach at most so many iterations beyond the last one of a loop; those of a short sequential loop fewer, and those
    /// of loops around two parallel ones, of which blocks have layers.
    pub(super) fn along(self, nest: &Nest, dims: usize, l: usize) -> i64 {
        let (depth, sequential, count) = (i64::from(MOST_DEPTH), l >= dims, nest.loops[l].count);
        if sequential && count <= u64::from(MOST_DEPTH) {
            return depth;
        }
        let most = match count.checked_next_power_of_two().and_then(|n| i64::try_from(n).ok()) {
            Some(count) if self.short => count.clamp(LAYERS, self.most),
            _ => self.most,
        };
        match sequential {
            true => most.max(depth),
            false if l + 2 < dims => most.min(LAYERS),
            false => most,
        }
    }
}

/// Whether 32 bits are enough for iterations and places, also for those of cut tiles that don't run.
fn fits_32_bits(nest: &Nest, dims: usize, beyond: Beyond) -> bool {
    let past = |l: usize| i128::from(nest.loops[l].count) + i128::from(beyond.along(nest, dims, l));
    let reach = |l: usize, stride: i128| stride.saturating_abs().saturating_mul(past(l));
    let loops = nest.loops.iter().enumerate();
    let values =
        loops.flat_map(|(l, of)| [past(l), of.first.saturating_abs().saturating_add(reach(l, of.step))]);
    let places = nest.subscripts.values().map(|a| {
        let strides = a.strides.iter().enumerate();
        strides.fold(i128::from(a.base).abs(), |at, (l, s)| at.saturating_add(reach(l, i128::from(*s))))
    });
    let limits = nest.limits.values().flat_map(|of| [&of.lower, &of.upper]).flatten().map(|limit| {
        let strides = limit.strides.iter().enumerate();
        strides.fold(i128::from(limit.base).abs(), |at, (l, s)| at.saturating_add(reach(l, i128::from(*s))))
    });
    values.chain(places).chain(limits).all(|most| most <= i128::from(i32::MAX))
}

/// The operators that the code checks for overflow, and that a launch does not show to have none.
fn checked(kernel: &Kernel, nest: &Nest) -> BTreeSet<ExprId> {
    let (code, mut found) = (&kernel.body, BTreeSet::new());
    if code.overflow_checks {
        let mut look = |e: ExprId| {
            if may_overflow(kernel, code, e) && !nest.fits.contains(&e) {
                found.insert(e);
            }
        };
        visit::each_live_expr(&code.code, &mut look);
        // Bounds that the host evaluates, it checks.
        for dim in kernel.template.dims.iter().filter(|dim| !dim.host) {
            let ends = [dim.range.lo, dim.range.hi].into_iter().flatten();
            ends.for_each(|end| visit::each_expr(&code.code, end, &mut look));
        }
    }
    found
}

/// The axes of a subscript, the slowest first: a loop joins the axis of another that it moves along by a multiple, within
/// what that axis spans.
fn axes(nest: &Nest, affine: &Subscript) -> Vec<AxisOf> {
    let strides = affine.strides.iter().enumerate().filter(|(_, s)| **s != 0);
    let mut loops: Vec<(i64, usize)> = strides.map(|(l, s)| (*s, l)).collect();
    loops.sort_unstable();
    let mut axes: Vec<(i64, i64, AxisOf)> = Vec::new();
    for (stride, l) in loops {
        let more = (nest.loops[l].count - 1) as i64;
        match axes.last_mut() {
            Some((of, span, axis)) if stride % *of == 0 && stride / *of < *span => {
                axis.loops.push((l as u32, (stride / *of) as u32));
                *span = span.saturating_add(more.saturating_mul(stride / *of));
            }
            _ => {
                let axis = AxisOf { loops: vec![(l as u32, 1)], unit: stride == 1 };
                axes.push((stride, more.saturating_add(1), axis));
            }
        }
    }
    axes.into_iter().rev().map(|(_, _, axis)| axis).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use omp_ir::analysis::plan::DimValues;
    use omp_ir::ids::AccessId;
    use std::collections::BTreeMap;

    #[test]
    fn cut_tiles_stay_within_32_bits() {
        let nest = |count: u64, stride: i64| Nest {
            loops: vec![DimValues { first: 0, step: 1, count }],
            subscripts: BTreeMap::from([(AccessId(0), Affine { base: 0, strides: vec![stride] })]),
            ..Nest::default()
        };
        let most = i32::MAX as u64;
        let fits_32_bits = |nest: &Nest| fits_32_bits(nest, 1, BEYOND[0]);
        assert!(fits_32_bits(&nest(1000, 1000)) && fits_32_bits(&nest(most - 4096, 1)));
        // Smaller tiles fit nests that are larger.
        let beyond = |count: u64, stride: i64| {
            let nest = nest(count, stride);
            Beyond::of(&nest, 1).map(|beyond| beyond.along(&nest, 1, 0))
        };
        assert_eq!(
            [4, 1 << 20, (1 << 21) - 4095].map(|n| beyond(n, 1 << 10)),
            [Some(4096), Some(4096), Some(256)]
        );
        assert_eq!(
            [4, 1000, 1500, 1 << 24].map(|n| beyond(n, 1 << 20)),
            [Some(64), Some(1024), Some(256), None]
        );
        assert_eq!(beyond((1 << 21) - 100, 1 << 10), Some(64));
        // The last tile's iterations, and what they would touch, are numbers that wrap.
        assert!(!fits_32_bits(&nest(most - 10, 1)) && !fits_32_bits(&nest(most / 1000, 1000)));
        let stepped = DimValues { first: 5, step: 1 << 20, count: 2000 };
        assert!(!fits_32_bits(&Nest { loops: vec![stepped], ..nest(1, 1) }));
    }
}
