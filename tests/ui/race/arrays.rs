//! Races through arrays: certain ones with two iterations that meet, and those that nothing excludes.
#[omp::target]
fn pairs(x: &[f32], y: &mut [f32]) {
    for i in 0..x.len() {
        y[i / 2] += x[i];
    }
}

#[omp::target]
fn neighbour(y: &mut [f32]) {
    for i in 1..y.len() {
        y[i] = 0.5 * (y[i] + y[i - 1]);
    }
}

#[omp::target]
fn one_element(x: &[f32], flag: &mut [u32]) {
    for i in 0..x.len() {
        if x[i] > 1.0 {
            flag[0] = 1;
        }
    }
}

#[omp::target(collapse(2))]
fn transpose(a: &mut [[f32; 16]; 16]) {
    for i in 0..16 {
        for j in 0..16 {
            a[i][j] = a[j][i];
        }
    }
}

#[omp::target]
fn permute(x: &[f32], to: &[usize], y: &mut [f32]) {
    for i in 0..x.len() {
        y[to[i]] = x[i];
    }
}

#[omp::target]
fn histogram(data: &[u8], bin: &mut [u32]) {
    for i in 0..data.len() {
        bin[data[i] as usize] += 1;
    }
}

fn main() {}
