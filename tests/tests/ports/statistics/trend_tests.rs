//! Trends of time series: Mann and Kendall, Theil and Sen.
use omp_tests::{compare, twice};

twice! {
    use std::cmp::Ordering;
    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Trend { s: i64, tau: f64, slope: f64 }
    pub fn trends<const N: usize>(d: usize, series: &[[f64; N]]) -> Vec<Trend> {
        let mut out = vec![Trend::default(); series.len()];
        #[omp::target(device(d))]
        for (x, out) in series.iter().zip(out.iter_mut()) {
            let mut s = 0i64;
            let mut slopes = [f64::INFINITY; 120];
            let mut count = 0;
            for (i, a) in x.iter().enumerate() {
                for (j, b) in x.iter().enumerate().skip(i + 1) {
                    s += match b.partial_cmp(a) {
                        Some(Ordering::Greater) => 1,
                        Some(Ordering::Less) => -1,
                        _ => 0,
                    };
                    slopes[count] = (b - a) / (j - i) as f64;
                    count += 1;
                }
            }
            slopes[..count].sort_by(f64::total_cmp);
            let slope = if count % 2 == 1 { slopes[count / 2] } else { (slopes[count / 2 - 1] + slopes[count / 2]) / 2.0 };
            *out = Trend { s, tau: s as f64 / count as f64, slope };
        }
        out
    }
}

#[test]
fn trend_tests() {
    let s: Vec<[f64; 14]> = (0..20)
        .map(|k| std::array::from_fn(|i| ((i * (k + 3) * 7) % 13) as f64 + 0.3 * k as f64 * i as f64))
        .collect();
    compare!(m, d => format!("{:?}", m::trends(d, &s)));
}
