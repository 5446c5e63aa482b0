//! Queues: the `wait` directive, and the routines that ask and wait.
use crate::table::Checks;
use omp::acc;

/// Compilers for CPUs unroll shorter loops in sequence.
const N: usize = 200;

#[omp::offload]
fn wait_directive(t: &mut Checks) {
    let (mut x, mut y, mut z) = (vec![1i64; N], vec![2i64; N], vec![0i64; N]);
    #[acc::data(copy(x, y), create(z))]
    {
        #[acc::parallel_loop(async(1))]
        for i in 0..N {
            x[i] += i as i64;
        }
        #[acc::parallel_loop(async(2))]
        for i in 0..N {
            y[i] *= 5;
        }
        acc::wait!(1, 2);
        t.eq("wait(1, 2)", (acc::async_test(1), acc::async_test(2)), (true, true));
        #[acc::parallel_loop(async(3))]
        for i in 0..N {
            z[i] = x[i] + y[N - 1 - i];
        }
        acc::wait!(3, async(4));
        #[acc::parallel_loop(async(4))]
        for i in 0..N {
            x[i] = 2 * z[i];
        }
        acc::wait!(4, if(N > 1));
        t.eq("if", acc::async_test(4), true);
        acc::wait!();
        t.eq("without an argument", acc::async_test_all(), true);
    }
    t.eq("async", x, (0..N as i64).map(|i| 2 * (i + 11)).collect());
    t.eq("wait(1, 2)", y, vec![10; N]);
}

/// Two queues on data that have nothing to do with each other: each keeps its order.
#[omp::offload]
fn order(t: &mut Checks) {
    let (mut x, mut y) = (vec![0u32; N], vec![0u32; 2 * N]);
    for round in 0..6 {
        let queue = (round % 2) as u16;
        #[acc::parallel_loop(async(queue), copy(x))]
        for i in 0..N {
            x[i] = x[i] * 3 + 1;
        }
        #[acc::parallel_loop(async(queue), copy(y))]
        for i in 0..2 * N {
            y[i] = y[i] * 5 + 2;
        }
    }
    acc::wait!(0, 1);
    let (a, b) = (0..6).fold((0u32, 0u32), |(a, b), _| (a * 3 + 1, b * 5 + 2));
    t.eq("queues in a loop", (x.to_vec(), y.to_vec()), (vec![a; N], vec![b; 2 * N]));
}

/// Host code that reads what a queue writes waits by itself.
#[omp::offload]
fn read_back(t: &mut Checks) {
    let mut x = vec![3u32; N];
    #[acc::serial_loop(async, copy(x))]
    for i in 1..N {
        x[i] = x[i - 1] + 2;
    }
    let last = x[N - 1];
    acc::wait!();
    t.eq("async without a queue", last, 3 + 2 * (N as u32 - 1));
    t.eq("a read of the host waits", x[1], 5);
}

#[omp::offload]
fn routines(t: &mut Checks) {
    let (mut x, mut y) = (vec![0u32; N], vec![0u32; N]);
    #[acc::parallel_loop(async(7), copy(x))]
    for i in 0..N {
        x[i] += 1;
    }
    while !acc::async_test(7) {}
    t.eq("acc_async_test", x.to_vec(), vec![1; N]);
    #[acc::parallel_loop(async(8), copy(x))]
    for i in 0..N {
        x[i] += 1;
    }
    acc::wait(8);
    t.eq("acc_wait", acc::async_test(8), true);
    acc::set_default_async(9);
    t.eq("acc_set_default_async", acc::get_default_async(), 9);
    #[acc::parallel_loop(async, copy(y))]
    for i in 0..N {
        y[i] += 2;
    }
    acc::wait(9);
    t.eq("acc_get_default_async", acc::async_test(acc::get_default_async()), true);
    acc::set_default_async(acc::ASYNC_NOVAL);
    #[acc::parallel_loop(async(1), copy(x))]
    for i in 0..N {
        x[i] *= 3;
    }
    acc::wait_async(1, 2);
    #[acc::parallel_loop(async(2), copyin(x), copy(y))]
    for i in 0..N {
        y[i] += x[i];
    }
    acc::wait_all_async(3);
    #[acc::parallel_loop(async(3), copy(y))]
    for i in 0..N {
        y[i] *= 10;
    }
    acc::wait_all();
    t.eq("acc_wait_all", [1, 2, 3].map(acc::async_test), [true; 3]);
    t.eq("acc_wait_async", x[5], 6);
    t.eq("acc_wait_all_async", y.to_vec(), vec![80; N]);
    #[acc::parallel_loop(async(acc::ASYNC_NOVAL), copy(x))]
    for i in 0..N {
        x[i] += 1;
    }
    acc::wait_all();
    t.eq("acc_async_noval", x[4], 7);
    #[acc::parallel_loop(async(acc::ASYNC_SYNC), copy(x))]
    for i in 0..N {
        x[i] += 3;
    }
    t.eq("acc_async_sync", (acc::async_test(acc::ASYNC_SYNC), acc::async_test_all()), (true, true));
    t.eq("acc_async_sync", x[4], 10);
}

/// Queues that are asked and waited for together, and what waits at once.
#[omp::offload]
fn several(t: &mut Checks) {
    let (mut x, mut y) = (vec![1u32; N], vec![2u32; N]);
    for _ in 0..2 {
        #[acc::parallel_loop(async(1), copy(x))]
        for i in 0..N {
            x[i] += 10;
        }
        #[acc::parallel_loop(async(2), copy(y))]
        for i in 0..N {
            y[i] *= 10;
        }
    }
    let first = acc::wait_any(&[1, 2]);
    t.eq("acc_wait_any", first.map(|at| acc::async_test(at + 1)), Some(true));
    while !acc::async_test_all() {}
    t.eq("acc_async_test_all", (x[7], y[7]), (21, 200));
    #[acc::parallel_loop(async(1), copy(x))]
    for i in 0..N {
        x[i] -= 1;
    }
    acc::wait!(1, async(acc::ASYNC_SYNC));
    t.eq("async(acc_async_sync)", (acc::async_test(1), x[0]), (true, 20));
    #[acc::parallel_loop(async(1), copy(x))]
    for i in 0..N {
        x[i] -= 1;
    }
    acc::wait_async(1, acc::ASYNC_SYNC);
    t.eq("acc_wait_async(acc_async_sync)", (acc::async_test(1), x[1]), (true, 19));
    acc::set_default_async(6);
    #[acc::parallel_loop(async(acc::ASYNC_NOVAL), copy(x))]
    for i in 0..N {
        x[i] -= 1;
    }
    acc::wait(6);
    acc::set_default_async(acc::ASYNC_NOVAL);
    t.eq("acc_async_noval of a default queue", (acc::async_test_all(), x[2]), (true, 18));
    #[acc::parallel_loop(async(3), copy(y))]
    for i in 0..N {
        y[i] += 1;
    }
    #[acc::parallel_loop(wait(devnum: 0: queues: 3), copyin(y), copy(x))]
    for i in 0..N {
        x[i] += y[i];
    }
    acc::wait!(queues: 3);
    t.eq("devnum, queues", (x.to_vec(), y.to_vec()), (vec![219; N], vec![201; N]));
}

/// Clauses of some devices: a queue on those of one kind only.
#[omp::offload]
fn of_kinds(t: &mut Checks) {
    let (mut x, mut y) = (vec![1u32; N], vec![0u32; N]);
    #[acc::data(create(y), copyin(x))]
    {
        #[acc::parallel_loop(present(x), device_type(not_host), async(1), device_type(host), async(2))]
        for i in 0..N {
            x[i] += i as u32;
        }
        #[acc::parallel_loop(present(x, y), async(3), wait(2), device_type(nvidia, opencl), wait(1))]
        for i in 0..N {
            y[i] = 2 * x[i];
        }
        acc::update!(self(y), device_type(*), wait(3));
        t.eq("wait", (y[3], acc::async_test(3)), (8, true));
    }
    #[acc::kernels_loop(copy(y), device_type(multicore), async(4))]
    for i in 0..N {
        y[i] += 1;
    }
    t.eq("async", acc::async_test(acc::ASYNC_SYNC) && (!t.on_device() || acc::async_test_all()), true);
    acc::wait!();
    t.eq("async", y.to_vec(), (0..N as u32).map(|i| 2 * i + 3).collect());
}

programs! {
    wait_directive {
        OpenAcc "2.16.3" "wait": "without an argument", "wait(1, 2)", "async", "if";
    }
    order {
        OpenAcc "2.16" "parallel loop": "queues in a loop";
    }
    read_back {
        OpenAcc "2.16.1" "serial loop": "async without a queue", "a read of the host waits";
    }
    routines {
        OpenAcc "3.2.9" "routine of the runtime": "acc_async_test";
        OpenAcc "3.2.10" "routine of the runtime": "acc_wait", "acc_wait_all";
        OpenAcc "3.2.11" "routine of the runtime": "acc_wait_async", "acc_wait_all_async";
        OpenAcc "3.2.13" "routine of the runtime": "acc_get_default_async";
        OpenAcc "3.2.14" "routine of the runtime": "acc_set_default_async";
        OpenAcc "2.16" "queue numbers": "acc_async_noval", "acc_async_sync";
    }
    several {
        OpenAcc "3.2.9" "routine of the runtime": "acc_async_test_all";
        OpenAcc "3.2.10" "routine of the runtime": "acc_wait_any";
        OpenAcc "3.2.11" "queue numbers": "acc_wait_async(acc_async_sync)";
        OpenAcc "2.16.3" "wait": "async(acc_async_sync)", "devnum, queues";
        OpenAcc "2.16" "queue numbers": "acc_async_noval of a default queue";
    }
    of_kinds {
        OpenAcc "2.4" "device_type": "async", "wait";
    }
}
