//! Clauses of the compute constructs, combined with a loop and as blocks.
use crate::table::Checks;
use omp::{DeviceSlice, acc};

/// Compilers for CPUs unroll shorter loops in sequence.
const N: usize = 200;

/// Arrays of this length are transferred alone, without the padding of small ones.
const BIG: usize = 5000;

/// Bytes that the last region copied, to the device and back: none on the host.
fn copied() -> (u64, u64) {
    let report = omp::last_region();
    (report.bytes_to_device, report.bytes_from_device)
}

/// Teams and threads of a team of the last region.
fn grid() -> (u32, u32) {
    let report = omp::last_region();
    (report.grid.iter().product(), report.block.iter().product())
}

/// The functions of a combined construct.
macro_rules! combined {
    ($module:ident: [$($directive:tt)*]) => {
        mod $module {
            use super::*;

            #[omp::offload]
            fn placed(x: &mut [u32], condition: bool, own: bool) -> bool {
                let mut host = [2u8];
                #[$($directive)*(if(condition), self(own), copy(x, host))]
                for i in 0..N {
                    x[i] += 1;
                    if i == 3 {
                        host[0] = omp::is_initial_device() as u8;
                    }
                }
                host[0] == 1
            }

            pub fn places(t: &mut Checks) {
                let mut x = vec![0; N];
                t.eq("if", placed(&mut x, true, false), !t.on_device());
                t.eq_on_host("if", placed(&mut x, false, false), true);
                t.eq_on_host("self", placed(&mut x, true, true), true);
                t.eq("self", placed(&mut x, true, false), !t.on_device());
                t.eq("if", x, vec![4; N]);
            }

            #[omp::offload]
            pub fn copies(t: &mut Checks) {
                let mut a: Vec<i32> = (0..BIG as i32).collect();
                let b: Vec<i32> = (0..BIG as i32).map(|v| v * v).collect();
                let (mut c, mut own) = (vec![0i32; BIG], vec![-1i32; BIG]);
                #[$($directive)*(copy(a), copyin(b), copyout(c), create(own), default(none))]
                for i in 0..BIG {
                    let sum = a[i].wrapping_add(b[i]);
                    own[i] = sum;
                    c[i] = sum.wrapping_mul(2);
                    a[i] = sum.wrapping_sub(1);
                }
                let bytes = copied();
                let sum = |i: i32| i + i * i;
                t.eq("copy", a.clone(), (0..BIG as i32).map(|i| sum(i) - 1).collect());
                t.eq("copyout", c.clone(), (0..BIG as i32).map(|i| 2 * sum(i)).collect());
                // Two arrays go there, and two come back. The values of `c` and `own` stay here, as every element is written and none read.
                let two = t.on_device() as u64 * 8 * BIG as u64;
                t.eq("copyin", bytes.0, two);
                t.eq("copyin", b, (0..BIG as i32).map(|v| v * v).collect());
                t.eq("create", bytes.1, two);
                t.eq("create", own[BIG - 1], if t.on_device() { -1 } else { sum(BIG as i32 - 1) });
                // Consts and literals need no clause, and what has one is mapped by it alone.
                t.eq("default(none)", (c[BIG - 1], a[BIG - 1]), (2 * sum(BIG as i32 - 1), sum(BIG as i32 - 1) - 1));
            }

            #[omp::offload]
            pub fn presence(t: &mut Checks) {
                let (mut a, mut b) = (vec![1u32; N], vec![2u32; N]);
                let mut p = DeviceSlice::from_host(&vec![3u32; N]);
                #[acc::data(copy(a), copyin(b))]
                {
                    #[$($directive)*(present(a), no_create(b), deviceptr(p))]
                    for i in 0..N {
                        a[i] += b[i] * 10 + p[i] * 100;
                        p[i] += i as u32;
                    }
                    t.eq("present", copied(), (0, 0));
                    t.eq("no_create", copied().0, 0);
                    b.fill(7);
                    #[$($directive)*(default(present))]
                    for i in 0..N {
                        a[i] += 1000 * b[i];
                    }
                    t.eq("default(present)", copied(), (0, 0));
                }
                let of_b = if t.on_device() { 2 } else { 7 };
                t.eq("present", a[5] % 1000, 321);
                t.eq("no_create", a[5] % 100, 21);
                t.eq("default(present)", a, vec![321 + 1000 * of_b; N]);
                t.eq("deviceptr", p.to_host(), (0..N as u32).map(|i| 3 + i).collect());
            }

            #[omp::offload]
            pub fn tasks(t: &mut Checks) {
                let (mut x, mut y) = (vec![1u64; N], vec![0u64; N]);
                #[$($directive)*(async(1), copy(x))]
                for i in 0..N {
                    x[i] += i as u64;
                }
                #[$($directive)*(async(2), wait(1), copyin(x), copyout(y))]
                for i in 0..N {
                    y[i] = x[N - 1 - i];
                }
                acc::wait!(1, 2);
                t.eq("async", (acc::async_test(1), x[9]), (true, 10));
                t.eq("wait", y.to_vec(), (0..N as u64).map(|i| N as u64 - i).collect());
            }
        }
    };
}

combined!(parallel_loop: [acc::parallel_loop]);
combined!(kernels_loop: [acc::kernels_loop]);
combined!(serial_loop: [acc::serial_loop]);

/// The functions of a block construct: two loops, and a statement between them that the device runs.
macro_rules! block {
    ($module:ident: [$($directive:tt)*]) => {
        mod $module {
            use super::*;

            #[omp::offload]
            fn placed(x: &mut [u32], condition: bool, own: bool) -> bool {
                let mut host = [2u8];
                #[$($directive)*(if(condition), self(own), copy(x, host))]
                {
                    #[acc::loop_(independent)]
                    for i in 0..N {
                        x[i] += 1;
                    }
                    host[0] = omp::is_initial_device() as u8;
                }
                host[0] == 1
            }

            pub fn places(t: &mut Checks) {
                let mut x = vec![0; N];
                t.eq("if", placed(&mut x, true, false), !t.on_device());
                t.eq_on_host("if", placed(&mut x, false, false), true);
                t.eq_on_host("self", placed(&mut x, true, true), true);
                t.eq("self", placed(&mut x, true, false), !t.on_device());
                t.eq("if", x, vec![4; N]);
            }

            #[omp::offload]
            pub fn copies(t: &mut Checks) {
                let mut a: Vec<i32> = (0..N as i32).collect();
                let b: Vec<i32> = (0..N as i32).map(|v| v * v).collect();
                let (mut c, mut own) = (vec![0i32; N], vec![-1i32; N]);
                #[$($directive)*(copy(a), copyin(b), copyout(c), create(own), default(none))]
                {
                    #[acc::loop_(independent)]
                    for i in 0..N {
                        own[i] = a[i] + b[i];
                    }
                    own[0] = 5;
                    #[acc::loop_(independent)]
                    for i in 0..N {
                        c[i] = 2 * own[N - 1 - i];
                        a[i] = own[i] - 1;
                    }
                }
                let sum = |i: i32| if i == 0 { 5 } else { i + i * i };
                t.eq("copy", a, (0..N as i32).map(|i| sum(i) - 1).collect());
                t.eq("copyin", b, (0..N as i32).map(|v| v * v).collect());
                t.eq("copyout", c, (0..N as i32).rev().map(|i| 2 * sum(i)).collect());
                t.eq("create", own[N - 1], if t.on_device() { -1 } else { sum(N as i32 - 1) });
                t.eq("default(none)", own[0], if t.on_device() { -1 } else { 5 });
            }

            #[omp::offload]
            pub fn presence(t: &mut Checks) {
                let (mut a, mut b) = (vec![1u32; N], vec![2u32; N]);
                let mut p = DeviceSlice::from_host(&vec![3u32; N]);
                #[acc::data(copy(a), copyin(b))]
                {
                    b.fill(7);
                    #[$($directive)*(present(a), no_create(b), deviceptr(p))]
                    {
                        #[acc::loop_(independent)]
                        for i in 0..N {
                            a[i] += b[i] * 10;
                            p[i] += i as u32;
                        }
                    }
                    t.eq("present", copied(), (0, 0));
                    #[$($directive)*(default(present))]
                    {
                        #[acc::loop_(independent)]
                        for i in 0..N {
                            a[i] += 1000;
                        }
                    }
                    t.eq("default(present)", copied(), (0, 0));
                }
                let of_b = if t.on_device() { 2 } else { 7 };
                t.eq("present", a[5] % 10, 1);
                t.eq("no_create", a[5] % 1000, 1 + 10 * of_b);
                t.eq("default(present)", a, vec![1001 + 10 * of_b; N]);
                t.eq("deviceptr", p.to_host(), (0..N as u32).map(|i| 3 + i).collect());
            }

            #[omp::offload]
            pub fn tasks(t: &mut Checks) {
                let (mut x, mut y) = (vec![1u64; N], vec![0u64; N]);
                #[$($directive)*(async(1), copy(x))]
                {
                    #[acc::loop_(independent)]
                    for i in 0..N {
                        x[i] += i as u64;
                    }
                    #[acc::loop_(independent)]
                    for i in 0..N {
                        x[i] *= 3;
                    }
                }
                #[$($directive)*(async(2), wait(1), copyin(x), copyout(y))]
                {
                    #[acc::loop_(independent)]
                    for i in 0..N {
                        y[i] = x[N - 1 - i];
                    }
                }
                acc::wait!(1, 2);
                t.eq("async", (acc::async_test(1), x[9]), (true, 30));
                t.eq("wait", y.to_vec(), (0..N as u64).map(|i| 3 * (N as u64 - i)).collect());
            }
        }
    };
}

block!(parallel: [acc::parallel]);
block!(kernels: [acc::kernels]);
block!(serial: [acc::serial]);

/// `num_gangs`, `num_workers` and `vector_length` bound the launch.
macro_rules! sized {
    ($($name:ident $sizes:ident: [$($directive:tt)*];)*) => { $(
        #[omp::offload]
        fn $sizes(x: &mut [u32], gangs: usize, workers: i64, lanes: u16) {
            #[$($directive)*(num_gangs(gangs), num_workers(workers), vector_length(lanes), copy(x))]
            {
                #[acc::loop_(gang, worker, vector)]
                for i in 0..x.len() {
                    x[i] += 1;
                }
            }
        }

        fn $name(t: &mut Checks) {
            let n = 5000;
            let mut x = vec![0; n];
            $sizes(&mut x, 3, 4, 32);
            let (gangs, threads) = grid();
            t.eq("num_gangs", (gangs <= 3, threads <= 4 * 32), (true, true));
            $sizes(&mut x, 7, 1, 16);
            t.eq("num_workers", (grid().0 <= 7, grid().1 <= 16), (true, true));
            $sizes(&mut x, 1, 1, 1);
            t.eq("vector_length", (grid().0 <= 1, grid().1 <= 1), (true, true));
            t.eq("num_gangs", x, vec![3; n]);
        }
    )* };
}

sized! {
    parallel_sizes parallel_sized: [acc::parallel];
    kernels_sizes kernels_sized: [acc::kernels];
}

#[omp::offload]
fn loop_sized(x: &mut [u32], gangs: usize, lanes: u16) {
    #[acc::parallel_loop(gang, vector, num_gangs(gangs), num_workers(1), vector_length(lanes), copy(x))]
    for i in 0..x.len() {
        x[i] += 2;
    }
}

fn loop_sizes(t: &mut Checks) {
    let mut x = vec![1; 3000];
    loop_sized(&mut x, 2, 64);
    t.eq("num_gangs", (grid().0 <= 2, x[2999]), (true, 3));
    t.eq("num_workers", grid().1 <= 64, true);
    loop_sized(&mut x, 500, 8);
    t.eq("vector_length", (grid().1 <= 8, x), (true, vec![5; 3000]));
}

/// Sizes for devices and other ones for the host; those before the first `device_type` are for what it does not name.
#[omp::offload]
fn sizes_of_kinds(t: &mut Checks) {
    let (n, many) = (4000, 40i64);
    let mut x = vec![0u32; n];
    #[acc::parallel_loop(
        copy(x),
        num_gangs(3),
        device_type(not_host),
        num_gangs(many),
        vector_length(16),
        num_workers(1)
    )]
    for i in 0..n {
        x[i] += 1;
    }
    let (gangs, threads) = grid();
    t.eq("num_gangs", gangs <= if t.on_device() { 40 } else { 3 }, true);
    t.eq("vector_length", !t.on_device() || threads <= 16, true);
    #[acc::parallel(copy(x), num_workers(many), device_type(nvidia, opencl), num_gangs(2), num_workers(2), dtype(*), num_gangs(1))]
    {
        #[acc::loop_(gang, device_type(host), vector(8), device_type(cuda, opencl), vector(32))]
        for i in 0..n {
            x[i] *= 3;
        }
    }
    let (gangs, threads) = grid();
    t.eq("num_workers", (gangs <= 2, !t.on_device() || threads <= 64), (true, true));
    t.eq("vector", x, vec![3; n]);
}

#[omp::offload]
fn kernels_loop_sizes(t: &mut Checks) {
    let mut x: Vec<u32> = (0..3000).collect();
    #[acc::kernels_loop(num_gangs(2u8), num_workers(1), vector_length(16), copy(x))]
    for i in 0..3000 {
        x[i] = 3000 - x[i];
    }
    t.eq("num_gangs", (grid().0 <= 2, x[0]), (true, 3000));
    t.eq("num_workers", (grid().1 <= 16, x[2999]), (true, 1));
    t.eq("vector_length", (grid().1 <= 16, x[1000]), (true, 2000));
}

#[omp::offload]
fn parallel_loop_copies(t: &mut Checks) {
    let (mut work, scale, mut out) = ([9i32; 3], [2, 3], vec![-1; N]);
    let add = 5;
    #[acc::parallel_loop(private(work), firstprivate(scale, add), copyout(out), default(none))]
    for i in 0..N {
        work[0] = i as i32;
        work[2] = work[0] * scale[1] + add;
        out[i] = work[2] * scale[0];
    }
    t.eq("private", out[7], 52);
    t.eq("firstprivate", out, (0..N as i32).map(|i| 2 * (3 * i + 5)).collect());
}

#[omp::offload]
fn serial_loop_copies(t: &mut Checks) {
    let (mut half, from, mut out) = (0.5f32, 3.0f32, vec![0.0; N]);
    #[acc::serial_loop(private(half), firstprivate(from), copyout(out))]
    for i in 0..N {
        half = i as f32 * 0.5;
        out[i] = half + from;
    }
    t.eq("private", out[3], 4.5);
    t.eq("firstprivate", out, (0..N).map(|i| i as f32 / 2.0 + 3.0).collect());
}

#[omp::offload]
fn kernels_loop_copies(t: &mut Checks) {
    let (mut half, mut sum) = (0u32, 0u32);
    #[acc::kernels_loop(private(half), reduction(+: sum))]
    for i in 0..N {
        half = i as u32 / 2;
        sum += half * (half + 1);
    }
    t.eq("private", sum, (0..N as u32).map(|i| i / 2 * (i / 2 + 1)).sum());
}

#[omp::offload]
fn parallel_block_copies(t: &mut Checks) {
    let (mut work, base) = (0i64, 11i64);
    let (mut out, mut sum, mut most) = (vec![0i64; N], 100i64, 0i64);
    #[acc::parallel(private(work), firstprivate(base), reduction(+: sum), copyout(out))]
    {
        #[acc::loop_(gang, vector)]
        for i in 0..N {
            work = i as i64 * 3;
            out[i] = work + base;
        }
        #[acc::loop_(gang, vector)]
        for i in 0..N {
            sum += out[i];
        }
        #[acc::loop_(reduction(max: most))]
        for i in 0..N {
            most = most.max(out[i]);
        }
    }
    let want: Vec<i64> = (0..N as i64).map(|i| 3 * i + 11).collect();
    let total = 100 + want.iter().sum::<i64>();
    t.eq("private", out[4], 23);
    t.eq("firstprivate", (base, out), (11, want.clone()));
    t.eq("reduction", (sum, most), (total, want[N - 1]));
}

#[omp::offload]
fn serial_block_copies(t: &mut Checks) {
    let (mut last, base) = (0u32, 2u32);
    let (mut f, mut sum) = (vec![1u32; N], 7u32);
    #[acc::serial(private(last), firstprivate(base), reduction(+: sum), copy(f))]
    {
        for i in 2..N {
            last = f[i - 1] + f[i - 2] * base;
            f[i] = last % 1009;
        }
        for i in 0..N {
            sum += f[i];
        }
    }
    let mut want = vec![1u32; N];
    for i in 2..N {
        want[i] = (want[i - 1] + 2 * want[i - 2]) % 1009;
    }
    t.eq("private", f[2], 3);
    t.eq("firstprivate", f, want.clone());
    t.eq("reduction", sum, 7 + want.iter().sum::<u32>());
}

/// A loop-carried dependence: `kernels` keeps the order, and says so when it is compiled.
#[omp::offload]
#[expect(deprecated, reason = "a loop that runs in order warns so")]
fn kernels_in_order(t: &mut Checks) {
    let (mut a, mut b) = (vec![1u32; N], vec![0u32; N]);
    #[acc::kernels(copy(a, b))]
    {
        for i in 1..N {
            a[i] += a[i - 1];
        }
        for i in 0..N {
            b[i] = a[i] * a[i];
        }
    }
    t.eq("loops without a directive", a, (1..=N as u32).collect());
    t.eq("dependence kept", b, (1..=N as u32).map(|v| v * v).collect());
}

programs! {
    parallel_loop::places {
        OpenAcc "2.5.6" "parallel loop": "if";
        OpenAcc "2.5.7" "parallel loop": "self";
    }
    kernels_loop::places {
        OpenAcc "2.5.6" "kernels loop": "if";
        OpenAcc "2.5.7" "kernels loop": "self";
    }
    serial_loop::places {
        OpenAcc "2.5.6" "serial loop": "if";
        OpenAcc "2.5.7" "serial loop": "self";
    }
    parallel::places {
        OpenAcc "2.5.6" "parallel": "if";
        OpenAcc "2.5.7" "parallel": "self";
    }
    kernels::places {
        OpenAcc "2.5.6" "kernels": "if";
        OpenAcc "2.5.7" "kernels": "self";
    }
    serial::places {
        OpenAcc "2.5.6" "serial": "if";
        OpenAcc "2.5.7" "serial": "self";
    }
    parallel_loop::copies {
        OpenAcc "2.7.6" "parallel loop": "copy";
        OpenAcc "2.7.7" "parallel loop": "copyin";
        OpenAcc "2.7.8" "parallel loop": "copyout";
        OpenAcc "2.7.9" "parallel loop": "create";
        OpenAcc "2.5.16" "parallel loop": "default(none)";
    }
    kernels_loop::copies {
        OpenAcc "2.7.6" "kernels loop": "copy";
        OpenAcc "2.7.7" "kernels loop": "copyin";
        OpenAcc "2.7.8" "kernels loop": "copyout";
        OpenAcc "2.7.9" "kernels loop": "create";
        OpenAcc "2.5.16" "kernels loop": "default(none)";
    }
    serial_loop::copies {
        OpenAcc "2.7.6" "serial loop": "copy";
        OpenAcc "2.7.7" "serial loop": "copyin";
        OpenAcc "2.7.8" "serial loop": "copyout";
        OpenAcc "2.7.9" "serial loop": "create";
        OpenAcc "2.5.16" "serial loop": "default(none)";
    }
    parallel::copies {
        OpenAcc "2.7.6" "parallel": "copy";
        OpenAcc "2.7.7" "parallel": "copyin";
        OpenAcc "2.7.8" "parallel": "copyout";
        OpenAcc "2.7.9" "parallel": "create";
        OpenAcc "2.5.16" "parallel": "default(none)";
    }
    kernels::copies {
        OpenAcc "2.7.6" "kernels": "copy";
        OpenAcc "2.7.7" "kernels": "copyin";
        OpenAcc "2.7.8" "kernels": "copyout";
        OpenAcc "2.7.9" "kernels": "create";
        OpenAcc "2.5.16" "kernels": "default(none)";
    }
    serial::copies {
        OpenAcc "2.7.6" "serial": "copy";
        OpenAcc "2.7.7" "serial": "copyin";
        OpenAcc "2.7.8" "serial": "copyout";
        OpenAcc "2.7.9" "serial": "create";
        OpenAcc "2.5.16" "serial": "default(none)";
    }
    parallel_loop::presence {
        OpenAcc "2.7.5" "parallel loop": "present";
        OpenAcc "2.7.10" "parallel loop": "no_create";
        OpenAcc "2.7.4" "parallel loop": "deviceptr";
        OpenAcc "2.5.16" "parallel loop": "default(present)";
    }
    kernels_loop::presence {
        OpenAcc "2.7.5" "kernels loop": "present";
        OpenAcc "2.7.10" "kernels loop": "no_create";
        OpenAcc "2.7.4" "kernels loop": "deviceptr";
        OpenAcc "2.5.16" "kernels loop": "default(present)";
    }
    serial_loop::presence {
        OpenAcc "2.7.5" "serial loop": "present";
        OpenAcc "2.7.10" "serial loop": "no_create";
        OpenAcc "2.7.4" "serial loop": "deviceptr";
        OpenAcc "2.5.16" "serial loop": "default(present)";
    }
    parallel::presence {
        OpenAcc "2.7.5" "parallel": "present";
        OpenAcc "2.7.10" "parallel": "no_create";
        OpenAcc "2.7.4" "parallel": "deviceptr";
        OpenAcc "2.5.16" "parallel": "default(present)";
    }
    kernels::presence {
        OpenAcc "2.7.5" "kernels": "present";
        OpenAcc "2.7.10" "kernels": "no_create";
        OpenAcc "2.7.4" "kernels": "deviceptr";
        OpenAcc "2.5.16" "kernels": "default(present)";
    }
    serial::presence {
        OpenAcc "2.7.5" "serial": "present";
        OpenAcc "2.7.10" "serial": "no_create";
        OpenAcc "2.7.4" "serial": "deviceptr";
        OpenAcc "2.5.16" "serial": "default(present)";
    }
    parallel_loop::tasks {
        OpenAcc "2.5.8" "parallel loop": "async";
        OpenAcc "2.5.9" "parallel loop": "wait";
    }
    kernels_loop::tasks {
        OpenAcc "2.5.8" "kernels loop": "async";
        OpenAcc "2.5.9" "kernels loop": "wait";
    }
    serial_loop::tasks {
        OpenAcc "2.5.8" "serial loop": "async";
        OpenAcc "2.5.9" "serial loop": "wait";
    }
    parallel::tasks {
        OpenAcc "2.5.8" "parallel": "async";
        OpenAcc "2.5.9" "parallel": "wait";
    }
    kernels::tasks {
        OpenAcc "2.5.8" "kernels": "async";
        OpenAcc "2.5.9" "kernels": "wait";
    }
    serial::tasks {
        OpenAcc "2.5.8" "serial": "async";
        OpenAcc "2.5.9" "serial": "wait";
    }
    parallel_sizes {
        OpenAcc "2.5.10" "parallel": "num_gangs";
        OpenAcc "2.5.11" "parallel": "num_workers";
        OpenAcc "2.5.12" "parallel": "vector_length";
    }
    kernels_sizes {
        OpenAcc "2.5.10" "kernels": "num_gangs";
        OpenAcc "2.5.11" "kernels": "num_workers";
        OpenAcc "2.5.12" "kernels": "vector_length";
    }
    loop_sizes {
        OpenAcc "2.5.10" "parallel loop": "num_gangs";
        OpenAcc "2.5.11" "parallel loop": "num_workers";
        OpenAcc "2.5.12" "parallel loop": "vector_length";
    }
    sizes_of_kinds {
        OpenAcc "2.4" "device_type": "num_gangs", "num_workers", "vector_length", "vector";
    }
    kernels_loop_sizes {
        OpenAcc "2.5.10" "kernels loop": "num_gangs";
        OpenAcc "2.5.11" "kernels loop": "num_workers";
        OpenAcc "2.5.12" "kernels loop": "vector_length";
    }
    parallel_loop_copies {
        OpenAcc "2.5.13" "parallel loop": "private";
        OpenAcc "2.5.14" "parallel loop": "firstprivate";
    }
    serial_loop_copies {
        OpenAcc "2.9.10" "serial loop": "private";
        OpenAcc "2.5.14" "serial loop": "firstprivate";
    }
    kernels_loop_copies {
        OpenAcc "2.9.10" "kernels loop": "private";
    }
    parallel_block_copies {
        OpenAcc "2.5.13" "parallel": "private";
        OpenAcc "2.5.14" "parallel": "firstprivate";
        OpenAcc "2.5.15" "parallel": "reduction";
    }
    serial_block_copies {
        OpenAcc "2.5.13" "serial": "private";
        OpenAcc "2.5.14" "serial": "firstprivate";
        OpenAcc "2.5.15" "serial": "reduction";
    }
    kernels_in_order {
        OpenAcc "2.5.3" "kernels": "loops without a directive", "dependence kept";
    }
}
