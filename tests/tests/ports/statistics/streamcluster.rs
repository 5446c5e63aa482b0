//! PARSEC's streamcluster: gains of new centres.
use omp_tests::{Values, twice};
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Point<const D: usize> { coords: [f32; D], weight: f32, assign: usize, cost: f32 }

    #[omp::declare_target]
    impl<const D: usize> Point<D> {
        fn dist(&self, other: &Point<D>) -> f32 {
            self.coords.iter().zip(other.coords.iter()).map(|(a, b)| (a - b) * (a - b)).sum::<f32>()
        }
    }

    pub struct Points<const D: usize> { p: Vec<Point<D>> }

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    struct Gain { total: f32, closed: u32 }

    impl<const D: usize> Points<D> {
        fn gain(&self, x: usize, opening: f32) -> (f32, u32) {
            let mut gain = -opening;
            let mut switched = 0u32;
            let candidate = self.p[x];
            #[omp::target(reduction(+: gain, switched))]
            for p in &self.p {
                let cost = p.dist(&candidate) * p.weight;
                if cost < p.cost {
                    gain += p.cost - cost;
                    switched += 1;
                }
            }
            (gain, switched)
        }
        fn open(&mut self, x: usize) {
            let centre = self.p[x];
            #[omp::target]
            for p in self.p.iter_mut() {
                let cost = p.dist(&centre) * p.weight;
                if cost < p.cost {
                    *p = Point { assign: x, cost, ..*p };
                }
            }
        }
        pub fn cluster(&mut self, opening: f32) -> Vec<usize> {
            let mut centres = vec![0];
            self.p.iter_mut().for_each(|p| p.cost = f32::MAX);
            self.open(0);
            for x in (1..self.p.len()).step_by(3) {
                let (gain, switched) = self.gain(x, opening);
                if gain > 0.0 && switched > 1 {
                    self.open(x);
                    centres.push(x);
                }
            }
            centres
        }
    }

    pub fn run() -> (Vec<usize>, Vec<usize>) {
        let mut v = Values(44);
        let mut p = Points::<4> { p: (0..80).map(|_| Point { coords: std::array::from_fn(|_| (v.bits() % 16) as f32), weight: 1.0, assign: 0, cost: 0.0 }).collect() };
        let c = p.cluster(200.5);
        (c, p.p.iter().map(|p| p.assign).collect())
    }
}
port!(streamcluster: run());
