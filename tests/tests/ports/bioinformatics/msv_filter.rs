//! Bioinformatics: HMMER's MSV filter in saturating bytes, one target sequence an iteration.
use omp_tests::twice;

twice! {
    pub const STATES: usize = 20;

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub enum Residue { A, C, G, T, Unknown }

    #[omp::declare_target]
    impl Residue {
        fn from_ascii(c: u8) -> Self {
            match c.to_ascii_uppercase() {
                b'A' => Self::A,
                b'C' => Self::C,
                b'G' => Self::G,
                b'T' | b'U' => Self::T,
                _ => Self::Unknown,
            }
        }
    }

    #[derive(Clone, omp::Device, Copy)]
    pub struct Profile { cost: [[u8; STATES]; 5], bias: u8, base: u8, tbm: u8, tec: u8, tjb: u8 }

    #[omp::declare_target]
    fn msv(p: &Profile, seq: &[u8]) -> Result<u8, usize> {
        let mut dp = [0u8; STATES];
        let mut xj = 0u8;
        let start = p.tbm.saturating_add(p.tjb);
        let mut xb = p.base.saturating_sub(start);
        for (i, &c) in seq.iter().enumerate() {
            let costs = &p.cost[Residue::from_ascii(c) as usize];
            let mut xe = 0u8;
            let mut diagonal = 0u8;
            for (cell, &cost) in dp.iter_mut().zip(costs) {
                let v = diagonal.max(xb).saturating_add(p.bias).saturating_sub(cost);
                xe = xe.max(v);
                diagonal = std::mem::replace(cell, v);
            }
            if xe >= 255 - p.bias {
                return Err(i);
            }
            xj = xj.max(xe.saturating_sub(p.tec));
            xb = p.base.max(xj).saturating_sub(start);
        }
        Ok(xj)
    }

    pub fn search(p: &Profile, db: &[u8], ends: &[usize]) -> (Vec<u8>, usize, usize) {
        let mut scores = vec![0u8; ends.len()];
        let (mut overflows, mut first) = (0, usize::MAX);
        #[omp::target(reduction(+: overflows), reduction(min: first))]
        for s in 0..ends.len() {
            let begin = if s == 0 { 0 } else { ends[s - 1] };
            scores[s] = match msv(p, &db[begin..ends[s]]) {
                Ok(score) => score,
                Err(at) => {
                    overflows += 1;
                    first = first.min(begin + at);
                    u8::MAX
                }
            };
        }
        (scores, overflows, first)
    }

    pub fn run() -> (Vec<u8>, usize, usize) {
        let mut cost = [[0u8; STATES]; 5];
        for (r, row) in cost.iter_mut().enumerate() {
            for (s, c) in row.iter_mut().enumerate() {
                *c = if s * 7 % 4 == r { 4 } else { 14 };
            }
        }
        let p = Profile { cost, bias: 9, base: 190, tbm: 5, tec: 2, tjb: 3 };
        let db: Vec<u8> = (0..900usize).map(|i| b"ACGTNacgu"[if i > 400 && i < 440 { i * 7 % 4 } else { (i * i + i / 7) % 9 }]).collect();
        let ends: Vec<usize> = (1..=25).map(|i| i * 36).collect();
        search(&p, &db, &ends)
    }
}
port!(msv_filter: run());
