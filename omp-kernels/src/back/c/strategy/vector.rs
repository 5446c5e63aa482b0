//! Iterations in chunks: `width` neighbouring iterations a thread through accesses of up to 16 bytes, `unroll` such
//! groups a thread, `block` threads.
//!
//! Chunks are cut in the space of the loop variable's *values*, not of iteration numbers: group `g` has the values
//! `g * width ..`. So whether the access to `x[i + c]` is aligned depends on `x` and `c` alone, wherever the loop
//! starts. A chunk that lies in the range as a whole takes the fast path: all loads, then the bodies, then all
//! stores. The first and the last chunk may go element by element.
use super::super::body::{Body, Leave};
use super::super::helpers::c_name;
use super::cpu_rows;
use crate::back::{Arg, Dialect};
use crate::schedule::aligned_to;
use crate::valid::KernelInfo;
use omp_ir::analysis::plan::Along;
use omp_ir::desc::Prim;
use omp_ir::ids::{AccessId, ArrayId, TyId};
use omp_ir::kernel::{Kernel, Ty};
use omp_ir::template::{Projection, Stmt};
use omp_ir::visit;
use std::collections::BTreeSet;

/// Groups of 16 bytes in a line of a cache.
const LINE: u32 = 8;

/// A group of neighbouring elements that a thread holds in registers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Lane {
    pub array: ArrayId,
    /// Elements of an iteration.
    pub by: u32,
    /// Its records are those of the loop variable plus this.
    pub shift: i64,
    /// The subscripts, and which elements of a record they are.
    pub accesses: Vec<(AccessId, Within)>,
    /// Loaded before the bodies: a statement reads it, or an iteration may not store all of it.
    pub load: bool,
    /// Stored after them.
    pub store: bool,
}

/// The element of a record that a subscript is: a constant, and multiples of the variables of loops.
pub(crate) type Within = (i64, Vec<Along>);

/// The lanes of the arrays that a schedule accesses in groups; some accesses may go another way (`apart`).
pub(crate) fn lanes(kernel: &Kernel, info: &KernelInfo, arrays: &[ArrayId], apart: &[AccessId]) -> Vec<Lane> {
    let mut lanes: Vec<Lane> = Vec::new();
    // By lane: the elements that every iteration stores.
    let mut always: Vec<BTreeSet<i64>> = Vec::new();
    let whole = stored_whole(kernel);
    for stride in info.plan.strides() {
        let (by, shift, within, places) = match &stride.record {
            // A nest's iterations are in a row, as are the elements.
            _ if kernel.template.dims.len() > 1 => (1, 0, (0, Vec::new()), BTreeSet::from([0])),
            Some(record) if record.dim == 0 => {
                (record.by as u32, record.shift(), (record.place(), record.along.clone()), record.places())
            }
            _ => continue,
        };
        if !arrays.contains(&stride.array) || apart.contains(&stride.access) {
            continue;
        }
        let access = &kernel.body.code.accesses[stride.access.index()];
        let at =
            lanes.iter().position(|l| l.array == stride.array && l.shift == shift).unwrap_or_else(|| {
                let (array, accesses) = (stride.array, Vec::new());
                lanes.push(Lane { array, by, shift, accesses, load: false, store: false });
                always.push(BTreeSet::new());
                lanes.len() - 1
            });
        let lane = &mut lanes[at];
        lane.accesses.push((stride.access, within));
        // The store of a field does not change the others.
        lane.load |= access.read || !whole.contains(&stride.access);
        lane.store |= access.write;
        if access.write && stride.reached {
            always[at].extend(places);
        }
    }
    for (lane, always) in lanes.iter_mut().zip(always) {
        lane.load |= always.len() < lane.by as usize;
    }
    lanes.sort_by_key(|l| (l.array, l.shift));
    lanes
}

/// The number of an element in the group of a thread, of which `w` is the iteration.
fn at(body: &Body<'_, '_>, (w, by): (&str, u32), (place, along): &Within) -> String {
    if by == 1 {
        return w.to_owned();
    }
    let mut at = format!("{w} * {by}u + {place}");
    for Along { var, by, .. } in along {
        at += &format!(" + (u32){by} * (u32){}", body.locals[var.index()]);
    }
    format!("(u32)({at})")
}

/// If a failure ends only its iteration, elements that the iteration has not assigned are stored with the elements of the others. If some
/// bit patterns are no value of the type, the old value has to be loaded and stored.
pub(crate) fn keep_values(kernel: &Kernel, lanes: &mut [Lane]) {
    for lane in lanes {
        lane.load |= !is_any_bits(kernel, kernel.array_ty[lane.array.index()]);
    }
}

/// Whether every pattern of bits is a value of a type.
pub(crate) fn is_any_bits(kernel: &Kernel, ty: TyId) -> bool {
    match kernel.types.get(ty) {
        Ty::Prim(prim) => *prim != Prim::Bool,
        Ty::Array(elem, _) => is_any_bits(kernel, *elem),
        Ty::Struct(_, fields) => fields.iter().all(|f| is_any_bits(kernel, *f)),
        Ty::Enum(_) | Ty::Data(..) | Ty::Option(_) => false,
        Ty::Unit | Ty::Never | Ty::Slice(_) => true,
    }
}

/// The subscripts of elements that assignments replace as a whole.
fn stored_whole(kernel: &Kernel) -> Vec<AccessId> {
    let mut found = Vec::new();
    visit::each_stmt(&kernel.body.code.block, &mut |stmt| {
        if let Stmt::Assign { place, .. } = stmt
            && let [Projection::Index { access, .. }] = place.projections.as_slice()
        {
            found.push(*access);
        }
    });
    found
}

/// What is done around the iterations of a chunk.
pub(crate) trait Around {
    /// Whether anything is.
    fn is_needed(&self) -> bool;
    /// Before the first iteration that a thread runs of a chunk.
    fn before(&mut self, body: &mut Body<'_, '_>);
    /// After the last one.
    fn after(&mut self, body: &mut Body<'_, '_>);
}

/// Nothing is done.
pub(crate) struct Plain;

impl Around for Plain {
    fn is_needed(&self) -> bool {
        false
    }

    fn before(&mut self, _: &mut Body<'_, '_>) {}
    fn after(&mut self, _: &mut Body<'_, '_>) {}
}

/// Writes a kernel that stores.
pub(crate) fn write(body: &mut Body<'_, '_>, width: u32, unroll: u32, arrays: &[ArrayId]) {
    Chunks::new(body, width, unroll, arrays).write(body, &mut Plain);
}

/// The names of a loop over chunks.
pub(crate) struct Chunks {
    width: u32,
    unroll: u32,
    block: u32,
    lanes: Vec<Lane>,
    registers: Vec<String>,
    /// Iterations are numbered by the values of the only loop variable.
    by_value: bool,
    lo: String,
    hi: String,
    /// In waves of the whole grid.
    waves: bool,
}

impl Chunks {
    pub(crate) fn new(body: &mut Body<'_, '_>, width: u32, unroll: u32, arrays: &[ArrayId]) -> Self {
        let mut lanes = lanes(body.w.kernel, body.w.info, arrays, &[]);
        if body.leave == Leave::Iteration {
            keep_values(body.w.kernel, &mut lanes);
        }
        let [x, y, z] = body.w.schedule.block;
        let registers = lanes
            .iter()
            .map(|lane| body.name(&format!("{}_v", body.w.kernel.template.arrays[lane.array.index()].name)))
            .collect();
        let by_value = width > 1 && body.w.kernel.template.dims.len() == 1;
        let (lo, hi) = if by_value {
            let (first, count) = (body.arg(Arg::DimFirst(0)), body.arg(Arg::DimCount(0)));
            let (lo, hi) = (body.name("lo"), body.name("hi"));
            body.out.line(format!("const u64 {lo} = (u64){first};"));
            body.out.line(format!("const u64 {hi} = {lo} + {count};"));
            (lo, hi)
        } else {
            ("0".to_owned(), body.total())
        };
        Self { width, unroll, block: x * y * z, lanes, registers, by_value, lo, hi, waves: false }
    }

    /// The same, in [`Self::waves`] where groups are wide: for kernels whose blocks take many chunks.
    pub(crate) fn in_waves(self) -> Self {
        Self { waves: self.width > 1, ..self }
    }

    /// Iterations of a chunk.
    pub(crate) fn size(&self) -> u64 {
        u64::from(self.width) * u64::from(self.unroll) * u64::from(self.block)
    }

    /// Writes the loop over chunks.
    pub(crate) fn write(&self, body: &mut Body<'_, '_>, around: &mut dyn Around) {
        if self.block == 1 && self.width == 1 && body.w.syntax.dialect == Dialect::OpenCl {
            return cpu_rows::write(body, Some((self.unroll, around)));
        }
        if self.waves {
            return self.waves(body, around);
        }
        let s = body.w.syntax;
        let (chunk, size) = (body.name("chunk"), self.size());
        let start = if self.by_value {
            format!("{} / {size} * {size} + {} * (u64){size}", self.lo, s.block_id(0))
        } else {
            format!("{} * (u64){size}", s.block_id(0))
        };
        let step = format!("{} * (u64){size}", s.blocks(0));
        body.out.open(format!("for (u64 {chunk} = {start}; {chunk} < {}; {chunk} += {step}) {{", self.hi));
        around.before(body);
        if self.width * self.unroll == 1 {
            self.one(body, &chunk);
        } else {
            let low = if self.by_value { format!("{chunk} >= {} && ", self.lo) } else { String::new() };
            body.out.open(format!("if ({low}{chunk} + {size} <= {}) {{", self.hi));
            let group = format!("({chunk} / {}) + {}", self.width, s.thread_id(0));
            self.fast(body, &group, &format!("{}u", self.block), None);
            body.out.close("} else {");
            body.out.depth += 1;
            self.slow(body, &chunk);
            body.out.close("}");
        }
        around.after(body);
        body.out.close("}");
    }

    /// A chunk with one iteration for each thread.
    fn one(&self, body: &mut Body<'_, '_>, chunk: &str) {
        let t = body.name("t");
        body.out.line(format!("const u64 {t} = {chunk} + {};", body.w.syntax.thread_id(0)));
        // A loop of at most one iteration, so that `continue` ends the iteration of the user's loop.
        body.out.open(format!("for (bool run = {t} < {}; run; run = false) {{", self.hi));
        self.declare(body, &t);
        body.iteration();
        body.out.close("}");
    }

    /// Declares the loop variables of iteration `t`.
    fn declare(&self, body: &mut Body<'_, '_>, t: &str) {
        if !self.by_value {
            let c = body.counter();
            body.declare_dims_from(&format!("({c}){t}"));
            return;
        }
        let dim = &body.w.kernel.template.dims[0];
        let c = if body.narrow[dim.var.index()] { "i32" } else { c_name(body.dim_prim(dim)) };
        let name = body.locals[dim.var.index()].clone();
        body.out.line(format!("const {c} {name} = ({c}){t};"));
    }

    /// A grid-stride loop over groups: the whole grid has one wave of groups at a time, so that what the device reads at a time is
    /// contiguous. In the last wave, some threads have fewer groups. The first threads of the grid have the single elements before the
    /// first group and after the last one.
    fn waves(&self, body: &mut Body<'_, '_>, around: &mut dyn Around) {
        let s = body.w.syntax;
        let (width, c) = (self.width, body.counter());
        let [threads, mine, wave, whole, step] =
            ["threads", "mine", "wave", "whole", "step"].map(|name| body.name(name));
        let (lo, hi, line) = (&self.lo, &self.hi, width * LINE);
        let (blocks, block, thread) = (s.blocks(0), s.block_id(0), s.thread_id(0));
        body.out.line(format!("const {c} {threads} = ({c}){blocks} * {}u;", self.block));
        body.out.line(format!("const {c} {mine} = ({c}){block} * {}u + {thread};", self.block));
        body.out.line(format!("const u64 {step} = {blocks} * (u64){};", self.block * self.unroll));
        body.out.line(format!("u64 {wave} = ({lo} + {}) / {line} * {LINE};", line - 1));
        body.out.line(format!("const u64 {whole} = {hi} / {width};"));
        let edges = self.edges(body, &wave, &whole);
        body.out.open(format!("for (; {wave} + {step} <= {whole}; {wave} += {step}) {{"));
        around.before(body);
        self.fast(body, &format!("{wave} + {mine}"), &threads, None);
        around.after(body);
        body.out.close("}");
        body.out.open(format!("if ({wave} + {mine} < {whole}) {{"));
        around.before(body);
        self.fast(body, &format!("{wave} + {mine}"), &threads, Some(&whole));
        around.after(body);
        body.out.close("}");
        let [head, tail, all] = &edges;
        let [e, t] = ["e", "t"].map(|name| body.name(name));
        body.out.open(format!("for (u64 {e} = {mine}; {e} < {all}; {e} += {threads}) {{"));
        around.before(body);
        body.out.line(format!("const u64 {t} = {e} < {head} ? {lo} + {e} : {tail} + ({e} - {head});"));
        // A loop of one iteration, so that `continue` ends the iteration of the user's loop.
        body.out.open("for (bool run = true; run; run = false) {");
        self.declare(body, &t);
        body.iteration();
        body.out.close("}");
        around.after(body);
        body.out.close("}");
    }

    /// Declares how many elements there are before the first group, where those after the last begin, and how many both are.
    fn edges(&self, body: &mut Body<'_, '_>, first: &str, whole: &str) -> [String; 3] {
        let (lo, hi, width) = (&self.lo, &self.hi, self.width);
        let [begin, head, tail, all] = ["begin", "head", "tail", "edges"].map(|name| body.name(name));
        body.out.line(format!("const u64 {begin} = {first} * {width} < {hi} ? {first} * {width} : {hi};"));
        body.out.line(format!("const u64 {head} = {begin} - {lo};"));
        body.out
            .line(format!("const u64 {tail} = {whole} * {width} > {begin} ? {whole} * {width} : {begin};"));
        body.out.line(format!("const u64 {all} = {head} + ({hi} - {tail});"));
        [head, tail, all]
    }

    /// A chunk as a whole: groups of the thread start at `first` and lie `apart`. `end`: those from there on are none.
    fn fast(&self, body: &mut Body<'_, '_>, first: &str, apart: &str, end: Option<&str>) {
        let (width, unroll) = (self.width, self.unroll);
        let c = body.counter();
        let (group, u, w, t) = (body.name("group"), body.name("u"), body.name("w"), body.name("t"));
        let (unrolled, open_u) = ("#pragma unroll", format!("for (u32 {u} = 0; {u} < {unroll}u; {u}++) {{"));
        body.out.line(format!("const {c} {group} = ({c})({first});"));
        // A `break` would be one more exit in each of the unrolled iterations.
        let each = |body: &mut Body<'_, '_>| {
            body.out.line(unrolled);
            body.out.open(&open_u);
            if let Some(end) = end {
                body.out.open(format!("if ({group} + {u} * {apart} < {end}) {{"));
            }
        };
        let close = |body: &mut Body<'_, '_>| {
            if end.is_some() {
                body.out.close("}");
            }
            body.out.close("}");
        };
        for (lane, register) in self.lanes.iter().zip(&self.registers) {
            let wide = self.wide(body, lane);
            body.out.line(format!("{wide} {register}[{unroll}];"));
        }
        if self.lanes.iter().any(|l| l.load) {
            each(body);
            for (lane, register) in self.lanes.iter().zip(&self.registers).filter(|(l, _)| l.load) {
                let at = self.address(body, lane, &format!("{group} + {u} * {apart}"));
                body.out.line(format!("{register}[{u}] = {at};"));
            }
            close(body);
        }
        for (lane, register) in self.lanes.iter().zip(&self.registers) {
            let words = self.in_words(body, lane);
            for (access, within) in &lane.accesses {
                let at = at(body, (&w, lane.by), within);
                let element = match words {
                    Some((c, bits)) => {
                        let each = 32 / bits;
                        format!("({c})({register}[{u}].w[{at} / {each}u] >> ({at} % {each}u * {bits}u))")
                    }
                    None => format!("{register}[{u}].v[{}]", super::super::expr::bare(&at)),
                };
                body.registers.insert(*access, element);
            }
        }
        each(body);
        if width > 1 {
            body.out.line(unrolled);
            body.out.open(format!("for (u32 {w} = 0; {w} < {width}u; {w}++) {{"));
            body.out.line(format!("const {c} {t} = ({group} + {u} * {apart}) * {width} + {w};"));
        } else {
            body.out.line(format!("const {c} {t} = {group} + {u} * {apart};"));
        }
        self.declare(body, &t);
        body.iteration();
        if width > 1 {
            body.out.close("}");
        }
        close(body);
        body.registers.clear();
        if self.lanes.iter().any(|l| l.store) {
            each(body);
            for (lane, register) in self.lanes.iter().zip(&self.registers).filter(|(l, _)| l.store) {
                let at = self.address(body, lane, &format!("{group} + {u} * {apart}"));
                body.out.line(format!("{at} = {register}[{u}];"));
            }
            close(body);
        }
    }

    /// The first or last chunk, element by element.
    fn slow(&self, body: &mut Body<'_, '_>, chunk: &str) {
        let (t, end, size) = (body.name("t"), body.name("end"), self.size());
        let hi = &self.hi;
        body.out.line(format!("const u64 {end} = {chunk} + {size} < {hi} ? {chunk} + {size} : {hi};"));
        body.out.open(format!(
            "for (u64 {t} = {chunk} + {}; {t} < {end}; {t} += {}) {{",
            body.w.syntax.thread_id(0),
            self.block
        ));
        if self.by_value {
            body.out.line(format!("if ({t} < {}) continue;", self.lo));
        }
        self.declare(body, &t);
        body.iteration();
        body.out.close("}");
    }

    /// The type of narrow integers that are only read, and their bits: they are taken out of words of 32 bits. Of a group of
    /// such elements in a register, NVIDIA's compilers make pairs first, one after the other.
    fn in_words(&self, body: &Body<'_, '_>, lane: &Lane) -> Option<(&'static str, u32)> {
        let prim = body.w.kernel.types.prim(body.w.kernel.array_ty[lane.array.index()])?;
        let narrow = matches!(prim, Prim::U8 | Prim::I8 | Prim::U16 | Prim::I16);
        let whole = self.bytes(body, lane).is_multiple_of(4) && (lane.by > 1 || self.bytes(body, lane) == 16);
        (narrow && whole && lane.load && !lane.store && body.w.syntax.dialect == Dialect::Cuda)
            .then(|| (c_name(prim), 8 * prim.size() as u32))
    }

    fn wide(&self, body: &mut Body<'_, '_>, lane: &Lane) -> String {
        if self.in_words(body, lane).is_some() {
            let bytes = self.bytes(body, lane);
            if bytes == 16 {
                body.w
                    .helpers
                    .add("quad", || "typedef struct __align__(16) { u32 w[4]; } quad;\n".to_owned());
                return "quad".to_owned();
            }
            let text = "template <int count, int bytes> struct __align__(bytes) words { u32 w[count]; };\n";
            body.w.helpers.add("words", || text.to_owned());
            return format!("words<{}, {}>", bytes / 4, aligned_to(bytes));
        }
        let elem = body.w.kernel.array_ty[lane.array.index()];
        let width = self.width * lane.by;
        body.w.with_types(|types, names| types.vector(elem, width, names))
    }

    /// Bytes of a group.
    fn bytes(&self, body: &Body<'_, '_>, lane: &Lane) -> u64 {
        let size = body.w.kernel.types.size(body.w.kernel.array_ty[lane.array.index()]).unwrap_or(0);
        size * u64::from(self.width * lane.by)
    }

    /// The group of elements of a lane as an lvalue.
    fn address(&self, body: &mut Body<'_, '_>, lane: &Lane, group: &str) -> String {
        let wide = self.wide(body, lane);
        let start = body.global(lane.array);
        let written = body.w.kernel.template.arrays[lane.array.index()].written;
        let constant = if written { "" } else { "const " };
        let global = body.w.syntax.global;
        let groups = lane.shift / i64::from(self.width);
        let shift = match groups {
            0 => String::new(),
            g if g < 0 => format!(" - {}u", -g),
            g => format!(" + {g}u"),
        };
        format!("(({global}{constant}{wide}*){start})[{group}{shift}]")
    }
}
