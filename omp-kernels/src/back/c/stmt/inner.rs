//! Inner nests run by one thread: the loops as written, with copies of the variables that the nest reduces or keeps.
use crate::back::c::body::{Body, Within};
use crate::back::c::expr::bare;
use omp_ir::ids::{LabelId, LocalId};
use omp_ir::kernel::Reducer;
use omp_ir::template::{Block, Inner, InnerReduction, Level, Range, Stmt};

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
    /// Its type as a value, and in memory.
    pub ty: String,
    pub stored: String,
    pub identity: String,
    pub local: String,
    pub target: String,
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
        if inner.reductions.is_empty() && inner.lasts.is_empty() {
            return self.block(&inner.body);
        }
        self.out.open("{");
        let items = self.begin_items(inner);
        self.block(&inner.body);
        for item in &items {
            let sum = self.combine(&item.reducer, &item.target, &item.local, "&cx");
            self.out.line(format!("{} = {};", item.target, bare(&sum)));
        }
        for last in &inner.lasts {
            let (local, target) = (&self.locals[last.local.index()], &self.locals[last.target.index()]);
            let line = format!("{target} = {local};");
            self.out.line(line);
        }
        self.out.close("}");
    }

    /// Declares the copies of a nest.
    pub(crate) fn begin_items(&mut self, inner: &Inner) -> Vec<Item> {
        let items: Vec<Item> = inner.reductions.iter().map(|r| self.item(r)).collect();
        for item in &items {
            let c = &item.ty;
            // The infinity that is the identity would hide a NaN that the item has before the nest.
            let keeps = matches!(&item.reducer, Reducer::Builtin(op, _) if op.keeps_operands());
            let start = if keeps { &item.target } else { &item.identity };
            self.out.line(format!("{c} {} = {start};", item.local));
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
        items
    }

    fn item(&mut self, reduction: &InnerReduction) -> Item {
        let InnerReduction { number, local, target, .. } = *reduction;
        let reducer = self.w.kernel.inner_reducers[number as usize].clone();
        let ty = self.code.local_ty[local.index()];
        let (local, target) = (self.locals[local.index()].clone(), self.locals[target.index()].clone());
        let identity = self.reducer_identity(&reducer);
        let (ty, stored) = (self.w.value_type(ty), self.w.memory_type(ty));
        Item { reducer, ty, stored, identity, local, target }
    }
}
