//! Delta and zigzag coded columns: decoding of blocks with errors, frame-of-reference encoding.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum DecodeError {
        Truncated,
        Overlong,
    }

    #[omp::declare_target]
    fn read_varint(bytes: &[u8], pos: &mut usize) -> Result<u64, DecodeError> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = *bytes.get(*pos).ok_or(DecodeError::Truncated)?;
            *pos += 1;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(DecodeError::Overlong)
    }

    #[omp::declare_target]
    fn zigzag(v: u64) -> i64 {
        (v >> 1) as i64 ^ -((v & 1) as i64)
    }

    #[omp::declare_target]
    fn decode_block(bytes: &[u8], out: &mut [i64]) -> Result<usize, DecodeError> {
        let mut pos = 0;
        let mut previous = 0i64;
        for slot in out.iter_mut() {
            previous = previous.wrapping_add(zigzag(read_varint(bytes, &mut pos)?));
            *slot = previous;
        }
        Ok(pos)
    }

    #[omp::offload]
    fn decode(bytes: &[u8], index: &[usize], values: &mut [i64], block: usize) -> (Vec<u32>, usize) {
        let mut used = vec![0u32; index.len() - 1];
        let mut bad = 0;
        #[omp::target(reduction(+: bad))]
        for ((b, out), used) in values.chunks_mut(block).enumerate().zip(used.iter_mut()) {
            match decode_block(&bytes[index[b]..index[b + 1]], out) {
                Ok(n) => *used = n as u32,
                Err(DecodeError::Truncated) => {
                    bad += 1;
                    *used = u32::MAX;
                }
                Err(e) => *used = e as u32,
            }
        }
        (used, bad)
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Frame {
        base: i64,
        bits: u8,
    }

    #[omp::offload]
    fn frames(values: &[i64], block: usize) -> Vec<Frame> {
        let mut frames = vec![Frame::default(); values.len().div_ceil(block)];
        #[omp::target]
        for (frame, part) in frames.iter_mut().zip(values.chunks(block)) {
            let (lo, hi) = part.iter().fold((i64::MAX, i64::MIN), |(lo, hi), &v| (lo.min(v), hi.max(v)));
            let range = hi.wrapping_sub(lo) as u64;
            *frame = Frame { base: lo, bits: (u64::BITS - range.leading_zeros()) as u8 };
        }
        frames
    }

    pub fn run(n: usize) -> (Vec<i64>, Vec<u32>, usize, Vec<Frame>) {
        const BLOCK: usize = 16;
        let mut bytes = Vec::new();
        let mut index = vec![0];
        let mut prev = 0i64;
        for i in 0..n {
            if i % BLOCK == 0 { prev = 0; }
            let v = (i as i64 * 7919 % 1013) * if i % 3 == 0 { -1000 } else { 1 };
            let d = v.wrapping_sub(prev);
            prev = v;
            let mut z = ((d << 1) ^ (d >> 63)) as u64;
            loop {
                let b = (z & 0x7f) as u8;
                z >>= 7;
                if z == 0 { bytes.push(b); break; }
                bytes.push(b | 0x80);
            }
            if i % BLOCK == BLOCK - 1 || i == n - 1 {
                if i / BLOCK % 5 == 4 { bytes.pop(); }
                index.push(bytes.len());
            }
        }
        let mut values = vec![0; n];
        let (used, bad) = decode(&bytes, &index, &mut values, BLOCK);
        let f = frames(&values, BLOCK);
        (values, used, bad, f)
    }
}
port!(varint: [0, 1, 33, 600].map(|n| crate::Shown::of(run(n))));
