//! An accelerator: particles through a lattice of elements (an enum with data), losses by apertures, emittance, tunes by a Fourier sum.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub enum Element {
        Drift { l: f64 },
        Quadrupole { l: f64, k: f64 },
        Sextupole(f64),
        Cavity { voltage: f64, phase: f64 },
        Collimator { half: [f64; 2] },
        Marker,
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Ray { x: f64, px: f64, y: f64, py: f64, z: f64, delta: f64 }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub struct Loss { turn: u32, element: u16 }

    #[omp::declare_target]
    fn plane(k: f64, l: f64, (q, p): (f64, f64)) -> (f64, f64) {
        let w = k.abs().sqrt();
        let (c, s, sign) = if k > 0.0 {
            let (s, c) = (w * l).sin_cos();
            (c, s, -1.0)
        } else if k < 0.0 {
            ((w * l).cosh(), (w * l).sinh(), 1.0)
        } else {
            return (q + l * p, p);
        };
        (c * q + s / w * p, sign * w * s * q + c * p)
    }

    #[omp::declare_target]
    impl Element {
        /// The ray after the element; none if it is lost.
        fn track(&self, mut r: Ray) -> Option<Ray> {
            match *self {
                Self::Drift { l } => {
                    r.x += l * r.px;
                    r.y += l * r.py;
                    r.z -= 0.5 * l * (r.px * r.px + r.py * r.py);
                }
                Self::Quadrupole { l, k } => {
                    let k = k / (1.0 + r.delta);
                    (r.x, r.px) = plane(k, l, (r.x, r.px));
                    (r.y, r.py) = plane(-k, l, (r.y, r.py));
                }
                Self::Sextupole(m) => {
                    r.px -= 0.5 * m * (r.x * r.x - r.y * r.y);
                    r.py += m * r.x * r.y;
                }
                Self::Cavity { voltage, phase } => r.delta += voltage * (phase - r.z).sin(),
                Self::Collimator { half: [hx, hy] } => {
                    if r.x.abs() > hx || r.y.abs() > hy {
                        return None;
                    }
                }
                Self::Marker => (),
            }
            r.x.is_finite().then_some(r)
        }
    }

    pub fn track(lattice: &[Element], rays: &mut [Ray], turns: u32, record: &mut [f64]) -> Vec<Option<Loss>> {
        let mut lost = vec![None; rays.len()];
        #[omp::target]
        for ((ray, loss), history) in rays.iter_mut().zip(lost.iter_mut()).zip(record.chunks_exact_mut(turns as usize)) {
            'turns: for turn in 0..turns {
                for (at, element) in lattice.iter().enumerate() {
                    match element.track(*ray) {
                        Some(after) => *ray = after,
                        None => {
                            *loss = Some(Loss { turn, element: at as u16 });
                            break 'turns;
                        }
                    }
                }
                history[turn as usize] = ray.x;
            }
        }
        lost
    }

    pub fn emittance(rays: &[Ray], lost: &[Option<Loss>]) -> (f64, usize) {
        let (mut n, mut sx, mut sp, mut sxx, mut spp, mut sxp) = (0usize, 0.0, 0.0, 0.0, 0.0, 0.0);
        #[omp::target(reduction(+: n, sx, sp, sxx, spp, sxp))]
        for (r, _) in rays.iter().zip(lost).filter(|(_, l)| l.is_none()) {
            n += 1;
            sx += r.x;
            sp += r.px;
            sxx += r.x * r.x;
            spp += r.px * r.px;
            sxp += r.x * r.px;
        }
        let m = n as f64;
        let var = |ab: f64, a: f64, b: f64| ab / m - a * b / (m * m);
        ((var(sxx, sx, sx) * var(spp, sp, sp) - var(sxp, sx, sp).powi(2)).max(0.0).sqrt(), n)
    }

    pub fn tunes(record: &[f64], turns: usize, grid: usize) -> Vec<f64> {
        let mut q = vec![0.0; record.len() / turns];
        #[omp::target]
        for (tune, x) in q.iter_mut().zip(record.chunks_exact(turns)) {
            let amplitude = |nu: f64| {
                let (c, s) = x.iter().enumerate().fold((0.0, 0.0), |(c, s), (k, v)| {
                    let (sin, cos) = (std::f64::consts::TAU * nu * k as f64).sin_cos();
                    (c + v * cos, s + v * sin)
                });
                c * c + s * s
            };
            let coarse = (1..grid)
                .map(|k| 0.5 * k as f64 / grid as f64)
                .max_by(|a, b| amplitude(*a).total_cmp(&amplitude(*b)))
                .unwrap_or_default();
            let width = 0.5 / grid as f64;
            // Golden section.
            let (mut lo, mut hi) = (coarse - width, coarse + width);
            const G: f64 = 0.618_033_988_749_894_9;
            while hi - lo > 1e-7 {
                let (a, b) = (hi - G * (hi - lo), lo + G * (hi - lo));
                if amplitude(a) > amplitude(b) { hi = b } else { lo = a }
            }
            *tune = 0.5 * (lo + hi);
        }
        q
    }

    pub fn run() -> (Vec<Option<Loss>>, (f64, usize), Vec<f32>) {
        let lattice = [
            Element::Quadrupole { l: 0.5, k: 0.6 }, Element::Drift { l: 1.5 }, Element::Sextupole(0.3), Element::Quadrupole { l: 0.5, k: -0.6 },
            Element::Drift { l: 1.5 }, Element::Cavity { voltage: 1e-3, phase: 0.1 }, Element::Marker, Element::Collimator { half: [0.9, 0.8] },
        ];
        let mut rays: Vec<Ray> = (0..20).map(|i| Ray { x: 0.05 * i as f64, px: 0.001, y: 0.04 * (i % 6) as f64, py: 0.0, z: 0.0, delta: 0.0 }).collect();
        let mut record = vec![0.0; 20 * 32];
        let lost = track(&lattice, &mut rays, 32, &mut record);
        let e = emittance(&rays, &lost);
        (lost, e, tunes(&record[..5 * 32], 32, 40).into_iter().map(|q| q as f32).collect())
    }
}
port!(accelerator: crate::Shown::of(run()));
