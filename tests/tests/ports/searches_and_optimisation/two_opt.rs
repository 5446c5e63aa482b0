//! TSP: the best 2-opt move of every city, and 2-opt of many tours with random restarts.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, PartialEq, omp::Device)]
    struct City {
        x: f32,
        y: f32,
    }

    #[omp::declare_target]
    impl City {
        #[inline]
        fn distance(self, other: City) -> f32 {
            ((self.x - other.x).powi(2) + (self.y - other.y).powi(2)).sqrt()
        }
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    struct Move {
        delta: f32,
        to: u32,
    }

    #[omp::offload]
    fn best_moves(tour: &[City], moves: &mut [Move]) {
        let n = tour.len();
        let next = |i: usize| if i + 1 == n { 0 } else { i + 1 };
        #[omp::target]
        for i in 0..n {
            let best = (i + 2..n)
                .filter(|&j| next(j) != i)
                .map(|j| {
                    let (a, b, c, d) = (tour[i], tour[next(i)], tour[j], tour[next(j)]);
                    (j, a.distance(c) + b.distance(d) - a.distance(b) - c.distance(d))
                })
                .min_by(|a, b| a.1.total_cmp(&b.1));
            moves[i] = match best {
                Some((j, delta)) if delta < 0.0 => Move { delta, to: j as u32 },
                _ => Move { delta: 0.0, to: u32::MAX },
            };
        }
    }

    #[omp::offload]
    fn climb(cities: &[City], tours: &mut [[u16; 12]]) -> f32 {
        let mut shortest = f32::INFINITY;
        #[omp::target(reduction(min: shortest))]
        for tour in tours.iter_mut() {
            let n = tour.len();
            let dist = |a: u16, b: u16| cities[a as usize].distance(cities[b as usize]);
            let mut improved = true;
            while improved {
                improved = false;
                'search: for i in 0..n - 2 {
                    for j in i + 2..n - 1 {
                        let change = dist(tour[i], tour[j]) + dist(tour[i + 1], tour[j + 1]) - dist(tour[i], tour[i + 1]) - dist(tour[j], tour[j + 1]);
                        if change < -1e-4 {
                            tour[i + 1..=j].reverse();
                            improved = true;
                            break 'search;
                        }
                    }
                }
            }
            let length: f32 = tour.windows(2).map(|w| dist(w[0], w[1])).sum();
            shortest = shortest.min(length);
        }
        shortest
    }

    pub fn run(n: usize) -> Vec<f64> {
        let city = |i: usize| City { x: ((i * 37) % 101) as f32, y: ((i * 53) % 97) as f32 };
        let tour: Vec<City> = (0..n).map(city).collect();
        let mut moves = vec![Move { delta: 0.0, to: 0 }; n];
        best_moves(&tour, &mut moves);
        let cities: Vec<City> = (0..12).map(city).collect();
        let mut tours: Vec<[u16; 12]> = (0..n.min(50)).map(|t| std::array::from_fn(|k| ((k * 5 + t) % 12) as u16)).collect();
        let s = climb(&cities, &mut tours);
        let mut out: Vec<f64> = moves.iter().flat_map(|m| [m.delta as f64, m.to as f64]).collect();
        out.extend(tours.iter().flatten().map(|&t| t as f64));
        out.push(if s.is_finite() { s as f64 } else { -1.0 });
        out
    }
}
port!(two_opt: (run(3), run(7), run(33)));
