//! PNG encoders: the filter of each row with the least sum of absolute differences.
use omp_tests::{compare, twice};

twice! {
    #[omp::declare_target]
    fn paeth(a: u8, b: u8, c: u8) -> u8 {
        let p = i16::from(a) + i16::from(b) - i16::from(c);
        let (pa, pb, pc) = ((p - i16::from(a)).abs(), (p - i16::from(b)).abs(), (p - i16::from(c)).abs());
        if pa <= pb && pa <= pc { a } else if pb <= pc { b } else { c }
    }
    #[derive(Clone, Copy, PartialEq, Eq, Debug, omp::Device)]
    pub enum Filter { None, Sub, Up, Average, Paeth }
    #[omp::declare_target]
    impl Filter {
        const ALL: [Filter; 5] = [Filter::None, Filter::Sub, Filter::Up, Filter::Average, Filter::Paeth];
        fn apply(self, x: u8, left: u8, up: u8, diag: u8) -> u8 {
            x.wrapping_sub(match self {
                Filter::None => 0,
                Filter::Sub => left,
                Filter::Up => up,
                Filter::Average => ((u16::from(left) + u16::from(up)) / 2) as u8,
                Filter::Paeth => paeth(left, up, diag),
            })
        }
    }
    pub fn choose(d: usize, image: &[u8], width: usize, bpp: usize) -> (Vec<Filter>, Vec<u8>) {
        let stride = width * bpp;
        let rows = image.len() / stride;
        let mut chosen = vec![Filter::None; rows];
        let mut out = vec![0u8; image.len()];
        #[omp::target(device(d))]
        for y in 0..rows {
            let row = &image[y * stride..(y + 1) * stride];
            let at = |x: usize, f: Filter| {
                let left = if x >= bpp { row[x - bpp] } else { 0 };
                let up = if y > 0 { image[(y - 1) * stride + x] } else { 0 };
                let diag = if y > 0 && x >= bpp { image[(y - 1) * stride + x - bpp] } else { 0 };
                f.apply(row[x], left, up, diag)
            };
            let best = Filter::ALL
                .into_iter()
                .min_by_key(|&f| (0..stride).map(|x| u32::from((at(x, f) as i8).unsigned_abs())).sum::<u32>())
                .unwrap();
            chosen[y] = best;
            for (x, o) in out[y * stride..(y + 1) * stride].iter_mut().enumerate() {
                *o = at(x, best);
            }
        }
        (chosen, out)
    }
}

#[test]
fn png_filters() {
    let img: Vec<u8> = (0..24 * 3 * 16).map(|i: u32| (i * i / 7 + i * 3) as u8).collect();
    compare!(m, d => format!("{:?}", m::choose(d, &img, 24, 3)));
}
