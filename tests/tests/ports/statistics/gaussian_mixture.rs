//! Mixture of two-dimensional Gaussians with full covariances, fitted by expectation maximisation.
use omp_tests::twice;

twice! {
    use std::f64::consts::PI;
    use std::ops::{Add, AddAssign};

    const K: usize = 3;

    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    struct Point {
        x: f64,
        y: f64,
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    struct Component {
        weight: f64,
        mean: Point,
        /// xx, xy, yy
        cov: [f64; 3],
    }

    #[omp::declare_target]
    impl Component {
        fn log_density(&self, p: &Point) -> f64 {
            let [xx, xy, yy] = self.cov;
            let det = xx * yy - xy * xy;
            let (dx, dy) = (p.x - self.mean.x, p.y - self.mean.y);
            let mahalanobis = (yy * dx * dx - 2.0 * xy * dx * dy + xx * dy * dy) / det;
            -0.5 * (mahalanobis + det.ln()) - (2.0 * PI).ln()
        }
    }

    /// Weighted sums over the points.
    #[derive(Clone, Copy, Debug, omp::Device)]
    struct Moments {
        n: f64,
        x: f64,
        y: f64,
        xx: f64,
        xy: f64,
        yy: f64,
    }

    #[omp::declare_target]
    impl Moments {
        const ZERO: Moments = Moments { n: 0.0, x: 0.0, y: 0.0, xx: 0.0, xy: 0.0, yy: 0.0 };

        fn of(p: &Point, w: f64) -> Self {
            Moments { n: w, x: w * p.x, y: w * p.y, xx: w * p.x * p.x, xy: w * p.x * p.y, yy: w * p.y * p.y }
        }
    }

    #[omp::declare_reduction(+: Moments, identity = Moments::ZERO)]
    impl Add for Moments {
        type Output = Moments;
        fn add(self, o: Moments) -> Moments {
            Moments {
                n: self.n + o.n,
                x: self.x + o.x,
                y: self.y + o.y,
                xx: self.xx + o.xx,
                xy: self.xy + o.xy,
                yy: self.yy + o.yy,
            }
        }
    }

    #[omp::declare_target]
    impl AddAssign for Moments {
        fn add_assign(&mut self, o: Moments) {
            *self = *self + o;
        }
    }

    impl From<(Moments, usize)> for Component {
        fn from((m, total): (Moments, usize)) -> Self {
            const RIDGE: f64 = 1e-6;
            let mean = Point { x: m.x / m.n, y: m.y / m.n };
            Component {
                weight: m.n / total as f64,
                mean,
                cov: [
                    m.xx / m.n - mean.x * mean.x + RIDGE,
                    m.xy / m.n - mean.x * mean.y,
                    m.yy / m.n - mean.y * mean.y + RIDGE,
                ],
            }
        }
    }

    #[derive(Clone, Debug)]
    struct Mixture {
        components: [Component; K],
    }

    #[omp::offload]
    impl Mixture {
        /// Responsibilities of the components for each point; returns the log-likelihood.
        fn expectation(&self, points: &[Point], resp: &mut [f64]) -> f64 {
            let mut log_likelihood = 0.0;
            #[omp::target(reduction(+: log_likelihood))]
            for (i, p) in points.iter().enumerate() {
                let mut logs = [0.0; K];
                let mut max = f64::NEG_INFINITY;
                for (k, c) in self.components.iter().enumerate() {
                    logs[k] = c.weight.ln() + c.log_density(p);
                    max = max.max(logs[k]);
                }
                let norm = max + logs.iter().map(|l| (l - max).exp()).sum::<f64>().ln();
                for k in 0..K {
                    resp[i * K + k] = (logs[k] - norm).exp();
                }
                log_likelihood += norm;
            }
            log_likelihood
        }

        fn maximisation(&mut self, points: &[Point], resp: &[f64]) {
            for (k, component) in self.components.iter_mut().enumerate() {
                let mut moments = Moments::ZERO;
                #[omp::target(reduction(+: moments))]
                for i in 0..points.len() {
                    moments += Moments::of(&points[i], resp[i * K + k]);
                }
                *component = Component::from((moments, points.len()));
            }
        }

        fn fit(&mut self, points: &[Point], max_iterations: usize, tolerance: f64) -> (f64, Vec<f64>) {
            let mut resp = vec![0.0; points.len() * K];
            let mut last = f64::NEG_INFINITY;
            #[omp::target_data(map(to: points), map(from: resp))]
            for _ in 0..max_iterations {
                let log_likelihood = self.expectation(points, &mut resp);
                self.maximisation(points, &resp);
                let gain = log_likelihood - last;
                last = log_likelihood;
                if gain < tolerance {
                    break;
                }
            }
            (last, resp)
        }
    }

    /// The log-likelihood, the components (weight, mean, covariance) and the responsibilities.
    pub fn run() -> (f64, Vec<[f64; 6]>, Vec<f64>) {
        let mut state = 7u64;
        let mut uniform = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        let centres = [(0.0, 0.0), (5.0, 1.0), (1.0, 6.0)];
        let points: Vec<Point> = (0..600)
            .map(|i| {
                let (cx, cy) = centres[i % K];
                let u: f64 = (0..6).map(|_| uniform()).sum::<f64>() - 3.0;
                let v: f64 = (0..6).map(|_| uniform()).sum::<f64>() - 3.0;
                Point { x: cx + 1.2 * u, y: cy + 0.5 * u + 0.9 * v }
            })
            .collect();

        let guess = |x, y| Component { weight: 1.0 / K as f64, mean: Point { x, y }, cov: [1.0, 0.0, 1.0] };
        let mut mixture = Mixture { components: [guess(-1.0, 0.5), guess(4.0, 2.0), guess(2.0, 4.0)] };
        let (log_likelihood, resp) = mixture.fit(&points, 40, 1e-5);
        let components = mixture.components.iter().map(|c| {
            let [xx, xy, yy] = c.cov;
            [c.weight, c.mean.x, c.mean.y, xx, xy, yy]
        });
        (log_likelihood, components.collect(), resp)
    }
}
#[test]
fn gaussian_mixture() {
    let (expected, components, expected_resp) = plain::run();
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        let (ll, fitted, resp) = device::run();
        let near =
            |a: &[f64], b: &[f64]| a.len() == b.len() && a.iter().zip(b).all(|(p, q)| (p - q).abs() < 1e-6);
        assert!(((ll - expected) / expected).abs() < 1e-9, "device {d}: {ll} {expected}");
        assert!(
            near(fitted.as_flattened(), components.as_flattened()),
            "device {d}: {fitted:?} {components:?}"
        );
        assert!(near(&resp, &expected_resp), "device {d}: responsibilities");
    });
}
