//! A sketch pad for bodies: arenas, open blocks, and the usual shapes.
use omp_ir::desc::{Prim, TypeDesc};
use omp_ir::ids::{AccessId, CallId, ConstId, ExprId, LocalId, SlotId, SrcId};
use omp_ir::kernel::{Callee, CodeTypes, ConstValue};
use omp_ir::template::{
    Access, Base, BinOp, Block, CallParam, Check, Code, ConstParam, Expr, ExprNode, Local, LocalKind, Place,
    Projection, Src, Stmt, TyRef,
};

/// A body that is being written, with rustc's answers for it.
#[derive(Debug, Clone)]
pub struct Sketch {
    /// The code; its block comes with [`Sketch::finish`].
    pub code: Code,
    /// The answers.
    pub types: CodeTypes,
    open: Vec<Vec<Stmt>>,
}

/// The description of a primitive.
#[must_use]
pub fn desc(prim: Prim) -> &'static TypeDesc {
    macro_rules! table {
        ($($p:ident)*) => { match prim { $(Prim::$p => const { &TypeDesc::Prim(Prim::$p) }),* } };
    }
    table!(Bool I8 I16 I32 I64 Isize U8 U16 U32 U64 Usize F32 F64 Char U128)
}

/// The place without projections.
#[must_use]
pub fn place(base: Base) -> Place {
    Place { base, projections: Vec::new() }
}

impl Default for Sketch {
    fn default() -> Self {
        Self::new()
    }
}

impl Sketch {
    /// An empty body.
    #[must_use]
    pub fn new() -> Self {
        let types = CodeTypes { file: "random.rs", ..CodeTypes::default() };
        Self { code: Code::default(), types, open: vec![Vec::new()] }
    }

    /// A new place in the source: each statement has a line of its own.
    pub fn src(&mut self) -> SrcId {
        let line = self.code.srcs.len() as u32 + 1;
        self.code.srcs.push(Src { line, column: 1 });
        SrcId::new(self.code.srcs.len() - 1)
    }

    /// A slot with its answer.
    pub fn slot(&mut self, ty: &'static TypeDesc) -> SlotId {
        self.types.slots.push(Some(ty));
        self.code.slots += 1;
        SlotId::new(self.types.slots.len() - 1)
    }

    /// A variable; its type is inferred if none is given.
    pub fn local(&mut self, kind: LocalKind, ty: Option<&'static TypeDesc>) -> LocalId {
        let slot = ty.map(|ty| self.slot(ty));
        let name = format!("v{}", self.code.locals.len());
        self.code.locals.push(Local { name, kind, slot, mutable: true });
        LocalId::new(self.code.locals.len() - 1)
    }

    /// A node.
    pub fn expr(&mut self, expr: Expr) -> ExprId {
        let src = self.src();
        self.code.exprs.push(ExprNode { expr, src });
        ExprId::new(self.code.exprs.len() - 1)
    }

    /// A statement.
    pub fn push(&mut self, stmt: Stmt) {
        self.open.last_mut().expect("a block is open").push(stmt);
    }

    /// Starts a block.
    pub fn open(&mut self) {
        self.open.push(Vec::new());
    }

    /// Ends what [`Sketch::open`] started.
    pub fn close(&mut self) -> Block {
        Block(self.open.pop().expect("a block is open"))
    }

    /// The finished body.
    #[must_use]
    pub fn finish(mut self) -> (Code, CodeTypes) {
        self.code.block = self.close();
        (self.code, self.types)
    }

    /// A literal.
    pub fn int(&mut self, prim: Prim, value: i128) -> ExprId {
        self.expr(Expr::Int { value: value.unsigned_abs(), negative: value < 0, ty: TyRef::Prim(prim) })
    }

    /// The value of a const.
    pub fn konst(&mut self, prim: Prim, bytes: Vec<u8>) -> ExprId {
        let slot = self.slot(desc(prim));
        self.code.consts.push(ConstParam { name: format!("C{}", self.code.consts.len()), slot });
        self.types.consts.push(ConstValue { ty: desc(prim), bytes });
        let id = ConstId::new(self.code.consts.len() - 1);
        self.expr(Expr::Load(place(Base::Const(id))))
    }

    /// The value of a variable.
    pub fn get(&mut self, local: LocalId) -> ExprId {
        self.expr(Expr::Load(place(Base::Local(local))))
    }

    /// An operator.
    pub fn binary(&mut self, op: BinOp, lhs: ExprId, rhs: ExprId) -> ExprId {
        self.expr(Expr::Binary(op, lhs, rhs))
    }

    /// A built-in method.
    pub fn method(&mut self, name: &str, ret: Option<&'static TypeDesc>, args: Vec<ExprId>) -> ExprId {
        self.call(name, Callee::Builtin, ret, args)
    }

    /// A call.
    pub fn call(
        &mut self,
        name: &str,
        callee: Callee,
        ret: Option<&'static TypeDesc>,
        args: Vec<ExprId>,
    ) -> ExprId {
        let ret = ret.map(|ty| self.slot(ty));
        self.code.calls.push(CallParam { name: name.to_owned(), method: true, ret });
        self.types.calls.push(callee);
        let call = CallId::new(self.code.calls.len() - 1);
        self.expr(Expr::Call { call, args })
    }

    /// `let v = init;`
    pub fn bind(&mut self, init: ExprId) -> LocalId {
        let local = self.local(LocalKind::Temp, None);
        self.push(Stmt::Let { local, init: Some(init) });
        local
    }

    /// `place = value;`
    pub fn assign(&mut self, place: Place, value: ExprId) {
        let src = self.src();
        self.push(Stmt::Assign { place, value, src });
    }

    /// A subscript.
    pub fn access(&mut self, name: &str, write: bool) -> AccessId {
        let src = self.src();
        self.code.accesses.push(Access { name: name.to_owned(), write, read: !write, src, bracket: src });
        AccessId::new(self.code.accesses.len() - 1)
    }

    /// The place `base[index]` with its check before it; `index` is a variable.
    pub fn at(&mut self, name: &str, mut base: Place, index: LocalId, write: bool) -> Place {
        let access = self.access(name, write);
        let (checked, used, src) = (self.get(index), self.get(index), self.src());
        self.push(Stmt::Check { check: Check::Bounds { access, base: base.clone(), index: checked }, src });
        base.projections.push(Projection::Index { index: used, access });
        base
    }
}
