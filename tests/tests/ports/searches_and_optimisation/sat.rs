//! Satisfiability: clauses as pairs of bit masks, unit propagation, walks of WalkSAT, counts of models.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub struct Clause { positive: u64, negative: u64 }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub enum Status { Satisfied, Conflict, Unit { variable: u32, value: bool }, Open }

    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, omp::Device)]
    pub struct Assignment { set: u64, value: u64 }

    #[omp::declare_target]
    impl Assignment {
        fn assign(&mut self, variable: u32, value: bool) {
            let bit = 1u64 << variable;
            self.set |= bit;
            if value { self.value |= bit } else { self.value &= !bit }
        }
        fn is_true(&self, bit: u64) -> bool { self.value & bit != 0 }
    }

    #[omp::declare_target]
    impl Clause {
        fn status(self, a: &Assignment) -> Status {
            let satisfied = (self.positive & a.set & a.value) | (self.negative & a.set & !a.value);
            if satisfied != 0 {
                return Status::Satisfied;
            }
            let open = (self.positive | self.negative) & !a.set;
            match open.count_ones() {
                0 => Status::Conflict,
                1 => Status::Unit { variable: open.trailing_zeros(), value: self.positive & open != 0 },
                _ => Status::Open,
            }
        }
        fn holds(self, model: u64) -> bool { self.positive & model | self.negative & !model != 0 }
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum Verdict { Consistent, Contradiction, Solved }

    #[omp::declare_target]
    fn propagate(clauses: &[Clause], mut a: Assignment) -> Result<Assignment, u32> {
        let mut changed = true;
        while changed {
            changed = false;
            for (index, clause) in clauses.iter().enumerate() {
                match clause.status(&a) {
                    Status::Conflict => return Err(index as u32),
                    Status::Unit { variable, value } => {
                        a.assign(variable, value);
                        changed = true;
                    }
                    Status::Satisfied | Status::Open => {}
                }
            }
        }
        Ok(a)
    }

    /// Failed literals: every literal is tried; those that lead to a conflict are returned.
    pub fn probe(clauses: &[Clause], variables: u32) -> Vec<(Verdict, u32)> {
        let mut out = vec![(Verdict::Consistent, 0); 2 * variables as usize];
        #[omp::target]
        for (literal, slot) in out.iter_mut().enumerate() {
            let mut a = Assignment::default();
            a.assign(literal as u32 / 2, literal % 2 == 0);
            *slot = match propagate(clauses, a) {
                Err(clause) => (Verdict::Contradiction, clause),
                Ok(a) if clauses.iter().all(|c| matches!(c.status(&a), Status::Satisfied)) => (Verdict::Solved, a.set.count_ones()),
                Ok(a) => (Verdict::Consistent, a.set.count_ones()),
            };
        }
        out
    }

    pub fn count_models(clauses: &[Clause], variables: u32) -> (u64, Option<u64>) {
        let mut models = 0u64;
        let mut least = u64::MAX;
        #[omp::target(reduction(+: models), reduction(min: least))]
        for model in 0..1u64 << variables {
            if clauses.iter().all(|c| c.holds(model)) {
                models += 1;
                least = least.min(model);
            }
        }
        (models, (models > 0).then_some(least))
    }

    #[omp::declare_target]
    fn xorshift(state: &mut u32) -> u32 {
        *state ^= *state << 13;
        *state ^= *state >> 17;
        *state ^= *state << 5;
        *state
    }

    pub fn walksat(clauses: &[Clause], variables: u32, walkers: usize, flips: usize) -> Vec<Option<u64>> {
        let mut found = vec![None; walkers];
        #[omp::target]
        for (w, slot) in found.iter_mut().enumerate() {
            let mut rng = 0x9e37_79b9 ^ (w as u32 + 1);
            let mut model = (0..variables).fold(0u64, |m, v| m | ((xorshift(&mut rng) & 1) as u64) << v);
            'walk: for _ in 0..flips {
                let unsatisfied = clauses.iter().filter(|c| !c.holds(model)).count();
                if unsatisfied == 0 {
                    *slot = Some(model);
                    break 'walk;
                }
                let pick = xorshift(&mut rng) as usize % unsatisfied;
                let clause = clauses.iter().filter(|c| !c.holds(model)).nth(pick).unwrap();
                let literals = clause.positive | clause.negative;
                let best = (0..variables)
                    .filter(|v| literals >> v & 1 == 1)
                    .min_by_key(|&v| clauses.iter().filter(|c| c.holds(model) && !c.holds(model ^ 1 << v)).count());
                if let Some(v) = best {
                    model ^= 1 << v;
                }
            }
        }
        found
    }

    pub fn run() -> (Vec<(Verdict, u32)>, (u64, Option<u64>), Vec<Option<u64>>) {
        let n = 12;
        let mut s = 12345u64;
        let mut next = || { s = s.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407); s >> 33 };
        let clauses: Vec<Clause> = (0..44).map(|k| {
            let width = if k % 5 == 0 { 2 } else { 3 };
            let mut c = Clause { positive: 0, negative: 0 };
            for _ in 0..width {
                let bit = 1 << (next() % n);
                if next() % 2 == 0 && c.negative & bit == 0 { c.positive |= bit } else if c.positive & bit == 0 { c.negative |= bit }
            }
            c
        }).collect();
        (probe(&clauses, 12), count_models(&clauses, 12), walksat(&clauses, 12, 6, 60))
    }
}
port!(sat: crate::Shown::of(run()));
