//! A method that chooses the place to which it refers gives no place on a device; one that refers to one field does.
#[omp::offload]
mod m {
    #[derive(Clone, Copy, omp::Device)]
    pub struct Pair {
        x: i32,
        y: i32,
    }

    #[omp::declare_target]
    impl Pair {
        fn part(&mut self, k: usize) -> &mut i32 {
            if k == 0 { &mut self.x } else { &mut self.y }
        }
        fn second(&mut self) -> &mut i32 {
            &mut self.y
        }
    }

    pub fn chosen(v: &mut [Pair]) {
        #[omp::target]
        for i in 0..v.len() {
            *v[i].part(i % 2) += 5;
        }
    }

    pub fn fine(v: &mut [Pair]) {
        #[omp::target]
        for i in 0..v.len() {
            *v[i].second() += 5;
        }
    }
}

fn main() {
    m::chosen(&mut []);
    m::fine(&mut []);
}
