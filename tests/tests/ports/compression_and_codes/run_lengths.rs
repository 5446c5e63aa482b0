//! Run lengths of scan lines with a peekable iterator, PackBits, and their inverse.
use omp_tests::{Values, twice};
twice! {
    /// Encodes one line as (value, count) pairs; returns how many pairs were written.
    #[omp::declare_target]
    fn rle_line(line: &[u8], out: &mut [(u8, u8)]) -> usize {
        let mut it = line.iter().copied().peekable();
        let mut n = 0;
        while let Some(value) = it.next() {
            let mut count = 1u8;
            while count < u8::MAX && it.peek() == Some(&value) {
                it.next();
                count += 1;
            }
            out[n] = (value, count);
            n += 1;
        }
        n
    }

    #[omp::declare_target]
    fn unpack_line(packed: &[i8], out: &mut [u8]) -> Option<usize> {
        let mut it = packed.iter();
        let mut n = 0;
        while let Some(&head) = it.next() {
            match head {
                0.. => {
                    for _ in 0..=head {
                        *out.get_mut(n)? = *it.next()? as u8;
                        n += 1;
                    }
                }
                -128 => {}
                _ => {
                    let b = *it.next()? as u8;
                    let len = 1 - head as isize;
                    out.get_mut(n..n + len as usize)?.fill(b);
                    n += len as usize;
                }
            }
        }
        Some(n)
    }

    pub fn encode(image: &[u8], width: usize) -> (Vec<(u8, u8)>, Vec<usize>) {
        let mut pairs = vec![(0, 0); image.len()];
        let mut sizes = vec![0; image.len() / width];
        #[omp::target]
        for ((line, out), size) in image.chunks_exact(width).zip(pairs.chunks_exact_mut(width)).zip(sizes.iter_mut()) {
            *size = rle_line(line, out);
        }
        (pairs, sizes)
    }

    pub fn unpack(packed: &[i8], offsets: &[usize], width: usize) -> (Vec<u8>, Vec<i32>) {
        let lines = offsets.len() - 1;
        let mut out = vec![0; lines * width];
        let mut state = vec![0; lines];
        #[omp::target]
        for (y, (line, s)) in out.chunks_mut(width).zip(&mut state).enumerate() {
            let packed = &packed[offsets[y]..offsets[y + 1]];
            *s = unpack_line(packed, line).map_or(-1, |n| n as i32);
        }
        (out, state)
    }

    pub fn run() -> (Vec<(u8, u8)>, Vec<usize>, Vec<u8>, Vec<i32>) {
        let mut v = Values(8);
        let mut image: Vec<u8> = (0..40 * 8).map(|i| if i / 40 == 3 { 9 } else { (v.bits() >> 30) as u8 }).collect();
        image[0..40].fill(1);
        let (pairs, sizes) = encode(&image, 40);
        let mut packed: Vec<i8> = vec![];
        let mut offsets = vec![0];
        for y in 0..4i8 {
            packed.extend([3, 1, 2, 3, y, -7, y, -128, 0, 9]);
            if y == 2 {
                packed.extend([-60, 1]);
            }
            if y == 3 {
                packed.push(4);
            }
            offsets.push(packed.len());
        }
        let (out, state) = unpack(&packed, &offsets, 16);
        (pairs, sizes, out, state)
    }
}
port!(run_lengths: run());
