//! Stream compaction in a scan: `kept[count] = x[i]` ([`omp_ir::analysis::patterns::compaction`]). The lanes of a warp put the elements to
//! be stored into the warp's row in shared memory, and then store the row cooperatively as contiguous memory.
//!
//! The row has no gaps: its elements lie between the count that the first lane starts from and the count that the last lane ends
//! with, and each iteration that increments the count stores an element. If a check fails, an iteration ends before it does
//! either, and the next lane starts from a higher count than the lane before ends with. Then the warp stores none of its row; the
//! launch fails in any case.
//!
//! A row has room for all iterations of the warp. If that many more elements fit the array, no index is checked. The row lies in the
//! place of elements that are only loaded, where there are such ([`super::staging::in_place`]): less shared memory makes
//! longer tiles (7 to 11 pieces: 0.160 to 0.147 ms for 2²⁶ `i32`, half of them kept, on an H200).
use crate::back::Arg;
use crate::back::c::body::Body;
use crate::back::c::expr::place::{Held, Placed};
use crate::back::c::operator::Item;
use crate::back::c::types::Space;
use omp_ir::analysis::patterns::compaction;
use omp_ir::ids::{AccessId, ArrayId};
use omp_ir::template::Reduction;

/// An array whose elements are compacted.
pub(crate) struct Compaction {
    accesses: Vec<AccessId>,
    /// The carried value that counts the stored elements: which it is, and its name.
    counter: String,
    item: usize,
    /// In shared memory: a row of the warp, and where it begins, if it lies in the place of other elements.
    row: String,
    in_place: Option<String>,
    /// The first place of the row.
    first: String,
    elem: String,
    start: String,
    /// The first place that is not there, and of an array's section the first that is, if places are checked.
    bounds: Option<(String, Option<String>)>,
    /// The iterations of a row.
    per_row: u32,
}

/// The arrays, with their shared memory for a block of so many warps with rows of so many iterations.
pub(crate) fn declare(
    body: &mut Body<'_, '_>,
    arrays: &[ArrayId],
    items: &[(usize, Item)],
    (warps, warp): (u32, &str),
    per_row: u32,
    mut in_place: impl FnMut(&mut Body<'_, '_>, usize) -> Option<String>,
) -> Vec<Compaction> {
    let mut all = Vec::new();
    for (place, &array) in arrays.iter().enumerate() {
        let kernel = body.w.kernel;
        let Some(found) = compaction::compacted(kernel, array) else { continue };
        let is_it = |(k, _): &&(usize, Item)| {
            kernel.template.reductions.get(*k).and_then(Reduction::local) == Some(found.counter)
        };
        let Some((k, item)) = items.iter().find(is_it) else { continue };
        let elem = body.w.memory_type(kernel.array_ty[array.index()]);
        let placed = Placed {
            text: body.arg(Arg::Array(array)),
            held: Held::Array(array),
            space: Space::Global,
            writable: true,
        };
        let (start, _) = body.start(&placed);
        let name = kernel.template.arrays[array.index()].name.clone();
        let (of_block, row, first) =
            (body.name(&format!("{name}_packed")), body.name(&format!("{name}_row")), body.name("first"));
        let in_place = in_place(body, place);
        if in_place.is_none() {
            body.out.line(format!("__shared__ {elem} {of_block}[{}];", warps * per_row));
            body.out.line(format!("{elem}* const {row} = {of_block} + {warp} * {per_row}u;"));
        }
        let bounds = found.accesses.iter().any(|a| body.is_checked(*a)).then(|| {
            let section = body.section_of(array);
            section.map_or_else(|| (body.length(&placed), None), |(lo, hi)| (hi, Some(lo)))
        });
        let counter = item.local.clone();
        let accesses = found.accesses;
        all.push(Compaction {
            accesses,
            counter,
            item: *k,
            row,
            in_place,
            first,
            elem,
            start,
            bounds,
            per_row,
        });
    }
    all
}

impl Compaction {
    /// Before a row's iterations.
    pub(crate) fn begin(&self, body: &mut Body<'_, '_>) {
        let Self { first, counter, row, in_place, elem, .. } = self;
        if let Some(place) = in_place {
            body.out.line(format!("{elem}* const {row} = ({elem}*){place};"));
        }
        body.out.line(format!("const u64 {first} = __shfl_sync(0xffffffffu, (u64){counter}, 0);"));
    }

    /// Whether the row's places are surely there, as text.
    pub(crate) fn fits(&self) -> Option<String> {
        let (first, (end, lo)) = (&self.first, self.bounds.as_ref()?);
        let from = lo.as_ref().map_or_else(String::new, |lo| format!("{first} >= {lo} && "));
        Some(format!("{from}{first} <= {end} && {end} - {first} >= {}u", self.per_row))
    }

    /// Lets the statements store to the row, without a look at the places where they fit.
    pub(crate) fn use_row(&self, body: &mut Body<'_, '_>, fit: bool) {
        if fit {
            body.fitting.extend(&self.accesses);
        }
        let text = format!("{}[(u32)({} - {})]", self.row, self.counter, self.first);
        for &access in &self.accesses {
            body.registers.insert(access, text.clone());
        }
    }

    /// After a row's iterations, which began with the items `from`.
    pub(crate) fn end(&self, body: &mut Body<'_, '_>, from: &str, lane: &str) {
        let Self { row, first, counter, item, elem, start, .. } = self;
        let (before, end, k) = (body.name("before"), body.name("end"), body.name("k"));
        let skip = body.name("skip");
        let all = "0xffffffffu";
        body.out.line(format!("const u64 {before} = __shfl_up_sync({all}, (u64){counter}, 1u);"));
        // Counted from the row's own start: a number near 2⁶⁴, at which nothing is kept, would come round.
        body.out.line(format!("const u32 {skip} = (u32){first} & 31u;"));
        body.out.line(format!(
            "const u32 {end} = {skip} + (u32)(__shfl_sync({all}, (u64){counter}, 31) - {first});"
        ));
        body.out.open(format!("if (!__any_sync({all}, {lane} != 0u && {before} != {from}.v{item})) {{"));
        body.out.line("__syncwarp();");
        body.out.line("#pragma unroll 4");
        body.out.open(format!("for (u32 {k} = {lane}; {k} < {end}; {k} += 32u) {{"));
        body.out.line(format!(
            "if ({k} >= {skip}) (({elem}*){start})[{first} + ({k} - {skip})] = {row}[{k} - {skip}];"
        ));
        body.out.close("}");
        body.out.line("__syncwarp();");
        body.out.close("}");
    }
}
