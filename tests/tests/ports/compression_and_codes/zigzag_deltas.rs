//! Compression: run lengths, zigzag deltas, lengths of variable-size integers.
use omp_tests::{Values, twice};

twice! {
    #[omp::declare_target]
    fn zigzag(v: i32) -> u32 { ((v << 1) ^ (v >> 31)) as u32 }

    #[omp::declare_target]
    const fn varint_len(v: u32) -> usize {
        match v {
            0..=0x7f => 1,
            0x80..=0x3fff => 2,
            0x4000..=0x1f_ffff => 3,
            0x20_0000..=0xfff_ffff => 4,
            _ => 5,
        }
    }

    pub fn run_starts(starts: &mut [usize], x: &[i32]) -> usize {
        let mut n = 0;
        #[omp::target]
        for i in 0..x.len() {
            if i == 0 || x[i] != x[i - 1] {
                starts[n] = i;
                n += 1;
            }
        }
        n
    }

    pub fn rle(values: &mut Vec<(i32, u32)>, x: &[i32]) {
        let mut starts = vec![0; x.len()];
        let runs = run_starts(&mut starts, x);
        values.resize(runs, (0, 0));
        #[omp::target]
        for (k, pair) in values.iter_mut().enumerate() {
            let start = starts[k];
            let end = if k + 1 < runs { starts[k + 1] } else { x.len() };
            *pair = (x[start], u32::try_from(end - start).unwrap());
        }
    }

    pub fn encode(x: &[i32]) -> (Vec<u8>, usize) {
        let mut deltas = vec![0u32; x.len()];
        #[omp::target]
        for (i, d) in deltas.iter_mut().enumerate() {
            let previous = i.checked_sub(1).map_or(0, |j| x[j]);
            *d = zigzag(x[i].wrapping_sub(previous));
        }
        let mut offsets = vec![0usize; x.len()];
        let mut total = 0;
        #[omp::target(scan(+: total))]
        for (o, &d) in offsets.iter_mut().zip(deltas.iter()) {
            *o = total;
            total += varint_len(d);
        }
        let mut bytes = vec![0u8; total];
        #[omp::target(disjoint(bytes))]
        for (&d, &at) in deltas.iter().zip(&offsets) {
            let mut v = d;
            let mut k = at;
            while v >= 0x80 {
                bytes[k] = (v as u8 & 0x7f) | 0x80;
                v >>= 7;
                k += 1;
            }
            bytes[k] = v as u8;
        }
        (bytes, total)
    }

    pub fn run() -> (Vec<(i32, u32)>, (Vec<u8>, usize)) {
        let mut v = Values(8);
        let x: Vec<i32> = (0..400).map(|i| (i / 7) * 1000 - (v.bits() % 3) as i32 * 70000).collect();
        let mut runs = Vec::new();
        rle(&mut runs, &x.iter().map(|v| v / 100000).collect::<Vec<_>>());
        (runs, encode(&x))
    }
}
port!(compression: run());
