//! Device programs: an intermediate form between a kernel and its text. A program is a tree of loops over axes of a
//! device, with allocations, moves between them, barriers, and leaves: statements of the kernel that use only
//! variables.
//!
//! * [`lower`] makes the naive program of a nest: its loops, one after the other, around its loads, computations and stores.
//! * [`steps`] transform programs. A step checks that it is legal; if not, it gives the reason.
//! * [`run`] interprets programs, thread by thread, and finds undefined behaviour: reads of uninitialised values, races between
//!   barriers, barriers that not all threads reach, accesses outside of memory.
//! * [`back`](crate::back) prints programs, and decides nothing.
//!
//! Programs run nests whose subscripts are affine and proved. Arrays that a nest only reads may have others: such loads are parts of leaves.
mod decided;
mod index;
mod leaf;
mod lower;
pub mod recipe;
pub mod run;
mod scalar_replacement;
mod show;
pub mod speculate;
pub mod steps;

pub use decided::decided;
pub use index::{Index, Op, Place as At, Subscript, Term, Var};
pub use lower::lower;
pub(crate) use scalar_replacement::parts;

use omp_ir::analysis::plan::Iterations;
use omp_ir::desc::Prim;
use omp_ir::ids::{AccessId, ArrayId, ExprId, LocalId};
use omp_ir::kernel::{Kernel, TypedCode};
use omp_ir::{template, visit};
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of shared memory that a kernel may declare.
pub const DECLARED: u64 = 48 << 10;

/// Bytes of the widest access.
pub const WIDEST: u32 = 16;

/// One launch.
#[derive(Debug, Clone)]
pub struct Program {
    /// Threads of a block.
    pub threads: u32,
    /// Blocks that a multiprocessor should have room for; 0: the compiler takes the registers that it wants.
    pub resident: u32,
    /// Blocks.
    pub grid: Index,
    /// The kernel's code, in which locals stand for the elements that the program loads and stores.
    pub code: TypedCode,
    /// Names of variables.
    pub vars: Vec<String>,
    /// Subscripts.
    pub accesses: Vec<Access>,
    /// Memory of the program's own.
    pub allocs: Vec<Alloc>,
    /// Launch values that are numbers in the text.
    pub sizes: BTreeMap<Term, i64>,
    /// How coordinates are cut into tiles.
    pub cuts: BTreeMap<Var, Cut>,
    /// Loops of the nest.
    pub loops: u32,
    /// The loops over chunks of a sequential loop.
    pub chunks: Vec<Var>,
    /// Loops over whole chunks: the loop, the sequential loop that was split, and the iterations of a chunk.
    pub whole: Vec<(Var, Var, u32)>,
    /// Accesses that load only before a loop what its first iterations take from those before: see [`steps::carry`].
    pub carried: BTreeSet<u32>,
    /// Loops whose results are used only in iterations of the parallel loops in which all of these sums are above zero.
    pub only: Vec<(Var, Vec<speculate::Sum>)>,
    /// Sequential loops that are unrolled and jammed: the loop over groups of iterations, and the loop over a group.
    pub jams: Vec<(Var, Var)>,
    /// Operators of leaves that are checked for overflow. A check that fails takes the record of failures, and the thread goes
    /// on: others wait for it at barriers.
    pub checked: BTreeSet<ExprId>,
    /// Blocks run nothing unless each first is less than its second: no iteration of their tile is within the limits of the loops.
    pub nowhere: Vec<(Index, Index)>,
    /// Which iterations it runs. If they are the interior of a nest, further blocks run the others one by one, as the kernel's body has
    /// them.
    pub iterations: Iterations,
    /// The statements that each thread runs.
    pub body: Vec<Stmt>,
}

/// A subscript of a mapped array: `base + part + Σ coordinate · stride` over its axes, the slowest first.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Access {
    /// One of the kernel's subscripts that are so.
    pub id: AccessId,
    /// The array.
    pub array: ArrayId,
    /// The number of the struct's field, if elements are structs.
    pub part: u32,
    /// It does not start at 0.
    pub based: bool,
    /// The loops that move it, by axis.
    pub axes: Vec<AxisOf>,
    /// Loops that it goes down along: coordinates count their iterations from the last one.
    pub down: Vec<u32>,
    /// Its element exists in all iterations of the loops, whatever the conditions.
    pub everywhere: bool,
    /// How it is loaded.
    pub keep: Keep,
}

/// An axis of an array: loops that move a subscript along the same stride.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AxisOf {
    /// Its loops, with multiples of the stride; the first moves by the stride itself.
    pub loops: Vec<(u32, u32)>,
    /// The stride is 1.
    pub unit: bool,
}

/// How a subscript is loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Keep {
    /// Where it is needed.
    Direct,
    /// With its box, through shared memory.
    Shared {
        /// Elements of one access to the array.
        width: u32,
        /// The last coordinate may cut an access, whose other elements are the array's, too.
        beyond: bool,
    },
    /// With what neighbouring places read, from memory into the registers of each thread: see [`steps::windows`].
    Window(Lanes),
    /// From the kernel's constant memory, where a launch copies its elements, from the first to the last one that is read. No
    /// parallel loop moves the subscript, and the strides of its axes are among [`Program::sizes`].
    Constant {
        /// Elements.
        len: u32,
    },
}

/// Slower axes of a subscript, at most, whose strides are known in part.
pub const SLOWER: usize = 3;

/// Where the accesses of several elements lie that load windows: they begin at multiples of their width, which rows of the
/// array need not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Lanes {
    /// Elements of one access to the array.
    pub width: u32,
    /// The last coordinate may cut an access, whose other elements are the array's, too.
    pub beyond: bool,
    /// The first element of the subscript, modulo the width.
    pub first: u32,
    /// The strides of its slower axes, modulo the width.
    pub strides: [u32; SLOWER],
}

/// Memory of a program's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alloc {
    /// For the text.
    pub name: String,
    /// Where.
    pub space: Space,
    /// The type of its elements.
    pub prim: Prim,
    /// The number of elements.
    pub len: u32,
    /// In shared memory: contiguous elements before a gap of [`Alloc::gap`]; 0: there are no gaps.
    pub group: u32,
    /// It may be read uninitialised: the result is not used.
    pub zeroed: bool,
    /// In shared memory: between two barriers, a thread may both load and store elements of it, which no other thread accesses.
    pub mixed: bool,
}

/// Where an allocation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Space {
    /// In the registers of each thread.
    Register,
    /// In memory that the threads of a block share.
    Shared,
}

/// An allocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AllocId(pub u32);

/// An element of an allocation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// The allocation.
    pub alloc: AllocId,
    /// The element's index.
    pub index: Index,
}

/// Where a move leads from and to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// The program's own memory.
    Cell(Cell),
    /// An element of a mapped array: the number of the access, and coordinates by axis.
    Array(u32, Vec<Index>),
}

/// How a loop runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// In any order; not yet bound to a part of the device.
    Parallel,
    /// In any order, by one thread: its iterations are written one after the other.
    Register,
    /// In order.
    Serial,
    /// In order, written one after the other.
    Unrolled,
}

/// The meaning of a leaf's variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bound {
    /// Memory.
    Cell(Cell),
    /// A number: that of a loop variable.
    Value(Index),
}

/// A statement.
#[derive(Debug, Clone, PartialEq)]
pub enum Stmt {
    /// Names an expression, to the end of the statements that it stands among.
    Let(Var, Index),
    /// A loop; its variable counts from 0.
    Loop {
        /// The number of the iteration.
        var: Var,
        /// How many.
        trips: Index,
        /// How it runs.
        axis: Axis,
        /// What it runs.
        body: Vec<Stmt>,
    },
    /// Runs if each first is less than its second.
    If {
        /// The pairs.
        less: Vec<(Index, Index)>,
        /// What runs.
        body: Vec<Stmt>,
    },
    /// Runs if the cell holds `true`.
    When {
        /// The condition.
        cond: Cell,
        /// What runs.
        body: Vec<Stmt>,
    },
    /// Copies neighbouring elements.
    Move {
        /// Where to.
        to: Place,
        /// From where.
        from: Place,
        /// How many.
        width: u32,
        /// The copy is on its way while the thread goes on, until [`Stmt::Wait`].
        asynchronous: bool,
    },
    /// Statements of the kernel; variables that are not bound are the leaf's own.
    Leaf {
        /// The statements.
        stmts: Vec<template::Stmt>,
        /// What their variables stand for.
        bound: Vec<(LocalId, Bound)>,
    },
    /// The lanes of a warp multiply matrices: see [`steps::matrix`].
    Multiply {
        /// By eight rows: two neighbouring sums, which four terms are added to, one after the other, each rounded once.
        into: Vec<Cell>,
        /// By eight rows: the factor of row `lane / 4` in term `lane % 4`.
        rows: Vec<Cell>,
        /// The factor of column `lane / 4` in term `lane % 4`.
        columns: Cell,
    },
    /// All threads of the block arrive before one goes on.
    Barrier,
    /// Ends a group of asynchronous moves.
    Commit,
    /// All groups of the thread but the last ones have arrived.
    Wait(u32),
}

/// A coordinate that tiles cut: it is the tile's start plus the place in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// The start of the tile, the same for all threads of a block.
    pub start: Index,
    /// The place in the tile.
    pub inner: Index,
    /// Places of a tile.
    pub extent: u32,
    /// Coordinates before the first tile.
    pub head: u32,
    /// Coordinates in all.
    pub limit: Index,
    /// The last tile may be cut off.
    pub ragged: bool,
    /// Neighbouring places that one thread has.
    pub vector: u32,
    /// The thread's number along it.
    pub thread: Option<Var>,
}

impl Program {
    /// A new variable.
    pub fn var(&mut self, name: impl Into<String>) -> Var {
        self.vars.push(name.into());
        Var(u32::try_from(self.vars.len() - 1).expect("few variables"))
    }

    /// A new allocation.
    pub fn alloc(&mut self, name: impl Into<String>, space: Space, prim: Prim, len: u32) -> AllocId {
        self.allocs.push(Alloc {
            name: name.into(),
            space,
            prim,
            len,
            group: 0,
            zeroed: false,
            mixed: false,
        });
        AllocId(u32::try_from(self.allocs.len() - 1).expect("few allocations"))
    }

    /// The element of an array that a place is, as a subscript.
    #[must_use]
    pub fn subscript(&self, access: u32, coords: &[Index]) -> Index {
        let of = &self.accesses[access as usize];
        let base = if of.based { Index::from(Term::Base(of.id)) } else { Index::Const(0) };
        base + i64::from(of.part) + self.from_first(access, coords)
    }

    /// By how many elements it is away from the access's first.
    #[must_use]
    pub fn from_first(&self, access: u32, coords: &[Index]) -> Index {
        let access = &self.accesses[access as usize];
        let parts = access.axes.iter().zip(coords).map(|(axis, at)| at.clone() * access.stride(axis));
        parts.fold(Index::Const(0), |sum, part| sum + part)
    }

    /// Elements of constant memory that an access is kept in.
    #[must_use]
    pub fn constant(&self, access: u32) -> Option<u32> {
        match self.accesses[access as usize].keep {
            Keep::Constant { len } => Some(len),
            Keep::Direct | Keep::Shared { .. } | Keep::Window(_) => None,
        }
    }

    /// The launch values that its text may name.
    #[must_use]
    pub fn terms(&self) -> Vec<Term> {
        let loops =
            self.accesses.iter().flat_map(|a| a.axes.iter().flat_map(|axis| axis.loops.iter().map(|l| l.0)));
        let most = self.loops.max(loops.max().map_or(0, |l| l + 1));
        let of_loops = (0..most)
            .flat_map(|l| [Term::Trips(l), Term::First(l), Term::Step(l), Term::Lower(l), Term::Upper(l)]);
        let of = |a: &Access| {
            let id = a.id;
            std::iter::once(Term::Base(id)).chain((0..most).map(move |l| Term::Stride(id, l)))
        };
        of_loops.chain(self.accesses.iter().flat_map(of)).collect()
    }

    /// Whether a check of these statements may fail.
    #[must_use]
    pub fn can_fail(&self, stmts: &[template::Stmt]) -> bool {
        let mut found = false;
        leaf::each(stmts, &mut |stmt| {
            found |= matches!(stmt, template::Stmt::Check { .. });
            visit::of_stmt(stmt, &mut |root| {
                visit::each_expr(&self.code.code, root, &mut |e| found |= self.checked.contains(&e));
            });
        });
        found
    }

    /// Checks in its text, in which the iterations of unrolled loops stand one after the other.
    #[must_use]
    pub fn checks(&self) -> u64 {
        fn of(program: &Program, stmts: &[Stmt]) -> u64 {
            let each = stmts.iter().map(|stmt| match stmt {
                Stmt::Leaf { stmts, .. } => {
                    let mut found = 0;
                    leaf::each(stmts, &mut |stmt| {
                        found += u64::from(matches!(stmt, template::Stmt::Check { .. }));
                        visit::of_stmt(stmt, &mut |root| {
                            visit::each_expr(&program.code.code, root, &mut |e| {
                                found += u64::from(program.checked.contains(&e));
                            });
                        });
                    });
                    found
                }
                Stmt::Loop {
                    trips: Index::Const(n), axis: Axis::Register | Axis::Unrolled, body, ..
                } => n.unsigned_abs().saturating_mul(of(program, body)),
                other => of(program, other.inner()),
            });
            each.fold(0, u64::saturating_add)
        }
        of(self, &self.body)
    }

    /// Bytes of shared memory.
    #[must_use]
    pub fn shared_bytes(&self) -> u64 {
        self.allocs.iter().filter(|a| a.space == Space::Shared).map(Alloc::bytes).sum()
    }

    /// Bytes of dynamic shared memory, which a launch has to request, because a kernel can't declare so many.
    #[must_use]
    pub fn dynamic_bytes(&self) -> u32 {
        let bytes = self.shared_bytes();
        if bytes > DECLARED { bytes as u32 } else { 0 }
    }
}

impl Alloc {
    /// Its bytes, with those up to the next allocation.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        (u64::from(self.room()) * self.prim.size() as u64).next_multiple_of(16)
    }

    /// Elements that there is room for, with the gaps.
    #[must_use]
    pub fn room(&self) -> u32 {
        self.len + self.len.checked_div(self.group).unwrap_or(0) * self.gap()
    }

    /// Elements that a gap has room for: those of the widest access. Threads that read groups side by side then find theirs in
    /// different banks.
    #[must_use]
    pub fn gap(&self) -> u32 {
        (WIDEST / self.prim.size() as u32).max(1)
    }

    /// Where the element with this index lies.
    #[must_use]
    pub fn lies_at(&self, index: &Index) -> Index {
        match self.group {
            0 => index.clone(),
            group => index.spaced(group, self.gap()),
        }
    }
}

/// The numbers that an array holds: its elements, or those of its fixed arrays and structs.
#[must_use]
pub fn element(kernel: &Kernel, array: ArrayId) -> Option<Prim> {
    kernel.types.numbers(kernel.array_ty[array.index()]).map(|(prim, _)| prim)
}

impl Access {
    /// The stride of an axis.
    #[must_use]
    pub fn stride(&self, axis: &AxisOf) -> Index {
        if axis.unit { Index::Const(1) } else { Term::Stride(self.id, axis.loops[0].0).into() }
    }
}

impl Place {
    /// Calls `f` on the expressions.
    pub fn indices<'a>(&'a self, f: &mut impl FnMut(&'a Index)) {
        match self {
            Self::Cell(cell) => f(&cell.index),
            Self::Array(_, coords) => coords.iter().for_each(f),
        }
    }

    /// As [`Self::indices`], to change them.
    pub fn indices_mut(&mut self, f: &mut impl FnMut(&mut Index)) {
        match self {
            Self::Cell(cell) => f(&mut cell.index),
            Self::Array(_, coords) => coords.iter_mut().for_each(f),
        }
    }
}

impl Stmt {
    /// A move of one element.
    #[must_use]
    pub fn copy(to: Place, from: Place) -> Self {
        Self::Move { to, from, width: 1, asynchronous: false }
    }

    /// The statements in it.
    #[must_use]
    pub fn inner(&self) -> &[Self] {
        match self {
            Self::Loop { body, .. } | Self::If { body, .. } | Self::When { body, .. } => body,
            _ => &[],
        }
    }

    /// As [`Self::inner`], to change them.
    pub fn inner_mut(&mut self) -> Option<&mut Vec<Self>> {
        match self {
            Self::Loop { body, .. } | Self::If { body, .. } | Self::When { body, .. } => Some(body),
            _ => None,
        }
    }

    /// Calls `f` on the expressions of the statement and of those in it.
    pub fn indices_mut(&mut self, f: &mut impl FnMut(&mut Index)) {
        match self {
            Self::Let(_, value) => f(value),
            Self::Loop { trips, .. } => f(trips),
            Self::If { less, .. } => less.iter_mut().for_each(|(a, b)| {
                f(a);
                f(b);
            }),
            Self::When { cond, .. } => f(&mut cond.index),
            Self::Move { to, from, .. } => {
                to.indices_mut(f);
                from.indices_mut(f);
            }
            Self::Leaf { bound, .. } => bound.iter_mut().for_each(|(_, bound)| match bound {
                Bound::Cell(cell) => f(&mut cell.index),
                Bound::Value(value) => f(value),
            }),
            Self::Multiply { into, rows, columns } => {
                into.iter_mut().chain(rows).chain([columns]).for_each(|cell| f(&mut cell.index));
            }
            Self::Barrier | Self::Commit | Self::Wait(_) => {}
        }
        for stmt in self.inner_mut().into_iter().flatten() {
            stmt.indices_mut(f);
        }
    }

    /// Calls `f` on the memory of the program's own that the statement and those in it touch.
    pub fn cells_mut(&mut self, f: &mut impl FnMut(&mut Cell)) {
        match self {
            Self::When { cond, .. } => f(cond),
            Self::Move { to, from, .. } => {
                for place in [to, from] {
                    if let Place::Cell(cell) = place {
                        f(cell);
                    }
                }
            }
            Self::Leaf { bound, .. } => {
                for (_, bound) in bound {
                    if let Bound::Cell(cell) = bound {
                        f(cell);
                    }
                }
            }
            Self::Multiply { into, rows, columns } => {
                into.iter_mut().chain(rows).chain([columns]).for_each(&mut *f);
            }
            _ => {}
        }
        for stmt in self.inner_mut().into_iter().flatten() {
            stmt.cells_mut(f);
        }
    }
}

/// The greatest common divisor.
pub(crate) fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The statements with an expression in place of a variable.
#[must_use]
pub fn with(stmts: &[Stmt], var: Var, value: &Index) -> Vec<Stmt> {
    let mut out = stmts.to_vec();
    for stmt in &mut out {
        stmt.indices_mut(&mut |index| *index = index.with(var, value));
    }
    out
}

/// Whether anything of the statements names a variable.
#[must_use]
pub fn mention(stmts: &[Stmt], var: Var) -> bool {
    let mut found = false;
    for stmt in &mut stmts.to_vec() {
        stmt.indices_mut(&mut |index| found |= index.mentions(var));
    }
    found
}

/// The allocations that statements touch.
#[must_use]
pub fn touched(stmts: &[Stmt]) -> BTreeSet<AllocId> {
    let mut found = BTreeSet::new();
    for stmt in &mut stmts.to_vec() {
        stmt.cells_mut(&mut |cell| {
            found.insert(cell.alloc);
        });
    }
    found
}
