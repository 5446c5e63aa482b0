//! What the host runs of a target block can't have the values that are on the device.
#[cfg_attr(all(), allow(dead_code))] struct Cells {
    y: Vec<f32>,
    n: usize,
}

impl Cells {
    fn sum(&self) -> f32 {
        self.y.iter().sum()
    }
    fn rows(&self) -> usize {
        self.n
    }
}

fn total(s: &Cells) -> f32 {
    s.sum()
}

#[omp::offload]
fn whole(s: &mut Cells) {
    #[omp::target]
    {
        #[omp::parallel_for]
        for i in 0..s.n {
            s.y[i] += 1.0;
        }
        let t = s.sum() + total(s);
        s.y[0] = t;
    }
}

#[omp::offload]
fn bound(s: &mut Cells) {
    #[omp::target]
    {
        #[omp::parallel_for]
        for i in 0..s.rows() {
            s.y[i] += 1.0;
        }
    }
}

#[omp::offload]
fn names(y: &mut [f32]) {
    #[cfg(all())]
    macro_rules! bump {
        () => {
            y[0] += 5.0
        };
    }
    #[omp::target]
    {
        #[omp::parallel_for]
        for i in 0..y.len() {
            y[i] += 1.0;
        }
        bump!();
    }
}

#[omp::offload]
fn values(y: &mut [f32]) {
    #[omp::target]
    {
        #[omp::parallel_for]
        for i in 0..y.len() {
            y[i] += 1.0;
        }
        let first = |i: usize| y[i];
        let t = first(0);
        y[1] = t;
    }
}

fn main() {}
