//! References to values: a region has what they refer to when it starts, whether they are dereferenced or not.
#![allow(clippy::needless_range_loop, clippy::trivially_copy_pass_by_ref, reason = "what is tested")]
use omp_tests::on_every_device;

#[derive(Clone, Copy, omp::Device)]
struct Params {
    alpha: f64,
    beta: f64,
    n: usize,
}

#[omp::declare_target]
impl Params {
    fn apply(&self, v: f64) -> f64 {
        self.alpha * v + self.beta
    }

    fn at(self, i: usize, j: usize) -> usize {
        i * self.n + j
    }
}

#[omp::declare_target]
fn scaled(p: &Params, v: f64) -> f64 {
    p.alpha * v
}

/// Fields, methods, and the whole as an argument.
#[omp::offload]
fn params(d: usize, p: &Params, y: &mut [f64]) {
    #[omp::target(device(d), collapse(2))]
    for i in 0..p.n {
        for j in 0..p.n {
            y[p.at(i, j)] = p.apply(y[p.at(i, j)]) + scaled(p, 2.0) - p.beta;
        }
    }
}

/// In arithmetic a reference needs no `*`.
#[omp::offload]
fn arguments(d: usize, k: &usize, s: &f64, y: &mut [f64]) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        y[i] = y[i] * s + (i * k) as f64 + *s + s.sqrt();
    }
}

#[omp::offload]
fn variables(d: usize, p: Params, y: &mut [f64]) {
    let (n, alpha, q) = (&y.len(), &p.alpha, &p);
    let Params { beta, .. } = q;
    let own = &p.beta;
    #[omp::target(device(d))]
    for i in 0..y.len() {
        y[i] = *alpha * (*n - i) as f64 + beta - own + q.apply(1.0);
    }
}

struct Sim {
    x: Vec<f64>,
    v: Vec<f64>,
    dt: f64,
    steps: u32,
    p: Params,
}

#[omp::offload]
impl Sim {
    fn step(&mut self, d: usize) {
        let Self { x, v, dt, p, .. } = self;
        #[omp::target(device(d))]
        for i in 0..x.len() {
            x[i] += *dt * v[i] + p.beta;
        }
    }

    fn energy(&self, d: usize) -> f64 {
        let Sim { x, v, dt, steps, .. } = self;
        let mut e = 0.0;
        #[omp::target(device(d), reduction(+: e))]
        for (a, b) in x.iter().zip(v.iter()) {
            e += a * b * dt + f64::from(*steps);
        }
        e
    }
}

#[omp::offload]
impl Params {
    /// The receiver itself is a device's.
    fn fill(&self, d: usize, y: &mut [f64]) {
        #[omp::target(device(d), collapse(2))]
        for i in 0..self.n {
            for j in 0..self.n {
                y[self.at(i, j)] = self.apply((10 * i + j) as f64) + scaled(self, 1.0);
            }
        }
    }
}

/// The types of arrays and values are written nowhere.
#[omp::offload]
fn levels(d: usize, levels: &mut [Vec<f64>], scales: &[f64]) {
    for (level, s) in levels.iter_mut().zip(scales) {
        #[omp::target(device(d))]
        for i in 0..level.len() {
            level[i] *= *s;
        }
    }
    for more in scales {
        for level in &mut *levels {
            #[omp::target(device(d))]
            for i in 0..level.len() {
                level[i] += more;
            }
        }
    }
    let (fine, coarse) = levels.split_at_mut(1);
    let (f, c) = (&fine[0], &mut coarse[0]);
    #[omp::target(device(d))]
    for i in 0..c.len() {
        c[i] = f[2 * i] + f[2 * i + 1];
    }
}

#[test]
fn what_is_referred_to_is_captured() {
    on_every_device(|d| {
        let p = Params { alpha: 2.0, beta: 0.5, n: 70 };
        let mut y: Vec<f64> = (0..4900).map(f64::from).collect();
        params(d, &p, &mut y);
        assert!((0..4900).all(|k| y[k] == 2.0 * k as f64 + 0.5 + 4.0 - 0.5), "on {d}");
        p.fill(d, &mut y);
        let value = |k: usize| (10 * (k / 70) + k % 70) as f64;
        assert!((0..4900).all(|k| y[k] == 2.0 * value(k) + 0.5 + 2.0), "on {d}");
        let mut y = vec![1.0; 100];
        arguments(d, &3, &4.0, &mut y);
        assert!((0..100).all(|i| y[i] == 4.0 + (3 * i) as f64 + 4.0 + 2.0), "on {d}");
        variables(d, p, &mut y);
        assert!((0..100).all(|i| y[i] == 2.0 * (100 - i) as f64 + 2.5), "on {d}");
    });
}

#[test]
fn parts_of_self() {
    on_every_device(|d| {
        let p = Params { alpha: 1.0, beta: 2.0, n: 0 };
        let mut sim = Sim { x: vec![1.0; 50], v: vec![4.0; 50], dt: 0.5, steps: 3, p };
        sim.step(d);
        assert!(sim.x.iter().all(|x| *x == 5.0), "on {d}");
        assert_eq!(sim.energy(d), 50.0 * (5.0 * 4.0 * 0.5 + 3.0), "on {d}");
    });
}

#[test]
fn arrays_of_no_written_type() {
    on_every_device(|d| {
        let mut all = vec![vec![1.0; 8], vec![2.0; 4]];
        levels(d, &mut all, &[2.0, 3.0]);
        assert_eq!(all, [vec![7.0; 8], vec![14.0; 4]]);
    });
}
