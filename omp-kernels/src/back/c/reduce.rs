//! Reductions: one kernel, no atomics on values, the same result in every run.
//!
//! Each thread reduces its iterations in registers, chunk by chunk. Floating-point sums and products add up chunks in
//! two levels, of about the square root of their number each, so that the error grows with that root only; where a
//! block is one thread, which then has many chunks, pairwise: level `l` holds the sum of `2^l` chunks when bit `l` of
//! their number is set. Then the block combines its threads, and the last block to finish combines the blocks
//! (`templates/reduce.*`).
use super::body::Body;
use super::helpers::c_name;
use super::vector::{Around, Chunks};
use super::writer::read_float;
use super::{literal, writer};
use crate::back::{Arg, Dialect};
use crate::ir::desc::Prim;
use crate::ir::ids::ArrayId;
use crate::ir::kernel::Kernel;
use crate::ir::template::{BinOp, ReduceOp, Reduction};
use std::fmt::Write as _;

const CUDA: &str = include_str!("../../templates/reduce.cuh");
/// Levels of a pairwise sum: more than chunks have bits.
const LEVELS: u32 = 56;

const OPENCL: &str = include_str!("../../templates/reduce.cl");

/// Bytes that a block leaves in the partials.
pub(crate) fn partial_bytes(kernel: &Kernel) -> u32 {
    (kernel.template.reductions.len() as u32 * 8).next_multiple_of(16)
}

/// A reduction item in the kernel.
struct Item {
    prim: Prim,
    op: ReduceOp,
    /// The local that the body updates.
    local: String,
    identity: String,
    /// Sums of chunks and sums of these, for floats.
    levels: Option<[String; 2]>,
}

/// Writes the kernel.
pub(crate) fn write(body: &mut Body<'_, '_>, width: u32, unroll: u32, arrays: &[ArrayId]) {
    let kernel = body.w.kernel;
    let items: Vec<Item> = kernel.template.reductions.iter().map(|r| item(body, r)).collect();
    prelude(body, &items);
    let [x, y, z] = body.w.schedule.block;
    let shared = body.w.syntax.shared;
    let (shared_items, flag) = (body.name("shared_items"), body.name("shared_flag"));
    let slots = if by_warps(body) { 32 } else { x * y * z };
    body.out.line(format!("{shared}items {shared_items}[{slots}];"));
    body.out.line(format!("{shared}u32 {flag};"));
    body.begin();
    for item in &items {
        let c = c_name(item.prim);
        match &item.levels {
            None => body.out.line(format!("{c} {} = {};", item.local, item.identity)),
            Some([inner, _]) if is_single(body) => body.out.line(format!("{c} {inner}[{LEVELS}];")),
            Some([inner, outer]) => {
                body.out.line(format!("{c} {inner} = {id}, {outer} = {id};", id = item.identity));
            }
        }
    }
    let chunks = Chunks::new(body, width, unroll, arrays).in_waves();
    let mut levels = Levels { items, names: None };
    if levels.items.iter().any(|i| i.levels.is_some()) {
        let (every, turn) = (body.name("every"), body.name("turn"));
        if is_single(body) {
            body.out.line(format!("u64 {turn} = 0;"));
        } else {
            let root = body.w.syntax.math("sqrt", Prim::F32);
            let per_block = chunks.per_block(body);
            body.out.line(format!("const u32 {every} = (u32){root}((f32){per_block}) + 1u;"));
            body.out.line(format!("u32 {turn} = 0u;"));
        }
        levels.names = Some((every, turn));
    }
    chunks.write(body, &mut levels);
    if is_single(body) {
        levels.total_pairwise(body);
    }
    finish(body, &levels.items, &shared_items, &flag, false);
}

/// Writes a kernel for teams. All threads of a team have the same values of the items; those of thread 0 count.
pub(crate) fn write_teams(body: &mut Body<'_, '_>) {
    let kernel = body.w.kernel;
    let items: Vec<Item> = kernel.template.reductions.iter().map(|r| item(body, r)).collect();
    prelude(body, &items);
    let [x, y, z] = body.w.schedule.block;
    let shared = body.w.syntax.shared;
    let (shared_items, flag) = (body.name("shared_items"), body.name("shared_flag"));
    let slots = if by_warps(body) { 32 } else { x * y * z };
    body.out.line(format!("{shared}items {shared_items}[{slots}];"));
    body.out.line(format!("{shared}u32 {flag};"));
    body.begin();
    let total = body.total();
    let mut levels = Levels { items, names: None };
    for item in &levels.items {
        let c = c_name(item.prim);
        match &item.levels {
            None => body.out.line(format!("{c} {} = {};", item.local, item.identity)),
            Some([inner, outer]) => {
                body.out.line(format!("{c} {inner} = {id}, {outer} = {id};", id = item.identity));
            }
        }
    }
    if levels.items.iter().any(|i| i.levels.is_some()) {
        let (every, turn) = (body.name("every"), body.name("turn"));
        let root = body.w.syntax.math("sqrt", Prim::F32);
        let each = format!("{root}((f32)({total} / {} + 1))", body.w.syntax.blocks(0));
        body.out.line(format!("const u32 {every} = (u32){each} + 1u;"));
        body.out.line(format!("u32 {turn} = 0u;"));
        levels.names = Some((every, turn));
    }
    super::kernel::teams_around(body, &total, &mut levels);
    finish(body, &levels.items, &shared_items, &flag, true);
}

fn item(body: &mut Body<'_, '_>, reduction: &Reduction) -> Item {
    let ty = body.code.local_ty[reduction.local.index()];
    let prim = body.w.types.prim(ty).unwrap_or(Prim::I32);
    let local = body.locals[reduction.local.index()].clone();
    let bits = reduction.op.identity(prim).unwrap_or(0).to_le_bytes();
    let identity = if prim.is_float() {
        literal::float(body.w.syntax, prim, read_float(prim, &bits[..prim.size()]))
    } else {
        literal::int(body.w.syntax, prim, writer::read_int(prim, &bits))
    };
    let rounds = prim.is_float() && matches!(reduction.op, ReduceOp::Add | ReduceOp::Mul);
    let levels = rounds.then(|| [body.name(&format!("{local}_inner")), body.name(&format!("{local}_outer"))]);
    Item { prim, op: reduction.op, local, identity, levels }
}

/// Sums up chunks.
struct Levels {
    items: Vec<Item>,
    names: Option<(String, String)>,
}

impl Around for Levels {
    fn before(&mut self, body: &mut Body<'_, '_>) {
        for item in self.items.iter().filter(|i| i.levels.is_some()) {
            body.out.line(format!("{} {} = {};", c_name(item.prim), item.local, item.identity));
        }
    }

    fn after(&mut self, body: &mut Body<'_, '_>) {
        let Some((every, turn)) = &self.names else { return };
        if is_single(body) {
            self.add_pairwise(body, turn);
            return;
        }
        for item in &self.items {
            if let Some([inner, _]) = &item.levels {
                let sum = combine(body, item.op, item.prim, inner, &item.local);
                body.out.line(format!("{inner} = {sum};"));
            }
        }
        body.out.open(format!("if (++{turn} == {every}) {{"));
        body.out.line(format!("{turn} = 0u;"));
        for item in &self.items {
            if let Some([inner, outer]) = &item.levels {
                let sum = combine(body, item.op, item.prim, outer, inner);
                body.out.line(format!("{outer} = {sum};"));
                body.out.line(format!("{inner} = {};", item.identity));
            }
        }
        body.out.close("}");
    }
}

impl Levels {
    /// Adds the chunk to as many levels as end with it.
    fn add_pairwise(&self, body: &mut Body<'_, '_>, turn: &str) {
        let (level, bits) = (body.name("level"), body.name("bits"));
        for item in &self.items {
            let Some([levels, _]) = &item.levels else { continue };
            let sum = combine(body, item.op, item.prim, &format!("{levels}[{level}]"), &item.local);
            body.out.open("{");
            body.out.line(format!("u32 {level} = 0u;"));
            body.out.open(format!("for (u64 {bits} = {turn}; {bits} & 1; {bits} >>= 1) {{"));
            body.out.line(format!("{} = {};", item.local, super::expr::bare(&sum)));
            body.out.line(format!("{level}++;"));
            body.out.close("}");
            body.out.line(format!("{levels}[{level}] = {};", item.local));
            body.out.close("}");
        }
        body.out.line(format!("{turn}++;"));
    }

    /// Declares the sums of all levels.
    fn total_pairwise(&self, body: &mut Body<'_, '_>) {
        let Some((_, turn)) = &self.names else { return };
        let (level, bits) = (body.name("level"), body.name("bits"));
        for item in &self.items {
            let Some([levels, total]) = &item.levels else { continue };
            let sum = combine(body, item.op, item.prim, &format!("{levels}[{level}]"), total);
            body.out.line(format!("{} {total} = {};", c_name(item.prim), item.identity));
            body.out.open("{");
            body.out.line(format!("u32 {level} = 0u;"));
            body.out.open(format!("for (u64 {bits} = {turn}; {bits} != 0; {bits} >>= 1) {{"));
            body.out.line(format!("if ({bits} & 1) {total} = {};", super::expr::bare(&sum)));
            body.out.line(format!("{level}++;"));
            body.out.close("}");
            body.out.close("}");
        }
    }
}

/// A block is one thread.
fn is_single(body: &Body<'_, '_>) -> bool {
    body.w.schedule.block.iter().product::<u32>() == 1
}

/// The operator on two values.
pub(crate) fn combine(body: &mut Body<'_, '_>, op: ReduceOp, prim: Prim, a: &str, b: &str) -> String {
    match op {
        ReduceOp::Add => body.arith(BinOp::Add, prim, a, b),
        ReduceOp::Mul => body.arith(BinOp::Mul, prim, a, b),
        ReduceOp::Min if prim.is_float() => format!("{}({a}, {b})", body.w.syntax.math("fmin", prim)),
        ReduceOp::Max if prim.is_float() => format!("{}({a}, {b})", body.w.syntax.math("fmax", prim)),
        ReduceOp::Min => format!("({b} < {a} ? {b} : {a})"),
        ReduceOp::Max => format!("({b} > {a} ? {b} : {a})"),
        ReduceOp::BitAnd => format!("({a} & {b})"),
        ReduceOp::BitOr => format!("({a} | {b})"),
        ReduceOp::BitXor => format!("({a} ^ {b})"),
        ReduceOp::And => format!("({a} && {b})"),
        ReduceOp::Or => format!("({a} || {b})"),
    }
}

fn by_warps(body: &Body<'_, '_>) -> bool {
    body.w.syntax.dialect == Dialect::Cuda && body.w.schedule.block.iter().product::<u32>().is_multiple_of(32)
}

/// The type of all items and the functions on it, then the templates.
fn prelude(body: &mut Body<'_, '_>, items: &[Item]) {
    let s = body.w.syntax;
    let memory = |p: Prim| if p == Prim::Bool { "u8" } else { c_name(p) };
    let (mut fields, mut identity, mut joined, mut shuffled, mut loaded) =
        (String::new(), String::new(), String::new(), String::new(), String::new());
    for (i, item) in items.iter().enumerate() {
        let c = memory(item.prim);
        let _ = write!(fields, " {c} v{i};");
        let _ = write!(identity, " r.v{i} = {};", item.identity);
        let both = combine(body, item.op, item.prim, &format!("a.v{i}"), &format!("b.v{i}"));
        let _ = write!(joined, " r.v{i} = {};", super::expr::bare(&both));
        let wide = if item.prim.size() < 4 { "(int)" } else { "" };
        let _ = write!(shuffled, " r.v{i} = ({c})__shfl_down_sync(0xffffffffu, {wide}a.v{i}, d);");
        let _ = write!(loaded, " r.v{i} = ((volatile const {}items*)p)->v{i};", s.global);
    }
    let (helper, global) = (s.helper, s.global);
    let mut text = format!(
        "#define PARTIAL_BYTES {}u\ntypedef struct {{{fields} }} items;\n\
         {helper}items identity(void) {{ items r;{identity} return r; }}\n\
         {helper}items combine(items a, items b) {{ items r;{joined} return r; }}\n\
         {helper}items load_partial(const {global}u8* p) {{ items r;{loaded} return r; }}\n",
        partial_bytes(body.w.kernel)
    );
    let (file, block) = match s.dialect {
        Dialect::Cuda => (CUDA, if by_warps(body) { "warps" } else { "tree" }),
        Dialect::OpenCl if is_single(body) => (OPENCL, "single"),
        Dialect::OpenCl => (OPENCL, "tree"),
    };
    if s.dialect == Dialect::OpenCl {
        let barrier =
            if block == "single" { "" } else { "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)" };
        let [x, y, z] = body.w.schedule.block;
        let _ = writeln!(text, "#define GROUP_BARRIER() {barrier}\n#define GROUP_ITEMS {}u", x * y * z);
    }
    if block == "warps" {
        let _ =
            writeln!(text, "{helper}items shuffle_down(items a, u32 d) {{ items r;{shuffled} return r; }}");
    }
    for piece in [block, "grid"] {
        let _ = write!(text, "\n{}\n", super::helpers::find(file, piece).unwrap_or_default());
    }
    body.w.helpers.add("reduce", || text);
}

/// From the threads' values to the results. `alike`: the values of all threads of a block are the same.
fn finish(body: &mut Body<'_, '_>, items: &[Item], shared_items: &str, flag: &str, alike: bool) {
    let mine = body.name("mine");
    body.out.line(format!("items {mine};"));
    for (i, item) in items.iter().enumerate() {
        let value = match &item.levels {
            None => item.local.clone(),
            Some([_, total]) if is_single(body) => total.clone(),
            Some([inner, outer]) => combine(body, item.op, item.prim, outer, inner),
        };
        body.out.line(format!("{mine}.v{i} = {};", super::expr::bare(&value)));
    }
    if alike {
        body.out.line(format!("if ({} != 0) {mine} = identity();", body.w.syntax.thread_id(0)));
    }
    let (partials, ticket, result) = (body.arg(Arg::Partials), body.arg(Arg::Ticket), body.arg(Arg::Result));
    let global = body.w.syntax.global;
    body.out.open(format!("if (reduce_grid(&{mine}, {partials}, {ticket}, {shared_items}, &{flag})) {{"));
    for (i, item) in items.iter().enumerate() {
        let c = if item.prim == Prim::Bool { "u8" } else { c_name(item.prim) };
        body.out.line(format!("*({global}{c}*)({result} + {}) = {mine}.v{i};", 16 * i));
    }
    body.out.close("}");
}
