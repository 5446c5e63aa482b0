//! Reductions over two dimensions by tiles: a thread has some neighbouring rows of one column, which it runs jointly
//! ([`super::jam`]), and a block as many columns as it has threads.
use super::body::Body;
use super::jam;
use super::vector::Around;
use crate::back::Arg;

/// Rows of a tile, its columns, and how many tiles there are.
pub(crate) struct Tiles {
    rows: u32,
    block: u32,
    across: String,
    count: String,
}

impl Tiles {
    pub(crate) fn new(body: &mut Body<'_, '_>, rows: u32) -> Self {
        let [x, y, z] = body.w.schedule.block;
        let block = x * y * z;
        let c = body.counter();
        let (across, count) = (body.name("across"), body.name("tiles"));
        let (high, wide) = (body.arg(Arg::DimCount(0)), body.arg(Arg::DimCount(1)));
        body.out.line(format!("const {c} {across} = ({c})(({wide} + {}) / {block});", block - 1));
        body.out.line(format!("const {c} {count} = {across} * ({c})(({high} + {}) / {rows});", rows - 1));
        Self { rows, block, across, count }
    }

    /// The number of tiles that each block takes at most.
    pub(crate) fn per_block(&self, body: &Body<'_, '_>) -> String {
        format!("({} / {} + 1)", self.count, body.w.syntax.blocks(0))
    }

    /// Writes the loop over tiles.
    pub(crate) fn write(&self, body: &mut Body<'_, '_>, around: &mut dyn Around) {
        let s = body.w.syntax;
        let (c, tile, row, column) = (body.counter(), body.name("tile"), body.name("k"), body.name("k"));
        let (across, count, wide) = (&self.across, &self.count, body.arg(Arg::DimCount(1)));
        body.out.open(format!(
            "for ({c} {tile} = {}; {tile} < {count}; {tile} += {}) {{",
            s.block_id(0),
            s.blocks(0)
        ));
        around.before(body);
        body.out.line(format!("const {c} {row} = {tile} / {across} * {}u;", self.rows));
        body.out.line(format!(
            "const {c} {column} = {tile} % {across} * {}u + ({c}){};",
            self.block,
            s.thread_id(0)
        ));
        body.out.open(format!("if ({column} < {wide}) {{"));
        jam::write(body, &[row, column], 0, self.rows, true);
        body.out.close("}");
        around.after(body);
        body.out.close("}");
    }
}
