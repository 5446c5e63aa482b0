//! Loops that store late ([`crate::schedule::late_stores`] explains when, and why that is correct): their iterations put what they store
//! into registers, and a second loop stores it. What they update is loaded by a loop before.
use crate::back::c::body::{Body, Within};
use crate::schedule::late_stores::find;
use omp_ir::ids::{LabelId, LocalId};
use omp_ir::template::{Block, Range};

impl Body<'_, '_> {
    /// Writes the loop; `false` if it is not such a loop.
    pub(crate) fn storing_late(&mut self, label: LabelId, var: LocalId, range: &Range, body: &Block) -> bool {
        let (kernel, schedule) = (self.w.kernel, self.w.schedule);
        let alone = self.within == Within::Alone && self.team.is_none() && self.jam.is_none();
        if !schedule.late.contains(&var) || self.function.is_some() || !alone {
            return false;
        }
        let Some(found) = find(kernel, &schedule.checks, (var, range, body)) else { return false };
        self.out.open("{");
        let head = self.for_head(var, range);
        let variable = &self.locals[var.index()];
        let at = if found.first == 0 { variable.clone() } else { format!("{variable} - ({})", found.first) };
        let names: Vec<String> = found
            .stores
            .iter()
            .map(|store| {
                let name = self.name(&format!("{}_late", kernel.template.arrays[store.array.index()].name));
                let of = self.w.memory_type(kernel.array_ty[store.array.index()]);
                self.out.line(format!("{of} {name}[{}];", found.trips));
                name
            })
            .collect();
        let updates = found.stores.iter().zip(&names).filter(|(store, _)| store.loaded);
        if updates.clone().next().is_some() {
            self.out.line("#pragma unroll");
            self.out.open(&head);
            found.lets.iter().for_each(|stmt| self.stmt(stmt));
            for (store, name) in updates {
                let place = self.place(store.place).text;
                self.out.line(format!("{name}[{at}] = {place};"));
            }
            self.out.close("}");
        }
        for (store, name) in found.stores.iter().zip(&names) {
            self.registers.insert(store.access, format!("{name}[{at}]"));
        }
        self.out.line("#pragma unroll");
        self.iterations((label, var), &head, None, body);
        for store in &found.stores {
            self.registers.remove(&store.access);
        }
        self.out.line("#pragma unroll");
        self.out.open(&head);
        found.lets.iter().for_each(|stmt| self.stmt(stmt));
        for (store, name) in found.stores.iter().zip(&names) {
            let place = self.place(store.place).text;
            self.out.line(format!("{place} = {name}[{at}];"));
        }
        self.out.close("}");
        self.out.close("}");
        true
    }
}
