//! Bodies and regions written node by node, with the types that rustc would infer for their slots.
//! [`build`](crate::build) writes kernels in fewer words and chooses the nodes itself.
use omp_ir::desc::{Prim, TypeDesc};
use omp_ir::ids::{
    AccessId, ArrayId, CallId, ConstId, ExprId, FnId, LabelId, LocalId, ScalarId, SlotId, SrcId,
};
use omp_ir::kernel::{Callee, CodeTypes, ConstValue, RegionTypes};
use omp_ir::template::{
    Access, ArrayParam, Base, BinOp, Block, CallParam, Check, Code, ConstParam, Dim, Expr, ExprNode,
    FnTemplate, FpMode, KernelTemplate, Local, LocalKind, Place, Projection, Range, ReduceOp, Reduction,
    ScalarParam, Src, Stmt, TyRef,
};

/// A type that lives as long as the program.
pub type Desc = &'static TypeDesc;

/// The description of a primitive.
#[must_use]
pub fn desc(prim: Prim) -> Desc {
    macro_rules! table {
        ($($p:ident)*) => { match prim { $(Prim::$p => const { &TypeDesc::Prim(Prim::$p) }),* } };
    }
    table!(Bool I8 I16 I32 I64 Isize U8 U16 U32 U64 Usize F32 F64 Char U128)
}

/// A body that is being written: a region's, or a function's.
#[derive(Debug, Clone)]
pub struct Body {
    /// The code; its block comes with [`Body::finish`].
    pub code: Code,
    /// The answers.
    pub types: CodeTypes,
    /// Blocks that are being written; the innermost last.
    open: Vec<Vec<Stmt>>,
    /// Where all nodes stand, if not each on a line of its own.
    line: Option<u32>,
}

impl Body {
    /// An empty body in this file.
    #[must_use]
    pub fn new(file: &'static str) -> Self {
        let code = Code { srcs: vec![Src { line: 1, column: 1 }], ..Code::default() };
        let types = CodeTypes { file, ..CodeTypes::default() };
        Self { code, types, open: vec![Vec::new()], line: None }
    }

    /// The nodes from here on stand on this line.
    pub fn line(&mut self, line: u32) -> SrcId {
        self.line = Some(line);
        self.src()
    }

    /// A new place in the source.
    pub fn src(&mut self) -> SrcId {
        let line = self.line.unwrap_or(self.code.srcs.len() as u32 + 1);
        self.code.srcs.push(Src { line, column: 5 });
        SrcId::new(self.code.srcs.len() - 1)
    }

    /// A slot with its answer.
    pub fn slot(&mut self, ty: Option<Desc>) -> SlotId {
        self.types.slots.push(ty);
        self.code.slots += 1;
        SlotId::new(self.types.slots.len() - 1)
    }

    /// A variable; its type is inferred if none is given.
    pub fn local(&mut self, name: &str, kind: LocalKind, ty: Option<Desc>) -> LocalId {
        let slot = ty.map(|ty| self.slot(Some(ty)));
        let mutable = !matches!(kind, LocalKind::Slice | LocalKind::Loop);
        self.code.locals.push(Local { name: name.to_owned(), kind, slot, mutable });
        LocalId::new(self.code.locals.len() - 1)
    }

    /// A variable of the user's.
    pub fn user(&mut self, name: &str, ty: Desc) -> LocalId {
        self.local(name, LocalKind::User, Some(ty))
    }

    /// A temporary.
    pub fn temp(&mut self, ty: Desc) -> LocalId {
        self.local("t", LocalKind::Temp, Some(ty))
    }

    /// A node.
    pub fn expr(&mut self, expr: Expr) -> ExprId {
        let src = self.src();
        self.code.exprs.push(ExprNode { expr, src });
        ExprId::new(self.code.exprs.len() - 1)
    }

    /// An integer literal.
    pub fn int(&mut self, prim: Prim, value: i128) -> ExprId {
        self.expr(Expr::Int { value: value.unsigned_abs(), negative: value < 0, ty: TyRef::Prim(prim) })
    }

    /// A float literal.
    pub fn float(&mut self, prim: Prim, digits: &str) -> ExprId {
        self.expr(Expr::Float { digits: digits.to_owned(), negative: false, ty: TyRef::Prim(prim) })
    }

    /// An operator.
    pub fn binary(&mut self, op: BinOp, lhs: ExprId, rhs: ExprId) -> ExprId {
        self.expr(Expr::Binary(op, lhs, rhs))
    }

    /// `value as to`
    pub fn cast(&mut self, value: ExprId, to: Prim) -> ExprId {
        self.expr(Expr::Cast { value, ty: TyRef::Prim(to) })
    }

    /// The value of a place.
    pub fn load(&mut self, place: impl Into<Place>) -> ExprId {
        self.expr(Expr::Load(place.into()))
    }

    /// The value of a variable.
    pub fn get(&mut self, local: LocalId) -> ExprId {
        self.load(Base::Local(local))
    }

    /// The value of a captured scalar.
    pub fn scalar(&mut self, scalar: ScalarId) -> ExprId {
        self.load(Base::Scalar(scalar))
    }

    /// `local.name`
    pub fn field(&mut self, local: LocalId, name: &str) -> ExprId {
        let projections = vec![Projection::Field(name.to_owned())];
        self.load(Place { base: Base::Local(local), projections })
    }

    /// A subscript on a line of its own.
    pub fn access(&mut self, name: &str, access: (bool, bool)) -> AccessId {
        let src = self.src();
        self.access_at(name, access, src)
    }

    fn access_at(&mut self, name: &str, (read, write): (bool, bool), src: SrcId) -> AccessId {
        self.code.accesses.push(Access { name: name.to_owned(), write, read, src, bracket: src });
        AccessId::new(self.code.accesses.len() - 1)
    }

    /// The place `base[index]`, with its check before it. The index is made twice, by `index`.
    pub fn at(
        &mut self,
        base: impl Into<Place>,
        name: &str,
        access: (bool, bool),
        mut index: impl FnMut(&mut Self) -> ExprId,
    ) -> Place {
        let mut place = base.into();
        let src = self.src();
        let access = self.access_at(name, access, src);
        let checked = index(self);
        let check = Check::Bounds { access, base: place.clone(), index: checked };
        self.push(Stmt::Check { check, src });
        place.projections.push(Projection::Index { index: index(self), access });
        place
    }

    /// A call.
    pub fn call(&mut self, name: &str, callee: Callee, ret: Option<Desc>, args: Vec<ExprId>) -> ExprId {
        let ret = ret.map(|ty| self.slot(Some(ty)));
        let method = callee == Callee::Builtin;
        self.code.calls.push(CallParam { name: name.to_owned(), method, ret });
        self.types.calls.push(callee);
        self.expr(Expr::Call { call: CallId::new(self.code.calls.len() - 1), args })
    }

    /// A built-in method.
    pub fn method(&mut self, name: &str, args: Vec<ExprId>) -> ExprId {
        self.call(name, Callee::Builtin, None, args)
    }

    /// A const of the program.
    pub fn konst(&mut self, name: &str, ty: Desc, bytes: Vec<u8>) -> ConstId {
        let slot = self.slot(Some(ty));
        self.code.consts.push(ConstParam { name: name.to_owned(), slot });
        self.types.consts.push(ConstValue { ty, bytes });
        ConstId::new(self.code.consts.len() - 1)
    }

    /// A statement.
    pub fn push(&mut self, stmt: Stmt) {
        self.open.last_mut().expect("a block is open").push(stmt);
    }

    /// Starts a block.
    pub fn open(&mut self) {
        self.open.push(Vec::new());
    }

    /// Ends what [`Body::open`] started.
    pub fn close(&mut self) -> Block {
        Block(self.open.pop().expect("a block is open"))
    }

    /// What `write` writes, as a block.
    pub fn block(&mut self, write: impl FnOnce(&mut Self)) -> Block {
        self.open();
        write(self);
        self.close()
    }

    /// `let local = init;`
    pub fn declare(&mut self, local: LocalId, init: Option<ExprId>) {
        self.push(Stmt::Let { local, init });
    }

    /// `let name = init;`
    pub fn bind(&mut self, name: &str, ty: Option<Desc>, init: ExprId) -> LocalId {
        let local = self.local(name, LocalKind::User, ty);
        self.declare(local, Some(init));
        local
    }

    /// `place = value;`
    pub fn assign(&mut self, place: impl Into<Place>, value: ExprId) {
        let src = self.src();
        self.push(Stmt::Assign { place: place.into(), value, src });
    }

    /// The value of `base[index]`.
    pub fn element(&mut self, base: impl Into<Place>, index: impl FnMut(&mut Self) -> ExprId) -> ExprId {
        let place = self.at(base, "x", (true, false), index);
        self.load(place)
    }

    /// `base[index] = value;`
    pub fn store(&mut self, base: impl Into<Place>, index: impl FnMut(&mut Self) -> ExprId, value: ExprId) {
        let place = self.at(base, "x", (false, true), index);
        self.assign(place, value);
    }

    /// A check.
    pub fn check(&mut self, check: Check) {
        let src = self.src();
        self.push(Stmt::Check { check, src });
    }

    /// `if cond { then } else { els }`
    pub fn branch(&mut self, cond: ExprId, then: impl FnOnce(&mut Self), els: impl FnOnce(&mut Self)) {
        let (then, els) = (self.block(then), self.block(els));
        self.push(Stmt::If { cond, then, els });
    }

    /// `for var in lo..hi { body }`
    pub fn count(&mut self, label: u32, var: LocalId, lo: ExprId, hi: ExprId, body: impl FnOnce(&mut Self)) {
        let (body, range, src) = (self.block(body), range(Some(lo), Some(hi)), self.src());
        self.push(Stmt::For { label: LabelId(label), var, range, body, src });
    }

    /// The finished body.
    #[must_use]
    pub fn finish(mut self) -> (Code, CodeTypes) {
        self.code.block = self.close();
        (self.code, self.types)
    }

    /// The body as a function's.
    #[must_use]
    pub fn into_fn(self, name: &str, params: Vec<LocalId>, ret: Option<SlotId>) -> (FnTemplate, CodeTypes) {
        let (code, types) = self.finish();
        (FnTemplate { name: name.to_owned(), params, ret, code }, types)
    }
}

/// `lo..hi`
#[must_use]
pub fn range(lo: Option<ExprId>, hi: Option<ExprId>) -> Range {
    Range { lo, hi, inclusive: false, adaptors: Vec::new() }
}

/// A region that is being written.
#[derive(Debug, Clone)]
pub struct Region {
    /// The loop's body.
    pub body: Body,
    /// The rest of the template.
    pub template: KernelTemplate,
    /// The types of elements.
    pub arrays: Vec<Option<Desc>>,
    /// The functions that it calls.
    pub fns: Vec<(FnTemplate, CodeTypes)>,
}

impl Region {
    /// An empty region without loops.
    #[must_use]
    pub fn new(name: &str, file: &'static str, fp: FpMode) -> Self {
        let template = KernelTemplate {
            name: name.to_owned(),
            arrays: Vec::new(),
            scalars: Vec::new(),
            dims: Vec::new(),
            reductions: Vec::new(),
            scan: None,
            inner_scans: false,
            code: Code::default(),
            fp,
            trust_disjoint: Vec::new(),
            check_disjoint: Vec::new(),
            unchecked: Vec::new(),
            unchecked_all: false,
        };
        Self { body: Body::new(file), template, arrays: Vec::new(), fns: Vec::new() }
    }

    /// An array.
    pub fn array(&mut self, name: &str, elem: Desc, (read, written): (bool, bool)) -> ArrayId {
        let name = name.to_owned();
        self.template.arrays.push(ArrayParam { name, section: false, map: None, written, read });
        self.arrays.push(Some(elem));
        ArrayId::new(self.arrays.len() - 1)
    }

    /// A captured scalar.
    pub fn scalar(&mut self, name: &str, ty: Desc) -> ScalarId {
        let slot = self.body.slot(Some(ty));
        self.template.scalars.push(ScalarParam { name: name.to_owned(), slot, array: None });
        ScalarId::new(self.template.scalars.len() - 1)
    }

    /// A parallel loop, whose bounds the host evaluates.
    pub fn dim(&mut self, name: &str, range: Range) -> LocalId {
        let var = self.body.local(name, LocalKind::Loop, Some(desc(Prim::Usize)));
        self.template.dims.push(Dim { var, range, host: true, src: SrcId(0) });
        var
    }

    /// An item of a reduction.
    pub fn reduction(&mut self, name: &str, op: ReduceOp, ty: Desc) -> LocalId {
        let local = self.body.local(name, LocalKind::Reduction, Some(ty));
        self.template.reductions.push(Reduction::of_local(name.to_owned(), op, local));
        local
    }

    /// A device function.
    pub fn function(&mut self, f: (FnTemplate, CodeTypes)) -> FnId {
        self.fns.push(f);
        FnId::new(self.fns.len() - 1)
    }

    /// The template and the answers.
    #[must_use]
    pub fn finish(mut self) -> (KernelTemplate, RegionTypes) {
        let (code, types) = self.body.finish();
        self.template.code = code;
        (self.template, RegionTypes { arrays: self.arrays, code: types, fns: self.fns })
    }
}
