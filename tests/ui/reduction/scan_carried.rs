//! What a scan carries is read and changed by its recurrence alone: nothing that is added up depends on it.
#[omp::declare_target]
fn bump(p: &mut u32) {
    *p += 1;
}

#[omp::declare_target]
fn at(y: &[u32], i: usize) -> u32 {
    y[i]
}

#[omp::offload]
fn scalars(x: &[u32], y: &mut [u32], z: &mut [u32]) {
    let n = x.len();
    let mut s = 0;
    #[omp::scan(+)]
    for i in 0..n {
        s += x[i] + (s & 1);
        y[i] = s;
    }
    #[omp::scan(+)]
    for i in 0..n {
        if s < 1000 {
            s += x[i];
        }
        y[i] = s;
    }
    #[omp::scan(+)]
    for i in 0..n {
        if matches!(s, 0..=1000) {
            s += x[i];
        }
        y[i] = s;
    }
    #[omp::scan(+)]
    for i in 0..n {
        let low = s & 1;
        s += x[i] + low;
        y[i] = s;
    }
    #[omp::scan(+)]
    for i in 0..n {
        s += x[i];
        bump(&mut s);
        y[i] = s;
    }
    #[omp::scan(+)]
    for i in 0..n {
        s += x[i];
        let q;
        (s, q) = (s & 1, 5);
        y[i] = s + q;
    }
    #[omp::scan(+)]
    for i in 0..n {
        if x[i] == 0 {
            continue;
        }
        s += x[i];
        y[i] = s;
    }
    let mut t = 0;
    #[omp::target(scan(+: s, t))]
    for i in 0..n {
        s += x[i];
        t += s;
        y[i] = s;
        z[i] = t;
    }
}

#[omp::offload]
fn parts(x: &[u32], y: &mut [u32]) {
    let mut s = (0u32, 0u32);
    #[omp::target(scan(+: s.0))]
    for i in 0..x.len() {
        s.0 += x[i] + s.0;
        y[i] = s.0;
    }
}

#[omp::offload]
fn elements(x: &[u32], y: &mut [u32], z: &mut [u32]) {
    let n = x.len();
    #[omp::scan(+)]
    for i in 1..n {
        y[i] = y[i - 1] + (y[i - 1] & 1) + x[i];
    }
    #[omp::scan(+)]
    for i in 1..n {
        y[i] = if y[i - 1] < 1000 { y[i - 1] + x[i] } else { y[i - 1] };
    }
    #[omp::scan(+)]
    for i in 1..n {
        let p = y[i - 1];
        y[i] = y[i - 1] + (p & 1) + x[i];
    }
    #[omp::scan(+)]
    for i in 1..n {
        y[i] = y[i - 1] + x[i];
        y[i] = y[i] * 2;
    }
    #[omp::scan(+)]
    for i in 1..n {
        y[i] = y[i - 1] + x[i];
        let q = &mut y[i];
        *q += 1;
    }
    #[omp::scan(+)]
    for i in 1..n {
        y[i] = y[i - 1] + x[i];
        if x[i] == 3 {
            y[i] = 0;
        }
    }
    #[omp::scan(+)]
    for i in 1..n {
        let p = at(y, i - 1);
        y[i] = y[i - 1] + (p & 1) + x[i];
    }
    #[omp::scan(+)]
    for i in 1..n {
        y[i] = y[i - 1] + x[i];
        assert!(y[i - 1] >= 3, "small");
        z[i] = y[i];
    }
    #[omp::scan(+)]
    for i in 1..n {
        y[i] = y[i - 1] + x[i];
        y[i] = y[i - 1] + z[i];
    }
}

#[derive(Clone, Copy, omp::Device)]
struct Cell {
    a: u32,
    b: u32,
}

#[omp::declare_target]
impl Cell {
    fn step(&mut self) {
        self.a += 1;
    }
}

/// Statements that change something are run once: nothing that is added up can come from them.
#[omp::offload]
fn stores(x: &mut [u32], y: &mut [u32], cells: &mut [Cell]) {
    let mut s = 0;
    #[omp::scan(+)]
    for i in 0..x.len() {
        let mut r = (0, 0);
        let (a, b) = (&mut r.0, 4);
        *a = s & 3;
        s += r.0 + b;
        y[i] = s;
    }
    #[omp::scan(+)]
    for i in 0..cells.len() {
        cells[i].step();
        s += cells[i].b;
        y[i] = s;
    }
    #[omp::scan(+)]
    for i in 0..x.len() {
        {
            let x = 3;
            y[i] = s + x;
        }
        x[i] += 5;
        s += x[i];
    }
    #[omp::scan(+)]
    for i in 0..x.len() {
        #[omp::atomic(read)]
        let v = x[i / 2];
        s += v;
        y[i] = s;
    }
}

/// The update is under a condition on what is carried.
#[omp::offload]
fn capped(x: &[u32], kept: &mut [u32]) -> usize {
    let mut n = 0;
    #[omp::target(scan(+: n))]
    for i in 0..x.len() {
        if x[i] > 3 && n < 10 {
            kept[n] = x[i];
            n += 1;
        }
    }
    n
}

fn main() {}
