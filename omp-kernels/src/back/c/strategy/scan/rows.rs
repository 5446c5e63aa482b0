//! Inner loops that are scans: a warp runs one iteration of the parallel loop at a time. Its lanes take neighbouring elements, so
//! that accesses are contiguous. A warp's accesses begin at cache lines, because an access to two lines costs a quarter more.
//! Several rows of lanes are in flight. Each is scanned by shuffles, and the carried value goes from one row to the next. No warp
//! waits for another. If the arrays are aligned alike, a lane takes neighbouring elements by accesses of 16 bytes, which reach more of
//! the memory's speed than those of 4.
//!
//! In place is correct: a lane loads its elements before it stores them, and no lane loads another's; the element before the
//! first is stored by no lane. All lanes run the statements around the inner loop in the same way.
use crate::back::c::body::Body;
use crate::back::c::expr::bare;
use crate::back::c::expr::literal;
use crate::back::c::helpers::c_name;
use crate::back::c::operator::shuffled;
use crate::back::c::stmt::inner::NestLoop;
use crate::back::c::stmt::range::Counted;
use omp_ir::analysis::rows::{Rows, rows};
use omp_ir::desc::Prim;
use omp_ir::kernel::Reducer;
use omp_ir::template::{Base, Block, Place, ReduceOp, Stmt};

/// Bytes of a line of the cache.
const LINE: usize = 128;

/// Bytes of the widest access.
const WIDEST: usize = 16;

/// Elements that a lane has in flight, at most, in accesses of 16 bytes.
const MOST_WIDE: usize = 16;

/// Writes the kernel.
pub(crate) fn write(body: &mut Body<'_, '_>, chunks: u32) {
    let kernel = body.w.kernel;
    let Some(rows) = rows(kernel) else { return };
    body.begin();
    let total = body.total();
    let (lane, warps, t) = (body.name("lane"), body.name("warps"), body.name("t"));
    let per_block = body.w.schedule.block.iter().product::<u32>() / 32;
    body.out.line(format!("const u32 {lane} = threadIdx.x % 32u;"));
    body.out.line(format!("const u64 {warps} = (u64)gridDim.x * {per_block}u;"));
    body.out.open(format!(
        "for (u64 {t} = (u64)blockIdx.x * {per_block}u + threadIdx.x / 32u; {t} < {total}; {t} += {warps}) {{"
    ));
    body.declare_dims_from(&format!("({}){t}", body.counter()));
    body.know_vars();
    body.statements(rows.before);

    let prim = body.w.types.prim(body.code.local_ty[rows.var.index()]).unwrap_or(Prim::Usize);
    let nothing = Block(Vec::new());
    let along = NestLoop { label: rows.label, var: rows.var, range: rows.range, body: &nothing };
    body.narrow_var(rows.var, rows.range);
    let range = body.counted(rows.range, prim);
    let c = if rows.prim == Prim::Bool { "u8" } else { c_name(rows.prim) };
    let reducer = Reducer::Builtin(rows.op, rows.prim);
    // `fmin` and `fmax` drop a NaN, and only that leaves another one as it is.
    let identity = match rows.op {
        ReduceOp::Min | ReduceOp::Max if rows.prim.is_float() => {
            literal::float(body.w.syntax, rows.prim, f64::NAN)
        }
        _ => body.reducer_identity(&reducer),
    };
    let [carried, mine, at, k, n, d, head] =
        ["carried", "mine", "at", "k", "n", "d", "head"].map(|name| body.name(name));
    let mut row = Row {
        body,
        rows: &rows,
        along,
        prim,
        range,
        c,
        reducer,
        identity,
        lane,
        carried,
        mine,
        at,
        k,
        n,
        d,
        head,
    };
    row.write(chunks);
    body.out.close("}");
}

/// The loop along a row, and the names in its text.
struct Row<'a, 'b, 'w, 'k> {
    body: &'b mut Body<'w, 'k>,
    rows: &'a Rows<'k>,
    along: NestLoop<'a>,
    /// Of the loop variable.
    prim: Prim,
    range: Counted,
    /// The type of the elements.
    c: &'static str,
    reducer: Reducer,
    identity: String,
    lane: String,
    carried: String,
    mine: String,
    at: String,
    k: String,
    n: String,
    d: String,
    /// Elements between the start of a cache line and the first element.
    head: String,
}

/// An array of which a lane loads neighbouring elements by one access.
struct Wide<'k> {
    place: &'k Place,
    access: omp_ir::ids::AccessId,
    size: usize,
    /// The type of the access, and the registers.
    ty: String,
    name: String,
}

impl<'k> Row<'_, '_, '_, 'k> {
    fn write(&mut self, chunks: u32) {
        let Base::Array(array) = self.rows.place.base else { return };
        let size = self.rows.prim.size();
        let width = WIDEST / size;
        let elem = self.body.w.kernel.array_ty[array.index()];
        // Booleans have no vectors, and elements of 16 bytes are accessed whole anyway.
        let wide = (self.rows.prim != Prim::Bool && width > 1).then(|| self.wide_arrays(width));
        self.body.out.line(format!("{} {} = {};", self.c, self.carried, self.identity));
        self.body.out.line(format!("u64 {} = 0;", self.head));
        let aligned = self.body.name("aligned");
        if wide.is_some() {
            self.body.out.line(format!("bool {aligned} = false;"));
        }
        self.body.out.open(format!("if ({} != 0) {{", self.range.count));
        self.iteration("0");
        let first = self.body.place(self.rows.last).text;
        self.body.out.line(format!("{} = {first};", self.carried));
        let place = self.body.place(self.rows.place).text;
        self.body.out.line(format!("{} = (u64)&{place} / {size} % {};", self.head, LINE / size));
        if let Some(arrays) = &wide {
            let fits = |of: &Wide<'_>, body: &mut Body<'_, '_>, head: &str| {
                let place = body.place(of.place).text;
                format!("((u64)&{place} - {head} * {}) % {} == 0", of.size, of.size * width)
            };
            let fits: Vec<_> = arrays.iter().map(|of| fits(of, self.body, &self.head)).collect();
            let all = if fits.is_empty() { "true".to_owned() } else { fits.join(" && ") };
            self.body.out.line(format!("{aligned} = {all};"));
        }
        self.body.fallible = false;
        self.body.out.close("}");
        let Some(arrays) = wide else { return self.narrow(chunks) };
        self.body.out.open(format!("if ({aligned}) {{"));
        let ty = self.body.w.with_types(|types, names| types.vector(elem, width as u32, names));
        self.wide(width as u32, &arrays, &ty);
        self.body.out.close("} else {");
        self.body.out.depth += 1;
        self.narrow(chunks);
        self.body.out.close("}");
    }

    /// The arrays of which neighbouring elements fit an access.
    fn wide_arrays(&mut self, width: usize) -> Vec<Wide<'k>> {
        let kernel = self.body.w.kernel;
        let mut found = Vec::new();
        for (array, access, place) in &self.rows.walked {
            let elem = kernel.array_ty[array.index()];
            let Some(prim) = kernel.types.prim(elem).filter(|p| *p != Prim::Bool) else { continue };
            if prim.size() * width > WIDEST {
                continue;
            }
            let ty = self.body.w.with_types(|types, names| types.vector(elem, width as u32, names));
            let name = self.body.name(&format!("{}_v", kernel.template.arrays[array.index()].name));
            found.push(Wide { place, access: *access, size: prim.size(), ty, name });
        }
        found
    }

    /// Declares the loop variable of iteration `n`, and what the loop names before its element.
    fn iteration(&mut self, n: &str) {
        self.body.nest_variable(&self.along, self.prim, &self.range, n);
        self.rows.lets.iter().for_each(|stmt: &&Stmt| self.body.stmt(stmt));
    }

    /// What is combined with the element before, into `to`.
    fn element(&mut self, to: &str) {
        let element = self.body.expr(self.rows.element);
        // Subscripts are proved; other failures are in the record by now, and the warp goes on together.
        let fails = std::mem::take(&mut self.body.fallible);
        if fails {
            self.body.enter_loop(self.rows.var);
            if let Some(told) = self.body.tell_turns("(cx.failed & 2u) != 0u") {
                self.body.out.line(format!("{told}; cx.failed &= 1u;"));
            }
            self.body.leave_loops(1);
        }
        self.body.out.line(format!("{to} = {};", bare(&element)));
    }

    /// Opens a loop over `0..times` that is unrolled.
    fn unrolled(&mut self, var: &str, times: u32) {
        self.body.out.line("#pragma unroll");
        self.body.out.open(format!("for (u32 {var} = 0; {var} < {times}u; {var}++) {{"));
    }

    /// The inclusive scan over the lanes of `chunks` values.
    fn over_lanes(&mut self, of: &str, chunks: u32) {
        let (lane, d, other) = (self.lane.clone(), self.d.clone(), self.body.name("other"));
        self.body.out.line("#pragma unroll");
        self.body.out.open(format!("for (u32 {d} = 1; {d} < 32; {d} <<= 1) {{"));
        let k = self.k.clone();
        self.unrolled(&k, chunks);
        let below = shuffled(self.rows.prim, "__shfl_up_sync", of, &d);
        self.body.out.line(format!("const {} {other} = {below};", self.c));
        let both = self.body.combine(&self.reducer, &other, of, "");
        self.body.out.line(format!("if ({lane} >= {d}) {of} = {};", bare(&both)));
        self.body.out.close("}");
        self.body.out.close("}");
    }

    /// Each lane has one element of each chunk.
    fn narrow(&mut self, chunks: u32) {
        let Self { c, identity, lane, carried, mine, at, k, n, head, .. } = &*self;
        let [c, identity, lane, carried, mine, at, k, n, head] =
            [*c, identity, lane, carried, mine, at, k, n, head].map(str::to_owned);
        let count = self.range.count.clone();
        self.body
            .out
            .open(format!("for (u64 {at} = 0; {at} < {count} + {head}; {at} += {}u) {{", 32 * chunks));
        self.body.out.line(format!("{c} {mine}[{chunks}];"));
        let each = |row: &mut Self| {
            // Those before the first are far beyond the last.
            row.body.out.line(format!("const u64 {n} = {at} + {k} * 32u + {lane} - {head};"));
            row.body.out.open(format!("if ({n} < {count}) {{"));
            row.iteration(&n);
        };
        let of = format!("{mine}[{k}]");
        self.unrolled(&k, chunks);
        self.body.out.line(format!("{of} = {identity};"));
        each(self);
        self.element(&of);
        self.body.out.close("}");
        self.body.out.close("}");
        self.over_lanes(&of, chunks);
        self.unrolled(&k, chunks);
        let all = self.body.combine(&self.reducer, &carried, &of, "");
        self.body.out.line(format!("{of} = {};", bare(&all)));
        let last = shuffled(self.rows.prim, "__shfl_sync", &of, "31");
        self.body.out.line(format!("{carried} = {last};"));
        each(self);
        let place = self.body.place(self.rows.place).text;
        self.body.fallible = false;
        self.body.out.line(format!("{place} = {of};"));
        self.body.out.close("}");
        self.body.out.close("}");
        self.body.out.close("}");
    }

    /// Each lane has `width` neighbouring elements of each chunk, and moves them by one access where the row has all of them.
    fn wide(&mut self, width: u32, arrays: &[Wide<'k>], ty: &str) {
        let Self { c, identity, lane, carried, mine, at, k, n, head, .. } = &*self;
        let [c, identity, lane, carried, mine, at, k, n, head] =
            [*c, identity, lane, carried, mine, at, k, n, head].map(str::to_owned);
        let count = self.range.count.clone();
        let chunks = (MOST_WIDE as u32 / width).max(1);
        let [w, one, all, prior, up, group] =
            ["w", "one", "all", "prior", "up", "group"].map(|name| self.body.name(name));
        self.body.out.open(format!(
            "for (u64 {at} = 0; {at} < {count} + {head}; {at} += {}u) {{",
            32 * chunks * width
        ));
        self.body.out.line(format!("{c} {mine}[{}];", chunks * width));
        self.body.out.line(format!("{c} {all}[{chunks}];"));
        for of in arrays {
            self.body.out.line(format!("{} {}[{chunks}];", of.ty, of.name));
        }
        let first = |row: &mut Self| {
            // Those before the first are far beyond the last.
            let at = format!("{at} + ({k} * 32u + {lane}) * {width}u - {head}");
            row.body.out.line(format!("const u64 {n} = {at};"));
        };
        let whole = format!("{n} < {count} && {count} - {n} >= {width}u");
        // All loads are under way before the first is needed.
        if !arrays.is_empty() {
            self.unrolled(&k, chunks);
            first(self);
            self.body.out.open(format!("if ({whole}) {{"));
            self.body.nest_variable(&self.along, self.prim, &self.range, &n);
            for of in arrays {
                let place = self.body.place(of.place).text;
                self.body.out.line(format!("{}[{k}] = *(const {}*)&{place};", of.name, of.ty));
            }
            self.body.fallible = false;
            self.body.out.close("}");
            self.body.out.close("}");
        }
        let of = format!("{mine}[{k} * {width}u + {w}]");
        let last = format!("{mine}[{k} * {width}u + {}u]", width - 1);
        self.unrolled(&k, chunks);
        first(self);
        self.body.out.open(format!("if ({whole}) {{"));
        self.unrolled(&w, width);
        self.body.out.line(format!("const u64 {one} = {n} + {w};"));
        for of in arrays {
            self.body.registers.insert(of.access, format!("{}[{k}].v[{w}]", of.name));
        }
        self.iteration(&one);
        self.element(&of);
        self.body.registers.clear();
        self.body.out.close("}");
        self.body.out.close("} else {");
        self.body.out.depth += 1;
        self.unrolled(&w, width);
        self.body.out.line(format!("const u64 {one} = {n} + {w};"));
        self.body.out.line(format!("{of} = {identity};"));
        self.body.out.open(format!("if ({one} < {count}) {{"));
        self.iteration(&one);
        self.element(&of);
        self.body.out.close("}");
        self.body.out.close("}");
        self.body.out.close("}");
        self.body.out.line("#pragma unroll");
        self.body.out.open(format!("for (u32 {w} = 1; {w} < {width}u; {w}++) {{"));
        let before = format!("{mine}[{k} * {width}u + {w} - 1u]");
        let both = self.body.combine(&self.reducer, &before, &of, "");
        self.body.out.line(format!("{of} = {};", bare(&both)));
        self.body.out.close("}");
        self.body.out.line(format!("{all}[{k}] = {last};"));
        self.body.out.close("}");
        let sums = format!("{all}[{k}]");
        self.over_lanes(&sums, chunks);
        self.unrolled(&k, chunks);
        let below = shuffled(self.rows.prim, "__shfl_up_sync", &sums, "1");
        self.body.out.line(format!("const {c} {up} = {below};"));
        let both = self.body.combine(&self.reducer, &carried, &up, "");
        self.body.out.line(format!("const {c} {prior} = {lane} == 0u ? {carried} : {};", bare(&both)));
        let end = shuffled(self.rows.prim, "__shfl_sync", &sums, "31");
        self.body.out.line(format!("const {c} {group} = {end};"));
        let both = self.body.combine(&self.reducer, &carried, &group, "");
        self.body.out.line(format!("{carried} = {};", bare(&both)));
        self.unrolled(&w, width);
        let both = self.body.combine(&self.reducer, &prior, &of, "");
        self.body.out.line(format!("{of} = {};", bare(&both)));
        self.body.out.close("}");
        first(self);
        self.body.out.open(format!("if ({whole}) {{"));
        let stored = self.body.name("stored");
        self.body.out.line(format!("{ty} {stored};"));
        self.unrolled(&w, width);
        self.body.out.line(format!("{stored}.v[{w}] = {of};"));
        self.body.out.close("}");
        self.iteration(&n);
        let place = self.body.place(self.rows.place).text;
        self.body.fallible = false;
        self.body.out.line(format!("*({ty}*)&{place} = {stored};"));
        self.body.out.close("} else {");
        self.body.out.depth += 1;
        self.unrolled(&w, width);
        self.body.out.line(format!("const u64 {one} = {n} + {w};"));
        self.body.out.open(format!("if ({one} < {count}) {{"));
        self.iteration(&one);
        let place = self.body.place(self.rows.place).text;
        self.body.fallible = false;
        self.body.out.line(format!("{place} = {of};"));
        self.body.out.close("}");
        self.body.out.close("}");
        self.body.out.close("}");
        self.body.out.close("}");
        self.body.out.close("}");
    }
}
