//! Finalise and interpret whole hand-made kernels.
use crate::sketch::{Body, Sketch, bytes, desc, label, place, range, values};
use omp_ir::desc::{EnumDesc, FieldDesc, Prim, StructDesc, TypeDesc};
use omp_ir::ids::SrcId;
use omp_ir::kernel::{BoundsVerdict, Callee, Ty};
use omp_ir::template::{
    Adaptor, Base, BinOp, Check, Dim, Expr, LocalKind, Place, Projection, ReduceOp, Stmt,
};

const USIZE: Prim = Prim::Usize;

fn array(a: omp_ir::ids::ArrayId) -> Place {
    place(Base::Array(a))
}

#[test]
fn saxpy() {
    let (mut s, i) = Sketch::new(4);
    let x = s.array("x", &[1.0f32, 2.0, 3.0, 4.0]);
    let y = s.array("y", &[0.5f32; 4]);
    let a = s.scalar("a", 2.0f32);
    let b = &mut s.body;
    let (a, xi, yi) = (b.scalar(a), b.element(array(x), |b| b.get(i)), b.element(array(y), |b| b.get(i)));
    let ax = b.binary(BinOp::Mul, a, xi);
    let sum = b.binary(BinOp::Add, ax, yi);
    b.store(array(y), |b| b.get(i), sum);
    let (kernel, info, mut memory) = s.finalise(true).unwrap();
    assert!(!info.uses_f64 && !info.uses_i64 && !info.recursive);
    assert_eq!(kernel.types.get(kernel.body.expr_ty[sum.index()]), &Ty::Prim(Prim::F32));
    omp_kernels::interp::run(&kernel, &info, &mut memory).unwrap();
    assert_eq!(values::<f32>(&memory.arrays[1]), [2.5, 4.5, 6.5, 8.5]);
}

#[test]
fn reductions_start_at_the_identity() {
    let data: Vec<i16> = vec![3, -4, 7];
    let (mut s, i) = Sketch::new(3);
    let x = s.array("x", &data);
    let ops = [ReduceOp::Add, ReduceOp::Mul, ReduceOp::Min, ReduceOp::Max, ReduceOp::BitXor];
    let items = ops.map(|op| s.reduction::<i16>("r", op));
    let float = s.reduction::<f64>("empty", ReduceOp::Add);
    let b = &mut s.body;
    for (op, item) in ops.into_iter().zip(items) {
        let (old, xi) = (b.get(item), b.element(array(x), |b| b.get(i)));
        let new = match op {
            ReduceOp::Add => b.binary(BinOp::Add, old, xi),
            ReduceOp::Mul => b.binary(BinOp::Mul, old, xi),
            ReduceOp::BitXor => b.binary(BinOp::BitXor, old, xi),
            ReduceOp::Min => b.method("min", vec![old, xi]),
            _ => b.method("max", vec![old, xi]),
        };
        b.assign(place(Base::Local(item)), new);
    }
    let _ = float;
    let (_, reduced) = s.run(true).unwrap();
    let reduced: Vec<i16> = reduced[..5].iter().flat_map(|r| values(r)).collect();
    assert_eq!(reduced, [6, -84, -4, 7, 3 ^ -4 ^ 7]);
}

/// `for k in (0..n).rev().step_by(2) { if k == 2 { continue } ; loop { break } ; s += k }` and a labelled block.
#[test]
fn control_flow() {
    let (mut s, i) = Sketch::new(6);
    let y = s.array("y", &[0u64; 6]);
    let b = &mut s.body;
    let zero = b.int(Prim::U64, 0);
    let sum = b.bind("sum", Some(desc(Prim::U64)), zero);
    let k = b.local("k", LocalKind::Loop, None);
    let (lo, hi, two) = (b.int(USIZE, 0), b.get(i), b.int(USIZE, 2));
    let mut range = range(Some(lo), Some(hi));
    range.adaptors = vec![Adaptor::Rev, Adaptor::StepBy(Some(two))];
    let body = b.block(|b| {
        let (kv, two) = (b.get(k), b.int(USIZE, 2));
        let skip = b.binary(BinOp::Eq, kv, two);
        let then = b.block(|b| b.push(Stmt::Continue(label(0))));
        b.push(Stmt::If { cond: skip, then, els: Default::default() });
        let inner = b.block(|b| {
            let block = b.block(|b| {
                b.push(Stmt::Break(label(2)));
                let one = b.int(Prim::U64, 1000);
                b.assign(place(Base::Local(sum)), one);
            });
            b.push(Stmt::Labelled { label: label(2), body: block });
            b.push(Stmt::Break(label(1)));
        });
        b.push(Stmt::Loop { label: label(1), body: inner });
        let (old, kv) = (b.get(sum), b.get(k));
        let kv = b.cast(kv, Prim::U64);
        let new = b.binary(BinOp::Add, old, kv);
        b.assign(place(Base::Local(sum)), new);
    });
    b.push(Stmt::For { label: label(0), var: k, range, body, src: SrcId(0) });
    let value = b.get(sum);
    b.store(array(y), |b| b.get(i), value);
    let (kernel, info, mut memory) = s.finalise(true).unwrap();
    assert_eq!(kernel.types.get(kernel.body.local_ty[k.index()]), &Ty::Prim(USIZE), "from its range");
    omp_kernels::interp::run(&kernel, &info, &mut memory).unwrap();
    let want: Vec<u64> = (0..6u64).map(|n| (0..n).rev().step_by(2).filter(|&k| k != 2).sum()).collect();
    assert_eq!(values::<u64>(&memory.arrays[0]), want);
}

fn complex() -> &'static TypeDesc {
    const F64: &TypeDesc = &TypeDesc::Prim(Prim::F64);
    static COMPLEX: StructDesc = StructDesc {
        name: "Complex",
        derived: omp_ir::desc::Derived::Nothing,
        size: 24,
        align: 8,
        // rustc may put fields in any order, and padding between them.
        fields: &[
            FieldDesc { name: "re", ty: F64, offset: 16 },
            FieldDesc { name: "im", ty: F64, offset: 0 },
        ],
    };
    static DESC: TypeDesc = TypeDesc::Struct(&COMPLEX);
    &DESC
}

#[test]
fn structs_follow_rustcs_layout() {
    let (mut s, i) = Sketch::new(2);
    let data: Vec<u8> = bytes(&[1.0f64, f64::NAN, 2.0, 3.0, f64::NAN, 4.0]);
    let z = s.array_of("z", complex(), data);
    let b = &mut s.body;
    let value = b.element(array(z), |b| b.get(i));
    let v = b.bind("v", None, value);
    let (re, im, rest) = (b.field(v, "re"), b.field(v, "im"), b.get(v));
    let sum = b.binary(BinOp::Add, re, im);
    let slot = b.slot(Some(complex()));
    let new = b.expr(Expr::Struct {
        slot,
        name: String::new(),
        fields: vec![("im".into(), sum)],
        rest: Some(rest),
    });
    let w = b.bind("w", None, new);
    let mut field = place(Base::Local(w));
    field.projections.push(Projection::Field("re".into()));
    let ten = b.float(Prim::F64, "10.0");
    b.assign(field, ten);
    let value = b.get(w);
    b.store(array(z), |b| b.get(i), value);
    // One field of an element: the other bytes stay.
    let mut re = b.at(array(z), "x", (false, true), |b| b.get(i));
    re.projections.push(Projection::Field("re".into()));
    let eleven = b.float(Prim::F64, "11.0");
    b.assign(re, eleven);
    let (memory, _) = s.run(true).unwrap();
    let z = values::<f64>(&memory.arrays[0]);
    assert_eq!([z[0], z[2], z[3], z[5]], [3.0, 11.0, 7.0, 11.0]);
    assert!(z[1].is_nan() && z[4].is_nan(), "padding is not touched");
}

#[test]
fn enums_are_bits_with_discriminants() {
    static RULE: EnumDesc =
        EnumDesc { name: "Rule", size: 1, variants: &[("Standard", -3, 0), ("Greedy", 700, 1)] };
    static DESC: TypeDesc = TypeDesc::Enum(&RULE);
    let (mut s, i) = Sketch::new(2);
    let x = s.array_of("x", &DESC, vec![0, 1]);
    let y = s.array("y", &[0i64; 2]);
    let b = &mut s.body;
    let (one, other) = (b.element(array(x), |b| b.get(i)), b.element(array(x), |b| b.int(USIZE, 1)));
    let greedy = b.binary(BinOp::Eq, one, other);
    let greedy = b.cast(greedy, Prim::I64);
    let value = b.element(array(x), |b| b.get(i));
    let value = b.cast(value, Prim::I64);
    let sum = b.binary(BinOp::Add, value, greedy);
    b.store(array(y), |b| b.get(i), sum);
    let (memory, _) = s.run(true).unwrap();
    assert_eq!(values::<i64>(&memory.arrays[1]), [-3, 701]);
}

/// `fn sum(x: &[u32], n: u32) -> u32 { if n == 0 { return 0 } x[n - 1] + sum(x, n - 1) }`
#[test]
fn functions_recurse_and_take_slices() {
    let (mut s, i) = Sketch::new(4);
    let x = s.array("x", &[1u32, 20, 300]);
    let y = s.array("y", &[0u32; 4]);
    let mut f = Body::new("test.rs");
    let slice = f.local("x", LocalKind::Slice, Some(desc(Prim::U32)));
    let n = f.local("n", LocalKind::User, Some(desc(Prim::U32)));
    let (nv, zero) = (f.get(n), f.int(Prim::U32, 0));
    let done = f.binary(BinOp::Eq, nv, zero);
    let then = f.block(|f| {
        let zero = f.int(Prim::U32, 0);
        f.push(Stmt::Return(Some(zero)));
    });
    f.push(Stmt::If { cond: done, then, els: Default::default() });
    let less = |f: &mut Body| {
        let (n, one) = (f.get(n), f.int(Prim::U32, 1));
        f.binary(BinOp::Sub, n, one)
    };
    f.line(7);
    let last = f.element(place(Base::Local(slice)), |f| {
        let less = less(f);
        f.cast(less, USIZE)
    });
    let args = vec![f.get(slice), less(&mut f)];
    let this = Callee::Fn(omp_ir::ids::FnId(0));
    let rest = f.call("sum", this, Some(desc(Prim::U32)), args);
    let rest = f.bind("rest", None, rest);
    let rest = f.get(rest);
    let sum = f.binary(BinOp::Add, last, rest);
    f.push(Stmt::Return(Some(sum)));
    let ret = f.slot(Some(desc(Prim::U32)));
    let sum = s.function("sum", vec![slice, n], Some(ret), f);
    let b = &mut s.body;
    let n = b.get(i);
    let args = vec![b.expr(Expr::Load(array(x))), b.cast(n, Prim::U32)];
    let value = b.call("sum", sum, Some(desc(Prim::U32)), args);
    let v = b.bind("v", None, value);
    let value = b.get(v);
    b.store(array(y), |b| b.get(i), value);
    let (kernel, info, mut memory) = s.finalise(true).unwrap();
    assert!(info.recursive);
    omp_kernels::interp::run(&kernel, &info, &mut memory).unwrap();
    assert_eq!(values::<u32>(&memory.arrays[1]), [0, 1, 21, 321]);
    // One too many fails in the function.
    memory.arrays[0].truncate(8);
    let failure = omp_kernels::interp::run(&kernel, &info, &mut memory).unwrap_err();
    assert_eq!(failure.message, "index out of bounds: the len is 2 but the index is 2");
    let f = &kernel.fns[failure.function.unwrap().index()];
    assert_eq!((f.template.name.as_str(), f.body.code.srcs[failure.src.index()].line), ("sum", 7));
}

#[test]
fn slices_of_slices_and_writes_through_them() {
    let (mut s, i) = Sketch::new(1);
    let x = s.array("x", &[0i32, 1, 2, 3, 4, 5]);
    let b = &mut s.body;
    let row = slice_of(b, array(x), 1, Some(5));
    let row = bind_slice(b, "row", row);
    let inner = slice_of(b, place(Base::Local(row)), 2, None);
    let inner = bind_slice(b, "inner", inner);
    let len = b.expr(Expr::Len(place(Base::Local(inner))));
    let len = b.cast(len, Prim::I32);
    b.store(place(Base::Local(inner)), |b| b.int(USIZE, 1), len);
    let _ = i;
    let (memory, _) = s.run(true).unwrap();
    assert_eq!(values::<i32>(&memory.arrays[0]), [0, 1, 2, 3, 2, 5]);
}

fn slice_of(b: &mut Body, base: Place, lo: i128, hi: Option<i128>) -> omp_ir::ids::ExprId {
    let access = b.access("x", (true, false));
    let bounds = |b: &mut Body| (Some(b.int(USIZE, lo)), hi.map(|hi| b.int(USIZE, hi)));
    let ((clo, chi), (lo, hi)) = (bounds(b), bounds(b));
    let check = Check::Slice { access, base: base.clone(), lo: clo, hi: chi, last: None };
    let src = b.src();
    b.push(Stmt::Check { check, src });
    b.expr(Expr::Slice { base, lo, hi, access: Some(access), mutable: false })
}

fn bind_slice(b: &mut Body, name: &str, init: omp_ir::ids::ExprId) -> omp_ir::ids::LocalId {
    let local = b.local(name, LocalKind::Slice, None);
    b.declare(local, Some(init));
    local
}

#[test]
fn slices_fail_in_rusts_words() {
    for (lo, hi) in
        [(3usize, Some(2usize)), (2, Some(7)), (7, Some(2)), (7, Some(8)), (5, None), (0, Some(4)), (3, None)]
    {
        let (mut s, _) = Sketch::new(1);
        let x = s.array("x", &[0i32; 3]);
        let row = slice_of(&mut s.body, array(x), lo as i128, hi.map(|h| h as i128));
        bind_slice(&mut s.body, "row", row);
        let got = s.run(true).map(|_| ()).map_err(|f| f.message);
        let data = std::hint::black_box(vec![0i32; 3]);
        std::panic::set_hook(Box::new(|_| {}));
        let want = std::panic::catch_unwind(|| {
            let _ = match hi {
                Some(hi) => data[lo..hi].len(),
                None => data[lo..].len(),
            };
        });
        let _ = std::panic::take_hook();
        assert_eq!(got, want.map_err(|p| *p.downcast::<String>().unwrap()), "{lo}..{hi:?}");
    }
}

#[test]
fn private_copies_and_dependent_loops() {
    // for i in 0..4 { for j in i..4 { w[0] += 1; y[j] += w[0] * 10^0 } }
    let (mut s, i) = Sketch::new(4);
    let y = s.array("y", &[0u8; 4]);
    static PAIR: TypeDesc = TypeDesc::Array { elem: &TypeDesc::Prim(Prim::U8), len: 2 };
    let w = s.scalar_of("w", &PAIR, vec![7, 9]);
    let j = s.body.local("j", LocalKind::Loop, None);
    let (lo, hi) = (s.body.get(i), s.body.int(USIZE, 4));
    let range = range(Some(lo), Some(hi));
    s.template.dims.push(Dim { var: j, range, host: false, src: SrcId(0) });
    s.memory.dims.push(None);
    let private = s.body.local("w", LocalKind::Private(w), None);
    let b = &mut s.body;
    let old = b.element(place(Base::Local(private)), |b| b.int(USIZE, 0));
    let one = b.int(Prim::U8, 1);
    let new = b.binary(BinOp::Add, old, one);
    b.store(place(Base::Local(private)), |b| b.int(USIZE, 0), new);
    let (old, w) =
        (b.element(array(y), |b| b.get(j)), b.element(place(Base::Local(private)), |b| b.int(USIZE, 0)));
    let sum = b.binary(BinOp::Add, old, w);
    b.store(array(y), |b| b.get(j), sum);
    let (kernel, info, mut memory) = s.finalise(false).unwrap();
    // The constant subscripts of the fixed array are proved.
    let proved = kernel.body.bounds.iter().filter(|b| **b == BoundsVerdict::Proved).count();
    assert!(proved >= 3, "{:?}", kernel.body.bounds);
    omp_kernels::interp::run(&kernel, &info, &mut memory).unwrap();
    assert_eq!(memory.arrays[0], [8, 16, 24, 32]);
    assert_eq!(memory.scalars[0], [7, 9]);
}

#[test]
fn ranges_of_any_integer_type_and_adaptors() {
    use omp_kernels::interp::range_values;
    let list = |lo, hi, inclusive, adaptors: &[Option<i128>]| -> Vec<i16> {
        let v = range_values(lo, hi, inclusive, adaptors).unwrap();
        (0..v.count).map(|k| (v.first + i128::from(k) * v.step) as i16).collect()
    };
    assert_eq!(list(-3, 4, false, &[Some(3)]), (-3i16..4).step_by(3).collect::<Vec<_>>());
    assert_eq!(list(-3, 4, true, &[Some(3), None]), (-3i16..=4).step_by(3).rev().collect::<Vec<_>>());
    assert_eq!(list(0, 10, false, &[None, Some(4)]), (0i16..10).rev().step_by(4).collect::<Vec<_>>());
    assert_eq!(
        list(0, 10, false, &[Some(3), None, Some(2)]),
        (0i16..10).step_by(3).rev().step_by(2).collect::<Vec<_>>()
    );
    assert_eq!(list(5, 5, false, &[None]), [0i16; 0]);
    assert_eq!(list(5, -5, true, &[]), [0i16; 0]);
    assert_eq!(range_values(0, 3, false, &[Some(0)]), None);
    let all = range_values(i128::from(i64::MIN), i128::from(i64::MAX), false, &[]).unwrap();
    assert_eq!((all.first, all.count), (i128::from(i64::MIN), u64::MAX));
}
