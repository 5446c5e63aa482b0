//! Prints device programs as CUDA C++ or OpenCL C: loops, moves, barriers, leaves and matrix instructions.
use super::super::body::{Body, Leave};
use super::super::types::Space as MemorySpace;
use super::super::writer::Constant;
use crate::back::c::expr::place::{Held, Placed};
use crate::back::{Arg, Dialect};
use crate::program::{Axis, Bound, Cell, Index, Op, Place, Program, Space, Stmt, Term, Var};
use omp_ir::analysis::plan::Iterations;
use omp_ir::desc::Prim;
use omp_ir::ids::TyId;
use omp_ir::kernel::Ty;
use std::collections::BTreeMap;

/// Writes a program as the kernel's body.
pub(crate) fn write(body: &mut Body<'_, '_>, program: &Program) {
    let mut printer = Printer {
        vars: program.vars.iter().map(|name| body.name(name)).collect(),
        allocs: program.allocs.iter().map(|a| body.name(&a.name)).collect(),
        block: body.name("block"),
        thread: body.name("thread"),
        terms: BTreeMap::new(),
        bases: BTreeMap::new(),
        constants: BTreeMap::new(),
        shared: BTreeMap::new(),
        depths: vec![0; program.vars.len()],
        depth: 0,
        body,
        program,
    };
    printer.body.begin();
    let border = printer.border();
    printer.body.leave = Leave::Deferred;
    printer.allocations();
    printer.begin_blocks(border.as_deref());
    printer.numbers();
    printer.stmts(&program.body);
}

struct Printer<'b, 'w, 'k> {
    body: &'b mut Body<'w, 'k>,
    program: &'b Program,
    vars: Vec<String>,
    allocs: Vec<String>,
    block: String,
    thread: String,
    terms: BTreeMap<Term, String>,
    /// By array: a pointer to its element 0.
    bases: BTreeMap<u32, String>,
    /// By access: the variable in constant memory that it is read from.
    constants: BTreeMap<u32, String>,
    /// By allocation: its address in shared memory, from which registers are loaded.
    shared: BTreeMap<u32, String>,
    /// By variable: how many loops that are not unrolled change it; those of unrolled loops are numbers.
    depths: Vec<u32>,
    /// How many such loops are around.
    depth: u32,
}

impl Printer<'_, '_, '_> {
    fn allocations(&mut self) {
        let cuda = self.body.w.syntax.dialect == Dialect::Cuda;
        let dynamic = self.program.dynamic_bytes();
        let (memory, mut at) = (self.body.name("shared_memory"), 0);
        if dynamic > 0 {
            let declare = self.helper("SHARED_MEMORY");
            self.body.out.line(format!("{declare}({memory}, {dynamic});"));
        }
        for (alloc, name) in self.program.allocs.clone().iter().zip(&self.allocs.clone()) {
            let c = super::super::helpers::c_name(alloc.prim);
            let shared = self.body.w.syntax.shared;
            let line = match (alloc.space, cuda) {
                _ if !self.is_used(name) => continue,
                (Space::Register, _) if alloc.zeroed => format!("{c} {name}[{}] = {{0}};", alloc.len),
                (Space::Register, _) => format!("{c} {name}[{}];", alloc.len),
                (Space::Shared, _) if dynamic > 0 => {
                    let first = at;
                    at += alloc.bytes();
                    format!("{c}* const {name} = ({c}*)({memory} + {first});")
                }
                (Space::Shared, true) => format!("{shared}__align__(16) {c} {name}[{}];", alloc.room()),
                (Space::Shared, false) => {
                    format!("{shared}{c} {name}[{}] __attribute__((aligned(16)));", alloc.room())
                }
            };
            self.body.out.line(line);
        }
        for at in 0..self.allocs.len() {
            if self.is_addressed(at, &self.program.body) {
                let name = self.allocs[at].clone();
                let address = self.body.name(&format!("{name}_at"));
                self.body.out.line(format!("const u32 {address} = (u32)__cvta_generic_to_shared({name});"));
                self.shared.insert(at as u32, address);
            }
        }
    }

    /// Whether instructions take an allocation's address in shared memory: loads of registers, asynchronous copies.
    fn is_addressed(&self, alloc: usize, stmts: &[Stmt]) -> bool {
        let is_it = |cell: &Cell| cell.alloc.0 as usize == alloc;
        stmts.iter().any(|stmt| match stmt {
            Stmt::Move { to: Place::Cell(to), asynchronous: true, .. } => is_it(to),
            Stmt::Move { to, from, width, asynchronous: false } => {
                self.loaded(to, from, *width).is_some_and(|(_, from)| is_it(from))
            }
            _ => self.is_addressed(alloc, stmt.inner()),
        })
    }

    /// The address in shared memory of a cell: what is a number once loops are unrolled goes into the instruction.
    fn address(&self, cell: &Cell) -> String {
        let alloc = &self.program.allocs[cell.alloc.0 as usize];
        let (at, size) = (alloc.lies_at(&cell.index), alloc.prim.size());
        self.summands(&at).iter().fold(self.shared[&cell.alloc.0].clone(), |sum, part| {
            format!("{sum} + (u32)({}) * {size}", super::super::expr::bare(&self.index(part)))
        })
    }

    /// Where a move loads registers from shared memory, of a size that an instruction has: its ends. NVRTC addresses
    /// shared memory by 64 bits, which costs products of matrices 3 to 9 % of their time; the instruction takes 32.
    fn loaded<'p>(&self, to: &Place, from: &'p Place, width: u32) -> Option<(Cell, &'p Cell)> {
        let Place::Cell(source) = from else { return None };
        let alloc = &self.program.allocs[source.alloc.0 as usize];
        let size = alloc.prim.size() as u32;
        let fits = matches!(size, 4 | 8) && matches!(width * size, 4 | 8 | 16);
        let cuda = self.body.w.syntax.dialect == Dialect::Cuda;
        // Compilers order accesses of C, which instructions are not.
        let shared = cuda && alloc.space == Space::Shared && !alloc.mixed;
        if shared && fits { Some((self.register(to)?, source)) } else { None }
    }

    /// Whether a statement touches an allocation.
    fn is_used(&self, name: &str) -> bool {
        let at = self.allocs.iter().position(|n| n == name);
        let used = crate::program::touched(&self.program.body);
        at.is_some_and(|at| used.iter().any(|a| a.0 as usize == at))
    }

    /// The first blocks run the iterations outside of the interior, one by one; gives how many blocks these are.
    ///
    /// For each loop there is a box of the iterations before and after the interior's along it, within the interior along the loops
    /// around it, and all iterations along the loops in it.
    fn border(&mut self) -> Option<String> {
        let code = self.body.w.border?;
        let inside = std::mem::replace(&mut self.body.code, code);
        let names = self.body.locals.clone();
        (self.body.at_border, self.body.checked) = (true, code.overflow_checks);
        self.body.narrow_dims();
        let s = self.body.w.syntax;
        let dims = self.body.w.kernel.template.dims.len();
        let (mut counts, mut inner, mut starts) = (Vec::new(), Vec::new(), Vec::new());
        for d in 0..dims as u32 {
            counts.push(format!("(u32){}", self.body.arg(Arg::DimCount(d))));
            inner.push(format!("(u32){}", self.body.arg(Arg::Term(Iterations::Interior, Term::Trips(d)))));
            starts.push(format!("(u32){}", self.body.arg(Arg::InsideStart(d))));
        }
        let rest: Vec<String> = (0..dims).map(|d| format!("({} - {})", counts[d], inner[d])).collect();
        let extent = |of: usize, d: usize| match d.cmp(&of) {
            std::cmp::Ordering::Less => inner[d].clone(),
            std::cmp::Ordering::Equal => rest[d].clone(),
            std::cmp::Ordering::Greater => counts[d].clone(),
        };
        let mut sizes = Vec::new();
        for of in 0..dims {
            let name = self.body.name("border");
            let size: Vec<_> = (0..dims).map(|d| extent(of, d)).collect();
            self.body.out.line(format!("const u32 {name} = {};", size.join(" * ")));
            sizes.push(name);
        }
        let (all, threads) = (sizes.join(" + "), self.program.threads);
        let blocks = self.body.name("border_blocks");
        self.body.out.line(format!("const u32 {blocks} = ({all} + {}u) / {threads}u;", threads - 1));
        self.body.out.open(format!("if ((u32){} < {blocks}) {{", s.block_id(0)));
        let (t, k): (_, Vec<_>) = (self.body.name("t"), (0..dims).map(|_| self.body.name("k")).collect());
        self.body.out.line(format!(
            "u32 {t} = (u32){} * {threads}u + (u32){};",
            s.block_id(0),
            s.thread_id(0)
        ));
        self.body.out.line(format!("if ({t} >= {all}) return;"));
        self.body.out.line(format!("u32 {};", k.join(", ")));
        for of in 0..dims {
            let last = of + 1 == dims;
            match (of, last) {
                (0, true) => self.body.out.open("{"),
                (0, false) => self.body.out.open(format!("if ({t} < {}) {{", sizes[of])),
                (_, true) => self.body.out.open("else {"),
                (_, false) => self.body.out.open(format!("else if ({t} < {}) {{", sizes[..=of].join(" + "))),
            }
            if of > 0 {
                self.body.out.line(format!("{t} -= {};", sizes[..of].join(" + ")));
            }
            for d in (0..dims).rev() {
                let extent = extent(of, d);
                self.body.out.line(match d {
                    0 => format!("{} = {t};", k[d]),
                    _ => format!("{} = {t} % {extent};", k[d]),
                });
                if d > 0 {
                    self.body.out.line(format!("{t} /= {extent};"));
                }
                match d.cmp(&of) {
                    std::cmp::Ordering::Less => self.body.out.line(format!("{} += {};", k[d], starts[d])),
                    std::cmp::Ordering::Equal => {
                        self.body
                            .out
                            .line(format!("if ({} >= {}) {} += {};", k[d], starts[d], k[d], inner[d]));
                    }
                    std::cmp::Ordering::Greater => {}
                }
            }
            self.body.out.close("}");
        }
        // A loop of one iteration, so that `continue` ends the iteration of the user's loop.
        self.body.out.open("do {");
        for (d, k) in k.iter().enumerate() {
            self.body.declare_dim(d, k);
        }
        self.body.iteration();
        self.body.out.close("} while (false);");
        self.body.out.line("return;");
        self.body.out.close("}");
        self.body.code = inside;
        (self.body.at_border, self.body.checked) = (false, inside.overflow_checks);
        self.body.narrow.fill(false);
        self.body.locals = names;
        self.body.vars.clear();
        self.body.turns.clear();
        Some(blocks)
    }

    /// Names the place of the thread among those that run the program.
    fn begin_blocks(&mut self, border: Option<&str>) {
        let s = self.body.w.syntax;
        let (block, thread) = (s.block_id(0), s.thread_id(0));
        let before = border.map_or_else(String::new, |blocks| format!(" - (i32){blocks}"));
        self.body.out.line(format!("const i32 {} = (i32){block}{before};", self.block));
        self.body.out.line(format!("const i32 {} = (i32){thread};", self.thread));
    }

    /// Names what the launch gives, and the arrays' addresses.
    fn numbers(&mut self) {
        let s = self.body.w.syntax;
        let mut terms = std::collections::BTreeSet::new();
        let mut accesses = std::collections::BTreeSet::new();
        used(self.program, &self.program.body, &mut terms, &mut accesses);
        let dims = &self.body.w.kernel.template.dims;
        let iterations = self.program.iterations;
        let is_given = |l: u32| dims.get(l as usize).is_some_and(|dim| dim.host);
        // An interpreter, which runs the kernel in place of the text, needs all of its loops.
        for d in (0..dims.len() as u32).filter(|d| is_given(*d)) {
            for arg in [Arg::DimFirst(d), Arg::DimStep(d), Arg::DimCount(d)] {
                self.body.arg(arg);
            }
        }
        for term in terms {
            let arg = self.body.arg(match term {
                term if iterations == Iterations::Interior => Arg::Term(iterations, term),
                Term::Trips(l) if is_given(l) => Arg::DimCount(l),
                Term::First(l) if is_given(l) => Arg::DimFirst(l),
                Term::Step(l) if is_given(l) => Arg::DimStep(l),
                other => Arg::Term(iterations, other),
            });
            let name = self.body.name(&format!("{arg}_n"));
            let value = self.program.sizes.get(&term).map_or_else(|| format!("(i32){arg}"), i64::to_string);
            self.body.out.line(format!("const i32 {name} = {value};"));
            self.terms.insert(term, name);
        }
        let (constants, direct): (Vec<u32>, Vec<u32>) =
            accesses.into_iter().partition(|access| self.program.constant(*access).is_some());
        for access in constants {
            let symbol = self.constant(access);
            self.constants.insert(access, symbol);
        }
        let arrays = direct.into_iter().map(|access| self.program.accesses[access as usize].array);
        for array in std::collections::BTreeSet::from_iter(arrays) {
            let text = self.body.arg(Arg::Array(array));
            let placed =
                Placed { text, held: Held::Array(array), space: MemorySpace::Global, writable: true };
            let (start, _) = self.body.start(&placed);
            let kernel = self.body.w.kernel;
            let start = match crate::program::element(kernel, array) {
                Some(prim) if self.body.w.types.prim(kernel.array_ty[array.index()]).is_none() => {
                    let constant = if kernel.template.arrays[array.index()].written { "" } else { "const " };
                    format!("(({}{constant}{}*){start})", s.global, super::super::helpers::c_name(prim))
                }
                _ => start,
            };
            self.bases.insert(array.0, start);
        }
    }

    /// Declares the variable that a launch copies an array's elements to; the arguments say where they are.
    fn constant(&mut self, access: u32) -> String {
        let (program, kernel) = (self.program, self.body.w.kernel);
        let (of, len) = (&program.accesses[access as usize], program.constant(access).unwrap_or(0));
        let (array, name) = (of.array, &kernel.template.arrays[of.array.index()].name);
        let prim = crate::program::element(kernel, array).expect("a program's arrays hold numbers");
        let symbol = self.body.w.global_name(&format!("{name}_constant"));
        let c = super::super::helpers::c_name(prim);
        let arg = |body: &mut Body<'_, '_>, arg| {
            body.arg(arg);
            arg
        };
        let shifted = self.body.is_shifted(array);
        let made = Constant {
            text: format!(
                "// A launch copies elements of `{name}` to it.\n__constant__ {c} {symbol}[{len}];\n"
            ),
            symbol: symbol.clone(),
            array: arg(self.body, Arg::Array(array)),
            origin: shifted.then(|| arg(self.body, Arg::Origin(array))),
            first: of.based.then(|| {
                let base = Term::Base(of.id);
                arg(self.body, Arg::Term(program.iterations, base))
            }),
            element: self.body.w.types.size(kernel.array_ty[array.index()]).unwrap_or(0) as usize,
            number: prim.size(),
            bytes: len as usize * prim.size(),
        };
        self.body.w.constants.push(made);
        symbol
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        stmts.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let(var, value) => {
                let (name, value) = (self.var(*var), self.index(value));
                self.body.out.line(format!("const i32 {name} = {};", super::super::expr::bare(&value)));
                self.depths[var.0 as usize] = self.depth;
            }
            Stmt::Loop { var, trips, axis, body } => {
                let (name, trips) = (self.var(*var), self.index(trips));
                let cuda = self.body.w.syntax.dialect == Dialect::Cuda;
                match axis {
                    Axis::Register | Axis::Unrolled => self.body.out.line("#pragma unroll"),
                    Axis::Serial if cuda => self.body.out.line("#pragma unroll 1"),
                    Axis::Serial | Axis::Parallel => {}
                }
                let trips = super::super::expr::bare(&trips);
                self.body.out.open(format!("for (i32 {name} = 0; {name} < {trips}; {name}++) {{"));
                let unrolled = matches!(axis, Axis::Register | Axis::Unrolled);
                self.depth += u32::from(!unrolled);
                self.depths[var.0 as usize] = if unrolled { u32::MAX } else { self.depth };
                self.stmts(body);
                self.depth -= u32::from(!unrolled);
                self.body.out.close("}");
            }
            Stmt::If { less, body } => {
                let pairs: Vec<_> =
                    less.iter().map(|(a, b)| format!("{} < {}", self.index(a), self.index(b))).collect();
                self.body.out.open(format!("if ({}) {{", pairs.join(" && ")));
                self.stmts(body);
                self.body.out.close("}");
            }
            Stmt::When { cond, body } => {
                let cond = self.cell(cond);
                self.body.out.open(format!("if ({cond}) {{"));
                self.stmts(body);
                self.body.out.close("}");
            }
            Stmt::Move { to, from, width, asynchronous } => self.copy(to, from, *width, *asynchronous),
            Stmt::Leaf { stmts, bound } => self.leaf(stmts, bound),
            Stmt::Multiply { into, rows, columns } => {
                let name = self.helper("multiply_matrices");
                let second = |cell: &Cell| Cell { alloc: cell.alloc, index: cell.index.clone() + 1 };
                let sums: Vec<_> = into.iter().flat_map(|cell| [cell.clone(), second(cell)]).collect();
                let sums: Vec<_> = sums.iter().map(|cell| format!("&{}", self.cell(cell))).collect();
                let factors: Vec<_> = rows.iter().chain([columns]).map(|cell| self.cell(cell)).collect();
                self.body.out.line(format!("{name}({}, {});", sums.join(", "), factors.join(", ")));
            }
            Stmt::Barrier => {
                let line = self.body.w.syntax.barrier;
                self.body.out.line(line);
            }
            Stmt::Commit => {
                let name = self.helper("moves_end");
                self.body.out.line(format!("{name}();"));
            }
            Stmt::Wait(n) => {
                let name = self.helper("moves_wait");
                self.body.out.line(format!("{name}({n});"));
            }
        }
    }

    fn leaf(&mut self, stmts: &[omp_ir::template::Stmt], bound: &[(omp_ir::ids::LocalId, Bound)]) {
        for (local, to) in bound {
            let text = match to {
                Bound::Cell(cell) => self.cell(cell),
                Bound::Value(value) => {
                    let prim = self.body.w.types.prim(self.body.code.local_ty[local.index()]);
                    let c = super::super::helpers::c_name(prim.unwrap_or(Prim::I64));
                    format!("(({c}){})", self.index(value))
                }
            };
            self.body.locals[local.index()] = text;
        }
        self.iteration(stmts, bound);
        let own = stmts.iter().any(|s| matches!(s, omp_ir::template::Stmt::Let { .. }));
        if own {
            self.body.out.open("{");
        }
        self.body.statements(stmts);
        if own {
            self.body.out.close("}");
        }
    }

    /// Puts the iteration into the failure records of statements.
    fn iteration(&mut self, stmts: &[omp_ir::template::Stmt], bound: &[(omp_ir::ids::LocalId, Bound)]) {
        self.body.turns.clear();
        if !self.program.can_fail(stmts) {
            return;
        }
        let dims: Vec<_> = self.body.w.kernel.template.dims.iter().map(|dim| dim.var).collect();
        self.body.vars = dims.iter().map(|var| format!("(i64){}", self.body.locals[var.index()])).collect();
        if self.body.context {
            for (d, value) in
                self.body.vars.clone().iter().enumerate().take(crate::back::c::stmt::check::MAX_VARS)
            {
                self.body.out.line(format!("cx.vars[{d}] = {value};"));
            }
        }
        let is_loop = |local: &omp_ir::ids::LocalId| {
            self.body.code.code.locals[local.index()].kind == omp_ir::template::LocalKind::Loop
        };
        let inner = bound.iter().map(|(local, _)| *local).filter(|l| is_loop(l) && !dims.contains(l));
        self.body.turns = inner.collect();
    }

    fn copy(&mut self, to: &Place, from: &Place, width: u32, asynchronous: bool) {
        if let (true, Place::Cell(cell)) = (asynchronous, to) {
            let bytes = width * self.prim(to).size() as u32;
            let name = self.helper("move_async");
            let (to, from) = (self.address(cell), self.place(from));
            return self.body.out.line(format!("{name}<{bytes}>({to}, &{from});"));
        }
        if let Some((to, source)) = self.loaded(to, from, width) {
            let (name, first) = (self.helper("load_shared"), self.address(source));
            let each = |k| self.cell(&Cell { alloc: to.alloc, index: to.index.clone() + k });
            let registers: Vec<_> = (0..width).map(each).collect();
            return self.body.out.line(format!("{name}({first}, {});", registers.join(", ")));
        }
        if width == 1 {
            let (to, from) = (self.place(to), self.place(from));
            return self.body.out.line(format!("{to} = {from};"));
        }
        let prim = self.prim(to);
        let ty = self.ty(prim);
        let wide = self.body.w.with_types(|types, names| types.vector(ty, width, names));
        let value = self.body.name("wide");
        match (self.register(to), self.register(from)) {
            (to_register, None) => {
                let (space, text) = (self.space(from), self.place(from));
                self.body.out.open("{");
                self.body.out.line(format!("const {wide} {value} = *(const {space}{wide}*)&{text};"));
                match to_register {
                    Some(cell) => self.elements(&cell, width, |at, k| format!("{at} = {value}.v[{k}];")),
                    None => {
                        let (space, text) = (self.space(to), self.place(to));
                        self.body.out.line(format!("*({space}{wide}*)&{text} = {value};"));
                    }
                }
            }
            (_, Some(cell)) => {
                self.body.out.open("{");
                self.body.out.line(format!("{wide} {value};"));
                self.elements(&cell, width, |at, k| format!("{value}.v[{k}] = {at};"));
                let (space, text) = (self.space(to), self.place(to));
                self.body.out.line(format!("*({space}{wide}*)&{text} = {value};"));
            }
        }
        self.body.out.close("}");
    }

    fn elements(&mut self, cell: &Cell, width: u32, line: impl Fn(String, u32) -> String) {
        for k in 0..width {
            let at = Cell { alloc: cell.alloc, index: cell.index.clone() + k };
            let text = self.cell(&at);
            self.body.out.line(line(text, k));
        }
    }

    fn register(&self, place: &Place) -> Option<Cell> {
        match place {
            Place::Cell(cell) if self.program.allocs[cell.alloc.0 as usize].space == Space::Register => {
                Some(cell.clone())
            }
            _ => None,
        }
    }

    fn space(&self, place: &Place) -> &'static str {
        let s = self.body.w.syntax;
        match (place, s.dialect) {
            (Place::Array(..), _) => s.global,
            // A pointer's type does not say so in CUDA.
            (Place::Cell(_), Dialect::Cuda) => "",
            (Place::Cell(_), Dialect::OpenCl) => s.shared,
        }
    }

    fn prim(&self, place: &Place) -> Prim {
        match place {
            Place::Cell(cell) => self.program.allocs[cell.alloc.0 as usize].prim,
            Place::Array(access, _) => {
                let array = self.program.accesses[*access as usize].array;
                crate::program::element(self.body.w.kernel, array).unwrap_or(Prim::U8)
            }
        }
    }

    fn ty(&self, prim: Prim) -> TyId {
        self.body.w.kernel.types.lookup(&Ty::Prim(prim)).expect("some array has it")
    }

    fn cell(&self, cell: &Cell) -> String {
        let index = self.subscript(&self.program.allocs[cell.alloc.0 as usize].lies_at(&cell.index));
        format!("{}[{}]", self.allocs[cell.alloc.0 as usize], super::super::expr::bare(&index))
    }

    fn place(&mut self, place: &Place) -> String {
        match place {
            Place::Cell(cell) => self.cell(cell),
            Place::Array(access, coords) => {
                let array = self.program.accesses[*access as usize].array;
                let (start, index) = match self.constants.get(access) {
                    Some(symbol) => (symbol, self.program.from_first(*access, coords)),
                    None => (&self.bases[&array.0], self.program.subscript(*access, coords)),
                };
                format!("{start}[{}]", super::super::expr::bare(&self.subscript(&index)))
            }
        }
    }

    /// The summands of an index: what loops change least comes first, numbers last.
    fn summands(&self, index: &Index) -> Vec<Index> {
        let depth = |part: &Index| match part {
            Index::Var(var) => self.depths[var.0 as usize],
            _ => 0,
        };
        index.by_depth(&depth).into_values().filter(|part| *part != Index::Const(0)).collect()
    }

    /// The sum of [`Self::summands`], closed.
    fn subscript(&self, index: &Index) -> String {
        let sum = self.summands(index).into_iter().reduce(|sum, part| sum + part);
        self.index(&sum.unwrap_or(Index::Const(0)))
    }

    fn var(&self, var: Var) -> String {
        self.vars[var.0 as usize].clone()
    }

    /// An expression, closed.
    fn index(&self, index: &Index) -> String {
        match index {
            Index::Const(n) if *n < 0 => format!("({n})"),
            Index::Const(n) => n.to_string(),
            Index::Var(var) => self.var(*var),
            Index::Term(term) => self.terms[term].clone(),
            Index::Block => self.block.clone(),
            Index::Thread => self.thread.clone(),
            Index::Bin(op @ (Op::Min | Op::Max), a, b) => {
                let (a, b) = (self.index(a), self.index(b));
                format!("{}({}, {})", op.symbol(), super::super::expr::bare(&a), super::super::expr::bare(&b))
            }
            // Neither is negative, and dividing unsigned numbers takes fewer instructions.
            Index::Bin(op @ (Op::Div | Op::Rem), a, b) => {
                format!("((i32)((u32){} {} (u32){}))", self.index(a), op.symbol(), self.index(b))
            }
            Index::Bin(op, a, b) => format!("({} {} {})", self.index(a), op.symbol(), self.index(b)),
        }
    }

    fn helper(&mut self, name: &str) -> String {
        self.body.w.helpers.shared_memory();
        self.body.w.helpers.add("program", || include_str!("../../../templates/program.cuh").to_owned());
        name.to_owned()
    }
}

/// The launch values and accesses that statements name.
fn used(
    program: &Program,
    stmts: &[Stmt],
    terms: &mut std::collections::BTreeSet<Term>,
    accesses: &mut std::collections::BTreeSet<u32>,
) {
    let mut of = |index: &Index| {
        index.visit(&mut |part| {
            if let Index::Term(term) = part {
                terms.insert(*term);
            }
        });
    };
    for stmt in stmts {
        match stmt {
            Stmt::Move { to, from, .. } => {
                for place in [to, from] {
                    match place {
                        Place::Array(access, coords) => {
                            of(&match program.constant(*access) {
                                Some(_) => program.from_first(*access, coords),
                                None => program.subscript(*access, coords),
                            });
                            accesses.insert(*access);
                        }
                        Place::Cell(cell) => of(&cell.index),
                    }
                }
            }
            Stmt::Let(_, value) => of(value),
            Stmt::Loop { trips, .. } => of(trips),
            Stmt::If { less, .. } => less.iter().for_each(|(a, b)| {
                of(a);
                of(b);
            }),
            Stmt::When { cond, .. } => of(&cond.index),
            Stmt::Leaf { bound, .. } => bound.iter().for_each(|(_, bound)| match bound {
                Bound::Cell(cell) => of(&cell.index),
                Bound::Value(value) => of(value),
            }),
            Stmt::Multiply { into, rows, columns } => {
                into.iter().chain(rows).chain([columns]).for_each(|cell| of(&cell.index));
            }
            Stmt::Barrier | Stmt::Commit | Stmt::Wait(_) => {}
        }
    }
    for stmt in stmts {
        used(program, stmt.inner(), terms, accesses);
    }
}
