//! CRC-32 by tables made at compile time, of lines given by ranges.
use omp_tests::twice;
twice! {
    const fn table() -> [[u32; 256]; 4] {
        let mut t = [[0u32; 256]; 4];
        let mut i = 0;
        while i < 256 {
            let mut c = i as u32;
            let mut k = 0;
            while k < 8 {
                c = if c & 1 != 0 { 0xEDB8_8320 ^ (c >> 1) } else { c >> 1 };
                k += 1;
            }
            t[0][i] = c;
            i += 1;
        }
        let mut s = 1;
        while s < 4 {
            let mut i = 0;
            while i < 256 {
                t[s][i] = (t[s - 1][i] >> 8) ^ t[0][(t[s - 1][i] & 0xff) as usize];
                i += 1;
            }
            s += 1;
        }
        t
    }
    static TABLES: [[u32; 256]; 4] = table();

    #[omp::declare_target]
    fn crc32(data: &[u8]) -> u32 {
        let mut crc = !0u32;
        let mut words = data.chunks_exact(4);
        for w in &mut words {
            let x = crc ^ u32::from_le_bytes(w.try_into().unwrap());
            crc = TABLES[3][(x & 0xff) as usize] ^ TABLES[2][(x >> 8 & 0xff) as usize] ^ TABLES[1][(x >> 16 & 0xff) as usize] ^ TABLES[0][(x >> 24) as usize];
        }
        for &b in words.remainder() {
            crc = (crc >> 8) ^ TABLES[0][((crc ^ b as u32) & 0xff) as usize];
        }
        !crc
    }

    pub fn checksums(file: &[u8], lines: &[(usize, usize)]) -> (Vec<u32>, u32) {
        let mut sums = vec![0; lines.len()];
        let mut combined = 0u32;
        #[omp::target(reduction(^: combined))]
        for (i, &(start, end)) in lines.iter().enumerate() {
            let crc = crc32(&file[start..end]);
            sums[i] = crc;
            combined ^= crc.rotate_left(i as u32 % 32);
        }
        (sums, combined)
    }

    pub fn run() -> (Vec<u32>, u32) {
        let text = b"123456789\nThe quick brown fox jumps over the lazy dog\n\nx\n";
        let mut lines = vec![];
        let mut start = 0;
        for (i, &b) in text.iter().enumerate() {
            if b == b'\n' { lines.push((start, i)); start = i + 1; }
        }
        checksums(text, &lines)
    }
}
port!(crc_slices: run());
