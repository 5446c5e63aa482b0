//! A trait of the user's with a `len` for everything: it would be found before the array's.
trait Length: Sized {
    fn len(self) -> usize {
        3
    }
}

impl<T> Length for T {}

#[omp::offload]
fn lengths(y: &mut [u32]) {
    #[omp::target]
    for i in 0..5 {
        y[i] = y.len() as u32;
    }
}

fn main() {
    lengths(&mut [0; 5]);
}
