//! HeCBench sobol: direction numbers of several dimensions, Gray-code points, and an integral with them.
use omp_tests::twice;

twice! {
    const BITS: usize = 32;

    #[derive(Clone, Copy)]
    struct Primitive { degree: usize, a: u32, m: [u32; 5] }

    const PRIMITIVES: [Primitive; 5] = [
        Primitive { degree: 1, a: 0, m: [1, 0, 0, 0, 0] },
        Primitive { degree: 2, a: 1, m: [1, 3, 0, 0, 0] },
        Primitive { degree: 3, a: 1, m: [1, 3, 1, 0, 0] },
        Primitive { degree: 3, a: 2, m: [1, 1, 1, 0, 0] },
        Primitive { degree: 4, a: 1, m: [1, 1, 3, 3, 0] },
    ];

    pub fn directions(dims: usize) -> Vec<[u32; BITS]> {
        (0..dims)
            .map(|d| {
                let mut v = [0u32; BITS];
                if d == 0 {
                    for (i, v) in v.iter_mut().enumerate() { *v = 1 << (31 - i); }
                    return v;
                }
                let p = &PRIMITIVES[d - 1];
                for i in 0..BITS {
                    v[i] = if i < p.degree {
                        p.m[i] << (31 - i)
                    } else {
                        let mut x = v[i - p.degree] ^ (v[i - p.degree] >> p.degree);
                        for k in 1..p.degree {
                            x ^= ((p.a >> (p.degree - 1 - k)) & 1) * v[i - k];
                        }
                        x
                    };
                }
                v
            })
            .collect()
    }

    #[omp::declare_target]
    fn sobol(v: &[u32; BITS], index: u32) -> f64 {
        let mut gray = index ^ (index >> 1);
        let mut x = 0;
        let mut k = 0;
        while gray != 0 {
            if gray & 1 == 1 {
                x ^= v[k];
            }
            gray >>= 1;
            k += 1;
        }
        f64::from(x) * 2f64.powi(-32)
    }

    pub fn points(dirs: &[[u32; BITS]], n: usize) -> Vec<f64> {
        let dims = dirs.len();
        let mut out = vec![0.0; n * dims];
        #[omp::target]
        for (i, point) in out.chunks_exact_mut(dims).enumerate() {
            for (x, v) in point.iter_mut().zip(dirs) {
                *x = sobol(v, i as u32);
            }
        }
        out
    }

    pub fn integrate(dirs: &[[u32; BITS]], n: u32, f: impl Fn(f64) -> f64) -> f64 {
        let mut sum = 0.0;
        #[omp::target(reduction(+: sum))]
        for i in 1..=n {
            sum += dirs.iter().map(|v| (std::f64::consts::PI * sobol(v, i)).sin()).product::<f64>();
        }
        f(sum / n as f64)
    }

    pub fn run() -> (Vec<f64>, f64) {
        let dirs = directions(6);
        (points(&dirs, 100), integrate(&dirs, 512, |mean| mean * std::f64::consts::FRAC_PI_2.powi(6)))
    }
}
port!(sobol_points: run());
