//! Blocks in LZ4's format decoded, one a thread, with a cursor over the input.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum DecodeError { Truncated, BadOffset, Overflow }

    #[omp::declare_target]
    fn read_length(input: &[u8], pos: &mut usize, base: usize) -> Result<usize, DecodeError> {
        let mut len = base;
        if base == 15 {
            loop {
                let b = *input.get(*pos).ok_or(DecodeError::Truncated)?;
                *pos += 1;
                len += b as usize;
                if b != 255 {
                    break;
                }
            }
        }
        Ok(len)
    }

    #[omp::declare_target]
    fn decode_block(input: &[u8], out: &mut [u8]) -> Result<usize, DecodeError> {
        let mut pos = 0;
        let mut written = 0;
        while pos < input.len() {
            let token = input[pos];
            pos += 1;
            let literals = read_length(input, &mut pos, (token >> 4) as usize)?;
            if pos + literals > input.len() {
                return Err(DecodeError::Truncated);
            }
            if written + literals > out.len() {
                return Err(DecodeError::Overflow);
            }
            out[written..written + literals].copy_from_slice(&input[pos..pos + literals]);
            pos += literals;
            written += literals;
            if pos == input.len() {
                break;
            }
            if pos + 2 > input.len() {
                return Err(DecodeError::Truncated);
            }
            let offset = u16::from_le_bytes([input[pos], input[pos + 1]]) as usize;
            pos += 2;
            if offset == 0 || offset > written {
                return Err(DecodeError::BadOffset);
            }
            let length = read_length(input, &mut pos, (token & 15) as usize)? + 4;
            if written + length > out.len() {
                return Err(DecodeError::Overflow);
            }
            for _ in 0..length {
                out[written] = out[written - offset];
                written += 1;
            }
        }
        Ok(written)
    }

    pub fn decode_all(packed: &[u8], starts: &[usize], block: usize) -> (Vec<u8>, Vec<usize>, Vec<u8>) {
        let blocks = starts.len() - 1;
        let mut out = vec![0u8; blocks * block];
        let mut sizes = vec![0usize; blocks];
        let mut status = vec![0u8; blocks];
        #[omp::target]
        for (((chunk, size), status), range) in out.chunks_mut(block).zip(sizes.iter_mut()).zip(status.iter_mut()).zip(starts.windows(2)) {
            match decode_block(&packed[range[0]..range[1]], chunk) {
                Ok(n) => *size = n,
                Err(e) => *status = 1 + e as u8,
            }
        }
        (out, sizes, status)
    }

    /// A greedy encoder for the test's data.
    fn encode(data: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut anchor = 0;
        let mut i = 0;
        let put = |out: &mut Vec<u8>, lits: &[u8], m: Option<(usize, usize)>| {
            let ml = m.map_or(0, |(_, l)| l - 4);
            out.push(((lits.len().min(15) << 4) | ml.min(15)) as u8);
            let more = |out: &mut Vec<u8>, mut n: usize| {
                if n >= 15 {
                    n -= 15;
                    while n >= 255 {
                        out.push(255);
                        n -= 255;
                    }
                    out.push(n as u8);
                }
            };
            more(out, lits.len());
            out.extend_from_slice(lits);
            if let Some((o, _)) = m {
                out.extend((o as u16).to_le_bytes());
                more(out, ml);
            }
        };
        while i < data.len() {
            let found = (0..i).rev().find_map(|j| {
                let l = (0..data.len() - i).take_while(|&k| data[j + k] == data[i + k]).count();
                (l >= 4).then_some((i - j, l))
            });
            if let Some(m) = found {
                put(&mut out, &data[anchor..i], Some(m));
                i += m.1;
                anchor = i;
            } else {
                i += 1;
            }
        }
        put(&mut out, &data[anchor..], None);
        out
    }

    pub fn run() -> (Vec<u8>, Vec<usize>, Vec<u8>) {
        let texts: [&[u8]; 5] = [b"", b"hello hello hello hello hello", &[7; 90], b"abcdefghijklmnopqrstuvwxyzabcdefghijkl", b"broken"];
        let mut packed = Vec::new();
        let mut starts = vec![0];
        for t in texts {
            packed.extend(encode(t));
            starts.push(packed.len());
        }
        packed.extend([0x10, 65, 9, 0]);
        starts.push(packed.len());
        packed.extend([0xf0, 255]);
        starts.push(packed.len());
        decode_all(&packed, &starts, 96)
    }
}
port!(lz4: run());
