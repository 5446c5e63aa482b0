//! Recipes for CPU cores: a core computes a tile of results at a time, all of them in registers. An element is loaded once for all results of
//! the tile that use it, and results that lie side by side are the lanes of vector instructions, which the compiler makes of the unrolled text.
//! Caches do what shared memory does on GPUs.
use super::Facts;
use super::numbers::{Made, Numbers};
use crate::schedule::DeviceKind;
use crate::valid::typer::constant::Constants;
use omp_ir::desc::Prim;
use omp_ir::template::{Block, Stmt};
use omp_ir::visit;

/// Bytes of results along the loop that vectors are along: four registers of 64 bytes, or eight of 32.
const ROW: u64 = 256;

/// Rows of a tile that share what vectors are loaded.
const ROWS: u32 = 4;

/// Results whose elements lie apart: sums in order have to wait for each other, and those of several results do so at the same time.
const CHAINS: u32 = 8;

/// Iterations of a nest that pay for the compilation of a longer text.
const LEAST: u64 = 1 << 18;

/// Statements that are written one after the other.
const MOST_STATEMENTS: u64 = 1024;

/// Iterations of sequential loops that the text of a loop without tiles has one after the other, if they are constants.
const UNROLLED: u64 = 160;

impl Facts<'_> {
    /// The device is a CPU, whose blocks have one thread.
    pub(super) fn is_of_cores(&self) -> bool {
        self.request.device.kind == DeviceKind::OpenClCpu
    }

    /// Tiles of results that sequential loops compute.
    pub(super) fn cores(&self) -> Vec<(f64, Made)> {
        let (parallel, loops) = (self.parallel, self.nest.loops.len());
        let count = |l: usize| self.nest.loops[l].count;
        let sequential = parallel..loops;
        let all = self.nest.loops.iter().fold(1u64, |all, l| all.saturating_mul(l.count));
        let Some(statements) = self.straight() else { return Vec::new() };
        let moved = |n: usize| sequential.clone().any(|l| self.moves(n, l));
        let inner: Vec<usize> = (0..self.reads.len()).filter(|n| moved(*n)).collect();
        if sequential.is_empty()
            || !(1..=3).contains(&parallel)
            || !self.nest.limits.is_empty()
            || inner.is_empty()
            || inner.iter().any(|n| self.reads[*n].3)
            || all < LEAST
            || self.sums_of_each() < 4
            || (self.sums_of_each() <= UNROLLED
                && !self.kernel.body.overflow_checks
                && self.has_constant_trips())
        {
            return Vec::new();
        }
        let stride = |n: usize, l: usize| self.reads[n].2.strides[l];
        // What is read along a loop is the same for all of its iterations, or lies side by side.
        let along =
            |l: usize| (count(l) >= 8 && inner.iter().all(|n| matches!(stride(*n, l), 0 | 1))).then_some(l);
        let shares = |l: usize| inner.iter().any(|n| !self.moves(*n, l)) && count(l) >= 2;
        let mut tiles = vec![[1; 3]; parallel];
        let tiled = parallel.saturating_sub(2)..parallel;
        if let Some(l) = tiled.clone().rev().find_map(along) {
            let size = inner.iter().map(|n| self.size(self.reads[*n].1)).max().unwrap_or(4);
            let bytes = u64::from(self.words(size as u32).max(1)) * 4;
            let other = tiled.filter(|other| *other != l && shares(*other)).next_back();
            let rows = other.map_or(1, |other| ROWS.min(count(other) as u32));
            if let Some(other) = other {
                tiles[other] = [1, rows, 1];
            }
            let row = if other.is_some() { ROW } else { 2 * ROW } / bytes.min(ROW);
            let most = MOST_STATEMENTS / (statements.max(1) * u64::from(rows));
            let columns = columns(row.min(1 << most.checked_ilog2().unwrap_or(0)), count(l));
            tiles[l] = [1, columns, columns];
        } else {
            // Compilers vectorise sums of integers along rows themselves.
            let in_rows = inner.iter().all(|n| matches!(stride(*n, loops - 1), 0 | 1));
            if in_rows && !inner.iter().any(|n| self.is_float(*n)) {
                return Vec::new();
            }
            let sharing: Vec<usize> = tiled.filter(|l| shares(*l) || parallel == 1).collect();
            match sharing[..] {
                [one] => tiles[one] = [1, CHAINS.min(count(one) as u32), 1],
                [slow, fast] => {
                    tiles[slow] = [1, 4.min(count(slow) as u32), 1];
                    tiles[fast] = [1, 4.min(count(fast) as u32), 1];
                }
                _ => return Vec::new(),
            }
        }
        let places: u64 = tiles.iter().map(|t| u64::from(t[1])).product();
        if places == 1 || places * statements > MOST_STATEMENTS {
            return Vec::new();
        }
        // Neighbouring blocks go through the rows first, so that caches keep the columns.
        let numbers = Numbers { band: 64, ..Numbers::of(tiles, 1) };
        self.candidate(numbers).map(|made| (0.0, made)).into_iter().collect()
    }

    fn is_float(&self, n: usize) -> bool {
        let prim = crate::program::element(self.kernel, self.reads[n].1);
        matches!(prim, Some(Prim::F32 | Prim::F64))
    }

    /// Whether the text says how often the sequential loops run: compilers unroll them and make vectors of neighbouring results.
    fn has_constant_trips(&self) -> bool {
        let (types, body) = (&self.kernel.types, &self.kernel.body);
        let constants = Constants::of(types, body);
        let mut all = true;
        visit::each_stmt(&body.code.block, &mut |stmt| {
            if let Stmt::For { range, .. } = stmt {
                let ends = [range.lo, range.hi];
                all &= ends
                    .into_iter()
                    .all(|end| end.is_some_and(|end| constants.int(types, body, end).is_some()));
            }
        });
        all
    }

    /// The statements of the sequential loops, if none of them is a condition, a loop that is not counted, or an expensive call.
    fn straight(&self) -> Option<u64> {
        fn of(facts: &Facts<'_>, block: &Block, inside: bool) -> Option<u64> {
            let code = &facts.kernel.body.code;
            block.0.iter().try_fold(0, |all, stmt| {
                let mut cheap = true;
                visit::of_stmt(stmt, &mut |root| {
                    visit::each_expr(code, root, &mut |e| cheap &= facts.instructions(e) <= 30.0);
                });
                let n = match stmt {
                    Stmt::For { body, .. } => of(facts, body, true)?,
                    Stmt::Check { .. } => 0,
                    Stmt::Let { .. } | Stmt::Assign { .. } if cheap => u64::from(inside),
                    _ if !inside => 0,
                    _ => return None,
                };
                Some(all + n)
            })
        }
        of(self, &self.kernel.body.code.block, false)
    }
}

/// Results along a loop of `count` iterations: as many as a row has, or fewer where the last tile would have too much in common with the one
/// before it.
fn columns(row: u64, count: u64) -> u32 {
    let whole = |n: &u64| *n <= count;
    let sizes = std::iter::successors(Some(row), |n| (*n > 4).then_some(n / 2)).filter(whole);
    // A tile takes time for itself, as much as a quarter of a row.
    let cost = |n: &u64| count.div_ceil(*n) * (n + row / 4);
    sizes.min_by_key(cost).unwrap_or(1) as u32
}
