//! A macro's own variable is not the one of that name which it was given.
macro_rules! made {
    ($f:ident, $y:ident) => {
        #[omp::offload]
        fn $f($y: &mut [u64]) -> u64 {
            let y = vec![7u64; 4];
            #[omp::target(nowait)]
            for i in 0..$y.len() {
                $y[i] = 1;
            }
            y[0]
        }
    };
}
made!(two, y);

macro_rules! fine {
    ($f:ident, $y:ident) => {
        #[omp::offload]
        fn $f($y: &mut [u64]) -> u64 {
            #[omp::target(nowait)]
            for i in 0..$y.len() {
                $y[i] = 1;
            }
            $y[0] + $y.len() as u64
        }
    };
}
fine!(one, y);

fn main() {}
