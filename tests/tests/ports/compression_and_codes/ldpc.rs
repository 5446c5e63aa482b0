//! Decoding of low-density parity-check codes by the min-sum algorithm, many frames at a time.
use omp_tests::twice;

twice! {
    const DEGREE: usize = 6;
    #[derive(omp::Mapper)]
    pub struct Code { bits: usize, checks: Vec<[u16; DEGREE]>, /* the edges of each bit */ edges: Vec<Vec3> }
    #[derive(Clone, Copy, omp::Device)]
    pub struct Vec3 { e: [u32; 3] }

    impl Code {
        fn syndrome_ok(&self, hard: &[u8]) -> bool {
            self.checks.iter().all(|c| c.iter().fold(0, |p, &b| p ^ hard[b as usize]) == 0)
        }
    }

    /// The two smallest magnitudes, where the smallest is, and the sign of the product.
    #[omp::declare_target]
    fn two_minima(values: &[f32; DEGREE]) -> (f32, f32, usize, bool) {
        let (mut min1, mut min2, mut at, mut negative) = (f32::INFINITY, f32::INFINITY, 0, false);
        for (k, v) in values.iter().enumerate() {
            let m = v.abs();
            negative ^= *v < 0.0;
            if m < min1 { (min2, min1, at) = (min1, m, k); } else if m < min2 { min2 = m; }
        }
        (min1, min2, at, negative)
    }

    pub fn decode(code: &Code, llr: &[f32], messages: &mut [f32], hard: &mut [u8], iterations: usize) -> Vec<i32> {
        let edges = code.checks.len() * DEGREE;
        let mut used = vec![-1; llr.len() / code.bits];
        #[omp::target]
        for (((channel, msg), bits), used) in llr.chunks_exact(code.bits).zip(messages.chunks_exact_mut(edges)).zip(hard.chunks_exact_mut(code.bits)).zip(&mut used) {
            msg.fill(0.0);
            for iteration in 0..iterations {
                for (c, check) in code.checks.iter().enumerate() {
                    let mut incoming = [0.0; DEGREE];
                    for (k, &b) in check.iter().enumerate() {
                        let total = channel[b as usize] + code.edges[b as usize].e.iter().map(|&e| msg[e as usize]).sum::<f32>();
                        incoming[k] = total - msg[c * DEGREE + k];
                    }
                    let (min1, min2, at, negative) = two_minima(&incoming);
                    for (k, v) in incoming.into_iter().enumerate() {
                        let magnitude = 0.75 * if k == at { min2 } else { min1 };
                        msg[c * DEGREE + k] = if negative ^ (v < 0.0) { -magnitude } else { magnitude };
                    }
                }
                for (b, bit) in bits.iter_mut().enumerate() {
                    let total: f32 = channel[b] + code.edges[b].e.iter().map(|e| msg[*e as usize]).sum::<f32>();
                    *bit = (total < 0.0) as u8;
                }
                if code.syndrome_ok(bits) {
                    *used = iteration as i32;
                    break;
                }
            }
        }
        used
    }
    pub fn run() -> (Vec<u8>, Vec<i32>) {
        let (bits, checks) = (24usize, 12usize);
        let mut table = vec![[0u16; DEGREE]; checks];
        let mut edges = vec![Vec3 { e: [0; 3] }; bits];
        let mut fill = vec![0; checks];
        for b in 0..bits {
            for k in 0..3 {
                let c = (0..checks).map(|s| (b * 5 + k * 7 + s) % checks).find(|&c| fill[c] < DEGREE && !table[c][..fill[c]].contains(&(b as u16))).unwrap();
                table[c][fill[c]] = b as u16;
                edges[b].e[k] = (c * DEGREE + fill[c]) as u32;
                fill[c] += 1;
            }
        }
        let code = Code { bits, checks: table, edges };
        let frames = 10;
        let llr: Vec<f32> = (0..frames * bits).map(|i| if i * 31 % 23 < 2 { -0.7 } else { 1.0 + (i % 5) as f32 * 0.2 }).collect();
        let mut messages = vec![0.0; frames * checks * DEGREE];
        let mut hard = vec![0; frames * bits];
        let used = decode(&code, &llr, &mut messages, &mut hard, 8);
        (hard, used)
    }
}
port!(ldpc: run());
