//! Sums of floats into the elements of large arrays by wide integers. Each element has an integer accumulator in device memory
//! that covers the whole range of the format, and threads add to it in any order. The term of an update is computed in the
//! format. Terms are added without rounding, so their sum is the same in every run. The sum is rounded to `f64`, and overflows
//! where an `f64` does, before the element is added.
//!
//! An element that is -0.0 keeps its sign unless something other than -0.0 is added. The sum does not show that. So if an array
//! has such elements, which the first launch finds out, updates set a flag.
//!
//! If few elements take most of the updates, threads contend for few words of memory. So a block caches some words in shared
//! memory, those that are requested first, and adds them to the accumulators at the end.
//!
//! The launches: zero all words; run the loop; add up an element's accumulators, if it has several; round each sum and add the
//! array's own element. Arrays of integers in the same loop are updated in place.
use super::ordered::{Section, section};
use crate::back::Arg;
use crate::back::c::body::Body;
use crate::back::c::helpers;
use crate::back::c::strategy::vector::{Chunks, Plain};
use crate::schedule::{Accumulator, FOUND};
use omp_ir::analysis::patterns::updates::Update;
use omp_ir::desc::Prim;
use omp_ir::ids::ArrayId;
use omp_ir::kernel::Reducer;
use omp_ir::template::Stmt;

/// The helpers.
const FILE: &str = include_str!("../../../../templates/accumulators.cuh");

/// A reduced array whose sums are integers.
#[derive(Debug, Clone)]
pub(crate) struct Of {
    array: ArrayId,
    prim: Prim,
    one: Accumulator,
    /// Words of one accumulator of each element, and the block's own ones.
    words: String,
    own: String,
    /// Whether updates have to set the flag that something was added; where all accumulators are; and what the block keeps of them.
    flag: String,
    all: String,
    hot: String,
    /// Elements, and how many lie between the array's address and its section.
    section: Section,
    /// The ending of the helpers' names.
    kind: String,
}

/// Writes the kernel.
pub(crate) fn write(
    body: &mut Body<'_, '_>,
    (width, unroll, arrays): (u32, u32, &[ArrayId]),
    of: &[Accumulator],
    hot: u32,
) {
    let threads: u32 = body.w.schedule.block.iter().product();
    let [worker, workers, all, e, c, flag, kept] =
        ["worker", "workers", "all", "e", "c", "flag", "kept"].map(|name| body.name(name));
    if hot > 0 {
        body.out.line(format!("__shared__ u32 {kept}[{}];", 3 * hot));
    }
    body.begin();
    body.out.line(format!("const u64 {worker} = (u64)blockIdx.x * {threads}u + threadIdx.x;"));
    body.out.line(format!("const u64 {workers} = (u64)gridDim.x * {threads}u;"));
    let items = body.w.kernel.array_items();
    let (mut sums, mut before) = (Vec::new(), FOUND.to_string());
    for (&(k, array), one) in items.iter().zip(of).filter(|(_, one)| one.copies > 0) {
        let Reducer::Builtin(_, prim) = body.w.kernel.reducers[k] else { continue };
        let names: [&str; 3] = [&flag, &all, if hot > 0 { &kept } else { "nullptr" }];
        let sum = declare(body, (array, prim, *one), (names, hot), &mut before);
        sums.push(sum);
    }
    let (phase, buffer) = (body.arg(Arg::Phase), body.arg(Arg::Copies));
    body.out.line(format!("u64* const {all} = (u64*){buffer};"));
    body.out.open(format!("if ({phase} == 0) {{"));
    body.out.line(format!(
        "for (u64 {e} = {FOUND} + {worker}; {e} < {before}; {e} += {workers}) {all}[{e}] = 0;"
    ));
    find_negative_zeros(body, &sums, [&worker, &all, &e, &flag]);
    body.out.close(format!("}} else if ({phase} == 1) {{"));
    body.out.depth += 1;
    body.out.line(format!("bool {flag} = false;"));
    body.out.line(format!(
        "for (u32 {e} = threadIdx.x; {e} < {FOUND}u && {e} < gridDim.x; {e} += {threads}u) {flag} |= {all}[{e}] != 0;"
    ));
    if hot > 0 {
        body.out.line(format!(
            "for (u32 {e} = threadIdx.x; {e} < {}u; {e} += {threads}u) {kept}[{e}] = 0u;",
            3 * hot
        ));
    }
    body.out.line(format!("{flag} = __syncthreads_or({flag}) != 0;"));
    body.atomics = items.iter().map(|(_, array)| *array).collect();
    body.accumulators.clone_from(&sums);
    Chunks::new(body, width, unroll, arrays).in_waves().write(body, &mut Plain);
    body.accumulators.clear();
    body.atomics.clear();
    if hot > 0 {
        let value = body.name("value");
        body.out.line("__syncthreads();");
        body.out.open(format!("for (u32 {e} = threadIdx.x; {e} < {hot}u; {e} += {threads}u) {{"));
        body.out
            .line(format!("const u64 {value} = (u64){kept}[{} + {e}] << 32 | {kept}[{hot} + {e}];", 2 * hot));
        body.out.line(format!("if ({value} != 0) atomicAdd(&{all}[{kept}[{e}]], {value});"));
        body.out.close("}");
    }
    if of.iter().any(|one| one.copies > 1) {
        body.out.close(format!("}} else if ({phase} == 2) {{"));
        body.out.depth += 1;
        for Of { one, words, section, prim, .. } in sums.iter().filter(|sum| sum.one.copies > 1) {
            let (flags, copies) = (one.digits(*prim), one.copies);
            let step = format!("{} * {}", section.len, flags + 1);
            body.out.open(format!("for (u64 {e} = {worker}; {e} < {step}; {e} += {workers}) {{"));
            body.out.line(format!("u64 {all} = {words}[{e}];"));
            body.out.line("#pragma unroll");
            body.out.open(format!("for (u32 {c} = 1; {c} < {copies}u; {c}++) {{"));
            let more = format!("{words}[{c} * ({step}) + {e}]");
            body.out
                .line(format!("{all} = {e} < {} * {flags} ? {all} + {more} : {all} | {more};", section.len));
            body.out.close("}");
            body.out.line(format!("{words}[{e}] = {all};"));
            body.out.close("}");
        }
    }
    body.out.close("} else {");
    body.out.depth += 1;
    for Of { array, prim, one, words, section: Section { len, shift }, kind, .. } in &sums {
        let ty = helpers::c_name(*prim);
        let original = body.arg(Arg::Array(*array));
        body.out.open(format!("for (u64 {e} = {worker}; {e} < {len}; {e} += {workers}) {{"));
        body.out.line(format!("const f64 {all} = accumulated_{kind}({words} + {e}, {len});"));
        let added = format!("{words}[{} * {len} + {e}] != 0", one.digits(*prim));
        // An element without additions keeps its value, -0.0 too.
        let element = format!("({original} + ({shift}))[{e}]");
        body.out.line(format!("if ({all} != 0.0 || {added}) {element} = ({ty})((f64){element} + {all});"));
        body.out.close("}");
    }
    body.out.close("}");
}

/// Makes each of the first blocks record whether one of its elements is -0.0.
fn find_negative_zeros(body: &mut Body<'_, '_>, sums: &[Of], [worker, all, e, flag]: [&str; 4]) {
    let threads: u64 = body.w.schedule.block.iter().map(|n| u64::from(*n)).product();
    body.out.open(format!("if (blockIdx.x < {FOUND}u) {{"));
    body.out.line(format!("bool {flag} = false;"));
    for Of { array, prim, section: Section { len, shift }, .. } in sums {
        let original = body.arg(Arg::Array(*array));
        let bits = match prim.size() {
            4 => format!("(u32)__float_as_int(({original} + ({shift}))[{e}]) == 0x80000000u"),
            _ => format!("(u64)__double_as_longlong(({original} + ({shift}))[{e}]) == 0x8000000000000000ull"),
        };
        let step = format!("(gridDim.x < {FOUND}u ? gridDim.x : {FOUND}u) * (u64){threads}");
        body.out.line(format!("for (u64 {e} = {worker}; {e} < {len}; {e} += {step}) {flag} |= {bits};"));
    }
    body.out.line(format!("{flag} = __syncthreads_or({flag}) != 0;"));
    body.out.line(format!("if (threadIdx.x == 0u) {all}[blockIdx.x] = {flag};"));
    body.out.close("}");
}

/// Declares where an array's accumulators are.
fn declare(
    body: &mut Body<'_, '_>,
    (array, prim, one): (ArrayId, Prim, Accumulator),
    ([flag, all, kept], hot): ([&str; 3], u32),
    before: &mut String,
) -> Of {
    let (c, digits) = (helpers::c_name(prim), one.digits(prim));
    let kind = format!("{c}_{}", one.spacing);
    let constants = [
        (format!("FLAGS_{kind}"), format!("{digits}u")),
        (format!("SPACING_{kind}"), one.spacing.to_string()),
        // The format's least number.
        (format!("LEAST_{kind}"), if prim.size() == 4 { "0x1p-149" } else { "0x1p-1074" }.to_owned()),
        ("HOT_WORDS".to_owned(), format!("{hot}u")),
    ];
    let pieces = ["hot_word", "add_word", c, &kind, "total"];
    for piece in pieces.into_iter().skip(usize::from(hot == 0)) {
        let name =
            if piece == "total" { format!("accumulated_{kind}") } else { format!("accumulators {piece}") };
        body.w.helpers.add(&name, || {
            let mut text = helpers::find(FILE, piece).unwrap_or_default().replace('@', &kind);
            for (name, value) in &constants {
                text = text.replace(name, value);
            }
            text.push('\n');
            text
        });
    }
    let section = section(body, array, 1);
    let name = body.w.kernel.template.arrays[array.index()].name.clone();
    let [words, own] = ["words", "own"].map(|of| body.name(&format!("{name}_{of}")));
    let buffer = body.arg(Arg::Copies);
    let step = format!("{} * {}", section.len, digits + 1);
    body.out.line(format!("u64* const {words} = (u64*){buffer} + ({before});"));
    let of_block = match one.copies {
        1 => words.clone(),
        copies => format!("{words} + blockIdx.x % {copies}u * ({step})"),
    };
    body.out.line(format!("u64* const {own} = {of_block};"));
    *before = format!("{before} + {step} * {}", one.copies);
    let [flag, all, hot] = [flag, all, kept].map(str::to_owned);
    Of { array, prim, one, words, own, flag, all, hot, section, kind }
}

impl Body<'_, '_> {
    /// Adds what an update adds to an element to its accumulator, if it has one. Gives how many statements it took.
    pub(crate) fn accumulated(&mut self, stmts: &[Stmt], update: &Update<'_>) -> Option<usize> {
        let Of { prim, own, flag, all, hot, section: Section { len, shift }, kind, .. } =
            self.accumulators.iter().find(|of| of.array == update.array)?.clone();
        let element = self.place(update.place).text;
        if std::mem::take(&mut self.fallible) {
            self.settle_subscripts(update.place);
        }
        let array = self.arg(Arg::Array(update.array));
        let nothing = self.reducer_identity(&Reducer::Builtin(omp_ir::template::ReduceOp::Add, prim));
        let now = self.name("now");
        self.out.open("{");
        self.out.line(format!("{} {now} = {nothing};", helpers::c_name(prim)));
        self.run_on(&now, &stmts[..update.count], &update.accesses);
        self.out.line(format!(
            "accumulate_{kind}({own}, (u32){len}, (u32)(&{element} - ({array} + ({shift}))), {now}, {flag}, {all}, {hot});"
        ));
        self.out.close("}");
        Some(update.count)
    }
}
