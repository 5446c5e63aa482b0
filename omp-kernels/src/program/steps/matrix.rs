//! Sums of products by the matrix instruction of a warp. [`Stmt::Multiply`] adds four terms to each of 8 × 8 results
//! (or of twice as many), in the order of the loop, with one rounding for each term. It is legal if a term is one
//! product that is added as such, and if the kernel lets compilers contract as well.
//!
//! The lanes of a warp are 8 × 4: lane `l` has the results of row `l / 4` and columns `2 · (l % 4)` and the next one.
//! It loads the factors of row `l / 4` and of column `l / 4`, of term `l % 4`. So a thread loads other columns and
//! terms than those of its results, and the step gives loads their own coordinates.
use super::{Refused, Tiles, change, known, nest_of, nested};
use crate::program::{At, Axis, Bound, Cell, Cut, Index, Op, Place, Program, Space, Stmt, Var, mention};
use omp_ir::desc::Prim;
use omp_ir::ids::{ExprId, LocalId};
use omp_ir::kernel::Kernel;
use omp_ir::template::{self, Base, BinOp, Expr, FpMode};
use std::collections::BTreeMap;

/// Terms of an instruction.
pub const TERMS: u32 = 4;

/// Lets the unrolled loop of each chunk multiply through the matrix instruction, which takes so many groups of eight rows.
///
/// # Errors
/// The loop adds up something else, or tiles and lanes don't fit.
pub fn matrix(program: &mut Program, kernel: &Kernel, tiles: &Tiles, groups: u32) -> Result<(), Refused> {
    if kernel.template.fp == FpMode::Strict {
        return Err("`fp(strict)` rounds products before they are added".into());
    }
    let fits = tiles.lanes == 4 && tiles.tiles.len() == 2 && tiles.tiles[tiles.fast].vector == 2;
    if !fits {
        return Err("lanes or tiles that are not those of the matrix instruction".into());
    }
    let (columns, rows) = (tiles.fast, 1 - tiles.fast);
    change(program, |program, mut body| {
        let at = body.iter().position(|s| !matches!(s, Stmt::Let(..))).unwrap_or(body.len());
        let mut rest = body.split_off(at);
        let thread = |l: usize| program.cuts.get(&Var(l as u32)).and_then(|cut| cut.thread);
        let (row, column) = thread(rows).zip(thread(columns)).ok_or("loops that threads don't share")?;
        lanes(program, &body, row, column)?;
        let mut name = |program: &mut Program, name: &str, value: Index| {
            let var = program.var(name);
            body.push(Stmt::Let(var, value));
            Index::from(var)
        };
        let and = |a: Index, b: u32| Index::bin(Op::And, a, b.into());
        let shr = |a: Index, b: u32| Index::bin(Op::Shr, a, b.into());
        let term = name(program, "lane_term", and(Index::Thread, 3));
        let lane = and(Index::Thread, 31);
        let across = name(program, "lane_across", Index::from(column) - term.clone() + shr(lane.clone(), 3));
        let neighbour = name(program, "lane_neighbour", and(shr(lane, 2), 1));
        let mut maker = Maker { program, groups, row, column, across, neighbour, term };
        let mut found = false;
        for stmt in &mut rest {
            let Stmt::Loop { var, body, .. } = stmt else { continue };
            let [Stmt::Loop { var: k, trips, axis: Axis::Unrolled, body: inside }] = body.as_slice() else {
                continue;
            };
            if maker.program.chunks.contains(var) {
                *body = vec![maker.terms(*k, known(trips)?, inside)?];
                found = true;
            }
        }
        if !found {
            return Err("no sums of products in chunks".into());
        }
        body.extend(rest);
        Ok(body)
    })
}

/// Checks that lanes lie as the instruction wants them.
fn lanes(program: &Program, fixed: &[Stmt], row: Var, column: Var) -> Result<(), Refused> {
    let terms = BTreeMap::new();
    let of = |thread: i64| {
        let mut vars = vec![None; program.vars.len()];
        for stmt in fixed {
            if let Stmt::Let(var, value) = stmt {
                vars[var.0 as usize] = value.eval(&At { vars: &vars, terms: &terms, block: 0, thread }).ok();
            }
        }
        (vars[row.0 as usize], vars[column.0 as usize])
    };
    let right = |thread: i64| {
        let (first, lane) = (of(thread & !31), thread & 31);
        let moved = |n: Option<i64>, by: i64| n.map(|n| n + by);
        first.0.is_some() && of(thread) == (moved(first.0, lane / 4), moved(first.1, lane % 4))
    };
    let threads = i64::from(program.threads);
    if threads % 32 == 0 && (0..threads).all(right) { Ok(()) } else { Err("lanes that lie otherwise".into()) }
}

struct Maker<'a> {
    program: &'a mut Program,
    /// Groups of eight rows of an instruction.
    groups: u32,
    /// The thread's numbers along rows and columns.
    row: Var,
    column: Var,
    /// The same of the column whose factors the lane loads, and which of the two neighbours that is.
    across: Index,
    neighbour: Index,
    /// The term whose factors the lane loads.
    term: Index,
}

impl Maker<'_> {
    /// A loop over so many terms.
    fn terms(&mut self, var: Var, trips: u32, body: &[Stmt]) -> Result<Stmt, Refused> {
        let refused = || Refused::from("a sum of something else than products");
        if !trips.is_multiple_of(TERMS) {
            return Err("terms that four don't divide".into());
        }
        let (before, rest) = lets_of(body);
        let [unit] = rest else { return Err(refused()) };
        let (mut loops, inside) = nest_of(unit);
        let (lets, rest) = lets_of(inside);
        let [first @ Stmt::Move { .. }, second @ Stmt::Move { .. }, Stmt::Leaf { stmts, bound }] = rest
        else {
            return Err(refused());
        };
        let (sum, factors) = product(self.program, stmts, bound).ok_or_else(refused)?;
        let pair = |(v, n): &(Var, Index)| *n == Index::Const(2) && sum.index.coefficient(*v) == Some(1);
        let last = loops.iter().position(pair).ok_or("results that are no neighbours")?;
        let (pair, _) = loops.remove(last);
        let four = self.named(var, "four");
        let term = Index::from(four) * TERMS + self.term.clone();
        let of_column =
            [(var, term.clone()), (self.column, self.across.clone()), (pair, self.neighbour.clone())];
        // The loop over the thread's rows takes some of them at a time.
        let mut gone = vec![var, pair];
        let mut of_row = vec![vec![(var, term)]];
        if self.groups > 1 {
            let follows = |(v, _): &(Var, Index)| {
                self.program.cuts.values().any(|cut| cut.thread == Some(self.row) && cut.inner.mentions(*v))
            };
            let at = loops.iter().position(follows).ok_or("one row of a thread")?;
            let (old, n) = (loops[at].0, known(&loops[at].1)?);
            if !n.is_multiple_of(self.groups) {
                return Err("rows that are not taken at the same time".into());
            }
            let new = self.named(old, "some");
            loops[at] = (new, (n / self.groups).into());
            gone.push(old);
            let row = |k: u32| (old, Index::from(new) * self.groups + k);
            of_row = (0..self.groups).map(|k| vec![of_row[0][0].clone(), row(k)]).collect();
        }
        let (mut inside, mut rows, mut columns) = (lets.to_vec(), Vec::new(), Vec::new());
        for load in [first, second] {
            let Stmt::Move { to: Place::Cell(to), from: Place::Array(access, coords), width: 1, .. } = load
            else {
                return Err(refused());
            };
            let column = self.follows(coords, self.column);
            if column && self.follows(coords, self.row) {
                return Err("a factor of a row and a column".into());
            }
            if !factors.contains(to) {
                return Err(refused());
            }
            let name = self.program.allocs[to.alloc.0 as usize].name.clone();
            let of_column = [of_column.to_vec()];
            for by in if column { &of_column[..] } else { &of_row[..] } {
                let coords = coords.iter().map(|c| self.moved(c, by, &mut inside)).collect();
                let alloc = self.program.alloc(format!("{name}_of_lane"), Space::Register, Prim::F64, 1);
                let to = Cell { alloc, index: 0.into() };
                (if column { &mut columns } else { &mut rows }).push(to.clone());
                inside.push(Stmt::copy(Place::Cell(to), Place::Array(*access, coords)));
            }
        }
        let [columns] = &columns[..] else { return Err("two factors of rows, or of columns".into()) };
        let sum_of = |by: &Vec<(Var, Index)>| {
            let index =
                by[1..].iter().fold(sum.index.with(pair, &0.into()), |index, (v, to)| index.with(*v, to));
            Cell { alloc: sum.alloc, index }
        };
        let into = of_row.iter().map(sum_of).collect();
        inside.push(Stmt::Multiply { into, rows, columns: columns.clone() });
        // What is named by what the lane has numbers of its own for.
        let mut kept = |stmts: Vec<Stmt>| -> Vec<Stmt> {
            let mut own = |stmt: &Stmt| match stmt {
                Stmt::Let(v, value) if gone.iter().any(|g| value.mentions(*g)) => {
                    gone.push(*v);
                    false
                }
                _ => true,
            };
            stmts.into_iter().filter(|stmt| own(stmt)).collect()
        };
        let mut out = kept(before.to_vec());
        out.extend(nested(&loops, kept(inside)));
        if gone.iter().any(|v| mention(&out, *v)) {
            return Err("something else that follows terms".into());
        }
        Ok(Stmt::Loop { var: four, trips: (trips / TERMS).into(), axis: Axis::Unrolled, body: out })
    }

    fn named(&mut self, of: Var, suffix: &str) -> Var {
        self.program.var(format!("{}_{suffix}", self.program.vars[of.0 as usize]))
    }

    /// Whether a thread's number moves coordinates.
    fn follows(&self, coords: &[Index], thread: Var) -> bool {
        let cuts = self.program.cuts.iter().filter(|(_, cut)| cut.inner.mentions(thread));
        cuts.into_iter().any(|(v, _)| coords.iter().any(|c| c.mentions(*v)))
    }

    /// A coordinate with other numbers of threads and iterations, under names of their own.
    fn moved(&mut self, coord: &Index, by: &[(Var, Index)], lets: &mut Vec<Stmt>) -> Index {
        let cuts: Vec<(Var, Cut)> = self
            .program
            .cuts
            .iter()
            .filter(|(v, _)| coord.mentions(**v))
            .map(|(v, c)| (*v, c.clone()))
            .collect();
        cuts.into_iter().fold(coord.clone(), |coord, (v, cut)| {
            let inner = by.iter().fold(cut.inner.clone(), |inner, (v, value)| inner.with(*v, value));
            if inner == cut.inner {
                return coord;
            }
            let other = self.program.var(format!("{}_of_lane", self.program.vars[v.0 as usize]));
            let value = cut.start.clone() + inner.clone();
            let value = if cut.ragged { value.min(cut.limit.clone() - 1) } else { value };
            lets.push(Stmt::Let(other, value));
            self.program.cuts.insert(other, Cut { inner, vector: 1, thread: None, ..cut });
            coord.with(v, &other.into())
        })
    }
}

/// What names expressions at the head of statements, and the rest.
fn lets_of(stmts: &[Stmt]) -> (&[Stmt], &[Stmt]) {
    stmts.split_at(stmts.iter().position(|s| !matches!(s, Stmt::Let(..))).unwrap_or(stmts.len()))
}

/// The sum and the factors, where a leaf adds a product of two variables to a third one.
fn product(
    program: &Program,
    stmts: &[template::Stmt],
    bound: &[(LocalId, Bound)],
) -> Option<(Cell, [Cell; 2])> {
    let code = &program.code.code;
    let cell = |local: LocalId| {
        bound.iter().find_map(|(l, to)| match to {
            Bound::Cell(cell) if *l == local => {
                let alloc = &program.allocs[cell.alloc.0 as usize];
                (alloc.space == Space::Register && alloc.prim == Prim::F64).then(|| cell.clone())
            }
            _ => None,
        })
    };
    let local = |place: &template::Place| match (place.base, place.projections.as_slice()) {
        (Base::Local(local), []) => Some(local),
        _ => None,
    };
    let loaded = |e: ExprId| match &code.exprs[e.index()].expr {
        Expr::Load(place) => local(place),
        _ => None,
    };
    let pair = |e: ExprId, op: BinOp| match code.exprs[e.index()].expr {
        Expr::Binary(of, a, b) if of == op => Some((a, b)),
        _ => None,
    };
    let [template::Stmt::Assign { place, value, src: _ }] = stmts else { return None };
    let sum = local(place)?;
    let (a, b) = pair(*value, BinOp::Add)?;
    let term = [(a, b), (b, a)].into_iter().find(|(a, _)| loaded(*a) == Some(sum))?.1;
    let (a, b) = pair(term, BinOp::Mul)?;
    Some((cell(sum)?, [cell(loaded(a)?)?, cell(loaded(b)?)?]))
}
