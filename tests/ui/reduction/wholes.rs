//! A reduction item under another name: a part of it, or what it is a part of. Neither is the thread's own partial value.

#[derive(Clone, Copy, omp::Device)]
struct Best {
    value: i32,
    at: i32,
}

#[omp::declare_reduction(best: Best, identity = Best { value: i32::MIN, at: 0 })]
fn best(a: Best, b: Best) -> Best {
    if b.value > a.value { b } else { a }
}

#[derive(Clone, Copy, omp::Device)]
struct Stats {
    total: i64,
    parts: [i32; 4],
    scale: i64,
}

#[omp::declare_target]
impl Stats {
    fn mean(&self) -> i64 {
        self.total / self.scale
    }
}

#[omp::declare_target]
fn mean(s: &Stats) -> i64 {
    s.total / s.scale
}

#[omp::offload]
fn field_of_the_item(x: &[i32], y: &mut [i32], mut top: Best) -> Best {
    #[omp::target(reduction(best: top))]
    for i in 0..x.len() {
        top = best(top, Best { value: x[i], at: i as i32 });
        y[i] = top.value;
    }
    #[omp::target(reduction(best: top))]
    for i in 0..x.len() {
        if x[i] > top.value {
            top = best(top, Best { value: x[i], at: i as i32 });
        }
    }
    top
}

#[omp::offload]
fn whole(x: &[i64], y: &mut [i64], mut s: Stats, mut pair: (i64, i64)) -> (Stats, (i64, i64)) {
    #[omp::target(reduction(+: s.total))]
    for i in 0..x.len() {
        s.total += x[i];
        let now = s;
        y[i] = now.total;
    }
    #[omp::target(reduction(+: s.total))]
    for i in 0..x.len() {
        s.total += x[i];
        y[i] = s.mean();
    }
    #[omp::target(reduction(+: s.total, s.parts))]
    for i in 0..x.len() {
        s.total += x[i];
        s.parts[i % 4] += 1;
        y[i] = mean(&s);
    }
    #[omp::target(reduction(+: pair.1))]
    for i in 0..x.len() {
        pair.1 += x[i];
        let (_, now) = pair;
        y[i] = now;
    }
    #[omp::target(scan(+: s.total))]
    for i in 0..x.len() {
        s.total += x[i];
        y[i] = s.mean();
    }
    (s, pair)
}

#[omp::offload]
fn inner(y: &mut [i64]) {
    #[omp::target]
    for i in 0..y.len() {
        let mut s = Stats { total: 0, parts: [0; 4], scale: 1 };
        let mut all = 0;
        #[omp::simd(reduction(+: s.total, all))]
        for j in 0..4 {
            s.total += j;
            all += s.mean();
        }
        y[i] = s.total + all;
    }
}

fn main() {}
