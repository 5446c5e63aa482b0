//! Lists in the parts of an array: a counter, a loop that ends early, subscripts and bounds from memory, an element and the others.
use omp_tests::twice;
twice! {
    pub fn above(x: &[u8], limit: u8, out: &mut [u8], part: usize, counts: &mut [usize]) {
        #[omp::target]
        for ((xs, list), count) in x.chunks(part).zip(out.chunks_mut(part)).zip(counts) {
            let mut n = 0;
            for &v in xs {
                if v > limit {
                    list[n] = v;
                    n += 1;
                }
            }
            *count = n;
        }
    }

    pub fn until_zero(x: &[u8], out: &mut [u8], part: usize) {
        #[omp::target]
        for (xs, copy) in x.chunks(part).zip(out.chunks_mut(part)) {
            for i in 0..1000 {
                if i == xs.len() || xs[i] == 0 {
                    break;
                }
                copy[i] = xs[i] ^ 1;
            }
        }
    }

    pub fn permuted(x: &[u8], order: &[u32], lengths: &[usize], out: &mut [u8], part: usize) {
        #[omp::target]
        for (k, list) in out.chunks_exact_mut(part).enumerate() {
            for i in 0..lengths[k] {
                list[order[i] as usize] = x[k * part + i];
            }
        }
    }

    pub fn running(x: &mut [u32], part: usize) {
        #[omp::target]
        for list in x.chunks_mut(part) {
            let (last, others) = list.split_last_mut().expect("a part has elements");
            for v in others.iter_mut() {
                *v += 1;
                *last = last.wrapping_mul(3).wrapping_add(*v);
            }
        }
    }

    pub fn offsets(out: &mut [u32], strides: [usize; 3]) {
        const ROW: usize = 1;
        #[omp::target(collapse(2))]
        for i in 0..strides[2] {
            for j in 0..strides[0] {
                let at = i * strides[0] + j;
                out[at] = std::array::from_fn::<u32, 3, _>(|k| (k * strides[ROW]) as u32).iter().sum::<u32>() + at as u32;
            }
        }
    }

    pub fn run() -> (Vec<u8>, Vec<usize>, Vec<u32>) {
        let x: Vec<u8> = (0..50u32).map(|i| (i * 7 % 11) as u8).collect();
        let mut all = vec![];
        let (mut out, mut counts) = (vec![0; 50], vec![0; 7]);
        above(&x, 3, &mut out, 8, &mut counts);
        all.extend(&out);
        until_zero(&x, &mut out, 8);
        all.extend(&out);
        permuted(&x, &[3, 1, 2, 0, 4, 7, 6, 5], &[8, 3, 0, 5, 2, 8], &mut out, 8);
        all.extend(&out);
        let mut numbers: Vec<u32> = (0..30).collect();
        running(&mut numbers, 7);
        let mut table = vec![0; 12];
        offsets(&mut table, [4, 5, 3]);
        numbers.extend(table);
        (all, counts, numbers)
    }
}
port!(parts_listed: run());
