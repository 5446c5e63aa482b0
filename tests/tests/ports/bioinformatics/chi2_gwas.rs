//! HeCBench chi2: case/control tests of SNPs, packed two bits each.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub enum Genotype { HomRef, Het, HomAlt, Missing }

    #[omp::declare_target]
    impl From<u8> for Genotype {
        fn from(code: u8) -> Self {
            match code & 3 {
                0 => Genotype::HomRef,
                1 => Genotype::Het,
                2 => Genotype::HomAlt,
                _ => Genotype::Missing,
            }
        }
    }

    #[derive(Clone, Copy, Default, Debug, omp::Device)]
    pub struct Table { counts: [[u32; 3]; 2] }

    #[omp::declare_target]
    impl Table {
        fn total(&self) -> u32 {
            self.counts.iter().flatten().sum()
        }
        fn chi2(&self) -> f64 {
            let total = self.total() as f64;
            let rows = self.counts.map(|r| r.iter().sum::<u32>() as f64);
            let mut stat = 0.0;
            for g in 0..3 {
                let col = (self.counts[0][g] + self.counts[1][g]) as f64;
                if col == 0.0 {
                    continue;
                }
                for (row, counts) in rows.iter().zip(&self.counts) {
                    let expected = row * col / total;
                    stat += (counts[g] as f64 - expected).powi(2) / expected;
                }
            }
            stat
        }
    }

    pub fn test(packed: &[u8], cases: &[bool], chi2: &mut [f64]) {
        let people = cases.len();
        let stride = people.div_ceil(4);
        #[omp::target]
        for (snp, out) in packed.chunks_exact(stride).zip(chi2) {
            let mut table = Table::default();
            for (person, &case) in cases.iter().enumerate() {
                let code = snp[person / 4] >> (person % 4 * 2);
                let g = Genotype::from(code);
                if g != Genotype::Missing {
                    table.counts[usize::from(case)][g as usize] += 1;
                }
            }
            *out = table.chi2();
        }
    }

    pub fn best(chi2: &[f64]) -> (usize, f64) {
        let mut top = 0.0f64;
        #[omp::target(reduction(max: top))]
        for &c in chi2 {
            if c > top {
                top = c;
            }
        }
        (chi2.iter().position(|&c| c == top).unwrap_or(0), top)
    }

    pub fn run() -> (Vec<f64>, usize) {
        let people = 61;
        let packed: Vec<u8> = (0..40 * 16u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        let cases: Vec<bool> = (0..people).map(|i| i % 3 == 0 || i % 7 == 2).collect();
        let mut chi2 = vec![0.0; 40];
        test(&packed, &cases, &mut chi2);
        let (at, _) = best(&chi2);
        (chi2, at)
    }
}
port!(chi2_gwas: run());
