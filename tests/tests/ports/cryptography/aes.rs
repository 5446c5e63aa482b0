//! AES-128 in counter mode, with a 4 × 4 state and an S-box.
use omp_tests::twice;

twice! {
    const fn rotl8(x: u8, n: u32) -> u8 { x.rotate_left(n) }
    const fn sbox() -> [u8; 256] {
        let mut s = [0u8; 256];
        let (mut p, mut q) = (1u8, 1u8);
        loop {
            p = p ^ (p << 1) ^ if p & 0x80 != 0 { 0x1b } else { 0 };
            q ^= q << 1;
            q ^= q << 2;
            q ^= q << 4;
            if q & 0x80 != 0 {
                q ^= 0x09;
            }
            s[p as usize] = q ^ rotl8(q, 1) ^ rotl8(q, 2) ^ rotl8(q, 3) ^ rotl8(q, 4) ^ 0x63;
            if p == 1 {
                break;
            }
        }
        s[0] = 0x63;
        s
    }
    static SBOX: [u8; 256] = sbox();

    type State = [[u8; 4]; 4];

    #[omp::declare_target]
    fn xtime(x: u8) -> u8 { (x << 1) ^ if x >> 7 == 1 { 0x1b } else { 0 } }

    #[omp::declare_target]
    fn sub_bytes(state: &mut State) {
        for column in state.iter_mut() {
            for b in column {
                *b = SBOX[*b as usize];
            }
        }
    }
    #[omp::declare_target]
    fn shift_rows(s: &mut State) {
        let old = *s;
        for c in 0..4 {
            for r in 0..4 {
                s[c][r] = old[(c + r) % 4][r];
            }
        }
    }
    #[omp::declare_target]
    fn mix_columns(state: &mut State) {
        for col in state.iter_mut() {
            let [a, b, c, d] = *col;
            let all = a ^ b ^ c ^ d;
            *col = [
                a ^ all ^ xtime(a ^ b),
                b ^ all ^ xtime(b ^ c),
                c ^ all ^ xtime(c ^ d),
                d ^ all ^ xtime(d ^ a),
            ];
        }
    }
    #[omp::declare_target]
    fn add_round_key(state: &mut State, key: &[[u8; 4]]) {
        for (col, k) in state.iter_mut().zip(key) {
            for (b, k) in col.iter_mut().zip(k) {
                *b ^= k;
            }
        }
    }
    #[omp::declare_target]
    fn encrypt_block(mut state: State, keys: &[[u8; 4]]) -> State {
        add_round_key(&mut state, &keys[..4]);
        for round in 1..=10 {
            sub_bytes(&mut state);
            shift_rows(&mut state);
            if round != 10 {
                mix_columns(&mut state);
            }
            add_round_key(&mut state, &keys[round * 4..(round + 1) * 4]);
        }
        state
    }

    pub fn counter_mode(data: &mut [u8], keys: &[[u8; 4]], nonce: u64) {
        #[omp::target]
        for (i, chunk) in data.chunks_mut(16).enumerate() {
            let mut counter = [[0u8; 4]; 4];
            let n = nonce.to_be_bytes();
            let c = (i as u64).to_be_bytes();
            for k in 0..8 {
                counter[k / 4][k % 4] = n[k];
                counter[2 + k / 4][k % 4] = c[k];
            }
            let pad = encrypt_block(counter, keys);
            for (b, p) in chunk.iter_mut().zip(pad.iter().flatten()) {
                *b ^= p;
            }
        }
    }

    pub fn run() -> Vec<u8> {
        let keys: Vec<[u8; 4]> = (0..44u8).map(|i| [i, i ^ 7, i.wrapping_mul(13), 200 - i]).collect();
        let mut data: Vec<u8> = (0..333).map(|i| (i * 3) as u8).collect();
        counter_mode(&mut data, &keys, 0x0123456789abcdef);
        data
    }
}
port!(aes: run());
