//! SHAKE-like sponge over many short messages.
use omp_tests::twice;
twice! {
    const ROUNDS: usize = 24;
    const RC: [u64; ROUNDS] = {
        let mut rc = [0u64; ROUNDS];
        let mut lfsr = 1u8;
        let mut i = 0;
        while i < ROUNDS {
            let mut j = 0;
            while j < 7 {
                if lfsr & 1 == 1 { rc[i] |= 1 << ((1u32 << j) - 1); }
                lfsr = if lfsr & 0x80 != 0 { (lfsr << 1) ^ 0x71 } else { lfsr << 1 };
                j += 1;
            }
            i += 1;
        }
        rc
    };

    type State = [[u64; 5]; 5];

    #[omp::declare_target]
    fn permute(a: &mut State) {
        for rc in RC {
            let c: [u64; 5] = std::array::from_fn(|x| (0..5).fold(0, |acc, y| acc ^ a[y][x]));
            for x in 0..5 {
                let d = c[(x + 4) % 5] ^ c[(x + 1) % 5].rotate_left(1);
                for row in a.iter_mut() { row[x] ^= d; }
            }
            let mut b: State = [[0; 5]; 5];
            b[0][0] = a[0][0];
            let (mut x, mut y) = (1, 0);
            for t in 0..24 {
                let rotation = ((t + 1) * (t + 2) / 2) % 64;
                b[(2 * x + 3 * y) % 5][y] = a[y][x].rotate_left(rotation as u32);
                (x, y) = (y, (2 * x + 3 * y) % 5);
            }
            for (row, out) in b.iter().zip(a.iter_mut()) {
                for x in 0..5 { out[x] = row[x] ^ (!row[(x + 1) % 5] & row[(x + 2) % 5]); }
            }
            a[0][0] ^= rc;
        }
    }

    #[omp::declare_target]
    fn absorb(message: &[u8]) -> State {
        const RATE: usize = 136;
        let mut state: State = [[0; 5]; 5];
        let xor = |state: &mut State, at: usize, byte: u8| state[at / 40][at / 8 % 5] ^= u64::from(byte) << (at % 8 * 8);
        let mut blocks = message.chunks_exact(RATE);
        for block in blocks.by_ref() {
            for (at, &b) in block.iter().enumerate() { xor(&mut state, at, b); }
            permute(&mut state);
        }
        let rest = blocks.remainder();
        for (at, &b) in rest.iter().enumerate() { xor(&mut state, at, b); }
        xor(&mut state, rest.len(), 0x06);
        xor(&mut state, RATE - 1, 0x80);
        permute(&mut state);
        state
    }

    pub fn sha3(messages: &[u8], size: usize) -> Vec<[u64; 4]> {
        let mut digests = vec![[0; 4]; messages.len() / size];
        #[omp::target]
        for (m, d) in messages.chunks(size).zip(digests.iter_mut()) {
            let s = absorb(m);
            d.copy_from_slice(&s[0][..4]);
        }
        digests
    }

    pub fn run() -> Vec<[u64; 4]> {
        let m: Vec<u8> = (0..600u32).map(|i| (i * i) as u8).collect();
        let mut d = sha3(&m, 150);
        d.extend(sha3(&m[..272], 136));
        d
    }
}
port!(keccak_sponge: run());
