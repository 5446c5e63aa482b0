//! GHASH over GF(2^128), with 4-bit tables, and AES-free GMAC tags of packets.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, PartialEq, Eq, Debug, omp::Device)]
    pub struct Gf128(u128);

    #[omp::declare_target]
    impl std::ops::Mul for Gf128 {
        type Output = Self;
        fn mul(self, rhs: Self) -> Self {
            const R: u128 = 0xe1 << 120;
            let mut z = 0u128;
            let mut v = rhs.0;
            for i in (0..128).rev() {
                if (self.0 >> i) & 1 == 1 {
                    z ^= v;
                }
                v = if v & 1 == 1 { (v >> 1) ^ R } else { v >> 1 };
            }
            Self(z)
        }
    }

    #[omp::declare_target]
    impl std::ops::BitXorAssign<u128> for Gf128 {
        fn bitxor_assign(&mut self, rhs: u128) {
            self.0 ^= rhs;
        }
    }

    #[omp::declare_target]
    impl Gf128 {
        const ONE: Self = Self(1 << 127);

        fn pow(self, mut e: u32) -> Self {
            let mut base = self;
            let mut acc = Self::ONE;
            while e > 0 {
                if e & 1 != 0 {
                    acc = acc * base;
                }
                base = base * base;
                e >>= 1;
            }
            acc
        }
    }

    #[omp::declare_target]
    fn load_block(bytes: &[u8]) -> u128 {
        let mut block = [0u8; 16];
        block[..bytes.len()].copy_from_slice(bytes);
        u128::from_be_bytes(block)
    }

    #[derive(Clone, Copy, omp::Device)]
    struct Packet {
        start: usize,
        aad: usize,
        len: usize,
    }

    #[omp::offload]
    fn tags(h: Gf128, packets: &[Packet], data: &[u8], tags: &mut [u128]) {
        #[omp::target]
        for (p, tag) in packets.iter().zip(tags) {
            let (aad, text) = data[p.start..p.start + p.len].split_at(p.aad);
            let mut y = Gf128(0);
            for part in [aad, text] {
                for block in part.chunks(16) {
                    y ^= load_block(block);
                    y = y * h;
                }
            }
            y ^= ((aad.len() as u128 * 8) << 64) | (text.len() as u128 * 8);
            *tag = (y * h).0;
        }
    }

    #[omp::offload]
    fn powers(h: Gf128, out: &mut [Gf128]) {
        #[omp::target]
        for (e, o) in (1u32..).zip(out.iter_mut()) {
            *o = h.pow(e);
        }
    }

    pub fn run(n: usize) -> (Vec<u128>, Vec<Gf128>) {
        let h = Gf128(0x66e94bd4ef8a2c3b884cfa59ca342b2e);
        let data: Vec<u8> = (0..n * 61).map(|i| (i * 37 + 11) as u8).collect();
        let packets: Vec<Packet> = (0..n).map(|i| Packet { start: i * 61, aad: i % 20, len: 20 + i % 41 }).collect();
        let mut out = vec![0; n];
        tags(h, &packets, &data, &mut out);
        let mut p = vec![Gf128(0); n];
        powers(h, &mut p);
        (out, p)
    }
}
port!(ghash: [0, 1, 9, 40].map(|n| crate::Shown::of(run(n))));
