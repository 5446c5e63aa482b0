//! Random statements, functions and the kernel around them.
use super::{Options, POINT, PRIMS, ROW, RandomKernel, Rng};
use crate::sketch::{Body, desc};
use omp_ir::analysis::plan::DimValues;
use omp_ir::desc::{Prim, TypeDesc};
use omp_ir::ids::{ArrayId, ExprId, FnId, LabelId, LocalId, ScalarId, SrcId};
use omp_ir::interp::Memory;
use omp_ir::kernel::{Callee, CodeTypes, RegionTypes};
use omp_ir::template::{
    Adaptor, ArrayParam, Base, BinOp, Block, Check, Code, Dim, Expr, FnTemplate, FpMode, KernelTemplate,
    LocalKind, Place, Projection, Range, ReduceOp, Reduction, ScalarParam, Stmt,
};

/// What is being made.
pub(super) struct Gen {
    pub rng: Rng,
    pub options: Options,
    pub s: Body,
    /// Variables that can be read, with their types.
    pub scope: Vec<(LocalId, Prim)>,
    /// Those that can be assigned too.
    mutable: Vec<(LocalId, Prim)>,
    /// Fixed arrays `[i32; 4]`.
    rows: Vec<LocalId>,
    /// Number of arrays that are read.
    pub inputs: usize,
    /// Lengths of the arrays of primitives; none in a function.
    lens: Vec<usize>,
    pub point_len: usize,
    pub row_len: usize,
    labels: u32,
    /// Loops around: statements in deep nests are few.
    nesting: u32,
    functions: Vec<(FnTemplate, CodeTypes, Vec<Prim>, Prim)>,
    pub in_function: bool,
}

/// Makes the kernel.
pub(super) fn kernel(seed: u64, options: Options) -> RandomKernel {
    let mut g = Gen {
        rng: Rng(seed),
        options,
        s: Body::new("random.rs"),
        scope: Vec::new(),
        mutable: Vec::new(),
        rows: Vec::new(),
        inputs: 0,
        lens: Vec::new(),
        point_len: 0,
        row_len: 0,
        labels: 0,
        nesting: 0,
        functions: Vec::new(),
        in_function: true,
    };
    for _ in 0..g.rng.below(3) {
        g.function();
    }
    g.in_function = false;
    g.region()
}

/// Data and parameters of the arrays.
struct Arrays {
    params: Vec<ArrayParam>,
    types: Vec<Option<&'static TypeDesc>>,
    data: Vec<Vec<u8>>,
}

impl Arrays {
    fn add(&mut self, name: String, ty: &'static TypeDesc, data: Vec<u8>, written: bool) -> ArrayId {
        self.params.push(ArrayParam { name, section: false, map: None, written, read: !written });
        self.types.push(Some(ty));
        self.data.push(data);
        ArrayId::new(self.params.len() - 1)
    }
}

impl Gen {
    /// The array of this primitive and its length.
    pub fn input_of(&self, p: Prim) -> Option<(usize, usize)> {
        let i = PRIMS.iter().position(|q| *q == p)?;
        self.lens.get(i).filter(|_| p != Prim::F64 || self.options.f64).map(|&len| (i, len))
    }

    pub fn word(&mut self, p: Prim) -> Vec<u8> {
        let bits = match p {
            Prim::Bool => self.rng.bits() & 1,
            Prim::F32 => f64_to_f32_bits(self.float_sample()),
            Prim::F64 => self.float_sample().to_bits(),
            _ => self.rng.bits() >> self.rng.below(64),
        };
        bits.to_le_bytes()[..p.size()].to_vec()
    }

    fn float_sample(&mut self) -> f64 {
        match self.rng.below(12) {
            0 => f64::NAN,
            1 => f64::INFINITY,
            2 => -0.0,
            3 => -1e300,
            4 => 1e-41,
            _ => (self.rng.below(20001) as f64 - 10000.0) / 128.0,
        }
    }

    fn inputs(&mut self) -> Arrays {
        let mut arrays = Arrays { params: Vec::new(), types: Vec::new(), data: Vec::new() };
        for p in PRIMS {
            let len = 1 + self.rng.below(30);
            self.lens.push(len);
            // Without double precision the array is there, of f32: numbers of arrays stay the same.
            let p = if p == Prim::F64 && !self.options.f64 { Prim::F32 } else { p };
            let data = (0..len).flat_map(|_| self.word(p)).collect();
            arrays.add(format!("x_{}", p.name()), desc(p), data, false);
        }
        self.point_len = 1 + self.rng.below(20);
        let mut data = Vec::new();
        for _ in 0..self.point_len {
            for p in [Prim::F32, Prim::I32, Prim::U8, Prim::U8, Prim::U8, Prim::Bool, Prim::U16] {
                data.extend(self.word(p));
            }
            data.extend([0; 2]);
        }
        arrays.add("points".into(), &POINT, data, false);
        self.row_len = 1 + self.rng.below(20);
        let data = (0..4 * self.row_len).flat_map(|_| self.word(Prim::I32)).collect();
        arrays.add("rows".into(), &ROW, data, false);
        self.inputs = arrays.params.len();
        arrays
    }

    fn region(mut self) -> RandomKernel {
        let n = self.options.iterations;
        let mut arrays = self.inputs();
        let var = self.local(LocalKind::Loop, Some(desc(Prim::Usize)));
        let src = self.s.src();
        let (lo, hi) = (self.s.int(Prim::Usize, 0), self.s.int(Prim::Usize, i128::from(n)));
        let range = Range { lo: Some(lo), hi: Some(hi), inclusive: false, adaptors: Vec::new() };
        self.scope.push((var, Prim::Usize));
        let mut scalars = (Vec::new(), Vec::new());
        for p in [Prim::I32, Prim::U64, Prim::F32] {
            let slot = self.s.slot(Some(desc(p)));
            scalars.0.push(ScalarParam { name: format!("s_{}", p.name()), slot, array: None });
            let word = self.word(p);
            scalars.1.push(word);
            let id = ScalarId::new(scalars.0.len() - 1);
            let value = self.s.scalar(id);
            self.declare(p, value);
        }
        let reductions = self.reductions();
        self.body();
        for p in PRIMS {
            if p == Prim::F64 && !self.options.f64 {
                continue;
            }
            let data = vec![0; n as usize * p.size()];
            let y = arrays.add(format!("y_{}", p.name()), desc(p), data, true);
            let value = self.value(p, 3);
            let at = self.at("y", Base::Array(y).into(), var, true);
            self.s.assign(at, value);
        }
        for r in &reductions {
            self.update(r);
        }
        let (code, types) = self.s.finish();
        let fns = self.functions.into_iter().map(|(f, types, ..)| (f, types)).collect();
        let template = KernelTemplate {
            name: "random".into(),
            arrays: arrays.params,
            scalars: scalars.0,
            dims: vec![Dim { var, range, host: true, src }],
            reductions,
            scan: None,
            inner_scans: false,
            code,
            fp: FpMode::Strict,
            trust_disjoint: Vec::new(),
            check_disjoint: Vec::new(),
            unchecked: Vec::new(),
            unchecked_all: false,
        };
        let dims = vec![Some(DimValues { first: 0, step: 1, count: n })];
        let memory = Memory { arrays: arrays.data, scalars: scalars.1, dims };
        RandomKernel { template, types: RegionTypes { arrays: arrays.types, code: types, fns }, memory }
    }

    fn reductions(&mut self) -> Vec<Reduction> {
        let ops = [
            (ReduceOp::Add, Prim::U32),
            (ReduceOp::Max, Prim::I64),
            (ReduceOp::BitXor, Prim::U8),
            (ReduceOp::Or, Prim::Bool),
            (ReduceOp::Mul, Prim::U64),
            (ReduceOp::Min, Prim::I16),
        ];
        let mut list = Vec::new();
        for (op, p) in ops {
            if self.rng.once_in(3) {
                let local = self.local(LocalKind::Reduction, Some(desc(p)));
                list.push(Reduction::of_local(format!("r_{}", p.name()), op, local));
            }
        }
        list
    }

    /// `r = r op value`, at the end of the iteration.
    fn update(&mut self, r: &Reduction) {
        let (Some(local), Some(op)) = (r.local(), r.op.builtin()) else { return };
        let slot = self.s.code.locals[local.index()].slot.map(|s| self.s.types.slots[s.index()]);
        let Some(Some(TypeDesc::Prim(p))) = slot else { return };
        let value = self.value(*p, 2);
        let old = self.s.get(local);
        let new = match op {
            ReduceOp::Add => self.s.method("wrapping_add", vec![old, value]),
            ReduceOp::Mul => self.s.method("wrapping_mul", vec![old, value]),
            ReduceOp::Min => self.s.method("min", vec![old, value]),
            ReduceOp::Max => self.s.method("max", vec![old, value]),
            ReduceOp::BitAnd | ReduceOp::And => self.s.binary(BinOp::BitAnd, old, value),
            ReduceOp::BitOr | ReduceOp::Or => self.s.binary(BinOp::BitOr, old, value),
            ReduceOp::BitXor => self.s.binary(BinOp::BitXor, old, value),
        };
        self.s.assign(Base::Local(local), new);
    }

    /// `let mut v: p = value;` with a slot, or inferred.
    fn declare(&mut self, p: Prim, value: ExprId) -> LocalId {
        let ty = self.rng.once_in(2).then(|| desc(p));
        let local = self.local(LocalKind::User, ty);
        self.s.push(Stmt::Let { local, init: Some(value) });
        self.scope.push((local, p));
        self.mutable.push((local, p));
        local
    }

    fn body(&mut self) {
        for _ in 0..self.options.statements {
            self.stmt();
        }
    }

    fn block(&mut self, statements: usize) -> Block {
        let marks = (self.scope.len(), self.mutable.len(), self.rows.len());
        self.s.open();
        for _ in 0..statements {
            self.stmt();
        }
        self.scope.truncate(marks.0);
        self.mutable.truncate(marks.1);
        self.rows.truncate(marks.2);
        self.s.close()
    }

    fn stmt(&mut self) {
        let leaf = self.nesting >= 3;
        match self.rng.below(14) {
            0..=2 => {
                let p = self.prim();
                let value = self.value(p, 3);
                self.declare(p, value);
            }
            3 | 4 => self.assign(),
            5 => self.row(),
            6 => self.call(),
            7 if !self.in_function => self.structure(),
            8 if !self.in_function => self.slice(),
            9 | 10 if !leaf => self.branch(),
            11 if !leaf => self.counted(),
            12 if !leaf => self.endless(),
            13 if !leaf => self.labelled(),
            _ => self.assign(),
        }
    }

    fn assign(&mut self) {
        if self.mutable.is_empty() {
            return;
        }
        let (local, p) = self.mutable[self.rng.below(self.mutable.len())];
        let value = self.value(p, 3);
        self.s.assign(Base::Local(local), value);
    }

    /// A fixed array: made, or one element assigned.
    fn row(&mut self) {
        if self.rows.is_empty() || self.rng.once_in(3) {
            let slot = self.s.slot(Some(&ROW));
            let value = if self.rng.once_in(2) {
                let elems = (0..4).map(|_| self.value(Prim::I32, 2)).collect();
                self.s.expr(Expr::Array { slot, elems })
            } else {
                let value = self.value(Prim::I32, 2);
                self.s.expr(Expr::Repeat { slot, value })
            };
            let local = self.bind(value);
            self.rows.push(local);
            return;
        }
        let row = self.rows[self.rng.below(self.rows.len())];
        let value = self.value(Prim::I32, 2);
        let index = self.index(4, 1);
        let at = self.at("row", Base::Local(row).into(), index, true);
        self.s.assign(at, value);
        let index = self.index(4, 1);
        let at = self.at("row", Base::Local(row).into(), index, false);
        let value = self.s.expr(Expr::Load(at));
        self.declare(Prim::I32, value);
    }

    fn call(&mut self) {
        if self.functions.is_empty() || self.in_function {
            return self.option();
        }
        let f = self.rng.below(self.functions.len());
        let (params, ret) = (self.functions[f].2.clone(), self.functions[f].3);
        let args = params.into_iter().map(|p| self.value(p, 2)).collect();
        let callee = Callee::Fn(FnId::new(f));
        let value = self.s.call(&format!("f{f}"), callee, Some(desc(ret)), args);
        self.declare(ret, value);
    }

    /// `if let Some(v) = a.checked_add(b) { … }`, and a struct on the way.
    fn option(&mut self) {
        let p = Prim::I32;
        let args = vec![self.value(p, 1), self.value(p, 1)];
        let name = self.rng.pick(&["checked_add", "checked_mul", "checked_sub"]);
        let option = self.s.method(name, args);
        let option = self.bind(option);
        let value = self.s.get(option);
        let cond = self.s.expr(Expr::IsSome(value));
        let first = self.value(p, 1);
        let result = self.declare(p, first);
        self.s.open();
        let mut payload = Place::from(Base::Local(option));
        payload.projections.push(Projection::Payload);
        let value = self.s.expr(Expr::Load(payload));
        self.s.assign(Base::Local(result), value);
        let then = self.s.close();
        self.s.push(Stmt::If { cond, then, els: Block::default() });
    }

    /// `let mut q = Point { int: …, ..points[k] }; q.at = …;`, then its fields.
    fn structure(&mut self) {
        let points = Base::Array(ArrayId::new(self.inputs - 2)).into();
        let index = self.index(self.point_len, 1);
        let at = self.at("points", points, index, false);
        let rest = self.s.expr(Expr::Load(at));
        let (int, slot) = (self.value(Prim::I32, 2), self.s.slot(Some(&POINT)));
        let fields = vec![("int".to_owned(), int)];
        let value = self.s.expr(Expr::Struct { slot, name: String::new(), fields, rest: Some(rest) });
        let q = self.bind(value);
        let field = |name: &str| {
            let mut at = Place::from(Base::Local(q));
            at.projections.push(Projection::Field(name.to_owned()));
            at
        };
        let value = self.value(Prim::F32, 2);
        self.s.assign(field("at"), value);
        for (name, p) in [("id", Prim::U16), ("at", Prim::F32), ("int", Prim::I32)] {
            let value = self.s.expr(Expr::Load(field(name)));
            self.declare(p, value);
        }
    }

    /// `let row = &x[lo..]; … row[k], row.len()`
    fn slice(&mut self) {
        let p = self.prim();
        let Some((array, len)) = self.input_of(p) else { return };
        let base = Place::from(Base::Array(ArrayId::new(array)));
        // One element at least: the index is taken modulo the length of the rest.
        let lo = self.index(len, 1);
        let access = self.s.access("slice", (true, false));
        let (checked, used, src) = (self.s.get(lo), self.s.get(lo), self.s.src());
        let check = Check::Slice { access, base: base.clone(), lo: Some(checked), hi: None, last: None };
        self.s.push(Stmt::Check { check, src });
        let slice =
            self.s.expr(Expr::Slice { base, lo: Some(used), hi: None, access: Some(access), mutable: false });
        let row = self.local(LocalKind::Slice, None);
        self.s.push(Stmt::Let { local: row, init: Some(slice) });
        let size = self.s.expr(Expr::Len(Base::Local(row).into()));
        let size = self.declare(Prim::Usize, size);
        let (size, one) = (self.s.get(size), self.s.int(Prim::Usize, 1));
        let last = self.s.binary(BinOp::Sub, size, one);
        let last = self.bind(last);
        let at = self.at("row", Base::Local(row).into(), last, false);
        let value = self.s.expr(Expr::Load(at));
        self.declare(p, value);
    }

    fn branch(&mut self) {
        let cond = self.value(Prim::Bool, 2);
        self.nesting += 1;
        let (a, b) = (1 + self.rng.below(3), self.rng.below(3));
        let (then, els) = (self.block(a), self.block(b));
        self.nesting -= 1;
        self.s.push(Stmt::If { cond, then, els });
    }

    pub fn local(&mut self, kind: LocalKind, ty: Option<&'static TypeDesc>) -> LocalId {
        let name = format!("v{}", self.s.code.locals.len());
        self.s.local(&name, kind, ty)
    }

    /// `let v = init;`
    pub fn bind(&mut self, init: ExprId) -> LocalId {
        let local = self.local(LocalKind::Temp, None);
        self.s.declare(local, Some(init));
        local
    }

    /// The place `base[index]` with its check before it.
    pub fn at(&mut self, name: &str, base: Place, index: LocalId, write: bool) -> Place {
        self.s.at(base, name, (!write, write), |s| s.get(index))
    }

    fn label(&mut self) -> LabelId {
        self.labels += 1;
        LabelId(self.labels)
    }

    /// `if cond { leave }`
    fn leave(&mut self, leave: Stmt) {
        let cond = self.value(Prim::Bool, 2);
        self.s.push(Stmt::If { cond, then: Block(vec![leave]), els: Block::default() });
    }

    fn counted(&mut self) {
        let (label, src): (_, SrcId) = (self.label(), self.s.src());
        let p = self.rng.pick(&[Prim::I32, Prim::Usize, Prim::U8, Prim::I64]);
        let start = if p.is_signed() { self.rng.below(9) as i128 - 4 } else { self.rng.below(5) as i128 };
        let end = start + self.rng.below(5) as i128;
        let (lo, hi) = (self.s.int(p, start), self.s.int(p, end));
        let mut adaptors = Vec::new();
        for _ in 0..self.rng.below(3) {
            adaptors.push(if self.rng.once_in(2) {
                Adaptor::Rev
            } else {
                let step = 1 + self.rng.below(3) as i128;
                Adaptor::StepBy(Some(self.s.int(Prim::Usize, step)))
            });
        }
        let ty = self.rng.once_in(2).then(|| desc(p));
        let var = self.local(LocalKind::Loop, ty);
        let range = Range { lo: Some(lo), hi: Some(hi), inclusive: self.rng.once_in(3), adaptors };
        self.nesting += 1;
        let marks = (self.scope.len(), self.mutable.len(), self.rows.len());
        self.s.open();
        self.scope.push((var, p));
        self.stmt();
        let leave = if self.rng.once_in(2) { Stmt::Break(label) } else { Stmt::Continue(label) };
        self.leave(leave);
        self.stmt();
        self.scope.truncate(marks.0);
        self.mutable.truncate(marks.1);
        self.rows.truncate(marks.2);
        let body = self.s.close();
        self.nesting -= 1;
        self.s.push(Stmt::For { label, var, range, body, src });
    }

    /// `loop` with a counter that ends it.
    fn endless(&mut self) {
        let label = self.label();
        let zero = self.s.int(Prim::U32, 0);
        // Not in scope: nothing else may touch the counter.
        let counter = self.local(LocalKind::User, Some(desc(Prim::U32)));
        self.s.push(Stmt::Let { local: counter, init: Some(zero) });
        self.nesting += 1;
        let marks = (self.scope.len(), self.mutable.len(), self.rows.len());
        self.s.open();
        let (n, most) = (self.s.get(counter), 1 + self.rng.below(4) as i128);
        let most = self.s.int(Prim::U32, most);
        let cond = self.s.binary(BinOp::Ge, n, most);
        self.s.push(Stmt::If { cond, then: Block(vec![Stmt::Break(label)]), els: Block::default() });
        let (n, one) = (self.s.get(counter), self.s.int(Prim::U32, 1));
        let next = self.s.binary(BinOp::Add, n, one);
        self.s.assign(Base::Local(counter), next);
        self.stmt();
        self.leave(Stmt::Continue(label));
        self.stmt();
        self.scope.truncate(marks.0);
        self.mutable.truncate(marks.1);
        self.rows.truncate(marks.2);
        let body = self.s.close();
        self.nesting -= 1;
        self.s.push(Stmt::Loop { label, body });
    }

    fn labelled(&mut self) {
        let label = self.label();
        self.nesting += 1;
        let marks = (self.scope.len(), self.mutable.len(), self.rows.len());
        self.s.open();
        self.stmt();
        self.leave(Stmt::Break(label));
        self.stmt();
        self.scope.truncate(marks.0);
        self.mutable.truncate(marks.1);
        self.rows.truncate(marks.2);
        let body = self.s.close();
        self.nesting -= 1;
        self.s.push(Stmt::Labelled { label, body });
    }

    /// A device function of primitives.
    fn function(&mut self) {
        let params: Vec<Prim> = (0..1 + self.rng.below(3)).map(|_| self.prim()).collect();
        let ret = self.prim();
        let mut locals = Vec::new();
        for &p in &params {
            let local = self.local(LocalKind::User, Some(desc(p)));
            self.scope.push((local, p));
            self.mutable.push((local, p));
            locals.push(local);
        }
        self.stmt();
        let early = self.value(ret, 2);
        self.leave(Stmt::Return(Some(early)));
        self.stmt();
        let last = self.value(ret, 3);
        self.s.push(Stmt::Return(Some(last)));
        let slot = self.s.slot(Some(desc(ret)));
        let (code, types): (Code, CodeTypes) =
            std::mem::replace(&mut self.s, Body::new("random.rs")).finish();
        let name = format!("f{}", self.functions.len());
        let template = FnTemplate { name, params: locals, ret: Some(slot), code };
        self.functions.push((template, types, params, ret));
        self.scope.clear();
        self.mutable.clear();
        self.rows.clear();
    }
}

fn f64_to_f32_bits(v: f64) -> u64 {
    u64::from((v as f32).to_bits())
}
