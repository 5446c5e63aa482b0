//! Parallel cyclic reduction of tridiagonal systems, with two buffers.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    pub struct Eq { a: f64, b: f64, c: f64, d: f64 }

    #[omp::declare_target]
    fn reduce(lo: Eq, mid: Eq, hi: Eq) -> Eq {
        let k1 = if lo.b != 0.0 { mid.a / lo.b } else { 0.0 };
        let k2 = if hi.b != 0.0 { mid.c / hi.b } else { 0.0 };
        Eq {
            a: -lo.a * k1,
            b: mid.b - lo.c * k1 - hi.a * k2,
            c: -hi.c * k2,
            d: mid.d - lo.d * k1 - hi.d * k2,
        }
    }

    pub fn pcr(systems: &mut Vec<Eq>, n: usize) -> Vec<f64> {
        let count = systems.len() / n;
        let mut next = systems.clone();
        let mut stride = 1;
        while stride < n {
            #[omp::target(collapse(2))]
            for s in 0..count {
                for i in 0..n {
                    let row = &systems[s * n..][..n];
                    let none = Eq { b: 1.0, ..Eq::default() };
                    let lo = if i >= stride { row[i - stride] } else { none };
                    let hi = if i + stride < n { row[i + stride] } else { none };
                    next[s * n + i] = reduce(lo, row[i], hi);
                }
            }
            std::mem::swap(systems, &mut next);
            stride *= 2;
        }
        let mut x = vec![0.0; systems.len()];
        #[omp::target]
        for (x, e) in x.iter_mut().zip(systems.iter()) {
            *x = e.d / e.b;
        }
        x
    }

    pub fn thomas(systems: &[Eq], x: &mut [f64], n: usize) {
        #[omp::target]
        for (x, s) in x.chunks_mut(n).zip(systems.chunks(n)) {
            let mut c = [0.0; 64];
            let mut d = [0.0; 64];
            c[0] = s[0].c / s[0].b;
            d[0] = s[0].d / s[0].b;
            for i in 1..n {
                let m = 1.0 / (s[i].b - s[i].a * c[i - 1]);
                c[i] = s[i].c * m;
                d[i] = (s[i].d - s[i].a * d[i - 1]) * m;
            }
            x[n - 1] = d[n - 1];
            for i in (0..n - 1).rev() {
                x[i] = d[i] - c[i] * x[i + 1];
            }
        }
    }

    pub fn run() -> (Vec<f64>, Vec<f64>) {
        let n = 27;
        let systems: Vec<Eq> = (0..5 * n)
            .map(|k| {
                let i = k % n;
                Eq {
                    a: if i == 0 { 0.0 } else { -1.0 },
                    b: 2.5 + (k % 7) as f64 * 0.1,
                    c: if i + 1 == n { 0.0 } else { -1.1 },
                    d: (k as f64).sin(),
                }
            })
            .collect();
        let mut x = vec![0.0; systems.len()];
        thomas(&systems, &mut x, n);
        (pcr(&mut systems.clone(), n), x)
    }
}
port!(pcr: run());
