//! Recipes: lists of steps with their numbers. A recipe is plain data, and with the kernel makes a program.
use super::steps::{
    Carried, Pipeline, Refused, Rows, Tile, Tiles, carry, fragments, jam, matrix, parallelise, pipeline,
    prefetch, promote, replicate, rows, skip, split, stage, tile, unroll, unroll_and_jam, widen, windows,
};
use super::{Access, Bound, Index, Keep, Program, Stmt, Term, Var, decided, lower};
use omp_ir::analysis::plan::Iterations;
use omp_ir::flow::coalesce::coalesced;
use omp_ir::flow::interchange::interchanged;
use omp_ir::ids::{AccessId, ExprId};
use omp_ir::kernel::Kernel;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Results of a thread, at most, that are loaded as vectors before they are stored. With 64 sums, products took 8 % longer.
const MOST_UPDATED: u32 = 32;

/// Tile, stage, unroll and jam: parallel loops in tiles of blocks, threads and registers; a sequential loop in chunks; elements that
/// tiles read repeatedly, or not in the order of memory, through shared memory.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Recipe {
    /// Subscripts by their classes.
    pub accesses: Vec<Access>,
    /// Which of the kernel's, and of the numbers of a struct, is which.
    pub of: Vec<(AccessId, u32, u32)>,
    /// Subscripts that are not affine, of arrays that the nest only reads.
    pub gathers: BTreeSet<AccessId>,
    /// By loop: its iterations, where the text has them.
    pub trips: Vec<Option<u32>>,
    /// Operators that are checked for overflow.
    pub checked: BTreeSet<ExprId>,
    /// Sequential loops that run in parallel.
    pub parallelised: u32,
    /// Where iterations of the parallel loops begin and end, if loops around them decide that.
    pub limits: Vec<Limit>,
    /// Of the parallel loops.
    pub tiles: Tiles,
    /// Blocks keep rows on the chip, in place of tiles and chunks.
    pub rows: Option<Rows>,
    /// Elements that iterations take from registers, as iterations before them have stored these.
    pub carried: Vec<Carried>,
    /// The sequential loops in chunks, and of how many iterations.
    pub chunks: Vec<Chunks>,
    /// A sequential loop around those in chunks that is unrolled and jammed, and the factor.
    pub jammed: Option<(u32, u32)>,
    /// Chunks are added up by the matrix instruction, for so many groups of eight rows at a time; 0: they are not.
    pub matrix: u32,
    /// How chunks overlap.
    pub pipeline: Pipeline,
    /// Fragments are prefetched, one step before their use.
    pub prefetch: bool,
    /// Results that one store writes.
    pub store: u32,
    /// The places of a thread run in phases: a load or a store for all of them at a time. These accesses load as many elements at a time as
    /// a store writes. (Nests without sequential loops.)
    pub phases: Option<BTreeSet<u32>>,
    /// Blocks that a multiprocessor should have room for.
    pub resident: u32,
    /// Numbers of the launch that the text has.
    pub sizes: BTreeMap<Term, i64>,
    /// Loops whose variable begins at a value that loops around them decide: it may stand in subscripts alone.
    pub moving: BTreeSet<u32>,
    /// Which iterations it runs, and in which order.
    pub iterations: Iterations,
    /// Conditions that have one value in these.
    pub decided: BTreeMap<ExprId, bool>,
    /// Sequential loops that are one with the loop in them.
    pub coalesced: BTreeSet<u32>,
    /// Bytes of dynamic shared memory that a launch requests: [`Program::dynamic_bytes`].
    pub shared: u32,
}

/// A loop in chunks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Chunks {
    /// Which.
    pub of: u32,
    /// Iterations of a chunk; the loop has at least as many.
    pub depth: u32,
    /// Iterations before the first chunk.
    pub head: u32,
    /// There are iterations after the last whole chunk.
    pub tail: bool,
}

/// Where the iterations of a loop begin or end, as an affine function of those of loops around it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Limit {
    /// Of which loop.
    pub of: u32,
    /// It is the upper one, which is not among the iterations.
    pub upper: bool,
    /// By how much iterations of loops around move it.
    pub by: Vec<(u32, i64)>,
}

impl Limit {
    /// The two numbers of which the first is less in iterations within the limit, as functions of the loops' iteration numbers.
    #[must_use]
    pub fn less(&self, at: &dyn Fn(u32) -> Index) -> (Index, Index) {
        self.between(at, at)
    }

    /// The same with the least numbers on one side and the greatest on the other: if it holds nowhere in a tile, no iteration of the tile
    /// runs.
    #[must_use]
    pub fn less_in(&self, least: &dyn Fn(u32) -> Index, greatest: &dyn Fn(u32) -> Index) -> (Index, Index) {
        self.between(least, greatest)
    }

    fn between(&self, least: &dyn Fn(u32) -> Index, greatest: &dyn Fn(u32) -> Index) -> (Index, Index) {
        let term = if self.upper { Term::Upper(self.of) } else { Term::Lower(self.of) };
        // On the greater side, a positive factor wants the greatest number.
        let limit = self.by.iter().fold(Index::from(term), |sum, (l, by)| {
            let number = if (*by > 0) == self.upper { greatest(*l) } else { least(*l) };
            sum + number * *by
        });
        match self.upper {
            true => (least(self.of), limit),
            false => (limit, greatest(self.of) + 1),
        }
    }

    /// Whether it depends on a loop, or is one of it.
    #[must_use]
    pub fn names(&self, l: u32) -> bool {
        self.of == l || self.by.iter().any(|(by, _)| *by == l)
    }
}

impl Recipe {
    /// The program.
    ///
    /// # Errors
    /// Why a step was refused.
    pub fn build(&self, kernel: &Kernel) -> Result<Program, Refused> {
        let kernel = &*self.kernel(kernel)?;
        let mut made = lower(kernel, self)?;
        if is_bound(&made.body, &self.moving) {
            return Err("the variable of a loop whose first value moves is used outside of subscripts".into());
        }
        self.steps().into_iter().try_for_each(|step| step(&mut made, kernel))?;
        made.resident = self.resident;
        made.sizes.clone_from(&self.sizes);
        Ok(made)
    }

    /// The kernel of the iterations that it runs.
    ///
    /// # Errors
    /// The loops have another form.
    pub fn kernel<'k>(&self, kernel: &'k Kernel) -> Result<Cow<'k, Kernel>, Refused> {
        of_iterations(kernel, self.iterations, &self.decided, &self.coalesced)
            .ok_or_else(|| "the loops have another form than those that are interchanged or coalesced".into())
    }

    /// Iterations of a block: rows, or of each loop.
    #[must_use]
    pub fn extents(&self) -> Vec<u32> {
        match &self.rows {
            Some(of) => vec![of.rows],
            None => self.tiles.tiles.iter().map(Tile::extent).collect(),
        }
    }

    /// Iterations of a chunk.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.chunks.first().map_or(1, |chunks| chunks.depth)
    }

    /// The text is for one set of sizes.
    #[must_use]
    pub fn is_specialised(&self) -> bool {
        self.sizes.contains_key(&Term::Trips(0))
    }

    /// The steps, in order.
    pub fn steps(&self) -> Vec<Step<'_>> {
        let mut steps: Vec<Step<'_>> = Vec::new();
        for _ in 0..self.parallelised {
            steps.push(Box::new(|p, _| parallelise(p)));
        }
        steps.push(Box::new(|p, _| promote(p)));
        if let Some(of) = &self.rows {
            steps.push(Box::new(move |p, kernel| match p.only.is_empty() {
                true => rows(p, kernel, of),
                false => Err("a loop is under a condition".into()),
            }));
            return steps;
        }
        for carried in &self.carried {
            steps.push(Box::new(move |p, _| carry(p, carried)));
        }
        for chunks in &self.chunks {
            steps.push(Box::new(move |p, _| split(p, chunks)));
        }
        steps.push(Box::new(|p, _| unroll(p)));
        if let Some((of, by)) = self.jammed {
            steps.push(Box::new(move |p, _| jam(p, Var(of), by)));
        }
        let asynchronous = matches!(self.pipeline, Pipeline::Asynchronous(_));
        if self.tiles.replicas > 1 {
            steps.push(Box::new(move |p, kernel| {
                replicate(p, kernel, &self.tiles)?;
                tile(p, kernel, &self.tiles, &self.limits)?;
                stage(p, kernel, asynchronous)
            }));
            steps.extend(self.overlapped());
            return steps;
        }
        steps.push(Box::new(|p, kernel| tile(p, kernel, &self.tiles, &self.limits)));
        steps.push(Box::new(|p, _| unroll_and_jam(p, self.phases.is_some())));
        if self.matrix > 0 {
            steps.push(Box::new(|p, kernel| matrix(p, kernel, &self.tiles, self.matrix)));
        }
        if self.accesses.iter().any(|access| matches!(access.keep, Keep::Window(_))) {
            steps.push(Box::new(|p, _| windows(p)));
        }
        steps.push(Box::new(move |p, kernel| stage(p, kernel, asynchronous)));
        steps.extend(self.overlapped());
        steps
    }

    /// The steps after staging.
    fn overlapped(&self) -> Vec<Step<'_>> {
        let mut steps: Vec<Step<'_>> = vec![Box::new(|p, _| pipeline(p, self.pipeline))];
        steps.push(Box::new(|p, _| fragments(p)));
        if self.prefetch {
            steps.push(Box::new(|p, _| prefetch(p)));
        }
        // With many sums there are no registers left for results that are on their way.
        let places: u32 = self.tiles.tiles.iter().map(|tile| tile.registers).product();
        steps.push(Box::new(move |p, _| {
            let loads = self.phases.as_ref().unwrap_or(const { &BTreeSet::new() });
            widen(p, self.store, places <= MOST_UPDATED, loads)
        }));
        if !self.limits.is_empty() {
            steps.push(Box::new(|p, _| skip(p)));
        }
        steps
    }
}

/// The kernel of some of a launch's iterations, in which these conditions have these values, and these sequential loops are one with the
/// loop in them.
#[must_use]
pub fn of_iterations<'k>(
    kernel: &'k Kernel,
    iterations: Iterations,
    conditions: &BTreeMap<ExprId, bool>,
    loops: &BTreeSet<u32>,
) -> Option<Cow<'k, Kernel>> {
    let kernel = match conditions.is_empty() {
        true => Cow::Borrowed(kernel),
        false => Cow::Owned(decided(kernel, conditions)),
    };
    match iterations {
        Iterations::All | Iterations::Interior => Some(kernel),
        Iterations::Interchanged => Some(Cow::Owned(interchanged(&kernel)?.kernel)),
        Iterations::Coalesced => Some(Cow::Owned(coalesced(&kernel, loops)?)),
    }
}

/// Whether leaves use the variable of one of these loops.
fn is_bound(stmts: &[Stmt], loops: &BTreeSet<u32>) -> bool {
    stmts.iter().any(|stmt| match stmt {
        Stmt::Leaf { bound, .. } => bound.iter().any(|(_, bound)| match bound {
            Bound::Cell(_) => false,
            Bound::Value(value) => {
                let mut found = false;
                value.visit(&mut |part| {
                    found |= matches!(part, Index::Term(Term::First(l)) if loops.contains(l));
                });
                found
            }
        }),
        other => is_bound(other.inner(), loops),
    })
}

/// A step with its numbers.
pub type Step<'a> = Box<dyn Fn(&mut Program, &Kernel) -> Result<(), Refused> + 'a>;
