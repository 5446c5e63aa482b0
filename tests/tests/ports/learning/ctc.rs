//! Warp-CTC: forward variables in the log domain, a sequence an iteration, and greedy decoding.
use omp_tests::{Values, twice};
twice! {
    const BLANK: u8 = 0;
    const MAX_LABEL: usize = 12;

    #[omp::declare_target]
    fn log_sum_exp(terms: &[f64]) -> f64 {
        let max = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if max.is_infinite() {
            return max;
        }
        max + terms.iter().map(|t| (t - max).exp()).sum::<f64>().ln()
    }

    pub struct Batch<'a> { pub log_probs: &'a [f64], pub labels: &'a [u8], pub label_ends: &'a [usize], pub frames: usize, pub symbols: usize }

    impl<'a> Batch<'a> {
        pub fn losses(&self) -> Vec<f64> {
            let mut out = vec![0.0; self.label_ends.len()];
            #[omp::target]
            for (b, loss) in out.iter_mut().enumerate() {
                let start = if b == 0 { 0 } else { self.label_ends[b - 1] };
                let label = &self.labels[start..self.label_ends[b]];
                let states = 2 * label.len() + 1;
                let symbol = |s: usize| if s % 2 == 0 { BLANK } else { label[s / 2] };
                let frames = &self.log_probs[b * self.frames * self.symbols..(b + 1) * self.frames * self.symbols];
                let mut alpha = [f64::NEG_INFINITY; 2 * MAX_LABEL + 1];
                for (t, frame) in frames.chunks(self.symbols).enumerate() {
                    if t == 0 {
                        alpha[0] = frame[BLANK as usize];
                        if states > 1 {
                            alpha[1] = frame[symbol(1) as usize];
                        }
                        continue;
                    }
                    for s in (0..states).rev() {
                        let stay = alpha[s];
                        let step = if s > 0 { alpha[s - 1] } else { f64::NEG_INFINITY };
                        let skip = match s {
                            2.. if symbol(s) != BLANK && symbol(s) != symbol(s - 2) => alpha[s - 2],
                            _ => f64::NEG_INFINITY,
                        };
                        alpha[s] = log_sum_exp(&[stay, step, skip]) + frame[symbol(s) as usize];
                    }
                }
                *loss = -log_sum_exp(&alpha[states.saturating_sub(2)..states]);
            }
            out
        }

        pub fn greedy(&self, decoded: &mut [u8]) -> Vec<usize> {
            let size = self.frames * self.symbols;
            let mut lengths = vec![0; self.label_ends.len()];
            #[omp::target]
            for ((probs, text), length) in self.log_probs.chunks(size).zip(decoded.chunks_mut(self.frames)).zip(&mut lengths) {
                let mut previous = BLANK;
                let mut n = 0;
                for frame in probs.chunks(self.symbols) {
                    let (best, _) = frame.iter().enumerate().fold((0, f64::MIN), |best, (k, &p)| if p > best.1 { (k, p) } else { best });
                    let best = best as u8;
                    if best != BLANK && best != previous {
                        text[n] = best + b'a' - 1;
                        n += 1;
                    }
                    previous = best;
                }
                *length = n;
            }
            lengths
        }
    }

    pub fn run() -> (Vec<f64>, Vec<u8>, Vec<usize>) {
        let mut v = Values(21);
        let (frames, symbols, n) = (14, 6, 9);
        let mut log_probs: Vec<f64> = (0..n * frames * symbols).map(|_| v.unit() * 4.0).collect();
        for f in log_probs.chunks_mut(symbols) {
            let z = f.iter().map(|x| x.exp()).sum::<f64>().ln();
            f.iter_mut().for_each(|x| *x -= z);
        }
        let label_ends: Vec<usize> = (0..n).map(|i| (0..=i).map(|k| k % 5).sum()).collect();
        let labels: Vec<u8> = (0..*label_ends.last().unwrap()).map(|_| 1 + (v.bits() % 5) as u8).collect();
        let batch = Batch { log_probs: &log_probs, labels: &labels, label_ends: &label_ends, frames, symbols };
        let mut decoded = vec![b' '; n * frames];
        let lengths = batch.greedy(&mut decoded);
        (batch.losses(), decoded, lengths)
    }
}
port!(ctc: run());
