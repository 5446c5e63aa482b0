//! Functions with regions that take references in tuples.
use omp_tests::on_every_device;
use std::ops::Index;
#[derive(Clone, omp::Mapper)]
struct Grid<T> {
    n: usize,
    data: Vec<T>,
}
#[omp::declare_target]
impl<T: omp::Device> Index<(usize, usize)> for Grid<T> {
    type Output = T;
    fn index(&self, (i, j): (usize, usize)) -> &T {
        &self.data[i * self.n + j]
    }
}
struct Plain {
    scale: f64,
    data: Vec<f64>,
}
#[omp::offload]
fn add(
    (u, v): (&Grid<f64>, &Grid<f64>),
    (p, (w, k)): (&Plain, (&[f64], usize)),
    (out, rest): (&mut [f64], &mut Vec<f64>),
) {
    let n = u.n;
    #[omp::target(collapse(2))]
    for i in 0..n {
        for j in 0..n {
            out[i * n + j] = u[(i, j)] + p.scale * v[(j, i)] + p.data[j] + w[k];
        }
    }
    #[omp::target]
    for (r, x) in rest.iter_mut().zip(w) {
        *r += x;
    }
}
fn check() {
    for n in [0usize, 1, 7, 40] {
        let u = Grid { n, data: (0..n * n).map(|i| i as f64).collect() };
        let v = Grid { n, data: (0..n * n).map(|i| (i % 7) as f64).collect() };
        let p = Plain { scale: 2.0, data: vec![0.5; n] };
        let (mut out, mut rest) = (vec![0.0; n * n], vec![1.0; 5]);
        add((&u, &v), (&p, (&[1.0, 2.0, 3.0], 1)), (&mut out, &mut rest));
        for i in 0..n {
            for j in 0..n {
                assert_eq!(out[i * n + j], u[(i, j)] + 2.0 * v[(j, i)] + 0.5 + 2.0);
            }
        }
        assert_eq!(rest, [2.0, 3.0, 4.0, 1.0, 1.0]);
    }
}

#[test]
fn parameters_in_tuples() {
    on_every_device(|d| {
        omp::set_default_device(d);
        check();
    });
}
