//! Names that a `macro_rules!` keeps apart: what no text shows, rustc is asked.

macro_rules! another_index {
    ($i:ident) => {
        #[omp::offload]
        fn race(y: &mut [u32], $i: usize) {
            #[omp::target]
            for i in 0..4usize {
                y[$i] += i as u32;
            }
        }
    };
}
another_index!(i);

macro_rules! another_value {
    ($t:ident) => {
        #[omp::declare_target]
        fn mixed($t: u32) -> u32 {
            let t = 5;
            $t * t
        }
    };
}
another_value!(t);

fn main() {}
