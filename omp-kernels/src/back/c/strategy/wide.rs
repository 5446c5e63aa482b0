//! Nests whose threads have groups of neighbouring iterations of the innermost loop, in [unroll and jam](unroll_and_jam),
//! so that compilers merge neighbouring accesses. The text states the alignment that the launch has found.
use crate::back::Arg;
use crate::back::c::body::Body;
use crate::back::c::strategy::unroll_and_jam;
use crate::schedule::Wide;
use omp_ir::ids::ArrayId;

/// Writes a nest on the axes of a grid. Groups begin where accesses do, so the first one of a row and the last one may lack some
/// iterations: other threads of the first block along the row have those.
pub(crate) fn grid(body: &mut Body<'_, '_>, axes: &[u32], wide: &Wide) {
    let (s, c) = (body.w.syntax, body.counter());
    let (dims, block) = (axes.len(), body.w.schedule.block);
    let axis_of = |d: usize| axes.iter().position(|&a| a as usize == d).unwrap_or(0);
    assume_alignment(body, wide);
    let (mut ks, mut inside) = (Vec::new(), Vec::new());
    for d in 0..dims - 1 {
        let (k, count, axis) = (body.name("k"), body.arg(Arg::DimCount(d as u32)), axis_of(d));
        let (size, at, thread) = (block[axis], s.block_id(axis), s.thread_id(axis));
        body.out.line(format!("const {c} {k} = ({c}){at} * {size}u + ({c}){thread};"));
        inside.push(format!("{k} < {count}"));
        ks.push(k);
    }
    let (size, at, thread) = (block[0], s.block_id(0), s.thread_id(0));
    let group = format!("(({c}){at} * {size}u + ({c}){thread}) * {}u", wide.columns);
    write_group(body, (&group, &inside), ks, wide);

    // Rows of the block, and the elements of each row outside of groups.
    body.out.open(format!("if ({at} == 0) {{"));
    let [t, row, column] = ["t", "row", "k"].map(|name| body.name(name));
    let rest = rest_of_row(body, wide);
    let (rows, threads) = (block[1] * block[2], block[0] * block[1] * block[2]);
    let first =
        format!("(({c}){} * {}u + ({c}){}) * {}u", s.thread_id(2), block[1], s.thread_id(1), block[0]);
    body.out.open(format!(
        "for ({c} {t} = {first} + ({c}){thread}; {t} < {} * {rows}u; {t} += {threads}u) {{",
        rest.all
    ));
    body.out.line(format!("const {c} {row} = {t} / {};", rest.all));
    rest.column(body, &t, &column);
    let (mut ks, mut inside) = (Vec::new(), Vec::new());
    for d in 0..dims - 1 {
        let (k, count, axis) = (body.name("k"), body.arg(Arg::DimCount(d as u32)), axis_of(d));
        let size = block[axis];
        let of_block = if axis == 1 { format!("{row} % {size}u") } else { format!("{row} / {}u", block[1]) };
        body.out.line(format!("const {c} {k} = ({c}){} * {size}u + {of_block};", s.block_id(axis)));
        inside.push(format!("{k} < {count}"));
        ks.push(k);
    }
    body.out.open(format!("if ({}) {{", inside.join(" && ")));
    ks.push(column);
    for (d, k) in ks.iter().enumerate() {
        body.declare_dim(d, k);
    }
    body.iteration();
    (0..3).for_each(|_| body.out.close("}"));
}

/// Writes the group whose first iteration would have the number `group`, if the first whole one began with 0, where all of its
/// iterations are `inside` the loops. `ks` are the numbers of the outer loops' iterations.
pub(crate) fn write_group(
    body: &mut Body<'_, '_>,
    (group, inside): (&str, &[String]),
    mut ks: Vec<String>,
    wide: &Wide,
) {
    let (c, inner) = (body.counter(), ks.len());
    let (lead, columns) = (wide.lead(), wide.columns);
    let (name, k, count) = (body.name("group"), body.name("k"), body.arg(Arg::DimCount(inner as u32)));
    body.out.line(format!("const {c} {name} = {group};"));
    body.out.line(format!("const {c} {k} = {name} - {lead}u;"));
    let begins = (lead > 0).then(|| format!("{name} >= {lead}u"));
    let ends = [format!("{name} + {}u <= {count}", columns - lead)];
    let conditions: Vec<_> = inside.iter().chain(&begins).chain(&ends).map(String::as_str).collect();
    body.out.open(format!("if ({}) {{", conditions.join(" && ")));
    // Compilers see that its values follow one another.
    let var = body.w.kernel.template.dims[inner].var.index();
    let narrow = std::mem::replace(&mut body.narrow[var], false);
    ks.push(k);
    unroll_and_jam::write_aligned(body, &ks, inner, (columns, wide.place));
    body.narrow[var] = narrow;
    body.out.close("}");
}

/// The iterations of a row before its first group and after its last one.
pub(crate) struct Rest {
    /// How many.
    pub all: String,
    before: String,
    count: String,
}

/// Declares how many iterations of a row are in no group.
pub(crate) fn rest_of_row(body: &mut Body<'_, '_>, wide: &Wide) -> Rest {
    let inner = body.w.kernel.template.dims.len() - 1;
    let (c, count) = (body.counter(), body.arg(Arg::DimCount(inner as u32)));
    let (columns, most) = (wide.columns, wide.before);
    let [before, all] = ["left", "rest"].map(|name| body.name(name));
    body.out.line(format!("const {c} {before} = {count} < {most}u ? ({c}){count} : {most}u;"));
    body.out.line(format!("const {c} {all} = {before} + (({c}){count} - {before}) % {columns}u;"));
    Rest { all, before, count }
}

impl Rest {
    /// Declares the number of the iteration of a row that `t` has.
    pub(crate) fn column(&self, body: &mut Body<'_, '_>, t: &str, column: &str) {
        let (c, Self { all, before, count }) = (body.counter(), self);
        body.out.line(format!("{c} {column} = {t} % {all};"));
        body.out.line(format!("if ({column} >= {before}) {column} += ({c}){count} - {all};"));
    }
}

/// States the alignment of addresses, which the launch knows, for the compiler.
pub(crate) fn assume_alignment(body: &mut Body<'_, '_>, wide: &Wide) {
    let mut facts = Vec::new();
    let low = wide.columns - 1;
    for (a, array) in body.w.kernel.template.arrays.iter().enumerate() {
        // The alignment of an array whose length alone is used is unknown, and no element is accessed.
        if !(array.read || array.written) {
            continue;
        }
        facts.push(format!("((u64){} & 15) == 0", body.arg(Arg::Array(ArrayId::new(a)))));
        if body.w.schedule.shifted.contains(&ArrayId::new(a)) {
            facts.push(format!("({} & {low}) == 0", body.arg(Arg::Origin(ArrayId::new(a)))));
        }
    }
    for scalar in &wide.multiples {
        facts.push(format!("({} & {low}) == 0", body.arg(Arg::Scalar(*scalar))));
    }
    for fact in facts {
        body.out.line(format!("__builtin_assume({fact});"));
    }
}
