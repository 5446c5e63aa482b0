//! Deflate and PNG pieces: Paeth filters chosen by row, canonical Huffman codes, bit readers over independent blocks, Adler-32 by parts.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum Filter { None = 0, Sub = 1, Up = 2, Average = 3, Paeth = 4 }

    #[omp::declare_target]
    impl Filter {
        const ALL: [Filter; 5] = [Filter::None, Filter::Sub, Filter::Up, Filter::Average, Filter::Paeth];

        fn predict(self, left: u8, up: u8, corner: u8) -> u8 {
            match self {
                Filter::None => 0,
                Filter::Sub => left,
                Filter::Up => up,
                Filter::Average => ((left as u16 + up as u16) / 2) as u8,
                Filter::Paeth => {
                    let [a, b, c] = [left, up, corner].map(i16::from);
                    let p = a + b - c;
                    let (pa, pb, pc) = ((p - a).abs(), (p - b).abs(), (p - c).abs());
                    if pa <= pb && pa <= pc { left } else if pb <= pc { up } else { corner }
                }
            }
        }
    }

    pub fn filter_rows(pixels: &[u8], stride: usize, bpp: usize, out: &mut [u8]) -> Vec<Filter> {
        let rows = pixels.len() / stride;
        let mut chosen = vec![Filter::None; rows];
        #[omp::target]
        for ((y, filter), line) in chosen.iter_mut().enumerate().zip(out.chunks_exact_mut(stride)) {
            let row = &pixels[y * stride..][..stride];
            let above = y.checked_sub(1).map(|p| &pixels[p * stride..][..stride]);
            let residual = |f: Filter, x: usize| {
                let left = if x >= bpp { row[x - bpp] } else { 0 };
                let up = above.map_or(0, |a| a[x]);
                let corner = match above {
                    Some(a) if x >= bpp => a[x - bpp],
                    _ => 0,
                };
                row[x].wrapping_sub(f.predict(left, up, corner))
            };
            let cost = |f: Filter| (0..stride).map(|x| (residual(f, x) as i8).unsigned_abs() as u32).sum::<u32>();
            let best = Filter::ALL.into_iter().min_by_key(|&f| cost(f)).unwrap_or(Filter::None);
            *filter = best;
            for (x, byte) in line.iter_mut().enumerate() {
                *byte = residual(best, x);
            }
        }
        chosen
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub enum Corrupt { OutOfData { at: usize }, BadCode(u16) }

    #[derive(Clone, Copy, omp::Device)]
    pub struct BitReader { at: usize, end: usize }

    #[omp::declare_target]
    impl BitReader {
        fn bit(&mut self, data: &[u8]) -> Result<u16, Corrupt> {
            if self.at >= self.end {
                return Err(Corrupt::OutOfData { at: self.at });
            }
            let bit = data.get(self.at / 8).ok_or(Corrupt::OutOfData { at: self.at })? >> (self.at % 8) & 1;
            self.at += 1;
            Ok(bit.into())
        }
    }

    pub const LONGEST: usize = 8;

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Canonical { count: [u16; LONGEST + 1], symbol: [u8; 16] }

    impl Canonical {
        pub fn new(lengths: &[u8; 16]) -> Self {
            let mut count = [0; LONGEST + 1];
            for &l in lengths { count[l as usize] += 1; }
            count[0] = 0;
            let mut order: Vec<u8> = (0..16).filter(|&s| lengths[s as usize] > 0).collect();
            order.sort_by_key(|&s| (lengths[s as usize], s));
            let mut symbol = [0; 16];
            symbol[..order.len()].copy_from_slice(&order);
            Self { count, symbol }
        }
        pub fn codes(&self, lengths: &[u8; 16]) -> [u16; 16] {
            let mut next = [0u16; LONGEST + 2];
            for l in 1..=LONGEST { next[l + 1] = (next[l] + self.count[l]) << 1; }
            let mut codes = [0; 16];
            for s in 0..16 { if lengths[s] > 0 { codes[s] = next[lengths[s] as usize]; next[lengths[s] as usize] += 1; } }
            codes
        }
    }

    #[omp::declare_target]
    impl Canonical {
        fn decode(&self, reader: &mut BitReader, data: &[u8]) -> Result<u8, Corrupt> {
            let (mut code, mut first, mut index) = (0u16, 0u16, 0u16);
            for &count in self.count.iter().skip(1) {
                code |= reader.bit(data)?;
                if code < first + count {
                    return Ok(self.symbol[usize::from(index + code - first)]);
                }
                index += count;
                first = (first + count) << 1;
                code <<= 1;
            }
            Err(Corrupt::BadCode(code))
        }
    }

    pub fn decode_blocks(data: &[u8], blocks: &[(usize, usize)], table: &Canonical, per_block: usize, out: &mut [u8]) -> Vec<Result<u32, Corrupt>> {
        let mut results = vec![Ok(0); blocks.len()];
        #[omp::target]
        for ((result, &(at, end)), symbols) in results.iter_mut().zip(blocks).zip(out.chunks_mut(per_block)) {
            let mut reader = BitReader { at, end };
            *result = Ok(0);
            for (k, s) in symbols.iter_mut().enumerate() {
                match table.decode(&mut reader, data) {
                    Ok(symbol) => {
                        *s = symbol;
                        *result = Ok(k as u32 + 1);
                    }
                    Err(e) => {
                        *result = Err(e);
                        break;
                    }
                }
            }
        }
        results
    }

    pub fn adler32(data: &[u8]) -> u32 {
        const MOD: u64 = 65521;
        let n = data.len() as u64;
        let (mut a, mut b) = (0u64, 0u64);
        #[omp::target(reduction(+: a, b))]
        for (i, &byte) in data.iter().enumerate() {
            a += byte as u64;
            b += (n - i as u64) * byte as u64 % MOD;
        }
        (((n + b) % MOD) << 16 | (1 + a) % MOD) as u32
    }

    pub fn run() -> (Vec<Filter>, Vec<u8>, Vec<u8>, Vec<Result<u32, Corrupt>>, u32) {
        let pixels: Vec<u8> = (0..480usize).map(|i| (i * i / 9 + (i / 48) * 5) as u8).collect();
        let mut out = vec![0; 480];
        let filters = filter_rows(&pixels, 48, 3, &mut out);
        let lengths = [3, 3, 3, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8, 8, 0, 0];
        let table = Canonical::new(&lengths);
        let codes = table.codes(&lengths);
        let (mut bits, mut blocks) = (vec![], vec![]);
        for b in 0..5usize {
            let start = bits.len();
            for k in 0..12 { let s = (b * 5 + k * k) % 14; for i in (0..lengths[s]).rev() { bits.push(codes[s] >> i & 1) } }
            blocks.push((start, if b == 3 { bits.len() - 4 } else { bits.len() }));
        }
        let data: Vec<u8> = bits.chunks(8).map(|c| c.iter().enumerate().fold(0, |a, (i, &b)| a | (b as u8) << i)).collect();
        let mut symbols = vec![0xff; 60];
        let r = decode_blocks(&data, &blocks, &table, 12, &mut symbols);
        let a = adler32(&out);
        (filters, out, symbols, r, a)
    }
}
// Devices have no arrays of `Result` (`decode_blocks`).
port!(part of deflate: crate::Shown::of(run()));
