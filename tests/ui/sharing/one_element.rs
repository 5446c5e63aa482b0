//! Elements of private copies whose subscripts have one value in an iteration: what is written there is that element alone.

#[omp::offload]
fn in_order(y: &mut [usize]) {
    let mut a = [3, 4];
    #[omp::target(private(a))]
    for i in 0..y.len() {
        a[i % 2] = i;
        y[i] += a[1];
        a[1] = i;
    }
}

#[omp::offload]
fn in_rounds(y: &mut [usize], m: usize) {
    let mut a = [3, 4];
    #[omp::target(private(a))]
    for i in 0..y.len() {
        for _ in 0..m {
            y[i] += a[0];
            a[i % 2] = i;
        }
    }
}

#[omp::offload]
fn perhaps(y: &mut [usize], m: usize) {
    let mut a = [3, 4];
    #[omp::target(firstprivate(a))]
    for i in 0..y.len() {
        for _ in 0..m {
            a[i % 2] = i;
        }
        y[i] += a[i % 2];
    }
}

/// The same element, elements in rounds, and those that nothing writes.
#[omp::offload]
fn fine(y: &mut [usize], m: usize) {
    let (mut a, mut b, mut c, mut stack) = ([3, 4], [5, 6, 7], [[8; 2]; 2], [0; 8]);
    #[omp::target(private(a, b, c, stack))]
    for i in 0..y.len() {
        let k = i % 2;
        a[k] = i;
        y[i] += a[k];
        a[1 - k] = 2;
        y[i] += a[1 - k];
        for j in 0..3 {
            b[j] = i + j;
            if j > 0 {
                b[j] += b[j - 1];
            }
        }
        y[i] += b[k] + b[2];
        for j in 0..2 {
            let q = 1 - j;
            c[q][0] = j;
            c[q][1] = i;
        }
        y[i] += c[k][1 - k];
        stack[0] = i;
        let mut top = 1;
        while top > 0 {
            top -= 1;
            let n = stack[top];
            if n > 1 && top < 6 {
                stack[top] = n / 2;
                stack[top + 1] = n - n / 2 - m;
                top += 2;
            }
        }
    }
}

fn main() {}
