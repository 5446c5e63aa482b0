//! HeCBench crs: Reed-Solomon erasure coding over GF(256) with log tables.
use omp_tests::twice;

twice! {
    pub const DATA: usize = 6;
    pub const PARITY: usize = 3;

    const fn tables() -> ([u8; 512], [u8; 256]) {
        let (mut exp, mut log) = ([0u8; 512], [0u8; 256]);
        let mut x = 1u16;
        let mut i = 0;
        while i < 255 {
            exp[i] = x as u8;
            exp[i + 255] = x as u8;
            log[x as usize] = i as u8;
            x <<= 1;
            if x & 0x100 != 0 {
                x ^= 0x11d;
            }
            i += 1;
        }
        (exp, log)
    }

    static EXP: [u8; 512] = tables().0;
    static LOG: [u8; 256] = tables().1;

    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default, omp::Device)]
    pub struct Gf(u8);

    #[omp::declare_target]
    impl std::ops::Add for Gf {
        type Output = Gf;
        fn add(self, rhs: Gf) -> Gf { Gf(self.0 ^ rhs.0) }
    }
    #[omp::declare_target]
    impl std::ops::AddAssign for Gf {
        fn add_assign(&mut self, rhs: Gf) { self.0 ^= rhs.0; }
    }
    #[omp::declare_target]
    impl std::ops::Mul for Gf {
        type Output = Gf;
        fn mul(self, rhs: Gf) -> Gf {
            if self.0 == 0 || rhs.0 == 0 {
                return Gf(0);
            }
            Gf(EXP[LOG[self.0 as usize] as usize + LOG[rhs.0 as usize] as usize])
        }
    }
    #[omp::declare_target]
    impl Gf {
        fn inv(self) -> Option<Gf> {
            if self.0 == 0 { None } else { Some(Gf(EXP[255 - LOG[self.0 as usize] as usize])) }
        }
    }

    pub fn encode(matrix: &[[Gf; DATA]; PARITY], shards: &[Vec<u8>]) -> Vec<[u8; PARITY]> {
        let flat: Vec<u8> = shards.concat();
        let len = shards[0].len();
        let mut parity = vec![[0u8; PARITY]; len];
        #[omp::target]
        for (at, out) in parity.iter_mut().enumerate() {
            for (o, row) in out.iter_mut().zip(matrix) {
                let mut acc = Gf::default();
                for (d, &c) in row.iter().enumerate() {
                    acc += c * Gf(flat[d * len + at]);
                }
                *o = acc.0;
            }
        }
        parity
    }

    pub fn inverses() -> Vec<Option<u8>> {
        let mut out = vec![0u8; 256];
        let mut have = vec![false; 256];
        #[omp::target]
        for x in 0..256usize {
            if let Some(Gf(v)) = Gf(x as u8).inv() {
                out[x] = v;
                have[x] = true;
            }
        }
        out.iter().zip(have).map(|(&v, h)| h.then_some(v)).collect()
    }

    pub fn run() -> (Vec<[u8; PARITY]>, Vec<Option<u8>>) {
        let mut matrix = [[Gf(0); DATA]; PARITY];
        for (i, row) in matrix.iter_mut().enumerate() {
            for (j, m) in row.iter_mut().enumerate() {
                *m = Gf(((i + PARITY) ^ (j + 40)) as u8).inv().unwrap();
            }
        }
        let shards: Vec<Vec<u8>> = (0..DATA).map(|d| (0..50).map(|i| (i * 7 + d * 31) as u8).collect()).collect();
        (encode(&matrix, &shards), inverses())
    }
}
port!(erasure_code: run());
