//! Sums and products of type parameters that have `Sum` and `Product` alone.
use omp_tests::{compare, twice};
use std::iter::{Product, Sum};

twice! {
    #[omp::declare_target]
    fn total<T: Sum + Copy + omp::Device>(x: &[T]) -> T { x.iter().copied().sum() }
    #[omp::declare_target]
    fn by_reference<T: for<'a> Sum<&'a T> + Copy + omp::Device>(x: &[T]) -> T { x.iter().sum() }
    #[omp::offload]
    pub fn sums<T: Sum + Product + Copy + omp::Device>(x: &[[T; 3]], z: T) -> Vec<T> {
        let mut out = vec![z; x.len()];
        #[omp::target]
        for i in 0..x.len() {
            let p: T = x[i].iter().copied().product();
            out[i] = [p, total(&x[i]), x[i][0]].into_iter().sum();
        }
        out
    }
    #[omp::offload]
    pub fn references<T>(x: &[[T; 3]], z: T) -> Vec<T> where T: for<'a> Sum<&'a T> + Copy + omp::Device {
        let mut out = vec![z; x.len()];
        #[omp::target]
        for i in 0..x.len() {
            let (a, b): (T, T) = (x[i].iter().sum(), by_reference(&x[i]));
            out[i] = [a, b].iter().sum();
        }
        out
    }
}

#[test]
fn as_without_directives() {
    for n in [0u8, 1, 60] {
        let x: Vec<[u32; 3]> = (0..n).map(|i| [i.into(), 3, 1 + u32::from(i) % 5]).collect();
        let f: Vec<[f64; 3]> = x.iter().map(|v| v.map(f64::from)).collect();
        compare!(m, d => {
            omp::set_default_device(d);
            (m::sums(&x, 0), m::sums(&f, 0.0), m::references(&x, 0), m::references(&f, 0.0))
        });
    }
}
