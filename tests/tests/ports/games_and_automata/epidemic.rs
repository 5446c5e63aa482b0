//! An epidemic among agents on a contact graph: susceptible, infected for some days, recovered or immune for a while.
use omp_tests::{Values, twice};

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u8)]
    pub enum Health {
        Susceptible,
        Exposed { days: u8 },
        Infected { days: u8, severe: bool },
        Immune(u16),
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Rng(u64);

    #[omp::declare_target]
    impl Rng {
        fn seed(agent: usize, day: u32) -> Self {
            let mut rng = Rng((agent as u64) << 32 ^ day as u64 ^ 0x9e3779b97f4a7c15);
            rng.next();
            rng.next();
            rng
        }
        fn next(&mut self) -> u32 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 32) as u32
        }
        fn chance(&mut self, percent: u32) -> bool { self.next() % 100 < percent }
        fn range(&mut self, lo: u8, hi: u8) -> u8 { lo + (self.next() % (hi - lo) as u32) as u8 }
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Agent { health: Health, age: u8, contacts: [u32; 6] }

    #[omp::declare_target]
    impl Agent {
        fn is_contagious(&self) -> bool {
            matches!(self.health, Health::Infected { days, .. } if days > 0)
        }
        fn advance(&mut self, exposed_to: usize, rng: &mut Rng) {
            self.health = match self.health {
                Health::Susceptible if (0..exposed_to).any(|_| rng.chance(30)) => Health::Exposed { days: rng.range(1, 4) },
                Health::Exposed { days: 0 } => Health::Infected { days: rng.range(3, 9), severe: self.age > 60 && rng.chance(40) },
                Health::Exposed { days } => Health::Exposed { days: days - 1 },
                Health::Infected { days: 0, severe } => Health::Immune(if severe { 30 } else { 10 }),
                Health::Infected { days, severe } => Health::Infected { days: days - 1, severe },
                Health::Immune(0) => Health::Susceptible,
                Health::Immune(left) => Health::Immune(left - 1),
                same => same,
            };
        }
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Tally { s: u32, e: u32, i: u32, r: u32 }

    pub fn simulate(agents: &mut Vec<Agent>, days: u32) -> Vec<Tally> {
        let mut history = vec![];
        for day in 0..days {
            let before = agents.clone();
            let (mut s, mut e, mut i, mut r) = (0, 0, 0, 0);
            #[omp::target(reduction(+: s, e, i, r))]
            for (id, agent) in agents.iter_mut().enumerate() {
                let mut rng = Rng::seed(id, day);
                let sick = agent.contacts.iter().filter(|&&c| before[c as usize].is_contagious()).count();
                agent.advance(sick, &mut rng);
                match agent.health {
                    Health::Susceptible => s += 1,
                    Health::Exposed { .. } => e += 1,
                    Health::Infected { .. } => i += 1,
                    Health::Immune(_) => r += 1,
                }
            }
            history.push(Tally { s, e, i, r });
        }
        history
    }

    pub fn run() -> Vec<[u32; 4]> {
        let mut v = Values(17);
        let n = 400;
        let mut agents: Vec<Agent> = (0..n)
            .map(|i| Agent {
                health: if i % 40 == 0 { Health::Infected { days: 5, severe: false } } else { Health::Susceptible },
                age: (v.bits() % 90) as u8,
                contacts: [0; 6].map(|_| v.bits() % n),
            })
            .collect();
        simulate(&mut agents, 25).iter().map(|t| [t.s, t.e, t.i, t.r]).collect()
    }
}
port!(epidemic: run());
