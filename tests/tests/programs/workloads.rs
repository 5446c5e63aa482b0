//! Programs as users bring them: what is awkward about each is that several features meet in it. All devices, against
//! plain Rust.
#![allow(clippy::needless_range_loop, clippy::cast_lossless, reason = "every spelling that users may choose")]
use omp_tests::{Values, on_every_device};
use std::ops::Mul;

// ------------------------------------------------------------------------------------- pixels of several channels

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Pixel {
    blue: u8,
    green: u8,
    red: u8,
    alpha: u8,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
struct Totals {
    blue: u64,
    green: u64,
    red: u64,
}

#[derive(Debug, PartialEq)]
struct Photo {
    pixels: Vec<Pixel>,
    totals: Totals,
    brightest: u8,
}

#[omp::offload]
impl Photo {
    /// Reductions on fields of a field, and on another field, then a change of every pixel by them.
    fn level(&mut self, d: usize) {
        #[omp::target_data(map(tofrom: self.pixels), device(d))]
        {
            #[omp::target(device(d), reduction(+: self.totals.blue, self.totals.green, self.totals.red), reduction(max: self.brightest))]
            for i in 0..self.pixels.len() {
                let p = self.pixels[i];
                self.totals.blue += u64::from(p.blue);
                self.totals.green += u64::from(p.green);
                self.totals.red += u64::from(p.red);
                self.brightest = self.brightest.max(p.blue).max(p.green);
            }
            let n = self.pixels.len().max(1) as u64;
            let mean = [self.totals.blue / n, self.totals.green / n, self.totals.red / n];
            #[omp::target(device(d))]
            for p in self.pixels.iter_mut() {
                p.blue = p.blue.abs_diff(mean[0] as u8);
                p.green = p.green.abs_diff(mean[1] as u8);
                p.red = p.red.abs_diff(mean[2] as u8).min(self.brightest);
            }
        }
    }
}

#[test]
fn channels_are_levelled() {
    for n in [0usize, 1, 7, 1000] {
        let mut r = Values(n as u64);
        let byte = |r: &mut Values| r.bits() as u8;
        let pixels: Vec<Pixel> = (0..n)
            .map(|_| Pixel { blue: byte(&mut r), green: byte(&mut r), red: byte(&mut r), alpha: 9 })
            .collect();
        let totals = Totals { blue: 5, ..Totals::default() };
        let mut want = Photo { pixels: pixels.clone(), totals, brightest: 3 };
        for p in &pixels {
            want.totals.blue += u64::from(p.blue);
            want.totals.green += u64::from(p.green);
            want.totals.red += u64::from(p.red);
            want.brightest = want.brightest.max(p.blue).max(p.green);
        }
        let mean = |total: u64| (total / n.max(1) as u64) as u8;
        for p in &mut want.pixels {
            p.blue = p.blue.abs_diff(mean(want.totals.blue));
            p.green = p.green.abs_diff(mean(want.totals.green));
            p.red = p.red.abs_diff(mean(want.totals.red)).min(want.brightest);
        }
        on_every_device(|d| {
            let mut photo = Photo { pixels: pixels.clone(), totals, brightest: 3 };
            photo.level(d);
            assert_eq!(photo, want, "{n} pixels on device {d}");
        });
    }
}

/// Interleaved channels, reduced into a fixed array that starts from something.
#[omp::offload]
fn interleaved(d: usize, bytes: &[u8], mut sums: [u32; 4]) -> ([u32; 4], u32) {
    let mut odd = 0;
    #[omp::target(device(d), reduction(+: sums), reduction(^: odd))]
    for (i, &b) in bytes.iter().enumerate() {
        sums[i % 4] += b as u32;
        odd ^= b as u32 & 1;
    }
    (sums, odd)
}

#[test]
fn interleaved_channels_add_up() {
    for n in [0usize, 3, 4, 4099] {
        let mut r = Values(n as u64);
        let bytes: Vec<u8> = (0..n).map(|_| r.bits() as u8).collect();
        let mut want = [1, 2, 3, 4];
        bytes.iter().enumerate().for_each(|(i, b)| want[i % 4] += *b as u32);
        let odd = bytes.iter().fold(0, |o, b| o ^ (*b as u32 & 1));
        on_every_device(|d| assert_eq!(interleaved(d, &bytes, [1, 2, 3, 4]), (want, odd), "{n} on {d}"));
    }
}

// ------------------------------------------------------------------------------------------ pitched loop nests

/// Several outputs an iteration, a loop that ends by what it finds, a pitched array of which a border stays.
#[omp::offload]
fn pitched(d: usize, w: usize, h: usize, pitch: usize, input: &[i32], out: &mut [i32]) {
    #[omp::target(device(d), collapse(2))]
    for row in 0..h {
        for quad in (0..w / 4 * 4).step_by(4) {
            let mut sum = [0i32; 4];
            let mut k = 0;
            while k <= quad % 5 && row + k < h {
                for u in 0..4 {
                    sum[u] = sum[u].wrapping_mul(3).wrapping_add(input[(row + k) * pitch + quad + u]);
                }
                k += 1;
            }
            for u in 0..4 {
                out[row * pitch + quad + u] = sum[u];
            }
        }
    }
}

#[test]
fn pitched_arrays_keep_their_borders() {
    for (w, h, pitch) in [(0, 0, 1), (4, 1, 4), (9, 5, 12), (64, 33, 70)] {
        let mut r = Values(w as u64);
        let input: Vec<i32> = (0..h * pitch).map(|_| r.bits() as i32).collect();
        let mut want = vec![-7; h * pitch];
        for row in 0..h {
            for col in 0..w / 4 * 4 {
                let most = col / 4 * 4 % 5;
                let rows = (row..h).take(most + 1);
                want[row * pitch + col] =
                    rows.fold(0i32, |s, k| s.wrapping_mul(3).wrapping_add(input[k * pitch + col]));
            }
        }
        on_every_device(|d| {
            let mut out = vec![-7; h * pitch];
            pitched(d, w, h, pitch, &input, &mut out);
            assert_eq!(out, want, "{w} x {h}, pitch {pitch} on {d}");
        });
    }
}

// ------------------------------------------------------------------------------------------------------- scans

/// Left in the middle of a data region, between two scans.
#[omp::offload]
fn thirds(d: usize, x: &[i32]) -> Option<u64> {
    let n = x.len();
    let (mut sums, mut firsts) = (vec![0i32; n], vec![0u32; n]);
    let mut ways = 0;
    #[omp::target_data(map(to: x), map(alloc: sums, firsts), device(d))]
    {
        let mut sum = 0;
        #[omp::target(device(d), scan(+: sum))]
        for i in 0..n {
            sum += x[i];
            sums[i] = sum;
        }
        if sum % 3 != 0 {
            return None;
        }
        let mut first = 0;
        #[omp::target(device(d), scan(+: first))]
        for i in 0..n {
            firsts[i] = first;
            first += u32::from(sums[i] == sum / 3);
        }
        #[omp::target(device(d), reduction(+: ways))]
        for i in 0..n.max(1) - 1 {
            ways += if sums[i] == 2 * (sum / 3) { u64::from(firsts[i]) } else { 0 };
        }
    }
    Some(ways)
}

#[test]
fn a_region_left_between_scans() {
    for n in [0usize, 1, 2, 3, 10, 3000] {
        for off in 0..3 {
            let mut r = Values((3 * n + off) as u64);
            let x: Vec<i32> = (0..n).map(|_| (r.bits() % 3) as i32 - 1).collect();
            let total: i32 = x.iter().sum();
            let want = (total % 3 == 0).then(|| {
                let (mut sum, mut firsts, mut ways) = (0, 0u64, 0u64);
                for v in &x[..n.max(1) - 1] {
                    sum += v;
                    ways += if sum == 2 * (total / 3) { firsts } else { 0 };
                    firsts += u64::from(sum == total / 3);
                }
                ways
            });
            on_every_device(|d| assert_eq!(thirds(d, &x), want, "{n} on {d}"));
        }
    }
}

/// 128 bytes, not commutative.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Square([[u64; 4]; 4]);

const UNIT: Square = Square([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]);

#[omp::declare_reduction(*: Square, identity = UNIT)]
impl Mul for Square {
    type Output = Square;

    fn mul(self, o: Square) -> Square {
        let mut m = [[0u64; 4]; 4];
        for i in 0..4 {
            for j in 0..4 {
                for k in 0..4 {
                    m[i][j] = m[i][j].wrapping_add(self.0[i][k].wrapping_mul(o.0[k][j]));
                }
            }
        }
        Square(m)
    }
}

struct Chain {
    links: Vec<Square>,
}

#[omp::offload]
impl Chain {
    /// In place and backwards, on a field, then all of it once more as a reduction.
    fn tails(&mut self, d: usize) -> Square {
        let mut all = UNIT;
        #[omp::target(device(d), reduction(*: all))]
        for i in 0..self.links.len() {
            all = all * self.links[i];
        }
        #[omp::target(device(d), scan(*: self.links))]
        for i in (0..self.links.len().max(1) - 1).rev() {
            self.links[i] = self.links[i + 1] * self.links[i];
        }
        all
    }
}

#[test]
fn large_operands_keep_their_order() {
    for n in [0usize, 1, 2, 65, 700] {
        let mut r = Values(n as u64);
        let links: Vec<Square> =
            (0..n).map(|_| Square([[0; 4]; 4].map(|row| row.map(|_: u64| r.wide())))).collect();
        let mut want = links.clone();
        for i in (0..n.max(1) - 1).rev() {
            want[i] = want[i + 1] * want[i];
        }
        let all = links.iter().fold(UNIT, |a, b| a * *b);
        on_every_device(|d| {
            let mut chain = Chain { links: links.clone() };
            assert!(chain.tails(d) == all, "{n} on {d}: the product");
            assert!(chain.links == want, "{n} on {d}: the tails");
        });
    }
}

/// What a scan numbers is scattered in the same loop.
#[omp::offload]
fn numbered(d: usize, flags: &[bool], places: &mut [u32]) -> usize {
    let mut count = 0;
    #[omp::target(device(d), scan(+: count), disjoint(places))]
    for i in 0..flags.len() {
        if flags[i] {
            places[count] = i as u32;
        }
        count += usize::from(flags[i]);
    }
    count
}

#[test]
fn places_are_numbered_while_they_are_counted() {
    for n in [0usize, 1, 31, 5000] {
        let mut r = Values(n as u64);
        let flags: Vec<bool> = (0..n).map(|_| r.bits().is_multiple_of(3)).collect();
        let want: Vec<u32> = (0..n as u32).filter(|i| flags[*i as usize]).collect();
        on_every_device(|d| {
            let mut places = vec![u32::MAX; n];
            let count = numbered(d, &flags, &mut places);
            assert_eq!(places[..count], want, "{n} on {d}");
            assert!(places[count..].iter().all(|p| *p == u32::MAX), "{n} on {d}: behind them");
        });
    }
}

// ------------------------------------------------------------------------------------------- tasks and host work

/// Adds up a block while the host does something else.
#[omp::offload]
fn add<R>(d: usize, sum: &mut u64, block: &[u32], meanwhile: impl FnOnce() -> R) -> R {
    let mut own = *sum;
    #[omp::target(nowait, device(d), map(to: block), reduction(+: own))]
    for i in 0..block.len() {
        own += u64::from(block[i]) * (i as u64 + 1);
    }
    let result = meanwhile();
    omp::taskwait!();
    *sum = own;
    result
}

/// Two buffers that change roles, each filled by the host while the other is worked on.
fn doubled(d: usize, blocks: usize, len: usize, fill: &mut dyn FnMut(&mut [u32], usize)) -> u64 {
    let (mut now, mut next) = (vec![0u32; len], vec![0u32; len]);
    let mut sum = 0;
    fill(&mut now, 0);
    for block in 0..blocks {
        add(d, &mut sum, &now, || fill(&mut next, block + 1));
        std::mem::swap(&mut now, &mut next);
    }
    sum
}

#[test]
fn buffers_change_roles() {
    for (blocks, len) in [(0, 5), (1, 0), (1, 1), (6, 100)] {
        let value = |block: usize, i: usize| (block * 1000 + i * 7) as u32;
        let want: u64 =
            (0..blocks).flat_map(|b| (0..len).map(move |i| u64::from(value(b, i)) * (i as u64 + 1))).sum();
        on_every_device(|d| {
            let mut fill = |buffer: &mut [u32], block: usize| {
                buffer.iter_mut().enumerate().for_each(|(i, v)| *v = value(block, i));
            };
            assert_eq!(doubled(d, blocks, len, &mut fill), want, "{blocks} blocks of {len} on {d}");
        });
    }
}

/// A `loop` under a data region, left by `break` with a value from a reduction.
#[omp::offload]
fn halvings(d: usize, x: &mut [f64], tolerance: f64) -> (usize, f64) {
    let mut steps = 0;
    let last = #[omp::target_data(map(tofrom: x), device(d))]
    loop {
        let mut most = 0.0f64;
        #[omp::target(device(d), reduction(max: most))]
        for v in x.iter_mut() {
            *v *= 0.5;
            most = most.max(v.abs());
        }
        steps += 1;
        if most <= tolerance {
            break most;
        }
    };
    (steps, last)
}

#[test]
fn a_loop_gives_a_value() {
    on_every_device(|d| {
        let mut x = vec![1.0, -8.0, 3.0];
        assert_eq!(halvings(d, &mut x, 0.75), (4, 0.5), "on {d}");
        assert_eq!(x, [1.0 / 16.0, -0.5, 3.0 / 16.0]);
    });
}
