//! Copies of iterations are gone after the loop; the last iteration's stays only under `lastprivate`.

#[omp::offload]
fn reads(x: &[i32], y: &mut [i32]) -> i32 {
    let (mut t, mut u) = (1, 2);
    #[omp::target(private(t), firstprivate(u))]
    for i in 0..y.len() {
        t = x[i] * 2;
        u = t + 1;
        y[i] = u;
    }
    t = 5;
    t + u
}

#[omp::offload]
fn goes_round(x: &[i32], y: &mut [i32]) {
    let mut t = 1;
    for _ in 0..3 {
        println!("{t}");
        #[omp::target(private(t))]
        for i in 0..y.len() {
            t = x[i];
            y[i] = t;
        }
    }
}

#[omp::offload]
fn parts(x: &[i32], y: &mut [i32]) -> [i32; 3] {
    let mut last = [0; 3];
    #[omp::target(lastprivate(last))]
    for i in 0..y.len() {
        last[i % 3] = x[i];
        y[i] = x[i];
    }
    last
}

#[omp::offload]
fn handed_on(x: &[i32], y: &mut [i32]) -> i32 {
    let mut last = 0;
    #[omp::target(lastprivate(last))]
    for i in 0..y.len() {
        y[i] = last;
        last = x[i];
    }
    last
}

struct Other {
    t: i32,
}

/// Other things of the name are no reads.
#[omp::offload]
fn fine(x: &[i32], y: &mut [i32], other: Other) -> i32 {
    let mut t = 1;
    #[omp::target(private(t))]
    for i in 0..y.len() {
        t = x[i];
        y[i] = t;
    }
    let mut sum = other.t;
    for t in x {
        sum += t;
    }
    if let Some(t) = x.first() {
        sum += t;
    }
    sum += x.iter().map(|t| t + 1).sum::<i32>();
    t = sum;
    t
}

/// No iteration assigns it.
#[omp::offload]
fn unassigned(x: &[i32], y: &mut [i32]) -> i32 {
    let mut last = 0;
    #[omp::target(lastprivate(last))]
    for i in 0..y.len() {
        y[i] = x[i];
    }
    last
}

struct Cells {
    t: i32,
    y: Vec<i32>,
}

impl Cells {
    /// The caller has it.
    #[omp::offload]
    fn field(&mut self) {
        let n = self.y.len();
        #[omp::target(private(self.t))]
        for i in 0..n {
            self.t = 2;
            self.y[i] = self.t;
        }
    }

    /// It is assigned before.
    #[omp::offload]
    fn assigned(&mut self) {
        let n = self.y.len();
        #[omp::target(private(self.t))]
        for i in 0..n {
            self.t = 2;
            self.y[i] = self.t;
        }
        let t = self.y.len();
        self.t = t as i32;
    }
}

/// Another variable has the name up to the end of its block alone.
#[omp::offload]
fn hidden(x: &[i32], y: &mut [i32]) -> i32 {
    let mut t = 1;
    let mut sum = 0;
    {
        #[omp::target(private(t))]
        for i in 0..y.len() {
            t = x[i];
            y[i] = t;
        }
        let t = 2;
        sum += t;
    }
    {
        let mut sum = 1;
        #[omp::target(private(sum))]
        for i in 0..y.len() {
            sum = x[i];
            y[i] += sum;
        }
    }
    sum + t
}

/// A condition is evaluated again, and a closure called.
#[omp::offload]
fn again(x: &[i32], y: &mut [i32]) {
    let (mut t, mut u) = (1, 2);
    while t < 9 {
        #[omp::target(private(t))]
        for i in 0..y.len() {
            t = x[i];
            y[i] = t;
        }
    }
    let mut run = || {
        println!("{u}");
        #[omp::target(private(u))]
        for i in 0..y.len() {
            u = x[i];
            y[i] = u;
        }
    };
    run();
    run();
}

/// Each block behind it assigns it before it reads it; or only one of them does.
#[omp::offload]
fn in_blocks(x: &[i32], y: &mut [i32]) -> i32 {
    let (mut t, mut u, mut sum) = (0, 0, 0);
    #[omp::target(private(t, u))]
    for i in 0..y.len() {
        t = x[i];
        u = t + 1;
        y[i] = u;
    }
    for v in y.iter() {
        t = *v;
        if t > 3 {
            sum += t;
        }
    }
    if sum > 2 {
        u = 1;
        sum += u;
    }
    sum + u
}

/// An element that is assigned is not read, its subscript is.
#[omp::offload]
fn one_element(y: &mut [usize], mut t: [usize; 2], mut u: [usize; 2]) {
    #[omp::target(private(t, u))]
    for i in 0..y.len() {
        t[0] = i;
        u[1] = t[0];
        y[i] = u[1];
    }
    t[0] = 1;
    t[u[1]] = 2;
}

fn main() {}
