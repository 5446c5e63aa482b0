//! `loop` in compute constructs: levels, order, nests, private copies; `cache` and `routine`.
use crate::table::Checks;
use omp::acc;

const N: usize = 24;
const M: usize = 17;

/// A loop at one level under a construct, on an array of its own: each kernel has other work.
macro_rules! levels {
    ($($name:ident: [$($directive:tt)*];)*) => { $(
        #[omp::offload]
        fn $name(t: &mut Checks) {
            let mut a = vec![0u32; N * M];
            let mut runs = [0u32; 6];
            #[$($directive)*(copy(a, runs))]
            {
                #[acc::loop_(gang)]
                for i in 0..N * M {
                    a[i] = i as u32;
                }
                #[acc::loop_(worker)]
                for i in 0..N {
                    a[i * M] += 1000;
                }
                #[acc::loop_(vector)]
                for i in 0..M {
                    a[i] += 5000;
                }
                #[acc::loop_(seq)]
                for i in 1..N {
                    a[i * M] += a[(i - 1) * M];
                }
                #[acc::loop_(independent)]
                for i in 0..3 {
                    runs[2 * i] = a[i * M + 1];
                }
                #[acc::loop_(auto)]
                for i in 0..3 {
                    runs[2 * i + 1] = a[i * M];
                }
            }
            let head = |i: u32| (0..=i).map(|k| k * M as u32 + 1000).sum::<u32>() + 5000;
            t.eq("gang", a[M + 3], M as u32 + 3);
            t.eq("worker", a[M] % 1000, M as u32);
            t.eq("vector", a[2], 5002);
            t.eq("seq", (0..N).map(|i| a[i * M]).collect::<Vec<_>>(), (0..N as u32).map(head).collect());
            t.eq("independent", [runs[0], runs[2], runs[4]], [5001, M as u32 + 1, 2 * M as u32 + 1]);
            t.eq("auto", [runs[1], runs[3], runs[5]], [head(0), head(1), head(2)]);
        }
    )* };
}

levels! {
    parallel_levels: [acc::parallel];
    kernels_levels: [acc::kernels];
    serial_levels: [acc::serial];
}

#[omp::offload]
fn three_levels(t: &mut Checks) {
    const P: usize = 3;
    let a: Vec<i64> = (0..(P * N * M) as i64).map(|v| v * 7919 % 1009 - 500).collect();
    let (mut sums, mut most) = (vec![0i64; P * N], vec![0i64; P]);
    #[acc::parallel_loop(gang, num_gangs(P), copyin(a), copyout(sums, most))]
    for k in 0..P {
        #[acc::loop_(worker)]
        for i in 0..N {
            let mut s = 0;
            #[acc::loop_(vector, reduction(+: s))]
            for j in 0..M {
                s += a[(k * N + i) * M + j];
            }
            sums[k * N + i] = s;
        }
        let mut top = i64::MIN;
        #[acc::loop_(worker, vector, collapse(2), reduction(max: top))]
        for i in 0..N {
            for j in 0..M {
                top = top.max(a[(k * N + i) * M + j]);
            }
        }
        most[k] = top;
    }
    t.eq("gang, worker, vector", sums, a.chunks(M).map(|row| row.iter().sum()).collect());
    t.eq(
        "worker vector, collapse(2)",
        most,
        a.chunks(N * M).filter_map(|p| p.iter().max().copied()).collect(),
    );
}

#[omp::offload]
fn nests(t: &mut Checks) {
    let a: Vec<u32> = (0..(N * M) as u32).collect();
    let (mut b, mut c) = (vec![0u32; N * M], vec![[[0u16; 3]; 5]; 4]);
    let mut d = vec![0u32; N * N];
    #[acc::parallel_loop(tile(8, 4), copyin(a), copyout(b))]
    for i in 0..N {
        for j in 0..M {
            b[j * N + i] = a[i * M + j];
        }
    }
    t.eq("tile(8, 4)", b.clone(), (0..N * M).map(|q| (q % N * M + q / N) as u32).collect());
    #[acc::kernels_loop(collapse(2), copyin(a), copyout(b))]
    for i in 0..N {
        for j in 0..M {
            b[i * M + j] = a[i * M + j] + (i * j) as u32;
        }
    }
    t.eq("collapse(2)", b[3 * M + 2], 3 * M as u32 + 8);
    #[acc::parallel_loop(tile(*, *, *), copyout(c))]
    for i in 0..4 {
        for j in 0..5 {
            for k in 0..3 {
                c[i][j][k] = (100 * i + 10 * j + k) as u16;
            }
        }
    }
    t.eq("tile(*, *, *)", (c[3][4], c[0][1]), ([340, 341, 342], [10, 11, 12]));
    #[acc::parallel_loop(collapse(2), copy(d))]
    for i in 0..N {
        for j in 0..i + 1 {
            d[i * N + j] = (i - j) as u32;
        }
    }
    t.eq("collapse(2), triangular", d.iter().sum::<u32>(), (0..N as u32).map(|i| i * (i + 1) / 2).sum());
}

#[omp::offload]
fn blocks_of_nests(t: &mut Checks) {
    let (mut a, mut row, mut last) = (vec![0u32; N * M], [7u32; 2], vec![0u32; N]);
    #[acc::parallel(copy(a, last))]
    {
        #[acc::loop_(gang, vector, collapse(2))]
        for i in 0..N {
            for j in 0..M {
                a[i * M + j] = (i + j) as u32;
            }
        }
        #[acc::loop_(tile(4, 2))]
        for i in 0..N {
            for j in 0..M {
                a[i * M + j] *= 3;
            }
        }
        #[acc::loop_(gang, vector, private(row))]
        for i in 0..N {
            row[0] = a[i * M];
            row[1] = a[i * M + M - 1];
            last[i] = row[0] + row[1];
        }
    }
    t.eq(
        "collapse(2)",
        a.iter().map(|v| v / 3).collect::<Vec<_>>(),
        (0..N * M).map(|q| (q / M + q % M) as u32).collect(),
    );
    t.eq("tile(4, 2)", a[2 * M + 5], 21);
    t.eq("private", last, (0..N as u32).map(|i| 3 * (2 * i + M as u32 - 1)).collect());
}

#[omp::offload]
fn cached(t: &mut Checks) {
    let weights = [1i32, 4, 6, 4, 1];
    let (x, mut y) = ((0..N as i32 * 4).collect::<Vec<_>>(), vec![0i32; N * 4 - 4]);
    #[acc::parallel_loop(copyin(x, weights), copyout(y), cache(weights))]
    for i in 0..N * 4 - 4 {
        let mut s = 0;
        for k in 0..5 {
            s += weights[k] * x[i + k];
        }
        y[i] = s;
    }
    t.eq("cache", y, (0..4 * N as i32 - 4).map(|i| 16 * (i + 2)).collect());
}

#[acc::routine(seq)]
fn cube(v: i32) -> i32 {
    v * v * v
}

#[acc::routine(vector)]
fn row_sum(row: &[i32]) -> i32 {
    let mut s = 0;
    #[acc::loop_(vector, reduction(+: s))]
    for k in 0..row.len() {
        s += row[k];
    }
    s
}

#[acc::routine(worker)]
fn row_max(row: &[i32]) -> i32 {
    let mut m = i32::MIN;
    #[acc::loop_(worker, vector, reduction(max: m))]
    for k in 0..row.len() {
        m = m.max(row[k]);
    }
    m
}

#[acc::routine(gang)]
fn scale(row: &mut [i32], by: i32) {
    #[acc::loop_(gang, vector)]
    for k in 0..row.len() {
        row[k] *= by;
    }
}

/// It is there for the host as well, whose loop is the same.
#[acc::routine(nohost, device_type(nvidia), seq, device_type(*), seq)]
fn half(v: i32) -> i32 {
    v >> 1
}

#[omp::offload]
fn routines(t: &mut Checks) {
    let x: Vec<i32> = (0..(N * 4) as i32).collect();
    let (mut a, mut b, mut c, mut d) = (vec![0i32; N], vec![0i32; N], vec![0i32; N], x.clone());
    let mut e = vec![0i32; N];
    #[acc::parallel_loop(copyin(x), copyout(a, b, c, e), copy(d))]
    for i in 0..N {
        a[i] = cube(x[i]);
        b[i] = row_sum(&x[4 * i..4 * i + 4]);
        c[i] = row_max(&x[4 * i..4 * i + 4]);
        scale(&mut d[4 * i..4 * i + 4], i as i32);
        e[i] = half(x[i]);
    }
    t.eq("seq", a, (0..N as i32).map(|i| i * i * i).collect());
    t.eq("vector", b, (0..N as i32).map(|i| 16 * i + 6).collect());
    t.eq("worker", c, (0..N as i32).map(|i| 4 * i + 3).collect());
    t.eq("gang", d, (0..4 * N as i32).map(|q| q * (q / 4)).collect());
    t.eq("nohost, device_type", e, (0..N as i32).map(|i| i / 2).collect());
}

programs! {
    parallel_levels {
        OpenAcc "2.9.2" "parallel, loop": "gang";
        OpenAcc "2.9.3" "parallel, loop": "worker";
        OpenAcc "2.9.4" "parallel, loop": "vector";
        OpenAcc "2.9.5" "parallel, loop": "seq";
        OpenAcc "2.9.6" "parallel, loop": "independent";
        OpenAcc "2.9.7" "parallel, loop": "auto";
    }
    kernels_levels {
        OpenAcc "2.9.2" "kernels, loop": "gang";
        OpenAcc "2.9.3" "kernels, loop": "worker";
        OpenAcc "2.9.4" "kernels, loop": "vector";
        OpenAcc "2.9.5" "kernels, loop": "seq";
        OpenAcc "2.9.6" "kernels, loop": "independent";
        OpenAcc "2.9.7" "kernels, loop": "auto";
    }
    serial_levels {
        OpenAcc "2.9.2" "serial, loop": "gang";
        OpenAcc "2.9.3" "serial, loop": "worker";
        OpenAcc "2.9.4" "serial, loop": "vector";
        OpenAcc "2.9.5" "serial, loop": "seq";
        OpenAcc "2.9.6" "serial, loop": "independent";
        OpenAcc "2.9.7" "serial, loop": "auto";
    }
    three_levels {
        OpenAcc "2.9" "parallel loop, loop, loop": "gang, worker, vector";
        OpenAcc "2.9.1" "parallel loop, loop": "worker vector, collapse(2)";
    }
    nests {
        OpenAcc "2.9.8" "parallel loop": "tile(8, 4)", "tile(*, *, *)";
        OpenAcc "2.9.1" "kernels loop": "collapse(2)";
        OpenAcc "2.9.1" "parallel loop": "collapse(2), triangular";
    }
    blocks_of_nests {
        OpenAcc "2.9.1" "parallel, loop": "collapse(2)";
        OpenAcc "2.9.8" "parallel, loop": "tile(4, 2)";
        OpenAcc "2.9.10" "parallel, loop": "private";
    }
    cached {
        OpenAcc "2.10" "parallel loop": "cache";
    }
    routines {
        OpenAcc "2.15.1" "routine": "seq", "vector", "worker", "gang", "nohost, device_type";
    }
}
