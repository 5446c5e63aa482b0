//! `disjoint(…)`: scatters that nothing proves run, and an element that two iterations touch is an error that names
//! both, on the host and on every device.
#![allow(clippy::needless_range_loop, reason = "indices are what is tested")]
use omp_tests::{Values, on_every_device, panic_of};

#[omp::offload]
fn scatter(d: usize, x: &[i64], p: &[u32], y: &mut [i64], z: &mut [[u8; 2]]) -> i64 {
    let mut sum = 3;
    #[omp::target(device(d), map(to: x, p), disjoint(y, z), reduction(+: sum))]
    for i in 0..x.len() {
        let to = p[i] as usize;
        y[to] += x[i];
        z[to][1] = i as u8;
        sum += x[i];
    }
    sum
}

#[omp::offload]
fn pack(d: usize, n: usize, full: &[f32], packed: &mut [f32]) {
    #[omp::target(device(d), collapse(2), disjoint(packed))]
    for i in 0..n {
        for j in 0..=i {
            packed[i * (i + 1) / 2 + j] = full[i * n + j];
        }
    }
}

#[omp::offload]
fn pairs(d: usize, p: &[u32], y: &mut [u32], from: usize, to: usize) {
    #[omp::target(device(d), map(tofrom: y[from..to]), disjoint(y))]
    for i in (0..p.len()).rev().step_by(2) {
        (y).swap(p[i] as usize, p[i - 1] as usize);
        assert!(y[p[i] as usize] < 1_000_000);
    }
}

/// Proved where it runs: no table is made.
#[omp::offload]
fn strided(d: usize, k: usize, y: &mut [u32]) {
    #[omp::target(device(d), disjoint(y))]
    for i in 0..y.len() / 2 {
        y[i * k] = i as u32;
    }
}

fn message(run: impl FnOnce()) -> String {
    panic_of(run).expect("two iterations meet")
}

#[test]
fn permutations_run() {
    for n in [0usize, 1, 2, 31, 257, 4099] {
        let mut r = Values(n as u64 + 5);
        let mut p: Vec<u32> = (0..n as u32).collect();
        for i in (1..n).rev() {
            p.swap(i, r.bits() as usize % (i + 1));
        }
        let x: Vec<i64> = (0..n).map(|_| i64::from(r.bits())).collect();
        on_every_device(|d| {
            let (mut y, mut z): (Vec<i64>, _) = ((0..n as i64).collect(), vec![[200u8, 201]; n]);
            assert_eq!(scatter(d, &x, &p, &mut y, &mut z), 3 + x.iter().sum::<i64>());
            for i in 0..n {
                let to = p[i] as usize;
                assert_eq!((y[to], z[to]), (to as i64 + x[i], [200, i as u8]), "device {d}, n = {n}");
            }
        });
    }
    for n in [0usize, 1, 2, 33] {
        let full: Vec<f32> = (0..n * n).map(|i| i as f32).collect();
        on_every_device(|d| {
            let mut packed = vec![f32::NAN; n * (n + 1) / 2];
            pack(d, n, &full, &mut packed);
            assert!(packed.iter().eq((0..n).flat_map(|i| full[i * n..].iter().take(i + 1))), "device {d}");
        });
    }
}

#[test]
fn two_that_meet_are_named() {
    let mut p: Vec<u32> = (0..1024).map(|i| i * 389 % 1024).collect();
    p[911] = p[137];
    let x = vec![1i64; 1024];
    on_every_device(|d| {
        let text = message(|| {
            scatter(d, &x, &p, &mut vec![0; 1024], &mut vec![[0; 2]; 1024]);
        });
        assert!(
            text.contains("`y`") && text.contains("i = 137") && text.contains("i = 911"),
            "device {d}: {text}"
        );
        assert!(
            text.contains(&format!("y[{}]", p[137])) && text.contains("disjoint.rs"),
            "device {d}: {text}"
        );
        // The program goes on.
        let ok: Vec<u32> = (0..1024).collect();
        assert_eq!(scatter(d, &x, &ok, &mut vec![0; 1024], &mut vec![[0; 2]; 1024]), 1027);
    });
}

#[test]
fn a_reader_and_a_writer_meet() {
    on_every_device(|d| {
        let mut y: Vec<u32> = (0..20).collect();
        pairs(d, &[3, 5, 12, 4, 9, 10], &mut y, 2, 15);
        assert_eq!(y, [0, 1, 2, 5, 12, 3, 6, 7, 8, 10, 9, 11, 4, 13, 14, 15, 16, 17, 18, 19], "device {d}");
        let text = message(|| pairs(d, &[3, 5, 12, 4, 5, 10], &mut y, 2, 15));
        assert!(
            text.contains("y[5]") && text.contains("i = 5") && text.contains("i = 1)"),
            "device {d}: {text}"
        );
    });
}

#[omp::declare_target]
fn perm(i: usize, n: usize) -> usize {
    (i * 7 + 3) % n
}

/// A subscript by a function of the user's.
#[omp::offload]
fn called(d: usize, y: &mut [u32], z: &mut [[u16; 2]]) {
    let n = y.len();
    #[omp::target(device(d), disjoint(y, z))]
    for i in (0..n).rev() {
        y[perm(i, n)] += omp::get_num_threads() as u32;
        z[perm(i, n)][1] = i as u16;
        z[perm(i, n)][0] = z[perm(i, n)][1];
    }
}

#[test]
fn the_hosts_threads_share_what_is_claimed() {
    let before = omp::get_max_threads();
    for threads in [1, 2, 3, 8] {
        omp::set_num_threads(threads);
        // The second time with the table of the first one.
        for n in [1usize, 2, 29, 1000, 50_003, 1000] {
            let (mut y, mut z) = (vec![5; n], vec![[7; 2]; n]);
            called(omp::get_initial_device(), &mut y, &mut z);
            let team = 5 + threads.min(n) as u32;
            assert!(y.iter().all(|y| *y == team), "{n} on {threads}: {:?}", &y[..1]);
            assert!((0..n).all(|i| z[perm(i, n)] == [i as u16; 2]), "{n} on {threads}");
        }
        let text = message(|| called(omp::get_initial_device(), &mut [5; 7000], &mut [[7; 2]; 7000]));
        assert!(text.contains("`y[") && text.matches("i = ").count() >= 2, "{threads}: {text}");
    }
    omp::set_num_threads(before);
}

#[derive(Clone, Copy, omp::Device)]
struct Edge {
    weight: f32,
    to: u32,
    used: bool,
}

/// Subscripts in fields, under a condition that is data as well; elements that others only read.
#[omp::offload]
fn edges(d: usize, edges: &[Edge], from: &[u64], y: &mut [f32]) {
    #[omp::target(device(d), disjoint(y))]
    for i in 0..edges.len() {
        let to = edges[i].to as usize;
        if edges[i].used {
            y[to] = y[to] * edges[i].weight + y[from[i] as usize];
        }
    }
}

#[test]
fn large_loops_see_what_changes_between_launches() {
    let n = 150_000usize;
    let before = omp::get_max_threads();
    let host = omp::get_initial_device();
    for threads in [1, 2, 3] {
        omp::set_num_threads(threads);
        let mut p: Vec<u32> = (0..n as u32).map(|i| (i * 7 + 3) % n as u32).collect();
        let x = vec![1i64; n];
        let right = |p: &[u32]| {
            let (mut y, mut z) = (vec![2; n], vec![[0; 2]; n]);
            assert_eq!(scatter(host, &x, p, &mut y, &mut z), 3 + n as i64);
            assert!(y.iter().all(|y| *y == 3), "{threads} threads");
            assert!((0..n).all(|i| z[p[i] as usize] == [0, i as u8]), "{threads} threads");
        };
        right(&p);
        for (a, b) in [(0, n - 1), (17, 18), (n / 3 - 1, n / 3), (n / 2, 5)] {
            let kept = p[a];
            p[a] = p[b];
            let text = message(|| {
                scatter(host, &x, &p, &mut vec![0; n], &mut vec![[0; 2]; n]);
            });
            let named = [a, b].iter().all(|i| text.contains(&format!("i = {i})")));
            assert!(named && text.contains(&format!("[{}]", p[a])), "{threads} threads: {text}");
            p[a] = kept;
            right(&p);
        }

        let mut list: Vec<Edge> =
            (0..n).map(|i| Edge { weight: 2.0, to: (i * 7 % n) as u32, used: i % 3 != 0 }).collect();
        // Unused edges meet others, and would read what is written.
        (0..n).step_by(3).for_each(|i| list[i].to = 1);
        let from: Vec<u64> = (0..n as u64).map(|i| if i % 3 == 0 { 7 } else { n as u64 + i % 5 }).collect();
        let run = |list: &[Edge], from: &[u64]| {
            let mut y = vec![1.5; n + 5];
            edges(host, list, from, &mut y);
            y
        };
        let mut want = vec![1.5; n + 5];
        for i in (0..n).filter(|i| i % 3 != 0) {
            want[i * 7 % n] = 2.0 * 1.5 + 1.5;
        }
        assert_eq!(run(&list, &from), want, "{threads} threads");
        let mut meets = from.clone();
        meets[n - 1] = 7;
        let text = message(|| drop(run(&list, &meets)));
        assert!(text.contains("y[7]") && text.contains("i = 1)"), "{threads} threads: {text}");
        assert_eq!(run(&list, &from), want, "{threads} threads");
        list[0].used = true;
        let text = message(|| drop(run(&list, &from)));
        assert!(text.contains("iteration"), "{threads} threads: {text}");
    }
    omp::set_num_threads(before);
}

/// Two numbers without padding between or behind them.
#[derive(Clone, Copy, omp::Device)]
struct Link {
    from: u32,
    to: u32,
}

#[omp::offload]
fn links(d: usize, links: &[Link], x: &[u32], y: &mut [u32]) {
    #[omp::target(device(d), disjoint(y))]
    for i in 0..links.len() {
        y[links[i].to as usize] += x[links[i].from as usize];
    }
}

/// A verdict holds as long as the loop reads the same, and never longer.
#[test]
fn what_was_found_before_holds_for_the_same_data_alone() {
    let (n, host) = (6000usize, omp::get_initial_device());
    let before = omp::get_max_threads();
    for threads in [1, 2, 4] {
        omp::set_num_threads(threads);
        let list = |by: usize| -> Vec<Link> {
            (0..n).map(|i| Link { from: (i % 9) as u32, to: (i * by % n) as u32 }).collect()
        };
        let x: Vec<u32> = (1..10).collect();
        let run = |list: &[Link]| {
            let mut y = vec![1; n];
            links(host, list, &x, &mut y);
            assert!(
                list.iter().all(|link| y[link.to as usize] == 1 + x[link.from as usize]),
                "{threads} threads"
            );
        };
        // As many colours of a mesh, of equal length, each with what was found for it.
        let mut lists: Vec<Vec<Link>> = [1, 7, 11].map(list).into();
        for turn in 0..90usize {
            let list = &mut lists[turn % 3];
            run(list);
            match turn % 5 {
                // Others keep apart.
                0 => list.swap(turn, n - 1 - turn),
                1 => list[turn].from = 3,
                // The last one meets the first.
                2 | 3 => {
                    let kept = list[n - 1].to;
                    list[n - 1].to = list[turn].to;
                    for _ in 0..2 {
                        let text = message(|| links(host, list, &x, &mut vec![1; n]));
                        let named = [turn, n - 1].iter().all(|i| text.contains(&format!("i = {i})")));
                        assert!(named, "{threads} threads, turn {turn}: {text}");
                    }
                    list[n - 1].to = kept;
                }
                _ => {}
            }
            run(list);
        }
        // Other numbers, the same data.
        let short = &lists[0][..n - 1];
        run(short);
        run(short);
    }
    omp::set_num_threads(before);
}

/// Two loops made one, with steps, and elements that many iterations read.
#[omp::offload]
fn nested(d: usize, p: &[u32], few: &[i32], y: &mut [i32], only_read: &mut [i32]) {
    let n = p.len();
    #[omp::target(device(d), collapse(2), disjoint(y, only_read))]
    for i in (0..n).step_by(3) {
        for j in (1..5).rev() {
            let at = p[i] as usize * 4 + j - 1;
            let seen = only_read[few[i] as usize];
            y[at] = y[at] * 2 + seen;
            if seen < 0 {
                only_read[at] = 0;
            }
        }
    }
}

#[test]
fn nests_are_claimed() {
    let before = omp::get_max_threads();
    for threads in [1, 2, 3] {
        omp::set_num_threads(threads);
        for n in [1usize, 2, 31, 4001] {
            let p: Vec<u32> = (0..n as u32).map(|i| (i * 5 + 2) % n as u32).collect();
            let few: Vec<i32> = (0..n as i32).map(|i| i % 3).collect();
            on_every_device(|d| {
                let mut y: Vec<i32> = (0..4 * n as i32).collect();
                let (mut want, mut read) = (y.clone(), vec![4, 5, 6, 7]);
                for i in (0..n).step_by(3) {
                    for at in p[i] as usize * 4..p[i] as usize * 4 + 4 {
                        want[at] = want[at] * 2 + read[few[i] as usize];
                    }
                }
                nested(d, &p, &few, &mut y, &mut read);
                assert_eq!((y, read), (want, vec![4, 5, 6, 7]), "{n} on {d}");
            });
        }
    }
    omp::set_num_threads(before);
}

#[test]
fn strides_are_decided_at_launch() {
    on_every_device(|d| {
        let mut y = vec![7u32; 100];
        strided(d, 2, &mut y);
        assert!((0..100).all(|i| y[i] == if i % 2 == 0 { i as u32 / 2 } else { 7 }), "device {d}");
        let text = message(|| strided(d, 0, &mut y));
        assert!(text.contains("y[0]"), "device {d}: {text}");
    });
}

#[omp::offload]
fn part(d: usize, x: &[u32], y: &mut [u32], k: usize) {
    #[omp::target(device(d), map(to: x[2..6]), map(tofrom: y[..8]))]
    for i in 0..4 {
        y[i] = x[i + k];
    }
}

#[omp::offload]
fn gather(d: usize, x: &[u32], y: &mut [u32]) {
    #[omp::target(device(d), map(to: x[2..6]))]
    for i in 0..y.len() {
        y[i] = x[y[i] as usize];
    }
}

#[test]
fn sections_bind_the_host_too() {
    let x: Vec<u32> = (0..9).map(|i| 10 * i).collect();
    on_every_device(|d| {
        let mut y = vec![0; 9];
        part(d, &x, &mut y, 2);
        assert_eq!(y, [20, 30, 40, 50, 0, 0, 0, 0, 0], "device {d}");
        for k in [1, 3] {
            let text = message(|| part(d, &x, &mut y, k));
            assert!(text.contains("section of `x`"), "device {d}: {text}");
        }
        let mut y = vec![2, 5, 3];
        gather(d, &x, &mut y);
        assert_eq!(y, [20, 50, 30], "device {d}");
        let text = message(|| gather(d, &x, &mut [2, 6]));
        assert!(text.contains("section of `x` in the clause has no element 6"), "device {d}: {text}");
        let text = message(|| gather(d, &x, &mut [2, 9]));
        assert!(text.contains("the len is 9 but the index is 9"), "device {d}: {text}");
    });
}

#[omp::offload]
fn scattered(d: usize, y: &mut [u32], at: &[usize]) {
    #[omp::target(device(d), disjoint(y))]
    for i in 0..at.len() {
        y[at[i]] += 1;
    }
}

#[omp::offload]
fn scattered_in_part(d: usize, y: &mut [u32], at: &[usize]) {
    #[omp::target(nowait, device(d), disjoint(y), depend(inout: y[..10]))]
    for i in 0..at.len() {
        y[at[i]] += 1;
    }
    omp::taskwait!();
}

/// The host keeps tables of claims, and a larger array's has words of elements that are outside of the section.
#[test]
fn sections_hold_after_loops_over_larger_arrays() {
    on_every_device(|d| {
        for n in [5000, 300, 64] {
            let mut at: Vec<usize> = (0..n).collect();
            at[n - 1] = 0;
            let text = message(|| scattered(d, &mut vec![0; n], &at));
            assert!(text.contains("y[0]"), "device {d}: {text}");
            let mut y = vec![0; 30];
            scattered_in_part(d, &mut y, &[9, 0, 4]);
            assert_eq!(y.iter().sum::<u32>(), 3, "device {d}");
            let text = message(|| scattered_in_part(d, &mut y, &[9, 10, 4]));
            assert!(text.contains("section of `y` in the clause has no element 10"), "device {d}: {text}");
            assert_eq!(y[10], 0, "device {d}");
        }
    });
}

#[omp::declare_target]
fn fill(part: &mut [i32], by: i32) -> i32 {
    for k in 0..part.len() {
        part[k] += by;
    }
    by
}

#[omp::declare_target]
fn sum(part: &[i32]) -> i32 {
    let mut all = 0;
    for k in 0..part.len() {
        all += part[k];
    }
    all
}

/// Parts are claimed element by element, whoever gets them.
#[omp::offload]
fn parts(d: usize, from: &[usize], y: &mut [i32], z: &mut [i32]) {
    #[omp::target(device(d), disjoint(y, z))]
    for i in 0..from.len() {
        let by = fill(&mut y[from[i]..from[i] + 3], i as i32);
        let row = &y[from[i]..=from[i] + 1];
        z[from[i] / 4] = sum(row) + by;
    }
}

#[test]
fn parts_are_claimed() {
    on_every_device(|d| {
        let from: Vec<usize> = (0..100).map(|i| i * 37 % 100 * 4).collect();
        let (mut y, mut z) = (vec![1i32; 400], vec![0i32; 100]);
        parts(d, &from, &mut y, &mut z);
        for (i, f) in from.iter().enumerate() {
            let v = 1 + i as i32;
            assert_eq!(y[*f..f + 4], [v, v, v, 1], "device {d}");
            assert_eq!(z[f / 4], 2 * v + i as i32, "device {d}");
        }
        let mut close = from.clone();
        close[77] = close[31] + 1;
        let text = message(|| parts(d, &close, &mut vec![1; 400], &mut vec![0; 101]));
        assert!(
            text.contains("`y`") && text.contains("i = 31") && text.contains("i = 77"),
            "device {d}: {text}"
        );
        let empty: Vec<usize> = Vec::new();
        parts(d, &empty, &mut [], &mut []);
        let text = message(|| parts(d, &[0, 398], &mut vec![1; 400], &mut vec![0; 101]));
        assert!(text.contains("401") && !text.contains("meet"), "device {d}: {text}");
    });
}

/// A section and parts of it.
#[omp::offload]
fn windows(d: usize, x: &[i32], y: &mut [i32], k: usize) {
    #[omp::target(device(d), map(to: x[2..8]))]
    for i in 0..y.len() {
        y[i] = sum(&x[i + k..i + k + 2]);
    }
}

#[test]
fn parts_of_sections() {
    on_every_device(|d| {
        let x: Vec<i32> = (0..10).collect();
        let mut y = vec![0; 3];
        windows(d, &x, &mut y, 2);
        assert_eq!(y, [5, 7, 9], "device {d}");
        let text = message(|| windows(d, &x, &mut [0; 3], 5));
        assert!(text.contains("section"), "device {d}: {text}");
    });
}

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Pair {
    x: i64,
    y: i64,
}

struct Model {
    total: i64,
    cells: Vec<i64>,
    at: Pair,
}

impl Model {
    /// Fields that one thread of the device assigns.
    #[omp::offload]
    fn step(&mut self, d: usize) {
        let n = self.cells.len();
        #[omp::target(device(d))]
        {
            #[omp::parallel_for]
            for i in 0..n {
                self.cells[i] += 1;
            }
            self.total += self.cells[0];
            self.at.x = self.cells[n - 1] - self.total;
            for i in 0..n.min(3) {
                self.at.y += self.cells[i] * i as i64;
            }
            #[omp::parallel_for(reduction(+: self.total))]
            for i in 0..n {
                self.total += self.cells[i];
            }
            #[omp::parallel_for]
            for i in 0..n {
                self.cells[i] += self.total;
            }
        }
    }
}

#[test]
fn fields_between_loops() {
    on_every_device(|d| {
        for n in [1usize, 2, 31, 1000] {
            let mut m = Model { total: 3, cells: (0..n as i64).collect(), at: Pair { x: 1, y: 2 } };
            let (mut total, mut cells, mut at) = (3i64, m.cells.clone(), m.at);
            m.step(d);
            cells.iter_mut().for_each(|c| *c += 1);
            total += cells[0];
            at.x = cells[n - 1] - total;
            at.y += cells.iter().take(3).enumerate().map(|(i, c)| c * i as i64).sum::<i64>();
            total += cells.iter().sum::<i64>();
            cells.iter_mut().for_each(|c| *c += total);
            assert_eq!((m.total, m.cells, m.at), (total, cells, at), "device {d}, n = {n}");
        }
    });
}

#[omp::offload(try)]
fn in_a_block(d: usize, to: &[usize], y: &mut [i64], z: &mut [i64]) -> Result<i64, omp::Error> {
    let mut s = 0;
    #[omp::target(device(d), disjoint(y, z))]
    {
        #[omp::parallel_for]
        for i in 0..to.len() {
            y[to[i]] = i as i64;
        }
        z[0] = y[0] + 1;
        #[omp::parallel_for(reduction(+: s))]
        for i in 0..y.len() {
            s += y[i] * i as i64;
        }
        #[omp::parallel_for(disjoint(z))]
        for i in 0..to.len() {
            z[to[i]] += y[i];
        }
    }
    Ok(s)
}

#[test]
fn on_a_block_it_speaks_of_all_its_loops() {
    on_every_device(|d| {
        for n in [1usize, 2, 33, 1000] {
            let mut to: Vec<usize> = (0..n).map(|i| n - 1 - i).collect();
            let (mut y, mut z) = (vec![0; n], vec![5; n]);
            let s = in_a_block(d, &to, &mut y, &mut z).unwrap();
            assert_eq!(s, (0..n as i64).map(|i| i * (n as i64 - 1 - i)).sum::<i64>());
            for i in 0..n {
                assert_eq!(y[i], (n - 1 - i) as i64);
                let before = if i == 0 { n as i64 } else { 5 };
                assert_eq!(z[i], before + i as i64, "device {d}, n = {n}");
            }
            if n > 1 {
                to[n - 1] = to[0];
                let text = in_a_block(d, &to, &mut y, &mut z).unwrap_err().to_string();
                assert!(text.contains(&format!("y[{}]", n - 1)), "{text}");
            }
        }
    });
}

#[omp::offload]
fn stored_late(d: usize, at: &[u32], y: &mut [u64]) {
    #[omp::target(device(d), disjoint(y))]
    for i in 0..at.len() {
        y[at[i] as usize] = i as u64;
    }
}

/// A destructor of a thread's own variable, which runs when others of this thread are gone.
#[test]
fn loops_fail_as_usual_at_the_end_of_a_thread() {
    struct Last(usize, std::sync::mpsc::Sender<bool>);
    impl Drop for Last {
        fn drop(&mut self) {
            let mut y = vec![0; 5000];
            let all: Vec<u32> = (0..5000).rev().collect();
            stored_late(self.0, &all, &mut y);
            let right = y.iter().rev().zip(0..).all(|(y, i)| *y == i);
            let twice = || stored_late(self.0, &[1, 1, 2], &mut y);
            let failed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(twice)).is_err();
            // Whoever waits finds it missing otherwise.
            let _ = self.1.send(right && failed);
        }
    }
    thread_local! {
        static LAST: std::cell::OnceCell<Last> = const { std::cell::OnceCell::new() };
    }
    on_every_device(|d| {
        let (to, from) = std::sync::mpsc::channel();
        let fails = move || {
            // Registered first, so it is dropped last.
            LAST.with(|last| last.get_or_init(|| Last(d, to)).0);
            let _ = std::panic::catch_unwind(|| stored_late(d, &[1, 1, 2], &mut [0; 3]));
        };
        std::thread::spawn(fails).join().expect("the thread ends well");
        assert_eq!(from.recv(), Ok(true), "device {d}");
        stored_late(d, &[0], &mut [1]);
    });
}
