//! Slice variables that are assigned parts of themselves, as parsers have.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compare, on_every_device, panic_of, twice};

twice! {
    #[omp::declare_target]
    fn prefixed(bytes: &[u8]) -> u32 {
        let mut rest = bytes;
        let mut sum = 0;
        while !rest.is_empty() {
            let n = rest[0] as usize;
            rest = &rest[1..];
            let take = n.min(rest.len());
            sum += rest[..take].iter().map(|&b| b as u32).sum::<u32>() + 100 * rest.len() as u32;
            rest = &rest[take..];
        }
        sum
    }

    #[omp::declare_target]
    fn pairs(mut data: &[u8]) -> u32 {
        let mut sum = 0;
        while data.len() >= 2 {
            let (head, tail) = data.split_at(2);
            sum += head[0] as u32 * head[1] as u32;
            data = tail;
        }
        sum + data.first().map_or(7, |&b| b as u32)
    }

    #[omp::declare_target]
    fn records(mut data: &[u8]) -> Option<u32> {
        let mut sum = 0u32;
        while let Some((&tag, rest)) = data.split_first() {
            let (len, rest) = rest.split_first()?;
            let n = *len as usize;
            if rest.len() < n {
                return None;
            }
            let (value, tail) = rest.split_at(n);
            sum += tag as u32 * value.iter().map(|&v| v as u32).sum::<u32>();
            data = tail;
        }
        Some(sum)
    }

    #[omp::declare_target]
    fn trimmed(x: &[u8]) -> (usize, usize) {
        let mut s = x;
        while let Some(b' ') = s.first() {
            s = &s[1..];
        }
        let from = x.len() - s.len();
        while s.last() == Some(&b' ') {
            s = &s[..s.len() - 1];
        }
        assert!(s.len() <= x.len(), "{} of {}", s.len(), x.len());
        (from, from + s.len())
    }

    pub fn parsed(x: &[u8], starts: &[usize]) -> Vec<(u32, u32, u32, usize, usize)> {
        let mut out = vec![(0, 0, 0, 0, 0); starts.len() - 1];
        #[omp::target]
        for (o, w) in out.iter_mut().zip(starts.windows(2)) {
            let record = &x[w[0]..w[1]];
            let (from, to) = trimmed(record);
            *o = (prefixed(record), pairs(record), records(record).unwrap_or(99), from, to);
        }
        out
    }

    /// Two that follow each other, of every third element, with a nested loop and a name that is bound again.
    pub fn walked(x: &[f64], n: usize) -> Vec<f64> {
        let mut out = vec![0.0; n];
        #[omp::target]
        for i in 0..n {
            let mut s = &x[i..];
            let mut last = s;
            let mut sum = 0.0;
            while s.len() > 3 {
                sum += s[0] - s[2..].iter().sum::<f64>();
                last = s;
                s = &s[3..];
                for k in 0..2 {
                    if s.len() > 5 + k {
                        s = &s[k..=s.len() - 2];
                    }
                }
            }
            out[i] = sum + s.len() as f64 + last.len() as f64 * 1000.0;
        }
        out
    }

    /// The element with the key, by halves.
    #[omp::declare_target]
    fn found(sorted: &[u32], key: u32) -> bool {
        let mut part = sorted;
        while part.len() > 1 {
            let mid = part.len() / 2;
            let (low, high) = part.split_at(mid);
            part = if high[0] <= key { high } else { low };
        }
        part.first() == Some(&key)
    }

    pub fn found_all(sorted: &[u32], keys: &[u32]) -> Vec<bool> {
        let mut out = vec![false; keys.len()];
        #[omp::target]
        for (o, &k) in out.iter_mut().zip(keys) {
            *o = found(sorted, k);
        }
        out
    }

    pub fn past(x: &[u8], out: &mut [u32]) {
        #[omp::target]
        for o in out.iter_mut() {
            let mut s = &x[..];
            for k in 0..5 {
                s = &s[2..];
                *o += k;
            }
        }
    }

    pub fn beyond(x: &[u8], out: &mut [u32], at: usize) {
        #[omp::target]
        for o in out.iter_mut() {
            let mut s = &x[..];
            s = &s[..2];
            *o = s[at].into();
        }
    }
}

#[test]
fn parts_of_parts() {
    let x = [1, 2, 3, 4, 2, 1, 7, 5, 9, 1, 32, 32, 32, 7, 32];
    compare!(m, d => { omp::set_default_device(d); m::parsed(&x, &[0, 7, 7, 8, 10, 12, 15]) });
    let x: Vec<f64> = (0..40).map(|i| f64::from(i * i % 17)).collect();
    for n in [0, 1, 2, 33] {
        compare!(m, d => { omp::set_default_device(d); m::walked(&x, n) });
    }
}

#[test]
fn a_cursor_is_one_of_two() {
    for n in [0, 1, 2, 9] {
        let sorted: Vec<u32> = (0..n).map(|i| i * 3).collect();
        compare!(m, d => { omp::set_default_device(d); m::found_all(&sorted, &[0, 1, 3, 12, 24, 25]) });
    }
}

#[test]
fn parts_have_bounds() {
    let x = [1, 2, 3, 4, 5];
    on_every_device(|d| {
        omp::set_default_device(d);
        let text = panic_of(|| device::past(&x, &mut [0; 3])).unwrap();
        assert!(text.contains("range start index 2 out of range for slice of length 1"), "{text}");
        assert!(text.contains("subscript of `s`"), "{text}");
        device::beyond(&x, &mut [0; 3], 1);
        let text = panic_of(|| device::beyond(&x, &mut [0; 3], 2)).unwrap();
        assert!(text.contains("the len is 2 but the index is 2"), "{text}");
    });
}
