//! `loop_` inside parallel loops, `collapse` and `tile`.
use super::everywhere;
use omp::acc;

#[omp::offload]
fn three(a: &[i64], sums: &mut [i64], most: &mut [i64], m: usize, n: usize) {
    #[acc::parallel_loop(gang, copyin(a), copyout(sums, most))]
    for k in 0..most.len() {
        #[acc::loop_(worker)]
        for i in 0..m {
            let mut s = 0;
            #[acc::loop_(vector, reduction(+: s))]
            for j in 0..n {
                s += a[(k * m + i) * n + j];
            }
            sums[k * m + i] = s;
        }
        let mut top = i64::MIN;
        #[acc::loop_(worker, vector, collapse(2), reduction(max: top))]
        for i in 0..m {
            for j in 0..n {
                top = top.max(a[(k * m + i) * n + j]);
            }
        }
        most[k] = top;
    }
}

#[test]
fn gangs_workers_and_vectors() {
    everywhere(|_| {
        for (pages, m, n) in [(0, 3, 4), (1, 1, 1), (3, 5, 70), (9, 33, 31)] {
            let a: Vec<i64> = (0..(pages * m * n) as i64).map(|v| v * 7919 % 1009 - 500).collect();
            let (mut sums, mut most) = (vec![0; pages * m], vec![0; pages]);
            three(&a, &mut sums, &mut most, m, n);
            for (r, row) in a.chunks(n).enumerate() {
                assert_eq!(sums[r], row.iter().sum::<i64>(), "row {r}");
            }
            for (k, page) in a.chunks(m * n).enumerate() {
                assert_eq!(Some(&most[k]), page.iter().max(), "page {k}");
            }
        }
    });
}

#[omp::offload]
fn tiled(a: &[u32], t: &mut [u32], n: usize, m: usize) {
    #[acc::parallel_loop(tile(8, 4), copyin(a), copyout(t))]
    for i in 0..n {
        for j in 0..m {
            t[j * n + i] = a[i * m + j];
        }
    }
}

#[omp::offload]
fn any_tile(t: &mut [[[u8; 3]; 5]]) {
    #[acc::parallel_loop(tile(*, *, *), copyout(t))]
    for i in 0..t.len() {
        for j in 0..5 {
            for k in 0..3 {
                t[i][j][k] = (i + 10 * j + 100 * k) as u8;
            }
        }
    }
}

#[test]
fn tiles_make_loops_one() {
    everywhere(|_| {
        for (n, m) in [(0, 3), (1, 1), (33, 65)] {
            let a: Vec<u32> = (0..(n * m) as u32).collect();
            let mut t = vec![0; n * m];
            tiled(&a, &mut t, n, m);
            for (q, v) in t.iter().enumerate() {
                assert_eq!(*v as usize, q % n * m + q / n);
            }
        }
        let mut t = vec![[[0; 3]; 5]; 20];
        any_tile(&mut t);
        assert_eq!((t[0][0], t[19][4]), ([0, 100, 200], [59, 159, 3]));
    });
}
