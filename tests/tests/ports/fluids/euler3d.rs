//! Rodinia cfd: finite-volume Euler equations on unstructured cells.
use omp_tests::twice;

twice! {
    const GAMMA: f32 = 1.4;
    const NNB: usize = 4;

    #[derive(Clone, Copy, Default, Debug, PartialEq, omp::Device)]
    pub struct V3 { x: f32, y: f32, z: f32 }

    #[derive(Clone, Copy, Default, Debug, PartialEq, omp::Device)]
    pub struct State { density: f32, momentum: V3, energy: f32 }

    #[derive(Clone, Copy)]
    enum Neighbour { Cell(usize), Wall, FarField }

    impl From<i32> for Neighbour {
        fn from(i: i32) -> Self {
            match i {
                -1 => Neighbour::Wall,
                -2 => Neighbour::FarField,
                i => Neighbour::Cell(i as usize),
            }
        }
    }

    #[omp::declare_target]
    impl V3 {
        fn dot(self, o: V3) -> f32 { self.x * o.x + self.y * o.y + self.z * o.z }
        fn scale(self, s: f32) -> V3 { V3 { x: self.x * s, y: self.y * s, z: self.z * s } }
        fn norm(self) -> f32 { self.dot(self).sqrt() }
    }
    #[omp::declare_target]
    impl std::ops::Add for V3 {
        type Output = V3;
        fn add(self, o: V3) -> V3 { V3 { x: self.x + o.x, y: self.y + o.y, z: self.z + o.z } }
    }
    #[omp::declare_target]
    impl std::ops::AddAssign for State {
        fn add_assign(&mut self, o: State) {
            self.density += o.density;
            self.momentum = self.momentum + o.momentum;
            self.energy += o.energy;
        }
    }

    #[omp::declare_target]
    impl State {
        fn velocity(&self) -> V3 { self.momentum.scale(1.0 / self.density) }
        fn pressure(&self) -> f32 {
            let v = self.velocity();
            (GAMMA - 1.0) * (self.energy - 0.5 * self.density * v.dot(v))
        }
        fn speed_of_sound(&self) -> f32 { (GAMMA * self.pressure() / self.density).sqrt() }
        fn flux(&self, n: V3) -> State {
            let (v, p) = (self.velocity(), self.pressure());
            let un = v.dot(n);
            State { density: self.density * un, momentum: self.momentum.scale(un) + n.scale(p), energy: (self.energy + p) * un }
        }
    }

    pub fn compute_flux(cells: &[State], neighbours: &[i32], normals: &[V3], far: State) -> Vec<State> {
        let mut fluxes = vec![State::default(); cells.len()];
        #[omp::target]
        for (i, out) in fluxes.iter_mut().enumerate() {
            let me = cells[i];
            let mut total = State::default();
            for j in 0..NNB {
                let n = normals[i * NNB + j];
                let nb = neighbours[i * NNB + j];
                if nb == -1 {
                    total.momentum = total.momentum + n.scale(-me.pressure());
                    continue;
                }
                let other = if nb >= 0 { cells[nb as usize] } else { far };
                let factor = -0.5 * (me.speed_of_sound() + other.speed_of_sound()) * n.norm() * 0.2;
                let (fa, fb) = (me.flux(n), other.flux(n));
                total += State {
                    density: -0.5 * (fa.density + fb.density) + factor * (me.density - other.density),
                    momentum: (fa.momentum + fb.momentum).scale(-0.5),
                    energy: -0.5 * (fa.energy + fb.energy) + factor * (me.energy - other.energy),
                };
            }
            *out = total;
        }
        fluxes
    }

    pub fn run() -> (Vec<f32>, Vec<f32>) {
        let n = 30usize;
        let cells: Vec<State> = (0..n).map(|i| State { density: 1.0 + 0.01 * i as f32, momentum: V3 { x: 0.1 * (i % 3) as f32, y: 0.2, z: 0.0 }, energy: 2.5 }).collect();
        let nb: Vec<i32> = (0..n * NNB).map(|k| match k % 11 { 0 => -1, 5 => -2, _ => ((k * 7) % n) as i32 }).collect();
        let walls = nb.iter().filter(|&&i| matches!(Neighbour::from(i), Neighbour::Wall | Neighbour::FarField)).count();
        let normals: Vec<V3> = (0..n * NNB).map(|k| V3 { x: (k % 2) as f32, y: 0.5, z: walls as f32 * 0.01 }).collect();
        let f = compute_flux(&cells, &nb, &normals, State { density: 1.0, momentum: V3::default(), energy: 2.0 });
        (f.iter().map(|s| s.energy).collect(), f.iter().map(|s| s.momentum.x + s.density).collect())
    }
}
port!(euler3d: run());
