//! Scans whose loops do other things as well, on every device against plain Rust: what changes something is done once in
//! each iteration, however often the loop is gone through for what it adds up.
#![allow(clippy::needless_range_loop, reason = "the loops are as users write them")]
use omp_tests::on_every_device;

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Cell {
    a: u32,
    b: u32,
}

#[omp::declare_target]
impl Cell {
    fn step(&mut self) {
        self.a += 1;
    }
    fn b(&self) -> u32 {
        self.b
    }
}

const LENGTHS: [usize; 5] = [0, 1, 2, 1000, 20_011];

fn numbers(n: usize) -> Vec<u32> {
    (0..n as u32).map(|i| i.wrapping_mul(2_654_435_761) >> 20).collect()
}

mod device {
    use super::Cell;

    #[omp::offload]
    pub fn swaps(d: usize, x: &[u32], t: &mut [u32], y: &mut [u32]) -> u32 {
        let mut s = 7;
        #[omp::target(device(d), scan(+: s))]
        for i in 0..x.len() {
            t.swap(2 * i, 2 * i + 1);
            s += x[i];
            y[i] = s;
        }
        s
    }

    #[omp::offload]
    pub fn several_at_once(d: usize, t: &mut [u32], y: &mut [u32]) -> u32 {
        let mut s = 7;
        #[omp::target(device(d), scan(+: s))]
        for i in 0..y.len() {
            let (a, b) = (t[2 * i], t[2 * i + 1]);
            (t[2 * i], t[2 * i + 1]) = (b, a);
            s += a ^ b;
            y[i] = s;
        }
        s
    }

    /// A name of a later scope, updates whose operand is computed on the way, and an assignment that keeps the value.
    #[omp::offload]
    pub fn on_the_way(d: usize, x: &[u32], y: &mut [u32]) -> u32 {
        let mut s = 7;
        #[omp::target(device(d), scan(+: s))]
        for i in 0..x.len() {
            let t = x[i];
            if t > 100 {
                let t = s + 1;
                y[i] = t;
            }
            s = {
                let q = t / 2;
                q + s
            };
            s = match t {
                0..=50 => s + t,
                _ => s,
            };
            let r = &mut y[i];
            *r += s;
        }
        s
    }

    #[omp::offload]
    pub fn counts(d: usize, x: &[u32], y: &mut [u32], counts: &mut [u32; 4]) {
        let mut s = 7;
        #[omp::target(device(d), scan(+: s))]
        for i in 0..x.len() {
            #[omp::atomic]
            counts[i % 4] += 1;
            s += x[i];
            y[i] = s;
        }
    }

    #[omp::offload]
    pub fn methods(d: usize, cells: &mut [Cell], y: &mut [u32]) {
        let mut s = 7;
        #[omp::target(device(d), scan(+: s))]
        for i in 0..cells.len() {
            s += cells[i].b();
            if i % 3 == 0 {
                cells[i].step();
            }
            let cell = &mut cells[i];
            cell.step();
            y[i] = s;
        }
    }

    #[omp::offload]
    pub fn fields(d: usize, cells: &mut [Cell]) {
        #[omp::target(device(d), scan(+: cells))]
        for i in 1..cells.len() {
            let me = cells[i];
            cells[i].a = cells[i - 1].a + me.b + me.a + cells[i - 1].b;
        }
    }

    #[omp::offload]
    pub fn last(d: usize, x: &[u32], y: &mut [u32]) -> (u32, u32, u32) {
        let (mut s, mut t, mut u) = (7, 3, 5);
        #[omp::target(device(d), scan(+: s), lastprivate(t, u))]
        for i in 0..x.len() {
            t = x[i] ^ 5;
            s += t;
            y[i] = s;
            u = s;
        }
        (s, t, u)
    }

    #[omp::offload]
    pub fn hidden_names(d: usize, x: &mut [u32], y: &mut [u32], z: &[u32]) {
        let mut s = 7;
        #[omp::target(device(d), scan(+: s))]
        for i in 0..z.len() {
            {
                let x = 3;
                y[i] = s + x;
            }
            x[i] += 5;
            s += z[i];
        }
    }

    #[omp::offload]
    pub fn asserts(d: usize, x: &[u32], y: &mut [u32]) {
        let mut s = 7;
        #[omp::target(device(d), scan(+: s))]
        for i in 0..x.len() {
            assert!(s >= 7, "{s} in {i}");
            s += x[i];
            y[i] = s;
            assert!(matches!(s, 7..) && y[i] >= 7);
        }
    }
}

fn sums(x: &[u32], first: u32) -> Vec<u32> {
    let mut s = first;
    x.iter()
        .map(|v| {
            s += v;
            s
        })
        .collect()
}

#[test]
fn updates_are_seen_through_what_stands_on_the_way() {
    on_every_device(|d| {
        for n in LENGTHS {
            let x = numbers(n);
            let (mut y, mut all) = (vec![3; n], vec![3; n]);
            let mut s = 7;
            for (t, y) in x.iter().copied().zip(&mut all) {
                if t > 100 {
                    *y = s + 1;
                }
                s += t / 2 + if t <= 50 { t } else { 0 };
                *y += s;
            }
            assert_eq!(device::on_the_way(d, &x, &mut y), s, "{n}");
            assert_eq!(y, all, "{n}");
        }
    });
}

#[test]
fn stores_beside_a_scan_are_done_once() {
    on_every_device(|d| {
        for n in LENGTHS {
            let x = numbers(n);
            let pairs = numbers(2 * n);
            let swapped: Vec<u32> = (0..2 * n).map(|k| pairs[k ^ 1]).collect();
            let expected = sums(&x, 7);
            let total = expected.last().copied().unwrap_or(7);

            let (mut t, mut y) = (pairs.clone(), vec![0; n]);
            assert_eq!(device::swaps(d, &x, &mut t, &mut y), total);
            assert_eq!((&t, &y), (&swapped, &expected));

            let (mut t, mut y) = (pairs.clone(), vec![0; n]);
            let of_pairs: Vec<u32> = pairs.chunks(2).map(|p| p[0] ^ p[1]).collect();
            let all = sums(&of_pairs, 7);
            assert_eq!(device::several_at_once(d, &mut t, &mut y), all.last().copied().unwrap_or(7));
            assert_eq!((&t, &y), (&swapped, &all));

            let (mut y, mut counts) = (vec![0; n], [1; 4]);
            device::counts(d, &x, &mut y, &mut counts);
            assert_eq!(y, expected);
            let of = |k: usize| 1 + (0..n).filter(|i| i % 4 == k).count() as u32;
            assert_eq!(counts, [of(0), of(1), of(2), of(3)]);

            let (mut hidden, mut y) = (x.clone(), vec![0; n]);
            device::hidden_names(d, &mut hidden, &mut y, &x);
            assert!(hidden.iter().zip(&x).all(|(new, old)| *new == old + 5));
            assert!(y.iter().zip(&expected).zip(&x).all(|((y, sum), x)| *y == sum - x + 3));

            let mut y = vec![0; n];
            device::asserts(d, &x, &mut y);
            assert_eq!(y, expected);
        }
    });
}

#[test]
fn items_beside_a_scan() {
    on_every_device(|d| {
        for n in LENGTHS {
            let x = numbers(n);
            let cells: Vec<Cell> = x.iter().map(|v| Cell { a: v % 7, b: v % 5 }).collect();

            let (mut stepped, mut y) = (cells.clone(), vec![0; n]);
            device::methods(d, &mut stepped, &mut y);
            let b: Vec<u32> = cells.iter().map(|c| c.b).collect();
            assert_eq!(y, sums(&b, 7));
            for (i, (new, old)) in stepped.iter().zip(&cells).enumerate() {
                let steps = 1 + u32::from(i % 3 == 0);
                assert_eq!(*new, Cell { a: old.a + steps, b: old.b }, "element {i}");
            }

            let (mut found, mut expected) = (cells.clone(), cells.clone());
            device::fields(d, &mut found);
            for i in 1..n {
                expected[i].a = expected[i - 1].a + cells[i].b + cells[i].a + cells[i - 1].b;
            }
            assert_eq!(found, expected);

            let mut y = vec![0; n];
            let (s, t, u) = device::last(d, &x, &mut y);
            let other: Vec<u32> = x.iter().map(|v| v ^ 5).collect();
            let all = sums(&other, 7);
            let total = all.last().copied();
            assert_eq!(y, all);
            assert_eq!(
                (s, t, u),
                (total.unwrap_or(7), other.last().copied().unwrap_or(3), total.unwrap_or(5))
            );
        }
    });
}
