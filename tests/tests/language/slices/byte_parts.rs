//! Parts of byte strings: `remainder` of chunks that `by_ref` went through, halves of parts, and parts of halves.
#![allow(clippy::all, clippy::pedantic, unused, unreachable_patterns, reason = "as programs have them")]
use omp_tests::{compare, twice};

twice! {
    #[omp::declare_target]
    fn sum8(bytes: &[u8]) -> u32 {
        let mut words = bytes.chunks_exact(8);
        let all = words.by_ref().fold(1u32, |c, w| c.wrapping_mul(31).wrapping_add(u32::from(w[0]) + u32::from(w[7])));
        words.remainder().iter().fold(all, |c, &b| c.wrapping_mul(7) ^ u32::from(b))
    }
    #[omp::declare_target]
    fn sum4(bytes: &[u8]) -> u32 {
        let mut words = bytes.chunks_exact(4);
        let mut s = 0u32;
        for w in words.by_ref() { s = s.wrapping_add(u32::from_le_bytes(w.try_into().unwrap())); }
        for &b in words.remainder() { s ^= u32::from(b); }
        s
    }
    #[omp::declare_target]
    fn head(block: &[u8], out: &mut [u8; 4]) -> Result<usize, u8> {
        let [hi, lo, rest @ ..] = block else { return Err(1) };
        let n = u16::from_be_bytes([*hi, *lo]) as usize;
        if rest.len() < 4 { return Err(2); }
        let (packed, stream) = rest.split_at(8 / 4);
        for (pair, byte) in out.chunks_exact_mut(2).zip(packed) {
            pair.copy_from_slice(&[byte >> 4, byte & 15]);
        }
        Ok(n + stream.len())
    }
    #[omp::declare_target]
    fn block(header: &[u8; 4], nonce: u32, out: &mut [u8]) {
        let mut block = [0u8; 12];
        let (head, tail) = block.split_at_mut(4);
        head.copy_from_slice(header);
        tail[..4].copy_from_slice(&nonce.to_le_bytes());
        tail[4..].copy_from_slice(&(nonce + 7).to_le_bytes());
        out.copy_from_slice(&block);
    }
    pub fn run(bytes: &[u8], o: &mut [u32], p: &mut [(u32, [u8; 4])]) {
        #[omp::target]
        for i in 0..o.len() {
            o[i] = sum8(&bytes[i..]) ^ sum4(&bytes[i..]);
            let mut a = [0u8; 4];
            let r = head(&bytes[i * 3..], &mut a);
            p[i] = (match r { Ok(n) => n as u32, Err(e) => u32::from(e) }, a);
        }
    }
    pub fn blocks(h: &[u8; 4], o: &mut [u8]) {
        #[omp::target]
        for (i, b) in o.chunks_exact_mut(12).enumerate() { block(h, i as u32, b); }
    }
}

#[test]
fn parse() {
    compare!(m, d => {
        let bytes: Vec<u8> = (0..40u32).map(|k| (k * 37 % 251) as u8).collect();
        let mut o = vec![0; 13];
        let mut p = vec![(0, [0; 4]); 13];
        m::run(&bytes, &mut o, &mut p);
        let mut q = vec![0u8; 48];
        m::blocks(&[1, 2, 3, 4], &mut q);
        (o, p, q)
    });
}
