//! Reductions over two dimensions by tiles: a thread has some neighbouring rows of one column, or some neighbouring columns of
//! one row, which it runs jointly ([unroll and jam](crate::back::c::strategy::unroll_and_jam)). A block has as many columns (or groups of columns) as it has threads.
use crate::back::Arg;
use crate::back::c::body::Body;
use crate::back::c::strategy::unroll_and_jam;
use crate::back::c::strategy::vector::Around;
use crate::schedule::Wide;
use omp_ir::ids::ArrayId;

/// Rows and columns of a tile, and how many tiles there are.
pub(crate) struct Tiles {
    rows: u32,
    wide: Option<Wide>,
    block: u32,
    across: String,
    count: String,
}

impl Tiles {
    pub(crate) fn new(body: &mut Body<'_, '_>, rows: u32, wide: Option<&Wide>) -> Self {
        let [x, y, z] = body.w.schedule.block;
        let block = x * y * z * wide.map_or(1, |w| w.columns);
        let c = body.counter();
        let (across, count) = (body.name("across"), body.name("tiles"));
        let (high, columns) = (body.arg(Arg::DimCount(0)), body.arg(Arg::DimCount(1)));
        body.out.line(format!("const {c} {across} = ({c})(({columns} + {}) / {block});", block - 1));
        body.out.line(format!("const {c} {count} = {across} * ({c})(({high} + {}) / {rows});", rows - 1));
        if let Some(wide) = wide {
            tell(body, wide);
        }
        Self { rows, wide: wide.cloned(), block, across, count }
    }

    /// Writes the loop over tiles.
    pub(crate) fn write(&self, body: &mut Body<'_, '_>, around: &mut dyn Around) {
        let s = body.w.syntax;
        let (c, tile, row, column) = (body.counter(), body.name("tile"), body.name("k"), body.name("k"));
        let (across, count, columns) = (&self.across, &self.count, body.arg(Arg::DimCount(1)));
        body.out.open(format!(
            "for ({c} {tile} = {}; {tile} < {count}; {tile} += {}) {{",
            s.block_id(0),
            s.blocks(0)
        ));
        around.before(body);
        body.out.line(format!("const {c} {row} = {tile} / {across} * {}u;", self.rows));
        let (beside, thread) = (format!("{tile} % {across} * {}u", self.block), s.thread_id(0));
        match &self.wide {
            None => {
                body.out.line(format!("const {c} {column} = {beside} + ({c}){thread};"));
                body.out.open(format!("if ({column} < {columns}) {{"));
                unroll_and_jam::write(body, &[row, column], 0, self.rows, true);
            }
            Some(Wide { columns: each, before, place, multiples: _ }) => {
                body.out
                    .line(format!("const {c} {column} = {beside} + ({c}){thread} * {each}u + {before}u;"));
                body.out.open(format!("if ({column} + {each}u <= {columns}) {{"));
                // Compilers see that its values follow one another.
                let inner = body.w.kernel.template.dims[1].var.index();
                let narrow = std::mem::replace(&mut body.narrow[inner], false);
                unroll_and_jam::write_aligned(body, &[row, column], 1, (*each, *place));
                body.narrow[inner] = narrow;
            }
        }
        body.out.close("}");
        around.after(body);
        body.out.close("}");
        if let Some(wide) = &self.wide {
            rest(body, wide, around);
        }
    }
}

/// The columns of each row before the first group and after the last: one for each thread of the grid, so that
/// no thread waits for those that have them next to a tile.
fn rest(body: &mut Body<'_, '_>, wide: &Wide, around: &mut dyn Around) {
    let s = body.w.syntax;
    let (high, columns) = (body.arg(Arg::DimCount(0)), body.arg(Arg::DimCount(1)));
    let (c, before, each) = (body.counter(), wide.before, wide.columns);
    let [left, rest, all] = ["left", "rest", "all"].map(|name| body.name(name));
    let [t, row, column] = ["t", "k", "k"].map(|name| body.name(name));
    body.out.line(format!("const {c} {left} = {columns} < {before}u ? ({c}){columns} : {before}u;"));
    body.out.line(format!("const {c} {rest} = {left} + (({c}){columns} - {left}) % {each}u;"));
    body.out.line(format!("const {c} {all} = {rest} * ({c}){high};"));
    let [x, y, z] = body.w.schedule.block;
    let threads = x * y * z;
    let (block, blocks, thread) = (s.block_id(0), s.blocks(0), s.thread_id(0));
    body.out.open(format!(
        "for ({c} {t} = {block} * ({c}){threads}u + ({c}){thread}; {t} < {all}; {t} += {blocks} * ({c}){threads}u) {{"
    ));
    around.before(body);
    body.out.line(format!("const {c} {row} = {t} / {rest};"));
    body.out.line(format!("{c} {column} = {t} % {rest};"));
    body.out.line(format!("if ({column} >= {left}) {column} += ({c}){columns} - {rest};"));
    body.declare_dim(0, &row);
    body.declare_dim(1, &column);
    body.iteration();
    around.after(body);
    body.out.close("}");
}

/// Tells the compiler what the launch knows of addresses.
fn tell(body: &mut Body<'_, '_>, wide: &Wide) {
    let mut facts = Vec::new();
    let low = wide.columns - 1;
    for (a, array) in body.w.kernel.template.arrays.iter().enumerate() {
        // Of an array that is asked for its length alone nothing is known, and nothing is accessed.
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
