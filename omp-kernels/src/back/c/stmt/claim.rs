//! `disjoint(…)`, checked at run time: an iteration claims an element before it accesses the element.
//!
//! The table has a word for each element of the section (see [`Arg::Claims`]). A claim is one compare-and-swap, also if the same
//! iteration has claimed the element before. An iteration that finds another claim fails before it accesses the element, so a
//! launch that fails has no data race, either.
use crate::back::c::body::Body;
use crate::back::c::expr::bare;
use crate::back::{Arg, Dialect, FailureKind};
use omp_ir::ids::{AccessId, ArrayId, ExprId, SrcId};

impl Body<'_, '_> {
    /// Declares the number of the iteration, whose variables are declared.
    pub(crate) fn number_iteration(&mut self) {
        if self.w.schedule.claims.is_empty() {
            return;
        }
        let mut number = String::new();
        for (d, var) in self.vars.clone().into_iter().enumerate() {
            let d = d as u32;
            let (first, step) = (self.arg(Arg::DigitFirst(d)), self.arg(Arg::DigitStep(d)));
            let digit = format!("(u64)(({var} - {first}) / {step})");
            number = if number.is_empty() {
                digit
            } else {
                format!("({number} * {} + {digit})", self.arg(Arg::DigitCount(d)))
            };
        }
        let name = self.name("number");
        self.out.line(format!("const u32 {name} = (u32){number} + 1u;"));
        self.number = Some(name);
    }

    /// Claims an element, if this launch has to.
    pub(crate) fn claim(&mut self, access: AccessId, array: ArrayId, index: ExprId, src: SrcId) {
        let Some(number) = self.number.clone().filter(|_| self.w.schedule.claims.contains(&array)) else {
            return;
        };
        let writes = self.code.code.accesses[access.index()].write;
        let index = self.settled(index);
        let table = self.arg(Arg::Claims(array));
        let helper = self.claim_helper(writes);
        let at = if self.w.kernel.template.arrays[array.index()].section {
            format!("{index} - {}", self.arg(Arg::SectionLo(array)))
        } else {
            bare(&index).to_owned()
        };
        let other = self.name("other");
        self.out.line(format!("const u32 {other} = {helper}(&{table}[{at}], {number});"));
        let failing = self.failing(src, FailureKind::Conflict { array, writes }, &index, &other);
        self.out.line(format!("if ({other} != 0u) {{ {failing} }}"));
    }

    /// Claims the elements of a slice, one by one.
    pub(crate) fn claim_slice(
        &mut self,
        access: AccessId,
        array: ArrayId,
        (from, to): (ExprId, ExprId),
        src: SrcId,
    ) {
        let Some(number) = self.number.clone().filter(|_| self.w.schedule.claims.contains(&array)) else {
            return;
        };
        let writes = self.code.code.accesses[access.index()].write;
        let (from, to) = (self.settled(from), self.settled(to));
        let table = self.arg(Arg::Claims(array));
        let helper = self.claim_helper(writes);
        let (k, other) = (self.name("k"), self.name("other"));
        let at = if self.w.kernel.template.arrays[array.index()].section {
            format!("{k} - {}", self.arg(Arg::SectionLo(array)))
        } else {
            k.clone()
        };
        self.out.open(format!("for (u64 {k} = {}; {k} < {to}; {k}++) {{", bare(&from)));
        self.out.line(format!("const u32 {other} = {helper}(&{table}[{at}], {number});"));
        let failing = self.failing(src, FailureKind::Conflict { array, writes }, &k, &other);
        self.out.line(format!("if ({other} != 0u) {{ {failing} }}"));
        self.out.close("}");
    }

    /// The function that claims; it gives 0, or the claim that is in the way.
    fn claim_helper(&mut self, writes: bool) -> &'static str {
        let (helper, space) = (self.w.syntax.helper, self.w.syntax.global);
        let swap = match self.w.syntax.dialect {
            Dialect::Cuda => "atomicCAS",
            Dialect::OpenCl => "atomic_cmpxchg",
        };
        let at = match self.w.syntax.dialect {
            Dialect::Cuda => "at",
            Dialect::OpenCl => "(volatile __global u32*)at",
        };
        let (name, state, steps) = if writes {
            (
                "claim_to_write",
                3,
                "        if (seen >> 2 != number || (seen & 3u) == 2u) return seen;\n        const u32 next = mine;\n",
            )
        } else {
            (
                "claim_to_read",
                1,
                "        if (seen >> 2 == number || (seen & 3u) == 2u) return 0u;\n        \
                 if ((seen & 3u) == 3u) return seen;\n        \
                 const u32 next = (seen & ~3u) | 2u;\n",
            )
        };
        self.w.helpers.add(name, || {
            format!(
                "{helper}u32 {name}({space}u32* at, u32 number) {{\n    \
                 const u32 mine = number << 2 | {state}u;\n    \
                 u32 seen = {swap}({at}, 0u, mine);\n    \
                 for (;;) {{\n        \
                 if (seen == 0u || seen == mine) return 0u;\n\
                 {steps}        \
                 const u32 got = {swap}({at}, seen, next);\n        \
                 if (got == seen) return 0u;\n        \
                 seen = got;\n    \
                 }}\n}}\n"
            )
        });
        name
    }
}
