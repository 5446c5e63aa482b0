//! A sketch pad for hand-made kernels, and Rust values as bytes.
#![allow(missing_docs, clippy::cast_lossless)]
use omp_ir::analysis::plan::DimValues;
use omp_ir::desc::{Prim, TypeDesc};
use omp_ir::ids::{AccessId, ArrayId, CallId, ConstId, ExprId, LabelId, LocalId, ScalarId, SlotId, SrcId};
use omp_ir::kernel::{Callee, CodeTypes, ConstValue, Kernel, RegionTypes};
use omp_ir::template::*;
use omp_kernels::interp::{self, Failure, Memory};
use omp_kernels::valid::{KernelInfo, TypeError, finalise};

/// A primitive of Rust.
pub trait Scalar: Copy + std::fmt::Debug + PartialEq {
    const PRIM: Prim;
    fn bits(self) -> u64;
    fn from_bits(bits: u64) -> Self;
}

macro_rules! scalars {
    ($($T:ident $prim:ident $to:expr, $from:expr;)*) => { $(
        impl Scalar for $T {
            const PRIM: Prim = Prim::$prim;
            fn bits(self) -> u64 {
                let to: fn($T) -> u64 = $to;
                to(self)
            }
            fn from_bits(bits: u64) -> Self {
                let from: fn(u64) -> $T = $from;
                from(bits)
            }
        }
    )* };
}
scalars! {
    bool Bool u64::from, |b| b != 0;
    i8 I8 |v| v as u8 as u64, |b| b as i8;
    i16 I16 |v| v as u16 as u64, |b| b as i16;
    i32 I32 |v| v as u32 as u64, |b| b as i32;
    i64 I64 |v| v as u64, |b| b as i64;
    isize Isize |v| v as u64, |b| b as isize;
    u8 U8 |v| v as u64, |b| b as u8;
    u16 U16 |v| v as u64, |b| b as u16;
    u32 U32 |v| v as u64, |b| b as u32;
    u64 U64 |v| v, |b| b;
    usize Usize |v| v as u64, |b| b as usize;
    f32 F32 |v| v.to_bits() as u64, |b| f32::from_bits(b as u32);
    f64 F64 |v| v.to_bits(), f64::from_bits;
}

/// The description of a primitive.
pub fn desc(prim: Prim) -> &'static TypeDesc {
    macro_rules! table {
        ($($p:ident)*) => {
            match prim { $(Prim::$p => const { &TypeDesc::Prim(Prim::$p) }),* }
        };
    }
    table!(Bool I8 I16 I32 I64 Isize U8 U16 U32 U64 Usize F32 F64 Char U128)
}

pub fn bytes<T: Scalar>(values: &[T]) -> Vec<u8> {
    values.iter().flat_map(|v| v.bits().to_le_bytes()[..T::PRIM.size()].to_vec()).collect()
}

pub fn values<T: Scalar>(bytes: &[u8]) -> Vec<T> {
    let one = |chunk: &[u8]| {
        let mut wide = [0; 8];
        wide[..chunk.len()].copy_from_slice(chunk);
        T::from_bits(u64::from_le_bytes(wide))
    };
    bytes.chunks(T::PRIM.size()).map(one).collect()
}

/// The sketch of one body: a region's, or a function's.
#[derive(Default)]
pub struct Body {
    pub code: Code,
    pub types: CodeTypes,
    /// Blocks that are being written; the innermost last.
    open: Vec<Vec<Stmt>>,
}

impl Body {
    pub fn new() -> Self {
        let mut code = Code::default();
        code.srcs.push(Src { line: 1, column: 1 });
        Self { code, types: CodeTypes { file: "test.rs", ..CodeTypes::default() }, open: vec![Vec::new()] }
    }

    /// The next expressions and statements stand on this line.
    pub fn line(&mut self, line: u32) -> SrcId {
        self.code.srcs.push(Src { line, column: 5 });
        self.src()
    }

    pub fn src(&self) -> SrcId {
        SrcId::new(self.code.srcs.len() - 1)
    }

    pub fn slot(&mut self, ty: Option<&'static TypeDesc>) -> SlotId {
        self.types.slots.push(ty);
        self.code.slots += 1;
        SlotId::new(self.types.slots.len() - 1)
    }

    pub fn local(&mut self, name: &str, kind: LocalKind, ty: Option<&'static TypeDesc>) -> LocalId {
        let slot = ty.map(|ty| self.slot(Some(ty)));
        self.code.locals.push(Local { name: name.into(), kind, slot, mutable: kind != LocalKind::Slice });
        LocalId::new(self.code.locals.len() - 1)
    }

    pub fn expr(&mut self, expr: Expr) -> ExprId {
        let src = self.src();
        self.code.exprs.push(ExprNode { expr, src });
        ExprId::new(self.code.exprs.len() - 1)
    }

    pub fn push(&mut self, stmt: Stmt) {
        self.open.last_mut().unwrap().push(stmt);
    }

    /// What `write` writes, as a block of its own.
    pub fn block(&mut self, write: impl FnOnce(&mut Self)) -> Block {
        self.open.push(Vec::new());
        write(self);
        Block(self.open.pop().unwrap())
    }

    pub fn int(&mut self, prim: Prim, value: i128) -> ExprId {
        self.expr(Expr::Int { value: value.unsigned_abs(), negative: value < 0, ty: TyRef::Prim(prim) })
    }

    pub fn float(&mut self, prim: Prim, digits: &str) -> ExprId {
        self.expr(Expr::Float { digits: digits.into(), negative: false, ty: TyRef::Prim(prim) })
    }

    pub fn get(&mut self, local: LocalId) -> ExprId {
        self.expr(Expr::Load(place(Base::Local(local))))
    }

    pub fn scalar(&mut self, scalar: ScalarId) -> ExprId {
        self.expr(Expr::Load(place(Base::Scalar(scalar))))
    }

    pub fn field(&mut self, local: LocalId, name: &str) -> ExprId {
        let projections = vec![Projection::Field(name.into())];
        self.expr(Expr::Load(Place { base: Base::Local(local), projections }))
    }

    pub fn binary(&mut self, op: BinOp, lhs: ExprId, rhs: ExprId) -> ExprId {
        self.expr(Expr::Binary(op, lhs, rhs))
    }

    pub fn cast(&mut self, value: ExprId, to: Prim) -> ExprId {
        self.expr(Expr::Cast { value, ty: TyRef::Prim(to) })
    }

    pub fn call(
        &mut self,
        name: &str,
        callee: Callee,
        ret: Option<&'static TypeDesc>,
        args: Vec<ExprId>,
    ) -> ExprId {
        let ret = ret.map(|ty| self.slot(Some(ty)));
        self.code.calls.push(CallParam { name: name.into(), method: true, ret });
        self.types.calls.push(callee);
        let call = CallId::new(self.code.calls.len() - 1);
        self.expr(Expr::Call { call, args })
    }

    pub fn method(&mut self, name: &str, args: Vec<ExprId>) -> ExprId {
        self.call(name, Callee::Builtin, None, args)
    }

    pub fn konst<T: Scalar>(&mut self, name: &str, value: T) -> ConstId {
        let slot = self.slot(Some(desc(T::PRIM)));
        self.code.consts.push(ConstParam { name: name.into(), slot });
        self.types.consts.push(ConstValue { ty: desc(T::PRIM), bytes: bytes(&[value]) });
        ConstId::new(self.code.consts.len() - 1)
    }

    pub fn bind(&mut self, name: &str, ty: Option<&'static TypeDesc>, init: ExprId) -> LocalId {
        let local = self.local(name, LocalKind::User, ty);
        self.push(Stmt::Let { local, init: Some(init) });
        local
    }

    pub fn access(&mut self, name: &str, write: bool) -> AccessId {
        let src = self.src();
        self.code.accesses.push(Access { name: name.into(), write, read: !write, src, bracket: src });
        AccessId::new(self.code.accesses.len() - 1)
    }

    /// The place `base[index()]`, with its check.
    pub fn at(&mut self, base: Place, write: bool, mut index: impl FnMut(&mut Self) -> ExprId) -> Place {
        let access = self.access("x", write);
        let (checked, used) = (index(self), index(self));
        let src = self.src();
        self.push(Stmt::Check { check: Check::Bounds { access, base: base.clone(), index: checked }, src });
        let mut place = base;
        place.projections.push(Projection::Index { index: used, access });
        place
    }

    pub fn load(&mut self, base: Place, index: impl FnMut(&mut Self) -> ExprId) -> ExprId {
        let place = self.at(base, false, index);
        self.expr(Expr::Load(place))
    }

    pub fn store(&mut self, base: Place, index: impl FnMut(&mut Self) -> ExprId, value: ExprId) {
        let place = self.at(base, true, index);
        self.assign(place, value);
    }

    pub fn assign(&mut self, place: Place, value: ExprId) {
        let src = self.src();
        self.push(Stmt::Assign { place, value, src });
    }

    /// A `usize` loop `lo..hi`.
    pub fn range(&mut self, lo: ExprId, hi: ExprId) -> Range {
        let _ = self;
        Range { lo: Some(lo), hi: Some(hi), inclusive: false, adaptors: Vec::new() }
    }

    pub fn finish(mut self) -> (Code, CodeTypes) {
        self.code.block = Block(self.open.pop().unwrap());
        (self.code, self.types)
    }
}

pub fn place(base: Base) -> Place {
    Place { base, projections: Vec::new() }
}

pub fn label(n: u32) -> LabelId {
    LabelId(n)
}

/// The sketch of a region.
pub struct Sketch {
    pub body: Body,
    pub template: KernelTemplate,
    pub arrays: Vec<Option<&'static TypeDesc>>,
    pub fns: Vec<(FnTemplate, CodeTypes)>,
    pub memory: Memory,
}

impl Sketch {
    /// A region over `0..n` with the variable that is given back.
    pub fn new(n: u64) -> (Self, LocalId) {
        let mut body = Body::new();
        let var = body.local("i", LocalKind::Loop, Some(desc(Prim::Usize)));
        let range = Range { lo: None, hi: None, inclusive: false, adaptors: Vec::new() };
        let template = KernelTemplate {
            name: "test".into(),
            arrays: Vec::new(),
            scalars: Vec::new(),
            dims: vec![Dim { var, range, host: true, src: SrcId(0) }],
            reductions: Vec::new(),
            scan: None,
            inner_scans: false,
            code: Code::default(),
            fp: FpMode::Strict,
            trust_disjoint: Vec::new(),
            check_disjoint: Vec::new(),
            unchecked: Vec::new(),
            unchecked_all: false,
        };
        let dims = vec![Some(DimValues { first: 0, step: 1, count: n })];
        let memory = Memory { arrays: Vec::new(), scalars: Vec::new(), dims };
        (Self { body, template, arrays: Vec::new(), fns: Vec::new(), memory }, var)
    }

    pub fn array_of(&mut self, name: &str, elem: &'static TypeDesc, data: Vec<u8>) -> ArrayId {
        self.template.arrays.push(ArrayParam {
            name: name.into(),
            section: false,
            map: None,
            written: true,
            read: true,
        });
        self.arrays.push(Some(elem));
        self.memory.arrays.push(data);
        ArrayId::new(self.arrays.len() - 1)
    }

    pub fn array<T: Scalar>(&mut self, name: &str, data: &[T]) -> ArrayId {
        self.array_of(name, desc(T::PRIM), bytes(data))
    }

    pub fn scalar_of(&mut self, name: &str, ty: &'static TypeDesc, data: Vec<u8>) -> ScalarId {
        let slot = self.body.slot(Some(ty));
        self.template.scalars.push(ScalarParam { name: name.into(), slot, array: None });
        self.memory.scalars.push(data);
        ScalarId::new(self.template.scalars.len() - 1)
    }

    pub fn scalar<T: Scalar>(&mut self, name: &str, value: T) -> ScalarId {
        self.scalar_of(name, desc(T::PRIM), bytes(&[value]))
    }

    pub fn reduction<T: Scalar>(&mut self, name: &str, op: ReduceOp) -> LocalId {
        let local = self.body.local(name, LocalKind::Reduction, Some(desc(T::PRIM)));
        self.template.reductions.push(Reduction::of_local(name.into(), op, local));
        local
    }

    pub fn function(&mut self, name: &str, params: Vec<LocalId>, ret: Option<SlotId>, body: Body) -> Callee {
        let (code, types) = body.finish();
        self.fns.push((FnTemplate { name: name.into(), params, ret, code }, types));
        Callee::Fn(omp_ir::ids::FnId::new(self.fns.len() - 1))
    }

    pub fn finalise(self, overflow_checks: bool) -> Result<(Kernel, KernelInfo, Memory), TypeError> {
        let Self { body, mut template, arrays, fns, memory } = self;
        let (code, types) = body.finish();
        template.code = code;
        let types = RegionTypes { arrays, code: types, fns };
        let (kernel, info) = finalise(template, types, overflow_checks)?;
        Ok((kernel, info, memory))
    }

    /// The memory afterwards and the reduced values.
    pub fn run(self, overflow_checks: bool) -> Result<(Memory, Vec<Vec<u8>>), Failure> {
        let (kernel, info, mut memory) = self.finalise(overflow_checks).expect("the sketch is well typed");
        let reduced = interp::run(&kernel, &info, &mut memory)?;
        Ok((memory, reduced))
    }
}
