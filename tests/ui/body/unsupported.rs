//! What a device cannot do, each with its own words.
#![allow(unused)]
#[omp::offload]
fn prints(y: &mut [i32]) {
    #[omp::target]
    for i in 0..y.len() {
        println!("{i}");
        y[i] = 1;
    }
}

#[omp::offload]
fn allocates(y: &mut [usize]) {
    #[omp::target]
    for i in 0..y.len() {
        let found = vec![i; 3];
        let text = String::new();
        y[i] = Box::new(i).pow(2);
    }
}

#[omp::offload]
fn closes(y: &mut [i32]) {
    #[omp::target]
    for i in 0..y.len() {
        let double = |v: i32| 2 * v;
        let pair = (double, 1);
        y[i] = 1;
    }
}

#[omp::offload]
fn trusts(y: &mut [i32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = unsafe { std::mem::zeroed() };
    }
}

#[omp::offload]
fn spells(y: &mut [usize]) {
    #[omp::target]
    for i in 0..y.len() {
        let text = "abc";
        y[i] = 1;
    }
}

#[omp::offload]
fn borrows(x: &[i32], y: &mut [i32]) {
    #[omp::target]
    for i in 0..y.len() {
        let whole = x;
        y[i] = 1;
    }
}

fn main() {}
