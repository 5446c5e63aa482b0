//! `use` in bodies, lengths of arrays that call methods, and names for the parts of a tuple struct behind a reference. All devices, against the same
//! functions without directives.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compare, twice};

twice! {
    pub const PRIMES: [u32; 5] = [2, 3, 5, 7, 11];
    static NAMES: [u8; 3] = *b"abc";

    #[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
    pub enum Op { Add, Sub, Skip }
    #[repr(u8)]
    #[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
    pub enum Shape { Dot, Disc { r: u32 }, Box_(u32, u32) }

    #[omp::declare_target]
    fn apply(op: Op, a: u32, b: u32) -> u32 {
        use Op::*;
        match op { Add => a.wrapping_add(b), Sub => a.wrapping_sub(b), Skip => a }
    }

    #[omp::declare_target]
    fn size(s: Shape) -> u32 {
        use Shape::{Box_ as B, *};
        use std::cmp::{max, Ordering};
        let v = match s { Dot => 1, Disc { r } => 3 * r * r, B(a, b) => a * b };
        if v.cmp(&10) == Ordering::Greater { max(v, 20) } else { v }
    }

    pub fn imported(d: usize, x: &[u32], ops: &[Op], y: &mut [u32]) {
        #[omp::target(device(d))]
        for i in 0..y.len() {
            use std::cmp::Ordering;
            use Ordering::*;
            use std::cmp::Reverse as Back;
            let o = match x[i].cmp(&7) { Less => 1, Equal => 2, Greater => 3 };
            let p = if x[i].partial_cmp(&3) == Some(Less) { 10 } else { 20 };
            use Op::*;
            let q = match ops[i] { Add => 5, Sub | Skip => 6 };
            let part = {
                use Shape::*;
                size(if i % 3 == 0 { Dot } else if i % 3 == 1 { Disc { r: i as u32 } } else { Box_(2, x[i]) })
            };
            let op = if ops[i] == Skip { Add } else { ops[i] };
            // (A const of the block is in front of what is imported around it.)
            let kept = {
                #[allow(non_upper_case_globals, unused_qualifications)]
                const Add: Op = Op::Skip;
                if ops[i] == Add { 1000 } else { 0 }
            };
            y[i] = kept + o + p + q + part + apply(op, 100, x[i]) + u32::from(Back(x[i]) < Back(5));
            for k in 0..2 {
                use std::f32::consts::PI as TURN;
                y[i] += (TURN * k as f32) as u32;
            }
        }
    }

    #[omp::declare_target]
    fn digits(v: u32) -> u32 {
        const LOCAL: [u32; 2] = [1, 2];
        let mut d = [0u32; PRIMES.len() + LOCAL.len()];
        let e: [u32; NAMES.len()] = [v; NAMES.len()];
        for (k, p) in PRIMES.iter().enumerate() { d[k] = v % p; }
        d.iter().sum::<u32>() + e[1] + d.len() as u32
    }

    pub fn lengths(d: usize, y: &mut [u32]) {
        #[omp::target(device(d))]
        for i in 0..y.len() {
            const N: usize = PRIMES.len();
            let mut a = [0u32; N];
            for k in 0..N {
                let mut t = [[1u32; PRIMES.len()]; 2];
                t[1][k] = i as u32;
                a[k] = t[1].iter().sum();
            }
            if i > 3 {
                let b: [u32; NAMES.len() - 1] = [3, 4];
                a[0] += b[1];
            }
            y[i] = digits(i as u32) + a.iter().sum::<u32>();
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct State(pub u32, pub [u32; 2]);
    #[omp::declare_target]
    impl State {
        fn step(&mut self) -> u32 {
            let State(a, b) = self;
            *a += 1;
            b[0] += *a;
            b[1] ^= 3;
            *a
        }
        fn twice(&mut self) -> u32 {
            let (Self(_, b), mut n) = (self, 2);
            while n > 0 {
                b[1] += n;
                n -= 1;
            }
            b[1]
        }
        fn see(&self) -> u32 {
            let Self(a, b) = self;
            *a + b[1]
        }
    }

    pub fn parts(d: usize, x: &mut [State], y: &mut [u32]) {
        #[omp::target(device(d))]
        for i in 0..x.len() {
            let mut s = x[i];
            y[i] = s.step() + s.twice() * s.see();
            x[i] = s;
        }
    }
}

#[test]
fn in_bodies() {
    compare!(m, d => {
        let x: Vec<u32> = (0..12).collect();
        let ops: Vec<m::Op> = (0..12).map(|i| [m::Op::Add, m::Op::Sub, m::Op::Skip][i % 3]).collect();
        let mut y = vec![0; 12];
        m::imported(d, &x, &ops, &mut y);
        let mut z = vec![0; 9];
        m::lengths(d, &mut z);
        let mut states: Vec<m::State> = (0..7).map(|i| m::State(i, [i * 3, i + 1])).collect();
        let mut w = vec![0; 7];
        m::parts(d, &mut states, &mut w);
        (y, z, states.iter().map(|s| (s.0, s.1)).collect::<Vec<_>>(), w)
    });
}
