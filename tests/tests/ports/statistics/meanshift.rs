//! HeCBench meanshift: modes of points in the plane, and their merging.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Pt<const D: usize> { c: [f32; D] }

    #[omp::declare_target]
    impl<const D: usize> Pt<D> {
        const ORIGIN: Self = Self { c: [0.0; D] };
        fn dist2(&self, o: &Self) -> f32 {
            let mut d = 0.0;
            for k in 0..D {
                d += (self.c[k] - o.c[k]).powi(2);
            }
            d
        }
    }

    pub fn shift<const D: usize>(points: &[Pt<D>], start: &[Pt<D>], out: &mut [Pt<D>], radius: f32) -> f32 {
        let sigma2 = 2.0 * radius * radius;
        let mut moved = 0.0f32;
        #[omp::target(reduction(max: moved))]
        for (p, o) in start.iter().zip(out) {
            let mut mean = Pt::<D>::ORIGIN;
            let mut total = 0.0;
            points
                .iter()
                .map(|q| (q, p.dist2(q)))
                .filter(|(_, d)| *d <= 9.0 * radius * radius)
                .for_each(|(q, d)| {
                    let w = (-d / sigma2).exp();
                    for (m, x) in mean.c.iter_mut().zip(q.c.iter()) {
                        *m += w * x;
                    }
                    total += w;
                });
            for m in &mut mean.c {
                *m /= total;
            }
            moved = moved.max(mean.dist2(p).sqrt());
            *o = mean;
        }
        moved
    }

    pub fn modes(points: &[Pt<2>], radius: f32) -> Vec<Pt<2>> {
        let mut now = points.to_vec();
        let mut next = now.clone();
        for _ in 0..12 {
            let moved = shift(points, &now, &mut next, radius);
            std::mem::swap(&mut now, &mut next);
            if moved < 1e-4 {
                break;
            }
        }
        now
    }

    pub fn labels(modes: &[Pt<2>], merge: f32) -> Vec<u32> {
        let mut label = vec![0u32; modes.len()];
        #[omp::target]
        for (i, l) in label.iter_mut().enumerate() {
            *l = modes.iter().position(|m| m.dist2(&modes[i]) < merge * merge).unwrap() as u32;
        }
        label
    }

    pub fn run() -> (Vec<u32>, crate::Shown) {
        let points: Vec<Pt<2>> = (0..75)
            .map(|i| {
                let (cx, cy) = [(0.0, 0.0), (5.0, 1.0), (2.0, 6.0)][i % 3];
                Pt { c: [cx + (i as f32 * 1.7).sin() * 0.6, cy + (i as f32 * 2.3).cos() * 0.6] }
            })
            .collect();
        let m = modes(&points, 0.7);
        let l = labels(&m, 0.8);
        let rounded: Vec<[f32; 2]> = m.iter().map(|p| p.c.map(|v| (v * 20.0).round())).collect();
        (l, crate::Shown::of(rounded))
    }
}
port!(meanshift: run());
