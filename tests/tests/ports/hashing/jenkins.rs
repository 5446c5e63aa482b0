//! Bob Jenkins' lookup3 of keys of any length.
use omp_tests::{Values, twice};
twice! {
    #[derive(Clone, Copy, omp::Device)]
    struct State { a: u32, b: u32, c: u32 }

    #[omp::declare_target]
    impl State {
        fn new(len: usize, seed: u32) -> Self {
            let init = 0xdead_beef_u32.wrapping_add(len as u32).wrapping_add(seed);
            Self { a: init, b: init, c: init }
        }
        fn mix(&mut self) {
            let Self { a, b, c } = self;
            *a = a.wrapping_sub(*c); *a ^= c.rotate_left(4);  *c = c.wrapping_add(*b);
            *b = b.wrapping_sub(*a); *b ^= a.rotate_left(6);  *a = a.wrapping_add(*c);
            *c = c.wrapping_sub(*b); *c ^= b.rotate_left(8);  *b = b.wrapping_add(*a);
            *a = a.wrapping_sub(*c); *a ^= c.rotate_left(16); *c = c.wrapping_add(*b);
            *b = b.wrapping_sub(*a); *b ^= a.rotate_left(19); *a = a.wrapping_add(*c);
            *c = c.wrapping_sub(*b); *c ^= b.rotate_left(4);  *b = b.wrapping_add(*a);
        }
        fn finish(mut self) -> u32 {
            let State { a, b, c } = &mut self;
            *c ^= *b; *c = c.wrapping_sub(b.rotate_left(14));
            *a ^= *c; *a = a.wrapping_sub(c.rotate_left(11));
            *b ^= *a; *b = b.wrapping_sub(a.rotate_left(25));
            *c ^= *b; *c = c.wrapping_sub(b.rotate_left(16));
            *a ^= *c; *a = a.wrapping_sub(c.rotate_left(4));
            *b ^= *a; *b = b.wrapping_sub(a.rotate_left(14));
            *c ^= *b; *c = c.wrapping_sub(b.rotate_left(24));
            self.c
        }
    }

    #[omp::declare_target]
    fn le_word(bytes: &[u8]) -> u32 {
        bytes.iter().rev().fold(0, |acc, &b| acc << 8 | u32::from(b))
    }

    #[omp::declare_target]
    pub fn lookup3(key: &[u8], seed: u32) -> u32 {
        let mut s = State::new(key.len(), seed);
        let mut rest = key;
        while rest.len() > 12 {
            let (block, tail) = rest.split_at(12);
            s.a = s.a.wrapping_add(u32::from_le_bytes([block[0], block[1], block[2], block[3]]));
            s.b = s.b.wrapping_add(u32::from_le_bytes(block[4..8].try_into().unwrap()));
            s.c = s.c.wrapping_add(u32::from_le_bytes(block[8..].try_into().unwrap()));
            s.mix();
            rest = tail;
        }
        if rest.is_empty() {
            return s.c;
        }
        s.a = s.a.wrapping_add(le_word(&rest[..rest.len().min(4)]));
        s.b = s.b.wrapping_add(le_word(rest.get(4..rest.len().min(8)).unwrap_or(&[])));
        s.c = s.c.wrapping_add(le_word(rest.get(8..).unwrap_or(&[])));
        s.finish()
    }

    pub fn hash_all(text: &[u8], spans: &[(u32, u32)]) -> Vec<u32> {
        let mut hashes = vec![0; spans.len()];
        #[omp::target]
        for (hash, &(start, len)) in hashes.iter_mut().zip(spans) {
            let key = &text[start as usize..][..len as usize];
            *hash = lookup3(key, 0x9e37);
        }
        hashes
    }

    pub fn run() -> Vec<u32> {
        let mut v = Values(8);
        let text: Vec<u8> = (0..400).map(|_| v.bits() as u8).collect();
        let spans: Vec<(u32, u32)> = (0..60).map(|i| (i * 5, i % 41)).collect();
        hash_all(&text, &spans)
    }
}
port!(jenkins: run());
