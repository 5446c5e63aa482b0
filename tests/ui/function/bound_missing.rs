//! A type parameter without `omp::Device`, where a trait decides on the signature: the error says which bound to add.
use std::ops::Add;

trait Doubles<T> {
    fn twice(&self, y: &mut [T]);
}

struct Own;

impl<T: Add<Output = T> + Copy> Doubles<T> for Own {
    #[omp::offload]
    fn twice(&self, y: &mut [T]) {
        #[omp::target]
        for i in 0..y.len() {
            y[i] = y[i] + y[i];
        }
    }
}

fn main() {
    Own.twice(&mut [1.0]);
}
