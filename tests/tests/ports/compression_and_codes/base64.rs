//! Base64, CRC-32 and Adler-32 of blocks.
use omp_tests::{Values, twice};
twice! {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const POLY: u32 = 0xEDB8_8320;

    const fn crc_table() -> [u32; 256] {
        let mut table = [0; 256];
        let mut i = 0;
        while i < 256 {
            let mut c = i as u32;
            let mut k = 0;
            while k < 8 {
                c = if c & 1 != 0 { POLY ^ (c >> 1) } else { c >> 1 };
                k += 1;
            }
            table[i] = c;
            i += 1;
        }
        table
    }
    static CRC: [u32; 256] = crc_table();

    #[omp::declare_target]
    fn decode_char(c: u8) -> Result<u8, u8> {
        match c {
            b'A'..=b'Z' => Ok(c - b'A'),
            b'a'..=b'z' => Ok(c - b'a' + 26),
            b'0'..=b'9' => Ok(c - b'0' + 52),
            b'+' => Ok(62),
            b'/' => Ok(63),
            _ => Err(c),
        }
    }

    #[omp::declare_target]
    fn quad(text: &[u8]) -> Result<[u8; 3], u8> {
        let mut bits = 0u32;
        for &c in text.iter().take(4) {
            bits = bits << 6 | u32::from(decode_char(c)?);
        }
        let [_, a, b, c] = bits.to_be_bytes();
        Ok([a, b, c])
    }

    pub fn encode(bytes: &[u8]) -> Vec<u8> {
        let mut out = vec![b'='; bytes.len().div_ceil(3) * 4];
        #[omp::target]
        for (o, triple) in out.chunks_exact_mut(4).zip(bytes.chunks(3)) {
            let n = triple.iter().enumerate().fold(0u32, |n, (k, &b)| n | (b as u32) << (16 - 8 * k));
            for (k, o) in o.iter_mut().enumerate().take(triple.len() + 1) {
                *o = ALPHABET[(n >> (18 - 6 * k)) as usize & 63];
            }
        }
        out
    }

    pub fn decode(text: &[u8]) -> Result<Vec<u8>, usize> {
        let mut out = vec![0; text.len() / 4 * 3];
        let mut bad = 0usize;
        #[omp::target(reduction(+: bad))]
        for (o, q) in out.chunks_exact_mut(3).zip(text.chunks_exact(4)) {
            match quad(q) {
                Ok(triple) => o.copy_from_slice(&triple),
                Err(_) => bad += 1,
            }
        }
        if bad == 0 { Ok(out) } else { Err(bad) }
    }

    pub fn checksums(bytes: &[u8], block: usize) -> Vec<(u32, u32)> {
        let mut sums = vec![(0, 0); bytes.len().div_ceil(block)];
        #[omp::target]
        for (sum, data) in sums.iter_mut().zip(bytes.chunks(block)) {
            let crc = !data.iter().fold(!0u32, |c, &b| CRC[((c ^ u32::from(b)) & 0xff) as usize] ^ (c >> 8));
            let (a, b) = data.iter().fold((1u32, 0u32), |(a, b), &d| {
                let a = (a + d as u32) % 65521;
                (a, (a + b) % 65521)
            });
            *sum = (crc, b << 16 | a);
        }
        sums
    }

    pub fn run() -> (Vec<u8>, Vec<u8>, Vec<(u32, u32)>) {
        let mut v = Values(2);
        let bytes: Vec<u8> = (0..300).map(|_| v.bits() as u8).collect();
        let text = encode(&bytes);
        let back = decode(&text).unwrap();
        let mut wrong = text.clone();
        wrong[17] = b'!';
        assert_eq!(decode(&wrong), Err(1));
        (text, back, checksums(&bytes, 64))
    }
}
port!(base64: run());
