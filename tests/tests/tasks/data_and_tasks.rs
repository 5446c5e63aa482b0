//! Data regions and tasks where they meet what else Rust has: every way out of every kind of region, generic functions, fields, empty and odd
//! sections, conditions that are false, several threads, and mistakes in the middle.
#![allow(
    clippy::needless_range_loop,
    clippy::needless_return,
    reason = "every spelling that users may choose"
)]
use omp_tests::{on_every_device, panic_text};
use std::panic::{AssertUnwindSafe, catch_unwind};

const SIZES: [usize; 5] = [0, 1, 2, 37, 1000];

/// Whether host and device have a copy each.
fn apart(d: usize) -> bool {
    d < omp::get_num_devices()
}

fn numbers(n: usize) -> Vec<i64> {
    (0..n as i64).map(|i| (i * 7919) % 101 - 50).collect()
}

// ---------------------------------------------------------------------------------------------- ways out

/// Leaves a region on a `while` in each way there is.
#[omp::offload(try)]
fn leaves(d: usize, x: &mut [i64], how: usize) -> Result<usize, Box<dyn std::error::Error>> {
    let mut rounds = 0;
    'outer: loop {
        #[omp::target_data(map(tofrom: x), device(d))]
        while rounds < 5 {
            #[omp::target(device(d))]
            for i in 0..x.len() {
                x[i] += 1;
            }
            rounds += 1;
            match how {
                0 => continue,
                1 if rounds == 2 => break,
                2 if rounds == 2 => break 'outer,
                3 if rounds == 4 => continue 'outer,
                4 if rounds == 3 => return Ok(rounds),
                5 if rounds == 3 => {
                    let n: usize = "no number".parse()?;
                    rounds += n;
                }
                6 if rounds == 3 => panic!("{}", String::from("in the middle")),
                _ => {}
            }
        }
        break;
    }
    Ok(rounds)
}

#[test]
fn every_way_out_of_a_region() {
    on_every_device(|d| {
        omp::set_default_device(d);
        for n in SIZES {
            for (how, rounds) in [5, 2, 2, 5, 3, 3, 3].into_iter().enumerate() {
                let mut x = numbers(n);
                let left =
                    catch_unwind(AssertUnwindSafe(|| leaves(d, &mut x, how).map_err(|e| e.to_string())));
                match left {
                    Ok(Ok(got)) => assert_eq!(got, rounds, "{how}, {n} on {d}"),
                    Ok(Err(error)) => assert!(how == 5 && error.contains("invalid digit"), "{error}"),
                    Err(payload) => assert!(how == 6 && panic_text(&*payload) == "in the middle"),
                }
                // After a panic nothing is brought back.
                let by = if how == 6 && apart(d) { 0 } else { rounds as i64 };
                let want: Vec<i64> = numbers(n).iter().map(|v| v + by).collect();
                assert_eq!(x, want, "{how}, {n} on {d}");
                assert!(n == 0 || !apart(d) || !omp::target_is_present(&x), "{how}, {n} on {d}");
            }
        }
    });
}

/// The data moves while it is mapped.
#[omp::offload(try)]
fn moves(d: usize, x: &mut Vec<i64>, how: usize) -> Result<(), omp::Error> {
    #[omp::target_data(map(tofrom: x), device(d))]
    {
        #[omp::target(device(d))]
        for i in 0..x.len() {
            x[i] += 1;
        }
        match how {
            0 => *x = x.iter().map(|v| v * 2).collect(),
            1 => x.truncate(1),
            2 => x.extend_from_slice(&[1; 4000]),
            _ => {}
        }
    }
    Ok(())
}

#[test]
fn moved_data_is_an_error_at_the_exit() {
    on_every_device(|d| {
        omp::set_default_device(d);
        for how in 0..4 {
            let mut x = numbers(40);
            let result = moves(d, &mut x, how);
            if how == 3 {
                result.expect("it stays");
                continue;
            }
            let text = result.expect_err("it has moved").to_string();
            assert!(text.contains("`x`"), "{text}: {how} on {d}");
            assert!(!apart(d) || !omp::target_is_present(&x));
            moves(d, &mut x, 3).expect("the program can go on");
        }
    });
}

/// Names of a region change places in it.
#[omp::offload(try)]
fn swaps(d: usize, mut a: Vec<i64>, mut b: Vec<i64>, steps: usize) -> Result<[Vec<i64>; 2], omp::Error> {
    #[omp::target_data(map(tofrom: a, b), device(d))]
    {
        for _ in 0..steps {
            #[omp::target(device(d))]
            for i in 0..b.len() {
                b[i] = a[i] + 1;
            }
            std::mem::swap(&mut a, &mut b);
        }
    }
    Ok([a, b])
}

/// Only what `a` names at the end is copied back.
#[omp::offload]
fn swaps_with_scratch(d: usize, a: &mut [i64], scratch: &mut [i64], steps: usize) -> i64 {
    let (mut a, mut next) = (a, scratch);
    #[omp::target_data(map(tofrom: a), map(alloc: next), device(d))]
    for _ in 0..steps {
        #[omp::target(device(d))]
        for i in 0..a.len() {
            next[i] = a[i] * 2 + i as i64;
        }
        std::mem::swap(&mut a, &mut next);
    }
    a.iter().sum()
}

#[omp::offload(try)]
fn one_of_two_is_moved(d: usize, mut a: Vec<i64>, mut b: Vec<i64>) -> Result<(), omp::Error> {
    let kept;
    #[omp::target_data(map(tofrom: a, b), device(d))]
    {
        #[omp::target(device(d))]
        for i in 0..b.len() {
            b[i] = a[i] + 1;
        }
        std::mem::swap(&mut a, &mut b);
        kept = std::mem::replace(&mut b, numbers(40));
    }
    assert_eq!((kept.len(), a.len(), b.len()), (40, 40, 40));
    Ok(())
}

#[test]
fn swapped_names_bring_back_what_they_name() {
    let plus = |k: i64, n| numbers(n).iter().map(|v| v + k).collect::<Vec<i64>>();
    on_every_device(|d| {
        for steps in 0..5 {
            let [a, b] = swaps(d, numbers(40), numbers(40), steps).expect("no data was moved");
            assert_eq!(a, plus(steps as i64, 40), "{steps} on {d}");
            assert_eq!(b, plus((steps as i64 - 1).max(0), 40), "{steps} on {d}");
            let (mut x, mut scratch) = (numbers(33), vec![0; 33]);
            let (mut want, mut other) = (numbers(33), vec![0; 33]);
            let sum = swaps_with_scratch(d, &mut x, &mut scratch, steps);
            for _ in 0..steps {
                for i in 0..33 {
                    other[i] = want[i] * 2 + i as i64;
                }
                std::mem::swap(&mut want, &mut other);
            }
            assert_eq!(sum, want.iter().sum::<i64>(), "{steps} on {d}");
        }
        // Of other lengths.
        let [a, b] = swaps(d, numbers(41), numbers(40), 1).expect("no data was moved");
        assert_eq!((a, b), (plus(1, 40), numbers(41)), "on {d}");
        let text =
            one_of_two_is_moved(d, numbers(40), numbers(40)).expect_err("`b` is another vector").to_string();
        assert!(text.contains("`b`") && text.contains("was moved"), "{text}: on {d}");
    });
}

// ---------------------------------------------------------------------------------------------- generic, fields, sections

struct Grid<T> {
    cells: Vec<T>,
    halo: [T; 3],
    seen: usize,
}

impl<T: omp::Device + PartialOrd + std::ops::AddAssign + std::ops::Add<Output = T>> Grid<T> {
    #[omp::offload(try)]
    fn run(&mut self, d: usize, (lo, hi): (usize, usize), here: bool, one: T) -> Result<T, omp::Error> {
        let mut tail = one;
        #[omp::target_data(map(tofrom: self.cells[lo..hi], self.halo), if(here), device(d))]
        {
            for _ in 0..2 {
                #[omp::target(device(d))]
                for i in lo..hi {
                    self.cells[i] += one + self.halo[1];
                }
            }
            omp::target_update!(from(self.cells[lo..hi]), if(here), device(d));
            if hi > lo {
                tail = self.cells[hi - 1];
                self.cells[lo] = one;
            }
            omp::target_update!(to(self.cells[lo..hi]), if(here), device(d));
            #[omp::target_data(map(tofrom: self.cells[lo..hi]), device(d))]
            {
                #[omp::target(device(d), reduction(+: self.seen))]
                for i in lo..hi {
                    if self.cells[i] > one {
                        self.seen += 1;
                    }
                }
            }
            #[omp::target(device(d))]
            for i in 0..3 {
                self.halo[i] += one;
            }
        }
        Ok(tail)
    }
}

#[test]
fn fields_of_generic_types_in_sections() {
    on_every_device(|d| {
        omp::set_default_device(d);
        for n in SIZES {
            for (lo, hi) in [(0, n), (n / 3, n - n / 3), (n / 2, n / 2), (n.saturating_sub(1), n)] {
                for here in [true, false] {
                    let mut grid = Grid { cells: numbers(n), halo: [1, 2, 3], seen: 5 };
                    let mut want = numbers(n);
                    want[lo..hi].iter_mut().for_each(|v| *v += 2 * 3);
                    let mut tail = 1;
                    if hi > lo {
                        tail = want[hi - 1];
                        want[lo] = 1;
                    }
                    let seen = format!("{lo}..{hi} of {n}, {here} on {d}");
                    assert_eq!(grid.run(d, (lo, hi), here, 1).map_err(|e| e.to_string()), Ok(tail), "{seen}");
                    assert_eq!(grid.seen, 5 + want[lo..hi].iter().filter(|v| **v > 1).count(), "{seen}");
                    assert_eq!((grid.cells, grid.halo), (want, [2, 3, 4]), "{seen}");
                }
            }
        }
    });
}

// ---------------------------------------------------------------------------------------------- entered data

#[omp::offload(try)]
fn enter(d: usize, x: &mut Vec<f32>, part: (usize, usize)) -> Result<(), omp::Error> {
    let (lo, hi) = part;
    omp::target_enter_data!(map(to: x[lo..hi]), device(d));
    Ok(())
}

#[omp::offload(try)]
fn twice(d: usize, x: &mut Vec<f32>, part: (usize, usize)) -> Result<(), omp::Error> {
    let (lo, hi) = part;
    #[omp::target(device(d))]
    for i in lo..hi {
        x[i] *= 2.0;
    }
    Ok(())
}

#[omp::offload(try)]
fn exit(d: usize, x: &mut Vec<f32>, part: (usize, usize)) -> Result<(), omp::Error> {
    let (lo, hi) = part;
    omp::target_exit_data!(map(from: x[lo..hi]), device(d));
    Ok(())
}

#[omp::offload(try)]
fn delete(d: usize, x: &mut Vec<f32>) -> Result<(), omp::Error> {
    omp::target_exit_data!(map(delete: x), device(d));
    Ok(())
}

#[test]
fn entered_data_counts_its_references() {
    on_every_device(|d| {
        omp::set_default_device(d);
        for n in [1usize, 2, 37, 1000] {
            let whole = (0, n);
            let part = (n / 3, n - n / 3);
            let mut x: Vec<f32> = (0..n).map(|i| i as f32).collect();
            enter(d, &mut x, whole).expect("it enters");
            enter(d, &mut x, part).expect("a part of it fits");
            twice(d, &mut x, part).expect("it runs");
            assert_eq!(omp::last_region().bytes_to_device, 0, "it is present, on {d}");
            exit(d, &mut x, part).expect("one reference");
            let host_kept = x.iter().enumerate().all(|(i, v)| *v == i as f32);
            assert!(!apart(d) || host_kept, "it is the device's still");
            exit(d, &mut x, whole).expect("the other");
            let want = |i: usize| if (part.0..part.1).contains(&i) { 2.0 * i as f32 } else { i as f32 };
            assert!(x.iter().enumerate().all(|(i, v)| *v == want(i)), "{n} on {d}");
            if apart(d) {
                let text = exit(d, &mut x, whole).expect_err("it is not there").to_string();
                assert!(text.contains("not present"), "{text}");
                assert!(delete(d, &mut x).is_err());
            }
            // All references at once.
            enter(d, &mut x, whole).and_then(|()| enter(d, &mut x, whole)).expect("it enters");
            delete(d, &mut x).expect("it is there");
            assert!(!apart(d) || exit(d, &mut x, whole).is_err());
        }
        let mut empty = Vec::new();
        enter(d, &mut empty, (0, 0)).expect("nothing");
        twice(d, &mut empty, (0, 0)).expect("nothing");
        exit(d, &mut empty, (0, 0)).expect("nothing");
    });
}

#[test]
fn entered_data_of_another_length_is_never_used() {
    on_every_device(|d| {
        omp::set_default_device(d);
        let mut x = vec![1.0f32; 64];
        x.reserve_exact(100);
        enter(d, &mut x, (8, 56)).expect("it enters");
        // In part inside, in part not.
        let outside = twice(d, &mut x, (0, 64));
        assert_eq!(outside.is_err(), apart(d), "{outside:?}");
        let outside = enter(d, &mut x, (0, 20));
        assert_eq!(outside.is_err(), apart(d), "{outside:?}");
        x.push(1.0);
        assert_eq!(exit(d, &mut x, (8, 57)).is_err(), apart(d));
        exit(d, &mut x, (8, 56)).expect("as it was entered");
        // On the host all of it ran.
        let of = |i| if apart(d) || i == 64 { 1.0 } else { 2.0 };
        assert_eq!(x, (0..65).map(of).collect::<Vec<f32>>());
    });
}

// ---------------------------------------------------------------------------------------------- guards

/// All that a guard can do.
#[omp::offload]
fn guards(d: usize, x: &mut [i64], y: &mut Vec<i64>) -> (i64, i64, usize, Option<i64>) {
    #[omp::target(nowait, device(d))]
    for i in 0..x.len() {
        x[i] += 1;
    }
    #[omp::target(nowait, device(d))]
    for i in 0..y.len() {
        y[i] = x[i] * 2;
    }
    let mut sum = 0;
    for v in x.iter() {
        sum += v;
    }
    for v in &mut *y {
        *v -= 1;
    }
    #[omp::target(nowait, device(d))]
    for i in 0..y.len() {
        y[i] += x[i];
    }
    let n = y.len();
    y.sort_unstable();
    y.reverse();
    let half = y[n / 2..].iter().sum::<i64>();
    let last = y.last().copied();
    #[omp::target(nowait, device(d))]
    for i in 0..x.len() {
        x[i] -= 1;
    }
    if let [first, ..] = &mut x[..] {
        *first += 10;
    }
    omp::taskwait!();
    y.push(7);
    (sum, half, y.len(), last)
}

#[test]
fn guards_stand_for_slices() {
    on_every_device(|d| {
        omp::set_default_device(d);
        for n in SIZES {
            let (mut x, mut y) = (numbers(n), vec![0; n]);
            let got = guards(d, &mut x, &mut y);
            let mut wx: Vec<i64> = numbers(n).iter().map(|v| v + 1).collect();
            let mut wy: Vec<i64> = wx.iter().map(|v| v * 3 - 1).collect();
            let sum = wx.iter().sum();
            wy.sort_unstable();
            wy.reverse();
            let want = (sum, wy[n / 2..].iter().sum(), n + 1, wy.last().copied());
            wx.iter_mut().for_each(|v| *v -= 1);
            wx.iter_mut().take(1).for_each(|v| *v += 10);
            wy.push(7);
            assert_eq!((got, x, y), (want, wx, wy), "{n} on {d}");
        }
    });
}

/// A group that is left by a panic, by `?` and by `break`, with tasks under way.
#[omp::offload(try)]
fn groups(d: usize, x: &mut [i64], y: &mut [i64], how: usize) -> Result<i64, Box<dyn std::error::Error>> {
    let mut rounds = 0;
    #[omp::taskgroup]
    for k in 0..4 {
        #[omp::target(nowait, device(d))]
        for i in 0..x.len() {
            assert!(how != 3 || k < 2 || i != 0, "round {k}");
            x[i] += k;
        }
        rounds += 1;
        match how {
            1 if k == 1 => break,
            2 if k == 1 => return Err("by return".into()),
            4 if k == 1 => panic!("{}", String::from("by panic")),
            _ => {}
        }
    }
    #[omp::target(nowait, device(d), if(rounds > 2))]
    for i in 0..y.len() {
        y[i] = x[i];
    }
    Ok(rounds)
}

#[test]
fn groups_are_waited_for_however_they_are_left() {
    on_every_device(|d| {
        omp::set_default_device(d);
        for n in SIZES {
            for how in 0..5 {
                let (mut x, mut y) = (vec![0; n], vec![-1; n]);
                let run = AssertUnwindSafe(|| groups(d, &mut x, &mut y, how).map_err(|e| e.to_string()));
                let got = catch_unwind(run).map_err(|p| panic_text(&*p).to_owned());
                let seen = format!("{how}, {n} on {d}");
                match how {
                    0 => assert_eq!((got, x, y), (Ok(Ok(4)), vec![6; n], vec![6; n]), "{seen}"),
                    1 => assert_eq!((got, x, y), (Ok(Ok(2)), vec![1; n], vec![1; n]), "{seen}"),
                    2 => assert_eq!((got, x), (Ok(Err("by return".into())), vec![1; n]), "{seen}"),
                    3 if n == 0 => assert_eq!(got, Ok(Ok(4))),
                    3 => {
                        let text = got.expect("no panic").expect_err("it fails");
                        assert!(text.contains("round 2"), "{text}: {seen}");
                        assert_eq!(y, vec![-1; n], "{seen}");
                    }
                    _ => assert_eq!((got, x), (Err("by panic".into()), vec![1; n]), "{seen}"),
                }
            }
        }
    });
}

// ---------------------------------------------------------------------------------------------- threads

#[omp::offload]
fn neighbours(d: usize, left: &[i64], right: &[i64], y: &mut [i64]) {
    #[omp::target(nowait, device(d))]
    for i in 0..y.len() {
        y[i] = left[i] + right[i];
    }
}

#[test]
fn threads_share_what_they_read() {
    on_every_device(|d| {
        omp::set_default_device(d);
        let x = numbers(501);
        let wanted: Vec<i64> = x.windows(2).map(|w| w[0] + w[1]).collect();
        std::thread::scope(|s| {
            for _ in 0..4 {
                s.spawn(|| {
                    for _ in 0..5 {
                        let mut y = vec![0; 500];
                        neighbours(d, &x[..500], &x[1..], &mut y);
                        assert_eq!(y, wanted, "on {d}");
                    }
                });
            }
        });
        let mut y = vec![0; 500];
        neighbours(d, &x[..500], &x[1..], &mut y);
    });
}

#[omp::offload(try)]
fn mapped_twice(d: usize, v: &mut [i64], k: usize) -> Result<(), omp::Error> {
    let (low, high) = v.split_at_mut(k);
    #[omp::target_data(map(to: low), map(tofrom: high), device(d))]
    {
        #[omp::target(device(d))]
        for i in 0..high.len() {
            high[i] += low[i];
        }
    }
    Ok(())
}

#[test]
fn neighbouring_slices_are_two_arrays() {
    on_every_device(|d| {
        omp::set_default_device(d);
        let mut v = numbers(80);
        mapped_twice(d, &mut v, 40).expect("they do not overlap");
        let x = numbers(80);
        assert!((0..40).all(|i| v[i] == x[i] && v[40 + i] == x[i] + x[40 + i]), "on {d}");
    });
}

// ---------------------------------------------------------------------------------------------- updates

/// Updates of sections, as tasks and at once, where they are wanted or not.
#[omp::offload(try)]
fn updates(
    d: usize,
    (x, y): (&mut [i64], &mut [i64]),
    [a, b, e]: [usize; 3],
    (later, wanted): (bool, bool),
) -> Result<i64, omp::Error> {
    #[omp::target_data(map(tofrom: x), map(alloc: y), device(d))]
    {
        // The host's copies are its own.
        x.fill(100);
        y.fill(200);
        if later {
            omp::target_update!(to(x[a..b], y[b..e]), nowait, depend(out: x[a..b]), device(d), if(wanted));
            #[omp::target(nowait, depend(in: x[a..b]), device(d))]
            for i in 0..x.len() {
                x[i] += 1;
            }
            omp::target_update!(from(x[..a], x[b..e]), nowait, device(d), if(wanted));
            omp::taskwait!();
        } else {
            omp::target_update!(to(x[a..b], y[b..e]), device(d), if(wanted));
            #[omp::target(device(d))]
            for i in 0..x.len() {
                x[i] += 1;
            }
            omp::target_update!(from(x[..a], x[b..e]), device(d), if(wanted));
        }
    }
    Ok(x.iter().sum())
}

#[test]
fn updates_of_sections() {
    on_every_device(|d| {
        omp::set_default_device(d);
        for n in SIZES {
            let cuts = [[0, 0, n], [0, n, n], [n / 3, n - n / 3, n], [n / 2, n / 2, n / 2]];
            for (cut, later) in cuts.into_iter().flat_map(|cut| [(cut, false), (cut, true)]) {
                for wanted in [true, false] {
                    let (mut x, mut y) = (numbers(n), vec![0; n]);
                    let got = updates(d, (&mut x, &mut y), cut, (later, wanted)).map_err(|e| e.to_string());
                    let seen = format!("{cut:?} of {n}, {later}, {wanted} on {d}");
                    let sent = |i: usize| !apart(d) || wanted && (cut[0]..cut[1]).contains(&i);
                    let own = numbers(n);
                    let want: Vec<i64> = (0..n).map(|i| if sent(i) { 101 } else { own[i] + 1 }).collect();
                    assert_eq!(x, want, "{seen}");
                    assert_eq!(got, Ok(want.iter().sum()), "{seen}");
                    assert_eq!(y, vec![200; n], "{seen}");
                }
            }
            let (mut x, mut y) = (numbers(n), vec![0; n]);
            let error = updates(d, (&mut x, &mut y), [0, n + 1, n + 1], (false, true));
            assert!(error.is_err(), "it is outside, {n} on {d}");
        }
    });
}

#[omp::offload(try)]
fn absent(d: usize, x: &mut [i64], how: usize) -> Result<(), omp::Error> {
    match how {
        0 => omp::target_update!(to(x), device(d)),
        1 => omp::target_update!(from(x), device(d)),
        2 => omp::target_exit_data!(map(release: x), device(d)),
        3 =>
        {
            #[omp::target(map(present, tofrom: x), device(d))]
            for i in 0..x.len() {
                x[i] += 1;
            }
        }
        4 => {
            #[omp::target_data(map(present, to: x), device(d))]
            {
                let _ = x.len();
            }
        }
        5 => omp::target_exit_data!(map(from: x), device(d), if(false)),
        _ => omp::target_update!(to(x[..0]), device(d)),
    }
    Ok(())
}

#[test]
fn what_is_not_there_is_an_error() {
    on_every_device(|d| {
        omp::set_default_device(d);
        for n in SIZES {
            for how in 0..7 {
                let mut x = numbers(n);
                let result = absent(d, &mut x, how);
                let fails = apart(d) && n > 0 && how < 5;
                assert_eq!(result.is_err(), fails, "{result:?}: {how}, {n} on {d}");
                assert!(how == 3 && !fails || x == numbers(n), "{how}, {n} on {d}");
            }
        }
        // The test looks at the last region.
        let (mut x, mut y) = (numbers(3), vec![0; 3]);
        guards(d, &mut x, &mut y);
    });
}

/// Data is deleted while tasks use it.
#[omp::offload(try)]
fn deleted(d: usize, x: &mut [i64], y: &mut [i64]) -> Result<(), omp::Error> {
    omp::target_enter_data!(map(to: x), device(d));
    #[omp::target(nowait, device(d))]
    for i in 0..y.len() {
        for _ in 0..200 {
            y[i] += x[i];
        }
    }
    omp::target_exit_data!(map(delete: x), device(d));
    Ok(())
}

#[test]
fn data_is_deleted_behind_its_last_use() {
    on_every_device(|d| {
        omp::set_default_device(d);
        for n in SIZES {
            let (mut x, mut y) = (numbers(n), vec![0; n]);
            deleted(d, &mut x, &mut y).expect("it is there");
            let want: Vec<i64> = numbers(n).iter().map(|v| v * 200).collect();
            assert_eq!((x, y), (numbers(n), want), "{n} on {d}");
        }
    });
}

/// Regions around tasks that are left between launch and wait, and by what fails there.
#[omp::offload]
fn left_early(d: usize, x: &mut [i64], early: bool) -> i64 {
    #[omp::target_data(map(tofrom: x), device(d))]
    for k in 0..3 {
        #[omp::target(nowait, device(d))]
        for i in 0..x.len() {
            x[i] += 1;
        }
        if early && k == 1 {
            return k;
        }
        omp::taskwait!();
    }
    9
}

#[omp::offload(try)]
fn left_by_failures(d: usize, x: &mut [i64], z: &mut [i64], at: usize) -> Result<(), omp::Error> {
    #[omp::target_data(map(tofrom: x), device(d))]
    {
        #[omp::target(nowait, device(d))]
        for i in 0..x.len() {
            assert!(i != at, "element {i}");
            x[i] += 1;
        }
        #[omp::target(device(d))]
        for i in 0..z.len() {
            z[i] += 1;
        }
        omp::taskwait!();
    }
    Ok(())
}

#[test]
fn regions_are_left_while_tasks_are_under_way() {
    on_every_device(|d| {
        omp::set_default_device(d);
        for n in SIZES {
            for (early, left, by) in [(false, 9, 3), (true, 1, 2)] {
                let mut x = numbers(n);
                assert_eq!(left_early(d, &mut x, early), left, "{n} on {d}");
                assert!(x.iter().zip(numbers(n)).all(|(x, was)| *x == was + by), "{early}, {n} on {d}");
            }
            let (mut x, mut z) = (numbers(n), vec![0; n]);
            if n > 0 {
                let text = left_by_failures(d, &mut x, &mut z, n - 1).expect_err("it fails").to_string();
                assert!(text.contains(&format!("element {}", n - 1)), "{text}: {n} on {d}");
                assert!(!apart(d) || !omp::target_is_present(&x), "{n} on {d}");
            }
            let mut x = numbers(n);
            left_by_failures(d, &mut x, &mut z, n).expect("it ends well");
            assert!(x.iter().zip(numbers(n)).all(|(x, was)| *x == was + 1), "{n} on {d}");
        }
    });
}
