//! Every built-in method on every type, with special values: the interpreter against Rust, failures and their words
//! included.
#![allow(clippy::cast_lossless, clippy::unnecessary_cast, reason = "one text for all types")]
use crate::sketch::{Scalar, Sketch, desc, place, values};
use omp_ir::desc::{FieldDesc, Prim, StructDesc, TypeDesc};
use omp_ir::ids::ArrayId;
use omp_ir::kernel::Callee;
use omp_ir::template::{Base, BinOp, Expr, Projection, UnOp};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

const DEBUG: bool = cfg!(debug_assertions);

/// What a method may give, flattened to bits: an `Option` is whether it is `Some`, and the payload or zero.
trait Out {
    fn shape() -> Shape;
    fn bits(self) -> Vec<u64>;
}

enum Shape {
    Plain(Prim),
    Option(Prim),
    Pair(Prim, Prim),
}

impl<T: Scalar> Out for T {
    fn shape() -> Shape {
        Shape::Plain(T::PRIM)
    }
    fn bits(self) -> Vec<u64> {
        vec![canonical::<T>(Scalar::bits(self))]
    }
}

impl<T: Scalar> Out for Option<T> {
    fn shape() -> Shape {
        Shape::Option(T::PRIM)
    }
    fn bits(self) -> Vec<u64> {
        vec![u64::from(self.is_some()), self.map_or(0, |v| canonical::<T>(Scalar::bits(v)))]
    }
}

impl<A: Scalar, B: Scalar> Out for (A, B) {
    fn shape() -> Shape {
        Shape::Pair(A::PRIM, B::PRIM)
    }
    fn bits(self) -> Vec<u64> {
        vec![canonical::<A>(Scalar::bits(self.0)), canonical::<B>(Scalar::bits(self.1))]
    }
}

/// All NaNs are one.
fn canonical<T: Scalar>(bits: u64) -> u64 {
    match T::PRIM {
        Prim::F32 if f32::from_bits(bits as u32).is_nan() => f32::NAN.to_bits().into(),
        Prim::F64 if f64::from_bits(bits).is_nan() => f64::NAN.to_bits(),
        _ => bits,
    }
}

fn tuple(a: Prim, b: Prim) -> &'static TypeDesc {
    let at = b.size().max(a.size());
    let fields = vec![
        FieldDesc { name: "0", ty: desc(a), offset: 0 },
        FieldDesc { name: "1", ty: desc(b), offset: at },
    ];
    let desc = StructDesc {
        derived: omp_ir::desc::Derived::Order,
        name: "(…)",
        size: 2 * at,
        align: at,
        fields: fields.leak(),
    };
    Box::leak(Box::new(TypeDesc::Struct(Box::leak(Box::new(desc)))))
}

fn word(prim: Prim, bits: u64) -> Vec<u8> {
    bits.to_le_bytes()[..prim.size()].to_vec()
}

/// What is evaluated: a method or an operator.
#[derive(Clone, Copy)]
enum What<'a> {
    Method(&'a str),
    Binary(BinOp),
    Unary(UnOp),
    Cast(Prim),
}

/// Evaluates over columns of arguments; a row of bits for each.
fn evaluate(
    what: What<'_>,
    types: &[Prim],
    rows: &[Vec<u64>],
    shape: &Shape,
) -> Result<Vec<Vec<u64>>, String> {
    let (mut s, i) = Sketch::new(rows.len() as u64);
    let columns: Vec<ArrayId> = types
        .iter()
        .enumerate()
        .map(|(c, &p)| s.array_of("a", desc(p), rows.iter().flat_map(|r| word(p, r[c])).collect()))
        .collect();
    let outs = match *shape {
        Shape::Plain(p) => vec![p],
        Shape::Option(p) => vec![Prim::Bool, p],
        Shape::Pair(a, b) => vec![a, b],
    };
    let results: Vec<ArrayId> =
        outs.iter().map(|&p| s.array_of("y", desc(p), vec![0; rows.len() * p.size()])).collect();
    let b = &mut s.body;
    let args: Vec<_> = columns.iter().map(|&a| b.element(place(Base::Array(a)), |b| b.get(i))).collect();
    let slot = match *shape {
        Shape::Pair(x, y) => Some(tuple(x, y)),
        Shape::Plain(p) => Some(desc(p)),
        Shape::Option(_) => None,
    };
    let value = match what {
        What::Method(name) => b.call(name, Callee::Builtin, slot, args),
        What::Binary(op) => b.binary(op, args[0], args[1]),
        What::Unary(op) => b.expr(Expr::Unary(op, args[0])),
        What::Cast(to) => b.cast(args[0], to),
    };
    let v = b.bind("v", None, value);
    let parts = match shape {
        Shape::Plain(_) => vec![b.get(v)],
        Shape::Option(_) => {
            let (first, second) = (b.get(v), b.get(v));
            vec![b.expr(Expr::IsSome(first)), b.method("unwrap_or_default", vec![second])]
        }
        Shape::Pair(..) => vec![b.field(v, "0"), b.field(v, "1")],
    };
    for (&y, part) in results.iter().zip(parts) {
        b.store(place(Base::Array(y)), |b| b.get(i), part);
    }
    let (memory, _) = s.run(DEBUG).map_err(|failure| failure.message)?;
    let column = |(y, p): (&ArrayId, &Prim)| -> Vec<u64> {
        let chunks = memory.arrays[y.index()].chunks(p.size());
        chunks
            .map(|c| {
                let mut wide = [0; 8];
                wide[..c.len()].copy_from_slice(c);
                let bits = u64::from_le_bytes(wide);
                match p {
                    Prim::F32 => canonical::<f32>(bits),
                    Prim::F64 => canonical::<f64>(bits),
                    _ => bits,
                }
            })
            .collect()
    };
    let columns: Vec<_> = results.iter().zip(&outs).map(column).collect();
    Ok((0..rows.len()).map(|r| columns.iter().map(|c| c[r]).collect()).collect())
}

/// Compares over all rows: those that Rust accepts in one run, each that panics in one of its own.
fn compare<R: Out>(what: What<'_>, label: &str, types: &[Prim], rows: Vec<(Vec<u64>, Result<R, String>)>) {
    let (mut args, mut wants) = (Vec::new(), Vec::new());
    for (row, want) in rows {
        match want {
            Ok(want) => {
                args.push(row);
                wants.push(want.bits());
            }
            Err(message) => {
                let got = evaluate(what, types, std::slice::from_ref(&row), &R::shape());
                assert_eq!(got, Err(message), "{label} of {row:x?} as {types:?}");
            }
        }
    }
    let got =
        evaluate(what, types, &args, &R::shape()).unwrap_or_else(|e| panic!("{label} of {types:?}: {e}"));
    for ((row, got), want) in args.iter().zip(got).zip(wants) {
        assert_eq!(got, want, "{label} of {row:x?} as {types:?}");
    }
}

thread_local! {
    /// A panic is expected: Rust's own methods do it by the hundred.
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// What Rust gives, or the words of its panic.
fn rust<R>(f: impl FnOnce() -> R) -> Result<R, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                usual(info);
            }
        }));
    });
    QUIET.set(true);
    let result = catch_unwind(AssertUnwindSafe(f));
    QUIET.set(false);
    result.map_err(|payload| match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => payload.downcast_ref::<&str>().map_or("?".into(), |text| (*text).to_owned()),
    })
}

fn one<A: Scalar, R: Out>(what: What<'_>, label: &str, a: &[A], f: impl Fn(A) -> R) {
    let rows = a.iter().map(|&x| (vec![Scalar::bits(x)], rust(|| f(x)))).collect();
    compare::<R>(what, label, &[A::PRIM], rows);
}

fn two<A: Scalar, B: Scalar, R: Out>(what: What<'_>, label: &str, a: &[A], b: &[B], f: impl Fn(A, B) -> R) {
    let pairs = a.iter().flat_map(|&x| b.iter().map(move |&y| (x, y)));
    let rows = pairs.map(|(x, y)| (vec![Scalar::bits(x), Scalar::bits(y)], rust(|| f(x, y)))).collect();
    compare::<R>(what, label, &[A::PRIM, B::PRIM], rows);
}

fn three<A: Scalar, R: Out>(what: What<'_>, label: &str, a: &[A], f: impl Fn(A, A, A) -> R) {
    let mut rows = Vec::new();
    for &x in a {
        for &y in a {
            for &z in a {
                rows.push((vec![Scalar::bits(x), Scalar::bits(y), Scalar::bits(z)], rust(|| f(x, y, z))));
            }
        }
    }
    compare::<R>(what, label, &[A::PRIM; 3], rows);
}

macro_rules! unary {
    ($T:ident, $xs:expr; $($name:ident)*) => { $(
        one(What::Method(stringify!($name)), stringify!($name), $xs, |x: $T| x.$name());
    )* };
}
macro_rules! binary {
    ($T:ident, $xs:expr, $R:ident, $rs:expr; $($name:ident)*) => { $(
        two(What::Method(stringify!($name)), stringify!($name), $xs, $rs, |x: $T, y: $R| x.$name(y));
    )* };
}
macro_rules! operators {
    ($T:ident, $xs:expr; $($op:tt $which:ident)*) => { $(
        two(What::Binary(BinOp::$which), stringify!($op), $xs, $xs, |x: $T, y: $T| x $op y);
    )* };
}
macro_rules! casts {
    ($T:ident, $xs:expr; $($to:ident)*) => { $(
        one(What::Cast(<$to as Scalar>::PRIM), stringify!($to), $xs, |x: $T| x as $to);
    )* };
}

macro_rules! common_to_ints {
    ($T:ident, $xs:expr) => {
        let counts: &[u32] = &[0, 1, 2, 7, 8, 15, 31, 32, 63, 64, 65, 1000, u32::MAX];
        binary!($T, $xs, $T, $xs;
            wrapping_add wrapping_sub wrapping_mul wrapping_div wrapping_rem wrapping_div_euclid wrapping_rem_euclid
            saturating_add saturating_sub saturating_mul saturating_div
            checked_add checked_sub checked_mul checked_div checked_rem checked_div_euclid checked_rem_euclid
            overflowing_add overflowing_sub overflowing_mul overflowing_div overflowing_rem overflowing_div_euclid
            overflowing_rem_euclid
            strict_add strict_sub strict_mul strict_div strict_rem strict_div_euclid strict_rem_euclid
            abs_diff min max div_euclid rem_euclid ilog checked_ilog midpoint);
        binary!($T, $xs, u32, counts;
            wrapping_shl wrapping_shr checked_shl checked_shr overflowing_shl overflowing_shr rotate_left rotate_right
            strict_shl strict_shr unbounded_shl unbounded_shr);
        binary!($T, $xs, u32, &[0, 1, 2, 3, 5, 7, 8, 33];
            pow wrapping_pow saturating_pow checked_pow overflowing_pow strict_pow);
        unary!($T, $xs;
            wrapping_neg checked_neg overflowing_neg strict_neg count_ones count_zeros leading_zeros leading_ones trailing_zeros
            trailing_ones swap_bytes reverse_bits to_be to_le isqrt ilog2 ilog10 checked_ilog2 checked_ilog10);
        three(What::Method("clamp"), "clamp", &$xs[..6], |x: $T, y: $T, z: $T| x.clamp(y, z));
        one(What::Unary(UnOp::Not), "!", $xs, |x: $T| !x);
        operators!($T, $xs;
            + Add - Sub * Mul & BitAnd | BitOr ^ BitXor == Eq != Ne < Lt <= Le > Gt >= Ge);
        two(What::Binary(BinOp::Shl), "<<", $xs, counts, |x: $T, y: u32| x << y);
        two(What::Binary(BinOp::Shr), ">>", $xs, &[-1i8, 0, 3, 7, 8, 63], |x: $T, y: i8| x >> y);
        casts!($T, $xs; i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64);
        // The methods of the failing operators are checked by statements; see `division` below.
        one(What::Method("clone"), "clone", $xs, |x: $T| x);
        one(What::Method("from"), "from", $xs, |x: $T| x as i64);
    };
}

macro_rules! signed_tests {
    ($($test:ident $T:ident $U:ident;)*) => { $(
        #[test]
        fn $test() {
            {
                let xs: &[$T] = &[0, 1, -1, $T::MIN, $T::MAX, 5, 2, -7, 100, $T::MIN + 1, $T::MAX / 3];
                let us: &[$U] = &[0, 1, $U::MAX, $U::MAX / 2, $U::MAX / 2 + 1, 77];
                common_to_ints!($T, xs);
                unary!($T, xs;
                    abs unsigned_abs signum is_positive is_negative saturating_neg saturating_abs checked_abs
                    wrapping_abs overflowing_abs strict_abs cast_unsigned checked_isqrt);
                binary!($T, xs, $U, us;
                    wrapping_add_unsigned saturating_add_unsigned checked_add_unsigned overflowing_add_unsigned
                    wrapping_sub_unsigned saturating_sub_unsigned checked_sub_unsigned overflowing_sub_unsigned
                    strict_add_unsigned strict_sub_unsigned);
                one(What::Unary(UnOp::Neg), "-", xs, |x: $T| -x);
            }
        }
    )* };
}
signed_tests! { of_rust_i8 i8 u8; of_rust_i16 i16 u16; of_rust_i32 i32 u32; of_rust_i64 i64 u64; of_rust_isize isize usize; }

macro_rules! unsigned_tests {
    ($($test:ident $T:ident $S:ident;)*) => { $(
        #[test]
        fn $test() {
            {
                let xs: &[$T] = &[0, 1, 2, $T::MAX, $T::MAX / 2, $T::MAX / 2 + 1, 7, 100, $T::MAX - 1, $T::MAX / 3];
                let ss: &[$S] = &[0, 1, -1, $S::MIN, $S::MAX, -77];
                common_to_ints!($T, xs);
                unary!($T, xs; is_power_of_two next_power_of_two checked_next_power_of_two cast_signed);
                binary!($T, xs, $T, xs;
                    div_ceil next_multiple_of is_multiple_of checked_next_multiple_of checked_signed_diff);
                binary!($T, xs, $S, ss;
                    wrapping_add_signed saturating_add_signed checked_add_signed overflowing_add_signed
                    wrapping_sub_signed saturating_sub_signed checked_sub_signed overflowing_sub_signed
                    strict_add_signed strict_sub_signed);
            }
        }
    )* };
}
unsigned_tests! { of_rust_u8 u8 i8; of_rust_u16 u16 i16; of_rust_u32 u32 i32; of_rust_u64 u64 i64; of_rust_usize usize isize; }

macro_rules! float_tests {
    ($($test:ident $T:ident $B:ident;)*) => { $(
        #[test]
        fn $test() {
            {
                let xs: &[$T] = &[
                    0.0, -0.0, 1.0, -1.0, $T::NAN, $T::INFINITY, $T::NEG_INFINITY, 0.5, -0.5, 1.5, 2.5, -2.5, 0.3, -3.7,
                    $T::MIN_POSITIVE, $T::MIN_POSITIVE / 8.0, $T::EPSILON, $T::MAX, $T::MIN, 1e10, 4294967296.5, -129.0,
                ];
                unary!($T, xs;
                    abs signum sqrt cbrt exp exp2 exp_m1 ln ln_1p log2 log10 sin cos tan asin acos atan sinh cosh tanh
                    asinh acosh atanh sin_cos floor ceil round round_ties_even trunc fract recip to_degrees to_radians
                    to_bits next_up next_down is_nan is_finite is_infinite is_normal is_subnormal is_sign_positive is_sign_negative);
                binary!($T, xs, $T, xs; copysign min max powf hypot log atan2 div_euclid rem_euclid midpoint);
                binary!($T, xs, i32, &[0, 1, -1, 2, 3, -7, 100, i32::MAX, i32::MIN]; powi);
                three(What::Method("mul_add"), "mul_add", xs, |x: $T, y: $T, z: $T| x.mul_add(y, z));
                three(What::Method("clamp"), "clamp", &xs[..8], |x: $T, y: $T, z: $T| x.clamp(y, z));
                operators!($T, xs; + Add - Sub * Mul / Div % Rem == Eq != Ne < Lt <= Le > Gt >= Ge);
                one(What::Unary(UnOp::Neg), "-", xs, |x: $T| -x);
                casts!($T, xs; i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64);
                let bits: Vec<$B> = xs.iter().map(|x| x.to_bits()).chain([1, $B::MAX]).collect();
                one(What::Method("from_bits"), "from_bits", &bits, |b: $B| $T::from_bits(b));
            }
        }
    )* };
}
float_tests! { of_rust_f32 f32 u32; of_rust_f64 f64 u64; }

#[test]
fn of_bool() {
    let both = &[false, true];
    operators!(bool, both; & BitAnd | BitOr ^ BitXor == Eq != Ne < Lt <= Le > Gt >= Ge && And || Or);
    one(What::Unary(UnOp::Not), "!", both, |x: bool| !x);
    casts!(bool, both; i8 u8 i32 u64 usize);
    one(What::Method("from"), "from", both, u32::from);
    one(What::Method("from"), "from", both, f32::from);
}

#[test]
fn literals_are_parsed_at_their_own_precision() {
    for digits in ["0.1", "1e-45", "16777217.0", "3.4028236e38", "0.30000000000000004", "2.", "1e5"] {
        let (mut s, i) = Sketch::new(1);
        let (x, y) = (s.array("x", &[0f32]), s.array("y", &[0f64]));
        let (narrow, wide) = (s.body.float(Prim::F32, digits), s.body.float(Prim::F64, digits));
        s.body.store(place(Base::Array(x)), |b| b.get(i), narrow);
        s.body.store(place(Base::Array(y)), |b| b.get(i), wide);
        let (memory, _) = s.run(true).unwrap();
        assert_eq!(values::<f32>(&memory.arrays[0]), [digits.parse::<f32>().unwrap()], "{digits}");
        assert_eq!(values::<f64>(&memory.arrays[1]), [digits.parse::<f64>().unwrap()], "{digits}");
    }
}

#[test]
fn options() {
    let (mut s, i) = Sketch::new(3);
    let x = s.array("x", &[200u8, 100, 55]);
    let y = s.array("y", &[0u8; 3]);
    let b = &mut s.body;
    let value = b.element(place(Base::Array(x)), |b| b.get(i));
    let hundred = b.int(Prim::U8, 100);
    let sum = b.method("checked_add", vec![value, hundred]);
    let v = b.bind("v", None, sum);
    let (first, second, third) = (b.get(v), b.get(v), b.get(v));
    let none = b.method("is_none", vec![first]);
    let then = b.block(|b| {
        let seven = b.int(Prim::U8, 7);
        let or = b.method("unwrap_or", vec![second, seven]);
        b.store(place(Base::Array(y)), |b| b.get(i), or);
    });
    let els = b.block(|b| {
        let unwrapped = b.method("unwrap", vec![third]);
        b.store(place(Base::Array(y)), |b| b.get(i), unwrapped);
    });
    b.push(omp_ir::template::Stmt::If { cond: none, then, els });
    let payload =
        Expr::Load(omp_ir::template::Place { base: Base::Local(v), projections: vec![Projection::Payload] });
    let _ = b.expr(payload);
    let (memory, _) = s.run(true).unwrap();
    assert_eq!(memory.arrays[1], [7, 200, 155]);
}
