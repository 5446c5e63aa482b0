//! Counted stores after variables and arrays of the branch that stores: `let mut s = …; for … { s += … }; kept[n] = s; n += 1;`.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{Values, compare, twice};

twice! {
    pub fn sums(x: &[i64], kept: &mut [i64], at: &mut [i32]) -> usize {
        let mut n = 0;
        #[omp::target]
        for i in 0..x.len() {
            if x[i] % 3 == 0 {
                continue;
            }
            let mut sum = [0i64; 3];
            let mut steps = 0;
            for k in 0..6 {
                if k == 4 {
                    continue;
                }
                sum[k % 3] += x[i] * k as i64;
                steps += 1;
            }
            at[i] = n as i32;
            kept[n] = sum[0] * 100 + sum[1] * 10 + sum[2] + steps;
            n += 1;
        }
        n
    }

    /// A local array that a closure makes stands before the count.
    pub fn made(x: &[i64], kept: &mut [i64]) -> usize {
        let mut n = 0;
        #[omp::target]
        for i in 0..x.len() {
            if x[i] < 40 {
                continue;
            }
            let [a, b]: [i64; 2] = std::array::from_fn(|k| x[i] + k as i64);
            kept[n] = a * b;
            n += 1;
        }
        n
    }

    /// A variable of the branch changes in a loop.
    pub fn places(x: &[i64], kept: &mut [i64]) -> usize {
        let mut n = 0;
        #[omp::target]
        for i in 0..x.len() {
            if x[i] > 20 {
                let mut v = x[i];
                while v > 9 {
                    v /= 2;
                }
                kept[n] = v;
                n += 1;
            }
        }
        n
    }
}

#[test]
fn after_variables_of_the_branch() {
    let mut v = Values(11);
    let x: Vec<i64> = (0..700).map(|_| i64::from(v.bits() % 90)).collect();
    compare!(m, d => {
        omp::set_default_device(d);
        let (mut kept, mut at, mut others) = (vec![-1; 700], vec![-1; 700], vec![-1; 700]);
        let n = m::sums(&x, &mut kept, &mut at);
        let mut third = others.clone();
        let (k, p) = (m::made(&x, &mut others), m::places(&x, &mut third));
        (n, k, p, kept, at, others, third)
    });
}
