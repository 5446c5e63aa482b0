//! Shared-memory staging for a scan's tile. A warp's part of each array is contiguous in shared memory, as it is in device
//! memory, so device memory is accessed by 16 bytes a lane, contiguously, while each thread has contiguous iterations. Loads are
//! asynchronous.
//!
//! A warp accesses only its own part. Groups of 16 bytes are aligned to the elements that are stored. If another array's
//! subscript has another constant (`x[i - 1]`) that is no multiple of a group, the part begins inside its first group, and ends
//! inside one more. A thread takes pieces whose elements of the largest type fill 16 bytes. The number of its pieces is odd, so
//! that lanes access different banks.
//!
//! The elements that the lanes move at a time begin at a cache line, whatever the constant is, and have the same alignment in
//! shared memory. Otherwise each move would access one more line, and take a quarter longer.
//!
//! Loaded arrays have two parts, for two tiles. An array that is only stored reuses the part of an array of its size that is only
//! loaded, from the older tile, or has a part of its own.
use crate::back::c::body::Body;
use crate::back::c::strategy::vector;
use crate::back::c::strategy::vector::{Lane, lanes};
use crate::schedule::seeds;
use crate::valid::KernelInfo;
use omp_ir::ids::ArrayId;
use omp_ir::kernel::Kernel;

/// Bytes of a group, and of a line of the cache.
const GROUP: u64 = 16;
const LINE: u64 = 128;

/// Elements of a piece, if these arrays are staged: as many of each array.
pub(crate) fn piece(kernel: &Kernel, arrays: &[ArrayId]) -> u64 {
    let largest = arrays.iter().map(|a| size(kernel, *a)).max().unwrap_or(GROUP);
    (GROUP / largest.max(1)).max(1)
}

/// Tiles begin at multiples of this, counted from the elements that are stored: where lines of all arrays do. A row of a
/// warp is never shorter.
pub(crate) fn step(kernel: &Kernel, arrays: &[ArrayId]) -> u64 {
    let piece = piece(kernel, arrays);
    arrays.iter().map(|a| cut(size(kernel, *a), piece)).max().unwrap_or(1)
}

/// After so many elements a line begins, or a row of a warp does, if it is shorter.
fn cut(size: u64, piece: u64) -> u64 {
    if size.is_power_of_two() { (LINE / size).clamp(1, 32 * piece) } else { 1 }
}

/// Bytes of shared memory for a warp whose lanes have `run` iterations each.
pub(crate) fn bytes(kernel: &Kernel, info: &KernelInfo, arrays: &[ArrayId], run: u64) -> u64 {
    let layout = layout(kernel, &loaded_or_stored(kernel, info, arrays), run, piece(kernel, arrays));
    GROUP * layout.groups
}

fn size(kernel: &Kernel, array: ArrayId) -> u64 {
    kernel.types.size(kernel.array_ty[array.index()]).unwrap_or(1)
}

fn loaded_or_stored(kernel: &Kernel, info: &KernelInfo, arrays: &[ArrayId]) -> Vec<Lane> {
    let mut lanes = lanes(kernel, info, arrays, &seeds(kernel));
    lanes.retain(|l| !l.accesses.is_empty());
    vector::keep_values(kernel, &mut lanes);
    lanes
}

/// How far from the loop variable the elements are where groups are counted from: stored ones, if there are any.
fn origin(lanes: &[Lane]) -> i64 {
    lanes.iter().find(|l| l.store).or(lanes.first()).map_or(0, |l| l.shift)
}

/// Where an array's part begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Groups from the start of the tile's set.
    InSet(u64),
    /// Groups from the start of all.
    Alone(u64),
}

/// In groups: where the parts lie, the length of a set, and all.
struct Layout {
    parts: Vec<Part>,
    set: u64,
    groups: u64,
}

/// Elements from the start of a group to the first one, which is so far from where groups are counted from.
fn inside(far: i64, size: u64) -> u64 {
    if size >= GROUP { 0 } else { far.rem_euclid((GROUP / size) as i64) as u64 }
}

/// Groups from the start of a line to the first one.
fn into_line(far: i64, size: u64, piece: u64) -> u64 {
    far.rem_euclid(cut(size, piece) as i64) as u64 * size / GROUP
}

fn layout(kernel: &Kernel, lanes: &[Lane], run: u64, piece: u64) -> Layout {
    let origin = origin(lanes);
    // Type and length, elements before the first, groups before its own, and of all, to the end of a line.
    let of = |l: &Lane| {
        let size = size(kernel, l.array);
        let (by, into) = (inside(l.shift - origin, size), into_line(l.shift - origin, size, piece));
        let groups = into + 32 * run * size / GROUP + u64::from(by != 0);
        (size, by, into, groups.next_multiple_of(LINE / GROUP))
    };
    let (mut set, mut alone) = (0, 0);
    let mut parts: Vec<Option<Part>> = Vec::new();
    for lane in lanes {
        let (_, _, into, groups) = of(lane);
        parts.push(lane.load.then_some(Part::InSet(set + into)));
        set += if lane.load { groups } else { 0 };
    }
    let mut taken = Vec::new();
    for (k, lane) in lanes.iter().enumerate() {
        let (bytes, by, into, groups) = of(lane);
        if lane.load {
            continue;
        }
        let free = |m: &usize| {
            let other = &lanes[*m];
            let same = of(other).0 == bytes && by == 0 && of(other).1 < piece;
            other.load && !other.store && same && !taken.contains(m)
        };
        if let Some(m) = (0..lanes.len()).find(free) {
            taken.push(m);
            parts[k] = parts[m];
        } else {
            parts[k] = Some(Part::Alone(alone + into));
            alone += groups;
        }
    }
    let place = |part: Option<Part>| match part {
        Some(Part::Alone(at)) => Part::Alone(2 * set + at),
        Some(part) => part,
        None => Part::Alone(2 * set),
    };
    Layout { parts: parts.into_iter().map(place).collect(), set, groups: 2 * set + alone }
}

/// By compacted array: the staged elements, if any, whose place in the older tile it can use. Nothing is stored over elements that are
/// only loaded, so a warp can put compacted elements there as soon as its lanes have all of their elements in registers.
pub(crate) fn in_place(
    kernel: &Kernel,
    info: &KernelInfo,
    arrays: &[ArrayId],
    compacted: &[ArrayId],
) -> Vec<Option<usize>> {
    let lanes = loaded_or_stored(kernel, info, arrays);
    let parts = layout(kernel, &lanes, 1, piece(kernel, arrays)).parts;
    let origin = origin(&lanes);
    let mut free: Vec<usize> = (0..lanes.len())
        .filter(|&m| {
            let lane = &lanes[m];
            let shared = parts.iter().enumerate().any(|(k, part)| k != m && *part == parts[m]);
            lane.load && !lane.store && !shared && inside(lane.shift - origin, size(kernel, lane.array)) == 0
        })
        .collect();
    let mut place = |array: &ArrayId| {
        let at = free.iter().position(|&m| size(kernel, lanes[m].array) >= size(kernel, *array))?;
        Some(free.remove(at))
    };
    compacted.iter().map(&mut place).collect()
}

/// The staged elements of a tile.
pub(crate) struct Staged {
    all: Vec<Moved>,
    /// Iterations of a thread in a row, such rows of it, and iterations of a piece; groups of a warp.
    run: u64,
    rows: u64,
    pub(crate) piece: u64,
    groups: u64,
    /// Tiles begin so that `origin` from there are multiples of this.
    pub(crate) step: u64,
    pub(crate) origin: i64,
    /// The warp's shared memory.
    region: String,
}

/// An array's elements at a constant from the loop variable.
struct Moved {
    lane: Lane,
    /// A piece in registers, the next one, and the first one of the next lane.
    register: String,
    far: String,
    head: String,
    /// The pieces of this thread, and all of them in registers, if compacted elements are put in their place.
    own: String,
    held: Option<String>,
    /// Types of an element and of a piece.
    elem: String,
    wide: String,
    /// A pointer to element 0.
    start: String,
    size: u64,
    by: u64,
    into_line: u64,
    part: Part,
    set: u64,
}

/// The names of a tile that is moved: its first iteration for this warp, whether all of the warp's are in the range, the
/// range, and the number of the set.
pub(crate) struct Of<'n> {
    pub start: &'n str,
    pub whole: &'n str,
    pub lo: &'n str,
    pub hi: &'n str,
    pub set: &'n str,
    pub lane: &'n str,
    /// The thread's row.
    pub row: &'n str,
}

impl Staged {
    pub(crate) fn new(body: &mut Body<'_, '_>, arrays: &[ArrayId], run: u64, rows: u64) -> Self {
        let kernel = body.w.kernel;
        let lanes = loaded_or_stored(kernel, body.w.info, arrays);
        let piece = piece(kernel, arrays);
        let layout = layout(kernel, &lanes, run * rows, piece);
        let (region, origin) = (body.name("region"), origin(&lanes));
        let all = lanes.into_iter().zip(layout.parts);
        let all = all.map(|(lane, part)| Moved::new(body, lane, part, layout.set, (piece, origin))).collect();
        Self { all, run, rows, piece, groups: layout.groups, step: step(kernel, arrays), origin, region }
    }

    /// Iterations of a warp.
    fn per_warp(&self) -> u64 {
        32 * self.run * self.rows
    }

    /// Where a thread's row begins, of so many elements or pieces, if the warp's part begins `at`.
    fn row(&self, of: &Of<'_>, at: u64, long: u64) -> String {
        let before = if self.rows > 1 { format!("{} * {}u + ", of.row, 32 * long) } else { String::new() };
        format!("{at}u + {before}{} * {long}u", of.lane)
    }

    /// Whether nothing is.
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Shared memory for a block of so many warps.
    pub(crate) fn declare(&self, body: &mut Body<'_, '_>, warps: u32, warp: &str) {
        let staged = body.name("staged");
        body.out.line(format!(
            "__shared__ __align__({LINE}) granule {staged}[{}];",
            u64::from(warps) * self.groups
        ));
        body.out.line(format!("granule* const {} = {staged} + {warp} * {}u;", self.region, self.groups));
    }

    /// Whether groups in memory begin at multiples of 16 bytes.
    pub(crate) fn aligned(&self) -> String {
        let all: Vec<_> = self.all.iter().map(|m| format!("(u64){}", m.start)).collect();
        format!("(({}) & 15u) == 0", all.join(" | "))
    }

    /// Sends for what the warp's iterations need.
    pub(crate) fn load(&self, body: &mut Body<'_, '_>, of: &Of<'_>) {
        for m in self.all.iter().filter(|m| m.lane.load) {
            m.load(body, self, of);
        }
    }

    /// Stores what the warp's iterations made.
    pub(crate) fn store(&self, body: &mut Body<'_, '_>, of: &Of<'_>) {
        for m in self.all.iter().filter(|m| m.lane.store) {
            m.store(body, self, of);
        }
    }

    /// The statements before a thread's pieces: elements of other lanes are loaded before any lane stores.
    pub(crate) fn begin(&self, body: &mut Body<'_, '_>, of: &Of<'_>, storing: bool) {
        let mut waits = false;
        let others = |m: &Moved| m.lane.load && !m.by.is_multiple_of(self.piece);
        if storing && self.rows > 1 && self.all.iter().any(others) {
            // The first piece may have elements of the row before in it.
            body.out.line("__syncwarp();");
        }
        for m in self.all.iter().filter(|m| m.lane.load) {
            let first = m.by / self.piece;
            body.out.line(format!(
                "const {0}* {1} = (const {0}*){2} + ({3});",
                m.wide,
                m.own,
                m.slot(self, of.set),
                self.row(of, first, self.run / self.piece)
            ));
            if m.by % self.piece != 0 {
                body.out.line(format!("{} {1} = {2}[0], {3} = {1};", m.wide, m.far, m.own, m.head));
                body.out.line(format!("{} = {}[{}];", m.head, m.own, self.run / self.piece));
                waits = storing;
            }
        }
        if waits {
            body.out.line("__syncwarp();");
        }
    }

    /// Gives the place of the elements `m` in the older tile to compacted elements: the row of the thread there, as text.
    pub(crate) fn reuse_place(&mut self, body: &mut Body<'_, '_>, m: usize, of: &Of<'_>) -> String {
        let array = body.w.kernel.template.arrays[self.all[m].lane.array.index()].name.clone();
        self.all[m].held = Some(body.name(&format!("{array}_held")));
        let m = &self.all[m];
        let before =
            if self.rows > 1 { format!(" + {} * {}u", of.row, 32 * self.run) } else { String::new() };
        format!("(({}*){}{before})", m.elem, m.slot(self, of.set))
    }

    /// The lanes load all pieces whose place is reused into registers.
    pub(crate) fn hold(&self, body: &mut Body<'_, '_>, q: &str) {
        let pieces = self.run / self.piece;
        for m in &self.all {
            let Some(held) = &m.held else { continue };
            body.out.line(format!("{} {held}[{pieces}];", m.wide));
            body.out.line("#pragma unroll");
            body.out.line(format!("for (u32 {q} = 0; {q} < {pieces}u; {q}++) {held}[{q}] = {}[{q}];", m.own));
        }
        if self.all.iter().any(|m| m.held.is_some()) {
            body.out.line("__syncwarp();");
        }
    }

    /// Takes the thread's piece `q`, from registers if they are `held`.
    pub(crate) fn take(&self, body: &mut Body<'_, '_>, q: &str, held: bool) {
        for m in &self.all {
            if let (true, Some(pieces)) = (held, &m.held) {
                body.out.line(format!("const {} {} = {pieces}[{q}];", m.wide, m.register));
                continue;
            }
            let (register, own, far, piece) = (&m.register, &m.own, &m.far, self.piece);
            if !m.lane.load {
                body.out.line(format!("{} {register};", m.wide));
            } else if m.by % piece == 0 {
                body.out.line(format!("{} {register} = {own}[{q}];", m.wide));
            } else {
                let by = m.by % piece;
                body.out.line(format!("{} {register};", m.wide));
                for k in 0..piece - by {
                    body.out.line(format!("{register}.v[{k}] = {far}.v[{}];", k + by));
                }
                body.out.line(format!(
                    "{far} = {q} + 1u < {}u ? {own}[{q} + 1u] : {};",
                    self.run / piece,
                    m.head
                ));
                for k in piece - by..piece {
                    body.out.line(format!("{register}.v[{k}] = {far}.v[{}];", k + by - piece));
                }
            }
        }
    }

    /// Stores the results of the iterations of piece `q`.
    pub(crate) fn store_results(&self, body: &mut Body<'_, '_>, of: &Of<'_>, q: &str) {
        for m in self.all.iter().filter(|m| m.lane.store) {
            let (slot, register) = (m.slot(self, of.set), &m.register);
            if m.by % self.piece == 0 {
                body.out.line(format!(
                    "(({}*){slot})[{} + {q}] = {register};",
                    m.wide,
                    self.row(of, m.by / self.piece, self.run / self.piece)
                ));
                continue;
            }
            for k in 0..self.piece {
                body.out.line(format!(
                    "(({}*){slot})[{} + {q} * {}u] = {register}.v[{k}];",
                    m.elem,
                    self.row(of, m.by + k, self.run),
                    self.piece
                ));
            }
        }
    }

    /// Lets the statements use the registers: element `w` of a piece.
    pub(crate) fn use_registers(&self, body: &mut Body<'_, '_>, w: &str) {
        for m in &self.all {
            for (access, _) in &m.lane.accesses {
                body.registers.insert(*access, format!("{}.v[{w}]", m.register));
            }
        }
    }
}

impl Moved {
    fn new(body: &mut Body<'_, '_>, lane: Lane, part: Part, set: u64, (piece, origin): (u64, i64)) -> Self {
        let kernel = body.w.kernel;
        let ty = kernel.array_ty[lane.array.index()];
        let wide = body.w.with_types(|types, names| types.vector(ty, piece as u32, names));
        let elem = body.w.memory_type(ty);
        let start = body.global(lane.array);
        let array = kernel.template.arrays[lane.array.index()].name.clone();
        let (register, far) = (body.name(&format!("{array}_v")), body.name(&format!("{array}_far")));
        let (head, own) = (body.name(&format!("{array}_head")), body.name(&format!("{array}_own")));
        let size = size(kernel, lane.array);
        let far_off = lane.shift - origin;
        let (by, into_line) = (inside(far_off, size), into_line(far_off, size, piece));
        let held = None;
        Self { lane, register, far, head, own, held, elem, wide, start, size, by, into_line, part, set }
    }

    /// The warp's part of a set.
    fn slot(&self, staged: &Staged, set: &str) -> String {
        let region = &staged.region;
        match self.part {
            Part::InSet(at) => format!("({region} + ({set} * {}u + {at}u))", self.set),
            Part::Alone(at) => format!("({region} + {at}u)"),
        }
    }

    /// Groups of a warp, without the one that may follow.
    fn groups(&self, staged: &Staged) -> u64 {
        staged.per_warp() * self.size / GROUP
    }

    /// The first group in memory.
    fn memory(&self, of: &Of<'_>) -> String {
        let (start, first) = (&self.start, of.start);
        format!("({start} + ({first}{}))", plus(self.lane.shift - self.by as i64))
    }

    /// The loop over elements of a warp that is not in the range as a whole.
    fn singles(&self, body: &mut Body<'_, '_>, staged: &Staged, of: &Of<'_>, storing: bool) {
        let (t, k) = (body.name("t"), body.name("k"));
        body.out.line("#pragma unroll 4");
        body.out.open(format!("for (u32 {k} = {}; {k} < {}u; {k} += 32u) {{", of.lane, staged.per_warp()));
        body.out.line(format!("const i64 {t} = {} + {k};", of.start));
        body.out.line(format!("if ({t} < {} || {t} >= {}) continue;", of.lo, of.hi));
        let memory = format!("{}[{t}{}]", self.start, plus(self.lane.shift));
        let shared = format!("(({}*){})[{}u + {k}]", self.elem, self.slot(staged, of.set), self.by);
        let (to, from) = if storing { (memory, shared) } else { (shared, memory) };
        body.out.line(format!("{to} = {from};"));
        body.out.close("}");
    }

    /// The loop over groups `first` to `n`, by lines.
    fn in_lines(&self, body: &mut Body<'_, '_>, (lane, k): (&str, &str), (first, n): (u64, u64), step: &str) {
        let before = self.into_line + first;
        body.out.line("#pragma unroll");
        if before.is_multiple_of(8) {
            body.out.line(format!("for (u32 {k} = {first}u + {lane}; {k} < {n}u; {k} += 32u) {step}"));
            return;
        }
        let (j, at) = (body.name("j"), before % 8);
        body.out.open(format!("for (u32 {j} = {lane}; {j} < {}u; {j} += 32u) {{", n - first + at));
        body.out.line(format!("if ({j} < {at}u) continue;"));
        body.out.line(format!("const u32 {k} = {j} - {at}u{};", if first == 0 { "" } else { " + 1u" }));
        body.out.line(step);
        body.out.close("}");
    }

    fn load(&self, body: &mut Body<'_, '_>, staged: &Staged, of: &Of<'_>) {
        let (to, from, k, n) = (body.name("to"), body.name("from"), body.name("k"), self.groups(staged));
        let (slot, memory, elem, by, lane) =
            (self.slot(staged, of.set), self.memory(of), &self.elem, self.by, of.lane);
        body.out.open(format!("if ({}) {{", of.whole));
        body.out.line(format!("granule* const {to} = {slot};"));
        body.out.line(format!("const granule* const {from} = (const granule*){memory};"));
        let rest = body.name("rest");
        if by != 0 {
            // Nothing is read beyond the last element.
            body.out.line(format!("{elem} {rest};"));
            body.out.line(format!("if ({lane} < {by}u) {rest} = ((const {elem}*)({from} + {n}))[{lane}];"));
        }
        let step = format!("copy_async({to} + {k}, {from} + {k});");
        self.in_lines(body, (lane, &k), (0, n), &step);
        if by != 0 {
            body.out.line(format!("if ({lane} < {by}u) (({elem}*)({to} + {n}))[{lane}] = {rest};"));
        }
        body.out.close("} else {");
        body.out.depth += 1;
        self.singles(body, staged, of, false);
        body.out.close("}");
    }

    fn store(&self, body: &mut Body<'_, '_>, staged: &Staged, of: &Of<'_>) {
        let (to, from, k, n) = (body.name("to"), body.name("from"), body.name("k"), self.groups(staged));
        let (slot, memory, elem, by, lane) =
            (self.slot(staged, of.set), self.memory(of), &self.elem, self.by, of.lane);
        body.out.open(format!("if ({}) {{", of.whole));
        body.out.line(format!("granule* const {to} = (granule*){memory};"));
        body.out.line(format!("const granule* const {from} = {slot};"));
        let step = format!("{to}[{k}] = {from}[{k}];");
        self.in_lines(body, (lane, &k), (u64::from(by != 0), n), &step);
        if by != 0 {
            // The first group and the one after the last are shared with neighbours.
            let e = body.name("e");
            let group = GROUP / self.size;
            body.out.line(format!(
                "const u32 {e} = {lane} < {}u ? {by}u + {lane} : {}u + {lane};",
                group - by,
                n * group - (group - by)
            ));
            body.out
                .line(format!("if ({lane} < {group}u) (({elem}*){to})[{e}] = ((const {elem}*){from})[{e}];"));
        }
        body.out.close("} else {");
        body.out.depth += 1;
        self.singles(body, staged, of, true);
        body.out.close("}");
    }
}

fn plus(n: i64) -> String {
    match n {
        0 => String::new(),
        n if n < 0 => format!(" - {}", n.unsigned_abs()),
        n => format!(" + {n}"),
    }
}
