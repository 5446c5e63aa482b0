//! Parts that branches give, tables under a name, and what `match` and combinators make of parts that may not be there.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{Values, compare, twice};

twice! {
    const SINGLE: &[(u64, u64)] = &[(1_100, 1000), (4_472, 1200), (9_537, 2200), (u64::MAX, 3200)];
    const JOINT: &[(u64, u64)] = &[(2_200, 1000), (u64::MAX, 2200)];

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub enum Day { Mon, Tue, Wed }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub enum Predicate { Eq(u8), In([u8; 4]) }

    #[omp::declare_target]
    impl Predicate {
        fn holds(&self, v: Option<u8>) -> bool {
            match (self, v) {
                (_, None) => false,
                (Predicate::Eq(k), Some(v)) => *k == v,
                (Predicate::In(set), Some(v)) => set.contains(&v),
            }
        }
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Pair { a: [u8; 5], b: [u8; 5] }

    #[omp::declare_target]
    impl Pair {
        fn turn(&mut self, first: bool, n: usize) {
            let (one, other) = if first { (&mut self.a, &mut self.b) } else { (&mut self.b, &mut self.a) };
            one.rotate_left(n % 5);
            other[1] += one[0];
        }
    }

    #[omp::declare_target]
    fn trimmed(word: &[u8; 6]) -> &[u8] {
        match word.iter().position(|&b| b % 5 == 0) {
            Some(0) => &word[..=0],
            Some(n) => &word[..n],
            None => word,
        }
    }
    #[omp::declare_target]
    fn behind(x: &[u8], at: usize) -> &[u8] {
        if at < x.len() { let from = at / 2; &x[from..] } else { &x[..0] }
    }
    #[omp::declare_target]
    fn sum(x: &[u8]) -> u32 { x.iter().map(|&b| b as u32).sum() }
    #[omp::declare_target]
    fn pair(x: &[u8]) -> Option<u32> { let &[a, b] = x else { return None }; Some(a as u32 * 3 + b as u32) }

    #[omp::declare_target]
    fn tax(joint: bool, income: u64) -> u64 {
        let table = match joint { true => JOINT, false => SINGLE };
        let (mut below, mut tax) = (0, 0);
        for &(upper, rate) in table {
            if income <= below { break; }
            tax += (income.min(upper) - below) * rate;
            below = upper;
        }
        tax + table.len() as u64
    }
    #[omp::declare_target]
    fn first_rate(k: usize) -> u64 {
        let table = SINGLE;
        table[k % table.len()].1 + table.iter().map(|t| t.1).sum::<u64>()
    }
    #[omp::declare_target]
    fn signed(field: &[u8]) -> u32 {
        match field.split_first() {
            Some((1, rest)) | Some((2, rest)) => 1000 + sum(rest),
            Some((3..=40, _)) => 2000,
            Some((k, [])) => 3000 + *k as u32,
            Some((k, rest)) if rest.len() > 3 => 4000 + *k as u32,
            None => 5000,
            _ => sum(field),
        }
    }
    #[omp::declare_target]
    fn ended(field: &[u8]) -> u32 {
        if let Some((&7, rest)) = field.split_last() { sum(rest) } else { 1 }
    }
    #[omp::declare_target]
    fn digit(x: &[u8]) -> Option<i64> {
        Some(match x {
            [] => 1,
            [a] => (*a as char).to_digit(36)? as i64 * 10,
            [a, .., b] => { let c = *a as i64; c - *b as i64 }
        })
    }
    #[omp::declare_target]
    fn day(n: usize) -> Day {
        use Day::*;
        const DAYS: [Day; 4] = [Tue, Wed, Mon, Tue];
        DAYS[n % DAYS.len()]
    }

    pub fn run(n: usize) -> (Vec<[u32; 14]>, Vec<(u64, u64, Option<i64>, u8, [[u8; 5]; 2])>) {
        let mut v = Values(5);
        let x: Vec<u8> = (0..n).map(|_| v.bits() as u8 % 60).collect();
        let words: Vec<[u8; 6]> = (0..n).map(|_| std::array::from_fn(|_| v.bits() as u8)).collect();
        let mut y = vec![[0; 14]; n];
        #[omp::target]
        for i in 0..n {
            let part = match x[i..].iter().position(|b| *b > 50) {
                Some(at) => {
                    let half = at / 2;
                    &x[i + half..i + at]
                }
                None => &x[..0],
            };
            let behind = behind(&x, 2 * i);
            let set = Predicate::In([1, 7, x[0], 50]);
            y[i] = [
                sum(trimmed(&words[i])),
                trimmed(&words[i]).len() as u32,
                sum(behind),
                sum(part),
                signed(&x[i..(i + i % 7).min(n)]),
                ended(&x[i / 2..i]),
                x.get(i..i + 3).map_or(9, |p| sum(p) & p[2] as u32),
                x.get(i..i + 2).and_then(pair).unwrap_or(3),
                x.get(..i).map(|p| p.len() as u32).unwrap_or_default(),
                u32::from(x.get(i..2 * i).is_some()) + 2 * u32::from(x.get(i..=2 * i).is_none()),
                x.get(3 * i..).map_or_else(|| 8, sum),
                u32::from(set.holds(x.get(i + 1).copied())) + 2 * u32::from(Predicate::Eq(3).holds(Some(x[i] / 7))),
                x.get(i..i + 1).is_some_and(|p| p[0] > 20) as u32,
                x.get(2..i).filter(|p| p.len() > 3).map_or(4, sum),
            ];
        }
        let mut z = vec![(0, 0, None, 0, [[0; 5]; 2]); n];
        #[omp::target]
        for (i, z) in z.iter_mut().enumerate() {
            let mut p = Pair { a: std::array::from_fn(|k| (k + i) as u8 % 9), b: [3; 5] };
            p.turn(i % 2 == 0, i);
            *z = (tax(i % 3 == 0, 500 * i as u64), first_rate(i), digit(&x[i..(i + i % 4).min(n)]), day(i) as u8, [p.a, p.b]);
        }
        (y, z)
    }
}

#[test]
fn parts() {
    for n in [0, 1, 2, 61] {
        compare!(m, d => { omp::set_default_device(d); m::run(n) });
    }
}
