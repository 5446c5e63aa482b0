//! Arrays of iterations in shared memory, interleaved: element `k` of a thread lies side by side with element `k` of the other threads of its
//! block ([`crate::schedule::interleaved`] explains when). A thread has a pointer to its element 0; from one of its elements to the next there
//! are as many as the block has threads. Where the threads of a block share an iteration, its elements lie side by side.
use super::super::body::Body;
use super::super::expr::bare;
use super::super::expr::place::{Held, Placed};
use super::super::types::Space;
use crate::schedule::Strategy;
use crate::schedule::interleaved::{Owner, numbers};
use omp_ir::ids::{ExprId, LocalId, TyId};
use omp_ir::kernel::Ty;
use omp_ir::template::{Base, Expr, Place, Projection};

/// Elements of rows that are copied without a loop.
const UNROLLED: u64 = 64;

impl Body<'_, '_> {
    fn block_threads(&self) -> u32 {
        self.w.schedule.block.iter().product()
    }

    /// A local array that is interleaved.
    pub(crate) fn is_interleaved(&self, local: LocalId) -> bool {
        self.function.is_none() && self.w.schedule.interleaved.locals.contains(&local)
    }

    /// The threads of a block share one iteration, and its elements.
    fn is_shared(&self) -> bool {
        self.w.schedule.strategy == Strategy::Teams
    }

    /// How far one element of an iteration lies from the next.
    fn between(&self) -> u32 {
        if self.is_shared() { 1 } else { self.block_threads() }
    }

    /// Declares the memory, and each thread's pointers to its elements.
    pub(crate) fn begin_interleaved(&mut self) {
        let interleaved = &self.w.schedule.interleaved;
        if interleaved.is_empty() {
            return;
        }
        let (s, kernel, [x, y, z]) = (self.w.syntax, self.w.kernel, self.w.schedule.block);
        let threads = u64::from(self.between());
        let declare = self.w.helpers.shared_memory();
        let [memory, thread] = ["interleaved", "own_thread"].map(|name| self.name(name));
        let mut of_thread = String::new();
        if self.is_shared() {
            self.out.line(format!("{declare}({memory}, {});", interleaved.team_bytes(kernel)));
        } else {
            self.out.line(format!("{declare}({memory}, {});", interleaved.bytes(kernel) * threads));
            let mut number = s.thread_id(0);
            if y > 1 || z > 1 {
                number = format!("{number} + {x}u * ({} + {y}u * {})", s.thread_id(1), s.thread_id(2));
            }
            self.out.line(format!("const u32 {thread} = {number};"));
            of_thread = format!(" + {thread}");
        }
        let mut at = 0;
        for (owner, ty, bytes) in interleaved.owners(kernel) {
            let name = match owner {
                Owner::Local(local) => self.locals[local.index()].clone(),
                Owner::Part(array) => {
                    let own = self.name(&format!("{}_own", kernel.template.arrays[array.index()].name));
                    self.parts.insert(array, own.clone());
                    own
                }
            };
            let c = self.w.memory_type(ty);
            self.out.line(format!("{c}* const {name} = ({c}*)({memory} + {at}){of_thread};"));
            at += (bytes * threads).next_multiple_of(16);
        }
    }

    /// Runs an iteration, whose parallel variable is declared, between the copies of its parts of mapped arrays. Where all threads of the
    /// block run it, each copies some of the elements, and waits for the others.
    pub(crate) fn between_copies(&mut self, iteration: impl FnOnce(&mut Self)) {
        let (kernel, schedule) = (self.w.kernel, self.w.schedule);
        let parts = &schedule.interleaved.parts;
        if parts.is_empty() {
            return iteration(self);
        }
        let (threads, shared) = (self.block_threads(), self.is_shared());
        let (var, thread) =
            (self.locals[kernel.template.dims[0].var.index()].clone(), self.w.syntax.thread_id(0));
        let run = self.name("run");
        let k = if shared { self.name("k") } else { String::new() };
        let mut stores = Vec::new();
        for (array, part) in parts {
            let (own, mut global, first) =
                (self.parts[array].clone(), self.global(*array), self.name("own_first"));
            let element = kernel.array_ty[array.index()];
            let number = numbers(&kernel.types, element).map_or(element, |(number, _)| number);
            let c = self.w.memory_type(number);
            if number != element {
                global = format!("(({}{c}*){global})", self.w.syntax.global);
            }
            self.out.line(format!("const i64 {first} = {} + (i64){var} * {};", part.first, part.step));
            if shared {
                let head = format!("for (u32 {k} = {thread}; {k} < {}u; {k} += {threads}u)", part.len);
                let gaps = if part.row == 0 { String::new() } else { format!(" + {k} / {}u", part.row) };
                let (own, global) = (format!("{own}[{k}{gaps}]"), format!("{global}[{first} + {k}]"));
                self.out.line("#pragma unroll 8");
                self.out.line(format!("{head} {own} = {global};"));
                stores.push("#pragma unroll 8".to_owned());
                stores.push(format!("{head} {global} = {own};"));
            } else {
                self.w.helpers.add("load_part", || include_str!("../../../templates/parts.cuh").to_owned());
                let each = if part.wide { format!("16u / sizeof({c})") } else { "1u".to_owned() };
                let of = format!("part<{c}, {}u, {threads}u, {each}>({own}, {global} + {first});", part.len);
                self.out.line(format!("load_{of}"));
                stores.push(format!("store_{of}"));
            }
        }
        if shared {
            self.barrier();
        }
        // A loop of at most one iteration, so that `continue` ends the iteration of the user's loop.
        self.out.open(format!("for (bool {run} = true; {run}; {run} = false) {{"));
        iteration(self);
        self.out.close("}");
        if shared {
            self.barrier();
        }
        stores.iter().for_each(|line| self.out.line(line));
    }

    /// A place in an array that is interleaved; of a row, the place of its first number.
    pub(crate) fn interleaved_place(&mut self, place: &Place) -> Option<Placed> {
        let threads = self.between();
        let (text, ty) = match place.base {
            Base::Local(local) if self.is_interleaved(local) => {
                let mut ty = self.code.local_ty[local.index()];
                let mut sum = Vec::new();
                for step in &place.projections {
                    let (Projection::Index { index, access }, Ty::Array(elem, _)) =
                        (step, self.w.kernel.types.get(ty))
                    else {
                        return None;
                    };
                    let of_each = numbers(&self.w.kernel.types, *elem).map_or(1, |(_, count)| count);
                    let text = self.plain_index(*index, *access);
                    sum.push(match of_each {
                        1 => format!("(i32){text}"),
                        _ => format!("(i32){text} * {of_each}"),
                    });
                    ty = *elem;
                }
                let at = if sum.is_empty() { "0".to_owned() } else { sum.join(" + ") };
                (format!("{}[({at}) * {threads}]", self.locals[local.index()]), ty)
            }
            Base::Array(array) if self.function.is_none() => {
                let Some(Projection::Index { index: _, access }) = place.projections.first() else {
                    return None;
                };
                let own = self.parts.get(&array)?.clone();
                let offset = &self.w.schedule.interleaved.parts[&array].places[access];
                let mut sum = vec![offset.base.to_string()];
                for (var, by, begins) in &offset.strides {
                    let var = self.locals[var.index()].clone();
                    let begins = begins.map_or_else(String::new, |e| format!(" - {}", self.short(e)));
                    sum.push(format!("((i32){var}{begins}) * {by}"));
                }
                // (Checks measure rows of elements, which nothing loads.)
                let mut ty = self.w.kernel.array_ty[array.index()];
                for _ in &place.projections[1..] {
                    if let Ty::Array(elem, _) = self.w.kernel.types.get(ty) {
                        ty = *elem;
                    }
                }
                (format!("{own}[({}) * {threads}]", sum.join(" + ")), ty)
            }
            _ => return None,
        };
        Some(Placed { text, held: Held::Value(ty), space: Space::Private, writable: true })
    }

    /// A local array that is interleaved, or a row of one, as a value.
    pub(crate) fn collected_row(&mut self, place: &Place, ty: TyId) -> Option<String> {
        self.is_row(place, ty).then_some(())?;
        let text = self.interleaved_place(place)?.text;
        let name = self.copier("gathered", ty, |c, elem, of_loop| {
            format!(
                "static __device__ __forceinline__ {c} NAME(const {elem}* from) {{\n    {c} r;\n    {elem}* const to = ({elem}*)&r;\n    \
                 {of_loop} to[k] = from[k * THREADSu];\n    return r;\n}}\n"
            )
        });
        Some(format!("{name}(&{text})"))
    }

    /// The statement that puts a value in the place of a local array that is interleaved, or of a row of one.
    pub(crate) fn scattered(&mut self, place: &Place, ty: TyId, (to, value): (&str, &str)) -> Option<String> {
        self.is_row(place, ty).then_some(())?;
        let name = self.copier("scatter", ty, |c, elem, of_loop| {
            format!(
                "static __device__ __forceinline__ void NAME({elem}* to, {c} value) {{\n    const {elem}* const from = (const {elem}*)&value;\n    \
                 {of_loop} to[k * THREADSu] = from[k];\n}}\n"
            )
        });
        Some(format!("{name}(&{to}, {value});"))
    }

    /// It is of such an array, and not a number.
    fn is_row(&self, place: &Place, ty: TyId) -> bool {
        place.base.local().is_some_and(|local| self.is_interleaved(local))
            && matches!(self.w.kernel.types.get(ty), Ty::Array(..))
    }

    fn copier(&mut self, what: &str, ty: TyId, text: impl FnOnce(&str, &str, &str) -> String) -> String {
        let (elem, count) = numbers(&self.w.kernel.types, ty).unwrap_or((ty, 0));
        let (c, elem) = (self.w.memory_type(ty), self.w.memory_type(elem));
        let name = format!("{what}_{c}");
        let unroll = if count <= UNROLLED { "#pragma unroll\n    " } else { "" };
        let of_loop = format!("{unroll}for (u32 k = 0; k < {count}u; k++)");
        let text = text(&c, &elem, &of_loop);
        let text = text.replace("NAME", &name).replace("THREADS", &self.block_threads().to_string());
        self.w.helpers.add(&name, || text);
        name
    }

    /// `let` of a local array that is interleaved.
    pub(crate) fn declare_interleaved(&mut self, local: LocalId, init: Option<ExprId>) {
        let Some(init) = init else { return };
        let (code, threads) = (self.code, self.block_threads());
        let (ty, name) = (code.local_ty[local.index()], self.locals[local.index()].clone());
        let count = numbers(&self.w.kernel.types, ty).map_or(0, |(_, count)| count);
        let number = |body: &Self, e: ExprId| body.w.kernel.types.prim(body.ty(e)).is_some();
        let mut repeated = init;
        while let Expr::Repeat { slot: _, value } = &code.code.exprs[repeated.index()].expr {
            repeated = *value;
        }
        match &code.code.exprs[init.index()].expr {
            Expr::Repeat { .. } if number(self, repeated) => {
                let value = self.settled(repeated);
                let at = self.name("at");
                self.out.line(format!(
                    "for (u32 {at} = 0; {at} < {count}u; {at}++) {name}[{at} * {threads}u] = {};",
                    bare(&value)
                ));
            }
            Expr::Array { slot: _, elems } if elems.iter().all(|e| number(self, *e)) => {
                for (i, elem) in elems.iter().enumerate() {
                    let text = self.bare(*elem);
                    self.out.line(format!("{name}[{i} * {threads}u] = {text};"));
                }
                self.test_context();
            }
            _ => {
                let text = self.bare(init);
                let place = Place::from(Base::Local(local));
                if let Some(line) = self.scattered(&place, ty, (&format!("{name}[0]"), &text)) {
                    self.out.line(line);
                }
                self.test_context();
            }
        }
    }
}
