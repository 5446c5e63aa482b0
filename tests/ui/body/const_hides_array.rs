#[omp::declare_target]
fn sum(x: f32) -> f32 {
    const W: [f32; 3] = [1.0, 2.0, 3.0];
    let mut s = x;
    for w in W.iter() {
        const W: f32 = 0.5;
        s += w * W;
    }
    s
}

#[omp::offload]
fn run(x: &[f32], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        let mut s = 0.0;
        for &v in x.iter() {
            const x: f32 = 2.0;
            s += v * x;
        }
        y[i] = sum(s);
    }
}

fn main() {
    run(&[1.0], &mut [1.0]);
}
