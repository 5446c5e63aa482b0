//! Base quality score recalibration: covariate tables over reads, empirical qualities, and rewriting.
use omp_tests::twice;

twice! {
    pub const MAX_Q: usize = 64;
    pub const CYCLES: usize = 100;
    const CONTEXTS: usize = 16;
    const PRIOR_ERRORS: f64 = 1.0;
    const PRIOR_BASES: f64 = 2.0;

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Datum {
        pub observations: u32,
        pub errors: u32,
    }

    #[omp::declare_target]
    impl Datum {
        fn empirical(self, reported: f64) -> f64 {
            if self.observations == 0 {
                return reported;
            }
            let p = (self.errors as f64 + PRIOR_ERRORS) / (self.observations as f64 + PRIOR_BASES);
            (-10.0 * p.log10()).clamp(1.0, (MAX_Q - 1) as f64)
        }
    }

    /// Aligned reads, structure of arrays; base `b` of all lies at the same place in each array.
    #[derive(omp::Mapper)]
    pub struct Reads {
        pub offsets: Vec<u32>,
        pub reverse: Vec<bool>,
        pub bases: Vec<u8>,   // 0..4, 4 is N
        pub quals: Vec<u8>,
        pub mismatch: Vec<bool>,
        pub masked: Vec<bool>, // a known variant
    }

    #[derive(Clone, Copy, omp::Device)]
    struct Covariates {
        q: usize,
        cycle: usize,
        context: Option<usize>,
    }

    #[omp::declare_target]
    impl Reads {
        fn span(&self, r: usize) -> (usize, usize) {
            (self.offsets[r] as usize, self.offsets[r + 1] as usize)
        }

        fn covariates(&self, r: usize, at: usize) -> Covariates {
            let (lo, hi) = self.span(r);
            let (cycle, before, this) = if self.reverse[r] {
                let before = if at + 1 < hi { 3u8.wrapping_sub(self.bases[at + 1]) } else { 255 };
                (hi - 1 - at, before, 3u8.wrapping_sub(self.bases[at]))
            } else {
                (at - lo, if at > lo { self.bases[at - 1] } else { 255 }, self.bases[at])
            };
            let context = if before < 4 && this < 4 { Some((before * 4 + this) as usize) } else { None };
            Covariates { q: self.quals[at] as usize, cycle, context }
        }
    }

    #[derive(omp::Mapper)]
    pub struct Tables {
        pub by_q: Vec<Datum>,
        pub by_cycle: Vec<Datum>,
        pub by_context: Vec<Datum>,
    }

    pub fn tabulate(reads: &Reads) -> Tables {
        let mut observed = vec![0u32; MAX_Q * (CYCLES + CONTEXTS + 1)];
        let mut wrong = vec![0u32; observed.len()];
        let count = reads.reverse.len();
        #[omp::target(map(to: reads), map(tofrom: observed, wrong))]
        for r in 0..count {
            let (lo, hi) = reads.span(r);
            for at in lo..hi {
                if reads.masked[at] || reads.bases[at] > 3 || reads.quals[at] < 6 {
                    continue;
                }
                let c = reads.covariates(r, at);
                let bad = reads.mismatch[at] as u32;
                let cycle_slot = MAX_Q + c.q * CYCLES + c.cycle;
                #[omp::atomic]
                observed[c.q] += 1;
                #[omp::atomic]
                wrong[c.q] += bad;
                #[omp::atomic]
                observed[cycle_slot] += 1;
                #[omp::atomic]
                wrong[cycle_slot] += bad;
                if let Some(context) = c.context {
                    let slot = MAX_Q * (1 + CYCLES) + c.q * CONTEXTS + context;
                    #[omp::atomic]
                    observed[slot] += 1;
                    #[omp::atomic]
                    wrong[slot] += bad;
                }
            }
        }
        let data: Vec<Datum> = observed
            .iter()
            .zip(&wrong)
            .map(|(&observations, &errors)| Datum { observations, errors })
            .collect();
        let (by_q, rest) = data.split_at(MAX_Q);
        let (by_cycle, by_context) = rest.split_at(MAX_Q * CYCLES);
        Tables { by_q: by_q.to_vec(), by_cycle: by_cycle.to_vec(), by_context: by_context.to_vec() }
    }

    pub fn recalibrate(reads: &Reads, t: &Tables, out: &mut [u8]) -> u64 {
        let mut changed = 0u64;
        #[omp::target(map(to: reads, t), map(tofrom: out), disjoint(out), reduction(+: changed))]
        for r in 0..reads.reverse.len() {
            let (lo, hi) = reads.span(r);
            for at in lo..hi {
                let old = reads.quals[at];
                if old < 6 {
                    out[at] = old;
                    continue;
                }
                let c = reads.covariates(r, at);
                let base = t.by_q[c.q].empirical(c.q as f64);
                let d_cycle = t.by_cycle[c.q * CYCLES + c.cycle].empirical(base) - base;
                let d_context = c
                    .context
                    .map(|x| t.by_context[c.q * CONTEXTS + x].empirical(base) - base)
                    .unwrap_or(0.0);
                // + 1e-9: ties of .5 do not hang on the last bit of log10
                let q = (base + d_cycle + d_context + 0.5 + 1e-9).floor().clamp(1.0, 60.0);
                out[at] = q as u8;
                changed += (out[at] != old) as u64;
            }
        }
        changed
    }
}
port!(bqsr: crate::Shown::of({
    let (mut offsets, mut reverse, mut state) = (vec![0u32], Vec::new(), 88172645463325252u64);
    let mut next = move |n: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) % n
    };
    let (mut bases, mut quals, mut mismatch, mut masked) = (vec![], vec![], vec![], vec![]);
    for _ in 0..300 {
        let len = 40 + next(61) as usize;
        for cycle in 0..len {
            let q = if next(12) == 0 { 2 } else { 20 + next(21) as u8 };
            bases.push(if next(50) == 0 { 4 } else { next(4) as u8 });
            quals.push(q);
            mismatch.push(next(20 + 6 * q as u64) < 1 + cycle as u64 / 30);
            masked.push(next(90) == 0);
        }
        reverse.push(next(2) == 1);
        offsets.push(bases.len() as u32);
    }
    let reads = Reads { offsets, reverse, bases, quals, mismatch, masked };
    let tables = tabulate(&reads);
    let mut out = vec![0u8; reads.quals.len()];
    let changed = recalibrate(&reads, &tables, &mut out);
    let head: Vec<_> = tables.by_q.iter().map(|d| (d.observations, d.errors)).collect();
    (changed, head, out)
}));
