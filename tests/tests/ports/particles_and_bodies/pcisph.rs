//! SPH: densities and pressure forces with a hashed grid of cells, kernels as associated functions.
use omp_tests::twice;

twice! {
    use std::f32::consts::PI;

    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    pub struct Particle { pos: [f32; 2], vel: [f32; 2], density: f32, pressure: f32 }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Kernel { h: f32 }

    #[omp::declare_target]
    impl Kernel {
        const MASS: f32 = 1.0;
        fn poly6(&self, r2: f32) -> f32 {
            let h2 = self.h * self.h;
            if r2 >= h2 { 0.0 } else { 4.0 / (PI * self.h.powi(8)) * (h2 - r2).powi(3) }
        }
        fn spiky_grad(&self, r: f32) -> f32 {
            if r >= self.h || r <= 1e-6 { return 0.0; }
            -30.0 / (PI * self.h.powi(5)) * (self.h - r).powi(2)
        }
    }

    pub struct Cells { dim: (usize, usize), size: f32, heads: Vec<Option<u32>>, next: Vec<Option<u32>> }

    impl Cells {
        pub fn build(ps: &[Particle], size: f32, dim: (usize, usize)) -> Self {
            let mut c = Self { dim, size, heads: vec![None; dim.0 * dim.1], next: vec![None; ps.len()] };
            for (i, p) in ps.iter().enumerate() {
                let (cx, cy) = c.cell_of(p.pos);
                let k = cy * dim.0 + cx;
                c.next[i] = c.heads[k].replace(i as u32);
            }
            c
        }
        fn cell_of(&self, [x, y]: [f32; 2]) -> (usize, usize) {
            let clamp = |v: f32, n: usize| ((v / self.size).floor().max(0.0) as usize).min(n - 1);
            (clamp(x, self.dim.0), clamp(y, self.dim.1))
        }
        fn for_each_near(&self, pos: [f32; 2], mut f: impl FnMut(usize)) {
            let (cx, cy) = self.cell_of(pos);
            for y in cy.saturating_sub(1)..=(cy + 1).min(self.dim.1 - 1) {
                for x in cx.saturating_sub(1)..=(cx + 1).min(self.dim.0 - 1) {
                    let mut at = self.heads[y * self.dim.0 + x];
                    while let Some(i) = at {
                        f(i as usize);
                        at = self.next[i as usize];
                    }
                }
            }
        }
    }

    #[omp::declare_target]
    fn dist2(a: [f32; 2], b: [f32; 2]) -> f32 {
        a.iter().zip(b.iter()).map(|(a, b)| (a - b) * (a - b)).sum()
    }

    pub fn densities(ps: &mut [Particle], cells: &Cells, k: Kernel, rest: f32) {
        let old = ps.to_vec();
        #[omp::target]
        for p in ps.iter_mut() {
            let mut rho = 0.0;
            cells.for_each_near(p.pos, |j| rho += Kernel::MASS * k.poly6(dist2(p.pos, old[j].pos)));
            p.density = rho;
            p.pressure = (2.0 * (rho - rest)).max(0.0);
        }
    }

    pub fn forces(ps: &[Particle], cells: &Cells, k: Kernel) -> Vec<[f32; 2]> {
        let mut out = vec![[0.0f32, -9.8]; ps.len()];
        #[omp::target]
        for (i, f) in out.iter_mut().enumerate() {
            let p = &ps[i];
            cells.for_each_near(p.pos, |j| {
                if j == i {
                    return;
                }
                let q = &ps[j];
                let r = dist2(p.pos, q.pos).sqrt();
                let w = k.spiky_grad(r) * Kernel::MASS * (p.pressure + q.pressure) / (2.0 * q.density);
                for d in 0..2 {
                    f[d] -= w * (p.pos[d] - q.pos[d]) / r.max(1e-6);
                }
            });
        }
        out
    }

    pub fn run() -> Vec<[f32; 2]> {
        let mut ps: Vec<Particle> = (0..120)
            .map(|i| Particle { pos: [(i % 12) as f32 * 0.4 + 0.05 * (i as f32).sin(), (i / 12) as f32 * 0.45], ..Default::default() })
            .collect();
        let cells = Cells::build(&ps, 1.0, (5, 5));
        let k = Kernel { h: 1.0 };
        densities(&mut ps, &cells, k, 1.0);
        forces(&ps, &cells, k)
    }
}
port!(pcisph: run());
