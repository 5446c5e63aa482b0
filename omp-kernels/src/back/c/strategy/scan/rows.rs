//! Inner loops that are scans: a warp, or the warps of a block, run one iteration of the parallel loop at a time. Lanes take
//! neighbouring elements, or groups of them, so that accesses are contiguous. A warp's accesses begin at cache lines, because an
//! access to two lines costs a quarter more. Several rows of lanes are in flight. Each is scanned by shuffles, and the carried
//! value goes from one row to the next. The warps of a block store the results of their parts in shared memory, in two copies
//! that they use alternately, so one barrier for each part of a row is enough.
//!
//! In place is correct: a lane loads its elements before it stores them, and no lane loads another's; the element before the
//! first is stored by no lane. All lanes run the statements around the inner loop in the same way, and those of a block have
//! done so before the barrier that comes before the first store.
use crate::back::c::body::Body;
use crate::back::c::expr::bare;
use crate::back::c::expr::literal;
use crate::back::c::helpers::c_name;
use crate::back::c::operator::shuffled;
use crate::back::c::stmt::inner::NestLoop;
use crate::back::c::stmt::range::Counted;
use omp_ir::analysis::patterns::rows::{Rows, rows};
use omp_ir::desc::Prim;
use omp_ir::kernel::Reducer;
use omp_ir::template::{Base, Block, Place, Projection, ReduceOp, Stmt};

/// Bytes of a line of the cache, and of the widest access.
const LINE: usize = 128;
const WIDEST: usize = 16;

/// How rows are distributed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    /// Neighbouring elements of a lane, and such groups in flight.
    pub group: u32,
    pub chunks: u32,
    /// Warps of a row.
    pub warps: u32,
}

/// Writes the kernel.
pub(crate) fn write(body: &mut Body<'_, '_>, shape: Shape) {
    let kernel = body.w.kernel;
    let Some(rows) = rows(kernel) else { return };
    body.begin();
    let total = body.total();
    let (lane, warp, stride, t) = (body.name("lane"), body.name("warp"), body.name("stride"), body.name("t"));
    let per_block = body.w.schedule.block.iter().product::<u32>() / 32 / shape.warps;
    body.out.line(format!("const u32 {lane} = threadIdx.x % 32u;"));
    let first = if shape.warps == 1 {
        format!("(u64)blockIdx.x * {per_block}u + threadIdx.x / 32u")
    } else {
        body.out.line(format!("const u32 {warp} = threadIdx.x / 32u;"));
        "blockIdx.x".to_owned()
    };
    body.out.line(format!("const u64 {stride} = (u64)gridDim.x * {per_block}u;"));
    let c = if rows.prim == Prim::Bool { "u8" } else { c_name(rows.prim) };
    let (of_warp, turn) = (body.name("of_warp"), body.name("turn"));
    if shape.warps > 1 {
        body.out.line(format!("__shared__ {c} {of_warp}[2][{}];", shape.warps));
        body.out.line(format!("u32 {turn} = 0u;"));
    }
    body.out.open(format!("for (u64 {t} = {first}; {t} < {total}; {t} += {stride}) {{"));
    body.declare_dims_from(&format!("({}){t}", body.counter()));
    body.know_vars();
    body.statements(rows.before);

    let prim = body.w.types.prim(body.code.local_ty[rows.var.index()]).unwrap_or(Prim::Usize);
    let nothing = Block(Vec::new());
    let along = NestLoop { label: rows.label, var: rows.var, range: rows.range, body: &nothing };
    body.narrow_var(rows.var, rows.range);
    let range = body.counted(rows.range, prim);
    let reducer = Reducer::Builtin(rows.op, rows.prim);
    // `fmin` and `fmax` drop a NaN, so NaN is their only identity that keeps a NaN.
    let identity = match rows.op {
        ReduceOp::Min | ReduceOp::Max if rows.prim.is_float() => {
            literal::float(body.w.syntax, rows.prim, f64::NAN)
        }
        _ => body.reducer_identity(&reducer),
    };
    let scan = RowScan {
        rows: &rows,
        along,
        prim,
        range,
        c,
        reducer,
        identity,
        shape,
        lane,
        warp,
        of_warp,
        turn,
        carried: body.name("carried"),
    };
    scan.row(body);
    body.out.close("}");
}

/// The scan of one row.
struct RowScan<'a, 'k> {
    rows: &'a Rows<'k>,
    along: NestLoop<'a>,
    /// The type of the loop's variable.
    prim: Prim,
    range: Counted,
    /// The type of the values.
    c: &'a str,
    reducer: Reducer,
    identity: String,
    shape: Shape,
    lane: String,
    warp: String,
    of_warp: String,
    /// Which copy of the warps' results is used.
    turn: String,
    carried: String,
}

/// Elements that are read in groups.
struct Stream<'k> {
    place: &'k Place,
    wide: String,
    register: String,
}

impl<'k> RowScan<'_, 'k> {
    fn row(&self, body: &mut Body<'_, '_>) {
        let Self { rows, range, c, identity, shape, carried, .. } = self;
        let (at, mine, head, part) =
            (body.name("at"), body.name("mine"), body.name("head"), body.name("part"));
        let streams = if shape.group > 1 { self.streams(body) } else { Vec::new() };
        let aligned = body.name("aligned");
        let count = &range.count;
        body.out.line(format!("{c} {carried} = {identity};"));
        body.out.line(format!("u64 {head} = 0;"));
        if !streams.is_empty() {
            body.out.line(format!("bool {aligned} = true;"));
        }
        body.out.open(format!("if ({count} != 0) {{"));
        body.nest_variable(&self.along, self.prim, range, "0");
        rows.lets.iter().for_each(|stmt| body.stmt(stmt));
        let first = body.place(rows.last).text;
        body.out.line(format!("{carried} = {first};"));
        let (place, size) = (body.place(rows.place).text, rows.prim.size());
        body.out.line(format!("{head} = (u64)&{place} / {size} % {};", LINE / size));
        for stream in &streams {
            let size = self.element_size(body, stream.place);
            let place = body.place(stream.place).text;
            let wide = (shape.group as usize * size).min(WIDEST);
            body.out
                .line(format!("{aligned} = {aligned} && ((u64)&{place} - {head} * {size}) % {wide} == 0;"));
        }
        body.fallible = false;
        body.out.close("}");

        let elements = 32 * shape.group * shape.chunks;
        let whole_row = elements * shape.warps;
        body.out.open(format!("for (u64 {at} = 0; {at} < {count} + {head}; {at} += {whole_row}u) {{"));
        // Those before the first are far beyond the last.
        let mine_of_warp =
            if shape.warps > 1 { format!(" + {} * {elements}u", self.warp) } else { String::new() };
        body.out.line(format!("const u64 {part} = {at}{mine_of_warp} - {head};"));
        body.out.line(format!("{c} {mine}[{}];", shape.group * shape.chunks));
        let full = body.name("full");
        if shape.group > 1 {
            body.out.line(format!("const bool {full} = {part} < {count} && {part} + {elements} <= {count};"));
        }
        if streams.is_empty() {
            self.load(body, &mine, &part);
        } else {
            body.out.open(format!("if ({full} && {aligned}) {{"));
            self.load_groups(body, &streams, &mine, &part, false);
            body.out.close(format!("}} else if ({aligned}) {{"));
            body.out.depth += 1;
            self.load_groups(body, &streams, &mine, &part, true);
            body.out.close("} else {");
            body.out.depth += 1;
            self.load(body, &mine, &part);
            body.out.close("}");
        }
        self.scan(body, &mine);
        if shape.group > 1 {
            body.out.open(format!("if ({full}) {{"));
            self.store_groups(body, &mine, &part, false);
            body.out.close("} else {");
            body.out.depth += 1;
            self.store_groups(body, &mine, &part, true);
            body.out.close("}");
        } else {
            self.store(body, &mine, &part);
        }
        body.out.close("}");
    }

    /// The arrays that are read in groups, each element once.
    fn streams(&self, body: &mut Body<'_, '_>) -> Vec<Stream<'k>> {
        let mut streams = Vec::new();
        for place in &self.rows.streams {
            let Base::Array(array) = place.base else { continue };
            let elem = body.w.kernel.array_ty[array.index()];
            let width = self.shape.group;
            let wide = body.w.with_types(|types, names| types.vector(elem, width, names));
            streams.push(Stream { place, wide, register: body.name("group") });
        }
        streams
    }

    fn element_size(&self, body: &Body<'_, '_>, place: &Place) -> usize {
        let Base::Array(array) = place.base else { return 1 };
        body.w.kernel.types.prim(body.w.kernel.array_ty[array.index()]).map_or(1, Prim::size)
    }

    /// A loop over the groups of a lane.
    fn groups(&self, body: &mut Body<'_, '_>) -> String {
        let k = body.name("k");
        body.out.line("#pragma unroll");
        body.out.open(format!("for (u32 {k} = 0; {k} < {}u; {k}++) {{", self.shape.chunks));
        k
    }

    /// Loops over the elements of a lane. Gives the index of a register, and declares the number of its iteration.
    fn elements(&self, body: &mut Body<'_, '_>, part: &str) -> (String, String) {
        let (group, lane) = (self.shape.group, &self.lane);
        let (k, n) = (self.groups(body), body.name("n"));
        if group == 1 {
            body.out.line(format!("const u64 {n} = {part} + {k} * 32u + {lane};"));
            return (k, n);
        }
        let j = body.name("j");
        body.out.line("#pragma unroll");
        body.out.open(format!("for (u32 {j} = 0; {j} < {group}u; {j}++) {{"));
        body.out.line(format!("const u64 {n} = {part} + ({k} * 32u + {lane}) * {group}u + {j};"));
        (format!("{k} * {group}u + {j}"), n)
    }

    fn end_elements(&self, body: &mut Body<'_, '_>) {
        body.out.close("}");
        if self.shape.group > 1 {
            body.out.close("}");
        }
    }

    fn declare(&self, body: &mut Body<'_, '_>, n: &str) {
        body.nest_variable(&self.along, self.prim, &self.range, n);
        self.rows.lets.iter().for_each(|stmt: &&Stmt| body.stmt(stmt));
    }

    /// The value of an iteration.
    fn element(&self, body: &mut Body<'_, '_>, register: &str) {
        let element = body.expr(self.rows.element);
        // Subscripts are proved; other failures have been recorded, and all lanes of the warp continue.
        if std::mem::take(&mut body.fallible) {
            body.enter_loop(self.rows.var);
            if let Some(record) = body.record_iteration("(cx.failed & 2u) != 0u") {
                body.out.line(format!("{record}; cx.failed &= 1u;"));
            }
            body.leave_loops(1);
        }
        body.out.line(format!("{register} = {};", bare(&element)));
    }

    fn load(&self, body: &mut Body<'_, '_>, mine: &str, part: &str) {
        let (index, n) = self.elements(body, part);
        body.out.line(format!("{mine}[{index}] = {};", self.identity));
        body.out.open(format!("if ({n} < {}) {{", self.range.count));
        self.declare(body, &n);
        self.element(body, &format!("{mine}[{index}]"));
        body.out.close("}");
        self.end_elements(body);
    }

    /// At the `edge` of a row, groups may lack elements.
    fn load_groups(
        &self,
        body: &mut Body<'_, '_>,
        streams: &[Stream<'_>],
        mine: &str,
        part: &str,
        edge: bool,
    ) {
        for stream in streams {
            body.out.line(format!("{} {}[{}];", stream.wide, stream.register, self.shape.chunks));
        }
        let (k, n) = self.first_of_group(body, part);
        let whole = |body: &mut Body<'_, '_>| {
            self.declare(body, &n);
            for Stream { place, wide, register } in streams {
                let from = body.place(place).text;
                body.out.line(format!("{register}[{k}] = *(const {wide}*)&{from};"));
            }
        };
        self.whole_or_not(body, &n, edge, whole, |body, j| {
            for Stream { place, register, .. } in streams {
                let from = body.place(place).text;
                body.out.line(format!("{register}[{k}].v[{j}] = {from};"));
            }
        });
        body.fallible = false;
        body.out.close("}");
        let (index, n) = self.elements(body, part);
        let (k, j) = index.split_once(&format!(" * {}u + ", self.shape.group)).unwrap_or((&index, "0"));
        if edge {
            body.out.line(format!("{mine}[{index}] = {};", self.identity));
            body.out.open(format!("if ({n} < {}) {{", self.range.count));
        }
        for stream in streams {
            if let Some(Projection::Index { access, .. }) = stream.place.projections.first() {
                body.registers.insert(*access, format!("{}[{k}].v[{j}]", stream.register));
            }
        }
        self.declare(body, &n);
        self.element(body, &format!("{mine}[{index}]"));
        body.registers.clear();
        if edge {
            body.out.close("}");
        }
        self.end_elements(body);
    }

    /// What is done with the group that begins at iteration `n`: as a whole, or, at an `edge` that cuts it, with those of its
    /// elements that there are.
    fn whole_or_not(
        &self,
        body: &mut Body<'_, '_>,
        n: &str,
        edge: bool,
        whole: impl FnOnce(&mut Body<'_, '_>),
        each: impl FnOnce(&mut Body<'_, '_>, &str),
    ) {
        if !edge {
            return whole(body);
        }
        let (group, count) = (self.shape.group, &self.range.count);
        body.out.open(format!("if ({n} < {count} && {n} + {group} <= {count}) {{"));
        whole(body);
        body.out.close("} else {");
        body.out.depth += 1;
        let (j, one) = (body.name("j"), body.name("n"));
        body.out.line("#pragma unroll");
        body.out.open(format!("for (u32 {j} = 0; {j} < {group}u; {j}++) {{"));
        body.out.line(format!("const u64 {one} = {n} + {j};"));
        body.out.open(format!("if ({one} < {count}) {{"));
        self.declare(body, &one);
        each(body, &j);
        body.out.close("}");
        body.out.close("}");
        body.out.close("}");
    }

    /// A loop over the groups of a lane, with the number of the first iteration of each.
    fn first_of_group(&self, body: &mut Body<'_, '_>, part: &str) -> (String, String) {
        let (k, n) = (self.groups(body), body.name("n"));
        let Self { lane, shape, .. } = self;
        body.out.line(format!("const u64 {n} = {part} + ({k} * 32u + {lane}) * {}u;", shape.group));
        (k, n)
    }

    fn store(&self, body: &mut Body<'_, '_>, mine: &str, part: &str) {
        let (index, n) = self.elements(body, part);
        body.out.open(format!("if ({n} < {}) {{", self.range.count));
        self.declare(body, &n);
        let place = body.place(self.rows.place).text;
        body.fallible = false;
        body.out.line(format!("{place} = {mine}[{index}];"));
        body.out.close("}");
        self.end_elements(body);
    }

    fn store_groups(&self, body: &mut Body<'_, '_>, mine: &str, part: &str, edge: bool) {
        let Base::Array(array) = self.rows.place.base else { return };
        let (elem, width) = (body.w.kernel.array_ty[array.index()], self.shape.group);
        let wide = body.w.with_types(|types, names| types.vector(elem, width, names));
        let (group, j) = (body.name("group"), body.name("j"));
        let (k, n) = self.first_of_group(body, part);
        let whole = |body: &mut Body<'_, '_>| {
            self.declare(body, &n);
            body.out.line(format!("{wide} {group};"));
            body.out.line("#pragma unroll");
            body.out.line(format!(
                "for (u32 {j} = 0; {j} < {width}u; {j}++) {group}.v[{j}] = {mine}[{k} * {width}u + {j}];"
            ));
            let place = body.place(self.rows.place).text;
            body.out.line(format!("*({wide}*)&{place} = {group};"));
        };
        self.whole_or_not(body, &n, edge, whole, |body, j| {
            let place = body.place(self.rows.place).text;
            body.out.line(format!("{place} = {mine}[{k} * {width}u + {j}];"));
        });
        body.fallible = false;
        body.out.close("}");
    }

    /// Scans the registers of all lanes, and takes the carried value on.
    fn scan(&self, body: &mut Body<'_, '_>, mine: &str) {
        let Self { c, shape, lane, carried, identity, .. } = self;
        let (group, chunks) = (shape.group, shape.chunks);
        let (last, before) = (body.name("last"), body.name("before"));
        if group > 1 {
            let j = body.name("j");
            let k = self.groups(body);
            body.out.line("#pragma unroll");
            body.out.open(format!(
                "for (u32 {j} = {k} * {group}u + 1u; {j} < {k} * {group}u + {group}u; {j}++) {{"
            ));
            let both = body.combine(&self.reducer, &format!("{mine}[{j} - 1u]"), &format!("{mine}[{j}]"), "");
            body.out.line(format!("{mine}[{j}] = {};", bare(&both)));
            body.out.close("}");
            body.out.close("}");
            body.out.line(format!("{c} {last}[{chunks}], {before}[{chunks}];"));
            let k = self.groups(body);
            body.out.line(format!("{last}[{k}] = {mine}[{k} * {group}u + {}u];", group - 1));
            body.out.close("}");
        }
        let of_lanes = if group > 1 { &last } else { mine };
        let d = body.name("d");
        body.out.line("#pragma unroll");
        body.out.open(format!("for (u32 {d} = 1; {d} < 32; {d} <<= 1) {{"));
        let k = self.groups(body);
        self.add_below(body, &format!("{of_lanes}[{k}]"), &d);
        body.out.close("}");
        body.out.close("}");
        if group == 1 {
            let k = self.groups(body);
            let all = body.combine(&self.reducer, carried, &format!("{mine}[{k}]"), "");
            body.out.line(format!("{mine}[{k}] = {};", bare(&all)));
            let end = shuffled(self.rows.prim, "__shfl_sync", &format!("{mine}[{k}]"), "31");
            body.out.line(format!("{carried} = {end};"));
            body.out.close("}");
            return;
        }
        let start = body.name("start");
        body.out.line(format!("{c} {start} = {identity};"));
        let k = self.groups(body);
        let below = shuffled(self.rows.prim, "__shfl_up_sync", &format!("{last}[{k}]"), "1");
        body.out.line(format!("{before}[{k}] = {below};"));
        let all = body.combine(&self.reducer, &start, &format!("{before}[{k}]"), "");
        body.out.line(format!("{before}[{k}] = {lane} == 0u ? {start} : {};", bare(&all)));
        let end = shuffled(self.rows.prim, "__shfl_sync", &format!("{last}[{k}]"), "31");
        body.out.line(format!("{last}[{k}] = {end};"));
        let all = body.combine(&self.reducer, &start, &format!("{last}[{k}]"), "");
        body.out.line(format!("{start} = {};", bare(&all)));
        body.out.close("}");
        self.between_warps(body, &start);
        let j = body.name("j");
        let k = self.groups(body);
        let all = body.combine(&self.reducer, &start, &format!("{before}[{k}]"), "");
        body.out.line(format!("{before}[{k}] = {};", bare(&all)));
        body.out.line("#pragma unroll");
        body.out.open(format!("for (u32 {j} = {k} * {group}u; {j} < {k} * {group}u + {group}u; {j}++) {{"));
        let all = body.combine(&self.reducer, &format!("{before}[{k}]"), &format!("{mine}[{j}]"), "");
        body.out.line(format!("{mine}[{j}] = {};", bare(&all)));
        body.out.close("}");
        body.out.close("}");
    }

    /// Combines a register with that of the lane `d` below, if there is one.
    fn add_below(&self, body: &mut Body<'_, '_>, register: &str, d: &str) {
        let (other, lane) = (body.name("other"), &self.lane);
        let below = shuffled(self.rows.prim, "__shfl_up_sync", register, d);
        body.out.line(format!("const {} {other} = {below};", self.c));
        let both = body.combine(&self.reducer, &other, register, "");
        body.out.line(format!("if ({lane} >= {d}) {register} = {};", bare(&both)));
    }

    /// `start` has what the part of a warp adds up to, and gets what it starts from.
    fn between_warps(&self, body: &mut Body<'_, '_>, start: &str) {
        let Self { c, shape, lane, warp, of_warp, turn, carried, identity, .. } = self;
        let (all, d) = (body.name("all"), body.name("d"));
        body.out.line(format!("if ({lane} == 0u) {of_warp}[{turn}][{warp}] = {start};"));
        body.out.line("__syncthreads();");
        body.out
            .line(format!("{c} {all} = {lane} < {}u ? {of_warp}[{turn}][{lane}] : {identity};", shape.warps));
        body.out.line(format!("{turn} ^= 1u;"));
        body.out.line("#pragma unroll");
        body.out.open(format!("for (u32 {d} = 1; {d} < {}; {d} <<= 1) {{", shape.warps));
        self.add_below(body, &all, &d);
        body.out.close("}");
        let below = shuffled(self.rows.prim, "__shfl_sync", &all, &format!("({warp} + 31u) % 32u"));
        body.out.line(format!("{start} = {below};"));
        let sum = body.combine(&self.reducer, carried, start, "");
        body.out.line(format!("{start} = {warp} == 0u ? {carried} : {};", bare(&sum)));
        let end = shuffled(self.rows.prim, "__shfl_sync", &all, &(shape.warps - 1).to_string());
        body.out.line(format!("{all} = {end};"));
        let sum = body.combine(&self.reducer, carried, &all, "");
        body.out.line(format!("{carried} = {};", bare(&sum)));
    }
}
