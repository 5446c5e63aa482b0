//! Copies that iterations have: what an iteration reads of one it has assigned itself, all of it.

#[derive(Clone, Copy, omp::Device)]
struct Point {
    x: u32,
    y: u32,
}

#[omp::declare_target]
fn sum(a: &[u32; 3]) -> u32 {
    a[0] + a[1] + a[2]
}

/// A field of an earlier iteration, in the whole.
#[omp::offload]
fn whole(out: &mut [u32], mut p: Point) {
    #[omp::target(firstprivate(p))]
    for i in 0..out.len() {
        let q = p;
        out[i] = q.x;
        p.x = i as u32;
    }
}

/// The whole of an earlier iteration, in a field.
#[omp::offload]
fn field(out: &mut [u32], mut p: Point) {
    #[omp::target(firstprivate(p))]
    for i in 0..out.len() {
        out[i] = p.x + p.y;
        p = Point { x: i as u32, y: 1 };
    }
}

/// Elements under another name.
#[omp::offload]
fn elements(out: &mut [u32], mut a: [u32; 3], mut b: [[u32; 2]; 2], mut c: [u32; 3]) {
    #[omp::target(private(a, b), firstprivate(c))]
    for i in 0..out.len() {
        let k = i % 3;
        out[i] = a[k];
        a[0] = i as u32;
        let row = b[0];
        b[0][1] = row[1] + 1;
        out[i] += sum(&c);
        for k in 0..3 {
            c[k] = i as u32;
        }
    }
}

/// The first round of a loop.
#[omp::offload]
fn rounds(out: &mut [u32], mut a: [u32; 3], mut b: [u32; 3], mut c: [u32; 3]) {
    #[omp::target(private(a), firstprivate(b, c))]
    for i in 0..out.len() {
        for k in 0..3 {
            out[i] += a[k];
            a[k] = i as u32;
        }
        for v in b {
            out[i] += v;
        }
        b[2] = 0;
        c.swap(0, 1);
        out[i] += c[0];
    }
}

/// The bound of an inner loop, which is evaluated once.
#[omp::offload]
fn bound(out: &mut [u32], mut m: usize) {
    #[omp::target(collapse(2), private(m))]
    for i in 0..4 {
        for j in 0..m {
            m = 3;
            out[i * 8 + j] = m as u32;
        }
    }
}

/// All that is read is assigned before, or never.
#[omp::offload]
fn fine(out: &mut [u32], mut p: Point, mut a: [u32; 3], mut b: [u32; 3], mut c: [Point; 2]) {
    #[omp::target(private(p, a), firstprivate(b, c))]
    for i in 0..out.len() {
        p.x = i as u32;
        p.y = 2;
        let q = p;
        for k in 0..3 {
            a[k] = q.x;
        }
        a.swap(0, 1);
        out[i] = sum(&a) + q.y + b[2];
        b[0] = 1;
        b[1] = b[0] + b[2];
        c[1].x = i as u32;
        out[i] += b[1] + c[0].x + c[1].x;
        for k in 1..3 {
            if k > 1 {
                out[i] += a[k - 1];
            }
            a[k - 1] = 4;
        }
    }
}

/// Two ways to the same elements.
#[omp::offload]
fn branches(out: &mut [u32], mut p: Point, mut a: [u32; 3], mut b: [u32; 3]) {
    #[omp::target(private(p, a, b))]
    for i in 0..out.len() {
        if i % 2 == 0 {
            for k in 0..3 {
                a[k] = 1;
                b[k] = i as u32;
            }
            p.x = 1;
            p.y = 2;
        } else {
            a = [2; 3];
            for j in 0..3 {
                b[j] = 3;
            }
            p = Point { x: 3, y: 4 };
        }
        out[i] = a[0] + sum(&b) + p.x + p.y;
    }
}

/// One of them leaves some out.
#[omp::offload]
fn one_branch(out: &mut [u32], mut a: [u32; 3]) {
    #[omp::target(private(a))]
    for i in 0..out.len() {
        if i % 2 == 0 {
            for k in 0..3 {
                a[k] = 1;
            }
        } else {
            a[0] = 2;
        }
        out[i] = a[1];
    }
}

fn main() {}
