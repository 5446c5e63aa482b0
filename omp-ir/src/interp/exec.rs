//! The machine: frames, statements, expressions, and the loop nest around the body.
use super::number::{Num, binary, unary};
use super::place::{out_of_bounds, past_the_end, slice_fault};
use super::reduce::reduced;
use super::value::{Value, discriminant, size};
use super::{Failure, Memory};
use super::{method, parts};
use crate::analysis::plan::DimValues;
use crate::analysis::plan::numbering::{ClaimKind, conflict, show, takes_slices};
use crate::desc::Prim;
use crate::ids::{ArrayId, CallId, ExprId, FnId, LabelId, LocalId, SrcId, TyId};
use crate::kernel::{Callee, Kernel, Reducer, Ty, TypedCode};
use crate::message;
use crate::method::Method;
use crate::template::{
    Adaptor, BinOp, Block, Check, Expr, Inner, InnerReduction, LocalKind, Range, Stmt, ThreadQuery,
};
use std::collections::HashMap;

/// A failed check ends everything.
pub(super) type Stopped = Box<Failure>;

/// The variables of a body or function that runs.
pub(super) struct Frame {
    function: Option<FnId>,
    pub locals: Vec<Option<Value>>,
}

pub(super) struct Machine<'a> {
    pub kernel: &'a Kernel,
    pub memory: &'a mut Memory,
    /// The body's first, then those of the functions that are being called.
    pub frames: Vec<Frame>,
    claims: HashMap<(ArrayId, u64), Claim>,
}

/// The iteration that has accessed an element under `disjoint`.
struct Claim {
    /// The values of its loop variables.
    iteration: Vec<i128>,
    wrote: bool,
    /// Others have read it, too.
    shared: bool,
}

/// How a statement ends.
enum Flow {
    Next,
    Break(LabelId),
    Continue(LabelId),
    Return(Value),
}

impl<'a> Machine<'a> {
    pub fn new(kernel: &'a Kernel, memory: &'a mut Memory) -> Self {
        let body = Frame { function: None, locals: vec![None; kernel.body.code.locals.len()] };
        Self { kernel, memory, frames: vec![body], claims: HashMap::new() }
    }

    pub fn run(mut self) -> Result<Vec<Vec<u8>>, Failure> {
        let kernel = self.kernel;
        for (r, reducer) in kernel.template.reductions.iter().zip(&kernel.reducers) {
            let Some(local) = r.local() else { continue };
            let floats = matches!(reducer, Reducer::Builtin(_, p) if p.is_float());
            let start = r.start.filter(|_| floats || kernel.template.scan.is_some());
            if let Some(s) = start {
                let (ty, bytes) = (kernel.scalar_ty[s.index()], &self.memory.scalars[s.index()]);
                let value = Value::decode(&kernel.types, ty, bytes);
                self.frame_mut().locals[local.index()] = Some(value);
                continue;
            }
            self.frame_mut().locals[local.index()] = Some(self.identity(reducer));
        }
        self.nest(0).map_err(|stopped| *stopped)?;
        // The elements of array items were updated in place.
        let result = |local: Option<LocalId>| {
            let Some(local) = local else { return Vec::new() };
            let ty = self.kernel.body.local_ty[local.index()];
            let mut bytes = vec![0; size(&self.kernel.types, ty)];
            if let Some(value) = &self.frames[0].locals[local.index()] {
                value.encode(&self.kernel.types, ty, &mut bytes);
            }
            bytes
        };
        Ok(self.kernel.template.reductions.iter().map(|r| result(r.local())).collect())
    }

    /// Statements by themselves: variables are given, and wanted, as bits.
    pub fn statements(
        &mut self,
        stmts: &[Stmt],
        given: &[(LocalId, u64)],
        wanted: &[LocalId],
    ) -> Result<Vec<Option<u64>>, Stopped> {
        for (local, bits) in given {
            let prim = self.prim(self.kernel.body.local_ty[local.index()]);
            self.frame_mut().locals[local.index()] = Some(Value::Num(Num::from_bits(prim, *bits)));
        }
        for stmt in stmts {
            self.stmt(stmt)?;
        }
        let bits = |local: &LocalId| match &self.frame().locals[local.index()] {
            Some(Value::Num(n)) => Some(n.to_bits()),
            _ => None,
        };
        Ok(wanted.iter().map(bits).collect())
    }

    /// The parallel loops from dimension `d` on.
    fn nest(&mut self, d: usize) -> Result<(), Stopped> {
        let kernel = self.kernel;
        let Some(dim) = kernel.template.dims.get(d) else { return self.iteration() };
        let values = match self.memory.dims.get(d).copied().flatten() {
            Some(values) => values,
            None => self.range(&dim.range, dim.src)?,
        };
        let prim = self.prim(kernel.body.local_ty[dim.var.index()]);
        for k in 0..values.count {
            let value = Num::from_int(prim, values.first + i128::from(k) * values.step);
            self.frame_mut().locals[dim.var.index()] = Some(Value::Num(value));
            self.nest(d + 1)?;
        }
        Ok(())
    }

    fn iteration(&mut self) -> Result<(), Stopped> {
        let kernel = self.kernel;
        for (i, local) in kernel.body.code.locals.iter().enumerate() {
            if let LocalKind::Private(s) = local.kind {
                let value = Value::decode(
                    &kernel.types,
                    kernel.scalar_ty[s.index()],
                    &self.memory.scalars[s.index()],
                );
                self.frame_mut().locals[i] = Some(value);
            }
        }
        self.block(&kernel.body.code.block).map(|_| ())
    }

    pub fn frame(&self) -> &Frame {
        self.frames.last().expect("the body's frame is never popped")
    }

    pub fn frame_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("the body's frame is never popped")
    }

    pub fn code_at(&self, depth: usize) -> &'a TypedCode {
        match self.frames[depth].function {
            None => &self.kernel.body,
            Some(f) => &self.kernel.fns[f.index()].body,
        }
    }

    pub fn code(&self) -> &'a TypedCode {
        self.code_at(self.frames.len() - 1)
    }

    pub fn fail(&self, src: SrcId, message: String) -> Stopped {
        Box::new(Failure { function: self.frame().function, src, message })
    }

    fn prim(&self, ty: TyId) -> Prim {
        self.kernel.types.prim(ty).expect("a number; the kernel was validated")
    }

    fn block(&mut self, block: &Block) -> Result<Flow, Stopped> {
        for stmt in &block.0 {
            match self.stmt(stmt)? {
                Flow::Next => {}
                leave @ (Flow::Break(_) | Flow::Continue(_) | Flow::Return(_)) => return Ok(leave),
            }
        }
        Ok(Flow::Next)
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<Flow, Stopped> {
        match stmt {
            Stmt::Let { local, init } => {
                let value = init.map(|e| self.expr(e)).transpose()?;
                self.frame_mut().locals[local.index()] = value;
            }
            Stmt::Assign { place, value, src } => {
                let value = self.expr(*value)?;
                self.store(place, value, *src)?;
            }
            Stmt::Eval(e) => {
                self.expr(*e)?;
            }
            Stmt::Atomic { place, old, new, update, src } => {
                let value = self.load(place, *src)?;
                self.frame_mut().locals[old.index()] = Some(value);
                self.block(update)?;
                if let Some(new) = new {
                    let value = self.frame().locals[new.index()].clone().expect("the update sets it");
                    self.store(place, value, *src)?;
                }
            }
            Stmt::If { cond, then, els } => {
                let branch = if self.expr(*cond)?.truth() { then } else { els };
                return self.block(branch);
            }
            Stmt::For { label, var, range, body, src } => {
                let values = self.range(range, *src)?;
                return self.counted(*label, *var, values, body);
            }
            Stmt::Loop { label, body } => loop {
                match self.block(body)? {
                    Flow::Break(l) if l == *label => break,
                    Flow::Continue(l) if l == *label => {}
                    Flow::Next => {}
                    leave @ (Flow::Break(_) | Flow::Continue(_) | Flow::Return(_)) => return Ok(leave),
                }
            },
            Stmt::Labelled { label, body } => match self.block(body)? {
                Flow::Break(l) if l == *label => {}
                flow => return Ok(flow),
            },
            Stmt::Inner(inner) => return self.inner(inner),
            Stmt::Break(label) => return Ok(Flow::Break(*label)),
            Stmt::Continue(label) => return Ok(Flow::Continue(*label)),
            Stmt::Return(value) => {
                let value = value.map_or(Ok(Value::Unit), |e| self.expr(e))?;
                return Ok(Flow::Return(value));
            }
            Stmt::Check { check, src } => self.check(check, *src)?,
        }
        Ok(Flow::Next)
    }

    /// One iteration after the other.
    fn inner(&mut self, inner: &Inner) -> Result<Flow, Stopped> {
        let kernel = self.kernel;
        let reducer = |r: &InnerReduction| &kernel.inner_reducers[r.number as usize];
        for r in &inner.reductions {
            let start = match reducer(r) {
                Reducer::Builtin(op, _) if op.keeps_operands() => {
                    self.frame().locals[r.target.index()].clone()
                }
                other => Some(self.identity(other)),
            };
            self.frame_mut().locals[r.local.index()] = start;
        }
        for l in &inner.lasts {
            let frame = self.frame_mut();
            frame.locals[l.local.index()] = frame.locals[l.target.index()].clone();
        }
        let flow = self.block(&inner.body)?;
        for r in &inner.reductions {
            let locals = &self.frame().locals;
            let both = locals[r.target.index()].clone().zip(locals[r.local.index()].clone());
            let Some((a, b)) = both else { continue };
            let sum = match reducer(r) {
                Reducer::Builtin(op, _) => Value::Num(reduced(*op, a.num(), b.num())),
                Reducer::Declared { function, .. } => self.call_fn(*function, vec![a, b])?,
            };
            self.frame_mut().locals[r.target.index()] = Some(sum);
        }
        for l in &inner.lasts {
            let frame = self.frame_mut();
            frame.locals[l.target.index()] = frame.locals[l.local.index()].clone();
        }
        Ok(flow)
    }

    /// What changes nothing.
    fn identity(&self, reducer: &Reducer) -> Value {
        match reducer {
            Reducer::Builtin(op, prim) => {
                let bits = op.identity(*prim).expect("the reduction was validated");
                Value::Num(Num::from_bits(*prim, bits))
            }
            Reducer::Declared { identity, ty, .. } => Value::decode(&self.kernel.types, *ty, identity),
        }
    }

    fn counted(
        &mut self,
        label: LabelId,
        var: LocalId,
        values: DimValues,
        body: &Block,
    ) -> Result<Flow, Stopped> {
        let prim = self.prim(self.code().local_ty[var.index()]);
        for k in 0..values.count {
            let value = Num::from_int(prim, values.first + i128::from(k) * values.step);
            self.frame_mut().locals[var.index()] = Some(Value::Num(value));
            match self.block(body)? {
                Flow::Break(l) if l == label => break,
                Flow::Continue(l) if l == label => {}
                Flow::Next => {}
                leave @ (Flow::Break(_) | Flow::Continue(_) | Flow::Return(_)) => return Ok(leave),
            }
        }
        Ok(Flow::Next)
    }

    fn range(&mut self, range: &Range, src: SrcId) -> Result<DimValues, Stopped> {
        let bound = |machine: &mut Self, e: Option<ExprId>| match e {
            Some(e) => Ok(machine.expr(e)?.num().to_int()),
            None => Err(machine.fail(src, "the range is known to the host only".into())),
        };
        let (lo, hi) = (bound(self, range.lo)?, bound(self, range.hi)?);
        let mut steps = Vec::new();
        for adaptor in &range.adaptors {
            steps.push(match adaptor {
                Adaptor::Rev => None,
                Adaptor::StepBy(step) => Some(bound(self, *step)?),
            });
        }
        range_values(lo, hi, range.inclusive, &steps)
            .ok_or_else(|| self.fail(src, "assertion failed: step != 0".into()))
    }

    fn check(&mut self, check: &Check, src: SrcId) -> Result<(), Stopped> {
        let fault = match check {
            Check::Bounds { access: _, base, index } => {
                let index = self.index(*index)?;
                let len = self.len(base, src)?;
                (index >= len).then(|| out_of_bounds(len, index))
            }
            Check::Slice { access: _, base, lo, hi, last } => {
                let lo = lo.map_or(Ok(0), |e| self.index(e))?;
                let last = last.map(|e| self.index(e)).transpose()?;
                let len = self.len(base, src)?;
                match last.filter(|last| lo > len || *last >= len) {
                    Some(_) if lo > len => slice_fault(lo, None, len),
                    Some(last) => Some(past_the_end(last, len)),
                    None => {
                        let hi = hi.map(|e| self.index(e)).transpose()?;
                        slice_fault(lo, hi, len)
                    }
                }
            }
            Check::Divide { access: _, rem, lhs, rhs } => {
                let (lhs, rhs) = (self.expr(*lhs)?.num(), self.expr(*rhs)?.num());
                divide_fault(*rem, lhs, rhs).map(str::to_owned)
            }
            Check::Panic { access: _, message, args } => {
                let mut shown = Vec::new();
                for &arg in args {
                    let ty = self.code().expr_ty[arg.index()];
                    shown.push((self.expr(arg)?, self.kernel.types.get(ty)));
                }
                Some(message::fill(message, |k, spec| shown.get(k).map(|(value, ty)| value.show(ty, spec))))
            }
            Check::Claim { access, array, index, to } => {
                let from = self.index(*index)?;
                let to = to.map_or(Ok(from + 1), |to| self.index(to))?;
                let writes = self.code().code.accesses[access.index()].write;
                (from..to).find_map(|index| self.claim(*array, index, writes))
            }
            Check::Step { access: _, step } => {
                (self.index(*step)? == 0).then(|| "assertion failed: step != 0".to_owned())
            }
        };
        fault.map_or(Ok(()), |message| Err(self.fail(src, message)))
    }

    /// Claims an element for the running iteration; what is wrong if another one is in the way.
    fn claim(&mut self, array: ArrayId, index: u64, writes: bool) -> Option<String> {
        let kernel = self.kernel;
        let dims = || kernel.template.dims.iter();
        let value =
            |local: LocalId| self.frames[0].locals[local.index()].as_ref().map_or(0, |v| v.num().to_int());
        let iteration: Vec<i128> = dims().map(|d| value(d.var)).collect();
        let mine = Claim { iteration: iteration.clone(), wrote: writes, shared: false };
        let held = self.claims.entry((array, index)).or_insert(mine);
        let other = held.iteration != iteration;
        if (other && (writes || held.wrote)) || (writes && held.shared) {
            let shown = |values: &[i128]| {
                let names = dims().map(|d| kernel.body.code.locals[d.var.index()].name.clone());
                show(&names.zip(values.iter().copied()).collect::<Vec<_>>())
            };
            let deed = |writes: bool| if writes { ClaimKind::Writes } else { ClaimKind::Reads };
            let other = other.then(|| shown(&held.iteration));
            let name = &kernel.template.arrays[array.index()].name;
            return Some(conflict(
                (name, takes_slices(&kernel.template, array)),
                index,
                (&shown(&iteration), deed(writes)),
                (other.as_deref(), deed(held.wrote)),
            ));
        }
        held.shared |= other;
        held.wrote |= writes;
        None
    }

    /// The value of a usize.
    pub fn index(&mut self, e: ExprId) -> Result<u64, Stopped> {
        Ok(self.expr(e)?.num().index())
    }

    pub fn expr(&mut self, e: ExprId) -> Result<Value, Stopped> {
        let code = self.code();
        let node = &code.code.exprs[e.index()];
        let ty = code.expr_ty[e.index()];
        match &node.expr {
            Expr::Unit => Ok(Value::Unit),
            Expr::Int { value, negative, ty: _ } => {
                Ok(Value::Num(Num::int_literal(self.prim(ty), *value, *negative)))
            }
            Expr::Float { digits, negative, ty: _ } => {
                Ok(Value::Num(Num::float_literal(self.prim(ty), digits, *negative)))
            }
            Expr::Bool(b) => Ok(Value::bool(*b)),
            Expr::Load(place) => self.load(place, node.src),
            Expr::Len(place) => Ok(Value::usize(self.len(place, node.src)?)),
            Expr::Borrow(place) => self.borrow(place, node.src),
            Expr::Slice { base, lo, hi, access: _, mutable: _ } => {
                let lo = lo.map_or(Ok(0), |e| self.index(e))?;
                let hi = hi.map(|e| self.index(e)).transpose()?;
                self.slice(base, lo, hi, node.src)
            }
            Expr::Unary(op, operand) => {
                let n = self.expr(*operand)?.num();
                unary(*op, n, self.code().overflow_checks)
                    .map(Value::Num)
                    .map_err(|what| self.overflow(what, node.src))
            }
            Expr::Binary(op, lhs, rhs) => self.binary(*op, *lhs, *rhs, node.src),
            Expr::Cast { value, ty: _ } => self.cast(*value, ty),
            Expr::Call { call, args } => self.call(*call, args, ty, node.src),
            Expr::Struct { slot: _, name, fields, rest } => self.structure(name, fields, *rest, ty),
            Expr::Array { slot: _, elems } => {
                Ok(Value::Array(elems.iter().map(|&e| self.expr(e)).collect::<Result<_, _>>()?))
            }
            Expr::Repeat { slot: _, value } => {
                let value = self.expr(*value)?;
                Ok(Value::Array(vec![value; self.kernel.types.array_len(ty).unwrap_or(0) as usize]))
            }
            Expr::Some { slot: _, value } => Ok(Value::option(Some(self.expr(*value)?))),
            Expr::None { slot: _ } => Ok(Value::option(None)),
            Expr::IsSome(value) => Ok(Value::bool(matches!(self.expr(*value)?.carried(), Some(Some(_))))),
            Expr::Thread(query) => Ok(match query {
                ThreadQuery::TeamNum | ThreadQuery::ThreadNum => Value::usize(0),
                ThreadQuery::NumTeams | ThreadQuery::NumThreads => Value::usize(1),
                ThreadQuery::IsInitialDevice => Value::bool(true),
            }),
            Expr::SizeOf { ty: _ } => unreachable!("finalisation puts the number"),
        }
    }

    fn overflow(&self, what: &str, src: SrcId) -> Stopped {
        self.fail(src, format!("attempt to {what} with overflow"))
    }

    fn binary(&mut self, op: BinOp, lhs: ExprId, rhs: ExprId, src: SrcId) -> Result<Value, Stopped> {
        let l = self.expr(lhs)?;
        match op {
            BinOp::And if !l.truth() => return Ok(l),
            BinOp::Or if l.truth() => return Ok(l),
            _ => {}
        }
        let r = self.expr(rhs)?;
        match (&l, &r) {
            (Value::Num(l), Value::Num(r)) => {
                if let (BinOp::Div | BinOp::Rem, true) = (op, l.prim().is_int())
                    && r.to_int() == 0
                {
                    let fault = divide_fault(op == BinOp::Rem, *l, *r).unwrap_or_default();
                    return Err(self.fail(src, fault.to_owned()));
                }
                let value = binary(op, *l, *r, self.code().overflow_checks);
                value.map(Value::Num).map_err(|what| self.overflow(what, src))
            }
            _ => Ok(Value::bool((l == r) == (op == BinOp::Eq))),
        }
    }

    fn cast(&mut self, value: ExprId, to: TyId) -> Result<Value, Stopped> {
        let from = self.code().expr_ty[value.index()];
        let value = self.expr(value)?;
        if from == to {
            return Ok(value);
        }
        let to = self.prim(to);
        Ok(Value::Num(match (value, self.kernel.types.get(from)) {
            (Value::Enum(bits), Ty::Enum(desc)) => discriminant(desc, bits, to),
            (value, _) => value.num().cast(to),
        }))
    }

    fn structure(
        &mut self,
        name: &str,
        fields: &[(String, ExprId)],
        rest: Option<ExprId>,
        ty: TyId,
    ) -> Result<Value, Stopped> {
        if let Ty::Data(desc, variants) = self.kernel.types.get(ty) {
            let variant = desc.variant(name).expect("validated");
            let Value::Struct(values) = self.structure("", fields, None, variants[variant])? else {
                unreachable!("variants are structs")
            };
            return Ok(Value::Data(variant, values));
        }
        let Ty::Struct(desc, _) = self.kernel.types.get(ty) else {
            unreachable!("a struct value of no struct; the kernel was validated")
        };
        let mut values = vec![None; desc.fields.len()];
        for (name, value) in fields {
            let at = desc.fields.iter().position(|f| f.name == name).expect("validated");
            values[at] = Some(self.expr(*value)?);
        }
        if let Some(rest) = rest
            && let Value::Struct(others) = self.expr(rest)?
        {
            for (mine, other) in values.iter_mut().zip(others) {
                mine.get_or_insert(other);
            }
        }
        Ok(Value::Struct(values.into_iter().map(|v| v.expect("all fields are there")).collect()))
    }

    fn call(&mut self, call: CallId, args: &[ExprId], ty: TyId, src: SrcId) -> Result<Value, Stopped> {
        let values = args.iter().map(|&e| self.expr(e)).collect::<Result<Vec<_>, _>>()?;
        let code = self.code();
        if let (Callee::Fn(f), None) = (code.calls[call.index()], code.methods[call.index()]) {
            return self.call_fn(f, values);
        }
        let method = code.methods[call.index()].expect("the call was validated");
        if let (Method::ToArray, [Value::Slice(slice)]) = (method, &values[..]) {
            return self.elements(slice, ty, src);
        }
        let types = &self.kernel.types;
        let recv = args.first().map_or(ty, |a| self.code().expr_ty[a.index()]);
        if let Some(value) = parts::call(method, &values, types, recv) {
            return value.ok_or_else(|| self.fail(src, format!("{method:?} of what has no order")));
        }
        method::call(method, &values, types.prim(ty))
            .ok_or_else(|| self.fail(src, format!("{method:?} of what Rust refuses, without its check")))
    }

    fn call_fn(&mut self, f: FnId, args: Vec<Value>) -> Result<Value, Stopped> {
        let function = &self.kernel.fns[f.index()];
        let mut locals = vec![None; function.body.code.locals.len()];
        for (param, value) in function.template.params.iter().zip(args) {
            locals[param.index()] = Some(value);
        }
        self.frames.push(Frame { function: Some(f), locals });
        let flow = self.block(&function.body.code.block)?;
        self.frames.pop();
        Ok(match flow {
            Flow::Return(value) => value,
            Flow::Next | Flow::Break(_) | Flow::Continue(_) => Value::Unit,
        })
    }
}

/// First value, step and count of `lo..hi` (or `lo..=hi`) with adaptors: `None` is `.rev()`, `Some(s)` `.step_by(s)`,
/// in the order written. `None` for a step of zero.
#[must_use]
pub fn range_values(lo: i128, hi: i128, inclusive: bool, adaptors: &[Option<i128>]) -> Option<DimValues> {
    let (mut first, mut step) = (lo, 1);
    let mut count = (hi - lo + i128::from(inclusive)).max(0);
    for adaptor in adaptors {
        match adaptor {
            None => {
                first += (count - 1).max(0) * step;
                step = -step;
            }
            Some(0) => return None,
            Some(by) => {
                count = (count + by - 1) / by;
                step *= by;
            }
        }
    }
    Some(DimValues { first, step, count: u64::try_from(count).unwrap_or(u64::MAX) })
}

fn divide_fault(rem: bool, lhs: Num, rhs: Num) -> Option<&'static str> {
    if !lhs.prim().is_int() {
        return None;
    }
    let min = lhs.prim().int_range().map_or(0, |r| r.0);
    let overflows = min < 0 && lhs.to_int() == min && rhs.to_int() == -1;
    match (rhs.to_int() == 0, overflows, rem) {
        (true, _, false) => Some("attempt to divide by zero"),
        (true, _, true) => Some("attempt to calculate the remainder with a divisor of zero"),
        (_, true, false) => Some("attempt to divide with overflow"),
        (_, true, true) => Some("attempt to calculate the remainder with overflow"),
        (false, false, _) => None,
    }
}
