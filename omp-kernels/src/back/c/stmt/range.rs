//! Counted loops: the values of `lo..hi`, `lo..=hi` with `.rev()` and `.step_by(s)`.
use crate::back::c::body::Body;
use crate::back::c::expr::bare;
use crate::back::c::helpers::c_name;
use omp_ir::desc::Prim;
use omp_ir::ids::{ExprId, LocalId};
use omp_ir::template::{Adaptor, Base, Expr, Range};

/// A range that was evaluated: iteration `k` of `0..count` has the value `first + k * step` (modulo the type).
#[derive(Debug)]
pub(crate) struct Counted {
    pub first: String,
    pub step: String,
    pub count: String,
}

impl Body<'_, '_> {
    /// The head of a sequential loop, with the bounds evaluated before it.
    pub(crate) fn for_head(&mut self, var: LocalId, range: &Range) -> String {
        let prim = self.w.types.prim(self.code.local_ty[var.index()]).unwrap_or(Prim::Usize);
        let simple = matches!(range.adaptors.as_slice(), [] | [Adaptor::Rev]) && !range.inclusive;
        let narrow = self.function.is_none() && self.w.schedule.index32 && prim.size() == 8 && simple;
        self.narrow[var.index()] = narrow && !self.code.code.locals[var.index()].mutable;
        let prim = if self.narrow[var.index()] { Prim::I32 } else { prim };
        let c = c_name(prim);
        let name = self.locals[var.index()].clone();
        let fixed = !self.code.code.locals[var.index()].mutable;
        let narrow_steps = self.function.is_none() && self.w.schedule.index32 && prim.size() == 8;
        if fixed && !range.inclusive {
            match range.adaptors.as_slice() {
                [] => {
                    let (lo, hi) = self.bounds(range, prim);
                    return format!("for ({c} {name} = {lo}; {name} < {hi}; {name}++) {{");
                }
                [Adaptor::Rev] => {
                    let (lo, hi) = self.bounds(range, prim);
                    return format!("for ({c} {name} = {hi}; {name} > {lo} && ({name}--, true);) {{");
                }
                // Such a counter doesn't overflow, and compilers see how often the loop runs.
                [Adaptor::StepBy(Some(step))] if prim.size() < 8 || narrow_steps => {
                    if let Expr::Int { value: value @ 1..=0xffff, .. } =
                        self.code.code.exprs[step.index()].expr
                    {
                        let short = if narrow_steps { Prim::I32 } else { prim };
                        let (lo, hi) = self.bounds(range, short);
                        let (c, k) = (c_name(short), self.name("k"));
                        self.narrow[var.index()] = narrow_steps;
                        return format!(
                            "for (i64 {k} = {lo}; {k} < (i64){hi}; {k} += {value}) {{ const {c} {name} = ({c}){k};"
                        );
                    }
                }
                _ => {}
            }
        }
        if range.inclusive && prim.size() == 8 && self.may_be_all(range, prim) {
            return self.head_to_the_last(range, prim, &name);
        }
        let counted = self.counted(range, prim);
        let k = self.name("k");
        let w = if prim.size() == 8 { "u64" } else { "u32" };
        format!(
            "for (u64 {k} = 0; {k} < {}; {k}++) {{ {c} {name} = ({c})(({w}){} + ({w}){k} * ({w}){});",
            counted.count, counted.first, counted.step
        )
    }

    /// Whether a range may have all values of a type of 64 bits, which no `u64` counts.
    fn may_be_all(&self, range: &Range, prim: Prim) -> bool {
        let Some((least, most)) = prim.int_range() else { return false };
        let is_other = |e: Option<ExprId>, end: i128| match e.map(|e| &self.code.code.exprs[e.index()].expr) {
            Some(Expr::Int { value, negative, .. }) => {
                let value = i128::try_from(*value).unwrap_or(i128::MAX);
                (if *negative { -value } else { value }) != end
            }
            Some(Expr::Len(_)) => true,
            Some(Expr::Cast { value, .. }) => {
                self.w.types.prim(self.ty(*value)).is_some_and(|from| from.is_int() && from.size() < 8)
            }
            _ => e.is_some_and(|e| self.narrow_name(e).is_some()),
        };
        !is_other(range.lo, least) && !is_other(range.hi, most)
    }

    /// The head of a loop that ends after the iteration with the last number.
    fn head_to_the_last(&mut self, range: &Range, prim: Prim, name: &str) -> String {
        let (lo, hi) = self.bounds(range, prim);
        let [first, step, last, more, k] = ["first", "step", "last", "more", "k"].map(|word| self.name(word));
        self.out.line(format!("u64 {first} = (u64){lo};"));
        self.out.line(format!("u64 {step} = 1;"));
        self.out.line(format!("u64 {last} = (u64){hi} - (u64){lo};"));
        self.out.line(format!("bool {more} = {lo} <= {hi};"));
        for adaptor in &range.adaptors {
            match adaptor {
                Adaptor::Rev => {
                    self.out.line(format!("{first} += {last} * {step};"));
                    self.out.line(format!("{step} = 0 - {step};"));
                }
                Adaptor::StepBy(by) => {
                    let by = by.map_or_else(|| "1".to_owned(), |e| self.settled(e));
                    self.out.line(format!("{last} /= {by};"));
                    self.out.line(format!("{step} *= {by};"));
                }
            }
        }
        let c = c_name(prim);
        format!(
            "for (u64 {k} = 0; {more}; {more} = {k}++ != {last}) {{ {c} {name} = ({c})({first} + {k} * {step});"
        )
    }

    /// The bounds as operands: evaluated before the loop unless they are literals.
    pub(crate) fn bounds(&mut self, range: &Range, prim: Prim) -> (String, String) {
        let mut bound = |e: Option<ExprId>| {
            let Some(e) = e else { return "0".to_owned() };
            let short = prim == Prim::I32 && !self.checked;
            let text = if short { self.short(e) } else { self.settled(e) };
            if self.is_fixed(e) {
                return text;
            }
            let name = self.name("bound");
            self.out.line(format!("const {} {name} = {};", c_name(prim), bare(&text)));
            name
        };
        (bound(range.lo), bound(range.hi))
    }

    /// A literal, a captured scalar or a length: it has the same value whenever it is evaluated, at no cost.
    fn is_fixed(&self, e: ExprId) -> bool {
        match &self.code.code.exprs[e.index()].expr {
            Expr::Int { .. } => true,
            Expr::Load(place) | Expr::Len(place) => {
                matches!(place.base, Base::Scalar(_) | Base::Array(_)) && place.projections.is_empty()
            }
            _ => false,
        }
    }

    /// Evaluates a range of any form.
    pub(crate) fn counted(&mut self, range: &Range, prim: Prim) -> Counted {
        let (lo, hi) = self.bounds(range, prim);
        let more = if range.inclusive { " + 1" } else { "" };
        let less = if range.inclusive { "<=" } else { "<" };
        let (first, step, count) = (self.name("first"), self.name("step"), self.name("count"));
        // Bounds of a signed type are extended to 64 bits, where their difference is right modulo 2^64.
        self.out.line(format!("u64 {first} = (u64){lo};"));
        self.out.line(format!("u64 {step} = 1;"));
        self.out.line(format!("u64 {count} = {lo} {less} {hi} ? (u64){hi} - (u64){lo}{more} : 0;"));
        for adaptor in &range.adaptors {
            match adaptor {
                Adaptor::Rev => {
                    self.out.line(format!("{first} += ({count} - 1) * {step};"));
                    self.out.line(format!("{step} = 0 - {step};"));
                }
                Adaptor::StepBy(by) => {
                    let by = by.map_or_else(|| "1".to_owned(), |e| self.settled(e));
                    self.out.line(format!("{count} = {count} == 0 ? 0 : ({count} - 1) / {by} + 1;"));
                    self.out.line(format!("{step} *= {by};"));
                }
            }
        }
        Counted { first, step, count }
    }
}
