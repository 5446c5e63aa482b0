//! Text: classification of bytes into bit masks, UTF-16 lengths, and hexadecimal decoding with errors.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, omp::Device)]
    pub struct Masks { structural: u64, whitespace: u64, quotes: u64 }

    #[omp::declare_target]
    fn classify(block: &[u8]) -> Masks {
        let mut m = Masks::default();
        for (i, b) in block.iter().enumerate() {
            let bit = 1u64 << i;
            match b {
                b'{' | b'}' | b'[' | b']' | b':' | b',' => m.structural |= bit,
                b' ' | b'\t' | b'\n' | b'\r' => m.whitespace |= bit,
                b'"' => m.quotes |= bit,
                _ => {}
            }
        }
        m
    }

    #[omp::declare_target]
    fn prefix_xor(mut m: u64) -> u64 {
        for shift in [1, 2, 4, 8, 16, 32] {
            m ^= m << shift;
        }
        m
    }

    pub fn stage1(text: &[u8]) -> (Vec<Masks>, Vec<u64>) {
        let blocks = text.len().div_ceil(64);
        let mut masks = vec![Masks::default(); blocks];
        #[omp::target]
        for (m, block) in masks.iter_mut().zip(text.chunks(64)) {
            *m = classify(block);
        }
        let mut open = vec![0u32; blocks + 1];
        #[omp::scan(^)]
        for i in 1..=blocks {
            open[i] = open[i - 1] ^ (masks[i - 1].quotes.count_ones() & 1);
        }
        let mut strings = vec![0u64; blocks];
        #[omp::target]
        for i in 0..blocks {
            let inside = prefix_xor(masks[i].quotes);
            strings[i] = if open[i] == 1 { !inside } else { inside };
        }
        (masks, strings)
    }

    #[omp::declare_target]
    fn hex_digit(c: u8) -> Result<u8, u8> {
        match c {
            b'0'..=b'9' => Ok(c - b'0'),
            b'a'..=b'f' => Ok(c - b'a' + 10),
            b'A'..=b'F' => Ok(c - b'A' + 10),
            _ => Err(c),
        }
    }

    #[omp::declare_target]
    fn hex_byte(pair: &[u8]) -> Result<u8, u8> {
        Ok(hex_digit(pair[0])? << 4 | hex_digit(pair[1])?)
    }

    pub fn unhex(text: &[u8]) -> Result<Vec<u8>, usize> {
        let mut out = vec![0u8; text.len() / 2];
        let mut bad = usize::MAX;
        #[omp::target(reduction(min: bad))]
        for (i, (o, pair)) in out.iter_mut().zip(text.chunks_exact(2)).enumerate() {
            match hex_byte(pair) {
                Ok(b) => *o = b,
                Err(_) => bad = bad.min(2 * i),
            }
        }
        if bad == usize::MAX { Ok(out) } else { Err(bad) }
    }

    pub fn utf16_len(text: &[u8]) -> usize {
        let mut units = 0;
        #[omp::target(reduction(+: units))]
        for &b in text {
            if (b as i8) >= -64 {
                units += if b >= 0xf0 { 2 } else { 1 };
            }
        }
        units
    }

    pub fn run() -> (crate::Shown, Vec<u64>, crate::Shown, usize) {
        let text = r#"{"a": [1, 2, "x,y"], "héllo": {"k": "v ☃ 𝄞"}, "list": [true, false, null, "long string to cross a block"]}"#.repeat(3);
        let (m, s) = stage1(text.as_bytes());
        let hex: String = (0..100u32).map(|i| format!("{:02x}", i * 37 % 256)).collect();
        let ok = unhex(hex.as_bytes());
        let bad = unhex(b"00ffZ100");
        (crate::Shown::of(m), s, crate::Shown::of((ok, bad)), utf16_len(text.as_bytes()))
    }
}
port!(simd_json_utf16: run());
