//! What finalisation refuses, what it drops, and how failures are worded.
use crate::sketch::{Body, Sketch, bytes, desc, label, place, values};
use omp_ir::desc::{FieldDesc, OptionDesc, Prim, StructDesc, TypeDesc};
use omp_ir::ids::ExprId;
use omp_ir::kernel::{BoundsVerdict, Callee, Ty};
use omp_ir::template::{Base, BinOp, Check, Expr, LocalKind, Projection, ReduceOp, Stmt, TyRef, UnOp};
use omp_ir::visit;

static COMPLEX: StructDesc = StructDesc {
    name: "Complex",
    derived: omp_ir::desc::Derived::Nothing,
    size: 4,
    align: 4,
    fields: &[FieldDesc { name: "re", ty: &TypeDesc::Prim(Prim::F32), offset: 0 }],
};
static COMPLEX_TY: TypeDesc = TypeDesc::Struct(&COMPLEX);
static BYTES: TypeDesc = TypeDesc::Array { elem: &TypeDesc::Prim(Prim::U8), len: 4 };

/// The error of a body that evaluates one expression of captured values on line 9.
fn refused(types: &[&'static TypeDesc], write: impl FnOnce(&mut Body, &[ExprId]) -> ExprId) -> String {
    let (mut s, _) = Sketch::new(1);
    let scalars: Vec<_> = types.iter().map(|&ty| s.scalar_of("v", ty, vec![0; ty.size().unwrap()])).collect();
    s.body.line(9);
    let loads: Vec<_> = scalars.into_iter().map(|v| s.body.scalar(v)).collect();
    let e = write(&mut s.body, &loads);
    s.body.push(Stmt::Eval(e));
    let error = s.finalise(true).expect_err("it is refused");
    assert_eq!(error.place, Some((9, 5)), "{error}");
    error.message
}

/// rustc has not inferred the types of these expressions, as of arithmetic in subscripts.
#[test]
fn operators() {
    let op =
        |op, l: &'static TypeDesc, r: &'static TypeDesc| refused(&[l, r], |b, v| b.binary(op, v[0], v[1]));
    let (f, i, u) = (desc(Prim::F32), desc(Prim::I32), desc(Prim::U8));
    assert_eq!(
        op(BinOp::Add, &COMPLEX_TY, &COMPLEX_TY),
        "operator `+` on `Complex`: arithmetic in a subscript is that of numbers; for an operator of a type of yours, write `let k = …;` before it, and `k` in the subscript"
    );
    assert_eq!(
        op(BinOp::Mul, f, &COMPLEX_TY),
        "operator `*` on `f32` and `Complex`: arithmetic in a subscript is that of numbers; for an operator of a type of yours, write `let k = …;` before it, and `k` in the subscript"
    );
    assert_eq!(op(BinOp::Add, i, u), "operator `+` on `i32` and `u8`: it takes two numbers of one type");
    assert_eq!(
        op(BinOp::BitAnd, f, f),
        "operator `&` on `f32`: it takes two integers of one type or two bool"
    );
    assert_eq!(op(BinOp::Shl, f, i), "operator `<<` on `f32` and `i32`: it takes two integers");
    assert_eq!(op(BinOp::And, i, i), "operator `&&` on `i32`: it takes two bool");
    assert_eq!(
        op(BinOp::Add, &BYTES, &BYTES),
        "operator `+` on `[u8; 4]`: on devices arrays of numbers are compared, and have no other operators"
    );
    let neg = refused(&[u], |b, v| b.expr(Expr::Unary(UnOp::Neg, v[0])));
    assert_eq!(neg, "operator `-` on `u8`: it takes a signed integer or a float");
}

#[test]
fn casts_methods_and_places() {
    let cast = refused(&[desc(Prim::I32)], |b, v| b.cast(v[0], Prim::Bool));
    assert_eq!(cast, "cast of `i32` as `bool`: numbers don't cast to bool; compare with zero");
    let cast = refused(&[desc(Prim::Bool)], |b, v| b.cast(v[0], Prim::F64));
    assert_eq!(cast, "cast of `bool` as `f64`: it casts to integers");
    let method = refused(&[desc(Prim::F32)], |b, v| b.method("to_string", vec![v[0]]));
    assert!(method.starts_with("method `to_string` of `f32` is not on devices; "), "{method}");
    let method = refused(&[desc(Prim::U8)], |b, v| b.method("signum", vec![v[0]]));
    assert!(method.starts_with("method `signum` of `u8` is not on devices; "), "{method}");
    let argument = refused(&[desc(Prim::F32), desc(Prim::F64)], |b, v| b.method("max", v.to_vec()));
    assert_eq!(argument, "argument 1 of `max` is `f64` where `f32` is needed");
    let field = refused(&[&COMPLEX_TY], |b, v| {
        let v = b.bind("v", None, v[0]);
        b.field(v, "im")
    });
    assert_eq!(field, "`.im` of `Complex`; it needs a field of that name");
    let subscript = refused(&[desc(Prim::I32)], |b, v| {
        let v = b.bind("v", None, v[0]);
        b.element(place(Base::Local(v)), |b| b.int(Prim::Usize, 0))
    });
    assert_eq!(subscript, "a subscript of `i32`; it needs an array or slice");
    let index = refused(&[&BYTES], |b, v| {
        let v = b.bind("v", None, v[0]);
        b.element(place(Base::Local(v)), |b| b.int(Prim::I32, 0))
    });
    assert_eq!(index, "the index is `i32` where `usize` is needed");
    let size = refused(&[], |b, _| {
        let slot = b.slot(None);
        b.expr(Expr::SizeOf { ty: TyRef::Slot(slot) })
    });
    assert_eq!(size, "`size_of` of a type whose layout no device knows");
}

#[test]
fn reductions_and_arrays() {
    let (mut s, _) = Sketch::new(1);
    s.reduction::<bool>("any", ReduceOp::Add);
    assert_eq!(
        s.finalise(true).err().unwrap().message,
        "`reduction(+: any)` is on `bool`; `+ * min max` take numbers, `& | ^` integers and bool, `&& ||` bool, declared operators their own type of at most 256 bytes, in `s = s ⊕ e`"
    );
    let (mut s, _) = Sketch::new(1);
    static OPTION: TypeDesc = TypeDesc::Option(&OptionDesc { of: &TypeDesc::Prim(Prim::Bool), layout: None });
    s.array_of("x", &OPTION, Vec::new());
    assert_eq!(
        s.finalise(true).err().unwrap().message,
        "the array `x` holds `Option<bool>`, which has no agreed layout: it can be used inside a body only"
    );
}

#[test]
fn errors_in_functions_name_the_function() {
    let (mut s, _) = Sketch::new(1);
    let mut f = Body::new("test.rs");
    let p = f.local("p", LocalKind::User, Some(&COMPLEX_TY));
    f.line(12);
    let (l, r) = (f.get(p), f.get(p));
    let e = f.binary(BinOp::Lt, l, r);
    f.push(Stmt::Eval(e));
    s.function("less", vec![p], None, f);
    let error = s.finalise(true).err().unwrap();
    assert_eq!(
        error.message,
        "operator `<` on `Complex`: arithmetic in a subscript is that of numbers; for an operator of a type of yours, write `let k = …;` before it, and `k` in the subscript, in the device function `less` at \
         test.rs:12:5"
    );
    assert_eq!(error.place, None);
}

/// Checks of divisions in a body that divides `v` by what `divisor` writes, and what running it says.
fn divides(
    prim: Prim,
    value: u64,
    divisor: impl FnOnce(&mut Body) -> ExprId,
    rem: bool,
) -> (usize, Result<u64, String>) {
    let (mut s, i) = Sketch::new(1);
    let word = |v: u64| v.to_le_bytes()[..prim.size()].to_vec();
    let x = s.array_of("x", desc(prim), word(value));
    let b = &mut s.body;
    let lhs = b.element(place(Base::Array(x)), |b| b.get(i));
    let lhs = b.bind("l", None, lhs);
    let rhs = divisor(b);
    let rhs = b.bind("r", None, rhs);
    let (cl, cr, l, r) = (b.get(lhs), b.get(rhs), b.get(lhs), b.get(rhs));
    let src = b.src();
    b.push(Stmt::Check { check: Check::Divide { access: None, rem, lhs: cl, rhs: cr }, src });
    let q = b.binary(if rem { BinOp::Rem } else { BinOp::Div }, l, r);
    b.store(place(Base::Array(x)), |b| b.get(i), q);
    let (kernel, info, mut memory) = s.finalise(false).unwrap();
    let mut checks = 0;
    visit::each_stmt(&kernel.body.code.block, &mut |stmt| {
        checks += usize::from(matches!(stmt, Stmt::Check { check: Check::Divide { .. }, .. }));
    });
    let result = omp_kernels::interp::run(&kernel, &info, &mut memory).map_err(|f| f.message);
    let mut wide = [0; 8];
    wide[..prim.size()].copy_from_slice(&memory.arrays[0]);
    (checks, result.map(|_| u64::from_le_bytes(wide)))
}

#[test]
fn divisions_are_checked_unless_they_can_not_fail() {
    let int = |p, v| move |b: &mut Body| b.int(p, v);
    assert_eq!(divides(Prim::U32, 7, int(Prim::U32, 2), false), (0, Ok(3)));
    assert_eq!(divides(Prim::I32, 7, int(Prim::I32, 2), true), (0, Ok(1)));
    assert_eq!(divides(Prim::I32, 7, int(Prim::I32, -1), false), (1, Ok(u64::from(-7i32 as u32))));
    assert_eq!(
        divides(Prim::I8, 0x80, int(Prim::I8, -1), false),
        (1, Err("attempt to divide with overflow".into()))
    );
    assert_eq!(
        divides(Prim::I64, 1 << 63, int(Prim::I64, -1), true),
        (1, Err("attempt to calculate the remainder with overflow".into()))
    );
    assert_eq!(divides(Prim::U64, 1, int(Prim::U64, 0), false), (1, Err("attempt to divide by zero".into())));
    assert_eq!(
        divides(Prim::U64, 1, int(Prim::U64, 0), true),
        (1, Err("attempt to calculate the remainder with a divisor of zero".into()))
    );
    let konst = |b: &mut Body| {
        let c = b.konst("BANK", desc(Prim::U16), bytes(&[12u16]));
        b.expr(Expr::Load(place(Base::Const(c))))
    };
    assert_eq!(divides(Prim::U16, 100, konst, false), (0, Ok(8)));
    let float = |b: &mut Body| b.float(Prim::F32, "0.0");
    assert_eq!(divides(Prim::F32, 0x3f80_0000, float, false), (0, Ok(f32::INFINITY.to_bits().into())));
}

#[test]
fn overflow_stops_debug_builds_and_wraps_in_release() {
    let run = |debug| {
        let (mut s, i) = Sketch::new(1);
        let x = s.array("x", &[i16::MAX]);
        s.body.line(3);
        let (xi, one) = (s.body.element(place(Base::Array(x)), |b| b.get(i)), s.body.int(Prim::I16, 1));
        let sum = s.body.binary(BinOp::Add, xi, one);
        s.body.store(place(Base::Array(x)), |b| b.get(i), sum);
        let (kernel, info, mut memory) = s.finalise(debug).unwrap();
        let result = omp_kernels::interp::run(&kernel, &info, &mut memory).map(|_| ());
        (result.map_err(|f| f.message), values::<i16>(&memory.arrays[0])[0])
    };
    assert_eq!(run(true), (Err("attempt to add with overflow".into()), i16::MAX));
    assert_eq!(run(false), (Ok(()), i16::MIN));
}

#[test]
fn subscripts_of_fixed_arrays_and_trusted_ones() {
    let (mut s, i) = Sketch::new(1);
    let x = s.array("x", &[1u8, 2]);
    let w = s.scalar_of("w", &BYTES, vec![0; 4]);
    let b = &mut s.body;
    let first = b.element(place(Base::Array(x)), |b| b.get(i));
    b.push(Stmt::Eval(first));
    for index in [3, 4] {
        let e = b.element(place(Base::Scalar(w)), |b| b.int(Prim::Usize, index));
        b.push(Stmt::Eval(e));
    }
    let mut trusting = s.template.clone();
    trusting.unchecked = vec![x];
    s.template = trusting;
    let (kernel, info, mut memory) = s.finalise(false).unwrap();
    use BoundsVerdict::{AtLaunch, Proved, Residual, Trusted};
    assert!(
        matches!(kernel.body.bounds[..], [Trusted | Proved, Proved, Residual | AtLaunch]),
        "{:?}",
        kernel.body.bounds
    );
    assert_eq!(kernel.body.code.block.0.len(), 4, "two checks were dropped");
    let failure = omp_kernels::interp::run(&kernel, &info, &mut memory).unwrap_err();
    assert_eq!(failure.message, "index out of bounds: the len is 4 but the index is 4");
}

#[test]
fn messages_show_values() {
    let (mut s, _) = Sketch::new(1);
    let b = &mut s.body;
    let args = vec![
        b.int(Prim::I8, -3),
        b.float(Prim::F64, "2.0"),
        b.float(Prim::F64, "2.0"),
        b.expr(Expr::Bool(true)),
    ];
    let src = b.line(5);
    let message = "bad {} at {:?} ({}), {{{}}} 100%".into();
    b.push(Stmt::Check { check: Check::Panic { access: None, message, args }, src });
    let failure = s.run(true).unwrap_err();
    assert_eq!(failure.message, "bad -3 at 2.0 (2), {true} 100%");
    assert_eq!(failure.src, src);
}

#[test]
fn guards_follow_short_circuits() {
    // n != 0 && x.rem_euclid(n) == 1
    for n in [0i32, 2] {
        let (mut s, i) = Sketch::new(1);
        let y = s.array("y", &[9u8]);
        let n = s.scalar("n", n);
        let b = &mut s.body;
        let (one, zero, nv) = (b.int(Prim::I32, 1), b.int(Prim::I32, 0), b.scalar(n));
        let nonzero = b.binary(BinOp::Ne, nv, zero);
        let (x, nv) = (b.int(Prim::I32, -3), b.scalar(n));
        let rem = b.method("rem_euclid", vec![x, nv]);
        let odd = b.binary(BinOp::Eq, rem, one);
        let both = b.binary(BinOp::And, nonzero, odd);
        let value = b.cast(both, Prim::U8);
        b.store(place(Base::Array(y)), |b| b.get(i), value);
        let (memory, _) = s.run(true).expect("the guard does not fire");
        assert_eq!(memory.arrays[0], [u8::from(memory.scalars[0][0] == 2)]);
    }
}

#[test]
fn dead_code_has_no_types_and_does_not_matter() {
    let (mut s, i) = Sketch::new(1);
    let y = s.array("y", &[0i32]);
    let b = &mut s.body;
    let t = b.local("t", LocalKind::Temp, None);
    b.push(Stmt::Let { local: t, init: None });
    let body = b.block(|b| b.push(Stmt::Break(label(0))));
    b.push(Stmt::Loop { label: label(0), body });
    let cond = b.expr(Expr::Bool(false));
    let then = b.block(|b| {
        let (t, one) = (b.get(t), b.int(Prim::I32, 1));
        let sum = b.binary(BinOp::Add, t, one);
        b.store(place(Base::Array(y)), |b| b.get(i), sum);
    });
    b.push(Stmt::If { cond, then, els: Default::default() });
    let (kernel, info, mut memory) = s.finalise(true).unwrap();
    assert_eq!(kernel.types.get(kernel.body.local_ty[t.index()]), &Ty::Never);
    omp_kernels::interp::run(&kernel, &info, &mut memory).unwrap();
}

#[test]
fn arrays_become_slices_at_calls() {
    let (mut s, i) = Sketch::new(1);
    let y = s.array("y", &[0usize]);
    let w = s.scalar_of("w", &BYTES, vec![1, 2, 3, 4]);
    let mut f = Body::new("test.rs");
    let p = f.local("p", LocalKind::Slice, Some(desc(Prim::U8)));
    let len = f.expr(Expr::Len(place(Base::Local(p))));
    f.push(Stmt::Return(Some(len)));
    let ret = f.slot(Some(desc(Prim::Usize)));
    let count = s.function("count", vec![p], Some(ret), f);
    let b = &mut s.body;
    let arg = b.scalar(w);
    let call = b.call("count", count, None, vec![arg]);
    let v = b.bind("v", None, call);
    let value = b.get(v);
    b.store(place(Base::Array(y)), |b| b.get(i), value);
    let (kernel, info, mut memory) = s.finalise(true).unwrap();
    assert!(matches!(kernel.body.code.exprs[arg.index()].expr, Expr::Slice { access: None, .. }));
    assert_eq!(kernel.body.calls[0], Callee::Fn(omp_ir::ids::FnId(0)));
    omp_kernels::interp::run(&kernel, &info, &mut memory).unwrap();
    assert_eq!(values::<usize>(&memory.arrays[0]), [4]);
    let _ = Projection::Payload;
}
