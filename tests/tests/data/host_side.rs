//! What stands between the loops of a target block, and has to meet their values: assignments whose value leaves the block, the
//! `else` of a `let`, chains of conditions, macros.
#![allow(clippy::never_loop)]
use omp_tests::on_every_device;

#[omp::offload]
fn assigned(d: usize, leave: usize, y: &mut [f32]) -> f32 {
    let mut r = 0.0;
    'out: loop {
        #[omp::target(device(d))]
        {
            #[omp::parallel_for]
            for i in 0..y.len() {
                y[i] += 1.0;
            }
            y[0] = if leave == 1 { break 'out } else { 7.0 };
            y[1] += if leave == 2 { break 'out } else { 7.0 + y[0] };
            (y[2], r) = if leave == 3 { break 'out } else { (7.0 + y[0], y[1]) };
            #[omp::parallel_for]
            for i in 0..y.len() {
                y[i] *= 2.0;
            }
        }
        r += y[0];
        break;
    }
    r
}

#[omp::offload]
fn otherwise(d: usize, step: Option<f32>, y: &mut [f32]) {
    'out: loop {
        #[omp::target(device(d))]
        {
            #[omp::parallel_for]
            for i in 0..y.len() {
                y[i] += 1.0;
            }
            let Some(step) = step else {
                y[0] = 50.0;
                break 'out;
            };
            #[omp::parallel_for]
            for i in 0..y.len() {
                y[i] += step;
            }
        }
        break;
    }
}

#[omp::offload]
fn conditions(d: usize, at: Option<usize>, y: &mut [f32]) {
    #[omp::target(device(d))]
    {
        #[omp::parallel_for]
        for i in 0..y.len() {
            y[i] += i as f32;
        }
        if let Some(at) = at
            && at < 4
            && y[at] > 2.0
            && let Some(from) = at.checked_sub(1)
        {
            #[omp::parallel_for]
            for i in from..4 {
                y[i] += 10.0;
            }
        }
        let mut k = y.len();
        if matches!(y[3], 3.5..=5.0) {
            k += 1;
        }
        let added = vec![k; 2];
        let add = |v: usize| v as f32;
        let k = add(added[1]);
        #[omp::parallel_for]
        for i in 0..4 {
            y[i] += k;
        }
    }
}

#[test]
fn assignments_between_the_loops_meet_their_values() {
    on_every_device(|d| {
        let run = |leave| {
            let mut y = [1.0; 4];
            (assigned(d, leave, &mut y), y)
        };
        assert_eq!(run(0), (30.0, [14.0, 32.0, 28.0, 4.0]));
        assert_eq!(run(1), (0.0, [2.0; 4]));
        assert_eq!(run(2), (0.0, [7.0, 2.0, 2.0, 2.0]));
        assert_eq!(run(3), (0.0, [7.0, 16.0, 2.0, 2.0]));
        for (step, want) in [(None, [50.0, 2.0]), (Some(3.0), [5.0; 2])] {
            let mut y = [1.0; 2];
            otherwise(d, step, &mut y);
            assert_eq!(y, want);
        }
        for (at, want) in [
            (None, [6.0, 7.0, 8.0, 9.0]),
            (Some(2), [5.0, 16.0, 17.0, 18.0]),
            (Some(9), [6.0, 7.0, 8.0, 9.0]),
        ] {
            let mut y = [1.0; 4];
            conditions(d, at, &mut y);
            assert_eq!(y, want, "{at:?} on {d}");
        }
    });
}
