//! Generic numbers of `num_traits`, under the feature of that name.
#![forbid(unsafe_code)]
#![allow(clippy::all, clippy::pedantic, reason = "bodies have all forms on purpose")]
use num_traits::{AsPrimitive, Bounded, Float, FloatConst, FromPrimitive, Num, NumCast, One, PrimInt};
use omp_tests::{compare, on_every_device, twice};

#[omp::declare_target]
fn softplus<T: Float + omp::Device>(x: T) -> T {
    let one = T::one();
    if x > T::from(20).unwrap() { x } else { (one + x.exp()).ln() }
}

#[derive(Clone, Copy, omp::Device)]
struct Vec2<T> {
    x: T,
    y: T,
}

#[omp::declare_target]
impl<T: Float + omp::Device> Vec2<T> {
    fn len(self) -> T {
        (self.x * self.x + self.y * self.y).sqrt()
    }
    fn half(self) -> Vec2<T> {
        let h = T::from(0.5).unwrap();
        Vec2 { x: self.x * h, y: self.y * h }
    }
}

twice! {
    pub fn norm<T: ::num_traits::Float + omp::Device>(d: usize, x: &[T]) -> T {
        let mut sum = T::zero();
        #[omp::target(device(d), reduction(+: sum))]
        for i in 0..x.len() {
            sum = sum + x[i] * x[i];
        }
        sum.sqrt()
    }

    pub fn gaussian<T: Float + FloatConst + omp::Device>(d: usize, x: &[T], y: &mut [T]) {
        let two = T::one() + T::one();
        #[omp::target(device(d))]
        for (y, &x) in y.iter_mut().zip(x) {
            let norm = (two * T::PI()).sqrt();
            *y = (-x.powi(2) / two).exp() / norm.max(T::epsilon());
        }
    }

    pub fn mixed<T: Float + FromPrimitive + omp::Device>(d: usize, x: &[T], y: &mut [T], z: &mut [f64], k: &mut [usize]) {
        let n = x.len();
        #[omp::target(device(d))]
        for i in 0..n {
            let t = T::from(i).unwrap() / T::from_usize(n).unwrap();
            let v = Vec2 { x: x[i], y: t };
            y[i] = v.half().len().min(softplus(x[i])) + T::from_f64(0.25).unwrap();
            z[i] = y[i].to_f64().unwrap().sqrt();
            k[i] = (y[i].abs() * T::from(8.0f32).unwrap()).floor().to_usize().unwrap_or(7) % 9;
            if x[i].is_nan() || x[i] == T::infinity() || y[i] > T::max_value() {
                k[i] = 99;
            }
        }
    }

    pub fn product<T: Num + Copy + omp::Device>(d: usize, n: usize, a: &[T], b: &[T], c: &mut [T]) {
        #[omp::target(device(d), collapse(2))]
        for i in 0..n {
            for j in 0..n {
                let mut s = T::zero();
                for k in 0..n {
                    s = s + a[i * n + k] * b[k * n + j];
                }
                c[i * n + j] = if s == T::one() { T::one() + T::one() } else { s };
            }
        }
    }

    pub fn casts<S: NumCast + Copy + omp::Device, T: NumCast + Bounded + Copy + omp::Device>(d: usize, x: &[S], y: &mut [T], ok: &mut [bool]) {
        #[omp::target(device(d))]
        for i in 0..x.len() {
            ok[i] = T::from(x[i]).is_some();
            y[i] = T::from(x[i]).unwrap_or(T::max_value());
        }
    }

    pub fn bits<T: PrimInt + AsPrimitive<f64> + omp::Device>(d: usize, x: &[T], y: &mut [f64], n: &mut [u32]) {
        #[omp::target(device(d))]
        for i in 0..x.len() {
            y[i] = x[i].as_() * 0.5;
            n[i] = x[i].count_ones() + x[i].rotate_left(3).leading_zeros();
        }
    }

    /// Concrete numbers beside the traits in scope.
    pub fn beside<T: Float + omp::Device>(d: usize, x: &[f64], w: &[T], y: &mut [f64]) {
        #[omp::target(device(d))]
        for i in 0..x.len() {
            let r = &x[i];
            let s: f64 = NumCast::from(w[i]).unwrap();
            y[i] = r.abs().sqrt() + x[i].max(2.5).floor() + s.mul_add(0.5, r.sin()) + f64::max(1.0, s);
            y[i] += <f64 as NumCast>::from(w[i].signum()).unwrap() + (f64::one() + x[i] * x[i]).sqrt();
        }
    }
}

/// Each number within its tolerance, on every device, as without directives.
fn floats<T: Float + FloatConst + FromPrimitive + omp::Device + std::fmt::Debug>(tolerance: f64) {
    let wide = |v: &[T]| v.iter().map(|v| v.to_f64().unwrap()).collect::<Vec<_>>();
    let close = |a: &[f64], b: &[f64]| {
        let near = a.iter().zip(b).all(|(a, b)| (a - b).abs() <= tolerance * (1.0 + b.abs()));
        assert!(near && a.len() == b.len(), "{a:?} {b:?}");
    };
    for n in [0usize, 37] {
        let x: Vec<T> = (0..n).map(|i| T::from((i * 7 % 23) as f64 * 0.25 - 2.0).unwrap()).collect();
        let at: Vec<f64> = (0..n).map(|i| i as f64 - 3.5).collect();
        macro_rules! all {
            ($m:ident, $d:expr) => {{
                let mut y = vec![x.clone(), x.clone()];
                let (mut z, mut k, mut b) = (vec![0.0; n], vec![0; n], vec![0.0; n]);
                let norm = $m::norm($d, &x);
                $m::gaussian($d, &x, &mut y[0]);
                $m::mixed($d, &x, &mut y[1], &mut z, &mut k);
                $m::beside($d, &at, &x, &mut b);
                ([wide(&[norm]), wide(&y[0]), wide(&y[1]), z, b].concat(), k)
            }};
        }
        let want = all!(plain, 0);
        on_every_device(|d| {
            let got = all!(device, d);
            close(&got.0, &want.0);
            assert_eq!(got.1, want.1);
        });
    }
}

#[test]
fn generic_floats() {
    floats::<f32>(1e-5);
    floats::<f64>(1e-12);
}

#[test]
fn generic_numbers() {
    fn of<T: Num + Copy + omp::Device + std::fmt::Debug>(from: impl Fn(usize) -> T) {
        let n = 9;
        let a: Vec<T> = (0..n * n).map(|k| from(k % 5)).collect();
        let b: Vec<T> = (0..n * n).map(|k| from(k % 3)).collect();
        compare!(m, d => { let mut c = a.clone(); m::product(d, n, &a, &b, &mut c); c });
    }
    of(|k| k as i32 - 1);
    of(|k| k as u64);
    of(|k| k as f64 * 0.5);
    compare!(m, d => { let (mut y, mut n) = ([0.0; 5], [0; 5]); m::bits(d, &[0u32, 1, 77, u32::MAX, 1 << 31], &mut y, &mut n); (y, n) });
    compare!(m, d => { let (mut y, mut n) = ([0.0; 4], [0; 4]); m::bits(d, &[0i16, 1, -77, i16::MIN], &mut y, &mut n); (y, n) });
}

/// The casts that fail, and where each begins to.
#[test]
fn casts_of_every_kind() {
    fn of<
        S: NumCast + Copy + omp::Device,
        T: NumCast + Bounded + Copy + PartialEq + omp::Device + std::fmt::Debug,
    >(
        x: &[S],
    ) {
        let n = x.len();
        compare!(m, d => { let (mut y, mut ok) = (vec![T::min_value(); n], vec![false; n]); m::casts(d, x, &mut y, &mut ok); (y, ok) });
    }
    macro_rules! to {
        ($x:expr => $($t:ty)*) => { $(of::<_, $t>($x);)* };
    }
    let floats: Vec<f64> = (-70..70)
        .flat_map(|e: i32| {
            let p = 2f64.powi(e.abs()).copysign(e as f64);
            [
                p - 1.0,
                p - 0.5,
                p,
                p + 0.5,
                p + 1.0,
                f64::from_bits(p.to_bits() - 1),
                f64::from_bits(p.to_bits() + 1),
            ]
        })
        .chain([0.0, -0.0, 0.5, -0.5, -0.99, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300])
        .collect();
    let singles: Vec<f32> = floats.iter().map(|v| *v as f32).collect();
    let ints: Vec<i64> = floats.iter().map(|v| *v as i64).collect();
    let words: Vec<u64> = floats.iter().map(|v| *v as u64).chain(ints.iter().map(|v| *v as u64)).collect();
    let small: Vec<i8> = (-128..=127).collect();
    to!(&floats => u8 i32 i64 u64);
    to!(&singles => i8 i32 u32);
    to!(&ints => i8 u32 u64 f32);
    to!(&words => i8 i64);
    to!(&small => u16);
}
