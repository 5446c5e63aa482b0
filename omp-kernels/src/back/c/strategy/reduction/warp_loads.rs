//! Warp-contiguous loads, for a warp whose lanes have runs of neighbouring iterations. The warp loads the elements of all lanes
//! in contiguous accesses of 16 bytes, and distributes them through shared memory. The lanes' parts are padded so that lanes
//! access different banks. A run with large values is distributed in several steps.
use crate::back::Arg;
use crate::back::c::body::Body;
use crate::back::c::helpers::c_name;
use crate::back::c::strategy::vector::{Lane, lanes};
use crate::schedule::{pitch, quads};
use omp_ir::ids::ArrayId;
use omp_ir::kernel::Kernel;

/// The arrays of a warp that go through shared memory, and the range of the loop variable's values.
pub(crate) struct WarpLoads {
    run: u32,
    steps: u32,
    /// Neighbouring elements that a lane takes out at a time.
    width: u32,
    parts: Vec<Part>,
    pub lo: String,
    pub hi: String,
    /// Where groups of iterations begin.
    pub base: String,
}

/// One of them.
struct Part {
    lane: Lane,
    /// Where the warp's part of shared memory is, and the elements that are taken out.
    stage: String,
    group: String,
    /// Pieces of 16 bytes on their way, and how many of them make a lane's step.
    held: String,
    quads: u32,
}

impl WarpLoads {
    /// Declares the memory, for so many warps.
    pub(crate) fn new(
        body: &mut Body<'_, '_>,
        (run, steps): (u32, u32),
        arrays: &[ArrayId],
        warps: u32,
    ) -> Self {
        let kernel = body.w.kernel;
        let width = arrays.iter().map(|&a| width(kernel, a)).max().unwrap_or(1);
        let mut parts = Vec::new();
        for lane in lanes(kernel, body.w.info, arrays, &[]) {
            let name = &kernel.template.arrays[lane.array.index()].name;
            let [stage, group, held] =
                ["stage", "v", "held"].map(|what| body.name(&format!("{name}_{what}")));
            parts.push(Part { quads: quads(kernel, lane.array, run / steps), lane, stage, group, held });
        }
        if parts.is_empty() {
            let hi = body.total();
            return Self { run, steps, width, parts, lo: "0".into(), hi, base: "0".into() };
        }
        body.w.helpers.add("quad", || "typedef struct __align__(16) { u32 w[4]; } quad;\n".to_owned());
        for Part { stage, held, quads, .. } in &parts {
            let (all, size) = (body.name("staged"), 32 * pitch(*quads));
            body.out.line(format!("__shared__ quad {all}[{}];", warps * size));
            body.out.line(format!("quad* {stage} = {all} + threadIdx.x / 32u * {size}u;"));
            body.out.line(format!("quad {held}[{quads}];"));
        }
        let (first, count) = (body.arg(Arg::DimFirst(0)), body.arg(Arg::DimCount(0)));
        let (lo, hi, base) = (body.name("lo"), body.name("hi"), body.name("base"));
        body.out.line(format!("const u64 {lo} = (u64){first}, {hi} = {lo} + {count};"));
        body.out.line(format!("const u64 {base} = {lo} / {run} * {run};"));
        Self { run, steps, width, parts, lo, hi, base }
    }

    /// Iterations are numbered by the values of the only loop variable.
    fn by_value(&self) -> bool {
        !self.parts.is_empty()
    }

    /// A lane's iterations of the step from `start`.
    pub(crate) fn step(&self, body: &mut Body<'_, '_>, start: &str, lane: &str) {
        let (from, to, t) = (body.name("from"), body.name("to"), body.name("t"));
        let (run, hi, lo) = (self.run, &self.hi, &self.lo);
        body.out.line(format!("const u64 {from} = {start} + {lane} * {run};"));
        if self.by_value() {
            body.out.open(format!("if ({start} >= {lo} && {start} + {} <= {hi}) {{", 32 * run));
            self.whole(body, start, &from, lane);
            body.out.close("} else {");
            body.out.depth += 1;
        }
        body.out.line(format!("const u64 {to} = {from} + {run} < {hi} ? {from} + {run} : {hi};"));
        let first = if self.by_value() { format!("{from} < {lo} ? {lo} : {from}") } else { from.clone() };
        body.out.open(format!("for (u64 {t} = {first}; {t} < {to}; {t}++) {{"));
        self.declare(body, &t);
        body.iteration();
        body.out.close("}");
        if self.by_value() {
            body.out.close("}");
        }
    }

    /// Reads a step's elements of all lanes; the first lane's begin at `first`.
    fn read(&self, body: &mut Body<'_, '_>, first: &str, lane: &str) {
        let (u, at) = (body.name("u"), body.name("at"));
        for part in &self.parts {
            let element = body.global(part.lane.array);
            let source = body.name("source");
            let Part { lane: Lane { shift, .. }, held, quads, .. } = part;
            let from = format!("(const quad*)({element} + ((i64)({first}) + ({shift})))");
            body.out.line(format!("const quad* {source} = {from};"));
            body.out.line("#pragma unroll");
            body.out.open(format!("for (u32 {u} = 0; {u} < {quads}u; {u}++) {{"));
            body.out.line(format!("const u32 {at} = {u} * 32u + {lane};"));
            let place = if self.steps == 1 {
                at.clone()
            } else {
                format!("{at} / {quads}u * {}u + {at} % {quads}u", quads * self.steps)
            };
            body.out.line(format!("{held}[{u}] = {source}[{place}];"));
            body.out.close("}");
        }
    }

    /// A step that does not contain an end of the loop.
    fn whole(&self, body: &mut Body<'_, '_>, start: &str, from: &str, lane: &str) {
        let [u, g, w, t, at, m] = ["u", "g", "w", "t", "at", "step"].map(|name| body.name(name));
        let (steps, len) = (self.steps, self.run / self.steps);
        if steps > 1 {
            body.out.open(format!("for (u32 {m} = 0; {m} < {steps}u; {m}++) {{"));
            self.read(body, &format!("{start} + {m} * {len}u"), lane);
        } else {
            self.read(body, start, lane);
        }
        // All lanes have taken their parts of the previous step.
        body.out.line("__syncwarp();");
        for Part { quads, stage, held, .. } in &self.parts {
            body.out.line("#pragma unroll");
            body.out.open(format!("for (u32 {u} = 0; {u} < {quads}u; {u}++) {{"));
            body.out.line(format!("const u32 {at} = {u} * 32u + {lane};"));
            let pitch = pitch(*quads);
            body.out.line(format!("{stage}[{at} / {quads}u * {pitch}u + {at} % {quads}u] = {held}[{u}];"));
            body.out.close("}");
        }
        body.out.line("__syncwarp();");
        if steps == 1 {
            body.out.line("#pragma unroll");
        }
        body.out.open(format!("for (u32 {g} = 0; {g} < {}u; {g}++) {{", len / self.width));
        for Part { lane: of, stage, group, quads, .. } in &self.parts {
            let elem = body.w.kernel.array_ty[of.array.index()];
            let wide = body.w.with_types(|types, names| types.vector(elem, self.width, names));
            let each = quads * self.width / len;
            let place = format!("{stage}[{lane} * {}u + {g} * {each}u]", pitch(*quads));
            body.out.line(format!("const {wide} {group} = *(const {wide}*)&{place};"));
            for (access, _) in &of.accesses {
                body.registers.insert(*access, format!("{group}.v[{w}]"));
            }
        }
        body.out.line("#pragma unroll");
        body.out.open(format!("for (u32 {w} = 0; {w} < {}u; {w}++) {{", self.width));
        let step = if steps > 1 { format!("{m} * {len}u + ") } else { String::new() };
        body.out.line(format!("const u64 {t} = {from} + ({step}{g} * {}u + {w});", self.width));
        self.declare(body, &t);
        body.iteration();
        body.out.close("}");
        body.registers.clear();
        body.out.close("}");
        if steps > 1 {
            body.out.close("}");
        }
    }

    /// Declares the loop variables of iteration `t`.
    fn declare(&self, body: &mut Body<'_, '_>, t: &str) {
        if !self.by_value() {
            let c = body.counter();
            return body.declare_dims_from(&format!("({c}){t}"));
        }
        let dim = &body.w.kernel.template.dims[0];
        let c = if body.narrow[dim.var.index()] { "i32" } else { c_name(body.dim_prim(dim)) };
        let name = body.locals[dim.var.index()].clone();
        body.out.line(format!("const {c} {name} = ({c}){t};"));
    }
}

/// The fewest neighbouring elements that are a multiple of 16 bytes.
fn width(kernel: &Kernel, array: ArrayId) -> u32 {
    let size = kernel.types.size(kernel.array_ty[array.index()]).unwrap_or(16) as u32;
    16 >> size.trailing_zeros().min(4)
}
