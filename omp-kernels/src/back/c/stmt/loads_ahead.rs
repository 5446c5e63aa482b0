//! Loops that load several iterations ahead ([`crate::schedule::loads_ahead`] explains when, and why that is correct): as long as there are
//! enough iterations, a loop loads what so many of them read into registers, and then runs them. The rest runs one by one.
use crate::back::c::body::{Body, Frame, Within};
use crate::back::c::expr::bare;
use crate::back::c::helpers::c_name;
use crate::schedule::loads_ahead::find;
use omp_ir::desc::Prim;
use omp_ir::ids::{LabelId, LocalId};
use omp_ir::template::{Base, Block, Range};

impl Body<'_, '_> {
    /// Writes the loop; `false` if it is not such a loop.
    pub(crate) fn loop_ahead(&mut self, label: LabelId, var: LocalId, range: &Range, body: &Block) -> bool {
        let (kernel, schedule) = (self.w.kernel, self.w.schedule);
        let alone = self.within == Within::Alone && self.team.is_none() && self.jam.is_none();
        let Some(ahead) = schedule.ahead.get(&var).filter(|_| self.function.is_none() && alone) else {
            return false;
        };
        let Some(found) = find(kernel, &schedule.checks, (var, range, body)) else { return false };
        let prim = self.w.types.prim(self.code.local_ty[var.index()]).unwrap_or(Prim::Usize);
        self.narrow[var.index()] = schedule.index32 && prim.size() == 8;
        let prim = if self.narrow[var.index()] { Prim::I32 } else { prim };
        let (c, n, down) = (c_name(prim), ahead.iterations, !range.adaptors.is_empty());
        self.out.open("{");
        let (lo, hi) = self.bounds(range, prim);
        let [at, u] = ["at", "u"].map(|word| self.name(word));
        let (begin, some, left) = match down {
            false => (&lo, format!("{at} < {hi}"), format!("{hi} - {at}")),
            true => (&hi, format!("{at} > {lo}"), format!("{at} - {lo}")),
        };
        self.out.line(format!("{c} {at} = {begin};"));
        let variable = self.locals[var.index()].clone();
        let declare = |nth: &str| match down {
            false => format!("const {c} {variable} = ({c})({at} + {nth});"),
            true => format!("const {c} {variable} = ({c})({at} - 1 - {nth});"),
        };
        let mut all = format!("{some} && {left} >= {n}");
        if !found.moved.is_empty() {
            let moves = self.name("moves");
            self.out.line(format!("bool {moves} = {all};"));
            self.out.open(format!("if ({moves}) {{"));
            for index in &found.moved {
                let places = ["0", "1"].map(|nth| {
                    let place = self.name("place");
                    self.out.line(format!("u64 {place};"));
                    self.out.open("{");
                    self.out.line(declare(nth));
                    found.lets.iter().for_each(|stmt| self.stmt(stmt));
                    let text = self.expr(*index);
                    self.out.line(format!("{place} = (u64){text};"));
                    self.out.close("}");
                    place
                });
                self.out.line(format!("{moves} = {moves} && {} != {};", places[0], places[1]));
            }
            self.out.close("}");
            all = format!("{moves} && {all}");
        }
        let by = if down { "-=" } else { "+=" };
        self.out.open(format!("for (; {all}; {at} {by} {n}) {{"));
        let loads: Vec<_> =
            found.loads.iter().filter(|load| !ahead.loads.is_disjoint(&load.accesses)).collect();
        let names: Vec<String> = loads
            .iter()
            .map(|load| {
                let Base::Array(array) = load.place.base else { return String::new() };
                let name = self.name(&format!("{}_ahead", kernel.template.arrays[array.index()].name));
                let of = self.w.memory_type(kernel.array_ty[array.index()]);
                self.out.line(format!("{of} {name}[{n}];"));
                name
            })
            .collect();
        let each = format!("for ({c} {u} = 0; {u} < {n}; {u}++) {{");
        self.out.line("#pragma unroll");
        self.out.open(&each);
        self.out.line(declare(&u));
        found.lets.iter().for_each(|stmt| self.stmt(stmt));
        for (load, name) in loads.iter().zip(&names) {
            let text = self.place(load.place).text;
            self.out.line(format!("{name}[{u}] = {};", bare(&text)));
        }
        self.out.close("}");
        for (load, name) in loads.iter().zip(&names) {
            self.registers.extend(load.accesses.iter().map(|access| (*access, format!("{name}[{u}]"))));
        }
        self.out.line("#pragma unroll");
        self.iterations((label, var), &each, Some(&declare(&u)), body);
        for load in &loads {
            load.accesses.iter().for_each(|access| drop(self.registers.remove(access)));
        }
        self.out.close("}");
        let step = if down { "--" } else { "++" };
        self.iterations((label, var), &format!("for (; {some}; {at}{step}) {{"), Some(&declare("0")), body);
        self.out.close("}");
        true
    }

    /// The iterations of a loop, by its head and by what declares its variable if the head does not.
    pub(super) fn iterations(
        &mut self,
        (label, var): (LabelId, LocalId),
        head: &str,
        declare: Option<&str>,
        body: &Block,
    ) {
        self.frames.push(Frame { label, is_loop: true, exit: None, next: None });
        self.out.open(head);
        declare.into_iter().for_each(|line| self.out.line(line));
        self.enter_loop(var);
        self.loop_body(body);
        self.leave_loops(1);
        self.out.close("}");
        self.frames.pop();
    }
}
