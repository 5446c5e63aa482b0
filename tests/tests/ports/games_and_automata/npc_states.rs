//! Agents of a game: state machines with data, transitions by match, needs as a struct, targets by utility.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u8)]
    pub enum State { Idle { until: f32 }, Moving { to: [f32; 2], speed: f32 }, Eating(u32), Fleeing { from: usize }, Dead }

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Needs { hunger: f32, fear: f32, energy: f32 }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Npc { at: [f32; 2], state: State, needs: Needs, predator: bool }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Food { at: [f32; 2], amount: f32 }

    #[omp::declare_target]
    fn distance(a: [f32; 2], b: [f32; 2]) -> f32 { (a[0] - b[0]).hypot(a[1] - b[1]) }

    #[omp::declare_target]
    fn towards(from: [f32; 2], to: [f32; 2], step: f32) -> ([f32; 2], bool) {
        let d = distance(from, to);
        if d <= step { return (to, true); }
        let k = step / d;
        ([from[0] + (to[0] - from[0]) * k, from[1] + (to[1] - from[1]) * k], false)
    }

    #[omp::declare_target]
    impl Needs {
        fn tick(self, dt: f32) -> Self {
            Self { hunger: (self.hunger + 0.1 * dt).min(1.0), fear: (self.fear - 0.3 * dt).max(0.0), ..self }
        }
    }

    #[omp::declare_target]
    impl Npc {
        fn think(&self, me: usize, all: &[Npc], food: &[Food], time: f32) -> State {
            if self.needs.hunger >= 1.0 && self.needs.energy <= 0.0 { return State::Dead; }
            let threat = all
                .iter()
                .enumerate()
                .filter(|(i, n)| *i != me && n.predator && !self.predator)
                .map(|(i, n)| (i, distance(n.at, self.at)))
                .min_by(|a, b| a.1.partial_cmp(&b.1).unwrap());
            match (threat, self.state) {
                (_, State::Dead) => State::Dead,
                (Some((from, d)), _) if d < 2.0 => State::Fleeing { from },
                (_, State::Fleeing { .. }) => State::Idle { until: time + 0.5 },
                (_, State::Idle { until }) if until > time => self.state,
                (_, State::Moving { .. } | State::Eating(_)) => self.state,
                _ => {
                    let best = food.iter().max_by(|a, b| {
                        let utility = |f: &Food| f.amount * self.needs.hunger - 0.1 * distance(f.at, self.at);
                        utility(a).total_cmp(&utility(b))
                    });
                    best.map_or(State::Idle { until: time + 1.0 }, |f| State::Moving { to: f.at, speed: 1.0 + self.needs.energy })
                }
            }
        }

        fn act(mut self, all: &[Npc], dt: f32) -> Npc {
            self.needs = self.needs.tick(dt);
            match &mut self.state {
                State::Moving { to, speed } => {
                    let (at, arrived) = towards(self.at, *to, *speed * dt);
                    self.at = at;
                    if arrived { self.state = State::Eating(3); }
                }
                State::Eating(0) => self.state = State::Idle { until: 0.0 },
                State::Eating(left) => {
                    *left -= 1;
                    self.needs.hunger = (self.needs.hunger - 0.2).max(0.0);
                    self.needs.energy += 0.1;
                }
                State::Fleeing { from } => {
                    let other = all[*from].at;
                    for (p, q) in self.at.iter_mut().zip(other) {
                        *p += (*p - q).signum() * dt;
                    }
                    self.needs.fear = 1.0;
                    self.needs.energy -= 0.05;
                }
                State::Idle { .. } | State::Dead => {}
            }
            self
        }
    }

    fn simulate(npcs: &mut Vec<Npc>, food: &[Food], steps: usize) -> u32 {
        let mut alive = 0;
        let mut next = npcs.clone();
        for step in 0..steps {
            alive = 0;
            let time = step as f32 * 0.25;
            let old = &npcs[..];
            #[omp::target(reduction(+: alive))]
            for (i, slot) in next.iter_mut().enumerate() {
                let mut npc = old[i];
                npc.state = npc.think(i, old, food, time);
                *slot = npc.act(old, 0.25);
                alive += u32::from(!matches!(slot.state, State::Dead));
            }
            std::mem::swap(npcs, &mut next);
        }
        alive
    }

    pub fn run() -> (Vec<Npc>, u32) {
        let mut npcs: Vec<Npc> = (0..30).map(|i| Npc { at: [(i * 7 % 20) as f32, (i * 11 % 17) as f32], state: State::Idle { until: 0.3 * (i % 4) as f32 }, needs: Needs { hunger: 0.1 * (i % 9) as f32, ..Needs::default() }, predator: i % 10 == 0 }).collect();
        let food: Vec<Food> = (0..5).map(|i| Food { at: [3.0 * i as f32, 16.0 - 2.0 * i as f32], amount: 1.0 + i as f32 }).collect();
        let alive = simulate(&mut npcs, &food, 12);
        (npcs, alive)
    }
}
port!(npc_states: crate::Shown::of(run()));
