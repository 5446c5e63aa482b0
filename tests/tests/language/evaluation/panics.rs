//! A body that fails tells the same on every backend: Rust's words with the values, the subscripted variable, the loop
//! variables, the place. Each body here fails in one iteration.
#![forbid(unsafe_code)]
#![allow(unused_qualifications, clippy::all, clippy::pedantic, reason = "bodies have all forms on purpose")]
#[path = "panics/nests.rs"]
mod nests;

use omp_tests::on_every_device;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The text of the panic on the host and on each device, which has to be one but for the line that names the device, and for
/// what to try where the program itself panics: on the host that is not to run it there.
fn told(run: impl Fn(usize)) -> String {
    let mut texts: Vec<String> = Vec::new();
    on_every_device_that_fails(|d| {
        let payload = catch_unwind(AssertUnwindSafe(|| run(d))).expect_err("the body fails");
        let text = *payload.downcast::<String>().expect("the payload is a String");
        let names = omp::devices();
        let device = names.get(d).map_or("the host", |info| info.name.as_str());
        let lines: Vec<&str> = text.lines().collect();
        let (named, rest): (Vec<_>, Vec<_>) = lines.into_iter().partition(|line| line.starts_with("  on "));
        assert!(named.len() == 1 && named[0].contains(device), "{device} is named: {text}");
        assert!(rest.last().is_some_and(|line| line.starts_with("  try: ")), "what to try: {text}");
        let debugs = rest.iter().any(|line| line.starts_with("  try: ") && line.contains("debugger"));
        assert!(!(debugs && device == "the host" && text.contains("OMP_BACKEND")), "it is the host: {text}");
        texts.push(rest[..rest.len() - usize::from(debugs)].join("\n"));
    });
    for text in &texts {
        assert_eq!(text, &texts[0]);
    }
    texts.swap_remove(0)
}

/// A region that fails leaves no report behind.
fn on_every_device_that_fails(mut check: impl FnMut(usize)) {
    let devices = omp::get_num_devices();
    (0..=devices).for_each(&mut check);
    if devices == 0 {
        omp_tests::skipped("opencl", "no OpenCL device");
    }
}

/// The line where `needle` stands, so that moving a test does not break it.
fn line(needle: &str) -> usize {
    let text = include_str!("panics.rs");
    text.lines().position(|l| l.trim_start().starts_with(needle)).expect("it is in this file") + 1
}

#[omp::declare_target]
fn looked_up(table: &[f32], k: usize) -> f32 {
    table[k] * 2.0 // looked_up
}

#[omp::declare_target]
fn positive(x: f64) -> f64 {
    if x < 0.0 {
        panic!("negative: {x:?} or {x}");
    }
    x.sqrt()
}

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
#[repr(i8)]
enum Sign {
    Minus = -1,
    Plus = 1,
}

macro_rules! failing {
    ($($name:ident($d:ident $(, $arg:ident: $ty:ty)*; $($clause:tt)*) for $i:ident in $n:expr; { $($body:tt)* })*) => { $(
        #[omp::offload]
        fn $name($d: usize $(, $arg: $ty)*) {
            #[omp::target(device($d) $($clause)*)]
            for $i in $n {
                $($body)*
            }
        }
    )* };
}

failing! {
    gathered(d, x: &[f64], at: &[u32], y: &mut [f64];) for i in 0..y.len(); {
        y[i] = x[at[i] as usize];
    }
    called(d, table: &[f32], y: &mut [f32];) for i in 0..y.len(); {
        y[i] = looked_up(table, i * 2);
    }
    divided(d, a: &[i32], y: &mut [i32];) for i in 0..y.len(); {
        y[i] = 100 / a[i];
    }
    remainder(d, a: &[i64], y: &mut [i64];) for i in 0..y.len(); {
        y[i] = i64::MIN % a[i];
    }
    asserted(d, a: &[f32], y: &mut [f32];) for i in 0..y.len(); {
        assert!(a[i] > 0.5, "a is {} or {:?} at {i}, {{not}} {0} of {n}", a[i], a[i] as f64, n = y.len());
        y[i] = a[i];
    }
    plainly(d, a: &[u8], y: &mut [u8];) for i in 0..y.len(); {
        assert!(a[i] != 7 && i < 1000);
        y[i] = a[i];
    }
    equal(d, a: &[i16], y: &mut [i16];) for i in 0..y.len(); {
        assert_eq!(a[i], i as i16 * 2, "in {}", i);
        y[i] = a[i];
    }
    unequal(d, a: &[Sign], y: &mut [i8];) for i in 0..y.len(); {
        assert_ne!(a[i], Sign::Minus);
        y[i] = a[i] as i8;
    }
    many(d, y: &mut [u64];) for i in 0..y.len(); {
        let (a, b, c) = (i as u8, -(i as i64), i as f32 / 4.0);
        if i == 61 {
            panic!("{a} {b} {c} {} {:?} {} {} {}", i == 61, 1e30f64, u64::MAX, i64::MIN, f32::NAN);
        }
        y[i] = i as u64;
    }
    unwrapped(d, a: &[u8], y: &mut [u8];) for i in 0..y.len(); {
        y[i] = a[i]
            .checked_add(100)
            .unwrap();
    }
    expected(d, a: &[u8], y: &mut [u8];) for i in 0..y.len(); {
        y[i] = a[i].checked_add(100).expect("small {a}");
    }
    rooted(d, a: &[f64], y: &mut [f64];) for i in 0..y.len(); {
        y[i] = positive(a[i]);
    }
    unreached(d, a: &[u8], y: &mut [u8];) for i in 0..y.len(); {
        y[i] = match a[i] { 0..=99 => 1, 155.. => unreachable!("with {}", a[i]), _ => todo!() };
    }
    nested(d, m: usize, a: &[i32], y: &mut [i32]; , collapse(2)) for i in 0..y.len() / m; {
        for j in 0..m {
            y[i * m + j] = 1000 / (a[i] - j as i32);
        }
    }
    local(d, y: &mut [u32];) for i in 0..y.len(); {
        let mut bin = [0u32; 5];
        bin[i / 10] += 1;
        y[i] = bin[0];
    }
    euclid(d, a: &[i32], y: &mut [i32];) for i in 0..y.len(); {
        y[i] = 7i32.rem_euclid(a[i]);
    }
}

#[omp::offload]
fn summed(d: usize, x: &[f64], at: &[usize]) -> f64 {
    let mut s = 0.0;
    #[omp::target(device(d), reduction(+: s))]
    for k in (0..at.len()).rev() {
        s += x[at[k]];
    }
    s
}

/// Rust tells a `Vec`'s subscript at its `[`, and all else where the place begins: here it is always the latter.
#[omp::offload]
fn of_vec(d: usize, x: Vec<f64>, at: Vec<usize>, mut y: Vec<f64>) {
    #[omp::target(device(d))]
    for i in 0..at.len() {
        y[i] = 1.0 + x[at[i]]; // of_vec
    }
}

#[omp::offload]
fn of_rows(d: usize, rows: &mut Vec<[u8; 4]>, at: &[usize]) {
    #[omp::target(device(d))]
    for i in 0..at.len() {
        rows[i][at[i]] = 1; // of_rows
    }
}

#[omp::offload]
fn of_square(d: usize, square: &[[u8; 64]], at: &[usize], y: &mut [u8]) {
    #[omp::target(device(d))]
    for i in 0..at.len() {
        y[i] = square[i][at[i]]; // of_square
    }
}

#[omp::offload]
fn swapped(d: usize, rows: &mut [[u8; 4]], at: &[usize]) {
    #[omp::target(device(d))]
    for i in 0..at.len() {
        rows[i].swap(0, at[i]);
    }
}

#[omp::offload]
fn sliced(d: usize, x: &Vec<u8>, lo: &[usize], hi: &[usize], y: &mut [usize]) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        let row = &x[lo[i]..hi[i]];
        y[i] = row.len();
    }
}

#[omp::offload]
fn sliced_to_last(d: usize, x: &[u8], lo: &[usize], last: &[usize], y: &mut [usize]) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        let row = &x[lo[i]..=last[i]];
        y[i] = row.len();
    }
}

#[omp::offload]
fn walked_to_last(d: usize, x: &[u8], last: &[usize], y: &mut [usize]) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        for v in &x[..=last[i]] {
            y[i] += *v as usize;
        }
    }
}

#[omp::offload]
fn claimed(d: usize, mut h: Vec<u32>, at: &[usize]) {
    #[omp::target(device(d), disjoint(h))]
    for i in 0..at.len() {
        h[at[i]] += 1; // claimed
    }
}

#[omp::offload]
fn in_a_block(d: usize, y: &mut Vec<u32>, k: usize) {
    #[omp::target(device(d))]
    {
        #[omp::parallel_for]
        for i in 0..y.len() {
            y[i] += 1;
        }
        y[k] = 7; // in_a_block
    }
}

#[omp::offload]
fn unnamed(d: usize, x: Vec<u32>, k: usize) -> u32 {
    let mut s = 0;
    #[omp::target(device(d), reduction(+: s))]
    for _ in 0..4 {
        s += x[k]; // unnamed
    }
    s
}

#[omp::offload(try)]
fn tried(d: usize, x: &[u8], y: &mut [u8]) -> Result<(), omp::Error> {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        y[i] = x[i + 3];
    }
    Ok(())
}

fn values<T>(f: impl Fn(usize) -> T) -> Vec<T> {
    (0..64).map(f).collect()
}

/// The text has these lines' beginnings, in order, and names a place in this line.
fn holds(text: &str, message: &str, facts: &[&str], at: &str) {
    assert_eq!(text.split("\n  ").next(), Some(message), "{text}");
    for fact in facts {
        assert!(text.contains(fact), "{fact} is not in: {text}");
    }
    let place = format!("panics.rs:{}:", line(at));
    assert!(text.contains(&place), "{place} is not in: {text}");
}

#[test]
fn subscripts() {
    let (x, y) = (values(|i| i as f64), || values(|_| 0.0));
    let mut at = values(|i| i as u32);
    at[33] = 70;
    let text = told(|d| gathered(d, &x, &at, &mut y()));
    let words = "index out of bounds: the len is 64 but the index is 70";
    holds(&text, words, &["subscript of `x`", "in the iteration i = 33\n"], "y[i] = x[at[i]");
    let table = vec![1.0; 126];
    let text = told(|d| called(d, &table, &mut values(|_| 0.0)));
    let words = "index out of bounds: the len is 126 but the index is 126";
    holds(&text, words, &["subscript of `table`", "i = 63\n"], "table[k] * 2.0");
    let text = told(|d| local(d, &mut vec![0; 51]));
    let words = "index out of bounds: the len is 5 but the index is 5";
    holds(&text, words, &["subscript of `bin`", "i = 50\n"], "bin[i / 10] += 1;");
    let text = told(|d| _ = summed(d, &x, &[1, 2, 64, 3]));
    let words = "index out of bounds: the len is 64 but the index is 64";
    holds(&text, words, &["subscript of `x`", "k = 2\n"], "s += x[at[k]];");
}

fn but_one(at: usize, usual: impl Fn(usize) -> usize, odd: usize) -> Vec<usize> {
    values(|i| if i == at { odd } else { usual(i) })
}

#[test]
fn places_begin_where_what_is_subscripted_does() {
    let out =
        |len: usize, index: usize| format!("index out of bounds: the len is {len} but the index is {index}");
    let begins = |text: &str, needle: &str, place: &str| {
        let source = include_str!("panics.rs").lines().nth(line(needle) - 1).expect("it is there");
        let column = source.find(place).expect("the place is in the line") + 1;
        let at = format!("panics.rs:{}:{column},", line(needle));
        assert!(text.contains(&at), "{at} is not in: {text}");
    };
    let at = but_one(9, |i| i, 80);
    let text = told(|d| of_vec(d, values(|_| 1.0), at.clone(), values(|_| 0.0)));
    holds(&text, &out(64, 80), &["subscript of `x`", "i = 9\n"], "y[i] = 1.0 + x[at[i]]");
    begins(&text, "y[i] = 1.0 + x[at[i]]", "x[at");
    let at = but_one(3, |i| i % 4, 4);
    let text = told(|d| of_rows(d, &mut values(|_| [0; 4]), &at));
    holds(&text, &out(4, 4), &["subscript of `rows[i]`", "i = 3\n"], "rows[i][at[i]] = 1;");
    begins(&text, "rows[i][at[i]] = 1;", "rows");
    let at = but_one(5, |i| i, 64);
    let text = told(|d| of_square(d, &values(|_| [1; 64]), &at, &mut values(|_| 0)));
    holds(&text, &out(64, 64), &["subscript of `square[i]`", "i = 5\n"], "y[i] = square[i]");
    let at = but_one(6, |i| i % 4, 5);
    let text = told(|d| swapped(d, &mut values(|_| [0; 4]), &at));
    holds(&text, &out(4, 5), &["subscript of `rows[i]`", "i = 6\n"], "rows[i].swap");
    let text = told(|d| claimed(d, vec![0; 64], &but_one(6, |i| i, 64)));
    holds(&text, &out(64, 64), &["subscript of `h`", "i = 6\n"], "h[at[i]] += 1;");
    begins(&text, "h[at[i]] += 1;", "h[at");
    let text = told(|d| in_a_block(d, &mut vec![1; 8], 8));
    holds(&text, &out(8, 8), &["subscript of `y`"], "y[k] = 7;");
    assert!(!text.contains("in the iteration"), "a statement has none: {text}");
    assert!(text.contains(&format!("region `in_a_block` at {}:{}:", file!(), line("y[k] = 7;"))), "{text}");
    let text = told(|d| _ = unnamed(d, vec![1; 8], 8));
    holds(&text, &out(8, 8), &["subscript of `x`"], "s += x[k]; // unnamed");
    assert!(!text.contains("in the iteration"), "`_` has no value: {text}");
}

#[test]
fn slices() {
    let (x, all) = (vec![1u8; 64], || values(|_| 0usize));
    let range = "out of range for slice of length 64";
    for (lo, hi, words) in [
        (70, 71, format!("range start index 70 {range}")),
        (70, 3, format!("range start index 70 {range}")),
        (7, 65, format!("range end index 65 {range}")),
        (7, 3, "slice index starts at 7 but ends at 3".to_owned()),
    ] {
        let (los, his) = (but_one(11, |_| 1, lo), but_one(11, |_| 2, hi));
        let text = told(|d| sliced(d, &x, &los, &his, &mut all()));
        holds(&text, &words, &["subscript of `x`", "i = 11\n"], "let row = &x[lo[i]..hi[i]];");
    }
    for (lo, last, words) in [
        (70, 71, format!("range start index 70 {range}")),
        (7, 64, format!("range end index 64 {range}")),
        (0, usize::MAX, format!("range end index {} {range}", usize::MAX)),
        (7, 3, "slice index starts at 7 but ends at 4".to_owned()),
    ] {
        let (los, lasts) = (but_one(11, |_| 1, lo), but_one(11, |_| 2, last));
        let text = told(|d| sliced_to_last(d, &x, &los, &lasts, &mut all()));
        holds(&text, &words, &["subscript of `x`", "i = 11\n"], "let row = &x[lo[i]..=last[i]];");
    }
    for last in [64, usize::MAX] {
        let text = told(|d| walked_to_last(d, &x, &but_one(11, |_| 2, last), &mut all()));
        holds(&text, &format!("range end index {last} {range}"), &["i = 11\n"], "for v in &x[..=last[i]]");
    }
}

#[test]
fn arithmetic() {
    let a = values(|i| i as i32 - 9);
    let text = told(|d| divided(d, &a, &mut values(|_| 0)));
    holds(&text, "attempt to divide by zero", &["i = 9\n"], "y[i] = 100 / a[i];");
    let a = values(|i| i as i64 - 70);
    let a = a.into_iter().map(|v| if v == -20 { -1 } else { v }).collect::<Vec<_>>();
    let text = told(|d| remainder(d, &a, &mut values(|_| 0)));
    holds(
        &text,
        "attempt to calculate the remainder with overflow",
        &["i = 50\n"],
        "y[i] = i64::MIN % a[i];",
    );
    let a = values(|i| i as i32 - 3);
    let text = told(|d| euclid(d, &a, &mut values(|_| 0)));
    holds(
        &text,
        "attempt to calculate the remainder with a divisor of zero",
        &["i = 3\n"],
        "y[i] = 7i32.rem",
    );
    let a = values(|i| if i == 5 { 2 } else { -1 });
    let text = told(|d| nested(d, 8, &a, &mut vec![0; 512]));
    holds(&text, "attempt to divide by zero", &["in the iteration i = 5, j = 2\n"], "y[i * m + j] = 1000");
}

#[test]
fn messages() {
    let a = values(|i| if i == 12 { 0.25f32 } else { 1.0 });
    let text = told(|d| asserted(d, &a, &mut values(|_| 0.0)));
    let words = "a is 0.25 or 0.25 at 12, {not} 0.25 of 64";
    holds(&text, words, &["i = 12\n"], "assert!(a[i] > 0.5");
    let a = values(|i| i as u8);
    let text = told(|d| plainly(d, &a, &mut values(|_| 0)));
    holds(&text, "assertion failed: a[i] != 7 && i < 1000", &["i = 7\n"], "assert!(a[i] != 7");
    let a = values(|i| if i == 1 { -2 } else { 2 * i as i16 });
    let text = told(|d| equal(d, &a, &mut values(|_| 0)));
    let words = "assertion `left == right` failed: in 1";
    holds(&text, words, &["left: -2\n right: 2\n", "i = 1\n"], "assert_eq!(a[i], i as i16");
    let a = values(|i| if i == 2 { Sign::Minus } else { Sign::Plus });
    let text = told(|d| unequal(d, &a, &mut values(|_| 0)));
    let words = "assertion `left != right` failed";
    holds(&text, words, &["left: Minus\n right: Minus\n", "i = 2\n"], "assert_ne!(a[i], Sign");
    let text = told(|d| many(d, &mut values(|_| 0)));
    let words = "61 -61 15.25 true 1e30 18446744073709551615 -9223372036854775808 NaN";
    holds(&text, words, &["i = 61\n"], "panic!(\"{a} {b} {c}");
}

#[test]
fn methods_and_functions() {
    let a = values(|i| if i == 40 { 200 } else { 100 });
    let text = told(|d| unwrapped(d, &a, &mut values(|_| 0)));
    holds(&text, "called `Option::unwrap()` on a `None` value", &["i = 40\n"], ".unwrap();");
    let text = told(|d| expected(d, &a, &mut values(|_| 0)));
    holds(&text, "small {a}", &["i = 40\n"], "y[i] = a[i].checked_add(100).expect");
    let a = values(|i| 20.0 - i as f64 - if i > 21 { f64::NAN } else { 0.0 });
    let text = told(|d| rooted(d, &a, &mut values(|_| 0.0)));
    holds(&text, "negative: -1.0 or -1", &["i = 21\n"], "panic!(\"negative");
    let a = values(|i| if i == 9 { 250 } else { 8 });
    let text = told(|d| unreached(d, &a, &mut values(|_| 0)));
    holds(
        &text,
        "internal error: entered unreachable code: with 250",
        &["i = 9\n"],
        "y[i] = match a[i] { 0..=99",
    );
    let a = values(|i| if i == 10 { 110 } else { 8 });
    let text = told(|d| unreached(d, &a, &mut values(|_| 0)));
    holds(&text, "not yet implemented", &["i = 10\n"], "y[i] = match a[i] { 0..=99");
}

#[test]
fn errors_have_the_same_parts() {
    let x = [0; 66];
    let mut all = Vec::new();
    on_every_device_that_fails(|d| {
        let Err(omp::Error::Panic { at, variable, iteration, kind, message, .. }) =
            tried(d, &x, &mut [0; 64])
        else {
            panic!("the last subscript is beyond the array")
        };
        all.push((at, variable, iteration, kind, message));
    });
    assert!(all.iter().all(|e| *e == all[0]), "{all:?}");
    let (at, variable, iteration, ..) = &all[0];
    assert_eq!(variable.as_deref(), Some("x"));
    assert_eq!(iteration, &[("i".to_owned(), 63)]);
    assert!(at.as_ref().is_some_and(|at| at.contains(&format!("panics.rs:{}:", line("y[i] = x[i + 3]")))));
}

#[test]
fn the_program_goes_on() {
    on_every_device(|d| {
        let a = values(|i| i as i32 + 1);
        let mut y = values(|_| 0);
        divided(d, &a, &mut y);
        assert_eq!(y, values(|i| 100 / (i as i32 + 1)));
    });
}

#[omp::offload]
fn formats(d: usize, x: &[f64], stop: usize) {
    #[omp::target(device(d))]
    for i in 0..x.len() {
        let (byte, on) = (200u8 + i as u8, i == 3);
        assert!(i != stop, "i={i:>4}|{:<6}|{byte:#x}|{:08.3}|{0:+}|{on:^7}|{:e}|{{}}", byte, x[i], x[i]);
    }
}

#[test]
fn messages_are_formatted_as_rust_does() {
    on_every_device(|d| {
        let x = [0.5, -1.25, 3e10, f64::INFINITY];
        for (stop, v) in x.iter().enumerate() {
            let payload = catch_unwind(AssertUnwindSafe(|| formats(d, &x, stop))).expect_err("it fails");
            let text = payload.downcast_ref::<String>().cloned().unwrap_or_default();
            let (byte, on) = (200u8 + stop as u8, stop == 3);
            let want = format!("i={stop:>4}|{byte:<6}|{byte:#x}|{v:08.3}|{byte:+}|{on:^7}|{v:e}|{{}}");
            assert!(text.contains(&want), "device {d}: {text}\n{want}");
        }
        formats(d, &x, 9);
    });
}

#[omp::offload]
fn against_none(d: usize, x: &[f32]) {
    #[omp::target(device(d))]
    for i in 0..x.len() {
        let some = if x[i] < 9.0 { Some(x[i]) } else { None };
        assert_ne!(Some(x[i]), None);
        assert_ne!(None, some, "no {} at {i}", x[i]);
        assert_eq!(if x[i] > 1.0 { some } else { None }, None);
    }
}

#[test]
fn comparisons_with_none() {
    on_every_device(|d| against_none(d, &[0.0, 1.0]));
    let text = told(|d| against_none(d, &[0.5, 9.5]));
    assert!(
        text.starts_with("assertion `left != right` failed: no 9.5 at 1\n  left: None\n right: None\n"),
        "{text}"
    );
    let text = told(|d| against_none(d, &[2.5]));
    assert!(
        text.starts_with("assertion `left == right` failed\n  left: Some(2.5)\n right: None\n"),
        "{text}"
    );
}

#[allow(unused_must_use)]
#[omp::offload(try)]
fn unasked(d: usize, how: u8, y: &mut [u8]) -> Result<(), omp::Error> {
    #[omp::target(device(d))]
    for v in y.iter_mut() {
        let w = *v;
        match how {
            0 => {
                let _ = w + 1;
            }
            1 => {
                w * 2;
            }
            2 => {
                let _ = (w + 1) as u16 as i8;
            }
            3 => {
                (w + 1) as u32;
            }
            _ => {
                let (a, _, _) = (w, w + 2, (w + 2) as u16);
                *v = a;
            }
        }
    }
    Ok(())
}

#[test]
fn what_nobody_asks_for_overflows_all_the_same() {
    on_every_device(|d| {
        for how in 0..5 {
            let e = unasked(d, how, &mut [255]).expect_err("it overflows");
            assert!(e.to_string().contains("with overflow"), "{how} on {d}: {e}");
            unasked(d, how, &mut [7]).expect("it does not");
        }
    });
}
