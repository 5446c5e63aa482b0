//! Parts of an element that a pattern binds by reference, where the element's index changes meanwhile.
#![allow(clippy::all, clippy::pedantic, unused, unreachable_patterns, reason = "as programs have them")]
use omp_tests::{compare, twice};

twice! {
    #[derive(Clone, Copy, omp::Device, Debug, PartialEq)]
    #[repr(u8)]
    pub enum E { A(i32), C }
    #[derive(Clone, Copy, omp::Device, Debug, PartialEq)]
    pub struct P { pub x: i32, pub z: Option<i32> }
    #[omp::declare_target] fn step(g: &mut [Option<i32>; 2]) { let mut k = 0; while k < 2 { if let Some(v) = &mut g[k] { k += 1; *v += 10; if k == 2 { break; } } else { k += 1; } } }
    pub fn option(o: &mut [i32]) { #[omp::target] for i in 0..o.len() { let mut g = [Some(1), Some(2)]; let mut k = i % 2; if let Some(v) = &mut g[k] { k = 1 - k; *v += 50; } o[i] = g[0].unwrap() * 100 + g[1].unwrap(); } }
    pub fn as_mut(o: &mut [i32]) { #[omp::target] for i in 0..o.len() { let mut p = [P { x: 1, z: Some(4) }; 2]; let mut k = i % 2; if let Some(z) = p[k].z.as_mut() { k = 1 - k; *z += 5; } o[i] = p[0].z.unwrap() * 100 + p[1].z.unwrap(); } }
    pub fn enums(o: &mut [i32]) { #[omp::target] for i in 0..o.len() { let mut e = [E::A(1), E::A(2)]; let mut k = i % 2; match &mut e[k] { E::A(v) => { k = 1 - k; *v += 5; } _ => {} } let mut s = 0; for x in e { if let E::A(v) = x { s = s * 10 + v; } } o[i] = s; } }
    pub fn effect(o: &mut [i32]) { #[omp::target] for i in 0..o.len() { let mut g = [Some(1), Some(2), Some(3)]; let mut k = 0; if let Some(v) = &mut g[{ k += 1; k % 3 }] { *v += 50; *v += 1; } o[i] = g[0].unwrap() * 10000 + g[1].unwrap() * 100 + g[2].unwrap() + k as i32 * 1000000; } }
    pub fn mapped(g: &mut [[Option<i32>; 2]]) { #[omp::target] for i in 0..g.len() { let mut k = 0; if let Some(v) = &mut g[i][k] { k = 1; *v += 50; } if k == 1 { g[i][0] = g[i][0].map(|v| v * 2); } } }
    pub fn field(p: &mut [P]) { #[omp::target] for i in 0..p.len() / 2 { let mut k = 2 * i; if let Some(v) = &mut p[k].z { k += 1; *v += 50; } p[k].x = 9; } }
    pub fn function(o: &mut [i32]) { #[omp::target] for i in 0..o.len() { let mut g = [Some(1), Some(i as i32)]; step(&mut g); o[i] = g[0].unwrap() * 100 + g[1].unwrap(); } }
}

#[test]
fn option() {
    compare!(m, d => { let mut o = vec![0; 4]; m::option(&mut o); o });
}
#[test]
fn as_mut() {
    compare!(m, d => { let mut o = vec![0; 4]; m::as_mut(&mut o); o });
}
#[test]
fn enums() {
    compare!(m, d => { let mut o = vec![0; 4]; m::enums(&mut o); o });
}
#[test]
fn effect() {
    compare!(m, d => { let mut o = vec![0; 4]; m::effect(&mut o); o });
}
#[test]
fn mapped() {
    compare!(m, d => { let mut o = vec![[Some(1), Some(2)]; 3]; m::mapped(&mut o); o });
}
#[test]
fn field() {
    compare!(m, d => { let mut o = vec![m::P { x: 1, z: Some(4) }; 6]; m::field(&mut o); format!("{o:?}") });
}
#[test]
fn function() {
    compare!(m, d => { let mut o = vec![0; 4]; m::function(&mut o); o });
}
