//! Seam carving: energies, cheapest paths row by row, the seam removed.
use omp_tests::{Values, twice};
twice! {
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, omp::Device)]
    pub struct Rgb(pub u8, pub u8, pub u8);

    #[omp::declare_target]
    impl Rgb {
        fn diff2(self, o: Rgb) -> u32 {
            let d = |a: u8, b: u8| (a as i32 - b as i32).pow(2) as u32;
            d(self.0, o.0) + d(self.1, o.1) + d(self.2, o.2)
        }
    }

    #[derive(Clone)]
    pub struct Picture { pub width: usize, pub height: usize, pub data: Vec<Rgb> }

    impl Picture {
        pub fn energy(&self) -> Vec<u32> {
            let Picture { width: w, height: h, ref data } = *self;
            let mut energy = vec![0; w * h];
            #[omp::target(collapse(2))]
            for y in 0..h {
                for x in 0..w {
                    let left = data[y * w + if x == 0 { w - 1 } else { x - 1 }];
                    let right = data[y * w + (x + 1) % w];
                    let up = data[(y + h - 1) % h * w + x];
                    let down = data[(y + 1) % h * w + x];
                    energy[y * w + x] = left.diff2(right) + up.diff2(down);
                }
            }
            energy
        }

        pub fn seam(&self) -> (Vec<usize>, u32) {
            let w = self.width;
            let mut cost = self.energy();
            let mut from = vec![0i8; cost.len()];
            for y in 1..self.height {
                let (done, rest) = cost.split_at_mut(y * w);
                let above = &done[(y - 1) * w..];
                let row = &mut rest[..w];
                let from_row = &mut from[y * w..(y + 1) * w];
                #[omp::target]
                for x in 0..w {
                    let mut best = (above[x], 0i8);
                    if x > 0 && above[x - 1] < best.0 {
                        best = (above[x - 1], -1);
                    }
                    if x + 1 < w && above[x + 1] < best.0 {
                        best = (above[x + 1], 1);
                    }
                    row[x] += best.0;
                    from_row[x] = best.1;
                }
            }
            let last = &cost[(self.height - 1) * w..];
            let (mut x, &total) = last.iter().enumerate().min_by_key(|&(_, c)| *c).unwrap();
            let mut seam = vec![0; self.height];
            for y in (0..self.height).rev() {
                seam[y] = x;
                x = (x as isize + from[y * w + x] as isize) as usize;
            }
            (seam, total)
        }

        pub fn remove(&mut self, seam: &[usize]) {
            let w = self.width;
            let mut narrow = vec![Rgb::default(); (w - 1) * self.height];
            #[omp::target]
            for ((dst, src), &cut) in narrow.chunks_exact_mut(w - 1).zip(self.data.chunks_exact(w)).zip(seam) {
                dst[..cut].copy_from_slice(&src[..cut]);
                dst[cut..].copy_from_slice(&src[cut + 1..]);
            }
            self.data = narrow;
            self.width -= 1;
        }
    }

    pub fn run() -> (Vec<u32>, Vec<Vec<u8>>) {
        let mut v = Values(31);
        let mut p = Picture { width: 14, height: 9, data: (0..126).map(|_| Rgb(v.bits() as u8, v.bits() as u8, v.bits() as u8)).collect() };
        let mut totals = vec![];
        for _ in 0..3 {
            let (seam, total) = p.seam();
            totals.push(total);
            p.remove(&seam);
        }
        (totals, p.data.iter().map(|c| vec![c.0, c.1, c.2]).collect())
    }
}
port!(seam_carving: run());
