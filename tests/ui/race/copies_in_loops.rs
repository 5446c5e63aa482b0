//! Parts of copies that loops assign, which may have no round, or leave one early.

/// No round in every other iteration.
#[omp::offload]
fn no_round(out: &mut [u32], mut a: [u32; 2], mut b: [[u32; 2]; 2], mut t: u32) {
    #[omp::target(private(a), firstprivate(b, t))]
    for i in 0..out.len() {
        for _ in 0..i % 2 {
            a[1] = i as u32;
            t = 1;
        }
        let mut left = i % 2;
        while left > 0 {
            b[0][1] = 3;
            left -= 1;
        }
        out[i] = a[1] + t;
        out[i] += b[0][1];
    }
}

/// Rounds that end before they assign.
#[omp::offload]
fn early(out: &mut [u32], mut a: [u32; 2], mut b: [u32; 2], mut c: [u32; 2], mut d: (u32, u32)) {
    #[omp::target(private(a, b, c, d))]
    for i in 0..out.len() {
        for _ in 0..1 {
            if i % 2 == 1 {
                continue;
            }
            a[0] = 1;
        }
        for k in 0..2 {
            if k == i {
                break;
            }
            b[k] = 2;
        }
        'rows: for k in 0..2 {
            for j in 0..3 {
                if i == j {
                    continue 'rows;
                }
            }
            c[1] = k;
        }
        match i % 2 {
            0 => loop {
                if i > 3 {
                    break;
                }
                d.1 = 2;
                break;
            },
            _ => d.1 = 4,
        }
        out[i] = a[0];
        out[i] += b[1];
        out[i] += c[1];
        out[i] += d.1;
    }
}

/// The first round reads what is one element in all of them.
#[omp::offload]
fn first_round(out: &mut [u32], mut a: [u32; 2], mut b: [(u32, u32); 2]) {
    #[omp::target(private(a, b))]
    for i in 0..out.len() {
        for k in 0..2 {
            if k < 9 {
                out[i] += a[0];
            }
            a[0] = 1;
            out[i] += b[k].0;
            b[k] = (1, 2);
        }
    }
}

/// The same of an inner loop's copies.
#[omp::offload]
fn inner(out: &mut [u32]) {
    #[omp::target]
    for i in 0..out.len() {
        let mut a = [0; 2];
        let mut s = 0;
        #[omp::simd(private(a), reduction(+: s))]
        for j in 0..4 {
            for _ in 0..j % 2 {
                a[1] = j;
            }
            s += a[1];
        }
        out[i] = s;
    }
}

fn main() {}
