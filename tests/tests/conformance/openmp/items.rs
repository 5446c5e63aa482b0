//! What reductions and scans take beside scalars and built-in operators.
use crate::table::Checks;

const N: usize = 90;

#[omp::offload]
fn arrays(t: &mut Checks) {
    let x: Vec<usize> = (0..N).map(|i| i * i % 11).collect();
    let (mut fixed, mut whole, mut part) = ([1u32; 4], vec![0i64; 11], vec![100u32; 20]);
    #[omp::target(reduction(+: fixed, whole), reduction(max: part[5..16]))]
    for i in 0..N {
        fixed[i % 4] += 2;
        whole[x[i]] += i as i64;
        part[x[i] + 5] = part[x[i] + 5].max(90 + i as u32);
    }
    let (mut w, mut p) = (vec![0i64; 11], vec![100u32; 20]);
    for i in 0..N {
        w[i * i % 11] += i as i64;
        p[i * i % 11 + 5] = p[i * i % 11 + 5].max(90 + i as u32);
    }
    t.eq("reduction of a fixed array", fixed, [47, 47, 45, 45]);
    t.eq("reduction of an array", whole, w);
    t.eq("reduction of an array section", part, p);
}

#[omp::offload]
fn several(t: &mut Checks) {
    let (mut down, mut a, mut b) = (1000i32, 0u64, 0u64);
    #[omp::target(reduction(-: down), reduction(+: a, b))]
    for i in 0..N {
        down -= i as i32;
        a += i as u64;
        b += (i * i) as u64;
    }
    t.eq("reduction(-)", down, 1000 - (N * (N - 1) / 2) as i32);
    t.eq("several items in one clause", (a, b), ((0..N as u64).sum(), (0..N as u64).map(|i| i * i).sum()));
}

#[derive(Debug, Clone, Copy, PartialEq, omp::Device)]
struct Best {
    value: f32,
    index: usize,
}

#[omp::declare_reduction(best: Best, identity = Best { value: f32::MIN, index: usize::MAX })]
fn best(a: Best, b: Best) -> Best {
    if b.value > a.value || (b.value == a.value && b.index < a.index) { b } else { a }
}

#[derive(Debug, Clone, Copy, PartialEq, omp::Device)]
struct Turn(i32, i32);

#[omp::declare_reduction(*: Turn, identity = Turn(1, 0))]
impl std::ops::Mul for Turn {
    type Output = Turn;
    /// Gaussian integers of length 1.
    fn mul(self, o: Turn) -> Turn {
        Turn(self.0 * o.0 - self.1 * o.1, self.0 * o.1 + self.1 * o.0)
    }
}

#[omp::offload]
fn declared(t: &mut Checks) {
    let x: Vec<f32> = (0..N).map(|i| (i * 31 % 47) as f32).collect();
    let mut top = Best { value: -1.0, index: 0 };
    #[omp::target(reduction(best: top))]
    for i in 0..N {
        top = best(top, Best { value: x[i], index: i });
    }
    let at = (0..N).find(|i| i * 31 % 47 == 46).expect("the highest");
    t.eq("declare reduction: a function", top, Best { value: 46.0, index: at });
    let mut turned = Turn(0, 1);
    #[omp::target(reduction(*: turned))]
    for _ in 0..N {
        turned = turned * Turn(0, 1);
    }
    // 91 quarter turns.
    t.eq("declare reduction: an operator", turned, Turn(0, -1));
}

#[omp::offload]
fn scans(t: &mut Checks) {
    let x: Vec<u64> = (0..N as u64).map(|i| i % 7 + 1).collect();
    let (mut a, mut b, mut s, mut e) = (vec![0u64; N], vec![0u64; N], 5u64, 5u64);
    #[omp::target(reduction(inscan, +: s))]
    for i in 0..N {
        s += x[i];
        omp::scan!(inclusive(s));
        a[i] = s;
    }
    #[omp::target(reduction(inscan, +: e))]
    for i in 0..N {
        b[i] = e;
        omp::scan!(exclusive(e));
        e += x[i];
    }
    let sums: Vec<u64> = (0..=N).map(|n| 5 + x[..n].iter().sum::<u64>()).collect();
    t.eq("inclusive", (a, s), (sums[1..].to_vec(), sums[N]));
    t.eq("exclusive", (b, e), (sums[..N].to_vec(), sums[N]));
}

#[omp::offload]
fn prefix(t: &mut Checks) {
    let x: Vec<i32> = (0..N as i32).map(|i| i * 37 % 41).collect();
    let (mut y, mut most) = (vec![0i32; N], x.clone());
    #[omp::scan(+)]
    for i in 1..N {
        y[i] = y[i - 1] + x[i - 1];
    }
    t.eq("scan of an array", y, (0..N).map(|n| x[..n].iter().sum()).collect());
    #[omp::target(scan(max: most))]
    for i in 1..N {
        most[i] = most[i - 1].max(most[i]);
    }
    t.eq("scan in place", most, (1..=N).filter_map(|n| x[..n].iter().max().copied()).collect());
}

programs! {
    arrays {
        OpenMp "5.5.8" "target": "reduction of a fixed array", "reduction of an array", "reduction of an array section";
    }
    several { OpenMp "5.5.8" "target": "reduction(-)", "several items in one clause"; }
    declared { OpenMp "5.5.11" "declare reduction": "declare reduction: a function", "declare reduction: an operator"; }
    scans {
        OpenMp "5.6.1" "target, scan": "inclusive";
        OpenMp "5.6.2" "target, scan": "exclusive";
    }
    prefix { OpenMp "5.6" "scan": "scan of an array", "scan in place"; }
}
