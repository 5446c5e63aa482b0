//! Makes templates for tests, as the macros would.
use crate::valid::{KernelInfo, finalise};
use omp_ir::desc::{Prim, TypeDesc};
use omp_ir::ids::{
    AccessId, ArrayId, CallId, ConstId, ExprId, FnId, LabelId, LocalId, ScalarId, SlotId, SrcId,
};
use omp_ir::kernel::{Callee, CodeTypes, ConstValue, Kernel, RegionTypes};
use omp_ir::template::*;

pub static F32: TypeDesc = TypeDesc::Prim(Prim::F32);
pub static F64: TypeDesc = TypeDesc::Prim(Prim::F64);
pub static I32: TypeDesc = TypeDesc::Prim(Prim::I32);
pub static U8: TypeDesc = TypeDesc::Prim(Prim::U8);
pub static U32: TypeDesc = TypeDesc::Prim(Prim::U32);
pub static USIZE: TypeDesc = TypeDesc::Prim(Prim::Usize);
pub static BOOL: TypeDesc = TypeDesc::Prim(Prim::Bool);

/// A body in the making.
#[derive(Default)]
pub struct Make {
    pub code: Code,
    pub types: CodeTypes,
    blocks: Vec<Vec<Stmt>>,
}

impl Make {
    pub fn new() -> Self {
        let mut make = Self { blocks: vec![Vec::new()], ..Self::default() };
        make.code.srcs.push(Src { line: 1, column: 1 });
        make.types.file = "src/main.rs";
        make
    }

    fn src(&mut self) -> SrcId {
        self.code.srcs.push(Src { line: self.code.srcs.len() as u32 + 1, column: 5 });
        SrcId::new(self.code.srcs.len() - 1)
    }

    pub fn slot(&mut self, ty: &'static TypeDesc) -> SlotId {
        self.types.slots.push(Some(ty));
        self.code.slots += 1;
        SlotId::new(self.types.slots.len() - 1)
    }

    pub fn local(&mut self, name: &str, kind: LocalKind, ty: Option<&'static TypeDesc>) -> LocalId {
        let slot = ty.map(|ty| self.slot(ty));
        self.code.locals.push(Local { name: name.to_owned(), kind, slot, mutable: false });
        LocalId::new(self.code.locals.len() - 1)
    }

    pub fn user(&mut self, name: &str, ty: &'static TypeDesc) -> LocalId {
        self.local(name, LocalKind::User, Some(ty))
    }

    pub fn temp(&mut self, ty: &'static TypeDesc) -> LocalId {
        self.local("t", LocalKind::Temp, Some(ty))
    }

    pub fn expr(&mut self, expr: Expr) -> ExprId {
        let src = self.src();
        self.code.exprs.push(ExprNode { expr, src });
        ExprId::new(self.code.exprs.len() - 1)
    }

    pub fn int(&mut self, value: u128, prim: Prim) -> ExprId {
        self.expr(Expr::Int { value, negative: false, ty: TyRef::Prim(prim) })
    }

    pub fn float(&mut self, digits: &str, prim: Prim) -> ExprId {
        self.expr(Expr::Float { digits: digits.to_owned(), negative: false, ty: TyRef::Prim(prim) })
    }

    pub fn bin(&mut self, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
        self.expr(Expr::Binary(op, a, b))
    }

    pub fn cast(&mut self, value: ExprId, prim: Prim) -> ExprId {
        self.expr(Expr::Cast { value, ty: TyRef::Prim(prim) })
    }

    pub fn get(&mut self, local: LocalId) -> ExprId {
        self.load(Place { base: Base::Local(local), projections: vec![] })
    }

    pub fn scalar(&mut self, scalar: ScalarId) -> ExprId {
        self.load(Place { base: Base::Scalar(scalar), projections: vec![] })
    }

    pub fn load(&mut self, place: Place) -> ExprId {
        self.expr(Expr::Load(place))
    }

    /// `base[index]`, with its check before. The index is made twice, by `index`.
    pub fn at(
        &mut self,
        base: Base,
        name: &str,
        (read, write): (bool, bool),
        index: impl Fn(&mut Self) -> ExprId,
    ) -> Place {
        let src = self.src();
        self.code.accesses.push(Access { name: name.to_owned(), write, read, src, bracket: src });
        let access = AccessId::new(self.code.accesses.len() - 1);
        let checked = index(self);
        let check = Check::Bounds { access, base: Place { base, projections: vec![] }, index: checked };
        self.push(Stmt::Check { check, src });
        let index = index(self);
        Place { base, projections: vec![Projection::Index { index, access }] }
    }

    pub fn call(
        &mut self,
        name: &str,
        ret: Option<&'static TypeDesc>,
        callee: Callee,
        args: Vec<ExprId>,
    ) -> ExprId {
        let ret = ret.map(|ty| self.slot(ty));
        self.code.calls.push(CallParam { name: name.to_owned(), method: callee == Callee::Builtin, ret });
        self.types.calls.push(callee);
        self.expr(Expr::Call { call: CallId::new(self.code.calls.len() - 1), args })
    }

    pub fn konst(&mut self, name: &str, ty: &'static TypeDesc, bytes: Vec<u8>) -> ConstId {
        let slot = self.slot(ty);
        self.code.consts.push(ConstParam { name: name.to_owned(), slot });
        self.types.consts.push(ConstValue { ty, bytes });
        ConstId::new(self.code.consts.len() - 1)
    }

    pub fn push(&mut self, stmt: Stmt) {
        self.blocks.last_mut().expect("a block is open").push(stmt);
    }

    pub fn set(&mut self, place: Place, value: ExprId) {
        let src = self.src();
        self.push(Stmt::Assign { place, value, src });
    }

    pub fn set_local(&mut self, local: LocalId, value: ExprId) {
        self.set(Place { base: Base::Local(local), projections: vec![] }, value);
    }

    pub fn declare(&mut self, local: LocalId, init: Option<ExprId>) {
        self.push(Stmt::Let { local, init });
    }

    pub fn check(&mut self, check: Check) {
        let src = self.src();
        self.push(Stmt::Check { check, src });
    }

    pub fn block(&mut self, f: impl FnOnce(&mut Self)) -> Block {
        self.blocks.push(Vec::new());
        f(self);
        Block(self.blocks.pop().expect("it was opened"))
    }

    pub fn branch(&mut self, cond: ExprId, then: impl FnOnce(&mut Self), els: impl FnOnce(&mut Self)) {
        let (then, els) = (self.block(then), self.block(els));
        self.push(Stmt::If { cond, then, els });
    }

    pub fn count(&mut self, label: u32, var: LocalId, lo: ExprId, hi: ExprId, body: impl FnOnce(&mut Self)) {
        let body = self.block(body);
        let src = self.src();
        let range = Range { lo: Some(lo), hi: Some(hi), inclusive: false, adaptors: vec![] };
        self.push(Stmt::For { label: LabelId(label), var, range, body, src });
    }

    fn close(mut self) -> (Code, CodeTypes) {
        self.code.block = Block(self.blocks.pop().expect("the outermost block"));
        (self.code, self.types)
    }

    pub fn into_fn(self, name: &str, params: Vec<LocalId>, ret: Option<SlotId>) -> (FnTemplate, CodeTypes) {
        let (code, types) = self.close();
        (FnTemplate { name: name.to_owned(), params, ret, code }, types)
    }
}

/// A region in the making.
pub struct Region {
    pub make: Make,
    pub template: KernelTemplate,
    pub arrays: Vec<Option<&'static TypeDesc>>,
    pub fns: Vec<(FnTemplate, CodeTypes)>,
}

impl Region {
    pub fn new(name: &str) -> Self {
        Self {
            make: Make::new(),
            template: KernelTemplate {
                name: name.to_owned(),
                arrays: vec![],
                scalars: vec![],
                dims: vec![],
                reductions: vec![],
                scan: None,
                inner_scans: false,
                code: Code::default(),
                fp: FpMode::Contract,
                trust_disjoint: vec![],
                check_disjoint: vec![],
                unchecked: vec![],
                unchecked_all: false,
            },
            arrays: vec![],
            fns: vec![],
        }
    }

    pub fn array(&mut self, name: &str, elem: &'static TypeDesc, (read, written): (bool, bool)) -> ArrayId {
        self.template.arrays.push(ArrayParam {
            name: name.to_owned(),
            section: false,
            map: None,
            written,
            read,
        });
        self.arrays.push(Some(elem));
        ArrayId::new(self.arrays.len() - 1)
    }

    pub fn scalar(&mut self, name: &str, ty: &'static TypeDesc) -> ScalarId {
        let slot = self.make.slot(ty);
        self.template.scalars.push(ScalarParam { name: name.to_owned(), slot, array: None });
        ScalarId::new(self.template.scalars.len() - 1)
    }

    /// `for name in 0..n`
    pub fn dim(&mut self, name: &str, n: ScalarId) -> LocalId {
        let var = self.make.local(name, LocalKind::Loop, Some(&USIZE));
        let lo = self.make.int(0, Prim::Usize);
        let hi = self.make.scalar(n);
        let range = Range { lo: Some(lo), hi: Some(hi), inclusive: false, adaptors: vec![] };
        self.template.dims.push(Dim { var, range, host: true, src: SrcId(0) });
        var
    }

    pub fn reduction(&mut self, name: &str, op: ReduceOp, ty: &'static TypeDesc) -> LocalId {
        let local = self.make.local(name, LocalKind::Reduction, Some(ty));
        self.template.reductions.push(Reduction::of_local(name.to_owned(), op, local));
        local
    }

    pub fn function(&mut self, f: (FnTemplate, CodeTypes)) -> FnId {
        self.fns.push(f);
        FnId::new(self.fns.len() - 1)
    }

    pub fn finish(mut self, overflow_checks: bool) -> (Kernel, KernelInfo) {
        let (code, types) = self.make.close();
        self.template.code = code;
        let types = RegionTypes { arrays: self.arrays, code: types, fns: self.fns };
        finalise(self.template, types, overflow_checks).expect("the kernel is well typed")
    }
}
