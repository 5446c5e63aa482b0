//! PolyBench heat-3d, generic over the precision.
use omp_tests::twice;

twice! {
    #[omp::declare_target]
    pub trait Real: omp::Device + std::ops::Add<Output = Self> + std::ops::Sub<Output = Self> + std::ops::Mul<Output = Self> + PartialOrd {
        const ZERO: Self;
        fn of(x: f64) -> Self;
        fn abs(self) -> Self;
    }

    #[omp::declare_target]
    impl Real for f32 {
        const ZERO: Self = 0.0;
        fn of(x: f64) -> Self { x as f32 }
        fn abs(self) -> Self { f32::abs(self) }
    }

    #[omp::declare_target]
    impl Real for f64 {
        const ZERO: Self = 0.0;
        fn of(x: f64) -> Self { x }
        fn abs(self) -> Self { f64::abs(self) }
    }

    #[derive(Clone, Debug, omp::Mapper)]
    pub struct Cube<T: Real> {
        n: usize,
        cells: Vec<T>,
    }

    impl<T: Real> Cube<T> {
        pub fn init(n: usize) -> Self {
            let mut cells = vec![T::ZERO; n * n * n];
            #[omp::target(collapse(3))]
            for i in 0..n {
                for j in 0..n {
                    for k in 0..n {
                        cells[(i * n + j) * n + k] = T::of((i + j + (n - k)) as f64 * 10.0 / n as f64);
                    }
                }
            }
            Cube { n, cells }
        }

        #[inline]
        fn idx(&self, i: usize, j: usize, k: usize) -> usize {
            (i * self.n + j) * self.n + k
        }

        #[inline]
        fn second_difference(&self, at: usize, stride: usize) -> T {
            self.cells[at + stride] - T::of(2.0) * self.cells[at] + self.cells[at - stride]
        }

        fn step_into(&self, out: &mut Cube<T>) {
            let n = self.n;
            let c = T::of(0.125);
            #[omp::target(collapse(3))]
            for i in 1..n - 1 {
                for j in 1..n - 1 {
                    for k in 1..n - 1 {
                        let at = self.idx(i, j, k);
                        out.cells[at] = c * self.second_difference(at, n * n)
                            + c * self.second_difference(at, n)
                            + c * self.second_difference(at, 1)
                            + self.cells[at];
                    }
                }
            }
        }

        fn max_change(&self, other: &Self) -> T {
            assert_eq!(self.cells.len(), other.cells.len());
            let mut worst = T::ZERO;
            #[omp::target(reduction(max: worst))]
            for (a, b) in self.cells.iter().zip(&other.cells) {
                let d = (*a - *b).abs();
                if d > worst {
                    worst = d;
                }
            }
            worst
        }
    }

    fn solve<T: Real>(n: usize, steps: usize) -> (Vec<T>, Vec<T>) {
        let mut a = Cube::<T>::init(n);
        let mut b = a.clone();
        let mut changes = vec![];
        for _ in 0..steps {
            a.step_into(&mut b);
            changes.push(a.max_change(&b));
            std::mem::swap(&mut a, &mut b);
        }
        (a.cells, changes)
    }

    pub fn run() -> ((Vec<f32>, Vec<f32>), (Vec<f64>, Vec<f64>)) {
        (solve(8, 3), solve(9, 2))
    }
}
port!(heat3d: run());
