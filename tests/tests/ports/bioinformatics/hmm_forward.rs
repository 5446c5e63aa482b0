//! Likelihoods of observation sequences under hidden Markov models, in logarithms, and the posterior of the last state.
use omp_tests::twice;

twice! {
    const STATES: usize = 5;
    #[derive(Clone, Copy, omp::Device)]
    pub struct Hmm { start: [f64; STATES], trans: [[f64; STATES]; STATES], mean: [f64; STATES], sigma: [f64; STATES] }

    #[omp::declare_target]
    fn log_sum_exp(x: &[f64]) -> f64 {
        let max = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if max == f64::NEG_INFINITY { return max; }
        max + x.iter().map(|v| (v - max).exp()).sum::<f64>().ln()
    }
    #[omp::declare_target]
    fn log_normal(x: f64, mean: f64, sigma: f64) -> f64 {
        let z = (x - mean) / sigma;
        -0.5 * z * z - sigma.ln() - 0.5 * (2.0 * std::f64::consts::PI).ln()
    }
    #[omp::declare_target]
    impl Hmm {
        fn emission(&self, x: f64) -> [f64; STATES] { std::array::from_fn(|s| log_normal(x, self.mean[s], self.sigma[s])) }
        fn forward(&self, obs: &[f64]) -> ([f64; STATES], f64) {
            let Some((&first, rest)) = obs.split_first() else { return ([0.0; STATES], 0.0) };
            let e = self.emission(first);
            let mut alpha: [f64; STATES] = std::array::from_fn(|s| self.start[s].ln() + e[s]);
            for &x in rest {
                let e = self.emission(x);
                let previous = alpha;
                for (to, a) in alpha.iter_mut().enumerate() {
                    let terms: [f64; STATES] = std::array::from_fn(|from| previous[from] + self.trans[from][to].ln());
                    *a = e[to] + log_sum_exp(&terms);
                }
            }
            let total = log_sum_exp(&alpha);
            (alpha.map(|a| (a - total).exp()), total)
        }
    }
    pub fn score(hmm: &Hmm, data: &[f64], starts: &[usize]) -> (Vec<f64>, Vec<[f64; STATES]>) {
        let n = starts.len() - 1;
        let (mut likelihood, mut posterior) = (vec![0.0; n], vec![[0.0; STATES]; n]);
        #[omp::target]
        for i in 0..n {
            let (p, l) = hmm.forward(&data[starts[i]..starts[i + 1]]);
            likelihood[i] = l;
            posterior[i] = p;
        }
        (likelihood, posterior)
    }
    pub fn run() -> (Vec<f64>, Vec<[f64; STATES]>) {
        let hmm = Hmm {
            start: [0.2; STATES],
            trans: std::array::from_fn(|i| std::array::from_fn(|j| if i == j { 0.6 } else { 0.1 })),
            mean: [-2.0, -1.0, 0.0, 1.0, 2.0],
            sigma: [0.5, 0.7, 0.4, 0.7, 0.5],
        };
        let data: Vec<f64> = (0..200).map(|t| 2.0 * (t as f64 * 0.21).sin()).collect();
        score(&hmm, &data, &[0, 12, 40, 41, 77, 130, 200])
    }
}
port!(hmm_forward: run());
