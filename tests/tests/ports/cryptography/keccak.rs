//! SHA3-256 of messages: a sponge with chained methods.
use omp_tests::twice;
twice! {
    const ROUNDS: usize = 24;
    const RC: [u64; ROUNDS] = [
        0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b, 0x0000000080000001,
        0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
        0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003, 0x8000000000008002, 0x8000000000000080,
        0x000000000000800a, 0x800000008000000a, 0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
    ];
    const ROTC: &[u32] = &[1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44];
    const PILN: &[usize] = &[10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1];

    #[derive(Clone, Copy, omp::Device)]
    pub struct Keccak { state: [u64; 25], at: usize }

    #[omp::declare_target]
    impl Keccak {
        const RATE: usize = 136;

        pub fn new() -> Self { Keccak { state: [0; 25], at: 0 } }

        fn permute(&mut self) {
            let st = &mut self.state;
            for &rc in RC.iter() {
                let mut bc = [0u64; 5];
                for i in 0..5 {
                    bc[i] = st[i] ^ st[i + 5] ^ st[i + 10] ^ st[i + 15] ^ st[i + 20];
                }
                for i in 0..5 {
                    let t = bc[(i + 4) % 5] ^ bc[(i + 1) % 5].rotate_left(1);
                    for j in (0..25).step_by(5) {
                        st[j + i] ^= t;
                    }
                }
                let mut t = st[1];
                for (&rot, &lane) in ROTC.iter().zip(PILN) {
                    let next = st[lane];
                    st[lane] = t.rotate_left(rot);
                    t = next;
                }
                for row in st.chunks_exact_mut(5) {
                    let mut copy = [0; 5];
                    copy.copy_from_slice(row);
                    for i in 0..5 {
                        row[i] ^= !copy[(i + 1) % 5] & copy[(i + 2) % 5];
                    }
                }
                st[0] ^= rc;
            }
        }

        fn absorb_byte(&mut self, byte: u8) -> &mut Self {
            self.state[self.at / 8] ^= u64::from(byte) << (8 * (self.at % 8));
            self.at += 1;
            if self.at == Self::RATE {
                self.permute();
                self.at = 0;
            }
            self
        }

        pub fn finish(mut self) -> [u8; 32] {
            self.state[self.at / 8] ^= 0x06 << (8 * (self.at % 8));
            self.state[(Self::RATE - 1) / 8] ^= 0x80 << 56;
            self.permute();
            let mut out = [0; 32];
            for (chunk, word) in out.chunks_mut(8).zip(self.state) {
                chunk.copy_from_slice(&word.to_le_bytes());
            }
            out
        }
    }

    pub fn digests(messages: &[[u8; 150]], lengths: &[usize]) -> Vec<[u8; 32]> {
        let mut out = vec![[0u8; 32]; messages.len()];
        #[omp::target]
        for i in 0..messages.len() {
            let mut k = Keccak::new();
            for &b in &messages[i][..lengths[i]] {
                k.absorb_byte(b);
            }
            out[i] = k.finish();
        }
        out
    }

    pub fn run() -> Vec<[u8; 32]> {
        let messages: Vec<[u8; 150]> = (0..6).map(|k| std::array::from_fn(|j| (k * 31 + j * 7) as u8)).collect();
        digests(&messages, &[0, 1, 135, 136, 137, 150])
    }
}
port!(keccak: run());
