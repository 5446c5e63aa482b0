//! Templates and contexts for the tests of `launch`.
use crate::backend::Unavailable;
use crate::backend::api::DeviceFacts;
use crate::backend::erased::{DynDevice, erase};
use crate::backend::mock::{Control, Mock};
use crate::cache::DiskCache;
use crate::device::registry::Registry;
use crate::env::Env;
use crate::launch::{Context, Site, SiteInfo, TypedSite};
use crate::typing::{Describe, Device};
use omp_ir::desc::Prim;
use omp_ir::ids::{AccessId, ArrayId, ExprId, LocalId, ScalarId, SlotId, SrcId};
use omp_ir::template::{
    Access, ArrayParam, Base, BinOp, Block, Check, Code, Dim, Expr, ExprNode, FpMode, KernelTemplate, Local,
    LocalKind, MapType, Place, Projection, Range, ReduceOp, Reduction, ScalarParam, Src, Stmt, TyRef,
};
use omp_kernels::schedule::DeviceKind;
use std::path::Path;
use std::sync::Arc;

/// Writes a template down.
pub struct Builder {
    pub template: KernelTemplate,
}

pub const I: LocalId = LocalId(0);
pub const X: ArrayId = ArrayId(0);
pub const Y: ArrayId = ArrayId(1);

impl Builder {
    /// A loop over `i: usize` in `0..array.len()`; slot 0 is `usize`.
    pub fn over(name: &str, array: ArrayId, arrays: Vec<ArrayParam>) -> Self {
        let mut this = Self {
            template: KernelTemplate {
                name: name.to_owned(),
                arrays,
                scalars: Vec::new(),
                dims: Vec::new(),
                reductions: Vec::new(),
                scan: None,
                inner_scans: false,
                code: Code { slots: 1, ..Code::default() },
                fp: FpMode::default(),
                trust_disjoint: Vec::new(),
                check_disjoint: Vec::new(),
                unchecked: Vec::new(),
                unchecked_all: false,
            },
        };
        let src = this.src(6, 5);
        this.template.code.locals.push(Local {
            name: "i".to_owned(),
            kind: LocalKind::Loop,
            slot: Some(SlotId(0)),
            mutable: false,
        });
        let lo = this.expr(Expr::Int { value: 0, negative: false, ty: TyRef::Slot(SlotId(0)) });
        let hi = this.expr(Expr::Len(place(Base::Array(array))));
        let range = Range { lo: Some(lo), hi: Some(hi), inclusive: false, adaptors: Vec::new() };
        this.template.dims.push(Dim { var: I, range, host: true, src });
        this
    }

    pub fn src(&mut self, line: u32, column: u32) -> SrcId {
        let srcs = &mut self.template.code.srcs;
        srcs.push(Src { line, column });
        SrcId::new(srcs.len() - 1)
    }

    pub fn expr(&mut self, expr: Expr) -> ExprId {
        let src = SrcId::new(self.template.code.srcs.len() - 1);
        self.template.code.exprs.push(ExprNode { expr, src });
        ExprId::new(self.template.code.exprs.len() - 1)
    }

    pub fn local(&mut self, local: LocalId) -> ExprId {
        self.expr(Expr::Load(place(Base::Local(local))))
    }

    pub fn push(&mut self, stmt: Stmt) {
        self.template.code.block.0.push(stmt);
    }

    /// The check of `array[index()]` and the place.
    pub fn at(
        &mut self,
        array: ArrayId,
        write: bool,
        read: bool,
        index: impl Fn(&mut Self) -> ExprId,
    ) -> Place {
        let src = self.src(9, 9);
        let name = self.template.arrays[array.index()].name.clone();
        self.template.code.accesses.push(Access { name, write, read, src, bracket: src });
        let access = AccessId::new(self.template.code.accesses.len() - 1);
        let checked = index(self);
        let check = Check::Bounds { access, base: place(Base::Array(array)), index: checked };
        self.push(Stmt::Check { check, src });
        let index = index(self);
        Place { base: Base::Array(array), projections: vec![Projection::Index { index, access }] }
    }

    /// The value of `array[i]`.
    pub fn load(&mut self, array: ArrayId) -> ExprId {
        let place = self.at(array, false, true, |b| b.local(I));
        self.expr(Expr::Load(place))
    }

    pub fn assign(&mut self, place: Place, value: ExprId) {
        let src = self.src(9, 9);
        self.push(Stmt::Assign { place, value, src });
    }

    /// A typed site of the template; arrays are of these types.
    pub fn site(self, describe: impl FnOnce(&mut Describe)) -> &'static TypedSite {
        let template: &'static [u8] = self.template.to_bytes().leak();
        let info = SiteInfo { template, file: "user.rs", line: 5, column: 3, overflow_checks: false };
        // SAFETY: the template is what the tests' loops do, and `describe` describes its types.
        unsafe {
            let site: &'static Site = Box::leak(Box::new(Site::new(info)));
            site.typed(describe)
        }
    }
}

pub fn place(base: Base) -> Place {
    Place { base, projections: Vec::new() }
}

pub fn array(name: &str, map: Option<MapType>, read: bool, written: bool) -> ArrayParam {
    ArrayParam { name: name.to_owned(), section: false, map, written, read }
}

fn usize_slot(cx: &mut Describe) {
    cx.slot(Some(<usize as Device>::DESC));
}

/// `for i in 0..y.len() { y[i] = a * x[i] + y[i]; }`
pub fn saxpy(map_y: Option<MapType>) -> &'static TypedSite {
    let arrays = vec![array("x", None, true, false), array("y", map_y, true, true)];
    let mut b = Builder::over("saxpy", Y, arrays);
    b.template.scalars.push(ScalarParam { name: "a".to_owned(), slot: SlotId(1), array: None });
    b.template.code.slots = 2;
    let x = b.load(X);
    let y = b.load(Y);
    let to = b.at(Y, true, false, |b| b.local(I));
    let a = b.expr(Expr::Load(place(Base::Scalar(ScalarId(0)))));
    let product = b.expr(Expr::Binary(BinOp::Mul, a, x));
    let sum = b.expr(Expr::Binary(BinOp::Add, product, y));
    b.assign(to, sum);
    b.site(|cx| {
        cx.array(Some(<f32 as Device>::DESC));
        cx.array(Some(<f32 as Device>::DESC));
        usize_slot(cx);
        cx.slot(Some(<f32 as Device>::DESC));
    })
}

/// `for i in 0..x.len() {}`
pub fn idle() -> &'static TypedSite {
    let b = Builder::over("idle", X, vec![array("x", None, false, false)]);
    b.site(|cx| {
        cx.array(Some(<f32 as Device>::DESC));
        usize_slot(cx);
    })
}

/// `for i in 0..y.len() { y[i] = x[i + 1]; }`, under `if y[i] > 0` when `guarded`.
pub fn shifted(guarded: bool) -> &'static TypedSite {
    let arrays = vec![array("x", None, true, false), array("y", None, guarded, true)];
    let mut b = Builder::over("shifted", Y, arrays);
    let cond = guarded.then(|| {
        let y = b.load(Y);
        let zero = b.expr(Expr::Int { value: 0, negative: false, ty: TyRef::Prim(Prim::U32) });
        b.expr(Expr::Binary(BinOp::Gt, y, zero))
    });
    let start = b.template.code.block.0.len();
    let from = b.at(X, false, true, |b| {
        let i = b.local(I);
        let one = b.expr(Expr::Int { value: 1, negative: false, ty: TyRef::Slot(SlotId(0)) });
        b.expr(Expr::Binary(BinOp::Add, i, one))
    });
    let value = b.expr(Expr::Load(from));
    let to = b.at(Y, true, false, |b| b.local(I));
    b.assign(to, value);
    if let Some(cond) = cond {
        let then = Block(b.template.code.block.0.split_off(start));
        b.push(Stmt::If { cond, then, els: Block::default() });
    }
    b.site(|cx| {
        cx.array(Some(<u32 as Device>::DESC));
        cx.array(Some(<u32 as Device>::DESC));
        usize_slot(cx);
    })
}

/// `for i in 0..x.len() { s = s ⊕ x[i]; }`
pub fn reduction<T: Device>(op: ReduceOp, bin: BinOp) -> &'static TypedSite {
    let mut b = Builder::over("total", X, vec![array("x", None, true, false)]);
    b.template.code.slots = 2;
    let s = LocalId(1);
    let local =
        Local { name: "s".to_owned(), kind: LocalKind::Reduction, slot: Some(SlotId(1)), mutable: true };
    b.template.code.locals.push(local);
    b.template.reductions.push(Reduction::of_local("s".to_owned(), op, s));
    let x = b.load(X);
    let old = b.local(s);
    let new = b.expr(Expr::Binary(bin, old, x));
    b.assign(place(Base::Local(s)), new);
    b.site(|cx| {
        cx.array(Some(<T as Device>::DESC));
        usize_slot(cx);
        cx.slot(Some(<T as Device>::DESC));
    })
}

/// `for i in 0..y.len() { y[i] = 100 / x[i]; }`
pub fn quotient() -> &'static TypedSite {
    let arrays = vec![array("x", None, true, false), array("y", None, false, true)];
    let mut b = Builder::over("quotient", Y, arrays);
    let int = |b: &mut Builder| b.expr(Expr::Int { value: 100, negative: false, ty: TyRef::Prim(Prim::I32) });
    let (lhs, rhs) = (int(&mut b), b.load(X));
    let src = b.src(9, 16);
    b.push(Stmt::Check { check: Check::Divide { access: None, rem: false, lhs, rhs }, src });
    let (lhs, rhs) = (int(&mut b), b.load(X));
    let value = b.expr(Expr::Binary(BinOp::Div, lhs, rhs));
    let to = b.at(Y, true, false, |b| b.local(I));
    b.assign(to, value);
    b.site(|cx| {
        cx.array(Some(<i32 as Device>::DESC));
        cx.array(Some(<i32 as Device>::DESC));
        usize_slot(cx);
    })
}

/// Surroundings with one mock device under the control of the test.
pub fn context(env: &[(&str, &str)], disk: Option<&Path>) -> (&'static Context, Arc<Control>) {
    context_of(env, disk, |_| {})
}

/// The same, with a mock that says other things of itself.
pub fn context_of(
    env: &[(&str, &str)],
    disk: Option<&Path>,
    claim: impl Fn(&mut DeviceFacts) + Send + Sync + 'static,
) -> (&'static Context, Arc<Control>) {
    let control = Arc::new(Control::default());
    let shared = Arc::clone(&control);
    let mock =
        move || erase(Mock::with_control(DeviceKind::Cuda, Arc::clone(&shared)).claiming(|f| claim(f)));
    (context_with(env, disk, mock), control)
}

/// The same with another device.
pub fn context_with(
    env: &[(&str, &str)],
    disk: Option<&Path>,
    device: impl Fn() -> Box<dyn DynDevice> + Send + Sync + 'static,
) -> &'static Context {
    let none = || Err(Unavailable { reason: "libOpenCL.so.1 was not found".to_owned() });
    let registry = Registry::new(Box::new(move || Ok(vec![device()])), Box::new(none));
    let env = Env::parse(|n| env.iter().find(|(k, _)| *k == n).map(|(_, v)| (*v).to_owned()));
    let env = env.expect("well formed");
    let context = Context {
        tuner: crate::tune::Tuner::new(&env),
        env,
        registry: Box::leak(Box::new(registry)),
        disk: disk.map(DiskCache::new),
    };
    Box::leak(Box::new(context))
}
