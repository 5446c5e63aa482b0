//! Monte Carlo transport of neutrons through a layered slab, with tallies.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Material { sigma_t: f64, sigma_a: f64, sigma_f: f64, nu: f64 }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u8)]
    pub enum Event { Collision { cell: usize }, Leak { right: bool }, Crossing }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Neutron { x: f64, mu: f64, weight: f64, cell: usize, seed: u64 }

    #[omp::declare_target]
    impl Neutron {
        fn rn(&mut self) -> f64 {
            self.seed = self.seed.wrapping_mul(2806196910506780709).wrapping_add(1);
            let mut word = ((self.seed >> ((self.seed >> 59) + 5)) ^ self.seed).wrapping_mul(12605985483714917081);
            word = (word >> 43) ^ word;
            (word >> 11) as f64 / (1u64 << 53) as f64
        }

        fn advance(&mut self, edges: &[f64], sigma_t: f64) -> Event {
            let to_collision = -self.rn().ln() / sigma_t;
            let edge = if self.mu > 0.0 { edges[self.cell + 1] } else { edges[self.cell] };
            let to_edge = (edge - self.x) / self.mu;
            if to_collision < to_edge {
                self.x += self.mu * to_collision;
                return Event::Collision { cell: self.cell };
            }
            self.x = edge;
            if self.mu > 0.0 && self.cell + 2 == edges.len() {
                Event::Leak { right: true }
            } else if self.mu < 0.0 && self.cell == 0 {
                Event::Leak { right: false }
            } else {
                if self.mu > 0.0 { self.cell += 1 } else { self.cell -= 1 }
                Event::Crossing
            }
        }
    }

    #[derive(Debug, Default)]
    pub struct Tally { flux: Vec<f64>, leak_left: f64, leak_right: f64, absorbed: f64, collisions: u64 }

    pub fn simulate(materials: &[Material], layer: &[usize], edges: &[f64], histories: usize) -> Tally {
        let cells = edges.len() - 1;
        let mut flux = vec![0.0; cells];
        let (mut left, mut right, mut absorbed) = (0.0, 0.0, 0.0);
        let mut collisions = 0u64;
        #[omp::target(reduction(+: flux, left, right, absorbed, collisions))]
        for h in 0..histories {
            let mut n = Neutron { x: 0.0, mu: 1.0, weight: 1.0, cell: 0, seed: 0x9E37_79B9u64.wrapping_mul(h as u64 + 1) };
            n.mu = n.rn().sqrt().max(1e-3);
            loop {
                let m = &materials[layer[n.cell]];
                match n.advance(edges, m.sigma_t) {
                    Event::Crossing => continue,
                    Event::Leak { right: true } => { right += n.weight; break; }
                    Event::Leak { .. } => { left += n.weight; break; }
                    Event::Collision { cell } => {
                        collisions += 1;
                        flux[cell] += n.weight / m.sigma_t;
                        let lost = n.weight * m.sigma_a / m.sigma_t;
                        absorbed += lost;
                        n.weight -= lost;
                        n.weight += lost * m.nu * m.sigma_f / m.sigma_a * 0.1;
                        if n.weight < 0.05 {
                            if n.rn() < 0.5 { break; }
                            n.weight *= 2.0;
                        }
                        n.mu = 2.0 * n.rn() - 1.0;
                        if n.mu == 0.0 { n.mu = 1e-9; }
                    }
                }
            }
        }
        Tally { flux, leak_left: left, leak_right: right, absorbed, collisions }
    }

    pub fn run() -> (Vec<f64>, Vec<f64>, u64) {
        let materials = [
            Material { sigma_t: 1.0, sigma_a: 0.3, sigma_f: 0.1, nu: 2.4 },
            Material { sigma_t: 2.0, sigma_a: 0.2, sigma_f: 0.0, nu: 0.0 },
        ];
        let edges: Vec<f64> = (0..=8).map(|i| i as f64 * 0.5).collect();
        let layer: Vec<usize> = (0..8).map(|i| i / 2 % 2).collect();
        let t = simulate(&materials, &layer, &edges, 300);
        (t.flux, vec![t.leak_left, t.leak_right, t.absorbed], t.collisions)
    }
}
port!(slab_transport: run());
