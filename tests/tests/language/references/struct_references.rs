//! References to fields that own arrays, bound in bodies; and functions whose own variables have the names of their closures.
#![allow(unused_qualifications, clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::on_every_device;
use std::ops::Index;

struct Field {
    ny: usize,
    data: Vec<f64>,
}
#[omp::declare_target]
impl Index<(usize, usize)> for Field {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.data[i * self.ny + j]
    }
}
impl Field {
    fn mean(&self, i: usize) -> f64 {
        (self[(i, 0)] + self.data[i * self.ny + 1]) * 0.5
    }
}
#[omp::declare_target]
fn both(f: &Field, i: usize) -> f64 {
    f[(i, 0)] + f[(i, 1)]
}
struct Sim {
    nx: usize,
    u: Field,
    v: Field,
    out: Vec<f64>,
}
#[omp::offload]
impl Sim {
    fn go(&mut self, d: usize) {
        #[omp::target(device(d), collapse(2))]
        for i in 0..self.nx {
            for j in 0..2 {
                let u = &self.u;
                let a = u[(i, j)] + u.data[i] * 2.0 + (u.ny as f64);
                let v = &self.v;
                let b = v.mean(i) + u.mean(i) + (*v).data[0];
                self.out[i * 2 + j] = if j == 0 { a + b } else { a - v[(i, 1)] };
            }
        }
    }
}
#[omp::offload]
fn free(d: usize, s: &Sim, y: &mut [f64]) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        let f = &s.v;
        y[i] = both(f, i) + f[(i, 0)];
    }
}
#[derive(Clone, Copy, omp::Device)]
struct M {
    k: f64,
}
#[omp::declare_target]
impl M {
    fn contact(&self, a: f64, shear: impl Fn() -> f64) -> Option<(f64, f64)> {
        if a < 0.5 {
            return None;
        }
        let mut shear = shear() + a * self.k;
        if shear > 3.0 {
            shear = 3.0;
        }
        Some((shear * 2.0, shear))
    }
}
#[omp::declare_target]
fn twice(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let f = f(x) + 1.0;
    f * f
}
#[omp::offload]
fn touching(d: usize, m: M, x: &[f64], y: &mut [f64]) {
    #[omp::target(device(d))]
    for i in 0..x.len() {
        let known = || x[i] * 0.5;
        let mut s = twice(|v| v + 1.0, x[i]);
        if let Some((f, shear)) = m.contact(x[i], known) {
            s += f + shear * 10.0;
        }
        y[i] = s;
    }
}

#[test]
fn names_of_fields_stand_for_them() {
    let f = |k: usize| Field { ny: 2, data: (0..20).map(|i| (i * k % 7) as f64).collect() };
    on_every_device(|d| {
        let mut s = Sim { nx: 10, u: f(3), v: f(5), out: vec![0.0; 20] };
        s.go(d);
        for i in 0..10 {
            for j in 0..2 {
                let a = s.u[(i, j)] + s.u.data[i] * 2.0 + 2.0;
                let b = s.v.mean(i) + s.u.mean(i) + s.v.data[0];
                assert_eq!(s.out[i * 2 + j], if j == 0 { a + b } else { a - s.v[(i, 1)] }, "on {d}");
            }
        }
        let mut y = vec![0.0; 10];
        free(d, &s, &mut y);
        for i in 0..10 {
            assert_eq!(y[i], both(&s.v, i) + s.v[(i, 0)], "on {d}");
        }
    });
}

#[test]
fn variables_may_have_the_names_of_closures() {
    let x: Vec<f64> = (0..20).map(|k| k as f64 * 0.25).collect();
    let m = M { k: 0.5 };
    on_every_device(|d| {
        let mut y = vec![0.0; 20];
        touching(d, m, &x, &mut y);
        for i in 0..20 {
            let mut s = twice(|v| v + 1.0, x[i]);
            if let Some((f, shear)) = m.contact(x[i], || x[i] * 0.5) {
                s += f + shear * 10.0;
            }
            assert_eq!(y[i], s, "on {d}");
        }
    });
}
