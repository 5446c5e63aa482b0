//! Signed distance to a polygon and its gradient on a grid, in single and in double precision.
use omp_tests::twice;

twice! {
    use std::fmt::Debug;
    use std::ops::{Add, Div, Mul, Neg, Sub};

    #[omp::declare_target]
    trait Real:
        omp::Device
        + Debug
        + PartialOrd
        + Add<Output = Self>
        + Sub<Output = Self>
        + Mul<Output = Self>
        + Div<Output = Self>
        + Neg<Output = Self>
    {
        const ZERO: Self;
        const ONE: Self;
        const HUGE: Self;
        fn of(v: f64) -> Self;
        fn sqrt(self) -> Self;
        fn max(self, other: Self) -> Self;
        fn min(self, other: Self) -> Self;
    }

    macro_rules! impl_real {
        ($($t:ident)*) => {$(
            #[omp::declare_target]
            impl Real for $t {
                const ZERO: Self = 0.0;
                const ONE: Self = 1.0;
                const HUGE: Self = $t::MAX;
                fn of(v: f64) -> Self {
                    v as $t
                }
                fn sqrt(self) -> Self {
                    $t::sqrt(self)
                }
                fn max(self, other: Self) -> Self {
                    $t::max(self, other)
                }
                fn min(self, other: Self) -> Self {
                    $t::min(self, other)
                }
            }
        )*};
    }
    impl_real!(f32 f64);

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    struct Point<T> {
        x: T,
        y: T,
    }

    #[omp::declare_target]
    impl<T: Real> Add for Point<T> {
        type Output = Point<T>;
        fn add(self, o: Point<T>) -> Point<T> {
            Point { x: self.x + o.x, y: self.y + o.y }
        }
    }

    #[omp::declare_target]
    impl<T: Real> Sub for Point<T> {
        type Output = Point<T>;
        fn sub(self, o: Point<T>) -> Point<T> {
            Point { x: self.x - o.x, y: self.y - o.y }
        }
    }

    #[omp::declare_target]
    impl<T: Real> Mul<T> for Point<T> {
        type Output = Point<T>;
        fn mul(self, s: T) -> Point<T> {
            Point { x: self.x * s, y: self.y * s }
        }
    }

    #[omp::declare_target]
    impl<T: Real> Point<T> {
        fn dot(self, o: Point<T>) -> T {
            self.x * o.x + self.y * o.y
        }
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    struct Sample<T> {
        distance: T,
        gradient: Point<T>,
    }

    #[derive(Clone, Copy, omp::Device)]
    struct Raster<T> {
        nx: usize,
        ny: usize,
        origin: Point<T>,
        step: T,
    }

    #[omp::declare_target]
    impl<T: Real> Raster<T> {
        fn point(&self, i: usize, j: usize) -> Point<T> {
            self.origin + Point { x: T::of(i as f64), y: T::of(j as f64) } * self.step
        }
    }

    #[omp::declare_target]
    fn nearest_on_edge<T: Real>(p: Point<T>, a: Point<T>, b: Point<T>) -> Point<T> {
        let ab = b - a;
        let t = ((p - a).dot(ab) / ab.dot(ab)).max(T::ZERO).min(T::ONE);
        a + ab * t
    }

    #[omp::declare_target]
    fn sample<T: Real>(polygon: &[Point<T>], p: Point<T>) -> Sample<T> {
        let mut best = T::HUGE;
        let mut nearest = polygon[0];
        let mut inside = false;
        let n = polygon.len();
        for k in 0..n {
            let (a, b) = (polygon[k], polygon[(k + 1) % n]);
            let q = nearest_on_edge(p, a, b);
            let d2 = (p - q).dot(p - q);
            if d2 < best {
                best = d2;
                nearest = q;
            }
            if (a.y > p.y) != (b.y > p.y) && p.x < a.x + (b.x - a.x) * (p.y - a.y) / (b.y - a.y) {
                inside = !inside;
            }
        }
        let sign = if inside { -T::ONE } else { T::ONE };
        let d = best.sqrt();
        let gradient = if d > T::of(1e-6) { (p - nearest) * (sign / d) } else { Point { x: T::ZERO, y: T::ZERO } };
        Sample { distance: sign * d, gradient }
    }

    #[omp::offload]
    fn rasterize<T: Real>(polygon: &[Point<T>], raster: &Raster<T>, field: &mut [Sample<T>]) -> usize {
        let mut inside = 0;
        #[omp::target(collapse(2), map(to: polygon), map(from: field), reduction(+: inside))]
        for j in 0..raster.ny {
            for i in 0..raster.nx {
                let s = sample(polygon, raster.point(i, j));
                if s.distance < T::ZERO {
                    inside += 1;
                }
                field[j * raster.nx + i] = s;
            }
        }
        inside
    }

    /// How many points of the grid are inside, and of each point the distance and the gradient.
    fn field<T: Real + Into<f64>>(outline: &[(f64, f64)]) -> (usize, Vec<[f64; 3]>) {
        let polygon: Vec<Point<T>> = outline.iter().map(|&(x, y)| Point { x: T::of(x), y: T::of(y) }).collect();
        let origin = Point { x: T::of(-1.5071), y: T::of(-1.5037) };
        let raster = Raster { nx: 72, ny: 64, origin, step: T::of(0.0431) };
        let zero = Sample { distance: T::ZERO, gradient: Point { x: T::ZERO, y: T::ZERO } };
        let mut field = vec![zero; raster.nx * raster.ny];
        let inside = rasterize(&polygon, &raster, &mut field);
        assert!(inside > 0 && inside < field.len());
        let wide = |s: &Sample<T>| [s.distance.into(), s.gradient.x.into(), s.gradient.y.into()];
        (inside, field.iter().map(wide).collect())
    }

    pub fn run() -> [(usize, Vec<[f64; 3]>); 2] {
        let mut seed = 8u64;
        let outline: Vec<(f64, f64)> = (0..23)
            .map(|k| {
                seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let r = 0.5 + 0.8 * (seed >> 40) as f64 / (1u64 << 24) as f64;
                let phi = std::f64::consts::TAU * k as f64 / 23.0;
                (r * phi.cos(), r * phi.sin())
            })
            .collect();
        [field::<f32>(&outline), field::<f64>(&outline)]
    }
}
#[test]
fn polygon_sdf() {
    let expected = plain::run();
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        for ((got, want), tolerance) in device::run().iter().zip(&expected).zip([1e-5, 1e-13]) {
            assert_eq!(got.0, want.0, "device {d}");
            assert_eq!(got.1.len(), want.1.len(), "device {d}");
            for (s, e) in got.1.iter().zip(&want.1) {
                assert!((s[0] - e[0]).abs() <= tolerance, "device {d}: {s:?} {e:?}");
                let slack = tolerance / e[0].abs().max(tolerance);
                for axis in 1..3 {
                    assert!((s[axis] - e[axis]).abs() <= 4.0 * slack.min(0.5), "device {d}: {s:?} {e:?}");
                }
            }
        }
    });
}
