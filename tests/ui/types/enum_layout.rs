//! Enums without a tag of their own.
#[derive(Clone, Copy, omp::Device)]
enum Cell {
    Empty,
    Mine(bool),
}

#[derive(Clone, Copy, omp::Device)]
enum Step<T> {
    To(T),
    Stay,
}

#[omp::offload]
fn count(steps: &[Step<char>], n: &mut u32) {
    #[omp::target(reduction(+: n))]
    for s in steps {
        *n += match s {
            Step::To(_) => 1,
            Step::Stay => 0,
        };
    }
}

fn main() {
    let mut n = 0;
    count(&[Step::Stay], &mut n);
}
