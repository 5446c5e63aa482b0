//! Data regions, stand-alone data directives and target blocks on every device, against plain Rust.
use super::*;

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
        assert_eq!(panic_text(&*payload), "at is 3");
        omp::set_default_device(d);
        assert_eq!(omp::target_is_present(&y), !apart(d), "device {d}");
        assert!(!apart(d) || x == y, "device {d}: something came back");

        let mut y = x.clone();
        let grown = catch_unwind(AssertUnwindSafe(|| grows(d, &mut y)));
        // On the host, too, where nothing is copied.
        let payload = grown.expect_err("its memory has moved");
        let text = panic_text(&*payload);
        assert!(text.contains("`x` was moved") && text.contains("data/directives.rs"), "{text}");
        assert_eq!(y.len(), 101, "device {d}");
        assert_eq!(omp::target_is_present(&y), !apart(d), "device {d}");

        let mut y = x;
        let left = catch_unwind(AssertUnwindSafe(|| macro_leaves(d, &mut y)));
        let payload = left.expect_err("a way out that nobody saw");
        assert!(panic_text(&*payload).contains("inside a macro"), "{}", panic_text(&*payload));
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
            assert!(panic_text(&*payload).contains("overlap"), "{}", panic_text(&*payload));
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
            assert!(panic_text(&*payload).contains("overlap"), "{}", panic_text(&*payload));
        }
    });
}

#[derive(omp::Mapper)]
struct Pair<'a> {
    old: &'a [i64],
    new: &'a mut [i64],
}

/// What kernels have written does not come back to an `&`: not in silence.
#[omp::offload]
fn back_behind_shared(d: usize, how: usize, x: &mut [i64], y: &mut [i64]) {
    omp::target_enter_data!(map(to: x), device(d));
    if how != 0 {
        #[omp::target(device(d))]
        for i in 0..x.len() {
            x[i] += 1;
        }
    }
    if how == 3 {
        omp::target_update!(from(x), device(d));
    }
    let mut c = Pair { old: x, new: y };
    omp::target_enter_data!(map(to: c.new), device(d));
    #[omp::target(device(d))]
    for i in 0..c.old.len() {
        c.new[i] = 2 * c.old[i];
    }
    match how {
        0 | 1 => omp::target_exit_data!(map(from: c), device(d)),
        2 => omp::target_update!(from(c), device(d)),
        _ => omp::target_exit_data!(map(release: c.old), map(from: c.new), device(d)),
    }
    if how == 2 {
        omp::target_exit_data!(map(delete: c), device(d));
    }
}

/// What an error has left on the device: memory that is freed meanwhile may be another test's next.
#[omp::offload]
fn removed(d: usize, x: &[i64], y: &[i64]) {
    omp::target_exit_data!(map(delete: x, y), device(d));
}

#[test]
fn nothing_is_brought_back_behind_a_reference_in_silence() {
    on_every_device(|d| {
        for (how, n) in [(0, 9), (1, 9), (2, 9), (3, 9), (1, 0), (2, 0)] {
            let (mut x, mut y) = (numbers(n, 1), vec![0; n]);
            let added = if how == 0 { 0 } else { 1 };
            let expected: Vec<i64> = x.iter().map(|v| v + added).collect();
            let ran = catch_unwind(AssertUnwindSafe(|| back_behind_shared(d, how, &mut x, &mut y)));
            if apart(d) && n > 0 && (how == 1 || how == 2) {
                let payload = ran.expect_err("x has no way back");
                let text = panic_text(&*payload);
                assert!(text.contains("can't bring back `c.old`"), "{text}");
                removed(d, &x, &y);
                continue;
            }
            ran.expect("all that was written comes back");
            assert_eq!((&x, &y), (&expected, &expected.iter().map(|v| 2 * v).collect()), "{how}");
        }
    });
}
