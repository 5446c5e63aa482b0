//! A type of the user's that has a name of std's, and is none of a device's: rustc says so, and nothing is told of std's.
mod own {
    pub struct String {
        pub tension: u32,
    }
}
use own::String;

#[omp::offload]
fn strings(s: &[String], y: &mut [u32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = s[i].tension;
    }
}

fn main() {}
