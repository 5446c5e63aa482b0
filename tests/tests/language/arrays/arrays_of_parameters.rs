//! Type parameters that only select behaviour and whose functions give arrays, and type parameters whose values are accessed atomically.
#![allow(clippy::all, clippy::pedantic, unused, reason = "as programs have them")]
use omp_tests::{compared, on_every_device, twice};

#[omp::declare_target]
pub trait Element<const N: usize, const Q: usize> {
    const RULE: [(u64, u64); Q];
    fn gradients(at: u64) -> [[u64; 2]; N];
}

pub struct Line;
#[omp::declare_target]
impl Element<2, 1> for Line {
    const RULE: [(u64, u64); 1] = [(3, 2)];
    fn gradients(at: u64) -> [[u64; 2]; 2] {
        [[at, 1], [2, at]]
    }
}

pub struct Triangle;
#[omp::declare_target]
impl Element<3, 2> for Triangle {
    const RULE: [(u64, u64); 2] = [(1, 4), (5, 6)];
    fn gradients(at: u64) -> [[u64; 2]; 3] {
        [at, at + 1, at * 2].map(|a| [a, a ^ 5])
    }
}

#[omp::declare_target]
pub fn stiffness<E: Element<N, Q>, const N: usize, const Q: usize>(of: u64) -> Option<[[u64; N]; N]> {
    let mut k = [[0; N]; N];
    for (at, weight) in E::RULE {
        let reference = E::gradients(at + of % 7);
        if of % 11 == 0 {
            return None;
        }
        let grad = reference.map(|[a, b]| [a * weight, b + weight]);
        for (row, ga) in k.iter_mut().zip(&grad) {
            for (entry, gb) in row.iter_mut().zip(reference) {
                *entry += ga[0] * gb[0] + ga[1] * gb[1];
            }
        }
    }
    Some(k)
}

#[omp::declare_target]
pub trait Scalar:
    Copy
    + std::ops::AddAssign
    + std::ops::Add<Output = Self>
    + std::ops::Mul<Output = Self>
    + omp::Device
    + omp::AtomicAccess
{
    fn from_int(k: u32) -> Self;
}
#[omp::declare_target]
impl Scalar for i64 {
    fn from_int(k: u32) -> Self {
        k as i64
    }
}
#[omp::declare_target]
impl Scalar for f64 {
    fn from_int(k: u32) -> Self {
        k as f64
    }
}

twice! {
    use super::{stiffness, Element, Line, Scalar, Triangle};

    #[omp::offload]
    fn assemble<E: Element<N, Q>, const N: usize, const Q: usize>(x: &[u32], out: &mut [u64]) {
        #[omp::target]
        for (v, o) in x.iter().zip(out.iter_mut()) {
            match stiffness::<E, N, Q>(*v as u64) {
                Some(k) => *o = *o * 31 + k.iter().flatten().sum::<u64>(),
                None => *o += 1,
            }
        }
    }
    pub fn arrays_of_elements(x: &[u32], out: &mut [u64]) {
        assemble::<Line, 2, 1>(x, out);
        assemble::<Triangle, 3, 2>(x, out);
    }

    #[omp::offload]
    fn scattered<T: Scalar>(x: &[u32], v: &[T], y: &mut [T]) {
        #[omp::target]
        for (k, v) in x.iter().zip(v) {
            #[omp::atomic]
            y[*k as usize % 5] += *v * T::from_int(k % 3);
        }
    }
    pub fn sums_of_scalars(x: &[u32], out: &mut [u64]) {
        let (v, w): (Vec<i64>, Vec<f64>) = x.iter().map(|k| (*k as i64 - 7, (*k % 64) as f64)).unzip();
        let (mut y, mut z) = (vec![0; 5], vec![0.0; 5]);
        scattered(x, &v, &mut y);
        scattered(x, &w, &mut z);
        for (o, (y, z)) in out.iter_mut().zip(y.iter().zip(&z)) { *o = *y as u64 ^ (*z as u64) << 32; }
    }
}

compared! {
    |d, call| {
        omp::set_default_device(d);
        let x: Vec<u32> = (0..129u32).map(|i| i.wrapping_mul(2654435761) >> (i % 9)).collect();
        let mut out = vec![0; x.len()];
        call(&x, &mut out);
        out
    };
    arrays_of_elements sums_of_scalars
}
