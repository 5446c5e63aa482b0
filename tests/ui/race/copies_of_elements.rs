//! Elements of copies that an iteration reads and may not have assigned itself.

/// Other subscripts, or others by then.
#[omp::offload]
fn elsewhere(out: &mut [u32], mut a: [u32; 4], mut b: [u32; 4], mut c: [u32; 4]) {
    #[omp::target(private(a, b, c))]
    for i in 0..out.len() {
        a[i % 2] = 1;
        out[i] = a[(i + 1) % 2];
        let mut k = i % 4;
        b[k] = 2;
        k = (k + 1) % 4;
        out[i] += b[k];
        let k = 1;
        c[k] = 3;
        {
            let k = 2;
            out[i] += c[k];
            c[k] = 4;
        }
    }
}

/// Loops that leave some out.
#[omp::offload]
fn some(out: &mut [u32], mut a: [u32; 4], mut b: [u32; 4], mut c: [u32; 4], mut d: [[u32; 4]; 4]) {
    #[omp::target(private(a, b, c, d))]
    for i in 0..out.len() {
        for k in 0..i % 3 {
            a[k] = 1;
        }
        out[i] = a[1];
        for k in 0..4 {
            if k != i {
                b[k] = 2;
            }
        }
        out[i] += b[i % 4];
        for k in (0..4).step_by(2) {
            c[k] = 3;
        }
        out[i] += c[1];
        c[1] = 4;
        for r in 0..4 {
            for k in 0..r {
                d[r][k] = 5;
            }
        }
        for r in 0..4 {
            out[i] += d[r][3];
        }
        d[0][3] = 6;
    }
}

/// What a later round assigns, or this one behind it.
#[omp::offload]
fn rounds(out: &mut [u32], mut a: [u32; 5], mut b: [u32; 4], mut c: [u32; 4]) {
    #[omp::target(private(a, b, c))]
    for i in 0..out.len() {
        for k in 0..4 {
            out[i] += a[k + 1];
            a[k] = 1;
            if k > 0 {
                out[i] += b[k];
            }
            b[k] = 2;
        }
        for r in 0..i % 3 {
            out[i] += c[r];
            for k in 0..4 {
                c[k] = 3;
            }
        }
    }
}

/// Bounds that change.
#[omp::offload]
#[allow(unused_assignments)]
fn bounds(out: &mut [u32], mut a: [u32; 8], mut m: usize) {
    #[omp::target(private(a, m))]
    for i in 0..out.len() {
        m = 2 + i % 3;
        for k in 0..m {
            a[k] = 1;
        }
        m = 5;
        for k in 0..m {
            out[i] += a[k];
        }
    }
}

/// A `break` leaves rounds out; casts and sums may have other values than they look like; a carried value changes.
#[omp::offload]
fn not_as_it_looks(y: &mut [i32]) {
    let (mut a, mut b, mut c) = ([1; 4], [2; 4], [3; 4]);
    #[omp::target(private(a))]
    for i in 0..y.len() {
        for k in 0..4 {
            a[k] = 1;
            if k + i % 5 == 3 {
                break;
            }
        }
        y[i] = a[3];
    }
    #[omp::target(private(b))]
    for i in 0..y.len() {
        for k in -2..1i32 {
            for j in (k as usize)..4 {
                b[j] = 1;
            }
            y[i] += b[0];
        }
    }
    let mut s = 0usize;
    #[omp::target(private(c), scan(+: s))]
    for i in 0..y.len() {
        for k in 0..s {
            c[k] = 1;
        }
        s += i % 2;
        for k in 0..s {
            y[i] += c[k];
        }
    }
}

fn main() {}
