//! The order in which the parts of an expression are evaluated, where it can be told: each program with its directives on
//! every device, and without them.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use omp_tests::{compare, twice};

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
pub struct Digits(u32);

#[omp::declare_target]
impl std::ops::AddAssign for Digits {
    fn add_assign(&mut self, other: Self) {
        self.0 = self.0 * 10 + other.0;
    }
}

#[omp::declare_target]
pub fn step(k: &mut usize) -> usize {
    *k += 1;
    *k
}

#[omp::declare_target]
pub fn digit(k: &mut usize) -> Digits {
    *k += 1;
    Digits(*k as u32)
}

#[omp::declare_target]
pub fn bump(s: &mut [u32]) -> u32 {
    s[0] += 10;
    s[0]
}

#[omp::declare_target]
pub fn of_parameters(a: &mut [Digits], s: &mut [usize], k: &mut usize) {
    a[s[0]] += digit(k);
    a[*k] += digit(&mut s[1]);
}

#[omp::declare_target]
pub fn bump_twice(s: &mut [u32]) -> u32 {
    s[0] + bump(s) * 10 + s[0] * 1000
}

twice! {
    pub fn subscripts(d: usize, y: &mut [u32]) {
        #[omp::target(device(d))]
        for i in 0..y.len() {
            let (mut k, mut a) = (1, [1u32; 16]);
            a[{ k += 1; k }] = { k *= 2; k as u32 };
            a[{ k += 1; k }] += { k *= 2; k as u32 };
            a[step(&mut k) % 16] = step(&mut k) as u32 + a[step(&mut k) % 16];
            let t = (step(&mut k), [k, step(&mut k), k]);
            a[0] = (t.0 * 1000 + t.1[0] * 100 + t.1[1] * 10 + t.1[2]) as u32;
            a[15] = (k + { k += 5; k } * step(&mut k) + k) as u32;
            for v in a {
                y[i] = y[i] * 3 % 1_000_003 + v;
            }
        }
    }

    /// A slice that is handed on by its name is written.
    pub fn slices(d: usize, y: &mut [u32]) {
        #[omp::target(device(d))]
        for i in 0..y.len() / 2 {
            let mut a = [1u32, 2, 3];
            let s = &mut a[1..];
            let t = s[0] + bump(s) * 100 + s[0] * 10000;
            let u = [s[0], bump(s), s[0]];
            let s = &mut y[i * 2..i * 2 + 2];
            s[1] = s[0] + bump(s) + s[0] + bump_twice(s);
            s[0] += t + u[0] + u[1] * 7 + u[2] * 31;
        }
    }

    /// What a later part of a head changes, an earlier one has read.
    pub fn heads(d: usize, y: &mut [u32]) {
        let (x, mut lo, mut s) = ([1u32, 2, 3, 4, 5, 6, 7, 8, 9], 1, 2);
        #[omp::target(device(d))]
        for (a, v) in y.iter_mut().zip(x[lo..{ lo += 2; 8 }].iter()) {
            *a += *v;
        }
        #[omp::target(device(d))]
        for (a, v) in y.iter_mut().step_by(s).zip(x[step(&mut s)..].iter().rev()) {
            *a += *v * 10;
        }
        #[omp::target(device(d))]
        for (k, v) in (lo..step(&mut lo) + 3).enumerate() {
            y[k] += v as u32 * 100;
        }
        y[5] += (lo * 1000 + s * 10_000) as u32;
    }

    /// What one side changes, the other does not read.
    pub fn user_updates(d: usize, y: &mut [u32]) {
        #[omp::target(device(d))]
        for i in 0..y.len() {
            let (mut j, mut k) = (0, i % 2);
            let mut a = [Digits(1), Digits(2), Digits(3)];
            while j < 3 {
                a[j] += digit(&mut k);
                j += 1;
            }
            a[j - 2] += Digits(a[1].0);
            y[i] = a[0].0 + a[1].0 * 100 + a[2].0;
        }
    }

    /// Two mapped arrays are not one, nor are an array and a scalar.
    pub fn user_updates_of_arrays(d: usize, y: &mut [u32]) {
        let n = y.len();
        let mut sums = vec![Digits(1); n];
        let (mut rng, idx) = (vec![3usize; n], [2usize, 0, 1, 5, 4, 3]);
        let (w, base) = ([Digits(4); 6], 1);
        #[omp::target(device(d))]
        for i in 0..n {
            let mut a = [Digits(1); 8];
            a[idx[i]] += digit(&mut rng[i]);
            a[rng[i]] += w[i];
            a[step(&mut rng[i]) % 8] += w[i + base - 1];
            sums[i] += digit(&mut rng[i]);
            let (mut b, mut k) = ([1usize, 2, 3], [5usize; 2]);
            let s = &mut b[1..];
            a[s[0]] += digit(&mut k[0]);
            a[k[0]] += { s[0] += 1; Digits(s[0] as u32) };
            of_parameters(&mut a, s, &mut k[1]);
            for v in a {
                sums[i].0 = sums[i].0 * 3 % 1_000_003 + v.0;
            }
        }
        for i in 0..n {
            y[i] = sums[i].0 + rng[i] as u32;
        }
    }

    /// What changes something is evaluated as often as it stands there, before the element is looked at.
    pub fn atomic_updates(d: usize, y: &mut [u32]) {
        let mut sums = [1u32; 3];
        #[omp::target(device(d))]
        for i in 0..y.len() {
            let mut k = 1;
            #[omp::atomic]
            sums[0] = step(&mut k) as u32 * 10 + sums[0] + step(&mut k) as u32 * 10;
            #[omp::atomic]
            sums[1] = { k += 1; k as u32 } + sums[1] + { k += 1; k as u32 };
            #[omp::atomic]
            sums[{ k -= 5; k }] += { k += 2; k as u32 };
            y[i] = k as u32;
        }
        y[0] += sums[0] * 100 + sums[1] * 10_000 + sums[2] * 1_000_000;
    }

    /// What the first bound changes, the second reads, of an array on the device.
    pub fn bounds_in_blocks(d: usize, y: &mut [u32]) {
        let (mut c, n) = (0, y.len());
        #[omp::target(device(d))]
        {
            #[omp::parallel_for]
            for i in 0..n {
                y[i] += i as u32;
            }
            #[omp::parallel_for]
            for i in { c += 1; c }..y[c] as usize + 2 {
                y[i] += 10;
            }
            #[omp::parallel_for]
            for i in step(&mut c)..y[c] as usize % 6 {
                y[i] += 100;
            }
        }
    }
}

#[test]
fn parts_are_evaluated_in_their_order() {
    for run in 0..7 {
        compare!(m, d => {
            let mut y = vec![1; 6];
            [m::subscripts, m::slices, m::heads, m::user_updates, m::user_updates_of_arrays, m::bounds_in_blocks, m::atomic_updates][run](d, &mut y);
            y
        });
    }
}

/// The parts of a section that has a length are evaluated once each, wherever it stands.
#[omp::offload]
fn counted_sections(d: usize) -> [usize; 9] {
    let (x, mut y, mut h) = (vec![1; 32], vec![0; 32], vec![1; 32]);
    let (mut k, mut m) = (0, 0);
    #[omp::target(device(d), map(to: x[step(&mut k): step(&mut m)]), map(tofrom: y[{ k += 1; k }: 6]))]
    for i in 0..1 {
        y[i + 2] = x[i + 1];
    }
    #[omp::target_data(device(d), map(tofrom: y[step(&mut k): { m += 7; m }]))]
    {
        omp::target_update!(device(d), to(y[step(&mut k): step(&mut m) / 9]));
        #[omp::target(device(d))]
        for i in 4..6 {
            y[i] += 5;
        }
    }
    #[omp::target(device(d), reduction(+: h[step(&mut k): 4]))]
    for i in 0..10 {
        h[5 + i % 4] += i;
    }
    omp::target_enter_data!(device(d), map(to: y[step(&mut k): 2]));
    k -= 1;
    omp::target_exit_data!(device(d), map(from: y[step(&mut k): 2]));
    #[omp::target(device(d), nowait, map(tofrom: y), depend(out: y[step(&mut k): step(&mut m)]))]
    for i in 0..1 {
        y[i + 8] += 3;
    }
    omp::taskwait!();
    omp::target_update!(device(omp::get_initial_device()), to(x[step(&mut k): 3]));
    [k, m, y[2], y[4], y[5], y[8], h[4], h[5], h[8]]
}

/// What stands on a block is evaluated once for all of its loops, where the block starts, and by the names of there.
#[omp::offload]
fn numbers_of_blocks(d: usize, y: &mut [usize], t: &mut [usize]) -> usize {
    let (mut k, n) = (0, 3);
    for _ in 0..2 {
        #[omp::target(device(d), num_teams(step(&mut k)), thread_limit(t[0] + n), disjoint(t))]
        {
            let n = -1;
            for r in 0..3 {
                #[omp::parallel_for]
                for i in 0..y.len() {
                    y[i] += r + (n + 1) as usize;
                }
            }
            y[0] += 1;
            #[omp::parallel_for]
            for i in 0..t.len() {
                t[i] += y[i];
            }
        }
    }
    k
}

#[test]
fn numbers_of_blocks_are_evaluated_once() {
    for d in 0..=omp::get_num_devices() {
        let (mut y, mut t) = (vec![1; 4], vec![1; 4]);
        assert_eq!(numbers_of_blocks(d, &mut y, &mut t), 2, "on device {d}");
        assert_eq!((y, t), (vec![9, 7, 7, 7], vec![15, 12, 12, 12]), "on device {d}");
    }
}

/// What a task comes to, clauses and bounds wait for like other host code.
#[omp::offload]
fn values_of_tasks(d: usize, y: &mut [usize]) -> usize {
    let (mut k, mut last) = (0, 0);
    #[omp::target(device(d), nowait, reduction(+: k), lastprivate(last))]
    for i in 0..4 {
        k += y[i];
        last = i;
    }
    #[omp::target(device(d), if(k == 4 && last == 3))]
    for i in 0..4 {
        y[i] += 1;
    }
    #[omp::target(device(d), nowait, num_teams(k), map(tofrom: y[..k]), schedule(static, k))]
    for i in 0..last + 1 {
        y[i] += 1;
    }
    #[omp::target_data(device(d), map(tofrom: y[k - 4: k]), if(k == 4))]
    {
        #[omp::target(device(d), nowait, thread_limit(k))]
        {
            #[omp::parallel_for(num_threads(k))]
            for i in 0..4 {
                y[i] += 1;
            }
        }
        omp::target_update!(device(d), if(last == 3), from(y[..k]));
    }
    #[omp::parallel_for(num_threads(k))]
    for i in 0..4 {
        y[i] += 1;
    }
    omp::taskwait!();
    k + last
}

#[test]
fn clauses_wait_for_values_of_tasks() {
    for d in 0..=omp::get_num_devices() {
        let mut y = vec![1; 4];
        assert_eq!(values_of_tasks(d, &mut y), 7, "on device {d}");
        assert_eq!(y, [5; 4], "on device {d}");
    }
}

#[test]
fn sections_with_a_length_are_evaluated_once() {
    for d in 0..=omp::get_num_devices() {
        assert_eq!(counted_sections(d), [8, 10, 1, 5, 5, 3, 1, 13, 11], "on device {d}");
    }
}
