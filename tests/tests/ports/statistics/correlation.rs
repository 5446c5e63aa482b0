//! PolyBench correlation on rows of a fixed size.
use omp_tests::{Values, twice};

twice! {
    const M: usize = 9;
    type Row = [f64; M];

    fn column_stats(data: &[Row]) -> (Row, Row) {
        let n = data.len() as f64;
        let mut mean = [0.0; M];
        let mut stddev = [0.0; M];
        let eps = 0.1;
        #[omp::target]
        for (j, (m, s)) in mean.iter_mut().zip(stddev.iter_mut()).enumerate() {
            *m = data.iter().map(|row| row[j]).sum::<f64>() / n;
            let var = data.iter().map(|row| (row[j] - *m).powi(2)).sum::<f64>() / n;
            *s = var.sqrt();
            if *s <= eps {
                *s = 1.0;
            }
        }
        (mean, stddev)
    }

    fn center(data: &mut [Row], mean: &Row, stddev: &Row) {
        let root = (data.len() as f64).sqrt();
        #[omp::target]
        for row in data.iter_mut() {
            for (x, (m, s)) in row.iter_mut().zip(mean.iter().zip(stddev)) {
                *x -= m;
                *x /= root * s;
            }
        }
    }

    pub fn correlation(data: &mut Vec<Row>) -> [Row; M] {
        let (mean, stddev) = column_stats(data);
        center(data, &mean, &stddev);
        let mut corr = [[0.0; M]; M];
        #[omp::target]
        for i in 0..M {
            corr[i][i] = 1.0;
            for j in i + 1..M {
                let mut sum = 0.0;
                for row in data.iter() {
                    sum += row[i] * row[j];
                }
                corr[i][j] = sum;
                corr[j][i] = sum;
            }
        }
        corr
    }

    pub fn run() -> ([Row; M], Vec<Row>) {
        let mut v = Values(5);
        let mut data: Vec<Row> = (0..30).map(|i| std::array::from_fn(|j| (i * j) as f64 / M as f64 + v.bits() as f64 / 1e9)).collect();
        let corr = correlation(&mut data);
        (corr, data)
    }
}
port!(correlation: run());
