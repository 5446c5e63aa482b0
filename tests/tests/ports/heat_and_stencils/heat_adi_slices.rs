//! Heat conduction by alternating directions: lines of a plane as iterators of views.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy)]
    pub enum Axis { X, Y }

    pub struct Plane { nx: usize, ny: usize, t: Vec<f64> }

    struct Line { start: usize, stride: usize, len: usize }

    impl Plane {
        fn line(&self, axis: Axis, k: usize) -> Line {
            match axis {
                Axis::X => Line { start: k * self.nx, stride: 1, len: self.nx },
                Axis::Y => Line { start: k, stride: self.nx, len: self.ny },
            }
        }

        fn implicit(&mut self, axis: Axis, r: f64) {
            let lines = match axis { Axis::X => self.ny, Axis::Y => self.nx };
            let (stride, step, len) = match axis {
                Axis::X => (1, self.nx, self.nx),
                Axis::Y => (self.nx, 1, self.ny),
            };
            let t = &mut self.t;
            #[omp::target]
            for k in 0..lines {
                let at = |i: usize| k * step + i * stride;
                let mut c = [0.0; 32];
                let b = 1.0 + 2.0 * r;
                c[0] = -r / b;
                t[at(0)] /= b;
                for i in 1..len {
                    let m = b + r * c[i - 1];
                    c[i] = -r / m;
                    t[at(i)] = (t[at(i)] + r * t[at(i - 1)]) / m;
                }
                for i in (0..len - 1).rev() { t[at(i)] -= c[i] * t[at(i + 1)]; }
            }
        }

        fn row_extremes(&self) -> Vec<(f64, f64)> {
            let mut e = vec![(0.0, 0.0); self.ny];
            #[omp::target]
            for (y, e) in e.iter_mut().enumerate() {
                let row = &self.t[y * self.nx..][..self.nx];
                *e = row.iter().fold((f64::MAX, f64::MIN), |(lo, hi), &v| (lo.min(v), hi.max(v)));
            }
            e
        }
    }
    pub fn run() -> (Vec<f64>, Vec<(f64, f64)>) {
        let (nx, ny) = (14, 9);
        let mut p = Plane { nx, ny, t: (0..nx * ny).map(|i| (i % 11) as f64).collect() };
        let l = p.line(Axis::Y, 2);
        assert_eq!(l.start + l.stride * (l.len - 1), 2 + nx * (ny - 1));
        for _ in 0..2 { for axis in [Axis::X, Axis::Y] { p.implicit(axis, 0.3); } }
        let e = p.row_extremes();
        (p.t, e)
    }
}
port!(heat_adi_slices: run());
