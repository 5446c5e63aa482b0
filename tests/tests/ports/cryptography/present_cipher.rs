//! HeCBench present: the PRESENT-80 block cipher in counter mode.
use omp_tests::twice;

twice! {
    pub const ROUNDS: usize = 31;
    const SBOX: [u8; 16] = [0xC, 5, 6, 0xB, 9, 0, 0xA, 0xD, 3, 0xE, 0xF, 8, 4, 7, 1, 2];

    #[derive(Clone, Copy, omp::Device)]
    pub struct Present { round_keys: [u64; ROUNDS + 1] }

    #[omp::declare_target]
    fn sbox_layer(state: u64) -> u64 {
        (0..16).fold(0, |acc, i| acc | u64::from(SBOX[(state >> (4 * i)) as usize & 0xF]) << (4 * i))
    }

    #[omp::declare_target]
    fn permute(state: u64) -> u64 {
        let mut out = 0;
        for i in 0..64u32 {
            let to = if i == 63 { 63 } else { i * 16 % 63 };
            out |= (state >> i & 1) << to;
        }
        out
    }

    #[omp::declare_target]
    impl Present {
        pub fn new(key: u128) -> Self {
            let mask = (1u128 << 80) - 1;
            let mut k = key & mask;
            let mut round_keys = [0; ROUNDS + 1];
            for (r, rk) in round_keys.iter_mut().enumerate() {
                *rk = (k >> 16) as u64;
                k = (k << 61 | k >> 19) & mask;
                let top = SBOX[(k >> 76) as usize] as u128;
                k = (k & !(0xF << 76)) | (top << 76);
                k ^= (r as u128 + 1) << 15;
            }
            Self { round_keys }
        }

        pub fn encrypt(&self, block: u64) -> u64 {
            let (last, rounds) = self.round_keys.split_last().unwrap();
            let state = rounds.iter().fold(block, |s, k| permute(sbox_layer(s ^ k)));
            state ^ last
        }
    }

    pub fn ctr(cipher: &Present, nonce: u32, data: &mut [u8]) {
        #[omp::target]
        for (i, chunk) in data.chunks_mut(8).enumerate() {
            let counter = u64::from(nonce) << 32 | i as u64;
            let stream = cipher.encrypt(counter).to_be_bytes();
            for (b, s) in chunk.iter_mut().zip(stream) {
                *b ^= s;
            }
        }
    }

    pub fn keyed(keys: &[u128], block: u64) -> Vec<u64> {
        let mut out = vec![0; keys.len()];
        #[omp::target]
        for i in 0..keys.len() {
            out[i] = Present::new(keys[i]).encrypt(block);
        }
        out
    }

    pub fn run() -> (Vec<u8>, Vec<u64>) {
        let mut data: Vec<u8> = (0..203).map(|i| i as u8).collect();
        ctr(&Present::new(0x0123_4567_89ab_cdef_0011), 7, &mut data);
        let keys: Vec<u128> = (0..9u128).map(|i| i * 0x1_0001_0001_0001 + i).collect();
        (data, keyed(&keys, 0))
    }
}
port!(present_cipher: run());
