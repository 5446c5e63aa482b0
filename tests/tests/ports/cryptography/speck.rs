//! Speck and XTEA block ciphers by a trait, CTR and CBC-MAC.
use omp_tests::twice;
twice! {
    #[omp::declare_target]
    trait BlockCipher {
        fn encrypt(&self, block: [u32; 2]) -> [u32; 2];
    }

    #[derive(Clone, Copy, omp::Device)]
    struct Xtea {
        key: [u32; 4],
    }

    #[derive(Clone, Copy, omp::Device)]
    struct Speck<const ROUNDS: usize> {
        round_keys: [u32; ROUNDS],
    }

    #[omp::declare_target]
    impl BlockCipher for Xtea {
        fn encrypt(&self, [mut v0, mut v1]: [u32; 2]) -> [u32; 2] {
            const DELTA: u32 = 0x9E37_79B9;
            let mut sum = 0u32;
            for _ in 0..32 {
                v0 = v0.wrapping_add((((v1 << 4) ^ (v1 >> 5)).wrapping_add(v1)) ^ sum.wrapping_add(self.key[(sum & 3) as usize]));
                sum = sum.wrapping_add(DELTA);
                v1 = v1.wrapping_add((((v0 << 4) ^ (v0 >> 5)).wrapping_add(v0)) ^ sum.wrapping_add(self.key[(sum >> 11 & 3) as usize]));
            }
            [v0, v1]
        }
    }

    impl<const ROUNDS: usize> Speck<ROUNDS> {
        fn new(key: [u32; 4]) -> Self {
            let mut round_keys = [0; ROUNDS];
            let mut l = [key[1], key[2], key[3]];
            let mut k = key[0];
            for i in 0..ROUNDS {
                round_keys[i] = k;
                l[i % 3] = k.wrapping_add(l[i % 3].rotate_right(8)) ^ i as u32;
                k = k.rotate_left(3) ^ l[i % 3];
            }
            Self { round_keys }
        }
    }

    #[omp::declare_target]
    impl<const ROUNDS: usize> BlockCipher for Speck<ROUNDS> {
        fn encrypt(&self, block: [u32; 2]) -> [u32; 2] {
            let [mut x, mut y] = block;
            for k in self.round_keys.iter() {
                x = x.rotate_right(8).wrapping_add(y) ^ k;
                y = y.rotate_left(3) ^ x;
            }
            [x, y]
        }
    }

    #[omp::offload]
    fn ctr<C: BlockCipher + omp::Device>(cipher: &C, nonce: u32, data: &mut [u8]) {
        #[omp::target]
        for (counter, block) in data.chunks_mut(8).enumerate() {
            let [a, b] = cipher.encrypt([nonce, counter as u32]);
            let keystream = a.to_le_bytes().into_iter().chain(b.to_le_bytes());
            for (byte, k) in block.iter_mut().zip(keystream) {
                *byte ^= k;
            }
        }
    }

    #[omp::offload]
    fn cbc_mac<C: BlockCipher + omp::Device>(cipher: &C, messages: &[[u32; 8]]) -> Vec<u64> {
        let mut macs = vec![0; messages.len()];
        #[omp::target]
        for (mac, message) in macs.iter_mut().zip(messages) {
            let mut state = [0u32; 2];
            for pair in message.chunks_exact(2) {
                state = cipher.encrypt([state[0] ^ pair[0], state[1] ^ pair[1]]);
            }
            *mac = (state[0] as u64) << 32 | state[1] as u64;
        }
        macs
    }

    pub fn run(n: usize) -> (Vec<u8>, Vec<u64>, Vec<u64>) {
        let key = [0x03020100, 0x0b0a0908, 0x13121110, 0x1b1a1918];
        let speck = Speck::<27>::new(key);
        let xtea = Xtea { key };
        let mut data: Vec<u8> = (0..n).map(|i| i as u8).collect();
        ctr(&speck, 7, &mut data);
        ctr(&xtea, 9, &mut data);
        let messages: Vec<[u32; 8]> = (0..n as u32).map(|i| std::array::from_fn(|k| i * 8 + k as u32)).collect();
        (data, cbc_mac(&speck, &messages), cbc_mac(&xtea, &messages))
    }
}
port!(speck: [0, 1, 37, 800].map(|n| crate::Shown::of(run(n))));
