//! Facebook Gorilla: XOR compression of float series, a block an iteration.
use omp_tests::{Values, twice};
twice! {
    #[omp::declare_target]
    fn put(out: &mut [u8], bits: &mut usize, value: u64, count: u32) {
        for k in (0..count).rev() {
            let bit = (value >> k) as u8 & 1;
            out[*bits / 8] |= bit << (7 - *bits % 8);
            *bits += 1;
        }
    }

    #[omp::declare_target]
    fn get(data: &[u8], bits: &mut usize, count: u32) -> u64 {
        (0..count).fold(0, |v, _| {
            let bit = data[*bits >> 3] >> (7 - (*bits & 7)) & 1;
            *bits += 1;
            v << 1 | u64::from(bit)
        })
    }

    pub fn encode(series: &[f64], block: usize, stride: usize) -> (Vec<u8>, Vec<usize>) {
        let blocks = series.len().div_ceil(block);
        let mut data = vec![0u8; blocks * stride];
        let mut sizes = vec![0usize; blocks];
        #[omp::target]
        for ((values, out), size) in series.chunks(block).zip(data.chunks_exact_mut(stride)).zip(sizes.iter_mut()) {
            let mut bits = 0;
            let (mut leading, mut trailing) = (u32::MAX, 0u32);
            let mut previous = values[0].to_bits();
            put(out, &mut bits, previous, 64);
            for v in &values[1..] {
                let v = v.to_bits();
                let xor = v ^ std::mem::replace(&mut previous, v);
                if xor == 0 {
                    put(out, &mut bits, 0, 1);
                    continue;
                }
                let (lz, tz) = (xor.leading_zeros().min(31), xor.trailing_zeros());
                if leading != u32::MAX && lz >= leading && tz >= trailing {
                    put(out, &mut bits, 0b10, 2);
                } else {
                    (leading, trailing) = (lz, tz);
                    put(out, &mut bits, 0b11, 2);
                    put(out, &mut bits, leading.into(), 5);
                    put(out, &mut bits, u64::from(63 - leading - trailing), 6);
                }
                put(out, &mut bits, xor >> trailing, 64 - leading - trailing);
            }
            *size = bits.div_ceil(8);
        }
        (data, sizes)
    }

    pub fn decode(data: &[u8], block: usize, stride: usize, n: usize) -> Vec<f64> {
        let mut out = vec![0.0; n];
        #[omp::target]
        for (values, bytes) in out.chunks_mut(block).zip(data.chunks(stride)) {
            let mut at = 0;
            let mut current = get(bytes, &mut at, 64);
            let (mut leading, mut length) = (0, 0);
            let (first, rest) = values.split_first_mut().unwrap();
            *first = f64::from_bits(current);
            for v in rest {
                if get(bytes, &mut at, 1) == 1 {
                    if get(bytes, &mut at, 1) == 1 {
                        leading = get(bytes, &mut at, 5) as u32;
                        length = get(bytes, &mut at, 6) as u32 + 1;
                    }
                    current ^= get(bytes, &mut at, length) << (64 - leading - length);
                }
                *v = f64::from_bits(current);
            }
        }
        out
    }

    pub fn run() -> (Vec<u8>, Vec<usize>, Vec<f64>) {
        let mut v = Values(12);
        let mut x = 20.0;
        let series: Vec<f64> = (0..150).map(|_| { if v.bits() % 3 > 0 { x += (v.bits() % 8) as f64 * 0.25 - 0.75; } x }).collect();
        let (data, sizes) = encode(&series, 16, 160);
        let back = decode(&data, 16, 160, series.len());
        assert_eq!(back, series);
        (data, sizes, back)
    }
}
port!(gorilla: run());
