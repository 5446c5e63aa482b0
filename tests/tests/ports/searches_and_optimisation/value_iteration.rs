//! Markov decision processes: value iteration and policy evaluation over nested CSR arrays.
use omp_tests::twice;

twice! {
    use std::ops::Range;

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub struct State(u32);
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub struct Action(u32);

    #[omp::declare_target]
    impl State {
        pub fn new(index: usize) -> Self { State(index as u32) }
        pub fn index(self) -> usize { self.0 as usize }
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Outcome {
        pub target: State,
        pub probability: f64,
        pub reward: f64,
    }

    /// State -> actions -> outcomes, each level in compressed rows.
    #[derive(Clone, Debug, omp::Mapper)]
    pub struct Mdp {
        action_start: Vec<usize>,
        outcome_start: Vec<usize>,
        outcomes: Vec<Outcome>,
        discount: f64,
    }

    #[omp::declare_target]
    impl Mdp {
        pub fn states(&self) -> usize { self.action_start.len() - 1 }
        pub fn actions(&self, s: State) -> impl Iterator<Item = Action> {
            let Range { start, end } = self.action_start[s.index()]..self.action_start[s.index() + 1];
            (start..end).map(|a| Action(a as u32))
        }
        pub fn outcomes(&self, a: Action) -> &[Outcome] {
            let a = a.0 as usize;
            &self.outcomes[self.outcome_start[a]..self.outcome_start[a + 1]]
        }
        fn q_value(&self, a: Action, values: &[f64]) -> f64 {
            self.outcomes(a)
                .iter()
                .map(|o| o.probability * (o.reward + self.discount * values[o.target.index()]))
                .sum()
        }
        /// The best action and its value; `None` in absorbing states.
        fn greedy(&self, s: State, values: &[f64]) -> Option<(Action, f64)> {
            self.actions(s)
                .map(|a| (a, self.q_value(a, values)))
                .fold(None, |best: Option<(Action, f64)>, (a, q)| match best {
                    Some((_, top)) if top >= q => best,
                    _ => Some((a, q)),
                })
        }
    }

    #[derive(Default)]
    pub struct MdpBuilder {
        action_start: Vec<usize>,
        outcome_start: Vec<usize>,
        outcomes: Vec<Outcome>,
        discount: f64,
    }
    impl MdpBuilder {
        pub fn new(discount: f64) -> Self { MdpBuilder { discount, ..Default::default() } }
        pub fn state(&mut self) -> &mut Self {
            self.action_start.push(self.outcome_start.len());
            self
        }
        pub fn action(&mut self, outcomes: impl IntoIterator<Item = Outcome>) -> &mut Self {
            self.outcome_start.push(self.outcomes.len());
            self.outcomes.extend(outcomes);
            self
        }
        pub fn build(mut self) -> Mdp {
            self.action_start.push(self.outcome_start.len());
            self.outcome_start.push(self.outcomes.len());
            Mdp {
                action_start: self.action_start,
                outcome_start: self.outcome_start,
                outcomes: self.outcomes,
                discount: self.discount,
            }
        }
    }

    #[derive(Clone, Debug, PartialEq)]
    pub struct Solution {
        pub values: Vec<f64>,
        pub policy: Vec<Option<Action>>,
        pub sweeps: usize,
    }

    pub fn value_iteration(mdp: &Mdp, tolerance: f64, max_sweeps: usize) -> Solution {
        let n = mdp.states();
        let mut values = vec![0.0; n];
        let mut next = vec![0.0; n];
        let mut sweeps = 0;
        while sweeps < max_sweeps {
            let mut residual = 0.0f64;
            #[omp::target(reduction(max: residual))]
            for (i, new) in next.iter_mut().enumerate() {
                *new = mdp.greedy(State::new(i), &values).map_or(0.0, |(_, q)| q);
                residual = residual.max((*new - values[i]).abs());
            }
            std::mem::swap(&mut values, &mut next);
            sweeps += 1;
            if residual < tolerance {
                break;
            }
        }
        let mut policy = vec![None; n];
        #[omp::target]
        for (i, choice) in policy.iter_mut().enumerate() {
            *choice = mdp.greedy(State::new(i), &values).map(|(a, _)| a);
        }
        Solution { values, policy, sweeps }
    }

    /// Values of a fixed policy after a number of Jacobi sweeps.
    pub fn evaluate(mdp: &Mdp, policy: &[Option<Action>], sweeps: usize) -> Vec<f64> {
        let mut values = vec![0.0; mdp.states()];
        let mut next = values.clone();
        for _ in 0..sweeps {
            #[omp::target]
            for i in 0..mdp.states() {
                next[i] = match policy[i] {
                    Some(a) => mdp.q_value(a, &values),
                    None => 0.0,
                };
            }
            std::mem::swap(&mut values, &mut next);
        }
        values
    }
}
port!(value_iteration: crate::Shown::of({
    // A slippery grid world with a goal, pits and a tax on every step.
    let (w, h) = (14i32, 10i32);
    let goal = (w - 2) + (h - 3) * w;
    let pit = |s: i32| s % 11 == 7 && s != goal;
    let moves = [(1, 0), (0, 1), (-1, 0), (0, -1)];
    let mut builder = MdpBuilder::new(0.95);
    for s in 0..w * h {
        builder.state();
        if s == goal || pit(s) {
            continue;
        }
        for k in 0..4usize {
            let outcome = |turn: usize, probability: f64| {
                let (dx, dy) = moves[(k + turn) % 4];
                let t = (s % w + dx).clamp(0, w - 1) + (s / w + dy).clamp(0, h - 1) * w;
                let reward = if t == goal { 10.0 } else if pit(t) { -5.0 } else { -0.04 };
                Outcome { target: State::new(t as usize), probability, reward }
            };
            builder.action([outcome(0, 0.8), outcome(1, 0.11), outcome(3, 0.09)]);
        }
    }
    let mdp = builder.build();
    let best = value_iteration(&mdp, 1e-9, 500);
    let check = evaluate(&mdp, &best.policy, 60);
    let round = |v: &[f64]| -> Vec<i64> { v.iter().map(|x| (x * 1e6).round() as i64).collect() };
    (round(&best.values), best.policy, best.sweeps, round(&check))
}));
