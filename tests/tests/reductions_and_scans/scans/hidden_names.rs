//! Scans whose bodies have variables with the name of the loop variable.
#![forbid(unsafe_code)]
use omp_tests::twice;

twice! {
    /// Variables of the body with the name of the loop variable, by `let`, `if let` and in the loop of an expression.
    pub fn hidden_names(x: &[i32], kept: &mut [i32], sums: &mut [i64]) -> usize {
        let mut n = 0;
        #[omp::scan(+)]
        for i in 0..x.len() {
            let last = { let i = i.max(1); x[i - 1] };
            if let Some(i) = x[i].checked_rem(3)
                && i != 0
            {
                kept[n] = i + last;
                n += 1;
            }
        }
        let mut sum = 0i64;
        #[omp::scan(+)]
        for i in 0..x.len() {
            sum += x[i] as i64;
            sums[i] = sum;
            let i = x[i] % 2;
            sum += i as i64;
        }
        n
    }
}

#[test]
fn variables_of_the_body_may_hide_the_loop_variable() {
    for len in [0usize, 1, 5, 2049] {
        let x: Vec<i32> = (0..len as i32).map(|i| i * 37 % 101 - 40).collect();
        let mut want = (vec![0; len], vec![0; len]);
        let count = plain::hidden_names(&x, &mut want.0, &mut want.1);
        let mut got = (vec![0; len], vec![0; len]);
        assert_eq!(device::hidden_names(&x, &mut got.0, &mut got.1), count);
        assert_eq!(got, want, "{len}");
    }
}
