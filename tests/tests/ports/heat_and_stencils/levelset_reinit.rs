//! Reinitialisation of a level set to a signed distance (Sussman) and motion along its normal.
use omp_tests::twice;

twice! {
    use std::ops::{Add, AddAssign, Div, Index, IndexMut, Mul, Neg, Sub};
    use std::slice::ChunksExactMut;

    #[omp::declare_target]
    pub trait Float:
        Copy + PartialOrd + AddAssign + Neg<Output = Self>
        + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
    {
        fn of(v: f64) -> Self;
        fn sqrt(self) -> Self;
        fn max(self, o: Self) -> Self { if self > o { self } else { o } }
        fn min(self, o: Self) -> Self { if self < o { self } else { o } }
        fn squared(self) -> Self { self * self }
    }
    #[omp::declare_target]
    impl Float for f32 {
        fn of(v: f64) -> f32 { v as f32 }
        fn sqrt(self) -> f32 { f32::sqrt(self) }
    }
    #[omp::declare_target]
    impl Float for f64 {
        fn of(v: f64) -> f64 { v }
        fn sqrt(self) -> f64 { f64::sqrt(self) }
    }

    #[derive(Clone, Debug, PartialEq, omp::Mapper)]
    pub struct Grid<T> {
        nx: usize,
        ny: usize,
        h: T,
        cells: Vec<T>,
    }

    /// One-sided differences: backward and forward.
    #[derive(Clone, Copy, Debug, omp::Device)]
    struct OneSided<T> { back: T, fore: T }

    #[omp::declare_target]
    impl<T: Float + omp::Device> OneSided<T> {
        /// Godunov's choice of the squared derivative for a front that moves outwards or inwards.
        fn upwind_squared(self, outwards: bool) -> T {
            let zero = T::of(0.0);
            let (a, b) = if outwards {
                (self.back.max(zero), self.fore.min(zero))
            } else {
                (self.back.min(zero), self.fore.max(zero))
            };
            a.squared().max(b.squared())
        }
    }

    #[omp::declare_target]
    impl<T: Float + omp::Device> Grid<T> {
        pub fn spacing(&self) -> T { self.h }
        fn x_slopes(&self, i: usize, j: usize) -> OneSided<T> {
            let here = self[[i, j]];
            let west = self[[i.saturating_sub(1), j]];
            let east = self[[(i + 1).min(self.nx - 1), j]];
            OneSided { back: (here - west) / self.h, fore: (east - here) / self.h }
        }
        fn y_slopes(&self, i: usize, j: usize) -> OneSided<T> {
            let here = self[[i, j]];
            let south = self[[i, j.saturating_sub(1)]];
            let north = self[[i, (j + 1).min(self.ny - 1)]];
            OneSided { back: (here - south) / self.h, fore: (north - here) / self.h }
        }
        fn slope(&self, i: usize, j: usize, outwards: bool) -> T {
            let gx = self.x_slopes(i, j).upwind_squared(outwards);
            let gy = self.y_slopes(i, j).upwind_squared(outwards);
            (gx + gy).sqrt()
        }
    }
    #[omp::declare_target]
    impl<T> Index<[usize; 2]> for Grid<T> {
        type Output = T;
        fn index(&self, [i, j]: [usize; 2]) -> &T { &self.cells[j * self.nx + i] }
    }
    #[omp::declare_target]
    impl<T> IndexMut<[usize; 2]> for Grid<T> {
        fn index_mut(&mut self, [i, j]: [usize; 2]) -> &mut T { &mut self.cells[j * self.nx + i] }
    }
    impl<T: Float + omp::Device> Grid<T> {
        pub fn from_fn(nx: usize, ny: usize, h: T, f: impl Fn(usize, usize) -> T) -> Self {
            let cells = (0..nx * ny).map(|n| f(n % nx, n / nx)).collect();
            Grid { nx, ny, h, cells }
        }
        pub fn rows_mut(&mut self) -> ChunksExactMut<'_, T> { self.cells.chunks_exact_mut(self.nx) }
        pub fn as_slice(&self) -> &[T] { &self.cells }
    }

    #[omp::declare_target]
    fn smoothed_sign<T: Float>(phi: T, h: T) -> T { phi / (phi.squared() + h.squared()).sqrt() }

    pub fn reinitialise<T: Float + omp::Device>(phi: &mut Grid<T>, steps: usize) {
        let start = phi.clone();
        let mut next = phi.clone();
        let h = phi.spacing();
        let dt = h * T::of(0.5);
        for _ in 0..steps {
            let old = &*phi;
            #[omp::target]
            for (j, row) in next.rows_mut().enumerate() {
                for (i, out) in row.iter_mut().enumerate() {
                    let sign = smoothed_sign(start[[i, j]], h);
                    let slope = old.slope(i, j, sign > T::of(0.0));
                    *out = old[[i, j]] - dt * sign * (slope - T::of(1.0));
                }
            }
            std::mem::swap(phi, &mut next);
        }
    }

    /// phi_t + speed |grad phi| = 0 with a speed of either sign.
    pub fn propagate<T: Float + omp::Device>(phi: &mut Grid<T>, speed: &Grid<T>, dt: T, steps: usize) {
        let mut next = phi.clone();
        for _ in 0..steps {
            #[omp::target(collapse(2))]
            for j in 0..phi.ny {
                for i in 0..phi.nx {
                    let v = speed[[i, j]];
                    next[[i, j]] = phi[[i, j]] - dt * v * phi.slope(i, j, v > T::of(0.0));
                }
            }
            std::mem::swap(phi, &mut next);
        }
    }

    /// The area inside of the zero contour, with a front of three cells' width.
    pub fn enclosed_area<T: Float + omp::Device>(phi: &Grid<T>) -> T {
        let width = phi.h * T::of(1.5);
        let cell = phi.h.squared();
        let mut area = T::of(0.0);
        #[omp::target(reduction(+: area))]
        for &p in phi.cells.iter() {
            let inside = (T::of(0.5) - p / (width + width)).max(T::of(0.0)).min(T::of(1.0));
            area += inside * cell;
        }
        area
    }
}
port!(levelset_reinit: crate::Shown::of({
    let n = 48usize;
    let h = 2.0 / n as f64;
    let at = |i: usize| -1.0 + (i as f64 + 0.5) * h;
    // The right contour, but far from a distance.
    let mut phi = Grid::from_fn(n, n, h, |i, j| {
        let (x, y) = (at(i), at(j));
        (x * x + 2.0 * y * y - 0.4) * (1.5 + x - 0.5 * y)
    });
    reinitialise(&mut phi, 40);
    let first = enclosed_area(&phi);
    let speed = Grid::from_fn(n, n, h, |i, _| if i < n / 2 { 0.5 } else { -0.25 });
    propagate(&mut phi, &speed, 0.4 * h, 12);
    reinitialise(&mut phi, 10);
    let second = enclosed_area(&phi);
    let cells: Vec<i64> = phi.as_slice().iter().map(|p| (p * 1e7).round() as i64).collect();
    (cells, (first * 1e6).round(), (second * 1e6).round())
}));
