//! Reductions over loops that begin and end anywhere: before the first group of elements that is accessed at once, within one, in
//! its middle, with fewer groups than threads and with some for several waves.
#![allow(clippy::needless_range_loop, reason = "as on devices")]
#![allow(clippy::cast_lossless, reason = "one macro for all types")]
use omp_tests::on_every_device;

macro_rules! reductions {
    ($($T:ident $name:ident)*) => { $(
        mod $name {
            use super::*;

            #[omp::offload]
            fn sum(d: usize, (lo, hi): (usize, usize), x: &[$T], y: &mut [$T]) -> (u64, $T) {
                let (mut sum, mut most) = (0u64, 0 as $T);
                #[omp::target(device(d), reduction(+: sum), reduction(max: most))]
                for i in lo..hi {
                    sum += x[i] as u64;
                    most = most.max(x[i]);
                    y[i] = x[i];
                }
                (sum, most)
            }

            #[omp::offload]
            fn count(d: usize, (lo, hi): (usize, usize), x: &[$T], bins: &mut [u32; 16]) {
                #[omp::target(device(d), map(tofrom: bins), reduction(+: bins))]
                for i in lo..hi {
                    bins[x[i] as usize % 16] += 1;
                }
            }

            #[test]
            fn loops_begin_and_end_anywhere() {
                on_every_device(|d| {
                    let x: Vec<$T> = (0..70_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 25) as $T).collect();
                    let starts = [0, 1, 7, 15, 16, 17, 127, 128, 129];
                    let lens = [0, 1, 2, 15, 16, 31, 100, 255, 4096, 8191, 16_384, 32_769, 65_000];
                    for (lo, len) in starts.iter().flat_map(|lo| lens.iter().map(move |len| (*lo, *len))) {
                        let hi = lo + len;
                        let part = &x[lo..hi];
                        let mut y = vec![0 as $T; x.len()];
                        let want = part.iter().map(|v| *v as u64).sum::<u64>();
                        let most = part.iter().copied().fold(0 as $T, |a, b| if b > a { b } else { a });
                        assert_eq!(sum(d, (lo, hi), &x, &mut y), (want, most), "{lo}..{hi} on {d}");
                        assert!(&y[lo..hi] == part && y[..lo].iter().chain(&y[hi..]).all(|v| *v == 0 as $T));
                        let (mut bins, mut counted) = ([0; 16], [0; 16]);
                        part.iter().for_each(|v| counted[*v as usize % 16] += 1);
                        count(d, (lo, hi), &x, &mut bins);
                        assert_eq!(bins, counted, "{lo}..{hi} on {d}");
                    }
                });
            }
        }
    )* };
}
reductions! { u8 bytes u16 words i32 integers f32 floats f64 doubles }
