//! Runs a region's iterations one after the other, and records what each accesses.
use omp_ir::analysis::plan::DimValues;
use omp_ir::desc::Prim;
use omp_ir::ids::{AccessId, ExprId, FnId, LocalId};
use omp_ir::kernel::{Callee, Kernel, TypedCode};
use omp_ir::template::{Adaptor, Base, BinOp, Block, Check, Expr, Place, Projection, Range, Stmt, UnOp};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn is_signed(ty: Prim) -> bool {
    matches!(ty, Prim::I8 | Prim::I32 | Prim::I64)
}

fn is_arithmetic(op: BinOp) -> bool {
    matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Rem)
}

/// An array and the subscripts.
pub(super) type Element = (usize, Vec<i128>);

/// Iterations that wrote an element, and that read it.
type Touches = (BTreeSet<usize>, BTreeSet<usize>);

/// The most statements of a program that is enumerated.
const MOST_STEPS: u64 = 100_000;

/// What an execution did.
#[derive(Debug, Default)]
pub(super) struct Trace {
    /// Subscripts that were out of bounds.
    pub failed: BTreeSet<AccessId>,
    pub touched: BTreeMap<Element, Touches>,
    /// By dimension: the most iterations that it had.
    pub counts: Vec<u64>,
    pub iterations: usize,
    /// An element that two iterations of an inner nest touched, one of them writing.
    pub inner: Option<Element>,
    /// Subscripts that were made of a number beyond 32 bits.
    pub wide: BTreeSet<AccessId>,
    /// Bounds of loops in the body were.
    pub wide_loops: bool,
    /// A loop, or all of it, was too long to be run.
    pub endless: bool,
    steps: u64,
}

/// Runs all iterations, one after the other, and goes on where Rust would panic.
pub(super) struct Machine<'a> {
    kernel: &'a Kernel,
    /// The body that is being run: the region's or a function's.
    body: &'a TypedCode,
    scalars: &'a [i128],
    lens: &'a [u64],
    locals: Vec<i128>,
    returned: i128,
    trace: Trace,
    nest: Option<Nest>,
    /// There was a number beyond 32 bits.
    wide: bool,
}

/// An inner nest that is being run.
#[derive(Debug, Default)]
struct Nest {
    /// How many of its loops come next.
    loops: u32,
    iteration: usize,
    touched: BTreeMap<Element, Touches>,
}

enum Flow {
    On,
    Leave(Option<omp_ir::ids::LabelId>),
}

impl<'a> Machine<'a> {
    fn ty(&self, e: ExprId) -> Prim {
        self.kernel.types.prim(self.body.expr_ty[e.index()]).expect("a number")
    }

    pub(super) fn wrap(v: i128, ty: Prim) -> i128 {
        match ty {
            Prim::I8 => (v as i8).into(),
            Prim::I32 => (v as i32).into(),
            Prim::I64 => (v as i64).into(),
            Prim::U8 => (v as u8).into(),
            Prim::U32 => (v as u32).into(),
            Prim::U64 | Prim::Usize => (v as u64).into(),
            Prim::Bool | Prim::F32 => v,
            _ => panic!("not used here"),
        }
    }

    fn eval(&mut self, e: ExprId) -> i128 {
        let ty = self.ty(e);
        let body = self.body;
        let v = match &body.code.exprs[e.index()].expr {
            Expr::Int { value, negative, ty: _ } => {
                i128::try_from(*value).unwrap() * if *negative { -1 } else { 1 }
            }
            Expr::Bool(b) => i128::from(*b),
            // Of floats nothing is known but that every condition on them may hold.
            Expr::Float { .. } => 0,
            Expr::Binary(op, a, _) if self.ty(*a) == Prim::F32 => i128::from(!is_arithmetic(*op)),
            Expr::Load(place) => self.load(place),
            Expr::Unary(UnOp::Not, a) => 1 - self.eval(*a),
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.eval(*a), self.eval(*b));
                match op {
                    BinOp::Add => a + b,
                    BinOp::Sub => a - b,
                    BinOp::Mul => a.wrapping_mul(b),
                    BinOp::Div => a / b,
                    BinOp::Rem => a % b,
                    BinOp::And | BinOp::BitAnd => a & b,
                    BinOp::Or | BinOp::BitOr => a | b,
                    BinOp::BitXor => a ^ b,
                    BinOp::Shl => a << b,
                    BinOp::Shr => a >> b,
                    BinOp::Lt => i128::from(a < b),
                    BinOp::Le => i128::from(a <= b),
                    BinOp::Gt => i128::from(a > b),
                    BinOp::Ge => i128::from(a >= b),
                    BinOp::Eq => i128::from(a == b),
                    BinOp::Ne => i128::from(a != b),
                }
            }
            Expr::Cast { value, ty: _ } => self.eval(*value),
            Expr::Call { call, args } if body.calls[call.index()] != Callee::Builtin => {
                let Callee::Fn(f) = body.calls[call.index()] else { unreachable!("seen") };
                self.call(f, args)
            }
            Expr::Call { call, args } => {
                let (a, b) = (self.eval(args[0]), self.eval(args[1]));
                let limit = |v: i128| {
                    let bits = ty.size() * 8;
                    let (lo, hi) = if is_signed(ty) {
                        (-(1i128 << (bits - 1)), 1i128 << (bits - 1))
                    } else {
                        (0, 1i128 << bits)
                    };
                    v.clamp(lo, hi - 1)
                };
                match body.code.calls[call.index()].name.as_str() {
                    "min" => a.min(b),
                    "max" => a.max(b),
                    "saturating_sub" => limit(a - b),
                    "saturating_add" => limit(a + b),
                    "wrapping_sub" => a - b,
                    "wrapping_add" => a + b,
                    "wrapping_mul" => a.wrapping_mul(b),
                    "abs_diff" => (a - b).abs(),
                    "rem_euclid" => a.rem_euclid(b),
                    "div_euclid" => a.div_euclid(b),
                    "clamp" => a.clamp(b, self.eval(args[2])),
                    _ => panic!("not used here"),
                }
            }
            other => panic!("not used here: {other:?}"),
        };
        let value = Self::wrap(v, ty);
        // Sums and products that wrap have the same low bits in 32 bits.
        self.wide |= [value, Self::wrap(value, Prim::I64)].iter().all(|v| i32::try_from(*v).is_err());
        value
    }

    /// The result of a function.
    fn call(&mut self, f: FnId, args: &[ExprId]) -> i128 {
        let args: Vec<i128> = args.iter().map(|a| self.eval(*a)).collect();
        let f = &self.kernel.fns[f.index()];
        let outer = std::mem::replace(&mut self.body, &f.body);
        let locals = std::mem::replace(&mut self.locals, vec![0; f.body.code.locals.len()]);
        for (param, arg) in f.template.params.iter().zip(args) {
            self.locals[param.index()] = arg;
        }
        self.block(&f.body.code.block);
        (self.body, self.locals) = (outer, locals);
        self.returned
    }

    fn touch(&mut self, element: Element, write: bool) {
        let both = |t: &mut Touches, now| {
            if write {
                t.0.insert(now)
            } else {
                t.1.insert(now)
            };
        };
        if let Some(nest) = &mut self.nest {
            both(nest.touched.entry(element.clone()).or_default(), nest.iteration);
        }
        both(self.trace.touched.entry(element).or_default(), self.trace.iterations);
    }

    fn element(&mut self, place: &Place) -> Option<Vec<i128>> {
        let Base::Array(a) = place.base else { return None };
        let mut element = Vec::new();
        for (k, p) in place.projections.iter().enumerate() {
            let Projection::Index { index, access: _ } = p else { panic!("not used here") };
            let (i, len) = (self.eval(*index), if k == 0 { self.lens[a.index()].into() } else { 3 });
            if i >= len {
                return None;
            }
            element.push(i);
        }
        Some(element)
    }

    fn load(&mut self, place: &Place) -> i128 {
        match place.base {
            Base::Local(l) => self.locals[l.index()],
            Base::Scalar(s) => self.scalars[s.index()],
            Base::Array(a) => {
                let Some(at) = self.element(place) else { return 0 };
                // No iteration writes `x`.
                let value = if a.index() == 1 { (at[0] * 7 + 5) % 11 % 6 } else { 0 };
                self.touch((a.index(), at), false);
                value
            }
            Base::Const(_) => panic!("not used here"),
        }
    }

    fn values(&mut self, range: &Range, var: LocalId) -> Vec<i128> {
        let (lo, hi) = (self.eval(range.lo.unwrap()), self.eval(range.hi.unwrap()));
        self.trace.endless |= hi - lo > 1000;
        let end = if hi - lo > 1000 { lo } else { hi + i128::from(range.inclusive) };
        let mut values: Vec<i128> = (lo..end).collect();
        for a in &range.adaptors {
            match a {
                Adaptor::Rev => values.reverse(),
                Adaptor::StepBy(s) => {
                    let s = usize::try_from(self.eval(s.unwrap())).unwrap();
                    values = values.into_iter().step_by(s).collect();
                }
            }
        }
        let _ = var;
        values
    }

    fn dims(&mut self, d: usize) {
        let Some(dim) = self.kernel.template.dims.get(d) else {
            self.block(&self.kernel.body.code.block);
            self.trace.iterations += 1;
            return;
        };
        let values = self.values(&dim.range, dim.var);
        self.trace.counts[d] = self.trace.counts[d].max(values.len() as u64);
        for v in values {
            if self.trace.endless {
                return;
            }
            self.locals[dim.var.index()] = v;
            self.dims(d + 1);
        }
    }

    fn block(&mut self, block: &Block) -> Flow {
        for stmt in &block.0 {
            if let Flow::Leave(l) = self.stmt(stmt) {
                return Flow::Leave(l);
            }
        }
        Flow::On
    }

    fn stmt(&mut self, stmt: &Stmt) -> Flow {
        self.trace.steps += 1;
        if self.trace.steps > MOST_STEPS {
            self.trace.endless = true;
            return Flow::Leave(None);
        }
        match stmt {
            Stmt::Let { local, init } => self.locals[local.index()] = self.eval(init.unwrap()),
            Stmt::Assign { place, value, src: _ } => {
                let value = self.eval(*value);
                let at = self.element(place);
                match (place.base, at) {
                    (Base::Local(l), _) => self.locals[l.index()] = value,
                    (Base::Array(a), Some(at)) => self.touch((a.index(), at), true),
                    _ => {}
                }
            }
            Stmt::If { cond, then, els } => {
                let holds = self.eval(*cond) != 0;
                return self.block(if holds { then } else { els });
            }
            Stmt::For { label, var, range, body, src: _ } => {
                let parallel = self.nest.as_mut().is_some_and(|nest| {
                    let next = nest.loops > 0;
                    nest.loops -= u32::from(next);
                    next
                });
                let outermost = parallel.then(|| self.nest.as_ref().map_or(0, |nest| nest.loops));
                let ends = [range.lo, range.hi].map(|e| self.eval(e.expect("it has bounds")));
                self.trace.wide_loops |= ends.iter().any(|e| i32::try_from(*e).is_err());
                for v in self.values(range, *var) {
                    self.locals[var.index()] = v;
                    if let (Some(loops), Some(nest)) = (outermost, &mut self.nest) {
                        (nest.loops, nest.iteration) = (loops, nest.iteration + 1);
                    }
                    match self.block(body) {
                        Flow::On => {}
                        Flow::Leave(Some(l)) if l == *label => break,
                        leave @ Flow::Leave(_) => return leave,
                    }
                }
            }
            Stmt::Inner(inner) => {
                self.nest = Some(Nest { loops: inner.loops, ..Nest::default() });
                self.block(&inner.body);
                let nest = self.nest.take().expect("nests have none inside");
                if self.trace.inner.is_none() {
                    self.trace.inner = conflict(&nest.touched).cloned();
                }
            }
            Stmt::Break(l) => return Flow::Leave(Some(*l)),
            Stmt::Return(value) => {
                if let Some(value) = value {
                    self.returned = self.eval(*value);
                }
                return Flow::Leave(None);
            }
            Stmt::Check { check: Check::Bounds { access, base, index }, src: _ } => {
                let Base::Array(a) = base.base else { panic!("not used here") };
                let len = if base.projections.is_empty() { self.lens[a.index()].into() } else { 3 };
                // An inner subscript is only reached through an outer one in bounds.
                let reached = base.projections.is_empty() || self.element(base).is_some();
                if reached {
                    self.wide = false;
                    let at = self.eval(*index);
                    if at >= len {
                        self.trace.failed.insert(*access);
                    }
                    if self.wide {
                        self.trace.wide.insert(*access);
                    }
                }
            }
            other => panic!("not used here: {other:?}"),
        }
        Flow::On
    }
}

pub(super) fn trace(kernel: &Kernel, scalars: &[i128], lens: &[u64]) -> (Trace, Vec<Option<DimValues>>) {
    let locals = vec![0; kernel.body.code.locals.len()];
    let counts = vec![0; kernel.template.dims.len()];
    let mut m = Machine {
        kernel,
        body: &kernel.body,
        scalars,
        lens,
        locals,
        returned: 0,
        trace: Trace { counts, ..Trace::default() },
        nest: None,
        wide: false,
    };
    let dims = kernel.template.dims.iter().map(|dim| {
        dim.host.then(|| {
            let values = m.values(&dim.range, dim.var);
            let first = values.first().copied().unwrap_or(0);
            let step = values.get(1).map_or(1, |v| v - first);
            DimValues { first, step, count: values.len() as u64 }
        })
    });
    let dims = dims.collect();
    m.dims(0);
    (m.trace, dims)
}

/// An element that one iteration writes and another touches.
pub(super) fn conflict(touched: &BTreeMap<Element, Touches>) -> Option<&Element> {
    let meet = |(w, r): &Touches| w.iter().any(|i| w.union(r).any(|j| i != j));
    // A row and its elements are not mixed here: only whole chains are touched.
    touched.iter().find(|(_, both)| meet(both)).map(|(k, _)| k)
}
