//! Adaptors of iterators after any other, sources of `std::iter`, and what ends a chain: all devices, against the same functions without
//! directives.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{on_every_device, twice};

twice! {
    #[omp::declare_target]
    fn of_user(events: &[(u32, u32)], user: u32) -> &[(u32, u32)] {
        let lo = events.partition_point(|e| e.0 < user);
        let n = events[lo..].partition_point(|e| e.0 == user);
        &events[lo..lo + n]
    }

    #[omp::declare_target]
    fn span(mine: &[(u32, u32)]) -> Option<u32> {
        let first = mine.first()?.1;
        Some(mine.last()?.1 - first)
    }

    pub fn filtered(d: usize, x: &[u32], y: &[u32], out: &mut [[u32; 6]]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let (lo, hi) = (i % 5, i % 5 + i % 11);
            let odd = |v: &&u32| **v % 2 != 0;
            let taken = x[lo..hi].iter().filter(odd).take(3).map(|v| v * 3).sum::<u32>();
            let skipped = x[lo..hi].iter().filter(odd).skip(1).step_by(2).fold(1u32, |a, v| a.wrapping_mul(31) + v);
            let zipped = x[lo..hi].iter().filter(odd).zip(&y[lo..hi]).map(|(a, b)| a * 5 + b).max().unwrap_or(7);
            let other = y[lo..hi].iter().zip(x.iter().skip_while(|v| **v % 4 != 0)).fold(0, |s, (a, b)| s * 3 + a + 2 * b);
            let chained = x[lo..hi].iter().take_while(|v| **v % 7 != 0).chain(&y[..3]).copied().chain([9, 4]).skip(2).take(4);
            let reversed = x[lo..hi].iter().filter(odd).chain(y[..i % 3].iter()).rev().fold(0u32, |s, v| s.wrapping_mul(7) + v);
            out[i] = [taken, skipped, zipped, other, chained.fold(0, |s, v| s * 2 + v), reversed];
        }
    }

    pub fn sources(d: usize, x: &[u32], out: &mut [[u32; 6]]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let g = x[i] % 50;
            let once = std::iter::once(g).chain(x[..i % 4].iter().copied()).zip(1..).map(|(a, b)| a * b).sum::<u32>();
            let repeated = std::iter::repeat(g).take(i % 5).chain(std::iter::repeat_n(3, 2)).enumerate();
            let repeated = repeated.map(|(k, v)| k as u32 * v).sum::<u32>();
            let doubled = std::iter::successors(Some(g + 1), |v| if *v < 3000 { Some(v * 2) } else { None });
            let doubled = doubled.filter(|v| v % 3 != 0).last().unwrap_or(1);
            let mut k = g;
            let stepped = std::iter::from_fn(|| {
                k += 7;
                if k < 90 { Some(k) } else { None }
            })
            .take(5)
            .sum::<u32>();
            let mut pulled = x.iter().skip_while(|v| **v < 20).enumerate().step_by(2);
            while let Some((at, v)) = pulled.next() {
                k = k * 3 % 1000 + at as u32 + v;
            }
            let with = std::iter::repeat_with(|| g + 2).take(3).product::<u32>();
            out[i] = [once, repeated, doubled, stepped, with, k];
        }
    }

    pub fn ends(d: usize, x: &[u32], y: &[u32], out: &mut [[u32; 6]]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let (lo, hi) = (i % 5, i % 5 + i % 11);
            let fourth = x[lo..hi].iter().filter(|v| **v % 3 != 0).nth(i % 4).map_or(99, |v| v + 1);
            let first = x[lo..hi].iter().map(|v| v * 2).skip_while(|v| *v < 20).next().unwrap_or(5);
            let same = x[lo..hi].iter().filter(|v| **v % 2 == 0).eq(y[lo..hi].iter().take(0));
            let equal = x[lo..hi].iter().map(|v| v / 64).eq(y[lo..hi].iter().map(|v| v / 64));
            let less = x[lo..hi].iter().filter(|v| **v % 2 == 0).cmp(y[lo..hi].iter()).is_lt();
            let differs = x[..i % 3].iter().ne(x[..i % 4].iter());
            let largest = x[lo..hi].windows(3).max_by_key(|w| w[0] + w[1] + w[2]).map_or(0, |w| w[0] * 100 + w[2]);
            let part = match y[lo..hi].chunks(4).find(|c| c.len() < 4 || c[0] > 30) {
                Some(c) => c[0] + c.len() as u32 * 1000,
                None => 1,
            };
            let flags = [same, equal, less, differs].iter().fold(0, |f, b| f * 2 + u32::from(*b));
            out[i] = [fourth, first, flags, largest, part, x[lo..hi].chunks_exact(2).last().map_or(3, |c| c[1])];
        }
    }

    pub fn loops(d: usize, x: &[u32], y: &[u32], out: &mut [[u32; 4]]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let (mut chained, mut nested, mut kept) = (0, 0, 0);
            for v in x[..i % 6].iter().copied().chain(Some(7)) {
                if v % 5 == 0 {
                    continue;
                }
                if v == 11 {
                    break;
                }
                chained = chained * 3 + v;
            }
            'all: for v in x[..i % 9].iter().flat_map(|q| (0..q % 4).map(move |t| t + q)) {
                for q in 0..3 {
                    if v + q == 40 {
                        continue 'all;
                    }
                    if v + q == 63 {
                        break 'all;
                    }
                }
                nested += v;
            }
            let mut k = i % 7;
            for v in x[..2].iter().chain(x.get(k)) {
                kept += v;
                k += 1;
            }
            kept += k as u32;
            let mut n = i % 3 + 1;
            x[..2].iter().chain(y[..n].iter()).for_each(|v| {
                kept = kept * 2 + v;
                n += 1;
            });
            let q = 5;
            let same_names = x[..i % 4].iter().flat_map(|v| { let q = v % 3; (0..q).map(move |t| t + q) }).flat_map(|v| { let q = v % 2 + 1; 0..q });
            out[i] = [chained, nested, kept + n as u32, same_names.map(|v| v + q).sum::<u32>()];
        }
    }

    pub fn slices(d: usize, events: &[(u32, u32)], plane: [f64; 3], out: &mut [(u32, u32)], at: &mut [f64]) -> (u32, u32) {
        let (mut used, mut total) = (0, 0);
        #[omp::target(device(d), reduction(+: used, total))]
        for i in 0..out.len() {
            let mine = of_user(events, i as u32);
            let longest = span(mine).unwrap_or(77);
            out[i] = (mine.len() as u32 + span(of_user(events, i as u32 + 1)).unwrap_or(9), longest);
            match of_user(events, i as u32).len() as u32 {
                0 => {}
                n => (used, total) = (used + 1, total + n),
            }
            let [a, b, c] = plane;
            at[i] = a + b * i as f64 + c;
        }
        (used, total)
    }
}

fn numbers(n: u32, seed: u32) -> Vec<u32> {
    (0..n).map(|k| (k * 37 + seed * 11) % 71).collect()
}

#[test]
fn filters_come_before_all_others() {
    let (x, y) = (numbers(40, 1), numbers(40, 2));
    on_every_device(|d| {
        let (mut on, mut by) = (vec![[0; 6]; 41], vec![[0; 6]; 41]);
        device::filtered(d, &x, &y, &mut on);
        plain::filtered(d, &x, &y, &mut by);
        assert_eq!(on, by, "on {d}");
    });
}

#[test]
fn functions_of_std_make_items() {
    let x = numbers(40, 3);
    on_every_device(|d| {
        let (mut on, mut by) = (vec![[0; 6]; 40], vec![[0; 6]; 40]);
        device::sources(d, &x, &mut on);
        plain::sources(d, &x, &mut by);
        assert_eq!(on, by, "on {d}");
    });
}

#[test]
fn chains_end_in_items_and_comparisons() {
    let x = numbers(40, 4);
    let y: Vec<u32> = x.iter().enumerate().map(|(k, v)| if k % 9 == 8 { v + 64 } else { *v }).collect();
    on_every_device(|d| {
        let (mut on, mut by) = (vec![[0; 6]; 41], vec![[0; 6]; 41]);
        device::ends(d, &x, &y, &mut on);
        plain::ends(d, &x, &y, &mut by);
        assert_eq!(on, by, "on {d}");
    });
}

#[test]
fn loops_over_chains_are_left_early() {
    let (x, y) = (numbers(40, 5), numbers(40, 6));
    on_every_device(|d| {
        let (mut on, mut by) = (vec![[0; 4]; 41], vec![[0; 4]; 41]);
        device::loops(d, &x, &y, &mut on);
        plain::loops(d, &x, &y, &mut by);
        assert_eq!(on, by, "on {d}");
    });
}

#[test]
fn functions_search_slices() {
    let events: Vec<(u32, u32)> = (0..60).map(|k| ([0, 2, 3, 3, 7, 12][k as usize / 10], k * k)).collect();
    on_every_device(|d| {
        let plane = [1.0, 2.5, -3.0];
        let (mut on, mut by) = (vec![(0, 0); 15], vec![(0, 0); 15]);
        let (mut at, mut at_by) = (vec![0.0; 15], vec![0.0; 15]);
        let sums = device::slices(d, &events, plane, &mut on, &mut at);
        assert_eq!(sums, plain::slices(d, &events, plane, &mut by, &mut at_by), "on {d}");
        assert_eq!((on, at), (by, at_by), "on {d}");
    });
}
