//! Recipes for CPU cores: a core computes a tile of results at a time, all of them in registers. An element is loaded once for all results of
//! the tile that use it, and results that lie side by side are the lanes of vector instructions, which the compiler makes of the unrolled text.
//! Caches do what shared memory does on GPUs.
use super::numbers::{Made, Numbers};
use super::{Facts, MOST_STATEMENTS};
use crate::schedule::DeviceKind;
use crate::valid::typer::constant::Constants;
use omp_ir::desc::Prim;
use omp_ir::kernel::Callee;
use omp_ir::template::{Block, Expr, Stmt};
use omp_ir::visit;

/// Bytes of results along the loop that vectors are along: four registers of 64 bytes, or eight of 32. Of windows it is half of that: those of
/// neighbouring results overlap, and compilers take seconds to make vectors of more.
const ROW: u64 = 256;

/// Results of a vector of 64 bytes, at most.
const VECTOR: u32 = 16;

/// Rows of a tile that share what vectors are loaded.
const ROWS: u32 = 4;

/// Results whose elements lie apart: sums in order have to wait for each other, and those of several results do so at the same time.
const CHAINS: u32 = 8;

/// Iterations of a nest that pay for the compilation of a longer text.
const LEAST: u64 = 1 << 18;

/// Iterations of a tile that pay for a work-group.
const LEAST_OF_TILE: u64 = 128;

/// Statements of sequential loops that are written one after the other, where the user sets no sizes.
const SHORT_TEXT: u64 = 1280;

/// The text of an expensive function of the library, in quarters of such statements.
const LONG_CALL: u64 = 16;

/// Iterations of sequential loops that the text of a loop without tiles has one after the other, if they are constants.
const UNROLLED: u64 = 160;

impl Facts<'_> {
    /// The device is a CPU, whose blocks have one thread.
    pub(super) fn is_of_cores(&self) -> bool {
        self.request.device.kind == DeviceKind::OpenClCpu
    }

    /// Tiles of results that sequential loops compute, or why there are none.
    pub(super) fn cores(&self) -> Result<Made, &'static str> {
        let statements = self.worth_tiles()?;
        let mut tiles = self.tiles_of_core(statements)?;
        let count = |l: usize| self.nest.loops[l].count;
        // A core without a tile has nothing to do.
        let blocks = |tiles: &[[u32; 3]]| {
            let along = |(l, of): (usize, &[u32; 3])| count(l).div_ceil(of[1].into());
            tiles.iter().enumerate().map(along).fold(1, u64::saturating_mul)
        };
        let vectors = |of: &[u32; 3]| of[1] / of[2].min(VECTOR);
        while blocks(&tiles) < self.request.device.units.into() {
            let longest = tiles.iter_mut().max_by_key(|of| vectors(of)).filter(|of| vectors(of) > 1);
            let Some(longest) = longest else { break };
            longest[1] /= 2;
            longest[2] = longest[2].min(longest[1]);
        }
        // Neighbouring blocks go through the rows first, so that caches keep the columns.
        let numbers = Numbers { band: 64, ..Numbers::of(tiles, 1) };
        let pins = &self.request.pins;
        let made = self.candidate(numbers).ok_or(match (pins.block, pins.tile) {
            (None, None) => "subscripts beyond the last result would need more than 32 bits",
            _ => "the `block` or `tile` clause asks for several threads, or for more results than registers hold",
        })?;
        let places: u64 = made.numbers.tiles.iter().map(|of| u64::from(of[1])).product();
        let pinned = pins.tile.is_some();
        if places * statements > if pinned { MOST_STATEMENTS } else { SHORT_TEXT } {
            Err("the statements of all results of a tile would be too long a text")
        } else if !pinned && (places == 1 || places.saturating_mul(self.sums_of_each()) < LEAST_OF_TILE) {
            Err("there are too few results, or terms of each, for a tile")
        } else {
            Ok(made)
        }
    }

    /// The statements of the sequential loops, or why tiles don't pay or are not possible.
    fn worth_tiles(&self) -> Result<u64, &'static str> {
        let all = self.nest.loops.iter().fold(1u64, |all, l| all.saturating_mul(l.count));
        let mut inner = self.inner().peekable();
        if self.parallel == self.nest.loops.len() {
            return Err("there is no sequential loop: each result is computed once, and caches do the rest");
        }
        if self.request.pins.unroll.is_some() {
            return Err("the `unroll` clause is about the text without tiles");
        }
        if !(1..=3).contains(&self.parallel) {
            return Err("more than three loops run in parallel");
        }
        if !self.nest.limits.is_empty() {
            return Err("the bounds of a loop depend on another loop");
        }
        if inner.peek().is_none() {
            return Err("the sequential loops read no elements of arrays");
        }
        if inner.any(|n| self.reads[n].3) {
            return Err("the sequential loops store elements");
        }
        let statements = self.straight().ok_or(
            "a sequential loop has conditions, an inner loop that is not counted, or calls of expensive functions, or is under a condition",
        )?;
        let pinned = self.request.pins.tile.is_some();
        if all < LEAST && !pinned {
            return Err(
                "there are few iterations: the compiler would take more time for a longer text than it saves",
            );
        }
        let short = self.sums_of_each() <= UNROLLED && !self.kernel.body.overflow_checks && !pinned;
        if short && self.has_constant_trips() {
            return Err(
                "the sequential loops are short and between constants: the compiler unrolls them, and makes vectors of neighbouring results",
            );
        }
        Ok(statements)
    }

    /// The tiles of a core that has results enough.
    fn tiles_of_core(&self, statements: u64) -> Result<Vec<[u32; 3]>, &'static str> {
        let (parallel, loops) = (self.parallel, self.nest.loops.len());
        let count = |l: usize| self.nest.loops[l].count;
        let stride = |n: usize, l: usize| self.reads[n].2.strides[l];
        // What is read along a loop is the same for all of its iterations, or lies side by side.
        let along = |l: &usize| count(*l) >= 8 && self.inner().all(|n| matches!(stride(n, *l), 0 | 1));
        let shares = |l: &usize| count(*l) >= 2 && self.inner().any(|n| !self.moves(n, *l));
        let mut tiles = vec![[1; 3]; parallel];
        let tiled = parallel.saturating_sub(2)..parallel;
        if let Some(l) = tiled.clone().rev().find(along) {
            let size = self.inner().map(|n| self.size(self.reads[n].1)).max().unwrap_or(4);
            let bytes = u64::from(self.words(size as u32).max(1)) * 4;
            let mut others = tiled.filter(|other| *other != l && shares(other));
            let row = if self.windowed() { ROW / 2 } else { ROW };
            let (rows, row) = match others.next_back() {
                Some(other) => {
                    let rows = ROWS.min(count(other) as u32);
                    tiles[other] = [1, rows, 1];
                    (rows, row)
                }
                None => (1, 2 * row),
            };
            let most = SHORT_TEXT / (statements.max(1) * u64::from(rows));
            let row = (row / bytes.min(row)).min(1 << most.checked_ilog2().unwrap_or(0));
            let columns = columns(row, count(l));
            tiles[l] = [1, columns, columns];
            return Ok(tiles);
        }
        // Compilers vectorise sums of integers along rows themselves.
        let in_rows = self.inner().all(|n| matches!(stride(n, loops - 1), 0 | 1));
        if in_rows && !self.inner().any(|n| self.is_float(n)) {
            return Err(
                "integers are added in any order: the compiler makes vectors of terms that lie side by side",
            );
        }
        let sharing: Vec<usize> = tiled.filter(|l| shares(l) || parallel == 1).collect();
        let most = if sharing.len() == 1 { CHAINS } else { ROWS };
        sharing.iter().for_each(|l| tiles[*l] = [1, most.min(count(*l) as u32), 1]);
        if sharing.is_empty() { Err("no element is read in several parallel iterations") } else { Ok(tiles) }
    }

    /// The subscripts that sequential loops move.
    fn inner(&self) -> impl Iterator<Item = usize> {
        let sequential = self.parallel..self.nest.loops.len();
        (0..self.reads.len()).filter(move |n| sequential.clone().any(|l| self.moves(*n, l)))
    }

    fn is_float(&self, n: usize) -> bool {
        let prim = crate::program::element(self.kernel, self.reads[n].1);
        matches!(prim, Some(Prim::F32 | Prim::F64))
    }

    /// Whether the text says how often the sequential loops run: compilers unroll them and make vectors of neighbouring results.
    fn has_constant_trips(&self) -> bool {
        let (types, body) = (&self.kernel.types, &self.kernel.body);
        let constants = Constants::of(types, body);
        let mut ranges = Vec::new();
        visit::each_stmt(&body.code.block, &mut |stmt| {
            if let Stmt::For { range, .. } = stmt {
                ranges.push([range.lo, range.hi]);
            }
        });
        // The loops that run in parallel, too, are the first ones.
        let ends = ranges.into_iter().skip(self.parallel - self.kernel.template.dims.len()).flatten();
        ends.into_iter().all(|end| end.is_some_and(|end| constants.int(types, body, end).is_some()))
    }

    /// How much text a result takes, in statements of sequential loops; `None` if one of these is a condition, a loop that is not counted, or
    /// an expensive call, or if a loop is under a condition.
    pub(super) fn straight(&self) -> Option<u64> {
        fn quarters(facts: &Facts<'_>, block: &Block, inside: bool) -> Option<u64> {
            block.0.iter().try_fold(0, |all, stmt| {
                let of_stmt = match stmt {
                    Stmt::For { body, .. } => quarters(facts, body, true)?,
                    Stmt::Check { .. } => 0,
                    Stmt::Let { .. } | Stmt::Assign { .. } if inside => 4 * (1 + facts.called(stmt)?),
                    _ if !inside && !has_loops(stmt) => facts.outside(stmt),
                    _ => return None,
                };
                Some(all + of_stmt)
            })
        }
        Some(quarters(self, &self.kernel.body.code.block, false)?.div_ceil(4))
    }

    /// The statements of functions that a statement calls; `None` if it calls an expensive one of the library.
    fn called(&self, stmt: &Stmt) -> Option<u64> {
        let (kernel, mut all) = (self.kernel, Some(0));
        visit::of_stmt(stmt, &mut |root| {
            visit::each_expr(&kernel.body.code, root, &mut |e| {
                let Expr::Call { call, .. } = &kernel.body.code.exprs[e.index()].expr else { return };
                match kernel.body.calls[call.index()] {
                    Callee::Fn(f) => {
                        visit::each_stmt(&kernel.fns[f.index()].body.code.block, &mut |_| {
                            all = all.map(|n| n + 1);
                        });
                    }
                    Callee::Builtin => {
                        let expensive =
                            self.instructions(e) > 0.0 && kernel.body.code.calls[call.index()].name != "sqrt";
                        all = all.filter(|_| !expensive);
                    }
                }
            });
        });
        all
    }

    /// The text of a statement outside of sequential loops, in quarters of one in them: it takes time when it is compiled alone.
    fn outside(&self, stmt: &Stmt) -> u64 {
        let of_blocks = visit::blocks_of(stmt).into_iter().flatten().flat_map(|block| &block.0);
        1 + self.called(stmt).unwrap_or(LONG_CALL) + of_blocks.map(|stmt| self.outside(stmt)).sum::<u64>()
    }
}

/// Whether a loop is in a statement, or is one.
fn has_loops(stmt: &Stmt) -> bool {
    let mut of_blocks = visit::blocks_of(stmt).into_iter().flatten().flat_map(|block| &block.0);
    matches!(stmt, Stmt::For { .. } | Stmt::Loop { .. }) || of_blocks.any(has_loops)
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
