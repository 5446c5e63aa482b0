//! The typing pass over statements: the type of each local, and the order in which expressions are typed.
pub(crate) mod constant;
pub(super) mod expr;
pub(super) mod operators;
pub(super) mod overload;
pub(super) mod place;

use super::TypeError;
use omp_ir::desc::Prim;
use omp_ir::ids::{ArrayId, ExprId, FnId, LocalId, ScalarId, SlotId, SrcId, TyId};
use omp_ir::kernel::{Callee, CodeTypes, RegionTypes, Ty, TypedCode, Types};
use omp_ir::method::Method;
use omp_ir::template::{
    Adaptor, Base, Block, CallParam, Check, Code, Expr, ExprNode, FnTemplate, Inner, KernelTemplate,
    LocalKind, Place, Range, Stmt, TyRef,
};
use operators::type_name;

/// What is known of a device function from outside.
pub(super) struct Signature {
    pub name: String,
    /// `None` until a slot or the first call gives the type.
    pub params: Vec<Option<TyId>>,
    /// What the parameters take.
    pub takes: Vec<Takes>,
    pub ret: TyId,
}

/// How a parameter takes its argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    /// A value, or a slice to read.
    Value,
    /// A place to write.
    Ref,
    /// A slice to write.
    MutSlice,
}

/// What all bodies of a kernel share.
pub(super) struct World {
    pub types: Types,
    pub arrays: Vec<TyId>,
    pub scalars: Vec<TyId>,
    /// The array that is captured along with each scalar.
    pub captured_arrays: Vec<Option<ArrayId>>,
    pub signatures: Vec<Signature>,
    /// Functions in the order of their first calls.
    pub called: Vec<FnId>,
}

/// What typing finds out about one body.
pub(super) struct Parts {
    pub exprs: Vec<Option<TyId>>,
    pub locals: Vec<Option<TyId>>,
    pub methods: Vec<Option<Method>>,
    /// Expressions that change their form: an array passed to a slice parameter becomes a slice, `size_of` a literal,
    /// an operator of a user's type a call.
    pub rewrites: Vec<(ExprId, Expr)>,
    /// Expressions that the template has not.
    pub added: Vec<ExprNode>,
    /// Assignments that are calls: `a += b` of a user's type. The values assigned.
    pub assigned_by: Vec<ExprId>,
}

impl World {
    pub fn new(template: &KernelTemplate, answers: &RegionTypes) -> Result<Self, TypeError> {
        let mut types = Types::default();
        let mapped = |types: &mut Types, what: &str, name: &str, desc| {
            let none = || TypeError {
                message: format!("{what} `{name}` is of no type that devices have"),
                place: None,
            };
            let ty = types.intern_desc(Option::ok_or_else(desc, none)?);
            match types.size(ty) {
                Some(_) => Ok(ty),
                None => Err(TypeError {
                    message: format!(
                        "{what} `{name}` holds `{}`, which has no agreed layout: it can be used inside a body only",
                        type_name(types, ty)
                    ),
                    place: None,
                }),
            }
        };
        let mut arrays = Vec::new();
        for (i, a) in template.arrays.iter().enumerate() {
            let elem = mapped(&mut types, "the array", &a.name, answers.arrays.get(i).copied().flatten())?;
            types.intern(Ty::Slice(elem));
            arrays.push(elem);
        }
        let mut scalars = Vec::new();
        for s in &template.scalars {
            let desc = answers.code.slots.get(s.slot.index()).copied().flatten();
            scalars.push(mapped(&mut types, "the captured value", &s.name, desc)?);
        }
        let signatures = answers.fns.iter().map(|(f, code)| signature(&mut types, f, code)).collect();
        let captured_arrays = template.scalars.iter().map(|s| s.array).collect();
        Ok(Self { types, arrays, scalars, captured_arrays, signatures, called: Vec::new() })
    }
}

fn slot_type(types: &mut Types, answers: &CodeTypes, slot: SlotId) -> Option<TyId> {
    answers.slots.get(slot.index()).copied().flatten().map(|desc| types.intern_desc(desc))
}

/// The type of a local, by its slot.
fn local_type(types: &mut Types, code: &Code, answers: &CodeTypes, local: LocalId) -> Option<TyId> {
    let local = &code.locals[local.index()];
    let ty = slot_type(types, answers, local.slot?)?;
    Some(if local.kind == LocalKind::Slice { types.intern(Ty::Slice(ty)) } else { ty })
}

fn signature(types: &mut Types, f: &FnTemplate, answers: &CodeTypes) -> Signature {
    let ret = match f.ret {
        None => types.intern(Ty::Unit),
        Some(slot) => slot_type(types, answers, slot).unwrap_or_else(|| types.intern(Ty::Never)),
    };
    let params = f.params.iter().map(|&p| local_type(types, &f.code, answers, p)).collect();
    let takes = f.params.iter().map(|p| {
        let local = &f.code.locals[p.index()];
        match local.kind {
            LocalKind::Ref => Takes::Ref,
            LocalKind::Slice if local.mutable => Takes::MutSlice,
            LocalKind::Slice
            | LocalKind::User
            | LocalKind::Temp
            | LocalKind::Loop
            | LocalKind::Private(_)
            | LocalKind::Reduction => Takes::Value,
        }
    });
    Signature { name: f.name.clone(), params, takes: takes.collect(), ret }
}

/// Types the body of a region.
pub(super) fn type_body(
    world: &mut World,
    template: &KernelTemplate,
    answers: &CodeTypes,
) -> Result<TypedCode, TypeError> {
    let unit = world.types.intern(Ty::Unit);
    let mut t = Typer::new(world, &template.code, answers, unit, None);
    for local in 0..template.code.locals.len() {
        if let LocalKind::Private(ScalarId(s)) = template.code.locals[local].kind {
            t.parts.locals[local] = t.parts.locals[local].or(Some(t.world.scalars[s as usize]));
        }
    }
    for dim in &template.dims {
        let of_range = if dim.host { t.range_lenient(&dim.range) } else { t.range(&dim.range, dim.src)? };
        t.loop_var(dim.var, of_range, dim.src)?;
    }
    t.block(&template.code.block)?;
    Ok(t.finish())
}

/// Types the body of a device function.
pub(super) fn type_fn(
    world: &mut World,
    id: FnId,
    f: &FnTemplate,
    answers: &CodeTypes,
) -> Result<TypedCode, TypeError> {
    let ret = world.signatures[id.index()].ret;
    let params = world.signatures[id.index()].params.clone();
    let mut t = Typer::new(world, &f.code, answers, ret, Some(&f.name));
    for (&local, ty) in f.params.iter().zip(params) {
        t.parts.locals[local.index()] = ty;
    }
    t.block(&f.code.block)?;
    Ok(t.finish())
}

/// The pass over one body.
pub(super) struct Typer<'a> {
    pub world: &'a mut World,
    pub code: &'a Code,
    pub answers: &'a CodeTypes,
    pub parts: Parts,
    ret: TyId,
    /// The function, for messages; `None` in the region's body.
    function: Option<&'a str>,
}

impl<'a> Typer<'a> {
    fn new(
        world: &'a mut World,
        code: &'a Code,
        answers: &'a CodeTypes,
        ret: TyId,
        function: Option<&'a str>,
    ) -> Self {
        let locals =
            (0..code.locals.len()).map(|i| local_type(&mut world.types, code, answers, LocalId::new(i)));
        let parts = Parts {
            locals: locals.collect(),
            exprs: vec![None; code.exprs.len()],
            methods: vec![None; code.calls.len()],
            rewrites: Vec::new(),
            added: Vec::new(),
            assigned_by: Vec::new(),
        };
        Self { world, code, answers, parts, ret, function }
    }

    /// Types what no statement reached (ranges that the host evaluates, dead arena entries), as far as it goes.
    fn finish(mut self) -> TypedCode {
        for i in 0..self.code.exprs.len() {
            let _ = self.expr(ExprId::new(i));
        }
        for (ty, local) in self.parts.locals.iter_mut().zip(&self.code.locals) {
            if ty.is_none() && local.kind == LocalKind::Loop {
                *ty = Some(self.world.types.intern(Ty::Prim(Prim::I64)));
            }
        }
        let mut code = self.code.clone();
        code.exprs.append(&mut self.parts.added);
        let no_name = || CallParam { name: "of_std".to_owned(), method: true, ret: None };
        code.calls.resize_with(self.parts.methods.len(), no_name);
        for (id, expr) in self.parts.rewrites.drain(..) {
            code.exprs[id.index()].expr = expr;
        }
        if !code.operators.is_empty() {
            let mut block = std::mem::take(&mut code.block);
            self.settle_operators(&mut block);
            code.block = block;
        }
        super::typed_code(code, self.answers, self.parts, &mut self.world.types)
    }

    pub fn error(&self, src: Option<SrcId>, message: impl Into<String>) -> TypeError {
        let message = message.into();
        let at = src.and_then(|s| self.code.srcs.get(s.index())).map(|s| (s.line, s.column));
        match (self.function, at) {
            (None, at) => TypeError { message, place: at },
            (Some(f), Some((line, column))) => TypeError {
                message: format!(
                    "{message}, in the device function `{f}` at {}:{line}:{column}",
                    self.answers.file
                ),
                place: None,
            },
            (Some(f), None) => {
                TypeError { message: format!("{message}, in the device function `{f}`"), place: None }
            }
        }
    }

    pub fn name(&self, ty: TyId) -> String {
        type_name(&self.world.types, ty)
    }

    pub fn slot(&mut self, slot: SlotId) -> Option<TyId> {
        slot_type(&mut self.world.types, self.answers, slot)
    }

    pub fn ty_ref(&mut self, ty: TyRef) -> Option<TyId> {
        match ty {
            TyRef::Slot(slot) => self.slot(slot),
            TyRef::Prim(p) => Some(self.prim(p)),
        }
    }

    pub fn prim(&mut self, p: Prim) -> TyId {
        self.world.types.intern(Ty::Prim(p))
    }

    pub fn is_never(&self, ty: TyId) -> bool {
        *self.world.types.get(ty) == Ty::Never
    }

    pub fn callee(&self, call: usize) -> Option<Callee> {
        self.answers.calls.get(call).copied()
    }

    /// `found` must be `wanted`, unless one of them is of dead code.
    pub fn expect(&self, found: TyId, wanted: TyId, src: Option<SrcId>, what: &str) -> Result<(), TypeError> {
        if found == wanted || self.is_never(found) || self.is_never(wanted) {
            return Ok(());
        }
        Err(self
            .error(src, format!("{what} is `{}` where `{}` is needed", self.name(found), self.name(wanted))))
    }

    pub fn expr_of(&mut self, id: ExprId, wanted: Prim, what: &str) -> Result<(), TypeError> {
        let found = self.expr(id)?;
        let wanted = self.prim(wanted);
        self.expect(found, wanted, Some(self.code.exprs[id.index()].src), what)
    }

    /// A local gets this value.
    fn init(&mut self, local: LocalId, value: ExprId, src: SrcId) -> Result<(), TypeError> {
        let found = self.expr(value)?;
        let known = self.parts.locals[local.index()];
        if known.is_some_and(|known| self.gathers(value, found, known)) {
            return Ok(());
        }
        self.bind(local, found, src)
    }

    /// A local gets a value of type `ty`.
    fn bind(&mut self, local: LocalId, ty: TyId, src: SrcId) -> Result<(), TypeError> {
        match self.parts.locals[local.index()] {
            Some(known) => {
                let what = format!("the value of `{}`", self.code.locals[local.index()].name);
                self.expect(ty, known, Some(src), &what)
            }
            None if self.is_never(ty) => Ok(()),
            None => {
                self.parts.locals[local.index()] = Some(ty);
                Ok(())
            }
        }
    }

    fn loop_var(&mut self, var: LocalId, of_range: Option<TyId>, src: SrcId) -> Result<(), TypeError> {
        if let Some(ty) = of_range {
            self.bind(var, ty, src)?;
        }
        match self.parts.locals[var.index()].map(|ty| self.world.types.prim(ty)) {
            None => Ok(()),
            Some(Some(p)) if p.is_int() => Ok(()),
            Some(_) => {
                let found = self.parts.locals[var.index()].map(|ty| self.name(ty)).unwrap_or_default();
                Err(self.error(Some(src), format!("a range of `{found}`; loops count integers")))
            }
        }
    }

    /// The type of a range's bounds.
    fn range(&mut self, range: &Range, src: SrcId) -> Result<Option<TyId>, TypeError> {
        let lo = range.lo.map(|e| self.expr(e)).transpose()?;
        let hi = range.hi.map(|e| self.expr(e)).transpose()?;
        for a in &range.adaptors {
            if let Adaptor::StepBy(Some(step)) = a {
                self.expr_of(*step, Prim::Usize, "the step")?;
            }
        }
        if let (Some(lo), Some(hi)) = (lo, hi) {
            self.expect(hi, lo, Some(src), "the end of the range")?;
        }
        Ok([lo, hi].into_iter().flatten().find(|&t| !self.is_never(t)))
    }

    /// Of a range that the host evaluates: nothing in it has to be a device operation.
    fn range_lenient(&mut self, range: &Range) -> Option<TyId> {
        [range.lo, range.hi]
            .into_iter()
            .flatten()
            .find_map(|e| self.expr(e).ok())
            .filter(|&t| !self.is_never(t))
    }

    pub fn block(&mut self, block: &Block) -> Result<(), TypeError> {
        block.0.iter().try_for_each(|s| self.stmt(s))
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<(), TypeError> {
        match stmt {
            Stmt::Let { local, init } => {
                let Some(init) = *init else { return Ok(()) };
                self.init(*local, init, self.code.exprs[init.index()].src)
            }
            Stmt::Assign { place, value, src } => {
                if self.assigns_by_call(place, *value, *src)? {
                    return Ok(());
                }
                self.assign(place, *value, *src)
            }
            Stmt::Eval(e) => self.expr(*e).map(|_| ()),
            Stmt::Atomic { place, old, new, update, src } => {
                let ty = self.place(place, *src)?;
                let known = self.world.types.prim(ty).filter(|p| *p != Prim::U128);
                if known.is_none() && !self.is_never(ty) {
                    let found = self.name(ty);
                    let message = format!(
                        "an atomic access of `{found}`; numbers of up to 64 bits and bool can be accessed atomically"
                    );
                    return Err(self.error(Some(*src), message));
                }
                self.bind(*old, ty, *src)?;
                if let Some(new) = new {
                    self.bind(*new, ty, *src)?;
                }
                self.block(update)
            }
            Stmt::If { cond, then, els } => {
                self.expr_of(*cond, Prim::Bool, "the condition")?;
                self.block(then)?;
                self.block(els)
            }
            Stmt::For { label: _, var, range, body, src } => {
                let of_range = self.range(range, *src)?;
                self.loop_var(*var, of_range, *src)?;
                self.block(body)
            }
            Stmt::Loop { label: _, body } | Stmt::Labelled { label: _, body } => self.block(body),
            Stmt::Inner(inner) => self.inner(inner),
            Stmt::Break(_) | Stmt::Continue(_) => Ok(()),
            Stmt::Return(value) => {
                let Some(value) = *value else { return Ok(()) };
                self.part(value, self.ret, "the value returned")
            }
            Stmt::Check { check, src } => self.check(check, *src),
        }
    }

    fn inner(&mut self, inner: &Inner) -> Result<(), TypeError> {
        if let Some(threads) = inner.threads {
            let ty = self.expr(threads)?;
            if !self.world.types.prim(ty).is_some_and(Prim::is_int) && !self.is_never(ty) {
                let found = self.name(ty);
                return Err(
                    self.error(Some(inner.src), format!("`num_threads` is `{found}`, not an integer"))
                );
            }
        }
        if let Some(when) = inner.when {
            self.expr_of(when, Prim::Bool, "the condition of `if`")?;
        }
        for r in &inner.reductions {
            self.copied(r.local, r.target, inner.src)?;
        }
        for l in &inner.lasts {
            self.copied(l.local, l.target, inner.src)?;
        }
        self.block(&inner.body)
    }

    /// A copy of a local has its type.
    fn copied(&mut self, copy: LocalId, of: LocalId, src: SrcId) -> Result<(), TypeError> {
        match self.parts.locals[of.index()] {
            Some(ty) => self.bind(copy, ty, src),
            None => Ok(()),
        }
    }

    fn assign(&mut self, place: &Place, value: ExprId, src: SrcId) -> Result<(), TypeError> {
        match (place.base, place.projections.is_empty()) {
            (Base::Local(local), true) => self.init(local, value, src),
            (Base::Local(_), false) | (Base::Array(_), false) => {
                let wanted = self.place(place, src)?;
                self.part(value, wanted, "the value assigned")
            }
            (Base::Array(_), true) => Err(self.error(Some(src), "a mapped array is assigned as a whole")),
            (Base::Scalar(_) | Base::Const(_), _) => {
                Err(self.error(Some(src), "a captured value or constant is assigned"))
            }
        }
    }

    fn check(&mut self, check: &Check, src: SrcId) -> Result<(), TypeError> {
        match check {
            Check::Bounds { access: _, base, index } => {
                self.element(base, src)?;
                self.expr_of(*index, Prim::Usize, "the index")
            }
            Check::Slice { access: _, base, lo, hi, last } => {
                self.element(base, src)?;
                [*lo, *hi, *last]
                    .into_iter()
                    .flatten()
                    .try_for_each(|e| self.expr_of(e, Prim::Usize, "the bound"))
            }
            Check::Divide { access: _, rem: _, lhs, rhs } => {
                let (l, r) = (self.expr(*lhs)?, self.expr(*rhs)?);
                if self.world.types.prim(l).and(self.world.types.prim(r)).is_none() {
                    return Ok(()); // an operator of a user's type
                }
                self.expect(r, l, Some(src), "the divisor")
            }
            Check::Panic { access: _, message: _, args } => {
                for &arg in args {
                    let ty = self.expr(arg)?;
                    if self.world.types.prim(ty) == Some(Prim::U128) {
                        let message = "a message with a `u128`: a device reports numbers of up to 64 bits; write `{}` of `v as u64`".to_owned();
                        return Err(self.error(Some(src), message));
                    }
                }
                Ok(())
            }
            Check::Claim { access: _, array: _, index, to } => {
                to.map_or(Ok(()), |to| self.expr_of(to, Prim::Usize, "the end"))?;
                self.expr_of(*index, Prim::Usize, "the index")
            }
            Check::Step { access: _, step } => self.expr_of(*step, Prim::Usize, "the step"),
        }
    }
}
