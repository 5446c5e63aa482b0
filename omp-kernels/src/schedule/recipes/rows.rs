//! Rows that several sequential loops go through, one after the other: softmax, normalisation, standard scores, tridiagonal systems. A block
//! has some rows in shared memory from the first loop to the last, so that memory delivers and takes each element once. A row that one loop
//! goes through is there, too, if the loop has no chunks, or dearer ones: it goes down, or an iteration needs an element that another one has
//! stored.
use super::costs::{BYTES, TERM, Work};
use super::numbers::{Made, Numbers};
use super::{Facts, shared_bytes};
use crate::program::steps::{Held, RowBox, Rows};
use crate::schedule::DeviceKind;
use omp_ir::ids::ArrayId;
use std::collections::{BTreeMap, BTreeSet};

/// Threads of a block.
const THREADS: u32 = 256;

/// Rows of a block.
const ROWS: [u32; 5] = [32, 16, 8, 4, 2];

/// Blocks of a multiprocessor, at most: with more, a thread has too few registers.
const MOST_BLOCKS: u64 = 6;

/// Elements of a row, at least; of a row that has no chunks, or dearer ones, fewer.
const SHORTEST: [u32; 2] = [16, 8];

/// Rows, at least: a block has a thread for each.
const FEWEST: u64 = 64;

impl Facts<'_> {
    /// The recipes that keep rows in shared memory and cost less than loops that load rows repeatedly, with their cost: cycles of a
    /// multiprocessor.
    pub(super) fn rows(&self) -> Vec<(f64, Made)> {
        let count = |l: usize| self.nest.loops[l].count;
        let Some((boxes, _)) = self.boxes() else { return Vec::new() };
        let (all_rows, loops) = (self.all_rows(), self.parallel..self.nest.loops.len());
        let works: Vec<(f64, Work)> = loops.clone().map(|l| count(l) as f64).zip(self.works()).collect();
        // A row that one loop alone goes through comes and goes once anyway, in chunks. There are none, or dearer ones, of a row that goes
        // down, or whose elements iterations take from each other.
        let down =
            (0..self.reads.len()).any(|n| self.box_of(n).is_some() && !self.reads[n].2.down.is_empty());
        let again = (0..boxes.len() as u32).any(|of| {
            let moved = |l: usize| {
                (0..self.reads.len())
                    .any(|n| self.box_of(n) == Some(boxes[of as usize].0) && self.moves(n, l))
            };
            loops.clone().filter(|l| moved(*l)).count() > 1
        });
        let unique = down || works.iter().any(|(_, work)| work.serial);
        let units = f64::from(self.request.device.units.max(1));
        let others = self.cost_of_lines(&works, boxes.len());
        let longest = boxes.iter().map(|(_, row)| row.width).max().unwrap_or(0);
        if !(again || unique) || all_rows < FEWEST || longest < SHORTEST[usize::from(unique)] {
            return Vec::new();
        }
        let most = shared_bytes(self.request.device);
        let sum = |of: &dyn Fn(&Work) -> f64| works.iter().map(|(count, work)| count * of(work)).sum::<f64>();
        let terms = sum(&|work| match work.serial {
            true => work.alone(),
            false => TERM * f64::from(u8::from(work.recurs)),
        });
        let each = sum(&|work| if work.shares { work.shared() } else { 0.0 });
        let accessed = self.accessed(&self.kernel.body.code.block);
        let made = |rows: u32| {
            let mut tiles = vec![[1; 3]; self.parallel];
            tiles[self.fast][0] = THREADS;
            let numbers = Numbers { rows, ..Numbers::of(tiles, 32) };
            let mut made = self.candidate(numbers)?;
            let bytes = made.recipe.build(self.kernel).ok()?.shared_bytes();
            let threads = made.recipe.tiles.threads();
            let resident = (most / (bytes + 1024)).min(u64::from(2048 / threads)).min(MOST_BLOCKS);
            if resident == 0 {
                return None;
            }
            made.numbers.resident = resident as u32;
            made.recipe.resident = resident as u32;
            let sides = |of: (ArrayId, u32)| {
                let side =
                    |stores: bool| accessed.iter().any(|(n, s)| *s == stores && self.box_of(*n) == Some(of));
                u64::from(side(false)) + u64::from(side(true))
            };
            let moved: u64 =
                boxes.iter().map(|(of, row)| u64::from(row.width) * self.size(of.0) * sides(*of)).sum();
            let memory = moved as f64 / BYTES;
            let blocks = (all_rows as f64 / f64::from(rows) / units).ceil();
            // Recurrences of blocks that run at the same time overlap; memory is idle meanwhile, as they have begun together, with
            // copies that all of them wait for.
            let times = (blocks / resident as f64).ceil();
            let copies = f64::from(rows) * memory;
            Some((copies + times * terms + blocks * f64::from(rows) * each.max(memory), made))
        };
        ROWS.into_iter().filter_map(made).filter(|(cost, _)| *cost < others).collect()
    }

    /// The rows: iterations of the parallel loops.
    pub(super) fn all_rows(&self) -> u64 {
        self.nest.loops[..self.parallel].iter().fold(1, |all, l| all.saturating_mul(l.count))
    }

    /// The numbers of the step for a recipe's, if it keeps rows.
    pub(super) fn rows_of(&self, numbers: &Numbers) -> Option<Rows> {
        let (boxes, held) = self.boxes().filter(|_| numbers.rows > 0)?;
        let threads = numbers.tiles.iter().map(|t| t[0]).product::<u32>();
        // Threads share iterations, or they only copy.
        let shares = self.works().iter().any(|work| work.shares && !work.serial);
        let each = |row: &RowBox| if shares { row.width } else { row.width.div_ceil(row.vector) };
        let longest = boxes.iter().map(|(_, row)| each(row)).max().unwrap_or(1);
        let mut across = threads;
        while across > 32 && across.is_multiple_of(2) && across >= 2 * longest {
            across /= 2;
        }
        Some(Rows {
            rows: numbers.rows,
            threads,
            across,
            ragged: !self.all_rows().is_multiple_of(numbers.rows.into()),
            boxes: boxes.into_iter().map(|(_, row)| row).collect(),
            held,
            asynchronous: self.request.device.kind == DeviceKind::Cuda && self.request.device.arch >= 80,
        })
    }

    /// The array of an access that moves along rows.
    fn box_of(&self, n: usize) -> Option<(ArrayId, u32)> {
        let (_, array, affine, _, part) = &self.reads[n];
        affine.strides[..self.parallel].iter().any(|s| *s != 0).then_some((*array, *part))
    }

    /// The parts of rows that may be in shared memory, and, by access, where; `None` if sequential loops go through something else than rows.
    #[allow(clippy::type_complexity, reason = "boxes by array, places by access")]
    fn boxes(&self) -> Option<(Vec<((ArrayId, u32), RowBox)>, Vec<Option<Held>>)> {
        let (parallel, most) = (self.parallel, i32::MAX as u64 - u64::from(super::MOST_ROWS));
        let plain = parallel == self.kernel.template.dims.len() && self.nest.limits.is_empty();
        if !plain || self.windowed() || self.are_nested() || self.all_rows() > most {
            return None;
        }
        let along = |n: usize| (parallel..self.nest.loops.len()).filter(move |l| self.moves(n, *l));
        let mut all: BTreeMap<(ArrayId, u32), Vec<usize>> = BTreeMap::new();
        for n in 0..self.reads.len() {
            if let Some(of) = self.box_of(n) {
                all.entry(of).or_default().push(n);
            }
        }
        let moved: BTreeSet<_> = (0..self.reads.len())
            .filter(|n| along(*n).next().is_some())
            .filter_map(|n| self.box_of(n))
            .collect();
        let (mut boxes, mut held) = (Vec::new(), vec![None; self.reads.len()]);
        for (of, accesses) in all.into_iter().filter(|(of, _)| moved.contains(of)) {
            let affine = |n: usize| &self.reads[n].2;
            let strides = &affine(accesses[0]).strides[..parallel];
            let plain = self.kernel.types.prim(self.kernel.array_ty[of.0.index()]).is_some();
            let last = |n: usize, l: usize| {
                self.access(n).axes.last().is_some_and(|axis| axis.loops == [(l as u32, 1)])
            };
            let unit = |n: &usize| {
                along(*n).count() <= 1 && along(*n).all(|l| affine(*n).strides[l] == 1 && last(*n, l))
            };
            let same = |n: &usize| {
                affine(*n).strides[..parallel] == *strides && self.nest.everywhere.contains(&self.reads[*n].0)
            };
            if !plain || !accesses.iter().all(|n| unit(n) && same(n)) {
                return None;
            }
            let lowest = accesses.iter().map(|n| affine(*n).base).min()?.unsigned_abs();
            let len = |n: usize| along(n).map(|l| self.nest.loops[l].count).max().unwrap_or(1);
            let end = accesses.iter().map(|n| affine(*n).base.unsigned_abs() + len(*n)).max()?;
            let written = accesses.iter().any(|n| self.reads[*n].3);
            let address = u64::from(self.request.alignment[of.0.index()]);
            let size = self.size(of.0);
            // A row begins where an access of this size does, which may be before its first element: what lies between is in the array, as
            // that begins where such accesses do.
            let fits = |wide: &u64| {
                let from = lowest / wide * wide;
                let first = i64::try_from(from).ok()?;
                let apart = !written || self.are_rows_apart(strides, end - from);
                let begins =
                    wide * size <= address && strides.iter().all(|s| s.unsigned_abs().is_multiple_of(*wide));
                (apart && (begins || *wide == 1)).then_some((*wide, first, end - from))
            };
            let most = (super::WIDEST / size.max(1)).max(1).min(self.request.pins.width());
            let (vector, first, width) =
                [16u64, 8, 4, 2, 1].into_iter().filter(|w| *w <= most).find_map(|w| fits(&w))?;
            let width = u32::try_from(width).ok()?;
            let by = accesses.iter().copied().find(|n| along(*n).next().is_some())?;
            let before = u32::try_from(affine(by).base - first).ok()?;
            let number = boxes.len() as u32;
            for n in accesses {
                let at = u32::try_from(affine(n).base - first).ok()?;
                held[n] = Some(Held { of: number, at, moves: along(n).next().is_some() });
            }
            boxes.push((of, RowBox { access: by as u32, before, width, vector: vector as u32 }));
        }
        // The other accesses don't move along rows, or one thread of a row makes them.
        let rest = |n: &usize| held[*n].is_none() && self.reads[*n].3 && along(*n).next().is_some();
        let scattered = (0..self.reads.len()).any(|n| rest(&n));
        (!scattered && !boxes.is_empty()).then_some((boxes, held))
    }

    /// Whether rows of so many elements have none in common.
    fn are_rows_apart(&self, strides: &[i64], width: u64) -> bool {
        let mut by: Vec<(u64, u64)> =
            strides.iter().zip(&self.nest.loops).map(|(s, l)| (s.unsigned_abs(), l.count)).collect();
        by.sort_unstable();
        let mut end = width;
        by.into_iter().filter(|(_, count)| *count > 1).all(|(stride, count)| {
            let apart = stride >= end;
            end = stride.saturating_mul(count - 1).saturating_add(end);
            apart
        })
    }

    /// Why a block keeps rows.
    pub(super) fn why_rows(&self, rows: &Rows) -> String {
        let bytes = |row: &RowBox| u64::from(row.width) * self.size(self.reads[row.access as usize].1);
        let all: u64 = rows.boxes.iter().map(bytes).sum();
        let loops = match self.nest.loops.len() - self.parallel {
            1 => format!("a loop goes through a row of {all} bytes, which threads copy side by side"),
            _ => format!(
                "several loops go through a row of {all} bytes, one after the other, so that memory delivers it once"
            ),
        };
        format!(
            "{loops}; all threads of a block share iterations that are independent, and one thread for each row runs those that are not"
        )
    }
}
