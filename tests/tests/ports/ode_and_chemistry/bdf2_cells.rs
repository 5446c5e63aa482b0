//! Stiff chemistry in every cell of a flow solver: variable-step BDF2 with Newton and dense LU, generic in the mechanism.
use omp_tests::twice;

twice! {
    #[omp::declare_target]
    pub trait Mechanism<const N: usize> {
        fn rates(y: &[f64; N], temperature: f64) -> [f64; N];
        fn jacobian(y: &[f64; N], temperature: f64) -> [[f64; N]; N];
    }

    #[omp::declare_target]
    fn arrhenius(a: f64, activation: f64, temperature: f64) -> f64 {
        a * (-activation / temperature).exp()
    }

    /// Robertson's problem with rates that depend on the temperature.
    pub struct Robertson;

    #[omp::declare_target]
    impl Mechanism<3> for Robertson {
        fn rates(&[a, b, c]: &[f64; 3], t: f64) -> [f64; 3] {
            let (k1, k2, k3) = (arrhenius(0.3, 600.0, t), 3e7, 1e4);
            let (r1, r2, r3) = (k1 * a, k2 * b * b, k3 * b * c);
            [-r1 + r3, r1 - r2 - r3, r2]
        }
        fn jacobian(&[_, b, c]: &[f64; 3], t: f64) -> [[f64; 3]; 3] {
            let (k1, k2, k3) = (arrhenius(0.3, 600.0, t), 3e7, 1e4);
            [
                [-k1, k3 * c, k3 * b],
                [k1, -2.0 * k2 * b - k3 * c, -k3 * b],
                [0.0, 2.0 * k2 * b, 0.0],
            ]
        }
    }

    /// NO, NO2, O3, O in sunlight.
    pub struct NoxCycle;

    #[omp::declare_target]
    impl NoxCycle {
        const PHOTOLYSIS: f64 = 0.5;
        const RECOMBINATION: f64 = 2e3;
    }

    #[omp::declare_target]
    impl Mechanism<4> for NoxCycle {
        fn rates(y: &[f64; 4], t: f64) -> [f64; 4] {
            let [no, no2, o3, o] = *y;
            let titration = arrhenius(1.8e2, 1370.0, t) * no * o3;
            let light = Self::PHOTOLYSIS * no2;
            let third = Self::RECOMBINATION * o;
            [light - titration, titration - light, third - titration, light - third]
        }
        fn jacobian(y: &[f64; 4], t: f64) -> [[f64; 4]; 4] {
            let k = arrhenius(1.8e2, 1370.0, t);
            let (a, b) = (k * y[2], k * y[0]);
            let (j, q) = (Self::PHOTOLYSIS, Self::RECOMBINATION);
            [[-a, j, -b, 0.0], [a, -j, b, 0.0], [-a, 0.0, -b, q], [0.0, j, 0.0, -q]]
        }
    }

    /// Gaussian elimination with row pivots; None if the matrix is singular.
    #[omp::declare_target]
    fn lu_solve<const N: usize>(mut a: [[f64; N]; N], mut b: [f64; N]) -> Option<[f64; N]> {
        for p in 0..N {
            let mut best = p;
            for r in p + 1..N {
                if a[r][p].abs() > a[best][p].abs() {
                    best = r;
                }
            }
            if a[best][p] == 0.0 {
                return None;
            }
            a.swap(p, best);
            b.swap(p, best);
            for r in p + 1..N {
                let f = a[r][p] / a[p][p];
                for c in p..N {
                    a[r][c] -= f * a[p][c];
                }
                b[r] -= f * b[p];
            }
        }
        for p in (0..N).rev() {
            let known: f64 = (p + 1..N).map(|c| a[p][c] * b[c]).sum();
            b[p] = (b[p] - known) / a[p][p];
        }
        Some(b)
    }

    /// Solves y = base + gh f(y), from a guess.
    #[omp::declare_target]
    fn newton<M: Mechanism<N>, const N: usize>(base: &[f64; N], guess: &[f64; N], gh: f64, t: f64) -> Option<[f64; N]> {
        let mut y = *guess;
        for _ in 0..8 {
            let f = M::rates(&y, t);
            let jac = M::jacobian(&y, t);
            let mut a = [[0.0; N]; N];
            let mut r = [0.0; N];
            for i in 0..N {
                r[i] = base[i] + gh * f[i] - y[i];
                for j in 0..N {
                    a[i][j] = if i == j { 1.0 } else { 0.0 } - gh * jac[i][j];
                }
            }
            let dy = lu_solve(a, r)?;
            let mut largest = 0.0f64;
            for (v, d) in y.iter_mut().zip(dy) {
                *v += d;
                largest = largest.max(d.abs() / (v.abs() * 1e-6 + 1e-12));
            }
            if largest < 1e-2 {
                return Some(y);
            }
        }
        None
    }

    /// Advances each cell by `span`; `steps` gets the number of accepted steps, 0 for a failure.
    pub fn integrate<M: Mechanism<N>, const N: usize>(cells: &mut [[f64; N]], temperature: &[f64], steps: &mut [u32], span: f64) {
        #[omp::target(map(tofrom: cells), map(to: temperature), map(from: steps))]
        for ((cell, &temp), count) in cells.iter_mut().zip(temperature).zip(steps.iter_mut()) {
            let (mut now, mut before) = (*cell, *cell);
            let (mut t, mut h, mut h_before) = (0.0, 1e-6 * span, 1e-6 * span);
            let (mut accepted, mut rejected) = (0, 0);
            while t < span && rejected < 200 {
                h = h.min(span - t);
                let ratio = if accepted == 0 { 0.0 } else { h / h_before };
                let scale = 1.0 / (1.0 + 2.0 * ratio);
                let mut base = [0.0; N];
                let mut guess = [0.0; N];
                for i in 0..N {
                    base[i] = scale * ((1.0 + ratio) * (1.0 + ratio) * now[i] - ratio * ratio * before[i]);
                    guess[i] = now[i] + ratio * (now[i] - before[i]);
                }
                let gh = h * (1.0 + ratio) * scale;
                let Some(next) = newton::<M, N>(&base, &guess, gh, temp) else {
                    h *= 0.25;
                    rejected += 1;
                    continue;
                };
                let error = next
                    .iter()
                    .zip(&guess)
                    .map(|(y, g)| (y - g).abs() / (1e-3 * y.abs() + 1e-8))
                    .fold(0.0, f64::max);
                if accepted > 1 && error > 4.0 {
                    h *= 0.5;
                    rejected += 1;
                    continue;
                }
                t += h;
                (before, now, h_before) = (now, next, h);
                h *= (1.0 / error.max(1e-3).sqrt()).clamp(0.7, 1.8);
                accepted += 1;
            }
            *count = if t < span { 0 } else { accepted };
            *cell = now;
        }
    }
}

port!(bdf2_cells: crate::Shown::of({
    let temperature: Vec<f64> = (0..50).map(|i| 260.0 + 2.3 * i as f64).collect();
    let mut robertson: Vec<[f64; 3]> = (0..50).map(|i| [1.0 - 0.01 * (i % 5) as f64, 0.0, 0.01 * (i % 5) as f64]).collect();
    let mut nox: Vec<[f64; 4]> = (0..50).map(|i| [0.2 + 0.01 * (i % 7) as f64, 0.5, 0.3, 0.0]).collect();
    let (mut s1, mut s2) = (vec![0; 50], vec![0; 50]);
    integrate::<Robertson, 3>(&mut robertson, &temperature, &mut s1, 10.0);
    integrate::<NoxCycle, 4>(&mut nox, &temperature, &mut s2, 4.0);
    let r: Vec<i64> = robertson.iter().flatten().map(|v| (v * 1e7).round() as i64).collect();
    let n: Vec<i64> = nox.iter().flatten().map(|v| (v * 1e7).round() as i64).collect();
    (s1, s2, r, n)
}));
