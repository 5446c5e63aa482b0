//! Inner loops that are scans: a warp runs one iteration of the parallel loop at a time. Its lanes take neighbouring elements, so
//! that accesses are contiguous. A warp's accesses begin at cache lines, because an access to two lines costs a quarter more.
//! Several rows of lanes are in flight. Each is scanned by shuffles, and the carried value goes from one row to the next. No warp
//! waits for another.
//!
//! In place is correct: a lane loads its elements before it stores them, and no lane loads another's; the element before the
//! first is stored by no lane. All lanes run the statements around the inner loop in the same way.
use crate::back::c::body::Body;
use crate::back::c::expr::bare;
use crate::back::c::expr::literal;
use crate::back::c::helpers::c_name;
use crate::back::c::operator::shuffled;
use crate::back::c::stmt::inner::NestLoop;
use omp_ir::analysis::patterns::rows::rows;
use omp_ir::kernel::Reducer;
use omp_ir::template::{Base, Block, ReduceOp, Stmt};

/// Bytes of a line of the cache.
const LINE: usize = 128;

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

    let prim = body.w.types.prim(body.code.local_ty[rows.var.index()]).unwrap_or(omp_ir::desc::Prim::Usize);
    let nothing = Block(Vec::new());
    let along = NestLoop { label: rows.label, var: rows.var, range: rows.range, body: &nothing };
    body.narrow_var(rows.var, rows.range);
    let range = body.counted(rows.range, prim);
    let c = if rows.prim == omp_ir::desc::Prim::Bool { "u8" } else { c_name(rows.prim) };
    let reducer = Reducer::Builtin(rows.op, rows.prim);
    // `fmin` and `fmax` drop a NaN, and only that leaves another one as it is.
    let identity = match rows.op {
        ReduceOp::Min | ReduceOp::Max if rows.prim.is_float() => {
            literal::float(body.w.syntax, rows.prim, f64::NAN)
        }
        _ => body.reducer_identity(&reducer),
    };
    let (carried, mine, at, k, n) =
        (body.name("carried"), body.name("mine"), body.name("at"), body.name("k"), body.name("n"));
    let (d, other) = (body.name("d"), body.name("other"));
    let Base::Array(_) = rows.place.base else { return };
    let head = body.name("head");

    body.out.line(format!("{c} {carried} = {identity};"));
    body.out.line(format!("u64 {head} = 0;"));
    body.out.open(format!("if ({} != 0) {{", range.count));
    body.nest_variable(&along, prim, &range, "0");
    rows.lets.iter().for_each(|stmt| body.stmt(stmt));
    let first = body.place(rows.last).text;
    body.fallible = false;
    body.out.line(format!("{carried} = {first};"));
    let (place, size) = (body.place(rows.place).text, rows.prim.size());
    body.fallible = false;
    body.out.line(format!("{head} = (u64)&{place} / {size} % {};", LINE / size));
    body.out.close("}");

    let count = &range.count;
    body.out.open(format!("for (u64 {at} = 0; {at} < {count} + {head}; {at} += {}u) {{", 32 * chunks));
    body.out.line(format!("{c} {mine}[{chunks}];"));
    let open = |body: &mut Body<'_, '_>| {
        body.out.line("#pragma unroll");
        body.out.open(format!("for (u32 {k} = 0; {k} < {chunks}u; {k}++) {{"));
    };
    let each = |body: &mut Body<'_, '_>, lets: &[&Stmt]| {
        // Those before the first are far beyond the last.
        body.out.line(format!("const u64 {n} = {at} + {k} * 32u + {lane} - {head};"));
        body.out.open(format!("if ({n} < {count}) {{"));
        body.nest_variable(&along, prim, &range, &n);
        lets.iter().for_each(|stmt| body.stmt(stmt));
    };
    open(body);
    body.out.line(format!("{mine}[{k}] = {identity};"));
    each(body, &rows.lets);
    let element = body.expr(rows.element);
    // Subscripts are proved; other failures are in the record by now, and the warp goes on together.
    let fails = std::mem::take(&mut body.fallible);
    if fails {
        body.enter_loop(rows.var);
        if let Some(told) = body.tell_turns("(cx.failed & 2u) != 0u") {
            body.out.line(format!("{told}; cx.failed &= 1u;"));
        }
        body.leave_loops(1);
    }
    body.out.line(format!("{mine}[{k}] = {};", bare(&element)));
    body.out.close("}");
    body.out.close("}");
    body.out.line("#pragma unroll");
    body.out.open(format!("for (u32 {d} = 1; {d} < 32; {d} <<= 1) {{"));
    open(body);
    let below = shuffled(rows.prim, "__shfl_up_sync", &format!("{mine}[{k}]"), &d);
    body.out.line(format!("const {c} {other} = {below};"));
    let both = body.combine(&reducer, &other, &format!("{mine}[{k}]"), "");
    body.out.line(format!("if ({lane} >= {d}) {mine}[{k}] = {};", bare(&both)));
    body.out.close("}");
    body.out.close("}");
    open(body);
    let all = body.combine(&reducer, &carried, &format!("{mine}[{k}]"), "");
    body.out.line(format!("{mine}[{k}] = {};", bare(&all)));
    let last = shuffled(rows.prim, "__shfl_sync", &format!("{mine}[{k}]"), "31");
    body.out.line(format!("{carried} = {last};"));
    each(body, &rows.lets);
    let place = body.place(rows.place).text;
    body.fallible = false;
    body.out.line(format!("{place} = {mine}[{k}];"));
    body.out.close("}");
    body.out.close("}");
    body.out.close("}");
    body.out.close("}");
}
