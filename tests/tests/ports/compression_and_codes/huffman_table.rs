//! Decoding of Huffman blocks by a table, with a bit reader.
use omp_tests::{Values, twice};
twice! {
    #[derive(Clone, Copy, omp::Device)]
    struct BitReader { pos: usize }

    #[omp::declare_target]
    impl BitReader {
        fn peek(&self, data: &[u8], n: usize) -> u32 {
            let mut v = 0;
            for k in 0..n {
                let bit = self.pos + k;
                let byte = data.get(bit / 8).copied().unwrap_or(0);
                v = v << 1 | u32::from(byte >> (7 - bit % 8) & 1);
            }
            v
        }
        fn skip(&mut self, n: usize) { self.pos += n; }
    }

    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    pub struct Entry { symbol: u8, len: u8 }

    pub const BITS: usize = 4;

    pub fn decode(data: &[u8], starts: &[u32], table: &[Entry; 1 << BITS], per_block: usize) -> Vec<u8> {
        let mut out = vec![0u8; starts.len() * per_block];
        #[omp::target]
        for (block, &start) in out.chunks_mut(per_block).zip(starts) {
            let mut r = BitReader { pos: start as usize };
            for symbol in block.iter_mut() {
                let Entry { symbol: s, len } = table[r.peek(data, BITS) as usize];
                assert!(len > 0, "bad code at bit {}", r.pos);
                r.skip(len.into());
                *symbol = s;
            }
        }
        out
    }

    pub fn run() -> Vec<u8> {
        // a: 0, b: 10, c: 110, d: 1110, e: 1111
        let codes = [(b'a', 0u32, 1usize), (b'b', 0b10, 2), (b'c', 0b110, 3), (b'd', 0b1110, 4), (b'e', 0b1111, 4)];
        let mut table = [Entry::default(); 16];
        for (symbol, code, len) in codes {
            for rest in 0..1 << (BITS - len) { table[(code << (BITS - len)) as usize | rest] = Entry { symbol, len: len as u8 }; }
        }
        let mut v = Values(90);
        let (mut bits, mut starts) = (vec![], vec![]);
        for i in 0..40 {
            if i % 8 == 0 { starts.push(bits.len() as u32); }
            let (_, code, len) = codes[v.bits() as usize % 5];
            for k in (0..len).rev() { bits.push(code >> k & 1); }
        }
        let data: Vec<u8> = bits.chunks(8).map(|c| c.iter().enumerate().fold(0, |b, (i, &x)| b | (x as u8) << (7 - i))).collect();
        decode(&data, &starts, &table, 8)
    }
}
port!(huffman_table: run());
