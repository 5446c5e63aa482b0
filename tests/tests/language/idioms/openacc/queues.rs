//! `async`, `wait` and the routines about queues.
use super::{SIZES, everywhere};
use omp::acc;

#[omp::offload]
fn chained(x: &mut [i64], y: &mut [i64], z: &mut [i64]) -> i64 {
    let n = x.len();
    let mut sum = 0;
    #[acc::data(copy(x, y), create(z))]
    {
        #[acc::parallel_loop(async(1))]
        for i in 0..n {
            x[i] += 1;
        }
        #[acc::parallel_loop(async(2))]
        for i in 0..n {
            y[i] *= 2;
        }
        #[acc::parallel_loop(wait(1, 2), async(3))]
        for i in 0..n {
            z[i] = x[i] + y[n - 1 - i];
        }
        acc::wait!(3, async(1));
        #[acc::kernels_loop(async(1), reduction(+: sum))]
        for i in 0..n {
            sum += z[i];
        }
        acc::update!(self(x), async(1));
        acc::wait!(1);
        acc::wait!();
    }
    sum
}

#[test]
fn queues_wait_for_each_other() {
    everywhere(|_| {
        for n in SIZES {
            let (mut x, mut y, mut z) = (vec![1; n], vec![5; n], vec![0; n]);
            assert_eq!(chained(&mut x, &mut y, &mut z), 12 * n as i64);
            assert!(x.iter().all(|v| *v == 2) && y.iter().all(|v| *v == 10));
        }
    });
}

#[omp::offload]
fn asked(x: &mut [u32], y: &mut [u32]) -> bool {
    #[acc::parallel_loop(async(7), copy(x))]
    for i in 0..x.len() {
        x[i] += 1;
    }
    #[acc::parallel_loop(async, copy(y))]
    for i in 0..y.len() {
        y[i] += 2;
    }
    acc::wait(7);
    let first = acc::async_test(7);
    acc::wait_all();
    let all = acc::async_test_all() && acc::async_test(acc::get_default_async());
    acc::wait_async(7, 8);
    #[acc::serial_loop(async(8), wait, copy(x))]
    for i in 1..x.len() {
        x[i] += x[i - 1];
    }
    acc::wait_all_async(7);
    #[acc::parallel_loop(wait(8), copy(x))]
    for i in 0..x.len() {
        x[i] *= 10;
    }
    first && all && acc::async_test(8)
}

#[test]
fn routines_ask_and_wait() {
    everywhere(|_| {
        for n in SIZES {
            let (mut x, mut y) = (vec![0; n], vec![0; n]);
            assert!(asked(&mut x, &mut y), "{n}");
            assert!((0..n).all(|i| x[i] as usize == 10 * (i + 1) && y[i] == 2), "{n}: {x:?}");
        }
    });
    acc::set_default_async(4);
    assert_eq!(acc::get_default_async(), 4);
    acc::set!(default_async(acc::ASYNC_NOVAL));
    assert_eq!(acc::get_default_async(), acc::ASYNC_NOVAL);
}

/// One queue: however little their data has to do with each other, the second runs after the first.
#[omp::offload]
fn in_one_queue(rounds: usize, x: &mut [u32], y: &mut [u32]) {
    for round in 0..rounds {
        let queue = (round % 2) as u16;
        #[acc::parallel_loop(async(queue), copy(x))]
        for i in 0..x.len() {
            x[i] = x[i] * 3 + 1;
        }
        #[acc::parallel_loop(async(queue), copy(y))]
        for i in 0..y.len() {
            y[i] = y[i] * 5 + 2;
        }
    }
    acc::wait!(0, 1);
}

#[test]
fn tasks_of_a_queue_keep_their_order() {
    everywhere(|_| {
        let (mut x, mut y) = (vec![0; 1000], vec![0; 999]);
        in_one_queue(9, &mut x, &mut y);
        let (a, b) = (0..9).fold((0u32, 0u32), |(a, b), _| (a * 3 + 1, b * 5 + 2));
        assert!(x.iter().all(|v| *v == a) && y.iter().all(|v| *v == b));
    });
}
