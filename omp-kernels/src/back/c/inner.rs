//! Inner nests by one thread: the loops as they stand, with copies for what the nest reduces or keeps.
//!
//! Floating-point sums and products are added up in a cascade, so that the error does not grow with the number of
//! iterations: a level takes a number of values of the level before. It is done at the head of an iteration, which
//! `continue` can't skip.
use super::body::{Body, Within};
use super::expr::bare;
use crate::ir::ids::{LabelId, LocalId};
use crate::ir::kernel::Reducer;
use crate::ir::template::{Block, Inner, InnerReduction, Level, Range, ReduceOp, Stmt};

/// A loop of a nest.
pub(crate) struct NestLoop<'b> {
    pub label: LabelId,
    pub var: LocalId,
    pub range: &'b Range,
    pub body: &'b Block,
}

/// The parallel loops of a nest, outermost first.
pub(crate) fn loops_of(inner: &Inner) -> Vec<NestLoop<'_>> {
    let mut loops = Vec::new();
    let mut block = &inner.body;
    while let [Stmt::For { label, var, range, body, src: _ }] = block.0.as_slice() {
        loops.push(NestLoop { label: *label, var: *var, range, body });
        if loops.len() == inner.loops as usize {
            break;
        }
        block = body;
    }
    loops
}

/// An item of an inner reduction.
pub(crate) struct Item {
    pub reducer: Reducer,
    /// Its type as a value, and as it stands in memory.
    pub ty: String,
    pub stored: String,
    pub identity: String,
    pub local: String,
    pub target: String,
    /// The sums of the cascade above the local.
    levels: Vec<String>,
}

/// The cascade of a nest's items.
pub(crate) struct Cascade {
    /// Each level takes `2^bits` values of the one before.
    bits: u32,
    turn: String,
}

impl Body<'_, '_> {
    /// An inner nest.
    pub(crate) fn inner(&mut self, inner: &Inner) {
        match (inner.level, self.within) {
            (Level::Team, Within::Around) if !inner.in_place => self.team_nest(inner),
            (Level::Team | Level::Simd, _) => self.lone_nest(inner),
        }
    }

    /// By one thread (or, around the nests of a team, by each of them alike).
    fn lone_nest(&mut self, inner: &Inner) {
        let Some(label) = loops_of(inner).last().map(|l| l.label) else { return };
        if inner.reductions.is_empty() && inner.lasts.is_empty() && inner.exact.is_empty() {
            return self.block(&inner.body);
        }
        self.out.open("{");
        let exact = self.begin_exact(inner);
        let (items, cascade) = self.begin_items(inner);
        let lines = self.flush_lines(&items, cascade.as_ref());
        let outside = self.flush.replace((label, lines));
        self.block(&inner.body);
        self.flush = outside;
        self.close_cascade(&items);
        for item in &items {
            let sum = self.combine(&item.reducer, &item.target, &item.local, "&cx");
            self.out.line(format!("{} = {};", item.target, bare(&sum)));
        }
        for last in &inner.lasts {
            let (local, target) = (&self.locals[last.local.index()], &self.locals[last.target.index()]);
            let line = format!("{target} = {local};");
            self.out.line(line);
        }
        self.sums.truncate(self.sums.len() - exact);
        self.out.close("}");
    }

    /// Declares the copies of a nest.
    pub(crate) fn begin_items(&mut self, inner: &Inner) -> (Vec<Item>, Option<Cascade>) {
        let items: Vec<Item> = inner.reductions.iter().map(|r| self.item(r)).collect();
        for item in &items {
            let c = &item.ty;
            let names = std::iter::once(&item.local).chain(&item.levels);
            // The infinity that is the identity would hide a NaN that the item has before the nest.
            let keeps = matches!(&item.reducer, Reducer::Builtin(op, _) if op.keeps_operands());
            let start = if keeps { &item.target } else { &item.identity };
            let all: Vec<_> = names.map(|name| format!("{name} = {start}")).collect();
            self.out.line(format!("{c} {};", all.join(", ")));
        }
        for last in &inner.lasts {
            let ty = self.code.local_ty[last.local.index()];
            if !self.w.types.is_empty(ty) {
                let c = self.w.value_type(ty);
                let (local, target) = (&self.locals[last.local.index()], &self.locals[last.target.index()]);
                let line = format!("{c} {local} = {target};");
                self.out.line(line);
            }
        }
        let cascade = items.iter().any(|i| !i.levels.is_empty()).then(|| {
            let turn = self.name("turn");
            self.out.line(format!("u32 {turn} = 0u;"));
            Cascade { bits: self.cascade().0, turn }
        });
        (items, cascade)
    }

    /// Values that a level takes, as a power of two, and the number of levels above the local: many short ones where
    /// a thread has all iterations, few where it has a share of them and registers count.
    fn cascade(&self) -> (u32, u32) {
        let threads: u32 = self.w.schedule.block.iter().product();
        if threads == 1 { (3, 8) } else { (4, 3) }
    }

    fn item(&mut self, reduction: &InnerReduction) -> Item {
        let InnerReduction { number, local, target, .. } = *reduction;
        let reducer = self.w.kernel.inner_reducers[number as usize].clone();
        let ty = self.code.local_ty[local.index()];
        let (local, target) = (self.locals[local.index()].clone(), self.locals[target.index()].clone());
        let count = match reducer {
            Reducer::Builtin(ReduceOp::Add | ReduceOp::Mul, prim) if prim.is_float() => self.cascade().1,
            Reducer::Builtin(..) | Reducer::Declared { .. } => 0,
        };
        let levels = (0..count).map(|_| self.name(&format!("{local}_sum"))).collect();
        let identity = self.reducer_identity(&reducer);
        let (ty, stored) = (self.w.value_type(ty), self.w.memory_type(ty));
        Item { reducer, ty, stored, identity, local, target, levels }
    }

    /// What stands at the head of an iteration.
    pub(crate) fn flush_lines(&mut self, items: &[Item], cascade: Option<&Cascade>) -> Vec<String> {
        let Some(Cascade { bits, turn }) = cascade else { return Vec::new() };
        let depth = items.iter().map(|i| i.levels.len()).max().unwrap_or(0);
        let mut lines = Vec::new();
        for level in 0..depth {
            let mask = (1u64 << (bits * (level as u32 + 1))) - 1;
            let count = if level == 0 { format!("++{turn}") } else { turn.clone() };
            lines.push(format!("if (({count} & {mask}u) == 0u) {{"));
            for item in items.iter().filter(|i| level < i.levels.len()) {
                let below = if level == 0 { &item.local } else { &item.levels[level - 1] };
                let above = &item.levels[level];
                let sum = self.combine(&item.reducer, above, below, "&cx");
                lines.push(format!("    {above} = {};", bare(&sum)));
                lines.push(format!("    {below} = {};", item.identity));
            }
        }
        lines.push("}".repeat(depth));
        lines
    }

    /// Puts all levels into the local.
    pub(crate) fn close_cascade(&mut self, items: &[Item]) {
        for item in items {
            for level in &item.levels {
                let sum = self.combine(&item.reducer, level, &item.local, "&cx");
                self.out.line(format!("{} = {};", item.local, bare(&sum)));
            }
        }
    }

    /// At the head of a loop's body: what its nest wants there.
    pub(crate) fn head_of(&mut self, label: LabelId) {
        if let Some((of, lines)) = self.flush.take_if(|(of, _)| *of == label) {
            for line in &lines {
                self.out.line(line);
            }
            self.flush = Some((of, lines));
        }
    }
}
