//! Genetic algorithm: fitness, tournaments, crossover with per-individual random streams.
use omp_tests::twice;

twice! {
    const GENES: usize = 16;

    type Genome = [f32; GENES];

    #[derive(Clone, Copy, Debug, omp::Device)]
    struct Rng {
        s: [u32; 4],
    }

    #[omp::declare_target]
    impl Rng {
        fn seeded(seed: u32) -> Rng {
            let mut z = seed.wrapping_add(0x9E3779B9);
            let mut next = || {
                z ^= z >> 16;
                z = z.wrapping_mul(0x85EBCA6B);
                z ^= z >> 13;
                z
            };
            Rng { s: [next(), next(), next(), next() | 1] }
        }
        fn next_u32(&mut self) -> u32 {
            let [a, _, c, _] = self.s;
            let mut t = self.s[3];
            t ^= t << 11;
            t ^= t >> 8;
            self.s = [t ^ a ^ (a >> 19), a, self.s[1], c];
            self.s[0]
        }
        fn unit(&mut self) -> f32 {
            (self.next_u32() >> 8) as f32 / (1 << 24) as f32
        }
        fn below(&mut self, n: usize) -> usize {
            (self.next_u32() as u64 * n as u64 >> 32) as usize
        }
    }

    #[omp::declare_target]
    fn rastrigin(g: &Genome) -> f32 {
        10.0 * GENES as f32 + g.iter().map(|&x| x * x - 10.0 * (2.0 * std::f32::consts::PI * x).cos()).sum::<f32>()
    }

    #[omp::declare_target]
    fn tournament(fitness: &[f32], rng: &mut Rng, rounds: usize) -> usize {
        let mut best = rng.below(fitness.len());
        for _ in 1..rounds {
            let other = rng.below(fitness.len());
            if fitness[other] < fitness[best] {
                best = other;
            }
        }
        best
    }

    #[omp::offload]
    fn generation(pop: &[Genome], fitness: &[f32], rngs: &mut [Rng], next: &mut [Genome], mutation: f32) {
        #[omp::target]
        for (child, rng) in next.iter_mut().zip(rngs.iter_mut()) {
            let a = tournament(fitness, rng, 3);
            let b = tournament(fitness, rng, 3);
            let cut = rng.below(GENES);
            let (pa, pb) = (&pop[a], &pop[b]);
            for (k, gene) in child.iter_mut().enumerate() {
                *gene = if k < cut { pa[k] } else { pb[k] };
                if rng.unit() < mutation {
                    *gene += rng.unit() - 0.5;
                }
            }
        }
    }

    #[omp::offload]
    fn evaluate(pop: &[Genome], fitness: &mut Vec<f32>) -> (f32, usize) {
        fitness.resize(pop.len(), 0.0);
        let mut best = f32::INFINITY;
        #[omp::target(reduction(min: best))]
        for (f, g) in fitness.iter_mut().zip(pop) {
            *f = rastrigin(g);
            best = best.min(*f);
        }
        (best, fitness.iter().position(|&f| f == best).unwrap_or(0))
    }

    pub fn run(n: usize) -> Vec<f64> {
        let mut rngs: Vec<Rng> = (0..n as u32).map(Rng::seeded).collect();
        let mut pop: Vec<Genome> = rngs.iter_mut().map(|r| std::array::from_fn(|_| r.unit() * 4.0 - 2.0)).collect();
        let mut next = pop.clone();
        let mut fitness = vec![];
        let mut out = vec![];
        for _ in 0..2 {
            evaluate(&pop, &mut fitness);
            let ranks: Vec<f32> = fitness.iter().map(|f| f.round()).collect();
            generation(&pop, &ranks, &mut rngs, &mut next, 0.1);
            std::mem::swap(&mut pop, &mut next);
        }
        let (best, _) = evaluate(&pop, &mut fitness);
        out.push(if best.is_finite() { best as f64 } else { 0.0 });
        out.extend(rngs.iter().map(|r| r.s[0] as f64));
        out
    }
}
port!(genetic: [run(1), run(7), run(33)].map(|all| all.into_iter().map(|v| v as f32).collect::<Vec<f32>>()));
