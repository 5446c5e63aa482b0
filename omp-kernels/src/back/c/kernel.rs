//! The kernel around the body: arguments, and the loops that distribute iterations to threads.
//!
//! Loops are grid-strided, so any grid runs all iterations. The exception is a `Grid` that covers its trip counts: there a thread
//! runs one iteration, or several in unroll and jam, as its schedule promises.
use super::body::{Body, Leave};
use super::helpers::c_name;
use super::strategy::reduction::reduce::Loop;
use super::strategy::reduction::tiles::Tiles;
use super::strategy::reduction::{
    accumulators, atomic_privatisation, copy_privatisation, ordered, reduce, reproducible,
};
use super::strategy::scan::{look_back, rows, three_launches};
use super::strategy::vector::{Around, Chunks};
use super::strategy::{cpu_rows, program, staged_stores, unroll_and_jam, vector, wide};
use crate::back::{Arg, Dialect};
use crate::schedule::{Cover, Strategy};
use omp_ir::desc::Prim;
use omp_ir::flow::effects;
use omp_ir::template::{Base, Dim, Stmt};
use std::collections::HashSet;

/// The instruction by which a kernel waits for the work that was queued before it (programmatic dependent launch). The driver may
/// begin to launch a kernel that has it before that work has ended, which takes the host less time.
pub const WAIT: &str = "griddepcontrol.wait;";

/// A finished kernel.
#[derive(Debug)]
pub(crate) struct Done {
    pub params: Vec<String>,
    pub args: Vec<Arg>,
    pub text: String,
    pub wait: Option<Wait>,
}

/// A kernel that waits for the work that was queued before it: see [`WAIT`]. With `restrict`, compilers move loads before the assembly in spite
/// of "memory". So the kernel's parameters have no `restrict`; those of the function that it calls have.
#[derive(Debug)]
pub(crate) struct Wait {
    params: Vec<String>,
    names: Vec<String>,
}

impl Wait {
    /// The text of the kernel, whose statements are those of `function`.
    pub(crate) fn kernel(&self, head: &str, entry: &str, function: &str) -> String {
        let (params, names) = (self.params.join(",\n    "), self.names.join(", "));
        format!(
            "\n{head} {entry}(\n    {params}\n) {{\n#if defined(__CUDACC__) && __CUDA_ARCH__ >= 900\n    asm volatile(\"{WAIT}\" ::: \"memory\");\n#endif\n    {function}({names});\n}}\n"
        )
    }
}

/// Writes the kernel's body with the schedule's loops around it.
pub(crate) fn write(body: &mut Body<'_, '_>) {
    let schedule = body.w.schedule;
    if !matches!(schedule.strategy, Strategy::Recipe(_)) {
        body.narrow_dims();
    }
    match &schedule.strategy {
        Strategy::Linear if !schedule.staged.is_empty() => {
            body.leave = Leave::Iteration;
            body.begin();
            body.begin_interleaved();
            staged_stores::write(body);
        }
        Strategy::Linear => {
            body.begin();
            if reduce::is_single(body) && body.w.syntax.dialect == Dialect::OpenCl {
                cpu_rows::write(body, None);
            } else {
                body.begin_interleaved();
                linear(body);
            }
        }
        Strategy::Chunked { team, each } => {
            body.begin();
            dealt(body, *team, *each);
        }
        Strategy::Vector { width, unroll, arrays } => {
            body.begin();
            vector::write(body, *width, *unroll, arrays);
        }
        Strategy::Grid { axes, cover: _, jam: _, wide: Some(wide), resident: _ } => {
            body.begin();
            wide::grid(body, axes, wide);
        }
        Strategy::Grid { axes, cover, jam, wide: None, resident: _ } => {
            body.begin();
            body.begin_interleaved();
            grid(body, axes, *cover, *jam);
        }
        Strategy::Teams => {
            body.begin_team();
            if body.w.kernel.template.reductions.is_empty() {
                body.begin();
                body.begin_interleaved();
                let total = body.total();
                teams_around(body, &total, &mut vector::Plain);
            } else {
                reduce::write_teams(body);
            }
            body.end_team();
        }
        Strategy::Reduce { width, unroll, arrays, alone: _ } => {
            body.leave = Leave::Iteration;
            reduce::write(body, |body| Loop::Chunks(Chunks::new(body, *width, *unroll, arrays).in_waves()));
        }
        Strategy::Tiles { rows, wide } => {
            body.leave = Leave::Iteration;
            reduce::write(body, |body| Loop::Tiles(Tiles::new(body, *rows, wide.as_ref())));
        }
        Strategy::Ordered { run, steps, arrays } => {
            body.leave = Leave::Iteration;
            ordered::write(body, (*run, *steps), arrays);
        }
        Strategy::AtomicPrivatisation { width, unroll, arrays, shared, slots } => {
            body.leave = Leave::Iteration;
            atomic_privatisation::write(body, (*width, *unroll, arrays), *shared, *slots);
        }
        Strategy::Accumulators { width, unroll, arrays, of, hot } => {
            body.leave = Leave::Iteration;
            accumulators::write(body, (*width, *unroll, arrays), of, *hot);
        }
        Strategy::CopyPrivatisation { width, unroll, arrays, each, shared } => {
            body.leave = Leave::Iteration;
            copy_privatisation::write(body, (*width, *unroll, arrays), *each, *shared);
        }
        Strategy::Scan => {
            body.leave = Leave::Iteration;
            three_launches::write(body);
        }
        Strategy::LookBack { run, chunks, arrays, compacted } => {
            body.leave = Leave::Iteration;
            look_back::write(body, (*run, *chunks), arrays, compacted);
        }
        Strategy::Rows { group, chunks, warps } => {
            let shape = rows::Shape { group: *group, chunks: *chunks, warps: *warps };
            rows::write(body, shape);
        }
        Strategy::Recipe(_) => {
            let made = body.w.program.expect("the writer has made it");
            program::write(body, made);
        }
        Strategy::Reproducible { run, warps, steps, arrays } => {
            body.leave = Leave::Iteration;
            reproducible::write(body, *run, *warps, (*steps, arrays));
        }
    }
}

impl Body<'_, '_> {
    /// The parts of the kernel.
    pub(crate) fn finish(mut self) -> Done {
        let used = self.used_args();
        let mut head = String::new();
        let (mut params, mut names) = (Vec::new(), Vec::new());
        for (arg, name) in &used {
            let aligned = self.aligned(*arg, name);
            let param = aligned.as_ref().map_or(name, |(_, given)| given);
            params.push(self.param(*arg, param));
            names.push(param.clone());
            head.extend(aligned.map(|(line, _)| line));
        }
        self.out.text.insert_str(0, &head);
        let wait = self.waits(&used).then(|| {
            let restrict = self.w.syntax.restrict;
            Wait { params: params.iter().map(|param| param.replace(restrict, "")).collect(), names }
        });
        Done { params, args: used.into_iter().map(|(arg, _)| arg).collect(), text: self.out.text, wait }
    }

    /// Whether the kernel waits: it has no results, and writes each of its arrays. If an array is only read, compilers may load its elements
    /// through a cache that need not see what was written after the kernel began.
    fn waits(&self, used: &[(Arg, String)]) -> bool {
        let stored: HashSet<Base> =
            self.w.bodies().flat_map(|body| effects::changed(&body.code, &body.code.block)).collect();
        let writes = |arg: &Arg| match arg {
            // The launch may have decided that an array is only read.
            Arg::Array(a) => stored.contains(&Base::Array(*a)),
            Arg::Status
            | Arg::Partials
            | Arg::Copies
            | Arg::Tiles
            | Arg::Result
            | Arg::Ticket
            | Arg::Claims(_) => false,
            _ => true,
        };
        let is_array = |(arg, _): &(Arg, String)| matches!(arg, Arg::Array(_));
        self.w.syntax.dialect == Dialect::Cuda
            && used.iter().any(is_array)
            && used.iter().all(|(arg, _)| writes(arg))
    }

    /// The pointer to an array of structs as one of which the compiler knows the alignment, and the parameter's name.
    fn aligned(&mut self, arg: Arg, name: &str) -> Option<(String, String)> {
        let Arg::Array(array) = arg else { return None };
        let bytes = *self.w.schedule.aligned.get(&array).filter(|_| !self.is_shifted(array))?;
        let kernel = self.w.kernel;
        let ty = kernel.array_ty[array.index()];
        let constant = if kernel.template.arrays[array.index()].written { "" } else { "const " };
        let (c, given) = (self.w.memory_type(ty), self.name(&format!("{name}_given")));
        let pointer = format!("{constant}{c}*");
        let line =
            format!("    {pointer} const {name} = ({pointer})__builtin_assume_aligned({given}, {bytes});\n");
        Some((line, given))
    }

    fn param(&mut self, arg: Arg, name: &str) -> String {
        let s = self.w.syntax;
        match arg {
            Arg::Array(a) => {
                let elem = self.w.memory_type(self.w.kernel.array_ty[a.index()]);
                let written = self.w.kernel.template.arrays[a.index()].written;
                let constant = if written { "" } else { "const " };
                // If threads communicate through an array, it has no `restrict`: that would allow values in registers across barriers.
                let strategy = &self.w.schedule.strategy;
                let shared = matches!(strategy, Strategy::Teams | Strategy::Scan | Strategy::LookBack { .. })
                    || self.w.program.is_some_and(|program| !program.carried.is_empty());
                let restrict = if written && shared { "" } else { s.restrict };
                format!("{}{constant}{elem}* {restrict}{name}", s.global)
            }
            Arg::Len(_)
            | Arg::DigitCount(_)
            | Arg::SectionLo(_)
            | Arg::SectionHi(_)
            | Arg::DimCount(_)
            | Arg::InsideStart(_)
            | Arg::Total
            | Arg::Phase => {
                format!("u64 {name}")
            }
            Arg::Scalar(id) => format!("{} {name}", self.w.memory_type(self.w.kernel.scalar_ty[id.index()])),
            Arg::Term(..)
            | Arg::DigitFirst(_)
            | Arg::DigitStep(_)
            | Arg::Origin(_)
            | Arg::DimFirst(_)
            | Arg::DimStep(_) => {
                format!("i64 {name}")
            }
            Arg::Status => format!("{}status_record* {name}", s.global),
            Arg::Partials | Arg::Copies | Arg::Tiles | Arg::Result => format!("{}u8* {name}", s.global),
            Arg::Ticket | Arg::Claims(_) => format!("{}u32* {name}", s.global),
        }
    }

    /// Which parallel variables are declared with 32 bits.
    pub(crate) fn narrow_dims(&mut self) {
        for dim in &self.w.kernel.template.dims {
            self.narrow[dim.var.index()] = self.w.schedule.index32 && self.dim_prim(dim).size() == 8;
        }
    }

    pub(crate) fn dim_prim(&self, dim: &Dim) -> Prim {
        self.w.types.prim(self.code.local_ty[dim.var.index()]).unwrap_or(Prim::Usize)
    }

    /// The type of iteration numbers.
    pub(crate) fn counter(&self) -> &'static str {
        if self.w.schedule.index32 { "u32" } else { "u64" }
    }

    /// The statements before all loops.
    pub(crate) fn begin(&mut self) {
        if self.context {
            let status = self.arg(Arg::Status);
            self.out.line("context cx;");
            self.out.line(format!("cx.status = {status};"));
            self.out.line("cx.failed = false;");
            if self.w.info.recursive {
                let (bottom, reserve) = (self.name("bottom"), super::recursion::reserve(self.w.kernel));
                self.out.line(format!("u8 {bottom};"));
                self.out.line(format!("cx.stack = (u64)&{bottom};"));
                let stack = super::recursion::STACK;
                self.out.line(format!("cx.most = {stack} > {reserve}ull ? {stack} - {reserve}ull : 0;"));
            }
        }
    }

    /// Declares a parallel variable from its iteration number `k`.
    pub(crate) fn declare_dim(&mut self, d: usize, k: &str) {
        let dim = &self.w.kernel.template.dims[d];
        let prim = self.dim_prim(dim);
        let narrow = self.narrow[dim.var.index()];
        let (c, w) = match narrow {
            // All values fit, so nothing wraps. If compilers for CPUs know that, they see neighbouring elements where they would
            // gather single ones.
            true if self.w.syntax.dialect == Dialect::OpenCl && dim.host && dim.range.adaptors.is_empty() => {
                ("i32", "i32")
            }
            true => ("i32", "u32"),
            false => (c_name(prim), if prim.size() == 8 { "u64" } else { "u32" }),
        };
        let name = self.locals[dim.var.index()].clone();
        let (first, step) = if dim.host {
            let first = self.arg(Arg::DimFirst(d as u32));
            let unit = dim.range.adaptors.is_empty();
            (first, if unit { None } else { Some(self.arg(Arg::DimStep(d as u32))) })
        } else {
            self.before_iteration = true;
            let counted = self.counted(&dim.range, prim);
            self.before_iteration = false;
            self.out.line(format!("if ((u64){k} >= {}) continue;", counted.count));
            (counted.first, Some(counted.step))
        };
        let value = match step {
            None => format!("({w}){first} + ({w}){k}"),
            Some(step) => format!("({w}){first} + ({w}){k} * ({w}){step}"),
        };
        let value = if c == w { value } else { format!("({c})({value})") };
        self.out.line(format!("const {c} {name} = {value};"));
    }

    /// Declares a parallel variable whose value is `by` after that of the iteration with the number `k`, which has the
    /// name `first`.
    pub(crate) fn declare_dim_after(&mut self, d: usize, first: &str, k: &str, by: u32) {
        let dim = &self.w.kernel.template.dims[d];
        if !dim.host || !dim.range.adaptors.is_empty() {
            return self.declare_dim(d, &format!("({k} + {by}u)"));
        }
        let (narrow, name) = (self.narrow[dim.var.index()], self.locals[dim.var.index()].clone());
        let c = if narrow { "i32" } else { c_name(self.dim_prim(dim)) };
        // No sum that wraps: compilers see rows that one iteration shares with the next.
        self.out.line(format!("const {c} {name} = ({c})({first} + {by});"));
    }

    /// Puts the parallel variables, which have just been declared, into failure records.
    pub(crate) fn know_vars(&mut self) {
        let names: Vec<String> = self
            .w
            .kernel
            .template
            .dims
            .iter()
            .map(|dim| format!("(i64){}", self.locals[dim.var.index()]))
            .collect();
        if self.context {
            for (i, name) in names.iter().take(super::stmt::check::MAX_VARS).enumerate() {
                self.out.line(format!("cx.vars[{i}] = {name};"));
            }
        }
        self.vars = names;
    }

    /// One iteration, whose parallel variables are declared: the user's statements.
    pub(crate) fn iteration(&mut self) {
        let code = self.code;
        self.iteration_of(&code.code.block.0);
    }

    /// As [`Self::iteration`], of some of the statements.
    pub(crate) fn iteration_of(&mut self, stmts: &[Stmt]) {
        self.know_vars();
        self.next = None;
        self.before_label(|this| {
            this.number_iteration();
            this.declare_private();
            this.statements(stmts);
            this.next.take()
        });
    }

    /// Declares all parallel variables from the number `t` of the iteration among all, the last one fastest.
    pub(crate) fn declare_dims_from(&mut self, t: &str) {
        self.declare_leading_dims(self.w.kernel.template.dims.len(), t);
    }

    /// As [`Self::declare_dims_from`], of the outermost `dims` loops alone.
    pub(crate) fn declare_leading_dims(&mut self, dims: usize, t: &str) {
        if dims == 1 {
            self.declare_dim(0, t);
            return;
        }
        let c = self.counter();
        let rest = self.name("rest");
        self.out.line(format!("{c} {rest} = {t};"));
        let mut ks = Vec::new();
        for d in (1..dims).rev() {
            let count = self.arg(Arg::DimCount(d as u32));
            let k = self.name("k");
            self.out.line(format!("const {c} {k} = {rest} % ({c}){count};"));
            self.out.line(format!("{rest} /= ({c}){count};"));
            ks.push(k);
        }
        ks.push(rest);
        for (d, k) in ks.into_iter().rev().enumerate() {
            self.declare_dim(d, &k);
        }
    }

    /// The number of iterations as a `u64` argument.
    pub(crate) fn total(&mut self) -> String {
        if self.w.kernel.template.dims.len() == 1 { self.arg(Arg::DimCount(0)) } else { self.arg(Arg::Total) }
    }
}

/// Thread `t` takes iterations `t`, `t + threads`, ….
fn linear(body: &mut Body<'_, '_>) {
    let s = body.w.syntax;
    let total = body.total();
    let (t, threads) = (body.name("t"), body.name("threads"));
    let (block, size, thread, blocks) = (s.block_id(0), s.block_size(0), s.thread_id(0), s.blocks(0));
    body.out.line(format!("const u64 {threads} = (u64){blocks} * {size};"));
    body.out.open(format!(
        "for (u64 {t} = (u64){block} * {size} + {thread}; {t} < {total}; {t} += {threads}) {{"
    ));
    body.declare_dims_from(&format!("({}){t}", body.counter()));
    body.between_copies(Body::iteration);
    body.out.close("}");
}

/// Team `t` takes outer iterations `t`, `t + teams`, ….
pub(crate) fn teams_around(body: &mut Body<'_, '_>, total: &str, around: &mut dyn Around) {
    let s = body.w.syntax;
    let t = body.name("t");
    body.out.open(format!("for (u64 {t} = {}; {t} < {total}; {t} += {}) {{", s.block_id(0), s.blocks(0)));
    around.before(body);
    body.declare_dims_from(&format!("({}){t}", body.counter()));
    body.between_copies(Body::iteration);
    around.after(body);
    body.out.close("}");
}

/// Distributes chunks of `team` iterations to the teams, and chunks of `each` of these to the threads, round-robin.
fn dealt(body: &mut Body<'_, '_>, team: u64, each: u64) {
    let s = body.w.syntax;
    let total = body.total();
    let [x, y, z] = body.w.schedule.block;
    let threads = u64::from(x) * u64::from(y) * u64::from(z);
    let (part, rest) = (body.name("part"), body.name("part_end"));
    let (chunk, end, t) = (body.name("chunk"), body.name("chunk_end"), body.name("t"));
    let (block, thread, blocks) = (s.block_id(0), s.thread_id(0), s.blocks(0));
    // The end is found from the number of iterations left, because sums could exceed 64 bits.
    body.out.line(format!("const u64 {part}_step = (u64){blocks} * {team};"));
    body.out.open(format!(
        "for (u64 {part} = (u64){block} * {team}; {part} < {total}; {part} += {part}_step) {{"
    ));
    body.out.line(format!("const u64 {rest} = {total} - {part} < {team} ? {total} : {part} + {team};"));
    body.out.open(format!(
        "for (u64 {chunk} = {part} + (u64){thread} * {each}; {chunk} < {rest}; {chunk} += (u64){threads} * {each}) {{"
    ));
    body.out.line(format!("const u64 {end} = {rest} - {chunk} < {each} ? {rest} : {chunk} + {each};"));
    body.out.open(format!("for (u64 {t} = {chunk}; {t} < {end}; {t}++) {{"));
    body.declare_dims_from(&format!("({}){t}", body.counter()));
    body.iteration();
    body.out.close("}");
    body.out.close("}");
    body.out.close("}");
}

/// Each dimension on an axis of the grid; the outermost dimension is the outermost loop.
fn grid(body: &mut Body<'_, '_>, axes: &[u32], cover: Cover, jam: u32) {
    let s = body.w.syntax;
    let dims = body.w.kernel.template.dims.len();
    if cover != Cover::Strided {
        return covered(body, axes, cover == Cover::Guarded, jam);
    }
    for d in 0..dims {
        let axis = axes.iter().position(|&a| a as usize == d).unwrap_or(0);
        let count = body.arg(Arg::DimCount(d as u32));
        let k = body.name("k");
        let (block, size, thread, blocks) =
            (s.block_id(axis), s.block_size(axis), s.thread_id(axis), s.blocks(axis));
        body.out.open(format!(
            "for (u64 {k} = (u64){block} * {size} + {thread}; {k} < {count}; {k} += (u64){blocks} * {size}) {{"
        ));
        body.declare_dim(d, &k);
    }
    body.iteration();
    for _ in 0..dims {
        body.out.close("}");
    }
}

/// As [`grid`], with one iteration a thread, or `jam` along the second axis.
fn covered(body: &mut Body<'_, '_>, axes: &[u32], guarded: bool, jam: u32) {
    let s = body.w.syntax;
    let dims = body.w.kernel.template.dims.len();
    let c = body.counter();
    let mut ks = Vec::new();
    for d in 0..dims {
        let axis = axes.iter().position(|&a| a as usize == d).unwrap_or(0);
        let k = body.name("k");
        let size = body.w.schedule.block[axis];
        let thread = format!("({c}){} * {size}u + ({c}){}", s.block_id(axis), s.thread_id(axis));
        let several = axis == 1 && jam > 1;
        let first = if several { format!("({thread}) * {jam}u") } else { thread };
        body.out.line(format!("const {c} {k} = {first};"));
        if guarded {
            let count = body.arg(Arg::DimCount(d as u32));
            body.out.line(format!("if ({k} >= {count}) return;"));
        }
        ks.push(k);
    }
    if jam > 1
        && let Some(&dim) = axes.get(1)
    {
        return unroll_and_jam::write(body, &ks, dim as usize, jam, guarded);
    }
    // A loop of one iteration, so that `continue` ends the iteration of the user's loop.
    body.out.open("do {");
    for (d, k) in ks.iter().enumerate() {
        body.declare_dim(d, k);
    }
    body.iteration();
    body.out.close("} while (false);");
}
