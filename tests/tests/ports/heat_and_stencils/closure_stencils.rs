//! Miniapps: stencils handed a closure for the boundary, rows of a grid, upwind sums with chained ranges, cells of a torus.
use omp_tests::twice;

twice! {
    #[omp::declare_target]
    fn laplace(at: impl Fn(isize, isize) -> f64, x: isize, y: isize) -> f64 {
        at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1) - 4.0 * at(x, y)
    }

    pub fn diffuse(out: &mut [f64], u: &[f64], w: usize, h: usize, k: f64) {
        #[omp::target(collapse(2))]
        for y in 0..h {
            for x in 0..w {
                let at = |x: isize, y: isize| {
                    let x = x.clamp(0, w as isize - 1) as usize;
                    let y = y.clamp(0, h as isize - 1) as usize;
                    u[y * w + x]
                };
                out[y * w + x] = u[y * w + x] + k * laplace(at, x as isize, y as isize);
            }
        }
    }

    pub fn torus(out: &mut [f64], u: &[f64], w: usize, h: usize, k: f64) {
        let wrap = |v: isize, n: usize| v.rem_euclid(n as isize) as usize;
        #[omp::target(collapse(2))]
        for y in 0..h {
            for x in 0..w {
                out[y * w + x] = u[y * w + x]
                    + k * laplace(|x, y| u[wrap(y, h) * w + wrap(x, w)], x as isize, y as isize);
            }
        }
    }

    pub fn others(out: &mut [f64], u: &[f64]) {
        let n = u.len();
        #[omp::target]
        for i in 0..n {
            out[i] = (0..i).chain(i + 1..n).map(|j| (u[j] - u[i]) / (j as f64 - i as f64)).sum();
        }
    }

    pub fn rims(out: &mut [f64], u: &[f64], w: usize) {
        #[omp::target]
        for (o, r) in out.iter_mut().zip(u.chunks(w)) {
            let (first, rest) = r.split_first().unwrap();
            let last = rest.last().copied().unwrap_or(0.0);
            *o = first - last + rest.iter().rev().enumerate().map(|(i, v)| i as f64 * v).sum::<f64>();
        }
    }

    #[omp::declare_target]
    fn twice(f: impl Fn(f64) -> f64, x: f64) -> f64 { f(f(x)) }

    pub fn apply_all(out: &mut [f64], u: &[f64]) {
        let scale = 0.5;
        let shrink = |x: f64| x * scale;
        #[omp::target]
        for i in 0..out.len() {
            out[i] = twice(shrink, u[i]) + twice(|x| twice(|y| y + 1.0, x) * 0.25, u[i]) + twice(f64::abs, u[i]);
        }
    }

    pub fn run() -> Vec<Vec<f64>> {
        let u: Vec<f64> = (0..9 * 7).map(|i| ((i * 29) % 23) as f64 - 8.0).collect();
        let (mut a, mut b, mut c, mut d, mut e) = (vec![0.0; 63], vec![0.0; 63], vec![0.0; 63], vec![0.0; 7], vec![0.0; 63]);
        diffuse(&mut a, &u, 9, 7, 0.1);
        torus(&mut b, &u, 9, 7, 0.1);
        others(&mut c, &u);
        rims(&mut d, &u, 9);
        apply_all(&mut e, &u);
        vec![a, b, c, d, e]
    }
}
port!(stencil: run());
