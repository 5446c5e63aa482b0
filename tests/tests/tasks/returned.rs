//! A tail that names what tasks use waits for them.
use omp_tests::on_every_device;

struct Grid {
    cells: Vec<f32>,
    sum: f32,
}

#[omp::offload]
fn vector(d: usize, x: &[f32]) -> Vec<f32> {
    let mut y = vec![0.0; x.len()];
    #[omp::target(nowait, device(d))]
    for i in 0..x.len() {
        y[i] = x[i] * 2.0;
    }
    y
}

#[omp::offload]
fn reference<'a>(d: usize, x: &[f32], y: &'a mut Vec<f32>) -> Option<&'a mut Vec<f32>> {
    #[omp::target(nowait, device(d))]
    for i in 0..x.len() {
        y[i] = x[i] * 3.0;
    }
    Some(y)
}

#[omp::offload(try)]
fn parts(d: usize, x: &[f32]) -> Result<(Grid, usize), omp::Error> {
    let n = x.len();
    let mut cells = vec![0.0; n];
    let mut sum = 0.0;
    #[omp::target(nowait, device(d), reduction(+: sum))]
    for i in 0..n {
        cells[i] = x[i] + 1.0;
        sum += x[i];
    }
    Ok((Grid { cells, sum }, n))
}

#[test]
fn tails_wait() {
    let x = [1.0, 2.0, 3.0];
    on_every_device(|d| {
        assert_eq!(vector(d, &x), [2.0, 4.0, 6.0]);
        let mut y = vec![0.0; 3];
        assert_eq!(reference(d, &x, &mut y).map(|y| y.len()), Some(3));
        assert_eq!(y, [3.0, 6.0, 9.0]);
        let (grid, n) = parts(d, &x).unwrap();
        assert_eq!((grid.cells, grid.sum, n), (vec![2.0, 3.0, 4.0], 6.0, 3));
    });
}
