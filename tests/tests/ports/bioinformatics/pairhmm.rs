//! Pair HMM likelihoods, banded global alignment with traceback strings, seed lookups.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum Base {
        A = 0,
        C = 1,
        G = 2,
        T = 3,
        N = 4,
    }

    #[omp::declare_target]
    impl From<u8> for Base {
        fn from(b: u8) -> Self {
            match b.to_ascii_uppercase() {
                b'A' => Base::A,
                b'C' => Base::C,
                b'G' => Base::G,
                b'T' | b'U' => Base::T,
                _ => Base::N,
            }
        }
    }

    #[derive(Clone, Copy, omp::Device)]
    struct Hmm {
        gap_open: f64,
        gap_extend: f64,
    }

    const MAX: usize = 24;

    #[omp::declare_target]
    impl Hmm {
        fn likelihood(&self, read: &[u8], qual: &[u8], hap: &[u8]) -> f64 {
            let (mut m, mut x, mut y) = ([0.0; MAX + 1], [0.0; MAX + 1], [1.0 / hap.len() as f64; MAX + 1]);
            let stay = 1.0 - 2.0 * self.gap_open;
            for (&r, &q) in read.iter().zip(qual) {
                let err = 10f64.powf(-(q as f64) / 10.0);
                let (mut m_diag, mut x_diag, mut y_diag) = (m[0], x[0], y[0]);
                m[0] = 0.0;
                x[0] = 0.0;
                y[0] = 0.0;
                for j in 1..=hap.len() {
                    let emit = if Base::from(r) == Base::from(hap[j - 1]) || r == b'N' { 1.0 - err } else { err / 3.0 };
                    let (m_up, x_up, y_up) = (m[j], x[j], y[j]);
                    m[j] = emit * (stay * m_diag + (1.0 - self.gap_extend) * (x_diag + y_diag));
                    x[j] = m_up * self.gap_open + x_up * self.gap_extend;
                    y[j] = m[j - 1] * self.gap_open + y[j - 1] * self.gap_extend;
                    (m_diag, x_diag, y_diag) = (m_up, x_up, y_up);
                }
            }
            m[1..=hap.len()].iter().zip(&x[1..]).map(|(a, b)| a + b).sum::<f64>().log10()
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u8)]
    enum Step {
        Stop,
        Diagonal,
        Up,
        Left,
    }

    #[omp::declare_target]
    fn align<const BAND: usize>(a: &[u8], b: &[u8], cigar: &mut [u8]) -> (i32, usize) {
        let mut trace = [[Step::Stop; MAX + 1]; MAX + 1];
        let mut row: [i32; MAX + 1] = std::array::from_fn(|j| -2 * j as i32);
        for j in 1..=b.len() {
            trace[0][j] = Step::Left;
        }
        for i in 1..=a.len() {
            let mut diagonal = row[0];
            row[0] = -2 * i as i32;
            trace[i][0] = Step::Up;
            for j in 1..=b.len() {
                if i.abs_diff(j) > BAND {
                    diagonal = row[j];
                    row[j] = i32::MIN / 2;
                    continue;
                }
                let hit = diagonal + if a[i - 1] == b[j - 1] { 3 } else { -1 };
                let (score, step) = [(hit, Step::Diagonal), (row[j] - 2, Step::Up), (row[j - 1] - 2, Step::Left)]
                    .into_iter()
                    .max_by_key(|&(score, _)| score)
                    .unwrap();
                diagonal = row[j];
                row[j] = score;
                trace[i][j] = step;
            }
        }
        let (mut i, mut j, mut n) = (a.len(), b.len(), 0);
        while let step @ (Step::Diagonal | Step::Up | Step::Left) = trace[i][j] {
            let op = match step {
                Step::Diagonal => {
                    i -= 1;
                    j -= 1;
                    b'M'
                }
                Step::Up => {
                    i -= 1;
                    b'I'
                }
                _ => {
                    j -= 1;
                    b'D'
                }
            };
            cigar[n] = op;
            n += 1;
        }
        cigar[..n].reverse();
        (row[b.len()], n)
    }

    #[omp::offload]
    fn run_all(reads: &[[u8; 20]], quals: &[[u8; 20]], hap: &[u8], hmm: Hmm) -> (Vec<f64>, Vec<[u8; 2 * MAX]>, Vec<i32>) {
        let mut likes = vec![0.0; reads.len()];
        let mut cigars = vec![[b'.'; 2 * MAX]; reads.len()];
        let mut scores = vec![0; reads.len()];
        #[omp::target]
        for i in 0..reads.len() {
            likes[i] = hmm.likelihood(&reads[i], &quals[i], hap);
            let (score, _len) = align::<6>(&reads[i], hap, &mut cigars[i]);
            scores[i] = score;
        }
        (likes, cigars, scores)
    }

    pub fn run(n: usize) -> (Vec<f64>, Vec<Vec<u8>>, Vec<i32>) {
        let reads: Vec<[u8; 20]> = (0..n).map(|i| std::array::from_fn(|k| b"ACGTacgtUN"[(i * 3 + k * k + k * i) % 10])).collect();
        let quals: Vec<[u8; 20]> = (0..n).map(|i| std::array::from_fn(|k| (10 + (i + k) % 30) as u8)).collect();
        let (l, c, s) = run_all(&reads, &quals, b"ACGTACCTGGATTACAACGT", Hmm { gap_open: 0.01, gap_extend: 0.2 });
        (l, c.iter().map(|c| c.to_vec()).collect(), s)
    }
}
port!(pairhmm: [0, 1, 17, 60].map(|n| crate::Shown::of(run(n))));
