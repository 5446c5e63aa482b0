//! Terrain: hillshade by the method of Horn, means of rows and relief of columns.
use ndarray::{Array1, Array2};
use omp_tests::{compare, twice};

twice! {
    #[omp::declare_target]
    fn horn(z: [f64; 9], cell: f64) -> (f64, f64) {
        let [a, b, c, d, _, f, g, h, i] = z;
        (((c + 2.0 * f + i) - (a + 2.0 * d + g)) / (8.0 * cell), ((g + 2.0 * h + i) - (a + 2.0 * b + c)) / (8.0 * cell))
    }
    pub fn hillshade(d: usize, dem: &Array2<f64>, cell: f64, azimuth: f64, altitude: f64) -> Array2<u8> {
        let zenith = (90.0 - altitude).to_radians();
        let azimuth = (360.0 - azimuth + 90.0).rem_euclid(360.0).to_radians();
        let mut shade = Array2::<u8>::zeros(dem.raw_dim());
        let (rows, cols) = dem.dim();
        #[omp::target(device(d), collapse(2))]
        for r in 1..rows - 1 {
            for c in 1..cols - 1 {
                let mut z = [0.0; 9];
                for (k, z) in z.iter_mut().enumerate() { *z = dem[[r + k / 3 - 1, c + k % 3 - 1]]; }
                let (dx, dy) = horn(z, cell);
                let slope = dx.hypot(dy).atan();
                let aspect = if dx == 0.0 && dy == 0.0 { 0.0 } else { dy.atan2(-dx) };
                let v = zenith.cos() * slope.cos() + zenith.sin() * slope.sin() * (azimuth - aspect).cos();
                shade[[r, c]] = (255.0 * v).clamp(0.0, 255.0).round() as u8;
            }
        }
        shade
    }
    pub fn row_stats(d: usize, dem: &Array2<f64>) -> (Array1<f64>, Array1<f64>) {
        let (mut mean, mut relief) = (Array1::zeros(dem.nrows()), Array1::zeros(dem.ncols()));
        #[omp::target(device(d))]
        for (m, row) in mean.iter_mut().zip(dem.outer_iter()) {
            *m = row.sum() / row.len() as f64;
        }
        #[omp::target(device(d))]
        for j in 0..dem.ncols() {
            let column = dem.column(j);
            let (lo, hi) = column.iter().fold((f64::MAX, f64::MIN), |(lo, hi), &v| (lo.min(v), hi.max(v)));
            relief[j] = hi - lo;
        }
        (mean, relief)
    }
}

#[test]
fn hillshade() {
    let dem = Array2::from_shape_fn((20, 33), |(i, j)| ((i * 7 + j * j) % 19) as f64 * 1.5);
    compare!(m, d => m::hillshade(d, &dem, 30.0, 315.0, 45.0));
    compare!(m, d => m::row_stats(d, &dem));
}
