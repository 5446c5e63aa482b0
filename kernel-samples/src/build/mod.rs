//! Templates and kernels by hand, for tests.
//!
//! ```
//! use kernel_samples::build::{Region, F32, USIZE, int};
//! let mut r = Region::new("saxpy");
//! let (x, y) = (r.array("x", &F32), r.array("y", &F32));
//! let n = r.scalar("n", &USIZE);
//! let i = r.dim("i", int(0)..n);
//! r.set(y.at(&i), x.at(&i) * 2.0 + y.at(&i));
//! let (template, types) = r.finish();
//! # let _ = (template, types);
//! ```
//!
//! [`X`] is an expression: a variable, an element, a number, and what operators and methods make of them. A
//! statement adds it to the arenas, with the checks that the rules of [`omp_ir::template`] require. Integer
//! literals take the type of what they are combined with, `usize` if that is nothing.
mod expr;
mod lay;

pub use expr::{
    BOOL, Counted, Desc, F32, F64, I8, I16, I32, I64, ISIZE, Part, U8, U16, U32, U64, USIZE, X, array_of,
    count, int, prim,
};

use expr::mentions_local;
use omp_ir::desc::Prim;
use omp_ir::ids::{ArrayId, ConstId, FnId, LabelId, LocalId, ScalarId, SlotId, SrcId};
use omp_ir::kernel::{
    BoundsVerdict, Callee, CodeTypes, ConstValue, DeclaredOperator, Kernel, RegionTypes, Ty, TypedCode,
    TypedFn, Types,
};
use omp_ir::method::Method;
use omp_ir::template::{
    Adaptor, ArrayParam, Base, Block, Check, Code, Combiner, ConstParam, Dim, FnTemplate, FpMode, Inner,
    InnerReduction, KernelTemplate, Level, Local, LocalKind, Range, ReduceOp, Reduction, ReductionItem,
    ScalarParam, Scan, Src, Stmt, UnOp,
};
use std::collections::BTreeSet;

/// A region under construction. Statements go to the innermost open block.
#[derive(Debug, Clone)]
pub struct Region {
    template: KernelTemplate,
    types: RegionTypes,
    expr_ty: Vec<Desc>,
    local_ty: Vec<Desc>,
    blocks: Vec<Vec<Stmt>>,
    labels: u32,
    /// Items of inner nests so far.
    inner_items: u32,
    /// Device functions, with their parameters and results.
    functions: Vec<(Region, Vec<LocalId>, Desc)>,
}

impl Region {
    /// An empty region.
    #[must_use]
    pub fn new(name: &str) -> Self {
        let template = KernelTemplate {
            name: name.into(),
            arrays: Vec::new(),
            scalars: Vec::new(),
            dims: Vec::new(),
            reductions: Vec::new(),
            scan: None,
            inner_scans: false,
            code: Code::default(),
            fp: FpMode::Contract,
            trust_disjoint: Vec::new(),
            check_disjoint: Vec::new(),
            unchecked: Vec::new(),
            unchecked_all: false,
        };
        let types = RegionTypes::default();
        let (expr_ty, local_ty) = (Vec::new(), Vec::new());
        Self {
            template,
            types,
            expr_ty,
            local_ty,
            blocks: vec![Vec::new()],
            labels: 0,
            inner_items: 0,
            functions: Vec::new(),
        }
    }

    /// The template so far, for what has no method here.
    pub fn template(&mut self) -> &mut KernelTemplate {
        &mut self.template
    }

    pub(super) fn slot(&mut self, ty: Desc) -> SlotId {
        self.types.code.slots.push(Some(ty));
        self.template.code.slots += 1;
        SlotId::new(self.types.code.slots.len() - 1)
    }

    pub(super) fn src(&mut self) -> SrcId {
        let srcs = &mut self.template.code.srcs;
        srcs.push(Src { line: u32::try_from(srcs.len()).expect("small") + 1, column: 1 });
        SrcId::new(srcs.len() - 1)
    }

    /// A mapped array with elements of that type.
    pub fn array(&mut self, name: &str, elem: Desc) -> X {
        self.template.arrays.push(ArrayParam {
            name: name.into(),
            section: false,
            map: None,
            written: false,
            read: false,
        });
        self.types.arrays.push(Some(elem));
        X::Place(Base::Array(ArrayId::new(self.types.arrays.len() - 1)), Vec::new())
    }

    /// A captured scalar.
    pub fn scalar(&mut self, name: &str, ty: Desc) -> X {
        let slot = self.slot(ty);
        self.template.scalars.push(ScalarParam { name: name.into(), slot, array: None });
        X::Place(Base::Scalar(ScalarId::new(self.template.scalars.len() - 1)), Vec::new())
    }

    /// A `usize` const.
    pub fn konst(&mut self, name: &str, value: usize) -> X {
        let slot = self.slot(&USIZE);
        self.template.code.consts.push(ConstParam { name: name.into(), slot });
        self.types.code.consts.push(ConstValue { ty: &USIZE, bytes: value.to_ne_bytes().to_vec() });
        X::Place(Base::Const(ConstId::new(self.types.code.consts.len() - 1)), Vec::new())
    }

    /// A const array of `f32`.
    pub fn table(&mut self, name: &str, values: &[f32]) -> X {
        let ty = array_of(&F32, values.len());
        let slot = self.slot(ty);
        self.template.code.consts.push(ConstParam { name: name.into(), slot });
        let bytes = values.iter().flat_map(|v| v.to_ne_bytes()).collect();
        self.types.code.consts.push(ConstValue { ty, bytes });
        X::Place(Base::Const(ConstId::new(self.types.code.consts.len() - 1)), Vec::new())
    }

    fn local(&mut self, name: &str, kind: LocalKind, ty: Desc, mutable: bool) -> X {
        let slot = match kind {
            LocalKind::Slice | LocalKind::Ref => None,
            _ => Some(self.slot(ty)),
        };
        self.template.code.locals.push(Local { name: name.into(), kind, slot, mutable });
        self.local_ty.push(ty);
        X::Place(Base::Local(LocalId::new(self.local_ty.len() - 1)), Vec::new())
    }

    /// A parallel loop (collapsed with those before). It is the host's unless its bounds name a loop variable.
    pub fn dim(&mut self, name: &str, range: impl Into<Counted>) -> X {
        let range = range.into();
        let host = ![&range.lo, &range.hi].into_iter().any(mentions_local);
        let (range, ty) = self.range(range);
        let var = self.local(name, LocalKind::Loop, ty, false);
        let src = self.src();
        self.template.dims.push(Dim { var: var.local(), range, host, src });
        var
    }

    /// Whether a launch gives the values of a parallel loop.
    #[must_use]
    pub fn is_host(&self, dim: usize) -> bool {
        self.template.dims[dim].host
    }

    fn range(&mut self, r: Counted) -> (Range, Desc) {
        let ty = self.type_of(&r.lo).or_else(|| self.type_of(&r.hi)).unwrap_or(&USIZE);
        let (lo, hi) = (self.lay(&r.lo, ty), self.lay(&r.hi, ty));
        let adaptors = r.adaptors.iter().map(|a| match a {
            None => Adaptor::Rev,
            Some(s) => Adaptor::StepBy(Some(self.lay(s, &USIZE))),
        });
        let adaptors = adaptors.collect();
        (Range { lo: Some(lo), hi: Some(hi), inclusive: r.inclusive, adaptors }, ty)
    }

    pub(super) fn push(&mut self, stmt: Stmt) {
        self.blocks.last_mut().expect("a block is open").push(stmt);
    }

    fn in_block(&mut self, f: impl FnOnce(&mut Self)) -> Block {
        self.blocks.push(Vec::new());
        f(self);
        Block(self.blocks.pop().expect("it was opened"))
    }

    /// `let name = value;`
    pub fn let_(&mut self, name: &str, value: impl Into<X>) -> X {
        self.declare(name, &value.into(), false)
    }

    /// `let mut name = value;`
    pub fn let_mut(&mut self, name: &str, value: impl Into<X>) -> X {
        self.declare(name, &value.into(), true)
    }

    fn declare(&mut self, name: &str, value: &X, mutable: bool) -> X {
        let ty = self.type_of(value).unwrap_or(&USIZE);
        let kind = if matches!(value, X::Slice(..)) { LocalKind::Slice } else { LocalKind::User };
        let init = self.lay(value, ty);
        let var = self.local(name, kind, ty, mutable);
        self.push(Stmt::Let { local: var.local(), init: Some(init) });
        var
    }

    /// `let mut name: ty;` without a value.
    pub fn uninit(&mut self, name: &str, ty: Desc) -> X {
        let var = self.local(name, LocalKind::User, ty, true);
        self.push(Stmt::Let { local: var.local(), init: None });
        var
    }

    /// `place = value;`
    pub fn set(&mut self, place: impl Into<X>, value: impl Into<X>) {
        let X::Place(base, parts) = place.into() else { panic!("only a place can be assigned") };
        let ty = self.place_ty(base, &parts);
        let value = self.lay(&value.into(), ty);
        let place = self.place(base, &parts, true);
        if let Base::Array(a) = base {
            self.template.arrays[a.index()].written = true;
        }
        let src = self.src();
        self.push(Stmt::Assign { place, value, src });
    }

    /// A call for its effects.
    pub fn eval(&mut self, x: impl Into<X>) {
        let x = x.into();
        let ty = self.type_of(&x).unwrap_or(&USIZE);
        let e = self.lay(&x, ty);
        self.push(Stmt::Eval(e));
    }

    /// `if cond { then }`
    pub fn if_(&mut self, cond: impl Into<X>, then: impl FnOnce(&mut Self)) {
        self.if_else(cond, then, |_| {});
    }

    /// `if cond { then } else { els }`
    pub fn if_else(&mut self, cond: impl Into<X>, then: impl FnOnce(&mut Self), els: impl FnOnce(&mut Self)) {
        let cond = self.lay(&cond.into(), &BOOL);
        let (then, els) = (self.in_block(then), self.in_block(els));
        self.push(Stmt::If { cond, then, els });
    }

    fn label(&mut self) -> LabelId {
        self.labels += 1;
        LabelId(self.labels - 1)
    }

    /// `for name in range { body }`; the body gets the variable and the label.
    pub fn for_(&mut self, name: &str, range: impl Into<Counted>, body: impl FnOnce(&mut Self, X, LabelId)) {
        let (range, ty) = self.range(range.into());
        let (label, src) = (self.label(), self.src());
        let var = self.local(name, LocalKind::Loop, ty, false);
        let body = self.in_block(|r| body(r, var.clone(), label));
        self.push(Stmt::For { label, var: var.local(), range, body, src });
    }

    /// An item of the region's reduction.
    pub fn reduced(&mut self, name: &str, op: ReduceOp, ty: Desc) -> X {
        let var = self.local(name, LocalKind::Reduction, ty, true);
        self.template.reductions.push(Reduction {
            name: name.into(),
            op: Combiner::Builtin(op),
            item: ReductionItem::Local(var.local()),
            start: None,
            turned: false,
            reproducible: false,
        });
        var
    }

    /// A nest whose `loops` outermost loops are parallel: the one `for_` that `nest` writes. It reduces `items`: in the
    /// nest each stands for its own copy, under the name that `nest` gets.
    pub fn inner(
        &mut self,
        level: Level,
        loops: u32,
        items: &[(ReduceOp, &X)],
        nest: impl FnOnce(&mut Self, &[X]),
    ) {
        let (mut reductions, mut copies) = (Vec::new(), Vec::new());
        for (op, item) in items {
            let target = item.local();
            let ty = self.local_ty[target.index()];
            let copy = self.local("copy", LocalKind::Reduction, ty, true);
            let (op, number) = (Combiner::Builtin(*op), self.inner_items);
            self.inner_items += 1;
            reductions.push(InnerReduction { op, number, turned: false, local: copy.local(), target });
            copies.push(copy);
        }
        let src = self.src();
        let body = self.in_block(|r| nest(r, &copies));
        let lasts = Vec::new();
        let (in_place, arrays) = (false, Vec::new());
        let (threads, when) = (None, None);
        self.push(Stmt::Inner(Inner {
            level,
            loops,
            threads,
            when,
            reductions,
            in_place,
            arrays,
            lasts,
            searches: Vec::new(),
            body,
            src,
        }));
    }

    /// `while cond { body }`
    pub fn while_(&mut self, cond: impl Into<X>, body: impl FnOnce(&mut Self, LabelId)) {
        let label = self.label();
        let cond = cond.into();
        let body = self.in_block(|r| {
            let not = r.lay(&X::Un(UnOp::Not, Box::new(cond)), &BOOL);
            r.push(Stmt::If { cond: not, then: Block(vec![Stmt::Break(label)]), els: Block(Vec::new()) });
            body(r, label);
        });
        self.push(Stmt::Loop { label, body });
    }

    /// `while first && second`, where the second condition has checks.
    pub fn while_both(
        &mut self,
        first: impl Into<X>,
        second: impl Into<X>,
        body: impl FnOnce(&mut Self, LabelId),
    ) {
        let label = self.label();
        let (first, second) = (first.into(), second.into());
        let body = self.in_block(|r| {
            let both = r.let_mut("both", first);
            r.if_(&both, |r| r.set(&both, second));
            let not = r.lay(&X::Un(UnOp::Not, Box::new(both)), &BOOL);
            r.push(Stmt::If { cond: not, then: Block(vec![Stmt::Break(label)]), els: Block(Vec::new()) });
            body(r, label);
        });
        self.push(Stmt::Loop { label, body });
    }

    /// `break 'label;`
    pub fn break_(&mut self, label: LabelId) {
        self.push(Stmt::Break(label));
    }

    /// `continue 'label;`
    pub fn continue_(&mut self, label: LabelId) {
        self.push(Stmt::Continue(label));
    }

    /// `continue` of the parallel loop.
    pub fn ret(&mut self) {
        self.push(Stmt::Return(None));
    }

    /// `assert!(cond);`
    pub fn assert(&mut self, cond: impl Into<X>) {
        self.if_else(
            cond,
            |_| {},
            |r| {
                let src = r.src();
                r.push(Stmt::Check {
                    check: Check::Panic {
                        access: None,
                        message: "assertion failed".into(),
                        args: Vec::new(),
                    },
                    src,
                });
            },
        );
    }

    /// A by-value parameter of a [`function`](Self::function).
    pub fn param(&mut self, name: &str, ty: Desc) -> X {
        self.local(name, LocalKind::User, ty, false)
    }

    /// `return value;` in a function.
    pub fn give(&mut self, value: impl Into<X>, ty: Desc) {
        let value = self.lay(&value.into(), ty);
        self.push(Stmt::Return(Some(value)));
    }

    /// A device function, of what has been written, and what rustc would say of it.
    #[must_use]
    pub fn function(mut self, params: &[&X], ret: Desc) -> (FnTemplate, CodeTypes) {
        let params = params.iter().map(|p| p.local()).collect();
        let (name, ret) = (self.template.name.clone(), Some(self.slot(ret)));
        let (template, types) = self.finish();
        (FnTemplate { name, params, ret, code: template.code }, types.code)
    }

    /// Takes in a function that statements [call](Self::call_fn).
    pub fn declare_function(&mut self, function: Self, params: &[&X], ret: Desc) -> FnId {
        let id = FnId::new(self.types.fns.len());
        assert_eq!(id.index(), self.functions.len(), "reductions by functions come last");
        self.types.fns.push(function.clone().function(params, ret));
        self.functions.push((function, params.iter().map(|p| p.local()).collect(), ret));
        id
    }

    /// `let called = f(args);`
    pub fn call_fn(&mut self, f: FnId, args: &[X], ret: Desc) -> X {
        let args = args.iter().map(|a| self.lay(a, &USIZE)).collect();
        let value = self.lay_call("f", args, false, ret);
        *self.types.code.calls.last_mut().expect("it was laid down") = Callee::Fn(f);
        let called = self.local("called", LocalKind::Temp, ret, false);
        self.push(Stmt::Let { local: called.local(), init: Some(value) });
        called
    }

    /// Reduces the last item by a function of its own instead of the operator.
    pub fn by_function(&mut self, (template, types): (FnTemplate, CodeTypes), identity: ConstValue) {
        let item = self.template.reductions.last_mut().expect("there is an item");
        item.op = Combiner::Declared(template.name.clone());
        let function = FnId::new(self.types.fns.len());
        self.types.fns.push((template, types));
        self.types.code.operators.resize(self.template.reductions.len() - 1, None);
        self.types.code.operators.push(Some(DeclaredOperator { function, identity }));
    }

    /// The value that the last item has before the loop, for scans.
    pub fn starting_at(&mut self, scalar: &X) {
        let X::Place(Base::Scalar(scalar), _) = scalar else { panic!("a scalar") };
        self.template.reductions.last_mut().expect("there is an item").start = Some(*scalar);
    }

    /// Makes this a scan of all items: what a part adds up to, what the first iteration starts from, and an iteration.
    pub fn scan(
        &mut self,
        items: &[&X],
        fold: impl FnOnce(&mut Self),
        seed: impl FnOnce(&mut Self),
        rest: impl FnOnce(&mut Self),
    ) {
        let (before, first) = (self.label(), self.label());
        self.template.scan = Some(Scan { fold: before, seed: first });
        let body = self.in_block(|r| {
            let kept: Vec<X> = items.iter().map(|item| r.let_("kept", *item)).collect();
            fold(r);
            items.iter().zip(&kept).for_each(|(item, kept)| r.set(*item, kept));
        });
        self.push(Stmt::Labelled { label: before, body });
        let body = self.in_block(seed);
        self.push(Stmt::Labelled { label: first, body });
        rest(self);
    }

    /// The template and what rustc would say of it.
    #[must_use]
    pub fn finish(mut self) -> (KernelTemplate, RegionTypes) {
        self.template.code.block = Block(self.blocks.pop().expect("the outermost block"));
        self.types.code.file = "test.rs";
        (self.template, self.types)
    }

    /// The typed kernel, with the types that the builder knows and every check in place: without finalisation.
    #[must_use]
    pub fn kernel(mut self) -> Kernel {
        let functions = std::mem::take(&mut self.functions);
        let mut types = Types::default();
        let (template, given, body) = self.typed(&mut types);
        let mut intern = |d: &Desc| types.intern_desc(d);
        let array_ty = given.arrays.iter().map(|a| intern(&a.expect("known"))).collect();
        let slot = |s: &SlotId| given.code.slots[s.index()].expect("known");
        let scalar_ty = template.scalars.iter().map(|s| intern(&slot(&s.slot))).collect();
        let fns = functions.into_iter().map(|(f, params, ret)| {
            let (template, given, body) = f.typed(&mut types);
            let ret_slot = Some(SlotId::new(given.code.slots.len()));
            let template = FnTemplate { name: template.name, params, ret: ret_slot, code: template.code };
            TypedFn { template, body, ret: types.intern_desc(ret) }
        });
        let fns = fns.collect();
        Kernel {
            template,
            types,
            array_ty,
            scalar_ty,
            body,
            fns,
            reducers: Vec::new(),
            inner_reducers: Vec::new(),
        }
    }

    /// The code, with the types that the builder knows.
    fn typed(self, types: &mut Types) -> (KernelTemplate, RegionTypes, TypedCode) {
        let (expr_desc, local_desc) = (self.expr_ty.clone(), self.local_ty.clone());
        let slices: Vec<_> = self.template.code.locals.iter().map(|l| l.kind == LocalKind::Slice).collect();
        let (template, given) = self.finish();
        let mut intern = |d: &Desc| types.intern_desc(d);
        let expr_ty = expr_desc.iter().map(&mut intern).collect();
        let mut local_ty: Vec<_> = local_desc.iter().map(&mut intern).collect();
        let const_ty = given.code.consts.iter().map(|c| intern(&c.ty)).collect();
        for (ty, _) in local_ty.iter_mut().zip(slices).filter(|(_, slice)| *slice) {
            *ty = types.intern(Ty::Slice(*ty));
        }
        let body = TypedCode {
            expr_ty,
            local_ty,
            const_ty,
            methods: template
                .code
                .calls
                .iter()
                .map(|c| Method::parse(&c.name, &Ty::Prim(Prim::Usize), 2))
                .collect(),
            bounds: vec![BoundsVerdict::Residual; template.code.accesses.len()],
            carried: Vec::new(),
            unrolled: BTreeSet::new(),
            code: template.code.clone(),
            consts: given.code.consts.clone(),
            calls: given.code.calls.clone(),
            file: given.code.file,
            overflow_checks: false,
        };
        (template, given, body)
    }
}
