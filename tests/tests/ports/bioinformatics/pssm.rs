//! Position-specific scores of motifs on both strands of a genome.
use omp_tests::{compare, twice};

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Hit { position: usize, strand: Strand, score: i32 }
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub enum Strand { Forward, Reverse }
    #[omp::declare_reduction(better: Hit, identity = Hit { position: usize::MAX, strand: Strand::Forward, score: i32::MIN })]
    fn better(a: Hit, b: Hit) -> Hit {
        match a.score.cmp(&b.score) {
            std::cmp::Ordering::Less => b,
            std::cmp::Ordering::Greater => a,
            std::cmp::Ordering::Equal => if b.position < a.position { b } else { a },
        }
    }
    #[omp::declare_target]
    const fn code(base: u8) -> Option<usize> {
        match base.to_ascii_uppercase() { b'A' => Some(0), b'C' => Some(1), b'G' => Some(2), b'T' | b'U' => Some(3), _ => None }
    }
    #[omp::declare_target]
    fn score(window: &[u8], pssm: &[[i32; 4]], strand: Strand) -> Option<i32> {
        let mut total = 0;
        for (k, column) in pssm.iter().enumerate() {
            total += match strand {
                Strand::Forward => column[code(window[k])?],
                Strand::Reverse => column[3 - code(window[window.len() - 1 - k])?],
            };
        }
        Some(total)
    }
    pub fn scan(d: usize, genome: &[u8], pssm: &[[i32; 4]]) -> (Hit, usize) {
        let mut best = Hit { position: usize::MAX, strand: Strand::Forward, score: i32::MIN };
        let mut valid = 0;
        #[omp::target(device(d), reduction(better: best), reduction(+: valid))]
        for (position, window) in genome.windows(pssm.len()).enumerate() {
            for strand in [Strand::Forward, Strand::Reverse] {
                if let Some(score) = score(window, pssm, strand) {
                    best = better(best, Hit { position, strand, score });
                    valid += 1;
                }
            }
        }
        (best, valid)
    }
}

#[test]
fn pssm() {
    let g: Vec<u8> =
        (0..300u32).map(|i| b"ACGTNacgtTGA"[((i * i * 31 + i * 7) % 97 % 12) as usize]).collect();
    let p: Vec<[i32; 4]> = (0..6).map(|k| [k, 3 - k, k * k % 5, -k]).collect();
    compare!(m, d => format!("{:?}", m::scan(d, &g, &p)));
}
