//! Channel codes: polar codes with successive cancellation, CRC-24, soft QAM demapping, rate matching with puncturing, interleavers.
use omp_tests::twice;
twice! {
    pub const N: usize = 32;
    pub const LOG: usize = N.ilog2() as usize;

    #[omp::declare_target]
    pub trait Llr: Copy + PartialOrd {
        fn combine(a: Self, b: Self) -> Self;
        fn follow(a: Self, b: Self, bit: bool) -> Self;
        fn hard(self) -> bool;
    }

    #[omp::declare_target]
    impl Llr for f32 {
        fn combine(a: f32, b: f32) -> f32 { a.signum() * b.signum() * a.abs().min(b.abs()) }
        fn follow(a: f32, b: f32, bit: bool) -> f32 { if bit { b - a } else { b + a } }
        fn hard(self) -> bool { self < 0.0 }
    }

    #[omp::declare_target]
    impl Llr for i8 {
        fn combine(a: i8, b: i8) -> i8 {
            let m = a.saturating_abs().min(b.saturating_abs());
            if (a < 0) ^ (b < 0) { -m } else { m }
        }
        fn follow(a: i8, b: i8, bit: bool) -> i8 { if bit { b.saturating_sub(a) } else { b.saturating_add(a) } }
        fn hard(self) -> bool { self < 0 }
    }

    #[omp::declare_target]
    fn encode(mut u: u32) -> u32 {
        for stage in 0..LOG {
            let stride = 1 << stage;
            for j in (0..N).filter(|j| j & stride == 0) {
                u ^= (u >> (j + stride) & 1) << j;
            }
        }
        u
    }

    /// Successive cancellation without recursion.
    #[omp::declare_target]
    fn decode<L: Llr + Default + omp::Device>(channel: &[L], frozen: u32) -> u32 {
        let mut llr = [[L::default(); N]; LOG + 1];
        let mut bits = [[false; N]; LOG + 1];
        llr[LOG].copy_from_slice(channel);
        let mut decided = 0u32;
        for phase in 0..N {
            let depth = if phase == 0 { LOG } else { phase.trailing_zeros() as usize + 1 };
            for level in (0..depth).rev() {
                let half = 1 << level;
                let right = phase >> level & 1 == 1;
                for k in 0..half {
                    let (a, b) = (llr[level + 1][k], llr[level + 1][k + half]);
                    llr[level][k] = if right { L::follow(a, b, bits[level][k]) } else { L::combine(a, b) };
                }
            }
            let bit = frozen >> phase & 1 == 0 && llr[0][0].hard();
            decided |= u32::from(bit) << phase;
            let mut carry = [false; N];
            carry[0] = bit;
            let mut level = 0;
            while level < LOG && phase >> level & 1 == 1 {
                let half = 1 << level;
                let mut wider = [false; N];
                for k in 0..half {
                    wider[k] = bits[level][k] ^ carry[k];
                    wider[k + half] = carry[k];
                }
                carry = wider;
                level += 1;
            }
            if level < LOG {
                bits[level] = carry;
            }
        }
        decided
    }

    pub fn decode_all<L: Llr + Default + omp::Device>(channel: &[L], frozen: u32, out: &mut [u32]) {
        #[omp::target]
        for (word, llrs) in out.iter_mut().zip(channel.chunks_exact(N)) {
            *word = decode(llrs, frozen);
        }
    }

    pub fn transmit(words: &[u32], noise: &[f32]) -> Vec<f32> {
        let mut y = vec![0.0; words.len() * N];
        #[omp::target(collapse(2))]
        for w in 0..words.len() {
            for k in 0..N {
                let sent = if encode(words[w]) >> k & 1 == 1 { -1.0 } else { 1.0 };
                y[w * N + k] = 2.0 * (sent + noise[(w * N + k) % noise.len()]);
            }
        }
        y
    }

    pub fn quantise(llr: &[f32]) -> Vec<i8> {
        let mut q = vec![0; llr.len()];
        #[omp::target]
        for (q, l) in q.iter_mut().zip(llr) {
            *q = (l * 16.0).round().clamp(-127.0, 127.0) as i8;
        }
        q
    }

    #[omp::declare_target]
    fn crc24(bytes: impl Iterator<Item = u8>) -> u32 {
        bytes.fold(0, |crc, byte| {
            (0..8).fold(crc ^ u32::from(byte) << 16, |c, _| if c & 0x80_0000 != 0 { c << 1 ^ 0x86_4cfb } else { c << 1 }) & 0xff_ffff
        })
    }

    pub fn checks(words: &[u32]) -> Vec<u32> {
        let mut crcs = vec![0; words.len()];
        #[omp::target]
        for (c, w) in crcs.iter_mut().zip(words) {
            *c = crc24(w.to_be_bytes().into_iter());
        }
        crcs
    }

    /// Max-log demapping of Gray-coded 16-QAM: four values a symbol.
    pub fn demap(symbols: &[(f32, f32)], sigma2: f32) -> Vec<[f32; 4]> {
        const LEVELS: [(f32, u8); 4] = [(-3.0, 0b00), (-1.0, 0b01), (1.0, 0b11), (3.0, 0b10)];
        let mut out = vec![[0.0; 4]; symbols.len()];
        #[omp::target]
        for (llr, &(i, q)) in out.iter_mut().zip(symbols) {
            let axis = |v: f32, bit: u8| {
                let closest = |wanted: u8| {
                    LEVELS
                        .iter()
                        .filter(|(_, code)| code >> bit & 1 == wanted)
                        .map(|(level, _)| (v - level).powi(2))
                        .fold(f32::INFINITY, f32::min)
                };
                (closest(1) - closest(0)) / sigma2
            };
            *llr = [axis(i, 1), axis(i, 0), axis(q, 1), axis(q, 0)];
        }
        out
    }

    pub fn errors(a: &[u32], b: &[u32]) -> (u32, u32) {
        let (mut bits, mut words) = (0, 0);
        #[omp::target(reduction(+: bits, words))]
        for (x, y) in a.iter().zip(b) {
            let e = (x ^ y).count_ones();
            bits += e;
            words += (e > 0) as u32;
        }
        (bits, words)
    }

    pub fn run() -> (Vec<u32>, Vec<u32>, Vec<[f32; 4]>, Vec<(u32, u32)>) {
        let frozen = 0x0001_177f;
        let sent: Vec<u32> = (0..40u32).map(|w| w.wrapping_mul(0x9e37_79b9) & !frozen).collect();
        let noise: Vec<f32> = (0..997).map(|k| ((k * k % 101) as f32 / 50.0 - 1.0) * 0.9).collect();
        let y = transmit(&sent, &noise);
        let mut soft = vec![0; 40];
        decode_all(&y, frozen, &mut soft);
        let mut fixed = vec![0; 40];
        decode_all(&quantise(&y), frozen, &mut fixed);
        let symbols: Vec<(f32, f32)> = y.chunks_exact(2).take(30).map(|c| (c[0], c[1])).collect();
        (soft.clone(), checks(&fixed), demap(&symbols, 0.5), vec![errors(&sent, &soft), errors(&sent, &fixed)])
    }
}
port!(polar_codes: run());
