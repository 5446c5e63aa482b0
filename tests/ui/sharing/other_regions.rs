//! What another region or data directive reads behind a loop whose iterations had copies.

#[omp::offload]
fn in_a_loop(y: &mut [u32], z: &mut [u32]) {
    let mut t = 100;
    #[omp::target(private(t))]
    for i in 0..y.len() {
        t = i as u32;
        y[i] = t;
    }
    #[omp::target]
    for i in 0..z.len() {
        z[i] = t + i as u32;
    }
}

#[omp::offload]
fn in_a_block(y: &mut [u32]) {
    let mut t = 100;
    let n = y.len();
    #[omp::target]
    {
        #[omp::parallel_for(private(t))]
        for i in 0..n {
            t = i as u32;
            y[i] = t;
        }
        y[0] = t;
    }
}

#[omp::offload]
fn in_heads_and_clauses(y: &mut [usize], z: &mut [usize]) {
    let (mut t, mut u) = (3, 4);
    for _ in 0..2 {
        #[omp::target]
        for i in 0..t {
            z[i] += 1;
        }
        #[omp::target(private(t))]
        for i in 0..y.len() {
            t = i;
            y[i] = t;
        }
        #[omp::target(private(u))]
        for i in 0..u {
            u = i;
            y[i] += u;
        }
    }
}

#[omp::offload]
fn in_directives(y: &mut [u32], mut s: u32, mut a: [u32; 2]) -> u32 {
    #[omp::target(private(s, a))]
    for i in 0..y.len() {
        s = i as u32;
        a = [s, 2];
        y[i] = s + a[1];
    }
    #[omp::target_data(map(to: a))]
    {
        #[omp::target(reduction(+: s))]
        for i in 0..y.len() {
            s += y[i];
        }
    }
    s
}

#[omp::offload]
fn other_elements(y: &mut [u32], mut a: [u32; 2]) {
    #[omp::target(private(a))]
    for i in 0..y.len() {
        a = [i as u32, 2];
        y[i] = a[1];
    }
    #[omp::target(private(a))]
    for i in 0..y.len() {
        a[0] = 1;
        y[i] += a[1];
    }
}

/// Other copies, which are assigned first, and values that the last iteration leaves.
#[omp::offload]
fn fine(y: &mut [u32], z: &mut [u32]) -> u32 {
    let (mut t, mut a) = (1, [0; 3]);
    for _ in 0..2 {
        #[omp::target(private(t, a))]
        for i in 0..y.len() {
            t = i as u32;
            for k in 0..3 {
                a[k] = t;
            }
            y[i] = a[1];
        }
        #[omp::target(private(a), lastprivate(t))]
        for i in 0..4 {
            t = i as u32 * 2;
            for k in 0..3 {
                if k > 0 {
                    z[i] += a[k - 1];
                }
                a[k] = t;
            }
            z[i] += a[2];
        }
        z[0] += t;
    }
    t
}

/// Elements that the second loop's iterations do not assign for certain.
#[omp::offload]
fn uncertain_elements(y: &mut [u32], m: usize) {
    let (mut a, mut b) = ([7; 4], [[7; 4]; 6]);
    #[omp::target(private(a, b))]
    for i in 0..y.len() {
        a = [i as u32; 4];
        b = [[i as u32; 4]; 6];
        y[i] = a[i % 4] + b[2][i % 4];
    }
    #[omp::target(firstprivate(a))]
    for i in 0..y.len() {
        for k in 0..2 {
            a[k] = 1;
        }
        y[i] += a[3] + a[0];
    }
    #[omp::target]
    for i in 0..6 {
        for k in 0..m {
            b[i][k] = 1;
        }
        y[i] += b[i][2];
    }
}

fn main() {}
