//! Search of a nonce whose FNV/murmur digest has enough leading zeros.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Header { prev: [u32; 4], time: u32, bits: u32 }

    #[omp::declare_target]
    impl Header {
        fn digest(&self, nonce: u32) -> u64 {
            let mut h = 0xcbf2_9ce4_8422_2325u64;
            for word in self.prev.into_iter().chain([self.time, self.bits, nonce]) {
                for byte in word.to_le_bytes() {
                    h ^= u64::from(byte);
                    h = h.wrapping_mul(0x0000_0100_0000_01b3);
                }
            }
            h ^= h >> 33;
            h = h.wrapping_mul(0xff51_afd7_ed55_8ccd);
            h ^ h >> 29
        }
        fn accepts(&self, nonce: u32) -> bool { self.digest(nonce).leading_zeros() >= self.bits }
    }

    pub fn mine(header: Header, batch: u32) -> Option<(u32, u32)> {
        let mut start = 0u32;
        while start < 100_000 {
            let mut best = u32::MAX;
            let mut tries = 0;
            #[omp::target(reduction(min: best), reduction(+: tries))]
            for nonce in start..start + batch {
                tries += 1;
                if header.accepts(nonce) {
                    best = best.min(nonce);
                }
            }
            if best != u32::MAX {
                return Some((best, tries));
            }
            start += batch;
        }
        None
    }

    pub fn run() -> Option<(u32, u32)> {
        mine(Header { prev: [1, 2, 3, 4], time: 77, bits: 11 }, 1000)
    }
}
port!(proof_of_work: run());
