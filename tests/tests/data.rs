//! Data regions, stand-alone data directives and target blocks on every device, against plain Rust.
#![allow(
    clippy::manual_is_multiple_of,
    clippy::needless_range_loop,
    reason = "every spelling that users may choose"
)]
#![allow(clippy::cast_lossless, reason = "bodies have `as`")]
use omp_tests::{Values, on_every_device};
use std::panic::{AssertUnwindSafe, catch_unwind};

const SIZES: [usize; 7] = [0, 1, 2, 33, 255, 1000, 4097];

fn numbers(n: usize, seed: u64) -> Vec<i64> {
    let mut v = Values(seed);
    (0..n).map(|_| i64::from(v.bits() % 2001) - 1000).collect()
}

/// Whether host and device have a copy each.
fn apart(d: usize) -> bool {
    d < omp::get_num_devices()
}

fn text_of(payload: &(dyn std::any::Any + Send)) -> &str {
    payload.downcast_ref::<String>().map_or("", String::as_str)
}

// ---------------------------------------------------------------------------------------------- data regions

#[omp::offload]
fn present_moves_nothing(d: usize, x: &mut [i64], y: &[i64]) -> (u64, u64) {
    let mut moved = (0, 0);
    #[omp::target_data(map(tofrom: x), map(to: y), device(d))]
    for round in 0..3 {
        #[omp::target(device(d))]
        for i in 0..x.len() {
            x[i] = 3 * x[i] + y[i] + round;
        }
        let report = omp::last_region();
        moved.0 += report.bytes_to_device;
        moved.1 += report.bytes_from_device;
    }
    moved
}

#[test]
fn regions_on_present_data_move_no_byte() {
    on_every_device(|d| {
        for n in SIZES {
            let (mut x, y) = (numbers(n, 1), numbers(n, 2));
            let mut want = x.clone();
            for round in 0..3 {
                want.iter_mut().zip(&y).for_each(|(x, y)| *x = 3 * *x + y + round);
            }
            assert_eq!(present_moves_nothing(d, &mut x, &y), (0, 0), "{n} on device {d}");
            assert_eq!(x, want, "{n} on device {d}");
        }
    });
}

#[omp::offload]
fn twice<T: omp::Device + std::ops::Add<Output = T>>(d: usize, part: &mut [T]) {
    #[omp::target(device(d))]
    for i in 0..part.len() {
        part[i] = part[i] + part[i];
    }
}

#[omp::offload]
fn parts<T: omp::Device + std::ops::Add<Output = T>>(d: usize, x: &mut [T], lo: usize, hi: usize) {
    #[omp::target_data(map(tofrom: x[lo..]), device(d))]
    {
        twice(d, &mut x[lo + 1..hi]);
        if lo + 3 < hi {
            twice(d, &mut x[lo + 3..lo + 4]);
        }
    }
}

#[test]
fn parts_of_present_data_fit_wherever_they_begin() {
    on_every_device(|d| {
        for n in [8usize, 33, 1000] {
            for (lo, hi) in [(0, n), (1, n - 1), (3, n - 2), (2, 7)] {
                let mut bytes: Vec<u8> = (0..n).map(|i| (i % 50) as u8).collect();
                let mut wide: Vec<f64> = (0..n).map(|i| i as f64).collect();
                parts(d, &mut bytes, lo, hi);
                parts(d, &mut wide, lo, hi);
                for i in 0..n {
                    let times =
                        if i > lo && i < hi { 2 } else { 1 } * if i == lo + 3 && lo + 3 < hi { 2 } else { 1 };
                    assert_eq!(bytes[i], (i % 50) as u8 * times, "byte {i} of {n}, {lo}..{hi}, device {d}");
                    assert_eq!(wide[i], i as f64 * f64::from(times), "{i} of {n}, {lo}..{hi}, device {d}");
                }
            }
        }
    });
}

#[omp::offload]
fn add_one(d: usize, x: &mut [i64]) {
    #[omp::target(device(d))]
    for i in 0..x.len() {
        x[i] += 1;
    }
}

fn parsed(text: &str) -> Result<i64, std::num::ParseIntError> {
    text.parse()
}

#[omp::offload]
fn by_question_mark(d: usize, x: &mut [i64], text: &str) -> Result<i64, Box<dyn std::error::Error>> {
    let value;
    #[omp::target_data(map(tofrom: x), device(d))]
    {
        add_one(d, x);
        #[omp::target_data(map(to: x), device(d))]
        {
            add_one(d, x);
            value = parsed(text)? + parsed("1")?;
        }
        add_one(d, x);
    }
    Ok(value)
}

#[omp::offload]
fn by_option(d: usize, x: &mut [i64], at: usize) -> Option<i64> {
    let found = #[omp::target_data(map(tofrom: x), device(d))]
    {
        add_one(d, x);
        let text = format!("{}", [4i64, 5].get(at)?);
        text.len() as i64
    };
    Some(found)
}

#[omp::offload]
fn by_return(d: usize, x: &mut [i64], early: bool) -> usize {
    #[omp::target_data(map(tofrom: x), device(d))]
    {
        add_one(d, x);
        if early {
            return x.len();
        }
        add_one(d, x);
    }
    0
}

#[omp::offload]
fn by_break(d: usize, x: &mut [i64], rounds: usize) -> usize {
    let mut n = 0;
    'all: loop {
        n += 1;
        #[omp::target_data(map(tofrom: x), device(d))]
        loop {
            add_one(d, x);
            if n < rounds {
                continue 'all;
            }
            if n == rounds {
                break 'all;
            }
        }
    }
    n
}

#[omp::offload]
fn value_of_loop(d: usize, x: &mut [i64]) -> i64 {
    let mut n = 0;
    #[omp::target_data(map(tofrom: x), device(d))]
    loop {
        add_one(d, x);
        n += 1;
        if n == 3 {
            break n * 10;
        }
    }
}

#[test]
fn every_way_out_brings_the_data_back() {
    on_every_device(|d| {
        for n in SIZES {
            let x = numbers(n, 3);
            let plus = |k: i64| x.iter().map(|v| v + k).collect::<Vec<_>>();
            let mut y = x.clone();
            assert_eq!(by_question_mark(d, &mut y, "41").expect("a number"), 42);
            assert_eq!(y, plus(3), "?, not taken: {n} on device {d}");
            y.clone_from(&x);
            by_question_mark(d, &mut y, "no number").expect_err("no number");
            assert_eq!(y, plus(2), "?, taken: {n} on device {d}");
            for (at, want) in [(0, Some(1)), (7, None)] {
                y.clone_from(&x);
                assert_eq!(by_option(d, &mut y, at), want);
                assert_eq!(y, plus(1), "? of an option: {n} on device {d}");
            }
            for (early, k) in [(true, 1), (false, 2)] {
                y.clone_from(&x);
                assert_eq!(by_return(d, &mut y, early), if early { n } else { 0 });
                assert_eq!(y, plus(k), "return: {n} on device {d}");
            }
            y.clone_from(&x);
            assert_eq!(by_break(d, &mut y, 4), 4);
            assert_eq!(y, plus(4), "break and continue: {n} on device {d}");
            y.clone_from(&x);
            assert_eq!(value_of_loop(d, &mut y), 30);
            assert_eq!(y, plus(3), "the value of a loop: {n} on device {d}");
            omp::set_default_device(d);
            assert_eq!(omp::target_is_present(&y), n == 0 || !apart(d), "left behind: {n} on device {d}");
        }
    });
}

#[omp::offload]
fn panics(d: usize, x: &mut [i64], at: usize) {
    #[omp::target_data(map(tofrom: x), device(d))]
    {
        add_one(d, x);
        assert!(at > 100, "at is {at}");
    }
}

#[omp::offload]
fn grows(d: usize, x: &mut Vec<i64>) {
    #[omp::target_data(map(tofrom: x), device(d))]
    {
        x.push(5);
    }
}

#[omp::offload]
fn macro_leaves(d: usize, x: &mut [i64]) -> i64 {
    macro_rules! leave {
        () => {
            return 7
        };
    }
    #[omp::target_data(map(tofrom: x), device(d))]
    {
        add_one(d, x);
        leave!()
    }
}

#[test]
fn a_panic_releases_and_brings_nothing_back() {
    on_every_device(|d| {
        let x = numbers(100, 4);
        let mut y = x.clone();
        let payload = catch_unwind(AssertUnwindSafe(|| panics(d, &mut y, 3))).expect_err("it panics");
        assert_eq!(text_of(&*payload), "at is 3");
        omp::set_default_device(d);
        assert_eq!(omp::target_is_present(&y), !apart(d), "device {d}");
        assert!(!apart(d) || x == y, "device {d}: something came back");

        let mut y = x.clone();
        let grown = catch_unwind(AssertUnwindSafe(|| grows(d, &mut y)));
        if apart(d) {
            let payload = grown.expect_err("its memory has moved");
            let text = text_of(&*payload);
            assert!(text.contains("`x` was moved") && text.contains("data.rs"), "{text}");
        }
        assert_eq!(y.len(), 101, "device {d}");
        assert_eq!(omp::target_is_present(&y), !apart(d), "device {d}");

        let mut y = x;
        let left = catch_unwind(AssertUnwindSafe(|| macro_leaves(d, &mut y)));
        let payload = left.expect_err("a way out that nobody saw");
        assert!(text_of(&*payload).contains("inside a macro"), "{}", text_of(&*payload));
        assert_eq!(omp::target_is_present(&y), !apart(d), "device {d}");
        add_one(d, &mut y);
    });
}

#[omp::offload]
fn nested_update(d: usize, g: &mut [[[i32; 4]; 3]], rows: std::ops::Range<usize>) -> Vec<[[i32; 4]; 3]> {
    let (lo, hi) = (rows.start, rows.end);
    let seen;
    #[omp::target_data(map(tofrom: g), device(d))]
    {
        #[omp::target(device(d))]
        for i in 0..g.len() {
            for r in 0..3 {
                for c in 0..4 {
                    g[i][r][c] += 100;
                }
            }
        }
        omp::target_update!(from(g[lo..hi][1..3][:2]), device(d));
        seen = g.to_vec();
        for cell in g.iter_mut() {
            cell[0] = [7; 4];
        }
        omp::target_update!(to(g[lo..hi][0..1][2..]), device(d));
    }
    seen
}

#[test]
fn updates_take_parts_of_nested_arrays() {
    on_every_device(|d| {
        for (n, rows) in [(1usize, 0..1usize), (5, 1..4), (64, 0..0), (64, 10..64)] {
            let start = |i: usize, r: usize, c: usize| (i * 12 + r * 4 + c) as i32;
            let mut g: Vec<[[i32; 4]; 3]> =
                (0..n).map(|i| std::array::from_fn(|r| std::array::from_fn(|c| start(i, r, c)))).collect();
            let seen = nested_update(d, &mut g, rows.clone());
            for i in 0..n {
                for r in 0..3 {
                    for c in 0..4 {
                        let inside = rows.contains(&i);
                        let updated = !apart(d) || inside && r >= 1 && c < 2;
                        let want = start(i, r, c) + if updated { 100 } else { 0 };
                        assert_eq!(seen[i][r][c], want, "seen {i} {r} {c} of {n} on device {d}");
                        let sent = r == 0 && if apart(d) { inside && c >= 2 } else { true };
                        let want = if sent { 7 } else { start(i, r, c) + 100 };
                        assert_eq!(g[i][r][c], want, "at the end {i} {r} {c} of {n} on device {d}");
                    }
                }
            }
        }
    });
}

#[omp::offload]
fn two_sections(d: usize, x: &mut [i64], k: usize) {
    let n = x.len();
    #[omp::target_data(map(tofrom: x[..k], x[n - k..]), device(d))]
    {
        twice(d, &mut x[..k]);
        twice(d, &mut x[n - k..]);
    }
}

#[omp::offload]
fn ends(d: usize, x: &mut [i64], k: usize) {
    let n = x.len();
    #[omp::target(map(tofrom: x[..k], x[n - k..]), device(d))]
    for i in 0..k {
        x[i] = -x[i];
        x[n - 1 - i] += 1;
    }
}

#[test]
fn several_sections_of_one_array() {
    on_every_device(|d| {
        for n in [2usize, 33, 1000] {
            let x = numbers(n, 12);
            let mut y = x.clone();
            ends(d, &mut y, n / 3);
            for i in 0..n {
                let want = if i < n / 3 { -x[i] } else { x[i] + i64::from(i >= n - n / 3) };
                assert_eq!(y[i], want, "{i} of {n} on device {d}");
            }
            let overlapping = catch_unwind(AssertUnwindSafe(|| ends(d, &mut y, n / 2 + 1)));
            let payload = overlapping.expect_err("the sections overlap");
            assert!(text_of(&*payload).contains("overlap"), "{}", text_of(&*payload));
            let x = numbers(n, 5);
            let mut y = x.clone();
            let k = n / 3;
            two_sections(d, &mut y, k);
            for i in 0..n {
                let want = x[i] * if i < k || i >= n - k { 2 } else { 1 };
                assert_eq!(y[i], want, "{i} of {n} on device {d}");
            }
            let overlapping = catch_unwind(AssertUnwindSafe(|| two_sections(d, &mut y, n / 2 + 1)));
            let payload = overlapping.expect_err("the sections overlap");
            assert!(text_of(&*payload).contains("overlap"), "{}", text_of(&*payload));
        }
    });
}

// ---------------------------------------------------------------------------------------------- target blocks

#[omp::offload]
fn floyd(d: usize, n: usize, dist: &mut [u32]) -> u32 {
    let mut changes = 0;
    #[omp::target(device(d))]
    {
        for k in 0..n {
            let mut here = 0u32;
            #[omp::parallel_for(collapse(2), reduction(+: here))]
            for i in 0..n {
                for j in 0..n {
                    if i != k && j != k {
                        let via = dist[i * n + k].saturating_add(dist[k * n + j]);
                        if via < dist[i * n + j] {
                            dist[i * n + j] = via;
                            here += 1;
                        }
                    }
                }
            }
            changes += here;
        }
    }
    changes
}

#[test]
fn kernels_of_a_block_share_its_data() {
    on_every_device(|d| {
        for n in [0usize, 1, 2, 17, 40] {
            let mut v = Values(6);
            let start: Vec<u32> =
                (0..n * n).map(|_| if v.bits() % 3 == 0 { 1 + v.bits() % 50 } else { u32::MAX }).collect();
            let mut want = start.clone();
            for k in 0..n {
                for i in 0..n {
                    for j in 0..n {
                        if i != k && j != k {
                            let via = want[i * n + k].saturating_add(want[k * n + j]);
                            want[i * n + j] = want[i * n + j].min(via);
                        }
                    }
                }
            }
            let mut dist = start.clone();
            let changes = floyd(d, n, &mut dist);
            let report = omp::last_region();
            assert_eq!(dist, want, "{n} on device {d}");
            assert!(changes as usize >= start.iter().zip(&want).filter(|(a, b)| a != b).count());
            if apart(d) && n > 1 {
                let bytes = (4 * n * n) as u64;
                assert_eq!(
                    (report.bytes_to_device, report.bytes_from_device),
                    (bytes, bytes),
                    "{n} on device {d}"
                );
            }
        }
    });
}

#[omp::offload]
fn mixed(d: usize, a: &mut [i64], b: &[i64], limit: i64) -> (i64, i64, usize) {
    let n = a.len();
    let mut rounds = 0usize;
    let mut largest = i64::MIN;
    let mut total = 0i64;
    #[omp::target(map(tofrom: a, total, largest), map(to: b), device(d))]
    {
        #[omp::parallel_for]
        for i in 0..n {
            a[i] += b[i];
        }
        // One thread: a recurrence, with a scalar that keeps its value.
        let mut carry = 1;
        for i in 1..n {
            carry = (carry * 3 + a[i - 1]) % 1000;
            a[i] += carry;
        }
        total += carry;
        let middle = a[n / 2];
        if middle > limit {
            #[omp::parallel_for]
            for i in 0..n {
                a[i] -= middle;
            }
            total += 5;
        } else {
            a[0] = middle;
        }
        while a[0] < limit && rounds < 4 {
            #[omp::parallel_for(reduction(max: largest))]
            for i in 0..n {
                a[i] = a[i] * 2 + 1;
                largest = largest.max(a[i]);
            }
            rounds += 1;
            a[0] += rounds as i64;
        }
        for k in 0..3 {
            if k == 1 {
                continue;
            }
            #[omp::parallel_for(reduction(+: total))]
            for i in 0..n {
                total += a[i] % 7;
            }
        }
    }
    (total, largest, rounds)
}

fn mixed_plain(a: &mut [i64], b: &[i64], limit: i64) -> (i64, i64, usize) {
    let n = a.len();
    let (mut rounds, mut largest, mut total) = (0usize, i64::MIN, 0i64);
    for i in 0..n {
        a[i] += b[i];
    }
    let mut carry = 1;
    for i in 1..n {
        carry = (carry * 3 + a[i - 1]) % 1000;
        a[i] += carry;
    }
    total += carry;
    let middle = a[n / 2];
    if middle > limit {
        a.iter_mut().for_each(|v| *v -= middle);
        total += 5;
    } else {
        a[0] = middle;
    }
    while a[0] < limit && rounds < 4 {
        for v in a.iter_mut() {
            *v = *v * 2 + 1;
            largest = largest.max(*v);
        }
        rounds += 1;
        a[0] += rounds as i64;
    }
    for _ in 0..2 {
        total += a.iter().map(|v| v % 7).sum::<i64>();
    }
    (total, largest, rounds)
}

#[test]
fn statements_between_the_loops_of_a_block() {
    on_every_device(|d| {
        for n in [1usize, 2, 33, 1000] {
            for limit in [-5000, -10, 0, 300, 100_000] {
                let (mut a, b) = (numbers(n, 7), numbers(n, 8));
                let mut want = a.clone();
                let plain = mixed_plain(&mut want, &b, limit);
                assert_eq!(mixed(d, &mut a, &b, limit), plain, "{n}, {limit} on device {d}");
                assert_eq!(a, want, "{n}, {limit} on device {d}");
                let report = omp::last_region();
                if apart(d) {
                    assert_eq!(report.name, "mixed");
                    // The arrays once, and the scalars that one thread assigns or the host asks for.
                    assert!(report.bytes_to_device < 16 * n as u64 + 200, "{report}");
                    assert!(report.bytes_from_device < 8 * n as u64 + 200, "{report}");
                }
            }
        }
        // An error of one thread, with Rust's words.
        let payload = catch_unwind(AssertUnwindSafe(|| mixed(d, &mut [], &[], 0))).expect_err("no element");
        let text = text_of(&*payload);
        assert!(text.contains("the len is 0 but the index is 0"), "{text}");
    });
}

#[omp::offload]
fn ways(d: usize, a: &mut [i64], rows: &[usize], stop: i64) -> Option<i64> {
    let mut last = -1;
    #[omp::target(device(d))]
    {
        'rows: for r in 0..rows.len() {
            if rows[r] == 0 {
                continue;
            }
            #[omp::parallel_for]
            for i in 0..rows[r] {
                a[i] += r as i64 + 1;
            }
            match a[0] % 5 {
                3 => a[0] += 1,
                4 if a[rows[r] - 1] > stop => break 'rows,
                _ => {}
            }
            if a[0] > 100 {
                return Some(a[0]);
            }
            last = r as i64;
        }
        let fine = a[0] != 7;
        last = fine.then_some(last)? + 1;
    }
    Some(last)
}

#[test]
fn ways_out_of_a_block_and_bounds_from_the_device() {
    fn plain(a: &mut [i64], rows: &[usize], stop: i64) -> Option<i64> {
        let mut last = -1;
        'rows: for r in 0..rows.len() {
            if rows[r] == 0 {
                continue;
            }
            a[..rows[r]].iter_mut().for_each(|v| *v += r as i64 + 1);
            match a[0] % 5 {
                3 => a[0] += 1,
                4 if a[rows[r] - 1] > stop => break 'rows,
                _ => {}
            }
            if a[0] > 100 {
                return Some(a[0]);
            }
            last = r as i64;
        }
        (a[0] != 7).then_some(last).map(|last| last + 1)
    }
    on_every_device(|d| {
        for (start, stop) in [(0, 3), (90, 1000), (1, 1000), (4, 1000), (0, 1000), (96, 0)] {
            for rows in [vec![1usize, 0, 2, 5], vec![], vec![0, 3, 3, 3, 1, 9]] {
                let mut a = vec![start; 10];
                let mut want = a.clone();
                let expected = plain(&mut want, &rows, stop);
                assert_eq!(ways(d, &mut a, &rows, stop), expected, "{start}, {stop}, {rows:?} on device {d}");
                assert_eq!(a, want, "{start}, {stop}, {rows:?} on device {d}");
            }
        }
    });
}

#[omp::offload]
fn shifted(d: usize, x: &[f32], y: &[f32], out: &mut [f32]) {
    #[omp::target(device(d))]
    {
        #[omp::parallel_for]
        for i in 0..out.len() {
            out[i] = y[i] - x[i];
        }
        #[omp::parallel_for]
        for i in 0..out.len() {
            out[i] += y[i];
        }
    }
}

#[test]
fn shared_slices_may_overlap_in_a_block() {
    on_every_device(|d| {
        for n in [2usize, 33, 1000] {
            let v: Vec<f32> = (0..n).map(|i| (i * i % 31) as f32).collect();
            let mut out = vec![0.0; n - 1];
            shifted(d, &v[..n - 1], &v[1..], &mut out);
            for i in 0..n - 1 {
                assert_eq!(out[i], 2.0 * v[i + 1] - v[i], "{i} of {n} on device {d}");
            }
        }
    });
}

struct Grid {
    cells: Vec<f32>,
    next: Vec<f32>,
    steps: usize,
}

#[omp::offload]
impl Grid {
    fn relax(&mut self, d: usize, rounds: usize) -> f32 {
        let n = self.cells.len();
        let mut change = 0.0f32;
        #[omp::target(device(d), map(alloc: self.next))]
        {
            for _ in 0..rounds {
                change = 0.0;
                #[omp::parallel_for(reduction(max: change))]
                for i in 1..n - 1 {
                    self.next[i] = 0.5 * (self.cells[i - 1] + self.cells[i + 1]);
                    change = change.max((self.next[i] - self.cells[i]).abs());
                }
                #[omp::parallel_for]
                for i in 1..n - 1 {
                    self.cells[i] = self.next[i];
                }
                self.steps += 1;
            }
        }
        change
    }
}

#[test]
fn blocks_on_fields() {
    on_every_device(|d| {
        for n in [2usize, 3, 100] {
            let cells: Vec<f32> = (0..n).map(|i| (i * i % 17) as f32).collect();
            let mut g = Grid { cells: cells.clone(), next: vec![-1.0; n], steps: 0 };
            let change = g.relax(d, 6);
            let mut want = cells;
            let mut last = 0.0f32;
            for _ in 0..6 {
                let old = want.clone();
                last = 0.0;
                for i in 1..n - 1 {
                    want[i] = 0.5 * (old[i - 1] + old[i + 1]);
                    last = last.max((want[i] - old[i]).abs());
                }
            }
            assert_eq!((g.cells, change, g.steps), (want, last, 6), "{n} on device {d}");
            assert!(!apart(d) || g.next.iter().all(|v| *v == -1.0), "`alloc` brings nothing back");
        }
    });
}

#[omp::offload(try)]
fn fails(d: usize, x: &mut [i64], at: usize) -> Result<(), omp::Error> {
    #[omp::target(device(d))]
    {
        #[omp::parallel_for]
        for i in 0..x.len() {
            x[i] += 1;
        }
        x[at] = 5;
    }
    Ok(())
}

#[test]
fn errors_in_a_block() {
    on_every_device(|d| {
        let x = numbers(50, 9);
        let mut y = x.clone();
        fails(d, &mut y, 3).expect("inside");
        assert_eq!(y[3], 5);
        y.clone_from(&x);
        let text = fails(d, &mut y, 50).expect_err("outside").to_string();
        assert!(text.contains("the len is 50 but the index is 50"), "{text}");
        y.clone_from(&x);
        fails(d, &mut y, 49).expect("it goes on");
        assert_eq!(y[49], 5);
    });
}

// ---------------------------------------------------------------------------------------------- device memory

#[omp::offload]
fn on_slices(d: usize, a: &mut omp::DeviceSlice<u16>, b: &omp::DeviceSlice<u16>) {
    #[omp::target(device(d), is_device_ptr(a, b))]
    for i in 0..a.len() {
        a[i] = a[i] * 3 + b[i];
    }
}

#[omp::offload]
fn on_views(d: usize, mut a: omp::DeviceViewMut<'_, u16>, b: omp::DeviceView<'_, u16>) {
    #[omp::target(device(d), has_device_addr(a, b))]
    for i in 0..a.len() {
        a[i] += b[i] + 1;
    }
}

#[omp::offload]
fn sum_of_block(d: usize, a: &mut omp::DeviceSlice<u16>, x: &[u16]) -> u32 {
    let mut sum = 0u32;
    if a.is_empty() {
        return 0;
    }
    #[omp::target(device(d), is_device_ptr(a))]
    {
        a[0] += 1;
        #[omp::parallel_for]
        for i in 0..x.len() {
            a[i] += x[i];
        }
        #[omp::parallel_for(reduction(+: sum))]
        for i in 0..x.len() {
            sum += a[i] as u32;
        }
    }
    sum
}

#[test]
fn device_slices() {
    on_every_device(|d| {
        omp::set_default_device(d);
        for n in SIZES {
            let x: Vec<u16> = (0..n).map(|i| (i % 100) as u16).collect();
            let mut a = omp::DeviceSlice::from_host(&x);
            let mut b = omp::DeviceSlice::<u16>::alloc(n);
            assert_eq!(b.to_host(), vec![0; n], "a valid value, device {d}");
            b.copy_from(&vec![7; n]);
            on_slices(d, &mut a, &b);
            let mut want: Vec<u16> = x.iter().map(|v| v * 3 + 7).collect();
            assert_eq!(a.to_host(), want, "{n} on device {d}");
            let (lo, hi) = (n / 3, n - n / 4);
            on_views(d, a.slice_mut(lo..hi), b.slice(n - (hi - lo)..));
            want[lo..hi].iter_mut().for_each(|v| *v += 8);
            assert_eq!(a.to_host(), want, "a part, {n} on device {d}");
            let sum = sum_of_block(d, &mut a, &x);
            want.iter_mut().zip(&x).for_each(|(v, x)| *v += x);
            want.iter_mut().take(1).for_each(|v| *v += 1);
            assert_eq!((a.to_host(), sum), (want.clone(), want.iter().map(|v| u32::from(*v)).sum()));
            assert!(a.try_slice(1..n + 1).is_err() && a.try_copy_from(&vec![0; n + 1]).is_err());
            if n > 0 {
                let read = catch_unwind(AssertUnwindSafe(|| a[0]));
                match read {
                    Ok(value) => assert!(!apart(d) && value == want[0]),
                    Err(payload) => assert!(apart(d) && text_of(&*payload).contains("to_host"), "device {d}"),
                }
            }
        }
    });
}

#[omp::offload]
fn overlapping(d: usize, a: &mut omp::DeviceSlice<u16>, b: &omp::DeviceSlice<u16>) {
    #[omp::target(device(d), is_device_ptr(a), is_device_ptr(b))]
    for i in 0..a.len() {
        a[i] = b[a.len() - 1 - i];
    }
}

#[omp::offload]
fn pointers(d: usize, x: &mut [f32], y: &[f32]) -> u64 {
    let n = x.len();
    let moved;
    #[omp::target_data(map(tofrom: x), map(to: y), device(d))]
    {
        #[omp::target_data(use_device_ptr(x, y), device(d))]
        {
            #[omp::target(device(d), is_device_ptr(x, y))]
            for i in 0..n {
                x[i] += y[n - 1 - i];
            }
        }
        moved = omp::last_region().bytes_to_device + omp::last_region().bytes_from_device;
    }
    moved
}

#[omp::offload(try)]
fn absent(d: usize, x: &mut [f32]) -> Result<(), omp::Error> {
    #[omp::target_data(use_device_ptr(x), device(d))]
    {
        #[omp::target(device(d), is_device_ptr(x))]
        for i in 0..1 {
            x[i] = 1.0;
        }
    }
    Ok(())
}

#[test]
fn device_pointers() {
    on_every_device(|d| {
        omp::set_default_device(d);
        let mut a = omp::DeviceSlice::from_host(&[1u16, 2, 3]);
        let b = omp::DeviceSlice::from_host(&[4u16, 5, 6]);
        overlapping(d, &mut a, &b);
        assert_eq!(a.to_host(), [6, 5, 4]);
        for n in SIZES {
            let mut x: Vec<f32> = (0..n).map(|i| i as f32).collect();
            let y: Vec<f32> = (0..n).map(|i| (2 * i) as f32).collect();
            assert_eq!(pointers(d, &mut x, &y), 0);
            for i in 0..n {
                assert_eq!(x[i], (i + 2 * (n - 1 - i)) as f32, "{i} of {n} on device {d}");
            }
        }
        let mut x = [0.0f32; 3];
        let result = absent(d, &mut x);
        if apart(d) {
            let text = result.expect_err("it is not there").to_string();
            assert!(text.contains("`x` is not present"), "{text}");
        } else {
            result.expect("the host is everywhere");
        }
    });
}
