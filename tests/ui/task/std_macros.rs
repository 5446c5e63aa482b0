//! Macros of the user's with the names of std's, among tasks: they are given what stands for the data.
macro_rules! dbg {
    ($guard:ident [ $i:expr ]) => {
        std::mem::forget($guard)
    };
}

mod other {
    macro_rules! assert_eq {
        ($y:ident, $n:expr) => {
            let mut $y = [$n; 8];
        };
        ($y:ident [ $i:expr ], $n:expr) => {
            let $y = &mut [$n; 8];
        };
    }
    pub(crate) use assert_eq;
}

#[omp::offload]
fn declared_outside(y: &mut [u64]) {
    #[omp::target(nowait)]
    for i in 0..y.len() {
        y[i] += 1;
    }
    dbg!(y[0]);
}

#[omp::offload]
fn imported(y: &mut [u64]) {
    use other::assert_eq;
    #[omp::target(nowait)]
    for i in 0..y.len() {
        y[i] += 1;
    }
    assert_eq!(y[0], 5);
    y[0] = 3;
}

#[omp::offload]
fn by_a_path(y: &mut [u64]) {
    #[omp::target(nowait)]
    for i in 0..y.len() {
        y[i] += 1;
    }
    other::assert_eq!(y[1], y[0]);
}

#[omp::offload]
fn inside_of_another(y: &mut [u64]) {
    #[omp::target(nowait)]
    for i in 0..y.len() {
        y[i] += 1;
    }
    println!("{:?}", dbg!(y[0]));
}

#[omp::offload]
fn local(y: &mut [u64]) {
    macro_rules! write {
        ($place:expr) => {
            return
        };
    }
    #[omp::target(nowait)]
    for i in 0..y.len() {
        y[i] += 1;
    }
    write!(y[0]);
}

/// Nothing hangs on these.
#[omp::offload]
fn fine(y: &mut [u64]) {
    use other::assert_eq;
    let mut x = 4;
    #[omp::target(nowait)]
    for i in 0..y.len() {
        y[i] += 1;
    }
    assert_eq!(x, 5);
    x[0] = 2;
    println!("{} {}", y[0], x[0]);
}

fn main() {}
