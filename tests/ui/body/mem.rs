//! What functions of `std::mem` can't do on a device.
mod own {
    pub mod mem {
        pub fn replace(a: &mut i32, b: i32) -> i32 {
            *a + b
        }
    }
}
#[omp::offload]
fn whole(x: &mut [i32], y: &mut Vec<i32>) {
    #[omp::target]
    for i in 0..x.len() {
        let mut part: &mut [i32] = &mut x[i..i + 1];
        let it = std::mem::take(&mut part);
        it[0] = 1;
        x[i] = std::mem::take(y).len() as i32;
    }
}
#[omp::offload]
fn another(x: &mut [i32]) {
    use own::mem;
    #[omp::target]
    for i in 0..x.len() {
        x[i] = mem::replace(&mut x[i], 3);
    }
}
#[omp::offload]
fn shared(mut t: i32, x: &mut [i32]) {
    #[omp::target]
    for i in 0..x.len() {
        x[i] = std::mem::replace(&mut t, i as i32);
    }
}
fn main() {}
