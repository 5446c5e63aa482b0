//! PolyBench ADI: alternating-direction implicit steps of the 2-D heat equation.
use omp_tests::twice;

twice! {
    pub type Grid<const N: usize> = [[f64; N]; N];

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Coefficients {
        a: f64,
        b: f64,
        d: f64,
        e: f64,
    }

    impl Coefficients {
        pub fn new(n: usize, tsteps: usize) -> Self {
            let (dx, dt) = (1.0 / n as f64, 1.0 / tsteps as f64);
            let (b1, b2) = (2.0, 1.0);
            let (mul1, mul2) = (b1 * dt / (dx * dx), b2 * dt / (dx * dx));
            Coefficients { a: -mul1 / 2.0, b: 1.0 + mul1, d: -mul2 / 2.0, e: 1.0 + mul2 }
        }

        pub const fn swapped(self) -> Self {
            let Self { a, b, d, e } = self;
            Self { a: d, b: e, d: a, e: b }
        }
    }

    #[omp::declare_target]
    impl Coefficients {
        fn explicit(&self, [below, here, above]: [f64; 3]) -> f64 {
            -self.d * below + (1.0 + 2.0 * self.d) * here - self.d * above
        }
    }

    /// Forward elimination and back substitution of one line with unit ends; `put` receives the solution.
    #[omp::declare_target]
    fn solve_line<const N: usize>(k: Coefficients, rhs: impl Fn(usize) -> f64, mut put: impl FnMut(usize, f64)) {
        let mut p = [0.0; N];
        let mut q = [0.0; N];
        q[0] = 1.0;
        for j in 1..N - 1 {
            let denom = k.a * p[j - 1] + k.b;
            p[j] = -k.a / denom;
            q[j] = (rhs(j) - k.a * q[j - 1]) / denom;
        }
        put(0, 1.0);
        put(N - 1, 1.0);
        let mut next = 1.0;
        for j in (1..N - 1).rev() {
            next = p[j] * next + q[j];
            put(j, next);
        }
    }

    fn column_sweep<const N: usize>(k: Coefficients, u: &Grid<N>, v: &mut Grid<N>) {
        #[omp::target]
        for i in 1..N - 1 {
            solve_line::<N>(
                k,
                |j| k.explicit([u[j][i - 1], u[j][i], u[j][i + 1]]),
                |j, x| v[j][i] = x,
            );
        }
    }

    fn row_sweep<const N: usize>(k: Coefficients, v: &Grid<N>, u: &mut Grid<N>) {
        let inner = &mut u[1..N - 1];
        #[omp::target]
        for (i, row) in (1usize..).zip(inner.iter_mut()) {
            let (above, here, below) = (&v[i - 1], &v[i], &v[i + 1]);
            solve_line::<N>(k, |j| k.explicit([above[j], here[j], below[j]]), |j, x| row[j] = x);
        }
    }

    pub fn adi<const N: usize>(u: &mut Grid<N>, tsteps: usize) -> f64 {
        let k = Coefficients::new(N, tsteps);
        let mut v: Box<Grid<N>> = Box::new([[0.0; N]; N]);
        for _ in 0..tsteps {
            column_sweep(k, u, &mut v);
            row_sweep(k.swapped(), &v, u);
        }
        roughness(u)
    }

    /// Largest jump between horizontal or vertical neighbours.
    pub fn roughness<const N: usize>(u: &Grid<N>) -> f64 {
        let mut worst: f64 = 0.0;
        #[omp::target(reduction(max: worst))]
        for (i, row) in u.iter().enumerate() {
            let across = row.windows(2).map(|w| (w[1] - w[0]).abs()).fold(0.0, f64::max);
            let down = match u.get(i + 1) {
                Some(next) => row.iter().zip(next).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max),
                None => 0.0,
            };
            worst = worst.max(across).max(down);
        }
        worst
    }
}
port!(adi_lines: crate::Shown::of({
    const N: usize = 20;
    let mut u: Box<[[f64; N]; N]> = Box::new(std::array::from_fn(|i| std::array::from_fn(|j| (i + N - j) as f64 / N as f64)));
    let before = roughness(&u);
    let rough = adi(&mut *u, 4);
    let r = |x: f64| (x * 1e7).round() as i64;
    (r(before), r(rough), u.iter().flatten().map(|&x| r(x)).collect::<Vec<_>>())
}));
