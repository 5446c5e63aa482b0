//! Slices that patterns take apart until nothing is left, in functions and in those that take closures; names of a whole slice under a
//! guard; an iterator that begins again under a name of its own.
use omp_tests::{compare, twice};

twice! {
    use std::cmp::Ordering;
    #[omp::declare_target]
    fn row<'a>(start: &[u32], adj: &'a [u32], v: u32) -> &'a [u32] {
        let v = v as usize;
        &adj[start[v] as usize..start[v + 1] as usize]
    }
    #[omp::declare_target]
    fn shared(mut a: &[u32], mut b: &[u32]) -> u64 {
        let mut n = 0;
        while let ([x, rest_a @ ..], [y, rest_b @ ..]) = (a, b) {
            match x.cmp(y) {
                Ordering::Less => a = rest_a,
                Ordering::Greater => b = rest_b,
                Ordering::Equal => {
                    n += 1;
                    (a, b) = (rest_a, rest_b);
                }
            }
        }
        n
    }
    #[omp::declare_target]
    fn each(mut a: &[u32], mut found: impl FnMut(u32)) {
        while let [x, rest @ ..] = a {
            found(*x);
            a = rest;
        }
    }
    #[omp::declare_target]
    fn both(mut a: &[u32], mut b: &[u32], mut found: impl FnMut(u32)) {
        while !a.is_empty() && !b.is_empty() {
            if a[0] == b[0] {
                found(a[0]);
            }
            if a[0] <= b[0] { a = &a[1..]; } else { b = &b[1..]; }
        }
    }
    pub fn count(start: &[u32], adj: &[u32]) -> u64 {
        let n = start.len() as u32 - 1;
        let mut total = 0u64;
        #[omp::target(schedule(dynamic), reduction(+: total))]
        for u in 0..n {
            for v in 0..n {
                total += shared(row(start, adj, u), row(start, adj, v));
            }
        }
        total
    }
    pub fn sums(start: &[u32], adj: &[u32]) -> u64 {
        let n = start.len() as u32 - 1;
        let mut total = 0u64;
        #[omp::target(schedule(dynamic), reduction(+: total))]
        for u in 0..n {
            each(row(start, adj, u), |v| total += u64::from(v));
        }
        total
    }
    pub fn pairs(start: &[u32], adj: &[u32]) -> u64 {
        let n = start.len() as u32 - 1;
        let mut total = 0u64;
        #[omp::target(schedule(dynamic), reduction(+: total))]
        for u in 0..n {
            let mine = row(start, adj, u);
            for &v in mine {
                both(mine, row(start, adj, v % n), |v| total += u64::from(v));
            }
        }
        total
    }
    /// What is left between equal ends.
    #[omp::declare_target]
    fn between(mut x: &[u32]) -> usize {
        loop {
            match x {
                [a, inner @ .., z] if a == z => x = inner,
                [_, inner @ .., _] => return inner.len(),
                _ => return 100 + x.len(),
            }
        }
    }
    pub fn ends(start: &[u32], adj: &[u32]) -> usize {
        let n = start.len() as u32 - 1;
        let mut total = 0;
        #[omp::target(reduction(+: total))]
        for u in 0..n {
            let [_, others @ ..] = row(start, adj, u) else { continue };
            let mut rest = others;
            while let [first, tail @ ..] = rest {
                total += *first as usize;
                rest = tail;
            }
            total += between(row(start, adj, u));
        }
        total
    }
    #[omp::declare_target]
    fn perimeter(corners: &[(f64, f64)]) -> f64 {
        let next = corners.iter().cycle().skip(1);
        corners.iter().zip(next).map(|(a, b)| (a.0 - b.0).hypot(a.1 - b.1)).sum()
    }
    #[omp::declare_target]
    fn median(sample: &[f64]) -> f64 {
        let mid = sample.len() / 2;
        match sample {
            [] => f64::NAN,
            s if s.len() % 2 == 1 => s[mid],
            s => 0.5 * (s[mid - 1] + s[mid]),
        }
    }
    pub fn medians(x: &[f64], out: &mut [f64]) {
        #[omp::target]
        for (i, o) in out.iter_mut().enumerate() {
            *o = median(&x[..i]) + median(&x[i..]);
        }
    }
    pub fn perimeters(p: &[[(f64, f64); 5]], out: &mut [f64]) {
        #[omp::target]
        for (p, o) in p.iter().zip(out) {
            *o = perimeter(p);
        }
    }
}

/// Names of the slice in closures of a guard, in a pattern of its own, and words of an inlined function that its caller's arguments have.
mod own_names {
    use omp_tests::{compare, twice};

    const N: usize = 10;

    twice! {
        #[omp::declare_target]
        fn first_of(x: &[[u32; 3]], mut a: &[u32]) -> usize {
            let mut n = 0;
            while let [_, t @ ..] = a {
                a = t;
                n += 1;
            }
            if let [x, rest @ ..] = x {
                return 100 * n + 10 * rest.len() + x.len();
            }
            n
        }
        #[omp::declare_target]
        fn complement<const K: u8>(f: impl Fn(usize) -> usize) -> usize {
            f((!K) as usize) + K.count_zeros() as usize
        }
        #[omp::declare_target]
        fn magnitude<const K: i32>(f: impl Fn(i32) -> i32) -> i32 {
            f(K.abs()) + K
        }
        #[omp::declare_target]
        fn sums<const K: usize>(f: impl Fn(usize) -> usize) -> usize {
            (0..K).map(f).sum()
        }
        pub fn all<const M: usize>(rows: &[[u32; 3]], out: &mut [usize]) {
            #[omp::target]
            for i in 0..out.len() {
                let numbers = complement::<3>(|k| k) + magnitude::<-3>(|k| 2 * k) as usize + sums::<M>(|k| k + i);
                out[i] = 10_000 * first_of(&rows[i..], &rows[i]) + numbers + super::N;
            }
        }
    }

    #[test]
    fn own_names() {
        let rows: Vec<[u32; 3]> = (0..9).map(|i| [i, i + 1, i * i]).collect();
        compare!(m, d => {
            omp::set_default_device(d);
            let mut out = vec![0; rows.len()];
            m::all::<4>(&rows, &mut out);
            out
        });
    }
}

#[test]
fn slices_taken_apart() {
    let start: Vec<u32> = (0..=20).map(|i| i * 3).collect();
    let adj: Vec<u32> = (0..60).map(|i| i / 3 + i % 3).collect();
    compare!(m, d => {
        omp::set_default_device(d);
        [0, 1, 20].map(|n| {
            let start = &start[..=n];
            (m::count(start, &adj), m::sums(start, &adj), m::pairs(start, &adj), m::ends(start, &adj))
        })
    });
}

#[test]
fn names_under_guards() {
    let x: Vec<f64> = (0..9).map(f64::from).collect();
    let corners = [[(0.0, 0.0), (1.0, 0.0), (2.0, 1.0), (1.0, 3.0), (0.0, 1.0)]; 3];
    compare!(m, d => {
        omp::set_default_device(d);
        let (mut medians, mut perimeters) = (vec![0.0; 9], vec![0.0; 3]);
        m::medians(&x, &mut medians);
        m::perimeters(&corners, &mut perimeters);
        let rounded: Vec<f64> = perimeters.iter().map(|p| (p * 1e9_f64).round()).collect();
        (medians.iter().map(|v| v.is_nan() || *v == 4.0).collect::<Vec<_>>(), medians[3].to_bits(), rounded)
    });
}
