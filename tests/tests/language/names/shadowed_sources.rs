//! Items of loops as arguments of methods of slices, where the name of what they are items of means something else.
#![allow(clippy::all, clippy::pedantic, unused, reason = "as programs have them")]
use omp_tests::{compared, twice};

twice! {
    pub fn later_names(x: &[u64], set: &[u64], sorted: &[u64], out: &mut [u64]) {
        #[omp::target]
        for (v, out) in x.iter().zip(out.iter_mut()) {
            let x = [7u64, 3, 3, 3];
            let mut found = set.contains(v) as u64 + x[0];
            found += set[1..].contains(v) as u64 * 10;
            found += sorted.binary_search(v).map_or(100, |at| at as u64) * 1000;
            found += sorted.binary_search_by_key(v, |k| *k).is_ok() as u64 * 1_000_000;
            found += *set.get(77).unwrap_or(v) * 10_000_000;
            *out = found + *set.get(1).unwrap_or(v);
        }
    }

    pub fn one_name(x: &[u64], set: &[u64], sorted: &[u64], out: &mut [u64]) {
        #[omp::target]
        for (x, out) in x.iter().zip(out.iter_mut()) {
            *out = set.contains(x) as u64 + sorted.binary_search(x).is_ok() as u64 * 10 + *set.get(99).unwrap_or(x) * 100;
        }
    }

    pub fn inner_loops(x: &[u64], set: &[u64], sorted: &[u64], out: &mut [u64]) {
        #[omp::target]
        for (i, o) in out.iter_mut().enumerate() {
            let mut n = 0;
            for x in x.iter().take(3) {
                n += set.contains(x) as u64;
            }
            for x in x.iter().copied().skip(1).take(4) {
                n += set.contains((&x)) as u64 * 50;
            }
            let t = [x[i % x.len()], 4, 9];
            for (k, v) in t.iter().enumerate() {
                let t = [9u64; 3];
                n += (set.contains(v) as u64 * t[k]) << (4 * k);
            }
            n += x.iter().any(|x| sorted.contains(x)) as u64 * 100_000;
            n += x.iter().filter(|v| { let x = 5u64; sorted.binary_search(v).is_ok() && x == 5 }).count() as u64 * 1_000_000;
            *o = n;
        }
    }
}

compared! {
    |d, call| {
        omp::set_default_device(d);
        let mut out = vec![0; 23];
        let x: Vec<u64> = (0..23).map(|i| i * 7 % 11).collect();
        call(&x, &[1, 7, 4, 9], &[0, 2, 3, 5, 8], &mut out);
        out
    };
    later_names
    one_name
    inner_loops
}
