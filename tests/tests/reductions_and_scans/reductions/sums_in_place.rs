//! Elements and fields that inner loops reduce where they stand keep the bound of sums of floats, n·u·Σ|x|: on
//! devices, in the host's parallel loop, and where the host runs the loop as it stands.
#![allow(clippy::assign_op_pattern, reason = "the form of the update is what is tested")]
use omp_tests::{Values, on_every_device};

#[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
struct Row<T: omp::Device> {
    total: T,
    count: u32,
}

mod declared {
    #[omp::declare_target]
    pub(crate) fn same(v: f32) -> f32 {
        v
    }
}
#[allow(unused_imports)]
use declared::*;

/// What rustc calls is not what was declared: no device runs it, and the host runs the loop as it stands.
fn same(v: f32) -> f32 {
    v
}

/// The same loops for a type.
macro_rules! sums {
    ($name:ident, $t:ident) => {
        #[omp::offload]
        mod $name {
            use super::Row;

            pub fn elements(d: usize, width: usize, x: &[$t], y: &mut [$t]) {
                #[omp::target(device(d))]
                for i in 0..y.len() {
                    #[omp::parallel_for(reduction(+: y))]
                    for j in 0..width {
                        y[i] += x[i * width + j];
                    }
                }
            }

            /// By one update, and by another; backwards from them.
            pub fn updates(d: usize, width: usize, x: &[$t], y: &mut [$t]) {
                #[omp::target(device(d))]
                for i in 0..y.len() {
                    #[omp::simd(reduction(+: y))]
                    for j in 0..width {
                        if j % 3 == 0 {
                            y[i] = x[i * width + j] + y[i];
                        } else if j % 3 == 1 {
                            y[i] = y[i] - (-x[i * width + j]);
                        } else {
                            y[i] = x[i * width + j].mul_add(1.0, y[i]);
                        }
                    }
                }
            }

            pub fn of_rows(d: usize, width: usize, x: &[$t], y: &mut [Row<$t>]) {
                #[omp::target(device(d))]
                for i in 0..y.len() {
                    #[omp::parallel_for(reduction(+: y))]
                    for j in 0..width {
                        y[i].total += x[i * width + j];
                        y[i].count += 1;
                    }
                }
            }

            pub fn pairs(d: usize, width: usize, x: &[$t], y: &mut [[$t; 2]]) {
                #[omp::target(device(d))]
                for i in 0..y.len() {
                    #[omp::parallel_for(reduction(+: y))]
                    for j in 0..width {
                        y[i][0] += x[i * width + j];
                        y[i][1] -= x[i * width + j];
                    }
                }
            }

            /// A field, and elements, of variables of the iteration.
            pub fn locals(d: usize, width: usize, x: &[$t], y: &mut [$t]) {
                #[omp::target(device(d))]
                for i in 0..y.len() {
                    let mut row = Row { total: 0.0, count: 0 };
                    let mut two = [0.0; 2];
                    #[omp::parallel_for(reduction(+: row.total, two))]
                    for j in 0..width {
                        row.total += x[i * width + j];
                        two[1] += x[i * width + j];
                    }
                    y[i] = if i % 2 == 0 { row.total } else { two[1] };
                }
            }

            pub fn reproducible(d: usize, width: usize, x: &[$t], y: &mut [$t], z: &mut [$t]) {
                #[omp::target(device(d))]
                for i in 0..y.len() {
                    let mut row = Row { total: 0.0, count: 0 };
                    #[omp::parallel_for(reduction(reproducible, +: row.total, y))]
                    for j in 0..width {
                        row.total += x[i * width + j];
                        if j % 7 != 3 {
                            y[i] += x[i * width + j] / 3.0;
                        } else {
                            y[i] += x[i * width + j] / 5.0;
                        }
                    }
                    z[i] = row.total;
                }
            }

            /// From element to element, and back: of an array's section, of structs in it, of variables.
            pub fn in_turn(d: usize, width: usize, x: &[$t], y: &mut [$t]) {
                let rows = y.len() / 3;
                #[omp::target(device(d), map(y[1..3 * rows + 1]))]
                for i in 0..rows {
                    #[omp::parallel_for(reduction(+: y))]
                    for j in 0..width {
                        y[1 + i * 3 + j % 3] += x[i * width + j];
                    }
                }
            }

            pub fn fields_in_turn(d: usize, width: usize, x: &[$t], y: &mut [[Row<$t>; 3]]) {
                #[omp::target(device(d))]
                for i in 0..y.len() {
                    #[omp::simd(reduction(+: y))]
                    for j in 0..width {
                        let k = j % 3;
                        y[i][k].total = x[i * width + j] + y[i][k].total;
                        y[i][k].count += 1;
                    }
                }
            }

            pub fn locals_in_turn(d: usize, width: usize, x: &[$t], y: &mut [[$t; 3]], z: &mut [[$t; 3]]) {
                #[omp::target(device(d))]
                for i in 0..y.len() {
                    let mut three = [0.0; 3];
                    let mut rows = [Row { total: 0.0, count: 0 }; 3];
                    #[omp::parallel_for(reduction(+: three, rows))]
                    for j in 0..width {
                        three[j % 3] += x[i * width + j];
                        rows[j % 3].total -= -x[i * width + j];
                    }
                    y[i] = three;
                    for k in 0..3 {
                        z[i][k] = rows[k].total;
                    }
                }
            }

            /// Many nests of an iteration, which assigns the elements between them.
            pub fn again(d: usize, width: usize, x: &[$t], y: &mut [[$t; 3]], z: &mut [[$t; 3]]) {
                #[omp::target(device(d), fp(strict))]
                for i in 0..y.len() {
                    for turn in 0..3 {
                        for k in 0..3 {
                            y[i][k] = if turn == 1 { 1e-9 } else { 0.0 };
                        }
                        #[omp::parallel_for(reduction(reproducible, +: y))]
                        for j in 0..width {
                            if j % 2 == 0 {
                                y[i][j % 3] += x[i * width + j];
                            } else {
                                y[i][j % 3] = y[i][j % 3] + x[i * width + j];
                            }
                        }
                        if turn == 1 {
                            z[i] = y[i];
                        }
                    }
                }
            }

            /// Beside a nest that the threads of a team share, all of them come to this one.
            pub fn beside_teams(d: usize, width: usize, x: &[$t], y: &mut [[$t; 3]], z: &mut [$t]) {
                #[omp::target(device(d))]
                for i in 0..y.len() {
                    let mut all = 0.0;
                    #[omp::parallel_for(reduction(+: all))]
                    for j in 0..width {
                        all += x[i * width + j];
                    }
                    #[omp::simd(reduction(+: y))]
                    for j in 0..width {
                        y[i][j % 3] += x[i * width + j];
                    }
                    #[omp::simd(reduction(+: z))]
                    for j in 0..width {
                        z[i] += x[i * width + j];
                    }
                    z[i] -= all;
                }
            }

            /// On the host alone, by one thread.
            pub fn section(x: &[$t], y: &mut [$t]) {
                let n = y.len();
                #[omp::simd(reduction(+: y[1..n]))]
                for j in 0..x.len() {
                    y[1 + j % 3] += x[j];
                }
            }

            /// What the region reduces, too.
            pub fn of_region(d: usize, width: usize, x: &[$t], y: &mut [$t]) {
                #[omp::target(device(d), reduction(+: y))]
                for i in 0..x.len() / width {
                    #[omp::simd(reduction(+: y))]
                    for j in 0..width {
                        y[i % 3] += x[i * width + j];
                    }
                }
            }
        }
    };
}

sums!(single, f32);
sums!(double, f64);

#[omp::offload]
mod as_it_stands {
    use super::{Row, same};

    pub fn elements(width: usize, x: &[f32], y: &mut [f32]) {
        #[omp::target]
        for i in 0..y.len() {
            #[omp::parallel_for(reduction(+: y))]
            for j in 0..width {
                y[i] += same(x[i * width + j]);
            }
        }
    }

    pub fn fields(width: usize, x: &[f32], y: &mut Vec<f32>) {
        #[omp::target]
        for i in 0..y.len() {
            let mut row = Row { total: 0.0, count: 0 };
            #[omp::simd(reduction(+: row.total))]
            for j in 0..width {
                row.total += same(x[i * width + j]);
            }
            y[i] = row.total;
        }
    }
}

#[omp::offload]
fn generic<T: omp::Device + std::ops::AddAssign>(d: usize, width: usize, x: &[T], y: &mut [T]) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        #[omp::parallel_for(reduction(+: y))]
        for j in 0..width {
            y[i] += x[i * width + j];
        }
    }
}

/// A large number, then many that are each too small for it; terms that nearly cancel. In numbers of `u` that size.
fn unkind(n: usize, u: f64) -> [Vec<f64>; 2] {
    let mut r = Values(n as u64);
    let stagnating = (0..n).map(|i| if i == 0 { 1.0 } else { 0.9 * u }).collect();
    let mut cancelling: Vec<f64> =
        (0..n).map(|_| f64::from((f64::from(r.bits()) - 2e9) as f32) * f64::from(r.bits() % 8)).collect();
    for i in 0..n / 2 {
        cancelling[n - 1 - i] = -cancelling[i] * (1.0 + u * 8.0);
    }
    [stagnating, cancelling]
}

/// Sums of rows as two numbers whose sum they are, nearly, and sums of magnitudes.
fn expected(width: usize, x: &[f64]) -> Vec<([f64; 2], f64)> {
    let row = |row: &[f64]| {
        let (mut sum, mut rest, mut size) = (0.0f64, 0.0f64, 0.0f64);
        for &x in row {
            let all = sum + x;
            let of_x = all - sum;
            rest += (sum - (all - of_x)) + (x - of_x);
            (sum, size) = (all, size + x.abs());
        }
        ([sum, rest], size)
    };
    x.chunks(width).map(row).collect()
}

/// The same for each third of a row.
fn expected_thirds(width: usize, x: &[f64]) -> Vec<([f64; 2], f64)> {
    let rows = x.chunks(width);
    let thirds =
        rows.flat_map(|row| (0..3).map(move |k| row.iter().skip(k).step_by(3).copied().collect::<Vec<_>>()));
    thirds
        .map(|third| if third.is_empty() { ([0.0; 2], 0.0) } else { expected(third.len(), &third)[0] })
        .collect()
}

#[track_caller]
fn check(got: &[f64], want: &[([f64; 2], f64)], width: usize, u: f64, what: impl std::fmt::Display) {
    assert_eq!(got.len(), want.len());
    for (k, (got, ([sum, rest], size))) in got.iter().zip(want).enumerate() {
        let (error, bound) = (((got - sum) - rest).abs(), width as f64 * u * size);
        assert!(error <= bound, "{what}: row {k} is {got}, not {sum}: off by {error}, not {bound}");
    }
}

macro_rules! tests {
    ($test:ident, $name:ident, $t:ident) => {
        #[test]
        fn $test() {
            let u = f64::from($t::EPSILON) / 2.0;
            for (rows, width) in [(1, 1), (5, 3), (3, 20_000), (1, 100_001)] {
                for x in unkind(rows * width, u) {
                    let x: Vec<$t> = x.iter().map(|x| *x as $t).collect();
                    let wide = |x: &[$t]| x.iter().map(|x| f64::from(*x)).collect::<Vec<f64>>();
                    let want = expected(width, &wide(&x));
                    let minus = expected(width, &wide(&x).iter().map(|x| -x).collect::<Vec<_>>());
                    let (mut bits, mut again) = (None, None);
                    let thirds = expected_thirds(width, &wide(&x));
                    let mut y = vec![0.0; 4];
                    $name::section(&x[..width], &mut y);
                    self::check(&wide(&y[1..]), &thirds[..3], width, u, format_args!("section of {width}"));
                    on_every_device(|d| {
                        let check = |y: &[$t], what: &str| {
                            check(&wide(y), &want, width, u, format_args!("{what} of {width} on {d}"));
                        };
                        let mut y = vec![0.0; rows];
                        $name::elements(d, width, &x, &mut y);
                        check(&y, "elements");
                        let mut y = vec![0.0; rows];
                        $name::updates(d, width, &x, &mut y);
                        check(&y, "updates");
                        let mut y = vec![Row { total: 0.0, count: 7 }; rows];
                        $name::of_rows(d, width, &x, &mut y);
                        check(&y.iter().map(|y| y.total).collect::<Vec<_>>(), "structs");
                        assert!(y.iter().all(|y| y.count == 7 + width as u32));
                        let mut y = vec![[0.0; 2]; rows];
                        $name::pairs(d, width, &x, &mut y);
                        check(&y.iter().map(|y| y[0]).collect::<Vec<_>>(), "pairs");
                        let second: Vec<_> = y.iter().map(|y| f64::from(y[1])).collect();
                        self::check(&second, &minus, width, u, format_args!("pairs of {width} on {d}"));
                        let mut y = vec![0.0; rows];
                        $name::locals(d, width, &x, &mut y);
                        check(&y, "locals");
                        let mut y = vec![0.0; rows];
                        generic(d, width, &x, &mut y);
                        check(&y, "generic");
                        let (mut y, mut z) = (vec![0.0; rows], vec![0.0; rows]);
                        $name::reproducible(d, width, &x, &mut y, &mut z);
                        check(&z, "reproducible");
                        let now: Vec<_> = y.iter().chain(&z).map(|y| y.to_bits()).collect();
                        assert_eq!(*bits.get_or_insert_with(|| now.clone()), now, "{width} on {d}");
                        let mut y = vec![0.0; 3];
                        $name::of_region(d, width, &x, &mut y);
                        if rows <= 3 {
                            check(&y[..rows], "of the region");
                        }
                        let flat = |y: &[[$t; 3]]| y.as_flattened().to_vec();
                        let thirds_of = |y: &[$t], what: &str| {
                            self::check(
                                &wide(y),
                                &thirds,
                                width,
                                u,
                                format_args!("{what} of {width} on {d}"),
                            );
                        };
                        if width > 20_000 {
                            return;
                        }
                        let mut y = vec![0.0; 3 * rows + 1];
                        $name::in_turn(d, width, &x, &mut y);
                        thirds_of(&y[1..], "in turn");
                        let mut y = vec![[Row { total: 0.0, count: 0 }; 3]; rows];
                        $name::fields_in_turn(d, width, &x, &mut y);
                        thirds_of(&y.iter().flatten().map(|y| y.total).collect::<Vec<_>>(), "fields in turn");
                        assert_eq!(y.iter().flatten().map(|y| y.count as usize).sum::<usize>(), rows * width);
                        let (mut y, mut z) = (vec![[0.0; 3]; rows], vec![[0.0; 3]; rows]);
                        $name::locals_in_turn(d, width, &x, &mut y, &mut z);
                        thirds_of(&flat(&y), "variables in turn");
                        thirds_of(&flat(&z), "structs in turn");
                        $name::again(d, width, &x, &mut y, &mut z);
                        thirds_of(&flat(&y), "again");
                        let now: Vec<_> = y.iter().chain(&z).flatten().map(|y| y.to_bits()).collect();
                        assert_eq!(*again.get_or_insert_with(|| now.clone()), now, "again {width} on {d}");
                        let (mut y, mut z) = (vec![[0.0; 3]; rows], vec![0.0; rows]);
                        $name::beside_teams(d, width, &x, &mut y, &mut z);
                        thirds_of(&flat(&y), "beside teams");
                        for (k, (z, (_, size))) in z.iter().zip(&want).enumerate() {
                            assert!(
                                f64::from(z.abs()) <= 2.0 * width as f64 * u * size,
                                "{k} beside teams on {d}: {z}"
                            );
                        }
                    });
                }
            }
        }
    };
}

tests!(of_f32, single, f32);
tests!(of_f64, double, f64);

#[test]
fn loops_as_they_stand() {
    let (u, width) = (f64::from(f32::EPSILON) / 2.0, 50_000);
    for x in unkind(3 * width, u) {
        let x: Vec<f32> = x.iter().map(|x| *x as f32).collect();
        let wide = |x: &[f32]| x.iter().map(|x| f64::from(*x)).collect::<Vec<f64>>();
        let want = expected(width, &wide(&x));
        let mut y = vec![0.0; 3];
        as_it_stands::elements(width, &x, &mut y);
        check(&wide(&y), &want, width, u, "elements");
        let mut y = vec![0.0; 3];
        as_it_stands::fields(width, &x, &mut y);
        check(&wide(&y), &want, width, u, "fields");
    }
}

/// Nothing is asked of elements that no iteration comes to, and sums of integers are as they were.
#[test]
fn what_is_not_there() {
    #[omp::offload]
    fn none(d: usize, width: usize, rows: usize, x: &[f32], y: &mut [f32], n: &mut [u32]) {
        #[omp::target(device(d))]
        for i in 0..rows {
            #[omp::simd(reduction(+: y, n))]
            for j in 0..width {
                if i < y.len() {
                    y[i] += x[j];
                    n[i] = n[i] + 1;
                }
            }
        }
    }
    on_every_device(|d| {
        let (mut y, mut n) = ([1.0; 3], [0; 3]);
        none(d, 0, 3, &[], &mut y, &mut n);
        assert_eq!((y, n), ([1.0; 3], [0; 3]));
        none(d, 2, 5, &[0.5, 0.25], &mut y, &mut n);
        assert_eq!((y, n), ([1.75; 3], [2; 3]));
    });
}
