//! Unroll and jam: several iterations in one thread of a grid (`schedule/nests/unroll_and_jam.rs` explains why that is correct). Each iteration has
//! its own names, and the statements of the iterations are interleaved.
use super::super::body::Body;
use super::super::operator;
use crate::back::Arg;
use crate::schedule::Jammed;
use omp_ir::flow::early_exit::may_leave;
use omp_ir::ids::LocalId;
use omp_ir::template::{Base, Stmt};

/// The iterations while their statements are written.
pub(crate) struct UnrollAndJam {
    jammed: Jammed,
    dim: usize,
    copies: Vec<Copy>,
    /// They are neighbours whose accesses compilers merge.
    is_group: bool,
}

/// One of them: names of the locals, and expressions of the parallel variables' values.
struct Copy {
    locals: Vec<String>,
    vars: Vec<String>,
}

/// Writes `jam` iterations along dimension `dim`, the first of which has the number `ks[dim]`; `ks` are those of
/// all dimensions. Where the grid is `guarded`, the last ones may be fewer.
pub(crate) fn write(body: &mut Body<'_, '_>, ks: &[String], dim: usize, jam: u32, guarded: bool) {
    let Some(jammed) = Jammed::new(body.w.kernel, dim) else { return alone(body, ks, dim, jam) };
    if guarded {
        let count = body.arg(Arg::DimCount(dim as u32));
        body.out.open(format!("if ({} + {jam}u <= {count}) {{", ks[dim]));
    } else {
        body.out.open("{");
    }
    interleaved(body, jammed, ks, dim, (jam, None));
    if guarded {
        body.out.close("} else {");
        body.out.depth += 1;
        alone(body, ks, dim, jam);
    }
    body.out.close("}");
}

/// Writes `jam` iterations along dimension `dim`, all of which there are. The first one's variable is `place` modulo
/// `jam`, which the text states for compilers.
pub(crate) fn write_aligned(body: &mut Body<'_, '_>, ks: &[String], dim: usize, (jam, place): (u32, u32)) {
    let jammed = Jammed::new(body.w.kernel, dim).expect("the schedule has looked");
    interleaved(body, jammed, ks, dim, (jam, Some(place)));
}

fn interleaved(
    body: &mut Body<'_, '_>,
    jammed: Jammed,
    ks: &[String],
    dim: usize,
    (jam, place): (u32, Option<u32>),
) {
    let code = body.code;
    let first = body.locals.clone();
    let mut copies = vec![Copy { locals: first.clone(), vars: Vec::new() }];
    for _ in 1..jam {
        let rename = |(i, name): (usize, &String)| {
            if jammed.is_shared(code, LocalId::new(i)) { name.clone() } else { body.name(name) }
        };
        copies.push(Copy { locals: first.iter().enumerate().map(rename).collect(), vars: Vec::new() });
    }
    for d in (0..ks.len()).filter(|&d| d != dim) {
        body.declare_dim(d, &ks[d]);
    }
    for (u, copy) in copies.iter_mut().enumerate() {
        body.locals.clone_from(&copy.locals);
        match u {
            0 => {
                body.declare_dim(dim, &ks[dim]);
                if let Some(place) = place {
                    let var = &body.locals[body.w.kernel.template.dims[dim].var.index()];
                    body.out.line(format!("__builtin_assume(({var} & {}) == {place});", jam - 1));
                }
            }
            _ => {
                let var = body.w.kernel.template.dims[dim].var;
                body.declare_dim_after(dim, &first[var.index()], &ks[dim], u as u32);
            }
        }
        body.know_vars();
        copy.vars.clone_from(&body.vars);
        body.declare_private();
    }
    // Each iteration reduces into its own variables, because a statement only reads or only writes them.
    body.locals.clone_from(&first);
    let items = operator::items(body);
    let reductions = &body.w.kernel.template.reductions;
    let sums: Vec<_> = items.iter().map(|(k, _)| reductions[*k].local().map_or(0, LocalId::index)).collect();
    for copy in &copies[1..] {
        for ((_, item), &local) in items.iter().zip(&sums) {
            body.out.line(format!("{} {} = {};", item.ty, copy.locals[local], item.start));
        }
    }
    let names: Vec<Vec<String>> =
        copies[1..].iter().map(|copy| sums.iter().map(|&l| copy.locals[l].clone()).collect()).collect();
    let jam = UnrollAndJam { jammed, dim, copies, is_group: place.is_some() };
    body.take(&jam.copies[0]);
    body.jam = Some(jam);
    body.next = None;
    let start = body.out.text.len();
    body.statements(&code.code.block.0);
    body.jam = None;
    body.locals = first;
    if let Some(next) = body.next.take() {
        // No jump may lead into the scope of a declaration.
        let text = body.out.text.split_off(start);
        body.out.line("{");
        body.out.text.push_str(&text);
        body.out.line("}");
        body.out.line(format!("{next}:;"));
    }
    for ((_, item), name) in names.iter().flat_map(|names| items.iter().zip(names)) {
        let sum = body.combine(&item.reducer, &item.local, name, "&cx");
        body.out.line(format!("{} = {};", item.local, super::super::expr::bare(&sum)));
    }
}

/// One after the other.
fn alone(body: &mut Body<'_, '_>, ks: &[String], dim: usize, jam: u32) {
    let (c, count, k) = (body.counter(), body.arg(Arg::DimCount(dim as u32)), body.name("k"));
    let (from, left) = (&ks[dim], body.name("left"));
    body.out
        .line(format!("const {c} {left} = ({c}){count} - {from} < {jam}u ? ({c}){count} - {from} : {jam}u;"));
    body.out.open(format!("for ({c} {k} = 0; {k} < {left}; {k}++) {{"));
    for (d, other) in ks.iter().enumerate() {
        let number = if d == dim { format!("({from} + {k})") } else { other.clone() };
        body.declare_dim(d, &number);
    }
    body.iteration();
    body.out.close("}");
}

impl Body<'_, '_> {
    /// Statements of all iterations: jammed loops once; the statements between them iteration by iteration, so that compilers
    /// forward what an iteration stores and then loads. For a group of neighbours, each statement for all of them.
    pub(crate) fn joint_statements(&mut self, stmts: &[Stmt]) {
        if let Some(jam) = self.jam.take_if(|jam| jam.is_group && !may_leave(stmts, &mut Vec::new())) {
            for stmt in stmts {
                self.in_step(stmt, &jam);
            }
            self.take(&jam.copies[0]);
            self.jam = Some(jam);
            return;
        }
        let mut rest = stmts;
        while let Some(jam) = self.jam.take_if(|_| !rest.is_empty()) {
            let apart = rest.iter().take_while(|stmt| !jam.jammed.runs_once(self.code, stmt)).count();
            // All of them load before the first one stores, because a compiler keeps loads after stores to the same array.
            let store = rest[..apart].last().filter(|stmt| {
                matches!(stmt, Stmt::Assign { place, .. } if matches!(place.base, Base::Array(_)))
                    && !may_leave(&rest[..apart], &mut Vec::new())
            });
            let each = apart - usize::from(store.is_some());
            for copy in jam.copies.iter().take(if apart == 0 { 1 } else { jam.copies.len() }) {
                self.take(copy);
                let before = self.out.text.len();
                self.set_iteration(&jam);
                let length = self.out.text.len();
                self.statements(&rest[..each]);
                if self.out.text.len() == length && apart > 0 {
                    self.out.text.truncate(before);
                }
            }
            if let Some(store) = store {
                self.in_step(store, &jam);
            }
            self.take(&jam.copies[0]);
            self.jam = Some(jam);
            if apart == 0 {
                self.stmt(&rest[0]);
            }
            rest = &rest[apart.max(1)..];
        }
    }

    /// One statement of each iteration. What all of them store is computed first: compilers don't merge stores with loads of the same
    /// array between them, and iterations don't read what others store.
    fn in_step(&mut self, stmt: &Stmt, jam: &UnrollAndJam) {
        let mut stores = Vec::new();
        for copy in &jam.copies {
            self.take(copy);
            self.set_iteration(jam);
            match stmt {
                Stmt::Assign { place, value, src: _ }
                    if matches!(place.base, Base::Array(_)) && !self.w.types.is_empty(self.ty(*value)) =>
                {
                    let (ty, text) = (self.ty(*value), self.settled(*value));
                    let (c, name) = (self.w.value_type(ty), self.name("stored"));
                    self.out.line(format!("const {c} {name} = {};", super::super::expr::bare(&text)));
                    stores.push(format!("{} = {name};", self.place(place).text));
                }
                _ => self.stmt(stmt),
            }
        }
        stores.into_iter().for_each(|store| self.out.line(store));
    }

    fn take(&mut self, copy: &Copy) {
        self.locals.clone_from(&copy.locals);
        self.vars.clone_from(&copy.vars);
    }

    /// Puts the iteration into the context, for failure records.
    fn set_iteration(&mut self, jam: &UnrollAndJam) {
        if self.context
            && let Some(var) =
                self.vars.get(jam.dim).filter(|_| jam.dim < crate::back::c::stmt::check::MAX_VARS)
        {
            self.out.line(format!("cx.vars[{}] = {var};", jam.dim));
        }
    }
}
