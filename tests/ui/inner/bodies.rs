//! What the iterations of inner loops share, and what leaves them.
#[omp::offload]
fn shared(x: &[f32], y: &mut [f32], n: usize) {
    let mut all = 0.0;
    #[omp::target(reduction(+: all))]
    for i in 0..n {
        let mut s = 0.0;
        let mut row = [0.0; 8];
        #[omp::parallel_for]
        for j in 0..n {
            s += x[j];
        }
        #[omp::parallel_for]
        for j in 0..8usize {
            row[j / 2] = x[j];
        }
        #[omp::parallel_for]
        for j in 0..n {
            all += x[i * n + j];
        }
        #[omp::parallel_for(reduction(max: s))]
        for j in 0..n {
            s += x[j];
        }
        y[i] = s + row[0];
    }
}

#[omp::offload]
fn leaves(y: &mut [f32], n: usize) {
    #[omp::target]
    'rows: for i in 0..n {
        #[omp::parallel_for]
        for j in 0..n {
            if j == 3 {
                break;
            }
            if j == 4 {
                continue 'rows;
            }
            y[i * n + j] = 1.0;
        }
    }
}

#[omp::offload]
fn conflicts(x: &[usize], y: &mut [f32], n: usize) {
    #[omp::target]
    for i in 0..n {
        #[omp::simd]
        for j in 1..n {
            y[i * n + j] = y[i * n + j - 1] + 1.0;
        }
    }
    #[omp::target]
    for i in 0..n {
        #[omp::parallel_for(collapse(2))]
        for j in 0..n {
            for k in 0..n {
                y[i * n + j] += k as f32;
            }
        }
    }
    #[omp::parallel_for]
    for i in 0..n {
        #[omp::parallel_for]
        for j in 0..n {
            y[i * n + x[j]] = 1.0;
        }
    }
}

#[omp::offload]
fn stale(x: &[f32], y: &mut [f32], n: usize) {
    let mut w = 0.0;
    #[omp::target]
    for i in 0..n {
        let mut t = 1.0;
        let u = 2.0;
        for _ in 0..3 {
            #[omp::parallel_for(private(t), firstprivate(u))]
            for j in 0..n {
                t = x[j];
                y[i * n + j] = t + u;
            }
        }
        if x[i] > 0.0 {
            t = 0.0;
        }
        y[i * n] = t + u;
    }
    #[omp::target]
    for i in 0..n {
        #[omp::parallel_for(private(w))]
        for j in 0..n {
            w = x[j];
            y[i * n + j] = w;
        }
    }
}

/// The ways from the inner loop to a read.
#[omp::offload]
fn stale_by_ways(y: &mut [i32], m: usize) {
    #[omp::target]
    for i in 0..y.len() {
        let (mut t, mut u, mut v) = (-1, -1, -1);
        for r in 0..3 {
            #[omp::simd(private(t))]
            for j in 0..4i32 {
                t = j;
            }
            if r == 1 {
                break;
            }
            t = 50;
        }
        #[omp::simd(private(u, v))]
        for j in 0..4i32 {
            u = j;
            v = u;
        }
        for _ in 0..m {
            u = 50;
        }
        'b: {
            if i % 2 == 0 {
                break 'b;
            }
            v = 50;
        }
        y[i] = t;
        y[i] += u;
        y[i] += v;
    }
}

#[omp::offload]
fn renewed(y: &mut [i32], m: usize) {
    #[omp::target]
    for i in 0..y.len() {
        let mut t = -1;
        for r in 0..3 {
            #[omp::simd(private(t))]
            for j in 0..4i32 {
                t = j;
            }
            if r == m {
                t = 1;
                break;
            }
            for _ in 0..2 {
                t = 50;
            }
            while t > m as i32 {
                t -= 1;
            }
        }
        y[i] = t;
    }
}

/// What an inner loop leaves of a copy, and what its own copies start from.
#[omp::offload]
fn left_by_inner(y: &mut [i32], z: &mut [i32]) -> i32 {
    let (mut s, mut t, mut u) = (1, 2, 3);
    #[omp::target(private(s, t))]
    for i in 0..y.len() {
        y[i] += s;
        #[omp::simd(lastprivate(s))]
        for j in 0..3 {
            s = j;
        }
        #[omp::simd(lastprivate(t))]
        for j in 0..y[i] {
            t = j;
        }
        y[i] += t;
    }
    #[omp::target(private(u))]
    for i in 0..y.len() {
        #[omp::parallel_for(firstprivate(u))]
        for j in 0..3 {
            z[3 * i + j] += u;
            u = 3;
        }
        u = y[i];
    }
    s
}

/// A copy of the region's is a variable of the inner loop's like any other.
#[omp::offload]
fn handed_on_inside(y: &mut [i32], z: &mut [i32]) {
    let (mut u, mut v, mut w) = (3, 4, 5);
    #[omp::target(private(u), firstprivate(v))]
    for i in 0..y.len() {
        u = y[i];
        v = u;
        #[omp::parallel_for(firstprivate(u), private(v))]
        for j in 0..3 {
            z[3 * i + j] += u + v;
            u = 3;
            v = 4;
        }
    }
    #[omp::target(lastprivate(w))]
    for i in 0..y.len() {
        w = y[i];
        #[omp::parallel_for]
        for j in 0..3 {
            w = j;
        }
    }
    y[0] = w;
}

/// What an inner loop loses, the next iteration of the region would read, or what follows it.
#[omp::offload]
fn lost_inside(y: &mut [i32], n: i32) -> i32 {
    let (mut p, mut t) = ((3, 4), 5);
    #[omp::target(firstprivate(p))]
    for i in 0..y.len() {
        y[i] += p.1;
        #[omp::simd(private(p))]
        for j in 0..n {
            p = (j, n);
        }
    }
    #[omp::target(private(t))]
    for i in 0..y.len() {
        #[omp::simd(private(t))]
        for j in 0..n {
            t = j;
        }
        y[i] += n;
    }
    t
}

#[omp::offload]
fn lost_at_the_end(y: &mut [i32], n: i32) -> i32 {
    let mut u = 6;
    #[omp::target(lastprivate(u))]
    for i in 0..y.len() {
        u = y[i];
        #[omp::simd(private(u))]
        for j in 0..n {
            u = j;
        }
    }
    u
}

/// The same in order.
#[omp::offload]
fn left_and_read(y: &mut [i32], z: &mut [i32]) -> i32 {
    let (mut s, mut t) = (1, 2);
    #[omp::target(private(s), lastprivate(t))]
    for i in 0..y.len() {
        #[omp::simd(lastprivate(s))]
        for j in 0..3 {
            s = j;
        }
        y[i] += s;
        #[omp::simd(private(s), lastprivate(t))]
        for j in 0..3 {
            s = i as i32;
            z[3 * i + j] += s;
            t = s;
        }
        y[i] += t;
    }
    t
}

/// Elements that another inner loop's copies had.
#[omp::offload]
fn behind_another(y: &mut [i32]) {
    #[omp::target]
    for i in 0..y.len() / 3 {
        let mut a = [7; 4];
        #[omp::parallel_for(private(a))]
        for j in 0..3 {
            a[3] = j as i32;
            y[i * 3 + j] = a[3];
        }
        #[omp::parallel_for(private(a))]
        for j in 0..3 {
            a[3] = j as i32;
            y[i * 3 + j] += a[3];
        }
        #[omp::parallel_for(firstprivate(a))]
        for j in 0..3 {
            a[0] = j as i32;
            y[i * 3 + j] += a[3] + a[0];
        }
    }
}

fn main() {}
