//! Lists of unknown length in rows of fixed length: each iteration stores to its own row, and a list that is too long fails.
use omp_tests::{Values, on_every_device, panic_of, twice};

macro_rules! lists {
    ($($name:ident: $n:expr, $($base:ident = $value:expr)?; |$i:ident, $j:ident, $list:ident, $c:ident| $store:block)*) => {
        twice! {
            const S: usize = 8;
            const FIRST: usize = 20;
            #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
            pub struct Pair { pub to: u32, pub times: u32 }
            $(pub fn $name(d: &[i32], $list: &mut [Pair], count: &mut [usize]) {
                #[omp::target]
                for $i in 0..d.len() {
                    let mut $c = $n;
                    $(let $base = $value;)?
                    for $j in 0..d.len() {
                        if (d[$i] - d[$j]).abs() < 3 $store
                    }
                    count[$i] = $c as usize;
                }
            })*
            pub fn run(name: &str) -> (Vec<Pair>, Vec<usize>) {
                let mut v = Values(6);
                let d: Vec<i32> = (0..40).map(|_| (v.bits() % 100) as i32).collect();
                let mut l = vec![Pair { to: 0, times: 0 }; 320];
                let mut c = vec![0; 40];
                $(if name == stringify!($name) { $name(&d, &mut l, &mut c) })*
                (l, c)
            }
        }
        $(#[test]
        fn $name() {
            let plain = plain::run(stringify!($name));
            on_every_device(|d| {
                omp::set_default_device(d);
                let (list, count) = device::run(stringify!($name));
                assert_eq!(count, plain.1, "device {d}");
                assert!(list.iter().zip(&plain.0).all(|(a, b)| (a.to, a.times) == (b.to, b.times)), "device {d}");
            });
        })*
    };
}

lists! {
    unbounded: 0,; |i, j, list, n| { list[i * S + n].to = j as u32; n += 1; }
    ended: 0,; |i, j, list, n| {
        if n == S { break; }
        list[i * S + n].to = j as u32;
        n += 1;
    }
    bounded: 0,; |i, j, list, n| { if n < S { list[i * S + n].to = j as u32; n += 1; } }
    bounded_before: 0,; |i, j, list, n| { if n + 1 < S { n += 1; list[i * S + n].to = j as u32; } }
    // The condition is no longer true where the store is.
    counted_first: 0,; |i, j, list, n| { if n < S { n += 1; list[i * S + n].to = j as u32; } }
    named_row: 0, base = i * S; |i, j, list, n| { list[base + n] = Pair { to: j as u32, times: n as u32 }; n += 1; }
    row_last: 0, base = S * i; |i, j, list, n| { list[n + base].times += j as u32; n += 1; if n >= S { break; } }
    narrow: 0u32,; |i, j, list, n| { list[i * S + n as usize].to = j as u32; n += 1; }
    signed: 0i32,; |i, j, list, n| { list[(i as i32 * S as i32 + n) as usize].to = j as u32; n += 1; }
    // The first element of a row is the list's length.
    headed: 1,; |i, j, list, n| { list[i * S + n].to = j as u32; list[i * S].times += 1; n += 1; }
    matched: 0,; |i, j, list, n| { match j % 3 { 0 => list[i * S + n].to = 7, 1 => {} _ => list[i * S + n].to = j as u32 } n += 1; }
    // Another variable of the name is no counter, and its store is in the row, too.
    shadowed: 0,; |i, j, list, n| { list[i * S + n].to = j as u32; { let n = j % S; list[i * S + n].times += 1; } n += 1; }
    // What is stored is computed once, and the subscript after it.
    once: 0,; |i, j, list, n| { let mut k = j; list[i * S + n].to = { k += 1; k as u32 }; list[i * S + n].times += k as u32; n += 1; }
    // The value leaves before the subscript is asked for.
    left: 0,; |i, j, list, n| { list[i * S + n].to = if n < S { j as u32 } else { break }; n += 1; }
    skipped: 0,; |i, j, list, n| { list[i * S + n].times += if n == S { continue } else { j as u32 }; n += 1; }
    // Every other row of the array, and rows that do not begin at its first element.
    twice_as_long: 0,; |i, j, list, n| { if i < 20 { list[i * 2 * S + n].to = j as u32; n += 1; } }
    named_twice_as_long: 0, base = i * 2; |i, j, list, n| { if base < 40 { list[base * S + n].to = j as u32; n += 1; } }
    behind: 0,; |i, j, list, n| { if i < 30 { list[FIRST + i * S + n].to = j as u32; n += 1; } }
}

/// Rows of an iteration's own array may meet: nobody else has them.
#[omp::offload]
fn own_array(d: usize, x: &[i32], y: &mut [i32]) -> [i32; 12] {
    let (mut p, mut f, mut l) = ([0; 12], [1; 12], [2; 12]);
    #[omp::target(device(d), private(p), firstprivate(f), lastprivate(l))]
    for i in 0..x.len() {
        (p, f, l) = ([0; 12], [0; 12], [0; 12]);
        for r in 0..3 {
            let mut n = 0;
            for j in 0..6 {
                p[r * 3 + n] = j + x[i];
                f[r * 3 + n] = 2 * j;
                l[r * 3 + n] = 3 * j + x[i];
                n += 1;
            }
        }
        y[i] = 0;
        for k in 0..12 {
            y[i] = y[i] * 3 % 1009 + p[k] + f[k] + l[k];
        }
    }
    l
}

#[test]
fn rows_of_an_own_array() {
    let x: Vec<i32> = (0..70).map(|i| i * 5 % 17).collect();
    let row =
        |by: i32, v: i32| -> Vec<i32> { [0, 1, 2, 0, 1, 2, 0, 1, 2, 3, 4, 5].map(|j| by * j + v).into() };
    let of = |v: i32| {
        let rows = [row(1, v), row(2, 0), row(3, v)];
        (0..12).fold(0, |y, k| y * 3 % 1009 + rows[0][k] + rows[1][k] + rows[2][k])
    };
    let want: Vec<i32> = x.iter().map(|&v| of(v)).collect();
    on_every_device(|d| {
        let mut y = vec![0; x.len()];
        assert_eq!(own_array(d, &x, &mut y).to_vec(), row(3, x[69]), "device {d}");
        assert_eq!(y, want, "device {d}");
    });
}

#[omp::offload]
fn neighbours(d: usize, x: &[i32], within: i32, max: usize, list: &mut [u32], count: &mut [usize]) {
    #[omp::target(device(d))]
    for (i, count) in count.iter_mut().enumerate() {
        let mut n = 0;
        for (j, other) in x.iter().enumerate() {
            if (x[i] - other).abs() <= within {
                list[i * max + n] = j as u32;
                n += 1;
            }
        }
        *count = n;
    }
}

/// Without a directive, the list would go on in the next row. No backend does that.
#[test]
fn too_many() {
    let x: Vec<i32> = (0..50).collect();
    on_every_device(|d| {
        let (mut list, mut count) = (vec![0; 150], vec![0; 50]);
        neighbours(d, &x, 1, 3, &mut list, &mut count);
        assert_eq!(list[..9], [0, 1, 0, 0, 1, 2, 1, 2, 3], "device {d}");
        assert_eq!(count.iter().sum::<usize>(), 148, "device {d}");
    });
    for d in 0..=omp::get_num_devices() {
        let text = panic_of(|| {
            neighbours(d, &x, 2, 3, &mut vec![0; 150], &mut vec![0; 50]);
        })
        .unwrap_or_default();
        assert!(text.contains("the length of the row is 3 but the index in it is 3"), "device {d}: {text}");
    }
}
