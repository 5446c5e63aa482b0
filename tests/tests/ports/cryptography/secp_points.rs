//! secp-like modular arithmetic on 4 x 64-bit limbs, point doubling in Jacobian coordinates, batched by windows; SM3 of blocks.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Default, omp::Device)]
    pub struct U256([u64; 4]);

    #[omp::declare_target]
    const fn adc(a: u64, b: u64, carry: u64) -> (u64, u64) {
        let t = a as u128 + b as u128 + carry as u128;
        (t as u64, (t >> 64) as u64)
    }
    #[omp::declare_target]
    const fn sbb(a: u64, b: u64, borrow: u64) -> (u64, u64) {
        let (d, b1) = a.overflowing_sub(b);
        let (d, b2) = d.overflowing_sub(borrow);
        (d, (b1 | b2) as u64)
    }
    #[omp::declare_target]
    const fn mac(acc: u64, a: u64, b: u64, carry: u64) -> (u64, u64) {
        let t = acc as u128 + a as u128 * b as u128 + carry as u128;
        (t as u64, (t >> 64) as u64)
    }

    #[omp::declare_target]
    impl U256 {
        const P: Self = Self([0xFFFF_FFFE_FFFF_FC2F, u64::MAX, u64::MAX, u64::MAX]);
        const C: u64 = 0x1_0000_03D1;

        fn add_mod(self, o: Self) -> Self {
            let mut r = [0; 4];
            let mut carry = 0;
            for i in 0..4 {
                (r[i], carry) = adc(self.0[i], o.0[i], carry);
            }
            Self(r).reduce_once(carry)
        }

        fn reduce_once(self, high: u64) -> Self {
            let mut r = [0; 4];
            let mut borrow = 0;
            for (i, r) in r.iter_mut().enumerate() {
                let (d, b) = sbb(self.0[i], Self::P.0[i], borrow);
                *r = d;
                borrow = b;
            }
            if high == 0 && borrow != 0 { self } else { Self(r) }
        }

        fn sub_mod(self, o: Self) -> Self {
            let mut r = [0; 4];
            let mut borrow = 0;
            for i in 0..4 {
                (r[i], borrow) = sbb(self.0[i], o.0[i], borrow);
            }
            if borrow != 0 {
                let mut carry = 0;
                for (x, p) in r.iter_mut().zip(&Self::P.0) {
                    (*x, carry) = adc(*x, *p, carry);
                }
            }
            Self(r)
        }

        fn mul_mod(self, o: Self) -> Self {
            let mut t = [0u64; 8];
            for i in 0..4 {
                let mut carry = 0;
                for j in 0..4 {
                    (t[i + j], carry) = mac(t[i + j], self.0[i], o.0[j], carry);
                }
                t[i + 4] = carry;
            }
            let mut r = [0u64; 4];
            let mut carry = 0u64;
            for i in 0..4 {
                (r[i], carry) = mac(t[i], t[i + 4], Self::C, carry);
            }
            let fold = carry as u128 * Self::C as u128;
            let (lo, hi) = (fold as u64, (fold >> 64) as u64);
            let mut c;
            (r[0], c) = adc(r[0], lo, 0);
            (r[1], c) = adc(r[1], hi, c);
            for limb in &mut r[2..] {
                (*limb, c) = adc(*limb, 0, c);
            }
            Self(r).reduce_once(c)
        }

        fn is_zero(&self) -> bool {
            self.0 == [0; 4]
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Jacobian {
        x: U256,
        y: U256,
        z: U256,
    }

    #[omp::declare_target]
    impl Jacobian {
        fn double(&self) -> Self {
            if self.y.is_zero() {
                return Self { x: U256([1, 0, 0, 0]), y: U256([1, 0, 0, 0]), z: U256::default() };
            }
            let a = self.x.mul_mod(self.x);
            let b = self.y.mul_mod(self.y);
            let c = b.mul_mod(b);
            let xb = self.x.add_mod(b);
            let d = xb.mul_mod(xb).sub_mod(a).sub_mod(c);
            let d = d.add_mod(d);
            let e = a.add_mod(a).add_mod(a);
            let f = e.mul_mod(e);
            let x = f.sub_mod(d).sub_mod(d);
            let mut c8 = c;
            for _ in 0..3 {
                c8 = c8.add_mod(c8);
            }
            let y = e.mul_mod(d.sub_mod(x)).sub_mod(c8);
            let yz = self.y.mul_mod(self.z);
            Self { x, y, z: yz.add_mod(yz) }
        }
    }

    #[omp::offload]
    fn double_all(points: &mut [Jacobian], times: u32) {
        #[omp::target]
        for p in points {
            for _ in 0..times {
                *p = p.double();
            }
        }
    }

    #[omp::declare_target]
    fn sm3_compress(mut v: [u32; 8], block: &[u8]) -> [u32; 8] {
        let p0 = |x: u32| x ^ x.rotate_left(9) ^ x.rotate_left(17);
        let p1 = |x: u32| x ^ x.rotate_left(15) ^ x.rotate_left(23);
        let mut w = [0u32; 68];
        for (i, b) in block.chunks_exact(4).enumerate() {
            w[i] = u32::from_be_bytes([b[0], b[1], b[2], b[3]]);
        }
        for j in 16..68 {
            w[j] = p1(w[j - 16] ^ w[j - 9] ^ w[j - 3].rotate_left(15)) ^ w[j - 13].rotate_left(7) ^ w[j - 6];
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = v;
        for j in 0..64 {
            let t: u32 = if j < 16 { 0x79cc4519 } else { 0x7a879d8a };
            let ss1 = a.rotate_left(12).wrapping_add(e).wrapping_add(t.rotate_left(j as u32 % 32)).rotate_left(7);
            let ss2 = ss1 ^ a.rotate_left(12);
            let (ff, gg) = match j {
                0..=15 => (a ^ b ^ c, e ^ f ^ g),
                _ => ((a & b) | (a & c) | (b & c), (e & f) | (!e & g)),
            };
            let tt1 = ff.wrapping_add(d).wrapping_add(ss2).wrapping_add(w[j] ^ w[j + 4]);
            let tt2 = gg.wrapping_add(h).wrapping_add(ss1).wrapping_add(w[j]);
            (d, c, b, a) = (c, b.rotate_left(9), a, tt1);
            (h, g, f, e) = (g, f.rotate_left(19), e, p0(tt2));
        }
        for (v, n) in v.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            *v ^= n;
        }
        v
    }

    #[omp::offload]
    fn sm3(messages: &[[u8; 100]], digests: &mut [[u32; 8]]) {
        const IV: [u32; 8] = [0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600, 0xa96f30bc, 0x163138aa, 0xe38dee4d, 0xb0fb0e4e];
        #[omp::target]
        for (m, d) in messages.iter().zip(digests.iter_mut()) {
            let mut last = [0u8; 64];
            let blocks = m.chunks_exact(64);
            let rest = blocks.remainder();
            last[..rest.len()].copy_from_slice(rest);
            last[rest.len()] = 0x80;
            last[56..].copy_from_slice(&(m.len() as u64 * 8).to_be_bytes());
            let state = blocks.fold(IV, sm3_compress);
            *d = sm3_compress(state, &last);
        }
    }

    pub fn run(n: usize) -> (Vec<Jacobian>, Vec<[u32; 8]>) {
        let limb = |i: usize, k: u64| (i as u64 + 1).wrapping_mul(0x9e3779b97f4a7c15).wrapping_add(k).wrapping_mul(0xbf58476d1ce4e5b9) >> 1;
        let num = |i: usize, k: u64| U256([limb(i, k), limb(i, k + 1), limb(i, k + 2), limb(i, k + 3)]);
        let mut points: Vec<Jacobian> = (0..n).map(|i| Jacobian { x: num(i, 1), y: if i % 9 == 4 { U256::default() } else { num(i, 7) }, z: num(i, 13) }).collect();
        double_all(&mut points, 4);
        let messages: Vec<[u8; 100]> = (0..n).map(|i| std::array::from_fn(|k| (i * 3 + k) as u8)).collect();
        let mut digests = vec![[0; 8]; n];
        sm3(&messages, &mut digests);
        (points, digests)
    }
}
port!(ed_limbs: [0, 1, 13, 50].map(|n| crate::Shown::of(run(n))));
