//! Target blocks.
use super::*;

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
        let text = panic_text(&*payload);
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

/// What is written whole is not copied to the device before: blocks of rows of what a data region only allocates, and
/// of what a region has for itself.
#[omp::offload]
fn rows_written_whole(d: usize, image: &mut [u32], w: usize, rows: usize) -> u64 {
    let h = image.len() / w;
    let mut copied = 0;
    #[omp::target_data(map(alloc: image), device(d))]
    for first in (0..h).step_by(rows) {
        let end = h.min(first + rows);
        #[omp::target(collapse(2), device(d))]
        for row in first..end {
            for column in 0..w {
                image[row * w + column] = (row * 1000 + column) as u32;
            }
        }
        copied += omp::last_region().bytes_to_device;
        omp::target_update!(from(image[first * w..end * w]), device(d));
    }
    #[omp::target(device(d))]
    for i in w..2 * w {
        image[i] += 1;
    }
    #[omp::target(device(d))]
    for i in 2 * w..3 * w {
        image[i] = 7;
    }
    copied + omp::last_region().bytes_to_device
}

/// Every second element: the others keep the host's values.
#[omp::offload]
fn gaps(d: usize, y: &mut [u32]) {
    let n = y.len();
    #[omp::target_data(map(from: y), device(d))]
    {
        #[omp::target(device(d))]
        for i in 0..n / 2 {
            y[2 * i] = 1;
        }
    }
}

#[test]
fn blocks_written_whole_are_not_copied_before() {
    on_every_device(|d| {
        for (w, h, rows) in [(3, 3, 1), (16, 10, 4), (100, 33, 33)] {
            let mut image = vec![5; w * h];
            assert_eq!(rows_written_whole(d, &mut image, w, rows), 0, "{w} {h} on {d}");
            let want = |i: usize| match (i / w, i % w) {
                (1, c) => 1001 + c,
                (2, _) => 7,
                (r, c) => 1000 * r + c,
            };
            assert!((0..w * h).all(|i| image[i] as usize == want(i)), "{w} {h} on {d}");
            let mut y = vec![9; 2 * w];
            gaps(d, &mut y);
            assert!(y.iter().enumerate().all(|(i, v)| *v == if i % 2 == 0 { 1 } else { 9 }), "{y:?}");
        }
    });
}
