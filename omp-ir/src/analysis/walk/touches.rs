//! Accesses of statements: places, sections that are passed to functions, whole arrays.
use super::Walker;
use crate::analysis::form::NodeId;
use crate::analysis::survey::{CtxKind, LoopVar, Oracle, Step, Touch};
use crate::ids::{AccessId, ArrayId, ExprId, LocalId, SrcId};
use crate::template::{Base, Place};

/// How many conditions on data may choose a subscript.
const MOST_CHOICES: usize = 3;

impl<'a, O: Oracle<'a>> Walker<'a, O> {
    pub(super) fn touch_place(&mut self, place: &Place, src: SrcId, store: bool) {
        if self.frame.is_some() {
            return;
        }
        self.visit_projections(place);
        let path = self.path(place);
        let Some((array, part)) = self.array_of(place) else { return };
        if path.is_empty() {
            return self.touch_whole((array, part), Vec::new(), None, src, None);
        }
        let first = path.iter().find_map(|(_, a)| *a);
        let last = path.iter().rev().find_map(|(_, a)| *a).map(|a| &self.code.accesses[a.index()]);
        let read = !store || self.atomic || last.is_some_and(|a| a.read);
        let path = path.into_iter().map(|(s, _)| s).collect();
        self.touch(Touch {
            array,
            access: first,
            path,
            write: store,
            read,
            ctx: self.ctx,
            src: first.map_or(src, |a| self.code.accesses[a.index()].src),
            at_most: None,
            atomic: self.atomic,
            chosen: false,
            first: self.first,
            part,
        });
    }

    /// The array that a place is in; in inner nests also the slice that is declared around them.
    fn array_of(&self, place: &Place) -> Option<(ArrayId, Option<LocalId>)> {
        match place.base {
            Base::Array(array) => Some((array, None)),
            Base::Local(slice) if self.nests > 0 => Some((*self.slices.get(&slice)?, Some(slice))),
            Base::Local(_) | Base::Scalar(_) | Base::Const(_) => None,
        }
    }

    /// Accesses of a place that is lent by `&mut`: it may be read and written.
    pub(super) fn touch_borrowed(&mut self, place: &Place, src: SrcId) {
        self.touch_place(place, src, false);
        self.touch_place(place, src, true);
    }

    pub(super) fn touch_slice(
        &mut self,
        base: &Place,
        (lo, hi): (Option<ExprId>, Option<ExprId>),
        access: Option<AccessId>,
        src: SrcId,
        mutable: bool,
    ) {
        let path = self.path(base);
        let (from, to) = self.slice_ends(base, lo, hi);
        if let Some(a) = access {
            self.record_slice(a, base, lo, hi);
        }
        let Some(of) = self.array_of(base) else { return };
        let first = path.iter().find_map(|(_, a)| *a).or(access);
        let path = path.into_iter().map(|(s, _)| s).collect();
        let range = Some((from, to));
        self.touch_whole(of, path, first, src, range);
        let written = mutable || access.is_some_and(|a| self.code.accesses[a.index()].write);
        if let (true, Some(touch)) = (written, self.out.touches.last_mut()) {
            touch.write = true;
        }
    }

    /// A slice of an array (or all of it) goes to something that may touch any of its elements.
    pub(super) fn touch_whole(
        &mut self,
        (array, part): (ArrayId, Option<LocalId>),
        mut path: Vec<Step>,
        access: Option<AccessId>,
        src: SrcId,
        range: Option<(NodeId, NodeId)>,
    ) {
        let whole = range.is_none();
        let place = Place::from(part.map_or(Base::Array(array), Base::Local));
        let (lo, hi) = range.unwrap_or_else(|| (self.usize_const(0), self.len_of(&place, ExprId(u32::MAX))));
        let name = format!("an element of `{}`", self.arrays[array.index()].name);
        let ty = self.usize_ty();
        let var = LoopVar { name, ty, lo, hi, inclusive: false, adaptors: Vec::new(), local: None };
        let v = self.push_var(var);
        let node = self.var_node(v, ty);
        path.push(Step::Index(node));
        let before = self.ctx;
        self.push_ctx(CtxKind::Loop { var: v, cut: true });
        let at_most = Some(format!("`{}` is used as a whole", self.arrays[array.index()].name));
        // An array that is lent as a whole has no subscript that shows what is written.
        let write = whole && self.arrays[array.index()].written;
        self.touch(Touch {
            array,
            access,
            path,
            write,
            read: true,
            ctx: self.ctx,
            src,
            at_most,
            atomic: false,
            chosen: false,
            first: self.first,
            part,
        });
        self.ctx = before;
    }

    /// Takes in what is touched: where data chooses among subscripts, each of them, under the condition that chooses it.
    fn touch(&mut self, touch: Touch) {
        self.touch_one_of(touch, MOST_CHOICES);
    }

    fn touch_one_of(&mut self, touch: Touch, choices: usize) {
        let indices = touch.path.iter().filter_map(|step| match step {
            Step::Index(n) => Some(*n),
            Step::Field(_) => None,
        });
        let mut chooses = indices.filter_map(|n| self.out.forms.chosen_by_data(n));
        let Some(cond) = chooses.next().filter(|_| choices > 0) else { return self.record_touch(touch) };
        for holds in [true, false] {
            let mut side = |step: &Step| match *step {
                Step::Index(n) => Step::Index(self.out.forms.where_it_is(cond, holds, n)),
                field @ Step::Field(_) => field,
            };
            let path = touch.path.iter().map(&mut side).collect();
            let ctx = self.under_condition(touch.ctx, cond, holds);
            self.touch_one_of(Touch { path, ctx, chosen: true, ..touch.clone() }, choices - 1);
        }
    }

    fn record_touch(&mut self, touch: Touch) {
        let same = |t: &&mut Touch| {
            (t.array, t.access, &t.path, t.ctx, &t.at_most, (t.atomic, t.first, t.part))
                == (
                    touch.array,
                    touch.access,
                    &touch.path,
                    touch.ctx,
                    &touch.at_most,
                    (touch.atomic, touch.first, touch.part),
                )
        };
        match self.out.touches.iter_mut().find(same) {
            Some(t) => {
                t.write |= touch.write;
                t.read |= touch.read;
            }
            None => self.out.touches.push(touch),
        }
    }
}
