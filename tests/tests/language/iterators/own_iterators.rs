//! Device types with an `impl Iterator`, in loops and under the methods of iterators, and byte strings as arrays: all devices, against the
//! same functions without directives.
#![allow(clippy::all, clippy::pedantic, unused, reason = "as programs have them")]
use omp_tests::{compared, twice};

twice! {
    #[derive(Clone, Copy, omp::Device)]
    pub struct Ones(pub u32);
    impl Ones { #[omp::declare_target] pub fn of(x: u32) -> Self { Self(x ^ 5) } }
    #[omp::declare_target]
    impl Iterator for Ones {
        type Item = u32;
        fn next(&mut self) -> Option<Self::Item> {
            if self.0 == 0 { return None; }
            let b = self.0.trailing_zeros();
            self.0 &= self.0 - 1;
            Some(b)
        }
    }
    #[derive(Clone, Copy, omp::Device)]
    pub struct Line { x: i32, y: i32, dx: i32, dy: i32, left: u32 }
    #[omp::declare_target]
    impl Line { fn new(a: (i32, i32), d: (i32, i32), n: u32) -> Self { Line { x: a.0, y: a.1, dx: d.0, dy: d.1, left: n } } }
    #[omp::declare_target]
    impl Iterator for Line {
        type Item = (i32, i32);
        fn next(&mut self) -> Option<(i32, i32)> {
            if self.left == 0 { None } else {
                self.left -= 1;
                let p = (self.x, self.y);
                self.x += self.dx; self.y += self.dy;
                Some(p)
            }
        }
    }
    #[omp::declare_target]
    fn ones(x: u32) -> Ones { Ones(x) }
    pub fn loops(d: usize, x: &[u32], y: &mut [u32]) {
     #[omp::target(device(d))]
     for i in 0..x.len() { let mut s = 0; for b in Ones(x[i]) { s += b * b; } y[i] = s; }
     }
    pub fn maps(d: usize, x: &[u32], y: &mut [u32]) {
     #[omp::target(device(d))]
     for i in 0..x.len() { y[i] = Ones(x[i]).map(|b| b + 1).sum(); }
     }
    pub fn zips(d: usize, x: &[u32], y: &mut [u32]) {
     #[omp::target(device(d))]
     for i in 0..x.len() { y[i] = Ones::of(x[i]).zip(ones(x[i].wrapping_mul(7))).map(|(a, b)| a * b + 1).fold(0u32, |a, b| a.wrapping_mul(3) + b); }
     }
    pub fn by_reference(d: usize, x: &[u32], y: &mut [u32]) {
     #[omp::target(device(d))]
     for i in 0..x.len() { let mut it = Ones(x[i]); let first = it.next().unwrap_or(99); let two: u32 = it.by_ref().take(2).sum(); let mut s = first + 100 * two; for b in &mut it { s += b; if s % 2 == 0 { break; } } y[i] = s * 10 + it.count() as u32; }
     }
    pub fn searches(d: usize, x: &[u32], y: &mut [u32]) {
     #[omp::target(device(d))]
     for (o, v) in y.iter_mut().zip(x) { *o = ones(*v).filter(|b| b % 2 == 0).count() as u32 + ones(*v).max().unwrap_or(0) + ones(*v).any(|b| b == 3) as u32; }
     }
    pub fn numbered_pairs(d: usize, x: &[u32], y: &mut [u32]) {
     let n = x.len();
     #[omp::target(device(d))]
     for i in 0..x.len() { let mut s = 0u32; for (k, (px, py)) in Line::new((i as i32, 3), (1, -1), 9).enumerate() { if py < 0 { continue; } s = s.wrapping_add(x[(px as usize + py as usize * 17 + k) % n]); } y[i] = s; }
     }
    pub fn peeks(d: usize, x: &[u32], y: &mut [u32]) {
     #[omp::target(device(d))]
     for i in 0..x.len() { let v = x[i]; let mut it = ones(v).peekable(); let mut s = 0; while let Some(a) = it.next() { s = (s * 2 + a) % 10007; if let Some(b) = it.peek() { s += b; } } y[i] = s; }
     }
    pub fn nested(d: usize, x: &[u32], y: &mut [u32]) {
     #[omp::target(device(d))]
     for i in 0..x.len() { y[i] = (0..3).flat_map(|k| ones(x[i] >> k)).sum::<u32>() + x.iter().take(5).map(|v| ones(*v).count() as u32).sum::<u32>() + ones(x[i]).chain(ones(3)).last().unwrap(); }
     }

    /// Pairs of numbers, as many as its parameter tells.
    #[derive(Clone, Copy, omp::Device)]
    pub struct Strided<const N: usize> { at: [usize; N], left: usize }
    #[omp::declare_target]
    impl<const N: usize> Iterator for Strided<N> {
        type Item = [usize; N];
        fn next(&mut self) -> Option<[usize; N]> {
            self.left = self.left.checked_sub(1)?;
            let now = self.at;
            for (k, at) in self.at.iter_mut().enumerate() { *at += k + 1; }
            Some(now)
        }
    }
    pub fn arrays(d: usize, x: &[u32], y: &mut [u32]) {
        #[omp::target(device(d))]
        for i in 0..x.len() {
            let it = Strided::<3> { at: [i, 0, 1], left: i % 7 };
            y[i] = it.skip(1).step_by(2).filter(|a| a[0] < x.len()).map(|[a, b, c]| x[a].wrapping_mul((b * 10 + c) as u32)).fold(1, u32::wrapping_add);
        }
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Walker { ones: Ones, seen: u32 }
    #[omp::declare_target]
    impl Walker {
        fn two(&mut self) -> u32 { let s: u32 = self.ones.by_ref().take(2).sum(); self.seen += 1; s }
        fn rest(self) -> u32 { self.ones.map(|b| b * 3).sum::<u32>() + self.seen }
    }
    #[omp::declare_target]
    fn last_of(x: u32) -> Option<u32> { ones(x).filter(|b| *b > 2).last() }
    pub fn in_fields(d: usize, x: &[u32], y: &mut [u32]) {
        #[omp::target(device(d))]
        for i in 0..x.len() {
            let mut w = Walker { ones: Ones(x[i]), seen: 0 };
            let a = w.two() * 100;
            y[i] = a + w.two() * 10 + w.rest() + last_of(x[i]).unwrap_or(5000);
        }
    }

    /// An endless one, which its consumer ends.
    #[derive(Clone, Copy, omp::Device)]
    pub struct Random(u32);
    #[omp::declare_target]
    impl Iterator for Random {
        type Item = u32;
        fn next(&mut self) -> Option<u32> {
            self.0 = self.0.wrapping_mul(1664525).wrapping_add(1013904223);
            Some(self.0 >> 16)
        }
        fn size_hint(&self) -> (usize, Option<usize>) { (usize::MAX, None) }
    }
    pub fn endless(d: usize, x: &[u32], y: &mut [u32]) {
        #[omp::target(device(d))]
        for i in 0..x.len() {
            let mut rng = Random(x[i]);
            let a: u32 = rng.by_ref().take(5).map(|v| v % 10).sum();
            let b = rng.find(|v| v % 7 == 3).unwrap();
            let pairs = x.iter().filter(|v| **v % 3 == 1).zip(rng).map(|(v, r)| (v ^ r) % 3).max().unwrap_or(9);
            let c = rng.take_while(|v| v % 5 != 0).count() as u32;
            y[i] = a + b + c * 100 + pairs + rng.next().unwrap();
        }
    }

    pub fn byte_strings(d: usize, x: &[u32], y: &mut [u32]) {
 #[omp::target(device(d))]
 for i in 0..x.len() { let op = (x[i] % 128) as u8; y[i] = match b"=XID".iter().position(|&o| o == op) { Some(k) => k as u32, None => 77 }; }
 }
    pub fn byte_strings_in_loops(d: usize, x: &[u32], y: &mut [u32]) {
 #[omp::target(device(d))]
 for i in 0..x.len() { let mut s = 0; for (k, &b) in b"hello".iter().enumerate() { s += b as u32 * (k as u32 + x[i] % 1000); } y[i] = s + b"abc".contains(&((x[i] % 256) as u8)) as u32 + b"xyz"[(x[i] % 3) as usize] as u32; }
 }
    pub fn byte_strings_zipped(d: usize, x: &[u32], y: &mut [u32]) {
 #[omp::target(device(d))]
 for i in 0..x.len() { let s: u32 = b"acgt".iter().zip(x[i].to_le_bytes()).map(|(a, b)| *a as u32 * b as u32).sum(); y[i] = s + b"..".len() as u32; }
 }
}

compared! {
    |d, call| {
        let x: Vec<u32> = (0..700u32).chain([u32::MAX, 1 << 31]).collect();
        let mut out = vec![0; x.len()];
        call(d, &x, &mut out);
        out
    };
    loops maps zips by_reference searches numbered_pairs peeks nested arrays in_fields endless byte_strings byte_strings_in_loops
    byte_strings_zipped
}
