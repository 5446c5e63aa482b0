//! Products of polynomials in Kyber: noise from bytes, the number-theoretic transform, packed coefficients.
use omp_tests::{Values, twice};
twice! {
    const fn is_prime(n: u64) -> bool { let mut d = 2; while d * d <= n { if n % d == 0 { return false; } d += 1; } true }
    /// Kyber: q = 3329.
    const Q: i16 = 3329;
    const QINV: i16 = -3327;
    const ZETAS: [i16; 128] = {
        let mut z = [0i16; 128];
        let mut k = 0;
        while k < 128 {
            let mut e = 0; let mut b = 0;
            while b < 7 { e |= (k >> b & 1) << (6 - b); b += 1; }
            let mut v = 2285i64 % 3329; let mut i = 0;
            while i < e { v = v * 17 % 3329; i += 1; }
            let mut v = v as i16; if v > 1664 { v -= 3329 }
            z[k as usize] = v;
            k += 1;
        }
        z
    };
    #[omp::declare_target]
    const fn montgomery(a: i32) -> i16 {
        let t = (a as i16).wrapping_mul(QINV);
        ((a - (t as i32) * (Q as i32)) >> 16) as i16
    }
    #[omp::declare_target]
    fn fqmul(a: i16, b: i16) -> i16 { montgomery(i32::from(a) * i32::from(b)) }
    #[omp::declare_target]
    fn barrett(a: i16) -> i16 {
        const V: i32 = ((1 << 26) + Q as i32 / 2) / Q as i32;
        let t = ((V * a as i32 + (1 << 25)) >> 26) as i16;
        a - t.wrapping_mul(Q)
    }
    pub type Poly = [i16; 256];
    #[omp::declare_target]
    fn ntt(r: &mut Poly) {
        let mut k = 1;
        let mut len = 128;
        while len >= 2 {
            for start in (0..256).step_by(2 * len) {
                let zeta = ZETAS[k];
                k += 1;
                let (lo, hi) = r[start..start + 2 * len].split_at_mut(len);
                for (a, b) in lo.iter_mut().zip(hi) {
                    let t = fqmul(zeta, *b);
                    (*a, *b) = (*a + t, *a - t);
                }
            }
            len >>= 1;
        }
        for c in r.iter_mut() { *c = barrett(*c); }
    }
    #[omp::declare_target]
    fn basemul(a: &Poly, b: &Poly) -> Poly {
        let mut r = [0; 256];
        for (i, ((c, x), y)) in r.chunks_exact_mut(2).zip(a.chunks_exact(2)).zip(b.chunks_exact(2)).enumerate() {
            let zeta = ZETAS[64 + i / 2];
            let zeta = if i & 1 == 0 { zeta } else { -zeta };
            c[0] = fqmul(fqmul(x[1], y[1]), zeta) + fqmul(x[0], y[0]);
            c[1] = fqmul(x[0], y[1]) + fqmul(x[1], y[0]);
        }
        r
    }
    #[omp::declare_target]
    fn cbd2(buf: &[u8; 128]) -> Poly {
        let mut r = [0; 256];
        for (i, quad) in buf.chunks(4).enumerate() {
            let t = u32::from_le_bytes([quad[0], quad[1], quad[2], quad[3]]);
            let d = (t & 0x5555_5555) + (t >> 1 & 0x5555_5555);
            for j in 0..8 {
                let [a, b] = [0, 2].map(|s| (d >> (4 * j + s) & 3) as i16);
                r[8 * i + j] = a - b;
            }
        }
        r
    }
    #[omp::offload]
    pub fn multiply(seeds: &[[u8; 128]], secret: &[Poly], out: &mut [Poly], packed: &mut [[u8; 384]]) -> u32 {
        let mut odd = 0;
        #[omp::target(map(to: seeds, secret), map(from: out), map(tofrom: packed), reduction(+: odd))]
        for (i, ((seed, out), bytes)) in seeds.iter().zip(out.iter_mut()).zip(packed.iter_mut()).enumerate() {
            let mut a = cbd2(seed);
            ntt(&mut a);
            let mut s = secret[i % secret.len()];
            ntt(&mut s);
            *out = basemul(&a, &s).map(|c| barrett(c).rem_euclid(Q));
            for (pair, b) in out.chunks_exact(2).zip(bytes.chunks_exact_mut(3)) {
                let [x, y] = [pair[0] as u16, pair[1] as u16];
                b.copy_from_slice(&[x as u8, (x >> 8 | y << 4) as u8, (y >> 4) as u8]);
            }
            odd += out.iter().filter(|c| **c & 1 != 0).count() as u32;
        }
        odd
    }
    pub fn run() -> (Vec<Vec<i16>>, Vec<Vec<u8>>, u32) {
        let mut v = Values(2);
        let seeds: Vec<[u8; 128]> = (0..5).map(|_| std::array::from_fn(|_| v.bits() as u8)).collect();
        let secret: Vec<Poly> = (0..2).map(|_| std::array::from_fn(|_| (v.bits() % 5) as i16 - 2)).collect();
        let (mut out, mut packed) = (vec![[0; 256]; 5], vec![[0; 384]; 5]);
        let odd = multiply(&seeds, &secret, &mut out, &mut packed);
        (out.iter().map(|p| p.to_vec()).collect(), packed.iter().map(|p| p.to_vec()).collect(), odd)
    }
}
port!(kyber_ntt: run());
