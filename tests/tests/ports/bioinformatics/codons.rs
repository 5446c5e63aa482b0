//! Translation of DNA in six frames: codons, amino acids, and the longest open reading frame.
use omp_tests::{Values, twice};

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, omp::Device)]
    #[repr(u8)]
    pub enum Base { T, C, A, G }

    const AMINO: &[u8; 64] = b"FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG";

    #[omp::declare_target]
    impl Base {
        fn from_ascii(b: u8) -> Option<Base> {
            Some(match b {
                b'T' | b't' | b'U' => Base::T,
                b'C' | b'c' => Base::C,
                b'A' | b'a' => Base::A,
                b'G' | b'g' => Base::G,
                _ => return None,
            })
        }
        fn complement(self) -> Base {
            use Base::*;
            match self {
                T => A,
                C => G,
                A => T,
                G => C,
            }
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub enum Strand { Forward, Reverse }

    #[omp::declare_target]
    fn base_at(dna: &[u8], i: usize, strand: Strand) -> Option<Base> {
        match strand {
            Strand::Forward => Base::from_ascii(*dna.get(i)?),
            Strand::Reverse => Some(Base::from_ascii(dna[dna.len().checked_sub(i + 1)?])?.complement()),
        }
    }

    #[omp::declare_target]
    fn amino(dna: &[u8], at: usize, strand: Strand) -> Option<u8> {
        let mut code = 0;
        for k in 0..3 {
            code = code * 4 + base_at(dna, at + k, strand)? as usize;
        }
        Some(AMINO[code])
    }

    #[omp::declare_target]
    fn longest_orf(dna: &[u8], frame: usize, strand: Strand) -> (usize, usize) {
        let mut best = (0, 0);
        let mut start: Option<usize> = None;
        for at in (frame..dna.len().saturating_sub(2)).step_by(3) {
            match (amino(dna, at, strand), start) {
                (Some(b'M'), None) => start = Some(at),
                (Some(b'*'), Some(s)) => {
                    let len = (at - s) / 3;
                    if len > best.0 {
                        best = (len, s);
                    }
                    start = None;
                }
                (None, _) => start = None,
                _ => {}
            }
        }
        best
    }

    pub fn scan_all(genes: &[u8], len: usize) -> Vec<(usize, usize, u8)> {
        let mut found = vec![(0, 0, 0u8); genes.len() / len];
        #[omp::target]
        for (g, best) in found.iter_mut().enumerate() {
            let dna = &genes[g * len..][..len];
            for frame in 0..3 {
                for (s, strand) in [Strand::Forward, Strand::Reverse].into_iter().enumerate() {
                    let (orf, at) = longest_orf(dna, frame, strand);
                    if orf > best.0 {
                        *best = (orf, at, (frame * 2 + s) as u8);
                    }
                }
            }
        }
        found
    }

    pub fn run() -> (Vec<usize>, Vec<usize>, Vec<u8>) {
        let mut v = Values(14);
        let genes: Vec<u8> = (0..30 * 200).map(|_| b"TCAGTCAGTCAGNtcag"[v.bits() as usize % 16]).collect();
        let found = scan_all(&genes, 200);
        (found.iter().map(|f| f.0).collect(), found.iter().map(|f| f.1).collect(), found.iter().map(|f| f.2).collect())
    }
}
port!(codons: run());
