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

fn main() {}
