//! Private arrays of which data decides what an iteration assigns: an iteration that reads only that runs, and one that reads another
//! element fails with the same words everywhere.
#![forbid(unsafe_code)]
#![allow(unused_assignments, clippy::all, clippy::pedantic, reason = "bodies have all forms on purpose")]
use omp_tests::on_every_device;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The first line of the panic, which is one on the host and all devices.
fn told(run: impl Fn(usize)) -> String {
    let mut texts: Vec<String> = Vec::new();
    for d in 0..=omp::get_num_devices() {
        let payload = catch_unwind(AssertUnwindSafe(|| run(d))).expect_err("the body fails");
        let text = *payload.downcast::<String>().expect("the payload is a String");
        texts.push(text.lines().take(2).collect::<Vec<_>>().join("\n"));
    }
    assert!(texts.iter().all(|text| *text == texts[0]), "{texts:?}");
    texts.swap_remove(0)
}

/// The median of up to nine neighbours: the window is filled and sorted up to `fill`.
#[omp::offload]
fn medians(d: usize, x: &[f32], keep: &[bool], y: &mut [f32]) {
    let (n, mut win) = (x.len(), [0.0f32; 9]);
    #[omp::target(device(d), private(win))]
    for i in 0..n {
        let mut fill = 0;
        for k in i.saturating_sub(4)..(i + 5).min(n) {
            if keep[k] {
                win[fill] = x[k];
                fill += 1;
            }
        }
        for a in 1..fill {
            let mut b = a;
            while b > 0 && win[b - 1] > win[b] {
                win.swap(b - 1, b);
                b -= 1;
            }
        }
        y[i] = if fill == 0 { -1.0 } else { win[fill / 2] };
    }
}

#[test]
fn a_window_is_sorted_as_far_as_it_is_filled() {
    let n = 300;
    let x: Vec<f32> = (0..n).map(|i| ((i * 7919) % 101) as f32).collect();
    let keep: Vec<bool> = (0..n).map(|i| i % 3 != 1 && i % 50 > 12).collect();
    let want: Vec<f32> = (0..n)
        .map(|i: usize| {
            let all = i.saturating_sub(4)..(i + 5).min(n);
            let mut win: Vec<f32> = all.filter(|k| keep[*k]).map(|k| x[k]).collect();
            win.sort_by(f32::total_cmp);
            if win.is_empty() { -1.0 } else { win[win.len() / 2] }
        })
        .collect();
    on_every_device(|d| {
        let mut y = vec![0.0; n];
        medians(d, &x, &keep, &mut y);
        assert_eq!(y, want);
    });
}

#[omp::offload]
fn rows(d: usize, x: &[usize], y: &mut [usize]) {
    let mut seen = [[9usize; 3]; 4];
    #[omp::target(device(d), private(seen))]
    for i in 0..y.len() {
        for k in 0..4 {
            if x[i] > k {
                seen[k][x[i] % 3] = i + k;
            }
        }
        for k in 0..4 {
            if x[i] > k {
                seen[k][x[i] % 3] += 1;
                y[i] += seen[k][x[i] % 3];
            }
        }
        if x[i] == 77 {
            y[i] = seen[3][(x[i] + 1) % 3];
        }
    }
}

#[test]
fn elements_of_rows() {
    let mut x: Vec<usize> = (0..200).map(|i| (i * 31) % 7).collect();
    let want: Vec<usize> =
        x.iter().enumerate().map(|(i, v)| (0..4.min(*v)).map(|k| i + k + 1).sum()).collect();
    on_every_device(|d| {
        let mut y = vec![0; x.len()];
        rows(d, &x, &mut y);
        assert_eq!(y, want);
    });
    x[150] = 77;
    let text = told(|d| rows(d, &x, &mut vec![0; x.len()]));
    let want = "`seen[3][0]` is read, but this iteration has not assigned it: `seen` is `private`\n  in the iteration i = 150";
    assert!(text.starts_with(want), "{text}");
}

#[omp::offload]
fn slices(d: usize, x: &[i32], y: &mut [i32]) {
    let mut buffer = [0i32; 6];
    #[omp::target(device(d), private(buffer))]
    for i in 0..y.len() {
        let mut fill = 0;
        for k in 0..6 {
            if x[i] % (k + 2) == 0 {
                buffer[fill] = k;
                fill += 1;
            }
        }
        if x[i] == 5000 {
            fill += 1;
        }
        for v in &buffer[..fill] {
            y[i] = y[i] * 8 + *v;
        }
        y[i] += buffer[0..fill].iter().sum::<i32>();
    }
}

#[test]
fn parts_of_a_buffer() {
    let mut x: Vec<i32> = (0..200).map(|i| i * 13 % 420).collect();
    let want: Vec<i32> = x
        .iter()
        .map(|v| {
            let all: Vec<i32> = (0..6).filter(|k| v % (k + 2) == 0).collect();
            all.iter().fold(0, |y, v| y * 8 + v) + all.iter().sum::<i32>()
        })
        .collect();
    on_every_device(|d| {
        let mut y = vec![0; x.len()];
        slices(d, &x, &mut y);
        assert_eq!(y, want);
    });
    x[7] = 5000;
    let text = told(|d| slices(d, &x, &mut vec![0; x.len()]));
    let want = "`buffer[3]` is read, but this iteration has not assigned it: `buffer` is `private`\n  in the iteration i = 7";
    assert!(text.starts_with(want), "{text}");
}

#[derive(Clone, Copy, omp::Device)]
struct Point {
    x: i32,
    y: i32,
}

#[omp::offload]
fn kept(d: usize, take: &[usize], out: &mut [i32]) -> [Point; 4] {
    let mut points = [Point { x: 1, y: 2 }; 4];
    #[omp::target(device(d), lastprivate(points))]
    for i in 0..out.len() {
        for k in 0..4 {
            points[k] = Point { x: i as i32, y: k as i32 };
        }
        out[i] = points[take[i]].x + points[take[i] % 2].y;
    }
    points
}

#[test]
fn what_is_proved_needs_no_flags() {
    let take: Vec<usize> = (0..50).map(|i| i % 4).collect();
    on_every_device(|d| {
        let mut out = vec![0; 50];
        let last = kept(d, &take, &mut out);
        let want: Vec<i32> = (0..50).map(|i| i + (i % 4) % 2).collect();
        assert_eq!(out, want);
        assert_eq!(last.map(|p| (p.x, p.y)), [(49, 0), (49, 1), (49, 2), (49, 3)]);
    });
}

#[omp::offload]
fn inner(d: usize, x: &[usize], y: &mut [usize]) {
    let m = 16;
    #[omp::target(device(d))]
    for i in 0..y.len() / m {
        let mut a = [0usize; 4];
        #[omp::parallel_for(private(a))]
        for j in 0..m {
            a[x[i] % 4] = i + j;
            if x[i] > 4 {
                a[1] = j;
            }
            y[i * m + j] = a[(x[i] * j) % 4];
        }
    }
}

#[test]
fn copies_of_an_inner_loop() {
    // Element 0 is the only one where `x` is 0.
    let (m, mut x) = (16, vec![0; 20]);
    on_every_device(|d| {
        let mut y = vec![0; x.len() * m];
        inner(d, &x, &mut y);
        let want: Vec<usize> = (0..20 * m).map(|k| k / m + k % m).collect();
        assert_eq!(y, want);
    });
    x[11] = 1;
    // All `j` but 0 and the multiples of 4 fail for that `i`: the thread that is first in time tells its own.
    for d in 0..=omp::get_num_devices() {
        let run = AssertUnwindSafe(|| inner(d, &x, &mut vec![0; x.len() * m]));
        let text = *catch_unwind(run)
            .expect_err("the body fails")
            .downcast::<String>()
            .expect("the payload is a String");
        assert!(text.contains("is read, but this iteration has not assigned it: `a` is `private`"), "{text}");
        assert!(text.contains("in the iteration i = 11, j = "), "{text}");
    }
}

/// Elsewhere than what is assigned, behind a loop that is left early, in the first iteration of one.
mod ways {
    use super::told;

    #[omp::offload]
    fn elsewhere(d: usize, out: &mut [usize]) {
        let mut a = [7usize; 5];
        #[omp::target(device(d), private(a))]
        for i in 0..out.len() {
            a[i % 2] = 1;
            out[i] = a[(i + 1) % 2];
        }
    }

    #[omp::offload]
    fn one_branch(d: usize, out: &mut [usize]) {
        let mut a = [7usize; 5];
        #[omp::target(device(d), private(a))]
        for i in 0..out.len() {
            if i % 2 == 0 {
                a = [1; 5];
            } else {
                a[0] = 2;
            }
            out[i] = a[1];
        }
    }

    #[omp::offload]
    fn left_early(d: usize, out: &mut [usize]) {
        let mut a = [7usize; 5];
        #[omp::target(device(d), private(a))]
        for i in 0..out.len() {
            for k in 0..4 {
                a[k] = 1;
                if k + i % 5 == 3 {
                    break;
                }
            }
            out[i] = a[3];
        }
    }

    #[omp::offload]
    fn first_of_a_loop(d: usize, out: &mut [usize]) {
        let mut a = [7usize; 5];
        #[omp::target(device(d), private(a))]
        for i in 0..out.len() {
            for k in 0..4 {
                if k + i < 9 {
                    out[i] += a[2];
                }
                a[2] = 1;
            }
        }
    }

    #[omp::offload]
    fn in_place(d: usize, out: &mut [usize]) {
        let mut a = [7usize; 5];
        #[omp::target(device(d), private(a))]
        for i in 0..out.len() {
            for k in 0..out.len() % 2 {
                a[k + 4] = 1;
            }
            if i == 3 {
                a[4] += 1;
            }
            out[i] = i;
        }
    }

    #[test]
    fn all() {
        let all: [(fn(usize, &mut [usize]), &str, &str); 5] = [
            (elsewhere, "a[1]", ""),
            (one_branch, "a[1]", "i = 1"),
            (left_early, "a[3]", "i = 1"),
            (first_of_a_loop, "a[2]", ""),
            (in_place, "a[4]", "i = 3"),
        ];
        for (run, element, iteration) in all {
            let n = 4;
            let text = told(|d| {
                let mut out = vec![0; n];
                // One iteration fails, or the first of them that does.
                let last = if iteration == "i = 1" {
                    2
                } else if iteration.is_empty() {
                    1
                } else {
                    n
                };
                run(d, &mut out[..last]);
            });
            let want = format!(
                "`{element}` is read, but this iteration has not assigned it: `a` is `private`\n  in the iteration {iteration}"
            );
            assert!(text.starts_with(&want), "{text}");
        }
    }
}
