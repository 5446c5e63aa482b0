//! Register fragments: elements that register loops read repeatedly from shared memory are loaded to registers before
//! the loops, as vectors where they are contiguous. What an unrolled loop stores side by side in shared memory is stored as vectors, too.
use super::{Refused, change, known, linear, nest_of, nested};
use crate::program::{AllocId, Axis, Cell, Index, Keep, Place, Program, Space, Stmt, Var, WIDEST, with};

/// Loads the fragments of all register loops before them.
///
/// # Errors
/// The iterations of a register loop are no number.
pub fn fragments(program: &mut Program) -> Result<(), Refused> {
    change(program, list)
}

fn list(program: &mut Program, stmts: Vec<Stmt>) -> Result<Vec<Stmt>, Refused> {
    let mut out = Vec::new();
    for stmt in stmts {
        match stmt {
            Stmt::Loop { axis: Axis::Register, .. } => {
                let (loops, inside) = nest_of(&stmt);
                let (loads, compute) = nest(program, &loops, inside, None)?;
                out.extend(loads.into_iter().chain(compute));
            }
            Stmt::Loop { var, trips, axis: Axis::Unrolled, body } => {
                out.extend(unrolled(program, var, &trips, body)?);
            }
            Stmt::Loop { var, trips, axis, body } => {
                let body = list(program, body)?;
                out.push(Stmt::Loop { var, trips, axis, body });
            }
            other => out.push(other),
        }
    }
    Ok(out)
}

/// An unrolled loop: what lies side by side along it is read in vectors, too.
fn unrolled(program: &mut Program, var: Var, trips: &Index, body: Vec<Stmt>) -> Result<Vec<Stmt>, Refused> {
    let again = |body: Vec<Stmt>| vec![Stmt::Loop { var, trips: trips.clone(), axis: Axis::Unrolled, body }];
    let at = body.iter().position(|s| !matches!(s, Stmt::Let(..))).unwrap_or(body.len());
    let (lets, rest) = body.split_at(at);
    let (loops, inside) = match rest {
        [unit @ Stmt::Loop { axis: Axis::Register, .. }] => nest_of(unit),
        flat if flat.iter().all(|s| s.inner().is_empty()) => (Vec::new(), flat),
        _ => {
            let mut body = list(program, body)?;
            let mut out = slide(program, (var, trips), &mut body)?;
            out.extend(again(body));
            return Ok(out);
        }
    };
    let n = known(trips)?;
    let slides = |cell: &Cell| slides(program, &loops, (var, n), cell);
    // Threads that load windows themselves read rows of what the block shares as if they slid, too.
    let direct = program.accesses.iter().any(|a| matches!(a.keep, Keep::Window(_)));
    let rows = |cell: &Cell| direct && walks_row(program, &loops, (var, n), cell).is_some();
    if inside.iter().any(
        |s| matches!(s, Stmt::Move { from: Place::Cell(cell), .. } if slides(cell).is_some() || rows(cell)),
    ) {
        let (mut out, body) = windows(program, &loops, (var, n), inside)?;
        let (loads, compute) = nest(program, &loops, &body, None)?;
        out.extend(again(lets.iter().cloned().chain(loads).chain(compute).collect()));
        return Ok(out);
    }
    let along = |place: &Place| match place {
        Place::Cell(cell) if is_shared(program, cell) && walks(program, &cell.index, var) => {
            Some(width(program, cell.alloc))
        }
        _ => None,
    };
    let ends = |s: &Stmt| match s {
        Stmt::Move { to, from, .. } => [along(from), along(to)],
        _ => [None; 2],
    };
    let [loads, stores] = [0, 1].map(|end| inside.iter().filter_map(|s| ends(s)[end]).min());
    let Some(wide) = loads.or(stores).filter(|w| n.is_multiple_of(*w) && *w > 1) else {
        let (loads, compute) = nest(program, &loops, inside, None)?;
        return Ok(again(lets.iter().cloned().chain(loads).chain(compute).collect()));
    };
    let name = program.vars[var.0 as usize].clone();
    let (group, place) = (program.var(format!("{name}_g")), program.var(format!("{name}_r")));
    let value = Index::from(group) * wide + Index::from(place);
    let inside = with(inside, var, &value);
    // The fragments come first, for all of the vector.
    let (mut out, mut compute) = nest(program, &loops, &inside, Some((place, wide)))?;
    let stores = stores_of(program, (place, wide), &mut compute);
    let body = with(lets, var, &value).into_iter().chain(compute).collect();
    out.push(Stmt::Loop { var: place, trips: wide.into(), axis: Axis::Unrolled, body });
    out.extend(stores);
    Ok(vec![Stmt::Loop { var: group, trips: (n / wide).into(), axis: Axis::Unrolled, body: out }])
}

/// Whether an unrolled loop walks shared memory element by element; down only if it carries elements.
fn walks(program: &Program, index: &Index, var: Var) -> bool {
    match index.coefficient(var) {
        Some(1) => true,
        Some(-1) => !program.carried.is_empty(),
        _ => false,
    }
}

/// The stores of vectors after a loop, of what its iterations store side by side in shared memory: they put it into registers instead.
fn stores_of(program: &mut Program, (var, trips): (Var, u32), body: &mut [Stmt]) -> Vec<Stmt> {
    let mut out = Vec::new();
    for stmt in body {
        let Stmt::Move { to: Place::Cell(to), from: Place::Cell(from), width: 1, .. } = stmt else {
            continue;
        };
        let Some((start, at)) = to.index.walk(var, trips).filter(|_| walks(program, &to.index, var)) else {
            continue;
        };
        let most = width(program, to.alloc);
        let fits = |w: &u32| trips.is_multiple_of(*w) && start.is_multiple_of((*w).into());
        let wide = (0..=most.ilog2()).rev().map(|power| 1 << power).find(fits).unwrap_or(1);
        if wide == 1 || !is_shared(program, to) || is_shared(program, from) {
            continue;
        }
        let (name, prim) = {
            let of = &program.allocs[to.alloc.0 as usize];
            (format!("{}_part", of.name), of.prim)
        };
        let part = program.alloc(name, Space::Register, prim, trips);
        for first in (0..trips).step_by(wide as usize) {
            let to = Place::Cell(Cell { alloc: to.alloc, index: start.clone() + first });
            let from = Place::Cell(Cell { alloc: part, index: first.into() });
            out.push(Stmt::Move { to, from, width: wide, asynchronous: false });
        }
        *stmt = Stmt::copy(Place::Cell(Cell { alloc: part, index: at }), Place::Cell(from.clone()));
    }
    out
}

fn is_shared(program: &Program, cell: &Cell) -> bool {
    program.allocs[cell.alloc.0 as usize].space == Space::Shared
}

fn width(program: &Program, alloc: AllocId) -> u32 {
    WIDEST / program.allocs[alloc.0 as usize].prim.size() as u32
}

/// The fragments of what register loops run, and the loops; `around`: an unrolled loop around them that fragments are loaded
/// for as a whole.
fn nest(
    program: &mut Program,
    loops: &[(Var, Index)],
    inside: &[Stmt],
    around: Option<(Var, u32)>,
) -> Result<(Vec<Stmt>, Vec<Stmt>), Refused> {
    let (mut out, mut body) = (Vec::new(), inside.to_vec());
    let mut at = 0;
    while at < body.len() {
        let hoisted = match &body[at] {
            Stmt::Move { to: Place::Cell(to), from: Place::Cell(from), width: 1, .. }
                if is_shared(program, from) && !is_shared(program, to) =>
            {
                Some((to.alloc, from.clone()))
            }
            _ => None,
        };
        let Some((to, from)) = hoisted else {
            at += 1;
            continue;
        };
        body.remove(at);
        let all = loops.iter().cloned().chain(around.map(|(var, n)| (var, Index::from(n))));
        let needed: Vec<_> = all.filter(|(var, _)| from.index.mentions(*var)).collect();
        let (place, len) = linear(&needed)?;
        let prim = program.allocs[from.alloc.0 as usize].prim;
        let name = format!("{}_part", program.allocs[to.0 as usize].name);
        let part = program.alloc(name, Space::Register, prim, len);
        // Registers have elements in the order of memory.
        let (mut from, mut at) = (from, place.clone());
        if let Some((var, n)) = around
            && from.index.coefficient(var) == Some(-1)
            && walks(program, &from.index, var)
        {
            let turned = Index::from(n - 1) - Index::from(var);
            from.index = from.index.with(var, &turned);
            at = at.with(var, &turned);
        }
        out.extend(load(program, &needed, (part, place), &from)?);
        for stmt in &mut body {
            stmt.cells_mut(&mut |cell| {
                if cell.alloc == to {
                    *cell = Cell { alloc: part, index: at.clone() };
                }
            });
        }
    }
    Ok((out, nested(loops, body)))
}

/// Shared memory that an unrolled loop walks element by element, up or down.
struct Row {
    /// The register loop that moves along it, too, and its trips: the elements that both read are a window.
    along: Option<(Var, u32)>,
    /// Its lowest place.
    start: Index,
    /// How far from there an iteration of the unrolled loop is.
    at: Index,
}

/// The window that an unrolled loop and a register loop move along.
fn slides(program: &Program, loops: &[(Var, Index)], (var, trips): (Var, u32), cell: &Cell) -> Option<Row> {
    let (along, places) = loops.iter().find(|(v, _)| cell.index.coefficient(*v) == Some(1))?;
    let (start, at) = cell.index.walk(var, trips).filter(|_| is_shared(program, cell))?;
    Some(Row { along: Some((*along, known(places).ok()?)), start: start.with(*along, &0.into()), at })
}

/// The row that an unrolled loop walks, the same for all places of a thread.
fn walks_row(
    program: &Program,
    loops: &[(Var, Index)],
    (var, trips): (Var, u32),
    cell: &Cell,
) -> Option<Row> {
    let same = is_shared(program, cell) && !loops.iter().any(|(v, _)| cell.index.mentions(*v));
    let (start, at) = cell.index.walk(var, trips).filter(|_| same)?;
    Some(Row { along: None, start, at })
}

/// Keeps the rows of windows that an iteration of an unrolled loop shares with the one before it in registers. Gives the loads of the
/// rows before the first iteration; each iteration loads its last row, or if the loop goes down, its first one.
pub(super) fn slide(
    program: &mut Program,
    (var, trips): (Var, &Index),
    body: &mut [Stmt],
) -> Result<Vec<Stmt>, Refused> {
    let (mut before, trips) = (Vec::new(), known(trips)?);
    for at in 0..body.len() {
        let (loops, inside) = nest_of(&body[at]);
        let Some((to, from)) = loaded(program, inside) else { continue };
        let moved = |v: Var, by: i64| {
            let mut from = from.clone();
            from.iter_mut().for_each(|index| *index = index.with(v, &(Index::from(v) + by)));
            from
        };
        let same =
            |v: Var, by: i64| moved(v, 1).iter().zip(&moved(var, by)).all(|(row, turn)| row.is_same(turn));
        let found =
            loops.iter().filter(|(v, _)| from.iter().any(|index| index.mentions(*v))).find_map(|(v, n)| {
                let down = [false, true].into_iter().find(|down| same(*v, if *down { -1 } else { 1 }))?;
                Some((*v, n, down))
            });
        let Some((row, rows, down)) = found else { continue };
        let (rows, part) = (known(rows)?, to.alloc);
        let names = body.iter().any(|s| matches!(s, Stmt::Let(v, _) if from.iter().any(|i| i.mentions(*v))));
        let len = program.allocs[part.0 as usize].len;
        // The row is what moves the register's place most.
        let pitch = to.index.coefficient(row).and_then(|pitch| u32::try_from(pitch).ok()).unwrap_or(0);
        if names
            || rows < 2
            || pitch * rows != len
            || program.allocs[part.0 as usize].space != Space::Register
        {
            continue;
        }
        // Registers have the rows in the order of memory.
        let turn = if down { Index::from(trips - 1) - Index::from(var) } else { var.into() };
        let slid = |cell: &mut Cell| {
            if cell.alloc == part {
                cell.index = cell.index.clone() + turn.clone() * pitch;
            }
        };
        let load = |row_is: &Index, var_is: &Index| {
            let mut load = inside.to_vec();
            load.iter_mut().for_each(|stmt| stmt.cells_mut(&mut |cell| slid(cell)));
            with(&with(&load, row, row_is), var, var_is)
        };
        let first: Vec<_> = loops
            .iter()
            .map(|(v, n)| (*v, if *v == row { Index::from(rows - 1) } else { n.clone() }))
            .collect();
        let (kept, new) = if down { (Index::from(row) + 1, 0) } else { (row.into(), rows - 1) };
        before.extend(nested(&first, load(&kept, &0.into())));
        let others: Vec<_> = loops.iter().filter(|(v, _)| *v != row).cloned().collect();
        let each = nested(&others, load(&new.into(), &var.into()));
        let [each] = <[Stmt; 1]>::try_from(each).map_err(|_| "a load that is no statement".to_owned())?;
        program.allocs[part.0 as usize].len = pitch * (rows + trips - 1);
        for (n, stmt) in body.iter_mut().enumerate() {
            if n == at {
                *stmt = each.clone();
            } else {
                stmt.cells_mut(&mut |cell| slid(cell));
            }
        }
    }
    Ok(before)
}

/// The registers that statements load from shared memory or from an array, and what decides on the place that they are loaded
/// from: they are one move, or one under a condition.
fn loaded(program: &Program, stmts: &[Stmt]) -> Option<(Cell, Vec<Index>)> {
    let [stmt] = stmts else { return None };
    match stmt {
        Stmt::If { less, body } => {
            let (to, mut from) = loaded(program, body)?;
            from.extend(less.iter().flat_map(|(a, b)| [a.clone(), b.clone()]));
            Some((to, from))
        }
        Stmt::Move { to: Place::Cell(to), from: Place::Cell(from), .. } if is_shared(program, from) => {
            Some((to.clone(), vec![from.index.clone()]))
        }
        Stmt::Move { to: Place::Cell(to), from: Place::Array(_, coords), .. } => {
            Some((to.clone(), coords.clone()))
        }
        _ => None,
    }
}

/// Loads the windows of a loop before it: elements that its iterations share come once, in vectors. Gives the loads, and
/// the body that reads them.
fn windows(
    program: &mut Program,
    loops: &[(Var, Index)],
    (var, trips): (Var, u32),
    inside: &[Stmt],
) -> Result<(Vec<Stmt>, Vec<Stmt>), Refused> {
    let (mut out, mut body) = (Vec::new(), Vec::new());
    let mut renamed = Vec::new();
    for stmt in inside {
        let Stmt::Move { to: Place::Cell(to), from: Place::Cell(from), width: 1, .. } = stmt else {
            body.push(stmt.clone());
            continue;
        };
        let most = width(program, from.alloc);
        let whole = |row: &Row| trips >= most && row.start.is_multiple_of(most.into());
        let found = slides(program, loops, (var, trips), from)
            .or_else(|| walks_row(program, loops, (var, trips), from).filter(whole));
        let Some(Row { along, start, at: turn }) = found else {
            body.push(stmt.clone());
            continue;
        };
        let (along, places) = along.map_or((None, 1), |(along, places)| (Some(along), places));
        // A vector begins at a multiple of its elements.
        let wide = (0..=most.ilog2())
            .rev()
            .map(|power| 1 << power)
            .find(|w: &u32| start.is_multiple_of((*w).into()));
        let wide = wide.unwrap_or(1);
        let len = (places + trips - 1).next_multiple_of(wide);
        let others: Vec<_> =
            loops.iter().filter(|(v, _)| Some(*v) != along && from.index.mentions(*v)).cloned().collect();
        let (place, rows) = linear(&others)?;
        let prim = program.allocs[from.alloc.0 as usize].prim;
        let name = format!("{}_window", program.allocs[to.alloc.0 as usize].name);
        let part = program.alloc(name, Space::Register, prim, rows * len);
        let at = program.var("window");
        let load = Stmt::Move {
            to: Place::Cell(Cell { alloc: part, index: place.clone() * len + Index::from(at) * wide }),
            from: Place::Cell(Cell { alloc: from.alloc, index: start + Index::from(at) * wide }),
            width: wide,
            asynchronous: false,
        };
        let mut all = others;
        all.push((at, (len / wide).into()));
        out.extend(nested(&all, vec![load]));
        renamed.push((
            to.alloc,
            Cell {
                alloc: part,
                index: along.into_iter().fold(place * len + turn, |at, along| at + Index::from(along)),
            },
        ));
    }
    for stmt in &mut body {
        stmt.cells_mut(&mut |cell| {
            if let Some((_, part)) = renamed.iter().find(|(to, _)| *to == cell.alloc) {
                *cell = part.clone();
            }
        });
    }
    Ok((out, body))
}

/// Loads a fragment, in vectors along the loop that walks it element by element.
fn load(
    program: &Program,
    loops: &[(Var, Index)],
    (part, place): (AllocId, Index),
    from: &Cell,
) -> Result<Vec<Stmt>, Refused> {
    let mut loops = loops.to_vec();
    let walks = |(var, trips): &(Var, Index)| {
        let most = width(program, from.alloc);
        let n = known(trips).unwrap_or(1);
        let start = from.index.with(*var, &0.into());
        let fits =
            |w: &u32| n.is_multiple_of(*w) && most.is_multiple_of(*w) && start.is_multiple_of((*w).into());
        let wide = (1..=most.min(n)).rev().find(fits).unwrap_or(1);
        let unit = from.index.coefficient(*var) == Some(1) && place.coefficient(*var) == Some(1);
        (unit && wide > 1).then_some(wide)
    };
    let found = loops.iter().position(|l| walks(l).is_some());
    let (mut from, mut to, mut wide) = (from.clone(), Cell { alloc: part, index: place.clone() }, 1);
    if let Some(k) = found {
        wide = walks(&loops[k]).unwrap_or(1);
        let (var, n) = (loops[k].0, known(&loops[k].1)?);
        let value = if n == wide { Index::Const(0) } else { Index::from(var) * wide };
        from.index = from.index.with(var, &value);
        to.index = to.index.with(var, &value);
        if n == wide {
            loops.remove(k);
        } else {
            loops[k].1 = (n / wide).into();
        }
    }
    let load = Stmt::Move { to: Place::Cell(to), from: Place::Cell(from), width: wide, asynchronous: false };
    Ok(nested(&loops, vec![load]))
}
