//! The text form of device programs (`Display`), for messages and tests.
use super::{Bound, Cell, Place, Program, Stmt};
use std::fmt;

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "grid {} threads {}", self.grid, self.threads)?;
        for (n, a) in self.allocs.iter().enumerate() {
            writeln!(f, "m{n} = {:?} {:?} {}[{}]", a.space, a.prim, a.name, a.len)?;
        }
        self.body.iter().try_for_each(|stmt| self.stmt(f, stmt, 0))
    }
}

impl Program {
    fn stmt(&self, f: &mut fmt::Formatter<'_>, stmt: &Stmt, depth: usize) -> fmt::Result {
        write!(f, "{:1$}", "", 2 * depth)?;
        match stmt {
            Stmt::Let(var, value) => writeln!(f, "v{} ({}) = {value}", var.0, self.vars[var.0 as usize])?,
            Stmt::Loop { var, trips, axis, .. } => {
                writeln!(f, "{axis:?} v{} ({}) < {trips}", var.0, self.vars[var.0 as usize])?;
            }
            Stmt::If { less, .. } => {
                let all: Vec<_> = less.iter().map(|(a, b)| format!("{a} < {b}")).collect();
                writeln!(f, "if {}", all.join(", "))?;
            }
            Stmt::When { cond, .. } => writeln!(f, "when {}", show(cond))?,
            Stmt::Move { to, from, width, asynchronous } => {
                let how = if *asynchronous { " async" } else { "" };
                writeln!(f, "{} <- {} x{width}{how}", self.place(to), self.place(from))?;
            }
            Stmt::Leaf { stmts, bound } => {
                let of = |(local, to): &(omp_ir::ids::LocalId, Bound)| {
                    let name = &self.code.code.locals[local.index()].name;
                    match to {
                        Bound::Cell(cell) => format!("{name}={}", show(cell)),
                        Bound::Value(value) => format!("{name}={value}"),
                    }
                };
                let bound: Vec<_> = bound.iter().map(of).collect();
                writeln!(f, "{} statements with {}", stmts.len(), bound.join(" "))?;
            }
            Stmt::Multiply { into, rows, columns } => {
                let [into, rows] =
                    [into, rows].map(|cells| cells.iter().map(show).collect::<Vec<_>>().join(", "));
                writeln!(f, "{into} += {rows} · {}", show(columns))?;
            }
            Stmt::Barrier => writeln!(f, "barrier")?,
            Stmt::Commit => writeln!(f, "commit")?,
            Stmt::Wait(n) => writeln!(f, "wait {n}")?,
        }
        stmt.inner().iter().try_for_each(|stmt| self.stmt(f, stmt, depth + 1))
    }

    fn place(&self, place: &Place) -> String {
        match place {
            Place::Cell(cell) => show(cell),
            Place::Array(access, coords) => {
                let coords: Vec<_> = coords.iter().map(ToString::to_string).collect();
                format!("array{}{{{}}}", self.accesses[*access as usize].array.0, coords.join(", "))
            }
        }
    }
}

fn show(cell: &Cell) -> String {
    format!("m{}[{}]", cell.alloc.0, cell.index)
}
