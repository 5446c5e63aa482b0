//! Viterbi paths of a hidden Markov model.
use omp_tests::{Values, twice};
twice! {
    const STATES: usize = 4;
    const LONGEST: usize = 24;

    #[derive(Clone, Debug, omp::Mapper)]
    pub struct Hmm<const S: usize> { initial: [f64; S], transition: [[f64; S]; S], emission: Vec<[f64; S]> }

    pub fn decode(paths: &mut [[u8; LONGEST]], scores: &mut [f64], observed: &[[u8; LONGEST]], lengths: &[usize], hmm: &Hmm<STATES>) {
        #[omp::target]
        for ((path, score), (obs, &len)) in paths.iter_mut().zip(scores.iter_mut()).zip(observed.iter().zip(lengths)) {
            let mut prob = [0.0; STATES];
            let mut back = [[0u8; STATES]; LONGEST];
            for (s, p) in prob.iter_mut().enumerate() {
                *p = hmm.initial[s] + hmm.emission[obs[0] as usize][s];
            }
            for (t, &o) in obs.iter().enumerate().take(len).skip(1) {
                let mut next = [f64::NEG_INFINITY; STATES];
                for s in 0..STATES {
                    let (from, best) = (0..STATES)
                        .map(|r| (r, prob[r] + hmm.transition[r][s]))
                        .max_by(|a, b| a.1.total_cmp(&b.1))
                        .unwrap();
                    next[s] = best + hmm.emission[o as usize][s];
                    back[t][s] = from as u8;
                }
                prob = next;
            }
            let mut state = 0;
            for s in 1..STATES {
                if prob[s] > prob[state] { state = s; }
            }
            *score = prob[state];
            for t in (0..len).rev() {
                path[t] = state as u8;
                state = back[t][state] as usize;
            }
        }
    }

    pub fn run() -> (Vec<[u8; LONGEST]>, Vec<f64>) {
        let mut v = Values(31);
        let hmm = Hmm { initial: [-1.0, -1.5, -2.0, -1.25], transition: std::array::from_fn(|i| std::array::from_fn(|j| if i == j { -0.5 } else { -2.0 - 0.125 * (i * 3 + j) as f64 })), emission: (0..6).map(|o| std::array::from_fn(|s| -0.25 * ((o * 5 + s * 3) % 7) as f64)).collect() };
        let observed: Vec<[u8; LONGEST]> = (0..20).map(|_| std::array::from_fn(|_| (v.bits() % 6) as u8)).collect();
        let lengths: Vec<usize> = (0..20).map(|k| 5 + k % 20).collect();
        let mut paths = vec![[0; LONGEST]; 20];
        let mut scores = vec![0.0; 20];
        decode(&mut paths, &mut scores, &observed, &lengths, &hmm);
        (paths, scores)
    }
}
port!(viterbi: run());
