//! Determinants of small matrices by elimination with pivots, over any field: `f64`, and the integers modulo a prime.
use omp_tests::twice;

twice! {
    use std::ops::{Add, Mul, Sub};

    #[omp::declare_target]
    pub trait Field: omp::Device + Add<Output = Self> + Mul<Output = Self> + Sub<Output = Self> { const ZERO: Self; const ONE: Self; fn inv(self) -> Self; }
    #[omp::declare_target]
    impl Field for f64 { const ZERO: f64 = 0.0; const ONE: f64 = 1.0; fn inv(self) -> f64 { 1.0 / self } }
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Gf(pub u32);
    #[omp::declare_target]
    impl PartialEq for Gf { fn eq(&self, o: &Gf) -> bool { self.0 == o.0 } }
    const P: u64 = 1_000_003;
    #[omp::declare_target] impl Add for Gf { type Output = Gf; fn add(self, o: Gf) -> Gf { Gf(((self.0 as u64 + o.0 as u64) % P) as u32) } }
    #[omp::declare_target] impl Sub for Gf { type Output = Gf; fn sub(self, o: Gf) -> Gf { Gf(((self.0 as u64 + P - o.0 as u64) % P) as u32) } }
    #[omp::declare_target] impl Mul for Gf { type Output = Gf; fn mul(self, o: Gf) -> Gf { Gf((self.0 as u64 * o.0 as u64 % P) as u32) } }
    #[omp::declare_target]
    impl Field for Gf {
        const ZERO: Gf = Gf(0); const ONE: Gf = Gf(1);
        fn inv(self) -> Gf {
            let (mut b, mut e, mut r) = (self, P - 2, Gf(1));
            while e > 0 { if e & 1 == 1 { r = r * b; } b = b * b; e >>= 1; }
            r
        }
    }
    #[omp::declare_target]
    fn det<F: Field, const N: usize>(mut a: [[F; N]; N]) -> F where F: PartialEq {
        let mut d = F::ONE;
        for k in 0..N {
            let Some(p) = (k..N).find(|&i| a[i][k] != F::ZERO) else { return F::ZERO };
            if p != k { a.swap(p, k); d = F::ZERO - d; }
            d = d * a[k][k];
            let inv = a[k][k].inv();
            for i in k + 1..N {
                let f = a[i][k] * inv;
                for j in k..N { a[i][j] = a[i][j] - f * a[k][j]; }
            }
        }
        d
    }
    fn dets<F: Field + PartialEq, const N: usize>(a: &[[[F; N]; N]], y: &mut [F]) {
        #[omp::target]
        for (a, y) in a.iter().zip(y.iter_mut()) { *y = det(*a); }
    }

    pub fn run() -> (Vec<u32>, Vec<i64>) {
        let entry = |k: u32, i: u32, j: u32| (k * 7 + i * i * 3 + j * 5 + k * i * j / 2) % 7 % 4;
        let mats: Vec<[[u32; 4]; 4]> = (0..60u32)
            .map(|k| std::array::from_fn(|i| std::array::from_fn(|j| entry(k, i as u32, j as u32))))
            .collect();
        let modular: Vec<[[Gf; 4]; 4]> = mats.iter().map(|m| m.map(|row| row.map(Gf))).collect();
        let reals: Vec<[[f64; 4]; 4]> = mats.iter().map(|m| m.map(|row| row.map(f64::from))).collect();
        let (mut residues, mut values) = (vec![Gf(0); mats.len()], vec![0.0; mats.len()]);
        dets(&modular, &mut residues);
        dets(&reals, &mut values);
        (residues.iter().map(|d| d.0).collect(), values.iter().map(|d| d.round() as i64).collect())
    }
}
port!(field_determinants: run());
