//! HeCBench pns: stochastic Petri nets, many replications with their own generators.
use omp_tests::twice;

twice! {
    const PLACES: usize = 5;
    const TRANSITIONS: usize = 6;

    type Marking = [i32; PLACES];

    #[derive(Clone, Copy, omp::Device)]
    pub struct Lcg { state: u64 }

    #[omp::declare_target]
    impl Lcg {
        fn seeded(seed: u64) -> Self {
            let mut rng = Self { state: seed ^ 0x5DEE_CE66D };
            rng.next_u32();
            rng
        }
        fn next_u32(&mut self) -> u32 {
            self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.state >> 33) as u32
        }
        fn below(&mut self, n: usize) -> usize {
            self.next_u32() as usize % n
        }
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Transition { needs: Marking, gives: Marking }

    #[omp::declare_target]
    impl Transition {
        fn enabled(&self, m: &Marking) -> bool {
            m.iter().zip(self.needs.iter()).all(|(have, need)| have >= need)
        }
        fn fire(&self, m: &mut Marking) {
            for p in 0..PLACES {
                m[p] += self.gives[p] - self.needs[p];
            }
        }
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Outcome { fired: u32, dead_at: Option<u32>, peak: i32 }

    pub fn simulate(net: &[Transition; TRANSITIONS], start: Marking, steps: u32, runs: usize) -> Vec<Outcome> {
        let mut out = vec![Outcome::default(); runs];
        #[omp::target]
        for (run, outcome) in out.iter_mut().enumerate() {
            let mut rng = Lcg::seeded(run as u64 + 1);
            let mut marking = start;
            let mut result = Outcome::default();
            for step in 0..steps {
                let mut ready = [0usize; TRANSITIONS];
                let mut n = 0;
                for (t, transition) in net.iter().enumerate() {
                    if transition.enabled(&marking) {
                        ready[n] = t;
                        n += 1;
                    }
                }
                if n == 0 {
                    result.dead_at = Some(step);
                    break;
                }
                let chosen = ready[rng.below(n)];
                net[chosen].fire(&mut marking);
                result.fired += 1;
                result.peak = result.peak.max(*marking.iter().max().unwrap());
            }
            *outcome = result;
        }
        out
    }

    pub fn run() -> crate::Shown {
        let t = |needs, gives| Transition { needs, gives };
        let net = [
            t([1, 0, 0, 0, 0], [0, 1, 0, 0, 0]),
            t([0, 1, 0, 0, 0], [0, 0, 1, 1, 0]),
            t([0, 0, 1, 0, 0], [1, 0, 0, 0, 0]),
            t([0, 0, 0, 2, 0], [0, 0, 0, 0, 1]),
            t([1, 0, 0, 0, 1], [0, 0, 1, 0, 0]),
            t([2, 1, 0, 0, 0], [0, 0, 0, 0, 0]),
        ];
        crate::Shown::of(simulate(&net, [4, 1, 0, 0, 1], 200, 40))
    }
}
port!(petri_net: run());
