//! Iterators that are asked for the next item, `scan`, and `zip` with what leaves out items.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{Values, compare, twice};

twice! {
    #[omp::declare_target]
    fn runs(x: &[u8]) -> u32 {
        let mut it = x.iter().copied().peekable();
        let mut n = 0;
        while let Some(v) = it.next() {
            while it.peek() == Some(&v) {
                it.next();
            }
            if let Some(&next) = it.peek() {
                n += (next > v) as u32;
            }
            n += 100;
        }
        n
    }
    #[omp::declare_target]
    fn gaps(x: &[u8]) -> u32 {
        let mut at = x.iter().enumerate().filter(|(_, v)| **v > 200).map(|(i, _)| i as u32);
        let Some(mut last) = at.next() else { return 7 };
        let second = at.next().unwrap_or(99);
        let mut widest = second.wrapping_sub(last);
        for i in at {
            widest = widest.max(i - last);
            last = i;
        }
        widest
    }
    #[omp::declare_target]
    fn firsts(x: &[u8], n: usize) -> (usize, usize, u8) {
        let mut evens = (0..n).filter(|i| i % 2 == 0);
        let a = evens.next().unwrap_or(50);
        let b = evens.next().unwrap_or(60);
        let mut big = x.iter().filter(|v| **v > 100);
        big.next();
        (a, b, *big.next().unwrap_or(&3))
    }
    #[omp::declare_target]
    fn sums(x: &[u8]) -> u32 {
        let total: u32 = x.iter().scan(0u32, |s, &v| { *s += v as u32; Some(*s) }).take_while(|s| *s < 900).sum();
        let mut fib = x.iter().scan((0u32, 1u32), |(a, b), _| {
            let c = *a + *b;
            *a = *b;
            *b = c;
            if c < 100 { Some(c) } else { None }
        });
        let mut n = total;
        while let Some(f) = fib.next() {
            n = n * 3 + f;
            n %= 10007;
        }
        n
    }
    #[omp::declare_target]
    fn tagged(y: &mut [u32], x: &[u8]) -> usize {
        let mut n = 0;
        for (slot, v) in y.iter_mut().zip(x.iter().filter(|v| **v > 90)) {
            *slot = *v as u32;
            n += 1;
        }
        y.iter_mut().zip(x.iter().flat_map(|v| (0..2).map(move |k| *v as u32 * k))).for_each(|(s, v)| *s = *s * 7 + v);
        n
    }
    pub fn zipped() -> (Vec<u32>, Vec<usize>) {
        let mut v = Values(5);
        let x: Vec<u8> = (0..200).map(|_| v.bits() as u8).collect();
        let (mut y, mut n) = (vec![0u32; 70], vec![0; 10]);
        #[omp::target]
        for ((y, x), n) in y.chunks_mut(7).zip(x.chunks(20)).zip(n.iter_mut()) {
            *n = tagged(y, x);
        }
        (y, n)
    }
    /// A reader and a peeking loop in the region's own body, with a bound from outside.
    pub fn in_a_body(x: &[u32], limit: u32) -> Vec<u32> {
        let mut out = vec![0; x.len()];
        #[omp::target]
        for i in 0..x.len() {
            let mut small = x[i..].iter().filter(|v| **v < limit).map(|v| v * 2);
            let first = small.next().unwrap_or(1);
            let rest: u32 = match small.next() {
                Some(v) => v + 1,
                None => 5,
            };
            let mut each = x.iter().copied().peekable();
            let mut rises = 0;
            while let Some(v) = each.next() {
                rises += each.peek().is_some_and(|next| *next > v) as u32;
            }
            out[i] = first * 1000 + rest * 10 + rises;
        }
        out
    }
    pub fn run() -> (Vec<u32>, Vec<u32>, Vec<(usize, usize, u8)>, Vec<u32>) {
        let mut v = Values(3);
        let x: Vec<u8> = (0..400).map(|i| if i % 20 > 15 { 3 } else { v.bits() as u8 }).collect();
        let (mut a, mut b, mut c, mut d) = (vec![0u32; 20], vec![0u32; 20], vec![(0, 0, 0); 20], vec![0u32; 20]);
        #[omp::target]
        for i in 0..20 {
            let part = &x[i * 20..(i + 1) * 20];
            a[i] = runs(part);
            b[i] = gaps(part);
            c[i] = firsts(part, i);
            d[i] = sums(part);
        }
        (a, b, c, d)
    }
}

#[test]
fn items_one_by_one() {
    compare!(m, d => { omp::set_default_device(d); m::run() });
}

#[test]
fn zipped_with_fewer() {
    compare!(m, d => { omp::set_default_device(d); m::zipped() });
}

#[test]
fn in_a_region() {
    let x: Vec<u32> = (0..40).map(|k| k * 37 % 23).collect();
    compare!(m, d => { omp::set_default_device(d); m::in_a_body(&x, 11) });
}
