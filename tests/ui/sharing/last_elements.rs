//! Elements of which no iteration's copy is what the loop leaves.
#[omp::offload]
fn ranges(n: i64) -> [i64; 4] {
    let mut a = [0; 4];
    #[omp::target(lastprivate(a))]
    for i in 0..n {
        if i % 2 == 0 {
            for k in 0..2 {
                a[k] = i;
            }
        } else {
            for k in 0..4 {
                a[k] = -i;
            }
        }
    }
    a
}

#[omp::offload]
fn left_out(n: i32) -> [i32; 4] {
    let mut a = [0; 4];
    #[omp::target(lastprivate(a))]
    for i in 0..n {
        for k in 0..4 {
            if (k as i32 + i) % 2 == 0 {
                continue;
            }
            a[k] = i;
        }
    }
    a
}

#[omp::offload]
fn maybe_empty(n: i64) -> [i64; 4] {
    let mut a = [0; 4];
    #[omp::target(lastprivate(a))]
    for i in 0..n {
        for _ in 0..i % 2 {
            a[0] = i;
        }
    }
    a
}

#[omp::offload]
fn own(n: usize) -> [usize; 4] {
    let (mut a, mut k) = ([0; 4], 0);
    #[omp::target(lastprivate(a, k))]
    for i in 0..n {
        k = i % 4;
        a[k] = i;
    }
    a[3 - k] = k;
    a
}

#[omp::offload]
fn shadowed(n: usize) -> [usize; 4] {
    let mut a = [0; 4];
    #[omp::target(lastprivate(a))]
    for i in 0..n {
        for k in 0..4 {
            let k = if i % 2 == 0 { k / 2 } else { k };
            a[k] = i;
        }
    }
    a
}

/// These are what the loop leaves.
#[omp::offload]
fn alike(n: i64, m: usize) -> ([i64; 4], [[i64; 2]; 3]) {
    let (mut a, mut b) = ([0; 4], [[0; 2]; 3]);
    #[omp::target(lastprivate(a, b))]
    for i in 0..n {
        a[0] = 1;
        for k in 1..m {
            a[k] = a[k - 1] + i;
        }
        for k in 0..m {
            a[0] += k as i64;
        }
        for r in 0..3 {
            for c in 0..2 {
                if i % 2 == 0 {
                    b[r][c] = i;
                } else {
                    b[r][c] = -i;
                }
            }
        }
    }
    (a, b)
}

/// A const of one name in two branches, a bound that is carried on, and the threads of a team, of which the last one's copy is kept.
#[omp::offload]
fn one_name(x: &[usize], y: &mut [usize]) -> ([usize; 4], [usize; 4]) {
    let (mut a, mut b, mut s) = ([0; 4], [0; 4], 4);
    #[omp::target(lastprivate(a))]
    for i in 0..y.len() {
        if i % 2 == 0 {
            const AT: usize = 0;
            a[AT] = i;
        } else {
            const AT: usize = 1;
            a[AT] = i;
        }
    }
    #[omp::target(lastprivate(b), scan(min: s))]
    for i in 0..y.len() {
        s = s.min(x[i]);
        y[i] = s;
        for k in 0..s {
            b[k] = i;
        }
    }
    #[omp::target]
    for i in 0..y.len() {
        let mut t = 5;
        #[omp::parallel_for(lastprivate(t))]
        for j in 0..64 {
            if j % 7 == 1 {
                t = j;
            }
        }
        y[i] = t;
    }
    (a, b)
}

/// Elements that lie apart: as many as data tells, and other ones in another branch.
#[omp::offload]
fn strided(x: &[usize]) -> ([usize; 9], [usize; 9]) {
    let (mut a, mut b) = ([0; 9], [0; 9]);
    #[omp::target(lastprivate(a))]
    for i in 0..x.len() {
        for k in 0..x[i] {
            a[2 * k] = i;
        }
    }
    #[omp::target(lastprivate(b))]
    for i in 0..x.len() {
        if x[i] > 2 {
            for k in 0..4 {
                b[2 * k] = i;
            }
        } else {
            for k in 0..4 {
                b[2 * k + 1] = i;
            }
        }
    }
    (a, b)
}

fn main() {}
