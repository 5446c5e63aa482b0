//! Hand-made kernels for the snapshots: one or more for each statement, schedule and strategy.
use crate::valid::{KernelInfo, finalise};
use kernel_samples::build::{BOOL, F32, F64, I32, U8, U32, USIZE};
use kernel_samples::sketch::{Body, Region, range};
use omp_ir::desc::{EnumDesc, FieldDesc, OptionDesc, OptionLayout, Prim, StructDesc, TypeDesc};
use omp_ir::ids::{FnId, LabelId, LocalId, ScalarId};
use omp_ir::kernel::{Callee, Kernel};
use omp_ir::template::*;

const R: (bool, bool) = (true, false);
const W: (bool, bool) = (false, true);
const RW: (bool, bool) = (true, true);

fn region(name: &str) -> Region {
    Region::new(name, "src/main.rs", FpMode::Contract)
}

/// `for name in 0..n`
fn dim(r: &mut Region, name: &str, n: ScalarId) -> LocalId {
    let (lo, hi) = (r.body.int(Prim::Usize, 0), r.body.scalar(n));
    r.dim(name, range(Some(lo), Some(hi)))
}

fn finish(r: Region, overflow_checks: bool) -> (Kernel, KernelInfo) {
    let (template, types) = r.finish();
    finalise(template, types, overflow_checks).expect("the kernel is well typed")
}

/// `y[i] = a * x[i] + y[i]`
pub fn saxpy() -> (Kernel, KernelInfo) {
    let mut r = region("saxpy");
    let (x, y) = (r.array("x", &F32, R), r.array("y", &F32, RW));
    let (n, a) = (r.scalar("n", &USIZE), r.scalar("a", &F32));
    let i = dim(&mut r, "i", n);
    let m = &mut r.body;
    let px = m.at(Base::Array(x), "x", R, |m| m.get(i));
    let py = m.at(Base::Array(y), "y", R, |m| m.get(i));
    let (a, vx, vy) = (m.scalar(a), m.load(px), m.load(py));
    let ax = m.binary(BinOp::Mul, a, vx);
    let sum = m.binary(BinOp::Add, ax, vy);
    let target = m.at(Base::Array(y), "y", W, |m| m.get(i));
    m.assign(target, sum);
    finish(r, false)
}

/// `for i { let width = K * 2; let mut s = 0.0; for k in 0..width { s += x[k]; } y[i] = s }` with `K = taps`
pub fn taps(taps: u64) -> (Kernel, KernelInfo) {
    let mut r = region("taps");
    let (x, y) = (r.array("x", &F32, R), r.array("y", &F32, W));
    let n = r.scalar("n", &USIZE);
    let i = dim(&mut r, "i", n);
    let m = &mut r.body;
    let taps = m.konst("K", &USIZE, taps.to_le_bytes().to_vec());
    let (width, s) = (m.user("width", &USIZE), m.user("s", &F32));
    let k = m.local("k", LocalKind::Loop, Some(&USIZE));
    let (taps, two) = (m.load(Base::Const(taps)), m.int(Prim::Usize, 2));
    let product = m.binary(BinOp::Mul, taps, two);
    m.declare(width, Some(product));
    let zero = m.float(Prim::F32, "0.0");
    m.declare(s, Some(zero));
    let (lo, hi) = (m.int(Prim::Usize, 0), m.get(width));
    m.count(0, k, lo, hi, |m| {
        let place = m.at(Base::Array(x), "x", R, |m| m.get(k));
        let (old, value) = (m.get(s), m.load(place));
        let sum = m.binary(BinOp::Add, old, value);
        m.assign(Base::Local(s), sum);
    });
    let place = m.at(Base::Array(y), "y", W, |m| m.get(i));
    let value = m.get(s);
    m.assign(place, value);
    finish(r, false)
}

/// `for j { for i { let mut s = 0.0; for k in 0..n { s += a[i*n+k] * b[k*n+j] } c[i*n+j] = s } }`
pub fn matmul() -> (Kernel, KernelInfo) {
    let mut r = region("matmul");
    let (a, b, c) = (r.array("a", &F32, R), r.array("b", &F32, R), r.array("c", &F32, W));
    let n = r.scalar("n", &USIZE);
    let (i, j) = (dim(&mut r, "i", n), dim(&mut r, "j", n));
    let m = &mut r.body;
    let s = m.user("s", &F32);
    let k = m.local("k", LocalKind::Loop, Some(&USIZE));
    let zero = m.float(Prim::F32, "0.0");
    m.declare(s, Some(zero));
    let row = |row, col| {
        move |m: &mut Body| {
            let (row, n, col) = (m.get(row), m.scalar(n), m.get(col));
            let start = m.binary(BinOp::Mul, row, n);
            m.binary(BinOp::Add, start, col)
        }
    };
    let (lo, hi) = (m.int(Prim::Usize, 0), m.scalar(n));
    m.count(0, k, lo, hi, |m| {
        let pa = m.at(Base::Array(a), "a", R, row(i, k));
        let pb = m.at(Base::Array(b), "b", R, row(k, j));
        let (va, vb) = (m.load(pa), m.load(pb));
        let product = m.binary(BinOp::Mul, va, vb);
        let old = m.get(s);
        let sum = m.binary(BinOp::Add, old, product);
        m.assign(Base::Local(s), sum);
    });
    let pc = m.at(Base::Array(c), "c", W, row(i, j));
    let value = m.get(s);
    m.assign(pc, value);
    finish(r, false)
}

/// Sum of `f64` products, and the largest `i32`.
pub fn reductions() -> (Kernel, KernelInfo) {
    let mut r = region("dot_and_max");
    let (x, y, z) = (r.array("x", &F64, R), r.array("y", &F64, R), r.array("z", &I32, R));
    let n = r.scalar("n", &USIZE);
    let i = dim(&mut r, "i", n);
    let (sum, top) = (r.reduction("sum", ReduceOp::Add, &F64), r.reduction("max", ReduceOp::Max, &I32));
    let m = &mut r.body;
    let px = m.at(Base::Array(x), "x", R, |m| m.get(i));
    let py = m.at(Base::Array(y), "y", R, |m| m.get(i));
    let (vx, vy, old) = (m.load(px), m.load(py), m.get(sum));
    let product = m.binary(BinOp::Mul, vx, vy);
    let next = m.binary(BinOp::Add, old, product);
    m.assign(Base::Local(sum), next);
    let pz = m.at(Base::Array(z), "z", R, |m| m.get(i));
    let (old, vz) = (m.get(top), m.load(pz));
    let max = m.call("max", Callee::Builtin, Some(&I32), vec![old, vz]);
    m.assign(Base::Local(top), max);
    finish(r, false)
}

/// One `i32` sum.
pub fn sum_i32() -> (Kernel, KernelInfo) {
    let mut r = region("sum");
    let x = r.array("x", &I32, R);
    let n = r.scalar("n", &USIZE);
    let i = dim(&mut r, "i", n);
    let sum = r.reduction("sum", ReduceOp::Add, &I32);
    let m = &mut r.body;
    let px = m.at(Base::Array(x), "x", R, |m| m.get(i));
    let (vx, old) = (m.load(px), m.get(sum));
    let next = m.binary(BinOp::Add, old, vx);
    m.assign(Base::Local(sum), next);
    finish(r, false)
}

/// `y[i] = x[idx[i] as usize] / d[i]`, all integers.
pub fn gather() -> (Kernel, KernelInfo) {
    let mut r = region("gather");
    let (x, idx, d, y) =
        (r.array("x", &I32, R), r.array("idx", &U32, R), r.array("d", &I32, R), r.array("y", &I32, W));
    let n = r.scalar("n", &USIZE);
    let i = dim(&mut r, "i", n);
    let m = &mut r.body;
    let at = m.temp(&USIZE);
    let pi = m.at(Base::Array(idx), "idx", R, |m| m.get(i));
    let index = m.load(pi);
    let index = m.cast(index, Prim::Usize);
    m.declare(at, Some(index));
    let px = m.at(Base::Array(x), "x", R, |m| m.get(at));
    let v = m.temp(&I32);
    let vx = m.load(px);
    m.declare(v, Some(vx));
    let by = m.temp(&I32);
    let pd = m.at(Base::Array(d), "d", R, |m| m.get(i));
    let vd = m.load(pd);
    m.declare(by, Some(vd));
    let (lhs, rhs) = (m.get(v), m.get(by));
    m.check(Check::Divide { access: None, rem: false, lhs, rhs });
    let (lhs, rhs) = (m.get(v), m.get(by));
    let q = m.binary(BinOp::Div, lhs, rhs);
    let py = m.at(Base::Array(y), "y", W, |m| m.get(i));
    m.assign(py, q);
    finish(r, false)
}

/// Rows of a sparse matrix times a vector: loaded bounds and subscripts.
pub fn sparse_rows() -> (Kernel, KernelInfo) {
    let mut r = region("sparse_rows");
    let (row, col) = (r.array("row", &USIZE, R), r.array("col", &U32, R));
    let (val, x, y) = (r.array("val", &F32, R), r.array("x", &F32, R), r.array("y", &F32, W));
    let n = r.scalar("n", &USIZE);
    let i = dim(&mut r, "i", n);
    let m = &mut r.body;
    let (sum, k) = (m.user("sum", &F32), m.local("k", LocalKind::Loop, Some(&USIZE)));
    let zero = m.float(Prim::F32, "0.0");
    m.declare(sum, Some(zero));
    let first = m.at(Base::Array(row), "row", R, |m| m.get(i));
    let next = m.at(Base::Array(row), "row", R, |m| {
        let (i, one) = (m.get(i), m.int(Prim::Usize, 1));
        m.binary(BinOp::Add, i, one)
    });
    let (lo, hi) = (m.load(first), m.load(next));
    m.count(0, k, lo, hi, |m| {
        let at = m.temp(&USIZE);
        let pv = m.at(Base::Array(val), "val", R, |m| m.get(k));
        let pc = m.at(Base::Array(col), "col", R, |m| m.get(k));
        let index = m.load(pc);
        let index = m.cast(index, Prim::Usize);
        m.declare(at, Some(index));
        let px = m.at(Base::Array(x), "x", R, |m| m.get(at));
        let (s, v, x) = (m.get(sum), m.load(pv), m.load(px));
        let term = m.binary(BinOp::Mul, v, x);
        let sum_ = m.binary(BinOp::Add, s, term);
        m.assign(Base::Local(sum), sum_);
    });
    let py = m.at(Base::Array(y), "y", W, |m| m.get(i));
    let s = m.get(sum);
    m.assign(py, s);
    finish(r, false)
}

static BODY_FIELDS: [FieldDesc; 3] = [
    FieldDesc { name: "alive", ty: &BOOL, offset: 12 },
    FieldDesc { name: "mass", ty: &F64, offset: 0 },
    FieldDesc { name: "int", ty: &F32, offset: 8 },
];
static BODY: StructDesc = StructDesc {
    derived: omp_ir::desc::Derived::Nothing,
    name: "Body",
    size: 16,
    align: 8,
    fields: &BODY_FIELDS,
};
static BODY_TY: TypeDesc = TypeDesc::Struct(&BODY);
static PAIR_FIELDS: [FieldDesc; 2] =
    [FieldDesc { name: "0", ty: &I32, offset: 0 }, FieldDesc { name: "1", ty: &BOOL, offset: 4 }];
static PAIR: StructDesc = StructDesc {
    derived: omp_ir::desc::Derived::Order,
    name: "(i32, bool)",
    size: 8,
    align: 4,
    fields: &PAIR_FIELDS,
};
static PAIR_TY: TypeDesc = TypeDesc::Struct(&PAIR);
static KIND: EnumDesc =
    EnumDesc { name: "Kind", size: 1, variants: &[("Cold", -1, 255), ("Warm", 0, 0), ("Hot", 7, 7)] };
static KIND_TY: TypeDesc = TypeDesc::Enum(&KIND);
static OPTION_I32: TypeDesc = TypeDesc::Option(&OptionDesc { of: &I32, layout: Some(OptionLayout::tag(4)) });
static TABLE_TY: TypeDesc = TypeDesc::Array { elem: &F32, len: 3 };

/// Structs, tuples, options, enums, fixed arrays, tables, and methods that give them.
pub fn values() -> (Kernel, KernelInfo) {
    let mut r = region("values");
    let (bodies, kinds, out) =
        (r.array("bodies", &BODY_TY, RW), r.array("kinds", &KIND_TY, R), r.array("out", &I32, RW));
    let n = r.scalar("n", &USIZE);
    let i = dim(&mut r, "i", n);
    let m = &mut r.body;
    let table: Vec<u8> = [1.5f32, f32::INFINITY, 0.1].iter().flat_map(|v| v.to_le_bytes()).collect();
    let table = m.konst("TABLE", &TABLE_TY, table);
    let hot = m.konst("Kind::Hot", &KIND_TY, vec![7]);
    // let body = bodies[i];
    let body = m.user("body", &BODY_TY);
    let place = m.at(Base::Array(bodies), "bodies", R, |m| m.get(i));
    let value = m.load(place);
    m.declare(body, Some(value));
    // bodies[i] = Body { mass: TABLE[i % 3] as f64, ..body };
    let entry = m.at(Base::Const(table), "TABLE", R, |m| {
        let (i, three) = (m.get(i), m.int(Prim::Usize, 3));
        m.binary(BinOp::Rem, i, three)
    });
    let entry = m.load(entry);
    let entry = m.cast(entry, Prim::F64);
    let rest = m.get(body);
    let slot = m.slot(Some(&BODY_TY));
    let new = m.expr(Expr::Struct {
        slot,
        name: String::new(),
        fields: vec![("mass".to_owned(), entry)],
        rest: Some(rest),
    });
    let place = m.at(Base::Array(bodies), "bodies", W, |m| m.get(i));
    m.assign(place, new);
    // let (sum, over) = out[i].overflowing_add(5); let some = out[i].checked_mul(3);
    let pair = m.user("pair", &PAIR_TY);
    let place = m.at(Base::Array(out), "out", R, |m| m.get(i));
    let (value, five) = (m.load(place), m.int(Prim::I32, 5));
    let call = m.call("overflowing_add", Callee::Builtin, Some(&PAIR_TY), vec![value, five]);
    m.declare(pair, Some(call));
    let some = m.user("some", &OPTION_I32);
    let place = m.at(Base::Array(out), "out", R, |m| m.get(i));
    let (value, three) = (m.load(place), m.int(Prim::I32, 3));
    let call = m.call("checked_mul", Callee::Builtin, Some(&OPTION_I32), vec![value, three]);
    m.declare(some, Some(call));
    // w = [0; 3]; w[..] …; if kinds[i] == Kind::Hot && some.is_some() { out[i] = some.unwrap() } else { … }
    let place = m.at(Base::Array(kinds), "kinds", R, |m| m.get(i));
    let (kind, hot) = (m.load(place), m.load(Base::Const(hot)));
    let is_hot = m.binary(BinOp::Eq, kind, hot);
    let option = m.get(some);
    let is_some = m.expr(Expr::IsSome(option));
    let cond = m.binary(BinOp::And, is_hot, is_some);
    m.branch(
        cond,
        |m| {
            let value = m.load(Place { base: Base::Local(some), projections: vec![Projection::Payload] });
            let place = m.at(Base::Array(out), "out", W, |m| m.get(i));
            m.assign(place, value);
        },
        |m| {
            let field = |m: &mut Body, name: &str| {
                m.load(Place {
                    base: Base::Local(pair),
                    projections: vec![Projection::Field(name.to_owned())],
                })
            };
            let (sum, over) = (field(m, "0"), field(m, "1"));
            let over = m.cast(over, Prim::I32);
            let place = m.at(Base::Array(kinds), "kinds", R, |m| m.get(i));
            let kind = m.load(place);
            let kind = m.cast(kind, Prim::I32);
            let sum = m.binary(BinOp::BitXor, sum, over);
            let sum = m.binary(BinOp::Add, sum, kind);
            let place = m.at(Base::Array(out), "out", W, |m| m.get(i));
            m.assign(place, sum);
        },
    );
    finish(r, false)
}

/// A device function on a slice, with a check and an early return, called for a mapped array, a part of one, and a
/// local array.
pub fn device_fn() -> (Kernel, KernelInfo) {
    let mut f = Body::new("src/main.rs");
    let slice = f.local("x", LocalKind::Slice, Some(&F32));
    let from = f.user("from", &USIZE);
    let k = f.local("k", LocalKind::Loop, Some(&USIZE));
    let s = f.user("s", &F32);
    let zero = f.float(Prim::F32, "0.0");
    f.declare(s, Some(zero));
    let lo = f.get(from);
    let hi = f.expr(Expr::Len(Base::Local(slice).into()));
    f.count(0, k, lo, hi, |f| {
        let place = f.at(Base::Local(slice), "x", R, |f| {
            let (k, one) = (f.get(k), f.int(Prim::Usize, 1));
            f.binary(BinOp::Add, k, one)
        });
        let (old, value) = (f.get(s), f.load(place));
        let sum = f.binary(BinOp::Add, old, value);
        f.assign(Base::Local(s), sum);
        let (limit, value) = (f.float(Prim::F32, "100.0"), f.get(s));
        let cond = f.binary(BinOp::Gt, value, limit);
        f.branch(cond, |f| f.push(Stmt::Break(LabelId(0))), |_| {});
    });
    let value = f.get(s);
    f.push(Stmt::Return(Some(value)));
    let ret = f.slot(Some(&F32));
    let f = f.into_fn("sum", vec![slice, from], Some(ret));

    let mut r = region("sum");
    let f = r.function(f);
    let (x, y) = (r.array("x", &F32, R), r.array("y", &F32, W));
    let n = r.scalar("n", &USIZE);
    let i = dim(&mut r, "i", n);
    let m = &mut r.body;
    let w = m.user("w", &TABLE_TY);
    let (slot, value) = (m.slot(Some(&TABLE_TY)), m.float(Prim::F32, "0.25"));
    let repeat = m.expr(Expr::Repeat { slot, value });
    m.declare(w, Some(repeat));
    let (first, second) = (m.temp(&F32), m.temp(&F32));
    let whole = m.load(Base::Array(x));
    let at = m.get(i);
    let call = m.call("sum", Callee::Fn(f), Some(&F32), vec![whole, at]);
    m.declare(first, Some(call));
    let base = Base::Local(w);
    let local = m.expr(Expr::Slice { base: base.into(), lo: None, hi: None, access: None, mutable: false });
    let one = m.int(Prim::Usize, 1);
    let call = m.call("sum", Callee::Fn(f), Some(&F32), vec![local, one]);
    m.declare(second, Some(call));
    let (a, b) = (m.get(first), m.get(second));
    let sum = m.binary(BinOp::Add, a, b);
    let place = m.at(Base::Array(y), "y", W, |m| m.get(i));
    m.assign(place, sum);
    finish(r, false)
}

/// `fn down(n: u32) -> u32 { if n == 0 { return 0 } down(n - 1) }`, called for each element.
pub fn recursion() -> (Kernel, KernelInfo) {
    let mut f = Body::new("src/main.rs");
    let n = f.user("n", &U32);
    let (value, zero) = (f.get(n), f.int(Prim::U32, 0));
    let cond = f.binary(BinOp::Eq, value, zero);
    f.branch(
        cond,
        |f| {
            let zero = f.int(Prim::U32, 0);
            f.push(Stmt::Return(Some(zero)));
        },
        |_| {},
    );
    let (value, one) = (f.get(n), f.int(Prim::U32, 1));
    let less = f.binary(BinOp::Sub, value, one);
    let below = f.temp(&U32);
    let call = f.call("down", Callee::Fn(FnId(0)), Some(&U32), vec![less]);
    f.declare(below, Some(call));
    let value = f.get(below);
    f.push(Stmt::Return(Some(value)));
    let ret = f.slot(Some(&U32));
    let f = f.into_fn("down", vec![n], Some(ret));

    let mut r = region("descend");
    let f = r.function(f);
    let y = r.array("y", &U32, W);
    let n = r.scalar("n", &USIZE);
    let i = dim(&mut r, "i", n);
    let m = &mut r.body;
    let depth = m.temp(&U32);
    let three = m.int(Prim::U32, 3);
    let call = m.call("down", Callee::Fn(f), Some(&U32), vec![three]);
    m.declare(depth, Some(call));
    let value = m.get(depth);
    let place = m.at(Base::Array(y), "y", W, |m| m.get(i));
    m.assign(place, value);
    finish(r, false)
}

/// `y[i] = (x[i] + 1) * x[i] - (3 << x[i])` in a debug build.
pub fn overflow() -> (Kernel, KernelInfo) {
    let mut r = region("overflow");
    let (x, y) = (r.array("x", &I32, R), r.array("y", &I32, W));
    let n = r.scalar("n", &USIZE);
    let i = dim(&mut r, "i", n);
    let m = &mut r.body;
    let v = m.user("v", &I32);
    let place = m.at(Base::Array(x), "x", R, |m| m.get(i));
    let value = m.load(place);
    m.declare(v, Some(value));
    let (v1, v2, v3) = (m.get(v), m.get(v), m.get(v));
    let (one, three) = (m.int(Prim::I32, 1), m.int(Prim::I32, 3));
    let sum = m.binary(BinOp::Add, v1, one);
    let product = m.binary(BinOp::Mul, sum, v2);
    let shifted = m.binary(BinOp::Shl, three, v3);
    let all = m.binary(BinOp::Sub, product, shifted);
    let place = m.at(Base::Array(y), "y", W, |m| m.get(i));
    m.assign(place, all);
    finish(r, true)
}

/// Labelled loops: `'a: for j in 0..8u8 { loop { if … { continue 'a } if … { break 'a } … } }`, `continue` of the
/// parallel loop, and a labelled block.
pub fn jumps() -> (Kernel, KernelInfo) {
    let mut r = region("jumps");
    let y = r.array("y", &U8, RW);
    let n = r.scalar("n", &USIZE);
    let i = dim(&mut r, "i", n);
    let m = &mut r.body;
    let j = m.local("j", LocalKind::Loop, Some(&U8));
    let v = m.user("v", &U8);
    let place = m.at(Base::Array(y), "y", R, |m| m.get(i));
    let value = m.load(place);
    m.declare(v, Some(value));
    let is = |m: &mut Body, op, value| {
        let (v, value) = (m.get(v), m.int(Prim::U8, value));
        m.binary(op, v, value)
    };
    let cond = is(m, BinOp::Eq, 9);
    m.branch(cond, |m| m.push(Stmt::Return(None)), |_| {});
    let (lo, hi) = (m.int(Prim::U8, 0), m.int(Prim::U8, 8));
    m.count(0, j, lo, hi, |m| {
        let body = m.block(|m| {
            let cond = is(m, BinOp::Gt, 200);
            m.branch(cond, |m| m.push(Stmt::Break(LabelId(0))), |_| {});
            let (old, three) = (m.get(v), m.int(Prim::U8, 3));
            let next = m.binary(BinOp::Mul, old, three);
            m.assign(Base::Local(v), next);
            let (old, j) = (m.get(v), m.get(j));
            let next = m.binary(BinOp::Add, old, j);
            m.assign(Base::Local(v), next);
            let cond = is(m, BinOp::Gt, 100);
            m.branch(cond, |m| m.push(Stmt::Continue(LabelId(0))), |_| {});
        });
        m.push(Stmt::Loop { label: LabelId(1), body });
    });
    let body = m.block(|m| {
        let cond = is(m, BinOp::Lt, 50);
        m.branch(cond, |m| m.push(Stmt::Break(LabelId(2))), |_| {});
        let one = m.int(Prim::U8, 1);
        m.assign(Base::Local(v), one);
    });
    m.push(Stmt::Labelled { label: LabelId(2), body });
    let place = m.at(Base::Array(y), "y", W, |m| m.get(i));
    let value = m.get(v);
    m.assign(place, value);
    finish(r, false)
}

/// Rows over teams: a nest with a float sum and an integer `^`, whose results are stored and loaded again, and a
/// collapsed nest with a check.
pub fn teams() -> (Kernel, KernelInfo) {
    use kernel_samples::build::{self, count, int};
    let mut r = build::Region::new("teams");
    let (x, y, k) = (r.array("x", &F32), r.array("y", &F32), r.array("k", &U32));
    let n = r.scalar("n", &USIZE);
    let i = r.dim("i", count(0, &n));
    let sum = r.let_mut("sum", int(0).cast(Prim::F32));
    let top = r.let_mut("top", int(0).cast(Prim::U32));
    r.inner(Level::Team, 1, &[(ReduceOp::Add, &sum), (ReduceOp::BitXor, &top)], |r, items| {
        r.for_("j", count(0, &n), |r, j, _| {
            r.set(&items[0], &items[0] + x.at(&i * &n + &j));
            r.set(&items[1], &items[1] ^ k.at(&j));
        });
    });
    r.set(y.at(&i * &n), &sum * y.at(&i * &n));
    r.inner(Level::Team, 2, &[], |r, _| {
        r.for_("a", count(0, &n), |r, a, _| {
            r.for_("b", count(0, 1), |r, b, _| {
                r.set(y.at(&i * &n + &a + &b), x.at(k.at(&a).cast(Prim::Usize)));
            });
        });
    });
    let (template, types) = r.finish();
    finalise(template, types, false).expect("it is well typed")
}
