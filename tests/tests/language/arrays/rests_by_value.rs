//! Rests of arrays by value, `let [a, rest @ ..] = x[i];`, as arrays: stored, returned, in other values, copied and changed. Arrays from outside
//! of the loop as operands of `max` and `min`.
#![allow(irrefutable_let_patterns, reason = "an array has one length")]
use omp_tests::{compare, twice};

twice! {
    #[omp::declare_target]
    fn tail(a: [u32; 4]) -> [u32; 3] { let [_, rest @ ..] = a; rest }
    #[omp::declare_target]
    fn either(a: [u32; 4]) -> [u32; 3] {
        let [first, rest @ ..] = a;
        if first > 2 { return rest; }
        let [rest @ .., _] = a;
        rest
    }
    #[omp::declare_target]
    fn changed(a: [u32; 4]) -> u32 {
        let [first, mut rest @ ..] = a;
        rest[0] += 4;
        rest.sort();
        rest.iter().fold(first, |s, v| s * 2 + v) + a[1]
    }
    #[omp::declare_target]
    fn changed_later(mut a: [u32; 4]) -> u32 {
        let [_, rest @ ..] = a;
        let own = rest;
        a[1] += 100;
        a[2] += rest[1];
        rest[0] + own[1] * 3 + a[1] + a[2]
    }
    #[omp::declare_target]
    fn nested(a: [[u32; 3]; 3]) -> u32 { let [[a, ..], rest @ ..] = a; a + rest[1][2] + rest[0][0] }
    #[omp::declare_target]
    fn in_tuple(t: ([u32; 3], u32)) -> u32 { let ([a, rest @ ..], b) = t; a + rest[1] * b }

    #[omp::offload]
    pub fn run(x: &[[u32; 4]], k: &[u32; 4], low: [u32; 3]) -> (Vec<[u32; 3]>, Vec<([u32; 3], u32)>, Vec<[u32; 6]>) {
        let n = x.len();
        let (mut out, mut pairs, mut more) = (vec![[0; 3]; n], vec![([0; 3], 0); n], vec![[0; 6]; n]);
        #[omp::target]
        for i in 0..n {
            let [a, rest @ ..] = x[i];
            let [_, of_k @ ..] = *k;
            out[i] = if i % 2 == 0 { rest.max(of_k).max(low) } else { low.min(tail(x[i])) };
            pairs[i] = (rest, a);
            pairs[i].0[1] += tail(x[i])[2] + either(x[i])[1];
            let t = (rest, 3);
            pairs[i].1 += t.0[0] + t.1;
            let mut own = rest;
            own[1] += 7;
            let both = [rest, own];
            let kept = if a > 3 { Some(rest) } else { None };
            let last = if let [first, .., last] = x[i] { first + last } else { 0 };
            more[i] = [own[1], both[i % 2][1], kept.map_or(1, |r| r[2]), changed(x[i]) + last, changed_later(x[i]), nested(both_and(rest)) + in_tuple((own, a))];
        }
        (out, pairs, more)
    }
    #[omp::declare_target]
    fn both_and(a: [u32; 3]) -> [[u32; 3]; 3] { [a, a, [1, 2, 3]] }
}

#[test]
fn as_without_directives() {
    for n in [0u32, 1, 300] {
        let x: Vec<[u32; 4]> = (0..n).map(|i| [i % 7, i, 7 - i % 6, 3]).collect();
        compare!(m, d => {
            omp::set_default_device(d);
            m::run(&x, &[4, 3, 2, 5], [1, 9, 2])
        });
    }
}
