//! SipHash of keys and a linear-probing lookup with wraps.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Sip { v0: u64, v1: u64, v2: u64, v3: u64 }

    #[omp::declare_target]
    impl Sip {
        fn new(k0: u64, k1: u64) -> Self {
            Sip { v0: k0 ^ 0x736f6d6570736575, v1: k1 ^ 0x646f72616e646f6d, v2: k0 ^ 0x6c7967656e657261, v3: k1 ^ 0x7465646279746573 }
        }
        fn round(&mut self) {
            let Sip { v0, v1, v2, v3 } = self;
            *v0 = v0.wrapping_add(*v1);
            *v1 = v1.rotate_left(13) ^ *v0;
            *v0 = v0.rotate_left(32);
            *v2 = v2.wrapping_add(*v3);
            *v3 = v3.rotate_left(16) ^ *v2;
            *v0 = v0.wrapping_add(*v3);
            *v3 = v3.rotate_left(21) ^ *v0;
            *v2 = v2.wrapping_add(*v1);
            *v1 = v1.rotate_left(17) ^ *v2;
            *v2 = v2.rotate_left(32);
        }
        fn write(&mut self, word: u64) {
            self.v3 ^= word;
            self.round();
            self.v0 ^= word;
        }
        fn finish(mut self) -> u64 {
            self.v2 ^= 0xff;
            for _ in 0..3 { self.round(); }
            self.v0 ^ self.v1 ^ self.v2 ^ self.v3
        }
    }

    #[omp::declare_target]
    fn hash(key: u64) -> u64 {
        let mut sip = Sip::new(1, 2);
        sip.write(key);
        sip.write(8 << 56);
        sip.finish()
    }

    pub fn lookup_all(table: &[Option<(u64, u32)>], keys: &[u64]) -> (Vec<Option<u32>>, usize) {
        let mask = table.len() - 1;
        let mut found = vec![None; keys.len()];
        let mut probes = 0;
        #[omp::target(reduction(+: probes))]
        for (key, out) in keys.iter().zip(&mut found) {
            let mut at = hash(*key) as usize & mask;
            while let Some((k, v)) = table[at] {
                probes += 1;
                if k == *key {
                    *out = Some(v);
                    break;
                }
                at = (at + 1) & mask;
            }
        }
        (found, probes)
    }

    pub fn run() -> (Vec<Option<u32>>, usize) {
        let mut table = vec![None; 64];
        for i in 0..40u64 {
            let key = i * 77 + 5;
            let mut at = hash(key) as usize & 63;
            while table[at].is_some() { at = (at + 1) & 63; }
            table[at] = Some((key, i as u32));
        }
        let keys: Vec<u64> = (0..60).map(|i| i * 77 / 2 + 5).collect();
        lookup_all(&table, &keys)
    }
}
port!(siphash_table: run());
