//! Every method of the primitives, on every type, on the host and on every device, against Rust's own: integers exactly,
//! floats within the bound of the language. (`omp-kernels` compares the interpreter.)
#![forbid(unsafe_code)]
#![allow(
    unused_qualifications,
    unused_comparisons,
    clippy::all,
    clippy::pedantic,
    reason = "one text for all types"
)]
use omp_tests::{Values, on_every_device};

/// Rows of results: as a plain function, and as a region over columns of arguments.
macro_rules! rows {
    ($name:ident($x:ident: $T:ty, $r:ident: $R:ty, $n:ident) -> $O:ty { $($e:expr,)+ }) => {
        mod $name {
            #[allow(unused_imports)]
            use super::*;

            pub const NAMES: &[&str] = &[$(stringify!($e)),+];
            pub const WIDTH: usize = NAMES.len();

            #[allow(dead_code, reason = "floats have a reference of their own")]
            pub fn plain($x: $T, $r: $R, $n: u32) -> [$O; WIDTH] {
                let _ = ($r, $n);
                [$($e),+]
            }

            #[omp::offload]
            pub fn region(d: usize, a: &[$T], b: &[$R], c: &[u32], out: &mut [[$O; WIDTH]]) {
                #[omp::target(device(d), fp(strict))]
                for k in 0..out.len() {
                    let ($x, $r, $n) = (a[k], b[k], c[k]);
                    let _ = ($r, $n);
                    out[k] = [$($e),+];
                }
            }
        }
    };
}

/// Compares the rows of integers, bit by bit.
macro_rules! exact {
    ($module:ident, $a:expr, $b:expr, $c:expr) => {
        let rows = $a.iter().zip($b).zip($c);
        let want: Vec<_> = rows.map(|((x, r), n)| $module::plain(*x, *r, *n)).collect();
        on_every_device(|d| {
            let mut got = vec![[0; $module::WIDTH]; want.len()];
            $module::region(d, $a, $b, $c, &mut got);
            for k in 0..want.len() {
                for m in 0..$module::WIDTH {
                    let name = $module::NAMES[m];
                    let args = ($a[k], $b[k], $c[k]);
                    assert_eq!(got[k][m], want[k][m], "{name} of {args:?} on device {d}");
                }
            }
        });
    };
}

/// All pairs of special values, and random ones.
fn pairs<T: Copy, R: Copy>(xs: &[T], rs: &[R], mut random: impl FnMut() -> (T, R)) -> (Vec<T>, Vec<R>) {
    let mut all: Vec<(T, R)> = xs.iter().flat_map(|x| rs.iter().map(|r| (*x, *r))).collect();
    all.extend((0..60).map(|_| random()));
    all.into_iter().unzip()
}

fn counts(len: usize) -> Vec<u32> {
    let list = [0, 1, 2, 3, 5, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 1000, u32::MAX];
    (0..len).map(|k| list[k % list.len()]).collect()
}

macro_rules! ints {
    ($($module:ident $T:ident $U:ident $S:ident $own:ident;)*) => { $(
        mod $module {
            use super::*;

            rows!(wrapping(x: $T, r: $T, n) -> $T {
                x.wrapping_add(r), x.wrapping_sub(r), x.wrapping_mul(r), x.wrapping_neg(), (0 as $T).wrapping_sub(x),
                if r == 0 { 1 } else { x.wrapping_div(r) }, if r == 0 { 1 } else { x.wrapping_rem(r) },
                if r == 0 { 1 } else { x.wrapping_div_euclid(r) }, if r == 0 { 1 } else { x.wrapping_rem_euclid(r) },
                x.wrapping_shl(n), x.wrapping_shr(n), x.wrapping_pow(n % 70),
                x.saturating_add(r), x.saturating_sub(r), x.saturating_mul(r), x.saturating_pow(n % 70),
                if r == 0 { 1 } else { x.saturating_div(r) },
                x.min(r), x.max(r), std::cmp::min(x, r), $T::max(x, r), x.clamp(x.min(r), x.max(r)), x.midpoint(r),
                x.unbounded_shl(n), x.unbounded_shr(n), if x.checked_add(r).is_some() { x.strict_add(r) } else { 3 },
                if x.checked_mul(r).is_some() { x.strict_mul(r) } else { 3 },
                if x.checked_div(r).is_some() { x.strict_div(r) ^ x.strict_rem(r) } else { 3 },
                if x.checked_shl(n).is_some() { x.strict_shl(n) ^ x.strict_shr(n) } else { 3 },
                if x.checked_pow(n % 9).is_some() { x.strict_pow(n % 9) } else { 3 },
                x.rotate_left(n), x.rotate_right(n), x.swap_bytes(), x.reverse_bits(), x.to_be(), x.to_le(),
                $T::from_be(x), $T::from_le(x), !x, x & r, x | r, x ^ r, x << (n % $T::BITS), x >> (n % $T::BITS),
                if x.checked_pow(n % 9).is_some() { x.pow(n % 9) } else { 3 },
                if let Some(v) = x.checked_div(r) { v ^ (x / r) } else { 5 },
                if let Some(v) = x.checked_rem(r) { v ^ (x % r) } else { 5 },
                if let Some(v) = x.checked_add(r) { v ^ (x + r) } else { 5 },
                if let Some(v) = x.checked_sub(r) { v ^ (x - r) } else { 5 },
                if let Some(v) = x.checked_mul(r) { v ^ (x * r) } else { 5 },
                if x.checked_div_euclid(r).is_some() { x.div_euclid(r) ^ x.rem_euclid(r) } else { 9 },
                x.clone(), $T::MIN, $T::MAX,
            });
            rows!(wide(x: $T, r: $T, n) -> u64 {
                x.count_ones() as u64, x.count_zeros() as u64, x.leading_zeros() as u64, x.leading_ones() as u64,
                x.trailing_zeros() as u64, x.trailing_ones() as u64, x.abs_diff(r) as u64,
                x.checked_add(r).is_some() as u64, x.checked_add(r).unwrap_or(1) as u64,
                x.checked_sub(r).is_none() as u64, x.checked_sub(r).unwrap_or(2) as u64,
                x.checked_mul(r).unwrap_or(3) as u64, x.checked_div(r).unwrap_or(4) as u64,
                x.checked_rem(r).unwrap_or(5) as u64, x.checked_div_euclid(r).unwrap_or(6) as u64,
                x.checked_rem_euclid(r).unwrap_or(7) as u64, x.checked_neg().unwrap_or(8) as u64,
                x.checked_shl(n).unwrap_or(9) as u64, x.checked_shr(n).unwrap_or(10) as u64,
                x.checked_pow(n % 12).unwrap_or_default() as u64,
                x.checked_ilog2().unwrap_or(99) as u64, x.checked_ilog10().unwrap_or(98) as u64,
                x.checked_ilog(r).unwrap_or(97) as u64,
                { let (v, o) = x.overflowing_add(r); v as u64 ^ (o as u64) << 32 },
                { let (v, o) = x.overflowing_sub(r); v as u64 ^ (o as u64) << 32 },
                { let (v, o) = x.overflowing_mul(r); v as u64 ^ (o as u64) << 32 },
                { let (v, o) = x.overflowing_neg(); v as u64 ^ (o as u64) << 32 },
                { let (v, o) = x.overflowing_shl(n); v as u64 ^ (o as u64) << 32 },
                { let (v, o) = x.overflowing_shr(n); v as u64 ^ (o as u64) << 32 },
                { let (v, o) = x.overflowing_pow(n % 12); v as u64 ^ (o as u64) << 32 },
                if r == 0 { 0 } else { let (v, o) = x.overflowing_div(r); v as u64 ^ (o as u64) << 32 },
                if r == 0 { 0 } else { let (v, o) = x.overflowing_rem(r); v as u64 ^ (o as u64) << 32 },
                if r == 0 { 0 } else { let (v, o) = x.overflowing_rem_euclid(r); v as u64 ^ (o as u64) << 32 },
                if r == 0 { 0 } else { let (v, o) = x.overflowing_div_euclid(r); v as u64 ^ (o as u64) << 32 },
                if x < 0 { 0 } else { x.isqrt() as u64 },
                if x <= 0 { 0 } else { x.ilog2() as u64 * 100 + x.ilog10() as u64 },
                if x <= 0 || r < 2 { 0 } else { x.ilog(r) as u64 },
                (x < r) as u64 | ((x <= r) as u64) << 1 | ((x > r) as u64) << 2 | ((x >= r) as u64) << 3
                    | ((x == r) as u64) << 4 | ((x != r) as u64) << 5,
                x as i8 as u64, x as i16 as u64, x as i32 as u64, x as i64 as u64, x as isize as u64, x as u8 as u64,
                x as u16 as u64, x as u32 as u64, x as u64, x as usize as u64, (x as f32).to_bits() as u64,
                (x as f64).to_bits(), x.wrapping_neg() as i64 as u64, (!x).wrapping_add(1) as i64 as u64,
                (0 as $T).wrapping_sub(x) as i64 as u64, x.wrapping_mul(!0) as i64 as u64,
                x.wrapping_sub(r) as i64 as u64,
            });
            $own!($T $U $S);

            #[test]
            fn as_rust_has_them() {
                let xs = [0, 1, 2, 7, 10, 99, $T::MAX, $T::MIN, $T::MAX - 1, $T::MIN + 1, $T::MAX / 2, $T::MAX / 3, !0, !6];
                let mut random = Values(7);
                let (a, b) = pairs(&xs, &xs, || (random.wide() as $T, random.wide() as $T >> random.bits() % $T::BITS));
                let c = counts(a.len());
                exact!(wrapping, &a, &b, &c);
                exact!(wide, &a, &b, &c);
                let others: Vec<_> = b.iter().map(|v| *v as _).collect();
                exact!(own, &a, &others, &c);
            }
        }
    )* };
}

macro_rules! signed {
    ($T:ident $U:ident $S:ident) => {
        rows!(own(x: $T, u: $U, n) -> u64 {
            x.wrapping_abs() as u64, x.unsigned_abs() as u64, x.signum() as u64, x.is_positive() as u64,
            x.is_negative() as u64, x.saturating_neg() as u64, x.saturating_abs() as u64,
            x.checked_abs().unwrap_or(77) as u64, { let (v, o) = x.overflowing_abs(); v as u64 ^ (o as u64) << 32 },
            if x == $T::MIN { 0 } else { x.abs() as u64 ^ (-x) as u64 },
            x.cast_unsigned() as u64, x.checked_isqrt().unwrap_or(3) as u64,
            x.wrapping_add_unsigned(u) as u64, x.wrapping_sub_unsigned(u) as u64,
            x.saturating_add_unsigned(u) as u64, x.saturating_sub_unsigned(u) as u64,
            x.checked_add_unsigned(u).unwrap_or(1) as u64, x.checked_sub_unsigned(u).unwrap_or(2) as u64,
            { let (v, o) = x.overflowing_add_unsigned(u); v as u64 ^ (o as u64) << 32 },
            { let (v, o) = x.overflowing_sub_unsigned(u); v as u64 ^ (o as u64) << 32 },
            x.wrapping_shl(n) as u64,
        });
    };
}

macro_rules! unsigned {
    ($T:ident $U:ident $S:ident) => {
        rows!(own(x: $T, s: $S, n) -> u64 {
            x.is_power_of_two() as u64, x.checked_next_power_of_two().unwrap_or(1) as u64,
            if x > $T::MAX / 2 { 0 } else { x.next_power_of_two() as u64 }, x.cast_signed() as u64,
            if s == 0 { 0 } else { x.div_ceil(s as $T) as u64 },
            x.checked_next_multiple_of(s as $T).unwrap_or(1) as u64,
            if s == 0 || x > $T::MAX / 4 || s as $T > $T::MAX / 4 { 0 } else { x.next_multiple_of(s as $T) as u64 },
            x.is_multiple_of(s as $T) as u64, x.checked_signed_diff(s as $T).unwrap_or(5) as u64,
            x.wrapping_add_signed(s) as u64, x.wrapping_sub_signed(s) as u64, x.saturating_add_signed(s) as u64,
            x.saturating_sub_signed(s) as u64, x.checked_add_signed(s).unwrap_or(1) as u64,
            x.checked_sub_signed(s).unwrap_or(2) as u64,
            { let (v, o) = x.overflowing_add_signed(s); v as u64 ^ (o as u64) << 32 },
            { let (v, o) = x.overflowing_sub_signed(s); v as u64 ^ (o as u64) << 32 },
            x.wrapping_shl(n) as u64,
        });
    };
}

ints! {
    of_i8 i8 u8 i8 signed;
    of_i16 i16 u16 i16 signed;
    of_i32 i32 u32 i32 signed;
    of_i64 i64 u64 i64 signed;
    of_isize isize usize isize signed;
    of_u8 u8 u8 i8 unsigned;
    of_u16 u16 u16 i16 unsigned;
    of_u32 u32 u32 i32 unsigned;
    of_u64 u64 u64 i64 unsigned;
    of_usize usize usize isize unsigned;
}

/// The functions of the math library, in the order of [`functions`].
///
/// [`functions`]: of_f32::functions
fn reference(x: f64, r: f64, n: u32) -> Vec<f64> {
    // The library's own lose digits where a sum does: near 0 and near 1.
    let acosh =
        |x: f64| if x < 1.0 { f64::NAN } else { ((x - 1.0) + ((x - 1.0) * (x + 1.0)).sqrt()).ln_1p() };
    let big = x.abs() > 1e150;
    let asinh = (x.abs() + x * x / (1.0 + (x * x + 1.0).sqrt())).ln_1p().copysign(x);
    vec![
        x.sqrt(),
        x.cbrt(),
        x.exp(),
        x.exp2(),
        x.exp_m1(),
        x.ln(),
        x.ln_1p(),
        x.log2(),
        x.log10(),
        x.sin(),
        x.cos(),
        x.tan(),
        x.asin(),
        x.acos(),
        x.atan(),
        x.sinh(),
        x.cosh(),
        x.tanh(),
        if big { (x.abs().ln() + std::f64::consts::LN_2).copysign(x) } else { asinh },
        if x > 1e150 { x.ln() + std::f64::consts::LN_2 } else { acosh(x) },
        0.5 * (2.0 * x / (1.0 - x)).ln_1p(),
        x.sin(),
        x.cos(),
        x.powf(r),
        x.hypot(r),
        x.ln() / r.ln(),
        x.atan2(r),
        x.powi(n as i32 % 4 - 1),
    ]
}

/// The bound of a function on any device that follows OpenCL's, in units in the last place.
fn bound(name: &str) -> f64 {
    match name.split('(').next().unwrap_or(name) {
        "x.tan" | "x.tanh" | "x.atanh" => 5.0,
        "x.atan2" => 6.0,
        "x.log" => 8.0,
        "x.powf" => 16.0,
        _ => 4.0,
    }
}

macro_rules! floats {
    ($($module:ident $T:ident $B:ident;)*) => { $(
        mod $module {
            use super::*;

            rows!(functions(x: $T, r: $T, n) -> $T {
                x.sqrt(), x.cbrt(), x.exp(), x.exp2(), x.exp_m1(), x.ln(), x.ln_1p(), x.log2(), x.log10(),
                x.sin(), x.cos(), x.tan(), x.asin(), x.acos(), x.atan(), x.sinh(), x.cosh(), x.tanh(), x.asinh(),
                x.acosh(), x.atanh(), x.sin_cos().0, { let (_, cosine) = x.sin_cos(); cosine }, x.powf(r), x.hypot(r), x.log(r),
                x.atan2(r), $T::powi(x, n as i32 % 4 - 1),
            });
            rows!(plainly(x: $T, r: $T, n) -> $B {
                x.next_up().to_bits(), x.next_down().to_bits(), x.midpoint(r).to_bits(),
                x.abs().to_bits(), x.signum().to_bits(), x.copysign(r).to_bits(), x.floor().to_bits(),
                x.ceil().to_bits(), x.round().to_bits(), x.round_ties_even().to_bits(), x.trunc().to_bits(),
                (x.fract() + 0.0).to_bits(), x.recip().to_bits(), x.mul_add(r, 1.5).to_bits(),
                x.rem_euclid(r).to_bits(), x.div_euclid(r).to_bits(), x.to_degrees().to_bits(), x.to_radians().to_bits(),
                (x.min(r) + 0.0).to_bits(), (x.max(r) + 0.0).to_bits(), $T::max(x, 1.0).to_bits(),
                x.clamp(-2.0, 3.5).to_bits(), $T::from_bits(x.to_bits() ^ 1).to_bits(), (-x).to_bits(),
                (x + r).to_bits(), (x - r).to_bits(), (x * r).to_bits(), (x / r).to_bits(), (x % r).to_bits(),
                x.is_nan() as $B | (x.is_finite() as $B) << 1 | (x.is_infinite() as $B) << 2
                    | (x.is_normal() as $B) << 3 | (x.is_subnormal() as $B) << 4 | (x.is_sign_positive() as $B) << 5
                    | (x.is_sign_negative() as $B) << 6 | ((x < r) as $B) << 7 | ((x <= r) as $B) << 8
                    | ((x > r) as $B) << 9 | ((x >= r) as $B) << 10 | ((x == r) as $B) << 11 | ((x != r) as $B) << 12,
                x as i8 as $B, x as i16 as $B, x as i32 as $B, x as i64 as $B, x as isize as $B, x as u8 as $B,
                x as u16 as $B, x as u32 as $B, x as u64 as $B, x as usize as $B, (x as f32 as f64) as $B,
                (n as $T).to_bits(), (n as i32 as $T).to_bits(), (n as u64 as $T).to_bits(), (n as i8 as $T).to_bits(),
                ((n as u64).wrapping_mul(0x1234_5678_9abc_def1) as $T).to_bits(),
                ((n as i64).wrapping_mul(-0x1234_5678_9abc_def1) as $T).to_bits(),
            });

            fn arguments() -> (Vec<$T>, Vec<$T>) {
                let xs = [
                    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.7, -3.7, 0.3, -129.0, 1e10, $T::MAX, $T::MIN,
                    $T::MIN_POSITIVE, $T::MIN_POSITIVE / 8.0, $T::EPSILON, $T::INFINITY, $T::NEG_INFINITY, $T::NAN,
                    1.0 + $T::EPSILON, 0.999, 88.5, -88.5, 4294967296.5, 0.785398, 1e-5, 20.0,
                ];
                let mut random = Values(11);
                let mut value = move || (random.bits() as f64 / 4294967296.0 - 0.5) as $T * [2.0, 20.0, 1e4, 1e-3][random.bits() as usize % 4];
                pairs(&xs, &xs, || (value(), value()))
            }

            #[test]
            fn as_rust_has_them() {
                let (a, b) = arguments();
                let c = counts(a.len());
                let want: Vec<_> = (0..a.len()).map(|k| plainly::plain(a[k], b[k], c[k])).collect();
                on_every_device(|d| {
                    let mut got = vec![[0; plainly::WIDTH]; want.len()];
                    plainly::region(d, &a, &b, &c, &mut got);
                    for k in 0..want.len() {
                        for m in 0..plainly::WIDTH {
                            // The bits of a NaN are open.
                            let nan = |bits: $B| plainly::NAMES[m].ends_with("to_bits()") && $T::from_bits(bits).is_nan();
                            let (g, w) = (got[k][m], want[k][m]);
                            let name = plainly::NAMES[m];
                            assert!(g == w || (nan(g) && nan(w)), "{name} of {:?} on device {d}: {g:x} for {w:x}", (a[k], b[k], c[k]));
                        }
                    }
                });
            }

            #[test]
            fn functions_are_within_their_bound() {
                let (a, b) = arguments();
                let c = counts(a.len());
                on_every_device(|d| {
                    if d == omp::get_num_devices() {
                        return; // the host's are Rust's own
                    }
                    let mut got = vec![[0.0; functions::WIDTH]; a.len()];
                    functions::region(d, &a, &b, &c, &mut got);
                    for k in 0..a.len() {
                        let want = reference(a[k].into(), b[k].into(), c[k]);
                        assert_eq!(want.len(), functions::WIDTH);
                        for m in 0..functions::WIDTH {
                            let (g, w, name) = (got[k][m], want[m], functions::NAMES[m]);
                            let narrow = w as $T;
                            let ulp = f64::from(narrow.abs().next_up() - narrow.abs());
                            let near = (f64::from(g) - w).abs() <= bound(name) * ulp;
                            let same = g == narrow || (g.is_nan() && narrow.is_nan());
                            assert!(same || near, "{name} of {:?} on device {d}: {g:e} for {w:e}", (a[k], b[k], c[k]));
                            if w == 0.0 {
                                assert_eq!(g.is_sign_negative(), w.is_sign_negative(), "{name} of {:?}", (a[k], b[k]));
                            }
                        }
                    }
                });
            }
        }
    )* };
}

floats! {
    of_f32 f32 u32;
    of_f64 f64 u64;
}

/// Operators by the names of their methods, references compared as `Ord`, conversions from references.
mod by_name {
    use omp_tests::on_every_device;
    use std::cmp::Ordering;
    use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Rem, Shl, Shr, Sub};
    use std::panic::catch_unwind;

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    struct Pair {
        a: f32,
        b: f32,
    }

    #[omp::declare_target]
    impl Add for Pair {
        type Output = Pair;
        fn add(self, o: Pair) -> Pair {
            Pair { a: self.a + o.a, b: self.b + o.b }
        }
    }

    #[omp::declare_target]
    impl Mul<f32> for Pair {
        type Output = Pair;
        fn mul(self, o: f32) -> Pair {
            Pair { a: self.a * o, b: self.b * o }
        }
    }

    #[omp::declare_target]
    impl Div<f32> for Pair {
        type Output = Pair;
        fn div(self, o: f32) -> Pair {
            Pair { a: self.a / o, b: self.b / o }
        }
    }

    #[omp::declare_target]
    impl Neg for Pair {
        type Output = Pair;
        fn neg(self) -> Pair {
            Pair { a: -self.a, b: -self.b }
        }
    }

    /// A trait of the user's with a method of such a name.
    #[omp::declare_target]
    trait Ring {
        fn add(self, o: Self) -> Self;
        fn sub(self, o: &Self) -> Self;
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    struct Counted(f32, u32);

    #[omp::declare_target]
    impl Ring for Counted {
        fn add(self, o: Counted) -> Counted {
            Counted(self.0 + o.0, self.1 + o.1 + 1)
        }
        fn sub(self, o: &Counted) -> Counted {
            Counted(self.0 - o.0, self.1 + o.1 + 1)
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    struct Kahan {
        sum: f32,
        rest: f32,
    }

    #[omp::declare_target]
    impl Kahan {
        fn add(&mut self, v: f32) {
            let y = v - self.rest;
            let t = self.sum + y;
            self.rest = (t - self.sum) - y;
            self.sum = t;
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    struct Norm(f32);

    #[omp::declare_target]
    impl From<&Pair> for Norm {
        fn from(p: &Pair) -> Norm {
            Norm(p.a * p.a + p.b * p.b)
        }
    }

    #[omp::declare_target]
    fn thrice<T: omp::Device + Add<Output = T>>(a: T) -> T {
        a.add(a).add(a)
    }

    #[omp::offload]
    fn numbers(d: usize, x: &[f32], y: &mut [f32], k: &[i32], z: &mut [i32]) {
        #[omp::target(device(d))]
        for i in 0..x.len() {
            let mut a = x[i].mul(2.0).add(1.0);
            a = a.sub(x[i].neg());
            y[i] = a.div(3.0f32).rem(4.0) + thrice(x[i]);
            let j = i as i32;
            let w = k[i];
            z[i] = j.add(w).mul(3).bitand(0xff).bitor(1 << 9).bitxor(j).shl(2u8).shr(1u32).not().neg();
        }
    }

    #[omp::declare_target]
    fn half<T: omp::Device + Div<Output = T> + Rem<Output = T> + Add<Output = T>>(a: T, by: T) -> T {
        a.div(by).add(a.rem(by))
    }

    #[omp::offload]
    fn divided(d: usize, x: &[i32], by: &[i32], y: &mut [i32], z: &mut [u8]) {
        #[omp::target(device(d))]
        for (i, v) in x.iter().enumerate() {
            y[i] = v.div(by[i]).mul(100).add((v + 1).rem(&by[i])) + half(*v, by[i]);
            z[i] = (i as u8).add(7).rem(3).div(2u8);
        }
    }

    #[test]
    fn divisions_by_their_names() {
        on_every_device(|d| {
            let (x, by) = ([17, -9, -1000, 0], [5, 2, 7, -3]);
            let (mut y, mut z) = ([0; 4], [0; 4]);
            divided(d, &x, &by, &mut y, &mut z);
            for i in 0..4 {
                let (v, b) = (x[i], by[i]);
                assert_eq!(y[i], v / b * 100 + (v + 1) % b + v / b + v % b);
                assert_eq!(z[i], (i as u8 + 7) % 3 / 2);
            }
            for (v, b, what) in [(1, 0, "divide by zero"), (i32::MIN, -1, "divide with overflow")] {
                let failed = catch_unwind(|| divided(d, &[v], &[b], &mut [0], &mut [0]));
                let text = *failed.expect_err("it divides").downcast::<String>().expect("a text");
                assert!(text.contains(what) && text.contains("methods.rs"), "{text}");
            }
        });
    }

    #[omp::offload]
    fn declared(d: usize, x: &[Pair], y: &mut [Pair], n: &mut [Norm], k: &mut [Norm]) {
        #[omp::target(device(d))]
        for i in 0..x.len() {
            let p = x[i];
            y[i] = p.add(x[0]).mul(2.0).neg().div(4.0);
            n[i] = Norm::from(&x[i]);
            k[i] = (&p).into();
        }
    }

    #[omp::offload]
    fn references(d: usize, x: &[f32], y: &mut [f32], c: &mut [Counted]) {
        #[omp::target(device(d))]
        for (i, v) in x.iter().enumerate() {
            y[i] = v.add(1.0).add(v).mul(v);
            let mut sum = Kahan { sum: 0.0, rest: 0.0 };
            sum.add(*v);
            sum.add(1.0);
            c[i] = Counted(*v, 0).add(Counted(sum.sum, 0)).sub(&Counted(1.0, 5));
        }
    }

    #[omp::offload]
    fn compared(d: usize, x: &[i32], y: &[i32], z: &mut [i32], w: &mut [i64]) {
        #[omp::target(device(d))]
        for (z, (a, b)) in z.iter_mut().zip(x.iter().zip(y)) {
            *z = *a.max(b) * 100 + *(&a).min(&b) * 10 + *a.clamp(&0, &7);
        }
        #[omp::target(device(d))]
        for i in 0..x.len() {
            let order = x[i].partial_cmp(&y[i]);
            w[i] = Into::<i64>::into(x[i]) + if order == Some(Ordering::Less) { 1000 } else { 0 };
            if order != None && Some(x[i].cmp(&y[i])) == order {
                w[i] += 5000;
            }
        }
    }

    #[test]
    fn calls_of_operators_and_of_ord() {
        on_every_device(|d| {
            let (x, k) = ([1.0f32, 2.0, 5.5], [7, 100, -3]);
            let (mut y, mut z) = ([0.0; 3], [0; 3]);
            numbers(d, &x, &mut y, &k, &mut z);
            for i in 0..3 {
                let (a, j) = (x[i] * 2.0 + 1.0 + x[i], i as i32);
                assert!((y[i] - (a / 3.0 % 4.0 + 3.0 * x[i])).abs() < 1e-5);
                assert_eq!(z[i], -!((((((j + k[i]) * 3) & 0xff) | (1 << 9)) ^ j) << 2 >> 1));
            }
            let p = [Pair { a: 1.0, b: 2.0 }, Pair { a: 3.0, b: 4.0 }];
            let (mut q, mut n, mut m) = (p, [Norm(0.0); 2], [Norm(0.0); 2]);
            declared(d, &p, &mut q, &mut n, &mut m);
            for i in 0..2 {
                assert_eq!(q[i], -((p[i] + p[0]) * 2.0) / 4.0);
            }
            assert_eq!((n, m), ([Norm(5.0), Norm(25.0)], [Norm(5.0), Norm(25.0)]));
            let mut c = [Counted(0.0, 0); 3];
            references(d, &x, &mut y, &mut c);
            for i in 0..3 {
                assert_eq!(y[i], (x[i] + 1.0 + x[i]) * x[i]);
                assert_eq!(c[i], Counted(x[i] + x[i], 7));
            }
            let mut w = [0; 3];
            compared(d, &[1, 9, 3], &[2, 4, 3], &mut z, &mut w);
            assert_eq!((z, w), ([211, 947, 333], [6001, 5009, 5003]));
        });
    }

    #[derive(Clone, Copy, omp::Device)]
    struct Own(i32);

    #[omp::declare_target]
    impl Add for Own {
        type Output = Own;
        fn add(self, o: Own) -> Own {
            Own(self.0 + o.0)
        }
    }

    impl Own {
        fn add(self, o: Own) -> Own {
            Own(self.0 - o.0)
        }
    }

    #[omp::offload(try)]
    fn hidden(d: usize, y: &mut [Own]) -> Result<(), omp::Error> {
        #[omp::target(device(d))]
        for i in 0..y.len() {
            y[i] = y[i].add(Own(1)) + Own(10);
        }
        Ok(())
    }

    #[test]
    fn a_method_of_the_types_own_is_no_operator() {
        if omp::get_num_devices() > 0 {
            let mut y = [Own(5); 3];
            let result = hidden(0, &mut y);
            // The host calls the type's own, or nothing runs at all.
            match result {
                Ok(()) => {
                    let why = omp::last_region().fallback.expect("no device has it");
                    assert!(why.contains("by its name"), "{why}");
                    assert!(y.iter().all(|v| v.0 == 14));
                }
                Err(e) => assert!(e.to_string().contains("by its name"), "{e}"),
            }
        }
    }
}
