//! GROMACS-like clusters: pair lists of 4x4 clusters with interaction masks, forces by type tables, energies by group.
use omp_tests::twice;

twice! {
    pub const C: usize = 4;

    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    pub struct Atom { q: [f32; 3], charge: f32, kind: u8 }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Pair { j: u32, mask: u16 }

    pub struct PairList { start: Vec<u32>, pairs: Vec<Pair> }

    pub struct ForceField<const K: usize> { c6c12: [[(f32, f32); K]; K], cutoff2: f32, epsfac: f32, k_rf: f32 }

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Energy { lj: f32, coulomb: f32 }

    #[omp::declare_target]
    impl std::ops::AddAssign for Energy {
        fn add_assign(&mut self, o: Self) {
            self.lj += o.lj;
            self.coulomb += o.coulomb;
        }
    }

    impl<const K: usize> ForceField<K> {
        fn interact(&self, a: &Atom, b: &Atom, r2: f32) -> (f32, Energy) {
            let (c6, c12) = self.c6c12[a.kind as usize][b.kind as usize];
            let rinv2 = 1.0 / r2;
            let rinv6 = rinv2.powi(3);
            let (v6, v12) = (c6 * rinv6, c12 * rinv6 * rinv6);
            let qq = self.epsfac * a.charge * b.charge;
            let rinv = rinv2.sqrt();
            let f = (12.0 * v12 - 6.0 * v6 + qq * (rinv - 2.0 * self.k_rf * r2)) * rinv2;
            (f, Energy { lj: v12 - v6, coulomb: qq * (rinv + self.k_rf * r2) })
        }

        pub fn forces(&self, clusters: &[[Atom; C]], list: &PairList) -> (Vec<[[f32; 3]; C]>, Vec<Energy>) {
            let mut forces = vec![[[0.0f32; 3]; C]; clusters.len()];
            let mut energies = vec![Energy::default(); clusters.len()];
            #[omp::target]
            for (ci, (force, energy)) in forces.iter_mut().zip(energies.iter_mut()).enumerate() {
                let mine = &clusters[ci];
                let mut total = Energy::default();
                for pair in &list.pairs[list.start[ci] as usize..list.start[ci + 1] as usize] {
                    let other = &clusters[pair.j as usize];
                    for (i, a) in mine.iter().enumerate() {
                        for (j, b) in other.iter().enumerate() {
                            if pair.mask >> (i * C + j) & 1 == 0 {
                                continue;
                            }
                            let d: [f32; 3] = std::array::from_fn(|k| a.q[k] - b.q[k]);
                            let r2 = d.iter().map(|x| x * x).sum::<f32>().max(1e-4);
                            if r2 > self.cutoff2 {
                                continue;
                            }
                            let (f, e) = self.interact(a, b, r2);
                            for k in 0..3 {
                                force[i][k] += f * d[k];
                            }
                            total += e;
                        }
                    }
                }
                *energy = total;
            }
            (forces, energies)
        }
    }

    pub fn run() -> (Vec<[[f32; 3]; C]>, crate::Shown) {
        let clusters: Vec<[Atom; C]> = (0..12)
            .map(|c| std::array::from_fn(|i| {
                let k = (c * C + i) as f32;
                Atom { q: [(k * 0.77).sin() * 4.0, (k * 1.3).cos() * 4.0, k * 0.2], charge: if i % 2 == 0 { 0.4 } else { -0.4 }, kind: (i % 2) as u8 }
            }))
            .collect();
        let (mut start, mut pairs) = (vec![0], vec![]);
        for i in 0..12u32 {
            for j in 0..12 {
                if (i + 2 * j) % 3 != 1 {
                    pairs.push(Pair { j, mask: if i == j { 0x7bde } else { 0xffff } });
                }
            }
            start.push(pairs.len() as u32);
        }
        let ff = ForceField { c6c12: [[(0.01, 0.0001), (0.02, 0.0003)], [(0.02, 0.0003), (0.03, 0.0005)]], cutoff2: 9.0, epsfac: 1.4, k_rf: 0.05 };
        let (f, e) = ff.forces(&clusters, &PairList { start, pairs });
        (f, crate::Shown::of(e))
    }
}
port!(nbnxm: run());
