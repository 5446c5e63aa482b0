//! `move` closures have copies of what they capture, which may change afterwards, in them or around them.
#![allow(clippy::all, clippy::pedantic, unused, unreachable_patterns, reason = "as programs have them")]
use omp_tests::{compare, twice};

twice! {
    #[derive(Clone, Copy, omp::Device, Debug)]
    pub struct S { pub x: i32, pub u: i32 }
    pub fn range(o: &mut [i32]) { #[omp::target] for i in 0..o.len() {
        let mut u = 2; let k = move || { let mut s = 0; for j in 0..u { s += 1; } s }; u = 100; o[i] = k() + u; } }
    pub fn base(o: &mut [i32]) { #[omp::target] for i in 0..o.len() {
        let mut s = S { x: 1, u: 2 }; let k = move || S { x: 5, ..s }; s.u = 100; o[i] = k().u + s.u * 1000; } }
    pub fn slice(a: &[i32], o: &mut [i32]) { #[omp::target] for i in 0..o.len() {
        let mut u = 2; let k = move || a[..u].len() as i32; u = 3; o[i] = k() + u as i32 * 10; } }
    pub fn state(o: &mut [i32]) { #[omp::target] for i in 0..o.len() {
        let mut u = 0; let mut k = move || { u += 1; let mut s = 0; for j in 0..u { s += 10; } s }; k(); o[i] = k() + u; } }
    #[omp::declare_target]
    fn dev(mut u: i32) -> i32 { let k = move || u; u += 7; k() * 100 + u }
    #[omp::declare_target]
    fn pair((mut u, v): (i32, i32)) -> i32 { let k = move || u; u += 7; k() * 100 + u + v }
    #[omp::declare_target]
    fn local(v: i32) -> i32 { let mut u = v; let k = move || u; u += 7; k() * 100 + u }
    #[omp::declare_target]
    fn counter(mut u: i32) -> i32 { let mut k = move || { u += 1; u }; k(); k() * 100 + u }
    #[omp::declare_target]
    fn exclusive(u: &mut i32) -> i32 { let w = *u; let k = move || w; *u += 7; k() * 100 + *u }
    #[omp::declare_target]
    fn fixed(mut u: [i32; 2]) -> i32 { let k = move |j: usize| u[j]; u[0] += 7; k(0) * 100 + u[0] }
    #[omp::declare_target]
    impl S {
        fn own(mut self) -> i32 { let k = move || self.x; self.x += 7; k() * 100 + self.x }
        fn arg(&self, mut u: i32) -> i32 { let k = move || u; u += 7; k() * 100 + u + self.x }
    }
    pub fn p1(o: &mut [i32]) { #[omp::target] for i in 0..o.len() { o[i] = dev(1); } }
    pub fn p2(o: &mut [i32]) { #[omp::target] for i in 0..o.len() { o[i] = pair((1, 2)); } }
    pub fn p3(o: &mut [i32]) { #[omp::target] for i in 0..o.len() { o[i] = local(1); } }
    pub fn p4(o: &mut [i32]) { #[omp::target] for i in 0..o.len() { o[i] = counter(1); } }
    pub fn p5(o: &mut [i32]) { #[omp::target] for i in 0..o.len() { let mut u = 1; o[i] = exclusive(&mut u) + u; } }
    pub fn p6(o: &mut [i32]) { #[omp::target] for i in 0..o.len() { o[i] = fixed([1, 2]); } }
    pub fn p7(o: &mut [i32]) { #[omp::target] for i in 0..o.len() { let s = S { x: 1, u: 2 }; o[i] = s.own(); } }
    pub fn p8(o: &mut [i32]) { #[omp::target] for i in 0..o.len() { let s = S { x: 1, u: 2 }; o[i] = s.arg(3); } }
    pub fn private(o: &mut [i32]) {
        let mut u = 0;
        #[omp::target(private(u))]
        for i in 0..o.len() { u = 1; let k = move || u; u = 50; o[i] = k() * 100 + u; }
    }
    pub fn last(o: &mut [i32]) -> i32 {
        let mut u = 0;
        #[omp::target(lastprivate(u))]
        for i in 0..o.len() { u = i as i32; let k = move || u; u += 50; o[i] = k() * 100 + u; }
        u
    }
    pub fn reduced(o: &mut [i32]) -> i32 {
        let mut u = 3;
        #[omp::target(reduction(+: u))]
        for i in 0..o.len() { let v = i as i32; u += v; let k = move || v; o[i] = k(); }
        u
    }
}

fn a() -> Vec<i32> {
    vec![3, 1, 1, 5, 5, 5, 2, 8, 7, 0, 4, 4, 1]
}
#[test]
fn range() {
    compare!(m, d => { let mut o = vec![0; 2]; m::range(&mut o); o });
}
#[test]
fn base() {
    compare!(m, d => { let mut o = vec![0; 2]; m::base(&mut o); o });
}
#[test]
fn slice() {
    compare!(m, d => { let mut o = vec![0; 2]; m::slice(&a(), &mut o); o });
}
#[test]
fn state() {
    compare!(m, d => { let mut o = vec![0; 2]; m::state(&mut o); o });
}

#[test]
fn p1() {
    compare!(m, d => { let mut o = vec![0; 2]; m::p1(&mut o); o });
}
#[test]
fn p2() {
    compare!(m, d => { let mut o = vec![0; 2]; m::p2(&mut o); o });
}
#[test]
fn p3() {
    compare!(m, d => { let mut o = vec![0; 2]; m::p3(&mut o); o });
}
#[test]
fn p4() {
    compare!(m, d => { let mut o = vec![0; 2]; m::p4(&mut o); o });
}
#[test]
fn p5() {
    compare!(m, d => { let mut o = vec![0; 2]; m::p5(&mut o); o });
}
#[test]
fn p6() {
    compare!(m, d => { let mut o = vec![0; 2]; m::p6(&mut o); o });
}
#[test]
fn p7() {
    compare!(m, d => { let mut o = vec![0; 2]; m::p7(&mut o); o });
}
#[test]
fn p8() {
    compare!(m, d => { let mut o = vec![0; 2]; m::p8(&mut o); o });
}

#[test]
fn private() {
    compare!(m, d => { let mut o = vec![0; 3]; m::private(&mut o); o });
}
#[test]
fn last() {
    compare!(m, d => { let mut o = vec![0; 3]; let u = m::last(&mut o); (o, u) });
}
#[test]
fn reduced() {
    compare!(m, d => { let mut o = vec![0; 3]; let u = m::reduced(&mut o); (o, u) });
}
