//! Races through functions of the region's own item, which are seen when it is compiled.
#[omp::offload]
mod offloaded {
    #[omp::declare_target]
    fn half(i: usize) -> usize {
        i / 2
    }

    #[omp::declare_target]
    fn clamped(i: usize, n: usize) -> usize {
        if i > 3 {
            return 3;
        }
        half(2 * i).min(n)
    }

    #[omp::declare_target]
    fn own(i: usize, j: usize, n: usize) -> usize {
        let start = i * n;
        start + j
    }

    #[omp::target]
    pub fn halves(y: &mut [u32]) {
        for i in 0..y.len() {
            y[half(i)] = i as u32;
        }
    }

    #[omp::target]
    pub fn neighbours(y: &mut [u32], n: usize) {
        for i in 1..n {
            y[own(i, 0, 1)] = y[own(i, 0, 1) - 1];
        }
    }

    #[omp::target]
    pub fn ends(y: &mut [u32], n: usize) {
        for i in 0..n {
            y[clamped(i, n)] = 1;
        }
    }

    /// The numbers decide.
    #[omp::target(collapse(2))]
    pub fn rows(y: &mut [u32], n: usize, m: usize) {
        for i in 0..n {
            for j in 0..m {
                y[own(i, j, n)] = 1;
            }
        }
    }

    pub mod inner {
        #[omp::declare_target]
        fn half(i: usize) -> usize {
            i
        }

        #[omp::target]
        pub fn right(y: &mut [u32]) {
            for i in 0..y.len() {
                y[half(i)] = i as u32;
            }
        }
    }
}

#[omp::offload]
fn of_the_body(y: &mut [u32]) {
    #[omp::declare_target]
    fn third(i: usize) -> usize {
        i / 3
    }
    #[omp::target]
    for i in 0..y.len() {
        y[third(i)] = 1;
    }
}

fn main() {
    of_the_body(&mut []);
}
