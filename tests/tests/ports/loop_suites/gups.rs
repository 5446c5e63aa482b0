//! HeCBench randomAccess: the HPC Challenge stream of random updates, with starts computed by GF(2) powers.
use omp_tests::twice;

twice! {
    const POLY: u64 = 7;
    const PERIOD: i64 = 1_317_624_576_693_539_401;

    #[omp::declare_target]
    fn step(ran: u64) -> u64 {
        (ran << 1) ^ if (ran as i64) < 0 { POLY } else { 0 }
    }

    #[omp::declare_target]
    pub fn starts(mut n: i64) -> u64 {
        while n < 0 { n += PERIOD; }
        while n > PERIOD { n -= PERIOD; }
        if n == 0 {
            return 1;
        }
        let mut m2 = [0u64; 64];
        let mut temp = 1u64;
        for m in m2.iter_mut() {
            *m = temp;
            temp = step(step(temp));
        }
        let mut i = 62;
        while i >= 0 && (n >> i) & 1 == 0 {
            i -= 1;
        }
        let mut ran = 2u64;
        while i > 0 {
            temp = 0;
            for (j, m) in m2.iter().enumerate() {
                if (ran >> j) & 1 != 0 {
                    temp ^= m;
                }
            }
            ran = temp;
            i -= 1;
            if (n >> i) & 1 != 0 {
                ran = step(ran);
            }
        }
        ran
    }

    pub fn update(table: &mut [u64], updates: usize, streams: usize) {
        let mask = table.len() - 1;
        let per = updates / streams;
        #[omp::target]
        for s in 0..streams {
            let mut ran = starts((per * s) as i64);
            for _ in 0..per {
                ran = step(ran);
                #[omp::atomic]
                table[ran as usize & mask] ^= ran;
            }
        }
    }

    pub fn run() -> Vec<u64> {
        let mut table: Vec<u64> = (0..256).collect();
        update(&mut table, 1024, 32);
        table
    }
}
port!(gups: run());
