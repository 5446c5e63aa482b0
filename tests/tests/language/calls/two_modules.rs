//! Functions of one name in two modules of a file, whose bodies stand in the place of their calls.
#![allow(clippy::redundant_closure, reason = "the code has the form on purpose")]
use omp_tests::on_every_device;

mod first {
    #[omp::declare_target]
    pub fn at(i: usize, n: usize) -> usize {
        i * n
    }
    #[omp::declare_target]
    pub fn row(x: &[f32], i: usize) -> &[f32] {
        &x[i * 2..i * 2 + 2]
    }
    #[omp::declare_target]
    pub fn applied(x: f32, g: impl Fn(f32) -> f32) -> f32 {
        g(x)
    }
    #[omp::offload]
    pub fn run(x: &[f32], y: &mut [f32], d: usize) {
        #[omp::target(device(d))]
        for i in 0..y.len() / 2 {
            y[at(i, 2)] = row(x, i)[1] + applied(x[i], |v| v + 1.0);
        }
    }
}

mod second {
    #[omp::declare_target]
    pub fn at(i: usize, n: usize) -> usize {
        i * n + 1
    }
    #[omp::declare_target]
    pub fn row(x: &[f32], i: usize) -> &[f32] {
        &x[i * 2 + 1..i * 2 + 2]
    }
    #[omp::declare_target]
    pub fn applied(x: f32, g: impl Fn(f32) -> f32) -> f32 {
        g(g(x))
    }
    #[omp::offload]
    pub fn run(x: &[f32], y: &mut [f32], d: usize) {
        #[omp::target(device(d))]
        for i in 0..y.len() / 2 {
            y[at(i, 2)] = row(x, i)[0] + applied(x[i], |v| v + 2.0);
        }
    }
}

#[test]
fn each_module_has_its_own() {
    on_every_device(|d| {
        let x: Vec<f32> = (0..16).map(|v| v as f32).collect();
        let mut y = [0.0; 6];
        first::run(&x, &mut y, d);
        second::run(&x, &mut y, d);
        assert_eq!(y, [2.0, 5.0, 5.0, 8.0, 8.0, 11.0]);
    });
}
