//! Reductions over two dimensions by tiles: a thread has some neighbouring rows of one column, or some neighbouring
//! columns of one row, in [unroll and jam](crate::back::c::strategy::unroll_and_jam). A block has as many columns as it
//! has threads, or groups of columns in some rows.
use crate::back::Arg;
use crate::back::c::body::Body;
use crate::back::c::strategy::vector::Around;
use crate::back::c::strategy::{unroll_and_jam, wide};
use crate::schedule::Wide;

/// Rows and columns of a tile, and how many tiles there are.
pub(crate) struct Tiles {
    rows: u32,
    columns: u32,
    wide: Option<Wide>,
    across: String,
    count: String,
}

impl Tiles {
    pub(crate) fn new(body: &mut Body<'_, '_>, rows: u32, wide: Option<&Wide>) -> Self {
        let [x, y, z] = body.w.schedule.block;
        let (rows, columns, up) = match wide {
            Some(wide) => (x * y * z / Wide::ACROSS, Wide::ACROSS * wide.columns, wide.lead()),
            None => (rows, x * y * z, 0),
        };
        let c = body.counter();
        let (across, count) = (body.name("across"), body.name("tiles"));
        let (high, count_of_row) = (body.arg(Arg::DimCount(0)), body.arg(Arg::DimCount(1)));
        body.out.line(format!(
            "const {c} {across} = ({c})(({count_of_row} + {}) / {columns});",
            up + columns - 1
        ));
        body.out.line(format!("const {c} {count} = {across} * ({c})(({high} + {}) / {rows});", rows - 1));
        if let Some(wide) = wide {
            wide::assume_alignment(body, wide);
        }
        Self { rows, columns, wide: wide.cloned(), across, count }
    }

    /// Writes the loop over tiles.
    pub(crate) fn write(&self, body: &mut Body<'_, '_>, around: &mut dyn Around) {
        let s = body.w.syntax;
        let (c, tile, row) = (body.counter(), body.name("tile"), body.name("k"));
        let (across, count) = (&self.across, &self.count);
        let (high, columns) = (body.arg(Arg::DimCount(0)), body.arg(Arg::DimCount(1)));
        body.out.open(format!(
            "for ({c} {tile} = {}; {tile} < {count}; {tile} += {}) {{",
            s.block_id(0),
            s.blocks(0)
        ));
        around.before(body);
        let (band, thread) = (format!("{tile} / {across} * {}u", self.rows), s.thread_id(0));
        let first = format!("{tile} % {across} * {}u", self.columns);
        match &self.wide {
            None => {
                let column = body.name("k");
                body.out.line(format!("const {c} {row} = {band};"));
                body.out.line(format!("const {c} {column} = {first} + ({c}){thread};"));
                body.out.open(format!("if ({column} < {columns}) {{"));
                unroll_and_jam::write(body, &[row, column], 0, self.rows, true);
                body.out.close("}");
            }
            Some(wide) => {
                let lanes = Wide::ACROSS;
                body.out.line(format!("const {c} {row} = {band} + ({c}){thread} / {lanes}u;"));
                let group = format!("{first} + ({c}){thread} % {lanes}u * {}u", wide.columns);
                wide::write_group(body, (&group, &[format!("{row} < {high}")]), vec![row], wide);
            }
        }
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
    let (c, high) = (body.counter(), body.arg(Arg::DimCount(0)));
    let rest = wide::rest_of_row(body, wide);
    let [all, t, row, column] = ["all", "t", "k", "k"].map(|name| body.name(name));
    body.out.line(format!("const {c} {all} = {} * ({c}){high};", rest.all));
    let [x, y, z] = body.w.schedule.block;
    let threads = x * y * z;
    let (block, blocks, thread) = (s.block_id(0), s.blocks(0), s.thread_id(0));
    body.out.open(format!(
        "for ({c} {t} = {block} * ({c}){threads}u + ({c}){thread}; {t} < {all}; {t} += {blocks} * ({c}){threads}u) {{"
    ));
    around.before(body);
    body.out.line(format!("const {c} {row} = {t} / {};", rest.all));
    rest.column(body, &t, &column);
    body.declare_dim(0, &row);
    body.declare_dim(1, &column);
    body.iteration();
    around.after(body);
    body.out.close("}");
}
